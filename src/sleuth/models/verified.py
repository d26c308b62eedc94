"""A finished reply against the constraint of its request."""

from __future__ import annotations

from sleuth.errors import ConstraintViolated
from sleuth.models.base import Request
from sleuth.models.reply import Reply
from sleuth.structured_output.verify import verify
from sleuth.trajectory import Usage


def verify_reply(request: Request, reply: Reply, usage: Usage) -> None:
    """Raises ConstraintViolated with `usage`, in the words of what led to the breach where that is known."""
    if request.constraint is None:
        return
    try:
        verify(reply.text, request.constraint)
    except ConstraintViolated as broken:
        message, hint = broken.message, broken.hint
        if reply.finish_reason == "length":
            message = f"the output was cut after {usage.completion_tokens or request.max_tokens} tokens"
            hint = "allow more max_tokens, or a larger context"
        elif not reply.text.strip() and reply.thought:
            message = "the model reasoned and then said nothing"
            hint = "turn its reasoning off, or allow more max_tokens"
        raise ConstraintViolated(message, output=reply.text, pointer=broken.pointer, hint=hint, usage=usage) from broken
