"""4.3 Demolition charges: their placement in the MPh and their detonation in the AFPh.

4.3/placement     place
4.3/detonation    detonate_all
4.3/vs-afv        blow_up_vehicle
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.titles.aslsk.cards.vehicles import step_on_ladder
from pbem.titles.aslsk.chance import Dice, roll_two
from pbem.titles.aslsk.close_combat.melee import end_melees
from pbem.titles.aslsk.fire.drm import total
from pbem.titles.aslsk.fire.effects import Aimed, place_dm, strike
from pbem.titles.aslsk.fire.modifiers import (
    Modifier,
    bearer_modifiers,
    crew_cover,
    gunshield,
    hazard_modifiers,
    rows,
    terrain_modifier,
)
from pbem.titles.aslsk.ground.lattice import facing_of
from pbem.titles.aslsk.ordnance.hidden import reveal
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Charge, Unit, Vehicle, Weapon, units_at
from pbem.titles.aslsk.tabletop import AslskTable, gather_findings
from pbem.titles.aslsk.vehicles.crews import Exposed, collateral, strike_crews
from pbem.titles.aslsk.vehicles.kill import REAR, Aspect, KillNumber, apply, attempt, location_of
from pbem.titles.aslsk.weapons.breakdown import breakdown_number

CHARGE_FP = 30
CHARGE_KILL = 16


def charge_limit(situation: Situation, weapon: Weapon, unit: Unit) -> int:
    """4.3/detonation The X# of a charge: X12, or X10 if a non-elite MMC placed it, and one less if that MMC was
    inexperienced then.
    """
    number = breakdown_number(situation, weapon, unit)
    plain = situation.is_mmc(unit) and situation.card(unit).class_ not in ("elite", "")
    return number - (2 if plain else 0)


def place(table: AslskTable, unit: Unit, weapon: Weapon, hex: str, vehicle: str = "") -> None:
    """4.3/placement Place the charge of a unit that came through the window unhurt."""
    limit = charge_limit(table.situation, weapon, unit)
    against = table.state.vehicles.get(vehicle)
    charge = Charge(weapon.id, hex, unit.at, unit.cx, limit)
    if against is not None and against.at == hex:
        charge = msgspec.structs.replace(charge, vehicle=vehicle, vca=against.vca, tca=against.tca)
    table.state.charges.append(charge)
    weapon.holder, weapon.at = "", ""
    table.find("4.3/placement", inputs={"unit": unit.id, "weapon": weapon.id, "at": hex}, result="placed")


def charge_modifiers(situation: Situation, charge: Charge, unit: Unit) -> list[Modifier]:
    """4.3/detonation The DRM of a detonation: the target's single TEM or its gunshield, the placer's CX, Hazardous
    Movement.
    """
    tem = terrain_modifier(situation, unit, [charge.placed_from])
    shield = gunshield(situation, unit, [charge.placed_from])
    if shield is not None and (tem is None or tem.value < shield.value):
        tem = shield
    found = [tem] if tem is not None else []
    return [*found, *hazard_modifiers(unit), *placer_modifiers(charge), *bearer_modifiers(situation, unit)]


def placer_modifiers(charge: Charge) -> list[Modifier]:
    return [Modifier("3.3.1/cx", "CX when placed", 1)] if charge.cx else []


def detonate_all(table: AslskTable, named: Sequence[str]) -> bool:
    """4.3/detonation Attack all units in the named charges' hexes with 30 FP; return whether there were any such
    charges.
    """
    charges = [charge for charge in table.state.charges if charge.weapon in named]
    table.state.charges = [charge for charge in table.state.charges if charge not in charges]
    for charge in charges:
        if charge.vehicle:
            blow_up_vehicle(table, charge)
            table.state.weapons.pop(charge.weapon, None)
            continue
        dice = roll_two(table, "4.3/detonation", charge.weapon)
        dud = dice.total >= charge.limit
        targets = [
            Aimed(unit, tuple(charge_modifiers(table.situation, charge, unit)))
            for unit in units_at(table.state, charge.at)
            if not unit.hidden
        ]
        crews = [one for one in table.situation.vehicles_at(charge.at) if one.ce]
        cover = [Exposed(one, (crew_cover(table.situation, one), *placer_modifiers(charge))) for one in crews]
        against = {aimed.unit.id: aimed.drm for aimed in targets} | {crew.vehicle.id: crew.drm for crew in cover}
        with gather_findings(table) as children:
            cells = strike(table, CHARGE_FP, dice.total, targets) if not dud else {}
            if not dud:
                cells |= strike_crews(table, CHARGE_FP, dice.total, cover)
                strike_hidden(table, charge, dice)
                place_dm(table, CHARGE_FP, targets)
        table.find(
            "4.3/detonation",
            inputs={"weapon": charge.weapon, "at": charge.at, "dud": dud, "limit": charge.limit, "against": against},
            modifiers=rows(targets[0].modifiers) if targets else (),
            cell={"column": CHARGE_FP, "used": CHARGE_FP},
            dice=dice.pair,
            result={id: str(cell) for id, cell in cells.items()} if not dud else "dud",
            children=children,
        )
        table.state.weapons.pop(charge.weapon, None)
    end_melees(table)
    return bool(charges)


def strike_hidden(table: AslskTable, charge: Charge, dice: Dice) -> None:
    """6.4 Reveal a hidden Gun if a charge in its hex has any effect on it."""
    column = table.situation.data.fire_table.column_of(CHARGE_FP // 2)
    for unit in [one for one in units_at(table.state, charge.at) if one.hidden]:
        aimed = Aimed(unit, tuple(charge_modifiers(table.situation, charge, unit)))
        if table.situation.data.fire_table.cell(column, dice.total + aimed.drm).kind != "none":
            reveal(table, unit, "it is hit")
            strike(table, column, dice.total, [aimed])


def position_modifiers(situation: Situation, charge: Charge, vehicle: Vehicle) -> list[Modifier]:
    """4.3/vs-afv The DRM for positioning a charge: motion, facing, CE, CX, immobility and height."""
    charts, ground = situation.data.charts, situation.ground
    facing = charge_facing(situation, charge, charge.vca)
    rows_ = (
        ("moving, Non-Stopped or Motion", vehicle.moving or vehicle.motion),
        ("through the hull front", facing == "front"),
        ("crew exposed", vehicle.ce),
        ("exhausted placer", charge.cx),
        ("through the hull rear", facing == "rear"),
        ("immobile", vehicle.immobilized or bool(vehicle.bogged)),
        ("from a higher level", ground[charge.placed_from].level > ground[charge.at].level),
    )
    return [Modifier("4.3/vs-afv", text, charts.charge(text)) for text, applies in rows_ if applies]


def charge_facing(situation: Situation, charge: Charge, spine: int) -> str:
    """4.3/vs-afv The facing of the hexside through which the charge was placed, even if the AFV has turned since."""
    side = situation.ground.side(charge.at, charge.placed_from)
    return facing_of(side, spine) if side is not None else "rear"


def blow_up_vehicle(table: AslskTable, charge: Charge) -> None:
    """4.3/vs-afv Determine the position of a charge, then roll To Kill as HE with a number of 16; the X# applies
    to the last DR.
    """
    situation, vehicle = table.situation, table.state.vehicles.get(charge.vehicle)
    if vehicle is None or vehicle.at != charge.at:
        table.find("4.3/vs-afv", inputs={"weapon": charge.weapon, "vehicle": charge.vehicle}, result="none")
        return
    modifiers = position_modifiers(situation, charge, vehicle)
    dice = roll_two(table, "4.3/vs-afv", charge.weapon)
    position = situation.data.charts.charge_position(dice.total + total(modifiers))
    inputs = {"weapon": charge.weapon, "vehicle": vehicle.id, "at": charge.at}
    with gather_findings(table) as children:
        if position in ("optimal", "normal"):
            kill_by_charge(table, charge, vehicle, dice, optimal=position == "optimal")
        elif position == "crew" and vehicle.ce:
            blast = roll_two(table, "4.3/detonation", charge.weapon)
            cover = [Exposed(vehicle, (crew_cover(situation, vehicle),))]
            if blast.total < charge.limit:
                strike_crews(table, CHARGE_FP, blast.total, cover)
    table.find(
        "4.3/vs-afv", inputs=inputs, modifiers=rows(modifiers), dice=dice.pair, result=position, children=children
    )


def kill_by_charge(table: AslskTable, charge: Charge, vehicle: Vehicle, dice: Dice, *, optimal: bool) -> None:
    """4.3/vs-afv, 7.9 Make the To Kill attempt; an optimally placed charge faces armour one step below the lowest
    factor.
    """
    card, location = table.situation.vehicle_card(vehicle), location_of(dice)
    spine = charge.tca if location == "turret" and card.turret != "NT" else charge.vca
    facing = charge_facing(table.situation, charge, spine)
    armour = step_on_ladder(card.lowest, -1) if optimal else card.armour(location, facing)
    found = [Modifier("7.9", "rear facing", REAR)] if facing == "rear" else []
    number = KillNumber(CHARGE_KILL, tuple(found), armour)
    rolled, result = attempt(table, charge.weapon, "he", vehicle, Aspect(location, facing), number, charge.limit)
    if rolled.total >= charge.limit:
        table.find("4.3/detonation", inputs={"weapon": charge.weapon, "at": charge.at, "dud": True}, result="dud")
        return
    apply(table, vehicle, result)
    if result != "dud":
        collateral(table, vehicle, CHARGE_FP, rolled.total)
