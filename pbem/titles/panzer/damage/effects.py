"""5.10, 6.5.2.5, 6.5.4.4 The effects of combat on units and terrain. Every result takes effect at once (4.4.1).

    5.10          suppress
    6.5.2.2.1     hit_track
    6.5.2.2.4     damage_vehicle (a second damage of any kind is a knock-out)
    6.5.2.5       knock_out, brew_up
    6.6.9         lose_hull_down, give_up_positions
    6.5.4.4.3     lose_step, eliminate, destroy_feature, destroy_building

These functions neither roll nor ask: the caller already knows the result and places the finding. Passengers of a
destroyed vehicle stay aboard until their bail-out checks (`bail_out`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.narrow_roads import note_wreck
from pbem.titles.panzer.obstacles.waters import is_afloat
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.sighting.terrain import board_now, is_inside
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    BOUND,
    Command,
    Damage,
    Feature,
    HullDown,
    Marker,
    PanzerState,
    Spot,
    Status,
    Unit,
    Wreck,
)

# --- 5.10 suppression ------------------------------------------------------------------------------------------


def suppress(state: PanzerState, unit: Unit, rule: str) -> Finding:
    """5.10 Turn the marker to its On side, whatever it showed before; suppression is not cumulative."""
    before = unit.suppression
    unit.suppression = Marker.ON
    return Finding(
        rule,
        to=unit.audience,
        inputs={"unit": unit.id},
        result="suppressed",
        children=(Finding("5.10", inputs={"unit": unit.id, "before": before.value}, result=Marker.ON.value),),
    )


# --- 6.5.2.2 track hits and damage -----------------------------------------------------------------------------


def hit_track(table: Table[PanzerState], unit: Unit) -> Finding:
    """6.5.2.2.1 The vehicle can no longer move or turn; a further track hit is ignored. Its counter stays."""
    if unit.track_hit:
        rule = ledger_row(table.data.edition, "6.5.2.2.1/ignored-repeat")
        return Finding(rule, inputs={"unit": unit.id}, result="ignored")
    unit.track_hit = True
    return Finding("6.5.2.2.1", inputs={"unit": unit.id}, result="track", children=sink(table, unit))


def damage_vehicle(
    table: Table[PanzerState], unit: Unit, part: Damage | Literal["turret", "hull"] = Damage.WHOLE
) -> Finding:
    """6.5.2.2.4 Damage turret or hull, or the whole vehicle in the 2016 book. A second damage knocks it out."""
    edition = table.data.edition
    if unit.damage is not Damage.NONE:
        inputs = {"unit": unit.id, "before": unit.damage.value}
        rule = ledger_row(edition, "6.5.2.2.4/second-damage")
        return Finding(rule, inputs=inputs, result="ko", children=(knock_out(table, unit),))
    unit.damage = Damage(part) if table.data.charts.switch("split_damage") else Damage.WHOLE
    return Finding(
        ledger_row(edition, "6.5.2.2.4"),
        inputs={"unit": unit.id, "part": unit.damage.value},
        result="damaged",
        children=sink(table, unit) if unit.hull_damaged else (),
    )


# --- 6.5.2.5 destroyed vehicles --------------------------------------------------------------------------------


def knock_out(table: Table[PanzerState], unit: Unit) -> Finding:
    """6.5.2.5 Remove the vehicle and leave a wreck, unless a burning one is already there."""
    place = _place(unit)
    if sunk := sink(table, unit):
        return Finding("6.5.2.5/ko", inputs={"unit": unit.id, "hex": hex_name(place)}, result="ko", children=sunk)
    _remove(table.state, unit)
    note_wreck(table, unit, place)  # 7.30
    table.state.wrecks.setdefault(hex_name(place), Wreck(brewed_up=False))
    return Finding("6.5.2.5/ko", inputs={"unit": unit.id, "hex": hex_name(place)}, result="ko")


def brew_up(table: Table[PanzerState], unit: Unit) -> Finding:
    """6.5.2.5 Leave a burning wreck and suppress friendly ground units in the hex, except passengers under cover."""
    state, place = table.state, _place(unit)
    if sunk := sink(table, unit):
        return Finding("6.5.2.5/bu", inputs={"unit": unit.id, "hex": hex_name(place)}, result="bu", children=sunk)
    _remove(state, unit)
    note_wreck(table, unit, place)  # 7.30
    wreck = state.wrecks.get(hex_name(place))
    if wreck is None or not wreck.brewed_up:  # BU replaces KO, never the reverse
        state.wrecks[hex_name(place)] = Wreck(brewed_up=True)
    rule = ledger_row(table.data.edition, "6.5.4.4.2/bu-suppresses-hex")
    shocked = (
        ()
        if not table.data.plays("gp_fire")
        else [suppress(state, friend, rule) for friend in shocked_by(table, unit, place)]
    )
    return Finding(
        "6.5.2.5/bu", inputs={"unit": unit.id, "hex": hex_name(place)}, result="bu", children=tuple(shocked)
    )


def sink(table: Table[PanzerState], unit: Unit) -> tuple[Finding, ...]:
    """7.34 A vehicle afloat sinks at once, without a wreck; everyone aboard is lost."""
    state = table.state
    if not is_afloat(table.data, board_now(table), unit):
        return ()
    lost = [eliminate(state, passenger, "7.34") for passenger in state.passengers(unit)]
    down = eliminate(state, unit, "7.34")
    return (Finding("7.34", inputs=down.inputs, result="sunk", children=tuple(lost)),)


def shocked_by(situation: Situation, unit: Unit, hex: Hex) -> list[Unit]:
    """6.5.2.5 Friendly units in a brewed-up vehicle's hex that are not under cover in a vehicle."""
    return [
        friend
        for friend in situation.state.of(unit.side)
        if friend.hex == hex and not is_under_cover(situation, friend)
    ]


def is_under_cover(situation: Situation, unit: Unit) -> bool:
    """6.5.4.2.3 Whether the unit rides in a vehicle that gives its passengers cover."""
    return bool(unit.aboard) and situation.data.vehicle(situation.state.vehicles[unit.aboard]).has("under_cover")


# --- 6.6.9 hull down ------------------------------------------------------------------------------------------


def lose_hull_down(data: PanzerData, unit: Unit) -> Finding | None:
    """6.6.9 Lose the position as soon as a Move or Short Halt is revealed, even if the vehicle stays."""
    if unit.hull_down is HullDown.NONE:
        return None
    lost, unit.hull_down = unit.hull_down, HullDown.NONE
    if not unit.position:
        unit.open_angle = 0
    return Finding(ledger_row(data.edition, "6.6.9/loss"), inputs={"unit": unit.id, "was": lost.value}, result="lost")


def give_up_positions(data: PanzerData, units: Iterable[Unit]) -> list[Finding]:
    """6.6.9 Units with a newly revealed Move or Short Halt lose the positions they had found."""
    moving = [unit for unit in units if unit.command in (Command.MOVE, Command.SHORT_HALT)]
    return [lost for unit in moving if (lost := lose_hull_down(data, unit))]


# --- 6.5.4.4.3 leg and towed units -----------------------------------------------------------------------------


def lose_step(table: Table[PanzerState], unit: Unit, rule: str, *, suppressed: bool = True) -> Finding:
    """6.5.4.4.3 Reduce a squad to a half-squad, which keeps its weapons; eliminate any other unit.

    After fire and overruns the half-squad is also suppressed; after hand-to-hand combat it is not (6.6.1.2.3).
    """
    reduced = reduced_card(table.data, unit)
    if not reduced:
        return eliminate(table.state, unit, rule)
    unit.card = reduced
    children = [suppress(table.state, unit, "5.10")] if suppressed else []
    return Finding(rule, inputs={"unit": unit.id, "card": reduced}, result="reduced", children=tuple(children))


def reduced_card(data: PanzerData, unit: Unit) -> str:
    """5.1.1 The half-squad card for a squad; empty for any other unit."""
    return data.leg(unit).reduced if unit.kind == "leg" else ""


def eliminate(state: PanzerState, unit: Unit, rule: str) -> Finding:
    """6.5.4.4.3 Remove the unit and its counters without a wreck; its command is not shown (R-10)."""
    place = _place(unit)
    _remove(state, unit)
    return Finding(rule, inputs={"unit": unit.id, "hex": hex_name(place)}, result="eliminated")


def _place(unit: Unit) -> Hex:
    assert unit.hex is not None
    return unit.hex


def _remove(state: PanzerState, unit: Unit) -> None:
    """4.4.3.2.6 Remove the unit and all its counters; units that shared its command counter keep it."""
    pass_on_counter(state, unit)
    unit.status = Status.ELIMINATED
    unit.command, unit.revealed, unit.shown, unit.shares = None, False, False, ""
    unit.spot = unit.pending = Spot.NONE
    unit.small_arms = unit.pending_small_arms = False
    unit.suppression = Marker.NONE
    leave_position(state, unit)
    leave_hidden_counter(state, unit)


def leave_hidden_counter(state: PanzerState, unit: Unit) -> None:
    """7.2.1 A unit that is lost under a hidden counter is revealed; a counter without units is removed."""
    unit.flags = tuple(flag for flag in unit.flags if flag != "hidden")
    for counter in [counter for counter in state.hidden_counters.values() if unit.id in counter.units]:
        counter.units = tuple(id for id in counter.units if id != unit.id)
        if not counter.units:
            del state.hidden_counters[counter.id]


def pass_on_counter(state: PanzerState, unit: Unit) -> None:
    """6.2.1.1.3 A counter that several units share stays with the others."""
    sharers = [other for other in state.of(unit.side) if other.shares == unit.id]
    for other in sharers:
        other.shares = "" if other is sharers[0] else sharers[0].id
    if sharers and (bound := state.notes.get(BOUND)):  # 6.6.11
        words = ((key.split(), turn) for key, turn in bound.items())
        heir_of = {unit.id: sharers[0].id}
        state.notes[BOUND] = {f"{heir_of.get(holder, holder)} {target}": turn for (holder, target), turn in words}
    if sharers and sharers[0].command is None:
        heir = sharers[0]
        heir.command, heir.revealed, heir.shown = unit.command, unit.revealed, unit.shown


def leave_position(state: PanzerState, unit: Unit) -> Finding | None:
    """6.1.4.3.6, 6.1.4.3.7 Leave a position and free it for others; units still in it keep it."""
    position = state.features.get(unit.position) if unit.position else None
    unit.position, unit.open_angle = "", 0 if unit.position else unit.open_angle
    if position is None:
        return None
    if position.holder == unit.id:
        others = (other.id for other in state.vehicles.values() if other.alive and other.position == position.id)
        position.holder = next(others, "")
    rule = "6.1.4.3.7" if position.type == "improved_position" else "6.1.4.3.6"
    return Finding(rule, inputs={"unit": unit.id, "position": position.id}, result="left")


# --- 6.5.4.4.3 terrain -----------------------------------------------------------------------------------------

DESTROYED = {"bridge": "6.5.4.4.3/bridge", "improved_position": "6.5.4.4.3/improved-position"}


def destroy_feature(table: Table[PanzerState], feature: Feature) -> Finding:
    """6.5.4.4.3 A bridge or improved position becomes rubble and its units are lost; other works just disappear."""
    state, row = table.state, table.data.advanced.features[feature.type]
    rule = DESTROYED.get(feature.type, "6.5.4.4.3/block-mines-wire")
    del state.features[feature.id]
    killed = _kill(state, _occupants(state, feature), rule) if row.kills else []
    if row.becomes:
        _lay_rubble(state, feature.hex, row.becomes, feature.type)
    inputs = {"feature": feature.type, "hex": hex_name(feature.hex)}
    return Finding(rule, inputs=inputs, result=row.becomes or "removed", children=tuple(killed))


def destroy_building(table: Table[PanzerState], hex: Hex, building: str) -> Finding:
    """6.5.4.4.3 The building becomes rubble; every ground unit in the hex and all digging there are lost."""
    state, rubble = table.state, table.data.advanced.interiors[building].rubble
    rule = "6.5.4.4.3/building"
    here = [unit for unit in state.vehicles.values() if unit.alive and unit.hex == hex]
    if table.data.charts.switch("alleys_spared"):  # house/A23
        inside = [unit.id for unit in here if is_inside(table, unit)]
        here = [unit for unit in here if (unit.aboard or unit.id) in inside]
    killed = _kill(state, here, rule)
    lost = [feature.id for feature in state.features.values() if feature.hex == hex and _is_dug(feature)]
    for unit in holders_of(state, lost):
        unit.position, unit.hull_down, unit.open_angle = "", HullDown.NONE, 0
    for feature in lost:
        del state.features[feature]
    _lay_rubble(state, hex, rubble, building)
    inputs = {"feature": building, "hex": hex_name(hex)}
    return Finding(
        rule, inputs=inputs, result=rubble, children=(*killed, ruling_finding(table.data, "alleys_spared"))
    )


def holders_of(state: PanzerState, positions: Collection[str]) -> list[Unit]:
    """6.1.4.3.7 The units that hold one of these positions."""
    return [unit for unit in state.vehicles.values() if unit.position in positions]


def _is_dug(feature: Feature) -> bool:
    return feature.type in ("hasty_entrenchment", "improved_position")


def _occupants(state: PanzerState, feature: Feature) -> list[Unit]:
    """6.5.4.4.3 The units on a bridge; the units in an improved position, with passengers."""
    inside = [unit for unit in state.vehicles.values() if unit.alive and unit.hex == feature.hex]
    if feature.type == "bridge":
        return inside
    holders = {unit.id for unit in inside if unit.position == feature.id}
    return [unit for unit in inside if unit.id in holders or unit.aboard in holders]


def _kill(state: PanzerState, units: Iterable[Unit], rule: str) -> list[Finding]:
    """6.5.4.4.3 Eliminate the units; no wrecks are left."""
    return [eliminate(state, unit, rule) for unit in units]


def _lay_rubble(state: PanzerState, hex: Hex, type: str, of: str) -> None:
    """6.1.4.3.9 Place a rubble counter, which is public."""
    id = state.new_id("f")
    state.features[id] = Feature(id=id, type=type, hex=hex, of=of, known=state.sides)
