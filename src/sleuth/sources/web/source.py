"""The public web as a source, through any server that speaks SearXNG's search API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sleuth.errors import SourceUnavailable, UsageError
from sleuth.result import Pages
from sleuth.source import Card
from sleuth.sources.web.searxng import SearxngClient
from sleuth.tool import Arguments, Example, Tool, ToolSpec

QUERY_CHARS = 100


class Web:
    """A SearXNG-compatible server at `url`; `results` pages are shown a search.

    What is searched leaves the house: the tool's specification says so (`public`). With `enabled` False the source is not there.
    """

    def __init__(
        self,
        url: str,
        *,
        name: str = "web",
        tool: str = "web_search",
        results: int = 5,
        timeout_seconds: float = 10.0,
        enabled: bool = True,
    ) -> None:
        if results < 1:
            raise UsageError("results of the web must be at least 1")
        self._name = name
        self._results = results
        self._enabled = enabled
        self._client = SearxngClient(url, timeout_seconds=timeout_seconds)
        self._tool = _WebSearch(web_spec(tool), self)

    @property
    def name(self) -> str:
        return self._name

    async def open(self) -> Card:
        """Ask once whether the server answers. Raises SourceUnavailable if it does not, or if the web is switched off."""
        if not self._enabled:
            raise SourceUnavailable("the web is switched off", hint="set enabled = true under [web]")
        await self._client.check()
        return Card(self._name, "web", "The public web", ())

    def tools(self) -> Sequence[Tool]:
        return (self._tool,)

    async def search(self, query: str) -> Pages:
        """Raises SourceUnavailable when the server is down or busy, SourceError when it answers with something else."""
        found = await self._client.search(query)
        return replace(found, hits=found.hits[: self._results])

    async def close(self) -> None:
        """Nothing is held open between searches."""


class _WebSearch:
    def __init__(self, spec: ToolSpec, web: Web) -> None:
        self._spec = spec
        self._web = web

    @property
    def spec(self) -> ToolSpec:
        return self._spec

    async def run(self, arguments: Arguments) -> Pages:
        return await self._web.search(str(arguments["query"]))


def web_spec(tool: str) -> ToolSpec:
    return ToolSpec(
        tool,
        "Public facts of the outside world: market prices, rates, news, weather. NOT for our own contracts, orders or rules.",
        {
            "type": "object",
            "properties": {"query": {"type": "string", "minLength": 3, "maxLength": QUERY_CHARS}},
            "required": ["query"],
            "additionalProperties": False,
        },
        public=True,
        examples=(Example("What is the price of silver today?", "price of silver today", {"query": "silver price today"}),),
    )
