"""A finished text is held against its constraint, whatever was to keep it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.errors import ConstraintUnsupported, ConstraintViolated
from sleuth.result import Json
from sleuth.structured_output.constraint import Choice, Constraint, Grammar, JsonSchema, Regex, closed_object
from sleuth.structured_output.verify import begins, verify

ANY = JsonSchema.of({})
POINT = JsonSchema.of(closed_object({"x": {"type": "integer"}, "of": {"type": "array", "items": {"enum": ["a", "b"]}}}))
CODE = Regex("[A-F]{3}/[0-9]+")
SUM = Grammar('start: NUMBER ("+" NUMBER)*\nNUMBER: /[0-9]+/')

KEPT: list[tuple[str, Constraint, Json]] = [
    ('{"x": 1, "of": ["a"]}', POINT, {"x": 1, "of": ["a"]}),
    ('\n {"of":[],"x":-0}\n', POINT, {"x": 0, "of": []}),
    ('"2024-02-29"', JsonSchema.of({"type": "string", "format": "date"}), "2024-02-29"),
    ("ABC/12", CODE, "ABC/12"),
    ("", Regex("a*"), ""),
    ("é\n", Choice(("é\n", "b")), "é\n"),
    ("1+22+3", SUM, "1+22+3"),
]

BROKEN: list[tuple[str, Constraint, str, str]] = [
    ('{"x": "1", "of": []}', POINT, "/x", "integer"),
    ('{"x": 1, "of": ["a", "c"]}', POINT, "/of/1", '"a" or "b"'),
    ('{"x": 1}', POINT, "", "required"),
    ('{"x": 1, "of": [], "z": 0}', POINT, "", "z"),
    ('{"a~/b": 1}', JsonSchema.of({"properties": {"a~/b": {"type": "string"}}}), "/a~0~1b", "string"),
    ('{"x": 1, "x": 2}', ANY, "", "written twice"),
    ("NaN", ANY, "", "NaN"),
    ("1e999", ANY, "", "beyond"),
    ('{"x": 1} and more', ANY, "", "Extra data"),
    ("```json\n{}\n```", ANY, "", "not JSON"),
    ('{"x": 1, "of"', POINT, "", "not JSON"),
    ("[" * 100_000, ANY, "", "not JSON"),
    ('"\\ud800"', ANY, "", "surrogate"),
    ("", ANY, "", "not JSON"),
    ('"2023-02-29"', JsonSchema.of({"type": "string", "format": "date"}), "", "date"),
    ("ABC/", CODE, "", "ends before"),
    ("ABC/1x", CODE, "", "'x' after 5 bytes"),
    ("c", Choice(("a", "b")), "", "none of the 2 options"),
    ("1+", SUM, "", "ends before"),
    ("1 + 2", SUM, "", "after 1 bytes"),
]


@pytest.mark.parametrize(("text", "constraint", "value"), KEPT)
def test_what_keeps_the_constraint_is_returned_as_a_value(text: str, constraint: Constraint, value: Json) -> None:
    assert verify(text, constraint) == value


@pytest.mark.parametrize(("text", "constraint", "pointer", "said"), BROKEN, ids=[f"{row[0][:20]!r}" for row in BROKEN])
def test_a_breach_says_what_and_where(text: str, constraint: Constraint, pointer: str, said: str) -> None:
    with pytest.raises(ConstraintViolated) as caught:
        verify(text, constraint)
    assert caught.value.pointer == pointer
    assert said in caught.value.message
    assert caught.value.output == text
    assert len(caught.value.message) < 400


def test_a_schema_that_points_elsewhere_is_refused_and_nothing_is_fetched() -> None:
    with pytest.raises(ConstraintUnsupported, match="nothing is fetched"):
        verify("1", JsonSchema.of({"$ref": "http://127.0.0.1:9/schema"}))


@pytest.mark.parametrize(
    ("text", "constraint"),
    [('{"x": 1', POINT), ('  {\n  "x" :', POINT), ("", POINT), ("ABC", CODE), ("1+", SUM), ("umb", Choice(("umbra", "a")))],
)
def test_the_beginning_of_what_would_be_kept_is_known(text: str, constraint: Constraint) -> None:
    assert begins(text, constraint)


@pytest.mark.parametrize(
    ("text", "constraint"), [("Sure! Here", POINT), ('{"y"', POINT), ("ABG", CODE), ("one", SUM), ("umbr", Choice(("a",)))]
)
def test_the_beginning_of_something_else_is_known_too(text: str, constraint: Constraint) -> None:
    assert not begins(text, constraint)


@given(st.lists(st.text(min_size=1), min_size=1, unique=True), st.data())
def test_every_option_and_each_of_its_beginnings_is_recognised(options: list[str], data: st.DataObject) -> None:
    option = data.draw(st.sampled_from(options).filter(lambda text: text.isprintable()))
    choice = Choice(tuple(options))
    assert verify(option, choice) == option
    assert begins(option[: data.draw(st.integers(0, len(option)))], choice)
