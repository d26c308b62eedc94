"""The wording of the sample contracts in three languages. Invented; CC0."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """`articles` are (number, heading, text) with {placeholders}; the special ones are added where a contract agrees them."""

    title: str
    labels: dict[str, str]
    articles: tuple[tuple[str, str, str], ...]
    cpi: tuple[str, str, str]
    fixed_price: tuple[str, str, str]
    penalty: tuple[str, str, str]
    rare: dict[str, tuple[str, str]]
    page: str


ENGLISH = Wording(
    title="Framework contract {id}",
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
    },
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
            "The Provider supplies {category} as described in Annex A. Work that is not listed there is ordered in writing before it "
            "begins; the Customer owes no payment for work begun without such an order.",
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
            "Where the Provider processes personal data for the Customer, the data-processing agreement in Annex C applies and takes "
            "precedence over this contract.",
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
        ("7", "Special conditions on price", ""),
        ("8", "Special conditions on delivery", ""),
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
    rare={
        "exclusivity": (
            "Exclusivity",
            "For the term of the contract the Provider does not offer the same deliverables to competitors of the Customer named in Annex D.",
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
    page="page {page}",
)

SPANISH = Wording(
    title="Contrato marco {id}",
    labels={
        "between": "entre Meridian Retail Group y",
        "provider": "Proveedor",
        "region": "Región",
        "category": "Categoría",
        "amount": "Importe del contrato",
        "signed": "Firmado el",
        "term": "Vigencia",
        "special": "Condiciones especiales pactadas",
        "cpi": "revisión de precios vinculada al IPC (cláusula 7.1)",
        "penalty": "penalización por entrega tardía (cláusula 8.3)",
        "none": "ninguna",
    },
    articles=(
        ("1", "Partes y definiciones", ""),
        (
            "1.1",
            "Partes",
            "Este contrato se celebra entre Meridian Retail Group (el Cliente) y {provider}, con domicilio en {country} (el Proveedor). Cada "
            "parte declara que quien firma en su nombre está facultado para ello.",
        ),
        ("2", "Objeto del contrato", ""),
        (
            "2.1",
            "Alcance",
            "El Proveedor presta los servicios y suministros de {category} descritos en el Anexo A. Los trabajos no incluidos en él se encargan "
            "por escrito antes de su inicio.",
        ),
        ("3", "Vigencia y resolución", ""),
        (
            "3.1",
            "Vigencia",
            "El contrato comienza el {starts} y termina el {ends}. Puede prorrogarse una sola vez, por escrito, por un máximo de doce meses.",
        ),
        (
            "3.2",
            "Resolución por incumplimiento",
            "Cualquiera de las partes puede resolver el contrato con un preaviso de {notice} días si la otra incumple una obligación esencial "
            "y no la subsana en veinte días desde el requerimiento escrito.",
        ),
        ("4", "Precio y pago", ""),
        (
            "4.1",
            "Importe del contrato",
            "El importe total del contrato es de {amount}, sin impuesto sobre el valor añadido. Incluye todos los costes del Proveedor, salvo lo "
            "previsto en el Anexo B.",
        ),
        (
            "4.2",
            "Pago",
            "Las facturas se emiten mensualmente y se abonan en un plazo de {payment} días desde su recepción.",
        ),
        ("5", "Confidencialidad y protección de datos", ""),
        (
            "5.1",
            "Confidencialidad",
            "Cada parte guarda secreto sobre lo que conozca del negocio de la otra. Esta obligación dura cinco años tras el fin del contrato.",
        ),
        ("6", "Garantía y responsabilidad", ""),
        (
            "6.1",
            "Garantía",
            "El Proveedor garantiza durante {warranty} meses desde la aceptación que lo entregado carece de defectos y los subsana a su costa.",
        ),
        ("7", "Condiciones especiales de precio", ""),
        ("8", "Condiciones especiales de entrega", ""),
        (
            "8.1",
            "Fechas de entrega",
            "Las fechas de entrega figuran en el Anexo A. El Proveedor comunica todo retraso previsible en cuanto lo conoce.",
        ),
        (
            "8.2",
            "Aceptación",
            "El Cliente revisa cada entrega en {check} días hábiles y la acepta por escrito o indica lo que falta.",
        ),
        ("10", "Disposiciones finales", ""),
        (
            "10.1",
            "Forma",
            "Toda modificación de este contrato debe constar por escrito. La nulidad de una cláusula no afecta a las demás.",
        ),
    ),
    cpi=(
        "7.1",
        "Revisión de precios vinculada al IPC",
        "Los precios se revisan una vez al año, en el aniversario de la firma, según la variación del índice armonizado de precios de consumo "
        "(IPC) de los doce meses anteriores, al alza o a la baja, con un máximo del {cpi_cap} % anual.",
    ),
    fixed_price=(
        "7.1",
        "Precios fijos",
        "Los precios del Anexo B son fijos durante toda la vigencia. Ningún índice, recargo ni tipo de cambio los modifica.",
    ),
    penalty=(
        "8.3",
        "Penalización por entrega tardía",
        "Si una entrega se retrasa por causas imputables al Proveedor, este paga una penalización del {penalty} % del valor de la parte "
        "retrasada por cada semana completa de retraso, hasta el {penalty_cap} % del importe del contrato.",
    ),
    rare={
        "residency": (
            "Residencia de los datos",
            "Todos los datos del Cliente se almacenan y tratan en centros de datos situados en la Unión Europea.",
        ),
        "bond": (
            "Aval de cumplimiento",
            "En los treinta días siguientes a la firma el Proveedor entrega un aval bancario del 5 % del importe del contrato.",
        ),
    },
    page="página {page}",
)

GERMAN = Wording(
    title="Rahmenvertrag {id}",
    labels={
        "between": "zwischen Meridian Retail Group und",
        "provider": "Auftragnehmer",
        "region": "Region",
        "category": "Kategorie",
        "amount": "Auftragswert",
        "signed": "Unterzeichnet am",
        "term": "Laufzeit",
        "special": "Vereinbarte Sonderbedingungen",
        "cpi": "Preisanpassung nach Verbraucherpreisindex (Klausel 7.1)",
        "penalty": "Vertragsstrafe bei verspäteter Lieferung (Klausel 8.3)",
        "none": "keine",
    },
    articles=(
        ("1", "Parteien und Begriffe", ""),
        (
            "1.1",
            "Parteien",
            "Dieser Vertrag wird zwischen Meridian Retail Group (dem Auftraggeber) und {provider} mit Sitz in {country} (dem Auftragnehmer) "
            "geschlossen. Jede Partei bestätigt, dass die für sie unterzeichnende Person dazu befugt ist.",
        ),
        ("2", "Gegenstand des Vertrags", ""),
        (
            "2.1",
            "Leistungsumfang",
            "Der Auftragnehmer erbringt die in Anlage A beschriebenen Leistungen der Kategorie {category}. Nicht aufgeführte Arbeiten werden "
            "vor Beginn schriftlich beauftragt.",
        ),
        ("3", "Laufzeit und Kündigung", ""),
        (
            "3.1",
            "Laufzeit",
            "Der Vertrag beginnt am {starts} und endet am {ends}. Er kann einmal schriftlich um höchstens zwölf Monate verlängert werden.",
        ),
        (
            "3.2",
            "Kündigung aus wichtigem Grund",
            "Jede Partei kann mit einer Frist von {notice} Tagen kündigen, wenn die andere eine wesentliche Pflicht verletzt und den Verstoß "
            "nicht binnen zwanzig Tagen nach schriftlicher Aufforderung behebt.",
        ),
        ("4", "Preis und Zahlung", ""),
        (
            "4.1",
            "Auftragswert",
            "Der Auftragswert beträgt {amount} ohne Umsatzsteuer. Er umfasst alle Kosten des Auftragnehmers, soweit Anlage B nichts anderes "
            "bestimmt.",
        ),
        ("4.2", "Zahlung", "Rechnungen werden monatlich gestellt und sind binnen {payment} Tagen nach Eingang zahlbar."),
        ("5", "Vertraulichkeit und Datenschutz", ""),
        (
            "5.1",
            "Vertraulichkeit",
            "Jede Partei bewahrt Stillschweigen über das, was sie vom Geschäft der anderen erfährt. Diese Pflicht gilt fünf Jahre über das "
            "Vertragsende hinaus.",
        ),
        ("6", "Gewährleistung und Haftung", ""),
        (
            "6.1",
            "Gewährleistung",
            "Der Auftragnehmer gewährleistet für {warranty} Monate ab Abnahme, dass die Leistungen frei von Mängeln sind.",
        ),
        ("7", "Sonderbedingungen zum Preis", ""),
        ("8", "Sonderbedingungen zur Lieferung", ""),
        (
            "8.1",
            "Liefertermine",
            "Die Liefertermine stehen in Anlage A. Der Auftragnehmer meldet jede absehbare Verzögerung, sobald er von ihr weiß.",
        ),
        (
            "8.2",
            "Abnahme",
            "Der Auftraggeber prüft jede Lieferung binnen {check} Arbeitstagen und nimmt sie schriftlich ab oder benennt, was fehlt.",
        ),
        ("10", "Schlussbestimmungen", ""),
        (
            "10.1",
            "Schriftform",
            "Änderungen dieses Vertrags bedürfen der Schriftform. Ist eine Bestimmung unwirksam, bleiben die übrigen in Kraft.",
        ),
    ),
    cpi=(
        "7.1",
        "Preisanpassung nach Verbraucherpreisindex",
        "Die Preise werden einmal jährlich zum Jahrestag der Unterzeichnung entsprechend der Veränderung des harmonisierten "
        "Verbraucherpreisindex (VPI) der vorangegangenen zwölf Monate angepasst, nach oben oder unten, höchstens um {cpi_cap} % im Jahr.",
    ),
    fixed_price=(
        "7.1",
        "Festpreise",
        "Die Preise der Anlage B gelten fest für die gesamte Laufzeit. Kein Index, Zuschlag oder Wechselkurs ändert sie.",
    ),
    penalty=(
        "8.3",
        "Vertragsstrafe bei verspäteter Lieferung",
        "Verspätet sich eine Lieferung aus Gründen, die der Auftragnehmer zu vertreten hat, zahlt er für jede volle Woche des Verzugs eine "
        "Vertragsstrafe von {penalty} % des Werts des verspäteten Teils, höchstens {penalty_cap} % des Auftragswerts.",
    ),
    rare={
        "escrow": (
            "Hinterlegung des Quellcodes",
            "Der Auftragnehmer hinterlegt den Quellcode bei einer Hinterlegungsstelle und erneuert die Hinterlegung mit jeder Version.",
        ),
    },
    page="Seite {page}",
)

WORDINGS = {"en": ENGLISH, "es": SPANISH, "de": GERMAN}
