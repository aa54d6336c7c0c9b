"""5.0 All data of an advanced match: the basic data, the advanced charts and all cards.

PanzerData           the data that rules access as `table.data`
PanzerData.plays     whether an advanced or optional rule is in use (AG introduction, 7.0)
advanced_data_set    the data in the blobs of a match; matches with the same blobs share it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import msgspec

from pbem.engine.geometry.hexes import Hex
from pbem.titles.panzer.cards.advanced_cards import (
    CARD_FILES,
    AdvancedCards,
    VehicleCard,
    basic_cards,
    read_advanced_cards,
)
from pbem.titles.panzer.cards.advanced_charts import (
    ADVANCED_FILES,
    AdvancedCharts,
    advanced_charts,
    read_advanced_charts,
)
from pbem.titles.panzer.cards.basic_rows import PROHIBITED, TRACTIONS, Edition
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.card_rows import LegCard, TowedCard
from pbem.titles.panzer.cards.cards import Card, read_cards
from pbem.titles.panzer.cards.charts import CHART_FILES, Charts, read_charts, with_switches
from pbem.titles.panzer.cards.files import read_toml
from pbem.titles.panzer.freezing import ADVANCED_CARDS, CARDS, CHARTS
from pbem.titles.panzer.numbering import in_chapter_4
from pbem.titles.panzer.setup.scenario import AdvancedScenario, AdvancedUnit, as_advanced
from pbem.titles.panzer.setup.scenario_file import load_scenario
from pbem.titles.panzer.setup.scenario_reader import Printed, load_advanced, with_switched_cards
from pbem.titles.panzer.state import PanzerState, Unit


@dataclass(frozen=True)
class PanzerData:
    """1.0, 5.0 The frozen data of a match. `cards` holds the basic cards, for vehicles only."""

    board: Board
    charts: Charts
    cards: Mapping[str, Card]
    edition: Edition
    scenario: AdvancedScenario
    advanced: AdvancedCharts
    book: AdvancedCards

    @cached_property
    def basic(self) -> bool:
        """4.0 Whether this is the basic game: none of the rules of chapters 5 to 7 are in use."""
        return not self.scenario.rules

    def cite(self, rule: str) -> str:
        """The number of a chapter 6 rule in this match; in the basic game it is in chapter 4."""
        return in_chapter_4(rule) if self.basic else rule

    def plays(self, rule: str) -> bool:
        """AG, 7.0 Whether an optional or omittable rule is in use in this match."""
        return rule in self.scenario.rules

    @cached_property
    def rows(self) -> dict[str, AdvancedUnit]:
        """2.0 The scenario's units by id."""
        return {row.id: row for row in self.scenario.units}

    @cached_property
    def area_hexes(self) -> dict[str, frozenset[Hex]]:
        """R-02 The hexes of each set-up area."""
        return {name: frozenset(area.hexes) for name, area in self.scenario.areas.items()}

    def armed(self, vehicle: Unit) -> bool:
        """3.6, 4.1.1 Whether a unit is armed: guns and leg units always are, and armed vehicles are until the crew
        leaves (5.15).

        7.2 A hidden unit cannot take an objective, because that would show that its counter is not a dummy.
        """
        if vehicle.hidden:
            return False
        if vehicle.kind != "vehicle":
            return True
        return bool(self.book.vehicles[vehicle.card].mounts) and not vehicle.bailed_out

    def drives(self, vehicle: Unit) -> bool:
        """3.6 Whether a unit is a vehicle; guns and leg units are not."""
        return vehicle.kind == "vehicle"

    def closed(self, state: PanzerState, hex: Hex) -> bool:
        """3.6 Whether no unit may enter a hex.

        None may if it burns, if its bridge is destroyed, or if it is closed even to leg units.
        """
        if not self.plays("leg_units"):
            return self.closed_to_vehicles(hex)
        lying = [self.advanced.features.get(row.type) for row in state.features.values() if row.hex == hex]
        if any(row is not None and {row.T.value, row.L.value} == {PROHIBITED} for row in lying):
            return True
        on_foot = [self.advanced.terrains[name].L.value for name in self.board.terrain(hex)]
        return PROHIBITED in on_foot and self.closed_to_vehicles(hex)

    def closed_to_vehicles(self, hex: Hex) -> bool:
        """3.6 Whether a hex is closed to every kind of traction and has no road or path."""
        terrain = self.board.terrain(hex)
        closed = all(self.charts.entry_cost(terrain, traction) == PROHIBITED for traction in TRACTIONS)
        return closed and not self.board.links(hex)

    def support_lost(self, state: PanzerState, side: str) -> int:
        """7.28.2 A side's points for enemy batteries that were knocked out."""
        gone = [id for id, battery in state.batteries.items() if battery.knocked_out and battery.side != side]
        return sum(row.vp for row in self.scenario.batteries if row.id in gone)

    def vehicle(self, unit: Unit) -> VehicleCard:
        """1.6 A vehicle's card."""
        return self.book.vehicles[unit.card]

    def towed(self, unit: Unit) -> TowedCard:
        """5.2 A towed gun's card."""
        return self.book.towed[unit.card]

    def leg(self, unit: Unit) -> LegCard:
        """5.1 A leg unit's card."""
        return self.book.legs[unit.card]


def advanced_data_set(blobs: Mapping[str, bytes]) -> PanzerData:
    """1.0 The data in the blobs of an advanced match."""
    return _advanced_data_set(tuple(sorted(blobs.items())))


@lru_cache(maxsize=32)
def _advanced_data_set(blobs: tuple[tuple[str, bytes], ...]) -> PanzerData:
    """Read equal blobs only once: reading takes a while, and the data never changes."""
    found = dict(blobs)
    papers = tuple((name, text) for name, text in blobs if name == CARDS or name.startswith((CHARTS, ADVANCED_CARDS)))
    scenario = load_advanced(
        found["scenario"],
        {read_toml(found["scenario"], "scenario")["map"]: found["map"]},
        edition=msgspec.json.decode(found["options"]).get("edition"),
        printed=lambda edition: _read_printed(papers, edition),
        options=msgspec.json.decode(found["options"]),
    )
    return bind_scenario(scenario, papers)


def basic_data_set(blobs: Mapping[str, bytes]) -> PanzerData:
    """4.0 The data in the blobs of a basic match, which uses none of the rules of chapters 5 to 7."""
    return _basic_data_set(tuple(sorted(blobs.items())))


@lru_cache(maxsize=32)
def _basic_data_set(blobs: tuple[tuple[str, bytes], ...]) -> PanzerData:
    """Read equal blobs only once: reading takes a while, and the data never changes."""
    found = dict(blobs)
    cards = read_cards(found[CARDS], CARDS)
    chart_files = {name: found[CHARTS + name] for name in CHART_FILES}
    scenario = load_scenario(
        found["scenario"],
        {read_toml(found["scenario"], "scenario")["map"]: found["map"]},
        edition=msgspec.json.decode(found["options"]).get("edition"),
        cards=cards,
        chart_files=chart_files,
    )
    return basic_data(as_advanced(scenario), read_charts(chart_files, scenario.edition), cards)


def basic_data(scenario: AdvancedScenario, charts: Charts, cards: Mapping[str, Card]) -> PanzerData:
    """4.0 The data of a basic match, in which no row of the charts of chapters 5 to 7 applies."""
    return PanzerData(
        board=scenario.board,
        charts=with_switches(charts, scenario.switches),
        cards=cards,
        scenario=scenario,
        edition=scenario.edition,
        advanced=advanced_charts(scenario.edition),
        book=basic_cards(scenario.edition, cards.values()),
    )


def bind_scenario(scenario: AdvancedScenario, papers: tuple[tuple[str, bytes], ...]) -> PanzerData:
    """1.0 A scenario with its charts and cards."""
    own = with_switched_cards(lambda edition: _read_printed(papers, edition), scenario.edition, scenario.switches)
    charts, advanced, book = own
    return PanzerData(
        board=scenario.board,
        charts=with_switches(charts, {**scenario.switches, "desert_buildings": scenario.desert_buildings}),
        cards={id: card.card for id, card in book.vehicles.items()},
        scenario=scenario,
        edition=scenario.edition,
        advanced=advanced,
        book=book,
    )


@lru_cache(maxsize=8)
def _read_printed(papers: tuple[tuple[str, bytes], ...], edition: Edition) -> Printed:
    """1.4, 1.6 A match's charts and cards, shared with matches of other scenarios."""
    found = dict(papers)
    files = {name: found[CHARTS + name] for name in (*CHART_FILES, *ADVANCED_FILES)}
    files |= {name: found[ADVANCED_CARDS + name] for name in CARD_FILES}
    book = read_advanced_cards(files, read_cards(found[CARDS], CARDS), edition)
    return Printed(read_charts(files, edition), read_advanced_charts(files, edition), book)
