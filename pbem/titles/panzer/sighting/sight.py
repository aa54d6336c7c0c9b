"""6.1.4 Lines of sight between units and hexes on the current map.

    6.1.4         sees (yes or no), line_of_sight (explained), Sight (for many lines at once)
    6.1.4.3.1     Station: a hex, and how far above its ground a unit in a building is

A unit's position includes its floor, the height of its hex, and the current rubble and ditches. A hex stands for a
unit on its ground. Other modules ask this one about lines of sight; the module `line_of_sight` computes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting import line_of_sight as routine
from pbem.titles.panzer.sighting.terrain import board_now, explain_hindrance, hindrances, place_of, up_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Inside, Unit


class Station(NamedTuple):
    """6.1.4.3.1 The position of an observer or target: a hex, and the number of levels above its ground."""

    hex: Hex
    up: int = 0


def station_of(situation: Situation, one: Unit | Hex) -> Station:
    """6.1.4.3.1 A unit's hex and floor; a hex stands for its ground. A passenger has its carrier's position."""
    if isinstance(one, Unit):
        return Station(place_of(one), up_of(situation, one))
    return Station(one)


class Sight:
    """6.1.4 The lines of sight on a map at one moment."""

    def __init__(self, situation: Situation) -> None:
        self.table = routine.sight_table(board_now(situation), situation.data.charts)

    def between(self, a: Station, b: Station) -> bool:
        """4.1.4 Whether the line between two places is unblocked."""
        if a.up or b.up:
            return self.table.sees_from_above(a.hex, b.hex, (a.up, b.up))
        return self.table.sees(a.hex, b.hex)

    def seen_from(self, place: Station) -> Callable[[Hex], bool]:
        """4.1.4 A function that returns whether a unit on the ground of a hex has an unblocked line to this place."""
        if place.up:
            return lambda hex: self.between(Station(hex), place)
        return self.table.seen_from(place.hex)

    def perhaps_in_line(self, place: Station, units: Iterable[Unit]) -> Iterable[Unit]:
        """4.1.4 The units whose line to this place is not known to be blocked; most lines are known to be blocked.

        Every step of a move asks this about all enemies.
        """
        if place.up:
            return units
        (row, places), up = self.table.row_of(place.hex), Inside.UP
        return [
            unit
            for unit in units
            if (hex := unit.hex) is not None and (row[places[hex]] != routine.KNOWN_BLOCKED or unit.inside is up)
        ]

    def onlookers(self, units: Iterable[Unit]) -> Callable[[Station], Iterable[Unit]]:
        """4.1.4 A function like `perhaps_in_line` for these units, to be asked about many places in any order."""
        table = self.table
        placed = [(table.places[unit.hex], unit) for unit in units if unit.hex is not None]
        upstairs = [unit for _, unit in placed if unit.inside is Inside.UP]
        below = [(number, unit) for number, unit in placed if unit.inside is not Inside.UP]

        def perhaps_in_line(place: Station) -> Iterable[Unit]:
            row, _ = table.row_of(place.hex)
            return [unit for number, unit in below if place.up or row[number] != routine.KNOWN_BLOCKED] + upstairs

        return perhaps_in_line


def unused_table(data: PanzerData, *, known: bool = True) -> routine.LineOfSightTable:
    """4.1.4 A new table of the printed map with nothing cached, for benchmarks; `known` loads packaged lines."""
    return routine.LineOfSightTable(data.board, data.charts, known=known)


def sees(situation: Situation, a: Unit | Hex, b: Unit | Hex) -> bool:
    """6.1.4 Whether a unit or hex has a line of sight to another unit or hex; always true within one hex."""
    return Sight(situation).between(station_of(situation, a), station_of(situation, b))


def line_of_sight(situation: Situation, a: Unit | Hex, b: Unit | Hex) -> Finding:
    """6.1.4 Explain the line; smoke, barrages, dust and fires on it never block."""
    data = situation.data
    start, end = station_of(situation, a), station_of(situation, b)
    up = (start.up, end.up)
    found = routine.line_of_sight(board_now(situation), data.charts, start.hex, end.hex, situation.state.wrecks, up)
    if data.basic:
        return found  # 4.1.4
    hindering = [explain_hindrance(data, hindrance) for hindrance in hindrances(situation, start.hex, end.hex)]
    floors = [explain_floor(data, place) for place in (start, end) if place.up]
    return Finding("6.1.4", inputs=found.inputs, result=found.result, children=(found, *floors, *hindering))


def explain_floor(data: PanzerData, place: Station) -> Finding:
    """6.1.4.3.1 Explain how high above the ground a unit in a building is."""
    storeys = data.board.storeys(place.hex)
    inputs = {"hex": hex_name(place.hex), "storeys": storeys, "roof": data.scenario.desert_buildings}
    return Finding(ledger_row(data.edition, "6.1.4.3.1/upper-floor"), inputs=inputs, result=place.up)
