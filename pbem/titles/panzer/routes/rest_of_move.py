"""4.5.1.1, R-17 Whole moves: their legality, and the rest of a move while it is made.

4.5.1.1   check_route, refuse, against
R-17      rest_of, cut_short: the steps still ahead, as far as they can be driven
          Course: the rest as it was last followed; it is valid until something happens
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, NoReturn

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal
from pbem.engine.rules.table import Table
from pbem.titles.panzer.movement.steps.driving import Mover, Objections, Progress, Stride
from pbem.titles.panzer.movement.steps.route_following import as_far_as_legal, ends_legally, follow, legal_strides
from pbem.titles.panzer.movement.steps.unit_steps import DRIVING, March, UnitMover, mover_of, take
from pbem.titles.panzer.movement.unfinished import declared_end
from pbem.titles.panzer.obstacles.narrow_roads import NARROW_ROADS
from pbem.titles.panzer.state import Unit

MOST_STEPS: Final = 60
"""More than any move can use; a longer list is a mistake or an abuse."""


# --- R-17 the rest of a move -----------------------------------------------------------------------------------

COURSE: Final = "course"
"""The key under which a step's facts hold the course of the moving unit."""


class Course(NamedTuple):
    """R-17 The rest of a unit's move from a point, as it was last followed.

    Everything that happens on the way is asked or reported. So the course is valid until an ask for fire drops it,
    or until the list of `findings`, which held `logged` entries, grows or is replaced by that of the next exchange.
    """

    mover: UnitMover
    march: March
    strides: tuple[Stride, ...]
    findings: list[Finding]
    logged: int


def set_course(table: Table[Any], mover: UnitMover, march: March, strides: Sequence[Stride]) -> None:
    """R-17 Remember where the rest of a move leads."""
    table.facts.put(COURSE, Course(mover, march, tuple(strides), table.findings, len(table.findings)))


def set_out(table: Table[Any], mover: UnitMover, march: March, steps: Sequence[str]) -> str:
    """4.5.1.1 Set the course of a move. Return where it leads, in the order language."""
    strides = follow(mover, march, steps).strides
    set_course(table, mover, march, strides)
    return declared_end(march, strides)


def course_of(table: Table[Any], unit: Unit, march: March) -> Course | None:
    """R-17 The unit's course from this point, if nothing has happened since it was followed."""
    course: Course | None = table.facts.get(COURSE, lambda: None)
    if course is None or course.findings is not table.findings or course.logged != len(table.findings):
        return None
    return course if course.mover.unit is unit and course.march == march else None


def next_stride(table: Table[Any], unit: Unit, march: March, step: str) -> tuple[UnitMover, Stride | Objections]:
    """4.5.1.1 The next step as it was last followed, or tried anew if something has happened since."""
    course = course_of(table, unit, march)
    if course is not None and course.strides and course.strides[0].step == step:
        return course.mover, course.strides[0]
    mover = mover_of(table, unit)
    return mover, take(mover, march, step)


def drive_on(table: Table[Any], course: Course, stride: Stride) -> None:
    """R-17 Once the first step of a course has been made and reported, set the remaining steps as the new course.

    This is not done on foot or with narrow roads (7.30), where a step can change which later steps are possible.
    """
    is_first = bool(course.strides) and stride is course.strides[0]
    if is_first and stride.step in DRIVING and not course.mover.data.plays(NARROW_ROADS):
        assert isinstance(stride.progress, March)
        set_course(table, course.mover, stride.progress, course.strides[1:])


def rest_of(table: Table[Any], unit: Unit, march: March, rest: tuple[str, ...]) -> tuple[str, ...]:
    """R-17 The remaining steps, as far as they can still be driven: all of them, if nothing has happened.

    Whether the move may end where it leads depends on where the unit's group is by then (6.2.1.1.4).
    """
    course = course_of(table, unit, march)
    if course is not None and rest == tuple(stride.step for stride in course.strides):
        end = course.strides[-1].progress if rest else march
        if ends_legally(course.mover, end):
            return rest
    return cut_short(table, mover_of(table, unit), march, rest)


def cut_short(table: Table[Any], mover: UnitMover, march: March, rest: tuple[str, ...]) -> tuple[str, ...]:
    """R-17 The remaining steps, as far as they can still be driven; the owner is told which were dropped."""
    unit = mover.unit
    strides = legal_strides(mover, march, rest)
    possible = tuple(stride.step for stride in strides)
    if len(possible) < len(rest):
        reasons = [
            Finding(rule=objection.rule, result=objection.english)
            for objection in route_objections(mover, march, rest)
        ]
        inputs = {"unit": unit.id, "rest": list(rest)}
        table.find("4.5.1.1", to=(unit.side,), inputs=inputs, result=list(possible), children=reasons)
    set_course(table, mover, march, strides)
    return possible


# --- 4.5.1.1 the legality of a route -----------------------------------------------------------------------------


def check_route(mover: Mover, progress: Progress, steps: Sequence[str]) -> Progress:
    """4.5.1.1 The end of a route; refuse one that cannot be driven, or that may not end where it does."""
    strides, stopped = follow(mover, progress, steps)
    unit = mover.vehicle.id
    if stopped:
        refuse(f"{unit}, step {len(strides) + 1} ({steps[len(strides)]})", mover, progress, steps, stopped)
    end = strides[-1].progress if strides else progress
    if objections := list(mover.finish_objections(end)):
        refuse(unit, mover, progress, steps, objections)
    return end


def refuse(part: str, mover: Mover, progress: Progress, steps: Sequence[str], objections: Objections) -> NoReturn:
    """4.5.1.1 Refuse a route, and propose the longest part of it that would be a legal move."""
    legal = as_far_as_legal(mover, progress, steps)
    raise Illegal(part, objections, [" ".join(legal)] if legal else [])


def route_objections(mover: Mover, progress: Progress, steps: Sequence[str]) -> Objections:
    """4.5.1.1 Every objection to a route: to one of its steps, or to its end."""
    strides, stopped = follow(mover, progress, steps)
    end = strides[-1].progress if strides else progress
    return stopped or list(mover.finish_objections(end))
