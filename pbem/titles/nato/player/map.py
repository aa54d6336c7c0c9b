"""The map as a picture and in plain text.

    situation_of   the contents of a picture, from a view
    svg            the ground, the units and the events of the turn as an SVG, with a description in `desc`
    describe       the same description in lines, by formation
    letters        a map in characters, for plain text

Styles are attributes, never CSS: the picture is shown on pages and converted to an image for emails.
"""

from collections.abc import Iterable, Iterator
from html import escape

from pbem.titles.nato.map.atlas import Atlas
from pbem.titles.nato.map.ground import CityClass, Side, Terrain
from pbem.titles.nato.player.drawing.canvas import FONT, INK, MARGIN, Point, frame, outline
from pbem.titles.nato.player.drawing.counters import Units, boxes, counters
from pbem.titles.nato.player.drawing.ground import (
    CURTAIN,
    MANY,
    PATTERNS,
    RIVER,
    SIDE_COLOURS,
    TINTS,
    city_names,
    city_sign,
    ground,
    stroke,
)
from pbem.titles.nato.player.drawing.overlays import (
    assaults,
    clashes,
    control,
    flags,
    formations,
    front,
    hatching,
    signs,
    supply_lines,
    tracks,
    zones,
)
from pbem.titles.nato.player.drawing.situation import Clash, Shown, Situation, SupplyLine, Track, situation_of
from pbem.titles.nato.player.drawing.words import describe, letters

__all__ = ["Clash", "Shown", "Situation", "SupplyLine", "Track", "describe", "letters", "situation_of", "svg"]

KEY_ROW = 64
KEY_COLUMN = 270


def svg(atlas: Atlas, units: Units, situation: Situation) -> str:
    """Draw the map as a picture."""
    left, top, width, height = frame(atlas)
    entries = list(key_entries())
    columns = max(1, (width - 2 * MARGIN) // KEY_COLUMN)
    waiting, tall = boxes(units, situation, Point(left + MARGIN, top + height + 30), width - 2 * MARGIN)
    deep = height + tall + KEY_ROW * (-(-len(entries) // columns)) + 2 * MARGIN
    title = escape(f"{situation.title}, turn {situation.turn}")
    held = control(atlas, units, situation) if situation.pieces else {}
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {deep}" width="{width}" '
            f'height="{deep}" role="img" font-family="{FONT}" aria-label="Map of {title}" '
            f'data-verbs="{escape(situation.verbs)}" data-map="{left} {top} {width} {height + tall}" '
            f'data-focus="{focus(atlas, situation)}"><title>{title}</title>',
            f"<desc>{escape(chr(10).join(map(str, describe(atlas, units, situation))))}</desc>",
            f'<path d="M{left} {top}h{width}v{deep}h-{width}z" fill="#ebe7da"/>',
            hatching(),
            ground(atlas),
            *front(atlas, held),
            *zones(atlas, situation),
            *signs(atlas, situation),
            *flags(atlas, situation),
            *(formations(atlas, units, situation) if len(atlas) > MANY else ()),
            *supply_lines(atlas, situation),
            *latest((*assaults(atlas, situation), *tracks(atlas, situation))),
            *counters(atlas, units, situation),
            *city_names(atlas),
            *latest(clashes(atlas, situation)),
            *waiting,
            f'<g data-key="{left} {top + height + tall} {width} {deep - height - tall}">',
            *key(entries, Point(left + MARGIN, top + height + tall + MARGIN), columns),
            "</g>",
            "</svg>",
        )
    )


def latest(marks: Iterable[str]) -> Iterator[str]:
    """Group the marks of the latest events; a picture of a whole turn leaves them out."""
    yield '<g class="latest">'
    yield from marks
    yield "</g>"


def focus(atlas: Atlas, situation: Situation) -> str:
    """The part of the map that contains units, which a page shows first."""
    hexes = [piece.at for piece in situation.pieces if piece.at in atlas]
    return " ".join(map(str, frame(hexes or list(atlas))))


# --- the key ----------------------------------------------------------------------------------------------------


def key_entries() -> Iterator[tuple[str, str]]:
    """Yield the entries of the key: a drawing around the origin, and its meaning."""
    for kind in Terrain:
        fill = f'<path d="{outline("0035")}" transform="scale(.42)" fill="{TINTS[kind]}" stroke="{INK}"/>'
        over = (
            f'<path d="{outline("0035")}" transform="scale(.42)" fill="url(#t-{kind})"/>' if kind in PATTERNS else ""
        )
        yield fill + over, "All sea" if kind is Terrain.SEA else str(kind).capitalize()
    for city in CityClass:
        yield f'<g transform="scale(.6)">{city_sign(0, 0, city)}</g>', f"{city.capitalize()} city"
    wave = "M-22 4q11-14 22 0t22-4"
    yield stroke(wave, RIVER, 5), "Minor river"
    yield stroke(wave, "#173f73", 13) + stroke(wave, "#5b9bdc", 10), "Major river"
    yield stroke("M-22 0h44", CURTAIN, 6, 'stroke-dasharray="18 5"'), "Iron Curtain"
    yield stroke("M-22 0h44", "#5d5a52", 4, 'stroke-dasharray="14 6 3 6"'), "Border"
    yield stroke("M-22 0h44", "#7b3fa0", 3, 'stroke-dasharray="3 9" stroke-linecap="round"'), "Command zones"
    yield stroke("M-14-12q8 12 0 24M14-12q-8 12 0 24", "#4a3413", 4), "Pass"
    yield stroke("M-22 0h44", "#6b3d12", 6), "Causeway"
    yield stroke("M-22 0h44", "#7a2f6f", 8), "Blocked hexside"
    yield '<path d="M-10 9l10-18 10 18z" fill="#c62a20"/>', "Mobilization site"
    yield stroke("M-22 0h44", "#111", 7, 'stroke-dasharray="26 8"'), "Front line"
    yield f'<path d="M-5-5h9v9h-9z" fill="{SIDE_COLOURS[Side.WP]}"/>', "WP zone of control"
    yield stroke("M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", SIDE_COLOURS[Side.NATO], 3), "NATO zone of control"
    yield stroke("M-22 0h44", "#1b7a3d", 6, 'stroke-dasharray="2 11" stroke-linecap="round"'), "Line of supply"
    for side, name in ((Side.WP, "Held by the Warsaw Pact"), (Side.NATO, "Held by NATO")):
        box = f'<path d="M-20-16h40v32h-40z" fill="url(#held-{side})" stroke="{SIDE_COLOURS[side]}"/>'
        yield box, name
    for letter, colour, name in (
        ("D", "#c62a20", "Disrupted (S suppressed)"),
        ("M", "#7a4b00", "Out of movement supply"),
        ("C", "#7a4b00", "Out of combat supply"),
        ("U", "#7a4b00", "Unsupplied HQ"),
        ("R", "#1b5e20", "Reserve or OMG"),
        ("RF", "#16345f", "Reforger site"),
    ):
        text = f'<text y="4" text-anchor="middle" font-size="12" fill="#fff">{letter}</text>'
        yield f'<circle r="11" fill="{colour}"/>{text}', name


def key(entries: list[tuple[str, str]], at: Point, columns: int) -> Iterator[str]:
    """Draw the key below the map."""
    yield f'<g font-size="16" fill="{INK}">'
    for index, (drawn, name) in enumerate(entries):
        x, y = at.x + KEY_COLUMN * (index % columns), at.y + KEY_ROW * (index // columns) + KEY_ROW // 2
        yield f'<g transform="translate({x + 26} {y})">{drawn}<text x="34" y="6">{escape(name)}</text></g>'
    yield "</g>"
