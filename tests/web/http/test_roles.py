"""The access of every role to every route, in one table; a route that is missing from it fails the test.

    anonymous   nobody is signed in
    other       has an account, and plays elsewhere
    player      plays red
    opponent    plays blue
    former      played red before, and was replaced
    watching    is a substitute
    master      is the game master of the match

A forbidden act changes nothing, and no response shows a role anything that it may not see.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from argon2 import PasswordHasher
from support.api_client import Program
from support.hosts import engines
from support.playing import NOON
from support.toy import AmbushTitle
from web.conftest import move_in
from web.http.role_table import ROLES, SECRETS, TABLE, UNDER_DEMO, Route

from pbem.matches.accounts import accounts, preferences
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.players import invitations, substitutes
from pbem.matches.post import reply_tokens
from pbem.matches.server import Server
from pbem.tournaments import entries, rounds, stream
from pbem.tournaments.model import Settings
from pbem.web import create_app
from pbem.web.http.app import CONTENT_POLICY


class World(msgspec.Struct):
    """A server with two matches: in one, both sides have sealed secrets for exchange 3; the other match
    has a free seat."""

    server: Server
    filled: dict[str, str]

    def path(self, route: Route) -> str:
        return self.fill(route.path)

    def fill(self, text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda name: self.filled[name[1]], text)


@pytest.fixture(scope="module")
def first_world(folders) -> tuple[Path, dict[str, str]]:
    """Make the server that each test copies; return its folder and the values for the routes."""
    folder = folders()
    server = open_world(folder)
    who = {name: accounts.open_account(server, f"{name}@example.org").id for name in ROLES.values() if name}
    match = creating.new_match(server, "ambush", "tiny", cadence=48, master=who["gm"])
    for seat, name in (("red", "dan"), ("blue", "bob")):
        take_seat(server, match, seat, who[name])
    for seat, name in (("red", "dan"), ("blue", "bob")):
        submitting.submit(server, match, seat, 2, f"{seat[0]}1 hold", by=who[name], final=True, source="web")
    for name in ("ann", "sue"):
        substitutes.stand_by(server, match, who[name])
    substitutes.hand_over(server, match, "red", who["ann"], by=who["dan"])
    for seat, name, role in (("red", "ann", "player"), ("blue", "bob", "opponent")):
        text = f"{seat[0]}1 ambush # {SECRETS[role]}"
        submitting.submit(server, match, seat, 3, text, by=who[name], final=False, source="web")
    open_match = creating.new_match(server, "ambush", "tiny")
    take_seat(server, open_match, "red", who["ann"])
    for_zoe = creating.new_match(server, "ambush", "tiny")
    filled = {
        "match": match,
        "open": open_match,
        "red": who["ann"],
        "sue": who["sue"],
        "receipt": record_of(server, match).sealed["red"].parts[0].commitment,
        "sign_in": reply_tokens.make_sign_in(server, who["eve"]),
        "stop": reply_tokens.make(server, use="stop", account=who["eve"]),
        "orders_token": reply_tokens.make(server, use="orders", match=match, number=3, seat="red", occupancy=3),
        "invitation": invitations.invite(server, for_zoe, "red", "zoe@example.org").token,
        "address": asked_address(server, who["eve"]),
        "cup": a_cup(server, who["gm"]),
    }
    server.close()
    return folder, filled


def a_cup(server: Server, director: str) -> str:
    """Create a tournament of two players without accounts, in its first round; return its id."""
    settings = Settings("Autumn Cup", "ambush", scenarios=("tiny",), season="2030")
    cup = stream.open_tournament(server, settings, director).id
    entries.import_list(server, cup, b"name\nKim\nLee\n", by=director)
    rounds.pair(server, cup, by=director)
    rounds.start(server, cup, by=director)
    return cup


def open_world(folder: Path) -> Server:
    return open_server(folder / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)


@pytest.fixture
def a_world(first_world, folders, monkeypatch) -> Callable[[], World]:
    """Return a function that makes a new copy of the world at each call."""
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(preferences, "HASHER", cheap)  # these tests are not about the price of a guess
    folder, filled = first_world

    def made() -> World:
        copied = folders() / "copy"
        engines.copy_server(folder, copied)
        return World(open_world(copied), filled)

    return made


def asked_address(server: Server, account: str) -> str:
    preferences.ask_address(server, account, "eve@work.example")
    return preferences.address_token(server, account, server.store.version(accounts.stream_of(account)))


def test_every_route_is_in_the_table(server):
    for demo in (False, True):
        app = create_app(server, demo=demo)
        routes = {rule.endpoint for rule in app.url_map.iter_rules()} - {"static"}
        assert routes - UNDER_DEMO == set(TABLE), "a new route needs a row, and a row needs a route"


def test_every_row_names_its_route_and_its_method(app):
    adapter = app.url_map.bind("localhost")
    filled = re.compile(r"\{\w+\}")
    for endpoint, route in TABLE.items():
        method = "GET" if route.form is None else route.method
        path = filled.sub("x", route.path).partition("?")[0]
        assert adapter.match(path, method=method)[0] == endpoint


@pytest.mark.parametrize("role", ROLES)
def test_each_role_meets_what_the_table_says_and_sees_no_secret(role, a_world, new_browser):
    world = a_world()
    app = create_app(world.server)
    account = accounts.by_address(world.server, f"{ROLES[role]}@example.org") if ROLES[role] else None
    hidden = [word for owner, word in SECRETS.items() if owner != role]
    for endpoint, route in TABLE.items():
        browser = new_browser(app, account)
        before = world.server.store.version(f"match/{world.filled['match']}")
        if route.form is not None and route.expected[role] < 400:
            continue  # permitted acts are done below, in a world of their own
        answer = call(browser, world, route)
        assert answer.status_code == route.expected[role], (endpoint, answer.text[-600:])
        assert not any(word in answer.text for word in hidden), endpoint
        assert answer.headers["X-Request-ID"]
        if endpoint not in ("tournament_files.embed", "verifying.verify"):  # each has a policy of its own
            assert answer.headers["Content-Security-Policy"] == CONTENT_POLICY
        assert answer.headers["Cache-Control"].startswith("private"), endpoint
        assert world.server.store.version(f"match/{world.filled['match']}") == before, endpoint


def test_no_form_counts_without_the_token_of_its_page(a_world, new_browser):
    """No form is accepted without the token of its page.

    Exceptions are the button that mail programs press themselves, and the API, which ignores cookies.
    """
    world = a_world()
    app = create_app(world.server)
    before = {stream: world.server.store.version(stream) for stream in world.server.store.streams("")}
    for endpoint, route in TABLE.items():
        if route.form is None or endpoint == "door.stop" or endpoint.startswith("api."):
            continue
        for name in ("ann", "gm"):
            browser = new_browser(app, accounts.by_address(world.server, f"{name}@example.org"))
            answer = browser.client.post(world.path(route), base_url="https://localhost", data=route.form)
            assert answer.status_code == 400 and "out of date" in answer.text, endpoint
    assert {stream: world.server.store.version(stream) for stream in world.server.store.streams("")} == before


def by_token(endpoint: str, role: str) -> int:
    """Return the expected result for an API caller whose token allows everything that the role may do."""
    if endpoint in ("api.form", "api.receipts", "api.formations"):
        return 200 if role in ("player", "opponent") else 403
    if endpoint in ("api.roster", "api.unit_history"):
        return 404  # there is no campaign
    if endpoint == "api.receipt":
        return {"player": 200, "opponent": 404}.get(role, 403)
    if endpoint in ("api.troubles", "api.open_disputes"):
        return 200 if role == "master" else 403
    if endpoint == "api.moderation":
        return 403  # operators only
    if endpoint in ("api.account", "api.preferences", "api.own_sessions", "api.own_data", "api.webhooks"):
        return 200
    return TABLE[endpoint].expected[role]


@pytest.mark.parametrize("role", [role for role in ROLES if ROLES[role]])
def test_by_token_each_role_sees_through_the_api_what_it_may_and_no_secret(role, a_world):
    world = a_world()
    account = accounts.by_address(world.server, f"{ROLES[role]}@example.org")
    program = Program(create_app(world.server), world.server, account.id, "play", "master", "account")
    hidden = [word for owner, word in SECRETS.items() if owner != role]
    before = world.server.store.version(f"match/{world.filled['match']}")
    for endpoint, route in TABLE.items():
        if not endpoint.startswith("api."):
            continue
        path = world.path(route).removeprefix("/api/v1")
        if route.form is None:
            answer = program.get(path)
            assert answer.status_code == by_token(endpoint, role), (endpoint, answer.text)
            assert not any(word in answer.text for word in hidden), endpoint
        elif "/master/" in path and role != "master":
            answer = program.call(route.method, path, FULL_BODIES.get(endpoint, {}))
            assert answer.status_code == 403, endpoint
    assert world.server.store.version(f"match/{world.filled['match']}") == before


FULL_BODIES = {
    "api.master_extend": {"hours": 1, "why": "x"},
    "api.master_hold": {"why": "x"},
    "api.master_pause": {"days": 1, "why": "x"},
    "api.master_process": {"exchange": 3, "why": "x"},
    "api.master_replace": {"seat": "red", "why": "x"},
    "api.master_silence": {"seat": "red", "why": "x"},
    "api.master_rules": {"switches": [], "why": "x"},
    "api.master_settings": {"why": "x"},
    "api.master_settle": {"number": 1, "answer": "x"},
    "api.rule": {"kind": "reopen", "exchange": 2, "reason": "x", "seen": 1},
    "api.try_ruling": {"kind": "reopen", "exchange": 2, "reason": "x"},
}
"""Valid bodies, so that any refusal is due to the caller."""


# Links -------------------------------------------------------------------------------------------------------

SENT_BY_MAIL = {
    *("door.show_link", "door.show_invitation", "door.show_confirm", "door.show_stop", "account.show_address"),
    "feeds.calendar_by_word",
}
FOR_SCRIPTS = {"film.data", "film.scene", "film.last_look", "drafts.show", "planning.unit", "planning.sight"}
FOR_SCRIPTS |= {"health.numbers", "match.status"}
NOT_IN_THIS_WORLD = {
    *("first_games.how", "disputes.sheet", "lines.line", "lines.dossier", "lines.what_if"),
    *("campaigns.page", "campaigns.roster", "campaigns.unit", "campaigns.as_bundle"),
    "moderation.page",
}
"""Routes without pages here (there is no dispute, operator, campaign or primer); other tests visit them."""
DRAWN = {"match.map", "creating.picture", "film.draw_turn"}
"""Routes of drawings, which the toy does not have; `test_match` and `test_creating` use a title that draws."""


def test_a_newcomer_finds_every_page_by_clicking(a_world, new_browser):
    """Following links from the front page leads an anonymous visitor, a player and the game master to every page."""
    world = a_world()
    app = create_app(world.server)
    adapter = app.url_map.bind("localhost")
    found: set[str] = set()
    for name in ("", "ann", "gm"):
        browser = new_browser(app, accounts.by_address(world.server, f"{name}@example.org"))
        waiting, seen = ["/"], {"/"}
        while waiting:
            address = waiting.pop()
            answer = browser.get(address)
            assert answer.status_code in (200, 503), address
            found.add(adapter.match(address.partition("?")[0])[0])
            links = re.findall(r'href="(/[^"#]*)', answer.text) if answer.mimetype == "text/html" else []
            waiting += [link for link in map(unescape, links) if link not in seen and not link.startswith("/static/")]
            seen.update(waiting)
    pages = {endpoint for endpoint, route in TABLE.items() if route.form is None and not endpoint.startswith("api.")}
    assert pages - found == SENT_BY_MAIL | FOR_SCRIPTS | DRAWN | NOT_IN_THIS_WORLD
    assert "api.document" in found


ACTS = [
    (role, endpoint)
    for endpoint, route in TABLE.items()
    if route.form is not None
    for role, code in route.expected.items()
    if code < 400
]


@pytest.mark.parametrize("role", ROLES)
def test_what_a_role_may_do_is_done(role, a_world, new_browser):
    world = a_world()
    app = create_app(world.server)
    for _, endpoint in [act for act in ACTS if act[0] == role]:
        if "{" in TABLE[endpoint].path:
            world = a_world()  # changes made by the act before are undone
            move_in(app, world.server)
        account = accounts.by_address(world.server, f"{ROLES[role]}@example.org") if ROLES[role] else None
        answer = call(new_browser(app, account), world, TABLE[endpoint])
        assert answer.status_code == TABLE[endpoint].expected[role], (endpoint, answer.text[-600:])
        if endpoint != "master.look":  # looking is recorded, and shows everything
            hidden = [word for owner, word in SECRETS.items() if owner != role]
            assert not any(word in answer.text for word in hidden), endpoint


def test_a_former_occupant_sees_what_everybody_sees(a_world, new_browser):
    """A former occupant sees only what everyone sees, because the seat's parts belong to the present occupant."""
    world = a_world()
    app = create_app(world.server)
    former, nobody = (
        new_browser(app, accounts.by_address(world.server, "dan@example.org")),
        new_browser(app),
    )
    export, report = (world.path(TABLE[name]) for name in ("match.export_match", "turns.report"))
    assert former.get(export).data == nobody.get(export).data
    assert former.get(report).text.count("<li>") == nobody.get(report).text.count("<li>")


def call(browser: Any, world: World, route: Route) -> Any:
    path = world.path(route)
    if route.form is None:
        return browser.get(path)
    if path.startswith("/api/"):
        return browser.client.open(path, method=route.method, base_url="https://localhost", json=route.form)
    form = {name: world.fill(value) if isinstance(value, str) else value for name, value in route.form.items()}
    return browser.post(path, **form)
