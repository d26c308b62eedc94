"""The wording of the sample contracts: English. Invented; CC0."""

from __future__ import annotations

from wording import Wording

ENGLISH = Wording(
    title="Framework contract {id}",
    page="page {page}",
    labels={
        "between": "between Meridian Retail Group and",
        "provider": "Provider",
        "region": "Region",
        "category": "Category",
        "amount": "Contract amount",
        "signed": "Signed on",
        "term": "Term",
        "special": "Special conditions agreed",
        "cpi": "price revision linked to the CPI (clause 7.1)",
        "penalty": "late-delivery penalty (clause 8.3)",
        "none": "none",
        "annex_a": "Annex A: Deliverables and dates",
        "deliverable": "Deliverable",
        "due": "Due",
        "annex_b": "Annex B: Prices",
        "position": "Position",
        "price": "Price",
        "total": "Total, excluding value added tax",
        "signatures": "Signed on {signed} in two copies, one for each party.",
        "signs": "For {party}",
    },
    countries={},
    categories={},
    articles=(
        ("1", "Parties and definitions", ""),
        (
            "1.1",
            "Parties",
            "This contract is made between Meridian Retail Group (the Customer) and {provider}, with its seat in {country} (the "
            "Provider). Each party confirms that the person signing for it is entitled to do so.",
        ),
        (
            "1.2",
            "Definitions",
            "Deliverables are the goods and services listed in Annex A. A working day is a day on which banks are open at the seat of "
            "the Customer. Headings serve convenience and do not affect interpretation.",
        ),
        ("2", "Subject of the contract", ""),
        (
            "2.1",
            "Scope",
            "The Provider {scope}. The deliverables and their dates are listed in Annex A. Work that is not listed there is ordered in writing "
            "before it begins; the Customer owes no payment for work begun without such an order.",
        ),
        (
            "2.2",
            "Personnel",
            "The Provider assigns {people} qualified persons to the contract and names one of them as contact. A person who leaves is "
            "replaced within ten working days by somebody of equal qualification.",
        ),
        ("3", "Term and termination", ""),
        (
            "3.1",
            "Term",
            "The contract begins on {starts} and ends on {ends}. It may be extended once, in writing, by no more than twelve months.",
        ),
        (
            "3.2",
            "Termination for cause",
            "Either party may end the contract with {notice} days' notice where the other has broken a material duty and has not mended "
            "the breach within twenty days of being told of it in writing.",
        ),
        ("4", "Price and payment", ""),
        (
            "4.1",
            "Contract amount",
            "The total amount of the contract is {amount}, excluding value added tax. It covers all costs of the Provider, travel "
            "included, unless Annex B says otherwise.",
        ),
        (
            "4.2",
            "Payment",
            "Invoices are issued monthly in arrears and are payable within {payment} days of receipt. The Customer may withhold the part of "
            "an invoice that it disputes in good faith, giving its reasons.",
        ),
        ("5", "Confidentiality and data protection", ""),
        (
            "5.1",
            "Confidentiality",
            "Each party keeps secret what it learns of the other's business and uses it only to perform the contract. This duty lasts five "
            "years beyond the end of the contract.",
        ),
        (
            "5.2",
            "Personal data",
            "Where the Provider processes personal data for the Customer, the data-processing agreement that the parties sign separately "
            "applies and takes precedence over this contract.",
        ),
        ("6", "Warranty and liability", ""),
        (
            "6.1",
            "Warranty",
            "The Provider warrants for {warranty} months from acceptance that the deliverables are free of defects, and mends defects at its "
            "own cost within a reasonable time.",
        ),
        (
            "6.2",
            "Liability",
            "Liability for slight negligence is limited to the contract amount. The limit does not apply to intent, gross negligence, or harm "
            "to life and health.",
        ),
        ("7", "Prices", ""),
        ("8", "Delivery", ""),
        (
            "8.1",
            "Delivery dates",
            "The dates of delivery are set out in Annex A. The Provider reports a foreseeable delay as soon as it knows of it, with the new "
            "date it proposes.",
        ),
        (
            "8.2",
            "Acceptance",
            "The Customer checks a delivery within {check} working days and accepts it in writing or states what is missing. Use in "
            "production counts as acceptance.",
        ),
        ("9", "Subcontracting and insurance", ""),
        (
            "9.1",
            "Subcontracting",
            "The Provider may use subcontractors that the Customer has approved in writing. It answers for their work as for its own and "
            "passes the duties of articles 5 and 6 on to them.",
        ),
        (
            "9.2",
            "Insurance",
            "The Provider keeps liability insurance of at least {insurance} EUR for each event during the whole term and proves it on request.",
        ),
        ("10", "Final provisions", ""),
        (
            "10.1",
            "Form",
            "Changes to this contract must be made in writing, this clause included. Should a provision be void, the rest remains in force.",
        ),
        (
            "10.2",
            "Law and venue",
            "The contract is governed by the law of the seat of the Customer. Disputes that cannot be settled amicably are brought before the "
            "courts of that seat.",
        ),
    ),
    cpi=(
        "7.1",
        "Price revision linked to the CPI",
        "Prices are revised once a year, on the anniversary of the signature, by the change of the harmonised consumer price index (CPI) "
        "over the preceding twelve months, upwards or downwards, by no more than {cpi_cap} % a year.",
    ),
    fixed_price=(
        "7.1",
        "Fixed prices",
        "The prices of Annex B are fixed for the whole term. No index, surcharge or exchange rate changes them.",
    ),
    penalty=(
        "8.3",
        "Late-delivery penalty",
        "If a delivery is late for reasons the Provider answers for, the Provider pays a penalty of {penalty} % of the value of the delayed "
        "part for each full week of delay, up to {penalty_cap} % of the contract amount. The Customer may set the penalty off against "
        "invoices; further claims remain open to it.",
    ),
    further="Further special conditions",
    agreed="Special condition agreed by the parties",
    rare={
        "exclusivity": (
            "Exclusivity",
            "For the term of the contract the Provider does not offer the same deliverables to furniture retailers competing with the Customer in the same country.",
        ),
        "residency": (
            "Data residency",
            "All data of the Customer are stored and processed in data centres inside the European Union; access from elsewhere needs prior "
            "written consent.",
        ),
        "escrow": (
            "Source-code escrow",
            "The Provider deposits the source code of the software with an escrow agent and renews the deposit with every release. The agent "
            "hands it over in the event of insolvency.",
        ),
        "favoured": (
            "Most-favoured customer",
            "If the Provider grants another customer of like volume better prices for like deliverables, it grants them to the Customer from "
            "the same day.",
        ),
        "stepin": (
            "Step-in right",
            "If the Provider fails to perform for more than fifteen working days, the Customer may have the work done by others at the "
            "Provider's expense until performance resumes.",
        ),
        "bond": (
            "Performance bond",
            "Within thirty days of signature the Provider hands over a bank guarantee of 5 % of the contract amount, valid until final "
            "acceptance.",
        ),
    },
    scope={
        "IT services": "operates, maintains and develops the warehouse and order systems of the Customer, with a help desk on working days",
        "Logistics": "collects, carries and delivers the Customer's goods between its warehouses, stores and customers",
        "Facilities": "maintains the Customer's stores and offices, including cleaning, small repairs and the yearly inspections required by law",
        "Marketing": "plans, designs and produces the Customer's seasonal campaigns, in print and online",
        "Machinery": "delivers, installs and commissions conveyor and packing machinery and trains the Customer's staff in its use",
        "Consulting": "advises the Customer on purchasing and stock planning and carries out the studies ordered from it",
        "Energy": "supplies electricity to the Customer's sites and reports their consumption every month",
    },
    deliverables={
        "IT services": (
            "Transition plan and inventory of systems",
            "Take-over of operations",
            "Interface to the carriers' systems",
            "Yearly security review",
        ),
        "Logistics": ("Route plan and carrier list", "Start of regular service", "Peak-season capacity plan"),
        "Facilities": ("Survey of all sites", "Maintenance calendar", "First inspection report", "Second inspection report"),
        "Marketing": ("Campaign concept", "Artwork and texts, ready for print", "Report on reach and cost"),
        "Machinery": ("Approved drawings", "Delivery to site", "Commissioning and test run", "Training of operators"),
        "Consulting": ("Kick-off report", "Interim findings", "Final report with recommendations"),
        "Energy": ("Metering concept", "Start of supply", "Yearly consumption report"),
    },
    prices=("Preparation and set-up", "Regular services", "Final deliverables and documentation"),
    numerals=("two", "three", "four", "five"),
    variants={
        "2.2": (
            "The Provider names a contract manager and a deputy, and assigns {people} qualified persons to the work. The Customer may ask for a "
            "person to be replaced where there is good reason.",
        ),
        "4.2": (
            "Invoices are issued on acceptance of each deliverable and fall due {payment} days after receipt. An invoice that lacks the order "
            "number is returned and does not fall due.",
        ),
        "5.1": (
            "Neither party discloses the other's business information to third parties, except to advisers bound to secrecy or where the law "
            "requires it. The duty survives the end of the contract by three years.",
        ),
        "6.2": (
            "Each party is liable without limit for intent and gross negligence. In all other cases liability is limited, for each contract "
            "year, to the amount paid in that year; loss of profit is excluded.",
        ),
        "10.2": (
            "The law of the seat of the Customer applies, without its conflict rules. Before going to court the parties try to settle a dispute "
            "by mediation for no longer than thirty days.",
        ),
    },
)
