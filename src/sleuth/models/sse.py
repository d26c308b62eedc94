"""Server-sent events as chat servers use them (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream)."""

from __future__ import annotations

from collections.abc import Iterator

MAX_EVENT_BYTES = 1 << 22
"""Longest event that is read; one token's event is some hundred bytes, a whole tool call's some thousands."""


class EventParser:
    """Bytes in, cut anywhere; the data of each finished event out. Names, ids and comments are passed over."""

    def __init__(self) -> None:
        self._pending: list[bytes] = []
        self._data: list[str] = []
        self._held_bytes = 0

    def feed(self, received: bytes) -> Iterator[str]:
        """Raises ValueError for an event that never ends."""
        if b"\n" not in received and b"\r" not in received:
            self._hold(received)
            return
        lines = (b"".join(self._pending) + received).splitlines(keepends=True)
        # A line is whole once its end has come, and a CR may be the first half of one.
        last = b"" if lines[-1].endswith(b"\n") else lines.pop()
        self._pending = []
        for line in lines:
            yield from self._line(line.rstrip(b"\r\n"))
        self._hold(last)

    def end(self) -> Iterator[str]:
        """What an unfinished last event holds: a server may leave out the empty line that ends it."""
        yield from self._line(b"".join(self._pending).rstrip(b"\r\n"))
        yield from self._line(b"")

    def _hold(self, part: bytes) -> None:
        self._pending.append(part)
        self._held_bytes += len(part)
        if self._held_bytes > MAX_EVENT_BYTES:
            raise ValueError(f"an event of more than {MAX_EVENT_BYTES} bytes")

    def _line(self, line: bytes) -> Iterator[str]:
        if line:
            field, _, value = line.partition(b":")
            if field == b"data":
                self._data.append(value.removeprefix(b" ").decode(errors="replace"))
                self._held_bytes += len(value)
            return
        data, self._data, self._held_bytes = self._data, [], 0
        if data:
            yield "\n".join(data)
