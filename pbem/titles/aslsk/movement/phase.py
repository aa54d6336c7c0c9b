"""3.3 The Movement Phase: stacks move one after the other; the DEFENDER may fire after every expenditure.

3.3             movement_phase, next_mover, end_movement
3.3.1           start_mover: which units move, with which allowance
3.3.3/window    expenditure: one expenditure, Residual FP, then the DEFENDER's window until a pass
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.ask import Step, Together
from pbem.engine.rules.happenings import Change, Move
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.fire.effects import place_dm_beside_enemies
from pbem.titles.aslsk.fire.phases import begin
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.allowance import allowance_of, printed_allowance, runs, weigh_again
from pbem.titles.aslsk.movement.branches import next_leg, path_of, waits_in_vain
from pbem.titles.aslsk.movement.eligibility import OFF_MAP, mover_objections
from pbem.titles.aslsk.movement.expenditures import expend, leg_objections, moving
from pbem.titles.aslsk.movement.first_fire_window import Window
from pbem.titles.aslsk.movement.residual import residual_attack, residual_on_crew
from pbem.titles.aslsk.movement.waves import GoOn, Wave, WaveDefence
from pbem.titles.aslsk.orders import Leg, MoveOrder, Orders, merge_orders
from pbem.titles.aslsk.ordnance.hidden import reveal, reveal_seen
from pbem.titles.aslsk.player.wording import move_line
from pbem.titles.aslsk.state import AslskState, Going, Mover, Unit, orders_of, piece_of
from pbem.titles.aslsk.tabletop import AslskTable, as_aslsk_table
from pbem.titles.aslsk.vehicles.driving import drive, forced_moves, start_vehicle
from pbem.titles.aslsk.vehicles.reactions import REACTIONS, react
from pbem.titles.aslsk.vehicles.steps import break_up_stacks
from pbem.titles.aslsk.victory import update_control
from pbem.titles.aslsk.weapons.charges import place

MOST_SHOTS = 60


def movement_phase(table: Table[AslskState]) -> Step:
    """3.3.1/cx Begin the Movement Phase: the ATTACKER's units lose CX, but may not use Double Time again in this
    phase.
    """
    own = as_aslsk_table(table)
    rested = [unit for unit in own.state.units.values() if unit.seat == own.state.attacker]
    begin(own, "movement", [Change(unit.id, "cx", False) for unit in rested if unit.cx])
    for unit in rested:
        unit.no_double, unit.cx = unit.cx, False
    for weapon in own.state.weapons.values():
        weapon.carried = weapon.laid_down = False
    orders = orders_of(own.state, own.state.attacker)
    forced = forced_moves(own.situation, orders)
    if forced:
        own.state.sealed[own.state.attacker] = merge_orders(orders, Orders(moves=(*orders.moves, *forced)))
    own.state.wave = own.state.wave_ends = 0
    table.then("next_mover", number=0)
    return
    yield


def next_mover(table: Table[AslskState], number: int) -> Step:
    """3.3.1/declaration Move the next stack on the list; both seats are asked before it starts."""
    own = as_aslsk_table(table)
    state = own.state
    if is_due(own, number):
        yield from ask_for_wave(own, number)
    moves = orders_of(state, state.attacker).moves
    if number >= len(moves):
        more = is_due(own, number)
        table.then("next_mover", number=number) if more else table.then("end_movement")
        return
    order = moves[number]
    drives = any(id in state.vehicles for id in order.units)
    if start_vehicle(own, order, number) if drives else start_mover(own, order, number):
        table.then("expenditure")
    else:
        table.then("next_mover", number=number + 1)


def is_due(table: AslskTable, number: int) -> bool:
    """by-mail Whether the seats are asked now; they are asked before every stack, or in a fixed number of waves."""
    state, waves = table.state, table.situation.data.options.waves
    if isinstance(waves, str):
        return state.wave_ends <= number < len(orders_of(state, state.attacker).moves)
    over = number >= len(orders_of(state, state.attacker).moves)
    return state.wave < waves and (over or number >= state.wave_ends)


def ask_for_wave(table: AslskTable, number: int) -> Step:
    """by-mail Show which stacks move next, with their MF or MP but not their paths, and let both seats amend their
    orders.
    """
    state, waves = table.state, table.situation.data.options.waves
    moves = orders_of(state, state.attacker).moves
    share = 1 if isinstance(waves, str) else -(-(len(moves) - number) // (waves - state.wave))
    coming = [next_words(table, order) for order in moves[number : number + share]]
    state.wave, state.wave_ends = state.wave + 1, number + share
    defender = table.situation.other(state.attacker)
    subject = str(number + 1 if isinstance(waves, str) else state.wave)
    about = {"next": coming}
    asks = (
        Wave.make_ask(state.attacker, subject=subject, about=about),
        WaveDefence.make_ask(defender, subject=subject, about=about),
    )
    for seat, answer in zip((state.attacker, defender), (yield Together(asks)), strict=True):
        if answer is not None:
            amend(table, seat, answer, number)


def next_words(table: AslskTable, order: MoveOrder) -> str:
    """by-mail Describe a stack that moves next: its units, where they are, and how far they can go."""
    situation, state = table.situation, table.state
    found = [piece for id in order.units if (piece := piece_of(state, id)) is not None]
    if not found or any(piece.hidden for piece in found):
        return "a stack"
    first = found[0]
    place = first.at or "off the map"
    if isinstance(first, Unit):
        stack = [unit for unit in found if isinstance(unit, Unit)]
        reach = f"{min(allowance_of(situation, unit, stack) for unit in stack) // 2} MF"
    else:
        reach = f"{situation.vehicle_card(first).mp} MP"
    return f"{' '.join(order.units)} in {place}, {reach}"


def amend(table: AslskTable, seat: str, new: Orders, number: int) -> None:
    """by-mail Before a wave, let the ATTACKER rewrite the stacks that have not started, or the DEFENDER the fire
    plan.
    """
    before = orders_of(table.state, seat)
    if seat == table.state.attacker:
        kept = before.moves[:number] + new.moves
        tell_withdrawn(table, before.moves[number:], new.moves)
        table.state.sealed[seat] = merge_orders(before, Orders(moves=kept))
    else:
        table.state.sealed[seat] = merge_orders(before, Orders(plan=new.plan))


def tell_withdrawn(table: AslskTable, before: Sequence[MoveOrder], now: Sequence[MoveOrder]) -> None:
    """by-mail Report the units that a rewritten list leaves out or orders to stay, which therefore no longer move."""
    named = {id for order in now for id in order.units}
    going = {id for order in now for id in order.units if leads_away(order)}
    for order in before:
        out = [id for id in order.units if id not in named]
        stays = [id for id in order.units if id in named and id not in going] if leads_away(order) else []
        for left, reason in (
            (out, say("you have withdrawn the order for {left}", left=" ".join(out))),
            (stays, say("your new order leaves {left} behind", left=" ".join(stays))),
        ):
            if left:
                partly, against = len(left) < len(order.units), [Objection("3.3.1/declaration", reason)]
                report_failure(table, table.state.attacker, move_line(order), against, partly=partly, units=left)


def leads_away(order: MoveOrder) -> bool:
    """3.3.1 Whether an order takes its units into another hex."""
    return any(leg.do in ("enter", "push") for leg in order.legs)


def amend_on_the_way(table: AslskTable, new: Orders) -> None:
    """by-mail Rewrite the rest of this stack's move, and the stacks that have not started."""
    state = table.state
    mover = state.mover
    assert mover is not None
    before = orders_of(state, state.attacker)
    own = [move for move in new.moves if set(move.units) & set(mover.stack)]
    rest = tuple(move for move in new.moves if move not in own)
    now = (own[0],) if own else (before.moves[mover.line],)
    moves = (*before.moves[: mover.line], *now, *(rest or before.moves[mover.line + 1 :]))
    tell_withdrawn(table, before.moves[mover.line :], moves[mover.line :])
    state.sealed[state.attacker] = merge_orders(before, Orders(moves=moves))
    if own:
        mover.leg = mover.branch = 0
        mover.units = [id for id in mover.units if id in own[0].units]  # the others end their move here
        weigh_again(table.situation, moving(table))


def start_mover(table: AslskTable, order: MoveOrder, number: int) -> bool:
    """3.3.1 Begin a stack's move, leaving behind units that cannot move; return whether any unit moves."""
    situation, state = table.situation, table.state
    named = [state.units[id] for id in order.units if id in state.units]
    against = [
        Objection("3.3", say("{id} is no longer in play", id=id)) for id in order.units if id not in state.units
    ]
    able: list[Unit] = []
    for unit in named:
        problems = [*mover_objections(situation, unit)]
        if able and unit.at != able[0].at:
            problems.append(
                Objection(
                    "3.3.1/declaration", say("{unit} is not in the same hex as {able}", unit=unit.id, able=able[0].id)
                )
            )
        against += problems
        able += [] if problems else [unit]
    if order.after is not None and waits_in_vain(situation, order.after):
        against.append(Objection("3.3.1/declaration", say("{unit} did not arrive as planned", unit=order.after.unit)))
        able = []
    if against:
        left = [id for id in order.units if id not in {unit.id for unit in able}]
        report_failure(table, state.attacker, move_line(order), against, partly=bool(able), units=left)
    if not able or not order.legs:
        return False
    for unit in able:
        reveal(table, unit, "its crew moves")  # 6.4
        unit.going = going_of(table, unit, able, order)
        if unit.going.double:
            unit.cx = True
    leader = next((unit.id for unit in able if situation.is_leader(unit)), "")
    ids = [unit.id for unit in able]
    state.mover = Mover(units=ids, stack=list(ids), line=number, at=able[0].at, leader=leader)
    table.find(
        "3.3.1/declaration",
        inputs={"units": ids, "at": able[0].at, "assault": order.assault, "double": order.double},
        result="starts to move",
        shows=[Change(unit.id, "cx") for unit in able if unit.cx and unit.at],
    )
    return True


def going_of(table: AslskTable, unit: Unit, stack: list[Unit], order: MoveOrder) -> Going:
    """3.3.1/mf-bonus The state of a unit that starts to move, with its allowance."""
    situation = table.situation
    double = order.double and not order.assault
    allowance = allowance_of(situation, unit, stack, double=double)
    basic = allowance_of(situation, unit, [unit], double=double)
    printed, running = printed_allowance(situation, unit), runs(unit, double=double)
    return Going(allowance=allowance, basic=basic, printed=printed, assault=order.assault, double=running)


def expenditure(table: Table[AslskState]) -> Step:
    """3.3.3/window Resolve one expenditure of the moving stack and its consequences."""
    own = as_aslsk_table(table)
    state = own.state
    mover = state.mover
    assert mover is not None
    order = orders_of(state, state.attacker).moves[mover.line]
    leg, why = next_leg(own.situation, mover, order)
    if is_vehicle(state, mover):
        line = mover.line
        goes_on = yield from drive(
            own, state.vehicles.get(mover.stack[0]), leg, after_next(mover, order), step_window
        )
        update_control(own)
        place_dm_beside_enemies(own)
        reveal_seen(own)
        table.then("expenditure") if goes_on else table.then("next_mover", number=line + 1)
        return
    units = moving(own)
    against = leg_objections(own.situation, units, leg) if leg is not None and units else []
    if leg is None or not units or against:
        stop(own, order, leg, against, why)
        table.then("next_mover", number=mover.line + 1)
        return
    before = units[0].going.spent if units[0].going is not None else 0
    opens = expend(own, units, leg)
    spends = units[0].going is None or units[0].going.spent > before  # 6.5 a push that fails costs nothing
    mover.leg += 1
    mover.expenditures += 1
    update_control(own)
    place_dm_beside_enemies(own)
    reveal_seen(own)
    if opens:
        yield from after_expenditure(own, [unit for unit in units if unit.id in state.units], spends=spends)
    settle(own, leg)
    table.then("expenditure")


def is_vehicle(state: AslskState, mover: Mover) -> bool:
    """3.3.2 Whether the mover is a vehicle, even one that has been destroyed since."""
    return mover.drives or mover.stack[0] in state.vehicles


def after_next(mover: Mover, order: MoveOrder) -> str:
    """3.3.2/vca The hex that follows the next leg, so that a vehicle can turn the right way."""
    legs = path_of(mover, order)[mover.leg + 1 :]
    return next((leg.hex for leg in legs if leg.do == "enter"), "")


def step_window(table: AslskTable, *, spends: bool = True) -> Step:
    """3.3.3/window Open the window after a vehicle's expenditure, or after its crew opens or closes the hatches
    (7.7).
    """
    update_control(table)
    place_dm_beside_enemies(table)
    reveal_seen(table)
    yield from after_expenditure(table, [], spends=spends)


def after_expenditure(table: AslskTable, units: list[Unit], *, spends: bool = True) -> Step:
    """3.3.5, 3.3.3/window Attack with Residual FP, if MF or MP were spent; then let the DEFENDER fire as often as
    the rules allow.
    """
    state = table.state
    mover = state.mover
    assert mover is not None
    vehicle = state.vehicles.get(mover.stack[0])
    if vehicle is not None:
        if spends:
            residual_on_crew(table, vehicle)
    elif not units:
        return
    elif spends:
        residual_attack(table, units)
    defender = table.situation.other(state.attacker)
    for shot in range(MOST_SHOTS):
        if not any(piece_of(state, id) is not None for id in mover.stack):
            return
        about = {"units": list(mover.stack), "at": mover.at, "expenditure": mover.expenditures}
        window = Window.make_ask(defender, subject=f"{mover.line + 1}.{mover.expenditures}", about=about)
        if shot:
            answer = yield window
        else:
            answer, amended = yield Together((window, GoOn.make_ask(state.attacker, subject=window.subject)))
            if amended is not None:
                amend_on_the_way(table, amended)
        if answer is None:
            return
        if answer.how in REACTIONS:
            react(table, answer)
        else:
            fire(table, answer)


def settle(table: AslskTable, leg: Leg) -> None:
    """11/stack-losses Leave behind the units that broke, were pinned or must stop; the others continue."""
    state = table.state
    mover = state.mover
    assert mover is not None
    going_on = [
        unit
        for id in mover.units
        if (unit := state.units.get(id)) is not None
        and not (unit.broken or unit.pinned)
        and unit.going is not None
        and not unit.going.done
    ]
    if leg.do == "place":
        weapon = state.weapons.get(leg.weapon)
        placer = next((unit for unit in going_on if weapon is not None and weapon.holder == unit.id), None)
        if placer is not None and weapon is not None:
            place(table, placer, weapon, leg.hex, leg.target)
    if len(going_on) < len(mover.units) or any(unit.wounded for unit in going_on):
        weigh_again(table.situation, going_on)
    left = [id for id in mover.units if id in state.units and id not in {unit.id for unit in going_on}]
    if left and leg.hex != OFF_MAP:
        order = orders_of(state, state.attacker).moves[mover.line]
        against = [why_left(state.units[id]) for id in left]
        report_failure(table, state.attacker, move_line(order), against, partly=True, units=left)
    mover.units = [unit.id for unit in going_on]


def why_left(unit: Unit) -> Objection:
    """11/stack-losses The reason why a unit of a moving stack stays behind."""
    if unit.broken:
        return Objection("11/stack-losses", say("{unit} broke on the way", unit=unit.id))
    if unit.pinned:
        return Objection("11/stack-losses", say("{unit} was pinned on the way", unit=unit.id))
    return Objection("11/stack-losses", say("{unit} had to end its move", unit=unit.id))


def stop(table: AslskTable, order: MoveOrder, leg: Leg | None, against: list[Objection], why: str) -> None:
    """3.3.1/declaration End the stack's Movement Phase; its units are now safe from Defensive First Fire (3.3.3)."""
    state = table.state
    mover = state.mover
    assert mover is not None
    if against:
        report_failure(
            table, state.attacker, move_line(order), against, partly=mover.expenditures > 0, units=mover.units
        )
    elif why or leg is not None:
        reason = Objection("11/stack-losses", why or "no unit of the stack can continue")
        report_failure(
            table, state.attacker, move_line(order), [reason], partly=mover.expenditures > 0, units=mover.units
        )
    for id in mover.stack:
        if id in state.units:
            state.units[id].moved = True
    ended = [id for id in mover.stack if id in state.units]
    acted = [unit for id in ended if (unit := state.units[id]).at and acts_in_its_hex(mover, unit)]
    shown = [Move(unit.id, ((unit.at, None),)) for unit in acted]
    here = [id for id in ended if state.units[id].at == mover.at]  # the others have stayed behind
    table.find("3.3.1/declaration", inputs={"units": here, "at": mover.at}, result="ends its move", shows=shown)
    state.mover = None


def acts_in_its_hex(mover: Mover, unit: Unit) -> bool:
    """3.3.1 Whether a unit has spent MF, or its stack has dropped a weapon, without entering a hex."""
    going = unit.going
    return going is not None and not going.hexes and (going.spent > 0 or mover.expenditures > 0)


def end_movement(table: Table[AslskState]) -> Step:
    """3.3 End the phase: remove Residual FP and smoke grenades."""
    own = as_aslsk_table(table)
    state = own.state
    state.residual, state.residual_against, state.shots, state.mover = {}, {}, {}, None
    for hex in sorted(state.smoke):
        state.smoke[hex] = [smoke for smoke in state.smoke[hex] if smoke.kind != "grenade"]
    state.smoke = {hex: smoke for hex, smoke in state.smoke.items() if smoke}
    for unit in state.units.values():
        unit.going = None
    break_up_stacks(own, state.attacker)
    for vehicle in state.vehicles.values():
        vehicle.going = None
    table.then("fire_orders")
    return
    yield
