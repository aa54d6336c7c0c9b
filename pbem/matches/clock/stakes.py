"""The cost of a missed deadline under this match's settings, for reminders, receipts, pages and invitations."""

from __future__ import annotations

from pbem.engine.text.messages import Message, say
from pbem.matches.clock.deadlines import missed_deadlines, timing_of
from pbem.matches.history.record import Record
from pbem.matches.players import substitutes


def cost_of_missing(record: Record, seat: str, name: Message | None = None) -> Message:
    """Tell a seat's player, or others if its `name` is given, what happens if the seat misses the next deadline."""
    timing = timing_of(record)
    if timing.missed == "wait":
        return say("the match waits for {seat}", seat=name) if name else say("the match waits for you")
    answered = _say_answered(timing.missed, name)
    if timing.missed not in ("substitute", "forfeit"):
        return answered
    left = timing.patience - len(missed_deadlines(record, seat))
    end = _end(record, timing.missed, name)
    if left <= 1:
        return end
    if left == 2:
        return say("{answered}; after the next missed deadline, {end}", answered=answered, end=end)
    more = left - 1
    return say(
        "{answered}; after {more} more missed deadlines in a row, {end}", answered=answered, more=more, end=end
    )


def _say_answered(policy: str, name: Message | None) -> Message:
    """Say which orders are used for a seat that sent none."""
    if policy == "default":
        if name:
            return say("the rules' defaults answer for {seat}", seat=name)
        return say("the rules' defaults answer for you")
    if name:
        return say(
            "the standing orders of {seat} answer; where they say nothing, the rules' defaults apply", seat=name
        )
    return say("your standing orders answer for you; where they say nothing, the rules' defaults apply")


def _end(record: Record, policy: str, name: Message | None) -> Message:
    if policy == "forfeit":
        return say("{seat} forfeits the match", seat=name) if name else say("you forfeit the match")
    if substitutes.standing_by(record):
        if name:
            return say("a substitute takes the seat of {seat}", seat=name)
        return say("a substitute takes your seat")
    if name:
        return say(
            "the seat of {seat} goes to a substitute as soon as one is available; until then standing orders answer",
            seat=name,
        )
    return say("your seat goes to a substitute as soon as one is available; until then standing orders answer")


def sentence(record: Record, seat: str) -> Message:
    """Tell the occupant of a seat what a missed deadline costs."""
    return say("If you send nothing by then, {cost}.", cost=cost_of_missing(record, seat))


def sentence_for_others(record: Record, seat: str, name: Message) -> Message:
    """Tell others what happens if this seat misses the deadline."""
    return say("If {seat} sends nothing by then, {cost}.", seat=name, cost=cost_of_missing(record, seat, name))
