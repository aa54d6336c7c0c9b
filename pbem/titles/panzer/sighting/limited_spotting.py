"""7.7 Limited spotting: a target in range and in sight must still be noticed.

    7.7        limit_spotting (Spotting Phase), firers_that_notice (overwatch)
    7.7.1      chance_of, best_spotter, roll_to_spot; handed_over
    7.7.2      drop_excess: no unit holds more targets than its grade allows (ask `keep`); keep_options, check_keep

A spotted unit stays spotted, without another roll, as long as an enemy has it in range and in sight. A unit next to
an enemy is always spotted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import distance
from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.command.radios import can_hand_over
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sighting.camouflage import has_found
from pbem.titles.panzer.sighting.spotting import Markers, spots_now, spotters_of, spotting_range
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Unit

RULE: Final = "limited_spotting"
Spotters = Mapping[str, Sequence[str]]
"""For each target, the enemies that have it in range and in line of sight."""

# --- 7.7 the Spotting Phase ------------------------------------------------------------------------------------


def limit_spotting(table: Table[PanzerState], spotters: Spotters) -> Step:
    """7.7.1 Roll once for each unit not spotted before; then drop targets beyond each unit's limit (7.7.2)."""
    state = table.state
    held = {id: list(targets) for id, targets in state.spotted.items()}
    found: dict[str, list[str]] = {id: [] for id in spotters}
    for id in in_order(state, spotters):
        found[id] = noticed_by(table, state.vehicles[id], spotters[id], held)
    return (yield from drop_excess(table, found))


def in_order(state: PanzerState, spotters: Spotters) -> list[str]:
    """7.7.1 The targets, with enemies of the previous turn's First Player first, as that player rolls first."""
    first = state.first or state.previous_first
    return sorted(spotters, key=lambda id: (state.vehicles[id].side == first, id))


def noticed_by(
    table: Table[PanzerState], target: Unit, by: Sequence[str], held: Mapping[str, Sequence[str]]
) -> list[str]:
    """7.7.1 The spotters of a target: earlier ones, adjacent units, a unit that rolls well, and all they inform.

    7.2 Hidden units look separately and in secret, because their bonus to a roll would give them away.
    """
    units = [table.state.vehicles[id] for id in by]
    groups = [[unit for unit in units if unit.hidden is apart] for apart in (False, True)]
    told = [id for group in groups for id in group_noticed_by(table, target, group, held)]
    return [id for id in by if id in told]


def group_noticed_by(
    table: Table[PanzerState], target: Unit, units: Sequence[Unit], held: Mapping[str, Sequence[str]]
) -> list[str]:
    """7.7.1 The units in a group that spot a target; it stays spotted while any of them sees it."""
    data = table.data
    if not units:
        return []
    friends = [unit for unit in table.state.of(units[0].side) if unit.hidden is units[0].hidden]
    before = [unit for unit in friends if target.id in held.get(unit.id, ())]
    sure = [*(unit for unit in units if is_beside(unit, target)), *before]
    if not handed_over(data, sure, units):
        roller = best_spotter(table, units, target, "earlier")
        sure = [roller] if roll_to_spot(table, roller, len(units) - 1, target, "earlier") else []
    told = handed_over(data, sure, units)
    if sure and len(told) < len(units):
        silent = [unit.id for unit in units if unit not in told]
        table.find("7.4.1", to=units[0].audience, inputs={"target": target.id, "not_told": silent}, result="no radio")
    return [unit.id for unit in told]


def is_overlooked(situation: Situation, unit: Unit, target: Unit) -> bool:
    """7.7 Whether a unit has failed to notice an enemy that it could see."""
    return (
        situation.data.plays(RULE)
        and not is_beside(unit, target)
        and target.id not in situation.state.spotted.get(unit.id, ())
    )


def has_noticed(situation: Situation, unit: Unit, target: Unit) -> bool:
    """4.1, 7.7, 7.24 Whether a unit spots an enemy at this moment, has noticed it and found it if camouflaged."""
    if not has_found(situation.data, unit, target):
        return False
    return spots_now(situation, unit, target) and not is_overlooked(situation, unit, target)


def enemies_that_noticed(situation: Situation, target: Unit) -> list[Unit]:
    """4.1, 7.7, 7.24 The enemies that spot a unit at this moment, have noticed it and found it if camouflaged."""
    return [enemy for enemy in spotters_of(situation, target) if has_noticed(situation, enemy, target)]


def is_beside(unit: Unit, target: Unit) -> bool:
    """7.7 Whether the units are adjacent, so that one always notices the other."""
    return distance(place_of(unit), place_of(target)) <= 1


def handed_over(data: PanzerData, sure: Sequence[Unit], units: Sequence[Unit]) -> list[Unit]:
    """7.7.1 The units with the target in range and sight that learn of it: all, or one platoon without radios."""
    return [unit for unit in units if any(giver is unit or can_hand_over(data, giver, unit) for giver in sure)]


# --- 7.7.1 the roll --------------------------------------------------------------------------------------------


def chance_of(situation: Situation, unit: Unit, target: Unit, markers: Markers = "current") -> int:
    """7.7.1 The left number for the grade up to half the spotting range (rounded down), otherwise the right one."""
    reach = spotting_range(situation, unit, target, markers)
    row = situation.data.advanced.grades[unit.grade]
    near = distance(place_of(unit), place_of(target)) <= reach // 2
    return row.spot_near.value if near else row.spot_far.value


def best_spotter(situation: Situation, units: Sequence[Unit], target: Unit, markers: Markers) -> Unit:
    """7.7.1 The unit with the best chance, which alone rolls."""
    return max(units, key=lambda unit: chance_of(situation, unit, target, markers))


def roll_to_spot(
    table: Table[PanzerState], unit: Unit, others: int, target: Unit, markers: Markers = "current"
) -> bool:
    """7.7.1 Roll d100 to spot a unit, with 10 more for each other spotter; return whether it is spotted."""
    data = table.data
    help_of_others = others * data.advanced.number("spot_help")
    base = chance_of(table, unit, target, markers)
    chance = min(100, base + help_of_others)
    die = table.roll(100, "7.7.1", unit.id, target.id, secret=unit.hidden)
    inputs = {"unit": unit.id, "target": target.id, "others": others, "chance": chance}
    text = "further units that could spot"
    rows: tuple[dict[str, Any], ...] = (
        {"when": "more_units", "value": help_of_others, "rule": "7.7.1", "text": text},
    )
    why = Finding(
        "7.7.1",
        inputs=inputs,
        modifiers=rows if others else (),
        cell=[unit.grade, base],
        dice=(die,),
        result=die <= chance,
    )
    result = "spotted" if die <= chance else "overlooked"
    table.find("7.7", to=unit.audience, inputs={"target": target.id}, result=result, children=[why])
    return bool(why.result)


# --- 7.7 overwatch ---------------------------------------------------------------------------------------------


def firers_that_notice(table: Table[PanzerState], firers: Sequence[Unit], target: Unit) -> list[Unit]:
    """7.7.1 The firers that notice a unit moving or firing. If nobody spots it now, one roll decides for all firers.

    Overwatch fire is cancelled for the others: all of them, or those who could not be told without a radio (7.4.1).
    """
    data, state = table.data, table.state
    if not data.plays(RULE):
        return list(firers)
    friends = [unit for unit in state.of(firers[0].side) if target.id in state.spotted.get(unit.id, ())]
    known = [unit for unit in friends if spots_now(table, unit, target)]
    sure = [*known, *(firer for firer in firers if is_beside(firer, target))]
    if not sure:
        roller = best_spotter(table, firers, target, "current")
        if not roll_to_spot(table, roller, len(firers) - 1, target):
            return []
        sure = [roller]
    told = handed_over(data, sure, firers)
    for firer in told:
        record_target(table, firer, target)
    return told


def record_target(table: Table[PanzerState], unit: Unit, target: Unit) -> None:
    """7.7.2 Record a spotted target; if the unit already has its maximum, the new one replaces the farthest."""
    state = table.state
    targets = [id for id in state.spotted.get(unit.id, ()) if state.vehicles[id].alive]
    state.spotted[unit.id] = targets
    if target.id in targets:
        return
    if len(targets) >= most_of(table.data, unit):
        dropped = nearest(state, unit, targets)[-1]
        targets.remove(dropped)
        table.find("7.7.2", to=unit.audience, inputs={"unit": unit.id, "dropped": dropped}, result=target.id)
    targets.append(target.id)


# --- 7.7.2 maximum spots ---------------------------------------------------------------------------------------


def most_of(data: PanzerData, unit: Unit) -> int:
    """7.7.2 The maximum number of enemies that a unit can keep spotted."""
    return data.advanced.grades[unit.grade].spot_most.value


def nearest(state: PanzerState, unit: Unit, targets: Sequence[str]) -> list[str]:
    """7.7.2 Sort the targets from near to far."""
    return sorted(targets, key=lambda id: (distance(place_of(unit), place_of(state.vehicles[id])), id))


def drop_excess(table: Table[PanzerState], found: dict[str, list[str]]) -> Step:
    """7.7.2 Ask the owner which targets the units keep; the default is the nearest."""
    state, data = table.state, table.data
    holding: dict[str, list[str]] = {}
    for target, by in found.items():
        for spotter in by:
            holding.setdefault(spotter, []).append(target)
    over = {id: held for id, held in sorted(holding.items()) if len(held) > most_of(data, state.vehicles[id])}
    sides = [side for side in state.sides if may_hold_too_many(state, side, over)]
    if not sides:
        return found
    asks = tuple(keep_ask(table, side, over) for side in sides)
    kept = {id: held for answer in (yield Together(asks)) for id, held in answer.items()}
    for id, held in over.items():
        unit = state.vehicles[id]
        rest = [target for target in held if target not in kept[id]]
        table.find("7.7.2", to=unit.audience, inputs={"unit": id, "dropped": rest}, result=kept[id])
        for target in rest:
            found[target] = [spotter for spotter in found[target] if spotter != id]
    return found


def may_hold_too_many(state: PanzerState, side: str, over: Mapping[str, Sequence[str]]) -> bool:
    """7.7.2 Whether to ask a side, without giving secrets away: with hidden counters it is always asked (7.2)."""
    counters = any(counter.side == side for counter in state.hidden_counters.values())
    return counters or any(state.vehicles[id].side == side for id in over)


def keep_ask(situation: Situation, side: str, over: Mapping[str, Sequence[str]]) -> Ask:
    """7.7.2 The targets a side must choose from."""
    data, state = situation.data, situation.state
    mine = {id: held for id, held in over.items() if state.vehicles[id].side == side}
    own = {id: nearest(state, state.vehicles[id], held) for id, held in mine.items()}
    most = {id: most_of(data, state.vehicles[id]) for id in own}
    default = {id: held[: most[id]] for id, held in own.items()}
    return Ask(side, "keep", "7.7.2", about={"targets": own, "most": most}, default=default)


def keep_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """7.7.2 Keep the nearest targets, or the farthest."""
    most = ask.about["most"]
    yield {id: held[: most[id]] for id, held in ask.about["targets"].items()}
    yield {id: held[-most[id] :] for id, held in ask.about["targets"].items()}


def check_keep(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """7.7.2 Each unit keeps no more targets than it can; units without an entry keep the nearest."""
    try:
        kept = msgspec.convert(answer, dict[str, list[str]])
    except msgspec.ValidationError as error:
        why = Objection("7.7.2", say("name the targets that each unit keeps: {error}", error=error))
        raise Unreadable("keep", [why], ['{"g1": ["s1", "s2"]}']) from error
    targets, most = ask.about["targets"], ask.about["most"]
    for id, held in kept.items():
        if id not in targets or len(set(held)) < len(held) or set(held) - set(targets[id]):
            raise Illegal(id, [Objection("7.7.2", say("name the unit's targets, each only once"))], list(targets))
        if len(held) > most[id]:
            raise Illegal(
                id,
                [Objection("7.7.2", say("the unit can keep at most {most} targets", most=most[id]))],
                targets[id][: most[id]],
            )
    return {id: kept.get(id, held[: most[id]]) for id, held in targets.items()}
