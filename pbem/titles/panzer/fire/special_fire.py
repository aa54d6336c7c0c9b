"""7.14-7.16, 7.18, 7.22, 7.25 Optional rules of direct fire.

    7.14         priority_objections: vehicles fire at the nearest enemy combat vehicle
    7.15         is_less_in_the_open: hand-held hollow charges against infantry in the open
    7.16         is_platform, turn_to: towed guns that fire all round
    7.18         PIN, pin_objections: fire that only pins
    7.22         infantry_smoke_objections, throw_infantry_smoke
    7.25         is_out_of_order, jam, repair_weapons

Each is an optional rule; a match without the rule is unaffected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Final

from pbem.engine.geometry.hexes import Hex, distance, hex_name, towards
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.units import can_observe, is_combat_unit, is_trained
from pbem.titles.panzer.cards.weapons import Armament, transported_objections, weapons_of
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.gp_modifiers import is_broken, is_hesitating
from pbem.titles.panzer.sighting.terrain import in_improved_position, is_inside, place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Cloud, Command, PanzerState, Unit

PIN: Final = "pin"
"""7.18 The way of firing small arms to pin."""
AIMED: Final = "fired-at"
"""7.14 The note that records each formation's targets and the turns in which it fired at them."""


class Malfunction(StrEnum):
    """7.25 A weapon that may be repaired (jammed), or is lost for good (ruined)."""

    JAMMED = "jammed"
    RUINED = "ruined"


# --- 7.14 fire priority --------------------------------------------------------------------------------------


def priority_objections(
    situation: Situation, firer: Unit, target: Unit | None, legal: Callable[[Unit], bool]
) -> Iterator[Objection]:
    """7.14 Object if a vehicle passes over the nearest enemy combat vehicle that its formation has not fired at.

    Smoke has no target. `legal` says whether it could fire at a unit at all.
    """
    data, view = situation.data, situation.state
    if not data.plays("fire_priority") or firer.kind != "vehicle":
        return
    seen = (view.vehicles[id] for id in view.spotted.get(firer.id, ()))
    prey = [unit for unit in seen if unit.alive and unit.kind == "vehicle" and is_combat_unit(data, unit)]
    here = place_of(firer)
    for near in sorted({distance(here, place_of(unit)) for unit in prey}):
        nearest = [unit for unit in prey if distance(here, place_of(unit)) == near and legal(unit)]
        if not nearest:
            continue
        free = any(was_fired_at(view, firer.formation, unit) for unit in nearest)
        if not free and (target is None or target.id not in [unit.id for unit in nearest]):
            yield Objection(
                "7.14",
                say("{nearest} is the nearest combat vehicle, and must be fired at first", nearest=nearest[0].id),
            )
        return


def was_fired_at(view: PanzerState, formation: str, target: Unit) -> bool:
    """7.14 Whether vehicles of a formation have declared fire at a unit this turn."""
    return view.notes.get(AIMED, {}).get(f"{formation} {target.id}", 0) == view.turn


def note_fire(situation: Situation, firer: Unit, target: str) -> None:
    """7.14 Record a vehicle's target, which the other vehicles of its formation are then free to ignore."""
    if situation.data.plays("fire_priority") and firer.kind == "vehicle":
        situation.state.notes.setdefault(AIMED, {})[f"{firer.formation} {target}"] = situation.state.turn


# --- 7.15 hollow charges -------------------------------------------------------------------------------------


def is_less_in_the_open(situation: Situation, arm: Armament, target: Unit) -> bool:
    """7.15 Whether a hollow charge is less effective.

    It is against infantry outside buildings and improved positions.
    """
    if not situation.data.plays("hollow_charge_gp") or not arm.fixed or target.kind == "vehicle":
        return False
    return not is_inside(situation, target) and not in_improved_position(situation.state, target)


# --- 7.16 platform mounts ------------------------------------------------------------------------------------


def is_platform(data: PanzerData, unit: Unit) -> bool:
    """7.16 Whether this is a towed gun on a platform, which fires all round."""
    if unit.kind != "towed" or not data.plays("platform_mounts"):
        return False
    return any(note.value == "platform" for note in data.towed(unit).notes)


def turn_to(data: PanzerData, unit: Unit, there: Hex) -> Finding | None:
    """7.16 Turn a gun on a platform to face its target after firing, free of charge."""
    if not is_platform(data, unit) or place_of(unit) == there:
        return None
    ways = towards(place_of(unit), there)
    if unit.facing in ways:
        return None
    unit.facing = ways[0]
    return Finding("7.16", inputs={"unit": unit.id, "at": hex_name(there)}, result=unit.facing)


# --- 7.18 pinning fire ---------------------------------------------------------------------------------------


def pin_objections(data: PanzerData, arm: Armament, target: Unit) -> Iterator[Objection]:
    """7.18 Object unless small arms fire at a leg or towed unit; only then can they pin."""
    if not data.plays("pinning_fire"):
        yield Objection("7.18", say("pinning fire is not in use in this match"))
    elif arm.gp is None or not arm.small_arms:
        yield Objection("7.18", say("the unit's {arm} is not a small arm", arm=arm.name))
    elif target.kind == "vehicle":
        yield Objection(
            "7.18", say("only leg and towed units can be pinned, and {target} is a vehicle", target=target.id)
        )


# --- 7.22 infantry smoke -------------------------------------------------------------------------------------


def infantry_smoke_objections(situation: Situation, unit: Unit) -> Iterator[Objection]:
    """7.22 Objections to infantry smoke: only steady squads and half-squads alone in their hex may lay it."""
    if not situation.data.plays("infantry_smoke"):
        yield Objection("7.22", say("infantry smoke is not in use in this match"))
    elif unit.kind != "leg" or situation.data.leg(unit).size == "section" or unit.aboard:
        yield Objection("7.22", say("only dismounted squads and half-squads have smoke"))
    elif unit.suppressed or is_hesitating(unit) or is_broken(unit):
        yield Objection("7.22", say("the unit is suppressed, hesitates or is broken"))
    elif any(
        other.id != unit.id and other.kind != "vehicle" for other in situation.state.on_the_ground(place_of(unit))
    ):
        yield Objection("7.22", say("there are other leg or towed units in the unit's hex"))


def smoke_limit(data: PanzerData, unit: Unit) -> int:
    """7.22.2 The limit by nation, grade and engineer status."""
    nation = data.leg(unit).nation
    rows = {row.nation: row.limit.value for row in data.advanced.optional.smoke_limit}
    applies = {
        "unit_grade": data.advanced.grades[unit.grade].smoke_limit.value,
        "engineer": int(is_trained(data, unit)),
    }
    more = sum(row.value * applies[row.when] for row in data.advanced.modifiers["infantry_smoke"])
    return rows.get(nation, rows["other"]) + more


def throw_infantry_smoke(table: Table[PanzerState], unit: Unit) -> Finding:
    """7.22.1 Lay open smoke in the unit's hex if the roll is within the limit; it takes effect like direct smoke."""
    limit = smoke_limit(table.data, unit)
    die = table.roll(10, "7.22.2", unit.id)
    hex = place_of(unit)
    laid = die <= limit
    if laid:
        id = table.state.new_id("c")
        table.state.clouds[id] = Cloud(id=id, type="smoke", hexes=(hex,), open=True, owner=unit.side)
    limited = Finding("7.22.2", inputs={"limit": limit}, dice=(die,), result=laid)
    how = Finding("7.22.1", inputs={"unit": unit.id, "hex": hex_name(hex)}, result="smoke" if laid else "no-smoke")
    return Finding("7.22", inputs={"firer": unit.id}, result=how.result, children=(limited, how))


# --- 7.25 malfunctions ---------------------------------------------------------------------------------------


def is_out_of_order(view: PanzerState, unit: Unit, arm: Armament) -> bool:
    """7.25 Whether a weapon cannot be fired; while commands are given it may still be repaired in time."""
    if arm.index in weapons_out(unit, Malfunction.RUINED):
        return True
    return arm.index in weapons_out(unit, Malfunction.JAMMED) and view.phase != "command"


def flag_of(malfunction: Malfunction, index: int) -> str:
    """7.25 The flag of a unit for one of its weapons: `jammed-0`."""
    return f"{malfunction.value}-{index}"


def weapons_out(unit: Unit, malfunction: Malfunction) -> list[int]:
    """7.25 The numbers of a unit's jammed or ruined weapons."""
    begun = f"{malfunction.value}-"
    return [int(flag.removeprefix(begun)) for flag in unit.flags if flag.startswith(begun)]


def jam(table: Table[PanzerState], unit: Unit, arm: Armament, die: int, *, ap: bool) -> Finding | None:
    """7.25 Put a weapon out of order after a direct AP roll of 100 or a GP roll of 1."""
    data: PanzerData = table.data
    wanted = data.advanced.number("malfunction_ap" if ap else "malfunction_gp")
    if not data.plays("malfunction") or die != wanted:
        return None
    unit.flags = (*unit.flags, flag_of(Malfunction.JAMMED, arm.index))
    inputs = {"unit": unit.id, "weapon": arm.name, "die": die, "malfunctions_on": wanted}
    return Finding("7.25", inputs=inputs, result="malfunction")


def repair_weapons(table: Table[PanzerState]) -> None:
    """7.25 At the end of the Command Phase each jammed weapon may be repaired, or is lost for good.

    The outcome is public; the roll, which depends on the command, is shown only to the owner.
    """
    state: PanzerState = table.state
    for unit in [unit for unit in state.vehicles.values() if unit.alive and not unit.bailed_out]:
        for index in weapons_out(unit, Malfunction.JAMMED):
            repair(table, unit, index)
        if any(weapons_out(unit, malfunction) for malfunction in Malfunction):
            give_up(table, unit)


def repair(table: Table[PanzerState], unit: Unit, index: int) -> None:
    """7.25 Roll a d10 to repair a weapon; the roll is lower with No Command."""
    state, charts = table.state, table.data.advanced
    idle = state.order_of(unit) in (None, Command.NO_COMMAND)
    die = table.roll(10, "7.25", unit.id, str(index), secret=True)
    added, repaired, failed = (charts.number(name) for name in ("repair_no_command", "repair", "repair_failed"))
    total = die + (added if idle else 0)
    result = "repaired" if total <= repaired else "lost" if total >= failed else "malfunction"
    if result != "malfunction":
        kept = tuple(flag for flag in unit.flags if flag != flag_of(Malfunction.JAMMED, index))
        unit.flags = kept if result == "repaired" else (*kept, flag_of(Malfunction.RUINED, index))
    inputs = {"unit": unit.id, "weapon": weapons_of(table.data, unit)[index].name}
    roll = Finding(
        "7.25/repair",
        to=(unit.side,),
        inputs={"idle": idle, "total": total},
        modifiers=({"when": "no_command", "value": added, "rule": "7.25/repair", "text": "no command"},)
        if idle
        else (),
        cell=[repaired, failed],
        dice=(die,),
        result=result,
    )
    table.find("7.25/repair", to=unit.audience, inputs=inputs, result=result, children=[roll])


def give_up(table: Table[PanzerState], unit: Unit) -> None:
    """7.25 Without a working weapon, Fire and Overwatch become No Command; a Short Halt only moves.

    A counter shared with others stays unchanged for them, as does one that passengers can carry out (6.6.7.2), and
    the Overwatch of an observer (6.5.1).
    """
    if unit.command is None or any(has_other_use(table, each) for each in (unit, *table.state.passengers(unit))):
        return
    working = [arm for arm in weapons_of(table.data, unit) if arm.fires and not _is_down(unit, arm)]
    shared = unit.shares or any(other.shares == unit.id for other in table.state.vehicles.values())
    if not working and unit.command in (Command.FIRE, Command.OVERWATCH) and not shared:
        unit.command = Command.NO_COMMAND


def has_other_use(situation: Situation, unit: Unit) -> bool:
    """6.5.1, 6.6.7.2 Whether a unit can carry out its counter, or its carrier's, without the carrier's weapons."""
    if situation.state.order_of(unit) is Command.OVERWATCH and can_observe(unit):
        return True
    arms = weapons_of(situation.data, unit) if unit.aboard else ()
    return any(arm.fires and not _is_down(unit, arm) and not any(transported_objections(arm)) for arm in arms)


def _is_down(unit: Unit, arm: Armament) -> bool:
    return any(arm.index in weapons_out(unit, malfunction) for malfunction in Malfunction)
