"""3.2.4, 4.4, 4.5, 6 Which ordnance shots may be declared.

3.2.4/procedure         ordnance_objections
3.2.4/intensive-fire    intensive_objections
6.2/smoke               smoke_objections
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.fire.components import Attack, Component, component
from pbem.titles.aslsk.ordnance.to_hit import SHAPED, SMALL, SMOKE, is_gun, ordnance_card
from pbem.titles.aslsk.situation import Situation


def ordnance_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """3.2.4 The objections to ordnance fire: range, terrain, crew, ammunition and second shots."""
    card, ground = ordnance_card(situation, one), situation.ground
    distance = ground.distance(one.hex, attack.at)
    if is_gun(situation, one) and situation.is_leader(one.unit):
        yield Objection("1.2.6", say("{one_} needs to be manned by a crew or squad", one_=one.id))
    if card.kind in SHAPED:
        yield from shaped_objections(situation, one, attack)
    elif card.kind == "mortar":
        if ground[one.hex].terrain == "building":
            yield Objection("6.9", say("{one_} cannot fire from a building", one_=one.id))
        if not max(1, card.min_range) <= distance <= card.range:
            yield Objection(
                "6.9",
                say(
                    "{one_} has a range of {least} to {most} hexes; the range to {at} is {distance}",
                    one_=one.id,
                    least=card.min_range,
                    most=card.range,
                    at=attack.at,
                    distance=distance,
                ),
            )
    elif card.kind not in SMALL:
        yield from gun_objections(situation, one, attack, distance)
    if attack.intensive:
        yield from intensive_objections(situation, one, distance)
    if attack.how in SMOKE and card.kind not in SMALL:
        yield from smoke_objections(situation, one, attack)


def shaped_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """4.4 Object to LATW fire out of range, at Infantry neither in a building nor at a Gun, or by a lone leader."""
    card, ground = ordnance_card(situation, one), situation.ground
    distance = ground.distance(one.hex, attack.at)
    if distance >= len(card.to_hit):  # def/latw
        yield Objection(
            "4.4",
            say(
                "{one_} has a range of {to_hit} hexes; the range to {at} is {distance}",
                one_=one.id,
                to_hit=len(card.to_hit) - 1,
                at=attack.at,
                distance=distance,
            ),
        )
    gun = mans_a_gun(situation, attack.at, one.unit.seat)
    if not attack.target and ground[attack.at].terrain != "building" and not gun:
        yield Objection("4.4", say("{one_} can affect Infantry only if they are in a building", one_=one.id))
    if card.kind in ("baz", "psk") and situation.is_leader(one.unit) and not has_second_man(situation, one, attack):
        yield Objection("4.4.1", say("a lone leader cannot fire {one_}", one_=one.id))
    if card.kind == "piat" and distance == 1 and ground[attack.at].level < ground[one.hex].level:
        yield Objection("4.4.5", say("{one_} cannot fire downhill into an adjacent hex", one_=one.id))


def gun_objections(situation: Situation, one: Component, attack: Attack, distance: int) -> Iterator[Objection]:
    """1.2.6, 6.2 The objections to Gun fire: range, ammunition, and for area fire a minimum range and earlier
    shots.
    """
    assert one.weapon is not None
    gun, vehicle = situation.gun_card(one.weapon), situation.vehicle_of(one.weapon)
    if gun is not None and gun.range and not gun.min_range <= distance <= gun.range:
        yield Objection("3.2.4/procedure", say("{at} is out of range for {one_}", at=attack.at, one_=one.id))
    if attack.how == "area" and (distance == 0 or one.weapon.area or (vehicle is not None and not vehicle.stopped)):
        yield Objection("3.2.4/att", say("{one_} cannot fire at an Area Target now", one_=one.id))
    yield from shell_objections(situation, one, attack)


def shell_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """6.2 Object to ammunition without unlimited supply that is not listed on the counter or is depleted."""
    assert one.weapon is not None
    gun, vehicle = situation.gun_card(one.weapon), situation.vehicle_of(one.weapon)
    card = gun if gun is not None else situation.vehicle_card(vehicle) if vehicle is not None else None
    assert card is not None
    plain = attack.how in ("", "area")
    explosive = (attack.how == "HE" or (plain and not attack.target)) and not card.he
    if explosive and any(supply_objections(situation, one, "HE")):
        yield Objection("6.2/he", say("{one_} has no HE: name AP or another ammunition", one_=one.id))
    if attack.how == "AP" and not card.ap and any(supply_objections(situation, one, "AP")):
        yield Objection("6.2/ap", say("{one_} has no AP", one_=one.id))
    if attack.how in ("H", "A", "D"):
        yield from supply_objections(situation, one, attack.how)
    if attack.how == "H" and not attack.target:
        at = attack.at
        if situation.ground[at].terrain != "building" and not mans_a_gun(situation, at, one.unit.seat):
            yield Objection("6.2/heat", say("HEAT affects Infantry only if they are in a building"))


def mans_a_gun(situation: Situation, hex: str, seat: str) -> bool:
    return any(situation.gun_of(unit) is not None for unit in situation.enemies_at(hex, seat))


def supply_objections(situation: Situation, one: Component, kind: str) -> Iterator[Objection]:
    """6.2 Object if the weapon has no such special ammunition in this month, or it is depleted."""
    assert one.weapon is not None
    number = ordnance_card(situation, one).depletion(kind, situation.data.scenario.date)
    if number is None or kind in one.weapon.depleted:
        yield Objection("6.2", say("{one_} has no {kind} ammunition", one_=one.id, kind=kind))


def smoke_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """6.2/smoke Object to smoke after other fire by the side or in a wrong phase; WP may also be fired as First
    Fire.
    """
    state = situation.state
    yield from supply_objections(situation, one, "s" if attack.how == "smoke" else "WP")
    if state.phase not in ("prep", "defensive") and not (attack.how == "WP" and state.phase == "movement"):
        yield Objection(
            "6.2/smoke", say("smoke can be fired only at the start of the Prep Fire or Defensive Fire Phase")
        )
    elif state.phase != "movement" and any(":" in shot for shot in state.fired_in_phase):
        yield Objection("6.2/smoke", say("smoke must be fired before all other attacks"))
    if attack.at == one.hex:
        yield Objection("6.2/smoke", say("{one_} cannot fire smoke into its own hex", one_=one.id))


def intensive_objections(situation: Situation, one: Component, distance: int) -> Iterator[Objection]:
    """3.2.4/intensive-fire Object unless this is the one extra shot of a Gun that has lost its rate of fire in
    this phase.
    """
    rule, phase = "3.2.4/intensive-fire", situation.state.phase
    assert one.weapon is not None
    own = situation.is_attacker(one.unit)
    due = {"prep": ("prep",), "movement": () if own else ("first",), "defensive": ("first", "final")}.get(phase, ())
    vehicle = situation.vehicle_of(one.weapon)
    barred = vehicle is not None and not situation.vehicle_card(vehicle).intensive
    spent = phase == "defensive" and one.weapon.fired == "final" and not has_fired_now(situation, one)
    if (
        not (is_gun(situation, one) or situation.is_main(one.weapon))
        or one.weapon.fired not in due
        or barred
        or spent
    ):
        yield Objection(rule, say("{one_} cannot use Intensive Fire now", one_=one.id))
    elif one.unit.pinned:
        yield Objection(rule, say("{unit} is pinned", unit=one.unit.id))
    elif phase == "defensive" and distance > 1:
        yield Objection(
            rule, say("in this phase {one_} can use Intensive Fire only at its own or an adjacent hex", one_=one.id)
        )
    elif one.weapon.swept and ordnance_card(situation, one).kind != "mortar":
        yield Objection("3.2.4/att", say("{one_} has fired at an Area Target and cannot fire again", one_=one.id))


def has_fired_now(situation: Situation, one: Component) -> bool:
    """3.4 Whether a weapon has fired in this phase; a weapon that was marked Final Fire earlier cannot fire in it at
    all.
    """
    shots = (component(situation, shot.rpartition(":")[2]) for shot in situation.state.fired_in_phase)
    return any(shot is not None and shot.arm == one.arm for shot in shots)


def has_second_man(situation: Situation, one: Component, attack: Attack) -> bool:
    units = situation.state.units
    return any(id in units and id != one.unit.id and units[id].at == one.hex for id in attack.components)
