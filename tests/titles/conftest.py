"""Every finding that a title's test logs is recomputed from its own numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.recompute import Recipe, find_unexplained
from pbem.engine.rules.table import Table
from pbem.titles.aslsk.data_set import AslskData
from pbem.titles.aslsk.telling import recomputing as aslsk
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.explain import recomputing as nato
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.telling import recomputing as panzer
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.telling import recomputing as tanks

RECIPES: Mapping[type, Callable[[Table[Any]], Mapping[str, Recipe]]] = {
    AslskData: lambda table: aslsk.RECIPES,
    NatoData: lambda table: nato.RECIPES,
    PanzerData: lambda table: panzer.recipes_of(table.data.edition),
    TanksData: lambda table: tanks.RECIPES if table.shows_happenings else {},  # bots leave numbers out
}


@pytest.fixture(autouse=True)
def findings_are_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test in which a finding does not follow from its inputs, modifiers and dice."""
    found: list[str] = []
    logged = Table.find

    def find(self: Table[Any], *args: Any, **named: Any) -> Finding:
        finding = logged(self, *args, **named)
        recipes = RECIPES[type(self.data)](self) if type(self.data) in RECIPES else {}
        if recipes:
            found.extend(find_unexplained(recipes, self.data, [finding]))
        return finding

    monkeypatch.setattr(Table, "find", find)
    yield
    assert not found, found[0]
