"""The answers that examples/contracts/questions.jsonl gives are those of its tables, documents and pages."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from sleuth.cli.sample_case import SampleCase, build, sample_case_folder
from sleuth.evals.cases import Line, read_lines
from sleuth.evals.questions import read_case
from sleuth.result import Json, json_array, json_object
from sleuth.sources.documents.read.formats import read

LINES = read_lines(sample_case_folder() / "questions.jsonl")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> SampleCase:
    return build(tmp_path_factory.mktemp("questions"))


def items(line: Line, name: str) -> list[dict[str, Json]]:
    return [json_object(item) for item in json_array(line.fields.get(name, []))]


def plain(text: str) -> str:
    return " ".join(text.split())


def test_there_are_eleven_questions_and_each_can_be_scored() -> None:
    cases = [read_case(line) for line in LINES]
    assert len(cases) == 11
    assert [case.id for case in cases if case.expected is None] == []
    assert {case.lang for case in cases} == {"en", "es", "de"}
    assert {frozenset(case.needs or ()) for case in cases} >= {
        frozenset({"sql_query"}),
        frozenset({"vector_search"}),
        frozenset({"web_search"}),
        frozenset({"sql_query", "vector_search"}),
    }


@pytest.mark.parametrize("line", [line for line in LINES if "sql" in line.fields], ids=lambda line: line.id)
def test_the_tables_say_so(line: Line, built: SampleCase) -> None:
    (query,) = items(line, "sql")
    with duckdb.connect(str(built.database), read_only=True) as connection:
        found = connection.execute(str(query["sql"])).fetchall()
    assert [[float(value) for value in row] for row in found] == query["rows"]
    answers = line.fields["answer"] if isinstance(line.fields["answer"], list) else [line.fields["answer"]]
    assert Decimal(str(found[0][0])) in {Decimal(str(answer)) for answer in json_array(answers)}


@pytest.mark.parametrize(
    "line", [line for line in LINES if "docs" in line.fields or "web" in line.fields], ids=lambda line: line.id
)
def test_the_documents_say_so(line: Line, built: SampleCase) -> None:
    for folder, name in ((built.documents, "docs"), (built.web, "web")):
        for quoted in items(line, name):
            assert str(quoted["holds"]) in plain(read(Path(folder) / str(quoted["file"])).text), quoted
