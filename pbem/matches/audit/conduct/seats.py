"""Check that invitations and the game master's acts concern existing seats, at times when the act is possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore import Event
from pbem.matches.audit.conduct.course import Course, Judge
from pbem.matches.audit.problems import Problem

MINUTE = 60_000


def _check_invited(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said["seat"] not in course.seats or said["number"] in course.invited:
        yield Problem(
            event.version,
            "an invitation to a seat that this match does not have, or with a number already used",
            "seat",
        )


def _check_declined(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if course.invited.get(said["number"]) != said["seat"]:
        yield Problem(event.version, f"invitation {said['number']} was not open", "seat")


def _check_acted(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if "seat" in said and said["seat"] not in course.seats:
        yield Problem(event.version, f"an act on {said['seat']}, which is not a seat of this match", "by-nobody")
    if not _possible(course, event, said["act"]):
        yield Problem(event.version, f"'{said['act']}' was not possible then", "by-nobody")


def _possible(course: Course, event: Event, act: str) -> bool:
    """Whether the clock, or the match, was in the state in which an act may begin or end."""
    exchange, until = course.pause
    is_held = bool(course.held_at) and not course.ended
    match act:
        case "hold":
            return not course.ended and not course.held_at
        case "release":
            return is_held
        case "pause":
            return exchange != course.open or event.recorded_at >= until
        case "go on":
            return exchange == course.open and event.recorded_at < until + MINUTE
        case "resume":
            return course.halted
        case _:
            return True


JUDGES: dict[str, Judge] = {
    "seat.invited": _check_invited,
    "seat.declined": _check_declined,
    "master.acted": _check_acted,
}
