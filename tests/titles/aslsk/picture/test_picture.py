"""1.1, 1.2 The map picture is well-formed and complete, shows only what it was given, and has a text version."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from titles.aslsk.builders import board_ground

from pbem.titles.aslsk.cards.deck import deck
from pbem.titles.aslsk.cards.scenario_files import packaged_boards
from pbem.titles.aslsk.ground.explained_sight import sight
from pbem.titles.aslsk.picture.board import ground_picture
from pbem.titles.aslsk.picture.counters import open_stack
from pbem.titles.aslsk.picture.scene import scene
from pbem.titles.aslsk.picture.words import Sign, Token, describe, hex_words, token_words

SVG = "{http://www.w3.org/2000/svg}"
TOKENS = (
    Token("g1", "german-467", "P4", "german", own=True, markers=("Prep Fire",)),
    Token("g2", "german-mmg", "P4", "german", own=True, holder="g1"),
    Token("g3", "german-75l-at", "S4", "german", own=True, facing=0, hidden=True),
    Token("r1", "russian-628", "M5", "russian", broken=True, markers=("DM", "<Pin>")),
    Token("r2", "russian-t34-85", "I6", "russian", facing=0, turret=1),
)
SIGNS = (Sign("U5", "smoke", "+2"), Sign("T6", "residual", "4"), Sign("R4", "control", side="german"))


def a_scene(**more) -> ElementTree.Element:
    return ElementTree.fromstring(scene(board_ground("a"), deck(), TOKENS, SIGNS, **more))


@pytest.mark.parametrize("id", packaged_boards())
def test_1_1_every_hex_can_be_pointed_at_and_says_what_it_is(id):
    ground = board_ground(id)
    root = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{ground_picture(ground)}</svg>')

    pointed = {
        path.get("data-hex"): path.find(f"{SVG}title").text
        for path in root.iter(f"{SVG}path")
        if path.get("data-hex")
    }
    assert pointed == {hex: str(hex_words(ground, hex)) for hex in ground.hexes}


def test_1_2_every_counter_is_drawn_once_with_its_words():
    drawn = [group for group in a_scene().iter(f"{SVG}g") if group.get("data-unit")]

    assert sorted(group.get("data-unit") for group in drawn) == ["g1", "g2", "g3", "r1", "r2"]
    assert {group.get("data-unit") for group in drawn if group.get("data-own") is not None} == {"g1", "g2", "g3"}
    for group, token in zip(sorted(drawn, key=lambda group: group.get("data-unit")), TOKENS, strict=True):
        assert group.find(f"{SVG}title").text == str(token_words(deck(), token))
        assert group.get("data-at") == token.hex


def test_1_2_printed_numbers_stand_on_the_counters():
    texts = {
        group.get("data-unit"): ["".join(text.itertext()) for text in group.iter(f"{SVG}text")]
        for group in a_scene().iter(f"{SVG}g")
        if group.get("data-unit")
    }

    assert "41-6-7" in texts["g1"]  # firepower 4 with smoke exponent 1
    assert {"5-12", "2", "3PP"} <= set(texts["g2"])
    assert {"75L", "M8", "2"} <= set(texts["g3"])
    assert {"8", "BROKEN"} <= set(texts["r1"]) and "6-2-8" not in texts["r1"]
    assert {"16", "11", "6", "85L", "2/4"} <= set(texts["r2"])


def test_1_2_the_picture_knows_nothing_that_it_was_not_given():
    seen = scene(board_ground("a"), deck(), [token for token in TOKENS if not token.hidden], SIGNS)

    assert 'data-unit="g3"' not in seen and "PaK" not in seen and ">75L<" not in seen


def test_3_2_1_the_thread_is_drawn_with_its_explanation():
    ground = board_ground("a")
    blocked = sight(ground, "Q8", "Y6")
    root = a_scene(sights=[blocked])

    (thread,) = [group for group in root.iter(f"{SVG}g") if group.get("data-thread")]
    assert thread.get("data-thread") == "Q8 Y6"
    assert thread.find(f"{SVG}title").text.startswith("Q8 to Y6: blocked by a building in R7")


def test_1_2_the_text_twin_says_the_same():
    lines = list(map(str, describe(board_ground("a"), deck(), TOKENS, SIGNS, {"german": "Holtz"})))

    first = next(number for number, line in enumerate(lines) if line.startswith("The ground"))
    assert lines[:first] == [
        "I6: open ground, paved road",
        "  r2: Soviet T-34/85, facing east, turret north-east [russian]",
        "M5: wooden building",
        "  r1: Soviet elite squad 6-2-8, broken, DM, <Pin> [russian]",
        "P4: stone building (church)",
        "  g2: German MMG 5-12, with g1 [Holtz]",
        "  g1: German first-line squad 4-6-7, Prep Fire [Holtz]",
        "R4: stone building (mairie) | controlled by the German side",
        "S4: wooden building",
        "  g3: German 7.5cm PaK 40 (75L AT), facing east, hidden [Holtz]",
        "T6: wooden building | Residual FP 4",
        "U5: open ground, paved road | smoke +2",
    ]
    assert lines[first].endswith("open ground.") and any(line.startswith("woods") for line in lines[first:])
    assert "\n".join(lines) == a_scene(names={"german": "Holtz"}).find(f"{SVG}desc").text


def test_1_2_a_stack_can_be_laid_out():
    root = ElementTree.fromstring(open_stack(deck(), TOKENS[:2]))
    assert [group.get("data-unit") for group in root.iter(f"{SVG}g") if group.get("data-unit")] == ["g1", "g2"]


def test_1_1_out_of_season_fields_are_stubble_and_orchards_bare():
    summer, winter = scene(board_ground("c", 7), deck()), scene(board_ground("c", 12), deck())

    assert 'fill="url(#p-grain)"' in summer and 'fill="url(#p-grain)"' not in winter
    assert 'href="#bare"' in winter and 'href="#tree"' not in winter


@pytest.mark.parametrize("id", packaged_boards())
def test_1_1_the_key_below_the_map_names_the_ground_on_it_and_nothing_else(id):
    ground = board_ground(id)
    root = ElementTree.fromstring(scene(ground, deck()))
    key = next(group for group in root.iter(f"{SVG}g") if group.get("data-key"))
    named = {text.text for text in key.iter(f"{SVG}text")}

    printed = {place.printed for place in ground.hexes.values()}
    assert {kind for kind in ("woods", "brush") if kind in printed} == {
        name.lower() for name in named if name in ("Woods", "Brush")
    }
    assert ("Stone building" in named) == any(
        place.terrain == "building" and place.stone for place in ground.hexes.values()
    )
    left, top, width, height = map(int, key.get("data-key").split())
    bottom = [int(number) for number in root.get("viewBox").split()]
    assert top + height == bottom[1] + bottom[3] and (left, width) == (bottom[0], bottom[2])
    on_map = [int(number) for number in root.get("data-map").split()]
    assert top > on_map[1] + on_map[3], "counters at the lower edge do not cover the key"
