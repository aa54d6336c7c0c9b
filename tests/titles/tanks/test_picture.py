"""The table as a picture: well-formed, with the same in words, and no more than the viewer may know."""

from __future__ import annotations

from xml.etree import ElementTree

from titles.tanks.builders import a_data, a_piece, a_state, a_tank, opened

from pbem.titles.tanks.picture import svg
from pbem.titles.tanks.state import Status
from pbem.titles.tanks.view import view_of


def test_T2_4_the_picture_shows_backs_of_hidden_cards_and_names_of_open_ones():
    state = a_state(
        a_tank("a1", 2000, 6000, cards=["superb-commander"]),
        opened(a_tank("b1", 2000, 2000, cards=["tungsten"], criticals=["busted-track"])),
        a_tank("b2", 4000, 2000, status=Status.WRECK),
        pieces=[a_piece("wood-1", 4500, 4500, 30)],
    )
    drawn = {viewer: svg(a_data(), view_of(state, viewer), viewer=viewer) for viewer in ("alpha", "bravo", "public")}
    for picture in drawn.values():
        ElementTree.fromstring(picture)
        for words in ("Tungsten Rounds", "Busted Track", "wood-1 at 450/450", "b2 Panzer IV (bravo), wreck"):
            assert words in picture
    assert "Superb Commander" in drawn["alpha"]
    assert "Superb Commander" not in drawn["bravo"] and "a card of 2" in drawn["bravo"]
    assert drawn["bravo"] == drawn["public"]
