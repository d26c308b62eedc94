"""Text from outside made plain: it is data, and must not speak in the model's own format."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, time
from decimal import Decimal

from sleuth.result import Cell

_BARS = r"[|｜]"
_TEMPLATE_MARKS = re.compile(
    "|".join(
        (
            rf"<{_BARS}[^<>|｜\n]{{1,40}}{_BARS}>",  # ChatML, Llama 3, Phi, Granite; DeepSeek's have fullwidth bars
            r"\[\|[^\[\]|\n]{1,40}\|\]",  # EXAONE
            r"</?(?:tool_call|tool_calls|tool_response|tools|think|s|bos|eos|pad|unk|sop|eop)>",
            r"<(?:start|end)_of_(?:turn|image|role)>|<turn\|>|<\|turn>",  # Gemma
            r"<(?:bos|eos|unused\d{1,4}|extra_id_\d{1,4})(?:_token)?>",
            r"\[/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|CALL_ID|ARGS|THINK|IMG|gMASK)\]",
            r"<</?SYS>>",
        )
    ),
    re.IGNORECASE,
)
"""What marks turns, roles and calls in the chat templates of the families that people run themselves."""


def unmarked(text: str) -> str:
    """`text` in one line, without control, format and template characters; its blanks stay as they are."""
    plain = "".join(" " if character in "\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029" else character for character in text)
    plain = "".join(character for character in plain if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co"))
    while (fewer := _TEMPLATE_MARKS.sub(" ", plain)) != plain:  # one mark taken out of another can leave a third
        plain = fewer
    return plain


def clean(text: str) -> str:
    """`text` in one line, without control, format and template characters, each gap one blank."""
    return " ".join(unmarked(text).split())


def cell_text(cell: Cell) -> str:
    """A database value as text: NULL as null, all digits of a decimal, and those of a float that its 53 bits are sure of.

    A sum of prices held as floats is 79.4 in every tool that people use, not 79.40000000000002.
    """
    match cell:
        case None:
            return "null"
        case bool():
            return "true" if cell else "false"
        case bytes():
            return f"{len(cell)} bytes"
        case Decimal():
            return format(cell, "f")
        case float():
            digits = format(cell, ".15g")
            return format(Decimal(digits), "f") if 1e-6 < abs(cell) < 1e21 else digits
        case datetime() | date() | time():
            return cell.isoformat()
        case _:
            return clean(str(cell))
