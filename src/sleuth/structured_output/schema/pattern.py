"""ECMA-262 patterns, as JSON Schema has them, in the syntax of the Rust crate `regex`, which LLGuidance's masks are built with.

Most patterns mean the same in both, and some do not, without a word: `.` stops at four line ends here and at one there, `[[a]`
is a class of two characters here and a nested class there, `&&` is two ampersands here and an intersection there
(https://tc39.es/ecma262/#sec-patterns, https://docs.rs/regex/latest/regex/#syntax).

One fault of LLGuidance (seen in 1.9.1) is gone round here: of a class that holds every control character it takes both `"` and
the backslash to be in it, so that `[^"]` lets a quote through. Negated classes that may leave one of the two out leave U+0000
out too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_LINE_ENDS = r"\n\r\u2028\u2029"
_SETS = {"d": "0-9", "w": "0-9A-Z_a-z", "s": r"\t\n\x0b\x0c\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"}
_LETTERS = {"t": r"\t", "n": r"\n", "v": r"\x0b", "f": r"\x0c", "r": r"\r"}
_ANY = r"[\s\S]"

_MAY_LEAVE_OUT = re.compile(r'\^(?:[^\]\\"-]|\\[^\\xuc])*(?:"|-(?!\])|\\[\\xuc])')
"""A negated class that names a quote or a backslash, or may do so by a range or a code."""

_TOKEN = re.compile(
    r"""\\(?:
        u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})
      | (?:u\{(?P<braced>[0-9a-fA-F]{1,6})\} | u(?P<four>[0-9a-fA-F]{4}) | x(?P<two>[0-9a-fA-F]{2}))
      | (?P<set>[dDwWsS]) | c(?P<control>[A-Za-z]) | (?P<letter>[tnvfr]) | (?P<nul>0)(?![0-9])
      | (?P<property>[pP]\{[^}]*\}) | (?P<bound>[bB]) | (?P<back>[1-9][0-9]*|k<[^>]*>) | (?P<other>.)
    )
    | (?P<look>\(\?<?[=!]) | (?P<named>\(\?<[A-Za-z_$][\w$]*>) | (?P<plain>.)""",
    re.VERBOSE | re.DOTALL,
)


class PatternUnsupported(ValueError):
    """What no finite automaton keeps, or what ECMA-262 itself does not allow."""


def to_rust(pattern: str) -> str:
    """The same language in Rust's syntax. Raises PatternUnsupported for look-around, back-references and word boundaries."""
    written: list[str] = []
    in_class = False
    tokens = _TOKEN.finditer(pattern)
    for found in tokens:
        plain = found["plain"]
        if plain is None:
            written.append(_in_class(found) if in_class else _outside(found))
        elif in_class:
            in_class = plain != "]"
            twice = plain == "-" and pattern[found.end() : found.end() + 1] == "-"
            written.append(f"\\{plain}" if plain in "[&~" or twice else plain)
        elif plain == "[":
            in_class = True
            if pattern.startswith("]", found.end()):
                raise PatternUnsupported("an empty class matches nothing")
            written.append(plain)
            if _MAY_LEAVE_OUT.match(pattern, found.end()):
                written.append(f"{next(tokens).group()}\\x00")
        else:
            written.append(f"[^{_LINE_ENDS}]" if plain == "." else plain)
    if in_class:
        raise PatternUnsupported("a class does not end")
    return "".join(written)


def _outside(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "look":
            raise PatternUnsupported(f"look-around, {found.group()}…)")
        case "back":
            raise PatternUnsupported(f"a back-reference, {found.group()}")
        case "bound":
            raise PatternUnsupported(f"a word boundary, {found.group()}")
        case "named":
            return "(?:"
        case "set":
            return f"[{'^' if found['set'].isupper() else ''}{_SETS[found['set'].lower()]}]"
        case _:
            return _character(found)


def _in_class(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "look" | "named":
            return "".join(map(_literal, found.group()))
        case "bound":
            return r"\x08" if found["bound"] == "b" else "B"
        case "set":
            members = _SETS[found["set"].lower()]
            return f"[^{members}]" if found["set"].isupper() else members
        case _:
            return _character(found)


def _character(found: re.Match[str]) -> str:
    """An escape that stands for one character, or for a property of Unicode."""
    text = found.group()
    match found.lastgroup:
        case "low":
            return _code(0x10000 + ((int(found["high"], 16) - 0xD800) << 10) + int(found["low"], 16) - 0xDC00)
        case "braced" | "four" | "two" as group:
            return _code(int(found[group], 16))
        case "control":
            return _code(ord(found["control"]) % 32)
        case "letter":
            return _LETTERS[found["letter"]]
        case "nul":
            return r"\x00"
        case "property":
            return text
        case _:
            return "".join(map(_literal, text[1:]))


def _code(point: int) -> str:
    if 0xD800 <= point < 0xE000 or point > 0x10FFFF:
        raise PatternUnsupported(f"U+{point:04X} is no character")
    return f"\\u{{{point:x}}}"


def _literal(character: str) -> str:
    return f"\\{character}" if character in r"\^$.|?*+()[]{}-&~#/" else character


def exactly(words: Iterable[str]) -> str:
    """A pattern that matches these words and nothing else."""
    return f"^(?:{'|'.join(''.join(map(_literal, word)) for word in words)})$"


def none_of(words: Iterable[str]) -> str:
    """A pattern that matches every string but these, along their common beginnings."""
    root = _Node()
    for word in words:
        node = root
        for character in word:
            node = node.below.setdefault(character, _Node())
        node.ends = True
    return f"^{_others(root)}$"


@dataclass
class _Node:
    below: dict[str, _Node] = field(default_factory=lambda: dict[str, _Node]())
    ends: bool = False


def _others(node: _Node) -> str:
    """What may follow here so that no word comes out."""
    ways = [] if node.ends else [""]
    if node.below:
        ways.append(f"[^\\x00{''.join(map(_literal, node.below))}]{_ANY}*")
        ways += [_literal(character) + _others(below) for character, below in node.below.items()]
    else:
        ways.append(f"{_ANY}+")
    return f"(?:{'|'.join(ways)})"
