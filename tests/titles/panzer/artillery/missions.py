"""Helpers for tests of indirect fire."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from titles.panzer.advanced.builders import (
    a_tank,
    advanced_data,
    an_advanced_table,
)
from titles.panzer.artillery.test_observers import a_battery, an_observer
from titles.panzer.builders import Played, run_step

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.indirect_fire import indirect_fire_step
from pbem.titles.panzer.artillery.mission_answers import check_mission
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.state import (
    PanzerState,
    Unit,
)

EDITIONS: tuple[Edition, ...] = ("2024", "2016")
both = pytest.mark.parametrize("edition", EDITIONS)


def a_call(point: str, *firers: str, observer: str = "g1", **more: Any) -> dict[str, Any]:
    return {"do": "call", "observer": observer, "point": point, "firers": list(firers), "sheaf": "closed",
            "direction": 0, "type": "gp"} | more  # fmt: skip


def a_table(
    *units: Unit,
    dice: Iterable[int] = (),
    edition: Edition = "2024",
    batteries: Iterable[Any] | None = None,
    labels: tuple[str, ...] = ("fo",),
    scenario: dict[str, Any] | None = None,
    observer: dict[str, Any] | None = None,
    **more: Any,
) -> Table[PanzerState]:
    """A German observer in C3, a medium battery, and by default a Soviet tank in C10."""
    data = advanced_data(edition=edition)
    watching = an_observer(data, *labels, **(observer or {}))
    enemies = units or (a_tank("s1", "C10", "t34_76"),)
    found = [a_battery()] if batteries is None else list(batteries)
    return an_advanced_table(
        watching, *enemies, dice=dice, edition=edition, scenario=scenario,
        **{"batteries": {one.id: one for one in found}, "sides": ("german", "soviet"), "stage": 4, **more},
    )  # fmt: skip


def step(table: Table[PanzerState], *answers: Any, begun: bool = False, **more: Any) -> Played:
    """Play the German step with these declarations, one after another."""
    played = None
    for answer in (*answers, None):
        script: dict[Any, Any] = {"mission": [answer], **more}
        played = run_step(table, indirect_fire_step(table, "german", begun=begun), script)
        begun = True
    assert played is not None
    return Played(played.asks, table.findings, played.result)


def objections(table: Table[PanzerState], answer: Any) -> Any:
    ask = Ask("german", "mission", "6.5.1.1")
    with pytest.raises((Illegal, Unreadable)) as caught:
        check_mission(table, ask, answer)
    return caught.value


def legal(table: Table[PanzerState], answer: Any) -> Any:
    return check_mission(table, Ask("german", "mission", "6.5.1.1"), answer)
