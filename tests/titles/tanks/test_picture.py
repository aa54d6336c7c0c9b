"""The table as a picture is well-formed, has a description, and contains no secrets."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from titles.tanks.builders import a_data, a_piece, a_state, a_tank, opened

from pbem.titles.tanks.data_files import packaged_names
from pbem.titles.tanks.picture.margins import DIRECTIONS, cover_by_direction
from pbem.titles.tanks.picture.scene import svg
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status
from pbem.titles.tanks.title import Tanks
from pbem.titles.tanks.view import view_of


def test_T2_4_the_picture_shows_backs_of_hidden_cards_and_names_of_open_ones():
    state = a_state(
        a_tank("a1", 2000, 6000, cards=["superb-commander"]),
        opened(a_tank("b1", 2000, 2000, cards=["tungsten"], criticals=["busted-track"])),
        a_tank("b2", 4000, 2000, status=Status.WRECK),
        pieces=[a_piece("wood-1", 4500, 4500, 30)],
    )
    drawn = {
        viewer: svg(Situation(a_data(), view_of(state, viewer)), viewer=viewer)
        for viewer in ("alpha", "bravo", "public")
    }
    for picture in drawn.values():
        ElementTree.fromstring(picture)
        for words in ("Tungsten Rounds", "Busted Track", "wood-1 at 45/45 cm", "b2 Panzer IV (Bravo), wreck"):
            assert words in picture
    assert "Superb Commander" in drawn["alpha"]
    assert "Superb Commander" not in drawn["bravo"] and "a card of 2" in drawn["bravo"]
    assert re.sub(r' data-own="" data-moves="\d"', "", drawn["bravo"]) == drawn["public"]


def test_T7_7_lines_run_to_every_corner_and_are_broken_where_it_is_hidden():
    """The lines from a1 at 300/600 to the two western corners of b1 are broken, as the building hides these."""
    building = a_piece("building-1", 2700, 4000)
    state = a_state(a_tank("a1", 3000, 6000), a_tank("b1", 3000, 2000), pieces=[building], phase="shooting")
    root = ElementTree.fromstring(svg(Situation(a_data(), state), viewer="alpha"))
    group = next(each for each in root.iter() if each.get("data-sight") == "a1 b1")
    assert ["stroke-dasharray" in path.attrib for path in group] == [True, False, False, True]
    (middle,) = next(each for each in root.iter() if each.get("class") == "latest")
    assert middle.get("d") == "M300 600L300 200", (
        "a line of sight is left out of films, where it would look like fire"
    )


def test_a_page_can_order_by_pointer_own_tanks_only():
    """The page gets the arrow's length, the phase and, for each live tank of the player, heading, hull and moves."""
    state = a_state(a_tank("a1", 2000, 6000, 90), a_tank("b1", 2000, 2000), phase="movement")
    root = ElementTree.fromstring(svg(Situation(a_data(), state), viewer="alpha"))
    assert (root.get("data-arrow"), root.get("data-phase")) == ("150", "movement")
    assert root.get("data-verbs") == "stay;hunt;hide;rush"
    own, other = (each for each in root.iter() if each.get("data-unit"))
    assert (own.get("data-heading"), own.get("data-half"), own.get("data-moves")) == ("90", "29 13", "2")
    assert other.get("data-own") is other.get("data-moves") is None


def test_T6_every_kind_of_terrain_has_a_pattern_beside_its_colour_and_the_key_shows_it():
    kinds = sorted(a_data().kinds)
    pieces = [a_piece(f"{kind}-1", 1500 * number + 1500, 4500) for number, kind in enumerate(kinds)]
    root = ElementTree.fromstring(svg(Situation(a_data(), a_state(pieces=pieces)), viewer="public"))
    ids = {each.get("id") for each in root.iter() if each.tag.endswith("pattern")}
    key = next(each for each in root.iter() if each.get("data-key"))
    for where, shape in ((root, "polygon"), (key, "rect")):
        fills = [each.get("fill") for each in where.iter() if each.tag.endswith(shape)]
        assert {f"url(#{kind})" for kind in kinds} <= set(fills)
    assert ids == set(kinds)


def test_T7_7_the_ring_of_cover_says_for_each_direction_what_a_shooter_there_sees():
    """Three buildings are north of the tank: from the north the tank cannot be seen, but from the south it is in the
    open.

    In a wood it has cover from every direction (T6.2).
    """
    tank = a_tank("a1", 4500, 4500, 90)
    walls = [a_piece(f"building-{number}", 4000 + 500 * number, 3800) for number in (0, 1, 2)]
    found = dict(
        zip(DIRECTIONS, cover_by_direction(Situation(a_data(), a_state(tank, pieces=walls)), tank), strict=True)
    )
    assert (found[0], found[180]) == ("unseen", "open") and "cover" in found.values()
    wood = a_state(tank, pieces=[a_piece("wood-1", 4500, 4500)])
    assert set(cover_by_direction(Situation(a_data(), wood), tank)) == {"cover"}


@pytest.mark.parametrize("scenario", packaged_names("scenarios"))
def test_T3_the_picture_before_the_set_up_shows_how_the_table_may_look(scenario):
    rules = Tanks().rules(Tanks().freeze(scenario, {}))
    before = rules.setup(Tanks.switches)
    view = rules.view(before, "public")
    assert 'data-unit="b1"' not in rules.picture(view), "a match shows only what is on its table"
    picture = rules.picture(rules.example(view))
    assert picture.count("<polygon") >= 12 and 'data-unit="b1"' in picture and 'data-axes=""' in picture
    assert before.pieces == [] and before.tanks == {}


def test_terrain_of_the_scenario_is_seen_while_platoons_are_chosen():
    """A player chooses tanks for a table that everybody can read in the scenario; `building-4` is at 50/50 cm."""
    title = Tanks()
    rules = title.rules(title.freeze("village", {}))
    picture = rules.picture(rules.setup(title.switches), "alpha")
    assert picture is not None and "building-4 at 50/50 cm" in picture and picture.count('fill="url(#wood)"') > 1


def test_hulls_to_be_deployed_are_drawn_in_their_size_for_their_owner_alone():
    """A Sherman 75 is 58 by 26 mm."""
    state = a_state(a_tank("a1", 0, 0, status=Status.RESERVE), a_tank("b1", 0, 0, status=Status.RESERVE))
    assert 'data-reserves="a1 29 13"' in svg(Situation(a_data(), state), viewer="alpha")
    assert "data-reserves" not in svg(Situation(a_data(), state), viewer="public")
