"""25.8 Advance: consolidation and exploitation.

25.8.1   consolidation: into the objective, up to the stacking limit
25.8.2   exploitation: one hex further, for hard units over clear ground
25.8.2.1 at most two steps, and nothing else, in the hex where an exploiting unit ends
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.combat.strength import ground_of, is_fortified
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.state import ENEMY, Battle
from pbem.titles.nato.zones.stacking import maneuver_steps

CROWDED = 2
"""9.1.2 The most maneuver steps in a hex where an advance ends, if any unit exploits."""


def advance_objections(board: Board, unit: Unit, battle: Battle, path: Sequence[HexId]) -> Iterator[Objection]:
    """25.8 Yield the reasons why one unit cannot advance along a path."""
    objective = battle.objective
    if unit.id not in battle.attackers or unit.at == objective:  # 25.6.6, 25.8.5
        yield Objection("25.8", say("only committed units outside the objective can advance"))
        return
    if not path or path[0] != objective or len(path) > 2:
        yield Objection(
            "25.8",
            say("an advance must enter {objective}, and can go on for at most one more hex", objective=objective),
        )
        return
    abroad = any(hex in board.atlas.places and board.atlas.places[hex].country is not unit.card.home for hex in path)
    if unit.card.home_bound and not unit.piece.freed and abroad:
        yield Objection("25.8.1", say("a territorial unit cannot advance out of its country"))
    if objective in board.state.nuclear and unit.card.soft:
        yield Objection("25.8.1", say("soft units cannot advance into a nuclear strike hex"))
    if len(path) == 2:  # 25.8.2.2
        yield from exploitation_objections(board, unit, objective, path[1])


def exploitation_objections(board: Board, unit: Unit, objective: HexId, second: HexId) -> Iterator[Objection]:
    """25.8.2 Yield the reasons why a unit cannot continue to a second hex."""
    if not unit.card.hard:
        yield Objection("25.8.2", say("only hard units can exploit"))
    if unit.piece.disrupted:
        yield Objection("25.8.2", say("the unit is disrupted"))
    if unit.piece.ms_out or unit.piece.cs_out:
        yield Objection("25.8.2", say("the unit is out of supply"))
    for start, end in ((unit.at, objective), (objective, second)):
        yield from ground_objections(board, start, end)
    if second not in board.atlas.places:
        return
    if board.holds(second, ENEMY[unit.side]) or board.controller(second) is ENEMY[unit.side]:
        yield Objection("25.8.2", say("the enemy holds {second}", second=second))


def ground_objections(board: Board, start: HexId, end: HexId) -> Iterator[Objection]:
    """25.8.2 Yield an objection for each terrain feature and hexside that stops an exploitation."""
    open_to = [near for near, _ in board.atlas.ground.get(start, ())]
    if end not in board.atlas.places or end not in open_to:
        yield Objection("25.8.2", say("ground units cannot go from {start} to {end}", start=start, end=end))
        return
    place, hexside = board.atlas.places[end], board.atlas.hexside(start, end)
    if is_fortified(board, end):
        yield Objection("25.8.2", say("units cannot exploit through {end}, which is fortified", end=end))
    elif not ground_of(board, end).exploitation:
        yield Objection(
            "25.8.2", say("units can exploit only through clear terrain, and {end} is not clear", end=end)
        )
    if place.bridge:
        yield Objection("25.8.2", say("units cannot exploit through {end}, which has a bridge", end=end))
    if end in board.state.nuclear:
        yield Objection(
            "25.8.2", say("units cannot exploit through {end}, which has a Nuclear Strike marker", end=end)
        )
    if end in board.state.chemical:
        yield Objection(
            "25.8.2", say("units cannot exploit through {end}, which has a Chemical Strike marker", end=end)
        )
    if hexside.river:
        yield Objection(
            "25.8.2", say("units cannot exploit across the river from {start} to {end}", start=start, end=end)
        )
    if hexside.pass_:
        yield Objection(
            "25.8.2", say("units cannot exploit across the pass from {start} to {end}", start=start, end=end)
        )
    if hexside.causeway:
        yield Objection(
            "25.8.2", say("units cannot exploit along the causeway from {start} to {end}", start=start, end=end)
        )


def stacking_objections(board: Board, battle: Battle, paths: Mapping[str, Sequence[HexId]]) -> Iterator[Objection]:
    """25.8.1, 25.8.2.1 Yield an objection for each hex that has no room for the advancing units."""
    exploiting = any(len(path) == 2 for path in paths.values())
    ends: dict[HexId, list[Unit]] = {}
    for id, path in paths.items():
        if path:
            ends.setdefault(path[-1], []).append(board.units[id])
    limit = CROWDED if exploiting else board.data.charts.number("stack")
    for hex, coming in sorted(ends.items()):
        here = [unit for unit in board.at(hex, battle.side) if unit.id not in paths]
        steps = maneuver_steps([*here, *coming])
        if steps > limit:
            rule = "25.8.2.1" if exploiting else "9.1.1"
            yield Objection(
                rule,
                say(
                    "{hex} would hold {steps} maneuver steps; the limit is {limit}", hex=hex, steps=steps, limit=limit
                ),
            )
        if exploiting and any(not unit.maneuver for unit in here):
            yield Objection("25.8.2.1", say("no other units may be in {hex}", hex=hex))


def may_advance(board: Board, unit: Unit, battle: Battle) -> bool:
    """25.8.1 Return whether a unit could enter the objective."""
    return not any(advance_objections(board, unit, battle, [battle.objective]))


def second_hexes(board: Board, unit: Unit, battle: Battle) -> list[HexId]:
    """25.8.2 Return the hexes that a unit could exploit into, ignoring the stacking limit."""
    near = [hex for hex, _ in board.atlas.ground.get(battle.objective, ())]
    return [hex for hex in near if not any(advance_objections(board, unit, battle, [battle.objective, hex]))]
