"""T2 The data files: public values as published, our own critical deck, and files that an owner may replace."""

from __future__ import annotations

import pytest
from titles.tanks.builders import a_table, packaged, run_step

from pbem.engine.rules.refusals import Refusal
from pbem.titles.data_files import DataError
from pbem.titles.tanks.cards.criticals import new_deck
from pbem.titles.tanks.data_set import data_set, freeze
from pbem.titles.tanks.setup.steps import terrain_step
from pbem.titles.tanks.title import Tanks
from pbem.tools.simulate import play

# Nation and its keyword; name, points: initiative/attack/defence/hull/slots, further keywords.
TANKS = """
us gung-ho: Sherman 75 20 6/4/1/6/4; Sherman 76 25 6/5/1/6/4; Pershing 33 6/5/2/7/4; Super Pershing 46 4/6/3/8/4
uk semi-indirect-fire: Comet 29 7/5/1/6/4 fast; Cromwell 23 8/4/2/5/4 fast; Firefly 21 5/5/1/5/3
uk semi-indirect-fire: Sherman V 15 5/4/1/4/4
germany blitzkrieg: Panther 32 7/5/2/6/4; Jagdpanther 35 6/6/2/6/4 assault-gun; Panzer IV 17 5/4/1/5/4
germany blitzkrieg: StuG G 15 3/4/1/5/3 assault-gun
ussr coordinated-fire: T-34 18 4/4/1/5/3 fast; T-34/85 25 6/5/1/5/4 fast; SU-85 18 3/5/1/4/3 fast assault-gun
ussr coordinated-fire: SU-100 26 1/6/2/6/3 assault-gun; IS-2 38 4/6/2/8/3 heavy; IS-85 33 5/5/2/8/3 heavy
ussr coordinated-fire: ISU-152 32 2/5/2/7/3 assault-gun big-gun
"""

# Points; heroes with their countries.
CARDS = """
aggressive-commander 1, cunning-commander 1, superb-commander 2, precise-commander 4, bloodthirsty-gunner 3,
dead-eye-gunner 3, deadly-gunner 4, sharpshooter 5, aggressive-loader 1, clever-loader 1, resourceful-loader 1,
hasty-loader 2, precise-loader 4, cunning-driver 1, racing-driver 2, coordinator 3, extra-ammunition 3,
super-velocity 2 uk, tungsten 2 germany, arrowhead 1 ussr, improvised-armour 2, concrete-armour 3, sandbags 3,
camouflage 4, add-on-armour 5, supercharger 2, fire-extinguisher 1, medical-kit 1, bigger-hammer 1, tool-kit 1,
liquid-courage 1, richards 4 us, oller 7 us, boggs 6 us, pool 8 us, mason 6 us, irwin 7 us, radley-walters 10 uk,
ekins 3 uk, harris 6 uk, woll 5 germany, baeke 6 germany, barkmann 8 germany, biermeyer 8 germany,
rettemeier 6 germany, wittmann 11 germany, oskin 8 ussr, kolobanov 5 ussr, storozhenko 5 ussr, oktyabrskaya 4 ussr,
krysov 6 ussr
"""
KNOWN = {
    "Busted Track",
    "Damaged Engine",
    "Jammed Turret",
    "Engine Fire",
    "Injured Crew",
    "Bailed Out",
    "Shell Shocked",
    "Stunned Crew",
}


def test_T2_1_tank_cards_have_the_public_values():
    by_name = {model.name: model for model in packaged().models.values()}
    for line in TANKS.strip().splitlines():
        nation, _, tanks = line.partition(": ")
        country, keyword = nation.split()
        for tank in tanks.split("; "):
            words = tank.split()
            at = next(number for number, word in enumerate(words) if word.count("/") == 4)
            model = by_name.pop(" ".join(words[: at - 1]))
            values = (model.initiative, model.attack, model.defence, model.hull, model.slots)
            assert (model.country, model.points) == (country, int(words[at - 1])), model.name
            assert "/".join(map(str, values)) == words[at], model.name
            assert sorted(model.keywords) == sorted([keyword, *words[at + 1 :]]), model.name
    isu = by_name.pop("ISU-122")  # its points are ours
    assert (isu.initiative, isu.attack, isu.defence, isu.hull, isu.slots) == (3, 6, 2, 7, 3)
    assert not by_name


def test_T2_2_cards_have_the_public_points():
    cards = dict(packaged().cards)
    for words in (said.split() for said in CARDS.replace("\n", " ").split(",")):
        card = cards.pop(words[0])
        assert (card.points, card.country) == (int(words[1]), words[2] if len(words) > 2 else "global"), card.id
    assert sorted(cards) == ["hyper-velocity"]  # its points are ours


def test_T2_3_the_critical_deck_has_at_least_twenty_cards_around_the_eight_known_ones():
    data = packaged()
    assert len(new_deck(data)) >= 20
    assert {critical.name for critical in data.criticals.values()} >= KNOWN
    for row in (*data.models.values(), *data.cards.values(), *data.criticals.values(), *data.kinds.values()):
        assert row.source.startswith(("public", "house", "rulebook")), row.id


# --- files of owners -----------------------------------------------------------------------------------------


def another_deck() -> bytes:
    """Return the packaged deck with five more Spalling cards that do twice the damage."""
    text = freeze("crossroads", {})["criticals"].decode()
    old = 'id = "spalling"\nname = "Spalling"\ncount = 4\ndamage = 1\n'
    assert old in text
    return text.replace(old, 'id = "spalling"\nname = "Splinters"\ncount = 9\ndamage = 2\n').encode()


def test_T2_3_an_owner_plays_with_his_own_deck():
    title = Tanks({"criticals": another_deck()})
    rules = title.rules(title.freeze("crossroads", {}))
    assert new_deck(rules.data).count("spalling") == 9
    assert rules.data.criticals["spalling"].damage == 2
    match = play(title, "crossroads", "own")
    assert match.ended and not match.flaws
    assert new_deck(data_set(Tanks().freeze("crossroads", {}))).count("spalling") == 4  # no other card does


@pytest.mark.parametrize(
    "own, why",
    [
        ({"critical": b""}, "critical: no file with that name can be replaced"),
        ({"criticals": b"[[critical"}, "this is not valid TOML"),
        ({"criticals": b"\xff"}, "the file is not UTF-8 text"),
        ({"criticals": b""}, "there is no critical 'engine-fire'"),
        (
            {"criticals": b'[[critical]]\nid = "x"\nname = "X"\ncount = 1\ndamge = 1\nsource = ""\n'},
            "critical x: there is no entry",
        ),
        ({"tanks": b""}, "there is no tank 'sherman-76'"),
    ],
)
def test_T2_a_slip_in_an_owners_file_is_named_before_a_match_begins(own, why):
    with pytest.raises(DataError, match=why):
        Tanks(own).freeze("crossroads", {})


@pytest.mark.parametrize("length, taken", [(49, False), (50, True), (200, True), (201, False), ("x", False)])
def test_T5_1_a_match_may_have_an_arrow_of_another_length(length, taken):
    if taken:
        assert data_set(freeze("crossroads", {"arrow_mm": length})).scenario.arrow == 10 * length
    else:
        with pytest.raises(Refusal, match="the arrow must be 50 to 200 mm long"):
            freeze("crossroads", {"arrow_mm": length})


def test_T4_1_options_may_be_said_in_words_and_are_kept_in_their_types():
    said = freeze("village", {"points": "100", "arrow_mm": "120", "pace": "tank"})
    assert said == freeze("village", {"points": 100, "arrow_mm": 120, "pace": "tank"})
    assert (data_set(said).scenario.points, data_set(said).scenario.arrow) == (100, 1200)
    for wrong in ("many", "9", "1000", "50.5"):
        with pytest.raises(Refusal):
            freeze("village", {"points": wrong})


def test_T4_1_every_choice_that_is_offered_can_be_frozen():
    title = Tanks()
    for scenario in title.scenarios:
        for name, values in title.choices_for(scenario).items():
            for value in values:
                title.freeze(scenario, {name: str(value)})


def test_T3_1_all_pieces_of_the_open_battle_find_a_place():
    """All eight pieces are placed if there are no wishes; wishes are tested in `setup/test_setup.py`."""
    rules = Tanks().rules(freeze("open-battle", {}))
    table = a_table(data=rules.data, dice=[6, 1])
    run_step(table, terrain_step(table))
    assert len(table.state.pieces) == 8
