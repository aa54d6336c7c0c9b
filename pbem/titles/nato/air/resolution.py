"""23.3.2 A strike by air or artillery: the die, the table and the result.

23.3.2   strike, Victim: the striker chooses which of two one-step units is lost
23.5     a headquarters is suppressed, never eliminated
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from pbem.engine.rules.ask import Step
from pbem.engine.rules.happenings import Area, Happening, Shot
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say, several
from pbem.titles.nato.air.strikes import strike_modifiers, strike_reasons
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.losses import disrupt, lose_step
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.player.deciding import Choosing
from pbem.titles.nato.state import NatoState

IN_WORDS: Final = {"": "no effect", "*": "disrupted", "D1": "a step lost"}
"""23.3.2 The results of the Strike Table, as the film tells them."""


class VictimAbout(msgspec.Struct, frozen=True):
    """23.3.2 The units that a strike has hit."""

    units: tuple[str, ...]


class Victim(Choosing[str], kind="strike loss", rule="23.3.2"):
    """23.3.2 The choice of the unit that a strike eliminates; the other unit is disrupted."""

    Answer = str
    About = VictimAbout
    grade = "detail"

    def options(self) -> Iterator[str]:
        """Yield the units that were hit, strongest first."""
        units = [self.board.units[id] for id in self.about.units if id in self.board.units]
        worth = sorted(units, key=lambda unit: (-unit.steps, -unit.attack - unit.defense, unit.id))
        yield from (unit.id for unit in worth)

    def default(self) -> str:
        return next(self.options())

    def objections(self, answer: str) -> Iterator[Objection]:
        if answer not in self.about.units:
            yield Objection(
                "23.3.2", say("the strike hit {units}: choose one of them", units=several(self.about.units))
            )


def strike(
    table: Table[NatoState],
    board: Board,
    side: Side,
    targets: Sequence[Unit],
    *,
    rule: str,
    column: int = 1,
    by: str = "",
    seat: str = "",
) -> Step:
    """23.3.2 Resolve one strike: roll the die, look up the table and apply the result."""
    air, hex = rule.startswith("23"), targets[0].at
    rows = strike_modifiers(board, targets, side, air=air)
    die = table.roll(6, rule, side, hex, *(unit.id for unit in targets))
    total = die + sum(value for _, value in rows)
    result = board.data.charts.strike(column, total)
    shown = shown_strike(board, side, by, hex, die, IN_WORDS[result])
    table.find(
        rule,
        inputs={"side": side, "hex": hex, "targets": [unit.id for unit in targets], "column": column, "by": by},
        modifiers=[{"text": text, "value": value} for text, value in rows],
        cell=[column, total],
        dice=[die],
        result=result or "no effect",
        shows=[shown],
        children=list(strike_reasons(board, side, targets, rows, air=air, defends=rule == "23.2.2")),
    )
    yield from apply_strike(table, board, targets, result, seat or board.data.seat_of(side))


def shown_strike(board: Board, side: Side, by: str, hex: HexId, die: int, result: str) -> Happening:
    """23.3, 24.1 A strike as the map shows it: fire by an artillery unit, or aircraft over a hex."""
    if by in board.units:
        return Shot(by, origin=board.units[by].at, goal=hex, rolled=(die,), result=result)
    return Area("Warsaw Pact air strike" if side is Side.WP else "NATO air strike", (hex,))


def apply_strike(table: Table[NatoState], board: Board, targets: Sequence[Unit], result: str, seat: str) -> Step:
    """23.3.2, 23.5 Disrupt all targets if there is any result; a D1 first takes a step from one target that is not
    an HQ.
    """
    left = list(targets)
    if result == "D1" and not targets[0].card.hq:
        victim = targets[0].id
        if len(targets) > 1:
            about = VictimAbout(tuple(unit.id for unit in targets))
            victim = yield Victim.make_ask(seat, subject=targets[0].at, about=about)
        lose_step(table, board, board.units[victim], "23.3.2", "strike")
        left = [unit for unit in targets if unit.id in board.units]
    if result:
        disrupt(table, board, left, "25.6.4")
