"""The inbox: what a door has accepted is safe, comes out in order, and says what became of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import NOON
from toy import AmbushTitle

from pbem.matches import desk, inbox
from pbem.matches.house import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    return desk.open_house(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)


def test_a_kept_mail_survives_the_process(house: House) -> None:
    inbox.receive(house, b"From: ann\n\nhello", sender="ann@example.org", recipients=["orders@x"])
    house.close()
    again = desk.open_house(house.store.path, house.titles, clock=lambda: NOON)
    [mail] = inbox.waiting(again)
    assert (mail.raw, mail.received_at) == (b"From: ann\n\nhello", NOON)
    assert mail.envelope == {"sender": "ann@example.org", "recipients": ["orders@x"]}


def test_mails_come_out_in_the_order_they_came_until_they_are_marked(house: House) -> None:
    ids = [inbox.receive(house, text) for text in (b"1", b"2", b"3")]
    with house.store.transaction() as transaction:
        inbox.mark(transaction, ids[1], inbox.DROPPED, "a machine")
    assert [mail.id for mail in inbox.waiting(house)] == [ids[0], ids[2]]
    dropped = inbox.get(house, ids[1])
    assert dropped is not None and (dropped.state, dropped.why) == (inbox.DROPPED, "a machine")


def test_a_mail_is_repeated_only_by_the_same_account_id_and_content(house: House) -> None:
    first, second = inbox.receive(house, b"1"), inbox.receive(house, b"1")
    with house.store.transaction() as transaction:
        inbox.mark(transaction, first, inbox.APPLIED, account="ann", message_id="<1@x>", digest="d")
    assert inbox.is_repeated(house, second, "ann", "<1@x>", "d")
    assert not inbox.is_repeated(house, second, "bob", "<1@x>", "d")
    assert not inbox.is_repeated(house, second, "ann", "<2@x>", "d")
    assert not inbox.is_repeated(house, second, "ann", "<1@x>", "e")
    assert not inbox.is_repeated(house, first, "ann", "<1@x>", "d"), "it is not its own repetition"
