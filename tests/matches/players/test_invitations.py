"""An invitation is offered to an address, accepted once, and never visible to others."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.playing import NOON
from support.toy import AmbushTitle

from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Refusal
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.export import export
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.players import invitations
from pbem.matches.post import outbox, reply_tokens
from pbem.matches.server import Server


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)


@pytest.fixture
def match(server: Server) -> str:
    return creating.new_match(server, "ambush", "tiny")


def test_an_invitation_is_owed_by_mail_and_opens_no_account(server: Server, match: str) -> None:
    offered = invitations.invite(server, match, "red", "Ann <ann@example.org>")
    assert (offered.seat, offered.address, offered.state) == ("red", "ann@example.org", "open")
    assert [owed.kind for owed in outbox.waiting(server)] == ["invitation"]
    assert accounts.by_address(server, "ann@example.org") is None


def test_accepting_takes_the_seat_once(server: Server, match: str) -> None:
    offered = invitations.invite(server, match, "red", "ann@example.org")
    first = invitations.accept(server, offered.token, "Ann")
    assert first == invitations.accept(server, offered.token)
    assert views.status(server, match).seats == {"red": "Ann", "blue": ""}
    assert invitations.read(server, offered.token).state == "accepted"


def test_the_last_acceptance_starts_the_match_and_owes_every_form(server: Server, match: str) -> None:
    for seat, name in (("red", "ann"), ("blue", "bob")):
        invitations.accept(server, invitations.invite(server, match, seat, f"{name}@example.org").token)
    assert views.status(server, match).state == "open"
    assert sorted(owed.seat for owed in outbox.waiting(server) if owed.kind == "orders") == ["blue", "red"]


def test_of_two_invited_to_one_seat_the_first_gets_it(server: Server, match: str) -> None:
    ann, bob = (invitations.invite(server, match, "red", f"{name}@example.org") for name in ("ann", "bob"))
    invitations.accept(server, bob.token)
    with pytest.raises(Refusal, match="taken"):
        invitations.accept(server, ann.token)


def test_a_declined_invitation_cannot_be_accepted(server: Server, match: str) -> None:
    offered = invitations.invite(server, match, "red", "ann@example.org")
    assert invitations.decline(server, offered.token).state == "declined"
    with pytest.raises(Refusal, match="declined"):
        invitations.accept(server, offered.token)


def test_only_free_seats_that_exist_can_be_offered(server: Server, match: str) -> None:
    with pytest.raises(Refusal, match="no seat has that name"):
        invitations.invite(server, match, "green", "ann@example.org")
    invitations.accept(server, invitations.invite(server, match, "red", "ann@example.org").token)
    with pytest.raises(Refusal, match="taken"):
        invitations.invite(server, match, "red", "bob@example.org")


def test_a_token_of_another_use_accepts_nothing(server: Server, match: str) -> None:
    with pytest.raises(reply_tokens.NotValid):
        invitations.accept(server, reply_tokens.make(server, use="orders", match=match, number=1, seat="red"))
    with pytest.raises(reply_tokens.NotValid):
        invitations.accept(server, reply_tokens.make(server, use="invitation", match=match, number=9, seat="red"))


def test_no_export_shows_an_address_not_even_after_the_end(server: Server, match: str) -> None:
    offered = invitations.invite(server, match, "red", "ann@example.org")
    invitations.accept(server, offered.token)
    take_seat(server, match, "blue", accounts.open_bot(server, "random").id)
    [ann] = [accounts.by_address(server, "ann@example.org")]
    assert ann is not None
    while not record_of(server, match).ended:
        form = views.open_form(server, match, "red")
        submitting.submit(server, match, "red", form.exchange, "", by=ann.id, final=True, source="web")
    event = next(event for event in record_of(server, match).events if event.type == "seat.invited")
    for viewer in ("red", "blue", "public", MASTER):
        content = export(server, match, viewer).decode()
        assert f'"part":{{"commitment":"{event.parts[0].commitment}"' not in content
