"""Hidden counters, fieldworks and roads in odd states; each answer was worked out by hand from the book."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_leg, a_tank, an_advanced_table
from titles.panzer.advanced.marching import a_field, moves
from titles.panzer.air.test_air import a_table as an_air_table
from titles.panzer.builders import a_board, a_hex, run_step
from titles.panzer.obstacles.test_optional_mines import mines
from titles.panzer.obstacles.test_optional_roads import lane
from titles.panzer.sighting.test_optional_hidden import a_fight, under

from pbem.engine.rules.findings import happenings_in, seen_by
from pbem.engine.rules.happenings import Appear, Change, Move, Vanish
from pbem.engine.rules.table import Table
from pbem.titles.panzer.air.air_attacks import observer_for
from pbem.titles.panzer.command.morale import COHESION
from pbem.titles.panzer.damage.effects import brew_up, destroy_building
from pbem.titles.panzer.end_of_turn.adjustment import burn, take_in
from pbem.titles.panzer.fire.special_fire import repair_weapons
from pbem.titles.panzer.invariants import flaws
from pbem.titles.panzer.movement.move_execution import let_off
from pbem.titles.panzer.movement.steps.acts import Dismount
from pbem.titles.panzer.obstacles.demolition import demolition_objections, engineer_objections
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.sighting.hidden_orders import sneak
from pbem.titles.panzer.sighting.hidden_units import appear, look_around
from pbem.titles.panzer.state import Command, Feature, PanzerState, Status
from pbem.titles.panzer.telling.watching import Watch, changes, pieces, watch_step
from pbem.titles.panzer.view import view_of

SQUAD, SOVIET = "german_rifle_squad", "soviet_rifle_squad"
ENGINEERS: dict[str, Any] = {"labels": ("engineer",), "command": Command.MOVE}


# --- 7.2 what happens to units under a counter --------------------------------------------------------------------


@pytest.mark.parametrize("left", [False, True])
def test_7_2_2_3_an_abandoned_vehicle_finds_no_counter_beside_it(left: bool):
    """5.15: an abandoned vehicle has no crew to notice the counter."""
    table = a_fight(a_leg("g1", "C5", SQUAD), a_tank("s1", "C6", "t34_76", bailed_out=left))
    under(table, "C5", "g1")
    run_step(table, look_around(table))
    assert bool(table.state.hidden_counters) is left


def test_7_2_the_enemy_is_not_told_whom_a_burning_vehicle_shakes_under_a_counter():
    """6.5.2.5: a burning vehicle suppresses all friendly units in its hex, even those unknown to the enemy."""
    table = a_fight(a_leg("g1", "C5", SQUAD), a_tank("g2", "C5"), a_tank("s1", "H9", "t34_76"))
    under(table, "C5", "g1")
    table.findings.append(brew_up(table, table.state.vehicles["g2"]))
    assert table.state.vehicles["g1"].suppressed
    for seat, told in (("german", True), ("soviet", False)):
        named = [str(found.inputs.get("unit")) for found in every(seen_by(table.findings, seat))]
        assert ("g1" in named) is told, seat


def falls(table: Table[PanzerState]) -> None:
    destroy_building(table, a_hex("C5"), "brick_building")


def burns(table: Table[PanzerState]) -> None:
    fire = Feature(id="f1", type="on_fire", hex=a_hex("C5"), turn=0, known=table.state.sides)
    table.state.features["f1"] = fire
    burn(table)


@pytest.mark.parametrize("ends", [falls, burns])
def test_7_2_a_counter_whose_units_are_lost_leaves_the_map(ends: Any):
    """6.5.4.4.3, 6.1.4.3.5: the losses are visible; a counter without units is not left on the map like a dummy."""
    table = a_fight(
        a_leg("g1", "C5", SQUAD), a_leg("g2", "C5", SQUAD), a_tank("s1", "H9", "t34_76"),
        board=a_board(signs={"C5": "B"}),
    )  # fmt: skip
    counter = under(table, "C5", "g1", "g2")
    ends(table)
    lost = table.state.vehicles["g1"]
    assert lost.status is Status.ELIMINATED and not lost.hidden
    assert counter not in table.state.hidden_counters
    assert not list(flaws(table))


# --- 7.19 engineers -----------------------------------------------------------------------------------------------


def a_work(hex: str) -> dict[str, Feature]:
    block = Feature(id="f1", type="block", hex=a_hex(hex), defence=4, known=("german", "soviet"))
    return {"f1": block}


def at_a_block(levels: str = "", **more: Any) -> Table[PanzerState]:
    unit = a_leg("g1", "C5", SQUAD, **(ENGINEERS | more))
    board = a_board("\n".join(["....."] * 8), **({"levels": levels} if levels else {}))
    rules = {"rules": (*ADVANCED_RULES, "engineers_and_terrain")}
    table = an_advanced_table(unit, a_tank("s1", "E8", "t34_76"), edition="2016", scenario=rules, board=board)
    table.state.features = a_work("C4")
    return table


def test_7_19_engineers_whose_target_was_lost_attack_no_terrain_instead():
    """L3173: the engineers may move, but not attack another target; 7.19 works like a close assault."""
    table = at_a_block()
    unit = table.state.vehicles["g1"]
    assert not list(demolition_objections(table, "german", "f1", ("g1",)))
    unit.attacking = "s1"
    assert_rule(list(engineer_objections(table.data, unit)), "7.19")


@pytest.mark.parametrize(("level", "legal"), [("0", True), ("1", True), ("2", False)])
def test_7_19_terrain_two_levels_higher_is_out_of_reach(level: str, legal: bool):
    """6.6.1.1: an attack over two or more levels is not allowed; terrain is attacked as in a close assault."""
    rows = ["....."] * 8
    rows[3] = f"..{level if level != '0' else '.'}.."
    table = at_a_block("\n".join(rows))
    found = [one.rule for one in demolition_objections(table, "german", "f1", ("g1",))]
    assert found == ([] if legal else ["6.6.1.1"])


# --- 7.30, 7.31.2 -------------------------------------------------------------------------------------------------


def test_7_31_2_a_vehicle_that_pushes_its_way_out_of_a_minefield_is_attacked():
    """Leaving a minefield hex counts as moving in it, whether or not the road ahead has to be cleared."""
    table = lane(a_tank("g1", "C10", facing=1), wrecks=["pz4h"], rules=("minefields",), dice=[100] * 6)
    table.state.features["x"] = mines("C10")
    played = moves(table, "g1", "push:wreck:f")
    assert "7.31.2" in [found.rule for found in every(played.findings)]


# --- 6.7.3.1.2 ----------------------------------------------------------------------------------------------------


def test_6_7_3_1_2_last_turn_s_target_does_not_free_an_fo_that_has_observed():
    """The observer spotted s1 for aircraft last turn; this turn the observer has called fire, so it may
    do nothing else."""
    table = an_air_table(a_tank("s1", "C10", "t34_76"), board=a_board(signs={"C10": "m"}))
    watching = a_leg("g3", "C8", "german_section", labels=("fo",), air_target="s1", used_up=1)
    table.state.vehicles["g3"] = watching
    take_in(watching)
    table.state.turn = 2
    watching.command, watching.used_up = Command.OVERWATCH, 2
    assert observer_for(table, "german", table.state.vehicles["s1"]) is None


# --- 7.2.2.2, 7.1.5 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "flag"), [(["C6"], "hesitating-on"), ([], "hesitating-off")])
def test_7_1_5_1_a_unit_that_moves_under_its_counter_goes_on_hesitating(path: list[str], flag: str):
    """Moving turns the Hesitation marker from Off to On, whether the enemy sees the unit or not."""
    unit = a_leg("g1", "C5", SQUAD, command=Command.MOVE, flags=("hesitating-off",))
    table = a_fight(unit, a_tank("s1", "S19", "t34_76"), rules=(*ADVANCED_RULES, "hidden_units", "morale"))
    counter = under(table, "C5", "g1")
    run_step(table, sneak(table, "german"), {"sneak": [{"move": {counter: path}} if path else {}]})
    assert flag in unit.flags
    assert all("hesitating" not in str(found.result) for found in every(seen_by(table.findings, "soviet")))


def test_7_1_2_a_unit_of_a_breaking_formation_checks_when_its_counter_has_moved():
    unit = a_leg("g1", "C5", SQUAD, command=Command.MOVE)
    lost = a_tank("g2", "C9", status=Status.ELIMINATED)
    rules = (*ADVANCED_RULES, "hidden_units", "morale")
    table = a_fight(unit, lost, a_tank("s1", "S19", "t34_76"), rules=rules, dice=[1])
    table.state.notes[COHESION] = {"german": 1}
    counter = under(table, "C5", "g1")
    run_step(table, sneak(table, "german"), {"sneak": [{"move": {counter: ["C6"]}}]})
    assert "broken-on" in unit.flags


# --- 7.6 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lost", [False, True])
def test_7_6_nobody_takes_fright_at_a_tank_that_is_no_longer_there(lost: bool):
    """Tank fright is checked before a close assault; if the tank is already lost, no check is made."""
    carrier = a_tank("g1", "C6", "spw251", facing=1, command=Command.MOVE)
    squad = a_leg("g2", "C6", SQUAD, aboard="g1", grade="green")
    scenario = {"rules": (*ADVANCED_RULES, "tank_fright")}
    table = a_field(carrier, squad, a_tank("s1", "C4", "t34_76"), edition="2016", scenario=scenario, dice=[1] * 9)
    if lost:
        table.state.vehicles["s1"].status = Status.ELIMINATED
    run_step(table, let_off(table, carrier, squad, Dismount("g2", "C5", 1, "s1")))
    assert bool(squad.aboard) is not lost
    assert squad.suppressed is not lost


# --- 7.25, 5.15 ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [False, True])
def test_7_25_nobody_repairs_the_gun_of_an_abandoned_tank(left: bool):
    tank = a_tank("g1", "C6", "pz4h", flags=("jammed-0",), bailed_out=left)
    scenario = {"rules": (*ADVANCED_RULES, "malfunction")}
    table = an_advanced_table(tank, a_tank("s1", "H9", "t34_76"), edition="2016", scenario=scenario, dice=[1])
    repair_weapons(table)
    assert tank.flags == (("jammed-0",) if left else ())


# --- 7.2.2.3, 6.1.4.2 ---------------------------------------------------------------------------------------------


def test_7_2_2_3_its_owner_sees_that_a_unit_put_elsewhere_has_left_full_cover():
    """Only the owner knew of the cover, so only the owner is shown that it is gone."""
    unit = a_leg("g1", "C5", SQUAD, full_cover=True)
    table = a_fight(unit, a_tank("s1", "S19", "t34_76"))
    under(table, "C5", "g1")
    hidden = pieces(table.state)["g1"]
    appear(table.state, unit, a_hex("C6"), 1, False)
    told = list(changes("g1", hidden, pieces(table.state)["g1"]))
    assert [(one.happening, one.owner) for one in told if isinstance(one.happening, Change)][:1] == [
        (Change("g1", "full cover", False), "german")
    ]
    assert not [
        one for one in told if one.owner == "" and isinstance(one.happening, Change) and not one.happening.now
    ]


def test_7_2_2_1_a_counter_lies_on_the_map_until_its_owner_has_placed_the_units():
    """The film removes the counter with the report that names it, even if that report comes in the next exchange."""
    table = a_fight(a_leg("g1", "C5", SQUAD), a_tank("s1", "C6", "t34_76"))
    counter = under(table, "C5", "g1")
    going = watch_step(look_around)(table)
    asked = next(going)
    assert (asked.kind, asked.subject) == ("unveil", counter)
    assert counter in view_of(table.state, "soviet").hidden_counters
    assert not list(flaws(table)) and not list(happenings_in(table.findings))
    with pytest.raises(StopIteration):
        going.send({})
    assert not table.state.hidden_counters
    assert Vanish(counter) in list(happenings_in(table.findings))


# --- 2.0, 4.5.1.1.10 ----------------------------------------------------------------------------------------------


def test_4_5_1_1_10_a_unit_that_comes_in_and_is_sent_back_appears_before_it_moves():
    """The unit is off the map before and after its move, so the film of the move must make it appear first."""
    table = an_advanced_table(a_tank("g1", None), a_tank("s1", "H9", "t34_76"))
    watch = Watch(table)
    table.find("4.5.1.1", inputs={"unit": "g1"}, shows=[Move("g1", (("A5", 2), ("B5", 2)))])
    watch.tell(all_of_it=True)
    kinds = [type(one) for one in happenings_in(table.findings)]
    assert kinds == [Appear, Move, Vanish]
    assert next(happenings_in(table.findings)) == Appear("g1", "A5", 2)


@pytest.mark.rule("2.0", effect=True)
def test_2_0_a_reinforcement_appears_before_it_moves():
    """The unit may be lost later in the exchange; then no view before or after the exchange shows it."""
    unit = a_tank("g1", None)
    table = an_advanced_table(unit, a_tank("s1", "H9", "t34_76"))
    watch = Watch(table)
    unit.status, unit.hex, unit.facing = Status.ON_MAP, a_hex("B5"), 2
    table.find("4.5.1.1", inputs={"unit": "g1"}, shows=[Move("g1", (("A5", 2), ("B5", 2)))])
    watch.tell(all_of_it=False)
    assert [*happenings_in(table.findings)][:2] == [Appear("g1", "A5", 2), Move("g1", (("A5", 2), ("B5", 2)))]
    table.find("4.4.2", inputs={"target": "g1"})
    unit.status, unit.hex = Status.ELIMINATED, None
    watch.tell(all_of_it=True)
    assert [type(one) for one in happenings_in(table.findings)].count(Appear) == 1
