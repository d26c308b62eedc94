"""SearXNG's search API over HTTP (https://docs.searxng.org/dev/search_api.html): `GET /search?q=…&format=json`."""

from __future__ import annotations

import asyncio
import json
import math
import time
import unicodedata
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import aiohttp

from sleuth.errors import ConfigError, SourceError, SourceUnavailable
from sleuth.result import Json, Page, Pages

MAX_BYTES = 2_000_000
"""Longest answer that is read; a page of results is some ten thousand bytes."""

TITLE_CHARS, URL_CHARS, EXTRACT_CHARS = 200, 1_000, 600
"""Longest parts of one result; titles and extracts are cut, a result with a longer address is left out."""

CONNECT_SECONDS = 3.0

MAX_WAIT_SECONDS = 3_600.0
"""Longest Retry-After that is believed."""

CHECK_IT = "check that the server under [web] runs, or switch it off"


class SearxngClient:
    """One server. Each request has a connection of its own: a run searches seldom, and nothing is bound to an event loop.

    What the server asks for by Retry-After is kept: until then a search is refused here, and nothing is sent.
    """

    def __init__(self, url: str, *, timeout_seconds: float) -> None:
        _check_address(url)
        self._base = url.rstrip("/").removesuffix("/search")
        self._seconds = timeout_seconds
        self._not_before = 0.0

    async def check(self) -> None:
        """Raises SourceUnavailable unless the server answers; whether it can search is seen at the first search."""
        async with self._asked("/", {}) as answer:
            if answer.status >= 500:
                raise SourceUnavailable(f"the web search failed ({answer.status})", hint=CHECK_IT)

    async def search(self, query: str) -> Pages:
        """The pages found, best first; a note where engines behind the server did not answer."""
        left = self._not_before - time.monotonic()
        if left > 0:
            raise SourceUnavailable(f"the web search is still busy; it asks to wait {math.ceil(left)} seconds more")
        async with self._asked("/search", {"q": query, "format": "json"}) as answer:
            self._check_status(answer)
            return _pages(await _bounded(answer))

    @asynccontextmanager
    async def _asked(self, path: str, query: dict[str, str]) -> AsyncGenerator[aiohttp.ClientResponse, None]:
        """The answer to one request, to be read inside the context and within the time. Redirects are not followed."""
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)
        try:
            async with (
                asyncio.timeout(self._seconds),
                aiohttp.ClientSession(timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()) as session,
                session.get(self._base + path, params=query, allow_redirects=False) as answer,
            ):
                yield answer
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._down(error) from error

    def _down(self, error: Exception) -> SourceUnavailable:
        """Says what happened; the address stays out of it, because the model reads it too."""
        if isinstance(error, TimeoutError):
            what = f"the web search did not answer within {self._seconds:g} seconds"
        elif isinstance(error, aiohttp.ClientConnectorError):
            what = "the web search server cannot be reached"
        else:
            what = "the web search broke off its answer"
        return SourceUnavailable(what, hint=CHECK_IT)

    def _check_status(self, answer: aiohttp.ClientResponse) -> None:
        status = answer.status
        if status == 200:
            return
        if status == 403:
            raise SourceError(
                "the web search refuses JSON answers (403)",
                hint="add json to search.formats in the SearXNG server's settings.yml",
            )
        if status in (429, 503):
            wait = _retry_after(answer.headers.get("Retry-After", ""))
            self._not_before = time.monotonic() + wait
            raise SourceUnavailable(
                f"the web search is busy ({status})" + (f"; it asks to wait {wait:.0f} seconds" if wait else "")
            )
        if 300 <= status < 400:
            raise SourceError(f"the web search redirects elsewhere ({status})", hint="set [web] url to the final address")
        if status >= 500:
            raise SourceUnavailable(f"the web search failed ({status})")
        raise SourceError(f"the web search refused the query ({status})")


def _check_address(url: str) -> None:
    """Raises ConfigError, in which the address is not repeated: it may carry a password."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a bracket that is not closed, a port beyond 65535
        good = False
    if not good:
        raise ConfigError("the address of the web search server cannot be used", hint="give an http:// or https:// URL")


def _retry_after(text: str) -> float:
    """Seconds to wait, 0 where nothing readable is said (RFC 9110, section 10.2.3: seconds, or a date)."""
    if text.isascii() and text.isdigit():
        return min(float(text), MAX_WAIT_SECONDS)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    return min(max(0.0, (aware - datetime.now(UTC)).total_seconds()), MAX_WAIT_SECONDS)


async def _bounded(answer: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for piece in answer.content.iter_chunked(65_536):
        body += piece
        if len(body) > MAX_BYTES:
            raise SourceError(f"the web search sent more than {MAX_BYTES:,} bytes")
    return bytes(body)


def _pages(body: bytes) -> Pages:
    try:
        value: Json = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SourceError("the web search did not answer in JSON", hint="is the server under [web] a SearXNG?") from error
    results = value.get("results") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(results, list):
        raise SourceError("the web search answered without results", hint="is the server under [web] a SearXNG?")
    found = [page for item in results if isinstance(item, Mapping) and (page := _page(item))]
    silent = value.get("unresponsive_engines")
    count = len(silent) if isinstance(silent, list) else 0
    return Pages(tuple(found), note=f"{count} of the search engines did not answer" if count else None)


def _page(item: Mapping[str, Json]) -> Page | None:
    """None for a result that nobody could look up: without an address, or with one that is not of the web."""
    url = _plain(item.get("url"))
    if not url.startswith(("http://", "https://")) or len(url) > URL_CHARS:
        return None
    title, extract = _cut(_plain(item.get("title")), TITLE_CHARS), _cut(_plain(item.get("content")), EXTRACT_CHARS)
    return Page(title or url, url, extract, _published(item.get("publishedDate")))


def _plain(value: Json) -> str:
    """Text on one line, without control characters and the halves of characters that no encoding can write."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return "".join(character for character in text if unicodedata.category(character) not in ("Cc", "Cs"))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest].rstrip()} …"


def _published(value: Json) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None
