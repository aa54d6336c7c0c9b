"""The page on how to write orders shows the same text that `help` sends by email."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from support.postbox import Pile, text_of

from pbem.engine.text.grammar import lines
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.players.requests import CARRYING
from pbem.matches.post import outbox
from pbem.titles.registry import TITLES
from pbem.web import create_app

GAMES = [("panzer", "duel"), ("panzer", "desert"), ("tanks", "crossroads")]


def page_text(answer):
    return html.unescape(re.search(r'<pre class="mail">(.*?)</pre>', answer.text, re.DOTALL)[1]).strip()


def test_the_general_page_names_every_word(nobody):
    told = page_text(nobody.get("/help"))
    assert all(f"- {word}" in told for word in CARRYING)
    assert "Orders in this match" not in told


@pytest.mark.parametrize(("title", "scenario"), GAMES)
def test_help_mails_the_page_of_the_match(tmp_path: Path, title: str, scenario: str) -> None:
    server = open_server(tmp_path / "pbem.db", TITLES)
    match = creating.new_match(server, title, scenario)
    first, *others = record_of(server, match).seats
    ann = accounts.open_account(server, "ann@example.org")
    take_seat(server, match, first, ann.id)
    for seat in others:
        take_seat(server, match, seat, accounts.open_bot(server, title).id)
    with server.store.transaction("help") as transaction:
        about = {"problem": ""}
        outbox.queue(transaction, "help", at=0, key="1", account=ann.id, match=match, seat=first, about=about)
    sent: list = []
    while send_due(server, Settings(), Pile(sent), server.store.clock()):
        pass
    [mailed] = [text_of(message) for message in sent if message["Subject"] == "How to play by email"]
    shown = page_text(create_app(server).test_client().get(f"/matches/{match}/help", base_url="https://localhost"))
    assert mailed.partition("\n\nYour seats:")[0].split() == shown.split()
    rules = server.rules(title, record_of(server, match).created.blobs)
    assert str(rules.help()).split()[0] in shown and "when fired at" in shown
    for line in lines(str(rules.standing_orders())):
        clause = line.written.partition("     ")[0]
        assert rules.check_doctrine([clause]), "what the page shows can be sent"
        assert len(line.written) <= 40, "a phone shows it"
    server.close()
