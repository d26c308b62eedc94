"""Ask a question over your documents, your database and the web, on the model and hardware you have."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

# At once, unlike the others: the function and its module have one name, and whichever is bound last has it.
from sleuth.tool import tool as tool

__version__ = "0.1.0"

if TYPE_CHECKING:
    from sleuth.agent import Agent as Agent
    from sleuth.errors import SleuthError as SleuthError
    from sleuth.evidence import Citation as Citation
    from sleuth.evidence import Evidence as Evidence
    from sleuth.limits import Limits as Limits
    from sleuth.models.llamacpp import LlamaCpp as LlamaCpp
    from sleuth.models.openai_chat import OpenAIChat as OpenAIChat
    from sleuth.sources.documents.source import Documents as Documents
    from sleuth.sources.sql.source import Database as Database
    from sleuth.sources.web.source import Web as Web
    from sleuth.tool import ToolSpec as ToolSpec
    from sleuth.trajectory import Answer as Answer
    from sleuth.trajectory import Trajectory as Trajectory

_HOMES = {
    "Agent": "sleuth.agent",
    "Answer": "sleuth.trajectory",
    "Citation": "sleuth.evidence",
    "Database": "sleuth.sources.sql.source",
    "Documents": "sleuth.sources.documents.source",
    "Evidence": "sleuth.evidence",
    "Limits": "sleuth.limits",
    "LlamaCpp": "sleuth.models.llamacpp",
    "OpenAIChat": "sleuth.models.openai_chat",
    "SleuthError": "sleuth.errors",
    "ToolSpec": "sleuth.tool",
    "Trajectory": "sleuth.trajectory",
    "Web": "sleuth.sources.web.source",
}

__all__ = ["__version__", "tool", *sorted(_HOMES)]  # pyright: ignore[reportUnsupportedDunderAll] - each name is imported above, for type checkers


def __getattr__(name: str) -> object:
    """Names are loaded when first used, so that `import sleuth` costs nothing that is not needed."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'sleuth' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
