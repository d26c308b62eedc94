from __future__ import annotations

from sleuth.evidence import Evidence, Locator
from sleuth.result import Text
from sleuth.tool import ToolCall
from sleuth.trajectory import Calls, Observation, Step, open_parts

PIECE = Evidence(1, "t", Locator("text", "look"), "internal", "look")


def step(**parts: bool) -> Step:
    """A turn of calls, for each part whether it was found; `_` stands for a blank."""
    observations = tuple(
        Observation(ToolCall(f"c{place}", "look", part=part.replace("_", " ")), Text(""), "", (PIECE,) if found else ())
        for place, (part, found) in enumerate(parts.items())
    )
    return Step("t", Calls(()), "", observations)


def test_nothing_is_open_before_anything_was_asked() -> None:
    assert open_parts(()) == ()


def test_a_part_is_open_until_it_is_found_however_many_turns_later() -> None:
    first = step(contracts=True, phase_of_the_moon=False)
    assert open_parts([first]) == ("phase of the moon",)
    assert open_parts([first, step(returns=True)]) == ("phase of the moon",)
    assert open_parts([first, step(returns=True), step(phase_of_the_moon=True)]) == ()


def test_asked_again_in_much_the_same_words_it_is_the_same_part() -> None:
    assert open_parts([step(phase_of_the_moon=False), step(moon_phase_today=True)]) == ()


def test_other_numbers_make_another_part() -> None:
    assert open_parts([step(contracts_of_2024=False), step(contracts_of_2025=True)]) == ("contracts of 2024",)


def test_in_one_turn_only_the_very_part_is_found() -> None:
    assert open_parts([step(price_of_copper=False, price_of_tin=True)]) == ("price of copper",)


def test_what_an_earlier_call_had_found_is_found() -> None:
    known = Observation(ToolCall("c1", "look", part="the count"), Text(""), "", known=(PIECE,))
    assert open_parts([Step("t", Calls(()), "", (known,))]) == ()
