"""A normalised schema means what the original means: held against a validator, over schemas and values of every make."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from llguidance import LLMatcher, LLTokenizer

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json
from sleuth.structured_output.schema.normalise import Normal, normalise

NAMES = st.sampled_from(["a", "b", "c"])
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 3), st.sampled_from([0.5, 2.5]), st.sampled_from(["", "a", "ab", "b1"])
)
VALUES: st.SearchStrategy[Json] = st.recursive(
    SCALARS, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)), max_leaves=6
)
TYPE = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
COUNT = st.integers(0, 3)


def _schemas(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    some = st.lists(inner, min_size=1, max_size=2)
    named = st.dictionaries(NAMES, inner, min_size=1, max_size=2)
    dependent = st.one_of(
        st.fixed_dictionaries(
            {"dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=1)}
        ),
        st.fixed_dictionaries({"dependentSchemas": st.dictionaries(NAMES, inner, max_size=1)}),
    )
    conditional = st.fixed_dictionaries({"if": inner}, optional={"then": inner, "else": inner})
    keywords = {
        "type": TYPE,
        "required": st.lists(NAMES, max_size=2, unique=True),
        "properties": named,
        "additionalProperties": inner,
        "patternProperties": st.dictionaries(st.sampled_from(["^b", "c"]), inner, max_size=1),
        "propertyNames": st.sampled_from([{"enum": ["a", "b"]}, {"pattern": "^[ab]"}, {"maxLength": 0}, False]),
        "minProperties": COUNT,
        "maxProperties": COUNT,
        "prefixItems": some,
        "items": inner,
        "contains": inner,
        "minContains": st.integers(0, 2),
        "minItems": COUNT,
        "maxItems": COUNT,
        "uniqueItems": st.booleans(),
        "allOf": some,
        "anyOf": some,
        "oneOf": some,
        "not": inner,
        "unevaluatedProperties": inner,
        "unevaluatedItems": inner,
    }
    one = st.sampled_from(sorted(keywords)).flatmap(lambda name: st.fixed_dictionaries({name: keywords[name]}))
    merged = st.lists(st.one_of(one, dependent, conditional), min_size=1, max_size=3)
    return merged.map(lambda parts: {key: value for part in parts for key, value in part.items()})


LEAVES: st.SearchStrategy[Json] = st.one_of(
    st.booleans(),
    st.fixed_dictionaries({"type": TYPE}),
    st.fixed_dictionaries({"const": SCALARS}),
    st.fixed_dictionaries({"enum": st.lists(SCALARS, min_size=1, max_size=3, unique_by=repr)}),
    st.fixed_dictionaries({"minimum": COUNT}),
    st.fixed_dictionaries({"exclusiveMaximum": COUNT}),
    st.fixed_dictionaries({"minLength": COUNT}),
    st.fixed_dictionaries({"maxLength": COUNT}),
    st.fixed_dictionaries({"pattern": st.sampled_from(["^a", "b$", "[0-9]"])}),
)
SCHEMAS = st.recursive(LEAVES, _schemas, max_leaves=6).filter(lambda schema: isinstance(schema, dict))
MANY = settings(max_examples=600, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None)


def normal(schema: Json) -> Normal:
    try:
        return normalise(json.dumps(schema))
    except ConstraintUnsupported:
        assume(False)
        raise


@MANY
@given(SCHEMAS, st.lists(VALUES, min_size=1, max_size=8))
def test_what_is_valid_stays_valid_and_what_is_not_does_not(schema: Json, values: list[Json]) -> None:
    written = normal(schema)
    original, rewritten = (jsonschema_rs.Draft202012Validator(one) for one in (schema, written.schema))
    for value in values:
        before, after = original.is_valid(value), rewritten.is_valid(value)
        assert after or not before or written.narrowed, (value, written.text)
        assert before or not after or written.left, (value, written.text)


@MANY
@given(SCHEMAS, st.lists(VALUES, min_size=1, max_size=8))
def test_a_mask_of_it_never_lets_through_what_is_not_valid(schema: Json, values: list[Json]) -> None:
    written = normal(schema)
    assume(not written.left)
    said = written.schema if isinstance(written.schema, dict) else {"allOf": [written.schema]}
    matcher = LLMatcher(LLTokenizer("byte"), f"%llguidance {{}}\nstart: %json {json.dumps(said)}", log_level=0)
    assume(not matcher.is_error())
    original = jsonschema_rs.Draft202012Validator(schema)
    for value in values:
        ids, copy = list(json.dumps(value).encode()), matcher.deep_copy()
        if copy.try_consume_tokens(ids) == len(ids) and copy.is_accepting():
            assert original.is_valid(value), (value, written.text)


SINGLE: list[Json] = [None, True, False, -1, 0, 1, 2, 3, 0.5, "", "a", "ab", "b1"]
POOL: list[Json] = [
    *SINGLE,
    *([one] for one in SINGLE),
    *([one, other] for one in SINGLE for other in (0, "a", None)),
    *([1, "a", one] for one in SINGLE),
    {},
    *({"a": one} for one in SINGLE),
    *({"b": one} for one in SINGLE),
    *({"a": one, "b": other} for one in SINGLE for other in (0, "a")),
    *({"a": 1, "b": one, "c": 1} for one in SINGLE),
    {"a": {"b": 1}},
    {"a": {"a": 1}, "c": [1]},
]
A: Json = {"properties": {"a": {"type": "number"}}, "required": ["a"]}
B: Json = {"properties": {"b": {"type": "string"}}, "required": ["b"]}

EXACT: list[Json] = [
    {"not": {"const": 1}},
    {"not": {"enum": [1, "a", None, True]}},
    {"not": {"enum": ["a", "ab"]}},
    {"not": {"const": {"a": 1}}},
    {"not": {"const": [1, "a"]}},
    {"not": {"type": ["string", "number"]}},
    {"not": {"type": "array", "minItems": 2}},
    {"not": {"minimum": 1, "maximum": 2}},
    {"not": {"exclusiveMinimum": 0}},
    {"not": {"exclusiveMaximum": 2}},
    {"not": {"minLength": 1, "maxLength": 1}},
    {"not": {"maxItems": 1}},
    {"not": {"minProperties": 1}},
    {"not": {"maxProperties": 1}},
    {"not": {"required": ["a", "b"]}},
    {"not": A},
    {"not": {"allOf": [A, B]}},
    {"not": {"anyOf": [A, B]}},
    {"not": {"oneOf": [A, B]}},
    {"not": {"not": B}},
    {"not": {"prefixItems": [{"const": 1}, {"type": "string"}]}},
    {"not": {"contains": {"type": "string"}}},
    {"not": {"if": A, "then": B, "else": {"maxProperties": 1}}},
    {"not": {"dependentRequired": {"a": ["b"]}}},
    {"not": {"dependentSchemas": {"a": B}}},
    {"not": {"$ref": "#/$defs/x"}, "$defs": {"x": {"type": "null"}}},
    {"oneOf": [A, B]},
    {"oneOf": [{"minimum": 2}, {"type": "string"}, {"maximum": 0}]},
    {"oneOf": [{"maxLength": 1}, {"minLength": 1}]},
    {"if": A, "then": B},
    {"if": A, "else": B},
    {"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "number"}},
    {"dependentRequired": {"a": ["b"], "b": ["a"]}},
    {"dependentSchemas": {"a": B}},
    {"dependencies": {"a": ["b"], "b": {"maxProperties": 1}}},
    {"contains": {"type": "string"}, "maxItems": 3},
    {"contains": {"type": "integer"}, "minContains": 2, "maxItems": 3},
    {"contains": {"const": 1}, "minContains": 0, "maxItems": 1},
    {"minProperties": 2},
    {"properties": {"a": {}, "b": {}}, "minProperties": 2},
    {"properties": {"a": {}, "b": {}}, "required": ["a"], "minProperties": 2, "maxProperties": 2},
    {"properties": {"a": {}, "b": False}, "maxProperties": 1},
    {"propertyNames": {"enum": ["a", "c"]}},
    {"propertyNames": {"pattern": "^[ab]$"}},
    {"propertyNames": {"maxLength": 0}},
    {"propertyNames": False},
    {"properties": {"a": {}}, "unevaluatedProperties": False},
    {"properties": {"a": {}}, "unevaluatedProperties": {"type": "string"}},
    {"allOf": [{"properties": {"a": {}}}, {"patternProperties": {"^b": {}}}], "unevaluatedProperties": False},
    {"anyOf": [A, B], "unevaluatedProperties": False},
    {"oneOf": [A, B], "unevaluatedProperties": False},
    {"if": A, "then": {"properties": {"b": {}}}, "else": {"properties": {"c": {}}}, "unevaluatedProperties": False},
    {"dependentSchemas": {"a": {"properties": {"a": {}, "b": {}}}}, "unevaluatedProperties": False},
    {"$ref": "#/$defs/x", "properties": {"b": {}}, "unevaluatedProperties": False, "$defs": {"x": A}},
    {"allOf": [{"additionalProperties": {"type": "string"}}], "unevaluatedProperties": False},
    {"allOf": [{"prefixItems": [{}]}, {"prefixItems": [{}, {"type": "string"}]}], "unevaluatedItems": False},
    {"anyOf": [{"prefixItems": [{"const": 1}]}, {"items": {"type": "string"}}], "unevaluatedItems": {"type": "null"}},
    {"$ref": "#/$defs/x", "$defs": {"x": {"$anchor": "y", "type": ["string", "null"]}}, "maxLength": 1},
    {"$ref": "#y", "$defs": {"x": {"$anchor": "y", "type": ["string", "null"]}}},
    {"$id": "http://x.example/s", "$ref": "t#/$defs/y", "$defs": {"x": {"$id": "t", "$defs": {"y": {"type": "integer"}}}}},
    {"properties": {"a": {"$ref": "#"}}, "additionalProperties": False},
    {"minLength": 1.0, "maxItems": 2.0},
]


@pytest.mark.parametrize("schema", EXACT, ids=json.dumps)
def test_what_can_be_said_is_said_exactly(schema: Json) -> None:
    written = normalise(json.dumps(schema))
    assert (written.left, written.narrowed) == ((), ())
    original, rewritten = (jsonschema_rs.Draft202012Validator(one) for one in (schema, written.schema))
    told_apart = [value for value in POOL if original.is_valid(value) != rewritten.is_valid(value)]
    assert told_apart == []
    assert 0 < sum(map(original.is_valid, POOL)) < len(POOL)


LEGACY: list[tuple[Json, Json, Json]] = [
    ({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True}, 2, 1),
    ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"const": 1}], "additionalItems": False}, [1], [1, 2]),
    (
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {"a": {"$ref": "#/definitions/n", "maxLength": 0}},
            "definitions": {"n": {"type": "string"}},
        },
        {"a": "ab"},
        {"a": 1},
    ),
    ({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"x": {"$id": "#y", "const": 1}}, "$ref": "#y"}, 1, 2),
]


@pytest.mark.parametrize(("schema", "valid", "invalid"), LEGACY)
def test_older_drafts_are_read_by_their_own_rules(schema: Json, valid: Json, invalid: Json) -> None:
    written = jsonschema_rs.Draft202012Validator(normalise(json.dumps(schema)).schema)
    assert jsonschema_rs.validator_for(schema).is_valid(valid) and not jsonschema_rs.validator_for(schema).is_valid(invalid)
    assert written.is_valid(valid) and not written.is_valid(invalid)


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"properties": {"a/b": {"uniqueItems": True}}}, "/properties/a~1b/uniqueItems"),
        ({"contains": {"const": 1}, "maxContains": 1}, "/contains"),
        ({"items": {"pattern": "(?=a)b"}}, "/items/pattern"),
        ({"format": "iri"}, "/format"),
        ({"not": {"pattern": "a"}}, "/not"),
        ({"unevaluatedItems": False, "contains": {"const": 1}}, "/unevaluatedItems"),
        ({"propertyNames": {"not": {"const": "a"}}}, "/propertyNames"),
    ],
)
def test_what_no_mask_keeps_is_named_with_its_place(schema: Json, pointer: str) -> None:
    assert [note.pointer for note in normalise(json.dumps(schema)).left] == [pointer]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"$ref": "other.json"}, "other.json is not in the schema"),
        ({"$ref": "#/$defs/nowhere"}, "is not in the schema"),
        (json.loads('{"items":' * 100 + "{}" + "}" * 100), "nested more than 64 deep"),
    ],
    ids=["elsewhere", "nowhere", "deep"],
)
def test_what_cannot_be_read_is_refused(schema: Json, said: str) -> None:
    with pytest.raises(ConstraintUnsupported, match=said):
        normalise(json.dumps(schema))
