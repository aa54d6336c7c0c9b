"""1.3 Scenario cards, packaged or an owner's, are read, and every mistake is explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.rules import assert_rule
from titles.aslsk.ground.building import board_text

from pbem.titles.aslsk.cards.files import packaged
from pbem.titles.aslsk.cards.scenario_files import (
    check_scenario,
    files_of,
    packaged_scenarios,
    read_scenario,
    scenario_files,
    scenario_format,
)
from pbem.titles.aslsk.title import Aslsk
from pbem.titles.data_files import DataError

CARD = (Path(__file__).parent / "a_card.toml").read_text()


def without_places(card: str) -> str:
    """Return a card that proposes no set-up."""
    return re.sub(r" @\w+(/\d)?", "", card)


def test_1_3_there_are_nine_scenarios_and_three_are_linked():
    loaded = {name: read_scenario(scenario_files(name), name).scenario for name in packaged_scenarios()}

    assert len(loaded) == 9
    tiers = [scenario.tier for scenario in loaded.values()]
    assert {"infantry", "support weapons", "guns", "vehicles"} == set(tiers)
    linked = sorted(
        (scenario for scenario in loaded.values() if scenario.link), key=lambda scenario: scenario.link.part
    )
    assert [scenario.link.part for scenario in linked] == [1, 2, 3]
    slots = [{group.slot for group in scenario.groups if group.slot} for scenario in linked]
    assert slots[0] == slots[1] == slots[2] == {"vanguard", "rearguard"}
    rosters = [
        [piece.card for group in scenario.groups if group.slot for piece in group.pieces] for scenario in linked
    ]
    assert rosters[0] == rosters[1] == rosters[2]


@pytest.mark.parametrize("name", packaged_scenarios())
def test_1_3_every_scenario_is_whole(name):
    loaded = read_scenario(scenario_files(name), name, strict=True)
    scenario, ground = loaded.scenario, loaded.ground

    assert loaded.misfits == ()
    assert len(scenario.sides) == 2 and {scenario.first, scenario.setup_first} <= set(scenario.seats)
    ids = [piece.id for group in scenario.groups for piece in group.pieces]
    assert len(ids) == len(set(ids))
    for group in scenario.groups:
        assert bool(group.area) != bool(group.entry)
        assert all(hex in ground for hex in (*group.area, *group.entry))
        assert all(piece.at in (*group.area, "") for piece in group.pieces)
    for goal in scenario.victory:
        assert all(hex in ground for hex in goal.hexes) and all(id in ground.buildings for id in goal.buildings)


def test_1_3_some_scenario_hides_guns_with_crews_beside_them():
    loaded = read_scenario(scenario_files("wolf-trap"), "wolf-trap")
    (screen,) = [group for group in loaded.scenario.groups if group.guns]
    crews = {piece.at for piece in screen.units if loaded.deck.units[piece.card].kind == "crew"}

    assert {piece.at for piece in screen.guns} == crews
    assert all(piece.facing >= 0 for piece in screen.guns)


def test_1_3_the_check_describes_a_scenario():
    lines = check_scenario(CARD.encode(), {})

    assert lines[0] == "Noon in the Orchards, 1943-07, 6 turns, 179 hexes, needs: support weapons."
    assert "British C Company: 7 squads, 3 leaders, 7 support weapons; ELR 4." in lines


def test_1_3_the_format_lists_every_id():
    text = scenario_format()

    assert "german-467" in text and "russian-t34-85" in text and "no panzerfaust" in text
    assert "Boards: a, b, c, d" in text


MISTAKES = {
    "a misspelt card": ("british-457 x7", "british-475 x7", "Did you mean british-4", "1.2"),
    "a card of another nation": ("british-457 x7", "german-467 x7", "not of the nationality", "5.2"),
    "an unknown side": ('first = "british"', 'first = "britsh"', "Did you mean british?", "3.0"),
    "an unknown nation": ('nation = "italian"', 'nation = "italien"', "Did you mean italian?", "5.2"),
    "a hex off the map": ('entry = ["Z1..Z9"]', 'entry = ["ZZ1..Z9"]', "is not on the map", "1.3"),
    "entry inside the map": ('entry = ["Z1..Z9"]', 'entry = ["S5"]', "not at the edge", "3.1/a-reinforcements"),
    "entry without a turn": ("turn = 1\n", "", "give both a turn and entry hexes", "3.1/a-reinforcements"),
    "a turn too late": ("turn = 1\n", "turn = 9\n", "after the last turn", "3.1/a-reinforcements"),
    "area and entry": ('entry = ["Z1..Z9"]', 'entry = ["Z1..Z9"]\narea = ["Z1"]', "either an area", "1.3"),
    "a place outside the area": ("italian-447 @P4", "italian-447 @J4", "not in its area", "1.3"),
    "too high a stack": ("italian-447 @P4", "italian-447 x4 @P4", "three squads", "3.3.1"),
    "an unknown building": ('"mairie"', '"marie"', "Did you mean mairie?", "1.3"),
    "too many places": ("number = 3", "number = 7", "places to control: 7; it must be 1 to 4", "def/control"),
    "an impossible ELR": ("elr = 2", "elr = 9", "ELR 9", "5.1"),
    "a weapon before its time": ('date = "1943-07"', 'date = "1943-01"', "was not available before 1943-04", "4.4"),
    "a date that is none": ('date = "1943-07"', 'date = "July 43"', "is not a month", "1.3"),
    "an unknown special rule": (
        "turns = 6",
        'turns = 6\nrules = ["no panzerfausts"]',
        "Did you mean no panzerfaust?",
        "1.3",
    ),
    "an unknown board": ('board = "a"', 'board = "q"', "there is no board 'q'", "1.1"),
    "a board twice": ('board = "a"', 'board = "a"\n\n[[board]]\nboard = "a"\ndown = 1', "only once", "1.1"),
    "boards that do not touch": (
        'board = "a"',
        'board = "a"\n\n[[board]]\nboard = "b"\ndown = 3',
        "does not touch any other",
        "1.1/joined-boards",
    ),
    "an entry that cannot be read": ("british-457 x7", "british-457 times 7", "cannot be read", "1.3"),
    "more guns than crews": (
        'weapons = ["british-lmg x3"',
        'guns = ["british-57l-at x9"]\nweapons = ["british-lmg x3"',
        "more Guns",
        "4.0",
    ),
    "a key without meaning": ("turns = 6", "turns = 6\nweather = 1", "no meaning", "1.3"),
    "an id like a column": ('id = "br"', 'id = "bb"', "would look like hexes", "1.3"),
}


@pytest.mark.parametrize("mistake", [name for name, row in MISTAKES.items() if row[3] != "1.3"])
def test_1_3_mistakes_are_explained_with_their_rule(mistake):
    before, after, said, rule = MISTAKES[mistake]
    assert before in CARD

    with pytest.raises(DataError) as caught:
        check_scenario(CARD.replace(before, after, 1).encode(), {})

    found = [item for item in caught.value.mistakes if said in str(item)]
    assert found, str(caught.value)
    assert found[0].rule == rule


@pytest.mark.rule("1.3")
@pytest.mark.parametrize("mistake", [name for name, row in MISTAKES.items() if row[3] == "1.3"])
def test_1_3_what_the_card_itself_gets_wrong_is_explained(mistake):
    before, after, said, rule = MISTAKES[mistake]

    with pytest.raises(DataError) as caught:
        check_scenario(CARD.replace(before, after, 1).encode(), {})

    assert any(said in str(item) for item in caught.value.mistakes), str(caught.value)
    assert_rule(caught.value, rule)


def test_1_3_all_mistakes_are_told_at_once():
    spoilt = (
        CARD.replace("british-457 x7", "british-475 x7").replace("elr = 2", "elr = 9").replace('"mairie"', '"marie"')
    )

    with pytest.raises(DataError) as caught:
        check_scenario(spoilt.encode(), {})

    assert len(caught.value.mistakes) == 3


def test_1_3_an_owner_plays_on_own_boards_with_own_counters():
    board = board_text({"stone": "E5"}, columns=21).replace('id = "t"', 'id = "mine"').encode()
    units = packaged("units.toml").replace(b'strength = "4-5-7"', b'strength = "5-5-7"')
    card = (
        CARD.replace('board = "a"', 'board = "mine"')
        .replace('map = ["J0..Z10"]', "")
        .replace('area = ["M1..T9"]', 'area = ["A1..K12"]')
        .replace('entry = ["Z1..Z9"]', 'entry = ["east"]')
        .replace('buildings = ["church", "mairie", "school", "inn"]\nnumber = 3', 'buildings = ["E5"]')
    )
    card = without_places(card)
    own = {"boards/mine.toml": board, "units.toml": units, "scenarios/mine.toml": card.encode()}

    loaded = read_scenario(scenario_files("mine", own), "mine")

    assert loaded.ground.name == "Noon in the Orchards" and len(loaded.ground) == 21 * 12 + 10
    assert loaded.deck.units["british-457"].fp == 5
    assert check_scenario(card.encode(), {"mine": board, "units": units})


def test_1_3_an_unknown_scenario_is_refused_with_the_nearest_name():
    with pytest.raises(DataError, match="Did you mean first-light"):
        scenario_files("first-ligth")


def test_1_1_boards_that_do_not_fit_are_noted():
    tall = board_text({"stone": "B12"}, columns=21).replace('id = "t"', 'id = "x"').encode()
    plain = board_text({}, columns=21).replace('id = "t"', 'id = "y"').encode()
    card = without_places(packaged("scenarios/first-light.toml").decode())
    card = card.replace('board = "b"', 'board = "x"\n\n[[board]]\nboard = "y"\ndown = 1').replace(
        'map = ["C0..R10"]', ""
    )
    card = card.replace('area = ["G2..N6"]', 'area = ["xG2..xN6"]').replace('entry = ["R1..R9"]', 'entry = ["east"]')
    card = card.replace('hexes = ["I4", "J4", "K4", "K5", "L5", "M4"]\nnumber = 6', 'hexes = ["xI4"]')

    lines = check_scenario(card.encode(), {"x": tall, "y": plain})

    note = "xB12 and yB0 are one hex, but their terrain differs; the board listed first takes precedence."
    assert f"Note: {note}" in lines
    assert files_of(card.encode(), "card", {"boards/x.toml": tall, "boards/y.toml": plain})["boards/y.toml"] == plain


@pytest.mark.rule("1.1/joined-boards")
def test_1_1_boards_that_are_joined_must_touch():
    with pytest.raises(DataError) as caught:
        check_scenario(CARD.replace('board = "a"', 'board = "a"\n\n[[board]]\nboard = "b"\ndown = 3').encode(), {})

    assert_rule(caught.value, "1.1/joined-boards", why="board b: this board does not touch any other board.")


@pytest.mark.rule("1.2.6")
def test_1_2_6_a_large_gun_does_not_fit_into_a_building():
    with pytest.raises(DataError) as caught:
        gun = 'weapons = ["british-lmg x3"'
        card = CARD.replace(gun, f'guns = ["british-114-art @P4"]\n{gun}')
        check_scenario(card.encode(), {})

    assert_rule(caught.value, "1.2.6", why="group br: british-114-art is too large for the building in P4.")


def test_1_3_the_title_plays_what_its_owner_brings():
    """The owner's scenario card, counters and chart are used in the match, with packaged data for the rest."""
    card = packaged("scenarios/first-light.toml").replace(b'name = "First Light"', b'name = "Second Light"')
    units = packaged("units.toml").replace(b'strength = "6-4-8"', b'strength = "7-4-8"')
    chart = packaged("to_hit.toml").replace(b"changes = [0, 2, 1]", b"changes = [0, 3, 1]")
    title = Aslsk({"scenarios/second-light.toml": card, "units.toml": units, "to_hit.toml": chart})

    rules = title.rules(title.freeze("second-light", {}))

    assert "second-light" in title.scenarios and "first-light" in title.scenarios
    assert rules.data.scenario.name == "Second Light"
    assert rules.data.deck.units["finnish-648"].fp == 7
    assert rules.data.charts.to_hit("infantry", False, 1) == 11
    assert title.check_scenario(card, {}) and "## Goals" in title.scenario_format()
