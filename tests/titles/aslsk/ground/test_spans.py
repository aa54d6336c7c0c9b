"""3.2.1/depiction-test Arithmetic on parts of a line, and lines across polygons, compared with plain counting."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pbem.titles.aslsk.ground.shapes import HEXAGON, contains, is_simple
from pbem.titles.aslsk.ground.spans import WHOLE, covers, crossing, mark, overlap, union, within, without

pieces = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=6)
fractions = st.fractions(min_value=-3, max_value=3, max_denominator=10**6)
points = st.tuples(st.integers(-90, 90), st.integers(-90, 90))


def cells(spans) -> set[int]:
    """Return the unit cells that parts of a line cover."""
    return {cell for start, end in spans for cell in range(start, end)}


@given(pieces, pieces)
def test_3_2_1_parts_of_a_line_behave_like_sets(first, second):
    one, two = union(first), union(second)

    assert cells(one) == cells(first)
    assert all(a < b for a, b in one) and all(one[i][1] < one[i + 1][0] for i in range(len(one) - 1))
    assert cells(overlap(one, two)) == cells(one) & cells(two)
    assert cells(without(one, two)) == cells(one) - cells(two)
    assert cells(within(one, 5, 12)) == cells(one) & set(range(5, 12))
    assert covers(one, 3, 9) == (set(range(3, 9)) <= cells(one))


@given(fractions, fractions)
def test_3_2_1_marks_keep_the_order_of_fractions(first, second):
    one, two = (mark(f.numerator, f.denominator) for f in (first, second))

    assert (one < two, one == two) == (first < second, first == second)
    assert mark(-first.numerator, -first.denominator) == one
    assert mark(1, 1) == WHOLE


@given(st.lists(points, min_size=3, max_size=7, unique=True), points, points)
def test_3_2_1_a_line_is_inside_exactly_where_its_points_are(polygon, start, end):
    """A part of a line is inside if the polygon lies on both sides of its middle; the gaps are outside."""
    polygon = tuple(polygon)
    if not is_simple(polygon) or start == end:
        return
    (q, z), (dq, dz) = start, (end[0] - start[0], end[1] - start[1])
    met = crossing(polygon, q, z, dq, dz)
    inside = overlap(met.left, met.right)
    bounds = sorted({place for span in (*met.left, *met.right) for place in span})

    for low, high in pairwise(bounds):
        t = Fraction(low + high, 2 * WHOLE)
        at = (q + t * dq, z + t * dz)
        along_an_edge = any(a <= low and high <= b for a, b in (*met.left, *met.right)) and not any(
            a <= low and high <= b for a, b in inside
        )
        assert contains(polygon, at) == (along_an_edge or any(a <= low and high <= b for a, b in inside))


def test_1_1_default_shapes_the_hexagon_contains_its_corners_and_nothing_beyond():
    assert all(contains(HEXAGON, point) for point in HEXAGON)
    assert not contains(HEXAGON, (81, -40)) and not contains(HEXAGON, (0, 61)) and contains(HEXAGON, (0, 60))
