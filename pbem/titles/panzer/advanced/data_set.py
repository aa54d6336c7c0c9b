"""5.0 Everything an advanced match is played with: the basic data, the advanced charts and all cards.

    AdvancedData        what the rules see on the table as `table.data`
    AdvancedData.plays  whether an advanced or optional rule is in use (AG introduction, 7.0)
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.titles.panzer.advanced.scenario import AdvancedScenario
from pbem.titles.panzer.advanced.state import Unit
from pbem.titles.panzer.advanced_cards import AdvancedCards, LegCard, TowedCard, VehicleCard
from pbem.titles.panzer.advanced_charts import AdvancedCharts
from pbem.titles.panzer.data_set import PanzerData


@dataclass(frozen=True)
class AdvancedData(PanzerData):
    """5.0 The frozen data of an advanced match. `cards` has a basic card for each vehicle only."""

    scenario: AdvancedScenario
    advanced: AdvancedCharts
    book: AdvancedCards

    def plays(self, rule: str) -> bool:
        """AG, 7.0 Whether a rule that may be left out is in use in this match."""
        return rule in self.scenario.rules

    def vehicle(self, unit: Unit) -> VehicleCard:
        """1.6 The card of a vehicle."""
        return self.book.vehicles[unit.card]

    def towed(self, unit: Unit) -> TowedCard:
        """5.2 The card of a towed gun."""
        return self.book.towed[unit.card]

    def leg(self, unit: Unit) -> LegCard:
        """5.1 The card of a leg unit."""
        return self.book.legs[unit.card]
