"""What could answer this? The sources' cards and the tools over them, as the model reads them: short, in a stable order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sleuth.catalogue.linking import Link, links
from sleuth.errors import UsageError
from sleuth.source import Card, SourceKind
from sleuth.tool import Tool, ToolSpec

_PLACES: dict[SourceKind, str] = {"database": "the database", "documents": "the documents", "web": "the web"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One tool, and the card of the source it looks into (None for a function)."""

    tool: Tool
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Byte-stable for the same sources: its text is the head of every prompt, and a cached prefix is a saved prefill."""

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
        return cls(tuple(entries))

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
