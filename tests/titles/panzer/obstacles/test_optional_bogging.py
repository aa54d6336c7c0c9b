"""7.29, 7.36.3 Bogging down, and the effect of snow and mud on it."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank
from titles.panzer.advanced.marching import SECTION, a_field, moves, where
from titles.panzer.builders import run_step

from pbem.engine.rules.table import Table
from pbem.titles.panzer.end_of_turn.adjustment import adjustment_phase
from pbem.titles.panzer.obstacles.bogging import bog_modifiers, bog_range
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import Conditions
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Spot, Unit


def soft(
    *units: Unit, edition: str = "2016", rules: Any = ("bogging_down", "weather"), **more: Any
) -> Table[PanzerState]:
    """A board with rough ground all along row 9, and a road through A8 to A10."""
    conditions = Conditions(**more.pop("conditions", {}))
    signs = {f"{column}9": "^" for column in "ABCDEFG"} | more.pop("signs", {})
    board = {"links": {"road": ["A10-A9-A8"]}}
    scenario = {"rules": (*ADVANCED_RULES, *rules), "conditions": conditions}
    return a_field(*units, edition=edition, scenario=scenario, signs=signs, board=board, **more)


def checks(findings: Any) -> list[Any]:
    return [item.result for item in every(findings) if item.rule == "7.29"]


@pytest.mark.rule("7.29", editions=("2016",))
@pytest.mark.parametrize(("roll", "result", "place"), [(35, "bogged", "C9"), (36, "firm", "C8")])
def test_7_29_a_tiger_ii_in_rough_ground_bogs_on_a_natural_35(roll: int, result: str, place: str) -> None:
    """L4883: with its -5 a Tiger II bogs down on 35 or less, so the range of rough ground is 01-30."""
    table = soft(a_tank("g1", "C9", "tiger2"), dice=[roll])

    assert bog_range(table, table.state.vehicles["g1"], table.state.vehicles["g1"].hex) == 30
    assert_rule(moves(table, "g1", "f").findings, "7.29", result=result, dice=(roll,), cell=30)
    assert where(table, "g1") == place


@pytest.mark.rule("7.29", editions=("2016",))
def test_7_29_a_bogged_vehicle_stays_and_lets_its_passengers_off() -> None:
    """A bogged vehicle opens no window and cannot turn or go on; the vehicle gets Spot/Move, and may
    try again next turn."""
    table = soft(a_tank("g1", "C9"), a_leg("g2", "C9", SECTION, aboard="g1"), dice=[1])
    tank = table.state.vehicles["g1"]
    played = moves(table, "g1", "f", answers={"reroute": [{"steps": ["dismount:g2:C9:1"]}]})

    assert (where(table, "g1"), tank.pending, tank.flags) == ("C9", Spot.MOVE, ("bogged",))
    assert table.state.vehicles["g2"].aboard == ""
    assert_rule(played.findings, "7.29", result="bogged")
    table = soft(a_tank("g1", "C9", command=Command.NO_COMMAND, flags=("bogged",)))
    run_step(table, adjustment_phase(table))
    assert table.state.vehicles["g1"].flags == ()


@pytest.mark.rule("7.29", editions=("2016",))
def test_7_29_one_check_a_hex_before_the_first_thing_it_does_there() -> None:
    """Entering rough ground needs no check; a turn and leaving the hex share one check; each further
    hex has its own check."""
    table = soft(a_tank("g1", "C10"))
    assert checks(moves(table, "g1", "f").findings) == []
    table = soft(a_tank("g1", "C9"), dice=[90])
    assert checks(moves(table, "g1", "l f").findings) == ["firm"]
    table = soft(a_tank("g1", "C10", "t34_76"), dice=[90])
    assert checks(moves(table, "g1", "f f").findings) == ["firm"]
    table = soft(a_tank("g1", "C9"), dice=[1])
    assert_rule(moves(table, "g1", "search:hd:1").findings, "7.29", result="bogged")
    assert checks(moves(soft(a_tank("g1", "C9")), "g1").findings) == []


@pytest.mark.rule("7.29", editions=("2016",))
def test_7_29_roads_hidden_vehicles_and_firm_ground_need_no_check() -> None:
    """Vehicles on a road do not check at either rate, but off the road every vehicle does. Without the
    rule no vehicle checks."""
    for mode in ("road", "cross"):
        assert checks(moves(soft(a_tank("g1", "A9")), "g1", "f", mode).findings) == []
    off = soft(a_tank("g1", "A9", facing=2), dice=[90])
    assert_rule(moves(off, "g1", "f").findings, "7.29", result="firm")
    assert checks(moves(soft(a_tank("g1", "C9"), rules=()), "g1", "f").findings) == []
    assert checks(moves(soft(a_tank("g1", "C12")), "g1", "f").findings) == []
    assert checks(moves(soft(a_leg("g1", "C9", SECTION)), "g1", "1").findings) == []
    scenario = soft(a_tank("g1", "C12"), dice=[40], conditions={"bog": {"clear": 40}})
    assert_rule(moves(scenario, "g1", "f").findings, "7.29", result="bogged", cell=40)


@pytest.mark.rule("7.29", editions=("2016",))
@pytest.mark.rule("7.36.3/mud", editions=("2016",))
def test_7_36_3_mud_doubles_the_ranges_and_a_heavy_gun_counts_more() -> None:
    """Rough ground in mud has 01-60; the -5 for towing a gun becomes -5 for each capacity point of the gun."""
    tractor, gun = a_tank("g1", "C9", "sdkfz10"), a_gun("g2", "C9", "pak38", aboard="g1")
    dry = soft(tractor, gun)
    assert (
        sum(
            row["value"] * row["times"] for row in bog_modifiers(Situation(dry.data, dry.state), tractor, tractor.hex)
        )
        == -5
    )
    pair = a_tank("g1", "C9", "sdkfz10"), a_gun("g2", "C9", "pak38", aboard="g1")
    muddy = soft(*pair, dice=[70], conditions={"ground": "mud"})
    points = muddy.data.book.towed["pak38"].passenger.value[0]
    found = assert_rule(moves(muddy, "g1", "f").findings, "7.29", cell=60)
    assert found.inputs["total"] == 70 - 5 * points  # type: ignore[union-attr]
    assert_rule(found, "7.36.3/mud", result=60, inputs={"times": 2, "towing": -5 * points})
    alone = soft(a_tank("g1", "C9"), dice=[60], conditions={"ground": "mud", "ground_hexes": ("D9",)})
    assert_rule(moves(alone, "g1", "f").findings, "7.29", result="firm", cell=30)


@pytest.mark.rule("7.29")
def test_7_29_a_scenario_of_2024_may_use_it() -> None:
    """The 2024 book names the rule without its text; in its scenarios vehicles bog down in groves and sand."""
    table = soft(a_tank("g1", "C12"), edition="2024", dice=[10], signs={"C12": "m"})
    assert_rule(moves(table, "g1", "f").findings, "7.29", result="bogged", cell=15)
