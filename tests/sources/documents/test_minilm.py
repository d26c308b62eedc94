from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sleuth.errors import ChecksumMismatch, SourceUnavailable
from sleuth.sources.documents.embed.minilm import MiniLM


def test_like_meanings_lie_near_each_other(minilm: MiniLM) -> None:
    penalty, fine, travel = np.array(minilm.embed(["late delivery penalty", "fine for delayed shipments", "travel expenses"]))
    assert penalty @ fine == pytest.approx(0.61, abs=0.03)
    assert penalty @ travel < 0.3


def test_vectors_have_length_one_and_keep_the_order_of_the_texts_however_they_are_batched(minilm: MiniLM) -> None:
    texts = [f"Clause {number}. " + "The supplier delivers on time. " * (number % 7) for number in range(60)]
    together = np.array(minilm.embed(texts))
    alone = np.array([minilm.embed([text])[0] for text in texts[:8]])
    assert together.shape == (60, 384)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-5)
    # int8 arithmetic scales each batch by its own largest value: equal to two decimals, not to the bit.
    assert np.all(np.sum(together[:8] * alone, axis=1) > 0.99)


def test_a_text_longer_than_the_window_is_cut_there(minilm: MiniLM) -> None:
    window, longer = minilm.embed(["word " * minilm.window, "word " * 2_000])
    assert np.dot(window, longer) == pytest.approx(1.0, abs=1e-3)
    assert minilm.count("word " * 2_000) == 2_000


def test_no_texts_give_no_vectors(minilm: MiniLM) -> None:
    assert minilm.embed([]) == []


def test_weights_with_another_checksum_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not the model")
    with pytest.raises(ChecksumMismatch, match="not the published 8199be6f699a"):
        MiniLM(weights=tmp_path / "model.onnx")


def test_weights_that_are_not_there_are_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match="cannot be read"):
        MiniLM(weights=tmp_path / "model.onnx")


def test_the_runtime_reports_to_nobody(tmp_path: Path) -> None:
    """It would keep an identity of this device in the user's cache, and send what it loads to its maker."""
    code = "from sleuth.sources.documents.embed.minilm import MiniLM; MiniLM().embed(['a word'])"
    silent = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS")
    environment = {name: value for name, value in os.environ.items() if name not in silent}
    subprocess.run([sys.executable, "-c", code], check=True, env={**environment, "HOME": str(tmp_path), "XDG_CACHE_HOME": ""})
    assert list(tmp_path.rglob("*")) == []
