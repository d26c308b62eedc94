"""From the model's message to an action. Under a constraint nothing here can fail; without one, what fails is told to it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from sleuth.errors import ConstraintViolated
from sleuth.models.base import Completion, RawToolCall
from sleuth.result import Json, json_array, json_object
from sleuth.structured_output.constraint import JsonSchema
from sleuth.structured_output.verify import verify
from sleuth.tool import ToolCall, ToolSpec
from sleuth.trajectory import Action, Calls, Conclude, GiveUp, Malformed


def read_action(text: str, iteration: int) -> tuple[str, Action]:
    """Thought and action of a message that its model has verified against the action space."""
    message = json_object(json.loads(text))
    thought = str(message["thought"])
    if "finish" in message:
        return thought, Conclude() if message["finish"] == "answer" else GiveUp(thought)
    calls = tuple(_call(item, f"call_{iteration}_{place}") for place, item in enumerate(json_array(message["calls"]), 1))
    return thought, Calls(calls)


def tool_begun(text: str) -> str | None:
    """The tool whose call stands last in a message that was broken off."""
    named = re.findall(r'"tool":\s*"(\w+)"', text)
    return named[-1] if named else None


def read_native(completion: Completion, specs: Sequence[ToolSpec], iteration: int, *, most: int) -> tuple[str, Action]:
    """The same for native tool calls: names and arguments are checked here, whatever the server promised. Of more than
    `most` calls the first are taken; the rest can be made in the next turn.

    A call cut by the token limit is never run, even if its JSON happens to close.
    """
    thought = completion.text.strip()
    if completion.finish_reason == "length":
        return thought, Malformed("the reply was cut at the token limit; be shorter")
    if not completion.tool_calls:
        if thought.upper().startswith("ANSWER"):
            return thought, Conclude()
        if thought.upper().startswith("INSUFFICIENT"):
            return thought, GiveUp(thought)
        return thought, Malformed("there was no tool call; call a tool, or reply ANSWER or INSUFFICIENT")
    known = {spec.name: spec for spec in specs}
    calls: list[ToolCall] = []
    for place, raw in enumerate(completion.tool_calls[:most], 1):
        checked = _checked(raw, known, f"call_{iteration}_{place}")
        if isinstance(checked, str):
            return thought, Malformed(checked)
        calls.append(checked)
    return thought, Calls(tuple(calls))


def _checked(raw: RawToolCall, known: Mapping[str, ToolSpec], call_id: str) -> ToolCall | str:
    spec = known.get(raw.name)
    if spec is None:
        return f"there is no tool {raw.name!r}; there are {', '.join(known)}"
    try:
        arguments = verify(raw.arguments or "{}", JsonSchema.of(spec.parameters))
    except ConstraintViolated as broken:
        return f"the arguments of {raw.name} are not valid: {broken.message}"
    return ToolCall(call_id, raw.name, json_object(arguments))


def _call(item: Json, call_id: str) -> ToolCall:
    call = json_object(item)
    return ToolCall(call_id, str(call["tool"]), json_object(call["args"]), part=str(call["part"]).strip())
