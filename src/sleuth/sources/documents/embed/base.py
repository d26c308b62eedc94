"""What the index asks of an embedding model, whatever runs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Identity of model and weights; an index made under another name is rebuilt."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def window(self) -> int:
        """Longest input in tokens, without the model's own marks; what is longer is cut off."""
        ...

    def count(self, text: str) -> int:
        """Tokens of `text`, in the model's own tokenization and without its marks."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of length 1 and `dimensions` floats for each text, in order."""
        ...
