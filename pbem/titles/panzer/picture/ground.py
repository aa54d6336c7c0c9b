"""1.2 The ground of the map as a picture: hexes, terrain, levels, hexsides, roads, names, and the key to its symbols.

    1.2      point, outline, frame: places in the picture; use, text, symbols: the drawings
    1.2      ground: drawn once for each board; hex_words
    key      key_entries, key: the meaning of the symbols on the map and its counters

The pieces on the ground are in `vehicles` and `scene`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from html import escape
from typing import Final, NamedTuple, TypeAlias

from pbem.engine.geometry.hexes import Hex, Side, hex_name, neighbour, opposite, side_hexes, turn
from pbem.engine.text.messages import Message, Several, named, say, several, term
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.files import packaged

U: Final = 26
V: Final = 45
"""Pixels per unit of the corner grid: 45/26 is the square root of three to within one part in a thousand."""
MARGIN: Final = 16
FONT: Final = "Liberation Sans,Arimo,Arial,Helvetica,sans-serif"
SERIF: Final = "Liberation Serif,Tinos,Georgia,serif"
INK: Final = "#1d1a16"
TINTS: Final = {
    "2024": ("#f3e7c9", "#ead2a0", "#ddb97a", "#cc9d58", "#b98243", "#a36b35"),
    "2016": ("#eeeccf", "#e3d9a6", "#d4bf80", "#c2a360", "#ad8748", "#957038"),
}
"""4.1.4.1.4 Ground colours by level, for desert (2024) and eastern front (2016) maps."""
NOBODY: Final = "#ffffff"
AREAS: Final = ("brush", "scrub", "sand", "soft_sand", "rough", "crops", "water", "shellhole")
"""Terrain that fills its hex with a pattern."""
SHADES: Final = {"light_woods": ".16", "woods": ".3", "heavy_woods": ".46"}
GROWTH: Final = ("light_grove", "medium_grove", "light_woods", "woods", "heavy_woods")
BUILDINGS: Final = ("wood_building", "brick_building", "stone_building")
CHANNELS: Final = ({"gully", "ditch"}, {"stream", "ford", "water"}, {"railroad"})
"""Terrain that continues from hex to hex."""


class Point(NamedTuple):
    x: int
    y: int


ORIGIN: Final = Point(0, 0)


# --- places in the picture -----------------------------------------------------------------------------------


def point(hex: Hex, origin: Point = ORIGIN) -> Point:
    """The centre of a hex in the picture, or from another point of it."""
    return Point(3 * U * hex.x - origin.x, V * hex.y - origin.y)


def mid_side(hex: Hex, direction: int) -> Point:
    """The middle of a hexside, the same seen from either hex."""
    here, there = point(hex), point(neighbour(hex, direction))
    return Point((here.x + there.x) // 2, (here.y + there.y) // 2)


def outline(hex: Hex, origin: Point = ORIGIN) -> str:
    x, y = point(hex, origin)
    return f"M{x - U} {y - V}h{2 * U}l{U} {V}-{U} {V}h-{2 * U}l-{U}-{V}z"


def side_line(side: Side, origin: Point = ORIGIN) -> str:
    """One hexside as a stroke from its first corner to its second."""
    x, y = point(side.hex, origin)
    corners = ((-U, -V), (U, -V), (2 * U, 0), (U, V))
    (ax, ay), (bx, by) = corners[side.direction - 1 : side.direction + 1]
    return f"M{x + ax} {y + ay}L{x + bx} {y + by}"


@lru_cache(maxsize=64)
def map_frame(board: Board) -> tuple[int, int, int, int]:
    """Left, top, width and height of the map itself."""
    xs = [point(hex).x for hex in board.hexes]
    ys = [point(hex).y for hex in board.hexes]
    left, top = min(xs) - 2 * U - MARGIN, min(ys) - V - MARGIN
    return left, top, max(xs) + 2 * U + MARGIN - left, max(ys) + V + MARGIN - top


@lru_cache(maxsize=64)
def frame(board: Board, more: Signs = ()) -> tuple[int, int, int, int]:
    """Left, top, width and height of the picture: the map and the key below it."""
    left, top, width, height = map_frame(board)
    rows = -(-len(key_entries(board, more)) // key_columns(width))
    return left, top, width, height + rows * KEY_HEIGHT + MARGIN


def numbers(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


def use(symbol: str, at: Point, turned: int = 0) -> str:
    """A symbol placed at a point, rotated by this many sixths of a circle."""
    if not turned:
        return f'<use href="#{symbol}" x="{at.x}" y="{at.y}"/>'
    return f'<use href="#{symbol}" transform="translate({at.x} {at.y})rotate({60 * turned})"/>'


def group_at(at: Point, drawn: str, more: str = "") -> str:
    """A group drawn around the origin and moved to a point, so that equal things have equal drawings everywhere."""
    return f'<g transform="translate({at.x} {at.y})"{more}>{drawn}</g>'


def text(at: Point, words: str, more: str = "") -> str:
    return f'<text x="{at.x}" y="{at.y}"{more}>{escape(words)}</text>'


@cache
def symbols(kit: str = "symbols.svg") -> str:
    """The symbol definitions in a drawing kit."""
    drawn = packaged(kit).decode()
    return drawn[drawn.index("<defs>") : drawn.index("</defs>") + len("</defs>")].replace("\n", "")


# --- 1.2 the ground ------------------------------------------------------------------------------------------


Signs: TypeAlias = tuple[tuple[str, str], ...]
"""Symbols with their names, which the key explains in addition to those of the basic game."""


@lru_cache(maxsize=16)
def ground(board: Board, edition: str, names: tuple[tuple[str, str], ...], more: Signs = ()) -> str:
    """1.2 Everything printed on the map; it never changes, so it is drawn once for each board."""
    left, top, width, height = frame(board, more)
    return "".join(
        (
            symbols(),
            f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#faf6ea"/>',
            f'<rect x="{left + 5}" y="{top + 5}" width="{width - 10}" height="{height - 10}" fill="none" '
            'stroke="#4a3d26" stroke-width="2"/>',
            *level_tints(board, edition),
            *area_terrain(board),
            *channels(board),
            *grid(board),
            *growth(board),
            *roads(board),
            *buildings(board),
            *hexsides(board),
            *labels(board),
            *key(board, edition, dict(names), more),
            *hex_targets(board, dict(names)),
        )
    )


def with_terrain(board: Board, kind: str) -> list[Hex]:
    return [hex for hex in board.hexes if kind in board.terrain(hex)]


def level_tints(board: Board, edition: str) -> Iterator[str]:
    """4.1.4.1.4 Higher ground is darker; the level is also printed."""
    tints = TINTS.get(edition, TINTS["2024"])
    for level in sorted({board.level(hex) for hex in board.hexes}):
        hexes = "".join(outline(hex) for hex in board.hexes if board.level(hex) == level)
        yield f'<path fill="{tints[min(level, len(tints) - 1)]}" d="{hexes}"/>'


def area_terrain(board: Board) -> Iterator[str]:
    for kind in AREAS:
        if hexes := with_terrain(board, kind):
            yield f'<path fill="url(#p-{kind})" d="{"".join(map(outline, hexes))}"/>'
    for kind, shade in SHADES.items():
        if hexes := with_terrain(board, kind):
            yield f'<path fill="#41602f" fill-opacity="{shade}" d="{"".join(map(outline, hexes))}"/>'


Strokes: TypeAlias = tuple[tuple[str, float, str], ...]
"""The strokes that draw a line, widest first: colour, width and dashes."""

CHANNEL_STROKES: Final[dict[str, Strokes]] = {
    "gully": (("#8a6a3a", 40, "2.5 5"), ("#c4a06a", 27, ""), ("#a47f4a", 11, "")),
    "ditch": (("#6f5a3a", 22, "2 4"), ("#b08d5a", 14, "")),
    "stream": (("#3f6d8c", 17, ""), ("#8fb9d2", 12, ""), ("#ffffff", 1, "10 8")),
    "ford": (("#3f6d8c", 17, ""), ("#b9d4e2", 12, "3 3")),
    "railroad": (("#3b3630", 15, "3 8"), ("#3b3630", 4, "")),
}


def channels(board: Board) -> Iterator[str]:
    """4.1.4.1.6 Gullies, ditches, streams and railroads continue into neighbouring hexes."""
    for kind, lines in CHANNEL_STROKES.items():
        hexes = with_terrain(board, kind)
        if hexes:
            pools = "".join(pool(hex, frozenset(hexes)) for hex in hexes)
            yield from strokes(lines, "".join(channel_way(board, hex, kind) for hex in hexes), pools)
    for hex in with_terrain(board, "ford"):
        yield use("t-ford", point(hex))


def strokes(lines: Strokes, way: str, pools: str = "") -> Iterator[str]:
    """Draw a path with several strokes, widest first; pools are filled in all strokes except the first."""
    for index, (colour, width, dashes) in enumerate(lines):
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ' stroke-linecap="round"'
        yield f'<path fill="none" stroke="{colour}" stroke-width="{width}"{dashed} d="{way}"/>'
        if pools and index and not dashes:
            yield f'<path fill="{colour}" d="{pools}"/>'


def pool(hex: Hex, family: frozenset[Hex]) -> str:
    """The ground between three channel hexes that all touch each other."""
    corners = (hex, neighbour(hex, 2), neighbour(hex, 3)), (hex, neighbour(hex, 3), neighbour(hex, 4))
    return "".join(
        "M" + "L".join(f"{point(each).x} {point(each).y}" for each in three) + "z"
        for three in corners
        if family.issuperset(three)
    )


def channel_way(board: Board, hex: Hex, kind: str) -> str:
    """A channel's segment in one hex: to each neighbour with the same channel, and off the map from a loose end."""
    family = next(group for group in CHANNELS if kind in group)
    ways = [
        way
        for way in range(1, 7)
        if board.is_on_map(neighbour(hex, way)) and not family.isdisjoint(board.terrain(neighbour(hex, way)))
    ]
    if len(ways) == 1:
        outwards = (turn(opposite(ways[0]), aside) for aside in (0, 1, -1))
        ways += [way for way in outwards if not board.is_on_map(neighbour(hex, way))][:1]
    return stretch(hex, ways)


def stretch(hex: Hex, ways: list[int]) -> str:
    """A line through a hex: a curve between two sides, otherwise a star from the centre."""
    x, y = point(hex)
    ends = [mid_side(hex, way) for way in ways]
    if len(ends) == 2:
        (ax, ay), (bx, by) = ends
        return f"M{ax} {ay}Q{x} {y} {bx} {by}"
    if not ends:
        return f"M{x - 18} {y}h36"
    return "".join(f"M{x} {y}L{end.x} {end.y}" for end in ends)


def grid(board: Board) -> Iterator[str]:
    yield '<path fill="none" stroke="#6b5c3e" stroke-opacity=".55" stroke-width="1.3" d="'
    yield from map(outline, board.hexes)
    yield '"/>'


def growth(board: Board) -> Iterator[str]:
    """Trees, rotated differently from hex to hex."""
    for kind in GROWTH:
        for hex in with_terrain(board, kind):
            yield use(f"t-{kind}", point(hex), (hex.x * 7 + hex.y * 5) % 6)


LINK_STROKES: Final[dict[str, Strokes]] = {
    "track": (("#fff6dd", 9, ""), ("#7a5a2c", 6, "2 5")),
    "path": (("#fff6dd", 7, ""), ("#8a5f2a", 4, "11 6")),
    "road": (("#5a4c38", 14, ""), ("#f6efdd", 9.5, "")),
}


def roads(board: Board) -> Iterator[str]:
    """4.5.1.1.5 Draw roads over paths over tracks; 4.5.1.1.6 and bridges along them."""
    for kind, lines in LINK_STROKES.items():
        joined = {hex: [way for way, link in board.links(hex) if link == kind] for hex in board.hexes}
        if way := "".join(stretch(hex, ways) for hex, ways in joined.items() if ways):
            yield from strokes(lines, way)
    for hex in board.hexes:
        if board.is_bridge(hex) and (links := board.links(hex)):
            yield use("t-bridge", point(hex), links[0][0] - 1)


def buildings(board: Board) -> Iterator[str]:
    for kind in BUILDINGS:
        for hex in with_terrain(board, kind):
            yield use(f"t-{kind}", point(hex))
            if board.storeys(hex) > 1:
                at = Point(point(hex).x + 40, point(hex).y - 14)
                yield text(at, f"×{board.storeys(hex)}", f' font-size="12" font-weight="700" fill="{INK}"')


def hexsides(board: Board) -> Iterator[str]:
    """4.1.4.1.5 The features on hexsides; slopes and cliffs fall away from the higher hex."""
    yield '<g fill="none">'
    for hex in board.hexes:
        for direction in (1, 2, 3):
            side = Side(hex, direction)
            for kind in board.features(side):
                yield use(f"h-{kind}", *downhill(board, side))
    yield "</g>"


def downhill(board: Board, side: Side) -> tuple[Point, int]:
    """The centre of the hex from which a hexside is drawn, and the rotation."""
    near, far = side_hexes(side)
    if board.is_on_map(far) and board.level(far) > board.level(near):
        return point(far), opposite(side.direction) - 1
    return point(near), side.direction - 1


def labels(board: Board) -> Iterator[str]:
    """The names of hexes and places, and the levels."""
    yield '<g font-size="12.5" fill="#4d412a" text-anchor="middle" stroke="#fdf8ea" stroke-opacity=".75" '
    yield 'stroke-width="3" stroke-linejoin="round" paint-order="stroke">'
    for hex in board.hexes:
        x, y = point(hex)
        yield text(Point(x, y - 32), hex_name(hex))
    yield '</g><g font-size="15" font-weight="700" fill="#74511c" text-anchor="middle">'
    for hex in board.hexes:
        if board.level(hex):
            x, y = point(hex)
            yield text(Point(x + 39, y + 5), str(board.level(hex)))
    yield f'</g><g font-family="{SERIF}" font-size="25" font-style="italic" fill="#3b2d16" '
    yield 'stroke="#fdf8ea" stroke-width="5" stroke-linejoin="round" paint-order="stroke" text-anchor="middle" '
    yield 'letter-spacing="1">'
    for name, hexes in board.places.items():
        yield text(place_point(hexes), name)
    yield "</g>"


def place_point(hexes: Iterable[Hex]) -> Point:
    """The position of a place name: above the middle of its hexes, between the counters of two rows."""
    points = [point(hex) for hex in hexes]
    return Point(sum(at.x for at in points) // len(points), min(at.y for at in points) - V - 2)


def hex_targets(board: Board, names: Mapping[str, str]) -> Iterator[str]:
    """The pointer targets: each hex with its name and terrain."""
    yield '<g fill="none" pointer-events="all">'
    for hex in board.hexes:
        words = escape(str(hex_words(board, names, hex)))
        yield f'<path data-hex="{hex_name(hex)}" d="{outline(hex)}"><title>{words}</title></path>'
    yield "</g>"


def hex_words(board: Board, names: Mapping[str, str], hex: Hex) -> Message:
    """A hex in words: `M9 Krutoy Log: Wood buildings, level 1, road`."""
    told = terrain_words(board, names, hex)
    if name := board.place_of(hex):
        return say("{hex} {place}: {ground}", hex=hex_name(hex), place=name, ground=told)
    return say("{hex}: {ground}", hex=hex_name(hex), ground=told)


def terrain_words(board: Board, names: Mapping[str, str], hex: Hex) -> Several:
    """The terrain, level and roads of a hex in words."""
    told = [named("panzer terrain", names.get(kind, kind)) for kind in board.terrain(hex)]
    if board.level(hex):
        told.append(say("level {level}", level=board.level(hex)))
    told += [LINKS[link] for link in sorted({link for _, link in board.links(hex)})]
    return several(told, "unit")


# --- the key -------------------------------------------------------------------------------------------------

LINKS: Final = {
    "road": term("panzer link", "road"),
    "path": term("panzer link", "path"),
    "track": term("panzer link", "track"),
}

KEY_WIDTH: Final = 258
KEY_HEIGHT: Final = 62
MARKERS: Final = {
    "facing": "Facing",
    "face-down": "Command, face down",
    "open": "Command, revealed",
    "m-fire": "Spot marker: fired",
    "m-move": "Spot marker: moved",
    "m-seen": "Spotted by an enemy",
    "m-damaged": "Damaged",
    "wreck": "Wreck",
    "smoke": "Smoke",
    "flag": "Objective",
}
HEXSIDES: Final = ("slope", "cliff", "crest", "wall", "hedgerow", "defilade")


def key_columns(width: int) -> int:
    return max(1, (width - 2 * MARGIN) // KEY_WIDTH)


def key_entries(board: Board, more: Signs = ()) -> list[str]:
    """The entries of the key: everything that is on this map, and the markers."""
    present = {kind for hex in board.hexes for kind in board.terrain(hex)} - {"clear"}
    sides = {kind for hex in board.hexes for way in (1, 2, 3) for kind in board.features(Side(hex, way))}
    links = {link for hex in board.hexes for _, link in board.links(hex)}
    terrain = [kind for kind in (*AREAS, *GROWTH, *BUILDINGS, *CHANNEL_STROKES, "bridge") if kind in present]
    hexsides = [f"h-{kind}" for kind in HEXSIDES if kind in sides]
    links_there = [kind for kind in LINK_STROKES if kind in links]
    return [*terrain, *links_there, *hexsides, *MARKERS, *(sign for sign, _ in more)]


def key(board: Board, edition: str, names: Mapping[str, str], more: Signs = ()) -> Iterator[str]:
    """The meaning of every pattern and symbol, below the map."""
    left, top, width, height = map_frame(board)
    columns, tint = key_columns(width), TINTS.get(edition, TINTS["2024"])[0]
    names = {**dict(more), **names}
    yield f'<g data-key="{left} {top + height} {width} {frame(board, more)[3] - height}">'
    for index, entry in enumerate(key_entries(board, more)):
        row, column = divmod(index, columns)
        at = Point(left + MARGIN + 40 + column * KEY_WIDTH, top + height + KEY_HEIGHT // 2 + row * KEY_HEIGHT)
        words = names.get(entry) or MARKERS.get(entry) or entry.removeprefix("h-").capitalize()
        yield f'<g transform="translate({at.x} {at.y})scale(.56)">{"".join(swatch(entry, tint))}</g>'
        yield text(Point(at.x + 38, at.y + 7), words, f' font-size="18" fill="{INK}"')
    yield "</g>"


def swatch(entry: str, tint: str) -> Iterator[str]:
    """One symbol of the key, drawn in or on a hex of its own."""
    origin = Hex(0, 0)
    yield f'<path fill="{tint}" stroke="#6b5c3e" stroke-opacity=".55" d="{outline(origin)}"/>'
    if entry in AREAS:
        yield f'<path fill="url(#p-{entry})" d="{outline(origin)}"/>'
    elif entry in GROWTH or entry in BUILDINGS or entry == "bridge":
        yield f'<path fill="#41602f" fill-opacity="{SHADES.get(entry, "0")}" d="{outline(origin)}"/>'
        yield use(f"t-{entry}", Point(0, 0))
    elif entry in CHANNEL_STROKES or entry in LINK_STROKES:
        yield from strokes((CHANNEL_STROKES | LINK_STROKES)[entry], stretch(origin, [2, 5]))
    elif entry.startswith("h-"):
        yield f'<g fill="none">{use(entry, Point(0, 45))}</g>'
    else:
        size = 1 if entry in ("wreck", "smoke", "flag") or entry.startswith("f-") else 1.6
        yield f'<g fill="{NOBODY}" transform="scale({size})">{marker_sign(entry)}</g>'


def marker_sign(entry: str) -> str:
    if entry == "facing":
        return f'<path d="M-10 8L0-8 10 8z" fill="{INK}"/>'
    if entry == "face-down":
        return command_sign("?", Point(0, 0), face_down=True)
    if entry == "open":
        return command_sign("F", Point(0, 0), face_down=False)
    return use(entry, Point(0, 0))


def command_sign(sign: str, at: Point, *, face_down: bool) -> str:
    """4.2.1 A command counter, dark while face down."""
    paper, ink = ("#33302b", "#ffffff") if face_down else ("#ffffff", INK)
    return (
        f'<rect x="{at.x - 9}" y="{at.y - 9}" width="18" height="18" rx="2.5" fill="{paper}" stroke="{INK}" '
        f'stroke-width="1.2"/><text x="{at.x}" y="{at.y + 5}" font-size="14" font-weight="700" text-anchor="middle" '
        f'fill="{ink}">{sign}</text>'
    )
