"""One run: it asks `next_move` what to do, does it, and tells whoever watches."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Literal, TypeAlias, Union

from sleuth.act.dispatch import Outcome, dispatch
from sleuth.answer.ask import claim_messages
from sleuth.answer.compose import Written, compose, failures_note, nothing_found, quoted, read_claims
from sleuth.answer.form import Part, claims_form, is_sure, parts_of
from sleuth.catalogue.catalogue import Catalogue
from sleuth.decide.action_space import action_space
from sleuth.decide.echoes import Refused, echoed
from sleuth.decide.prompt import decision_messages, question_message, system_message
from sleuth.decide.read import read_action, read_native, tool_begun
from sleuth.errors import ConstraintViolated, EndlessOutput, ModelError
from sleuth.event import AnswerStarted, CallStarted, Decided, Event, Finished, IterationStarted, Observed, PartStarted, TextDelta
from sleuth.evidence import Citation
from sleuth.limits import Limits, Spent
from sleuth.loop import Act, Decide, Stop, Write, next_move
from sleuth.models.base import Chunk, Completion, Message, Model, Request
from sleuth.models.endless import stream_until_endless
from sleuth.observe.render import observe
from sleuth.structured_output.verify import verify
from sleuth.tool import Tool, ToolCall, ToolSpec
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
    alike,
    open_parts,
)

Mode = Literal["schema", "native"]

DECISION_TOKENS = 900
ANSWER_TOKENS = 1_200

AFRESH_TEMPERATURE = 0.7

GRACE_SECONDS = 120.0
"""Time for the last words when the time limit has been reached; what was found is then quoted as it stands."""

_Output: TypeAlias = Union[TextDelta, Completion]
Told: TypeAlias = tuple[Part, Sequence[Citation]]


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

    async def events(self) -> AsyncGenerator[Event, None]:
        while True:
            match next_move(self.trajectory, self._limits):
                case Decide() as move:
                    events = self._decide(move)
                case Act() as move:
                    events = self._act(move)
                case Write(reason):
                    events = self._write(reason)
                case Stop(reason, why):
                    yield Finished(self._stopped(reason, why))
                    return
            # Closed here and not some time later, so that whoever stops listening stops the model and the tools.
            async with aclosing(events):
                async for event in events:
                    yield event
                    if isinstance(event, Finished):
                        return

    async def _decide(self, move: Decide) -> AsyncGenerator[Event, None]:
        number = len(self.trajectory.steps) + 1
        yield IterationStarted(number)
        started = time.monotonic()
        offered = self._offered(move)
        said, usage = "", Usage()
        thought, action = "", Malformed("no reply")
        try:
            async with aclosing(
                self._outputs(self._decision_request(move, offered), "decision", self._seconds_left())
            ) as outputs:
                async for output in outputs:
                    if isinstance(output, Completion):
                        said, usage = output.text, output.usage
                        thought, action = self._read(output, offered, number)
                    else:
                        yield output
        except EndlessOutput as broken:
            # Not told to the model, which would only go on with it: it is asked the same again, without that tool, and sampled.
            usage, action = broken.usage or usage, Malformed(broken.message, tool_begun(broken.output))
        except ConstraintViolated as broken:
            said, usage, action = broken.output, broken.usage or usage, Malformed(broken.message)
        except (TimeoutError, ModelError) as error:
            if len(self.trajectory.ledger):
                yield Finished(self._quoting([], error))
            elif isinstance(error, TimeoutError):
                yield Finished(self._stopped("seconds", f"the limit of {self._limits.seconds:g} seconds was reached"))
            else:
                raise
            return
        step = Step(thought, action, said, usage=usage, seconds=time.monotonic() - started)
        self._append(step, _spent(usage))
        yield Decided(number, step)

    async def _act(self, move: Act) -> AsyncGenerator[Event, None]:
        step = self.trajectory.steps[-1]
        if not isinstance(step.action, Calls):
            raise TypeError("only a step with calls can be run")
        number, started = len(self.trajectory.steps), time.monotonic()
        for call in move.calls:
            yield CallStarted(number, call)
        seen: list[Observation] = []
        pairs = [(call, self._tool(call)) for call in move.calls]
        tool_seconds = min(self._limits.tool_seconds, max(self._seconds_left(), 1.0))
        async with aclosing(dispatch(pairs, tool_seconds=tool_seconds)) as outcomes:
            for call in step.action.calls:
                known = call in move.known
                seen.append(self._known(call, seen) if known else self._observed(await anext(outcomes), seen))
                yield Observed(number, seen[-1])
        finished = replace(step, observations=tuple(seen), seconds=step.seconds + time.monotonic() - started)
        self.trajectory = replace(self.trajectory, steps=self.trajectory.steps[:-1])
        self._append(finished, Spent(calls=len(move.calls)))

    def _tool(self, call: ToolCall) -> Tool:
        tool = self._catalogue.tool(call.tool)
        asked = [text for pair in self._history for text in pair] + [self.trajectory.question]
        echoes = echoed(call, tool.spec, " ".join([*asked, *(item.text for item in self.trajectory.ledger)]))
        return Refused(tool.spec, echoes) if echoes else tool

    def _observed(self, outcome: Outcome, turn: Sequence[Observation]) -> Observation:
        """Numbered on from what this turn has brought so far."""
        first = len(self.trajectory.ledger) + sum(len(seen.evidence) for seen in turn) + 1
        text, evidence = observe(outcome.call, outcome.result, first_id=first, chars=self._limits.observation_chars)
        return Observation(outcome.call, outcome.result, text, evidence, seconds=outcome.seconds)

    def _known(self, call: ToolCall, turn: Sequence[Observation]) -> Observation:
        """A call that was made before: answered from what is known, and the model is told so."""
        before = [seen for step in self.trajectory.steps for seen in step.observations]
        for earlier in [*before, *turn]:
            if earlier.call.canonical == call.canonical:
                known = earlier.evidence or earlier.known
                ids = " ".join(f"[{item.id}]" for item in known)
                told = f"this call was made before; its result is {ids or 'above'}. Ask for something else, or answer."
                return Observation(call, earlier.result, told, known=known)
        raise LookupError(f"{call.canonical} was said to be known")

    async def _write(self, reason: StopReason) -> AsyncGenerator[Event, None]:
        """Part by part, each from its own evidence; parts that the model does not get to are quoted as they stand."""
        yield AnswerStarted(len(self.trajectory.ledger))
        parts = parts_of(self.trajectory)
        told: list[Told] = []
        writing: list[Usage] = []
        deadline = time.monotonic() + max(self._seconds_left(), GRACE_SECONDS)
        try:
            for place, part in enumerate(parts, 1):
                if _answered_elsewhere(part, told):
                    told.append((part, ()))
                    continue
                if part.none and not part.figures:
                    told.append((part, nothing_found(part, self.trajectory.ledger)))
                    continue
                yield PartStarted(place, len(parts))
                sure, asked = is_sure(part, reason), len({part.text for part in parts})
                form = claims_form(part, self.trajectory.question, self._limits.claims, sure=sure)
                messages = claim_messages(part, self.trajectory.question, asked, self._history, sure=sure)
                request = Request(messages, constraint=form, max_tokens=ANSWER_TOKENS)
                completion = Completion("")
                async with aclosing(self._outputs(request, "answer", deadline - time.monotonic())) as outputs:
                    async for output in outputs:
                        if isinstance(output, Completion):
                            completion = output
                        else:
                            yield output
                writing.append(completion.usage)
                value = verify(completion.text, form)
                claims = read_claims(value, part, self.trajectory.question, self.trajectory.ledger)
                # What a query brought is told in any case, if only as it stands.
                as_it_stands = quoted(part.evidence, self.trajectory.ledger) if sure else ()
                told.append((part, claims or as_it_stands))
        except (TimeoutError, ModelError) as error:
            if isinstance(error, ConstraintViolated) and error.usage is not None:
                writing.append(error.usage)
            yield Finished(self._quoting(told, error, reason, writing))
            return
        yield Finished(self._answer(self._composed(told), reason, writing))

    def _stopped(self, reason: StopReason, why: str) -> Answer:
        before = "The sources do not hold enough evidence to answer" if reason == "insufficient" else "There is no answer"
        return self._answer(Written(f"{before}: {why}"), reason)

    def _quoting(
        self, told: list[Told], error: TimeoutError | ModelError, ended: StopReason = "answered", writing: Sequence[Usage] = ()
    ) -> Answer:
        """What is written so far; the parts that the model did not get to are quoted as they were found."""
        late = isinstance(error, TimeoutError)
        reason: StopReason = ended if ended != "answered" else "seconds" if late else "model_error"
        words = "the time limit was reached" if late else f"the model failed ({_plain(error)})"
        done = [part for part, _ in told]
        left = [part for part in parts_of(self.trajectory) if part not in done and not _answered_elsewhere(part, told)]
        rest = [(part, quoted(part.evidence, self.trajectory.ledger)) for part in left]
        note = f"{words}; {'the rest' if told else 'what was found'} is quoted as it stands"
        return self._answer(self._composed([*told, *rest]), reason, writing, note)

    def _composed(self, told: Sequence[Told]) -> Written:
        asked = [*(question for question, _ in self._history), self.trajectory.question]
        return compose(told, open_parts(self.trajectory.steps), asked, self.trajectory.ledger)

    async def _outputs(
        self, request: Request, of: Literal["decision", "answer"], seconds: float
    ) -> AsyncGenerator[_Output, None]:
        """Raises TimeoutError after `seconds`, waiting for whoever listens left out of the limit's reach but not of its count."""
        deadline = asyncio.get_running_loop().time() + seconds
        async with aclosing(stream_until_endless(self._model, request)) as outputs:
            while True:
                # The limit is never open across a yield: it would strike whatever the listener is awaiting (PEP 789).
                async with asyncio.timeout_at(deadline):
                    output = await anext(outputs, None)
                if output is None:
                    return
                yield TextDelta(output.text, of) if isinstance(output, Chunk) else output

    def _offered(self, move: Decide) -> tuple[ToolSpec, ...]:
        """The tools to choose from; all of them where none would be left."""
        return tuple(spec for spec in self._catalogue.specs if spec.name not in move.without) or self._catalogue.specs

    def _decision_request(self, move: Decide, offered: Sequence[ToolSpec]) -> Request:
        # The seed is the iteration's number, so that equal runs still write alike.
        temperature, seed = (AFRESH_TEMPERATURE, len(self.trajectory.steps)) if move.afresh else (0.0, 0)
        request = Request(self._messages(), max_tokens=DECISION_TOKENS, temperature=temperature, seed=seed)
        if self._mode == "native":
            return replace(request, tools=tuple(offered))
        # What was said before is no evidence: a small model takes it for one, finds nothing to look up, and gives up.
        may_give_up = bool(self.trajectory.steps or not self._history)
        calls = self._limits.calls_per_turn
        form = action_space(offered, may_conclude=move.may_conclude, calls=calls, may_give_up=may_give_up)
        return replace(request, constraint=form)

    def _messages(self) -> tuple[Message, ...]:
        return decision_messages(self._head, self.trajectory, native=self._mode == "native")

    def _read(self, completion: Completion, offered: Sequence[ToolSpec], number: int) -> tuple[str, Action]:
        if self._mode == "native":
            return read_native(completion, offered, number, most=self._limits.calls_per_turn)
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


def _answered_elsewhere(part: Part, told: Sequence[Told]) -> bool:
    """Whether a query came back empty for what another source knew."""
    return part.none and any(claims and alike(part.text, other.text) for other, claims in told)


def _plain(error: TimeoutError | ModelError) -> str:
    """For the reader. What was refused is not repeated: it was refused because nothing bears it out."""
    if isinstance(error, ConstraintViolated) and not isinstance(error, EndlessOutput):
        return "what it wrote broke the form asked for, or states what no evidence holds"
    return error.message if isinstance(error, ModelError) else str(error)


def _spent(usage: Usage) -> Spent:
    return Spent(iterations=1, prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens)
