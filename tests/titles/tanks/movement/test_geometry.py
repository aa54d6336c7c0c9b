"""The geometry does not depend on the frame: shifted, turned by quarters, mirrored, or with pieces in any order."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from titles.tanks.builders import a_data

from pbem.engine.geometry.plane import Meeting, Point, clip, overlap, segment_meets_polygon, squared_gap, within
from pbem.titles.tanks.ground.arrow import (
    Course,
    Obstacle,
    advance,
    half_breadth,
    half_shadow,
    overlapping,
    reach_to_edge,
)
from pbem.titles.tanks.ground.geometry import (
    Body,
    Stance,
    bearing_to,
    chord,
    corners,
    near,
    shares_ground,
    touches,
    unit,
)
from pbem.titles.tanks.ground.line_of_sight import (
    blockers,
    close_range,
    crosses,
    eye,
    hidden_corners,
    in_front,
    in_wood,
    sees_any_part,
    side_shot,
)
from pbem.titles.tanks.ground.terrain import Screen

SHERMAN, STUG, BUILDING, WOOD = Body(290, 130), Body(275, 150), Body(300, 250), Body(500, 400)
ARROW = a_data().scenario.arrow

coordinate = st.integers(0, 4000)
spots = st.tuples(coordinate, coordinate, st.integers(0, 359))


class Frame:
    """A transformation that lays out the same table elsewhere."""

    def __init__(self, quarters: int, mirrored: bool, shift: tuple[int, int]) -> None:
        self.quarters, self.mirrored, self.shift = quarters, mirrored, shift

    def point(self, x: int, y: int) -> Point:
        x = -x if self.mirrored else x
        for _ in range(self.quarters):
            x, y = -y, x
        return Point(x + self.shift[0], y + self.shift[1])

    def heading(self, bearing: int) -> int:
        return ((-bearing if self.mirrored else bearing) + 90 * self.quarters) % 360

    def turn(self, degrees: int) -> int:
        return -degrees % 360 if self.mirrored else degrees

    def corners(self, body: Body, spot: tuple[int, int, int]) -> tuple[Point, ...]:
        return corners(body, self.point(*spot[:2]), self.heading(spot[2]))

    def stance(self, body: Body, spot: tuple[int, int, int]) -> Stance:
        return Stance(body, self.point(*spot[:2]), self.heading(spot[2]))


HERE = Frame(0, False, (0, 0))
frames = st.builds(
    Frame, st.integers(0, 3), st.booleans(), st.tuples(st.integers(-9999, 9999), st.integers(-9999, 9999))
)


@given(frame=frames, spot=spots)
def test_T5_1_a_hull_is_the_same_in_every_frame(frame, spot):
    moved = {frame.point(*corner) for corner in HERE.corners(SHERMAN, spot)}
    assert set(frame.corners(SHERMAN, spot)) == moved


@given(
    frame=frames,
    spot=spots,
    way=st.integers(0, 359),
    face=st.sampled_from((0, 90, 180, 270)),
    walls=st.lists(spots, max_size=4),
    touch=st.tuples(st.integers(-130, 130), st.integers(-130, 130)),
)
def test_T5_1_a_move_is_the_same_in_every_frame_and_in_any_order(frame, spot, way, face, walls, touch):
    """T5.1, T5.4: the move ends in the same place and causes no new overlap."""

    def arrival(frame: Frame, order: int):
        placed = [Obstacle(f"{wall}", "T6.1", frame.corners(BUILDING, wall)) for wall in walls[::order]]
        start = frame.point(*spot[:2])
        at_arrow = (-touch[0], -touch[1]) if frame.mirrored else touch
        heading, course, turn = frame.heading(spot[2]), frame.heading(way), frame.turn(face)
        return advance(SHERMAN, start, heading, course, turn, ARROW, placed, at_arrow)

    here, there, reverse = arrival(HERE, 1), arrival(frame, 1), arrival(HERE, -1)
    assert there.at == frame.point(*here.at) and there.heading == frame.heading(here.heading)
    assert (reverse.at, reverse.heading) == (here.at, here.heading)
    if here.at != Point(*spot[:2]):
        hull = corners(SHERMAN, here.at, here.heading)
        assert not any(overlap(hull, HERE.corners(BUILDING, wall)) for wall in walls)


@given(
    frame=frames,
    shooter=spots,
    target=spots,
    walls=st.lists(spots, max_size=3),
    woods=st.lists(spots, max_size=2),
    gun=st.booleans(),
)
def test_T7_2_what_is_seen_is_the_same_in_every_frame_and_in_any_order(frame, shooter, target, walls, woods, gun):
    """T7.2, T7.3 and T7.7 to T7.9 are tested together."""

    def facts(frame: Frame, order: int):
        own, other = frame.corners(STUG, shooter), frame.corners(SHERMAN, target)
        screens = [Screen("wall", "T6.1", frame.corners(BUILDING, wall)) for wall in walls]
        screens += [Screen("wood", "T6.2", frame.corners(WOOD, wood), True) for wood in woods]
        screens = screens[::order]
        origin = eye(STUG, frame.point(*shooter[:2]), frame.heading(shooter[2]), from_front=gun)
        return (
            sees_any_part(origin, other, blockers(screens, own, other)),
            len(hidden_corners(origin, own, other, screens)),
            in_wood(other, screens),
            in_front(frame.stance(STUG, shooter), frame.stance(SHERMAN, target)),
            close_range(own, other, ARROW),
            side_shot(frame.stance(STUG, shooter), frame.stance(SHERMAN, target)),
        )

    if overlap(HERE.corners(STUG, shooter), HERE.corners(SHERMAN, target), touching=True):
        return
    assert facts(frame, 1) == facts(HERE, 1) == facts(HERE, -1)


@given(shooter=spots, target=spots, walls=st.lists(spots, min_size=1, max_size=3))
def test_T7_2_a_target_with_a_corner_in_sight_is_seen_and_more_walls_never_help(shooter, target, walls):
    own, other = HERE.corners(SHERMAN, shooter), HERE.corners(SHERMAN, target)
    screens = [Screen("wall", "T6.1", HERE.corners(BUILDING, wall)) for wall in walls]
    origin = Point(*shooter[:2])
    if overlap(own, other, touching=True) or any(overlap(other, screen.corners) for screen in screens):
        return
    seen = sees_any_part(origin, other, screens)
    assert seen or len(hidden_corners(origin, own, other, screens)) == 4
    assert sees_any_part(origin, other, screens[1:]) or not seen


@given(shooter=spots, target=spots, walls=st.lists(spots, min_size=1, max_size=3), part=st.integers(0, 399))
def test_T7_2_a_point_of_the_edge_that_is_seen_makes_the_target_seen(shooter, target, walls, part):
    """The result is compared with a slow and simple check: lines from the eye to 400 points on the target's edge."""
    own, other = HERE.corners(SHERMAN, shooter), HERE.corners(SHERMAN, target)
    screens = [Screen("wall", "T6.1", HERE.corners(BUILDING, wall)) for wall in walls]
    if overlap(own, other, touching=True) or any(overlap(other, screen.corners, touching=True) for screen in screens):
        return
    side, along_it = divmod(part, 100)
    first, second = other[side], other[(side + 1) % 4]
    point = Point(first.x + (second.x - first.x) * along_it // 100, first.y + (second.y - first.y) * along_it // 100)
    scaled = [tuple(Point(3 * c.x, 3 * c.y) for c in screen.corners) for screen in screens]
    origin, goal = Point(3 * shooter[0], 3 * shooter[1]), Point(3 * point.x, 3 * point.y)
    clear = all(segment_meets_polygon(origin, goal, wall) is Meeting.APART for wall in scaled)
    if clear and HERE.point(*shooter[:2]) != point:
        assert sees_any_part(Point(*shooter[:2]), other, screens)


@given(first=spots, second=spots, way=st.integers(0, 359), aside=st.integers(-300, 300))
def test_T5_4_the_span_of_overlap_agrees_with_the_outlines(first, second, way, aside):
    """Hulls overlap inside the span and not outside it, give or take a tenth of a millimetre at each end."""
    shape, wall = corners(SHERMAN, Point(0, 0), first[2]), HERE.corners(BUILDING, second)
    at = Point(*first[:2])
    span = overlapping(shape, Course(at, way, aside), wall)
    for distance in (0, 400, 1500, 3000):
        centre = Course(at, way, aside).at(Fraction(distance))
        hull = tuple(Point(centre.x + corner.x, centre.y + corner.y) for corner in shape)
        inside = span is not None and span[0] < distance < span[1]
        if span is not None and min(abs(distance - end) for end in span) > 3:
            assert shares_ground(hull, wall) is inside


@given(spot=spots, other=spots, reach=st.integers(0, 3000))
def test_quick_tests_agree_with_the_plane(spot, other, reach):
    """T5.4, T7.2, T7.8 The quick tests agree with the exact geometry of the plane."""
    first, second = HERE.corners(SHERMAN, spot), HERE.corners(WOOD, other)
    a, b = Point(*spot[:2]), Point(*other[:2])
    assert near(first, second, reach) is near(second, first, reach) is within(squared_gap(first, second), reach)
    assert near(first, (b,), reach) is within(squared_gap(first, (b,)), reach)
    assert shares_ground(first, second) is overlap(first, second)
    assert touches(first, second) is overlap(first, second, touching=True)
    for end in {b, *second, Point(a.x, b.y)} - {a}:
        for wall in (second, HERE.corners(BUILDING, (1500, 2100, spot[2]))):
            assert crosses(a, end, wall) is (segment_meets_polygon(a, end, wall) is Meeting.CROSSING)
            assert chord(a, end, wall) == clip(a, end, wall)


@given(x=coordinate, y=coordinate)
def test_quick_tests_agree_where_outlines_only_touch(x, y):
    """T6.2, T7.2 Outlines that meet only at edges or corners do not overlap; a line along an edge is clear."""
    first = HERE.corners(SHERMAN, (x, y, 0))
    for dx, dy in ((630, 0), (0, 790), (630, 790)):
        second = HERE.corners(WOOD, (x + dx, y + dy, 90) if dx == 630 and not dy else (x + dx, y + dy, 0))
        assert touches(first, second) is overlap(first, second, touching=True)
        assert shares_ground(first, second) is overlap(first, second)
    left, right = first[0], first[1]
    assert not crosses(Point(left.x - 100, left.y), Point(right.x + 100, right.y), first)


@given(x=st.integers(-5000, 5000), y=st.integers(-5000, 5000))
def test_T5_1_a_bearing_is_the_best_of_all_degrees(x, y):
    if (x, y) == (0, 0):
        return
    best = max(range(360), key=lambda degree: (unit(degree).x * x + unit(degree).y * y, -degree))
    assert bearing_to(Point(0, 0), Point(x, y)) == best


@pytest.mark.parametrize(
    "relative, reach", [(0, 290), (90, 130), (180, 290), (270, 130), (45, Fraction(130 * 10**6, 707107))]
)
def test_T5_1_from_the_centre_to_the_edge(relative, reach):
    """A Sherman reaches 290 ahead and 130 to the side; at 45 degrees its side is nearer, at 130 / 0.707107."""
    assert reach_to_edge(SHERMAN, relative) == reach


# --- T5.1 wherever the arrow can touch the hull ----------------------------------------------------------------


@given(spot=spots, way=st.integers(0, 359), face=st.sampled_from((0, 90, 180, 270)), part=st.integers(-100, 100))
def test_T5_1_the_arrow_begins_on_the_edge_of_the_hull_and_ends_on_the_edge_of_the_hull(spot, way, face, part):
    """Measured with a ruler, both ends of the arrow are within a tenth of a millimetre of the outlines they touch."""
    leave = half_shadow(SHERMAN, way - spot[2]) * part // 100
    shift = half_breadth(SHERMAN, face) * -part // 100
    before, at = HERE.corners(SHERMAN, spot), Point(*spot[:2])
    start = reach_to_edge(SHERMAN, way - spot[2], leave)
    first, second = Course(at, way, leave).at(start), Course(at, way, leave).at(start + ARROW)
    after = advance(SHERMAN, at, spot[2], way, face, ARROW, [], (leave, shift))
    assert squared_gap((first,), before) <= 2 and squared_gap((second,), corners(SHERMAN, *after[:2])) <= 2
    beyond = Course(at, way, leave).at(start + 3)
    assert not shares_ground(before, (beyond, second, second))


@pytest.mark.parametrize(
    "touch, place",
    [
        ((0, 0), (3920, 2000)),
        ((290, 0), (3920, 2290)),  # from the rear right corner
        ((-290, -130), (3920, 1580)),  # from the front corner, set down north of the arrow
    ],
)
def test_T5_1_the_same_move_from_other_points_of_the_side(touch, place):
    """A Sherman heading north moves east: its side is 580 long, and afterwards it is 260 wide across the arrow."""
    assert tuple(advance(SHERMAN, Point(2000, 2000), 0, 90, 0, ARROW, [], touch).at) == place


@pytest.mark.parametrize("relative, widest", [(0, 130), (90, 290), (45, 296), (180, 130)])
def test_T5_1_how_far_aside_the_arrow_still_touches(relative, widest):
    """At 45 degrees the corners are (290 + 130) x 0.707107 = 296.98 to either side of the middle."""
    assert half_shadow(SHERMAN, relative) == widest
    assert reach_to_edge(SHERMAN, 0, 130) == 290 and reach_to_edge(SHERMAN, 90, -290) == 130


# --- T5.4 grazes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "heading, way, face, wall",
    [
        (192, 112, 90, (5109, 5042, 214)),
        (299, 125, 0, (5292, 5372, 128)),
        (127, 163, 90, (5037, 5406, 63)),
        (114, 113, 90, (5210, 5014, 29)),
        (179, 135, 180, (5553, 4877, 19)),
        (79, 96, 180, (5906, 4723, 145)),
    ],
)
def test_T5_4_a_hull_that_grazes_by_less_than_a_tenth_is_set_down_beside_it(heading, way, face, wall):
    """Each of these tanks used to be set back 42 to 81 mm for an overlap of less than a tenth of a millimetre."""
    at, building = Point(4000, 4000), Obstacle("wall", "T6.1", HERE.corners(BUILDING, wall))
    free = advance(SHERMAN, at, heading, way, face, ARROW, [])
    beside = advance(SHERMAN, at, heading, way, face, ARROW, [building])
    assert shares_ground(corners(SHERMAN, free.at, free.heading), building.corners)
    assert beside.stopped is None and squared_gap((free.at,), (beside.at,)) <= 8
    assert not shares_ground(corners(SHERMAN, beside.at, beside.heading), building.corners)


@given(spot=spots, way=st.integers(0, 359), face=st.sampled_from((0, 90, 180, 270)), wall=spots)
def test_T5_4_who_is_set_back_would_have_stood_in_something_by_more_than_a_tenth(spot, way, face, wall):
    """If it were not stopped, the tank would overlap the wall by more than a tenth of a millimetre."""
    building = HERE.corners(BUILDING, wall)
    at = Point(*spot[:2])
    free = advance(SHERMAN, at, spot[2], way, face, ARROW, [])
    found = advance(SHERMAN, at, spot[2], way, face, ARROW, [Obstacle("wall", "T6.1", building)])
    tip = Course(at, way).at(Fraction(ARROW) + reach_to_edge(SHERMAN, way - spot[2]))
    if found.stopped is not None and segment_meets_polygon(at, tip, building) is Meeting.APART:
        around = [Point(free.at.x + dx, free.at.y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        assert all(overlap(corners(SHERMAN, place, free.heading), building) for place in around)


@pytest.mark.parametrize("inside, stopped", [(0, False), (1, False), (2, True)])
def test_T5_4_an_arrow_that_cuts_off_a_tenth_of_a_corner_is_not_stopped(inside, stopped):
    """The arrow goes east along y 2000, and the corner of a wall turned by 45 degrees reaches that far over the line.

    The hull is set down clear of it, at 130 + 1500; the wall's corner is at x 2900.
    """
    corner = corners(BUILDING, Point(0, 0), 45)
    lowest = max(corner, key=lambda point: point.y)
    wall = tuple(Point(point.x - lowest.x + 2900, point.y - lowest.y + 2000 + inside) for point in corner)
    found = advance(SHERMAN, Point(2000, 2000), 0, 90, 0, ARROW, [Obstacle("wall", "T6.1", wall)])
    assert (found.at != Point(3920, 2000)) is stopped


# --- T7.3, T7.9 front lines ----------------------------------------------------------------------------------------


@given(target=spots, shooter=spots)
def test_T7_9_the_front_line_runs_along_the_exact_bearing(target, shooter):
    """The result is compared with a slow check in fractions, with every unrounded corner and the exact bearing."""
    ahead, right = unit(target[2]), unit(shooter[2] + 90)
    facing = unit(shooter[2])
    front = Fraction(SHERMAN.length * (ahead.x**2 + ahead.y**2), 10**6)
    sides = [
        (shooter[0] - target[0] + Fraction(a * STUG.length * facing.x + b * STUG.width * right.x, 10**6)) * ahead.x
        + (shooter[1] - target[1] + Fraction(a * STUG.length * facing.y + b * STUG.width * right.y, 10**6)) * ahead.y
        - front
        for a in (1, -1)
        for b in (1, -1)
    ]
    assert side_shot(HERE.stance(STUG, shooter), HERE.stance(SHERMAN, target)) is (min(sides) < 0)
    assert in_front(HERE.stance(SHERMAN, target), HERE.stance(STUG, shooter)) is (max(sides) > 0)


def test_T7_9_far_away_a_line_through_rounded_corners_would_be_millimetres_off():
    """A Sherman at 500/500 heads 1 degree; its rounded front corners have a slope of 4 in 260, or 0.0154.

    The exact bearing gives 0.0175. At x 8500 the difference is 8000 x 0.0021 = 17 tenths, and the rear of a StuG that
    faces the Sherman reaches into that gap.
    """
    target = Stance(SHERMAN, Point(500, 500), 1)
    left, right = corners(*target)[:2]
    assert (right.x - left.x, right.y - left.y) != (0, 0)
    slope = Fraction(right.y - left.y, right.x - left.x)
    line = left.y + slope * (8500 - left.x)
    exact = Fraction(500) + (Fraction(8000 * unit(1).x, 1) - SHERMAN.length * 10**6) / -unit(1).y
    assert abs(line - exact) > 5
    for step in (-3, 3):
        y = int((line + exact) / 2) + step
        point = Stance(Body(1, 1), Point(8500, y), 0)
        assert side_shot(point, target) is (y + 1 > exact)
