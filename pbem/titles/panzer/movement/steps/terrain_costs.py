"""4.5.1.1.2, 6.1.4.3 The cost of terrain, with its counters, for each kind of unit.

    4.5.1.1.2     VehicleGround: vehicles and riders; ground_of; may_stand
    6.1.4.3.1     VehicleGround.into_building, turning inside
    6.1.4.3.3-11  VehicleGround.counters: block, ditch, fire, rubble, wire
    6.6.4.1       LegGround: column L of the table, one level at a time
    6.6.4.4-5     riders cannot cross walls and similar hexsides; cavalry
    6.6.5         LegGround for manhandled guns

The map is that of `terrain.board_now`, including works dug and terrain destroyed. A road overrides a prohibition by
printed terrain (R-14), never one by a counter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, Literal

from pbem.engine.geometry.hexes import Hex, neighbour, opposite, parse_hex
from pbem.titles.panzer.cards.advanced_cards import Movement, movement
from pbem.titles.panzer.cards.advanced_charts import COUNTER_RULES
from pbem.titles.panzer.cards.basic_rows import PROHIBITED, Cost, LinkKind
from pbem.titles.panzer.cards.chart_rows import OTHER, Interior
from pbem.titles.panzer.cards.charts import Terrain, dearest
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.movement.steps.costs import Ground, Item, Mode, Price, price
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.waters import Water, water_of
from pbem.titles.panzer.sighting.terrain import board_now
from pbem.titles.panzer.sighting.weather import snow_items
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Feature, Unit

Gait = Literal["T", "H", "W", "rider", "leg", "cavalry", "towed"]
"""6.6.4 How a unit moves: a vehicle by its traction, riders as wheeled vehicles, all others on foot."""

WALKING: Final[tuple[Gait, ...]] = ("leg", "cavalry", "towed")
RIDERS: Final = ("motorcycle", "bicycle")

WORDS: Final[Mapping[Gait, str]] = {
    "T": "tracked vehicles",
    "H": "half-tracked vehicles",
    "W": "wheeled vehicles",
    "rider": "motorcycles and bicycles",
    "leg": "leg units",
    "cavalry": "cavalry",
    "towed": "manhandled guns",
}
CLOSED_RULES: Final[Mapping[Gait, str]] = {
    "rider": "6.6.4.4",
    "leg": "6.6.4.1",
    "cavalry": "6.6.4.5",
    "towed": "6.6.5",
}
"""The rules that close terrain and hexsides to units other than vehicles."""


def movement_of(data: PanzerData, unit: Unit) -> Movement:
    """4.5.1.1.1, 6.6.4.1 A unit's movement factor; a gun too large to be manhandled has none (6.6.5)."""
    if unit.kind == "vehicle":
        card = data.vehicle(unit).card
        return Movement(card.cross_country, card.traction, card.path, card.road)
    if unit.kind == "towed":
        return movement(data.towed(unit).movement.value) or Movement(0, "L")
    leg = data.leg(unit)
    cell = leg.loaded if leg.loaded and unit.attached else leg.movement  # 5.1.2
    found = movement(cell.value)
    assert found is not None  # checked when the cards were read
    return found


def gait_of(data: PanzerData, unit: Unit) -> Gait:
    """6.6.4 How a unit moves."""
    if unit.kind == "towed":
        return "towed"
    if unit.kind == "vehicle":
        return data.vehicle(unit).card.traction
    mount = data.leg(unit).mount
    return "rider" if mount in RIDERS else "cavalry" if mount == "cavalry" else "leg"


def walks(data: PanzerData, unit: Unit) -> bool:
    """6.6.4.1, 6.6.4.3 Whether the unit moves in any direction and pays nothing to turn: on foot, or by crawling."""
    return gait_of(data, unit) in WALKING or crawls(unit)


def crawls(unit: Unit) -> bool:
    """6.6.4.3 Whether a unit would crawl in a Move, whatever it does: a leg unit in full cover (A-36)."""
    return unit.kind == "leg" and unit.full_cover


# --- counters on the ground ------------------------------------------------------------------------------------


def is_known(feature: Feature, side: str) -> bool:
    """6.1.4.3.8 Whether a side knows of a counter; one with an empty `known` is public."""
    return not feature.known or side in feature.known or side == feature.side


def ground_of(situation: Situation, unit: Unit) -> VehicleGround:
    """4.5.1.1.2 The current ground for a unit, as far as its side knows it."""
    data, state = situation.data, situation.state
    smoke = frozenset(parse_hex(name) for name, wreck in state.wrecks.items() if wreck.brewed_up)
    counters = tuple(
        (feature.hex, feature.type)
        for feature in state.features.values()
        if feature.type in COUNTER_RULES and is_known(feature, unit.side)
    )
    return _ground(_Same(data), _Board(situation), gait_of(data, unit), smoke, counters, water_of(data, unit))


def may_stand(situation: Situation, unit: Unit, hex: Hex) -> bool:
    """6.6.7.1.1, 6.5.2.6.2 Whether a hex's terrain and counters allow the unit to be there."""
    return ground_of(situation, unit).standing(hex).total != PROHIBITED


class _Same:
    """A cache key for a match's data, compared by identity, not by equality."""

    def __init__(self, data: PanzerData) -> None:
        self.data = data

    def __hash__(self) -> int:
        return id(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.data is other.data


class _Board:
    """A cache key for the current map."""

    def __init__(self, situation: Situation) -> None:
        self.board = board_now(situation)

    def __hash__(self) -> int:
        return self.board.__hash__()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Board) and self.board == other.board


@lru_cache(maxsize=32)
def _ground(
    data: _Same,
    board: _Board,
    gait: Gait,
    smoke: frozenset[Hex],
    counters: tuple[tuple[Hex, str], ...],
    water: Water,
) -> VehicleGround:
    """The ground for these units, cached so that all units of a kind share its costs."""
    by_hex: dict[Hex, list[str]] = {}
    for hex, type in counters:
        by_hex.setdefault(hex, []).append(type)
    kind = LegGround if gait in WALKING else VehicleGround
    bare = _ground(data, board, gait, frozenset(), (), water) if smoke or counters else None
    return kind(data.data, board, gait, smoke, by_hex, water, bare)


# --- vehicles and riders ---------------------------------------------------------------------------------------


class VehicleGround(Ground):
    """4.5.1.1.2 The map with smoke and counters, for one kind of unit."""

    def __init__(
        self,
        data: PanzerData,
        board: _Board,
        gait: Gait,
        smoke: frozenset[Hex],
        lying: Mapping[Hex, list[str]],
        water: Water,
        bare: VehicleGround | None = None,
    ) -> None:
        super().__init__(board.board, data.charts, gait if gait in ("T", "H", "W") else "W", smoke, bare)
        self.data = data
        self.advanced = data.advanced
        self.gait = gait
        self.lying = lying
        self.movers = WORDS[gait]
        self.water = water

    def changed_hexes(self) -> set[Hex]:
        """4.5.1.1.2, 6.1.4.3 The hexes with smoke or a counter."""
        return {*self.smoke, *self.lying}

    # --- streams and water

    def rows(self, hex: Hex) -> list[Terrain]:
        """7.32, 7.36.3 The rows that apply to a hex, with ice and floods taken into account."""
        found = super().rows(hex)
        return [self.water.row(self.charts, row) for row in found] if self.water.streams else found

    def cost_of(self, row: Terrain) -> Cost:
        """7.34, 7.36.3 The cost of a terrain type, also where streams are closed or the unit swims."""
        return self.water.cost(row, super().cost_of(row))

    def _terrain(self, hex: Hex) -> Item:
        """7.32, 7.34, 7.36.3 Cite the rule for ice, floods or swimming where that rule decides the cost."""
        item, row = super()._terrain(hex), self._dearest_row(hex)
        rule = self.water.rule(row, item.cost)
        if self.water.ice and "stream" in self.board.terrain(hex):
            return item._replace(rule="7.32/ice", what="ice")
        return item._replace(rule=rule) if rule else item

    # --- counters

    def counters(self, hex: Hex) -> Iterator[Item]:
        """6.1.4.3 The costs of the counters in a hex, from any direction of entry."""
        for type in self.lying.get(hex, ()):
            cost = self.counter_cost(type)
            if cost == OTHER:
                continue
            name = self.counter_name(type)
            what = f"{name} is closed to {self.movers}" if cost == PROHIBITED else name
            yield Item(COUNTER_RULES[type], what, cost)

    def counter_name(self, type: str) -> str:
        row = self.advanced.features.get(type)
        return row.name if row else self.charts.terrain(type).name

    def counter_cost(self, type: str) -> Cost | Literal["other"]:
        """6.1.4.3 The cost of a counter in a hex, in the column for the traction."""
        row = self.advanced.features.get(type)
        if row is None:
            return self.cost_of(self.charts.terrain(type))
        return {"T": row.T, "H": row.H, "W": row.W}[self.traction].value

    def _enter(self, origin: Hex, target: Hex, mode: Mode) -> Price:
        """R-14 The most expensive of terrain (or road) and counters, plus hexsides and smoke."""
        found = super()._enter(origin, target, mode)
        return self._with_snow(self._with_counters(found, target), target, self.board.link(origin, target))

    def _with_snow(self, found: Price, hex: Hex, link: LinkKind | None = None) -> Price:
        """7.36.3 Snow adds to the cost of a hex."""
        snow = snow_items(self.data, self.board, hex, link)
        return price(*found.items, *snow) if snow else found

    def _with_counters(self, found: Price, hex: Hex) -> Price:
        """R-14 A counter replaces the terrain if it is more expensive."""
        counters = list(self.counters(hex))
        if not counters:
            return found
        terrain, *rest = found.items
        first = dearest([terrain.cost, *(item.cost for item in counters)])
        named = next(item for item in (*counters, terrain) if item.cost == first)
        return price(named, *rest)

    def off_the_link(self, origin: Hex, direction: int) -> Price:
        """4.5.1.1.11 The cost of the hex without the benefit of its track, including counters."""
        target = neighbour(origin, direction)
        return self._with_snow(self._with_counters(super().off_the_link(origin, direction), target), target)

    def coming_in(self, hex: Hex, facing: int, mode: Mode = "cross") -> Price:
        """2.0 The cost of entering the map, including the hex's counters."""
        link = self.board.link(hex, neighbour(hex, opposite(facing)))
        return self._with_snow(self._with_counters(super().coming_in(hex, facing, mode), hex), hex, link)

    def standing(self, hex: Hex) -> Price:
        """6.6.7.1.1 Whether the terrain and the counters of a hex let a unit be there at all."""
        return self._with_counters(price(self._terrain(hex)), hex)

    def turn_value(self, hex: Hex) -> Cost:
        """4.5.1.1.4, 6.1.4.3.9 The hex's highest Turn value, rubble included; a fire does not prevent turning."""
        rows = (self.advanced.features.get(type) for type in self.lying.get(hex, ()))
        lying = [row.turn.value for row in rows if row is not None and isinstance(row.turn.value, int)]
        return dearest([super().turn_value(hex), *lying])

    # --- hexsides

    def crossing(self, kind: str) -> Cost:
        """6.6.4.4 The surcharge for a kind of hexside; riders cannot cross walls and similar hexsides."""
        if self.gait == "rider" and not self.advanced.hexsides[kind].riders.value:
            return PROHIBITED
        return super().crossing(kind)

    def _obstacles(self, origin: Hex, target: Hex, levels: int) -> list[Item]:
        """6.6.4.4, 6.6.4.5, 6.6.5 Hexsides closed to units other than vehicles cite their own rule."""
        found = super()._obstacles(origin, target, levels)
        rule = CLOSED_RULES.get(self.gait)
        if rule is None:
            return found
        return [item._replace(rule=rule) if item.cost == PROHIBITED else item for item in found]

    # --- buildings

    def interior(self, hex: Hex) -> Interior | None:
        """6.1.4.3.1 The interior of the hex's buildings."""
        types = self.board.terrain(hex)
        return next((self.advanced.interiors[name] for name in types if name in self.advanced.interiors), None)

    def inside(self, interior: Interior) -> Item:
        """6.6.3 The cost of the building itself, not of its alleys."""
        cell = {"T": interior.T, "H": interior.H, "W": interior.W}[self.traction]
        return Item("6.6.3", self.charts.terrain(interior.id).name, cell.value)

    def into_building(self, origin: Hex, direction: int, interior: Interior) -> Price:
        """6.6.3 The cost of entering from the adjacent hex: building, hexside and smoke, but not the alley.

        4.5.1.1.6 A bridge cannot be left this way, and 6.1.4.3.5 a burning hex cannot be entered.
        """
        target = neighbour(origin, direction)
        if self.board.is_bridge(origin):
            return price(*self._across(origin, target))
        found = price(self.inside(interior), *self._sides(origin, target), *self._smoke(target))
        return self._with_counters(found, target)

    def out_to_alley(self, hex: Hex) -> Price:
        """6.6.3 The cost of moving from a building to its alley, which is in the same hex."""
        return price(self._terrain(hex))


# --- on foot ---------------------------------------------------------------------------------------------------


class LegGround(VehicleGround):
    """6.6.4.1 The same map for leg units, cavalry and manhandled guns."""

    def cost_of(self, row: Terrain) -> Cost:
        """4.5.1.1.2 Column L of the table, or its entry for manhandled guns."""
        advanced = self.advanced.terrains[row.id]
        return self.water.cost(row, (advanced.towed if self.gait == "towed" else advanced.L).value)

    def counter_cost(self, type: str) -> Cost | Literal["other"]:
        """6.1.4.3 The cost of a counter in a hex for a unit on foot."""
        row = self.advanced.features.get(type)
        if row is None:
            return self.cost_of(self.charts.terrain(type))
        return (row.towed if self.gait == "towed" else row.L).value

    @property
    def most_levels(self) -> int:
        """6.6.4.1, 6.6.4.5, 6.6.5 How many levels the unit may change in one hex."""
        limits = {"leg": "leg_levels", "cavalry": "cavalry_levels", "towed": "towed_levels"}
        return self.advanced.number(limits[self.gait])

    def level_cost(self, levels: int) -> Cost:
        """4.5.1.1.2 The surcharge that a unit on foot pays for this many levels, within its limit."""
        if levels == 0:
            return 0
        return self.advanced.level_changes.get(levels, PROHIBITED) if levels <= self.most_levels else PROHIBITED

    def crossing(self, kind: str) -> Cost:
        """4.5.1.1.2 The surcharge for a kind of hexside on foot; 6.6.4.5 horses cannot cross walls and the like."""
        row = self.advanced.hexsides[kind]
        if self.gait == "cavalry" and not row.riders.value:
            return PROHIBITED
        return (row.towed if self.gait == "towed" else row.L).value

    def _terrain(self, hex: Hex) -> Item:
        """6.6.4.1, 6.6.5 The cost of the terrain; where it is closed on foot, under the rule for the kind of unit."""
        item = super()._terrain(hex)
        known = item.cost != PROHIBITED or self.water.closed(self._dearest_row(hex))
        return item if known else item._replace(rule=CLOSED_RULES[self.gait])

    def _too_steep(self, levels: int) -> Item:
        """6.6.4.1, 6.6.4.5, 6.6.5 The objection to more levels than this kind of unit may change at once."""
        rules = {
            "leg": ledger_row(self.charts.edition, "6.6.4.1/height"),
            "cavalry": "6.6.4.5",
            "towed": "6.6.5",
        }
        return super()._too_steep(levels)._replace(rule=rules[self.gait])
