"""3.2.4, 4.4, 4.5, 6 Which ordnance shots may be declared.

3.2.4/procedure         ordnance_objections
3.2.4/intensive-fire    intensive_objections
6.2/smoke               smoke_objections
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.refusals import Objection
from pbem.titles.aslsk.fire.components import Attack, Component
from pbem.titles.aslsk.ordnance.to_hit import SHAPED, SMALL, SMOKE, is_gun, ordnance_card
from pbem.titles.aslsk.situation import Situation


def ordnance_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """3.2.4 Range, terrain, crew, ammunition and second shots of ordnance."""
    card, ground = ordnance_card(situation, one), situation.ground
    distance = ground.distance(one.hex, attack.at)
    if is_gun(situation, one) and situation.is_leader(one.unit):
        yield Objection("1.2.6", f"{one.id} needs a crew or squad")
    if card.kind in SHAPED:
        yield from shaped_objections(situation, one, attack)
    elif card.kind == "mortar":
        if ground[one.hex].terrain == "building":
            yield Objection("6.9", f"{one.id} cannot fire from a building")
        if not max(1, card.min_range) <= distance <= card.range:
            told = f"{one.id} fires {card.min_range} to {card.range} hexes"
            yield Objection("6.9", f"{told}; {attack.at} is {distance} away")
        if attack.how in ("AP", "H", "area"):
            yield Objection("6.9", f"{one.id} always fires HE or smoke at an area")
    elif card.kind not in SMALL:
        yield from gun_objections(situation, one, attack, distance)
    if card.kind in SMALL:
        return
    if attack.how in SMOKE:
        yield from smoke_objections(situation, one, attack)
    if attack.intensive:
        yield from intensive_objections(situation, one, distance)


def shaped_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """4.4 Light anti-tank weapons: their table ends, and Infantry must be in a building or man a Gun."""
    card, ground = ordnance_card(situation, one), situation.ground
    distance = ground.distance(one.hex, attack.at)
    if distance >= len(card.to_hit):
        yield Objection("4.4", f"{one.id} fires up to {len(card.to_hit) - 1} hexes; {attack.at} is {distance} away")
    gun = mans_a_gun(situation, attack.at, one.unit.seat)
    if not attack.target and ground[attack.at].terrain != "building" and not gun:
        yield Objection("4.4", f"{one.id} can hurt Infantry only in a building")
    if card.kind in ("baz", "psk") and situation.is_leader(one.unit) and not has_second_man(situation, one, attack):
        yield Objection("4.4.1", f"a lone leader cannot fire {one.id}")
    if card.kind == "piat" and distance == 1 and ground[attack.at].level < ground[one.hex].level:
        yield Objection("4.4.5", f"{one.id} cannot fire downhill into an adjacent hex")
    if attack.how:
        yield Objection("4.4", f"{one.id} has no other ammunition")


def gun_objections(situation: Situation, one: Component, attack: Attack, distance: int) -> Iterator[Objection]:
    """1.2.6, 6.2 A Gun needs an MMC and the ammunition; area fire needs the whole rate of fire and some distance."""
    assert one.weapon is not None
    gun, vehicle = situation.gun_card(one.weapon), situation.vehicle_of(one.weapon)
    if gun is not None and gun.range and not gun.min_range <= distance <= gun.range:
        yield Objection("3.2.4/procedure", f"{attack.at} is out of the range of {one.id}")
    if attack.how == "area" and (distance == 0 or one.weapon.area or (vehicle is not None and not vehicle.stopped)):
        yield Objection("3.2.4/att", f"{one.id} cannot fire at an area now")
    yield from shell_objections(situation, one, attack)


def shell_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """6.2 The ammunition of a shot: unlimited, or listed on the counter and not depleted."""
    assert one.weapon is not None
    gun, vehicle = situation.gun_card(one.weapon), situation.vehicle_of(one.weapon)
    card = gun if gun is not None else situation.vehicle_card(vehicle) if vehicle is not None else None
    assert card is not None
    plain = attack.how in ("", "area")
    explosive = (attack.how == "HE" or (plain and not attack.target)) and not card.he
    if explosive and any(supply_objections(situation, one, "HE")):
        yield Objection("6.2/he", f"{one.id} has no HE: name AP or another ammunition")
    if attack.how == "AP" and not card.ap and any(supply_objections(situation, one, "AP")):
        yield Objection("6.2/ap", f"{one.id} has no AP")
    if attack.how in ("H", "A", "D"):
        yield from supply_objections(situation, one, attack.how)
    if attack.how == "H" and not attack.target:
        at = attack.at
        if situation.ground[at].terrain != "building" and not mans_a_gun(situation, at, one.unit.seat):
            yield Objection("6.2/heat", "HEAT hurts Infantry only in a building")


def mans_a_gun(situation: Situation, hex: str, seat: str) -> bool:
    return any(situation.gun_of(unit) is not None for unit in situation.enemies_at(hex, seat))


def supply_objections(situation: Situation, one: Component, kind: str) -> Iterator[Objection]:
    """6.2 Special ammunition that the weapon has, in this month, and not yet depleted."""
    assert one.weapon is not None
    number = ordnance_card(situation, one).depletion(kind, situation.data.scenario.date)
    if number is None or kind in one.weapon.depleted:
        yield Objection("6.2", f"{one.id} has no {kind} ammunition")


def smoke_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """6.2/smoke Smoke comes before all other fire of a side, in the PFPh or DFPh; WP also as First Fire."""
    state = situation.state
    yield from supply_objections(situation, one, "s" if attack.how == "smoke" else "WP")
    if state.phase not in ("prep", "defensive") and not (attack.how == "WP" and state.phase == "movement"):
        yield Objection("6.2/smoke", "smoke is fired at the start of the Prep Fire or Defensive Fire Phase")
    elif state.phase != "movement" and any(":" in shot for shot in state.fired_in_phase):
        yield Objection("6.2/smoke", "smoke is fired before everything else")
    if attack.at == one.hex:
        yield Objection("6.2/smoke", f"{one.id} cannot fire smoke into its own hex")


def intensive_objections(situation: Situation, one: Component, distance: int) -> Iterator[Objection]:
    """3.2.4/intensive-fire One more shot of a Gun that has lost its rate of fire in this phase."""
    rule, phase = "3.2.4/intensive-fire", situation.state.phase
    assert one.weapon is not None
    own = situation.is_attacker(one.unit)
    due = {"prep": ("prep",), "movement": () if own else ("first",), "defensive": ("first", "final")}.get(phase, ())
    vehicle = situation.vehicle_of(one.weapon)
    barred = vehicle is not None and not situation.vehicle_card(vehicle).intensive
    main = one.weapon.card.endswith(":ma")
    if not (is_gun(situation, one) or main) or one.weapon.fired not in due or barred:
        yield Objection(rule, f"{one.id} cannot use Intensive Fire now")
    elif one.unit.pinned:
        yield Objection(rule, f"{one.unit.id} is pinned")
    elif phase == "defensive" and distance > 1:
        yield Objection(rule, f"{one.id} uses it in this phase only at its own or an adjacent hex")
    elif one.weapon.swept and ordnance_card(situation, one).kind != "mortar":
        yield Objection("3.2.4/att", f"{one.id} has fired at an area and cannot fire again")


def has_second_man(situation: Situation, one: Component, attack: Attack) -> bool:
    units = situation.state.units
    return any(id in units and id != one.unit.id and units[id].at == one.hex for id in attack.components)
