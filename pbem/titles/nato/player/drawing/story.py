"""The operational story of a turn: two situations compared.

    story     the front line, cities, losses, arrivals and supply, in this order
    Change    the differences for one side

Reports begin with these lines; the details follow in the record.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from pbem.titles.nato.cards.units import UnitType
from pbem.titles.nato.map import grid
from pbem.titles.nato.map.atlas import WEST_BERLIN, Atlas
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Side
from pbem.titles.nato.player.drawing.overlays import control
from pbem.titles.nato.player.drawing.situation import Shown, Situation

Units = Mapping[str, UnitType]


class Change(msgspec.Struct, frozen=True):
    """The differences between two situations, for one side."""

    side: Side
    gained: tuple[HexId, ...]
    """Land hexes that the side holds now but did not hold before."""
    taken: tuple[HexId, ...]
    """City hexes that came under the side's control."""
    lost: tuple[str, ...]
    """Units that were destroyed."""
    reduced: tuple[str, ...]
    arrived: tuple[str, ...]
    cut_off: tuple[str, ...]
    """Units that have lost their movement supply."""
    relieved: tuple[str, ...]
    """Units that have regained their movement supply."""
    depth: int
    """The greatest distance of a unit beyond the border, in hexes."""
    before: int
    """The value of `depth` in the earlier situation."""


def changes(atlas: Atlas, units: Units, earlier: Situation, later: Situation) -> tuple[Change, ...]:
    """Compare two situations, for both sides."""
    held = control(atlas, units, earlier), control(atlas, units, later)
    return tuple(change_of(atlas, units, earlier, later, held, side) for side in Side)


def change_of(
    atlas: Atlas,
    units: Units,
    earlier: Situation,
    later: Situation,
    held: tuple[Mapping[HexId, Side], Mapping[HexId, Side]],
    side: Side,
) -> Change:
    """Compare two situations for one side."""
    old, new = own_pieces(units, earlier, side), own_pieces(units, later, side)
    both = [unit for unit in new if unit in old]
    return Change(
        side=side,
        gained=tuple(hex for hex, holder in held[1].items() if holder is side and held[0][hex] is not side),
        taken=tuple(
            hex for hex in atlas.cities if holds(atlas, later, hex, side) and not holds(atlas, earlier, hex, side)
        ),
        lost=tuple(unit for unit in old if unit not in new),
        reduced=tuple(unit for unit in both if new[unit].reduced and not old[unit].reduced),
        arrived=tuple(unit for unit in new if unit not in old),
        cut_off=tuple(unit for unit in both if out(new[unit]) and not out(old[unit])),
        relieved=tuple(unit for unit in both if out(old[unit]) and not out(new[unit])),
        depth=depth(atlas, new.values(), side),
        before=depth(atlas, old.values(), side),
    )


def own_pieces(units: Units, situation: Situation, side: Side) -> dict[str, Shown]:
    """The units of a side by id."""
    return {piece.unit: piece for piece in situation.pieces if units[piece.unit].side is side}


def out(piece: Shown) -> bool:
    """10.5 Whether a unit is out of movement supply, or an HQ unsupplied."""
    return piece.ms_out or not piece.supplied


def holds(atlas: Atlas, situation: Situation, hex: HexId, side: Side) -> bool:
    """30.1 Whether a side controls a city hex."""
    return situation.conquered.get(hex, atlas[hex].side) is side


def depth(atlas: Atlas, pieces: Iterable[Shown], side: Side) -> int:
    """How deep the foremost unit of a side is in enemy territory, in hexes from the Iron Curtain."""
    return max(
        (
            atlas.curtain.get(piece.at, 0) + 1
            for piece in pieces
            if piece.at in atlas and atlas[piece.at].side is side.enemy and not at_berlin(piece)
        ),
        default=0,
    )


def at_berlin(piece: Shown) -> bool:
    """31.0 Whether a unit is in or next to West Berlin, where depth is meaningless."""
    return grid.distance(piece.at, WEST_BERLIN) <= 1


WHO: Final = {Side.WP: "The Warsaw Pact", Side.NATO: "NATO"}
"""The names of the sides at the beginning of a sentence."""

# --- sentences ----------------------------------------------------------------------------------------------------


def story(atlas: Atlas, units: Units, earlier: Situation, later: Situation) -> list[str]:
    """Tell the operational story between two situations in sentences, most important first."""
    found = changes(atlas, units, earlier, later)
    lines = [line for change in found for line in front_lines(atlas, change)]
    lines += [line for change in found for line in city_lines(atlas, change)]
    lines += [line for change in found for line in loss_lines(units, change)]
    lines += [line for change in found for line in supply_lines(units, change)]
    return lines or ["The front line did not move."]


def front_lines(atlas: Atlas, change: Change) -> Iterator[str]:
    """The movement of the front line."""
    if change.gained:
        hexes = len(change.gained)
        where = join(regions(atlas, change.gained))
        yield f"{WHO[change.side]} gained {hexes} {'hex' if hexes == 1 else 'hexes'} of ground near {where}."
    if change.depth > change.before:
        side = "The Warsaw Pact's" if change.side is Side.WP else "NATO's"
        depth = "1 hex" if change.depth == 1 else f"{change.depth} hexes"
        yield f"{side} foremost unit is {depth} beyond the border, {change.before} before."


def regions(atlas: Atlas, hexes: Iterable[HexId]) -> list[str]:
    """The places nearest to these hexes, most frequent first, at most three."""
    named = [hex for hex in atlas if atlas[hex].city or atlas[hex].name]
    count: dict[str, int] = {}
    for hex in hexes:
        near = min(named, key=lambda other: (grid.distance(hex, other), other))
        name = atlas[near].city or atlas[near].name
        count[name] = count.get(name, 0) + 1
    return sorted(count, key=lambda name: (-count[name], name))[:3]


def city_lines(atlas: Atlas, change: Change) -> Iterator[str]:
    """30.1 Cities that changed hands."""
    taken = [hex for hex in change.taken if atlas[hex].side is not change.side]
    freed = [hex for hex in change.taken if atlas[hex].side is change.side]
    if taken:
        yield f"{WHO[change.side]} conquered {join(atlas.name(hex) for hex in taken)}."
    if freed:
        yield f"{WHO[change.side]} liberated {join(atlas.name(hex) for hex in freed)}."


def loss_lines(units: Units, change: Change) -> Iterator[str]:
    """Formations destroyed, reduced and arrived."""
    side = WHO[change.side]
    if change.lost:
        yield f"{side} lost {counted(units, change.lost)}."
    if change.reduced:
        were = "was" if len(change.reduced) == 1 else "were"
        whose = side.replace("The", "the")
        yield f"{join(name_of(units, unit) for unit in change.reduced)} of {whose} {were} reduced to one step."
    if change.arrived:
        number = f" ({len(change.arrived)} units)" if len(change.arrived) > 2 else ""
        said = join(name_of(units, unit) for unit in change.arrived)
        yield f"Reinforcements for {side.replace('The', 'the')}{number}: {said}."


def counted(units: Units, names: Sequence[str]) -> str:
    """Units in a list, the longer ones with their number first: `3 units: …`."""
    said = join(name_of(units, unit) for unit in names)
    return f"{len(names)} units: {said}" if len(names) > 2 else said


def name_of(units: Units, id: str) -> str:
    """A unit's name; its division is added only if other units have the same name, and without a comma."""
    stem, _, division = units[id].title.partition(", ")
    same = sum(card.title.partition(", ")[0] == stem for card in units.values())
    return f"{stem} of the {division}" if division and same > 1 else stem


def supply_lines(units: Units, change: Change) -> Iterator[str]:
    """10.5 Units cut off or relieved."""
    for verb, names in (("are out of supply", change.cut_off), ("are in supply again", change.relieved)):
        if names:
            verb_ = verb.replace("are", "is", 1) if len(names) == 1 else verb
            yield f"{join(name_of(units, unit) for unit in names)} {verb_}."


MOST: Final = 8
"""The most names in a list; longer lists end with a number."""


def join(words: Iterable[str]) -> str:
    """Join words into a list for a sentence; a long list is cut."""
    names = list(words)
    if len(names) > MOST:
        names = [*names[:MOST], f"{len(names) - MOST} others" if len(names) > MOST + 1 else "one other"]
    *head, last = names
    return f"{', '.join(head)} and {last}" if head else last
