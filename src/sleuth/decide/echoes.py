"""Values that a call takes from the example in the prompt where the question has none: a small model fills a form to the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from sleuth.asked import stands_in
from sleuth.errors import UsageError
from sleuth.result import Json
from sleuth.tool import Arguments, ToolCall, ToolSpec


def echoed(call: ToolCall, spec: ToolSpec, said: str) -> tuple[str, ...]:
    """The numbers and dates of `call` that stand in an example of `spec` and not in `said`.

    Not its words: "poesía" may be what somebody meant who asked for poetry, while a year is written alike in every language.
    """
    shown = {str(value) for example in spec.examples for value in _values(example.arguments)}
    taken = dict.fromkeys(str(value) for value in _values(call.arguments))
    return tuple(value for value in taken if value in shown and value[:1].isdigit() and not stands_in(value, said))


def _values(arguments: Arguments) -> Iterator[Json]:
    for value in arguments.values():
        if isinstance(value, list | tuple):
            yield from value
        else:
            yield value


@dataclass(frozen=True, slots=True)
class Refused:
    """Stands in for the tool of a call with such values: the model is told, and the call is not run."""

    spec: ToolSpec
    values: tuple[str, ...]

    async def run(self, arguments: Arguments) -> NoReturn:
        raise UsageError(
            f"{', '.join(self.values)} stands in the example, not in the question", hint="leave that condition out of the query"
        )
