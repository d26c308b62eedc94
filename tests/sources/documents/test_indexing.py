"""The index stays true to its folder, whatever happens while it is made."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from sleuth.errors import SourceUnavailable
from sleuth.sources.documents.embed.minilm import MiniLM
from sleuth.sources.documents.index import Index, Progress, default_directory, index
from sleuth.sources.documents.manifest import Manifest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    (folder / "deep").mkdir(parents=True)
    for name in ("a.txt", "b.md", "deep/c.txt"):
        (folder / name).write_text(f"# Rule {name}\n\nThe rule of {name} is kept.\n")
    return folder


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "index"


def passages(path: Path, into: Path, minilm: MiniLM) -> list[str]:
    """The documents of all passages in the store, sorted; one entry a passage."""
    with Index.open(path, into, embedder=minilm) as opened:
        found = opened.store.nearest(minilm.embed(["rule"])[0], 10_000)
        return sorted(passage.document for passage in opened.store.passages([one.id for one in found]))


def test_a_second_run_reads_nothing(folder: Path, into: Path, minilm: MiniLM) -> None:
    first = index(folder, into, embedder=minilm)
    assert (first.added, first.documents, first.passages) == (3, 3, 3)
    seen: list[Progress] = []
    second = index(folder, into, seen.append, embedder=minilm)
    assert (second.added, second.changed, second.unchanged, seen) == (0, 0, 3, [])


def test_a_folder_with_files_of_somebody_else_is_never_taken_for_an_index(folder: Path, into: Path, minilm: MiniLM) -> None:
    (into / "passages").mkdir(parents=True)
    (into / "passages" / "chapter1.txt").write_text("my manuscript")
    (into / "manifest.json").write_text('{"mine": true}')
    with pytest.raises(SourceUnavailable, match="holds other files"):
        index(folder, into, embedder=minilm)
    assert (into / "passages" / "chapter1.txt").read_text() == "my manuscript"
    assert (into / "manifest.json").read_text() == '{"mine": true}'


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no such name can be given to a file")
def test_a_name_that_is_not_utf8_is_counted_and_the_rest_is_read(folder: Path, into: Path, minilm: MiniLM) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/odd\xff.txt")).write_text("Text.")
    report = index(folder, into, embedder=minilm)
    assert (report.documents, report.ignored) == (3, (("a name that is not UTF-8", 1),))


def test_only_what_changed_is_read_and_what_is_gone_is_forgotten(folder: Path, into: Path, minilm: MiniLM) -> None:
    index(folder, into, embedder=minilm)
    (folder / "a.txt").write_text("Quite another text.")
    (folder / "b.md").unlink()
    (folder / "new.html").write_text("<p>New</p>")
    seen: list[Progress] = []
    report = index(folder, into, seen.append, embedder=minilm)
    assert (report.added, report.changed, report.deleted, report.unchanged) == (1, 1, 1, 1)
    assert {progress.path for progress in seen} == {"a.txt", "new.html"}
    assert passages(folder, into, minilm) == ["a.txt", "deep/c.txt", "new.html"]


def test_a_file_that_was_only_touched_is_not_read_again(folder: Path, into: Path, minilm: MiniLM) -> None:
    index(folder, into, embedder=minilm)
    os.utime(folder / "a.txt", (1_000_000_000, 1_000_000_000))
    seen: list[Progress] = []
    assert index(folder, into, seen.append, embedder=minilm).unchanged == 3
    assert seen == []


def test_an_unreadable_file_is_reported_with_why_and_the_others_are_read(folder: Path, into: Path, minilm: MiniLM) -> None:
    (folder / "0.pdf").write_bytes(b"%PDF broken")
    for _ in range(2):  # the second run remembers
        report = index(folder, into, embedder=minilm)
        assert [name for name, _ in report.unreadable] == ["0.pdf"]
        assert "not a whole PDF" in report.unreadable[0][1]
        assert report.documents == 3
    (folder / "0.pdf").unlink()
    assert index(folder, into, embedder=minilm).unreadable == ()


def test_a_file_that_became_unreadable_loses_its_passages(folder: Path, into: Path, minilm: MiniLM) -> None:
    index(folder, into, embedder=minilm)
    (folder / "a.txt").write_bytes(b"\x00\x01\x02\x00")
    assert [name for name, _ in index(folder, into, embedder=minilm).unreadable] == ["a.txt"]
    assert passages(folder, into, minilm) == ["b.md", "deep/c.txt"]


def test_hidden_files_links_out_of_the_folder_and_other_kinds_are_passed_over(folder: Path, into: Path, minilm: MiniLM) -> None:
    (folder / ".hidden.txt").write_text("x")
    (folder / ".git").mkdir()
    (folder / ".git" / "x.md").write_text("x")
    (folder / "~$open.docx").write_text("x")
    (folder / "table.xlsx").write_text("x")
    (folder.parent / "outside.txt").write_text("secret")
    (folder / "link.txt").symlink_to(folder.parent / "outside.txt")
    report = index(folder, into, embedder=minilm)
    assert (report.documents, report.ignored) == (3, ((".xlsx", 1),))


def test_an_index_inside_its_folder_is_not_read(folder: Path, minilm: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for _ in range(2):
        assert index(folder, Path("index"), embedder=minilm).documents == 3
        (folder / "index" / "stray.txt").write_text("not a document")


def test_a_stopped_run_leaves_a_usable_index_and_the_next_one_goes_on(folder: Path, into: Path, minilm: MiniLM) -> None:
    stop = threading.Event()

    def after_one(progress: Progress) -> None:
        if progress.done == 1:
            stop.set()

    report = index(folder, into, after_one, embedder=minilm, stop=stop)
    assert (report.complete, report.documents) == (False, 1)
    assert passages(folder, into, minilm) == ["a.txt"]
    assert index(folder, into, embedder=minilm).documents == 3
    assert passages(folder, into, minilm) == ["a.txt", "b.md", "deep/c.txt"]


def test_an_exception_in_the_middle_leaves_a_usable_index(folder: Path, into: Path, minilm: MiniLM) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index(folder, into, interrupt, embedder=minilm)
    report = index(folder, into, embedder=minilm)
    assert (report.documents, report.unchanged) == (3, 2)


_DIES = """
import os, signal, sys
from pathlib import Path
from sleuth.sources.documents.embed.minilm import MiniLM
from sleuth.sources.documents import index as indexing

class Dying(MiniLM):
    calls = 0
    def embed(self, texts):
        Dying.calls += 1
        if Dying.calls == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().embed(texts)

indexing._SLICE = 8
indexing.index(Path(sys.argv[1]), Path(sys.argv[2]), embedder=Dying())
"""


def test_a_kill_in_the_middle_loses_nothing_and_doubles_nothing(folder: Path, into: Path, minilm: MiniLM) -> None:
    # 20 passages in slices of eight: the kill comes between two slices of the second file.
    long = "\n\n".join(f"1.{number} Rule {number} is kept." for number in range(1, 21))
    (folder / "aa.txt").write_text(long)
    killed = subprocess.run([sys.executable, "-c", _DIES, str(folder), str(into)], timeout=60, check=False)
    assert killed.returncode == -9
    report = index(folder, into, embedder=minilm)
    assert report.documents == 4
    assert report.rebuilt is None
    found = passages(folder, into, minilm)
    assert len(found) == report.passages
    assert len(set(found)) == 4


def test_a_second_process_is_told_that_the_index_is_in_use(folder: Path, into: Path, minilm: MiniLM) -> None:
    program = (
        "import sys; from pathlib import Path; from sleuth import Documents; Documents(sys.argv[1], index=sys.argv[2]).update()"
    )
    with Index.open(folder, into, embedder=minilm):
        second = subprocess.run(
            [sys.executable, "-c", program, str(folder), str(into)], capture_output=True, text=True, timeout=60
        )
    assert second.returncode == 1
    assert "open in another process" in second.stderr
    assert "an index of its own" in second.stderr


class _Other(MiniLM):
    name = "another model"


def test_another_embedding_model_makes_the_index_anew(folder: Path, into: Path, minilm: MiniLM) -> None:
    index(folder, into, embedder=minilm)
    report = index(folder, into, embedder=_Other())
    assert (report.rebuilt, report.added) == ("the embedding model changed", 3)
    assert index(folder, into, embedder=_Other()).rebuilt is None


def test_an_index_of_another_schema_is_made_anew(folder: Path, into: Path, minilm: MiniLM) -> None:
    index(folder, into, embedder=minilm)
    manifest = json.loads((into / "manifest.json").read_text())
    (into / "manifest.json").write_text(json.dumps({**manifest, "schema": 0}))
    report = index(folder, into, embedder=minilm)
    assert (report.rebuilt, report.documents) == ("the old index was made by another version", 3)


def test_an_index_that_lost_its_manifest_is_made_anew(folder: Path, into: Path, minilm: MiniLM) -> None:
    index(folder, into, embedder=minilm)
    (into / "manifest.json").write_text("{ half a manif")
    assert index(folder, into, embedder=minilm).rebuilt == "the old index had no manifest"
    assert len(passages(folder, into, minilm)) == 3


def test_a_damaged_store_is_made_anew(folder: Path, into: Path, minilm: MiniLM) -> None:
    index(folder, into, embedder=minilm)
    shutil.rmtree(into / "passages" / "segments")
    (into / "passages" / "edge_config.json").write_text("nonsense")
    report = index(folder, into, embedder=minilm)
    assert (report.rebuilt, report.documents) == ("the old index was damaged", 3)


def test_a_full_disk_is_said_and_the_next_run_goes_on(folder: Path, into: Path, minilm: MiniLM) -> None:
    def fill(progress: Progress) -> None:
        if progress.done == 1:
            (into / "manifest.new").mkdir()  # as good as no room: the new manifest cannot be written

    with pytest.raises(SourceUnavailable, match="cannot be written"):
        index(folder, into, fill, embedder=minilm)
    (into / "manifest.new").rmdir()
    assert index(folder, into, embedder=minilm).documents == 3
    assert passages(folder, into, minilm) == ["a.txt", "b.md", "deep/c.txt"]


def test_a_folder_without_documents_says_what_is_read(tmp_path: Path, into: Path, minilm: MiniLM) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceUnavailable, match="it is empty") as error:
        index(tmp_path / "empty", into, embedder=minilm)
    assert error.value.hint == "files that are read: .pdf, .docx, .html, .htm, .md, .markdown, .txt"
    (tmp_path / "empty" / "a.xlsx").write_text("x")
    with pytest.raises(SourceUnavailable, match="its 1 files are of other kinds"):
        index(tmp_path / "empty", into, embedder=minilm)
    with pytest.raises(SourceUnavailable, match="there is no folder"):
        index(tmp_path / "nowhere", into, embedder=minilm)


def test_a_single_file_can_be_indexed(folder: Path, into: Path, minilm: MiniLM) -> None:
    assert index(folder / "a.txt", into, embedder=minilm).documents == 1


class _Counting(MiniLM):
    texts = 0

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.texts += len(texts)
        return super().embed(texts)


def test_words_that_recur_are_embedded_once(folder: Path, into: Path) -> None:
    for number in range(5):
        (folder / f"copy{number}.txt").write_text("The same standard clause.")
    counting = _Counting()
    report = index(folder, into, embedder=counting)
    assert (report.passages, counting.texts) == (8, 4)


def test_the_default_place_is_in_the_users_cache_and_differs_by_folder(tmp_path: Path) -> None:
    one, other = default_directory(tmp_path / "a" / "docs"), default_directory(tmp_path / "b" / "docs")
    assert one != other
    assert one.parent == tmp_path / "cache" / "sleuth" / "index"


def test_the_manifest_is_replaced_whole(tmp_path: Path) -> None:
    Manifest("model", writing=["a"]).save(tmp_path / "m.json")
    assert Manifest.load(tmp_path / "m.json") == Manifest("model", writing=["a"])
    assert [path.name for path in tmp_path.iterdir()] == ["m.json"]
    assert Manifest.load(tmp_path / "none.json") is None


def test_a_store_that_does_not_take_what_is_written_is_made_anew_by_the_next_run(
    folder: Path, into: Path, minilm: MiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(folder, into, embedder=minilm)
    (folder / "new.txt").write_text("One more rule.")

    class Failing:
        """The engine as it was seen after several kills; which damage leads there is not known, so it is played."""

        def __init__(self, shard: object) -> None:
            self._shard = shard

        def __getattr__(self, name: str) -> object:
            return getattr(self._shard, name)

        def flush(self) -> None:
            raise RuntimeError("tracker_journal.dat is shorter than expected")

    with Index.open(folder, into, embedder=minilm) as opened:
        monkeypatch.setattr(opened.store, "_shard", Failing(opened.store._shard))  # pyright: ignore[reportPrivateUsage] - played
        with pytest.raises(SourceUnavailable, match="shorter than expected") as caught:
            opened.update()
    assert "run it again" in (caught.value.hint or "")
    report = index(folder, into, embedder=minilm)
    assert (report.documents, report.rebuilt) == (4, "the old index had no manifest")
    assert passages(folder, into, minilm) == ["a.txt", "b.md", "deep/c.txt", "new.txt"]
