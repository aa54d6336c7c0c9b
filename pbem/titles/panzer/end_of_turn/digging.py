"""6.6.8, 6.1.4.3.6-7 Positions at the end of a turn: digging hasty entrenchments, occupying and leaving them.

6.6.8          dig, dig_objections; work_of
6.1.4.3.6-7    occupy, occupy_objections
6.1.4.1.2      declare_partial, partial_objections
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.basic_rows import PROHIBITED
from pbem.titles.panzer.cards.units import is_engineer
from pbem.titles.panzer.damage.effects import leave_position
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.positions import has_room, is_finished
from pbem.titles.panzer.sighting.terrain import (
    ENTRENCHMENT,
    IMPROVED_POSITION,
    allows_full_cover,
    board_now,
    features_in,
    in_improved_position,
    interior_of,
    place_of,
    position_of,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Feature, HullDown, PanzerState, Unit

# --- 6.6.8 hasty entrenchments ---------------------------------------------------------------------------------


def dig(table: Table[PanzerState], unit: Unit) -> None:
    """6.6.8 One turn of digging: continue a work in the hex, the unit's own first, or begin a new one."""
    data, state = table.data, table.state
    work = work_of(table, unit) or begin_work(state, unit)
    before, complete = work.stage, data.advanced.number("entrench_turns")
    work.stage = next_stage(data, unit, before)
    work.holder, work.turn = unit.id, state.turn
    rule = "6.6.8/engineers" if is_engineer(data, unit) else "6.6.8/progress"
    progress = Finding(ledger_row(data.edition, rule), inputs={"before": before}, result=work.stage)
    inputs = {"unit": unit.id, "hex": hex_name(work.hex), "feature": work.id}
    if work.stage < complete:
        table.find("6.6.8", to=unit.audience, inputs=inputs, result="digging", children=[progress])
        return
    unit.position = work.id
    entrenched = Finding("6.1.4.3.6", inputs={"unit": unit.id}, result="entrenched")
    table.find("6.6.8", to=unit.audience, inputs=inputs, result="complete", children=[progress, entrenched])


def next_stage(data: PanzerData, unit: Unit, stage: int) -> int:
    """6.6.8 The next of four stages; engineers do the first two at once, and then all the rest."""
    complete = data.advanced.number("entrench_turns")
    if not is_engineer(data, unit):
        return stage + 1
    return complete if stage else complete // data.advanced.number("entrench_turns_engineers")


def begin_work(state: PanzerState, unit: Unit) -> Feature:
    """6.6.8 Place a new counter; once placed it is never removed."""
    id = work_name(state, unit) if unit.hidden else state.new_id("f")
    known = (unit.side,) if unit.hidden else state.sides
    state.features[id] = Feature(id=id, type=ENTRENCHMENT, hex=place_of(unit), known=known)
    return state.features[id]


def work_name(state: PanzerState, unit: Unit) -> str:
    """7.2 An id for a work unknown to the enemy.

    It is outside the usual numbering, because a gap would give the work away.
    """
    number = sum(id.startswith(f"f{unit.id}x") for id in state.features)
    return f"f{unit.id}x{number + 1}"


def work_of(situation: Situation, unit: Unit) -> Feature | None:
    """6.6.8 The work to continue: the unit's own, otherwise the most advanced abandoned one."""
    state = situation.state
    complete = situation.data.advanced.number("entrench_turns")
    works = [
        feature
        for feature in features_in(state, place_of(unit))
        if feature.type == ENTRENCHMENT and feature.stage < complete and not held_by_other(state, feature, unit)
    ]
    return max(works, key=lambda work: (work.holder == unit.id, work.stage), default=None)


def held_by_other(state: PanzerState, feature: Feature, unit: Unit) -> bool:
    """6.6.8 Whether another unit that dug or occupies the work is still there."""
    holder = state.vehicles.get(feature.holder)
    return holder is not None and holder.id != unit.id and is_at(holder, feature.hex)


def is_at(unit: Unit, hex: Hex) -> bool:
    return unit.alive and unit.hex == hex and not unit.aboard


def dig_objections(situation: Situation, unit: Unit) -> Iterator[Objection]:
    """6.6.8 Object unless the unit is an unsuppressed leg unit or gun in full cover that had no command."""
    if unit.kind == "vehicle" or unit.aboard or not unit.alive:
        yield Objection("6.6.8", say("only dismounted leg units and guns can dig in"))
        return
    if unit.suppressed:
        yield Objection("6.6.8", say("the unit is suppressed"))
    if not unit.full_cover:
        yield Objection("6.6.8", say("the unit was not in full cover"))
    if had_command(situation.state, unit):
        yield Objection("6.6.8", say("the unit had a command"))
    if position_of(situation.state, unit) is not None:
        yield Objection("6.6.8", say("the unit is already in a position"))
    yield from ground_objections(situation, place_of(unit))


def ground_objections(situation: Situation, hex: Hex) -> Iterator[Objection]:
    """6.6.8 Object to digging in water, in buildings, or where there is no full cover."""
    data = situation.data
    terrain = board_now(situation).terrain(hex)
    closed = any(data.advanced.terrains[name].L.value == PROHIBITED for name in terrain)
    if closed or interior_of(situation, hex) is not None or not allows_full_cover(situation, hex):
        yield Objection("6.6.8", say("units cannot dig in {hex}", hex=hex_name(hex)))


def occupy(table: Table[PanzerState], unit: Unit, feature: str) -> None:
    """6.1.4.3.6, 6.1.4.3.7 Occupy an empty position in the hex, or leave one; first come, first served."""
    state = table.state
    if any(occupy_objections(table, unit, feature)):
        return  # taken by another unit in this step
    leave_position(state, unit)
    if feature:
        taken = state.features[feature]
        taken.holder, unit.position = unit.id, feature
        rule = "6.1.4.3.7" if taken.type == IMPROVED_POSITION else "6.1.4.3.6"
        table.find(rule, to=unit.audience, inputs={"unit": unit.id, "feature": feature}, result="occupied")


def occupy_objections(situation: Situation, unit: Unit, feature: str) -> Iterator[Objection]:
    """6.1.4.3.6, 6.1.4.3.7 Object unless the position is finished, in the unit's hex, and has room."""
    view = situation.state
    found = view.features.get(feature)
    if not feature:
        if unit.kind == "vehicle" or position_of(view, unit) is None:
            yield Objection("6.1.4.3.6", say("the unit is not in an improved position"))
    elif not unit.alive or unit.aboard or found is None or found.hex != unit.hex:
        yield Objection(
            "6.1.4.3.6", say("the unit's hex has no entrenchment or position called {feature}", feature=feature)
        )
    elif found.type not in (ENTRENCHMENT, IMPROVED_POSITION):
        yield Objection("6.1.4.3.6", say("units cannot occupy that feature"))
    elif found.type == ENTRENCHMENT and unit.kind == "vehicle":
        yield Objection("6.1.4.3.6", say("entrenchments are for leg units and guns"))
    elif found.type == IMPROVED_POSITION and unit.kind == "vehicle":
        yield Objection("6.1.4.3.7", say("a vehicle must move into a position to occupy it"))
    elif not is_finished(situation.data, found):
        yield Objection("6.6.8", say("the position is not finished"))
    elif unit.position != feature and not has_room(view, found):
        rule = "6.1.4.3.7" if found.type == IMPROVED_POSITION else "6.1.4.3.6"
        yield Objection(rule, say("another unit already occupies that position"))


def declare_partial(table: Table[PanzerState], unit: Unit, partial: bool) -> None:
    """6.1.4.1.2 Let a vehicle in an improved position be partially hull down to use limited weapons (house/A-49)."""
    if any(partial_objections(table.state, unit)):
        return
    unit.hull_down = HullDown.PHD if partial else HullDown.NONE
    inputs = {"unit": unit.id, "position": unit.position}
    table.find("6.1.4.1.2", to=unit.audience, inputs=inputs, result=HullDown.PHD if partial else HullDown.HD)


def partial_objections(view: PanzerState, unit: Unit) -> Iterator[Objection]:
    """6.1.4.1.2 Object if any unit but a vehicle in an improved position chooses its hull-down status."""
    if unit.kind != "vehicle" or not unit.alive or not in_improved_position(view, unit):
        yield Objection("6.1.4.1.2", say("the unit is not a vehicle in an improved position"))


def had_command(state: PanzerState, unit: Unit) -> bool:
    """6.8.3.1.1 Whether the unit had a command other than N/C, carried out or not; passengers use their carrier's.

    A unit that mounted this turn did so under its own Move (6.6.7.1.1).
    """
    got_on = bool(unit.aboard) and unit.moved
    return got_on or state.order_of(unit) not in (None, Command.NO_COMMAND)
