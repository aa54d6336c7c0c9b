"""Invitations, and acts of the game master on a seat: about seats that the match has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore import Event
from pbem.matches.audit.conduct.course import Course, Judge
from pbem.matches.audit.problems import Problem


def _invited(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said["seat"] not in course.seats or said["number"] in course.invited:
        yield Problem(event.version, "an invitation to no seat of this match, or with a number that was used", "seat")


def _declined(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if course.invited.get(said["number"]) != said["seat"]:
        yield Problem(event.version, f"invitation {said['number']} was not open", "seat")


def _acted(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if "seat" in said and said["seat"] not in course.seats:
        yield Problem(event.version, f"an act on {said['seat']}, which is no seat of this match", "by-nobody")


JUDGES: dict[str, Judge] = {"seat.invited": _invited, "seat.declined": _declined, "master.acted": _acted}
