"""8.2, 25, 26 A battle before it is fought: possible responses, envelopment, and which units may fight together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Nation, Side
from pbem.titles.nato.combat.advance import advance_objections, second_hexes
from pbem.titles.nato.combat.eligibility import response_objections, support_objections, torn_open
from pbem.titles.nato.combat.losses import next_losses
from pbem.titles.nato.combat.odds import envelopment
from pbem.titles.nato.combat.retreat import legal_ways
from pbem.titles.nato.map.grid import neighbours
from pbem.titles.nato.state import ENEMY, Battle
from pbem.titles.nato.supply.headquarters import BALTIC_CORPS, BALTIC_FRONT, front, in_baltap, reach
from pbem.titles.nato.zones.coordination import attack_objections, defending_groups, joins
from pbem.titles.nato.zones.stacking import room


def battle_reasons(board: Board, battle: Battle) -> Iterator[Finding]:
    """25.1 Yield everything that would influence a battle if it were fought now."""
    yield from response_reasons(board, battle)
    yield from envelopment_reasons(board, battle)
    units = [board.units[id] for id in battle.attackers if id in board.units]
    yield from coordination_reasons(board, battle.side, units)
    yield defenders_reason(board, battle)
    if battle.support in board.units:
        yield from support_reasons(board, board.units[battle.support], units)


def battle_finding(rule: str, result: Any, **inputs: Any) -> Finding:
    return Finding(rule, inputs=inputs, result=result)


# --- 25.1.2 response -----------------------------------------------------------------------------------------


def response_reasons(board: Board, battle: Battle) -> Iterator[Finding]:
    """25.1.2 Explain, for every unit near the objective, whether it may respond, with the deciding rule."""
    side, objective = ENEMY[battle.side], battle.objective
    if torn_open(board, objective, battle.side):
        yield battle_finding("25.1.2.2", False, hex=objective)
        return
    for unit in board.at(objective, side):
        yield battle_finding("25.1.2.8", False, unit=unit.id)
    for hex in neighbours(objective):
        for unit in board.at(hex, side):
            yield response_reason(board, unit, battle)


def response_reason(board: Board, unit: Unit, battle: Battle) -> Finding:
    """25.1.2.6, 8.2.1, 8.2.2 Explain whether one unit may respond."""
    against = list(response_objections(board, unit, battle))
    here, side = board.at(battle.objective, unit.side), unit.side
    zone = board.ezoc(unit.at, side)
    inputs = {"unit": unit.id, "against": [objection.rule for objection in against]}
    rule = "25.1.2.6" if not zone else "8.2.1" if side is Side.WP else "8.2.2"
    if board.holds(unit.at, ENEMY[side]):
        rule = "27.3.6"
    elif not here:
        rule = "30.4.5" if side is Side.WP else "30.4.6"
    elif not joins(board, unit, here):
        rule = "26.1.6" if side is Side.WP else "26.2.9"
    return Finding(rule, inputs=inputs, result=not against)


# --- 25.3.4.2 envelopment ------------------------------------------------------------------------------------


def envelopment_reasons(board: Board, battle: Battle) -> Iterator[Finding]:
    """8.2.3 to 8.2.5 Explain whether the objective is enveloped, and by which units."""
    objective, side = battle.objective, battle.side
    shape = envelopment(board, objective, side)
    rule = "8.2.4" if shape == "concentric" else "8.2.3"
    yield battle_finding(rule, {"flank": 1, "concentric": 2}.get(shape, 0), hex=objective)
    around = [
        unit.id for hex in neighbours(objective) for unit in board.at(hex, side) if unit.id not in battle.attackers
    ]
    yield battle_finding("8.2.5", shape or "none", hex=objective, beside=around)


# --- 26 coordination -----------------------------------------------------------------------------------------


def coordination_reasons(board: Board, side: Side, units: Sequence[Unit]) -> Iterator[Finding]:
    """26.0 Explain whether units may attack together, and by which rule."""
    against = [objection.rule for objection in attack_objections(board, side, units)]
    names = [unit.id for unit in units]
    yield battle_finding("26.0", not against, units=names, against=against)
    yield battle_finding("25.2.1", not against, units=names)
    if side is Side.WP:
        fronts = sorted({front(board, unit.card) for unit in units} - {""})
        yield battle_finding("26.1.1", fronts, units=names)
        yield battle_finding("26.1.2", [unit.id for unit in units if not front(board, unit.card)])
        merged = [unit.id for unit in units if board.data.merges_baltap and in_baltap(board, unit.at)]
        if merged:
            yield battle_finding("26.1.7", merged)
            yield battle_finding("29.5.3", merged)
    else:
        yield battle_finding(
            "26.2.6", [unit.id for unit in units if unit.card.canadian and unit.card.nation is Nation.US]
        )
        berlin = [unit.id for unit in units if unit.card.berlin]
        if berlin:
            yield battle_finding("26.2.7", not against, units=berlin)
            yield battle_finding("31.1.2", not against, units=berlin)
    for hex in sorted({unit.at for unit in units}):
        here = sorted(
            {str(unit.card.nation) if side is Side.NATO else front(board, unit.card) for unit in board.at(hex, side)}
        )
        if len(here) > 1:
            yield battle_finding("26.2.4" if side is Side.NATO else "26.1.4", here, hex=hex)


def defenders_reason(board: Board, battle: Battle) -> Finding:
    """26.0/contributors Return the groups of units of which the defender chooses one."""
    units = [unit for unit in board.at(battle.objective, ENEMY[battle.side]) if unit.maneuver]
    groups = defending_groups(board, ENEMY[battle.side], units) if units else []
    return battle_finding(
        "26.0/contributors", [[unit.id for unit in group] for group in groups], hex=battle.objective
    )


# --- 25.4 Offensive Support ----------------------------------------------------------------------------------


def support_reasons(board: Board, hq: Unit, units: Sequence[Unit]) -> Iterator[Finding]:
    """25.4, 29.3, 8.4 Explain whether a headquarters may support an attack, and which units are within its range."""
    against = [objection.rule for objection in support_objections(board, hq, units)]
    within = {unit.id: reach(board, hq)[unit.at] for unit in units if unit.at in reach(board, hq)}
    if hq.id == BALTIC_FRONT:
        yield battle_finding("29.5.2", not against, hq=hq.id)
    elif hq.id == BALTIC_CORPS:
        yield battle_finding("29.6.3", not against, hq=hq.id)
    elif hq.side is Side.NATO:
        yield battle_finding("25.4.2", not against, hq=hq.id, against=against)
    yield battle_finding("29.3", within, hq=hq.id, range=hq.card.support_range)
    yield battle_finding("8.4", sorted(within), hq=hq.id)
    yield battle_finding("25.4.4", 1, hq=hq.id)


# --- 25.7, 25.8 afterwards -----------------------------------------------------------------------------------


def retreat_reasons(board: Board, units: Sequence[Unit], length: int) -> Iterator[Finding]:
    """8.2.6, 25.7.4.2, 25.7.5, 25.7.6 Yield the retreat paths of these units and their costs."""
    ways = legal_ways(board, units, length)
    side, start = units[0].side, units[0].at
    yield battle_finding("25.7.5", sorted(board.data.charts.rear(side, board.atlas.places[start].zone)), hex=start)
    for way in ways:
        path = " ".join(way.path)
        zones = sum(board.closed(hex, side) for hex in way.path)
        yield battle_finding("8.2.6", zones, path=path)
        yield battle_finding("25.7.4.2", way.price, path=path)
        yield battle_finding(
            "25.7.6", room(board, way.path[-1], side) - sum(unit.steps for unit in units if unit.maneuver), path=path
        )


def advance_reasons(board: Board, battle: Battle) -> Iterator[Finding]:
    """25.8 Explain, for every attacking unit near the objective, whether and how far it may advance."""
    for hex in (battle.objective, *neighbours(battle.objective)):
        for unit in board.at(hex, battle.side):
            yield advance_reason(board, unit, battle)


def advance_reason(board: Board, unit: Unit, battle: Battle) -> Finding:
    """25.8.2.2 to 25.8.5 Explain whether one unit may advance, with the deciding rule."""
    enters = not any(advance_objections(board, unit, battle, [battle.objective]))
    further = second_hexes(board, unit, battle) if enters else []
    rule = "25.8.3" if further else "25.8.2.2"
    if unit.at == battle.objective:
        rule = "25.8.5"
    elif unit.card.artillery or unit.card.hq:
        rule = "25.8.4" if unit.card.artillery else "29.2.1"
    elif unit.id not in battle.attackers:
        rule = "25.6.6"
    return Finding(rule, inputs={"unit": unit.id, "second": further}, result=enters)


def loss_reasons(board: Board, battle: Battle) -> Iterator[Finding]:
    """24.2.2, 25.7.7, 29.2.1 Yield the order in which defenders lose steps."""
    left: list[Unit] = board.at(battle.objective, ENEMY[battle.side])
    order: list[str] = []
    while left:
        first = next_losses(left, battle)
        order += [unit.id for unit in first]
        left = [unit for unit in left if unit.id not in order]
    yield battle_finding("24.2.2", order, hex=battle.objective)
    yield battle_finding("25.7.7", [id for id in order if board.units[id].piece.engaged], hex=battle.objective)
    city = board.free_city(battle.objective, ENEMY[battle.side])
    yield battle_finding("25.6.3.2", city, hex=battle.objective)
    yield battle_finding("25.6.3.3", sorted(battle.helicopters.values()))
