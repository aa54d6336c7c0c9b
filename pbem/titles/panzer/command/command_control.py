"""6.2 Command control: how many commands a formation has, and which units may share one.

    6.2.1          determine_available_commands
    6.2.1.1        active_units, supported_units: at most one unarmed unit for each combat unit
    6.2.1.1.2      command_range, in_command_range
    6.2.1.1.3      Group, group_of, group_objections, order_of_march, count_objections; reveal
    6.2.1.1.4      range_among; firing and moving together are in the fire and movement modules

Legal commands and the Command Phase itself are in `commands`. Every unit of a group has the command in its own
`command`, and the id of the counter's owner in `shares`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from pbem.engine.geometry.hexes import Hex, distance, neighbours, opposite, within_30
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say, say_n
from pbem.titles.panzer.cards.chart_rows import Grade
from pbem.titles.panzer.cards.units import formation_grade, is_combat_unit, is_recon
from pbem.titles.panzer.cards.weapons import TURRETS, Armament
from pbem.titles.panzer.command.command_span import explain_span, grade_in_span, most_moves
from pbem.titles.panzer.command.platoons import PLATOONS, commands_from_above, sharing_objections
from pbem.titles.panzer.command.radios import are_one_platoon, explain_radios, has_radio
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.special_fire import is_platform
from pbem.titles.panzer.fire.turrets import can_turn_to, has_turret, locked_direction, points_at
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Status, Unit

UNIQUE: Final = (Command.FIRE, Command.MOVE, Command.SHORT_HALT, Command.OVERWATCH)
"""6.2.1.1.3 The commands that count against the formation's number of commands; No Command does not."""
MOVES: Final = (Command.MOVE, Command.SHORT_HALT)
BROKEN: Final = ("broken-on", "broken-off")


# --- 4.2.1 counters --------------------------------------------------------------------------------------------


def commandable(view: PanzerState, side: str) -> list[Unit]:
    """4.2.1, 6.6.7 Units in play that get counters: not passengers, and not abandoned vehicles."""
    return [unit for unit in view.vehicles.values() if unit.side == side and gets_counter(view, unit)]


def gets_counter(view: PanzerState, unit: Unit) -> bool:
    """4.2.1, R-02, 6.6.7 Whether the unit is on the map or due, not a passenger, and not abandoned."""
    return in_play(view, unit) and not unit.aboard and not unit.bailed_out


def groups_of(units: Iterable[Unit]) -> list[list[str]]:
    """6.2.1.1.3 The units under each counter, starting with the counter's owner."""
    groups: dict[str, list[str]] = {}
    for unit in sorted(units, key=lambda unit: (bool(unit.shares), unit.id)):
        groups.setdefault(unit.shares or unit.id, []).append(unit.id)
    return list(groups.values())


def group_of(state: PanzerState, unit: Unit) -> list[Unit]:
    """6.2.1.1.3 The units on the map that share this unit's counter, including itself, ordered by id."""
    units, leader = state.vehicles, unit.shares or unit.id
    mates = {mate.id: mate for mate in units.values() if mate.shares == leader}
    mates |= {one: units[one] for one in (unit.id, leader) if one in units}
    sharing = (mate for mate in mates.values() if mate.side == unit.side and mate.alive)
    return sorted((mate for mate in sharing if mate.command is not None or mate is unit), key=lambda mate: mate.id)


def is_watch_used(state: PanzerState, unit: Unit) -> bool:
    """6.2.1.1.4, 6.6.7.2 Whether a unit's Overwatch was used by its carrier, or by a unit that shares it."""
    holder = state.vehicles[unit.aboard] if unit.aboard else unit
    if unit.aboard and (holder.fired or holder.used_up == state.turn):
        return True
    return holder.revealed and len(group_of(state, holder)) > 1


def reveal(state: PanzerState, unit: Unit) -> list[Unit]:
    """4.2.1, 6.2.1.1.3 Reveal the counter of a unit, on the map or about to enter, and of all units that share it."""
    mates = [*group_of(state, unit), *(() if unit.alive else (unit,))]
    for mate in mates:
        mate.revealed = True
    return mates


# --- 6.2.1 available commands ----------------------------------------------------------------------------------


def determine_available_commands(table: Table[PanzerState]) -> None:
    """6.2.1 Determine each formation's unique commands, every turn, for formations with units in play."""
    state, data = table.state, table.data
    state.available = {}
    if not data.plays("command_control"):
        return
    formations = []
    for formation in data.scenario.formations:
        if any(unit.formation == formation and gets_counter(state, unit) for unit in state.vehicles.values()):
            if table.told:
                formations.append(explain_available(table, formation))
                state.available[formation] = formations[-1].result
            else:
                state.available[formation] = available_commands(table, formation)
    public = {name: state.available[name] for name in state.available if not conceals_commands(table, name)}
    table.find("6.2.1", inputs={"turn": state.turn}, result=public, children=formations)


def conceals_commands(situation: Situation, formation: str) -> bool:
    """7.2 Whether to conceal a formation's number of commands, which would give away its hidden units."""
    return situation.data.plays("hidden_units") or any(
        unit.formation == formation and unit.hidden for unit in situation.state.vehicles.values()
    )


def available_commands(situation: Situation, formation: str) -> int:
    """6.2.1.1 A formation's number of commands, unexplained."""
    active = active_units(situation, formation)
    return situation.data.advanced.available_commands(commanding_grade(situation, formation), len(active))


def explain_available(situation: Situation, formation: str) -> Finding:
    """6.2.1.1, 6.2.1.1.1 The number of commands by grade and active units; each full ten uses the last column."""
    data, state = situation.data, situation.state
    grade, active = commanding_grade(situation, formation), active_units(situation, formation)
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
    if inactive := inactive_unarmed(situation, formation):
        children.append(Finding("6.2.1.1.3/inactive-unarmed", inputs={"units": inactive}, result="one command each"))
    children += explain_span(situation, formation, commands)  # 7.52
    children += explain_radios(data, members(state, formation))  # 7.4
    to = (data.scenario.formations[formation].side,) if conceals_commands(situation, formation) else None
    return Finding("6.2.1.1", to=to, inputs=inputs, result=commands, children=tuple(children))


def commanding_grade(situation: Situation, formation: str) -> Grade:
    """5.8.2 The grade that determines a formation's number of commands."""
    return grade_in_span(situation, formation)  # 7.52


def members(state: PanzerState, formation: str) -> list[Unit]:
    """5.8.2 A formation's units on the map, passengers included, ordered by id."""
    units = (unit for unit in state.vehicles.values() if unit.formation == formation and unit.alive)
    return sorted(units, key=lambda unit: unit.id)


def is_broken(unit: Unit) -> bool:
    """7.1.5.2 Whether the unit is broken (optional morale)."""
    return bool(unit.flags) and any(flag in unit.flags for flag in BROKEN)


def active_units(situation: Situation, formation: str) -> list[str]:
    """6.2.1.1 The combat units other than passengers and recon, and the unarmed units that they support."""
    data = situation.data
    units = members(situation.state, formation)
    fighting = [unit.id for unit in units if can_be_active(unit) and is_combat_unit(data, unit)]
    return sorted([*fighting, *supported_units(situation, units)])


def can_be_active(unit: Unit) -> bool:
    """6.2.1.1 Whether the unit can be active: it must not be a passenger, a recon unit, abandoned or broken."""
    return not (unit.aboard or is_recon(unit) or unit.bailed_out or is_broken(unit))


def supported_units(situation: Situation, units: Sequence[Unit]) -> list[str]:
    """6.2.1.1 The active unarmed units: as many as can be paired with separate combat units within range.

    Passengers support too, so a carrier always has its own; carriers of combat units come first.
    """
    data = situation.data
    fighting = [unit for unit in units if is_combat_unit(data, unit) and not is_recon(unit) and not is_broken(unit)]
    unarmed = [unit for unit in units if can_be_active(unit) and not is_combat_unit(data, unit)]
    carriers = {unit.aboard for unit in fighting if unit.aboard}
    unarmed.sort(key=lambda unit: (unit.id not in carriers, unit.id))
    near = {unit.id: [other.id for other in fighting if in_command_range(situation, unit, other)] for unit in unarmed}
    return sorted(maximum_matching(near))


def maximum_matching(near: Mapping[str, Sequence[str]]) -> list[str]:
    """6.2.1.1 A maximum matching: the units that get a partner. A unit never loses its partner to a later one."""
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


def inactive_unarmed(situation: Situation, formation: str) -> list[str]:
    """6.2.1.1.3 Unarmed, non-recon units without a supporting combat unit; each needs its own command."""
    data = situation.data
    units = members(situation.state, formation)
    active = supported_units(situation, units)
    return [
        unit.id for unit in units if can_be_active(unit) and not is_combat_unit(data, unit) and unit.id not in active
    ]


# --- 6.2.1.1.2 command range -----------------------------------------------------------------------------------


def command_range(data: PanzerData, formation: str) -> int:
    """6.2.1.1.2 The command range in hexes, by the formation's grade; 0 is the same hex."""
    return data.advanced.grades[formation_grade(data, formation)].command_range.value


def own_command_range(data: PanzerData, unit: Unit) -> int:
    """6.2.1.1.2 The formation's range; 0 for a broken unit (7.1.5.2) or a vehicle without a radio (7.4.2)."""
    return 0 if is_broken(unit) or not has_radio(data, unit) else command_range(data, unit.formation)


def in_command_range(situation: Situation, a: Unit, b: Unit) -> bool:
    """6.2.1.1.2 Whether two units of a formation are within command range; no line of sight is needed.

    Reinforcements that have not entered count as being in one place: off the map.
    """
    if a.formation != b.formation and not are_one_chain(situation.data, a, b):
        return False
    if a.hex is None or b.hex is None:
        return a.hex is b.hex
    return distance(a.hex, b.hex) <= range_among(situation.data, (a, b))


def are_one_chain(data: PanzerData, a: Unit, b: Unit) -> bool:
    """7.3 Whether, with platoon command, one unit commands the other from the same or a higher formation."""
    return data.plays(PLATOONS) and (commands_from_above(data, a, b) or commands_from_above(data, b, a))


def range_among(data: PanzerData, units: Iterable[Unit]) -> int:
    """6.2.1.1.4 How far apart units that share a command, or their targets, may be: the shortest of their ranges."""
    return min(own_command_range(data, unit) for unit in units)


# --- 6.2.1.1.3 sharing -----------------------------------------------------------------------------------------


class Group(NamedTuple):
    """6.2.1.1.3 A counter and the units under it; `units[0]` owns the counter."""

    command: Command
    units: tuple[Unit, ...]


def group_objections(situation: Situation, group: Group) -> Iterator[Objection]:
    """6.2.1.1.3 Every reason why units cannot share one counter."""
    data = situation.data
    if len(group.units) == 1:
        return
    if not data.plays("command_control"):
        yield Objection("6.2", say("without command control, every unit needs its own command"))
        return
    foreign = [*_membership_objections(data, group.units), *sharing_objections(data, group.units)]  # 7.3
    foreign += _hidden_objections(situation.state, group.units)  # 7.2
    yield from foreign
    if foreign or (group.command in (Command.MOVE, Command.NO_COMMAND) and is_column(situation, group.units)):
        return
    yield from _range_objections(situation, group)
    yield from _inactive_objections(situation, group)


def _membership_objections(data: PanzerData, units: Sequence[Unit]) -> Iterator[Objection]:
    """6.2.1.1.3 Object if units of several formations, or a recon unit, would share a command."""
    for unit in units:
        if unit.formation != units[0].formation and not are_one_chain(data, unit, units[0]):
            why = say("{unit} and {units} belong to different formations", unit=unit.id, units=units[0].id)
            yield Objection("6.2.1.1.3/formation-limits", why)
        if is_recon(unit):
            yield Objection("6.2.1.1.3/recon", say("{unit} is a recon unit and needs its own command", unit=unit.id))


def hidden_under(view: PanzerState, unit: Unit) -> str:
    """7.2.1 The counter that hides a unit, or an empty string."""
    return next((one.id for one in view.hidden_counters.values() if unit.id in one.units), "")


def _hidden_objections(view: PanzerState, units: Sequence[Unit]) -> Iterator[Objection]:
    """7.2.2.2 Object if hidden units would share a command, except under the same hidden counter."""
    under = [hidden_under(view, unit) for unit in units]
    for unit, counter in zip(units, under, strict=True):
        if counter != under[0]:
            yield Objection(
                "7.2.2.2",
                say("{unit} and {other} are not under the same hidden counter", unit=unit.id, other=units[0].id)
                if counter and under[0]
                else say("a hidden unit cannot share a command with units outside its counter"),
            )


def _inactive_objections(situation: Situation, group: Group) -> Iterator[Objection]:
    """6.2.1.1.3 Object if inactive unarmed units would share a command off roads and paths."""
    data = situation.data
    unarmed = [unit for unit in group.units if not is_combat_unit(data, unit)]
    inactive = inactive_unarmed(situation, group.units[0].formation) if unarmed else []
    for unit in unarmed:
        if unit.id in inactive:
            why = say(
                "{unit} is unarmed and inactive, so it can only share a Move command along a road or path",
                unit=unit.id,
            )
            yield Objection("6.2.1.1.3/inactive-unarmed", why)


def _range_objections(situation: Situation, group: Group) -> Iterator[Objection]:
    """6.2.1.1.3 Yield an objection for each pair of units beyond command range of each other (A-59)."""
    data = situation.data
    reach = command_range(data, group.units[0].formation)
    apart = False
    for a, b in combinations(group.units, 2):
        if not in_command_range(situation, a, b) and not are_one_platoon(data, a, b):  # 7.4.2
            apart = True
            yield Objection(
                "6.2.1.1.3",
                say("{a} and {b} are too far apart; the command range is {reach}", a=a.id, b=b.id, reach=reach),
            )
    if apart and group.command is Command.MOVE and all(unit.kind == "vehicle" for unit in group.units):
        rule = ledger_row(data.edition, "6.2.1.1.3/roads-and-paths")
        yield Objection(rule, say("the units are not in column on a road or path either"))


def is_column(situation: Situation, units: Sequence[Unit]) -> bool:
    """6.2.1.1.3 Whether these vehicles are on roads or paths, each stacked with or adjacent to the next (A-60)."""
    return order_of_march(situation, units) is not None


def order_of_march(situation: Situation, units: Sequence[Unit]) -> list[str] | None:
    """6.2.1.1.3 A column behind `units[0]`, each stacked with or adjacent to the one ahead, or None.

    Vehicles in one hex march one after the other; those that have not entered come last.
    """
    data = situation.data
    if not all(unit.kind == "vehicle" and _on_road(data, unit) for unit in units):
        return None
    lead, *rest = units
    by_hex: dict[Hex | None, list[str]] = {lead.hex: [lead.id]}
    for unit in sorted(rest, key=lambda unit: unit.id):
        by_hex.setdefault(unit.hex, []).append(unit.id)
    if lead.hex is None:  # units on the map cannot follow one that is not
        return by_hex[None] if len(by_hex) == 1 else None
    way = _through(lead.hex, frozenset(hex for hex in by_hex if hex not in (None, lead.hex)), set())
    return None if way is None else [id for hex in (lead.hex, *way, None) for id in by_hex.get(hex, ())]


def _on_road(data: PanzerData, unit: Unit) -> bool:
    """6.2.1.1.3 Whether a unit can move at road or path rate from its hex; an entering unit may do so on a road."""
    return unit.hex is None or bool(data.board.links(unit.hex))


def _through(last: Hex, rest: frozenset[Hex], failed: set[tuple[Hex, frozenset[Hex]]]) -> list[Hex] | None:
    """A path through all these hexes, from each to an adjacent one; `failed` holds the dead ends found so far."""
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


def count_objections(situation: Situation, groups: Iterable[Group]) -> Iterator[tuple[str, Objection]]:
    """6.2.1.1.3 Object if a formation places more unique counters than it has commands; recon has its own."""
    data, view = situation.data, situation.state
    if not data.plays("command_control"):
        return
    placed: dict[str, int] = {}
    moving: dict[str, int] = {}
    for group in groups:
        leader = group.units[0]
        if group.command in UNIQUE and not is_recon(leader):
            placed[leader.formation] = placed.get(leader.formation, 0) + 1
            moving[leader.formation] = moving.get(leader.formation, 0) + (group.command in MOVES)
    for formation, count in placed.items():
        commands = view.available.get(formation, 0)
        if count > commands:
            name = data.scenario.formations[formation].name
            why = say_n(
                "{name} has {n} command this turn; your orders use {count}",
                "{name} has {n} commands this turn; your orders use {count}",
                n=commands,
                name=name,
                count=count,
            )
            yield formation, Objection("6.2.1.1.3/formation-limits", why)
        most = most_moves(situation, formation, commands)  # 7.52
        if most is not None and moving[formation] > most:
            why = say(
                "a unit is out of command span, so at most {most} Move and Short Halt commands are allowed", most=most
            )
            yield formation, Objection("7.52/chq", why)


# --- 4.4.3.1 fields of fire ------------------------------------------------------------------------------------


def bears(situation: Situation, unit: Unit, arm: Armament, there: Hex, *, turning: bool = False) -> bool:
    """4.4.3.1 Whether a weapon bears on a hex; passengers face as their carrier does, platforms all round (7.16).

    With 7.8 a turret points where it is turned; `turning` means that on overwatch it may still turn (7.8.4).
    """
    data = situation.data
    if (locked := locked_direction(data, unit, arm.index)) is not None:  # 7.23.2
        return within_30(place_of(unit), there, locked)
    if arm.weapon.turret in TURRETS and has_turret(data, unit):
        return points_at(unit, there) or (turning and can_turn_to(situation, unit, there) is not None)
    if arm.weapon.turreted or is_platform(data, unit):
        return True
    facing = situation.state.vehicles[unit.aboard].facing if unit.aboard else unit.facing
    return within_30(place_of(unit), there, opposite(facing) if arm.weapon.field == "rear" else facing)


def in_play(view: PanzerState, vehicle: Unit) -> bool:
    """R-02 Whether the vehicle is on the map, or a reinforcement that is due."""
    return vehicle.alive or (vehicle.status is Status.RESERVE and vehicle.entry_turn <= view.turn)


def absent(vehicle: Unit) -> Objection:
    """2.0, 4.2.1 Object to a command for a vehicle that is not in play."""
    match vehicle.status:
        case Status.RESERVE:
            return Objection(
                "2.0", say("the unit cannot enter before turn {entry_turn}", entry_turn=vehicle.entry_turn)
            )
        case Status.EXITED:
            return Objection("4.2.1", say("the unit has left the map"))
        case _:
            return Objection("4.2.1", say("the unit is eliminated"))
