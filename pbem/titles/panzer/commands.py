"""4.2 Command Phase: every vehicle gets one command, face down.

    4.2          who may be given what: command_objections, legal_commands
    4.2.1        place_commands, check_commands, command_options
    4.2.1 A-16   targets_at_order_time: somebody to fire at as things stand now
    R-02         commandable: vehicles on the map, and reinforcements that are due
    R-08         a vehicle without a command gets a counter too, so that nothing leaks

An impossible command is refused when it is given (A-17), to its owner alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.ap_fire import Shot, a_shot, reach_objections
from pbem.titles.panzer.cards import Card
from pbem.titles.panzer.charts import nearest
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.direct_fire import FIRING, close_to
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.state import Command, PanzerState, Status, Vehicle

FIRE_ORDERS: Final = (*FIRING, Command.OVERWATCH)
"""R-07 The commands that need a weapon with an AP row."""
WORDS: Final = tuple(command.value for command in Command)
CHOICES: Final = 100
"""How many of the countless ways to command a whole side are listed."""


# --- 4.2.1 the step --------------------------------------------------------------------------------------------


def place_commands(table: Table[PanzerState]) -> Step:
    """4.2.1 Both sides place their counters at once, sealed from each other; one without vehicles has none (R-18)."""
    state = table.state
    state.phase = "command"
    sides = [side for side in state.sides if commandable(state, side)]
    asks = tuple(Ask(side, "commands", "4.2.1", default={}, grade="order") for side in sides)
    answers = (yield Together(asks)) if asks else ()
    given = dict(zip(sides, answers, strict=True))
    counters = [place_counters(table, side, given.get(side, {})) for side in state.sides]
    table.find("4.2", inputs={"turn": state.turn}, children=counters)
    table.then("initiative_phase")


def place_counters(table: Table[PanzerState], side: str, answer: dict[str, str]) -> Finding:
    """4.2.1 One counter for each vehicle: its type for the owner alone, that it lies there for everybody (R-08)."""
    vehicles = commandable(table.state, side)
    for vehicle in vehicles:
        vehicle.command = Command(answer.get(vehicle.id, Command.NO_COMMAND.value))
        vehicle.revealed = vehicle.shown = False
    units = [vehicle.id for vehicle in vehicles]
    placed = [placed_command(vehicle) for vehicle in vehicles]
    table.find("4.2.1", to=(side,), inputs={"side": side, "units": units}, children=placed)
    rule = numbered(table.data.edition, "4.2.1/secrecy")
    return Finding(rule, inputs={"side": side, "units": units}, result="face-down")


def placed_command(vehicle: Vehicle) -> Finding:
    """4.2 The command of a vehicle, for its owner."""
    assert vehicle.command is not None
    word = vehicle.command.value
    return Finding(f"4.2/{word}", to=(vehicle.side,), inputs={"unit": vehicle.id}, result=word)


def commandable(view: PanzerState, side: str) -> list[Vehicle]:
    """4.2.1, R-02 The side's vehicles on the map, and those that may enter this turn."""
    return [vehicle for vehicle in view.vehicles.values() if vehicle.side == side and in_play(view, vehicle)]


def in_play(view: PanzerState, vehicle: Vehicle) -> bool:
    """R-02 On the map, or a reinforcement that is due."""
    return vehicle.alive or (vehicle.status is Status.RESERVE and vehicle.entry_turn <= view.turn)


# --- 4.2 who may be given what ---------------------------------------------------------------------------------


def command_objections(
    data: PanzerData, view: PanzerState, vehicle: Vehicle, command: Command
) -> Iterator[Objection]:
    """4.2, 4.2.1 Everything that keeps a vehicle from carrying out a command, in printed order."""
    if not in_play(view, vehicle):
        yield absent(vehicle)
    elif command in FIRE_ORDERS:
        unable = list(armament_objections(data.cards[vehicle.card], command))
        yield from unable
        if vehicle.status is Status.RESERVE:
            yield Objection("2.0", "a reinforcement enters under a Move command")
        elif command in FIRING and not unable:
            yield from target_objections(data, view, vehicle)


def absent(vehicle: Vehicle) -> Objection:
    """2.0, 4.2.1 A vehicle that is not in play gets no command."""
    match vehicle.status:
        case Status.RESERVE:
            return Objection("2.0", f"it may not enter before turn {vehicle.entry_turn}")
        case Status.EXITED:
            return Objection("4.2.1", "it has left the map")
        case _:
            return Objection("4.2.1", "it is eliminated")


def armament_objections(card: Card, command: Command) -> Iterator[Objection]:
    """4.2 Fire, Short Halt and Overwatch are for combat units, and need an AP row in the basic game (R-07)."""
    if not card.armed:
        yield Objection(f"4.2/{command.value}", "it is unarmed")
    elif not card.fires_ap:
        yield Objection("4.4.3", "none of its weapons has an AP row")


def target_objections(data: PanzerData, view: PanzerState, vehicle: Vehicle) -> Iterator[Objection]:
    """4.2.1 No Fire or Short Halt without a target: spotted by itself, in range and in its field of fire (A-16)."""
    rule = numbered(data.edition, "4.2.1/impossible")
    shots = list(shots_at_spotted(data, view, vehicle))
    if not shots:
        yield Objection(rule, "it spotted no enemy in the Spotting Phase")
    elif not targets_at_order_time(data, view, vehicle):
        yield Objection(rule, "it can fire at none of the enemies it spotted")
        for shot in shots:
            yield from reach_objections(shot)


def shots_at_spotted(data: PanzerData, view: PanzerState, vehicle: Vehicle) -> Iterator[Shot]:
    """4.2.1 Each AP weapon against each enemy that the vehicle itself spotted."""
    spotted = (view.vehicles[target] for target in view.spotted.get(vehicle.id, ()))
    for target in (target for target in spotted if target.alive):
        for number, weapon in enumerate(data.cards[vehicle.card].weapons):
            if weapon.has_ap:
                yield a_shot(data, view, vehicle, number, target)


def targets_at_order_time(data: PanzerData, view: PanzerState, vehicle: Vehicle) -> list[str]:
    """A-16 The enemies that make a Fire or Short Halt legal. Modifiers are left out of it."""
    legal = (shot.target.id for shot in shots_at_spotted(data, view, vehicle) if not any(reach_objections(shot)))
    return list(dict.fromkeys(legal))


def legal_commands(data: PanzerData, view: PanzerState, vehicle: Vehicle) -> list[Command]:
    """4.2 The commands that a vehicle may be given now, in the book's order."""
    return [command for command in Command if not any(command_objections(data, view, vehicle, command))]


# --- 4.2.1 answers ---------------------------------------------------------------------------------------------


def command_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """4.2.1 No commands at all, then a fair choice of legal ones for every vehicle."""
    yield {}
    legal = {vehicle.id: legal_commands(data, view, vehicle) for vehicle in commandable(view, ask.seat)}
    for number in range(CHOICES if legal else 0):
        choice = Choice("commands", ask.seat, view.turn, number)
        yield {unit: choice.one_of(commands).value for unit, commands in legal.items()}


def check_commands(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """4.2.1 The commands by unit, or a refusal of every one that cannot be given."""
    if not isinstance(answer, dict):
        why = Objection("4.2.1", "commands are given by vehicle")
        raise Unreadable("commands", [why], ['{"g1": "fire"}'])
    refusals = [refusal for unit in sorted(answer) for refusal in refused(data, view, ask.seat, unit, answer[unit])]
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return {unit: answer[unit] for unit in sorted(answer)}


def refused(data: PanzerData, view: PanzerState, side: str, unit: str, word: object) -> Iterator[Refusal]:
    """4.2.1 Why one vehicle cannot be given one command, and what it could be given."""
    vehicle = view.vehicles.get(unit)
    if vehicle is None or vehicle.side != side:
        own = [own.id for own in commandable(view, side)]
        yield Illegal(unit, [Objection("3.1", "it is not a vehicle of yours")], close_to(unit, own))
    elif word not in WORDS:
        near = nearest(str(word), WORDS)
        why = Objection("4.2", f"there is no command '{word}'")
        yield Unreadable(f"{unit} {word}", [why], [f"{unit} {near}"] if near else WORDS)
    elif objections := list(command_objections(data, view, vehicle, Command(word))):
        instead = [f"{unit} {command.value}" for command in legal_commands(data, view, vehicle)]
        yield Illegal(f"{unit} {word}", objections, instead)
