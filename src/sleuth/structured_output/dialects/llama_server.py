"""llama.cpp's server, and llama.cpp in process.

A grammar that begins with `%llguidance` goes to LLGuidance where that is compiled in
(https://github.com/ggml-org/llama.cpp/blob/master/docs/llguidance.md); a build without it answers 400 or, worse, free text,
which is why a server is probed. Its own JSON Schema converter drops what it does not know, so a schema is sent as a grammar.
"""

from __future__ import annotations

from collections.abc import Mapping

from sleuth.result import Json
from sleuth.structured_output.compile import to_lark
from sleuth.structured_output.constraint import Constraint


def lower(constraint: Constraint) -> Mapping[str, Json]:
    """Request fields for a build with LLGuidance."""
    return {"grammar": to_lark(constraint)}
