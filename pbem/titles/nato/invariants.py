"""Invariants that hold in every state between two steps.

7.2     every unit of the scenario is in exactly one place: in play, lost, awaited or on its way back
12.1.1  no ground unit at sea or off the map
12.1.2  no hex holds units of both sides, and no free city holds an enemy
9.1.1   no hex exceeds the stacking limit, except after retreats
23.1    points are never negative
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.movement.costs import sector_of
from pbem.titles.nato.state import ENEMY, SRB, NatoState

INVARIANTS = (
    "every unit is in one place",
    "no ground unit is at sea",
    "no hex holds both sides",
    "points are not negative",
    "markers belong to their phase",
    "a battle is open only while one of its windows waits",
    "zones of control agree with a count from scratch",
)


def flaws(data: NatoData, state: NatoState) -> Iterator[str]:
    """Yield every invariant that a state breaks."""
    board = Board(data, state)
    yield from place_flaws(data, state)
    yield from hex_flaws(data, board)
    yield from marker_flaws(data, board)
    yield from zone_flaws(state, board)


def place_flaws(data: NatoData, state: NatoState) -> Iterator[str]:
    units = {placed.unit for placed in data.scenario.placements} | {due.unit for due in data.scenario.arrivals}
    for id in sorted(units):
        returning = id in state.lost and id in state.returning
        places = [id in state.pieces, id in state.lost, id in state.awaited, id in state.sites]
        if sum(places) != 1 and not returning:
            yield f"{id} is in {sum(places)} places"
    for piece in state.pieces.values():
        if piece.at not in data.atlas.places and piece.at != SRB and not sector_of(piece.at):
            yield f"{piece.id} is in {piece.at}, which is not on the map"
        elif piece.at in data.atlas.places and data.atlas.places[piece.at].is_sea:
            yield f"{piece.id} is at sea in {piece.at}"
        if piece.reduced and data.units[piece.id].steps < 2:
            yield f"{piece.id} is reduced but has one step"


def hex_flaws(data: NatoData, board: Board) -> Iterator[str]:
    for hex, stack in sorted(board.stacks.items()):
        sides = {unit.side for unit in stack}
        if hex not in data.atlas.places:
            continue
        if len(sides) > 1 and not any(unit.id in board.assaulting for unit in stack):
            yield f"{hex} holds both sides"
        for side in sorted(sides):
            if board.free_city(hex, ENEMY[side]):
                yield f"{side} stands in a free city of the enemy in {hex}"


def marker_flaws(data: NatoData, board: Board) -> Iterator[str]:
    state = board.state
    for side in (Side.WP, Side.NATO):
        if state.tactical.get(side, 0) < 0 or state.operational.get(side, 0) < 0:
            yield f"{side} has spent air points that it did not have"
    yield from battle_flaws(board)
    for unit in board.units.values():
        if unit.piece.engaged and state.phase not in ("combat", "fighting"):
            yield f"{unit.id} is engaged outside the Combat Phase"
        if unit.piece.reserve and unit.side is not state.side:
            yield f"{unit.id} is in reserve in the enemy's turn"
        if unit.piece.ms_out and unit.card.hq:
            yield f"{unit.id} is a headquarters with a marker of combat units"


def battle_flaws(board: Board) -> Iterator[str]:
    """25.1 Check that a battle is open only while one of its windows waits, and is the last that the phasing side
    declared.
    """
    state, battle = board.state, board.state.battle
    if battle is None:
        return
    if state.phase != "combat" or battle.side is not state.side:
        yield "a battle is open outside the Combat Phase of its attacker"
    if battle.objective not in state.fought[-1:] or battle.objective in state.battles:
        yield f"the battle for {battle.objective} is open, but it is not the last one declared"
    for id in battle.attackers:
        if id in board.units and not board.units[id].piece.fought:
            yield f"{id} attacks {battle.objective} but is not marked as committed"
    for id in battle.defenders:
        if id not in state.lost and id not in board.units:
            yield f"{id} defends {battle.objective} and is nowhere"


def zone_flaws(state: NatoState, board: Board) -> Iterator[str]:
    """8.0 Check that the zones of control, which are updated with every move, equal a fresh count."""
    kept: Board | None = state.__dict__.get("board")
    if kept is not None and kept.zones != board.zones:
        yield "zones of control were not kept current"
