"""Arrows go down, and nothing is loaded that is not needed."""

from __future__ import annotations

import ast
import json
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import sleuth
from sleuth.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[2]

MODULES = 60
"""Most modules beyond the standard library that `import sleuth` may load."""

HELP_SECONDS = 0.5
"""Most CPU time that `sleuth --help` may take."""

HEAVY = ("numpy", "torch", "duckdb", "onnxruntime", "qdrant_edge", "xllamacpp", "aiohttp", "rich", "psycopg", "llguidance")

ASKING_FOR_HELP = """
import contextlib, io, sleuth.cli.main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    sleuth.cli.main.main(["--help"])
"""


def loaded_by(statement: str) -> list[str]:
    code = f"import sys, json; before = set(sys.modules); {statement}; print(json.dumps(sorted(set(sys.modules) - before)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    names: list[str] = json.loads(ran.stdout.splitlines()[-1])
    return [name for name in names if name.partition(".")[0] not in sys.stdlib_module_names]


def test_the_import_contracts_hold(tmp_path: Path) -> None:
    linter = shutil.which("lint-imports", path=str(Path(sys.executable).parent)) or "lint-imports"
    ran = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout[-3000:]


def test_importing_sleuth_costs_next_to_nothing() -> None:
    assert len(loaded_by("import sleuth")) < MODULES


def test_help_loads_nothing_heavy_and_takes_less_than_half_a_second_of_cpu() -> None:
    loaded = loaded_by(f"exec({ASKING_FOR_HELP!r})")
    assert not {name.partition(".")[0] for name in loaded} & set(HEAVY)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "sleuth", "--help"], capture_output=True, timeout=30, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < HELP_SECONDS


def test_the_root_has_few_names_and_each_resolves() -> None:
    assert len(sleuth.__all__) < 25
    assert sorted(sleuth.__all__) == sorted(set(sleuth.__all__))
    for name in sleuth.__all__:
        assert getattr(sleuth, name) is not None
    public = {name for name in dir(sleuth) if not name.startswith("_")}
    modules = {path.stem for path in Path(sleuth.__file__).parent.iterdir()}  # submodules become attributes when imported
    assert public - modules - {"annotations", "importlib", "TYPE_CHECKING"} == set(sleuth.__all__) - {"__version__", "tool"}
    assert callable(sleuth.tool), "the function, not the module of the same name"


def test_the_names_for_type_checkers_are_those_at_run_time() -> None:
    tree = ast.parse(Path(sleuth.__file__).read_text("utf-8"))
    typed = {
        f"{node.module}.{alias.name}"
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == {f"{home}.{name}" for name, home in sleuth._HOMES.items()}  # pyright: ignore[reportPrivateUsage]


def test_every_command_file_is_a_command() -> None:
    """A file with an `add` that no one can call would be dead."""
    folder = Path(sleuth.__file__).parent / "cli"
    with_add = {f"sleuth.cli.{path.stem}" for path in folder.glob("*.py") if "\ndef add(" in path.read_text("utf-8")}
    assert with_add == {module for module, _ in COMMANDS.values()}
