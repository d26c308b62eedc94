"""vLLM (https://docs.vllm.ai/en/latest/features/structured_outputs/).

A schema goes as OpenAI's `response_format`, which every version takes; `strict` is read there and not used, for it is always
kept. The rest goes as `structured_outputs`: the `guided_*` fields that came before it are ignored since 0.12, with an answer 200.
How JSON may be spaced is an option of the server: `--structured-outputs-config.disable_any_whitespace`.
"""

from __future__ import annotations

from collections.abc import Mapping

from sleuth.result import Json
from sleuth.structured_output.constraint import Choice, Constraint, Grammar, JsonSchema, Regex


def lower(constraint: Constraint) -> Mapping[str, Json]:
    """Request fields. Lark is taken as it is by the server's guidance backend, and converted by its XGrammar backend."""
    match constraint:
        case JsonSchema():
            described = {"name": "output", "schema": constraint.schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": described}}
        case Regex(pattern):
            return {"structured_outputs": {"regex": pattern}}
        case Choice(options):
            return {"structured_outputs": {"choice": list(options)}}
        case Grammar(lark):
            return {"structured_outputs": {"grammar": lark}}
