"""The web source against real servers on the loopback address: good ones, and every way in which one can be bad."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path

import pytest
from aiohttp import web

from sleuth.errors import ConfigError, SourceError, SourceUnavailable, UsageError
from sleuth.sources.web.source import Web
from sleuth.sources.web.standin import StandInWeb, load_pages

CASE = Path(__file__).parents[3] / "examples" / "contracts" / "web"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_get("/search", handler)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def status(code: int, text: str = "", **headers: str) -> Handler:
    async def handler(request: web.Request) -> web.Response:
        return web.Response(status=code, text=text, headers={name.replace("_", "-"): value for name, value in headers.items()})

    return handler


async def failing(handler: Handler, *, timeout_seconds: float = 5.0) -> SourceError:
    async with serving(handler) as url:
        source = Web(url, timeout_seconds=timeout_seconds)
        try:
            with pytest.raises(SourceError) as caught:
                await source.search("copper")
        finally:
            await source.close()
    assert "127.0.0.1" not in caught.value.message
    return caught.value


async def test_the_stand_in_is_searched_like_any_server() -> None:
    async with StandInWeb(CASE) as url:
        source = Web(url, results=2)
        card = await source.open()
        found = await source.search("copper price today")
        await source.close()
    assert card.kind == "web"
    assert found.origin == "public"
    assert len(found.hits) == 2
    assert found.hits[0].title == "Copper price, 30 November 2026"
    assert found.hits[0].published == date(2026, 11, 30)
    assert "9,842 US dollars" in found.hits[0].extract


async def test_the_stand_in_finds_nothing_where_no_word_fits() -> None:
    async with StandInWeb(CASE) as url:
        source = Web(url)
        assert (await source.search("zzz qqq")).hits == ()
        await source.close()


async def test_a_json_lines_file_can_stand_in_too_and_keeps_its_own_addresses(tmp_path: Path) -> None:
    pages = tmp_path / "pages.jsonl"
    pages.write_text(
        json.dumps({"url": "https://fx.example.test/", "title": "Rates", "text": "One dollar buys 0.85 euro."}) + "\n"
    )
    async with StandInWeb(pages) as url:
        source = Web(url)
        found = await source.search("dollar rates")
        await source.close()
    assert [hit.url for hit in found.hits] == ["https://fx.example.test/"]


def test_a_stand_in_without_pages_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no \.html pages"):
        load_pages(tmp_path)
    with pytest.raises(UsageError, match="no pages at"):
        load_pages(tmp_path / "missing")
    (tmp_path / "bad.jsonl").write_text('{"url": 1}\n')
    with pytest.raises(UsageError, match="line 1"):
        load_pages(tmp_path / "bad.jsonl")


@pytest.mark.parametrize(
    ("handler", "retryable", "says"),
    [
        (status(429, Retry_After="7"), True, "asks to wait 7 seconds"),
        (status(503), True, "busy"),
        (status(500), True, "failed (500)"),
        (status(404), False, "refused the query (404)"),
        (status(403), False, "refuses JSON"),
        (status(302, Location="http://elsewhere.test/"), False, "redirects elsewhere"),
        (status(200, "<html>"), False, "did not answer in JSON"),
        (status(200, "[1]"), False, "without results"),
        (status(200, "x" * 2_100_000), False, "more than 2,000,000 bytes"),
    ],
)
async def test_each_bad_answer_has_its_word(handler: Handler, retryable: bool, says: str) -> None:
    error = await failing(handler)
    assert says in error.message
    assert error.retryable is retryable


async def test_a_slow_server_is_given_up() -> None:
    async def slow(request: web.Request) -> web.Response:
        await asyncio.Event().wait()
        return web.Response()

    assert "within 0.1 seconds" in (await failing(slow, timeout_seconds=0.1)).message


async def test_an_answer_cut_in_the_middle_is_no_answer() -> None:
    async def cut(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "1000"})
        await response.prepare(request)
        await response.write(b'{"results": [')
        assert request.transport is not None
        request.transport.close()
        return response

    assert "broke off" in (await failing(cut)).message


async def test_a_server_that_is_down_is_unavailable_with_what_to_do() -> None:
    source = Web("http://127.0.0.1:9")
    with pytest.raises(SourceUnavailable, match="cannot be reached") as caught:
        await source.open()
    assert "[web]" in (caught.value.hint or "")
    await source.close()


async def test_the_web_can_be_switched_off() -> None:
    with pytest.raises(SourceUnavailable, match="switched off"):
        await Web("http://127.0.0.1:9", enabled=False).open()


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError):
        Web("searx.example")


def test_what_is_searched_is_marked_as_leaving_the_house() -> None:
    (tool,) = Web("http://127.0.0.1:9").tools()
    assert tool.spec.public
    assert "NOT for" in tool.spec.description
