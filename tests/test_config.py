"""sleuth.toml: what it accepts, what it refuses and in which words, and what comes of it."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from sleuth.config import Config, find, load
from sleuth.errors import ConfigError, UsageError
from sleuth.limits import Limits
from sleuth.models.llamacpp import LlamaCpp
from sleuth.models.openai_chat import OpenAIChat
from sleuth.sources.documents.source import Documents
from sleuth.sources.sql.source import Database

WHOLE = """\
# everything at once
[model]
url = "http://127.0.0.1:8000/v1"
name = "served"
api_key_env = "A_KEY"
mode = "native"

[limits]
iterations = 5
seconds = 60

[[database]]
name = "sales"
url = "data/sales.sqlite"
tables = ["orders"]
rows = 20

[[database]]
name = "stock"
url_env = "STOCK_URL"
timeout_seconds = 2.5

[[documents]]
path = "papers"
index = "index"

[web]
url = "http://127.0.0.1:8888"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "sleuth.toml"
    path.write_text(text, "utf-8")
    return path


def refused(folder: Path, text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load(written(folder, text))
    return caught.value


def test_a_whole_file_becomes_a_model_sources_and_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "hidden-value")
    monkeypatch.setenv("STOCK_URL", "postgresql://me:hidden-value@127.0.0.1/stock")
    config = load(written(tmp_path, WHOLE))
    model = config.model()
    assert isinstance(model, OpenAIChat) and model.name == "served"
    assert [source.name for source in config.sources()] == ["sales", "stock", "documents", "web"]
    agent = config.agent()
    assert agent.limits == Limits(iterations=5, seconds=60.0)
    assert agent.mode == "native"
    assert "hidden-value" not in repr(config) + repr(model)


def test_paths_are_relative_to_the_file_not_to_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    config = load(written(tmp_path, '[[documents]]\npath = "papers"\n[model]\npath = "own.gguf"\n'))
    documents = config.sources()[0]
    assert isinstance(documents, Documents) and documents.path == tmp_path / "papers"
    assert isinstance(config.model(), LlamaCpp)


@pytest.mark.parametrize("url", ["some data.duckdb", "duckdb:///some%20data.duckdb", "duckdb:///{folder}/some%20data.duckdb"])
async def test_a_database_file_is_found_beside_the_configuration(url: str, tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "some data.duckdb")) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER)")
    config = load(written(tmp_path, f'[[database]]\nurl = "{url.format(folder=tmp_path)}"\n'))
    source = config.sources()[0]
    assert isinstance(source, Database)
    card = await source.open()
    await source.close()
    assert dict(card.facts)["tables"] == 1


def test_one_database_is_called_by_its_plain_name_and_several_by_their_own(tmp_path: Path) -> None:
    one = load(written(tmp_path, '[[database]]\nname = "sales"\nurl = "a.db"\n'))
    assert [tool_of(source) for source in one.sources()] == ["sql_query"]
    two = load(written(tmp_path, '[[database]]\nname = "a"\nurl = "a.db"\n[[database]]\nname = "b"\nurl = "b.db"\n'))
    assert [tool_of(source) for source in two.sources()] == ["sql_query_a", "sql_query_b"]


def tool_of(source: object) -> str:
    assert isinstance(source, Database)
    return source._tool_name  # pyright: ignore[reportPrivateUsage] - a tool can only be seen once the database is open


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ('[modle]\nurl = "x"', "line 1: unknown key 'modle' in the file", "did you mean 'model'?"),
        (
            '[[database]]\nname = "a"\nurl = "a.db"\n\n[[database]]\nname = "b"\nurl = "b.db"\n\ntabels = []',
            "line 9: unknown key 'tabels' in [[database]]",
            "did you mean 'tables'?",
        ),
        ('[model]\napi_key = "s3cret"', "line 2: unknown key 'api_key' in [model]", "did you mean 'api_key_env'?"),
        ("[limits]\nzzz = 1", "line 2: unknown key 'zzz' in [limits]", "there are iterations, seconds"),
        ('limits.iterations = "five"', "line 1: 'iterations' must be a whole number, and is text", ""),
        ("[limits]\n# few\niterations = true", "line 3: 'iterations' must be a whole number, and is true or false", ""),
        ("[limits]\nseconds = 0", "line 1: limit 'seconds' must be above zero", "leave it out"),
        ('[model]\nmode = "magic"', 'line 2: \'mode\' must be "schema" or "native", and is text', ""),
        ('[model]\nurl = "http://h"\npath = "m.gguf"', "line 1: a model has a url or a path, not both", "leave one out"),
        ('[model]\nurl = "http://h"\nthreads = 2', "line 1: context_tokens and threads are for a local model", ""),
        ("[[documents]]", "line 1: [[documents]] needs 'path'", "add path = …, a path in quotes"),
        ('[database]\nurl = "a.db"', "line 1: 'database' must be tables in double brackets [[…]], and is a table", ""),
        ('[[database]]\nname = "a"', "line 1: a database has a url or a url_env", ""),
        (
            '[[database]]\nurl = "a.db"\ntables = [\n  "orders",\n  7,\n]',
            "line 3: item 2 of 'tables' must be text in quotes, and is a whole number",
            "",
        ),
        ('[[database]]\nurl = "a.db"\nname = "no spaces"', "line 1: the name 'no spaces' cannot become part", "letters"),
        ('[[database]]\nurl = "a.db"\n[[database]]\nurl = "b.db"', "with several [[database]] each needs a name", ""),
        ("[web]\nurl = 2026-01-01", "line 2: 'url' must be text in quotes, and is a date or time", ""),
        ("[model\nurl", "is not TOML", "toml.io"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_what_to_write(text: str, message: str, hint: str, tmp_path: Path) -> None:
    error = refused(tmp_path, text)
    assert message in error.message
    assert hint in (error.hint or "")
    assert "s3cret" not in str(error)


def test_a_variable_that_is_not_set_is_named_and_only_when_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    config = load(
        written(tmp_path, '[model]\nurl = "http://127.0.0.1:9"\napi_key_env = "A_KEY"\n[[database]]\nurl_env = "A_KEY"')
    )
    with pytest.raises(ConfigError, match="A_KEY, named by api_key_env, is not set"):
        config.model()
    with pytest.raises(ConfigError, match="A_KEY, named by url_env, is not set"):
        config.sources()


def test_a_secret_put_where_the_name_of_a_variable_belongs_is_not_repeated(tmp_path: Path) -> None:
    config = load(
        written(
            tmp_path, '[model]\nurl = "http://h"\napi_key_env = "sk-S3CRET"\n[[database]]\nurl_env = "postgresql://u:S3CRET@h/d"'
        )
    )
    for made in (config.model, config.sources):
        with pytest.raises(ConfigError, match="is no name of an environment variable") as caught:
            made()
        assert "S3CRET" not in str(caught.value)


def test_a_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "sleuth.toml"
    path.write_bytes(b"\xef\xbb\xbf[limits]\niterations = 3")
    assert load(path).tables.limits.iterations == 3


def test_the_nearest_file_above_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    written(tmp_path, "[limits]\niterations = 3")
    assert find(deep) == tmp_path / "sleuth.toml"
    assert load().tables.limits.iterations == 3


def test_a_file_that_is_not_there_or_not_text_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "none.toml")
    path = tmp_path / "latin.toml"
    path.write_bytes(b'name = "caf\xe9"')
    with pytest.raises(ConfigError, match="not UTF-8"):
        load(path)


def test_the_web_can_be_switched_off(tmp_path: Path) -> None:
    config = load(written(tmp_path, '[web]\nurl = "http://127.0.0.1:8888"\nenabled = false'))
    assert config.sources() == ()
    with pytest.raises(UsageError, match="at least one source"):
        config.agent()


def test_an_empty_configuration_means_the_default_model(tmp_path: Path) -> None:
    model = Config(folder=tmp_path).model()
    assert isinstance(model, LlamaCpp)
