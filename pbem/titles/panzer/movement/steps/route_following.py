"""4.5.1.1 Whole moves: a route followed step by step, and the longest part of it that is legal.

4.5.1.1      follow, ends_legally
R-17         as_far_as_legal, legal_strides
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.titles.panzer.movement.steps.driving import Mover, Objections, Progress, Stride


class Followed(NamedTuple):
    """The steps that could be taken, and the objections to the next one."""

    strides: list[Stride]
    objections: Objections


def follow(mover: Mover, progress: Progress, steps: Iterable[str]) -> Followed:
    """4.5.1.1 Follow the steps as far as possible."""
    strides: list[Stride] = []
    for step in steps:
        result = mover.advance(progress, step)
        if isinstance(result, list):
            return Followed(strides, result)
        strides.append(result)
        progress = result.progress
    return Followed(strides, [])


def as_far_as_legal(mover: Mover, progress: Progress, steps: Sequence[str]) -> tuple[str, ...]:
    """R-17 The longest part of a route that can still be driven and ends where a move may end."""
    return tuple(stride.step for stride in legal_strides(mover, progress, steps))


def legal_strides(mover: Mover, progress: Progress, steps: Sequence[str]) -> list[Stride]:
    """R-17 The longest part of a route that can still be driven and ends where a move may end.

    A move that was cut short is not recomputed: if the executed part alone does not satisfy its rate, it continues to
    the last hex without an enemy.
    """
    strides = follow(mover, progress, steps).strides
    ends = [progress, *(stride.progress for stride in strides)]
    for legal in (ends_legally, _ends_alone):
        for count in range(len(strides), -1, -1):
            if legal(mover, ends[count]):
                return strides[:count]
    return []


def ends_legally(mover: Mover, progress: Progress) -> bool:
    """4.5.1.1 Whether a move may end here."""
    return not any(mover.finish_objections(progress))


def _ends_alone(mover: Mover, progress: Progress) -> bool:
    return bool(progress.exit) or (progress.hex is not None and progress.hex not in mover.enemies)
