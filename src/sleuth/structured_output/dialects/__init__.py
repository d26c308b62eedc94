"""How each engine wants a constraint in a request: one module an engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from sleuth.result import Json
from sleuth.structured_output.constraint import Constraint
from sleuth.structured_output.dialects import llama_server, llama_server_plain, ollama, openai, sglang, vllm
from sleuth.structured_output.llama_converter import leaves

DialectName = Literal["llama_server", "llama_server_plain", "ollama", "openai", "sglang", "vllm"]


def _nothing(_: Constraint) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Dialect:
    """`lower` gives the fields of a chat request that ask for a constraint, and raises ConstraintUnsupported for what the engine
    cannot take. `leaves` says whether some of the constraint is left to the check afterwards, even where the engine enforces."""

    lower: Callable[[Constraint], Mapping[str, Json]]
    leaves: Callable[[Constraint], bool] = _nothing


DIALECTS: Mapping[DialectName, Dialect] = {
    "llama_server": Dialect(llama_server.lower),
    "llama_server_plain": Dialect(llama_server_plain.lower, leaves),
    "ollama": Dialect(ollama.lower, leaves),
    "openai": Dialect(openai.lower, openai.leaves),
    "sglang": Dialect(sglang.lower),
    "vllm": Dialect(vllm.lower),
}
