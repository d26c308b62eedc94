"""The tools still allowed become one constraint: what the next message of the model can be, and nothing else.

Here the two halves meet: the catalogue's specifications, and the form an output is held in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sleuth.result import Json
from sleuth.structured_output.constraint import JsonSchema, closed_object
from sleuth.tool import ToolSpec

THOUGHT_CHARS = 240
PART_CHARS = 160

_LINE: Mapping[str, Json] = {"type": "string", "pattern": "^[^\\n\\r\\t]*$"}


def action_space(specs: Sequence[ToolSpec], *, may_conclude: bool, calls: int, may_give_up: bool = True) -> JsonSchema:
    """A thought, then up to `calls` calls among `specs` with each tool's own argument schema, or a conclusion.

    The thought comes first so that the choice follows from it; each call says which part of the question it is for, which makes
    a small model restate all the conditions before it writes the query.
    """
    items: Json = {"type": "array", "minItems": 1, "maxItems": calls, "items": _one_of([_call(spec) for spec in specs])}
    finishes: list[Json] = [*(["answer"] if may_conclude else []), *(["insufficient"] if may_give_up else [])]
    thought = _text(THOUGHT_CHARS, at_least=8)
    outcomes: list[Json] = [closed_object({"thought": thought, "calls": items})]
    if finishes:
        outcomes.append(closed_object({"thought": thought, "finish": {"enum": finishes}}))
    return JsonSchema.of({"anyOf": outcomes})


def _call(spec: ToolSpec) -> Json:
    return closed_object({"part": _text(PART_CHARS, at_least=4), "tool": {"const": spec.name}, "args": dict(spec.parameters)})


def _text(most: int, *, at_least: int) -> Json:
    return {**_LINE, "minLength": at_least, "maxLength": most}


def _one_of(options: list[Json]) -> Json:
    return options[0] if len(options) == 1 else {"anyOf": options}
