"""7.9 Smoke dischargers: a cloud around one vehicle, for one turn.

7.9      dischargers_step: the ask `dischargers`, first for the First Player of the previous turn;
         in the first turn both at once
         count_in_own_smoke: the number of clouds between two units; blow_away: the vehicle moves; fade
answers  check_dischargers, discharger_options
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.data_files import close_to
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Unit

SMOKED: Final = "dischargers"
"""The flag of a vehicle in its own smoke."""
BLOWN: Final = "smoke-left-behind"
"""The flag of a vehicle that has moved out of its smoke this turn."""
SPENT: Final = "discharged"
"""The flag of a vehicle with empty dischargers until the end of this turn."""


def limit_of(data: PanzerData, unit: Unit) -> int:
    """5.16.2 The number after the letter D on the card; 0 without dischargers."""
    if unit.kind != "vehicle":
        return 0
    return max((mount.limits.get("D", 0) for mount in data.vehicle(unit).mounts), default=0)


def objections(data: PanzerData, unit: Unit) -> Iterator[Objection]:
    """7.9 Reasons why a vehicle cannot fire its dischargers."""
    if not limit_of(data, unit):
        yield Objection("7.9", say("the vehicle has no smoke dischargers"))
    if any(flag in unit.flags for flag in (SPENT, SMOKED, BLOWN)):
        yield Objection("7.9", say("the vehicle has already used its dischargers this turn"))
    if not unit.alive or unit.bailed_out:
        yield Objection("7.9", say("the vehicle has no crew to fire its dischargers"))
    if unit.hidden:
        yield Objection("7.2.1", say("the vehicle is under a hidden counter, which the smoke would give away"))


def vehicles_able_to_discharge(situation: Situation, side: str) -> list[str]:
    """7.9 A side's vehicles that could fire their dischargers."""
    data = situation.data
    return [unit.id for unit in situation.state.of(side) if not any(objections(data, unit))]


def dischargers_step(table: Table[PanzerState]) -> Step:
    """7.9 Before commands are given, the previous turn's First Player fires dischargers, then the other player."""
    state: PanzerState = table.state
    if not table.data.plays("smoke_dischargers"):
        return
    before = state.previous_first
    rounds = [(before,), (state.enemy(before),)] if before else [state.sides]
    for sides in rounds:
        asks = [discharger_ask(table, side) for side in sides]
        asks = [ask for ask in asks if ask.about["units"]]
        chosen = (yield Together(tuple(asks))) if asks else ()
        for id in (id for answer in chosen for id in answer):
            fire_dischargers(table, state.vehicles[id])
        if len(asks) > 1:
            table.find("7.9", inputs={"sides": list(sides)}, result="at once")


def discharger_ask(situation: Situation, side: str) -> Ask:
    """7.9 Ask a side which of its vehicles fire their dischargers."""
    return Ask(side, "dischargers", "7.9", about={"units": vehicles_able_to_discharge(situation, side)}, default=[])


def fire_dischargers(table: Table[PanzerState], unit: Unit) -> None:
    """7.9 A d10 roll up to the limit makes smoke; a failure costs only this turn's attempt."""
    limit = limit_of(table.data, unit)
    die = table.roll(10, "7.9", unit.id)
    if die <= limit:
        unit.flags = (*unit.flags, SMOKED)
    result = "smoke" if die <= limit else "no-smoke"
    table.find("7.9", inputs={"unit": unit.id, "limit": limit}, dice=(die,), result=result)


def count_in_own_smoke(state: PanzerState, *units: Unit | None) -> int:
    """7.9 How many of these units are in their own smoke; passengers are in their carrier's."""
    carriers = (state.vehicles[unit.aboard] if unit.aboard else unit for unit in units if unit is not None)
    return sum(SMOKED in carrier.flags for carrier in carriers)


def blow_away(unit: Unit) -> None:
    """7.9 When the vehicle moves to another hex or within its own, leave the smoke behind."""
    if SMOKED in unit.flags:
        unit.flags = (*(flag for flag in unit.flags if flag != SMOKED), BLOWN)


def is_smoking(unit: Unit) -> bool:
    """7.9 Whether the vehicle has fired its dischargers this turn, even if it has left the smoke behind."""
    return SMOKED in unit.flags or BLOWN in unit.flags


def fade(unit: Unit) -> None:
    """7.9, 6.8.4 Clear this turn's smoke; the dischargers are refilled at the end of the next turn."""
    fired = is_smoking(unit)
    kept = tuple(flag for flag in unit.flags if flag not in (SMOKED, BLOWN, SPENT))
    unit.flags = (*kept, SPENT) if fired else kept


def discharger_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """7.9 Offer no vehicle, each vehicle alone, or all of them."""
    units = ask.about["units"]
    yield []
    yield from ([unit] for unit in units)
    if len(units) > 1:
        yield list(units)


def check_dischargers(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """7.9 Accept vehicles that may fire their dischargers, each once."""
    data, view = situation.data, situation.state
    if not isinstance(answer, list) or not all(isinstance(unit, str) for unit in answer):
        raise Unreadable("dischargers", [Objection("7.9", say("name the vehicles"))], ['["g1"]'])
    for unit in answer:
        if unit not in ask.about["units"]:
            own = view.vehicles.get(unit)
            known = own is not None and own.side == ask.seat
            found = list(objections(data, own)) if known and own else []
            why = found or [Objection("7.9", say("you have no such vehicle with dischargers"))]
            raise Illegal(unit, why, close_to(unit, ask.about["units"]))
    return sorted(set(answer))
