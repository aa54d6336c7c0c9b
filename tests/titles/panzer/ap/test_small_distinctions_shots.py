"""4.4.3.2, 6.5.2 Fine distinctions of AP fire and aircraft attacks that a faulty rule would miss."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_tank, an_advanced_state, both_editions
from titles.panzer.air.flights import a_table as an_air_table
from titles.panzer.air.flights import fly, plot
from titles.panzer.ap.advanced_shots import a_shot, a_table_of, duel
from titles.panzer.ap.ap_shots import one_shot
from titles.panzer.builders import a_table, a_vehicle, brewed_up

from pbem.engine.rules.state import copy
from pbem.titles.panzer.ap.ap_damage import armour_of, basic_preview, damage_of
from pbem.titles.panzer.ap.ap_modifiers import hit_modifiers, unit_grade
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.chart_rows import Angle, Location
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES

both = pytest.mark.parametrize("edition", EDITIONS)


def rules_in(*findings: Any) -> list[str]:
    return [found.rule for found in every(findings)]


@pytest.mark.rule("6.5.2.3.4", effect=True)
@both_editions("6.5.2.3")
def test_6_5_2_3_a_track_has_no_armour(edition: Any):
    shot = a_shot(*duel(edition=edition))
    assert_rule(armour_of(shot, Angle.FRONT, Location.TK), "6.5.2.3", result=0)


@both
def test_6_5_2_5_without_7_11_a_knocked_out_vehicle_is_read_once(edition: Any):
    data, state = duel(edition=edition)
    for die in range(1, 11):
        found = damage_of(a_table_of(data, copy(state), 50, 50), a_shot(data, copy(state)), Location.HF, die)
        assert "7.11" not in rules_in(found)


@pytest.mark.rule("4.4.3.2.4", effect=True)
@both
def test_4_4_3_2_4_a_preview_exactly_at_the_side_names_neither_aspect(edition: Any):
    """R-05: at exactly 90 degrees from its facing, the target's owner chooses the aspect."""
    table = a_table(a_vehicle("g1", "C5", facing=2), a_vehicle("s1", "G5", facing=1), edition=edition)
    state = table.state
    from titles.panzer.basic import a_shot as a_basic_shot

    shot = a_basic_shot(table.data, state, state.vehicles["g1"], 0, state.vehicles["s1"])
    assert_rule(basic_preview(shot), "4.4.3.2.4", result="either")


@pytest.mark.rule("5.8.3", effect=True)
@both_editions("6.5.2.4/unit-grade")
def test_5_8_3_a_grade_counts_only_where_grades_are_used_and_within_range(edition: Any):
    without = tuple(rule for rule in ADVANCED_RULES if rule != "unit_grades")
    data, state = duel(edition=edition, firer={"grade": "elite"}, grades={"british": "elite"})
    shot = a_shot(data, state)
    told = hit_modifiers(shot)
    worth = data.advanced.grades["elite"].ap.at(shot.factor)
    assert worth and unit_grade(shot) == worth
    assert_rule(told, "6.5.2.4/unit-grade", result=worth)
    plain, state = duel(edition=edition, firer={"grade": "elite"}, rules=without)
    assert unit_grade(a_shot(plain, state)) == 0
    far = an_advanced_state(a_tank("b1", "A1", "crusader1", grade="elite"), a_tank("g1", "T20", "pz3j"))
    beyond = a_shot(data, far)
    assert beyond.factor is None and unit_grade(beyond) == 0


@both_editions("6.5.2.4")
def test_6_5_2_4_burning_wrecks_are_counted_by_the_basic_game_alone(edition: Any):
    smoke = {"C5": brewed_up()}
    data, state = duel(edition=edition)
    state.wrecks.update(smoke)
    told = hit_modifiers(a_shot(data, state))
    assert_rule(told, "6.5.2.4")
    assert "smoke" not in told.inputs and "5.11" in rules_in(told)


@pytest.mark.rule("4.4.3.2.2", effect=True)
@pytest.mark.parametrize(("wrecks", "smoke"), [({}, None), ({"C5": brewed_up()}, ["C5"])])
def test_4_4_3_2_2_the_basic_game_tells_of_smoke_only_where_there_is_some(wrecks: Any, smoke: Any):
    table = a_table(a_vehicle("g1", "C3", facing=4), a_vehicle("s1", "C6"), wrecks=wrecks, dice=[100])
    shots = one_shot(table, "g1", "s1")
    [told] = [found for found in every([shots]) if found.rule == "4.4.3.2.2" and "cover" in found.inputs]
    assert told.inputs.get("smoke") == smoke
    assert "5.11" not in rules_in(shots)


@both_editions("4.4.3.2.6/bu")
def test_4_4_3_2_6_a_wreck_of_the_basic_game_needs_no_further_finding(edition: Any):
    table = a_table(
        a_vehicle("g1", "C3", "tiger1", facing=4),
        a_vehicle("s1", "C4", "t34_76", facing=4),
        edition=edition,
        dice=[1, 1],
    )
    found = assert_rule(one_shot(table, "g1", "s1"), "4.4.3.2.6/bu", inputs={"unit": "s1"})
    assert found.children == ()


@both_editions("5.16.2.6")
def test_5_16_2_6_each_attack_uses_one_and_bombs_begin_with_their_target(edition: Any):
    """6.5.4.2.3: the units of a pattern are attacked from the target point outwards."""
    table = an_air_table(a_tank("g1", "C16"), a_tank("g2", "C17"), dice=[50, 50], edition=edition)
    fly(table, plot(("g1", "bombs"), altitude="medium", speed="fast"))
    left = assert_rule(table.findings, "5.16.2.6")
    card = table.data.book.aircraft["il2"]
    assert left.result == card.bombs.attacks.value - 1  # type: ignore[union-attr]
    hit = [found.inputs["unit"] for found in every(table.findings) if found.rule == "6.5.4.4"]
    assert hit[:1] == ["g1"]
