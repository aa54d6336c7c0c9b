"""20, 23.3 Strikes by air and artillery on ground units: legal targets, and modifiers.

23.1.5   target_objections: a strike hits at most two steps in one hex
23.3.1   strike_modifiers: if two targets differ, the worse ones for the striker count

The dice and their results are in `resolution`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.strength import ground_of, is_fortified
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.zones.airspace import airspace

STEPS = 2
"""23.1.5 The most steps that one point can strike."""

Modifier = tuple[str, int]


def most_points(steps: int) -> int:
    """23.1.5 The most points that can be spent on combat units with this many steps in one hex."""
    return 2 if steps > STEPS else 1 if steps else 0


def modifiers_on(board: Board, unit: Unit, side: Side, *, air: bool) -> Iterator[Modifier]:
    """23.3.3 Yield the modifiers of a strike on one unit."""
    charts = board.data.charts
    if unit.piece.train:
        yield "on a train", charts.modifier("train")  # 13.4.5
    elif not unit.card.hq and (value := terrain_modifier(board, unit.at)):
        yield ground_of(board, unit.at).key.replace("_", " "), value
    if air:  # 11.8.4
        status = airspace(board, unit.at, side)
        if status != "contested":
            yield f"{status} airspace", charts.modifier(f"{status}_airspace")
    if side is Side.WP and board.surprise():
        yield "surprise", charts.modifier("surprise")  # 35.7


def terrain_modifier(board: Board, hex: HexId) -> int:
    """23.3.3 Return the terrain modifier, or a fortification's modifier if that is better for the defender."""
    place, charts = board.atlas.places[hex], board.data.charts
    own = charts.terrain(place.ground).strike
    return min(own, charts.terrain("fortified").strike) if is_fortified(board, hex) else own


def strike_modifiers(board: Board, targets: Sequence[Unit], side: Side, *, air: bool) -> list[Modifier]:
    """23.3.1 Return the modifiers of a strike; if two targets differ, those less favourable to the striker."""
    found = [list(modifiers_on(board, unit, side, air=air)) for unit in targets]
    return min(found, key=lambda rows: sum(value for _, value in rows))


def target_objections(
    board: Board, hex: HexId, targets: Sequence[Unit], side: Side, struck: Sequence[str]
) -> Iterator[Objection]:
    """23.1.5 Yield the objections to one strike on these units."""
    if not targets:  # 23.2.7
        yield Objection("23.1.5", say("there is no target in {hex}", hex=hex))
        return
    for unit in targets:
        if unit.at != hex or unit.side is side:
            yield Objection("23.1.5", say("{unit} is not an enemy unit in {hex}", unit=unit.id, hex=hex))
        if unit.id in struck:
            yield Objection("20.0", say("{unit} has already been struck in this segment", unit=unit.id))
    if len({unit.id for unit in targets}) < len(targets):
        yield Objection("20.0", say("a strike can hit a unit only once"))
    if any(unit.card.hq for unit in targets) and len(targets) > 1:
        yield Objection("23.5", say("a strike on a headquarters can hit nothing else"))
    if sum(unit.steps for unit in targets) > STEPS:
        yield Objection("23.1.5", say("one strike can hit units with at most {steps} steps", steps=STEPS))


def target_sets(board: Board, hex: HexId, side: Side, struck: Sequence[str], *, hq: bool = False) -> list[list[Unit]]:
    """23.1.5 Return every set of units that one strike could hit in a hex, most steps first."""
    here = [unit for unit in board.at(hex, ENEMY[side]) if unit.id not in struck and (hq or not unit.card.hq)]
    sets = [[unit] for unit in here] + [list(pair) for pair in combinations(here, 2)]
    legal = [units for units in sets if not any(target_objections(board, hex, units, side, struck))]
    return sorted(legal, key=lambda units: (-value_of(units), [unit.id for unit in units]))


def value_of(units: Sequence[Unit]) -> int:
    """Return the value of a strike's targets: steps count first, then the strength of undisrupted units."""
    return sum(10 * unit.steps + (0 if unit.piece.disrupted else unit.attack + unit.defense) for unit in units)


MODIFIER_RULES = {
    "on a train": "13.4.5",
    "surprise": "35.7",
    "friendly airspace": "11.8.4",
    "enemy airspace": "11.8.4",
}


def strike_reasons(
    board: Board, side: Side, targets: Sequence[Unit], rows: Sequence[Modifier], *, air: bool, defends: bool
) -> Iterator[Finding]:
    """23.3.1, 23.3.3 Yield the kind of strike and each of its modifiers, with their rules."""
    hex, names = targets[0].at, [unit.id for unit in targets]
    yield Finding("6.0/strike", inputs={"hex": hex}, result="air" if air else "artillery")
    yield Finding("23.2.6", inputs={"hex": hex}, result=names)
    if air:
        yield Finding("23.2.5" if defends else "23.2.1", inputs={"side": side}, result=names)
    for text, value in rows:
        yield Finding(MODIFIER_RULES.get(text, "23.3.3"), inputs={"why": text}, result=value)
        yield Finding("6.0/drm", inputs={"why": text}, result=value)
    yield Finding("23.3.1", inputs={"targets": names}, result=sum(value for _, value in rows))
    if any(unit.id in board.assaulting for unit in board.at(hex)):
        yield Finding("23.2.3", inputs={"hex": hex}, result=names)
    if hex == WEST_BERLIN:
        status = airspace(board, hex, side)
        yield Finding("23.4", inputs={"hex": hex}, result=status)
        yield Finding("31.1.3", inputs={"hex": hex}, result=status)
    if any(unit.card.hq for unit in targets):
        yield Finding("29.2.2", inputs={"units": names}, result="suppressed at most")
    if any(unit.card.artillery for unit in targets):
        yield Finding("24.2.3", inputs={"units": names}, result="suppressed, not disrupted")
