"""35.3 Turn 0: the Warsaw Pact moves up, and NATO moves to its battle positions.

35.3.3   GdpMove: each army moves with one die
35.3.4   ARMIES: the order of the dice
35.3.6   no unit ends farther from the border (`gdp_objections`)
35.3.7   gdp_points
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.engine.text.forms import FormLine
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Unit
from pbem.titles.nato.cards.units import Nation, Side
from pbem.titles.nato.movement.orders import Moving
from pbem.titles.nato.movement.positions import takes_part
from pbem.titles.nato.state import NatoState

ARMIES: Final = (Nation.WG, Nation.US, Nation.UK, Nation.NL, Nation.BE)
"""35.3.4 The order in which the armies roll and move."""
INVADED: Final = (*ARMIES, Nation.DK)
"""35.3.4 The order of the armies in War of Nerves if the war began with an invasion of Denmark."""
COUNTED: Final = (Nation.WG, Nation.US, Nation.UK)
"""35.3.7 The armies whose dice decide the victory points."""


class GdpMove(Moving, kind="gdp", rule="35.3"):
    """35.3 The moves of one army to its battle positions."""

    def movable(self) -> list[Unit]:
        army = self.view.gdp_army
        return [unit for unit in super().movable() if str(unit.card.nation) == army and takes_part(self.board, unit)]

    def form(self) -> Iterator[FormLine]:
        yield from self.remark(
            say(
                "Move to the battle positions: {army}, {points} movement points for each unit.",
                army=self.view.gdp_army,
                points=self.view.gdp_limit,
            )
        )
        yield from super().form()


def gdp_points(table: Table[NatoState]) -> None:
    """35.3.7 Score five points minus a third of the total of three dice, but at least zero."""
    dice = [table.state.gdp_dice[str(nation)] for nation in COUNTED]
    found = max(0, 5 - sum(dice) // 3)
    table.state.points[Side.NATO] = table.state.points.get(Side.NATO, 0) + found
    table.find("35.3.7", dice=dice, result=found, children=[Finding("34.3.4", result=found)])
