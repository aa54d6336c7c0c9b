"""Rulings, changed rules, halts and ends: their causes, and the events they must not precede."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore import Event
from pbem.matches.audit.conduct.course import Course, Judge
from pbem.matches.audit.problems import Problem

GIVEN_UP = {
    "seat.resigned": "pbem/resigned",
    "seat.conceded": "pbem/conceded",
    "seat.forfeited": "pbem/forfeited",
}
DRAWN, ADJUDICATED = "pbem/drawn", "pbem/adjudicated"
BY_RULE = "rule"


# Rules, rulings and halts ------------------------------------------------------------------------------------


def _check_ruled(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """Check that no ruling was made between the closing of an exchange and its result, unless the match was halted.

    In that time only the server knows the dice.
    """
    if course.pending and not course.halted:
        yield Problem(event.version, f"exchange {course.last} was closed and had no result yet", "sequence")
    if event.type == "ruling.reopened" and said["after"] not in course.standing:
        yield Problem(event.version, f"exchange {said['after']} had no valid result", "sequence")
    if event.type == "ruling.recomputed":
        earlier = [number for number in course.standing if number < said["exchange"]]
        if said["exchange"] not in course.standing or said["after"] != max(earlier, default=0):
            yield Problem(event.version, f"exchange {said['exchange']} had no valid result", "sequence")


def _check_rules_moved(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """Check that an act of the game master, a halt or a recomputation allows the change of the rules."""
    if course.created.get("title") == "campaign" and said.get("season", 0) > course.season:
        return  # the campaign's file names its seasons: `pbem campaign verify` compares them
    by_act = course.switches is not None and course.switches == said["switches"]
    if not (by_act or course.halted or course.follows("ruling.recomputed")):
        yield Problem(event.version, "the rules were changed, and no act allows that", "by-nobody")


def _check_halted(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if course.halted or course.ended or said["exchange"] != course.last:
        yield Problem(event.version, "it halts a match that was halted or over, or at another exchange", "sequence")


def _check_resolved(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """Check that turn numbers never decrease, and that a result asks each seat of the match at most once."""
    if said["turn"] < course.turn:
        yield Problem(event.version, f"turn {said['turn']} comes after turn {course.turn}", "sequence")
    asked = [ask["seat"] for ask in said["asks"]]
    battles = course.created["title"] == "campaign"
    unknown = [seat for seat in asked if seat not in course.seats and not (battles and seat.startswith("battle "))]
    if unknown or len(set(asked)) != len(asked):
        yield Problem(event.version, "it asks a seat twice, or one that the match does not have", "order")


def _check_battle(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """Check that battles are reported to their campaign, and that a different end comes only after such a report."""
    known = event.type == "battle.reported" or (said["seat"], said["match"]) in course.reported
    if course.created["title"] != "campaign" or not known:
        yield Problem(event.version, f"{said['seat']} was not awaited, or was not reported before", "order-place")


def _check_resumed(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if not course.halted:
        yield Problem(event.version, "it resumes a match that was not halted", "sequence")


def _check_standing_orders(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said["seat"] not in course.occupants:
        yield Problem(event.version, f"the seat {said['seat']} was empty", "order-place")


def _check_ladder(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """Check that new ladders void sealed orders, because the server could otherwise draw until it liked the dice."""
    asked_again = course.follows("exchange.voided", "ruling.reopened", "ruling.recomputed", "exchange.recomputed")
    if said["why"] == "moved" or not course.takes_orders or not course.last:
        return
    if not (asked_again or course.follows("rules.moved")):
        yield Problem(
            event.version, "new dice ladders were started, but the open exchange was not asked again", "voided"
        )


# Ends --------------------------------------------------------------------------------------------------------


def _given_up(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """Check that the seat could give up or offer a draw at that time; `players.endings` judges who did so."""
    takes = course.takes_orders or (course.halted and not course.ended)
    if said["exchange"] != course.open or not takes or said["seat"] in course.gone:
        yield Problem(event.version, f"{said['seat']} could not give up or offer a draw at that time", "end")


def _check_adjudicated(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if course.plays(said["by"]):
        yield Problem(event.version, f"{said['by']} decided a match they play in", "by-nobody")
    if said["by"] == BY_RULE and said["winner"] != _leader(said["score"], said.get("margin", 0)):
        yield Problem(event.version, "the score that it names does not lead to this result", "by-nobody")


def _leader(score: dict[str, int], margin: int) -> str | None:
    """The side that leads all others by the margin."""
    ranked = sorted(score, key=lambda side: (-score[side], side))
    if not ranked or (len(ranked) > 1 and score[ranked[0]] - score[ranked[1]] < max(margin, 1)):
        return None
    return ranked[0]


def unfinished(course: Course, event: Event | None) -> Iterator[Problem]:
    """Check that a match ends once resignations or an agreed draw leave fewer than two sides to play on."""
    if course.must_end and (event is None or event.type not in (*GIVEN_UP, "match.ended")):
        version = (
            course.before.version if event is None and course.before is not None else event.version if event else 0
        )
        yield Problem(version, "the match continues although it was given up or drawn", "end")
        course.must_end = False


def ends_now(course: Course) -> bool:
    """Whether the latest declarations leave fewer than two sides playing on."""
    if course.ended or not course.follows(*GIVEN_UP, "draw.offered"):
        return False
    left = {side for seat, side in course.sides.items() if seat not in course.gone}
    return len(left) <= 1 or (course.follows("draw.offered") and _all_agree(course))


def _check_ended(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said["exchange"] != course.last or not _brought_about(course, said["outcome"]):
        yield Problem(event.version, "the match ends, but no earlier event causes that", "end")
    if ("opened" in said) != (course.opens == "match"):
        yield Problem(event.version, "the secrets are opened at a different time from the one agreed on", "end")


def _brought_about(course: Course, outcome: dict[str, Any]) -> bool:
    """Whether the previous event ends the match with this outcome."""
    rule, winner, before = outcome["rule"], outcome["winner"], course.before
    if rule == ADJUDICATED:
        return before is not None and before.type == "match.adjudicated" and before.payload["winner"] == winner
    if rule == DRAWN:
        return course.follows("draw.offered") and winner is None and _all_agree(course)
    if rule in GIVEN_UP.values():
        left = {side for seat, side in course.sides.items() if seat not in course.gone}
        last = list(course.gone.values())[-1] if course.gone else ""
        return course.follows(*GIVEN_UP) and GIVEN_UP.get(last) == rule and left == ({winner} if winner else set())
    return course.follows("exchange.resolved", "exchange.recomputed") and course.asks == []


def _all_agree(course: Course) -> bool:
    """Whether every seat that has not given up offers a draw in the open exchange."""
    offers = {
        seat
        for seat, offer in course.offers.items()
        if seat in course.occupants and offer == (course.open, course.occupants[seat].occupancy)
    }
    return bool(offers) and set(course.seats) <= offers | set(course.gone)


def _check_opened(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    agreed = course.opens in ("round", "campaign")
    if not course.ended or course.opened or not agreed:
        yield Problem(event.version, "the parts were opened at a time that was not agreed on", "end")


def _check_kept(course: Course, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """Check that agreeing to keep secrets sealed is the occupant's own act, once and before the end."""
    seated = course.occupants.get(said["seat"])
    own = seated is not None and (seated.account, seated.occupancy) == (said["account"], said["occupancy"])
    possible = course.last and not course.ended and course.created.get("opens", "match") == "match"
    if not own or not possible or said["seat"] in course.keeping:
        yield Problem(event.version, f"{said['seat']} could not agree then that secrets stay sealed", "end")


JUDGES: dict[str, Judge] = {
    "ruling.reopened": _check_ruled,
    "ruling.recomputed": _check_ruled,
    "ruling.corrected": _check_ruled,
    "rules.moved": _check_rules_moved,
    "match.halted": _check_halted,
    "match.resumed": _check_resumed,
    "exchange.resolved": _check_resolved,
    "exchange.recomputed": _check_resolved,
    "battle.reported": _check_battle,
    "battle.changed": _check_battle,
    "doctrine.set": _check_standing_orders,
    "ladder.started": _check_ladder,
    **dict.fromkeys((*GIVEN_UP, "draw.offered"), _given_up),
    "match.adjudicated": _check_adjudicated,
    "match.ended": _check_ended,
    "match.opened": _check_opened,
    "secrets.kept": _check_kept,
}
