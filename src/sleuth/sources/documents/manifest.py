"""What an index holds, file by file: how the next run knows what changed. Replaced whole, never edited in place."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = 1
"""Raised whenever passages would be cut, embedded or stored differently: an index of another number is rebuilt."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file's content, and what tells at a glance that it has not changed since."""

    sha256: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Indexed:
    """A file whose passages are in the store, or (`why`) one that could not be read. Its passages stand under `headings`."""

    stamp: Stamp
    title: str = ""
    passages: int = 0
    pages: int | None = None
    why: str | None = None
    headings: tuple[str, ...] = ()


@dataclass(slots=True)
class Manifest:
    """`files` by path under the folder, with forward slashes. `writing` names files that may be in the store by half."""

    embedder: str
    schema: int = SCHEMA
    files: dict[str, Indexed] = field(default_factory=dict[str, Indexed])
    writing: list[str] = field(default_factory=list[str])

    @classmethod
    def load(cls, path: Path) -> Manifest | None:
        """The manifest in a file; None where there is none, or none that can be understood."""
        try:
            data = json.loads(path.read_text("utf-8"))
            files = {name: _indexed(entry) for name, entry in data["files"].items()}
            return cls(data["embedder"], data["schema"], files, data["writing"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def save(self, path: Path) -> None:
        """Whoever reads `path` sees the old manifest or the new one, also after a power cut."""
        scratch = path.with_suffix(".new")
        with scratch.open("w", encoding="utf-8") as file:
            json.dump(asdict(self), file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)


def _indexed(entry: dict[str, Any]) -> Indexed:  # Any: whatever stands in the file; a wrong shape raises and the index is rebuilt
    stamp, headings = Stamp(**entry.pop("stamp")), tuple(entry.pop("headings"))
    return Indexed(stamp=stamp, headings=headings, **entry)
