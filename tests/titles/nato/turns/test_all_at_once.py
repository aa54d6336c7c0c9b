"""An eighth set of questions, with written orders: supply, nuclear weapons, lifts, breakthroughs, surrender."""

from __future__ import annotations

from titles.nato.together.test_lawyer_fourth import ALL
from titles.nato.turns.at_the_table import a_game

from pbem.titles.nato.cards.units import Side

WP, NATO = Side.WP, Side.NATO
OVER = "the match is over"

# --- 21.2 the end of the world --------------------------------------------------------------------------------


def test_21_2_orders_that_armageddon_has_overtaken_are_reported() -> None:
    """The first of two strikes ends the war.

    The second strike and the orders for gas, aircraft, artillery and battles are never carried out.
    """
    units = {"3119": "16GT 34N", "3118": "NEGF", "3120": "22/1A", "3218": "12/1A"}
    later = ("nuke 3218", "air 3218", "fire 34N at 3120", "attack 3120 with 16GT")
    game = a_game(units, ALL, step="fighting", dice={"21.1.1": [6], "21.2": [1]}, tactical={WP: 1})
    game.say(wp="\n".join(("nuke 3120", *later)), nato="none").over()
    assert game.state.outcome is not None and game.state.outcome.winner == NATO
    assert game.failed() == dict.fromkeys(later, OVER)


def test_21_2_armageddon_in_a_battle_leaves_it_and_the_next_one_unfought() -> None:
    """NATO strikes the attackers of Minden, and its Armageddon die ends the war."""
    units = {"3119": "16GT", "3118": "NEGF", "3120": "22/1A", "3018": "21", "3019": "12/1A"}
    battles = ("attack 3120 with 16GT", "attack 3019 with 21")
    dice = {"21.1.1": [6, 6], "21.2": [1]}
    game = a_game(units, ALL, step="fighting", dice=dice, asks=["nuclear defense"])
    game.say(wp="\n".join(battles), nato="none").say(nato="3119").over()
    assert game.state.outcome is not None and game.state.outcome.winner == WP
    assert game.failed() == dict.fromkeys(battles, OVER)
