"""The operational story of a turn, from a comparison of two situations.

    story     the front line, cities, losses, arrivals and supply, in this order
    Change    the differences for one side

A report begins with these lines; the record gives the details.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from pbem.engine.text.messages import Message, Name, Several, agree, fill, pattern, say, say_n, several
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
    """10.5 Whether a unit is out of movement supply, or a headquarters is unsupplied."""
    return piece.ms_out or not piece.supplied


def holds(atlas: Atlas, situation: Situation, hex: HexId, side: Side) -> bool:
    """30.1 Whether a side controls a city hex."""
    return situation.conquered.get(hex, atlas[hex].side) is side


def depth(atlas: Atlas, pieces: Iterable[Shown], side: Side) -> int:
    """How deep a side's foremost unit is in enemy territory, in hexes from the Iron Curtain."""
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


# --- sentences ----------------------------------------------------------------------------------------------------

GAINED: Final = {
    Side.WP: pattern(
        "The Warsaw Pact gained {n} hex of ground near {where}.",
        "The Warsaw Pact gained {n} hexes of ground near {where}.",
    ),
    Side.NATO: pattern(
        "NATO gained {n} hex of ground near {where}.", "NATO gained {n} hexes of ground near {where}."
    ),
}
DEEPER: Final = {
    Side.WP: pattern(
        "The Warsaw Pact's foremost unit is {n} hex beyond the border (previously {before}).",
        "The Warsaw Pact's foremost unit is {n} hexes beyond the border (previously {before}).",
    ),
    Side.NATO: pattern(
        "NATO's foremost unit is {n} hex beyond the border (previously {before}).",
        "NATO's foremost unit is {n} hexes beyond the border (previously {before}).",
    ),
}
CONQUERED: Final = {
    Side.WP: pattern("The Warsaw Pact conquered {cities}."),
    Side.NATO: pattern("NATO conquered {cities}."),
}
LIBERATED: Final = {
    Side.WP: pattern("The Warsaw Pact liberated {cities}."),
    Side.NATO: pattern("NATO liberated {cities}."),
}
LOST: Final = {Side.WP: pattern("The Warsaw Pact lost {units}."), Side.NATO: pattern("NATO lost {units}.")}
LOST_MANY: Final = {
    Side.WP: pattern("The Warsaw Pact lost {number} units: {units}."),
    Side.NATO: pattern("NATO lost {number} units: {units}."),
}
REDUCED: Final = {
    Side.WP: pattern(
        "{units} of the Warsaw Pact was reduced to one step.", "{units} of the Warsaw Pact were reduced to one step."
    ),
    Side.NATO: pattern("{units} of NATO was reduced to one step.", "{units} of NATO were reduced to one step."),
}
ARRIVED: Final = {
    Side.WP: pattern("Reinforcements for the Warsaw Pact: {units}."),
    Side.NATO: pattern("Reinforcements for NATO: {units}."),
}
ARRIVED_MANY: Final = {
    Side.WP: pattern("Reinforcements for the Warsaw Pact ({number} units): {units}."),
    Side.NATO: pattern("Reinforcements for NATO ({number} units): {units}."),
}
FEW: Final = 2
"""The most units that are listed without their number."""


def story(atlas: Atlas, units: Units, earlier: Situation, later: Situation) -> list[Message]:
    """Return the operational story between two situations in sentences, most important first."""
    found = changes(atlas, units, earlier, later)
    lines = [line for change in found for line in front_lines(atlas, change)]
    lines += [line for change in found for line in city_lines(atlas, change)]
    lines += [line for change in found for line in loss_lines(units, change)]
    lines += [line for change in found for line in supply_lines(units, change)]
    return lines or [say("The front line did not move.")]


def front_lines(atlas: Atlas, change: Change) -> Iterator[Message]:
    """Yield sentences about the movement of the front line."""
    if change.gained:
        near = list_names(regions(atlas, change.gained))
        yield fill(GAINED[change.side], {"n": len(change.gained), "where": near})
    if change.depth > change.before:
        yield fill(DEEPER[change.side], {"n": change.depth, "before": change.before})


def regions(atlas: Atlas, hexes: Iterable[HexId]) -> list[str]:
    """The names of up to three places nearest to these hexes, most frequent first."""
    named = [hex for hex in atlas if atlas[hex].city or atlas[hex].name]
    count: dict[str, int] = {}
    for hex in hexes:
        near = min(named, key=lambda other: (grid.distance(hex, other), other))
        name = atlas[near].city or atlas[near].name
        count[name] = count.get(name, 0) + 1
    return sorted(count, key=lambda name: (-count[name], name))[:3]


def city_lines(atlas: Atlas, change: Change) -> Iterator[Message]:
    """30.1 Yield sentences about cities that changed hands."""
    taken = [hex for hex in change.taken if atlas[hex].side is not change.side]
    freed = [hex for hex in change.taken if atlas[hex].side is change.side]
    for told, hexes in ((CONQUERED, taken), (LIBERATED, freed)):
        if hexes:
            yield fill(told[change.side], {"cities": list_names(atlas.name(hex) for hex in hexes)})


def loss_lines(units: Units, change: Change) -> Iterator[Message]:
    """Yield sentences about formations that were destroyed or reduced, or have arrived."""
    for few, many, names in (
        (LOST, LOST_MANY, change.lost),
        (REDUCED, REDUCED, change.reduced),
        (ARRIVED, ARRIVED_MANY, change.arrived),
    ):
        if names:
            told = few if len(names) <= FEW else many
            yield fill(told[change.side], {"units": unit_names(units, names), "number": len(names), "n": len(names)})


def unit_names(units: Units, names: Iterable[str]) -> Several:
    return list_names((name_of(units, id) for id in names), MOST_UNITS)


def name_of(units: Units, id: str) -> Message | Name:
    """A unit's name without a comma; its division is added only if other units have the same name."""
    stem, _, division = units[id].title.partition(", ")
    same = sum(card.title.partition(", ")[0] == stem for card in units.values())
    return say("{unit} of the {division}", unit=stem, division=division) if division and same > 1 else Name(stem)


def supply_lines(units: Units, change: Change) -> Iterator[Message]:
    """10.5 Yield sentences about units that were cut off or relieved."""
    if names := change.cut_off:
        said = unit_names(units, names)
        yield agree("{units} is out of supply.", "{units} are out of supply.", n=len(names), units=said)
    if names := change.relieved:
        said = unit_names(units, names)
        yield agree("{units} is in supply again.", "{units} are in supply again.", n=len(names), units=said)


MOST: Final = 8
"""The most places in a list; longer lists end with a number."""
MOST_UNITS: Final = 2
"""The same for units, whose names are long."""


def list_names(found: Iterable[object], most: int = MOST) -> Several:
    """Join names into a list for a sentence; a long list is shortened."""
    names = list(found)
    if len(names) > most + 1:
        names = [*names[:most], say_n("{n} other", "{n} others", n=len(names) - most)]
    return several(names)
