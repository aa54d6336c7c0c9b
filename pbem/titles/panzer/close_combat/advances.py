"""6.6.1.1 The advancing attack: a one-hex advance that may draw overwatch fire, then the attack.

    6.6.1.1    readiness_objections, entry_objections, is_fit, advance_cost
    6.6.1.1    advance: the unit moves, through mines (7.31.2) and barrages (6.6.6)
    6.6.11     parting_objections: units that share a Move stay in command range, also when they fight
    6.6.8      settle_in: units that have advanced occupy an empty position

Used by `close_combat`, and by engineers who attack terrain (`demolition`, 7.19).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name, neighbours
from pbem.engine.rules.ask import Step
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.close_combat.close_assault import size_of
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.actions import mark_move
from pbem.titles.panzer.fire.gp_modifiers import is_broken, is_hesitating
from pbem.titles.panzer.fire.overwatch import overwatch_window
from pbem.titles.panzer.movement.arrivals import arrive
from pbem.titles.panzer.movement.placing import drive_to
from pbem.titles.panzer.movement.shared_moves import companions, group_objections
from pbem.titles.panzer.movement.steps.on_foot import crossing_objections
from pbem.titles.panzer.movement.steps.terrain_costs import movement_of
from pbem.titles.panzer.movement.steps.unit_steps import mover_of, start
from pbem.titles.panzer.obstacles.positions import occupy
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Unit


def readiness_objections(data: PanzerData, unit: Unit, rule: str) -> Iterator[Objection]:
    """6.6.1.1 Object to an advancing attack by a unit in full cover or a section with a weapon."""
    if unit.full_cover:
        yield Objection("6.1.4.2", say("the unit is in full cover, so it can only attack adjacent units"))
    if size_of(data, unit) == "section" and unit.attached:
        yield Objection(rule, say("a section with an attached weapon cannot advance to attack"))


def is_fit(unit: Unit) -> bool:
    """6.6.1.1 Whether the unit is on the map and not suppressed, hesitating (7.1.5.1) or broken (7.1.5.2)."""
    return unit.alive and not (unit.suppressed or is_hesitating(unit) or is_broken(unit))


def entry_objections(situation: Situation, unit: Unit, hex: Hex, rule: str) -> Iterator[Objection]:
    """6.6.1.1, 6.6.4.1 Reasons why a unit cannot enter an adjacent hex; the movement cost does not matter (A24)."""
    here = place_of(unit)
    if not situation.data.board.is_on_map(hex) or distance(here, hex) != 1:
        yield Objection(rule, say("{hex} is not next to the unit", hex=hex_name(hex)))
        return
    mover = mover_of(situation, unit)
    yield from crossing_objections(mover, start(mover, "cross"), neighbours(here).index(hex) + 1)
    if any(other.side != unit.side for other in situation.state.on_the_ground(hex)):
        yield Objection(rule, say("there are enemy units in {hex}", hex=hex_name(hex)))


def parting_objections(
    situation: Situation, unit: Unit, hex: Hex, fighting: Mapping[str, Hex]
) -> Iterator[Objection]:
    """6.6.11 Object if an advance takes a unit out of command range of units that share its Move and cannot follow.

    `fighting` are the hexes of the units that fight this turn and move no more.
    """
    group = [
        msgspec.structs.replace(mate, hex=fighting[mate.id], moved=True) if mate.id in fighting else mate
        for mate in companions(situation.state, unit)
    ]
    yield from group_objections(situation.data, group, unit, hex)


def settle_in(table: Table[PanzerState], units: Iterable[Unit]) -> None:
    """6.1.4.3.6, 6.6.8 Units that have ended their move in another hex occupy an empty position there."""
    for unit in units:
        found = occupy(table, unit) if unit.alive else None
        if found is not None:
            table.findings.append(msgspec.structs.replace(found, to=unit.audience))


def advance(table: Table[PanzerState], unit: Unit, hex: Hex, rule: str, window: str) -> Step:
    """6.6.1.1 Advance one hex to become adjacent; overwatch fire at the unit comes before the assault."""
    if not is_fit(unit):
        return
    start = place_of(unit)
    unit.spent += advance_cost(table.data, unit)
    drive_to(table, unit, hex)
    unit.moved = True
    mark_move(unit)
    inputs = {"unit": unit.id, "from": hex_name(start), "cost": unit.spent}
    table.find(rule, inputs=inputs, result=hex_name(hex))
    yield from arrive(table, unit)
    if unit.alive:
        table.find(window, inputs={"unit": unit.id}, result="window")
        yield from overwatch_window(table, unit)


def advance_cost(data: PanzerData, unit: Unit) -> int:
    """6.6.1.1, 6.6.4.4 The cost of an advance: one point on any terrain (A24), for riders half their allowance."""
    return 1 if data.leg(unit).mount == "foot" else max(1, movement_of(data, unit).cross_country // 2)
