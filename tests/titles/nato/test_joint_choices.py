"""7.1.3, 13.6, 29.8, 33.3.1 The choices of the Joint Reinforcement Phase, made by both sides at once."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_data, a_state, a_table, board_on, on, played

from pbem.engine.rules.ask import Together
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.table import Table
from pbem.titles.nato.cards.scenario import Arrival, SupplyPlan
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.player.standing_orders import compile_orders
from pbem.titles.nato.reinforcements.joint import JointAbout, JointChoice, joint_asks, joint_choices
from pbem.titles.nato.sequence import joint_turn
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.supply.points import PaySupply
from pbem.titles.nato.title import NatoRules

SITES = {"3ACR": "3626", "1/2A": "3728", "2/2A": "3527"}


def a_reforger(**fields: Any) -> tuple[NatoData, Table[NatoState]]:
    """Build a turn with two Reforger steps, a Polish HQ that arrives by rail and a lost British one due to return."""
    data = on(a_data("reforger", "rail"), reforger_steps={2: 2}, arrivals=(Arrival(2, "POF", "RR"),))
    lost: dict[str, Any] = {"awaited": ["POF"], "lost": {"BR-I": 1}, "returning": {"BR-I": 2}, "sites": dict(SITES)}
    return data, a_table({"3116": "16GT"}, [3], data, **lost, **fields)


@pytest.mark.rule("7.1.3")
def test_7_1_3_both_sides_choose_at_once_and_the_choices_are_told_together() -> None:
    _, table = a_reforger()
    step = joint_choices(table, board_on(table))
    asked = next(step)
    assert isinstance(asked, Together) and [ask.seat for ask in asked.asks] == ["wp", "nato"]
    assert table.findings == []  # neither side learns anything before both have answered
    _, table = a_reforger()
    played(table, joint_turn(table), joint=[{"boxes": {"POF": "sector5"}}, {"reforger": ["3ACR"]}])

    told = assert_rule(table.findings, "7.1.3", inputs={"turn": 2}).result  # type: ignore[union-attr]
    assert told["wp"]["boxes"] == {"POF": "sector5"} and told["nato"]["reforger"] == ["3ACR"]
    assert table.state.pieces["POF"].at == "sector5" and "3ACR" in table.state.pieces
    assert sorted(table.state.sites) == ["1/2A", "2/2A"] and "BR-I" in table.state.pieces


@pytest.mark.rule("33.3.1", "29.8", "13.6")
def test_33_3_1_what_cannot_be_had_is_refused() -> None:
    data, table = a_reforger()
    rules = NatoRules(data)
    asks = {ask.seat: ask for _, ask in joint_asks(board_on(table))}
    for seat, answer, rule in (
        ("nato", {"reforger": ["3ACR", "1/2A"]}, "33.3.1"),
        ("nato", {"reforger": ["1/2A", "1/2A"]}, "33.3.1"),
        ("nato", {"places": {"BR-I": "3116"}}, "29.8"),
        ("wp", {"boxes": {"POF": "sector1"}}, "13.6"),
        ("wp", {"boxes": {"BAF": "sector4"}}, "13.6"),
    ):
        with pytest.raises(Refusal) as refused:
            rules.check(table.state, asks[seat], answer)
        assert_rule(refused.value, rule)
    assert rules.check(table.state, asks["nato"], {"reforger": ["3ACR"]}) == {"reforger": ["3ACR"]}


def test_29_1_two_headquarters_do_not_return_to_one_city() -> None:
    data, table = a_reforger()
    table.state.returning["WG-I"], table.state.lost["WG-I"] = 2, 1
    ask = next(ask for side, ask in joint_asks(board_on(table)) if side is Side.NATO)
    decision = NatoRules(data).decide(table.state, ask)
    usual = decision.default()
    assert sorted(usual.places) == ["BR-I", "WG-I"] and len(set(usual.places.values())) == 2
    same = dict.fromkeys(usual.places, next(iter(usual.places.values())))
    with pytest.raises(Refusal) as refused:
        decision.check({"places": same})
    assert_rule(refused.value, "29.1")


def test_33_3_1_standing_orders_choose_sites_boxes_and_cities() -> None:
    data, table = a_reforger()
    rules = NatoRules(data)
    orders = compile_orders(("reforger: 2/2A 1/2A", "box: sector3", "return: 2720"))
    found = {
        ask.seat: next(iter(rules.from_standing_orders(table.state, ask, orders)))
        for _, ask in joint_asks(board_on(table))
    }
    assert found["nato"].answer["reforger"] == ["2/2A", "1/2A"]
    assert found["nato"].answer["places"] == {"BR-I": "2720"}
    assert found["wp"].answer["boxes"] == {"POF": "sector3"} and "box: sector3" in found["wp"].clause


def test_7_1_3_a_choice_is_written_on_one_line_and_read_again() -> None:
    data, table = a_reforger()
    rules = NatoRules(data)
    for _, ask in joint_asks(board_on(table)):
        decision = rules.decide(table.state, ask)
        for option in decision.options():
            line = next(iter(decision.sentence(option)))
            assert rules.read(table.state, ask, line).answer == decision.plain(option), line


def test_10_8_2_standing_orders_say_which_front_is_paid_for_first() -> None:
    data = on(a_data("supply_points"), supply=SupplyPlan(automatic_until=1))
    state = a_state({"2908": "NEGF 16GT", "3908": "SEGF"}, supply_points=1)
    rules, ask = NatoRules(data), PaySupply.make_ask("wp")
    assert rules.default(lambda: state, ask) == ["NEGF"]
    for line, paid in (("pay: SEGF", ["SEGF"]), ("pay: SEGF only", ["SEGF"])):
        reply = next(iter(rules.from_standing_orders(state, ask, compile_orders((line,)))))
        assert reply.answer == paid, line
    assert JointAbout() == JointAbout(0, (), ()) and JointChoice.grade == "detail"
