"""One file over HTTP, taken up again where an earlier try stopped."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Callable, Mapping
from pathlib import Path

import aiohttp
from yarl import URL

from sleuth.errors import ModelUnavailable

CHUNK_BYTES = 1 << 18
TRIES = 3
"""Tries in a row that bring nothing before a mirror is given up; a try that brings a byte starts the count anew."""
PAUSE_SECONDS = 0.5
"""Before the second try; doubled before each further one."""
CONNECT_SECONDS = 15.0
SILENCE_SECONDS = 60.0
"""Longest wait for the next byte."""

PASSING = frozenset({429, 500, 502, 503, 504})
"""Statuses worth another try."""


def open_session(ca_file: str | None = None) -> aiohttp.ClientSession:
    """A session that honours the proxy variables and .netrc, and trusts `ca_file` beside the system's authorities."""
    context = ssl.create_default_context()
    if ca_file:
        try:
            context.load_verify_locations(ca_file)
        except OSError as error:
            raise ModelUnavailable(
                f"the certificate file {ca_file} cannot be read", hint="see PIP_CERT, SSL_CERT_FILE"
            ) from error
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS, sock_read=SILENCE_SECONDS)
    connector = aiohttp.TCPConnector(ssl=context)
    return aiohttp.ClientSession(connector=connector, trust_env=True, timeout=timeout)


async def download(
    session: aiohttp.ClientSession,
    url: URL,
    target: Path,
    on_size: Callable[[int], None],
    headers: Mapping[str, str] | None = None,
) -> None:
    """GET `url` into `target`; bytes that are there already are asked for no more. `on_size` hears how many there are.

    The caller checks the content: a file that changed at the other end between two tries is not noticed here.

    Raises ModelUnavailable, naming the host and never the whole URL, which may hold a password.
    """
    failures = 0
    reached = False
    while True:
        before = _size(target)
        try:
            await _attempt(session, url, target, on_size, headers or {})
            return
        except (aiohttp.ClientError, TimeoutError) as error:
            reached = reached or not isinstance(error, aiohttp.ClientConnectorError)
            failures = 1 if _size(target) > before else failures + 1
            if failures >= TRIES or not reached or not _passing(error):
                raise ModelUnavailable(f"{url.host}: {reason(error)}") from error
        await asyncio.sleep(PAUSE_SECONDS * 2 ** (failures - 1))


async def _attempt(
    session: aiohttp.ClientSession, url: URL, target: Path, on_size: Callable[[int], None], headers: Mapping[str, str]
) -> None:
    have = _size(target)
    wanted = {**headers, "Accept-Encoding": "identity"}
    if have:
        wanted["Range"] = f"bytes={have}-"
    async with session.get(url, headers=wanted) as response:
        if response.status == 416:  # nothing beyond what we have (RFC 9110, 15.5.17): whole, or not this file
            if response.headers.get("Content-Range") == f"bytes */{have}":
                return
            os.truncate(target, 0)
        response.raise_for_status()
        resumed = response.status == 206 and response.headers.get("Content-Range", "").startswith(f"bytes {have}-")
        size = have if resumed else 0
        with target.open("ab" if resumed else "wb") as file:
            async for chunk in response.content.iter_chunked(CHUNK_BYTES):
                file.write(chunk)
                size += len(chunk)
                on_size(size)


def reason(error: Exception) -> str:
    """Why a request failed, in a few words, without the URL."""
    match error:
        case aiohttp.ClientResponseError():
            return f"answered {error.status} {error.message}".rstrip()
        case aiohttp.ClientConnectorDNSError():
            return "no such host, or no network"
        case aiohttp.ClientConnectorCertificateError():
            return "its certificate is not trusted; name your authority in SSL_CERT_FILE or PIP_CERT"
        case aiohttp.ClientConnectorError():
            return f"no connection ({error.os_error.strerror or type(error.os_error).__name__})"
        case TimeoutError():
            return "no answer in time"
        case _:
            return f"the connection broke ({type(error).__name__})"


def _passing(error: Exception) -> bool:
    return not isinstance(error, aiohttp.ClientResponseError) or error.status in PASSING


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
