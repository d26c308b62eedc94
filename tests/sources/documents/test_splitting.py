from __future__ import annotations

from sleuth.sources.documents.document import Document, Piece, build
from sleuth.sources.documents.embed.minilm import MiniLM
from sleuth.sources.documents.split import split

SENTENCE = "The supplier delivers the goods to the warehouse of the buyer within ten working days of the order. "


def contract() -> Document:
    pieces = [
        Piece("Supply agreement", 1),
        Piece("1. Scope", 1),
        Piece("The goods are listed in Annex A.", 1),
        Piece("The buyer may change an order.", 1),
        Piece("8. Delivery", 2),
        Piece("8.1 Place", 2),
        Piece("At the warehouse.", 2),
        Piece("8.3 Late-delivery penalty", 2),
        Piece(SENTENCE * 30, 2),
    ]
    return build("Supply agreement", pieces)


def test_one_clause_is_one_passage_that_carries_its_number_and_heading(minilm: MiniLM) -> None:
    parts = {part.clause: part for part in split(contract(), "a.pdf", minilm)}
    assert parts["1"].text == "1 Scope\nThe goods are listed in Annex A.\n\nThe buyer may change an order."
    assert (parts["8.1"].text, parts["8.1"].page, parts["8.1"].heading) == ("8.1 Place\nAt the warehouse.", 2, "Place")
    assert parts["8.1"].context == "8 Delivery"


def test_a_heading_with_only_headings_below_it_is_no_passage_of_its_own(minilm: MiniLM) -> None:
    assert "8" not in {part.clause for part in split(contract(), "a.pdf", minilm)}


def test_a_long_clause_is_cut_at_ends_of_sentences_within_the_window(minilm: MiniLM) -> None:
    parts = [part for part in split(contract(), "a.pdf", minilm) if part.clause == "8.3"]
    assert len(parts) > 2
    for part in parts:
        assert part.text.startswith("8.3 Late-delivery penalty\nThe supplier")
        assert part.text.endswith("of the order.")
        assert minilm.count(part.text) <= minilm.window


def test_offsets_give_back_the_words_of_each_passage_and_nothing_is_lost(minilm: MiniLM) -> None:
    document = contract()
    parts = split(document, "a.pdf", minilm)
    for part in parts:
        assert part.text.endswith(document.text[part.start : part.end])
    covered = "".join(document.text[part.start : part.end] for part in parts)
    assert covered.count("The supplier") == 30


def test_text_without_headings_is_split_too(minilm: MiniLM) -> None:
    parts = split(build("Notes", [Piece(SENTENCE * 4)] * 12), "notes.txt", minilm)
    assert len(parts) > 3
    assert all(part.clause is None and part.heading is None for part in parts)


def test_the_same_file_gives_the_same_ids_and_another_path_gives_others(minilm: MiniLM) -> None:
    ids = [part.id for part in split(contract(), "a.pdf", minilm)]
    assert ids == [part.id for part in split(contract(), "a.pdf", minilm)]
    assert len(set(ids)) == len(ids)
    assert not set(ids) & {part.id for part in split(contract(), "b.pdf", minilm)}


def test_a_heading_longer_than_its_share_is_cut_so_that_the_passage_fits(minilm: MiniLM) -> None:
    document = build("T", [Piece("Heading " + "word " * 300, level=1), Piece(SENTENCE * 10)])
    assert all(minilm.count(part.text) <= minilm.window for part in split(document, "a.md", minilm))
