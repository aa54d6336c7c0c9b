"""35.1.2 A ceasefire by written orders: proposals, terms, acceptance and the end of the match."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_data
from titles.nato.turns.at_the_table import Game, a_game

from pbem.engine.rules.refusals import Illegal
from pbem.titles.nato.cards.scenario_files import packaged_scenario
from pbem.titles.nato.cards.units import Side

UNITS = {"3116": "NEGF", "3217": "16GT", "3218": "22/1A", "3220": "BR-I"}
FALLEN = dict.fromkeys(("3120", "3122", "3223"), Side.WP)
"""Three small cities, a point each; without West Berlin on a NATO list, NATO has two points for it (34.3.2)."""


def a_war(**fields: object) -> Game:
    data = a_data(victory=packaged_scenario("leine").victory)
    return a_game(UNITS, data=data, conquered=FALLEN, **fields)


def form_of(game: Game, seat: str) -> str:
    ask = game.run.ask_of(seat)
    assert ask is not None
    return game.rules.form(game.state, ask)


@pytest.mark.rule("35.1.2")
def test_35_1_2_both_sides_propose_by_points_and_the_match_is_counted_as_of_that_moment() -> None:
    game = a_war()
    game.say(wp="none")
    game.say(wp="ceasefire", nato="ceasefire")
    outcome = game.state.outcome
    assert outcome is not None and outcome.rule == "34.0" and outcome.score == {"wp": 3, "nato": 2}
    assert (outcome.winner, outcome.level) == ("nato", "marginal")
    assert_rule(game.findings, "35.1.2", inputs={"side": "nato", "terms": "points"}, result="agreed")


@pytest.mark.rule("35.1.2")
def test_35_1_2_extra_points_can_be_agreed() -> None:
    game = a_war()
    game.say(wp="none")
    game.say(wp="ceasefire 2 wp\nattack 3218 with 16GT", nato="ceasefire 2 wp")
    outcome = game.state.outcome
    assert outcome is not None and outcome.score == {"wp": 5, "nato": 2}
    assert (outcome.winner, outcome.level) == ("wp", "marginal")
    assert not game.state.fought
    assert_rule(game.findings, "35.1.2", inputs={"side": "wp", "terms": "2 wp"}, result="proposed")


@pytest.mark.rule("35.1.2")
def test_35_1_2_a_level_is_accepted_in_the_next_player_turn_and_nothing_moves_any_more() -> None:
    game = a_war()
    game.say(wp="ceasefire nato tactical")
    assert game.state.outcome is None
    game.say(wp="none", nato="none")
    assert "The enemy proposes a ceasefire" in form_of(game, "nato")
    told = [str(line) for line in game.rules.story(game.state, game.state)]
    assert told[0].startswith("The Warsaw Pact proposes a ceasefire: a tactical victory for NATO.")
    assert told[0].endswith("The line “ceasefire nato tactical” accepts it.")
    game.say(nato="ceasefire nato tactical\n22/1A 3219")
    outcome = game.state.outcome
    assert outcome is not None and (outcome.rule, outcome.winner, outcome.level) == ("35.1.2", "nato", "tactical")
    assert game.at("22/1A") == "3218"
    assert_rule(game.findings, "35.1.2", inputs={"side": "nato"}, result="agreed")
    assert_rule(game.findings, "7.2", inputs={"unit": "22/1A"}, result="passed over")


@pytest.mark.rule("35.1.2")
def test_35_1_2_without_agreement_the_war_goes_on() -> None:
    """Other terms are a counter-proposal; a proposal that is withdrawn, or older than the last
    player turn, lapses.
    """
    game = a_war()
    game.say(wp="ceasefire draw")
    game.say(wp="none", nato="ceasefire nato marginal")
    game.say(nato="ceasefire never")
    assert_rule(game.findings, "35.1.2", inputs={"side": "nato"}, result="withdrawn")
    assert game.state.outcome is None
    game.say(nato="none", wp="none")
    game.say(wp="ceasefire nato marginal")
    game.say(wp="none", nato="none")
    assert game.state.outcome is None
    game.say(nato="none")
    game.say(nato="none", wp="none")
    game.say(wp="none")
    assert "ceasefire" not in form_of(game, "nato")
    game.say(wp="none", nato="ceasefire nato marginal")
    assert game.state.outcome is None


@pytest.mark.rule("35.1.2")
@pytest.mark.parametrize("terms", ["nato great", "wp", "-1 wp", "3 france", "3"])
def test_35_1_2_terms_are_points_for_a_side_or_a_level_of_the_scenario(terms: str) -> None:
    game = a_war()
    with pytest.raises(Illegal) as refused:
        game.say(wp=f"ceasefire {terms}")
    assert_rule(refused.value.objections, "35.1.2")
