"""Seats and their units where a side has several seats.

    Seating           the seats of a match, their sides, and the seat that orders a unit
    seating_of        the scenario's own seats, otherwise a seat for each formation (5.8.2)

The first seat of a side is its chief: it decides matters of the whole side, and its orders for another seat's units
apply if that seat sends nothing. A passenger is ordered by the seat of its carrier (6.6.7).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pbem.titles.panzer import freezing
from pbem.titles.panzer.setup.scenario import AdvancedScenario
from pbem.titles.panzer.state import PanzerState, Unit

TWO, FORMATIONS = freezing.TABLES
TABLES: Final[Mapping[str, str]] = {
    TWO: "one seat on each side",
    FORMATIONS: "several seats on a side, one for each formation",
}
"""The values of the option `table`."""


@dataclass(frozen=True)
class Seating:
    """The seats of a match. `units` and `formations` map each unit or formation to its seat."""

    sides: Mapping[str, str]
    names: Mapping[str, str]
    units: Mapping[str, str]
    formations: Mapping[str, str]

    @cached_property
    def seats(self) -> Mapping[str, tuple[str, ...]]:
        """The seats of each side, its chief first."""
        found: dict[str, tuple[str, ...]] = {}
        for seat, side in self.sides.items():
            found[side] = (*found.get(side, ()), seat)
        return found

    def chief(self, side: str) -> str:
        """The seat that decides for a whole side."""
        return self.seats[side][0]

    def owner(self, state: PanzerState, unit: Unit) -> str:
        """5.8.2, 6.6.7 The seat that orders a unit: the unit's own, or that of its carrier."""
        carrier = state.vehicles.get(unit.aboard, unit)
        seat = self.units.get(carrier.id) or self.formations.get(carrier.formation)
        return seat or self.chief(carrier.side)

    def own(self, state: PanzerState, seat: str) -> list[str]:
        """The units that a seat orders."""
        side = self.sides[seat]
        return [one.id for one in state.vehicles.values() if one.side == side and self.owner(state, one) == seat]


def seating_of(scenario: AdvancedScenario) -> Seating:
    """2.0, 5.8.2 The seating of a scenario with several seats per side; a side that cannot be divided keeps one."""
    sides: dict[str, str] = {}
    names: dict[str, str] = {}
    units: dict[str, str] = {}
    formations: dict[str, str] = {}
    for side in scenario.sides:
        declared = [(seat.id, seat.name) for seat in scenario.seats if seat.side == side.id]
        by_seat = len(declared) > 1
        groups = declared if by_seat else list(formations_of(scenario, side.id))
        if len(groups) < 2:
            sides[side.id], names[side.id] = side.id, side.name
            continue
        for id, name in groups:
            seat = seat_id(name, side.id, sides)
            sides[seat], names[seat] = side.id, name
            if by_seat:
                units |= {unit.id: seat for unit in scenario.units if unit.seat == id}
            else:
                formations[id] = seat
    return Seating(sides, names, units, formations)


def formations_of(scenario: AdvancedScenario, side: str) -> Iterator[tuple[str, str]]:
    """5.8.2 A side's formations that have units, superior ones first."""
    filled = {unit.formation for unit in scenario.units if unit.side == side}
    rows = [row for row in scenario.formations.values() if row.side == side and row.id in filled]
    above = {row.parent for row in rows}
    for row in sorted(rows, key=lambda row: row.id not in above):
        yield row.id, row.name


def seat_id(name: str, side: str, taken: Mapping[str, str]) -> str:
    """The id of a seat: its name in lower case, e.g. `2nd-panzer-company`."""
    word = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return word if word not in taken and word != side else f"{side}-{word}"
