"""SGLang (https://docs.sglang.io/docs/advanced_features/structured_outputs.md).

A schema goes as `response_format`, a regular expression as a field of its own. Its `ebnf` is GBNF, which a Lark grammar is not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json
from sleuth.structured_output.constraint import Choice, Constraint, Grammar, JsonSchema, Regex


def lower(constraint: Constraint) -> Mapping[str, Json]:
    """Request fields. Raises ConstraintUnsupported for a Grammar."""
    match constraint:
        case JsonSchema():
            described = {"name": "output", "schema": constraint.schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": described}}
        case Regex(pattern):
            return {"regex": pattern}
        case Choice(options):
            return {"regex": f"({'|'.join(map(_literal, options))})"}
        case Grammar():
            raise ConstraintUnsupported("SGLang takes EBNF, and this grammar is Lark", hint="use another constraint")


def _literal(option: str) -> str:
    """Only what is special is escaped: some engines refuse an escape that means nothing."""
    return re.sub(r"[\\^$.|?*+()\[\]{}]", r"\\\g<0>", option)
