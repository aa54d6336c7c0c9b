"""3.2.1/depiction-test Where a line meets a polygon, computed exactly in whole numbers.

    mark            a place along a line as a whole number
    crossing        the parts of a line that have a polygon just left of it and just right of it
    union, overlap, without, covers   arithmetic on such parts

A place along the line from A to B is the fraction t of the way, stored here as the whole number floor(t * 2^96).
Every t is a quotient of integers with a denominator far below 2^48, so different places always have different numbers
in the same order: the numbers can be compared instead of the fractions.

A polygon need not be convex. It is just left of the line wherever the line, moved a hair to the left, would run
inside it; likewise on the right. A part of the line with the polygon on both sides runs inside the polygon. A part
with the polygon on one side runs along its edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

Span: TypeAlias = tuple[int, int]
"""A part of a line, from one mark to a later one."""
Spans: TypeAlias = tuple[Span, ...]
"""Parts of a line in order; no two of them touch."""
Polygon: TypeAlias = tuple[tuple[int, int], ...]

BITS: Final = 96
WHOLE: Final = 1 << BITS
"""The mark at the end of the line; the start is 0."""


class Crossing(NamedTuple):
    """The parts of a line with a polygon just left and just right of them, and where the line touches a corner."""

    left: Spans
    right: Spans
    touches: tuple[int, ...]


CLEAR: Final = Crossing((), (), ())


def mark(numerator: int, denominator: int) -> int:
    """The whole number that stands for a fraction of the line's length."""
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    return (numerator << BITS) // denominator


def crossing(polygon: Polygon, q: int, z: int, dq: int, dz: int) -> Crossing:
    """3.2.1/depiction-test Find where the line from (q, z) along (dq, dz) has a polygon on either side.

    The line is taken as endless in both directions, not only from start to end.
    """
    aside = [dz * (p - q) - dq * (r - z) for p, r in polygon]  # positive left of the line
    if min(aside) > 0 or max(aside) < 0:
        return CLEAR
    left: list[int] = []
    right: list[int] = []
    touches: list[int] = []
    (p, r), before = polygon[-1], aside[-1]
    for (next_p, next_r), after in zip(polygon, aside, strict=True):
        if (before > 0) != (after > 0) or (before < 0) != (after < 0):
            edge_q, edge_z = next_p - p, next_r - r
            place = mark((p - q) * edge_z - (r - z) * edge_q, dq * edge_z - dz * edge_q)
            if (before > 0) != (after > 0):
                left.append(place)
            if (before < 0) != (after < 0):
                right.append(place)
        if after == 0:
            touches.append(mark(next_p - q, dq) if dq else mark(next_r - z, dz))
        (p, r), before = (next_p, next_r), after
    return Crossing(_pair(left), _pair(right), tuple(touches))


def _pair(places: list[int]) -> Spans:
    """Pair places into the parts of the line inside a polygon: from the first place to the second, from the third
    to the fourth, and so on.
    """
    places.sort()
    return union(zip(places[::2], places[1::2], strict=True))


def union(spans: Iterable[Span]) -> Spans:
    """Join parts of a line that overlap or touch, dropping parts without length."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if joined and start <= joined[-1][1]:
            if end > joined[-1][1]:
                joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def overlap(first: Sequence[Span], second: Sequence[Span]) -> Spans:
    """The parts that belong to both lists, dropping those without length."""
    found: list[Span] = []
    i = j = 0
    while i < len(first) and j < len(second):
        start, end = max(first[i][0], second[j][0]), min(first[i][1], second[j][1])
        if start < end:
            found.append((start, end))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return tuple(found)


def without(spans: Spans, cut: Spans) -> Spans:
    """Subtract the second list of parts from the first."""
    found: list[Span] = []
    for start, end in spans:
        for cut_start, cut_end in cut:
            if cut_end <= start or end <= cut_start:
                continue
            if start < cut_start:
                found.append((start, cut_start))
            start = cut_end
            if start >= end:
                break
        if start < end:
            found.append((start, end))
    return tuple(found)


def within(spans: Spans, start: int, end: int) -> Spans:
    """The parts between two marks."""
    return overlap(spans, ((start, end),)) if spans else ()


def covers(spans: Spans, start: int, end: int) -> bool:
    """Whether closed parts of a line cover everything from one mark to another."""
    return any(first <= start and end <= last for first, last in spans)
