"""A finished text against its constraint: where it breaks it, and why. Independent of whatever was to keep it."""

from __future__ import annotations

import json
from functools import lru_cache
from math import isfinite
from typing import NoReturn, cast

import jsonschema_rs
from llguidance import LLMatcher, LLTokenizer

from sleuth.errors import ConstraintUnsupported, ConstraintViolated
from sleuth.result import Json
from sleuth.structured_output.compile import to_lark
from sleuth.structured_output.constraint import Choice, Constraint, Grammar, JsonSchema, Regex
from sleuth.structured_output.schema.words import escaped


def verify(text: str, constraint: Constraint) -> Json:
    """The JSON value of `text` for a JsonSchema, the text itself for the others.

    JSON is read strictly: a key written twice, NaN, or anything after the value is a breach. Raises ConstraintViolated with the
    JSON pointer of the first breach.
    """
    match constraint:
        case JsonSchema(schema_text):
            return _verified_json(text, schema_text)
        case Choice(options):
            if text not in options:
                raise ConstraintViolated(f"{_short(text)} is none of the {len(options)} options", output=text)
        case Regex() | Grammar():
            _verify_grammar(text, constraint)
    return text


def begins(text: str, constraint: Constraint) -> bool:
    """Whether `text`, the output that was cut, could have gone on to keep `constraint`; JSON may be spaced in any way."""
    data = list(text.lstrip().encode()) if isinstance(constraint, JsonSchema) else list(text.encode())
    return _matcher(to_lark(constraint, any_spacing=True)).try_consume_tokens(data) == len(data)


def _verified_json(text: str, schema_text: str) -> Json:
    try:
        value = cast("Json", json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_constant, parse_float=_finite))
        error = next(iter(_validator(schema_text).iter_errors(value)), None)
    except UnicodeEncodeError:  # RFC 8259, section 8.2
        raise ConstraintViolated("the output is not JSON: half of a surrogate pair stands alone", output=text) from None
    except (ValueError, RecursionError) as error:
        raise ConstraintViolated(f"the output is not JSON: {error}", output=text) from None
    if error is not None:
        pointer = "".join(f"/{escaped(step)}" for step in error.instance_path)
        raise ConstraintViolated(f"at {pointer or 'the root'}: {_short(error.message)}", output=text, pointer=pointer)
    return value


@lru_cache(maxsize=256)
def _validator(schema_text: str) -> jsonschema_rs.Validator:
    """Of the draft that the schema names, 2020-12 where it names none."""
    try:
        return jsonschema_rs.validator_for(json.loads(schema_text), validate_formats=True, retriever=_nothing_is_fetched)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise ConstraintUnsupported(f"this is not a JSON Schema: {str(error).splitlines()[0]}") from error


def _nothing_is_fetched(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is not in the schema, and nothing is fetched")


def _verify_grammar(text: str, constraint: Constraint) -> None:
    data = list(text.encode())
    matcher = _matcher(to_lark(constraint))
    taken = matcher.try_consume_tokens(data)
    if taken < len(data):
        rest = bytes(data[taken:]).decode(errors="replace")
        raise ConstraintViolated(f"the grammar does not allow {_short(rest)!r} after {taken} bytes", output=text)
    if not matcher.is_accepting():
        raise ConstraintViolated("the text ends before the grammar does", output=text)


def _matcher(lark: str) -> LLMatcher:
    """Over bytes: token n is byte n."""
    matcher = LLMatcher(_byte_tokenizer(), lark)
    if problem := matcher.get_error():
        raise ConstraintUnsupported(f"the grammar does not compile: {problem}")
    return matcher


@lru_cache(maxsize=1)
def _byte_tokenizer() -> LLTokenizer:
    return LLTokenizer("byte")


def _no_twins(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} is written twice")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise ValueError(f"{digits} is beyond the numbers there are")
    return value


def _short(text: str) -> str:
    """Cut in the middle: a message begins with the offending value and ends with what is wrong with it."""
    return text if len(text) <= 200 else f"{text[:80]} … {text[-120:]}"
