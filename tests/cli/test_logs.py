"""A server that runs for years does not fill its disk with logs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pbem.cli.operating.logs import KEPT

PROCESS = """
import logging, pathlib, sys
from pbem.cli.operating import logs
logs.LARGEST = 1000
logs.start_log(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None)
for number in range(500):
    logging.getLogger("pbem.schedule").info("tick %d", number)
"""


def log_of_a_process(*words: str) -> str:
    """Write a long log in a separate process, without the handlers of the tests; return its standard error."""
    done = subprocess.run([sys.executable, "-c", PROCESS, *words], capture_output=True, text=True, check=True)
    return done.stderr


def test_a_log_file_is_rotated_and_only_a_few_old_ones_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "log" / "pbem.log"
    assert log_of_a_process(str(file)) == ""

    files = sorted(file.parent.iterdir())
    assert [one.name for one in files] == ["pbem.log", *(f"pbem.log.{number}" for number in range(1, KEPT + 1))]
    assert all(one.stat().st_size <= 1000 for one in files)
    assert "pbem.schedule: tick 499" in file.read_text()


def test_without_a_file_the_log_goes_to_standard_error() -> None:
    lines = log_of_a_process().splitlines()
    assert len(lines) == 500 and lines[-1].endswith("pbem.schedule: tick 499")
