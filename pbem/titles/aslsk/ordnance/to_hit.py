"""3.2.4 The To Hit process of light mortars and light anti-tank weapons against Infantry.

3.2.4           hit_number, hit_modifiers
4.4             shaped charges only against Infantry in buildings
4.5, 6.9        mortars: area target type, minimum range, not from buildings
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.engine.rules.refusals import Objection
from pbem.titles.aslsk.cards.weapons import WeaponCard
from pbem.titles.aslsk.fire.components import Attack, Component
from pbem.titles.aslsk.fire.modifiers import Modifier, fire_modifiers
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit

SHAPED: Final = ("baz", "psk", "piat")
ORDNANCE: Final = (*SHAPED, "mortar")
LOW_MF = 2


def is_ordnance(situation: Situation, one: Component) -> bool:
    """3.2.4 Whether a component must roll To Hit."""
    return one.weapon is not None and situation.weapon_card(one.weapon).kind in ORDNANCE


def ordnance_card(situation: Situation, one: Component) -> WeaponCard:
    assert one.weapon is not None
    return situation.weapon_card(one.weapon)


def ordnance_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """4.4, 4.5 Range, terrain and crew of one ordnance shot."""
    card, ground = ordnance_card(situation, one), situation.ground
    distance = ground.distance(one.hex, attack.at)
    if card.kind == "mortar":
        if ground[one.hex].terrain == "building":
            yield Objection("6.9", f"{one.id} cannot fire from a building")
        if not max(1, card.min_range) <= distance <= card.range:
            yield Objection(
                "6.9", f"{one.id} fires {card.min_range} to {card.range} hexes; {attack.at} is {distance} away"
            )
        return
    if distance >= len(card.to_hit):
        yield Objection("4.4", f"{one.id} fires up to {len(card.to_hit) - 1} hexes; {attack.at} is {distance} away")
    if ground[attack.at].terrain != "building":
        yield Objection("4.4", f"{one.id} can hurt Infantry only in a building")
    if card.kind in ("baz", "psk") and situation.is_leader(one.unit) and not has_second_man(situation, one, attack):
        yield Objection("4.4.1", f"a lone leader cannot fire {one.id}")
    if card.kind == "piat" and distance == 1 and ground[attack.at].level < ground[one.hex].level:
        yield Objection("4.4.5", f"{one.id} cannot fire downhill into an adjacent hex")


def has_second_man(situation: Situation, one: Component, attack: Attack) -> bool:
    units = situation.state.units
    return any(id in units and id != one.unit.id and units[id].at == one.hex for id in attack.components)


def hit_number(situation: Situation, one: Component, at: str) -> int:
    """3.2.4/th-numbers The Modified To Hit number: area for mortars, the own table for light anti-tank weapons."""
    card, distance = ordnance_card(situation, one), situation.ground.distance(one.hex, at)
    if card.kind != "mortar":
        return card.to_hit[distance] if distance < len(card.to_hit) else 0
    charts = situation.data.charts
    return charts.to_hit("area", True, distance) + charts.gun_change(card.calibre, card.length, "HE", distance)


def hit_modifiers(situation: Situation, one: Component, attack: Attack, target: Unit) -> list[Modifier]:
    """3.2.4/known-th-drm Firer and target DRM against one unit; mortars take no TEM here."""
    mortar = ordnance_card(situation, one).kind == "mortar"
    found = [
        modifier
        for modifier in fire_modifiers(situation, attack, [one], target)
        if not (mortar and is_terrain(modifier)) and modifier.rule != "4.2"
    ]
    return [*found, *firer_hit_modifiers(situation, one, attack)]


def is_terrain(modifier: Modifier) -> bool:
    return modifier.rule in ("1.1.1.2", "1.1.1.4", "1.1.1.10/height-advantage")


def firer_hit_modifiers(situation: Situation, one: Component, attack: Attack) -> Iterator[Modifier]:
    """3.2.4/known-th-drm AFPh, Pin, captured use, firing from a building without backblast, acquisition."""
    assert one.weapon is not None
    if situation.state.phase == "advancing":
        yield Modifier("3.5", "Advancing Fire", 2, True)
    if one.unit.pinned:
        yield Modifier("3.2.3/pin", "pinned firer", 2, True)
    if situation.captured(one.weapon):
        yield Modifier("5.5", "captured weapon", 2, True)
    kind = ordnance_card(situation, one).kind
    if kind in ("baz", "psk") and situation.ground[one.hex].terrain == "building":
        yield Modifier("4.4.3", "no backblast", 2, True)
    if one.weapon.acquired == attack.at and one.weapon.acquisition:
        yield Modifier("6.10", "acquired target", -one.weapon.acquisition)


def effect_column(situation: Situation, one: Component, *, critical: bool = False) -> int:
    """3.2.4/effects, 6.1 The column of a hit: half the calibre's FP for a mortar; doubled and not halved for a CH."""
    card, table = ordnance_card(situation, one), situation.data.fire_table
    fp = table.calibre_column(card.calibre) if card.kind == "mortar" else card.fp
    if critical:
        return table.column_of(2 * fp)
    return table.column_of(fp // 2 if card.kind == "mortar" else fp)


def effect_modifiers(
    situation: Situation,
    one: Component,
    attack: Attack,
    target: Unit,
    hit: Sequence[Modifier],
    *,
    critical: bool = False,
) -> list[Modifier]:
    """3.2.4/effects Mortars take TEM (woods: air burst -1) on the IFT DR; a CH reverses positive TEM (6.1)."""
    full = fire_modifiers(situation, attack, [one], target)
    mortar = ordnance_card(situation, one).kind == "mortar"
    found = [modifier for modifier in full if modifier.rule == "4.2"]
    tem = next((modifier for modifier in full if modifier.rule in ("1.1.1.2", "1.1.1.4")), None)
    if mortar and tem is not None and tem.rule == "1.1.1.4":
        found.append(Modifier("1.1.1.4", "air burst", -1))
    elif tem is not None and critical:
        found.append(Modifier("6.1", f"{tem.text}, reversed", -tem.value))
    elif tem is not None and mortar:
        found.append(tem)
    if critical:
        found += [modifier for modifier in hit if modifier.text in ("FFMO", "FFNAM")]
    return found
