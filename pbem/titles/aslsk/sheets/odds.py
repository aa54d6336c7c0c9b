"""3.2.3, 3.2.4 Odds before the shot: the results of a fire attack, and the chance that a Gun hits Infantry.

3.2.3    distribution, fire_odds, vehicle_odds
3.2.4    gun_odds
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Final

from pbem.titles.aslsk.close_combat.vehicles import usable_guns
from pbem.titles.aslsk.fire.attack import cowering_of, firepower_in_words
from pbem.titles.aslsk.fire.components import Attack, Component, Manner, component
from pbem.titles.aslsk.fire.firepower import range_of, share_of
from pbem.titles.aslsk.fire.modifiers import crew_modifiers, fire_modifiers, total
from pbem.titles.aslsk.fire.table import FireTable, Kind
from pbem.titles.aslsk.ordnance.to_hit import effect_column, is_ordnance
from pbem.titles.aslsk.player.checks import too_far
from pbem.titles.aslsk.player.wording import SHELL_WORDS
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Vehicle, units_at
from pbem.titles.aslsk.vehicles.crews import exposed_in
from pbem.titles.aslsk.vehicles.prospects import hit_chance
from pbem.titles.aslsk.vehicles.target import infantry_shell

MANNERS: Final[Mapping[str, Manner]] = {
    "orders": "normal",
    "rally_prep": "normal",
    "final_fire": "normal",
    "advancing_fire": "advancing",
}
"""The manner of fire in each exchange."""
PREP: Final = ("orders", "rally_prep")
"""The exchanges with Prep Fire, in which a vehicle in Motion does not fire."""
RESULTS: Final[tuple[tuple[Kind, str], ...]] = (
    ("kia", "KIA"),
    ("k", "K"),
    ("mc", "morale check"),
    ("ptc", "pin check"),
    ("none", "no effect"),
)
MOST_HEXES: Final = 3


def distribution(table: FireTable, column: int, drm: int, cowering: int) -> dict[Kind, int]:
    """3.2.3 How many of the 36 rolls give each kind of result; `cowering` is the number of columns that doubles
    cost.
    """
    found: Counter[Kind] = Counter()
    for white, coloured in product(range(1, 7), repeat=2):
        used = table.shift_left(column, cowering if white == coloured else 0)
        found[table.cell(used, white + coloured + drm).kind] += 1
    return dict(found)


def percentages(rolls: Mapping[Kind, int]) -> dict[Kind, int]:
    """Turn numbers of rolls out of 36 into whole percentages that add up to 100; those with the largest remainders
    are rounded up.
    """
    found = {kind: number * 100 // 36 for kind, number in rolls.items()}
    ordered = sorted(rolls, key=lambda kind: -(rolls[kind] * 100 % 36))
    for kind in ordered[: 100 - sum(found.values())]:
        found[kind] += 1
    return found


def targets(situation: Situation, unit: Piece, *, crews: bool = False) -> list[str]:
    """The hexes with enemy Infantry on the map (if `crews`, also those with exposed crews), nearest first; with
    `los = open`, only those in sight.
    """
    hexes = {enemy.at for enemy in situation.state.units.values() if enemy.seat != unit.seat and enemy.at}
    if crews:
        hexes |= {one.at for one in situation.state.vehicles.values() if one.seat != unit.seat and one.ce}
    if situation.data.options.los == "open":
        hexes = {hex for hex in hexes if situation.sees(unit.at, hex)}
    hexes -= {""}
    return sorted(hexes, key=lambda hex: (situation.ground.distance(unit.at, hex), hex))


def manner_in(one: Component, kind: str, distance: int) -> Manner:
    """11 B The manner in which a component fires in the phase that this ask is for; "" if it cannot fire."""
    if kind == "final_fire" and one.marker == "first":
        return "marked" if distance <= 1 else ""
    return "" if one.marker else MANNERS[kind]


def stack_of(situation: Situation, unit: Unit, at: str, kind: str) -> list[tuple[Component, Manner]]:
    """4.0/weapon-usage The inherent FP and strongest MG of every MMC in the unit's hex that is in range."""
    distance = situation.ground.distance(unit.at, at)
    found: list[tuple[Component, Manner]] = []
    for one in units_at(situation.state, unit.at, unit.seat):
        if not situation.is_mmc(one) or not situation.good_order(one) or situation.gun_of(one) is not None:
            continue
        guns = [weapon for weapon in situation.weapons(one) if situation.is_machine_gun(weapon)]
        guns.sort(key=lambda weapon: -situation.weapon_card(weapon).fp)
        ids = [one.id, *(weapon.id for weapon in guns[:1] if not weapon.malfunctioned)]
        arms = [arm for id in ids if (arm := component(situation, id)) is not None]
        able = [arm for arm in arms if distance <= 2 * range_of(situation, arm)]
        if not situation.is_squad(one):
            able = able[-1:]
        found += [(arm, manner) for arm in able if (manner := manner_in(arm, kind, distance))]
    return found


def fire_odds(situation: Situation, unit: Unit, kind: str) -> Iterator[str]:
    """3.2.3 The odds of the unit's stack, with its best leader, against the nearest enemies."""
    if kind not in MANNERS or not unit.at or unit.broken:
        return
    leaders = [one for one in units_at(situation.state, unit.at, unit.seat) if situation.leads(one)]
    leaders = [one for one in leaders if situation.leadership(one) <= 0 and not one.fired]
    leaders.sort(key=situation.leadership)
    for at in targets(situation, unit, crews=True)[:MOST_HEXES]:
        firers = stack_of(situation, unit, at, kind)
        if firers:
            attack = Attack(tuple(one.id for one, _ in firers), at, tuple(one.id for one in leaders[:1]))
            yield attack_line(situation, attack, firers)


def attack_line(situation: Situation, attack: Attack, firers: list[tuple[Component, Manner]]) -> str:
    """3.2.3 Describe one attack: its firepower, column and DRM against the worst placed target, and the chance of
    each result.
    """
    fp = sum((share_of(situation, one, attack, manner).fp for one, manner in firers), Fraction())
    arms = [one for one, _ in firers]
    blind = situation.data.options.los != "open"
    seat = arms[0].unit.seat
    against = [
        *(fire_modifiers(situation, attack, arms, one, blind=blind) for one in situation.enemies_at(attack.at, seat)),
        *(
            crew_modifiers(situation, attack, arms, one, blind=blind)
            for one in exposed_in(situation, seat, attack.at)
        ),
    ]
    worst = min(against, key=total)
    drm, reasons = total(worst), ", ".join(f"{one.text} {one.value:+d}" for one in worst)
    column = situation.data.fire_table.column_of(fp)
    rolls = distribution(situation.data.fire_table, column, drm, cowering_of(situation, attack, firers))
    percent = percentages(rolls)
    shares = ", ".join(f"{name} {percent[kind]}%" for kind, name in RESULTS if rolls.get(kind))
    led = f" with {attack.leaders[0]}" if attack.leaders else ""
    known = (f" ({reasons})" if reasons else "") + (", hindrances not included" if blind else "")
    who = " ".join(attack.components)
    return f"{who}{led} at {attack.at}: {firepower_in_words(fp)} FP, column {column}, DRM {drm:+d}{known}: {shares}"


def vehicle_odds(situation: Situation, vehicle: Vehicle, kind: str) -> Iterator[str]:
    """7.8 The odds of a vehicle's machine guns together and of its main armament against the nearest Infantry."""
    if kind in MANNERS and vehicle.at and situation.good_order(vehicle) and not (vehicle.motion and kind in PREP):
        for at in targets(situation, vehicle, crews=True)[:MOST_HEXES]:
            distance = situation.ground.distance(vehicle.at, at)
            guns = [component(situation, gun.id) for gun in usable_guns(situation, vehicle)]
            able = [one for one in guns if one is not None and distance <= 2 * range_of(situation, one)]
            firers = [
                (one, manner) for one in able if (manner := manner_in(one, kind, distance)) not in ("", "marked")
            ]
            if firers:
                yield attack_line(situation, Attack(tuple(one.id for one, _ in firers), at), firers)
        yield from gun_odds(situation, vehicle, kind)


def gun_odds(situation: Situation, unit: Piece, kind: str) -> Iterator[str]:
    """3.2.4 The chance that each Gun, mortar or light anti-tank weapon of a unit hits the nearest enemies, with
    the column of a hit.
    """
    if kind not in MANNERS or not unit.at or unit.broken:
        return
    for weapon in situation.weapons(unit):
        one = component(situation, weapon.id)
        if one is None or weapon.malfunctioned or not is_ordnance(situation, one):
            continue
        near = [at for at in targets(situation, unit) if at != unit.at and not too_far(situation, one, at)]
        for at in near[:MOST_HEXES]:
            shot = Attack((weapon.id,), at, how=infantry_shell(situation, one))
            shell = f" {SHELL_WORDS[shot.how]}" if shot.how else ""
            hit, column = hit_chance(situation, one, shot), effect_column(situation, one, shot)
            yield f"{weapon.id} at {at}{shell}: hit {hit}%, then column {column}"
