"""7.35 Fires."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_leg, a_tank
from titles.panzer.advanced.marching import SQUAD, a_feature, a_field, refused
from titles.panzer.builders import a_hex, run_step

from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.fires import burning, fuel_of, note_rocket, start_fires
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.close_combat.close_combat import close_combat_step
from pbem.titles.panzer.end_of_turn.adjustment import adjustment_phase
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.fire.gp_fire import resolve_gp
from pbem.titles.panzer.fire.gp_modifiers import GpAttack
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.scenario import Conditions
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Status, Unit


def a_town(*units: Unit, rules: Any = ("fires",), edition: str = "2016", **more: Any) -> Table[PanzerState]:
    """A map with a wooden building in B8, brick in C8, stone in D8, woods in E8 and open ground in F8."""
    conditions = Conditions(**more.pop("conditions", {}))
    signs = {"B8": "b", "C8": "B", "D8": "#", "E8": "W"}
    scenario = {"rules": (*ADVANCED_RULES, *rules), "conditions": conditions}
    return a_field(*units, edition=edition, scenario=scenario, signs=signs, **more)


def shell(table: Table[PanzerState], hex: str, factor: int = 8, **more: Any) -> None:
    given: dict[str, Any] = {"kind": "if", "factor": factor, "column": "P", "point": a_hex(hex), "rule": "6.5.1.13"}
    run_step(table, resolve_gp(table, GpAttack(**{**given, "hexes": (a_hex(hex),), **more})))


@pytest.mark.rule("7.35.1", "7.35", editions=("2016",))
@pytest.mark.parametrize(("roll", "result"), [(10, "on_fire"), (11, "none")])
def test_7_35_1_shells_of_factor_8_set_brick_on_fire_on_01_to_10(roll: int, result: str) -> None:
    """L5014: one check is made in the Adjustment Phase, with the highest factor used in the hex that turn."""
    table = a_town(dice=[1, 1, roll])
    shell(table, "C8", 3)
    shell(table, "C8", 8)
    start_fires(table)

    assert_rule(table.findings, "7.35.1", result=result, dice=(roll,), cell=["brick", 10], inputs={"factor": 8})
    assert_rule(table.findings, "7.35", result=["C8"] if result == "on_fire" else [])
    assert burning(table.state) == (["C8"] if result == "on_fire" else [])
    assert not table.state.notes
    start_fires(table)  # once burning, no further check
    shell(table, "F8", 15)
    assert "7.35.1" not in table.state.notes


@pytest.mark.rule("7.35.1", editions=("2016",))
def test_7_35_1_rubble_burns_more_easily_and_small_arms_never_do_it() -> None:
    """The roll for rubble is 10 lower, and wood burns twice as easily as brick. Without the rule nothing burns."""
    table = a_town(dice=[20], features=[a_feature("brick_rubble", "C8", of="brick_building")])
    shell(table, "C8")
    start_fires(table)
    assert_rule(table.findings, "7.35.1", result="on_fire", inputs={"total": 10, "modifier": -10})
    table = a_town(a_leg("s1", "B8", "soviet_section"), dice=[1, 1, 20])
    shell(table, "B8", small_arms=True)
    assert not table.state.notes
    shell(table, "B8", kind="overrun", target="s1", hexes=())
    assert not table.state.notes
    off = a_town(dice=[1], rules=())
    shell(off, "B8")
    assert not off.state.notes and fuel_of(Situation(off.data, off.state), a_hex("B8")) is None


@pytest.mark.rule("7.35.1/flamethrower", editions=("2016",))
def test_7_35_1_a_flamethrower_needs_no_roll() -> None:
    """A flamethrower is used in an assault on a tank in the alley: the hex burns in the same turn."""
    squad = a_leg("g1", "C9", SQUAD, weapons=("german_flamethrower",), command=Command.MOVE)
    tank = a_tank("s1", "C8", "t34_76", command=Command.NO_COMMAND)
    table = a_town(squad, tank, dice=[1, *[50] * 8])
    answers = {"assault": [{"target": "s1", "attackers": [["g1", ""]]}, None]}
    run_step(table, close_combat_step(table, side="german"), answers)
    start_fires(table)

    assert_rule(table.findings, "7.35.1/flamethrower", result="on_fire", inputs={"hex": "C8"})
    assert burning(table.state) == ["C8"]


@pytest.mark.rule("7.35.2", editions=("2016",))
def test_7_35_2_who_is_still_there_at_the_end_of_the_next_turn_is_lost() -> None:
    """A fire starts in turn 1: no unit may enter the hex, and a unit that stays through turn 2 is
    eliminated without a wreck."""
    units = a_leg("g1", "C8", SQUAD, command=Command.NO_COMMAND), a_tank("g2", "C8", command=Command.NO_COMMAND)
    table = a_town(*units, a_leg("g3", "C9", SQUAD), dice=[1, 1, 1, 1, 1, *[100] * 10], turn=1)
    table.state.notes = {"7.35.1": {"C8": 15}}
    run_step(table, adjustment_phase(table))
    assert burning(table.state) == ["C8"]
    assert table.state.vehicles["g1"].alive
    table.state.vehicles["g3"].command = Command.MOVE
    assert refused(table, "g3", "1")
    table.state.turn, table.state.first = 2, "soviet"
    assert_rule(run_step(table, adjustment_phase(table)).findings, "7.35.2", inputs={"unit": "g1", "hex": "C8"})
    assert [table.state.vehicles[id].status for id in ("g1", "g2")] == [Status.ELIMINATED] * 2
    assert not table.state.wrecks


@pytest.mark.rule("7.35.3", editions=("2016",))
def test_7_35_3_a_rocket_that_misses_may_set_the_house_on_fire() -> None:
    """A hand-held rocket misses a tank in the alley, so its GP factor is checked against the building."""
    squad = a_leg("g1", "C9", SQUAD, weapons=("german_rpzb",), command=Command.FIRE, facing=1)
    tank = a_tank("s1", "C8", "t34_76", command=Command.NO_COMMAND)
    table = a_town(squad, tank, dice=[100, 1, 1, 1], rules=("fires", "rocket_fires"))
    launcher = next(arm for arm in weapons_of(table.data, squad) if arm.fixed)
    assert launcher.gp is not None
    shot = {"target": "s1", "firers": [["g1", launcher.index, "ap"]]}
    run_step(table, direct_fire_step(table, side="german"), {"fire": [shot, None]})
    assert table.state.notes["7.35.3"] == {"C8": max(launcher.gp.factors.value)}
    start_fires(table)
    assert_rule(table.findings, "7.35.3", result=max(launcher.gp.factors.value))
    without = a_town(squad, tank)  # an extra option, not part of 7.35
    note_rocket(without, launcher, tank)
    assert not without.state.notes


@pytest.mark.rule("7.35.1", editions=("2016",))
@pytest.mark.rule("7.35.4", editions=("2016",))
def test_7_35_4_woods_burn_if_the_scenario_says_so() -> None:
    """If the scenario says so, woods burn like wooden buildings with -5; otherwise woods do not burn at all."""
    table = a_town()
    assert fuel_of(table, a_hex("E8")) is None
    conditions = {"burning_woods": {"woods": "wood_building"}, "burning_woods_modifier": -5}
    dry = a_town(dice=[25], conditions=conditions)
    shell(dry, "E8")
    start_fires(dry)
    assert_rule(dry.findings, "7.35.4", result=-5, inputs={"as": "wood"})
    assert_rule(dry.findings, "7.35.1", result="on_fire", cell=["wood", 20])


def test_7_35_a_scenario_of_2024_may_use_it() -> None:
    """The 2024 book names the rule without its text, so buildings burn by the 2016 text."""
    table = a_town(dice=[1, 10], edition="2024")
    shell(table, "C8")
    start_fires(table)
    assert burning(table.state) == ["C8"]
    assert [item.rule for item in every(table.findings)].count("7.35.1") == 1
