"""Every page is shown in a made-up language: a plain English word on it has bypassed the message layer."""

from __future__ import annotations

import pytest
from support.pseudo import WORD, plain_words, pseudo_translator

from pbem.matches.accounts import accounts
from pbem.titles.registry import TITLES
from pbem.tournaments import entries, rounds, stream
from pbem.tournaments.model import Settings
from pbem.web.http import speech

MOST_PLAIN = 2
"""The number of texts on these pages that bypass the layer: two refusals of the toy. It may only fall."""
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
        "Kim",
        "Lee",
        "Max",
        "Cup",
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
"""Words of the toy title, which is not part of the product and speaks plain English."""
PLACES = (
    *("/", "/sign-in", "/account", "/account/delete", "/new", "/new?play=ambush/tiny", "/help", "/master", "/dice"),
    *("/tournaments", "/tournaments/new", "/campaigns", "/precedents", "/search?words=r1", "/health"),
    *("{match}", "{match}/reports/2", "{match}/turns/1", "{match}/replay/2", "{match}/dice", "{match}/verify"),
    *("{match}/receipts", "{match}/help", "{match}/disputes/1", "{match}/disputes/1/dossier", "{match}/why/2"),
    *("{match}/search?words=r1", "{match}/lines", "{match}/master/record", "{match}/master", "/nosuch", "{other}"),
)


CUP = (
    "/tournaments/{cup}",
    "/tournaments/{cup}/standings",
    "/tournaments/{cup}/entrants",
    "/tournaments/{cup}/crosstable",
)


@pytest.fixture
def match(server, new_match):
    return new_match(server, master=accounts.open_account(server, "gm@example.org").id, cadence=48)


def a_cup(server) -> str:
    """Create a tournament of two players without accounts, in its first round; return its id."""
    director = accounts.open_account(server, "max@example.org").id
    cup = stream.open_tournament(server, Settings("Cup", "ambush", scenarios=("tiny",), season="2030"), director).id
    entries.import_list(server, cup, b"name\nKim\nLee\n", by=director)
    rounds.pair(server, cup, by=director)
    rounds.start(server, cup, by=director)
    return cup


def test_no_page_says_anything_but_messages(ann, bob, server, match, new_match, browsers, monkeypatch):
    monkeypatch.setattr(speech, "translator", pseudo_translator)
    for browser, orders in ((ann, "r1 go3"), (bob, "b1 ambush")):
        browser.post(f"/matches/{match}/orders", orders=orders, act="final", exchange=2)
    claim = {"text": "b1", "seat": "red", "place": "1.1", "rule": "4.2"}
    ann.post(f"/matches/{match}/words", word="dispute", **claim)
    other, cup = new_match(server), a_cup(server)
    refused = ann.post(f"/matches/{match}/orders", orders="r1 go99\nx9 hold", act="check", exchange=3).text
    plain = {"a refusal": plain_words(refused, NAMES | TOY)}
    for place in (*PLACES, *CUP):
        path = place.format(match=f"/matches/{match}", other=f"/matches/{other}", cup=cup)
        reader = browsers("gm") if path.endswith("/master") else ann
        answer = reader.get(path)
        assert answer.status_code in (200, 404), (path, answer.status_code)
        plain[path] = plain_words(answer.text, NAMES | TOY)

    found = {text: path for path, texts in plain.items() for text in texts}
    assert len(found) <= MOST_PLAIN, "\n".join(f"{path}: {text}" for text, path in found.items())


@pytest.mark.parametrize("title", TITLES)
def test_every_title_explains_itself_in_messages(title):
    """Help, standing orders, briefings and primers of the real titles are messages; their order lines are accented
    too."""
    speak, game = pseudo_translator(), TITLES[title]
    rules = game.rules(game.freeze(game.scenarios[0], {}))
    primer = game.primer().translate(speak)
    texts = [primer.compass, *primer.glossary.values(), *(part.text for part in primer.section)]
    texts += [*speak(rules.standing_orders()).splitlines()[:5], *speak(rules.help()).splitlines()]
    told = [line for line in speak(rules.briefing(rules.seats[0])).splitlines()[1:] if WORD.search(line)]

    assert [text for text in texts if WORD.search(text) and "<" not in text] == []  # range<=8 looks like a tag
    assert [line for line in told if line.isascii()] == [], "a line of names and nothing else"
