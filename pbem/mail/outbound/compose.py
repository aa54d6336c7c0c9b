"""Compose outgoing email. An email is composed when it is sent, from stored findings and the reader's view.

The wording is in `templates/mail/<kind>.txt`, whose first line is the subject; the HTML form is made from the same
text, so that both say the same. All emails about a match are in one thread.
"""

from __future__ import annotations

import logging
import re
import smtplib
import time
from collections.abc import Callable, Container
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, formataddr, parseaddr

from pbem.engine.rules.refusals import Refusal
from pbem.engine.text.messages import ENGLISH
from pbem.mail import judge_replies, master_replies
from pbem.mail.inbound.bounces import Returned, handle_bounce
from pbem.mail.outbound import throttle, tournaments
from pbem.mail.outbound.attachments import attach, is_long, rules_of
from pbem.mail.outbound.drafts import Draft
from pbem.mail.outbound.headers import POLICY
from pbem.mail.outbound.readers import (
    account_facts,
    address_facts,
    alert_facts,
    confirm_facts,
    digest_facts,
    help_facts,
    invitation_facts,
    notice_facts,
    outage_facts,
    press_report_facts,
    returned_facts,
    sign_in_facts,
)
from pbem.mail.outbound.seats import (
    dispute_facts,
    first_facts,
    history_facts,
    map_facts,
    missed_facts,
    press_facts,
    receipt_facts,
    report_facts,
    seat_facts,
    status_facts,
    story_facts,
    trial_facts,
)
from pbem.mail.outbound.transports import Transport
from pbem.mail.outbound.turn_mail import LEAST_STORY, Teller, TurnMail, fitting, is_beyond
from pbem.mail.outbound.wording import blocks, environment, templates
from pbem.mail.settings import Settings
from pbem.matches import summaries
from pbem.matches.accounts import accounts, preferences
from pbem.matches.clock import outages
from pbem.matches.clock.deadlines import SECOND, timing_of
from pbem.matches.history.replay import record_of
from pbem.matches.languages import translator_for
from pbem.matches.post import inbox, outbox, reply_tokens
from pbem.matches.post.notifications import is_wanted
from pbem.matches.post.outbox import Owed
from pbem.matches.server import Server

__all__ = ["KINDS", "blocks", "compose", "environment", "send_due", "templates"]


log = logging.getLogger("pbem.mail")

MOST_MAILS = 20

MOST_SECONDS = 20
"""A tick sends at most `MOST_MAILS` emails and starts none after this many seconds: a slow host must not stall it."""

ANSWERED_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>")
"""A Message-ID that is safe to put into our headers; some mail programs write malformed ones."""


UNASKED = (
    *("orders", "report", "missed", "reminder", "over", "ended", "ruling", "dispute", "press", "offer"),
    *("extension", "pause", "resumed", "outage", "closed", "joined", "left", "returned", "digest"),
    *(kind for kind in tournaments.KINDS if kind != "tournament-answer"),
)
"""The kinds of email that a muted account does not get."""

DIGESTED = ("orders", "report", "outage")
"""The kinds of email that an account may choose to get in a daily digest. Reminders and rulings do not wait."""


def send_due(
    server: Server,
    settings: Settings,
    transport: Transport,
    now: int,
    mine: Callable[[list[str]], Container[str]] = lambda ids: ids,
) -> int:
    """Send the queued emails, oldest first; return how many were sent. If the host fails, the rest wait.

    Where several processes send email, `mine` claims emails for this process and returns those that it got.
    """
    due = outbox.due(server, now, MOST_MAILS)
    if not due:
        return 0
    count, until = 0, time.monotonic() + MOST_SECONDS
    ours, lately = mine([owed.id for owed in due]), throttle.sent_lately(server, now)
    for owed in due:
        if time.monotonic() > until:
            break
        if owed.id not in ours:
            continue
        if why := throttle.reason_to_wait(server, settings, owed, now, lately + count):
            throttle.hold_back(server, owed, now, why)
            continue
        try:
            message = compose(server, settings, owed)
        except Refusal as refusal:
            outbox.give_up(server, owed.id, f"{outbox.OVERTAKEN}: {refusal}")
            continue
        except Exception as problem:
            log.exception("mail %s (%s) could not be written", owed.id, owed.kind)
            outbox.put_off(server, owed, now, f"{type(problem).__name__}: {problem}")
            continue
        if message is None:
            outbox.give_up(server, owed.id, outbox.UNWANTED)
            continue
        to = parseaddr(str(message["To"]))[1]
        if why := throttle.reason_for_address(server, settings, to, now):
            throttle.hold_back(server, owed, now, why)
            continue
        try:
            transport.send(message)
        except smtplib.SMTPRecipientsRefused as problem:
            [(code, said)] = problem.recipients.values()
            handle_refusal(server, owed, message, now, code, said.decode("utf-8", "replace"))
            continue
        except smtplib.SMTPDataError as problem:
            outbox.put_off(server, owed, now, f"{type(problem).__name__}: {problem}")
            continue  # the error concerns this email alone
        except (OSError, smtplib.SMTPException) as problem:
            log.warning("mail %s could not be sent: %s", owed.id, problem)
            outbox.put_off(server, owed, now, f"{type(problem).__name__}: {problem}")
            break
        # A crash here sends this one email again, under the same Message-ID.
        outbox.mark_sent(server, owed.id, now, plain_body(message), throttle.name_of(server, to))
        count += 1
    return count


def plain_body(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    return "" if body is None else str(body.get_content())


def handle_refusal(server: Server, owed: Owed, message: EmailMessage, now: int, code: int, said: str) -> None:
    """Handle the host's refusal of an address: permanent, which is treated like a bounce, or temporary."""
    why = f"{code} {said}"
    if code < 500:
        outbox.put_off(server, owed, now, why)
        return
    outbox.give_up(server, owed.id, why)
    summaries.catch_up(server)
    with server.store.transaction("returned") as transaction:
        token = (message["Return-Path"] or "").partition("returned-")[2].partition("@")[0]
        handle_bounce(server, transaction, Returned([token], str(message["To"]).lower(), why), now)


def compose(server: Server, settings: Settings, owed: Owed) -> EmailMessage | None:
    """Compose the email of an outbox row; None if it no longer has a reader.

    Before the deadlines are read, they are extended for every outage.
    """
    summaries.catch_up(server)
    for match, _ in [(owed.match, owed.seat)] if owed.match else summaries.seats_now(server, owed.account):
        outages.settle(server, match)
    with server.one_look():
        return _compose(server, settings, owed)


def _compose(server: Server, settings: Settings, owed: Owed) -> EmailMessage | None:
    about = {"owed": owed, "settings": settings, "server": server, "translator": ENGLISH, **owed.about}
    draft = Draft(server, settings, owed, "", about)
    if owed.account:
        reader = accounts.account(server, owed.account)
        if not reader.addresses or (reader.muted and owed.kind in UNASKED) or not is_wanted(server, owed):
            return None
        draft.to = address_of(server, reader)
        wanted = preferences.profile(server, reader.id)
        draft.facts |= {
            "reader": reader,
            "zone": zone_of(server, owed),
            "translator": translator_for(wanted.language),
        }
        if owed.kind in DIGESTED and wanted.mails == "digest":
            preferences.owe_digest(server, reader.id, owed.queued_at, wanted)
            return None
    KINDS[owed.kind](draft)
    if owed.kind == "report" and draft.facts["form"] is None and preferences.only_mine(server, owed.account):
        return None
    draft.token = draft.token or master_token(draft)
    draft.facts["token"] = draft.token
    return write(draft)


def master_token(draft: Draft) -> str:
    """Return the reply token that lets a game master or judge act, decide or vote by reply; empty for others."""
    owed = draft.owed
    if number := owed.about.get("judge"):
        return judge_replies.token_for(draft.server, owed.match, number, owed.account)
    if not owed.match or owed.seat or owed.account != record_of(draft.server, owed.match).created.master:
        return ""
    return master_replies.token_for(draft.server, owed.match)


def zone_of(server: Server, owed: Owed) -> str:
    """Return the reader's time zone, or that of the match if the reader has not set one."""
    agreed = timing_of(record_of(server, owed.match)).zone if owed.match else "UTC"
    return preferences.zone_for(server, owed.account, agreed)


def address_of(server: Server, reader: accounts.Account) -> str:
    """Return the first of the reader's addresses that does not bounce."""
    returning = {marked.address for marked in inbox.returning(server, reader.id)}
    return next((address for address in reader.addresses if address not in returning), reader.addresses[0])


def write(draft: Draft) -> EmailMessage:
    """Write the email: headers, plain text, and the same text as HTML with the picture."""
    text = text_of(draft)
    subject, _, body = text.strip().partition("\n")
    message = EmailMessage(policy=POLICY)
    set_headers(draft, message, " ".join(subject.removeprefix("Subject:").split()))
    body = without_gaps(body).strip() + "\n"
    message.set_content(body)
    cid = f"map.{draft.owed.id}@{draft.settings.domain}"
    html = (
        environment()
        .get_template("layout.html")
        .render(
            subject=message["Subject"],
            blocks=blocks(body),
            picture=f"cid:{cid}" if draft.picture else "",
            seat=draft.owed.seat,
            server=draft.server,
            translator=draft.facts["translator"],
        )
    )
    message.add_alternative(html, subtype="html")
    if draft.picture:
        shown = message.get_payload()[1]  # type: ignore[index]
        shown.add_related(draft.picture, "image", "png", cid=f"<{cid}>", filename="map.png", disposition="inline")  # type: ignore[union-attr]
    attach(draft, message)
    return message


def without_gaps(text: str) -> str:
    """Return a text with at most one empty line between two others."""
    return re.sub(r"\n{3,}", "\n\n", text)


def text_of(draft: Draft) -> str:
    """Return subject and body; a turn is reported as fully as the limits of an email allow."""
    template = environment().get_template(f"{draft.owed.kind}.txt")
    form = draft.facts.get("form")
    facts = {**draft.facts, "turn": None, "form_attached": form is not None and is_long(form), "short": False}
    if draft.film is None:
        text = template.render(facts)
        if is_beyond(text) and draft.owed.kind == "orders":
            facts["short"] = True  # leaves out the events before the first form, which are on the page
            text = template.render(facts)
        if is_beyond(text) and form is not None and draft.owed.kind in {"orders", "refused"}:
            facts["form_attached"] = draft.facts["form_attached"] = True
            text = template.render(facts)
        return text

    def rendered(turn: TurnMail) -> str:
        draft.facts["turn"] = turn
        return without_gaps(template.render({**facts, "turn": turn}))

    is_inline = form is not None and not facts["form_attached"]
    teller = Teller(draft.film, rules_of(draft), draft.facts["translator"])
    text = fitting(teller, rendered, LEAST_STORY if is_inline else 0)
    if is_inline and is_beyond(text):  # the story comes before the form
        facts["form_attached"] = draft.facts["form_attached"] = True
        text = fitting(teller, rendered)
    return text


def set_headers(draft: Draft, message: EmailMessage, subject: str) -> None:
    settings, owed = draft.settings, draft.owed
    said = ANSWERED_ID.match(owed.about.get("message_id", ""))
    answered = "" if said is None else said[0]
    message["From"] = formataddr((settings.name, settings.address()))
    message["To"] = draft.to
    message["Subject"] = subject
    message["Date"] = format_datetime(datetime.fromtimestamp(owed.queued_at // SECOND, UTC))
    message["Message-ID"] = f"<{owed.id}@{settings.domain}>"
    message["Auto-Submitted"] = "auto-replied" if "message_id" in owed.about else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message["Reply-To"] = settings.address(draft.token)
    stop = reply_tokens.make(draft.server, use="stop", account=owed.account) if owed.account else ""
    if stop or draft.token:
        message["Return-Path"] = f"<{settings.return_address(stop or draft.token)}>"  # the envelope's sender
    root = f"<match.{owed.match}@{settings.domain}>" if owed.match else ""
    if cup := owed.about.get("tournament"):
        root = f"<tournament.{cup}@{settings.domain}>"
    if answered or root:
        message["In-Reply-To"] = answered or root
        message["References"] = " ".join(filter(None, (root, answered)))
    if stop:
        mailto = f"<mailto:{settings.address(stop)}?subject=unsubscribe>"
        message["List-Unsubscribe"] = f"{mailto}, <{settings.link(f'stop/{stop}')}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


KINDS: dict[str, Callable[[Draft], None]] = {
    "invitation": invitation_facts,
    "orders": first_facts,
    "report": report_facts,
    "over": report_facts,
    "ended": report_facts,
    "missed": missed_facts,
    "ruling": seat_facts,
    "dispute": dispute_facts,
    "press": press_facts,
    "offer": seat_facts,
    "extension": seat_facts,
    "pause": seat_facts,
    "closed": seat_facts,
    "resumed": story_facts,
    "joined": story_facts,
    "left": seat_facts,
    "outage": outage_facts,
    "history": history_facts,
    "map": map_facts,
    "trial": trial_facts,
    "reminder": seat_facts,
    "receipt": receipt_facts,
    "refused": seat_facts,
    "status": status_facts,
    "returned": returned_facts,
    "confirm": confirm_facts,
    "help": help_facts,
    "account": account_facts,
    "sign-in": sign_in_facts,
    "address": address_facts,
    "digest": digest_facts,
    "master-answer": returned_facts,
    "master-notice": notice_facts,
    "press-report": press_report_facts,
    "alert": alert_facts,
    **tournaments.KINDS,
}
