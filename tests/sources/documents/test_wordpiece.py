"""The ids are those of the reference implementation (the `tokenizers` package on the model's own tokenizer.json)."""

from __future__ import annotations

import pytest

from sleuth.sources.documents.embed.wordpiece import WordPiece

GOLDEN = {
    "The Supplier shall pay a late-delivery penalty of 0.5 % per week (clause 8.3).": (
        "1996 17024 4618 3477 1037 2397 1011 6959 6531 1997 1014 1012 1019 1003 2566 2733 1006 11075 1022 1012 1017 1007 1012"
    ),
    "Gastos de viaje: límite de 150 € por día; ¿y el hotel?": (
        "3806 13122 2139 3081 6460 1024 5787 2063 2139 5018 1574 18499 22939 1025 1094 1061 3449 3309 1029"
    ),
    "Lieferverzögerung – Größe, Maß und Straße": (
        "4682 7512 6299 28505 2121 5575 1516 24665 2080 17499 1010 5003 19310 6151 2358 27807"
    ),
    "価格改定は消費者物価指数に連動する。": "100 100 100 1822 1672 100 100 100 100 100 100 100 1668 100 100 1658 30213 1636",
    "계약 해지": "100 1469 30007 30000 30019",
    "zero\u200bwidth soft\u00adhyphen \ufffd tab\tend": "5717 9148 11927 2232 3730 10536 8458 2368 21628 2203",
    "a" * 101 + " x$y^z `~|": "100 1060 1002 1061 1034 1062 1036 1066 1064",
    "": "",
}


@pytest.mark.parametrize("text", GOLDEN)
def test_ids_are_those_of_the_reference_tokenizer(text: str) -> None:
    assert WordPiece.uncased().encode(text) == [int(number) for number in GOLDEN[text].split()]


def test_the_vocabulary_is_whole() -> None:
    wordpiece = WordPiece.uncased()
    assert (wordpiece.start, wordpiece.end, wordpiece.pad) == (101, 102, 0)
    assert wordpiece.encode("necessitated") == [29611]
