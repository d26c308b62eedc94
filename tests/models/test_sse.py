"""Bytes of a stream, cut anywhere, are the same events."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.models.sse import MAX_EVENT_BYTES, EventParser


def parsed(*parts: bytes) -> list[str]:
    parser = EventParser()
    return [data for part in parts for data in parser.feed(part)] + list(parser.end())


@pytest.mark.parametrize(
    ("stream", "data"),
    [
        ("data: a\n\ndata: b\n\n", ["a", "b"]),
        ("data:a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]),
        ("data: a\r\rdata: b\r\r", ["a", "b"]),
        ("data: a\ndata: b\n\n", ["a\nb"]),
        (": a comment\nevent: message\nid: 7\nretry: 10\ndata: a\n\n", ["a"]),
        ("\n\n\ndata: a", ["a"]),
        ("data:  two blanks\n\n", [" two blanks"]),
        ("database: a\n\ndata: é日\n\n", ["é日"]),
        ("", []),
    ],
)
def test_a_stream_is_read_as_the_standard_says(stream: str, data: list[str]) -> None:
    assert parsed(stream.encode()) == data
    assert parsed(*(bytes([byte]) for byte in stream.encode())) == data


@given(
    texts=st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=("Cs",)), min_size=1)),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    cuts=st.lists(st.integers(0, 200)),
)
def test_the_same_bytes_in_any_split_give_the_same_events(texts: list[str], end: str, cuts: list[int]) -> None:
    stream = "".join(f"data: {text}{end}{end}" for text in texts).encode()
    bounds = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    assert parsed(*(stream[start:stop] for start, stop in pairwise(bounds))) == texts


def test_an_event_that_never_ends_is_given_up() -> None:
    parser = EventParser()
    with pytest.raises(ValueError, match="an event of more than"):
        for _ in range(20):
            list(parser.feed(b"x" * (MAX_EVENT_BYTES // 8)))
