"""Fixtures for a site with two players and the toy title with a map, without a network."""

from __future__ import annotations

import hashlib
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from support.playing import NOON
from support.toy import AmbushRules, AmbushTitle, Data
from werkzeug.serving import make_server

from pbem.engine.text.messages import Message, say
from pbem.matches import health
from pbem.matches.accounts import accounts, sessions
from pbem.matches.accounts.accounts import Account
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import take_seat
from pbem.matches.installation import open_server
from pbem.matches.server import Server
from pbem.titles.panzer.title import Panzer
from pbem.web import create_app
from pbem.web.http.app import session_key
from pbem.web.http.viewer import Kept

ORIGIN = "https://localhost"
SEATS = {"red": "ann@example.org", "blue": "bob@example.org"}


class DrawnRules(AmbushRules):
    """The rules of the toy, with a map of one line per unit."""

    def picture(self, view: Any, viewer: str = "public") -> str:
        own = ' data-own=""'
        units = "".join(
            f'<g data-unit="{name}"{own if unit["seat"] == viewer else ""} data-at="{unit["hex"]}" '
            f'transform="translate({40 + 60 * unit["hex"][0]} {30 + 25 * unit["hex"][1]})"><title>{name} '
            f'{unit["order"]}</title><rect x="-15" y="-15" width="30" height="30" fill="#ccc"/></g>'
            for name, unit in view["units"].items()
        )
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" width="400" height="300" '
            f'data-verbs="hold;go3;ambush"><title>Map</title>{units}</svg>'
        )

    def describe(self, view: Any, viewer: str = "public") -> list[Message]:
        units = view["units"].items()
        return [say("{unit} at {hex} {order}", unit=id, hex=one["hex"], order=one["order"]) for id, one in units]


class DrawnTitle(AmbushTitle):
    choices: ClassVar = {"weather": {"fog": "nobody sees far", "clear": "everybody does"}}

    def rules(self, blobs: Any) -> DrawnRules:
        return DrawnRules(msgspec.json.decode(blobs["scenario"], type=Data))


class Browser:
    """A person at a browser, which keeps cookies and sends forms with the token of their page."""

    def __init__(self, app: Flask, account: Account | None = None) -> None:
        self.client: FlaskClient = app.test_client()
        if account is not None:
            word = sessions.start(app.extensions["pbem"]["server"], account.id, "a browser of these tests")
            with self.client.session_transaction(base_url=ORIGIN) as session:
                session["word"] = word

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(path, base_url=ORIGIN, headers=headers)

    def post(self, path: str, **form: Any) -> Any:
        page = self.get("/sign-in").text
        token = re.search(r'name="csrf_token" value="([^"]+)"', page)
        assert token is not None
        data = {"csrf_token": token[1], **form}
        return self.client.post(path, base_url=ORIGIN, data=data, headers={"Referer": ORIGIN + "/"})


def a_server(folder: Path, seed: object = 0, titles: Mapping[str, Any] | None = None) -> Server:
    drawn: Counter[str] = Counter()

    def entropy(label: str) -> bytes:
        """Return bytes that depend only on the seed, the label and the number of earlier calls."""
        drawn[label] += 1
        return hashlib.sha256(f"{seed}/{label}/{drawn[label]}".encode()).digest()

    known = titles or {"ambush": DrawnTitle()}
    return open_server(folder / "pbem.db", known, entropy=entropy, clock=lambda: NOON)


def a_match(server: Server, **more: Any) -> str:
    match = creating.new_match(server, "ambush", "tiny", name="Ambush at noon", **more)
    for seat, address in SEATS.items():
        take_seat(server, match, seat, accounts.open_account(server, address).id)
    return match


@pytest.fixture(scope="session")
def new_server() -> Callable[..., Server]:
    return a_server


@pytest.fixture
def new_match() -> Callable[..., str]:
    return a_match


@pytest.fixture
def new_browser() -> type[Browser]:
    return Browser


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return a_server(tmp_path)


@pytest.fixture
def match(server: Server) -> str:
    return a_match(server)


class Compiled(BytecodeCache):
    """A template loader that compiles each template once for all applications of these tests."""

    kept: ClassVar[dict[str, bytes]] = {}

    def load_bytecode(self, bucket: Any) -> None:
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Any) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()


Flask.jinja_options = {"bytecode_cache": Compiled()}


@pytest.fixture(scope="session")
def first_app(folders: Callable[[], Path]) -> Flask:
    """Make the application that all tests share, because compiling its routes takes time."""
    return create_app(a_server(folders()))


@pytest.fixture
def app(server: Server, first_app: Flask) -> Flask:
    return move_in(first_app, server)


def move_in(app: Flask, server: Server) -> Flask:
    """Use the shared application for another server, and discard everything that it has cached."""
    shared = app.extensions["pbem"]
    for name, kept in shared.items():
        shared[name] = Kept(kept.most) if isinstance(kept, Kept) else kept
    shared["server"] = server
    app.secret_key = session_key(server)
    with server.store.transaction() as transaction:
        health.create_tables(transaction.database)
    return app


@pytest.fixture
def browsers(server: Server, app: Flask) -> Callable[[str], Browser]:
    """Return a function that opens the browser of `ann` (red), `bob` (blue), `eve` (no seat) or an anonymous
    visitor."""

    def browser(who: str = "") -> Browser:
        return Browser(app, accounts.open_account(server, f"{who}@example.org") if who else None)

    return browser


@pytest.fixture
def demo(server: Server) -> FlaskClient:
    """Return the browser of a visitor to a demonstration."""
    return create_app(server, demo=True).test_client()


@pytest.fixture
def ann(browsers: Callable[[str], Browser], match: str) -> Browser:
    return browsers("ann")


@pytest.fixture
def bob(browsers: Callable[[str], Browser], match: str) -> Browser:
    return browsers("bob")


@pytest.fixture
def eve(browsers: Callable[[str], Browser], match: str) -> Browser:
    return browsers("eve")


@pytest.fixture
def nobody(browsers: Callable[[str], Browser]) -> Browser:
    return browsers("")


# A real browser ----------------------------------------------------------------------------------------------

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@pytest.fixture(scope="session")
def running_browser(chromium: str) -> Iterator[Callable[[], Any]]:
    """Yield a function that returns the system's Chromium, started only once because a start takes a second, or again
    after a crash."""
    playwright = pytest.importorskip("playwright.sync_api")
    started: list[Any] = []
    with playwright.sync_playwright() as driver:

        def running() -> Any:
            if not started or not started[-1].is_connected():
                started.append(driver.chromium.launch(executable_path=chromium, args=FLAGS.split()))
            return started[-1]

        yield running
        for browser in started:
            browser.close()


@pytest.fixture(scope="module")
def real_browser(running_browser: Callable[[], Any]) -> Any:
    """Return the system's Chromium, which all tests of a process share."""
    return running_browser()


@pytest.fixture(scope="module")
def serve() -> Iterator[Callable[[Flask], str]]:
    """Yield a function that serves an application and returns its address, until the tests of a module are over."""
    served = []

    def start(app: Flask) -> str:
        listener = make_server("127.0.0.1", 0, app, threaded=True)
        thread = threading.Thread(target=listener.serve_forever, daemon=True)
        thread.start()
        served.append((listener, thread))
        return f"http://127.0.0.1:{listener.port}"

    yield start
    for listener, thread in served:
        listener.shutdown()
        thread.join()


def is_complaint(message: Any) -> bool:
    """Return whether a logged message shows a fault of the page, not a refused form or a connection that the test's
    server dropped."""
    harmless = ("status of 422", "status of 409", "net::ERR_CONNECTION_RESET")
    return message.type == "error" and not any(text in message.text for text in harmless)


@pytest.fixture
def new_page(real_browser: Any, serve: Callable[[Flask], str]) -> Iterator[Callable[..., Any]]:
    """Yield a function that opens a page; fail the test if a page logs an error, such as a violation of its content
    policy."""
    complaints: list[str] = []
    contexts = []

    def opened(**options: Any) -> Any:
        context = real_browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)  # a busy machine is no fault of the page
        page.on("console", lambda message: complaints.append(message.text) if is_complaint(message) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def panzer_server(tmp_path: Path) -> Server:
    return open_server(tmp_path / "panzer.db", {"panzer": Panzer()}, clock=lambda: NOON)
