"""Worlds of Panzer that differ only in face-down enemy commands that never act look the same in every byte.

All counters are revealed when a turn ends (4.6.1). So the match asks for everything (`reactions = "ask"`), and is
examined in every exchange between the placing of the counters and the end of the turn. Dice are held fixed: a die
depends on its name alone. Hashes and signatures are declared opaque, and masked; the names of pages and pictures in
caches (ETag) and everything in the addresses of a page are compared as they are.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.playing import NOON

import pbem.engine.play.dice
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.installation import open_server
from pbem.titles.panzer.title import Panzer
from pbem.web import create_app

OPAQUE = re.compile(r"[0-9a-f]{64,}|[0-9A-Za-z+/]{60,}={0,2}|\b(?:0x)?[0-9a-f]{16}\b")
"""Hashes, signatures, keys, parts in base 64, and the digits of a hash that make a die."""
TOKEN = re.compile(r'name="csrf_token" value="[^"]+"')
OWN = ("X-Request-ID", "Set-Cookie", "Date", "Content-Length")
"""Headers that differ in every response; the length is that of the text, which is compared."""

HIDDEN = (
    "rest hold",
    "br1 overwatch only ge1\nbr2 overwatch hit>=99\nbr3 overwatch\nbr4 hold\nsecond",
)
"""The orders of the British in each world; during the turn they pass at every opportunity."""
GERMAN = "rest hold"
PROBES = ("ge1 fly", "br1 hold", "ge1 fire br4", "ge2 move Z9", "ge3 overwatch\nge3 hold", "rest short-halt")
"""Orders whose refusal might reveal what the server knows."""


def fixed_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    def die(rung: bytes, context: str, rule: str, subjects: Sequence[str], ordinal: int, sides: int) -> int:
        name = f"{rule}|{subjects}|{ordinal}".encode()
        return int.from_bytes(hashlib.sha256(name).digest()[:4], "big") % sides + 1

    monkeypatch.setattr(pbem.engine.play.dice, "die", die)


def entropy() -> Any:
    drawn: Counter[str] = Counter()

    def draw(label: str) -> bytes:
        drawn[label] += 1
        return hashlib.sha256(f"{label}/{drawn[label]}".encode()).digest()

    return draw


class World:
    """A match whose British player has sealed the given orders and then played a turn with them."""

    def __init__(self, folder: Path, hidden: str, new_browser: Any) -> None:
        clock = lambda: NOON  # noqa: E731
        self.server = open_server(folder / "pbem.db", {"panzer": Panzer()}, entropy=entropy(), clock=clock)
        self.match = creating.new_match(self.server, "panzer", "duel", cadence=48, reactions="ask")
        self.players = {}
        for seat in ("german", "british"):
            self.players[seat] = accounts.open_account(self.server, f"{seat}@example.org")
            take_seat(self.server, self.match, seat, self.players[seat].id)
        self.hidden, self.new_browser = hidden, new_browser
        self.app = create_app(self.server, secret=b"the same in all worlds")

    def seal(self, seat: str, text: str, exchange: int, *, final: bool) -> None:
        by = self.players[seat].id
        submitting.submit(self.server, self.match, seat, exchange, text, by=by, final=final, source="web")

    def stages(self) -> Iterator[str]:
        """Yield after the commands are sealed, after they are final, and at each exchange until the turn ends."""
        self.seal("british", self.hidden, 2, final=False)
        yield "sealed"
        self.seal("british", self.hidden, 2, final=True)
        yield "final"
        self.seal("german", GERMAN, 2, final=True)
        while (stand := views.status(self.server, self.match)).turn == 1:
            yield f"exchange {stand.exchange}"
            for seat in stand.asked:
                form = views.open_form(self.server, self.match, seat)
                self.seal(seat, "first" if form.kind == "initiative" else "done", stand.exchange, final=True)

    def pages(self, viewer: str, *, all_of_them: bool) -> Iterator[tuple[str, Any]]:
        """Yield every response to the German player or the public, or only the most requested ones."""
        browser = self.new_browser(self.app, self.players.get(viewer))
        match = f"/matches/{self.match}"
        last = views.status(self.server, self.match).last
        if not all_of_them:
            for path in (match, f"{match}/status.json", f"{match}/map.svg", f"{match}/reports/{last}"):
                yield path, browser.get(path)
            return
        units = [f"{match}/units/{side}{number}.json" for side in "gb" for number in range(1, 5)]
        paths = [
            *("/", match, f"{match}/status.json", f"{match}/map.svg", f"{match}/verify", f"{match}/export"),
            *(f"{match}/{page}/{number}" for page in ("reports", "replay") for number in range(1, last + 1)),
            *(f"{match}/map.svg?after={number}" for number in range(1, last + 1)),
            *(f"{match}/receipts", f"{match}/dice", f"{match}/feed.atom", f"{match}/master/record"),
            *units,
            *(f"{match}/sight/F6.json?to=O7", "/calendar.ics", f"/players/{self.players['british'].id}"),
            *(f"/api/v1{match}{page}" for page in ("", "/map.svg", "/export", "/reports", f"/replay/{last}")),
            *(f"/api/v1{match}{page}" for page in (f"/reports/{last}", "/table", "/dice", "/deeds", "/units/br1")),
            *(f"/api/v1{match}/sight/F6?to=O7", "/api/v1/matches", f"/api/v1/players/{self.players['british'].id}"),
        ]
        for path in paths:
            yield path, browser.get(path)
        if viewer == "german" and "german" in views.status(self.server, self.match).asked:
            exchange = views.status(self.server, self.match).exchange
            for probe in PROBES:
                yield probe, browser.post(f"{match}/orders", orders=probe, act="check", exchange=exchange)


def shown(answer: Any, *, export: bool) -> tuple[int, str, tuple[tuple[str, str], ...]]:
    """Return everything that the server sends, without opaque values; the parts of an export are ordered by hash."""
    text = TOKEN.sub("", answer.text).replace(answer.headers["X-Request-ID"], "#")
    if export:
        parts = [line for line in text.splitlines() if line.startswith('{"part"')]
        others = [line for line in text.splitlines() if line not in parts]
        contents = sorted(msgspec.json.decode(line)["part"]["content"] for line in parts)
        text = "\n".join([*(OPAQUE.sub("#", line) for line in others), *contents])
    else:
        text = OPAQUE.sub("#", text)
    # The tag of an answer that holds a signed hash is a hash of that too.
    own = (*OWN, "ETag") if OPAQUE.search(answer.text) else OWN
    kept = tuple(sorted((name, value) for name, value in answer.headers.items() if name not in own))
    return answer.status_code, text, kept


def difference(a: str, b: str) -> str:
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"…{a[max(0, at - 150) : at + 80]}… against …{b[max(0, at - 150) : at + 80]}…"


def test_face_down_commands_that_never_act_change_no_page_header_or_map(folders, new_browser, monkeypatch):
    """Face-down commands that never act change no page, header or map for the German player or the public."""
    fixed_chance(monkeypatch)
    worlds = [World(folders(), hidden, new_browser) for hidden in HIDDEN]
    for number, stages in enumerate(zip(*(world.stages() for world in worlds), strict=True)):
        whole = number in (1, 2, 4)  # at other times, only the pages that change
        for viewer in ("german", "public"):
            compare(stages[0], *(world.pages(viewer, all_of_them=whole) for world in worlds))


def compare(stage: str, *seen: Iterator[tuple[str, Any]]) -> None:
    """Compare the responses in the first world, one by one, with those in the others."""
    for answers in zip(*seen, strict=True):
        (path, first), *others = answers
        one = shown(first, export="export" in path)
        assert one[0] < 500, path
        for _, other in others:
            two = shown(other, export="export" in path)
            assert one[0] == two[0] and one[2] == two[2], f"{stage}: {path}"
            assert one[1] == two[1], f"{stage}: {path}: {difference(one[1], two[1])}"


def test_the_worlds_do_differ(folders, new_browser, monkeypatch):
    """The comparison can fail, because the British see a different page and map in each world."""
    fixed_chance(monkeypatch)
    worlds = [World(folders(), hidden, new_browser) for hidden in HIDDEN]
    for _ in zip(*(world.stages() for world in worlds), strict=True):
        pages = set()
        for world in worlds:
            browser = new_browser(world.app, world.players["british"])
            pages.add(shown(browser.get(f"/matches/{world.match}"), export=False)[1])
        assert len(pages) == len(worlds)
