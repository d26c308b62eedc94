"""An ECMA-262 pattern and what is made of it for masks: one language, held against a validator character by character."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llguidance import LLMatcher, LLTokenizer

from sleuth.structured_output.schema.pattern import PatternUnsupported, exactly, none_of, to_rust

ODD = "abAB3_-[]&~^.\n\r\u2028\u00a0 é٣#/$x\x01\x08\\{}(|)😀"
SAME = [
    *(r"^\d$", r"^\w+$", r"^\s$", r"^\D$", r"^\W$", r"^\S$", "^.$", r"^[\w-]+$", r"^\cA$", r"^a\/b$", r"^\-$", r"^(?<n>a)$"),
    *(
        "^[[a]$",
        r"^\u0041$",
        "^[a&&b]$",
        "^[a~~b]+$",
        r"^[^\d]$",
        r"^[^\D]$",
        r"^[\S]$",
        r"^\_$",
        r"^[\]a]$",
        r"^[\^a]$",
        "a$",
        "",
    ),
    *("^(a|b){2,3}?$", "^[.]$", r"^\.$", "x|^y", "^[a-z&&[^aeiou]]$", r"^\p{L}$", r"^[^\n]$", r"^\$\{.*\}$", "^ #$", r"^\x41$"),
    *(r"^[\x41-\x43]$", "^/$", "^[/]$", "^[-a]$", "^[a-]$", r"^[\s\S]$", "^é+$", "^(?:ab)?$"),
]
TOKENIZER = LLTokenizer("byte")


def masked(schema: dict[str, object], text: str) -> bool:
    matcher = LLMatcher(TOKENIZER, f"%llguidance {{}}\nstart: %json {json.dumps(schema)}", log_level=0)
    assert not matcher.get_error(), matcher.get_error()
    ids = list(json.dumps(text, ensure_ascii=False).encode())
    return matcher.try_consume_tokens(ids) == len(ids) and matcher.is_accepting()


@pytest.mark.parametrize("pattern", SAME)
def test_a_pattern_keeps_its_language(pattern: str) -> None:
    validator = jsonschema_rs.Draft202012Validator({"type": "string", "pattern": pattern})
    schema = {"type": "string", "pattern": to_rust(pattern)}
    texts = ["", *ODD, "ab", "aa", "aaa", "${a}", "${}", " #", "a/b", "bA", "ba", "é\n"]
    apart = [text for text in texts if masked(schema, text) != validator.is_valid(text)]
    assert apart == []


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SAME), st.text(st.sampled_from(ODD), max_size=4))
def test_a_pattern_keeps_its_language_over_longer_texts(pattern: str, text: str) -> None:
    validator = jsonschema_rs.Draft202012Validator({"type": "string", "pattern": pattern})
    assert masked({"type": "string", "pattern": to_rust(pattern)}, text) == validator.is_valid(text)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("^(?!a)b", "look-around"),
        ("(?<=a)b", "look-around"),
        (r"(a)\1", "back-reference"),
        (r"(?<n>a)\k<n>", "back-reference"),
        (r"\bword\b", "word boundary"),
        ("[]a]", "empty class"),
        ("[a", "does not end"),
        (r"^\ud83d$", "no character"),
    ],
)
def test_what_no_automaton_keeps_is_refused(pattern: str, said: str) -> None:
    with pytest.raises(PatternUnsupported, match=said):
        to_rust(pattern)


@pytest.mark.parametrize("pattern", [r'^[^"]$', r"^[^\\]$", r"^[^!-~]$", r"^[^\x22]$", r"^[^a\\]+$", r"^[^\u005c\u0022]$"])
def test_what_a_negated_class_leaves_out_stays_out_of_json_strings(pattern: str) -> None:
    validator = jsonschema_rs.Draft202012Validator({"type": "string", "pattern": pattern})
    schema = {"type": "string", "pattern": to_rust(pattern)}
    assert [text for text in ('"', "\\", "\n", "\x01", "b", "é", "~") if masked(schema, text) != validator.is_valid(text)] == []


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert masked({"type": "string", "pattern": to_rust(r"^\ud83d\ude00$")}, "😀")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab]^-\\", max_size=3), min_size=1, max_size=4), st.text("ab]^-\\", max_size=4))
def test_every_word_but_these_and_exactly_these(words: list[str], text: str) -> None:
    assert masked({"type": "string", "pattern": none_of(words)}, text) is (text not in words)
    assert masked({"type": "string", "pattern": exactly(words)}, text) is (text in words)
