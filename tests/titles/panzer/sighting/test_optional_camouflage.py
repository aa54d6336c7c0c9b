"""7.24 Camouflage."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET
from support.rules import assert_rule, failures
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, an_advanced_table
from titles.panzer.builders import a_board, run_step

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.state import to_bytes
from pbem.titles.panzer.damage.bail_out import get_out
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.fire.overwatch import overwatch_group
from pbem.titles.panzer.movement.move_execution import move_unit
from pbem.titles.panzer.obstacles.transport import get_off
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.sighting.camouflage import CAMOUFLAGED
from pbem.titles.panzer.sighting.spotting import lose_camouflage_by_firing, spotting_phase
from pbem.titles.panzer.state import Command, Spot, Unit
from pbem.titles.panzer.view import view_of


def a_table(*units: Unit, dice: Any = (), **more: Any) -> Any:
    scenario = {"rules": (*ADVANCED_RULES, "camouflage")}
    return an_advanced_table(*units, dice=dice, edition="2016", scenario=scenario, **{"turn": 1, **more})


def gun(hex: str = "K10", **more: Any) -> Unit:
    return a_gun(more.pop("id", "g1"), hex, "pak38", **{"flags": (CAMOUFLAGED,), **more})


@pytest.mark.rule("7.24", editions=("2016",))
def test_7_24_a_camouflaged_unit_must_be_found() -> None:
    """A gun among trees is found on a roll up to its short spotting range, and then stays spotted by the finder."""
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
    run_step(table, spotting_phase(table))  # no further roll
    assert table.state.spotted["s1"] == ["g1"]
    near = a_table(gun(), a_tank("s1", "K9", "t34_76"), board=board)
    run_step(near, spotting_phase(near))
    assert near.state.spotted["s1"] == ["g1"]  # automatic at one hex


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


@pytest.mark.rule("7.24", editions=("2016",))
def test_7_24_it_is_shown_only_to_friends_who_are_not_farther_away() -> None:
    """L4782: a finder passes the target on to friends no farther away from it; others must find it themselves."""
    board = a_board(signs={"K10": "W"})
    enemies = a_tank("s1", "K8", "t34_76"), a_tank("s2", "K12", "t34_76"), a_tank("s3", "K7", "t34_76")
    table = a_table(gun(), *enemies, board=board, dice=[1, 10, 10, 10])
    run_step(table, spotting_phase(table))
    assert_rule(table.findings, "7.24", inputs={"spotter": "s2", "target": "g1"}, result="shown")
    assert [table.state.spotted[id] for id in ("s1", "s2", "s3")] == [["g1"], ["g1"], []]
    run_step(table, spotting_phase(table))  # s2 keeps it, s3 rolls again and fails
    assert table.state.spotted["s2"] == ["g1"]


@pytest.mark.rule("7.24", editions=("2016",))
@pytest.mark.parametrize(("die", "fires"), [(1, True), (10, False)])
def test_7_24_a_hidden_enemy_must_find_it_before_overwatch_fire(die: int, fires: bool) -> None:
    """No other enemy was near when the unit fired, so its camouflage holds, and the hidden enemy must roll."""
    more = {"command": Command.FIRE, "revealed": True, "fired": True, "pending": Spot.FIRE}
    shooter = a_leg("g1", "K10", "german_rifle_squad", flags=(CAMOUFLAGED,), pending_small_arms=True, **more)
    watcher = a_tank("s1", "K8", "t34_76", facing=4, command=Command.OVERWATCH, flags=("hidden",))
    table = a_table(shooter, watcher, board=a_board(signs={"K10": "W"}), dice=[die, 50])
    declared = {"target": "g1", "firers": [["s1", 0, "gp"]]}
    played = run_step(table, overwatch_group(table, declared, ["g1"]))
    assert played.result is fires and watcher.fired is fires
    found = assert_rule(table.findings, "7.24", result="found" if fires else "overlooked")
    assert found.to == ("soviet",)  # type: ignore[union-attr]
    assert failures(table.findings) == ([] if fires else [("s1", "fire g1", "7.24")])


@pytest.mark.rule("7.24/lost", editions=("2016",))
def test_7_24_only_enemies_on_the_map_betray_it_but_a_short_halt_always_does() -> None:
    """7.2: losing camouflage to a hidden enemy would reveal it. L4784: a Short Halt ends camouflage for good."""
    hidden = a_tank("s1", "K5", "t34_76", flags=("hidden",))
    shooter = gun(command=Command.FIRE, pending=Spot.FIRE)
    assert lose_camouflage_by_firing(a_table(shooter, hidden), shooter) is None
    halting = a_tank("g1", "K10", command=Command.SHORT_HALT, flags=(CAMOUFLAGED,))
    assert_rule(lose_camouflage_by_firing(a_table(halting, hidden), halting), "7.24/lost", result="lost")
    open_enemy = a_tank("s1", "K8", "t34_76")
    assert_rule(lose_camouflage_by_firing(a_table(shooter, open_enemy), shooter), "7.24/lost", result="lost")


@pytest.mark.rule("7.24/lost", editions=("2016",))
def test_7_24_it_does_not_help_passengers_after_dismounting() -> None:
    """Passengers lose camouflage whether they dismount voluntarily or get out of a vehicle that was hit."""
    carrier = a_tank("g1", "K10", "sdkfz10", command=Command.MOVE)
    table = a_table(carrier, gun(id="g2", aboard="g1"), a_tank("s1", "C3", "t34_76"))
    found = get_off(table, table.state.vehicles["g2"], parse_hex("K10"), 1, "6.6.7.1.2")
    assert_rule(found, "7.24/lost", inputs={"why": "dismounted"})
    table = a_table(carrier, gun(id="g2", aboard="g1"), a_tank("s1", "C3", "t34_76"))
    assert_rule(get_out(table, table.state.vehicles["g2"], "6.5.2.6.1", "out"), "7.24/lost")


def test_7_24_its_owner_does_not_learn_which_hidden_unit_has_found_it() -> None:
    enemy = a_tank("s1", "K8", "t34_76", flags=("hidden",))
    worlds = [a_table(gun(found_by=finders), enemy) for finders in (UNSET, ("s1",))]
    assert len({to_bytes(view_of(table.state, "german")) for table in worlds}) == 1


@pytest.mark.rule("7.24", editions=("2016",))
@pytest.mark.parametrize(("die", "result"), [(7, "found"), (8, "overlooked")])
def test_7_24_a_vehicle_among_trees_is_found_on_seven_or_less(die: int, result: str) -> None:
    """L4784: a vehicle in woods has a spotting range of 7."""
    hiding = a_tank("g1", "K10", flags=(CAMOUFLAGED,))
    table = a_table(hiding, a_tank("s1", "K6", "t34_76"), board=a_board(signs={"K10": "W"}), dice=[die])
    run_step(table, spotting_phase(table))
    assert_rule(table.findings, "7.24", inputs={"target": "g1", "range": 7}, dice=(die,), result=result)
