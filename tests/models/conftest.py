from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp.test_utils import TestServer
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
