"""3.2.5, 3.4, 3.5 The fire phases: each carries out a list of attacks one after the other.

3.2.5    prep_fire_phase
3.4      defensive_fire_phase
3.5      advancing_fire_phase
----     carry_out: one line of a fire list, repeated while rate of fire is kept
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.engine.rules.ask import Step
from pbem.engine.rules.happenings import Happening
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.fire.components import Attack, Component, components, manner_of, targets_in
from pbem.titles.aslsk.fire.declaration import (
    advancing_objections,
    attack_objections,
    component_objections,
    fires_at_area,
)
from pbem.titles.aslsk.fire.shooting import bogged_objection, fire
from pbem.titles.aslsk.orders import FireOrder
from pbem.titles.aslsk.ordnance.arcs import best_facing, facing_of, is_in_turret, turn_to
from pbem.titles.aslsk.ordnance.hidden import reveal, reveal_seen
from pbem.titles.aslsk.player.wording import fire_line
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import AslskState, Piece, Unit, Vehicle, Weapon, orders_of, piece_of
from pbem.titles.aslsk.tabletop import AslskTable, as_aslsk_table
from pbem.titles.aslsk.vehicles.costs import is_rough
from pbem.titles.aslsk.vehicles.crews import exposed_in
from pbem.titles.aslsk.vehicles.steps import bog_check
from pbem.titles.aslsk.weapons.breakdown import wreck
from pbem.titles.aslsk.weapons.charges import detonate_all
from pbem.titles.aslsk.weapons.possession import lose_acquisition

MOST_REPEATS = 30


def chosen_target(situation: Situation, seat: str, order: FireOrder) -> str:
    """3.2.2 The first hex in the order with a target: an enemy unit (unbroken, if the order requires it), an exposed
    crew (7.7) or, for area fire, an enemy AFV (7.11).
    """
    for hex in order.at:
        targets = [unit for unit in targets_in(situation, seat, hex) if unit.seat != seat]
        if any(not (order.unbroken and unit.broken) for unit in targets) or exposed_in(situation, seat, hex):
            return hex
        area = fires_at_area(situation, attack_of(order, order.components, hex, ()))
        if area and situation.enemy_vehicles(hex, seat):
            return hex
    return ""


def aim(situation: Situation, seat: str, order: FireOrder) -> tuple[Attack | None, list[Objection]]:
    """3.2.2 The attack that an order makes now, without the components that can no longer fire."""
    if order.against:
        return at_vehicle(situation, seat, order)
    at = chosen_target(situation, seat, order) or (order.at[0] if blind_fire(order) else "")
    if not at:
        return None, [no_target_objection(situation, seat, order)]
    whole = attack_of(order, order.components, at, order.leaders)
    against = [*attack_objections(situation, seat, whole)]
    if not against:
        return whole, []
    able = tuple(
        one.id
        for one in components(situation, order.components)
        if one.unit.seat == seat
        and not any(component_objections(situation, one, Attack((one.id,), at, how=order.how)))
    )
    hexes = {one.hex for one in components(situation, able)}
    units = situation.state.units
    leaders = tuple(
        id for id in order.leaders if id in units and situation.leads(units[id]) and units[id].at in hexes
    )
    for led in (leaders, ()):
        attempt = attack_of(order, able, at, led)
        if able and not [*attack_objections(situation, seat, attempt)]:
            return attempt, against
    return None, against


def no_target_objection(situation: Situation, seat: str, order: FireOrder) -> Objection:
    """3.2, 7.7 The reason why the hexes of an order hold no target: they are empty or hold only AFV with BU crews."""
    what, at = "unbroken " if order.unbroken else "", " or ".join(order.at)
    if any(situation.enemy_vehicles(hex, seat) for hex in order.at):
        return Objection(
            "3.2", say("the only {what}enemies in {at} are AFV with buttoned-up crews", what=what, at=at)
        )
    return Objection("3.2", say("no {what}enemy is in {at}", what=what, at=at))


def attack_of(order: FireOrder, components: tuple[str, ...], at: str, leaders: tuple[str, ...]) -> Attack:
    """3.2.2 The attack by these components, with everything else that its order says about the fire."""
    return Attack(
        components,
        at,
        leaders,
        order.how,
        anyway=order.anyway,
        blast=order.blast,
        unmarked=order.unmarked,
        once=order.once,
    )


def blind_fire(order: FireOrder) -> bool:
    """6.4, 6.11 Whether an order fires at a hex regardless of its occupants."""
    return bool(order.at) and (order.anyway or order.how in ("area", "smoke", "WP"))


def at_vehicle(situation: Situation, seat: str, order: FireOrder) -> tuple[Attack | None, list[Objection]]:
    """3.2.4/vtt The attack on the first vehicle in the order that can be fired at, or the objections to all of
    them.
    """
    against: list[Objection] = []
    for id in order.against:
        vehicle = situation.state.vehicles.get(id) or (
            situation.state.units.get(id) if order.how == "pf" else None  # 4.4.2 a unit that mans a weapon
        )
        if vehicle is None or vehicle.seat == seat or vehicle.hidden:
            against.append(Objection("3.2.4/vtt", say("{id} is not an enemy vehicle in play", id=id)))
            continue
        for leaders in dict.fromkeys((order.leaders, ())):
            attack = msgspec.structs.replace(attack_of(order, order.components, vehicle.at, leaders), target=id)
            found = [*attack_objections(situation, seat, attack)]
            if not found:
                return attack, []
            against += found
    return None, against


def carry_out(table: AslskTable, seat: str, order: FireOrder, words: str) -> None:
    """3.2.2 Carry out one line of a fire list, repeating it with every weapon that keeps its rate of fire."""
    situation = table.situation
    if order.face:
        return
    if order.destroy:
        destroy_own(table, seat, order.components[0])
        return
    if order.detonate:
        if not detonate_all(table, order.components):
            unplaced = Objection("4.3/detonation", say("{id} has not been placed", id=order.components[0]))
            report_failure(table, seat, words, [unplaced], units=order.components)
        return
    attack, against = aim(situation, seat, order)
    if against:
        left = [id for id in order.components if attack is None or id not in attack.components]
        report_failure(table, seat, words, against, partly=attack is not None, units=left or order.components)
    for _ in range(MOST_REPEATS):
        if attack is None:
            return
        kept = fire(table, attack)
        if not kept or attack.how == "smoke":
            break
        again = msgspec.structs.replace(
            order, components=tuple(kept), at=(attack.at,), leaders=attack.leaders, unbroken=True, anyway=False
        )
        if attack.target:
            again = msgspec.structs.replace(again, at=(), unbroken=False)
        attack, _ = aim(situation, seat, again)
    if order.intensive and attack is not None:
        last = msgspec.structs.replace(attack, intensive=True)
        gone = attack.target and attack.target not in table.state.vehicles
        if not gone and not any(attack_objections(situation, seat, last)):
            fire(table, last)


def destroy_own(table: AslskTable, seat: str, id: str) -> None:
    """4.0/weapon-destruction Destroy a weapon on the order of the Good Order unit that has it; this counts as
    using the weapon.
    """
    weapon, situation = table.state.weapons.get(id), table.situation
    unit = table.state.units.get(weapon.holder) if weapon is not None else None
    able = unit is not None and unit.seat == seat and situation.good_order(unit)
    able = able and table.state.phase in ("prep", "defensive")
    if weapon is None or unit is None or not able or weapon.fired or len(unit.used) > 1:
        against = Objection(
            "4.0/weapon-destruction", say("the unit that possesses {id} cannot destroy it now", id=id)
        )
        report_failure(table, seat, f"destroy {id}", [against], units=[id])
        return
    reveal(table, unit, "it destroys its Gun")
    unit.used.append(id)
    unit.gave_up = unit.gave_up or len(unit.used) > 1
    wreck(table, weapon, "4.0/weapon-destruction", removed=True)


def turn_guns(table: AslskTable, seat: str, orders: Sequence[FireOrder]) -> None:
    """3.2.4/covered-arc Turn Guns that could still fire, without firing, at the end of a fire phase."""
    situation, state = table.situation, table.state
    for order in orders:
        if not order.face:
            continue
        weapon = state.weapons.get(order.components[0])
        if weapon is None:
            gone = Objection("3.2.4/covered-arc", say("{id} is no longer in play", id=order.components[0]))
            report_failure(table, seat, fire_line(order), [gone], units=order.components)
            continue
        holder = piece_of(state, weapon.holder)
        on_map = holder is not None and bool(holder.at) and order.face in situation.ground
        free = on_map and holder is not None and holder.seat == seat and not weapon.fired and not holder.fired
        fixed = isinstance(holder, Vehicle) and holder.immobile and not is_in_turret(situation, weapon)
        if (
            holder is None
            or facing_of(situation, weapon) < 0
            or not free
            or fixed
            or not may_turn(situation, weapon, holder)
        ):
            against = Objection("3.2.4/covered-arc", say("{weapon} cannot turn now", weapon=weapon.id))
            report_failure(table, seat, fire_line(order), [against], units=[weapon.id])
            continue
        if isinstance(holder, Unit):
            reveal(table, holder, "it turns")  # 6.4
        facing = best_facing(situation, weapon, holder.at, order.face)
        rough = isinstance(holder, Vehicle) and not is_in_turret(situation, weapon) and is_rough(situation, holder.at)
        if isinstance(holder, Vehicle) and rough and not bog_check(table, holder, holder.at, None):
            report_failure(table, seat, fire_line(order), [bogged_objection(holder)], units=[weapon.id])
            continue
        turn_to(situation, weapon, facing)
        if isinstance(holder, Unit) and state.phase == "prep":
            holder.moved = True  # neither the Gun nor its crew moves in this player turn
        lose_acquisition(situation, holder) if isinstance(holder, Vehicle) else weapon.lose_target()  # 6.10
        table.find("3.2.4/ca-change-without-fire", inputs={"weapon": weapon.id}, result=facing)


def may_turn(situation: Situation, weapon: Weapon, holder: Piece) -> bool:
    """3.2.4/covered-arc, 3.3.2/vca Whether a weapon may turn: it is working, unused and still able to fire, with
    its user in Good Order.
    """
    one = Component(weapon.id, holder, weapon)
    manner = manner_of(situation, one)
    if not manner or (manner == "advancing" and any(advancing_objections(situation, one))):
        return False
    return situation.good_order(holder) and not weapon.malfunctioned and weapon.id not in holder.used


def fire_list(table: AslskTable, seat: str, orders: Sequence[FireOrder]) -> None:
    for order in orders:
        carry_out(table, seat, order, fire_line(order))
    turn_guns(table, seat, orders)
    reveal_seen(table)  # 6.4 fire may end a Melee, and a unit in Good Order sees a Gun in the open


def begin(table: AslskTable, phase: str, shows: Sequence[Happening] = ()) -> None:
    """3.0 Begin a phase; `shows` lists the markers that are removed at its start."""
    table.state.phase = phase  # type: ignore[assignment]
    table.state.fired_in_phase = []
    for weapon in table.state.weapons.values():
        weapon.turned = weapon.area = False
    for vehicle in table.state.vehicles.values():
        vehicle.turret_turned = vehicle.hull_turned = 0
    table.find(
        "3.0", inputs={"phase": phase, "attacker": table.state.attacker, "turn": table.state.turn}, shows=list(shows)
    )


def prep_fire_phase(table: Table[AslskState]) -> Step:
    """3.2.5 Run the Prep Fire Phase: the ATTACKER's smoke disperses, then the ATTACKER fires."""
    own = as_aslsk_table(table)
    seat = own.state.attacker
    begin(own, "prep")
    disperse_smoke(own, seat)
    fire_list(own, seat, orders_of(own.state, seat).prep)
    mark_prep_fire(own, seat)
    table.then("before_movement")
    return
    yield


def mark_prep_fire(table: AslskTable, seat: str) -> None:
    """3.3, 3.5 Mark units that fired or directed fire as having fired, even if their weapons kept their rate of
    fire.
    """
    for unit in table.state.units.values():
        if unit.seat == seat and (unit.used or unit.directed):
            unit.fired = "prep"
    for vehicle in table.state.vehicles.values():
        if vehicle.seat == seat and vehicle.used:
            vehicle.fired_in = "prep"


def disperse_smoke(table: AslskTable, seat: str) -> None:
    """1.2.5 Remove the owner's dispersed smoke counters, then flip the full ones."""
    flipped = {"full": "dispersed", "wp": "wp_dispersed"}
    for hex, smoke in sorted(table.state.smoke.items()):
        others = [one for one in smoke if one.seat != seat]
        own = [type(one)(flipped[one.kind], one.seat) for one in smoke if one.seat == seat and one.kind in flipped]  # type: ignore[arg-type]
        table.state.smoke[hex] = others + own
        if not table.state.smoke[hex]:
            del table.state.smoke[hex]


def defensive_fire_phase(table: Table[AslskState]) -> Step:
    """3.4 Run the Defensive Fire Phase: Final Fire by the DEFENDER, then removal of First and Final Fire markers."""
    own = as_aslsk_table(table)
    seat = own.situation.other(own.state.attacker)
    begin(own, "defensive")
    fire_list(own, seat, orders_of(own.state, seat).final)
    clear_markers(own, seat)
    table.then("advancing_fire_phase")
    return
    yield


def advancing_fire_phase(table: Table[AslskState]) -> Step:
    """3.5, 4.3/detonation Run the Advancing Fire Phase: explode charges first, or where the list says; then carry
    out the fire and remove markers.
    """
    own = as_aslsk_table(table)
    seat = own.state.attacker
    begin(own, "advancing")
    orders = orders_of(own.state, seat).advancing
    later = [order.components[0] for order in orders if order.detonate]
    detonate_all(own, [charge.weapon for charge in own.state.charges if charge.weapon not in later])
    fire_list(own, seat, orders)
    detonate_all(own, later)
    clear_markers(own, seat)
    settle_cover(own)
    table.then("close_orders")
    return
    yield


def clear_markers(table: AslskTable, seat: str) -> None:
    """3.4, 3.5 Remove a side's fire markers and the record of what its leaders and weapons have done."""
    for unit in table.state.units.values():
        if unit.seat == seat:
            unit.fired, unit.used, unit.directed, unit.gave_up = "", [], [], False
            for weapon in table.situation.weapons(unit):
                weapon.fired, weapon.swept = "", False
    for vehicle in table.state.vehicles.values():
        if vehicle.seat == seat:
            vehicle.fired, vehicle.fired_in, vehicle.fired_from, vehicle.used = "", "", "", []
            for weapon in table.situation.weapons(vehicle):
                weapon.fired, weapon.swept = "", False
    for weapon in table.state.weapons.values():
        if not weapon.holder:
            weapon.fired, weapon.swept = "", False


def settle_cover(table: AslskTable) -> None:
    """7.4, 11 A5 After the AFPh, let vehicles and wrecks that moved give cover and hinder again."""
    for vehicle in table.state.vehicles.values():
        vehicle.moving = vehicle.new_hex = False
    table.state.wrecks = [msgspec.structs.replace(wreck, moved=False) for wreck in table.state.wrecks]
