"""6.6.10 Overrun combat: a vehicle drives into the hex of a leg or towed unit and attacks it there.

    6.6.10       overrun_objections
    6.6.10.1     overrun_factor, resolve_overrun, enemies_left, put_back
    6.6.10.2     overrun_result

Declaring an overrun, driving there and continuing afterwards are part of the vehicle's move.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.ammunition import check_ammo
from pbem.titles.panzer.cards.basic_rows import RangeFactor
from pbem.titles.panzer.cards.weapons import Armament, weapons_of
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.damage.attacks import come_under_attack
from pbem.titles.panzer.damage.damage_detail import lose_step_and_weapons
from pbem.titles.panzer.damage.effects import suppress
from pbem.titles.panzer.fire.actions import mark_move
from pbem.titles.panzer.fire.gp_defence import gp_defence
from pbem.titles.panzer.fire.gp_fire import GpAttack, GpRoll, gp_roll, no_effect
from pbem.titles.panzer.fire.gp_modifiers import Case, counter_of, is_broken, is_hesitating
from pbem.titles.panzer.fire.special_fire import is_out_of_order
from pbem.titles.panzer.movement.placing import put
from pbem.titles.panzer.movement.shared_moves import bind, same_target_objections
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.narrow_roads import stands_aside
from pbem.titles.panzer.sighting.limited_spotting import has_noticed
from pbem.titles.panzer.sighting.terrain import in_improved_position, place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Marker, PanzerState, Unit

RANGE = 1
"""6.6.10.1 The weapons fire as if at a range of one hex, although target and vehicle share a hex."""


# --- 6.6.10 eligibility ----------------------------------------------------------------------------------------


def overrun_objections(situation: Situation, vehicle: Unit, target: Unit) -> Iterator[Objection]:
    """6.6.10 Reasons why a vehicle cannot overrun a unit; checked before it starts to move."""
    yield from vehicle_objections(situation, vehicle)
    yield from quarry_objections(situation, vehicle, target)
    yield from same_target_objections(situation.state, vehicle, target.id)  # 6.6.11


def vehicle_objections(situation: Situation, vehicle: Unit) -> Iterator[Objection]:
    """6.6.10 Object unless this is a combat vehicle with a Move that is neither hesitating nor broken."""
    if vehicle.kind != "vehicle" or not any(contributing(situation, vehicle)):
        yield Objection("6.6.10", say("only vehicles with a GP weapon can overrun"))
    if counter_of(situation.state, vehicle).command is not Command.MOVE:
        yield Objection("6.6.10", say("the unit has no Move command"))
    if vehicle.track_hit or vehicle.bailed_out:
        yield Objection("6.6.10", say("the vehicle cannot move"))
    yield from nerve_objections(vehicle)
    if vehicle.attacking:
        rule = ledger_row(situation.data.edition, "6.6.10/declaration")
        yield Objection(
            rule, say("the vehicle has already been declared to overrun {attacking}", attacking=vehicle.attacking)
        )


def nerve_objections(vehicle: Unit) -> Iterator[Objection]:
    """6.6.10, 7.1.5 Object if the vehicle is hesitating or broken, either when it sets out or when it arrives."""
    if is_hesitating(vehicle):
        yield Objection("6.6.10", say("the unit is hesitating"))
    if is_broken(vehicle):
        yield Objection("6.6.10", say("the unit is broken"))


def is_just_off(view: PanzerState, target: Unit) -> bool:
    """6.6.10 Whether a unit began the turn aboard; it did if it has no command after the Command Phase."""
    return target.command is None and view.phase != "command"


def quarry_objections(situation: Situation, vehicle: Unit, target: Unit) -> Iterator[Objection]:
    """6.6.10 Object unless the target is a leg or towed unit that was on the ground all turn and is spotted."""
    if target.side == vehicle.side or not target.alive:
        yield Objection("6.6.10", say("{target} is not an enemy on the map", target=target.id))
    elif target.kind == "vehicle":
        yield Objection("6.6.10", say("vehicles cannot be overrun"))
    elif target.aboard or is_just_off(situation.state, target):
        yield Objection("6.6.10", say("{target} was not on the ground when the turn began", target=target.id))
    elif in_improved_position(situation.state, target):
        yield Objection("6.1.4.3.7", say("{target} is in an improved position", target=target.id))
    elif not has_noticed(situation, vehicle, target):
        rule = ledger_row(situation.data.edition, "6.6.10/declaration")
        yield Objection(rule, say("the vehicle does not spot {target} before it moves", target=target.id))


# --- 6.6.10.1 resolution ---------------------------------------------------------------------------------------


def contributing(situation: Situation, vehicle: Unit) -> Iterator[Armament]:
    """6.6.10.1 All weapons that work (7.25) and reach one hex; the 2016 book leaves AA weapons out."""
    data, view = situation.data, situation.state
    for arm in weapons_of(data, vehicle):
        if arm.gp_at(RANGE) is None or is_out_of_order(view, vehicle, arm):
            continue
        if not (arm.aa and data.charts.switch("overrun_without_aa")):
            yield arm


def overrun_factor(situation: Situation, vehicle: Unit) -> Finding:
    """6.6.10.1 The sum of all weapons and the small arms of all leg units aboard, at most 15."""
    data, state = situation.data, situation.state
    weapons: dict[str, int] = {}
    for arm in contributing(situation, vehicle):
        if found := arm.gp_at(RANGE):
            weapons[arm.name] = weapons.get(arm.name, 0) + found[1]
    riders = {
        unit.id: found[1]
        for unit in state.passengers(vehicle)
        if unit.kind == "leg" and (found := data.leg(unit).gp.factor_at(RANGE))
    }
    working = [arm for arm in weapons_of(data, vehicle) if not is_out_of_order(state, vehicle, arm)]
    left_out = [arm.name for arm in working if arm.gp_at(RANGE) and arm.name not in weapons]
    children = [Finding("6.6.10.1/aa-weapons", inputs={"weapons": left_out}, result="left out")] if left_out else []
    total = sum(weapons.values()) + sum(riders.values())
    most = data.advanced.number("factor_at_most")
    inputs = {"vehicle": vehicle.id, "weapons": weapons, "passengers": riders, "sum": total}
    return Finding("6.6.10.1", inputs=inputs, result=min(total, most), children=tuple(children))


def overrun_column(situation: Situation, vehicle: Unit) -> RangeFactor:
    """6.6.10.1 The range factor for the coaxial machine gun and grade modifiers: that of the first GP weapon."""
    return next((found[0] for arm in contributing(situation, vehicle) if (found := arm.gp_at(RANGE))), "P")


def resolve_overrun(table: Table[PanzerState], vehicle: Unit, target: Unit) -> Step:
    """6.6.10.1 Attack a target in the vehicle's present hex. The finding is logged and returned.

    Only the target is attacked. No player is asked anything, but it is a step like every other combat.
    """
    yield from ()
    state, event = table.state, morale.begin(table)
    factor = overrun_factor(table, vehicle)
    loaded = [check_ammo(table, vehicle, arm, "gp") for arm in contributing(table, vehicle)]
    attack = GpAttack(
        kind="overrun",
        rule="6.6.10",
        factor=int(factor.result),
        column=overrun_column(table, vehicle),
        firer=vehicle.id,
        target=target.id,
        limited=any(each.short for each in loaded),
    )
    defence = gp_defence(table, target)
    roll = gp_roll(table, Case(table, attack, place_of(target), target), int(defence.result), target.id)
    come_under_attack(state, target, "overrun")
    mark_move(vehicle)
    vehicle.attacking = target.id
    bind(state, vehicle, target.id)  # 6.6.11
    effect = overrun_result(table, target, roll)
    ammunition = [finding for each in loaded for finding in each.findings]
    found = table.find(
        "6.6.10",
        inputs={"vehicle": vehicle.id, "target": target.id},
        result=effect.result,
        children=[factor, *ammunition, defence, roll.finding, effect],
    )
    morale.finish(table, event, "overrun")  # 7.1.2
    return found


# --- 6.6.10.2 results ------------------------------------------------------------------------------------------


def overrun_result(table: Table[PanzerState], target: Unit, roll: GpRoll) -> Finding:
    """6.6.10.2 Apply the result: suppressed, or a step lost. An Off marker is turned to On in any case."""
    state, edition = table.state, table.data.edition
    children: list[Finding] = []
    was = target.suppression
    if was is Marker.OFF:
        children.append(suppress(state, target, ledger_row(edition, "6.6.10.2/off-to-on")))
    if roll.result == "effective":
        children.append(lose_step_and_weapons(table, target, "6.6.10.2/effective"))
    elif roll.result == "suppressed" and was is Marker.ON:
        children.append(Finding("6.6.10.2/suppressed", inputs={"unit": target.id}, result="ignored"))
    elif roll.result == "suppressed":
        children.append(suppress(state, target, "6.6.10.2/suppressed"))
    else:
        children.append(no_effect(target.id))
    if target.alive and counter_of(state, target).face_down:
        children.append(Finding("6.6.10.2", inputs={"unit": target.id}, result="keeps-command"))
    outcome = {"effective": "reduced" if target.alive else "eliminated"}.get(roll.result, roll.result)
    return Finding("6.6.10.2", inputs={"unit": target.id}, result=outcome, children=tuple(children))


# --- 6.6.10.1 after the combat ---------------------------------------------------------------------------------


def enemies_left(state: PanzerState, vehicle: Unit) -> list[Unit]:
    """6.6.10.1 The enemies that keep the vehicle from staying in its hex."""
    here = state.on_the_ground(place_of(vehicle))
    return [unit for unit in here if unit.side != vehicle.side and not stands_aside(unit)]  # 7.30


def put_back(table: Table[PanzerState], vehicle: Unit, hex: Hex) -> Finding:
    """6.6.10.1 Return the vehicle to its previous hex, facing as before, if an enemy remains and it cannot move on.

    This draws neither fire nor barrage attacks.
    """
    inputs = {"vehicle": vehicle.id, "from": hex_name(place_of(vehicle))}
    put(table.state, vehicle, hex)
    rule = ledger_row(table.data.edition, "6.6.10.1/put-back")
    return table.find(rule, inputs=inputs, result=hex_name(hex))
