"""A campaign by mail alone: forms for the stage and for its battles, a report for every stage, a briefing."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path

from support.clash import ClashTitle, map_file, tree_file
from support.front import Front
from support.postbox import Pile, text_of

from pbem.campaigns import tick as campaigns
from pbem.mail.inbound.handle import drain
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.exchange.seats import leave_seat, take_seat
from pbem.matches.post import inbox
from pbem.titles.registry import TITLES

ANN, BOB = "ann@example.org", "bob@example.org"
SETTINGS = Settings(domain="pbem.test")


class Correspondence:
    """Two people who answer every form that they get, and do nothing else."""

    def __init__(self, folder: Path, file: str = "") -> None:
        titles = {"clash": ClashTitle()} if file else {"panzer": TITLES["panzer"]}
        self.front = Front(folder, titles)
        self.sent: list[EmailMessage] = []
        self.answered = 0
        self.people = {mail: accounts.open_account(self.front.server, mail).id for mail in (ANN, BOB)}
        one, other = ("red", "blue") if file else ("german", "soviet")
        seats = {one: self.people[ANN], other: self.people[BOB]}
        self.front.open("battlegroup", seats, options={"file": file} if file else {}, cadence=72)

    def post(self) -> list[EmailMessage]:
        """Let the server work and send; return what is new."""
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
        """Send the form of a mail back as it is, as final."""
        shown = text_of(mail).partition("send them back:")[2].partition("Reply to this email")[0]
        form = re.findall(r"^    (.*)$", shown, re.MULTILINE)
        if form:
            self.answered += 1
            reply = EmailMessage()
            reply["From"], reply["To"] = mail["To"], mail["Reply-To"]
            reply["Message-ID"] = f"<{self.answered}@example.org>"
            reply.set_content("\n".join([*form, "final"]))
            sender = str(mail["To"]).rpartition("<")[2].strip(">")
            inbox.receive(self.front.server, bytes(reply), sender=sender, recipients=[str(mail["Reply-To"])])


def test_a_campaign_can_be_played_by_mail_alone(tmp_path: Path) -> None:
    play = Correspondence(tmp_path, tree_file(2))
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


def test_the_form_of_a_stage_fits_a_phone(tmp_path: Path) -> None:
    play = Correspondence(tmp_path)
    [first] = [mail for mail in play.post() if ANN in str(mail["To"])][:1]
    shown = text_of(first).partition("send them back:")[2].partition("Reply to this email")[0]
    form = re.findall(r"^    (.*)$", shown, re.MULTILINE)
    assert max(map(len, form)) <= 50 and any(line.startswith("send g101") for line in form)


def test_a_newcomer_gets_the_story_of_the_side(tmp_path: Path) -> None:
    play = Correspondence(tmp_path, map_file(6))
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
    assert "you now play Red" in str(briefing["Subject"]) and "You command the whole side." in said
    assert "Stage 2 begins" in said or "r1" in said
