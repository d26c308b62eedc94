"""A run as it happens, for people: each step, then the answer with its evidence. Plain text where there is no terminal."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from sleuth.cli.show_parts import action_lines, answer_lines, line, observed_lines, rule, usage_words
from sleuth.event import (
    AnswerStarted,
    CallStarted,
    Decided,
    Event,
    Finished,
    IterationStarted,
    Observed,
    PartStarted,
    Started,
    TextDelta,
)


class Show:
    """`with Show(console) as show: show.see(event)` for every event of a run, or of several.

    With `steps` False only the answer is printed, with `answer` False not even that. While the model or a tool works, a spinner
    counts the seconds; what is printed stays above it.
    """

    def __init__(self, console: Console, *, steps: bool = True, answer: bool = True) -> None:
        self._console = console
        self._steps = steps
        self._answer = answer
        columns = (SpinnerColumn(), TextColumn("{task.description}", style="dim", markup=False), TimeElapsedColumn())
        self._spinner = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._spinner.add_task("opening the sources", visible=False)
        self._waiting: list[str] = []
        self._written = 0

    def __enter__(self) -> Self:
        self._spinner.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._spinner.stop()

    def wait(self, what: str) -> None:
        """Show that `what` is being waited for, from now on."""
        self._spinner.reset(self._task, description=what, visible=True)

    def goes_on(self, what: str) -> None:
        """How far what is being waited for has come. May be called from any thread."""
        self._spinner.update(self._task, description=what)

    def see(self, event: Event) -> None:
        match event:
            case Started():
                self._started(event)
            case IterationStarted(number):
                self._print(rule(f"Iteration {number}"))
                self._reads("reading")
            case TextDelta():
                self._writes(event.text)
            case Decided(_, step):
                self._print(line("thought", step.thought), *action_lines(step.action), usage_words(step.usage))
            case CallStarted(_, call):
                self._waiting.append(call.tool)
                self.wait(f"waiting for {', '.join(self._waiting)}")
            case Observed(_, seen):
                self._print(*observed_lines(seen))
                self._came_back(seen.call.tool)
            case AnswerStarted():
                self._reads("reading the evidence")
            case PartStarted(number, parts):
                self._reads(f"reading the evidence on part {number} of {parts}" if parts > 1 else "reading the evidence")
            case Finished(answer):
                self._spinner.update(self._task, visible=False)
                self._print(rule("Answer"))
                for item in answer_lines(answer) if self._answer else ():
                    # In a file or a pipe a line is as long as it is.
                    self._console.print(item, soft_wrap=isinstance(item, Text) and not self._console.is_terminal)

    def _started(self, event: Started) -> None:
        for name, why in event.unavailable:
            self._print(line("source", f"{name} is not available: {why}", style="yellow"))
        for card in event.cards:
            holds = ", ".join(f"{count} {what}" for what, count in card.facts) or card.title
            self._print(line("source", f"{card.name}: {holds}"))

    def _came_back(self, tool: str) -> None:
        """A call that was answered from what is known was never waited for."""
        if tool in self._waiting:
            self._waiting.remove(tool)
        if self._waiting:
            self.goes_on(f"waiting for {', '.join(self._waiting)}")

    def _reads(self, what: str) -> None:
        self._written = 0
        self.wait(what)

    def _writes(self, text: str) -> None:
        if not self._written:
            self.wait("writing")
        self._written += len(text)
        self.goes_on(f"writing, {self._written} characters")

    def _print(self, *items: RenderableType) -> None:
        if self._steps:
            for item in items:
                self._console.print(item)
