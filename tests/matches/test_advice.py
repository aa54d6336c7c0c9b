"""A refusal is followed by lines that would be taken, and by how the others were understood."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.engine.refusals import Refusal, each
from pbem.matches import accounts, acts, advice, desk
from pbem.matches.advice import Advice, advise
from pbem.matches.house import House
from pbem.matches.position import load
from pbem.titles.registry import TITLES

DUEL, CROSSROADS = ("panzer", "duel"), ("tanks", "crossroads")


class Table:
    """A match of a bot against somebody who has come to a certain ask."""

    def __init__(self, house: House, title: str, scenario: str, exchanges: int = 0) -> None:
        self.house = house
        self.match = desk.new_match(house, title, scenario)
        self.seat, *others = acts.read(house, self.match).seats
        account = accounts.open_account(house, "ann@example.org")
        desk.take_seat(house, self.match, self.seat, account.id)
        for seat in others:
            desk.take_seat(house, self.match, seat, accounts.open_bot(house, title).id)
        for _ in range(exchanges):
            form = desk.open_form(house, self.match, self.seat)
            place = (house, self.match, self.seat, form.exchange, form.text)
            desk.submit(*place, by=account.id, final=True, source="web")
            desk.tick(house, house.store.clock())
        self.exchange = desk.status(house, self.match).exchange

    def advice(self, *lines: str) -> Advice:
        with pytest.raises(Refusal) as caught:
            self.read(lines)
        wrong = [(single.line, single) for single in each(caught.value)]
        return advise(self.house, self.match, self.seat, self.exchange, "\n".join(lines), wrong)

    def read(self, lines: tuple[str, ...]) -> None:
        acts.check_text(load(self.house, self.match), self.seat, self.exchange, "\n".join(lines))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = desk.open_house(tmp_path / "pbem.db", TITLES)
    yield house
    house.close()


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("g2 fire at b9", ["g2 fire b3 b1 b2"]),
        ("g3 overwach", ["g3 overwatch"]),
        ("g4 dance", ["g4 hold"]),
        ("g7 hold", ["g4 hold"]),
        (
            "g3 short halt b1, move g6 face 3",
            [f"g3 short halt b1, move G6 face {direction}" for direction in (1, 2, 6)],
        ),
    ],
)
def test_the_nearest_lines_would_be_taken(house: House, line: str, instead: list[str]) -> None:
    """Two words may have to be put right, and a unit that nobody has may be a slip for another."""
    table = Table(house, *DUEL)
    advice = table.advice("g1 fire b3", line)
    assert advice == Advice("g1 fire b3", {line: instead})
    for proposed in instead:
        table.read(("g1 fire b3", proposed))


def test_where_nothing_is_near_the_form_says_what_would_be_taken(house: House) -> None:
    table = Table(house, *CROSSROADS, exchanges=1)
    advice = table.advice("a1 at 450 450 face 0")
    [proposed] = advice.instead["a1 at 450 450 face 0"]
    assert proposed in desk.open_form(house, table.match, table.seat).text
    table.read((proposed,))


def test_a_line_for_the_rest_says_nothing_of_who_was_refused(house: House) -> None:
    table = Table(house, *DUEL)
    assert table.advice("g1 fire b3", "g2 dance", "rest overwatch").understood.split("\n") == [
        "g1 fire b3",
        "g3 overwatch",
        "g4 overwatch",
    ]


def test_no_unit_is_proposed_that_has_its_orders(house: House) -> None:
    table = Table(house, *DUEL)
    assert table.advice("g4 hold", "g7 hold").instead["g7 hold"] != ["g4 hold"]


def test_many_mistakes_get_bounded_help(house: House) -> None:
    table = Table(house, *DUEL)
    advice = table.advice(*(f"g{number} dance" for number in range(100, 160)))
    assert len(advice.instead) <= 12


def test_there_is_no_advice_on_a_closed_exchange(house: House) -> None:
    table = Table(house, *DUEL)
    assert advise(house, table.match, table.seat, 1, "g1 dance", [("g1 dance", Refusal("g1"))]) == Advice()


def test_advice_takes_bounded_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """An army of hundreds takes long to read, and the tick waits."""
    monkeypatch.setattr(advice, "SECONDS", 0)
    table = Table(house, *DUEL)
    assert table.advice("g1 fire b3", "g2 fire b9") == Advice("g1 fire b3", {"g2 fire b9": []})
