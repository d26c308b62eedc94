"""What is refused before any parser sees the text: too long, too deep, or with characters that parsers disagree about."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager

from sleuth.errors import StatementRefused

MAX_CHARS = 4_000
MAX_DEPTH = 40
# Parsers recurse once for each term of a chain: 2,000 terms of `1+1+…` exhaust a thread's small stack inside libpg_query.
MAX_OPERATORS = 400

# NUL ends the text for a C parser and not for the engine; a lone carriage return ends a comment in some engines only.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\r(?!\n)")
_OPERATOR = re.compile(r"[-+*/%<>=|&^~!]+|\b(?:and|or|not|union|intersect|except|join|when|in|is|like)\b", re.IGNORECASE)


@contextmanager
def within_depth() -> Generator[None]:
    """Chains that pass the gate can still nest deeper than Python recurses: that is the statement's fault, not a crash."""
    try:
        yield
    except RecursionError:
        raise StatementRefused("the statement nests too deep", rule="depth", hint="write a flatter one") from None


def gate(statement: str) -> None:
    """Raises StatementRefused. Depth is counted over all brackets, in literals too: the cheap side to err on."""
    if not statement.strip():
        raise StatementRefused("the statement is empty", rule="statement", hint="write one SELECT")
    if len(statement) > MAX_CHARS:
        raise StatementRefused(f"the statement is longer than {MAX_CHARS} characters", rule="length", hint="write a shorter one")
    if found := _CONTROL.search(statement):
        raise StatementRefused(
            f"the statement holds the control character U+{ord(found[0][0]):04X}",
            rule="characters",
            hint="use plain spaces and newlines",
        )
    depth = deepest = 0
    for character in statement:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth -= 1
    if deepest > MAX_DEPTH or len(re.findall(r"\bcase\b", statement, re.IGNORECASE)) > MAX_DEPTH:
        raise StatementRefused(f"the statement nests deeper than {MAX_DEPTH} levels", rule="depth", hint="write a flatter one")
    if sum(1 for _ in _OPERATOR.finditer(statement)) > MAX_OPERATORS:
        raise StatementRefused(
            f"the statement has more than {MAX_OPERATORS} operators", rule="length", hint="write a shorter one"
        )
