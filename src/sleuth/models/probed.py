"""What probes have found, kept between processes: a run need not ask again what `sleuth doctor` saw."""

from __future__ import annotations

import hashlib
import json
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import get_args

from sleuth.models.probe import ITEMS, Item, Probe, Verdict, Word
from sleuth.models.store import user_cache
from sleuth.result import Json, json_array, json_object

KEPT_SECONDS = 30 * 86_400.0
"""A server is updated now and then; what it then keeps has to be seen again."""


def remember(probe: Probe, url: str) -> Path:
    """Keep `probe` of the server at `url` (as shown: without what is secret in it) in the user's cache. Raises OSError."""
    path = _file(url, probe.model)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_text(json.dumps({"url": url, "at": time.time(), **asdict(probe)}, ensure_ascii=False), "utf-8")
    draft.replace(path)
    return path


def recall(url: str, model: str) -> Probe | None:
    """What was found out about `model` at `url`, while that is fresh; None where nothing readable is kept."""
    try:
        told = json_object(json.loads(_file(url, model).read_text("utf-8")))
        age = time.time() - float(str(told["at"]))
        verdicts = tuple(_verdict(item) for item in json_array(told["verdicts"]))
        return Probe(model, verdicts, float(str(told["seconds"]))) if 0 <= age < KEPT_SECONDS else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _verdict(value: Json) -> Verdict:
    told = json_object(value)
    items: dict[str, Item] = {item: item for item in ITEMS}
    words: dict[str, Word] = {word: word for word in get_args(Word)}
    return Verdict(items[str(told["item"])], words[str(told["word"])], str(told["reason"]))


def _file(url: str, model: str) -> Path:
    name = hashlib.sha256(f"{url}\n{model}".encode()).hexdigest()[:32]
    return user_cache() / "probes" / f"{name}.json"
