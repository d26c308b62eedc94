"""The tree of errors is the one that is drawn, and each class can be told apart by its code."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import sleuth
from sleuth import errors
from sleuth.errors import SleuthError

PACKAGE = Path(sleuth.__file__).parent


def drawn() -> dict[str, str]:
    """Each class of the drawing with the one it stands under."""
    under: dict[str, str] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        if found := re.match(r"    ((?:[│├└─ ]{4})*)(\w+)(?: {2,}|$)", line):
            depth = len(found[1]) // 4
            path[depth:] = [found[2]]
            under[found[2]] = path[depth - 1] if depth else ""
    return under


def defined() -> dict[str, str]:
    """Each class of the package that is a SleuthError with its base."""
    for file in PACKAGE.rglob("*.py"):
        if re.search(r"^class \w+\(.*(Error|Unavailable|Refused|Violated)\b.*\):", file.read_text("utf-8"), re.MULTILINE):
            importlib.import_module(".".join(("sleuth", *file.relative_to(PACKAGE).with_suffix("").parts)))
    under, todo = {"SleuthError": ""}, [SleuthError]
    while todo:
        base = todo.pop()
        own = [kind for kind in base.__subclasses__() if kind.__module__.startswith("sleuth.")]
        under |= {kind.__name__: base.__name__ for kind in own}
        todo += own
    return under


def test_every_error_of_the_package_stands_in_the_drawing_under_its_base() -> None:
    assert drawn() == defined()


def test_each_class_of_the_file_has_a_code_of_its_own() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, SleuthError)]
    assert len({kind.code for kind in kinds}) == len(kinds) > 10
