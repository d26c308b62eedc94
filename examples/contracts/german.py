"""The wording of the sample contracts: German. Invented; CC0."""

from __future__ import annotations

from wording import Wording

GERMAN = Wording(
    title="Rahmenvertrag {id}",
    page="Seite {page}",
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
        "annex_a": "Anlage A: Leistungen und Termine",
        "deliverable": "Leistung",
        "due": "Termin",
        "annex_b": "Anlage B: Preise",
        "position": "Position",
        "price": "Preis",
        "total": "Gesamt, ohne Umsatzsteuer",
        "signatures": "Unterzeichnet am {signed} in zwei Ausfertigungen, je eine für jede Partei.",
        "signs": "Für {party}",
    },
    countries={"Germany": "Deutschland"},
    categories={
        "IT services": "IT-Dienste",
        "Logistics": "Logistik",
        "Facilities": "Gebäudedienste",
        "Marketing": "Werbung",
        "Machinery": "Maschinen",
        "Consulting": "Beratung",
        "Energy": "Energie",
    },
    articles=(
        ("1", "Parteien und Begriffe", ""),
        (
            "1.1",
            "Parteien",
            "Dieser Vertrag wird zwischen Meridian Retail Group (dem Auftraggeber) und {provider} mit Sitz in {country} (dem Auftragnehmer) "
            "geschlossen. Jede Partei bestätigt, dass die für sie unterzeichnende Person dazu befugt ist.",
        ),
        (
            "1.2",
            "Begriffe",
            "Leistungen sind die in Anlage A genannten Waren und Dienste. Arbeitstage sind die Bankarbeitstage am Sitz des Auftraggebers.",
        ),
        ("2", "Gegenstand des Vertrags", ""),
        (
            "2.1",
            "Leistungsumfang",
            "Der Auftragnehmer {scope}. Leistungen und Termine stehen in Anlage A. Nicht aufgeführte Arbeiten werden vor Beginn schriftlich "
            "beauftragt.",
        ),
        (
            "2.2",
            "Personal",
            "Der Auftragnehmer setzt {people} qualifizierte Personen ein und benennt eine von ihnen als Ansprechperson.",
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
        (
            "5.2",
            "Personenbezogene Daten",
            "Verarbeitet der Auftragnehmer personenbezogene Daten im Auftrag, gilt vorrangig die gesondert geschlossene Vereinbarung zur "
            "Auftragsverarbeitung.",
        ),
        ("6", "Gewährleistung und Haftung", ""),
        (
            "6.1",
            "Gewährleistung",
            "Der Auftragnehmer gewährleistet für {warranty} Monate ab Abnahme, dass die Leistungen frei von Mängeln sind.",
        ),
        (
            "6.2",
            "Haftung",
            "Die Haftung für leichte Fahrlässigkeit ist auf den Auftragswert begrenzt. Die Grenze gilt nicht bei Vorsatz, grober Fahrlässigkeit "
            "und Personenschäden.",
        ),
        ("7", "Preise", ""),
        ("8", "Lieferung", ""),
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
        ("9", "Unteraufträge und Versicherung", ""),
        (
            "9.1",
            "Unteraufträge",
            "Unteraufträge bedürfen der schriftlichen Zustimmung des Auftraggebers. Der Auftragnehmer steht für sie ein wie für eigene Arbeit.",
        ),
        (
            "9.2",
            "Versicherung",
            "Der Auftragnehmer unterhält während der Laufzeit eine Haftpflichtversicherung über mindestens {insurance} EUR je Schadensfall.",
        ),
        ("10", "Schlussbestimmungen", ""),
        (
            "10.1",
            "Schriftform",
            "Änderungen dieses Vertrags bedürfen der Schriftform. Ist eine Bestimmung unwirksam, bleiben die übrigen in Kraft.",
        ),
        (
            "10.2",
            "Recht und Gerichtsstand",
            "Es gilt das Recht am Sitz des Auftraggebers. Dort ist auch der Gerichtsstand.",
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
    further="Weitere Sonderbedingungen",
    agreed="Von den Parteien vereinbarte Sonderbedingung",
    rare={
        "escrow": (
            "Hinterlegung des Quellcodes",
            "Der Auftragnehmer hinterlegt den Quellcode der gelieferten Software bei einer Hinterlegungsstelle und erneuert die Hinterlegung mit jeder Version.",
        ),
    },
    scope={
        "IT services": "betreibt und pflegt die Lager- und Bestellsysteme des Auftraggebers und betreut deren Nutzer an Arbeitstagen",
        "Logistics": "holt, befördert und liefert die Waren des Auftraggebers zwischen dessen Lagern, Filialen und Kunden",
        "Facilities": "hält Filialen und Büros des Auftraggebers instand, einschließlich Reinigung, kleiner Reparaturen und Jahresprüfungen",
        "Marketing": "entwirft und produziert die Saisonkampagnen des Auftraggebers",
        "Machinery": "liefert und montiert Förder- und Packmaschinen, nimmt sie in Betrieb und schult das Personal des Auftraggebers",
        "Consulting": "berät den Auftraggeber in Einkauf und Bestandsplanung und erstellt die beauftragten Studien",
        "Energy": "beliefert die Standorte des Auftraggebers mit Strom und berichtet monatlich deren Verbrauch",
    },
    deliverables={
        "IT services": ("Übergangsplan und Systemverzeichnis", "Übernahme des Betriebs", "Jährliche Sicherheitsprüfung"),
        "Logistics": ("Tourenplan", "Beginn des Regelbetriebs", "Kapazitätsplan für die Hochsaison"),
        "Facilities": ("Begehung aller Standorte", "Wartungskalender", "Prüfbericht"),
        "Marketing": ("Kampagnenkonzept", "Druckvorlagen und Texte", "Bericht über Reichweite und Kosten"),
        "Machinery": ("Freigegebene Zeichnungen", "Anlieferung", "Inbetriebnahme und Probelauf", "Schulung der Bediener"),
        "Consulting": ("Auftaktbericht", "Zwischenergebnisse", "Abschlussbericht mit Empfehlungen"),
        "Energy": ("Messkonzept", "Lieferbeginn", "Jährlicher Verbrauchsbericht"),
    },
    prices=("Vorbereitung und Einrichtung", "Laufende Leistungen", "Abschließende Leistungen und Unterlagen"),
    numerals=("zwei", "drei", "vier", "fünf"),
    variants={},
)
