"""5.15, 6.5.2.6, 6.5.4.5 Crews and passengers bail out."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, an_advanced_table, both_editions
from titles.panzer.builders import a_board, a_hex, run_step

from pbem.engine.rules.findings import PUBLIC, happenings_in, seen_by
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Illegal, Unreadable
from pbem.titles.panzer.damage.bail_out import (
    TRACK_AGAIN,
    bail_out_checks,
    check_facing,
    face_outward,
    facing_options,
)
from pbem.titles.panzer.damage.effects import brew_up, knock_out
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.state import Command, Marker, Spot, Status


def a_carrier(*dice: int, card: str = "opel", edition: str = "2024", **more: Any) -> Any:
    """A truck that carries a squad; the dice are for the bail-out checks."""
    squad = a_leg("g2", "C3", "german_rifle_squad", aboard="g1", **more.pop("squad", {}))
    truck = a_tank("g1", "C3", card, facing=3, command=Command.MOVE, **more.pop("truck", {}))
    enemy = a_tank("b1", "C9", "crusader1")
    return an_advanced_table(truck, squad, enemy, dice=dice, edition=edition, **more)


def checks_of(table: Any, causes: Any = (), **more: Any) -> Any:
    return bail_out_checks(table, table.state.vehicles["g1"], causes, **more)


@pytest.mark.rule("6.5.2.6", effect=True)
@pytest.mark.parametrize(
    ("row", "column", "number"),
    [
        ("track", "crew", 30),  # L2687, 2016:L2774
        ("damaged", "crew", 30),  # L2717
        ("no_damage", "passengers", 50),  # L2699
        ("ko", "towed", 61),  # L2707, 2016:L2794
        ("ko", "leg", 21),  # L1532
        ("suppressed_direct", "passengers", 20),  # L1532
    ],
)
def test_6_5_2_6_quoted_cells_of_the_bail_out_table(row, column, number):
    assert getattr(a_carrier().data.advanced.bail_out[row], column).value == number


# --- 6.5.2.6.1 the crew ----------------------------------------------------------------------------------------


@both_editions("5.15", "6.5.2.6.1", "6.5.2.6.1/passengers-follow")
def test_6_5_2_6_1_a_crew_that_bails_out_takes_its_passengers_along(edition):
    """L2689-2691, 2016:L1690: passengers leave without a roll, suppressed, and the vehicle is abandoned."""
    table = a_carrier(30, edition=edition)
    found = checks_of(table, "track")
    truck, squad = table.state.vehicles["g1"], table.state.vehicles["g2"]

    assert checks_of(a_carrier(30, edition=edition)) == [], "nothing has happened that makes anybody check"
    assert_rule(found, "5.15", result=["g1", "g2"], inputs={"causes": ["track"]})
    assert_rule(found, "6.5.2.6.1", dice=(30,), cell="track", result="bails-out")
    assert_rule(found, ledger_row(edition, "6.5.2.6.1/passengers-follow"), inputs={"unit": "g2"}, result="follows")
    assert truck.bailed_out and truck.alive and truck.command is None
    assert (squad.aboard, squad.hex, squad.suppression, squad.pending) == ("", a_hex("C3"), Marker.ON, Spot.MOVE)


@pytest.mark.rule("6.5.2.6.1", effect=True)
@pytest.mark.parametrize(
    ("grade", "roll", "leaves"),
    [("seasoned", 30, True), ("seasoned", 31, False), ("elite", 26, False), ("elite", 25, True), ("green", 35, True)],
)
def test_6_5_2_6_1_elite_rolls_5_higher_and_green_5_lower(grade, roll, leaves):
    """L2689: Elite units roll 5 higher and Green units 5 lower."""
    table = a_carrier(roll, *([99] if not leaves else []), truck={"grade": grade})
    checks_of(table, "damaged")
    assert table.state.vehicles["g1"].bailed_out is leaves


@pytest.mark.rule("6.5.2.6.1", effect=True)
def test_6_5_2_6_1_every_no_damage_is_checked_and_a_further_track_hit_is_not():
    """L2693: the crew checks for every No Damage, but not for a further track hit; L2703: so do passengers."""
    table = a_carrier(99, 99, 99, 99, 99, 99)
    found = checks_of(table, ["no_damage", "track", TRACK_AGAIN])
    crew = [one for one in every(found) if one.rule == "6.5.2.6.1"]
    riders = [one for one in every(found) if one.rule == "6.5.2.6.2/nd-dm-tk"]
    assert [one.cell for one in crew] == ["no_damage", "track"]
    assert [one.cell for one in riders] == ["no_damage", "track", "track"]


def test_5_15_an_abandoned_vehicle_has_no_crew_to_check():
    table = a_carrier(truck={"bailed_out": True}, squad={})
    table.state.vehicles["g2"].aboard = ""
    assert checks_of(table, "damaged") == []


def test_5_15_who_shared_the_counter_of_an_abandoned_vehicle_keeps_it():
    """6.2.1.1.3: units that share the counter of an abandoned vehicle keep it."""
    table = a_carrier(1)
    mate = a_tank("g3", "C4", "opel", command=Command.MOVE, shares="g1")
    table.state.vehicles["g3"] = mate
    checks_of(table, "damaged")
    assert (mate.shares, mate.command) == ("", Command.MOVE)


@pytest.mark.parametrize(
    ("command", "done", "order"),
    [
        (Command.MOVE, {}, "move"),
        (Command.MOVE, {"moved": True}, ""),
        (Command.SHORT_HALT, {"fired": True}, "short-halt"),
        (Command.FIRE, {}, "fire"),
        (Command.FIRE, {"fired": True}, ""),
        (Command.OVERWATCH, {}, "overwatch"),
        (Command.NO_COMMAND, {}, ""),
    ],
)
def test_5_15_the_command_that_an_abandoned_vehicle_has_not_carried_out_has_a_fate(command, done, order):
    """Only the vehicle's side is told what became of its command, even if it answered nothing itself."""
    table = a_carrier(1)
    truck = table.state.vehicles["g1"]
    truck.command = command
    for name, value in done.items():
        setattr(truck, name, value)
    found = checks_of(table, "damaged")
    fails = [one for one in happenings_in(seen_by(found, truck.side)) if isinstance(one, Fail)]
    assert [(one.who, one.order, one.rule) for one in fails] == ([("g1", order, "5.15")] if order else [])
    assert not [one for one in happenings_in(seen_by(found, PUBLIC)) if isinstance(one, Fail)]


# --- 6.5.2.6.2 the passengers ----------------------------------------------------------------------------------


@both_editions("6.5.2.6.2", "6.5.2.6.2/nd-dm-tk")
def test_6_5_2_6_2_if_the_crew_stays_each_passenger_checks_until_it_is_out(edition):
    """L2699-2703: if the crew stays, each passenger checks separately until it is out."""
    table = a_carrier(99, 99, 50, edition=edition)
    found = checks_of(table, ["no_damage", "no_damage"])
    assert_rule(found, "6.5.2.6.2", inputs={"carrier": "g1"})
    assert_rule(found, "6.5.2.6.2/nd-dm-tk", cell="no_damage", dice=(50,), result="bails-out")
    assert not table.chance.left  # not once more: it is out
    assert not table.state.vehicles["g1"].bailed_out and not table.state.vehicles["g2"].aboard


@pytest.mark.rule("6.5.2.6.2", effect=True)
@both_editions("6.5.2.6.2/under-cover")
def test_6_5_2_6_2_passengers_under_cover_do_not_check(edition):
    """L2701: passengers of a closed vehicle do not check."""
    table = a_carrier(99, card="spw251", edition=edition)
    found = checks_of(table, "damaged")
    assert_rule(found, ledger_row(edition, "6.5.2.6.2/under-cover"), inputs={"unit": "g2"}, result="no-check")


@pytest.mark.rule("6.5.2.6.2", effect=True)
@pytest.mark.parametrize(("roll", "lives"), [(20, False), (21, True)])
@both_editions("6.5.2.6.2/ko-bu")
def test_6_5_2_6_2_passengers_of_a_knocked_out_vehicle_survive_on_the_number_or_more(edition, roll, lives):
    """L2707-2709 as read in A8: a passenger survives on the number or more; the 2016 book prints it this way."""
    table = a_carrier(roll, edition=edition)
    knock_out(table, table.state.vehicles["g1"])
    found = checks_of(table, ["damaged", "ko"])
    squad = table.state.vehicles["g2"]
    assert_rule(found, "6.5.2.6.2/ko-bu", dice=(roll,), result="survives" if lives else "eliminated")
    assert (squad.status is Status.ON_MAP, squad.aboard) == (lives, "")
    assert squad.suppressed is lives


@pytest.mark.rule("6.5.2.6.2", effect=True)
@pytest.mark.parametrize(
    ("shaken", "roll", "result"),
    [("truck", 40, "bails-out"), ("truck", 41, "stays"), ("squad", 31, "stays"), ("squad", 30, "bails-out")],
)
def test_7_1_5_1_hesitation_counts_for_the_crew_and_not_for_a_passenger(shaken: str, roll: int, result: str):
    """2016:L4341-4353: -10 is for the crew's own check; a track hit drives a crew out on 30 or less."""
    table = a_carrier(roll, 60, **{shaken: {"flags": ("hesitating-off",)}})
    [found] = checks_of(table, ["track"])
    assert_rule(found, "6.5.2.6.1", inputs={"unit": "g1", "total": roll - 10 * (shaken == "truck")}, result=result)
    wrecked = a_carrier(25, squad={"flags": ("broken-on",)})
    knock_out(wrecked, wrecked.state.vehicles["g1"])
    checks = checks_of(wrecked, ["ko"])
    assert_rule(checks, "6.5.2.6.2/ko-bu", inputs={"unit": "g2", "total": 25}, result="survives")


def test_6_5_2_6_2_towed_guns_have_a_row_of_their_own_and_under_cover_does_not_help():
    gun = a_gun("g2", "C3", "pak38", aboard="g1")
    table = an_advanced_table(a_tank("g1", "C3", "spw251"), gun, a_tank("b1", "C9", "crusader1"), dice=[60])
    brew_up(table, table.state.vehicles["g1"])
    checks_of(table, "bu")
    assert not gun.alive
    assert table.data.advanced.bail_out["bu"].towed.value == 81


@pytest.mark.rule("6.5.2.6.2", effect=True)
def test_6_5_2_6_2_nobody_gets_out_into_water():
    board = a_board(signs={"C3": "="}, legend={"=": ["water"]})
    table = a_carrier(1, board=board)
    checks_of(table, "damaged")
    assert not table.state.vehicles["g2"].alive


def test_5_15_without_the_rule_nobody_gets_out_of_a_wreck_and_no_crew_leaves():
    """Introduction to the advanced game: the bail-out rule may be left out."""
    rules = tuple(rule for rule in ADVANCED_RULES if rule != "bail_out")
    table = a_carrier(scenario={"rules": rules})
    assert checks_of(table, "damaged") == []
    knock_out(table, table.state.vehicles["g1"])
    checks_of(table, "ko")
    assert not table.state.vehicles["g2"].alive


# --- 6.5.4.5 GP fire -------------------------------------------------------------------------------------------


@both_editions("5.15", "6.5.2.6.2/ko-bu")
def test_5_15_a_knocked_out_carrier_settles_the_check_of_a_suppressed_passenger(edition):
    """L1532, 2016:L1688: a suppressed passenger of a knocked-out carrier uses the row Knock Out Leg (21+)."""
    table = a_carrier(21, edition=edition, squad={"suppression": Marker.ON})
    knock_out(table, table.state.vehicles["g1"])
    found = checks_of(table, "ko", suppressed=["g2"])
    assert_rule(found, "5.15", inputs={"causes": ["ko"]}, result=["g2"])
    assert_rule(found, "6.5.2.6.2/ko-bu", cell="ko", inputs={"number": 21}, result="survives")


@pytest.mark.rule("6.5.2.6.1/passengers-follow")
def test_5_15_a_crew_that_leaves_settles_it_too():
    """L1534, 2016:L1690: indirect fire drives out the crew; a suppressed towed passenger follows without a roll."""
    gun = a_gun("g2", "C3", "pak38", aboard="g1", suppression=Marker.ON)
    table = an_advanced_table(a_tank("g1", "C3", "sdkfz10"), gun, a_tank("b1", "C9", "crusader1"), dice=[30])
    found = checks_of(table, "damaged", suppressed=["g2"], indirect=True)
    assert not table.chance.left and not gun.aboard
    assert_rule(found, "6.5.2.6.1/passengers-follow", result="follows")


@both_editions("6.5.4.5/suppressed-passengers")
def test_6_5_4_5_only_suppressed_passengers_check_for_suppression_even_under_cover(edition):
    """L3115: passengers check for suppression only if suppressed themselves, even in a closed vehicle."""
    table = a_carrier(20, card="spw251", edition=edition)
    found = checks_of(table, (), suppressed=["g2"])
    rule = ledger_row(edition, "6.5.4.5/suppressed-passengers")
    assert_rule(found, rule, cell="suppressed_direct", dice=(20,), result="bails-out")
    assert checks_of(a_carrier(edition=edition), (), suppressed=[]) == []
    indirect = checks_of(a_carrier(99, edition=edition), (), suppressed=["g2"], indirect=True)
    assert_rule(indirect, rule, cell="suppressed_indirect", result="stays")


# --- facing ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.5.2.6.1", "5.5", effect=True)
def test_6_5_2_6_1_whoever_gets_out_faces_as_his_owner_likes():
    table = a_carrier(1)
    found = checks_of(table, "damaged")
    squad = table.state.vehicles["g2"]
    assert squad.facing == 3
    played = run_step(table, face_outward(table, found), {"facing": {"g2": 5}})
    ask = played.asked("facing")[0]
    assert (ask.seat, ask.silence, squad.facing) == ("german", {"g2": 3}, 5)
    assert {"g2": 6} in list(facing_options(table, ask))
    assert check_facing(table, ask, {}) == {"g2": 3}
    with pytest.raises(Illegal):
        check_facing(table, ask, {"g2": 7})
    with pytest.raises(Illegal):
        check_facing(table, ask, {"b1": 1})
    with pytest.raises(Unreadable):
        check_facing(table, ask, "north")


@pytest.mark.rule("6.5.2.6.1", effect=True)
def test_6_5_2_6_1_nobody_is_asked_where_nobody_got_out():
    table = a_carrier(99, 99)
    assert not run_step(table, face_outward(table, checks_of(table, "damaged"))).asks
