"""1.1 The key below the map: what each pattern and sign on the ground means.

key_entries   the kinds of ground on a map, each with its drawing and its name
key           the key as a picture; a page takes it out and unfolds it beside the map
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from pbem.titles.aslsk.picture.paper import INK, use

if TYPE_CHECKING:
    from pbem.titles.aslsk.ground.terrain import Ground

LOW_GROUND: Final = "#cbd6a2"
HILL: Final = "#d2b27a"
CREST: Final = "#8a6231"
STONE: Final = ("#a8adb0", "#565c60", "#c6cacc")
WOODEN: Final = ("#a77b4a", "#5a3c1b", "#c49a67")
PAVED: Final = (("#6f7270", 15), ("#b9bab2", 11))
DIRT: Final = (("#7d5d33", 14), ("#c9a873", 10))
WIDTH: Final = 262
"""The width of a column of the key in pixels."""
ROW: Final = 50
PATCH: Final = "M-32-19h64v38h-64z"
ROOF: Final = "M-17-11h34v22h-34z"
TREES: Final = ((-20, -8), (0, -8), (20, -8), (-20, 9), (0, 9), (20, 9))


def key_entries(ground: Ground) -> Iterator[tuple[str, str]]:
    """1.1.1 Yield the drawing and the name of each kind of ground on this map."""
    places = list(ground.hexes.values())
    printed = {place.printed for place in places} | {kind for place in places for kind in place.art}
    roads = {kind for place in places for kind in place.roads}
    built = {place.stone for place in places if place.terrain == "building"}
    grain = "p-grain" if ground.grain_in_season else "p-stubble"
    yield "", "Open ground"
    if ground.hills or "hill" in printed:
        yield f'<path d="{PATCH}" fill="{HILL}" stroke="{CREST}" stroke-width="3"/>', "Hill, level 1"
    for kind, fill, name in (
        ("woods", "p-woods", "Woods"),
        ("brush", "p-brush", "Brush"),
        ("grain", grain, "Grain" if ground.grain_in_season else "Grain, out of season"),
    ):
        if kind in printed:
            yield f'<path d="{PATCH}" fill="url(#{fill})"/>', name
    if "orchard" in printed:
        tree = "tree" if ground.orchards_in_season else "bare"
        trees = "".join(use(tree, f' x="{x}" y="{y}"') for x, y in TREES)
        yield trees, "Orchard" if ground.orchards_in_season else "Orchard, out of season"
    for stone, name in ((True, "Stone building"), (False, "Wooden building")):
        if stone in built:
            fill, edge, _ = STONE if stone else WOODEN
            yield f'<path d="{ROOF}" fill="{fill}" stroke="{edge}" stroke-width="3.4"/>', name
    for kind, strokes, name in (("paved", PAVED, "Paved road"), ("dirt", DIRT, "Dirt road")):
        if kind in roads:
            lines = (f'<path d="M-32 0h64" stroke="{colour}" stroke-width="{width}"/>' for colour, width in strokes)
            yield "".join(lines), name


def columns(width: int) -> int:
    """How many entries fit side by side below a map of this width."""
    return max(1, width // WIDTH)


def key_height(ground: Ground, width: int) -> int:
    """The height of the key below a map of this width."""
    return ROW * -(-len(list(key_entries(ground))) // columns(width)) + 16


def key(ground: Ground, left: int, top: int, width: int) -> Iterator[str]:
    """1.1.1 Draw the key, with its upper left corner at a point."""
    yield f'<g data-key="{left} {top} {width} {key_height(ground, width)}" font-size="18" fill="{INK}">'
    for index, (drawn, name) in enumerate(key_entries(ground)):
        row, column = divmod(index, columns(width))
        x, y = left + 44 + WIDTH * column, top + 8 + ROW * row + ROW // 2
        yield (
            f'<g transform="translate({x} {y})"><path d="{PATCH}" fill="{LOW_GROUND}"/>{drawn}'
            f'<path d="{PATCH}" fill="none" stroke="#4a3d26"/><text x="42" y="6">{escape(name)}</text></g>'
        )
    yield "</g>"
