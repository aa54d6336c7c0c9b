"""A refusal suggests lines that would be accepted, and says how the other lines were read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.engine.rules.refusals import Refusal, each
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.clock import tick
from pbem.matches.exchange import creating, sealing, submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import load, record_of
from pbem.matches.installation import open_server
from pbem.matches.players import advice
from pbem.matches.players.advice import Advice, advise
from pbem.matches.server import Server
from pbem.titles.registry import TITLES

DUEL, CROSSROADS = ("panzer", "duel"), ("tanks", "crossroads")


class Table:
    """A match between a bot and a player, played as far as a certain ask."""

    def __init__(self, server: Server, title: str, scenario: str, exchanges: int = 0) -> None:
        self.server = server
        self.match = creating.new_match(server, title, scenario)
        self.seat, *others = record_of(server, self.match).seats
        account = accounts.open_account(server, "ann@example.org")
        take_seat(server, self.match, self.seat, account.id)
        for seat in others:
            take_seat(server, self.match, seat, accounts.open_bot(server, title).id)
        for _ in range(exchanges):
            form = views.open_form(server, self.match, self.seat)
            place = (server, self.match, self.seat, form.exchange, form.text)
            submitting.submit(*place, by=account.id, final=True, source="web")
            tick.tick(server, server.store.clock())
        self.exchange = views.status(server, self.match).exchange

    def advice(self, *lines: str) -> Advice:
        with pytest.raises(Refusal) as caught:
            self.read(lines)
        wrong = [(single.line, single) for single in each(caught.value)]
        return advise(load(self.server, self.match), self.seat, self.exchange, "\n".join(lines), wrong)

    def read(self, lines: tuple[str, ...]) -> None:
        sealing.check_text(load(self.server, self.match), self.seat, self.exchange, "\n".join(lines))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = open_server(tmp_path / "pbem.db", TITLES)
    yield server
    server.close()


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("ge2 fire at br9", ["ge2 fire br3 br1 br2"]),
        ("ge3 overwach", ["ge3 overwatch"]),
        ("ge4 dance", ["ge4 hold"]),
        ("ge7 hold", ["ge4 hold"]),
        (
            "ge3 short halt br1, move g6 face 3",
            [f"ge3 short halt br1, move G6 face {direction}" for direction in (1, 2, 6)],
        ),
    ],
)
def test_the_nearest_lines_would_be_taken(server: Server, line: str, instead: list[str]) -> None:
    """The suggested lines would be accepted: they correct up to two words, such as a mistyped unit name."""
    table = Table(server, *DUEL)
    advice = table.advice("ge1 fire br3", line)
    assert advice == Advice("ge1 fire br3", {line: instead})
    for proposed in instead:
        table.read(("ge1 fire br3", proposed))


def test_where_nothing_is_near_the_form_says_what_would_be_taken(server: Server) -> None:
    table = Table(server, *CROSSROADS, exchanges=1)
    advice = table.advice("a1 at 450 450 face 0")
    [proposed] = advice.instead["a1 at 450 450 face 0"]
    assert proposed in views.open_form(server, table.match, table.seat).text
    table.read((proposed,))


def test_a_line_for_the_rest_says_nothing_of_who_was_refused(server: Server) -> None:
    table = Table(server, *DUEL)
    assert table.advice("ge1 fire br3", "ge2 dance", "rest overwatch").understood.split("\n") == [
        "ge1 fire br3",
        "ge3 overwatch",
        "ge4 overwatch",
    ]


def test_no_unit_is_proposed_that_has_its_orders(server: Server) -> None:
    table = Table(server, *DUEL)
    assert table.advice("ge4 hold", "ge7 hold").instead["ge7 hold"] != ["ge4 hold"]


def test_many_mistakes_get_bounded_help(server: Server) -> None:
    table = Table(server, *DUEL)
    advice = table.advice(*(f"g{number} dance" for number in range(100, 160)))
    assert len(advice.instead) <= 12


def test_there_is_no_advice_on_a_closed_exchange(server: Server) -> None:
    table = Table(server, *DUEL)
    assert advise(load(server, table.match), table.seat, 1, "ge1 dance", [("ge1 dance", Refusal("ge1"))]) == Advice()


def test_advice_takes_bounded_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Advice stops after bounded work, because reading orders for hundreds of units takes long and the tick waits for
    it."""
    monkeypatch.setattr(advice, "MOST_READ", 0)
    table = Table(server, *DUEL)
    assert table.advice("ge1 fire br3", "ge2 fire br9") == Advice("ge1 fire br3", {"ge2 fire br9": []})
