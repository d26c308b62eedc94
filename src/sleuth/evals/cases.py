"""Case files: JSON Lines, one case a line. What a case must hold is its kind's business; here an error names its line."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from sleuth.errors import UsageError
from sleuth.result import Json


class CaseError(UsageError):
    """A line of a case file is not what it has to be."""

    code = "case"


@dataclass(frozen=True, slots=True)
class Line:
    """`number` counts from 1, as editors do."""

    file: Path
    number: int
    fields: Mapping[str, Json]

    @property
    def id(self) -> str:
        """The case's own `id`; raises CaseError where it has none."""
        return self.text("id")

    def text(self, name: str) -> str:
        """The field as a string that is not empty. Raises CaseError."""
        value = self.fields.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self.error(f"{name!r} must be a text", "every case has one")
        return value

    def texts(self, name: str) -> tuple[str, ...] | None:
        """The field as a list of strings, None where it is absent or null. Raises CaseError."""
        value = self.fields.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(f"{name!r} must be a list of texts", "write [] for none")
        return tuple(str(item) for item in value)

    def error(self, problem: str, hint: str | None = None) -> CaseError:
        return CaseError(f"{self.file.name}, line {self.number}: {problem}", hint=hint)


def read_lines(file: Path) -> tuple[Line, ...]:
    """Every case of a file; blank lines are passed over. Raises UsageError, for a bad line with its number."""
    try:
        written = file.read_text("utf-8-sig").split("\n")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}", hint="give a .jsonl file of cases") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text", hint="give a .jsonl file of cases") from error
    lines: list[Line] = []
    first_seen: dict[str, int] = {}
    for number, text in enumerate(written, 1):
        if not text.strip():
            continue
        line = Line(file, number, _object(file, number, text))
        if line.id in first_seen:
            raise line.error(f"the id {line.id!r} was used on line {first_seen[line.id]}", "give each case its own")
        first_seen[line.id] = number
        lines.append(line)
    if not lines:
        raise UsageError(f"{file.name} holds no case")
    return tuple(lines)


def chosen(lines: Sequence[Line], limit: int | None, seed: int | None) -> tuple[Line, ...]:
    """The first `limit` lines, or with a seed as many drawn at random; in the order of the file either way."""
    if limit is None or limit >= len(lines):
        return tuple(lines)
    if seed is None:
        return tuple(lines[:limit])
    drawn = random.Random(seed).sample(range(len(lines)), limit)
    return tuple(lines[place] for place in sorted(drawn))


def cache_folder() -> Path:
    """Where evaluations keep what can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sleuth" / "evals"


def _object(file: Path, number: int, text: str) -> Mapping[str, Json]:
    try:
        value: Json = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise CaseError(f"{file.name}, line {number}: not JSON ({error})", hint="one JSON object a line") from error
    if not isinstance(value, dict):
        raise CaseError(f"{file.name}, line {number}: not a JSON object", hint="one JSON object a line")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
