"""4.5 Movement Phase: the Second Player moves vehicle by vehicle, then the First, under the eyes of overwatch.

    4.5          movement_step: one vehicle's move at a time, Second Player first; no_move_step for those left over
    4.5.1        begin_move: the command is revealed, Spot/Move placed (R-11); move_objections
    4.5.1.1      move_vehicle: step by step, each step a window
    4.5.1.1.5    react: the rest may be replaced after fire (R-17)
    4.5.1.1.8    no-moves
    4.5.1.1.9    leave_map; 2.0 reinforcements enter with their first step (R-02)
    4.5.1.1.10   make_room: nobody stays with an enemy (A-33)
    answers      check_move, move_options; check_reroute, reroute_options

What a step costs is in `movement_costs`, whether it is legal in `movement_progress`, where a vehicle can go in
`movement_routes`. Everything a move depends on is public, except the mover's own command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, Final, NoReturn

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.ap_fire import MOVING, settle_smoke
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.movement_costs import Mode, allowance_finding
from pbem.titles.panzer.movement_progress import (
    Mover,
    Objections,
    Progress,
    Stride,
    advance,
    after_damage,
    as_far_as_legal,
    follow,
    mover_of,
    spelled_out,
    start,
    steps_back,
    stride_finding,
)
from pbem.titles.panzer.movement_routes import Route, reachable, ways_out
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.overwatch import overwatch_window
from pbem.titles.panzer.state import Command, PanzerState, Spot, Status, Vehicle

MODES: Final[tuple[Mode, ...]] = ("cross", "road")
MOST_STEPS: Final = 60
"""More than any move can use; a longer list is a mistake, or a nuisance."""


# --- 4.5 the steps -------------------------------------------------------------------------------------------


def movement_step(table: Table[PanzerState], side: str, begun: bool = False) -> Step:
    """4.5 A player moves one vehicle after another; its whole move is completed before the next one starts."""
    if not begun:
        begin_step(table, side)
    answer = yield Ask(side, "move", "4.5.1.1")
    if answer is None:
        table.then("no_move_step", side=side)
        return
    yield from move_vehicle(table, answer["unit"], answer["mode"], answer["steps"])
    table.then("movement_step", side=side, begun=True)


def begin_step(table: Table[PanzerState], side: str) -> None:
    """4.5 Fire goes First to Second Player, movement Second to First."""
    state = table.state
    state.phase = "movement"
    player = "second" if side == state.second else "first"
    order = Finding(
        rule=numbered(table.data.edition, "4.5/second-player-first"), inputs={"order": [state.second, state.first]}
    )
    active = Finding(rule="3.1", inputs={"side": side}, result="active")
    table.find("4.5", inputs={"side": side, "player": player}, children=[order, active])


def no_move_step(table: Table[PanzerState], side: str) -> Step:
    """4.5.1 Every Move and Short Halt vehicle moves, if only on the spot (4.5.1.1.8). One vehicle a step."""
    waiting = [vehicle for vehicle in movable(table.state, side) if vehicle.alive]
    if waiting:
        yield from move_vehicle(table, waiting[0].id, "cross", [])
        table.then("no_move_step", side=side)
        return
    settle_smoke(table.state)  # the two Movement Steps are separate
    if side == table.state.second:
        table.then("movement_step", side=table.state.first)
    else:
        table.then("adjustment_phase")


# --- 4.5.1.1 one vehicle's move ------------------------------------------------------------------------------


def move_vehicle(table: Table[PanzerState], unit: str, mode: Mode, steps: Sequence[str]) -> Step:
    """4.5.1.1 Reveal, then step by step; the opponent may react at each point."""
    vehicle = table.state.vehicles[unit]
    progress = begin_move(table, vehicle, mode)
    rest = tuple(steps)
    if vehicle.alive:  # a reinforcement is nowhere yet
        progress, rest = yield from react(table, vehicle, progress, rest)
    while rest and (vehicle.alive or progress.hex is None):
        progress = take_step(table, vehicle, progress, rest[0])
        rest = rest[1:]
        if vehicle.alive:
            progress, rest = yield from react(table, vehicle, progress, rest)
    end_move(table, vehicle, progress)


def begin_move(table: Table[PanzerState], vehicle: Vehicle, mode: Mode) -> Progress:
    """4.5.1 The command is revealed and Spot/Move replaces any other marker, before the first step (R-11)."""
    assert vehicle.command is not None
    replaced = vehicle.marker.value
    vehicle.revealed = vehicle.moved = True
    vehicle.pending = Spot.MOVE
    mover = mover_of(table.data, table.state, vehicle)
    children = [Finding(rule="4.5.1", inputs={"unit": vehicle.id, "replaces": replaced}, result=Spot.MOVE.value)]
    if vehicle.command is Command.SHORT_HALT:
        children.append(Finding(rule="3.4", inputs={"unit": vehicle.id}, result="move-half"))
    children.append(allowance_finding(table.data.cards[vehicle.card], vehicle))
    where = "" if vehicle.hex is None else hex_name(vehicle.hex)
    table.find(
        "4.5.1.1",
        inputs={"unit": vehicle.id, "command": vehicle.command.value, "hex": where, "mode": mode},
        result="begins",
        children=children,
    )
    return start(mover, mode)


def take_step(table: Table[PanzerState], vehicle: Vehicle, progress: Progress, step: str) -> Progress:
    """4.5.1.1 One step, announced with its cost."""
    stride = advance(mover_of(table.data, table.state, vehicle), progress, step)
    assert isinstance(stride, Stride), f"{vehicle.id} {step}: {stride}"
    after = stride.progress
    finding = stride_finding(progress, stride)
    table.find(
        finding.rule,
        inputs={"unit": vehicle.id, **finding.inputs},
        result=finding.result,
        children=finding.children,
    )
    vehicle.hex, vehicle.facing = after.hex, after.facing
    vehicle.status = Status.ON_MAP
    if after.exit:
        leave_map(vehicle, after.exit)
    return after


def leave_map(vehicle: Vehicle, edge: str) -> None:
    """4.5.1.1.9 It is gone for good, but not eliminated."""
    vehicle.status, vehicle.exit_edge, vehicle.hex = Status.EXITED, edge, None
    vehicle.spot = vehicle.pending = Spot.NONE


def react(table: Table[PanzerState], vehicle: Vehicle, progress: Progress, rest: tuple[str, ...]) -> Step:
    """4.5.1.1 A window; after fire the owner may replace the rest, and what cannot be done is left out (R-17)."""
    sound = not vehicle.damaged
    fired_at = yield from overwatch_window(table, vehicle)
    if not vehicle.alive:
        return progress, ()
    if vehicle.damaged and sound:
        progress = slow_down(table, vehicle, progress)
    if fired_at:
        about = {"progress": msgspec.to_builtins(progress), "rest": list(rest)}
        answer = yield Ask(vehicle.side, "reroute", "4.5.1.1.5", subject=vehicle.id, about=about)
        rest = rest if answer is None else tuple(answer["steps"])
    return progress, cut_short(table, mover_of(table.data, table.state, vehicle), progress, rest)


def slow_down(table: Table[PanzerState], vehicle: Vehicle, progress: Progress) -> Progress:
    """4.5.1.1.1 Damage halves what is left of the allowance (A-36)."""
    slower = after_damage(progress)
    inputs = {"unit": vehicle.id, "spent": progress.spent, "left": progress.left}
    halving = Finding(rule="3.7", inputs={"halved_for": ["Damaged"]}, result=slower.left)
    table.find("4.5.1.1.1", inputs=inputs, result=slower.left, children=[halving])
    return slower


def cut_short(table: Table[Any], mover: Mover, progress: Progress, rest: tuple[str, ...]) -> tuple[str, ...]:
    """R-17 The rest as far as it can still be driven; what was dropped is told to its owner."""
    vehicle = mover.vehicle
    possible = as_far_as_legal(mover, progress, rest)
    if len(possible) < len(rest):
        reasons = [Finding(rule=objection.rule, result=objection.why) for objection in against(mover, progress, rest)]
        inputs = {"unit": vehicle.id, "rest": list(rest)}
        table.find("4.5.1.1", to=(vehicle.side,), inputs=inputs, result=list(possible), children=reasons)
    return possible


def end_move(table: Table[PanzerState], vehicle: Vehicle, progress: Progress) -> None:
    """4.5.1.1 Where the move has led; a vehicle that never left its hex has moved all the same (4.5.1.1.8)."""
    if not vehicle.alive or progress.hex is None:
        return
    make_room(table, vehicle, progress)
    if vehicle.hex is None:
        return
    table.find(
        "4.5.1.1" if progress.entered else "4.5.1.1.8",
        inputs={"unit": vehicle.id, "hex": hex_name(vehicle.hex), "facing": vehicle.facing, "spent": progress.spent},
        result="ends" if progress.entered else "no-move",
    )


def make_room(table: Table[PanzerState], vehicle: Vehicle, progress: Progress) -> None:
    """4.5.1.1.10 Stopped against its will with an enemy, it goes back the way it came, its facing kept (A-33)."""
    mover = mover_of(table.data, table.state, vehicle)
    if vehicle.hex is None or vehicle.hex not in mover.enemies:
        return
    left, vehicle.hex = hex_name(vehicle.hex), steps_back(mover, progress)
    if vehicle.hex is None:  # it had only just come in
        vehicle.status, vehicle.pending = Status.RESERVE, Spot.NONE
    back = "" if vehicle.hex is None else hex_name(vehicle.hex)
    table.find("4.5.1.1.10", inputs={"unit": vehicle.id, "hex": left}, result=back)


# --- 4.5.1 who may move --------------------------------------------------------------------------------------


def movable(view: PanzerState, side: str) -> list[Vehicle]:
    """4.5.1 The side's vehicles whose Move or Short Halt is still to be carried out."""
    own = [vehicle for vehicle in view.vehicles.values() if vehicle.side == side]
    return [vehicle for vehicle in own if not any(move_objections(view, vehicle))]


def move_objections(view: PanzerState, vehicle: Vehicle) -> Iterator[Objection]:
    """4.5.1 Everything that keeps a vehicle from moving now."""
    if vehicle.status is Status.RESERVE and vehicle.entry_turn > view.turn:
        yield Objection("2.0", f"it may not enter before turn {vehicle.entry_turn}")
    elif vehicle.status not in (Status.ON_MAP, Status.RESERVE):
        yield Objection("4.5.1", "it is no longer on the map")
    elif vehicle.moved:
        yield Objection("4.5.1.1", "it has completed its move")
    elif vehicle.command not in MOVING:
        yield Objection("4.5.1", "it has no Move or Short Halt command")


# --- answers -------------------------------------------------------------------------------------------------

Steps = Annotated[list[str], msgspec.Meta(max_length=MOST_STEPS)]


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    unit: str
    steps: Steps = []
    mode: Mode = "cross"


class _Rest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    steps: Steps


def check_move(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """4.5.1.1 The move as it will be carried out, or a refusal with the part of it that would be legal."""
    if answer is None:
        return None
    try:
        wish = msgspec.convert(answer, _Move)
    except msgspec.ValidationError as error:
        why = Objection("4.5.1.1", f"a move names a unit, a mode and its steps: {error}")
        raise Unreadable("move", [why], ['{"unit": "g1", "mode": "cross", "steps": ["f", "r"]}']) from error
    vehicle = view.vehicles.get(wish.unit)
    ready = [other.id for other in movable(view, ask.seat)]
    if vehicle is None or vehicle.side != ask.seat:
        raise Illegal(wish.unit, [Objection("3.1", "it is not a vehicle of yours")], ready)
    if objections := list(move_objections(view, vehicle)):
        raise Illegal(wish.unit, objections, ready)
    mover = mover_of(data, view, vehicle)
    steps = [spelled_out(mover, step) for step in wish.steps]
    check_route(mover, start(mover, wish.mode), steps)
    return {"unit": wish.unit, "mode": wish.mode, "steps": steps}


def check_reroute(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """4.5.1.1.5 A new rest, checked together with what was executed under the same mode (R-17); None goes on."""
    if answer is None:
        return None
    try:
        wish = msgspec.convert(answer, _Rest)
    except msgspec.ValidationError as error:
        why = Objection("4.5.1.1.5", f"a new rest of a move lists its steps: {error}")
        raise Unreadable("reroute", [why], ['{"steps": ["f", "r"]}', "null"]) from error
    check_route(mover_of(data, view, view.vehicles[ask.subject]), progress_of(ask), wish.steps)
    return {"steps": wish.steps}


def progress_of(ask: Ask) -> Progress:
    """The move so far, as the ask carries it."""
    return msgspec.convert(ask.about["progress"], Progress)


def check_route(mover: Mover, progress: Progress, steps: Sequence[str]) -> None:
    """4.5.1.1 Refuse a route that cannot be driven or may not end where it does."""
    strides, stopped = follow(mover, progress, steps)
    unit = mover.vehicle.id
    if stopped:
        refuse(f"{unit}, step {len(strides) + 1} ({steps[len(strides)]})", mover, progress, steps, stopped)
    end = strides[-1].progress if strides else progress
    if objections := list(mover.finish_objections(end)):
        refuse(unit, mover, progress, steps, objections)


def refuse(part: str, mover: Mover, progress: Progress, steps: Sequence[str], objections: Objections) -> NoReturn:
    """4.5.1.1 The refusal, with the longest part of the route that would be a legal move."""
    legal = as_far_as_legal(mover, progress, steps)
    raise Illegal(part, objections, [" ".join(legal)] if legal else [])


def against(mover: Mover, progress: Progress, steps: Sequence[str]) -> Objections:
    """4.5.1.1 Everything against a route: what stops it, or what is wrong with its end."""
    strides, stopped = follow(mover, progress, steps)
    end = strides[-1].progress if strides else progress
    return stopped or list(mover.finish_objections(end))


def move_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """4.5.1.1 Unit by unit: stay, every hex within reach, every other facing, the ways off the map; last: done."""
    for vehicle in movable(view, ask.seat):
        mover = mover_of(data, view, vehicle)
        if vehicle.alive:
            yield {"unit": vehicle.id, "mode": "cross", "steps": []}
        for mode in MODES:
            for route in routes(mover, start(mover, mode)):
                yield {"unit": vehicle.id, "mode": mode, "steps": list(route.steps)}
    yield None


def reroute_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """4.5.1.1.5 To go on, or any other rest of the move (R-17)."""
    yield None
    mover = mover_of(data, view, view.vehicles[ask.subject])
    for route in routes(mover, progress_of(ask)):
        yield {"steps": list(route.steps)}


def routes(mover: Mover, progress: Progress, may_end: Callable[[Hex], bool] | None = None) -> Iterator[Route]:
    """4.5.1.1 Every hex with its cheapest facing, then the ways off the map, then all other facings.

    `may_end` leaves out at once the hexes in which the move must not end.
    """
    places = reachable(mover, progress.mode, progress)
    if may_end is not None:
        places = {place: route for place, route in places.items() if may_end(place[0])}
    first: dict[Any, Route] = {}
    for (hex, _), route in places.items():
        first.setdefault(hex, route)
    yield from first.values()
    yield from ways_out(mover, progress.mode, progress).values()
    chosen = {route.steps for route in first.values()}
    yield from (route for route in places.values() if route.steps not in chosen)
