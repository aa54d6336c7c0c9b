"""1.1, 1.2 The whole picture: the ground, markers on hexes, counters, and the sighting thread.

    scene       the map as SVG, with its own description in words
    3.2.1       thread: the line of sight over the map, with its obstacles and hindrances

The picture is drawn only from the viewer's tokens and markers on hexes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from pbem.titles.aslsk.ground.explained_sight import Sight
from pbem.titles.aslsk.ground.explained_sight import words as sight_words
from pbem.titles.aslsk.picture.board import Box, frame, ground_picture, map_frame
from pbem.titles.aslsk.picture.counters import counters
from pbem.titles.aslsk.picture.paper import FONT, INK, Spot, hexagon_path, numbers, spot, spot_of, text, use
from pbem.titles.aslsk.picture.words import Sign, Token, describe, sign_words

if TYPE_CHECKING:
    from pbem.titles.aslsk.cards.deck import Deck
    from pbem.titles.aslsk.ground.terrain import Ground

NO_NAMES: Final[dict[str, str]] = {}


def scene(
    ground: Ground,
    deck: Deck,
    tokens: Iterable[Token] = (),
    signs: Iterable[Sign] = (),
    *,
    title: str = "",
    sights: Iterable[Sight] = (),
    areas: Mapping[str, Sequence[str]] = NO_NAMES,
    colours: Mapping[str, str] = NO_NAMES,
    names: Mapping[str, str] = NO_NAMES,
    verbs: str = "",
) -> str:
    """Draw the map with everything on it; `areas` are the sides' set-up areas, `colours` and `names` the sides'
    colours and names.
    """
    shown, marked = list(tokens), list(signs)
    box, called = frame(ground), title or f"Map of {ground.name}"
    lines = list(describe(ground, deck, shown, marked, names))
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{numbers(box)}" width="{box.width}" '
            f'height="{box.height}" role="img" font-family="{FONT}" aria-label="{escape(called)}" '
            f'data-verbs="{escape(verbs)}" data-map="{numbers(map_frame(ground))}" '
            f'data-focus="{numbers(focus(ground, shown, marked))}"><title>{escape(called)}</title>',
            f"<desc>{escape(chr(10).join(map(str, lines)))}</desc>",
            ground_picture(ground),
            *set_up_areas(ground, areas, colours),
            *under(ground, marked, colours),
            *counters(ground, deck, shown),
            *over(ground, marked),
            *(line for sight in sights for line in thread(ground, sight)),
            "</svg>",
        )
    )


def focus(ground: Ground, tokens: Sequence[Token], signs: Sequence[Sign]) -> Box:
    """The part of the map with counters or markers, which a small window shows first."""
    occupied = [*(token.hex for token in tokens), *(sign.hex for sign in signs)]
    hexes = [hex for hex in occupied if hex in ground]
    if not hexes:
        return map_frame(ground)
    spots = [spot_of(ground[hex].hex) for hex in hexes]
    left, top = min(at.x for at in spots) // 10 - 110, min(at.y for at in spots) // 10 - 100
    right, bottom = max(at.x for at in spots) // 10 + 110, max(at.y for at in spots) // 10 + 100
    return Box(left, top, right - left, bottom - top)


def set_up_areas(ground: Ground, areas: Mapping[str, Sequence[str]], colours: Mapping[str, str]) -> Iterator[str]:
    """1.3 Draw the areas where a side may still place its counters."""
    for side, hexes in areas.items():
        drawn = "".join(hexagon_path(ground[hex].hex) for hex in hexes)
        yield (
            f'<path d="{drawn}" fill="{colours.get(side, "#888888")}" fill-opacity=".3" stroke="{INK}" '
            'stroke-opacity=".25" stroke-width="1" pointer-events="none"/>'
        )


def under(ground: Ground, signs: Iterable[Sign], colours: Mapping[str, str]) -> Iterator[str]:
    """1.3, def/control Draw objectives and control beneath the counters."""
    for sign in signs:
        middle = spot_of(ground[sign.hex].hex)
        if sign.kind == "goal":
            yield (
                f'<path d="{hexagon_path(ground[sign.hex].hex)}" fill="none" stroke="#b3261e" stroke-width="4" '
                f'stroke-opacity=".75"><title>{escape(str(sign_words(sign)))}</title></path>'
            )
        elif sign.kind == "control":
            colour = colours.get(sign.side, "#ffffff")
            x, y = middle.moved(-38, -12)
            yield (
                f'<g transform="translate({Spot(x, y)})"><path d="M0 16V-8" stroke="{INK}" stroke-width="2"/>'
                f'<path d="M1-8h16l-4 5 4 5H1z" fill="{colour}" stroke="{INK}"/></g>'
            )


def over(ground: Ground, signs: Iterable[Sign]) -> Iterator[str]:
    """1.2.5, 3.3.5, 3.8 Draw Smoke, Residual FP, Melee and charges above the counters."""
    for sign in signs:
        middle = spot_of(ground[sign.hex].hex)
        title = f"<title>{escape(str(sign_words(sign)))}</title>"
        if sign.kind == "smoke":
            label = text(
                Spot(0, 60), sign.text, f' font-size="17" font-weight="700" text-anchor="middle" fill="{INK}"'
            )
            yield f'<g transform="translate({middle.moved(0, 22)})scale(.8)">{title}{use("cloud")}{label}</g>'
        elif sign.kind in ("residual", "melee", "charge", "acquired"):
            yield label_sign(sign, middle, title)


def label_sign(sign: Sign, middle: Spot, title: str) -> str:
    """Draw a round marker with a few letters."""
    colour = {"residual": "#b3261e", "melee": "#7a1f1f", "charge": "#4a3d26"}.get(sign.kind, "#1f5fa8")
    said = {"residual": sign.text, "melee": "CC", "charge": "DC"}.get(sign.kind, sign.text)
    return (
        f'<g transform="translate({middle.moved(34, 22)})">{title}<circle r="12" fill="{colour}" stroke="#fff" '
        f'stroke-width="1.6"/><text y="4.500" font-size="12.500" font-weight="700" fill="#fff" '
        f'text-anchor="middle">{escape(said)}</text></g>'
    )


def thread(ground: Ground, sight: Sight) -> Iterator[str]:
    """3.2.1 Draw the sighting thread: dark where it is clear, red and dashed beyond the first obstacle."""
    start, end = spot(*sight.thread.start), spot(*sight.thread.end)
    stop = sight.thread.stop if not sight.clear else 1000
    turn = Spot(
        start.x + (end.x - start.x) * stop // 1000,
        start.y + (end.y - start.y) * stop // 1000,
    )
    yield f'<g data-thread="{sight.a} {sight.b}" pointer-events="none"><title>{escape(sight_words(sight))}</title>'
    for obstacle in sight.obstacles[:1]:
        for hex in obstacle.hexes:
            yield f'<path d="{hexagon_path(ground[hex].hex)}" fill="#b3261e" fill-opacity=".22"/>'
    for part in sight.hindrances:
        for hex in part.hexes:
            yield f'<path d="{hexagon_path(ground[hex].hex)}" fill="#e0a400" fill-opacity=".25"/>'
            label = ' font-size="15" font-weight="700" text-anchor="middle" fill="#7a5200"'
            yield text(spot_of(ground[hex].hex).moved(0, 34), f"+{part.value}", label)
    yield f'<path d="M{start}L{turn}" stroke="#fff" stroke-width="4.5" stroke-opacity=".8"/>'
    yield f'<path d="M{start}L{turn}" stroke="{INK}" stroke-width="2"/>'
    if not sight.clear:
        yield f'<path d="M{turn}L{end}" stroke="#b3261e" stroke-width="2.4" stroke-dasharray="7 5"/>'
        yield f'<circle cx="{str(turn).split()[0]}" cy="{str(turn).split()[1]}" r="6" fill="#b3261e" stroke="#fff"/>'
    for place in (start, end):
        x, y = str(place).split()
        yield f'<circle cx="{x}" cy="{y}" r="5" fill="{INK}" stroke="#fff" stroke-width="1.4"/>'
    yield "</g>"
