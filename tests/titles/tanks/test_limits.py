"""Limits of options and platoons: the last legal value, the first illegal one, and every reason for a refusal."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.tanks.builders import a_data

from pbem.engine.rules.refusals import Illegal, Refusal, each
from pbem.titles.tanks.data_set import Fielded, Platoon, data_set, freeze
from pbem.titles.tanks.setup.platoon import platoon_objections


def refusals(scenario: str, **options: object) -> list[Refusal]:
    """Return the refusals of these options; there are none if they are accepted."""
    try:
        freeze(scenario, options)
    except Refusal as refusal:
        return list(each(refusal))
    return []


@pytest.mark.rule("T1.1", "T3.1", "T4.1", "T5.1")
def test_T1_1_T3_1_T4_1_T5_1_options_have_limits():
    """The limits are 15 to 500 points, an arrow of 50 to 200 mm, and two paces; anything else is refused."""
    for options in (
        {"points": 15},
        {"points": 500},
        {"arrow_mm": 50},
        {"arrow_mm": 200},
        {"pace": "forms"},
        {"pace": "tank"},
        {"points": 60, "arrow_mm": 120, "pace": "tank"},
    ):
        data = data_set(freeze("village", options))
        assert all(getattr(data.scenario, name) == value for name, value in options.items())
    for points in (14, 501, 60.5, "many", None):
        assert_rule(refusals("village", points=points), "T4.1", why="the limit must be 15 to 500 points")
    for arrow in (49, 201, 120.5, "long", None):
        assert_rule(refusals("village", arrow_mm=arrow), "T5.1", why="the arrow must be 50 to 200 mm long")
    (pace,) = refusals("village", pace="quick")
    assert_rule(pace, "T1.1")
    assert pace.instead == ("forms", "tank") and [found.rule for found in pace.objections] == ["T1.1"]
    (unknown,) = refusals("village", point=60)
    assert_rule(unknown, "T3.1", why="no option has that name")
    assert unknown.instead == ("points",)
    (nowhere,) = refusals("vilage")
    assert_rule(nowhere, "T3.1")
    assert nowhere.instead == ("village",)
    (given,) = refusals("crossroads", points=60)
    assert_rule(given, "T4.1", why="the platoons of this scenario are fixed")
    both = refusals("village", points=14, arrow_mm=201)
    assert [found.objections[0].rule for found in both] == ["T5.1", "T4.1"]


def objections(country: str, *tanks: Fielded, points: int = 200) -> list[tuple[str, str]]:
    found = list(platoon_objections(a_data(points=points), Platoon(country=country, tanks=tanks)))
    if found:
        for objection in found:
            assert_rule(Illegal("platoon", found), objection.rule)
    return [(objection.rule, objection.english) for objection in found]


@pytest.mark.rule("T4.1", "T4.2", "T4.3", "T4.4", "T4.5", "T4.6")
def test_T4_every_reason_against_a_platoon_and_none_against_a_legal_one():
    """A Sherman 75 costs 20, a Sherman 76 costs 25, and a Superb Commander costs 2; a Sherman has four crew slots."""
    crew = ("superb-commander", "dead-eye-gunner")
    legal = Fielded(tank="sherman-75", cards=(*crew, "sandbags"))
    assert objections("us", legal, Fielded(tank="sherman-76")) == []
    assert objections("us") == [("T4.3", "a platoon needs at least one tank")]
    assert objections("us", Fielded(tank="sherman-75"), points=20) == []
    dear = objections("us", Fielded(tank="sherman-75"), points=19)
    assert dear == [("T4.1", "the platoon costs 20 points; the limit is 19")]
    mixed = objections("us", legal, Fielded(tank="t-34"))
    assert mixed == [("T4.2", "tank 2, T-34, belongs to ussr, not us")]
    double = Fielded(tank="sherman-75", cards=("superb-commander", "aggressive-commander"))
    assert objections("us", double) == [("T4.4", "tank 1, Sherman 75, has 2 cards of type commander")]
    data = a_data()
    by_type = {card.type: card for card in data.cards.values() if card.country == "global" and card.crew}
    small = next(model for model in data.models.values() if model.slots < len(by_type))
    full = Fielded(tank=small.id, cards=tuple(card.id for card in by_type.values()))
    crowded = f"tank 1, {small.name}, has {len(by_type)} crew cards but only {small.slots} slots"
    assert ("T4.5", crowded) in objections(small.country, full)
    heroes = [card for card in data.cards.values() if card.hero and card.country == "us"][:2]
    led = [Fielded(tank=(hero.tanks or ("sherman-75",))[0], cards=(hero.id,)) for hero in heroes]
    names = ", ".join(hero.name for hero in heroes)
    assert objections("us", *led) == [("T4.6", f"a platoon can have one hero, not 2: {names}")]
    assert objections("us", led[0]) == []


@pytest.mark.rule("T4.4", "T4.5")
def test_T4_4_T4_5_a_card_for_certain_tanks_fits_no_other():
    """A card that names tanks is refused aboard any other tank (T2.2); a card that names no tank fits all."""
    data = a_data()
    bound = next(card for card in data.cards.values() if card.tanks and not card.hero)
    right = data.models[bound.tanks[0]]
    wrong = next(m for m in data.models.values() if m.country == right.country and m.id not in bound.tanks)
    fitting = ", ".join(data.models[tank].name for tank in bound.tanks)
    assert objections(right.country, Fielded(tank=right.id, cards=(bound.id,))) == []
    found = objections(right.country, Fielded(tank=wrong.id, cards=(bound.id,)))
    assert found == [("T2.2", f"{bound.name} fits only {fitting}")]
    twice = Fielded(tank=right.id, cards=(bound.id, bound.id))
    assert ("T4.4", f"tank 1, {right.name}, has 2 cards of type {bound.type}") in objections(right.country, twice)
    crews = [card.id for card in data.cards.values() if card.crew and card.country == "global"]
    many = Fielded(tank=right.id, cards=tuple(crews[: right.slots + 1]))
    assert "T4.5" in {rule for rule, _ in objections(right.country, many)}
