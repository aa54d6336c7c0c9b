"""Live play, resumed play and replay give the same results."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.playing import a_match, a_server, moves, play

from pbem.engine.rules.state import to_bytes
from pbem.matches.clock import tick
from pbem.matches.history.replay import all_matches, load, record_of, replay, snapshot_key
from pbem.matches.server import Server

seeds = st.integers(0, 10**6)
reactions = st.sampled_from(["plan", "ask"])


class Crash(BaseException):
    """Raised at a fail point where the simulated process dies."""


@given(seed=seeds, reactions=reactions, scenario=st.sampled_from(["tiny", "small", "close"]))
@settings(max_examples=20)
def test_replay_from_the_first_event_equals_live_play(folders: Any, seed: int, reactions: str, scenario: str) -> None:
    server = a_server(folders(), seed)
    match = a_match(server, reactions=reactions, scenario=scenario)
    live = play(server, match, seed)

    again = replay(server, match)  # compares rolls, findings and state of every exchange

    assert to_bytes(again.run.state) == to_bytes(live.run.state)
    assert live.record.ended is not None
    assert server.store.verify(live.record.stream) is None
    assert not list(live.rules.flaws(live.run.state))


@given(seed=seeds, reactions=reactions)
@settings(max_examples=2)
def test_a_crash_at_any_commit_and_resuming_gives_the_identical_chain(
    folders: Any, seed: int, reactions: str
) -> None:
    whole = a_server(folders(), seed)
    head = play(whole, a_match(whole, reactions=reactions), seed).record.events[-1].hash
    crash, finished = 0, False
    while not finished:
        folder = folders()
        finished = not _play_until_crash(folder, seed, reactions, crash)
        with closing(a_server(folder, seed)) as server:
            match = (all_matches(server) or [a_match(server, reactions=reactions)])[0]
            tick.recover(server)
            assert play(server, match, seed).record.events[-1].hash == head, f"crash {crash}"
        crash += 1
    assert crash > 40


def _play_until_crash(folder: Path, seed: int, reactions: str, crash: int) -> bool:
    left = [crash]

    def failpoint(name: str) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Crash(name)

    try:
        with closing(a_server(folder, seed, failpoint=failpoint)) as server:
            play(server, a_match(server, reactions=reactions), seed)
    except Crash:
        return True
    return False


@given(seed=seeds, reactions=reactions, data=st.data())
@settings(max_examples=8)
def test_any_subset_of_snapshots_changes_nothing(
    folders: Any, seed: int, reactions: str, data: st.DataObject
) -> None:
    """Deleting any snapshots and dropping the match from memory before every action changes nothing."""
    whole, server = a_server(folders(), seed), a_server(folders(), seed)
    head = play(whole, a_match(whole, reactions=reactions, scenario="small"), seed).record.events[-1].hash
    match = a_match(server, reactions=reactions, scenario="small")
    for _ in moves(server, match, seed):
        if data.draw(st.booleans()):
            _forget(server, match, data.draw(st.integers(0, 2)))
    assert load(server, match).record.events[-1].hash == head


def _forget(server: Server, match: str, how: int) -> None:
    server.positions.clear()
    if how == 1:
        server.store.drop_snapshots(match)
    elif how == 2 and (resolved := record_of(server, match).resolved):
        server.store.drop_snapshots(snapshot_key(match, resolved[-1].exchange))


def test_replay_does_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    """The chain is the same in processes with different hash seeds, in which sets may iterate in different orders."""
    program = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1]); from support.playing import *\n"
        "server = a_server(pathlib.Path(sys.argv[2]), 5)\n"
        "print(play(server, a_match(server, scenario='small'), 5).record.events[-1].hash)"
    )
    tests = str(Path(__file__).parents[2])
    heads = set()
    for hash_seed in ("0", "1", "2024"):
        folder = tmp_path / hash_seed
        folder.mkdir()
        result = subprocess.run(
            [sys.executable, "-c", program, tests, str(folder)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        heads.add(result.stdout)
    assert len(heads) == 1
