"""Compute deadlines: a pure function of the agreed settings and the record, with an explanation.

    Timing, read_timing        what a match has agreed on at its creation
    due_at                     the deadline of an exchange, step by step
      add_hours                  its hours, whole days on the calendar
      put_off                    not while an asked player is away
      into_hours                 only on the agreed weekdays and between the agreed hours
    local, instant             a zone's clock, also where it is set forward or back

Instants are milliseconds since 1970. A day of a cadence ends at the same time of day in the match's zone, whether or
not its clock is changed in between; a time of day that the change leaves out or repeats is the later one it can mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

import msgspec

from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.messages import Message, say

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
Policy = Literal["doctrine", "default", "wait", "substitute", "forfeit"]
MOST_HOURS = 24 * 366


class Timing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The deadline settings of a match.

    `hours` is the time for an exchange (0: no deadline), `by_kind` that for other kinds of ask. A deadline falls on
    the `weekdays` (none named: all) `between` two hours of the `zone`. A seat without orders by then has `grace`
    more hours. Each seat gets so many `extensions` for the asking, and has `bank` hours that are used by
    themselves.

    A seat that still has none has missed the deadline: its standing orders or the rules' default answer, the match
    waits for it, a substitute takes over, or it forfeits. The last two happen at the `patience`th deadline missed
    in a row; until then doctrine answers.
    """

    hours: int = 0
    by_kind: dict[str, int] = {}
    zone: str = "UTC"
    weekdays: tuple[str, ...] = ()
    between: tuple[int, int] = (0, 24)
    grace: int = 0
    extensions: int = 1
    bank: int = 0
    missed: Policy = "doctrine"
    patience: int = 1
    disputes: Literal["go on", "wait"] = "go on"
    """Whether exchanges close while a dispute is open."""


class Away(msgspec.Struct, frozen=True):
    """A time in which the occupant of a seat cannot answer."""

    seat: str
    since: int
    until: int


class Deadline(msgspec.Struct, frozen=True, omit_defaults=True):
    """When an exchange stops taking answers, and why. `cause` is the last reason that set or moved it."""

    exchange: int
    at: int
    why: str
    grace: int = 0
    cause: str = ""

    @property
    def closes_at(self) -> int:
        """Return when the exchange closes even if a seat has sealed nothing."""
        return self.at + self.grace


# Settings ---------------------------------------------------------------------------------------------


def read_timing(said: Mapping[str, Any]) -> Timing:
    """Return the settings of a match, or refuse them and name every mistake."""
    try:
        timing = msgspec.convert(dict(said), Timing, strict=True)
    except msgspec.ValidationError as problem:
        raise Unreadable("timing", [Objection("pbem/deadline", str(problem))]) from problem
    if refusals := list(_timing_refusals(timing)):
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return timing


def _timing_refusals(timing: Timing) -> Iterable[Refusal]:
    for name, hours in (
        ("hours", timing.hours),
        ("grace", timing.grace),
        ("bank", timing.bank),
        *sorted(timing.by_kind.items()),
    ):
        if not 0 <= hours <= MOST_HOURS:
            yield Illegal(
                name,
                [_objection(say("give a number of hours up to {most_hours}", most_hours=MOST_HOURS))],
                ["0", "48"],
            )
    if not is_zone(timing.zone):
        yield Unreadable(timing.zone, [_objection(say("no time zone has that name"))], ["UTC", "Europe/Berlin"])
    for day in timing.weekdays:
        if day not in WEEKDAYS:
            yield Unreadable(day, [_objection(say("that is not a weekday"))], WEEKDAYS)
    first, last = timing.between
    if not 0 <= first < last <= 24:
        yield Illegal("between", [_objection(say("give two hours of the day, the earlier one first"))], ["8 22"])
    if timing.extensions < 0 or timing.patience < 1:
        yield Illegal("patience", [_objection(say("extensions must be 0 or more, and patience 1 or more"))])


def is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def _objection(why: Message | str) -> Objection:
    return Objection("pbem/deadline", why)


POLICIES: tuple[str, ...] = get_args(Policy)


# Reckoning ---------------------------------------------------------------------------------------------------


def due_at(
    exchange: int, opened_at: int, timing: Timing, *, kinds: Iterable[str] = (), away: Sequence[Away] = ()
) -> Deadline | None:
    """Return the deadline of an exchange opened at that time with asks of these kinds; None if it has none."""
    hours = hours_for(timing, kinds)
    if hours <= 0:
        return None
    zone = ZoneInfo(timing.zone)
    at, why = (
        add_hours(opened_at, hours, zone),
        [f"{length_in_words(hours)} after {in_words(opened_at, timing.zone)}"],
    )
    at = put_off(opened_at, at, away, zone, why)
    at = into_hours(at, timing, away, why)
    return Deadline(exchange, at, "; ".join(why), timing.grace * HOUR, "opened")


def hours_for(timing: Timing, kinds: Iterable[str]) -> int:
    """The longest time that the kinds of ask call for; none of them is without a deadline unless all are."""
    return max((timing.by_kind.get(kind, timing.hours) for kind in kinds), default=timing.hours)


def add_hours(opened_at: int, hours: int, zone: ZoneInfo) -> int:
    """Whole days on the calendar of the zone, then the hours that are left as they pass."""
    days, rest = divmod(hours, 24)
    at = instant(local(opened_at, zone) + timedelta(days=days), zone) if days else opened_at
    return at + rest * HOUR


def put_off(opened_at: int, at: int, away: Sequence[Away], zone: ZoneInfo, why: list[str]) -> int:
    """Time in which an asked player is away does not count; overlapping absences are deducted once."""
    opened, due = local(opened_at, zone), local(at, zone)
    passed = opened
    for absence in sorted(away, key=lambda absence: (absence.since, absence.until)):
        since, until = max(passed, local(absence.since, zone)), local(absence.until, zone)
        if since < due and since < until:
            due, passed = due + (until - since), until
            why.append(f"{absence.seat} is away until {in_words(absence.until, zone.key)}")
    return at if passed == opened else instant(due, zone)


def into_hours(at: int, timing: Timing, away: Sequence[Away], why: list[str]) -> int:
    """The first moment from then on that is agreed for deadlines and finds everybody at home."""
    zone, before = ZoneInfo(timing.zone), at
    moved = True
    while moved:
        moved = False
        if (fitting := _next_fitting(at, timing, zone)) != at:
            at, moved = fitting, True
        for absence in away:
            if absence.since < at < absence.until:
                at, moved = absence.until, True
    if at != before:
        why.append(f"moved to {in_words(at, timing.zone)}: {_hours_in_words(timing)}")
    return at


def _next_fitting(at: int, timing: Timing, zone: ZoneInfo) -> int:
    first, last = timing.between
    moment = local(at, zone)
    while True:
        start = moment.replace(hour=0, minute=0, second=0, microsecond=0)
        allowed = not timing.weekdays or WEEKDAYS[moment.weekday()] in timing.weekdays
        if allowed and moment <= start + timedelta(hours=last):
            wanted = max(moment, start + timedelta(hours=first))
            return at if wanted == local(at, zone) else instant(wanted, zone)
        moment = start + timedelta(days=1)


def _hours_in_words(timing: Timing) -> str:
    days = " ".join(day.title() for day in WEEKDAYS if day in timing.weekdays) or "every day"
    first, last = timing.between
    return f"deadlines fall {days}" + (f" between {first}:00 and {last}:00" if (first, last) != (0, 24) else "")


def postpone(deadline: Deadline, by: int, why: str, cause: str = "") -> Deadline:
    return msgspec.structs.replace(
        deadline,
        at=deadline.at + by,
        why=f"{deadline.why}; {why}: {span_in_words(abs(by))} {'later' if by >= 0 else 'earlier'}",
        cause=cause or deadline.cause,
    )


def remind_at(deadline: Deadline, opened_at: int) -> int:
    """A day before, or when a quarter of the time is left if that is later."""
    return deadline.at - min(DAY, max(0, deadline.at - opened_at) // 4)


# Clocks ------------------------------------------------------------------------------------------------------


def local(at: int, zone: ZoneInfo) -> datetime:
    """Return the local time of a zone."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)).astimezone(zone).replace(tzinfo=None)


def instant(moment: datetime, zone: ZoneInfo) -> int:
    """When the clocks of a zone show this. A time that they skip or show twice is the later one it can mean."""
    readings = (moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    return max((reading.astimezone(UTC) - epoch) // timedelta(milliseconds=1) for reading in readings)


def in_words(at: int, zone: str = "UTC") -> str:
    shown = local(at, ZoneInfo(zone))
    return f"{shown:%a} {shown.day} {shown:%b %Y, %H:%M} {zone}"


def length_in_words(hours: int) -> str:
    if hours % 24 == 0 and hours > 0:
        return f"{hours // 24} days" if hours > 24 else "1 day"
    return f"{hours} hours" if hours != 1 else "1 hour"


MISSED_IN_WORDS: dict[str, str] = {
    "doctrine": "their standing orders answer; where they say nothing, the rules' defaults apply",
    "default": "the rules' defaults answer for them",
    "wait": "the match waits for them",
    "substitute": "a substitute takes their seat",
    "forfeit": "they forfeit the match",
}


def agreed_in_words(timing: Timing) -> str:
    """Explain a match's deadlines to someone who may take a seat."""
    if not timing.hours:
        return "There are no deadlines: a turn runs when all orders are final."
    said = [f"Time for orders: {length_in_words(timing.hours)}"]
    if timing.weekdays or timing.between != (0, 24):
        said.append(f"{_hours_in_words(timing)} ({timing.zone})")
    if timing.grace:
        said.append(f"a seat that has sent nothing has {length_in_words(timing.grace)} more")
    if timing.bank:
        said.append(f"each player has a time bank of {length_in_words(timing.bank)} for late orders")
    often = f" {timing.patience} times in a row" if timing.patience > 1 else ""
    often = often if timing.missed in ("substitute", "forfeit") else ""
    return f"{'; '.join(said)}. If a player sends nothing{often}, {MISSED_IN_WORDS[timing.missed]}."


def span_in_words(length: int) -> str:
    """2 h 5 min; 3 days 4 h."""
    hours, minutes = divmod(round(length / MINUTE), 60)
    days, hours = divmod(hours, 24) if hours >= 72 else (0, hours)
    said = (f"{days} days" if days else "", f"{hours} h" if hours else "", f"{minutes} min" if minutes else "")
    return " ".join(filter(None, said)) or "0 min"
