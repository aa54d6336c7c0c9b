"""7.1 Morale: formations lose their cohesion, and their units hesitate or break.

    7.1.1        determine_cohesion: printed, or by a roll (7.1.1.1); at the first loss, if that option is in use
    7.1.1.2      losses, is_breaking
    7.1.2        Event: begin, finish; move_over: the events that make units check
    7.1.3        FORCED: reasons to check even in a formation that holds
    7.1.4        check_morale, CONDITIONS
    7.1.5        take_effect, turn_on (7.1.5.1, 7.1.5.2)
    7.1.6        recover_morale

The restrictions on hesitating and broken units, and their costs, are in the modules for those actions. Losses and
Cohesion Points are public; the enemy learns only the result of a check, because its modifiers would give a command
away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import distance
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.basic_rows import Cover
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier
from pbem.titles.panzer.cards.optional_rows import BreakPoint, Cohesion
from pbem.titles.panzer.cards.units import can_observe, formation_grade, formations_above, is_command
from pbem.titles.panzer.cards.weapons import is_armed
from pbem.titles.panzer.command.command_control import is_broken, own_command_range
from pbem.titles.panzer.command.radios import has_radio
from pbem.titles.panzer.damage.attacks import ATTACKED, close_event, open_event
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sighting.limited_spotting import has_noticed
from pbem.titles.panzer.sighting.terrain import cover_of, in_improved_position, is_inside
from pbem.titles.panzer.situation import Situated, Situation
from pbem.titles.panzer.state import Command, Damage, PanzerState, Unit

MORALE: Final = "morale"
DETERMINED: Final = "determined_cohesion"
"""7.1.1.1 Roll for cohesion even if the scenario prints it."""
DELAYED: Final = "delayed_cohesion"
"""7.1.1.1 Roll for cohesion at a formation's first loss."""
COHESION: Final = "cohesion"
"""The note that keeps the formations' Cohesion Points."""

HESITATING: Final = ("hesitating-on", "hesitating-off")
BROKEN: Final = ("broken-on", "broken-off")
MARKERS: Final = (*HESITATING, *BROKEN)
TURNED: Final = {"hesitating-off": ("hesitating-on", "7.1.5.1"), "broken-off": ("broken-on", "7.1.5.2")}

Attack = Literal["fire", "close-assault", "hand-to-hand", "overrun"]
FORCED: Final = ("command-unit-lost", "overrun", "comrade-lost", "flamethrower")
"""7.1.3 Reasons for units to check even while their formation holds."""

# --- 7.1.1 cohesion --------------------------------------------------------------------------------------------


def prepare_cohesion(table: Table[PanzerState]) -> None:
    """7.1.1 Give every formation its Cohesion Points before the first turn, unless deferred to its first loss."""
    if not table.data.plays(MORALE) or table.data.plays(DELAYED):
        return
    for formation in table.data.scenario.formations:
        if formation not in table.state.notes.get(COHESION, {}) and combat_units(table, formation):
            determine_cohesion(table, formation)


def determine_cohesion(table: Table[PanzerState], formation: str) -> None:
    """7.1.1 Use the printed points, otherwise those of the printed level; otherwise, or if agreed, roll."""
    data, row = table.data, table.data.scenario.formations[formation]
    units = combat_units(table, formation)
    inputs = {"formation": formation, "units": units}
    rolled = data.plays(DETERMINED) or data.plays(DELAYED) or not (row.cohesion or row.level)
    if rolled:
        found = roll_for_cohesion(table, formation, units)
    elif row.cohesion:
        found = Finding("7.1.1", inputs={**inputs, "level": row.level}, result=row.cohesion)
    else:
        points = data.advanced.cohesion_points(level_named(data, row.level), units)
        found = Finding("7.1.1", inputs={**inputs, "level": row.level}, result=points)
    table.state.notes.setdefault(COHESION, {})[formation] = int(found.result)
    table.find("7.1", inputs={"formation": formation}, result=found.result, children=[found])


def combat_units(table: Table[PanzerState], formation: str) -> int:
    """7.1.1 The number of combat units in a formation, including those still to come and those lost."""
    units = table.state.vehicles.values()
    return sum(unit.formation == formation and is_fighting(table.data, unit) for unit in units)


def is_fighting(data: PanzerData, unit: Unit) -> bool:
    """4.1.1 Whether this is a combat unit, regardless of its crew's fate."""
    return is_armed(data, unit) or can_observe(unit)


def roll_for_cohesion(table: Table[PanzerState], formation: str, units: int) -> Finding:
    """7.1.1.1 A d100 roll, modified by nation and grade, gives the level, and the level gives the points."""
    data, row = table.data, table.data.scenario.formations[formation]
    die = table.roll(100, "7.1.1.1", formation)
    grade = data.advanced.grades[formation_grade(data, formation)].cohesion
    nation = cohesion_modifier(data, formation)
    rolled = data.advanced.cohesion_level(die + grade.value + nation)
    level, limits = limit_level(data, formation, rolled)
    points = data.advanced.cohesion_points(level, units)
    rows: list[dict[str, Any]] = [
        {"when": "nation", "value": nation, "rule": "7.1.1.1", "text": f"{row.nation} formation"},
        {"when": "grade", "value": grade.value, "rule": "7.1.1.1", "source": grade.source, "text": row.grade},
    ]
    children = [Finding("7.1.1", inputs={"formation": formation, "level": level.name}, result=points), *limits]
    if data.plays(DELAYED):
        children.append(Finding("7.1.1.1/delayed", inputs={"formation": formation}, result="at the first loss"))
    return Finding(
        "7.1.1.1",
        inputs={"formation": formation, "units": units, "total": die + grade.value + nation, "level": level.name},
        modifiers=tuple(row for row in rows if row["value"]),
        cell=[level.name, units],
        dice=(die,),
        result=points,
        children=tuple(children),
    )


def cohesion_modifier(data: PanzerData, formation: str) -> int:
    """7.1.1.1 The modifier by nation and deployment: the scenario's, or that of Soviet formations, or 0."""
    row = data.scenario.formations[formation]
    if row.cohesion_modifier is not None:
        return row.cohesion_modifier
    return data.advanced.number("cohesion_soviet") if row.nation == "soviet" else 0


def level_named(data: PanzerData, name: str) -> Cohesion:
    """7.1.1 The cohesion level with this name."""
    return next(row for row in data.advanced.optional.cohesion if row.name == name)


def limit_level(data: PanzerData, formation: str, rolled: Cohesion) -> tuple[Cohesion, list[Finding]]:
    """7.1.1.1 Keep a level within the nation's limits around the level that the scenario prints."""
    row = data.scenario.formations[formation]
    if not row.level:
        return rolled, []
    printed, limit = level_named(data, row.level).level, cohesion_limit(data, row.nation)
    highest, lowest = min(9, printed + limit.up.value), max(1, printed - limit.down.value)
    number = max(lowest, min(highest, rolled.level))
    level = next(row for row in data.advanced.optional.cohesion if row.level == number)
    inputs = {"printed": row.level, "rolled": rolled.name, "highest": highest, "lowest": lowest}
    return level, [Finding("7.1.1.1/limits", inputs=inputs, result=level.name)]


def cohesion_limit(data: PanzerData, nation: str) -> Any:
    """7.1.1.1 A nation's row; unlisted nations use the last row."""
    rows = data.advanced.optional.cohesion_limit
    return next((row for row in rows if nation in row.nations), rows[-1])


# --- 7.1.1.2 losses --------------------------------------------------------------------------------------------


def losses(situation: Situation, formation: str) -> int:
    """7.1.1.2 Combat units eliminated, and combat vehicles abandoned or destroyed, each counted once."""
    data = situation.data
    units = (unit for unit in situation.state.vehicles.values() if unit.formation == formation)
    return sum(unit.lost and is_fighting(data, unit) for unit in units)


def is_breaking(situation: Situation, formation: str) -> bool:
    """7.1.1.2 Whether a formation has at least as many losses as Cohesion Points; losses never decrease."""
    points = situation.state.notes.get(COHESION, {}).get(formation, 0)
    return points > 0 and losses(situation, formation) >= points


def count_losses(table: Table[PanzerState], lost: Iterable[Unit]) -> None:
    """7.1.1.2 After an event, count the losses of formations that have new ones."""
    data, state = table.data, table.state
    for formation in sorted({unit.formation for unit in lost if is_fighting(data, unit)}):
        if formation not in state.notes.get(COHESION, {}):
            determine_cohesion(table, formation)  # 7.1.1.1/delayed
        points = state.notes[COHESION][formation]
        result = "breaking" if is_breaking(table, formation) else "holds"
        inputs = {"formation": formation, "losses": losses(table, formation), "points": points}
        table.find("7.1.1.2", inputs=inputs, result=result)


# --- 7.1.2 events ----------------------------------------------------------------------------------------------


class Event(NamedTuple):
    """7.1.2 The situation before an event."""

    attacked: tuple[str, ...]
    nested: bool
    lost: frozenset[str]
    logged: int


def begin(table: Table[PanzerState]) -> Event | None:
    """7.1.2 Begin an event, to which all attacks from now on belong. None if morale is not in use."""
    if not table.data.plays(MORALE):
        return None
    nested = ATTACKED in table.state.notes
    lost = frozenset(unit.id for unit in table.state.vehicles.values() if unit.lost)
    return Event(open_event(table.state), nested, lost, len(table.findings))


def finish(table: Table[PanzerState], event: Event | None, attack: Attack = "fire", *, flame: bool = False) -> None:
    """7.1.2 End the event: count its losses, then each unit with a pending check rolls once."""
    if event is None:
        return
    state = table.state
    attacked = close_event(state, event.attacked, event.nested)
    lost = [unit for unit in state.vehicles.values() if unit.lost and unit.id not in event.lost]
    count_losses(table, lost)
    brewed = brewed_up(table.findings[event.logged :])
    aimed = attack_word(attack, flame)
    for unit in in_order(state):
        reasons = list(reasons_to_check(table, unit, lost, brewed, attack))
        if unit in attacked:
            reasons.append("attacked" if aimed == "overrun" and is_sheltered(table, unit) else aimed)
        require_check(table, unit, reasons, attack)


def attack_word(attack: Attack, flame: bool) -> str:
    """7.1.2, 7.1.3 The kind of attack from the target's point of view."""
    return "flamethrower" if flame else "overrun" if attack == "overrun" else "attacked"


def brewed_up(findings: Iterable[Finding]) -> frozenset[str]:
    """6.5.2.5 The vehicles that have brewed up according to the log."""
    found: set[str] = set()
    for finding in findings:
        if finding.rule == "6.5.2.5/bu":
            found.add(str(finding.inputs["unit"]))
        found |= brewed_up(finding.children)
    return frozenset(found)


def in_order(state: PanzerState) -> list[Unit]:
    """7.1.2 The units that can check, ordered by id; those of the First Player come first."""
    units = [unit for unit in state.vehicles.values() if unit.alive and not unit.bailed_out]
    return sorted(units, key=lambda unit: (unit.side != state.first, unit.id))


def reasons_to_check(
    situation: Situation,
    unit: Unit,
    lost: Sequence[Unit],
    brewed: frozenset[str],
    attack: Attack,
) -> Iterator[str]:
    """7.1.2 Losses near a unit that make it check; a vehicle that brews up may have been abandoned before."""
    data, state = situation.data, situation.state
    burnt = (state.vehicles[id] for id in sorted(brewed))
    if any(gone.formation == unit.formation and gone.hex == unit.hex for gone in burnt):
        yield "brew-up"
    if any(is_command(gone) and commands(data, gone, unit) and near(data, unit, gone) for gone in lost):
        yield "command-unit-lost"
    on_foot = [gone for gone in lost if gone.kind != "vehicle" and gone.formation == unit.formation]
    beside = unit.kind != "vehicle" and any(gone.hex == unit.hex for gone in on_foot)
    if beside and attack in ("overrun", "hand-to-hand"):
        yield "comrade-lost"


def commands(data: PanzerData, superior: Unit, unit: Unit) -> bool:
    """7.1.2 Whether a command unit is in a unit's chain of command: in its formation or one above."""
    return superior is not unit and superior.formation in formations_above(data, unit.formation)


def near(data: PanzerData, unit: Unit, other: Unit) -> bool:
    """6.2.1.1.2 Whether another unit is within command range, measured from the unit that checks."""
    if unit.hex is None or other.hex is None:
        return False
    return distance(unit.hex, other.hex) <= own_command_range(data, unit)


def is_sheltered(situation: Situation, unit: Unit) -> bool:
    """7.1.3 Whether the unit is in an improved position or a building, where an overrun does not force a check."""
    return in_improved_position(situation.state, unit) or is_inside(situation, unit)


def require_check(table: Table[PanzerState], unit: Unit, reasons: Sequence[str], attack: Attack = "fire") -> None:
    """7.1.2, 7.1.3 A unit checks if its formation is breaking, or if an event forces it to."""
    if not reasons:
        return
    breaking = is_breaking(table, unit.formation)
    forced = not breaking and any(reason in FORCED for reason in reasons)
    if not breaking and not forced:
        return
    if is_put_off(table, unit, attack):
        due = "check-forced" if forced else "check-due"
        unit.flags = (*(flag for flag in unit.flags if flag not in DUE), due)
        return
    carry_out(table, unit, reasons, forced=forced)


def carry_out(table: Table[PanzerState], unit: Unit, reasons: Sequence[str], *, forced: bool) -> None:
    """7.1.2, 7.1.3 Make one check and apply its result at once."""
    result = str(check_morale(table, unit, forced=forced).result)
    effect = take_effect(unit, result)
    inputs = {"unit": unit.id, "reasons": list(reasons)}
    rule = "7.1.3" if forced else "7.1.2"
    table.find(rule, to=unit.audience, inputs=inputs, result=effect.result, children=[effect])


def move_over(table: Table[PanzerState], unit: Unit) -> None:
    """7.1.2, 7.1.5 When a unit has left its hex, turn Off markers to On; in a breaking formation, let it check."""
    if not table.data.plays(MORALE) or not unit.alive or unit.bailed_out:
        return
    turn_on(table, unit)
    require_check(table, unit, ["moved"])


# --- 7.42.1.2 deferred checks ------------------------------------------------------------------------------------

DUE: Final = ("check-due", "check-forced")


def is_put_off(table: Table[PanzerState], unit: Unit, attack: Attack) -> bool:
    """7.42.1.2, 7.42.2 Whether a check is deferred until after all direct fire or overruns (staggered initiative)."""
    state = table.state
    if not (table.data.plays("staggered_initiative") and state.acting):
        return False
    return attack == ("overrun" if state.phase == "movement" else "fire")


def carry_out_due(table: Table[PanzerState], units: Iterable[Unit]) -> None:
    """7.42.1.2 Make the checks that were deferred."""
    for unit in units:
        due = next((flag for flag in unit.flags if flag in DUE), "")
        if due:
            unit.flags = tuple(flag for flag in unit.flags if flag not in DUE)
            if unit.alive and not unit.bailed_out:
                carry_out(table, unit, ["attacked"], forced=due == "check-forced")


# --- 7.1.4 the check -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Check(Situated):
    """7.1.4 A unit that checks; `spotting` says whether the enemies it spots matter (7.6)."""

    situation: Situation
    unit: Unit
    forced: bool
    spotting: bool = True

    @property
    def cover(self) -> Cover:
        """7.1.4 Combat cover; passengers have none."""
        if self.unit.aboard:
            return Cover.NONE
        return cover_of(self.situation, self.unit, "ap" if self.unit.kind == "vehicle" else "gp")

    @property
    def nearest(self) -> int:
        """7.1.4 The distance to the nearest enemy the unit itself spots; 99 if none is within 5 hexes."""
        here = self.unit.hex
        if here is None or not self.spotting:
            return 99
        away = [
            distance(here, enemy.hex)
            for enemy in self.state.of(self.state.enemy(self.unit.side))
            if enemy.hex is not None
            and distance(here, enemy.hex) <= 5
            and not enemy.hidden  # 7.2
            and has_noticed(self.situation, self.unit, enemy)  # 7.7, 7.24
        ]
        return min(away, default=99)


def command_unit_near(check: Check) -> bool:
    """7.1.4 Whether an unbroken unit in the chain of command is near.

    Without a radio, it must be in the same hex (7.4.4).
    """
    unit = check.unit
    helpers = [
        other
        for other in check.state.of(unit.side)
        if is_command(other) and not is_broken(other) and not other.bailed_out and commands(check.data, other, unit)
    ]
    if not has_radio(check.data, unit):
        return any(other.hex == unit.hex for other in helpers)
    return any(near(check.data, unit, other) for other in helpers)


def broken_unit_near(check: Check) -> bool:
    """7.1.4 Whether another broken unit of the formation is near."""
    unit = check.unit
    return any(
        other is not unit and other.formation == unit.formation and is_broken(other) and near(check.data, unit, other)
        for other in check.state.of(unit.side)
    )


def had_command(state: PanzerState, unit: Unit) -> bool:
    """7.1.4 Whether the unit was given a command this turn, carried out or not; passengers use their carrier's."""
    return state.order_of(unit) not in (None, Command.NO_COMMAND)


CONDITIONS: Final[Mapping[str, tuple[str, Callable[[Check], int]]]] = {
    "unit_grade": ("", lambda check: check.data.advanced.grades[check.unit.grade].morale.value),
    "medium_cover": ("medium-cover", lambda check: check.cover is Cover.MEDIUM),
    "heavy_cover": ("heavy-cover", lambda check: check.cover is Cover.HEAVY),
    "command_unit_near": ("command-unit", command_unit_near),
    "suppressed_or_damaged": (
        "suppressed-damaged",
        lambda check: check.unit.suppressed or check.unit.damage is not Damage.NONE,
    ),
    "forced": ("forced", lambda check: check.forced),
    "broken_unit_near": ("broken-in-range", broken_unit_near),
    "enemy_within_2": ("spotted-2", lambda check: check.nearest <= 2),
    "enemy_within_5": ("spotted-5", lambda check: 2 < check.nearest <= 5),
    "had_command": ("command-not-nc", lambda check: had_command(check.state, check.unit)),
}
"""7.1.4 For each row of the chart, its paragraph and how often it applies; the grade row gives the grade itself."""


def check_morale(table: Table[PanzerState], unit: Unit, *, forced: bool, spotting: bool = True) -> Finding:
    """7.1.4 Roll a d100 with modifiers on the nation's row; low totals are bad. Only the owner sees the check."""
    data = table.data
    check = Check(table, unit, forced, spotting)
    rows = [(row, int(CONDITIONS[row.when][1](check))) for row in data.advanced.modifiers["morale"]]
    rows = [(row, times) for row, times in rows if times]
    net = sum(row.value * times for row, times in rows)
    die = table.roll(100, "7.1.4", unit.id, secret=True)
    point, total = break_point(data, unit), die + net
    result = "broken" if total <= point.breaks.value else "hesitating" if total <= point.hesitates.value else "none"
    inputs = {"unit": unit.id, "forced": forced, "net": net, "total": total}
    children = [row_finding(row, times, unit) for row, times in rows]
    children += [] if has_radio(data, unit) else [Finding("7.4.4", inputs={"unit": unit.id}, result="same hex")]
    return table.find(
        "7.1.4",
        to=(unit.side,),
        inputs=inputs,
        modifiers=[msgspec.to_builtins(row) | {"value": row.value * times} for row, times in rows],
        cell=[point.nation, point.breaks.value, point.hesitates.value],
        dice=[die],
        result=result,
        children=children,
    )


def row_finding(row: AdvancedModifier, times: int, unit: Unit) -> Finding:
    """7.1.4 A modifier as a finding under its paragraph."""
    paragraph = CONDITIONS[row.when][0] or unit.grade
    return Finding(f"7.1.4/{paragraph}", inputs={"unit": unit.id}, result=row.value * times)


def break_point(data: PanzerData, unit: Unit) -> BreakPoint:
    """7.1.4 The row of the Break Point Table for the nation of the unit's formation."""
    rows = {row.nation: row for row in data.advanced.optional.break_point}
    return rows.get(data.scenario.formations[unit.formation].nation, rows["other"])


# --- 7.1.5 results ---------------------------------------------------------------------------------------------


def take_effect(unit: Unit, result: str) -> Finding:
    """7.1.5 Broken replaces hesitating, never the reverse; the same result again turns the marker to On."""
    inputs = {"unit": unit.id}
    if result == "none" or (result == "hesitating" and is_broken(unit)):
        return Finding("7.1.5", inputs=inputs, result="none")
    mark(unit, f"{result}-on")
    rule = "7.1.5.2" if result == "broken" else "7.1.5.1"
    marked = Finding(rule, inputs=inputs, result=f"{result}-on")
    return Finding("7.1.5", inputs=inputs, result=result, children=(marked,))


def mark(unit: Unit, marker: str) -> None:
    """7.1.5 Give a unit a morale counter in place of any other: it has at most one."""
    unit.flags = (*(flag for flag in unit.flags if flag not in MARKERS), *([marker] if marker else []))


def turn_on(table: Table[PanzerState], unit: Unit) -> None:
    """7.1.5.1, 7.1.5.2 Moving turns an Off marker to On."""
    for marker, (shown, rule) in TURNED.items():
        if marker in unit.flags:
            mark(unit, shown)
            table.find(rule, to=unit.audience, inputs={"unit": unit.id, "before": marker}, result=shown)


# --- 7.1.6 recovery --------------------------------------------------------------------------------------------


def recover_morale(table: Table[PanzerState], modifiers: Callable[[Unit], list[AdvancedModifier]]) -> None:
    """7.1.6 After suppression, recover units with Off markers: hesitation passes by itself, broken units roll."""
    if not table.data.plays(MORALE):
        return
    for unit in in_order(table.state):
        if "hesitating-off" in unit.flags:
            mark(unit, "")
            why = Finding("7.1.6.1", inputs={"unit": unit.id}, result="recovered")
            table.find("7.1.6", to=unit.audience, inputs={"unit": unit.id}, result="recovered", children=[why])
        elif "broken-off" in unit.flags:
            recover_from_break(table, unit, modifiers(unit))


def recover_from_break(table: Table[PanzerState], unit: Unit, rows: Sequence[AdvancedModifier]) -> None:
    """7.1.6.2 Roll a d100 as for suppression, against the recovery range of the unit's grade."""
    limit = table.data.advanced.grades[unit.grade].recovery.value
    die = table.roll(100, "7.1.6.2", unit.id, secret=unit.hidden)
    total = die + sum(row.value for row in rows)
    result = "recovered" if total <= limit else "still-broken"
    if result == "recovered":
        mark(unit, "")
    why = Finding(
        "7.1.6.2",
        inputs={"unit": unit.id, "total": total},
        modifiers=tuple(msgspec.to_builtins(row) for row in rows),
        cell=[unit.grade, limit],
        dice=(die,),
        result=result,
    )
    table.find("7.1.6", to=unit.audience, inputs={"unit": unit.id}, result=result, children=[why])
