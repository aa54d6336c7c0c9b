"""Every finding that a NATO test logs is recomputed from its own numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.recompute import unexplained
from pbem.engine.rules.table import Table
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.explain.recomputing import RECIPES


@pytest.fixture(autouse=True)
def findings_are_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test in which a finding does not follow from its inputs, modifiers and dice."""
    found: list[str] = []
    logged = Table.find

    def find(self: Table[Any], *args: Any, **named: Any) -> Finding:
        finding = logged(self, *args, **named)
        if isinstance(self.data, NatoData):
            found.extend(unexplained(RECIPES, self.data, [finding]))
        return finding

    monkeypatch.setattr(Table, "find", find)
    yield
    assert not found, found[0]
