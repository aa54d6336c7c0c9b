"""11 E The DRM of a fire attack against one target.

11 E          fire_modifiers: the list of all that apply
11/one-tem    terrain_modifier: one TEM, the best that the target can claim
3.3.3         FFMO and FFNAM against moving Infantry
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.titles.aslsk.fire.components import Attack, Component
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.ordnance.arcs import turn_modifier
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Going, Unit, Vehicle

__all__ = ["Modifier", "fire_modifiers", "rows", "total"]

EMPLACEMENT = 2
SHIELD = 2


def moves_now(situation: Situation, unit: Unit) -> Going | None:
    """3.3.3 Return the movement of a unit in the moving stack, or None for any other unit."""
    mover = situation.state.mover
    if situation.state.phase != "movement" or mover is None or unit.id not in mover.stack:
        return None
    return unit.going


def fire_modifiers(
    situation: Situation, attack: Attack, firers: Sequence[Component], target: Unit, *, blind: bool = False
) -> list[Modifier]:
    """11 E All modifiers to the DR of small-arms and MG fire against one target.

    `blind` leaves out the hindrances of the line of sight, unknown before the shot under `los = printed`.
    """
    hexes = list(dict.fromkeys(one.hex for one in firers))
    found = [*firer_modifiers(situation, attack, firers)]
    hindered = [] if blind else [*sight_modifiers(situation, attack.at, hexes)]
    found += hindered
    kinds = {situation.weapon_card(one.weapon).kind for one in firers if one.weapon is not None}
    flame, high = "ft" in kinds, "mortar" not in kinds  # 1.1.1.10 height gives no cover from mortars
    tem = None if flame else terrain_modifier(situation, target, hexes, high=high)  # 4.2
    shield = None if flame else gunshield(situation, target, hexes)
    if shield is not None and (tem is None or tem.value < shield.value):
        tem = shield  # 6.6: not together with TEM
    found += [tem] if tem else []
    found += movement_modifiers(situation, target, hexes, hindered=bool(hindered), covered=bool(tem) or flame)
    found += bearer_modifiers(situation, target)
    found += fixed_bow_modifiers(situation, firers, moving=moves_now(situation, target) is not None)
    return found


def sight_modifiers(situation: Situation, at: str, hexes: Sequence[str]) -> Iterator[Modifier]:
    """3.2.1 The worst hindrance between any firer and the target, and Smoke in the target hex."""
    hindrance = max((situation.sight(hex, at).hindrance for hex in hexes), default=0)
    in_target = min(situation.smoke_in(at), hindrance)
    if hindrance - in_target:
        yield Modifier("3.2.1", "hindrance", hindrance - in_target, True)
    if in_target:
        yield Modifier("1.2.5", "Smoke in the target hex", in_target)


def crew_modifiers(
    situation: Situation, attack: Attack, firers: Sequence[Component], vehicle: Vehicle, *, blind: bool = False
) -> list[Modifier]:
    """7.7 The DRM of direct fire at an exposed crew: the firer's, hindrances, and CE or TEM, whichever is higher.

    `blind` leaves out hindrances, as in `fire_modifiers`.
    """
    hexes = list(dict.fromkeys(one.hex for one in firers))
    found = [*firer_modifiers(situation, attack, firers)]
    found += [] if blind else sight_modifiers(situation, attack.at, hexes)
    flame = any(one.weapon is not None and situation.weapon_card(one.weapon).kind == "ft" for one in firers)
    found += fixed_bow_modifiers(situation, firers, moving=situation.is_moving(vehicle))
    return [*found, crew_cover(situation, vehicle, terrain=not flame)]


def fixed_bow_modifiers(situation: Situation, firers: Sequence[Component], *, moving: bool) -> Iterator[Modifier]:
    """7.8 The +1 DRM of a bow MG in a fixed mount that fires at a moving target."""
    bows = [one.unit for one in firers if one.weapon is not None and one.weapon.card.endswith(":bmg")]
    if moving and any(isinstance(unit, Vehicle) and situation.vehicle_card(unit).fixed_bow for unit in bows):
        yield Modifier("7.8", "fixed bow MG", 1, True)


def crew_cover(situation: Situation, vehicle: Vehicle, *, terrain: bool = True) -> Modifier:
    """7.7 The CE DRM of a crew, or the TEM of the hex if that is higher; flame ignores terrain (4.2)."""
    exposed, tem = situation.vehicle_card(vehicle).crew_exposed, situation.ground.tem(vehicle.at)
    if terrain and tem > exposed:
        return Modifier("7.7", f"{situation.ground[vehicle.at].terrain}", tem)
    return Modifier("7.7", "CE crew", exposed)


def arc_modifiers(situation: Situation, attack: Attack, firers: Sequence[Component]) -> Iterator[Modifier]:
    """6.8, 7.8 Yield the DRM for turning IFE weapons or vehicle MGs (only the worst counts) and for a shaken crew."""
    turns = [
        found
        for one in firers
        if one.weapon is not None
        and (one.ife or (one.weapon.card.endswith("mg") and isinstance(one.unit, Vehicle) and not attack.target))
        and (found := turn_modifier(situation, one.weapon, one.hex, attack.at)) is not None
    ]
    if turns:
        yield max(turns, key=lambda modifier: modifier.value)
    if any(isinstance(one.unit, Vehicle) and one.unit.shaken for one in firers):
        yield Modifier("7.10/stun", "shaken crew", 1, True)


def firer_modifiers(situation: Situation, attack: Attack, firers: Sequence[Component]) -> Iterator[Modifier]:
    """3.2.2/leader-direction, 3.3.1/cx The DRM of the firers: leadership, and CX once."""
    hexes = {one.hex for one in firers}
    named = [situation.state.units[id] for id in attack.leaders if id in situation.state.units]
    leaders = [leader for leader in named if leader.at in hexes]  # 3.2.2 a leader stays with the part in the same hex
    if is_directed(situation, attack, firers):
        drm = max(situation.leadership(leader) for leader in leaders)
        yield Modifier("3.2.2/leader-direction", "leadership", drm, drm > 0)
    if any(unit.cx for unit in [*(one.unit for one in firers), *leaders]):
        yield Modifier("3.3.1/cx", "CX firer", 1, True)
    yield from arc_modifiers(situation, attack, firers)


def is_directed(situation: Situation, attack: Attack, firers: Sequence[Component]) -> bool:
    """3.2.2/leader-direction Whether an attack is directed: every firing hex must have a directing leader."""
    directed = {situation.state.units[id].at for id in attack.leaders if id in situation.state.units}
    return bool(firers) and {one.hex for one in firers} <= directed


def terrain_modifier(
    situation: Situation, target: Unit, hexes: Sequence[str], *, residual: bool = False, high: bool = True
) -> Modifier | None:
    """11/one-tem The one TEM of a target: building or woods, or otherwise height advantage (if `high`)."""
    ground, place = situation.ground, situation.ground[target.at]
    tem = ground.tem(target.at)
    if tem and place.terrain == "woods" and on_the_road(situation, target, hexes, residual=residual):
        tem = 0  # 1.1.1.5
    dug_in = emplacement(situation, target)
    if dug_in > tem:
        return Modifier("6.3", "emplaced Gun", dug_in)
    if tem:
        rule = "1.1.1.2" if place.terrain == "building" else "1.1.1.4"
        return Modifier(rule, f"{'stone ' if place.stone else ''}{place.terrain}", tem)
    if high and not residual and any(has_height_advantage(situation, target, hex) for hex in hexes):
        return Modifier("1.1.1.10/height-advantage", "height advantage", 1)
    if target.at in situation.standing():
        return Modifier("7.4", "AFV or wreck", 1)
    return None


def emplacement(situation: Situation, unit: Unit) -> int:
    """6.3 The TEM of an emplaced Gun for the crew that mans it."""
    gun = situation.gun_of(unit)
    crewed = gun is not None and gun.emplaced and situation.card(unit).kind == "crew"
    return EMPLACEMENT if crewed else 0


def gunshield(situation: Situation, unit: Unit, hexes: Sequence[str], *, mortar: bool = False) -> Modifier | None:
    """6.6 The DRM of a gunshield: +2 (mortars +1) for a Good Order crew against attacks that all come through the
    Gun's CA.
    """
    gun = situation.gun_of(unit)
    card = situation.gun_card(gun) if gun is not None else None
    if gun is None or card is None or not card.gunshield or situation.card(unit).kind != "crew":
        return None
    if not situation.good_order(unit) or in_hazard(unit) or not hexes:
        return None
    if not all(hex != unit.at and situation.ground.in_arc(unit.at, gun.facing, hex) for hex in hexes):
        return None
    return Modifier("6.6", "gunshield", 1 if mortar else SHIELD)


def on_the_road(situation: Situation, target: Unit, hexes: Sequence[str], *, residual: bool = False) -> bool:
    """1.1.1.5, 1.1.1.7 Whether a unit that entered at the road rate is exposed to fire along the road or to
    Residual FP.
    """
    going = moves_now(situation, target) if situation.state.phase == "movement" else None
    if going is None or not going.road_rate:
        return False
    return residual or all(situation.ground.road_cover(hex, target.at) for hex in hexes)


def has_height_advantage(situation: Situation, target: Unit, hex: str) -> bool:
    """1.1.1.10/height-advantage Whether the fire comes from a lower level and not through the hexside just
    climbed.
    """
    ground = situation.ground
    if ground[hex].level >= ground[target.at].level:
        return False
    going = target.going
    if going is not None and going.climbed and going.came_from:
        side = ground.side(target.at, going.came_from)
        return side not in ground.entry_sides(hex, target.at)
    return True


def is_in_the_open(situation: Situation, target: Unit, hexes: Sequence[str], *, residual: bool = False) -> bool:
    """3.3.3 Whether the target's hex counts as Open Ground along these lines of sight."""
    if situation.ground.is_open(target.at):
        return True
    place = situation.ground[target.at]
    road = place.road and place.terrain in ("woods", "orchard")
    return road and on_the_road(situation, target, hexes, residual=residual)


def in_hazard(unit: Unit) -> bool:
    """6.5 Whether a unit that has pushed a Gun in this player turn still takes -2; a Pin ends the penalty, even if
    the unit then breaks.
    """
    return unit.hazard and not (unit.pinned or unit.was_pinned)


def hazard_modifiers(target: Unit) -> Iterator[Modifier]:
    """6.5 The DRM of Hazardous Movement."""
    if in_hazard(target):
        yield Modifier("6.5", "Hazardous Movement", -2)


def movement_modifiers(
    situation: Situation, target: Unit, hexes: Sequence[str], *, hindered: bool, covered: bool, residual: bool = False
) -> Iterator[Modifier]:
    """3.3.3 The FFMO and FFNAM modifiers against a moving unit that is not pinned."""
    yield from hazard_modifiers(target)
    if target.hazard:  # 6.5 neither FFMO nor FFNAM, even after a Pin
        return
    going = moves_now(situation, target)
    if going is None or target.pinned:
        return
    if not hindered and not covered and is_in_the_open(situation, target, hexes, residual=residual):
        yield Modifier("3.3.3", "FFMO", -1)
    if not going.assault or target.broken:  # 3.3.3/status-during-dff
        yield Modifier("3.3.3", "FFNAM", -1)


def bearer_modifiers(situation: Situation, target: Unit) -> Iterator[Modifier]:
    """4.2 The DRM for each flamethrower that the target possesses."""
    carried = sum(situation.weapon_card(weapon).kind == "ft" for weapon in situation.weapons(target))
    if carried:
        yield Modifier("4.2", "target carries a flamethrower", -carried)


def residual_modifiers(situation: Situation, target: Unit) -> list[Modifier]:
    """3.3.5 The DRM to an attack by Residual FP: TEM without height advantage, Smoke in the hex, FFMO and FFNAM."""
    found: list[Modifier] = []
    smoke = situation.smoke_in(target.at)
    if smoke:
        found.append(Modifier("1.2.5", "Smoke in the hex", smoke))
    tem = terrain_modifier(situation, target, (), residual=True)
    found += [tem] if tem else []
    found += movement_modifiers(situation, target, (), hindered=bool(smoke), covered=bool(tem), residual=True)
    return [*found, *bearer_modifiers(situation, target)]
