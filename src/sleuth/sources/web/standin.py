"""A local stand-in for the web: a SearXNG-compatible server over a handful of pages, for demos, tests and evals.

It names itself in every result ("engines": ["stand-in"]). Ranking is BM25 over the words of title and text.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from aiohttp import web
from lxml import html

from sleuth.errors import UsageError
from sleuth.result import Json

ENGINE = "stand-in"
# Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.
K1, B = 1.2, 0.75
FOUND = 10


@dataclass(frozen=True, slots=True)
class StandInPage:
    """`path` is where the stand-in serves it; `url` is what a result shows (the page's own address, where it has one).

    `html` is the page itself, where it came as HTML.
    """

    path: str
    title: str
    text: str
    published: str | None = None
    url: str | None = None
    html: bytes | None = None


class StandInWeb:
    """`async with StandInWeb(pages) as url`: serves a folder of HTML files, or a JSON Lines file of url, title and text.

    Listens on a free port of the loopback address. Raises UsageError if there are no pages to serve.
    """

    def __init__(self, pages: str | Path) -> None:
        self.pages = load_pages(Path(pages))
        self._search = _Ranking(self.pages)
        self._runner: web.AppRunner | None = None
        self._url = ""

    async def start(self) -> str:
        app = web.Application()
        app.router.add_get("/search", self._answer)
        app.router.add_get("/", self._root)
        app.router.add_get("/{path:.+}", self._page)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self._url = f"http://{host}:{port}"
        return self._url

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> str:
        return await self.start()

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.stop()

    async def _answer(self, request: web.Request) -> web.Response:
        query = request.query.get("q", "")
        if request.query.get("format") != "json":
            return web.Response(status=403, text="this stand-in answers format=json only")
        results: list[Json] = [self._result(page, score) for page, score in self._search.best(query)]
        return web.json_response({"query": query, "number_of_results": len(results), "results": results})

    def _result(self, page: StandInPage, score: float) -> dict[str, Json]:
        return {
            "title": page.title,
            "url": page.url or f"{self._url}/{page.path}",
            "content": page.text,
            "publishedDate": page.published,
            "engines": [ENGINE],
            "score": round(score, 3),
        }

    async def _root(self, request: web.Request) -> web.Response:
        return web.Response(text="A stand-in for the web, for demos and tests.")

    async def _page(self, request: web.Request) -> web.Response:
        for page in self.pages:
            if page.path == request.match_info["path"]:
                if page.html is not None:
                    return web.Response(body=page.html, content_type="text/html", charset="utf-8")
                return web.Response(text=f"{page.title}\n\n{page.text}\n")
        raise web.HTTPNotFound


def load_pages(source: Path) -> tuple[StandInPage, ...]:
    """Pages of a folder of HTML files, or of a JSON Lines file. Raises UsageError."""
    if source.is_dir():
        pages = [_from_html(path) for path in sorted(source.glob("*.html"))]
    elif source.is_file():
        # Split at line feeds alone: JSON strings may hold the other line ends that splitlines() knows.
        lines = source.read_text("utf-8").split("\n")
        pages = [_from_line(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    else:
        raise UsageError(f"there are no pages at {source}", hint="give a folder of .html files or a .jsonl file")
    if not pages:
        raise UsageError(f"there are no pages in {source}", hint="give a folder of .html files or a .jsonl file")
    return tuple(pages)


def _from_html(path: Path) -> StandInPage:
    content = path.read_bytes()
    tree: Any = cast("Any", html).fromstring(content)  # lxml comes without types
    title: str = tree.findtext(".//title") or path.stem
    parts = [" ".join(item.text_content().split()) for item in tree.xpath("//p | //li | //tr")]
    dates: list[str] = [item.get("content") for item in tree.iterfind(".//meta") if item.get("name") == "date"]
    return StandInPage(path.name, title, " ".join(parts), dates[0] if dates else None, html=content)


def _from_line(number: int, line: str) -> StandInPage:
    try:
        item = json.loads(line)
        return StandInPage(f"page-{number}", item["title"], item["text"], item.get("published"), item["url"])
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"line {number} is no page: it needs url, title and text") from error


class _Ranking:
    def __init__(self, pages: tuple[StandInPage, ...]) -> None:
        self._pages = pages
        self._counts = [Counter(_words(f"{page.title} {page.title} {page.text}")) for page in pages]
        self._mean = sum(count.total() for count in self._counts) / len(pages)

    def best(self, query: str) -> list[tuple[StandInPage, float]]:
        words = set(_words(query))
        scored = [(page, self._score(words, count)) for page, count in zip(self._pages, self._counts, strict=True)]
        return sorted(((page, score) for page, score in scored if score > 0), key=lambda pair: -pair[1])[:FOUND]

    def _score(self, words: set[str], count: Counter[str]) -> float:
        length = K1 * (1 - B + B * count.total() / self._mean)
        return sum(self._rarity(word) * count[word] * (K1 + 1) / (count[word] + length) for word in words if word in count)

    def _rarity(self, word: str) -> float:
        having = sum(word in count for count in self._counts)
        return math.log(1 + (len(self._pages) - having + 0.5) / (having + 0.5))


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", text.casefold())
    return re.findall(r"\w+", "".join(character for character in folded if not unicodedata.combining(character)))
