# The everyday words. `just` alone lists them.

default:
    @just --list

# a virtual environment with everything for development
setup:
    python3 -m venv .venv
    .venv/bin/pip install -e '.[dev]'

# the tests that need neither a model nor minutes
test *words:
    .venv/bin/pytest -m "not model and not slow" {{words}}

# every test
test-all:
    .venv/bin/pytest

# what the laws check of form: ruff, imports, types
lint:
    .venv/bin/ruff check .
    .venv/bin/ruff format --check .
    .venv/bin/lint-imports
    .venv/bin/pyright --pythonpath .venv/bin/python

format:
    .venv/bin/ruff check --fix .
    .venv/bin/ruff format .

# docs/commands.md from the commands themselves
docs:
    .venv/bin/python docs/make_commands.py

# the sample case, made anew from its seed
sample:
    .venv/bin/python examples/contracts/make.py

# the pins of everything the suite needs, for every platform
lock:
    uv pip compile --universal --generate-hashes --no-emit-index-url --extra dev pyproject.toml -o requirements.lock

demo:
    .venv/bin/sleuth demo

ci:
    .ci/run
