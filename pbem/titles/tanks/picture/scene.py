"""The table as a picture: an SVG of everything the viewer may see, and a description in text.

    T3.1, T6      ground: table, grid, terrain, objectives
    T5.1, T7.3    draw: hulls with their front lines, turret or gun, tokens, wrecks
    T7.2, T7.7    sights: possible targets, and their hidden corners
    ----          describe: the same in lines of text, for readers who do not see the picture

The picture is made only from a view; one unit is a millimetre. Styles are attributes, never CSS. A page can use the
picture to give orders: `data-arrow` is the length of the arrow, and every tank is marked with its heading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from pbem.engine.geometry.plane import Point
from pbem.engine.text.messages import Message, named, say, say_n, several
from pbem.titles.tanks.cards.criticals import capacity, front_only
from pbem.titles.tanks.cards.keywords import ASSAULT_GUN, has
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.ground.geometry import Corners
from pbem.titles.tanks.ground.line_of_sight import hidden_corners
from pbem.titles.tanks.ground.sighting import eye_of, targets
from pbem.titles.tanks.ground.terrain import given_pieces, hull, piece_corners, screens
from pbem.titles.tanks.movement.moves import allowance
from pbem.titles.tanks.picture.margins import MARGIN, around, axes, cover, mm_of, rose
from pbem.titles.tanks.player.words import in_cm, mm, write_place
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Piece, Status, Tank
from pbem.titles.tanks.telling.names import PHASES, side

INK: Final = "#1d1a16"
FILL: Final = {"wood": "#7f9f5f", "building": "#a98f75", "impassable": "#8fb4c8"}
PATTERNS: Final = (
    '<defs><pattern id="wood" width="26" height="26" patternUnits="userSpaceOnUse">'
    '<path d="M2 9a5 5 0 1 1 10 0a5 5 0 1 1 -10 0M15 21a5 5 0 1 1 10 0a5 5 0 1 1 -10 0" fill="#55763a"/></pattern>'
    '<pattern id="building" width="18" height="12" patternUnits="userSpaceOnUse">'
    '<path d="M0 .5H18M0 6.5H18M4 .5v6M13 6.5v6" stroke="#77604a" fill="none"/></pattern>'
    '<pattern id="impassable" width="20" height="10" patternUnits="userSpaceOnUse">'
    '<path d="M0 5q5 -5 10 0t10 0" stroke="#3f7590" stroke-width="1.4" fill="none"/></pattern></defs>'
)
"""T6 A pattern for each kind of terrain, in addition to its colour: crowns, bricks, waves."""
SEAT_FILL: Final = {"alpha": "#c9d7a3", "bravo": "#b9bfc9"}
WRECK_FILL: Final = "#5b5148"
VERBS: Final = {"movement": "stay;hunt;hide;rush", "shooting": "hold;shoot best;shoot nearest", "command": "hold"}
"""Orders that can be given with a pointer without a destination or target; moves and shots need one."""
FONT: Final = "Liberation Sans,Arimo,Arial,Helvetica,sans-serif"
KEY: Final = 116
FRONT_LINE: Final = 45
"""How far the front line of a hull is drawn to either side of its middle, in millimetres."""


def svg(situation: Situation, *, viewer: str) -> str:
    """Draw the table as the viewer may see it."""
    data, view = situation.data, situation.state
    size = data.scenario.table_mm
    title = f"{data.scenario.name}, turn {view.turn}"
    left, whole = -MARGIN, size + 2 * MARGIN
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {left} {whole} {whole + KEY}" width="{whole}" '
            f'height="{whole + KEY}" role="img" font-family="{FONT}" aria-label="{escape(title)}" '
            f'data-map="{left} {left} {whole} {whole}" data-scale="0.1" '
            f'data-arrow="{data.scenario.arrow_mm}" data-phase="{view.phase}" '
            f'data-verbs="{VERBS.get(view.phase, "")}"{reserves(situation, viewer)}><title>{escape(title)}</title>',
            f"<desc>{escape(chr(10).join(map(str, describe(situation))))}</desc>",
            *ground(situation),
            *(part for tank in view.live for part in sights(situation, tank)),
            *(part for tank in view.live for part in cover(situation, tank)),
            *(part for tank in view.tanks.values() for part in draw(data, tank, viewer)),
            *key(data),
            "</svg>",
        )
    )


def reserves(situation: Situation, viewer: str) -> str:
    """T3.3 Return half the length and width of each hull that the viewer may still deploy, for its outline."""
    tanks = [tank for tank in situation.state.tanks.values() if tank.status is Status.RESERVE and tank.seat == viewer]
    bodies = [(tank.id, situation.data.bodies[tank.model]) for tank in tanks]
    said = ";".join(f"{id} {mm(body.length)} {mm(body.width)}" for id, body in bodies)
    return f' data-reserves="{said}"' if said else ""


def points(corners: Corners) -> str:
    return " ".join(f"{mm(corner.x)},{mm(corner.y)}" for corner in corners)


def ground(situation: Situation) -> Iterator[str]:
    """T3.1, T6 Draw the table with a grid of one arrow, its terrain and its objectives."""
    data = situation.data
    size, arrow = data.scenario.table_mm, data.scenario.arrow_mm
    whole = size + 2 * MARGIN
    yield f'<rect x="-{MARGIN}" y="-{MARGIN}" width="{whole}" height="{whole + KEY}" fill="#f6f1df"/>'
    yield from axes(size)
    yield f'<rect width="{size}" height="{size}" fill="#ded6ae" stroke="#4a3d26" stroke-width="2"/>'
    for step in range(arrow, size, arrow):
        yield f'<path d="M{step} 0V{size}M0 {step}H{size}" stroke="#b9ae7e" stroke-width=".6"/>'
    yield PATTERNS
    for piece in pieces_shown(situation):
        corners = points(piece_corners(data, piece))
        for fill in (FILL[piece.kind], f"url(#{piece.kind})"):
            yield f'<polygon points="{corners}" fill="{fill}" stroke="#4a3d26" stroke-width="1.2"/>'
        yield text(mm(piece.at.x), mm(piece.at.y), piece.id, 10, halo=True)
    for objective in data.scenario.objective:
        x, y = objective.at
        yield f'<circle cx="{x}" cy="{y}" r="12" fill="#d9b13b" stroke="{INK}" stroke-width="1.4"/>'
        yield text(str(x), str(y + 26), objective.id, 15)


def pieces_shown(situation: Situation) -> Sequence[Piece]:
    """T3.1 The terrain on the table; while platoons are chosen, the terrain that the scenario will place."""
    return situation.state.pieces or (given_pieces(situation.data) if situation.state.turn == 0 else ())


def draw(data: TanksData, tank: Tank, viewer: str) -> Iterator[str]:
    """T5.1 Draw a tank on the table: its hull with its front line, its gun and its token."""
    if tank.status is Status.RESERVE:
        return
    body = data.bodies[tank.model]
    length, width = mm(body.length), mm(body.width)
    fill = WRECK_FILL if tank.status is Status.WRECK else SEAT_FILL[tank.seat]
    own = f' data-own="" data-moves="{allowance(data, tank)}"' if tank.seat == viewer and tank.live else ""
    yield f'<g data-unit="{tank.id}"{own} data-heading="{tank.heading}" data-half="{length} {width}" '
    words = escape(str(tank_words(data, tank)))
    yield f'transform="translate({mm(tank.at.x)} {mm(tank.at.y)})"><title>{words}</title>'
    if tank.live:
        yield front(data, tank, length)
    yield f'<rect x="-{width}" y="-{length}" width="{mm(2 * body.width)}" height="{mm(2 * body.length)}" rx="2" '
    yield f'fill="{fill}" stroke="{INK}" stroke-width="1.6" transform="rotate({tank.heading})"/>'
    yield f'<path d="M0 -10V-{length}" stroke="{INK}" stroke-width="3.6" transform="rotate({tank.heading})"/>'
    if not has(data, tank, ASSAULT_GUN):
        yield f'<circle r="10.5" fill="{fill}" stroke="{INK}" stroke-width="1.4"/>'
    colour = "#ffffff" if tank.status is Status.WRECK else INK
    yield text("0", "5", tank.id, 14, colour)
    behind = around(tank.heading + 180, body.length + 150)
    yield text(mm_of(behind.x), mm_of(behind.y + 70), tank.id, 20, halo=True) + "</g>"


def front(data: TanksData, tank: Tank, length: str) -> str:
    """T7.3, T7.9 Draw the front line of a hull, behind which shots are side shots.

    The line is heavier if the tank fires only ahead.
    """
    fixed = has(data, tank, ASSAULT_GUN) or front_only(data, tank)
    style = 'stroke="#8c1c13" stroke-width="2"' if fixed else 'stroke="#4a3d26" stroke-dasharray="4 3"'
    way = f"M-{FRONT_LINE} -{length}H{FRONT_LINE}"
    arrow = f"M0 -{length}m0 -9l6 9h-12z"
    return f'<g transform="rotate({tank.heading})"><path d="{way}" {style}/><path d="{arrow}" fill="{INK}"/></g>'


def sights(situation: Situation, shooter: Tank) -> Iterator[str]:
    """T7.2, T7.7 Draw a line of sight to every target and lines to its corners, broken where a corner is hidden."""
    data, view = situation.data, situation.state
    start = eye_of(data, shooter)
    for id in targets(situation, shooter):
        target = view.tanks[id]
        corners = hull(data, target)
        hidden = hidden_corners(start, hull(data, shooter), corners, screens(situation, shooter.id, id))
        dashes = ' stroke-dasharray="9 6"' if hidden else ""
        pale = f'stroke="#a3140a" stroke-opacity=".35" stroke-width="1.4"{dashes}'
        yield f'<g class="latest"><path d="{line(start, target.at)}" {pale}/></g>'  # films show shots themselves
        yield f'<g data-sight="{shooter.id} {id}" display="none" fill="none" stroke-width="1.6">'
        for number, corner in enumerate(corners):
            style = 'stroke="#6b5c3e" stroke-dasharray="3 5"' if number in hidden else 'stroke="#a3140a"'
            yield f'<path d="{line(start, corner)}" {style}/>'
        yield "</g>"


def line(start: Point, end: Point) -> str:
    return f"M{mm(start.x)} {mm(start.y)}L{mm(end.x)} {mm(end.y)}"


def text(x: str, y: str, words: str, size: int, colour: str = INK, *, halo: bool = False) -> str:
    around = ' stroke="#f6f1df" stroke-width="3" paint-order="stroke"' if halo else ""
    style = f'font-size="{size}" text-anchor="middle" fill="{colour}"{around}'
    return f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>'


def key(data: TanksData) -> Iterator[str]:
    """Draw the key: the meaning of colours and lines, and the length of the arrow."""
    entries: Iterable[tuple[str, str]] = (*SEAT_FILL.items(), ("wreck", WRECK_FILL), *FILL.items())
    size, arrow = data.scenario.table_mm, data.scenario.arrow_mm
    top = size + MARGIN + 8
    yield f'<g data-key="-{MARGIN} {size + MARGIN} {size + 2 * MARGIN} {KEY}">'
    yield from rose(size - 50, top + 52, 36)
    for number, (name, fill) in enumerate(entries):
        x = 15 + 125 * number
        for colour in (fill, f"url(#{name})" if name in FILL else "none"):
            yield f'<rect x="{x}" y="{top}" width="14" height="14" fill="{colour}" stroke="{INK}"/>'
        yield f'<text x="{x + 20}" y="{top + 12}" font-size="14" fill="{INK}">{name}</text>'
    yield f'<path d="M15 {top + 28}h{arrow}m-8 -5l8 5l-8 5" fill="none" stroke="{INK}" stroke-width="2"/>'
    words = (
        f"arrow: {in_cm(arrow)} cm · red: possible shot (dashed: in cover) · shots from behind a front are side shots"
    )
    yield f'<text x="{arrow + 25}" y="{top + 33}" font-size="13" fill="{INK}">{words}</text>'
    ring = "ring around a selected tank: thick green: cover from that side; thin red: no cover; dashed: out of sight"
    yield f'<text x="15" y="{top + 56}" font-size="13" fill="{INK}">{ring}</text>'
    scale = "edges in centimetres from the north-west corner · bearings in degrees, clockwise from north"
    yield f'<text x="15" y="{top + 76}" font-size="13" fill="{INK}">{scale}</text></g>'


# --- words ---------------------------------------------------------------------------------------------------


def describe(situation: Situation) -> list[Message]:
    """Describe in lines of text where everything is."""
    data, view = situation.data, situation.state
    lines = [
        say(
            "{scenario}, turn {turn}, {phase}; the table is {size} cm square",
            scenario=data.scenario.name,
            turn=view.turn,
            phase=PHASES[view.phase],
            size=in_cm(data.scenario.table_mm),
        )
    ]
    lines += [
        say("{terrain} {place}", terrain=piece.id, place=place_words(piece.at, piece.heading))
        for piece in pieces_shown(situation)
    ]
    return lines + [tank_words(data, tank) for tank in view.tanks.values()]


def place_words(at: Point, heading: int) -> Message:
    return say("at {place}, heading {heading}", place=write_place(at.x, at.y), heading=heading)


def tank_words(data: TanksData, tank: Tank) -> Message:
    """Describe a tank with its tokens and everything that is known about its cards."""
    name = say("{tank} {model} ({side})", tank=tank.id, model=data.models[tank.model].name, side=side(tank.seat))
    if tank.status is Status.RESERVE:
        return say("{tank}, not yet deployed", tank=name)
    place = place_words(tank.at, tank.heading)
    if tank.status is Status.WRECK:
        return say("{tank}, wreck {place}", tank=name, place=place)
    aboard = [held for held in tank.cards if not held.gone]
    known = [
        named("tanks card", data.cards[held.id].name)
        if held.id
        else say_n("a card of {n} point", "a card of {n} points", n=held.points)
        for held in aboard
    ]
    troubles = [named("tanks critical", data.criticals[card].name) for card in tank.criticals]
    damage = say("damage {damage} of {capacity}", damage=tank.damage, capacity=capacity(data, tank))
    facts = [place, damage, say("speed {speed}", speed=tank.speed), *troubles, *known]
    return say("{tank}, {facts}", tank=name, facts=several(facts, "unit"))
