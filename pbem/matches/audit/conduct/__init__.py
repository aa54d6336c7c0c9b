"""Judge, by the log alone, what `procedure` leaves open: each rule looks at one event and the events before it.

shapes      each event has the fields of its type, and its parts have the right readers
clock       deadlines, more time, missed deadlines
disputes    disputes are numbered in order, opened by players, decided once, and once more after an appeal
ends        rulings, changed rules, halts, and the ends of matches
seats       invitations, and acts on seats
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eventstore import Event
from pbem.matches.audit.conduct import clock, disputes, ends, seats, shapes
from pbem.matches.audit.conduct.course import Course, Judge
from pbem.matches.audit.problems import Problem

JUDGES: tuple[dict[str, Judge], ...] = (clock.JUDGES, disputes.JUDGES, ends.JUDGES, seats.JUDGES)


def problems(events: Sequence[Event]) -> Iterator[Problem]:
    """Name every step of this log that no earlier event permits."""
    course = Course(events[0].payload)
    for event in events:
        yield from ends.unfinished(course, event)
        for judges in JUDGES:
            judge = judges.get(event.type)
            if judge is not None:
                yield from judge(course, event, event.payload)
        yield from shapes.part_problems(course, event)
        yield from shapes.missing_parts(course, event)
        course.take(event)
        course.must_end = course.must_end or ends.ends_now(course)
    yield from ends.unfinished(course, None)
