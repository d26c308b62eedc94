"""llama.cpp's server, and llama.cpp in process.

A grammar that begins with `%llguidance` goes to LLGuidance where that is compiled in
(https://github.com/ggml-org/llama.cpp/blob/master/docs/llguidance.md). A server without it dies of such a grammar
(https://github.com/ggml-org/llama.cpp/issues/25960): that is `llama_server_plain`, and `models.detect` tells them apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from sleuth.result import Json
from sleuth.structured_output.compile import to_lark
from sleuth.structured_output.constraint import Constraint


def lower(constraint: Constraint) -> Mapping[str, Json]:
    """Request fields for a build with LLGuidance."""
    return {"grammar": to_lark(constraint)}
