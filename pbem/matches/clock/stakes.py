"""What a missed deadline costs under this match's settings, for reminders, receipts, pages and invitations."""

from __future__ import annotations

from pbem.matches.clock.deadlines import missed_deadlines, timing_of
from pbem.matches.history.record import Record
from pbem.matches.players import substitutes

ANSWERED = {
    "default": "the rules' defaults answer for {seat}",
    "doctrine": "the standing orders of {seat} answer; where they say nothing, the rules' defaults apply",
}
MINE = {
    "default": "the rules' defaults answer for you",
    "doctrine": "your standing orders answer for you; where they say nothing, the rules' defaults apply",
}


def cost_of_missing(record: Record, seat: str, *, to_seat: bool) -> str:
    """Say what happens if a seat sends nothing by the next deadline, to its occupant or to the others."""
    timing, said = timing_of(record), MINE if to_seat else ANSWERED
    answered = said["default" if timing.missed == "default" else "doctrine"].format(seat=seat)
    if timing.missed == "wait":
        return "the match waits for you" if to_seat else f"the match waits for {seat}"
    if timing.missed not in ("substitute", "forfeit"):
        return answered
    left = timing.patience - len(missed_deadlines(record, seat))
    ends = _end(record, seat, timing.missed, to_seat=to_seat)
    if left <= 1:
        return ends
    times = "the next deadline" if left == 2 else f"{left - 1} more deadlines in a row"
    return f"{answered}; after {times} missed, {ends}"


def _end(record: Record, seat: str, policy: str, *, to_seat: bool) -> str:
    if policy == "forfeit":
        return "you forfeit the match" if to_seat else f"{seat} forfeits the match"
    whose = "your seat" if to_seat else f"the seat of {seat}"
    if substitutes.standing_by(record):
        return f"a substitute takes {whose}"
    return f"{whose} goes to a substitute as soon as one is available; until then standing orders answer"


def sentence(record: Record, seat: str) -> str:
    """The stakes for the occupant of a seat."""
    return f"If nothing comes from you by then, {cost_of_missing(record, seat, to_seat=True)}."


def sentence_for_others(record: Record, seat: str) -> str:
    """The stakes of another seat."""
    return f"If nothing comes from {seat} by then, {cost_of_missing(record, seat, to_seat=False)}."
