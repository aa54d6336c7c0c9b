"""35.9 Scenarios: forces, positions, length, rules in use and victory conditions.

    35.1      Scenario.turns, turn_zero
    35.2      Scenario.activation
    35.8      Seat, Scenario.seats, seat_of
    35.9      Placement, Scenario.placements
    33.0      Arrival, Scenario.arrivals; Scenario.reforger_steps
    34.0      Victory, Level
    2.2       Scenario.play_area: the part of the map in use
    10.8      SupplyPlan
    15.0      Lift
    22.1      Chemical
    23.1.1    AirPlan

`scenario_files` reads the TOML files and explains mistakes.
"""

from collections.abc import Collection, Mapping
from typing import Final, Literal

import msgspec

from pbem.engine.text.messages import Message, say, term
from pbem.titles.nato.cards.charts import AirPoints, AirTable
from pbem.titles.nato.cards.units import Nation, UnitType
from pbem.titles.nato.map.atlas import Atlas
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Side

SRB: Final = "srb"
BOXES: Final = (SRB, "sector1", "sector2", "sector3", "sector4", "sector5")
"""2.2.2, 2.2.5 Places off the map."""

RULES: Final = (
    "activation",
    "air_bonus",
    "attack_helicopters",
    "border",
    "chemical",
    "extended_buildup",
    "ferry",
    "forward_defense",
    "gdp",
    "helicopters",
    "interdiction",
    "lift",
    "nerves",
    "nuclear",
    "rail",
    "refugees",
    "reforger",
    "resupply",
    "supply_points",
    "surprise",
    "surrender",
    "west_berlin",
    "withdrawals",
)
"""Parts of the rules that a scenario switches on."""

Table = Literal["two", "commands", "nations"]
TABLES: Final[tuple[Table, ...]] = ("two", "commands", "nations")
"""35.8 Two players, a seat for each command, or a seat for each nation."""

LevelName = Literal["decisive", "tactical", "marginal", "draw"]
LEVELS = {
    "decisive": term("victory", "decisive"),
    "tactical": term("victory", "tactical"),
    "marginal": term("victory", "marginal"),
    "draw": term("victory", "draw"),
}


class Placement(msgspec.Struct, frozen=True):
    """35.9 A unit's starting place: a hex, the Strategic Reserve Box or a sector's box."""

    unit: str
    at: str
    reforger: bool = False
    """33.3 Whether the unit begins with its Reforger Site side up."""


class Arrival(msgspec.Struct, frozen=True):
    """33.0 A reinforcement: its turn of arrival and its entry code (3.2.9)."""

    turn: int
    unit: str
    code: str

    @property
    def kind(self) -> str:
        """3.2.9 The letters of the entry code: A, G, RR, RS or S."""
        return self.code.rstrip("0123456789")

    @property
    def hex(self) -> HexId:
        """33.2.1 The site of a reserve reinforcement, or an empty string."""
        return self.code[2:] if self.kind == "RS" else ""

    @property
    def sector(self) -> int:
        """33.2.2 The sector of a ground reinforcement, or 0."""
        return int(self.code[1:]) if self.kind == "G" else 0


class Seat(msgspec.Struct, frozen=True):
    """35.8 A place at the table: a side, or one of its commands."""

    id: str
    name: str
    side: Side
    formations: tuple[str, ...] = ()
    territorials: tuple[Nation, ...] = ()
    units: tuple[str, ...] = ()
    theatre: bool = False
    """35.8 Whether this command orders shared assets and every unit that belongs to no other command."""
    table: Table = "commands"
    """The table that this seat belongs to."""


class Lift(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """15.0 The Lift Commands of a side."""

    air: int = 0
    helicopter: int = 0
    sea: int = 0


class Chemical(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """22.1 Chemical Points, and how many strikes of each kind a side may make in a turn."""

    start: int = 0
    income: int = 0
    tactical: int = 0
    operational: int = 0
    artillery: int = 0


class SupplyPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """10.8 The Supply Points of the Warsaw Pact."""

    automatic_until: int = 99
    """The last turn on which front HQs need no Supply Point."""
    start: int = 0
    income: int = 0


class AirPlan(msgspec.Struct, frozen=True):
    """23.1.1 How the air points of a turn are determined: from a table, or as a fixed number every turn."""

    table: AirTable = "surprise"
    fixed: AirPoints | None = None
    halved: bool = False
    """Whether a side gets half the points in the table: tactical rounded up, operational rounded down."""
    die: int = 0
    """1988: the number added to the die roll."""
    bonus: int = 0
    """Tactical points that each side may add once in the game."""


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """34.0 A result of the game, with the lowest margin (WP minus NATO) that earns it."""

    margin: int
    level: LevelName
    winner: Side | None = None

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> Message:
        """The result in words for a reader."""
        if self.winner is None:
            return say("a draw")
        if self.winner is Side.WP:
            return say("a {level} victory for the Warsaw Pact", level=LEVELS[self.level])
        return say("a {level} victory for NATO", level=LEVELS[self.level])


class Victory(msgspec.Struct, frozen=True):
    """34.0 The rules by which victory is determined."""

    levels: tuple[Level, ...]
    """The levels from the highest margin down; the last one covers everything below."""
    excluded: tuple[HexId, ...] = ()
    """City hexes that score no points."""
    isolated: bool = True
    """34.2 Whether a city that cannot trace to the western edge counts."""
    division: int = 0
    """Points that NATO scores for each WP division that has lost both steps."""
    automatic: bool = True
    """34.1 Whether automatic victory is possible."""

    def level(self, margin: int) -> Level:
        """34.0 The result for a margin, WP minus NATO."""
        return next((level for level in self.levels if margin >= level.margin), self.levels[-1])


class Scenario(msgspec.Struct, frozen=True):
    """35.9 A scenario, checked and ready to play."""

    id: str
    name: str
    text: str
    year: int
    turns: int
    turn_zero: bool
    area: tuple[HexId, ...]
    """2.2 The hexes in play; empty means the whole map."""
    sectors: dict[HexId, int]
    """2.2.2 The edge hexes of the play area with their sectors, where these differ from the map's."""
    rules: frozenset[str]
    placements: tuple[Placement, ...]
    arrivals: tuple[Arrival, ...]
    conquered: dict[HexId, Side]
    air: AirPlan
    interception: AirTable
    lift: dict[Side, Lift]
    attack_helicopters: tuple[str, ...]
    ahb_defense: dict[Side, int]
    chemical: dict[Side, Chemical]
    supply: SupplyPlan
    activation: dict[str, int]
    """35.2 The turn on which units become active, by nation, unit or `berlin`; all others start active."""
    offensive_support: tuple[str, ...]
    independents: tuple[str, ...]
    """3.2.6.1 Units that count as independent in this scenario."""
    reforger_steps: dict[int, int]
    fixed: tuple[str, ...]
    """Units that may not move."""
    withdrawals: dict[str, int]
    """Units that are removed at the start of a turn."""
    victory: Victory
    commands: tuple[Seat, ...]
    """The seats at tables for several players."""
    lift_arrivals: dict[int, dict[Side, Lift]] = {}
    """33.2.9 The Lift Commands that a side receives, by turn."""

    @property
    def tables(self) -> tuple[Table, ...]:
        """35.8 The tables (player counts and seats) that this scenario can be played at."""
        return tuple(table for table in TABLES if self.seats(table))

    def seats(self, table: Table) -> tuple[Seat, ...]:
        """35.8 The seats of a table; none if the scenario does not offer it."""
        if table == "two":
            return (
                Seat("wp", "Warsaw Pact", Side.WP, theatre=True, table="two"),
                Seat("nato", "NATO", Side.NATO, theatre=True, table="two"),
            )
        return tuple(seat for seat in self.commands if seat.table == table)  # 35.8/seats

    def seat_of(self, unit: UnitType, table: Table) -> str:
        """35.8.1, 35.8.2, 35.8.2.1, 35.8.2.2, 35.8.2.3 The seat that orders a unit."""
        own = [seat for seat in self.seats(table) if seat.side is unit.side]
        for seat in own:
            if unit.id in seat.units:
                return seat.id
        for seat in own:
            if unit.formation in seat.formations or (unit.home_bound and unit.nation in seat.territorials):
                return seat.id
        return next(seat.id for seat in own if seat.theatre)

    def active_from(self, unit: UnitType) -> int:
        """35.2 The scheduled turn on which a unit that starts on the map becomes active."""
        if unit.id in self.activation:
            return self.activation[unit.id]
        if unit.berlin and "berlin" in self.activation:
            return self.activation["berlin"]
        return self.activation.get(unit.nation, 0)

    def arrivals_on(self, turn: int) -> tuple[Arrival, ...]:
        """33.0 The reinforcements of a turn."""
        return tuple(arrival for arrival in self.arrivals if arrival.turn == turn)

    def play_area(self, atlas: Atlas) -> Atlas:
        """2.2 The map of this scenario, with its sector edges and reserve sites."""
        sites = tuple(arrival.hex for arrival in self.arrivals if arrival.hex and arrival.hex in atlas)
        sites = tuple(hex for hex in sites if not atlas[hex].reserve_site)
        if not self.area and not sites:
            return atlas
        key = (self.area, tuple(self.sectors.items()), sites)
        if key not in atlas.parts:
            atlas.parts[key] = self._cut(atlas, sites)
        return atlas.parts[key]

    def _cut(self, atlas: Atlas, sites: Collection[HexId]) -> Atlas:
        part = atlas.cut(self.area) if self.area else atlas
        places = dict(part.places)
        for hex in places if self.sectors else ():
            places[hex] = msgspec.structs.replace(places[hex], sector=self.sectors.get(hex, 0))
        for hex in sites:  # 33.2.1: reserves that the schedule brings in where the map prints no site
            if hex in places:
                places[hex] = msgspec.structs.replace(places[hex], reserve_site=True)
        return Atlas(places, part.sides, part.rivers, part.all_routes)


def halves(points: AirPoints) -> AirPoints:
    """23.1.1 Half of the air points: tactical points rounded up, operational points rounded down."""
    return AirPoints(
        (points.wp_tactical + 1) // 2,
        points.wp_operational // 2,
        (points.nato_tactical + 1) // 2,
        points.nato_operational // 2,
    )


def steps_at(scenario: Scenario, units: Mapping[str, UnitType], side: Side) -> int:
    """35.9 The steps that a side has on the map at the start."""
    return sum(
        units[place.unit].steps
        for place in scenario.placements
        if place.at not in BOXES and units[place.unit].side is side
    )
