"""6.3 Initiative in the advanced game: the grade of a force tells on its roll.

    6.3      initiative_phase
    6.3.1    roll_for_initiative
    6.3.2    grade_modifier
    6.0      order_of_steps: with the First Player known, the rest of the turn

The choice of the winner is that of the basic game (`check_initiative`, `initiative_options`).
"""

from __future__ import annotations

from typing import Any

from pbem.engine.rules.ask import Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.advanced.data_set import AdvancedData
from pbem.titles.panzer.advanced.sequence import SEQUENCE, go_on
from pbem.titles.panzer.advanced.state import AdvancedState
from pbem.titles.panzer.advanced.units import force_grade
from pbem.titles.panzer.initiative import order_of_players, own_roll
from pbem.titles.panzer.scenario import REROLL


def initiative_phase(table: Table[AdvancedState]) -> Step:
    """6.3 Both sides roll; the winner chooses whether to be First or Second Player (A-18)."""
    state = table.state
    state.phase = "initiative"
    winner, rolls = roll_for_initiative(table)  # 6.3.1
    choice = "first"
    if table.data.scenario.initiative_winner == "chooses":
        choice = yield Ask(winner, "initiative", "6.3.1", default="first")
    state.first = winner if choice == "first" else state.enemy(winner)
    state.previous_first = state.first
    determined = Finding("6.3.1", inputs={"winner": winner, "choice": choice}, result=winner, children=tuple(rolls))
    order = [determined, order_of_players(state), order_of_steps(state)]
    table.find("6.3", inputs={"turn": state.turn}, result=state.first, children=order)
    go_on(table)


def order_of_steps(state: AdvancedState) -> Finding:
    """6.0 The steps of the turn and whose they are: fire First, Second Player; movement Second, First."""
    sides = {"first": state.first, "second": state.second, "": ""}
    steps = [[stage.step, sides[stage.player]] for stage in SEQUENCE]
    return Finding("6.0", inputs={"turn": state.turn}, result=steps)


def roll_for_initiative(table: Table[AdvancedState]) -> tuple[str, list[Finding]]:
    """6.3.1 The higher total, above 100 or below 0 too. A tie is rolled again unless the scenario gives it away."""
    data, tie = table.data, table.data.scenario.initiative_tie
    rolls: list[Finding] = []
    while True:
        totals: dict[str, int] = {}
        for side in table.state.sides:
            die = table.roll(100, "6.3.1", side)
            totals[side] = die + grade_value(data, side)
            rolls.append(modified_roll(data, side, die))
        if len(set(totals.values())) > 1:
            return max(totals, key=lambda side: totals[side]), rolls
        if tie != REROLL:
            return tie, rolls


def grade_value(data: AdvancedData, side: str) -> int:
    """6.3.2 What the grade of a force adds."""
    return data.advanced.grades[force_grade(data, side)].initiative.value


def modified_roll(data: AdvancedData, side: str, die: int) -> Finding:
    """6.3.2 The roll of a side and the modifier of its force grade."""
    total = die + grade_value(data, side)
    children = (own_roll(side, die), Finding("5.8.1", inputs={"side": side}, result=force_grade(data, side)))
    modifiers = (grade_modifier(data, side),)
    return Finding("6.3.2", inputs={"side": side}, dice=(die,), modifiers=modifiers, result=total, children=children)


def grade_modifier(data: AdvancedData, side: str) -> dict[str, Any]:
    """6.3.2 The row of the list."""
    grade = force_grade(data, side)
    cell = data.advanced.grades[grade].initiative
    text = f"force grade {grade}"
    return {"when": "force_grade", "value": cell.value, "rule": "6.3.2", "source": cell.source, "text": text}
