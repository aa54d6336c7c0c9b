"""A campaign by email alone: a briefing, forms for each stage and its battles, and a report on every stage."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path
from typing import TypeAlias

import pytest
from support.clash import ClashTitle, map_file, tree_file
from support.front import HOUR, Front
from support.hosts.ports import free_port
from support.postbox import Pile, text_of

from pbem.campaigns import tick as campaigns
from pbem.mail.inbound.handle import drain
from pbem.mail.inbound.listeners import SmtpListener
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.exchange.seats import leave_seat, take_seat
from pbem.matches.history.replay import record_of
from pbem.titles.registry import TITLES

CHIEFS = {
    "toy": ("red", "blue"),
    "battlegroup": ("german", "soviet"),
    "river": ("british", "german", "british2", "german2"),
    "front": ("german", "soviet", *(f"{side}{n}" for side in ("german", "soviet") for n in (1, 2, 3))),
}
"""The seats of both chiefs, and those that stay empty."""
ANN, BOB = "ann@example.org", "bob@example.org"
SETTINGS = Settings(domain="pbem.test")


class Correspondence:
    """Two people who play a toy or packaged campaign by real email over SMTP."""

    def __init__(self, folder: Path, file: str = "", campaign: str = "battlegroup") -> None:
        titles = {"clash": ClashTitle()} if file else TITLES
        self.front = Front(folder, titles)
        self.port = free_port()
        self.listener = SmtpListener(self.front.server, SETTINGS, port=self.port)
        self.listener.start()
        self.sent: list[EmailMessage] = []
        self.answered = 0
        self.people = {mail: accounts.open_account(self.front.server, mail).id for mail in (ANN, BOB)}
        empty = dict.fromkeys(CHIEFS["toy" if file else campaign][2:], "")
        one, other = CHIEFS["toy" if file else campaign][:2]
        seats = {one: self.people[ANN], other: self.people[BOB], **empty}
        self.front.open(campaign, seats, options={"file": file} if file else {}, cadence=72)

    def post(self) -> list[EmailMessage]:
        """Let the server work and send its email; return the new emails."""
        before = len(self.sent)
        self.front.now += 1000
        server, now = self.front.server, self.front.now
        drain(server, SETTINGS, now)
        tick.tick(server, now)
        campaigns.tick(server, now)
        tick.tick(server, now)
        while send_due(server, SETTINGS, Pile(self.sent), now):
            pass
        return self.sent[before:]

    def answer(self, mail: EmailMessage) -> None:
        """Send the form in an email back unchanged, with orders final."""
        shown = text_of(mail).partition("send them back:")[2].partition("Reply to this email")[0]
        form = re.findall(r"^    (.*)$", shown, re.MULTILINE)
        if form:
            self.reply(mail, "\n".join([*form, "final"]))

    def reply(self, mail: EmailMessage, text: str) -> None:
        """Reply to an email through the SMTP listener."""
        self.answered += 1
        reply = EmailMessage()
        reply["From"], reply["To"] = mail["To"], mail["Reply-To"]
        reply["Subject"], reply["Message-ID"] = f"Re: {mail['Subject']}", f"<{self.answered}@example.org>"
        reply.set_content(text)
        with smtplib.SMTP("127.0.0.1", self.port) as client:
            client.send_message(reply, from_addr=parseaddr(str(mail["To"]))[1])

    def last(self, address: str, subject: str) -> EmailMessage:
        """Return the newest email to an address whose subject contains these words."""
        return [mail for mail in self.sent if address in str(mail["To"]) and subject in str(mail["Subject"])][-1]


Begin: TypeAlias = Callable[..., Correspondence]


@pytest.fixture
def correspondence(tmp_path: Path) -> Iterator[Begin]:
    """Return a function that begins a campaign by email; its SMTP listener is stopped afterwards."""
    begun = list[Correspondence]()

    def begin(file: str = "", **more: str) -> Correspondence:
        begun.append(Correspondence(tmp_path, file, **more))
        return begun[-1]

    yield begin
    for play in begun:
        play.listener.stop()


STAGES = {
    "battlegroup": ("send g101 g102 g103\nbuy 1 pz3j_lang", "send all", "Meeting at Krutoy Log"),
    "river": ("attack\nsend all\nbuy 1 british-458", "send all", "Across the fields"),
    "front": ("move north to ford", "move first to ford", "The ford"),
}
"""The orders of both chiefs for the first stage, and where they fight."""


@pytest.mark.parametrize("name", sorted(STAGES))
def test_a_stage_of_each_campaign_by_mail_alone(correspondence: Begin, name: str) -> None:
    """One stage of each campaign can be played by email alone: its orders, its battle to the end, and the
    chronicle."""
    play = correspondence(campaign=name)
    one, other, place = STAGES[name]
    play.post()
    for address, text in ((ANN, one), (BOB, other)):
        play.reply(play.last(address, "The front"), f"{text}\nfinal")
    play.post()
    battle = f"The front: {place}"
    [match] = play.front.battles()
    for _ in range(2):  # both set up, and give their first orders, as the emails suggest
        for address in (ANN, BOB):
            play.answer(play.last(address, battle))
        play.post()
    assert record_of(play.front.server, match).last >= 1
    play.reply(play.last(BOB, battle), "concede")
    play.post()
    play.front.now += 25 * HOUR
    play.post()
    story = " ".join(text_of(play.last(ANN, "The front")).split())
    assert f"won battle 1, {place}" in story and "conceded" in story
    assert "Campaign points:" in story
    of_campaign = [mail for mail in play.sent if str(mail["Subject"]).startswith("The front, ")]
    told = [f"{mail['Subject']} {text_of(mail)}" for mail in of_campaign]
    assert told and not [line for text in told for line in text.splitlines() if re.search(r"\b[Tt]urn\b", line)]
    enemy = play.front.position.rules.data.sides[CHIEFS[name][1]].letter
    assert not re.search(rf"\({enemy}\d+\)", story)


def test_a_campaign_can_be_played_by_mail_alone(correspondence: Begin) -> None:
    play = correspondence(tree_file(2))
    for _ in range(30):
        for mail in play.post():
            play.answer(mail)
        if play.front.record.ended:
            break
    play.post()
    assert play.front.record.ended is not None and len(play.front.battles()) == 2
    mine = [mail for mail in play.sent if ANN in str(mail["To"])]
    told = [
        text_of(mail) for mail in mine if "report" in str(mail["Subject"]) and "The front" in str(mail["Subject"])
    ]
    story = " ".join("\n".join(told).split())
    assert "Tank 101 (r101)" in story and "Income for the Red side" in story and "Campaign points:" in story
    assert not [line for mail in mine for line in text_of(mail).splitlines() if "Tank 101 (b101)" in line]


def test_the_form_of_a_stage_fits_a_phone(correspondence: Begin) -> None:
    play = correspondence()
    [first] = [mail for mail in play.post() if ANN in str(mail["To"])][:1]
    shown = text_of(first).partition("send them back:")[2].partition("Reply to this email")[0]
    form = re.findall(r"^    (.*)$", shown, re.MULTILINE)
    assert max(map(len, form)) <= 50 and any(line.startswith("send g101") for line in form)


def test_a_newcomer_gets_the_story_of_the_side(correspondence: Begin) -> None:
    play = correspondence(map_file(6))
    for _ in range(4):
        for mail in play.post():
            play.answer(mail)
    leave_seat(play.front.server, play.front.id, "red", "a new job")
    eve = accounts.open_account(play.front.server, "eve@example.org").id
    take_seat(play.front.server, play.front.id, "red", eve)
    [briefing] = [mail for mail in play.post() if "eve@" in str(mail["To"]) and "The front" in str(mail["Subject"])][
        :1
    ]
    said = text_of(briefing)
    assert "your seat is now Red" in str(briefing["Subject"]) and "command the whole side." in said
    assert "Stage 2 begins" in said or "r1" in said
