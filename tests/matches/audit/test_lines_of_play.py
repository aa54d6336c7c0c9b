"""Overruled play stays readable, as each viewer knew it at the time; a dossier shows everything on one page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.seated import Table

from pbem.engine.rules.refusals import Refusal
from pbem.matches import views
from pbem.matches.audit import lines_of_play
from pbem.matches.rulings import rulings


@pytest.fixture
def table(folders: Callable[[], Path]) -> Table:
    table = Table(folders())
    table.begin(master=True, scenario="small")
    table.play(("red", "r1 ambush"), ("blue", "b1 go1"))
    return table


def test_a_reopened_exchange_is_told_as_it_was(table: Table) -> None:
    assert lines_of_play.overruled_results(table.record) == []
    told = {viewer: views.report(table.server, table.match, viewer, 2).told for viewer in ("red", "blue", "public")}
    where = lines_of_play.after(table.server, table.match, table.record.version).run.state.units["b1"].hex
    rulings.reopen(table.server, table.match, after=1, reason="a wrong hex", by=table.master, dispute=0)
    [one] = [found for found in lines_of_play.overruled_results(table.record) if found.exchange == 2]
    assert (one.kind, one.reason) == ("reopened", "a wrong hex")
    for viewer, sentences in told.items():
        assert lines_of_play.story(table.server, table.match, viewer, one.version) == sentences
    assert lines_of_play.after(table.server, table.match, one.version).run.state.units["b1"].hex == where
    assert lines_of_play.before(table.server, table.match, one.version).run.state.units["b1"].hex != where


def test_a_recomputed_exchange_keeps_its_first_result(table: Table) -> None:
    rulings.recompute(table.server, table.match, exchange=2, reason="to be sure", by=table.master)
    assert [(one.exchange, one.kind) for one in lines_of_play.overruled_results(table.record)][:1] == [
        (2, "recomputed")
    ]


def test_only_an_event_that_resolved_an_exchange_has_a_story(table: Table) -> None:
    for version in (0, 1, 999):
        with pytest.raises(Refusal, match="did not resolve"):
            lines_of_play.story(table.server, table.match, "public", version)
