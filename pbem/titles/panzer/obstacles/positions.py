"""6.1.4.3, 6.6.9 Positions: searching for hull down, entrenchments and improved positions, full cover, dust.

    6.1.4.3.6-7   occupy: at the end of a move
    6.1.4.3.12    raise_dust
    6.6.9         step search:hd:FACING (or phd, with b for backing in); search_objections, search

The protection of a position is in `terrain`; digging (6.6.8) is in `adjustment`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name, opposite
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.turrets import rotation_objections
from pbem.titles.panzer.movement.shared_moves import command_of
from pbem.titles.panzer.movement.steps.acts import Search, Swing
from pbem.titles.panzer.movement.steps.costs import Item, price
from pbem.titles.panzer.movement.steps.driving import Objections, Stride
from pbem.titles.panzer.movement.steps.unit_steps import March, UnitMover, a_step
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting.terrain import ENTRENCHMENT, IMPROVED_POSITION, board_now, features_in, place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Cloud, Command, Feature, HullDown, Inside, Marker, PanzerState, Unit

# --- 6.6.9 searching for a hull-down position ------------------------------------------------------------------


def search_range(situation: Situation, hex: Hex) -> int:
    """6.6.9 The best Hull Dn range among a hex's terrain types, by the scenario or the table; 0 if none has one."""
    data = situation.data
    own = data.scenario.conditions.hull_down
    terrain = board_now(situation).terrain(hex)
    return max(own.get(name, data.advanced.terrains[name].hull_down.value) for name in terrain)


@a_step(
    Swing,
    "7.8.1/moving",
    Objection("7.8.1/moving", say("say how far the turret is turned from the hull, e.g. turret:1")),
)
def swing(mover: UnitMover, progress: March, act: Swing) -> Stride | Objections:
    """7.8.1 On entering each hex a vehicle may turn its turret once, up to its rating."""
    if not progress.entered or progress.swung or progress.hex is None:
        return [Objection("7.8.1/moving", say("a turret can turn only once in each hex entered"))]
    present = msgspec.structs.replace(
        mover.unit, turret=progress.turret, facing=progress.facing, hex=progress.hex, inside=progress.inside
    )
    moving = progress.mode != "road"
    if objections := list(rotation_objections(mover.situation, present, act.offset, moving=moving)):
        return objections
    after = msgspec.structs.replace(progress, turret=act.offset, swung=True, steps=(*progress.steps, str(act)))
    return Stride(str(act), after, price(Item("7.8.1/moving", "the turret turns", 0)))


@a_step(
    Search,
    "6.6.9",
    Objection(
        "6.6.9", say("say which position to search for and which way to face, e.g. search:hd:3 or search:phd:3:b")
    ),
)
def search_step(mover: UnitMover, progress: March, act: Search) -> Stride | Objections:
    """6.6.9 A vehicle spends its whole movement looking for a position."""
    if objections := list(search_objections(mover, progress)):
        return objections
    facing = act.facing or progress.facing
    step = str(Search(act.sought, facing, act.back))
    after = msgspec.structs.replace(
        progress,
        facing=facing,
        spent=progress.limit,
        over="6.6.9",
        steps=(*progress.steps, step),
    )
    return Stride(step, after, price(Item("6.6.9", "its whole movement", progress.limit)))


def search_objections(mover: UnitMover, progress: March) -> Iterator[Objection]:
    """6.6.9 Objections to a search: units that may not search, and hexes where they may not."""
    unit = mover.unit
    if not mover.data.plays("hull_down"):
        yield Objection("AG", say("hull-down positions are not in use in this match"))
    if unit.kind != "vehicle":
        yield Objection("6.6.9", say("only vehicles can look for hull-down positions"))
        return
    if command_of(mover.state, unit) is not Command.MOVE:
        yield Objection("6.6.9", say("a search needs a Move command, not a Short Halt"))
    if progress.spent or progress.entered or progress.turned or progress.hex is None:
        yield Objection("6.6.9", say("a search takes the whole movement, in the hex where it begins"))
        return
    if unit.track_hit:
        yield Objection("6.5.2.2.1", say("the unit's track is hit, so it cannot move or turn"))
    if unit.position:
        yield Objection("6.1.4.3.7", say("the vehicle is already hull down in an improved position"))
    if "bogged" in unit.flags:
        yield Objection("6.6.9", say("a bogged vehicle cannot search"))
    if progress.inside is not Inside.NO or search_range(mover.situation, progress.hex) == 0:
        yield Objection("6.6.9", say("there is no hull-down position in {hex}", hex=hex_name(progress.hex)))


def search_modifiers(data: PanzerData, unit: Unit, sought: HullDown) -> list[dict[str, Any]]:
    """6.6.9 The modifiers for partial hull down, size and grade; each row says how often it applies."""
    times = {
        "partial": int(sought is HullDown.PHD),
        "size": data.vehicle(unit).card.size,
        "unit_grade": data.advanced.grades[unit.grade].hull_down.value,
    }
    rows = data.advanced.modifiers["hull_down"]
    return [msgspec.to_builtins(row) | {"times": times[row.when]} for row in rows if times[row.when]]


def search(table: Table[PanzerState], unit: Unit, act: Search) -> Finding:
    """6.6.9 Roll d100 with modifiers: within the terrain's range, the position is found."""
    data = table.data
    sought = HullDown(act.sought)
    unit.facing = act.facing
    rows = search_modifiers(data, unit, sought)
    roll = table.roll(100, "6.6.9", unit.id)
    net = sum(row["value"] * row["times"] for row in rows)
    total = roll + net
    limit = search_range(table, place_of(unit))
    found = total <= limit
    rule = ledger_row(data.edition, "6.6.9/modifiers")
    children = [Finding(rule, inputs={"unit": unit.id}, modifiers=tuple(rows), result=net)]
    if found:
        children.append(take_position(data, unit, sought, bool(act.back)))
    return table.find(
        "6.6.9",
        inputs={"unit": unit.id, "hex": hex_name(place_of(unit)), "sought": sought.value, "total": total},
        modifiers=rows,
        cell=limit,
        dice=[roll],
        result=sought.value if found else "",
        children=children,
    )


def take_position(data: PanzerData, unit: Unit, sought: HullDown, backed: bool) -> Finding:
    """6.6.9 Take a position, protected except from rear and rear/side; in reverse, from front and front/side."""
    unit.hull_down = sought
    unit.open_angle = unit.facing if backed else opposite(unit.facing)
    inputs = {"unit": unit.id, "facing": unit.facing, "backed": backed}
    return Finding(ledger_row(data.edition, "6.6.9/protected-angles"), inputs=inputs, result=unit.open_angle)


# --- 6.1.4.3.6, 6.1.4.3.7 entrenchments and improved positions ---------------------------------------------------


def is_finished(data: PanzerData, feature: Feature) -> bool:
    """6.1.4.3.6 Whether a position can be used: an improved position always, an entrenchment only when finished."""
    return feature.type == IMPROVED_POSITION or feature.stage >= data.advanced.number("entrench_turns")


def has_room(state: PanzerState, feature: Feature) -> bool:
    """6.1.4.3.6, 6.1.4.3.7 Whether the position has room: for one unit, unless the scenario says otherwise."""
    return sum(unit.position == feature.id and unit.alive for unit in state.vehicles.values()) < feature.capacity


def free_position(situation: Situation, unit: Unit) -> Feature | None:
    """6.1.4.3.6, 6.1.4.3.7 A position the unit can occupy in its hex: an improved position first.

    Vehicles cannot use entrenchments, and there are none inside buildings.
    """
    data, state = situation.data, situation.state
    if unit.aboard or unit.hex is None or unit.inside is not Inside.NO:
        return None
    kinds = (IMPROVED_POSITION,) if unit.kind == "vehicle" else (IMPROVED_POSITION, ENTRENCHMENT)
    here = features_in(state, unit.hex)
    fits = [feature for kind in kinds for feature in here if feature.type == kind and is_finished(data, feature)]
    return next((feature for feature in fits if has_room(state, feature)), None)


def occupy(situation: Situation, unit: Unit, backed: bool = False) -> Finding | None:
    """6.1.4.3.6, 6.1.4.3.7 A unit that ends its move at an empty position occupies it, whichever side made it.

    A vehicle leaves open the angle from which it came: its rear, or its front if it backed in.
    """
    feature = None if unit.position else free_position(situation, unit)
    if feature is None:
        return None
    unit.position = feature.id
    feature.holder = feature.holder or unit.id
    if unit.kind == "vehicle":
        unit.open_angle = unit.facing if backed else opposite(unit.facing)
    rule = "6.1.4.3.7" if feature.type == IMPROVED_POSITION else "6.1.4.3.6"
    inputs = {"unit": unit.id, "hex": hex_name(feature.hex), "position": feature.id, "open": unit.open_angle}
    return Finding(rule, inputs=inputs, result="occupied")


# --- 6.1.4.3.12 dust -------------------------------------------------------------------------------------------


def raise_dust(situation: Situation, unit: Unit, march: March) -> Finding | None:
    """6.1.4.3.12 A vehicle that has spent half its movement leaves dust in the hexes it has left (A-56)."""
    state = situation.state
    if not situation.data.scenario.dust or not march.dusty or march.spent < march.rate // 2:
        return None
    hexes = list(dict.fromkeys(march.dusty))
    for hex in hexes:
        lay_dust(state, hex, unit.id)
    inputs = {"unit": unit.id, "spent": march.spent, "allowance": march.rate}
    return Finding("6.1.4.3.12", inputs=inputs, result=[hex_name(hex) for hex in hexes])


def lay_dust(state: PanzerState, hex: Hex, owner: str) -> None:
    """6.1.4.3.12 Place a Dust/On marker, or turn an existing one to its On side."""
    for cloud in state.clouds.values():
        if cloud.type == "dust" and cloud.hexes == (hex,):
            cloud.marker = Marker.ON
            return
    id = state.new_id("c")
    state.clouds[id] = Cloud(id=id, type="dust", hexes=(hex,), owner=owner)
