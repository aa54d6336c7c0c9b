"""Why a deadline falls when it does: data on record, put into words for each reader.

Cause         one step: what set or moved the deadline, with its numbers
in_words      the steps for a reader, or the English that older records have instead
moment, day_in_words, span_in_words, length_in_words    times as readers see them
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from pbem.engine.text.messages import Message, Several, as_message, say, say_n, several, term

MINUTE = 60 * 1000
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Cause(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One step that set or moved a deadline.

    `by` is how far it moved in milliseconds, `at` an instant that the step names, `said` a person's own reason.
    """

    code: str
    by: int = 0
    at: int = 0
    hours: int = 0
    seats: tuple[str, ...] = ()
    weekdays: tuple[str, ...] = ()
    between: tuple[int, int] = (0, 24)
    zone: str = "UTC"
    said: str = ""


def in_words(
    causes: Iterable[Cause], stored: str = "", name: Callable[[str], Message] = as_message
) -> Message | Several:
    """Tell a reader why a deadline falls when it does; `stored` is the English of older records.

    `name` returns the display name of a seat.
    """
    told = [*([as_message(stored)] if stored else []), *(_step(cause, name) for cause in summed(causes))]
    return several(told, "clauses")


def summed(causes: Iterable[Cause]) -> list[Cause]:
    """The steps, with those that follow one another for the same reason added up, such as several short outages."""
    found: list[Cause] = []
    for cause in causes:
        last = found[-1] if found else None
        if last is not None and cause.by * last.by > 0 and msgspec.structs.replace(cause, by=last.by) == last:
            found[-1] = msgspec.structs.replace(last, by=last.by + cause.by)
        else:
            found.append(cause)
    return found


def _step(cause: Cause, name: Callable[[str], Message]) -> Message:
    if cause.code in STEPS_OF_SEATS:
        told = STEPS_OF_SEATS[cause.code](cause, several(name(seat) for seat in cause.seats))
    else:
        told = STEPS[cause.code](cause) if cause.code in STEPS else as_message(cause.code)
    if not cause.by:
        return told
    span = span_in_words(abs(cause.by))
    if cause.by > 0:
        return say("{why}: postponed by {span}", why=told, span=span)
    return say("{why}: brought forward by {span}", why=told, span=span)


def _say_opened(cause: Cause) -> Message:
    return say("{length} after {when}", length=length_in_words(cause.hours), when=moment(cause.at, cause.zone))


def _away(cause: Cause, seats: Several) -> Message:
    return say("{seat} is away until {when}", seat=seats, when=moment(cause.at, cause.zone))


def _say_fitted(cause: Cause) -> Message:
    allowed = hours_in_words(cause.weekdays, cause.between)
    return say("moved to {when}: {hours}", when=moment(cause.at, cause.zone), hours=allowed)


def _say_paused(cause: Cause) -> Message:
    if not cause.said:
        return say("paused by the game master")
    return say("paused by the game master ({reason})", reason=cause.said)


def _say_granted(cause: Cause) -> Message:
    if not cause.said:
        return say("extended by the game master")
    return say("extended by the game master ({reason})", reason=cause.said)


STEPS: dict[str, Callable[[Cause], Message]] = {
    "opened": _say_opened,
    "fitted": _say_fitted,
    "agreed": lambda cause: say("extended by agreement of all players"),
    "outage": lambda cause: say("the server was down"),
    "clock": lambda cause: say("the server's clock was changed"),
    "held": lambda cause: say("the server was on hold"),
    "halted": lambda cause: say("the match was halted"),
    "dispute": lambda cause: say("a dispute was open"),
    "paused": _say_paused,
    "resumed": lambda cause: say("continued on {when}", when=moment(cause.at, cause.zone)),
    "granted": _say_granted,
    "hold": lambda cause: say("put on hold by the game master"),
    "substitute": lambda cause: say("a substitute has taken the seat"),
    "newcomer": lambda cause: say("a new player gets a week"),
}
"""What set or moved a deadline, by code. A code on record never changes; its words may."""
STEPS_OF_SEATS: dict[str, Callable[[Cause, Several], Message]] = {
    "away": _away,
    "extended": lambda cause, seats: say("extended for {seat}", seat=seats),
    "bank": lambda cause, seats: say("{seats} drew on the time bank", seats=seats),
}
"""The codes whose words name seats."""


def hours_in_words(weekdays: Iterable[str], between: tuple[int, int]) -> Message:
    """Say on which days and between which hours deadlines fall."""
    named = set(weekdays)
    days = several((WEEKDAY_WORDS[place] for place, day in enumerate(WEEKDAYS) if day in named), "unit")
    first, last = f"{between[0]}:00", f"{between[1]}:00"
    if between == (0, 24):
        return say("deadlines fall on {days}", days=days) if named else say("deadlines fall on any day")
    if named:
        return say("deadlines fall on {days} between {first} and {last}", days=days, first=first, last=last)
    return say("deadlines fall between {first} and {last}", first=first, last=last)


# Times -------------------------------------------------------------------------------------------------------


def local(at: int, zone: ZoneInfo) -> datetime:
    """Return a moment as the local time in a zone."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)).astimezone(zone).replace(tzinfo=None)


def moment(at: int, zone: str = "UTC") -> Message:
    """An instant on the clock of a zone, for a reader."""
    shown = local(at, ZoneInfo(zone))
    return say("{day}, {time} {zone}", day=day_in_words(shown), time=f"{shown:%H:%M}", zone=zone)


def day_in_words(day: date) -> Message:
    """A day with its weekday, for a reader."""
    weekday, month = WEEKDAY_WORDS[day.weekday()], MONTH_WORDS[day.month - 1]
    return say("{weekday} {day} {month} {year}", weekday=weekday, day=day.day, month=month, year=day.year)


WEEKDAY_WORDS = (
    *(term("weekday", "Mon"), term("weekday", "Tue"), term("weekday", "Wed"), term("weekday", "Thu")),
    *(term("weekday", "Fri"), term("weekday", "Sat"), term("weekday", "Sun")),
)
MONTH_WORDS = (
    *(term("month", "Jan"), term("month", "Feb"), term("month", "Mar"), term("month", "Apr")),
    *(term("month", "May"), term("month", "Jun"), term("month", "Jul"), term("month", "Aug")),
    *(term("month", "Sep"), term("month", "Oct"), term("month", "Nov"), term("month", "Dec")),
)


def length_in_words(hours: int) -> Message:
    """A length of time that was agreed on: days if it is whole days, otherwise hours."""
    if hours % 24 == 0 and hours > 0:
        return say_n("{n} day", "{n} days", n=hours // 24)
    return say_n("{n} hour", "{n} hours", n=hours)


def span_in_words(length: int) -> Several:
    """A length of time in words, such as 2 h 5 min or 3 days 4 h."""
    hours, minutes = divmod(round(length / MINUTE), 60)
    days, hours = divmod(hours, 24) if hours >= 72 else (0, hours)
    told = [say_n("{n} day", "{n} days", n=days)] if days else []
    told += [say("{hours} h", hours=hours)] if hours else []
    told += [say("{minutes} min", minutes=minutes)] if minutes or not told else []
    return several(told, "sentences")
