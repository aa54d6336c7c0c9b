"""A draft on the page is saved, and shown only to the account in its seat."""

from __future__ import annotations

import pytest

from pbem.matches.exchange import advancing, closing


def test_a_draft_survives_a_reload_and_another_tab_is_asked(ann, bob, nobody, match):
    first = ann.post(f"/matches/{match}/draft", orders="r1 go3", version=0, at_deadline="true")
    assert first.status_code == 200 and first.json["draft"]["version"] == 1
    assert ann.get(f"/matches/{match}/draft.json").json["draft"]["text"] == "r1 go3"
    other = ann.post(f"/matches/{match}/draft", orders="r1 hold", version=0)
    assert other.status_code == 409 and other.json["draft"]["text"] == "r1 go3"
    assert bob.get(f"/matches/{match}/draft.json").json == {"draft": None}
    assert nobody.get(f"/matches/{match}/draft.json").status_code == 404
    assert "r1 go3" not in bob.get(f"/matches/{match}").text


def test_the_page_says_what_a_draft_is_and_what_protects_it(ann, match):
    page = ann.get(f"/matches/{match}").text
    assert "Who can read a draft" in page and "protects you if a file or backup is lost" in page


@pytest.mark.parametrize("cadence", [0, 24])
def test_a_draft_can_be_marked_for_the_deadline_if_the_match_has_one(ann, server, new_match, cadence):
    match = new_match(server, cadence=cadence)
    assert ("Seal my draft at the deadline" in ann.get(f"/matches/{match}").text) == bool(cadence)


def test_the_page_of_the_turn_says_what_became_of_a_draft_to_its_owner_alone(ann, bob, nobody, server, match):
    ann.post(f"/matches/{match}/orders", orders="r1 go3", act="submit", exchange=2)
    bob.post(f"/matches/{match}/draft", orders="b1 go3", version=0)
    closing.close(server, match, exchange=2, why="deadline")
    advancing.advance(server, match)
    said = "Your draft was not used"
    for page in (f"/matches/{match}", f"/matches/{match}/turns/1"):
        assert said in bob.get(page).text, page
        assert said not in ann.get(page).text and said not in nobody.get(page).text
