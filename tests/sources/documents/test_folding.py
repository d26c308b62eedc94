"""Which passages are one clause in different contracts, and which are different clauses."""

from __future__ import annotations

import pytest

from sleuth.sources.documents.fold import Shape, alike, same

SAME = {
    "names and amounts": (
        "If the Goods arrive late, Acme Logistik GmbH pays 0.5 % of their value for each full week of delay, up to 10 %.",
        "If the Goods arrive late, Iberia Suministros pays 1.25 % of their value for each full week of delay, up to 8 %.",
    ),
    "a name of several words in a short clause": (
        "This agreement is signed in two copies by Lyon Textiles Fils on 3 March 2025.",
        "This agreement is signed in two copies by Nordic Steel on 14 May 2025.",
    ),
    "line breaks and case": ("8.3 PENALTY\nThe supplier pays.", "8.3 Penalty\nThe supplier\npays."),
    "German": (
        "Bei Verzug zahlt die Acme Logistik GmbH 0,5 % des Warenwerts je volle Woche, höchstens jedoch 10 %.",
        "Bei Verzug zahlt die Weber Stahl AG 0,8 % des Warenwerts je volle Woche, höchstens jedoch 12 %.",
    ),
}
DIFFERENT = {
    "two clauses on delivery": (
        "If the Goods arrive late, the supplier pays 0.5 % of their value for each full week of delay, up to 10 %.",
        "Delivery is made to the warehouse of the buyer; the supplier gives notice of each shipment two days before.",
    ),
    "a duty and its opposite party": (
        "The supplier bears the cost of transport and insurance until the goods are handed over.",
        "The buyer keeps the goods in their packaging and reports defects within a week.",
    ),
    "German nouns": (
        "Der Lieferant trägt die Kosten der Verpackung.",
        "Der Käufer trägt die Gefahr der Lagerung.",
    ),
    "two lists of what was agreed": (
        "Framework contract C-2025-001 between Meridian and Acme. Region: EU. Special conditions agreed: price revision "
        "linked to the CPI (clause 7.1).",
        "Framework contract C-2025-002 between Meridian and Weber. Region: EU. Special conditions agreed: price revision "
        "linked to the CPI (clause 7.1), late-delivery penalty (clause 8.3).",
    ),
    "a rule and the rule without its limit": (
        "Prices follow the consumer price index each January, at most by 3 % in either direction, and both parties confirm them.",
        "Prices follow the consumer price index each January.",
    ),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_one_clause_with_other_names_and_numbers_is_the_same(pair: tuple[str, str]) -> None:
    assert same(Shape.of(pair[0]), Shape.of(pair[1]))


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT)
def test_different_clauses_are_not_the_same(pair: tuple[str, str]) -> None:
    assert not same(Shape.of(pair[0]), Shape.of(pair[1]))


def test_sameness_does_not_depend_on_the_order() -> None:
    for one, other in (*SAME.values(), *DIFFERENT.values()):
        assert same(Shape.of(one), Shape.of(other)) == same(Shape.of(other), Shape.of(one))


def test_variants_of_a_text_are_alike_but_not_the_same() -> None:
    one, other = (Shape.of(text) for text in DIFFERENT["two lists of what was agreed"])
    assert alike(one, other)
    assert not alike(*(Shape.of(text) for text in DIFFERENT["two clauses on delivery"]))
