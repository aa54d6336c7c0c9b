"""3.7 The Advance Phase: Good Order units move one hex, even into enemy hexes.

3.7    advance_objections, exhausts, advance_phase
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.ask import Step
from pbem.engine.rules.happenings import Change
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.fire.effects import place_dm_beside_enemies
from pbem.titles.aslsk.fire.morale import eliminate, pin
from pbem.titles.aslsk.fire.phases import begin
from pbem.titles.aslsk.movement.allowance import advance_allowance, cost_of
from pbem.titles.aslsk.movement.expenditures import steps_shown
from pbem.titles.aslsk.movement.paatc import passes_task_check
from pbem.titles.aslsk.orders import AdvanceOrder, Attempt, Hatch
from pbem.titles.aslsk.ordnance.acquisition import follow
from pbem.titles.aslsk.ordnance.hidden import HANDLES, reveal, reveal_in, reveal_seen
from pbem.titles.aslsk.rally.phase import transfer
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import AslskState, Unit, orders_of
from pbem.titles.aslsk.tabletop import AslskTable, as_aslsk_table
from pbem.titles.aslsk.vehicles.status import lose
from pbem.titles.aslsk.victory import update_control
from pbem.titles.aslsk.weapons.possession import drop, lose_acquisition


def advance_cost(situation: Situation, unit: Unit, to: str) -> int:
    """3.7 The normal cost of entering the hex of an advance, without Smoke."""
    return cost_of(situation, unit.at or to, to, smoke=False)


def exhausts(situation: Situation, unit: Unit, stack: Sequence[Unit], to: str) -> bool:
    """3.7 Whether the advance uses up all of the unit's MF."""
    return advance_cost(situation, unit, to) >= advance_allowance(situation, unit, stack)


def unit_objections(situation: Situation, unit: Unit, stack: Sequence[Unit], to: str) -> Iterator[Objection]:
    """3.7 The objections to one unit advancing into a hex."""
    if not situation.good_order(unit):
        yield Objection("3.7", say("{unit} is not in Good Order", unit=unit.id))
    elif unit.pinned:
        yield Objection("3.2.3/pin", say("{unit} is pinned", unit=unit.id))
    elif situation.gun_of(unit) is not None:
        yield Objection("6.5", say("{unit} cannot advance because it is manning a Gun", unit=unit.id))
    elif unit.hazard:
        yield Objection("6.5", say("{unit} cannot advance because it has pushed a Gun this turn", unit=unit.id))
    elif unit.advanced:
        yield Objection("3.7", say("{unit} has already advanced", unit=unit.id))
    elif not unit.at:
        if to not in situation.data.entry_hexes(unit) or not situation.data.may_enter(unit, situation.state.turn):
            yield Objection("3.3/entry-exit", say("{unit} cannot enter the map in {to}", unit=unit.id, to=to))
    elif not situation.ground.adjacent(unit.at, to):
        yield Objection("3.7", say("{to} is not adjacent to {at}", to=to, at=unit.at))
    elif unit.cx and exhausts(situation, unit, stack, to):
        yield Objection("3.7", say("{unit} is CX, and entering {to} would cost all its MF", unit=unit.id, to=to))


def advance_objections(situation: Situation, seat: str, order: AdvanceOrder) -> Iterator[Objection]:
    """3.7 All objections to an advance."""
    units = [situation.state.units.get(id) for id in order.units]
    if order.to not in situation.ground:
        yield Objection("1.1", say("{to} is not on the map", to=order.to))
        return
    stack = [unit for unit in units if unit is not None and unit.seat == seat]
    if len(stack) < len(order.units):
        yield Objection("3.7", say("name only your own units that are in play"))
    for unit in stack:
        yield from unit_objections(situation, unit, stack, order.to)
    if stack:
        yield from situation.room_objections(order.to, seat, stack)


def able_part(situation: Situation, seat: str, order: AdvanceOrder) -> AdvanceOrder | None:
    """3.7 The units of an order that can advance now."""
    units = [situation.state.units[id] for id in order.units if id in situation.state.units]
    able = tuple(unit.id for unit in units if not any(unit_objections(situation, unit, units, order.to)))
    rest = AdvanceOrder(able, order.to, order.only)
    return rest if able and not any(advance_objections(situation, seat, rest)) else None


def advance_phase(table: Table[AslskState]) -> Step:
    """3.7 Carry out the ATTACKER's advances, one after the other; units still off the board are lost."""
    own = as_aslsk_table(table)
    begin(own, "advance")
    state, seat = own.state, own.state.attacker
    for unit in state.units.values():
        unit.advanced = unit.in_cc = False
    changed: list[str] = []
    for hatch in orders_of(state, seat).hatches:
        change(own, seat, hatch, changed)
    for gift in orders_of(state, seat).gifts:
        hand_over(own, seat, gift)
    for order in orders_of(state, seat).advances:
        advance(own, seat, order)
    for unit in list(state.units.values()):
        if unit.seat == seat and not unit.at and own.situation.data.may_enter(unit, state.turn):
            eliminate(own, unit, "3.3/entry-exit")
    for vehicle in list(state.vehicles.values()):
        if vehicle.seat == seat and not vehicle.at and own.situation.data.may_enter(vehicle, state.turn):
            lose(own, vehicle, "3.3/entry-exit")
    table.then("close_combat_phase")
    return
    yield


def change(table: AslskTable, seat: str, hatch: Hatch, changed: list[str]) -> None:
    """7.7, 3.7 Let a crew become exposed or button up in the APh, once for each vehicle; `changed` lists those
    that have.
    """
    vehicle = table.state.vehicles.get(hatch.unit)
    able = vehicle is not None and vehicle.seat == seat and table.situation.good_order(vehicle)
    barred = vehicle is None or (hatch.open and (vehicle.buttoned or vehicle.no_ce)) or vehicle.ce == hatch.open
    barred = barred or hatch.unit in changed
    if vehicle is None or not able or barred:
        words = f"{hatch.unit} {'open' if hatch.open else 'close'}"
        report_failure(
            table,
            seat,
            words,
            [Objection("7.7", say("the crew cannot open or close its hatches now"))],
            units=[hatch.unit],
        )
        return
    vehicle.ce = hatch.open
    changed.append(vehicle.id)
    told = "crew exposed" if hatch.open else "buttoned up"
    shown = [Change(vehicle.id, "ce", hatch.open)]
    table.find("7.7", inputs={"vehicle": vehicle.id}, result=told, shows=shown)


def hand_over(table: AslskTable, seat: str, gift: Attempt) -> None:
    """3.7, 4.0/drop-recover Hand over a weapon within a hex, or drop it, before the advances."""
    if gift.unit:
        transfer(table, seat, gift.unit, gift.other, "3.7")
        return
    weapon = table.state.weapons.get(gift.other)
    holder = table.state.units.get(weapon.holder) if weapon is not None else None
    if weapon is None or holder is None or holder.seat != seat or not table.situation.good_order(holder):
        against = Objection(
            "4.0/drop-recover", say("none of your Good Order units possesses {other}", other=gift.other)
        )
        report_failure(table, seat, f"drop {gift.other}", [against], units=[gift.other])
    else:
        reveal(table, holder, HANDLES)
        drop(table, weapon)


def advance(table: AslskTable, seat: str, order: AdvanceOrder) -> None:
    """3.7 Carry out one line: check its conditions, advance the units that can, and give CX to those that spend
    all MF.
    """
    situation, state = table.situation, table.state
    words = f"{' '.join(order.units)} advance {order.to}"
    armour = bool(situation.enemy_vehicles(order.to, seat))
    occupied = armour or bool(situation.enemies_at(order.to, seat))
    if (order.only == "empty" and occupied) or (order.only == "enemy" and not occupied):
        why = "an enemy is there" if occupied else "no enemy is there"
        report_failure(
            table, seat, words, [Objection("3.7", say("{to}: {why}", to=order.to, why=why))], units=order.units
        )
        return
    against = [*advance_objections(situation, seat, order)]
    able = order if not against else able_part(situation, seat, order)
    if against:
        left = [id for id in order.units if able is None or id not in able.units]
        report_failure(table, seat, words, against, partly=able is not None, units=left)
    if able is None:
        return
    if armour:  # 3.7/paatc one by one: each enters as soon as it has passed
        stack = [state.units[id] for id in able.units]
        for unit in sorted(stack, key=situation.is_leader):  # a leader helps before entering
            brave(table, unit, stack, able.to)
        return
    step_in(table, seat, [state.units[id] for id in able.units], able.to, occupied=occupied)


def brave(table: AslskTable, unit: Unit, stack: Sequence[Unit], to: str) -> None:
    """3.7/paatc Let an MMC take its PAATC: if it passes, it enters the AFV's hex at once; if it fails, it is
    pinned.
    """
    against = [*table.situation.room_objections(to, unit.seat, [unit])]
    if table.situation.is_mmc(unit) and not passes_task_check(table, unit):
        pin(table, unit)
        against = [Objection("3.7/paatc", say("{unit} failed its task check", unit=unit.id))]
    if against:
        report_failure(table, unit.seat, f"{unit.id} advance {to}", against, units=[unit.id])
    else:
        step_in(table, unit.seat, [unit], to, occupied=True, along=stack)


def step_in(
    table: AslskTable, seat: str, units: list[Unit], to: str, *, occupied: bool, along: Sequence[Unit] = ()
) -> None:
    """3.7 Move units into a hex; those that spend all their MF become CX. `along` is the whole advancing stack,
    whose leaders add to the MF of the units.
    """
    situation = table.situation
    tired = [unit for unit in units if exhausts(situation, unit, along or units, to)]
    shown = [step for unit in units for step in steps_shown([unit], unit.at, to)]
    start = units[0].at
    for unit in units:
        unit.at, unit.advanced, unit.in_cc = to, True, occupied
        lose_acquisition(situation, unit)  # 6.10
    follow(table, units, start)
    for unit in tired:
        unit.cx = True
    if reveal_in(table, to, seat, "enemy infantry entered its hex"):  # 6.4
        for unit in units:
            unit.in_cc = True
    table.find(
        "3.7",
        inputs={"units": [unit.id for unit in units], "cx": [unit.id for unit in tired]},
        result=to,
        shows=[*shown, *(Change(unit.id, "cx") for unit in tired)],
    )
    update_control(table)
    place_dm_beside_enemies(table)
    reveal_seen(table)
