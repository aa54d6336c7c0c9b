"""The table of this title: the kernel's table with a situation, and ways to group findings that belong together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import AslskState
from pbem.titles.aslsk.terms import TERMS, terms_of


class AslskTable(Table[AslskState]):
    """The kernel's table with this title's `situation`; each step wraps it once (`as_aslsk_table`) and passes it
    on.
    """

    situation: Situation

    def find(
        self,
        rule: str,
        *,
        inputs: Mapping[str, Any] | None = None,
        modifiers: Iterable[dict[str, Any]] = (),
        result: Any = None,
        children: Iterable[Finding] = (),
        **more: Any,
    ) -> Finding:
        """Record one explained result, with the terms of chapter 2 that it relies on as children."""
        rows = list(modifiers)
        under = [*children, *terms_of(rule, inputs or {}, result, rows)] if rule in TERMS else children
        return super().find(rule, inputs=inputs, modifiers=rows, result=result, children=under, **more)


def as_aslsk_table(table: Table[AslskState]) -> AslskTable:
    """The kernel's table, extended for this title."""
    own = AslskTable.__new__(AslskTable)
    own.__dict__ = table.__dict__
    own.__dict__["situation"] = Situation(table.data, table.state)
    return own


@contextmanager
def gather_findings(table: AslskTable) -> Iterator[list[Finding]]:
    """Collect the findings made inside the block, to become the children of one finding."""
    outer, inner = table.findings, list[Finding]()
    table.findings = inner
    try:
        yield inner
    finally:
        table.findings = outer
