"""5.16.2 Ammunition limits, at the numbers where they take effect."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_tank, an_advanced_table
from titles.panzer.artillery.test_observers import a_battery

from pbem.engine.geometry.hexes import parse_hex as parse
from pbem.titles.panzer.artillery.landing import ammo_limit
from pbem.titles.panzer.artillery.observers import firer_of
from pbem.titles.panzer.cards.ammunition import limit_roll
from pbem.titles.panzer.sighting.spotting import explain_orientation
from pbem.titles.panzer.state import Marker


@pytest.mark.rule("5.16.2")
@pytest.mark.parametrize(
    ("die", "added", "result"), [(4, 0, "enough"), (5, 0, "short"), (2, 2, "enough"), (3, 2, "short")]
)
def test_5_16_2_a_roll_above_the_limit_is_short_and_a_shortage_adds_to_it(die: int, added: int, result: str) -> None:
    table = an_advanced_table(a_tank("g1", "C5"), dice=[die])
    short, found = limit_roll(table, "g1", "A", 4, added)
    assert short is (result == "short")
    assert_rule(found, "5.16.2", inputs={"limit": 4}, result=result)
    assert found.inputs.get("added", 0) == added


@pytest.mark.rule("5.16.2.3", "5.16.2.5")
@pytest.mark.parametrize(("die", "result"), [(5, "available"), (6, "limited")])
def test_5_16_2_3_smoke_of_a_unit_and_of_a_battery_comes_up_to_the_limit(die: int, result: str) -> None:
    table = an_advanced_table(a_tank("g1", "C5"), dice=[die, die], batteries={"gb1": a_battery()})
    battery = firer_of(table, "gb1")
    assert battery is not None
    battery = replace(battery, limits={"S": 5})
    on_map = replace(battery, battery=None, unit=table.state.vehicles["g1"])
    assert_rule(ammo_limit(table, battery, "S", planned=False), "5.16.2.5", inputs={"limit": 5}, result=result)
    assert_rule(ammo_limit(table, on_map, "S", planned=False), "5.16.2.3", inputs={"limit": 5}, result=result)
    assert ammo_limit(table, battery, "I", planned=False) is None, "nothing limits its illumination"


@pytest.mark.rule("4.1.2", effect=True)
@pytest.mark.rule("6.1.2")
def test_6_1_2_a_suppressed_unit_looks_ahead_and_into_its_own_hex() -> None:
    table = an_advanced_table(a_tank("g1", "C10", facing=1, suppression=Marker.ON))
    unit = table.state.vehicles["g1"]
    seen = {hex: explain_orientation(table, unit, parse(hex)) for hex in ("C10", "C5", "C15")}
    assert_rule(seen["C10"], "6.1.2", inputs={"suppressed": True}, result=True)
    assert (seen["C5"].result, seen["C15"].result) == (True, False)
