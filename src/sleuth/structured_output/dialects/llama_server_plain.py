"""llama.cpp's server built without LLGuidance: its own converter, which takes a JSON Schema only and drops what it does not know
(https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md). The flat `{"type": "json_schema", "schema": …}` is read by
no version: the schema must stand under `json_schema`.
"""

from __future__ import annotations

from collections.abc import Mapping

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json
from sleuth.structured_output.constraint import Constraint, JsonSchema


def lower(constraint: Constraint) -> Mapping[str, Json]:
    """Request fields. Raises ConstraintUnsupported for everything but a JsonSchema."""
    if not isinstance(constraint, JsonSchema):
        raise ConstraintUnsupported(
            f"llama.cpp without LLGuidance takes no {type(constraint).__name__} here", hint="build it with -DLLAMA_LLGUIDANCE=ON"
        )
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "output", "schema": constraint.schema}}}
