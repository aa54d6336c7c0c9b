"""Helpers for tests of the air phases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from titles.panzer.advanced.builders import a_tank, an_advanced_table
from titles.panzer.builders import Played, run_step

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.air.air import air_phase, check_flight
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.setup.scenario import AircraftRow
from pbem.titles.panzer.state import AircraftState, Flight, PanzerState, Unit

both = pytest.mark.parametrize("edition", ["2024", "2016"])
FACING = 4
"""Southwards: flights here enter at C0 or C1 and fly down column C."""


def an_aircraft(card: str = "il2", **more: Any) -> AircraftState:
    given: dict[str, Any] = {"id": "a1", "name": "a1", "side": "soviet", "load": "bombs"} | more
    return AircraftState(card=card, **given)


def a_table(
    *units: Unit,
    dice: Iterable[int] = (),
    edition: Edition = "2024",
    aircraft: AircraftState | None = None,
    scenario: dict[str, Any] | None = None,
    **more: Any,
) -> Table[PanzerState]:
    """A table with a Soviet aircraft and German units, by default a tank in C12."""
    flying = aircraft or an_aircraft()
    row = AircraftRow(flying.id, flying.id, flying.side, flying.card, "seasoned")
    return an_advanced_table(
        *(units or (a_tank("g1", "C12"),)), dice=dice, edition=edition, aircraft={flying.id: flying},
        scenario={"air_superiority": "soviet", "aircraft": (row,), **(scenario or {})},
        **{"sides": ("german", "soviet"), "stage": 3, **more},
    )  # fmt: skip


def plot(*attacks: tuple[str, str], **more: Any) -> dict[str, Any]:
    aims = [{"target": target, "weapon": weapon} for target, weapon in attacks]
    flight = {"aircraft": "a1", "hex": "C1", "facing": FACING, "speed": "slow", "altitude": "low"}
    return flight | {"attacks": aims} | more


def fly(table: Table[PanzerState], flight: dict[str, Any] | None, number: int = 1, **answers: Any) -> Played:
    return run_step(table, air_phase(table, number), {"flight": [flight], **answers})


def refused(table: Table[PanzerState], answer: Any) -> Any:
    ask = Ask("soviet", "flight", "6.4", about={"aircraft": ["a1"]})
    with pytest.raises((Illegal, Unreadable)) as caught:
        check_flight(table, ask, answer)
    return caught.value


def legal(table: Table[PanzerState], answer: Any) -> Any:
    return check_flight(table, Ask("soviet", "flight", "6.4"), answer)


def over(table: Table[PanzerState], hex: str, **more: Any) -> Flight:
    """Put the aircraft over a hex."""
    given: dict[str, Any] = {"facing": FACING, "altitude": "low", "speed": "slow"} | more
    flight = Flight(hex=parse_hex(hex), **given)
    table.state.aircraft["a1"].flight = flight
    return flight
