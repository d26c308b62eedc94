"""A Python package index: which one this user's pip or uv uses, and where on it a wheel lies.

Simple repository API: PEP 691 (JSON), PEP 503 (HTML).
"""

from __future__ import annotations

import configparser
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import aiohttp
from yarl import URL

from sleuth.errors import ModelUnavailable
from sleuth.models.download import reason

PUBLIC_INDEX = "https://pypi.org/simple"
ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"


@dataclass(frozen=True, slots=True)
class WheelLink:
    """`sha256` is the index's word for the wheel, where it gives one."""

    url: URL
    sha256: str | None


def index_url() -> URL:
    """The index that pip or uv is set to: their variables, then pip's configuration files, then the public one."""
    for variable in ("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"):
        if url := os.environ.get(variable):
            return URL(url)
    return URL(_pip_settings().get("index-url") or PUBLIC_INDEX)


def ca_file() -> str | None:
    """The certificate authorities that pip is told to trust, if any."""
    for variable in ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        if path := os.environ.get(variable):
            return path
    return _pip_settings().get("cert")


def _pip_settings() -> dict[str, str]:
    """The [global] section of pip's files, later files first heard last (pip documentation, "Configuration files")."""
    settings: dict[str, str] = {}
    for path in _pip_files():
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, OSError, UnicodeDecodeError):
            continue  # not ours to judge; pip itself complains
        if parser.has_section("global"):
            settings |= {key.replace("_", "-"): value.strip() for key, value in parser.items("global")}
    return settings


def _pip_files() -> Iterator[Path]:
    home = Path.home()
    for folder in reversed(os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(os.pathsep)):
        yield Path(folder) / "pip" / "pip.conf"
    yield Path("/etc/pip.conf")
    yield home / ".pip" / "pip.conf"
    yield Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "pip" / "pip.conf"
    yield Path(sys.prefix) / "pip.conf"
    if named := os.environ.get("PIP_CONFIG_FILE"):
        yield Path(named)


async def find_wheel(session: aiohttp.ClientSession, index: URL, package: str, version: str) -> WheelLink:
    """The pure-Python wheel of `package` at `version`.

    Raises ModelUnavailable when the index does not answer or has no such wheel.
    """
    name = re.sub(r"[-_.]+", "-", package).lower()  # PEP 503, "Normalized Names"
    try:
        async with session.get(index / name / "", headers={"Accept": ACCEPT}) as response:
            if response.status == 404:
                raise ModelUnavailable(f"{index.host}: has no package {name}")
            response.raise_for_status()
            body, base = await response.text(), response.url
    except (aiohttp.ClientError, TimeoutError) as error:
        raise ModelUnavailable(f"{index.host}: {reason(error)}") from error
    links = _json_links(body) if "json" in response.content_type else _html_links(body)
    stem = f"{name.replace('-', '_')}-{version}-"
    for file, link, sha256 in links:
        if file.lower().startswith(stem) and file.endswith("-none-any.whl"):
            return WheelLink(_with_login(base.join(URL(link)), index), sha256)
    raise ModelUnavailable(f"{index.host}: has no wheel of {name} {version}")


def _with_login(url: URL, index: URL) -> URL:
    """The index's user and password, for a file on the same host."""
    if index.user and not url.user and url.origin() == index.origin():
        return url.with_user(index.user).with_password(index.password)
    return url


def _json_links(body: str) -> Iterator[tuple[str, str, str | None]]:
    """File name, link, SHA-256."""
    try:
        files: list[dict[str, Any]] = json.loads(body)["files"]
        for file in files:
            yield file["filename"], file["url"], file.get("hashes", {}).get("sha256")
    except (ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable("the package index answered what is not a PEP 691 page") from error


def _html_links(body: str) -> Iterator[tuple[str, str, str | None]]:
    page = _Anchors()
    page.feed(body)
    for link in page.links:
        url, _, fragment = link.partition("#")
        hashes = re.fullmatch(r"sha256=([0-9a-f]{64})", fragment)
        yield URL(url).name, url, hashes and hashes[1]


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.links += [value for name, value in attrs if name == "href" and value]
