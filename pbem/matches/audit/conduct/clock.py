"""Deadlines, more time and missed deadlines: what was agreed on, and the acts that allow to depart from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore import Event
from pbem.matches.audit.conduct.course import HOUR, Announced, Course, Judge
from pbem.matches.audit.problems import Problem

MINUTE = 60_000
BOT = "bot-"
CLOCK_CHANGE = 2 * HOUR
"""By so much a day on the calendar can be shorter, where clocks are changed."""


# Deadlines ---------------------------------------------------------------------------------------------------


def _deadline(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    new, old = Announced(said["at"], said.get("grace", 0)), course.deadlines.get(said["exchange"])
    wrong = ""
    if said["exchange"] != course.open or not course.takes_orders:
        wrong = f"it announces a deadline of exchange {said['exchange']}, which was not open"
    elif old is None:
        wrong = _first(course, event, new)
    elif new.at < old.at or new.closes_at < old.closes_at:
        if not _may_be_earlier(course, said.get("cause", ""), old.at - new.at):
            wrong = "it moves an announced deadline to an earlier time"
    elif new.closes_at > old.closes_at and not _may_be_later(course, said.get("cause", ""), new.at - old.at):
        wrong = "it moves a deadline to a later time, and nothing allows that"
    if wrong:
        yield Problem(event.version, wrong, "deadline-moved")


def _first(course: Course, event: Event, new: Announced) -> str:
    """Return what is wrong with the first deadline of an exchange: it gives the time that was agreed on, or more."""
    hours = _agreed(course)
    least = course.opened_at + hours * HOUR - (CLOCK_CHANGE if hours >= 24 else 0)
    if hours <= 0:
        return "it announces a deadline in a match that has agreed on none"
    if new.at < event.recorded_at:
        return "it announces a deadline that had already passed"
    if new.at < least or new.grace < course.timing.get("grace", 0) * HOUR:
        return "it gives less time than the match had agreed on"
    return ""


def _agreed(course: Course) -> int:
    """The hours that were agreed on for what is asked; the least that it can be where that is not known."""
    hours, by_kind = course.timing.get("hours", 0), course.timing.get("by_kind", {})
    if course.asks is None:
        known = (hours, course.created.get("battle_hours", 0), *by_kind.values())
        return min((one for one in known if one > 0), default=0)
    if course.asks and not {ask["seat"] for ask in course.asks} & set(course.seats):
        return int(course.created.get("battle_hours", 0))
    return int(max((by_kind.get(ask["kind"], hours) for ask in course.asks), default=hours))


def _may_be_earlier(course: Course, cause: str, by: int) -> bool:
    """When a pause ends, what is left of it is taken off. Otherwise only a wrong clock is put right like this."""
    if cause == "outage":
        return True
    exchange, until = course.pause_ended
    if course.before is None or not course.acted("go on") or exchange != course.open:
        return False
    return by <= until - course.before.recorded_at + MINUTE


def _may_be_later(course: Course, cause: str, by: int) -> bool:
    before = course.before.payload if course.before is not None else {}
    if cause == "extension":
        hours = before.get("hours", 0) if course.acted("extend") else course.granted
        return by <= hours * HOUR
    allowed = {
        "outage": True,
        "pause": course.acted("pause", "release") or course.follows("dispute.settled"),
        "substitute": course.follows("seat.taken"),
        "halt": course.resumed,
        "newcomer": course.created["title"] == "campaign" or "battle" in course.created.get("origin", {}),
    }
    return allowed.get(cause, False)


def _missed(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """A deadline is missed by people who are asked and have sealed nothing, once it has fallen."""
    deadline = course.deadlines.get(course.open)
    asked = course.seats if course.asks is None else [ask["seat"] for ask in course.asks]
    if said["exchange"] != course.open or deadline is None or event.recorded_at < deadline.at:
        yield Problem(event.version, "it notes a missed deadline before one has fallen", "missed")
    elif wrong := [one for one in said["seats"] if one not in asked or one in course.sealed]:
        yield Problem(event.version, f"{', '.join(wrong)} had missed no deadline", "missed")


def _sealed(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said.get("accepted", course.opened_at) < course.opened_at:
        yield Problem(event.version, "it was accepted before it was asked for", "dated")


# More time ---------------------------------------------------------------------------------------------------


def _asked(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said["seat"] not in course.occupants or said["exchange"] != course.open or not course.takes_orders:
        yield Problem(event.version, "more time was asked for by an empty seat, or out of turn", "deadline-moved")


def _granted(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """Check an extension: by right as agreed, from the bank within its hours, or asked for by all players."""
    yield from _asked(course, event, said)
    seat, by = said["seat"], said["by"]
    if by == "right":
        allowed = course.by_right.get(seat, 0) < course.timing.get("extensions", 1)
    elif by == "bank":
        used = sum(draw.used for draw in course.bank.get(seat, {}).values())
        allowed = used + said["hours"] * HOUR <= course.timing.get("bank", 0) * HOUR
    else:
        people = {one for one, seated in course.occupants.items() if not seated.account.startswith(BOT)}
        allowed = by == "agreement" and people <= course.wanting
    if not allowed:
        yield Problem(event.version, f"more time for {seat} than the match had agreed on", "deadline-moved")


JUDGES: dict[str, Judge] = {
    "deadline.set": _deadline,
    "deadline.missed": _missed,
    "order.sealed": _sealed,
    "extension.asked": _asked,
    "extension.granted": _granted,
}
