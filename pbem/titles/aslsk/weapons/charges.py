"""4.3 Demolition charges: placing them in the MPh and their detonation in the AFPh.

4.3/placement     placement_objections, place
4.3/detonation    detonate_all
"""

from __future__ import annotations

from pbem.titles.aslsk.chance import roll_two
from pbem.titles.aslsk.fire.effects import Aimed, place_dm, strike
from pbem.titles.aslsk.fire.modifiers import Modifier, bearer_modifiers, rows
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Charge, Unit, Weapon, units_at
from pbem.titles.aslsk.tabletop import AslskTable, gathered
from pbem.titles.aslsk.weapons.breakdown import breakdown_number

CHARGE_FP = 30


def charge_limit(situation: Situation, weapon: Weapon, unit: Unit) -> int:
    """4.3/detonation X12; X10 for a non-elite MMC, one less for an inexperienced one, judged at the placement."""
    number = breakdown_number(situation, weapon, unit)
    plain = situation.is_mmc(unit) and situation.card(unit).class_ not in ("elite", "")
    return number - (2 if plain else 0)


def place(table: AslskTable, unit: Unit, weapon: Weapon, hex: str) -> None:
    """4.3/placement A unit that survived the window unhurt has set its charge."""
    limit = charge_limit(table.situation, weapon, unit)
    table.state.charges.append(Charge(weapon.id, hex, unit.at, unit.cx, limit))
    weapon.holder, weapon.at = "", ""
    table.find("4.3/placement", inputs={"unit": unit.id, "weapon": weapon.id, "at": hex}, result="placed")


def charge_modifiers(situation: Situation, charge: Charge, unit: Unit) -> list[Modifier]:
    """4.3/detonation TEM of the target (height advantage too) and CX of the placer."""
    found: list[Modifier] = []
    ground = situation.ground
    tem = ground.tem(charge.at)
    if tem:
        found.append(Modifier("4.3/detonation", ground[charge.at].terrain, tem))
    elif ground[charge.placed_from].level < ground[charge.at].level:
        found.append(Modifier("1.1.1.10/height-advantage", "height advantage", 1))
    if charge.cx:
        found.append(Modifier("3.3.1/cx", "CX when placed", 1))
    return [*found, *bearer_modifiers(situation, unit)]


def detonate_all(table: AslskTable) -> None:
    """4.3/detonation Every charge attacks all units in its hex with 30 FP, unless it is a dud."""
    charges, table.state.charges = table.state.charges, []
    for charge in charges:
        dice = roll_two(table, "4.3/detonation", charge.weapon)
        dud = dice.total >= charge.limit
        targets = [
            Aimed(unit, tuple(charge_modifiers(table.situation, charge, unit)))
            for unit in units_at(table.state, charge.at)
        ]
        with gathered(table) as children:
            cells = strike(table, CHARGE_FP, dice.total, targets) if not dud else {}
            if not dud:
                place_dm(table, CHARGE_FP, targets)
        table.find(
            "4.3/detonation",
            inputs={"weapon": charge.weapon, "at": charge.at, "dud": dud},
            modifiers=rows(targets[0].modifiers) if targets else (),
            cell={"column": CHARGE_FP, "used": CHARGE_FP},
            dice=dice.pair,
            result={id: str(cell) for id, cell in cells.items()} if not dud else "dud",
            children=children,
        )
        table.state.weapons.pop(charge.weapon, None)
