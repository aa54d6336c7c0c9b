"""Pages and emails of the real titles in a made-up language: text that bypasses the message layer is counted."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from support.playing import NOON
from support.postbox import Pile, text_of
from support.pseudo import plain_lines, plain_words, pseudo_translator

from pbem.engine.rules.findings import MASTER
from pbem.mail.outbound import compose
from pbem.mail.settings import Settings
from pbem.matches.accounts import accounts
from pbem.matches.exchange import advancing, creating, sealing
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import load
from pbem.matches.server import Server
from pbem.titles.registry import TITLES
from pbem.tools.simulate import bots_of
from pbem.web.http import speech

MOST_PLAIN = {"panzer": 120, "tanks": 50, "aslsk": 63, "nato": 75}
"""How many texts on these pages bypass the layer: codes among facts, names of units. The numbers may only fall."""
MOST_PLAIN_LINES = {"panzer": 54, "tanks": 31, "aslsk": 26, "nato": 21}
"""How many lines of emails bypass the layer, by title. The numbers may only fall."""
SETTINGS = Settings(domain="pbem.test", base_url="https://pbem.test")
EXCHANGES = 3
FIRST = {"panzer": "duel", "tanks": "bridgehead", "aslsk": "first-light", "nato": "leine"}
PLACES = ("", "/help", "/turns/1", "/reports/2", "/reports/3", "/replay/2", "/dice", "/receipts")


@pytest.fixture(params=sorted(TITLES))
def title(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def server(tmp_path: Any, new_server: Callable[..., Server], title: str) -> Server:
    return new_server(tmp_path, titles={title: TITLES[title]})


def play(server: Server, match: str, exchanges: int) -> None:
    """Play some exchanges, with the title's bot on both sides."""
    for _ in range(exchanges):
        position = load(server, match)
        for ask in position.run.asks:
            bot = next(iter(bots_of(position.rules).values()))(ask.seat)
            given = bot(position.rules, position.run.view(ask.seat), ask)
            sealing.seal(server, match, ask.seat, position.record.open_exchange, given, final=True)
        advancing.advance(server, match)


@pytest.fixture
def match(server: Server, title: str) -> str:
    """Return a match that has been played for its first exchanges."""
    match = creating.new_match(server, title, FIRST[title], name="Noon")
    for seat, who in zip(load(server, match).rules.seats, ("ann", "bob"), strict=True):
        take_seat(server, match, seat, accounts.open_account(server, f"{who}@example.org").id)
    play(server, match, EXCHANGES)
    return match


def names_in(server: Server, title: str, match: str) -> frozenset[str]:
    """The names of people, the game, its scenarios, and the places that units and sides hold."""
    played, position = server.titles[title], load(server, match)
    words = [*played.scenarios, "Noon pbem ann bob Ann Bob UTC Code", played.full_name]
    words.append(played.scenario_name(FIRST[title]))
    view = position.run.view(MASTER)
    places = [*position.rules.objectives(view), *(stand.at for stand in position.rules.stands(view) if stand.at)]
    words += [str(position.rules.place_in_words(place)) for place in places]
    return frozenset(re.findall(r"[A-Za-z]+", " ".join(words)))


def test_pages_of_a_real_title_say_messages(server, title, match, browsers, monkeypatch):
    monkeypatch.setattr(speech, "translator", pseudo_translator)
    reader, plain, names = browsers("ann"), dict[str, str](), names_in(server, title, match)
    for place in PLACES:
        answer = reader.get(f"/matches/{match}{place}")
        if answer.status_code == 200:
            plain |= dict.fromkeys(plain_words(answer.text, names), place)

    assert len(plain) <= MOST_PLAIN[title], "\n".join(f"{place}: {text}" for text, place in plain.items())


def test_emails_of_a_real_title_say_messages(server, title, match, monkeypatch):
    monkeypatch.setattr(compose, "translator_for", lambda language: pseudo_translator())
    sent: list[Any] = []
    for _ in range(4):
        compose.send_due(server, SETTINGS, Pile(sent), NOON)
    names = names_in(server, title, match) | {"Subject"}
    lines = {line for mail in sent for text in (mail["Subject"], text_of(mail)) for line in plain_lines(text, names)}

    assert len(sent) > 2
    assert len(lines) <= MOST_PLAIN_LINES[title], "\n".join(sorted(lines))
