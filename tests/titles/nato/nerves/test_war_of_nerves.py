"""4.5, 33.2.7, 39 War of Nerves: preparations, tension, alert, clocks and the outbreak of war."""

from __future__ import annotations

from functools import cache

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_data, a_table, board_on, on, played, unit
from titles.nato.turns.at_the_table import a_game

from pbem.engine.rules.refusals import Refusal
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.movement.lift import intercept
from pbem.titles.nato.nerves.markers import air_table, due, interception_table, upgrades
from pbem.titles.nato.nerves.peace import Prepare, advance_clocks, alert_roll, arrive_in_peace, outbreak, prepare
from pbem.titles.nato.nerves.steps import peace_turn
from pbem.titles.nato.player.orders import MoveOrders
from pbem.titles.nato.sequence import air_points, movement
from pbem.titles.nato.title import Nato, NatoRules

UNITS = {"3110": "16GT E8", "2908": "P5T", "4306": "C1T", "3218": "7/1A", "3223": "27LL", "4833": "10DB"}
ARRIVALS = (Arrival(4, "1G", "RR"), Arrival(2, "P6", "RR"), Arrival(1, "PRG", "RS3122"), Arrival(3, "26G", "RR"))


@cache
def nerves() -> NatoData:
    return on(a_data("nerves", "surprise", "activation", "gdp", "rail", "refugees"), arrivals=ARRIVALS)


def a_peace(*dice: int, **fields: object):  # type: ignore[no-untyped-def]
    """Return a peacetime turn without activated units."""
    given = {"turn": 0, "peace": 1, "alert": 1, "awaited": [arrival.unit for arrival in ARRIVALS], **fields}
    table = a_table(UNITS, list(dice), nerves(), **given)
    for one in board_on(table).units.values():
        one.piece.active = False
    return table


@pytest.mark.rule("4.5", "4.5.1", "4.5.2", "4.5.4")
def test_4_5_1_a_measure_is_taken_once_raises_tension_and_activates() -> None:
    table = a_peace()
    board = board_on(table)
    for measure, tension, called in (
        ("german", 1, ["E8"]),
        ("bloc", 2, ["16GT", "E8"]),
        ("allies", 4, ["16GT", "C1T", "E8", "P5T"]),
        ("air1", 6, ["16GT", "C1T", "E8", "P5T"]),
    ):
        prepare(table, board, measure)
        assert_rule(table.findings, "4.5", inputs={"measure": measure}, result=tension)
        assert [one.id for one in board.of(Side.WP) if one.piece.active] == called
    assert_rule(table.findings, "4.5.1", inputs={"measure": "german"}, result="East German maneuvers")
    assert_rule(table.findings, "4.5.2", inputs={"rise": 2}, result=6)
    assert_rule(table.findings, "4.5.4", inputs={"measure": "air1"}, result=4)
    rules = NatoRules(nerves())
    for answer, rule in (("german", "4.5.1"), ("tanks", "4.5.1"), ("air2", "4.5.4")):
        with pytest.raises(Refusal) as refused:
            rules.check(table.state, Prepare.make_ask("wp"), answer)
        assert_rule(refused.value, rule)
    table.state.peace = 4
    assert upgrades(board) == 1 and rules.check(table.state, Prepare.make_ask("wp"), "air2") == "air2"


@pytest.mark.rule("4.5.3", "4.5.3.1", "4.5.3.2", "4.5.3.3", "7.2/I.A.2", "33.2.7")
def test_4_5_3_clocks_bring_reinforcements_that_wait_inactive() -> None:
    table = a_peace()
    board = board_on(table)
    prepare(table, board, "mobilization")
    for expected in ({"soviet": 1}, {"soviet": 2}):
        advance_clocks(table, board)
        assert table.state.clocks == expected
    assert_rule(table.findings, "7.2/I.A.2", result={"soviet": 2})
    assert_rule(table.findings, "4.5.3", result={"soviet": 2})
    assert_rule(table.findings, "4.5.3.1", result=2)
    assert_rule(table.findings, "4.5.3.2", result=0)
    assert_rule(table.findings, "4.5.3.3", result=0)
    assert not any(due(board, arrival) for arrival in ARRIVALS)
    advance_clocks(table, board)
    arrive_in_peace(table, board)
    assert_rule(table.findings, "33.2.7", inputs={"arrived": ["26G"]}, result=["26G"])
    assert not unit(board, "26G").piece.active and "P6" in table.state.awaited  # the allies have no clock
    table.state.measures["eastern"] = 1
    table.state.clocks = {"soviet": 1}
    assert [arrival.unit for arrival in ARRIVALS if due(board, arrival)] == ["1G"]
    table.state.turn = 1
    advance_clocks(table, board)
    assert table.state.clocks == {"soviet": 2, "allies": 1, "nato": 1}  # war starts the clocks that do not run


@pytest.mark.rule("4.5.5")
def test_4_5_5_the_alert_roll_wakes_nato_up() -> None:
    for die, tension, before, after in ((4, 0, 1, 1), (5, 0, 1, 2), (4, 3, 1, 2), (6, 4, 1, 3), (6, 9, 5, 6)):
        table = a_peace(die, tension=tension, alert=before)
        alert_roll(table, board_on(table))
        assert_rule(table.findings, "4.5.5", inputs={"tension": tension}, dice=(die,), result=after)
        assert table.state.alert == after and ("nato" in table.state.clocks) is (after >= 3)
        assert unit(board_on(table), "10DB").piece.active is (after == 6)


def test_39_a_peace_turn_is_prepared_moved_and_may_lead_to_the_plan() -> None:
    calm = a_peace(2, peace=0)
    played(calm, peace_turn(calm), prepare="bloc", move=MoveOrders())
    assert calm.state.next.name == "brink" and calm.state.peace == 1 and calm.state.tension == 1
    woken = a_peace(6, peace=2, tension=6, alert=3)
    played(woken, peace_turn(woken), prepare=None)
    assert woken.state.alert == 5 and woken.state.next.name == "gdp"
    over = a_peace(peace=12)
    played(over, peace_turn(over))
    assert over.state.outcome is not None and (over.state.outcome.winner, over.state.outcome.level) == (
        Side.NATO,
        "marginal",
    )


@pytest.mark.rule("35.7")
def test_40_war_surprises_a_nato_that_is_hardly_alert() -> None:
    for alert, surprised, west in (
        (1, True, "surprise"),
        (2, True, "surprise"),
        (4, False, "nerves"),
        (5, False, "extended"),
    ):
        table = a_peace(peace=5, alert=alert, measures={"air1": 3})
        board = board_on(table)
        outbreak(table, board)
        found = assert_rule(table.findings, "35.7", inputs={"alert": alert, "lost": ["air1"]}, result=surprised)
        assert found and board.surprise() is surprised and not board.surprise(2)
        assert (air_table(board, Side.NATO), interception_table(board, Side.WP)) == (west, "extended")
        assert unit(board, "7/1A").piece.active and not unit(board, "10DB").piece.active


def test_23_1_1_in_war_of_nerves_each_side_rolls_on_its_own_table() -> None:
    table = a_peace(1, 6, turn=2, peace=6, alert=5, measures={"air1": 1})
    air_points(table, board_on(table))
    assert table.state.tactical == {Side.WP: 8, Side.NATO: 9}  # nerves die 1 and extended die 6, turns 2 to 7
    assert table.state.operational == {Side.WP: 2, Side.NATO: 2}


def test_35_3_without_the_plan_nato_moves_to_positions_in_its_first_war_turn() -> None:
    table = a_peace(1, 2, 3, 4, 5, turn=1, alert=2)
    board = board_on(table)
    for one in board.units.values():
        one.piece.active = True
    played(table, movement(table, Side.NATO), gdp=MoveOrders())
    assert table.state.deployed and table.state.gdp_dice["WG"] == 1 and table.state.next.name == "fighting"


@pytest.mark.rule("35.3.4", effect=True)
@pytest.mark.parametrize("invaded", [["DK"], []])
def test_35_3_4_the_danes_move_as_the_sixth_army_if_the_war_began_with_their_invasion(invaded: list[str]) -> None:
    """A die of 1 lets a Danish brigade go one hex; without an invasion no die is rolled for Denmark."""
    dice = {"35.3.3": [2, 2, 2, 2, 2, *([1] if invaded else [])]}
    game = a_game(
        {"1410": "1/Zee"}, on(nerves(), arrivals=()), side=Side.NATO, turn=1, alert=2, invaded=invaded, dice=dice
    )
    if invaded:
        assert game.refused("nato", "1/Zee 1412") == {"12.2"}
        game.say(nato="1/Zee 1411")
    game.over()
    assert game.at("1/Zee") == ("1411" if invaded else "1410")


@pytest.mark.rule("35.3.4", "35.3.6", effect=True)
def test_35_3_4_on_the_first_day_of_the_war_brigades_abroad_move_too_and_cross_the_border() -> None:
    """Only the Dutch and the Belgians must start in West Germany. Once the war has begun, no move
    into a Warsaw Pact hex counts as a move away from the border.
    """
    units = {"3114": "WG-I 1/1PZ", "3128": "NL-11/1", "1318": "UK-1"}
    data = on(nerves(), arrivals=())
    game = a_game(units, data, side=Side.NATO, turn=1, alert=2, dice={"35.3.3": [5] * 5})
    assert game.refused("nato", "1/1PZ 3113 3112") == set()
    assert game.refused("nato", "1/1PZ 3116") == {"35.3.6"}
    game.say(nato="1/1PZ 3113 3112")
    assert game.refused("nato", "UK-1 1418") == set()
    game.say(nato="UK-1 1418").over()
    assert game.places("1/1PZ UK-1 NL-11/1") == "3112 1418 3128"


def test_39_nobody_intercepts_in_peace_and_the_scenario_is_playable() -> None:
    table = a_peace()
    assert intercept(table, board_on(table), unit(board_on(table), "16GT"), "3110", "ferry") == 0
    title = Nato()
    rules = title.rules(title.freeze("nerves", {}))
    state = rules.setup(())
    assert (
        state.next.name == "peace_turn" and state.alert == 1 and not any(one.active for one in state.pieces.values())
    )
