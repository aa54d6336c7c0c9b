"""7.10-7.13, 7.17, 7.21, 7.23 Detailed damage: effects of hits on plates, tracks, weapons and machinery.

    7.10         hollow_charge_armour (7.10.1), soft_die (7.10.2)
    7.11         brews_up: vehicles that burn easily
    7.12         vary_penetration: the penetration of every hit varies
    7.13         lower_hull: the thin plate below the nose (7.13.1 in view of overwatch, comes_up; 7.13.2 from below)
    7.17         lose_step_and_weapons, lose_weapons
    7.21         track_stands
    7.23         collateral_damage (7.23.1 to 7.23.4), leak_of_fuel

Each is an optional rule; a match without the rule is unaffected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, neighbours
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.chart_rows import Angle, Location
from pbem.titles.panzer.cards.chart_rows import Shot as Slope
from pbem.titles.panzer.cards.weapons import TURRETS
from pbem.titles.panzer.damage.effects import brew_up, hit_track, lose_step, suppress
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sighting.terrain import board_now, height_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, HullDown, PanzerState, Unit

if TYPE_CHECKING:
    from pbem.titles.panzer.ap.ap_modifiers import ApShot

DRIVE: Final = "drive-damaged"
"""7.23.3 The flag of a vehicle that has lost speed."""
SUNKEN: Final = ("gully", "ford", "stream")
"""7.13.1 Terrain that makes a vehicle show its lower hull as it comes out."""
WALLS: Final = ("wall", "defilade")
"""7.13.1 Hexsides that make a vehicle show its lower hull; the 2024 book adds defilades to walls."""
CROSSING: Final = "rises"
"""7.13.1 The flag of a vehicle that has just come up out of a gully or over a wall."""


# --- 7.10 hollow charges -------------------------------------------------------------------------------------


def hollow_charge_armour(shot: ApShot, location: Location, armour: int) -> Finding | None:
    """7.10.1 Skirts and spaced plates multiply the armour against chemical energy."""
    skirts = shot.data.vehicle(shot.target).hollow_charge
    if not shot.data.plays("hollow_charge_armour") or shot.energy != "CE" or skirts is None:
        return None
    if location not in skirts.locations:
        return None
    inputs = {"location": location.value, "armour": armour, "times": skirts.times.value}
    return Finding("7.10.1", inputs=inputs, result=armour * skirts.times.value)


def soft_die(shot: ApShot) -> Finding | None:
    """7.10.2 Hollow charges do not lose their effect on soft vehicles."""
    if shot.data.plays("hollow_charge_armour") and shot.energy == "CE":
        return Finding("7.10.2", inputs={"unit": shot.target.id}, result=0)
    return None


# --- 7.11 brewing up -----------------------------------------------------------------------------------------


def brews_up(data: PanzerData, unit: Unit) -> bool:
    """7.11 Whether a vehicle burns easily, according to a note on its card."""
    return data.plays("brew_up_modifier") and data.vehicle(unit).has("brew_up")


def burning_die(data: PanzerData, unit: Unit, die: int) -> int:
    """7.11 The damage digit, raised by two if the vehicle burns easily and would be knocked out."""
    return min(10, die + data.advanced.number("brew_up_ap")) if brews_up(data, unit) else die


# --- 7.12 variable penetration -------------------------------------------------------------------------------


def vary_penetration(table: Table[PanzerState], shot: ApShot) -> Finding | None:
    """7.12 Vary the penetration factor of every hit by two d10 rolls.

    In a variant of the rule each die of a Soviet gun counts one less.
    """
    data: PanzerData = shot.data
    if not data.plays("variable_penetration"):
        return None
    dice = [table.roll(10, "7.12", shot.firer.id, shot.target.id) for _ in range(2)]
    read, children = dice, []
    soviet = data.scenario.formations[shot.firer.formation].nation == "soviet"
    if soviet and data.plays("soviet_penetration"):
        read = [max(1, die - 1) for die in dice]
        children.append(Finding("7.12/soviet-variant", inputs={"dice": dice}, result=read))
    change = data.advanced.variation(shot.penetration, read)
    inputs = {"penetration": shot.penetration, "change": change}
    result = shot.penetration + change
    return Finding("7.12", inputs=inputs, dice=tuple(dice), result=result, children=tuple(children))


# --- 7.13 lower hull -----------------------------------------------------------------------------------------


def lower_hull(shot: ApShot, angle: Angle, location: Location, status: HullDown) -> Finding | None:
    """7.13 A hit on the hull front may strike the lower plate, which has half the Rising factor, but at least 1."""
    if not shot.data.plays("lower_hull") or location is not Location.HF:
        return None
    why = rising_up(shot) or from_below(shot, status)
    if why is None:
        return None
    full = shot.data.vehicle(shot.target).armour_at(angle, Slope.RISING, Location.HF)
    half = shot.data.advanced.number("lower_hull_divisor")
    return Finding("7.13", inputs={"rising": full}, result=max(1, full // half), children=(why,))


def rising_up(shot: ApShot) -> Finding | None:
    """7.13.1 Overwatch fire at a vehicle coming out of a gully, ford or stream, or over a wall, hits the lower hull.

    Firer and target must be at the same height. The finding, or None if the rule does not apply.
    """
    if CROSSING not in shot.target.flags or shot.command is not Command.OVERWATCH:
        return None
    if height_of(shot.situation, shot.target) != height_of(shot.situation, shot.firer):
        return None
    return Finding("7.13.1", inputs={"unit": shot.target.id}, result=True)


def from_below(shot: ApShot, status: HullDown) -> Finding | None:
    """7.13.2 Fire from at least two levels below strikes the lower hull of a vehicle that is not hull down at all.

    The range is at most twice the difference in levels. The finding, or None if the rule does not apply.
    """
    above = height_of(shot.situation, shot.target) - height_of(shot.situation, shot.firer)
    if status is not HullDown.NONE or above < shot.data.advanced.number("lower_hull_levels"):
        return None
    if shot.range > shot.data.advanced.number("lower_hull_range") * above:
        return None
    return Finding("7.13.2", inputs={"levels": above, "range": shot.range}, result=True)


def comes_up(situation: Situation, unit: Unit, to: Hex | None) -> None:
    """7.13.1 Record whether this step brings a vehicle out of a gully, ford or stream, or over a wall."""
    rises = False
    if to is not None and unit.hex is not None and unit.kind == "vehicle" and situation.data.plays("lower_hull"):
        board = board_now(situation)
        if unit.hex in neighbours(to):
            low = any(type in SUNKEN for type in board.terrain(unit.hex))
            wall = any(feature in WALLS for feature in board.side(unit.hex, to))
            rises = wall or (low and not any(type in SUNKEN for type in board.terrain(to)))
    kept = tuple(flag for flag in unit.flags if flag != CROSSING)
    unit.flags = (*kept, CROSSING) if rises else kept


# --- 7.21 tracks ---------------------------------------------------------------------------------------------


def track_stands(data: PanzerData, target: Unit, effectiveness: int, *, always: bool = False) -> Finding | None:
    """7.21 A track hit is valid only if twice the firer's highest effectiveness reaches the target's GP defence.

    Small arms count as 1 (given as an effectiveness of 0); hand-held weapons always succeed.
    """
    if not data.plays("variable_track_damage"):
        return None
    doubled = data.advanced.number("track_multiple") * effectiveness if effectiveness else 1
    defence = data.vehicle(target).defence
    inputs = {"unit": target.id, "doubled": doubled, "defence": defence}
    return Finding("7.21", inputs=inputs, result=always or doubled >= defence)


# --- 7.17 attached weapons -----------------------------------------------------------------------------------


def lose_step_and_weapons(table: Table[PanzerState], unit: Unit, rule: str, *, suppressed: bool = True) -> Finding:
    """6.5.4.4.3, 7.17 A squad is reduced and may lose weapons; any other unit is eliminated."""
    found = lose_step(table, unit, rule, suppressed=suppressed)
    if found.result != "reduced":
        return found
    return msgspec.structs.replace(found, children=(*found.children, *lose_weapons(table, unit)))


def lose_weapons(table: Table[PanzerState], unit: Unit) -> Iterator[Finding]:
    """7.17 A reduced squad may lose each attached weapon; the first of several, drawn at random, rolls lower."""
    data: PanzerData = table.data
    if not data.plays("weapon_loss") or not unit.weapons:
        return
    order = list(range(len(unit.weapons)))
    if len(order) > 1:
        first = table.roll(len(order), "7.17", unit.id) - 1
        order.insert(0, order.pop(first))
    lost: list[int] = []
    for turn, index in enumerate(order):
        die = table.roll(10, "7.17", unit.id, unit.weapons[index])
        less = data.advanced.number("weapon_lost_first") if turn == 0 and len(order) > 1 else 0
        limit = data.advanced.number("weapon_lost")
        gone = die + less <= limit
        lost += [index] if gone else []
        inputs = {"unit": unit.id, "weapon": unit.weapons[index], "modifier": less, "upto": limit}
        yield Finding("7.17", inputs=inputs, dice=(die,), result="lost" if gone else "kept")
    broken = {f"{word}-{index + 1}" for index in lost for word in BROKEN_WEAPONS}
    unit.flags = tuple(flag for flag in unit.flags if flag not in broken)
    unit.weapons = tuple("" if index in lost else name for index, name in enumerate(unit.weapons))


BROKEN_WEAPONS: Final = ("jammed", "ruined")
"""7.25 The first words of flags that end in the number of a weapon, small arms being 0."""


# --- 7.23 collateral damage ----------------------------------------------------------------------------------


BY_RADIO: Final = ("chq", "bhq", "rhq", "recon")
"""7.23.2 The labels that are lost with the radio."""


class Machinery(NamedTuple):
    """7.23 A kind of collateral damage: its paragraph, and the flag it puts on a vehicle."""

    rule: str
    flag: str


MACHINERY: Final = {
    "optics": Machinery("7.23.1", "optics-damaged"),
    "coaxial_machine_gun": Machinery("7.23.1", "coax-damaged"),
    "turret_locked": Machinery("7.23.2", "turret-locked"),
    "radio": Machinery("7.23.2", "radio-lost"),
    "drive": Machinery("7.23.3", DRIVE),
    "fuel": Machinery("7.23.4", "fuel-leak"),
}


def collateral_damage(table: Table[PanzerState], unit: Unit, location: Location) -> Finding | None:
    """7.23 Roll a d10 by location after a hit has penetrated an A or P-type vehicle without damaging it."""
    data: PanzerData = table.data
    if not data.plays("collateral_damage") or data.vehicle(unit).type == "S" or location is Location.DK:
        return None
    die = table.roll(10, "7.23", unit.id)
    rows = (row for row in data.advanced.optional.collateral if location in row.locations and row.roll == die)
    row = next(rows, None)
    children = () if row is None else (_befalls(table, unit, row.effect, row.otherwise),)
    inputs = {"unit": unit.id, "location": location.value}
    result = children[0].result if children else "none"
    return Finding("7.23", inputs=inputs, dice=(die,), result=result, children=children)


def _befalls(table: Table[PanzerState], unit: Unit, effect: str, otherwise: str) -> Finding:
    """7.23 Apply collateral damage, each kind once; a vehicle without that equipment is suppressed instead."""
    machinery = MACHINERY[effect]
    inputs = {"unit": unit.id, "effect": effect}
    if otherwise and not _has(table.data, unit, effect):
        hit = suppress(table.state, unit, machinery.rule)
        return Finding(machinery.rule, inputs=inputs, result="suppressed", children=(hit,))
    if machinery.flag in unit.flags:
        return Finding(machinery.rule, inputs=inputs, result="none")
    unit.flags = (*unit.flags, machinery.flag)
    if effect == "radio":
        unit.labels = tuple(label for label in unit.labels if label not in BY_RADIO)
    return Finding(machinery.rule, inputs=inputs, result=effect)


def _has(data: PanzerData, unit: Unit, effect: str) -> bool:
    """7.23.1, 7.23.2 Whether the vehicle has a coaxial machine gun, or a turret, that can be hit."""
    card = data.vehicle(unit)
    if effect == "coaxial_machine_gun":
        return card.has("coax")
    return any(mount.weapon.turret in TURRETS for mount in card.mounts)


def is_leaking(unit: Unit) -> bool:
    """7.23.4 Whether a vehicle leaks fuel."""
    return MACHINERY["fuel"].flag in unit.flags


def leak_of_fuel(table: Table[PanzerState], unit: Unit) -> Finding | None:
    """7.23.4 Roll at the start of every Movement Phase until the vehicle runs out of fuel or catches fire.

    The result names the checks that crew and passengers make: `track` or `bu`.
    """
    leak = MACHINERY["fuel"]
    if not is_leaking(unit) or not unit.alive:
        return None
    die = table.roll(10, "7.23.4", unit.id)
    dry, burns = (table.data.advanced.number(name) for name in ("fuel_out", "fuel_fire"))
    inputs = {"unit": unit.id, "dry_upto": dry, "burns_upto": burns}
    if die > burns:
        return Finding(leak.rule, inputs=inputs, dice=(die,), result="none")
    unit.flags = tuple(flag for flag in unit.flags if flag != leak.flag)
    if die <= dry:
        return Finding(leak.rule, inputs=inputs, dice=(die,), result="track", children=(hit_track(table, unit),))
    return Finding(leak.rule, inputs=inputs, dice=(die,), result="bu", children=(brew_up(table, unit),))
