"""4.5.1.1, 6.6 One unit's move, carried out step by step, with overwatch fire.

    4.5.1, 6.6.9     begin_move: the command is revealed, Spot/Move placed, a hull-down position lost
    4.5.1.1          move_unit, react, slow_down (6.6.2)
    6.1.4.3          place: things a unit leaves, crushes and takes along
    6.6.3            attempt_building
    6.6.6            barrages attack units that enter a new hex of the pattern
    6.6.7.1.1        let_on, let_off, stay_step: passengers, also of vehicles that do not move
    6.6.7.1.2        jump_off
    6.6.10           drive_over
    7.30             push_off

Costs and legality of steps are in `unit_steps` and in the modules for the chapters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import Hex, direction_to, hex_name, parse_hex
from pbem.engine.rules.ask import Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Fail, Move
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.artillery.barrage import reset_barrage_attacks, search_attacks
from pbem.titles.panzer.close_combat.advances import settle_in
from pbem.titles.panzer.close_combat.close_combat import dismount_attack
from pbem.titles.panzer.close_combat.overrun import resolve_overrun
from pbem.titles.panzer.close_combat.overrun_moves import declared_by
from pbem.titles.panzer.close_combat.tank_fright import takes_fright
from pbem.titles.panzer.command import morale
from pbem.titles.panzer.command.command_control import reveal
from pbem.titles.panzer.command.dischargers import blow_away
from pbem.titles.panzer.damage.damage_detail import comes_up
from pbem.titles.panzer.damage.effects import lose_hull_down, suppress
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.overwatch import overwatch_window
from pbem.titles.panzer.movement.arrivals import arrive, run_to
from pbem.titles.panzer.movement.placing import drive_to, leave_map, passed_by, way_shown
from pbem.titles.panzer.movement.shared_moves import command_of
from pbem.titles.panzer.movement.steps.acts import (
    Act,
    Bail,
    Dismount,
    Face,
    Mount,
    Overrun,
    Push,
    Search,
    Unload,
    acts_of,
    read_act,
)
from pbem.titles.panzer.movement.steps.driving import LEFT, RIGHT, Stride, after_damage
from pbem.titles.panzer.movement.steps.on_foot import quickmarch_roll
from pbem.titles.panzer.movement.steps.step_findings import step_finding
from pbem.titles.panzer.movement.steps.terrain_costs import crawls
from pbem.titles.panzer.movement.steps.unit_steps import (
    DRIVING,
    March,
    MoveMode,
    UnitMover,
    allowance_finding,
    halvings,
    mover_of,
    start,
    take,
    units_aboard,
)
from pbem.titles.panzer.movement.unfinished import (
    arrival_objections,
    halt,
    make_room,
    name_of_hex,
    report_undone,
    report_unfinished,
    why_ended,
)
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.bogging import bog_check, needs_check
from pbem.titles.panzer.obstacles.buildings import INTO, attempt, stop, stop_finding, suffer
from pbem.titles.panzer.obstacles.minefield_combat import land_on_mines, start_in_mines
from pbem.titles.panzer.obstacles.positions import occupy, raise_dust, search
from pbem.titles.panzer.obstacles.pushing import RULE, push
from pbem.titles.panzer.obstacles.transport import (
    get_off,
    get_on,
    is_nimble,
    is_portee_gun,
    may_step,
    set_down_gun,
    take_up_gun,
)
from pbem.titles.panzer.routes.rest_of_move import course_of, drive_on, next_stride, rest_of, set_out
from pbem.titles.panzer.sighting.camouflage import lose_camouflage
from pbem.titles.panzer.sighting.hidden_units import look_around
from pbem.titles.panzer.sighting.terrain import interior_of, place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Inside, PanzerState, Spot, Status, Unit

SILENT: Final = (Dismount, Bail, Unload, Face, Search, Overrun)
"""Steps that open no window: dismounting (L3183), facing on foot, a search (its window came before), an overrun."""


# --- 4.5.1.1 one unit's move ---------------------------------------------------------------------------------


def move_unit(table: Table[PanzerState], id: str, mode: MoveMode, steps: Sequence[str]) -> Step:
    """4.5.1.1 Reveal the command, then move step by step; the opponent may react at each point."""
    unit = table.state.vehicles[id]
    mover = begin_move(table, unit, mode)
    march = start(mover, mode, declared_by(steps))
    order = set_out(table, mover, march, steps)
    rest = tuple(steps)
    if unit.alive and not unit.crawling:  # a reinforcement is nowhere yet
        march, rest = yield from react(table, unit, march, rest)
    march, rest = yield from leave_mines(table, unit, march, rest)
    announced = False
    while rest and is_going_on(unit, march):
        if is_attempt(unit, march, rest[0]) and not announced:  # 6.6.3: fired at in its previous position
            march, rest = yield from react(table, unit, march, rest)
            announced = True
            continue
        announced = False
        step, rest = rest[0], rest[1:]
        march, asked = yield from take_step(table, unit, march, step)
        asked = bool((yield from look_around(table))) or asked  # 7.2.2.1
        if is_going_on(unit, march) and march.hex is not None:
            held = march.over == "6.6.3"  # at the wall, so that there was no overrun
            silent = unit.crawling or march.over == "7.29" or (isinstance(read_act(step), SILENT) and not held)
            march, rest = yield from after_step(table, unit, march, rest, silent, asked)
    end_move(table, unit, march)
    report_unfinished(table, unit, march, steps, order)


def leave_mines(table: Table[PanzerState], unit: Unit, march: March, rest: tuple[str, ...]) -> Step:
    """7.31.2 Handle a move that begins in a minefield; the unit's owner may reconsider after the attack."""
    if not rest or not unit.alive or not (yield from start_in_mines(table, unit, rest, quick=march.gait == "quick")):
        return march, rest
    return (yield from go_on_with(table, unit, march, rest, True))


def is_going_on(unit: Unit, march: March) -> bool:
    """5.15 Whether the unit is on the map (or about to enter it) and has a crew."""
    return (unit.alive or march.hex is None) and not unit.bailed_out


def begin_move(table: Table[PanzerState], unit: Unit, mode: MoveMode) -> UnitMover:
    """4.5.1, 6.6.9 Reveal the command, also for units that share it; a hull-down position is lost."""
    state, data = table.state, table.data
    command = command_of(state, unit)
    assert command is not None
    lost = [lose_hull_down(data, mate) for mate in reveal(state, unit)]
    lost.append(lose_camouflage(data, unit, "moved"))  # 7.24
    unit.moved = True
    quick = mode == "quick"
    children = [mark_mover(data, unit), *(finding for finding in lost if finding)]
    if command is Command.SHORT_HALT:
        children.append(Finding("3.4", inputs={"unit": unit.id}, result="move-half"))
    children.append(allowance_finding(table, unit, quick))
    table.find(
        "4.5.1.1",
        inputs={"unit": unit.id, "command": command.value, "hex": name_of_hex(unit.hex), "mode": mode},
        result="begins",
        children=children,
    )
    return mover_of(table, unit, quick)


def mark_mover(data: PanzerData, unit: Unit) -> Finding:
    """4.5.1 Spot/Move replaces any other marker; 6.6.4.3 crawling is not movement for combat and spotting."""
    if crawls(unit):
        unit.crawling = True
        rule = ledger_row(data.edition, "6.6.4.3/not-moving")
        return Finding(rule, inputs={"unit": unit.id}, result="crawling")
    replaced = unit.marker.value
    unit.pending, unit.pending_small_arms = Spot.MOVE, False
    return Finding("4.5.1", inputs={"unit": unit.id, "replaces": replaced}, result=Spot.MOVE.value)


def react(table: Table[PanzerState], unit: Unit, march: March, rest: tuple[str, ...]) -> Step:
    """4.5.1.1 Open a window; after fire the owner may reroute, and steps now impossible are dropped (R-17)."""
    fired_at = yield from overwatch_window(table, unit)
    return (yield from go_on_with(table, unit, march, rest, fired_at))


def after_step(
    table: Table[PanzerState], unit: Unit, march: March, rest: tuple[str, ...], silent: bool, asked: bool
) -> Step:
    """4.5.1.1 Open the window for a step, if any; if dice were rolled (`asked`), the owner may reconsider."""
    fired_at = False if silent else (yield from overwatch_window(table, unit))
    return (yield from go_on_with(table, unit, march, rest, fired_at or asked))


def go_on_with(table: Table[PanzerState], unit: Unit, march: March, rest: tuple[str, ...], may_change: bool) -> Step:
    """R-17 Continue the move after something has happened to the unit."""
    if not is_going_on(unit, march):
        return march, ()
    if may_change or course_of(table, unit, march) is None:
        march = slow_down(table, unit, march)
    if may_change:
        about = {"progress": msgspec.to_builtins(march), "rest": list(rest)}
        answer = yield Ask(unit.side, "reroute", "4.5.1.1.5", subject=unit.id, about=about)
        rest = rest if answer is None else tuple(answer["steps"])
    return march, rest_of(table, unit, march, rest) if rest else ()


def slow_down(table: Table[PanzerState], unit: Unit, march: March) -> March:
    """6.6.2 Suppression and hull damage each halve the remaining allowance once (A-36)."""
    aboard = tuple(passenger.id for passenger in units_aboard(table.state, unit))
    march = msgspec.structs.replace(march, aboard=aboard)
    for word in halvings(table.state, unit):
        if word not in march.slowed:
            before, halved = march.left, after_damage(march)
            assert isinstance(halved, March)
            march = msgspec.structs.replace(halved, slowed=(*march.slowed, word))
            inputs = {"unit": unit.id, "halved_for": word, "left": before, "spent": march.spent}
            halving = Finding("3.7", inputs={"halved_for": [word]}, result=march.left)
            table.find(table.data.cite("6.6.2"), inputs=inputs, result=march.left, children=[halving])
    return march


# --- steps -----------------------------------------------------------------------------------------------------


def take_step(table: Table[PanzerState], unit: Unit, march: March, step: str) -> Step:
    """4.5.1.1 Carry out one step. Return the move so far and whether its owner should reconsider."""
    mover, stride = next_stride(table, unit, march, step)
    if isinstance(stride, Stride) and needs_check(mover, march, step):  # 7.29
        march = bog_check(table, mover, march)
        if march.over:
            return march, True
        stride = take(mover, march, step)
    if not isinstance(stride, Stride):
        return halt(table, unit, march, stride), False
    after = march_in(stride)
    match read_act(stride.step):
        case Search() as act:
            return (yield from look_for_position(table, unit, mover, march, stride, act))
        case Push():  # 7.30
            return (yield from push_off(table, unit, mover, march, stride))
        case Overrun():
            return (yield from drive_over(table, unit, mover, march, stride))
        case Mount() | Dismount() | Bail() | Unload() as act:
            announce(table, mover, march, stride)
            yield from handle_passenger(table, unit, act)
            return after, False
    if is_attempt(unit, march, step):
        return (yield from attempt_building(table, unit, mover, march, stride))
    passed = passed_by(table, unit, after) if after.entered > march.entered else []
    return (yield from carry_on(table, unit, mover, march, stride, passed))


def carry_on(
    table: Table[PanzerState],
    unit: Unit,
    mover: UnitMover,
    before: March,
    stride: Stride,
    more: Sequence[Finding] = (),
) -> Step:
    """4.5.1.1 Move the unit one step and handle its arrival. Return the move so far and whether to ask its owner."""
    course = course_of(table, unit, before)
    more = [*place(table, unit, march_in(stride)), *more]
    announce(table, mover, before, stride, more)
    if course is not None and not more:
        drive_on(table, course, stride)
    after = msgspec.structs.replace(march_in(stride), turret=unit.turret)  # 7.20 may have turned it
    return after, (yield from arrive_in_hex(table, unit, before, after))


def march_in(stride: Stride) -> March:
    """The move after a step, as a `March`."""
    assert isinstance(stride.progress, March)
    return stride.progress


def announce(
    table: Table[PanzerState], mover: UnitMover, before: March, stride: Stride, more: Sequence[Finding] = ()
) -> None:
    """4.5.1.1 Announce an expenditure with its cost and the reasons, if findings are being told."""
    if not table.told:
        return
    found = step_finding(mover, before, stride)
    table.find(
        found.rule,
        inputs={"unit": mover.unit.id, **found.inputs},
        result=found.result,
        children=[*found.children, *more],
        shows=way_shown(table.state, mover.unit, before, march_in(stride)),
    )


def place(table: Table[PanzerState], unit: Unit, march: March) -> list[Finding]:
    """6.6 Place the unit and its passengers where the move has led; handle what it leaves and crushes."""
    unit.turret = march.turret
    road = march.mode == "road"
    place, way = march.inside, march.way
    found = drive_to(table, unit, march.hex, facing=march.facing, inside=place, way=way, by_road=road)
    if march.exit:
        leave_map(table.state, unit, march.exit)
    return found


def arrive_in_hex(table: Table[PanzerState], unit: Unit, before: March, after: March) -> Step:
    """6.6.6, 7.31.2 Handle arrival in a new hex. Return whether to ask the owner."""
    if unit.alive and after.entered > before.entered:
        return (yield from arrive(table, unit, quick=after.gait == "quick"))
    return False


# --- 7.30 pushing ----------------------------------------------------------------------------------------------


def push_off(table: Table[PanzerState], unit: Unit, mover: UnitMover, march: March, stride: Stride) -> Step:
    """7.30 If the unit has cleared the hex ahead it drives there; otherwise it stays, its movement spent."""
    if not push(table, mover, march, stride):
        return msgspec.structs.replace(march, spent=march.limit, over=RULE), False
    return (yield from carry_on(table, unit, mover, march, stride))


# --- 6.6.9 searching -------------------------------------------------------------------------------------------


def look_for_position(
    table: Table[PanzerState], unit: Unit, mover: UnitMover, march: March, stride: Stride, act: Search
) -> Step:
    """6.6.9 Search for a position: a barrage attacks first, then the unit rolls, but a track hit ends the search."""
    announce(table, mover, march, stride)
    blow_away(unit)  # 7.9
    yield from search_attacks(table, unit)  # 6.6.6
    if unit.track_hit:
        report_undone(table, unit, "search", why_ended(unit, march))
    elif is_going_on(unit, march):
        search(table, unit, act)
        return march_in(stride), False
    return msgspec.structs.replace(march_in(stride), facing=unit.facing), False


# --- 6.6.3 buildings -------------------------------------------------------------------------------------------


def is_attempt(unit: Unit, march: March, step: str) -> bool:
    """6.6.3 Whether a vehicle enters or leaves a building with this step."""
    if unit.kind != "vehicle":
        return False
    leaves = march.inside is not Inside.NO and step in (*(one for one in DRIVING if one not in ("l", "r")),)
    return step in ("in", "out", INTO) or leaves


def attempt_building(table: Table[PanzerState], unit: Unit, mover: UnitMover, march: March, stride: Stride) -> Step:
    """6.6.3 Leave one building, enter another, or both, each with its rolls before the vehicle moves."""
    got_through, stride = pass_walls(table, unit, march, stride)
    if not got_through:
        return (yield from stop_at_wall(table, unit, march))
    after, revealed = yield from carry_on(table, unit, mover, march, stride)
    return after, revealed or unit.hull_damaged


def pass_walls(table: Table[PanzerState], unit: Unit, march: March, stride: Stride) -> tuple[bool, Stride]:
    """6.6.3 Whether the vehicle gets through all walls on its way, and the stride it can still pay for."""
    ways = [("out", march)] if march.inside is not Inside.NO else []
    if march_in(stride).inside is not Inside.NO and not march_in(stride).exit:
        ways.append(("in", march_in(stride)))
    for way, where in ways:
        assert where.hex is not None
        interior = interior_of(table, where.hex)
        assert interior is not None and way in ("in", "out")
        result = attempt(table, unit, interior, way)  # type: ignore[arg-type]
        if result.outcome == "through":
            table.findings.append(result.finding)
            continue
        stride_after = suffer_walls(table, unit, march, stride, way, result.outcome, result.finding)
        if stride_after is None:
            return False, stride
        march, stride = slow_down(table, unit, march), stride_after
    return True, stride


def suffer_walls(
    table: Table[PanzerState],
    unit: Unit,
    march: March,
    stride: Stride,
    way: Any,
    outcome: Any,
    finding: Finding,
) -> Stride | None:
    """6.6.3 A track hit stops the vehicle; a damaged one continues if it can still pay, or has spent nothing."""
    hex, inside = stop(table.data, march, march_in(stride), way)
    event = morale.begin(table)
    stays = outcome == "track" or bool(unit.damage)
    if stays:
        _stay(table, unit, hex, inside)  # a wreck stays where the vehicle would have stopped
    effect = suffer(table, unit, outcome)
    children = [effect]
    onward: Stride | None = None
    if not stays:
        slower = slow_down(table, unit, march)
        tried = take(mover_of(table, unit), slower, stride.step)
        onward = tried if isinstance(tried, Stride) else None
    if onward is None:
        if not stays:
            _stay(table, unit, hex, inside)
        children.append(stop_finding(table.data, unit, hex, inside))
    table.findings.append(msgspec.structs.replace(finding, children=(*finding.children, *children)))
    morale.finish(table, event)  # 7.1.2, 7.1.3
    return onward


def _stay(table: Table[PanzerState], unit: Unit, hex: Hex, inside: Inside) -> None:
    """6.6.3 Leave the vehicle where it was stopped; it counts as having arrived there."""
    way = direction_to(unit.hex, hex) if unit.hex is not None and unit.hex != hex else 0
    for found in drive_to(table, unit, hex, inside=inside, way=way or 0):
        table.findings.append(found)


def stop_at_wall(table: Table[PanzerState], unit: Unit, march: March) -> Step:
    """6.6.3 End the move of a vehicle that did not get through, and handle its arrival."""
    entered = unit.hex != march.hex
    trail = (*march.trail, march.hex) if entered and march.hex is not None else march.trail
    after = msgspec.structs.replace(
        march,
        hex=unit.hex,
        inside=unit.inside,
        entered=march.entered + entered,
        trail=trail,
        over="6.6.3",
    )
    return after, (yield from arrive_in_hex(table, unit, march, after))


# --- 6.6.10 overruns -------------------------------------------------------------------------------------------


def drive_over(table: Table[PanzerState], unit: Unit, mover: UnitMover, march: March, stride: Stride) -> Step:
    """6.6.10 Enter the hex, and the building if necessary; overrun at once; no window opens until it has left."""
    after = march_in(stride)
    target = table.state.vehicles[after.overran]
    if after.inside is not Inside.NO or march.inside is not Inside.NO:
        got_through, stride = pass_walls(table, unit, march, stride)
        result = "through" if got_through else "stopped"
        rule = ledger_row(table.data.edition, "6.6.10/building")
        table.find(rule, inputs={"vehicle": unit.id, "target": target.id}, result=result)
        if not got_through:
            return (yield from stop_at_wall(table, unit, march))
    after, _ = yield from carry_on(table, unit, mover, march, stride)
    if not is_going_on(unit, after):
        return after, False
    if against := next(arrival_objections(unit), None):  # by a barrage or mines
        report_undone(table, unit, f"overrun {target.id}", against)
        return (after if unit.track_hit else slow_down(table, unit, after)), not unit.track_hit
    yield from resolve_overrun(table, unit, target)
    rule = ledger_row(table.data.edition, "6.6.10/overwatch")
    table.find(rule, inputs={"vehicle": unit.id, "hex": hex_name(place_of(unit))}, result="no-window")
    march = slow_down(table, unit, after)
    return march, True


# --- 6.6.7 passengers ------------------------------------------------------------------------------------------


def stay_step(table: Table[PanzerState], id: str, steps: Sequence[str]) -> Step:
    """6.6.7.1.1 Passengers mount or dismount a stationary vehicle.

    There is no cost and no marker, and its counter stays hidden.
    """
    carrier = table.state.vehicles[id]
    for step in steps:
        mover = mover_of(table, carrier)
        march = start(mover, "stay", declared_by(steps))
        stride = take(mover, march, step)
        if not carrier.alive or not isinstance(stride, Stride):  # fire at a mounting unit has changed it
            return
        announce(table, mover, march, stride)
        yield from handle_passenger(table, carrier, read_act(stride.step))


def handle_passenger(table: Table[PanzerState], carrier: Unit, act: Act) -> Step:
    """6.6.7.1 A unit mounts, dismounts or bails out, or a gun is unloaded."""
    vehicles = table.state.vehicles
    match act:
        case Unload():
            unload_gun(table, carrier, act)
        case Mount(unit=id):
            yield from let_on(table, carrier, vehicles[id])
        case Bail(unit=id, facing=facing):
            jump_off(table, vehicles[id], place_of(carrier), facing)
        case Dismount(unit=id):
            yield from let_off(table, carrier, vehicles[id], act)


def unload_gun(table: Table[PanzerState], truck: Unit, act: Unload) -> None:
    """5.2.1 Put a portee gun down beside its truck."""
    gun = set_down_gun(table, truck, act.facing)
    truck.facing = act.truck or truck.facing
    inputs = {"truck": truck.id, "gun": gun.id, "hex": hex_name(place_of(truck))}
    table.find("5.2.1", inputs=inputs, result="unloaded")
    land_on_mines(table, gun)  # 7.31.2
    settle_in(table, [gun])  # 6.6.8


def let_on(table: Table[PanzerState], carrier: Unit, unit: Unit) -> Step:
    """6.6.7.1.1 The unit reveals its Move and may be fired at; then it mounts, and the vehicle may be fired at."""
    data = table.data
    begin_move(table, unit, "cross")
    if not unit.crawling:
        yield from overwatch_window(table, unit)
    if not unit.alive or not carrier.alive or not can_still_mount(table, carrier, unit):
        rule = ledger_row(data.edition, "6.6.7.1.1/passengers-mounting")
        why = Fail(unit.id, f"mount {carrier.id}", say("the unit could no longer board"), "6.6.7.1.1")
        table.find(rule, inputs={"unit": unit.id, "carrier": carrier.id}, result="stays", shows=[why])
        return
    if is_portee_gun(carrier, unit):
        take_up_gun(table, carrier, unit)
        table.find("5.2.1", inputs={"truck": carrier.id, "gun": unit.id}, result="loaded")
    else:
        left = unit.hex
        yield from run_to(table, unit, place_of(carrier))
        if not unit.alive:
            return
        table.findings.append(get_on(table, carrier, unit))
        if left != carrier.hex:
            morale.move_over(table, unit)  # 7.1.2
    if not carrier.moved:
        yield from overwatch_window(table, carrier)  # a moving one has its own window


def can_still_mount(situation: Situation, carrier: Unit, unit: Unit) -> bool:
    """6.6.7.1.1 Whether a unit can still mount; a suppressed one only in the vehicle's own hex."""
    if unit.hex == carrier.hex:
        return True
    return is_nimble(situation.data, unit) and may_step(situation, unit, place_of(unit), place_of(carrier))


def let_off(table: Table[PanzerState], carrier: Unit, unit: Unit, act: Dismount) -> Step:
    """6.6.7.1.1 Dismount: only a barrage in another hex attacks the unit; then its own declared attack follows."""
    origin, hex = place_of(carrier), parse_hex(act.hex)
    target = table.state.vehicles[act.target] if act.target else None
    rule = "6.6.7.1.1/passengers-dismounting"
    if target is not None and takes_fright(table, unit, target):
        return  # 7.6: it stays aboard
    table.findings.append(get_off(table, unit, hex, act.facing, rule))
    if hex != origin:
        yield from arrive(table, unit)
        reset_barrage_attacks(table.state, unit)
    else:
        land_on_mines(table, unit)  # 7.31.2
        yield from look_around(table)  # 7.2.2.1
    if target is not None and unit.alive:
        yield from dismount_attack(table, carrier, unit, target)
    settle_in(table, [unit])  # 6.6.8
    if unit.hex != origin:
        morale.move_over(table, unit)  # 7.1.2


def jump_off(table: Table[PanzerState], unit: Unit, hex: Hex, facing: int) -> None:
    """6.6.7.1.2 Put the unit in the vehicle's hex, suppressed, with Spot/Move; a barrage there does not attack it."""
    found = get_off(table, unit, hex, facing, "6.6.7.1.2")
    shock = suppress(table.state, unit, "6.6.7.1.2")
    table.findings.append(msgspec.structs.replace(found, children=(*found.children, shock)))
    land_on_mines(table, unit)  # 7.31.2


# --- the end of a move -----------------------------------------------------------------------------------------


def end_move(table: Table[PanzerState], unit: Unit, march: March) -> None:
    """6.6 End the move: quickmarchers roll, positions are occupied, dust rises."""
    state = table.state
    reset_barrage_attacks(state, unit)  # 6.6.6
    comes_up(table, unit, None)
    dust = None if unit.status is Status.ELIMINATED else raise_dust(table, unit, march)
    if not unit.alive or march.hex is None:
        table.findings += [dust] if dust else []  # it left the map in a cloud
        return
    make_room(table, unit, march)
    if unit.hex is None:
        return
    unit.spent = march.spent
    turned = unit.kind == "leg" and march.steps[-1:] in ((LEFT,), (RIGHT,))  # 6.8.1: a motorcycle squad may pivot
    unit.faced = turned or any(acts_of(Face, march.steps[-1:]))
    found = [dust]
    if not unit.bailed_out:
        found.append(occupy(table, unit, backed=march.way not in (0, march.arrival)))
    table.find(
        "4.5.1.1" if march.entered else "4.5.1.1.8",
        inputs={"unit": unit.id, "hex": hex_name(unit.hex), "facing": unit.facing, "spent": march.spent},
        result="ends" if march.entered else "no-move",
        children=[finding for finding in found if finding],
        shows=[] if march.entered else [Move(unit.id, ((hex_name(unit.hex), unit.facing),))],
    )
    if march.gait == "quick" and march.entered:
        quickmarch_roll(table, unit)  # 6.6.4.2
    if march.entered:
        morale.move_over(table, unit)  # 7.1.2, 7.1.5
