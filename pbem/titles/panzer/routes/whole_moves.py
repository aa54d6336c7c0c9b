""""""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal
from pbem.engine.rules.table import Table
from pbem.titles.panzer.movement.movement_progress import Mover, Objections, Progress, as_far_as_legal, follow

MOST_STEPS: Final = 60
"""More than any move can use; a longer list is a mistake or an abuse."""


def cut_short(table: Table[Any], mover: Mover, progress: Progress, rest: tuple[str, ...]) -> tuple[str, ...]:
    """R-17 The remaining steps, as far as they can still be driven; the owner is told which were dropped."""
    vehicle = mover.vehicle
    possible = as_far_as_legal(mover, progress, rest)
    if len(possible) < len(rest):
        reasons = [
            Finding(rule=objection.rule, result=objection.english) for objection in against(mover, progress, rest)
        ]
        inputs = {"unit": vehicle.id, "rest": list(rest)}
        table.find("4.5.1.1", to=(vehicle.side,), inputs=inputs, result=list(possible), children=reasons)
    return possible


def check_route(mover: Mover, progress: Progress, steps: Sequence[str]) -> None:
    """4.5.1.1 Refuse a route that cannot be driven, or that may not end where it does."""
    strides, stopped = follow(mover, progress, steps)
    unit = mover.vehicle.id
    if stopped:
        refuse(f"{unit}, step {len(strides) + 1} ({steps[len(strides)]})", mover, progress, steps, stopped)
    end = strides[-1].progress if strides else progress
    if objections := list(mover.finish_objections(end)):
        refuse(unit, mover, progress, steps, objections)


def refuse(part: str, mover: Mover, progress: Progress, steps: Sequence[str], objections: Objections) -> NoReturn:
    """4.5.1.1 Refuse a route, and propose the longest part of it that would be a legal move."""
    legal = as_far_as_legal(mover, progress, steps)
    raise Illegal(part, objections, [" ".join(legal)] if legal else [])


def against(mover: Mover, progress: Progress, steps: Sequence[str]) -> Objections:
    """4.5.1.1 Every objection to a route: to one of its steps, or to its end."""
    strides, stopped = follow(mover, progress, steps)
    end = strides[-1].progress if strides else progress
    return stopped or list(mover.finish_objections(end))
