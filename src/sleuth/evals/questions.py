"""The kind `questions`: whole questions, answered by an agent; right if the answer is right and the needed tools were used.

A case: `id`, `question`, `answer_type` with `answer` (see `check`), and where they apply `tolerance` (absolute), `candidates`,
`needs` (the set of tools to use; left out, any will do), `lang` and `sql` (what `workspace` reads). A case without an answer or
with an unknown answer_type is not asked and stays unscored.

A set without `candidates` takes those that `others` finds in the SQLite files beside the case file; without such files nothing
tells what else could have been named, and only what is missing counts.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from time import monotonic

from sleuth.errors import (
    ChecksumMismatch,
    ModelError,
    ModelNotFound,
    ModelUnavailable,
    SleuthError,
    SourceError,
    UsageError,
)
from sleuth.evals.cases import Line
from sleuth.evals.check import ANSWER_TYPES, AnswerType, Expected, Given, wrong_because
from sleuth.evals.figures import Asked, figures
from sleuth.evals.first_turn import FirstTurn, native_turn, schema_turn, turn_figures, turn_row
from sleuth.evals.others import candidates
from sleuth.evals.report import Outcome, Settings
from sleuth.evals.tools import kind_of
from sleuth.evals.workspace import Workspace, workspace
from sleuth.result import Json
from sleuth.trajectory import Answer, Calls

COMPARISONS = ("native",)


@dataclass(frozen=True, slots=True)
class Case:
    """`expected` is None where the case cannot be scored; `unscorable` says why."""

    id: str
    question: str
    lang: str
    needs: frozenset[str] | None
    expected: Expected | None
    unscorable: str | None = None


def evaluation(lines: Sequence[Line], chosen: Sequence[Line], settings: Settings) -> Questions:
    """See `report.Kind`. Every line of the file is read before the first question is asked."""
    if settings.compare is not None and settings.compare not in COMPARISONS:
        raise UsageError(f"there is no comparison with {settings.compare!r}", hint=f"there is: {', '.join(COMPARISONS)}")
    if settings.compare == "native" and settings.mode == "native":
        raise UsageError("native calls cannot be compared with themselves", hint="leave out --mode native")
    cases = {line.id: read_case(line) for line in lines}
    return Questions([cases[line.id] for line in chosen], lines, settings)


def read_case(line: Line) -> Case:
    """Raises CaseError where a field has the wrong shape."""
    needs = line.texts("needs")
    expected = _expected(line)
    lang = line.text("lang") if line.fields.get("lang") is not None else "en"
    asked = (line.id, line.text("question"), lang, frozenset(needs) if needs is not None else None)
    return Case(*asked, None, expected) if isinstance(expected, str) else Case(*asked, expected)


class Questions:
    """An `Evaluation`. Questions are asked one after the other, so that their seconds can be compared."""

    columns = ("question", "tools used", "answer", "right or wrong", "seconds")

    def __init__(self, cases: Sequence[Case], lines: Sequence[Line], settings: Settings) -> None:
        self._cases = cases
        self._lines = lines
        self._settings = settings
        self._asked: list[Asked] = []
        self._schema: list[FirstTurn] = []
        self._native: list[FirstTurn] = []
        self._about: dict[str, Json] = {}
        self._failed: ModelError | None = None

    async def outcomes(self) -> AsyncIterator[Outcome]:
        """Raises SleuthError where nothing can be asked: no model, no source, or not one run that came to its end."""
        async with workspace(self._lines, self._settings) as place:
            self._settings.tell(f"sources: {place.about}")
            started = monotonic()
            await place.agent.open()
            self._about = {
                "model": place.agent.model.name,
                "mode": place.agent.mode,
                "sources": place.about,
                "opening_seconds": round(monotonic() - started, 3),
            }
            for case in self._cases:
                yield await self._outcome(case, place)
            if self._failed is not None and all(one.answer is None for one in self._asked):
                raise self._failed
            if self._settings.compare == "native":
                await self._compare(place)

    def figures(self) -> dict[str, Json]:
        found = {**self._about, **figures(self._asked)}
        if self._settings.compare == "native":
            said: list[Json] = [turn_row(one.id, turn) for one, turn in zip(self._asked, self._native, strict=False)]
            found |= {"schema": turn_figures(self._schema), "native": turn_figures(self._native), "native_rows": said}
        return found

    async def _outcome(self, case: Case, place: Workspace) -> Outcome:
        if case.expected is None:
            return Outcome(case.id, "unscored", case.unscorable, (case.question, "", "", f"unscored: {case.unscorable}", ""))
        answer, error, started = None, None, monotonic()
        try:
            answer = await place.agent.run(case.question)
        except (ModelUnavailable, SourceError) as down:
            if not self._asked:
                raise
            why = f"could not be asked: {down.message}"
            return Outcome(case.id, "unscored", why, (case.question, "", "", f"unscored: {why}", ""))
        except (ModelNotFound, ChecksumMismatch):
            raise
        except ModelError as failed:
            error = self._failed = failed
        seconds = monotonic() - started
        asked, why = judged(case, answer, error, seconds, place)
        self._asked.append(asked)
        if answer is not None and answer.trajectory.steps:
            self._schema.append(schema_turn(answer.trajectory.steps[0], case.needs))
        return Outcome(case.id, "passed" if asked.passed else "failed", why or None, _cells(asked, why))

    async def _compare(self, place: Workspace) -> None:
        """After the questions, not between them: another head of the prompt would push theirs out of the prefix cache."""
        for number, one in enumerate(self._asked, 1):
            self._settings.tell(f"native first turn {number} of {len(self._asked)}: {one.id}")
            self._native.append(await native_turn(place.agent, one.question, one.needs))


def judged(case: Case, answer: Answer | None, error: SleuthError | None, seconds: float, place: Workspace) -> tuple[Asked, str]:
    """The case with its answer scored, and what was wrong with it ("" for nothing). The case must have `expected`."""
    tools = _tools_used(answer, case.needs) if answer else ()
    tools_right = None if case.needs is None else frozenset(tools) == case.needs
    wrong = _wrong(case, answer, place) if answer else f"the run failed: {error.message if error else 'without an answer'}"
    asked = Asked(
        case.id,
        case.lang,
        case.question,
        case.needs,
        answer,
        tools,
        seconds,
        wrong is None,
        tools_right,
        wrong if error else None,
    )
    complaints = [wrong] if wrong else []
    if case.needs is not None and not tools_right:
        complaints.append(f"used {_listed(tools)}, needed {_listed(case.needs)}")
    return asked, "; ".join(complaints)


def _wrong(case: Case, answer: Answer, place: Workspace) -> str | None:
    if case.expected is None:
        raise ValueError(f"{case.id} has no expected answer")
    expected = case.expected
    if expected.answer_type == "set" and not expected.candidates:
        expected = Expected("set", expected.items, candidates=candidates(place.databases, expected.items))
    given = Given(case.question, answer.text, answer.stop_reason, answer.answered, case.lang)
    return wrong_because(expected, given)


def _expected(line: Line) -> Expected | str:
    """What the case expects, or why it cannot be scored."""
    answer, kind = line.fields.get("answer"), line.fields.get("answer_type")
    if kind not in ANSWER_TYPES:
        return f"unknown answer_type {kind!r}" if kind is not None else "the case has no answer_type"
    answer_type: AnswerType = kind  # pyright: ignore[reportAssignmentType] - narrowed by the membership test above
    if answer_type == "abstain":
        return Expected("abstain")
    if answer is None or answer == []:
        return "the case has no answer"
    given = answer if isinstance(answer, list) else [answer]
    if answer_type in ("number", "string") and len(given) != 1:
        raise line.error(f"'answer' of a {answer_type} must be a single value")
    if not all(isinstance(item, str | int | float) and not isinstance(item, bool) for item in given):
        raise line.error("'answer' must be a number, a text, or a list of texts")
    if answer_type == "number" and not isinstance(given[0], int | float):
        raise line.error("'answer' of a number must be a number")
    tolerance = line.fields.get("tolerance")
    if tolerance is not None and (not isinstance(tolerance, int | float) or isinstance(tolerance, bool) or tolerance < 0):
        raise line.error("'tolerance' must be a number that is not negative")
    items = tuple(str(item) for item in given)
    return Expected(answer_type, items, Decimal(str(tolerance or 0)), line.texts("candidates") or ())


def _tools_used(answer: Answer, needs: frozenset[str] | None) -> tuple[str, ...]:
    calls = [call for step in answer.trajectory.steps if isinstance(step.action, Calls) for call in step.action.calls]
    return tuple(dict.fromkeys(kind_of(call.tool, needs) for call in calls))


def _cells(asked: Asked, why: str) -> tuple[str, ...]:
    told = asked.answer.text if asked.answer else ""
    verdict = "right" if asked.passed else f"answer right, tools not: {why}" if asked.answer_right else f"wrong: {why}"
    return (asked.question, _listed(asked.tools), told, verdict, f"{asked.seconds:.1f}")


def _listed(tools: Sequence[str] | frozenset[str]) -> str:
    ordered = tools if isinstance(tools, tuple) else sorted(tools)
    return " + ".join(ordered) or "no tool"
