"""One constraint, the request each engine takes; what an engine cannot take is refused before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from sleuth.errors import ConstraintUnsupported
from sleuth.result import Json, json_array, json_object
from sleuth.structured_output.constraint import Choice, Constraint, Grammar, JsonSchema, Regex, closed_object
from sleuth.structured_output.dialects import DIALECTS, DialectName, openai, sglang

OBJECT = closed_object({"colour": {"enum": ["teal", "ochre"]}, "note": {"type": "string", "maxLength": 20}})
SCHEMA = JsonSchema.of(OBJECT)
REGEX = Regex("[a-z]+")
CHOICE = Choice(("a.b", "c|d\n"))
LARK = Grammar('start: "a"')


def sent(name: DialectName, constraint: Constraint) -> Mapping[str, Json]:
    return DIALECTS[name].lower(constraint)


def schema_on_the_wire(name: DialectName, constraint: Constraint) -> Mapping[str, Json]:
    form = json_object(sent(name, constraint)["response_format"])
    assert form["type"] == "json_schema"
    return json_object(json_object(form["json_schema"])["schema"])


@pytest.mark.parametrize("name", ["vllm", "sglang", "ollama"])
def test_a_schema_reaches_these_engines_unchanged(name: DialectName) -> None:
    assert schema_on_the_wire(name, SCHEMA) == OBJECT


def test_vllm_takes_the_rest_in_one_field() -> None:
    assert sent("vllm", REGEX) == {"structured_outputs": {"regex": "[a-z]+"}}
    assert sent("vllm", CHOICE) == {"structured_outputs": {"choice": ["a.b", "c|d\n"]}}
    assert sent("vllm", LARK) == {"structured_outputs": {"grammar": 'start: "a"'}}


def test_sglang_takes_a_choice_as_a_pattern_that_matches_the_options_and_nothing_else() -> None:
    pattern = sglang.lower(CHOICE)["regex"]
    assert isinstance(pattern, str)
    assert all(re.fullmatch(pattern, option) for option in CHOICE.options)
    assert not any(re.fullmatch(pattern, other) for other in ("a_b", "c", "d\n", "a.bc|d\n"))


@pytest.mark.parametrize("constraint", [SCHEMA, REGEX, CHOICE, LARK], ids=lambda value: type(value).__name__)
def test_llama_cpp_is_sent_a_grammar_for_everything(constraint: Constraint) -> None:
    assert str(sent("llama_server", constraint)["grammar"]).startswith("%llguidance {}\nstart: ")


def test_a_llama_cpp_without_llguidance_takes_a_schema_or_a_choice() -> None:
    assert schema_on_the_wire("llama_server_plain", SCHEMA) == OBJECT
    assert sent("llama_server_plain", CHOICE) == {"grammar": 'root ::= "a.b" | "c|d\\x0A"'}
    with pytest.raises(ConstraintUnsupported, match="LLGuidance takes no Regex"):
        sent("llama_server_plain", REGEX)


@pytest.mark.parametrize(
    ("name", "constraint"),
    [("sglang", LARK), ("ollama", REGEX), ("ollama", CHOICE), ("ollama", LARK), ("openai", REGEX), ("openai", CHOICE)],
)
def test_what_an_engine_cannot_take_is_refused(name: DialectName, constraint: Constraint) -> None:
    with pytest.raises(ConstraintUnsupported):
        sent(name, constraint)


def test_openai_is_told_the_types_and_spared_the_lengths() -> None:
    properties = json_object(schema_on_the_wire("openai", SCHEMA)["properties"])
    assert properties == {"colour": {"enum": ["teal", "ochre"], "type": "string"}, "note": {"type": "string"}}


def test_openai_gets_a_tuple_as_an_array_of_its_length() -> None:
    one, other = closed_object({"a": {"const": 1}}), closed_object({"b": {"const": 2}})
    tuples: dict[str, Json] = {"type": "array", "prefixItems": [one, other, one], "items": False, "minItems": 3}
    sent_array = json_object(schema_on_the_wire("openai", JsonSchema.of(closed_object({"t": tuples})))["properties"])["t"]
    array = json_object(sent_array)
    assert (array["minItems"], array["maxItems"], "prefixItems" in array) == (3, 3, False)
    options = json_array(json_object(array["items"])["anyOf"])
    assert [list(json_object(json_object(option)["properties"])) for option in options] == [["a"], ["b"]]
    with pytest.raises(ConstraintUnsupported, match="longer or shorter"):
        openai.strict(closed_object({"t": {**tuples, "minItems": 2}}))


LINE: dict[str, Json] = {"type": "string", "pattern": "^[a-z]*$"}
BOUNDED: dict[str, Json] = {**LINE, "maxLength": 9}
PAIR: dict[str, Json] = {"type": "array", "prefixItems": [LINE, LINE], "items": False, "minItems": 2}


@pytest.mark.parametrize(
    ("name", "leaving"),
    [
        ("vllm", []),
        ("sglang", []),
        ("llama_server", []),
        ("openai", [BOUNDED, PAIR]),
        ("ollama", [BOUNDED, PAIR]),
        ("llama_server_plain", [BOUNDED, PAIR]),
    ],
)
def test_it_is_known_which_schemas_an_engine_keeps_only_in_part(name: DialectName, leaving: list[Json]) -> None:
    schemas: list[Json] = [LINE, BOUNDED, PAIR, {"enum": ["pattern", "prefixItems"]}]
    assert [part for part in schemas if DIALECTS[name].leaves(JsonSchema.of(closed_object({"x": part})))] == leaving
    assert not DIALECTS[name].leaves(CHOICE)


def test_openai_gets_another_root_wrapped_and_its_reply_is_unwrapped_as_written() -> None:
    end = closed_object({"end": {"const": True}})
    either = JsonSchema.of({"anyOf": [OBJECT, {"$ref": "#/$defs/end"}], "$defs": {"end": end}})
    wire = schema_on_the_wire("openai", either)
    assert (wire["type"], wire["required"], wire["additionalProperties"]) == ("object", ["output"], False)
    assert set(json_object(wire["$defs"])) == {"end"}
    assert openai.wraps(either) and not openai.wraps(SCHEMA)
    assert openai.unwrap(' {"output": {"end":true, "end":false}} ') == '{"end":true, "end":false}'


@pytest.mark.parametrize("text", ["", "Sure!", '{"output": {"end":', '{"output": 1, "b": 2}', '{"end": true}', '{"output": 1} x'])
def test_what_is_not_the_wrapping_is_left_for_the_check(text: str) -> None:
    assert openai.unwrap(text) == text


@pytest.mark.parametrize(
    ("schema", "at"),
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, "the root"),
        ({**OBJECT, "required": ["colour"]}, "the root"),
        (closed_object({"a": {"type": "array", "items": {}}}), "/properties/a/items"),
        (closed_object({"a": {"allOf": [{"type": "string"}]}}), "/properties/a/allOf"),
        (closed_object({"a": {"type": "array", "items": {"$ref": "#"}}}), "/properties/a/items/$ref"),
    ],
)
def test_what_openai_would_refuse_or_misread_is_sent_as_it_is_and_not_strict(schema: Mapping[str, Json], at: str) -> None:
    with pytest.raises(ConstraintUnsupported) as caught:
        openai.strict(dict(schema))
    assert caught.value.message.endswith(f"at {at}")
    form = json_object(sent("openai", JsonSchema.of(schema))["response_format"])
    described = json_object(form["json_schema"])
    assert (described["strict"], described["schema"]) == (False, schema)
    assert openai.leaves(JsonSchema.of(schema))
