"""Progress bars, shared by the commands that bring something here."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from sleuth.sources.documents.index import Progress as IndexProgress

PATH_CHARS = 40


@contextmanager
def index_bar(console: Console) -> Generator[Callable[[IndexProgress], None]]:
    """A bar for the reading of documents: what it gives takes `Documents.on_progress`."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Indexing", total=None)

        def show(progress: IndexProgress) -> None:
            bar.update(task, description=progress.path[-PATH_CHARS:], completed=progress.done, total=progress.total)

        yield show
