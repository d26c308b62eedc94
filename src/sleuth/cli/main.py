"""`sleuth`: one command a file, imported only when it is asked for."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence

from sleuth import __version__
from sleuth.errors import SleuthError, UsageError
from sleuth.observe.render import clean

COMMANDS = {
    "demo": ("sleuth.cli.demo", "answer the sample question over the sample case"),
    "init": ("sleuth.cli.init", "write a sleuth.toml by looking around"),
    "ask": ("sleuth.cli.ask", "answer one question, with evidence"),
    "chat": ("sleuth.cli.chat", "ask one question after the other"),
    "index": ("sleuth.cli.index", "read a folder of documents into its index"),
    "doctor": ("sleuth.cli.doctor", "see whether the model keeps its form, and whether the sources open"),
    "models": ("sleuth.cli.models", "list, fetch and find local models"),
    "eval": ("sleuth.cli.eval", "score a file of cases"),
}
"""Module and one line of help of each command, in the order a new user meets them."""

FAILED, USAGE, INTERRUPTED = 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 answered, 1 failed, 2 usage, 3 evidence insufficient, 130 stopped by Ctrl-C."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _write_anything()
    try:
        args = parser(next((word for word in arguments if not word.startswith("-")), None)).parse_args(arguments)
        status = int(args.run(args))
        sys.stdout.flush()
        return status
    except UsageError as error:
        return _failed(error, USAGE)
    except SleuthError as error:
        return _failed(error, FAILED)
    except KeyboardInterrupt:
        print("sleuth: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output is gone; the interpreter must not complain of it again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        if error.filename is not None:
            raise
        print(f"sleuth: the output cannot be written: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FAILED


def _write_anything() -> None:
    """Standard output and error where they were closed go nowhere; where they hold less than Unicode, the rest is escaped."""
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def parser(asked: str | None) -> argparse.ArgumentParser:
    """Every command by name, and whole the one that is `asked` for: the others are not imported."""
    made = argparse.ArgumentParser(
        prog="sleuth",
        description="Ask a question over your documents, your database and the web, on the model and hardware you have.",
        epilog="Exit status: 0 answered or done, 1 failed, 2 usage, 3 evidence insufficient, 130 stopped by Ctrl-C.",
    )
    made.add_argument("--version", action="version", version=f"sleuth {__version__}")
    commands = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, (module, words) in COMMANDS.items():
        if name == asked:
            importlib.import_module(module).add(commands)
        else:
            commands.add_parser(name, help=words)
    return made


def _failed(error: SleuthError, status: int) -> int:
    """In one line, and one more for what to do. A server's or a file's words may be in it: they are cleaned like all others."""
    print(f"sleuth: {clean(error.message)}", file=sys.stderr)
    if error.hint:
        print(f"  → {clean(error.hint)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
