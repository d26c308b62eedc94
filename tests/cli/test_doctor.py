"""`sleuth doctor` against real chat servers on loopback, and sources that open or do not."""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestServer
from chat_house import ChatHouse

from sleuth.cli import doctor
from sleuth.cli.doctor import Opened, _findings  # pyright: ignore[reportPrivateUsage]
from sleuth.errors import SourceUnavailable
from sleuth.models.open import open_model
from sleuth.models.scripted import Scripted
from sleuth.source import Card

Serve = Callable[[ChatHouse], str]


@contextmanager
def served(house: ChatHouse) -> Iterator[str]:
    """The house, in an event loop of its own: the command has one too."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = TestServer(house.app(), loop=loop)
    asyncio.run_coroutine_threadsafe(server.start_server(shutdown_timeout=0), loop).result(5)
    try:
        yield str(server.make_url("/"))
    finally:
        asyncio.run_coroutine_threadsafe(server.close(), loop).result(5)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        loop.close()


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where verdicts are remembered."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda house: stack.enter_context(served(house))


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    doctor.add(parser.add_subparsers())
    args = parser.parse_args(["doctor", *words])
    return args.run(args)


def found(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return json.loads(capsys.readouterr().out)


def verdicts(report: dict[str, Any]) -> dict[str, str]:
    return {verdict["item"]: verdict["word"] for verdict in report["model"]["probe"]["verdicts"]}


def test_a_server_that_keeps_constraints_is_well(serve: Serve, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json", "--model", serve(ChatHouse(keeps=True))) == 0
    report = found(capsys)
    assert report["well"]
    assert report["model"]["name"] == "tiny"
    assert len(list((cache / "sleuth" / "probes").iterdir())) == 1
    assert {word for item, word in verdicts(report).items() if item in ("schema", "choice", "regex", "grammar")} == {"enforced"}


def test_a_server_that_ignores_them_is_not_and_the_broken_output_is_shown(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    url = serve(ChatHouse(keeps=False))
    assert run("--json", "--model", url) == 1
    assert verdicts(found(capsys))["schema"] == "off"
    assert run("--model", url) == 1
    shown = capsys.readouterr().out
    assert "zebra" in shown
    assert "checked afterwards" in shown


def test_a_server_that_is_not_there_is_said_to_be_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--model", "http://127.0.0.1:9") == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "no model server answers at http://127.0.0.1:9/v1; is it running?" in shown


def test_a_model_that_no_one_knows_is_one_finding_like_another(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json", "--model", "nosuch") == 1
    report = found(capsys)
    assert report["model"]["problem"] == "no model is called 'nosuch'"
    assert report["model"]["probe"] is None


def test_a_configuration_is_examined_whole(serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(tmp_path / "sales.db")) as database:
        database.executescript("CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL); INSERT INTO orders VALUES (1, 9.5)")
    file = tmp_path / "sleuth.toml"
    model = f'[model]\nurl = "{serve(ChatHouse())}"\n'
    database = '[[database]]\nurl = "sales.db"\n'
    file.write_text(model + database)
    assert run("--json", "--config", str(file)) == 0
    report = found(capsys)
    assert report["sources"] == [{"name": "database", "holds": "tables: 1, columns: 2, rows: 1", "problem": None, "hint": None}]
    file.write_text(model + database + '[[documents]]\npath = "nowhere"\n')
    assert run("--config", str(file)) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "database open" in shown and "documents failed" in shown and "enforced" in shown


def test_in_native_mode_it_is_the_tools_that_decide(serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = ChatHouse(parses_calls=False)
    file = tmp_path / "sleuth.toml"
    file.write_text(f'[model]\nurl = "{serve(house)}"\nmode = "native"\n')
    assert run("--config", str(file)) == 1
    assert "checked afterwards" in capsys.readouterr().out


class Shelf:
    """A source that opens, or says why not, and remembers that it was closed."""

    def __init__(self, name: str, problem: SourceUnavailable | None = None) -> None:
        self.name = name
        self.closed = False
        self._problem = problem

    async def open(self) -> Card:
        if self._problem:
            raise self._problem
        return Card(self.name, "documents", "3 books", (), facts=(("books", 3), ("pages", 800)))

    def tools(self) -> tuple[()]:
        return ()

    async def close(self) -> None:
        self.closed = True


async def test_every_source_is_opened_and_closed_whatever_becomes_of_the_others() -> None:
    shelves = [Shelf("books"), Shelf("cellar", SourceUnavailable("the door is locked", hint="bring the key"))]
    _, opened = await _findings(lambda: Scripted([]), "schema", shelves, lambda _: None)
    assert opened == [
        Opened("books", "books: 3, pages: 800"),
        Opened("cellar", None, "the door is locked", "bring the key"),
    ]
    assert all(shelf.closed for shelf in shelves)


async def test_a_model_that_cannot_be_opened_does_not_hide_the_sources() -> None:
    examined, opened = await _findings(lambda: open_model("nosuch"), "schema", [Shelf("books")], lambda _: None)
    assert (examined.probe, examined.problem) == (None, "no model is called 'nosuch'")
    assert opened[0].holds
