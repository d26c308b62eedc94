"""A name, a hash and a path lead to the same file, and what is missing is said with what would bring it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sleuth.errors import ModelNotFound
from sleuth.models.known import KNOWN, KnownModel, WheelParts
from sleuth.models.store import Store, default_folder

KNOWN_ONE = KnownModel("one", "one.gguf", 4, "ab" * 32, "Apache-2.0", (), "")


def put(store: Store, sha256: str, file: str, content: bytes = b"GGUF") -> Path:
    path = store.folder / sha256 / file
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


@pytest.fixture
def shelf(tmp_path: Path) -> Store:
    return Store(tmp_path, known={"one": KNOWN_ONE})


def test_a_model_is_found_by_name_hash_part_of_the_hash_and_path(shelf: Store) -> None:
    path = put(shelf, KNOWN_ONE.sha256, "one.gguf")
    assert {shelf.find(wanted) for wanted in ("one", KNOWN_ONE.sha256, "ABABABAB", str(path), path)} == {path}


def test_a_known_model_that_is_not_here_is_missed_with_the_command_that_fetches_it(shelf: Store) -> None:
    with pytest.raises(ModelNotFound) as caught:
        shelf.find("one")
    assert caught.value.hint == "fetch it: sleuth models pull one"


@pytest.mark.parametrize("wanted", ["/nowhere/x.gguf", "x.gguf", Path("x")])
def test_a_path_without_a_file_is_missed_as_a_path(shelf: Store, wanted: str | Path) -> None:
    with pytest.raises(ModelNotFound, match="there is no file"):
        shelf.find(wanted)


def test_a_hash_that_fits_two_models_names_neither(shelf: Store) -> None:
    put(shelf, "cd" * 32, "a.gguf")
    put(shelf, "cd" * 31 + "00", "b.gguf")
    with pytest.raises(ModelNotFound, match="2 models"):
        shelf.find("cdcdcdcd")


def test_what_is_here_is_listed_known_models_first(shelf: Store) -> None:
    put(shelf, "00" * 32, "other.gguf")
    put(shelf, KNOWN_ONE.sha256, "one.gguf")
    put(shelf, "not-a-hash", "stray.gguf")
    assert [stored.name for stored in shelf.list()] == ["one", "other"]


def test_an_empty_store_lists_nothing(tmp_path: Path) -> None:
    assert Store(tmp_path / "none").list() == ()


def test_the_folder_is_the_variable_s_else_in_the_users_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLEUTH_MODELS", "/data/models")
    assert default_folder() == Path("/data/models")
    monkeypatch.delenv("SLEUTH_MODELS")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert default_folder() == Path("/cache/sleuth/models")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/ann")
    assert default_folder() == Path("/home/ann/.cache/sleuth/models")


def test_known_models_are_complete_data() -> None:
    for name, model in KNOWN.items():
        assert model.name == name
        assert len(bytes.fromhex(model.sha256)) == 32
        parts = [mirror for mirror in model.mirrors if isinstance(mirror, WheelParts)]
        assert len({part.member for mirror in parts for part in mirror.parts}) == sum(len(mirror.parts) for mirror in parts) > 0
