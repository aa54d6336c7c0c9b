"""Extensions: more time for the open exchange, asked for by a seat.

Each seat gets some for the asking. After that the game master grants them, or all the other players by asking too.
"""

from __future__ import annotations

from eventstore import Event, NewEvent
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.matches.accounts.accounts import BOT
from pbem.matches.clock.deadlines import HOUR, Deadline, deadline_of, moved, set_event, timing_of
from pbem.matches.exchange.checks import NotOpen
from pbem.matches.history.record import Record

USUAL = 24
"""Hours of an extension that names none."""

ASKED = "extension.asked"
BY_RIGHT, BY_ALL = "right", "agreement"


def ask(record: Record, seat: str, hours: int, at: int) -> list[NewEvent]:
    """Ask for more time; if it is granted at once, the new deadline comes with it."""
    deadline = deadline_of(record)
    if deadline is None or record.closing or record.halted:
        raise NotOpen("the open exchange has no deadline that could be extended")
    if at > deadline.closes_at:
        raise NotOpen("the deadline has passed")
    hours = hours or (standing(record)[0].payload["hours"] if standing(record) else usual(record))
    if not 0 < hours <= most(record):
        objection = Objection("pbem/exchange", f"an extension has 1 to {most(record)} hours")
        raise Illegal(str(hours), [objection], [f"extend {most(record)} hours"])
    if any(event.payload["seat"] == seat for event in standing(record)):
        raise NotOpen("you have asked for it already; the others or the game master must agree")
    asked = NewEvent(ASKED, {"seat": seat, "exchange": record.open_exchange, "hours": hours})
    if taken_by_right(record, seat) < timing_of(record).extensions:
        return [asked, *_granted(deadline, seat, hours, BY_RIGHT)]
    agreed = {*(event.payload["seat"] for event in standing(record)), seat}
    if agreed >= set(players(record)):
        least = min(hours, *(event.payload["hours"] for event in standing(record)))
        return [asked, *_granted(deadline, seat, least, BY_ALL)]
    return [asked]


def _granted(deadline: Deadline, seat: str, hours: int, by: str) -> list[NewEvent]:
    payload = {"seat": seat, "exchange": deadline.exchange, "hours": hours, "by": by}
    why = f"extended for {seat}" if by == BY_RIGHT else "extended, as all agreed"
    later = moved(deadline, hours * HOUR, why, "extension")
    return [NewEvent("extension.granted", payload), set_event(later)]


def standing(record: Record) -> list[Event]:
    """Who has asked for more time in the open exchange without getting it yet."""
    found: list[Event] = []
    for event in record.events:
        here = event.payload.get("exchange") == record.open_exchange
        if event.type == ASKED and here:
            found.append(event)
        elif event.type == "extension.granted" or (
            event.type == "master.acted" and event.payload["act"] in ("extend", "pause")
        ):
            found = []
    return found


def taken_by_right(record: Record, seat: str) -> int:
    """How often the present occupant of a seat has had more time for the asking."""
    since = record.occupants.get(seat, {}).get("since", 0)
    return sum(
        event.type == "extension.granted"
        and event.version > since
        and (event.payload["seat"], event.payload["by"]) == (seat, BY_RIGHT)
        for event in record.events
    )


def players(record: Record) -> list[str]:
    """The seats of people."""
    return [seat for seat, taken in sorted(record.occupants.items()) if not taken["account"].startswith(BOT)]


def usual(record: Record) -> int:
    return min(USUAL, timing_of(record).hours or USUAL)


def most(record: Record) -> int:
    return max(USUAL, timing_of(record).hours)
