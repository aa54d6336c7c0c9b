"""More questions, with written orders: several seats on a side, loans, deputies, battles on a boundary."""

from __future__ import annotations

from typing import Any

import pytest
from titles.nato.turns.at_the_table import Game, a_game
from titles.nato.turns.test_fire_and_fortune import wait_until
from titles.nato.turns.test_of_commands import COMMANDS

from pbem.titles.nato.cards.units import Side

WP, NATO = Side.WP, Side.NATO
QUIET = "respond: never\nair: never\ntrade: never"


def on_the_boundary(**more: Any) -> Game:
    """A northern brigade is attacked, with a southern one of the same nation behind it."""
    units = {"3019": "16GT", "3018": "NEGF", "3020": "1/1PZ", "3121": "4/2PG", "4606": "C1T"}
    return a_game(units, COMMANDS, step="fighting", **more)


def test_35_8_the_defender_of_a_hex_calls_the_brigade_of_another_command() -> None:
    """Choices inside a battle belong to the seat with most of the defending steps, whatever the other seat says."""
    game = on_the_boundary(dice={"25.5.2": [1]})
    game.say(north="attack 3020 with 16GT", northag="respond: 4/2PG into 3020\nair: never", centag=QUIET).over()
    assert game.told("25.1.2") == ["3020"]
    kept = on_the_boundary(dice={"25.5.2": [1]})
    kept.say(north="attack 3020 with 16GT", northag=QUIET, centag="respond: 4/2PG into 3020").over()
    assert kept.told("25.1.2") == []


def test_35_8_an_absent_seat_neither_attacks_nor_lends() -> None:
    """The north sends nothing, and the theatre seat sends nothing for it, so its marked neighbours
    are not attacked.
    """
    game = on_the_boundary()
    assert game.refused("south", "attack 3020 with 16GT") == {"25.0"}
    game.say(south="none", northag=QUIET)
    assert game.told("25.1.1") == [] and game.at("16GT") == "3019"


def test_35_8_an_attack_with_the_brigade_of_another_seat_is_refused_for_that_reason() -> None:
    units = {"3019": "16GT", "3018": "NEGF", "3020": "1/1PZ", "4220": "11ACR"}
    game = a_game(units, COMMANDS, side=NATO, step="fighting")
    assert game.refused("centag", "attack 3019 with 1/1PZ") == {"35.8"}
    assert game.refused("northag", "attack 3019 with 1/1PZ") == set()


def test_35_8_the_theatre_fights_for_an_absent_seat() -> None:
    game = on_the_boundary(dice={"25.5.2": [1]})
    game.say(theatre="attack 3020 with 16GT", south="none", northag=QUIET).over()
    assert game.told("25.1.1") == [["16GT"]]


def test_35_8_4_a_loan_lets_another_seat_move_and_fight_until_it_ends() -> None:
    """7/1A is lent to centag until turn 4: it obeys centag from the next exchange on, and is back on turn 5."""
    units = {"3320": "7/1A", "4220": "11ACR", "3205": "NEGF"}
    game = a_game(units, COMMANDS, side=NATO, turn=3)
    game.say(northag="lend 7/1A to centag until 4", centag="none", baltap="none", afcent="none")
    wait_until(game, lambda game: game.state.turn == 4 and game.state.side is NATO)
    assert game.refused("northag", "7/1A 3321") == {"7.2"}
    assert game.refused("centag", "7/1A 3321") == set()
    wait_until(game, lambda game: game.state.turn == 5 and game.state.side is NATO)
    assert game.refused("northag", "7/1A 3321") == set()
    assert game.refused("centag", "7/1A 3321") == {"7.2"}


@pytest.mark.parametrize(("first", "second"), [("north", "theatre"), ("theatre", "north")])
def test_35_8_a_seat_that_speaks_is_not_overruled_by_its_chief(first: str, second: str) -> None:
    """The north has ordered 16GT itself, and the order in which the emails arrive does not matter."""
    game = a_game({"3010": "16GT", "3008": "NEGF"}, COMMANDS)
    said = {"north": "16GT 3011", "theatre": "16GT 3009"}
    game.say(**{first: said[first], second: said[second]}, south="none")
    assert game.at("16GT") == "3011"


@pytest.mark.rule("35.8.1", effect=True)
def test_35_8_a_deputy_orders_for_an_absent_seat_and_for_nobody_else() -> None:
    game = a_game({"3010": "16GT", "3008": "NEGF", "4606": "C1T"}, COMMANDS)
    game.say(theatre="deputy south for north", north="none", south="none")
    wait_until(game, lambda game: game.state.turn == 3 and game.run.ask_of("south") is not None)
    assert game.refused("south", "16GT 3009") == set()
    game.say(south="16GT 3009\nC1T 4605", theatre="none")
    assert game.places("16GT C1T") == "3009 4605"
