"""3.2.4, 6.4, 6.7, 7.11 Other things that a shot at a hex may hit: hidden and unmanned Guns, exposed crews, and AFV.

6.4     hidden Guns: To Hit +2; they are found only if the shot has an effect on them
6.7     unmanned Guns: KIA destroys them, K makes them malfunction
7.7     exposed crews
7.11    AFV that area fire hits
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pbem.titles.aslsk.chance import Dice
from pbem.titles.aslsk.fire.components import Attack, Component
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.fire.modifiers import EMPLACEMENT, crew_cover, sight_modifiers
from pbem.titles.aslsk.fire.table import Cell, FireTable
from pbem.titles.aslsk.ordnance.direct_hits import aim, report_effect
from pbem.titles.aslsk.ordnance.hidden import HIT, reveal
from pbem.titles.aslsk.ordnance.to_hit import (
    SHAPED,
    effect_column,
    firer_hit_modifiers,
    hit_modifiers,
    ordnance_card,
    target_type,
)
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, Vehicle, Weapon, units_at
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.vehicles.crews import Exposed, strike_crews
from pbem.titles.aslsk.vehicles.hitting import leader_modifiers, moving_modifier, vehicle_terrain
from pbem.titles.aslsk.vehicles.kill import location_of
from pbem.titles.aslsk.vehicles.status import destroy, immobilize, shock

THIN, THICK = 4, 8


class Aside(msgspec.Struct, frozen=True):
    """Something in the target hex other than the units fired at, with the To Hit DRM against it."""

    thing: Unit | Weapon | Vehicle
    hits: tuple[Modifier, ...]


def asides(situation: Situation, one: Component, attack: Attack) -> list[Aside]:
    """Everything in a hex that a shot may hit in addition to its targets."""
    kind = ordnance_card(situation, one).kind
    if attack.how == "smoke" or kind in SHAPED:
        return []
    found = [*vehicles_hit(situation, one, attack)]
    if situation.state.phase == "movement" and not situation.is_attacker_seat(one.unit.seat):
        return found
    found += [hidden_one(situation, one, attack, unit) for unit in hidden_ones(situation, one, attack)]
    return [*found, *unmanned_guns(situation, one, attack)]


def hidden_ones(situation: Situation, one: Component, attack: Attack) -> list[Unit]:
    """6.4, 3.2.4/att The hidden units that a shot may hit: enemies, and with area fire also friends."""
    friends = target_type(situation, one, attack) == "area"
    hidden = [unit for unit in units_at(situation.state, attack.at) if unit.hidden]
    return [unit for unit in hidden if friends or unit.seat != one.unit.seat]


def hidden_one(situation: Situation, one: Component, attack: Attack, unit: Unit) -> Aside:
    """6.4 A hidden Gun, with the +2 To Hit DRM against it."""
    extra = Modifier("6.4", "hidden target", situation.data.charts.modifier("hidden target").first)
    return Aside(unit, (*hit_modifiers(situation, one, attack, unit), extra))


def hex_modifiers(situation: Situation, one: Component, attack: Attack) -> Iterator[Modifier]:
    """3.2.4/known-th-drm The modifiers to a shot at anything in a hex: firer, leader, hindrances."""
    yield from leader_modifiers(situation, one, attack)
    yield from sight_modifiers(situation, attack.at, [one.hex])
    yield from firer_hit_modifiers(situation, one, attack)


def unmanned_guns(situation: Situation, one: Component, attack: Attack) -> Iterator[Aside]:
    """6.7 The unmanned Guns in the target hex."""
    area = target_type(situation, one, attack) == "area"
    for weapon in situation.state.weapons.values():
        gun = situation.gun_card(weapon)
        if gun is None or weapon.holder or weapon.at != attack.at:
            continue
        found = [*hex_modifiers(situation, one, attack)]
        tem = max(situation.ground.tem(weapon.at), EMPLACEMENT if weapon.emplaced else 0)
        found += [Modifier("6.7", "TEM of the Gun", tem)] if tem and not area else []
        found += [Modifier("6.7", "size of the Gun", gun.size)] if gun.size else []
        yield Aside(weapon, tuple(found))


def vehicles_hit(situation: Situation, one: Component, attack: Attack) -> Iterator[Aside]:
    """3.2.4/itt, 3.2.4/att The vehicles a shot may hit: those with exposed crews or, by area fire, all vehicles; in
    the MPh it may hit only moving vehicles.
    """
    area = target_type(situation, one, attack) == "area"
    state = situation.state
    for vehicle in situation.vehicles_at(attack.at):
        moves = state.mover is not None and vehicle.id in state.mover.stack
        own = vehicle.seat == one.unit.seat
        if (own and not area) or vehicle.id == one.unit.id or (not area and not vehicle.ce):
            continue
        if state.phase == "movement" and not moves and not situation.is_attacker_seat(one.unit.seat):
            continue
        found = [*hex_modifiers(situation, one, attack)]
        tem = vehicle_terrain(situation, vehicle, one.hex)
        found += [tem] if tem is not None and not area else []
        moving = moving_modifier(situation, one, vehicle)  # 3.3.3 also for an exposed crew
        found += [moving] if moving is not None else []
        if area:
            size = situation.vehicle_card(vehicle).size
            found += [Modifier("7.3", "target size", size)] if size else []
        yield Aside(vehicle, tuple(found))


def exposed_asides(aside: Sequence[Aside]) -> list[Vehicle]:
    """7.7 The asides that are vehicles with exposed crews."""
    return [found.thing for found in aside if isinstance(found.thing, Vehicle) and found.thing.ce]


def spill(
    table: AslskTable,
    one: Component,
    attack: Attack,
    hit: Sequence[Aside],
    dice: Dice,
    aimed_dice: Dice,
    *,
    critical: str = "",
) -> None:
    """3.2.4/effects Apply the same effect DR to everything else that was hit; one vehicle may take the critical
    hit (6.1).
    """
    column = effect_column(table.situation, one, attack)
    for aside in hit:
        if isinstance(aside.thing, Unit):
            strike_hidden(table, one, attack, aside.thing, column, dice)
        elif isinstance(aside.thing, Weapon):
            strike_gun(table, attack, aside.thing, column, dice, one)
        else:
            doubled = aside.thing.id == critical
            used = effect_column(table.situation, one, attack, critical=doubled)
            strike_vehicle(table, one, attack, aside.thing, used, dice, aimed_dice, critical=doubled)


def strike_hidden(table: AslskTable, one: Component, attack: Attack, unit: Unit, column: int, dice: Dice) -> None:
    """6.4 Reveal a hidden Gun and its crew if there is any effect on either; otherwise nothing is reported."""
    if unit.id not in table.state.units:
        return  # 6.1 it took the critical hit
    aimed = aim(table, one, attack, unit, (), column, dice, critical=False)
    if table.situation.data.fire_table.cell(column, dice.total + aimed.drm).kind != "none":
        reveal(table, unit, HIT)
        report_effect(table, [aimed], column, dice, critical=False)


def strike_gun(table: AslskTable, attack: Attack, weapon: Weapon, column: int, dice: Dice, one: Component) -> None:
    """6.7 Apply a hit to an unmanned Gun: KIA destroys it, K makes it malfunction."""
    area = target_type(table.situation, one, attack) == "area"
    tem = max(table.situation.ground.tem(weapon.at), EMPLACEMENT if weapon.emplaced else 0) if area else 0
    cell = table.situation.data.fire_table.cell(column, dice.total + tem)
    result = {"kia": "removed", "k": "malfunctions"}.get(cell.kind, "unharmed")
    modifiers = rows([Modifier("6.7", "TEM of the Gun", tem)] if tem else [])
    used = {"column": column, "used": column}
    table.find("6.7", inputs={"weapon": weapon.id}, modifiers=modifiers, cell=used, dice=dice.pair, result=result)
    if cell.kind == "kia":
        del table.state.weapons[weapon.id]
    elif cell.kind == "k":
        weapon.malfunctioned = True


def strike_vehicle(
    table: AslskTable,
    one: Component,
    attack: Attack,
    vehicle: Vehicle,
    column: int,
    dice: Dice,
    aimed_dice: Dice,
    *,
    critical: bool = False,
) -> None:
    """7.11, 7.7 Apply a hit to a vehicle: area fire can destroy, Shock or immobilize an AFV, and its exposed crew
    is attacked too.
    """
    if vehicle.id not in table.state.vehicles:
        return
    if target_type(table.situation, one, attack) == "area":
        mortar = ordnance_card(table.situation, one).kind == "mortar"
        tem = None if critical else vehicle_terrain(table.situation, vehicle, one.hex, high=not mortar)  # 1.1.1.10
        if mortar and vehicle.ce and tem is not None and tem.rule == "1.1.1.4":
            tem = Modifier("1.1.1.4", "air burst", -1)
        area_result(table, vehicle, column, dice, aimed_dice, tem)
    if vehicle.id in table.state.vehicles and vehicle.ce and not vehicle.shock:
        found = tuple(crew_effect(table.situation, one, attack, vehicle, critical=critical))
        if critical:
            told = {"weapon": one.id, "vehicle": vehicle.id}
            table.find("6.1", inputs=told, modifiers=rows(found), result="critical hit on the crew")
        strike_crews(table, column, dice.total, [Exposed(vehicle, found)])


def crew_effect(
    situation: Situation, one: Component, attack: Attack, vehicle: Vehicle, *, critical: bool = False
) -> Iterator[Modifier]:
    """3.2.4/effects The DRM that protects a crew: CE less the TEM used To Hit or, for area fire, the higher of the
    two.

    A critical hit reverses the cover of the crew (6.1).
    """
    if critical:
        cover = crew_cover(situation, vehicle)
        yield Modifier("6.1", f"{cover.text}, reversed", -cover.value)
        return
    if target_type(situation, one, attack) == "area":
        yield crew_cover(situation, vehicle)
        if ordnance_card(situation, one).kind == "mortar" and situation.ground[vehicle.at].terrain == "woods":
            yield Modifier("1.1.1.4", "air burst", -1)
        return
    tem = vehicle_terrain(situation, vehicle, one.hex)
    rest = situation.vehicle_card(vehicle).crew_exposed - (tem.value if tem is not None else 0)
    if rest > 0:
        yield Modifier("7.7", "CE crew", rest)


def armour_modifiers(situation: Situation, vehicle: Vehicle, tem: Modifier | None) -> Iterator[Modifier]:
    """7.11 The DRM to an attack on an AFV: the TEM (none for a CH), and -1 if all armour factors are 4 or less or
    +1 if all are 8 or more.
    """
    if tem is not None:
        yield Modifier("7.11", "TEM" if tem.value > 0 else tem.text, tem.value)
    card = situation.vehicle_card(vehicle)
    factors = (card.front, card.side, card.turret_front, card.turret_side)
    if max(factors) <= THIN:
        yield Modifier("7.11", "thin armour", -1)
    elif min(factors) >= THICK:
        yield Modifier("7.11", "thick armour", 1)


def last_casualty_row(fire_table: FireTable, column: int) -> int:
    """7.11 The highest Final DR in a column that gives K or KIA."""
    return max((final for final in range(16) if fire_table.cell(column, final).kind in ("k", "kia")), default=-1)


def area_result(
    table: AslskTable, vehicle: Vehicle, column: int, dice: Dice, aimed_dice: Dice, tem: Modifier | None
) -> None:
    """7.11 The result on an AFV: KIA destroys it; K, or a DR one higher, is Shock for a turret hit and
    immobilization for a hull hit.
    """
    fire_table = table.situation.data.fire_table
    modifiers = [*armour_modifiers(table.situation, vehicle, tem)]
    final = dice.total + total(modifiers)
    cell: Cell = fire_table.cell(column, final)
    location = location_of(aimed_dice)
    near = cell.kind == "k" or final == last_casualty_row(fire_table, column) + 1
    result = "destroyed" if cell.kind == "kia" else "no effect"
    if near and cell.kind != "kia":
        result = "shock" if location == "turret" else "immobilized"
    table.find(
        "7.11",
        inputs={"vehicle": vehicle.id, "location": location},
        modifiers=rows(modifiers),
        cell={"column": column, "used": column},
        dice=dice.pair,
        result=result,
    )
    if result == "destroyed":
        destroy(table, vehicle, "7.11")
    elif result == "shock":
        shock(table, vehicle)
    elif result == "immobilized":
        immobilize(table, vehicle)
