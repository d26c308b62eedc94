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
    "Sweden": "EU", "Poland": "EU", "Austria": "EU", "United Kingdom": "UK", "United States": "US", "Canada": "US",
    "Japan": "APAC", "Singapore": "APAC", "Australia": "APAC",
}  # fmt: skip
STEMS = {
    "Spain": ["Talleres Ibaizabal", "Logística Duero", "Redes Almadraba", "Suministros Turia", "Consultores Alcor"],
    "Germany": ["Kessler Fördertechnik", "Nordhafen Spedition", "Brückner Systeme", "Lindacker Werkzeugbau"],
    "France": ["Ateliers Vernier", "Transports Maubert", "Cabinet Roussel"],
    "Italy": ["Officine Bellandi", "Reti Adriatiche", "Studio Marchetti"],
    "Portugal": ["Transportes Foz", "Cerâmica Lousã"],
    "Netherlands": ["Van Dorp Logistiek", "Waterland Data", "Hollebeek Techniek"],
    "Ireland": ["Corrib Software", "Liffey Facilities"],
    "Sweden": ["Älvsjö Teknik", "Norrland Energi"],
    "Poland": ["Sandomir Logistyka", "Podhale Meble"],
    "Austria": ["Inntal Maschinen", "Donau Consulting"],
    "United Kingdom": ["Harrowgate Supplies", "Pennine Logistics", "Thameside Analytics", "Cotswold Print"],
    "United States": ["Bluestem Software", "Cascade Freight", "Palmetto Consulting"],
    "Canada": ["Laurentide Systems"],
    "Japan": ["Kitano Seiki", "Hoshizora Data"],
    "Singapore": ["Straits Fulfilment"],
    "Australia": ["Wattle Energy"],
}
CATEGORIES = ["IT services", "Logistics", "Facilities", "Marketing", "Machinery", "Consulting", "Energy"]
PER_YEAR = {2022: 56, 2023: 58, 2024: 64, 2025: 90, 2026: 52}
LARGE_EU_2025, LARGE_EU_2025_TOTAL = 47, Decimal("8300000.00")
WITH_CPI, WITH_PENALTY = 33, 39
THRESHOLD = Decimal("100000.00")


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
    write_csv(folder / "data" / "providers.csv", ["name", "country", "region", "since"], providers)
    columns = ["id", "provider", "country", "region", "category", "amount", "signed_on", "starts_on", "ends_on", "status"]
    write_csv(folder / "data" / "contracts.csv", columns, [[getattr(one, name) for name in columns] for one in contracts])
    write_csv(folder / "data" / "customers.csv", ["id", "name", "country", "city", "since"], customers)
    write_csv(folder / "data" / "orders.csv", ["id", "customer_id", "ordered_on", "product", "quantity", "total"], orders)
    for contract in choose_documents(rng, contracts):
        write_contract(folder / "documents" / "contracts" / f"{contract.id}.pdf", contract, rng)
    write_returns_policy(folder / "documents" / "returns-policy.docx")
    write_texts(folder / "documents")
    write_pages(folder / "web")


def make_providers(rng: random.Random) -> list[list[object]]:
    forms = {
        "Spain": "S.L.", "Germany": "GmbH", "France": "SARL", "Italy": "S.r.l.", "Portugal": "Lda", "Netherlands": "B.V.",
        "Ireland": "Ltd", "Sweden": "AB", "Poland": "sp. z o.o.", "Austria": "GmbH", "United Kingdom": "Ltd",
        "United States": "Inc.", "Canada": "Inc.", "Japan": "K.K.", "Singapore": "Pte Ltd", "Australia": "Pty Ltd",
    }  # fmt: skip
    rows: list[list[object]] = []
    for country, stems in STEMS.items():
        for stem in stems:
            rows.append([f"{stem} {forms[country]}", country, COUNTRIES[country], rng.randint(2008, 2022)])
    return rows


def make_contracts(rng: random.Random, providers: Sequence[Sequence[object]]) -> list[Contract]:
    inside = [row for row in providers if row[2] == "EU"]
    outside = [row for row in providers if row[2] != "EU"]
    drafts: list[tuple[int, Sequence[object], Decimal]] = []
    for amount in large_amounts(rng):
        drafts.append((2025, rng.choice(inside), amount))
    # Neighbours of the question: exactly at the threshold, just under it, and large ones of other regions in the same year.
    for amount in ("100000.00", "100000.00", "99950.00", "99999.99"):
        drafts.append((2025, rng.choice(inside), Decimal(amount)))
    for _ in range(14):
        drafts.append((2025, rng.choice(inside), ordinary_amount(rng, 6_000, 97_000)))
    for place in range(PER_YEAR[2025] - len(drafts)):
        low = 104_000 if place % 2 else 8_000
        drafts.append((2025, rng.choice(outside), ordinary_amount(rng, low, low * 4)))
    for year in (2022, 2023, 2024, 2026):
        for _ in range(PER_YEAR[year]):
            row = rng.choice(inside if rng.random() < 0.62 else outside)
            drafts.append((year, row, ordinary_amount(rng, 4_000, 390_000)))
    return numbered(rng, drafts)


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


def numbered(rng: random.Random, drafts: Sequence[tuple[int, Sequence[object], Decimal]]) -> list[Contract]:
    signed: list[tuple[date, Sequence[object], Decimal]] = []
    for year, row, amount in drafts:
        days = 325 if year == 2026 else 362
        signed.append((date(year, 1, 3) + timedelta(days=rng.randrange(days)), row, amount))
    signed.sort(key=lambda item: (item[0], item[2], str(item[1][0])))
    contracts: list[Contract] = []
    counts: dict[int, int] = {}
    for signed_on, row, amount in signed:
        counts[signed_on.year] = counts.get(signed_on.year, 0) + 1
        starts = signed_on + timedelta(days=rng.randint(5, 45))
        ends = starts + timedelta(days=rng.choice((365, 730, 1095)) - 1)
        status = "expired" if ends < date(2026, 12, 1) else "active"
        large = row[2] == "EU" and signed_on.year == 2025 and amount > THRESHOLD
        if not large and rng.random() < 0.07:
            status = "cancelled"
        contracts.append(
            Contract(
                f"C-{signed_on.year}-{counts[signed_on.year]:03d}",
                str(row[0]),
                str(row[1]),
                str(row[2]),
                rng.choice(CATEGORIES),
                amount,
                signed_on,
                starts,
                ends,
                status,
            )
        )
    return contracts


def choose_documents(rng: random.Random, contracts: Sequence[Contract]) -> list[Contract]:
    """The large EU contracts of 2025 and a dozen others, with their special conditions and languages."""
    large = [one for one in contracts if one.region == "EU" and one.signed_on.year == 2025 and one.amount > THRESHOLD]
    others = rng.sample([one for one in contracts if one not in large and one.status != "cancelled"], 13)
    for one in rng.sample(large, WITH_CPI):
        one.cpi = True
    for one in rng.sample(large, WITH_PENALTY):
        one.penalty = True
    for one in rng.sample(others, 4):
        one.penalty = True
    for country, language, most in (("Spain", "es", 5), ("Germany", "de", 4)):
        for one in [one for one in large if one.country == country][:most]:
            one.language = language
    english = [one for one in [*large, *others] if one.language == "en"]
    for kind, times in (("exclusivity", 3), ("residency", 3), ("escrow", 2), ("favoured", 2), ("stepin", 1), ("bond", 2)):
        for one in rng.sample(english, times):
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
