"""Servers shared by the tests in this folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from eventstore.store import take_everything


@pytest.fixture
def store_that_takes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the store accept any event, as an attacker who runs the server could."""
    monkeypatch.setattr("pbem.matches.server.check_new", take_everything)


@pytest.fixture
def folder(folders: Callable[[], Path]) -> Path:
    """Make a new empty folder."""
    return folders()
