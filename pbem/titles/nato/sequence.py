"""7.2 The sequence of play: the game turn and the two player turns, phase by phase.

7.2 I.A, I.B   joint_turn: status, air points, reinforcements
7.2 II.A, B    movement: headquarters supply, movement supply, all movement
7.2 II.C       recovery, at the end of `movement`
7.2 II.D, E    fighting: Battle markers, air strikes, interdiction; then `artillery`
7.2 II.F       combat: one battle after another
7.2 II.G, H    reserves: the Reserve Phase and the end of the player turn
7.2/end        turn_end: victory
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from pbem.engine.rules.ask import Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Area, Fail, Lose, Vanish
from pbem.engine.rules.table import Table
from pbem.engine.rules.watching import watch_markers
from pbem.engine.text.messages import say
from pbem.titles.nato.air.helicopters import READY, RECOVERY
from pbem.titles.nato.air.points import received_reasons, spend_tactical, tactical_points
from pbem.titles.nato.air.resolution import strike
from pbem.titles.nato.air.sites import site_at, site_of, strike_site
from pbem.titles.nato.air.strike_decisions import Targets, TargetsAbout
from pbem.titles.nato.air.strikes import target_sets
from pbem.titles.nato.artillery.fire import after_firing, fire, targets_near
from pbem.titles.nato.artillery.strike_decision import GunAbout, NextGun
from pbem.titles.nato.board import Board, board_of
from pbem.titles.nato.cards.charts import AirPoints
from pbem.titles.nato.cards.scenario import halves
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.combat.eligibility import may_be_marked, possible_attackers
from pbem.titles.nato.combat.losses import forget
from pbem.titles.nato.combat.orders import Defend, Fight, NextBattle
from pbem.titles.nato.commands.asking import orders_of
from pbem.titles.nato.commands.dispositions import carry_out_dispositions, end_loans
from pbem.titles.nato.commands.merging import merged_strikes
from pbem.titles.nato.commands.merging import points_of as kind_of_point
from pbem.titles.nato.commands.pools import allot, settle_all, spend
from pbem.titles.nato.commands.powers import commander_of, in_precedence
from pbem.titles.nato.map.grid import HexId, neighbours
from pbem.titles.nato.map.ground import Country
from pbem.titles.nato.movement.orders import MovePhase
from pbem.titles.nato.movement.phase import enforce_stacking, make_moves
from pbem.titles.nato.nerves.markers import air_table
from pbem.titles.nato.nerves.peace import advance_clocks
from pbem.titles.nato.nerves.steps import brink, gdp, late_deployment, peace_turn, turn_zero, war
from pbem.titles.nato.nuclear.atomic import strike_target
from pbem.titles.nato.nuclear.chemicals import chemical_segment
from pbem.titles.nato.phases import begins, segment
from pbem.titles.nato.player.orders import OVER, AirStrike, FightOrders, write_strike, write_strikes
from pbem.titles.nato.reinforcements.activation import activate_due, activate_invaded, activate_nation
from pbem.titles.nato.reinforcements.arrivals import arrive, receive_lifts, reconstitute
from pbem.titles.nato.reinforcements.joint import joint_choices
from pbem.titles.nato.reinforcements.reforger import call_up, overrun_sites
from pbem.titles.nato.reserve.orders import ReservePhase
from pbem.titles.nato.state import ENEMY, MARKERS, NatoState, markers_of
from pbem.titles.nato.supply.phases import hq_supply, movement_supply, recovery, suppression_removal
from pbem.titles.nato.supply.points import income, pay, sea_supply
from pbem.titles.nato.supply.resupply import resupply
from pbem.titles.nato.surrender import apply_surrender, czech_surrender, judge_recovery, judge_surrender
from pbem.titles.nato.victory import automatic, count_points, forward_defense, nato_city_points, points_of

# --- I. the joint player turn --------------------------------------------------------------------------------


def joint_turn(table: Table[NatoState]) -> Step:
    """7.2 I Run the joint player turn: status, air points and reinforcements of both sides."""
    state, board = table.state, board_of(table.data, table.state)
    state.phase = "joint"  # 4.4.2
    state.multinational = []
    begins(table, "status", result=state.turn)
    begins(table, "turn", result=state.turn)  # A.1
    end_loans(table)  # 35.8.4
    advance_clocks(table, board)  # A.2
    report_ready(table)  # A.3
    receive_lifts(table, board)  # 33.2.9
    withdraw(table, board)
    joint_points(table, board)  # A.4
    overrun_sites(table, board)  # A.5
    take_forts(table, board)  # A.6
    apply_surrender(table, board)  # A.7
    activate_due(table, board)  # 35.2
    begins(table, "reinforcement", result=state.turn)
    air_points(table, board)  # B.1
    for side, plan in board.data.scenario.chemical.items():  # B.2
        state.chemical_points[side] = state.chemical_points.get(side, 0) + plan.income
    income(table, board)
    stock = {"chemical": dict(state.chemical_points), "supply": state.supply_points}
    begins(table, "supply", result=stock)
    allot(table, board)  # 35.8.1
    begins(table, "arrivals", result=len(board.data.scenario.arrivals_on(state.turn)))
    chosen = yield from joint_choices(table, board)  # B.3
    call_up(table, board, chosen[Side.NATO].reforger if Side.NATO in chosen else ())
    arrive(table, board, {id: box for one in chosen.values() for id, box in one.boxes.items()})
    reconstitute(table, board, {id: hex for one in chosen.values() for id, hex in one.places.items()})
    table.then("movement", side=Side.WP)


def joint_points(table: Table[NatoState], board: Board) -> None:
    """34.3 Score NATO's points for the turn: Warsaw Pact cities, forward defense, chemical warfare."""
    state, found = table.state, 0
    if points := nato_city_points(board):
        table.find("34.3.1", inputs={"turn": state.turn}, result=points)
        found += points
    if board.data.plays("forward_defense") and state.turn > 1 and forward_defense(board):
        table.find("37.6.1", inputs={"turn": state.turn}, result=1)
        found += 1
    if state.first_use:
        table.find("34.3.3", inputs={"turn": state.turn}, result=1)
        found += 1
    state.points[Side.NATO] = state.points.get(Side.NATO, 0) + found
    begins(table, "points", result=found)


def take_forts(table: Table[NatoState], board: Board) -> None:
    """7.2 I.A.6, 38.4.3.4 Mark the fortified hexes that the Warsaw Pact occupies, which ends their protection."""
    if not board.data.plays("extended_buildup"):
        return
    forts = [hex for hex, place in sorted(board.atlas.places.items()) if place.fortified]
    taken = [hex for hex in forts if hex not in table.state.forts_lost and board.holds(hex, Side.WP)]
    if taken:
        table.state.forts_lost += taken
        begins(table, "forts", result=taken)
        table.find("38.4.3.4", inputs={"turn": table.state.turn}, result=taken)


def withdraw(table: Table[NatoState], board: Board) -> None:
    """36 Remove the units that the scenario withdraws at the start of a turn."""
    for id, turn in sorted(board.data.scenario.withdrawals.items()):
        if turn == table.state.turn and id in board.units:
            at = board.units[id].at
            board.remove(board.units[id])
            table.find("36", inputs={"unit": id, "at": at}, result="withdrawn", shows=[Vanish(id)])


def report_ready(table: Table[NatoState]) -> None:
    """15.1, 18.1.9, 18.4.4 Report which helicopters and Lift Commands are ready again."""
    state = table.state
    used = sum(number for kinds in state.lift_used.values() for number in kinds.values())
    found = ready_again(state)
    begins(table, "ready", result=found)
    for hq in (hq for hq in found if hq in state.brigades):
        table.find("18.4.4", inputs={"hq": hq}, result=state.brigades[hq])
    if used:
        table.find("18.1.9", inputs={"commands": found}, result=used)


def ready_again(state: NatoState) -> list[str]:
    """7.2 I.A.3 Move attack helicopters and Lift Commands from Recovery to Ready; return their names."""
    found = [hq for hq, where in sorted(state.brigades.items()) if where == RECOVERY]
    for hq in found:
        state.brigades[hq] = READY  # 18.4.4
    for side, used in state.lift_used.items():
        ready = state.lift_ready.setdefault(side, {})
        for kind, number in used.items():
            ready[kind] = ready.get(kind, 0) + number  # 15.1
            found += [f"{side} {kind}"] * number
    state.lift_used = {}
    return found


def air_points(table: Table[NatoState], board: Board) -> None:
    """23.1.1 Set the air points of both sides for this turn: fixed by the scenario, or rolled with one die."""
    state, plan = table.state, board.data.scenario.air
    points, dice = plan.fixed, list[int]()
    if points is None:
        points, dice = rolled_points(table, board)
    if plan.halved:
        points = halves(points)
    state.tactical = {side: points_received(board, side, points.of(side)[0]) for side in Side}  # 4.3.1
    state.operational = {side: points.of(side)[1] for side in Side}
    result = {"tactical": dict(state.tactical), "operational": dict(state.operational)}
    why = [one for side in Side for one in received_reasons(board, side, points.of(side)[0])]
    tables = {"tables": {side: air_table(board, side) for side in Side}} if board.data.plays("nerves") else {}
    told = {"turn": state.turn, **tables}
    table.find("23.1.1", inputs=told, dice=dice, result=result, children=[segment("air"), *why])


def rolled_points(table: Table[NatoState], board: Board) -> tuple[AirPoints, list[int]]:
    """23.1.1 Roll one die for both sides; in War of Nerves each side rolls for itself and uses its half of its own
    table.
    """
    turn, plan, charts = table.state.turn, board.data.scenario.air, board.data.charts
    dice = [table.roll(6, "23.1.1", str(turn))]
    if board.data.plays("nerves"):
        dice.append(table.roll(6, "23.1.1", str(turn), "nato"))
    pact = charts.air_points(air_table(board, Side.WP), turn, dice[0] + plan.die)
    west = charts.air_points(air_table(board, Side.NATO), turn, dice[-1] + plan.die)
    return AirPoints(pact.wp_tactical, pact.wp_operational, west.nato_tactical, west.nato_operational), dice


def points_received(board: Board, side: Side, points: int) -> int:
    """23.1.2, 21.3, 21.5, 32.2.3 The tactical points left after surrenders and nuclear strikes; the latter leave
    at least two.
    """
    *_, left = received_reasons(board, side, points)
    found: int = left.result
    return found


# --- II, III. the player turns -------------------------------------------------------------------------------


def movement(table: Table[NatoState], side: Side) -> Step:
    """7.2 II.A to II.C Run the supply, movement and recovery of one side."""
    side = Side(side)
    state, board = table.state, board_of(table.data, table.state)
    state.side, state.phase = side, "movement"
    if board.data.plays("border") and state.turn <= 2:
        board.recount()  # 35.5
    for unit in board.of(side):
        unit.piece.moved = False
    state.ferried = []
    begins(table, "player turn", side, state.turn)
    danes = str(Country.DK) in state.invaded
    activate_invaded(table, board, side)
    hq_supply(table, board, side)  # A
    if side is Side.WP:
        yield from pay(table, board)
        sea_supply(table, board)
    movement_supply(table, board, side)  # B.1
    if side is Side.NATO and state.alert and state.turn == 1 and not state.deployed:
        yield from late_deployment(table, board, danes=danes)  # 35.3
    else:
        yield from all_moves(table, board, side)
    if state.outcome is not None:  # 35.1.2
        return
    enforce_stacking(table, board, side)
    recovery(table, board, side)  # C
    table.then("fighting")


def all_moves(table: Table[NatoState], board: Board, side: Side) -> Step:
    """7.2 II.B Carry out the resupply operation and all movement of a side."""
    orders = yield from orders_of(table, MovePhase, side)
    if table.state.outcome is not None:  # 35.1.2
        return
    table.state.tracks, table.state.clashes = [], []  # until then the map shows the enemy's player turn
    if orders.resupply:
        resupply(table, board, side, orders.resupply)  # 10.7
    begins(table, "movement", side, len(orders.moves))
    make_moves(table, board, orders.moves)  # B.4


def fighting(table: Table[NatoState]) -> Step:
    """7.2 II.D, II.E Ask both sides for their battle orders, then make air strikes and interdiction."""
    state, board = table.state, board_of(table.data, table.state)
    state.phase, side = "fighting", state.side
    idle = not any_target(board, side) and not tactical_points(state, side) and not state.operational.get(side)
    if idle and not board.data.plays("nuclear") and not board.data.plays("chemical"):
        table.then("reserves")
        return
    attackers, defenders = table.data.seats_of(side), table.data.seats_of(ENEMY[side])
    asks = [Fight.make_ask(seat) for seat in attackers] + [Defend.make_ask(seat) for seat in defenders]
    given = yield Together(tuple(asks))
    orders, strikers = merged_strikes(table, board, side, given[: len(attackers)])
    for seats, own in ((attackers, given[: len(attackers)]), (defenders, given[len(attackers) :])):
        carry_out_dispositions(table, board, seats, [one.command for one in own])  # 35.8.4
    if state.outcome is not None:  # 35.1.2
        yield from tell_unmade(table, board, dict(zip(attackers, given, strict=False)), 0)
        return
    place_markers(table, side, orders.marks)
    write_strike_headings(table, side, orders)
    for number, target in enumerate(orders.nuclear, start=1):  # E.1
        held = board.holds(target, ENEMY[side])
        if not strike_target(table, board, side, target):
            yield from tell_unmade(table, board, dict(zip(attackers, given, strict=False)), number)
            return
        after_strikes(table, board, [target] if held else [])
    struck = [order.hex for order in orders.chemical if board.holds(order.hex, ENEMY[side])]
    chemical_segment(table, board, side, orders.chemical)  # E.2
    settle_all(board, side)
    after_strikes(table, board, struck)
    deep_interdiction(table, board, orders.deep)
    yield from air_strikes(table, board, orders, strikers)  # E.3
    table.then("artillery" if side is Side.WP else "combat")  # 7.1.4


def tell_unmade(table: Table[NatoState], board: Board, orders: Mapping[str, FightOrders], made: int) -> Step:
    """21.2, 35.1.2 After Armageddon or a ceasefire, tell each seat which of its strikes and battles are cancelled.

    Only one seat of a side has nuclear weapons (35.8), so the strikes that were made are the first in its orders.
    """
    for seat, given in orders.items():
        left = [*write_strikes(msgspec.structs.replace(given, nuclear=given.nuclear[made:]))]
        fails = [Fail(line.split()[1], line, OVER.why, OVER.rule) for line in left]
        if fails:
            told = {"orders": left, "why": [OVER.message]}
            table.find("7.2", to=(seat,), inputs=told, result="passed over", shows=fails)
        yield NextGun.make_ask(seat, subject="over", about=GunAbout(), grade="note")
        yield NextBattle.make_ask(seat, subject="over", grade="note")


def place_markers(table: Table[NatoState], side: Side, marks: Sequence[HexId]) -> None:
    """25.0 Place the Warsaw Pact's markers on the hexes that it will attack."""
    state = table.state
    state.battles = [*state.battles, *(hex for hex in marks if hex not in state.battles)]
    if marks:
        begins(table, "planning", Side.WP, len(marks))
        placed = [Finding("25.0/phase-planning", inputs={"side": side}, result=list(marks))]
        table.find("25.0", inputs={"side": side}, result=list(marks), children=placed)


def write_strike_headings(table: Table[NatoState], side: Side, orders: FightOrders) -> None:
    """7.2 II.E, III.D Write a heading for each kind of strike that is made, in the order of 20.1."""
    kinds = {"nuclear": orders.nuclear, "chemical": orders.chemical, "air strikes": (*orders.air, *orders.interdict)}
    made = {name: len(given) for name, given in kinds.items() if given}
    if made or orders.deep:
        begins(table, "strikes", side, made)
        table.find("20.1", inputs={"side": side}, result=list(made), children=[segment(name, side) for name in made])


def deep_interdiction(table: Table[NatoState], board: Board, points: int) -> None:
    """23.7 Make the deep interdiction strike on the supply lines of the Warsaw Pact."""
    if points:
        table.state.operational[Side.NATO] -= points
        die = table.roll(6, "23.7", str(table.state.turn))
        lost = board.data.charts.deep_interdiction(points, die)
        table.state.deep = lost
        table.find("23.7", inputs={"points": points}, dice=[die], result=lost)


def any_target(board: Board, side: Side) -> bool:
    """Return whether a side has anything to attack."""
    near = {hex for unit in board.on_map(side) if unit.attack for hex in (unit.at, *neighbours(unit.at))}
    return any(hex in board.atlas.places and may_be_marked(board, hex, side) for hex in sorted(near))


def air_strikes(
    table: Table[NatoState], board: Board, orders: FightOrders, strikers: Mapping[str, Sequence[str]]
) -> Step:
    """23.2.4, 23.8 Place and pay for all markers, then resolve the strikes in the order given."""
    state, side = table.state, table.state.side
    payers = [*strikers.get("air", ()), *strikers.get("interdict", ())]
    for order, seat in zip((*orders.air, *orders.interdict), payers, strict=True):
        if order.operational:
            state.operational[side] -= 1  # 23.1.7
        else:
            spend_tactical(state, side, 1)
        spend(board, seat, kind_of_point(order), 1)  # 35.8.1
    if orders.air:
        table.find("4.1.4", inputs={"side": side}, result=[order.hex for order in orders.air])
    for order in orders.interdict:
        state.interdiction.setdefault(side, []).append(order.hex)
        free = [Finding("23.8.1", result=["air", "sea", "helicopters", "response", "retreat", "advance", "supply"])]
        shows = [Area("interdiction", (order.hex,))]
        table.find("23.8", inputs={"side": side}, result=order.hex, children=free, shows=shows)
    struck: list[str] = []
    for number, (order, seat) in enumerate(zip(orders.air, payers, strict=False)):
        struck += yield from air_strike(table, board, order, number, struck, seat)


def air_strike(
    table: Table[NatoState], board: Board, order: AirStrike, number: int, struck: list[str], seat: str
) -> Step:
    """23.2.6, 25.9.1 Choose the targets and make the strike; a hex emptied by strikes gets a Breakthrough marker."""
    side = table.state.side
    if site := site_of(table.state, order.targets):
        strike_site(table, board, site)
        return []
    if not target_sets(board, order.hex, side, struck, hq=order.operational):  # earlier strikes have left nothing
        table.find("23.2.6", inputs={"hex": order.hex, "struck": list(struck)}, result=[])
        why = say("earlier strikes have left no target in that hex")
        fail = Fail(order.hex, write_strike("air", order), why, "23.2.6")
        told = {"unit": order.hex, "why": [why]}
        table.find("7.2", to=(seat,), inputs=told, result="passed over", shows=[fail])
        return []
    about = TargetsAbout(order.hex, tuple(struck), order.targets, order.operational)
    targets = yield Targets.make_ask(seat, subject=f"{order.hex} {number + 1}", about=about)
    units = [board.units[id] for id in targets]
    if units:
        yield from strike(table, board, side, units, rule="23.3", seat=seat)
        after_strikes(table, board, [order.hex])
    return list(targets)


def after_strikes(table: Table[NatoState], board: Board, hexes: list[HexId]) -> None:
    """35.2.1, 25.9.1 Apply the effects of strikes on enemy units: a nation is activated, a hex is cleared."""
    for hex in hexes:
        activate_nation(table, board, hex, table.state.side)
        mark_cleared_hex(table, board, hex)


def mark_cleared_hex(table: Table[NatoState], board: Board, hex: HexId) -> None:
    """25.9.1 Place a Breakthrough marker in a hex without a free city that strikes have emptied (WP: if it was
    marked).
    """
    state, side = table.state, table.state.side
    if hex not in board.atlas.places or board.holds(hex, ENEMY[side]):
        return
    landed = [unit.id for unit in board.at(hex, side) if unit.id in board.assaulting]
    if landed:  # 27.2: nothing is left to assault
        state.assaults = [id for id in state.assaults if id not in landed]
        board.assault(frozenset(state.assaults))
    if board.free_city(hex, ENEMY[side]) or hex in state.breakthrough:
        return
    if side is Side.NATO or hex in state.battles:
        state.breakthrough.append(hex)
        state.cleared.append(hex)
        if hex in state.battles:
            state.battles.remove(hex)
        guns = any(found.rule == "24.1" for found in table.findings[-3:])
        by = [Finding("24.1.2", inputs={"side": side}, result=hex)] if guns else []
        table.find("25.9.1", inputs={"side": side}, result=hex, children=by)


def artillery(table: Table[NatoState]) -> Step:
    """24.1 Make artillery strikes, one at a time."""
    board, side = board_of(table.data, table.state), table.state.side
    fired: list[tuple[str, HexId]] = []
    struck: list[str] = []
    while any_gun(board, side, [id for id, _ in fired], struck):
        about = GunAbout(tuple(fired), tuple(struck))
        gun = None
        for seat in in_precedence(board, side):
            gun = yield NextGun.make_ask(seat, subject=f"{len(fired) + 1}", about=about)
            if gun is not None:
                break
        if gun is None:
            break
        if not fired:
            begins(table, "artillery", side)
        fired.append((gun.unit, gun.hex))
        if site := site_at(board, gun.hex, gun.targets, struck):  # 33.3.3.1
            struck.append(site)
            strike_site(table, board, site, by=gun.unit)
            after_firing(table, board, board.units[gun.unit])
            continue
        aim = TargetsAbout(gun.hex, tuple(struck), gun.targets)
        seat = commander_of(board, board.units[gun.unit].card)
        targets = yield Targets.make_ask(seat, subject=f"{gun.hex} {gun.unit}", about=aim)
        if targets:
            struck += targets
            yield from fire(table, board, board.units[gun.unit], [board.units[id] for id in targets])
            after_strikes(table, board, [gun.hex])
    for seat in in_precedence(board, side):  # which planned strikes were not made
        yield NextGun.make_ask(seat, subject="over", about=GunAbout(tuple(fired), tuple(struck)), grade="note")
    table.then("combat")


def any_gun(board: Board, side: Side, fired: list[str], struck: list[str]) -> bool:
    """24.1 Return whether an artillery unit that has not fired could still strike something."""
    guns = [unit for unit in board.on_map(side) if unit.card.artillery and unit.id not in fired]
    return any(targets_near(board, unit, struck) for unit in guns)


def combat(table: Table[NatoState]) -> Step:
    """7.2 II.F Fight one battle after another; the phase ends when none is left or none is ordered."""
    state, board = table.state, board_of(table.data, table.state)
    state.phase, side = "combat", state.side
    drop_markers(table, board)
    commit = None
    if may_fight(board, side):
        for seat in in_precedence(board, side):
            commit = yield NextBattle.make_ask(seat, subject=str(len(state.fought) + 1))
            if commit is not None:
                break
    if commit is not None:
        if not state.fought:
            begins(table, "combat", side, len(state.battles))
        yield from battle_cycle(table, commit)
        if state.outcome is None:  # 21.2
            table.then("combat")
            return
    for seat in in_precedence(board, side):  # which planned battles were not fought
        yield NextBattle.make_ask(seat, subject="over", grade="note")
    if state.outcome is None:
        table.then("reserves")


def drop_markers(table: Table[NatoState], board: Board) -> None:
    """25.0 Remove markers, without a battle, from hexes that can no longer be attacked."""
    state, side = table.state, table.state.side
    gone = [hex for hex in state.battles if not may_be_marked(board, hex, side)]
    if gone:
        state.battles = [hex for hex in state.battles if hex not in gone]
        table.find("25.0", inputs={"side": side, "removed": gone}, result=list(state.battles))


def may_fight(board: Board, side: Side) -> bool:
    """25.0 Return whether a battle can be fought now."""
    state = board.state
    if side is Side.WP:
        return bool(state.battles) or any(possible_attackers(board, hex, side) for hex in state.cleared)
    return any_target(board, side)


def reserves(table: Table[NatoState]) -> Step:
    """7.2 II.F end, II.G, II.H Remove Battle markers, move reserves, and end interdiction and suppression."""
    state, board = table.state, board_of(table.data, table.state)
    state.phase, side = "reserves", state.side
    state.battles, state.fought, state.cleared, state.support_used = [], [], [], []
    state.resupply = ""
    leave_assaults(table, board)
    for unit in board.units.values():
        unit.piece.engaged = unit.piece.fought = unit.piece.moved = unit.piece.flown = False
    if any(unit.piece.reserve for unit in board.of(side)):
        orders = yield from orders_of(table, ReservePhase, side)
        if state.outcome is not None:  # 35.1.2
            return
        begins(table, "reserve", side, len(orders.moves))
        make_moves(table, board, orders.moves, reserve=True)
    for unit in board.of(side):
        unit.piece.reserve = unit.piece.flown = False
    end_markers(table, side)
    suppression_removal(table, board, side)
    if side is Side.WP:  # 5.4, 7.0, 7.1, 7.1.1, 7.1.2
        table.then("movement", side=Side.NATO)
    else:
        table.then("turn_end")


def end_markers(table: Table[NatoState], side: Side) -> None:
    """23.8.2, 25.9.4 Remove enemy interdiction and friendly Breakthrough markers at the end of a Reserve Phase."""
    state = table.state
    if gone := state.interdiction.pop(ENEMY[side], None):
        table.find("23.8.2", inputs={"side": ENEMY[side]}, result=gone)
    if state.breakthrough:
        table.find("25.9.4", inputs={"side": side}, result=state.breakthrough)
    state.breakthrough = []


def leave_assaults(table: Table[NatoState], board: Board) -> None:
    """27.3.5 Eliminate assaulting units still in an enemy-occupied hex because their battle could not be fought."""
    for id in table.state.assaults:
        if (unit := board.units.get(id)) is not None and board.holds(unit.at, ENEMY[unit.side]):
            table.find("27.3.5", inputs={"objective": unit.at}, result=[id], shows=[Lose(id, unit.at, "assault")])
            board.remove(unit)
            forget(table, unit)
    table.state.assaults = []
    board.assault(frozenset())


def turn_end(table: Table[NatoState]) -> Step:
    """7.2/end, 34 Check for automatic victory, then end the scenario or begin the next game turn."""
    state, board = table.state, board_of(table.data, table.state)
    begins(table, "end", result=state.turn)
    won = automatic(board)
    if board.data.scenario.victory.automatic and czech_surrender(board):
        won.append(("34.1.2.3", Side.NATO))
    sides = sorted({side for _, side in won})
    if won:
        rule = won[0][0]
        winner = sides[0] if len(sides) == 1 else None
        prague = [Finding("32.1.3", result="Prague")] if ("34.1.2.3", Side.NATO) in won else []
        prague += [Finding("31.1.4", result="relieved")] if ("34.1.2.2", Side.NATO) in won else []
        table.find(rule, inputs={"turn": state.turn}, result=winner or "draw", children=prague)
        why = "automatic victory" if winner else "both sides have won at the same moment"
        table.end(rule, winner, why, score=points_of(board), level="decisive" if winner else "draw")
        return
    judge_recovery(table, board)
    judge_surrender(table, board)
    if state.turn >= board.data.scenario.turns:  # 5.3
        count_points(table, board)
    else:
        state.turn += 1  # 4.4.1
        table.then("joint_turn")
    return
    yield


def markers(state: NatoState) -> dict[str, tuple[Any, ...]]:
    """4.2 The markers of every unit in play."""
    return {id: markers_of(piece) for id, piece in state.pieces.items()}


STEPS: Final[Mapping[str, Callable[..., Step]]] = {
    step.__name__: watch_markers(step, MARKERS, markers, "4.2")
    for step in (
        turn_zero,
        peace_turn,
        gdp,
        brink,
        war,
        joint_turn,
        movement,
        fighting,
        artillery,
        combat,
        reserves,
        turn_end,
    )
}
"""7.2 The steps of the game turn; turn 0 occurs once, before the first turn."""
