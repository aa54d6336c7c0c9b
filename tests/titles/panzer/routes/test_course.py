"""R-17 A cached course equals a freshly computed one, and any event on the way invalidates it."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.titles.panzer.movement import move_execution
from pbem.titles.panzer.movement.steps.driving import Objections, Stride
from pbem.titles.panzer.movement.steps.route_following import as_far_as_legal
from pbem.titles.panzer.movement.steps.unit_steps import March, UnitMover, mover_of, take
from pbem.titles.panzer.routes import rest_of_move
from pbem.titles.panzer.state import Unit
from pbem.titles.registry import TITLES
from pbem.tools.simulate import play


@pytest.mark.parametrize("scenario", ["duel", "desert"])
def test_every_course_kept_in_a_match_equals_one_followed_anew(
    scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = []
    rest_of, next_stride = move_execution.rest_of, move_execution.next_stride

    def compared_rest(table: Any, unit: Unit, march: March, rest: tuple[str, ...]) -> tuple[str, ...]:
        kept.append(rest_of_move.course_of(table, unit, march) is not None)
        anew = as_far_as_legal(mover_of(table, unit), march, rest)
        found = rest_of(table, unit, march, rest)
        assert found == anew
        return found

    def compared_stride(table: Any, unit: Unit, march: March, step: str) -> tuple[UnitMover, Stride | Objections]:
        anew = mover_of(table, unit)
        mover, stride = next_stride(table, unit, march, step)
        assert stride == take(anew, march, step)
        assert (mover.enemies, mover.others, mover.wrecks) == (anew.enemies, anew.others, anew.wrecks)
        assert mover.group == anew.group
        return mover, stride

    monkeypatch.setattr(move_execution, "rest_of", compared_rest)
    monkeypatch.setattr(move_execution, "next_stride", compared_stride)
    play(TITLES["panzer"], scenario, "course")
    assert kept.count(True) > kept.count(False)
