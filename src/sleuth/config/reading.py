"""A TOML text into dataclasses, driven by their fields; what does not fit is said with its line and what was expected."""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast  # Any: annotations, and what TOML holds, are of any type until they have been looked at

from sleuth.errors import ConfigError, UsageError

T = TypeVar("T")

_WORDS: dict[object, str] = {
    str: "text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    Path: "a path in quotes",
}


def parse(kind: type[T], text: str, file: str) -> T:
    """`text` as a `kind`; `file` is what errors call it. Raises ConfigError with file and line."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is not TOML: {error}", hint="https://toml.io shows the form") from error
    except RecursionError:
        raise ConfigError(f"{file} is nested too deeply", hint="https://toml.io shows the form") from None
    return _table(kind, raw, _Place(file, text))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the file something stands: the keys, and the numbers in lists, that lead to it."""

    file: str
    text: str
    keys: tuple[str | int, ...] = ()

    def at(self, key: str | int) -> _Place:
        return dataclasses.replace(self, keys=(*self.keys, key))

    def error(self, message: str, hint: str | None = None) -> ConfigError:
        line = line_of(self.text, self.keys)
        where = f"{self.file}, line {line}" if line else self.file
        return ConfigError(f"{where}: {message}", hint=hint)

    @property
    def spoken(self) -> str:
        last = self.keys[-1]
        return f"item {last + 1} of {self.keys[-2]!r}" if isinstance(last, int) else repr(last)

    @property
    def table(self) -> str:
        names = ".".join(str(key) for key in self.keys if isinstance(key, str))
        if not names:
            return "the file"
        return f"[[{names}]]" if isinstance(self.keys[-1], int) else f"[{names}]"


def line_of(text: str, keys: tuple[str | int, ...]) -> int | None:
    """The line, from 1, on which the statement that brings `keys` begins; None where nothing brings it.

    TOML's parser keeps no lines. But the longest beginning of the file that parses without the key ends right before the
    statement that brings it, however that is written.
    """
    lines = text.splitlines(keepends=True)
    whole = 0
    for count in range(1, len(lines) + 1):
        try:
            parsed = tomllib.loads("".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
        if keys and _holds(parsed, keys):
            return whole + 1
        whole = count
    return None


def _holds(value: object, keys: tuple[str | int, ...]) -> bool:
    for key in keys:
        if isinstance(value, list) and isinstance(key, int) and key < len(cast("list[object]", value)):
            value = cast("list[object]", value)[key]
        elif isinstance(value, dict) and key in value:
            value = cast("dict[object, object]", value)[key]
        else:
            return False
    return True


def _table(kind: type[T], raw: Mapping[str, object], place: _Place) -> T:
    fields = {field.name: field for field in dataclasses.fields(cast("Any", kind))}
    hints = typing.get_type_hints(kind)
    for key in raw:
        if key not in fields:
            near = difflib.get_close_matches(key, fields, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(fields)}"
            raise place.at(key).error(f"unknown key {key!r} in {place.table}", hint)
    for name, field in fields.items():
        needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if needed and name not in raw:
            raise place.error(f"{place.table} needs {name!r}", f"add {name} = …, {_expected(hints[name])}")
    values = {key: _value(hints[key], value, place.at(key)) for key, value in raw.items()}
    try:
        return kind(**values)
    except UsageError as error:
        raise place.error(error.message, error.hint) from error


def _value(hint: Any, value: object, place: _Place) -> object:
    options = [option for option in _options(hint) if option is not type(None)]
    for option in options:
        if dataclasses.is_dataclass(option) and isinstance(value, dict):
            return _table(cast("type[object]", option), cast("dict[str, object]", value), place)
        if typing.get_origin(option) is tuple and isinstance(value, list):
            item = typing.get_args(option)[0]
            return tuple(_value(item, entry, place.at(number)) for number, entry in enumerate(cast("list[object]", value)))
        if typing.get_origin(option) is typing.Literal and value in typing.get_args(option):
            return value
        if option is Path and isinstance(value, str):
            return Path(value)
        # By the exact type: true is an int to Python, but not to the person who wrote it.
        if type(value) is option or (option is float and type(value) is int):
            return float(cast("int", value)) if option is float else value
    # What stands there is not repeated: it may be a secret in the wrong place.
    raise place.error(f"{place.spoken} must be {_expected(hint)}, and is {_found(value)}")


def _options(hint: Any) -> tuple[Any, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)


def _expected(hint: Any) -> str:
    words: list[str] = []
    for option in _options(hint):
        if option in _WORDS:
            words.append(_WORDS[option])
        elif typing.get_origin(option) is typing.Literal:
            words += [f'"{value}"' for value in typing.get_args(option)]
        elif typing.get_origin(option) is tuple:
            item = typing.get_args(option)[0]
            words.append("tables in double brackets [[…]]" if dataclasses.is_dataclass(item) else f"a list of {_expected(item)}")
        elif dataclasses.is_dataclass(option):
            words.append("a table in brackets […]")
    return " or ".join(words)


def _found(value: object) -> str:
    kinds: tuple[tuple[type, str], ...] = (
        (bool, "true or false"),
        (str, "text"),
        (int, "a whole number"),
        (float, "a number"),
        (list, "a list"),
        (dict, "a table"),
    )
    return next((words for kind, words in kinds if isinstance(value, kind)), "a date or time")
