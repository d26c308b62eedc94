"""llama.cpp's server built without LLGuidance, as its published builds are.

Its own converter takes a JSON Schema and drops what it does not know; a choice is easily said in its GBNF
(https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md). The flat `{"type": "json_schema", "schema": …}` is read by
no version: the schema must stand under `json_schema`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json
from sleuth.structured_output.constraint import Choice, Constraint, JsonSchema


def lower(constraint: Constraint) -> Mapping[str, Json]:
    """Request fields. Raises ConstraintUnsupported for a Regex or a Grammar."""
    match constraint:
        case JsonSchema():
            return {"response_format": {"type": "json_schema", "json_schema": {"name": "output", "schema": constraint.schema}}}
        case Choice(options):
            return {"grammar": f"root ::= {' | '.join(map(_literal, options))}"}
        case _:
            raise ConstraintUnsupported(
                f"llama.cpp without LLGuidance takes no {type(constraint).__name__} here",
                hint="build it with -DLLAMA_LLGUIDANCE=ON",
            )


def _literal(option: str) -> str:
    escaped = re.sub(r'["\\\x00-\x1f\x7f]', lambda found: f"\\x{ord(found.group()):02X}", option)
    return f'"{escaped}"'
