"""Ollama's `/v1` (https://docs.ollama.com/capabilities/structured-outputs, https://docs.ollama.com/api/openai-compatibility).

Only a JSON Schema, and only without tools: each suppresses the other. llama.cpp's converter drops the keywords it does not know,
and models in Ollama's cloud ignore the schema (https://github.com/ollama/ollama/issues/12362): see `models.probe`.
"""

from __future__ import annotations

from collections.abc import Mapping

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json
from sleuth.structured_output.constraint import Constraint, JsonSchema


def lower(constraint: Constraint) -> Mapping[str, Json]:
    """Request fields. Raises ConstraintUnsupported for everything but a JsonSchema."""
    if not isinstance(constraint, JsonSchema):
        raise ConstraintUnsupported(f"Ollama takes no {type(constraint).__name__}", hint="use a JsonSchema")
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "output", "schema": constraint.schema}}}
