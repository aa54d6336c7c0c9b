"""What a seat can order and expect, from what it knows.

    4.2.1    own_units, commanded, check_command
    4.4.1    shots_under: the shots a vehicle would have under a command; check_fire_wish
    4.4.2    watch_prospects: the overwatch shots open in a window
    4.4.3.2  worth: what a shot promises
    4.5.1    check_move_wish (now), routes (when the time has come: to the same goal, as near as it can be reached)

Orders are checked against the positions of the moment. While the turn is carried out others move and shoot, so a
move is worked out anew when it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.titles.panzer.ap_fire import MOVING, a_shot, aspect_of, effect_of, stronger_aspect
from pbem.titles.panzer.board import on_map
from pbem.titles.panzer.charts import nearest
from pbem.titles.panzer.commands import command_objections, commandable, legal_commands
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.direct_fire import Possible, legal_shots, shot_objections
from pbem.titles.panzer.movement_progress import (
    ENTER,
    Mover,
    as_far_as_legal,
    finish_objections,
    follow,
    mover_of,
    start,
)
from pbem.titles.panzer.movement_routes import Route, reachable, ways_out
from pbem.titles.panzer.overwatch import watch_shots
from pbem.titles.panzer.plan import LEAVE_ANYWHERE, FireWish, Mode, MoveWish
from pbem.titles.panzer.state import Command, PanzerState, Status, Vehicle

WORD_OF: Final = {
    Command.FIRE: "fire",
    Command.MOVE: "move",
    Command.SHORT_HALT: "short-halt",
    Command.OVERWATCH: "overwatch",
    Command.NO_COMMAND: "hold",
}
"""4.2 The commands in the order language."""

GAIN: Final = {"miss": 0, "no-effect": 0, "damaged": 3, "ko": 8, "bu": 8}
"""How much an effect is worth to the firer; a bot's and the standing orders' taste, no rule."""


# --- 4.2.1 commands ------------------------------------------------------------------------------------------


def own_units(view: PanzerState, seat: str) -> list[Vehicle]:
    """4.2.1 The vehicles that a seat may command now, in the order of their ids."""
    return commandable(view, seat)


def commanded(vehicle: Vehicle, command: Command) -> Vehicle:
    """The vehicle as it would be under a command."""
    return msgspec.structs.replace(vehicle, command=command)


def check_command(data: PanzerData, view: PanzerState, vehicle: Vehicle, command: Command) -> None:
    """4.2.1 Refuse a command that the vehicle cannot carry out, and say which it could."""
    if objections := list(command_objections(data, view, vehicle, command)):
        instead = [f"{vehicle.id} {WORD_OF[legal]}" for legal in legal_commands(data, view, vehicle)]
        raise Illegal(f"{vehicle.id} {WORD_OF[command]}", objections, instead)


# --- 4.4 fire ------------------------------------------------------------------------------------------------


def shots_under(data: PanzerData, view: PanzerState, vehicle: Vehicle, command: Command) -> list[Possible]:
    """4.4.1 The legal shots of a vehicle in its Direct Fire Step if it had this command, best first."""
    return legal_shots(data, view, commanded(vehicle, command))


def check_fire_wish(data: PanzerData, view: PanzerState, vehicle: Vehicle, wish: FireWish) -> None:
    """4.4.1 Every target wished for must be one that the vehicle can fire at as things stand."""
    refusals: list[Refusal] = []
    for target in wish.targets:
        found = wish_objections(data, view, vehicle, wish, view.vehicles[target])
        if found:
            legal = dict.fromkeys(shot.target for shot in legal_shots(data, view, vehicle))
            word = WORD_OF[vehicle.command or Command.FIRE]
            instead = [f"{vehicle.id} {word} {' '.join(legal)}"] if legal else [f"{vehicle.id} hold"]
            refusals.append(Illegal(f"{vehicle.id} at {target}", found, instead))
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)


def wish_objections(
    data: PanzerData, view: PanzerState, vehicle: Vehicle, wish: FireWish, target: Vehicle
) -> list[Objection]:
    """4.4.1 What is against a shot with the weapon named; without a name, against the weapon that comes nearest."""
    weapons = range(len(data.cards[vehicle.card].weapons)) if wish.weapon is None else [wish.weapon]
    found = [list(shot_objections(data, view, vehicle, weapon, target)) for weapon in weapons]
    return min(found, key=len, default=[Objection("4.4.3", "it has no weapon")])


def worth(data: PanzerData, view: PanzerState, shot: Possible) -> int:
    """4.4.3.2 The hit number times what a hit would do, from what the seat knows."""
    firer, target = view.vehicles[shot.firer], view.vehicles[shot.target]
    aimed = a_shot(data, view, firer, shot.weapon, target)
    return shot.hit_number * GAIN[effect_of(aimed, aspect_of(aimed) or stronger_aspect(aimed))]


def watch_prospects(data: PanzerData, view: PanzerState, ask: Ask) -> dict[str, list[Possible]]:
    """4.4.2 The overwatch shots of own vehicles in a window, by vehicle."""
    targets = ask.about.get("targets", ())
    shots = {vehicle.id: watch_shots(data, view, vehicle, targets) for vehicle in view.of(ask.seat)}
    return {unit: legal for unit, legal in shots.items() if legal}


# --- 4.5 movement --------------------------------------------------------------------------------------------


def check_move_wish(data: PanzerData, view: PanzerState, vehicle: Vehicle, wish: MoveWish) -> MoveWish:
    """4.5.1 The wish in canonical form if it can be carried out as things stand; a refusal names the nearest."""
    mover = mover_of(data, view, vehicle)
    if wish.goal or wish.enter:
        wish = with_hexes_named(data, vehicle, wish)
    wish = entering(mover, wish)
    if wish.steps:
        check_steps(mover, wish)
    elif wish.exit:
        check_exit(data, mover, wish)
    elif wish.goal or wish.facing or wish.enter:
        check_goal(mover, wish)
    return wish


def with_hexes_named(data: PanzerData, vehicle: Vehicle, wish: MoveWish) -> MoveWish:
    """1.2 The hexes of a wish as the map names them."""
    names = {}
    for field in ("goal", "enter"):
        if written := getattr(wish, field):
            try:
                names[field] = hex_name(on_map(written, dict.fromkeys(data.board.hexes)))
            except ValueError as error:
                raise Unreadable(f"{vehicle.id} {written}", [Objection("1.2", str(error).rstrip("."))]) from error
    return msgspec.structs.replace(wish, **names)


def entering(mover: Mover, wish: MoveWish) -> MoveWish:
    """R-02 A reinforcement enters by one of its entry hexes; told nothing but to move, by the first."""
    unit, legal = mover.vehicle.id, [hex_name(hex) for hex in mover.entry]
    if mover.vehicle.status is not Status.RESERVE:
        if wish.enter:
            raise Illegal(f"{unit} enter", [Objection("2.0", "it is on the map already")], [f"{unit} move"])
        return wish
    if not wish.enter and not wish.goal and not wish.exit:
        return msgspec.structs.replace(wish, enter=legal[0])
    if wish.enter and wish.enter not in legal:
        raise Illegal(
            f"{unit} enter {wish.enter}",
            [Objection("2.0", f"it may enter by {' or '.join(legal)}")],
            [f"{unit} enter {nearest(wish.enter, legal) or legal[0]}"],
        )
    return wish


def check_steps(mover: Mover, wish: MoveWish) -> None:
    """4.5.1.1 The steps as a whole: each legal, and the move may end there (R-17)."""
    steps = steps_of(wish)
    begun = start(mover, wish.mode)
    strides, objections = follow(mover, begun, steps)
    end = strides[-1].progress if strides else begun
    found = [*objections, *(() if objections else finish_objections(mover, end))]
    if found:
        legal = " ".join(as_far_as_legal(mover, begun, steps))
        taken = " ".join(stride.step for stride in strides)
        where = f"{mover.vehicle.id} move {taken} then {steps[len(strides)]}" if objections else mover.vehicle.id
        raise Illegal(where, found, [f"{mover.vehicle.id} move {legal}".strip()])


def steps_of(wish: MoveWish) -> list[str]:
    """4.5.1.1 The steps of a wish, with the entry of a reinforcement first."""
    return [f"{ENTER}{wish.enter}", *wish.steps] if wish.enter else list(wish.steps)


def check_exit(data: PanzerData, mover: Mover, wish: MoveWish) -> None:
    """4.5.1.1.9 Off the map, by the edge named or any."""
    edges = list(ways_out(at_entry(mover, wish), wish.mode))
    if not edges or wish.exit not in (LEAVE_ANYWHERE, *edges):
        unit = mover.vehicle.id
        where = "by no edge" if not edges else f"only by {' or '.join(edges)}"
        instead = [f"{unit} exit {edge}" for edge in edges] or [f"{unit} move"]
        raise Illegal(f"{unit} exit", [Objection("4.5.1.1.9", f"this turn it can leave the map {where}")], instead)


def check_goal(mover: Mover, wish: MoveWish) -> None:
    """4.5.1.1 The goal must be within reach, with the facing wished."""
    places = reachable(at_entry(mover, wish), wish.mode)
    if best_route(mover, wish, places) is not None:
        return
    unit, goal = mover.vehicle.id, goal_of(mover, wish)
    verb = "road" if wish.mode == "road" else "move"
    facings = sorted(facing for hex, facing in places if hex == goal)
    if facings:
        why = f"in {hex_name(goal)} it can face {' or '.join(map(str, facings))} only"
        near = [f"{unit} {verb} {hex_name(goal)} face {facing}" for facing in facings]
        raise Illegal(f"{unit} {verb} {hex_name(goal)} face {wish.facing}", [Objection("4.5.1.1.4", why)], near)
    closest = sorted({hex for hex, _ in places}, key=lambda hex: (distance(hex, goal), hex))[:3]
    rule = "4.5.1.1.5" if wish.mode == "road" else "4.5.1.1.1"
    way = "along a path or road from where it stands" if wish.mode == "road" else "across country"
    near = [f"{unit} {verb} {hex_name(hex)}" for hex in closest] or [f"{unit} move"]
    raise Illegal(
        f"{unit} {verb} {hex_name(goal)}",
        [Objection(rule, f"it cannot end its move in {hex_name(goal)} this turn {way}")],
        near,
    )


def at_entry(mover: Mover, wish: MoveWish) -> Mover:
    """R-02 The mover limited to the entry hex wished for."""
    if not wish.enter:
        return mover
    return replace(mover, entry=tuple(hex for hex in mover.entry if hex_name(hex) == wish.enter))


def goal_of(mover: Mover, wish: MoveWish) -> Hex:
    """The hex where the move should end: the goal, the entry hex, or where the vehicle is."""
    named = wish.goal or wish.enter
    if named:
        return on_map(named, dict.fromkeys(mover.ground.board.hexes))
    return mover.vehicle.hex or mover.entry[0]


def best_route(mover: Mover, wish: MoveWish, places: dict[tuple[Hex, int], Route]) -> Route | None:
    """The cheapest way to the goal with the facing wished."""
    goal = goal_of(mover, wish)
    return next(
        (route for (hex, facing), route in places.items() if hex == goal and wish.facing in (0, facing)), None
    )


# --- 4.5.1 when the time has come ----------------------------------------------------------------------------


def routes(data: PanzerData, view: PanzerState, unit: str, wish: MoveWish) -> Iterator[dict[str, Any]]:
    """4.5.1 One vehicle's move: as wished, or as near to it as things allow now; at last a no-move."""
    vehicle = view.vehicles[unit]
    if vehicle.moved or vehicle.command not in MOVING or vehicle.status not in (Status.ON_MAP, Status.RESERVE):
        return
    mover = mover_of(data, view, vehicle)
    for mode, steps in wished_steps(data, mover, wish):
        yield {"unit": unit, "mode": mode, "steps": list(steps)}
    if vehicle.alive:  # a reinforcement may wait outside
        yield {"unit": unit, "mode": "cross", "steps": []}


def wished_steps(data: PanzerData, mover: Mover, wish: MoveWish) -> Iterator[tuple[Mode, Iterable[str]]]:
    """The ways to fulfil a wish, best first."""
    if wish.steps:
        steps = steps_of(wish)
        yield wish.mode, steps
        yield wish.mode, as_far_as_legal(mover, start(mover, wish.mode), steps)
    elif wish.exit:
        yield from steps_out(data, mover, wish)
    elif wish.goal or wish.enter or wish.facing:
        yield from steps_to_goal(mover, wish)


def steps_out(data: PanzerData, mover: Mover, wish: MoveWish) -> Iterator[tuple[Mode, Iterable[str]]]:
    """4.5.1.1.9 Off the map by the edge named; by any, first where it earns points (R-04), then where it is near."""
    edges = ways_out(at_entry(mover, wish), wish.mode)
    points = {row.edge: row.vp for row in data.scenario.exits if row.side == mover.vehicle.side}
    for edge in sorted(edges, key=lambda edge: (-points.get(edge, 0), edges[edge].cost, edge)):  # type: ignore[call-overload]
        if wish.exit in (LEAVE_ANYWHERE, edge):
            yield wish.mode, edges[edge].steps


def steps_to_goal(mover: Mover, wish: MoveWish) -> Iterator[tuple[Mode, Iterable[str]]]:
    """4.5.1 To the goal, facing as wished or else as it comes; across country if the road is closed; else nearer."""
    mover = at_entry(mover, wish)
    modes: tuple[Mode, ...] = ("road", "cross") if wish.mode == "road" else ("cross",)
    found = {mode: reachable(mover, mode) for mode in modes}
    anyhow = msgspec.structs.replace(wish, facing=0)
    for wanted in (wish, anyhow):
        for mode in modes:
            if (route := best_route(mover, wanted, found[mode])) is not None:
                yield mode, route.steps
    goal, here = goal_of(mover, wish), mover.vehicle.hex
    nearer = [
        (distance(hex, goal), route.cost, mode, route.steps)
        for mode in modes
        for (hex, _), route in found[mode].items()
        if here is None or distance(hex, goal) < distance(here, goal)
    ]
    yield from ((mode, steps) for _, _, mode, steps in sorted(nearer)[:1])
