"""The outbox queues each email once, in the transaction of the event, and retries with growing delays."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.playing import NOON
from support.toy import AmbushTitle

from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.installation import open_server
from pbem.matches.post import outbox
from pbem.matches.post.notifications import catch_up
from pbem.matches.server import Server


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)


def owe(server: Server, key: str, at: int = NOON) -> str:
    with server.store.transaction() as transaction:
        return outbox.queue(transaction, "report", at=at, key=key, account="ann", match="m", exchange=2, seat="red")


def test_owing_a_mail_twice_is_owing_it_once(server: Server) -> None:
    assert owe(server, "x") == owe(server, "x") != owe(server, "y")
    assert len(outbox.waiting(server)) == 2


def test_a_sent_mail_is_not_owed_again(server: Server) -> None:
    outbox.mark_sent(server, owe(server, "x"), NOON)
    owe(server, "x")
    assert outbox.due(server, NOON) == []


def test_mails_are_due_in_the_order_they_were_owed(server: Server) -> None:
    ids = [owe(server, key, NOON + number) for number, key in enumerate("zay")]
    assert [owed.id for owed in outbox.due(server, NOON + 2)] == ids
    assert [owed.id for owed in outbox.due(server, NOON + 1)] == ids[:2]


def test_after_many_attempts_a_mail_is_given_up_and_listed(server: Server) -> None:
    owe(server, "x")
    now = NOON
    for _ in range(outbox.MOST_ATTEMPTS):
        [owed] = outbox.waiting(server)
        now = owed.next_at or now
        outbox.put_off(server, owed, now, "no route")
    assert outbox.waiting(server) == []
    assert [owed.error for owed in outbox.failed_emails(server)] == ["no route"]
    assert now - NOON > 3 * 24 * 3_600_000, "a host may be down over a long weekend"


def test_what_rolls_back_owes_nothing(server: Server) -> None:
    with pytest.raises(RuntimeError), server.store.transaction() as transaction:
        outbox.queue(transaction, "report", at=NOON, key="x")
        raise RuntimeError
    assert outbox.waiting(server) == []


def test_reports_are_owed_with_the_resolving_whoever_resolves(server: Server) -> None:
    """Reports are queued once, in the transaction that resolves, even if the events are read again."""
    match = creating.new_match(server, "ambush", "tiny")
    for seat in ("red", "blue"):
        take_seat(server, match, seat, accounts.open_account(server, f"{seat}@example.org").id)
    for _ in range(2):
        catch_up(server)
        server.store.drop_projection("desk")
    assert sorted((owed.kind, owed.seat) for owed in outbox.waiting(server)) == [
        ("orders", "blue"),
        ("orders", "red"),
    ]
