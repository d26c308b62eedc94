"""What a folder of documents holds, in a few short lines: for the model, and for people."""

from __future__ import annotations

import re
from collections import Counter
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
    topic = _topic(readable)
    return ToolSpec(
        tool,
        "What our documents say: clauses, conditions, policies, rules, procedures, limits, deadlines. NOT for counts or sums.",
        {
            "type": "object",
            "properties": {"query": {"type": "string", "minLength": 3, "maxLength": 120}},
            "required": ["query"],
            "additionalProperties": False,
        },
        example=Example(f"What do the documents say about {topic}?", f"what the documents say about {topic}", {"query": topic}),
    )


def _topic(files: Mapping[str, Indexed]) -> str:
    """The heading of a few words that most documents share; a title where there are no headings."""
    times = Counter(heading for entry in files.values() for heading in entry.headings if 2 <= len(heading.split()) <= 5)
    titles = [entry.title for entry in files.values()]
    topic = min(times, key=lambda heading: (-times[heading], heading)) if times else min(titles, default="terms")
    return topic[:1].lower() + topic[1:_LONGEST_TITLE]


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
