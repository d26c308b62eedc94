"""The kind `schema`: JSON Schemas with values that are valid and values that are not. No model: does the mask let each through?

A case: `id`, `schema`, `cases` of `data` and `valid`. A value is accepted where its text, spaced as models write it here, passes
the mask and the check afterwards, and a case passes where that is so of just the valid ones. Beside that it is counted what the
mask does alone: `silently_wrong` are the schemas of which it promises all and lets something invalid through.

In the files of the JSON Schema test suite (`required` true) a format says nothing, as the specification has it. Values with
`python_jsonschema_agrees` false are left out, and schemas that need others from elsewhere (`needs_remote`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

import jsonschema_rs
from llguidance import LLMatcher, LLTokenizer

from sleuth.errors import ConstraintUnsupported
from sleuth.evals.cases import Line
from sleuth.evals.report import Outcome, Settings
from sleuth.result import Json
from sleuth.structured_output.compile import schema_lark
from sleuth.structured_output.schema.normalise import normalise


@dataclass(frozen=True, slots=True)
class Case:
    """`values` pairs each value's text with whether it is valid. `remote`: the schema refers to one that is not here."""

    id: str
    schema: dict[str, Json] | bool
    values: tuple[tuple[str, bool], ...]
    formats: bool
    remote: bool


def evaluation(lines: Sequence[Line], chosen: Sequence[Line], settings: Settings) -> Schemas:
    """Raises CaseError where a line has the wrong shape, any line of the file."""
    cases = {line.id: read_case(line) for line in lines}
    return Schemas([cases[line.id] for line in chosen])


def read_case(line: Line) -> Case:
    schema, listed = line.fields.get("schema"), line.fields.get("cases")
    if not isinstance(schema, dict | bool):
        raise line.error("'schema' must be an object, true or false", "a JSON Schema")
    if not isinstance(listed, list) or not all(isinstance(one, dict) and "data" in one for one in listed):
        raise line.error("'cases' must be a list of objects with 'data' and 'valid'", 'for example [{"data": 1, "valid": true}]')
    told = [one for one in listed if isinstance(one, dict) and one.get("python_jsonschema_agrees") is not False]
    values = tuple((json.dumps(one["data"], ensure_ascii=False), one.get("valid") is True) for one in told)
    return Case(line.id, schema, values, line.fields.get("required") is not True, line.fields.get("needs_remote") is True)


class Schemas:
    """An `Evaluation`."""

    columns = ("schema", "verdict", "kept by")

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = cases
        self._counts: Counter[str] = Counter()

    async def outcomes(self) -> AsyncIterator[Outcome]:
        for case in self._cases:
            if case.remote or not case.values:
                why = "it refers to a schema that is not here" if case.remote else "there are no values"
                yield Outcome(case.id, "unscored", why, (case.id, f"unscored: {why}", ""))
                continue
            self._counts["schemas"] += 1
            verdict, why, kept = self._scored(case)
            self._counts[verdict] += 1
            yield Outcome(case.id, "passed" if verdict == "pass" else "failed", why, (case.id, why or verdict, kept))

    def figures(self) -> dict[str, Json]:
        names = ("schemas", "pass", "over_accept", "over_reject", "refused", "silently_wrong", "mask_alone", "left_to_the_check")
        found: dict[str, Json] = {name: self._counts[name] for name in names}
        scored = self._counts["schemas"]
        return {**found, "pass_rate": round(self._counts["pass"] / scored, 4) if scored else None, "backend": "llguidance"}

    def _scored(self, case: Case) -> tuple[str, str | None, str]:
        """The verdict, what was wrong, and what keeps the schema."""
        try:
            normal = normalise(json.dumps(case.schema, ensure_ascii=False), formats=case.formats)
        except ConstraintUnsupported as error:
            return "refused", f"refused: {error.message}", "nothing"
        matcher = LLMatcher(LLTokenizer("byte"), schema_lark(normal.schema), log_level=0)
        problem = matcher.get_error() if matcher.is_error() else ""
        if problem and "Unsatisfiable" not in problem:
            return "refused", f"refused: {problem.splitlines()[0][:120]}", "nothing"
        kept = "mask and check" if normal.left else "mask"
        self._counts["left_to_the_check" if normal.left else "mask_alone"] += 1
        validator = jsonschema_rs.validator_for(case.schema, validate_formats=case.formats)
        masked = {text: not problem and _passes(matcher, text) for text, _ in case.values}
        wrong = [text for text, valid in case.values if masked[text] and not valid]
        if wrong and not normal.left:
            self._counts["silently_wrong"] += 1
        return *_judged(case, masked, validator), kept


def _judged(case: Case, masked: Mapping[str, bool], validator: jsonschema_rs.Validator) -> tuple[str, str | None]:
    accepted = {text: masked[text] and validator.is_valid(json.loads(text)) for text, _ in case.values}
    over = [text for text, valid in case.values if accepted[text] and not valid]
    under = [text for text, valid in case.values if valid and not accepted[text]]
    if over:
        return "over_accept", f"accepts {_short(over[0])}"
    return ("over_reject", f"does not accept {_short(under[0])}") if under else ("pass", None)


def _passes(matcher: LLMatcher, text: str) -> bool:
    copy, ids = matcher.deep_copy(), list(text.encode())
    return copy.try_consume_tokens(ids) == len(ids) and copy.is_accepting()


def _short(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:98]} …"
