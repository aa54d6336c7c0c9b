"""§11 Holds, supervisors, reminders, and the scheduler that runs unattended."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from schedule.clocks import Clocks
from support.toy import AmbushTitle

from pbem.engine.text.messages import as_message
from pbem.matches.accounts import accounts
from pbem.matches.clock import outages, tick
from pbem.matches.clock.deadlines import HOUR, MINUTE, SECOND
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.installation import open_server
from pbem.matches.post import outbox
from pbem.schedule import Supervisor


def test_the_first_tick_of_a_process_closes_nothing(clocks: Clocks) -> None:
    """A new process closes nothing at its first tick, even if the deadline passed while an earlier process was
    alive."""
    clocks.near_deadline()
    clocks.go_to(clocks.deadline.at + SECOND)
    clocks.restart(5 * SECOND)
    assert clocks.exchange == 2
    clocks.pass_time(15 * SECOND)
    assert clocks.exchange == 3


def test_while_held_nothing_closes_and_deadlines_move_by_the_held_time(clocks: Clocks) -> None:
    clocks.near_deadline()
    before = clocks.deadline
    assert outages.hold(clocks.server, "moving") and not outages.hold(clocks.server)
    clocks.pass_time(2 * MINUTE)
    assert clocks.exchange == 2
    assert outages.release(clocks.server) and not outages.release(clocks.server)
    assert clocks.deadline.at == before.at + 2 * MINUTE
    assert "on hold" in str(clocks.deadline.why(as_message))
    clocks.pass_time(MINUTE)
    assert clocks.exchange == 3


def test_an_outage_during_a_hold_is_given_back_once(clocks: Clocks) -> None:
    clocks.near_deadline()
    before = clocks.deadline
    outages.hold(clocks.server)
    clocks.wall += 10 * MINUTE
    clocks.steady += 10 * MINUTE
    clocks.supervisor.tick()
    outages.release(clocks.server)
    assert clocks.deadline.at == before.at + 10 * MINUTE


def test_finals_do_not_close_during_a_hold_and_do_afterwards(clocks: Clocks) -> None:
    outages.hold(clocks.server)
    for seat, address in (("red", "ann@example.org"), ("blue", "bob@example.org")):
        account = accounts.by_address(clocks.server, address)
        assert account is not None
        submitting.submit(clocks.server, clocks.match, seat, 2, "", by=account.id, final=True, source="web")
    assert clocks.exchange == 2
    outages.release(clocks.server)
    clocks.pass_time(15 * SECOND)
    assert clocks.exchange == 3


def test_one_supervisor_works_at_a_time_and_another_takes_over_when_it_is_gone(clocks: Clocks) -> None:
    other = clocks.another()
    assert not other.tick()
    clocks.supervisor.release_lease()
    assert other.tick()
    assert not clocks.supervisor.tick()
    clocks.wall += 2 * MINUTE
    assert clocks.supervisor.tick(), "the other has died without a word"


def test_a_clock_that_leaps_ahead_reminds_nobody(clocks: Clocks) -> None:
    """No reminder is sent after a clock has leapt ahead, even if exchanges are checked before the clock is."""
    clocks.pass_time(HOUR)
    clocks.wall += 20 * HOUR
    clocks.supervisor.close()
    clocks.supervisor.tick()
    assert not [owed for owed in outbox.waiting(clocks.server) if owed.kind == "reminder"]


def test_a_reminder_is_owed_once_and_only_to_seats_that_have_sealed_nothing(clocks: Clocks) -> None:
    ann = accounts.by_address(clocks.server, "ann@example.org")
    assert ann is not None
    submitting.submit(clocks.server, clocks.match, "red", 2, "r1 go2", by=ann.id, final=False, source="web")
    clocks.near_deadline()
    assert [owed.seat for owed in outbox.waiting(clocks.server) if owed.kind == "reminder"] == ["blue"]


def test_the_clockwork_runs_by_itself_and_at_a_nudge(tmp_path: Path) -> None:
    """The real loops run at a nudge at once, long before their next round is due."""
    server = open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()})
    read = threading.Semaphore(0)
    supervisor = Supervisor(server, drain=lambda now: read.release(), every=3600)
    supervisor.start()
    try:
        assert read.acquire(timeout=5), "the first round comes at once"
        supervisor.nudge()
        assert read.acquire(timeout=5)
    finally:
        supervisor.stop()
        server.close()


def test_a_nudge_during_a_round_is_not_lost(tmp_path: Path) -> None:
    """An email that arrives while others are being read does not wait for the next round."""
    server = open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()})
    read = threading.Semaphore(0)

    def drain(now: int) -> None:
        read.release()
        if mails:
            mails.pop()
            supervisor.nudge()

    mails = ["one", "two"]
    supervisor = Supervisor(server, drain=drain, every=3600)
    supervisor.start()
    try:
        assert all(read.acquire(timeout=5) for _ in range(3))
        assert not read.acquire(timeout=0.2), "and then there is rest"
        supervisor.nudge()
        assert read.acquire(timeout=5)
    finally:
        supervisor.stop()
        server.close()


def test_a_slow_mail_host_and_a_long_turn_delay_neither_the_heartbeat_nor_a_deadline(tmp_path: Path) -> None:
    """While sending and resolving hang, orders are still read, and the exchange still closes."""
    server = open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()})
    stuck, closed = threading.Event(), threading.Event()
    match = creating.new_match(server, "ambush", "tiny", cadence=24)
    for seat in ("red", "blue"):
        take_seat(server, match, seat, accounts.open_account(server, f"{seat}@example.org").id)
    supervisor = Supervisor(server, send=lambda now: ignore(stuck.wait(20)), every=3600)
    real, later = tick.close_round, tick.work_round
    try:
        tick.work_round = lambda *args: ignore(stuck.wait(20)) or []  # type: ignore[assignment]
        tick.close_round = lambda *args: ignore(closed.set()) or tick.Round([], False)  # type: ignore[assignment]
        supervisor.start()
        supervisor.beat()
        supervisor.nudge("close")
        assert closed.wait(5)
        beats = supervisor._beats
        supervisor.beat()
        assert supervisor._beats == beats + 1
    finally:
        stuck.set()
        tick.close_round, tick.work_round = real, later
        supervisor.stop()
        server.close()


def ignore(result: object) -> None:
    """Do nothing."""


def test_a_tick_that_fails_is_logged_and_the_next_one_tries_again(
    clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(now: int) -> None:
        raise RuntimeError("the doors are stuck")

    supervisor = Supervisor(clocks.server, drain=broken)
    clocks.supervisor.release_lease()
    assert supervisor.tick()
    assert "the doors are stuck" in caplog.text
