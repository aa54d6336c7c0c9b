"""Decisions between players: challenges on a ladder, sealed bids for sides, sealed choices of scenarios.

challenge, answer      challenges on a ladder; every accepted one becomes a round
seal                   stores a bid or a choice, secret until all have sealed or the time is over
opening_of_choices     settles sides and scenarios by the sealed choices, with a default for players without one
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from eventstore import NewEvent
from pbem.engine.rules.balance import steps_of
from pbem.engine.rules.refusals import Illegal
from pbem.engine.text.messages import say
from pbem.matches.clock import deadlines
from pbem.matches.server import Server
from pbem.tournaments import events as said
from pbem.tournaments.model import Pairing, Round
from pbem.tournaments.pairing import formats
from pbem.tournaments.pairing.ladder import Rung, objections
from pbem.tournaments.pairing.scenarios import Choice, by_ranked_lists, by_strikes
from pbem.tournaments.pairing.sides import Bid, by_bids, handicap
from pbem.tournaments.record import Record
from pbem.tournaments.stream import Lots, commuting, part, refuse, sides_of

DAY = 24 * 3600 * 1000
TIME_TO_CHOOSE = 5 * DAY


# Ladder -----------------------------------------------------------------------------------------------------------


def rungs(record: Record) -> dict[int, Rung]:
    """Return the state of every entrant's challenges on the ladder."""
    found: dict[int, Rung] = {}
    rest = record.settings.rest_days * DAY
    for challenge in record.challenges.values():
        for who in (challenge.challenger, challenge.target):
            busy = challenge.state in ("open", "accepted")
            until = 0 if busy else challenge.ended_at + rest
            known = found.get(who, Rung(who))
            found[who] = Rung(who, known.busy or busy, max(known.rests_until, until))
    return found


def challenge(server: Server, id: str, account: str, target: int) -> Record:
    """Challenge an entrant above you."""

    def build(record: Record) -> list[NewEvent]:
        own = record.by_account(account)
        if record.settings.format != "ladder" or own is None:
            raise refuse("challenge", say("only an entrant of the ladder can issue a challenge"))
        now = deadlines.now(server)
        found = list(objections(record.places, rungs(record), own.number, target, record.settings.reach, now))
        if found:
            raise Illegal("challenge", found)
        number = max(record.challenges, default=0) + 1
        until = now + record.settings.answer_days * DAY
        return [said.new(said.ChallengeMade(number, own.number, target, until))]

    return commuting(server, id, build, "challenge")


def answer(server: Server, id: str, account: str, number: int, accepted: bool) -> Record:
    """Accept a challenge, which starts its match; or decline it and swap places."""

    def build(record: Record) -> list[NewEvent]:
        asked = record.challenges.get(number)
        own = record.by_account(account)
        if asked is None or own is None or own.number != asked.target or asked.state != "open":
            raise refuse("challenge", say("no challenge with that number is waiting for your answer"))
        events = [said.new(said.ChallengeAnswered(number, accepted, account))]
        if not accepted:
            return events
        drawn, there = formats.draw(record, number)
        scenarios = record.settings.scenarios
        scenario = scenarios[(number - 1) % len(scenarios)]
        paired = formats.pair_draw(record, drawn, scenario, sides_of(server, record))
        told = said.RoundPaired(number, drawn.engine, drawn.version, there.hash(), len(paired.pairings), 0, account)
        version = record.version + 2
        events.append(said.new(told, (part(server, id, version, "pairings", "public", paired),)))
        deadline = deadlines.now(server) + record.settings.round_days * DAY
        return [*events, said.new(said.RoundStarted(number, deadline, account))]

    return commuting(server, id, build, "challenge")


# Sealed choices ---------------------------------------------------------------------------------------------------


def required_choices(record: Record) -> tuple[str, ...]:
    """Return what the players of a pairing must seal before their match: a bid, a choice of scenarios, or nothing."""
    kinds = []
    if record.settings.sides == "bid":
        kinds.append("bid")
    if record.settings.scenario_rule == "chosen" and len(record.settings.scenarios) > 1:
        kinds.append("scenarios")
    return tuple(kinds)


def waits_for_choice(record: Record, round: Round, pairing: Pairing) -> bool:
    """Whether a pairing's match cannot be created yet because its players still have to choose."""
    return bool(required_choices(record)) and not pairing.why and len(pairing.entrants) == 2


class Sealed(msgspec.Struct, frozen=True):
    """The bid or choice that an entrant seals for a pairing."""

    bid: Bid = Bid(0)
    choice: Choice = Choice(())


def seal(server: Server, id: str, account: str, sealed: Sealed) -> Record:
    """Seal your bid or choice for your pairing in the latest round; a later one replaces it."""

    def build(record: Record) -> list[NewEvent]:
        own, round = record.by_account(account), record.last_round
        pairing = round.pairing_of(own.number) if own and round else None
        if own is None or round is None or pairing is None or not waits_for_choice(record, round, pairing):
            raise refuse("choice", say("there is nothing to choose"))
        check(record, sealed, sides_of(server, record))
        content = part(server, id, record.version + 1, "choice", account, sealed)
        told = said.ChoiceSealed(round.number, pairing.number, own.number, "+".join(required_choices(record)))
        return [said.new(told, (content,))]

    return commuting(server, id, build, "choice")


def check(record: Record, sealed: Sealed, sides: Sequence[str]) -> None:
    """Refuse a bid or choice that is not allowed."""
    if sealed.bid.side not in (0, 1):
        raise refuse("bid", say("name one of the two sides"), sides[:2])
    most = most_steps(record, sides[sealed.bid.side])
    if not 0 <= sealed.bid.step <= most:
        raise refuse(
            "bid", say("name a handicap from 0 to {most} for {sides}", most=most, sides=sides[sealed.bid.side])
        )
    known = record.settings.scenarios
    named = [*sealed.choice.ranked, *([sealed.choice.strike] if sealed.choice.strike else [])]
    if unknown := [name for name in named if name not in known]:
        raise refuse(unknown[0], say("this scenario is not part of the tournament"), known)
    if len(set(sealed.choice.ranked)) != len(sealed.choice.ranked):
        raise refuse("choice", say("a scenario is listed twice"))


def most_steps(record: Record, side: str) -> int:
    """Return the largest handicap that can be bid for a side, over all scenarios of the tournament."""
    return max((len(steps_of(list_, side)) for list_ in record.settings.provisions.values()), default=0)


def handicap_for(record: Record, scenario: str, side: str, step: int) -> str:
    """Return the handicap that a bid means in a scenario, or the scenario's last step if it has fewer."""
    step = min(step, len(steps_of(record.settings.provisions.get(scenario, ()), side)))
    return f"{side} {step}" if step else ""


def due(record: Record, round: Round, pairing: Pairing, now: int) -> bool:
    """Whether both players have sealed, or the time to choose is over."""
    sealed = record.choices.get((round.number, pairing.number), {})
    over = round.started_at is not None and now >= round.started_at + TIME_TO_CHOOSE
    return over or all(entrant in sealed for entrant in pairing.entrants)


def opening_of_choices(server: Server, record: Record, now: int) -> list[NewEvent]:
    """Return the events that open the first pairing with choices due, and no other, because each draw uses a rung."""
    for round in record.rounds.values():
        if round.started_at is None or round.closed:
            continue
        for pairing in round.open_pairings():
            if waits_for_choice(record, round, pairing) and due(record, round, pairing, now):
                return _opening(server, record, round, pairing)
    return []


def _opening(server: Server, record: Record, round: Round, pairing: Pairing) -> list[NewEvent]:
    one, other = (_sealed_choice(server, record, round, pairing, entrant) for entrant in pairing.entrants)
    lots = Lots(server, record, f"choice/{round.number}/{pairing.number}")
    entrants, reasons, side, step = pairing.entrants, [], "", 0
    sides = sides_of(server, record)
    if "bid" in required_choices(record):
        first, second, why = by_bids(one.bid, other.bid, lots)
        steps = handicap(one.bid, other.bid, (first, second))
        entrants = pairing.entrants if first == 0 else (pairing.entrants[1], pairing.entrants[0])
        side, step = sides[one.bid.side], max(steps)
        reasons.append(why)
    scenario = pairing.legs[0].scenario
    if "scenarios" in required_choices(record):
        scenario, why = _scenario(record, one.choice, other.choice, lots)
        reasons.append(why)
    given = handicap_for(record, scenario, side, step)
    legs = formats.legs(record.settings, entrants, scenario, sides)
    legs = tuple(msgspec.structs.replace(leg, handicap=given) for leg in legs)
    why = "; ".join(reasons)
    chosen = msgspec.structs.replace(pairing, entrants=entrants, legs=legs, why=why)
    told = {str(n): msgspec.to_builtins(s) for n, s in zip(pairing.entrants, (one, other), strict=True)}
    return [lots.event(), said.new(said.ChoiceOpened(round.number, chosen, why, told))]


def _sealed_choice(server: Server, record: Record, round: Round, pairing: Pairing, entrant: int) -> Sealed:
    """Return what an entrant sealed, or the default: the side as paired, and the announced order of scenarios."""
    known = record.choices.get((round.number, pairing.number), {}).get(entrant)
    if known is None:
        return Sealed(Bid(pairing.entrants.index(entrant)), Choice(record.settings.scenarios))
    return msgspec.json.decode(server.content(known[1]), type=Sealed)


def _scenario(record: Record, one: Choice, other: Choice, lots: Any) -> tuple[str, str]:
    announced = record.settings.scenarios
    if len(announced) == 3 and (one.strike or other.strike):
        return by_strikes(announced, one, other, lots)
    mine, theirs = ([*choice.ranked, *(s for s in announced if s not in choice.ranked)] for choice in (one, other))
    return by_ranked_lists(mine, theirs, lots)
