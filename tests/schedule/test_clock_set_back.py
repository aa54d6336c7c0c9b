"""§11 When a clock that was ahead is set right, nothing waits for the time that it had shown."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from schedule.clocks import Clocks
from support.toy import AmbushTitle

from pbem import schedule
from pbem.matches.accounts import accounts, rate_limits
from pbem.matches.accounts.rate_limits import Limit
from pbem.matches.clock.deadlines import DAY, HOUR, MINUTE
from pbem.matches.exchange import submitting
from pbem.matches.installation import open_server
from pbem.matches.post import outbox
from pbem.schedule import Supervisor
from pbem.tournaments.post import webhooks

YEAR = 365 * DAY
ONCE = Limit("tries", 1, HOUR)


def set_clock(clocks: Clocks, span: int) -> None:
    clocks.wall += span
    clocks.pass_time(MINUTE)


@pytest.mark.parametrize("span", [3 * HOUR, YEAR])
def test_what_was_done_while_the_clock_was_ahead_holds_nobody_up_afterwards(clocks: Clocks, span: int) -> None:
    """A server whose clock was a year ahead once kept every email, and locked out who had signed in, for a year."""
    clocks.pass_time(MINUTE)
    set_clock(clocks, span)
    assert rate_limits.take(clocks.server, ONCE, "ann") == 0
    [waits] = [owed for owed in outbox.waiting(clocks.server) if owed.kind == "outage"][:1]
    outbox.put_off(clocks.server, waits, clocks.wall, "the host was away")
    clocks.server.database.execute("UPDATE desk SET look_at = ?", (clocks.wall + HOUR,))

    set_clock(clocks, -span)
    ann = accounts.by_address(clocks.server, "ann@example.org")
    assert ann is not None
    submitting.submit(
        clocks.server, clocks.match, "red", clocks.exchange, "r1 go2", by=ann.id, final=False, source="web"
    )
    waiting = outbox.waiting(clocks.server)
    assert len([owed for owed in waiting if owed.kind == "outage"]) == 4, "of both changes, to both players"
    assert [owed for owed in waiting if owed not in outbox.due(clocks.server, clocks.wall)] == []
    assert rate_limits.take(clocks.server, ONCE, "ann") <= HOUR
    [look_at] = clocks.server.database.execute("SELECT look_at FROM desk").fetchone()
    assert look_at is None or look_at <= clocks.wall + HOUR


def test_a_webhook_that_failed_while_the_clock_was_ahead_is_called_again_at_the_right_time(clocks: Clocks) -> None:
    """The next attempt had been planned by the wrong clock, and was made a year later."""
    server = clocks.server
    clocks.pass_time(MINUTE)
    ann = accounts.by_address(server, "ann@example.org")
    assert ann is not None
    webhooks.queue(server)
    webhooks.add(server, ann.id, f"match/{clocks.match}", "https://example.org/hook", lambda host, port: ["8.8.8.8"])
    clocks.finish()  # the exchange is resolved, which the webhook reports
    called: list[str] = []

    def failing(address: str, host: str, *request: object) -> int:
        called.append(host)
        return 500

    set_clock(clocks, YEAR)
    webhooks.send_due(server, clocks.wall, lambda host, port: ["8.8.8.8"], failing)
    set_clock(clocks, -YEAR)
    attempts = len(called)
    webhooks.send_due(server, clocks.wall + 2 * MINUTE, lambda host, port: ["8.8.8.8"], failing)
    assert attempts and len(called) == 2 * attempts


def test_the_digest_of_tomorrow_still_waits_for_tomorrow(clocks: Clocks) -> None:
    with clocks.server.store.transaction("digest") as transaction:
        outbox.queue(transaction, "digest", at=clocks.wall + 20 * HOUR, key="tomorrow")
    clocks.pass_time(MINUTE)
    assert "digest" not in [owed.kind for owed in outbox.due(clocks.server, clocks.wall)]


def test_the_loops_go_on_when_the_clock_is_set_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Setting the system's clock back once stopped the heartbeat for as long as the clock had been ahead.

    To the scheduler, a clock that was set back by a year looks like a next run that is a year away.
    """
    monkeypatch.setattr(schedule, "BEAT", 0.02)
    server = open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()})
    beats, rounds = threading.Semaphore(0), threading.Semaphore(0)
    supervisor = Supervisor(server, drain=lambda now: rounds.release(), every=1)
    beat = supervisor.beat

    def counted() -> bool:
        beats.release()
        return beat()

    monkeypatch.setattr(supervisor, "beat", counted)
    supervisor.start()
    try:
        assert beats.acquire(timeout=5) and rounds.acquire(timeout=5)
        scheduler = supervisor._scheduler
        assert scheduler is not None
        scheduler.get_job("tick").modify(next_run_time=datetime.now(UTC) + timedelta(days=365))
        assert all(beats.acquire(timeout=5) for _ in range(4))
        assert all(rounds.acquire(timeout=5) for _ in range(3))
    finally:
        supervisor.stop()
        server.close()
