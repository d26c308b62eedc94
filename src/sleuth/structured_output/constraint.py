"""The wish, as data: what a text must look like. Nothing here knows how it will be kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, Union

from sleuth.result import Json

VERSION = 1
"""Part of every fingerprint: raised when the meaning of a constraint changes."""


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """A JSON value valid against a schema (draft 2020-12), held as canonical text so that equal schemas are equal constraints.

    Key order is kept: it is the order in which a masked model writes the properties.
    """

    text: str

    @classmethod
    def of(cls, schema: Mapping[str, Json]) -> JsonSchema:
        return cls(json.dumps(schema, ensure_ascii=False, separators=(",", ":")))

    @property
    def schema(self) -> dict[str, Json]:
        return json.loads(self.text)


@dataclass(frozen=True, slots=True)
class Regex:
    """The whole text matches `pattern` (Rust regex syntax, no look-around, anchored at both ends)."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Choice:
    """The text is exactly one of `options`."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grammar:
    """A context-free grammar in LLGuidance's Lark dialect; its first rule is `start`."""

    lark: str


Constraint: TypeAlias = Union[JsonSchema, Regex, Choice, Grammar]


def fingerprint(constraint: Constraint) -> str:
    """A SHA-256 that is equal for equal constraints, on every machine and in every process."""
    match constraint:
        case JsonSchema(text):
            body = text
        case Regex(pattern):
            body = pattern
        case Choice(options):
            body = json.dumps(options, ensure_ascii=False)
        case Grammar(lark):
            body = lark
    return hashlib.sha256(f"{VERSION}\0{type(constraint).__name__}\0{body}".encode()).hexdigest()


def closed_object(properties: Mapping[str, Json]) -> dict[str, Json]:
    """The schema of an object with exactly these properties, written in this order."""
    return {"type": "object", "properties": dict(properties), "required": list(properties), "additionalProperties": False}
