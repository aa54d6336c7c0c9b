"""Several seats on a side, with written orders, including lines that are incomplete or contradict themselves."""

from __future__ import annotations

import dataclasses

import pytest
from titles.nato.builders import a_data, a_state
from titles.nato.together.test_lawyer_fourth import ALL, LIFTS
from titles.nato.turns.at_the_table import Game, a_game

from pbem.engine.rules.refusals import Refusal
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.orders import NextBattle
from pbem.titles.nato.data_set import NatoData, Options
from pbem.titles.nato.title import NatoRules

WP, NATO = Side.WP, Side.NATO


def by_commands(data: NatoData = ALL) -> NatoData:
    return dataclasses.replace(data, options=Options(table="commands"))


COMMANDS, BEFORE = by_commands(), by_commands(a_data(*sorted(ALL.scenario.rules), turn_zero=True))


# --- lines that cannot be meant --------------------------------------------------------------------------------


def test_35_8_4_nothing_is_given_to_a_seat_that_does_not_exist() -> None:
    game = a_game({"3110": "16GT"}, COMMANDS)
    assert game.refused("north", "give nobody 1 tactical") == {"35.8", "35.8.4"}
    assert game.refused("north", "give centag 0 tactical") == {"35.8"}
    assert game.refused("north", "give theatre 0 tactical") == {"35.8.4"}


def test_35_8_4_a_gift_of_nothing_before_the_first_shares_changes_nothing() -> None:
    game = a_game({"3010": "16GT"}, BEFORE, step="turn_zero", turn=0)
    game.say(north="give south 0 tactical\n16GT 3009", south="none", theatre="none")
    assert game.at("16GT") == "3009"


def test_35_8_4_the_end_of_a_loan_is_a_turn() -> None:
    game = a_game({"3110": "16GT"}, COMMANDS)
    assert game.refused("north", "lend 16GT to south until Friday") == {"35.8.4"}
    assert game.refused("north", "lend 16GT to south until 3") == set()


def test_23_7_deep_interdiction_needs_a_number() -> None:
    game = a_game({"3110": "16GT"}, ALL, side=NATO, step="fighting", operational={NATO: 2})
    assert [game.refused("nato", line) for line in ("deep much", "deep 3", "deep 2")] == [{"23.7"}, {"23.7"}, set()]


def test_10_7_nothing_is_flown_in_during_the_reserve_phase() -> None:
    game = a_game({"3010": "16GT", "3008": "NEGF"}, ALL)
    assert game.refused("wp", "resupply 3010") == set()
    game.say(wp="16GT reserve").say(wp="none", nato="none")
    assert game.refused("wp", "resupply 3010") == {"10.7"}


# --- seats that are absent -------------------------------------------------------------------------------------


def absent() -> Game:
    """16GT belongs to the north seat and C1T to the south seat; the north seat sends no orders."""
    return a_game({"3010": "16GT", "3013": "21", "4606": "C1T"}, COMMANDS, **LIFTS)


def test_35_8_the_theatre_moves_for_a_seat_that_sends_nothing_and_not_for_one_that_holds() -> None:
    silent, holds = absent(), absent()
    silent.say(south="C1T 4605", theatre="16GT 3009")
    holds.say(north="none", south="C1T 4605", theatre="16GT 3009")

    assert silent.places("16GT C1T") == "3009 4605"
    assert holds.places("16GT C1T") == "3010 4605" and holds.why_not("16GT")


def test_35_8_a_seat_that_is_no_deputy_orders_nobody_else() -> None:
    assert absent().refused("south", "16GT 3009") == {"7.2"}


def crowding(*priority: str) -> str:
    """A train of the north and a march of the south claim the last two steps of room in 3302, in
    different segments.
    """
    units = {"3006": "94G", "3302": "16GT", "3301": "E7T"}
    game = a_game(units, COMMANDS, marks={"94G": {"train": "entrained"}}, precedence=list(priority))
    game.say(north="94G 3302 rail", south="E7T 3302", theatre="none")
    return game.places("94G E7T")


def test_35_8_the_precedence_of_seats_decides_who_gets_the_last_place_in_any_segment() -> None:
    assert crowding("north", "south") == "3302 3301"
    assert crowding("south", "north") == "3006 3302"


def test_7_2_a_clause_that_names_nothing_or_says_the_opposite_is_refused() -> None:
    game = a_game({"3019": "16GT", "3020": "22/1A"}, ALL, step="fighting")
    for line in ("respond: 99/9 into 3020", "defend with: Martians", "air: 1 if odds 4:1 or worse"):
        assert game.refused("nato", line) == {"7.2"}, line
    for line in ("respond: 7/1A into 3020", "defend with: WG US-V", "defend with: WG UK before NL BE"):
        assert game.refused("nato", line) == set(), line
    for line in ("pay: NOBODY", "box: sector9", "reforger: XYZ"):
        with pytest.raises(Refusal):
            game.rules.check_doctrine([line])


def test_7_2_what_is_decided_between_two_turns_belongs_in_the_standing_orders() -> None:
    """Battle orders end with the player turn, so `pay` or `reforger` would never be used in them."""
    game = a_game({"3019": "16GT", "3020": "22/1A"}, ALL, step="fighting")
    for line in ("pay: NEGF only", "box: sector1", "reforger: 3ACR", "return: 3117"):
        assert game.refused("nato", line) == {"7.2"}, line
        assert game.rules.check_doctrine([line]) == [line.lower()]


def test_24_1_guns_that_cannot_fire_are_refused_with_the_order() -> None:
    units = {"3019": "16GT 34N", "3020": "22/1A 7/1A", "3121": "12/1A"}
    game = a_game(units, ALL, step="fighting")
    assert game.refused("wp", "fire 34N at 3020") == set()
    assert game.refused("wp", "fire 34N at 3121") == {"24.1"}
    assert game.refused("wp", "fire 34N at 3018") == {"24.1"}
    assert game.refused("wp", "fire 16GT at 3020") == {"24.1"}
    assert game.refused("wp", "fire 34N at 3020 at 7/1A\nfire 34N at 3020 at 22/1A") == {"24.1.1"}


@pytest.mark.rule("12.0", effect=True)
def test_12_0_words_that_contradict_each_other_are_refused() -> None:
    game = a_game({"3010": "16GT", "3110": "21", "3008": "NEGF"}, ALL)
    assert game.refused("wp", "16GT 3009 hold") == {"12.0"}
    assert game.refused("wp", "16GT 3009 march tactical") == {"12.0"}
    assert game.refused("wp", "resupply 3010\nresupply 3110") == {"10.7"}
    deep = a_game({"3010": "16GT"}, ALL, side=NATO, step="fighting", operational={NATO: 3})
    assert deep.refused("nato", "deep 1\ndeep 2") == {"23.7"}


def test_35_8_a_seat_is_offered_only_battles_that_it_may_order() -> None:
    """The brigades belong to northag, which has sent orders, so the theatre command is not offered their battle."""
    state = a_state({"3019": "21*", "3020": "22/1A 7/1A"}, side=NATO, silent=[])
    rules = NatoRules(COMMANDS)
    for seat in COMMANDS.seats_of(NATO):
        decision = rules.decide(state, NextBattle.make_ask(seat, subject="1"))
        offered = [option for option in decision.options() if option is not None]
        assert bool(offered) is (seat == "northag")
        assert not any(any(decision.objections(option)) for option in offered)


def test_25_1_1_1_only_the_theatre_command_answers_for_marked_battles() -> None:
    """A seat may leave a marked hex to the others; the theatre command makes sure that the hex is attacked."""
    state = a_state({"3019": "16GT", "3020": "22/1A"}, battles=["3020"], silent=[])
    rules = NatoRules(COMMANDS)
    against = {
        seat: [found.rule for found in rules.decide(state, NextBattle.make_ask(seat, subject="1")).objections(None)]
        for seat in COMMANDS.seats_of(WP)
    }
    assert against == {"north": [], "south": [], "theatre": ["25.1.1.1"]}
