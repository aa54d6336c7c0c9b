"""3.8/attacks Close combat attacks: strength, odds, DRM and legal attacks.

3.8/attacks    strength, combat_objections, group_objections
3.8/drm        combat_modifiers
3.8/ambush     ambush_modifiers
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.close_combat.stacks import groups, stacked
from pbem.titles.aslsk.close_combat.vehicles import attack_weapons, has_close_defence, vehicle_strength
from pbem.titles.aslsk.fire.modifiers import Modifier
from pbem.titles.aslsk.orders import Assault
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, Weapon, units_at

LEADER_STRENGTH = 1


def strength(situation: Situation, unit: Unit, *, attacks: bool) -> Fraction:
    """3.8/attacks The strength of a unit in close combat: its inherent FP, or 1 for a leader; halved if it attacks
    while pinned.
    """
    fp = Fraction(LEADER_STRENGTH if situation.is_leader(unit) else situation.card(unit).fp)
    return fp * Fraction(1, 2) if attacks and unit.pinned else fp


def total_strength(situation: Situation, units: Sequence[Unit], *, attacks: bool) -> Fraction:
    return sum((strength(situation, unit, attacks=attacks) for unit in units), Fraction())


def combat_modifiers(
    situation: Situation, attackers: Sequence[Unit], targets: Sequence[Unit], ambush: str
) -> list[Modifier]:
    """3.8/drm The DRM of an attack, each applied once: leadership with an MMC, CX on either side, broken targets,
    and ambush.
    """
    found: list[Modifier] = []
    leaders = [unit for unit in attackers if situation.is_leader(unit) and not unit.pinned]
    if leaders and any(situation.is_mmc(unit) for unit in attackers):
        best = min(situation.leadership(leader) for leader in leaders)
        if best < 0:  # 3.8/attacks directing is optional
            found.append(Modifier("3.8/drm", "leadership", best))
    if any(unit.cx for unit in attackers):
        found.append(Modifier("3.8/drm", "CX attacker", 1))
    if any(unit.cx for unit in targets):
        found.append(Modifier("3.8/drm", "CX target", -1))
    if any(unit.broken for unit in targets):
        found.append(Modifier("3.8/drm", "broken target", -2))
    if ambush:
        own = bool(attackers) and attackers[0].seat == ambush
        found.append(Modifier("3.8/ambush", "ambusher" if own else "ambushed", -1 if own else 1))
    return found


def ambush_modifiers(situation: Situation, hex: str, seat: str) -> list[Modifier]:
    """3.8/ambush The drm of a side's ambush roll; each applies once, even if only some of the side's units
    qualify.
    """
    units = units_at(situation.state, hex, seat)
    found: list[Modifier] = []
    for text, applies in (
        ("CX", any(unit.cx for unit in units)),
        ("pinned", any(unit.pinned for unit in units)),
        ("broken", any(unit.broken for unit in units)),
        ("inexperienced", any(situation.is_inexperienced(unit) for unit in units)),
        ("buttoned up", any(not one.ce for one in situation.vehicles_at(hex, seat))),
        ("stunned", any(one.stun for one in situation.vehicles_at(hex, seat))),
    ):
        if applies:
            found.append(Modifier("3.8/ambush", text, 1))
    if situation.vehicles_at(hex, seat):
        found.append(Modifier("3.8/ambush", "vehicle", 2))
    leaders = [unit for unit in units if situation.leads(unit)]
    if leaders and len(units) + len(situation.vehicles_at(hex, seat)) > 1:
        best = min(situation.leadership(leader) for leader in leaders)
        if best:
            found.append(Modifier("3.8/ambush", "leadership", best))
    return found


def armour_objections(situation: Situation, hex: str, seat: str, attack: Assault) -> Iterator[Objection]:
    """3.8/vs-vehicle, 3.8/vehicle-attack Yield the objections to attacks that involve a vehicle."""
    state = situation.state
    foes = [state.vehicles[id] for id in attack.targets if id in state.vehicles]
    mine = [state.vehicles[id] for id in attack.units if id in state.vehicles]
    guns = [state.weapons[id] for id in attack.units if id in state.weapons]
    units = [state.units[id] for id in attack.units if id in state.units]
    yield from group_objections(situation, hex, seat, attack)
    if foes:
        rule = "3.8/vs-vehicle"
        leaders = sum(situation.is_leader(unit) for unit in units)
        if len(attack.targets) > 1 or foes[0].at != hex or foes[0].seat == seat:
            yield Objection(rule, say("an attack on a vehicle must name exactly one enemy vehicle in the hex"))
        if mine or not 1 <= len(units) <= 2 or (len(units) == 2 and not leaders):
            yield Objection(
                rule, say("a vehicle can be attacked by one unit, or by a leader together with one other unit")
            )
        if any(unit.broken or unit.at != hex or unit.seat != seat for unit in units):
            yield Objection(rule, say("only your unbroken units in the hex can attack"))
        return
    rule = "3.8/close-defence" if attack.how == "sn" else "3.8/vehicle-attack"
    if guns:
        yield from gun_objections(situation, hex, seat, attack, guns)
        return
    if len(mine) > 1 or units or mine[0].at != hex or mine[0].seat != seat:
        yield Objection(rule, say("a vehicle must attack by itself"))
    elif attack.how == "sn":
        if not has_close_defence(situation, mine[0]):
            yield Objection(rule, say("{mine} has no close defence weapon that it can use", mine=mine[0].id))
    elif not attack.targets or not vehicle_strength(situation, mine[0]):
        yield Objection(rule, say("{mine} has nothing to attack with", mine=mine[0].id))
    elif any(id not in {unit.id for unit in situation.enemies_at(hex, seat)} for id in attack.targets):
        yield Objection(rule, say("a vehicle can only attack Infantry in its hex"))


def gun_objections(
    situation: Situation, hex: str, seat: str, attack: Assault, guns: Sequence[Weapon]
) -> Iterator[Objection]:
    """3.8/vehicle-attack Object to MGs that attack separately unless they are on one friendly vehicle and attack
    Infantry.
    """
    rule, vehicle = "3.8/vehicle-attack", situation.state.vehicles.get(guns[0].holder)
    if vehicle is None or vehicle.at != hex or vehicle.seat != seat or len(guns) < len(attack.units):
        yield Objection(rule, say("name machine guns of one of your vehicles in {hex}", hex=hex))
        return
    able = [weapon.id for weapon in attack_weapons(situation, vehicle)]
    for gun in guns:
        if gun.id not in able:
            yield Objection(rule, say("{gun} cannot attack in close combat", gun=gun.id))
    enemies = {unit.id for unit in situation.enemies_at(hex, seat)}
    if attack.how or not attack.targets or not set(attack.targets) <= enemies:
        yield Objection(rule, say("a vehicle can only attack Infantry in its hex"))


def combat_objections(situation: Situation, hex: str, seat: str, attacks: Sequence[Assault]) -> Iterator[Objection]:
    """3.8/attacks Object to broken attackers, to units that attack or are attacked twice, and to split stacks."""
    armour = {*situation.state.vehicles, *situation.state.weapons}
    armoured = [one for one in attacks if any(id in armour for id in (*one.units, *one.targets))]
    for attack in armoured:
        yield from armour_objections(situation, hex, seat, attack)
    attacks = [one for one in attacks if one not in armoured]
    own = {unit.id: unit for unit in units_at(situation.state, hex, seat)}
    enemies = {unit.id for unit in situation.enemies_at(hex, seat)}
    rule = "3.8/attacks"
    used: list[str] = []
    for attack in attacks:
        if not attack.units or not attack.targets:
            yield Objection(rule, say("an attack must name units and targets"))
        for id in attack.units:
            if id not in own or own[id].broken:
                yield Objection(rule, say("{id} is not one of your unbroken units in {hex}", id=id, hex=hex))
        for id in attack.targets:
            if id not in enemies:
                yield Objection(rule, say("{id} is not an enemy in {hex}", id=id, hex=hex))
        yield from group_objections(situation, hex, seat, attack)
        used += [*attack.units, *attack.targets]
    for id in sorted({id for id in used if used.count(id) > 1}):
        yield Objection(rule, say("{id} can attack or be attacked only once", id=id))


def group_objections(situation: Situation, hex: str, seat: str, attack: Assault) -> Iterator[Objection]:
    """3.8/attacks Object if a leader is separated from the unit below in the stack, or a lone leader joins other
    attackers.
    """
    rule = "3.8/attacks"
    mine, theirs = stacked(situation, hex, seat), stacked(situation, hex, situation.other(seat))
    for leader, other in theirs.items():
        if (leader in attack.targets) != (other in attack.targets):
            yield Objection(rule, say("{leader} must defend together with {other}", leader=leader, other=other))
    for leader, other in mine.items():
        if leader in attack.units and other not in attack.units:
            yield Objection(rule, say("{leader} must attack together with {other}", leader=leader, other=other))
    named = [unit for unit in fighters(situation, hex, seat) if unit.id in attack.units]
    for group in groups(named, mine):
        if situation.is_leader(group[0]) and group[0].id not in mine and len(group) < len(named):
            yield Objection(rule, say("{leader} fights alone and cannot join this attack", leader=group[0].id))


def able_to_attack(situation: Situation, hex: str, seat: str, used: Sequence[str]) -> list[Unit]:
    """3.8/sequence-vehicle The units that can still attack; a leader can attack only together with the unit below in
    the stack.
    """
    below = stacked(situation, hex, seat)
    own = [unit for unit in fighters(situation, hex, seat) if unit.id not in used]
    return [unit for unit in own if below.get(unit.id, "") not in used]


def fighters(situation: Situation, hex: str, seat: str) -> list[Unit]:
    return [unit for unit in units_at(situation.state, hex, seat) if not unit.broken]
