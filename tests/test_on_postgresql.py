"""A chosen part of the tests of matches, mail and web runs on PostgreSQL; `--engine=postgresql` runs any of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CHOSEN = (
    "matches/audit/test_search.py",
    "matches/clock/test_time_bank.py",
    "matches/exchange/test_opening.py",
    "matches/post",
    "mail/test_master_replies.py",
    "web/pages/test_lobby.py",
)


@pytest.mark.postgresql
def test_servers_behave_the_same_on_postgresql() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--engine=postgresql"]
    done = subprocess.run(
        [*command, *(str(TESTS / name) for name in CHOSEN)],
        cwd=TESTS.parent,
        env={**os.environ, "PYTEST_XDIST_WORKER": "", "PYTHONPATH": str(TESTS.parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
