"""What a folder of documents holds, in a few short lines: for the model, and for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, takewhile
from pathlib import PurePosixPath

from sleuth.source import Card
from sleuth.sources.documents.manifest import Indexed
from sleuth.tool import Example, ToolSpec

_MOST_LINES = 10
_LONGEST_TITLE = 48
_ALIKE = 3
"""From so many on, files named alike but for their numbers are one line."""


def card(name: str, files: Mapping[str, Indexed]) -> Card:
    """One line for files named alike, one for each other file; beyond ten lines the rest is counted."""
    readable = {path: entry for path, entry in files.items() if entry.why is None}
    lines = [_line(group, readable) for group in _alike(readable)]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], f"{len(lines) - _MOST_LINES + 1} more"]
    facts = (
        ("documents", len(readable)),
        ("pages", sum(entry.pages or 0 for entry in readable.values())),
        ("passages", sum(entry.passages for entry in readable.values())),
        ("unreadable", len(files) - len(readable)),
    )
    return Card(name, "documents", f"{len(readable)} documents", tuple(lines), facts=tuple(fact for fact in facts if fact[1]))


def spec(tool: str, files: Mapping[str, Indexed]) -> ToolSpec:
    """The search as a tool; what the documents are stands on the card, its example asks for something they speak of."""
    readable = {path: entry for path, entry in files.items() if entry.why is None}
    return ToolSpec(
        tool,
        "What our documents say: clauses, conditions, policies, rules, procedures, limits, deadlines. NOT for counts or sums. "
        "recurring: true when the question asks what many documents have in common.",
        {
            "type": "object",
            "properties": {"query": {"type": "string", "minLength": 3, "maxLength": 120}, "recurring": {"type": "boolean"}},
            "required": ["query"],
            "additionalProperties": False,
        },
        examples=_examples(readable),
    )


def _examples(files: Mapping[str, Indexed]) -> tuple[Example, ...]:
    """One asks for a rule in one document; where there are many of a kind, another for what they have in common."""
    asked = tuple(
        Example(f"What does the {title} say about {topic}?", f"{topic} in the {title}", {"query": f"{topic}, {title}"})
        for title, topic in _spoken_of(files)
    )
    largest = max(_alike(files), key=len) if files else []
    if len(largest) < _ALIKE:
        return asked
    # No plural is made of the title: it may be of any language.
    name = _name(largest, files)
    kind = f"{name} documents" if name else "documents"
    arguments = {"query": "topics", "recurring": True}
    common = Example(f"Which topics recur in the {kind}?", f"topics that recur in the {kind}", arguments)
    return (*asked, common)


def _spoken_of(files: Mapping[str, Indexed]) -> list[tuple[str, str]]:
    """A title and a heading under it, to ask for in an example: of a long document that stands for itself before many alike.

    At most one; none where no document has both, for an invented one would be asked for.
    """
    for group in sorted(_alike(files), key=lambda group: (len(group), -files[group[0]].passages)):
        title = _name(group, files)
        headings = [heading for heading in files[group[0]].headings if len(heading.split()) <= 4 and heading != title]
        if title and headings:
            return [(title, headings[0][:1].lower() + headings[0][1:])]
    return []


def _alike(files: Iterable[str]) -> list[list[str]]:
    """Paths grouped by folder, ending and name without its numbers; the largest group first."""

    def key(path: str) -> str:
        return re.sub(r"\d+", "#", path)

    groups = [list(group) for _, group in groupby(sorted(files, key=lambda path: (key(path), path)), key=key)]
    grouped: list[list[str]] = []
    for group in groups:
        grouped += [group] if len(group) >= _ALIKE else [[path] for path in group]
    return sorted(grouped, key=lambda group: (-len(group), group[0]))


def _line(group: Sequence[str], files: Mapping[str, Indexed]) -> str:
    name = _name(group, files)
    quoted = f" “{name}”" if name else ""
    if len(group) == 1:
        return f"{group[0]}{quoted}"
    return f"{len(group)} × {group[0]} … {PurePosixPath(group[-1]).name}{quoted}"


def _name(group: Sequence[str], files: Mapping[str, Indexed]) -> str:
    """A file's title, or what the titles of files named alike have in common."""
    return _short(_shared([files[path].title for path in group]))


def _shared(titles: Sequence[str]) -> str:
    """The words that all titles begin with."""
    columns = zip(*(title.split() for title in titles), strict=False)
    return " ".join(words[0] for words in takewhile(lambda words: len(set(words)) == 1, columns)).strip(" -–—:")


def _short(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1].rstrip() + "…"
