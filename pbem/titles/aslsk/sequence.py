"""3.0 The sequence of play: set-up, player turns of eight phases in two to four exchanges, and the end.

11 A      setup_step
3.0       turn_start, before_movement, fire_orders, close_orders
3.9       turn_end
"""

from __future__ import annotations

import msgspec

from pbem.engine.rules.ask import Grade, Step, Together
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.orders import NO_ORDERS, AdvanceOrder, FireOrder, Hatch, Orders, RoutOrder
from pbem.titles.aslsk.ordnance.hidden import reveal_seen
from pbem.titles.aslsk.player.exchanges import (
    AdvancingFire,
    Close,
    CloseDefence,
    Defence,
    FinalFire,
    RallyChoices,
    RallyPrep,
    SectionsDecision,
    TurnOrders,
    orders_after,
)
from pbem.titles.aslsk.player.placing import SetUp, place_units
from pbem.titles.aslsk.player.wording import order_lines
from pbem.titles.aslsk.state import AslskState, orders_of, pieces
from pbem.titles.aslsk.tabletop import AslskTable, as_aslsk_table
from pbem.titles.aslsk.victory import score_of, side_is_gone, update_control, winner

TEMPO_BEFORE_MOVEMENT = 4
ONE_EXCHANGE = 1
IN_ADVANCE = {"final": "3.4", "advancing": "3.5", "routs": "3.6", "advances": "3.7", "hatches": "7.7"}
"""by-mail The sections that may be sent in advance and replaced later, with the rules of their phases."""


def setup_step(table: Table[AslskState], seats: list[str]) -> Step:
    """11 A Let the first of these seats set up, then the other one, which can see the first one's set-up."""
    own = as_aslsk_table(table)
    seat, *rest = seats
    if any(own.situation.data.area(unit) for unit in pieces(own.state) if unit.seat == seat):
        answer = yield SetUp.make_ask(seat)
    else:  # all units enter later: only the weapons must be assigned
        answer = SetUp(own.data, own.state, SetUp.make_ask(seat)).usual()
    place_units(own, seat, answer)
    update_control(own)
    if rest:
        table.then("setup_step", seats=rest)
    else:
        own.state.attacker = own.situation.data.scenario.first
        reveal_seen(own)
        table.then("turn_start")


def exchange(
    table: AslskTable,
    attacker: type[SectionsDecision[Orders]],
    defender: type[SectionsDecision[Orders]],
    *,
    waits: bool = True,
) -> Step:
    """by-mail Let both seats seal their sections for an exchange; both are always asked."""
    state = table.state
    first, second = state.attacker, table.situation.other(state.attacker)
    grade: Grade = "order" if waits else "reaction"
    asks = (attacker.make_ask(first, grade=grade), defender.make_ask(second, grade=grade))
    answers = yield Together(asks)
    for kind, seat, answer in zip((attacker, defender), (first, second), answers, strict=True):
        before = orders_of(state, seat)
        state.sealed[seat] = orders_after(before, answer, kind.sections)
        tell_left_out(table, seat, before, state.sealed[seat])


def tell_left_out(table: AslskTable, seat: str, before: Orders, now: Orders) -> None:
    """by-mail Report orders given in advance that a seat has since left out, unless a new order for the unit
    replaces them.
    """
    for section, rule in IN_ADVANCE.items():
        still = {id for order in getattr(now, section) for id in units_in(order)}
        for order in getattr(before, section):
            left = [id for id in units_in(order) if id not in still]
            if left:
                why = Objection(rule, say("you have withdrawn the order for {left}", left=" ".join(left)))
                (line,) = order_lines(msgspec.structs.replace(NO_ORDERS, **{section: (order,)}), "")
                partly = len(left) < len(units_in(order))
                report_failure(table, seat, line, [why], partly=partly, units=left)


def units_in(order: FireOrder | RoutOrder | AdvanceOrder | Hatch) -> tuple[str, ...]:
    """11 G The units and weapons that an order is for."""
    if isinstance(order, FireOrder):
        return order.components
    return order.units if isinstance(order, AdvanceOrder) else (order.unit,)


def turn_start(table: Table[AslskState]) -> Step:
    """3.0 Begin a player turn: discard the orders of the previous one and seal the first exchange."""
    own = as_aslsk_table(table)
    own.state.phase = "rally"
    own.state.sealed = dict.fromkeys(own.situation.data.seats, NO_ORDERS)
    own.find("3.0", inputs={"turn": own.state.turn, "attacker": own.state.attacker}, result="player turn")
    if own.situation.data.options.tempo == TEMPO_BEFORE_MOVEMENT:
        yield from exchange(own, RallyPrep, RallyChoices)
    else:
        yield from exchange(own, TurnOrders, Defence)
    table.then("rally_phase")


def before_movement(table: Table[AslskState]) -> Step:
    """by-mail With `tempo = 4`, let the seats seal movement orders and the fire plan after the Prep Fire Phase."""
    own = as_aslsk_table(table)
    if own.situation.data.options.tempo == TEMPO_BEFORE_MOVEMENT:
        kept = {seat: orders_of(own.state, seat) for seat in own.situation.data.seats}
        yield from exchange(own, TurnOrders, Defence)
        for seat, orders in kept.items():
            own.state.sealed[seat] = replace_early(own.state.sealed[seat], orders)
    table.then("movement_phase")


def replace_early(new: Orders, old: Orders) -> Orders:
    """Keep the first exchange's orders for rally and Prep Fire, because those phases are over."""
    return msgspec.structs.replace(new, rally=old.rally, prep=old.prep)


def fire_orders(table: Table[AslskState]) -> Step:
    """by-mail X2: let the seats seal Final Fire and Advancing Fire together, after seeing the movement."""
    own = as_aslsk_table(table)
    yield from exchange(own, AdvancingFire, FinalFire, waits=own.situation.data.options.tempo != ONE_EXCHANGE)
    table.then("defensive_fire_phase")


def close_orders(table: Table[AslskState]) -> Step:
    """by-mail X3: let the seats seal routs, advances and close combat."""
    own = as_aslsk_table(table)
    yield from exchange(own, Close, CloseDefence, waits=own.situation.data.options.tempo != ONE_EXCHANGE)
    table.then("rout_phase")


def turn_end(table: Table[AslskState]) -> Step:
    """3.9 Make the other side the ATTACKER; if both have had their player turn, begin the next game turn or end the
    match.
    """
    own = as_aslsk_table(table)
    state, scenario = own.state, own.situation.data.scenario
    gone = [seat for seat in own.situation.data.seats if side_is_gone(state, seat)]
    second_half = state.attacker != scenario.first
    last = state.turn >= scenario.turns and (second_half or scenario.half_turn)
    if gone or last:
        who, why = winner(own.situation)
        own.find("3.9", inputs={"turn": state.turn, "why": why}, result=who or "draw")
        table.end("3.9", who, why, score=score_of(own.situation))
        return
    if second_half:
        state.turn += 1
    state.attacker = own.situation.other(state.attacker)
    table.then("turn_start")
    return
    yield
