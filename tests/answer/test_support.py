from __future__ import annotations

import pytest

from sleuth.answer.support import borne_out, unseen_identifiers, unseen_names
from sleuth.evidence import Evidence, Locator


def piece(number: int, text: str, also_in: tuple[str, ...] = ()) -> Evidence:
    return Evidence(number, text, Locator("passage", f"doc{number}.pdf"), "internal", "look", also_in)


TERMS = [
    piece(2, "Late-delivery penalty: 0.5 % of the value for each week of delay."),
    piece(3, "Price revision: by the consumer price index, up to 4 % a year."),
    piece(4, "Exclusivity: no deliveries to competitors."),
]


def cited(claim: str, named: list[int]) -> list[int]:
    return borne_out(claim, named, TERMS, "Which conditions of 2025?")


def test_what_the_model_named_is_kept_where_it_bears_the_claim_out() -> None:
    assert cited("A penalty of 0.5 % is due for each week of delay.", [2]) == [2]


def test_a_claim_is_cited_to_the_piece_that_holds_its_words_and_numbers() -> None:
    assert cited("Prices follow the consumer price index, up to 4 % a year.", [2, 4]) == [3]


def test_a_named_piece_that_has_nothing_of_the_claim_is_left_out() -> None:
    assert cited("A penalty of 0.5 % is due for each week of delay.", [2, 3, 4]) == [2]


def test_without_evidence_to_hold_it_against_the_named_ids_stay() -> None:
    assert borne_out("Anything.", [7], [], "?") == [7]


WEATHER = [piece(1, "Weather for Valencia: sunny intervals, highs of 19 degrees.")]


@pytest.mark.parametrize(
    ("claim", "question", "unseen"),
    [
        ("The weather in Oslo has sunny intervals, highs of 19 degrees.", "What is the weather in Oslo?", ["Oslo"]),
        ("The weather in Valencia has sunny intervals.", "What is the weather in Valencia?", []),
        ("Die Weather-Lage in Oslo: sunny intervals.", "Wie ist das Wetter in Oslo?", []),
        ("En Oslo hace sol.", "¿Qué tiempo hace en Oslo?", []),
    ],
    ids=["another place", "the place", "German capitals", "other language"],
)
def test_a_name_of_the_question_that_no_evidence_holds_is_noticed(claim: str, question: str, unseen: list[str]) -> None:
    assert unseen_names(claim, WEATHER, question) == unseen


def test_a_figure_told_in_short_is_counted_for_the_piece_that_has_it_in_full() -> None:
    rows = [piece(1, "penalties of contracts"), piece(2, "n | total\n47 | 8300000.00")]
    assert borne_out("The contracts are worth 8.3 M€ in total.", [1, 2], rows, "What are they worth?") == [2]


def test_what_a_piece_holds_is_its_text_and_place() -> None:
    place = Locator("passage", "a.pdf", 4, "8.3", "Delay", "SELECT 99", ("EU",))
    assert Evidence(1, "0.5 %", place, "internal", "look").held == "0.5 % ; a.pdf ; 8.3 ; 4 ; Delay ; EU"


PENALTY = Evidence(
    1,
    "1 % for each week of delay.",
    Locator("passage", "contracts/C-2025-046.pdf", 3, "8.3"),
    "internal",
    "look",
    ("C-2025-022.pdf",),
)


@pytest.mark.parametrize(
    ("claim", "question", "unseen"),
    [
        ("In C-2025-022 the penalty is 1 % a week.", "What is the penalty in C-2025-022?", ["C-2025-022"]),
        ("In c-2025-046 the penalty is 1 % a week.", "What is the penalty in c-2025-046?", []),
        ("The penalty is 1 % a week.", "What is the penalty in C-2025-022?", []),
        ("Since 2025-03-01 it is 1 % a week.", "What is the penalty since 2025-03-01?", []),
        ("The late-delivery penalty is 1 % a week.", "What is the late-delivery penalty?", []),
    ],
    ids=["another contract", "the contract", "not repeated", "a date", "a hyphen"],
)
def test_an_identifier_that_nothing_cited_holds_is_noticed(claim: str, question: str, unseen: list[str]) -> None:
    assert unseen_identifiers(claim, [PENALTY], question) == unseen
