"""3.8 Stacking."""

import pytest
from support.rules import assert_rule
from titles.panzer.builders import a_state, a_vehicle, knocked_out

from pbem.engine.geometry.hexes import parse_hex
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.sighting.stacking import is_overstacked, stacking
from pbem.titles.panzer.state import Status

C9 = parse_hex("C9")


@pytest.mark.rule("3.8")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("count", "overstacked"), [(0, False), (5, False), (6, True), (9, True)])
def test_3_8_six_vehicles_are_too_many(edition, count, overstacked):
    """L462-466: six or more vehicles overstack a hex, but any number may be there."""
    state = a_state(*(a_vehicle(f"g{number}", "C9") for number in range(count)))

    finding = stacking(state, charts(edition), C9, "3.8")

    assert_rule(finding, "3.8", inputs={"hex": "C9", "units": count}, result=overstacked)


@pytest.mark.rule("3.8", effect=True)
def test_3_8_both_sides_count_together():
    """A-02: vehicles of both sides are together while a unit drives through the hex."""
    both = [a_vehicle(f"g{number}", "C9") for number in range(5)] + [a_vehicle("s1", "C9")]

    assert is_overstacked(a_state(*both), charts("2024"), C9)


@pytest.mark.rule("3.8", effect=True)
def test_3_8_wrecks_and_vehicles_that_are_gone_do_not_count():
    """L464: wrecks and units that are not on the map do not count."""
    there = [a_vehicle(f"g{number}", "C9") for number in range(5)]
    gone = a_vehicle("g9", "C9", status=Status.ELIMINATED)

    assert not is_overstacked(a_state(*there, gone, wrecks={"C9": knocked_out()}), charts("2024"), C9)
