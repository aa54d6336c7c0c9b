"""Extensions: more time for the open exchange, asked for by a seat.

Each seat may claim a few by right. Further ones are granted by the game master, or by all other players asking too.
"""

from __future__ import annotations

from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import say
from pbem.matches.accounts.names import BOT
from pbem.matches.clock.causes import Cause
from pbem.matches.clock.deadlines import HOUR, Deadline, deadline_of, postpone, set_event, timing_of
from pbem.matches.events import ExtensionAsked, ExtensionGranted, MasterActed, MatchEvent, each
from pbem.matches.exchange.checks import NotOpen
from pbem.matches.history.record import Record

USUAL = 24
"""The length, in hours, of an extension whose request names no length."""

ASKED = ExtensionAsked.word
BY_RIGHT, BY_ALL = "right", "agreement"


def ask(record: Record, seat: str, hours: int, at: int) -> list[MatchEvent]:
    """Ask for more time; if it is granted at once, the new deadline comes with it."""
    deadline = deadline_of(record)
    if deadline is None or record.closing or record.halted:
        raise NotOpen(say("these orders have no deadline to extend"))
    if at > deadline.closes_at:
        raise NotOpen(say("the deadline has passed"))
    hours = hours or (standing(record)[0].hours if standing(record) else usual(record))
    if not 0 < hours <= most(record):
        objection = Objection("pbem/exchange", say("an extension can be 1 to {most} hours long", most=most(record)))
        raise Illegal(str(hours), [objection], [f"extend {most(record)} hours"])
    if any(asked.seat == seat for asked in standing(record)):
        raise NotOpen(say("you have already asked for more time; the other players or the game master must agree"))
    asked = ExtensionAsked(seat, record.open_exchange, hours)
    if taken_by_right(record, seat) < timing_of(record).extensions:
        return [asked, *_grant(deadline, seat, hours, BY_RIGHT)]
    agreed = {*(other.seat for other in standing(record)), seat}
    if agreed >= set(players(record)):
        least = min(hours, *(other.hours for other in standing(record)))
        return [asked, *_grant(deadline, seat, least, BY_ALL)]
    return [asked]


def _grant(deadline: Deadline, seat: str, hours: int, by: str) -> list[MatchEvent]:
    why = Cause("extended", seats=(seat,)) if by == BY_RIGHT else Cause("agreed")
    later = postpone(deadline, hours * HOUR, why, "extension")
    return [ExtensionGranted(seat, deadline.exchange, hours, by), set_event(later)]


def standing(record: Record) -> list[ExtensionAsked]:
    """Return the seats with a pending request for more time in the open exchange."""
    found: list[ExtensionAsked] = []
    for _, what in each(record.events, ExtensionAsked, ExtensionGranted, MasterActed):
        if isinstance(what, ExtensionAsked):
            found += [what] if what.exchange == record.open_exchange else []
        elif not isinstance(what, MasterActed) or what.act in ("extend", "pause"):
            found = []
    return found


def taken_by_right(record: Record, seat: str) -> int:
    """How many extensions by right the present occupant of a seat has used."""
    since = record.occupants.get(seat, {}).get("since", 0)
    return sum(
        event.version > since and (granted.seat, granted.by) == (seat, BY_RIGHT)
        for event, granted in each(record.events, ExtensionGranted)
    )


def players(record: Record) -> list[str]:
    """The seats occupied by people."""
    return [seat for seat, taken in sorted(record.occupants.items()) if not taken["account"].startswith(BOT)]


def usual(record: Record) -> int:
    return min(USUAL, timing_of(record).hours or USUAL)


def most(record: Record) -> int:
    return max(USUAL, timing_of(record).hours)
