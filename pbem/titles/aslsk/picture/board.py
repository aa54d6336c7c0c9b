"""1.1 The board as a picture: contours, fields, woods, roads, buildings, hexes with centre dots.

1.1.1        ground_picture: everything printed on the map; it is drawn once for each map
1.1          frame, map_frame: the size of the picture; half hexes at the edges are cut off
pointers     hex_targets: each hex with its name and terrain, for pages
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.titles.aslsk.ground.lattice import MIDPOINTS, Axial, centre
from pbem.titles.aslsk.picture.key import (
    CREST,
    DIRT,
    HILL,
    LOW_GROUND,
    PAVED,
    STONE,
    WOODEN,
    key,
    key_height,
)
from pbem.titles.aslsk.picture.paper import (
    COLUMN,
    INK,
    ROW,
    Spot,
    hexagon_path,
    polygon_path,
    spot,
    spot_of,
    symbols,
    tenths,
    text,
    use,
)
from pbem.titles.aslsk.picture.words import hex_words

if TYPE_CHECKING:
    from pbem.titles.aslsk.ground.terrain import Ground, Place

MARGIN: Final = 14
ORCHARD_TREES: Final = (
    (-24, -21),
    (0, -23),
    (24, -21),
    (-32, 0),
    (-11, 3),
    (12, 1),
    (33, 0),
    (-23, 23),
    (1, 24),
    (24, 22),
)


class Box(NamedTuple):
    """A rectangle of the picture in pixels."""

    left: int
    top: int
    width: int
    height: int


def map_frame(ground: Ground) -> Box:
    """1.1 The frame of the map itself, which cuts half hexes at the edges through their centres."""
    spots = [(spot_of(place.hex), place) for place in ground.hexes.values()]
    left = min(at.x for at, _ in spots) // 10
    right = max(at.x for at, _ in spots) // 10
    top = min(at.y for at, _ in spots) // 10
    bottom = max(at.y for at, _ in spots) // 10
    if any(at.x // 10 == left and not place.half for at, place in spots):
        left -= 2 * COLUMN // 3
    if any(at.x // 10 == right and not place.half for at, place in spots):
        right += 2 * COLUMN // 3
    if any(at.y // 10 == top and not place.half for at, place in spots):
        top -= ROW // 2
    if any(at.y // 10 == bottom and not place.half for at, place in spots):
        bottom += ROW // 2
    return Box(left, top, right - left, bottom - top)


def frame(ground: Ground) -> Box:
    """The frame of the picture: the map with margins wide enough for counters in half hexes, and the key below it."""
    left, top, width, height = map_frame(ground)
    edge = MARGIN + 16
    wide = width + 2 * edge
    return Box(left - edge, top - edge, wide, height + 2 * edge + key_height(ground, wide))


@lru_cache(maxsize=16)
def ground_picture(ground: Ground) -> str:
    """1.1 Draw everything printed on the map."""
    box, whole = map_frame(ground), frame(ground)
    rectangle = f'x="{box.left}" y="{box.top}" width="{box.width}" height="{box.height}"'
    return "".join(
        (
            symbols(),
            f'<clipPath id="board"><rect {rectangle}/></clipPath>',
            f'<rect x="{whole.left}" y="{whole.top}" width="{whole.width}" height="{whole.height}" fill="#efe9d6"/>',
            '<g clip-path="url(#board)">',
            f'<rect {rectangle} fill="{LOW_GROUND}"/>',
            *hills(ground),
            *fields(ground),
            *growth(ground),
            *roads(ground),
            *orchards(ground),
            *buildings(ground),
            *grid(ground),
            *labels(ground),
            "</g>",
            f'<rect {rectangle} fill="none" stroke="#4a3d26" stroke-width="2"/>',
            *hex_targets(ground),
            *key(ground, whole.left, box.top + box.height + MARGIN + 16, whole.width),
        )
    )


def hills(ground: Ground) -> Iterator[str]:
    """1.1.1.10 Draw level 1 shaded, with its crest line as the edge."""
    single = [polygon_path(p, place.hex) for place in ground.hexes.values() for p in place.art.get("hill", ())]
    outlines = "".join(polygon_path(outline) for outline in ground.hills)
    if single:
        hexes = "".join(single)
        yield f'<path d="{hexes}" fill="{CREST}" stroke="{CREST}" stroke-width="5" stroke-linejoin="round"/>'
        yield f'<path d="{hexes}" fill="{HILL}" stroke="{HILL}" stroke-width="1"/>'
    if outlines:
        yield f'<path d="{outlines}" fill="{CREST}" fill-opacity=".3" transform="translate(3 4)"/>'
        yield f'<path d="{outlines}" fill="{HILL}" stroke="{CREST}" stroke-width="3" stroke-linejoin="round"/>'
        yield (
            f'<path d="{outlines}" fill="none" stroke="#e8d2a6" stroke-width="9" stroke-opacity=".35" '
            'stroke-linejoin="round"/>'
        )


def fields(ground: Ground) -> Iterator[str]:
    """1.1.1.8 Draw grain, or stubble out of season."""
    drawn = "".join(
        polygon_path(polygon, place.hex)
        for place in ground.hexes.values()
        if place.printed == "grain"
        for polygon in place.art.get("grain", ())
    )
    if drawn:
        fill = "p-grain" if ground.grain_in_season else "p-stubble"
        yield f'<path d="{drawn}" fill="url(#{fill})"/>'


def growth(ground: Ground) -> Iterator[str]:
    """1.1.1.4, 1.1.1.9 Draw woods and brush."""
    for kind, edge in (("brush", "#7f8741"), ("woods", "#2f5226")):
        drawn = "".join(
            polygon_path(polygon, place.hex) for place in ground.hexes.values() for polygon in place.art.get(kind, ())
        )
        if drawn:
            yield f'<g class="{kind}">'
            yield f'<path d="{drawn}" fill="{edge}" fill-opacity=".35" transform="translate(2 3)"/>'
            yield f'<path d="{drawn}" fill="url(#p-{kind})" stroke="{edge}" stroke-width="1.2" stroke-opacity=".5"/>'
            yield "</g>"


def orchards(ground: Ground) -> Iterator[str]:
    """1.1.1.6 Draw orchards as rows of trees, bare out of season, with the road left free."""
    tree = "tree" if ground.orchards_in_season else "bare"
    for place in ground.hexes.values():
        if place.printed == "orchard":
            middle = spot_of(place.hex)
            for dx, dy in ORCHARD_TREES:
                if not on_road(place, dx, dy):
                    yield use(tree, f' x="{tenths(middle.x + 10 * dx)}" y="{tenths(middle.y + 10 * dy)}"')


def on_road(place: Place, dx: int, dy: int) -> bool:
    """Whether a tree at this offset from the centre of a hex would be on a road."""
    for side in range(6):
        if place.roads[side]:
            x, y = (part // 10 for part in spot(*MIDPOINTS[side]))
            along = max(0, min(x * x + y * y, dx * x + dy * y))
            off_x, off_y = dx * (x * x + y * y) - along * x, dy * (x * x + y * y) - along * y
            if off_x * off_x + off_y * off_y < (15 * (x * x + y * y)) ** 2:
                return True
    return False


def roads(ground: Ground) -> Iterator[str]:
    """1.1.1.3 Draw paved roads in grey and dirt roads in brown."""
    for kind, strokes in (("dirt", DIRT), ("paved", PAVED)):
        lines = [road_lines(place, kind) for place in ground.hexes.values()]
        drawn = "".join(lines)
        if drawn:
            for colour, width in strokes:
                yield (
                    f'<path d="{drawn}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round" '
                    'stroke-linejoin="round"/>'
                )


def road_lines(place: Place, kind: str) -> str:
    """The road in a hex, drawn from its centre to the hexsides that it crosses."""
    sides = [side for side in range(6) if place.roads[side] == kind]
    q, z = centre(place.hex)
    ends = [spot(q + MIDPOINTS[side].q, z + MIDPOINTS[side].z) for side in sides]
    middle = spot(q, z)
    if len(ends) == 2:
        return f"M{ends[0]}Q{middle} {ends[1]}" if abs(sides[0] - sides[1]) != 3 else f"M{ends[0]}L{ends[1]}"
    return "".join(f"M{middle}L{end}" for end in ends)


def buildings(ground: Ground) -> Iterator[str]:
    """1.1.1.2 Draw stone buildings in grey and wooden ones in brown; all parts of a building form one shape."""
    for stone in (False, True):
        fill, edge, roof = STONE if stone else WOODEN
        hexes = [place for place in ground.hexes.values() if place.terrain == "building" and place.stone == stone]
        drawn = "".join(polygon_path(polygon, place.hex) for place in hexes for polygon in place.art["building"])
        if not drawn:
            continue
        yield f'<path d="{drawn}" fill="#000" fill-opacity=".28" transform="translate(4 5)"/>'
        yield f'<path d="{drawn}" fill="{edge}" stroke="{edge}" stroke-width="3.4" stroke-linejoin="round"/>'
        yield f'<path d="{drawn}" fill="{fill}"/>'
        ridges = "".join(ridge(place) for place in hexes)
        yield f'<path d="{ridges}" fill="none" stroke="{roof}" stroke-width="3" stroke-linecap="round"/>'


def ridge(place: Place) -> str:
    """Draw the ridges of the roofs along the longer side of each four-cornered part."""
    drawn = ""
    q, z = centre(place.hex)
    for polygon in place.art["building"]:
        if len(polygon) == 4:
            a, b, c, d = (spot(q + p, z + r) for p, r in polygon)
            long_way = (a.x - b.x) ** 2 + (a.y - b.y) ** 2 >= (b.x - c.x) ** 2 + (b.y - c.y) ** 2
            ends = (a, d, b, c) if long_way else (a, b, d, c)
            first, last = halfway(ends[0], ends[1]), halfway(ends[2], ends[3])
            drawn += f"M{toward(first, last)}L{toward(last, first)}"
    return drawn


def halfway(a: Spot, b: Spot) -> Spot:
    return Spot((a.x + b.x) // 2, (a.y + b.y) // 2)


def toward(a: Spot, b: Spot) -> Spot:
    """The point one sixth of the way from a to b."""
    return Spot((5 * a.x + b.x) // 6, (5 * a.y + b.y) // 6)


def grid(ground: Ground) -> Iterator[str]:
    """1.1 Draw the hexes and their centre dots."""
    hexes = "".join(hexagon_path(place.hex) for place in ground.hexes.values())
    yield f'<path d="{hexes}" fill="none" stroke="#3c4a2a" stroke-opacity=".42" stroke-width="1.1"/>'
    for light, radius, colour in ((True, 3, INK), (False, 2, "#fff")):
        dots = "".join(dot(place.hex, radius) for place in ground.hexes.values())
        yield f'<path d="{dots}" fill="{colour}" fill-opacity="{".55" if light else "1"}"/>'


def dot(hex: Axial, radius: int) -> str:
    x, y = spot_of(hex)
    r = radius
    return f"M{tenths(x - 10 * r)} {tenths(y)}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0-{2 * r} 0z"


def labels(ground: Ground) -> Iterator[str]:
    """1.1 Draw the names of the hexes, at their upper hexsides."""
    halo = 'stroke="#fdf8ea" stroke-opacity=".7" stroke-width="2.5" stroke-linejoin="round" paint-order="stroke"'
    yield f'<g font-size="10" text-anchor="middle" fill="{INK}" {halo}>'
    for place in ground.hexes.values():
        middle = spot_of(place.hex)
        drop = 18 if place.half and middle.y // 10 <= map_frame(ground).top + 2 else -34
        yield text(middle.moved(0, drop), place.id)
    yield "</g>"


def hex_targets(ground: Ground) -> Iterator[str]:
    """Draw the hexes that a pointer can select, with their name and terrain as tooltips."""
    yield '<g fill="none" pointer-events="all">'
    for hex, place in ground.hexes.items():
        words = escape(str(hex_words(ground, hex)))
        yield f'<path data-hex="{hex}" d="{hexagon_path(place.hex)}"><title>{words}</title></path>'
    yield "</g>"
