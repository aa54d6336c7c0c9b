"""35.8 Several seats on a side: shares, loans, deputies, and precedence of orders."""

from __future__ import annotations

from functools import cache

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_board, a_data, a_table, board_on, played, unit

from pbem.engine.rules.findings import happenings_in, seen_by
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection, Refusal
from pbem.engine.rules.table import Table
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.command import commander
from pbem.titles.nato.combat.orders import Defend, Fight, NextBattle
from pbem.titles.nato.commands.dispositions import carry_out_dispositions, end_loans, gift_objections
from pbem.titles.nato.commands.merging import merged_marks, merged_moves, merged_strikes
from pbem.titles.nato.commands.pools import allot, purse, spend
from pbem.titles.nato.commands.powers import commander_of, deputy_of, in_precedence, may_order
from pbem.titles.nato.data_set import NatoData, Options
from pbem.titles.nato.movement.lift import share_objections
from pbem.titles.nato.movement.orders import MovePhase
from pbem.titles.nato.movement.phase import report_skipped_move
from pbem.titles.nato.player.orders import (
    AirStrike,
    Chemical,
    Commit,
    Dispositions,
    FightOrders,
    Gift,
    Lending,
    Move,
    MoveOrders,
    Plan,
)
from pbem.titles.nato.sequence import movement
from pbem.titles.nato.state import Loan, NatoState
from pbem.titles.nato.title import NatoRules

NATO = ("baltap", "northag", "centag", "theatre-nato")
UNITS = {"3218": "7/1A", "3318": "22/1A", "4220": "11ACR", "3116": "16GT", "4816": "C1T"}


@cache
def commands() -> NatoData:
    bare = a_data("chemical", "nuclear", "lift", "helicopters")
    return NatoData(bare.atlas, bare.units, bare.charts, bare.scenario, Options(table="commands"))


def a_staff(**fields: object) -> Table[NatoState]:
    return a_table(UNITS, data=commands(), **fields)


def theatre(side: Side) -> str:
    return commands().seat_of(side)


@pytest.mark.rule("35.8.1", "35.8.2.4")
def test_35_8_1_points_and_lift_commands_are_shared_and_the_odd_ones_go_north() -> None:
    """L4080: each of two commands gets half of everything, and the odd point goes north; three NATO
    commands get a third each."""
    lifts = {Side.WP: {"air": 5, "helicopter": 2}, Side.NATO: {"air": 1}}
    table = a_staff(tactical={Side.WP: 5, Side.NATO: 8}, operational={Side.WP: 1}, lift_ready=lifts)
    board = board_on(table)
    allot(table, board)

    pact = assert_rule(table.findings, "35.8.1", inputs={"side": Side.WP}).result  # type: ignore[union-attr]
    assert (pact["north"]["tactical"], pact["south"]["tactical"]) == (3, 2)
    assert (pact["north"]["operational"], pact["south"]["operational"]) == (1, 0)
    assert (pact["north"]["air"], pact["south"]["air"], pact["north"]["helicopter"]) == (3, 2, 1)
    west = assert_rule(table.findings, "35.8.2.4", inputs={"side": Side.NATO}).result  # type: ignore[union-attr]
    first = in_precedence(board, Side.NATO)[0]
    assert sorted(pool["tactical"] for pool in west.values()) == [2, 3, 3] and west[first]["tactical"] == 3
    assert purse(board, theatre(Side.NATO), "tactical") == 0
    assert purse(board, theatre(Side.NATO), "tactical", last=True) == 8


@pytest.mark.rule("35.8.4")
def test_35_8_4_the_theatre_command_sets_shares_and_a_seat_gives_from_its_own() -> None:
    table = a_staff(tactical={Side.NATO: 8})
    board = board_on(table)
    seats, chief = commands().seats_of(Side.NATO), theatre(Side.NATO)
    orders = {seat: Dispositions() for seat in seats}
    orders[chief] = Dispositions(give=(Gift("northag", "tactical", 5), Gift("centag", "tactical", 2)))
    carry_out_dispositions(table, board, seats, list(orders.values()))
    assert (purse(board, "northag", "tactical"), purse(board, "centag", "tactical")) == (5, 2)
    assert purse(board, chief, "tactical") == 1
    allot(table, board)
    assert (purse(board, "northag", "tactical"), purse(board, "baltap", "tactical")) == (5, 0)  # and next turn too

    assert_rule(list(gift_objections(board, "centag", Gift("northag", "tactical", 3))), "35.8.4")
    orders = {seat: Dispositions() for seat in seats}
    orders["centag"] = Dispositions(give=(Gift("baltap", "tactical", 1),))
    carry_out_dispositions(table, board, seats, list(orders.values()))
    assert_rule(table.findings, "35.8.4", inputs={"from": "centag", "to": "baltap", "number": 1}, result=1)
    spend(board, "northag", "tactical", 4)
    assert purse(board, "northag", "tactical") == 1


@pytest.mark.rule("35.8.4")
def test_35_8_4_a_unit_is_lent_kept_to_its_term_and_returned() -> None:
    table = a_staff(turn=4)
    board = board_on(table)
    rules, card = NatoRules(commands()), commands().units["7/1A"]
    assert commander_of(board, card) == "northag"
    lines = "lend 7/1A to centag until 5"
    said = rules.read(table.state, MovePhase.make_ask("northag"), lines)
    assert said.answer["command"] == {"lend": [{"unit": "7/1A", "seat": "centag", "until": 5}]}
    assert rules.restate(MovePhase.make_ask("northag"), said).strip() == lines
    seats = commands().seats_of(Side.NATO)
    given = [
        Dispositions(lend=(Lending("7/1A", "centag", 5),)) if seat == "northag" else Dispositions() for seat in seats
    ]
    carry_out_dispositions(table, board, seats, given)

    assert_rule(table.findings, "35.8.4", inputs={"unit": "7/1A", "from": "northag", "until": 5}, result="centag")
    assert commander_of(board, card) == "centag" and not may_order(board, "northag", card)
    assert commander(board, a_battle(board, "3218", "16GT"), Side.NATO) == "centag"
    with pytest.raises(Refusal) as refused:
        rules.read(table.state, MovePhase.make_ask("northag"), "recall 7/1A")
    assert_rule(refused.value, "35.8.4")
    for turn, seat in ((5, "centag"), (6, "northag")):
        table.state.turn = turn
        end_loans(table)
        assert commander_of(board, card) == seat
    assert_rule(table.findings, "35.8.4", inputs={"unit": "7/1A", "until": 5}, result="returned")


@pytest.mark.rule("35.8")
def test_35_8_the_chief_answers_for_a_silent_seat_and_not_for_one_that_speaks() -> None:
    table = a_staff(side=Side.NATO)
    board, seats, chief = board_on(table), commands().seats_of(Side.NATO), theatre(Side.NATO)
    orders = {seat: MoveOrders() for seat in seats}
    orders[chief] = MoveOrders((Move("7/1A", ("3219",), "tactical"), Move("11ACR", ("4221",), "tactical")))
    orders["centag"] = MoveOrders((Move("11ACR", ("4120",), "tactical"),))
    kept = merged_moves(table, board, Side.NATO, list(orders.values()), reserve=False)

    assert {move.unit: move.path for move in kept.moves} == {"11ACR": ("4120",), "7/1A": ("3219",)}
    assert_rule(table.findings, "35.8", inputs={"unit": "11ACR"}, result="passed over")
    assert deputy_of(board, "northag") == chief
    table.state.deputies = {"northag": "centag"}
    assert may_order(board, "centag", commands().units["7/1A"])
    assert not may_order(board, chief, commands().units["7/1A"])


@pytest.mark.rule("35.8")
def test_35_8_precedence_decides_who_strikes_with_the_last_point() -> None:
    table = a_staff(side=Side.NATO, tactical={Side.NATO: 1}, precedence=["centag"])
    board, seats = board_on(table), commands().seats_of(Side.NATO)
    assert in_precedence(board, Side.NATO)[0] == "centag" and in_precedence(board, Side.NATO)[-1] == theatre(
        Side.NATO
    )
    strikes = {"northag": "3116", "centag": "4816"}
    given = [FightOrders(air=(AirStrike(strikes[seat]),)) if seat in strikes else FightOrders() for seat in seats]
    orders, strikers = merged_strikes(table, board, Side.NATO, given)

    assert strikers == {"air": ["centag"]} and [strike.hex for strike in orders.air] == ["4816"]
    assert_rule(table.findings, "35.8", inputs={"seat": "northag", "kind": "air"}, result="passed over")
    (told,) = happenings_in(seen_by(table.findings, "northag"))
    assert isinstance(told, Fail) and (told.who, told.order) == ("3116", "air 3116")
    assert not list(happenings_in(seen_by(table.findings, "centag")))


@pytest.mark.rule("35.8")
def test_35_8_a_seat_learns_that_its_battle_marker_was_not_placed() -> None:
    table = a_staff()
    board, seats = board_on(table), commands().seats_of(Side.WP)
    orders = {seat: FightOrders() for seat in seats}
    orders["north"] = FightOrders(marks=("6116",))
    assert not merged_marks(table, board, Side.WP, orders)
    assert_rule(table.findings, "35.8", inputs={"seat": "north", "kind": "mark"}, result="passed over")
    (told,) = happenings_in(seen_by(table.findings, "north"))
    assert isinstance(told, Fail) and (told.who, told.order, told.rule) == ("6116", "mark 6116", "35.8")


@pytest.mark.rule("35.8/side-wide-choices")
def test_35_8_first_use_is_the_theatres_and_gas_comes_out_of_a_share_later() -> None:
    table = a_staff(chemical_points={Side.WP: 3})
    rules, gas = NatoRules(commands()), FightOrders(chemical=(Chemical("3218"),))
    fight = rules.decide(table.state, Fight.make_ask("north"))
    assert_rule(list(fight.objections(gas)), "35.8/side-wide-choices")
    table.state.first_use = 1
    assert_rule(list(rules.decide(table.state, Fight.make_ask("north")).objections(gas)), "35.8.1")
    table.state.pools = {"north": {"chemical": 1}}
    found = [one.rule for one in rules.decide(table.state, Fight.make_ask("north")).objections(gas)]
    assert not {"35.8.1", "35.8/side-wide-choices"} & set(found)
    resupply = rules.decide(table.state, MovePhase.make_ask("north")).objections(MoveOrders(resupply="3116"))
    assert_rule(list(resupply), "35.8/side-wide-choices")


@pytest.mark.rule("35.8.1")
def test_35_8_1_a_lift_command_comes_out_of_the_share_of_its_commander() -> None:
    table = a_table({"srb": "97"}, data=commands(), lift_ready={Side.WP: {"air": 1}})
    board = board_on(table)
    seat = commander_of(board, unit(board, "97").card)
    table.state.pools = {"north": {"air": 1}, "south": {"air": 0}}
    assert not list(share_objections(board, unit(board, "97"), "air")) or seat == "south"
    table.state.lent["97"] = Loan(seat="south")
    assert_rule(list(share_objections(board, unit(board, "97"), "air")), "35.8.1")


def test_35_8_lines_about_the_commands_are_read_in_every_exchange_and_refused_alone_on_a_side() -> None:
    table = a_staff(tactical={Side.NATO: 4})
    rules, chief = NatoRules(commands()), theatre(Side.NATO)
    text = "give northag 2 tactical\ndeputy centag for northag\npriority northag centag\n"
    for ask in (MovePhase.make_ask(chief), Fight.make_ask(chief), Defend.make_ask(chief)):
        said = rules.read(table.state, ask, text)
        assert rules.restate(ask, said) == text
    with pytest.raises(Refusal) as refused:
        rules.read(table.state, MovePhase.make_ask("centag"), "priority northag")
    assert_rule(refused.value, "35.8")
    alone = NatoRules(a_data())
    with pytest.raises(Refusal) as refused:
        alone.read(a_table(UNITS).state, MovePhase.make_ask("nato"), "give northag 2 tactical")
    assert_rule(refused.value, "35.8")


def test_35_8_1_forms_say_what_a_seat_may_spend() -> None:
    table = a_staff(tactical={Side.WP: 3}, pools={"north": {"tactical": 2}})
    rules = NatoRules(commands())
    for ask in (MovePhase.make_ask("north"), Fight.make_ask("north")):
        form = " ".join(rules.form(table.state, ask).replace("#", "").split())
        assert "Your share: 2 tactical." in form
    assert "Your share" not in NatoRules(a_data()).form(a_table(UNITS).state, MovePhase.make_ask("wp"))


def test_35_8_a_player_turn_of_several_seats_is_played_from_their_orders() -> None:
    table = a_table({"3116": "16GT", "3114": "NEGF", "4816": "C1T", "4916": "CZF"}, data=commands())
    played(table, movement(table, Side.WP), move=[MoveOrders((Move("16GT", ("3216",)),)), MoveOrders(), MoveOrders()])
    assert unit(board_on(table), "16GT").at == "3216"


def test_25_4_a_headquarters_that_cannot_support_a_planned_battle_is_reported() -> None:
    """A battle whose headquarters cannot support it is fought without Offensive Support, and this is reported."""
    for disrupted in (True, False):
        board = a_board({"3114": "NEGF", "3118": "16GT 97", "3119": "11GT"})
        unit(board, "NEGF").piece.disrupted = disrupted
        decision = NextBattle(board.data, board.state, NextBattle.make_ask("wp"))
        plan = Plan(battles=(Commit("3119", ("16GT", "97"), "NEGF"),))
        found = [*decision.unfulfilled_orders(Commit("3119", ("16GT", "97"), "" if disrupted else "NEGF"), plan)]
        assert [(fail.who, fail.rule) for fail in found] == ([("NEGF", "25.4.3")] if disrupted else [])


def test_35_8_a_seat_learns_that_another_one_has_fought_its_battle() -> None:
    """Two seats of a side plan to attack the same hex; the second is told why its units do not attack."""
    for fought, told in ((False, {"E8"}), (True, set())):
        board = a_board({"3116": "E8", "3117": "22/1A"}, fought=["3117"])
        unit(board, "E8").piece.fought = fought
        decision = NextBattle(board.data, board.state, NextBattle.make_ask("wp", subject="over", grade="note"))
        found = decision.unfulfilled_orders(None, Plan(battles=(Commit("3117", ("E8",)),)))
        assert {fail.who for fail in found} == told


def test_35_8_the_enemy_does_not_learn_where_a_move_that_was_not_made_was_to_lead() -> None:
    """Two seats fill one hex; the third order for it fails, and only the seats that may give it are told."""
    table = a_table({"3112": "16GT", "3012": "21", "3212": "39G"}, data=commands(), lent={})
    board, seats = board_on(table), commands().seats_of(Side.WP)
    given = {seat: MoveOrders() for seat in seats}
    given["north"] = MoveOrders((Move("16GT", ("3111",)), Move("21", ("3111",))))
    given["south"] = MoveOrders((Move("39G", ("3111",)),))
    merged_moves(table, board, Side.WP, [given[seat] for seat in seats], reserve=False)
    failed = {
        seat
        for seat in (*seats, *commands().seats_of(Side.NATO))
        if any(isinstance(shown, Fail) for shown in happenings_in(seen_by(table.findings, seat)))
    }
    assert failed == {"south", theatre(Side.WP)}


@pytest.mark.parametrize("data", [a_data(), commands()])
def test_35_8_an_order_that_has_become_illegal_is_told_to_its_own_side(data: NatoData) -> None:
    table = a_table({"3112": "16GT"}, data=data)
    report_skipped_move(table, Move("16GT", ("3111",)), [Objection("9.1.1", "3111 is too full")])
    [finding] = table.findings
    sides = {table.data.side_of(seat) for seat in finding.to or ()}
    assert sides == {Side.WP}
