"""Reports and decisions are searched by word, unit, rule and turn, each viewer in what they may read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.seated import Table

from pbem.engine.rules.findings import PUBLIC
from pbem.matches.audit.search import Hit, Wanted, search, search_server
from pbem.matches.rulings import powers


@pytest.fixture
def table(folders: Callable[[], Path]) -> Table:
    table = Table(folders())
    table.begin(master=True, scenario="small")
    table.play(("red", "r1 ambush"), ("blue", "b1 ambush"))
    table.say("red", "dispute 2 (rule 4.2): wrong")
    powers.settle(table.server, table.match, number=1, answer="A dull shot.", rule="4.2", by=table.master)
    return table


def found(table: Table, viewer: str, **wanted: object) -> list[Hit]:
    return search(table.server, table.match, viewer, Wanted(**wanted))  # type: ignore[arg-type]


def test_a_search_finds_sentences_and_decisions(table: Table) -> None:
    [hit] = found(table, PUBLIC, words="dull SHOT")
    assert (hit.text, hit.dispute) == ("Dispute 1 of red: decided. A dull shot.", 1)
    for hit in found(table, "red"):
        assert hit in found(table, "red", words=hit.text, rule=hit.rule)
    assert found(table, "red", turn=99) == []
    assert found(table, "red", words="no such words") == []


def test_a_unit_is_found_by_its_whole_name_in_what_the_viewer_may_read(table: Table) -> None:
    assert found(table, "red", unit="r1") and found(table, "red", unit="R1")
    assert found(table, "red", unit="r") == [], "a unit is found by its whole name"
    secret = [hit.text for hit in found(table, "red", unit="r1", rule="1")]
    assert secret and found(table, "blue", unit="r1", rule="1") == []


def test_all_matches_are_searched_with_the_eyes_that_an_account_has_in_each(table: Table) -> None:
    first = table.match
    table.begin()
    table.play()
    wanted = Wanted(unit="r1", rule="1")
    count, hits = search_server(table.server, table.who["red"], wanted)
    assert count == 2 and {hit.match for hit in hits} == {first, table.match}
    assert search_server(table.server, table.who["blue"], wanted) == (2, [])
    assert search_server(table.server, "", wanted, title="panzer") == (0, [])
    table.say("blue", "resign")
    _, opened = search_server(table.server, "", wanted)
    assert {hit.match for hit in opened} == {table.match}, "what is open is searched by everybody"
