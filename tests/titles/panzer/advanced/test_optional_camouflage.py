"""7.24 Camouflage."""

from __future__ import annotations

from typing import Any

import pytest
from coverage_of_rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_tank, an_advanced_table
from titles.panzer.builders import a_board, run_step

from pbem.engine.state import to_bytes
from pbem.titles.panzer.advanced.camouflage import CAMOUFLAGED
from pbem.titles.panzer.advanced.direct_fire import direct_fire_step
from pbem.titles.panzer.advanced.move_execution import move_unit
from pbem.titles.panzer.advanced.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.advanced.spotting import spotting_phase
from pbem.titles.panzer.advanced.state import Unit
from pbem.titles.panzer.advanced.view import view_of
from pbem.titles.panzer.state import Command


def a_table(*units: Unit, dice: Any = (), **more: Any) -> Any:
    scenario = {"rules": (*ADVANCED_RULES, "camouflage")}
    return an_advanced_table(*units, dice=dice, edition="2016", scenario=scenario, **{"turn": 1, **more})


def gun(hex: str = "K10", **more: Any) -> Unit:
    return a_gun("g1", hex, "pak38", **{"flags": (CAMOUFLAGED,), **more})


@pytest.mark.rule("7.24", editions=("2016",))
def test_7_24_a_camouflaged_unit_must_be_found() -> None:
    """Among trees a gun is spotted at few hexes: the roll must not exceed them; who has found it keeps it."""
    board = a_board(signs={"K10": "W"})
    enemy = a_tank("s1", "K8", "t34_76")
    table = a_table(gun(), enemy, board=board, dice=[10])
    run_step(table, spotting_phase(table))
    found = assert_rule(table.findings, "7.24", inputs={"spotter": "s1", "target": "g1"}, result="overlooked")
    assert table.state.spotted["s1"] == []
    table = a_table(gun(), enemy, board=board, dice=[found.inputs["range"]])  # type: ignore[union-attr]
    run_step(table, spotting_phase(table))
    assert_rule(table.findings, "7.24", result="found")
    assert table.state.spotted["s1"] == ["g1"]
    run_step(table, spotting_phase(table))                             # no further roll
    assert table.state.spotted["s1"] == ["g1"]
    near = a_table(gun(), a_tank("s1", "K9", "t34_76"), board=board)
    run_step(near, spotting_phase(near))
    assert near.state.spotted["s1"] == ["g1"]                          # at one hex by itself


@pytest.mark.rule("7.24/lost", editions=("2016",))
def test_7_24_it_is_lost_by_moving_and_by_fire_in_view() -> None:
    tank = a_tank("g1", "K10", "pz4h", flags=(CAMOUFLAGED,), command=Command.MOVE)
    table = a_table(tank, a_tank("s1", "C3", "t34_76"))
    run_step(table, move_unit(table, "g1", "cross", ["f"]))
    assert_rule(table.findings, "7.24/lost", inputs={"why": "moved"}, result="lost")
    assert tank.flags == ()
    shooter = gun(facing=1, command=Command.FIRE)
    table = a_table(shooter, a_tank("s1", "K5", "t34_76"), dice=[100])
    run_step(table, direct_fire_step(table, "german"), {"fire": [{"target": "s1", "firers": [["g1", 0, "ap"]]}]})
    assert_rule(table.findings, "7.24/lost", inputs={"why": "fired"}, result="lost")


def test_7_24_the_enemy_does_not_see_that_it_is_camouflaged() -> None:
    enemy = a_tank("s1", "C3", "t34_76")
    worlds = [a_table(unit, enemy) for unit in (gun(), gun(flags=()))]
    seen = {to_bytes(view_of(table.state, "soviet")) for table in worlds}
    assert len(seen) == 1
    assert CAMOUFLAGED in view_of(worlds[0].state, "german").vehicles["g1"].flags
