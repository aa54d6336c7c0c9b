"""In replies to real emails of every title only the new lines are read, whatever the mail program does to the
quotation."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from email.message import EmailMessage
from functools import cache
from unittest.mock import patch

import pytest
from support.postbox import Pile, text_of

from pbem.mail.inbound.message import read_letter
from pbem.mail.outbound.compose import send_due
from pbem.mail.settings import Settings
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.post.inbox import WAITING, Inbound
from pbem.titles.registry import TITLES

ANN, SETTINGS = "ann@example.org", Settings(domain="pbem.test")
ORDERS = "ge1 fire br3\nge2 hold\nfinal"
GAMES = {"panzer": "duel", "panzer, advanced": "desert", "tanks": "crossroads"}
WHEN = "Monday, November 16, 2026 10:50 AM"


@cache
def mails_of(game: str, folder: str) -> tuple[EmailMessage, ...]:
    """Return the first emails to a player of this game: forms, a receipt, a refusal, a report and help."""
    title = game.partition(",")[0]
    server = open_server(f"{folder}/{game}.db", TITLES)
    match = creating.new_match(server, title, GAMES[game], cadence=48)
    first, *others = record_of(server, match).seats
    ann = accounts.open_account(server, ANN)
    take_seat(server, match, first, ann.id)
    for seat in others:
        take_seat(server, match, seat, accounts.open_bot(server, title).id)
    for _ in range(3):
        form = views.open_form(server, match, first)
        submitting.take(server, match, first, form.exchange, f"{form.text}\nfinal", by=ann.id, source="mail")
        tick.tick(server, server.store.clock())
    sent: list[EmailMessage] = []
    with patch("pbem.mail.outbound.attachments.picture", return_value=None):  # drawing takes longest
        while send_due(server, SETTINGS, Pile(sent), server.store.clock()):
            pass
    server.close()
    return tuple(sent)


def body_of(mail: EmailMessage) -> str:
    found = re.search(r"<body[^>]*>(.*)</body>", mail.get_body(("html",)).get_content(), re.DOTALL)  # type: ignore[union-attr]
    assert found is not None
    return found[1]


def marked(mail: EmailMessage) -> str:
    return "\n".join(f"> {line}" for line in text_of(mail).splitlines())


def copied_header(mail: EmailMessage) -> str:
    return f"From: pbem <orders@pbem.test>\nSent: {WHEN}\nTo: {ANN}\nSubject: {mail['Subject']}\n"


def lines_as(tag: str) -> str:
    name = tag.partition(" ")[0]
    return "".join(f"<{tag}>{line}</{name}>" for line in ORDERS.splitlines())


WROTE = "On Mon, Nov 16, 2026 at 10:50 AM pbem <orders@pbem.test> wrote:"


def broken_at(mail: EmailMessage, width: int, mark: str) -> str:
    """Quote an email with its lines wrapped at a width, with or without a mark before the rest of each line."""
    quoted = [textwrap.fill(line, width, subsequent_indent=mark) for line in marked(mail).splitlines()]
    return "\n".join([ORDERS, "", WROTE, *quoted])


PLAIN: dict[str, Callable[[EmailMessage], str]] = {
    "Gmail": lambda mail: f"{ORDERS}\n\n{WROTE}\n\n{marked(mail)}",
    "Thunderbird, below": lambda mail: f"On 16/11/2026 10:50, pbem wrote:\n{marked(mail)}\n\n{ORDERS}\n",
    "Outlook": lambda mail: f"{ORDERS}\n\n-----Original Message-----\n{copied_header(mail)}\n{text_of(mail)}",
    "Outlook on the web": lambda mail: f"{ORDERS}\n\n{'_' * 32}\n{copied_header(mail)}\n{text_of(mail)}",
    "without a word": lambda mail: f"{ORDERS}\n\n{marked(mail)}",
    "broken with marks": lambda mail: broken_at(mail, 72, "> "),
    "broken at 72": lambda mail: broken_at(mail, 72, ""),
    "broken at 76": lambda mail: broken_at(mail, 76, ""),
    "broken at 78": lambda mail: broken_at(mail, 78, ""),
}
HTML: dict[str, Callable[[EmailMessage], str]] = {
    "Gmail": lambda mail: (
        f'<div dir="ltr">{lines_as("div")}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        "On Mon, Nov 16, 2026 at 10:50 AM pbem &lt;orders@pbem.test&gt; wrote:<br></div>"
        f'<blockquote class="gmail_quote">{body_of(mail)}</blockquote></div>'
    ),
    "Outlook": lambda mail: (
        f"<div class=WordSection1>{lines_as('p class=MsoNormal')}<div><p class=MsoNormal><b>From:</b> pbem "
        f"&lt;orders@pbem.test&gt;<br><b>Sent:</b> {WHEN}<br><b>To:</b> {ANN}<br><b>Subject:</b> x</p></div>"
        f"{body_of(mail)}</div>"
    ),
    "iPhone": lambda mail: (
        f'<body dir="auto">{lines_as("div")}<br><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br>'
        '<blockquote type="cite">On 16 Nov 2026, at 10:50, pbem &lt;orders@pbem.test&gt; wrote:</blockquote></div>'
        f'<blockquote type="cite"><div dir="ltr">{body_of(mail)}</div></blockquote></body>'
    ),
}
WAYS = [(kind, way) for kind, ways in (("plain", PLAIN), ("html", HTML)) for way in ways]


@pytest.mark.parametrize(("kind", "way"), WAYS)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_only_the_new_lines_count(game: str, kind: str, way: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    mails = mails_of(game, str(tmp_path_factory.getbasetemp()))
    assert len(mails) >= 4
    for mail in mails:
        reply = EmailMessage()
        reply["From"], reply["To"], reply["Message-ID"] = ANN, mail["Reply-To"], "<1@example.org>"
        reply.set_content({"plain": PLAIN, "html": HTML}[kind][way](mail), subtype=kind)
        envelope = {"sender": ANN, "recipients": []}
        letter = read_letter(Inbound(1, "", "", "", "", "", 0, 0, envelope, bytes(reply), WAITING, "", {}), SETTINGS)
        found = [line for line in letter.text.splitlines() if line]
        assert found == ORDERS.splitlines() and not letter.beyond, mail["Subject"]
