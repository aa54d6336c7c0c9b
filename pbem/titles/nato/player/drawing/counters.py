"""3.0, 4.2 Counters: unit symbols, sizes, factors and markers, stack by stack.

Nations differ in colour, and the sides also in shape: Warsaw Pact counters have sharp corners and a dark frame, NATO
counters have round corners and a light frame.
"""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from pbem.engine.text.messages import Message, say
from pbem.titles.nato.cards.units import Nation, Size, Symbol, UnitType
from pbem.titles.nato.map.atlas import Atlas
from pbem.titles.nato.map.ground import Side
from pbem.titles.nato.player.drawing.canvas import INK, Point, centre
from pbem.titles.nato.player.drawing.situation import Shown, Situation

FILLS: Final = {
    Nation.SU: "#e58f84",
    Nation.EG: "#c4c4c0",
    Nation.CS: "#dcbf94",
    Nation.PL: "#d3b5d9",
    Nation.US: "#a9b36a",
    Nation.UK: "#c9b899",
    Nation.WG: "#d0d79b",
    Nation.FR: "#9fd0ea",
    Nation.NL: "#bcdcf0",
    Nation.BE: "#bfe3b4",
    Nation.DK: "#cfc6ec",
}
"""3.9.1 The colours of the nations."""

FRONTS: Final = {
    "NEGF": "#5fb4e5",
    "POF": "#ffffff",
    "BAF": "#8c4a32",
    "BC": "#8c4a32",
    "BEF": "#b79fd8",
    "SEGF": "#161616",
    "CZF": "#ee8a1c",
    "CAF": "#56565c",
}
"""3.2.6 The stripes of the fronts."""

SIZES: Final = {
    Size.REGIMENT: "III",
    Size.BRIGADE: "X",
    Size.DIVISION: "XX",
    Size.CORPS: "XXX",
    Size.ARMY: "XXXX",
    Size.FRONT: "XXXXX",
}

CROSS: Final = "M-17-10L17 10M17-10L-17 10"
OVAL: Final = "M-9-6h18a6 6 0 0 1 0 12h-18a6 6 0 0 1 0-12z"
WING: Final = "M-8 8q4-6 8 0q4-6 8 0"
ROTOR: Final = "M-8-7l16 5v-5l-16 5z"
SYMBOLS: Final = {
    Symbol.AIRBORNE: CROSS + WING,
    Symbol.AIRBORNE_MECH: CROSS + OVAL + WING,
    Symbol.AIRMOBILE: CROSS + ROTOR,
    Symbol.AIRMOBILE_ANTITANK: "M-17 10L0-10 17 10" + ROTOR,
    Symbol.ARMOR: OVAL,
    Symbol.CAVALRY: OVAL + "M-17 10L17-10",
    Symbol.ARTILLERY: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0M-2-1L2 1",
    Symbol.HQ: "M-17-4h34",
    Symbol.MARINE_HQ: "M-17-4h34M0-1v9M-4 5q4 5 8 0",
    Symbol.INFANTRY: CROSS,
    Symbol.MARINE: CROSS + "M0-7v14M-4 4q4 5 8 0",
    Symbol.MARINE_MECH: CROSS + OVAL + "M0-7v14M-4 4q4 5 8 0",
    Symbol.MECHANIZED: CROSS + OVAL,
    Symbol.MOUNTAIN: CROSS + "M-6 10L0 2l6 8z",
}
"""3.2.8.1 The symbols inside a box of 34 by 20."""

SYMBOL_NAMES: Final = {
    Symbol.AIRBORNE: "airborne infantry",
    Symbol.AIRBORNE_MECH: "airborne mechanized infantry",
    Symbol.AIRMOBILE: "airmobile infantry",
    Symbol.AIRMOBILE_ANTITANK: "airmobile anti-tank",
    Symbol.ARMOR: "armor",
    Symbol.CAVALRY: "armored cavalry",
    Symbol.ARTILLERY: "artillery",
    Symbol.HQ: "headquarters",
    Symbol.MARINE_HQ: "marine headquarters",
    Symbol.INFANTRY: "infantry",
    Symbol.MARINE: "marine infantry",
    Symbol.MARINE_MECH: "marine mechanized infantry",
    Symbol.MECHANIZED: "mechanized infantry",
    Symbol.MOUNTAIN: "mountain infantry",
}

LAYOUTS: Final = {
    1: (100, ((0, 0),)),
    2: (76, ((-22, -6), (22, 10))),
    3: (68, ((-22, -20), (22, -20), (0, 24))),
    4: (68, ((-22, -20), (22, -20), (-22, 24), (22, 24))),
}
IN_CITIES: Final = {
    3: (60, ((-20, -19), (20, -19), (0, 12))),
    4: (60, ((-20, -19), (20, -19), (-20, 12), (20, 12))),
}
"""Smaller stacks, so that the name of the city below them can be read."""
CROWD: Final = (48, ((-28, -24), (2, -24), (32, -24), (-28, 10), (2, 10), (32, 10), (-28, 44), (2, 44), (32, 44)))
"""How the counters of a stack share its hex: their size in hundredths, and their positions."""

BOX_NAMES: Final = {"srb": "Strategic Reserve Box"} | {f"sector{n}": f"Box of sector {n}" for n in range(1, 6)}
"""2.2.2, 2.2.5 The boxes off the map."""

Units = Mapping[str, UnitType]


def counters(atlas: Atlas, units: Units, situation: Situation) -> Iterator[str]:
    """9.0 Draw every unit on the map, stack by stack; everyone may inspect every stack."""
    stacks: dict[str, list[Shown]] = {}
    for piece in situation.pieces:
        if piece.at in atlas:
            stacks.setdefault(piece.at, []).append(piece)
    for hex in sorted(stacks):
        stack = sorted(stacks[hex], key=lambda piece: (units[piece.unit].hq, units[piece.unit].artillery, piece.unit))
        layouts = {**LAYOUTS, **IN_CITIES} if atlas.places[hex].city else LAYOUTS
        size, spots = layouts.get(len(stack), CROWD)
        x, y = centre(hex)
        for index, piece in enumerate(stack):
            dx, dy = spots[index % len(spots)]
            yield counter(units[piece.unit], piece, Point(x + dx, y + dy), size)


BOX_STEP: Final = 66
BOX_ROW: Final = 74
BOX_LABEL: Final = 290


def boxes(units: Units, situation: Situation, at: Point, width: int) -> tuple[list[str], int]:
    """2.2.2, 2.2.5 Draw the units in the boxes off the map, box by box; also return the height of the drawing."""
    room = max(1, (width - BOX_LABEL) // BOX_STEP)
    drawn: list[str] = []
    y = at.y
    for box, name in BOX_NAMES.items():
        waiting = [piece for piece in situation.pieces if piece.at == box]
        if waiting:
            drawn.append(f'<text x="{at.x}" y="{y + 6}" font-size="18" font-weight="700">{escape(name)}</text>')
        for index, piece in enumerate(waiting):
            spot = Point(at.x + BOX_LABEL + BOX_STEP * (index % room), y + BOX_ROW * (index // room))
            drawn.append(counter(units[piece.unit], piece, spot, 100))
        y += BOX_ROW * -(-len(waiting) // room)
    return drawn, y - at.y


def counter(unit: UnitType, piece: Shown, at: Point, size: int) -> str:
    """3.2 Draw one counter."""
    own = ' data-own=""' if piece.own else ""
    faded = "" if piece.active else ' opacity=".62"'
    return (
        f'<g data-unit="{escape(unit.id)}"{own} data-at="{piece.at}" '
        f'transform="translate({at.x} {at.y})scale({size / 100})"{faded}>'
        f"<title>{escape(card(unit, piece))}</title>"
        f"{plate(unit, piece)}{stripe(unit)}{emblem(unit)}{texts(unit, piece)}{''.join(markers(unit, piece))}</g>"
    )


def plate(unit: UnitType, piece: Shown) -> str:
    """3.9 Draw the counter itself in the nation's colour and the side's shape; a reduced unit has a cut corner."""
    round_, edge = (0, "#5a0f0a") if unit.side is Side.WP else (9, "#16345f")
    dashed = ' stroke-dasharray="5 3"' if piece.reforger else ""
    cut = '<path d="M29-29h-17l17 17z" fill="#fff" stroke="#444" stroke-width="1"/>' if piece.reduced else ""
    return (
        f'<rect x="-29" y="-29" width="58" height="58" rx="{round_}" fill="{FILLS[unit.nation]}" stroke="{edge}" '
        f'stroke-width="2.6"{dashed}/>{cut}'
    )


def stripe(unit: UnitType) -> str:
    """3.2.6 Draw the coloured stripe of a front."""
    if unit.formation not in FRONTS:
        return ""
    return f'<path d="M-27.500 9.500h55v3h-55z" fill="{FRONTS[unit.formation]}" stroke="#444" stroke-width=".5"/>'


def emblem(unit: UnitType) -> str:
    """3.2.7, 3.2.8 Draw the unit's symbol in its box, with the size above it."""
    fill = "#e8433a" if unit.canadian else "#fff"
    filled = 'fill="#1b1a17"' if unit.artillery else 'fill="none"'
    return (
        f'<g transform="translate(0 -1)scale(.9)"><path d="M-17-10h34v20h-34z" fill="{fill}" stroke="{INK}" '
        f'stroke-width="1.6"/><path d="{SYMBOLS[unit.symbol]}" {filled} stroke="{INK}" stroke-width="1.6"/></g>'
        f"{label(-11, 7, SIZES[unit.size])}"
    )


def texts(unit: UnitType, piece: Shown) -> str:
    """3.2.1-3.2.4 Draw the designation and the factors."""
    numbers = factors(unit, piece)
    return label(-19, 10 if len(unit.name) <= 6 else 8, unit.name) + label(
        25, 14 if len(numbers) < 8 else 11, numbers
    )


def label(y: int, size: int, words: str) -> str:
    """Draw a line of text in the middle of a counter."""
    return (
        f'<text y="{y}" text-anchor="middle" font-size="{size}" font-weight="700" fill="{INK}">{escape(words)}</text>'
    )


def factors(unit: UnitType, piece: Shown) -> str:
    """3.2 The factors on the side that is face up, as printed: brackets for hard units, A for A-units."""
    face = unit.reduced if piece.reduced and unit.reduced is not None else unit.full
    if unit.hq:
        return f"({face.attack})({face.defense})-{face.move}"
    defense = f"[{face.defense}]" if unit.hard else f"({face.defense})" if unit.artillery else str(face.defense)
    return f"{face.attack}-{defense}-{face.move}{'A' if unit.a_unit else ''}"


def markers(unit: UnitType, piece: Shown) -> Iterator[str]:
    """4.2 Draw the markers of a unit as badges along its right edge."""
    badges = [
        ("S" if unit.hq or unit.artillery else "D", "#c62a20", piece.disrupted),
        ("M", "#7a4b00", piece.ms_out),
        ("C", "#7a4b00", piece.cs_out),
        ("U", "#7a4b00", unit.hq and not piece.supplied),
        ("T", "#37474f", piece.train),
        ("R", "#1b5e20", piece.reserve),
        ("E", "#6a1b6e", piece.engaged),
        ("RF", "#16345f", piece.reforger),
    ]
    shown = [(letter, colour) for letter, colour, here in badges if here]
    for place, (letter, colour) in enumerate(shown):
        x, y = 24 - 15 * (place // 4), -22 + 14 * (place % 4)
        yield (
            f'<circle cx="{x}" cy="{y}" r="8" fill="{colour}" stroke="#fff" stroke-width="1.2"/><text x="{x}" '
            f'y="{y + 3}" text-anchor="middle" font-size="9" font-weight="700" fill="#fff">{letter}</text>'
        )


def card(unit: UnitType, piece: Shown) -> str:
    """3.2 Describe a unit in lines: its name, factors, formation and condition."""
    lines = [f"{unit.title} ({unit.id})", f"{SYMBOL_NAMES[unit.symbol]}, {factors(unit, piece)}"]
    if unit.steps == 2:
        lines[1] += ", 1 step of 2" if piece.reduced else ", 2 steps"
    if unit.formation and not unit.hq:
        lines.append(f"belongs to {unit.formation}" + (f", army {unit.army}" if unit.army else ""))
    elif unit.independent:
        lines.append("independent")
    lines += map(str, condition(unit, piece))
    return "\n".join(lines)


def condition(unit: UnitType, piece: Shown) -> Iterator[Message]:
    """4.2 The markers of a unit in words."""
    if piece.reforger:
        yield say("Reforger site, not yet active")
    if not piece.active:
        yield say("not active")
    if piece.disrupted:
        yield say("suppressed") if unit.hq or unit.artillery else say("disrupted")
    if unit.hq and not piece.supplied:
        yield say("unsupplied")
    for words, here in (
        (say("out of movement supply"), piece.ms_out),
        (say("out of combat supply"), piece.cs_out),
        (say("on a train"), piece.train),
        (say("in reserve"), piece.reserve),
        (say("engaged"), piece.engaged),
    ):
        if here:
            yield words
