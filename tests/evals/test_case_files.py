"""Case files: what is wrong with them is said with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from sleuth.errors import UsageError
from sleuth.evals.cases import chosen, read_lines
from sleuth.evals.kinds import KINDS, kind_called

GOOD = '{"id": "a", "question": "How many?"}'


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "cases.jsonl"
    file.write_text(text, "utf-8")
    return file


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{GOOD}\n{{broken", r"cases\.jsonl, line 2: not JSON"),
        (f"{GOOD}\n\n[1, 2]", "line 3: not a JSON object"),
        (f'{GOOD}\n{{"question": "no id"}}', "line 2: 'id' must be a text"),
        (f"{GOOD}\n{GOOD}", "line 2: the id 'a' was used on line 1"),
        ('{"id": "a", "answer": NaN}', "line 1: not JSON"),
        ("\n\n", "holds no case"),
    ],
)
def test_a_bad_line_is_named_with_its_number(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        read_lines(written(tmp_path, text))


def test_a_file_that_is_not_there_or_no_text_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_lines(tmp_path / "none.jsonl")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_lines(tmp_path / "binary.jsonl")


def test_line_separators_inside_a_text_end_no_line(tmp_path: Path) -> None:
    lines = read_lines(written(tmp_path, '{"id": "a", "text": "one\u2028two"}\r\n{"id": "b"}\r\n'))
    assert [line.number for line in lines] == [1, 2]


def test_a_limit_takes_the_first_cases_and_a_seed_draws_them(tmp_path: Path) -> None:
    lines = read_lines(written(tmp_path, "\n".join(f'{{"id": "{number}"}}' for number in range(20))))
    assert [line.id for line in chosen(lines, 3, None)] == ["0", "1", "2"]
    drawn = chosen(lines, 5, 7)
    assert drawn == chosen(lines, 5, 7)
    assert len({line.id for line in drawn}) == 5
    assert [line.number for line in drawn] == sorted(line.number for line in drawn)
    assert chosen(lines, 50, 7) == lines


def test_an_unknown_kind_is_told_what_there_is() -> None:
    with pytest.raises(UsageError) as refused:
        kind_called("question")
    assert "did you mean 'questions'?" in str(refused.value)
    assert ", ".join(KINDS) in str(refused.value)


@pytest.mark.parametrize("name", KINDS)
def test_every_registered_kind_can_be_loaded(name: str) -> None:
    assert callable(kind_called(name).evaluation)
