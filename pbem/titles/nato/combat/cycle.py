"""25.1 The battle cycle: the segments in printed order.

    25.1.1   commit_segment
    25.1.2   response_segment
    25.1.3   defensive_strike_segment
    25.1.4   helicopter_segment
    25.1.5   combat_segment
    25.1.8   attack helicopters fly home
    25.1.9   combat_supply_segment

The results are applied in `results`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Battle as ABattle
from pbem.engine.rules.happenings import Fail, Lose
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.refusals import reasons as reasons_of
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.nato.air.helicopters import brigade_objections, fly_home, possible_brigades, send
from pbem.titles.nato.air.points import spend_tactical
from pbem.titles.nato.air.resolution import strike
from pbem.titles.nato.air.strike_decisions import AirDefense
from pbem.titles.nato.board import Board, Unit, board_of
from pbem.titles.nato.cards.charts import CombatResult, city_result_in_words, result_in_words
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.battle_decisions import Brigade, Defenders, Respond
from pbem.titles.nato.combat.command import commander
from pbem.titles.nato.combat.eligibility import leaves_home, possible_responses, torn_open
from pbem.titles.nato.combat.losses import forget
from pbem.titles.nato.combat.odds import Odds, odds_of, reasons
from pbem.titles.nato.combat.prospects import defender_groups, strongest_group
from pbem.titles.nato.combat.results import (
    advance_segment,
    attacker_results,
    counterattacks,
    defender_results,
)
from pbem.titles.nato.commands.pools import purse, spend
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.movement.entering import record_path
from pbem.titles.nato.nuclear.atomic import strike_target
from pbem.titles.nato.nuclear.chemicals import strike_responder
from pbem.titles.nato.nuclear.defense_decision import NuclearDefense
from pbem.titles.nato.phases import begins, segment
from pbem.titles.nato.player.orders import Commit
from pbem.titles.nato.reinforcements.activation import activate_nation
from pbem.titles.nato.state import ENEMY, Battle, NatoState
from pbem.titles.nato.supply.units import combat_source
from pbem.titles.nato.zones.airspace import airspace
from pbem.titles.nato.zones.coordination import multinational, nations


def battle_cycle(table: Table[NatoState], commit: Commit) -> Step:
    """25.1 Run one battle from commitment to combat supply."""
    board, state = board_of(table.data, table.state), table.state
    battle = commit_segment(table, board, commit)  # 25.1.1
    torn = torn_open(board, battle.objective, battle.side)
    state.cleared = [hex for hex in state.cleared if hex != battle.objective]
    if torn:  # 25.9.1
        shown = ABattle(tuple(battle.attackers), battle.objective, result="breakthrough")
        table.find("25.9.1/breakthrough-battle", inputs={"objective": battle.objective}, result="R2", shows=[shown])
        yield from advance_segment(table, board, battle)
        end_battle(table, board, battle)
        return
    yield from response_segment(table, board, battle)  # 25.1.2
    if battle.side is Side.WP:  # 7.1.6
        yield from nuclear_defense_segment(table, board, battle)  # 25.1.3
        if state.outcome is not None:
            state.battle = None
            state.fought.remove(battle.objective)
            return
        yield from defensive_strike_segment(table, board, battle)
    if any(id in board.units for id in battle.attackers):
        yield from helicopter_segment(table, board, battle)  # 25.1.4
        yield from combat_segment(table, board, battle)  # 25.1.5 to 25.1.7
        end_assault(table, board, battle)  # 27.3.5
        fly_home(table, board, battle)  # 25.1.8
        combat_supply_segment(table, board, battle)  # 25.1.9
    if battle.defended:
        activate_nation(table, board, battle.objective, battle.side)  # 35.2.1
    end_battle(table, board, battle)


def end_battle(table: Table[NatoState], board: Board, battle: Battle) -> None:
    """25.1 Record what became of the objective, and end the battle cycle."""
    objective = battle.objective
    enemy = board.holds(objective, ENEMY[battle.side]) or board.free_city(objective, ENEMY[battle.side])
    result = "taken" if board.holds(objective, battle.side) else "held" if enemy else "empty"
    cycle = [Finding("6.0/battle-cycle", inputs={"objective": objective}, result=result)]
    table.state.clashes.append((objective, battle.side, result, tuple(battle.origins)))
    table.find("25.1", inputs={"side": battle.side, "objective": objective}, result=result, children=cycle)
    table.state.battle = None


def commit_segment(table: Table[NatoState], board: Board, commit: Commit) -> Battle:
    """25.1.1 Commit the objective, the units and the support. The commitment is final."""
    state, side = table.state, table.state.side
    battle = Battle(
        objective=commit.objective,
        side=side,
        attackers=list(commit.units),
        support=commit.support,
        wanted=commit.helicopters,
        defenders=strongest_group(board, commit.objective, ENEMY[side]),
    )
    battle.defended = board.holds(commit.objective, ENEMY[side])
    battle.origins = sorted({board.units[id].at for id in commit.units})
    state.battle = battle
    units = [board.units[id] for id in battle.attackers]
    for unit in units:
        unit.piece.fought = True
    state.fought.append(battle.objective)
    if battle.objective in state.battles:
        state.battles.remove(battle.objective)
    if battle.support:
        state.support_used.append(battle.support)
    if side is Side.NATO:
        state.multinational += [str(nation) for nation in multinational(units)]  # 26.2.2
    table.find(
        "25.1.1",
        inputs={"side": side, "objective": battle.objective, "support": battle.support},
        result=list(battle.attackers),
        children=[
            segment("commit", side),
            Finding("6.0/battle", result=battle.objective),
            Finding("6.0/objective-hex", result=battle.objective),
            *assault_notes(board, battle),
            *command_notes(board, battle),
            *berlin_notes(units),
        ],
    )
    return battle


def command_notes(board: Board, battle: Battle) -> list[Finding]:
    """4.1.9, 35.8 Note the Offensive Support marker and, if a side has several seats, which of them decides."""
    notes = [Finding("4.1.9", inputs={"hq": battle.support}, result=battle.objective)] if battle.support else []
    if any(len(board.data.seats_of(side)) > 1 for side in Side):
        seats = [commander(board, battle, side) for side in (battle.side, ENEMY[battle.side])]
        notes.append(Finding("35.8/battle-choices", inputs={"objective": battle.objective}, result=seats))
    return notes


def berlin_notes(units: list[Unit]) -> list[Finding]:
    """26.2.7 Note that the West Berlin brigades attack together even if their nations have made multinational
    attacks.
    """
    armies = nations(units)
    if len(armies) < 2 or multinational(units):
        return []
    return [Finding("26.2.7", inputs={"units": [unit.id for unit in units]}, result=[str(one) for one in armies])]


def assault_notes(board: Board, battle: Battle) -> list[Finding]:
    """27.0, 27.3, 27.1.1 Note the units that assault inside the objective, and that the Baltic Corps adds no
    strength.
    """
    inside = [unit for unit in board.at(battle.objective, battle.side) if unit.id in board.assaulting]
    if not inside:
        return []
    notes = [
        Finding("27.0", result=battle.objective),
        Finding("27.3", result=[unit.id for unit in inside if unit.maneuver]),
    ]
    notes += [Finding("27.1.1", inputs={"unit": unit.id}, result="adds nothing") for unit in inside if unit.card.hq]
    return notes


def response_segment(table: Table[NatoState], board: Board, battle: Battle) -> Step:
    """25.1.2 Let one adjacent unit move into the objective hex."""
    side = ENEMY[battle.side]
    if not possible_responses(board, battle):
        return
    unit_id = yield Respond.make_ask(commander(board, battle, side), subject=battle.objective)
    if unit_id is None:
        return
    unit = board.units[unit_id]
    shown = [record_path(table, unit_id, unit.at, [battle.objective], "response")]
    inputs, where = {"unit": unit_id, "from": unit.at}, [segment("response", battle.side)]
    if leaves_home(board, unit, battle.objective):
        where.append(Finding("25.7.8", inputs={"unit": unit_id}, result="responds abroad"))
    table.find("25.1.2", inputs=inputs, result=battle.objective, shows=shown, children=where)
    board.place(unit, battle.objective)
    battle.responded = unit_id
    battle.defended = True
    strike_responder(table, board, battle.side, unit)  # 22.3.2
    battle.defenders = strongest_group(board, battle.objective, side)


def nuclear_defense_segment(table: Table[NatoState], board: Board, battle: Battle) -> Step:
    """25.1.3, 21.0 Let NATO make nuclear strikes on hexes that hold attackers, one after the other."""
    if not board.data.plays("nuclear"):
        return
    targets = yield NuclearDefense.make_ask(table.data.seat_of(Side.NATO), subject=battle.objective)
    for hex in targets:
        if not strike_target(table, board, Side.NATO, hex):
            return
        activate_nation(table, board, hex, Side.NATO)


def defensive_strike_segment(table: Table[NatoState], board: Board, battle: Battle) -> Step:
    """25.1.3, 23.2.2 Ask NATO for strikes with up to two tactical air points against the attackers."""
    state = table.state
    attackers = [board.units[id] for id in battle.attackers if id in board.units]
    reached = any(airspace(board, unit.at, Side.NATO) != "enemy" for unit in attackers)
    seat = commander(board, battle, Side.NATO)
    if not purse(board, seat, "tactical") or not reached:
        return
    strikes = yield AirDefense.make_ask(seat, subject=battle.objective)
    spend_tactical(state, Side.NATO, len(strikes))
    spend(board, seat, "tactical", len(strikes))  # 35.8.1
    if strikes:
        begins(table, "defensive strike", battle.side, [order.hex for order in strikes])
        hexes = [order.hex for order in strikes]
        table.find(
            "20.2", inputs={"objective": battle.objective}, result=hexes, children=strike_notes(board, battle, hexes)
        )
    for order in strikes:
        targets = [board.units[id] for id in order.targets if id in board.units]
        if targets:
            yield from strike(table, board, Side.NATO, targets, rule="23.2.2", seat=seat)
            activate_nation(table, board, order.hex, Side.NATO)


def strike_notes(board: Board, battle: Battle, hexes: list[HexId]) -> list[Finding]:
    """23.2.2.2, 27.3.3 Note special cases of NATO's strikes: the defense of a city without units, or attackers
    inside it.
    """
    notes = []
    if not board.holds(battle.objective, Side.NATO):
        notes += [Finding("23.2.2.2", result=hexes), Finding("30.4.7.1", result=hexes)]
    if battle.objective in hexes:
        notes.append(Finding("27.3.3", result=[hex for hex in hexes if hex == battle.objective]))
    return notes


def helicopter_segment(table: Table[NatoState], board: Board, battle: Battle) -> Step:
    """25.1.4 Let the attacker, and then NATO if it defends, each send one brigade."""
    shot_down: list[str] = []
    for side in (battle.side, ENEMY[battle.side]):
        if (side is Side.NATO or side is battle.side) and possible_brigades(board, battle, side):
            grade = "detail" if side is battle.side else "reaction"
            seat = commander(board, battle, side)
            hq = yield Brigade.make_ask(seat, subject=battle.objective, grade=grade)  # type: ignore[arg-type]
            if hq is not None and not send(table, board, battle, side, hq):
                shot_down.append(hq)
    if battle.wanted in shot_down:
        tell_grounded(table, board, battle, [Objection("19.1", say("flak has shot the attack helicopters down"))])
    elif battle.wanted and battle.side not in battle.helicopters:
        tell_grounded(table, board, battle, [*brigade_objections(board, battle.wanted, battle, battle.side)])


def tell_grounded(table: Table[NatoState], board: Board, battle: Battle, against: Sequence[Objection]) -> None:
    """25.1.4 Report why the attack helicopters that the attacker named do not take part."""
    hq, side = battle.wanted, battle.side
    if against:
        why, order = [objection.message for objection in against], f"attack {battle.objective} helicopters {hq}"
        shows = [Fail(hq, order, reasons_of(against), against[0].rule)]
        seat = commander(board, battle, side)
        table.find("7.2", to=(seat,), inputs={"unit": hq, "why": why}, result="passed over", shows=shows)


def combat_segment(table: Table[NatoState], board: Board, battle: Battle) -> Step:
    """25.1.5 Work out the odds with all shifts and roll the die; then apply the results in their order (25.6.1)."""
    side = ENEMY[battle.side]
    yield from choose_defenders(table, board, battle)
    here = board.at(battle.objective, side)
    battle.lone_city = not here
    city = board.free_city(battle.objective, side)
    if here and all(unit.piece.train for unit in here) and not city:
        overrun(table, board, battle)  # 13.4.3
        yield from advance_segment(table, board, battle)
        return
    odds = odds_of(board, battle)
    die = table.roll(6, "25.5.2", battle.side, battle.objective)
    result = board.data.charts.combat(odds.final, die)
    tell_battle(table, board, battle, odds, die, result)
    if result.counterattack and not battle.lone_city:
        yield from counterattacks(table, board, battle)  # 25.6.2
    fighters = [*battle.defenders]
    absorbed = yield from defender_results(table, board, battle, result)
    cleared = yield from attacker_results(table, board, battle, result, absorbed)
    if cleared:
        yield from advance_segment(table, board, battle)
    battle.defenders = fighters


def end_assault(table: Table[NatoState], board: Board, battle: Battle) -> None:
    """27.3.5, 27.3.7 Eliminate the assaulting units if any defender is left; otherwise let them hold the hex."""
    state, objective = table.state, battle.objective
    inside = [unit for unit in board.at(objective, battle.side) if unit.id in board.assaulting]
    if inside and board.holds(objective, ENEMY[battle.side]):
        for unit in inside:
            board.remove(unit)
            forget(table, unit)
        shown = [Lose(unit.id, objective, "assault") for unit in inside]
        table.find("27.3.5", inputs={"objective": objective}, result=[unit.id for unit in inside], shows=shown)
    elif inside:
        told = [unit.id for unit in inside]
        rule = "27.3/they-shall-not-pass" if battle.stood else "27.3.7"
        table.find(rule, inputs={"objective": objective}, result=told)
    left = [unit.id for unit in inside]
    state.assaults = [id for id in state.assaults if id not in left and id in board.units]
    board.assault(frozenset(state.assaults))


def choose_defenders(table: Table[NatoState], board: Board, battle: Battle) -> Step:
    """26.1.5, 26.2.5 If not all units can defend together, ask the defender which ones do."""
    side = ENEMY[battle.side]
    groups = defender_groups(board, battle.objective, side)
    battle.defenders = [unit.id for unit in groups[0]]
    if len(groups) > 1:  # 26.0/contributors
        seat = commander(board, battle, side)
        chosen = yield Defenders.make_ask(seat, subject=battle.objective)
        battle.defenders = list(chosen)
        table.find(
            "26.2.5" if side is Side.NATO else "26.1.5", inputs={"objective": battle.objective}, result=list(chosen)
        )


def overrun(table: Table[NatoState], board: Board, battle: Battle) -> None:
    """13.4.3 Eliminate units on trains that are attacked alone, without a die roll."""
    units = board.at(battle.objective, ENEMY[battle.side])
    for unit in units:
        board.remove(unit)
        forget(table, unit)
    shown = [Lose(unit.id, battle.objective, "overrun") for unit in units]
    table.find("13.4.3", inputs={"objective": battle.objective}, result=[unit.id for unit in units], shows=shown)


def tell_battle(
    table: Table[NatoState], board: Board, battle: Battle, odds: Odds, die: int, result: CombatResult
) -> None:
    """25.5 Report the battle as a finding, with every number that decided it."""
    table.find(
        "25.5.2",
        inputs={
            "side": battle.side,
            "objective": battle.objective,
            "place": board.atlas.name(battle.objective),
            "attack": odds.attack,
            "defense": odds.defense,
            "attackers": [row.as_data() for row in odds.attack_rows],
            "defenders": [row.as_data() for row in odds.defense_rows],
            "basic": odds.basic,
            "net": odds.net,
        },
        modifiers=[{"text": shift.text, "value": shift.value, "rule": shift.rule} for shift in odds.shifts],
        cell=[odds.final, die],
        dice=[die],
        result=result.text,
        shows=[a_battle(board, battle, odds.final, die, result)],
        children=[
            *reasons(board, battle, odds),
            result_reason(result),
            Finding("25.6.1", result=["CA", "defender", "attacker", "advance"]),
            Finding("25.1.5", inputs={"objective": battle.objective}, result=result.text),
            segment("battle", battle.side),
        ],
    )


def a_battle(board: Board, battle: Battle, odds: str, die: int, result: CombatResult) -> ABattle:
    """25.5.2 Return a battle in the form shown on the map."""
    attackers = tuple(id for id in battle.attackers if id in board.units)
    defenders = tuple(unit.id for unit in board.at(battle.objective, ENEMY[battle.side]))
    words = city_result_in_words(result) if battle.lone_city else result_in_words(result.text)
    return ABattle(attackers, battle.objective, defenders, odds, (die,), str(words))


def result_reason(result: CombatResult) -> Finding:
    """25.6 Return the meaning of a result's codes."""
    codes = {
        "attacker steps": result.attacker_steps,
        "attackers disrupted": result.attacker_disrupted,
        "counterattack": result.counterattack,
        "defender steps": result.defender_steps,
        "defenders disrupted": result.defender_disrupted,
        "retreat": result.retreat,
    }
    return Finding(
        "25.6", inputs={"result": result.text}, result={name: said for name, said in codes.items() if said}
    )


def combat_supply_segment(table: Table[NatoState], board: Board, battle: Battle) -> None:
    """25.1.9, 10.6 Test combat supply for all participants in their present hexes."""
    ids = dict.fromkeys([*battle.attackers, *battle.defenders])
    units = [board.units[id] for id in ids if id in board.units and board.units[id].maneuver]
    out, back = [], []
    for unit in units:
        marker = unit.at == table.state.resupply and unit.side is table.state.side  # 10.7.2
        supplied = bool(combat_source(board, unit)) or (marker and not lacks_supply_by_surprise(table, unit.side))
        if supplied and unit.piece.cs_out and not lacks_supply_by_surprise(table, unit.side):
            back.append(unit.id)
        elif not supplied and not unit.piece.cs_out:
            out.append(unit.id)
        unit.piece.cs_out = not supplied or (unit.piece.cs_out and lacks_supply_by_surprise(table, unit.side))
    if out:
        table.find("10.6", inputs={"units": out}, result="out of combat supply")
    if back:
        table.find("10.6", inputs={"units": back}, result="in combat supply")
    tested = {unit.id: "out" if unit.piece.cs_out else "in" for unit in units}
    where = [segment("combat supply", battle.side)]
    table.find("25.1.9", inputs={"objective": battle.objective}, result=tested, children=where)


def lacks_supply_by_surprise(table: Table[NatoState], side: Side) -> bool:
    """35.7 Return whether NATO still lacks combat supply because of surprise, which lasts until its own Recovery
    Phase.
    """
    state, board = table.state, board_of(table.data, table.state)
    since = board.surprise() or (board.surprise(state.turn - 1) and state.side is Side.WP)
    return side is Side.NATO and bool(since)
