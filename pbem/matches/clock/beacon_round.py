"""Take the values of public beacons for the exchanges that wait for them.

Nothing replaces a value that is late: the exchange stays closed, its match waits, and the next round tries again.
"""

from __future__ import annotations

import logging

import msgspec

from eventstore import upsert
from pbem.matches.events import BeaconTaken
from pbem.matches.exchange.advancing import safely
from pbem.matches.history import beacons
from pbem.matches.history.beacons import Unavailable, Value
from pbem.matches.history.replay import record_of
from pbem.matches.post.notifications import catch_up
from pbem.matches.server import Server
from pbem.matches.unit_of_work import retrying

log = logging.getLogger("pbem.beacon")

MOST = 20
"""The most matches that one round looks at."""

TROUBLE = "beacon-trouble/"


class Trouble(msgspec.Struct, frozen=True):
    """Why a beacon has no value, and since when."""

    name: str
    since: int
    why: str


def beacon_round(server: Server, now: int, most: int = MOST) -> list[str]:
    """Take the values that are due, oldest round first; return the matches that can continue."""
    catch_up(server)
    query = "SELECT match FROM desk WHERE beacon <= ? ORDER BY beacon, match LIMIT ?"
    failed: set[str] = set()
    taken = []
    for (match,) in server.database.execute(query, (now, most)).fetchall():
        with safely(match, "the value of its beacon could not be taken"):
            if _take_or_note(server, match, now, failed):
                taken.append(match)
    catch_up(server)
    return taken


def _take_or_note(server: Server, match: str, now: int, failed: set[str]) -> bool:
    """Take a value; return whether one was taken. A failing source is asked only once per round."""
    terms = beacons.terms_of(record_of(server, match).created.beacon)
    name = terms.name if terms else ""
    if name in failed:
        return False
    try:
        done = take(server, match)
    except Unavailable as problem:
        failed.add(name)
        log.warning("match %s waits for its beacon: %s", match, problem)
        _note(server, name, now, str(problem))
        return False
    server.database.execute("DELETE FROM house WHERE name = ?", (TROUBLE + name,))
    return done


def take(server: Server, match: str) -> bool:
    """Record the value that a closed exchange waits for; return whether it waited for one."""
    record = record_of(server, match)
    terms, entry = beacons.terms_of(record.created.beacon), record.closing
    if terms is None or entry is None or entry.beacon:
        server.database.execute("UPDATE desk SET beacon = NULL WHERE match = ?", (match,))
        return False
    offered = beacons.offered_beacons(server.database).get(terms.name)
    if offered is None:
        raise Unavailable(f"{terms.name}: this server no longer knows a source of this beacon")
    value = beacons.fetch(offered, terms.round_after(entry.event.recorded_at))
    return _record(server, match, entry.exchange, value)


@retrying
def _record(server: Server, match: str, exchange: int, value: Value) -> bool:
    record = record_of(server, match)
    if record.closing is None or record.closing.exchange != exchange or record.closing.beacon:
        return False
    with server.change(record, "beacon") as change:
        change.append(BeaconTaken(exchange, value.round, value.randomness, value.signature))
    return True


def _note(server: Server, name: str, now: int, why: str) -> None:
    """Remember what is wrong with a beacon, and since when."""
    known = {trouble.name: trouble.since for trouble in troubles(server)}
    content = msgspec.json.encode(Trouble(name, known.get(name, now), why)).decode()
    server.database.execute(upsert("house", "name", "value"), (TROUBLE + name, content))


def troubles(server: Server) -> list[Trouble]:
    """Return the beacons that gave no value when it was due, for the operator."""
    query = "SELECT value FROM house WHERE name LIKE 'beacon-trouble/%' ORDER BY name"
    return [msgspec.json.decode(value, type=Trouble) for (value,) in server.database.execute(query).fetchall()]
