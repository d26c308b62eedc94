from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sleuth.sources.documents.search import fuse
from sleuth.sources.documents.source import Documents
from sleuth.sources.documents.store import Found


@pytest.fixture(scope="module")
def documents(case: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Documents]:
    documents = Documents(case, index=tmp_path_factory.mktemp("index"))
    documents.update()
    yield documents
    documents.release()


def test_a_clause_is_found_with_page_clause_and_heading(documents: Documents) -> None:
    hit = documents.search("what happens when goods come late?").hits[0]
    assert (hit.page, hit.clause, hit.heading) == (2, "8.3", "Late-delivery penalty")
    assert hit.text.startswith("8.3 Late-delivery penalty\nIf the Goods arrive later")


def test_a_clause_that_recurs_is_one_hit_that_names_all_documents_it_stands_in(documents: Documents) -> None:
    penalties = [hit for hit in documents.search("late delivery penalty", 10).hits if hit.clause == "8.3"]
    assert len(penalties) == 1
    everywhere = {penalties[0].document, *penalties[0].also_in}
    assert everywhere == {f"contracts/C-2025-{number:03d}.pdf" for number in range(1, 7)}
    assert penalties[0].document not in penalties[0].also_in

    (revision,) = [hit for hit in documents.search("price revision by the consumer price index", 10).hits if hit.clause == "9.1"]
    assert len({revision.document, *revision.also_in}) == 4


def test_it_is_said_when_the_folded_passages_differ_in_names_or_numbers(documents: Documents) -> None:
    assert documents.search("late delivery penalty", 1).note == "passages alike but for names and numbers are shown once"
    assert documents.search("hotel", 1).note is None


def test_the_fold_is_whole_however_few_hits_are_asked_for(documents: Documents) -> None:
    (hit,) = documents.search("late delivery penalty", 1).hits
    assert len(hit.also_in) == 5


def test_a_document_is_found_by_its_own_number_though_its_clauses_recur(documents: Documents) -> None:
    hit = documents.search("late delivery penalty in C-2025-004").hits[0]
    assert (hit.document, hit.clause) == ("contracts/C-2025-004.pdf", "8.3")


def test_words_count_without_their_accents(documents: Documents) -> None:
    assert documents.search("limites hotel noche").hits[0].document == "gastos.md"


def test_a_heading_is_found_with_the_text_below_it(documents: Documents) -> None:
    hit = documents.search("returns policy refund period").hits[0]
    assert (hit.document, hit.heading) == ("returns.html", "Refunds")


def test_equal_searches_give_equal_hits(documents: Documents) -> None:
    assert documents.search("delivery") == documents.search("delivery")


def test_no_more_hits_than_asked_for_and_scores_fall(documents: Documents) -> None:
    hits = documents.search("delivery", 3).hits
    assert len(hits) == 3
    assert sorted((hit.score for hit in hits), reverse=True) == [hit.score for hit in hits]


def test_fusing_weighs_both_lists_alike_whatever_their_scales() -> None:
    cosines = [Found("both", 0.9), Found("dense", 0.88), Found("low", 0.1)]
    words = [Found("both", 30.0), Found("sparse", 12.0), Found("low", 1.0)]
    fused = fuse(cosines, words)
    assert fused[0].id == "both"
    assert fused[-1].id == "low"
    assert fuse(cosines, [])[0].id == "both"
    assert fuse([], []) == []


def test_fusing_settles_ties_by_id_and_bears_a_list_of_equal_scores() -> None:
    assert [found.id for found in fuse([Found("b", 1.0), Found("a", 1.0)])] == ["a", "b"]


def test_where_what_recurs_is_asked_for_only_that_is_shown_and_fit_counts(documents: Documents) -> None:
    assert any(not hit.also_in for hit in documents.search("terms", 10).hits)
    hits = documents.search("terms", 10, recurring=True).hits
    assert hits and all(hit.also_in for hit in hits)
    assert documents.search("new prices in writing", 10, recurring=True).hits[0].clause == "9.1"
    assert documents.search("late delivery penalty", 10, recurring=True).hits[0].clause == "8.3"


def test_of_what_fits_nearly_alike_the_more_widespread_goes_first_where_that_is_asked_for(contracts: Path) -> None:
    # Without the first two the revision is left in two contracts, and the penalty in all four.
    for number in (1, 2):
        (contracts / f"C-2025-{number:03d}.pdf").unlink()
    documents = Documents(contracts)
    documents.update()
    plain = [hit.clause for hit in documents.search("revision, penalty", 2).hits]
    spread = {hit.clause: len(hit.also_in) + 1 for hit in documents.search("revision, penalty", 2, recurring=True).hits}
    documents.release()
    assert plain == ["9.1", "8.3"]
    assert list(spread.items()) == [("8.3", 4), ("9.1", 2)]


def test_a_question_that_fits_a_document_sharing_nothing_gets_plain_hits(documents: Documents) -> None:
    asked = "What does the hotel cost per night at most?"
    assert documents.search(asked, 3).hits[0].also_in == ()
    assert documents.search(asked, 3, recurring=True) == documents.search(asked, 3)
