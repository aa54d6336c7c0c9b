"""1.1, 3.2.4 The hex grid: names, range, covered arcs and target facing, with the values of the worked examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.titles.aslsk.ground.lattice import (
    Axial,
    D,
    V,
    arcs_to,
    distance,
    entry_sides,
    facing_of,
    from_offset,
    in_arc,
    name,
    opposite,
    parse,
    side_to,
    spines_turned,
    step,
    to_offset,
)

places = st.builds(from_offset, st.integers(1, 66), st.integers(0, 30))


@given(places)
def test_1_1_names_and_offsets_can_be_read_back(hex):
    assert parse(name(hex)) == hex
    assert from_offset(*to_offset(hex)) == hex


@pytest.mark.parametrize("text", ["5K", "K", "AB3", "", "K-1", "12"])
def test_1_1_what_is_not_a_hex_is_refused(text):
    with pytest.raises(ValueError, match="is not a hex"):
        parse(text)


@pytest.mark.parametrize(
    ("a", "b", "hexes"),
    [
        ("E8", "C7", 2),
        ("E8", "B7", 3),
        ("E9", "C7", 3),
        ("R6", "S8", 2),
        ("E3", "G5", 3),
        ("N5", "P5", 2),
        ("E9", "I7", 4),
    ],
)
def test_1_1_ranges_of_the_worked_examples(a, b, hexes):
    assert distance(parse(a), parse(b)) == distance(parse(b), parse(a)) == hexes


def test_1_1_odd_columns_touch_rows_one_less_and_equal():
    assert [name(step(parse("C5"), side)) for side in range(6)] == ["D4", "C4", "B4", "B5", "C6", "D5"]
    assert [name(step(parse("D5"), side)) for side in range(6)] == ["E5", "D4", "C5", "C6", "D6", "E6"]


@pytest.mark.rule("1.1/lattice", effect=True)
@given(places, st.integers(0, 5))
def test_1_1_a_neighbour_shares_the_opposite_hexside(hex, side):
    other = step(hex, side)
    assert side_to(hex, other) == side
    assert side_to(other, hex) == opposite(side)
    assert distance(hex, other) == 1


@pytest.mark.parametrize(
    ("origin", "spine", "target", "inside"),
    [
        ("E8", 3, "B7", True),
        ("E9", 2, "C7", True),
        ("E9", 2, "B7", True),
        ("E3", 5, "G5", True),
        ("M3", 5, "O4", True),
        ("M3", 5, "J5", False),
        ("M3", 4, "J5", True),
        ("E3", 5, "E3", False),
    ],
)
def test_3_2_4_covered_arcs_of_the_worked_examples(origin, spine, target, inside):
    assert in_arc(parse(origin), spine, parse(target)) is inside


@given(places, places)
def test_3_2_4_every_hex_lies_in_one_arc_or_on_the_row_between_two(origin, target):
    arcs = arcs_to(origin, target)
    way = Axial(target.q - origin.q, target.z - origin.z)
    in_row = way.q == 0 or way.z == 0 or way.q + way.z == 0
    assert len(arcs) == (0 if origin == target else 2 if in_row else 1)
    assert all(spines_turned(a, b) == 1 for a in arcs for b in arcs if a != b)


@pytest.mark.parametrize(
    ("target", "spine", "firer", "facing"),
    [("G5", 0, "E3", {"rear"}), ("G5", 2, "E3", {"front"}), ("C6", 1, "E3", {"front"})],
)
def test_3_2_4_target_facings_of_the_worked_examples(target, spine, firer, facing):
    sides = entry_sides(parse(firer), parse(target))
    assert {facing_of(side, spine) for side in sides} == facing


@pytest.mark.rule("3.2.4/facing-arithmetic", effect=True)
def test_3_2_4_a_line_through_a_vertex_enters_by_two_hexsides():
    assert entry_sides(parse("E3"), parse("C6")) == (0, 1)
    assert entry_sides(parse("E3"), parse("E3")) == ()


@given(places, places)
def test_3_2_4_the_entry_hexside_is_where_the_line_leaves_backwards(start, target):
    sides = entry_sides(start, target)
    assert len(sides) == (0 if start == target else len(sides)) and len(sides) <= 2
    back = {opposite(side) for side in entry_sides(target, start)}
    if distance(start, target) == 1:
        assert {opposite(side) for side in sides} == {side_to(start, target)}
    assert back == set(sides)


def test_3_2_4_six_spines_and_six_hexsides_go_round_once():
    assert sum(q for q, _ in D) == sum(z for _, z in D) == sum(q for q, _ in V) == sum(z for _, z in V) == 0
    assert [spines_turned(0, spine) for spine in range(6)] == [0, 1, 2, 3, 2, 1]
