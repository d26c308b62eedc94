"""`sleuth`: one command a file, imported only when it is asked for."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from sleuth import __version__
from sleuth.errors import SleuthError, UsageError

COMMANDS = {
    "demo": ("sleuth.cli.demo", "answer the sample question over the sample case"),
    "doctor": ("sleuth.cli.doctor", "see whether the model keeps its form, and whether the sources open"),
    "eval": ("sleuth.cli.eval", "score a file of cases"),
    "index": ("sleuth.cli.index", "read a folder of documents into its index"),
    "models": ("sleuth.cli.models", "list, fetch and find local models"),
}

FAILED, USAGE, INTERRUPTED = 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 answered, 1 failed, 2 usage, 3 evidence insufficient, 130 stopped by Ctrl-C."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="sleuth", description="Ask a question over your documents, your database and the web.")
    parser.add_argument("--version", action="version", version=f"sleuth {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    asked = next((word for word in arguments if not word.startswith("-")), None)
    for name, (module, words) in COMMANDS.items():
        if name == asked:
            importlib.import_module(module).add(commands)
        else:
            commands.add_parser(name, help=words)
    return _run(parser.parse_args(arguments))


def _run(args: argparse.Namespace) -> int:
    try:
        return int(args.run(args))
    except UsageError as error:
        print(f"sleuth: {error}", file=sys.stderr)
        return USAGE
    except SleuthError as error:
        print(f"sleuth: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("sleuth: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output is gone; the interpreter must not complain of it again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


if __name__ == "__main__":
    sys.exit(main())
