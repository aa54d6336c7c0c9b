"""Reports and decisions can be searched by word, unit, rule and turn, within what each viewer may read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.seated import Table

from pbem.engine.rules.findings import PUBLIC
from pbem.matches.audit import search_index
from pbem.matches.audit.search import Hit, Wanted, search, search_server
from pbem.matches.rulings import powers, rulings


@pytest.fixture
def table(folders: Callable[[], Path]) -> Table:
    table = Table(folders())
    table.begin(master=True, scenario="small")
    table.play(("red", "r1 ambush"), ("blue", "b1 ambush"))
    table.say("red", "dispute 1 (rule 4.2): wrong")
    powers.settle(table.server, table.match, number=1, answer="A dull shot.", rule="4.2", by=table.master)
    return table


def found(table: Table, viewer: str, **wanted: object) -> list[Hit]:
    return search(table.server, table.match, viewer, Wanted(**wanted))  # type: ignore[arg-type]


def test_a_search_finds_sentences_and_decisions(table: Table) -> None:
    [hit] = found(table, PUBLIC, words="dull SHOT")
    assert (str(hit.text), hit.dispute) == ("Dispute 1 of red: decided. A dull shot.", 1)
    for hit in found(table, "red"):
        assert hit in found(table, "red", words=str(hit.text), rule=hit.rule)
    assert found(table, "red", turn=99) == []
    assert found(table, "red", words="no such words") == []


def test_a_unit_is_found_by_its_whole_name_in_what_the_viewer_may_read(table: Table) -> None:
    assert found(table, "red", unit="r1") and found(table, "red", unit="R1")
    assert found(table, "red", unit="r") == [], "a unit is found by its whole name"
    secret = [str(hit.text) for hit in found(table, "red", unit="r1", rule="1")]
    assert secret and found(table, "blue", unit="r1", rule="1") == []


def test_all_matches_are_searched_with_the_eyes_that_an_account_has_in_each(table: Table) -> None:
    first = table.match
    table.begin()
    table.play()
    wanted = Wanted(unit="r1", rule="1")
    count, hits = search_server(table.server, table.who["red"], wanted)
    assert count == 2 and {hit.match for hit in hits} == {first, table.match}
    assert search_server(table.server, table.who["blue"], wanted) == (0, [])
    assert search_server(table.server, "", wanted, title="panzer") == (0, [])
    table.say("blue", "resign")
    _, opened = search_server(table.server, "", wanted)
    assert {hit.match for hit in opened} == {table.match}, "what is open is searched by everybody"


# The index ---------------------------------------------------------------------------------------------------


def test_the_index_finds_what_reading_every_report_finds(table: Table) -> None:
    for viewer in ("red", "blue", ""):
        account = table.who.get(viewer, "")
        for hit in search(table.server, table.match, viewer or PUBLIC, Wanted(turn=1)):
            wanted = Wanted(words=str(hit.text), rule=hit.rule, turn=hit.turn)
            assert hit in search_server(table.server, account, wanted)[1], hit


def test_the_index_holds_no_word_and_follows_the_end_and_a_ruling(table: Table) -> None:
    wanted = Wanted(unit="r1", rule="1")
    assert search_server(table.server, "", wanted) == (0, [])
    rows = table.server.database.execute("SELECT audience FROM search_reports").fetchall()
    assert {audience for (audience,) in rows} > {PUBLIC}
    table.say("blue", "resign")
    assert search_server(table.server, "", wanted)[1]
    audiences = table.server.database.execute("SELECT DISTINCT audience FROM search_reports").fetchall()
    assert audiences == [(PUBLIC,)]
    rulings.reopen(table.server, table.match, after=2, reason="not over", by=table.master)
    assert search_server(table.server, "", wanted) == (0, [])
    assert search_server(table.server, table.who["red"], wanted)[1]
    terms = table.server.database.execute("SELECT term FROM search_terms").fetchall()
    assert terms and all(isinstance(term, int) for (term,) in terms)


def test_indexing_is_incremental_and_bounded(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    search_index.catch_up(table.server)
    before = table.server.database.execute("SELECT max(id) FROM search_reports").fetchone()
    assert search_index.catch_up(table.server) == 0
    assert table.server.database.execute("SELECT max(id) FROM search_reports").fetchone() == before
    first = table.match
    for _ in range(3):
        table.begin()
        table.play()
    assert search_index.catch_up(table.server, most=1) == 2
    monkeypatch.setattr(search_index, "MOST_EXCHANGES", 1)
    table.server.database.execute("DELETE FROM search_done")
    table.server.database.execute("INSERT INTO search_due VALUES (?) ON CONFLICT DO NOTHING", (first,))
    for _ in range(20):
        search_index.catch_up(table.server)
    assert search_index.catch_up(table.server) == 0
    assert search_server(table.server, table.who["red"], Wanted(unit="r1", rule="1"))[1]


def test_what_only_the_game_master_reads_is_indexed_once_the_match_is_open(table: Table) -> None:
    def audiences() -> set[str]:
        while search_index.catch_up(table.server):
            pass
        return {audience for (audience,) in table.server.database.execute("SELECT audience FROM search_reports")}

    assert "red" in audiences() and "master" not in audiences()
    table.say("blue", "resign")
    assert audiences() == {PUBLIC}
    _, hits = search_server(table.server, "", Wanted(unit="r1", rule="1"))
    assert hits, "everybody reads an open match as the game master did"
