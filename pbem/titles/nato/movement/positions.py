"""35.3 The limits of the general deployment plan.

35.3.4   takes_part: the units of an army that move
35.3.6   falls_back: the moves that are not forward defense
35.3     gdp_objections
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Nation, Side
from pbem.titles.nato.map.ground import Country

FROM_GERMANY = (Nation.NL, Nation.BE)
"""35.3.4 The armies of which only the units in West Germany move."""


def takes_part(board: Board, unit: Unit) -> bool:
    """35.3.4 Return whether a unit moves when its army does; of the Dutch and the Belgians, only units in West
    Germany do.
    """
    place = board.atlas.places.get(unit.at)
    return place is not None and (unit.card.nation not in FROM_GERMANY or place.country is Country.WG)


def falls_back(board: Board, unit: Unit, hex: str) -> bool:
    """35.3.6 Return whether a hex is farther from the border than the unit's present hex; once the war has begun,
    hexes of the Warsaw Pact never count as farther.
    """
    place, curtain = board.atlas.places.get(hex), board.atlas.curtain
    if board.state.turn and place is not None and place.side is Side.WP:
        return False
    return curtain.get(hex, 0) > curtain.get(unit.at, 0)


def gdp_objections(
    board: Board, unit: Unit, path: Sequence[str], mode: str, *, reserve: bool = False
) -> Iterator[Objection]:
    """35.3.2, 35.3.4, 35.3.6 Object to reserve markers, units of other armies, other modes, and moves away from
    the border.
    """
    if not board.state.gdp_army:
        return
    if reserve:
        yield Objection("35.3.2", say("no unit can be placed in reserve before the war"))
    if str(unit.card.nation) != board.state.gdp_army or not takes_part(board, unit):
        yield Objection("35.3.4", say("the unit takes no part in this army's move"))
    if mode not in ("tactical", "minimum"):
        yield Objection("35.3.2", say("only tactical movement can be used to reach the battle positions"))
    if path and falls_back(board, unit, path[-1]):
        yield Objection("35.3.6", say("{path} is farther from the border than {at}", path=path[-1], at=unit.at))
