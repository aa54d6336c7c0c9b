"""7.28.2 A planned mission is the same mission in each of its turns."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.artillery.test_observers import a_battery
from titles.panzer.builders import a_hex, run_step
from titles.panzer.combinations.turns import Turn, a_turn

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal
from pbem.titles.panzer.artillery.indirect_fire import indirect_fire_step
from pbem.titles.panzer.artillery.mission_answers import check_mission
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.state import FireType, Leg, Marker, PlannedFire


@pytest.mark.parametrize("shift", [False, True])
def test_7_28_2_planned_fire_counts_its_turns_as_one_mission(shift):
    points = ["C9", "C10", "C11"] if shift else ["C9", "C9", "C9"]
    legs = tuple(Leg(a_hex(point), "gp", "closed") for point in points)
    plan = PlannedFire(id="p1", side="german", battery="gb1", turn=1, legs=legs)
    table = an_advanced_table(
        a_tank("g1", "A1"), a_tank("s1", "T20", "t34_76"), dice=[50] * 40, turn=1, planned={"p1": plan},
        batteries={"gb1": a_battery()}, sides=("german", "soviet"),
    )  # fmt: skip
    counted = []
    for turn in (1, 2, 3):
        table.state.turn = turn
        said = {"do": "arrive", "plan": "p1"} if turn == 1 else None
        run_step(table, indirect_fire_step(table, "german"), {"mission": [said, None]})
        counted.append(table.state.batteries["gb1"].same_mission)
    assert counted == [1, 2, 3]


@pytest.mark.parametrize(("first", "turn", "arrives"), [(3, 5, True), (4, 5, False), (4, 6, True), (3, 4, False)])
def test_6_5_1_11_1_a_battery_rests_after_a_plan_that_came_late_before_its_next(first: int, turn: int, arrives: bool):
    """L2259-2273: plans for turns 3 and 5 leave a turn between; if the first comes a turn late, or the second a turn
    early, no turn is left between."""
    legs = (Leg(a_hex("C9"), "gp", "closed"),)
    plans = {f"p{at}": PlannedFire(id=f"p{at}", side="german", battery="gb1", turn=at, legs=legs) for at in (3, 5)}
    table = an_advanced_table(
        a_tank("g1", "A1"), a_tank("s1", "T20", "t34_76"), dice=[50] * 9, turn=first, planned=plans,
        batteries={"gb1": a_battery()}, sides=("german", "soviet"),
    )  # fmt: skip
    run_step(table, indirect_fire_step(table, "german"), {"mission": [{"do": "arrive", "plan": "p3"}, None]})
    table.state.turn = turn
    ask = Ask("german", "mission", "6.5.1.1")
    if arrives:
        assert check_mission(table, ask, {"do": "arrive", "plan": "p5"})
        return
    with pytest.raises(Illegal) as refusal:
        check_mission(table, ask, {"do": "arrive", "plan": "p5"})
    assert_rule(refusal.value, "6.5.1.11.1")


def an_arrival(type: FireType = "gp", die: int = 100, **more: Any) -> Turn:
    """Planned fire begins in C9, where a squad is; the other side has a counter-battery asset."""
    plan = PlannedFire(id="p1", side="german", battery="gb1", turn=1, legs=(Leg(a_hex("C9"), type, "closed"),) * 3)
    asset = a_battery("sb9", "soviet_medium", side="soviet", formation="soviet", counter=True)
    units = a_tank("g1", "A1"), a_leg("s1", "C9", "soviet_rifle_squad"), a_tank("s9", "T20", "t34_76")
    batteries = {"gb1": a_battery(**more), "sb9": asset}
    data = advanced_data(edition="2016", rules=(*ADVANCED_RULES, "counter_battery"))
    state = an_advanced_state(*units, turn=1, planned={"p1": plan}, batteries=batteries)
    return a_turn(data, state, german="p1 arrive", dice={"7.28.2": die})


@pytest.mark.rule("7.28.2", effect=True)
@pytest.mark.parametrize(
    ("more", "modifiers"),
    [
        ({}, {}),
        ({"suppression": Marker.ON}, {"firer_suppressed": -20}),
        ({"damaged": True}, {"firer_damaged": -10}),
        ({"suppression": Marker.ON, "damaged": True}, {"firer_suppressed": -20, "firer_damaged": -10}),
    ],
)
def test_7_28_2_planned_fire_of_a_battery_that_was_hit_arrives_and_is_worse(more: Any, modifiers: dict[str, int]):
    """No response is rolled for planned fire, so the -2 of a damaged battery does not matter."""
    turn = an_arrival(**more)
    assert turn.of("6.5.1.12") == [] and len(turn.of("6.5.4.4")) == 1
    assert {row["when"]: row["value"] for row in turn.of("6.5.4.3")[0].modifiers} == modifiers


@pytest.mark.rule("7.28.1", editions=("2016",))
@pytest.mark.parametrize("type", ["gp", "smoke"])
@pytest.mark.parametrize(("die", "result"), [(20, "suppressed"), (21, "missed")])
def test_7_28_1_planned_fire_of_any_type_gives_its_battery_away(type: FireType, die: int, result: str):
    """A roll of 01-20 locates the enemy battery, and a 20 on the second roll suppresses it."""
    turn = an_arrival(type, die)
    assert_rule(turn.findings, "7.28.1", inputs={"asset": "sb9", "battery": "gb1"}, result=result)


@pytest.mark.rule("7.28.2", editions=("2016",))
@pytest.mark.parametrize(("fired", "result"), [(1, "missed"), (2, "located")])
def test_7_28_2_the_third_turn_of_the_same_mission_is_found_more_easily(fired: int, result: str):
    """A roll of 25 locates the battery only from the third turn of the same mission on, when -10 applies."""
    turn = going_on(fired)
    assert_rule(turn.findings, "7.28.2", inputs={"battery": "gb1"}, result=result)


def going_on(fired: int) -> Turn:
    """Planned fire that has landed for some turns lands again."""
    state = an_arrival().state
    battery = state.batteries["gb1"]
    assert battery.same_mission == 1 and state.missions
    battery.same_mission = fired
    data = advanced_data(edition="2016", rules=(*ADVANCED_RULES, "counter_battery"))
    return a_turn(data, state, german="done", dice={"7.28.2": 25})
