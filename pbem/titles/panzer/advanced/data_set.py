"""5.0 Everything an advanced match is played with: the basic data, the advanced charts and all cards.

    AdvancedData            what the rules see on the table as `table.data`
    AdvancedData.plays      whether an advanced or optional rule is in use (AG introduction, 7.0)
    advanced_data_set       the data in the blobs of a match; matches with the same blobs share it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from pbem.titles.panzer.advanced.scenario import AdvancedScenario
from pbem.titles.panzer.advanced.scenario_reader import load_advanced
from pbem.titles.panzer.advanced.state import Unit
from pbem.titles.panzer.advanced_cards import (
    CARD_FILES,
    AdvancedCards,
    LegCard,
    TowedCard,
    VehicleCard,
    read_advanced_cards,
)
from pbem.titles.panzer.advanced_charts import ADVANCED_FILES, AdvancedCharts, read_advanced_charts
from pbem.titles.panzer.cards import read_cards
from pbem.titles.panzer.charts import CHART_FILES, read_charts, read_toml, with_switches
from pbem.titles.panzer.data_set import ADVANCED_CARDS, CHARTS, PanzerData
from pbem.titles.panzer.state import Vehicle


@dataclass(frozen=True)
class AdvancedData(PanzerData):
    """5.0 The frozen data of an advanced match. `cards` has a basic card for each vehicle only."""

    scenario: AdvancedScenario
    advanced: AdvancedCharts
    book: AdvancedCards

    def plays(self, rule: str) -> bool:
        """AG, 7.0 Whether a rule that may be left out is in use in this match."""
        return rule in self.scenario.rules

    def armed(self, vehicle: Vehicle) -> bool:
        """3.6, 4.1.1 Guns and leg units always are; a vehicle with a weapon, until its crew has left it (5.15)."""
        assert isinstance(vehicle, Unit)
        if vehicle.kind != "vehicle":
            return True
        return bool(self.book.vehicles[vehicle.card].mounts) and not vehicle.bailed_out

    def vehicle(self, unit: Unit) -> VehicleCard:
        """1.6 The card of a vehicle."""
        return self.book.vehicles[unit.card]

    def towed(self, unit: Unit) -> TowedCard:
        """5.2 The card of a towed gun."""
        return self.book.towed[unit.card]

    def leg(self, unit: Unit) -> LegCard:
        """5.1 The card of a leg unit."""
        return self.book.legs[unit.card]


def advanced_data_set(blobs: Mapping[str, bytes]) -> AdvancedData:
    """1.0 The data in the blobs of an advanced match."""
    return _advanced_data_set(tuple(sorted(blobs.items())))


@lru_cache(maxsize=32)
def _advanced_data_set(blobs: tuple[tuple[str, bytes], ...]) -> AdvancedData:
    """Reading takes a while and what is read never changes, so equal blobs are read once."""
    found = dict(blobs)
    files = {name: found[CHARTS + name] for name in (*CHART_FILES, *ADVANCED_FILES)}
    files |= {name: found[ADVANCED_CARDS + name] for name in CARD_FILES}
    cards = read_cards(found["cards"], "cards")
    setup = found["scenario"]
    options = msgspec.json.decode(found["options"])
    boards = {read_toml(setup, "scenario")["map"]: found["map"]}
    edition = options.get("edition")
    scenario = load_advanced(setup, boards, edition=edition, cards=cards, files=files, options=options)
    book = read_advanced_cards(files, cards, scenario.edition)
    return AdvancedData(
        board=scenario.board,
        charts=with_switches(read_charts(files, scenario.edition), scenario.switches),
        cards={id: card.card for id, card in book.vehicles.items()},
        scenario=scenario,
        edition=scenario.edition,
        advanced=read_advanced_charts(files, scenario.edition),
        book=book,
    )
