"""Attacks on a running server: halts, crashes, and matches that can no longer be loaded."""

from __future__ import annotations

import hashlib
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from matches.attacks.attacked import turn
from support import toy
from support.playing import SEATS, a_match, a_server, close_now, play
from support.toy import AmbushTitle

from eventstore import StoreTrouble
from pbem.engine.rules.findings import PUBLIC
from pbem.engine.rules.title import Submission
from pbem.matches.clock import tick
from pbem.matches.exchange import (
    advancing,
    halting,
    resolving,
    sealing,
)
from pbem.matches.history.export import export, read_export
from pbem.matches.history.record import Entry
from pbem.matches.history.replay import Position, record_of, replay
from pbem.matches.rulings import rulings
from pbem.matches.server import Server

pytestmark = pytest.mark.usefixtures("store_that_takes_everything")


def test_a_halt_does_not_publish_the_servers_folders(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = a_server(folder, 3)
    match = a_match(server)

    with monkeypatch.context() as patch:
        patch.setitem(toy.AmbushRules.steps, "initiative", broken)
        turn(server, match, red={}, blue={})
    assert record_of(server, match).halted
    advancing.resume_halted(server, match)
    play(server, match, 3)
    for part in read_export(export(server, match, PUBLIC)).parts.values():
        assert b"Traceback" not in part.content


# Several at once, and crashes --------------------------------------------------------------------------------


class Meeting(dict[str, Any]):
    """The server's cache of positions, which makes thread B read it while it holds the position of thread A."""

    def __init__(self) -> None:
        super().__init__()
        self.b_looks, self.a_has_put, self.b_has_it = threading.Event(), threading.Event(), threading.Event()
        self.pops = 0

    def get(self, match: str, default: Any = None) -> Any:
        if threading.current_thread().name == "B" and not self.b_has_it.is_set():
            self.b_looks.set()
            self.a_has_put.wait(0.3)
            found = super().get(match)
            self.b_has_it.set()
            return found
        return super().get(match, default)

    def pop(self, match: str, default: Any = None) -> Any:
        if threading.current_thread().name == "A":
            self.pops += 1
            if self.pops == 2:
                self.a_has_put.set()
                self.b_has_it.wait(0.3)
        return super().pop(match, default)


def test_two_threads_that_resolve_at_once_do_not_share_a_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads that resolve at once do not share a run, or one would record an exchange that never happened."""
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    for seat in SEATS:
        sealing.seal(server, match, seat, 2, Submission({}))
    close_now(server, match, 2)
    server.positions = meeting = Meeting()
    real, a_has_run, b_is_done = resolving.run_on, threading.Event(), threading.Event()

    def run_on(server: Server, here: Position, entry: Entry) -> Any:
        if threading.current_thread().name == "A":
            resolution = real(server, here, entry)
            a_has_run.set()
            b_is_done.wait(0.5)
            return resolution
        a_has_run.wait(0.5)
        return real(server, here, entry)

    monkeypatch.setattr(resolving, "run_on", run_on)

    def second() -> None:
        resolving.resolve(server, match)
        b_is_done.set()

    threads = {"B": threading.Thread(target=second, name="B")}
    threads["A"] = threading.Thread(target=resolving.resolve, args=(server, match), name="A")
    threads["B"].start()
    meeting.b_looks.wait(0.5)
    threads["A"].start()
    for thread in threads.values():
        thread.join(10)
    assert not record_of(server, match).halted
    replay(server, match)


class Crash(BaseException):
    """Raised where the simulated process dies."""


def test_a_crash_while_an_ended_match_is_reopened_does_not_leave_it_with_a_published_key(folder: Path) -> None:
    """A crash during the reopening of an ended match does not publish its key, which would reveal orders that are
    hidden again."""
    armed: list[str] = []

    def failpoint(name: str) -> None:
        if name in armed:
            raise Crash(name)

    server = a_server(folder, 3, failpoint=failpoint)
    match = a_match(server)
    play(server, match, 3)
    armed.append("ruling:before-commit")
    with pytest.raises(Crash):
        rulings.reopen(server, match, after=1, reason="an order was misread", by="gm")
    again = a_server(folder, 3)
    tick.recover(again)
    if record_of(again, match).ended:
        return  # the ruling did not come to pass: it can be made again
    entry = turn(again, match, red={}, blue={})
    published = {
        hashlib.sha256(bytes.fromhex(opened["key"])).hexdigest()
        for event in record_of(again, match).events
        if event.type == "match.ended"
        for opened in event.payload["opened"]
    }
    assert entry.ladder["key"] not in published


def test_a_database_that_is_busy_for_a_moment_does_not_halt_a_match(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = a_server(folder, 3)
    match = a_match(server)
    close_now(server, match, 2)

    def busy(*given: Any) -> Any:
        raise StoreTrouble("busy")

    with monkeypatch.context() as patch:
        patch.setattr(resolving, "answers_of", busy)
        with suppress(StoreTrouble):
            resolving.resolve(server, match)
    assert not record_of(server, match).halted


def test_a_result_that_the_store_refuses_halts_the_match(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def verbose(table: Any) -> Any:
        table.end("5", None, "why " * 5000)
        return
        yield

    monkeypatch.setitem(toy.AmbushRules.steps, "initiative", verbose)
    server = a_server(folder, 3)
    match = a_match(server)
    close_now(server, match, 2)
    resolving.resolve(server, match)
    assert record_of(server, match).halted


def broken(table: Any) -> Any:
    """A step of the rules with a bug, as in a faulty release."""
    raise ZeroDivisionError("a bug in the rules")
    yield


def start_anew(server: Server, match: str) -> None:
    """Continue a match as a newer release would, which has no snapshots of its own."""
    server.forget()
    server.store.drop_snapshots()
    halting.shadow_replay(server, match)
    resolving.resolve(server, match)


def test_a_match_whose_past_cannot_be_replayed_does_not_keep_the_server_from_starting(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")
    turn(server, match, red={}, blue={})
    monkeypatch.setitem(toy.AmbushRules.steps, "initiative", broken)
    start_anew(server, match)
    assert record_of(server, match).halted


def test_a_match_whose_data_no_longer_loads_does_not_keep_the_server_from_starting(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = a_server(folder, 3)
    match = a_match(server, scenario="small")

    def rules(title: Any, blobs: Any) -> Any:
        raise ValueError("this release wants another column in the chart")

    monkeypatch.setattr(AmbushTitle, "rules", rules)
    start_anew(server, match)
    assert record_of(server, match).halted
