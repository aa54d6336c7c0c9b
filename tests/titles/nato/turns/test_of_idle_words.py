"""Words that could have no effect, or too many effects, are refused with the rule that makes them useless."""

from __future__ import annotations

from typing import Any

import pytest
from titles.nato.builders import a_battle, a_board, a_table, board_on
from titles.nato.together.test_lawyer_fourth import ALL, LIFTS
from titles.nato.turns.at_the_table import Game, a_game
from titles.nato.turns.test_of_commands import COMMANDS

from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Refusal, each
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.aftermath import FallBack, RetreatAbout
from pbem.titles.nato.movement.phase import make_moves
from pbem.titles.nato.player.orders import Move, Retreat
from pbem.titles.nato.player.standing_orders import compile_orders, read_clause

WP, NATO = Side.WP, Side.NATO
UNITS = {"3019": "16GT 34N", "3018": "NEGF", "3010": "21", "3020": "22/1A 7/1A", "3121": "12/1A", "srb": "97"}
POINTS: dict[str, Any] = {
    "tactical": {WP: 5, NATO: 5},
    "operational": {WP: 3, NATO: 3},
    "chemical_points": {WP: 4, NATO: 4},
    "first_use": 1,
}


def moving(**more: Any) -> Game:
    return a_game(UNITS, ALL, **{**LIFTS, **more})


def fighting(side: Side = WP, **more: Any) -> Game:
    return a_game(UNITS, ALL, side=side, step="fighting", **{**POINTS, **more})


def reasons(game: Game, seat: str, text: str) -> list[str]:
    """Return the full refusals of these orders, as the player reads them."""
    with pytest.raises(Refusal) as refused:
        read = game.rules.read(game.state, game.run.ask_of(seat), text)  # type: ignore[arg-type]
        game.rules.check_plan(game.state, game.run.ask_of(seat), read.plan)  # type: ignore[arg-type]
    return [str(one) for one in each(refused.value)]


# --- moves -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["21 march", "21 tactical", "21 minimum", "21 march reserve"])
def test_12_0_a_way_of_moving_needs_a_destination(line: str) -> None:
    assert moving().refused("wp", line) == {"12.0"}


def test_28_1_a_unit_off_the_map_cannot_be_placed_in_reserve() -> None:
    """The unit could not move in the Reserve Phase, because units leave boxes only in the Movement Phase (33.1)."""
    assert moving().refused("wp", "97 reserve") == {"28.1"}
    assert moving().refused("wp", "21 reserve") == set()


@pytest.mark.parametrize("line", ["attack 3020 with 16GT", "air 3020", "mark 3020", "nuke 3020", "deep 1"])
def test_7_2_a_battle_order_among_the_moves_is_told_where_it_belongs(line: str) -> None:
    (told,) = reasons(moving(), "wp", line)
    assert "in the next exchange, after the moves" in told


@pytest.mark.parametrize("line", ["16GT 3010", "resupply 3010", "21 3009 march"])
def test_7_2_a_move_among_the_battles_is_told_where_it_belongs(line: str) -> None:
    for seat, side in (("wp", WP), ("wp", NATO)):
        (told,) = reasons(fighting(side), seat, line)
        assert "in the first exchange of a player turn" in told


def test_35_1_2_one_ceasefire_is_proposed_at_a_time() -> None:
    assert moving().refused("wp", "ceasefire\nceasefire draw") == {"35.1.2"}
    assert moving().refused("wp", "ceasefire draw") == set()


# --- battles ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("25.2", effect=True)
def test_25_2_a_unit_named_twice_for_a_battle_is_refused() -> None:
    """A unit named twice for a battle is refused, because it would count twice in the odds."""
    assert fighting().refused("wp", "attack 3020 with 16GT 16GT") == {"25.2"}
    asked = a_game(UNITS, ALL, step="fighting", asks=("commit",)).say(wp="mark 3020", nato="none")
    assert asked.refused("wp", "3020 16GT 16GT") == {"25.2"}
    assert asked.refused("wp", "3020 16GT") == set()


@pytest.mark.parametrize("odds", ["7:3", "1:9", "99:1", "0:0"])
def test_25_5_a_battle_cannot_depend_on_odds_that_are_no_column_of_the_table(odds: str) -> None:
    assert fighting().refused("wp", f"attack 3020 with 16GT if odds {odds}") == {"25.5"}
    assert fighting().refused("wp", "attack 3020 with 16GT if odds 3:1") == set()


@pytest.mark.parametrize("condition", ["3020 taken", "3020 held", "3218 taken", "3121 held", "3019 taken"])
def test_25_1_1_a_battle_cannot_depend_on_itself_or_on_a_hex_that_nobody_can_attack(condition: str) -> None:
    """A battle for the empty 3218, for 3121 without adjacent units, or for 3019, held by the attacker, is refused."""
    assert fighting().refused("wp", f"attack 3020 with 16GT if {condition}") == {"25.1.1"}


def test_25_1_1_a_battle_may_depend_on_another() -> None:
    game = a_game({"3019": "16GT", "3119": "21", "3020": "22/1A", "3120": "7/1A"}, ALL, step="fighting")
    assert game.refused("wp", "attack 3020 with 16GT\nattack 3120 with 21 if 3020 taken") == set()
    assert game.refused("wp", "attack 3120 with 21 if 3020 held") == set()


def test_18_4_helicopters_that_nobody_can_send_are_refused() -> None:
    line = "attack 3020 with 16GT helicopters"
    assert fighting().refused("wp", line) == {"18.4"}
    assert fighting(brigades={"NEGF": "ready"}).refused("wp", line) == set()


def test_18_4_helicopters_without_a_name_come_from_a_headquarters_that_can_send_them() -> None:
    """Helicopters without a name come from a headquarters with a unit in the battle, not from the
    first in the alphabet.
    """
    game = fighting(brigades={"BAF": "ready", "NEGF": "ready"})
    read = game.rules.read(game.state, game.run.ask_of("wp"), "attack 3020 with 16GT helicopters")  # type: ignore[arg-type]
    assert read.plan["battles"][0]["helicopters"] == "NEGF"


TWO_BATTLES = {"3019": "16GT", "3119": "21", "3118": "NEGF", "3020": "22/1A", "3120": "7/1A"}


@pytest.mark.rule("18.4.4.2", effect=True)
def test_18_4_4_2_helicopters_cannot_be_sent_to_two_battles_that_are_both_sure_to_be_fought() -> None:
    game = a_game(TWO_BATTLES, ALL, step="fighting", brigades={"NEGF": "ready"})
    first = "attack 3020 with 16GT helicopters NEGF\n"
    assert game.refused("wp", f"{first}attack 3120 with 21 helicopters NEGF") == {"18.4.4.2"}
    assert game.refused("wp", f"{first}attack 3120 with 21 helicopters") == {"18.4.4.2"}
    assert game.refused("wp", f"{first}attack 3120 with 21 helicopters NEGF if 3020 held") == set()
    assert game.refused("wp", f"{first}attack 3120 with 21") == set()


def test_18_4_4_2_helicopters_without_a_name_are_those_that_no_other_battle_has() -> None:
    """The helicopters of either US corps can join a battle of a US unit (10.4.4.5)."""
    units = {"3019": "1/3A", "2920": "2/3A", "3119": "US-V", "2919": "US-VII", "3018": "16GT", "2820": "21"}
    game = a_game(units, ALL, side=NATO, step="fighting", brigades={"US-V": "ready", "US-VII": "ready"})
    text = "attack 3018 with 1/3A helicopters\nattack 2820 with 2/3A helicopters"
    read = game.rules.read(game.state, game.run.ask_of("nato"), text)  # type: ignore[arg-type]
    assert [one["helicopters"] for one in read.plan["battles"]] == ["US-V", "US-VII"]


def test_25_0_nato_places_no_battle_markers() -> None:
    assert fighting(NATO).refused("nato", "mark 3019") == {"25.0"}
    assert fighting().refused("wp", "mark 3020") == set()


# --- strikes ---------------------------------------------------------------------------------------------------


def test_23_7_a_deep_strike_costs_a_point() -> None:
    assert [fighting(NATO).refused("nato", f"deep {number}") for number in "0123"] == [{"23.7"}, set(), set(), set()]


@pytest.mark.rule("22.4", effect=True)
def test_22_4_airfields_are_struck_operationally_and_without_a_marker() -> None:
    assert fighting().refused("wp", "chemical airfield") == set()
    assert fighting().refused("wp", "chemical airfield operational") == set()
    for word in ("persistent", "artillery", "operational persistent"):
        assert "22.4" in fighting().refused("wp", f"chemical airfield {word}"), word


@pytest.mark.parametrize("line", ["air 3020 at 22/1A 22/1A", "fire 34N at 3020 at 22/1A 22/1A"])
def test_20_0_a_strike_names_a_target_once(line: str) -> None:
    assert fighting().refused("wp", line) == {"20.0"}


def test_7_2_a_target_that_is_no_enemy_is_called_that() -> None:
    (told,) = reasons(fighting(), "wp", "air 3020 at NEGF")
    assert "no enemy unit in play has that name" in told


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("attack 3121 with 16GT", "attack 3121"),
        ("air 3020 at 12/1A", "air 3020 at 12/1A"),
        ("nuke vistula", "nuke vistula"),
    ],
)
def test_7_2_a_refusal_names_the_order_that_it_is_about(line: str, part: str) -> None:
    assert reasons(fighting(), "wp", line)[0].startswith(f"{part}: ")


# --- several seats ---------------------------------------------------------------------------------------------


def staff() -> Game:
    return a_game({"3010": "16GT 94G", "4606": "C1T"}, COMMANDS, pools={"north": {"tactical": 3}}, **POINTS)


@pytest.mark.parametrize(
    ("seat", "lines", "rule"),
    [
        ("north", "lend 16GT to north", "35.8.4"),
        ("north", "lend 16GT to south\nlend 16GT to theatre", "35.8.4"),
        ("north", "lend 16GT to south\nlend 16GT to south until 4", "35.8.4"),
        ("north", "give south 2 tactical\ngive south 2 tactical", "35.8.4"),
        ("theatre", "give south 2 tactical\ngive south 3 tactical", "35.8.4"),
        ("theatre", "give south 3 tactical\ngive north 3 tactical", "35.8.4"),
        ("theatre", "deputy north for north", "35.8"),
        ("theatre", "deputy south for north\ndeputy theatre for north", "35.8"),
        ("theatre", "priority north north", "35.8"),
        ("theatre", "priority theatre", "35.8"),
        ("theatre", "priority north\npriority south", "35.8"),
    ],
)
def test_35_8_dispositions_that_cannot_all_be_carried_out_are_refused(seat: str, lines: str, rule: str) -> None:
    assert staff().refused(seat, lines) == {rule}


@pytest.mark.parametrize(
    ("seat", "lines"),
    [
        ("north", "lend 16GT to south\nlend 94G to south"),
        ("north", "give south 1 tactical\ngive south 2 tactical"),
        ("theatre", "give south 3 tactical\ngive north 2 tactical"),
        ("theatre", "deputy south for north\ndeputy north for south"),
        ("theatre", "priority south north"),
    ],
)
def test_35_8_dispositions_that_agree_are_accepted(seat: str, lines: str) -> None:
    assert staff().refused(seat, lines) == set()


# --- orders that fail -------------------------------------------------------------------------------------------


def test_7_2_a_failed_order_names_the_rule_of_its_reason_once() -> None:
    """A failed order gives the rule of its reason beside the reason, whose text does not repeat it."""
    table = a_table({"3010": "16GT"}, (), ALL)
    make_moves(table, board_on(table), [Move("16GT", ("3030",), "tactical")])
    (fail,) = [shown for found in table.findings for shown in found.shows if isinstance(shown, Fail)]
    assert fail.rule.startswith("12.") and fail.rule not in str(fail.why)


# --- standing orders --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "number", "hexes", "places"),
    [
        ("trade: 1 in cities", 1, (), ("cities",)),
        ("trade: 2 in rough", 2, (), ("rough",)),
        ("trade: 1 3020", 1, ("3020",), ()),
        ("stand: cities", 0, (), ("cities",)),
        ("stand: 3020 3121", 0, ("3020", "3121"), ()),
        ("retreat: to 3422", 0, ("3422",), ()),
        ("retreat: to 3421", 0, ("3421",), ()),
        ("helicopters: cities", 0, (), ("cities",)),
    ],
)
def test_25_7_a_clause_keeps_its_number_its_hexes_and_its_ground(
    line: str, number: int, hexes: tuple[str, ...], places: tuple[str, ...]
) -> None:
    """Three of these lines are proposed in refusals, and one is a default standing order."""
    clause = read_clause(line)
    assert (clause.choice, clause.number, clause.hexes, clause.places) == ("places", number, hexes, places)


@pytest.mark.parametrize(
    "line",
    [
        "trade: cities", "stand: 2 3020", "retreat: rough", "retreat: 1 3422", "retreat: 3421 3422",
        "helicopters: 2 3020", "air: keep 3 if odds 3:1", "pay: NEGF if odds 3:1", "reforger: 3ACR if odds 3:1",
        "box: sector1 if odds 3:1", "return: 3117 if odds 3:1", "return: 3117 in cities", "return: somewhere",
        "reforger: 3ACR in cities", "pay: NEGF in cities", "defend with: WG in cities",
    ],
)  # fmt: skip
def test_7_2_a_standing_order_with_a_word_that_cannot_count_is_refused(line: str) -> None:
    with pytest.raises(Refusal):
        moving().rules.check_doctrine([line])


def fall_back(hex: str, *lines: str) -> Retreat:
    """25.7 The retreat of two brigades by one hex, by these standing orders or, without any, by the stock ones."""
    board = a_board({"3119": "16GT", "3019": "21", hex: "7/1A 22/1A"}, ALL)
    board.state.battle = a_battle(board, hex, "16GT")
    ask = FallBack.make_ask("nato", subject=hex, about=RetreatAbout(1))
    decision = FallBack(board.data, board.state, ask)
    answers = [answer for answer, _ in decision.from_standing_orders(compile_orders(lines))]
    assert not any(decision.objections(answers[0]))
    return answers[0]


@pytest.mark.rule("25.7", effect=True)
def test_25_7_the_stock_orders_give_up_a_step_for_a_city_and_for_nothing_else() -> None:
    assert fall_back("3120").trade == ("22/1A",) and not fall_back("3120").paths
    assert fall_back("3020").trade == () and len(fall_back("3020").paths) == 2


def test_25_7_units_stand_in_cities_and_not_in_the_open_by_that_order() -> None:
    assert fall_back("3120", "stand: cities", "retreat: home").trade
    assert not fall_back("3020", "stand: cities", "retreat: home").trade


@pytest.mark.parametrize("goal", ["3021", "3121"])
def test_25_7_units_retreat_towards_the_hex_that_is_named(goal: str) -> None:
    assert set(fall_back("3020", f"retreat: to {goal}").paths.values()) == {(goal,)}


# --- orders sent as data ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ({"chemical": [{"hex": "3020", "delivery": "mule"}]}, "22.2"),
        ({"air": [{"hex": "3020", "targets": ["nobody"]}]}, "23.1.5"),
        ({"interdict": [{"hex": "3020", "targets": ["22/1A"]}]}, "23.8"),
    ],
)
def test_20_strikes_that_no_line_could_order_are_refused(answer: dict[str, Any], rule: str) -> None:
    """A strike with an unknown kind of delivery would escape every limit of the scenario."""
    game = fighting()
    with pytest.raises(Refusal) as refused:
        game.rules.check(game.state, game.run.ask_of("wp"), answer)  # type: ignore[arg-type]
    assert {objection.rule for objection in refused.value.objections} == {rule}


@pytest.mark.parametrize(
    ("plan", "rule"),
    [
        ({"battles": [{"objective": "3020", "units": ["nobody"]}]}, "25.1.1"),
        ({"battles": [{"objective": "3020", "units": []}]}, "25.1.1"),
        ({"battles": [{"objective": "3020", "units": ["16GT"], "support": "nobody"}]}, "25.4"),
        ({"battles": [{"objective": "3020", "units": ["16GT"], "when": "3021 perhaps"}]}, "25.1.1"),
        ({"guns": [{"unit": "34N", "hex": "3020", "targets": ["nobody"]}]}, "23.1.5"),
    ],
)
def test_25_1_1_plans_that_no_line_could_order_are_refused(plan: dict[str, Any], rule: str) -> None:
    game = fighting()
    with pytest.raises(Refusal) as refused:
        game.rules.check_plan(game.state, game.run.ask_of("wp"), plan)  # type: ignore[arg-type]
    assert {objection.rule for objection in refused.value.objections} == {rule}


@pytest.mark.parametrize("move", [{"mode": "swim", "path": ["3009"]}, {"mode": "march"}, {"mode": "minimum"}])
def test_12_0_a_move_that_no_line_could_order_is_refused(move: dict[str, Any]) -> None:
    game = moving()
    with pytest.raises(Refusal) as refused:
        game.rules.check(game.state, game.run.ask_of("wp"), {"moves": [{"unit": "21", **move}]})  # type: ignore[arg-type]
    assert "12.0" in {objection.rule for objection in refused.value.objections}


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ({"give": [{"seat": "south", "kind": "tactical", "number": -2}]}, "35.8.4"),
        ({"lend": [{"unit": "16GT", "seat": "south", "until": 10**30}]}, "35.8.4"),
    ],
)
def test_35_8_4_no_seat_takes_points_by_a_negative_gift_or_lends_beyond_the_last_turn(
    command: dict[str, Any], rule: str
) -> None:
    game = a_game({"3110": "16GT"}, COMMANDS, step="fighting", **POINTS)
    with pytest.raises(Refusal) as refused:
        game.rules.check(game.state, game.run.ask_of("north"), {"command": command})  # type: ignore[arg-type]
    assert {objection.rule for objection in refused.value.objections} == {rule}


# --- numbers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 25, "1000", "３", "²"])
@pytest.mark.parametrize(
    ("line", "seat"),
    [
        ("ceasefire {} nato", "nato"),
        ("deep {}", "nato"),
        ("respond: best if odds {}:1", "nato"),
        ("trade: {} in cities", "nato"),
        ("air: keep {}", "nato"),
        ("give centag {} tactical", "northag"),
        ("lend 22/1A to centag until {}", "northag"),
    ],
)
def test_7_2_numbers_that_no_table_knows_are_refused(line: str, number: str, seat: str) -> None:
    """Numbers of thousands of digits, and digits of other scripts, are not read as numbers."""
    game = fighting(NATO) if seat == "nato" else a_game(UNITS, COMMANDS, side=NATO, step="fighting", **POINTS)
    assert game.refused(seat, line.format(number))
