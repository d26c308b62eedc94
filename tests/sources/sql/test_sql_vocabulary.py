"""The pattern of a statement: what honest statements are made of matches, and no value or unknown name can be written."""

from __future__ import annotations

import json
import re

import llguidance
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth.sources.sql.schema import Column, Schema, SqlDialect, Table
from sleuth.sources.sql.vocabulary import MAX_COLUMNS, pattern, written

CONTRACTS = Table(
    "contracts",
    "main",
    (
        Column("id", "text", "text", key=True),
        Column("provider_id", "text", "text", references="providers.id"),
        Column("signed_on", "date", "date"),
        Column("amount", "decimal", "number"),
        Column("Unit Price ($)", "decimal", "number"),
        Column("order", "integer", "number"),
    ),
)
PROVIDERS = Table("providers", "main", (Column("id", "text", "text"), Column("Name", "text", "text")))
DIALECTS: tuple[SqlDialect, ...] = ("duckdb", "sqlite", "postgres")


def schema(dialect: SqlDialect) -> Schema:
    return Schema(dialect, "main", (CONTRACTS, PROVIDERS))


def matches(statement: str, dialect: SqlDialect = "duckdb") -> bool:
    return re.search(pattern(schema(dialect)), statement) is not None


EVERYWHERE = [
    "SELECT * FROM contracts",
    "SELECT COUNT(*) AS n, SUM(amount) AS total_amount FROM contracts WHERE signed_on >= $1 AND signed_on < $2",
    "select count(*) from contracts where amount > $1;",
    "SELECT c.id, p.id FROM contracts c JOIN providers AS p ON p.id = c.provider_id ORDER BY c.amount DESC LIMIT 10",
    "SELECT COUNT(DISTINCT provider_id) FROM contracts WHERE provider_id IN ($1, $2) OR NOT (amount<=$3)",
    "WITH totals AS (SELECT provider_id, SUM(amount) AS total FROM contracts GROUP BY provider_id) SELECT AVG(total) FROM totals",
    'SELECT contracts."Unit Price ($)" * $1, ROUND(AVG("order"), $2) FROM contracts GROUP BY contracts.id HAVING COUNT(*) > $3',
    "SELECT CASE WHEN amount > $1 THEN $2 ELSE $3 END AS label FROM contracts LIMIT $4",
    "SELECT id, ROW_NUMBER() OVER (PARTITION BY provider_id ORDER BY amount DESC) FROM contracts",
    "SELECT id FROM contracts UNION ALL SELECT id FROM providers",
]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_type_is_a_word_only_where_something_is_cast_to_it(dialect: SqlDialect) -> None:
    assert matches("SELECT CAST(signed_on AS TIMESTAMP) FROM contracts", dialect)
    assert matches("SELECT signed_on::DATE FROM contracts", dialect) is (dialect != "sqlite")
    assert not matches("SELECT COUNT(*) FROM contracts WHERE signed_on >= TIMESTAMP", dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("statement", EVERYWHERE)
def test_honest_statements_match(statement: str, dialect: SqlDialect) -> None:
    assert matches(statement, dialect)


@pytest.mark.parametrize(
    ("dialect", "statement"),
    [
        ("duckdb", "SELECT YEAR(signed_on), DATE_TRUNC($1, signed_on) FROM contracts"),
        ("duckdb", "SELECT EXTRACT(YEAR FROM c.signed_on) FROM contracts c QUALIFY $1::DATE < signed_on"),
        ("sqlite", "SELECT STRFTIME($1, signed_on) AS year FROM contracts"),
        ("postgres", "SELECT extract(year from signed_on), $1::date FROM contracts"),
        ("postgres", 'SELECT p."Name" FROM providers p'),
        ("sqlite", "SELECT p.Name FROM providers p"),
    ],
)
def test_each_dialect_has_its_own_words(dialect: SqlDialect, statement: str) -> None:
    assert matches(statement, dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM contracts",
        "SELECT * FROM secrets",
        "SELECT password FROM contracts",
        "SELECT id FROM contracts WHERE id = 'x'",
        "SELECT id FROM contracts WHERE amount > 1000",
        "SELECT 1",
        "SELECT id FROM contracts -- rest",
        "SELECT id /* x */ FROM contracts",
        "SELECT id FROM contracts; DROP TABLE contracts",
        "SELECT id FROM contracts;;",
        "SELECT pg_sleep($1) FROM contracts",
        "SELECT read_csv($1)",
        "SELECT id FROM contracts LIMIT 100000",
        "SELECT providers.amount FROM providers",
        "SELECT $10 FROM contracts",
        "EXPLAIN SELECT id FROM contracts",
        "SELECTid FROM contracts",
        " SELECT id FROM contracts",
        "SELECT id\nFROM contracts",
        "",
    ],
)
def test_values_and_unknown_names_cannot_be_written(statement: str, dialect: SqlDialect) -> None:
    assert not matches(statement, dialect)


@settings(deadline=None)
@given(st.text(alphabet="abc'\"0123456789 ;-_$", min_size=1, max_size=12), st.sampled_from(DIALECTS))
def test_no_literal_survives_wherever_it_is_put(text: str, dialect: SqlDialect) -> None:
    assert not matches(f"SELECT id FROM contracts WHERE id = '{text}' AND amount > $1", dialect)


WORDS = st.sampled_from(
    ["SELECT", "FROM", "contracts", "amount", "$1", "AND", "SUM(amount)", "c.id", "(", ")", "=", ",", "n", "*", "LIMIT 5"]
)


@settings(deadline=None)
@given(st.lists(WORDS, max_size=25))
def test_words_of_the_schema_apart_by_spaces_never_make_a_comment_or_a_number(words: list[str]) -> None:
    statement = "SELECT " + " ".join(words)
    if matches(statement):
        assert "--" not in statement and "/*" not in statement
        assert not re.search(r"(?<![\w$])(?<!LIMIT )\d", statement)


@settings(deadline=None)
@given(st.text(min_size=1, max_size=20), st.sampled_from(DIALECTS))
def test_any_column_name_can_be_written_as_the_engine_reads_it(name: str, dialect: SqlDialect) -> None:
    table = Table("t", "main", (Column(name, "text", "text"),))
    statement = f"SELECT t.{written(name, dialect)} FROM t"
    assert re.search(pattern(Schema(dialect, "main", (table,))), statement)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_pattern_compiles_where_it_is_sent(dialect: SqlDialect) -> None:
    text = json.dumps({"type": "string", "pattern": pattern(schema(dialect))})
    tokenizer = llguidance.LLTokenizer("byte")
    grammar = llguidance.LLMatcher.grammar_from_json_schema(text)
    assert llguidance.LLMatcher.validate_grammar(grammar, tokenizer) == ""
    matcher = llguidance.LLMatcher(tokenizer, grammar)
    good = json.dumps("SELECT SUM(amount) FROM contracts WHERE provider_id = $1")
    assert matcher.try_consume_tokens(tokenizer.tokenize_str(good)) == len(tokenizer.tokenize_str(good))
    matcher.reset()
    bad = tokenizer.tokenize_str(json.dumps("SELECT SUM(amount) FROM secrets"))
    assert matcher.try_consume_tokens(bad) < len(bad)


def test_a_very_wide_database_gets_the_loose_pattern_that_still_has_no_literals() -> None:
    wide = Table("wide", "main", tuple(Column(f"column_{n}", "text", "text") for n in range(MAX_COLUMNS + 1)))
    loose = pattern(Schema("duckdb", "main", (wide,)))
    assert len(loose) < 1000
    assert re.search(loose, "SELECT count(*) FROM wide WHERE column_299 = $1 AND lower(wide.column_3) LIKE $2 ORDER BY 'x'"[:-13])
    for statement in ("SELECT 'x' FROM wide", "SELECT id FROM wide WHERE a > 5", "SELECT 1; DROP TABLE wide", "DROP TABLE wide"):
        assert not re.search(loose, statement)
