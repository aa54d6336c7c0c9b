"""Pages and pictures are rendered once and stored, and rendered again when their sources have changed."""

from __future__ import annotations

import gzip
from threading import Thread

import pytest

from pbem.matches.accounts import accounts
from pbem.tools.bench import site as bench_site
from pbem.web.http.viewer import Kept
from pbem.web.pages.match import page


@pytest.fixture
def renderings(monkeypatch):
    """Return a list that grows each time a match page is rendered."""
    made = []
    show = page.show
    monkeypatch.setattr(page, "show", lambda *args, **more: made.append(1) or show(*args, **more))
    return made


def test_a_page_is_rendered_once_as_long_as_nothing_happens(ann, match, renderings):
    ann.get(f"/matches/{match}")  # the first one gives the session its token
    first, second = ann.get(f"/matches/{match}"), ann.get(f"/matches/{match}")

    assert first.data == second.data
    assert len(renderings) <= 2


def test_a_stored_page_is_sent_packed_to_those_who_can_unpack(ann, match):
    plain = ann.get(f"/matches/{match}")
    packed = ann.get(f"/matches/{match}", **{"Accept-Encoding": "gzip"})

    assert gzip.decompress(packed.data) == ann.get(f"/matches/{match}").data
    assert packed.headers["Content-Encoding"] == "gzip" and "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in packed.headers["Vary"] and "Cookie" in packed.headers["Vary"]


def test_every_event_of_the_match_and_every_new_name_makes_a_new_page(ann, bob, server, match):
    ann.get(f"/matches/{match}")
    before = ann.get(f"/matches/{match}").text

    accounts.rename(server, accounts.by_address(server, "bob@example.org").id, "Field Marshal Bob")
    assert "Field Marshal Bob" not in before and "Field Marshal Bob" in ann.get(f"/matches/{match}").text
    bob.post(f"/matches/{match}/orders", orders="", act="final", exchange=2)
    assert "Waiting for <strong>Red</strong>" in ann.get(f"/matches/{match}").text


def test_a_page_begun_before_an_event_is_not_kept_as_the_newest(ann, bob, app, server, match, monkeypatch):
    """If a turn ends while its match page is being rendered, that page is not stored as the newest one."""
    ann.get(f"/matches/{match}")
    streams_of = page.streams_of

    def slow(found):
        names = streams_of(found)
        said = {"orders": "", "act": "final", "exchange": 2}
        meanwhile = Thread(target=lambda: bob.post(f"/matches/{match}/orders", **said))
        meanwhile.start()
        meanwhile.join()
        app.extensions["pbem"]["positions"] = Kept(10)  # a worker plays the turn, in a process of its own
        return names

    monkeypatch.setattr(page, "streams_of", slow)
    app.extensions["pbem"]["positions"] = Kept(10)
    with server.one_look():  # as the site does for every page
        ann.get(f"/matches/{match}?as=red")
    monkeypatch.undo()
    assert "Waiting for <strong>Red</strong>" in ann.get(f"/matches/{match}?as=red").text


def test_nobody_gets_the_page_of_another(ann, bob, nobody, browsers, match):
    """Every session gets its own page, even two of the same account, because a page contains its session's form
    token."""
    pages = [browser.get(f"/matches/{match}").text for browser in (ann, bob, nobody, browsers("ann"))]

    assert len(set(pages)) == 4


def test_news_is_shown_once(ann, match):
    ann.post(f"/matches/{match}/orders", orders="r1 ambush", act="submit", exchange=2)

    first, second = ann.get(f"/matches/{match}").text, ann.get(f"/matches/{match}").text
    assert "Your orders are sealed." in first and "Your orders are sealed." not in second


@pytest.mark.slow
def test_the_page_of_the_largest_match_costs_little_more_than_a_word():
    """The page of the largest match takes little more processor time than a hello-world page.

    It must reach 0.6 times as many requests per second as that page, and the map 0.5 times.
    """
    ratios = bench_site.measure(rounds=40, place=("panzer", "combined"))

    assert ratios["site_match_page_against_hello"] >= 0.6
    assert ratios["site_map_against_hello"] >= 0.5
    assert 30 < ratios["site_match_page_kb"] < 300
