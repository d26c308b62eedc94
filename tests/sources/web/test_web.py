"""The web source against real servers on the loopback address: good ones, and every way in which one can be bad."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from sleuth.errors import ConfigError, SourceError, SourceUnavailable, UsageError
from sleuth.sources.web.source import Web
from sleuth.sources.web.standin import StandInWeb, load_pages

CASE = Path(__file__).parents[3] / "examples" / "contracts" / "web"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def serving(handler: Handler, path: str = "/search") -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_get(path, handler)
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


async def test_the_stand_in_names_itself_and_serves_its_pages() -> None:
    async with StandInWeb(CASE) as url, aiohttp.ClientSession() as session:
        async with session.get(f"{url}/search", params={"q": "VAT rates", "format": "json"}) as answer:
            best = (await answer.json())["results"][0]
        assert best["engines"] == ["stand-in"]
        async with session.get(best["url"]) as page:
            assert await page.read() == (CASE / "vat.html").read_bytes()
        async with session.get(f"{url}/search", params={"q": "VAT rates"}) as answer:
            assert answer.status == 403
        async with session.get(f"{url}/none.html") as answer:
            assert answer.status == 404


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
    with pytest.raises(UsageError, match="no pages in"):
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
        (status(503, Retry_After="Fri, 01 Jan 2100 00:00:00 GMT"), True, "asks to wait 3600 seconds"),
        (status(429, Retry_After="soon"), True, "busy (429)"),
        (status(200, "[" * 100_000), False, "did not answer in JSON"),
        (status(200, '{"results": []}', Content_Encoding="gzip"), True, "broke off"),
        (status(200, "<html>"), False, "did not answer in JSON"),
        (status(200, "[1]"), False, "without results"),
        (status(200, "x" * 2_100_000), False, "more than 2,000,000 bytes"),
    ],
)
async def test_each_bad_answer_has_its_word(handler: Handler, retryable: bool, says: str) -> None:
    error = await failing(handler)
    assert says in error.message
    assert error.retryable is retryable


async def test_what_a_busy_server_asks_for_is_kept_and_nothing_is_sent_meanwhile() -> None:
    asked: list[str] = []

    async def busy(request: web.Request) -> web.Response:
        asked.append(request.query["q"])
        return web.Response(status=429, headers={"Retry-After": "60"})

    async with serving(busy) as url:
        source = Web(url)
        for says in ("asks to wait 60 seconds", "still busy"):
            with pytest.raises(SourceUnavailable, match=says):
                await source.search("copper")
        await source.close()
    assert asked == ["copper"]


async def test_a_redirect_is_not_followed() -> None:
    visits: list[str] = []

    async def elsewhere(request: web.Request) -> web.Response:
        visits.append(request.path)
        return web.json_response({"results": []})

    async with serving(elsewhere) as other:
        await failing(status(302, Location=f"{other}/search"))
    assert visits == []


async def test_only_results_that_can_be_looked_up_and_written_are_shown() -> None:
    results = [
        {"url": "javascript:alert(1)", "title": "a script"},
        {"url": "https://long.test/" + "x" * 2_000, "title": "too long an address"},
        {"title": "no address"},
        "no result",
        {"url": "https://a.test/", "title": "A\x00\ud800\nB", "content": "word " * 1_000, "publishedDate": "yesterday"},
        {"url": "https://b.test/", "title": None, "content": ["no text"], "publishedDate": "2026-11-30T08:00:00"},
    ]

    async def mixed(request: web.Request) -> web.Response:
        return web.json_response({"results": results, "unresponsive_engines": [["one", "timeout"], ["two", "CAPTCHA"]]})

    async with serving(mixed) as url:
        source = Web(url)
        found = await source.search("anything")
        await source.close()
    first, second = found.hits
    assert (first.title, first.url, first.published) == ("A B", "https://a.test/", None)
    assert len(first.extract) < 610
    assert first.extract.endswith(" …")
    assert (second.title, second.extract, second.published) == ("https://b.test/", "", date(2026, 11, 30))
    assert found.note == "2 of the search engines did not answer"


async def test_the_query_arrives_as_it_was_written() -> None:
    asked: list[tuple[str, str]] = []

    async def echo(request: web.Request) -> web.Response:
        asked.append((request.query["q"], request.query["format"]))
        return web.json_response({"results": []})

    async with serving(echo) as url:
        source = Web(f"{url}/search")
        (tool,) = source.tools()
        await tool.run({"query": "precio del cobre & más? #1 100%"})
        await source.close()
    assert asked == [("precio del cobre & más? #1 100%", "json")]


def test_one_source_serves_runs_on_different_event_loops() -> None:
    server, elsewhere = StandInWeb(CASE), asyncio.new_event_loop()
    thread = threading.Thread(target=elsewhere.run_forever)
    thread.start()
    try:
        source = Web(asyncio.run_coroutine_threadsafe(server.start(), elsewhere).result(5))
        found = [asyncio.run(source.search("copper")) for _ in range(2)]
        asyncio.run(source.close())
        asyncio.run_coroutine_threadsafe(server.stop(), elsewhere).result(5)
    finally:
        elsewhere.call_soon_threadsafe(elsewhere.stop)
        thread.join(5)
        elsewhere.close()
    assert found[0] == found[1]
    assert found[0].hits


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


async def test_a_gateway_before_a_server_that_is_down_is_no_server() -> None:
    async def broken(request: web.Request) -> web.Response:
        return web.Response(status=502)

    async with serving(broken, path="/") as url:
        source = Web(url)
        with pytest.raises(SourceUnavailable, match="502"):
            await source.open()
        await source.close()


@pytest.mark.parametrize(
    "address", ["searx.example", "postgres://u:s3cret@h/", "http://u:s3cret@", "http://[x", "http://h:99999/"]
)
def test_an_address_that_is_none_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Web(address)
    assert "s3cret" not in str(caught.value)


def test_what_is_searched_is_marked_as_leaving_the_house() -> None:
    (tool,) = Web("http://127.0.0.1:9").tools()
    assert tool.spec.public
    assert "NOT for" in tool.spec.description
