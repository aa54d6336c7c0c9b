"""3.3.2 One expenditure of a moving vehicle: its legality and its effect.

3.3.2/mp-costs                  start, stop, delay, turn
3.3.2/vca                       enter
3.3.2/mechanical-reliability    start_engine
3.3.2/minimum-move              enter
3.3.2/enemy-afv-hex             may_stay
7.6, 7.6/unbog                  bog_check, free_itself
7.7                             change_hatches
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Appear, Change, Happening, Move, Vanish
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.chance import roll_two
from pbem.titles.aslsk.close_combat.melee import end_melees
from pbem.titles.aslsk.failing import report_attempt
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.ground.lattice import facing_of
from pbem.titles.aslsk.movement.eligibility import OFF_MAP, mf_in_words
from pbem.titles.aslsk.orders import Leg
from pbem.titles.aslsk.ordnance.acquisition import follow
from pbem.titles.aslsk.ordnance.arcs import turn_vehicle
from pbem.titles.aslsk.ordnance.hidden import reveal_in
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Driving, Vehicle
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.vehicles.costs import (
    CAR_OPEN,
    MP,
    START,
    STOP,
    TRACKED_OPEN,
    EntryCost,
    ahead,
    allowance_of,
    bog_modifiers,
    entry_cost,
    facing_towards,
    is_rough,
    turn_cost,
)
from pbem.titles.aslsk.vehicles.status import destroy, immobilize, stop_dead
from pbem.titles.aslsk.weapons.possession import lose_acquisition

BOGS = 12
TEST_ROLL = 5
"""3.3.2/enemy-afv-hex The Original DR on which a vehicle must be able to hurt the enemy AFV."""


def going_of(vehicle: Vehicle) -> Driving:
    assert vehicle.going is not None
    return vehicle.going


def mp_left(vehicle: Vehicle) -> int:
    going = going_of(vehicle)
    return max(0, going.allowance - going.spent)


# --- 3.3.2 legality -------------------------------------------------------------------------------------------------


def first_needed_step(situation: Situation, vehicle: Vehicle, leg: Leg, after: str = "") -> Leg:
    """3.3.2/mp-costs The step that must come first: start, stop, or turn towards the hex."""
    going = going_of(vehicle)
    if leg.do in ("enter", "turn") and vehicle.at and going.stopped:
        return Leg("start")
    if leg.do == "delay" and not going.stopped:
        return Leg("stop")
    on_map = leg.do == "enter" and bool(vehicle.at) and leg.hex != OFF_MAP and leg.hex in situation.ground
    if on_map and situation.ground.adjacent(vehicle.at, leg.hex) and leg.hex not in ahead(situation, vehicle):
        return Leg("turn", number=facing_towards(situation, vehicle, leg.hex, after))
    return leg


def step_objections(situation: Situation, vehicle: Vehicle, leg: Leg) -> Iterator[Objection]:
    """3.3.2 All objections to a vehicle's next expenditure."""
    going = going_of(vehicle)
    if going.stuck and leg.do in ("start", "stop", "enter", "turn", "delay"):
        yield Objection("7.6/unbog", say("{vehicle} cannot spend MP on movement in this phase", vehicle=vehicle.id))
    if vehicle.immobile and leg.do in ("start", "enter", "turn"):
        if vehicle.bogged:
            yield Objection("7.6", say("{vehicle} is bogged", vehicle=vehicle.id))
        else:
            yield Objection("7.10/immobilized", say("{vehicle} cannot move", vehicle=vehicle.id))
        return
    if not vehicle.at and leg.do != "enter":
        yield Objection("3.3/entry-exit", say("{vehicle} can only enter the map", vehicle=vehicle.id))
        return
    if leg.do == "enter":
        yield from entry_objections(situation, vehicle, leg)
    elif leg.do == "turn":
        yield from afford(vehicle, turn_cost(situation, vehicle, leg.number), "3.3.2/vca")
    elif leg.do == "start":
        yield from afford(vehicle, START, "3.3.2/mp-costs")
    elif leg.do == "stop":
        yield from afford(vehicle, STOP, "3.3.2/mp-costs")
        if going.must_leave and situation.enemy_vehicles(vehicle.at, vehicle.seat):
            yield Objection(
                "3.3.2/enemy-afv-hex", say("{vehicle} cannot stop in a hex with an enemy AFV", vehicle=vehicle.id)
            )
    elif leg.do == "delay":
        yield from afford(vehicle, max(0, leg.number) * MP, "3.3.2/mp-costs")
    elif leg.do == "turret":
        yield from turret_objections(situation, vehicle)
    elif leg.do in ("open", "close"):
        yield from hatch_objections(situation, vehicle, leg)
    elif leg.do == "unbog" and (not vehicle.bogged or going.spent):
        yield Objection("7.6/unbog", say("{vehicle} is not bogged, or has already spent MP", vehicle=vehicle.id))
    elif leg.do == "unbog" and vehicle.immobilized:
        yield Objection("7.6/unbog", say("{vehicle} is immobilized and cannot get free", vehicle=vehicle.id))
    elif leg.do not in ("fire", "device", "motion", "unbog"):
        yield Objection("3.3.2", say("a vehicle cannot carry out the order “{do}”", do=leg.do))


def afford(vehicle: Vehicle, cost: int, rule: str) -> Iterator[Objection]:
    if cost > mp_left(vehicle):
        yield Objection(
            rule,
            say(
                "{vehicle} has {left} MP left and needs {cost}",
                vehicle=vehicle.id,
                left=mf_in_words(mp_left(vehicle)),
                cost=mf_in_words(cost),
            ),
        )


def turret_objections(situation: Situation, vehicle: Vehicle) -> Iterator[Objection]:
    """3.3.2/mp-costs Object to turning the TCA before 1 MP (in woods or a building, 2) has been spent in the hex."""
    least = 2 * MP if is_rough(situation, vehicle.at) else 1
    if situation.vehicle_card(vehicle).turret == "NT":
        yield Objection("7.2", say("{vehicle} has no turret", vehicle=vehicle.id))
    elif going_of(vehicle).here < least or going_of(vehicle).turret_at == going_of(vehicle).spent:
        yield Objection(
            "3.3.2/mp-costs",
            say("{vehicle} can turn its turret only as part of an MP expenditure", vehicle=vehicle.id),
        )


def hatch_objections(situation: Situation, vehicle: Vehicle, leg: Leg) -> Iterator[Objection]:
    """7.7 Object to opening or closing hatches twice in a phase, and to going CE after fire or with a shaken crew."""
    rule = "7.7/change"
    if going_of(vehicle).changed:
        yield Objection(
            rule, say("{vehicle} has already opened or closed its hatches in this phase", vehicle=vehicle.id)
        )
    if leg.do == "open" and (vehicle.ce or vehicle.buttoned or vehicle.no_ce or vehicle.fired_in):
        yield Objection(rule, say("the crew of {vehicle} cannot be exposed now", vehicle=vehicle.id))
    if leg.do == "close" and not vehicle.ce:
        yield Objection(rule, say("{vehicle} is buttoned up", vehicle=vehicle.id))


def entry_objections(situation: Situation, vehicle: Vehicle, leg: Leg) -> Iterator[Objection]:
    """3.3.2/vca, 3.3.2/minimum-move Object to a hex that is not ahead, is closed to this type, or costs too much."""
    going, to = going_of(vehicle), leg.hex
    if to == OFF_MAP:
        if vehicle.at not in situation.data.exit_hexes(vehicle.seat) and not vehicle.recalled:
            yield Objection(
                "3.3/entry-exit", say("{vehicle} cannot leave the map from {at}", vehicle=vehicle.id, at=vehicle.at)
            )
        yield from afford(vehicle, exit_cost(situation, vehicle), "3.3/entry-exit")
        return
    if to not in situation.ground:
        yield Objection("1.1", say("{to} is not on the map", to=to))
        return
    if not vehicle.at:
        if to not in situation.data.entry_hexes(vehicle):
            yield Objection("3.3/entry-exit", say("{to} is not in the entry area", to=to))
    elif to not in ahead(situation, vehicle):
        yield Objection("3.3.2/vca", say("{to} is not ahead of {vehicle}", to=to, vehicle=vehicle.id))
        return
    cost = entry_cost(situation, vehicle, to, whole=leg.whole)
    if cost.prohibited:
        yield Objection("1.1.1.2", say("{vehicle} cannot enter {to}", vehicle=vehicle.id, to=to))
    elif cost.buttoned and vehicle.ce:
        yield Objection("7.7", say("{vehicle} must be buttoned up to enter a building", vehicle=vehicle.id))
    elif not affords(situation, vehicle, cost, leg.extra):
        yield Objection(
            "3.3.2/mp-costs",
            say(
                "{vehicle} has {left} MP and needs {halves}",
                vehicle=vehicle.id,
                left=mf_in_words(mp_left(vehicle)),
                halves=mf_in_words(cost.halves),
            ),
        )
    elif going.over:
        yield Objection("3.3.2", say("the Movement Phase of {vehicle} is over", vehicle=vehicle.id))
    elif not may_stay(situation, vehicle, to) and mp_left(vehicle) - cost.halves < way_out(situation, vehicle, to):
        yield Objection(
            "3.3.2/enemy-afv-hex", say("{vehicle} would be unable to leave {to} again", vehicle=vehicle.id, to=to)
        )


def affords(situation: Situation, vehicle: Vehicle, cost: EntryCost, extra: int = 0) -> bool:
    """3.3.2/minimum-move Whether the vehicle has enough MP; it can always enter its first hex by spending all of
    them.
    """
    going = going_of(vehicle)
    if cost.halves + extra <= mp_left(vehicle):
        return True
    started = 0 if vehicle.motion or not vehicle.at else START
    return going.hexes == 0 and going.spent <= started and not extra


def exit_cost(situation: Situation, vehicle: Vehicle) -> int:
    """3.3/entry-exit The cost of leaving the map: the off-board hex costs the same as Open Ground."""
    return TRACKED_OPEN if situation.vehicle_card(vehicle).tracked else CAR_OPEN


def may_stay(situation: Situation, vehicle: Vehicle, hex: str) -> bool:
    """3.3.2/enemy-afv-hex Whether a vehicle entering a hex could hurt every enemy AFV there with an Original 5."""
    enemies = situation.enemy_vehicles(hex, vehicle.seat)
    return all(could_hurt(situation, vehicle, enemy) for enemy in enemies)


def way_out(situation: Situation, vehicle: Vehicle, hex: str) -> int:
    """3.3.2/enemy-afv-hex The lowest cost in half MP for a vehicle that has entered a hex to leave it again."""
    ghost = msgspec.structs.replace(vehicle, at=hex)
    ways = [(near, entry_cost(situation, ghost, near)) for near in situation.ground.neighbours(hex)]
    return min(
        turn_cost(situation, ghost, facing_towards(situation, ghost, near)) + cost.halves
        for near, cost in ways
        if not cost.prohibited
    )


def could_hurt(situation: Situation, vehicle: Vehicle, enemy: Vehicle) -> bool:
    """3.3.2/enemy-afv-hex Whether unlimited AP or HE at range 0 could hurt the enemy's hull or turret through the
    hexside entered.
    """
    card, charts = situation.vehicle_card(vehicle), situation.data.charts
    target = situation.vehicle_card(enemy)
    if card.mg_armed or not vehicle.at:
        return False
    side = situation.ground.side(enemy.at, vehicle.at) if vehicle.at != enemy.at else None
    for shell, has, slack in (("AP", card.ap, 0), ("HE", card.he, 1)):
        basic = charts.basic_kill(shell, card.calibre, card.length, card.nation) if has else None  # type: ignore[arg-type]
        change = charts.kill_range_change(shell, card.calibre, 0)  # type: ignore[arg-type]
        if basic is None or change is None:
            continue
        for location, spine in (("hull", enemy.vca), ("turret", enemy.tca)):
            facing = facing_of(side, spine) if side is not None else "rear"
            final = basic + change + (facing == "rear") - target.armour(location, facing)
            if final > TEST_ROLL or (location == "turret" and final + slack >= TEST_ROLL):
                return True
    return False


# --- 3.3.2 effects --------------------------------------------------------------------------------------------------


def spend(vehicle: Vehicle, cost: int) -> None:
    """3.3.2 Make a vehicle spend MP in its present hex."""
    going = going_of(vehicle)
    going.spent += cost
    going.here += cost
    if going.trail:
        hex, before = going.trail[-1]
        going.trail[-1] = (hex, before + cost)


def tell(table: AslskTable, vehicle: Vehicle, rule: str, result: str, cost: int, **more: object) -> None:
    shows: list[Happening] = []
    if "facing" in more:
        shows = [Move(vehicle.id, ((vehicle.at, vehicle.vca),))]
    table.find(
        rule,
        inputs={"vehicle": vehicle.id, "at": vehicle.at, "mp": mf_in_words(cost), **more},
        result=result,
        shows=shows,
    )


def start_engine(table: AslskTable, vehicle: Vehicle) -> None:
    """3.3.2/mp-costs, 3.3.2/mechanical-reliability Make the vehicle Non-Stopped; a vehicle with red MP may break
    down.
    """
    going = going_of(vehicle)
    spend(vehicle, START)
    going.stopped, going.started = False, True
    tell(table, vehicle, "3.3.2/mp-costs", "starts", START)
    end_melees(table)  # 3.8/melee it no longer holds enemies
    mechanical_check(table, vehicle)


def mechanical_check(table: AslskTable, vehicle: Vehicle) -> bool:
    """3.3.2/mechanical-reliability Check a vehicle with red MP, which breaks down on 12; return whether it still
    runs.
    """
    card = table.situation.vehicle_card(vehicle)
    if not card.unreliable:
        return True
    dice = roll_two(table, "3.3.2/mechanical-reliability", vehicle.id)
    fails = dice.total >= card.failure
    result = "breaks down" if fails else "runs"
    about = {"vehicle": vehicle.id, "number": card.failure}
    table.find("3.3.2/mechanical-reliability", inputs=about, dice=dice.pair, result=result)
    if fails:
        immobilize(table, vehicle, "3.3.2/mechanical-reliability")
    return not fails


def stop(table: AslskTable, vehicle: Vehicle) -> None:
    spend(vehicle, STOP)
    going_of(vehicle).stopped = True
    tell(table, vehicle, "3.3.2/mp-costs", "stops", STOP)


def delay(table: AslskTable, vehicle: Vehicle, halves: int) -> None:
    spend(vehicle, halves)
    tell(table, vehicle, "3.3.2/mp-costs", "waits", halves)


def turn(table: AslskTable, vehicle: Vehicle, facing: int) -> None:
    """3.3.2/vca, 7.6 Change the vehicle's VCA; in woods and buildings a bog check comes first."""
    cost = turn_cost(table.situation, vehicle, facing)
    spend(vehicle, cost)
    if is_rough(table.situation, vehicle.at) and not bog_check(table, vehicle, vehicle.at, None):
        return
    turn_vehicle(vehicle, facing)
    lose_acquisition(table.situation, vehicle)  # 6.10
    tell(table, vehicle, "3.3.2/vca", "turns", cost, facing=facing)


def turn_turret(table: AslskTable, vehicle: Vehicle, facing: int) -> None:
    vehicle.tca = facing % 6
    if vehicle.going is not None:
        vehicle.going.turret_at = vehicle.going.spent
    lose_acquisition(table.situation, vehicle)  # 6.10
    table.find("3.3.2/vca", inputs={"vehicle": vehicle.id, "turret": vehicle.tca}, result="turns its turret")


def enter(table: AslskTable, vehicle: Vehicle, leg: Leg, after: str = "") -> None:
    """3.3.2 Move the vehicle into a hex, or off the map; from now on it is a moving target."""
    situation, going = table.situation, going_of(vehicle)
    start = vehicle.at
    if leg.hex == OFF_MAP:
        leave(table, vehicle)
        return
    cost = entry_cost(situation, vehicle, leg.hex, whole=leg.whole)
    halves = cost.halves + leg.extra
    if halves > mp_left(vehicle):
        halves, going.over = mp_left(vehicle), True
        inputs = {"vehicle": vehicle.id, "to": leg.hex}
        table.find("3.3.2/minimum-move", inputs=inputs, result="for all its MP")
    if cost.whole:  # 1.1.1.4 it may still pay to stop
        going.allowance += STOP
        going.over = False
    modifiers = bog_modifiers(situation, vehicle, leg.hex, cost)
    going.must_leave = not may_stay(situation, vehicle, leg.hex)
    if not start:
        enter_map(situation, vehicle, leg.hex, after)
    vehicle.at, vehicle.moving, vehicle.new_hex = leg.hex, True, True
    going.here, going.hexes, going.came_from = 0, going.hexes + 1, start
    going.climbed = bool(start) and situation.ground.uphill(start, leg.hex)
    going.road_rate = cost.road
    going.trail.append((leg.hex, 0))
    spend(vehicle, halves)
    going.entered = going.spent
    assert table.state.mover is not None
    table.state.mover.at = leg.hex
    lose_acquisition(situation, vehicle)  # 6.10
    shown = [Appear(vehicle.id, leg.hex, vehicle.vca)] if not start else []
    path = ((start, vehicle.vca), (leg.hex, vehicle.vca)) if start else ((leg.hex, vehicle.vca),)
    table.find(
        "3.3.2",
        inputs={
            "vehicle": vehicle.id,
            "from": start,
            "to": leg.hex,
            "mp": mf_in_words(halves),
            "tracked": situation.vehicle_card(vehicle).tracked,
        },
        result=leg.hex,
        children=[*cost_reasons(situation, vehicle, leg.hex, cost)],
        shows=[*shown, Move(vehicle.id, path)],
    )
    follow(table, [vehicle], start)
    reveal_in(table, leg.hex, vehicle.seat, "an enemy AFV entered its hex")  # 6.4
    if cost.bog and not cost.road:
        bog_check(table, vehicle, leg.hex, modifiers)


def cost_reasons(situation: Situation, vehicle: Vehicle, hex: str, cost: EntryCost) -> Iterator[Finding]:
    """1.1.1 Explain the cost of a hex: a share of the MP, a road, or a bog check that follows."""
    about = {"vehicle": vehicle.id, "to": hex}
    if cost.whole or cost.half:
        share = "all its MP" if cost.whole else "half of its MP"
        yield Finding("1.1.1/half-and-all-mp", inputs=about, result=share)
    if cost.bog and not cost.road:
        yield Finding("3.3.2/bog-entry", inputs=about, result=situation.ground[hex].terrain)
    if cost.road:
        yield Finding("1.1.1.3", inputs=about, result="road rate")


def enter_map(situation: Situation, vehicle: Vehicle, hex: str, after: str) -> None:
    """3.3/entry-exit Bring a vehicle onto the map, facing its next hex or, if it has none, away from the edge."""
    facing = situation.data.ready_facing(vehicle.id)
    if after and after in situation.ground and situation.ground.adjacent(hex, after):
        vehicle.at = hex
        vehicle.vca = facing
        facing = facing_towards(situation, vehicle, after)
    vehicle.vca = vehicle.tca = facing


def leave(table: AslskTable, vehicle: Vehicle) -> None:
    """3.3/entry-exit, 7.10/recall Take a vehicle off the map; a recalled vehicle does not count for either side."""
    for weapon in table.situation.weapons(vehicle):
        del table.state.weapons[weapon.id]
    if not vehicle.recalled:
        table.state.exited.append(f"{vehicle.card}@{vehicle.seat}")
    rule = "7.10/recall" if vehicle.recalled else "3.3/entry-exit"
    table.find(
        rule, inputs={"unit": vehicle.id, "vehicle": vehicle.id}, result="left the map", shows=[Vanish(vehicle.id)]
    )
    del table.state.vehicles[vehicle.id]


def bog_check(table: AslskTable, vehicle: Vehicle, hex: str, modifiers: list[Modifier] | None) -> bool:
    """7.6 Make a bog check: a Final DR of 12 or more bogs the vehicle and ends its move; return whether it
    continues.
    """
    found = bog_modifiers(table.situation, vehicle, hex, None) if modifiers is None else modifiers
    dice = roll_two(table, "7.6", vehicle.id)
    bogs = dice.total + total(found) >= BOGS
    shown: list[Happening] = []
    if bogs:
        vehicle.bogged = "bogged"
        shown = [*stop_dead(vehicle), Change(vehicle.id, "bogged", vehicle.bogged)]
    table.find(
        "7.6",
        inputs={"vehicle": vehicle.id, "at": hex},
        modifiers=rows(found),
        dice=dice.pair,
        result="bogged" if bogs else "goes on",
        shows=shown,
    )
    return not bogs


def free_itself(table: AslskTable, vehicle: Vehicle) -> None:
    """7.6/unbog Try to unbog: coloured die 1-4 frees the vehicle, 5 mires it, 6 immobilizes it; the start MP are
    the product of the dice.
    """
    going = going_of(vehicle)
    dice = roll_two(table, "7.6/unbog", vehicle.id)
    modified = dice.coloured + (vehicle.bogged == "mired")
    cost = dice.coloured * dice.white * MP
    cost *= 1 if table.situation.vehicle_card(vehicle).tracked else 2
    result = "freed" if modified <= 4 else "mired" if modified == 5 else "immobilized"
    about = {"vehicle": vehicle.id, "mp": mf_in_words(cost), "mired": int(vehicle.bogged == "mired")}
    shown = [Change(vehicle.id, "bogged", "mired" if result == "mired" else False)]
    table.find("7.6/unbog", inputs=about, dice=dice.pair, result=result, shows=shown)
    if result == "freed":
        vehicle.bogged = ""
        spend(vehicle, min(cost, mp_left(vehicle)))
        going.stopped, going.started = False, True
        end_melees(table)  # 3.8/melee it no longer holds enemies
        going.over = not mp_left(vehicle)
        mechanical_check(table, vehicle)
    else:
        vehicle.bogged = "mired"
        going.stuck = True
        why = Objection("7.6/unbog", say("the vehicle did not get free (rolled {die})", die=dice.coloured))
        report_attempt(table, vehicle, "unbog", why)
        if result == "immobilized":
            vehicle.bogged = ""
            immobilize(table, vehicle, "7.6/unbog")


def change_hatches(table: AslskTable, vehicle: Vehicle, *, exposed: bool) -> None:
    """7.7 Make the crew go CE or BU, which costs nothing and is not movement."""
    going_of(vehicle).changed = True
    vehicle.ce = exposed
    shown = [Change(vehicle.id, "ce", exposed)]
    table.find(
        "7.7", inputs={"vehicle": vehicle.id}, result="crew exposed" if exposed else "buttoned up", shows=shown
    )


def new_driving(situation: Situation, vehicle: Vehicle) -> Driving:
    """3.3.2 Begin a vehicle's Movement Phase; if in Motion, it is Non-Stopped from the start."""
    moving = vehicle.motion or not vehicle.at
    return Driving(
        allowance=allowance_of(situation.vehicle_card(vehicle)),
        stopped=not moving,
        started=moving,
        trail=[(vehicle.at, 0)],
    )


def break_up_stacks(table: AslskTable, seat: str) -> None:
    """3.3.2/stacking Turn the slower of two vehicles of a side that end the MPh in one hex into a wreck."""
    for hex in sorted({one.at for one in table.state.vehicles.values() if one.seat == seat and one.at}):
        there = table.situation.vehicles_at(hex, seat)
        while len(there) > 1:
            there.sort(key=lambda one: (table.situation.vehicle_card(one).mp, one.id))
            destroy(table, there.pop(0), "3.3.2/stacking", "two vehicles ended in one hex")
