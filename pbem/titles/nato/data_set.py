"""Everything that a match is played with: the atlas, the units, the charts and the scenario."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.titles.nato.cards.charts import Charts
from pbem.titles.nato.cards.scenario import Scenario
from pbem.titles.nato.cards.units import UnitType
from pbem.titles.nato.map.atlas import Atlas
from pbem.titles.nato.map.grid import HexId


@dataclass(frozen=True)
class NatoData:
    """The frozen data of one match. `atlas` is the play area of the scenario."""

    atlas: Atlas
    units: dict[str, UnitType]
    charts: Charts
    scenario: Scenario
    near_cities: dict[HexId, tuple[HexId, ...]] = field(default_factory=dict)
    """11.1 The cities near a hex, remembered."""

    def plays(self, rule: str) -> bool:
        """Whether the scenario uses a part of the rules."""
        return rule in self.scenario.rules

    def surprise(self, turn: int) -> bool:
        """35.7 Whether this is the turn of surprise."""
        return self.plays("surprise") and turn == 1

    @property
    def merges_baltap(self) -> bool:
        """29.5.3 Whether units in the BALTAP zone may count as the Baltic Front's: not in Extended Buildup."""
        return not self.plays("extended_buildup")
