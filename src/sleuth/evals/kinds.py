"""The one door: which module scores which kind of case. A kind is added by its line here; kinds know nothing of each other."""

from __future__ import annotations

import difflib
import importlib
from typing import cast

from sleuth.errors import UsageError
from sleuth.evals.report import Kind

KINDS = {
    "questions": "sleuth.evals.questions",
    "schema": "sleuth.evals.schemas",
}
"""Loaded when asked for: a kind may need a model engine that another does without."""


def kind_called(name: str) -> Kind:
    """Raises UsageError for an unknown kind, with the nearest and all there are."""
    if name not in KINDS:
        near = difflib.get_close_matches(name, KINDS, n=1, cutoff=0.5)
        meant = f"did you mean {near[0]!r}? " if near else ""
        raise UsageError(f"there is no kind {name!r} of evaluation", hint=f"{meant}There is: {', '.join(KINDS)}")
    return cast("Kind", importlib.import_module(KINDS[name]))
