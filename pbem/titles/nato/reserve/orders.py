"""28.2 The orders of the Reserve Phase: moves of the units with a Reserve marker."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.text.forms import FormLine
from pbem.engine.text.messages import Name, say
from pbem.titles.nato.board import Unit
from pbem.titles.nato.movement.orders import Moving


class ReservePhase(Moving, kind="reserve", rule="28.2"):
    """28.2.1 The moves in reserve: half the printed allowance, rounded up; breakthrough zones do not hinder hard
    units.
    """

    reserve = True

    def movable(self) -> list[Unit]:
        return [unit for unit in super().movable() if unit.piece.reserve]

    def form(self) -> Iterator[FormLine]:
        yield from self.remark(
            say(
                "Reserves, turn {turn}. One line for each unit, such as: {order}",
                turn=self.view.turn,
                order=Name(self.example("E8 2920")),
            )
        )
        yield from super().form()
