"""25.3.3, 25.3.4, 25.5.1 Odds: from two totals and all shifts to a column of the Combat Results Table.

25.3.3     basic_odds
25.3.4     shifts
25.3.4.2   envelopment: flank and concentric attacks
25.5.1     final_odds
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.charts import ODDS
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.strength import (
    Row,
    attack_rows,
    attack_total,
    defense_rows,
    defense_total,
    fraction_in_words,
    ground_of,
    idle_reasons,
)
from pbem.titles.nato.map.grid import HexId, neighbours
from pbem.titles.nato.state import ENEMY, Battle

LIMIT = 2
"""25.5.1.1 The most columns by which final odds may differ from basic odds."""


class Shift(msgspec.Struct, frozen=True):
    """25.3.4 One column shift with its reason."""

    rule: str
    text: str
    value: int


class Odds(msgspec.Struct, frozen=True):
    """25.5.1 Everything that determines the odds column of a battle."""

    attack: int
    defense: int
    basic: str
    shifts: tuple[Shift, ...]
    net: int
    final: str
    attack_rows: tuple[Row, ...]
    defense_rows: tuple[Row, ...]


def basic_odds(attack: int, defense: int) -> str:
    """25.3.3 Return the ratio, rounded in the defender's favour, between 1:4 and 10:1."""
    if attack == 0:
        return ODDS[0]
    if attack >= defense:
        return f"{min(10, attack // defense)}:1"
    return f"1:{min(4, -(-defense // attack))}"


def final_odds(basic: str, net: int, *, unlimited: bool = False) -> str:
    """25.5.1 Apply the net shift to the basic odds, limited to two columns and to the ends of the table."""
    held = max(-LIMIT, net if unlimited else min(LIMIT, net))
    return ODDS[max(0, min(len(ODDS) - 1, ODDS.index(basic) + held))]


def shifts(board: Board, battle: Battle) -> Iterator[Shift]:
    """25.3.4 Yield every column shift of a battle."""
    ground = ground_of(board, battle.objective)
    if ground.shift:  # 30.4.2, 30.4.4
        yield Shift("25.3.4.1", ground.key.replace("_", " "), ground.shift)
    if found := envelopment(board, battle.objective, battle.side):
        flank = found == "flank"
        yield Shift("25.3.4.2" if flank else "25.3.4.3", f"{found} attack", 1 if flank else 2)
    if battle.side in battle.helicopters:
        yield Shift("25.3.4.4", "attack helicopters", 1)  # 3.6.2
    if ENEMY[battle.side] in battle.helicopters:
        yield Shift("25.3.4.4", "defending attack helicopters", -1)
    if battle.side is Side.WP and board.surprise():
        yield Shift("25.3.4.5", "surprise", 1)
    if battle.side is Side.WP and board.data.plays("extended_buildup") and board.state.turn <= 3:
        yield Shift("25.3.4.6", "maximum concentration", 1)
    if battle.support:
        yield Shift("25.4", f"Offensive Support of {battle.support}", 1)


def envelopment(board: Board, objective: HexId, side: Side) -> str:
    """8.2.3, 8.2.4, 8.2.5, 25.3.4.2, 25.3.4.3 Return how the objective is enveloped now: `flank`, `concentric` or
    not at all.
    """
    enemy, around = ENEMY[side], neighbours(objective)
    if not board.holds(objective, enemy) or len(around) < 6:
        return ""
    if not all(board.holds(hex, side) or hex in board.zones[side] or board.free_city(hex, side) for hex in around):
        return ""
    beside = [hex for hex, _ in board.atlas.ground.get(objective, ())]
    friends = any(board.holds(hex, enemy) or board.free_city(hex, enemy) for hex in beside)
    return "flank" if friends else "concentric"


def reasons(board: Board, battle: Battle, odds: Odds) -> list[Finding]:
    """25.3, 25.5.1 Yield every number that leads to the final odds, each with its rule."""
    attack = sum((row.value for row in odds.attack_rows), Fraction(0))
    defense = sum((row.value for row in odds.defense_rows), Fraction(0))
    shifted = [Finding(shift.rule, inputs={"shift": shift.text}, result=shift.value) for shift in odds.shifts]
    shifted += [Finding("6.0/column-shift", result=odds.net)] if odds.shifts else []
    return [
        *(row.reason() for row in odds.attack_rows),
        Finding(
            "25.3.1.3",
            inputs={"attack": fraction_in_words(attack), "defense": fraction_in_words(defense)},
            result=[odds.attack, odds.defense],
        ),
        *(row.reason() for row in odds.defense_rows),
        *idle_reasons(board, battle),
        Finding("25.3.3", inputs={"attack": odds.attack, "defense": odds.defense}, result=odds.basic),
        Finding("25.3.4", result=odds.net, children=tuple(shifted)),
        final_reason(board, battle, odds),
    ]


def final_reason(board: Board, battle: Battle, odds: Odds) -> Finding:
    """25.5.1 Explain the final odds: at most two columns from the basic odds, except on the surprise turn."""
    moved = ODDS.index(odds.final) - ODDS.index(odds.basic)
    limited: list[Finding] = []
    if abs(odds.net) > LIMIT:
        rule = "25.5.1.2" if has_unlimited_shifts(board, battle) and odds.net > 0 else "25.5.1.1"
        limited.append(Finding(rule, inputs={"net": odds.net}, result=moved))
    return Finding(
        "25.5.1", inputs={"basic": odds.basic, "net": odds.net}, result=odds.final, children=tuple(limited)
    )


def has_unlimited_shifts(board: Board, battle: Battle) -> bool:
    """25.5.1.2 Return whether shifts in the attacker's favour are unlimited."""
    return battle.side is Side.WP and board.surprise()


def odds_of(board: Board, battle: Battle) -> Odds:
    """25.1.5 The current odds of a battle."""
    attack, defense = attack_rows(board, battle), defense_rows(board, battle)
    return _odds(board, battle, attack, defense)


def _odds(board: Board, battle: Battle, attack: Sequence[Row], defense: Sequence[Row]) -> Odds:
    total, against = attack_total(attack), defense_total(defense)
    found = tuple(shifts(board, battle))
    net = sum(shift.value for shift in found)
    basic = basic_odds(total, against)
    final = final_odds(basic, net, unlimited=has_unlimited_shifts(board, battle))
    return Odds(total, against, basic, found, net, final, tuple(attack), tuple(defense))
