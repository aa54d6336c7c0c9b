"""7.2 II.B The five segments of the Movement Phase: the modes in their order, checked and carried out.

SEGMENTS           the order of the modes
order_objections   the objections to an order on the present board
carry_out          an order with its dice: interception and flak
15.1               Lift Commands are used, return or are lost
16.1.3.1, 27.1     landing among the enemy
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail, Lose
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.air.helicopters import flight, through_flak
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.combat.losses import forget, lose_step
from pbem.titles.nato.commands.pools import spend
from pbem.titles.nato.commands.powers import commander_of
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.movement.airmobile import (
    EXTRACT,
    FLY,
    HELICOPTER,
    assault_objections,
    extraction_objections,
    insertion_objections,
    leg,
    named_way,
    outbound,
    pick_up,
    way_home,
)
from pbem.titles.nato.movement.costs import turn_zero
from pbem.titles.nato.movement.entering import enter, enter_site, record_path
from pbem.titles.nato.movement.lift import (
    DROP,
    FERRY,
    LAND,
    LIFT,
    WITHDRAW,
    command_kind,
    corps_leaves_port,
    intercept,
    transport_objections,
    use_port,
)
from pbem.titles.nato.movement.moves import fixed_objections
from pbem.titles.nato.movement.rail import ENTRAINING, entrain_objections, rail_objections, rail_way
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.state import ENEMY, SRB, NatoState
from pbem.titles.nato.supply.headquarters import superior

RAIL, ENTRAIN, DETRAIN = "rail", "entrain", "detrain"
CARRIED: Final = (FERRY, LIFT, DROP, LAND, WITHDRAW)
FLOWN: Final = (FLY, EXTRACT)

SEGMENTS: Final = {DETRAIN: 0, RAIL: 1, ENTRAIN: 2, **dict.fromkeys(CARRIED, 3), **dict.fromkeys(FLOWN, 5)}
"""7.2 The segment number of each mode; ground movement is 4."""
GROUND: Final = 4
LANDING: Final = {FERRY: "14.1.2", LIFT: "16.1.2", DROP: "16.1.3", LAND: "16.2.3", WITHDRAW: "16.2.3"}


def segment(mode: str) -> int:
    """7.2 Return the segment number of a mode in the Movement Phase."""
    return SEGMENTS.get(mode, GROUND)


def phase_segment(mode: str) -> int:
    """7.2 Return the segment of a mode; detraining, rail moves and entraining belong to the same segment."""
    return max(segment(mode), SEGMENTS[ENTRAIN])


def order_objections(board: Board, unit: Unit, move: Move, *, reserve: bool = False) -> Iterator[Objection]:
    """13 to 18 Yield the objections to an order that is not ground movement."""
    mode, end = move.mode, move.path[-1] if move.path else ""
    yield from fixed_objections(board, unit)
    if mode == DETRAIN:
        if not unit.piece.train:
            yield Objection("13.5", say("the unit is not on a train"))
    elif mode == ENTRAIN:
        yield from entrain_objections(board, unit)
    elif not end:
        yield Objection("12.0", say("the order must name a destination"))
    elif turn_zero(board) and mode != FERRY:
        yield Objection(
            "7.2/turn-0", say("before the war, units can only entrain, fly from city to city, or move on the ground")
        )
    elif mode == RAIL:
        yield from rail_objections(board, unit, end)
    elif mode == FLY:
        yield from insertion_objections(board, unit, end, reserve=reserve)
    elif reserve:
        yield Objection("28.2", say("reserves can only move on the ground or be flown in"))
    elif mode == EXTRACT:
        yield from extraction_objections(board, unit, move.path)
    else:
        yield from transport_objections(board, unit, end, mode)
        if end in board.atlas.places and board.holds(end, ENEMY[unit.side]):
            yield from assault_objections(board, unit, end)


# --- moving without dice --------------------------------------------------------------------------------------


def shift(board: Board, unit: Unit, move: Move, *, reserve: bool = False) -> None:
    """Carry out an order without any dice, for rehearsals and for the rest of a move once its dice are rolled."""
    piece, mode = unit.piece, move.mode
    if mode == DETRAIN:
        piece.train = ""
        board.refresh(unit)
    elif mode == ENTRAIN:
        piece.train, piece.moved, piece.reserve = ENTRAINING, True, False
        board.refresh(unit)
    else:
        end = move.path[-1]
        assault = end in board.atlas.places and board.holds(end, ENEMY[unit.side])
        if assault:
            board.state.assaults.append(unit.id)
            if end not in board.state.battles:
                board.state.battles.append(end)  # 27.1
        board.place(unit, end)
        if assault:
            board.assault(frozenset(board.state.assaults))
        if reserve:
            piece.flown = True  # 28.2.2
        else:
            piece.moved, piece.reserve = True, False
        if mode in (DROP, LAND):
            piece.cs_out = False  # 10.6.3


def take_command(board: Board, unit: Unit, kind: str, steps: int) -> None:
    """15.1 Take Lift Commands out of the Ready box."""
    ready = board.state.lift_ready.setdefault(unit.side, {})
    ready[kind] = ready.get(kind, 0) - steps  # 2.2.6, 3.8
    spend(board, commander_of(board, unit.card), kind, steps)  # 35.8.1


def return_command(board: Board, unit: Unit, kind: str, steps: int) -> None:
    """15.1 Put Lift Commands into the Recovery box."""
    used = board.state.lift_used.setdefault(unit.side, {})
    used[kind] = used.get(kind, 0) + steps


# --- with dice -----------------------------------------------------------------------------------------------


def carry_out(table: Table[NatoState], board: Board, unit: Unit, move: Move, *, reserve: bool = False) -> None:
    """13 to 18 Carry out an order, which interception and flak may prevent."""
    start, mode = unit.at, move.mode
    if mode in CARRIED:
        carry(table, board, unit, move)
    elif mode == FLY:
        insert(table, board, unit, move.path, reserve=reserve)
    elif mode == EXTRACT:
        extract(table, board, unit, move.path)
    else:
        way = rail_way(board, unit, move.path[-1]) if mode == RAIL and move.path[-1] in board.atlas.places else []
        shift(board, unit, move)
        for hex in way or ():
            enter(table, board, unit, hex)
        rule = {RAIL: "13.2", ENTRAIN: "13.1", DETRAIN: "13.5"}[mode]
        inputs = {"unit": unit.id, "from": start, "mode": mode, "path": way or []}
        shown = [record_path(table, unit.id, start, way or move.path, mode)]
        table.find(
            rule, inputs=inputs, result=unit.at, shows=shown, children=rail_notes(board, start, mode, way or ())
        )


def rail_notes(board: Board, start: str, mode: str, way: Sequence[HexId]) -> list[Finding]:
    """13.2.1, 13.7.1, 13.8 Note special cases of rail moves: chemical hexes on the path, or a start in a box."""
    notes = []
    if gas := [hex for hex in way if hex in board.state.chemical]:
        notes.append(Finding("13.2.1", result=gas))
    if start == SRB:
        notes.append(Finding("13.7.1", inputs={"mode": mode}, result=["entrain", "to a box", "onto the map"]))
    elif not start.isdecimal():
        notes.append(Finding("13.8", inputs={"box": start}, result=mode))
    return notes


def carry(table: Table[NatoState], board: Board, unit: Unit, move: Move) -> None:
    """14, 16 Carry out a ferry or a lift: roll interception for each step, then land."""
    end, mode, steps = move.path[-1], move.mode, unit.steps
    kind = command_kind(unit, mode)
    if kind:
        take_command(board, unit, kind, steps)
    use_port(board, unit, end, mode)
    lost = intercept(table, board, unit, end, mode)
    if kind:
        return_command(board, unit, kind, steps - lost)
    if kind and lost:
        left = dict(board.state.lift_ready.get(unit.side, {}))
        table.find("17.1.3", inputs={"unit": unit.id, "lost": lost}, result=left)
    start = unit.at
    for _ in range(min(lost, steps)):
        lose_step(table, board, unit, "17.1.2", "interception")
    if unit.id in board.units:
        board.passengers.add(unit.id)
        land(table, board, unit, move, start)


def land(table: Table[NatoState], board: Board, unit: Unit, move: Move, start: str, *, reserve: bool = False) -> None:
    """16.1.3.1, 27.1 Land a unit; in an enemy-occupied hex it assaults."""
    shift(board, unit, move, reserve=reserve)
    if move.mode in (LAND, LIFT) and corps_leaves_port(board, unit, start):
        unit.piece.supplied, unit.piece.unpaid = True, False
        fed = [one.id for one in board.of(unit.side) if not one.card.hq and superior(board, one, unit.card)]
        notes = [Finding("29.6", result=unit.at), Finding("29.6.1", result=fed)]
        table.find("16.2.4", inputs={"unit": unit.id, "from": start}, result="supplied", children=notes)
    if unit.at in board.atlas.places:
        enter_site(table, board, unit, unit.at)
    rule = "27.1" if unit.id in board.assaulting else LANDING.get(move.mode, "18.1.3")
    inputs = {"unit": unit.id, "from": start, "mode": move.mode}
    why = list(landing_reasons(unit, move.mode))
    why += [Finding("28.2.2", inputs={"unit": unit.id}, result=unit.at)] if reserve else []
    table.find(
        rule,
        inputs=inputs,
        result=unit.at,
        shows=[record_path(table, unit.id, start, [unit.at], move.mode)],
        children=why,
    )


def landing_reasons(unit: Unit, mode: str) -> Iterator[Finding]:
    """10.6.3, 16.1.3.1, 16.2.3.1, 18.2.3 Explain what a unit that has landed may still do."""
    by_air = mode in (DROP, FLY) or (mode in (LIFT, FERRY) and unit.card.a_unit)
    if mode == FLY:
        yield Finding("6.0/helicopter-movement", inputs={"unit": unit.id}, result=unit.at)
        yield Finding("18.2.3", inputs={"unit": unit.id}, result="may attack")
        return
    yield Finding("6.0/air-movement" if by_air else "6.0/sea-movement", inputs={"unit": unit.id}, result=mode)
    if mode != FERRY:
        yield Finding("16.0", inputs={"unit": unit.id}, result=mode)
        yield Finding("16.3", inputs={"unit": unit.id}, result="over anything but enemy airspace")
        yield Finding("8.1.3", inputs={"unit": unit.id}, result="passes zones of control")
        yield Finding("16.4", inputs={"unit": unit.id}, result="counts for airspace after the segment")
    if mode == DROP:
        yield Finding("16.1.3.1", inputs={"unit": unit.id}, result="may attack, in combat supply")
        yield Finding("10.6.3", inputs={"unit": unit.id}, result=not unit.piece.cs_out)
    elif mode == LAND:
        yield Finding("16.2.3.1", inputs={"unit": unit.id}, result="may attack, in combat supply")
        yield Finding("10.6.3", inputs={"unit": unit.id}, result=not unit.piece.cs_out)


def insert(table: Table[NatoState], board: Board, unit: Unit, way: tuple[HexId, ...], *, reserve: bool) -> None:
    """18.1.3, 19.1.3.1 Fly a unit in; if the helicopters are shot down on the way there, the unit is lost with
    them.
    """
    steps, start, end = unit.steps, unit.at, way[-1]
    named = named_way(unit, way, leg(board, reserve=reserve))
    path = way if named else outbound(board, unit, end, reserve=reserve) or ()
    home = way_home(board, unit, end, reserve=reserve)
    tell_legs(table, unit, "insertion", path, home, leg(board, reserve=reserve))
    take_command(board, unit, HELICOPTER, steps)
    defense = board.data.charts.number(f"helicopter_defense_{unit.side}")
    who = f"helicopters of {unit.id}"
    if not through_flak(table, board, unit.side, path, who, defense, unit.id):
        board.remove(unit)
        forget(table, unit)
        gone = [Lose(unit.id, start, "shot down")]
        table.find("19.1.3.1", inputs={"unit": unit.id, "to": end}, result="lost", shows=gone)
        return
    land(table, board, unit, Move(unit.id, (end,), FLY), start, reserve=reserve)
    if through_flak(table, board, unit.side, home, who, defense):
        return_command(board, unit, HELICOPTER, steps)


def tell_legs(
    table: Table[NatoState], unit: Unit, kind: str, out: Sequence[HexId], back: Sequence[HexId], limit: int
) -> None:
    """18.1, 18.1.1, 18.1.2 Record which operation is flown, and the length of each leg."""
    children = [
        Finding("18.1.1", inputs={"limit": limit}, result=[len(out), len(back)]),
        Finding("18.1.2", inputs={"unit": unit.id}, result=kind),
        Finding("18.1/hex-by-hex", result=[*out, *back]),
    ]
    table.find("18.1", inputs={"unit": unit.id, "out": list(out), "back": list(back)}, result=kind, children=children)


def extract(table: Table[NatoState], board: Board, unit: Unit, named: tuple[HexId, ...]) -> None:
    """18.1.4, 19.1.3.2 Pick up a unit: flak on the way in destroys only the helicopters, but on the way back it also
    destroys the unit.
    """
    side, steps, start, end = unit.side, unit.steps, unit.at, named[-1]
    defense, who = board.data.charts.number(f"helicopter_defense_{side}"), f"helicopters of {unit.id}"
    take_command(board, unit, HELICOPTER, steps)
    limit = leg(board, reserve=False)
    path = pick_up(board, unit, named) or ()
    if not through_flak(table, board, side, path, who, defense, unit.id):
        why = say("the helicopters were shot down on their way to pick up the unit")
        table.find(
            "19.1.3.2", inputs={"unit": unit.id}, result=start, shows=[Fail(unit.id, "extract", why, "19.1.3.2")]
        )
        return
    back = flight(board, side, start, end, limit, unit.id) or ()
    tell_legs(table, unit, "extraction", path, back, limit)
    if not through_flak(table, board, side, back, who, defense, unit.id):
        board.remove(unit)
        forget(table, unit)
        gone = [Lose(unit.id, start, "shot down")]
        table.find("19.1.3.2", inputs={"unit": unit.id, "to": end}, result="lost", shows=gone)
        return
    return_command(board, unit, HELICOPTER, steps)
    shift(board, unit, Move(unit.id, (end,), EXTRACT))
    notes = [Finding("18.2.2", inputs={"unit": unit.id, "disrupted": unit.piece.disrupted}, result=end)]
    inputs, shown = {"unit": unit.id, "from": start}, [record_path(table, unit.id, start, [end], EXTRACT)]
    table.find("18.1.4", inputs=inputs, result=end, shows=shown, children=notes)
