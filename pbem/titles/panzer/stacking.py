"""3.8 Stacking: how many vehicles a hex holds before its cover and its road stop helping them.

    3.8    crowd, is_overstacked, stacking

Any number of vehicles may share a hex. The effects of too many are in 4.1.3.2, 4.4.3.2.2 and 4.5.1.1.5.
"""

from __future__ import annotations

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.charts import Charts
from pbem.titles.panzer.state import PanzerState


def crowd(state: PanzerState, hex: Hex) -> int:
    """3.8 The vehicles in a hex, of both sides together (A-02); wrecks do not count."""
    return len(state.at(hex))


def is_overstacked(state: PanzerState, charts: Charts, hex: Hex) -> bool:
    """3.8 Whether there are too many, at this moment."""
    return crowd(state, hex) >= charts.overstacked_from


def stacking(state: PanzerState, charts: Charts, hex: Hex) -> Finding:
    """3.8 The count, for whoever asks why a hex has lost its cover."""
    return Finding(
        rule="3.8",
        inputs={"hex": hex_name(hex), "vehicles": crowd(state, hex), "overstacked_from": charts.overstacked_from},
        result=is_overstacked(state, charts, hex),
    )
