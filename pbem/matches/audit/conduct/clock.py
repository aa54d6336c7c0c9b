"""Check deadlines, extensions and missed deadlines against the agreement and the acts that may change them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore import Event
from pbem.matches.audit.conduct.course import HOUR, Announced, Course, Judge
from pbem.matches.audit.problems import Problem

MINUTE = 60_000
BOT = "bot-"
WEEK = 7 * 24 * HOUR
CLOCK_CHANGE = 2 * HOUR
"""How much shorter a calendar day can be where clocks are changed."""


# Deadlines ---------------------------------------------------------------------------------------------------


def _check_deadline(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    new, old = Announced(said["at"], said.get("grace", 0)), course.deadlines.get(said["exchange"])
    wrong = ""
    if said["exchange"] != course.open or not course.takes_orders:
        wrong = f"it announces a deadline of exchange {said['exchange']}, which was not open"
    elif old is None:
        wrong = _first(course, event, new)
    elif new.grace != old.grace and said.get("cause", "") != "substitute":
        wrong = "it changes the grace period of an announced deadline"
    elif new.at < old.at or new.closes_at < old.closes_at:
        if not _may_be_earlier(course, said.get("cause", ""), old.at - new.at):
            wrong = "it moves an announced deadline to an earlier time"
    elif new.at > old.at and not _may_be_later(course, event, said.get("cause", ""), new.at - old.at):
        wrong = "it moves a deadline to a later time, and nothing allows that"
    if wrong:
        yield Problem(event.version, wrong, "deadline-moved")


def _first(course: Course, event: Event, new: Announced) -> str:
    """Return the problem with the first deadline of an exchange, which must give at least the agreed time."""
    hours = _agreed_hours(course)
    least = course.opened_at + hours * HOUR - (CLOCK_CHANGE if hours >= 24 else 0)
    if hours <= 0:
        return "it announces a deadline in a match that has agreed on none"
    if new.at < event.recorded_at:
        return "it announces a deadline that had already passed"
    if new.at < least or new.grace != course.timing.get("grace", 0) * HOUR:
        return "it gives less time, or a different grace period, than the match had agreed on"
    return ""


def _agreed_hours(course: Course) -> int:
    """The hours agreed for these asks; where the agreement is not known, the fewest that are possible."""
    hours, by_kind = course.timing.get("hours", 0), course.timing.get("by_kind", {})
    if course.asks is None:
        known = (hours, course.created.get("battle_hours", 0), *by_kind.values())
        return min((one for one in known if one > 0), default=0)
    if course.asks and not {ask["seat"] for ask in course.asks} & set(course.seats):
        return int(course.created.get("battle_hours", 0))
    return int(max((by_kind.get(ask["kind"], hours) for ask in course.asks), default=hours))


def _may_be_earlier(course: Course, cause: str, by: int) -> bool:
    """Whether a deadline may be brought forward: only if a pause ends early or a wrong clock is corrected."""
    if cause == "outage":
        return True
    exchange, until = course.pause_ended
    if course.before is None or not course.follows_act("go on") or exchange != course.open:
        return False
    return by <= until - course.before.recorded_at + MINUTE


def _may_be_later(course: Course, event: Event, cause: str, by: int) -> bool:
    """Whether a deadline may be postponed by this much, which must not exceed the time that was lost or granted."""
    if cause == "outage":
        return True  # the verifier says so
    if cause == "substitute":
        return course.follows("seat.taken")
    if cause == "newcomer":
        allowed = course.created["title"] == "campaign" or "battle" in course.created.get("origin", {})
        return allowed and course.deadlines[course.open].at + by <= event.recorded_at + WEEK + MINUTE
    return by <= _time_lost(course, cause)


def _time_lost(course: Course, cause: str) -> int:
    """The time that was granted, or that a pause, a hold, a dispute or a halt has taken from an exchange."""
    before = course.before
    assert before is not None
    if cause == "extension":
        return HOUR * int(course.previous_value("hours") if course.follows_act("extend") else course.granted)
    if cause == "halt" and course.resumed:
        return course.resumed_at - course.halted_at + MINUTE
    if cause != "pause":
        return 0
    if course.follows_act("pause"):
        return int(course.previous_value("until")) - before.recorded_at + MINUTE
    if course.follows_act("release") and course.hold_ended:
        return before.recorded_at - course.hold_ended + MINUTE
    if before.type == "dispute.settled" and course.timing.get("disputes") == "wait":
        decided = course.disputes.get(course.previous_value("number"))
        waited = [one.since for one in course.disputes.values() if one.is_open or one is decided]
        return before.recorded_at - min(waited, default=before.recorded_at) + MINUTE
    return 0


def _check_missed(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """Check that only asked players who have sealed nothing miss a deadline, and only after it has passed."""
    deadline = course.deadlines.get(course.open)
    asked = course.seats if course.asks is None else [ask["seat"] for ask in course.asks]
    if said["exchange"] != course.open or deadline is None or event.recorded_at < deadline.at:
        yield Problem(event.version, "it records a missed deadline before one has passed", "missed")
    elif wrong := [one for one in said["seats"] if one not in asked or one in course.sealed]:
        yield Problem(event.version, f"{', '.join(wrong)} had missed no deadline", "missed")


def _check_sealed(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said.get("accepted", course.opened_at) < course.opened_at:
        yield Problem(event.version, "it was accepted before it was asked for", "dated")


# More time ---------------------------------------------------------------------------------------------------


def _check_asked(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said["seat"] not in course.occupants or said["exchange"] != course.open or not course.takes_orders:
        yield Problem(event.version, "more time was asked for by an empty seat, or out of turn", "deadline-moved")


def _check_granted(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """Check an extension: by right as agreed, from the bank within its hours, or asked for by all players."""
    yield from _check_asked(course, event, said)
    seat, by = said["seat"], said["by"]
    if by == "right":
        allowed = course.by_right.get(seat, 0) < course.timing.get("extensions", 1)
    elif by == "bank":
        used = sum(draw.used for draw in course.bank.get(seat, {}).values())
        allowed = used + said["hours"] * HOUR <= course.timing.get("bank", 0) * HOUR
    else:
        people = {one for one, seated in course.occupants.items() if not seated.account.startswith(BOT)}
        allowed = by == "agreement" and people <= course.wanting
    if not allowed or said["hours"] <= 0:
        yield Problem(event.version, f"more time for {seat} than the match had agreed on", "deadline-moved")


JUDGES: dict[str, Judge] = {
    "deadline.set": _check_deadline,
    "deadline.missed": _check_missed,
    "order.sealed": _check_sealed,
    "extension.asked": _check_asked,
    "extension.granted": _check_granted,
}
