"""Invitations: offered to an address, accepted once, never visible to others."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import NOON
from toy import AmbushTitle

from pbem.engine.findings import MASTER
from pbem.engine.refusals import Refusal
from pbem.matches import accounts, acts, desk, invitations, outbox, tokens
from pbem.matches.export import export
from pbem.matches.house import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    return desk.open_house(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)


@pytest.fixture
def match(house: House) -> str:
    return desk.new_match(house, "ambush", "tiny")


def test_an_invitation_is_owed_by_mail_and_opens_no_account(house: House, match: str) -> None:
    offered = invitations.invite(house, match, "red", "Ann <ann@example.org>")
    assert (offered.seat, offered.address, offered.state) == ("red", "ann@example.org", "open")
    assert [owed.kind for owed in outbox.waiting(house)] == ["invitation"]
    assert accounts.by_address(house, "ann@example.org") is None


def test_accepting_takes_the_seat_once(house: House, match: str) -> None:
    offered = invitations.invite(house, match, "red", "ann@example.org")
    first = invitations.accept(house, offered.token, "Ann")
    assert first == invitations.accept(house, offered.token)
    assert desk.status(house, match).seats == {"red": "Ann", "blue": ""}
    assert invitations.read(house, offered.token).state == "accepted"


def test_the_last_acceptance_starts_the_match_and_owes_every_form(house: House, match: str) -> None:
    for seat, name in (("red", "ann"), ("blue", "bob")):
        invitations.accept(house, invitations.invite(house, match, seat, f"{name}@example.org").token)
    assert desk.status(house, match).state == "open"
    assert sorted(owed.seat for owed in outbox.waiting(house) if owed.kind == "orders") == ["blue", "red"]


def test_of_two_invited_to_one_seat_the_first_gets_it(house: House, match: str) -> None:
    ann, bob = (invitations.invite(house, match, "red", f"{name}@example.org") for name in ("ann", "bob"))
    invitations.accept(house, bob.token)
    with pytest.raises(Refusal, match="taken"):
        invitations.accept(house, ann.token)


def test_a_declined_invitation_cannot_be_accepted(house: House, match: str) -> None:
    offered = invitations.invite(house, match, "red", "ann@example.org")
    assert invitations.decline(house, offered.token).state == "declined"
    with pytest.raises(Refusal, match="declined"):
        invitations.accept(house, offered.token)


def test_only_free_seats_that_exist_can_be_offered(house: House, match: str) -> None:
    with pytest.raises(Refusal, match="no such seat"):
        invitations.invite(house, match, "green", "ann@example.org")
    invitations.accept(house, invitations.invite(house, match, "red", "ann@example.org").token)
    with pytest.raises(Refusal, match="taken"):
        invitations.invite(house, match, "red", "bob@example.org")


def test_a_token_of_another_use_accepts_nothing(house: House, match: str) -> None:
    with pytest.raises(tokens.NotValid):
        invitations.accept(house, tokens.make(house, use="orders", match=match, number=1, seat="red"))
    with pytest.raises(tokens.NotValid):
        invitations.accept(house, tokens.make(house, use="invitation", match=match, number=9, seat="red"))


def test_no_export_shows_an_address_not_even_after_the_end(house: House, match: str) -> None:
    offered = invitations.invite(house, match, "red", "ann@example.org")
    invitations.accept(house, offered.token)
    desk.take_seat(house, match, "blue", accounts.open_bot(house, "random").id)
    [ann] = [accounts.by_address(house, "ann@example.org")]
    assert ann is not None
    while not acts.read(house, match).ended:
        form = desk.open_form(house, match, "red")
        desk.submit(house, match, "red", form.exchange, "", by=ann.id, final=True, source="web")
    event = next(event for event in acts.read(house, match).events if event.type == "seat.invited")
    for viewer in ("red", "blue", "public", MASTER):
        content = export(house, match, viewer).decode()
        assert f'"part":{{"commitment":"{event.parts[0].commitment}"' not in content
