"""Tools by kind: a workspace of several databases calls them sql_query_<name>, a case says only sql_query."""

from __future__ import annotations

from collections.abc import Iterable

BUILT_IN = ("vector_search", "sql_query", "web_search")


def kind_of(tool: str, needs: Iterable[str] | None = None) -> str:
    """The built-in or needed tool that `tool` is, or is one of several of; else itself."""
    kinds = {*BUILT_IN, *(needs or ())}
    if tool in kinds:
        return tool
    return max((kind for kind in kinds if tool.startswith(f"{kind}_")), key=len, default=tool)
