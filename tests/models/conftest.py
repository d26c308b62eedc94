from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from aiohttp.test_utils import TestServer
from chat_house import ChatHouse
from mirror_house import House

from sleuth.models import download
from sleuth.models.store import Store

VARIABLES = (
    "HF_TOKEN", "HF_HUB_OFFLINE", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_CONFIG_FILE",
    "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
)  # fmt: skip


@pytest.fixture
async def house(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """Both mirrors, up, and this process set to them."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    house = House()
    server = TestServer(house.app())
    await server.start_server(shutdown_timeout=0)
    house.url = str(server.make_url("")).rstrip("/")
    monkeypatch.setenv("HF_ENDPOINT", f"{house.url}/hub")
    monkeypatch.setenv("PIP_INDEX_URL", f"{house.url}/simple")
    monkeypatch.setattr(download, "PAUSE_SECONDS", 0.0)
    yield house
    await server.close()


@pytest.fixture
def store(house: House, tmp_path: Path) -> Store:
    return Store(tmp_path / "models", known={"tiny": house.model})


@pytest.fixture
async def chat() -> AsyncIterator[ChatHouse]:
    """A chat server, up."""
    house = ChatHouse()
    server = TestServer(house.app())
    await server.start_server(shutdown_timeout=0)
    house.url = str(server.make_url("/v1"))
    yield house
    house.over.set()
    await server.close()


@pytest.fixture
def chat_in_thread() -> Iterator[str]:
    """The address of a chat server with an event loop of its own, for tests that are not async."""
    loop, house = asyncio.new_event_loop(), ChatHouse()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = TestServer(house.app(), loop=loop)
    asyncio.run_coroutine_threadsafe(server.start_server(shutdown_timeout=0), loop).result(5)
    yield str(server.make_url("/v1"))
    asyncio.run_coroutine_threadsafe(server.close(), loop).result(5)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(5)
    loop.close()
