"""The cost of a missed deadline under this match's settings, for reminders, receipts, pages and invitations."""

from __future__ import annotations

from pbem.engine.text.messages import Message, say
from pbem.matches.clock.deadlines import missed_deadlines, timing_of
from pbem.matches.history.record import Record
from pbem.matches.players import substitutes


def cost_of_missing(record: Record, seat: str, *, to_seat: bool) -> Message:
    """Tell a seat's occupant, or the others, what happens if the seat sends nothing by the next deadline."""
    timing = timing_of(record)
    if timing.missed == "wait":
        return say("the match waits for you") if to_seat else say("the match waits for {seat}", seat=seat)
    answered = _say_answered(timing.missed, seat, to_seat=to_seat)
    if timing.missed not in ("substitute", "forfeit"):
        return answered
    left = timing.patience - len(missed_deadlines(record, seat))
    end = _end(record, seat, timing.missed, to_seat=to_seat)
    if left <= 1:
        return end
    if left == 2:
        return say("{answered}; after the next missed deadline, {end}", answered=answered, end=end)
    more = left - 1
    return say(
        "{answered}; after {more} more missed deadlines in a row, {end}", answered=answered, more=more, end=end
    )


def _say_answered(policy: str, seat: str, *, to_seat: bool) -> Message:
    """Say which orders are used for a seat that sent none."""
    if policy == "default":
        if to_seat:
            return say("the rules' defaults answer for you")
        return say("the rules' defaults answer for {seat}", seat=seat)
    if to_seat:
        return say("your standing orders answer for you; where they say nothing, the rules' defaults apply")
    return say("the standing orders of {seat} answer; where they say nothing, the rules' defaults apply", seat=seat)


def _end(record: Record, seat: str, policy: str, *, to_seat: bool) -> Message:
    if policy == "forfeit":
        return say("you forfeit the match") if to_seat else say("{seat} forfeits the match", seat=seat)
    if substitutes.standing_by(record):
        if to_seat:
            return say("a substitute takes your seat")
        return say("a substitute takes the seat of {seat}", seat=seat)
    if to_seat:
        return say("your seat goes to a substitute as soon as one is available; until then standing orders answer")
    return say(
        "the seat of {seat} goes to a substitute as soon as one is available; until then standing orders answer",
        seat=seat,
    )


def sentence(record: Record, seat: str) -> Message:
    """The stakes for the occupant of a seat."""
    cost = cost_of_missing(record, seat, to_seat=True)
    return say("If you send nothing by then, {cost}.", cost=cost)


def sentence_for_others(record: Record, seat: str) -> Message:
    """The stakes of another seat."""
    cost = cost_of_missing(record, seat, to_seat=False)
    return say("If {seat} sends nothing by then, {cost}.", seat=seat, cost=cost)
