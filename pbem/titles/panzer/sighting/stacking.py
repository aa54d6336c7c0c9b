"""5.13 Stacking in the advanced game: which units count, and which lose their cover.

    5.13    crowd, is_overstacked, loses_cover, stacking

The effects are those of 3.8. Leg units, wrecks, passengers and aircraft neither count nor lose their cover.
"""

from __future__ import annotations

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.cards.charts import Charts
from pbem.titles.panzer.state import PanzerState, Unit


def crowd(state: PanzerState, hex: Hex) -> int:
    """5.13 Vehicles and unlimbered guns in a hex, of both sides (A-02), including abandoned ones."""
    return sum(unit.kind != "leg" for unit in state.on_the_ground(hex))


def is_overstacked(state: PanzerState, charts: Charts, hex: Hex) -> bool:
    """5.13 Whether the hex is overstacked at this moment."""
    return crowd(state, hex) >= charts.overstacked_from


def loses_cover(state: PanzerState, charts: Charts, unit: Unit) -> bool:
    """3.8, 5.13 Whether overstacking costs this unit the cover of its hex; leg units keep theirs."""
    return unit.kind != "leg" and unit.hex is not None and is_overstacked(state, charts, unit.hex)


def stacking(state: PanzerState, charts: Charts, hex: Hex, rule: str = "5.13") -> Finding:
    """3.8, 5.13 Report the count, to explain why a hex has lost its cover."""
    return Finding(
        rule=rule,
        inputs={"hex": hex_name(hex), "units": crowd(state, hex), "overstacked_from": charts.overstacked_from},
        result=is_overstacked(state, charts, hex),
    )
