"""What one language's wording of a sample contract consists of. Invented; CC0."""

from __future__ import annotations

from dataclasses import dataclass

Clause = tuple[str, str, str]
"""Number, heading, text with {placeholders}; an article's own line has no text."""


@dataclass(frozen=True)
class Wording:
    """`articles` stand in every contract; `cpi` or `fixed_price`, `penalty` and `rare` where a contract agrees them.

    `scope` is clause 2.1's middle and `deliverables` the lines of Annex A, by category; `prices` are the lines of Annex B.
    `agreed` begins every special condition.
    `variants` are other drafts of an article's text, by number; each contract takes one. `numerals`: two, three …
    """

    title: str
    page: str
    labels: dict[str, str]
    countries: dict[str, str]
    categories: dict[str, str]
    articles: tuple[Clause, ...]
    cpi: Clause
    fixed_price: Clause
    penalty: Clause
    further: str
    agreed: str
    rare: dict[str, tuple[str, str]]
    scope: dict[str, str]
    deliverables: dict[str, tuple[str, ...]]
    prices: tuple[str, str, str]
    numerals: tuple[str, ...]
    variants: dict[str, tuple[str, ...]]
