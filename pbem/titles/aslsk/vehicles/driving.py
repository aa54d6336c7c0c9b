"""3.3.2 A vehicle's Movement Phase: one expenditure after the other until its MP are spent.

3.3.2             drive: the next expenditure, its window, and Bounding First Fire
3.3.2/motion      park: the vehicle stops and waits, or ends in Motion
7.10/recall       way_home: the shortest way off the map for a recalled vehicle
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence

import msgspec

from pbem.engine.rules.ask import Step
from pbem.engine.rules.happenings import Change, Happening, Move
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.ground.lattice import front_sides
from pbem.titles.aslsk.movement.eligibility import OFF_MAP
from pbem.titles.aslsk.orders import Leg, MoveOrder, Orders
from pbem.titles.aslsk.player.wording import move_line
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Mover, Vehicle, orders_of
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.vehicles.costs import MP, STOP, entry_cost, turn_cost
from pbem.titles.aslsk.vehicles.devices import device_objections, use_device
from pbem.titles.aslsk.vehicles.steps import (
    change_hatches,
    delay,
    enter,
    first_needed_step,
    free_itself,
    going_of,
    mp_left,
    new_driving,
    spend,
    start_engine,
    step_objections,
    stop,
    turn,
    turn_turret,
)

Window = Callable[..., Step]
DONE = 10_000
"""A leg number beyond the end of any path: the vehicle can only park."""


def vehicle_objections(situation: Situation, vehicle: Vehicle, legs: Sequence[Leg]) -> Iterator[Objection]:
    """3.3, 3.3.2 Object to moving a vehicle that fired in the PFPh, has moved, or cannot act; it may still button
    up.
    """
    if vehicle.shock or vehicle.stun:
        yield Objection(
            "7.10/shock" if vehicle.shock else "7.10/stun",
            say("the crew of {vehicle} is out of action", vehicle=vehicle.id),
        )
    if vehicle.fired_in == "prep" and any(leg.do != "close" for leg in legs):
        yield Objection("3.3", say("{vehicle} has fired in the Prep Fire Phase", vehicle=vehicle.id))
    if vehicle.moved:
        yield Objection("3.3.1/declaration", say("{vehicle} has already moved", vehicle=vehicle.id))
    if not vehicle.at and not situation.data.may_enter(vehicle, situation.state.turn):
        yield Objection("3.3/entry-exit", say("{vehicle} does not enter this turn", vehicle=vehicle.id))


def start_vehicle(table: AslskTable, order: MoveOrder, number: int) -> bool:
    """3.3.2 Begin a vehicle's Movement Phase (a recalled one leaves the map); return whether it may move."""
    state, vehicle = table.state, table.state.vehicles[order.units[0]]
    against = [*vehicle_objections(table.situation, vehicle, order.legs)]
    if len(order.units) > 1:
        against.append(Objection("3.3.2", say("vehicles move one at a time")))
    if against:
        report_failure(table, state.attacker, move_line(order), against, units=order.units)
        return False
    vehicle.going = new_driving(table.situation, vehicle)
    if vehicle.motion:
        vehicle.moving = True
    if vehicle.recalled and vehicle.at:
        legs = tuple(Leg("enter", hex) for hex in way_home(table.situation, vehicle))
        replace_order(table, number, msgspec.structs.replace(order, legs=(*legs, Leg("motion")), branches=()))
    state.mover = Mover(units=[vehicle.id], stack=[vehicle.id], line=number, at=vehicle.at, drives=True)
    table.find("3.3.1/declaration", inputs={"units": [vehicle.id], "at": vehicle.at}, result="starts to move")
    return True


def replace_order(table: AslskTable, number: int, order: MoveOrder) -> None:
    state = table.state
    before = orders_of(state, state.attacker)
    moves = (*before.moves[:number], order, *before.moves[number + 1 :])
    state.sealed[state.attacker] = msgspec.structs.replace(before, moves=moves)


def forced_moves(situation: Situation, orders: Orders) -> tuple[MoveOrder, ...]:
    """3.3.2/motion, 7.10/recall The moves of vehicles without orders that are in Motion or recalled: they stop, or
    leave the map.
    """
    named = {id for order in orders.moves for id in order.units}
    found = []
    for vehicle in situation.state.vehicles.values():
        bound = vehicle.motion or (vehicle.recalled and not vehicle.immobile)
        if vehicle.seat == situation.state.attacker and vehicle.at and bound and vehicle.id not in named:
            found.append(MoveOrder((vehicle.id,), (Leg("stop" if vehicle.motion else "start"),)))
    return tuple(found)


def way_home(situation: Situation, vehicle: Vehicle) -> list[str]:
    """7.10/recall The path to the friendly edge that costs the fewest MP, turns included, and avoids enemy
    vehicles.
    """
    edge = situation.data.scenario.side(vehicle.seat).edge
    goals = set(situation.ground.edge_hexes(edge))
    heap: list[tuple[int, tuple[str, ...], int]] = [(0, (vehicle.at,), vehicle.vca)]
    done: set[tuple[str, int]] = set()
    while heap:
        cost, path, facing = heapq.heappop(heap)
        hex = path[-1]
        if (hex, facing) in done:
            continue
        done.add((hex, facing))
        if hex in goals:
            return [*path[1:], OFF_MAP]
        ghost = msgspec.structs.replace(vehicle, at=hex, vca=facing)
        for near in situation.ground.neighbours(hex):
            step, side = entry_cost(situation, ghost, near), situation.ground.side(hex, near)
            barred = step.prohibited or (step.buttoned and vehicle.ce)
            if barred or situation.enemy_vehicles(near, vehicle.seat):
                continue
            for spine in [spine for spine in range(6) if side in front_sides(spine)]:
                turned = turn_cost(situation, ghost, spine)
                heapq.heappush(heap, (cost + turned + step.halves, (*path, near), spine))
    return []


def drive(table: AslskTable, vehicle: Vehicle | None, leg: Leg | None, after: str, window: Window) -> Step:
    """3.3.2 Make the moving vehicle's next expenditure, or end its move if nothing is left to do."""
    state = table.state
    mover = state.mover
    assert mover is not None
    if vehicle is None or vehicle.going is None:
        return (yield from end_drive(table, vehicle))
    going = going_of(vehicle)
    if going.over or not table.situation.good_order(vehicle):
        if leg is not None and (leg.do not in ("stop", "delay", "motion") or not mover.leg):
            reason = Objection("3.3.2", say("{vehicle} has already ended its Movement Phase", vehicle=vehicle.id))
            partly = mover.expenditures > 0
            report_failure(
                table,
                state.attacker,
                f"{vehicle.id} move {leg.hex}".strip(),
                [reason],
                partly=partly,
                units=[vehicle.id],
            )
        return (yield from end_drive(table, vehicle, window))
    if leg is None or leg.do == "motion" or mover.leg >= DONE:
        return (yield from park(table, vehicle, window, motion=leg is not None and leg.do == "motion"))
    step = first_needed_step(table.situation, vehicle, leg, after)
    against = [*objections(table.situation, vehicle, step)]
    if against:
        words = f"{vehicle.id} {leg.do} {leg.hex}".strip()
        report_failure(table, state.attacker, words, against, partly=mover.expenditures > 0, units=[vehicle.id])
        if leg.do in ("fire", "device", "open", "close", "turret"):
            mover.leg += 1
        else:
            mover.leg = DONE
        return True
    if step is leg:
        mover.leg += 1
    if perform(table, vehicle, step, after):
        mover.expenditures += 1
        yield from window(table, spends=step.do not in ("open", "close"))
    return True


def objections(situation: Situation, vehicle: Vehicle, leg: Leg) -> Iterator[Objection]:
    """3.3.2 All objections to a leg, including fire and smoke devices."""
    yield from step_objections(situation, vehicle, leg)
    if leg.do == "fire":
        yield from attack_objections(situation, vehicle.seat, bounding_attack(situation, leg))
    elif leg.do == "device":
        yield from device_objections(situation, vehicle, leg.hex)
        if mp_left(vehicle) < MP:
            yield Objection("7.5", say("{vehicle} has no MP left", vehicle=vehicle.id))


def bounding_attack(situation: Situation, leg: Leg) -> Attack:
    """3.3.2.2 The Bounding First Fire attack that a leg orders."""
    target = situation.state.vehicles.get(leg.target)
    return Attack(leg.by, target.at if target is not None else leg.hex, how=leg.how, target=leg.target)


def perform(table: AslskTable, vehicle: Vehicle, leg: Leg, after: str) -> bool:
    """3.3.2 Carry out one leg; return whether it opens a window."""
    if leg.do == "start":
        start_engine(table, vehicle)
    elif leg.do == "stop":
        if going_of(vehicle).stopped:
            return False
        stop(table, vehicle)
    elif leg.do == "delay":
        delay(table, vehicle, max(1, leg.number) * MP)
    elif leg.do == "turn":
        turn(table, vehicle, leg.number)
    elif leg.do == "enter":
        enter(table, vehicle, leg, after)
    elif leg.do == "unbog":
        free_itself(table, vehicle)
    elif leg.do == "turret":
        turn_turret(table, vehicle, leg.number)
        return False
    elif leg.do == "fire":
        fire(table, bounding_attack(table.situation, leg))
        return False
    elif leg.do == "device":
        placed = use_device(table, vehicle, leg.hex)
        if placed:
            spend(vehicle, MP)
        return placed
    else:
        change_hatches(table, vehicle, exposed=leg.do == "open")
        return going_of(vehicle).here > 0
    return True


def park(table: AslskTable, vehicle: Vehicle, window: Window, *, motion: bool) -> Step:
    """3.3.2/motion Stop the vehicle if possible and let it wait, or end in Motion; its remaining MP are spent in
    this hex.
    """
    situation, going = table.situation, going_of(vehicle)
    assert table.state.mover is not None
    bound = going.must_leave and bool(situation.enemy_vehicles(vehicle.at, vehicle.seat))
    if not vehicle.at:
        return (yield from end_drive(table, vehicle))
    if not going.stopped and not motion and mp_left(vehicle) >= STOP and not bound:
        stop(table, vehicle)
        table.state.mover.expenditures += 1
        yield from window(table)
        return True
    rest = mp_left(vehicle)
    fired = vehicle.fired_in == "movement" and not vehicle.immobile
    if rest and (going.spent or fired):
        if going.stopped:
            delay(table, vehicle, rest)
        else:
            spend(vehicle, rest)
        table.state.mover.expenditures += 1
        yield from window(table)
        return True
    return (yield from end_drive(table, vehicle))


def end_drive(table: AslskTable, vehicle: Vehicle | None, window: Window | None = None) -> Step:
    """3.3.2/motion End the vehicle's Movement Phase, in Motion or not; it is now safe from First Fire."""
    state = table.state
    mover = state.mover
    assert mover is not None
    if vehicle is not None and vehicle.id in state.vehicles and vehicle.going is not None:
        motion = not vehicle.going.stopped and bool(vehicle.at)
        if motion != vehicle.motion and vehicle.at:
            marks: list[Happening] = [Change(vehicle.id, "motion", motion)]
            told = "in Motion" if motion else "stopped"
            table.find("3.3.2/motion", inputs={"vehicle": vehicle.id}, result=told, shows=marks)
        vehicle.motion, vehicle.moved = motion, True
        vehicle.moving = vehicle.moving or motion
    names = [id for id in mover.stack if id in state.vehicles]
    stayed = vehicle is not None and vehicle.going is not None and not vehicle.going.hexes and bool(vehicle.at)
    shown = [Move(id, ((vehicle.at, vehicle.vca),)) for id in names if vehicle is not None and stayed]
    table.find("3.3.1/declaration", inputs={"units": names, "at": mover.at}, result="ends its move", shows=shown)
    state.mover = None
    return False
    yield
