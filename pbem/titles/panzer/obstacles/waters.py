"""7.32, 7.34, 7.36.3 Streams and water: ice, floods, and vehicles that swim.

    7.32       Water.ice: a frozen stream is clear ground for units it can bear; others may only ford
    7.34       swims, swimming_objections, sinks
    7.36.3     streams_now; Water.closed: flooded and impassable streams

Only the 2016 book has streams. A flooded stream is closed to vehicles and guns, and its fords are like a stream; an
impassable one is closed to all units, including at fords.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.basic_rows import PROHIBITED, WHOLE, Cost
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.charts import Charts, Terrain
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.obstacles.weight_limits import ice_bears
from pbem.titles.panzer.sighting.weather import WEATHER
from pbem.titles.panzer.state import Unit

STREAM: Final = "stream"
FORD: Final = "ford"
WATERS: Final = (STREAM, "water")
"""7.34 Terrain that amphibious vehicles can enter where it is too deep for others."""
AMPHIBIOUS: Final = "amphibious"

Streams = Literal["", "frozen", "flooded", "impassable"]


class Water(NamedTuple):
    """7.32, 7.34, 7.36.3 How streams and water affect one unit."""

    streams: Streams = ""
    ice: bool = False
    """7.32 Whether the unit can use the ice on a stream."""
    swims: bool = False
    walks: bool = False

    def row(self, charts: Charts, row: Terrain) -> Terrain:
        """7.32, 7.36.3 The terrain row to use: ice is clear ground, and a ford in a flooded stream is stream."""
        if self.ice and row.id == STREAM:
            return charts.terrain("clear")
        if self.streams == "flooded" and row.id == FORD:
            return charts.terrain(STREAM)
        return row

    def closed(self, row: Terrain) -> str:
        """7.32, 7.36.3 The rule that closes a stream or ford to the unit; empty if it is open."""
        if self.streams == "impassable" and row.id in (STREAM, FORD):
            return "7.36.3"
        if row.id != STREAM or self.ice or self.walks:
            return ""
        return {"flooded": "7.36.3", "frozen": "7.32/ice"}.get(self.streams, "")

    def cost(self, row: Terrain, cost: Cost) -> Cost:
        """7.34 The cost of entry: prohibited where closed, but a swimming vehicle's whole allowance."""
        due = PROHIBITED if self.closed(row) else cost
        return WHOLE if due == PROHIBITED and self.swims and row.id in WATERS else due

    def rule(self, row: Terrain, cost: Cost) -> str:
        """The rule behind the unit's cost or prohibition in a terrain row; empty for the usual one."""
        if self.swims and cost == WHOLE and row.id in WATERS:
            return "7.34"
        return self.closed(row) if cost == PROHIBITED else ""


DRY: Final = Water()


def streams_now(data: PanzerData) -> Streams:
    """7.36.3 The current state of the streams, if a rule in use needs it."""
    return data.scenario.conditions.streams if data.plays(WEATHER) or data.plays("weight_limits") else ""


def water_of(data: PanzerData, unit: Unit) -> Water:
    """7.32, 7.34, 7.36.3 How streams and water affect this unit."""
    streams, swimmer = streams_now(data), swims(data, unit)
    if not streams and not swimmer:
        return DRY
    ice = streams == "frozen" and ice_bears(data, unit)
    return Water(streams, ice, swimmer, unit.kind == "leg")


# --- 7.34 amphibious vehicles ----------------------------------------------------------------------------------


def swims(data: PanzerData, unit: Unit) -> bool:
    """7.34 Whether the vehicle can swim, which an A after the mode of traction on its card shows."""
    return data.plays(AMPHIBIOUS) and unit.kind == "vehicle" and data.vehicle(unit).has(AMPHIBIOUS)


def is_afloat(data: PanzerData, board: Board, unit: Unit) -> bool:
    """7.34 Whether a vehicle is swimming at this moment."""
    if unit.hex is None or not swims(data, unit) or board.is_bridge(unit.hex):
        return False
    water, traction = water_of(data, unit), data.vehicle(unit).card.traction
    rows = [water.row(data.charts, row) for row in data.charts.rows(board.terrain(unit.hex))]
    return any(water.cost(row, row.entry[traction]) == WHOLE and row.id in WATERS for row in rows)


def swimming_objections(data: PanzerData, board: Board, unit: Unit, hex: Hex, towing: bool) -> Iterator[Objection]:
    """7.34 Object if an amphibious vehicle would tow anything through water."""
    wet = not board.is_bridge(hex) and any(name in WATERS for name in board.terrain(hex))
    if towing and wet and swims(data, unit):
        yield Objection("7.34", say("the unit cannot swim through {hex} with a gun in tow", hex=hex_name(hex)))
