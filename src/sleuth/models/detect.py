"""Which engine is behind an address, from what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from sleuth.models.reply import as_object
from sleuth.models.transport import Refused, Transport
from sleuth.structured_output.dialects import DialectName

OWNERS: Mapping[str, DialectName] = {
    "llamacpp": "llama_server",
    "vllm": "vllm",
    "sglang": "sglang",
    "library": "ollama",
    "openai": "openai",
    "openai-internal": "openai",
    "system": "openai",
}
"""`owned_by` of the models that `GET /v1/models` lists."""


async def list_models(server: Transport) -> tuple[tuple[str, str], ...]:
    """Id and owner of the models a server lists; empty where it lists none. Raises ModelError when it does not answer to that."""
    try:
        response = await server.send("GET", "models")
    except Refused as refused:
        if refused.status in (404, 405):
            return ()
        raise
    listed = (await server.whole(response)).get("data")
    models = [as_object(entry) for entry in cast("list[object]", listed)] if isinstance(listed, list) else []
    return tuple((str(model["id"]), str(model.get("owned_by", ""))) for model in models if model.get("id"))


async def detect(server: Transport, owner: str) -> DialectName:
    """By the owner of the model, else by an address that only one engine has; "openai" where nothing tells."""
    found = OWNERS.get(owner) or await _by_address(server)
    return await _llama_build(server) if found == "llama_server" else found


async def _by_address(server: Transport) -> DialectName:
    root = server.root
    if "default_generation_settings" in await server.look(root / "props"):
        return "llama_server"
    if "tokenizer_path" in await server.look(root / "get_server_info"):
        return "sglang"
    if set(await server.look(root / "version")) == {"version"}:
        return "vllm"
    if set(await server.look(root / "api" / "version")) == {"version"}:
        return "ollama"
    return "openai"


async def _llama_build(server: Transport) -> DialectName:
    """A build without LLGuidance, as the published ones are, aborts when it is sent a grammar for it
    (https://github.com/ggml-org/llama.cpp/issues/25960). So it is asked what it makes of a schema: it repeats the grammar.
    """
    question = {"prompt": "a", "n_predict": 1, "json_schema": {"const": 1}, "response_fields": ["generation_settings/grammar"]}
    answer = await server.look(server.root / "completion", question)
    grammar = answer.get("generation_settings/grammar") or as_object(answer.get("generation_settings")).get("grammar")
    return "llama_server" if str(grammar).startswith("%llguidance") else "llama_server_plain"
