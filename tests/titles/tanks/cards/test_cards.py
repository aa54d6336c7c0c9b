"""T2 Cards: tank cards, crew and upgrades face down, criticals, tokens; hidden cards give nothing away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.tanks.builders import a_data, a_state, a_table, a_tank, check, opened, packaged, run_step, shoot

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.state import to_bytes
from pbem.titles.tanks.cards.crew_and_upgrades import WINDOWS, usable
from pbem.titles.tanks.data_set import Fielded, Platoon
from pbem.titles.tanks.phases.forms import show_cards
from pbem.titles.tanks.setup.steps import lay_out
from pbem.titles.tanks.shooting.phase import suffer
from pbem.titles.tanks.view import view_of


def duel(a_cards=(), b_cards=(), **more):
    """Put two tanks nose to nose, 4000 tenths of a millimetre apart, with nothing between them."""
    return (
        a_tank("a1", 1000, 5000, 90, cards=a_cards, **more.pop("a", {})),
        a_tank("b1", 6000, 5000, 270, cards=b_cards, **more.pop("b", {})),
    )


@pytest.mark.rule("T2.1", "T2.4", "T2.5")
def test_T2_1_tank_cards_are_open_and_the_rest_shows_its_points():
    """a1 is a Sherman 76 (6/5/1, hull 6, 4 slots, 25 points) with two face-down cards of 2 and 3 points."""
    table = a_table()
    tank = Fielded(tank="sherman-76", cards=("superb-commander", "dead-eye-gunner"))
    lay_out(table, "alpha", Platoon(country="us", tanks=(tank,)))
    values = {"tank": "a1", "initiative": 6, "attack": 5, "defence": 1, "hull": 6, "slots": 4, "country": "us"}
    assert_rule(table.findings, "T2.1", inputs=values, result="sherman-76")
    assert_rule(table.findings, "T2.4", inputs={"tank": "a1"}, result=[2, 3])
    assert_rule(table.findings, "T2.5", inputs={"token": "identification"}, result="a1")


@pytest.mark.rule("T2.2", "T2.4")
def test_T2_4_a_card_is_turned_up_when_first_used_and_stays_open():
    """A Bloodthirsty Gunner at close range gives 4 + 1 dice; once face up, the card counts without being named."""
    near = a_tank("a1", 1000, 5000, 90, cards=["bloodthirsty-gunner"]), a_tank("b1", 2000, 5000, 270)
    table = a_table(*near, dice=[1] * 5 + [1] * 5)
    played = shoot(table, "a1", "b1", {"aim": [["bloodthirsty-gunner"]]})
    assert_rule(played.findings, "T2.4", inputs={"card": "bloodthirsty-gunner"}, result="face-up")
    assert_rule(played.findings, "T2.2", inputs={"name": "Bloodthirsty Gunner", "type": "gunner"}, result=3)
    shoot(table, "a1", "b1")
    dice = [finding.result for finding in table.findings if finding.rule == "T7.4" and not finding.dice]
    assert dice == [5, 5]


@pytest.mark.rule("T2.4")
def test_T2_4_a_card_that_is_not_held_cannot_be_used():
    data, state = a_data(), a_state(*duel())
    ask = Ask("alpha", "aim", "T2.4", subject="a1", about={"close": True})
    with pytest.raises(Refusal) as refused:
        check(data, state, ask, ["tungsten"])
    assert_rule(refused.value, "T2.4")


@pytest.mark.rule("T2.3")
def test_T2_3_a_repairable_critical_stays_others_are_discarded():
    """Injured Crew does 1 damage and stays; Deep Penetration does 2 damage and is discarded."""
    table = a_table(*duel())
    tank = table.state.tanks["b1"]
    for card in ("injured-crew", "deep-penetration"):
        table.state.deck.remove(card)
        table.state.drawn.append(card)
        run_step(table, suffer(table, tank, card))
    assert (tank.damage, tank.criticals, table.state.discards) == (3, ["injured-crew"], ["deep-penetration"])
    assert_rule(table.findings, "T2.3", inputs={"name": "Injured Crew"}, result={"damage": 1, "stays": True})
    assert_rule(table.findings, "T2.3", inputs={"name": "Deep Penetration"}, result={"damage": 2, "stays": False})


@pytest.mark.rule("T2.3")
def test_T2_3_a_fire_extinguisher_cancels_the_fire_as_it_is_drawn():
    table = a_table(*duel(b_cards=["fire-extinguisher"]), drawn=["engine-fire"])
    played = run_step(table, suffer(table, table.state.tanks["b1"], "engine-fire"), {"cure": [["fire-extinguisher"]]})
    assert_rule(played.findings, "T2.3", inputs={"by": "fire-extinguisher"}, result="cancelled")
    assert table.state.tanks["b1"].criticals == []
    assert table.state.tanks["b1"].cards[0].gone


@pytest.mark.rule("T2.5")
def test_T2_5_tokens_for_damage():
    table = a_table(*duel(), dice=[5, 1, 1, 1, 1])
    shoot(table, "a1", "b1")
    assert_rule(table.findings, "T2.5", inputs={"token": "damage", "tank": "b1", "of": 5}, result=1)


# --- single cards --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "a_cards, b_cards, dice, answers, damage",
    [
        # Dead-Eye: one of two hits becomes a critical; card 20 of the deck is the third of four Spalling (1 damage).
        (["dead-eye-gunner"], [], [4, 5, 1, 1, 1, 20], {"convert": [["dead-eye-gunner"]]}, 2),
        # Deadly: one critical counts as two hits.
        (["deadly-gunner"], [], [6, 1, 1, 1, 1], {"convert": [["deadly-gunner"]]}, 2),
        # Sandbags: the defence die 1 again becomes 4 and cancels the only hit.
        ([], ["sandbags"], [5, 1, 1, 1, 1, 4], {"save": [{"by": "sandbags", "dice": [0]}]}, 0),
        # Concrete stops the only critical.
        ([], ["concrete-armour"], [6, 1, 1, 1, 1], {"stop": [["concrete-armour"]]}, 0),
        # Precise: the second die, a 1, again becomes 5.
        (
            ["precise-loader"],
            [],
            [5, 1, 1, 1, 5, 1],
            {"reroll": [{"by": "precise-loader", "dice": [1], "keeps": 0}]},
            2,
        ),
        # Extra Ammunition aboard the target: its first uncancelled hit becomes a critical, card 25 Deep Penetration.
        ([], ["extra-ammunition"], [5, 1, 1, 1, 1, 25], {}, 2),
    ],
)
def test_T2_2_cards_change_an_attack(a_cards, b_cards, dice, answers, damage):
    """Four attack dice against one defence die are changed as the card says (T7)."""
    table = a_table(*duel(a_cards, b_cards), dice=dice)
    played = shoot(table, "a1", "b1", answers)
    assert table.state.tanks["b1"].damage == damage
    assert table.chance.left == []
    assert any(finding.rule == "T2.4" and finding.result == "face-up" for finding in played.findings)


def test_T2_2_a_sharpshooter_drops_one_of_two_criticals():
    """One critical draws card 1 (Busted Track) and card 27 of the remaining 27 (Lost Bearings).

    The shooter keeps the second.
    """
    table = a_table(*duel(["sharpshooter"]), dice=[6, 1, 1, 1, 1, 1, 27])
    shoot(table, "a1", "b1", {"sharpen": [["sharpshooter"]], "pick": ["lost-bearings"]})
    assert table.state.discards == ["busted-track", "lost-bearings"]
    assert table.state.tanks["b1"].damage == 1


def test_T2_2_tungsten_with_two_ones_spoils_the_attack_and_is_gone():
    panther = a_tank("b1", 6000, 5000, 270, "panther", cards=["tungsten"])
    table = a_table(a_tank("a1", 1000, 5000, 90), panther, dice=[6, 6, 6, 6, 1, 1, 1])
    shoot(table, "b1", "a1", {"aim": [["tungsten"]]})
    assert table.state.tanks["a1"].damage == 0
    assert panther.cards[0].gone


def test_T2_2_super_velocity_rounds_miss_with_fours():
    """A Comet rolls 5 + 2 dice; two 4s miss, and one 5 hits."""
    comet = a_tank("a1", 1000, 5000, 90, "comet", cards=["super-velocity"])
    table = a_table(comet, a_tank("b1", 6000, 5000, 270), dice=[4, 4, 5, 1, 1, 1, 1, 1])
    shoot(table, "a1", "b1", {"aim": [["super-velocity"]]})
    assert table.state.tanks["b1"].damage == 1


def test_T2_2_a_clever_loader_keeps_ammunition_that_hit_nothing():
    panther = a_tank("b1", 6000, 5000, 270, "panther", cards=["tungsten", "clever-loader"])
    table = a_table(a_tank("a1", 1000, 5000, 90), panther, dice=[1] * 7)
    shoot(table, "b1", "a1", {"aim": [["tungsten"]]})
    assert [(held.id, held.up, held.gone) for held in panther.cards] == [
        ("tungsten", True, False),
        ("clever-loader", True, False),
    ]
    about = {"close": False}
    assert usable(table, panther, "aim", about) == []  # a tank can fire only one special round per turn
    table.state.turn += 1
    assert usable(table, panther, "aim", about) == ["tungsten"]


def test_T2_2_camouflage_helps_a_stationary_tank_until_its_first_damage():
    table = a_table(*duel(b_cards=["camouflage"]), dice=[5, 5, 5, 1, 1, 1] + [1] * 5)
    shoot(table, "a1", "b1", {"ward": [["camouflage"]]})
    assert next(finding.result for finding in table.findings if finding.rule == "T7.6") == 2
    assert table.state.tanks["b1"].cards[0].gone
    shoot(table, "a1", "b1")
    assert table.chance.left == []  # one defence die again


def test_T2_2_a_second_attack_after_a_hit_is_made_with_three_dice():
    """Woll is aboard b1, which hits a1 and then attacks a2, 500 from a1, with three dice."""
    panther = a_tank("b1", 6000, 5000, 270, "panther", cards=["woll"])
    table = a_table(
        a_tank("a1", 1000, 5000, 90), a_tank("a2", 1000, 5760, 90), panther, dice=[5, 1, 1, 1, 1, 1, 5, 5, 5, 1]
    )
    shoot(table, "b1", "a1", {"again": ["a2"]})
    assert (table.state.tanks["a1"].damage, table.state.tanks["a2"].damage) == (1, 3)


# --- nothing leaks -------------------------------------------------------------------------------------------

ONE_POINT = ["aggressive-commander", "cunning-commander", "tool-kit", "medical-kit", "cunning-driver"]


@given(first=st.permutations(ONE_POINT), second=st.permutations(ONE_POINT))
def test_T2_4_face_down_cards_of_equal_points_look_the_same(first, second):
    """Other players cannot tell three cards of one point apart by their backs; but the owner and the master can."""
    states = [a_state(*duel(b_cards=cards[:3])) for cards in (first, second)]
    for viewer in ("alpha", PUBLIC):
        views = [to_bytes(view_of(state, viewer)) for state in states]
        assert views[0] == views[1]
    if first[:3] != second[:3]:
        for viewer in ("bravo", MASTER):
            assert to_bytes(view_of(states[0], viewer)) != to_bytes(view_of(states[1], viewer))


def test_T2_4_an_open_card_is_seen_and_sealed_orders_are_not():
    state = a_state(
        opened(a_tank("a1", 1000, 5000, cards=["superb-commander"])), orders={"alpha": {"x": 1}, "bravo": {}}
    )
    view = view_of(state, "bravo")
    assert view.tanks["a1"].cards[0].id == "superb-commander"
    assert "alpha" not in view.orders and view_of(state, "alpha").orders == {"alpha": {"x": 1}}


ATTACK_WINDOWS = ["aim", "ward", "reroll", "save", "cancel", "cancel", "convert", "stop", "sharpen", "again"]


@pytest.mark.parametrize(
    "cards", [[], ["sharpshooter", "precise-loader"], ["sandbags"], ["concrete-armour", "tool-kit"]]
)
def test_T2_4_every_window_is_asked_whatever_is_held_and_never_waits(cards):
    """Whatever cards are held, the same asks come in the same order and with the same words."""
    table = a_table(*duel(cards, cards), dice=[1] * 5)
    played = shoot(table, "a1", "b1")
    assert [ask.kind for ask in played.asks] == ATTACK_WINDOWS
    bare = shoot(a_table(*duel(), dice=[1] * 5), "a1", "b1")
    assert played.asks == bare.asks
    assert not any(ask.grade == "order" for ask in played.asks)


def test_T2_4_what_hurts_is_turned_up_as_soon_as_it_counts():
    """A Hasty Loader (+2 shooting, -1 moving) is shown in the first Movement Phase; a Superb Commander may wait."""
    table = a_table(*duel(["hasty-loader"], ["superb-commander"]))
    run_step(table, show_cards(table, "moving"))
    assert table.state.tanks["a1"].cards[0].up
    assert not table.state.tanks["b1"].cards[0].up


def test_T2_2_every_card_does_something_in_some_window_or_phase():
    """Every card in the data has a use: it fits a window, or a rule outside the windows uses it."""
    elsewhere = (
        "moving",
        "shooting",
        "shares_shot",
        "lends",
        "keep_dice",
        "keeps_ammo",
        "twin_ammo",
        "fast",
        "extra_move",
        "early_move",
        "repairs_always",
        "no_fast",
    )
    about = {"close": True, "hits": 1, "criticals": 1, "hit": True}
    for card in packaged().cards.values():
        tank = a_tank("a1", 0, 0, speed=1)
        fits = any(
            fit(card.effect, tank, {**about, "hit": hit, "critical": critical})
            for fit in WINDOWS.values()
            for hit in (True, False)
            for critical in packaged().criticals
        ) or WINDOWS["ward"](card.effect, a_tank("a1", 0, 0), about)
        assert fits or any(getattr(card.effect, name) for name in elsewhere), card.id
