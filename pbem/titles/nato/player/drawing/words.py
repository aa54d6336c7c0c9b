"""The map in plain text: units by formation, cities, markers, and a character map."""

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.engine.text.ground import ground_lines
from pbem.titles.nato.cards.units import NATION_NAMES, UnitType
from pbem.titles.nato.map import grid
from pbem.titles.nato.map.atlas import Atlas
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import CityClass, Place, Side, Terrain
from pbem.titles.nato.player.drawing.counters import BOX_NAMES, condition, factors
from pbem.titles.nato.player.drawing.situation import Shown, Situation

SIDE_NAMES: Final = {Side.WP: "Warsaw Pact", Side.NATO: "NATO"}
Units = Mapping[str, UnitType]
MOST_HEXES: Final = 300
"""The largest map whose terrain is told hex by hex."""


def describe(atlas: Atlas, units: Units, situation: Situation) -> list[str]:
    """Describe the picture in lines: each side's units by formation, then cities and markers."""
    lines = [f"{situation.title}, turn {situation.turn}"]
    for side in Side:
        lines += side_lines(atlas, units, situation, side)
    lines += city_lines(atlas, situation)
    lines += marker_lines(atlas, situation)
    lines += story_lines(atlas, units, situation)
    lines += terrain_lines(atlas)
    return lines


def terrain_lines(atlas: Atlas) -> Iterator[str]:
    """2.2.1 List the hexes of a small map by terrain, and each river with its hexsides."""
    if len(atlas.places) > MOST_HEXES:
        return
    yield from ground_lines(
        {hex: "sea" if place.is_sea else str(place.terrain) for hex, place in atlas.places.items()}
    )
    for name, course in atlas.rivers.items():
        if course:
            yield f"River {name}, between: {' '.join(f'{one}/{other}' for one, other in course)}"


def side_lines(atlas: Atlas, units: Units, situation: Situation, side: Side) -> Iterator[str]:
    """3.2.5 List the units of a side, formation by formation."""
    groups: dict[str, list[Shown]] = {}
    for piece in situation.pieces:
        unit = units[piece.unit]
        if unit.side is side:
            groups.setdefault(group_of(unit), []).append(piece)
    if groups:
        yield f"{SIDE_NAMES[side]}:"
    for name in sorted(groups):
        told = (unit_words(atlas, units[piece.unit], piece) for piece in sorted(groups[name], key=lambda p: p.at))
        yield f"  {name}: {'; '.join(told)}"


def group_of(unit: UnitType) -> str:
    """3.2.5 The heading under which a unit is listed."""
    if unit.formation:
        return unit.formation
    if unit.territorial or unit.border:
        return f"{NATION_NAMES[unit.nation]} {'border troops' if unit.border else 'territorials'}"
    return "West Berlin" if unit.berlin else "independent"


def unit_words(atlas: Atlas, unit: UnitType, piece: Shown) -> str:
    """Describe a unit in a few words: `16GT 10-[6]-6 in 3116, disrupted`."""
    where = f"in {BOX_NAMES[piece.at]}" if piece.at in BOX_NAMES else f"in {atlas.name(piece.at)}"
    states = list(condition(unit, piece))
    if piece.reduced:
        states.insert(0, "reduced")
    return f"{unit.id} {factors(unit, piece)} {where}" + (f", {', '.join(states)}" if states else "")


def city_lines(atlas: Atlas, situation: Situation) -> Iterator[str]:
    """30.1 List the conquered cities."""
    for side in Side:
        taken = [
            atlas.name(hex) for hex, owner in sorted(situation.conquered.items()) if owner is side and hex in atlas
        ]
        if taken:
            yield f"Cities conquered by {SIDE_NAMES[side]}: {', '.join(taken)}"


def marker_lines(atlas: Atlas, situation: Situation) -> Iterator[str]:
    """4.1 List the markers on hexes."""
    groups = (
        ("Battles to be fought", situation.battles),
        ("Breakthroughs", situation.breakthrough),
        ("Nuclear strikes", situation.nuclear),
        ("Chemical strikes", situation.chemical),
        *((f"Air interdiction by {SIDE_NAMES[side]}", hexes) for side, hexes in situation.interdiction.items()),
    )
    for name, hexes in groups:
        if hexes:
            yield f"{name}: {', '.join(atlas.name(hex) for hex in hexes)}"


def story_lines(atlas: Atlas, units: Units, situation: Situation) -> Iterator[str]:
    """List the movements and the battles."""
    for track in situation.tracks:
        if len(track.path) > 1:
            way = f" ({track.mode})" if track.mode else ""
            yield f"{track.unit} moved from {atlas.name(track.path[0])} to {atlas.name(track.path[-1])}{way}"
    for line in situation.supply:
        if len(line.path) > 1:
            start, end = atlas.name(line.path[0]), atlas.name(line.path[-1])
            yield f"{SIDE_NAMES[line.side]} supply runs from {start} to {end}"
    for clash in situation.clashes:
        result = f": {clash.result}" if clash.result else ""
        from_ = " and ".join(clash.origins)
        yield f"{SIDE_NAMES[clash.attacker]} attacked {atlas.name(clash.objective)} from {from_}{result}"


# --- the map of letters ------------------------------------------------------------------------------------------

LETTERS: Final = {
    Terrain.CLEAR: ".",
    Terrain.MARSH: "%",
    Terrain.FOREST: "&",
    Terrain.ROUGH: "^",
    Terrain.MOUNTAIN: "M",
    Terrain.SEA: "~",
}
CITY_LETTERS: Final = {CityClass.SMALL: "o", CityClass.MAJOR: "O", CityClass.KEY: "@"}
LEGEND: Final = (
    ". clear, % marsh, & forest, ^ rough, M mountain, ~ sea; o small, O major, @ key city, * conquered; "
    "P3 = 3 steps of the Warsaw Pact, N2 = 2 steps of NATO, + with an HQ; even rows lie half a hex further west"
)


def letters(atlas: Atlas, units: Units, situation: Situation, rows: tuple[int, int] | None = None) -> list[str]:
    """The map as lines of text: one four-character cell for each hex, from west to east."""
    shown = [hex for hex in atlas if rows is None or rows[0] <= grid.row(hex) <= rows[1]]
    west, east = max(map(grid.column, shown)), min(map(grid.column, shown))
    stacks = steps_by_hex(units, situation)
    head = "    " + "".join(f"{column:^4}" for column in range(west, east - 1, -1))
    lines = [head]
    for row in sorted({grid.row(hex) for hex in shown}):
        cells = (cell(atlas.get(grid.hex_id(row, column)), stacks, situation) for column in range(west, east - 1, -1))
        lines.append((f"{row:02}  " + ("  " if row % 2 else "") + "".join(cells)).rstrip())
    return [*lines, LEGEND]


def steps_by_hex(units: Units, situation: Situation) -> dict[HexId, tuple[Side, int, bool]]:
    """The side and number of steps in each occupied hex, and whether an HQ is there."""
    found: dict[HexId, tuple[Side, int, bool]] = {}
    for piece in situation.pieces:
        unit = units[piece.unit]
        _, steps, hq = found.get(piece.at, (unit.side, 0, False))
        own = 0 if unit.hq else 1 if piece.reduced else unit.steps
        found[piece.at] = (unit.side, steps + own, hq or unit.hq)
    return found


def cell(place: Place | None, stacks: Mapping[HexId, tuple[Side, int, bool]], situation: Situation) -> str:
    """One hex in four characters: its terrain and its occupants."""
    if place is None:
        return "    "
    ground = CITY_LETTERS[place.city_class] if place.city_class is not None else LETTERS[place.terrain]
    if place.hex in situation.conquered:
        ground = "*"
    if place.hex not in stacks:
        return f"{ground}   "
    side, steps, hq = stacks[place.hex]
    return f"{ground}{'P' if side is Side.WP else 'N'}{min(steps, 9)}{'+' if hq else ' '}"
