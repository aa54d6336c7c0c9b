"""T1 The parts that all phases share: the forms of both seats, and cards that change initiative.

T1.1, T1.2    begin_phase, take_forms
T1.3          tell_sequence: an order for tied tanks that decides nothing
T2.4          show_cards: cards that change initiative count from the moment they are turned up
"""

from __future__ import annotations

from collections import Counter

from pbem.engine.rules.ask import Step, Together
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.tanks.cards.crew_and_upgrades import held_cards, turn_up
from pbem.titles.tanks.data_set import SEATS, Card
from pbem.titles.tanks.decisions.cards import Initiative
from pbem.titles.tanks.decisions.movement import Movement
from pbem.titles.tanks.decisions.shooting import Shooting
from pbem.titles.tanks.phases.initiative import RULE_OF, Phase, initiative, own_initiative
from pbem.titles.tanks.player.orders import plain
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import TanksState, explaining_numbers
from pbem.titles.tanks.telling.happenings import report_failure


def take_forms(table: Table[TanksState], phase: Phase) -> Step:
    """T1.1, T1.2 Take the forms of both seats.

    At the pace `tank`, a form covers only decisions before the first tank acts, and the match waits for it only if a
    player may have something to decide.
    """
    state = table.state
    waits = table.data.scenario.pace == "forms" or something_before(table, phase)
    form: type[Movement | Shooting] = Movement if phase == "moving" else Shooting
    asks = tuple(form.make_ask(seat, grade="order" if waits else "reaction") for seat in SEATS)
    state.orders = {seat: plain(given) for seat, given in zip(SEATS, (yield Together(asks)), strict=True)}


def something_before(situation: Situation, phase: Phase) -> bool:
    """T1.3, T2.4 Whether face-down cards or tied tanks of one side call for a decision before the first tank acts."""
    data = situation.data
    heights = Counter((tank.seat, own_initiative(data, tank, phase)) for tank in situation.state.live)
    return max(heights.values()) > 1 or any(not held.up for tank in situation.state.live for held in tank.cards)


def begin_phase(state: TanksState, phase: str) -> None:
    state.phase, state.orders, state.lent = phase, {}, {}
    for tank in state.tanks.values():
        tank.acted = False


# --- T2.4 cards that change initiative -------------------------------------------------------------------------


def show_cards(table: Table[TanksState], phase: Phase) -> Step:
    """T2.4 Let both seats turn up cards that change initiative in this phase. Both are asked in every phase."""
    state = table.state
    asks = tuple(Initiative.make_ask(seat, about={"phase": phase}, rule=RULE_OF[phase]) for seat in SEATS)
    answers = yield Together(asks)
    for tank in state.live:
        for held, card in held_cards(table.data, tank):
            if getattr(card.effect, phase) < 0:
                turn_up(table, tank, held)  # cards that hurt their owner count at once
    uses = [use for answer in answers for use in answer]
    for use in sorted(uses, key=lambda use: lending(table.data.cards[use[1]], *use[2:])):
        use_in_phase(table, phase, *use)


def lending(card: Card, friend: str = "") -> int:
    """T1.1, T1.2 The order in which cards apply: for their own tank, then loans, then equalising initiative."""
    if not friend:
        return 0
    return 2 if card.effect.shares_shot else 1


def use_in_phase(table: Table[TanksState], phase: Phase, tank_id: str, card_id: str, friend_id: str = "") -> None:
    """T1.1, T1.2 Turn up a card and apply it; some cards lend initiative to a friend."""
    state, tank = table.state, table.state.tanks[tank_id]
    held = next(held for held, card in held_cards(table.data, tank) if card.id == card_id)
    card = turn_up(table, tank, held)
    if friend_id:
        friend = state.tanks[friend_id]
        heights = {name: initiative(table, one, phase) for name, one in (("from", tank), ("tank", friend))}
        gain = card.effect.lends or heights["from"] - heights["tank"]
        state.lent[friend_id] = state.lent.get(friend_id, 0) + gain
        inputs = {"tank": friend_id, "from": tank_id, "card": card_id, **explaining_numbers(table, heights=heights)}
        table.find(RULE_OF[phase], inputs=inputs, result=gain)


# --- T1.3 the order of equals ----------------------------------------------------------------------------------


def tell_sequence(table: Table[TanksState], phase: Phase) -> None:
    """T1.3 Report a sequence of tanks that decides nothing because none of the tanks in it are tied."""
    state = table.state
    heights = Counter((tank.seat, initiative(table, tank, phase)) for tank in state.live)
    for seat in SEATS:
        named = [state.tanks[id] for id in state.orders.get(seat, {}).get("sequence", [])]
        ranks = [(seat, initiative(table, tank, phase)) for tank in named]
        if named and all(heights[rank] == 1 for rank in ranks):
            said = f"order of {', '.join(tank.id for tank in named)}"
            why = say("none of these tanks is tied with another in initiative")
            report_failure(table, named[0], said, why, "T1.3", needless=True)
