"""house/… Rulings on ambiguous sentences of the books, where both readings can be played.

    READINGS         the switch for each alternative reading, and the ruling it departs from
    ruling_finding   the ruling, or the alternative if the scenario has set its switch, as a finding

The switches are in `editions.toml`, next to those between the books; none is in force unless a scenario sets it.
`NOTES.md` lists all rulings for players. The implementation is in each rule's own module.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.data_set import PanzerData

READINGS: Final[Mapping[str, str]] = {
    "command_fo_calls_one": "house/A-64",
    "linear_both_ways": "house/A-63",
    "automatic_check_frees": "house/A-68",
    "stray_needs_response": "house/A-70",
    "plan_shifts_from_first": "house/A-72",
    "low_grades_never_spread": "house/A0",
    "track_again_asks_nobody": "house/A9",
    "aircraft_as_indirect": "house/A15",
    "coax_at_any_range": "house/A18",
    "alleys_spared": "house/A23",
    "suppressed_do_not_support": "house/A27",
    "hull_down_in_close_assault": "house/A28",
    "advance_counts_once": "house/A31",
    "high_bombs_spread_wide": "house/A46",
    "moving_in_point_hex_only": "house/2016-A38",
    "fast_and_high_once": "house/2016-B14",
}
"""The names of the rulings in the collections for both books; those that only the 2016 book needs are marked."""


def ruling_finding(data: PanzerData, reading: str) -> Finding:
    """house/… A finding that reports which reading of a ruling is in use."""
    result = "other-reading" if data.charts.switch(reading) else "ruling"
    return Finding(READINGS[reading], inputs={"reading": reading}, result=result)
