"""How each engine wants a constraint in a request: one module an engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from sleuth.result import Json
from sleuth.structured_output.constraint import Constraint
from sleuth.structured_output.dialects import llama_server, llama_server_plain, ollama, openai, sglang, vllm

DialectName = Literal["llama_server", "llama_server_plain", "ollama", "openai", "sglang", "vllm"]


class Dialect(Protocol):
    def lower(self, constraint: Constraint) -> Mapping[str, Json]:
        """Fields of a chat request that ask for `constraint`. Raises ConstraintUnsupported for what the engine cannot take."""
        ...


DIALECTS: Mapping[DialectName, Dialect] = {
    "llama_server": llama_server,
    "llama_server_plain": llama_server_plain,
    "ollama": ollama,
    "openai": openai,
    "sglang": sglang,
    "vllm": vllm,
}
