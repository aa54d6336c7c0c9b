"""26 Coordination: which units may fight together.

26.1      Warsaw Pact: one front and any independent units
26.2      NATO: at most two nations, one for each hexside, and one multinational attack a turn for each nation
26.1.5, 26.2.5   defending_groups: the units that may add strength to the defense of a hex
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say, several
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Nation, Side
from pbem.titles.nato.supply.headquarters import BALTIC_FRONT, front, in_baltap


def fronts(board: Board, units: Iterable[Unit]) -> list[str]:
    """26.1.1, 26.1.7 The fronts of these Warsaw Pact units; in the BALTAP zone all may count as Baltic Front."""
    here = list(units)
    free = [unit for unit in here if baltic(board) and in_baltap(board, unit.at)]
    outside = {front(board, unit.card) for unit in here if unit not in free} - {""}
    if not outside or outside == {BALTIC_FRONT}:  # all of them may count as the Baltic Front's
        return sorted(outside)
    return sorted(outside | ({front(board, unit.card) for unit in free} - {""}))


def baltic(board: Board) -> bool:
    """29.5.3 Return whether units in the BALTAP zone may be treated as Baltic Front."""
    return board.data.merges_baltap


def nations(units: Iterable[Unit]) -> list[Nation]:
    """26.2.1 Return the nations of these NATO units."""
    return sorted({unit.card.nation for unit in units})


def multinational(units: Sequence[Unit]) -> list[Nation]:
    """26.2.2, 26.2.7 Return the nations that make an attack multinational, not counting the Berlin brigades."""
    found = nations(unit for unit in units if unit.side is Side.NATO)
    return [] if len(found) < 2 or all(unit.card.berlin for unit in units) else found


def attack_objections(board: Board, side: Side, units: Sequence[Unit]) -> Iterator[Objection]:
    """26.1.3, 26.2 Yield the reasons why these units cannot attack one hex together."""
    if side is Side.WP:
        if len(found := fronts(board, units)) > 1:  # 25.2.1, 26.0, 26.1.4
            yield Objection("26.1.3", say("units of {found} cannot attack together", found=several(found)))
        return
    if all(unit.card.berlin for unit in units):  # 31.1.2, 26.2.7
        return
    here = nations(units)
    if len(here) > 2:
        yield Objection(
            "26.2.1", say("units of {here} nations cannot attack together; two is the limit", here=len(here))
        )
    if len(here) == 2:
        for nation in here:
            if nation in board.state.multinational:
                yield Objection(
                    "26.2.2",
                    say("{nation} has already taken part in a multinational attack this turn", nation=nation),
                )
    for hex in sorted({unit.at for unit in units}):
        here_too = [unit for unit in units if unit.at == hex]
        if len(nations(here_too)) > 1 and not all(unit.card.berlin for unit in here_too):  # 26.2.4, 26.2.7
            yield Objection("26.2.3", say("only units of one nation may attack from {hex}", hex=hex))


def defending_groups(board: Board, side: Side, units: Sequence[Unit]) -> list[list[Unit]]:
    """26.1.5, 26.2.5 The groups of units of which only one may defend a hex, each as large as possible."""
    if side is Side.WP:
        here = fronts(board, units)
        if len(here) < 2:
            return [list(units)]
        return [[unit for unit in units if fronts(board, [unit]) in ([], [name])] for name in here]
    if all(unit.card.berlin for unit in units) or len(nations(units)) < 3:
        return [list(units)]
    pairs = combinations(nations(units), 2)
    found = [[unit for unit in units if unit.card.nation in pair] for pair in pairs]
    garrison = [unit for unit in units if unit.card.berlin]
    return [*found, garrison] if len(nations(garrison)) > 2 else found  # 26.2.7


def counterattack_groups(board: Board, side: Side, units: Sequence[Unit]) -> list[list[Unit]]:
    """25.6.2.1, 25.6.2.2 The groups of which one counterattacks: a nation, or a front with the independent units."""
    if side is Side.WP:
        return defending_groups(board, side, units)
    return [[unit for unit in units if unit.card.nation is nation] for nation in nations(units)] or [[]]


def joins(board: Board, unit: Unit, others: Sequence[Unit]) -> bool:
    """26.1.6, 26.2.9 Return whether a unit may respond into a hex that holds these units."""
    if unit.side is Side.NATO:
        return all(other.card.nation is unit.card.nation for other in others)
    return not front(board, unit.card) or len(fronts(board, [unit, *others])) < 2
