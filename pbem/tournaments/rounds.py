"""Rounds: pair, start, create the matches, extend, close.

    plan            the pairing as it would be, with reasons; nothing changes
    pair, start     acts of the director, at the version they have seen
    create_matches  called by the tick: creates missing matches under derived ids, so that none is created twice
    close           closes the round when every result counts, or when the director says so

Pairing is computed outside any transaction and appended at the version it was computed from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from eventstore import Conflict, NewEvent
from pbem.engine.rules.balance import Balance, apply_handicap, provision_for
from pbem.engine.rules.refusals import Illegal, Objection, Refusal
from pbem.engine.text.messages import say
from pbem.matches.clock import deadlines
from pbem.matches.clock.deadline_rules import read_timing
from pbem.matches.events import SeatTaken, each
from pbem.matches.exchange import creating
from pbem.matches.exchange.ending import open_match
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.history.replay import stream_of as match_stream
from pbem.matches.server import Server
from pbem.tournaments import choices
from pbem.tournaments import events as said
from pbem.tournaments.model import Leg, Pairing, Round
from pbem.tournaments.pairing import formats, scenarios
from pbem.tournaments.pairing.field import Impossible
from pbem.tournaments.record import Paired, Record
from pbem.tournaments.results import provisional
from pbem.tournaments.stream import RULE, Lots, append_act, match_id, origin, part, read, refuse, sides_of

DAY = 24 * 3600 * 1000
AT_ONCE = 40
"""How many matches are created in one call; the next tick creates more."""


# Pairing -----------------------------------------------------------------------------------------------------


class Plan(msgspec.Struct, frozen=True):
    """A pairing that has not been announced."""

    number: int
    paired: Paired
    engine: str
    version: str
    field: str
    draws: tuple[NewEvent, ...] = ()


def objections(record: Record, number: int) -> Iterator[Objection]:
    """Yield every objection to pairing the next round."""
    last = record.last_round
    if record.ended:
        yield Objection(RULE, say("the tournament is over"))
    if record.settings.format == "ladder":
        yield Objection(RULE, say("a ladder has challenges, not rounds"))
        return
    elif number > formats.rounds_of(record):
        yield Objection(RULE, say("the tournament has {rounds_of} rounds", rounds_of=formats.rounds_of(record)))
    if len(record.playing()) < 2:
        yield Objection(RULE, say("fewer than two entrants are available"))
    if last is not None and last.started_at is None:
        yield Objection(RULE, say("round {number} has been paired but has not started", number=last.number))
    if last is not None and not last.closed and (left := last.open_pairings()):
        allowed = len(last.pairings) * record.settings.unfinished.may_be_open // 100
        if record.settings.format != "swiss" or len(left) > allowed:
            yield Objection(
                RULE, say("round {number} has {left} pairings without a result", number=last.number, left=len(left))
            )


def plan(server: Server, record: Record, listed: Sequence[tuple[int, ...]] = ()) -> Plan:
    """Pair the next round without announcing it; if nothing changes, the same pairing will be announced."""
    number = max(record.rounds, default=0) + 1
    if found := list(objections(record, number)):
        raise Illegal(f"round {number}", found)
    record, draws = _with_draws(server, record, number)
    try:
        drawn, there = formats.draw(record, number, listed)
    except Impossible as problem:
        why = [Objection(f"{RULE}/pairing", clash) for clash in problem.clashes]
        raise Illegal(f"round {number}", why, problem.remedies) from problem
    scenario, more = _scenario(server, record, number, len(draws))
    paired = formats.pair_draw(record, drawn, scenario, sides_of(server, record))
    return Plan(number, paired, drawn.engine, drawn.version, there.hash(), (*draws, *more))


def _with_draws(server: Server, record: Record, number: int) -> tuple[Record, tuple[NewEvent, ...]]:
    """Draw the lots that round 1 needs: the order of entrants with equal ratings, and the side of the top seed."""
    if number > 1 or record.lots:
        return record, ()
    lots = Lots(server, record, "lots")
    order = lots.shuffled([entrant.number for entrant in record.playing()])
    first = Lots(server, record, "first side", 1)
    side = first(2, "top seed") - 1
    drawn = msgspec.structs.replace(record, lots=order, first_side=side)
    return drawn, (lots.event(order), first.event([side]))


def _scenario(server: Server, record: Record, number: int, before: int) -> tuple[str, tuple[NewEvent, ...]]:
    settings = record.settings
    if settings.scenario_rule == "drawn" and len(settings.scenarios) > 1:
        lots = Lots(server, record, "scenario", before)
        chosen = scenarios.draw_scenario(settings.scenarios, number, lots)
        return chosen, (lots.event([settings.scenarios.index(chosen)]),)
    return scenarios.scenario_of_round(settings.scenarios, number), ()


def pair(
    server: Server, id: str, *, by: str, seen: int | None = None, listed: Sequence[tuple[int, ...]] = ()
) -> Record:
    """Announce the pairing of the next round."""

    def build(record: Record) -> list[NewEvent]:
        planned = plan(server, record, listed)
        version = record.version + len(planned.draws) + 1
        paired = planned.paired
        told = said.RoundPaired(
            planned.number,
            planned.engine,
            planned.version,
            planned.field,
            len(paired.pairings),
            len(paired.byes),
            by,
        )
        return [*planned.draws, said.new(told, (part(server, id, version, "pairings", "public", paired),))]

    return append_act(server, id, by, build, seen=seen, act="pair")


def change(
    server: Server,
    id: str,
    swaps: Sequence[tuple[int, int]],
    why: str,
    *,
    by: str,
    seen: int | None = None,
) -> Record:
    """Swap entrants of a paired round that has not started; the hard rules still apply."""

    def build(record: Record) -> list[NewEvent]:
        round = _not_started(record)
        changed = _swap(record, round, swaps, sides_of(server, record))
        before = [number for number in record.rounds if number < round.number]
        earlier = msgspec.structs.replace(record, rounds={number: record.rounds[number] for number in before})
        if problems := formats.problems(earlier, round.number, changed.pairings):
            raise Illegal("pairing", [Objection(RULE, problem) for problem in problems])
        new = Paired(changed.pairings, changed.byes, tuple(record.seeds))
        told = part(server, id, record.version + 1, "pairings", "public", new)
        return [said.new(said.PairingChanged(round.number, why, by), (told,))]

    return append_act(server, id, by, build, seen=seen, act="change")


def _not_started(record: Record) -> Round:
    round = record.last_round
    if round is None or round.started_at is not None:
        raise refuse("pairing", say("no paired round is waiting to start"))
    return round


def _swap(record: Record, round: Round, swaps: Sequence[tuple[int, int]], sides: Sequence[str]) -> Round:
    exchange: dict[int, int] = {}
    for one, other in swaps:
        if one not in record.entrants or other not in record.entrants:
            raise refuse(
                "pairing", say("no entrant has the number {one_}", one_=one if one not in record.entrants else other)
            )
        exchange |= {one: other, other: one}
    pairings = []
    for pairing in round.pairings:
        entrants = tuple(exchange.get(number, number) for number in pairing.entrants)
        scenario = pairing.legs[0].scenario if pairing.legs else ""
        legs = formats.legs(record.settings, entrants, scenario, sides)
        pairings.append(msgspec.structs.replace(pairing, entrants=entrants, legs=legs))
    byes = tuple(msgspec.structs.replace(bye, entrant=exchange.get(bye.entrant, bye.entrant)) for bye in round.byes)
    return msgspec.structs.replace(round, pairings=tuple(pairings), byes=byes)


# Starting and creating ---------------------------------------------------------------------------------------


def start(server: Server, id: str, *, by: str, seen: int | None = None) -> Record:
    """Publish the pairings and allow the matches to be created."""

    def build(record: Record) -> list[NewEvent]:
        round = _not_started(record)
        deadline = deadlines.now(server) + record.settings.round_days * DAY
        return [said.new(said.RoundStarted(round.number, deadline, by))]

    return append_act(server, id, by, build, seen=seen, act="start")


def create_matches(server: Server, id: str, most: int = AT_ONCE) -> int:
    """Create the missing matches of started rounds; return how many are still missing."""
    record, missing, made = read(server, id), 0, 0
    for round in record.rounds.values():
        if round.started_at is None or round.closed:
            continue
        there = _complete(server, record, round)
        busy = _busy(round, there)
        for pairing in round.open_pairings():
            if choices.waits_for_choice(record, round, pairing):
                continue
            for leg in pairing.legs:
                if (pairing.number, leg.number) in there or not seats_of(server, record, leg):
                    continue
                if _too_many(record, busy, leg):
                    continue
                if made >= most:
                    missing += 1
                    continue
                ensure_match(server, record, round, pairing, leg)
                made += 1
    return missing


def _busy(round: Round, there: Mapping[tuple[int, int], bool]) -> dict[int, int]:
    """Return how many matches of this round each entrant has open."""
    counted: dict[int, int] = {}
    for pairing in round.pairings:
        for leg in pairing.legs:
            if there.get((pairing.number, leg.number)) is False:
                for entrant in leg.sides.values():
                    counted[entrant] = counted.get(entrant, 0) + 1
    return counted


def _too_many(record: Record, busy: dict[int, int], leg: Leg) -> bool:
    """Whether a leg must wait because one of its players already has the maximum number of open matches."""
    most = record.settings.at_once
    if most and any(busy.get(entrant, 0) >= most for entrant in leg.sides.values()):
        return True
    for entrant in leg.sides.values():
        busy[entrant] = busy.get(entrant, 0) + 1
    return False


def _complete(server: Server, record: Record, round: Round) -> dict[tuple[int, int], bool]:
    """Return the legs whose match exists with all players seated, and whether each match is over."""
    query = (
        "SELECT m.pairing, m.leg, d.ended FROM tournament_matches m JOIN desk d ON d.match = m.match "
        "WHERE m.tournament = ? AND m.round = ? AND m.seated = 1"
    )
    rows = server.database.execute(query, (record.id, round.number)).fetchall()
    return {(pairing, leg): bool(ended) for pairing, leg, ended in rows}


def ensure_match(server: Server, record: Record, round: Round, pairing: Pairing, leg: Leg) -> str:
    """Create a leg's match if it does not exist, and seat its players unless they were seated before."""
    match = match_id(server, record, round.number, pairing.number, leg.number)
    seats = seats_of(server, record, leg)
    if not server.store.version(match_stream(match)):
        with suppress(Conflict):  # another process may be faster
            _create(server, record, round, pairing, leg, match)
    created = record_of(server, match)
    before = {taken.seat for _, taken in each(created.events, SeatTaken)}
    for seat, account in sorted(seats.items()):
        if seat not in before:
            try:
                take_seat(server, match, seat, account)
            except Refusal:
                if seat not in record_of(server, match).occupants:
                    raise
    with server.store.transaction("seated") as transaction:
        row = (match, record.id, round.number, pairing.number, leg.number)
        transaction.database.execute(
            "INSERT INTO tournament_matches (match, tournament, round, pairing, leg) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            row,
        )
        transaction.database.execute("UPDATE tournament_matches SET seated = 1 WHERE match = ?", (match,))
    return match


def _create(server: Server, record: Record, round: Round, pairing: Pairing, leg: Leg, match: str) -> None:
    settings = record.settings
    told = {name: value for name, value in settings.timing.items() if name != "hours"}
    timing = msgspec.to_builtins(read_timing({**told, "hours": 0}))
    creating.create(
        server,
        settings.title,
        leg.scenario,
        name=creating.one_line(match_name(record, round, pairing, leg)),
        options=settings.options,
        master=settings.master,
        match=match,
        switches=record.switches,
        blobs=data_of(server, record, leg),
        more={
            "cadence": settings.timing.get("hours", 72),
            "timing": timing,
            "origin": origin(record, round.number, pairing.number, leg.number),
            "opens": settings.opens,
            **({"handicap": leg.handicap} if leg.handicap else {}),
        },
    )


def data_of(server: Server, record: Record, leg: Leg) -> dict[str, bytes]:
    """Return the data of a match: the data frozen at the announcement, with the leg's handicap."""
    settings = record.settings
    blobs = {name: server.blob(digest) for name, digest in settings.blobs[leg.scenario].items()}
    if not leg.handicap:
        return blobs
    return apply_handicap(blobs, provision_for(Balance(provision=settings.provisions[leg.scenario]), leg.handicap))


def match_name(record: Record, round: Round, pairing: Pairing, leg: Leg) -> str:
    """Return the name of a match: tournament, round and board."""
    legs = f", match {leg.number}" if len(pairing.legs) > 1 else ""
    return f"{record.settings.name}, round {round.number}, board {pairing.number}{legs}"


def seats_of(server: Server, record: Record, leg: Leg) -> dict[str, str]:
    """Return who plays which seat in a leg's match; empty if an entrant has no account and results are by hand."""
    settings = record.settings
    rules = server.rules(settings.title, settings.blobs.get(leg.scenario) or settings.blobs[settings.scenarios[0]])
    found: dict[str, str] = {}
    for seat, side in rules.sides.items():
        if side not in leg.sides:
            return {}
        account = player_of(record, leg.sides[side], leg.board)
        if not account:
            return {}
        found[seat] = account
    return found


def player_of(record: Record, number: int, board: int) -> str:
    """Return the account that plays for an entrant on a board."""
    entrant = record.entrants[number]
    if entrant.members:
        return entrant.members[board - 1] if board <= len(entrant.members) else ""
    return entrant.account


# Extending, closing, ending ----------------------------------------------------------------------------------


def extend(
    server: Server,
    id: str,
    days: int,
    why: str,
    *,
    by: str,
    pairings: Sequence[int] = (),
    seen: int | None = None,
) -> Record:
    """Give the last round, or some of its pairings, more days."""

    def build(record: Record) -> list[NewEvent]:
        round = record.last_round
        if round is None or round.deadline is None or round.closed:
            raise refuse("extend", say("no round is in progress"))
        if not 0 < days <= 365:
            raise refuse("extend", say("a round can be extended by 1 to 365 days"))
        latest = max([round.deadline, *(record.deadline(round.number, n) or 0 for n in pairings)])
        told = said.RoundExtended(round.number, latest + days * DAY, why, tuple(pairings), by)
        return [said.new(told)]

    return append_act(server, id, by, build, seen=seen, act="extend")


def close(server: Server, id: str, *, by: str, seen: int | None = None, anyway: bool = False) -> Record:
    """Close the round in progress; from now on every result counts."""

    def build(record: Record) -> list[NewEvent]:
        round = record.last_round
        if round is None or round.started_at is None or round.closed:
            raise refuse("close", say("no round is in progress"))
        if left := round.open_pairings():
            raise refuse(
                "close", say("{left} pairings have no result", left=len(left)), ["extend the round", "decide them"]
            )
        waiting = [] if anyway else provisional(server, record, round)
        if waiting:
            boards = ", ".join(map(str, waiting[:10]))
            why = f"the results of board {boards} can still be disputed"
            raise refuse("close", why, ["wait", "close anyway"])
        return [said.new(said.RoundClosed(round.number, by))]

    record = append_act(server, id, by, build, seen=seen, act="close")
    open_closed(server, record)
    return record


def open_closed(server: Server, record: Record, most: int = AT_ONCE) -> None:
    """Open the matches of closed rounds to the public if the settings say that they open with their round."""
    if record.settings.opens != "round":
        return
    query = "SELECT match FROM tournament_matches WHERE tournament = ? AND round = ? AND opened = 0 ORDER BY match"
    for round in record.rounds.values():
        if not round.closed:
            continue
        for (match,) in server.database.execute(query, (record.id, round.number)).fetchall()[:most]:
            open_match(server, match)
            server.database.execute("UPDATE tournament_matches SET opened = 1 WHERE match = ?", (match,))


def end(server: Server, id: str, why: str = "", *, by: str, seen: int | None = None) -> Record:
    """End the tournament after its last closed round."""

    def build(record: Record) -> list[NewEvent]:
        if any(not round.closed for round in record.rounds.values()):
            raise refuse("end", say("a round is still open"), ["close the round"])
        return [said.new(said.Ended(why, by))]

    return append_act(server, id, by, build, seen=seen, act="end")
