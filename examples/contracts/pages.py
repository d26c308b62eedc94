"""The web of the sample case: a dozen invented pages, for a local stand-in of a search engine. Every figure is made up; CC0."""

from __future__ import annotations

import html
import json
from pathlib import Path

PAGES = (
    ("copper", "Copper price, 30 November 2026", "2026-11-30",
     "Copper for delivery in three months closed at 9,842 US dollars a tonne on 30 November 2026, 1.3 percent above the day before. Stocks in "
     "warehouses fell for the fourth week."),
    ("aluminium", "Aluminium price, 30 November 2026", "2026-11-30",
     "Aluminium closed at 2,615 US dollars a tonne on 30 November 2026, almost unchanged on the week."),
    ("euro-rates", "Euro reference rates, 30 November 2026", "2026-11-30",
     "Reference rates of 30 November 2026: one euro buys 1.0940 US dollars, 0.8615 pounds sterling, 164.20 yen and 4.2875 zloty."),
    ("cpi", "Euro area annual inflation, flash estimate for November 2026", "2026-12-01",
     "Euro area annual inflation, measured by the harmonised index of consumer prices, is estimated at 2.1 percent in November 2026, after 2.3 percent "
     "in October. Services rose by 3.0 percent, energy fell by 1.8 percent."),
    ("vat", "Standard VAT rates in the European Union, 2026", "2026-01-05",
     "Standard rates of value added tax in 2026: Germany 19 percent, Spain 21 percent, France 20 percent, Italy 22 percent, Portugal 23 percent, "
     "Netherlands 21 percent."),
    ("late-payment", "Interest for late payment, second half of 2026", "2026-07-01",
     "From 1 July 2026 the statutory interest rate for late payment in commercial transactions in the euro area is 10.15 percent: the central bank's "
     "reference rate of 2.15 percent plus eight points."),
    ("weather", "Weather for Valencia, week of 30 November 2026", "2026-11-30",
     "Sunny intervals, highs of 19 degrees, lows of 9 degrees; showers possible on Thursday."),
    ("freight", "Container freight rates, late November 2026", "2026-11-27",
     "A forty-foot container from Shanghai to Rotterdam cost 2,940 US dollars on the spot market in the last week of November 2026, 6 percent less than a "
     "month before."),
    ("power", "Day-ahead electricity prices, 1 December 2026", "2026-12-01",
     "The day-ahead price of electricity for 1 December 2026 averages 71.40 euros a megawatt hour in Germany and 58.90 euros in Spain."),
    ("fair", "Furniture fair moves to Bologna", "2026-11-18",
     "The European furniture fair of 2027 will be held in Bologna from 13 to 17 April, the organisers said. More than 900 exhibitors are expected."),
    ("strike", "Dock workers announce a two-day strike", "2026-11-25",
     "Dock workers in Rotterdam have announced a strike for 9 and 10 December 2026. Shippers are asked to plan for delays of up to a week."),
    ("insolvency", "Insolvencies in the furniture trade up in the third quarter", "2026-11-12",
     "Insolvencies of furniture retailers in the European Union rose by 4.6 percent in the third quarter of 2026 compared with the year before."),
)  # fmt: skip

TEMPLATE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><meta name="date" content="{published}"></head>
<body><article><h1>{title}</h1><p>{text}</p><p><small>Invented for the sleuth sample case.</small></p></article></body></html>
"""


def write_pages(folder: Path) -> None:
    """One HTML file a page, and index.json: [{"file", "title", "published"}, …]."""
    folder.mkdir(parents=True, exist_ok=True)
    index: list[dict[str, str]] = []
    for name, title, published, text in PAGES:
        body = TEMPLATE.format(title=html.escape(title), published=published, text=html.escape(text))
        (folder / f"{name}.html").write_text(body, encoding="utf-8")
        index.append({"file": f"{name}.html", "title": title, "published": published})
    (folder / "index.json").write_text(json.dumps(index, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
