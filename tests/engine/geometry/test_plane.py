"""Plane geometry in whole numbers agrees with fractions, and does not change when moved, turned or mirrored."""

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.engine.geometry.plane import (
    SCALE,
    UNIT,
    Meeting,
    Place,
    Point,
    clip,
    cross,
    dot,
    minus,
    nearer,
    orientation,
    outline,
    overlap,
    place,
    plus,
    polygons_meet,
    root_down,
    root_up,
    rotate,
    segment_meets_polygon,
    segments_meet,
    squared_distance,
    squared_distance_to_segment,
    squared_gap,
    where,
    within,
)

# A small grid makes touching, shared edges and parallel sides common.
points = st.builds(Point, st.integers(-6, 6), st.integers(-6, 6))
far_points = st.builds(Point, st.integers(-9000, 9000), st.integers(-9000, 9000))

SQUARE = (Point(0, 0), Point(4, 0), Point(4, 4), Point(0, 4))
TANK = (Point(30, -15), Point(30, 15), Point(-30, 15), Point(-30, -15))


def hull(cloud):
    """Return the convex hull without corners on straight edges."""
    ordered = sorted(set(cloud))

    def chain(sequence):
        kept = []
        for point in sequence:
            while len(kept) > 1 and orientation(kept[-2], kept[-1], point) <= 0:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    return tuple(chain(ordered) + chain(ordered[::-1]))


@st.composite
def polygons(draw):
    corners = hull(draw(st.lists(points, min_size=3, max_size=6)))
    assume(len(corners) >= 3)
    return corners if draw(st.booleans()) else corners[::-1]


def moved(figure, step):
    return tuple(plus(point, step) for point in figure)


def quarter_turned(figure):
    return tuple(Point(-point.y, point.x) for point in figure)


def mirrored(figure):
    return tuple(Point(-point.x, point.y) for point in figure)


def changes(figures, step):
    """Yield the figures moved, turned by a quarter, and mirrored."""
    yield [moved(figure, step) for figure in figures]
    yield [quarter_turned(figure) for figure in figures]
    yield [mirrored(figure) for figure in figures]


# --- plain code to compare with ----------------------------------------------------------------------


def brute_clip(corners, polygon):
    """Clip one polygon by another with Sutherland and Hodgman's method, in fractions."""
    sense = 1 if orientation(*polygon[:3]) > 0 else -1
    part = [(Fraction(x), Fraction(y)) for x, y in corners]
    for start, end in pairwise((*polygon, polygon[0])):
        edge = minus(end, start)

        def depth(point, start=start, edge=edge):
            return sense * (edge.x * (point[1] - start.y) - edge.y * (point[0] - start.x))

        kept = []
        for before, after in zip(part[-1:] + part[:-1], part, strict=True):
            inside, outside = depth(after), depth(before)
            if inside * outside < 0:
                share = outside / (outside - inside)
                kept.append(tuple(p + share * (q - p) for p, q in zip(before, after, strict=True)))
            if inside >= 0:
                kept.append(after)
        part = kept
    return part


def brute_meeting(corners, polygon):
    """Return `apart` if clipping leaves nothing, and `crossing` if the remainder reaches the interior."""
    part = brute_clip(corners, polygon)
    if not part:
        return Meeting.APART
    middle = [sum(values) / len(part) for values in zip(*part, strict=True)]
    turns = {
        (end.x - start.x) * (middle[1] - start.y) - (end.y - start.y) * (middle[0] - start.x) == 0
        for start, end in pairwise((*polygon, polygon[0]))
    }
    return Meeting.TOUCHING if True in turns or _flat(part, corners) else Meeting.CROSSING


def _flat(part, corners):
    """Return whether the common part of two polygons is a segment or a point, with no area."""
    area = sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(part[-1:] + part[:-1], part, strict=True))
    return len(corners) >= 3 and area == 0


def brute_squared_distance(point, a, b):
    """Return the squared distance from a point to the nearest point of a segment, in fractions."""
    step = minus(b, a)
    length = dot(step, step)
    share = Fraction(0) if length == 0 else Fraction(dot(minus(point, a), step), length)
    share = min(max(share, Fraction(0)), Fraction(1))
    return (a.x + share * step.x - point.x) ** 2 + (a.y + share * step.y - point.y) ** 2


# --- meeting -----------------------------------------------------------------------------------------


@given(a=points, b=points, c=points)
def test_orientation_changes_sign_with_the_order(a, b, c):
    assert orientation(a, b, c) == orientation(b, c, a) == -orientation(b, a, c)
    assert cross(a, b) == -cross(b, a)


def test_right_of_a_line_to_the_right_is_below_it():
    assert orientation(Point(0, 0), Point(5, 0), Point(3, 1)) == 1


@given(a=points, b=points, c=points, d=points, step=points)
def test_how_segments_meet_does_not_depend_on_order_or_place(a, b, c, d, step):
    meeting = segments_meet(a, b, c, d)

    assert segments_meet(b, a, c, d) == segments_meet(c, d, a, b) == meeting
    for first, second in changes([(a, b), (c, d)], step):
        assert segments_meet(*first, *second) == meeting


@given(a=points, b=points, c=points, d=points)
def test_segments_meet_where_fractions_say_so(a, b, c, d):
    """Two segments meet exactly if solving their equations in fractions says so; parallel segments can only touch."""
    first, second, between = minus(b, a), minus(d, c), minus(c, a)
    turn = cross(first, second)
    if turn:
        shares = Fraction(cross(between, second), turn), Fraction(cross(between, first), turn)
        if all(0 < share < 1 for share in shares):
            expected = Meeting.CROSSING
        elif all(0 <= share <= 1 for share in shares):
            expected = Meeting.TOUCHING
        else:
            expected = Meeting.APART
    else:
        ends = ((a, c, d), (b, c, d), (c, a, b), (d, a, b))
        gap = min(brute_squared_distance(point, *segment) for point, *segment in ends)
        expected = Meeting.APART if gap else Meeting.TOUCHING
    assert segments_meet(a, b, c, d) is expected


def test_segments_by_example():
    a, b = Point(0, 0), Point(4, 4)

    assert segments_meet(a, b, Point(0, 4), Point(4, 0)) is Meeting.CROSSING
    assert segments_meet(a, b, Point(2, 2), Point(4, 0)) is Meeting.TOUCHING
    assert segments_meet(a, b, Point(1, 1), Point(9, 9)) is Meeting.TOUCHING
    assert segments_meet(a, b, Point(5, 5), Point(9, 9)) is Meeting.APART


@given(point=points, polygon=polygons())
def test_a_point_is_inside_if_it_is_on_one_hand_of_every_edge(point, polygon):
    hands = {orientation(start, end, point) for start, end in pairwise((*polygon, polygon[0]))}
    sense = orientation(*polygon[:3])

    if -sense in hands:
        assert where(point, polygon) is Place.OUTSIDE
    else:
        assert where(point, polygon) is (Place.EDGE if 0 in hands else Place.INSIDE)


def test_points_of_a_square():
    assert where(Point(1, 3), SQUARE) is Place.INSIDE
    assert [where(point, SQUARE) for point in (Point(4, 2), Point(4, 4))] == [Place.EDGE] * 2
    assert [where(point, SQUARE) for point in (Point(5, 2), Point(4, 5))] == [Place.OUTSIDE] * 2


@given(first=polygons(), second=polygons(), step=points)
def test_overlap_is_mutual_and_moves_turns_and_mirrors_with_the_table(first, second, step):
    meeting = polygons_meet(first, second)

    assert polygons_meet(second, first) is meeting
    assert overlap(first, second) == (meeting is Meeting.CROSSING)
    assert overlap(first, second, touching=True) == (meeting is not Meeting.APART)
    for figures in changes([first, second], step):
        assert polygons_meet(*figures) is meeting


@given(first=polygons(), second=polygons())
def test_polygons_meet_where_clipping_leaves_something(first, second):
    assert polygons_meet(first, second) is brute_meeting(first, second)


@given(a=points, b=points, polygon=polygons())
def test_a_segment_meets_a_polygon_where_clipping_leaves_something(a, b, polygon):
    assert segment_meets_polygon(a, b, polygon) is brute_meeting((a, b), polygon)


def test_neighbouring_squares_touch_and_do_not_overlap():
    beside, at_corner, apart = (moved(SQUARE, Point(*step)) for step in ((4, 1), (4, 4), (5, 0)))

    assert [polygons_meet(SQUARE, other) for other in (beside, at_corner, apart)] == [
        Meeting.TOUCHING, Meeting.TOUCHING, Meeting.APART,
    ]  # fmt: skip
    assert overlap(SQUARE, moved(SQUARE, Point(3, 3)))
    assert not overlap(SQUARE, beside)
    assert overlap(SQUARE, beside, touching=True)


@given(a=points, b=points, polygon=polygons())
def test_the_part_of_a_segment_in_a_polygon_ends_where_it_enters_and_leaves(a, b, polygon):
    part = clip(a, b, polygon)
    left = brute_clip((a, b), polygon)

    assert (part is None) == (not left)
    if part is not None:
        enter, leave = ((a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)) for share in part)
        assert {enter, leave} == set(left)
        assert 0 <= part[0] <= part[1] <= 1


def test_a_line_across_a_square_is_inside_for_its_middle_half():
    assert clip(Point(-2, 2), Point(6, 2), SQUARE) == (Fraction(1, 4), Fraction(3, 4))
    assert clip(Point(-2, 2), Point(-1, 2), SQUARE) is None
    assert clip(Point(-2, 5), Point(6, 5), SQUARE) is None


# --- distance ----------------------------------------------------------------------------------------


@given(point=points, a=points, b=points)
def test_the_distance_to_a_segment_is_that_of_its_nearest_point(point, a, b):
    assert squared_distance_to_segment(point, a, b) == brute_squared_distance(point, a, b)


@given(first=polygons(), second=polygons(), step=points)
def test_the_gap_is_mutual_and_zero_only_where_figures_meet(first, second, step):
    gap = squared_gap(first, second)

    assert gap == squared_gap(second, first)
    assert (gap == 0) == overlap(first, second, touching=True)
    assert gap <= min(squared_distance(one, other) for one in first for other in second)
    for figures in changes([first, second], step):
        assert squared_gap(*figures) == gap


def test_the_gap_between_squares():
    assert squared_gap(SQUARE, moved(SQUARE, Point(7, 1))) == 9
    assert squared_gap(SQUARE, moved(SQUARE, Point(7, 8))) == 25
    assert squared_gap(SQUARE, (Point(8, 4), Point(4, 8), Point(8, 8))) == 8


@given(squared=st.one_of(st.integers(0, 10**9), st.fractions(0, 10**6)))
def test_roots_are_rounded_to_the_side_they_say(squared):
    down, up = root_down(squared), root_up(squared)

    assert down**2 <= squared < (down + 1) ** 2
    assert squared <= up**2
    assert up == 0 or (up - 1) ** 2 < squared
    assert within(squared, up)
    assert within(squared, down) == (down**2 == squared)


@given(origin=far_points, a=far_points, b=far_points)
def test_nearer_is_strict(origin, a, b):
    assert nearer(origin, a, b) == (squared_distance(a, origin) < squared_distance(b, origin))
    assert not (nearer(origin, a, b) and nearer(origin, b, a))
    assert not nearer(origin, a, a)


# --- turning -----------------------------------------------------------------------------------------


def test_every_degree_is_the_nearest_millionth():
    for degrees, (x, y) in enumerate(UNIT):
        angle = math.radians(degrees)
        assert abs(x - SCALE * math.cos(angle)) < 0.5001
        assert abs(y - SCALE * math.sin(angle)) < 0.5001


def test_the_circle_is_exactly_symmetric():
    assert len(UNIT) == 360
    for degrees, (x, y) in enumerate(UNIT):
        assert UNIT[(degrees + 90) % 360] == (-y, x)
        assert UNIT[-degrees] == (x, -y)
        assert UNIT[(90 - degrees) % 360] == (y, x)


@given(point=far_points, about=far_points, quarters=st.integers(-4, 4))
def test_quarter_turns_are_exact(point, about, quarters):
    turned = minus(point, about)
    for _ in range(quarters % 4):
        turned = Point(-turned.y, turned.x)

    assert rotate(point, 90 * quarters, about) == plus(about, turned)


@given(offset=far_points, centre=far_points, heading=st.integers(-720, 720))
def test_a_piece_is_placed_with_one_rounding(offset, centre, heading):
    """A piece's rounded position is at most half a tenth from its true position on each axis."""
    x, y = UNIT[heading % 360]
    lies = minus(place(centre, heading, offset), centre)

    assert abs(lies.x - Fraction(offset.x * x - offset.y * y, SCALE)) <= Fraction(1, 2)
    assert abs(lies.y - Fraction(offset.x * y + offset.y * x, SCALE)) <= Fraction(1, 2)


@given(offset=far_points, heading=st.integers(0, 359))
def test_placing_mirrors_exactly(offset, heading):
    here = place(Point(0, 0), heading, offset)

    assert place(Point(0, 0), -heading, Point(offset.x, -offset.y)) == (here.x, -here.y)
    assert place(Point(0, 0), heading + 180, offset) == (-here.x, -here.y)


@pytest.mark.parametrize(("ahead", "expected"), [(1, 1), (3, 2), (-1, -1), (-3, -2)])
def test_halves_are_rounded_away_from_zero(ahead, expected):
    """Halves, which occur because the sine of 30 degrees is exactly one half, are rounded away from zero."""
    assert place(Point(100, 100), 30, Point(ahead, 0)).y == 100 + expected


def test_a_tank_facing_down_the_table():
    assert outline(Point(100, 200), 90, TANK) == (
        Point(115, 230), Point(85, 230), Point(85, 170), Point(115, 170),
    )  # fmt: skip


@given(heading=st.integers(0, 359))
def test_a_turned_hull_stays_convex_and_keeps_its_sense(heading):
    corners = outline(Point(4500, 4500), heading, TANK)

    turns = zip(corners, corners[1:] + corners[:1], corners[2:] + corners[:2], strict=True)
    assert all(orientation(*turn) == 1 for turn in turns)
