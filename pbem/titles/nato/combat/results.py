"""25.6 to 25.9 Results: counterattacks, losses, retreat, disruption, advance and breakthrough.

25.6.2   counterattacks
25.6.1.1 defender_results: losses, retreat, disruption, Engaged
25.7     retreat
25.6.1.2 attacker_results: losses, disruption
25.8     advance_segment
25.9.2   the Breakthrough marker
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Lose
from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board, Unit, board_of
from pbem.titles.nato.cards.charts import CombatResult
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.advance import may_advance
from pbem.titles.nato.combat.aftermath import FallBack, GoForward, RetreatAbout
from pbem.titles.nato.combat.battle_decisions import (
    Counterattack,
    Counterattackers,
    Loss,
    LossAbout,
    OwnLoss,
    may_counterattack,
)
from pbem.titles.nato.combat.command import commander
from pbem.titles.nato.combat.losses import (
    disrupt,
    forget,
    lose_step,
    next_attacker_losses,
    next_losses,
)
from pbem.titles.nato.combat.retreat import net_retreat, way_price
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.movement.costs import area_objections
from pbem.titles.nato.movement.entering import enter, enter_site, record_path
from pbem.titles.nato.phases import segment
from pbem.titles.nato.player.orders import Retreat
from pbem.titles.nato.state import ENEMY, Battle, NatoState
from pbem.titles.nato.supply.headquarters import front
from pbem.titles.nato.zones.coordination import counterattack_groups
from pbem.titles.nato.zones.stacking import maneuver_steps

Asking = Generator[Any, Any, Any]


# --- 25.6.2 counterattack ------------------------------------------------------------------------------------


def counterattacks(table: Table[NatoState], board: Board, battle: Battle) -> Asking:
    """25.6.2 Roll once for each step of the defenders, who choose which attackers to strike."""
    side = ENEMY[battle.side]
    able = [board.units[id] for id in battle.defenders if id in board.units and may_counterattack(board.units[id])]
    groups = counterattack_groups(board, side, able)
    chosen = [unit.id for unit in groups[0]] if groups else []
    if len(groups) > 1:  # 25.6.2.1, 25.6.2.2
        chosen = yield Counterattackers.make_ask(commander(board, battle, side), subject=battle.objective)
        rule = "25.6.2.1" if side is Side.NATO else "25.6.2.2"
        table.find(rule, inputs={"objective": battle.objective}, result=list(chosen))
    elif side is Side.WP and len({front(board, unit.card) for unit in board.at(battle.objective, side)}) > 1:
        table.find("25.6.2.2", inputs={"objective": battle.objective}, result=chosen)
    for unit in [board.units[id] for id in chosen]:
        for number in range(unit.steps):
            targets = [id for id in battle.attackers if id in board.units]
            if not targets:
                return
            target_id = targets[0]
            if len(targets) > 1:
                seat = commander(board, battle, side)
                target_id = yield Counterattack.make_ask(seat, subject=f"{unit.id} {number + 1}")
            counterattack(table, board, unit, board.units[target_id])


def counterattack(table: Table[NatoState], board: Board, unit: Unit, target: Unit) -> None:
    """25.6.2 Roll once on the Counterattack Table."""
    least = board.data.charts.counterattack(unit.card.nation)
    die = table.roll(6, "25.6.2", unit.id, target.id)
    inputs = {"unit": unit.id, "target": target.id, "least": least}
    table.find("25.6.2", inputs=inputs, dice=[die], result="disrupted" if die >= least else "no effect")
    if die >= least:
        disrupt(table, board, [target], "25.6.4")


# --- 25.6.1.1 the defender ------------------------------------------------------------------------------------


def defender_results(table: Table[NatoState], board: Board, battle: Battle, result: CombatResult) -> Asking:
    """25.6.1.1 Apply losses, retreat, disruption and Engaged; return the number of losses taken."""
    side, objective = ENEMY[battle.side], battle.objective
    taken = 0
    while taken < result.defender_steps and board.at(objective, side):  # 25.6.3.2
        units = next_losses(board.at(objective, side), battle)
        unit_id = yield from choose_loss(table, battle, battle.side, units, "combat")
        lose_step(table, board, board.units[unit_id], "25.6.3", "combat")
        taken += 1
    survivors = board.at(objective, side)
    if survivors and result.retreat:
        yield from retreat(table, board, battle, result.retreat)
    survivors = [unit for unit in survivors if unit.id in board.units]
    if result.defender_disrupted:
        disrupt(table, board, survivors, "25.6.4")
    for unit in survivors:
        unit.piece.engaged = True  # 4.2.6
    where = [
        segment("defender results", battle.side),
        Finding("25.6.1.1", result=["losses", "retreat", "disruption", "engaged"]),
        Finding("25.6.5", result=[unit.id for unit in survivors]),
    ]
    tired = [unit.id for unit in survivors if unit.piece.disrupted and unit.at != objective]
    where += [Finding("25.6.4.2", result=tired)] if tired else []
    city = board.atlas.places[objective].city
    if board.free_city(objective, side):
        rule = "30.4.7" if battle.lone_city else "30.4.8"
        where.append(Finding(rule, inputs={"city": city}, result=result.text))
        where.append(Finding("30.4.9", inputs={"city": city}, result="free until somebody enters"))
    left = {unit.id: unit.at for unit in survivors}
    table.find("25.1.6", inputs={"objective": objective, "lost": taken}, result=left, children=where)
    return taken


def choose_loss(
    table: Table[NatoState], battle: Battle, chooser: Any, units: Sequence[Unit], why: str, own: bool = False
) -> Asking:
    """25.6.3 Return the unit that loses the next step; ask only if there is a choice."""
    if len(units) == 1:
        return units[0].id
    about = LossAbout(tuple(unit.id for unit in units), why)
    seat = commander(board_of(table.data, table.state), battle, chooser)
    decision = OwnLoss if own else Loss
    unit_id = yield decision.make_ask(seat, subject=battle.objective, about=about)
    return unit_id


# --- 25.7 retreat --------------------------------------------------------------------------------------------


def retreat(table: Table[NatoState], board: Board, battle: Battle, number: int) -> Asking:
    """25.7 Remove the steps given up, then retreat the remaining units."""
    side, objective = ENEMY[battle.side], battle.objective
    net = net_retreat(board, objective, number)
    if net < number:
        table.find("25.7.2", inputs={"objective": objective, "result": number}, result=net)
    if not net:
        return
    seat = commander(board, battle, side)
    order = yield FallBack.make_ask(seat, subject=objective, about=RetreatAbout(net))
    for id in order.trade:
        lose_step(table, board, board.units[id], "25.7", "given up")
    left = net - len(order.trade)
    here = board.at(objective, side)
    if not left:
        stand(table, board, battle, bool(here))
        return
    trains = [unit for unit in here if unit.piece.train]
    for unit in trains:  # 13.4.4
        board.remove(unit)
        forget(table, unit)
        gone = [Lose(unit.id, objective, "on a train")]
        table.find("13.4.4", inputs={"unit": unit.id, "at": objective}, result="eliminated", shows=gone)
    yield from fall_back(table, board, battle, order, left)


def stand(table: Table[NatoState], board: Board, battle: Battle, held: bool) -> None:
    """25.7.1 Apply They Shall Not Pass!: the defender has given up steps in place of the whole retreat."""
    if not held:
        battle.stood = True
        table.find("25.7.1", inputs={"objective": battle.objective}, result="They Shall Not Pass!")


def fall_back(table: Table[NatoState], board: Board, battle: Battle, order: Retreat, left: int) -> Asking:
    """25.7.3 Retreat each group along its path, and remove the steps that the path costs."""
    side, objective = ENEMY[battle.side], battle.objective
    groups: dict[tuple[HexId, ...], list[Unit]] = {}
    for unit in board.at(objective, side):
        groups.setdefault(tuple(order.paths.get(unit.id, ())), []).append(unit)
    prices = [way_price(board, side, path, left) for path in groups]
    for (path, group), price in zip(groups.items(), prices, strict=True):
        for unit in group if path else ():
            go_back(table, board, unit, path)
        if path:
            shown = [record_path(table, unit.id, objective, path, "retreat") for unit in group]
            inputs = {"units": [unit.id for unit in group], "path": list(path)}
            table.find("25.7.3", inputs=inputs, result=path[-1], shows=shown)
        yield from pay(table, board, battle, group, price)


def go_back(table: Table[NatoState], board: Board, unit: Unit, path: Sequence[HexId]) -> None:
    """25.7.3, 25.7.8 Retreat one unit; enemy reserve sites that it enters are lost to their owner."""
    board.place(unit, path[-1])
    for hex in path:
        enter_site(table, board, unit, hex)
    if any(hex in board.state.nuclear for hex in path) or board.is_contaminated(path[-1]):  # 21.1.3, 22.3.1
        disrupt(table, board, [unit], "25.6.4")
    if not unit.piece.freed and any(area_objections(board, unit, board.atlas.places[unit.at])):
        unit.piece.freed = True
        table.find("25.7.8", inputs={"unit": unit.id, "at": unit.at}, result="free to move")


def pay(table: Table[NatoState], board: Board, battle: Battle, group: Sequence[Unit], price: int) -> Asking:
    """25.7.4.1 Take the steps that a retreat costs from the group that retreats together."""
    for _ in range(price):
        units = next_losses([unit for unit in group if unit.id in board.units])
        if not units:
            return
        unit_id = yield from choose_loss(table, battle, ENEMY[battle.side], units, "retreat", own=True)
        lose_step(table, board, board.units[unit_id], "25.7.4.1", "retreat")


# --- 25.6.1.2 the attacker -----------------------------------------------------------------------------------


def attacker_results(
    table: Table[NatoState], board: Board, battle: Battle, result: CombatResult, taken: int
) -> Asking:
    """25.6.1.2 Apply losses and disruption; return whether the attackers may advance."""
    losses = result.attacker_steps
    short = result.defender_steps > (1 if battle.lone_city else taken)
    if losses and short:  # 25.6.3.1
        table.find("25.6.3.1", inputs={"objective": battle.objective}, result="no attacker loss")
        losses = 0
    for _ in range(losses):
        units = [board.units[id] for id in battle.attackers if id in board.units]
        if not units:
            break
        able = next_attacker_losses(units, battle)
        unit_id = yield from choose_loss(table, battle, ENEMY[battle.side], able, "combat")
        lose_step(table, board, board.units[unit_id], "25.6.3", "combat")
    left = [board.units[id] for id in battle.attackers if id in board.units]
    if result.attacker_disrupted:
        disrupt(table, board, left, "25.6.4")
    where = [
        segment("attacker results", battle.side),
        Finding("25.6.1.2", result=["losses", "disruption", "advance"]),
    ]
    tired = [unit.id for unit in left if unit.piece.disrupted]
    where.append(Finding("25.6.4.1", inputs={"objective": battle.objective}, result=tired))
    open_ = cleared(board, battle, result)
    inputs = {"objective": battle.objective, "left": [unit.id for unit in left]}
    table.find("25.1.7", inputs=inputs, result="open" if open_ else "held", children=where)
    return open_


def cleared(board: Board, battle: Battle, result: CombatResult) -> bool:
    """25.8, 30.4.7 Return whether the objective is open: it holds no enemy unit and, for a city without units, the
    result is a D.
    """
    if board.holds(battle.objective, ENEMY[battle.side]):
        return False
    return result.defender_steps > 0 if battle.lone_city else True


# --- 25.8 advance --------------------------------------------------------------------------------------------


def advance_segment(table: Table[NatoState], board: Board, battle: Battle) -> Asking:
    """25.8, 25.9.2 Let the attackers advance, then place the Breakthrough marker."""
    objective, side = battle.objective, battle.side
    able = [id for id in battle.attackers if id in board.units and may_advance(board, board.units[id], battle)]
    if able and not battle.stood:
        order = yield GoForward.make_ask(commander(board, battle, side), subject=objective)
        for id, path in order.paths.items():
            go_forward(table, board, board.units[id], path)
    still_free = board.free_city(objective, ENEMY[side])
    if not battle.stood and not still_free and objective not in table.state.breakthrough:  # 4.1.6
        table.state.breakthrough.append(objective)
        table.find("25.9.2", inputs={"objective": objective, "side": side}, result="breakthrough")


def go_forward(table: Table[NatoState], board: Board, unit: Unit, path: Sequence[HexId]) -> None:
    """25.8 Advance one unit; cities along its path change hands."""
    start = unit.at
    for hex in path:
        board.place(unit, hex)
        enter(table, board, unit, hex)
    rule = "25.8.2" if len(path) > 1 else "25.8.1"
    inputs = {"unit": unit.id, "from": start, "path": list(path)}
    steps = maneuver_steps(board.at(unit.at, unit.side))
    limit = [Finding("9.1.2", inputs={"hex": unit.at}, result=steps)] if len(path) > 1 else []
    table.find(
        rule,
        inputs=inputs,
        children=limit,
        result=unit.at,
        shows=[record_path(table, unit.id, start, path, "advance")],
    )
