"""Feeds for other programs: your deadlines as a calendar, and a match as an Atom feed."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

import msgspec
from flask import Blueprint, Response, abort, g, render_template, request, url_for
from flask.typing import ResponseReturnValue
from icalendar import Alarm, Calendar
from icalendar import Event as Appointment

from pbem.engine.rules.findings import PUBLIC
from pbem.engine.text.messages import say
from pbem.matches import summaries, views
from pbem.matches.accounts import api_tokens
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadlines import HOUR, SECOND, Deadline
from pbem.matches.events import DeadlineSet, last
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import record_of
from pbem.matches.names import seat_word
from pbem.matches.views import Report
from pbem.web.http.speech import words
from pbem.web.http.viewer import not_found, the_server

bp = Blueprint("feeds", __name__)

MOST_ENTRIES = 30
ALARM_HOURS = 6


def at(instant: int) -> datetime:
    return datetime.fromtimestamp(instant // SECOND, UTC)


# The reader's deadlines --------------------------------------------------------------------------------------


@bp.get("/calendar.ics")
def calendar() -> ResponseReturnValue:
    """The deadlines of the signed-in account."""
    if g.account is None:
        abort(403, say("Sign in, or use the calendar address from your account page."))
    return send(calendar_of(g.account.id))


@bp.get("/calendar/<word>.ics")
def calendar_by_word(word: str) -> ResponseReturnValue:
    """The calendar of deadlines at an address that calendar programs can store; it gives access to nothing else."""
    token = api_tokens.find(the_server(), word)
    if token is None or not token.opens("calendar"):
        not_found(say("No calendar has this address."))
    return send(calendar_of(token.account))


def send(calendar: Calendar) -> ResponseReturnValue:
    response = Response(calendar.to_ical(), mimetype="text/calendar")
    response.add_etag()
    return response.make_conditional(request)


def calendar_of(account: str) -> Calendar:
    whole = Calendar()
    whole.add("prodid", "-//pbem//deadlines//EN")
    whole.add("version", "2.0")
    whole.add("method", "PUBLISH")
    whole.add("x-wr-calname", say("pbem: deadlines"))
    for entry in entries_of(account):
        whole.add_component(entry)
    return whole


def entries_of(account: str) -> Iterator[Appointment]:
    """An entry for each seat that has to act by a deadline."""
    server = the_server()
    summaries.glance(server)
    for match, seat in summaries.seats_now(server, account):
        record = record_of(server, match)
        deadline = deadlines.deadline_of(record)
        if deadline is not None and seat in views.status(server, match).asked:
            yield entry_of(match, seat, record, deadline)


def entry_of(match: str, seat: str, record: Record, deadline: Deadline) -> Appointment:
    """The calendar entry for a deadline, identical to the one in emails, so that a calendar shows it only once."""
    entry = Appointment()
    name, done = record.created["name"], seat in record.final or seat in record.sealed
    player = seat_word(the_server(), seat)
    if seat in record.final:
        summary = say("{name}: orders for {seat} due (yours are final)", name=name, seat=player)
    elif seat in record.sealed:
        summary = say("{name}: orders for {seat} due (yours are sealed)", name=name, seat=player)
    else:
        summary = say("{name}: orders for {seat} due", name=name, seat=player)
    entry.add("uid", f"{match}.{deadline.exchange}.{seat}@{request.host.partition(':')[0]}")
    entry.add("summary", words(summary))
    entry.add("description", words(deadline.why(partial(seat_word, the_server()))))
    entry.add("dtstamp", at(announced_at(record, deadline)))
    entry.add("sequence", deadlines.times_set(record) - 1)
    entry.add("dtstart", at(deadline.at))
    entry.add("dtend", at(deadline.at + HOUR // 4))
    entry.add("url", url_for("match.page", match=match, _external=True))
    if not done:
        bell = Alarm()
        bell.add("action", "DISPLAY")
        bell.add("description", words(say("{name}: orders for {seat} are due", name=name, seat=player)))
        bell.add("trigger", timedelta(hours=-ALARM_HOURS))
        entry.add_component(bell)
    return entry


def announced_at(record: Record, deadline: Deadline) -> int:
    """When this deadline was set, instead of the current time, so that the same deadline gives the same bytes."""
    said = last(record.events, DeadlineSet)
    return said[0].recorded_at if said is not None else deadline.at


# A match as a feed -------------------------------------------------------------------------------------------


class Item(msgspec.Struct, frozen=True):
    """An entry of a feed: an exchange that was resolved."""

    id: str
    at: str
    report: Report


@bp.get("/matches/<match>/feed.atom")
def feed(match: str) -> ResponseReturnValue:
    """The public report of a match, exchange by exchange; the same for every reader."""
    server = the_server()
    try:
        status = views.status(server, match, PUBLIC)
    except KeyError:
        not_found(say("No match has this name."))
    record = record_of(server, match)
    if record.is_closed:
        not_found(say("No match has this name."))
    resolved = record.resolved[-MOST_ENTRIES:]
    items = [item_of(match, entry) for entry in reversed(resolved)]
    updated = items[0].at if items else instant(record.events[0].recorded_at)
    content = render_template("web/feed.xml", status=status, id=name_of(match), updated=updated, items=items)
    response = Response(content, mimetype="application/atom+xml")
    response.add_etag()
    return response.make_conditional(request)


def item_of(match: str, entry: Entry) -> Item:
    assert entry.resolved is not None
    report = views.report(the_server(), match, PUBLIC, entry.exchange)
    return Item(name_of(match, str(entry.exchange)), instant(entry.resolved.recorded_at), report)


def name_of(match: str, *more: str) -> str:
    """The permanent id of a match or an entry in feeds, which stays the same if the server moves."""
    return uuid.uuid5(uuid.NAMESPACE_URL, "/".join((the_server().id, match, *more))).urn


def instant(milliseconds: int) -> str:
    return f"{at(milliseconds):%Y-%m-%dT%H:%M:%SZ}"
