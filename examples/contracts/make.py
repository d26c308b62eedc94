"""Make the sample case: tables as CSV, documents, web pages. The same bytes on every run (fixed seed, fixed dates).

    python examples/contracts/make.py [FOLDER]

Needs reportlab and python-docx. What is true in the case stands in README.md; the tests hold both to it.
"""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

from office import write_contract, write_returns_policy
from pages import write_pages
from texts import write_texts

SEED = 20250117

COUNTRIES = {
    "Spain": "EU", "Germany": "EU", "France": "EU", "Italy": "EU", "Portugal": "EU", "Netherlands": "EU", "Ireland": "EU",
    "Sweden": "EU", "Poland": "EU", "Austria": "EU", "United Kingdom": "UK", "United States": "US",
    "Japan": "APAC", "Singapore": "APAC", "Australia": "APAC",
}  # fmt: skip
IT, LOGISTICS, FACILITIES, MARKETING, MACHINERY, CONSULTING, ENERGY = (
    "IT services", "Logistics", "Facilities", "Marketing", "Machinery", "Consulting", "Energy",
)  # fmt: skip
STEMS = {
    "Spain": {"Talleres Ibaizabal": MACHINERY, "Logística Duero": LOGISTICS, "Redes Almadraba": IT, "Suministros Turia": ENERGY,
              "Consultores Alcor": CONSULTING},
    "Germany": {"Kessler Fördertechnik": MACHINERY, "Nordhafen Spedition": LOGISTICS, "Brückner Systeme": IT,
                "Lindacker Werkzeugbau": MACHINERY},
    "France": {"Ateliers Vernier": MARKETING, "Transports Maubert": LOGISTICS, "Cabinet Roussel": CONSULTING},
    "Italy": {"Officine Bellandi": MACHINERY, "Reti Adriatiche": IT, "Studio Marchetti": MARKETING},
    "Portugal": {"Transportes Foz": LOGISTICS, "Cerâmica Lousã": FACILITIES},
    "Netherlands": {"Van Dorp Logistiek": LOGISTICS, "Waterland Data": IT, "Hollebeek Techniek": FACILITIES},
    "Ireland": {"Corrib Software": IT, "Liffey Facilities": FACILITIES},
    "Sweden": {"Älvsjö Teknik": MACHINERY, "Norrland Energi": ENERGY},
    "Poland": {"Sandomir Logistyka": LOGISTICS, "Podhale Meble": FACILITIES},
    "Austria": {"Inntal Maschinen": MACHINERY, "Donau Consulting": CONSULTING},
    "United Kingdom": {"Harrowgate Supplies": FACILITIES, "Pennine Logistics": LOGISTICS, "Thameside Analytics": CONSULTING,
                       "Cotswold Print": MARKETING},
    "United States": {"Bluestem Software": IT, "Cascade Freight": LOGISTICS, "Palmetto Consulting": CONSULTING,
                      "Laurel Systems": IT},
    "Japan": {"Kitano Seiki": MACHINERY, "Hoshizora Data": IT},
    "Singapore": {"Straits Fulfilment": LOGISTICS},
    "Australia": {"Wattle Energy": ENERGY},
}  # fmt: skip
FORMS = {
    "Spain": "S.L.", "Germany": "GmbH", "France": "SARL", "Italy": "S.r.l.", "Portugal": "Lda", "Netherlands": "B.V.",
    "Ireland": "Ltd", "Sweden": "AB", "Poland": "sp. z o.o.", "Austria": "GmbH", "United Kingdom": "Ltd",
    "United States": "Inc.", "Japan": "K.K.", "Singapore": "Pte Ltd", "Australia": "Pty Ltd",
}  # fmt: skip
PER_YEAR = {2022: 56, 2023: 58, 2024: 64, 2025: 90, 2026: 52}
LARGE_EU_2025, LARGE_EU_2025_TOTAL = 47, Decimal("8300000.00")
WITH_CPI, WITH_PENALTY = 33, 39
THRESHOLD = Decimal("100000.00")
NEAR = ("100000.00", "100000.00", "99950.00", "99999.99")
JUST_OUTSIDE = (date(2024, 12, 30), date(2026, 1, 2))
TODAY = date(2026, 12, 1)
RARE = (
    ("exclusivity", "en", 3, {MARKETING, LOGISTICS}),
    ("residency", "en", 2, {IT, CONSULTING}),
    ("residency", "es", 1, {IT, CONSULTING, LOGISTICS}),
    ("escrow", "en", 2, {IT}),
    ("escrow", "de", 1, {IT, MACHINERY}),
    ("favoured", "en", 2, {LOGISTICS, FACILITIES}),
    ("stepin", "en", 1, {FACILITIES, LOGISTICS}),
    ("bond", "en", 1, {MACHINERY}),
    ("bond", "es", 1, {MACHINERY, ENERGY, LOGISTICS}),
)
"""Special conditions beside the two that recur: the language, in how many contracts, of which categories."""


@dataclass(frozen=True)
class Provider:
    name: str
    country: str
    region: str
    category: str
    since: int


@dataclass(frozen=True)
class Draft:
    signed_on: date
    provider: Provider
    amount: Decimal


@dataclass
class Contract:
    id: str
    provider: str
    country: str
    region: str
    category: str
    amount: Decimal
    signed_on: date
    starts_on: date
    ends_on: date
    status: str
    language: str = "en"
    cpi: bool = False
    penalty: bool = False
    rare: list[str] = field(default_factory=list)


def main(folder: Path) -> None:
    rng = random.Random(SEED)
    providers = make_providers(rng)
    contracts = make_contracts(rng, providers)
    customers, orders = make_orders(rng)
    columns = ["name", "country", "region", "since"]
    write_csv(folder / "data" / "providers.csv", columns, [[getattr(one, name) for name in columns] for one in providers])
    columns = ["id", "provider", "country", "region", "category", "amount", "signed_on", "starts_on", "ends_on", "status"]
    write_csv(folder / "data" / "contracts.csv", columns, [[getattr(one, name) for name in columns] for one in contracts])
    write_csv(folder / "data" / "customers.csv", ["id", "name", "country", "city", "since"], customers)
    write_csv(folder / "data" / "orders.csv", ["id", "customer_id", "ordered_on", "product", "quantity", "total"], orders)
    for contract in choose_documents(rng, contracts):
        write_contract(folder / "documents" / "contracts" / f"{contract.id}.pdf", contract, rng)
    write_returns_policy(folder / "documents" / "returns-policy.docx")
    write_texts(folder / "documents")
    write_pages(folder / "web")


def make_providers(rng: random.Random) -> list[Provider]:
    return [
        Provider(f"{stem} {FORMS[country]}", country, COUNTRIES[country], category, rng.randint(2008, 2021))
        for country, stems in STEMS.items()
        for stem, category in stems.items()
    ]


def make_contracts(rng: random.Random, providers: Sequence[Provider]) -> list[Contract]:
    inside = [one for one in providers if one.region == "EU"]
    outside = [one for one in providers if one.region != "EU"]
    drafts = [Draft(random_day(rng, 2025), rng.choice(inside), amount) for amount in large_amounts(rng)]
    # Neighbours of the question: exactly at the threshold, just under it, and large ones signed just outside the year.
    drafts += [Draft(random_day(rng, 2025), rng.choice(inside), Decimal(amount)) for amount in NEAR]
    drafts += [Draft(day, rng.choice(inside), ordinary_amount(rng, 120_000, 260_000)) for day in JUST_OUTSIDE]
    drafts += [Draft(random_day(rng, 2025), rng.choice(inside), ordinary_amount(rng, 6_000, 97_000)) for _ in range(14)]
    for place in range(PER_YEAR[2025] - LARGE_EU_2025 - len(NEAR) - 14):
        low = 104_000 if place % 2 else 8_000
        drafts.append(Draft(random_day(rng, 2025), rng.choice(outside), ordinary_amount(rng, low, low * 4)))
    for year in (2022, 2023, 2024, 2026):
        for _ in range(PER_YEAR[year] - sum(day.year == year for day in JUST_OUTSIDE)):
            provider = rng.choice(inside if rng.random() < 0.62 else outside)
            drafts.append(Draft(random_day(rng, year), provider, ordinary_amount(rng, 4_000, 390_000)))
    return numbered(rng, drafts)


def random_day(rng: random.Random, year: int) -> date:
    return date(year, 1, 3) + timedelta(days=rng.randrange(325 if year == TODAY.year else 362))


def large_amounts(rng: random.Random) -> list[Decimal]:
    """47 irregular amounts above the threshold with the fixed total: drawn, then evened out by small steps."""
    amounts: list[Decimal] = []
    while len(amounts) < LARGE_EU_2025:
        step = rng.choice((1, 50, 100, 25_000))
        cents = int(rng.lognormvariate(16.55, 0.42)) // step * step
        if 10_150_000 <= cents <= 48_000_000:
            amounts.append(Decimal(cents))
    missing = int(LARGE_EU_2025_TOTAL * 100) - int(sum(amounts))
    while missing:
        place = rng.randrange(len(amounts))
        step = max(-1_500_000, min(1_500_000, missing))
        if 10_150_000 <= amounts[place] + step <= 48_000_000:
            amounts[place] += step
            missing -= step
    return [amount / 100 for amount in amounts]


def ordinary_amount(rng: random.Random, low: int, high: int) -> Decimal:
    step = rng.choice((1, 50, 500))
    return Decimal(rng.randint(low, high) // step * step).quantize(Decimal("0.01"))


def numbered(rng: random.Random, drafts: Sequence[Draft]) -> list[Contract]:
    contracts: list[Contract] = []
    counts: dict[int, int] = {}
    for draft in sorted(drafts, key=lambda one: (one.signed_on, one.amount, one.provider.name)):
        year, provider = draft.signed_on.year, draft.provider
        counts[year] = counts.get(year, 0) + 1
        starts = draft.signed_on + timedelta(days=rng.randint(5, 45))
        ends = starts + timedelta(days=rng.choice((365, 730, 1095)) - 1)
        status = "expired" if ends < TODAY else "active"
        # None of 2025: what was signed and later cancelled was still signed, and the count should not hang on that reading.
        if year != 2025 and rng.random() < 0.07:
            status = "cancelled"
        contracts.append(
            Contract(
                f"C-{year}-{counts[year]:03d}", provider.name, provider.country, provider.region, provider.category, draft.amount,
                draft.signed_on, starts, ends, status,
            )
        )  # fmt: skip
    return contracts


def choose_documents(rng: random.Random, contracts: Sequence[Contract]) -> list[Contract]:
    """The large EU contracts of 2025 and 13 others, three of them its neighbours, with their special conditions and languages."""
    large = [one for one in contracts if one.region == "EU" and one.signed_on.year == 2025 and one.amount > THRESHOLD]
    others = [one for one in contracts if one.signed_on == JUST_OUTSIDE[0] or one.amount == THRESHOLD]
    rest = [one for one in contracts if one not in large and one not in others and one.status != "cancelled"]
    others += rng.sample(rest, 60 - len(large) - len(others))
    for among, cpi, penalty in ((large, WITH_CPI, WITH_PENALTY), (others, 3, 4)):
        for one in rng.sample(among, cpi):
            one.cpi = True
        for one in rng.sample(among, penalty):
            one.penalty = True
    for country, language, most in (("Spain", "es", 5), ("Germany", "de", 4)):
        for one in [one for one in large if one.country == country][:most]:
            one.language = language
    for kind, language, times, categories in RARE:
        fitting = [one for one in [*large, *others] if one.language == language and one.category in categories]
        for one in rng.sample(fitting, times):
            one.rare.append(kind)
    return sorted([*large, *others], key=lambda one: one.id)


def make_orders(rng: random.Random) -> tuple[list[list[object]], list[list[object]]]:
    cities = {
        "Spain": ["Madrid", "Valencia", "Bilbao"], "Germany": ["Hamburg", "Leipzig"], "France": ["Lyon", "Nantes"],
        "Italy": ["Torino", "Bari"], "United Kingdom": ["Leeds", "Bristol"],
    }  # fmt: skip
    first = ["Almeda", "Brisa", "Castello", "Dorn", "Elster", "Fontana", "Gale", "Hartmann", "Iris", "Jade", "Kestrel", "Lumen"]
    last = ["Home", "Garden", "Market", "Interiors", "Store", "Trading"]
    names = rng.sample([f"{one} {two}" for one in first for two in last], 60)
    customers: list[list[object]] = []
    for number, name in enumerate(names, 1):
        country = rng.choice(list(cities))
        customers.append(
            [number, name, country, rng.choice(cities[country]), date(2019, 1, 1) + timedelta(days=rng.randrange(2400))]
        )
    prices = {"desk": 240, "chair": 95, "lamp": 38, "shelf": 120, "sofa": 690, "rug": 75}
    orders: list[list[object]] = []
    days = sorted(rng.randrange(1060) for _ in range(480))
    for number, day in enumerate(days, 1):
        product, quantity = rng.choice(list(prices)), rng.randint(1, 12)
        total = Decimal(prices[product] * quantity) * rng.choice((Decimal("1"), Decimal("0.95"), Decimal("0.9")))
        orders.append(
            [
                number,
                rng.randint(1, 60),
                date(2024, 1, 2) + timedelta(days=day),
                product,
                quantity,
                total.quantize(Decimal("0.01")),
            ]
        )
    return customers, orders


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
