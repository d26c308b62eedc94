"""What is a right answer: one table a kind of answer."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sleuth.evals.check import AnswerType, Expected, Given, folded, holds, wrong_because


def wrong(
    kind: AnswerType,
    items: list[str],
    text: str,
    *,
    question: str = "How many?",
    tolerance: str = "0.01",
    candidates: tuple[str, ...] = (),
    lang: str = "en",
) -> str | None:
    expected = Expected(kind, tuple(items), Decimal(tolerance), candidates)
    return wrong_because(expected, Given(question, text, lang=lang))


@pytest.mark.parametrize(
    ("answer", "lang", "text"),
    [
        ("47", "en", "There are 47 contracts [1]."),
        ("3530.42", "en", "It exceeds them by $3,530.42 [1][2]."),
        ("3530.42", "de", "Das sind 3.530,42 Dollar [1]."),
        ("12750", "de", "Es fallen 12.750 Euro an [1]."),
        ("12750", "es", "Son 12.750,00 euros [1]."),
        ("12750", "fr", "Cela fait 12 750 euros [1]."),
        ("8300000", "en", "8.3 M€ in total [1]."),
        ("53.34", "es", "La dieta es de 53,34 euros al día [1]."),
        ("4", "en", "Four employees [1]."),
        ("0", "en", "0 employees are left [1]."),
        ("9", "en", "There were 9.004 of them [1]."),
    ],
)
def test_a_number_is_right_within_the_tolerance_however_it_is_written(answer: str, lang: str, text: str) -> None:
    assert wrong("number", [answer], text, lang=lang) is None


@pytest.mark.parametrize(
    ("answer", "text", "why"),
    [
        ("47", "There are 48 contracts [1].", "states 48 instead of 47"),
        ("47", "There are many [47].", "states no number instead of 47"),
        ("47", "Contract C-47 was signed on 2047-04-07.", "states no number instead of 47"),
        ("1700", "It pays 1.71 k a month.", "states 1710.00 instead of 1700"),
        ("34.87", "It was -34.87 ahead.", "states -34.87 instead of 34.87"),
    ],
)
def test_another_number_is_wrong_and_said(answer: str, text: str, why: str) -> None:
    assert wrong("number", [answer], text) == why


def test_a_number_that_only_repeats_the_question_does_not_count() -> None:
    asked = "Of the 12 contracts above 5 million, how many are active in 2025?"
    assert wrong("number", ["5"], "Some contracts above 5 million are active in 2025.", question=asked) is not None
    assert wrong("number", ["5"], "Of the contracts above 5 million, 5 contracts are active.", question=asked) is None
    assert wrong("number", ["2025"], "They are active in 2025.", question=asked) is not None


@pytest.mark.parametrize(
    ("item", "text", "right"),
    [
        ("Álvarez", "The owner is ALVAREZ [1].", True),
        ("code of conduct", "A signed Code of  Conduct is needed [2].", True),
        ("Talleres Ibaizabal S.L.", "It is Talleres Ibaizabal S.L. [1].", True),
        ("AC/DC", "The band AC/DC has two [1].", True),
        ("rug", "The rugby shirt [1].", False),
        ("code of conduct", "A code, of good conduct [1].", False),
        ("Straße", "In der Strasse [1].", True),
    ],
)
def test_a_string_is_held_as_whole_words(item: str, text: str, right: bool) -> None:
    assert (wrong("string", [item], text) is None) is right


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("47 contracts; the penalty of clause 8.3 and the revision of clause 7.1 recur [1][2].", None),
        ("47 contracts, 8.3 M€ in total; clause 7.1 recurs [1].", "does not name 8.3"),
        ("47 contracts; clauses 18.3 and 7.1 [1].", "does not name 8.3"),
        ("Clauses 8.3 and 7.1 recur [47].", "does not name 47"),
    ],
)
def test_all_of_needs_every_item_and_numbers_as_numbers(text: str, why: str | None) -> None:
    assert wrong("all_of", ["47", "8.3", "7.1"], text) == why


CATEGORIES = ("Beverages", "Dairy Products", "Dairy", "Produce", "Live")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Beverages and dairy products [1].", None),
        ("Beverages [1].", "does not name Dairy Products"),
        ("Beverages, Dairy Products and Produce [1].", "also names Produce"),
        ("Beverages and Dairy Products, and all that live [1].", None),
        ("Beverages, Dairy Products and Dairy [1].", "also names Dairy"),
    ],
)
def test_a_set_is_right_without_others_of_its_candidates(text: str, why: str | None) -> None:
    assert wrong("set", ["Beverages", "Dairy Products"], text, candidates=CATEGORIES) == why


def test_a_candidate_that_the_question_names_may_be_repeated() -> None:
    asked = "Which categories sell more than Produce?"
    assert wrong("set", ["Beverages"], "More than Produce sells Beverages.", question=asked, candidates=CATEGORIES) is None


@pytest.mark.parametrize(
    ("text", "stop_reason", "cited", "right"),
    [
        ("The sources do not hold enough evidence to answer: no salaries.", "insufficient", False, True),
        ("Not found in the sources: the salary of the 9 employees.", "answered", False, True),
        ("The sources do not hold it; the maximum is 191,900.", "insufficient", False, False),
        ("The manager earns as much as the others [1].", "answered", True, False),
        ("The sources do not hold enough evidence to answer: no reply.", "model_error", False, False),
    ],
)
def test_abstaining_cites_nothing_and_gives_no_figure(text: str, stop_reason: str, cited: bool, right: bool) -> None:
    given = Given("What do the 9 employees earn?", text, stop_reason, cited)
    assert (wrong_because(Expected("abstain"), given) is None) is right


def test_folding_leaves_letters_only_in_their_plain_form() -> None:
    assert folded("  ÉCLAIR\n Größe ") == "eclair grosse"
    assert holds("Der Größte", "grosste")
    assert not holds("anything", "")
