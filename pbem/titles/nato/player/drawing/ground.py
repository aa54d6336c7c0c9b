"""2.2 The ground: sea, terrain by colour and pattern, rivers, borders, cities, ports and names.

The ground never changes during a match, so it is drawn once and cached.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from html import escape
from typing import Final

from pbem.titles.nato.map.atlas import Atlas
from pbem.titles.nato.map.grid import Compass, HexId
from pbem.titles.nato.map.ground import COUNTRY_NAMES, CityClass, Hexside, Place, Side, Terrain
from pbem.titles.nato.player.drawing.canvas import (
    CORNERS,
    HALF,
    INK,
    SIDES,
    TIP,
    Point,
    centre,
    chains,
    ends,
    middle,
    outline,
    outlines,
    smooth,
    straight,
)

TINTS: Final = {
    Terrain.CLEAR: "#f4efdc",
    Terrain.MARSH: "#cfe0d8",
    Terrain.FOREST: "#c3d7a4",
    Terrain.ROUGH: "#e6d3a8",
    Terrain.MOUNTAIN: "#c9ad86",
    Terrain.SEA: "#b4d3e8",
}
PATTERNS: Final = {
    Terrain.MARSH: (36, 24, '<path d="M3 8h10M6 4v4M10 5v3M20 20h12M24 16v4M28 17v3" stroke="#4f8c86"/>'),
    Terrain.FOREST: (34, 30, '<path d="M6 13l5-9 5 9zM22 28l5-9 5 9z" fill="#5f8a45" stroke="none"/>'),
    Terrain.ROUGH: (34, 26, '<path d="M3 10q6-9 12 0M19 23q6-9 12 0" stroke="#96742f" stroke-width="1.6"/>'),
    Terrain.MOUNTAIN: (30, 28, '<path d="M2 14L9 2l7 12zM16 27l6-11 6 11z" fill="#7c5a36" stroke="none"/>'),
    Terrain.SEA: (48, 30, '<path d="M3 8q5-5 10 0t10 0M26 23q5-5 10 0t10 0" stroke="#86b4d3" stroke-width="1.3"/>'),
}
"""A pattern for each kind of terrain: reeds, trees, hills, peaks and waves."""
RIVER: Final = "#2f6fb7"
CURTAIN: Final = "#b3261e"
CURTAIN_WIDTHS: Final = {"": 7, "minor": 14, "major": 20}
"""35.5 The widths of the Iron Curtain: wider along a river, to be visible on both banks."""
SIDE_COLOURS: Final = {Side.WP: "#a3261e", Side.NATO: "#1f4e9c"}
CITY_SIZES: Final = {CityClass.SMALL: 9, CityClass.MAJOR: 11, CityClass.KEY: 12}
NAME_SIZES: Final = {CityClass.SMALL: 17, CityClass.MAJOR: 24, CityClass.KEY: 26}
WESTERN: Final = (1, 2)
"""2.2.2 The reinforcement sectors of NATO, on the western edge."""
HALO: Final = 'stroke="#fff" stroke-width="5" stroke-linejoin="round" paint-order="stroke"'


@lru_cache(maxsize=8)
def ground(atlas: Atlas) -> str:
    """2.2 Draw all terrain of a map, without units."""
    return "".join(
        (
            definitions(),
            *terrain(atlas),
            *coast(atlas),
            *grid_lines(atlas),
            *countries(atlas),
            *borders(atlas),
            *rivers(atlas),
            *crossings(atlas),
            *sectors(atlas),
            *numbers(atlas),
            *cities(atlas),
            *towns(atlas),
            *targets(atlas),
        )
    )


def definitions() -> str:
    """Define the terrain patterns."""
    made = (
        f'<pattern id="t-{kind}" width="{width}" height="{height}" patternUnits="userSpaceOnUse">'
        f'<g fill="none">{drawn}</g></pattern>'
        for kind, (width, height, drawn) in PATTERNS.items()
    )
    return f"<defs>{''.join(made)}</defs>"


def terrain(atlas: Atlas) -> Iterator[str]:
    """2.2.1 Draw hexes by terrain: a tint, and a pattern over it."""
    for kind, tint in TINTS.items():
        path = outlines(hex for hex, place in atlas.places.items() if place.terrain is kind)
        if path:
            yield f'<path d="{path}" fill="{tint}"/>'
            if kind in PATTERNS:
                yield f'<path d="{path}" fill="url(#t-{kind})"/>'


Test = Callable[[Place, Place, Hexside], bool]


def lines(atlas: Atlas, test: Test) -> Iterator[list[Point]]:
    """The hexsides of the map that pass a test, joined into lines."""
    found = []
    for hex, place in atlas.places.items():
        for near in atlas.neighbours[hex]:
            if hex < near and test(place, atlas[near], atlas.hexside(hex, near)):
                found.append(ends(hex, near))
    return chains(found)


def stroke(path: str, colour: str, width: int, more: str = "") -> str:
    """Draw a line of this colour and width."""
    more = f" {more}" if more else ""
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{more}/>'


def coast(atlas: Atlas) -> Iterator[str]:
    """2.2.3 Draw the shores: a band of sand and the waterline."""
    path = "".join(smooth(line) for line in lines(atlas, lambda a, b, side: a.is_sea != b.is_sea))
    if path:
        yield stroke(path, "#e9d9a6", 12)
        yield stroke(path, "#3f7fb0", 4)


def grid_lines(atlas: Atlas) -> Iterator[str]:
    """Draw the outlines of the hexes."""
    yield stroke(outlines(atlas), "#6f6a5c", 1, 'stroke-opacity=".35"')


def countries(atlas: Atlas) -> Iterator[str]:
    """2.2 Write the names of the countries, large and pale, across their territory."""
    for country, name in COUNTRY_NAMES.items():
        land = [centre(hex) for hex, place in atlas.places.items() if place.country is country]
        if len(land) >= 25:
            x, y = sum(at.x for at in land) // len(land), sum(at.y for at in land) // len(land)
            wide = max(at.x for at in land) - min(at.x for at in land)
            size = min(110, wide * 100 // (95 * len(name)))
            yield (
                f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size}" font-weight="700" fill="#3a372f" '
                f'fill-opacity=".16" letter-spacing="{size // 8}">{name.upper()}</text>'
            )


def borders(atlas: Atlas) -> Iterator[str]:
    """2.2, 2.2.7, 35.5 Draw the borders of countries, the lines between command zones and the Iron Curtain."""
    land = "".join(straight(line) for line in lines(atlas, is_border))
    if land:
        yield stroke(land, "#5d5a52", 4, 'stroke-dasharray="14 6 3 6"')
    zones = "".join(straight(line) for line in lines(atlas, is_zone_line))
    if zones:
        yield stroke(zones, "#7b3fa0", 3, 'stroke-dasharray="3 9" stroke-linecap="round"')
    for river, width in CURTAIN_WIDTHS.items():
        curtain = "".join(straight(line) for line in lines(atlas, curtain_test(river)))
        if curtain:
            yield stroke(curtain, "#fff", width + 5, 'stroke-opacity=".7"')
            yield stroke(curtain, CURTAIN, width, 'stroke-dasharray="18 5"')


def is_border(a: Place, b: Place, side: Hexside) -> bool:
    """2.2 Whether two countries meet at this hexside and it is not part of the Iron Curtain."""
    return a.is_land and b.is_land and a.country is not b.country and not side.iron_curtain


def is_zone_line(a: Place, b: Place, side: Hexside) -> bool:
    """2.2.7 Whether two NATO command zones meet at this hexside."""
    return a.zone is not b.zone and a.side is b.side is Side.NATO


def curtain_test(river: str) -> Test:
    """35.5 Return a test for Iron Curtain hexsides along a river of this size; an empty size means no river."""
    return lambda a, b, side: side.iron_curtain and side.river == river


def rivers(atlas: Atlas) -> Iterator[str]:
    """2.2.1 Draw rivers along their hexsides; major ones are twice as wide, with a dark edge."""
    for size, width in (("minor", 5), ("major", 10)):
        found = [
            ends(a, b) for (a, b), side in atlas.sides.items() if side.river == size and side.barrier != "all_sea"
        ]
        path = "".join(smooth(line) for line in chains(found))
        if path:
            if size == "major":
                yield stroke(path, "#173f73", width + 3, 'stroke-linecap="round"')
            yield stroke(path, RIVER if size == "minor" else "#5b9bdc", width, 'stroke-linecap="round"')


def crossings(atlas: Atlas) -> Iterator[str]:
    """12.1 Draw straits, causeways, blocked hexsides, the ferry, passes and bridges."""
    for (a, b), side in atlas.sides.items():
        first, second = ends(a, b)
        at = middle(first, second)
        if side.barrier and not side.causeway:
            colour = "#3f7fb0" if side.barrier == "all_sea" else "#7a2f6f"
            yield stroke(straight((first, second)), colour, 8)
        if side.causeway or side.ferry:
            more = 'stroke-dasharray="4 6"' if side.ferry else ""
            yield stroke(straight((toward(centre(a), at), toward(centre(b), at))), "#6b3d12", 6, more)
        if side.pass_:
            yield pass_sign(centre(a), centre(b), at)
    for hex, place in atlas.places.items():
        if place.bridge:
            x, y = centre(hex)
            yield stroke(f"M{x - 16} {y + 26}q16-8 32 0M{x - 16} {y + 36}q16 8 32 0", INK, 3)


def toward(start: Point, end: Point) -> Point:
    """The point two thirds of the way from a start to an end."""
    return Point(start.x + (end.x - start.x) * 2 // 3, start.y + (end.y - start.y) * 2 // 3)


def pass_sign(a: Point, b: Point, at: Point) -> str:
    """12.1 Draw a pass as two brackets that let a road through."""
    dx, dy = (b.x - a.x) // 8, (b.y - a.y) // 8
    px, py = -dy, dx
    return stroke(
        "".join(
            f"M{at.x - dx + sign * px} {at.y - dy + sign * py}Q{at.x + sign * px // 3} {at.y + sign * py // 3} "
            f"{at.x + dx + sign * px} {at.y + dy + sign * py}"
            for sign in (1, -1)
        ),
        "#4a3413",
        4,
    )


def sectors(atlas: Atlas) -> Iterator[str]:
    """2.2.2 Draw the edges of the reinforcement sectors, each with its number in the middle."""
    for sector, hexes in atlas.sectors.items():
        way: Compass = "W" if sector in WESTERN else "E"
        colour = SIDE_COLOURS[Side.NATO if sector in WESTERN else Side.WP]
        edges = [outer(hex, way) for hex in hexes]
        if edges:
            yield stroke("".join(straight(edge) for edge in edges), colour, 9, 'stroke-linecap="round"')
            at = middle(*edges[len(edges) // 2])
            yield (
                f'<circle cx="{at.x}" cy="{at.y}" r="19" fill="#fff" stroke="{colour}" stroke-width="4"/><text '
                f'x="{at.x}" y="{at.y + 8}" text-anchor="middle" font-size="24" font-weight="700" fill="{colour}">'
                f"{sector}</text>"
            )


def outer(hex: HexId, way: Compass) -> tuple[Point, Point]:
    """The two corners of the hexside in a direction, whether or not a hex exists beyond it."""
    x, y = centre(hex)
    first, second = (CORNERS[corner] for corner in SIDES[way])
    return Point(x + first[0], y + first[1]), Point(x + second[0], y + second[1])


DIGITS: Final = (
    *("h6v10h-6z", "m3 0v10", "h6v5h-6v5h6", "h6v10h-6m0-5h6", "v5h6m0-5v10"),
    *("m6 0h-6v5h6v5h-6", "m6 0h-6v10h6v-5h-6", "h6v10", "h6v10h-6zm0 5h6", "m6 5h-6v-5h6v10h-6"),
)
"""Digits drawn as strokes in a box of 6 by 10."""
MANY: Final = 600
"""The number of hexes beyond which numbers are drawn as one path of strokes: separate texts would be too slow."""


def numbers(atlas: Atlas) -> Iterator[str]:
    """2.2 Draw the number of each hex at its upper corner."""
    if len(atlas) > MANY:
        path = "".join(digits_of(hex) for hex in atlas)
        yield stroke(path, "#4d493f", 1, 'stroke-opacity=".8" stroke-linecap="round"')
        return
    yield '<g font-size="13" text-anchor="middle" fill="#4d493f" fill-opacity=".8">'
    for hex in atlas:
        x, y = centre(hex)
        yield f'<text x="{x}" y="{y - TIP + 19}">{hex}</text>'
    yield "</g>"


def digits_of(hex: HexId) -> str:
    """A hex number drawn as strokes."""
    x, y = centre(hex)
    return "".join(f"M{x - 17 + 9 * i} {y - TIP + 10}{DIGITS[int(digit)]}" for i, digit in enumerate(hex))


def cities(atlas: Atlas) -> Iterator[str]:
    """30.0 Draw cities by class, ports with their capacity, and mobilization sites."""
    for hex, place in atlas.places.items():
        x, y = centre(hex)
        if place.city_class is not None:
            yield city_sign(x, y, place.city_class)
        if place.port:
            yield port_sign(x + HALF - 16, y - 6, place.port)
        if place.reserve_site:
            yield f'<path d="M{x - HALF + 8} {y + 4}l8-14 8 14z" fill="#c62a20" stroke="#fff" stroke-width="1.5"/>'


def city_names(atlas: Atlas) -> Iterator[str]:
    """30.0 Write the names of cities over the counters in neighbouring hexes."""
    yield f'<g class="names" text-anchor="middle" fill="{INK}" font-weight="700" pointer-events="none" {HALO}>'
    for hex, place in atlas.places.items():
        if place.city:
            x, y = centre(hex)
            size = NAME_SIZES[place.city_class] if place.city_class else 14
            size = min(size, 2 * HALF * 100 // (66 * len(place.city)))
            yield f'<text x="{x}" y="{y + TIP - 6}" font-size="{size}">{escape(place.city)}</text>'
    yield "</g>"


def city_sign(x: int, y: int, kind: CityClass) -> str:
    """30.0 Draw a city as one, two or three blocks, with a ring around a key city."""
    blocks = {CityClass.SMALL: 1, CityClass.MAJOR: 2, CityClass.KEY: 3}[kind]
    size = CITY_SIZES[kind]
    left = x - blocks * size
    houses = "".join(
        f"M{left + 2 * size * i + 1} {y - size}h{2 * size - 2}v{2 * size}h-{2 * size - 2}z" for i in range(blocks)
    )
    ring = (
        f'<circle cx="{x}" cy="{y}" r="40" fill="none" stroke="#7a1f18" stroke-width="4"/>'
        if kind is CityClass.KEY
        else ""
    )
    return f'{ring}<path d="{houses}" fill="#8d857a" stroke="{INK}" stroke-width="2"/>'


def port_sign(x: int, y: int, steps: int) -> str:
    """14.2.3 Draw an anchor with the capacity of the port."""
    return (
        f'<g stroke="#123a6b" stroke-width="2.4" fill="none"><circle cx="{x}" cy="{y - 10}" r="3"/>'
        f'<path d="M{x} {y - 7}v17M{x - 5} {y - 3}h10M{x - 8} {y + 4}q2 7 8 7t8-7"/></g>'
        f'<text x="{x + 9}" y="{y - 3}" font-size="12" font-weight="700" fill="#123a6b">{steps}</text>'
    )


def towns(atlas: Atlas) -> Iterator[str]:
    """Draw towns and regions that have no effect in the game, for orientation."""
    yield '<g font-size="12" font-style="italic" text-anchor="middle" fill="#5b564b">'
    for hex, place in atlas.places.items():
        if place.name and not place.city:
            x, y = centre(hex)
            yield f'<text x="{x}" y="{y + TIP - 18}">{escape(place.name)}</text>'
    yield "</g>"


def targets(atlas: Atlas) -> Iterator[str]:
    """Make every hex a target for the pointer, with its terrain in words."""
    yield '<g fill="none" pointer-events="all">'
    for hex in atlas:
        yield f'<path data-hex="{hex}" d="{outline(hex)}"><title>{escape(words_of(atlas, hex))}</title></path>'
    yield "</g>"


def words_of(atlas: Atlas, hex: HexId) -> str:
    """2.2.1 Describe a hex: `Hannover 3117: major city, West Germany; minor river to 3118`."""
    place = atlas[hex]
    told = ["all sea" if place.is_sea else str(place.terrain)]
    if place.city_class is not None:
        told.insert(0, f"{place.city_class} city")
    if place.port:
        told.append(f"port of {place.port} {'step' if place.port == 1 else 'steps'}")
    if place.is_coastal:
        told.append("coast")
    told += [name for name, here in (("bridge", place.bridge), ("mobilization site", place.reserve_site)) if here]
    if place.sector:
        told.append(f"edge of sector {place.sector}")
    if place.country is not None:
        told.append(COUNTRY_NAMES[place.country])
    head = atlas.name(hex) if place.city else f"{place.name} {hex}" if place.name else hex
    sides = "; ".join(f"{name} to {' and '.join(to)}" for name, to in hexside_words(atlas, hex).items())
    return f"{head}: {', '.join(told)}" + (f"; {sides}" if sides else "")


def hexside_words(atlas: Atlas, hex: HexId) -> dict[str, list[HexId]]:
    """2.2.1 The features of a hex's hexsides in words, each with the hexes beyond."""
    found: dict[str, list[HexId]] = {}
    for near in atlas.neighbours[hex]:
        for name in side_names(atlas.hexside(hex, near)):
            found.setdefault(name, []).append(near)
    return found


def side_names(side: Hexside) -> Iterator[str]:
    """2.2.1 The names of a hexside's features."""
    if side.ferry:
        yield "Danish ferry"
    elif side.causeway:
        yield "causeway"
    elif side.barrier:
        yield "blocked hexside" if side.barrier == "blocked" else "all-sea hexside"
    elif side.river:
        yield f"{side.name} ({side.river} river)"
    if side.pass_:
        yield "pass"
    if side.iron_curtain:
        yield "Iron Curtain"
