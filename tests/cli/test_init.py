"""`sleuth init` over real files and real local servers: what it finds, what it writes, what it leaves alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from aiohttp.test_utils import TestServer
from chat_house import ChatHouse

from sleuth.cli import init
from sleuth.cli.looking import Findings, ModelFound, documents_in, look_around
from sleuth.cli.main import main
from sleuth.config import load
from sleuth.sources.web.standin import StandInWeb

NOWHERE = "http://127.0.0.1:9"


async def looked(folder: Path, *, servers: tuple[str, ...] = (), searxng: str = NOWHERE, **environment: str) -> Findings:
    return await look_around(folder, environment, servers=servers, searxng=searxng)


def database(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER)")


def documents(folder: Path, count: int) -> None:
    folder.mkdir(parents=True)
    for number in range(count):
        (folder / f"{number}.md").write_text(f"# Rule {number}")


async def test_files_and_folders_are_found_and_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    database(tmp_path / "shop.sqlite")
    (tmp_path / "broken.duckdb").write_text("no database")
    documents(tmp_path / "papers", 3)
    documents(tmp_path / "node_modules" / "pack", 9)
    (tmp_path / "README.md").write_text("About this folder.")
    found = await looked(tmp_path)
    assert [(item.key, item.value) for item in found.databases] == [("url", "shop.sqlite")]
    assert [(item.path, item.count) for item in found.documents] == [("papers", 3)]
    assert found.model is None and found.web is None
    assert len(found.passed_over) == 1 and found.passed_over[0].startswith("broken.duckdb: ")


async def test_servers_on_this_machine_are_found_by_asking_them(tmp_path: Path) -> None:
    pages = tmp_path / "web"
    pages.mkdir()
    (pages / "copper.html").write_text("<title>Copper</title><p>It closed at 9,842.</p>")
    house = TestServer(ChatHouse(keeps=True).app())
    await house.start_server()
    url = str(house.make_url("/v1"))
    try:
        async with StandInWeb(pages) as web:
            found = await looked(tmp_path, servers=(NOWHERE, url), searxng=web)
    finally:
        await house.close()
    assert found.model == ModelFound(url, "tiny")
    assert found.web == web


async def test_the_database_of_the_environment_is_named_and_its_password_is_nowhere(tmp_path: Path) -> None:
    database(tmp_path / "s3cret.sqlite")
    found = await looked(tmp_path / "..", DATABASE_URL=f"sqlite:///{tmp_path / 's3cret.sqlite'}")
    written = init.toml(found)
    assert 'url_env = "DATABASE_URL"' in written
    assert "s3cret" not in written + "".join(init.told(found))


async def test_what_is_written_can_be_loaded_whatever_was_found(tmp_path: Path) -> None:
    database(tmp_path / "a.sqlite")
    database(tmp_path / 'b "quoted" \\.db')
    documents(tmp_path / 'pa"pers', 2)
    everything = await looked(tmp_path)
    for found in (everything, Findings(), Findings(model=ModelFound(NOWHERE, "m"), web=NOWHERE)):
        (tmp_path / "sleuth.toml").write_text(init.toml(found), "utf-8")
        config = load(tmp_path / "sleuth.toml")
        assert len(config.sources()) == len(found.databases) + len(found.documents) + bool(found.web)
    assert len({item.name for item in everything.databases}) == 2


def test_loose_documents_make_the_folder_itself_the_one(tmp_path: Path) -> None:
    documents(tmp_path / "one", 1)
    for name in ("a.txt", "b.pdf"):
        (tmp_path / name).write_text("A rule.")
    assert [(item.path, item.count) for item in documents_in(tmp_path)] == [(".", 3)]


def test_a_configuration_that_is_there_is_kept_unless_forced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    (tmp_path / "sleuth.toml").write_text("# mine\n")
    assert main(["init", "--path", str(tmp_path)]) == 2
    assert "--force writes over it" in capsys.readouterr().err
    assert (tmp_path / "sleuth.toml").read_text() == "# mine\n"
    assert main(["init", "--path", str(tmp_path), "--force"]) == 0
    assert "[model]" in (tmp_path / "sleuth.toml").read_text()
    assert "no database and no documents found" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["sleuth.toml"]
