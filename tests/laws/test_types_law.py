"""Types are whole: pyright in its strict mode has nothing to say."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_pyright_strict_is_clean() -> None:
    pyright = shutil.which("pyright", path=str(Path(sys.executable).parent)) or "pyright"
    command = [pyright, "--pythonpath", sys.executable]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stdout[-4000:]
