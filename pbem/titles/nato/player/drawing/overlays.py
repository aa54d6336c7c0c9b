"""Overlays: control, the front line, markers, movements and battles."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Final

from pbem.titles.nato.cards.units import UnitType
from pbem.titles.nato.map.atlas import Atlas
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Hexside, Side
from pbem.titles.nato.player.drawing.canvas import Point, centre, chains, ends, outlines, smooth
from pbem.titles.nato.player.drawing.ground import SIDE_COLOURS, stroke, toward
from pbem.titles.nato.player.drawing.situation import Clash, Situation, Track

REACH: Final = 6
"""The distance around its units and cities within which a side is shown to hold enemy territory."""


def control(atlas: Atlas, units: Mapping[str, UnitType], situation: Situation) -> dict[HexId, Side]:
    """The side that holds each land hex on the picture: the one with the nearest unit or city.

    This is not a rule; it only serves to draw the front line. In its own country a side needs no unit: the enemy
    holds a hex only if a unit or a city inside the country is nearer than every unit and city of the owner.
    """
    nearest = {
        (side, country): distances(atlas, sources(atlas, units, situation, side, country))
        for side in Side
        for country in Side
    }
    held: dict[HexId, Side] = {}
    for hex, place in atlas.places.items():
        if place.side is not None:
            owner, invader = place.side, place.side.enemy
            own = min(nearest[owner, country].get(hex, REACH + 1) for country in Side)
            held[hex] = invader if nearest[invader, owner].get(hex, REACH + 1) < own else owner
    return held


def sources(
    atlas: Atlas, units: Mapping[str, UnitType], situation: Situation, side: Side, country: Side
) -> list[HexId]:
    """The hexes with units and cities of a side, in the territory of one alliance."""
    cities = [hex for hex in atlas.cities if situation.conquered.get(hex, atlas[hex].side) is side]
    posts = [
        piece.at
        for piece in situation.pieces
        if piece.at in atlas and units[piece.unit].side is side and not piece.reforger
    ]
    return [hex for hex in (*posts, *cities) if atlas[hex].side is country]


def distances(atlas: Atlas, start: Iterable[HexId]) -> dict[HexId, int]:
    """The distance over land from each hex to the nearest of the starting hexes, up to `REACH`."""
    found = dict.fromkeys(start, 0)
    waiting = deque(found)
    while waiting:
        hex = waiting.popleft()
        if found[hex] == REACH:
            continue
        for near, _ in atlas.ground.get(hex, ()):
            if near not in found:
                found[near] = found[hex] + 1
                waiting.append(near)
    return found


def front(atlas: Atlas, held: Mapping[HexId, Side]) -> Iterator[str]:
    """Hatch the enemy ground that a side holds in that side's colour, and draw the front line where it has left
    the border.
    """
    for side in Side:
        taken = [hex for hex, holder in held.items() if holder is side and atlas[hex].side is not side]
        if taken:
            yield f'<path d="{outlines(taken)}" fill="url(#held-{side})" pointer-events="none"/>'
    edge = [
        ends(hex, near)
        for hex in held
        for near in atlas.neighbours[hex]
        if held[hex] is Side.NATO and held.get(near) is Side.WP and is_front(atlas.hexside(hex, near))
    ]
    path = "".join(smooth(line) for line in chains(edge))
    if path:
        yield stroke(path, "#fff", 15, 'stroke-opacity=".8" pointer-events="none"')
        yield stroke(path, "#111", 7, 'stroke-dasharray="26 8" pointer-events="none"')


def is_front(side: Hexside) -> bool:
    """Whether the front line is drawn here; it is drawn neither along the Iron Curtain nor across water."""
    return not side.iron_curtain and not side.closed


def hatching() -> str:
    """Define the hatching of conquered ground: rising lines for the Warsaw Pact, falling lines for NATO."""
    made = []
    for side, way in ((Side.WP, "M0 24L24 0"), (Side.NATO, "M0 0L24 24")):
        made.append(
            f'<pattern id="held-{side}" width="24" height="24" patternUnits="userSpaceOnUse"><path d="{way}" '
            f'stroke="{SIDE_COLOURS[side]}" stroke-width="3" stroke-opacity=".5"/></pattern>'
        )
    return f"<defs>{''.join(made)}</defs>"


def flags(atlas: Atlas, situation: Situation) -> Iterator[str]:
    """4.1.1 Draw each Conquest marker as a flag in the colour of the conqueror."""
    for hex, side in sorted(situation.conquered.items()):
        if hex in atlas:
            x, y = centre(hex)
            sign = "★" if side is Side.WP else "✚"
            yield (
                f'<g pointer-events="none"><path d="M{x - 40} {y - 8}v-34h26l-6 9 6 9h-26" '
                f'fill="{SIDE_COLOURS[side]}" stroke="#fff" stroke-width="1.5"/><text x="{x - 29}" y="{y - 27}" '
                f'text-anchor="middle" font-size="13" fill="#fff">{sign}</text></g>'
            )


def signs(atlas: Atlas, situation: Situation) -> Iterator[str]:
    """4.1 Draw the markers on hexes: strikes, interdiction, battles and breakthroughs."""
    for side, hexes in situation.interdiction.items():
        zone = [near for hex in hexes for near in (hex, *atlas.neighbours.get(hex, ())) if near in atlas]
        if zone:
            yield (
                f'<path d="{outlines(dict.fromkeys(zone))}" fill="{SIDE_COLOURS[side]}" fill-opacity=".12" '
                f'stroke="{SIDE_COLOURS[side]}" stroke-width="2" stroke-dasharray="4 5" pointer-events="none"/>'
            )
    for hexes, letters, colour in (
        (situation.nuclear, "N", "#111"),
        (situation.chemical, "CH", "#5d7a00"),
        (situation.breakthrough, "BT", "#8a3b00"),
        (situation.battles, "!", "#b3261e"),
    ):
        for hex in hexes:
            if hex in atlas:
                yield badge(centre(hex), letters, colour)


def badge(at: Point, letters: str, colour: str) -> str:
    """Draw a round marker at the lower left of a hex."""
    x, y = at.x - 30, at.y + 30
    return (
        f'<g pointer-events="none"><circle cx="{x}" cy="{y}" r="13" fill="{colour}" stroke="#fff" stroke-width="2"/>'
        f'<text x="{x}" y="{y + 5}" text-anchor="middle" font-size="13" font-weight="700" fill="#fff">{letters}'
        "</text></g>"
    )


def formations(atlas: Atlas, units: Mapping[str, UnitType], situation: Situation) -> Iterator[str]:
    """3.2.5 Write the names of corps and fronts among their units, legible when the whole map is in view."""
    posts: dict[tuple[Side, str], list[Point]] = {}
    for piece in situation.pieces:
        unit = units[piece.unit]
        if piece.at in atlas and unit.formation and not piece.reforger:
            posts.setdefault((unit.side, unit.formation), []).append(centre(piece.at))
    for (side, name), points in sorted(posts.items()):
        if len(points) > 2:
            x, y = sum(at.x for at in points) // len(points), sum(at.y for at in points) // len(points)
            yield (
                f'<text x="{x}" y="{y + 24}" text-anchor="middle" font-size="72" font-weight="700" '
                f'fill="{SIDE_COLOURS[side]}" fill-opacity=".6" stroke="#fff" stroke-opacity=".55" stroke-width="8" '
                f'paint-order="stroke" pointer-events="none">{escape(name.replace("-", " "))}</text>'
            )


def zones(atlas: Atlas, situation: Situation) -> Iterator[str]:
    """8.0 Draw zones of control: a square at the right for the Warsaw Pact, a ring at the left for NATO."""
    for side, hexes in situation.zones.items():
        points = [centre(hex) for hex in hexes if hex in atlas]
        if side is Side.WP:
            path = "".join(f"M{at.x + 34} {at.y - 4}h9v9h-9z" for at in points)
        else:
            path = "".join(f"M{at.x - 43} {at.y}a5 5 0 1 0 10 0a5 5 0 1 0-10 0" for at in points)
        if path:
            colour = SIDE_COLOURS[side]
            fill = colour if side is Side.WP else "none"
            yield f'<path d="{path}" fill="{fill}" stroke="{colour}" stroke-width="3" pointer-events="none"/>'


def supply_lines(atlas: Atlas, situation: Situation) -> Iterator[str]:
    """10.1.2 Draw lines of supply, dotted, with a dot at the source."""
    for line in situation.supply:
        path = [centre(hex) for hex in line.path if hex in atlas]
        if len(path) > 1:
            drawn = "M" + "L".join(f"{at.x} {at.y}" for at in path)
            more = 'stroke-dasharray="2 11" stroke-linecap="round" pointer-events="none"'
            yield stroke(drawn, "#1b7a3d", 6, more)
            end = path[-1]
            yield f'<circle cx="{end.x}" cy="{end.y}" r="8" fill="#1b7a3d" stroke="#fff" pointer-events="none"/>'


def tracks(atlas: Atlas, situation: Situation) -> Iterator[str]:
    """12.0 Draw each movement as an arrow along the hexes entered; marches are dashed, flights dotted."""
    for track in situation.tracks:
        path = [centre(hex) for hex in track.path if hex in atlas]
        if len(path) > 1:
            yield arrow([*path[:-1], toward(path[-2], path[-1])], track)


def arrow(path: list[Point], track: Track) -> str:
    """Draw one movement with its arrowhead."""
    colour = SIDE_COLOURS[track.side]
    dashes = {"march": "22 10", "rail": "22 10", "air": "3 10", "helicopter": "3 10", "sea": "3 10"}.get(track.mode)
    more = f'stroke-dasharray="{dashes}" ' if dashes else ""
    line = "M" + "L".join(f"{at.x} {at.y}" for at in path)
    last, before = path[-1], path[-2]
    dx, dy = (last.x - before.x) // 3, (last.y - before.y) // 3
    head = (
        f"M{last.x} {last.y}L{last.x - dx - dy // 2} {last.y - dy + dx // 2}"
        f"L{last.x - dx + dy // 2} {last.y - dy - dx // 2}z"
    )
    return (
        stroke(line, "#fff", 10, 'stroke-opacity=".6" pointer-events="none"')
        + stroke(line, colour, 5, f'{more}stroke-linecap="round" pointer-events="none"')
        + f'<path d="{head}" fill="{colour}" stroke="#fff" stroke-width="1.5" pointer-events="none"/>'
    )


def assaults(atlas: Atlas, situation: Situation) -> Iterator[str]:
    """25.0 Draw the part of each battle that is below the counters: lines from the attackers to the objective."""
    for clash in situation.clashes:
        if clash.objective in atlas:
            x, y = centre(clash.objective)
            for start in (centre(hex) for hex in clash.origins if hex in atlas):
                line = f"M{start.x} {start.y}L{x} {y}"
                yield stroke(line, SIDE_COLOURS[clash.attacker], 13, 'stroke-opacity=".75" pointer-events="none"')


STAR: Final = "M0-26l6 15 15-8-8 15 15 6-15 6 8 15-15-8-6 15-6-15-15 8 8-15-15-6 15-6-8-15 15 8z"


def clashes(atlas: Atlas, situation: Situation) -> Iterator[str]:
    """25.0 Draw the part of each battle that is above the counters: a star on the objective, and the result."""
    for clash in situation.clashes:
        if clash.objective in atlas:
            yield battle(clash, SIDE_COLOURS[clash.attacker])


def battle(clash: Clash, colour: str) -> str:
    """25.0 Draw one battle."""
    x, y = centre(clash.objective)
    result = (
        f'<text x="{x}" y="{y + 48}" text-anchor="middle" font-size="17" font-weight="700" fill="{colour}" '
        f'stroke="#fff" stroke-width="5" paint-order="stroke" pointer-events="none">{escape(clash.result)}</text>'
        if clash.result
        else ""
    )
    return (
        f'<path transform="translate({x - 32} {y - 30})scale(.7)" d="{STAR}" fill="#ffd54a" stroke="{colour}" '
        f'stroke-width="4" pointer-events="none"/>{result}'
    )
