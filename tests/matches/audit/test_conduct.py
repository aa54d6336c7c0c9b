"""Forgeries of conduct in logs whose chain and signatures fit: more time, decisions and ends that nothing allows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.conduct import EXPECTED, disputed
from support.forging import Lines, read_forged
from support.seated import Table

from pbem.matches.audit.verify import verify_export
from pbem.matches.history.export import export, read_export


@pytest.fixture(scope="module")
def table(folders: Callable[[], Path]) -> Table:
    return disputed(folders())


def test_the_honest_log_holds(table: Table) -> None:
    assert verify_export(read_export(export(table.server, table.match, "red"))).problems == []


@pytest.mark.parametrize("forge", EXPECTED, ids=lambda forge: forge.__name__)
def test_a_forgery_of_conduct_is_named(table: Table, forge: Callable[[Lines], None]) -> None:
    found = {code for _, code in verify_export(read_forged(table.server, table.match, forge)).codes}
    assert EXPECTED[forge] in found, found
