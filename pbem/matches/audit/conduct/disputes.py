"""Disputes, votes, letters, and rulings that name a dispute: each step must follow from earlier ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from eventstore import Event
from pbem.matches.audit.conduct.course import Course, Judge
from pbem.matches.audit.problems import Problem

SENTENCE = re.compile(r"([1-9][0-9]{0,8})\.[1-9][0-9]{0,8}")
VERDICTS = ("", "dismissed", "upheld")


def _check_opened(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said["number"] != len(course.disputes) + 1 or said["seat"] not in course.occupants:
        yield Problem(event.version, "the dispute is numbered out of order, or its seat was empty", "dispute")
    if said["exchange"] not in course.closed or said["exchange"] == 1:
        yield Problem(
            event.version, f"the dispute is about exchange {said['exchange']}, which was not closed", "dispute"
        )
    if said.get("until", 0) and (said["until"] <= said["exchange"] or said["until"] not in course.closed):
        yield Problem(
            event.version, f"the dispute extends to exchange {said['until']}, which was not closed", "dispute"
        )
    if said.get("sentence", 0) < 0 or not all(_in_report(said, one) for one in said.get("sentences", ())):
        yield Problem(event.version, "the dispute is about a sentence that no report can contain", "dispute")


def _in_report(said: dict[str, Any], sentence: str) -> bool:
    """Whether a sentence, `9.12`, is in one of the disputed reports."""
    found = SENTENCE.fullmatch(sentence)
    return found is not None and said["exchange"] <= int(found[1]) <= max(said["exchange"], said.get("until", 0))


def _check_heard(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    dispute = course.disputes.get(said["number"])
    if dispute is None or not dispute.is_open or said["seat"] not in course.occupants:
        yield Problem(
            event.version, "the statement is on a dispute that was not open, or was made by an empty seat", "dispute"
        )
    elif said["seat"] == dispute.seat or said["seat"] in dispute.heard:
        yield Problem(event.version, f"{said['seat']} had made its statement before", "dispute")


def _check_settled(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    dispute, ruling = course.disputes.get(said["number"]), said.get("ruling", 0)
    if dispute is None or not dispute.is_open:
        yield Problem(event.version, f"dispute {said['number']} was not open", "dispute")
    if said.get("verdict", "") not in VERDICTS:
        yield Problem(event.version, f"'{said['verdict']}' does not decide a dispute", "dispute")
    if ruling and course.rulings.get(ruling) != said["number"]:
        yield Problem(event.version, f"event {ruling} is not a ruling on this dispute", "dispute")
    if said.get("departs") and not said.get("grounds"):
        yield Problem(event.version, "it departs from a precedent without a reason", "dispute")


def _check_appealed(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    dispute = course.disputes.get(said["number"])
    if dispute is None or dispute.is_open or dispute.appealed or said["seat"] not in course.occupants:
        yield Problem(event.version, f"dispute {said['number']} could not be appealed", "dispute")


def _check_ruled(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said.get("dispute", 0) and said["dispute"] not in course.disputes:
        yield Problem(event.version, f"a ruling on dispute {said['dispute']}, which was never opened", "dispute")


def _check_delivered(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said["letter"] not in course.letters:
        yield Problem(event.version, f"event {said['letter']} is not a letter on its way", "letter")
    elif course.turn < course.letters[said["letter"]]:
        yield Problem(event.version, "a letter is delivered before its time", "letter")


def _check_voted(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said["verdict"] not in VERDICTS[1:]:
        yield Problem(event.version, f"'{said['verdict']}' does not decide a dispute", "panel")


JUDGES: dict[str, Judge] = {
    "dispute.opened": _check_opened,
    "dispute.heard": _check_heard,
    "dispute.settled": _check_settled,
    "dispute.appealed": _check_appealed,
    "ruling.reopened": _check_ruled,
    "ruling.recomputed": _check_ruled,
    "ruling.corrected": _check_ruled,
    "press.delivered": _check_delivered,
    "dispute.voted": _check_voted,
}
