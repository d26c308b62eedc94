"""What could answer this? The sources' cards and the tools over them, as the model reads them: short, in a stable order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sleuth.catalogue.linking import Link, links
from sleuth.clean import unmarked
from sleuth.errors import UsageError
from sleuth.result import Json, Result
from sleuth.source import Card, SourceKind
from sleuth.tool import Arguments, Example, Tool, ToolSpec

_PLACES: dict[SourceKind, str] = {"database": "the database", "documents": "the documents", "web": "the web"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One tool, and the card of the source it looks into (None for a function)."""

    tool: Tool
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Byte-stable for the same sources: its text is the head of every prompt, and a cached prefix is a saved prefill.

    Titles, headings, names of files, values of columns: what cards and examples hold is from outside, and made plain here.
    """

    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Catalogue:
        """Raises UsageError when two tools share a name, or there is none."""
        if not entries:
            raise UsageError("an agent needs at least one source or tool", hint="pass sources=[…] or tools=[…]")
        names = [entry.tool.spec.name for entry in entries]
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"two tools are called {name!r}", hint="give one of the sources its own tool=… name")
        return cls(tuple(Entry(_plain_tool(entry.tool), _plain_card(entry.card)) for entry in entries))

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(entry.tool.spec for entry in self.entries)

    def tool(self, name: str) -> Tool:
        """Raises KeyError for a name that is not in the catalogue."""
        for entry in self.entries:
            if entry.tool.spec.name == name:
                return entry.tool
        raise KeyError(name)

    def text(self) -> str:
        """One line a tool, what its source holds indented under it."""
        lines: list[str] = []
        for entry in self.entries:
            spec = entry.tool.spec
            lines.append(f"- {spec.name}({', '.join(parameter_names(spec))}): {' '.join(spec.description.split())}")
            lines += [f"  {line}" for line in (entry.card.contents if entry.card else ())]
        return "\n".join(lines)

    def place(self, entry: Entry) -> str:
        """Where a tool looks, in words: "the database"; by name where several are of a kind; a function by its own name."""
        if entry.card is None:
            return entry.tool.spec.name
        word = _PLACES[entry.card.kind]
        alike = [other for other in self.entries if other.card and other.card.kind == entry.card.kind]
        return word if len(alike) == 1 else f"{word} {entry.card.name}"

    def links(self, question: str) -> tuple[Link, ...]:
        """The words of the question that are values of a source."""
        return links(question, [value for entry in self.entries if entry.card for value in entry.card.values])


def parameter_names(spec: ToolSpec) -> list[str]:
    properties = spec.parameters.get("properties")
    return list(properties) if isinstance(properties, dict) else []


@dataclass(frozen=True, slots=True)
class _PlainTool:
    """A tool whose description or examples held what is no plain text."""

    tool: Tool
    spec: ToolSpec

    async def run(self, arguments: Arguments) -> Result:
        return await self.tool.run(arguments)


def _plain_tool(tool: Tool) -> Tool:
    """The same tool where there is nothing to take out. Name and parameters are the author's: what a call is checked against."""
    spec = tool.spec
    description = "\n".join(map(unmarked, spec.description.split("\n")))
    plain = replace(spec, description=description, examples=tuple(map(_plain_example, spec.examples)))
    return tool if plain == spec else _PlainTool(tool, plain)


def _plain_example(example: Example) -> Example:
    arguments = {name: _plain_json(value) for name, value in example.arguments.items()}
    return Example(unmarked(example.question), unmarked(example.part), arguments)


def _plain_json(value: Json) -> Json:
    match value:
        case str():
            return "\n".join(map(unmarked, value.split("\n")))
        case list():
            return [_plain_json(item) for item in value]
        case dict():
            return {key: _plain_json(item) for key, item in value.items()}
        case _:
            return value


def _plain_card(card: Card | None) -> Card | None:
    if card is None:
        return None
    values = tuple((unmarked(place), unmarked(value)) for place, value in card.values)
    contents = tuple(map(unmarked, card.contents))
    return replace(card, name=unmarked(card.name), title=unmarked(card.title), contents=contents, values=values)
