"""Bots play legally from views, give the same orders with the same seed, and the steady one plays to win."""

from __future__ import annotations

import pytest
from titles.panzer.builders import a_board, a_data_set, a_state, a_vehicle
from titles.panzer.playing import begin, play, turns

from pbem.engine.play.bots import Choice
from pbem.engine.rules.state import copy
from pbem.titles.panzer.bots.allotting import orders_of
from pbem.titles.panzer.bots.bot import reckless_bot, steady_bot
from pbem.titles.panzer.bots.judgement import Judgement
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.end_of_turn.victory import score
from pbem.titles.panzer.setup.scenario_file import Exit, Objective
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState
from pbem.titles.panzer.state import Objective as Held


def points(steady: str, seed: str, edition: str = "2024") -> int:
    """The steady bot's lead in points over the reckless one in a duel."""
    match = begin("duel", edition, seed)
    bots = {seat: (steady_bot if seat == steady else reckless_bot)(seed) for seat in match.rules.seats}
    for _ in turns(match, bots):
        pass
    totals = {side: score(Situation(match.rules.data, match.run.state), side).total for side in match.rules.seats}
    return totals.pop(steady) - sum(totals.values())


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_steady_bot_beats_the_reckless_one_from_either_side(edition: str) -> None:
    assert sum(points(side, seed, edition) for side in ("german", "british") for seed in ("a", "b", "c")) > 15


def test_the_same_seed_gives_the_same_orders_and_another_may_not() -> None:
    match = begin("crossroads", "2016")
    match.order(german="")
    match.order(soviet="")
    view, ask = match.run.view("german"), match.run.asks[0]
    first, second = (steady_bot("x")(match.rules, view, ask) for _ in range(2))
    assert first == second
    assert any(steady_bot(seed)(match.rules, view, ask) != first for seed in range(5))


def test_a_bot_does_not_know_what_the_enemy_hides() -> None:
    """The bot gives the same orders whatever the enemy's face-down counters are, because they are not in its view."""
    match = begin("duel")
    ask = match.run.asks[0]
    state = copy(match.run.state)
    for vehicle in state.of("british"):
        vehicle.command = Command.OVERWATCH
    seen = match.rules.view(state, "german")
    for vehicle in state.of("british"):
        vehicle.command = Command.FIRE
    assert steady_bot(1)(match.rules, seen, ask) == steady_bot(1)(match.rules, match.rules.view(state, "german"), ask)


def test_a_match_between_bots_is_the_same_every_time() -> None:
    one, two = (play("duel", "2016", "again", steady_bot) for _ in range(2))
    assert one.run.state == two.run.state


# --- taste ---------------------------------------------------------------------------------------------------


def a_quarrel(*more: object, **scenario: object) -> tuple[PanzerData, PanzerState]:
    worth = {"german": 5, "soviet": 5}
    objective = Objective("well", "The well", (a_board().hexes[150],), worth, "complete_turn", "")
    data = a_data_set(objectives=(objective,), turns=8, **scenario)
    state = a_state(
        a_vehicle("g1", "C3", "pz4h", facing=3),
        *more,  # type: ignore[arg-type]
        sides=("german", "soviet"),
        objectives={"well": Held()},
    )
    return data, state


def told(data: PanzerData, state: PanzerState, seed: int = 1) -> dict[str, str]:
    commands: dict[str, str] = orders_of(Judgement(Situation(data, state), "german", Choice(seed))).answer
    return commands


def test_it_fires_where_it_pays() -> None:
    data, state = a_quarrel(a_vehicle("s1", "E5", "t34_76", facing=3))
    assert told(data, state) == {"g1": "fire"}


def test_it_makes_for_the_objective_when_nobody_is_near() -> None:
    data, state = a_quarrel()
    submission = orders_of(Judgement(Situation(data, state), "german", Choice(1)))
    assert submission.answer == {"g1": "move"}
    assert submission.plan["move"]["g1"]["acts"][0].startswith("to:")


def test_it_stays_on_the_objective_that_it_holds() -> None:
    data, state = a_quarrel()
    state.vehicles["g1"].hex = data.scenario.objectives[0].hexes[0]
    assert told(data, state).get("g1", "no-command") in ("overwatch", "no-command"), "it stays"


def test_lorries_leave_by_the_edge_that_pays() -> None:
    data, state = a_quarrel(a_vehicle("g2", "A2", "opel", facing=6), exits=(Exit("german", "west", 3),))
    assert orders_of(Judgement(Situation(data, state), "german", Choice(1))).plan["move"]["g2"] == {
        "acts": ["leave:west"]
    }
