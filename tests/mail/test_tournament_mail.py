"""Emails about tournaments: pairings, standings and messages, with the same signed head for everyone."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest
from support.hall import Hall

from pbem.mail.outbound.compose import compose
from pbem.mail.settings import Settings
from pbem.matches.post import outbox
from pbem.tournaments import director


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    hall = Hall(tmp_path)
    hall.open(3, rounds=2)
    hall.round()
    return hall


def mails(hall: Hall, kind: str) -> list[EmailMessage]:
    owed = [owed for owed in outbox.waiting(hall.server) if owed.kind == kind]
    found = [compose(hall.server, Settings(), one) for one in owed]
    return [mail for mail in found if mail is not None]


def text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def test_a_started_round_tells_everybody_opponent_side_match_and_deadline(hall: Hall) -> None:
    found = {str(mail["To"]): text(mail) for mail in mails(hall, "tournament-round")}

    assert len(found) == 3
    playing = [body for body in found.values() if "you play P" in body]
    assert len(playing) == 2
    assert all("/matches/" in body and "The round ends on" in body for body in playing)
    assert "You do not play in round 1: bye." in found["p3@example.org"]
    signatures = {line for body in found.values() for line in body.splitlines() if "signature" in line}
    assert len(signatures) == 1


def test_a_closed_round_sends_standings_with_the_readers_own_sums(hall: Hall) -> None:
    hall.finish_round()
    hall.close()
    found = {str(mail["To"]): text(mail) for mail in mails(hall, "tournament-standings")}

    assert "Your place: 1 of 3." in found["p3@example.org"] or "Your place: 2 of 3." in found["p3@example.org"]
    assert all("Points: " in body and "=" in body for body in found.values())


def test_messages_and_reminders_reach_those_they_are_for(hall: Hall) -> None:
    director.message(hall.server, hall.id, "Round 2 starts on Monday.", by=hall.max)
    director.remind(hall.server, hall.id, [1], by=hall.max)

    assert len(mails(hall, "tournament-message")) == 3
    assert "Round 2 starts on Monday." in text(mails(hall, "tournament-message")[0])
    reminded = mails(hall, "tournament-reminder")
    assert len(reminded) == 2
    assert "has no result yet" in text(reminded[0])


def test_no_mail_names_anothers_address(hall: Hall) -> None:
    for mail in mails(hall, "tournament-round"):
        assert "@example.org" not in text(mail)
