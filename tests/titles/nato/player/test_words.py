"""Windows that are answered in words, and the clauses of standing orders."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_battle, a_data, a_state

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Refusal
from pbem.titles.nato.board import board_of
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.combat.aftermath import FallBack, RetreatAbout
from pbem.titles.nato.combat.battle_decisions import Loss, LossAbout, Respond
from pbem.titles.nato.combat.orders import Fight, NextBattle
from pbem.titles.nato.movement.orders import MovePhase
from pbem.titles.nato.player.sentences import tell
from pbem.titles.nato.player.standing_orders import STOCK, check_standing_orders, compile_orders, read_clause
from pbem.titles.nato.player.words import factor
from pbem.titles.nato.title import Nato, NatoRules

RULES = NatoRules(a_data())


def a_fight(objective: str = "3218", *attackers: str) -> Any:
    state = a_state({"3114": "NEGF", "3118": "16GT 21", "3218": "1/1PZ", "3319": "2/1PZ"}, battles=["3218"])
    state.battle = a_battle(board_of(a_data(), state), objective, *(attackers or ("16GT", "21")))
    return state


def test_12_the_example_in_a_form_is_an_order_that_is_accepted() -> None:
    """3117 beside 16GT is an enemy city that has to be attacked."""
    state = a_state({"3116": "16GT", "3114": "NEGF", "3218": "1/1PZ"})
    ask = MovePhase.make_ask("wp")
    first = RULES.form(state, ask).splitlines()[:3]
    line = re.search(r"16GT \d{4}", " ".join(first))
    assert line is not None
    RULES.read(state, ask, line[0])


def test_34_0_the_lowest_level_of_victory_has_no_lower_limit() -> None:
    told = str(RULES.briefing("wp"))
    assert "- less than " in told and "-99" not in told


def test_34_2_the_briefing_names_the_cities_that_score_and_the_summary_who_holds_them() -> None:
    title = Nato()
    leine = title.rules(title.freeze("leine", {}))
    told = str(leine.briefing("wp"))
    assert "Hannover 3117 (2)" in told and "NATO scores 1 point for each Warsaw Pact division" in told
    view = a_state({"3116": "16GT"})
    held = leine.objectives(view)
    assert held["3117"] == "nato" and "3115" not in held
    assert "and 67 more" in str(RULES.briefing("wp")) and RULES.objectives(view) == {}


def test_a_unit_that_is_called_by_a_number_is_not_the_number_of_a_choice() -> None:
    state = a_fight()
    ask = Loss.make_ask("nato", subject="3218", about=LossAbout(("16GT", "21"), "combat"))

    assert RULES.read(state, ask, "21").answer == "21"
    assert RULES.read(state, ask, "16gt").answer == "16GT"


def test_windows_are_answered_by_names_by_numbers_or_by_none() -> None:
    state = a_fight()
    ask = Respond.make_ask("nato", subject="3218")

    assert RULES.read(state, ask, "2/1pz").answer == "2/1PZ"
    assert RULES.read(state, ask, "none").answer is None
    beaten = a_state({"2818": "16GT", "2919": "1/1PZ"})
    beaten.battle = a_battle(board_of(a_data(), beaten), "2919", "16GT")
    back = FallBack.make_ask("nato", subject="2919", about=RetreatAbout(1))
    assert RULES.read(beaten, back, "trade 1/1PZ").answer == {"trade": ["1/1PZ"]}


def test_a_battle_is_declared_with_support() -> None:
    ask = NextBattle.make_ask("wp", subject="1")
    read = RULES.read(a_fight(), ask, "3218 16GT 21 support NEGF")

    assert read.answer == {"objective": "3218", "units": ["16GT", "21"], "support": "NEGF"}


def test_orders_of_a_fight_are_read_as_answer_and_plan() -> None:
    state = a_fight()
    state.tactical = {Side.WP: 1}
    text = "attack 3218 with 16GT, 21 support NEGF\nair 3218 at 1/1pz\nadvance: exploit # go on\n"
    read = RULES.read(state, Fight.make_ask("wp"), text)

    assert read.answer == {"marks": ["3218"], "air": [{"hex": "3218", "targets": ["1/1PZ"]}]}
    assert read.plan["battles"][0]["support"] == "NEGF" and read.plan["clauses"] == ["advance: exploit"]


def test_units_join_an_attack_one_by_one() -> None:
    state, ask = a_fight(), Fight.make_ask("wp")
    joined = RULES.read(state, ask, "16gt attack 3218\n21 attack 3218\n21 attack 3218")
    together = RULES.read(state, ask, "attack 3218 with 16GT, 21")

    assert joined == together
    assert RULES.read(state, ask, "attack 3218 with 16GT support NEGF\n21 attack 3218").plan["battles"] == [
        {"objective": "3218", "units": ["16GT", "21"], "support": "NEGF"}
    ]


@pytest.mark.rule("7.2")
def test_what_cannot_be_read_is_refused_with_what_could_be_sent() -> None:
    state = a_fight()
    for text in ("16GX 3116", "16GT 9999", "3218"):
        with pytest.raises(Refusal) as refused:
            RULES.read(state, MovePhase.make_ask("wp"), text)
        assert_rule(refused.value, "7.2")


@pytest.mark.parametrize(
    "line", [*STOCK, "respond: 12/1a 7/1a into 3318", "air: keep 3", "stand: 3825 3925", "trade: never"]
)
def test_standing_orders_keep_their_canonical_text(line: str) -> None:
    assert read_clause(read_clause(line).text) == read_clause(line)


@pytest.mark.rule("7.2")
@pytest.mark.parametrize("line", ["dance: often", "air: 7", "respond:", "lose: everything", "air: 1 if odds 11:1"])
def test_standing_orders_that_cannot_be_read_are_refused(line: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_standing_orders([line], RULES.data.units)
    assert_rule(refused.value, "7.2")


def test_a_seat_without_standing_orders_has_the_stock_ones() -> None:
    assert [clause.text for clause in compile_orders(()).clauses] == list(STOCK)


def test_35_8_what_seats_of_a_side_do_is_told_in_sentences() -> None:
    """The sentences report gifts, loans, deputies, priorities, and orders that gave way to those of another seat."""
    shares = {"north": {"tactical": 3, "air": 0}, "south": {"tactical": 0}}
    for finding, words in (
        (Finding("35.8.1", inputs={"side": "wp"}, result=shares), "shares of the Warsaw Pact: north 3 tactical"),
        (
            Finding("35.8.4", inputs={"from": "a", "to": "b", "kind": "tactical", "number": 2}, result=2),
            "a gives b 2 tactical",
        ),
        (
            Finding("35.8.4", inputs={"unit": "7/1A", "from": "a", "until": 5}, result="b"),
            "lends 7/1A to b until turn 5",
        ),
        (Finding("35.8.4", inputs={"unit": "7/1A", "from": "a"}, result="a"), "recalls 7/1A"),
        (Finding("35.8.4", inputs={"unit": "7/1A", "until": 5}, result="returned"), "loan of 7/1A has ended"),
        (Finding("35.8", inputs={"seat": "c"}, result={"a": "b"}), "names deputies: b for a"),
        (Finding("35.8", inputs={"seat": "c"}, result=["a", "b"]), "order of the seats: a and b"),
        (Finding("35.8", inputs={"seat": "a", "kind": "air", "why": ["too late"]}, result="passed over"), "too late"),
        (Finding("9.1.3", inputs={"unit": "21", "at": "3116"}, result="reduced"), "no room for it in 3116"),
    ):
        assert words.lower() in str(tell(finding)).lower()


def test_3_2_10_units_to_be_ordered_are_listed_by_what_they_are_and_not_by_their_id_twice() -> None:
    state = a_state({"3112": "16GT", "3111": "NEGF"})
    found = NatoRules(a_data()).roll_call(state, MovePhase.make_ask("wp"))
    assert found["16GT"] == "16th Guards Tank Division" and all(name != id for id, name in found.items())


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("soft unit in fortified x2", "soft unit in a fortified hex x2"),
        ("soft unit in rough x2", "soft unit in rough terrain x2"),
        ("armor into major city x1/2", "armor into a major city x1/2"),
        ("disrupted x1/2", "disrupted x1/2"),
    ],
)
def test_a_factor_of_terrain_has_its_noun(code: str, said: str) -> None:
    assert str(factor(code)) == said
