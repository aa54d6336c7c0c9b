"""The cost of the site: a match page and its map relative to a one-word page, all through the same application.

Both are requested in turn by a signed-in player. The processor time of the best of several rounds is used: a busy
machine, or a database in another process, makes pages wait but does not change this.
"""

from __future__ import annotations

import gzip
import re
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from html import unescape
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

from flask import Flask
from werkzeug.test import EnvironBuilder

from pbem.engine.rules.title import Title
from pbem.matches import views
from pbem.matches.accounts import accounts, sessions
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import occupant, take_seat
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.titles.registry import TITLES
from pbem.web import create_app
from pbem.web.http.entry import WORD

ROUNDS, CALLS = 120, 3
PLAYED = 3
"""Exchanges played before measuring: the set-up, and a turn that is reported on the page."""


def measure(
    titles: Mapping[str, Title] = TITLES, rounds: int = ROUNDS, place: tuple[str, str] | None = None
) -> dict[str, Any]:
    """Compare requests per second of processor time with a hello-world page; measure the first page's time and size.

    The time is in ms, and the size is everything sent until the page is complete, in KB. `place` is the title and
    scenario, by default the largest.
    """
    title, scenario = place or largest(titles)
    with tempfile.TemporaryDirectory() as folder:
        server = open_server(Path(folder) / "pbem.db", titles)
        match, player = a_match(server, title, scenario)
        for _ in range(PLAYED):
            answer_as_the_forms_stand(server, match)
        app = create_app(server)
        app.add_url_rule("/hello", "hello", lambda: "Hello, world")
        caller = a_caller(app, sessions.start(server, player))
        start = perf_counter()
        caller(f"/matches/{match}")
        cold = (perf_counter() - start) * 1000
        size = sum(len(caller(address)) for address in [f"/matches/{match}", *loaded_by(caller, f"/matches/{match}")])
        times = best_times(caller, ["/hello", f"/matches/{match}", f"/matches/{match}/map.svg"], rounds)
        server.close()
    hello, page, picture = times
    return {
        "site_largest_scenario": f"{title}/{scenario}",
        "site_match_page_against_hello": round(hello / page, 2),
        "site_map_against_hello": round(hello / picture, 2),
        "site_first_match_page_ms": round(cold, 1),
        "site_match_page_kb": round(size / 1000, 1),
    }


def loaded_by(call: Callable[[str], bytes], path: str) -> list[str]:
    """The addresses of everything a page loads."""
    page = gzip.decompress(call(path)).decode()
    found = re.findall(r'(?:<link rel="(?:icon|stylesheet)" href|src)="([^"]+)"', page)
    return sorted({unescape(address) for address in found})


def largest(titles: Mapping[str, Title]) -> tuple[str, str]:
    """The scenario with the most frozen data: rules, map and units together."""
    places = [(name, scenario) for name, title in titles.items() for scenario in title.scenarios]
    return max(places, key=lambda place: sum(map(len, titles[place[0]].freeze(place[1], {}).values())))


def a_match(server: Server, title: str, scenario: str) -> tuple[str, str]:
    """Create a match of two people before their first orders; return it and the player in its first seat."""
    match = creating.new_match(server, title, scenario)
    players = []
    for seat in views.status(server, match).seats:
        players.append(accounts.open_account(server, f"{seat}@example.org").id)
        take_seat(server, match, seat, players[-1])
    return match, players[0]


def answer_as_the_forms_stand(server: Server, match: str) -> None:
    """Seal every open form unedited, which changes nothing compared with the defaults."""
    stand = views.status(server, match)
    for seat in stand.asked:
        by = occupant(server, match, seat)
        assert by is not None
        text = views.open_form(server, match, seat).text
        submitting.submit(server, match, seat, stand.exchange, text, by=by.id, final=True, source="web")


def a_caller(app: Flask, word: str) -> Callable[[str], bytes]:
    """Return a function that requests a path as a player's browser would, without a network."""
    cookie = app.session_interface.get_signing_serializer(app).dumps({WORD: word, "csrf_token": "0" * 40})  # type: ignore[attr-defined]
    headers = [("Cookie", f"{app.config['SESSION_COOKIE_NAME']}={cookie}"), ("Accept-Encoding", "gzip")]

    @cache
    def environ(path: str) -> dict[str, Any]:
        place, _, query = path.partition("?")
        asked = EnvironBuilder(path=place, query_string=query, base_url="https://localhost", headers=headers)
        return asked.get_environ()

    def call(path: str) -> bytes:
        answered: list[str] = []

        def start_response(status: str, *_: object) -> Callable[[bytes], object]:
            answered.append(status)
            return lambda content: None

        content = app(dict(environ(path)), start_response)
        try:
            body = b"".join(content)
        finally:
            content.close()  # type: ignore[attr-defined]
        if not answered[0].startswith("200"):
            raise RuntimeError(f"{path} answered {answered[0]}")
        return body

    return call


def best_times(call: Callable[[str], bytes], paths: list[str], rounds: int) -> list[float]:
    """The least processor time for each path, in seconds. Every round measures all paths in turn."""
    best = [float("inf")] * len(paths)
    for _ in range(rounds):
        for index, path in enumerate(paths):
            start = thread_time()
            for _ in range(CALLS):
                call(path)
            best[index] = min(best[index], (thread_time() - start) / CALLS)
    return best
