from __future__ import annotations

import json
from pathlib import Path

import pytest
from chat_house import ChatHouse

from sleuth.models import probed
from sleuth.models.base import Message, Request, complete
from sleuth.models.open import open_model
from sleuth.models.openai_chat import OpenAIChat
from sleuth.models.probe import Probe, Verdict
from sleuth.models.probed import recall, remember
from sleuth.structured_output.constraint import JsonSchema, closed_object

FOUND = Probe("tiny", (Verdict("schema", "enforced", "2 of 2 kept"), Verdict("streaming", "works", "3 pieces")), 1.5)
URL = "http://127.0.0.1:8000/v1"


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def test_what_was_found_is_found_again_for_the_same_model_of_the_same_server() -> None:
    remember(FOUND, URL)
    assert recall(URL, "tiny") == FOUND
    assert recall(URL, "other") is None
    assert recall("http://127.0.0.1:8001/v1", "tiny") is None


def test_what_is_old_has_to_be_seen_again(monkeypatch: pytest.MonkeyPatch) -> None:
    remember(FOUND, URL)
    monkeypatch.setattr(probed, "KEPT_SECONDS", 0.0)
    assert recall(URL, "tiny") is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"at": "x", "verdicts": [], "seconds": 1}', '{"at": 1e12, "verdicts": 3}']
)
def test_a_file_that_says_nothing_is_as_none(text: str) -> None:
    remember(FOUND, URL).write_text(text)
    assert recall(URL, "tiny") is None


def test_a_word_of_a_later_version_is_not_believed() -> None:
    path = remember(FOUND, URL)
    told = json.loads(path.read_text())
    told["verdicts"][0]["word"] = "proven"
    path.write_text(json.dumps(told))
    assert recall(URL, "tiny") is None


async def test_a_run_says_server_once_the_doctor_has_seen_it(chat: ChatHouse) -> None:
    request = Request(
        (Message("user", "Which animal?"),), constraint=JsonSchema.of(closed_object({"animal": {"enum": ["quokka"]}}))
    )

    async def enforced() -> str:
        model = open_model(chat.url)
        try:
            return (await complete(model, request)).usage.enforced
        finally:
            await model.close()

    before = await enforced()
    model = open_model(chat.url)
    assert isinstance(model, OpenAIChat)
    remember(FOUND, model.url)
    await model.close()
    assert (before, await enforced()) == ("validated", "server")
