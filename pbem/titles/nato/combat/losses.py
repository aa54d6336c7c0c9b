"""25.6.3, 25.6.4 Step losses and disruption.

25.6.3   next_losses: the units from which the next step must be taken
25.6.4   disrupt: Disrupted and Suppressed markers
29.8     an eliminated headquarters returns two turns later
13.5     a disrupted unit leaves its train
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Change, Lose
from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.state import Battle, NatoState

RETURN_AFTER = 2
"""29.8 Turns until an eliminated headquarters is reconstituted."""


def loss_class(unit: Unit) -> int:
    """25.6.3 The order of loss: maneuver units first, then artillery, then headquarters."""
    return 0 if unit.maneuver else 1 if unit.card.artillery else 2  # 24.2.2, 29.2.1


def next_losses(units: Iterable[Unit], battle: Battle | None = None) -> list[Unit]:
    """25.6.3 The defending units from which the next step may be taken."""
    contributing = battle.defenders if battle is not None else []

    def order(unit: Unit) -> tuple[bool, int, bool]:
        aside = bool(contributing) and unit.id not in contributing  # 25.7.7
        return bool(unit.piece.train), loss_class(unit), aside  # 13.4.4, 25.7.7, 26.1.5

    return _first(sorted(units, key=lambda unit: (order(unit), unit.id)), order)


def next_attacker_losses(units: Sequence[Unit], battle: Battle) -> list[Unit]:
    """27.3.5 The committed units from which the next step may be taken: assaulting units first."""

    def order(unit: Unit) -> tuple[bool, int, bool]:
        return unit.at != battle.objective, 0, False

    return _first(sorted(units, key=lambda unit: (order(unit), unit.id)), order)


def _first(units: Sequence[Unit], order: object) -> list[Unit]:
    assert callable(order)
    return [unit for unit in units if order(unit) == order(units[0])]


def lose_step(table: Table[NatoState], board: Board, unit: Unit, rule: str, why: str) -> None:
    """3.2.10.4 Remove one step from a unit and record the loss."""
    at, steps = unit.at, unit.steps
    gone = board.lose_step(unit)
    result = "eliminated" if gone else "reduced"
    shown = Lose(unit.id, at, why) if gone else Change(unit.id, "reduced")
    inputs = {"unit": unit.id, "at": at, "steps": steps, "why": why}
    table.find(rule, inputs=inputs, result=result, shows=[shown])
    if gone:
        forget(table, unit)


def forget(table: Table[NatoState], unit: Unit) -> None:
    """29.8 Put an eliminated headquarters on the turn track."""
    if unit.card.hq:
        back = table.state.turn + RETURN_AFTER
        table.state.returning[unit.id] = back
        table.find("29.8", inputs={"unit": unit.id}, result=back)


def disrupt(table: Table[NatoState], board: Board, units: Iterable[Unit], rule: str) -> list[str]:
    """25.6.4, 25.6.4.4 Mark units Disrupted, but artillery and headquarters Suppressed; units on trains are exempt
    (13.5).
    """
    marked, again = list[str](), list[str]()
    for unit in units:
        (again if unit.piece.disrupted else marked).append(unit.id)
        unit.piece.disrupted = True
        if unit.piece.train:
            unit.piece.train = ""
            board.refresh(unit)
        unit.piece.reserve = False
    if marked:
        shown = [Change(id, "disrupted") for id in marked]
        suppressed = [id for id in marked if not board.units[id].maneuver]
        notes = [Finding("25.6.4.4", result=suppressed)] if suppressed else []
        notes += [Finding("25.6.4.3", result=again)] if again else []
        table.find(rule, inputs={"units": marked}, result="disrupted", shows=shown, children=notes)
    return marked
