"""An answer as JSON: what `--json` prints."""

from __future__ import annotations

from collections.abc import Iterable

from sleuth.evidence import Evidence
from sleuth.result import Failure, Json
from sleuth.trajectory import Action, Answer, Calls, Enforcement, GiveUp, Malformed, Observation, Step, Usage

WEAKEST_LAST: tuple[Enforcement, ...] = ("masked", "server", "validated", "repaired", "off")


def answer_json(answer: Answer, *, trace: bool = False) -> dict[str, Json]:
    """The answer, its claims and the evidence they cite; with `trace` also each step, and all the evidence that was seen.

    `seconds` is wall time. `enforced` is the weakest word of the run's requests to the model: how the form of *every* output was
    kept, at least.
    """
    cited: list[Json] = [evidence_json(item) for item in answer.cited]
    citations: list[Json] = [{"claim": claim.claim, "evidence": list(claim.evidence)} for claim in answer.citations]
    told: dict[str, Json] = {
        "question": answer.question,
        "answer": answer.text,
        "citations": citations,
        "evidence": cited,
        "stop_reason": answer.stop_reason,
        "note": answer.note,
        "seconds": round(answer.seconds, 3),
        "tokens": tokens(answer.usages),
        "enforced": weakest(answer.usages),
    }
    if trace:
        steps: list[Json] = [_step(number, step) for number, step in enumerate(answer.trajectory.steps, 1)]
        seen: list[Json] = [evidence_json(item) for item in answer.evidence]
        told |= {"trajectory": steps, "writing": [_usage(usage) for usage in answer.writing], "seen": seen}
    return told


def tokens(used: Iterable[Usage]) -> dict[str, Json]:
    """`prompt` counts what was sent, `cached` what of it the engine had read before."""
    used = tuple(used)
    return {
        "prompt": sum(usage.prompt_tokens for usage in used),
        "cached": sum(usage.cached_tokens for usage in used),
        "completion": sum(usage.completion_tokens for usage in used),
    }


def weakest(used: Iterable[Usage]) -> Enforcement | None:
    words = {usage.enforced for usage in used}
    return next((word for word in reversed(WEAKEST_LAST) if word in words), None)


def evidence_json(item: Evidence) -> dict[str, Json]:
    """`documents` counts those that hold (nearly) the same words, for a passage; what does not apply is left out."""
    where = item.locator
    told: dict[str, Json] = {
        "id": item.id,
        "kind": where.kind,
        "where": where.where,
        "page": where.page,
        "clause": where.clause,
        "heading": where.heading,
        "statement": where.statement,
        "params": list(where.params) if where.statement else None,
        "documents": len(item.also_in) + 1 if where.kind == "passage" else None,
        "also_in": list(item.also_in) or None,
        "text": item.text,
        "tool": item.tool,
        "origin": item.origin,
    }
    return {key: value for key, value in told.items() if value is not None}


def _step(number: int, step: Step) -> dict[str, Json]:
    observations: list[Json] = [_observation(seen) for seen in step.observations]
    return {
        "iteration": number,
        "thought": step.thought,
        "action": _action(step.action),
        "observations": observations,
        "seconds": round(step.seconds, 3),
        "usage": _usage(step.usage),
    }


def _action(action: Action) -> dict[str, Json]:
    match action:
        case Calls(calls):
            told: list[Json] = [
                {"id": call.id, "tool": call.tool, "part": call.part, "arguments": dict(call.arguments)} for call in calls
            ]
            return {"kind": "calls", "calls": told}
        case GiveUp(why):
            return {"kind": "insufficient", "why": why}
        case Malformed(problem):
            return {"kind": "malformed", "problem": problem}
        case _:
            return {"kind": "answer"}


def _observation(seen: Observation) -> dict[str, Json]:
    return {
        "call": seen.call.id,
        "failed": isinstance(seen.result, Failure),
        "text": seen.text,
        "evidence": [item.id for item in seen.evidence],
        "seconds": round(seen.seconds, 3),
    }


def _usage(usage: Usage) -> dict[str, Json]:
    return {
        **tokens([usage]),
        "ttft_seconds": round(usage.ttft_seconds, 3),
        "seconds": round(usage.seconds, 3),
        "enforced": usage.enforced,
    }
