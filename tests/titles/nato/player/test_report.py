"""The turn report: the operational story, and the moves and battles of a player turn on the map."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.postbox import START
from titles.nato.builders import a_battle, a_board, a_data, a_table, board_on, played, unit

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.state import copy
from pbem.engine.text.messages import say
from pbem.mail.outbound.turn_mail import Teller
from pbem.matches.accounts import accounts
from pbem.matches.exchange import advancing, creating, sealing
from pbem.matches.exchange.seats import take_seat
from pbem.matches.film.turns import film
from pbem.matches.history.replay import load
from pbem.matches.installation import open_server
from pbem.titles.nato.bots.steady import steady_bot
from pbem.titles.nato.cards.charts import combat_result
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.cycle import a_battle as shown_battle
from pbem.titles.nato.combat.cycle import battle_cycle
from pbem.titles.nato.movement.phase import make_moves
from pbem.titles.nato.player.orders import Commit, Move
from pbem.titles.nato.player.sentences import tell
from pbem.titles.nato.sequence import movement
from pbem.titles.nato.title import Nato, NatoRules
from pbem.web import create_app


def test_7_2_the_story_of_a_turn_begins_with_the_front_and_the_cities() -> None:
    table = a_table({"3114": "NEGF", "3119": "16GT 21", "3218": "7/1A"}, dice=[6], battles=["3120"])
    before = copy(table.state)
    played(table, battle_cycle(table, Commit("3120", ("16GT", "21"))), advance={"paths": {"16GT": ["3120"]}})
    board = board_on(table)
    board.lose_step(unit(board, "21"))
    told = [str(line) for line in NatoRules(table.data).story(before, table.state)]

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


def test_7_2_the_mail_and_the_page_of_a_turn_begin_with_the_story(tmp_path: Path) -> None:
    """Bots play two player turns of the introduction; the story comes before score and orders."""
    server = open_server(tmp_path / "pbem.db", {"nato": Nato()}, clock=lambda: START)
    match = creating.new_match(server, "nato", "leine")
    for seat in ("wp", "nato"):
        take_seat(server, match, seat, accounts.open_account(server, f"{seat}@example.org").id)
    bots = {seat: steady_bot(seat) for seat in ("wp", "nato")}
    for _ in range(2):
        here = load(server, match)
        for ask in here.run.asks:
            given = bots[ask.seat](here.rules, here.run.view(ask.seat), ask)
            sealing.seal(server, match, ask.seat, here.record.open_exchange, given, final=True)
        advancing.advance(server, match)
    shown = film(server, match, "nato", 1)
    assert shown is not None and shown.summary.story and str(shown.summary.headline).count("wp") == 0
    lines = Teller(shown, load(server, match).rules).within(9, 9, 2).lines
    assert lines[0] == "THE SITUATION" and str(shown.summary.story[0]).split()[0] in lines[1]
    assert any("Warsaw Pact" in line for line in lines if line.startswith("SCORE"))
    page = create_app(server).test_client().get(f"/matches/{match}/turns/1").text
    assert page.index(str(shown.summary.story[0])) < page.index("What happened")
    server.close()


def test_7_2_nothing_happened() -> None:
    table = a_table({"3303": "94G"}, data=a_data())
    assert NatoRules(table.data).story(table.state, table.state) == [say("The front line did not move.")]


def test_the_hex_of_a_battle_is_told_as_a_sentence() -> None:
    said = [str(tell(Finding(rule, result="3117"))) for rule in ("6.0/battle", "6.0/objective-hex", "27.0")]
    assert said == [
        "6.0 The battle is for 3117.",
        "6.0 The battle is for 3117.",
        "27.0 The assault is made inside 3117 itself.",
    ]


@pytest.mark.parametrize(
    ("units", "code", "words"),
    [
        ({}, "-/D2*R2", "the city falls"),
        ({}, "A1/D2*R2", "the city falls"),
        ({}, "A1/D1R1", "the attacker loses a step; the city falls"),
        ({}, "A1/R1", "the attacker loses a step; the city holds"),
        ({}, "A1*/-", "the attacker loses a step and is disrupted; the city holds"),
        ({"3117": "7/1A"}, "A1/R1", "the attacker loses a step; the defender retreats one hex"),
    ],
)
def test_30_4_7_an_empty_city_falls_or_holds_and_does_not_retreat(
    units: dict[str, str], code: str, words: str
) -> None:
    """25.6.3.1: if the city cannot take all losses, the attacker has none."""
    board = a_board({"3116": "16GT", **units})
    battle = a_battle(board, "3117", "16GT")
    battle.lone_city = not units
    result = combat_result(code)
    assert shown_battle(board, battle, "3:1", 4, result).result == words
