"""7.9, 7.10 The To Kill process: the aspect that is hit, the To Kill number, and the effect of the TK DR.

3.2.4/target-facing, 3.2.4/hit-location    location_of, facings_from, aspect_of
7.9                                        kill_number
7.10                                       outcome, apply
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.titles.aslsk.chance import Dice, roll_two
from pbem.titles.aslsk.fire.components import Component
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.ground.lattice import facing_of
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Vehicle
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.vehicles.status import destroy, immobilize, possible_shock, shock, stun

Location = Literal["hull", "turret"]
Effect = Literal["solid", "he", "mg", "flame"]
"""7.10 The columns of the destruction chart: AP, APCR, APDS and HEAT; HE and charges; MG; flame."""
Result = Literal["destroyed", "shock", "immobilized", "stun", "possible shock", "no effect", "dud"]
FLAME_KILL: Final = 8
REAR: Final = 1
DUD: Final = 12
"""3.2.4/kill-test An Original To Kill roll of 12 has no effect."""
OWN_HEX: Final = {1: "rear", 2: "rear", 3: "side", 4: "side", 5: "front", 6: "front"}
"""3.2.4/target-facing For fire from the same hex, the facing by the coloured die."""


class Aspect(msgspec.Struct, frozen=True):
    """def/aspect The aspect of a vehicle that is hit: location and facing."""

    location: Location
    facing: str


class KillNumber(msgspec.Struct, frozen=True):
    """7.9 A To Kill number: the basic number, its changes, and the armour subtracted from it."""

    basic: int
    modifiers: tuple[Modifier, ...]
    armour: int

    @property
    def final(self) -> int:
        return self.basic + total(self.modifiers) - self.armour


def location_of(dice: Dice) -> Location:
    """3.2.4/hit-location The location that is hit: the turret if the coloured die is lower than the white one,
    otherwise the hull.
    """
    return "turret" if dice.coloured < dice.white else "hull"


def facings_from(situation: Situation, start: str, vehicle: Vehicle, location: Location) -> list[str]:
    """3.2.4/target-facing The facings that a line of sight may hit; there are two if it runs along the line between
    them.
    """
    turreted = situation.vehicle_card(vehicle).turret != "NT"
    spine = vehicle.tca if location == "turret" and turreted else vehicle.vca
    sides = situation.ground.entry_sides(start, vehicle.at)
    return list(dict.fromkeys(facing_of(side, spine) for side in sides))


def aspect_of(situation: Situation, start: str, vehicle: Vehicle, dice: Dice, *, flame: bool = False) -> Aspect:
    """3.2.4/target-facing The aspect that is hit; on a dividing line, the less favourable one for the firer."""
    location = location_of(dice)
    if start == vehicle.at:
        return Aspect(location, "rear" if flame else OWN_HEX[dice.coloured])
    facings = facings_from(situation, start, vehicle, location)
    return Aspect(location, best_for_target(situation, vehicle, location, facings))


def best_for_target(situation: Situation, vehicle: Vehicle, location: Location, facings: list[str]) -> str:
    """3.2.4/target-facing The facing with the most armour; the rear counts as one less."""
    card = situation.vehicle_card(vehicle)
    return max(facings, key=lambda facing: card.armour(location, facing) - (facing == "rear"))


def shell_name(how: str) -> str:
    return how if how in ("HE", "H", "A", "D") else "AP"


def effect_kind(situation: Situation, one: Component | None, how: str) -> Effect:
    """7.10 The column of the destruction chart for a weapon."""
    kind = situation.weapon_card(one.weapon).kind if one is not None and one.weapon is not None else ""
    if kind == "ft":
        return "flame"
    if kind.endswith("mg"):
        return "mg"
    return "he" if how == "HE" or kind == "dc" else "solid"


def basic_number(situation: Situation, one: Component, how: str) -> int | None:
    """7.9 The basic To Kill number of a weapon with this type of ammunition; None if there is none."""
    assert one.weapon is not None
    card, charts = situation.weapon_card(one.weapon), situation.data.charts
    if card.kill:
        return card.kill
    if card.kind == "ft":
        return FLAME_KILL
    if card.kind.endswith("mg"):
        return charts.basic_kill("AP", 0, "", card.nation, "MG")
    if card.kind == "atr":
        return charts.basic_kill("AP", 0, "", card.nation, "ATR")
    return charts.basic_kill(shell_name(how), card.calibre, card.length, card.nation)  # type: ignore[arg-type]


def range_change(situation: Situation, one: Component, how: str, distance: int) -> int | None:
    """7.9 The change to the To Kill number by range, for AP, APCR and APDS only; None if the shot cannot
    penetrate.
    """
    assert one.weapon is not None
    card, charts = situation.weapon_card(one.weapon), situation.data.charts
    small = card.kind.endswith("mg") or card.kind == "atr"
    if card.kill or card.kind == "ft" or (not small and shell_name(how) in ("HE", "H")):
        return 0
    return charts.kill_range_change("AP" if small else shell_name(how), card.calibre, distance)  # type: ignore[arg-type]


def kill_number(
    situation: Situation, one: Component, how: str, vehicle: Vehicle, aspect: Aspect, *, critical: bool = False
) -> KillNumber | None:
    """7.9 The Final To Kill number: the basic number, doubled by a critical hit and changed by range, a rear hit,
    or CE against flame, minus the armour.
    """
    basic = basic_number(situation, one, how)
    distance = situation.ground.distance(one.hex, vehicle.at)
    change = range_change(situation, one, how, distance)
    if basic is None or change is None:
        return None
    flame = effect_kind(situation, one, how) == "flame"
    if flame and distance > 1:
        basic //= 2  # 4.2
    found: list[Modifier] = []
    if critical:
        found.append(Modifier("6.1", "critical hit", basic))
    if change:
        found.append(Modifier("7.9", "range", change))
    if aspect.facing == "rear":
        found.append(Modifier("7.9", "rear facing", REAR))
    if flame and vehicle.ce:
        found.append(Modifier("4.2", "CE", 1))
    armour = 0 if flame else situation.vehicle_card(vehicle).armour(aspect.location, aspect.facing)
    return KillNumber(basic, tuple(found), armour)


def outcome(effect: Effect, location: Location, rolled: int, number: int) -> Result:
    """7.10 The result on the destruction chart, by the To Kill DR and the Final To Kill number."""
    if rolled >= DUD:
        return "dud"
    if rolled < number:
        return "destroyed"
    turret: Result = "shock" if location == "turret" else "immobilized"
    if rolled == number:
        results: dict[Effect, Result] = {"solid": turret, "he": turret, "mg": "stun", "flame": "destroyed"}
        return results[effect]
    if rolled == number + 1:
        further: dict[Effect, Result] = {"solid": "possible shock", "he": turret}
        return further.get(effect, "no effect")
    return "no effect"


def apply(table: AslskTable, vehicle: Vehicle, result: Result) -> None:
    """7.10 Apply one result of the destruction chart to a vehicle."""
    if result == "destroyed":
        destroy(table, vehicle, "7.10")
    elif result == "shock":
        shock(table, vehicle)
    elif result == "immobilized":
        immobilize(table, vehicle)
    elif result == "stun":
        stun(table, vehicle)
    elif result == "possible shock":
        possible_shock(table, vehicle)


def attempt(
    table: AslskTable,
    subject: str,
    effect: Effect,
    vehicle: Vehicle,
    aspect: Aspect,
    number: KillNumber,
    dud: int = DUD,
) -> tuple[Dice, Result]:
    """7.9 Roll To Kill and report it; the caller applies the result. On a roll of `dud` or more, nothing explodes."""
    dice = roll_two(table, "7.9", subject, vehicle.id)
    result = outcome(effect, aspect.location, dice.total, number.final) if dice.total < dud else "dud"
    table.find(
        "7.9",
        inputs={
            "vehicle": vehicle.id,
            "location": aspect.location,
            "facing": aspect.facing,
            "basic": number.basic,
            "armour": number.armour,
            "number": number.final,
            "weapon": subject,
            "effect": effect,
            "dud": dud,
        },
        modifiers=rows(number.modifiers),
        dice=dice.pair,
        result=result,
        children=[*reasons(vehicle, effect, aspect, number, dice, result, dud)],
    )
    return dice, result


def reasons(
    vehicle: Vehicle, effect: Effect, aspect: Aspect, number: KillNumber, dice: Dice, result: Result, dud: int
) -> Iterator[Finding]:
    """Explain where the vehicle was hit, its armour there, and the numbers that the To Kill roll compared."""
    at = {"vehicle": vehicle.id}
    yield Finding("3.2.4/hit-location", inputs=at, result=aspect.location)
    yield Finding("3.2.4/target-facing", inputs=at, result=aspect.facing)
    yield Finding("7.1", inputs={**at, "location": aspect.location, "facing": aspect.facing}, result=number.armour)
    rule = "3.2.4/dud" if result == "dud" else "3.2.4/kill-test"
    told = {**at, "number": number.final, "location": aspect.location, "effect": effect, "dud": dud}
    yield Finding(rule, inputs=told, dice=tuple(dice.pair), result=result)
