"""The files of a folder that can be read, and whether they changed."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sleuth.errors import SourceUnavailable
from sleuth.sources.documents.manifest import Stamp
from sleuth.sources.documents.read.formats import SUFFIXES


@dataclass(frozen=True, slots=True)
class Folder:
    """`files` by path under `root`, with forward slashes, in order. `ignored` counts files of other kinds by their ending."""

    root: Path
    files: dict[str, Path]
    ignored: tuple[tuple[str, int], ...] = ()


def look(path: Path, *, without: Path | None = None) -> Folder:
    """What is in a folder (or one file). Hidden files, and links that lead out of it, are passed over; so is `without`.

    Raises SourceUnavailable where there is nothing to read.
    """
    kinds = ", ".join(SUFFIXES)
    if not path.exists():
        raise SourceUnavailable(f"there is no folder {path}", hint="check the path of the documents")
    root = path if path.is_dir() else path.parent
    files: dict[str, Path] = {}
    ignored: Counter[str] = Counter()
    for file in _walk(root, without) if path.is_dir() else [path]:
        if not _is_text(file.relative_to(root).as_posix()):
            ignored["a name that is not UTF-8"] += 1
        elif file.suffix.lower() in SUFFIXES:
            files[file.relative_to(root).as_posix()] = file
        else:
            ignored[file.suffix.lower() or "no ending"] += 1
    if not files:
        others = f"; its {ignored.total()} files are of other kinds" if ignored else "; it is empty"
        raise SourceUnavailable(f"no document in {path}{others}", hint=f"files that are read: {kinds}")
    return Folder(root, files, tuple(ignored.most_common()))


def _is_text(name: str) -> bool:
    """Whether a file's name can be written down: on Linux it may be any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _walk(root: Path, without: Path | None) -> Iterator[Path]:
    inside = root.resolve()
    without = without.resolve() if without else None
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and Path(place, name).resolve() != without)
        for name in sorted(names):
            file = Path(place, name)
            if name.startswith((".", "~$")) or not file.is_file():  # ~$ is Word's mark of a file that is open
                continue
            if not file.is_symlink() or file.resolve().is_relative_to(inside):
                yield file


def stamp(path: Path, known: Stamp | None) -> Stamp:
    """The file's stamp; its content is read only where size or time differ from `known`. Raises OSError."""
    status = path.stat()
    if known and (known.size, known.mtime_ns) == (status.st_size, status.st_mtime_ns):
        return known
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Stamp(digest, status.st_size, status.st_mtime_ns)
