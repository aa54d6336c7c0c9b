"""§11 Once announced a deadline is an event with a UTC instant, and only events move it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from toy import AmbushTitle

from pbem.matches import accounts, acts, deadlines, desk
from pbem.matches.deadlines import HOUR, Deadline
from pbem.matches.house import House

START = 1_900_000_000_000


class Table:
    """A house with a clock that the test sets, and a match of Ann (red) against Bob (blue)."""

    def __init__(self, folder: Path) -> None:
        self.now = START
        self.house: House = desk.open_house(folder / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: self.now)
        self.match = ""
        self.ann, self.bob = (accounts.open_account(self.house, f"{n}@example.org").id for n in ("ann", "bob"))

    def begin(self, cadence: int = 48) -> str:
        self.match = desk.new_match(self.house, "ambush", "tiny", cadence=cadence)
        desk.take_seat(self.house, self.match, "red", self.ann)
        desk.take_seat(self.house, self.match, "blue", self.bob)
        return self.match

    @property
    def deadline(self) -> Deadline:
        found = deadlines.deadline_of(acts.read(self.house, self.match))
        assert found is not None
        return found


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.house.close()


def test_a_deadline_is_announced_with_the_exchange_and_says_why(table: Table) -> None:
    table.begin(48)
    assert (table.deadline.exchange, table.deadline.at) == (2, START + 48 * HOUR)
    assert table.deadline.why == f"2 days after {deadlines.in_words(START)}"
