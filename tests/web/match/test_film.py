"""The film of a turn begins with a summary, its scenes have addresses, and it shows only what the viewer may see."""

from __future__ import annotations

import re

import pytest

from pbem.matches.accounts import accounts, privacy
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.film import looks
from pbem.matches.history.replay import record_of
from pbem.titles.panzer.title import Panzer
from pbem.web import create_app


@pytest.fixture
def played(ann, bob, match):
    """Return a match in which red has moved in the open and blue has waited in ambush."""
    for browser, orders in ((ann, "r1 go3"), (bob, "b1 ambush")):
        browser.post(f"/matches/{match}/orders", orders=orders, act="final", exchange=2)
    return match


def test_the_page_of_the_match_opens_on_the_summary_with_a_way_to_the_film(ann, played):
    page = ann.get(f"/matches/{played}").text
    assert page.index('class="headline"') < page.index('id="orders"')
    assert f'href="/matches/{played}/turns/1#play"' in page
    assert page.index('class="turn-line"') < page.index("data-map=")  # on a phone it is above the map


def test_each_scene_of_a_turn_has_an_address_and_unfolds_to_rules_and_dice(ann, played):
    page = ann.get(f"/matches/{played}/turns/1").text
    numbers = re.findall(r'id="turn-1\.(\d+)"', page)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)] and numbers
    assert "Rules and dice" in page and "<dt>unit</dt>" not in page  # they are loaded on request
    told = "".join(ann.get(f"/matches/{played}/turns/1/scenes/{number}").text for number in numbers)
    assert "<dt>unit</dt><dd>r1</dd>" in told
    assert ann.get(f"/matches/{played}/turns/1/scenes/{len(numbers) + 1}").status_code == 404


def test_after_a_turn_the_page_opens_at_its_top_and_the_summary_stands_first(ann, bob, match):
    for browser, line in ((ann, "r1 go3"), (bob, "b1 hold")):
        sealed = browser.post(f"/matches/{match}/orders", orders=line, act="final", exchange=2, reviewed="1")
        assert sealed.headers["Location"].endswith("#top")
    page = ann.get(f"/matches/{match}").text
    assert page.index('id="latest"') < page.index('id="stand"') < page.index('id="orders-title"')


def test_the_film_as_data_has_the_same_scenes_and_what_is_drawn_for_them(ann, played):
    packed = ann.get(f"/matches/{played}/turns/1/film.json", **{"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"  # a large turn has 150 KB
    film = ann.get(f"/matches/{played}/turns/1/film.json").json
    page = ann.get(f"/matches/{played}/turns/1").text
    assert [scene["number"] for scene in film["scenes"]] == [int(n) for n in re.findall(r'data-number="(\d+)"', page)]
    assert film["side"] and {"number", "kind", "weight", "seconds", "say", "units", "shows", "marks"} <= set(
        film["scenes"][0]
    )


def test_the_whole_turn_is_a_picture_without_scripts(ann, played):
    for query in ("", "?before=1", "?plain=1"):
        answer = ann.get(f"/matches/{played}/turns/1/map.svg{query}")
        assert answer.status_code == 200 and answer.mimetype == "image/svg+xml"
        assert ("data-turn" in answer.text) == (not query)


def test_the_page_of_the_match_gets_only_what_is_drawn_of_the_turn(ann, played):
    (address,) = re.findall(r'data-on-map="([^"]+)"', ann.get(f"/matches/{played}").text)
    marks = ann.get(address.replace("&amp;", "&")).text
    assert marks.startswith("<svg") and 'data-turn="1"' in marks and "data-hex" not in marks


def test_a_film_of_a_turn_that_was_not_played_is_not_found(ann, played):
    assert ann.get(f"/matches/{played}/turns/9").status_code == 404
    assert ann.get(f"/matches/{played}/turns/9/film.json").status_code == 404


def test_who_watches_sees_no_orders_and_no_fates(nobody, ann, played):
    assert "your orders" in ann.get(f"/matches/{played}/turns/1").text.lower()
    page = nobody.get(f"/matches/{played}/turns/1").text
    assert "Each of your orders" not in page and "r1 go3" not in page


def test_the_summary_says_the_score_and_who_holds_what_even_before_anything_is_won(tmp_path, new_server, new_browser):
    server = new_server(tmp_path, titles={"panzer": Panzer()})
    match = creating.new_match(server, "panzer", "duel", name="Bir Hasan")
    for seat in ("german", "british"):
        account = accounts.open_account(server, f"{seat}@example.org")
        take_seat(server, match, seat, account.id)
    for seat in ("german", "british"):
        by = accounts.by_address(server, f"{seat}@example.org").id
        submitting.submit(server, match, seat, 2, "rest hold", by=by, final=True, source="web")
    page = new_browser(create_app(server), account).get(f"/matches/{match}/turns/1").text
    assert "<dt>Score</dt>" in page and "you <strong>0</strong>" in page
    assert "<dt>Objectives</dt><dd>Nobody holds the well of Bir Hasan. </dd>" in page
    assert "Your own moves are solid blue arrows" in page
    watched = new_browser(create_app(server)).get(f"/matches/{match}/turns/1").text
    assert "The moves of British are solid blue arrows" in watched


def test_how_far_a_film_was_watched_is_known_in_every_browser_of_the_account_and_to_nobody_else(
    ann, bob, nobody, browsers, server, played
):
    place, before = f"/matches/{played}/turns/1/look", server.store.version(f"match/{played}")
    assert ann.get(place).json == {"scene": 0}
    assert ann.post(place, scene=1).status_code == 200
    assert browsers("ann").get(place).json == {"scene": 1}  # another session of the same account
    assert bob.get(place).json == {"scene": 0}
    assert nobody.get(place).status_code == 303 and nobody.post(place, scene=1).status_code == 303
    assert f'data-look="{place}"' in ann.get(f"/matches/{played}/turns/1").text
    assert "data-look" not in nobody.get(f"/matches/{played}/turns/1").text
    assert server.store.version(f"match/{played}") == before  # it is no event of the match
    account = accounts.by_address(server, "ann@example.org").id
    assert [one["scene"] for one in privacy.own_data(server, account)["looks"]] == [1]
    privacy.forget(server, account)
    assert looks.of_account(server, account) == []


def test_a_film_cannot_be_watched_beyond_its_end_and_an_earlier_scene_changes_nothing(ann, server, played):
    place = f"/matches/{played}/turns/1/look"
    scenes = len(ann.get(f"/matches/{played}/turns/1/film.json").json["scenes"])
    assert scenes
    for wanted, noted in ((10**30, scenes), (0, scenes), (-5, scenes)):
        ann.post(place, scene=wanted)
        assert ann.get(place).json == {"scene": noted}
    ann.post(place, scene="all")
    assert ann.post(f"/matches/{played}/turns/9/look", scene=1).status_code == 404
    account = accounts.by_address(server, "ann@example.org").id
    looks.note(server, played, account, "red", 2, 1)
    assert ann.get(place).json == {"scene": 0}  # the last look was at a later turn
    ann.post(place, scene=1)
    assert len(looks.of_account(server, account)) == 1


def test_after_the_end_only_the_readers_own_side_is_called_you(tmp_path, new_server, new_browser):
    server = new_server(tmp_path, titles={"panzer": Panzer()})
    match = creating.new_match(server, "panzer", "duel", name="Bir Hasan")
    german, british = (accounts.open_account(server, f"{seat}@example.org") for seat in ("german", "british"))
    for seat, account in (("german", german), ("british", british)):
        take_seat(server, match, seat, account.id)
    for seat, account in (("german", german), ("british", british)):
        submitting.submit(server, match, seat, 2, "rest hold", by=account.id, final=True, source="web")
    app = create_app(server)
    new_browser(app, german).post(f"/matches/{match}/words", word="concede")
    assert record_of(server, match).opened is not None
    pages = {
        (who, seat): main_of(new_browser(app, who).get(f"/matches/{match}/turns/1?as={seat}").text)
        for who in (german, None)
        for seat in ("german", "british")
    }
    assert "You lost" in pages[german, "german"] and "Your own moves" in pages[german, "german"]
    for who, seat in ((german, "british"), (None, "german"), (None, "british")):
        assert not re.search(r"\byou(r)?\b", pages[who, seat], re.IGNORECASE), (who, seat)
        assert f"Lost by {seat.capitalize()}" in pages[who, seat]


def main_of(page: str) -> str:
    """Return the words in the main part of a page."""
    return re.sub(r"<[^>]*>", " ", page[page.index("<main") : page.index("</main")])
