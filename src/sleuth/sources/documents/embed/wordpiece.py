"""WordPiece as BERT's uncased vocabulary was made for it: text in, token ids out.

The rules are those of the BERT paper's reference tokenizer (Devlin et al. 2018; basic tokenization, then greedy longest match).
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from importlib import resources

_LONGEST_WORD = 100
"""Characters; a longer word is one unknown token."""

_CJK = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)
"""Ideographs each stand alone; Hangul and kana are spelled into words and do not."""


class WordPiece:
    """Holds the vocabulary; safe to share between threads."""

    def __init__(self, vocabulary: dict[str, int]) -> None:
        self._vocabulary = vocabulary
        self.start, self.end, self.pad = vocabulary["[CLS]"], vocabulary["[SEP]"], vocabulary["[PAD]"]
        self._unknown = vocabulary["[UNK]"]
        self._word = lru_cache(maxsize=50_000)(self._split_word)

    @classmethod
    def uncased(cls) -> WordPiece:
        """The 30,522 pieces of BERT uncased."""
        return _uncased()

    def encode(self, text: str) -> list[int]:
        """Ids of the pieces of `text`, without the marks at its start and end."""
        return [piece for word in _words(text) for piece in self._word(word)]

    def _split_word(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        pieces: list[int] = []
        start = 0
        while start < len(word):
            end = len(word)
            while end > start:
                piece = self._vocabulary.get(("##" if start else "") + word[start:end])
                if piece is not None:
                    break
                end -= 1
            else:
                return (self._unknown,)
            pieces.append(piece)
            start = end
        return tuple(pieces)


@cache
def _uncased() -> WordPiece:
    lines = resources.files("sleuth.sources.documents.embed").joinpath("vocab.txt").read_text("utf-8").splitlines()
    return WordPiece({piece: number for number, piece in enumerate(lines)})


def _words(text: str) -> list[str]:
    """Lower-case words without accents; each mark of punctuation and each ideograph is a word of its own."""
    spaced = "".join(map(_cleaned, text))
    plain = "".join(char for char in unicodedata.normalize("NFD", spaced) if unicodedata.category(char) != "Mn").lower()
    return "".join(f" {char} " if _is_punctuation(char) else char for char in plain).split()


@lru_cache(maxsize=10_000)
def _cleaned(char: str) -> str:
    if char in "\t\n\r" or unicodedata.category(char) == "Zs":
        return " "
    if char in "\0\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co"):
        return ""
    code = ord(char)
    return f" {char} " if any(low <= code <= high for low, high in _CJK) else char


@lru_cache(maxsize=10_000)
def _is_punctuation(char: str) -> bool:
    # All of ASCII that is neither letter nor digit counts, also $ + < = > ^ ` | ~, which Unicode calls symbols.
    return unicodedata.category(char).startswith("P") or ("!" <= char <= "~" and not char.isalnum())
