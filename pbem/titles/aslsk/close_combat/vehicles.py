"""3.8/vs-vehicle, 3.8/vehicle-attack Close combat of Infantry against a vehicle, and of a vehicle against Infantry.

3.8/vs-vehicle         combat_value, vehicle_modifiers, assault_vehicle
3.8/vehicle-attack     vehicle_strength, vehicle_attack
3.8/close-defence      close_defence
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from pbem.engine.rules.happenings import Shot
from pbem.titles.aslsk.chance import Dice, draw, roll_one, roll_two
from pbem.titles.aslsk.close_combat.melee import end_melees
from pbem.titles.aslsk.close_combat.stacks import stacked
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.fire.effects import Aimed, place_dm, strike
from pbem.titles.aslsk.fire.modifiers import bearer_modifiers
from pbem.titles.aslsk.fire.morale import Aftermath, eliminate, reduce_casualties
from pbem.titles.aslsk.orders import Assault
from pbem.titles.aslsk.rally.promotion import promote
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, Vehicle, Weapon, units_at
from pbem.titles.aslsk.tabletop import AslskTable, gather_findings
from pbem.titles.aslsk.vehicles.status import destroy, immobilize

VALUES: Final = {"squad": 5, "crew": 4, "half": 3, "leader": 2}
"""3.8/vs-vehicle The Close Combat Value of each kind of unit."""
DEFENCE_FP: Final = 16
DEFENCE_SINCE: Final = "1944-07"
SMALL_TURRET_GUN: Final = 15


def value_of(situation: Situation, unit: Unit) -> int:
    return VALUES[situation.card(unit).kind]


def combat_value(situation: Situation, units: Sequence[Unit], *, fired: bool = False) -> int:
    """3.8/vs-vehicle The CCV of a unit that attacks: +1 with a leader, -1 if pinned, -1 if it has fired."""
    main = max(units, key=lambda unit: value_of(situation, unit))
    value = value_of(situation, main) + (1 if len(units) > 1 else 0)
    return value - any(unit.pinned for unit in units) - (1 if fired else 0)


def defence_value(situation: Situation, units: Sequence[Unit]) -> int:
    """3.8/vehicle-attack The CCV of the units that a vehicle attacks; a leader combined with another unit adds 1."""
    below = stacked(situation, units[0].at, units[0].seat)
    return sum(1 if unit.id in below else value_of(situation, unit) for unit in units)


def usable_guns(situation: Situation, vehicle: Vehicle) -> list[Weapon]:
    """3.8/drm The machine guns that the crew can use; it can use the AAMG only while CE."""
    return [
        weapon
        for weapon in situation.weapons(vehicle)
        if weapon.card.endswith("mg")
        and not weapon.malfunctioned
        and (vehicle.ce or not weapon.card.endswith("aamg"))
    ]


def vehicle_modifiers(
    situation: Situation, units: Sequence[Unit], vehicle: Vehicle, ambush: str = "", *, reaction: bool = False
) -> list[Modifier]:
    """3.8/drm All modifiers to a close combat attack on a vehicle."""
    found: list[Modifier] = []
    leaders = [unit for unit in units if situation.is_leader(unit) and not unit.pinned]
    if leaders and any(situation.is_mmc(unit) for unit in units):
        best = min(situation.leadership(leader) for leader in leaders)
        found += [Modifier("3.8/drm", "leadership", best)] if best < 0 else []
    open_top = situation.vehicle_card(vehicle).open_topped
    rows_ = (
        ("CX attacker", 1 if any(unit.cx for unit in units) else 0),
        ("vehicle in Motion", 2 if vehicle.motion or (reaction and is_on_the_move(vehicle)) else 0),
        ("no usable MG", -1 if not usable_guns(situation, vehicle) else 0),
        ("immobile vehicle", -1 if vehicle.immobilized or vehicle.bogged else 0),
        ("open-topped" if open_top else "CE", -2 if open_top else -1 if vehicle.ce else 0),
    )
    found += [Modifier("3.8/drm", text, value) for text, value in rows_ if value]
    if ambush:
        own = units[0].seat == ambush
        found.append(Modifier("3.8/ambush", "ambusher" if own else "ambushed", -1 if own else 1))
    return found


def is_on_the_move(vehicle: Vehicle) -> bool:
    """3.3.4 Whether a vehicle is moving now, or has entered a new hex in this player turn."""
    return vehicle.moving or not vehicle.stopped


def assault_vehicle(
    table: AslskTable,
    units: Sequence[Unit],
    vehicle: Vehicle,
    *,
    ambush: str = "",
    reaction: bool = False,
    fired: bool = False,
) -> Dice:
    """3.8/vs-vehicle Attack a vehicle: a roll below the CCV destroys it, and a roll equal to the CCV immobilizes it.
    A 2 always has a chance, and a 12 costs casualties.
    """
    situation = table.situation
    value = combat_value(situation, units, fired=fired)
    modifiers = vehicle_modifiers(situation, units, vehicle, ambush, reaction=reaction)
    dice = roll_two(table, "3.8/vs-vehicle", *(unit.id for unit in units))
    final = dice.total + total(modifiers)
    result = "destroyed" if final < value else "immobilized" if final == value else "no effect"
    extra: list[int] = []
    if dice.total == 2 and value - total(modifiers) < 2:
        die = roll_one(table, "3.8/vs-vehicle", vehicle.id, "third die")
        result = "destroyed" if die <= 2 else "immobilized" if die == 3 else "no effect"
        extra = [die]
    steady = not vehicle.shock and not vehicle.stun
    with gather_findings(table) as children:
        if result == "destroyed":
            destroy(table, vehicle, "3.8/vs-vehicle")
            end_melees(table)
        elif result == "immobilized":
            immobilize(table, vehicle)
        if dice.total == 12 and steady:
            hurt = draw(table, "3.8/vs-vehicle", list(units), 1, *(unit.id for unit in units))[0]
            reduce_casualties(table, hurt, Aftermath(in_close_combat=True))
        squads = [unit for unit in units if situation.is_mmc(unit) and unit.id in table.state.units]
        if dice.total == 2 and squads:
            promote(table, squads)
    table.find(
        "3.3.4" if reaction else "3.8/vs-vehicle",
        inputs={"units": [unit.id for unit in units], "vehicle": vehicle.id, "at": vehicle.at, "value": value},
        modifiers=rows(modifiers),
        dice=[*dice.pair, *extra],
        result=result,
        children=children,
        shows=[Shot(unit.id, vehicle.id, unit.at, vehicle.at, value, tuple(dice.pair), result) for unit in units],
    )
    return dice


def attack_weapons(situation: Situation, vehicle: Vehicle, spent: Sequence[str] = ()) -> list[Weapon]:
    """3.8/vehicle-attack The weapons that a vehicle can attack with: the AAMG while CE, a turret's CMG and the
    RMG, unless already used.
    """
    fixed = situation.vehicle_card(vehicle).turret == "NT"
    return [
        weapon
        for weapon in usable_guns(situation, vehicle)
        if not weapon.card.endswith(":bmg")
        and not (fixed and weapon.card.endswith(":cmg"))
        and weapon.id not in spent
    ]


def small_guns(situation: Situation, vehicle: Vehicle, spent: Sequence[str] = ()) -> list[Weapon]:
    """3.8/vehicle-attack The main armament in a turret of at most 15 mm with IFE, unless it has already attacked."""
    card = situation.vehicle_card(vehicle)
    fits = card.ife and card.turret != "NT" and card.calibre <= SMALL_TURRET_GUN
    guns = situation.weapons(vehicle) if fits else []
    return [one for one in guns if situation.is_main(one) and not one.malfunctioned and one.id not in spent]


def vehicle_strength(
    situation: Situation, vehicle: Vehicle, spent: Sequence[str] = (), only: Sequence[str] = ()
) -> Fraction:
    """3.8/vehicle-attack The FP of the usable MG (or only those in `only`) and of a small turret gun; halved in
    Motion.
    """
    if vehicle.shock or vehicle.stun:
        return Fraction(0)
    guns = [one for one in attack_weapons(situation, vehicle, spent) if not only or one.id in only]
    fp = sum(situation.weapon_card(weapon).fp for weapon in guns)
    if not only and small_guns(situation, vehicle, spent):
        fp += situation.vehicle_card(vehicle).ife
    return Fraction(fp, 2 if vehicle.motion else 1)


def is_armed(situation: Situation, vehicle: Vehicle, spent: Sequence[str] = ()) -> bool:
    """3.8/vehicle-attack Whether a vehicle can still attack with anything, including its close defence weapon."""
    return bool(vehicle_strength(situation, vehicle, spent)) or has_close_defence(situation, vehicle, spent)


def has_close_defence(situation: Situation, vehicle: Vehicle, spent: Sequence[str] = ()) -> bool:
    """3.8/close-defence Whether close defence is available: it may be used once, from July 1944 on, and only while BU
    and in action.
    """
    device, ready = situation.vehicle_card(vehicle).smoke_device, not vehicle.shock and not vehicle.stun
    fits = device == "sN" and not vehicle.ce and ready and defence_of(vehicle) not in spent
    return fits and situation.data.scenario.date >= DEFENCE_SINCE


def defence_of(vehicle: Vehicle) -> str:
    """3.8/close-defence The name of the close defence weapon in the list of weapons that have attacked."""
    return f"{vehicle.id}sn"


def spent_by(situation: Situation, attack: Assault, spent: Sequence[str]) -> list[str]:
    """3.8/vehicle-attack Return the units and weapons that an attack uses up."""
    found: list[str] = []
    for id in attack.units:
        vehicle = situation.state.vehicles.get(id)
        if vehicle is None:
            found.append(id)
        elif attack.how == "sn":
            found.append(defence_of(vehicle))
        else:
            guns = [*attack_weapons(situation, vehicle, spent), *small_guns(situation, vehicle, spent)]
            found += [weapon.id for weapon in guns]
    return found


def vehicle_attack(
    table: AslskTable,
    vehicle: Vehicle,
    targets: Sequence[Unit],
    *,
    ambush: str = "",
    spent: Sequence[str] = (),
    only: Sequence[str] = (),
) -> None:
    """3.8/vehicle-attack Attack Infantry: a vehicle's FP (or that of the MG in `only`) against the CCV on the CC
    table.
    """
    situation = table.situation
    attack = vehicle_strength(situation, vehicle, spent, only)
    defence = Fraction(defence_value(situation, targets))
    modifiers = [Modifier("7.10/stun", "shaken crew", 1)] if vehicle.shaken else []
    modifiers += [Modifier("3.8/drm", "CX target", -1)] if any(unit.cx for unit in targets) else []
    modifiers += [Modifier("3.8/drm", "broken target", -2)] if any(unit.broken for unit in targets) else []
    if ambush:
        own = vehicle.seat == ambush
        modifiers.append(Modifier("3.8/ambush", "ambusher" if own else "ambushed", -1 if own else 1))
    combat_table = situation.data.combat_table
    kill = combat_table.kill_number(attack, defence)
    dice = roll_two(table, "3.8/vehicle-attack", vehicle.id)
    final = dice.total + total(modifiers)
    result = "eliminated" if final < kill else "casualties" if final == kill else "no effect"
    with gather_findings(table) as children:
        aftermath = Aftermath(in_close_combat=True)
        if result == "eliminated":
            for unit in targets:
                eliminate(table, unit, "3.8/vehicle-attack", aftermath)
        elif result == "casualties":
            reduce_casualties(table, draw(table, "3.8/vehicle-attack", list(targets), 1, vehicle.id)[0], aftermath)
    table.find(
        "3.8/vehicle-attack",
        inputs={
            "vehicle": vehicle.id,
            "targets": [unit.id for unit in targets],
            "at": vehicle.at,
            "odds": combat_table.write_odds(attack, defence),
        },
        modifiers=rows(modifiers),
        cell=kill,
        dice=dice.pair,
        result=result,
        children=children,
    )


def close_defence(table: AslskTable, vehicle: Vehicle) -> None:
    """3.8/close-defence Attack all Infantry in the hex with 16 FP, without TEM, if the roll is no higher than the
    usage number.
    """
    card = table.situation.vehicle_card(vehicle)
    dice = roll_two(table, "3.8/close-defence", vehicle.id)
    works = dice.total <= card.smoke_number
    aimed = [
        Aimed(unit, tuple(bearer_modifiers(table.situation, unit))) for unit in units_at(table.state, vehicle.at)
    ]
    with gather_findings(table) as children:
        cells = strike(table, DEFENCE_FP, dice.total, aimed, in_close_combat=True) if works else {}
        if works:
            place_dm(table, DEFENCE_FP, aimed)
    table.find(
        "3.8/close-defence",
        inputs={
            "vehicle": vehicle.id,
            "at": vehicle.at,
            "number": card.smoke_number,
            "against": {one.unit.id: one.drm for one in aimed},
        },
        modifiers=rows(aimed[0].modifiers) if aimed else (),
        dice=dice.pair,
        result={id: str(cell) for id, cell in cells.items()} if works else "no effect",
        children=children,
    )
