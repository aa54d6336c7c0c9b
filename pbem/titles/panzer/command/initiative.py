"""6.3 Initiative in the advanced game: the force grade modifies the roll.

    6.3      initiative_phase
    6.3.1    roll_for_initiative
    6.3.2    grade_modifier
    6.0      order_of_steps: with the First Player known, the rest of the turn

The winner's choice is the same as in the basic game (`check_initiative`, `initiative_options`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.units import force_grade
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sequence import SEQUENCE, go_on
from pbem.titles.panzer.setup.scenario_file import REROLL
from pbem.titles.panzer.state import PanzerState


def initiative_phase(table: Table[PanzerState]) -> Step:
    """6.3 Both sides roll; the winner chooses whether to be First or Second Player (A-18)."""
    state = table.state
    state.phase = "initiative"
    winner, rolls = roll_for_initiative(table)  # 6.3.1
    choice = "first"
    if table.data.scenario.initiative_winner == "chooses":
        choice = yield Ask(winner, "initiative", table.data.cite("6.3.1"), default="first")
    state.first = winner if choice == "first" else state.enemy(winner)
    state.previous_first = state.first
    cite, choices = table.data.cite, {"winner": winner, "choice": choice}
    determined = Finding(cite("6.3.1"), inputs=choices, result=winner, children=tuple(rolls))
    order = [determined, order_of_players(state), *([] if table.data.basic else [order_of_steps(state)])]
    table.find(cite("6.3"), inputs={"turn": state.turn}, result=state.first, children=order)
    go_on(table)


def order_of_steps(state: PanzerState) -> Finding:
    """6.0 The steps of the turn and their players: the First Player fires first, the Second Player moves first."""
    sides = {"first": state.first, "second": state.second, "": ""}
    steps = [[stage.step, sides[stage.player]] for stage in SEQUENCE]
    return Finding("6.0", inputs={"turn": state.turn}, result=steps)


def roll_for_initiative(table: Table[PanzerState]) -> tuple[str, list[Finding]]:
    """6.3.1 The higher total wins, even above 100 or below 0. A tie is rerolled unless the scenario decides it."""
    data, tie = table.data, table.data.scenario.initiative_tie
    rolls: list[Finding] = []
    while True:
        totals: dict[str, int] = {}
        for side in table.state.sides:
            die = table.roll(100, data.cite("6.3.1"), side)
            totals[side] = die + grade_value(data, side)
            rolls.append(modified_roll(data, side, die) if data.plays("unit_grades") else own_roll(side, die))
        if len(set(totals.values())) > 1:
            return max(totals, key=lambda side: totals[side]), rolls
        if tie != REROLL:
            return tie, rolls


def grade_value(data: PanzerData, side: str) -> int:
    """6.3.2 The modifier for a force's grade."""
    return data.advanced.grades[force_grade(data, side)].initiative.value


def modified_roll(data: PanzerData, side: str, die: int) -> Finding:
    """6.3.2 A side's roll with the modifier for its force grade."""
    total = die + grade_value(data, side)
    children = (own_roll(side, die), Finding("5.8.1", inputs={"side": side}, result=force_grade(data, side)))
    modifiers = (grade_modifier(data, side),)
    return Finding("6.3.2", inputs={"side": side}, dice=(die,), modifiers=modifiers, result=total, children=children)


def grade_modifier(data: PanzerData, side: str) -> dict[str, Any]:
    """6.3.2 The modifier for the force grade, as a row for the list of modifiers."""
    grade = force_grade(data, side)
    cell = data.advanced.grades[grade].initiative
    text = f"force grade {grade}"
    return {"when": "force_grade", "value": cell.value, "rule": "6.3.2", "source": cell.source, "text": text}


CHOICES: Final = ("first", "second")


def own_roll(side: str, die: int) -> Finding:
    """3.1, 3.2 Each side rolls a tens die and a units die; two zeros are 100."""
    tens, units = divmod(die % 100, 10)
    reading = Finding("3.2", inputs={"tens": tens, "units": units}, result=die)
    return Finding("3.1", inputs={"side": side}, dice=(die,), result=die, children=(reading,))


def order_of_players(state: PanzerState) -> Finding:
    """4.3.2 The order of every First and Second Player step of this turn."""
    order = [state.first, state.second]
    return Finding("4.3.2", inputs={"fire": order, "movement": order[::-1]}, result=state.first)


def initiative_options() -> Iterator[Answer]:
    """4.3.1 Offer First or Second Player."""
    yield from CHOICES


def check_initiative(answer: Answer) -> Answer:
    """4.3.1 Accept First or Second Player."""
    if answer not in CHOICES:
        raise Unreadable("initiative", [Objection("4.3.1", say("choose `first` or `second`"))], CHOICES)
    return answer
