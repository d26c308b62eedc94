"""Where model files lie: a folder keyed by content hash, so that a name, a hash and a path lead to the same bytes."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sleuth.errors import ModelNotFound
from sleuth.models.known import KNOWN, KnownModel
from sleuth.models.pull import Notice, Progress, ignore, pull

SHORTEST_HASH = 8
"""Hex digits of a SHA-256 that are enough to name a model."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A model file in the store. `name` is the file's own where no known model has these bytes."""

    name: str
    sha256: str
    path: Path
    size_bytes: int


class Store:
    """Models as `<folder>/<sha256>/<file>`; a file is there whole and verified, or not at all.

    `folder` defaults to $SLEUTH_MODELS, else to the user's cache. `known` are the models that can be fetched by name.
    """

    def __init__(self, folder: str | Path | None = None, *, known: Mapping[str, KnownModel] = KNOWN) -> None:
        self.folder = Path(folder) if folder is not None else default_folder()
        self.known = known

    def find(self, wanted: str | Path) -> Path:
        """The file of a model given by name, by SHA-256 (from eight digits on) or by path.

        Raises ModelNotFound, saying what would bring it. Nothing is fetched here.
        """
        text = str(wanted)
        if isinstance(wanted, Path) or text.endswith(".gguf") or os.sep in text:
            return _file(Path(text).expanduser())
        model = self.known.get(text)
        if model is not None:
            path = self.place(model)
            if path.is_file():
                return path
            raise ModelNotFound(f"the model {text!r} is not here", hint=f"fetch it: sleuth models pull {text}")
        if re.fullmatch(rf"[0-9a-f]{{{SHORTEST_HASH},64}}", text.lower()):
            matches = [stored.path for stored in self.list() if stored.sha256.startswith(text.lower())]
            if len(matches) == 1:
                return matches[0]
            raise ModelNotFound(f"{len(matches)} models in {self.folder} have a hash that starts with {text}")
        raise self._unknown(text)

    def list(self) -> tuple[Stored, ...]:
        """What is here, known models first in their order, then others by name."""
        names = {model.sha256: model.name for model in self.known.values()}
        found: list[Stored] = []
        for folder in sorted(self.folder.glob("*/")):
            if re.fullmatch(r"[0-9a-f]{64}", folder.name):
                found += [
                    Stored(names.get(folder.name, path.stem), folder.name, path, path.stat().st_size)
                    for path in sorted(folder.glob("*.gguf"))
                ]
        order = {sha256: place for place, sha256 in enumerate(names)}
        return tuple(sorted(found, key=lambda stored: (order.get(stored.sha256, len(order)), stored.name)))

    async def pull(self, name: str, *, progress: Progress = ignore, notice: Notice = ignore) -> Path:
        """Bring a known model here, if it is not yet, and give its file.

        `progress(bytes_done, bytes_total)` counts bytes of the model; `notice` hears in words what a reader may wonder about (a
        mirror that failed, the one that is tried next). What an interrupted pull had fetched is taken up again.

        Raises ModelNotFound when no mirror could bring it, ChecksumMismatch when one brought other bytes and none the right
        ones, UsageError when the disk has no room.
        """
        model = self.known.get(name)
        if model is None:
            raise self._unknown(name)
        path = self.place(model)
        if not path.is_file():
            await pull(model, path, progress=progress, notice=notice)
        return path

    def place(self, model: KnownModel) -> Path:
        """Where the file of `model` lies once it is here."""
        return self.folder / model.sha256 / model.file

    def _unknown(self, name: str) -> ModelNotFound:
        near = difflib.get_close_matches(name, self.known, n=1)
        guess = f"did you mean {near[0]!r}? " if near else ""
        names = ", ".join(self.known)
        return ModelNotFound(f"no model is called {name!r}", hint=f"{guess}known: {names}; or give the path of a .gguf file")


def default_folder() -> Path:
    """$SLEUTH_MODELS, else `sleuth/models` in the user's cache (XDG Base Directory Specification)."""
    if folder := os.environ.get("SLEUTH_MODELS"):
        return Path(folder).expanduser()
    return user_cache() / "models"


def user_cache() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "sleuth"


def _file(path: Path) -> Path:
    if path.is_file():
        return path
    raise ModelNotFound(f"there is no file {path}", hint="check the path, or give a name that `sleuth models list` shows")
