"""T2.4 Face-down cards are hidden everywhere: in blobs, in findings, and in the order of cards."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest
from support.rules import assert_rule
from titles.tanks.builders import a_data, a_state, a_table, a_tank, run_movement, run_step, shoot

from pbem.engine.rules.findings import PUBLIC, seen_by
from pbem.titles.data_files import DataError
from pbem.titles.tanks.data_files import packaged_names
from pbem.titles.tanks.data_set import data_set, freeze, open_secrets
from pbem.titles.tanks.movement.phase import order_for
from pbem.titles.tanks.setup.steps import platoon_step
from pbem.titles.tanks.title import Tanks
from pbem.titles.tanks.view import view_of


def public(findings):
    return msgspec.json.encode(list(seen_by(findings, PUBLIC)))


@pytest.mark.parametrize("scenario", packaged_names("scenarios"))
def test_T2_4_no_blob_names_the_cards_of_a_platoon(scenario):
    blobs = freeze(scenario, {})
    data = data_set(blobs)
    for name in ("scenario", "options"):
        assert not [card for card in data.cards if card in blobs[name].decode()]


@pytest.mark.rule("T2.4")
@pytest.mark.parametrize("scenario", ["crossroads", "bridgehead"])
def test_T2_4_a_given_platoon_is_dealt_cards_in_secret_for_its_points(scenario):
    rules = Tanks().rules(freeze(scenario, {}))
    table = a_table(data=rules.data, dice=[1] * 40)
    run_step(table, platoon_step(table))
    for platoon in rules.data.scenario.platoon:
        own = [tank for tank in table.state.tanks.values() if tank.seat == platoon.seat]
        spent = sum(held.points for tank in own for held in tank.cards)
        assert 0 < spent <= platoon.card_points
    backs = [sorted(held.points for held in tank.cards) for tank in table.state.tanks.values()]
    shown = [
        assert_rule([child], "T2.4").result
        for f in table.findings
        for tank in f.children
        for child in tank.children
        if child.rule == "T2.4"
    ]
    assert shown == backs
    for card in rules.data.cards.values():
        assert card.id.encode() not in public(table.findings)


def test_T2_4_a_scenario_that_names_cards_is_refused_but_a_match_that_runs_goes_on():
    blobs = freeze("crossroads", {})
    old = {
        **blobs,
        "scenario": blobs["scenario"].replace(b'{tank = "panther"}', b'{tank = "panther", cards = ["tungsten"]}'),
    }
    assert [str(mistake) for mistake in open_secrets(data_set(old))] == [
        "platoon of bravo: a scenario cannot list 'tungsten': everyone can read it. Give the platoon card_points."
    ]
    with pytest.raises(DataError):
        data_set({**old, "scenario": old["scenario"].replace(b"tungsten", b"nosuch")})


ORDERS = [
    {"moves": [{"way": 270}] * 3, "use": ["supercharger"]},
    {"moves": [{"way": 270}] * 3},
    {"moves": [{"way": 270}] * 2},
]


def test_T1_1_everybody_reads_the_same_of_an_order_that_fails_whatever_was_ordered():
    """Three moves would reveal a Supercharger and two would not, so the public text is the same for both."""
    told = set()
    for order in ORDERS:
        table = a_table(
            a_tank("a1", 2500, 8000, 270, cards=["supercharger"]), orders={"alpha": {"orders": {"a1": [order]}}}
        )
        played = run_step(table, order_for(table, table.state.tanks["a1"]), {"move": [{"moves": []}]})
        told.add(public(played.findings))
    assert len(told) == 1


def test_T2_4_backs_lie_in_an_order_that_says_nothing():
    cards = ["supercharger", "sandbags", "superb-commander"]
    views = set()
    for order in permutations(cards):
        state = a_state(a_tank("a1", 4500, 8000, cards=list(order)), a_tank("b1", 4500, 1000, 180))
        views |= {msgspec.json.encode(view_of(state, viewer)) for viewer in ("bravo", PUBLIC)}
    assert len(views) == 1


def test_T1_1_a_phase_reads_the_same_whatever_lies_face_down_unused():
    told = set()
    for card in ("sandbags", "tungsten"):
        table = a_table(a_tank("a1", 4500, 8000, cards=[card]), a_tank("b1", 4500, 1000, 180), data=a_data())
        run_movement(table)
        told.add(public(table.findings))
    assert len(told) == 1


@pytest.mark.rule("T7.6")
def test_T7_6_the_first_defence_roll_is_told_when_dice_are_rolled_again():
    """Sandbags let one of the defence dice be rerolled, and both rolls are reported."""
    table = a_table(
        a_tank("a1", 1000, 5000, 90),
        a_tank("b1", 5000, 5000, 270, cards=["sandbags"]),
        dice=[5, 5, 5, 5, 1, 2, 6, *[3] * 20],
    )
    played = shoot(table, "a1", "b1", {"save": [{"by": "sandbags", "dice": [0]}]})
    told = [finding for finding in played.findings if finding.rule == "T7.6" and finding.dice]
    rolls = [assert_rule([finding], "T7.6").dice for finding in told]
    assert len(rolls) == 2 and rolls[0] != rolls[1] and rolls[0][1:] == rolls[1][1:]
