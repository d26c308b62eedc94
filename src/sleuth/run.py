"""One run: it asks `next_move` what to do, does it, and tells whoever watches."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, Union

from sleuth import loop
from sleuth.act.dispatch import dispatch
from sleuth.answer.ask import claim_messages
from sleuth.answer.compose import Written, compose, failures_note, quoted, read_claims, unanswered_parts
from sleuth.answer.form import Part, claims_form, parts_of
from sleuth.catalogue.catalogue import Catalogue
from sleuth.decide.action_space import action_space
from sleuth.decide.prompt import decision_messages, question_message, system_message
from sleuth.decide.read import read_action, read_native
from sleuth.errors import ConstraintViolated, EndlessOutput, ModelError
from sleuth.event import AnswerStarted, CallStarted, Decided, Event, Finished, IterationStarted, Observed, TextDelta
from sleuth.evidence import Citation
from sleuth.limits import Limits, Spent
from sleuth.models.base import Chunk, Completion, Message, Model, Request
from sleuth.models.endless import stream_until_endless
from sleuth.observe.render import observe
from sleuth.result import Result
from sleuth.structured_output.verify import verify
from sleuth.tool import ToolCall
from sleuth.trajectory import (
    Action,
    Answer,
    Calls,
    Malformed,
    Observation,
    Step,
    StopReason,
    Trajectory,
    Usage,
)

Mode = Literal["schema", "native"]

DECISION_TOKENS = 900
ANSWER_TOKENS = 1_200

AFRESH_TEMPERATURE = 0.7

GRACE_SECONDS = 120.0
"""Time for the last words when the time limit has been reached; what was found is then quoted as it stands."""

_Output: TypeAlias = Union[TextDelta, Completion]


class Run:
    """The state of one run; `events` may be iterated once."""

    def __init__(
        self,
        question: str,
        model: Model,
        catalogue: Catalogue,
        limits: Limits,
        mode: Mode,
        history: Sequence[tuple[str, str]] = (),
        unavailable: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.trajectory = Trajectory(question)
        self._model = model
        self._catalogue = catalogue
        self._limits = limits
        self._mode: Mode = mode
        self._unavailable = unavailable
        self._history = history
        self._head = (
            system_message(catalogue, native=mode == "native"),
            question_message(question, catalogue, history),
        )
        self._started = time.monotonic()
        self._booked_seconds = 0.0

    async def events(self) -> AsyncIterator[Event]:
        while True:
            move = loop.next_move(self.trajectory, self._limits)
            match move:
                case loop.Decide():
                    turns = self._decide(move)
                case loop.Run():
                    turns = self._act(move)
                case loop.Write():
                    turns = self._write(move.reason)
                case loop.Stop():
                    turns = self._stop(move.reason, move.why)
            async for event in turns:
                yield event
                if isinstance(event, Finished):
                    return

    async def _decide(self, move: loop.Decide) -> AsyncIterator[Event]:
        number = len(self.trajectory.steps) + 1
        yield IterationStarted(number)
        started = time.monotonic()
        completion: Completion | None = None
        thought, action = "", Malformed("no reply")
        try:
            async with asyncio.timeout(self._seconds_left()):
                async for output in self._outputs(self._decision_request(move), "decision"):
                    if isinstance(output, Completion):
                        completion = output
                    else:
                        yield output
            if completion is not None:
                thought, action = self._read(completion, number)
        except EndlessOutput as broken:
            # Not told to the model, which would only go on with it: it is asked the same again, and then sampled.
            action = Malformed(broken.message)
        except ConstraintViolated as broken:
            completion, action = Completion(broken.output), Malformed(broken.message)
        except (TimeoutError, ModelError) as error:
            async for event in self._model_failed(error):
                yield event
            return
        completion = completion or Completion("")
        step = Step(thought, action, completion.text, usage=completion.usage, seconds=time.monotonic() - started)
        self._append(step, _spent(completion.usage))
        yield Decided(number, step)

    async def _act(self, move: loop.Run) -> AsyncIterator[Event]:
        step = self.trajectory.steps[-1]
        if not isinstance(step.action, Calls):
            raise TypeError("only a step with calls can be run")
        number, started = len(self.trajectory.steps), time.monotonic()
        for call in move.calls:
            yield CallStarted(number, call)
        done: dict[str, tuple[Result, float]] = {}
        seen: list[Observation] = []
        pairs = [(call, self._catalogue.tool(call.tool)) for call in move.calls]
        async for outcome in dispatch(pairs, tool_seconds=min(self._limits.tool_seconds, max(self._seconds_left(), 1.0))):
            done[outcome.call.id] = outcome.result, outcome.seconds
            # Evidence is numbered in the order of the calls, not of their return, so that equal runs number alike.
            for observation in self._ready(step.action.calls[len(seen) :], move, done, seen):
                seen.append(observation)
                yield Observed(number, observation)
        for observation in self._ready(step.action.calls[len(seen) :], move, done, seen):
            seen.append(observation)
            yield Observed(number, observation)
        finished = replace(step, observations=tuple(seen), seconds=step.seconds + time.monotonic() - started)
        self.trajectory = replace(self.trajectory, steps=self.trajectory.steps[:-1])
        self._append(finished, Spent(calls=len(move.calls)))

    def _ready(
        self, calls: Sequence[ToolCall], move: loop.Run, done: dict[str, tuple[Result, float]], seen: list[Observation]
    ) -> list[Observation]:
        """The observations that can be numbered now: of the next calls in order, up to the first that is still running."""
        ready: list[Observation] = []
        for call in calls:
            known = call in move.known
            if not known and call.id not in done:
                break
            if known:
                ready.append(self._known(call, [*seen, *ready]))
                continue
            result, seconds = done[call.id]
            first = len(self.trajectory.ledger) + sum(len(item.evidence) for item in [*seen, *ready]) + 1
            text, evidence = observe(call, result, first_id=first, chars=self._limits.observation_chars)
            ready.append(Observation(call, result, text, evidence, seconds))
        return ready

    def _known(self, call: ToolCall, turn: Sequence[Observation]) -> Observation:
        """A call that was made before: answered from what is known, and the model is told so."""
        before = [seen for step in self.trajectory.steps for seen in step.observations]
        for earlier in [*before, *turn]:
            if earlier.call.canonical == call.canonical:
                ids = " ".join(f"[{item.id}]" for item in earlier.evidence)
                told = f"this call was made before; its result is {ids or 'above'}. Ask for something else, or answer."
                return Observation(call, earlier.result, told)
        raise LookupError(f"{call.canonical} was said to be known")

    async def _write(self, reason: StopReason) -> AsyncIterator[Event]:
        """Part by part, each from its own evidence; parts that the model does not get to are quoted as they stand."""
        yield AnswerStarted(len(self.trajectory.ledger))
        parts = parts_of(self.trajectory)
        told: list[tuple[Part, tuple[Citation, ...]]] = []
        writing: list[Usage] = []
        note = None
        try:
            async with asyncio.timeout(max(self._seconds_left(), GRACE_SECONDS)):
                for part in parts:
                    form = claims_form(part, self.trajectory.question, self._limits.claims)
                    messages = claim_messages(part, self.trajectory.question, len(parts), self._history)
                    completion = Completion("")
                    async for output in self._outputs(Request(messages, constraint=form, max_tokens=ANSWER_TOKENS), "answer"):
                        if isinstance(output, Completion):
                            completion = output
                        else:
                            yield output
                    writing.append(completion.usage)
                    value = verify(completion.text, form)
                    told.append((part, read_claims(value, part, self.trajectory.question, self.trajectory.ledger)))
        except (TimeoutError, ModelError) as error:
            why = "ran out of time" if isinstance(error, TimeoutError) else str(error.args[0] if error.args else error)
            told += [(part, quoted(part.evidence, self.trajectory.ledger)) for part in parts[len(told) :]]
            note = f"the model could not write the whole answer ({why}); the rest is quoted as it was found"
            reason = reason if reason not in ("answered",) else "model_error"
        written = compose(told, unanswered_parts(self.trajectory), self.trajectory.question)
        yield Finished(self._answer(written, reason, writing, note))

    async def _stop(self, reason: StopReason, why: str) -> AsyncIterator[Event]:
        text = f"The sources do not hold enough evidence to answer: {why}"
        yield Finished(self._answer(Written(text, missing=(self.trajectory.question,)), reason))

    async def _model_failed(self, error: TimeoutError | ModelError) -> AsyncIterator[Event]:
        """With evidence in hand the run ends with it; without, the error is the caller's."""
        if not len(self.trajectory.ledger):
            if isinstance(error, TimeoutError):
                async for event in self._stop("seconds", f"the limit of {self._limits.seconds:g} seconds was reached"):
                    yield event
                return
            raise error
        reason: StopReason = "seconds" if isinstance(error, TimeoutError) else "model_error"
        note = "the time limit was reached" if isinstance(error, TimeoutError) else f"the model failed ({error.args[0]})"
        ledger = self.trajectory.ledger
        told = [(part, quoted(part.evidence, ledger)) for part in parts_of(self.trajectory)]
        written = compose(told, unanswered_parts(self.trajectory), self.trajectory.question)
        yield Finished(self._answer(written, reason, note=f"{note}; this is what was found"))

    async def _outputs(self, request: Request, of: str) -> AsyncIterator[_Output]:
        async for output in stream_until_endless(self._model, request):
            yield TextDelta(output.text, of) if isinstance(output, Chunk) else output

    def _decision_request(self, move: loop.Decide) -> Request:
        specs = tuple(spec for spec in self._catalogue.specs if spec.name not in move.without) or self._catalogue.specs
        if self._mode == "native":
            return Request(self._messages(), tools=specs, max_tokens=DECISION_TOKENS)
        form = action_space(specs, may_conclude=move.may_conclude, calls=self._limits.calls_per_turn)
        # The seed is the iteration's number, so that equal runs still write alike.
        temperature, seed = (AFRESH_TEMPERATURE, len(self.trajectory.steps)) if move.afresh else (0.0, 0)
        return Request(self._messages(), constraint=form, max_tokens=DECISION_TOKENS, temperature=temperature, seed=seed)

    def _messages(self) -> tuple[Message, ...]:
        return decision_messages(self._head, self.trajectory, native=self._mode == "native")

    def _read(self, completion: Completion, number: int) -> tuple[str, Action]:
        if self._mode == "native":
            return read_native(completion, self._catalogue.specs, number)
        return read_action(completion.text, number)

    def _append(self, step: Step, spent: Spent) -> None:
        seconds = time.monotonic() - self._started
        self.trajectory = self.trajectory.extended(step, replace(spent, seconds=seconds - self._booked_seconds))
        self._booked_seconds = seconds

    def _seconds_left(self) -> float:
        return max(self._limits.seconds - (time.monotonic() - self._started), 0.0)

    def _answer(self, written: Written, reason: StopReason, writing: Sequence[Usage] = (), note: str | None = None) -> Answer:
        if reason == "answered" and not written.citations:
            reason = "insufficient"
        limit = f"stopped at the limit of {reason}" if reason in ("iterations", "seconds", "tokens") else None
        down = "; ".join(f"{name} was not available ({why})" for name, why in self._unavailable)
        notes = "; ".join(part for part in (note, limit, failures_note(self.trajectory), down, written.doubt) if part)
        asked = self.trajectory.question
        return Answer(asked, written.text, written.citations, reason, self.trajectory, notes or None, tuple(writing))


def _spent(usage: Usage) -> Spent:
    return Spent(iterations=1, prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens)
