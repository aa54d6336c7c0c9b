"""Tournaments for other programs: CSV, JSON, TRF, a bundle, Atom, iCalendar, and a table to embed elsewhere."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from icalendar import Calendar
from icalendar import Event as Appointment

from pbem.tournaments.files import bundle, tables, trf
from pbem.tournaments.record import Record
from pbem.web.http.viewer import the_server
from pbem.web.http.visitor_limits import limit_rate
from pbem.web.pages.tournaments.public import record_of, rows_of

bp = Blueprint("tournament_files", __name__)

MOST_ENTRIES = 40


def send(record: Record, content: bytes | str, kind: str, name: str = "") -> ResponseReturnValue:
    """Return a file; a program that already has this version gets only a header."""
    response = Response(content, mimetype=kind)
    if name:
        response.headers["Content-Disposition"] = f'attachment; filename="{record.id}-{name}"'
    response.set_etag(record.events[-1].hash[:32])
    return response.make_conditional(request)


@bp.get("/tournaments/<id>/<any(standings, crosstable, pairings, entrants):what>.csv")
def as_csv(id: str, what: str) -> ResponseReturnValue:
    record = record_of(id)
    if what == "standings":
        rows = tables.standings_rows(rows_of(record))
    elif what == "crosstable":
        rows = tables.crosstable_rows(rows_of(record))
    elif what == "entrants":
        rows = tables.entrant_rows(record)
    else:
        rows = [
            {"round": number, **row}
            for number, round in sorted(record.rounds.items())
            for row in tables.pairing_rows(record, round)
        ]
    return send(record, tables.to_csv(rows), "text/csv", f"{what}.csv")


@bp.get("/tournaments/<id>/tournament.json")
def as_json(id: str) -> ResponseReturnValue:
    record = record_of(id)
    return send(record, json.dumps(tables.to_json(record), ensure_ascii=False), "application/json")


@bp.get("/tournaments/<id>/tournament.<any(trf, trf26):edition>")
def as_trf(id: str, edition: str) -> ResponseReturnValue:
    record = record_of(id)
    content = trf.write(record, "trf26" if edition == "trf26" else "trf16")
    return send(record, content, "text/plain", f"tournament.{edition}")


@bp.get("/tournaments/<id>/bundle.jsonl")
@limit_rate("files")
def as_bundle(id: str) -> ResponseReturnValue:
    """The whole log with all matches, for `pbem tournament verify`."""
    record = record_of(id)
    return send(record, bundle.write(the_server(), id), "application/jsonl", "bundle.jsonl")


@bp.get("/tournaments/<id>/feed.atom")
def feed(id: str) -> ResponseReturnValue:
    """The acts of the directors, newest first."""
    record = record_of(id)
    items = [
        {"id": name_of(record.id, str(note.version)), "at": instant(note.at), "what": note.what, "why": note.reason}
        for note in reversed(record.noted[-MOST_ENTRIES:])
    ]
    updated = instant(record.events[-1].recorded_at)
    content = render_template("web/tournament_feed.xml", record=record, id=name_of(id), updated=updated, items=items)
    return send(record, content, "application/atom+xml")


def name_of(*words: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_URL, "/".join((the_server().id, "tournament", *words))).urn


def at(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds // 1000, UTC)


def instant(milliseconds: int) -> str:
    return f"{at(milliseconds):%Y-%m-%dT%H:%M:%SZ}"


@bp.get("/tournaments/<id>/rounds.ics")
def calendar(id: str) -> ResponseReturnValue:
    """The rounds with their deadlines."""
    record = record_of(id)
    whole = Calendar()
    whole.add("prodid", "-//pbem//tournaments//EN")
    whole.add("version", "2.0")
    whole.add("x-wr-calname", record.settings.name)
    for number, round in sorted(record.rounds.items()):
        if round.deadline is None or round.started_at is None:
            continue
        entry = Appointment()
        entry.add("uid", f"{record.id}.{number}@{request.host.partition(':')[0]}")
        entry.add("summary", f"{record.settings.name}: round {number} ends")
        entry.add("dtstamp", at(round.started_at))
        entry.add("dtstart", at(round.deadline))
        entry.add("dtend", at(round.deadline))
        entry.add("url", url_for("tournaments.pairings", id=id, number=number, _external=True))
        whole.add_component(entry)
    return send(record, whole.to_ical(), "text/calendar")


@bp.get("/tournaments/<id>/embed")
def embed(id: str) -> ResponseReturnValue:
    """A bare standings table that other sites may show in a frame: no cookies, no scripts, no forms."""
    record = record_of(id)
    content = render_template(
        "web/tournament_embed.html",
        record=record,
        rows=rows_of(record),
        labels=tables.labels(record),
        show=tables.points,
    )
    response = Response(content)
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"
    )
    response.headers["X-Frame-Options"] = "ALLOWALL"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
