"""7.7, 7.4.1 Limited spotting, and handing spotted targets on."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every, failures
from titles.panzer.advanced.builders import a_leg, a_tank, an_advanced_table
from titles.panzer.builders import a_board, run_step
from titles.panzer.command.test_optional_command import a_row

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal
from pbem.engine.rules.table import Table
from pbem.titles.panzer.fire.overwatch import overwatch_window
from pbem.titles.panzer.movement.placing import leave_map
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.sighting.hidden_units import spotting_phase
from pbem.titles.panzer.sighting.limited_spotting import chance_of, check_keep, keep_options
from pbem.titles.panzer.sighting.spotting import spotting_range
from pbem.titles.panzer.state import Command, PanzerState, Spot

SOVIET = "soviet_rifle_squad"
IN_USE = (*ADVANCED_RULES, "limited_spotting")


def a_fight(*units: Any, rules: Any = IN_USE, edition: str = "2016", **more: Any) -> Table[PanzerState]:
    given = {"spotted": {}, "sides": ("german", "soviet"), **more}
    return an_advanced_table(*units, edition=edition, scenario={"rules": rules}, **given)


@pytest.mark.rule("7.7", "7.7.1", editions=("2016",))
@pytest.mark.parametrize("edition", ["2016", "2024"])
@pytest.mark.parametrize(("die", "result"), [(80, "spotted"), (81, "overlooked")])
def test_7_7_1_the_best_spotter_rolls_and_the_others_help(edition, die, result):
    """L4508-4516: beyond half the range a Veteran has 60; two more units that could spot the target add 20."""
    german = [a_tank("g1", "C3", grade="veteran"), a_tank("g2", "C3"), a_tank("g3", "C3", grade="green")]
    target = a_leg("s1", "C15", SOVIET, spot=Spot.MOVE)
    table = a_fight(*german, target, dice=[die, 100, 100, 100], edition=edition)
    far = spotting_range(table, german[0], target, "earlier")
    assert far >= 12 > far // 2

    run_step(table, spotting_phase(table))

    rolled = assert_rule(table.findings, "7.7.1", dice=(die,), cell=["veteran", 60], result=result == "spotted")
    assert rolled.inputs["chance"] == 80
    assert_rule(table.findings, "7.7", inputs={"target": "s1"}, result=result)
    assert table.state.spotted["g3"] == (["s1"] if result == "spotted" else [])
    assert (target.spot is Spot.NONE) is (result == "overlooked")


def test_7_7_1_the_left_figure_counts_up_to_half_of_the_range():
    """L4510: a vehicle in woods can be spotted up to 7 hexes away, so the left figure counts up to 3."""
    spotter, target = a_tank("g1", "E9", grade="veteran"), a_tank("s1", "E6", "t34_76")
    table = a_fight(spotter, target, board=a_board(signs={"E6": "W", "E5": "W"}))
    assert spotting_range(table, spotter, target) == 7
    assert chance_of(table, spotter, target) == 80
    target.hex = a_tank("s2", "E5").hex
    assert chance_of(table, spotter, target) == 60


@pytest.mark.rule("7.7", editions=("2016",))
def test_7_7_next_to_an_enemy_and_once_spotted_no_roll_is_made():
    """L4504-4506: a spotted unit is handed on to all units that could see it."""
    near, far = a_tank("g1", "C3"), a_tank("g2", "C9")
    target = a_leg("s1", "C4", SOVIET)
    table = a_fight(near, far, target, a_tank("s2", "C12", "zis5"), dice=[100, 100])
    run_step(table, spotting_phase(table))
    assert "s1" in table.state.spotted["g1"] and "s1" in table.state.spotted["g2"]
    assert_rule(table.findings, "7.7", inputs={"target": "s2"}, result="overlooked")

    table.state.spotted = {"g1": ["s2"], "g2": [], "s1": ["g1", "g2"]}
    table.state.vehicles["s1"].hex = a_leg("s9", "T19", SOVIET).hex
    table.findings.clear()
    run_step(table, spotting_phase(table))
    assert not [finding for finding in every(table.findings) if finding.rule == "7.7"]
    assert table.state.spotted["g2"] == ["s2"]


@pytest.mark.rule("7.7", editions=("2016",))
def test_7_7_1_what_is_spotted_stays_so_while_any_friend_sees_it():
    """4.1.1: the spotter has turned away, but another unit in sight takes the target over without a new roll."""
    gone, fresh = a_tank("g1", "A20"), a_tank("g2", "C9")
    wood = {f"{column}15": "W" for column in "ABCDEF"}
    target = a_tank("s2", "C12", "zis5")
    table = a_fight(gone, fresh, target, spotted={"g1": ["s2"]}, board=a_board(signs=wood), dice=[100])
    run_step(table, spotting_phase(table))
    assert table.state.spotted["g2"] == ["s2"] and table.state.spotted["g1"] == []
    table = a_fight(gone, fresh, target, board=a_board(signs=wood), dice=[100])
    run_step(table, spotting_phase(table))
    assert_rule(table.findings, "7.7", inputs={"target": "s2"}, result="overlooked")


@pytest.mark.rule("7.7.1", editions=("2016",))
@pytest.mark.parametrize(("die", "fires"), [(70, True), (71, False)])
def test_7_7_1_overwatch_fire_at_what_nobody_has_spotted_needs_a_roll(die, fires):
    """L4512: a failed roll cancels the fire, but the unit may try again at its next opportunity."""
    gun = a_tank("g1", "C3", facing=4, command=Command.OVERWATCH)
    mover = a_tank("s1", "C18", "t34_76", command=Command.MOVE, revealed=True, moved=True, pending=Spot.MOVE)
    table = a_fight(gun, mover, dice=[die, 100, 100])
    fire = {"overwatch": [{"target": "s1", "firers": [["g1", 0, "ap"]]}]}
    played = run_step(table, overwatch_window(table, mover), fire)
    assert played.result is fires and gun.fired is fires
    assert_rule(table.findings, "7.7.1", result=fires)
    assert table.state.spotted.get("g1", []) == (["s1"] if fires else [])
    assert failures(table.findings) == ([] if fires else [("g1", "fire s1", "7.7.1")])


@pytest.mark.rule("7.7.2", editions=("2016",))
def test_7_7_2_nobody_holds_more_targets_than_his_grade_lets_him():
    """L4518-4522: a Green unit can hold two targets, by default the nearest."""
    green = a_tank("g1", "C3", grade="green")
    enemies = [a_tank(f"s{row}", f"C{row}", "zis5") for row in (6, 8, 10, 12)]
    for kept, wanted in ((None, ["s6", "s8"]), (["s10", "s12"], ["s10", "s12"])):
        table = a_fight(green, *enemies, spotted={"g1": [unit.id for unit in enemies]})
        answers = {"keep": [{"g1": kept}]} if kept else {}
        run_step(table, spotting_phase(table), answers)
        assert sorted(table.state.spotted["g1"]) == sorted(wanted)
        assert_rule(table.findings, "7.7.2", inputs={"unit": "g1"}, result=wanted)
    about = {"targets": {"g1": ["s6", "s8", "s10"]}, "most": {"g1": 2}}
    ask = Ask("german", "keep", "7.7.2", about=about)
    with pytest.raises(Illegal) as refused:
        check_keep(table, ask, {"g1": ["s6", "s8", "s10"]})
    assert_rule(refused.value, "7.7.2")
    for option in keep_options(table, ask):
        assert check_keep(table, ask, option) == option


@pytest.mark.rule("7.4.1", editions=("2016",))
def test_7_4_1_a_vehicle_without_radio_tells_only_its_platoon():
    """L4464-4466: a vehicle without a radio hands its targets on only within its platoon."""
    spotter, friend = a_tank("s1", "C3", "t70"), a_tank("s2", "C6", "t34_76")
    table = a_fight(spotter, friend, a_leg("g1", "C4", "german_rifle_squad"), rules=(*IN_USE, "radios"), dice=[100])
    run_step(table, spotting_phase(table))
    assert table.state.spotted["s1"] == ["g1"] and table.state.spotted["s2"] == ["g1"]
    rows = (a_row("s1", "1st"), a_row("s2", "2nd"))
    scenario = {"rules": (*IN_USE, "radios"), "units": rows}
    table = an_advanced_table(
        spotter, friend, a_leg("g1", "C4", "german_rifle_squad"), edition="2016", scenario=scenario, spotted={},
        sides=("german", "soviet"), dice=[100],
    )  # fmt: skip
    run_step(table, spotting_phase(table))
    assert_rule(table.findings, "7.4.1", inputs={"target": "g1", "not_told": ["s2"]}, result="no radio")
    assert table.state.spotted["s2"] == []


def test_7_4_1_who_could_not_be_told_does_not_fire_on_overwatch_either():
    """7.7.1: a fire group makes one roll, handed on only by radio; 7.7.2: a unit fires only at targets it holds."""
    watch = {"command": Command.OVERWATCH, "facing": 4}
    firers = a_tank("s1", "C3", "t70", **watch), a_tank("s2", "C4", "t34_76", grade="green", **watch)
    mover = a_tank("g1", "C18", command=Command.MOVE, revealed=True, moved=True, pending=Spot.MOVE)
    scenario = {"rules": (*IN_USE, "radios"), "units": (a_row("s1", "1st"), a_row("s2", "2nd"))}
    table = an_advanced_table(
        *firers, mover, edition="2016", scenario=scenario, spotted={}, sides=("german", "soviet"),
        dice=[1, 100, 100, 100],
    )  # fmt: skip
    fire = {"overwatch": [{"target": "g1", "firers": [["s1", 0, "ap"], ["s2", 0, "ap"]]}]}
    run_step(table, overwatch_window(table, mover), fire)
    assert (firers[0].fired, firers[1].fired) == (True, False)
    assert table.state.spotted == {"s1": ["g1"]}
    assert failures(table.findings) == [("s2", "fire g1", "7.4.1")]


def test_7_7_2_a_target_that_has_left_the_map_is_held_no_longer():
    """A Green unit holds two targets; a target that drives off the map makes room for the next, because
    it no longer has a distance."""
    green = a_tank("g1", "C3", grade="green", facing=4, command=Command.OVERWATCH)
    gone, near = a_tank("s1", "C6", "zis5"), a_tank("s2", "C8", "zis5")
    mover = a_tank("s3", "C10", "zis5", command=Command.MOVE, revealed=True, moved=True, pending=Spot.MOVE)
    table = a_fight(green, gone, near, mover, spotted={"g1": ["s1", "s2"]}, dice=[1, 100, 100, 100])
    leave_map(table.state, gone, "north")
    run_step(table, overwatch_window(table, mover), {"overwatch": [{"target": "s3", "firers": [["g1", 0, "ap"]]}]})
    assert green.fired and table.state.spotted["g1"] == ["s2", "s3"]
