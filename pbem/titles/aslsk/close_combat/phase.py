"""3.8 The Close Combat Phase, hex by hex.

3.8                      close_combat_phase, combat_hex
3.8/ambush               ambush_check
3.8/sequence-infantry    simultaneous attacks, or the ambusher first
3.8/end-of-phase         close_combat_end
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from pbem.engine.rules.ask import Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Battle, Change
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.aslsk.chance import Dice, draw, roll_one, roll_two
from pbem.titles.aslsk.close_combat.attacks import able_to_attack, ambush_modifiers, combat_modifiers, total_strength
from pbem.titles.aslsk.close_combat.decision import CloseCombat
from pbem.titles.aslsk.close_combat.melee import end_melees, settle_melee
from pbem.titles.aslsk.close_combat.stacks import arrange
from pbem.titles.aslsk.close_combat.vehicles import assault_vehicle, close_defence, is_armed, spent_by, vehicle_attack
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.fire.modifiers import Modifier, rows, total
from pbem.titles.aslsk.fire.morale import Aftermath, eliminate, reduce_casualties
from pbem.titles.aslsk.fire.phases import begin
from pbem.titles.aslsk.orders import Assault
from pbem.titles.aslsk.ordnance.hidden import reveal_seen
from pbem.titles.aslsk.player.wording import combat_lines, stack_line
from pbem.titles.aslsk.rally.promotion import promote
from pbem.titles.aslsk.state import AslskState, Unit, orders_of, pieces, units_at, vehicles_at
from pbem.titles.aslsk.tabletop import AslskTable, as_aslsk_table
from pbem.titles.aslsk.vehicles.status import settle_stuns
from pbem.titles.aslsk.victory import update_control

AMBUSH_MARGIN = 3
MOST_ATTACKS = 60


class Fight(msgspec.Struct):
    """3.8/attacks One declared attack with its dice."""

    attackers: list[Unit]
    targets: list[Unit]
    dice: Dice = Dice(6, 6)
    strength: Fraction = Fraction(0)
    modifiers: list[Modifier] = []


def contested_hexes(state: AslskState) -> list[str]:
    """3.8 The hexes with units of both sides."""
    sides: dict[str, set[str]] = {}
    for unit in pieces(state):
        if unit.at:
            sides.setdefault(unit.at, set()).add(unit.seat)
    manned = {unit.at for unit in state.units.values()}  # AFV do not attack each other
    return sorted(hex for hex, seats in sides.items() if len(seats) > 1 and hex in manned)


def close_combat_phase(table: Table[AslskState]) -> Step:
    """3.8 Fight in each hex. The hexes that the ATTACKER lists come first, in that order, and the others follow by
    name.
    """
    own = as_aslsk_table(table)
    begin(own, "close_combat")
    named = [order.hex for order in orders_of(own.state, own.state.attacker).combats]
    hexes = contested_hexes(own.state)
    ordered = [hex for hex in dict.fromkeys(named) if hex in hexes]
    ordered += [hex for hex in hexes if hex not in ordered]
    for seat in own.situation.data.seats:
        tell_unfought(own, seat, hexes)
    table.then("combat_hex", hexes=ordered)
    return
    yield


def tell_unfought(table: AslskTable, seat: str, hexes: Sequence[str]) -> None:
    """3.8 Report the attacks that were ordered in advance for hexes without close combat."""
    for order in orders_of(table.state, seat).combats:
        if order.hex not in hexes:
            units = [id for attack in order.attacks for id in attack.units]
            why = [Objection("3.8", say("there is no close combat in {hex}", hex=order.hex))]
            for line in combat_lines(order) if units else ():
                report_failure(table, seat, line, why, needless=True, units=units)
    for stack in orders_of(table.state, seat).stacks:
        leader = table.state.units.get(stack.unit)
        if leader is None or leader.at not in hexes:
            why = [Objection("3.8", say("{leader} is not in close combat", leader=stack.unit))]
            report_failure(table, seat, stack_line(stack), why, needless=True, units=[stack.unit])


def combat_hex(table: Table[AslskState], hexes: list[str]) -> Step:
    """3.8/sequence-infantry Resolve the close combat in one hex completely."""
    own = as_aslsk_table(table)
    if not hexes:
        table.then("close_combat_end")
        return
    hex, *rest = hexes
    state = own.state
    attacker, defender = state.attacker, own.situation.other(state.attacker)
    arrange(own, hex)
    ambusher = ambush_check(own, hex)
    if vehicles_at(state, hex):
        yield from fight_with_vehicles(own, hex, ambusher)
    elif ambusher:
        for seat in (ambusher, own.situation.other(ambusher)):
            if units_at(state, hex, seat) and own.situation.enemies_at(hex, seat):
                order = yield ask_of(hex, seat, ())
                fight(own, hex, declared_fights(own, order.attacks), ambusher)
    else:
        first = yield ask_of(hex, attacker, ())
        second = yield ask_of(hex, defender, first.attacks)
        fight(own, hex, declared_fights(own, first.attacks) + declared_fights(own, second.attacks), "")
    settle_melee(own, hex)
    table.then("combat_hex", hexes=rest)


def first_side(table: AslskTable, hex: str) -> str:
    """3.8/sequence-vehicle The side that attacks first: the one without a vehicle or, if both have one, the
    ATTACKER.
    """
    seats = {vehicle.seat for vehicle in vehicles_at(table.state, hex)}
    attacker = table.state.attacker
    return attacker if len(seats) > 1 or attacker not in seats else table.situation.other(attacker)


def fight_with_vehicles(table: AslskTable, hex: str, ambusher: str) -> Step:
    """3.8/sequence-vehicle Let the sides make single attacks in turn, the ambusher first, until all have attacked
    or passed.
    """
    seat = ambusher or first_side(table, hex)
    used: dict[str, list[str]] = {one: [] for one in table.situation.data.seats}
    targets: list[str] = []
    passed: set[str] = set()
    for _ in range(MOST_ATTACKS):
        other = table.situation.other(seat)
        if seat in passed or not can_attack(table, hex, seat, used[seat]):
            passed.add(seat)
            if other in passed:
                return
            seat = other
            continue
        about = {"sequential": True, "used": used[seat], "attacked": targets, "ambusher": ambusher}
        order = yield CloseCombat.make_ask(seat, subject=hex, about=about)
        if not order.attacks:
            passed.add(seat)
        else:
            one = order.attacks[0]
            spent = list(used[seat])
            used[seat] += spent_by(table.situation, one, spent)
            targets += one.targets
            before = set(table.state.units)
            carry_out(table, hex, one, ambusher, spent)
            used[seat] += [id for id in table.state.units if id not in before]  # 5.3 a new leader took part in it
        if not (seat == ambusher and seat not in passed):
            seat = other


def can_attack(table: AslskTable, hex: str, seat: str, used: Sequence[str]) -> bool:
    """3.8/sequence-vehicle Whether a side still has a unit that may attack, and a target for it."""
    state, situation = table.state, table.situation
    foes = situation.enemies_at(hex, seat) or situation.enemy_vehicles(hex, seat)
    mine = able_to_attack(situation, hex, seat, used)
    guns = [one for one in vehicles_at(state, hex, seat) if is_armed(situation, one, used)]
    return bool(foes) and bool(mine or (guns and situation.enemies_at(hex, seat)))


def carry_out(table: AslskTable, hex: str, one: Assault, ambusher: str, spent: Sequence[str] = ()) -> None:
    """3.8/sequence-vehicle Resolve one attack at once; weapons that have already attacked take no part."""
    state = table.state
    only = [id for id in one.units if id in state.weapons]
    vehicle = state.vehicles.get(state.weapons[only[0]].holder if only else one.units[0])
    target = state.vehicles.get(one.targets[0]) if one.targets else None
    if target is not None:
        assault_vehicle(table, [state.units[id] for id in one.units], target, ambush=ambusher)
    elif vehicle is not None and one.how == "sn":
        close_defence(table, vehicle)
    elif vehicle is not None:
        aims = [state.units[id] for id in one.targets]
        vehicle_attack(table, vehicle, aims, ambush=ambusher, spent=spent, only=only)
    else:
        fight(table, hex, declared_fights(table, [one]), ambusher)


def ask_of(hex: str, seat: str, against: Sequence[Assault]) -> Ask:
    """3.8/sequence-infantry The ask for a side's attacks; the DEFENDER sees those of the ATTACKER."""
    about = {"against": [msgspec.to_builtins(attack) for attack in against]}
    return CloseCombat.make_ask(seat, subject=hex, about=about)


def declared_fights(table: AslskTable, attacks: Sequence[Assault]) -> list[Fight]:
    units = table.state.units
    return [Fight([units[id] for id in one.units], [units[id] for id in one.targets]) for one in attacks]


def ambush_check(table: AslskTable, hex: str) -> str:
    """3.8/ambush Roll for ambush in woods or buildings if Infantry advanced in and there is no Melee; return the
    ambusher.

    A side whose modified roll is at least 3 lower ambushes the other.
    """
    state, situation = table.state, table.situation
    entered = any(unit.in_cc for unit in units_at(state, hex))
    if hex in state.melee or not entered or not situation.ground.cover(hex):
        return ""
    finals: dict[str, int] = {}
    dice, modifiers = list[int](), list[dict[str, object]]()
    for seat in (state.attacker, situation.other(state.attacker)):
        own = ambush_modifiers(situation, hex, seat)
        die = roll_one(table, "3.8/ambush", hex, seat)
        finals[seat] = die + total(own)
        dice.append(die)
        modifiers += [{**row, "seat": seat} for row in rows(own)]
    first, second = finals
    ambusher = ""
    if finals[first] <= finals[second] - AMBUSH_MARGIN:
        ambusher = first
    elif finals[second] <= finals[first] - AMBUSH_MARGIN:
        ambusher = second
    table.find(
        "3.8/ambush",
        inputs={"at": hex, "finals": finals},
        modifiers=modifiers,
        dice=dice,
        result=ambusher or "no ambush",
    )
    return ambusher


def fight(table: AslskTable, hex: str, fights: list[Fight], ambusher: str) -> None:
    """3.8/attacks Roll for every attack, let new leaders join, then determine and apply all results together."""
    situation = table.situation
    for one in fights:
        one.dice = roll_two(table, "3.8/attacks", *(unit.id for unit in one.attackers))
        one.modifiers = combat_modifiers(situation, one.attackers, one.targets, ambusher)
    for one in fights:
        squads = [unit for unit in one.attackers if situation.is_mmc(unit)]
        if one.dice.total == 2 and squads:
            join_leader(table, one, fights, promote(table, squads))  # 3.8/field-promotion-in-cc
    outcomes = [(one, verdict(table, hex, one)) for one in fights]
    for one, result in outcomes:
        harm(table, one, result)


def join_leader(table: AslskTable, one: Fight, fights: Sequence[Fight], leader: Unit | None) -> None:
    """3.8/field-promotion-in-cc Count a new leader at once, in both the attack and the defence of the group."""
    if leader is None:
        return
    own = {unit.id for unit in one.attackers}
    one.attackers.append(leader)
    table.find("3.8/field-promotion-in-cc", inputs={"unit": leader.id, "with": sorted(own)}, result="joins the fight")
    for other in fights:
        if leader.below in [unit.id for unit in other.targets]:
            other.targets.append(leader)


def verdict(table: AslskTable, hex: str, one: Fight) -> str:
    """3.8/attacks The result of an attack: on a roll below the kill number all targets die, and on exactly that
    number one suffers casualties.
    """
    situation = table.situation
    attack = total_strength(situation, one.attackers, attacks=True)
    defence = total_strength(situation, one.targets, attacks=False)
    combat_table = situation.data.combat_table
    kill = combat_table.kill_number(attack, defence)
    final = one.dice.total + total(one.modifiers)
    result = "eliminated" if final < kill else "casualties" if final == kill else "no effect"
    table.find(
        "3.8/attacks",
        inputs={
            "at": hex,
            "units": [unit.id for unit in one.attackers],
            "targets": [unit.id for unit in one.targets],
            "odds": combat_table.write_odds(attack, defence),
        },
        modifiers=rows(one.modifiers),
        cell=kill,
        dice=one.dice.pair,
        result=result,
        children=[Finding("3.8/drm", modifiers=tuple(rows(one.modifiers)), result=total(one.modifiers))],
        shows=[
            Battle(
                tuple(unit.id for unit in one.attackers),
                hex,
                tuple(unit.id for unit in one.targets),
                combat_table.write_odds(attack, defence),
                tuple(one.dice.pair),
                result,
            )
        ],
    )
    return result


def harm(table: AslskTable, one: Fight, result: str) -> None:
    """3.8/attacks Apply one result to the surviving targets."""
    aftermath = Aftermath(in_close_combat=True)
    if result == "eliminated":
        for unit in one.targets:
            if unit.id in table.state.units:
                eliminate(table, unit, "3.8/attacks", aftermath)
    elif result == "casualties":
        for unit in draw(table, "3.8/attacks", one.targets, 1, *(unit.id for unit in one.targets)):
            if unit.id in table.state.units:
                reduce_casualties(table, unit, aftermath)


def close_combat_end(table: Table[AslskState]) -> Step:
    """3.8/end-of-phase End the phase: remove Pin and CC markers."""
    own = as_aslsk_table(table)
    end_melees(own)
    pinned = [unit.id for unit in own.state.units.values() if unit.pinned]
    if pinned:
        shown = [Change(id, "pinned", False) for id in pinned]
        own.find("3.8/end-of-phase", inputs={"units": pinned}, result="no longer pinned", shows=shown)
    settle_stuns(own)
    for vehicle in own.state.vehicles.values():
        vehicle.moved = vehicle.moving = vehicle.buttoned = vehicle.device_tried = vehicle.motion_tried = False
    for unit in own.state.units.values():
        unit.pinned = unit.was_pinned = unit.in_cc = unit.advanced = unit.hazard = unit.moved = False
        unit.below = None
    update_control(own)
    reveal_seen(own)  # 6.4 units are in Good Order again
    table.then("turn_end")
    return
    yield
