"""25.1.3, 21.0 The window of NATO's nuclear defense: hexes that hold attackers."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.nuclear.atomic import nuclear_objections
from pbem.titles.nato.player.deciding import Window


class NuclearDefense(Window[tuple[str, ...]], kind="nuclear defense", rule="25.1.3"):
    """25.1.3 The choice of the hexes with attackers that NATO strikes; by default none."""

    Answer = tuple[str, ...]
    nothing = ()

    def hexes(self) -> list[str]:
        """Return the hexes outside the objective that hold committed units."""
        units = [self.board.units[id] for id in self.battle.attackers if id in self.board.units]
        return sorted({unit.at for unit in units} - {self.battle.objective})

    def options(self) -> Iterator[tuple[str, ...]]:
        yield ()
        yield from ((hex,) for hex in self.hexes())

    def objections(self, answer: tuple[str, ...]) -> Iterator[Objection]:
        for number, hex in enumerate(answer):
            if hex not in self.hexes():
                yield Objection("25.1.3", say("no attacking unit is in {hex}", hex=hex))
            else:
                yield from nuclear_objections(self.board, self.side, hex, answer[:number])
