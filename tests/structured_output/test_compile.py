"""A constraint is compiled before any engine is trusted with it; what cannot be kept is refused, with its place."""

from __future__ import annotations

import json

import pytest
from llguidance import LLMatcher, LLTokenizer

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json
from sleuth.structured_output.compile import check, to_lark
from sleuth.structured_output.constraint import Choice, Constraint, Grammar, JsonSchema, Regex, closed_object

ITEM = closed_object({"name": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 9}, "size": {"enum": [1, None, "x"]}})

TREE = closed_object({"of": {"type": "array", "items": {"$ref": "#/$defs/tree"}}})

KEPT = [
    JsonSchema.of({"anyOf": [ITEM, {"type": "array", "items": ITEM, "maxItems": 3}]}),
    JsonSchema.of({"$ref": "#/$defs/tree", "$defs": {"tree": TREE}}),
    JsonSchema.of({"oneOf": [{"type": "string"}, {"minLength": 2}], "not": {"const": "ab"}}),
    Regex(r"[0-9]{4}-[0-9]{2}"),
    Regex("a/b\\/c"),
    Choice(("a", 'with "quotes"', "two\nlines", "日本", "back\\slash", "")),
    Grammar('start: "select " NAME\nNAME: /[a-z]+/'),
    Grammar('%llguidance {}\nstart: "a"'),
]

REFUSED: list[tuple[Constraint, str]] = [
    (JsonSchema.of({"type": "array", "uniqueItems": True}), "at /uniqueItems"),
    (JsonSchema.of(closed_object({"a/b": {"type": "array", "uniqueItems": True}})), "at /properties/a~1b/uniqueItems"),
    (JsonSchema.of({"not": {"pattern": "^a"}}), "at /not"),
    (JsonSchema.of(closed_object({"when": {"type": "string", "format": "iri"}})), "at /properties/when/format"),
    (JsonSchema.of({"items": {"type": "string", "pattern": "(?=a)b"}}), "at /items/pattern"),
    (JsonSchema.of({"oneOf": [{"type": "string"}, {"pattern": "a"}]}), "at /oneOf"),
    (JsonSchema.of({"$ref": "#/$defs/nowhere"}), "is not in the schema"),
    (JsonSchema.of({"type": "text"}), "not a JSON Schema"),
    (JsonSchema.of({"enum": []}), "Unsatisfiable"),
    (JsonSchema("{"), "not a JSON Schema"),
    (JsonSchema("true"), "not a JSON Schema"),
    (Regex("a("), "unclosed group"),
    (Choice(()), "one or more"),
    (Choice(("a", "a")), "all different"),
    (Grammar("start: nothing"), "unknown name"),
    (Grammar(""), "no start rule"),
]


@pytest.mark.parametrize("constraint", KEPT, ids=str)
def test_what_a_mask_can_keep_passes(constraint: Constraint) -> None:
    check(constraint)


@pytest.mark.parametrize(("constraint", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_a_mask_cannot_keep_is_refused_with_its_place(constraint: Constraint, said: str) -> None:
    with pytest.raises(ConstraintUnsupported) as caught:
        check(constraint)
    assert said in caught.value.message
    assert "%llguidance" not in caught.value.message
    assert caught.value.hint


def test_a_property_that_is_called_like_a_keyword_is_not_blamed() -> None:
    schema: dict[str, Json] = {"properties": {"contains": {"const": {"not": 1}}, "x": {"uniqueItems": True}}}
    with pytest.raises(ConstraintUnsupported) as caught:
        check(JsonSchema.of(schema))
    assert caught.value.message.endswith("at /properties/x/uniqueItems: no mask remembers the items before")


def test_json_can_be_spaced_in_one_way_only() -> None:
    lark = to_lark(JsonSchema.of(closed_object({"a": {"const": 1}, "b": {"const": 2}})))
    assert accepts(lark, '{"a": 1, "b": 2}')
    others = ('{"a":1,"b":2}', '{ "a": 1, "b": 2}', '{"a": 1,  "b": 2}', '{"a": 1,\n"b": 2}')
    assert not any(accepts(lark, text) for text in others)


def test_the_schema_in_the_grammar_is_the_schema_that_was_given() -> None:
    schema = closed_object({"ü": {"enum": ["é", "\\", '"']}})
    head, sent = to_lark(JsonSchema.of(schema)).split("%json ")
    assert head == "%llguidance {}\nstart: "
    assert {key: value for key, value in json.loads(sent).items() if key != "x-guidance"} == schema


def test_options_of_the_schema_itself_cannot_make_the_compiler_lenient() -> None:
    with pytest.raises(ConstraintUnsupported):
        check(JsonSchema.of({"type": "array", "uniqueItems": True, "x-guidance": {"lenient": True}}))


def accepts(lark: str, text: str) -> bool:
    matcher = LLMatcher(LLTokenizer("byte"), lark)
    data = list(text.encode())
    return matcher.try_consume_tokens(data) == len(data) and matcher.is_accepting()
