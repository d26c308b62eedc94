"""The wording of the sample contracts: Spanish. Invented; CC0."""

from __future__ import annotations

from wording import Wording

SPANISH = Wording(
    title="Contrato marco {id}",
    page="página {page}",
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
        "annex_a": "Anexo A: Entregables y fechas",
        "deliverable": "Entregable",
        "due": "Fecha",
        "annex_b": "Anexo B: Precios",
        "position": "Partida",
        "price": "Precio",
        "total": "Total, sin impuesto sobre el valor añadido",
        "signatures": "Firmado el {signed} en dos ejemplares, uno para cada parte.",
        "signs": "Por {party}",
    },
    countries={"Spain": "España"},
    categories={
        "IT services": "servicios informáticos",
        "Logistics": "logística",
        "Facilities": "mantenimiento",
        "Marketing": "publicidad",
        "Machinery": "maquinaria",
        "Consulting": "consultoría",
        "Energy": "energía",
    },
    articles=(
        ("1", "Partes y definiciones", ""),
        (
            "1.1",
            "Partes",
            "Este contrato se celebra entre Meridian Retail Group (el Cliente) y {provider}, con domicilio en {country} (el Proveedor). Cada "
            "parte declara que quien firma en su nombre está facultado para ello.",
        ),
        (
            "1.2",
            "Definiciones",
            "Son entregables los bienes y servicios enumerados en el Anexo A. Es día hábil aquel en que abren los bancos en la sede del Cliente.",
        ),
        ("2", "Objeto del contrato", ""),
        (
            "2.1",
            "Alcance",
            "El Proveedor {scope}. Los entregables y sus fechas figuran en el Anexo A. Los trabajos no incluidos en él se encargan por escrito "
            "antes de su inicio.",
        ),
        (
            "2.2",
            "Personal",
            "El Proveedor asigna al contrato {people} personas cualificadas y designa a una de ellas como interlocutora.",
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
        (
            "5.2",
            "Datos personales",
            "Si el Proveedor trata datos personales por cuenta del Cliente, se aplica con preferencia el acuerdo de encargo de tratamiento que "
            "ambas partes firman por separado.",
        ),
        ("6", "Garantía y responsabilidad", ""),
        (
            "6.1",
            "Garantía",
            "El Proveedor garantiza durante {warranty} meses desde la aceptación que lo entregado carece de defectos y los subsana a su costa.",
        ),
        (
            "6.2",
            "Responsabilidad",
            "La responsabilidad por culpa leve se limita al importe del contrato. El límite no rige en caso de dolo, culpa grave o daños "
            "personales.",
        ),
        ("7", "Precios", ""),
        ("8", "Entrega", ""),
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
        ("9", "Subcontratación y seguros", ""),
        (
            "9.1",
            "Subcontratación",
            "El Proveedor solo puede subcontratar con autorización escrita del Cliente y responde del trabajo ajeno como del propio.",
        ),
        (
            "9.2",
            "Seguro",
            "El Proveedor mantiene durante toda la vigencia un seguro de responsabilidad civil de al menos {insurance} EUR por siniestro.",
        ),
        ("10", "Disposiciones finales", ""),
        (
            "10.1",
            "Forma",
            "Toda modificación de este contrato debe constar por escrito. La nulidad de una cláusula no afecta a las demás.",
        ),
        (
            "10.2",
            "Ley y fuero",
            "El contrato se rige por la ley de la sede del Cliente, a cuyos tribunales se someten las partes.",
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
    further="Otras condiciones especiales",
    agreed="Condición especial pactada por las partes",
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
    scope={
        "IT services": "explota y mantiene los sistemas de almacén y de pedidos del Cliente y atiende a sus usuarios en días hábiles",
        "Logistics": "recoge, transporta y entrega las mercancías del Cliente entre sus almacenes, tiendas y compradores",
        "Facilities": "mantiene las tiendas y oficinas del Cliente, con la limpieza, las pequeñas reparaciones y las inspecciones anuales",
        "Marketing": "diseña y produce las campañas de temporada del Cliente",
        "Machinery": "suministra, instala y pone en marcha maquinaria de transporte y embalaje y forma al personal del Cliente",
        "Consulting": "asesora al Cliente en compras y planificación de existencias y realiza los estudios que este le encarga",
        "Energy": "suministra electricidad a los centros del Cliente e informa cada mes de su consumo",
    },
    deliverables={
        "IT services": ("Plan de transición e inventario de sistemas", "Inicio del servicio", "Revisión anual de seguridad"),
        "Logistics": ("Plan de rutas", "Inicio del servicio regular", "Plan de capacidad para la temporada alta"),
        "Facilities": ("Examen de los centros", "Calendario de mantenimiento", "Informe de inspección"),
        "Marketing": ("Concepto de campaña", "Artes finales y textos", "Informe de alcance y coste"),
        "Machinery": ("Planos aprobados", "Entrega en planta", "Puesta en marcha y ensayo", "Formación de operarios"),
        "Consulting": ("Informe inicial", "Conclusiones provisionales", "Informe final con recomendaciones"),
        "Energy": ("Plan de medición", "Inicio del suministro", "Informe anual de consumo"),
    },
    prices=("Preparación e implantación", "Servicios regulares", "Entregables finales y documentación"),
    numerals=("dos", "tres", "cuatro", "cinco"),
    variants={},
)
