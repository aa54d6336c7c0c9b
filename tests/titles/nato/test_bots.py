"""Bots give only orders that they have tried out, and no front leaves its cities to another."""

from __future__ import annotations

from typing import Any

import pytest
from titles.nato.builders import a_board, a_data, a_state, an_ask

from pbem.titles.nato.artillery.strike_decision import GunAbout, NextGun
from pbem.titles.nato.bots.battles import battles
from pbem.titles.nato.bots.goals import OTHER, OWN, Outlook, least_column
from pbem.titles.nato.bots.moves import plan_moves
from pbem.titles.nato.bots.steady import steady_bot
from pbem.titles.nato.bots.transport import transport_moves
from pbem.titles.nato.cards.charts import ODDS
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.battle_decisions import Respond
from pbem.titles.nato.combat.eligibility import possible_attackers
from pbem.titles.nato.combat.orders import Fight, NextBattle
from pbem.titles.nato.map.grid import distance, neighbours
from pbem.titles.nato.movement.rehearsal import Rehearsal
from pbem.titles.nato.player.orders import Move
from pbem.titles.nato.reinforcements.reforger import waiting_sites
from pbem.titles.nato.state import Battle
from pbem.titles.nato.title import NatoRules

SIX_FRONT = "16GT 21 94G E8 207 35 12GT 25T 32GT E1 10GT E9T"
"""Twelve divisions of one front."""


def test_a_crowded_railway_station_does_not_keep_the_rest_of_the_army_from_moving() -> None:
    """9.1.3: three divisions wait for their trains in one hex; a fourth one far behind still gets its orders."""
    state = a_state({"3108": "16GT 21 207", "3101": "P4", "3016": "7/1A", "3403": "P5T"})
    for id in ("16GT", "21", "207"):
        state.pieces[id].train = "entrained"
    trial = Rehearsal(a_data("rail"), state, Side.WP)
    units = list(trial.board.of(Side.WP))
    moves = transport_moves(trial, units, Outlook(trial.board, Side.WP), bold=True)
    ordered = {move.unit for move in moves}
    changed = {id for id, piece in trial.board.state.pieces.items() if piece != state.pieces[id]}
    assert changed <= ordered


def test_what_a_bot_has_tried_out_it_orders() -> None:
    state = a_state({"3108": "16GT 21", "3110": "NEGF", "3101": "P4", "3216": "7/1A", "2906": "34N"})
    trial = Rehearsal(a_data("rail"), state, Side.WP)
    ordered = {move.unit for move in plan_moves(trial, list(trial.board.of(Side.WP)), bold=True)}
    went = {id for id, piece in trial.board.state.pieces.items() if piece.at != state.pieces[id].at}
    assert went <= ordered and {"P4", "34N"} <= ordered


def test_the_divisions_of_a_front_aim_at_several_cities() -> None:
    board = a_board({"2913": SIX_FRONT})
    aims = Outlook(board, Side.WP).aims
    assert set(aims) == set(SIX_FRONT.split()) and len(set(aims.values())) > 2


def test_the_garrison_of_west_berlin_stays_in_the_city() -> None:
    """31.1.1, 34.2: outside the city the garrison finds no supply, and an empty city is easily taken."""
    units = {"3007": "US-Berlin UK-Berlin", "3008": "16GT 21", "3107": "94G E8", "2514": "P5T 25T"}
    trial = Rehearsal(a_data(), a_state(units, side=Side.NATO), Side.NATO)
    assert plan_moves(trial, list(trial.board.of(Side.NATO)), bold=False) == []


@pytest.mark.parametrize(
    ("side", "units", "objective"),
    [
        (Side.WP, {"3019": "16GT 21", "3020": "22/1A", "3016": "NEGF"}, "3020"),
        (Side.NATO, {"3019": "221T", "3020": "1/1PZ 2/1PZ 3/1PZ", "3023": "WG-I"}, "3019"),
        (Side.NATO, {"3019": "16GT 21", "3020": "1/1PZ", "3023": "WG-I"}, None),
    ],
)
def test_a_bot_that_is_asked_fights_what_is_worth_fighting_now(
    side: Side, units: dict[str, str], objective: str | None
) -> None:
    """The bot fights 18 to 3 and 13 to 2, which are 6:1, but stops at 3 to 12."""
    state = a_state(units, side, battles=[objective] if side is Side.WP else [])
    given = steady_bot(1)(NatoRules(a_data()), state, an_ask(NextBattle, str(side), subject="1")).answer
    assert (given and given["objective"]) == objective


def test_a_bot_that_is_asked_fires_its_guns_at_a_marked_hex() -> None:
    """24.1: the bot's 34N could strike 2920 or 3020, and strikes 3020, where the battle is."""
    state = a_state({"3019": "16GT 34N", "2920": "12/1A", "3020": "22/1A", "3016": "NEGF"}, battles=["3020"])
    ask = an_ask(NextGun, "wp", subject="1", about=GunAbout())
    given = steady_bot(1)(NatoRules(a_data()), state, ask).answer
    assert (given["unit"], given["hex"]) == ("34N", "3020")


def test_18_4_4_2_a_bot_sends_its_helicopters_to_one_battle() -> None:
    """Both attacks are worth making, but only one brigade is ready, so it joins the better attack."""
    units = {"3018": "16GT 21", "2720": "12GT 94G", "2918": "NEGF", "3019": "22/1A", "2721": "7/1A"}
    board = a_board(units, brigades={"NEGF": "ready"})
    waiting = {hex: possible_attackers(board, hex, Side.WP) for hex in ("3019", "2721")}
    found = battles(board, Side.WP, waiting, "1:1", 0)
    assert [(commit.objective, commit.helicopters) for commit in found] == [("3019", "NEGF"), ("2721", "")]


def ordered(side: Side, units: dict[str, str], *rules: str, **state: Any) -> dict[str, Move]:
    """Return a bot's moves by unit; disrupted units are marked with an exclamation mark."""
    trial = Rehearsal(a_data(*rules), a_state(units, side, **state), side)
    moves = plan_moves(trial, list(trial.board.of(side)), bold=side is Side.WP)
    return {move.unit: move for move in moves}


def test_12_5_1_a_suppressed_headquarters_gets_away_from_the_enemy() -> None:
    """The headquarters makes its minimum move; bots used to leave it where it was, and it was lost."""
    move = ordered(Side.NATO, {"3019": "BR-I!", "3018": "16GT", "3121": "22/1A"}).get("BR-I")
    assert move is not None and (move.mode, len(move.path)) == ("minimum", 1)
    assert distance(move.path[0], "3018") == 2


def test_29_2_1_a_headquarters_near_the_enemy_stays_with_its_troops() -> None:
    units = {"3121": "BR-I", "3018": "16GT", "3120": "22/1A 7/1A", "3321": "12/1A"}
    moves = ordered(Side.NATO, units)
    at = {id: hex for hex, ids in units.items() for id in ids.split()}
    at |= {id: move.path[-1] for id, move in moves.items() if move.path}
    assert distance(at["BR-I"], "3018") > 3 or at["BR-I"] in {at["22/1A"], at["7/1A"], at["12/1A"]}


def test_9_1_3_a_bot_moves_a_brigade_out_of_a_hex_that_is_too_full() -> None:
    """A called-up brigade is the fifth in Hannover; the bot used to leave all five there, and one was lost."""
    units = {"3117": "1/3A 2/3A 3/3A US-2/8 US-2/1", "4319": "US-V", "4015": "11GT"}
    left = [move for move in ordered(Side.NATO, units).values() if move.path and move.path[-1] != "3117"]
    assert {move.unit for move in left} & set(units["3117"].split())


def test_16_2_4_the_baltic_corps_lands_behind_its_marines() -> None:
    lifts = {Side.WP: {"sea": 3}}
    moves = ordered(Side.WP, {"srb": "336G P7 BC", "1310": "1/Zee"}, "lift", "rail", "ferry", lift_ready=lifts)
    assert {moves[id].mode for id in ("336G", "P7", "BC")} == {"land"}
    assert moves["BC"].path in (moves["336G"].path, moves["P7"].path)


def test_33_3_1_crews_go_first_to_sites_with_room() -> None:
    """Four brigades stand on the nearer site, where a fifth would have to leave at once."""
    units = {"2928": "1/3A 2/3A 3/3A US-2/8", "2924": "16GT"}
    board = a_board(units, side=Side.NATO, sites={"3/2A": "2928", "194A": "3128"})
    assert waiting_sites(board) == ["194A", "3/2A"]


def test_25_1_1_nato_counterattacks_a_weak_stack() -> None:
    """A regiment stands alone beside a German division and within reach of its brigades, which move up to attack."""
    units = {"3019": "221T", "3021": "1/1PZ 2/1PZ", "3121": "3/1PZ", "3123": "WG-I"}
    moves = ordered(Side.NATO, units)
    ends = {
        moves[id].path[-1] if id in moves and moves[id].path else hex
        for hex, ids in units.items()
        for id in ids.split()
    }
    assert ends & set(neighbours("3019"))


@pytest.mark.parametrize(("turn", "expected"), [(1, "3:1"), (14, "2:1")])
def test_34_5_nato_attacks_a_reduced_division_at_lower_odds_in_its_last_player_turn(turn: int, expected: str) -> None:
    """The division's last step is worth a point, and the Warsaw Pact cannot answer any more."""
    board = a_board({"3019": "E8*", "3020": "1/1PZ"}, side=Side.NATO, turn=turn)
    assert ODDS[least_column(board, Side.NATO, "3019", "3:1")] == expected


def test_29_4_a_front_headquarters_follows_its_own_front_most() -> None:
    """Border regiments, which stay at home, and divisions of the other front do not draw it away from its own."""
    board = a_board({"3914": "SEGF", "3916": "39G", "3018": "16GT", "3214": "Gr1 Gr3", "3115": "35G 97"})
    followers = Outlook(board, Side.WP).followers(board.units["SEGF"])
    assert {unit.id: weight for unit, weight in followers} == {"39G": OWN, "35G": OWN, "97": OTHER}


def a_choice(kind: Any, side: Side, state: Any, **about: Any) -> Any:
    return steady_bot(1)(NatoRules(a_data()), state, an_ask(kind, str(side), subject="3118", **about)).answer


def test_25_1_2_a_bot_that_is_asked_does_not_leave_a_city_to_save_a_regiment_s_hex() -> None:
    """The stock orders send the brigade because it lowers the odds; the city that it leaves is worth more."""
    units = {"3118": "22/1A", "3117": "7/1A", "3018": "16GT", "3120": "BR-I"}
    state = a_state(units, battle=Battle(objective="3118", side=Side.WP, attackers=["16GT"], defenders=["22/1A"]))
    assert a_choice(Respond, Side.NATO, state) is None


@pytest.mark.parametrize(("taken", "clauses"), [({}, ["advance: never"]), ({"3120": Side.WP}, [])])
def test_25_8_nato_stays_where_it_defends_unless_it_takes_a_city_back(
    taken: dict[str, Side], clauses: list[str]
) -> None:
    units = (
        {"3120": "221T", "3121": "1/1PZ 2/1PZ 3/1PZ 19/7PZ", "3023": "WG-I"}
        if taken
        else {"3019": "221T", "3020": "1/1PZ 2/1PZ"}
    )
    state = a_state(units, Side.NATO, conquered=taken)
    given = steady_bot(1)(NatoRules(a_data()), state, an_ask(Fight, "nato"))
    assert given.plan["battles"] and list(given.plan.get("clauses", [])) == clauses
