"""22 Chemical warfare: first use, strikes, markers and airfields.

22.0     chemical_segment: first use by the Warsaw Pact, and all strikes
22.2     chemical_objections: delivery and limits
22.2.3   strike: a die for each unit
22.2.5   remove_markers
22.3.2   strike_responder: the effect on a unit that responds into a hex with a fresh marker
22.4     strike_airfields
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.air.points import spend_tactical, tactical_points
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Nation, Side
from pbem.titles.nato.combat.losses import disrupt, lose_step
from pbem.titles.nato.map.grid import HexId, neighbours
from pbem.titles.nato.nuclear.atomic import hex_objections, war_crime
from pbem.titles.nato.player.orders import AIRFIELD, Chemical
from pbem.titles.nato.state import ENEMY, NatoState
from pbem.titles.nato.zones.airspace import airspace

TACTICAL, OPERATIONAL, ARTILLERY = "tactical", "operational", "artillery"


def warfare_turn(state: NatoState) -> int:
    """22.2.4 Return the turn of chemical warfare, counted from 1."""
    return state.turn - state.first_use + 1


def chemical_objections(board: Board, side: Side, orders: Sequence[Chemical]) -> Iterator[Objection]:
    """22.0 to 22.2 Yield all objections to the chemical strikes of a segment."""
    if not orders:
        return
    state = board.state
    if not board.data.plays("chemical"):
        yield Objection("22.0", say("the scenario has no chemical weapons"))
        return
    if side is Side.NATO and not state.first_use:
        yield Objection("22.0", say("NATO can never start chemical warfare"))
    if len(orders) > state.chemical_points.get(side, 0):
        yield Objection(
            "22.1",
            say(
                "{orders} strikes cost more than the {get} points that are left",
                orders=len(orders),
                get=state.chemical_points.get(side, 0),
            ),
        )
    limits = board.data.scenario.chemical.get(side)
    if any(order.delivery not in (TACTICAL, OPERATIONAL, ARTILLERY) for order in orders):
        yield Objection("22.2", say("a strike is delivered as a tactical, operational or artillery strike"))
    for kind in (TACTICAL, OPERATIONAL, ARTILLERY):
        wanted, most = sum(order.delivery == kind for order in orders), getattr(limits, kind, 0)
        if wanted > most:
            yield Objection(
                "22.2",
                say(
                    "you ordered {wanted} {kind} strikes; {most} can be delivered this turn",
                    wanted=wanted,
                    kind=kind,
                    most=most,
                ),
            )
    if side is Side.NATO and sum(one.delivery == TACTICAL for one in orders) > tactical_points(state, side):
        yield Objection("22.2.2", say("every tactical strike costs a tactical air point"))
    for number, order in enumerate(orders):
        earlier = [other.hex for other in orders[:number]]
        yield from target_objections(board, side, order, earlier)


def target_objections(board: Board, side: Side, order: Chemical, earlier: Sequence[HexId]) -> Iterator[Objection]:
    """22.2.1, 22.2.2 Yield the reasons why one strike cannot be made on its target."""
    if order.hex == AIRFIELD:
        if side is Side.NATO or order.delivery != OPERATIONAL:
            yield Objection("22.4", say("only the Warsaw Pact can strike airfields, with its operational strike"))
        if order.persistent:
            yield Objection("22.4", say("a strike on airfields leaves no marker, so it cannot be persistent"))
        return
    yield from hex_objections(board, side, order.hex, earlier)
    if order.hex not in board.atlas.places:
        return
    if order.delivery == TACTICAL and airspace(board, order.hex, side) == "enemy":
        yield Objection("22.2.1", say("{hex} is enemy airspace", hex=order.hex))
    if order.delivery == ARTILLERY:
        near = [unit for hex in neighbours(order.hex) for unit in board.at(hex, side)]
        firing = [unit for unit in near if unit.card.nation is Nation.US and not unit.card.hq]
        if not board.holds(order.hex, ENEMY[side]) or not any(
            not unit.piece.cs_out and not unit.piece.train for unit in firing
        ):
            yield Objection(
                "22.2.2", say("no US unit in combat supply is adjacent to enemies in {hex}", hex=order.hex)
            )


def remove_markers(table: Table[NatoState], board: Board, side: Side) -> None:
    """22.2.5 Remove non-persistent markers, and persistent ones on a die roll of 1."""
    state = table.state
    for hex in sorted(state.chemical):
        persistent = state.chemical[hex].get(side)
        if persistent is None:  # 4.1.3
            continue
        die = table.roll(6, "22.2.5", hex) if persistent else 0
        if die <= 1:
            del state.chemical[hex][side]
            table.find("22.2.5", inputs={"hex": hex, "side": side}, dice=[die] if die else [], result="removed")
        if not state.chemical[hex]:
            del state.chemical[hex]


def strike(table: Table[NatoState], board: Board, side: Side, order: Chemical) -> None:
    """22.2.3, 22.2.6 Place the marker and roll for every enemy unit except headquarters."""
    state = table.state
    war_crime(table, board, side, order.hex, "22.5")
    notes = list(strike_notes(board, side, order.hex))
    markers = state.chemical.setdefault(order.hex, {})
    markers.setdefault(side, order.persistent)
    state.gassed.append(order.hex)
    table.find("22.2.3", inputs={"side": side, "persistent": order.persistent}, result=order.hex, children=notes)
    for unit in board.at(order.hex, ENEMY[side]):
        if not unit.card.hq:
            strike_unit(table, board, side, unit)


def strike_notes(board: Board, side: Side, hex: HexId) -> Iterator[Finding]:
    """22.2.6 to 22.2.9, 22.3.3 Note everything that a chemical strike does not affect, and any earlier strike it
    adds to.
    """
    state, enemy = board.state, ENEMY[side]
    yield Finding("22.3", inputs={"hex": hex}, result=["stop on entry", "minimum move to leave", "strengths halved"])
    if hex in state.chemical:
        yield Finding("22.2.6", inputs={"hex": hex}, result=[str(one) for one in state.chemical[hex]])
    if hqs := [unit.id for unit in board.at(hex, enemy) if unit.card.hq]:
        yield Finding("22.2.7", result=hqs)
    if sites := [id for id, where in sorted(state.sites.items()) if where == hex]:
        yield Finding("22.2.8", result=sites)
    if board.free_city(hex, enemy):
        yield Finding("22.2.9", inputs={"hex": hex}, result="keeps its strength")
    if hex in state.nuclear:
        yield Finding("22.3.3", inputs={"hex": hex}, result="halved once")


def strike_unit(table: Table[NatoState], board: Board, side: Side, unit: Unit) -> None:
    """22.2.3 Roll one die for a unit and apply the result."""
    die, rows = table.roll(6, "22.2.3", unit.id, unit.at), surprise_rows(board, side)
    total = die + sum(row["value"] for row in rows)
    turn = warfare_turn(table.state)
    result = board.data.charts.chemical(turn, total)
    inputs = {"unit": unit.id, "hex": unit.at, "turn": turn}
    told = result or "no effect"
    table.find("22.2.3/unit", inputs=inputs, modifiers=rows, cell=[turn, total], dice=[die], result=told)
    if result == "D1":
        lose_step(table, board, unit, "22.2.3/loss", "chemical strike")
    if result and unit.id in board.units:
        disrupt(table, board, [unit], "25.6.4")


def surprise_rows(board: Board, side: Side) -> list[dict[str, Any]]:
    """35.7 Return the modifier for a Warsaw Pact strike on the surprise turn."""
    if side is not Side.WP or not board.surprise():
        return []
    return [{"text": "surprise", "value": board.data.charts.modifier("surprise")}]


def strike_airfields(table: Table[NatoState], board: Board, side: Side) -> None:
    """22.4 Deduct tactical air points from NATO at once, but never below two."""
    die, rows = table.roll(6, "22.4", str(table.state.turn)), surprise_rows(board, side)
    total, turn = die + sum(row["value"] for row in rows), warfare_turn(table.state)
    wanted = board.data.charts.airfield(turn, total)
    have = table.state.tactical.get(Side.NATO, 0)
    lost = max(0, min(wanted, have - board.data.charts.number("tactical_floor")))
    table.state.tactical[Side.NATO] = have - lost
    inputs = {"side": side, "turn": turn, "wanted": wanted, "have": have}
    table.find("22.4", inputs=inputs, modifiers=rows, dice=[die], cell=total, result=lost)


def chemical_segment(table: Table[NatoState], board: Board, side: Side, orders: Sequence[Chemical]) -> None:
    """22.2.3 Remove old markers, place and pay for new ones, then resolve all strikes."""
    state = table.state
    state.gassed = []
    if not board.data.plays("chemical"):
        return
    remove_markers(table, board, side)
    if orders and not state.first_use:
        state.first_use = state.turn  # 4.4.3
        state.points[Side.NATO] = state.points.get(Side.NATO, 0) + 1  # 34.3.3
        table.find("22.0", inputs={"side": side}, result=state.turn)
    for order in orders:
        state.chemical_points[side] -= 1  # 4.3.2
        if side is Side.NATO and order.delivery == TACTICAL:
            spend_tactical(state, side, 1)  # 22.2.2
    for order in orders:
        if order.hex == AIRFIELD:
            strike_airfields(table, board, side)
        else:
            strike(table, board, side, order)
    board.forget_facts()


def strike_responder(table: Table[NatoState], board: Board, side: Side, unit: Unit) -> None:
    """22.3.2 Strike a unit at once if it responds into a hex struck in this player turn."""
    if unit.at in table.state.gassed and side in table.state.chemical.get(unit.at, {}):
        table.find("22.3.2", inputs={"unit": unit.id}, result=unit.at)
        strike_unit(table, board, side, unit)
