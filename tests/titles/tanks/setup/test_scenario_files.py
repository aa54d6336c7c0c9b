"""T3 Scenarios and cards that players write: every mistake is reported at once, in plain words, with its rule."""

from __future__ import annotations

import pytest
from support.rules import assert_rule

from pbem.titles.data_files import DataError
from pbem.titles.tanks.data_files import packaged, packaged_names
from pbem.titles.tanks.setup.scenario_files import check_scenario, scenario_format
from pbem.titles.tanks.title import Tanks

BRIDGEHEAD = packaged("scenarios/bridgehead.toml").decode()


def mistakes(text: str, **beside: str) -> list[tuple[str, str]]:
    """Return the mistakes in a scenario and its card files, each with its rule."""
    try:
        check_scenario(text.encode(), {name: content.encode() for name, content in beside.items()})
    except DataError as refused:
        for objection in refused.objections:
            assert_rule(refused, objection.rule, why=objection.english)
        return [(objection.english, objection.rule) for objection in refused.objections]
    return []


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for before, after in pairs:
        assert before in text, before
        text = text.replace(before, after)
    return text


@pytest.mark.parametrize("name", packaged_names("scenarios"))
def test_T3_our_own_scenarios_have_no_mistakes_and_are_described(name):
    lines = Tanks().check_scenario(packaged(f"scenarios/{name}.toml"), {})
    assert lines[0].endswith("turns, a table of 900 mm, an arrow of 150 mm")
    assert {line.split(":")[0] for line in lines} >= {"alpha", "bravo", "terrain on the table", "tempo"}


def test_T3_all_mistakes_of_form_are_named_at_once():
    text = changed(
        BRIDGEHEAD, ("hold = 2", 'hold = "two"'), ("turns = 8", "turn = 8"), ("at = [300, 600]", "at = 300")
    )
    assert mistakes(text) == [
        ("scenario: there is no entry 'turn'. Did you mean turns?", "T2"),
        ("scenario: the entry 'turns' is missing.", "T2"),
        ("scenario, piece 5, at: a list of 2 whole numbers is expected, not 300.", "T2"),
        ("scenario, objective 1, hold: a whole number is expected, not 'two'.", "T2"),
    ]


@pytest.mark.parametrize(
    "before, after, why, rule",
    [
        ("turns = 8", "turns = 0", "turns: 0 is out of range; give 1 to 99.", "T3"),
        ('edge = "north"', 'edge = "norht"', "edge: 'norht' is not possible", "T3.2"),
        ('edge = "north"', "", "a scenario that names the attacker must also give the defender's edge.", "T3.2"),
        ('seat = "bravo"', 'seat = "alpha"', "bravo needs one platoon, but the file has 0.", "T4.1"),
        ('seat = "bravo"', 'seat = "charlie"', "there is no seat 'charlie'.", "T2"),
        ('{tank = "panther"}', '{tank = "t-34"}', "tank 1, T-34, belongs to ussr, not germany.", "T4.2"),
        ('{tank = "panther"}', '{tank = "panter"}', "there is no tank 'panter'. Did you mean panther?", "T2"),
        ("points = 80", "points = 60", "the platoon costs 61 points; the limit is 60.", "T4.1"),
        ("points = 80", "points = 70", "61 for tanks and 11 for cards exceed the limit of 70.", "T4.1"),
        ("choose = false", "choose = true", "card_points are only for fixed platoons", "T4.1"),
        ("[540, 330]", "[880, 330]", "building at 880/330: it is off the table, which measures 900 mm.", "T3.1"),
        ("[540, 330]", "[360, 350]", "building at 360/350: it overlaps building at 360/330.", "T3.1"),
        ("heading = 90", "heading = 400", "the heading 400 is not a bearing from 0 to 359.", "T3.1"),
        ('edge = "north"', 'edge = "north"\nbuildings = 20', "there is no room for 20 pieces", "T3.1"),
        ("[450, 400]", "[450, 4000]", "objective crossing: it is off the table, which measures 900 mm.", "T8.2"),
        ("hold = 2", "hold = 9", "hold must be 1 to 8 turns.", "T8.2"),
        (
            '{tank = "panther"}',
            '{tank = "panther", cards = ["sandbags"]}',
            "a scenario cannot list 'sandbags'",
            "T2.4",
        ),
        ('kind = "wood"', 'kind = "woods"', "there is no kind of terrain 'woods'. Did you mean wood?", "T2"),
    ],
)
def test_T3_each_mistake_is_explained_with_its_rule(before, after, why, rule):
    found = mistakes(changed(BRIDGEHEAD, (before, after)))
    assert [line for line, of in found if why in line and of == rule], found


@pytest.mark.parametrize(
    "file, before, after, why, rule",
    [
        ("tanks", 'keywords = ["gung-ho"]', 'keywords = ["gung-hoo"]', "there is no keyword 'gung-hoo'.", "T9"),
        ("tanks", "hull = 6", "hull = 0", "hull is 0; it must be at least 1.", "T2.1"),
        ("tanks", "length = 58", "length = 580", "a tank is longer than the arrow", "T3.3"),
        ("tanks", 'id = "sherman-76"', 'id = "sherman-75"', "the id is used more than once.", "T2"),
        ("criticals", "count = 4", "count = 0", "count must be at least 1, and damage cannot be negative.", "T2.3"),
        ("terrain", 'id = "impassable"', 'id = "swamp"', "there is no kind of terrain 'impassable'.", "T2"),
        ("defence_modifiers", '"in_cover"', '"in_the_open"', "'in_the_open' is not possible", "T7.6"),
        ("crew_and_upgrades", "effect = {shooting", "effect = {shoting", "there is no entry 'shoting'.", "T2"),
        ("crew_and_upgrades", "[[card]]", "[[cards]]", "there is no table 'cards'. Did you mean card?", "T2"),
    ],
)
def test_T2_mistakes_in_an_owners_cards_are_explained_too(file, before, after, why, rule):
    platoon = '{tank = "panther"}', '{tank = "sherman-75"}'
    own = changed(packaged(f"{file}.toml").decode(), (before, after))
    found = mistakes(changed(BRIDGEHEAD, platoon), **{file: own})
    assert [line for line, of in found if why in line and of == rule], found


def test_T2_an_owners_cards_are_used_and_named():
    own = packaged("tanks.toml").decode().replace('name = "Panther"', 'name = "Panther Ausf. A"')
    lines = check_scenario(BRIDGEHEAD.encode(), {"tanks": own.encode(), "village": b"name = 1"})
    assert "bravo: Panther Ausf. A, StuG G, Panzer IV (germany), 64 points and cards for 14" in lines
    assert lines[-1] == "Cards from your own files: tanks.toml"


def test_T3_what_is_legal_but_seldom_meant_gets_a_hint():
    text = changed(BRIDGEHEAD, ("card_points = 14", "card_points = 16"), ("card_points = 11", "card_points = 0"))
    assert "check this: bravo has 80 points against 61" in check_scenario(text.encode(), {})
    with pytest.raises(DataError, match="one rulebook"):
        check_scenario(text.encode(), {}, "2016")


def test_T3_the_format_names_all_ids():
    text = scenario_format()
    assert text.startswith("# How to write a scenario for TANKS") and "jagdpanther" in text and "impassable" in text


@pytest.mark.rule("T2.1", "T2.3", "T3.1", "T3.2", "T4.1", "T7.6", "T8.2")
def test_T2_1_T8_2_the_last_legal_value_is_taken_and_the_next_is_not():
    """Cards may have a hull, length, width and price of 1, no dice and no crew.

    Scenarios may have 99 turns, 500 points, an objective at the corner that is held for all turns, an edge without an
    attacker, and cards up to the limit.
    """
    own = packaged("tanks.toml").decode().replace('id = "panther"', 'id = "panter"')
    tank = 'id = "panther"\nname = "P"\ncountry = "germany"\nkeywords = []\ntext = ""\nsource = "own"\n'
    least = {"points": 1, "hull": 1, "length": 1, "width": 1, "initiative": 0, "attack": 0, "defence": 0, "slots": 0}

    def with_tank(**values: int) -> str:
        rows = "\n".join(f"{name} = {value}" for name, value in (least | values).items())
        return f"{own}\n[[tank]]\n{tank}{rows}\n"

    assert mistakes(BRIDGEHEAD, tanks=with_tank()) == []
    for name, value in least.items():
        why = "it must be at least 1" if value else "it cannot be negative"
        wrong = mistakes(BRIDGEHEAD, tanks=with_tank(**{name: value - 1}))
        assert (f"tank panther: {name} is {value - 1}; {why}.", "T2.1") in wrong
    for name, least_of, most in (
        ("turns", 1, 99),
        ("points", 80, 500),
        ("arrow_mm", 80, 200),
        ("table_mm", 800, 3000),
    ):
        lone = changed(BRIDGEHEAD, ("hold = 2", "hold = 1"))
        known = {"turns": "turns = 8", "points": "points = 80"}.get(name, 'name = "Bridgehead"')
        kept = "" if name in ("turns", "points") else f"{known}\n"
        for value, fine in ((least_of, True), (most, True), (most + 1, False)):
            assert (mistakes(changed(lone, (known, f"{kept}{name} = {value}"))) == []) is fine, (name, value)
    deck = packaged("criticals.toml").decode()
    none = mistakes(BRIDGEHEAD, criticals=deck.replace("count = 4", "count = 0"))
    assert {rule for _, rule in none} == {"T2.3"}
    rows = packaged("defence_modifiers.toml").decode()
    strange = mistakes(BRIDGEHEAD, defence_modifiers=rows.replace('"in_cover"', '"in_the_open"'))
    assert [rule for _, rule in strange] == ["T7.6"] and mistakes(BRIDGEHEAD, defence_modifiers=rows) == []
    assert mistakes(BRIDGEHEAD, criticals=deck.replace("damage = 1", "damage = 0")) == []
    low = mistakes(BRIDGEHEAD, criticals=deck.replace("damage = 1", "damage = -1"))
    assert {rule for _, rule in low} == {"T2.3"}
    assert mistakes(BRIDGEHEAD, criticals=deck.replace("count = 4", "count = 1")) == []
    assert mistakes(changed(BRIDGEHEAD, ("[450, 400]", "[900, 0]"), ("hold = 2", "hold = 8"))) == []
    off = mistakes(changed(BRIDGEHEAD, ("[450, 400]", "[901, 0]")))
    assert off == [("objective crossing: it is off the table, which measures 900 mm.", "T8.2")]
    assert mistakes(packaged("scenarios/open-battle.toml").decode()) == []
    rolled = changed(BRIDGEHEAD, ('attacker = "alpha"\n', ""))
    assert mistakes(rolled) == []
    hint = "check this: there is an objective, but a roll decides which side attacks it (T3.2)"
    assert hint in check_scenario(rolled.encode(), {}) and hint not in check_scenario(BRIDGEHEAD.encode(), {})
    assert mistakes(changed(BRIDGEHEAD, ("points = 80", "points = 78"))) == []
    over = mistakes(changed(BRIDGEHEAD, ("points = 80", "points = 77")))
    assert [rule for _, rule in over] == ["T4.1"]
    both = mistakes(changed(BRIDGEHEAD, ('edge = "north"', 'edge = ""'), ("[540, 330]", "[876, 330]")))
    assert [rule for _, rule in both] == ["T3.2", "T3.1"]


def test_T3_an_unknown_name_does_not_hide_the_other_mistakes():
    text = changed(BRIDGEHEAD, ("turns = 8", "turns = 0"), ('"panther"', '"tiger"'))
    found = [why.partition(":")[0] for why, _ in mistakes(text)]
    assert found[:2] == ["platoon of bravo", "turns"]
