"""The formats of JSON Schema as patterns, where LLGuidance knows none of the name or a wider one than the validator.

What no pattern here tells is left to the check. A format that neither knows says nothing (2020-12 validation, section 7.2.3).
"""

from __future__ import annotations

from collections.abc import Mapping

KNOWN_TO_THE_MASK = frozenset({"duration", "email", "ipv4", "ipv6", "uri", "uuid"})

ONLY_CHECKED = frozenset({"idn-email", "idn-hostname", "iri", "iri-reference", "regex", "uri-reference", "uri-template"})

_D = "[0-9]"
_LONG = f"(?:0[13578]|1[02])-(?:0[1-9]|[12]{_D}|3[01])"
_SHORT = f"(?:0[469]|11)-(?:0[1-9]|[12]{_D}|30)"
_LEAP = f"(?:{_D}{{2}}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29"
_DATE = f"(?:{_D}{{4}}-(?:{_LONG}|{_SHORT}|02-(?:0[1-9]|1{_D}|2[0-8]))|{_LEAP})"
_CLOCK = f"(?:[01]{_D}|2[0-3]):[0-5]{_D}"
_TIME = rf"{_CLOCK}:[0-5]{_D}(?:\.{_D}+)?(?:[zZ]|[+\-]{_CLOCK})"
_LABEL = "[A-Za-z0-9](?:-?[A-Za-z0-9]){0,31}"
_STEPS = "(?:/(?:[^~/]|~[01])*)*"

PATTERNS: Mapping[str, str] = {
    "date": f"^{_DATE}$",
    "time": f"^{_TIME}$",
    "date-time": f"^{_DATE}[tT]{_TIME}$",
    "hostname": rf"^{_LABEL}(?:\.{_LABEL}){{0,3}}$",
    "json-pointer": f"^{_STEPS}$",
    "relative-json-pointer": f"^(?:0|[1-9]{_D}*)(?:#|{_STEPS})$",
}
"""RFC 3339 (leap years counted), RFC 1123, RFC 6901 and the draft on relative pointers, anchored."""

NARROWER: Mapping[str, str] = {
    "time": "without leap seconds",
    "date-time": "without leap seconds",
    "hostname": "up to four labels, none with two hyphens running, as punycode has",
}
"""What these patterns leave out of what is valid."""
