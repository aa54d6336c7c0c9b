"""3.2.2 Which attacks may be declared: step 1 of a fire attack.

3.2.2    attack_objections: all objections to a declaration
3.2.2/fire-groups, mandatory-fg, leader-direction
3.3.3/sff, fpf, shot-limit
4.0/weapon-usage
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.fire.components import (
    Attack,
    Component,
    component,
    components,
    firing,
    is_second_man,
    manner_of,
    targets_in,
)
from pbem.titles.aslsk.fire.firepower import FAR, kind_of, range_of, shares, total
from pbem.titles.aslsk.ordnance.arcs import fitting_facings
from pbem.titles.aslsk.ordnance.declaration import ordnance_objections
from pbem.titles.aslsk.ordnance.panzerfaust import panzerfaust_objections
from pbem.titles.aslsk.ordnance.to_hit import MORTAR_LACKS, SHAPED, SHELLS, SMOKE, is_gun, is_ordnance
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Vehicle
from pbem.titles.aslsk.vehicles.crews import exposed_in
from pbem.titles.aslsk.vehicles.declaring import vehicle_firer_objections, vehicle_target_objections

SMALL_ARMS = ("inherent", "lmg", "mmg", "hmg", "atr")
VEHICULAR = ("bmg", "cmg", "aamg", "rmg", "ife")
HEAVY = ("mmg", "hmg", "mortar", "gun")
ONCE_ONLY = ("ft", "atr")
"""3.3.3/sff The kinds of weapons that, like ordnance (4.4), cannot fire again under a fire marker."""
SECOND = {"subsequent": "3.3.3/sff", "protective": "3.3.3/fpf", "marked": "3.4"}


def attack_objections(situation: Situation, seat: str, attack: Attack) -> Iterator[Objection]:
    """3.2.2 All objections to a declared attack by small arms and MGs."""
    if attack.how == "pf":
        yield from panzerfaust_objections(situation, seat, attack)
        unit = situation.state.units.get(attack.components[0]) if attack.components else None
        if attack.leaders and unit is not None:
            yield from leader_objections(situation, attack, [Component(unit.id, unit)])
        return
    found = []
    for id in attack.components:
        one = component(situation, id)
        if one is None or one.unit.seat != seat:
            yield Objection("3.2.2", say("you have no {id} on the board", id=id))
        else:
            found.append(one)
    if len(found) < len(attack.components) or not found:
        if not attack.components:
            yield Objection("3.2.2", say("an attack must name at least one unit that fires"))
        return
    if len(set(attack.components)) < len(attack.components):
        yield Objection("3.2.2/target-choice", say("a unit cannot fire twice in one attack"))
    yield from target_objections(situation, seat, attack)
    if attack.at not in situation.ground:
        return
    firers = [one for one in found if not is_second_man(situation, one)]
    if not firers:
        yield Objection("1.2.1", say("a leader has no inherent firepower"))
        return
    problems = [objection for one in firers for objection in component_objections(situation, one, attack)]
    yield from problems
    if problems:
        return
    yield from second_man_objections(situation, [one for one in found if is_second_man(situation, one)], firers)
    yield from group_objections(situation, firers)
    yield from mandatory_objections(situation, attack, firers)
    yield from leader_objections(situation, attack, firers)
    rolls = any(is_ordnance(situation, one, attack.target) for one in firers) or bool(attack.target)
    if not rolls and total(shares(situation, attack)) < 1:
        yield Objection("3.2.3", say("an attack needs at least 1 FP"))


def target_objections(situation: Situation, seat: str, attack: Attack) -> Iterator[Objection]:
    """3.2, 3.3.3 Object to an attack that has no target."""
    if attack.at not in situation.ground:
        yield Objection("1.1", say("{at} is not on the map", at=attack.at))
    elif attack.target or exposed_in(situation, seat, attack.at) or shells_moving_vehicle(situation, seat, attack):
        return
    elif not targets_in(situation, seat, attack.at) and not fires_at_ground(situation, attack):
        if situation.state.phase == "movement" and seat != situation.state.attacker:
            yield Objection("3.3.3", say("no moving unit is in {at}", at=attack.at))
        else:
            yield Objection("3.2", say("no enemy unit is in {at}", at=attack.at))
    elif not targets_in(situation, seat, attack.at) and needs_a_target(situation, attack):
        yield Objection("6.11", say("without a Known enemy in the hex, ordnance can use only area fire"))


def shells_moving_vehicle(situation: Situation, seat: str, attack: Attack) -> bool:
    """3.3.3, 7.11 Whether area fire is aimed at the hex of a moving enemy vehicle, which it can hurt even if BU."""
    mover = situation.state.mover
    if situation.state.phase != "movement" or mover is None or not fires_at_area(situation, attack):
        return False
    return any(vehicle.id in mover.stack for vehicle in situation.enemy_vehicles(attack.at, seat))


def needs_a_target(situation: Situation, attack: Attack) -> bool:
    """6.11 Whether an attack needs a target: ordnance fire does, unless it is area fire."""
    ordnance = any(is_ordnance(situation, one) for one in components(situation, attack.components))
    return ordnance and not fires_at_area(situation, attack)


def fires_at_ground(situation: Situation, attack: Attack) -> bool:
    """6.11, 6.2/smoke Whether an attack may be aimed at an empty hex: mortars and area fire may, but not in the
    MPh.
    """
    if situation.state.phase == "movement":
        return False
    return attack.anyway or fires_at_area(situation, attack)


def fires_at_area(situation: Situation, attack: Attack) -> bool:
    """3.2.4/att Whether an attack uses the area target type."""
    ones = components(situation, attack.components)
    area = attack.how in ("area", "smoke", "WP") or any(kind_of(situation, one) == "mortar" for one in ones)
    return area and any(is_ordnance(situation, one) for one in ones)


def component_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """11 B The objections to one component firing now at this range."""
    unit = one.unit
    if not situation.good_order(unit):
        yield bad_order(unit)
        return
    gun = is_gun(situation, one) or situation.is_main(one.weapon)
    manner = "normal" if attack.intensive and gun and not one.ife else manner_of(situation, one)
    if not manner:
        again = say("{unit} cannot fire again in this phase", unit=one.id)
        once = say("{unit} cannot fire in this phase", unit=one.id)
        yield Objection(rule_of_fire(situation), again if one.marker else once)
        return
    if attack.at not in situation.ground:
        return
    beside = situation.enemies_at(unit.at, unit.seat) or situation.enemy_vehicles(unit.at, unit.seat)
    if attack.at != unit.at and beside:
        yield Objection(
            "3.2.2/target-choice", say("{unit} cannot fire out of its hex while an enemy is in it", unit=unit.id)
        )
    if situation.data.options.los == "open" and not situation.sees(unit.at, attack.at):
        yield Objection("3.2.1", say("{unit} has no line of sight to {at}", unit=unit.id, at=attack.at))
    yield from range_objections(situation, one, attack)
    yield from own_hex_objections(situation, one, attack)
    yield from usage_objections(situation, one, attack)
    if isinstance(unit, Vehicle):
        yield from vehicle_firer_objections(situation, one, attack, unit, manner)
    if attack.target:
        yield from vehicle_target_objections(situation, one, attack, manner)
    if is_ordnance(situation, one, attack.target) and manner in ("subsequent", "protective", "marked"):
        yield Objection("4.4", say("{one_} cannot fire again under a fire marker", one_=one.id))
        return
    if manner in SECOND and kind_of(situation, one) in ONCE_ONLY:
        yield Objection(SECOND[manner], say("only inherent FP and machine guns can fire again"))
        return
    if is_ordnance(situation, one, attack.target) and situation.state.phase == "movement":
        yield from shot_limit_objections(situation, one, attack)
        return
    if manner == "subsequent":
        yield from subsequent_objections(situation, one, attack)
    if situation.state.phase == "movement" and (unit.fired == "final" or manner == "protective"):
        yield from protective_objections(situation, one, attack)
    distance = situation.ground.distance(unit.at, attack.at)
    if manner == "marked" and distance > 1:
        yield Objection(
            "3.4", say("{one_} is marked First Fire and can fire only at its own or an adjacent hex", one_=one.id)
        )
    if manner == "advancing":
        yield from advancing_objections(situation, one)
    if situation.state.phase == "movement":
        yield from shot_limit_objections(situation, one, attack)


def bad_order(unit: Piece) -> Objection:
    """def/good-order The reason why a unit that is not in Good Order cannot fire."""
    if isinstance(unit, Vehicle):
        return Objection(
            "7.10/shock" if unit.shock else "7.10/stun", say("the crew of {unit} is out of action", unit=unit.id)
        )
    if unit.broken:
        return Objection("3.2.3/nmc", say("{unit} is broken", unit=unit.id))
    return Objection("3.8/melee", say("{unit} is in Melee", unit=unit.id))


def rule_of_fire(situation: Situation) -> str:
    """The rule of the current fire phase."""
    return {"prep": "3.2.5", "movement": "3.3.3", "defensive": "3.4", "advancing": "3.5"}.get(
        situation.state.phase, "3.2"
    )


def range_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """3.2.2/fp-modification, 4.1, 4.4.4 Object to fire beyond twice normal range, and to MG without a leader
    beyond 16 hexes.
    """
    distance, kind = situation.ground.distance(one.hex, attack.at), kind_of(situation, one)
    most = range_of(situation, one) * (1 if kind == "atr" else 2)
    if not attack.target or attack.how in SHELLS:  # smoke and area fire at a vehicle are refused as such
        yield from ammunition_objections(situation, one, attack.how)
    if is_ordnance(situation, one, attack.target):
        if len([id for id in attack.components if id not in situation.state.units]) > 1 or attack_has_own_fp(
            situation, attack
        ):
            yield Objection("3.2.2/fire-groups", say("{one_} must fire alone", one_=one.id))
        yield from ordnance_objections(situation, one, attack)
        return
    if attack.intensive:
        yield Objection("3.2.4/intensive-fire", say("{one_} cannot use Intensive Fire now", one_=one.id))
    if one.ife and (len(attack.components) > 1 and not isinstance(one.unit, Vehicle)):
        yield Objection("6.8", say("{one_} must fire alone", one_=one.id))
    if kind not in (*SMALL_ARMS, *VEHICULAR, "ft"):
        yield Objection("3.2.2", say("{one_} does not attack on the Infantry Fire Table", one_=one.id))
    elif distance > most:
        rule = "4.4.4" if kind == "atr" else "3.2.2/fp-modification"
        yield Objection(
            rule,
            say(
                "{at} is {distance} hexes from {one_}, whose range is {most}",
                at=attack.at,
                distance=distance,
                one_=one.id,
                most=most,
            ),
        )
    if kind in SMALL_ARMS and kind.endswith("mg") and distance > FAR and not attack.leaders:
        yield Objection("4.1", say("{one_} can fire beyond 16 hexes only if a leader directs it", one_=one.id))
    if kind == "ft":
        if one.unit.pinned:
            yield Objection("4.2", say("{unit} is pinned and cannot use the flamethrower", unit=one.unit.id))
        if len(attack.components) > 1 or attack.leaders:
            yield Objection("4.2", say("{one_} must fire alone and without a leader's direction", one_=one.id))


def ammunition_objections(situation: Situation, one: Component, how: str) -> Iterator[Objection]:
    """6.2, 3.2.4/att Object to shells, smoke or area fire by anything but ordnance, such as squads, machine guns
    or IFE.

    A LATW has one kind of ammunition (4.4), and a mortar HE and smoke (6.9).
    """
    if is_ordnance(situation, one):
        kind = kind_of(situation, one)
        if kind in SHAPED and how:
            yield Objection("4.4", say("{one_} has no ammunition of that kind", one_=one.id))
        elif kind == "mortar" and how in MORTAR_LACKS:
            yield Objection("6.9", say("{one_} can fire only HE or smoke, and only at an Area Target", one_=one.id))
    elif how in SHELLS:
        yield Objection("6.2", say("{one_} has no ammunition of that kind", one_=one.id))
    elif how in SMOKE:
        yield Objection("6.2/smoke", say("{one_} cannot fire smoke", one_=one.id))
    elif how == "area":
        yield Objection("3.2.4/att", say("{one_} cannot fire at an Area Target", one_=one.id))


def own_hex_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """3.2.4/covered-arc Object to a Gun that fires into its own hex outside its arc unless its mount can turn."""
    if attack.at != one.hex or one.weapon is None or not is_gun(situation, one):
        return
    if not fitting_facings(situation, one.weapon, one.hex, attack.at):
        yield Objection("3.2.4/covered-arc", say("{weapon} cannot fire into its own hex", weapon=one.weapon.id))


def attack_has_own_fp(situation: Situation, attack: Attack) -> bool:
    """Whether the inherent FP of an MMC takes part in an attack."""
    units = situation.state.units
    return any(id in units and situation.is_mmc(units[id]) for id in attack.components)


def usage_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """4.0/weapon-usage Object if a unit fires too much: a squad may fire two weapons, or one and its own FP; other
    units may fire only one.
    """
    unit, weapon = one.unit, one.weapon
    if weapon is not None and weapon.malfunctioned:
        yield Objection("4.1/breakdown", say("{weapon} has malfunctioned", weapon=weapon.id))
        return
    own = [other for other in firing(situation, attack) if other.unit.id == unit.id]
    second = ("subsequent", "protective")
    again = situation.state.phase == "movement" and any(manner_of(situation, other) in second for other in own)
    if isinstance(unit, Vehicle) or again:
        return  # SFF and FPF are excepted
    weapons = {*unit.used, *(other.weapon.id for other in own if other.weapon is not None)}
    inherent = unit.id in attack.components or bool(unit.fired and not unit.used and situation.is_mmc(unit))
    if situation.is_squad(unit):
        if len(weapons) > 2 or (len(weapons) > 1 and (unit.id in attack.components or unit.fired)):
            yield Objection(
                "4.0/weapon-usage",
                say("{unit} can fire one weapon and its own FP, or two weapons without it", unit=unit.id),
            )
        if weapon is None and unit.gave_up:
            yield Objection("4.0/weapon-usage", say("{unit} gave up its own FP to fire two weapons", unit=unit.id))
    elif len(weapons) + inherent > 1:
        yield Objection("4.0/weapon-usage", say("{unit} can fire its own FP or one weapon, not both", unit=unit.id))
    elif situation.is_leader(unit) and unit.fired and weapon is not None and weapon.id not in unit.used:
        yield Objection("4.0/weapon-usage", say("{unit} has already directed fire", unit=unit.id))


def subsequent_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """3.3.3/sff Object to SFF beyond normal range, or at a target that is farther than another Known enemy."""
    distance = situation.ground.distance(one.hex, attack.at)
    if distance > range_of(situation, one):
        yield Objection(
            "3.3.3/sff",
            say(
                "{one_} can fire again only within its normal range of {range_of}",
                one_=one.id,
                range_of=range_of(situation, one),
            ),
        )
    nearest = min(
        (situation.ground.distance(one.hex, enemy.at) for enemy in situation.known_pieces(one.unit)),
        default=distance,
    )
    if nearest < distance:
        yield Objection(
            "3.3.3/sff", say("{unit} cannot fire at {at}: it sees a nearer enemy", unit=one.unit.id, at=attack.at)
        )


def protective_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """3.3.3/fpf Object to FPF unless it is at an adjacent hex, with all inherent FP and every working MG."""
    if situation.ground.distance(one.hex, attack.at) != 1:
        yield Objection(
            "3.3.3/fpf", say("{unit} is marked Final Fire and can fire only at an adjacent hex", unit=one.id)
        )
    if one.ife:  # 6.8 it joins no fire group
        return
    wanted = {one.unit.id} if situation.is_mmc(one.unit) else set()
    wanted |= {
        weapon.id
        for weapon in situation.weapons(one.unit)
        if situation.is_machine_gun(weapon) and not weapon.malfunctioned
    }
    missing = sorted(wanted - set(attack.components))
    if missing and one.id == min(id for id in attack.components if belongs(situation, id, one.unit)):
        yield Objection(
            "3.3.3/fpf",
            say(
                "{unit} must fire with everything it has, including {missing}",
                unit=one.unit.id,
                missing=", ".join(missing),
            ),
        )


def belongs(situation: Situation, id: str, unit: Piece) -> bool:
    found = component(situation, id)
    return found is not None and found.unit.id == unit.id


def advancing_objections(situation: Situation, one: Component) -> Iterator[Objection]:
    """3.5 Object to Advancing Fire by units that fired in the PFPh, and by heavy weapons that moved."""
    unit = one.unit
    if unit.fired == "prep" or any(weapon.fired == "prep" for weapon in situation.weapons(unit)):
        yield Objection("3.5", say("{unit} fired in the Prep Fire Phase", unit=unit.id))
    if unit.hazard:
        yield Objection("6.5", say("{unit} has pushed a Gun", unit=unit.id))
    if one.weapon is not None and one.weapon.carried and kind_of(situation, one) in HEAVY:
        yield Objection("3.5", say("{one_} has moved and cannot fire in the Advancing Fire Phase", one_=one.id))


def shot_key(one: str, unit: str, hex: str) -> str:
    return f"{one}|{unit}|{hex}"


def shot_limit_objections(situation: Situation, one: Component, attack: Attack) -> Iterator[Objection]:
    """3.3.3/shot-limit Object to more attacks on a mover in one hex than the MF spent there; one attack is always
    allowed.
    """
    found: list[Piece] = [*targets_in(situation, one.unit.seat, attack.at)]
    vehicle = situation.state.vehicles.get(attack.target)
    found += [vehicle] if vehicle is not None else exposed_in(situation, one.unit.seat, attack.at)
    if situation.is_attacker(one.unit):
        return
    for target in found:
        limit = max(1, (target.going.here if target.going is not None else 0) // 2)
        if situation.state.shots.get(shot_key(one.arm, target.id, attack.at), 0) >= limit:
            yield Objection(
                "3.3.3/shot-limit",
                say(
                    "{one_} has already fired at {target} in {at} as often as it may",
                    one_=one.id,
                    target=target.id,
                    at=attack.at,
                ),
            )
            return


def second_man_objections(
    situation: Situation, seconds: Sequence[Component], firers: Sequence[Component]
) -> Iterator[Objection]:
    """4.1 Object to a second leader who does anything but help another leader in the same hex to fire an MG."""
    for second in seconds:
        helped = [
            one
            for one in firers
            if one.hex == second.hex and situation.is_leader(one.unit) and one.weapon is not None
        ]
        again = any(one.weapon is not None and one.weapon.id in second.unit.used for one in helped)
        if not helped or (second.unit.fired and not again) or not situation.good_order(second.unit):
            yield Objection("4.1", say("{second} cannot help to fire an MG now", second=second.id))


def linked_parts(situation: Situation, firers: Sequence[Component]) -> list[list[Component]]:
    """3.2.2/fire-groups The connected parts of a fire group, largest first.

    Hexes with MMC form the chain; a hex where only a leader fires may be attached to it but links no others. A
    vehicle's weapons form a group only among themselves (7.8).
    """
    vehicles = list(dict.fromkeys(one.unit.id for one in firers if isinstance(one.unit, Vehicle)))
    if vehicles:
        parts_ = [[one for one in firers if one.unit.id == id] for id in vehicles]
        rest = [one for one in firers if not isinstance(one.unit, Vehicle)]
        return sorted([*parts_, *(linked_parts(situation, rest) if rest else [])], key=len, reverse=True)
    hexes = list(dict.fromkeys(one.hex for one in firers))
    links = [hex for hex in hexes if any(one.hex == hex and situation.is_mmc(one.unit) for one in firers)]
    left, parts = list(links), list[list[str]]()
    while left:
        part = [left.pop(0)]
        for hex in part:
            near = [other for other in left if situation.ground.adjacent(hex, other)]
            part += near
            left = [other for other in left if other not in near]
        parts.append(part)
    for hex in hexes:
        if hex not in links:
            host = next(
                (part for part in parts if any(situation.ground.adjacent(hex, other) for other in part)), None
            )
            if host is None:
                parts.append([hex])
            else:
                host.append(hex)
    found = [[one for one in firers if one.hex in part] for part in parts]
    return sorted(found, key=len, reverse=True)


def group_objections(situation: Situation, firers: Sequence[Component]) -> Iterator[Objection]:
    """3.2.2/fire-groups Object unless every hex of a fire group is linked to the others by adjacent MMC."""
    if len(linked_parts(situation, firers)) > 1:
        yield Objection("3.2.2/fire-groups", say("the units of a fire group must be in the same or adjacent hexes"))


def shot_record(situation: Situation, one: Component, at: str) -> str:
    """3.2.2/mandatory-fg The record of a shot: its origin, its target and, in the MPh, the expenditure."""
    mover = situation.state.mover
    number = mover.expenditures if situation.state.phase == "movement" and mover is not None else 0
    return f"{one.hex}>{at}#{number}"


def mandatory_objections(situation: Situation, attack: Attack, firers: Sequence[Component]) -> Iterator[Objection]:
    """3.2.2/mandatory-fg Object if Infantry in one hex attacks the same target separately in a phase.

    The machine guns and the IFE of one vehicle must also fire together (7.8).
    """
    for one in firers:
        record = shot_record(situation, one, attack.at)
        fired = [
            shot.rpartition(":")[2] for shot in situation.state.fired_in_phase if shot.rpartition(":")[0] == record
        ]
        before = [id for id in fired if are_bound(situation, one, id)]
        if before and one.id not in before:
            yield Objection(
                "3.2.2/mandatory-fg",
                say(
                    "{one_} had to fire at {at} together with {before} in {hex}",
                    one_=one.id,
                    before=", ".join(before),
                    hex=one.hex,
                    at=attack.at,
                ),
            )


def are_bound(situation: Situation, one: Component, id: str) -> bool:
    """3.2.2/mandatory-fg Whether two components in a hex must fire together: inherent FP, MG and ATR of Infantry, or
    MG and IFE of the same vehicle (7.8). Ordnance, FT and the IFE of a Gun are exempt.
    """
    other = component(situation, id)
    if other is None:
        return False
    kinds = {kind_of(situation, one), kind_of(situation, other)}
    if isinstance(one.unit, Vehicle) or isinstance(other.unit, Vehicle):
        return one.unit.id == other.unit.id and kinds <= set(VEHICULAR)
    return kinds <= set(SMALL_ARMS)


def leader_objections(situation: Situation, attack: Attack, firers: Sequence[Component]) -> Iterator[Objection]:
    """3.2.2/leader-direction, 3.4/leader-direction The objections to directing leaders: each firing hex needs one
    able leader, who directs only one group.
    """
    rule = "3.2.2/leader-direction"
    undirected = [one.id for one in firers if not may_be_directed(situation, one, attack)]
    if attack.leaders and undirected:
        yield Objection(
            rule, say("no leader is directing the fire of {undirected}", undirected=", ".join(undirected))
        )
        return
    hexes = {one.hex for one in firers}
    leaders = [situation.state.units.get(id) for id in attack.leaders]
    for id, leader in zip(attack.leaders, leaders, strict=True):
        if (
            leader is None
            or leader.seat != firers[0].unit.seat
            or not situation.is_leader(leader)
            or leader.at not in hexes
        ):
            yield Objection(rule, say("{id} is not a leader in one of the firing hexes", id=id))
        elif not situation.leads(leader):
            yield Objection(rule, say("{id} is broken, pinned or in Melee and cannot direct", id=id))
        elif leader.used or leader.id in attack.components or any(one.unit.id == id for one in firers):
            yield Objection("4.0/weapon-usage", say("{id} fires a weapon and cannot direct", id=id))
        else:
            yield from direction_objections(leader, [one.id for one in firers if one.hex == leader.at])
    places = [leader.at for leader in leaders if leader is not None]
    if len(places) > len(set(places)):
        yield Objection(rule, say("only one leader in each hex can direct the attack"))
    elif places and not hexes <= set(places):
        yield Objection(rule, say("leaders can direct a fire group only if a leader directs in each of its hexes"))


def may_be_directed(situation: Situation, one: Component, attack: Attack) -> bool:
    """3.2.2/leader-direction Whether a leader can direct a component, which must not be a vehicle, a Gun, or an MG
    firing at an AFV.
    """
    if isinstance(one.unit, Vehicle) or (is_gun(situation, one) and not one.ife):
        return False
    return not attack.target or one.weapon is None or not situation.is_machine_gun(one.weapon)


def direction_objections(leader: Unit, ids: Sequence[str]) -> Iterator[Objection]:
    """3.4/leader-direction Object if a leader who has already directed fire is to direct other firers."""
    new = [id for id in ids if id not in leader.directed]
    if leader.directed and new:
        yield Objection(
            "3.4/leader-direction",
            say(
                "{leader} has already directed other units and cannot direct {new}",
                leader=leader.id,
                new=", ".join(new),
            ),
        )
    elif leader.fired and not leader.directed:
        yield Objection("3.2.2/leader-direction", say("{leader} has already fired", leader=leader.id))
