"""Helpers for tests of AP fire."""

from typing import Any

import pytest
from titles.panzer.basic import a_shot, preview, resolve_shot
from titles.panzer.builders import (
    run_step,
)

from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.state import Command

both_editions = pytest.mark.parametrize("edition", EDITIONS)


def one_shot(table: Any, firer: str, target: str, answers: Any = (), weapon: int = 0) -> Finding:
    """Resolve one shot and return its finding."""
    state = table.state
    shot = a_shot(table.data, state, state.vehicles[firer], weapon, state.vehicles[target])
    return run_step(table, resolve_shot(table, shot), answers).result


def seen(table: Any, firer: str, target: str, command: Command | None = None, weapon: int = 0) -> Finding:
    """Return the preview of a shot."""
    vehicles = table.state.vehicles
    return preview(table.data, table.state, vehicles[firer], weapon, vehicles[target], command)
