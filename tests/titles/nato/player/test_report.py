"""The turn report: the operational story, and the moves and battles of a player turn on the map."""

from __future__ import annotations

from titles.nato.builders import a_data, a_table, board_on, played, unit

from pbem.engine.rules.state import copy
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.movement.phase import make_moves
from pbem.titles.nato.player.orders import Commit, Move
from pbem.titles.nato.sequence import movement
from pbem.titles.nato.title import NatoRules


def test_7_2_the_story_of_a_turn_begins_with_the_front_and_the_cities() -> None:
    table = a_table({"3114": "NEGF", "3119": "16GT 21", "3218": "7/1A"}, dice=[6], battles=["3120"])
    before = copy(table.state)
    played(table, battle_cycle(table, Commit("3120", ("16GT", "21"))), advance={"paths": {"16GT": ["3120"]}})
    board = board_on(table)
    board.lose_step(unit(board, "21"))
    told = NatoRules(table.data).story(before, table.state)

    assert told[0].startswith("The Warsaw Pact gained") and any("conquered Minden" in line for line in told)
    assert any("reduced" in line for line in told)


def test_7_2_moves_and_battles_of_a_player_turn_are_kept_for_the_map() -> None:
    table = a_table({"3114": "NEGF", "3119": "16GT 21", "3303": "94G"}, dice=[6], battles=["3120"])
    make_moves(table, board_on(table), [Move("94G", ("3304",), "tactical")])
    played(table, battle_cycle(table, Commit("3120", ("16GT", "21"))))
    shown = NatoRules(table.data).situation(table.state)

    assert (shown.tracks[0].unit, shown.tracks[0].path) == ("94G", ("3303", "3304"))
    assert [clash.objective for clash in shown.clashes] == ["3120"] and shown.clashes[0].origins == ("3119",)
    picture = NatoRules(table.data).picture(table.state)
    assert picture is not None and "<svg" in picture
    played(table, movement(table, Side.NATO))
    assert table.state.tracks == [] and table.state.clashes == []


def test_7_2_nothing_happened() -> None:
    table = a_table({"3303": "94G"}, data=a_data())
    assert NatoRules(table.data).story(table.state, table.state) == ["The front line did not move."]
