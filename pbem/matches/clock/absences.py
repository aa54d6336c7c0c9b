"""Absences: times in which a player cannot answer, in all of their matches.

An absence puts off the deadlines that are still to be announced. A deadline already announced stays. Where a side has
several seats, a deadline is put off only while all of them are away: one player's absence costs that seat, not the
side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

import msgspec

from eventstore import Transaction
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.matches.accounts.accounts import append, stream_of
from pbem.matches.accounts.names import BOT
from pbem.matches.clock.causes import WEEKDAYS, moment
from pbem.matches.clock.deadline_rules import Away
from pbem.matches.clock.deadlines import DAY, now
from pbem.matches.events import AbsenceEnded, AbsenceSaid, each
from pbem.matches.history.record import Record
from pbem.matches.names import seat_word
from pbem.matches.server import Server

LONGEST = 92 * DAY
EXAMPLE = "absent 1 May to 8 May"
FURTHEST = 5
"""How many years ahead a date may be."""
MOST = 12
"""The most upcoming absences that an account may have."""


class Absence(msgspec.Struct, frozen=True):
    since: int
    until: int


def absences(server: Server, account: str) -> list[Absence]:
    """Return an account's absences that were not cancelled, earliest first."""
    found: list[Absence] = []
    for event, what in each(server.store.read(stream_of(account)), AbsenceSaid, AbsenceEnded):
        if isinstance(what, AbsenceSaid):
            found.append(Absence(what.since, what.until))
        else:
            found = [absence for absence in found if absence.since < event.recorded_at]
            found = [Absence(one.since, min(one.until, event.recorded_at)) for one in found]
    return sorted(found, key=lambda absence: absence.since)


def coming(server: Server, account: str) -> list[Absence]:
    """The absences that are not yet over."""
    return [absence for absence in absences(server, account) if absence.until > now(server)]


def announce(server: Server, transaction: Transaction, account: str, since: int, until: int) -> None:
    """Record that an account will be away."""
    at = now(server)
    if until <= since or until <= at:
        raise _refuse(say("this absence ends before it begins, or is already over"))
    if until - max(since, at) > LONGEST:
        raise _refuse(
            say(
                "an absence can last at most {longest} days; for a longer one, hand your seat to a substitute",
                longest=LONGEST // DAY,
            )
        )
    if len(coming(server, account)) >= MOST:
        raise _refuse(say("you can announce at most {most} absences in advance", most=MOST))
    append(transaction, AbsenceSaid(account, since, until))


def come_back(server: Server, transaction: Transaction, account: str) -> None:
    """End the current absence now and cancel all upcoming ones."""
    if not coming(server, account):
        raise _refuse(say("you have no absence to cancel"))
    append(transaction, AbsenceEnded(account))


def away_of(server: Server, record: Record, seats: Iterable[str]) -> list[Away]:
    """Return the times during which the occupants of these seats are away, except absences that are over."""
    return [
        Away(seat, absence.since, absence.until)
        for seat in sorted(seats)
        if (account := record.occupants.get(seat, {}).get("account", BOT)) and not account.startswith(BOT)
        for absence in coming(server, account)
    ]


def sides_away(server: Server, record: Record, seats: Iterable[str]) -> list[Away]:
    """Return the times in which a whole side is away: all of its players who are asked are absent at once."""
    teams: dict[str, list[str]] = {}
    for seat in sorted(seats):
        account = record.occupants.get(seat, {}).get("account", BOT)
        if not account.startswith(BOT):
            teams.setdefault(record.sides.get(seat, seat), []).append(seat)
    return [
        away for team in teams.values() for away in common_absences(away_of(server, record, [seat]) for seat in team)
    ]


def common_absences(times: Iterable[Sequence[Away]]) -> list[Away]:
    """The times that are in every one of these lists."""
    first, *others = times
    found = list(first)
    for other in others:
        found = [
            Away(one.seat, max(one.since, two.since), min(one.until, two.until))
            for one in found
            for two in other
            if max(one.since, two.since) < min(one.until, two.until)
        ]
    return found


def in_sentences(server: Server, record: Record) -> list[Message]:
    """The absences of all occupants, in sentences that everyone may read."""
    return [
        say(
            "{seat} is away from {since} until {until}.",
            seat=seat_word(server, away.seat),
            since=moment(away.since),
            until=moment(away.until),
        )
        for away in away_of(server, record, record.seats)
    ]


# Days --------------------------------------------------------------------------------------------------------


def date_of(day: str, today: date) -> date:
    """Return the date that a day refers to: without a year, the next such day from today."""
    try:
        found = _date_of(day, today)
    except (ValueError, OverflowError):
        raise Unreadable(day, [Objection("pbem/absence", say("that day does not exist"))], [EXAMPLE]) from None
    if found.year > today.year + FURTHEST:
        raise Unreadable(day, [Objection("pbem/absence", say("that day is too far ahead"))], [EXAMPLE])
    return found


def _date_of(day: str, today: date) -> date:
    if day.startswith("+"):
        return today + timedelta(days=int(day))
    if day in WEEKDAYS:
        return today + timedelta(days=(WEEKDAYS.index(day) - today.weekday()) % 7)
    if day.count("-") == 2:
        return date(*map(int, day.split("-")))
    month, number = map(int, day.split("-"))
    found = date(today.year, month, number)
    return found if found >= today else date(today.year + 1, month, number)


def _refuse(why: Message | str) -> Illegal:
    return Illegal("absent", [Objection("pbem/absence", why)], [EXAMPLE])
