"""Hex geometry: examples from the rulebooks, and properties compared with the simplest possible code."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.geometry.hexes import (
    DIRECTIONS,
    Hex,
    Side,
    angle_at_most,
    arc,
    centre,
    corners,
    direction_to,
    disc,
    distance,
    dot,
    from_offset,
    hex_name,
    hexside,
    in_row,
    line,
    mirror,
    name4,
    neighbour,
    neighbours,
    opposite,
    parse4,
    parse_hex,
    ring,
    rotate,
    side_between,
    side_corners,
    side_hexes,
    to_offset,
    towards,
    translate,
    turn,
    turns_between,
    within_30,
    within_60,
)

directions = st.integers(1, 6)
lows = st.sampled_from(["odd", "even"])


@st.composite
def hexes(draw, radius=40):
    x = draw(st.integers(-radius, radius))
    return Hex(x, 2 * draw(st.integers(-radius, radius)) + x % 2)


@st.composite
def pairs(draw, radius=12):
    """Draw two hexes that are close together, anywhere on the grid."""
    a = draw(hexes())
    step = draw(hexes(radius))
    return a, translate(a, *step)


# --- names -------------------------------------------------------------------------------------------


def test_1_2_a_move_along_named_hexes_is_a_chain_of_neighbours():
    """1.2: The hexes T7-U6-V6-W5-X5 are each next to the one before (L1865)."""
    way = [parse_hex(name) for name in ("T7", "U6", "V6", "W5", "X5")]

    assert all(distance(before, after) == 1 for before, after in pairwise(way))


def test_4_1_4_1_3_a_named_row_is_straight_across_the_doubled_letters():
    """4.1.4.1.3: The hexes X3-Y2-Z2-AA1-BB1 form one straight row (L586)."""
    way = [parse_hex(name) for name in ("X3", "Y2", "Z2", "AA1", "BB1")]

    assert {direction_to(before, after) for before, after in pairwise(way)} == {2}
    assert direction_to(way[0], way[-1]) == 2
    assert line(way[0], way[-1]).hexes == tuple(way[1:-1])


def test_1_2_row_0_is_a_half_hex_on_the_top_edge_of_an_odd_column():
    """1.2: C0 exists: it is the half hex above C1, to the upper right of B1 (L231)."""
    assert parse_hex("C0") == Hex(3, 1)
    assert neighbours(parse_hex("B1"))[1] == parse_hex("C0")


def test_columns_count_on_after_z():
    assert [parse_hex(name).x for name in ("A1", "X1", "Z1", "AA1", "BB1", "ZZ1", "AAA1")] == [
        1, 24, 26, 27, 28, 52, 53,
    ]  # fmt: skip


def test_boards_with_low_even_columns_join_the_other_way():
    """On a board with low even columns E8 lies between D7 and D8; with low odd columns it lies between D8 and D9."""
    e8 = parse_hex("E8", "even")

    assert {hex_name(found, "even") for found in neighbours(e8)} == {"E7", "F7", "F8", "E9", "D8", "D7"}
    assert {hex_name(found) for found in neighbours(parse_hex("E8"))} == {"E7", "F8", "F9", "E9", "D9", "D8"}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("2818", "2919"), ("2819", "2720"), ("3118", "3218"), ("3120", "3220"), ("2321", "2421")],
)
def test_numbered_rows_with_low_even_rows_give_the_adjacencies_of_the_nato_map(ours, theirs):
    assert distance(parse4(ours, "even"), parse4(theirs, "even")) == 1


@pytest.mark.parametrize(("city", "hexes_away"), [("3117", 10), ("3115", 8), ("2615", 10)])
def test_numbered_rows_with_low_even_rows_give_the_ranges_of_the_nato_map(city, hexes_away):
    """Hannover, Braunschweig and Lüneburg are as far from West Berlin as on the NATO map."""
    assert distance(parse4("3007", "even"), parse4(city, "even")) == hexes_away


@given(column=st.integers(1, 60), row=st.integers(0, 99), low=lows)
def test_names_are_read_back(column, row, low):
    place = from_offset(column, row, low)

    assert to_offset(place, low) == (column, row)
    assert (place.x - place.y) % 2 == 0
    assert parse_hex(hex_name(place, low), low) == place
    assert parse_hex(f" {hex_name(place, low).lower()} ", low) == place
    assert parse4(name4(place, low), low) == place


def test_numbered_names_are_column_then_row():
    assert name4(parse4("0507")) == "0507"
    assert to_offset(parse4("0507")) == (5, 7)


@pytest.mark.parametrize("text", ["", "9", "E", "9E", "E-1", "E 9", "29E9", "É9", "E٩"])
def test_a_name_of_another_form_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="like E9 or AA1"):
        parse_hex(text)


def test_a_column_that_does_not_exist_is_refused_by_name():
    with pytest.raises(ValueError, match="no column AB"):
        parse_hex("ab3")


@pytest.mark.parametrize("text", ["", "507", "05071", "05 7", "E9"])
def test_a_number_of_another_form_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="like 0507"):
        parse4(text)


def test_hexes_off_every_board_have_no_name():
    with pytest.raises(ValueError, match="has no name"):
        hex_name(Hex(0, 0))
    with pytest.raises(ValueError, match="has no name"):
        hex_name(Hex(1, -1))
    with pytest.raises(ValueError, match="has no four-digit name"):
        name4(Hex(100, 0))


# --- range and directions ----------------------------------------------------------------------------


def steps_from(start, radius):
    """Find the range of every hex by walking breadth-first over neighbours."""
    found = {start: 0}
    frontier = [start]
    for step in range(1, radius + 1):
        frontier = [after for here in frontier for after in neighbours(here) if after not in found]
        found.update((after, step) for after in frontier)
    return found


def test_range_is_the_number_of_steps():
    start = Hex(3, -5)

    assert all(distance(start, found) == steps for found, steps in steps_from(start, 9).items())


@given(a=hexes(), b=hexes(), c=hexes())
def test_range_is_a_metric(a, b, c):
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(a=hexes(), direction=directions)
def test_the_neighbour_behind_leads_back(a, direction):
    assert neighbour(neighbour(a, direction), opposite(direction)) == a
    assert neighbours(a)[direction - 1] == neighbour(a, direction)


def test_direction_1_is_the_top_and_they_run_clockwise():
    assert DIRECTIONS[0] == (0, -2)
    assert all(rotate(Hex(*step), 1) == after for step, after in pairwise((*DIRECTIONS, DIRECTIONS[0])))


def test_turning():
    assert [turn(1, steps) for steps in (-1, 0, 1, 5, 6, 7)] == [6, 1, 2, 6, 1, 2]
    assert [turns_between(2, other) for other in range(1, 7)] == [1, 0, 1, 2, 3, 2]


@given(a=hexes(), direction=directions, steps=st.integers(1, 20))
def test_straight_rows_know_their_direction(a, direction, steps):
    dx, dy = DIRECTIONS[direction - 1]
    b = translate(a, steps * dx, steps * dy)

    assert in_row(a, b)
    assert direction_to(a, b) == direction


@given(pair=pairs(6))
def test_hexes_off_the_six_rows_have_no_direction(pair):
    a, b = pair
    on_a_row = any(b == translate(a, n * dx, n * dy) for dx, dy in DIRECTIONS for n in range(1, 30))

    assert (direction_to(a, b) is not None) == on_a_row
    assert in_row(a, b) == (on_a_row or a == b)


@given(a=hexes(), radius=st.integers(0, 8))
def test_rings_and_discs_hold_each_hex_once(a, radius):
    around, within = ring(a, radius), disc(a, radius)

    assert len(around) == len(set(around)) == (6 * radius or 1)
    assert all(distance(a, found) == radius for found in around)
    assert len(within) == len(set(within)) == 1 + 3 * radius * (radius + 1)
    assert [distance(a, found) for found in within] == sorted(distance(a, found) for found in within)


def test_a_ring_starts_at_the_top_and_runs_clockwise():
    assert ring(Hex(2, 2), 1) == neighbours(Hex(2, 2))
    assert ring(Hex(0, 0), 2)[:3] == (Hex(0, -4), Hex(1, -3), Hex(2, -2))


# --- arcs --------------------------------------------------------------------------------------------


def test_4_4_front_field_widens_by_two_every_second_hex():
    """4.4: At ranges 1 to 5 the front field contains 1, 3, 3, 5 and 5 hexes."""
    a = Hex(7, 3)
    widths = Counter(distance(a, found) for found in arc(a, 3, 30, 5))

    assert [widths[step] for step in range(1, 6)] == [1, 3, 3, 5, 5]


def test_arcs_at_range_2_by_angle():
    """The twelve hexes at range 2 lie at multiples of 30 degrees, so each angle limit falls exactly on hexes."""
    a = Hex(0, 0)

    for angle, expected in {30: 3, 60: 5, 90: 7, 120: 9, 150: 11}.items():
        assert sum(angle_at_most(a, b, 1, angle) for b in ring(a, 2)) == expected


@given(pair=pairs(), direction=directions, steps=st.integers(0, 5))
def test_arcs_turn_and_mirror_with_the_map(pair, direction, steps):
    a, b = pair
    for angle in (30, 60, 90, 120, 150):
        there = angle_at_most(a, b, direction, angle)
        assert angle_at_most(rotate(a, steps), rotate(b, steps), turn(direction, steps), angle) == there
        assert angle_at_most(mirror(a), mirror(b), turn(1, 1 - direction), angle) == there


@given(pair=pairs(), direction=directions)
def test_wide_arcs_are_what_narrow_arcs_behind_leave(pair, direction):
    """A hex within 120 degrees ahead is at least 60 degrees from straight behind, and so on; a boundary belongs to
    both arcs."""
    a, b = pair
    if a == b:
        assert not any(angle_at_most(a, b, direction, angle) for angle in (30, 60, 90, 120, 150))
        return
    on_limit = {
        angle: dot(a, b, direction) ** 2 == factor * (3 * (b.x - a.x) ** 2 + (b.y - a.y) ** 2)
        for angle, factor in ((30, 3), (60, 1), (90, 0))
    }
    for angle in (30, 60, 90):
        behind = angle_at_most(a, b, opposite(direction), angle)
        assert angle_at_most(a, b, direction, 180 - angle) == (not behind or on_limit[angle])
    assert within_30(a, b, direction) <= within_60(a, b, direction) <= angle_at_most(a, b, direction, 90)


@given(pair=pairs())
def test_a_line_leaves_through_one_hexside_or_at_the_corner_of_two(pair):
    a, b = pair
    if a == b:
        assert towards(a, b) == ()
        return
    left_through = {side_between(a, neighbour(a, direction)) for direction in towards(a, b)}
    assert len(left_through) in (1, 2)
    met = line(a, b)
    assert left_through == {side for side in met.sides if a in side_hexes(side)}
    assert (len(left_through) == 2) == any(corner in met.corners_touched for corner in corners(a))


def test_other_angles_are_refused():
    with pytest.raises(ValueError, match="45 degrees"):
        angle_at_most(Hex(0, 0), Hex(1, 1), 1, 45)


# --- hexsides ----------------------------------------------------------------------------------------


@given(a=hexes(), direction=directions)
def test_a_hexside_has_one_name_from_both_hexes(a, direction):
    b = neighbour(a, direction)
    side = hexside(a, direction)

    assert side == hexside(b, opposite(direction)) == side_between(a, b) == side_between(b, a)
    assert side.direction in (1, 2, 3)
    assert set(side_hexes(side)) == {a, b}
    assert set(side_corners(side)) == set(corners(a)) & set(corners(b))


@given(a=hexes())
def test_the_hexsides_of_a_hex_run_once_around_its_corners(a):
    ends = Counter(end for direction in range(1, 7) for end in side_corners(hexside(a, direction)))

    assert ends == dict.fromkeys(corners(a), 2)
    u, v = centre(a)
    assert (sum(end.u for end in corners(a)), sum(end.v for end in corners(a))) == (6 * u, 6 * v)


def test_hexes_that_are_not_neighbours_share_no_side():
    with pytest.raises(ValueError, match="not adjacent"):
        side_between(Hex(0, 0), Hex(2, 0))


# --- lines -------------------------------------------------------------------------------------------


def brute_line(a, b):
    """4.1.4 Find the line literally: test every hex in range with each of its corners and neighbours."""
    length = distance(a, b)
    (ua, va), (ub, vb) = centre(a), centre(b)

    def beside(point):
        return (ub - ua) * (point.v - va) - (vb - va) * (point.u - ua)

    found = {"crossed": set(), "followed": set(), "touched": set(), "sides": set()}
    for met in disc(a, length - 1):
        if not (0 < distance(a, met) < length and 0 < distance(b, met) < length):
            continue
        values = [beside(corner) for corner in corners(met)]
        if min(values) < 0 < max(values):
            found["crossed"].add(met)
        elif values.count(0):
            found["followed" if values.count(0) == 2 else "touched"].add(met)
    members = {a, b} | found["crossed"] | found["followed"]
    for member in members:
        for other in neighbours(member):
            if other in members:
                side = side_between(member, other)
                first, second = side_corners(side)
                if beside(first) * beside(second) <= 0:
                    found["sides"].add(side)
    return found


def as_sets(met):
    return {name: set(getattr(met, name)) for name in ("crossed", "followed", "touched", "sides")}


def test_4_1_4_lines_to_every_hex_near_by_are_those_of_the_plain_algorithm():
    a = Hex(5, 3)
    for b in disc(a, 8)[1:]:
        assert as_sets(line(a, b)) == brute_line(a, b)


@settings(max_examples=40)
@given(pair=pairs(24))
def test_4_1_4_long_lines_are_those_of_the_plain_algorithm(pair):
    a, b = pair
    if a != b:
        assert as_sets(line(a, b)) == brute_line(a, b)


@given(pair=pairs())
def test_a_line_lists_the_hexes_of_both_kinds_in_order_from_its_start(pair):
    a, b = pair
    met = line(a, b)
    ranges = [distance(a, found) for found in met.hexes]

    assert ranges == sorted(ranges)
    assert Counter(met.hexes) == Counter(met.crossed + met.followed)
    assert not {a, b} & set(met.hexes + met.touched)
    widths = Counter(ranges)
    assert all(widths[step] in (1, 2) for step in range(1, distance(a, b)))


@given(pair=pairs())
def test_a_line_is_the_same_backwards(pair):
    a, b = pair
    assert line(b, a) == tuple(met[::-1] for met in line(a, b))


@given(pair=pairs())
def test_the_hexes_of_a_line_are_connected(pair):
    """Each hex of a line is a neighbour of the previous one, even where the line forks in two."""
    a, b = pair
    met = line(a, b)
    way = [a, *met.hexes, b] if a != b else [a]

    assert all(distance(before, after) == 1 for before, after in pairwise(way))
    assert not set(met.sides) - {side_between(one, other) for one in way for other in neighbours(one)}


@given(pair=pairs(), step=hexes(), steps=st.integers(0, 5))
def test_a_line_moves_and_turns_with_the_map(pair, step, steps):
    a, b = pair
    met = line(a, b)
    moved, turned = line(translate(a, *step), translate(b, *step)), line(rotate(a, steps), rotate(b, steps))

    for name in ("hexes", "crossed", "followed", "touched"):
        assert getattr(moved, name) == tuple(translate(found, *step) for found in getattr(met, name))
        assert getattr(turned, name) == tuple(rotate(found, steps) for found in getattr(met, name))
    assert moved.sides == tuple(Side(translate(side.hex, *step), side.direction) for side in met.sides)
    assert turned.sides == tuple(
        side_between(*(rotate(found, steps) for found in side_hexes(side))) for side in met.sides
    )
    assert len(turned.corners_touched) == len(met.corners_touched)


@given(pair=pairs(), about=hexes())
def test_a_line_mirrors_with_the_map(pair, about):
    a, b = pair
    met, seen = line(a, b), line(mirror(a, about), mirror(b, about))

    for name in ("hexes", "crossed", "followed", "touched"):
        assert set(getattr(seen, name)) == {mirror(found, about) for found in getattr(met, name)}
    assert set(seen.sides) == {
        side_between(*(mirror(found, about) for found in side_hexes(side))) for side in met.sides
    }


@given(pair=pairs())
def test_the_corners_of_a_line_are_all_hex_corners_on_it_between_its_ends(pair):
    a, b = pair
    (ua, va), (ub, vb) = centre(a), centre(b)
    near = {corner for met in disc(a, distance(a, b)) for corner in corners(met)}
    on_line = [
        point
        for point in near
        if (ub - ua) * (point.v - va) == (vb - va) * (point.u - ua)
        and min(ua, ub) <= point.u <= max(ua, ub)
        and min(va, vb) <= point.v <= max(va, vb)
        and a != b
    ]

    towards_b = sorted(on_line, key=lambda point: (abs(point.u - ua), abs(point.v - va)))
    assert list(line(a, b).corners_touched) == towards_b


def named(hexes, low="even"):
    return [hex_name(found, low) for found in hexes]


def test_3_2_1_a_traced_line_with_two_forks():
    """3.2.1: From E3 to C6 the line follows the side of D3 and E4, crosses D4, and follows the side of C5 and D5."""
    met = line(parse_hex("E3", "even"), parse_hex("C6", "even"))

    assert (set(named(met.hexes[:2])), named(met.hexes[2:3])) == ({"D3", "E4"}, ["D4"])
    assert set(named(met.hexes[3:])) == {"C5", "D5"}
    assert named(met.crossed) == ["D4"]


def test_3_2_1_a_traced_line_through_corners():
    """3.2.1: From E9 to I6 the line crosses F8, G8, G7 and H6, and only touches a corner of F7 and H7."""
    met = line(parse_hex("E9", "even"), parse_hex("I6", "even"))

    assert named(met.crossed) == ["F8", "G8", "G7", "H6"]
    assert named(met.touched) == ["F7", "H7"]
    assert met.followed == ()
    assert len(met.corners_touched) == 2


def test_neighbours_have_only_their_side_between_them():
    a, b = Hex(0, 0), Hex(1, 1)

    assert line(a, b) == ((), (), (), (), (side_between(a, b),), ())
    assert line(a, a) == ((), (), (), (), (), ())


# --- map building ------------------------------------------------------------------------------------


@given(a=hexes(), b=hexes(), about=hexes(), steps=st.integers(-6, 6))
def test_turning_and_mirroring_keep_ranges(a, b, about, steps):
    assert distance(rotate(a, steps, about), rotate(b, steps, about)) == distance(a, b)
    assert distance(mirror(a, about), mirror(b, about)) == distance(a, b)
    assert rotate(rotate(a, steps, about), -steps, about) == a
    assert mirror(mirror(a, about), about) == a
    assert rotate(about, steps, about) == about


@given(a=hexes(), about=hexes())
def test_turning_a_board_round_reverses_both_axes(a, about):
    assert rotate(a, 3, about) == Hex(2 * about.x - a.x, 2 * about.y - a.y)
