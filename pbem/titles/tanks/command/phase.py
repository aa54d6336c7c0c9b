"""T8 Command Phase: destroy, victory, repair, reset, in this order (T1.4).

T8.1    destroy
T8.2    victory; objectives; the last turn (our rule)
T8.3    repair
T9.2    Blitzkrieg: a move instead of a repair
T8.4    reset
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.ask import Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Change, Control, Lose, Reason
from pbem.engine.rules.refusals import reasons
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.tanks.cards.crew_and_upgrades import carries, held_cards, spend, turn_up
from pbem.titles.tanks.cards.criticals import capacity, full, hurt
from pbem.titles.tanks.command.repairs import can_blitz, points_lost, worst
from pbem.titles.tanks.data_set import OTHER, SEATS, Objective
from pbem.titles.tanks.decisions.cards import HoldOut, Mend
from pbem.titles.tanks.decisions.command import Command, Unused
from pbem.titles.tanks.ground.geometry import near
from pbem.titles.tanks.ground.terrain import hull
from pbem.titles.tanks.movement.moves import journey, make_move, table_objections, tell_stops, why_stopped
from pbem.titles.tanks.phases.initiative import in_sequence
from pbem.titles.tanks.player.orders import CommandOrder, Move, plain
from pbem.titles.tanks.player.words import write_leg
from pbem.titles.tanks.state import UNUSED, Status, Tank, TanksState, explaining_numbers
from pbem.titles.tanks.telling.happenings import place, report_failure

REPAIRED = 4


def command_phase(table: Table[TanksState]) -> Step:
    """T1.4 Run the Command Phase: destroy, check victory, repair, reset."""
    state = table.state
    state.phase, state.orders = "command", {}
    table.find("T1.4", inputs={"turn": state.turn}, result=["destroy", "victory", "repair", "reset"])
    burn(table)
    yield from destroy(table)
    if victory(table):
        yield from tell_unused(table)
        return
    yield from repair_and_move(table)
    yield from tell_unused(table)
    reset(table)
    state.turn += 1
    table.then("movement_phase")


def tell_unused(table: Table[TanksState]) -> Step:
    """T1.4 Tell each seat which lines of its forms were not needed this turn, without waiting for an answer."""
    if table.rule(UNUSED):
        yield Together(tuple(Unused.make_ask(seat) for seat in SEATS))


# --- T8.1 destroy --------------------------------------------------------------------------------------------


def burn(table: Table[TanksState]) -> None:
    """T2.3 Apply fire damage to burning tanks before tanks are checked for destruction (our rule)."""
    for tank in table.state.live:
        fires = [card for card in tank.criticals if table.data.criticals[card].effect.burns]
        if damage := sum(table.data.criticals[card].effect.burns for card in fires):
            inputs = {"tank": tank.id, "critical": "engine-fire", **explaining_numbers(table, cards=fires)}
            table.find("T2.3", inputs=inputs, result=damage)
            hurt(table, tank, damage)


def destroy(table: Table[TanksState]) -> Step:
    """T8.1 Turn every tank with no damage capacity left into a wreck."""
    data, state = table.data, table.state
    for tank in state.live:
        if not full(data, tank):
            continue
        cards = yield HoldOut.make_ask(tank.seat, subject=tank.id)
        for card in cards:
            spend(table, tank, card)
        if full(data, tank):
            become_wreck(table, tank)


def become_wreck(table: Table[TanksState], tank: Tank) -> None:
    """T8.1 Remove the tank's critical cards and leave its wreck on the table. T6.4 The wreck is now terrain."""
    table.state.discards += tank.criticals
    tank.status, tank.criticals = Status.WRECK, []
    forget_moves(tank)
    token = Finding("T2.5", inputs={"tank": tank.id, "token": "destroyed"}, result=tank.id)
    ground = Finding("T6.4", inputs={"tank": tank.id}, result="impassable")
    inputs = {"tank": tank.id, "damage": tank.damage, **explaining_numbers(table, of=capacity(table.data, tank))}
    shows = [Lose(tank.id, place(tank.at), "destroyed")]
    table.find("T8.1", inputs=inputs, result="wreck", children=[token, ground], shows=shows)


# --- T8.2 victory --------------------------------------------------------------------------------------------


def victory(table: Table[TanksState]) -> bool:
    """T8.2 Whether the match is over: a side has no tanks, an objective has been held, or the last turn has ended."""
    state, data = table.state, table.data
    left = {seat: len(list(state.of(seat))) for seat in SEATS}
    hold_objectives(table)
    over = False
    if min(left.values()) == 0:
        winner = None if max(left.values()) == 0 else max(SEATS, key=lambda seat: left[seat])
        over = end(table, winner, "both platoons are gone" if winner is None else "the enemy has no tank left")
    elif holder := next((objective for objective in data.scenario.objective if held_long(state, objective)), None):
        over = end(table, state.attacker, f"{holder.id} is held")
    elif state.turn >= data.scenario.turns:
        over = last_turn(table)
    if not over:
        table.find("T8.2", inputs={"left": left}, result="the battle goes on")
    return over


def end(table: Table[TanksState], winner: str | None, why: str, lost: Mapping[str, int] | None = None) -> bool:
    table.end("T8.2", winner, why)
    left = {seat: len(list(table.state.of(seat))) for seat in SEATS}
    inputs = {"left": left, "why": why, **(explaining_numbers(table, lost=dict(lost)) if lost else {})}
    table.find("T8.2", inputs=inputs, result=winner or "draw")
    return True


def hold_objectives(table: Table[TanksState]) -> None:
    """T8.2 Determine who holds each objective: the side whose tanks alone are within one arrow of it (our rule)."""
    state, data = table.state, table.data
    for objective in data.scenario.objective:
        token = (Point(10 * objective.at[0], 10 * objective.at[1]),)
        near_it = sorted({tank.seat for tank in state.live if near(hull(data, tank), token, data.scenario.arrow)})
        holding, holder = state.holdings[objective.id], near_it[0] if len(near_it) == 1 else ""
        shows = [Control(objective.id, holder, holding.seat)] if holder != holding.seat else []
        holding.turns = holding.turns + 1 if holder and holder == holding.seat else int(bool(holder))
        holding.seat = holder
        held = {"objective": objective.id, "turns": holding.turns, "needed": objective.hold}
        inputs = {**held, **explaining_numbers(table, near=near_it)}
        table.find("T8.2", inputs=inputs, result=holder or "nobody", shows=shows)


def held_long(state: TanksState, objective: Objective) -> bool:
    holding = state.holdings[objective.id]
    return holding.seat == state.attacker and holding.turns >= objective.hold


def last_turn(table: Table[TanksState]) -> bool:
    """T8.2 End the match after the last turn: if there is an objective, its defender wins.

    Without an objective, the side that lost fewer points wins.
    """
    state, data = table.state, table.data
    if data.scenario.objective:
        return end(table, OTHER[state.attacker], "the objective was not taken in time")
    lost = {seat: points_lost(table, seat) for seat in SEATS}
    winner = None if len(set(lost.values())) == 1 else min(SEATS, key=lambda seat: lost[seat])
    return end(table, winner, f"points lost: {lost['alpha']} and {lost['bravo']}", lost)


# --- T8.3 repair, T9.2 Blitzkrieg ----------------------------------------------------------------------------


def repair_and_move(table: Table[TanksState]) -> Step:
    """T8.3, T9.2 Let each tank repair one card or make a Blitzkrieg move. The match waits only for Blitzkrieg."""
    state, data = table.state, table.data
    waits = any(can_blitz(data, tank) for tank in state.live)
    asks = tuple(Command.make_ask(seat, grade="order" if waits else "reaction") for seat in SEATS)
    answers = dict(zip(SEATS, (yield Together(asks)), strict=True))
    for tank in in_sequence(table, "moving", state.live):
        order = answers[tank.seat].get(tank.id)
        if order == CommandOrder():  # T8.3 an order to hold; a tank without an order repairs
            continue
        order = order or CommandOrder()
        moved = order.move is not None and blitz(table, tank, order.move)
        held = carries(data, tank, "repairs_in_blitzkrieg")
        if not moved:
            yield from repair(table, tank, order.repair)
        elif held is not None and tank.criticals:
            turn_up(table, tank, held)
            yield from repair(table, tank, order.repair)


def blitz(table: Table[TanksState], tank: Tank, move: Move) -> bool:
    """T9.2 Make one move instead of a repair, unless it leaves the table or goes nowhere; return whether it did."""
    said = f"{tank.id}: blitz move {write_leg(move)}"
    if (why := why_no_blitz(table, tank, move)) is not None:
        table.find("T9.2", inputs={"tank": tank.id, "move": plain(move)}, result="not possible")
        report_failure(table, tank, said, why, "T9.2")
        return False
    table.find("T9.2", inputs={"tank": tank.id}, result="moves instead of a repair")
    tell_stops(table, tank, [make_move(table, tank, move)], said)
    return True


def why_no_blitz(table: Table[TanksState], tank: Tank, move: Move) -> Reason | None:
    """T9.2 The reason why a move in the Command Phase is not made: it would leave the table, or go nowhere."""
    if against := list(table_objections(table, tank, [move])):
        return reasons(against)
    (arrival,) = journey(table, tank, [move])
    if arrival.at == tank.at and arrival.stopped is not None:
        return why_stopped(arrival.stopped, moved=False)
    return None


def repair(table: Table[TanksState], tank: Tank, wished: str) -> Step:
    """T8.3 Try to repair a critical card: a die roll of 4 or more removes the card, but its damage stays."""
    if not tank.criticals:
        return
    card = wished if wished in tank.criticals else worst(tank.criticals)
    die = table.roll(6, "T8.3", tank.id)
    show_repair(table, tank, card, die)
    success = die >= REPAIRED or repair_without_roll(table, tank, card)
    used: list[str] = []
    while not success:
        about = {"critical": card, "die": die} | ({"used": list(used)} if used else {})
        cards = yield Mend.make_ask(tank.seat, subject=tank.id, about=about)
        if not cards:
            break
        used += cards
        spend(table, tank, cards[0])
        die = table.roll(6, "T8.3", tank.id)
        show_repair(table, tank, card, die)
        success = die >= REPAIRED
    if not success:
        if wished:
            why = say("rolled {die}, needed {least} or more", die=die, least=REPAIRED)
            report_failure(table, tank, f"{tank.id}: repair {wished}", why, "T8.3")
        return
    tank.criticals.remove(card)
    table.state.discards.append(card)


def show_repair(table: Table[TanksState], tank: Tank, card: str, die: int) -> None:
    inputs = {"tank": tank.id, "critical": card, "needed": REPAIRED}
    if die >= REPAIRED:
        table.find("T8.3", inputs=inputs, dice=[die], result="repaired", shows=card_gone(tank, card))
    else:
        table.find("T8.3", inputs=inputs, dice=[die], result="not repaired")


def card_gone(tank: Tank, card: str) -> list[Change]:
    """T8.3 The change to show when a critical card is removed; none if the tank has another copy of that card."""
    return [Change(tank.id, card, False)] if tank.criticals.count(card) == 1 else []


def repair_without_roll(table: Table[TanksState], tank: Tank, critical: str) -> bool:
    """T2.2 Repair a critical without a roll if one of the tank's cards allows it; return whether it was repaired."""
    for held, card in held_cards(table.data, tank):
        if critical in card.effect.repairs_always:
            turn_up(table, tank, held)
            inputs = {"tank": tank.id, "critical": critical, "card": card.id}
            table.find("T8.3", inputs=inputs, result="repaired", shows=card_gone(tank, critical))
            return True
    return False


# --- T8.4 reset ----------------------------------------------------------------------------------------------


def forget_moves(tank: Tank) -> None:
    """T8.4 Remove the tank's speed token and forget its moves of this turn."""
    tank.speed, tank.moved, tank.taken = 0, False, UNSET


def reset(table: Table[TanksState]) -> None:
    """T8.4 Remove speed tokens and return discarded criticals to the deck.

    The deck has no order, because draws are rolls.
    """
    state = table.state
    removed = [tank.id for tank in state.tanks.values() if tank.speed]
    for tank in state.tanks.values():
        forget_moves(tank)
    count, back = len(state.deck), len(state.discards)
    state.deck = sorted([*state.deck, *state.discards])
    state.discards, state.shots, state.lent = [], [], {}
    shows = [Change(id, "speed", 0) for id in removed]
    table.find(
        "T8.4",
        inputs={"speed": removed, "shuffled": back, **explaining_numbers(table, deck=count)},
        result=len(state.deck),
        shows=shows,
    )
