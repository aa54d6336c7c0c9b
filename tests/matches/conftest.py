"""Fixtures for a match whose clock the test sets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.seated import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.server.close()
