"""T1.1 The Movement Phase: one tank at a time, lowest initiative first.

Both seats give their orders for the phase at once, with conditions; when a tank's turn comes, the first legal
alternative with true conditions is revealed and carried out. If none is legal, that is announced and its owner
decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.ask import Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import reasons
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import as_message, say
from pbem.titles.tanks.decisions.movement import OneMove
from pbem.titles.tanks.movement.moves import carry_out, early_moves, order_objections
from pbem.titles.tanks.phases.conditions import hold
from pbem.titles.tanks.phases.forms import begin_phase, show_cards, take_forms, tell_sequence
from pbem.titles.tanks.phases.initiative import announce, next_to_act
from pbem.titles.tanks.player.orders import MovementForm, MoveOrder, plain, read_as
from pbem.titles.tanks.state import Tank, TanksState
from pbem.titles.tanks.telling.happenings import EARLIER, MISSED, OVERRULED, report_failure, write_moves


def movement_phase(table: Table[TanksState]) -> Step:
    """T1.1 Take both seats' orders and their cards that change initiative; then the tanks move one by one."""
    state = table.state
    begin_phase(state, "movement")
    yield from take_forms(table, "moving")
    yield from show_cards(table, "moving")
    announce(table, "moving")
    tell_sequence(table, "moving")
    early_moves(table, "extra_move")
    table.then("move_next")


def move_next(table: Table[TanksState]) -> Step:
    """T1.1 Move the next tank; after the last one, begin the Shooting Phase."""
    tank = next_to_act(table, "moving")
    if tank is None:
        table.then("shooting_phase")
        return
    order, free = yield from order_for(table, tank)
    carry_out(table, tank, order, free=free)
    tank.acted = True
    table.then("move_next")


def order_for(table: Table[TanksState], tank: Tank) -> Step:
    """T1.1 Return a tank's order and whether a tactic chose its moves.

    It is the sealed order if that is still legal, otherwise its owner's answer. A tank with a tactic chooses its
    moves now: this window opens for every tank and makes no player wait.
    """
    sealed = sealed_order(table, tank) if table.data.scenario.pace == "forms" else None
    if sealed is None:
        return (yield OneMove.make_ask(tank.seat, subject=tank.id)), False
    order: MoveOrder = yield window_of(tank, sealed)
    tell_change(table, tank, sealed, order)
    return order, sealed.tactic is not None


def tell_change(table: Table[TanksState], tank: Tank, sealed: MoveOrder, order: MoveOrder) -> None:
    """T1.1 Report a tank that does not follow its sealed order, or one whose tactic is to stay where it is."""
    said = write_moves(tank.id, sealed)
    if sealed.tactic is None and (order.moves, order.use) != (sealed.moves, sealed.use):
        report_failure(table, tank, said, OVERRULED, "T1.1")
    elif sealed.tactic is not None and not order.moves:
        why = say("the tank stayed, since no other place was better")
        report_failure(table, tank, said, why, "T1.1", needless=True)


def sealed_order(table: Table[TanksState], tank: Tank) -> MoveOrder | None:
    """T1.1 Return the first legal alternative whose conditions are true; None if only illegal ones are left.

    The owner learns why the other lines for this tank were not carried out.
    """
    form = read_as(table.state.orders.get(tank.seat, {}), MovementForm, "movement")
    orders = form.orders.get(tank.id, [])
    holding = [order for order in orders if hold(table, order.when)]
    legal = [order for order in holding if not any(order_objections(table, tank, order))]
    chosen = legal[0] if legal else None
    for order in orders:
        if order is not chosen:
            report_passed(table, tank, order, chosen, holding)
    if chosen is None and holding:
        open_order(table, tank, holding[0])
        return None
    return chosen or MoveOrder()


def report_passed(
    table: Table[TanksState], tank: Tank, order: MoveOrder, chosen: MoveOrder | None, holding: Sequence[MoveOrder]
) -> None:
    """T1.1 Report why an alternative was not carried out; if another one was, this one was simply not needed."""
    said = write_moves(tank.id, order)
    if order not in holding:
        stayed = chosen is None and not holding
        why = say("the tank's condition was not met, so it stayed") if stayed else MISSED
        report_failure(table, tank, said, why, "T1.1", needless=chosen is not None)
    elif against := list(order_objections(table, tank, order)):
        report_failure(table, tank, said, reasons(against), against[0].rule)
    else:
        report_failure(table, tank, said, EARLIER, "T1.1", needless=True)


def window_of(tank: Tank, sealed: MoveOrder) -> Ask:
    """T1.1 Ask for one tank's move; by default the sealed order's moves, or those that its tactic now chooses."""
    moves, tactic = MoveOrder(moves=sealed.moves, use=sealed.use), MoveOrder(tactic=sealed.tactic, prey=sealed.prey)
    about = {"sealed": plain(tactic)}
    return OneMove.make_ask(tank.seat, subject=tank.id, about=about, default=plain(moves), grade="reaction")


def open_order(table: Table[TanksState], tank: Tank, order: MoveOrder) -> None:
    """T1.1 Announce that an order cannot be carried out, so that all players know why the match waits.

    Only the owner sees the order and the reason: an order for a third move, for example, would give away a face-down
    card.
    """
    objections = order_objections(table, tank, order)
    why = [
        Finding(objection.rule, inputs={"why": as_message(objection.why)}, result="objection")
        for objection in objections
    ]
    table.find("T1.1", inputs={"tank": tank.id}, result="not possible")
    inputs = {"tank": tank.id, "order": plain(order)}
    table.find("T1.1", to=(tank.seat,), inputs=inputs, result="not possible", children=why)
