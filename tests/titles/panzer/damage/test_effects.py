"""5.10, 6.5.2.2, 6.5.2.5, 6.5.4.4.3 The effects of combat on units and terrain."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, an_advanced_table
from titles.panzer.builders import a_board, a_hex

from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.damage.effects import (
    brew_up,
    damage_vehicle,
    destroy_building,
    eliminate,
    hit_track,
    knock_out,
    lose_step,
    suppress,
)
from pbem.titles.panzer.state import Command, Damage, Feature, Marker, Spot, Status

SQUAD, HALF = "german_rifle_squad", "german_rifle_half_squad"


@pytest.mark.rule("5.10")
@pytest.mark.parametrize("before", list(Marker))
def test_5_10_a_new_suppression_shows_on_and_is_not_cumulative(before: Marker) -> None:
    """L1464-1468: a new Suppressed marker shows On; further suppression has no effect."""
    squad = a_leg("g1", "C3", SQUAD, suppression=before)
    table = an_advanced_table(squad)
    found = suppress(table.state, squad, "6.5.4.4.3/suppressed")
    assert_rule(found, "5.10", result="on", inputs={"before": before.value})
    assert squad.suppression is Marker.ON


@pytest.mark.rule("6.5.2.2.4", "6.5.2.2.4/second-damage", "6.5.2.2.1", "6.5.2.2.1/ignored-repeat", editions=("2024",))
def test_6_5_2_2_4_damage_affects_turret_or_hull_and_a_second_one_knocks_out() -> None:
    """L2479, L2517-2523: a track hit does not count as damage."""
    tank = a_tank("g1", "C3", command=Command.MOVE)
    table = an_advanced_table(tank)
    assert_rule(hit_track(table, tank), "6.5.2.2.1", result="track")
    assert_rule(hit_track(table, tank), "6.5.2.2.1/ignored-repeat", result="ignored")
    assert tank.command is Command.MOVE  # it still counts as moving
    assert_rule(damage_vehicle(table, tank, "turret"), "6.5.2.2.4", result="damaged", inputs={"part": "turret"})
    assert tank.turret_damaged and not tank.hull_damaged
    assert_rule(damage_vehicle(table, tank, Damage.HULL), "6.5.2.2.4/second-damage", result="ko")
    assert tank.status is Status.ELIMINATED and not table.state.wrecks["C3"].brewed_up


@pytest.mark.rule("6.5.2.5/dm", "6.5.2.2.1", editions=("2016",))
def test_6_5_2_5_the_2016_book_has_one_damage_with_both_effects() -> None:
    tank = a_tank("g1", "C3")
    table = an_advanced_table(tank, edition="2016")
    hit_track(table, tank)
    assert_rule(hit_track(table, tank), "6.5.2.2.1", result="ignored")
    assert_rule(damage_vehicle(table, tank, "turret"), "6.5.2.5/dm", result="damaged", inputs={"part": "whole"})
    assert tank.turret_damaged and tank.hull_damaged
    assert_rule(damage_vehicle(table, tank), "6.5.2.5/dm", result="ko")


@pytest.mark.rule("6.5.2.5/ko", "6.5.2.5/bu")
@pytest.mark.parametrize("edition", EDITIONS)
def test_6_5_2_5_a_burning_wreck_replaces_one_that_does_not_burn(edition: Edition) -> None:
    """L2675-2681, A-14: the fire also suppresses friendly units around it."""
    first, second, third = (a_tank(f"g{number}", "C3") for number in (1, 2, 3))
    gun = a_gun("g4", "C3", "pak38")
    table = an_advanced_table(first, second, third, gun, a_tank("s1", "C3"), edition=edition)
    assert_rule(knock_out(table, first), "6.5.2.5/ko", result="ko")
    assert not table.state.wrecks["C3"].brewed_up and not gun.suppressed
    found = brew_up(table, second)
    assert_rule(found, "6.5.2.5/bu", result="bu", inputs={"unit": "g2"})
    assert table.state.wrecks["C3"].brewed_up and table.state.wrecks["C3"].fresh
    assert third.suppressed and gun.suppressed and not table.state.vehicles["s1"].suppressed
    knock_out(table, third)
    assert table.state.wrecks["C3"].brewed_up


def test_6_5_4_4_3_a_squad_is_halved_and_whatever_else_eliminated() -> None:
    """L3081: any unit but a squad is eliminated; 6.6.1.2.3: hand-to-hand combat halves without suppressing."""
    squad, gun = a_leg("g1", "C3", SQUAD), a_gun("g2", "C3", "pak38")
    table = an_advanced_table(squad, gun)
    assert lose_step(table, squad, "6.6.1.2.3/attacker-higher", suppressed=False).result == "reduced"
    assert squad.card == HALF and not squad.suppressed
    assert lose_step(table, squad, "6.5.4.4.3/effective-units").result == "eliminated"
    assert lose_step(table, gun, "6.5.4.4.3/effective-units").result == "eliminated"
    assert not table.state.wrecks


def test_who_is_eliminated_leaves_its_markers_and_its_position_and_passes_its_counter_on() -> None:
    """4.4.3.2.6, 6.1.4.3.6, 6.2.1.1.3: the command of the other units that share the counter does not change."""
    gone = a_leg("g1", "C3", SQUAD, command=Command.MOVE, pending=Spot.FIRE, suppression=Marker.ON, position="f1")
    others = [a_leg(id, "C3", SQUAD, command=Command.MOVE, shares="g1") for id in ("g2", "g3")]
    hole = Feature(id="f1", type="hasty_entrenchment", hex=a_hex("C3"), holder="g1", stage=4)
    table = an_advanced_table(gone, *others, features={"f1": hole})
    eliminate(table.state, gone, "6.5.4.4.3")
    assert (gone.command, gone.pending, gone.suppression, gone.position) == (None, Spot.NONE, Marker.NONE, "")
    assert hole.holder == ""
    assert [(other.shares, other.command) for other in others] == [("", Command.MOVE), ("g2", Command.MOVE)]


def test_6_5_4_4_3_a_building_buries_what_was_dug_but_not_a_wreck() -> None:
    """RULING: a collapsing building removes entrenchments and positions, but a wreck stays."""
    board = a_board(signs={"C3": "x"}, legend={"x": ["wood_building"]})
    features = {
        "f1": Feature(id="f1", type="improved_position", hex=a_hex("C3")),
        "f2": Feature(id="f2", type="block", hex=a_hex("D3")),
    }
    table = an_advanced_table(a_tank("g1", "C3"), a_leg("s1", "D3", SQUAD), board=board, features=features)
    knock_out(table, table.state.vehicles["g1"])
    destroy_building(table, a_hex("C3"), "wood_building")
    assert sorted(feature.type for feature in table.state.features.values()) == ["block", "wood_rubble"]
    assert "C3" in table.state.wrecks and table.state.vehicles["s1"].alive
