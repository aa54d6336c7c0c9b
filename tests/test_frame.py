"""The frame: imports point one way, types and style hold, and the wheel works outside the checkout."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = Path(sysconfig.get_path("scripts"))


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    result = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def test_imports_point_one_way() -> None:
    run(SCRIPTS / "lint-imports", "--no-cache")


def test_style() -> None:
    run(sys.executable, "-m", "ruff", "check", "--no-cache", ".")


def test_types() -> None:
    run(sys.executable, "-m", "mypy")


@pytest.mark.slow
def test_the_wheel_plays_outside_the_checkout(tmp_path: Path) -> None:
    """Templates and data travel in the wheel: build it, install it into an empty environment, run it elsewhere."""
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, ".")
    run(sys.executable, "-m", "venv", tmp_path / "empty")
    python = tmp_path / "empty" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", next(tmp_path.glob("*.whl")))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    pbem = tmp_path / "empty" / "bin" / "pbem"
    assert "serve" in run(pbem, "--help", cwd=elsewhere)
    simulated = run(pbem, "sim", "panzer", "--scenario", "duel", "--matches", "1", "--seed", "1", cwd=elsewhere)
    assert "duel" in simulated
    templates = run(python, "-c", "import pbem.web, pbem.mail.outbound as o; print(o.__name__)", cwd=elsewhere)
    assert "outbound" in templates
