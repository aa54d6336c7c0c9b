"""One broken match stops neither the tick nor the recovery, reminders or emails of other matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from support.postbox import Pile
from support.seated import Table
from support.toy import AmbushRules, AmbushTitle

from pbem.engine.text.messages import as_message
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches.clock import deadlines, outages, tick
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.exchange import closing, creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.post import notifications, outbox


class Fragile(AmbushTitle):
    """A title whose rules fail for the matches of one scenario as soon as the test switches that on."""

    name = "fragile"

    def __init__(self) -> None:
        self.broken = False

    def rules(self, blobs: Mapping[str, bytes]) -> AmbushRules:
        if self.broken:
            raise RuntimeError("the rules are broken")
        return super().rules(blobs)


class Two:
    """A server with one match that will break and one that plays on."""

    def __init__(self, folder: Path) -> None:
        self.title = Fragile()
        self.table = Table(folder, {"fragile": self.title, "ambush": AmbushTitle()})
        self.bad = self.table.begin(48)
        self.good = creating.new_match(self.table.server, "ambush", "tiny", cadence=48)
        for seat, account in self.table.who.items():
            take_seat(self.table.server, self.good, seat, account)
        self.table.wait()
        self.break_it()

    def break_it(self) -> None:
        self.title.broken = True
        self.table.server.forget()

    def exchange(self, match: str) -> int:
        return record_of(self.table.server, match).open_exchange


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


def test_deadlines_of_the_others_fall(two: Two, caplog: pytest.LogCaptureFixture) -> None:
    two.table.wait(48)
    assert (two.exchange(two.bad), two.exchange(two.good)) == (2, 3)
    assert f"match {two.bad}: it could not be closed" in caplog.text


def test_reminders_reach_the_others_and_the_log_is_not_flooded(two: Two, caplog: pytest.LogCaptureFixture) -> None:
    two.table.wait(40)
    assert {owed.match for owed in two.table.owed("reminder")} == {two.good}
    caplog.clear()
    two.table.wait()
    assert "could not be reminded" not in caplog.text


def test_a_start_recovers_the_others(two: Two, caplog: pytest.LogCaptureFixture) -> None:
    for seat, account in two.table.who.items():
        submitting.submit(two.table.server, two.good, seat, 2, "", by=account, final=False, source="web")
    closing.close(two.table.server, two.good, exchange=2, why="deadline")
    tick.recover(two.table.server)
    assert two.exchange(two.good) == 3
    assert record_of(two.table.server, two.good).closing is None
    assert f"match {two.bad}" in caplog.text or record_of(two.table.server, two.bad).halted


def test_an_outage_gives_the_others_their_time_back(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    table = two.table
    fold = outages.fold

    def stumble(events: Any) -> Any:
        record = fold(events)
        if record.stream == f"match/{two.bad}":
            raise KeyError("payload")
        return record

    monkeypatch.setattr(outages, "fold", stumble)
    outages.record_outage(table.server, table.now - HOUR, table.now + HOUR, "a storm")
    outages.settle_all(table.server)
    moved = deadlines.deadline_of(record_of(table.server, two.good))
    assert moved is not None and "the server was down" in str(moved.why(as_message))


def test_an_event_that_cannot_be_announced_holds_up_only_its_match_and_is_tried_again(
    two: Two, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If an event's emails cannot be queued, only that match waits; the emails are queued at the next
    start or event."""
    table, handlers = two.table, dict(notifications.HANDLERS)
    two.title.broken = False

    def stumble(server: Any, transaction: Any, event: Any) -> None:
        handlers["press.sent"](server, transaction, event)
        if event.stream == f"match/{two.bad}":
            raise RuntimeError("no ink")

    monkeypatch.setitem(notifications.HANDLERS, "press.sent", stumble)
    table.match = two.bad
    table.say("red", "press blue: one")
    table.match = two.good
    table.say("red", "press blue: two")
    assert [owed.match for owed in table.owed("press")] == [two.good]
    assert "could not be announced" in caplog.text
    monkeypatch.undo()
    tick.recover(table.server)
    assert sorted(owed.match for owed in table.owed("press")) == sorted([two.bad, two.good])
    assert table.server.database.execute("SELECT count(*) FROM desk WHERE behind IS NOT NULL").fetchone() == (0,)


def test_a_mail_that_cannot_be_written_does_not_stop_the_others(two: Two) -> None:
    sent: list[EmailMessage] = []
    send_due(two.table.server, Settings(domain="pbem.test"), Pile(sent), two.table.now)
    assert len(sent) == 2 and all(two.good in message["References"] for message in sent)
    assert {(owed.match, owed.attempts) for owed in outbox.waiting(two.table.server)} == {(two.bad, 1)}


def test_doors_that_fail_are_logged_and_nothing_closes(two: Two, caplog: pytest.LogCaptureFixture) -> None:
    def broken(now: int) -> bool:
        raise RuntimeError("the doors are stuck")

    sent: list[int] = []
    drains: list[Callable[[int], bool | None]] = [broken, lambda now: False]
    for drain in drains:
        two.table.wait(30, drain=drain, send=sent.append)
        assert two.exchange(two.good) == 2
    assert "the doors are stuck" in caplog.text and len(sent) == 2
    two.table.wait(drain=lambda now: True)
    assert two.exchange(two.good) == 3
