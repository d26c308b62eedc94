from __future__ import annotations

import pytest

from sleuth.catalogue.catalogue import Catalogue, Entry
from sleuth.catalogue.linking import MOST, links
from sleuth.errors import UsageError
from sleuth.source import Card
from sleuth.tool import tool

VALUES = [
    ("contracts.region", "EU"),
    ("contracts.region", "IT"),
    ("contracts.status", "active"),
    ("customers.city", "York"),
    ("customers.city", "New York"),
    ("customers.city", "Málaga"),
    ("orders.city", "Málaga"),
]


def linked(question: str) -> dict[str, tuple[str, ...]]:
    return {link.value: link.places for link in links(question, VALUES)}


def test_a_word_of_the_question_that_is_a_value_is_linked_to_its_column() -> None:
    assert linked("How many contracts with EU providers?") == {"EU": ("contracts.region",)}


def test_a_short_value_in_capitals_is_not_found_in_ordinary_words() -> None:
    assert linked("is it active?") == {"active": ("contracts.status",)}


def test_case_and_accents_do_not_matter() -> None:
    assert linked("pedidos de malaga, ACTIVE") == {
        "Málaga": ("customers.city", "orders.city"),
        "active": ("contracts.status",),
    }


def test_a_value_within_a_longer_one_is_not_linked_again() -> None:
    assert linked("orders from New York") == {"New York": ("customers.city",)}


def test_a_value_within_a_word_is_not_linked() -> None:
    assert linked("inactive Yorkshire EUROPE") == {}


def test_links_are_bounded() -> None:
    many = [("t.c", f"value{n}") for n in range(40)]
    assert len(links(" ".join(value for _, value in many), many)) == MOST


@tool
def weather(city: str) -> str:
    """The weather in a city. NOT for anything else."""
    return city


def test_the_catalogue_lists_tools_with_what_their_source_holds() -> None:
    card = Card("shop", "database", "Shop", ("orders(id integer)",))
    text = Catalogue.of([Entry(weather, card)]).text()
    assert text == "- weather(city): The weather in a city. NOT for anything else.\n  orders(id integer)"


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="weather"):
        Catalogue.of([Entry(weather), Entry(weather)])


def test_an_empty_catalogue_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one"):
        Catalogue.of([])
