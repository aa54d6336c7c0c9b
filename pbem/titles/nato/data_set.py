"""Everything that a match is played with: the atlas, the units, the charts and the scenario.

freeze                the files of a match as named blobs
data_set              the same files, read and combined
playable_scenarios    the packaged scenarios that use only supported rules
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Final, Literal

import msgspec

from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.cards.charts import CHART_FILES, Charts, read_charts
from pbem.titles.nato.cards.files import packaged
from pbem.titles.nato.cards.scenario import RULES, Scenario, Seat, Table
from pbem.titles.nato.cards.scenario_files import load_scenario, packaged_scenario, packaged_scenarios
from pbem.titles.nato.cards.units import UNIT_FILE, Side, UnitType, read_units
from pbem.titles.nato.map.atlas import FERRY, Atlas
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.reading import MAP_FILES, read_atlas

UNPLAYED: Final = frozenset[str]()
PLAYED: Final = frozenset(RULES) - UNPLAYED
"""The optional parts of the rules that the engine supports; a scenario that uses any other is refused."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options that may be chosen for a match."""

    table: Table = "two"
    """35.8 Whether there are two players, a seat for each command, or a seat for each nation."""
    integrity: Literal["off", "on"] = "off"
    """25.4.5 Whether Offensive Support requires attackers of a single army or, for NATO, US attackers."""


@dataclass(frozen=True)
class NatoData:
    """The frozen data of one match. `atlas` is the play area of the scenario."""

    atlas: Atlas
    units: Mapping[str, UnitType]
    charts: Charts
    scenario: Scenario
    options: Options
    near_cities: dict[HexId, tuple[HexId, ...]] = field(default_factory=dict)
    """11.1 A cache of the cities near each hex."""

    def plays(self, rule: str) -> bool:
        """Return whether the scenario uses a part of the rules."""
        return rule in self.scenario.rules

    def surprise(self, turn: int) -> bool:
        """35.7 Return whether this is the turn of surprise."""
        return self.plays("surprise") and turn == 1

    @cached_property
    def ground_steps(self) -> dict[HexId, tuple[HexId, ...]]:
        """12.1.1 The hexes that ground units and lines of supply can enter from each hex."""
        return {hex: tuple(near for near, _ in self.atlas.ground.get(hex, ())) for hex in self.atlas.places}

    @cached_property
    def ferry_steps(self) -> dict[HexId, tuple[HexId, ...]]:
        """10.2.4 The same steps as `ground_steps`, plus the Danish ferry."""
        steps = dict(self.ground_steps)
        if all(hex in steps for hex in FERRY):
            for hex, other in (FERRY, FERRY[::-1]):
                steps[hex] = (*steps[hex], other)
        return steps

    @property
    def merges_baltap(self) -> bool:
        """29.5.3 Return whether units in the BALTAP zone may count as Baltic Front, which Extended Buildup does
        not allow.
        """
        return not self.plays("extended_buildup")

    # --- seats -----------------------------------------------------------------------------------------------

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """35.8 Return the seats of the match."""
        return self.scenario.seats(self.options.table)

    @cached_property
    def sides(self) -> Mapping[str, Side]:
        """35.8 Return the side of each seat."""
        return {seat.id: seat.side for seat in self.seats}

    def side_of(self, seat: str) -> Side:
        return self.sides[seat]

    def seats_of(self, side: Side) -> tuple[str, ...]:
        """35.8 Return the seats of a side, the theatre command last."""
        own = [seat for seat in self.seats if seat.side is side]
        return tuple(seat.id for seat in sorted(own, key=lambda seat: seat.theatre))

    def seat_of(self, side: Side) -> str:
        """35.8 The seat that decides for a whole side: its theatre command."""
        return next(seat.id for seat in self.seats if seat.side is side and seat.theatre)

    def commander_of(self, card: UnitType) -> str:
        """35.8.1, 35.8.2 Return the seat that orders a unit."""
        return self.scenario.seat_of(card, self.options.table)

    def commands(self, seat: str, card: UnitType) -> bool:
        """35.8 Return whether a seat gives orders to a unit."""
        return self.commander_of(card) == seat


def missing_rules(scenario: Scenario) -> list[str]:
    """The parts of the rules that a scenario uses but the engine does not support."""
    return sorted(scenario.rules - PLAYED)


@cache
def playable_scenarios() -> tuple[str, ...]:
    """The packaged scenarios that use only supported rules."""
    return tuple(id for id in packaged_scenarios() if not missing_rules(packaged_scenario(id)))


def freeze(scenario: str, options: Mapping[str, Any]) -> dict[str, bytes]:
    """35.9 Return every file of a match by name."""
    chosen = msgspec.convert(dict(options), Options)
    blobs = {
        "scenario": packaged(f"scenarios/{scenario}.toml"),
        "name": scenario.encode(),
        "units": packaged(UNIT_FILE),
        "options": msgspec.json.encode(chosen),
    }
    blobs |= {name: packaged(f"map/{name}") for name in MAP_FILES}
    blobs |= {name: packaged(f"charts/{name}") for name in CHART_FILES}
    data_set(blobs)
    return blobs


def data_set(blobs: Mapping[str, bytes]) -> NatoData:
    """35.9 Return the data of a match; a scenario that needs unsupported rules is refused."""
    whole = read_atlas({name: blobs[name] for name in MAP_FILES})
    charts = read_charts({name: blobs[name] for name in CHART_FILES})
    name = blobs["name"].decode()
    first = load_scenario(blobs["scenario"], name, whole, None, charts)
    units = read_units(blobs["units"], first.year)
    if missing := missing_rules(first):
        why = [
            Objection(
                "35.9",
                say("the scenario uses rules that are not implemented yet: {missing}", missing=", ".join(missing)),
            )
        ]
        raise Illegal(name, why, playable_scenarios())
    options = msgspec.json.decode(blobs["options"], type=Options)
    if options.table not in first.tables:
        refused = say(
            "{scenario} cannot be divided into these seats: choose {tables}",
            scenario=first.name,
            tables=" or ".join(first.tables),
        )
        raise Illegal(options.table, [Objection("35.8", refused)], list(first.tables))
    return NatoData(first.play_area(whole), units, charts, first, options)
