"""How headings and clause numbers are found in running text."""

from __future__ import annotations

from sleuth.sources.documents.document import Document, Piece, build


def clauses(document: Document) -> list[tuple[str | None, str, bool]]:
    return [(block.clause, document.text[block.start : block.end], block.is_heading) for block in document.blocks]


def of(*lines: str) -> Document:
    return build("Title", [Piece(line) for line in lines])


def test_a_short_numbered_line_is_a_heading_and_its_number_holds_for_what_follows() -> None:
    document = of("8 Delivery", "8.3 Late-delivery penalty", "The supplier pays.", "9 Price", "Fixed.")
    assert [(clause, is_heading) for clause, _, is_heading in clauses(document)] == [
        ("8", True), ("8.3", True), ("8.3", False), ("9", True), ("9", False),
    ]  # fmt: skip


def test_headings_nest_by_their_numbers() -> None:
    document = of("1. Scope", "Goods.", "2. Delivery", "General.", "2.1 Delay", "The supplier pays.", "3. End", "Notice.")
    assert [str(heading) for heading in document.blocks[5].headings] == ["2 Delivery", "2.1 Delay"]
    assert [str(heading) for heading in document.blocks[7].headings] == ["3 End"]


def test_a_numbered_paragraph_carries_its_number_without_being_a_heading() -> None:
    document = of(
        "2. Delivery", "2.1 The supplier delivers within ten days of the order.", "2.2 The buyer inspects the goods at once."
    )
    assert clauses(document)[1:] == [
        ("2.1", "2.1 The supplier delivers within ten days of the order.", False),
        ("2.2", "2.2 The buyer inspects the goods at once.", False),
    ]
    assert [str(heading) for heading in document.blocks[2].headings] == ["2 Delivery"]


def test_words_before_the_number_and_other_languages_are_understood() -> None:
    document = of(
        "Cláusula 4. Penalización", "El proveedor paga.", "§ 5 Haftung", "Der Lieferant haftet.", "Article 6: Law", "French."
    )
    assert [clause for clause, _, _ in clauses(document)] == ["4", "4", "5", "5", "6", "6"]
    assert document.blocks[3].headings[-1].text == "Haftung"


def test_a_list_inside_a_clause_does_not_change_the_clause() -> None:
    document = of(
        "7.1 Price revision", "Prices follow:", "1. The index of November", "2. The cap of five per cent", "7.2 End", "Notice."
    )
    assert [clause for clause, _, _ in clauses(document)] == ["7.1", "7.1", "7.1", "7.1", "7.2", "7.2"]


def test_a_table_of_contents_does_not_use_up_the_numbers() -> None:
    document = of("1 Scope . . . . . . . 2", "2.1 Delay ........ 3", "1 Scope", "Goods.", "2 Delivery", "2.1 Delay", "Pays.")
    assert [clause for clause, _, _ in clauses(document)] == [None, None, "1", "1", "2", "2.1", "2.1"]


def test_contents_without_leaders_do_not_use_up_the_numbers_either() -> None:
    document = of("1 Scope", "2 Delivery", "2.1 Delay", "1 Scope", "Goods.", "2 Delivery", "2.1 Delay", "Pays.")
    assert [clause for clause, _, _ in clauses(document)][3:] == ["1", "1", "2", "2.1", "2.1"]


def test_an_annex_ends_the_clauses_and_counts_anew() -> None:
    document = of("1. Scope", "Goods.", "9. Law", "Spanish.", "Annex A", "The goods:", "1. Prices", "In euros.")
    assert [clause for clause, _, _ in clauses(document)] == ["1", "1", "9", "9", None, None, "1", "1"]
    assert [str(heading) for heading in document.blocks[5].headings] == ["Annex A"]


def test_addresses_amounts_and_dates_are_no_clauses() -> None:
    document = of("12 Main Street", "2025 was a good year", "3.5 million euros were paid", "30 days after receipt")
    assert [clause for clause, _, _ in clauses(document)] == [None] * 4


def test_where_the_format_marks_headings_no_line_is_guessed_to_be_one() -> None:
    document = build("T", [Piece("Policy", level=1), Piece("8.3 Refunds", level=2), Piece("1. Send it back"), Piece("9.1 Costs")])
    assert [is_heading for _, _, is_heading in clauses(document)] == [True, True, False, False]
    assert document.blocks[1].clause == "8.3"


def test_offsets_point_into_the_text() -> None:
    document = of("First paragraph.", "  Second, with space around it.  ")
    assert [document.text[block.start : block.end] for block in document.blocks] == [
        "First paragraph.",
        "Second, with space around it.",
    ]
