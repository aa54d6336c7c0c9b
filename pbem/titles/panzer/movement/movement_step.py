"""6.6 Movement Step of the advanced game: unit by unit, Second Player first; eligibility and answers.

    6.6              movement_step, no_move_step: the Second Player, then the First
    6.6.10           declare_overrun: named vehicles follow each other
    4.5.1            movable, move_objections; 6.6.7.1.1 stay_objections; 6.6.4 mode_objections
    answers          check_move, move_options; check_reroute, reroute_options

An answer to `move` is None or `{"unit": "g1", "mode": "cross", "steps": ["f", "r"], "with": []}`. The steps of
vehicles and riders are those of the basic game; on foot they are directions from 1 to 6. Further ones are in the
modules of their chapters: `on_foot`, `buildings`, `transport`, `positions`, `overrun_moves`. `with` names the
vehicles that will overrun the same unit. A move is carried out in `move_execution`. Everything it depends on is
public, except the side's own commands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.close_combat.overrun_moves import (
    attack_objections,
    declaration_objections,
    declared_by,
    landing_objections,
    target_of,
)
from pbem.titles.panzer.command.failed_orders import failed_command, is_left_to_do
from pbem.titles.panzer.command.staggered_initiative import report_streamlined
from pbem.titles.panzer.fire.aiming import has_turn
from pbem.titles.panzer.movement.move_execution import move_unit, stay_step
from pbem.titles.panzer.movement.shared_moves import bind, command_of, forget_attacks, group_findings, stragglers
from pbem.titles.panzer.movement.steps.driving import spelled_out
from pbem.titles.panzer.movement.steps.on_foot import crawl_objections, quickmarch_objections
from pbem.titles.panzer.movement.steps.terrain_costs import crawls
from pbem.titles.panzer.movement.steps.unit_steps import MODES, March, MoveMode, UnitMover, mover_of, start
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.routes.move_options import move_choices, rest_choices, stay_choices
from pbem.titles.panzer.routes.rest_of_move import MOST_STEPS, check_route
from pbem.titles.panzer.sequence import go_on
from pbem.titles.panzer.sighting.hidden_orders import sneak
from pbem.titles.panzer.sighting.terrain import settle
from pbem.titles.panzer.sighting.weather import caution_objections
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import MOVING, PanzerState, Status, Unit

# --- 6.6 the steps -------------------------------------------------------------------------------------------


def movement_step(table: Table[PanzerState], side: str, begun: bool = False, following: Sequence[str] = ()) -> Step:
    """6.6 A player moves units one by one; the units in `following` were named for an overrun and move next."""
    if not begun:
        if table.data.plays("streamlined_movement") and side == table.state.second:
            report_streamlined(table)  # 7.42.3
        begin_step(table, side)
        yield from sneak(table, side)  # 7.2.2.2
    state = table.state
    following = [id for id in following if not any(move_objections(state, state.vehicles[id]))]
    about = {"next": following} if following else {}
    answer = yield Ask(side, "move", table.data.cite("6.6"), about=about)
    if answer is None:
        table.then("no_move_step", side=side)
        return
    following = [*following, *declare_overrun(table, answer)]
    if answer["mode"] == "stay":
        yield from stay_step(table, answer["unit"], answer["steps"])
    else:
        yield from move_unit(table, answer["unit"], answer["mode"], answer["steps"])
    following = [id for id in following if id != answer["unit"]]
    table.then("movement_step", side=side, begun=True, following=following)


def begin_step(table: Table[PanzerState], side: str) -> None:
    """6.6 Announce a player's movement: close combat is over, and the Second Player moves first."""
    state = table.state
    state.phase = "movement"
    player = "second" if side == state.second else "first"
    order = Finding(
        rule=ledger_row(table.data.edition, "4.5/second-player-first"), inputs={"order": [state.second, state.first]}
    )
    active = Finding(rule="3.1", inputs={"side": side}, result="active")
    inputs = {"side": side, "player": player}
    table.find(table.data.cite("6.6"), inputs=inputs, result="movement", children=[order, active])


def no_move_step(table: Table[PanzerState], side: str) -> Step:
    """4.5.1 Units with a Move or Short Halt that have not moved yet now move on the spot, one unit per step."""
    state = table.state
    waiting = [unit for unit in movable(state, side) if unit.alive]
    if waiting:
        yield from move_unit(table, waiting[0].id, "crawl" if crawls(waiting[0]) else "cross", [])
        table.then("no_move_step", side=side)
        return
    table.findings += failed_moves(state, side)
    for finding in group_findings(table, side):
        table.findings.append(finding)
    if side == state.first and not state.acting:
        forget_attacks(state)
    settle(state)
    go_on(table)


def failed_moves(view: PanzerState, side: str) -> Iterator[Finding]:
    """4.5.1 The Move and Short Halt commands that were not carried out, each with the reason."""
    for unit in view.vehicles.values():
        command, why = command_of(view, unit), next(waiting_objections(view, unit), None)
        if unit.side != side or why is None or command not in MOVING or not has_turn(view, unit):
            continue
        if is_left_to_do(unit, command):
            yield failed_command(unit, command, why)


def waiting_objections(view: PanzerState, unit: Unit) -> Iterator[Objection]:
    """2.0, 7.2.2.2 Why a unit that was ordered to move stays off the map or under its hidden counter."""
    off_map = unit.status is Status.RESERVE and not unit.aboard
    if off_map or (unit.hidden and unit.alive):
        yield from move_objections(view, unit)
    if off_map:
        yield Objection("2.0", say("the unit did not enter the map and is waiting"))


def declare_overrun(table: Table[PanzerState], answer: Answer) -> list[str]:
    """6.6.10 Declare which vehicles will overrun a unit, when the first of them reveals its move."""
    state = table.state
    target = target_of(declared_by(answer["steps"]))
    if not target or state.vehicles[answer["unit"]].attacking == target:
        return []
    units = [answer["unit"], *answer.get("with", ())]
    for id in units:
        state.vehicles[id].attacking = target
        bind(state, state.vehicles[id], target)  # 6.6.11
    rule = ledger_row(table.data.edition, "6.6.10/declaration")
    table.find(rule, inputs={"target": target, "vehicles": units}, result="declared")
    return list(answer.get("with", ()))


# --- 4.5.1 eligibility ---------------------------------------------------------------------------------------


def movable(view: PanzerState, side: str) -> list[Unit]:
    """4.5.1 A side's units with a Move or Short Halt still to be carried out."""
    own = [unit for unit in view.vehicles.values() if unit.side == side]
    return [unit for unit in own if not any(move_objections(view, unit))]


def move_objections(view: PanzerState, unit: Unit) -> Iterator[Objection]:
    """4.5.1 Every reason why a unit cannot move now."""
    if unit.status is Status.RESERVE and unit.entry_turn > view.turn:
        yield Objection("2.0", say("the unit cannot enter before turn {entry_turn}", entry_turn=unit.entry_turn))
    elif unit.status not in (Status.ON_MAP, Status.RESERVE):
        yield Objection("4.5.1", say("the unit is no longer on the map"))
    elif not has_turn(view, unit):
        yield Objection("7.42.2", say("it is not the turn of the unit's formation"))
    elif unit.hidden:
        yield Objection("7.2.2.2", say("the unit moves with its hidden counter, or after the counter is revealed"))
    elif unit.aboard:
        yield Objection("6.6.7", say("a passenger moves with its vehicle"))
    elif unit.bailed_out:
        yield Objection("5.15", say("the vehicle's crew has left it for good"))
    elif unit.assaulted:
        yield Objection("6.6.1.1", say("the unit has fought, which used up its move"))
    elif unit.moved:
        yield Objection("4.5.1.1", say("the unit has completed its move"))
    elif command_of(view, unit) not in MOVING:
        yield Objection("4.5.1", say("the unit has no Move or Short Halt command"))


def stay_objections(view: PanzerState, unit: Unit) -> Iterator[Objection]:
    """6.6.7.1.1 Object to free loading and unloading by a vehicle that moves this turn."""
    if not unit.alive or unit.kind != "vehicle" or unit.bailed_out:
        yield Objection("6.6.7", say("only a vehicle with its crew, on the map, can carry units"))
    elif not has_turn(view, unit):
        yield Objection("7.42.2", say("it is not the turn of the unit's formation"))
    elif unit.hidden:
        yield Objection("7.2.2.2", say("the unit is under a hidden counter"))
    elif command_of(view, unit) in MOVING:
        rule = "6.6.7.1.1/vehicle"
        yield Objection(
            rule,
            say("a vehicle with a Move or Short Halt command loads and unloads its passengers during its own move"),
        )


def mode_objections(mover: UnitMover, mode: MoveMode) -> Iterator[Objection]:
    """6.6.4 Yield the objections to using this movement mode."""
    yield from caution_objections(mover.data, mover.unit, mode)  # 7.36.2
    if mode == "quick":
        yield from quickmarch_objections(mover)
    elif mode == "crawl":
        yield from crawl_objections(mover)
    elif mode in ("road", "path") and mover.on_foot:
        yield Objection("6.6.4.1", say("leg units have no path or road rate"))


# --- answers -------------------------------------------------------------------------------------------------

Steps = Annotated[list[str], msgspec.Meta(max_length=MOST_STEPS)]


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"others": "with"}):
    unit: str
    steps: Steps = []
    mode: MoveMode = "cross"
    others: list[str] = []


class _Rest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    steps: Steps


def check_move(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.6 Return the move as it will be carried out, or refuse it and suggest the part that would be legal."""
    view = situation.state
    if answer is None:
        return check_done(situation, ask)
    try:
        wish = msgspec.convert(answer, _Move)
    except msgspec.ValidationError as error:
        why = Objection("4.5.1.1", say("a move must name a unit, a mode and its steps: {error}", error=error))
        raise Unreadable("move", [why], ['{"unit": "g1", "mode": "cross", "steps": ["f", "r"]}']) from error
    unit = view.vehicles.get(wish.unit)
    ready = [other.id for other in movable(view, ask.seat)]
    if unit is None or unit.side != ask.seat:
        raise Illegal(wish.unit, [Objection("3.1", say("that is not your unit"))], ready)
    following = ask.about.get("next", [])
    if following and wish.unit != following[0]:
        rule = ledger_row(situation.data.edition, "6.6.10/declaration")
        why = Objection(rule, say("{following} was named for an overrun and must move now", following=following[0]))
        raise Illegal(wish.unit, [why], [following[0]])
    who = stay_objections(view, unit) if wish.mode == "stay" else move_objections(view, unit)
    if objections := list(who):
        raise Illegal(wish.unit, objections, ready)
    mover = mover_of(situation, unit, wish.mode == "quick")
    if objections := list(mode_objections(mover, wish.mode)):
        raise Illegal(f"{wish.unit}, {wish.mode}", objections, ["cross"])
    return check_steps(situation, mover, wish)


def check_steps(situation: Situation, mover: UnitMover, wish: _Move) -> Answer:
    """6.6 The steps of a move and the attacks it declares, spelled out in full."""
    steps = [spelled_out(mover, step) for step in wish.steps]
    begun = start(mover, wish.mode, declared_by(steps))
    steps = list(check_route(mover, begun, steps).steps)
    if objections := list(attack_objections(situation, mover.unit, steps)):
        raise Illegal(wish.unit, objections)
    named = check_named(situation, mover.unit, target_of(declared_by(steps)), wish.others)
    mode = "road" if wish.mode == "path" else wish.mode
    return {"unit": wish.unit, "mode": mode, "steps": steps, **({"with": named} if named else {})}


def check_named(situation: Situation, unit: Unit, target: str, others: Sequence[str]) -> list[str]:
    """6.6.10 The other vehicles that are to overrun the same unit, in their order of movement."""
    view = situation.state
    rule = ledger_row(situation.data.edition, "6.6.10/declaration")
    if others and not target:
        raise Illegal(
            unit.id, [Objection(rule, say("name all overrunning vehicles with the first overrun of a unit"))]
        )
    for id in others:
        other = view.vehicles.get(id)
        if other is None or other.side != unit.side or other.id == unit.id or others.count(id) > 1:
            raise Illegal(id, [Objection(rule, say("name each of your other vehicles only once"))])
        against = [
            *move_objections(view, other),
            *declaration_objections(situation, other, view.vehicles[target], others),
        ]
        if against:
            raise Illegal(id, against)
    return list(others)


def check_done(situation: Situation, ask: Ask) -> Answer:
    """6.2.1.1.4 A unit that shares a Move with units that have moved must follow if it can (A-87)."""
    move = due_move(situation, ask.seat)
    if move is None:
        return None
    why = say("the unit shares its command with units that have moved away, and must follow them")
    rule = ledger_row(situation.data.edition, "6.2.1.1.4/movement")
    raise Illegal(move["unit"], [Objection(rule, why)], [" ".join(move["steps"])])


def due_move(situation: Situation, side: str) -> Answer:
    """6.2.1.1.4 The move a straggler must make to follow its group, or None."""
    view = situation.state
    for unit in stragglers(situation, side):
        if any(move_objections(view, unit)):
            continue
        mover = mover_of(situation, unit)
        modes: tuple[MoveMode, ...] = ("cross", "road")
        for mode in modes:
            if any(mode_objections(mover, mode)):
                continue
            for steps in rest_choices(mover, start(mover, mode), most=1):
                return {"unit": unit.id, "mode": mode, "steps": list(steps)}
    return None


def check_reroute(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """4.5.1.1.5 Check the new remainder of a move, in the mode of its first part (R-17); None keeps the old plan."""
    if answer is None:
        return None
    try:
        wish = msgspec.convert(answer, _Rest)
    except msgspec.ValidationError as error:
        why = Objection("4.5.1.1.5", say("the rest of a move must list its steps: {error}", error=error))
        raise Unreadable("reroute", [why], ['{"steps": ["f", "r"]}', "null"]) from error
    march = march_of(ask)
    mover = mover_of(situation, situation.state.vehicles[ask.subject])
    steps = list(check_route(mover, march, wish.steps).steps[len(march.steps) :])
    if objections := list(landing_objections(situation, steps)):
        raise Illegal(ask.subject, objections)
    return {"steps": steps}


def march_of(ask: Ask) -> March:
    """The move so far, as the ask carries it, with the allowance that it began with (6.6.4.2)."""
    return msgspec.convert(ask.about["progress"], March)


def move_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.6 A choice of good moves for each unit, then actions of stationary vehicles, then `done`."""
    view = situation.state
    following = ask.about.get("next", [])
    units = [view.vehicles[following[0]]] if following else movable(view, ask.seat)
    for unit in units:
        mover = mover_of(situation, unit)
        closed = [mode for mode in MODES if any(mode_objections(mover, mode))]
        for mode, steps in move_choices(mover, closed):
            yield {"unit": unit.id, "mode": mode, "steps": list(steps)}
    for unit in view.of(ask.seat):
        if not following and not any(stay_objections(view, unit)):
            for steps in stay_choices(mover_of(situation, unit)):
                yield {"unit": unit.id, "mode": "stay", "steps": list(steps)}
    if due_move(situation, ask.seat) is None:
        yield None


def reroute_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """4.5.1.1.5 Continue, or replace the rest of the move (R-17)."""
    yield None
    march = march_of(ask)
    mover = mover_of(situation, situation.state.vehicles[ask.subject])
    for steps in rest_choices(mover, march):
        yield {"steps": list(steps)}
