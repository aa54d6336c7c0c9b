"""The inbox keeps accepted email safe, returns it in order, and records its outcome."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.playing import NOON
from support.toy import AmbushTitle

from pbem.matches.installation import open_server
from pbem.matches.post import inbox
from pbem.matches.server import Server


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)


def test_a_kept_mail_survives_the_process(server: Server) -> None:
    inbox.receive(server, b"From: ann\n\nhello", sender="ann@example.org", recipients=["orders@x"])
    server.close()
    again = open_server(server.store.path, server.titles, clock=lambda: NOON)
    [mail] = inbox.waiting(again)
    assert (mail.raw, mail.received_at) == (b"From: ann\n\nhello", NOON)
    assert mail.envelope == {"sender": "ann@example.org", "recipients": ["orders@x"]}


def test_mails_come_out_in_the_order_they_came_until_they_are_marked(server: Server) -> None:
    ids = [inbox.receive(server, text) for text in (b"1", b"2", b"3")]
    with server.store.transaction() as transaction:
        inbox.mark(transaction, ids[1], inbox.DROPPED, "a machine")
    assert [mail.id for mail in inbox.waiting(server)] == [ids[0], ids[2]]
    dropped = inbox.get(server, ids[1])
    assert dropped is not None and (dropped.state, dropped.why) == (inbox.DROPPED, "a machine")


def test_a_mail_is_repeated_only_by_the_same_account_id_and_content(server: Server) -> None:
    first, second = inbox.receive(server, b"1"), inbox.receive(server, b"1")
    with server.store.transaction() as transaction:
        inbox.mark(transaction, first, inbox.APPLIED, account="ann", message_id="<1@x>", digest="d")
    assert inbox.is_repeated(server, second, "ann", "<1@x>", "d")
    assert not inbox.is_repeated(server, second, "bob", "<1@x>", "d")
    assert not inbox.is_repeated(server, second, "ann", "<2@x>", "d")
    assert not inbox.is_repeated(server, second, "ann", "<1@x>", "e")
    assert not inbox.is_repeated(server, first, "ann", "<1@x>", "d"), "it is not its own repetition"
