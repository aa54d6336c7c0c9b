"""3.3.2.1, 3.3.4, 7.5 The DEFENDER's reactions in a window other than fire: Motion, smoke devices, CC Reaction Fire.

3.3.2.1    motion_objections, try_motion
3.3.4      reaction_objections, react_in_combat
7.5        smoke devices of the DEFENDER's vehicles
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.rules.happenings import Change
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.chance import roll_one
from pbem.titles.aslsk.close_combat.melee import end_melees
from pbem.titles.aslsk.close_combat.vehicles import assault_vehicle
from pbem.titles.aslsk.failing import report_attempt
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.morale import check_firers, pin
from pbem.titles.aslsk.ground.lattice import spines_turned
from pbem.titles.aslsk.movement.paatc import passes_task_check
from pbem.titles.aslsk.ordnance.arcs import turn_vehicle
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Vehicle, piece_of
from pbem.titles.aslsk.tabletop import AslskTable, gather_findings
from pbem.titles.aslsk.vehicles.costs import is_rough
from pbem.titles.aslsk.vehicles.devices import device_objections, use_device
from pbem.titles.aslsk.vehicles.steps import bog_check, mechanical_check
from pbem.titles.aslsk.weapons.possession import lose_acquisition

REACTIONS: Final = ("motion", "device", "reaction")


def points_in_sight(situation: Situation, vehicle: Vehicle, mover: Piece) -> int:
    """3.3.2.1 How many whole MF or MP the mover has spent in sight of the AFV in this MPh."""
    if isinstance(mover, Vehicle):
        trail = mover.going.trail if mover.going is not None else []
        return sum(spent for hex, spent in trail if hex and situation.sees(vehicle.at, hex)) // 2
    going = mover.going
    if going is None:
        return 0
    spent = sum(cost for hex, cost in going.trail if hex and situation.sees(vehicle.at, hex))
    return spent // 2


def other_objections(situation: Situation, seat: str, attack: Attack) -> Iterator[Objection]:
    """11 A3 The objections to reactions other than fire in a window."""
    if attack.how == "reaction":
        yield from reaction_objections(situation, seat, attack)
        return
    vehicle = situation.state.vehicles.get(attack.components[0]) if attack.components else None
    if vehicle is None or vehicle.seat != seat:
        yield Objection("3.3.2.1" if attack.how == "motion" else "7.5", say("name one of your vehicles"))
    elif situation.state.phase != "movement":
        yield Objection("3.3.2.1", say("this is possible only in the enemy's Movement Phase"))
    elif attack.how == "motion":
        yield from motion_objections(situation, vehicle)
        if attack.facing not in range(-1, 6):
            yield Objection("3.3.2.1", say("{id} must face a hexspine from 0 to 5", id=vehicle.id))
    else:
        yield from device_objections(situation, vehicle, attack.at if device_of(situation, vehicle) == "sM" else "")
        mover = situation.state.mover
        if mover is None or not situation.sees(vehicle.at, mover.at):
            yield Objection("7.5", say("{vehicle} can react only to movement in its sight", vehicle=vehicle.id))


def device_of(situation: Situation, vehicle: Vehicle) -> str:
    return str(situation.vehicle_card(vehicle).smoke_device)


def first_mover(situation: Situation) -> Piece | None:
    """3.3.2.1 The first unit of the moving stack that is still in play in the hex of the last expenditure."""
    mover = situation.state.mover
    found = [piece_of(situation.state, id) for id in mover.stack] if mover is not None else []
    return next((piece for piece in found if piece is not None and mover is not None and piece.at == mover.at), None)


def motion_objections(situation: Situation, vehicle: Vehicle) -> Iterator[Objection]:
    """3.3.2.1 Object to an attempt at Motion unless it is the first, by a mobile AFV without a fire marker, when a
    mover comes into sight.
    """
    rule, mover = "3.3.2.1", situation.state.mover
    marked = any(weapon.fired for weapon in situation.weapons(vehicle))
    if vehicle.motion_tried or marked or vehicle.immobile or not vehicle.at:
        yield Objection(rule, say("{vehicle} cannot try to get into Motion", vehicle=vehicle.id))
        return
    first = first_mover(situation)
    if mover is None or first is None or not situation.sees(vehicle.at, mover.at):
        yield Objection(rule, say("{vehicle} sees no moving unit", vehicle=vehicle.id))
    elif first.id in situation.state.seen_at_start.get(vehicle.id, []):
        yield Objection(
            rule, say("{vehicle} has had {first} in sight since the turn began", vehicle=vehicle.id, first=first.id)
        )


def try_motion(table: AslskTable, vehicle: Vehicle, facing: int = -1) -> None:
    """3.3.2.1 Attempt Motion: a dr up to the MF or MP spent in sight gives it, with a free change of VCA and TCA.

    Without an order the vehicle turns towards the mover, except where a turn could bog it (7.6).
    """
    state, vehicle.motion_tried = table.state, True
    assert state.mover is not None
    mover = first_mover(table.situation)
    limit = points_in_sight(table.situation, vehicle, mover) if mover is not None else 0
    die = roll_one(table, "3.3.2.1", vehicle.id)
    moves = die <= limit
    with gather_findings(table) as children:
        runs = moves and mechanical_check(table, vehicle)
    table.find(
        "3.3.2.1",
        inputs={"vehicle": vehicle.id, "number": limit},
        dice=[die],
        result="in Motion" if moves else "no Motion",
        children=children,
        shows=[Change(vehicle.id, "motion")] if runs else [],
    )
    if not runs:
        failed = Objection("3.3.2.1", say("the vehicle failed its Motion attempt (rolled {die})", die=die))
        why = Objection("3.3.2/mechanical-reliability", say("the vehicle broke down")) if moves else failed
        report_attempt(table, vehicle, "motion", why)
        return
    vehicle.motion = vehicle.moving = True
    end_melees(table)  # 3.8/melee it no longer holds enemies
    rough = is_rough(table.situation, vehicle.at)
    if facing < 0:
        towards = () if rough else table.situation.ground.arcs_to(vehicle.at, state.mover.at)
        facing = min(towards, key=lambda spine: spines_turned(vehicle.vca, spine), default=vehicle.vca)
    if facing != vehicle.vca and (not rough or bog_check(table, vehicle, vehicle.at, None)):
        turn_vehicle(vehicle, facing)
        lose_acquisition(table.situation, vehicle)  # 6.10


def reaction_objections(situation: Situation, seat: str, attack: Attack) -> Iterator[Objection]:
    """3.3.4 Object to a reaction unless one Good Order, unpinned unit makes it in the vehicle's hex, alone or with
    a leader.
    """
    rule, state = "3.3.4", situation.state
    units = [state.units.get(id) for id in attack.components]
    vehicle = state.vehicles.get(attack.target)
    if vehicle is None or state.mover is None or vehicle.id not in state.mover.stack:
        yield Objection(rule, say("CC Reaction Fire can be used only against a moving vehicle"))
        return
    leaders = sum(unit is not None and situation.is_leader(unit) for unit in units)
    if not 1 <= len(units) <= 2 or (len(units) == 2 and not leaders):
        yield Objection(rule, say("only one unit, or a leader together with one other unit, can attack"))
    for id, unit in zip(attack.components, units, strict=True):
        if unit is None or unit.seat != seat or unit.at != vehicle.at:
            yield Objection(rule, say("{id} is not in the hex of {vehicle}", id=id, vehicle=vehicle.id))
        elif not situation.good_order(unit) or unit.pinned:
            yield Objection(rule, say("{id} is broken, pinned or in Melee", id=id))
        elif state.shots.get(f"{id}|{vehicle.id}|{vehicle.at}", 0) >= limit_of(vehicle):
            yield Objection(
                "3.3.3/shot-limit", say("{id} has attacked {vehicle} as often as it may", id=id, vehicle=vehicle.id)
            )


def limit_of(vehicle: Vehicle) -> int:
    return max(1, (vehicle.going.here if vehicle.going is not None else 0) // 2)


def react_in_combat(table: AslskTable, attack: Attack) -> None:
    """3.3.4 Make each MMC take a PAATC, then resolve a close combat attack to which the vehicle does not reply."""
    state, vehicle = table.state, table.state.vehicles[attack.target]
    able: list[Unit] = []
    for id in attack.components:
        unit = state.units[id]
        checked = f"paatc|{id}|{vehicle.id}"
        if table.situation.is_mmc(unit) and not state.shots.get(checked):
            state.shots[checked] = 1
            if not passes_task_check(table, unit):
                pin(table, unit)
                why = Objection("3.3.4", say("{unit} failed its task check", unit=unit.id))
                report_attempt(table, unit, "reacts", why)
                continue
        able.append(unit)
    protective = [unit for unit in able if unit.fired == "final"]
    if able:
        fired = any(unit.fired or unit.used for unit in able)
        for unit in able:  # before the attack: a new leader gets the unit's marker (5.3)
            mark(table, unit)
        dice = assault_vehicle(table, able, vehicle, reaction=True, fired=fired)
        left = {unit.id: unit for unit in protective if unit.id in state.units}
        check_firers(table, left, [unit.id for unit in able], dice)  # 3.3.3/fpf
    for unit in able:
        key = f"{unit.id}|{vehicle.id}|{vehicle.at}"
        state.shots[key] = state.shots.get(key, 0) + 1


def mark(table: AslskTable, unit: Unit) -> None:
    """3.3.4, 3.3.3/sff Mark the unit and its weapons as having fired: First Fire or, if already marked, all Final
    Fire.
    """
    again = bool(unit.fired)
    unit.fired = "final" if again else "first"
    for weapon in table.situation.weapons(unit):
        weapon.fired = "final" if again else weapon.fired or "first"


def react(table: AslskTable, attack: Attack) -> None:
    """11 A3 Carry out a reaction other than fire."""
    if attack.how == "reaction":
        react_in_combat(table, attack)
    elif attack.how == "motion":
        try_motion(table, table.state.vehicles[attack.components[0]], attack.facing)
    else:
        vehicle = table.state.vehicles[attack.components[0]]
        use_device(table, vehicle, attack.at if device_of(table.situation, vehicle) == "sM" else "")
