"""SearXNG's search API over HTTP (https://docs.searxng.org/dev/search_api.html): `GET /search?q=…&format=json`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import date
from urllib.parse import urlsplit

import aiohttp

from sleuth.errors import ConfigError, SourceError, SourceUnavailable
from sleuth.result import Json, Page

MAX_BYTES = 2_000_000
"""Longest answer that is read; a page of results is some ten thousand bytes."""

EXTRACT_CHARS = 600

CONNECT_SECONDS = 3.0


class SearxngClient:
    """One server. The session is made at the first request and belongs to the event loop of that request."""

    def __init__(self, url: str, *, timeout_seconds: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(f"{url!r} is not the address of a web search server", hint="give an http:// or https:// URL")
        self._base = url.rstrip("/").removesuffix("/search")
        self._seconds = timeout_seconds
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def check(self) -> None:
        """Raises SourceUnavailable unless something answers at the address; what it can do is seen at the first search."""
        try:
            async with self._in_time(), (await self._connected()).get(self._base + "/", allow_redirects=False):
                pass
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._down(error) from error

    async def search(self, query: str) -> list[Page]:
        """The pages found, best first."""
        url, asked = self._base + "/search", {"q": query, "format": "json"}
        try:
            async with self._in_time(), (await self._connected()).get(url, params=asked, allow_redirects=False) as answer:
                _check_status(answer)
                body = await _bounded(answer)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._down(error) from error
        return _pages(body)

    async def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _connected(self) -> aiohttp.ClientSession:
        loop = asyncio.get_running_loop()
        if self._session is None or self._session.closed or self._loop is not loop:
            await self.close()
            timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)
            self._session, self._loop = aiohttp.ClientSession(timeout=timeout), loop
        return self._session

    def _in_time(self) -> asyncio.Timeout:
        return asyncio.timeout(self._seconds)

    def _down(self, error: Exception) -> SourceUnavailable:
        """Says what happened; the address stays out of it, because the model reads it too."""
        if isinstance(error, TimeoutError):
            what = f"the web search did not answer within {self._seconds:g} seconds"
        elif isinstance(error, aiohttp.ClientConnectorError):
            what = "the web search server cannot be reached"
        else:
            what = "the web search broke off its answer"
        return SourceUnavailable(what, hint="check that the server under [web] runs, or switch it off")


def _check_status(answer: aiohttp.ClientResponse) -> None:
    status = answer.status
    if status == 200:
        return
    if status == 403:
        raise SourceError(
            "the web search refuses JSON answers (403)", hint="add json to search.formats in the SearXNG server's settings.yml"
        )
    if status in (429, 503):
        wait = answer.headers.get("Retry-After", "")
        when = f"; it asks to wait {wait} seconds" if wait.isdigit() else ""
        raise SourceUnavailable(f"the web search is busy ({status}){when}")
    if 300 <= status < 400:
        raise SourceError(f"the web search redirects elsewhere ({status})", hint="set [web] url to the final address")
    if status >= 500:
        raise SourceUnavailable(f"the web search failed ({status})")
    raise SourceError(f"the web search refused the query ({status})")


async def _bounded(answer: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for piece in answer.content.iter_chunked(65_536):
        body += piece
        if len(body) > MAX_BYTES:
            raise SourceError(f"the web search sent more than {MAX_BYTES:,} bytes")
    return bytes(body)


def _pages(body: bytes) -> list[Page]:
    try:
        value: Json = json.loads(body)
    except ValueError as error:
        raise SourceError("the web search did not answer in JSON", hint="is the server under [web] a SearXNG?") from error
    results = value.get("results") if isinstance(value, Mapping) else None
    if not isinstance(results, list):
        raise SourceError("the web search answered without results", hint="is the server under [web] a SearXNG?")
    return [_page(item) for item in results if isinstance(item, Mapping) and isinstance(item.get("url"), str)]


def _page(item: Mapping[str, Json]) -> Page:
    extract = str(item.get("content") or "")
    cut = extract if len(extract) <= EXTRACT_CHARS else f"{extract[:EXTRACT_CHARS].rstrip()} …"
    return Page(str(item.get("title") or item["url"]), str(item["url"]), cut, _published(item.get("publishedDate")))


def _published(value: Json) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None
