"""Situations that nobody planned for; each answer was first worked out from the rulebook.

A country surrenders in the middle of a stack, crews meet their equipment under fire, and a unit on loan goes into
battle.
"""

from __future__ import annotations

from typing import Any

import pytest
from titles.nato.builders import a_board, a_data, a_table, board_on, on, unit
from titles.nato.together.test_lawyer_fourth import ALL, LIFTS, surrender
from titles.nato.turns.at_the_table import Game, a_game
from titles.nato.turns.test_fire_and_fortune import wait_until
from titles.nato.turns.test_of_commands import COMMANDS, by_commands

from pbem.engine.rules.happenings import Area, Shot
from pbem.titles.nato.air.helicopters import flak_in
from pbem.titles.nato.air.sites import site_modifiers, strike_site
from pbem.titles.nato.cards.scenario import Arrival
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.command import commander
from pbem.titles.nato.combat.prospects import battle_of
from pbem.titles.nato.commands.dispositions import end_loans
from pbem.titles.nato.commands.powers import commander_of
from pbem.titles.nato.reinforcements.arrivals import hq_places
from pbem.titles.nato.reinforcements.reforger import call_up, default_sites, overrun_sites
from pbem.titles.nato.state import Loan
from pbem.titles.nato.supply.units import movement_source
from pbem.titles.nato.surrender import apply_surrender, judge_recovery, judge_surrender
from pbem.titles.nato.zones.airspace import airspace

WP, NATO = Side.WP, Side.NATO
FALLEN = {"1310": WP, "1015": WP, "1415": WP}
"""Copenhagen, Århus and Odense in the hands of the Warsaw Pact: four points."""
TO_CENTAG = Loan(seat="centag")
QUIET = "respond: never\nair: never\ntrade: never"
REFORGER = on(a_data(*sorted({*ALL.scenario.rules, "reforger"})), reforger_steps={3: 2, 4: 2, 8: 1})


# --- 32 a country surrenders ------------------------------------------------------------------------------------


@pytest.mark.rule("32.2.1", effect=True)
def test_32_2_1_a_mixed_stack_loses_only_the_units_of_the_nation() -> None:
    board = surrender(FALLEN, {"1016": "1/Jut 16/6! JBG", "1117": "2/Jut*"})
    assert [one.id for one in board.at("1016")] == ["16/6"] and not board.at("1117")
    assert unit(board, "16/6").piece.disrupted and board.state.lost.keys() == {"1/Jut", "JBG", "2/Jut"}


@pytest.mark.parametrize(
    ("units", "holder"),
    [
        ("1/Jut", WP),
        ("1/Jut 16/6", NATO),
        ("LZ", WP),
        ("LZ LJ", NATO),
        ("LJ", NATO),
        ("", WP),
    ],
)
def test_32_2_1_a_city_goes_to_nato_only_if_another_nation_stands_in_it(units: str, holder: Side) -> None:
    """3.2.5: LANDJUT counts as West German, LANDZEALAND as Danish."""
    board = surrender(FALLEN, {"0616": units})
    assert board.state.conquered["0616"] is holder and not board.free_city("0616", NATO)


@pytest.mark.parametrize(("units", "holder"), [("2/Jut", WP), ("2/Jut 16/6", NATO)])
def test_32_2_1_a_port_without_a_city_goes_the_same_way(units: str, holder: Side) -> None:
    assert surrender(FALLEN, {"0520": units}).friendly_port("0520", holder)


def test_32_2_1_the_zones_of_control_of_the_units_removed_are_gone_at_once() -> None:
    """When the Netherlands surrender, the zone of control of a Dutch brigade in Germany is gone at once."""
    before = a_board({"3020": "NL-41/4"}, ALL)
    after = surrender({"3232": WP, "3133": WP}, {"3020": "NL-41/4"})
    assert before.ezoc("3019", WP) and not after.ezoc("3019", WP)
    assert after.state.surrendered == ["NL"]


def test_32_2_1_units_still_to_come_never_come() -> None:
    data = a_data(*sorted(ALL.scenario.rules), arrivals=(Arrival(turn=5, unit="NL-51/5", code="G1"),))
    game = a_game(
        {"3018": "16GT", "sector1": "NL-52/5", "srb": "NL-53/5"}, data, side=NATO, step="turn_end", turn=4,
        conquered={"3232": WP, "3133": WP}, awaited=["NL-51/5"], returning={"NE-I": 5},
    )  # fmt: skip
    assert game.places("NL-51/5 NL-52/5 NL-53/5 NE-I") == "lost lost lost lost"
    assert game.state.awaited == [] and game.state.returning == {}


def test_32_1_the_units_still_stand_until_the_next_joint_phase() -> None:
    table = a_table({"0616": "1/Jut"}, (), ALL, conquered=dict(FALLEN))
    judge_surrender(table, board_on(table))
    assert table.state.surrendering == ["DK"] and "1/Jut" in table.state.pieces
    assert board_on(table).free_city("0616", NATO)
    apply_surrender(table, board_on(table))
    assert "1/Jut" not in table.state.pieces


def test_32_2_2_an_army_left_in_the_country_needs_a_headquarters() -> None:
    """After the surrender Esbjerg no longer supplies the American brigade; only a headquarters in range
    supplies it."""
    free = a_board({"1419": "16/6"}, ALL, side=NATO)
    assert bool(movement_source(free, unit(free, "16/6")))
    board = surrender(FALLEN, {"1419": "16/6", "1420": "2/Jut"}, side=NATO)
    assert not movement_source(board, unit(board, "16/6"))


def test_32_2_1_a_city_that_nato_keeps_fires_no_flak_and_has_no_zone() -> None:
    board = surrender(FALLEN, {"1420": "16/6"})
    empty = surrender({**FALLEN, "1420": NATO}, {})
    assert not empty.ezoc("1420", WP) and flak_in(empty, "1420", WP) == 0
    assert board.ezoc("1420", WP) and flak_in(board, "1420", WP) == 1


def test_32_2_1_an_empty_city_that_nato_keeps_is_no_objective() -> None:
    """The empty city has no intrinsic strength, so the enemy walks in, and an attack on it is refused."""
    units = {"1419": "16GT", "1519": "BAF"}
    game = a_game(units, ALL, surrendered=["DK"], conquered={**FALLEN, "1420": NATO, "0616": NATO})
    assert game.refused("wp", "16GT 1420") == set()
    game.say(wp="16GT 1420")
    assert game.state.conquered["1420"] is WP
    fight = a_game(units, ALL, step="fighting", surrendered=["DK"], conquered={**FALLEN, "1420": NATO})
    assert fight.refused("wp", "attack 1420 with 16GT") == {"25.0"}


def test_32_2_1_brigades_in_a_city_that_nato_keeps_defend_without_the_city() -> None:
    """Esbjerg adds its intrinsic strength while Denmark fights on, and nothing afterwards."""
    told = []
    for more in ({}, {"surrendered": ["DK"], "conquered": {"1420": NATO}}):
        game = a_game({"1419": "16GT", "1420": "16/6"}, ALL, step="fighting", dice={"25.5.2": [1]}, **more)
        game.say(wp="attack 1420 with 16GT", nato=QUIET)
        told += [found.inputs["defense"] for found in game.findings if found.rule == "25.5.2"]
    assert told[0] > told[1]


def test_29_8_no_headquarters_returns_in_a_country_that_has_surrendered() -> None:
    """With Germany north of the Elbe lost as well, LANDJUT has nowhere to go."""
    north = {hex: WP for hex in ALL.atlas.baltap if hex in ALL.atlas.cities and hex not in ("0616", "1420")}
    alive = a_board({}, ALL, conquered=north)
    fallen = a_board({}, ALL, conquered={**north, "0616": NATO, "1420": NATO}, surrendered=["DK"])
    card = ALL.units["LJ"]
    assert hq_places(alive, card) and not hq_places(fallen, card)


def test_32_3_a_country_restored_may_surrender_again_and_nothing_returns() -> None:
    danish = ("0616", "1015", "1310", "1415", "1420")
    table = a_table({"1310": "16/6"}, (), ALL, surrendered=["DK"], surrendered_ever=["DK"], lost={"1/Jut": 3},
                    conquered=dict.fromkeys(danish, NATO))  # fmt: skip
    judge_recovery(table, board_on(table))
    assert table.state.surrendered == [] and board_on(table).free_city("0616", NATO)
    assert "1/Jut" not in table.state.pieces and table.state.surrendered_ever == ["DK"]
    table.state.conquered = dict(FALLEN)
    judge_surrender(table, board_on(table))
    assert table.state.surrendering == ["DK"]


def test_32_3_the_ports_come_back_with_the_country_unless_the_enemy_is_in_them() -> None:
    """Hanstholm was handed over with the surrender; once its territory is friendly again, so is the port."""
    danish = ("0616", "1015", "1310", "1415", "1420")
    for there, holder in ({}, NATO), ({"0520": "16GT"}, WP):
        table = a_table(there, (), ALL, surrendered=["DK"], ports={"0520": WP}, conquered=dict.fromkeys(danish, NATO))
        judge_recovery(table, board_on(table))
        assert board_on(table).friendly_port("0520", holder)


def test_35_8_4_a_unit_on_loan_surrenders_with_its_nation() -> None:
    """The loan ends with the unit, and no seat is told that it has returned."""
    game = a_game(
        {"3020": "NL-41/4 1/1PZ", "3205": "NEGF"}, COMMANDS, side=NATO, step="turn_end", turn=4,
        conquered={"3232": WP, "3133": WP}, lent={"NL-41/4": TO_CENTAG},
    )  # fmt: skip
    wait_until(game, lambda game: game.state.turn == 6)
    assert game.at("NL-41/4") == "lost" and game.at("1/1PZ") == "3020" and game.state.lent == {}
    assert "returned" not in game.told("35.8.4")


# --- 33.3 Reforger ----------------------------------------------------------------------------------------------


def called(sites: dict[str, str], chosen: str, units: dict[str, str] | None = None, **state: Any) -> Any:
    table = a_table(units or {}, (), REFORGER, side=NATO, sites=sites, **{"turn": 3, **state})
    call_up(table, board_on(table), chosen.split())
    return board_on(table)


def test_33_3_1_a_unit_called_up_next_to_the_enemy_has_its_zone_at_once() -> None:
    board = called({"1/2A": "3527"}, "1/2A", {"3526": "16GT"})
    assert board.ezoc("3526", WP) and unit(board, "1/2A").piece.active and not unit(board, "1/2A").piece.ms_out


@pytest.mark.rule("9.1.1", effect=True)
def test_9_1_1_crews_may_overfill_a_hex_until_the_end_of_the_next_nato_movement() -> None:
    """Four brigades are on the site when the fifth is called up, so one must leave in NATO's Movement Phase."""
    units = {"3527": "1/1PZ 2/1PZ 3/1PZ 4/2PG", "3205": "NEGF"}
    for order, left in (("2/1PZ 3526", 5), ("none", 4)):
        game = a_game(units, REFORGER, side=NATO, step="joint_turn", turn=3, sites={"1/2A": "3527"})
        wait_until(game, lambda game: game.state.side is NATO and game.run.ask_of("nato") is not None)
        assert game.at("1/2A") == "3527"
        game.say(nato=order)
        assert sum(id in game.state.pieces for id in ["1/1PZ", "2/1PZ", "3/1PZ", "4/2PG", "1/2A"]) == left


def test_33_3_3_1_a_damaged_site_is_disrupted_until_natos_recovery() -> None:
    game = a_game({"3205": "NEGF"}, REFORGER, step="joint_turn", turn=3, sites={"1/2A": "3527"}, damaged=["1/2A"])
    assert game.piece("1/2A").disrupted and game.state.damaged == []
    wait_until(game, lambda game: game.state.side is NATO and game.state.phase == "fighting")
    assert not game.piece("1/2A").disrupted


@pytest.mark.parametrize(
    ("steps", "reduced", "wanted", "chosen"),
    [
        (2, False, "3acr", ("3ACR",)),
        (1, False, "3acr", ("1/2A",)),
        (1, True, "3acr", ("3ACR",)),
        (2, True, "3acr", ("3ACR", "1/2A")),
    ],
)
def test_33_3_5_the_cavalry_needs_two_crews_on_one_day(
    steps: int, reduced: bool, wanted: str, chosen: tuple[str, ...]
) -> None:
    sites = {"3ACR": "3626", "1/2A": "3626"}
    board = a_board({}, REFORGER, sites=sites, reduced_sites=["3ACR"] if reduced else [])
    assert default_sites(board, steps, (wanted,)) == chosen


def test_33_3_5_a_battered_cavalry_regiment_arrives_with_one_step_and_disrupted() -> None:
    board = called({"3ACR": "3626"}, "3ACR", reduced_sites=["3ACR"], damaged=["3ACR"])
    assert unit(board, "3ACR").steps == 1 and unit(board, "3ACR").piece.disrupted


def test_33_3_5_a_d1_leaves_the_damage_marker_where_it_is() -> None:
    table = a_table({}, [6], REFORGER, sites={"3ACR": "3626"}, damaged=["3ACR"])
    strike_site(table, board_on(table), "3ACR")
    results = [found.result for found in table.findings]
    assert results == ["reduced"] and table.state.reduced_sites == ["3ACR"] and table.state.damaged == ["3ACR"]


def test_33_3_3_1_terrain_does_not_protect_a_site() -> None:
    """3ACR waits in the small city of Krefeld, and only the airspace modifies the strike."""
    board = a_board({}, REFORGER, sites={"3ACR": "3626"})
    assert {text for text, _ in site_modifiers(board, "3626", WP)} <= {"enemy airspace", "friendly airspace"}


def test_33_3_2_a_site_is_removed_only_if_the_enemy_stands_on_it_in_the_joint_phase() -> None:
    for at, left in (("3527", False), ("3526", True)):
        table = a_table({at: "16GT"}, (), REFORGER, sites={"1/2A": "3527"})
        overrun_sites(table, board_on(table))
        assert ("1/2A" in table.state.sites) is left


def test_33_3_2_a_site_neither_defends_nor_has_a_zone_nor_contests_the_air() -> None:
    units = {"3019": "16GT", "3018": "NEGF"}
    plain, site = a_board(units, REFORGER), a_board(units, REFORGER, sites={"1/2A": "3020", "2/2A": "3021"})
    assert airspace(plain, "3020", WP) == airspace(site, "3020", WP)
    assert site.ezoc("3019", WP) is plain.ezoc("3019", WP)
    game = a_game(units, REFORGER, step="fighting", sites={"2/2A": "3020"}, **AIR)
    assert game.refused("wp", "attack 3020 with 16GT") == {"25.0"}


AIR: dict[str, Any] = {"tactical": {WP: 4, NATO: 4}, "operational": {WP: 3, NATO: 3}}
MANY = {"US-1/4": "3626", "US-2/4": "3626", "US-3/4": "3626", "1/2A": "3527"}


@pytest.mark.parametrize(
    ("lines", "rules"),
    [
        ("air 3626 operational at US-1/4\nair 3626 operational at US-2/4", set()),
        ("air 3626 operational at US-1/4\nair 3626 operational at US-1/4", {"33.3.3.1"}),
        (
            "air 3626 operational at US-1/4\nair 3626 operational at US-2/4\nair 3626 operational at US-3/4",
            {"33.3.3.1"},
        ),
        ("air 3626 operational at US-1/4, US-2/4", {"33.3.3.1"}),
        ("air 3626 operational at 1/2A", {"33.3.3.1"}),
        ("air 3626 operational", {"23.1.5"}),
    ],
)
def test_33_3_3_1_one_strike_has_one_site_and_a_hex_takes_two(lines: str, rules: set[str]) -> None:
    game = a_game({"3205": "NEGF"}, REFORGER, step="fighting", sites=MANY, **AIR)
    assert game.refused("wp", lines) == rules


def test_33_3_3_1_the_film_shows_each_strike_on_a_site_so_that_its_order_has_a_fate() -> None:
    dice = {"33.3.3.1": [3, 3]}
    game = a_game({"3427": "34S 11GT", "3205": "NEGF"}, REFORGER, step="fighting", sites=MANY, dice=dice, **AIR)
    game.say(wp="air 3626 operational at US-1/4\nfire 34S at 3527 at 1/2A", nato="none")
    game.over()
    shown = [one for found in game.findings if found.rule == "33.3.3.1" for one in found.shows]
    assert shown == [
        Area("Warsaw Pact air strike", ("3626",)),
        Shot("34S", origin="3427", goal="3527", rolled=(3,), result="damaged"),
    ]


def test_33_3_3_1_nato_does_not_bomb_its_own_equipment() -> None:
    game = a_game({"3205": "NEGF"}, REFORGER, side=NATO, step="fighting", sites=MANY, **AIR)
    assert "33.3.3.1" in game.refused("nato", "air 3626 operational at US-1/4")


def test_33_3_1_crews_that_find_no_site_are_not_kept_for_the_next_day() -> None:
    """Two crews arrive on turns 3 and 4, but only the reduced 3ACR is left, so one crew is lost, and no
    equipment remains."""
    game = a_game(
        {"3205": "NEGF"}, REFORGER, step="joint_turn", turn=3, sites={"3ACR": "3626"}, reduced_sites=["3ACR"]
    )
    assert game.at("3ACR") == "3626" and game.state.sites == {}
    wait_until(game, lambda game: game.state.turn == 4)
    assert game.told("33.3.4") == [2]


def test_33_3_3_2_a_unit_called_up_in_gas_is_not_struck_and_leaves_one_hex_at_a_time() -> None:
    gas = {"3527": {WP: True}}
    game = a_game({"3205": "NEGF"}, REFORGER, step="joint_turn", turn=3, sites={"1/2A": "3527"}, chemical=gas,
                  dice={"22.2.5": [6]})  # fmt: skip
    assert not game.piece("1/2A").disrupted
    wait_until(game, lambda game: game.state.side is NATO and game.run.ask_of("nato") is not None)
    assert game.refused("nato", "1/2A 3526") == set()
    assert game.refused("nato", "1/2A 3526 3525") != set()


def test_35_8_the_theatre_calls_up_and_the_corps_commander_moves() -> None:
    """3ACR belongs to US III Corps and so to northag; no seat can lend a unit that is still equipment in a depot."""
    data = by_commands(REFORGER)
    early = a_game({"3205": "NEGF"}, data, side=NATO, turn=2, sites={"3ACR": "3626"})
    assert early.refused("northag", "lend 3ACR to centag") == {"7.2"}
    game = a_game({"3205": "NEGF"}, data, step="joint_turn", turn=3, sites={"3ACR": "3626"})
    wait_until(game, lambda game: game.state.side is NATO and game.run.ask_of("northag") is not None)
    assert game.refused("northag", "3ACR 3625") == set()
    assert game.refused("centag", "3ACR 3625") == {"7.2"}
    game.say(northag="3ACR 3625", centag="none", baltap="none", afcent="none")
    assert game.at("3ACR") == "3625"


# --- 35.8.4 units on loan ---------------------------------------------------------------------------------------

LINE = {"3019": "16GT", "3018": "NEGF", "3020": "1/1PZ 7/1A", "4220": "11ACR"}
NOBODY = {"baltap": "none", "afcent": "none"}


def on_loan(units: dict[str, str] | None = None, **more: Any) -> Game:
    """Put 7/1A, a British brigade of northag, on loan to centag."""
    return a_game(units or LINE, COMMANDS, **{"lent": {"7/1A": TO_CENTAG}, **more})


def test_35_8_4_a_unit_lent_with_the_moves_fights_for_its_new_commander() -> None:
    game = a_game(LINE, COMMANDS, side=NATO, dice={"25.5.2": [1]})
    game.say(northag="lend 7/1A to centag", centag="none", **NOBODY)
    assert game.refused("northag", "attack 3019 with 7/1A") == {"35.8"}
    game.say(centag="attack 3019 with 7/1A", northag="none", north="none").over()
    assert game.told("25.1.1") == [["7/1A"]]


def test_35_8_4_a_recall_with_the_moves_holds_for_the_battles() -> None:
    game = on_loan(side=NATO, dice={"25.5.2": [1]})
    game.say(northag="recall 7/1A", centag="none", **NOBODY)
    assert game.refused("centag", "attack 3019 with 7/1A") == {"35.8"}
    game.say(northag="attack 3019 with 7/1A", centag="none", north="none").over()
    assert game.told("25.1.1") == [["7/1A"]]


def test_35_8_4_own_and_borrowed_units_attack_together_in_one_line() -> None:
    units = {"3019": "21", "3018": "NEGF", "3020": "1/1PZ", "3120": "7/1A"}
    game = on_loan(units, lent={"1/1PZ": TO_CENTAG, "7/1A": TO_CENTAG},
                   side=NATO, step="fighting", dice={"25.5.2": [1]})  # fmt: skip
    assert game.refused("centag", "attack 3019 with 1/1PZ, 7/1A") == set()
    game.say(centag="attack 3019 with 1/1PZ, 7/1A", northag="none", north="none").over()
    assert game.told("25.1.1") == [["1/1PZ", "7/1A"]]


@pytest.mark.parametrize(
    ("stack", "leader"),
    [
        ("7/1A", "centag"),
        ("1/1PZ 7/1A", "northag"),
        ("1/1PZ 2/1PZ 7/1A", "northag"),
        ("11ACR 7/1A", "centag"),
    ],
)
def test_35_8_a_borrowed_brigade_counts_for_its_borrower_when_a_hex_is_defended(stack: str, leader: str) -> None:
    """A tie goes to the command in whose zone the hex lies: 3020 is in the zone of northag."""
    board = on_loan({"3019": "16GT", "3020": stack}).board
    assert commander(board, battle_of(board, WP, "3020", ["16GT"]), NATO) == leader


@pytest.mark.parametrize(("share", "spent"), [({"centag": {"tactical": 2}}, 1), ({"northag": {"tactical": 2}}, 0)])
def test_35_8_1_the_air_defence_of_a_borrowed_brigade_comes_out_of_the_borrowers_share(
    share: dict[str, dict[str, int]], spent: int
) -> None:
    units = {"3019": "16GT", "3018": "NEGF", "3020": "7/1A"}
    game = on_loan(
        units, step="fighting", tactical={NATO: 2}, pools=share, dice={"25.5.2": [1], "23.2.2": [1] * spent}
    )
    game.say(north="attack 3020 with 16GT", centag="respond: never\nair: 1", northag="respond: never\nair: 1").over()
    assert game.state.tactical[NATO] == 2 - spent


def test_35_8_a_silent_borrower_is_answered_for_by_the_chief_and_not_by_the_lender() -> None:
    game = on_loan({"3320": "7/1A", "3205": "NEGF"}, side=NATO)
    assert game.refused("northag", "7/1A 3321") == {"7.2"}
    assert game.refused("afcent", "7/1A 3321") == set()
    game.say(afcent="7/1A 3321", northag="none", baltap="none")
    assert game.at("7/1A") == "3321"


def test_35_8_a_silent_lender_does_not_end_the_loan() -> None:
    game = on_loan({"3320": "7/1A", "3205": "NEGF"}, side=NATO)
    game.say(centag="7/1A 3321", baltap="none", afcent="none")
    assert game.at("7/1A") == "3321"


def test_35_8_4_a_loan_made_with_the_battle_orders_holds_for_the_reserves() -> None:
    game = a_game({"3320": "7/1A", "3205": "NEGF", "4220": "11ACR"}, COMMANDS, side=NATO)
    game.say(northag="7/1A reserve", centag="none", **NOBODY)
    game.say(northag="lend 7/1A to centag", centag="none", **NOBODY)
    assert game.refused("northag", "7/1A 3321") == {"7.2"}
    game.say(centag="7/1A 3321", northag="none", **NOBODY)
    assert game.at("7/1A") == "3321"


def test_35_8_4_guns_on_loan_fire_for_the_borrower() -> None:
    units = {"3019": "16GT 34N", "3018": "NEGF", "3020": "22/1A", "4606": "C1T"}
    lent = {"34N": Loan(seat="south")}
    game = a_game(units, COMMANDS, step="fighting", lent=lent, dice={"24.1": [1]})
    assert game.refused("north", "fire 34N at 3020") == {"35.8"}
    game.say(south="fire 34N at 3020", north="none", northag=QUIET).over()
    assert len(game.told("24.1")) == 1


def test_35_8_4_a_unit_lost_on_loan_is_not_reported_as_returned() -> None:
    for lost, told in ({}, ["returned"]), ({"7/1A": 4}, []):
        table = a_table({}, (), COMMANDS, turn=5, lent={"7/1A": Loan(seat="centag", until=4)}, lost=lost)
        end_loans(table)
        assert table.state.lent == {} and [found.result for found in table.findings] == told


def test_35_8_1_a_lift_of_a_borrowed_regiment_costs_the_borrower() -> None:
    pools = {"north": {"air": 0}, "south": {"air": 2}}
    for seat, rules in (("north", {"35.8.1"}), ("south", set())):
        game = a_game({"srb": "97"}, COMMANDS, pools=pools, lent={"97": Loan(seat=seat)}, **LIFTS)
        assert game.refused(seat, "97 3010 lift") == rules


def test_35_8_4_a_loan_with_a_term_covers_its_last_turn() -> None:
    board = on_loan(lent={"7/1A": Loan(seat="centag", until=3)}, turn=3).board
    assert commander_of(board, board.data.units["7/1A"]) == "centag"
