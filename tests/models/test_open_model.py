"""One word says which model: a URL, a name, a path."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sleuth.errors import ModelUnavailable, UsageError
from sleuth.models import open as opening
from sleuth.models.llamacpp import LlamaCpp
from sleuth.models.open import open_model


@pytest.mark.parametrize(("where", "name"), [("qwen2.5-coder-0.5b", "qwen2.5-coder-0.5b"), ("/models/own.gguf", "own")])
def test_a_name_or_a_path_is_a_local_model_not_yet_loaded(where: str, name: str) -> None:
    model = open_model(where)
    assert isinstance(model, LlamaCpp)
    assert model.name == name
    assert open_model(where, name="mine").name == "mine"


def test_a_url_is_a_server() -> None:
    model = open_model("http://127.0.0.1:8000/v1", name="served", api_key="k")
    assert type(model).__name__ == "OpenAIChat"
    assert model.name == "served"


def test_another_kind_of_url_is_refused() -> None:
    with pytest.raises(UsageError, match="cannot be reached by ftp://"):
        open_model("ftp://models.example/x.gguf")


def test_a_key_for_a_local_model_is_refused_rather_than_dropped() -> None:
    with pytest.raises(UsageError, match="takes no key"):
        open_model("qwen2.5-coder-0.5b", api_key="secret")


def test_a_machine_without_openmp_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(module: str) -> None:
        raise ImportError("libgomp.so.1: cannot open shared object file: No such file or directory")

    monkeypatch.setattr(opening.importlib, "import_module", missing)
    with pytest.raises(ModelUnavailable) as caught:
        open_model("qwen2.5-coder-0.5b")
    assert "libgomp1" in str(caught.value.hint)


def test_neither_llama_cpp_nor_an_http_client_is_loaded_before_a_model_is_opened(tmp_path: Path) -> None:
    code = "import sys, sleuth.models.open; print(sorted({'xllamacpp', 'aiohttp'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=20, check=True)
    assert run.stdout.strip() == "[]"
