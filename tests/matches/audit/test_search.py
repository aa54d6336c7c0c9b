"""Reports and decisions of a match are searched by word, unit, rule and turn, each viewer in what they may read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.seated import Table

from pbem.engine.rules.findings import PUBLIC
from pbem.matches.audit.search import search
from pbem.matches.rulings import powers


def test_a_search_finds_sentences_and_decisions(folders: Callable[[], Path]) -> None:
    table = Table(folders())
    table.begin(master=True, scenario="small")
    table.play(("red", "r1 ambush"), ("blue", "b1 ambush"))
    table.say("red", "dispute 2 (rule 4.2): wrong")
    powers.settle(table.server, table.match, number=1, answer="A dull shot.", rule="4.2", by=table.master)
    everything = search(table.server, table.match, "red")
    assert [hit.text for hit in search(table.server, table.match, PUBLIC, words="dull SHOT")] == [
        "Dispute 1 of red: decided. A dull shot."
    ]
    for hit in everything:
        assert hit in search(table.server, table.match, "red", words=hit.text, rule=hit.rule)
    assert search(table.server, table.match, "red", turn=99) == []
    assert search(table.server, table.match, "red", words="no such words") == []
