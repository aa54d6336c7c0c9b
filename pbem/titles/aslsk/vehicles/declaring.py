"""7.8, 3.2.4/vtt Which shots by vehicles and at vehicles may be declared.

7.8, 3.3.2.2    vehicle_firer_objections
3.2.4/vtt       vehicle_target_objections
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.fire.components import Attack, Component, Manner
from pbem.titles.aslsk.fire.firepower import range_of, second_man
from pbem.titles.aslsk.ordnance.arcs import NO_ARC, covers, facing_of, fitting_facings, is_in_turret, kind_of_weapon
from pbem.titles.aslsk.ordnance.to_hit import SHAPED, SMALL
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Vehicle

RESTRICTED = ("RST", "1MT")


def vehicle_firer_objections(
    situation: Situation, one: Component, attack: Attack, vehicle: Vehicle, manner: Manner
) -> Iterator[Objection]:
    """7.8 The objections to fire by a vehicle: crew exposure, covered arcs, and the limit to one phase and one
    hex.
    """
    weapon = one.weapon
    if weapon is None:
        yield Objection("7.8", say("name a weapon of {vehicle}, such as {vehicle}ma", vehicle=vehicle.id))
        return
    kind, card = kind_of_weapon(weapon), situation.vehicle_card(vehicle)
    if kind == "aamg" and not vehicle.ce:
        yield Objection("7.8", say("{weapon} can fire only while the crew is exposed", weapon=weapon.id))
    if card.turret in RESTRICTED and vehicle.ce and kind in ("ma", "cmg"):
        yield Objection("7.2", say("{weapon} cannot fire while the crew is exposed", weapon=weapon.id))
    if vehicle.recalled and not vehicle.immobile and situation.state.phase == "prep":
        yield Objection("7.10/recall", say("{vehicle} must leave the map in this Movement Phase", vehicle=vehicle.id))
    if attack.at not in situation.ground:
        return
    facing = facing_of(situation, weapon)
    inside = covers(situation, weapon, vehicle.at, attack.at)
    if kind == "aamg" and vehicle.ce and manner == "bounding" and not in_turret_arc(situation, vehicle, attack.at):
        yield Objection("3.3.2.2", say("{at} is outside the arc of {weapon}", at=attack.at, weapon=weapon.id))
    bow = facing != NO_ARC and not is_in_turret(situation, weapon)
    if bow and vehicle.bogged and attack.at == vehicle.at and inside and not has_just_entered(situation):
        yield Objection(
            "7.6/bogged-fire", say("{weapon} can fire into its own hex only at units that enter it", weapon=weapon.id)
        )
    if facing != NO_ARC and not inside:
        if manner == "bounding":
            yield Objection("3.3.2.2", say("{at} is outside the arc of {weapon}", at=attack.at, weapon=weapon.id))
        elif bow and vehicle.bogged and attack.at == vehicle.at:
            yield Objection(
                "7.6/bogged-fire",
                say("{at} was not entered from the arc of {weapon}", at=attack.at, weapon=weapon.id),
            )
        elif bow and vehicle.immobile:
            yield Objection("7.10/immobilized", say("{vehicle} cannot turn", vehicle=vehicle.id))
        elif not fitting_facings(situation, weapon, vehicle.at, attack.at):
            yield Objection("3.2.4/covered-arc", say("{weapon} cannot fire into its own hex", weapon=weapon.id))
    if manner == "bounding":
        yield from bounding_objections(situation, one, attack, vehicle)


def has_just_entered(situation: Situation) -> bool:
    """7.6 Whether the last expenditure of the moving vehicle took it into its present hex."""
    mover = situation.state.mover
    vehicle = situation.state.vehicles.get(mover.stack[0]) if mover is not None else None
    going = vehicle.going if vehicle is not None else None
    return going is not None and going.spent == going.entered


def in_turret_arc(situation: Situation, vehicle: Vehicle, hex: str) -> bool:
    """3.2.4/covered-arc Whether a hex lies in a vehicle's TCA or is the vehicle's own hex."""
    return hex == vehicle.at or situation.ground.in_arc(vehicle.at, vehicle.tca, hex)


def bounding_objections(
    situation: Situation, one: Component, attack: Attack, vehicle: Vehicle
) -> Iterator[Objection]:
    """3.3.2.2 Object to area fire, to fire from a second hex, and to main armament fire before 1 more MP is spent."""
    going = vehicle.going
    if attack.how in ("area", "smoke", "WP"):
        yield Objection("3.2.4/att", say("area fire is not allowed in Bounding First Fire"))
    again = situation.is_main(one.weapon) and one.weapon is not None and one.weapon.id in vehicle.used
    if vehicle.fired_from and vehicle.fired_from != vehicle.at and not again:
        yield Objection(
            "3.3.2.2",
            say(
                "{vehicle} must fire all its weapons from {fired_from}",
                vehicle=vehicle.id,
                fired_from=vehicle.fired_from,
            ),
        )
    if again and going is not None and going.spent < going.fired_at + 2:
        yield Objection("3.3.2.2", say("{vehicle} must spend one more MP before it fires again", vehicle=vehicle.id))


def vehicle_target_objections(
    situation: Situation, one: Component, attack: Attack, manner: Manner
) -> Iterator[Objection]:
    """3.2.4/vtt, 4.1/mg-vs-afv Object if a vehicle is attacked by anything but ordnance, MG, LATW or flame."""
    vehicle = situation.state.vehicles.get(attack.target)
    if vehicle is None or vehicle.seat == one.unit.seat or vehicle.at != attack.at:
        yield Objection(
            "3.2.4/vtt", say("{target} is not an enemy vehicle in {at}", target=attack.target, at=attack.at)
        )
        return
    state = situation.state
    moves = state.mover is not None and vehicle.id in state.mover.stack
    if state.phase == "movement" and one.unit.seat != state.attacker and not moves:
        yield Objection("3.3.3", say("{vehicle} is not moving", vehicle=vehicle.id))
    if one.weapon is None:
        yield Objection("7.12", say("{one_} cannot harm an AFV with its own firepower", one_=one.id))
        return
    kind = situation.weapon_card(one.weapon).kind
    if kind == "mortar":
        yield Objection("6.9", say("{one_} can only use area fire: name a hex", one_=one.id))
    elif attack.how in ("area", "smoke", "WP"):
        yield Objection("3.2.4/att", say("{one_} can only use area fire: name a hex", one_=one.id))
    if one.ife:
        yield Objection("6.8", say("{one_} can fire only at Infantry in this way", one_=one.id))
    if kind in SMALL:
        yield from small_objections(situation, one, attack, manner, kind)
    if kind not in (*SMALL, *SHAPED, "gun", "ma", "ft", "mortar"):
        yield Objection("3.2.4/vtt", say("{one_} cannot be fired at a vehicle", one_=one.id))


def small_objections(
    situation: Situation, one: Component, attack: Attack, manner: Manner, kind: str
) -> Iterator[Objection]:
    """4.1/mg-vs-afv, 4.4.4 Object to fire beyond normal range or with halved FP, and to MGs that are not main
    armament.
    """
    if isinstance(one.unit, Vehicle):
        if not situation.is_main(one.weapon):
            yield Objection("7.8", say("{one_} cannot be fired at an AFV", one_=one.id))
        elif manner not in ("normal", "advancing") or not one.unit.stopped:
            yield halved_objection(one)
    elif kind != "atr" and (manner != "normal" or one.unit.pinned):
        yield halved_objection(one)
    elif situation.is_leader(one.unit) and kind != "atr" and not second_man(situation, one, attack):
        yield Objection("4.1/mg-vs-afv", say("a lone leader cannot fire {one_} at an AFV", one_=one.id))
    if situation.ground.distance(one.hex, attack.at) > range_of(situation, one):
        yield Objection("4.1/mg-vs-afv", say("{at} is beyond the normal range of {one_}", at=attack.at, one_=one.id))


def halved_objection(one: Component) -> Objection:
    """4.1/mg-vs-afv The objection to an MG whose firepower is halved."""
    return Objection("4.1/mg-vs-afv", say("{one_} can fire at an AFV only with its full firepower", one_=one.id))
