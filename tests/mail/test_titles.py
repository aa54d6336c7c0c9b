"""Every title can be played by email: its form can be sent back unchanged, and the receipt repeats it."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path

import pytest
from support.postbox import Pile, text_of

from pbem.mail.inbound.handle import drain
from pbem.mail.inbound.limits import MOST_BYTES
from pbem.mail.outbound.compose import send_due
from pbem.mail.outbound.turn_mail import MOST_LINES
from pbem.mail.settings import Settings
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating, sealing, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import load, record_of
from pbem.matches.installation import open_server
from pbem.matches.post import inbox
from pbem.titles.registry import TITLES
from pbem.tools.soak.matches import by_size

ANN, SETTINGS = "ann@example.org", Settings(domain="pbem.test")
UNBREAKABLE = re.compile(r"https?://\S+|\S+@\S+|[0-9a-f]{32,}|[a-z2-7]{36}")


@pytest.mark.parametrize("place", ["smallest", "second smallest"])
@pytest.mark.parametrize("title", sorted(TITLES))
def test_the_form_of_a_turn_mail_can_be_sent_back_as_it_is(tmp_path: Path, title: str, place: str) -> None:
    """The form in a turn email can be sent back unchanged, tested with the small scenarios of each title."""
    scenario = by_size(TITLES[title])[place != "smallest"]
    server = open_server(tmp_path / "pbem.db", TITLES)
    match = creating.new_match(server, title, scenario, cadence=48)
    first, *others = record_of(server, match).seats
    take_seat(server, match, first, accounts.open_account(server, ANN).id)
    for seat in others:
        take_seat(server, match, seat, accounts.open_bot(server, title).id)
    sent: list[EmailMessage] = []

    def post() -> EmailMessage:
        while send_due(server, SETTINGS, Pile(sent), server.store.clock()):
            pass
        return sent[-1]

    asked = post()
    shown = text_of(asked).partition("send them back:")[2].partition("Reply to this email")[0]
    form = re.findall(r"^    (.*)$", shown, re.MULTILINE)
    if not form:  # a long one comes as a file
        files = {part.get_filename(): part for part in asked.iter_attachments()}
        form = str(files["orders.txt"].get_content()).splitlines()
    assert form and max(map(len, form)) <= 50, "a phone shows its lines"
    assert all(len(word) <= 40 or UNBREAKABLE.fullmatch(word.strip("().,;")) for word in text_of(asked).split())
    assert len(bytes(asked)) < MOST_BYTES // 2, "a reply that quotes all of it, picture and all, is taken"
    reply = EmailMessage()
    reply["From"], reply["To"], reply["Message-ID"] = ANN, asked["Reply-To"], "<1@example.org>"
    reply.set_content("\n".join(form))
    inbox.receive(server, bytes(reply), sender=ANN, recipients=[str(asked["Reply-To"])])
    drain(server, SETTINGS, server.store.clock())
    receipt = text_of(post())
    mine = views.status(server, match, first).mine
    assert mine is not None and mine.sealed, receipt
    read = re.findall(r"^    (.*)$", receipt.partition("Keep this email")[0], re.MULTILINE)
    again = sealing.check_text(load(server, match), first, views.status(server, match).exchange, "\n".join(read))
    assert "We read them as" in receipt and again.answer is not None, "what the receipt says can be sent in its turn"
    reply.replace_header("Message-ID", "<2@example.org>")
    reply.set_content("frobnicate")
    inbox.receive(server, bytes(reply), sender=ANN, recipients=[str(asked["Reply-To"])])
    drain(server, SETTINGS, server.store.clock())
    refused = post()
    files = {part.get_filename(): part for part in refused.iter_attachments()}
    told = re.sub(r"\s+", " ", text_of(refused))
    assert "Nothing has changed" in told and len(text_of(refused).splitlines()) <= MOST_LINES
    assert (
        ("attached again as orders.txt" in told) == ("orders.txt" in files) == ("Here is the form again" not in told)
    )
    server.close()


def test_a_receipt_counts_the_units_of_a_formation_that_has_one_order(tmp_path: Path) -> None:
    server = open_server(tmp_path / "pbem.db", TITLES)
    match = creating.new_match(server, "panzer", "duel")
    ann = accounts.open_account(server, ANN).id
    take_seat(server, match, "german", ann)
    take_seat(server, match, "british", accounts.open_bot(server, "panzer").id)
    without = {}
    for said in ("company german overwatch", "ge1 overwatch"):
        exchange = record_of(server, match).open_exchange
        receipt = submitting.take(server, match, "german", exchange, said, by=ann, source="web").receipt
        assert receipt is not None
        without[said] = views.reading(server, match, receipt).without

    assert without == {"company german overwatch": [], "ge1 overwatch": ["ge2", "ge3", "ge4"]}


@pytest.mark.parametrize("said", ["done", "ge1 G9 face 2"])
def test_a_receipt_of_a_set_up_counts_no_unit_as_without_an_order(tmp_path: Path, said: str) -> None:
    """Units that no line names keep their places in the form."""
    server = open_server(tmp_path / "pbem.db", TITLES)
    match = creating.new_match(server, "panzer", "crossroads")
    ann = accounts.open_account(server, ANN).id
    take_seat(server, match, "german", ann)
    take_seat(server, match, "soviet", accounts.open_bot(server, "panzer").id)
    exchange = record_of(server, match).open_exchange
    receipt = submitting.take(server, match, "german", exchange, said, by=ann, source="web").receipt
    assert receipt is not None and views.reading(server, match, receipt).without == []
    server.close()


@pytest.mark.parametrize(("title", "scenario"), [("panzer", "duel"), ("nato", "leine"), ("aslsk", "first-light")])
def test_the_status_tells_how_the_match_stands(tmp_path: Path, title: str, scenario: str) -> None:
    """A player without the site asks for the status and reads where everything is."""
    server = open_server(tmp_path / "pbem.db", TITLES)
    match = creating.new_match(server, title, scenario)
    first, *others = record_of(server, match).seats
    take_seat(server, match, first, accounts.open_account(server, ANN).id)
    for seat in others:
        take_seat(server, match, seat, accounts.open_bot(server, title).id)
    sent: list[EmailMessage] = []
    while send_due(server, SETTINGS, Pile(sent), server.store.clock()):
        pass
    asked = sent[-1]
    reply = EmailMessage()
    reply["From"], reply["To"], reply["Message-ID"] = ANN, asked["Reply-To"], "<1@example.org>"
    reply.set_content("status")
    inbox.receive(server, bytes(reply), sender=ANN, recipients=[str(asked["Reply-To"])])
    drain(server, SETTINGS, server.store.clock())
    while send_due(server, SETTINGS, Pile(sent), server.store.clock()):
        pass
    told = text_of(sent[-1])
    assert "status" in sent[-1]["Subject"] and "POSITIONS" in told
    assert "units lost" in told or "all." in told or "lead" in told or "trail" in told
    assert len(told.splitlines()) <= MOST_LINES
    server.close()
