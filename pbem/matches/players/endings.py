"""Ends that the rules do not bring about: resignation, concession, an agreed draw, a forfeit, an adjudication.

    resign, concede, draw_offered, forfeit_seats  a seat's own act, and the end of the match if it causes one
    given_up, outcome                             the consequences of the events; `verify` uses them too

A seat that has resigned is out until another player takes it. A side is out when all its seats are; the last side
left has won. A draw is agreed when every seat that has not given up has offered it in the same exchange. A ruling
that replays the match undoes all of this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from eventstore import Event
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.state import Outcome
from pbem.engine.text.messages import Message, Several, fill, pattern, say, several
from pbem.matches.clock.deadlines import deadline_of, missed_deadlines, seats_asked, timing_of
from pbem.matches.events import (
    DrawOffered,
    GivenUp,
    MatchAdjudicated,
    MatchEnded,
    MatchEvent,
    RulingRecomputed,
    RulingReopened,
    SeatConceded,
    SeatForfeited,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SecretsKept,
    content_as,
    each,
)
from pbem.matches.exchange import ending
from pbem.matches.exchange.checks import NotOpen
from pbem.matches.history.record import Record, fold
from pbem.matches.names import seat_word
from pbem.matches.server import Server

RESIGNED, CONCEDED, FORFEITED, DRAW = SeatResigned.word, SeatConceded.word, SeatForfeited.word, DrawOffered.word
WORDS = {RESIGNED: "has resigned", CONCEDED: "has conceded", FORFEITED: "has forfeited"}
NO_DRAWS = say(
    "it cannot judge who is ahead without seeing your side, so it plays on until the rules end the match. "
    'You can end it at once with the line "concede".'
)
"""The reason a bot gives for declining a draw: it knows only its own view."""

RULES = {RESIGNED: "pbem/resigned", CONCEDED: "pbem/conceded", FORFEITED: "pbem/forfeited", DRAW: "pbem/drawn"}
ADJUDICATED, BY_ADJUDICATION, BY_RULE = MatchAdjudicated.word, "pbem/adjudicated", "rule"


def is_agreed(ended: Event) -> bool:
    """Whether a match was ended by its players and not by its rules."""
    return content_as(ended, MatchEnded).outcome["rule"] in (*RULES.values(), BY_ADJUDICATION)


# Acts of seats -----------------------------------------------------------------------------------------------


def resign(server: Server, record: Record, seat: str) -> list[MatchEvent]:
    """Resign for good. The seat is free for another player if the match continues."""
    return _given_up(server, record, [seat], SeatResigned)


def concede(server: Server, record: Record, seat: str) -> list[MatchEvent]:
    """Acknowledge that the other side has won. The seat counts as having finished the match."""
    return _given_up(server, record, [seat], SeatConceded)


def forfeit_seats(server: Server, record: Record, seats: Sequence[str], at: int) -> list[MatchEvent]:
    """Forfeit these seats, which have missed too many deadlines, all at once, so that none of them wins by it."""
    for seat in seats:
        if objection := forfeit_objection(record, seat, at):
            raise Illegal(seat, [Objection(RULES[FORFEITED], objection)])
    return _given_up(server, record, seats, SeatForfeited)


def draw_offered(server: Server, record: Record, seat: str) -> list[MatchEvent]:
    """Offer a draw, or accept an offered one, while this exchange is open."""
    _check_goes_on(record)
    if seat in offers(record):
        raise Illegal(
            "draw",
            [
                Objection(
                    RULES[DRAW], say("you have already offered a draw; the offer is valid until these orders close")
                )
            ],
        )
    return _with_end(server, record, [DrawOffered(**_who(record, seat), exchange=record.open_exchange)])


def keep_secrets(record: Record, seat: str) -> SecretsKept:
    """Agree to keep the secrets sealed after the end; they stay sealed if every player agrees before the end."""
    _check_goes_on(record)
    if record.created.opens != "match":
        raise Illegal(
            "secrets",
            [Objection("pbem/secrets", say("the settings of this match already say when its secrets are opened"))],
        )
    if seat in record.keeping:
        raise Illegal("secrets", [Objection("pbem/secrets", say("you have already agreed to keep the secrets"))])
    return SecretsKept(**_who(record, seat))


def adjudicate(server: Server, record: Record, winner: str | None, reason: str, *, by: str) -> list[MatchEvent]:
    """End an unfinishable match by a person's decision, with the reason."""
    _check_goes_on(record)
    return _with_end(server, record, [MatchAdjudicated(by, winner, reason, {}, record.last)])


def adjudicate_by_score(
    server: Server, record: Record, scores: Mapping[str, int], margin: int, reason: str
) -> list[MatchEvent]:
    """End an unfinishable match by the announced rule: the leading side wins if it leads by the margin."""
    _check_goes_on(record)
    winner = leader(scores, margin)
    return _with_end(server, record, [MatchAdjudicated(BY_RULE, winner, reason, dict(scores), record.last, margin)])


def leader(scores: Mapping[str, int], margin: int) -> str | None:
    """Return the side that leads all others by at least the margin."""
    ranked = sorted(scores, key=lambda side: -scores[side])
    if not ranked or (len(ranked) > 1 and scores[ranked[0]] - scores[ranked[1]] < max(margin, 1)):
        return None
    return ranked[0]


def adjudication_problem(record: Record, scores: Mapping[str, int]) -> str:
    """Return the fault in an adjudication by rule, given the scores from the replay; empty if there is none."""
    judged = [told for _, told in each(record.events, MatchAdjudicated)]
    if not judged or judged[-1].by != BY_RULE:
        return ""
    told = judged[-1]
    if told.score != dict(scores):
        return "the rules give another score than the adjudication names"
    margin = 0 if told.margin is msgspec.UNSET else told.margin
    return "" if told.winner == leader(scores, margin) else "the score does not lead to this result"


def _given_up(server: Server, record: Record, seats: Sequence[str], kind: type[GivenUp]) -> list[MatchEvent]:
    _check_goes_on(record)
    if out := [seat for seat in seats if seat in given_up(record)]:
        raise Illegal(out[0], [Objection(RULES[kind.word], say("that side is already out of the match"))])
    exchange = record.open_exchange
    gone: list[MatchEvent] = [kind(**_who(record, seat), exchange=exchange) for seat in seats]
    events = _with_end(server, record, gone)
    if len(events) > len(gone):
        return events
    why = WORDS[kind.word].removeprefix("has ")
    return [*events, *(SeatLeft(seat, why) for seat in seats if seat in record.occupants)]


def _who(record: Record, seat: str) -> dict[str, Any]:
    """Return the seat and its occupant, because an end must be the occupant's own act."""
    taken = record.occupants.get(seat, {"account": "", "occupancy": 0})
    return {"seat": seat, "account": taken["account"], "occupancy": taken["occupancy"]}


def _check_goes_on(record: Record) -> None:
    if record.ended:
        raise NotOpen(say("the match is over"))
    if not record.started:
        raise NotOpen(say("the match has not started"))
    if record.closing and not record.halted:
        raise NotOpen(say("the turn is being played; please try again in a minute"))


def _with_end(server: Server, record: Record, events: list[MatchEvent]) -> list[MatchEvent]:
    """Return these events, and the end of the match if they cause it."""
    rules = server.rules(record.created.title, record.created.blobs)
    end = outcome(_after(record, events), rules.sides)
    return events if end is None else [*events, ending.end_event(server, record, end, record.last)]


def _after(record: Record, events: list[MatchEvent]) -> Record:
    """Return the record with these events applied."""
    version = record.version
    later = [
        Event(record.stream, version + number, new.type, new.schema, new.payload, (), 0, "", "")
        for number, new in enumerate((event.new() for event in events), 1)
    ]
    return fold([*record.events, *later])


# Consequences ------------------------------------------------------------------------------------------------


def given_up(record: Record) -> dict[str, Event]:
    """The seats that have resigned, conceded or forfeited, each with that event."""
    found: dict[str, Event] = {}
    kinds = (SeatResigned, SeatConceded, SeatForfeited, SeatTaken, RulingReopened, RulingRecomputed)
    for event, what in each(record.events, *kinds):
        if isinstance(what, GivenUp):
            found[what.seat] = event
        elif isinstance(what, SeatTaken):
            found.pop(what.seat, None)
        else:
            found = {}
    return found


def offers(record: Record) -> list[str]:
    """The seats whose current occupants have offered a draw in the open exchange."""
    now = record.open_exchange
    return [
        offer.seat
        for _, offer in each(record.events, DrawOffered)
        if offer.exchange == now and record.occupants.get(offer.seat, {}).get("occupancy") == offer.occupancy
    ]


def outcome(record: Record, sides: Mapping[str, str]) -> Outcome | None:
    """Return the outcome if the acts of the seats have ended the match; None if it continues."""
    if record.events[-1].type == ADJUDICATED:
        told = content_as(record.events[-1], MatchAdjudicated)
        return Outcome(BY_ADJUDICATION, told.winner, told.reason, told.score or msgspec.UNSET)
    gone = given_up(record)
    left = list(dict.fromkeys(side for seat, side in sides.items() if seat not in gone))
    if gone and len(left) <= 1:
        last = max(gone.values(), key=lambda event: event.version)
        why = "; ".join(f"{seat} {WORDS[event.type]}" for seat, event in sorted(gone.items()))
        return Outcome(RULES[last.type], left[0] if left else None, why)
    if set(sides) <= {*offers(record), *gone} and offers(record):
        return Outcome(RULES[DRAW], None, "all players have agreed on a draw")
    return None


ENDS = {
    RESIGNED: pattern("{seat} has resigned"),
    CONCEDED: pattern("{seat} has conceded"),
    FORFEITED: pattern("{seat} has forfeited"),
}


def reason(server: Server, record: Record) -> Message | Several | None:
    """Why the players' acts have ended a match, for a reader; None if its rules or a person have ended it."""
    if record.ended is None:
        return None
    rule = content_as(record.ended, MatchEnded).outcome["rule"]
    if rule == RULES[DRAW]:
        return say("all players have agreed on a draw")
    gone = given_up(record)
    if rule not in RULES.values() or not gone:
        return None
    acts = sorted(gone.items())
    return several((fill(ENDS[event.type], {"seat": seat_word(server, seat)}) for seat, event in acts), "clauses")


def forfeit_objection(record: Record, seat: str, at: int) -> str:
    """Return why a seat has not forfeited; empty if it has."""
    timing, deadline = timing_of(record), deadline_of(record)
    if timing.missed != "forfeit":
        return "this match does not allow forfeits"
    if deadline is None or at < deadline.closes_at:
        return "its time has not run out"
    if seat not in seats_asked(record) or seat in record.sealed:
        return "this seat has no orders to give"
    if len(missed_deadlines(record, seat)) + 1 < timing.patience:
        return f"it has not missed {timing.patience} deadlines in a row"
    return ""


# For `verify` ------------------------------------------------------------------------------------------------


def problems(record: Record) -> Iterator[tuple[int, str]]:
    """Yield the ends that were not the occupant's own act, as event version and problem."""
    for event, what in each(record.events, GivenUp):
        before = fold(record.events[: event.version - 1])
        sat = _who(before, what.seat)
        if (what.account, what.occupancy) != (sat["account"], sat["occupancy"]):
            yield event.version, f"the account named for this was not the occupant of {what.seat}"
        elif event.type == FORFEITED and (objection := forfeit_objection(before, what.seat, event.recorded_at)):
            yield event.version, f"{what.seat} has not forfeited: {objection}"


def agreement_problem(record: Record, sides: Mapping[str, str]) -> str:
    """Return the problem with an agreed end; empty if the earlier events justify it."""
    assert record.ended is not None
    expected = outcome(fold(record.events[: record.ended.version - 1]), sides)
    if expected is None or msgspec.to_builtins(expected) != content_as(record.ended, MatchEnded).outcome:
        return "no event brings about this end"
    return ""
