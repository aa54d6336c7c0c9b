"""What the server writes. A mail is composed when it is sent, from stored findings and the reader's view.

The wording is in `templates/mail/<kind>.txt`, whose first line is the subject; the HTML form is made from the same
text, so that both say the same. Every mail of a match stands in one thread.
"""

from __future__ import annotations

import io
import logging
import re
import smtplib
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, formataddr
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import msgspec
import resvg_py
from icalendar import Alarm, Calendar
from icalendar import Event as Entry
from markupsafe import Markup
from PIL import Image

from pbem.engine.play.resolve import ANSWERED
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Refusal
from pbem.mail import master_replies
from pbem.mail.inbound.bounces import Returned, came_back
from pbem.mail.outbound import tournaments
from pbem.mail.outbound.transports import Transport
from pbem.mail.settings import Settings
from pbem.matches import summaries, views
from pbem.matches.accounts import accounts, preferences
from pbem.matches.clock import absences, deadlines, stakes
from pbem.matches.clock.deadline_rules import agreed_in_words
from pbem.matches.clock.deadlines import HOUR, SECOND, Deadline, in_words, timing_of
from pbem.matches.exchange import advancing
from pbem.matches.exchange.ending import newest_head
from pbem.matches.history.receipts import SignedHead
from pbem.matches.history.replay import load, record_of
from pbem.matches.players import invitations, press, sizes, standing_orders
from pbem.matches.post import inbox, outbox, reply_tokens
from pbem.matches.post.notifications import is_wanted
from pbem.matches.post.outbox import Owed
from pbem.matches.rulings import disputes
from pbem.matches.server import Server
from pbem.matches.views import Form, Status, Told

log = logging.getLogger("pbem.mail")

MOST_MAILS = 20
MOST_SECONDS = 20
"""How many mails one tick sends, and how long it goes on beginning to: a slow host must not stop the clock."""

POLICY = policy.default.clone(max_line_length=300, cte_type="7bit")  # no host has to take eight bits
"""Long enough that the addresses in headers are not broken up."""

ANSWERED_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>")
"""A Message-ID that can stand in our header; people's programs write others too."""
ALARM_HOURS = 6
MOST_DETAILS = 150
"""Lines on how results came about that stand in a mail; more of them come as a file. Some programs cut long mails."""
PICTURE_WIDTH = 900
COLOURS = 64
MOST_TRIED = 40
"""Windows of a trial that a mail tells of."""
UNASKED = (
    *("orders", "report", "missed", "reminder", "over", "ended", "ruling", "dispute", "press", "offer"),
    *("extension", "pause", "resumed", "outage", "joined", "left", "returned", "digest"),
    *(kind for kind in tournaments.KINDS if kind != "tournament-answer"),
)
"""The kinds that a muted account does not get."""
SIGNED = ("ended", "ruling", "dispute", "resumed", "pause", "left")
"""Mails without a report that carry a signed head of the log."""

DATED = ("orders", "report", "reminder", "missed", "extension", "pause", "resumed", "ruling", "joined")
"""The kinds that bring the deadline as an entry of a calendar: it is new, or it is near."""
DIGESTED = ("orders", "report", "outage")
"""The kinds that an account may want in one mail a day instead. Reminders and rulings do not wait."""


# Sending -----------------------------------------------------------------------------------------------------


def send_due(server: Server, settings: Settings, transport: Transport, now: int) -> int:
    """Send what is owed, oldest first; how many mails left. After a failure of the host the rest waits."""
    count, until = 0, time.monotonic() + MOST_SECONDS
    for owed in outbox.due(server, now, MOST_MAILS):
        if time.monotonic() > until:
            break
        try:
            message = compose(server, settings, owed)
        except Refusal as refusal:
            outbox.give_up(server, owed.id, f"a ruling overtook it: {refusal}")
            continue
        except Exception as problem:
            log.exception("mail %s (%s) could not be written", owed.id, owed.kind)
            outbox.put_off(server, owed, now, f"{type(problem).__name__}: {problem}")
            continue
        if message is None:
            outbox.give_up(server, owed.id, outbox.UNWANTED)
            continue
        try:
            transport.send(message)
        except smtplib.SMTPRecipientsRefused as problem:
            [(code, said)] = problem.recipients.values()
            refused_by_host(server, owed, message, now, code, said.decode("utf-8", "replace"))
            continue
        except smtplib.SMTPDataError as problem:
            outbox.put_off(server, owed, now, f"{type(problem).__name__}: {problem}")
            continue  # it is about this mail alone
        except (OSError, smtplib.SMTPException) as problem:
            log.warning("mail %s could not be sent: %s", owed.id, problem)
            outbox.put_off(server, owed, now, f"{type(problem).__name__}: {problem}")
            break
        # Dying here sends this one mail again, under the same Message-ID.
        outbox.sent(server, owed.id, now, plain_body(message))
        count += 1
    return count


def plain_body(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    return "" if body is None else str(body.get_content())


def refused_by_host(server: Server, owed: Owed, message: EmailMessage, now: int, code: int, said: str) -> None:
    """The host takes no mail for this address: for good, as if the mail had come back, or for now."""
    why = f"{code} {said}"
    if code < 500:
        outbox.put_off(server, owed, now, why)
        return
    outbox.give_up(server, owed.id, why)
    summaries.catch_up(server)
    with server.store.transaction("returned") as transaction:
        token = (message["Return-Path"] or "").partition("returned-")[2].partition("@")[0]
        came_back(server, transaction, Returned([token], str(message["To"]).lower(), why), now)


# Composing ---------------------------------------------------------------------------------------------------


class Draft(msgspec.Struct):
    """A mail in the making: whom it reaches, what the template is told, and what answers to it count for."""

    server: Server
    settings: Settings
    owed: Owed
    to: str
    facts: dict[str, Any]
    token: str = ""
    picture: bytes | None = None


def compose(server: Server, settings: Settings, owed: Owed) -> EmailMessage | None:
    """The mail that a row of the outbox describes; None if it has no reader any more."""
    draft = Draft(server, settings, owed, "", {"owed": owed, "settings": settings, **owed.about})
    if owed.account:
        reader = accounts.account(server, owed.account)
        if not reader.addresses or (reader.muted and owed.kind in UNASKED) or not is_wanted(server, owed):
            return None
        draft.to = address_of(server, reader)
        wanted = preferences.profile(server, reader.id)
        draft.facts |= {"reader": reader, "zone": zone_of(server, owed)}
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
    """Mails to a game master carry a code of their own: acts and decisions work by reply."""
    owed = draft.owed
    if not owed.match or owed.seat or owed.account != record_of(draft.server, owed.match).created.master:
        return ""
    return master_replies.token_for(draft.server, owed.match)


def zone_of(server: Server, owed: Owed) -> str:
    """The reader's own clock; if he has said nothing of it, that of the match."""
    agreed = timing_of(record_of(server, owed.match)).zone if owed.match else "UTC"
    return preferences.zone_for(server, owed.account, agreed)


def address_of(server: Server, reader: accounts.Account) -> str:
    """The first of the reader's addresses from which mail does not come back."""
    returning = {marked.address for marked in inbox.returning(server, reader.id)}
    return next((address for address in reader.addresses if address not in returning), reader.addresses[0])


def write(draft: Draft) -> EmailMessage:
    """Headers, text, and the same text as HTML with the picture."""
    draft.facts |= {"details": details_of(draft.facts.get("report")), "most_details": MOST_DETAILS}
    text = environment().get_template(f"{draft.owed.kind}.txt").render(draft.facts)
    subject, _, body = text.strip().partition("\n")
    message = EmailMessage(policy=POLICY)
    set_headers(draft, message, " ".join(subject.removeprefix("Subject:").split()))
    body = re.sub(r"\n{3,}", "\n\n", body).strip() + "\n"
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
        )
    )
    message.add_alternative(html, subtype="html")
    if draft.picture:
        shown = message.get_payload()[1]  # type: ignore[index]
        shown.add_related(draft.picture, "image", "png", cid=f"<{cid}>", filename="map.png", disposition="inline")  # type: ignore[union-attr]
    attach(draft, message)
    return message


def details_of(report: views.Report | None) -> list[str]:
    """How each result came about, line by line, and the open dice; a result that rests on nothing is told above."""
    if report is None:
        return []
    lines = [sentence(told) for told in report.told if told.depth or told.finding.children]
    rolls = [f"{roll.rule} d{roll.sides}={roll.result}" for roll in report.rolls]
    if rolls:
        lines += ["", f"Open rolls, in order: {', '.join(rolls)}."]
    return lines


def attach(draft: Draft, message: EmailMessage) -> None:
    """The deadline for a calendar, and what `pbem verify` wants to see."""
    form, receipt, report = (draft.facts.get(name) for name in ("form", "receipt", "report"))
    if form is not None and form.deadline is not None and draft.owed.kind in DATED:
        entry = calendar(draft, form.deadline)
        message.add_attachment(entry, "text", "calendar", filename="deadline.ics", params={"method": "PUBLISH"})
    if report is not None and len(draft.facts["details"]) > MOST_DETAILS:
        message.add_attachment("\n".join(draft.facts["details"]), filename=f"details-{report.exchange}.txt")
    head = report.head if report is not None else newest_head_of(draft)
    for name, proof in (("receipt", receipt), ("head", head)):
        if proof is not None:
            content = msgspec.json.format(msgspec.json.encode(proof))
            message.add_attachment(content, "application", "json", filename=f"{name}-{proof.exchange}.json")


def newest_head_of(draft: Draft) -> SignedHead | None:
    """Sign the log as it is now, for mails about what happens between exchanges and after the end."""
    owed = draft.owed
    if owed.kind not in SIGNED or not owed.match or not owed.seat:
        return None
    return newest_head(draft.server, owed.match)


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


def alarm(text: str) -> Alarm:
    """What rings some hours before a deadline."""
    bell = Alarm()
    bell.add("action", "DISPLAY")
    bell.add("description", text)
    bell.add("trigger", timedelta(hours=-ALARM_HOURS))
    return bell


def calendar(draft: Draft, deadline: Deadline) -> bytes:
    """The deadline as an entry of a calendar; a later mail of the same exchange replaces it."""
    match = draft.facts["match"]
    entry = Entry()
    entry.add("uid", f"{match.match}.{deadline.exchange}.{draft.owed.seat}@{draft.settings.domain}")
    entry.add("summary", f"{match.name}: orders of {draft.owed.seat} due")
    record = record_of(draft.server, match.match)
    entry.add("dtstamp", datetime.fromtimestamp(draft.owed.queued_at // SECOND, UTC))
    entry.add("sequence", deadlines.times_set(record) - 1)
    entry.add_component(alarm(f"{match.name}: orders of {draft.owed.seat} are due"))
    entry.add("dtstart", datetime.fromtimestamp(deadline.at // SECOND, UTC))
    entry.add("dtend", datetime.fromtimestamp((deadline.at + HOUR // 4) // SECOND, UTC))
    entry.add("url", draft.settings.link(f"matches/{match.match}"))
    whole = Calendar()
    whole.add("prodid", "-//pbem//deadlines//EN")
    whole.add("version", "2.0")
    whole.add("method", "PUBLISH")
    whole.add_component(entry)
    return bytes(whole.to_ical())


# What each kind of mail knows --------------------------------------------------------------------------------


def seat_facts(draft: Draft) -> None:
    """How the match stands for the reader's seat, and a token for the open exchange."""
    server, owed = draft.server, draft.owed
    status = views.status(server, owed.match, owed.seat)
    record = record_of(server, owed.match)
    taken = record.occupants.get(owed.seat)
    mine = taken is not None and taken["account"] == owed.account
    resolved = record.resolved
    if mine and taken is not None and status.state not in ("over", "seats"):
        draft.token = orders_token(server, owed.match, owed.seat, status.exchange)
    draft.facts |= {
        "match": status,
        "seat": owed.seat,
        "form": open_form(server, owed) if mine else None,
        "head": resolved[-1].resolved.hash if resolved and resolved[-1].resolved else "",
        "stakes": stakes.sentence(record, owed.seat) if mine else "",
        "link": draft.settings.link(f"matches/{owed.match}"),
        "opened": record.opened is not None,
    }


def status_facts(draft: Draft) -> None:
    """How things stand, with what the seat has said beforehand: standing orders, and who will be away."""
    seat_facts(draft)
    record = record_of(draft.server, draft.owed.match)
    mine = record.occupants.get(draft.owed.seat, {}).get("account") == draft.owed.account
    standing = standing_orders.doctrine_text(draft.server, draft.owed.match, draft.owed.seat) if mine else ""
    draft.facts |= {"standing": standing, "away": absences.in_sentences(draft.server, record)}


def open_form(server: Server, owed: Owed) -> Form | None:
    try:
        return views.open_form(server, owed.match, owed.seat)
    except Refusal:
        return None


def receipt_facts(draft: Draft) -> None:
    """What was sealed, as it was understood."""
    seat_facts(draft)
    receipt = views.receipt(draft.server, draft.owed.match, draft.owed.about["commitment"])
    reading = views.reading(draft.server, draft.owed.match, receipt)
    most = sizes.most_repeated(draft.server, draft.owed.match, draft.owed.seat)
    lines = "\n".join(sizes.within(reading.lines.splitlines(), most))
    draft.facts |= {"receipt": receipt, "reading": msgspec.structs.replace(reading, lines=lines)}
    draft.facts.setdefault("note", "")


def report_facts(draft: Draft) -> None:
    """The exchange's findings for this seat; the form only if no newer mail brings another."""
    seat_facts(draft)
    owed, status = draft.owed, draft.facts["match"]
    draft.facts["report"] = views.report(draft.server, owed.match, owed.seat, owed.exchange)
    if status.last != owed.exchange:
        draft.facts["form"] = None
    draft.picture = picture(draft.server, owed, owed.exchange)


def first_facts(draft: Draft) -> None:
    """The first mail of a match: what it is about, where the title says so."""
    report_facts(draft)
    draft.facts["briefing"] = briefing(draft.server, draft.owed)


def briefing(server: Server, owed: Owed) -> str:
    """The situation and what counts, for a seat."""
    created = record_of(server, owed.match).created
    brief = getattr(server.rules(created.title, created.blobs), "briefing", None)
    return str(brief(owed.seat)) if brief is not None else ""


def picture(server: Server, owed: Owed, exchange: int) -> bytes | None:
    """The map as the seat saw it after an exchange, where the title draws one."""
    entry = record_of(server, owed.match).exchange(exchange)
    if entry is None or entry.resolved is None:
        return None
    position = load(server, owed.match, upto=entry.resolved.version)
    draw = getattr(position.rules, "picture", None)
    svg = draw(position.run.view(owed.seat), owed.seat) if draw is not None else None
    return None if svg is None else in_few_colours(resvg_py.svg_to_bytes(svg_string=svg, width=PICTURE_WIDTH))


def in_few_colours(png: bytes) -> bytes:
    """A picture that a phone fetches quickly, and that a reply may quote within our own limits."""
    with Image.open(io.BytesIO(bytes(png))) as whole:
        few = whole.convert("RGB").quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    kept = io.BytesIO()
    few.save(kept, "PNG", optimize=True)
    return kept.getvalue()


def missed_facts(draft: Draft) -> None:
    """A deadline that was missed: before the exchange closes how to make up for it, afterwards its report."""
    record = record_of(draft.server, draft.owed.match)
    draft.facts |= {"policy": timing_of(record).missed, "open": draft.owed.about.get("open", False)}
    missing = draft.owed.about.get("missing", [])
    draft.facts["missing"] = missing
    draft.facts["others"] = [stakes.sentence_for_others(record, seat) for seat in missing]
    if draft.facts["open"]:
        seat_facts(draft)
    else:
        report_facts(draft)


def story_facts(draft: Draft) -> None:
    """For who comes back, or comes new: the last exchanges, how things stand, and the map."""
    seat_facts(draft)
    owed, last = draft.owed, draft.facts["match"].last
    draft.facts["story"] = views.story(draft.server, owed.match, owed.seat)
    draft.facts["briefing"] = briefing(draft.server, owed) if owed.kind == "joined" else ""
    draft.picture = picture(draft.server, owed, last)


def history_facts(draft: Draft) -> None:
    """The report of an exchange once more."""
    seat_facts(draft)
    number = draft.owed.about["number"] or draft.facts["match"].last
    draft.facts["report"] = views.report(draft.server, draft.owed.match, draft.owed.seat, number)
    draft.picture = picture(draft.server, draft.owed, number)


def trial_facts(draft: Draft) -> None:
    """What standing orders would have answered so far."""
    seat_facts(draft)
    clauses = standing_orders.clauses_in(draft.owed.about["text"])
    found = standing_orders.trial(draft.server, draft.owed.match, draft.owed.seat, clauses)
    draft.facts |= {"clauses": clauses, "tried": [standing_orders.told(one) for one in found[-MOST_TRIED:]]}
    draft.facts["earlier"] = max(0, len(found) - MOST_TRIED)


def map_facts(draft: Draft) -> None:
    seat_facts(draft)
    draft.picture = picture(draft.server, draft.owed, draft.facts["match"].last)
    draft.facts["drawn"] = draft.picture is not None


def press_facts(draft: Draft) -> None:
    """A letter, as this reader may read it."""
    seat_facts(draft)
    record, version = record_of(draft.server, draft.owed.match), draft.owed.about["version"]
    letter = press.read(draft.server, record.events[version - 1], draft.owed.seat or MASTER)
    draft.facts["letter"] = letter or press.Letter("somebody", [], "This letter was erased.")


def dispute_facts(draft: Draft) -> None:
    """A dispute is for the game master, its answer for all."""
    seat_facts(draft)
    record, number = record_of(draft.server, draft.owed.match), draft.owed.about["number"]
    viewer = draft.owed.seat or MASTER
    draft.facts["disputed"] = disputes.text_of(draft.server, record, number, viewer)
    found = next(one for one in disputes.disputes(record) if one.number == number)
    said = disputes.statements(draft.server, record, number, viewer)
    place = f"sentence {found.place}" if found.sentence else f"exchange {found.exchange}"
    draft.facts |= {"place": place, "rule": found.rule, "verdict": found.verdict}
    draft.facts["newest"] = said[-1].text if said else ""
    for name in ("answer", "new", "by_seat"):
        draft.facts.setdefault(name, draft.owed.about.get(name, ""))


def invitation_facts(draft: Draft) -> None:
    offered = invitations.invitation(draft.server, draft.owed.match, draft.owed.about["number"])
    draft.to, draft.token = offered.address, offered.token
    known = accounts.by_address(draft.server, offered.address)
    draft.facts |= {
        "shown": accounts.default_name(offered.address) if known is None else known.name,
        "match": views.status(draft.server, offered.match, PUBLIC),
        "agreed": agreed_in_words(timing_of(record_of(draft.server, offered.match))),
        "inviter": inviter(draft.server, offered),
        "game": game_in_full(draft.server, offered.match),
        "seat": offered.seat,
        "link": draft.settings.link(f"invitations/{offered.token}"),
    }


def inviter(server: Server, offered: invitations.Invitation) -> str:
    """Who invites: whoever did it, otherwise those who sit in the match, or its game master."""
    record = record_of(server, offered.match)
    if offered.by:
        return accounts.account(server, offered.by).name
    seated = [accounts.account(server, taken["account"]).name for taken in record.occupants.values()]
    master = record.created.master
    return " and ".join(seated) or (
        accounts.account(server, master).name if master else "The operator of this server"
    )


def game_in_full(server: Server, match: str) -> str:
    """The name of the game, as its title gives it."""
    created = record_of(server, match).created
    title = server.titles.get(created.title)
    return (title.full_name if title is not None else "") or str(created.title).capitalize()


def confirm_facts(draft: Draft) -> None:
    """The held orders, for the account alone; answers to this mail confirm them."""
    seat_facts(draft)
    held = inbox.get(draft.server, draft.owed.about["inbound"])
    assert held is not None
    occupancy = record_of(draft.server, held.match).occupants[held.seat]["occupancy"]
    draft.token = reply_tokens.make(
        draft.server, use="confirm", match=held.match, number=held.id, seat=held.seat, occupancy=occupancy
    )
    draft.facts |= {"lines": held.about["text"].splitlines(), "form": None}
    draft.facts["link"] = draft.settings.link(f"confirm/{draft.token}")


def places(draft: Draft) -> Iterator[tuple[str, str, Status]]:
    """Every seat of the reader in a match that goes on. A match that cannot be looked at is left out."""
    summaries.catch_up(draft.server)
    for match, seat in summaries.seats_now(draft.server, draft.owed.account):
        with advancing.safely(match, "it is missing in a mail"):
            yield match, seat, views.status(draft.server, match, seat)


def help_facts(draft: Draft) -> None:
    """The seats of the reader with the addresses for their orders, and the language of the title he asks about."""
    server, seats = draft.server, []
    for match, seat, status in places(draft):
        address = draft.settings.address(orders_token(server, match, seat, status.exchange))
        seats.append({"match": status, "seat": seat, "address": address})
    draft.facts |= {"seats": seats, "language": "", "standing_orders": "", **language(server, draft.owed.match)}


def language(server: Server, match: str) -> dict[str, str]:
    """How orders and standing orders are written in a match, where its title says so."""
    if not match:
        return {}
    created = record_of(server, match).created
    rules = server.rules(created.title, created.blobs)
    said = {"language": "help", "standing_orders": "standing_orders"}
    return {name: str(getattr(rules, method, str)()) for name, method in said.items()}


def digest_facts(draft: Draft) -> None:
    """Every seat of the reader: what happened there since the last digest, and what is wanted.

    If orders are wanted in one match alone, an answer to this mail counts for it.
    """
    overview_facts(draft)
    server, account = draft.server, draft.owed.account
    told: dict[tuple[str, str], list[views.Report]] = {}
    for owed in preferences.digested(server, account, draft.owed):
        if owed.kind == "report":
            with advancing.safely(owed.match, "its report is missing in a mail"):
                told.setdefault((owed.match, owed.seat), []).append(
                    views.report(server, owed.match, owed.seat, owed.exchange)
                )
    wanted = []
    for place in draft.facts["seats"]:
        status, seat = place["match"], place["seat"]
        place |= {"reports": told.get((status.match, seat), []), "form": None}
        if status.mine and status.mine.asked and not status.mine.sealed:
            place["form"] = views.open_form(server, status.match, seat)
            place["token"] = orders_token(server, status.match, seat, status.exchange)
            place["address"] = draft.settings.address(place["token"])
            wanted.append(place)
    draft.facts["wanted"] = wanted
    if len(wanted) == 1:
        draft.token = wanted[0]["token"]


def orders_token(server: Server, match: str, seat: str, exchange: int) -> str:
    occupancy = record_of(server, match).occupants[seat]["occupancy"]
    return reply_tokens.make(server, use="orders", match=match, seat=seat, number=exchange, occupancy=occupancy)


def overview_facts(draft: Draft) -> None:
    """Every seat of the reader in a match that goes on."""
    draft.facts["seats"] = [
        {"match": status, "seat": seat, "link": draft.settings.link(f"matches/{match}")}
        for match, seat, status in places(draft)
    ]


def address_facts(draft: Draft) -> None:
    """A mail to an address that is to be confirmed."""
    number = draft.owed.about["number"]
    draft.to = preferences.asked_address(draft.server, draft.owed.account, number)
    word = preferences.address_token(draft.server, draft.owed.account, number)
    draft.facts["link"] = draft.settings.link(f"addresses/{word}")


def sign_in_facts(draft: Draft) -> None:
    word = reply_tokens.make_sign_in(draft.server, draft.owed.account)
    draft.facts["link"] = draft.settings.link(f"sign-in/{word}")


def returned_facts(draft: Draft) -> None:
    """To a game master, who learns no more than everybody of the match."""
    draft.facts["match"] = views.status(draft.server, draft.owed.match, PUBLIC)
    draft.facts["link"] = draft.settings.link(f"matches/{draft.owed.match}")
    draft.facts["head"] = record_of(draft.server, draft.owed.match).events[-1].hash


def notice_facts(draft: Draft) -> None:
    """Tell a game master of something that everybody knows and they may have to see to."""
    returned_facts(draft)
    said = draft.owed.about
    words = {
        "halted": ("the match is halted", "The rules failed; nothing is lost. A corrected release goes on with it."),
        "forfeited": (f"{said.get('seat')} has forfeited", f"The seat {said.get('seat')} missed too many deadlines."),
        "ended": ("the match is over", str(said.get("outcome", ""))),
    }
    what, sentence = words[said["notice"]]
    draft.facts |= {"what": what, "sentence": sentence, "over": said["notice"] == "ended"}


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
    "resumed": story_facts,
    "joined": story_facts,
    "left": seat_facts,
    "outage": overview_facts,
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
    "sign-in": sign_in_facts,
    "address": address_facts,
    "digest": digest_facts,
    "master-answer": returned_facts,
    "master-notice": notice_facts,
    **tournaments.KINDS,
}


# Templates ---------------------------------------------------------------------------------------------------


def templates() -> Path:
    """Beside the package in a checkout, inside it when installed."""
    package = Path(__file__).parents[2]
    inside = package / "templates"
    return (inside if inside.is_dir() else package.parent / "templates") / "mail"


@cache
def environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates()),
        autoescape=jinja2.select_autoescape(["html"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(for_reader=for_reader, sentence=sentence, shown=shown, nested=nested)
    return made


@jinja2.pass_context
def for_reader(context: jinja2.runtime.Context, at: int) -> str:
    """An instant as the reader's clock shows it."""
    return in_words(at, context.get("zone", "UTC"))


def sentence(told: Told) -> str:
    """A told finding with its rule and its dice, if the title's sentence leaves them out."""
    rule = "" if told.rule.partition("/")[0] in told.text or told.rule == ANSWERED else f" ({told.rule})"
    dice = "" if all(str(die) in told.text for die in told.dice) else f" [dice {', '.join(map(str, told.dice))}]"
    return f"{'  ' * told.depth}- {told.text}{rule}{dice}"


def shown(lines: str | list[str]) -> str:
    """Lines set off by four spaces."""
    return "\n".join(f"    {line}" for line in (lines.splitlines() if isinstance(lines, str) else lines))


def nested(lines: list[str]) -> Markup:
    """Lines that begin with a dash as lists within lists, which can be heard as such."""
    made, depth = Markup(), -1
    for line in lines:
        wanted = min((len(line) - len(line.lstrip())) // 2, depth + 1)
        made += LIST if wanted > depth else Markup("</li>") + Markup("</ul></li>") * (depth - wanted)
        made += Markup("<li>{}").format(line.strip().removeprefix("- "))
        depth = wanted
    return made + Markup("</li></ul>") * (depth + 1)


LIST = Markup('<ul style="margin: .25em 0; padding-left: 1.2em">')


class Block(msgspec.Struct, frozen=True):
    """A paragraph of a text: `text`, `code` (set off by four spaces), `quote` or `list`."""

    kind: str
    lines: list[str]


def blocks(text: str) -> list[Block]:
    """The paragraphs of a text, for the HTML form."""
    found: list[Block] = []
    open_block = False
    for line in text.splitlines():
        kind = kind_of(line)
        if not line.strip() and not (kind == "code" and open_block):
            open_block = False
            continue
        if not (open_block and found[-1].kind == kind):
            found.append(Block(kind, []))
        found[-1].lines.append(line.removeprefix("    ") if kind == "code" else line)
        open_block = True
    return found


def kind_of(line: str) -> str:
    if line.lstrip().startswith("- "):
        return "list"
    if line.startswith("    "):
        return "code"
    return "quote" if line.startswith(">") else "text"
