"""The figures of asked questions: how many right and why they ended, how long they took, what they cost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from sleuth.result import Json
from sleuth.trajectory import Answer, Calls, Usage


@dataclass(frozen=True, slots=True)
class Asked:
    """One question asked. `answer` is None where the run raised `error`. `tools_right` is None for a case that needs none in
    particular; `tools` are kinds, in the order of their first use."""

    id: str
    lang: str
    question: str
    needs: frozenset[str] | None
    answer: Answer | None
    tools: tuple[str, ...]
    seconds: float
    answer_right: bool
    tools_right: bool | None
    error: str | None = None

    @property
    def passed(self) -> bool:
        return self.answer_right and self.tools_right is not False

    @property
    def requests(self) -> tuple[Usage, ...]:
        """What each request to the model used."""
        return self.answer.usages if self.answer else ()

    @property
    def stop_reason(self) -> str:
        return self.answer.stop_reason if self.answer else "error"


def figures(asked: Sequence[Asked]) -> dict[str, Json]:
    """Shares are null where nothing was scored. Seconds are wall time, from the question to the answer."""
    with_tools = [one for one in asked if one.tools_right is not None]
    languages = sorted({one.lang for one in asked})
    return {
        "scored": len(asked),
        "answer_right": _counted(one.answer_right for one in asked),
        "tools_right": _counted(one.tools_right is True for one in with_tools),
        "passed": _counted(one.passed for one in asked),
        "seconds": _spread([one.seconds for one in asked]),
        "tokens": _tokens([usage for one in asked for usage in one.requests]),
        "stop_reasons": dict(Counter(one.stop_reason for one in asked).most_common()),
        "enforced": dict(Counter(usage.enforced for one in asked for usage in one.requests if usage.completion_tokens)),
        "by_language": {lang: _of_language([one for one in asked if one.lang == lang]) for lang in languages},
        "rows": [_row(one) for one in asked],
    }


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of them do not exceed (nearest rank). `values` must not be empty."""
    return sorted(values)[max(math.ceil(share * len(values)), 1) - 1]


def _counted(verdicts: Iterable[bool]) -> Mapping[str, Json]:
    told = list(verdicts)
    return {"count": sum(told), "of": len(told), "share": round(sum(told) / len(told), 4) if told else None}


def _spread(seconds: Sequence[float]) -> Mapping[str, Json]:
    if not seconds:
        return {"median": None, "p95": None, "total": 0.0}
    return {
        "median": round(median(seconds), 3),
        "p95": round(percentile(seconds, 0.95), 3),
        "total": round(sum(seconds), 3),
    }


def _tokens(requests: Sequence[Usage]) -> Mapping[str, Json]:
    return {
        "prompt": sum(usage.prompt_tokens for usage in requests),
        "cached": sum(usage.cached_tokens for usage in requests),
        "completion": sum(usage.completion_tokens for usage in requests),
        "requests": sum(bool(usage.completion_tokens) for usage in requests),
    }


def _of_language(asked: Sequence[Asked]) -> Mapping[str, Json]:
    return {
        "scored": len(asked),
        "answer_right": sum(one.answer_right for one in asked),
        "tools_right": sum(one.tools_right is True for one in asked),
        "passed": sum(one.passed for one in asked),
    }


def _calls(answer: Answer) -> list[Json]:
    made = [call for step in answer.trajectory.steps if isinstance(step.action, Calls) for call in step.action.calls]
    return [{"tool": call.tool, "arguments": call.arguments} for call in made]


def _row(one: Asked) -> Mapping[str, Json]:
    return {
        "id": one.id,
        "lang": one.lang,
        "question": one.question,
        "needs": sorted(one.needs) if one.needs is not None else None,
        "tools": list(one.tools),
        "calls": _calls(one.answer) if one.answer else [],
        "answer": one.answer.text if one.answer else None,
        "note": one.answer.note if one.answer else one.error,
        "answer_right": one.answer_right,
        "tools_right": one.tools_right,
        "passed": one.passed,
        "stop_reason": one.stop_reason,
        "iterations": len(one.answer.trajectory.steps) if one.answer else 0,
        "seconds": round(one.seconds, 3),
        "prompt_tokens": sum(usage.prompt_tokens for usage in one.requests),
        "completion_tokens": sum(usage.completion_tokens for usage in one.requests),
    }
