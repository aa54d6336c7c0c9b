"""The table as a picture: an SVG of what a viewer may know, and the same in words.

    ground      table, grid, terrain
    tanks       hulls with turret or gun, tokens, wrecks
    describe    the same in lines of words, for readers who do not see the picture

Made from a view and from nothing else. Styles are attributes, never CSS.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from pbem.titles.tanks.criticals import capacity
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.geometry import Corners, front_middle
from pbem.titles.tanks.keywords import ASSAULT_GUN, has
from pbem.titles.tanks.orders import mm
from pbem.titles.tanks.state import Status, Tank, TanksState
from pbem.titles.tanks.terrain import body_of, hull, piece_corners

FILL: Final = {"wood": "#7f9f5f", "building": "#a98f75", "impassable": "#8fb4c8"}
SEAT_FILL: Final = {"alpha": "#c9d7a3", "bravo": "#b9bfc9"}
VERBS: Final = "{unit}: stay;{unit}: move 0;shoot {unit}"
FONT: Final = "Liberation Sans,Arimo,Arial,Helvetica,sans-serif"
KEY: Final = 500


def svg(data: TanksData, view: TanksState, *, viewer: str) -> str:
    """The table as the viewer may see it; one unit is a tenth of a millimetre."""
    size = data.scenario.table
    title = f"{data.scenario.name}, turn {view.turn}"
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size + KEY}" width="900" '
            f'height="{900 * (size + KEY) // size}" role="img" font-family="{FONT}" aria-label="{escape(title)}" '
            f'data-map="0 0 {size} {size}"><title>{escape(title)}</title>',
            f"<desc>{escape(chr(10).join(describe(data, view)))}</desc>",
            *ground(data, view),
            *(part for tank in view.tanks.values() for part in draw(data, tank)),
            *key(data, view),
            "</svg>",
        )
    )


def points(corners: Corners) -> str:
    return " ".join(f"{corner.x},{corner.y}" for corner in corners)


def ground(data: TanksData, view: TanksState) -> Iterator[str]:
    """T3.1, T6 The table with an arrow's grid, its terrain and objectives."""
    size, arrow = data.scenario.table, data.scenario.arrow
    yield f'<rect width="{size}" height="{size + KEY}" fill="#f6f1df"/>'
    yield f'<rect width="{size}" height="{size}" fill="#ded6ae" stroke="#4a3d26" stroke-width="20"/>'
    for step in range(arrow, size, arrow):
        yield f'<path d="M{step} 0V{size}M0 {step}H{size}" stroke="#b9ae7e" stroke-width="6"/>'
    for piece in view.pieces:
        corners = points(piece_corners(data, piece))
        yield f'<polygon points="{corners}" fill="{FILL[piece.kind]}" stroke="#4a3d26" stroke-width="12"/>'
        yield text(piece.at.x, piece.at.y, piece.id, 130)
    for objective in data.scenario.objective:
        x, y = 10 * objective.at[0], 10 * objective.at[1]
        yield f'<circle cx="{x}" cy="{y}" r="120" fill="#d9b13b" stroke="#1d1a16" stroke-width="14"/>'
        yield text(x, y + 260, objective.id, 150)


def draw(data: TanksData, tank: Tank) -> Iterator[str]:
    """A tank on the table: its hull, its gun, its token."""
    if tank.status is Status.RESERVE:
        return
    fill = "#5b5148" if tank.status is Status.WRECK else SEAT_FILL[tank.seat]
    yield f'<g class="unit" data-unit="{tank.id}"><title>{escape(tank_words(data, tank))}</title>'
    yield f'<polygon points="{points(hull(data, tank))}" fill="{fill}" stroke="#1d1a16" stroke-width="16"/>'
    muzzle = front_middle(body_of(data.models[tank.model]), tank.at, tank.heading)
    yield f'<path d="M{tank.at.x} {tank.at.y}L{muzzle.x} {muzzle.y}" stroke="#1d1a16" stroke-width="36"/>'
    if not has(data, tank, ASSAULT_GUN):
        yield f'<circle cx="{tank.at.x}" cy="{tank.at.y}" r="90" fill="{fill}" stroke="#1d1a16" stroke-width="14"/>'
    colour = "#ffffff" if tank.status is Status.WRECK else "#1d1a16"
    yield text(tank.at.x, tank.at.y + 45, tank.id, 140, colour) + "</g>"


def text(x: int, y: int, words: str, size: int, colour: str = "#1d1a16") -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle" fill="{colour}">{escape(words)}</text>'


def key(data: TanksData, view: TanksState) -> Iterator[str]:
    """What the colours mean, and the length of the arrow."""
    entries: Iterable[tuple[str, str]] = (*SEAT_FILL.items(), ("wreck", "#5b5148"), *FILL.items())
    for number, (name, fill) in enumerate(entries):
        x, y = 150 + 1450 * number, data.scenario.table + 130
        yield f'<rect x="{x}" y="{y}" width="160" height="160" fill="{fill}" stroke="#1d1a16" stroke-width="10"/>'
        yield f'<text x="{x + 220}" y="{y + 130}" font-size="170" fill="#1d1a16">{name}</text>'


# --- words ---------------------------------------------------------------------------------------------------


def describe(data: TanksData, view: TanksState) -> list[str]:
    """What is where, in lines."""
    lines = [f"{data.scenario.name}, turn {view.turn}, {view.phase}; the table is {data.scenario.table_mm} mm square"]
    lines += [f"{piece.id} at {mm(piece.at.x)}/{mm(piece.at.y)}, heading {piece.heading}" for piece in view.pieces]
    return lines + [tank_words(data, tank) for tank in view.tanks.values()]


def tank_words(data: TanksData, tank: Tank) -> str:
    """A tank with its tokens and what is known of its cards."""
    name = f"{tank.id} {data.models[tank.model].name} ({tank.seat})"
    if tank.status is Status.RESERVE:
        return f"{name}, not yet deployed"
    place = f"at {mm(tank.at.x)}/{mm(tank.at.y)}, heading {tank.heading}"
    if tank.status is Status.WRECK:
        return f"{name}, wreck {place}"
    aboard = [held for held in tank.cards if not held.gone]
    known = [data.cards[held.id].name if held.id else f"a card of {held.points}" for held in aboard]
    troubles = [data.criticals[card].name for card in tank.criticals]
    tokens = f"damage {tank.damage} of {capacity(data, tank)}, speed {tank.speed}"
    return ", ".join([name, place, tokens, *troubles, *known])
