"""The language that a question is asked in, so that the answer is written in it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import py3langid.langid

SURE = 0.45
"""Below this probability it is a guess: "copper price" is 0.15 Italian, "¿A qué hora abre?" 0.70 Spanish."""

_NAMES = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
    "zh": "Chinese",
}


def language_of(text: str) -> str | None:
    """The English name of the language of `text`, None where that is a guess."""
    code, probability = _identifier().classify(text)
    return _NAMES.get(code) if text.strip() and probability >= SURE else None


class _Identifier(Protocol):
    def classify(self, text: str) -> tuple[str, float]: ...

    def set_languages(self, langs: list[str]) -> None: ...


@lru_cache(maxsize=1)
def _identifier() -> _Identifier:
    """One of our own: the module's is shared by all who use it in this process."""
    langid: Any = py3langid.langid  # the package has no types
    identifier: _Identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(_NAMES))
    return identifier
