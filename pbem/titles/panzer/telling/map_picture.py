"""1.2 The map as a picture: an SVG of what a viewer may know, and the same in words.

    1.2          ground: hexes, terrain, levels, hexsides, roads, names; drawn once for each board
    1.7          counters: nation, kind of vehicle, facing, command, markers
    3.6          objectives
    4.1.4.1.8    wrecks and smoke
    words        describe, unit_card, hex_words: for tooltips and for readers who do not see the map

The picture is made from a view and from nothing else, and carries its own description in words (`desc`). Styles are
attributes, never CSS: the same bytes serve a page with a strict content policy, an image file and a mail. Shapes come
from `data/symbols.svg`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar

from pbem.engine.geometry.hexes import Hex, Side, hex_name, neighbour, opposite, parse_hex, side_hexes, turn
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.cards import Card
from pbem.titles.panzer.cards.charts import packaged
from pbem.titles.panzer.state import Command, PanzerState, Spot, Status, Unit
from pbem.titles.panzer.view import knows_command

if TYPE_CHECKING:
    from pbem.titles.panzer.data_set import PanzerData
    from pbem.titles.panzer.setup.scenario_file import Objective

U: Final = 26
V: Final = 45
"""Pixels for one unit of the plane of corners: 45 to 26 is the square root of three to one part in a thousand."""
MARGIN: Final = 16
FONT: Final = "Liberation Sans,Arimo,Arial,Helvetica,sans-serif"
SERIF: Final = "Liberation Serif,Tinos,Georgia,serif"
INK: Final = "#1d1a16"

TINTS: Final = {
    "2024": ("#f3e7c9", "#ead2a0", "#ddb97a", "#cc9d58", "#b98243", "#a36b35"),
    "2016": ("#eeeccf", "#e3d9a6", "#d4bf80", "#c2a360", "#ad8748", "#957038"),
}
"""4.1.4.1.4 Ground colour by level: the desert, and the east."""
NATIONS: Final = {
    "german": "#b4bdb8",
    "italian": "#b3cb9a",
    "british": "#e6c68f",
    "soviet": "#dba48c",
    "us": "#bcb98f",
}
NOBODY: Final = "#ffffff"
AREAS: Final = ("brush", "scrub", "sand", "soft_sand", "rough", "crops", "water", "shellhole")
"""Terrain that fills its hex with a pattern."""
SHADES: Final = {"light_woods": ".16", "woods": ".3", "heavy_woods": ".46"}
GROWTH: Final = ("light_grove", "medium_grove", "light_woods", "woods", "heavy_woods")
BUILDINGS: Final = ("wood_building", "brick_building", "stone_building")
CHANNELS: Final = ({"gully", "ditch"}, {"stream", "ford", "water"}, {"railroad"})
"""Terrain that runs on from hex to hex."""
COMMAND_SIGNS: Final = {
    Command.FIRE: "F",
    Command.MOVE: "M",
    Command.SHORT_HALT: "H",
    Command.OVERWATCH: "O",
    Command.NO_COMMAND: "–",
}
VERBS: Final = "hold;fire {unit};short-halt {unit}, move {hex};move {hex};road {hex};overwatch"
"""Orders that a pointer can give: a page fills in what is clicked."""
DIRECTIONS: Final = ("", "north", "north-east", "south-east", "south", "south-west", "north-west")


class Point(NamedTuple):
    x: int
    y: int


def svg(data: PanzerData, view: PanzerState, *, viewer: str) -> str:
    """The map as the viewer may see it."""
    return drawing(
        data,
        view,
        describe(data, view, viewer=viewer),
        (
            *set_up_areas(data, view, viewer),
            *objectives(data, view),
            *wrecks(view),
            *counters(data, view, viewer),
        ),
    )


def drawing(
    data: PanzerData,
    view: PanzerState,
    words: Iterable[str],
    pieces: Iterable[str],
    more: Signs = (),
    verbs: str = VERBS,
) -> str:
    """The ground with pieces on it, and the same in words."""
    board = data.board
    names = tuple((kind, terrain.name) for kind, terrain in data.charts.terrains.items())
    left, top, width, height = frame(board, more)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="{FONT}" aria-label="Map of {escape(board.name)}, turn '
            f'{view.turn}" data-verbs="{verbs}" data-map="{numbers(map_frame(board))}" '
            f'data-focus="{numbers(focus(data, view))}"><title>{escape(board.name)}, turn {view.turn}</title>',
            f"<desc>{escape(chr(10).join(words))}</desc>",
            ground(board, data.edition, names, more),
            *pieces,
            "</svg>",
        )
    )


# --- places in the picture -----------------------------------------------------------------------------------


def point(hex: Hex) -> Point:
    """The centre of a hex."""
    return Point(3 * U * hex.x, V * hex.y)


def mid_side(hex: Hex, direction: int) -> Point:
    """The middle of a hexside, the same from both of its hexes."""
    here, there = point(hex), point(neighbour(hex, direction))
    return Point((here.x + there.x) // 2, (here.y + there.y) // 2)


def outline(hex: Hex) -> str:
    x, y = point(hex)
    return f"M{x - U} {y - V}h{2 * U}l{U} {V}-{U} {V}h-{2 * U}l-{U}-{V}z"


def side_line(side: Side) -> str:
    """One hexside as a stroke from its first corner to its second."""
    x, y = point(side.hex)
    corners = ((-U, -V), (U, -V), (2 * U, 0), (U, V))
    (ax, ay), (bx, by) = corners[side.direction - 1 : side.direction + 1]
    return f"M{x + ax} {y + ay}L{x + bx} {y + by}"


def map_frame(board: Board) -> tuple[int, int, int, int]:
    """Left, top, width and height of the map itself."""
    xs = [point(hex).x for hex in board.hexes]
    ys = [point(hex).y for hex in board.hexes]
    left, top = min(xs) - 2 * U - MARGIN, min(ys) - V - MARGIN
    return left, top, max(xs) + 2 * U + MARGIN - left, max(ys) + V + MARGIN - top


def frame(board: Board, more: Signs = ()) -> tuple[int, int, int, int]:
    """Left, top, width and height of the picture: the map and the key below it."""
    left, top, width, height = map_frame(board)
    rows = -(-len(key_entries(board, more)) // key_columns(width))
    return left, top, width, height + rows * KEY_HEIGHT + MARGIN


def focus(data: PanzerData, view: PanzerState) -> tuple[int, int, int, int]:
    """The part of the map where something stands: what a small window shows first."""
    hexes = [vehicle.hex for vehicle in view.vehicles.values() if vehicle.alive and vehicle.hex is not None]
    hexes += [hex for objective in data.scenario.objectives for hex in objective.hexes]
    if not hexes:
        return map_frame(data.board)
    xs, ys = [point(hex).x for hex in hexes], [point(hex).y for hex in hexes]
    left, top = min(xs) - 3 * U, min(ys) - 2 * V
    return left, top, max(xs) + 3 * U - left, max(ys) + 2 * V - top


def numbers(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


def use(symbol: str, at: Point, turned: int = 0) -> str:
    """A symbol at a place, turned by so many sixths of a circle."""
    if not turned:
        return f'<use href="#{symbol}" x="{at.x}" y="{at.y}"/>'
    return f'<use href="#{symbol}" transform="translate({at.x} {at.y})rotate({60 * turned})"/>'


def text(at: Point, words: str, more: str = "") -> str:
    return f'<text x="{at.x}" y="{at.y}"{more}>{escape(words)}</text>'


@cache
def symbols(kit: str = "symbols.svg") -> str:
    """The drawing kit."""
    drawn = packaged(kit).decode()
    return drawn[drawn.index("<defs>") : drawn.index("</defs>") + len("</defs>")].replace("\n", "")


# --- 1.2 the ground ------------------------------------------------------------------------------------------


Signs: TypeAlias = tuple[tuple[str, str], ...]
"""Signs that the key explains beside those of the basic game, with their names."""


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
    """4.1.4.1.4 The higher, the darker; the numbers say it too."""
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
"""Colour, width and dashes of the strokes of a line, from the widest."""

CHANNEL_STROKES: Final[dict[str, Strokes]] = {
    "gully": (("#8a6a3a", 40, "2.5 5"), ("#c4a06a", 27, ""), ("#a47f4a", 11, "")),
    "ditch": (("#6f5a3a", 22, "2 4"), ("#b08d5a", 14, "")),
    "stream": (("#3f6d8c", 17, ""), ("#8fb9d2", 12, ""), ("#ffffff", 1, "10 8")),
    "ford": (("#3f6d8c", 17, ""), ("#b9d4e2", 12, "3 3")),
    "railroad": (("#3b3630", 15, "3 8"), ("#3b3630", 4, "")),
}


def channels(board: Board) -> Iterator[str]:
    """4.1.4.1.6 Gullies, ditches, streams and railroads run through to their neighbours."""
    for kind, lines in CHANNEL_STROKES.items():
        hexes = with_terrain(board, kind)
        if hexes:
            pools = "".join(pool(hex, frozenset(hexes)) for hex in hexes)
            yield from strokes(lines, "".join(channel_way(board, hex, kind) for hex in hexes), pools)
    for hex in with_terrain(board, "ford"):
        yield use("t-ford", point(hex))


def strokes(lines: Strokes, way: str, pools: str = "") -> Iterator[str]:
    """A way drawn with several strokes, the widest first; pools are filled in all but the first."""
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
    """The stretch in one hex: to each neighbour of the family, and off the map where it would end at the edge."""
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
    """A line through a hex: a bend between two sides, else a star from the centre."""
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
    """Trees, turned differently from hex to hex."""
    for kind in GROWTH:
        for hex in with_terrain(board, kind):
            yield use(f"t-{kind}", point(hex), (hex.x * 7 + hex.y * 5) % 6)


LINK_STROKES: Final[dict[str, Strokes]] = {
    "track": (("#fff6dd", 9, ""), ("#7a5a2c", 6, "2 5")),
    "path": (("#fff6dd", 7, ""), ("#8a5f2a", 4, "11 6")),
    "road": (("#5a4c38", 14, ""), ("#f6efdd", 9.5, "")),
}


def roads(board: Board) -> Iterator[str]:
    """4.5.1.1.5 Roads over paths over tracks; 4.5.1.1.6 bridges lie along them."""
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
    """4.1.4.1.5 What lies on hexsides; slopes and cliffs fall away from the higher hex."""
    yield '<g fill="none">'
    for hex in board.hexes:
        for direction in (1, 2, 3):
            side = Side(hex, direction)
            for kind in board.features(side):
                yield use(f"h-{kind}", *downhill(board, side))
    yield "</g>"


def downhill(board: Board, side: Side) -> tuple[Point, int]:
    """From which hex a hexside is drawn, and how far it is turned."""
    near, far = side_hexes(side)
    if board.is_on_map(far) and board.level(far) > board.level(near):
        return point(far), opposite(side.direction) - 1
    return point(near), side.direction - 1


def labels(board: Board) -> Iterator[str]:
    """Names of hexes, levels and places."""
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
    """Where the name of a place stands: above the middle of its hexes, between the counters of two rows."""
    points = [point(hex) for hex in hexes]
    return Point(sum(at.x for at in points) // len(points), min(at.y for at in points) - V - 2)


def hex_targets(board: Board, names: Mapping[str, str]) -> Iterator[str]:
    """What a pointer finds: each hex with its name and terrain."""
    yield '<g fill="none" pointer-events="all">'
    for hex in board.hexes:
        words = escape(hex_words(board, names, hex))
        yield f'<path data-hex="{hex_name(hex)}" d="{outline(hex)}"><title>{words}</title></path>'
    yield "</g>"


def hex_words(board: Board, names: Mapping[str, str], hex: Hex) -> str:
    """A hex in words: `M9 Krutoy Log: Wood buildings, level 1, road`."""
    place = f" {name}" if (name := board.place_of(hex)) else ""
    told = [names.get(kind, kind) for kind in board.terrain(hex)]
    if board.level(hex):
        told.append(f"level {board.level(hex)}")
    told += sorted({link for _, link in board.links(hex)})
    return f"{hex_name(hex)}{place}: {', '.join(told)}"


# --- the key -------------------------------------------------------------------------------------------------

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
    """What the key explains: all that lies on this map, and the markers."""
    present = {kind for hex in board.hexes for kind in board.terrain(hex)} - {"clear"}
    sides = {kind for hex in board.hexes for way in (1, 2, 3) for kind in board.features(Side(hex, way))}
    links = {link for hex in board.hexes for _, link in board.links(hex)}
    terrain = [kind for kind in (*AREAS, *GROWTH, *BUILDINGS, *CHANNEL_STROKES, "bridge") if kind in present]
    hexsides = [f"h-{kind}" for kind in HEXSIDES if kind in sides]
    links_there = [kind for kind in LINK_STROKES if kind in links]
    return [*terrain, *links_there, *hexsides, *MARKERS, *(sign for sign, _ in more)]


def key(board: Board, edition: str, names: Mapping[str, str], more: Signs = ()) -> Iterator[str]:
    """What every pattern and sign means, below the map."""
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
    """One sign of the key, in or on a hex of its own."""
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


# --- 3.6 objectives and set-up areas -------------------------------------------------------------------------


def border(hexes: Iterable[Hex]) -> str:
    """The line around some hexes."""
    inside = frozenset(hexes)
    sides = {
        side
        for hex in sorted(inside)
        for way in range(1, 7)
        if neighbour(hex, way) not in inside
        for side in [Side(hex, way) if way <= 3 else Side(neighbour(hex, way), way - 3)]
    }
    return "".join(side_line(side) for side in sorted(sides))


def side_colour(data: PanzerData, side: str) -> str:
    """The colour of a side's first vehicle."""
    cards = (data.cards[unit.card] for unit in data.scenario.units if unit.side == side and unit.card in data.cards)
    nation = next((card.nation for card in cards), "")
    return NATIONS.get(nation, NOBODY)


def side_name(data: PanzerData, side: str) -> str:
    return next((found.name for found in data.scenario.sides if found.id == side), side)


def objectives(data: PanzerData, view: PanzerState) -> Iterator[str]:
    """3.6 A border, a flag in the controller's colour, name and points."""
    for objective in data.scenario.objectives:
        controller = view.objectives[objective.id].controller if objective.id in view.objectives else ""
        colour = side_colour(data, controller) if controller else NOBODY
        anchor = max(objective.hexes, key=lambda hex: (hex.y, -hex.x))
        x, y = point(anchor)
        yield f'<g data-objective="{escape(objective.id)}"><title>{escape(objective_words(data, view, objective))}'
        yield '</title><path fill="none" stroke="#8c1c13" stroke-width="4.5" stroke-linecap="round" d="'
        yield f'{border(objective.hexes)}"/><g fill="{colour}">{use("flag", Point(x - 36, y + 8))}</g>'
        yield text(
            Point(x, y + V - 1),
            f"{objective.name} · {points_words(objective)}",
            ' font-size="13" font-weight="700" fill="#8c1c13" text-anchor="middle" stroke="#fdf8ea" '
            'stroke-width="4" paint-order="stroke" stroke-linejoin="round"',
        )
        yield "</g>"


def points_words(objective: Objective) -> str:
    values = sorted(set(objective.vp.values()))
    return f"{values[0]} VP" if len(values) == 1 else "/".join(str(vp) for vp in objective.vp.values()) + " VP"


def objective_words(data: PanzerData, view: PanzerState, objective: Objective) -> str:
    controller = view.objectives[objective.id].controller if objective.id in view.objectives else ""
    held = f"held by {side_name(data, controller)}" if controller else "held by nobody"
    worth = ", ".join(f"{vp} points to {side_name(data, side)}" for side, vp in objective.vp.items() if vp)
    return f"Objective {objective.name} ({', '.join(map(hex_name, objective.hexes))}): {held}; {worth}"


def set_up_areas(data: PanzerData, view: PanzerState, viewer: str) -> Iterator[str]:
    """R-02 Where a side may still place its vehicles; everybody knows the areas."""
    held_back = (unit for unit in data.scenario.units if unit.area and unit.id in view.vehicles)
    waiting = {unit.area for unit in held_back if view.vehicles[unit.id].status is Status.RESERVE}
    for area in sorted(waiting):
        side, hexes = data.scenario.areas[area].side, data.scenario.areas[area].hexes
        colour = side_colour(data, side)
        yield f"<g><title>Set-up area {escape(area)} of {escape(side_name(data, side))}</title>"
        yield f'<path fill="{colour}" fill-opacity=".28" d="{"".join(map(outline, hexes))}"/><path fill="none" '
        yield f'stroke="{INK}" stroke-width="3.5" stroke-dasharray="12 7" d="{border(hexes)}"/></g>'


# --- 4.1.4.1.8 wrecks ----------------------------------------------------------------------------------------


def wrecks(view: PanzerState) -> Iterator[str]:
    for name, wreck in sorted(view.wrecks.items()):
        at = point(parse_hex(name))
        smoke = use("smoke", at) if wreck.brewed_up else ""
        yield f"<g><title>{wreck_words(name, wreck.brewed_up)}</title>{use('wreck', at)}{smoke}</g>"


def wreck_words(name: str, brewed_up: bool) -> str:
    return f"{name}: a brewed-up wreck, smoking" if brewed_up else f"{name}: a wreck"


# --- 1.7 counters --------------------------------------------------------------------------------------------

PLACES: Final[dict[int, tuple[int, tuple[tuple[int, int], ...]]]] = {
    1: (116, ((0, 4),)),
    2: (88, ((-27, 4), (27, 4))),
    3: (66, ((-24, -13), (24, -13), (0, 29))),
    4: (66, ((-24, -13), (24, -13), (-24, 29), (24, 29))),
}
"""Where the counters of a stack lie, and their size in hundredths: beside each other, so that all can be read."""
CROWD: Final = (48, tuple((column * 26 - 26, row * 28 - 26) for row in range(3) for column in range(3)))


AnyVehicle = TypeVar("AnyVehicle", bound=Unit)


def stacked(vehicles: Iterable[AnyVehicle]) -> Iterator[tuple[AnyVehicle, Point, int]]:
    """1.7 Each vehicle on the map with its place and size in the picture, stack by stack."""
    stacks: dict[Hex, list[AnyVehicle]] = {}
    for vehicle in vehicles:
        if vehicle.alive and vehicle.hex is not None:
            stacks.setdefault(vehicle.hex, []).append(vehicle)
    for hex, stack in sorted(stacks.items()):
        size, places = PLACES.get(len(stack), CROWD)
        for index, vehicle in enumerate(stack):
            dx, dy = places[index % len(places)]
            yield vehicle, Point(point(hex).x + dx, point(hex).y + dy), size


def counters(data: PanzerData, view: PanzerState, viewer: str) -> Iterator[str]:
    """1.7 Every vehicle on the map, stack by stack."""
    for vehicle, at, size in stacked(view.vehicles.values()):
        yield counter(data, view, vehicle, viewer, at, size)


def counter(data: PanzerData, view: PanzerState, vehicle: Unit, viewer: str, at: Point, size: int) -> str:
    """1.7 One counter: the wedge shows its facing, the corners its markers."""
    card = data.cards[vehicle.card]
    assert vehicle.hex is not None
    own = ' data-own=""' if vehicle.side == viewer else ""
    return (
        f'<g data-unit="{escape(vehicle.id)}"{own} data-at="{hex_name(vehicle.hex)}" '
        f'data-spots="{escape(" ".join(view.spotted.get(vehicle.id, [])))}" '
        f'transform="translate({at.x} {at.y})scale({size / 100})">'
        f"<title>{escape(unit_card(data, view, vehicle, viewer))}</title>"
        f'<path d="M-10-26L0-39 10-26z" fill="{INK}" stroke="#fff" stroke-width="1.4" '
        f'transform="rotate({60 * (vehicle.facing - 1)})"/>'
        f'<rect x="-25" y="-25" width="50" height="50" rx="4" fill="{NATIONS[card.nation]}" stroke="{INK}" '
        f'stroke-width="1.6"/><path d="M-22.5 22.500v-45h45" fill="none" stroke="#fff" stroke-opacity=".6"/>'
        f"{silhouette(card, vehicle.facing)}"
        f'<g text-anchor="middle" fill="{INK}" font-weight="700"><text y="22" font-size="11.5">{escape(vehicle.id)}'
        f'</text><text y="-15.5" font-size="{name_size(vehicle.name)}">{escape(vehicle.name)}</text></g>'
        f"{use(f'n-{card.nation}', Point(18, 18))}{''.join(markers(view, vehicle, viewer))}</g>"
    )


def name_size(name: str) -> str:
    """The largest letters with which a name fits on its counter."""
    return "8.6" if len(name) <= 9 else "7.2" if len(name) <= 11 else "6"


def silhouette(card: Card, facing: int) -> str:
    """1.6 The vehicle from above; the barrel is as long as its gun reaches far."""
    reach = max((weapon.maximum_range for weapon in card.weapons), default=0)
    barrel = f'<path d="M0-3v-{6 + min(reach, 36) // 3}" stroke="{INK}" stroke-width="2.2"/>' if reach else ""
    return (
        f'<g transform="translate(0 1)rotate({60 * (facing - 1)})scale(.92)" fill="{INK}" color="{INK}">'
        f'<use href="#v-{shape(card)}"/>{barrel}</g>'
    )


def shape(card: Card) -> str:
    """1.6 What kind of vehicle a card describes."""
    if card.traction == "W":
        return "car" if card.armed else "truck"
    if card.traction == "H":
        return "half"
    if not any(weapon.turreted for weapon in card.ap_weapons):
        return "open" if card.open_topped else "gun"
    return "heavy" if card.size > 0 else "tank"


def markers(view: PanzerState, vehicle: Unit, viewer: str) -> Iterator[str]:
    """4.2.1 the command counter, 4.1.3 the spot marker, 4.1 whether an enemy sees it, 4.4.3.2.6 damage."""
    if vehicle.command is not None:
        yield command_counter(vehicle, viewer)
    if vehicle.marker is not Spot.NONE:
        yield use(f"m-{vehicle.marker.value}", Point(20, -32))
    if seen_by(view, vehicle):
        yield use("m-seen", Point(27, 0))
    if vehicle.damaged:
        yield use("m-damaged", Point(-26, 0))


def command_counter(vehicle: Unit, viewer: str) -> str:
    """4.2.1 Its sign for those who know it, a question mark for the others."""
    assert vehicle.command is not None
    sign = COMMAND_SIGNS[vehicle.command] if knows_command(vehicle, viewer) else "?"
    return command_sign(sign, Point(-20, -32), face_down=not vehicle.revealed)


def command_sign(sign: str, at: Point, *, face_down: bool) -> str:
    """4.2.1 A command counter, dark while it lies face down."""
    paper, ink = ("#33302b", "#ffffff") if face_down else ("#ffffff", INK)
    return (
        f'<rect x="{at.x - 9}" y="{at.y - 9}" width="18" height="18" rx="2.5" fill="{paper}" stroke="{INK}" '
        f'stroke-width="1.2"/><text x="{at.x}" y="{at.y + 5}" font-size="14" font-weight="700" text-anchor="middle" '
        f'fill="{ink}">{sign}</text>'
    )


# --- words ---------------------------------------------------------------------------------------------------


def seen_by(view: PanzerState, vehicle: Unit) -> list[str]:
    """4.1 The enemies that spotted a vehicle; the matrix is public."""
    return [spotter for spotter, targets in sorted(view.spotted.items()) if vehicle.id in targets]


def command_words(vehicle: Unit, viewer: str) -> str:
    """4.2.1 What the viewer may know of the command."""
    if vehicle.command is None:
        return ""
    if not knows_command(vehicle, viewer):
        return "command face down"
    state = "revealed" if vehicle.revealed else "face down"
    return f"command {vehicle.command.value} ({state})"


def unit_card(data: PanzerData, view: PanzerState, vehicle: Unit, viewer: str) -> str:
    """1.6 A vehicle and its card in a few lines."""
    card = data.cards[vehicle.card]
    assert vehicle.hex is not None
    told = [
        f"{vehicle.id} {vehicle.name} · {card.name}",
        f"in {hex_name(vehicle.hex)}, facing {vehicle.facing} ({DIRECTIONS[vehicle.facing]})",
        ", ".join(filter(None, [command_words(vehicle, viewer), *condition(vehicle)])),
        f"movement {card.cross_country}{card.traction} {card.path}-{card.road}, size {card.size:+d}, "
        f"armour {card.front} front {card.rear} rear" + (", open-topped" if card.open_topped else ""),
        *(weapon_words(card)),
        f"spots {', '.join(view.spotted[vehicle.id])}" if view.spotted.get(vehicle.id) else "",
        f"spotted by {', '.join(seen)}" if (seen := seen_by(view, vehicle)) else "",
    ]
    return "\n".join(filter(None, told))


def condition(vehicle: Unit) -> Iterator[str]:
    if vehicle.damaged:
        yield "damaged"
    if vehicle.marker is not Spot.NONE:
        yield f"spot marker {vehicle.marker.value}"
    if vehicle.fired:
        yield "has fired"
    if vehicle.moved:
        yield "has moved"


def weapon_words(card: Card) -> Iterator[str]:
    for weapon in card.weapons:
        if weapon.has_ap:
            ranges, holes = ("/".join(map(str, row)) for row in (weapon.ranges, weapon.penetration))
            yield f"{weapon.name}: range {ranges}, penetration {holes}"
        else:
            yield f"{weapon.name}: no AP"


def describe(data: PanzerData, view: PanzerState, *, viewer: str) -> list[str]:
    """The map in words, a line for each thing: what is where."""
    names = {kind: terrain.name for kind, terrain in data.charts.terrains.items()}
    lines = [f"{data.board.name}, turn {view.turn} of {data.scenario.turns}."]
    for side in data.scenario.sides:
        lines += [vehicle_line(data, names, view, vehicle, viewer) for vehicle in view.of(side.id)]
        lines += reserve_lines(data, view, side.id)
    lines += [f"{wreck_words(name, wreck.brewed_up)}." for name, wreck in sorted(view.wrecks.items())]
    lines += [f"{objective_words(data, view, objective)}." for objective in data.scenario.objectives]
    return lines


def vehicle_line(data: PanzerData, names: Mapping[str, str], view: PanzerState, vehicle: Unit, viewer: str) -> str:
    """`ge1 PzIIIJ-1 (German): E5, facing 3 south-east, Clear, level 1; command face down; spotted by br1.`"""
    assert vehicle.hex is not None
    seen = seen_by(view, vehicle)
    told = [
        f"{hex_words(data.board, names, vehicle.hex)}; facing {vehicle.facing} {DIRECTIONS[vehicle.facing]}",
        command_words(vehicle, viewer),
        *condition(vehicle),
        f"spotted by {', '.join(seen)}" if seen else "",
    ]
    return f"{vehicle.id} {vehicle.name} ({side_name(data, vehicle.side)}) in {'; '.join(filter(None, told))}."


def reserve_lines(data: PanzerData, view: PanzerState, side: str) -> Iterator[str]:
    """R-02 Vehicles still to be set up, and reinforcements with the turn and hexes of their entry."""
    for unit in data.scenario.units:
        if unit.side == side and unit.id in view.vehicles and view.vehicles[unit.id].status is Status.RESERVE:
            entry = f"from turn {unit.turn} at {', '.join(map(hex_name, unit.entry))}"
            where = f"to be set up in {unit.area}" if unit.area else f"not on the map, {entry}"
            yield f"{unit.id} {unit.name} ({side_name(data, side)}): {where}."
