"""Hypothetical play repeats the same orders and dice from a changed position, on a copy; nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.seated import Table

from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Refusal
from pbem.matches.audit.hypothetical import MARK, what_if


@pytest.fixture
def table(folders: Callable[[], Path]) -> Table:
    table = Table(folders())
    table.begin(master=True, scenario="tiny")
    table.play(("red", "r1 go3"), ("blue", "b1 hold"))
    return table


def test_without_its_cause_the_effect_is_gone_and_nothing_is_kept(table: Table) -> None:
    before = table.record.version
    same = what_if(table.server, table.match, MASTER, 2, "turn 1")
    assert (same.only_then, same.only_now, same.mark) == ((), (), MARK)
    assert [one.dice for one in same.was] == [one.dice for one in same.would_be], "the dice are the same"
    other = what_if(table.server, table.match, MASTER, 2, "r1 hex 1.3")
    assert other.only_then and other.only_now
    assert table.record.version == before and table.verified().ok


@pytest.mark.parametrize(
    ("exchange", "text", "why"),
    [
        (9, "turn 1", "was overruled or has no result"),
        (2, "r1 hex 90.90", "off the map"),
        (2, "nobody hex 1.3", "nothing in the position"),
    ],
)
def test_what_cannot_have_been_is_refused(table: Table, exchange: int, text: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        what_if(table.server, table.match, MASTER, exchange, text)
