"""The outbox: owed in the act's transaction, once, and tried again later and later."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import NOON
from toy import AmbushTitle

from pbem.matches import accounts, acts, desk, outbox
from pbem.matches.house import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    return desk.open_house(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)


def owe(house: House, key: str, at: int = NOON) -> str:
    with house.store.transaction() as transaction:
        return outbox.queue(transaction, "report", at=at, key=key, account="ann", match="m", exchange=2, seat="red")


def test_owing_a_mail_twice_is_owing_it_once(house: House) -> None:
    assert owe(house, "x") == owe(house, "x") != owe(house, "y")
    assert len(outbox.waiting(house)) == 2


def test_a_sent_mail_is_not_owed_again(house: House) -> None:
    outbox.sent(house, owe(house, "x"), NOON)
    owe(house, "x")
    assert outbox.due(house, NOON) == []


def test_mails_are_due_in_the_order_they_were_owed(house: House) -> None:
    ids = [owe(house, key, NOON + number) for number, key in enumerate("zay")]
    assert [owed.id for owed in outbox.due(house, NOON + 2)] == ids
    assert [owed.id for owed in outbox.due(house, NOON + 1)] == ids[:2]


def test_after_many_attempts_a_mail_is_given_up_and_listed(house: House) -> None:
    owe(house, "x")
    now = NOON
    for _ in range(outbox.MOST_ATTEMPTS):
        [owed] = outbox.waiting(house)
        now = owed.next_at or now
        outbox.put_off(house, owed, now, "no route")
    assert outbox.waiting(house) == []
    assert [owed.error for owed in outbox.failed(house)] == ["no route"]
    assert now - NOON > 3 * 24 * 3_600_000, "a host may be down over a long weekend"


def test_what_rolls_back_owes_nothing(house: House) -> None:
    with pytest.raises(RuntimeError), house.store.transaction() as transaction:
        outbox.queue(transaction, "report", at=NOON, key="x")
        raise RuntimeError
    assert outbox.waiting(house) == []


def test_reports_are_owed_with_the_resolving_whoever_resolves(house: House) -> None:
    """A start resolves without the desk; its forms are owed all the same, and only once."""
    match = desk.new_match(house, "ambush", "tiny")
    for seat in ("red", "blue"):
        acts.take_seat(house, match, seat, accounts.open_account(house, f"{seat}@example.org").id)
    assert outbox.waiting(house) == []
    for _ in range(2):
        desk.catch_up(house)
        house.store.drop_projection("desk")
    assert sorted((owed.kind, owed.seat) for owed in outbox.waiting(house)) == [("orders", "blue"), ("orders", "red")]
