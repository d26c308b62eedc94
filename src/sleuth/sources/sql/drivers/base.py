"""What a driver must do: look at a database, and run one checked statement read-only with bound values."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Timer
from typing import Protocol

from sleuth.errors import SourceError
from sleuth.result import Cell, Json
from sleuth.sources.sql.schema import Schema


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Ceilings of one statement, held by the engine or by the driver's own clock."""

    rows: int = 50
    cell_chars: int = 500
    seconds: float = 10.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """`more` says that the statement had further rows; `cut_cells` counts the values that were shortened."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    more: bool = False
    cut_cells: int = 0


class Session(Protocol):
    """One connection, for one statement at a time; used by one thread, save for `cancel`."""

    def run(self, statement: str, params: Sequence[Json], limits: RunLimits) -> Fetched:
        """The rows of a single SELECT, its text as given. `params` are bound to $1, $2 … by the engine, never spliced.

        Raises SourceError with the engine's reason, in words that are safe to show.
        """
        ...

    def cancel(self) -> None:
        """Stop the running statement; from any thread."""
        ...

    def close(self) -> None: ...


class Guard(Protocol):
    def check(self, statement: str, params: int) -> None:
        """Raises StatementRefused unless `statement` is one SELECT over the allowed tables with exactly `params` placeholders."""
        ...


class Driver(Protocol):
    def introspect(self) -> Schema:
        """Every table and view of the default namespace. Raises SourceUnavailable."""
        ...

    def guard(self, schema: Schema) -> Guard:
        """The guard of this engine over the tables of `schema`."""
        ...

    def session(self) -> Session:
        """Raises SourceUnavailable."""
        ...

    def close(self) -> None: ...


@contextmanager
def deadline(seconds: float, stop: Callable[[], None]) -> Generator[Event]:
    """Call `stop` from another thread after `seconds`; the event says whether that happened."""
    fired = Event()

    def fire() -> None:
        fired.set()
        stop()

    timer = Timer(seconds, fire)
    timer.daemon = True
    timer.start()
    try:
        yield fired
    finally:
        timer.cancel()
        # A stop already under way ends here: later it would hit the next statement of the session.
        timer.join()


def too_slow(seconds: float) -> SourceError:
    return SourceError(
        f"the statement ran longer than {seconds:g} s and was stopped",
        hint="read fewer rows: add a WHERE condition, or join on the key columns",
    )
