"""Real processes are killed: nothing acknowledged is lost, nothing is resolved twice, and the chain is valid."""

from __future__ import annotations

import collections
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.hosts import engines
from support.playing import a_server, play

from pbem.engine.play.bots import Choice
from pbem.matches.clock import tick
from pbem.matches.history.replay import all_matches, record_of, replay
from pbem.matches.server import Server

TESTS = Path(__file__).parents[2]
LABELS = ("create", "seat", "close", "doctrine", "seal", "final", "resolve")
POINTS = [f"{label}:{when}-commit" for label in LABELS for when in ("before", "after")]


def victim(folder: Path, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "programs.victim", str(folder), "7", engines.database_of(folder / "pbem.db"), *more],
        cwd=TESTS,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def check_and_finish(folder: Path, acknowledged: list[str]) -> None:
    server = a_server(folder, "7")
    tick.recover(server)
    assert all_matches(server) or not acknowledged
    for match in all_matches(server):
        check(server, match, acknowledged)
        play(server, match, "7")
        check(server, match, acknowledged)


def check(server: Server, match: str, acknowledged: list[str]) -> None:
    record = record_of(server, match)
    hashes = {event.hash for event in record.events}
    assert [event for event in acknowledged if event not in hashes] == []
    counts = collections.Counter(
        (e.type, e.payload["exchange"]) for e in record.events if e.type.startswith("exchange.")
    )
    assert set(counts.values()) <= {1}
    assert server.store.verify(record.stream) is None
    replay(server, match)


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_a_named_point(folders: Callable[[], Path], point: str) -> None:
    folder = folders()
    process = victim(folder, point, "2" if point.startswith(("seal", "final", "close", "resolve")) else "1")
    output, errors = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, (output, errors)
    check_and_finish(folder, [line for line in output.splitlines() if line != "over"])


def test_killed_at_twenty_random_moments(folders: Callable[[], Path]) -> None:
    """Servers are killed at twenty moments that no fail point marks, and each time the next one continues."""
    choice = Choice("moments")
    kills, acknowledged, folder = 0, list[str](), folders()
    while kills < 20:
        process = victim(folder)
        assert process.stdout is not None
        if choice.below(3):
            first = process.stdout.readline()  # it is at work now
            acknowledged += [first.strip()]
            time.sleep(choice.below(40) / 1000)
        else:
            time.sleep(choice.below(400) / 1000)
        process.kill()
        output, _ = process.communicate(timeout=60)
        acknowledged += output.splitlines()
        kills += 1
        if "over" in acknowledged:
            check_and_finish(folder, [line for line in acknowledged if line and line != "over"])
            folder, acknowledged = folders(), []
    check_and_finish(folder, [line for line in acknowledged if line and line != "over"])
