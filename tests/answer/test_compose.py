from __future__ import annotations

from dataclasses import replace

import pytest

from sleuth.answer.compose import compose, quoted, read_claims
from sleuth.answer.form import Part, parts_of
from sleuth.errors import EvidenceError
from sleuth.evidence import Citation, Evidence, Ledger, Locator
from sleuth.limits import Spent
from sleuth.result import Json, Text
from sleuth.tool import ToolCall
from sleuth.trajectory import Calls, Observation, Step, Trajectory

QUESTION = "How many above 100k€ in 2025, and which conditions?"


def observed(number: int, part: str, *evidence: Evidence) -> Observation:
    shown = "\n".join(f"[{item.id}] {item.text}" for item in evidence)
    return Observation(ToolCall(f"call_1_{number}", "look", part=part), Text(""), shown, evidence)


def seen(number: int, text: str, clause: str = "8.3") -> Evidence:
    return Evidence(number, text, Locator("passage", f"doc{number}.pdf", page=4, clause=clause), "internal", "look")


def step(*observations: Observation) -> Step:
    return Step("t", Calls(()), "", observations)


CONDITIONS = (seen(2, "Late delivery costs 0.5 % a week"), seen(3, "Prices rise by up to 10 %", "7.1"))
TRAJECTORY = Trajectory(QUESTION).extended(
    step(observed(1, "count", seen(1, "n\n47", "")), observed(2, "conditions", *CONDITIONS)), Spent()
)
COUNT, TERMS = parts_of(TRAJECTORY)


def claims(*told: tuple[list[Json], str]) -> Json:
    return {"found": True, "claims": [{"text": text, "evidence": ids} for ids, text in told]}


def read(*told: tuple[list[Json], str]) -> tuple[Citation, ...]:
    return read_claims(claims(*told), TERMS, QUESTION, TRAJECTORY.ledger)


def test_claims_become_a_text_with_markers_and_citations() -> None:
    counted = read_claims(claims(([1], "There are 47 of them.")), COUNT, QUESTION, TRAJECTORY.ledger)
    penalty = read(([2], "Late delivery costs 0.5 % a week."), ([3], "Prices rise by up to 10 %"))
    written = compose([(COUNT, counted), (TERMS, penalty)], (), [QUESTION], TRAJECTORY.ledger)
    assert written.text == "There are 47 of them [1].\nLate delivery costs 0.5 % a week [2]. Prices rise by up to 10 % [3]."
    assert [claim.evidence for claim in written.citations] == [(1,), (2,), (3,)]
    assert (written.missing, written.doubt) == ((), None)


def test_a_claim_made_twice_is_said_once() -> None:
    twice = read(([2], "Late delivery costs 0.5 % a week."), ([2], "Late delivery costs 0.5 % a week."))
    assert compose([(TERMS, twice)], (), [QUESTION], TRAJECTORY.ledger).text == "Late delivery costs 0.5 % a week [2]."


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("Late delivery costs 0.5 % a week (clause 8.3).", "Late delivery costs 0.5 % a week (clause 8.3)."),
        ("Late delivery costs 0.5 % a week (clause 2).", "Late delivery costs 0.5 % a week (clause 8.3)."),
        ("Bei Verzug (Klausel 7.1) costs 0.5 % a week.", "Bei Verzug (Klausel 8.3) costs 0.5 % a week."),
        ("Late delivery costs 0.5 % a week (evidence 2).", "Late delivery costs 0.5 % a week."),
        ("Late delivery costs 0.5 % a week (doc2.pdf, document 2).", "Late delivery costs 0.5 % a week."),
        ("Late delivery costs 0.5 % (2) a week.", "Late delivery costs 0.5 % (2) a week."),
        ("Un retard coûte 0.5 % (alinéa 7.1).", "Un retard coûte 0.5 % (alinéa 8.3)."),
        ("Un ritardo costa 0.5 % (articolo 7.1).", "Un ritardo costa 0.5 % (articolo 8.3)."),
        ("Um atraso custa 0.5 % (secção 7.1).", "Um atraso custa 0.5 % (secção 8.3)."),
        ("Vertraging kost 0.5 % (artikel 7.1).", "Vertraging kost 0.5 % (artikel 8.3)."),
        ("Un retard coûte 0.5 % (pièce 2).", "Un retard coûte 0.5 %."),
        ("Un ritardo costa 0.5 % (prova 2).", "Un ritardo costa 0.5 %."),
        ("Um atraso custa 0.5 % (evidência 2).", "Um atraso custa 0.5 %."),
        ("Vertraging kost 0.5 % (bewijsstuk 2).", "Vertraging kost 0.5 %."),
    ],
)
def test_a_clause_in_brackets_is_that_of_what_is_cited(told: str, kept: str) -> None:
    (claim,) = read(([2], told))
    assert claim == Citation(kept, (2,))


def test_a_part_without_claims_is_said_to_be_missing() -> None:
    nothing = read_claims({"found": False}, TERMS, QUESTION, TRAJECTORY.ledger)
    counted = read_claims(claims(([1], "There are 47 of them.")), COUNT, QUESTION, TRAJECTORY.ledger)
    written = compose([(COUNT, counted), (TERMS, nothing)], ("the moon",), [QUESTION], TRAJECTORY.ledger)
    assert written.missing == ("conditions", "the moon")
    said = "There are 47 of them [1].\nNot found in the sources: conditions.\nNot found in the sources: the moon."
    assert written.text == said


def test_where_nothing_was_found_the_question_itself_is_said_to_be_missing() -> None:
    written = compose([(TERMS, ())], ("the moon",), [QUESTION], TRAJECTORY.ledger)
    assert (written.text, written.citations) == (f"Not found in the sources: {QUESTION}", ())


def test_a_name_that_no_evidence_mentions_puts_the_answer_in_doubt() -> None:
    question = "What does late delivery in Oslo cost?"
    told = read_claims(claims(([2], "Late delivery in Oslo costs 0.5 % a week.")), TERMS, question, TRAJECTORY.ledger)
    written = compose([(TERMS, told)], (), [question], TRAJECTORY.ledger)
    assert written.citations
    assert written.doubt == "“Oslo”: not mentioned in the evidence, so the answer may be about something else"


def queried(text: str, statement: str, *params: str) -> Evidence:
    return Evidence(1, text, Locator("rows", "library", statement=statement, params=params), "internal", "sql_query")


@pytest.mark.parametrize(
    ("asked", "statement", "params", "doubt"),
    [
        ("How many members live in Málaga?", "SELECT COUNT(*) FROM members WHERE city = $1", ("Málaga",), None),
        (
            "How many contracts in 2024?",
            "SELECT … FROM contracts WHERE day >= $1 AND day < $2",
            ("2024-01-01", "2025-01-01"),
            None,
        ),
        ("How many contracts above 100k€?", "SELECT COUNT(*) FROM contracts WHERE amount > $1", ("100000",), None),
        ("How many books by Saramago?", "SELECT … FROM books WHERE genre = $1", ("poesía",), "asks for “poesía”"),
        ("How many books are there?", "SELECT … FROM books WHERE bought >= $1", ("2022-01-01",), "asks for “2022-01-01”"),
        ("How many parking spaces are there?", "SELECT COUNT(*) AS n FROM members", (), "no word of the question"),
    ],
)
def test_a_query_that_asks_for_what_nobody_named_puts_the_answer_in_doubt(
    asked: str, statement: str, params: tuple[str, ...], doubt: str | None
) -> None:
    ledger = Ledger((queried("n\n40", statement, *params),))
    part = Part("number", ledger.items, "[1] 40")
    written = compose([(part, (Citation("There are 40.", (1,)),))], (), [asked], ledger)
    assert doubt in written.doubt if doubt and written.doubt else doubt is written.doubt


def test_what_an_earlier_question_or_another_piece_of_evidence_named_is_no_doubt() -> None:
    first = queried("author\nAna Pérez", "SELECT author FROM books")
    second = replace(
        queried("n\n3", "SELECT COUNT(*) AS n FROM books WHERE author = $1 AND year = $2", "Ana Pérez", "2021"), id=2
    )
    part = Part("books", (second,), "[2] 3")
    asked = ["How many books came out in 2021?", "And of the author with the most?"]
    assert compose([(part, (Citation("There are 3 books.", (2,)),))], (), asked, Ledger((first, second))).doubt is None


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("Late delivery [3] costs 0.5 % a week [2].", "Late delivery costs 0.5 % a week."),
        ("Late delivery costs 0.5 % a week [2, 3][8].", "Late delivery costs 0.5 % a week."),
        ("Late delivery costs 0.5 % a week【8】", "Late delivery costs 0.5 % a week"),
        ("Late delivery\x00 costs <|im_start|>0.5 % a week\u202e.", "Late delivery costs 0.5 % a week."),
    ],
)
def test_a_claim_holds_no_markers_of_its_own_and_nothing_that_is_not_seen(told: str, kept: str) -> None:
    (claim,) = read(([2], told))
    assert (claim.claim, claim.evidence) == (kept, (2,))


def test_a_currency_without_its_figure_is_left_out() -> None:
    (kept,) = read(([2], "Late delivery costs € of the amount."), ([2], "Late delivery costs 0.5 % a week."))
    assert kept.claim == "Late delivery costs 0.5 % a week."


def test_the_evidence_can_be_quoted_without_a_model() -> None:
    long = seen(1, "word " * 100)
    ledger = Ledger((long,))
    assert [claim.evidence for claim in quoted(TERMS.evidence, TRAJECTORY.ledger)] == [(2,), (3,)]
    assert quoted([long], ledger)[0].claim.endswith(" …")


def test_an_unknown_id_raises_and_is_never_dropped() -> None:
    with pytest.raises(EvidenceError, match=r"\[7\]"):
        Ledger((seen(1, "x"),)).cite("claim", [7])


def test_a_claim_with_a_number_that_nobody_has_seen_is_left_out() -> None:
    stray = claims(([1], "There are 47 million of them."))
    assert read_claims(stray, COUNT, QUESTION, TRAJECTORY.ledger) == ()
    both = claims(([1], "There are 47 million of them."), ([1], "There are 47 above 100k€."))
    (kept,) = read_claims(both, COUNT, QUESTION, TRAJECTORY.ledger)
    assert kept.claim == "There are 47 above 100k€."
    assert compose([(COUNT, ())], (), [QUESTION], TRAJECTORY.ledger).missing == ("count",)
