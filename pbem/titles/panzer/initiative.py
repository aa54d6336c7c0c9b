"""4.3 Initiative Phase: who is First Player this turn.

4.3.1   initiative_phase, roll_for_initiative, check_initiative, initiative_options
4.3.2   order_of_players: fire First then Second, movement Second then First
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.scenario import REROLL
from pbem.titles.panzer.state import PanzerState

CHOICES: Final = ("first", "second")


def initiative_phase(table: Table[PanzerState]) -> Step:
    """4.3 Both sides roll; the winner chooses whether to be First or Second Player (A-18)."""
    state = table.state
    state.phase = "initiative"
    winner, rolls = roll_for_initiative(table)  # 4.3.1
    choice = "first"
    if table.data.scenario.initiative_winner == "chooses":
        choice = yield Ask(winner, "initiative", "4.3.1", default="first")
    state.first = winner if choice == "first" else state.enemy(winner)
    determined = Finding("4.3.1", inputs={"winner": winner, "choice": choice}, result=winner, children=tuple(rolls))
    table.find("4.3", inputs={"turn": state.turn}, result=state.first, children=[determined, order_of_players(state)])
    table.then("direct_fire_step", side=state.first)


def roll_for_initiative(table: Table[PanzerState]) -> tuple[str, list[Finding]]:
    """4.3.1 The higher of two rolls. A tie is rolled again unless the scenario gives it to a side."""
    tie: str = table.data.scenario.initiative_tie
    rolls: list[Finding] = []
    while True:
        dice = {side: table.roll(100, "4.3.1", side) for side in table.state.sides}
        rolls += [own_roll(side, die) for side, die in dice.items()]
        if len(set(dice.values())) > 1:
            return max(dice, key=lambda side: dice[side]), rolls
        if tie != REROLL:
            return tie, rolls


def own_roll(side: str, die: int) -> Finding:
    """3.1, 3.2 Each side rolls for itself: a tens and a units die, where two noughts are 100."""
    tens, units = divmod(die % 100, 10)
    reading = Finding("3.2", inputs={"tens": tens, "units": units}, result=die)
    return Finding("3.1", inputs={"side": side}, dice=(die,), result=die, children=(reading,))


def order_of_players(state: PanzerState) -> Finding:
    """4.3.2 The order of every First and Second Player step of this turn."""
    order = [state.first, state.second]
    return Finding("4.3.2", inputs={"fire": order, "movement": order[::-1]}, result=state.first)


def initiative_options() -> Iterator[Answer]:
    """4.3.1 First or Second Player."""
    yield from CHOICES


def check_initiative(answer: Answer) -> Answer:
    """4.3.1 First or Second Player."""
    if answer not in CHOICES:
        raise Unreadable("initiative", [Objection("4.3.1", "choose first or second")], CHOICES)
    return answer
