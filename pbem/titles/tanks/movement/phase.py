"""T1.1 The Movement Phase: one tank at a time, lowest initiative first.

Both seats give their orders for the phase at once, with conditions; when a tank's turn comes the first alternative
that holds and is legal is opened and carried out. If none is legal any more, that is announced and its owner asked.
"""

from __future__ import annotations

from pbem.engine.rules.ask import Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.tanks.decisions.movement import OneMove
from pbem.titles.tanks.movement.moves import carry_out, early_moves, order_objections
from pbem.titles.tanks.phases.conditions import hold
from pbem.titles.tanks.phases.forms import begin_phase, show_cards, take_forms
from pbem.titles.tanks.phases.initiative import announce, next_to_act
from pbem.titles.tanks.player.happenings import failed, move_said
from pbem.titles.tanks.player.orders import MovementForm, MoveOrder, plain, read_as
from pbem.titles.tanks.state import Tank, TanksState


def movement_phase(table: Table[TanksState]) -> Step:
    """T1.1 Orders from both, cards that change initiative, then tank by tank."""
    state = table.state
    begin_phase(state, "movement")
    yield from take_forms(table, "moving")
    yield from show_cards(table, "moving")
    announce(table, "moving")
    early_moves(table, "extra_move")
    table.then("move_next")


def move_next(table: Table[TanksState]) -> Step:
    """T1.1 The next tank moves; after the last the Shooting Phase begins."""
    state = table.state
    tank = next_to_act(table.data, state, "moving")
    if tank is None:
        table.then("shooting_phase")
        return
    order = yield from order_for(table, tank)
    carry_out(table, tank, order, free=finds_its_way(table.state, tank))
    tank.acted = True
    table.then("move_next")


def order_for(table: Table[TanksState], tank: Tank) -> Step:
    """T1.1 What a tank does now: its sealed order if it is still legal, else what its owner says.

    A tank with a tactic finds its way now: the window for it is open for every tank, and waits for nobody.
    """
    ask = OneMove.asked(tank.seat, subject=tank.id)
    if table.data.scenario.pace == "forms":
        sealed = sealed_order(table, tank)
        if sealed is not None:
            ask = window_of(tank, sealed)
    return (yield ask)


def finds_its_way(state: TanksState, tank: Tank) -> bool:
    """T1.1 Whether a tactic led the tank: what stops it then was its own choice."""
    form = read_as(state.orders.get(tank.seat, {}), MovementForm, "movement")
    return any(order.tactic is not None for order in form.orders.get(tank.id, []))


def sealed_order(table: Table[TanksState], tank: Tank) -> MoveOrder | None:
    """T1.1 The first alternative that holds and is legal; None if those that hold are not. What fails is told."""
    form = read_as(table.state.orders.get(tank.seat, {}), MovementForm, "movement")
    orders = form.orders.get(tank.id, [])
    standing = [order for order in orders if hold(table.data, table.state, order.when)]
    if not standing:
        for order in orders[:1]:
            failed(table, tank, move_said(tank.id, order), "its condition did not hold, and it stayed", "T1.1")
        return MoveOrder()
    for order in standing:
        against = list(order_objections(table.data, table.state, tank, order))
        if not against:
            return order
        why = "; ".join(objection.english for objection in against)
        failed(table, tank, move_said(tank.id, order), why, against[0].rule)
    open_order(table, tank, standing[0])
    return None


def window_of(tank: Tank, sealed: MoveOrder) -> Ask:
    """T1.1 The sealed order is carried out unless its tactic says more; who is asked at every window sees it."""
    moves, tactic = MoveOrder(moves=sealed.moves, use=sealed.use), MoveOrder(tactic=sealed.tactic, prey=sealed.prey)
    about = {"sealed": plain(tactic)}
    return OneMove.asked(tank.seat, subject=tank.id, about=about, default=plain(moves), grade="reaction")


def open_order(table: Table[TanksState], tank: Tank, order: MoveOrder) -> None:
    """T1.1 Everybody learns that an order cannot be carried out, so that all know why somebody is waited for.

    What was ordered, and why it fails, is for its owner alone: a third move would tell of a card that lies face down.
    """
    objections = order_objections(table.data, table.state, tank, order)
    why = [Finding(objection.rule, inputs={"why": objection.english}, result="objection") for objection in objections]
    table.find("T1.1", inputs={"tank": tank.id}, result="not possible")
    inputs = {"tank": tank.id, "order": plain(order)}
    table.find("T1.1", to=(tank.seat,), inputs=inputs, result="not possible", children=why)
