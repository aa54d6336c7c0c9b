"""Attachments of an email: the map, the deadline for a calendar, the record, proofs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import msgspec
from icalendar import Alarm, Calendar
from icalendar import Event as Entry

from pbem.engine.rules.title import Rules
from pbem.engine.text.messages import say
from pbem.mail.outbound import pictures, turn_mail
from pbem.mail.outbound.drafts import Draft
from pbem.matches import views
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import HOUR, SECOND, Deadline
from pbem.matches.exchange.ending import newest_head
from pbem.matches.film.drawing import drawn_turn
from pbem.matches.film.turns import Film
from pbem.matches.history.receipts import SignedHead
from pbem.matches.history.replay import load, record_of
from pbem.matches.names import seat_word, turn_word

ALARM_HOURS = 6


SIGNED = ("closed", "ended", "ruling", "dispute", "resumed", "pause", "left")
"""Emails without a report that carry a signed head of the log."""

DATED = ("orders", "report", "reminder", "missed", "extension", "pause", "resumed", "ruling", "joined")
"""The kinds of email that carry the deadline as a calendar entry, because the deadline is new or near."""


def attach(draft: Draft, message: EmailMessage) -> None:
    """Attach the deadline as a calendar entry, the files, and the proofs that `pbem verify` checks."""
    form, receipt, report = (draft.facts.get(name) for name in ("form", "receipt", "report"))
    if form is not None and form.deadline is not None and draft.owed.kind in DATED:
        entry = calendar(draft, form.deadline)
        message.add_attachment(entry, "text", "calendar", filename="deadline.ics", params={"method": "PUBLISH"})
    for name, text in files(draft, report, form).items():
        message.add_attachment(text, filename=name)
    head = report.head if report is not None else newest_head_of(draft)
    for name, proof in (("receipt", receipt), ("head", head)):
        if proof is not None:
            content = msgspec.json.format(msgspec.json.encode(proof))
            message.add_attachment(content, "application", "json", filename=f"{name}-{proof.exchange}.json")


def files(draft: Draft, report: views.Report | None, form: views.Form | None) -> dict[str, str]:
    """Return the files for content too long for the email: a long form, all positions, and the record of the turn."""
    found: dict[str, str] = {}
    if form is not None and (is_long(form) or draft.facts.get("form_attached")):
        found["orders.txt"] = (form.sealed or form.text).rstrip() + "\n"
    turn = draft.facts.get("turn")
    if turn is not None and not turn.all_told:
        found["positions.txt"] = "\n".join(turn.positions)
    if draft.facts.get("positions"):
        found["positions.txt"] = "\n".join(draft.facts["positions"])
    if draft.facts.get("words"):
        found["map.txt"] = "\n".join(draft.facts["words"]) + "\n"
    if report is not None and draft.owed.kind != "orders":
        word = turn_word(draft.server, draft.facts["match"].title)
        found[f"record-{word}-{report.turn}.txt"] = turn_mail.record(report, draft.facts["translator"])
    return found


def is_long(form: views.Form) -> bool:
    """Whether a form is long enough to be sent as a file."""
    lines = [line.strip() for line in (form.sealed or form.text).splitlines()]
    orders = [line for line in lines if line and not line.startswith("#")]
    return len(orders) > turn_mail.MOST_FORM or len(lines) > turn_mail.MOST_WITH_REMARKS


def rules_of(draft: Draft) -> Rules:
    """Return the rules of the match that an email is about."""
    created = record_of(draft.server, draft.owed.match).created
    return draft.server.rules(created.title, created.blobs)


def newest_head_of(draft: Draft) -> SignedHead | None:
    """Sign the log in its present state, for emails about events between exchanges and after the end."""
    owed = draft.owed
    if owed.kind not in SIGNED or not owed.match or not owed.seat:
        return None
    return newest_head(draft.server, owed.match)


def alarm(text: str) -> Alarm:
    """Return a calendar alarm `ALARM_HOURS` before a deadline."""
    bell = Alarm()
    bell.add("action", "DISPLAY")
    bell.add("description", text)
    bell.add("trigger", timedelta(hours=-ALARM_HOURS))
    return bell


def calendar(draft: Draft, deadline: Deadline) -> bytes:
    """The deadline as a calendar entry; a later email about the same exchange replaces it."""
    match, speak = draft.facts["match"], draft.facts["translator"]
    about = {"name": match.name, "seat": seat_word(draft.server, draft.owed.seat)}
    entry = Entry()
    entry.add("uid", f"{match.match}.{deadline.exchange}.{draft.owed.seat}@{draft.settings.domain}")
    entry.add("summary", speak(say("{name}: orders for {seat} due", **about)))
    record = record_of(draft.server, match.match)
    entry.add("dtstamp", datetime.fromtimestamp(draft.owed.queued_at // SECOND, UTC))
    entry.add("sequence", deadlines.times_set(record) - 1)
    entry.add_component(alarm(speak(say("{name}: orders for {seat} are due", **about))))
    entry.add("dtstart", datetime.fromtimestamp(deadline.at // SECOND, UTC))
    entry.add("dtend", datetime.fromtimestamp((deadline.at + HOUR // 4) // SECOND, UTC))
    entry.add("url", draft.settings.link(f"matches/{match.match}"))
    whole = Calendar()
    whole.add("prodid", "-//pbem//deadlines//EN")
    whole.add("version", "2.0")
    whole.add("method", "PUBLISH")
    whole.add_component(entry)
    return bytes(whole.to_ical())


def picture(draft: Draft, exchange: int, film: Film | None = None) -> bytes | None:
    """The map as the seat saw it after an exchange, if the title draws one, with the turn drawn on it."""
    svg = draw_map(draft, exchange, film) if draft.settings.pictures else None
    return None if svg is None else pictures.png(svg)


def map_in_words(draft: Draft, exchange: int) -> list[str]:
    """The map as the seat saw it after an exchange, in lines of text."""
    entry = record_of(draft.server, draft.owed.match).exchange(exchange)
    if entry is None or entry.resolved is None:
        return []
    position, seat = load(draft.server, draft.owed.match, upto=entry.resolved.version), draft.owed.seat
    return [draft.facts["translator"](line) for line in position.rules.describe(position.run.view(seat), seat)]


def draw_map(draft: Draft, exchange: int, film: Film | None = None) -> str | None:
    """The map as SVG, drawn by the title, with the turn drawn on it."""
    server, owed = draft.server, draft.owed
    entry = record_of(server, owed.match).exchange(exchange)
    if entry is None or entry.resolved is None:
        return None
    position = load(server, owed.match, upto=entry.resolved.version)
    svg = position.rules.picture(position.run.view(owed.seat), owed.seat)
    if svg is not None and film is not None:
        svg = drawn_turn(svg, film, position.rules, draft.facts["translator"])
    return svg
