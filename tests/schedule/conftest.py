"""Fixtures for servers with movable clocks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from schedule.clocks import Clocks


@pytest.fixture
def clocks(tmp_path: Path) -> Iterator[Clocks]:
    """A server whose clocks the test moves, after its first tick."""
    clocks = Clocks(tmp_path)
    clocks.supervisor.tick()
    yield clocks
    clocks.server.close()
