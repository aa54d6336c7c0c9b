"""6.5.1, 6.7.3 Calls and flights that are worth proposing."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.ask import Ask
from pbem.titles.panzer.air.air import flight_options
from pbem.titles.panzer.artillery.calls import sheaf_hexes
from pbem.titles.panzer.artillery.response import friends_in_danger
from pbem.titles.panzer.situation import Situation

LOOKED_AT: Final = 40
"""The maximum number of calls or flights compared."""


def best_flights(situation: Situation, ask: Ask) -> list[Any]:
    """6.7.3 The flight with the heaviest weapon; empty if no flight is possible."""
    heavy = ("dive", "bombs", "rockets", "strafing")
    flights = [flight for flight in islice(flight_options(situation, ask), 1, LOOKED_AT) if flight]
    return sorted(flights, key=lambda flight: heavy.index(flight["attacks"][0]["weapon"]))[:1]


def promise(situation: Situation, side: str, call: Mapping[str, Any]) -> int:
    """6.5.1.5, 6.5.1.10 The value of a call.

    Soft targets count double, and friendly units nearby count against it.
    """
    view = situation.state
    point = parse_hex(call["point"])
    covered = sheaf_hexes(situation.data, point, call["sheaf"], call["direction"])
    hit = [unit for hex in covered for unit in view.on_the_ground(hex)]
    gain = sum(1 if unit.kind == "vehicle" else 2 for unit in hit if unit.side != side)
    return gain - 3 * len(friends_in_danger(situation, side, point))
