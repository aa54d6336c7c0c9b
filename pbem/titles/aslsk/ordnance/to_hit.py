"""3.2.4 The To Hit process against Infantry: Guns, light mortars and light anti-tank weapons.

3.2.4           target_type, hit_number, hit_modifiers, effect_column, effect_modifiers
4.4             shaped charges: only against Infantry in buildings and Guns
4.5, 6.9        mortars: area target type, minimum range, not from buildings
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from pbem.titles.aslsk.cards.weapons import WeaponCard
from pbem.titles.aslsk.fire.components import Attack, Component
from pbem.titles.aslsk.fire.modifiers import (
    Modifier,
    bearer_modifiers,
    fire_modifiers,
    gunshield,
    terrain_modifier,
)
from pbem.titles.aslsk.ordnance.acquisition import level_of
from pbem.titles.aslsk.ordnance.arcs import is_qualified, turn_modifier
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, Vehicle
from pbem.titles.aslsk.vehicles.hitting import firing_vehicle_modifiers, leader_modifiers, point_blank

SHAPED: Final = ("baz", "psk", "piat")
ORDNANCE: Final = (*SHAPED, "mortar", "gun", "ma")
SMALL: Final = ("lmg", "mmg", "hmg", "atr", "cmg", "bmg", "aamg")
"""4.1/mg-vs-afv, 4.4.4 Weapons that count as ordnance only against vehicles."""
SMOKE: Final = ("smoke", "WP")
SHELLS: Final = ("AP", "HE", "H", "A", "D")
"""6.2 The kinds of shell that an order can name."""
MORTAR_LACKS: Final = ("AP", "H", "A", "D", "area")
"""6.9 The ammunition and targets that a mortar cannot be given: it always fires at an Area Target."""
TERRAIN: Final = ("1.1.1.2", "1.1.1.4", "1.1.1.10/height-advantage", "6.3", "7.4")
SMALL_SHELL = 37


def is_ordnance(situation: Situation, one: Component, target: str = "") -> bool:
    """3.2.4 Whether a component must roll To Hit; MG and ATR do so only when firing at a vehicle."""
    if one.weapon is None or one.ife:
        return False
    kind = situation.weapon_card(one.weapon).kind
    return kind in ORDNANCE or (bool(target) and kind in SMALL)  # def/ordnance


def ordnance_card(situation: Situation, one: Component) -> WeaponCard:
    assert one.weapon is not None
    return situation.weapon_card(one.weapon)


def target_type(
    situation: Situation, one: Component, attack: Attack
) -> Literal["own", "area", "infantry", "vehicle"]:
    """3.2.4 The target type of a shot: a LATW's own table, area for mortars and smoke, vehicle, or Infantry."""
    kind = ordnance_card(situation, one).kind
    if kind in SHAPED:
        return "own"
    if attack.target and kind != "mortar" and attack.how != "area":
        return "vehicle"
    return "area" if kind == "mortar" or attack.how in ("area", *SMOKE) else "infantry"  # def/mortars


def is_gun(situation: Situation, one: Component) -> bool:
    return one.weapon is not None and situation.gun_card(one.weapon) is not None  # def/gun


def uses_red(situation: Situation, one: Component) -> bool:
    """3.2.4/red-black Whether red numbers apply: by nation and date, or because the weapon is captured or its user
    untrained or inexperienced.
    """
    card, scenario = ordnance_card(situation, one), situation.data.scenario
    assert one.weapon is not None
    untrained = is_gun(situation, one) and not is_qualified(situation, one.unit)
    national = situation.data.deck.nations[card.nation].uses_red_numbers(scenario.date)
    return national or untrained or situation.is_captured(one.weapon) or situation.is_inexperienced(one.unit)


def hit_number(situation: Situation, one: Component, attack: Attack, crew: Vehicle | None = None) -> int:
    """3.2.4/th-numbers The Modified To Hit number; `crew` is the vehicle whose exposed crew is the target."""
    card, distance = ordnance_card(situation, one), situation.ground.distance(one.hex, attack.at)
    kind = target_type(situation, one, attack)
    if kind == "own":
        return card.to_hit[distance] if distance < len(card.to_hit) else 0
    charts = situation.data.charts
    shell = {"smoke": "s", "WP": "WP", "A": "A", "D": "D"}.get(attack.how, "HE")
    near = point_blank(situation, one, situation.state.vehicles.get(attack.target) or crew)
    if card.kind in SMALL:
        return charts.to_hit("vehicle", False, distance, point_blank=near)
    basic = charts.to_hit(kind, uses_red(situation, one), distance, point_blank=near)
    return basic + charts.gun_change(card.calibre, card.length, shell, distance)


def hit_modifiers(situation: Situation, one: Component, attack: Attack, target: Unit | None) -> list[Modifier]:
    """3.2.4/known-th-drm The firer and target DRM against one unit (or an empty hex); area fire uses no TEM here."""
    area = target_type(situation, one, attack) == "area"
    found: list[Modifier] = []
    if target is not None:
        found = [
            modifier
            for modifier in fire_modifiers(situation, attack, [one], target)
            if not (area and modifier.rule in TERRAIN) and modifier.rule not in ("4.2", "6.6", "7.10/stun")
        ]
        found += missing_terrain(situation, one, attack, target, found) if not area else []
        found += size_modifier(situation, target)
    else:
        hindrance = situation.sight(one.hex, attack.at).hindrance
        found += leader_modifiers(situation, one, attack)
        found += [Modifier("3.2.1", "hindrance", hindrance, True)] if hindrance else []
    return [*found, *firer_hit_modifiers(situation, one, attack)]


def missing_terrain(
    situation: Situation, one: Component, attack: Attack, target: Unit, found: Sequence[Modifier]
) -> list[Modifier]:
    """6.6 The TEM for the To Hit roll, if it is not among the modifiers found: a gunshield replaces it only on the
    IFT DR.
    """
    if any(modifier.rule in TERRAIN for modifier in found):
        return []
    tem = terrain_modifier(situation, target, [one.hex])
    return [tem] if tem is not None else []


def size_modifier(situation: Situation, target: Unit) -> list[Modifier]:
    """6.7 The DRM for the size of the Gun that the target mans."""
    gun = situation.gun_of(target)
    card = situation.gun_card(gun) if gun is not None else None
    return [Modifier("6.7", "size of the Gun", card.size)] if card is not None and card.size else []


def firer_hit_modifiers(situation: Situation, one: Component, attack: Attack) -> Iterator[Modifier]:
    """3.2.4/known-th-drm The firer's DRM: turning, Intensive Fire, AFPh, Pin, captured or untrained use, buildings
    and acquisition.
    """
    weapon, kind = one.weapon, ordnance_card(situation, one).kind
    assert weapon is not None
    bounding = (
        isinstance(one.unit, Vehicle) and situation.is_attacker(one.unit) and situation.state.phase == "movement"
    )
    turn = turn_modifier(situation, weapon, one.hex, attack.at) if not bounding else None
    if turn is not None:
        yield turn
    if isinstance(one.unit, Vehicle):
        yield from firing_vehicle_modifiers(situation, one, one.unit, attack.at)
    if one.hex == attack.at:
        yield Modifier("3.2.4/own-hex", "own hex", situation.data.charts.modifier("own hex").first, True)
    if attack.intensive:
        yield Modifier("3.2.4/intensive-fire", "Intensive Fire", 2, True)  # def/intensive-fire
    if situation.state.phase == "advancing" and not isinstance(one.unit, Vehicle):
        yield Modifier("3.5", "Advancing Fire", 2, True)
    if one.unit.pinned:
        yield Modifier("3.2.3/pin", "pinned firer", 2, True)
    if situation.is_captured(weapon):
        yield Modifier("5.5", "captured weapon", 2, True)
    if is_gun(situation, one) and not is_qualified(situation, one.unit):
        yield Modifier("3.2.4/non-qualified", "no crew", 2, True)  # def/non-qualified-use
    if kind in ("baz", "psk") and situation.ground[one.hex].terrain == "building" and not attack.blast:
        yield Modifier("4.4.3", "no backblast", 2, True)
    level = 0 if bounding else level_of(situation, weapon, attack)
    if level:
        yield Modifier("6.10", "acquired target", -level)


def effect_column(situation: Situation, one: Component, attack: Attack, *, critical: bool = False) -> int:
    """3.2.4/effects, 6.1, 6.2 The fire table column of a hit, which area fire halves or a CH doubles instead."""
    card, table = ordnance_card(situation, one), situation.data.fire_table
    if card.kind in SHAPED or card.kind in SMALL:
        fp = card.fp
    elif attack.how in ("A", "D"):
        fp = 1  # 6.2/apcr-apds
    elif attack.how == "AP":
        fp = 1 if card.calibre < SMALL_SHELL else 2  # def/ap
    else:
        fp = table.calibre_column(card.calibre)  # def/he
        fp = table.shift_left(fp, 1) if attack.how == "H" else fp  # def/heat
    if critical:
        return table.column_of(2 * fp)
    return table.column_of(fp // 2 if target_type(situation, one, attack) == "area" else fp)


def effect_modifiers(
    situation: Situation,
    one: Component,
    attack: Attack,
    target: Unit,
    hit: Sequence[Modifier],
    *,
    critical: bool = False,
) -> list[Modifier]:
    """3.2.4/effects The DRM on the IFT: area fire uses the TEM, or -1 for an air burst in woods; a CH reverses the
    TEM (6.1).
    """
    area = target_type(situation, one, attack) == "area"
    mortar = ordnance_card(situation, one).kind == "mortar"
    found = [*bearer_modifiers(situation, target)]
    tem = target_tem(situation, one, target)
    burst = mortar and situation.ground[target.at].terrain == "woods"
    if burst:
        found.append(Modifier("1.1.1.4", "air burst", -1))
        tem = tem if tem is not None and tem.rule == "6.3" else None
    if tem is not None and critical:
        found.append(Modifier("6.1", f"{tem.text}, reversed", -tem.value))
    elif tem is not None and area:
        found.append(tem)
    if critical:
        found += [modifier for modifier in hit if modifier.text in ("FFMO", "FFNAM")]
    return found


def target_tem(situation: Situation, one: Component, target: Unit) -> Modifier | None:
    """11/one-tem The TEM of a target against a shot; height advantage does not count against mortars (1.1.1.10)."""
    mortar = ordnance_card(situation, one).kind == "mortar"
    return terrain_modifier(situation, target, [one.hex], high=not mortar)


def shield_of(situation: Situation, one: Component, target: Unit, found: Sequence[Modifier]) -> list[Modifier]:
    """6.7 The gunshield DRM against a near miss, unless emplacement or terrain already counts on this roll."""
    mortar = ordnance_card(situation, one).kind == "mortar"
    shield = gunshield(situation, target, [one.hex], mortar=mortar)
    covered = any(modifier.value > 0 for modifier in found)
    return [shield] if shield is not None and not covered else []
