"""Prospects of a battle: hypothetical odds, and the best group of defenders.

26.1.5   strongest_group
25.1.2   odds_with: the odds if a unit responded
25.1.1   battle_of: a battle that has not been declared
25.5.2   expected_losses: the average losses at given odds, in steps
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.odds import Odds, odds_of
from pbem.titles.nato.combat.strength import Row, contributes, defense_factors
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.state import ENEMY, Battle
from pbem.titles.nato.zones.coordination import defending_groups

DIE = range(1, 7)


def defender_groups(board: Board, objective: HexId, side: Side) -> list[list[Unit]]:
    """26.1.5, 26.2.5 The groups of units of which only one may defend a hex, strongest first."""
    units = [unit for unit in board.at(objective, side) if contributes(unit)]
    groups = defending_groups(board, side, units) if units else [[]]
    return sorted(groups, key=lambda group: (-group_strength(board, group), [unit.id for unit in group]))


def group_strength(board: Board, units: Sequence[Unit]) -> Fraction:
    rows = [Row(unit.id, unit.defense, tuple(defense_factors(board, unit))) for unit in units]
    return sum((row.value for row in rows), Fraction(0))


def strongest_group(board: Board, objective: HexId, side: Side) -> list[str]:
    """26.1.5, 26.2.5 Return the group of units that adds the most strength."""
    return [unit.id for unit in defender_groups(board, objective, side)[0]]


def battle_of(board: Board, side: Side, objective: HexId, units: Sequence[str], support: str = "") -> Battle:
    """25.1.1 Return the battle that would result if this attack were declared now."""
    return Battle(
        objective=objective,
        side=side,
        attackers=list(units),
        support=support,
        defenders=strongest_group(board, objective, ENEMY[side]),
    )


def odds_with(board: Board, battle: Battle, unit: Unit) -> Odds:
    """25.1.2 Return the odds with this unit in the objective; the board is restored afterwards."""
    before = unit.at
    board.place(unit, battle.objective)
    defenders = strongest_group(board, battle.objective, unit.side)
    found = odds_of(board, msgspec.structs.replace(battle, defenders=defenders))
    board.place(unit, before)
    return found


def expected_losses(board: Board, final: str) -> tuple[Fraction, Fraction]:
    """25.5.2 The average losses in steps of the attacker and the defender at these odds."""
    results = [board.data.charts.combat(final, die) for die in DIE]
    attacker = sum(result.attacker_steps for result in results)
    defender = sum(result.defender_steps for result in results)
    return Fraction(attacker, len(DIE)), Fraction(defender, len(DIE))
