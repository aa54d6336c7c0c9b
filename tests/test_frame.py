"""The project as a whole: imports point in one direction, types and style are checked, and the wheel works on its
own."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = Path(sysconfig.get_path("scripts"))


def run(*command: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> str:
    words = [str(word) for word in command]
    result = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def test_imports_point_one_way() -> None:
    run(SCRIPTS / "lint-imports", "--no-cache")


def test_style() -> None:
    run(sys.executable, "-m", "ruff", "check", "--no-cache", ".")


def test_every_file_is_formatted() -> None:
    run(sys.executable, "-m", "ruff", "format", "--check", "--no-cache", ".")


@pytest.mark.first
def test_types() -> None:
    run(sys.executable, "-m", "mypy")


@pytest.mark.first
@pytest.mark.slow
def test_the_wheel_plays_outside_the_checkout(tmp_path: Path) -> None:
    """The wheel contains its templates and data; the test builds it, unpacks it beside its dependencies, and runs it
    outside the checkout."""
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, ".")
    unpacked, elsewhere = tmp_path / "unpacked", tmp_path / "elsewhere"
    wheel = next(tmp_path.glob("*.whl"))
    run(sys.executable, "-m", "pip", "install", "-q", "--no-compile", "--no-deps", "-t", unpacked, wheel)
    elsewhere.mkdir()
    alone = {**os.environ, "PYTHONPATH": str(unpacked)}
    pbem = [sys.executable, "-m", "pbem.cli"]
    assert str(unpacked) in run(sys.executable, "-c", "import pbem; print(pbem.__file__)", cwd=elsewhere, env=alone)
    simulated = run(*pbem, "sim", "panzer", "--scenario", "duel", "--matches", "1", cwd=elsewhere, env=alone)
    assert "duel" in simulated
    templates = "import pbem.mail.outbound.compose as o; print(o.environment().list_templates())"
    assert "orders.txt" in run(sys.executable, "-c", templates, cwd=elsewhere, env=alone)
