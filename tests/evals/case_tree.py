"""A case tree as small as it can be: two databases, three documents, two web pages; and what a model would say over it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

SHOP = """
CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT);
INSERT INTO Artist VALUES (1, 'Iron Kettle'), (2, 'Deep Teal'), (3, 'Buddy Grey');
CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, ArtistId INTEGER);
INSERT INTO Album VALUES (1, 1), (2, 1), (3, 2), (4, 2), (5, 3);
"""
STAFF = """
CREATE TABLE Employee (Id INTEGER PRIMARY KEY, LastName TEXT, FirstName TEXT, City TEXT);
INSERT INTO Employee VALUES (1, 'Moon', 'Ada', 'Oslo'), (2, 'Stern', 'Bob', 'London'), (3, 'Sol', 'Cyd', 'London');
"""
DOCUMENTS = [
    {"doc_id": "house/leave", "title": "Leave", "text": "# Leave\n\nEverybody has 28 days of leave a year."},
    {"doc_id": "house/travel", "title": "Travel", "text": "A hotel night is paid up to 140 euros."},
    {"doc_id": "pets", "title": "Pets", "text": "# Pets\n\nDogs may come on Fridays."},
]
PAGES = [
    {"page_id": "web/fx", "url": "https://fx.example.test/", "title": "Rates", "text": "One dollar buys 0.85 euro."},
    {"page_id": "web/tour", "url": "https://tour.example.test/", "title": "Festival", "text": "On stage: Deep Teal."},
]


def write_lines(file: Path, records: Sequence[Mapping[str, object]]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8")
    return file


def case(name: str, question: str, **fields: object) -> dict[str, object]:
    return {"id": name, "question": question, "lang": "en", **fields}


def calls(*parts: tuple[str, str, Mapping[str, object]]) -> str:
    told = [{"part": part, "tool": tool, "args": dict(arguments)} for part, tool, arguments in parts]
    return json.dumps({"thought": "Look it up.", "calls": told})


def finish(how: str = "answer") -> str:
    return json.dumps({"thought": "That is all there is.", "finish": how})


def answer(*claims: str) -> str:
    told = [{"text": claim, "evidence": [1]} for claim in claims]
    return json.dumps({"found": True, "claims": told})


def asks(tool: str, query: str, *params: object) -> tuple[str, str, Mapping[str, object]]:
    return ("the figure", tool, {"query": query, "params": list(params)})


def grow(root: Path) -> Path:
    """The tree under `root`."""
    databases = root / "common" / "databases"
    databases.mkdir(parents=True)
    for name, script in (("shop", SHOP), ("staff", STAFF)):
        with closing(sqlite3.connect(databases / f"{name}.sqlite")) as connection:
            connection.executescript(script)
    write_lines(root / "common" / "documents" / "handbooks.jsonl", DOCUMENTS)
    write_lines(root / "common" / "documents" / "web_pages.jsonl", PAGES)
    return root
