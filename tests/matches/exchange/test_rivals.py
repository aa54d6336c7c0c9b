"""Three processes seal, close and resolve on one database at the same time."""

from __future__ import annotations

import collections
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from support.playing import SEATS, a_server

from pbem.matches.exchange import creating
from pbem.matches.history.replay import record_of, replay

TESTS = Path(__file__).parents[2]


def test_three_processes_lose_nothing_and_resolve_once(folders: Callable[[], Path]) -> None:
    folder = folders()
    server = a_server(folder, "house")
    count = iter(range(10**6))
    server.entropy = lambda label: next(count).to_bytes(32, "big")[::-1]
    matches = [creating.create(server, "ambush", "tiny", seats=SEATS) for _ in range(3)]
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "programs.rivals", str(folder), str(seed), server.store.address],
            cwd=TESTS,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in range(3)
    ]
    sealed = 0
    for process in processes:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        sealed += output.count("sealed")
    events = [event for match in matches for event in record_of(server, match).events]
    assert sealed == sum(event.type == "order.sealed" for event in events)
    counts = collections.Counter(
        (event.stream, event.type, event.payload["exchange"])
        for event in events
        if event.type.startswith("exchange.")
    )
    assert set(counts.values()) == {1}
    for match in matches:
        assert server.store.verify(f"match/{match}") is None
        assert replay(server, match).record.ended
