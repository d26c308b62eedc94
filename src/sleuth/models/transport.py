"""HTTP to a model server: one kept-alive session, retries within a budget, and failures in the server's own words."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Any, Literal
from urllib.parse import quote

import aiohttp
from yarl import URL

from sleuth.errors import ContextExceeded, ModelError, ModelUnavailable, UsageError
from sleuth.models.reply import CONTEXT_HINT, Body, as_object, exceeds_context, words_of

PASSING = frozenset({408, 429, 502, 503, 504})
"""Statuses worth another try (RFC 9110, section 15; RFC 6585, section 4)."""

PAUSE_SECONDS = 0.5
"""Before the second try where the server names no time; doubled before each further one."""

LOOK_SECONDS = 3.0

ANSWER_SECONDS = 30.0
"""For an answer of one token, which may have to wait for its turn."""

MAX_WORDS_BYTES = 1 << 16
MAX_WORDS = 600

HINTS: Mapping[int, str] = {
    401: "check the API key",
    403: "check the API key",
    404: "check the address, and the name of the model",
}


class Refused(ModelError):
    """The server did not take the request. `field` is the one it complains of, where it names one (OpenAI's `error.param`)."""

    def __init__(self, message: str, *, status: int, field: str = "", hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.field = field


class Transport:
    """The server at `url`, which is kept without a path to an endpoint: ".../v1". Nothing in its messages or repr is secret.

    The session is made at the first request, and anew after `close` or in another event loop; `close` belongs in the same loop.
    """

    def __init__(
        self,
        url: str,
        *,
        headers: Mapping[str, str],
        api_key: str | None,
        timeout_seconds: float,
        connect_seconds: float,
        retries: int,
    ) -> None:
        self.base, user, password = _parsed(url)
        for name, value in {"the API key": api_key or "", **headers}.items():
            if any(ord(character) < 32 or ord(character) == 127 for character in value):
                raise UsageError(f"{name} holds a line break or another control character", hint="copy it again")
        self.shown = str(self.base)
        basic = b64encode(f"{user}:{password}".encode()).decode()  # RFC 7617, section 2
        authorization = f"Bearer {api_key}" if api_key else f"Basic {basic}" if user else ""
        self._headers = {**({"Authorization": authorization} if authorization else {}), **headers}
        known = (api_key, password, basic if user else None, *headers.values())
        spelled = [form for secret in known if secret for form in (secret, quote(secret, safe=""))]
        self._secrets = sorted({secret for secret in spelled if len(secret) >= 4}, key=len, reverse=True)
        self._timeout_seconds = timeout_seconds
        self._timeout = aiohttp.ClientTimeout(total=None, connect=connect_seconds, sock_read=timeout_seconds)
        self._retries = retries
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def root(self) -> URL:
        """Where a server has what is not part of OpenAI's API."""
        return self.base.parent if self.base.name == "v1" else self.base

    async def look(self, url: URL, body: Mapping[str, Any] | None = None) -> Body:
        """The JSON object at `url`, in answer to `body` where there is one; empty where there is none, whatever the reason."""
        timeout = aiohttp.ClientTimeout(total=LOOK_SECONDS if body is None else ANSWER_SECONDS)
        method = "GET" if body is None else "POST"
        try:
            async with self._connected().request(
                method, url, json=body, headers=self._headers, timeout=timeout, allow_redirects=False
            ) as response:
                return as_object(json.loads(await response.read())) if response.status == 200 else {}
        except (aiohttp.ClientError, TimeoutError, ValueError):
            return {}

    async def send(
        self, method: Literal["GET", "POST"], path: str, body: Mapping[str, Any] | None = None
    ) -> aiohttp.ClientResponse:
        """The open response, of status 200; the caller closes it.

        Raises ModelUnavailable when the server is not there or does not get well within the retries, ContextExceeded when the
        prompt is too long for it, Refused when it does not take the request for another reason.
        """
        give_up = monotonic() + self._timeout_seconds
        tries = 0
        while True:
            try:
                response = await self._connected().request(
                    method, self.base / path, json=body, headers=self._headers, timeout=self._timeout, allow_redirects=False
                )
            except (aiohttp.ClientError, TimeoutError) as error:
                failed = self.failure(error)
                if not _hung_up(error):
                    raise failed from error
                pause = 0.0
            else:
                if response.status == 200:
                    return response
                failed = await self._refusal(response)
                if response.status not in PASSING:
                    raise failed
                asked = failed.retry_after_seconds if isinstance(failed, ModelUnavailable) else None
                pause = PAUSE_SECONDS * 2**tries if asked is None else asked
            tries += 1
            if tries > self._retries or monotonic() + pause > give_up:
                raise failed
            await asyncio.sleep(pause)

    async def whole(self, response: aiohttp.ClientResponse) -> Body:
        """The JSON object of an open response, which is closed. Raises ModelUnavailable where there is none."""
        try:
            return as_object(json.loads(await response.read()))
        except (aiohttp.ClientError, TimeoutError, ValueError, RecursionError) as error:
            raise self.failure(error) from error
        finally:
            response.close()

    def failure(self, error: Exception) -> ModelUnavailable:
        """What aiohttp or a parser raised, in words."""
        if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
            return ModelUnavailable(f"no model server answers at {self.shown}", hint="is it running? check the address")
        if isinstance(error, TimeoutError):
            return ModelUnavailable(
                f"{self.shown} was silent for {self._timeout_seconds:g} seconds", hint="allow a longer timeout_seconds"
            )
        if isinstance(error, ValueError | RecursionError):
            return ModelUnavailable(f"{self.shown} sent something that cannot be read: {error}")
        return ModelUnavailable(f"{self.shown} broke off its answer", hint="see the log of the server")

    def redacted(self, words: str) -> str:
        """`words` of the server, short and without what was sent to it in confidence."""
        for secret in self._secrets:
            words = words.replace(secret, "…")
        return words if len(words) <= MAX_WORDS else f"{words[:MAX_WORDS]}…"

    async def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _connected(self) -> aiohttp.ClientSession:
        loop = asyncio.get_running_loop()
        if self._session is None or self._session.closed or self._loop is not loop:
            connector = aiohttp.TCPConnector(limit=0)  # the server queues, and says so; a wait here would look like a dead one
            self._session = aiohttp.ClientSession(connector=connector, trust_env=True)
            self._loop = loop
        return self._session

    async def _refusal(self, response: aiohttp.ClientResponse) -> ModelError:
        """What an answer that is not 200 says, in the server's own words."""
        said = await _bounded(response)
        try:
            body = as_object(json.loads(said))
        except ValueError:
            body = {"error": said}
        message = f"{self.shown} answered {response.status}: {self.redacted(words_of(body)) or response.reason}"
        if response.status not in PASSING and exceeds_context(body):
            return ContextExceeded(message, hint=CONTEXT_HINT)
        if response.status in PASSING or response.status >= 500:
            wait = _retry_after(response.headers.get("Retry-After"))
            return ModelUnavailable(message, hint="see the log of the server", retry_after_seconds=wait)
        hint = "give the address that it redirects to" if 300 <= response.status < 400 else HINTS.get(response.status)
        field = str(as_object(body.get("error")).get("param") or "")
        return Refused(message, status=response.status, field=field, hint=hint)


async def _bounded(response: aiohttp.ClientResponse) -> str:
    """The beginning of a body; closes the response."""
    read = bytearray()
    try:
        async for part in response.content.iter_any():
            read += part
            if len(read) > MAX_WORDS_BYTES:
                break
    except (aiohttp.ClientError, TimeoutError):
        pass  # what came is all there is
    finally:
        response.close()
    return read.decode(errors="replace")


def _hung_up(error: Exception) -> bool:
    """Whether the server closed a connection before it answered: what happens to one that was kept alive a little too long."""
    if isinstance(error, aiohttp.ClientConnectorError):
        return False
    return isinstance(error, aiohttp.ServerDisconnectedError | aiohttp.ClientOSError | ConnectionResetError)


def _parsed(url: str) -> tuple[URL, str, str]:
    """The base of OpenAI's API, a user and a password. A URL without a path means the usual one."""
    try:
        given = URL(url)
    except ValueError:
        given = URL()
    if given.scheme not in ("http", "https") or not given.host:
        raise UsageError("this is not the address of a model server", hint="give an http:// or https:// URL")
    path = given.path.rstrip("/").removesuffix("/chat/completions") or "/v1"
    return given.with_user(None).with_query(None).with_fragment(None).with_path(path), given.user or "", given.password or ""


def _retry_after(value: str | None) -> float | None:
    """Seconds from now, given as such or as a date (RFC 9110, section 10.2.3)."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
