"""Compute deadlines: a pure function of the agreed settings and the record, with an explanation.

    Timing, read_timing        the settings agreed when the match was created
    due_at                     the deadline of an exchange, step by step
      add_hours                  its hours, whole days on the calendar
      put_off                    not while an asked player is away
      into_hours                 only on the agreed weekdays and between the agreed hours
    local, instant             a zone's clock, also where it is set forward or back

Instants are milliseconds since 1970. A day of a cadence ends at the same time of day in the match's zone, whether or
not its clock is changed in between; a time of day that the change skips or repeats means the later of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

import msgspec

from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.text.messages import Message, Several, say, several
from pbem.matches.clock import causes
from pbem.matches.clock.causes import WEEKDAYS, Cause, hours_in_words, length_in_words, local

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

Policy = Literal["doctrine", "default", "wait", "substitute", "forfeit"]
MOST_HOURS = 24 * 366


class Timing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The deadline settings of a match.

    `hours` is the time for an exchange (0: no deadline), and `by_kind` the time for certain kinds of ask. A deadline
    falls on the `weekdays` (all days if none are named) `between` two hours of the `zone`. A seat without orders by
    then has `grace` more hours. Each seat may claim this many `extensions`, and has `bank` hours that are used
    automatically.

    A seat that still has no orders has missed the deadline. Then its standing orders or the rules' default answer,
    the match waits for it, a substitute takes over, or the seat forfeits. The last two happen at the `patience`th
    deadline missed in a row; until then its standing orders answer.
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
    """When an exchange stops taking answers, and why. `cause` is the last reason that set or moved it.

    `stored` is the explanation in English that older records have instead of `causes`.
    """

    exchange: int
    at: int
    causes: tuple[Cause, ...] = ()
    grace: int = 0
    cause: str = ""
    stored: str = ""

    def why(self, name: Callable[[str], Message]) -> Message | Several:
        """Explain the deadline to a reader; `name` returns the display name of a seat."""
        return causes.in_words(self.causes, self.stored, name)

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
        yield Illegal(
            "patience",
            [
                _objection(
                    say(
                        "the number of extensions must be 0 or more, and the number of missed deadlines that are "
                        "tolerated 1 or more"
                    )
                )
            ],
        )


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
    at = add_hours(opened_at, hours, zone)
    why = [Cause("opened", hours=hours, at=opened_at, zone=timing.zone)]
    at = put_off(opened_at, at, away, zone, why)
    at = into_hours(at, timing, away, why)
    return Deadline(exchange, at, tuple(why), timing.grace * HOUR, "opened")


def hours_for(timing: Timing, kinds: Iterable[str]) -> int:
    """The longest time that these kinds of ask allow; there is no deadline only if no kind has one."""
    return max((timing.by_kind.get(kind, timing.hours) for kind in kinds), default=timing.hours)


def add_hours(opened_at: int, hours: int, zone: ZoneInfo) -> int:
    """Add whole days on the zone's calendar, then the remaining hours as elapsed time."""
    days, rest = divmod(hours, 24)
    at = instant(local(opened_at, zone) + timedelta(days=days), zone) if days else opened_at
    return at + rest * HOUR


def put_off(opened_at: int, at: int, away: Sequence[Away], zone: ZoneInfo, why: list[Cause]) -> int:
    """Postpone a deadline by the time in which an asked player is away; overlapping absences count once."""
    opened, due = local(opened_at, zone), local(at, zone)
    passed = opened
    for absence in sorted(away, key=lambda absence: (absence.since, absence.until)):
        since, until = max(passed, local(absence.since, zone)), local(absence.until, zone)
        if since < due and since < until:
            due, passed = due + (until - since), until
            why.append(Cause("away", seats=(absence.seat,), at=absence.until, zone=zone.key))
    return at if passed == opened else instant(due, zone)


def into_hours(at: int, timing: Timing, away: Sequence[Away], why: list[Cause]) -> int:
    """Return the first moment from then on at which a deadline may fall and no asked player is away."""
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
        allowed = {"weekdays": timing.weekdays, "between": timing.between}
        why.append(Cause("fitted", at=at, zone=timing.zone, **allowed))  # type: ignore[arg-type]
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


def postpone(deadline: Deadline, by: int, why: Cause, cause: str = "") -> Deadline:
    """Return the deadline moved for this reason."""
    moved = msgspec.structs.replace(why, by=by)
    return msgspec.structs.replace(
        deadline, at=deadline.at + by, causes=(*deadline.causes, moved), cause=cause or deadline.cause
    )


def remind_at(deadline: Deadline, opened_at: int) -> int:
    """Return when to remind: a day before the deadline, or when a quarter of the time is left if that is later."""
    return deadline.at - min(DAY, max(0, deadline.at - opened_at) // 4)


# Clocks ------------------------------------------------------------------------------------------------------


def instant(moment: datetime, zone: ZoneInfo) -> int:
    """Return when a zone's clocks show this time. A time that they skip or show twice means the later of the two."""
    readings = (moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    return max((reading.astimezone(UTC) - epoch) // timedelta(milliseconds=1) for reading in readings)


def in_words(at: int, zone: str = "UTC") -> str:
    """An instant in English, for logs and the command line."""
    shown = local(at, ZoneInfo(zone))
    return f"{shown:%a} {shown.day} {shown:%b %Y, %H:%M} {zone}"


MISSED_IN_WORDS: dict[str, Message] = {
    "doctrine": say(
        "If a player sends nothing, their standing orders answer; where they say nothing, the rules' defaults apply."
    ),
    "default": say("If a player sends nothing, the rules' defaults answer for them."),
    "wait": say("If a player sends nothing, the match waits for them."),
    "substitute": say("If a player sends nothing, a substitute takes their seat."),
    "forfeit": say("If a player sends nothing, they forfeit the match."),
}


def agreed_in_words(timing: Timing) -> Message | Several:
    """Explain a match's deadlines to someone who may take a seat."""
    if not timing.hours:
        return say("There are no deadlines: a turn is played when all orders are final.")
    told = [say("Time for orders: {length}", length=length_in_words(timing.hours))]
    if timing.weekdays or timing.between != (0, 24):
        allowed = hours_in_words(timing.weekdays, timing.between)
        told.append(say("{hours} ({zone})", hours=allowed, zone=timing.zone))
    if timing.grace:
        told.append(say("a seat that has sent nothing gets {length} more", length=length_in_words(timing.grace)))
    if timing.bank:
        length = length_in_words(timing.bank)
        told.append(say("each player has a time bank of {length} for late orders", length=length))
    agreed = say("{agreed}.", agreed=several(told, "clauses"))
    return several([agreed, _missed_in_words(timing)], "sentences")


def _missed_in_words(timing: Timing) -> Message:
    """What happens to a player who sends nothing."""
    if timing.patience > 1 and timing.missed == "substitute":
        return say(
            "If a player sends nothing {times} times in a row, a substitute takes their seat.", times=timing.patience
        )
    if timing.patience > 1 and timing.missed == "forfeit":
        return say("If a player sends nothing {times} times in a row, they forfeit the match.", times=timing.patience)
    return MISSED_IN_WORDS[timing.missed]
