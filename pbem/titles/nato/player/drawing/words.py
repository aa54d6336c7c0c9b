"""The map in plain text: units by formation, cities, markers, and a character map."""

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.engine.text.ground import ground_lines
from pbem.engine.text.messages import Message, Name, Value, say, several
from pbem.titles.nato.cards.units import NATION_NAMES, UnitType
from pbem.titles.nato.map import grid
from pbem.titles.nato.map.atlas import Atlas
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import CityClass, Place, Side, Terrain
from pbem.titles.nato.player.drawing.counters import condition, factors
from pbem.titles.nato.player.drawing.situation import Shown, Situation
from pbem.titles.nato.player.words import PLACES, side, subject, word

Units = Mapping[str, UnitType]
MOST_HEXES: Final = 300
"""The largest map whose terrain is told hex by hex."""


def describe(atlas: Atlas, units: Units, situation: Situation) -> list[Message]:
    """Describe the picture in lines: each side's units by formation, then cities and markers."""
    lines = [say("{scenario}, turn {turn}", scenario=situation.title, turn=situation.turn)]
    for one in Side:
        lines += side_lines(atlas, units, situation, one)
    lines += city_lines(atlas, situation)
    lines += marker_lines(atlas, situation)
    lines += story_lines(atlas, situation)
    lines += terrain_lines(atlas)
    return lines


def terrain_lines(atlas: Atlas) -> Iterator[Message]:
    """2.2.1 List the hexes of a small map by terrain, and each river with its hexsides."""
    if len(atlas.places) > MOST_HEXES:
        return
    yield from ground_lines(
        {hex: word("sea" if place.is_sea else str(place.terrain)) for hex, place in atlas.places.items()}
    )
    for name, course in atlas.rivers.items():
        if course:
            sides = " ".join(f"{one}/{other}" for one, other in course)
            yield say("River {river}, between: {hexsides}", river=name, hexsides=sides)


def side_lines(atlas: Atlas, units: Units, situation: Situation, one: Side) -> Iterator[Message]:
    """3.2.5 List the units of a side, formation by formation."""
    groups: dict[Value, list[Shown]] = {}
    for piece in situation.pieces:
        unit = units[piece.unit]
        if unit.side is one:
            groups.setdefault(group_of(unit), []).append(piece)
    if groups:
        yield say("{side}:", side=subject(one))
    for group in sorted(groups, key=str):
        told = (unit_words(atlas, units[piece.unit], piece) for piece in sorted(groups[group], key=lambda p: p.at))
        yield say("  {formation}: {units}", formation=group, units=several(told, "clauses"))


def group_of(unit: UnitType) -> Value:
    """3.2.5 The heading under which a unit is listed."""
    if unit.formation:
        return Name(unit.formation)
    if unit.border:
        return say("{nation} border troops", nation=NATION_NAMES[unit.nation])
    if unit.territorial:
        return say("{nation} territorials", nation=NATION_NAMES[unit.nation])
    return say("West Berlin") if unit.berlin else say("independent")


def unit_words(atlas: Atlas, unit: UnitType, piece: Shown) -> Message:
    """Describe a unit in a few words: `16GT 10-[6]-6 in 3116, disrupted`."""
    place = PLACES[piece.at] if piece.at in PLACES else Name(atlas.name(piece.at))
    about = {"unit": unit.id, "factors": factors(unit, piece), "place": place}
    states = list(condition(unit, piece))
    if piece.reduced:
        states.insert(0, say("reduced"))
    if states:
        return say("{unit} {factors} in {place}, {states}", **about, states=several(states, "unit"))
    return say("{unit} {factors} in {place}", **about)


def city_lines(atlas: Atlas, situation: Situation) -> Iterator[Message]:
    """30.1 List the conquered cities."""
    for one in Side:
        taken = [
            atlas.name(hex) for hex, owner in sorted(situation.conquered.items()) if owner is one and hex in atlas
        ]
        if taken:
            yield say("Cities conquered by {side}: {cities}", side=side(one), cities=several(taken, "unit"))


def marker_lines(atlas: Atlas, situation: Situation) -> Iterator[Message]:
    """4.1 List the markers on hexes."""
    groups = (
        (say("Battles to be fought"), situation.battles),
        (say("Breakthroughs"), situation.breakthrough),
        (say("Nuclear strikes"), situation.nuclear),
        (say("Chemical strikes"), situation.chemical),
        *(
            (say("Air interdiction by {side}", side=side(one)), hexes)
            for one, hexes in situation.interdiction.items()
        ),
    )
    for marker, hexes in groups:
        if hexes:
            yield say("{marker}: {hexes}", marker=marker, hexes=several(map(atlas.name, hexes), "unit"))


def story_lines(atlas: Atlas, situation: Situation) -> Iterator[Message]:
    """List the movements and the battles."""
    for track in situation.tracks:
        if len(track.path) > 1:
            moved = {"unit": track.unit, "start": atlas.name(track.path[0]), "end": atlas.name(track.path[-1])}
            if track.mode:
                yield say("{unit} moved from {start} to {end} ({mode})", **moved, mode=word(track.mode))
            else:
                yield say("{unit} moved from {start} to {end}", **moved)
    for line in situation.supply:
        if len(line.path) > 1:
            start, end = atlas.name(line.path[0]), atlas.name(line.path[-1])
            yield say("The supply of {side} runs from {start} to {end}", side=side(line.side), start=start, end=end)
    for clash in situation.clashes:
        fought = {
            "side": subject(clash.attacker),
            "place": atlas.name(clash.objective),
            "hexes": several(clash.origins),
        }
        if clash.result:
            yield say("{side} attacked {place} from {hexes}: {result}", **fought, result=clash.result)
        else:
            yield say("{side} attacked {place} from {hexes}", **fought)


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
