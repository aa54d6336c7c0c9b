"""In an advanced match with hidden units, mines and plotted fire, no page depends on these secrets.

One side's secrets are under unrevealed counters (7.2), in plots (6.5.1.4) and on its own order forms. In the second
world two hidden squads have changed places, hidden units face another way, another point is registered and other
shells are planned. Every address of the site is requested as the enemy and as the public, from the set-up to the end
of a turn in which the side with the secrets does not move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.playing import NOON
from web.http.test_leaks_web import difference, entropy, fixed_chance, shown
from web.http.test_roles import TABLE

from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.installation import open_server
from pbem.titles.panzer.title import Panzer
from pbem.web import create_app

SECRETS = (
    {
        "plot": "register bg1 C6\nplan bg1 turn 6: C7 closed gp 2",
        "deploy": "dr2 Q8 face 6\ndr3 Q7 face 6\ndr6 R9 face 6\nch1 R6 face 6",
    },
    {
        "plot": "register bg1 D7\nplan bg1 turn 5: C6 open smoke 1",
        "deploy": "dr2 Q7 face 5\ndr3 Q8 face 1\ndr6 R9 face 5\nch1 R6 face 1",
    },
)
"""The orders of the British in each world."""
ME, OTHER = "italian", "british"
HIDDEN = ("ch1", "dr1", "dr2", "dr3", "dr5", "dr6", "dr7", "dr9")
MINES = """
[conditions]
hidden_counters = {british = 12}

[[feature]]
id = "x"
type = "hasty_mines"
hexes = ["K1", "K2"]
side = "british"
of = "both"
hidden = true
"""
UNITS = ("ch1", "ch2", "dr2", "dr3", "dr8")
WHOLE = ("deploy is sealed", "turn 2")
SHORT = re.compile(r"^/matches/\w+(/status.json|/map.svg|/units/d2.json)?$")
PAGES = [route.path for route in TABLE.values() if route.form is None]
"""Every address that can be requested. It comes from the table of routes, so new routes are included."""


class HiddenDesert(Panzer):
    """Panzer with one scenario, in which half of one side is hidden."""

    scenarios = ("desert",)

    def freeze(self, scenario: str, options: Any) -> dict[str, bytes]:
        blobs = dict(super().freeze(scenario, {"edition": "2016", "rules": ["hidden_units", "minefields"]}))
        text = blobs["scenario"].decode().replace("registered_points = 1", "registered_points = 1\nplanned_turns = 3")
        for unit in HIDDEN:
            text = re.sub(rf'(\{{id = "{unit}", .*)\}}', r"\1, hidden = true}", text)
        return {**blobs, "scenario": (text + MINES).encode()}


class World:
    """A match in which the British have the given secrets."""

    def __init__(self, folder: Path, secret: dict[str, str]) -> None:
        titles = {"panzer": HiddenDesert()}
        self.server = open_server(folder / "pbem.db", titles, entropy=entropy(), clock=lambda: NOON)
        self.match = creating.new_match(self.server, "panzer", "desert", cadence=48)
        self.secret, self.players = secret, {}
        for seat in (ME, OTHER):
            self.players[seat] = accounts.open_account(self.server, f"{seat}@example.org")
            take_seat(self.server, self.match, seat, self.players[seat].id)
        self.app = create_app(self.server, secret=b"the same in all worlds")

    def stages(self) -> Iterator[str]:
        """Yield after each action of the British and after each exchange, until turn 2 begins."""
        while (stand := views.status(self.server, self.match)).turn == 1:
            for seat in sorted(stand.asked):  # the British before the Italians
                form = views.open_form(self.server, self.match, seat)  # unedited, it says what happens anyway
                text = self.secret.get(form.kind, form.text) if seat == OTHER else form.text
                by = self.players[seat].id
                submitting.submit(
                    self.server, self.match, seat, stand.exchange, text, by=by, final=True, source="web"
                )
                if seat == OTHER and form.kind in self.secret:
                    yield f"{form.kind} is sealed"
            now = views.status(self.server, self.match)
            yield f"turn {now.turn}" if now.turn > 1 else f"exchange {stand.exchange} is played"

    def addresses(self) -> list[str]:
        known = {"match": self.match, "open": self.match, "red": self.players[OTHER].id}
        filled = [re.sub(r"\{(\w+)\}", lambda name: known.get(name[1], "nosuch"), page) for page in PAGES]
        filled = [page.replace("ambush/", "panzer/").replace("tiny", "desert") for page in filled]
        last = views.status(self.server, self.match).last
        resolved = range(1, last + 1)
        numbers = [page.replace("/2", f"/{number}") for page in filled if "/2" in page for number in resolved]
        units = [page.replace("/r1", f"/{unit}") for page in filled if "/r1" in page for unit in UNITS]
        whole = [page for page in filled if "/2" not in page and "/r1" not in page]
        return [*whole, *numbers, *units, *(f"/matches/{self.match}/map.svg?after={n}" for n in resolved)]


@pytest.fixture
def worlds(folders, monkeypatch):
    fixed_chance(monkeypatch)
    return [World(folders(), secret) for secret in SECRETS]


def test_no_address_tells_what_is_hidden_in_an_advanced_match(worlds, new_browser):
    """No address reveals hidden data; all are requested after the set-up and at the end, and the most requested ones
    in between."""
    viewers = [[new_browser(world.app, world.players.get(who)) for world in worlds] for who in (ME, "public")]
    codes: set[int] = set()
    for stage, same in zip(*(world.stages() for world in worlds), strict=True):
        assert stage == same
        one, two = (world.addresses() for world in worlds)
        assert one == two
        for address in one if stage in WHOLE else [address for address in one if SHORT.search(address)]:
            for browsers in viewers:
                answers = [browser.get(address) for browser in browsers]
                first, second = (shown(answer, export=address.endswith("/export")) for answer in answers)
                assert (first[0], first[2]) == (second[0], second[2]), f"{stage}: {address}"
                assert first[1] == second[1], f"{stage}: {address}: {difference(first[1], second[1])}"
                codes.add(first[0])
    assert {200, 404} <= codes and 500 not in codes


def test_the_worlds_do_differ(worlds, new_browser):
    """The comparison can fail, because the British see a different page and map in each world."""
    for _ in zip(*(world.stages() for world in worlds), strict=True):
        pass
    for page in ("", "/map.svg", "/units/d2.json"):
        seen = [new_browser(world.app, world.players[OTHER]).get(f"/matches/{world.match}{page}") for world in worlds]
        assert len({answer.text for answer in seen}) == 2, page
