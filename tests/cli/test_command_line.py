"""The command line: exit statuses, messages, what is printed where. What needs a process of its own has one."""

from __future__ import annotations

import io
import json
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sleuth import __version__
from sleuth.cli.main import main
from sleuth.config import build
from sleuth.models.scripted import Scripted


@dataclass(frozen=True)
class Shown:
    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Shown]


@pytest.fixture
def sleuth(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command, run in `folder`: its model says `outputs`, where there are any; everything else is real."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SLEUTH_MODELS", str(folder / "models"))
    monkeypatch.setenv("COLUMNS", "100")

    def run(*words: str, outputs: Sequence[str] = (), stdin: str = "") -> Shown:
        if outputs:
            monkeypatch.setattr(build, "open_model", lambda *args, **options: Scripted(outputs))
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        try:
            status = main(words)
        except SystemExit as ended:  # argparse's own way out
            status = int(ended.code or 0)
        captured = capsys.readouterr()
        return Shown(status, captured.out, captured.err)

    return run


def in_a_shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=30, cwd=cwd)


SLEUTH = f"'{sys.executable}' -m sleuth"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "shop.sqlite") as connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT, total REAL)")
        connection.executemany("INSERT INTO orders (region, total) VALUES (?, ?)", [("EU", 10.5), ("UK", 3.0), ("EU", 7.0)])
    return tmp_path


def test_help_names_every_command_and_the_version_is_the_packages(sleuth: Command) -> None:
    shown = sleuth("--help")
    assert shown.returncode == 0
    for name in ("demo", "init", "ask", "chat", "index", "doctor", "models", "eval"):
        assert f"\n    {name}" in shown.stdout
    assert sleuth("--version").stdout == f"sleuth {__version__}\n"


def test_the_shell_sees_the_exit_status_and_the_message(folder: Path) -> None:
    shown = in_a_shell(f"{SLEUTH} ask 'How many?'", folder)
    assert shown.returncode == 2
    assert shown.stderr.startswith("sleuth: there is no sleuth.toml here or in a folder above\n  → `sleuth init`")
    assert shown.stdout == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "required: COMMAND"),
        (("aks", "x"), "invalid choice: 'aks'"),
        (("ask",), "required: QUESTION"),
        (("ask", "How many?"), "there is no sleuth.toml here or in a folder above\n  → `sleuth init` writes one"),
        (("ask", "How many?", "--config", "none.toml"), "none.toml cannot be read: No such file or directory"),
        (("ask", "", "--db", "shop.sqlite"), "the question is empty"),
        (("ask", "x", "--db", "shop.xls"), "no database driver for 'this' URLs"),
        (("ask", "x", "--db", "mysql://me:s3cret@h/d"), "no database driver for 'mysql' URLs"),
        (("ask", "x", "--db", "shop.sqlite", "--max-iterations", "0"), "limit 'iterations' must be above zero"),
        (("ask", "x", "--db", "shop.sqlite", "--model", "ftp://h"), "a model cannot be reached by ftp://"),
        (("init", "--path", "nowhere"), "there is no folder nowhere"),
    ],
)
def test_wrong_usage_is_status_2_and_one_clear_message(words: tuple[str, ...], said: str, sleuth: Command) -> None:
    shown = sleuth(*words)
    assert shown.returncode == 2, shown.stderr
    assert said in shown.stderr
    assert "Traceback" not in shown.stderr and "s3cret" not in shown.stderr
    assert shown.stdout == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ask", "x", "--db", "gone.sqlite"), "there is no database file 'gone.sqlite'\n  → check the path"),
        (
            ("ask", "x", "--db", "shop.sqlite", "--model", "http://127.0.0.1:9"),
            "no model server answers at http://127.0.0.1:9/v1",
        ),
        (("ask", "x", "--db", "shop.sqlite"), "the model 'qwen2.5-coder-1.5b' is not here\n  → fetch it: sleuth models pull"),
        (("ask", "x", "--docs", "empty"), "no document in"),
        (("index", "nowhere"), "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_done_is_status_1_with_what_to_do(
    words: tuple[str, ...], said: str, folder: Path, sleuth: Command
) -> None:
    (folder / "empty").mkdir()
    shown = sleuth(*words)
    assert shown.returncode == 1, shown.stderr
    assert said in shown.stderr
    assert "Traceback" not in shown.stderr
    assert shown.stdout == ""


def test_a_typing_error_in_the_configuration_is_said_with_its_line(folder: Path, sleuth: Command) -> None:
    (folder / "sleuth.toml").write_text('[modle]\nname = "x"\n')
    shown = sleuth("ask", "x")
    assert shown.returncode == 2
    assert "sleuth.toml, line 1: unknown key 'modle' in the file\n  → did you mean 'model'?" in shown.stderr


COUNT = json.dumps(
    {
        "thought": "Parts: the number of EU orders.",
        "calls": [
            {
                "part": "the number of EU orders",
                "tool": "sql_query",
                "args": {"query": "SELECT COUNT(*) AS n FROM orders WHERE region = $1", "params": ["EU"]},
            }
        ],
    }
)
ENOUGH = json.dumps({"thought": "That is all of it.", "finish": "answer"})
TOLD = json.dumps({"found": True, "claims": [{"evidence": [1], "text": "There are 2 orders from the EU."}]})
NOTHING = json.dumps({"thought": "No tool can know it.", "finish": "insufficient"})


def test_an_answer_is_status_0_and_shows_its_evidence(sleuth: Command) -> None:
    shown = sleuth("ask", "How many EU orders?", "--db", "shop.sqlite", outputs=[COUNT, ENOUGH, TOLD])
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("There are 2 orders from the EU [1].\n")
    assert "[1] database: SELECT COUNT(*) AS n FROM orders WHERE region = $1\n    $1 = EU" in shown.stdout
    assert "thought" not in shown.stdout
    assert "\x1b" not in shown.stdout


def test_the_trace_shows_each_step(sleuth: Command) -> None:
    shown = sleuth("ask", "How many EU orders?", "--db", "shop.sqlite", "--trace", outputs=[COUNT, ENOUGH, TOLD])
    for words in (
        "Iteration 1",
        "thought Parts: the number of EU orders.",
        "action sql_query",
        "observed sql_query",
        "Iteration 2",
    ):
        assert words in shown.stdout


def test_json_is_the_answer_and_nothing_else(sleuth: Command) -> None:
    shown = sleuth("ask", "How many EU orders?", "--db", "shop.sqlite", "--json", outputs=[COUNT, ENOUGH, TOLD])
    told = json.loads(shown.stdout)
    assert (told["answer"], told["stop_reason"], told["enforced"]) == (
        "There are 2 orders from the EU [1].",
        "answered",
        "validated",
    )
    assert told["evidence"][0]["params"] == ["EU"]
    assert "trajectory" not in told


def test_evidence_that_is_not_there_is_status_3(sleuth: Command) -> None:
    shown = sleuth("ask", "Who won?", "--db", "shop.sqlite", "--json", outputs=[NOTHING])
    assert shown.returncode == 3, shown.stderr
    assert json.loads(shown.stdout)["stop_reason"] == "insufficient"


def test_sources_given_as_options_take_the_place_of_the_configured(folder: Path, sleuth: Command) -> None:
    (folder / "sleuth.toml").write_text('[limits]\niterations = 1\n[[documents]]\npath = "gone"\n')
    shown = sleuth("ask", "How many EU orders?", "--db", "shop.sqlite", "--json", outputs=[COUNT, TOLD])
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["stop_reason"] == "iterations"


def test_a_source_that_is_down_is_said_beside_the_answer(sleuth: Command) -> None:
    words = ("ask", "How many EU orders?", "--db", "shop.sqlite", "--docs", "gone")
    shown = sleuth(*words, outputs=[COUNT, ENOUGH, TOLD])
    assert shown.returncode == 0, shown.stderr
    assert "Note: documents was not available" in shown.stdout


def test_a_reader_that_goes_away_is_no_traceback(folder: Path) -> None:
    assert in_a_shell(f"{SLEUTH} models list | true", folder).stderr == ""


def test_a_chat_remembers_and_ends_with_quit(sleuth: Command) -> None:
    asked = "How many EU orders?\n\n/help\n/new\nWho won?\n/quit\n"
    shown = sleuth("chat", "--db", "shop.sqlite", outputs=[COUNT, ENOUGH, TOLD, NOTHING], stdin=asked)
    assert shown.returncode == 0, shown.stderr
    assert "There are 2 orders from the EU [1]." in shown.stdout
    assert "do not hold enough evidence" in shown.stdout


def test_a_chat_goes_on_after_a_question_that_failed_and_ends_with_its_input(sleuth: Command) -> None:
    shown = sleuth("chat", "--db", "shop.sqlite", outputs=[NOTHING], stdin="Who won?\nAnd who lost?\n")
    assert shown.returncode == 0, shown.stderr
    assert "was asked 2 times" in shown.stdout


class _Silent(ThreadingHTTPServer):
    """A model server that lists a model and never answers a request; `asked` is set when it has one."""

    def __init__(self) -> None:
        self.asked, self.ended = threading.Event(), threading.Event()
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Silent

    def do_GET(self) -> None:
        body = b'{"data": [{"id": "slow", "owned_by": "vllm"}]}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.server.asked.set()
        self.server.ended.wait(20)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is to be printed."""


@pytest.fixture
def silent() -> Iterator[_Silent]:
    server = _Silent()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.ended.set()
    server.shutdown()
    thread.join(5)
    server.server_close()


def interrupted(words: Sequence[str], silent: _Silent, cwd: Path, first: str = "", then: str = "") -> Shown:
    """The command, stopped by Ctrl-C while it waits for the model; `first` and `then` are typed before and after."""
    command = [sys.executable, "-m", "sleuth", *words, "--db", "shop.sqlite", "--model", f"http://127.0.0.1:{silent.server_port}"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=cwd, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdin
            process.stdin.write(first)
            process.stdin.flush()
            assert silent.asked.wait(20)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(then, timeout=10)
        finally:
            process.kill()
    return Shown(process.returncode, out, err)


def test_ctrl_c_ends_a_question_with_a_word_and_status_130(folder: Path, silent: _Silent) -> None:
    assert interrupted(["ask", "How many?"], silent, folder) == Shown(130, "", "sleuth: stopped\n")


def test_ctrl_c_in_a_chat_stops_the_question_and_not_the_chat(folder: Path, silent: _Silent) -> None:
    shown = interrupted(["chat"], silent, folder, first="How many?\n", then="/help\n/quit\n")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "Stopped." in shown.stdout
    assert shown.stdout.count("/quit ends.") == 2
