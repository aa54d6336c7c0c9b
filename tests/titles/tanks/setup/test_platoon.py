"""T4 Building a platoon."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.tanks.builders import a_data, a_state, a_table, check, packaged

from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal, each
from pbem.titles.tanks.data_files import packaged_names
from pbem.titles.tanks.data_set import SEATS, Fielded, Platoon, data_set, freeze
from pbem.titles.tanks.setup.platoon import (
    answer_of,
    buy_platoon,
    cost,
    platoon_objections,
    read_list,
    stock_platoon,
    usual_platoon,
    write_list,
)
from pbem.titles.tanks.setup.steps import lay_out
from pbem.titles.tanks.state import TanksState


def a_platoon(country: str, *tanks: tuple) -> Platoon:
    return Platoon(country=country, tanks=tuple(Fielded(tank=tank, cards=tuple(cards)) for tank, *cards in tanks))


def refused(platoon: Platoon, points: int = 75) -> Refusal:
    tanks = [{"tank": fielded.tank, "cards": list(fielded.cards)} for fielded in platoon.tanks]
    with pytest.raises(Refusal) as refusal:
        check(
            a_data(points=points),
            a_state(),
            Ask("alpha", "platoon", "T4.1"),
            {"country": platoon.country, "tanks": tanks},
        )
    return refusal.value


@pytest.mark.rule("T4.1")
def test_T4_1_tanks_and_cards_within_the_limit():
    """Three Sherman 75s and a Superb Commander cost 3 x 20 + 2 = 62 points."""
    platoon = a_platoon("us", ("sherman-75", "superb-commander"), ("sherman-75",), ("sherman-75",))
    assert cost(a_data(), platoon) == 62
    assert list(platoon_objections(a_data(points=62), platoon)) == []
    assert_rule(refused(platoon, 61), "T4.1", why="the platoon costs 62 points; the limit is 61")


@pytest.mark.rule("T4.2")
def test_T4_2_one_country_and_global_cards():
    platoon = a_platoon("us", ("sherman-75", "superb-commander"), ("cromwell",), ("sherman-75", "tungsten"))
    refusal = refused(platoon)
    whys = [objection.english for objection in refusal.objections if objection.rule == "T4.2"]
    assert whys == ["tank 2, Cromwell, belongs to uk, not us", "Tungsten Rounds belongs to germany, not us"]
    assert_rule(refusal, "T4.2")


@pytest.mark.rule("T4.3")
def test_T4_3_any_number_of_tanks():
    """Five StuGs (75 points) are as legal as one StuG; an empty list is not a platoon."""
    table = a_table(scenario={"points": 75})
    lay_out(table, "bravo", a_platoon("germany", *[("stug-g",)] * 5))
    assert_rule(table.findings, "T4.3", inputs={"seat": "bravo"}, result=5)
    assert_rule(refused(a_platoon("germany")), "T4.3")


@pytest.mark.rule("T4.4")
def test_T4_4_one_card_of_each_type():
    platoon = a_platoon("us", ("sherman-75", "superb-commander", "cunning-commander"))
    assert_rule(refused(platoon), "T4.4", why="tank 1, Sherman 75, has 2 cards of type commander")


def test_T4_4_a_resourceful_loader_carries_two_of_the_same_round():
    twice = ("tungsten", "tungsten")
    assert list(platoon_objections(a_data(), a_platoon("germany", ("panther", "resourceful-loader", *twice)))) == []
    assert [o.rule for o in platoon_objections(a_data(), a_platoon("germany", ("panther", *twice)))] == ["T4.4"]
    thrice = a_platoon("germany", ("panther", "resourceful-loader", *twice, "tungsten"))
    assert [o.rule for o in platoon_objections(a_data(), thrice)] == ["T4.4"]


@pytest.mark.rule("T4.5")
def test_T4_5_no_more_crew_than_slots():
    """A T-34 has three slots: a commander, a gunner and a loader fill them; a tool kit needs none."""
    crew = ("superb-commander", "dead-eye-gunner", "precise-loader")
    assert list(platoon_objections(a_data(), a_platoon("ussr", ("t-34", *crew, "tool-kit")))) == []
    refusal = refused(a_platoon("ussr", ("t-34", *crew, "cunning-driver")))
    assert_rule(refusal, "T4.5", why="tank 1, T-34, has 4 crew cards but only 3 slots")


@pytest.mark.rule("T4.6")
def test_T4_6_one_hero_in_the_platoon():
    refusal = refused(a_platoon("us", ("sherman-75", "boggs"), ("sherman-75", "mason")))
    assert_rule(refusal, "T4.6", why="a platoon can have one hero, not 2: Boggs, Mason")


def test_T4_all_faults_are_named_together():
    platoon = a_platoon("us", ("cromwell", "boggs", "pool", "superb-commander"), ("super-pershing", "mason"))
    rules = {objection.rule for objection in refused(platoon, 50).objections}
    assert rules == {"T4.1", "T4.2", "T4.4", "T4.6"}


# --- text lists ----------------------------------------------------------------------------------------------


@given(country=st.sampled_from(packaged().countries), number=st.integers(0, 10**6))
def test_T4_what_can_be_bought_is_legal_and_its_list_reads_back(country, number):
    platoon = buy_platoon(a_data(points=80), country, Choice("test", number))
    assert list(platoon_objections(a_data(points=80), platoon)) == []
    assert read_list(packaged(), write_list(packaged(), platoon)) == platoon


def test_T4_a_list_is_forgiving_and_names_every_bad_line():
    text = (
        "COUNTRY  us\n".replace("  ", ": ")
        + "sherman 76 (25): superb COMMANDER + dead eye gunner # the boss\nSHERMAN-75\n"
    )
    platoon = read_list(packaged(), text)
    assert platoon == a_platoon("us", ("sherman-76", "superb-commander", "dead-eye-gunner"), ("sherman-75",))
    with pytest.raises(Refusal) as refusal:
        read_list(packaged(), "country: us\nSherman 77\nSherman 75: superb comander")
    assert [(single.line, single.instead) for single in each(refusal.value)] == [
        ("Sherman 77", ("Sherman 76",)),
        ("Sherman 75: superb comander", ("Superb Commander",)),
    ]


@pytest.mark.parametrize("scenario", packaged_names("scenarios"))
def test_T4_the_platoons_of_the_scenarios_are_legal(scenario):
    data = data_set(freeze(scenario, {}))
    for seat in ("alpha", "bravo"):
        assert list(platoon_objections(data, stock_platoon(data, seat))) == []


@pytest.mark.parametrize("points", [15, 20, 30, 60, 75, 79, 200])
@pytest.mark.parametrize("scenario", ["village", "open-battle"])
def test_T4_1_who_does_not_choose_gets_a_legal_platoon_at_any_limit(scenario, points):
    """The platoon is the scenario's own if it fits, else that one without cards, then with fewer tanks.

    If nothing else fits, it is the cheapest tank.
    """
    data = data_set(freeze(scenario, {"points": points}))
    for seat in SEATS:
        ask = Ask(seat, "platoon", "T4.1", default=answer_of(usual_platoon(data, seat)))
        assert check(data, TanksState(), ask, ask.default) == ask.default
        if cost(data, stock_platoon(data, seat)) <= points:
            assert ask.default == answer_of(stock_platoon(data, seat))


def test_T4_1_a_limit_is_not_for_platoons_that_are_given():
    with pytest.raises(Refusal) as refused:
        freeze("crossroads", {"points": 30})
    assert [objection.rule for objection in refused.value.objections] == ["T4.1"]
