"""Procedures of the sample company as HTML and Markdown, two of them in Spanish and German. Invented; CC0."""

from __future__ import annotations

from pathlib import Path

EXPENSES = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Expense procedure</title></head><body>
<nav><a href="/">Intranet</a> <a href="/finance">Finance</a></nav>
<h1>Expense procedure</h1>
<p>Version 7, in force since 1 February 2026. Owner: Finance.</p>
<h2>1 What is reimbursed</h2>
<p>Reasonable costs of business travel, of meals with customers and of small office purchases up to 250 EUR are reimbursed. Fines, minibar and
travel in first class are not.</p>
<h2>2 Limits</h2>
<table><tr><th>Cost</th><th>Limit</th></tr>
<tr><td>Hotel, per night</td><td>140 EUR (180 EUR in capital cities)</td></tr>
<tr><td>Meals, per day</td><td>42 EUR</td></tr>
<tr><td>Private car, per kilometre</td><td>0.26 EUR</td></tr>
<tr><td>Customer entertainment, per person</td><td>60 EUR</td></tr></table>
<h2>3 How to claim</h2>
<p>Claims are filed in the expense tool within 30 days of the cost, with a receipt for every item above 10 EUR. A claim filed later needs the
approval of the head of department.</p>
<h2>4 Approval and payment</h2>
<p>The line manager approves claims up to 500 EUR, the head of department up to 5,000 EUR, the CFO anything above. Approved claims are paid with
the next payroll.</p>
<footer>Internal use only</footer></body></html>
"""

SUPPLIERS = """# Supplier onboarding procedure

Version 4, in force since 15 January 2026. Owner: Procurement.

## 1 When it applies

Every supplier with an expected yearly volume above 5,000 EUR is onboarded before the first order. Below that a purchase card is used.

## 2 Documents a new supplier hands in

- extract from the commercial register, not older than three months
- certificate of tax residence
- proof of liability insurance of at least 1,000,000 EUR
- signed code of conduct
- bank details, confirmed by a call back to a number from a public register

Suppliers that process personal data hand in a signed data-processing agreement as well.

## 3 Checks

Procurement screens the supplier against sanctions lists, asks for a credit report and scores the risk from A to D. A supplier scored D is not
onboarded; one scored C needs the approval of the CFO.

## 4 Time limits

Onboarding takes at most 15 working days from the day the documents are complete. The screening is repeated every 12 months.

## 5 Contracts above 100,000 EUR

Contracts above 100,000 EUR are signed by two directors and must carry a late-delivery penalty or a written reason why not.
"""

TRAVEL = """# Nota sobre gastos de viaje en España

En vigor desde el 1 de marzo de 2026. Completa el procedimiento general de gastos para los empleados de las oficinas de Madrid, Valencia y Bilbao.

## 1 Dietas

La dieta completa dentro de España es de 53,34 euros al día con pernocta y de 26,67 euros sin ella. En el extranjero se aplican 91,35 y 48,08
euros.

## 2 Kilometraje

El uso del vehículo propio se abona a 0,26 euros por kilómetro, más peajes y aparcamiento con justificante.

## 3 Plazo

Los gastos se presentan antes del día 5 del mes siguiente. Pasado ese plazo se abonan con la nómina posterior.
"""

PRIVACY = """# Merkblatt Datenschutz

Gültig seit dem 1. April 2026. Ansprechpartner ist die Datenschutzbeauftragte.

## 1 Auskunft

Auskunftsersuchen von Kundinnen und Kunden werden binnen 30 Tagen beantwortet. Die Identität wird vorher geprüft.

## 2 Aufbewahrung

Bewerbungsunterlagen werden sechs Monate nach Abschluss des Verfahrens gelöscht, Rechnungen nach zehn Jahren.

## 3 Datenpannen

Eine Datenpanne wird der Datenschutzbeauftragten sofort gemeldet, damit die Meldung an die Aufsichtsbehörde innerhalb von 72 Stunden erfolgt.
"""


def write_texts(folder: Path) -> None:
    for name, text in (
        ("expense-procedure.html", EXPENSES),
        ("supplier-onboarding.md", SUPPLIERS),
        ("gastos-de-viaje.md", TRAVEL),
        ("merkblatt-datenschutz.md", PRIVACY),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
