"""Every page in a made-up language: a plain English word on it has bypassed the message layer."""

from __future__ import annotations

import pytest
from support.pseudo import plain_words, pseudo_translator

from pbem.matches.accounts import accounts
from pbem.web.http import speech

MOST_PLAIN = 7
"""Texts on these pages that bypass the layer: reasons of deadlines, which the log stores in English, answers to
requests, and the names of readers who are no seat. It may only fall."""
NAMES = frozenset(
    {
        "pbem",
        "Ann",
        "Bob",
        "ann",
        "bob",
        "Ambush",
        "noon",
        "ambush",
        "tiny",
        "Tiny",
        "red",
        "blue",
        "Red",
        "Blue",
        "UTC",
    }
    | {"Small", "Close", "small", "close", "English", "Deutsch", "italiano", "Nederlands", "polski", "buchholz"}
    | {"sonneborn_berger", "direct_encounter", "wins", "margin", "board_points", "score"}
)
"""Names of people, matches, titles, seats, languages and tie-breaks."""
TOY = frozenset(
    {"Rosters", "see", "who", "the", "platoons", "There", "are", "turns", "Weather", "fog", "nobody", "sees", "far"}
    | {"clear", "everybody", "does", "The", "units", "unit", "hold", "cards", "None", "orders", "browser", "these"}
    | {"tests"}
)
"""Words of the toy title, which is no part of the product and speaks plain English."""
PLACES = (
    *("/", "/sign-in", "/account", "/account/delete", "/new", "/new?play=ambush/tiny", "/help", "/master", "/dice"),
    *("/tournaments", "/tournaments/new", "/campaigns", "/precedents", "/search?words=r1", "/health"),
    *("{match}", "{match}/reports/2", "{match}/turns/1", "{match}/replay/2", "{match}/dice", "{match}/verify"),
    *("{match}/receipts", "{match}/help", "{match}/disputes/1", "{match}/disputes/1/dossier", "{match}/why/2"),
    *("{match}/search?words=r1", "{match}/lines", "{match}/master/record", "{match}/master", "/nosuch", "{other}"),
)


@pytest.fixture
def match(server, new_match):
    return new_match(server, master=accounts.open_account(server, "gm@example.org").id, cadence=48)


def test_no_page_says_anything_but_messages(ann, bob, server, match, new_match, browsers, monkeypatch):
    for browser, orders in ((ann, "r1 go3"), (bob, "b1 ambush")):
        browser.post(f"/matches/{match}/orders", orders=orders, act="final", exchange=2)
    claim = {"text": "b1", "seat": "red", "place": "1.1", "rule": "4.2"}
    ann.post(f"/matches/{match}/words", word="dispute", **claim)
    monkeypatch.setattr(speech, "translator", pseudo_translator)
    other, plain = new_match(server), {}
    for place in PLACES:
        path = place.format(match=f"/matches/{match}", other=f"/matches/{other}")
        reader = browsers("gm") if path.endswith("/master") else ann
        answer = reader.get(path)
        assert answer.status_code in (200, 404), (path, answer.status_code)
        plain[path] = plain_words(answer.text, NAMES | TOY)

    found = {text: path for path, texts in plain.items() for text in texts}
    assert len(found) <= MOST_PLAIN, "\n".join(f"{path}: {text}" for text, path in found.items())
