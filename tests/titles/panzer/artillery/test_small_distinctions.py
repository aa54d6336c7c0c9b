"""6.5.1 Fine distinctions of indirect fire and related rules that a faulty rule would miss."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_tank, advanced_data, an_advanced_state, both_editions
from titles.panzer.air.test_air import a_table as an_air_table
from titles.panzer.air.test_air import fly, plot
from titles.panzer.artillery.test_indirect_fire import a_call, a_table, step
from titles.panzer.artillery.test_observers import a_battery, mortar
from titles.panzer.builders import a_hex, run_step

from pbem.titles.panzer.artillery.calls import Call, mission_objections, sheaf_finding, still_firing
from pbem.titles.panzer.artillery.indirect_fire import indirect_fire_step
from pbem.titles.panzer.artillery.landing import show_counter
from pbem.titles.panzer.artillery.observers import firer_of
from pbem.titles.panzer.artillery.planned_fire import plot_objections
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Leg, PlannedFire


@both_editions("6.5.1.5")
def test_6_5_1_5_both_ways_is_a_reading_of_the_linear_sheaf_alone(edition: Any):
    """house/A-63: a closed sheaf covers the same seven hexes under either reading of the rule."""
    data = advanced_data(edition=edition, switches={"linear_both_ways": True})
    state = an_advanced_state(batteries={"gb1": a_battery()})
    firer = firer_of(Situation(data, state), "gb1")
    assert firer is not None
    found = sheaf_finding(data, firer, Call(a_hex("K10"), ("gb1",), "closed", 0, "gp"))
    assert (
        set(assert_rule(found, "6.5.1.5").result) == {"K10", "K9", "K11", "J10", "J11", "L10", "L11"}
        or len(found.result) == 7
    )


@both_editions("6.5.1.8")
def test_6_5_1_8_a_firer_with_another_command_is_no_longer_in_the_mission(edition: Any):
    table = a_table(dice=[9, 9, 50, 50, 50], edition=edition)
    table.state.vehicles["g4"] = mortar(table.data, "g4", "C2")
    step(table, a_call("C10", "gb1", "g4"))
    [mission] = table.state.missions.values()
    table.state.turn += 1
    table.state.vehicles["g1"].used_up = table.state.vehicles["g4"].used_up = 0
    table.state.vehicles["g4"].fired = False
    table.state.vehicles["g4"].command = Command.MOVE
    assert [firer.id for firer in still_firing(table, mission)] == ["gb1"]
    step(table, {"do": "continue", "mission": mission.id, "type": "gp"})
    assert_rule(table.findings, "6.5.1.8", result="continued")
    assert mission.firers == ("gb1",)


@both_editions("6.5.1.12")
def test_6_5_1_12_what_fell_before_an_adjustment_is_over(edition: Any):
    """6.6.6: only this turn's fire attacks moving units, not that of a mission before its adjustment."""
    table = a_table(
        a_tank("s1", "C10", "t34_76"), a_tank("s2", "C12", "t34_76"), dice=[9, 50, 9, 50], edition=edition
    )
    step(table, a_call("C10", "gb1"))
    [mission] = table.state.missions.values()
    table.state.turn += 1
    table.state.vehicles["g1"].used_up = 0
    shift = {"do": "adjust", "mission": mission.id, "point": "C12", "firers": ["gb1"], "sheaf": "closed"}
    step(table, shift | {"direction": 0, "type": "gp"})
    assert_rule(table.findings, "6.5.1.12", result="responds")
    assert [landed.point for landed in mission.landed] == [a_hex("C12")]


class Sides:
    """Dice that always show 1 and record how many sides each die had."""

    def __init__(self) -> None:
        self.rolled: list[tuple[str, int]] = []

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        self.rolled.append((rule, sides))
        return 1


def planned_smoke(edition: Any, rules: tuple[str, ...] = ADVANCED_RULES) -> Any:
    table = a_table(edition=edition, scenario={"rules": rules})
    leg = Leg(a_hex("C10"), "smoke", "closed")
    table.state.planned = {"p1": PlannedFire(id="p1", side="german", battery="gb1", turn=1, legs=(leg,))}
    table.chance = Sides()
    run_step(table, indirect_fire_step(table, "german"), {"mission": [{"do": "arrive", "plan": "p1"}]})
    return table


@both_editions("6.5.1.11.4", "5.16.2.5")
def test_6_5_1_11_4_the_limit_of_planned_smoke_is_rolled_with_ten_sides(edition: Any):
    table = planned_smoke(edition)
    assert ("5.16.2.3", 10) in table.chance.rolled
    assert_rule(table.findings, "6.5.1.11.4", result="available")
    assert_rule(table.findings, "5.16.2.5", result="available")
    free = planned_smoke(edition, tuple(rule for rule in ADVANCED_RULES if rule != "ammo_limits"))
    assert "5.16.2.3" not in [rule for rule, _ in free.chance.rolled]


@both_editions("3.4")
@pytest.mark.parametrize("mates", [0, 1])
def test_3_4_a_counter_that_two_units_share_is_shown_as_shared(edition: Any, mates: int):
    table = a_table(edition=edition)
    one = a_tank("g7", "C5", command=Command.SHORT_HALT)
    table.state.vehicles["g7"] = one
    if mates:
        table.state.vehicles["g8"] = a_tank("g8", "C5", command=Command.SHORT_HALT, shares="g7")
    found = show_counter(table, one)
    assert_rule(found, "3.4", result="fire-half")
    assert found.inputs.get("shared") == (["g7", "g8"] if mates else None)


@both_editions("5.4")
def test_5_4_the_turns_of_an_aircraft_are_counted_from_its_first_appearance(edition: Any):
    table = an_air_table(edition=edition, turn=3)
    played = fly(table, plot())
    assert_rule(played.findings, "5.4")
    assert table.state.aircraft["a1"].first_turn == 3


@both_editions("6.5.1.5")
def test_6_5_1_5_a_battery_plans_no_pattern_of_units_on_the_map(edition: Any):
    data = advanced_data(edition=edition)
    assert not list(plot_objections(data, "gb1", 1, [Leg(a_hex("C9"), "gp", "open")]))
    assert_rule(list(plot_objections(data, "gb1", 1, [Leg(a_hex("C9"), "gp", "on_map")])), "6.5.1.5")


@both_editions("6.5.1.8")
def test_6_5_1_8_nobody_continues_a_mission_of_the_enemy(edition: Any):
    table = a_table(dice=[9, 50], edition=edition)
    step(table, a_call("C10", "gb1"))
    [mission] = table.state.missions
    assert not list(mission_objections(Situation(table.data, replace(table.state, turn=2)), "german", mission))
    assert_rule(
        list(mission_objections(Situation(table.data, replace(table.state, turn=2)), "soviet", mission)), "6.5.1.8"
    )
