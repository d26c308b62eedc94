"""A question's language, and none where it is a guess."""

from __future__ import annotations

import pytest

from sleuth.language import language_of


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("How many contracts above 100k€ did we sign in 2025 with EU providers?", "English"),
        ("¿A qué hora abre la biblioteca los sábados?", "Spanish"),
        ("Wie viele Verträge haben wir?", "German"),
        ("Quel est le délai de retour ?", "French"),
        ("Qual è il termine di restituzione?", "Italian"),
        ("Hoeveel contracten hebben we in 2025 getekend?", "Dutch"),
        ("合同有多少份?", "Chinese"),
        ("كم عدد العقود؟", "Arabic"),
        ("copper price", None),
        ("C-2025-022", None),
        ("", None),
        (" \n", None),
    ],
)
def test_the_language_of_a_question(question: str, language: str | None) -> None:
    assert language_of(question) == language
