"""6.2 Command control: how many commands a formation has, who may share one, and who may be given what.

    6.2            place_commands, place_counters
    6.2.1          determine_available_commands
    6.2.1.1        active_units, supported_units: at most one unarmed unit for each combat unit
    6.2.1.1.2      command_range, in_command_range
    6.2.1.1.3      group_of, group_objections, order_of_march, count_objections
    6.2.1.1.4      all_in_command_range; firing and moving together are in the fire and movement modules
    4.2            command_objections, legal_commands: what a unit may be given
    4.2.1          check_commands, command_options, reveal

An answer gives each unit a command, or the unit whose counter it shares: `{"g1": "fire", "g2": "with g1"}`. Which
units share a counter is public, the counter is not; so a group may also be a bluff with No Command, which is free.
Every unit of a group has the command in its own `command`, and the unit whose counter it is in `shares`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from pbem.engine.asks import Answer, Ask, Step, Together
from pbem.engine.bots import Choice
from pbem.engine.findings import Finding
from pbem.engine.hexes import Hex, disc, distance, neighbours, opposite, within_30
from pbem.engine.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.table import Table
from pbem.titles.panzer.advanced.data_set import AdvancedData
from pbem.titles.panzer.advanced.sequence import go_on
from pbem.titles.panzer.advanced.state import AdvancedState, Inside, Unit
from pbem.titles.panzer.advanced.terrain import place_of, sees, up_of
from pbem.titles.panzer.advanced.units import (
    can_observe,
    formation_grade,
    is_combat_unit,
    is_engineer,
    is_recon,
)
from pbem.titles.panzer.advanced.weapons import (
    Armament,
    transported_objections,
    upstairs_objections,
    weapons_of,
)
from pbem.titles.panzer.advanced_charts import Grade
from pbem.titles.panzer.charts import nearest
from pbem.titles.panzer.commands import absent, in_play
from pbem.titles.panzer.direct_fire import FIRING, close_to
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.state import Command, Status

WITH: Final = "with "
"""What an answer says of a unit that shares another's counter."""
UNIQUE: Final = (Command.FIRE, Command.MOVE, Command.SHORT_HALT, Command.OVERWATCH)
"""6.2.1.1.3 The commands that use up one of the formation's; No Command does not."""
MOVING: Final = (Command.MOVE, Command.SHORT_HALT)
WORDS: Final = tuple(command.value for command in Command)
CHOICES: Final = 40
"""How many of the countless ways to command a whole side are listed."""
BROKEN: Final = ("broken-on", "broken-off")


# --- 6.2 the phase ---------------------------------------------------------------------------------------------


def place_commands(table: Table[AdvancedState]) -> Step:
    """6.2 Available commands are counted; then both sides place their counters, sealed from each other."""
    state = table.state
    state.phase = "command"
    determine_available_commands(table)                                                                   # 6.2.1
    sides = [side for side in state.sides if commandable(state, side)]
    asks = tuple(Ask(side, "commands", "4.2.1", default={}, waits=True) for side in sides)
    answers = (yield Together(asks)) if asks else ()
    given = dict(zip(sides, answers, strict=True))
    counters = [place_counters(table, side, given.get(side, {})) for side in state.sides]                 # 4.2.1
    table.find("6.2", inputs={"turn": state.turn}, children=counters)
    go_on(table)


def commandable(view: AdvancedState, side: str) -> list[Unit]:
    """4.2.1, 6.6.7 Units in play that get counters: no passengers, no vehicle that its crew has left."""
    return [unit for unit in view.vehicles.values() if unit.side == side and gets_counter(view, unit)]


def gets_counter(view: AdvancedState, unit: Unit) -> bool:
    """4.2.1, R-02, 6.6.7 On the map or due, no passenger, not abandoned."""
    return in_play(view, unit) and not unit.aboard and not unit.bailed_out


def place_counters(table: Table[AdvancedState], side: str, answer: Mapping[str, str]) -> Finding:
    """4.2.1, 6.2.1.1.3 A counter for each unit or group: its type for the owner alone, that it lies there for all."""
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
    return Finding(numbered(edition, "4.2.1/secrecy"), inputs=inputs, result="face-down", children=tuple(shared))


def leader_of(answer: Mapping[str, str], unit: str) -> str:
    """6.2.1.1.3 The unit whose counter this one shares; empty if it has its own."""
    word = answer.get(unit, "")
    return word.removeprefix(WITH) if word.startswith(WITH) else ""


def placed_command(data: AdvancedData, unit: Unit) -> Finding:
    """4.2 The command of a unit, for its owner."""
    assert unit.command is not None
    word = unit.command.value
    rule = f"4.2/{word}"
    if unit.command is Command.NO_COMMAND:
        rule = numbered(data.edition, "6.2.1.1.3/nc-commands")
    return Finding(rule, to=(unit.side,), inputs={"unit": unit.id, "shares": unit.shares}, result=word)


def groups_of(units: Iterable[Unit]) -> list[list[str]]:
    """6.2.1.1.3 The units under each counter, each group beginning with the unit whose counter it is."""
    groups: dict[str, list[str]] = {}
    for unit in sorted(units, key=lambda unit: (bool(unit.shares), unit.id)):
        groups.setdefault(unit.shares or unit.id, []).append(unit.id)
    return list(groups.values())


def group_of(state: AdvancedState, unit: Unit) -> list[Unit]:
    """6.2.1.1.3 The units on the map that share the counter of this one, itself included, in the order of ids."""
    leader = unit.shares or unit.id
    mates = [mate for mate in state.of(unit.side) if mate.id == unit.id or leader in (mate.id, mate.shares)]
    return sorted((mate for mate in mates if mate.command is not None or mate is unit), key=lambda mate: mate.id)


def reveal(state: AdvancedState, unit: Unit) -> list[Unit]:
    """4.2.1, 6.2.1.1.3 Turn up the counter of a unit, and with it that of all who share it."""
    mates = group_of(state, unit)
    for mate in mates:
        mate.revealed = True
    return mates


# --- 6.2.1 available commands ----------------------------------------------------------------------------------


def determine_available_commands(table: Table[AdvancedState]) -> None:
    """6.2.1 The unique commands of each formation with units in play, anew in every turn."""
    state, data = table.state, table.data
    state.available = {}
    if not data.plays("command_control"):
        return
    formations = []
    for formation in data.scenario.formations:
        if any(unit.formation == formation and gets_counter(state, unit) for unit in state.vehicles.values()):
            found = explain_available(data, state, formation)
            state.available[formation] = found.result
            formations.append(found)
    public = {name: state.available[name] for name in state.available if not hides(state, name)}
    table.find("6.2.1", inputs={"turn": state.turn}, result=public, children=formations)


def hides(state: AdvancedState, formation: str) -> bool:
    """7.2 Whether a formation has hidden units, which its number of commands would give away."""
    return any(unit.formation == formation and unit.hidden for unit in state.vehicles.values())


def explain_available(data: AdvancedData, state: AdvancedState, formation: str) -> Finding:
    """6.2.1.1, 6.2.1.1.1 Grade and active units give the number of commands; tens count the last column each."""
    grade, active = commanding_grade(data, state, formation), active_units(data, state, formation)
    commands = data.advanced.available_commands(grade, len(active))
    tens, units = divmod(len(active), 10)
    inputs = {"formation": formation, "grade": grade, "active": active}
    recon = [unit.id for unit in members(state, formation) if is_recon(unit) and gets_counter(state, unit)]
    children = [
        Finding("6.2.1.1.1", inputs={"tens": tens, "units": units}, cell=[grade, len(active)], result=commands),
        Finding("6.2.1.1.2", inputs={"formation": formation}, result=command_range(data, formation)),
    ]
    if recon:
        children.append(Finding("6.2.1.1.3/recon", inputs={"units": recon}, result=len(recon)))
    if inactive := inactive_unarmed(data, state, formation):
        children.append(Finding("6.2.1.1.3/inactive-unarmed", inputs={"units": inactive}, result="one command each"))
    to = (data.scenario.formations[formation].side,) if hides(state, formation) else None
    return Finding("6.2.1.1", to=to, inputs=inputs, result=commands, children=tuple(children))


def commanding_grade(data: AdvancedData, state: AdvancedState, formation: str) -> Grade:
    """5.8.2 The grade by which a formation's commands are counted."""
    return formation_grade(data, formation)


def members(state: AdvancedState, formation: str) -> list[Unit]:
    """5.8.2 The units of a formation on the map, passengers too, in the order of their ids."""
    units = (unit for unit in state.vehicles.values() if unit.formation == formation and unit.alive)
    return sorted(units, key=lambda unit: unit.id)


def is_broken(unit: Unit) -> bool:
    """7.1.5.2 Optional morale: a broken unit."""
    return any(flag in unit.flags for flag in BROKEN)


def active_units(data: AdvancedData, state: AdvancedState, formation: str) -> list[str]:
    """6.2.1.1 Combat units that are no passengers, and the unarmed units that they support; never recon."""
    units = members(state, formation)
    fighting = [unit.id for unit in units if counts(unit) and is_combat_unit(data, unit)]
    return sorted([*fighting, *supported_units(data, state, units)])


def counts(unit: Unit) -> bool:
    """6.2.1.1 Whether it can be active: no passenger, no recon unit, not abandoned, not broken."""
    return not (unit.aboard or is_recon(unit) or unit.bailed_out or is_broken(unit))


def supported_units(data: AdvancedData, state: AdvancedState, units: Sequence[Unit]) -> list[str]:
    """6.2.1.1 The unarmed units that are active: as many as can each have a combat unit of its own within range.

    Passengers support too, so a carrier always has its own; carriers of combat units come first.
    """
    fighting = [
        unit for unit in units if is_combat_unit(data, unit) and not is_recon(unit) and not is_broken(unit)
    ]
    unarmed = [unit for unit in units if counts(unit) and not is_combat_unit(data, unit)]
    carriers = {unit.aboard for unit in fighting if unit.aboard}
    unarmed.sort(key=lambda unit: (unit.id not in carriers, unit.id))
    near = {
        unit.id: [other.id for other in fighting if in_command_range(data, state, unit, other)] for unit in unarmed
    }
    return sorted(matched(near))


def matched(near: Mapping[str, Sequence[str]]) -> list[str]:
    """6.2.1.1 A maximum matching: who gets a partner of his own. Whoever has one never loses it to a later one."""
    partner_of: dict[str, str] = {}

    def find(one: str, tried: set[str]) -> bool:
        for other in near[one]:
            if other not in tried:
                tried.add(other)
                if other not in partner_of or find(partner_of[other], tried):
                    partner_of[other] = one
                    return True
        return False

    return [one for one in near if find(one, set())]


def inactive_unarmed(data: AdvancedData, state: AdvancedState, formation: str) -> list[str]:
    """6.2.1.1.3 The unarmed units, but recon, that no combat unit supports: each needs a command of its own."""
    units = members(state, formation)
    active = supported_units(data, state, units)
    return [
        unit.id for unit in units if counts(unit) and not is_combat_unit(data, unit) and unit.id not in active
    ]


# --- 6.2.1.1.2 command range -----------------------------------------------------------------------------------


def command_range(data: AdvancedData, formation: str) -> int:
    """6.2.1.1.2 In hexes, by the grade of the formation; 0 is the same hex."""
    return data.advanced.grades[formation_grade(data, formation)].command_range.value


def own_command_range(data: AdvancedData, unit: Unit) -> int:
    """6.2.1.1.2 Its formation's; a broken unit has none (7.1.5.2)."""
    return 0 if is_broken(unit) else command_range(data, unit.formation)


def in_command_range(data: AdvancedData, state: AdvancedState, a: Unit, b: Unit) -> bool:
    """6.2.1.1.2 Whether two units of one formation are within command range; no line of sight is needed.

    Reinforcements that have not entered are in one place: off the map.
    """
    if a.formation != b.formation:
        return False
    if a.hex is None or b.hex is None:
        return a.hex is b.hex
    return distance(a.hex, b.hex) <= min(own_command_range(data, a), own_command_range(data, b))


def all_in_command_range(data: AdvancedData, hexes: Iterable[Hex], formation: str) -> bool:
    """6.2.1.1.4 Whether hexes of targets or units are pairwise within a formation's command range (A-61)."""
    reach = command_range(data, formation)
    return all(distance(a, b) <= reach for a, b in combinations(tuple(hexes), 2))


# --- 6.2.1.1.3 sharing -----------------------------------------------------------------------------------------


class Group(NamedTuple):
    """6.2.1.1.3 A counter and the units under it; `units[0]` is the unit whose counter it is."""

    command: Command
    units: tuple[Unit, ...]


def group_objections(data: AdvancedData, view: AdvancedState, group: Group) -> Iterator[Objection]:
    """6.2.1.1.3 Everything that keeps units from sharing one counter."""
    if len(group.units) == 1:
        return
    if not data.plays("command_control"):
        yield Objection("6.2", "without command control every unit has a command of its own")
        return
    foreign = list(_membership_objections(group.units))
    yield from foreign
    if foreign or (group.command in (Command.MOVE, Command.NO_COMMAND) and is_column(data, view, group.units)):
        return
    yield from _range_objections(data, view, group)
    yield from _inactive_objections(data, view, group)


def _membership_objections(units: Sequence[Unit]) -> Iterator[Objection]:
    """6.2.1.1.3 Formations neither share nor trade; a recon unit's command is its own."""
    for unit in units:
        if unit.formation != units[0].formation:
            why = f"{unit.id} and {units[0].id} belong to different formations"
            yield Objection("6.2.1.1.3/formation-limits", why)
        if is_recon(unit):
            yield Objection("6.2.1.1.3/recon", f"{unit.id} is a recon unit and has a command of its own")


def _inactive_objections(data: AdvancedData, view: AdvancedState, group: Group) -> Iterator[Objection]:
    """6.2.1.1.3 Inactive unarmed units share on roads and paths only."""
    unarmed = [unit for unit in group.units if not is_combat_unit(data, unit)]
    inactive = inactive_unarmed(data, view, group.units[0].formation) if unarmed else []
    for unit in unarmed:
        if unit.id in inactive:
            why = f"{unit.id} is unarmed and inactive: it shares a Move on a road or path only"
            yield Objection("6.2.1.1.3/inactive-unarmed", why)


def _range_objections(data: AdvancedData, view: AdvancedState, group: Group) -> Iterator[Objection]:
    """6.2.1.1.3 Every two of them must be in command range of each other (A-59)."""
    reach = command_range(data, group.units[0].formation)
    apart = False
    for a, b in combinations(group.units, 2):
        if not in_command_range(data, view, a, b):
            apart = True
            yield Objection("6.2.1.1.3", f"{a.id} and {b.id} are not within {reach} of each other")
    if apart and group.command is Command.MOVE and all(unit.kind == "vehicle" for unit in group.units):
        rule = numbered(data.edition, "6.2.1.1.3/roads-and-paths")
        yield Objection(rule, "nor do they stand in column on a road or path")


def is_column(data: AdvancedData, view: AdvancedState, units: Sequence[Unit]) -> bool:
    """6.2.1.1.3 Vehicles on roads or paths, each stacked with or adjacent to the one ahead (A-60)."""
    return order_of_march(data, view, units) is not None


def order_of_march(data: AdvancedData, view: AdvancedState, units: Sequence[Unit]) -> list[str] | None:
    """6.2.1.1.3 A column behind `units[0]`: each stacked with or adjacent to the one ahead; None if there is none.

    Vehicles in one hex march one after the other; those that have not entered come last.
    """
    if not all(unit.kind == "vehicle" and _on_road(data, unit) for unit in units):
        return None
    lead, *rest = units
    by_hex: dict[Hex | None, list[str]] = {lead.hex: [lead.id]}
    for unit in sorted(rest, key=lambda unit: unit.id):
        by_hex.setdefault(unit.hex, []).append(unit.id)
    if lead.hex is None:                                               # nobody on the map follows one who is not
        return by_hex[None] if len(by_hex) == 1 else None
    way = _through(lead.hex, frozenset(hex for hex in by_hex if hex not in (None, lead.hex)), set())
    return None if way is None else [id for hex in (lead.hex, *way, None) for id in by_hex.get(hex, ())]


def _on_road(data: AdvancedData, unit: Unit) -> bool:
    """6.2.1.1.3 It can move at the road or path rate from where it stands; one that comes in may do so on a road."""
    return unit.hex is None or bool(data.board.links(unit.hex))


def _through(last: Hex, rest: frozenset[Hex], failed: set[tuple[Hex, frozenset[Hex]]]) -> list[Hex] | None:
    """A way from hex to neighbouring hex through all of these; `failed` are the attempts that lead nowhere."""
    if not rest:
        return []
    if (last, rest) in failed:
        return None
    for hex in neighbours(last):
        if hex in rest:
            way = _through(hex, rest - {hex}, failed)
            if way is not None:
                return [hex, *way]
    failed.add((last, rest))
    return None


def count_objections(
    data: AdvancedData, view: AdvancedState, groups: Iterable[Group]
) -> Iterator[tuple[str, Objection]]:
    """6.2.1.1.3 A formation places no more unique counters than it has commands; recon units have their own."""
    if not data.plays("command_control"):
        return
    placed: dict[str, int] = {}
    for group in groups:
        leader = group.units[0]
        if group.command in UNIQUE and not is_recon(leader):
            placed[leader.formation] = placed.get(leader.formation, 0) + 1
    for formation, count in placed.items():
        commands = view.available.get(formation, 0)
        if count > commands:
            name = data.scenario.formations[formation].name
            why = f"{name} has {commands} commands in this turn and none from elsewhere, {count} are placed"
            yield formation, Objection("6.2.1.1.3/formation-limits", why)


# --- 4.2 who may be given what ---------------------------------------------------------------------------------


def command_objections(
    data: AdvancedData, view: AdvancedState, unit: Unit, command: Command
) -> Iterator[Objection]:
    """4.2, 4.2.1 Everything that keeps a unit from carrying out a command by itself."""
    if not in_play(view, unit):
        yield absent(unit)
    elif unit.bailed_out:
        yield Objection("5.15", "its crew has bailed out")
    elif unit.aboard:
        yield Objection("6.6.7", "passengers have no command of their own")
    elif command in (*FIRING, Command.OVERWATCH) and unit.status is Status.RESERVE:
        yield Objection("2.0", "a reinforcement enters under a Move command")
    else:
        if command in MOVING:
            yield from move_objections(data, unit, command)
        if command in FIRING:
            yield from fire_objections(data, view, unit, command)
        elif command is Command.OVERWATCH:
            yield from overwatch_objections(data, view, unit)


def move_objections(data: AdvancedData, unit: Unit, command: Command) -> Iterator[Objection]:
    """4.2, 6.1.4.2, 6.6.4.1 What keeps a unit from a Move or Short Halt."""
    halt = command is Command.SHORT_HALT
    if unit.kind == "vehicle":
        if unit.track_hit:
            yield Objection("6.5.2.2.1", "its track is hit: it moves no more")
    elif unit.kind == "towed":
        if halt:
            yield Objection("6.6.5", "guns make no Short Halt")
        elif unit.full_cover:
            yield Objection("6.1.4.2", "a gun in full cover does not move")
        elif unit.inside is not Inside.NO:
            yield Objection("6.1.4.3.1", "a gun set up inside a building does not move")
    else:
        burdened = data.leg(unit).size == "section" and bool(unit.weapons)
        if unit.full_cover and halt:
            yield Objection("6.1.4.2", "leg units in full cover make no Short Halt")
        elif unit.full_cover and burdened:
            yield Objection("6.1.4.2", "a section with a weapon does not move while it is in full cover")
        if halt and burdened:
            rule = numbered(data.edition, "6.6.4.1/short-halt")
            yield Objection(rule, "a section with a weapon makes no Short Halt")


def fire_objections(
    data: AdvancedData, view: AdvancedState, unit: Unit, command: Command
) -> Iterator[Objection]:
    """4.2.1 No Fire or Short Halt without something to fire at, by itself or by its passengers (A-16)."""
    firing = [unit, *view.passengers(unit)]
    if not any(arm.fires or arm.indirect for one in firing for arm in weapons_of(data, one)):
        yield Objection(f"4.2/{command.value}", "it has no weapon to fire")
    elif not any(has_something_to_fire_at(data, view, one, command) for one in firing):
        spotted = any(view.spotted.get(one.id) for one in firing)
        why = "it can fire at none of the enemies it spotted" if spotted else "it spotted no enemy"
        yield Objection(numbered(data.edition, "4.2.1/impossible"), why)


def has_something_to_fire_at(data: AdvancedData, view: AdvancedState, unit: Unit, command: Command) -> bool:
    """4.2.1, A-16 A target spotted by itself, a hex for smoke, or indirect fire for an observer (Fire only)."""
    return (
        any(_targets(data, view, unit))
        or may_lay_smoke(data, view, unit)
        or (command is Command.FIRE and may_fire_indirectly(data, view, unit))
    )


def usable_weapons(data: AdvancedData, unit: Unit) -> list[Armament]:
    """5.1.3, 6.6.7.2 The weapons that it can fire where it is: not all work in a vehicle or upstairs."""
    return [
        arm
        for arm in weapons_of(data, unit)
        if not any(upstairs_objections(data, unit, arm))
        and not (unit.aboard and any(transported_objections(arm)))
    ]


def targets_at_order_time(data: AdvancedData, view: AdvancedState, unit: Unit) -> list[str]:
    """A-16 The enemies it spotted that a weapon of it can attack: range and field of fire, no modifiers."""
    return list(_targets(data, view, unit))


def _targets(data: AdvancedData, view: AdvancedState, unit: Unit) -> Iterator[str]:
    weapons = usable_weapons(data, unit)
    for target in view.spotted.get(unit.id, ()):
        enemy = view.vehicles[target]
        if enemy.alive and any(can_attack(data, view, unit, arm, enemy) for arm in weapons):
            yield target


def can_attack(data: AdvancedData, view: AdvancedState, unit: Unit, arm: Armament, enemy: Unit) -> bool:
    """3.5, 4.4.3.1 In range of AP fire (vehicles) or GP fire, and in the field of fire."""
    here, there = place_of(unit), place_of(enemy)
    away = distance(here, there)
    if not away or not bears(view, unit, arm, there):
        return False
    ap = enemy.kind == "vehicle" and any(away <= arm.reach(how) for how in arm.hows if how.startswith("ap"))
    gp = data.plays("gp_fire") and arm.gp_at(away) is not None and not (arm.fixed and enemy.kind == "vehicle")
    return ap or gp


def bears(view: AdvancedState, unit: Unit, arm: Armament, there: Hex) -> bool:
    """4.4.3.1 Whether a weapon points at a hex; passengers face as their carrier does."""
    if arm.weapon.turreted:
        return True
    facing = view.vehicles[unit.aboard].facing if unit.aboard else unit.facing
    return within_30(place_of(unit), there, opposite(facing) if arm.weapon.field == "rear" else facing)


def may_lay_smoke(data: AdvancedData, view: AdvancedState, unit: Unit) -> bool:
    """6.1.4.3.10 Whether there is a hex without friends into which it could put smoke by direct fire."""
    if unit.hex is None or unit.aboard:
        return False
    friends = {friend.hex for friend in view.of(unit.side)}
    if is_engineer(unit):
        return any(data.board.is_on_map(hex) and hex not in friends for hex in neighbours(unit.hex))
    return any(
        hex not in friends and _can_smoke(data, view, unit, arm, hex)
        for arm in usable_weapons(data, unit)
        if "smoke" in arm.hows
        for hex in disc(unit.hex, arm.reach("smoke"))
    )


def _can_smoke(data: AdvancedData, view: AdvancedState, unit: Unit, arm: Armament, hex: Hex) -> bool:
    here = place_of(unit)
    return (
        data.board.is_on_map(hex)
        and arm.gp_at(distance(here, hex)) is not None
        and bears(view, unit, arm, hex)
        and sees(data, view, here, hex, (up_of(data, view, unit), 0))
    )


def may_fire_indirectly(data: AdvancedData, view: AdvancedState, unit: Unit) -> bool:
    """6.5.1, A-16 Whether an observer of its side has spotted an enemy within reach of its indirect fire."""
    if unit.aboard or not data.plays("indirect_fire"):
        return False
    points = _observed(view, unit.side)
    here = place_of(unit)
    return any(
        arm.indirect is not None and arm.indirect.factor_at(distance(here, point)) and bears(view, unit, arm, point)
        for arm in usable_weapons(data, unit)
        for point in points
    )


def _observed(view: AdvancedState, side: str) -> list[Hex]:
    """6.5.1.7 The hexes of enemies that observers of a side have spotted, and the points of its missions."""
    spotted = {
        target for unit in view.of(side) if can_observe(unit) for target in view.spotted.get(unit.id, ())
    }
    hexes = {view.vehicles[target].hex for target in spotted}
    hexes |= {mission.point for mission in view.missions.values() if mission.side == side}
    return sorted(hex for hex in hexes if hex is not None)


def overwatch_objections(data: AdvancedData, view: AdvancedState, unit: Unit) -> Iterator[Objection]:
    """4.2, 6.5.1, 6.7.4 Overwatch is for direct fire, for fire at aircraft, and for observers; passengers count."""
    if not any(can_overwatch(data, one) for one in (unit, *view.passengers(unit))):
        yield Objection("4.2/overwatch", "it has no weapon for direct fire and is no observer")


def can_overwatch(data: AdvancedData, unit: Unit) -> bool:
    """4.2, 6.5.1, 6.7.4 Whether a unit has any use for Overwatch; it is never indirect fire."""
    return can_observe(unit) or any(arm.fires or arm.aa is not None for arm in usable_weapons(data, unit))


def legal_commands(data: AdvancedData, view: AdvancedState, unit: Unit) -> list[Command]:
    """4.2 The commands that a unit may be given now, in the book's order."""
    return [command for command in Command if not any(command_objections(data, view, unit, command))]


# --- 4.2.1 answers ---------------------------------------------------------------------------------------------


def check_commands(data: AdvancedData, view: AdvancedState, ask: Ask, answer: Answer) -> Answer:
    """4.2.1, 6.2.1.1.3 The commands by unit, or a refusal of every one that cannot be given or shared."""
    if not isinstance(answer, dict):
        why = Objection("4.2.1", "commands are given by unit")
        raise Unreadable("commands", [why], ['{"g1": "fire", "g2": "with g1"}'])
    refusals = [refusal for unit in sorted(answer) for refusal in refused(data, view, ask.seat, answer, unit)]
    if not refusals:
        plain = {unit: resolved(answer, unit) for unit in sorted(answer)}
        refusals = list(refused_groups(data, view, plain))
        if not refusals:
            return plain
    raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def resolved(answer: Mapping[str, str], unit: str) -> str:
    """6.2.1.1.3 A command, or `with` and the unit whose counter it is, however many `with` lead there."""
    leader = root_of(answer, unit)
    return answer[unit] if leader in (unit, None) else f"{WITH}{leader}"


def root_of(answer: Mapping[str, str], unit: str) -> str | None:
    """6.2.1.1.3 The unit whose counter this one uses in the end; None if they only point at each other."""
    seen = [unit]
    while ahead := leader_of(answer, seen[-1]):
        if ahead in seen:
            return None
        seen.append(ahead)
    return seen[-1]


def refused(
    data: AdvancedData, view: AdvancedState, side: str, answer: Mapping[str, Any], id: str
) -> Iterator[Refusal]:
    """4.2.1 Why one unit cannot be given one command, and what it could be given."""
    word, unit = answer[id], view.vehicles.get(id)
    if unit is None or unit.side != side:
        own = [own.id for own in commandable(view, side)]
        yield Illegal(id, [Objection("3.1", "it is not a unit of yours")], close_to(id, own))
    elif not isinstance(word, str) or (word not in WORDS and not word.startswith(WITH)):
        near = nearest(str(word), WORDS)
        why = Objection("4.2", f"there is no command '{word}'")
        yield Unreadable(f"{id} {word}", [why], [f"{id} {near}"] if near else (*WORDS, "with another unit"))
    elif word.startswith(WITH):
        yield from refused_share(view, side, answer, unit)
    elif objections := list(command_objections(data, view, unit, Command(word))):
        instead = [f"{id} {command.value}" for command in legal_commands(data, view, unit)]
        yield Illegal(f"{id} {word}", objections, instead)


def refused_share(view: AdvancedState, side: str, answer: Mapping[str, Any], unit: Unit) -> Iterator[Refusal]:
    """6.2.1.1.3 Another unit's counter can be shared only if there is one."""
    part, named = f"{unit.id} {answer[unit.id]}", leader_of(answer, unit.id)
    words = {id: word for id, word in answer.items() if isinstance(word, str)}
    leader = view.vehicles.get(named)
    own = [own.id for own in commandable(view, side)]
    if leader is None or leader.side != side:
        yield Illegal(part, [Objection("3.1", f"{named} is not a unit of yours")], close_to(named, own))
    elif not (gets_counter(view, unit) and gets_counter(view, leader)):
        yield Illegal(part, [Objection("6.6.7", "only units that get a counter can share one")])
    elif root_of(words, unit.id) is None:
        yield Illegal(part, [Objection("6.2.1.1.3", "they share in a circle: one of them must have the command")])


def groups_in(view: AdvancedState, answer: Mapping[str, str]) -> list[Group]:
    """6.2.1.1.3 The counters of an answer in which every `with` names the unit whose counter it is."""
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


def refused_groups(data: AdvancedData, view: AdvancedState, answer: Mapping[str, str]) -> Iterator[Refusal]:
    """6.2.1.1.3 Groups that cannot share, members that cannot carry out the command, formations that ask too much."""
    groups = groups_in(view, answer)
    for group in groups:
        leader, *mates = group.units
        if objections := list(group_objections(data, view, group)):
            names = " ".join(unit.id for unit in mates)
            yield Illegal(f"{names} with {leader.id}", objections, [f"{leader.id} {group.command.value}"])
        for mate in mates:
            if objections := list(command_objections(data, view, mate, group.command)):
                instead = [f"{mate.id} {command.value}" for command in legal_commands(data, view, mate)]
                yield Illegal(f"{mate.id} with {leader.id} ({group.command.value})", objections, instead)
    for formation, objection in count_objections(data, view, groups):
        yield Illegal(formation, [objection])


def command_options(data: AdvancedData, view: AdvancedState, ask: Ask) -> Iterator[Answer]:
    """4.2.1 No commands at all, then a fair choice of legal ones, shared where a formation has run out of them."""
    yield {}
    units = commandable(view, ask.seat)
    legal = {unit.id: legal_commands(data, view, unit) for unit in units}
    for number in range(CHOICES if units else 0):
        yield chosen(data, view, units, legal, Choice("commands", ask.seat, view.turn, number))


def chosen(
    data: AdvancedData,
    view: AdvancedState,
    units: Sequence[Unit],
    legal: Mapping[str, Sequence[Command]],
    choice: Choice,
) -> dict[str, str]:
    """4.2.1 A command for each unit as long as its formation has any, after that a place in a group that takes it."""
    left = dict(view.available)
    groups: list[Group] = []
    answer: dict[str, str] = {}
    for unit in units:
        free = is_recon(unit) or not data.plays("command_control")
        command = choice.one_of(legal[unit.id])
        if command in UNIQUE and not free and left.get(unit.formation, 0) <= 0:
            place = _place_in(data, view, groups, unit, legal[unit.id])
            if place is None:
                answer[unit.id] = Command.NO_COMMAND.value
                continue
            groups[place] = groups[place]._replace(units=(*groups[place].units, unit))
            answer[unit.id] = f"{WITH}{groups[place].units[0].id}"
            continue
        answer[unit.id] = command.value
        groups.append(Group(command, (unit,)))
        if command in UNIQUE and not free:
            left[unit.formation] -= 1
    return answer


def _place_in(
    data: AdvancedData, view: AdvancedState, groups: Sequence[Group], unit: Unit, legal: Sequence[Command]
) -> int | None:
    """6.2.1.1.3 The first group around the unit whose command it could share."""
    for number, group in enumerate(groups):
        if group.command not in UNIQUE or group.command not in legal:
            continue
        if not in_command_range(data, view, group.units[0], unit):     # columns on roads are left to players
            continue
        if not any(group_objections(data, view, group._replace(units=(*group.units, unit)))):
            return number
    return None
