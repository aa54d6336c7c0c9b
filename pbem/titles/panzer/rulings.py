"""house/… Rulings on sentences of the books that can be read in two ways, where both can be played.

    READINGS     the switch of each other reading, and the ruling from which it departs
    ruled        the ruling, or the other reading if the scenario has set its switch, as a finding

The switches stand in `editions.toml` beside those between the books; none is in force unless a scenario sets it.
`NOTES.md` tells players of all rulings. How a rule is carried out is said where the rule is.
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
"""The names that the rulings have in the collections of both books; those that only the 2016 book raises say so."""


def ruled(data: PanzerData, reading: str) -> Finding:
    """house/… Which of two readings is played."""
    result = "other-reading" if data.charts.switch(reading) else "ruling"
    return Finding(READINGS[reading], inputs={"reading": reading}, result=result)
