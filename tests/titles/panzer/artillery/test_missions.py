"""6.5.1 Ongoing missions: continued, adjusted, checked and planned; 6.6.6 barrages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import (
    a_leg,
    a_tank,
    advanced_data,
    an_advanced_state,
    an_advanced_table,
)
from titles.panzer.artillery.missions import a_call, a_table, both, legal, objections, step
from titles.panzer.artillery.test_observers import a_battery, an_observer, mortar, section
from titles.panzer.builders import run_step

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery import landing
from pbem.titles.panzer.artillery.barrage import barrage_attacks, reset_barrage_attacks, search_attacks
from pbem.titles.panzer.artillery.calls import Call
from pbem.titles.panzer.artillery.indirect_fire import default_mission, indirect_fire_step
from pbem.titles.panzer.artillery.mission_answers import check_mission, mission_options
from pbem.titles.panzer.artillery.observers import firer_of
from pbem.titles.panzer.artillery.planned_fire import plot_objections
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.state import (
    Command,
    Leg,
    Mission,
    PanzerState,
    PlannedFire,
    Sheaf,
    Spot,
    Status,
)

# --- 6.5.1.8, 6.5.1.9 -----------------------------------------------------------------------------


def under_way(edition: Edition = "2024", *, dice: Iterable[int] = (), **more: Any) -> Table[PanzerState]:
    """Return a mission called on C10 in the previous turn."""
    table = a_table(dice=[9, 1, *dice], edition=edition, **more)
    step(table, a_call("C10", "gb1"))
    table.state.turn += 1
    table.findings.clear()
    for unit in table.state.vehicles.values():
        unit.under_fire = False
    return table


@pytest.mark.rule("6.5.1.8", "6.5.1.8.1")
@both
def test_6_5_1_8_1_fire_is_kept_up_without_a_new_response(edition: Edition) -> None:
    table = under_way(edition, dice=[1])
    [mission] = table.state.missions
    going_on = {"do": "continue", "mission": mission, "type": "gp"}
    assert default_mission(table, "german") == going_on
    played = step(table, legal(table, going_on))
    assert_rule(played.findings, "6.5.1.8", result="continued")
    assert_rule(played.findings, "6.5.1.8.1", inputs={"point": "C10"}, result=["gb1"])
    assert "6.5.1.12" not in [finding.rule for finding in every(played.findings)]
    assert table.state.vehicles["s1"].under_fire
    assert table.state.vehicles["g1"].used_up == table.state.turn
    assert mission in table.state.missions


@both
def test_6_5_1_9_a_battery_left_out_of_its_mission_answers_no_other_call_that_turn(edition: Edition) -> None:
    """A mission must be checked before its firers answer a new one, and then they fire no more this turn."""
    other = an_observer(advanced_data(edition=edition), "fo", id="g5")
    table = a_table(dice=[9, 9, 1, 1, 1], edition=edition, batteries=[a_battery(), a_battery("gb2")])
    table.state.vehicles["g5"] = other
    table.state.spotted["g5"] = ["s1"]
    step(table, a_call("C10", "gb1", "gb2"))
    table.state.turn += 1
    [mission] = table.state.missions
    step(table, {"do": "continue", "mission": mission, "type": "gp", "firers": ["gb1"]})
    assert table.state.missions[mission].firers == ("gb1",)
    assert_rule(objections(table, a_call("C10", "gb2", observer="g5")), "6.5.1")


@pytest.mark.rule("6.5.1.6", effect=True)
@pytest.mark.rule("6.5.1.8.1")
def test_6_5_1_8_1_not_without_a_spotted_enemy_in_or_next_to_the_point() -> None:
    table = under_way()
    [mission] = table.state.missions
    going_on = {"do": "continue", "mission": mission, "type": "gp"}
    table.state.vehicles["s1"].hex = parse_hex("C11")
    assert legal(table, going_on)
    table.state.vehicles["s1"].hex = parse_hex("C12")
    assert_rule(objections(table, going_on), "6.5.1.8.1")
    assert default_mission(table, "german") is None
    table.state.vehicles["s1"].hex = parse_hex("C11")
    assert_rule(objections(table, going_on | {"type": "illumination"}), "6.5.1.8.1")
    assert legal(table, going_on | {"type": "smoke"})  # GP and smoke may be exchanged freely


@pytest.mark.rule("6.5.1.8.2", "6.5.1.1", "6.5.1.12", "6.5.1.7")
@both
def test_6_5_1_8_2_adjusting_shifts_the_point_and_asks_for_a_new_response(edition: Edition) -> None:
    table = under_way(edition, dice=[2, 1], batteries=[a_battery(attachment="organic"), a_battery("gb2")])
    [mission] = table.state.missions
    table.state.vehicles["s1"].hex = parse_hex("C12")
    shift = {"do": "adjust", "mission": mission, "point": "C12", "firers": [], "sheaf": "open", "direction": 0,
             "type": "gp"}  # fmt: skip
    assert_rule(objections(table, shift), "6.5.1.1")  # at least one unit must fire
    shift["firers"] = ["gb1"]
    assert legal(table, shift)
    table.state.vehicles["s1"].hex = parse_hex("C15")
    assert_rule(objections(table, shift | {"point": "C15"}), "6.5.1.8.2")
    table.state.vehicles["s1"].hex = parse_hex("C12")
    assert_rule(objections(table, shift | {"point": "C11"}), "6.5.1.7")
    played = step(table, legal(table, shift))
    # the roll of 2 gets +1 for fire that is adjusted and -1 for the old barrage on the line
    assert_rule(played.findings, "6.5.1.12", inputs={"firer": "gb1", "net": 0}, dice=(2,), result="no-response")
    assert_rule(played.findings, "6.5.1.8.2", inputs={"from": "C10", "to": "C12", "sheaf": "open"}, result=[])
    assert table.state.missions == {}


@pytest.mark.rule("6.5.1.12")
def test_6_5_1_8_2_further_firers_may_join_without_the_advantage() -> None:
    table = under_way(dice=[3, 3, 1, 1], batteries=[a_battery(), a_battery("gb2")])
    [mission] = table.state.missions
    shift = {"do": "adjust", "mission": mission, "point": "C10", "firers": ["gb1", "gb2"], "sheaf": "closed",
             "direction": 0, "type": "gp"}  # fmt: skip
    played = step(table, legal(table, shift))
    assert_rule(played.findings, "6.5.1.12", inputs={"firer": "gb1", "net": 0}, result="responds")
    assert_rule(played.findings, "6.5.1.12", inputs={"firer": "gb2", "net": -1}, result="responds")
    assert table.state.missions[mission].firers == ("gb1", "gb2")


@pytest.mark.rule("6.5.1.9", "6.5.1")
@both
def test_6_5_1_9_a_checked_mission_frees_nobody_for_this_turn(edition: Edition) -> None:
    table = under_way(edition)
    [mission] = table.state.missions
    played = step(table, legal(table, {"do": "check", "mission": mission}))
    assert_rule(played.findings, "6.5.1.9", inputs={"why": "by its owner"}, result="checked")
    assert (table.state.missions, table.state.clouds) == ({}, {})
    refused = objections(table, a_call("C10", "gb1"))
    assert_rule(refused, "6.5.1")
    assert len(refused.objections) == 2  # neither the observer nor the battery


@pytest.mark.rule("6.5.1.9")
def test_6_5_1_9_what_cannot_be_observed_is_checked_by_itself() -> None:
    for change in ({"command": Command.MOVE}, {"status": "eliminated"}):
        table = under_way()
        observer = table.state.vehicles["g1"]
        for name, value in change.items():
            setattr(observer, name, value)
        played = step(table)
        assert_rule(played.findings, "6.5.1.9", inputs={"why": "not-observed"}, result="checked")
        assert table.state.missions == {}


@pytest.mark.rule("6.5.1.8", "6.5.1.9")
def test_6_5_1_9_observer_and_firers_are_bound_to_their_mission() -> None:
    table = under_way()
    refused = objections(table, a_call("C10", "gb1"))
    assert_rule(refused, "6.5.1.9")
    [mission] = table.state.missions
    assert_rule(objections(table, {"do": "check", "mission": "m77"}), "6.5.1.8")
    played = step(table)  # no answer: missions not continued end
    assert_rule(played.findings, "6.5.1.9", inputs={"mission": mission, "why": "not kept up"})


@pytest.mark.rule("4.4.1/spot-fire")
def test_6_5_1_each_unit_fires_once_and_shows_it() -> None:
    data = advanced_data()
    unit = mortar(data, "g2", "C4")
    table = a_table(unit, a_tank("s1", "C10", "t34_76"), batteries=[], dice=[9, 50], spotted={"g1": ["s1"]})
    played = step(table, a_call("C10", "g2", sheaf="on_map"))
    assert (unit.revealed, unit.fired, unit.pending, unit.pending_small_arms) == (True, True, Spot.FIRE, True)
    assert table.state.vehicles["g1"].revealed
    assert table.state.vehicles["g1"].pending is Spot.NONE  # observing is passive
    assert_rule(played.findings, "4.4.1/spot-fire", inputs={"unit": "g2"}, result="fire-sa")


def test_6_5_1_everybody_in_the_pattern_is_attacked_friend_or_foe() -> None:
    units = [a_tank("s1", "C10", "t34_76"), a_tank("s2", "C11", "t34_76"), a_tank("g5", "C9"), a_tank("s3", "C12")]
    table = a_table(*units, dice=[9, 1, 1, 1], spotted={"g1": ["s1"]})
    step(table, a_call("C10", "gb1"))
    assert [unit.id for unit in table.state.vehicles.values() if unit.under_fire] == ["g5", "s1", "s2"]


# --- 6.5.1.11 planned fire ------------------------------------------------------------------------


def legs(*rows: tuple[str, str, Sheaf]) -> tuple[Leg, ...]:
    return tuple(Leg(parse_hex(point), type, sheaf) for point, type, sheaf in rows)  # type: ignore[arg-type]


def a_plan(turn: int = 6, plotted: tuple[Leg, ...] = ()) -> PlannedFire:
    """L2269: a plan of two turns of closed GP fire, one turn of open smoke and two turns of open GP fire."""
    five = legs(*[("K10", "gp", "closed")] * 2, ("K10", "smoke", "open"), *[("K10", "gp", "open")] * 2)
    return PlannedFire(id="p1", side="german", battery="gb1", turn=turn, legs=plotted or five)


@pytest.mark.rule("6.5.1.11", "6.5.1.11.1", "6.5.1.11.4", "6.5.1.13")
@both
def test_6_5_1_11_1_a_plot_of_five_turns_runs_as_written(edition: Edition) -> None:
    table = a_table(dice=[9, 4, 2], edition=edition, planned={"p1": a_plan()}, turn=6, labels=())
    told = []
    for turn in range(6, 12):
        table.state.turn = turn
        table.findings.clear()
        step(table, *([{"do": "arrive", "plan": "p1"}] if turn == 6 else []))
        told += [(turn, finding.inputs["type"]) for finding in every(table.findings) if finding.rule == "6.5.1.11"]  # type: ignore[union-attr]
        if turn == 6:
            other = Mission(id="m9", side="german", planned=True, firers=("gb9",), point=parse_hex("K10"))
            table.state.missions["m9"] = other
        if turn == 7:
            assert table.state.missions.pop("m9", None), "another battery's planned fire goes on"
        if turn == 6:
            assert_rule(table.findings, "6.5.1.11.1", inputs={"free_again": 12}, result=5)
            assert_rule(table.findings, "6.5.1.13", inputs={"column": "M", "range": None})
        if turn == 8:
            assert_rule(table.findings, "6.5.1.11.4", result="limited")  # 9 is above the limit: no smoke
            assert not table.state.clouds
            assert_rule(table.findings, "6.5.1.11", result="K10")
        if turn == 11:
            assert table.state.missions == {}
            assert_rule(firer_refusal(table), "6.5.1.11.1")  # it rests
    assert told == [(6, "gp"), (7, "gp"), (8, "smoke"), (9, "gp"), (10, "gp")]


def firer_refusal(table: Table[PanzerState]) -> Any:
    from pbem.titles.panzer.artillery.observers import firer_objections

    firer = firer_of(table, "gb1")
    assert firer is not None
    return list(firer_objections(table, firer, parse_hex("K10")))


@pytest.mark.rule("6.5.1.11.2", "6.5.1.11.1")
@both
def test_6_5_1_11_2_it_may_arrive_a_turn_early_or_late(edition: Edition) -> None:
    here = {"do": "arrive", "plan": "p1"}
    table = a_table(edition=edition, planned={"p1": a_plan(3)}, turn=1)
    assert_rule(objections(table, here), "6.5.1.11.2")
    table.state.turn = 2
    assert legal(table, here) == here
    table.state.turn = 3
    assert default_mission(table, "german") == here
    table.state.turn = 4
    played = step(table)  # now at the latest, whatever the answer
    assert_rule(played.findings, "6.5.1.11.2", inputs={"battery": "gb1"}, result=4)
    told = assert_rule(played.findings, "6.5.1.11.1", inputs={"plotted": 3})
    assert isinstance(told, Finding) and told.to == ("german",)


@pytest.mark.rule("6.5.1.11.1", "6.5.1.11.3")
@both
def test_6_5_1_11_3_the_plot_shifts_the_point_by_five_hexes_at_most(edition: Edition) -> None:
    data = advanced_data(edition=edition, turns=9)
    fine = legs(("C3", "gp", "closed"), ("C8", "gp", "open"))
    assert list(plot_objections(data, "gb1", 2, fine)) == []
    far = plot_objections(data, "gb1", 2, legs(("C3", "gp", "closed"), ("C9", "gp", "closed")))
    assert_rule(far, "6.5.1.11.3")
    assert_rule(plot_objections(data, "gb1", 2, fine * 3), "6.5.1.11.1")
    assert_rule(plot_objections(data, "gb1", 99, fine), "6.5.1.11.1")
    fine = legs(("K13", "gp", "closed"), ("K18", "gp", "open"))
    table = a_table(edition=edition, planned={"p1": a_plan(1, fine)}, labels=())
    step(table, {"do": "arrive", "plan": "p1"})
    table.state.turn = 2
    played = step(table)
    assert_rule(played.findings, "6.5.1.11.3", inputs={"from": "K13", "to": "K18"}, result=5)


# --- 6.6.6 barrages -------------------------------------------------------------------------------


@pytest.mark.rule("6.6.6")
@both
def test_6_6_6_who_moves_into_a_barrage_is_attacked_once_by_each_firer(edition: Edition) -> None:
    table = under_way_now(edition, dice=[1, 1])
    mover = table.state.vehicles["s2"]
    for hex in ("C11", "C10", "C9"):
        mover.hex = parse_hex(hex)
        run_step(table, barrage_attacks(table, mover))
    attacks = [finding for finding in table.findings if finding.rule == "6.6.6"]
    assert [finding.inputs["hex"] for finding in attacks] == ["C11"]
    assert_rule(table.findings, "6.6.6", inputs={"unit": "s2", "firer": "gb1"})
    reset_barrage_attacks(table.state, mover)
    run_step(table, barrage_attacks(table, mover))
    assert len([finding for finding in table.findings if finding.rule == "6.6.6"]) == 2


def under_way_now(edition: Edition = "2024", dice: Iterable[int] = ()) -> Table[PanzerState]:
    table = a_table(
        a_tank("s1", "C10", "t34_76"), a_tank("s2", "C14", "t34_76"), dice=[9, 1, *dice], edition=edition,
        spotted={"g1": ["s1"]},
    )  # fmt: skip
    step(table, a_call("C10", "gb1"))
    table.findings.clear()
    return table


@pytest.mark.rule("6.6.6/once-each", editions=("2024",))
def test_6_6_6_one_attack_for_each_firer_and_a_search_is_attacked() -> None:
    table = under_way_now(dice=[1, 1])
    mover = table.state.vehicles["s2"]
    run_step(table, barrage_attacks(table, mover))  # outside the pattern
    assert table.findings == []
    mover.hex = parse_hex("C11")
    run_step(table, barrage_attacks(table, mover))
    assert_rule(table.findings, "6.6.6/once-each", inputs={"unit": "s2", "firer": "gb1"}, result="attacked")
    run_step(table, search_attacks(table, mover))
    assert len([finding for finding in table.findings if finding.rule == "6.6.6"]) == 2


@pytest.mark.rule("6.6.6/hull-down-search", editions=("2016",))
def test_6_6_6_a_search_is_not_attacked_in_the_2016_book() -> None:
    table = under_way_now("2016")
    mover = table.state.vehicles["s2"]
    mover.hex = parse_hex("C11")
    run_step(table, search_attacks(table, mover))
    assert_rule(table.findings, "6.6.6/hull-down-search", inputs={"unit": "s2"}, result="not-attacked")


# --- options --------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.1.1", effect=True)
def test_6_5_1_1_every_option_is_legal() -> None:
    data = advanced_data()
    table = a_table(
        mortar(data, "g2", "C4"), a_tank("s1", "C10", "t34_76"), a_tank("s2", "E9", "t34_76"),
        spotted={"g1": ["s1", "s2"]}, planned={"p1": a_plan(1)},
    )  # fmt: skip
    ask = Ask("german", "mission", "6.5.1.1")
    options = list(mission_options(table, ask))
    assert len(options) > 8
    for option in options:
        assert check_mission(table, ask, option) == option


@pytest.mark.rule("6.5.1.2", effect=True)
def test_6_5_1_a_side_that_cannot_fire_indirectly_is_not_asked() -> None:
    table = an_advanced_table(a_tank("g1", "C3"), a_tank("s1", "C9", "t34_76"), stage=4)
    played = run_step(table, indirect_fire_step(table, "german"))
    assert played.asks == []
    assert an_advanced_state().missions == {}
    assert Call(parse_hex("C3"), (), "closed", 0, "gp").observer == ""


@pytest.mark.rule("6.5.1.9")
@both
def test_6_5_1_9_units_of_a_checked_mission_fire_in_no_other_but_directly(edition: Edition) -> None:
    """L2239-2241: units of a checked mission, even on the map, may do anything but join other indirect fire."""
    data = advanced_data(edition=edition)
    units = [mortar(data, "g2", "C4"), an_observer(data, "fo", id="g3"), a_tank("s1", "C10", "t34_76")]
    table = a_table(*units, batteries=[], dice=[9, 50], edition=edition, spotted={"g1": ["s1"], "g3": ["s1"]})
    step(table, a_call("C10", "g2", sheaf="on_map"))
    [mission] = table.state.missions
    table.state.turn += 1
    gun = table.state.vehicles["g2"]
    gun.fired = gun.revealed = False
    again = a_call("C10", "g2", sheaf="on_map", observer="g3")
    step(table, legal(table, {"do": "check", "mission": mission}))
    assert_rule(objections(table, again), "6.5.1.9")
    assert gun.used_up != table.state.turn  # its Fire is still there
    table.state.turn += 1
    assert legal(table, again)


@pytest.mark.rule("6.5.1.2", effect=True)
@pytest.mark.rule("6.5.1")
def test_6_5_1_a_battery_fires_once_a_turn_planned_fire_included() -> None:
    table = a_table(dice=[9, 50], planned={"p1": a_plan(1)})
    step(table, a_call("C10", "gb1"))
    assert_rule(objections(table, {"do": "arrive", "plan": "p1"}), "6.5.1")
    assert default_mission(table, "german") is None


@pytest.mark.rule("6.5.1.2")
def test_6_5_1_2_units_that_are_not_on_the_map_cannot_be_called() -> None:
    data = advanced_data()
    table = a_table(mortar(data, "g2", "C4"), a_tank("s1", "C10", "t34_76"), spotted={"g1": ["s1"]})
    unit = table.state.vehicles["g2"]
    unit.hex, unit.status = None, Status.RESERVE
    assert_rule(objections(table, a_call("C10", "g2", sheaf="on_map")), "6.5.1.2")


@pytest.mark.rule("5.16.2.1", "5.16.2.4", "6.5.4.3/ammo-limit")
@both
def test_5_16_2_1_a_basic_limit_costs_indirect_fire_10(edition: Edition) -> None:
    """L1570-1600: a roll above the limit costs the fire 10; a mortar in the hex of its dump has no limit.

    None of the packaged cards has this limit.
    """
    data = advanced_data(edition=edition)
    target = a_tank("s1", "C10", "t34_76")
    for dump, dice in ((None, [7, 50]), (parse_hex("C4"), [50])):
        table = a_table(mortar(data, "g2", "C4", dump=dump), target, dice=dice, edition=edition, batteries=[])
        found = firer_of(table, "g2")
        assert found is not None
        firer = replace(found, limits={"basic": 6})
        mission = Mission(id="m1", side="german", point=parse_hex("C10"))
        call = Call(parse_hex("C10"), ("g2",), "on_map", 0, "gp")
        landed = run_step(table, landing.land(table, mission, firer, call, ("M", 4), 6)).result
        if dump is None:
            assert_rule(landed, "5.16.2.1", inputs={"limit": 6}, dice=(7,), result="limited")
            assert_rule(landed, "6.5.4.3/ammo-limit", result=-10)
        else:
            assert_rule(landed, "5.16.2.4", result=True)
            assert "6.5.4.3/ammo-limit" not in [finding.rule for finding in every(landed)]


@pytest.mark.rule("6.5.1.13", "6.5.1.6")
def test_6_5_1_8_2_whoever_goes_on_in_an_adjusted_mission_must_be_able_to() -> None:
    """L2201, L2229: an adjusted mission's new point must be in range of every firer, with ammunition on its card."""
    data = advanced_data()
    light = a_leg("g2", "C4", section(data, "german"), weapons=("german_grw36",), command=Command.FIRE)
    units = (light, a_tank("s1", "C7", "t34_76"), a_tank("s2", "C10", "t34_76"))
    both_seen = {"g1": ["s1", "s2"]}
    table = a_table(*units, batteries=[a_battery()], dice=[9, 9, 1, 1], spotted=both_seen)
    step(table, a_call("C7", "gb1", "g2"))
    [mission] = table.state.missions
    table.state.turn += 1
    light.fired = False
    adjust = {"do": "adjust", "mission": mission, "point": "C7", "firers": ["gb1"], "sheaf": "open", "type": "gp"}
    assert legal(table, adjust)
    assert_rule(objections(table, adjust | {"type": "smoke"}), "6.5.1.6")
    assert_rule(objections(table, adjust | {"point": "C10"}), "6.5.1.13")  # seven hexes are too far for the mortar


@pytest.mark.rule("5.7", effect=True)
@both
def test_5_7_a_mortar_is_small_arms_on_a_half_track_too(edition: Edition) -> None:
    """L1318-1322, L1406: by its card, a mortar on a half-track is small arms for direct and indirect fire."""
    carrier = a_tank("g2", "C4", "spw251_2", facing=4, command=Command.FIRE)
    table = a_table(carrier, a_tank("s1", "C10", "t34_76"), dice=[9, 50], edition=edition, spotted={"g1": ["s1"]})
    played = step(table, a_call("C10", "g2", sheaf="on_map"))
    assert_rule(played.findings, ledger_row(edition, "4.4.1/spot-fire"), inputs={"unit": "g2"}, result="fire-sa")
    assert carrier.pending_small_arms
