"""4.2, 6.2 The Command Phase of the advanced game: legal commands, and the placing of counters.

    6.2            place_commands, place_counters
    4.2            command_objections, legal_commands: the commands a unit may be given
    4.2.1 A-16     has_something_to_fire_at: may_lay_smoke, may_fire_indirectly
    4.2.1          check_commands, command_options

An answer gives each unit a command, or names the unit with which it shares a counter: `{"g1": "fire", "g2": "with
g1"}`. Which units share a counter is public, the counter is not; so a group may also be a bluff with No Command,
which is free.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.engine.geometry.hexes import Hex, distance, ring
from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.data_files import close_to, nearest
from pbem.titles.panzer.cards.ammunition import ammo_objections
from pbem.titles.panzer.cards.units import can_observe, is_engineer, is_recon
from pbem.titles.panzer.cards.weapons import Armament, How, weapons_of
from pbem.titles.panzer.command.command_control import (
    UNIQUE,
    Group,
    absent,
    bears,
    commandable,
    count_objections,
    determine_available_commands,
    gets_counter,
    group_objections,
    groups_of,
    in_command_range,
    in_play,
)
from pbem.titles.panzer.command.command_span import most_moves
from pbem.titles.panzer.command.dischargers import dischargers_step
from pbem.titles.panzer.command.morale import prepare_cohesion
from pbem.titles.panzer.command.radios import platoon_objections, silent_platoons
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.aiming import place_objections, reach_objections
from pbem.titles.panzer.fire.direct_smoke import smoke_objections
from pbem.titles.panzer.fire.special_fire import infantry_smoke_objections, repair_weapons
from pbem.titles.panzer.fire.turrets import prepare_hatches
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sequence import go_on
from pbem.titles.panzer.sighting.sight import Sight, Station, station_of
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import FIRING, WORD_OF, Command, Inside, PanzerState, Status, Unit

WITH: Final = "with "
"""The prefix in an answer for a unit that shares another's counter."""
MOVING: Final = (Command.MOVE, Command.SHORT_HALT)
WORDS: Final = tuple(command.value for command in Command)
CHOICES: Final = 40
"""How many of the many possible sets of commands for a whole side are listed."""


# --- 6.2 the phase ---------------------------------------------------------------------------------------------


def place_commands(table: Table[PanzerState]) -> Step:
    """6.2 Count the available commands; then both sides place their counters, sealed from each other."""
    state = table.state
    prepare_hatches(table)  # 7.8.3
    yield from dischargers_step(table)  # 7.9: still by the orders of the turn before
    state.phase = "command"
    prepare_cohesion(table)  # 7.1.1
    determine_available_commands(table)  # 6.2.1
    sides = [side for side in state.sides if commandable(state, side)]
    asks = tuple(Ask(side, "commands", "4.2.1", default={}, grade="order") for side in sides)
    answers = (yield Together(asks)) if asks else ()
    given = dict(zip(sides, answers, strict=True))
    counters = [place_counters(table, side, given.get(side, {})) for side in state.sides]  # 4.2.1
    table.find(table.data.cite("6.2"), inputs={"turn": state.turn}, children=counters)
    repair_weapons(table)  # 7.25
    go_on(table)


def place_counters(table: Table[PanzerState], side: str, answer: Mapping[str, str]) -> Finding:
    """4.2.1, 6.2.1.1.3 Place a counter for each unit or group; its presence is public, its type secret."""
    units = commandable(table.state, side)
    for unit in units:
        unit.shares = leader_of(answer, unit.id)
        word = answer.get(unit.shares or unit.id, Command.NO_COMMAND.value)
        unit.command, unit.revealed, unit.shown = Command(word), False, False
    edition = table.data.edition
    placed = [placed_command(table.data, unit) for unit in units]
    table.find("4.2.1", to=(side,), inputs={"side": side, "units": [unit.id for unit in units]}, children=placed)
    groups = groups_of(units)
    shared = [
        Finding("6.2.1.1.3", to=table.state.vehicles[ids[0]].audience, inputs={"units": ids}, result="shared")
        for ids in groups
        if len(ids) > 1
    ]
    inputs = {"side": side, "units": [unit.id for unit in units if not unit.hidden]}
    return Finding(ledger_row(edition, "4.2.1/secrecy"), inputs=inputs, result="face-down", children=tuple(shared))


def leader_of(answer: Mapping[str, str], unit: str) -> str:
    """6.2.1.1.3 The unit with which this one shares a counter, or an empty string if it has its own."""
    word = answer.get(unit, "")
    return word.removeprefix(WITH) if word.startswith(WITH) else ""


def placed_command(data: PanzerData, unit: Unit) -> Finding:
    """4.2 A unit's command, shown to its owner."""
    assert unit.command is not None
    word = unit.command.value
    rule = f"4.2/{word}"
    if unit.command is Command.NO_COMMAND and data.plays("command_control"):
        rule = ledger_row(data.edition, "6.2.1.1.3/nc-commands")
    return Finding(rule, to=(unit.side,), inputs={"unit": unit.id, "shares": unit.shares}, result=word)


# --- 4.2 legal commands ----------------------------------------------------------------------------------------


def command_objections(situation: Situation, unit: Unit, command: Command) -> Iterator[Objection]:
    """4.2, 4.2.1 Every reason why a unit cannot carry out a command on its own."""
    if not in_play(situation.state, unit):
        yield absent(unit)
    elif unit.bailed_out:
        yield Objection("5.15", say("the unit's crew has bailed out"))
    elif unit.aboard:
        yield Objection("6.6.7", say("passengers do not get their own command"))
    elif command in (*FIRING, Command.OVERWATCH) and unit.status is Status.RESERVE:
        yield Objection("2.0", say("a reinforcement needs a Move command to enter"))
    else:
        if command in MOVING:
            yield from move_objections(situation.data, unit, command)
        if command in FIRING:
            yield from fire_objections(situation, unit, command)
        elif command is Command.OVERWATCH:
            yield from overwatch_objections(situation, unit)


def move_objections(data: PanzerData, unit: Unit, command: Command) -> Iterator[Objection]:
    """4.2, 6.1.4.2, 6.6.4.1 Reasons why a unit cannot Move or make a Short Halt."""
    halt = command is Command.SHORT_HALT
    if unit.kind == "vehicle":
        if unit.track_hit:
            yield Objection("6.5.2.2.1", say("the unit's track is hit, so it cannot move"))
    elif unit.kind == "towed":
        if halt:
            yield Objection("6.6.5", say("guns cannot make a Short Halt"))
        elif unit.full_cover:
            yield Objection("6.1.4.2", say("a gun in full cover cannot move"))
        elif unit.inside is not Inside.NO:
            yield Objection("6.1.4.3.1", say("a gun set up inside a building cannot move"))
    else:
        burdened = data.leg(unit).size == "section" and bool(unit.attached)
        if unit.full_cover and halt:
            yield Objection("6.1.4.2", say("leg units in full cover cannot make a Short Halt"))
        elif unit.full_cover and burdened:
            yield Objection("6.1.4.2", say("a section with a weapon cannot move while in full cover"))
        if halt and burdened and data.leg(unit).mount != "cavalry":  # 6.6.4.5
            rule = ledger_row(data.edition, "6.6.4.1/short-halt")
            yield Objection(rule, say("a section with a weapon cannot make a Short Halt"))


def fire_objections(situation: Situation, unit: Unit, command: Command) -> Iterator[Objection]:
    """4.2.1 Object to Fire and Short Halt without a target for the unit or its passengers (A-16)."""
    data, view = situation.data, situation.state
    firing = [unit, *view.passengers(unit)]
    armed = [arm for one in firing for arm in weapons_of(data, one)]
    if data.basic and armed and not any(fires_directly(data, unit, arm) for arm in armed):
        yield Objection("4.4.3", say("none of the unit's weapons has an AP row"))
    elif not any(arm.fires or arm.indirect for arm in armed):
        yield Objection(
            "4.2/fire" if command is Command.FIRE else "4.2/short-halt",
            say("the unit is unarmed") if not armed else say("the unit has no weapon to fire"),
        )
    elif not any(has_something_to_fire_at(situation, one, command) for one in firing):
        spotted = any(view.spotted.get(one.id) for one in firing)
        yield from indirect_objections(situation, firing) if command is Command.FIRE else ()
        yield Objection(
            ledger_row(data.edition, "4.2.1/impossible"),
            say("the unit cannot fire at any of the enemies that it has spotted")
            if spotted
            else say("the unit spotted no enemy in the Spotting Phase"),
        )
        yield from out_of_reach(situation, unit) if data.basic else ()


def indirect_objections(situation: Situation, units: Sequence[Unit]) -> Iterator[Objection]:
    """5.1.3.1, 6.6.7.2 Why weapons that could fire indirectly cannot do so from where the units are."""
    for unit in units:
        for arm in weapons_of(situation.data, unit):
            if arm.indirect:
                yield from place_objections(situation, unit, arm)


def out_of_reach(situation: Situation, unit: Unit) -> Iterator[Objection]:
    """4.2.1 Why none of the unit's weapons can reach any enemy it has spotted."""
    data, view = situation.data, situation.state
    for target in (view.vehicles[id] for id in view.spotted.get(unit.id, ())):
        for arm in weapons_of(data, unit) if target.alive else ():
            if arm.weapon.has_ap:
                yield from reach_objections(situation, unit, arm, "ap", target)


def has_something_to_fire_at(situation: Situation, unit: Unit, command: Command) -> bool:
    """4.2.1, A-16 Whether the unit has a spotted target, a hex for smoke, or (Fire only) observed indirect fire."""
    return (
        any(_targets(situation, unit))
        or may_lay_smoke(situation, unit)
        or (command is Command.FIRE and may_fire_indirectly(situation, unit))
    )


def usable_weapons(situation: Situation, unit: Unit) -> list[Armament]:
    """5.1.3, 6.1.4.1.2, 6.6.7.2 The weapons a unit can fire from its position: aboard, upstairs or hull down."""
    return [arm for arm in weapons_of(situation.data, unit) if not any(place_objections(situation, unit, arm))]


def _targets(situation: Situation, unit: Unit) -> Iterator[str]:
    view = situation.state
    weapons = usable_weapons(situation, unit)
    for target in view.spotted.get(unit.id, ()):
        enemy = view.vehicles[target]
        if enemy.alive and any(can_attack(situation, unit, arm, enemy) for arm in weapons):
            yield target


def can_attack(situation: Situation, unit: Unit, arm: Armament, enemy: Unit) -> bool:
    """3.5, 4.4.3.1, 5.6 Whether the enemy is in the field of fire and in range of AP (vehicles) or GP fire."""
    away = distance(place_of(unit), place_of(enemy))
    if not away or not bears(situation, unit, arm, place_of(enemy)):
        return False
    ap = enemy.kind == "vehicle" and any(away <= arm.reach(how) for how in ap_hows(situation.data, unit, arm))
    gp = (
        situation.data.plays("gp_fire")
        and arm.gp_at(away) is not None
        and not (arm.fixed and enemy.kind == "vehicle")
    )
    return ap or gp


def ap_hows(data: PanzerData, unit: Unit, arm: Armament) -> list[How]:
    """5.16.1 The ways to fire AP with a weapon on the scenario's date."""
    return [how for how in arm.hows if how.startswith("ap") and not any(ammo_objections(data, unit, arm, how))]


def may_lay_smoke(situation: Situation, unit: Unit) -> bool:
    """6.1.4.3.10 Whether the unit could lay smoke by direct fire in a hex without friendly units."""
    if unit.hex is None or unit.aboard or not situation.data.plays("gp_fire"):
        return False
    by_hand = is_engineer(situation.data, unit)
    sight, here, board = Sight(situation), station_of(situation, unit), situation.data.board
    return not any(infantry_smoke_objections(situation, unit)) or any(  # 7.22
        (by_hand or bears(situation, unit, arm, hex)) and not any(smoke_objections(situation, unit, arm, hex))
        for arm in usable_weapons(situation, unit)
        if by_hand or "smoke" in arm.hows
        for away in range(1, 1 + (arm.reach("smoke") if "smoke" in arm.hows else 1))
        for hex in ring(unit.hex, away)
        if board.is_on_map(hex) and sight.between(here, Station(hex))  # most hexes are out of sight
    )


def may_fire_indirectly(situation: Situation, unit: Unit) -> bool:
    """6.5.1, A-16 Whether an observer on the unit's side has spotted an enemy in range of its indirect fire."""
    view = situation.state
    if unit.aboard or not situation.data.plays("indirect_fire"):
        return False
    rows = [(arm, arm.indirect) for arm in usable_weapons(situation, unit) if arm.indirect is not None]
    here = place_of(unit)
    return any(
        row.factor_at(distance(here, point)) is not None and bears(situation, unit, arm, point)
        for arm, row in rows
        for point in _observed_hexes(view, unit.side)
    )


def _observed_hexes(view: PanzerState, side: str) -> list[Hex]:
    """6.5.1.7 The hexes of enemies that a side's observers have spotted, and its mission points."""
    spotted = {target for unit in view.of(side) if can_observe(unit) for target in view.spotted.get(unit.id, ())}
    hexes = {view.vehicles[target].hex for target in spotted}
    hexes |= {mission.point for mission in view.missions.values() if mission.side == side}
    return sorted(hex for hex in hexes if hex is not None)


def overwatch_objections(situation: Situation, unit: Unit) -> Iterator[Objection]:
    """4.2, 6.5.1, 6.7.4 Object to Overwatch without an observer or a weapon for direct or AA fire, aboard or not."""
    if not any(can_overwatch(situation, one) for one in (unit, *situation.state.passengers(unit))):
        unarmed = not weapons_of(situation.data, unit)
        why = (
            say("the unit is unarmed")
            if unarmed
            else say("the unit has no direct-fire weapon and is not an observer")
        )
        if situation.data.basic and not unarmed:
            yield Objection("4.4.3", say("none of the unit's weapons has an AP row"))
        else:
            yield Objection("4.2/overwatch", why)


def can_overwatch(situation: Situation, unit: Unit) -> bool:
    """4.2, 6.5.1, 6.7.4 Whether Overwatch is any use to a unit; it never allows indirect fire."""
    data = situation.data
    arms = usable_weapons(situation, unit)
    return can_observe(unit) or any(
        fires_directly(data, unit, arm) or (arm.aa and data.plays("aircraft")) for arm in arms
    )


def fires_directly(data: PanzerData, unit: Unit, arm: Armament) -> bool:
    """4.2, 6.5 Whether a weapon is capable of direct fire, AP or GP, under the rules in use."""
    return bool(ap_hows(data, unit, arm)) or (arm.gp is not None and data.plays("gp_fire"))


def legal_commands(situation: Situation, unit: Unit) -> list[Command]:
    """4.2 The commands a unit may be given now, in the book's order."""
    return [command for command in Command if not any(command_objections(situation, unit, command))]


# --- 4.2.1 answers ---------------------------------------------------------------------------------------------


def check_commands(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """4.2.1, 6.2.1.1.3 Return the commands by unit, or refuse every one that cannot be given or shared."""
    if not isinstance(answer, dict):
        why = Objection("4.2.1", say("give a command for each unit"))
        raise Unreadable("commands", [why], ['{"g1": "fire", "g2": "with g1"}'])
    refusals = [refusal for unit in sorted(answer) for refusal in command_refusals(situation, ask.seat, answer, unit)]
    if not refusals:
        plain = {unit: resolve_sharing(answer, unit) for unit in sorted(answer)}
        refusals = list(refused_groups(situation, plain))
        if not refusals:
            return plain
    raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def resolve_sharing(answer: Mapping[str, str], unit: str) -> str:
    """6.2.1.1.3 A command, or `with` and the counter's owner, following any chain of `with`."""
    leader = root_of(answer, unit)
    return answer[unit] if leader in (unit, None) else f"{WITH}{leader}"


def root_of(answer: Mapping[str, str], unit: str) -> str | None:
    """6.2.1.1.3 The owner of the counter that this unit ends up using; None for a circular reference."""
    seen = [unit]
    while ahead := leader_of(answer, seen[-1]):
        if ahead in seen:
            return None
        seen.append(ahead)
    return seen[-1]


def command_refusals(situation: Situation, side: str, answer: Mapping[str, Any], id: str) -> Iterator[Refusal]:
    """4.2.1 Why a unit cannot be given a command, and which commands it could be given."""
    view = situation.state
    word, unit = answer[id], view.vehicles.get(id)
    if unit is None or unit.side != side:
        own = [own.id for own in commandable(view, side)]
        yield Illegal(id, [Objection("3.1", say("that is not your unit"))], close_to(id, own))
    elif not isinstance(word, str) or (word not in WORDS and not word.startswith(WITH)):
        near = nearest(str(word), WORDS)
        why = Objection("4.2", say("'{word}' is not a command", word=word))
        yield Unreadable(f"{id} {word}", [why], [f"{id} {near}"] if near else (*WORDS, "with another unit"))
    elif word.startswith(WITH):
        yield from refused_share(view, side, answer, unit)
    elif objections := list(command_objections(situation, unit, Command(word))):
        instead = [f"{id} {WORD_OF[command]}" for command in legal_commands(situation, unit)]
        yield Illegal(f"{id} {word}", objections, instead)


def refused_share(view: PanzerState, side: str, answer: Mapping[str, Any], unit: Unit) -> Iterator[Refusal]:
    """6.2.1.1.3 A unit can share only a counter that exists."""
    part, named = f"{unit.id} {answer[unit.id]}", leader_of(answer, unit.id)
    words = {id: word for id, word in answer.items() if isinstance(word, str)}
    leader = view.vehicles.get(named)
    own = [own.id for own in commandable(view, side)]
    if leader is None or leader.side != side:
        yield Illegal(part, [Objection("3.1", say("{named} is not your unit", named=named))], close_to(named, own))
    elif not (gets_counter(view, unit) and gets_counter(view, leader)):
        yield Illegal(
            part, [Objection("6.6.7", say("only units that get a command counter of their own can share one"))]
        )
    elif root_of(words, unit.id) is None:
        yield Illegal(
            part,
            [Objection("6.2.1.1.3", say("the units share a command in a circle; one of them must have the counter"))],
        )


def groups_in(view: PanzerState, answer: Mapping[str, str]) -> list[Group]:
    """6.2.1.1.3 The groups that share a counter in an answer. Every `with` must already name the counter's owner."""
    led: dict[str, list[Unit]] = {}
    for id in answer:
        led.setdefault(leader_of(answer, id) or id, [])
    for id in answer:
        if leader := leader_of(answer, id):
            led[leader].append(view.vehicles[id])
    return [
        Group(Command(answer.get(leader, Command.NO_COMMAND.value)), (view.vehicles[leader], *mates))
        for leader, mates in sorted(led.items())
    ]


def refused_groups(situation: Situation, answer: Mapping[str, str]) -> Iterator[Refusal]:
    """6.2.1.1.3 Groups that cannot share, members that cannot obey, and formations with too many commands."""
    groups = groups_in(situation.state, answer)
    for group in groups:
        leader, *mates = group.units
        if objections := list(group_objections(situation, group)):
            names = " ".join(unit.id for unit in mates)
            yield Illegal(f"{names} with {leader.id}", objections, [f"{leader.id} {group.command.value}"])
        for mate in mates:
            if objections := list(command_objections(situation, mate, group.command)):
                instead = [f"{mate.id} {WORD_OF[command]}" for command in legal_commands(situation, mate)]
                yield Illegal(f"{mate.id} with {leader.id} ({group.command.value})", objections, instead)
    for formation, objection in count_objections(situation, groups):
        yield Illegal(formation, [objection], list(lines_to_hold(groups, formation)))
    yield from refused_platoons(situation, groups)  # 7.4.2


def lines_to_hold(groups: Sequence[Group], formation: str) -> Iterator[str]:
    """6.2.1.1.3 The order lines that free a command for a formation: a unit with its own counter holds instead."""
    for group in reversed(groups):
        if len(group.units) == 1 and group.units[0].formation == formation and group.command in UNIQUE:
            yield f"{group.units[0].id} hold"


def refused_platoons(situation: Situation, groups: Sequence[Group]) -> Iterator[Refusal]:
    """7.4.2 Platoons without radios that were given different commands."""
    view = situation.state
    sides = {group.units[0].side for group in groups}
    units = [unit for side in sorted(sides) for unit in commandable(view, side)]
    commanded = [group for group in groups if group.command is not Command.NO_COMMAND]
    counters = {unit.id: group.units[0].id for group in commanded for unit in group.units}
    for unit, objection in platoon_objections(situation.data, units, counters):
        yield Illegal(unit, [objection])


def command_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """4.2.1 Offer to give no commands, then a fair selection of legal ones, shared where a formation runs out."""
    view = situation.state
    yield {}
    units = commandable(view, ask.seat)
    legal = {unit.id: legal_commands(situation, unit) for unit in units}
    for number in range(CHOICES if units else 0):
        yield choose_commands(situation, units, legal, Choice("commands", ask.seat, view.turn, number))


def choose_commands(
    situation: Situation,
    units: Sequence[Unit],
    legal: Mapping[str, Sequence[Command]],
    choice: Choice,
) -> dict[str, str]:
    """4.2.1 A command for each unit while its formation has any, then a place in a group that accepts it."""
    data = situation.data
    left = dict(situation.state.available)
    limits = {name: most_moves(situation, name, left[name]) for name in left}  # 7.52
    moves = {name: most for name, most in limits.items() if most is not None}
    groups: list[Group] = []
    answer: dict[str, str] = {}
    leaders = {mate.id: platoon[0] for platoon in silent_platoons(data, units) for mate in platoon}  # 7.4.2
    for unit in units:
        free = is_recon(unit) or not data.plays("command_control")
        leader = leaders.get(unit.id, unit)
        if leader is not unit:
            answer[unit.id] = f"{WITH}{leader.id}"
            continue
        mates = tuple(mate for mate in units if mate is not unit and leaders.get(mate.id) is unit)
        able = [one for one in legal[unit.id] if all(one in legal[mate.id] for mate in mates)]
        still = free or moves.get(unit.formation, 1) > 0
        command = choice.one_of([one for one in able if still or one not in MOVING])
        if command in UNIQUE and not free and left.get(unit.formation, 0) <= 0:
            place = None if mates else _place_in(situation, groups, unit, legal[unit.id])
            if place is None:
                answer[unit.id] = Command.NO_COMMAND.value
                continue
            groups[place] = groups[place]._replace(units=(*groups[place].units, unit))
            answer[unit.id] = f"{WITH}{groups[place].units[0].id}"
            continue
        answer[unit.id] = command.value
        groups.append(Group(command, (unit, *mates)))
        if command in UNIQUE and not free:
            left[unit.formation] -= 1
            if command in MOVING and unit.formation in moves:
                moves[unit.formation] -= 1
    return answer


def _place_in(situation: Situation, groups: Sequence[Group], unit: Unit, legal: Sequence[Command]) -> int | None:
    """6.2.1.1.3 The first group near the unit with a command that it could share."""
    for number, group in enumerate(groups):
        if group.command not in UNIQUE or group.command not in legal:
            continue
        if not in_command_range(situation, group.units[0], unit):  # columns on roads are left to players
            continue
        if not any(group_objections(situation, group._replace(units=(*group.units, unit)))):
            return number
    return None
