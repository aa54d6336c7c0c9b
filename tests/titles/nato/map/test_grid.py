"""2.2 Hex numbers, neighbours and distances are compared with everything the rulebook says about them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.titles.nato.map import grid

NUMBERS = st.builds(grid.hex_id, st.integers(1, 57), st.integers(1, 34))

ADJACENT = str.split("""
1209-1210 1209-1310 1210-1310 1310-1410 1411-1512 1513-1514 2110-2111 2321-2420 2321-2421 2416-2417 2419-2420
2617-2618 2618-2619 2729-2730 2817-2818 2818-2919 2819-2720 2819-2820 2819-2919 2820-2920 2918-2919 2919-2920
2920-2921 2921-2922 3117-3118 3118-3218 3120-3220 3218-3318 3218-3319 3317-3318 3318-3319 3319-3320 3320-3321
5312-5313
""")

DISTANCES = {
    ("3007", "3115"): 8,
    ("3007", "3117"): 10,
    ("3007", "2615"): 10,
    ("2621", "2615"): 6,
    ("2615", "2412"): 4,
    ("2317", "2412"): 5,
    ("2516", "2412"): 4,
    ("2814", "2412"): 4,
    ("1512", "1415"): 4,
    ("1415", "1420"): 5,
    ("2110", "1410"): 7,
    ("2111", "1410"): 7,
    ("1209", "1410"): 2,
}


@pytest.mark.parametrize("couple", ADJACENT)
def test_2_2_published_neighbours_are_adjacent(couple: str) -> None:
    a, b = couple.split("-")
    assert grid.adjacent(a, b) and grid.adjacent(b, a)
    assert grid.distance(a, b) == 1


@pytest.mark.parametrize(("a", "b"), [("2720", "2818"), ("3319", "3118"), ("3319", "3317")])
def test_2_2_published_strangers_are_not_adjacent(a: str, b: str) -> None:
    assert not grid.adjacent(a, b)


@pytest.mark.parametrize("ends", DISTANCES)
def test_3_4_2_published_distances(ends: tuple[str, str]) -> None:
    assert grid.distance(*ends) == DISTANCES[ends]


def test_2_2_places_count_from_east_to_west_and_even_rows_lie_further_west() -> None:
    assert grid.step("3218", "W") == "3219"
    assert (grid.step("3218", "NE"), grid.step("3218", "NW")) == ("3118", "3119")
    assert (grid.step("3117", "SE"), grid.step("3117", "SW")) == ("3216", "3217")
    assert grid.bearing("3218", "3319") == "SW"
    assert grid.bearing("3218", "3320") is None


def test_2_2_a_number_of_another_form_is_refused() -> None:
    assert not grid.is_hex("32185")
    with pytest.raises(ValueError, match="four digits"):
        grid.to_hex("E9")


@given(NUMBERS)
def test_2_2_the_engine_grid_gives_the_number_back(hex: str) -> None:
    assert grid.from_hex(grid.to_hex(hex)) == hex


@given(NUMBERS, NUMBERS)
def test_2_2_distance_is_the_same_both_ways_and_counts_steps(a: str, b: str) -> None:
    assert grid.distance(a, b) == grid.distance(b, a)
    if a != b:
        assert min(grid.distance(near, b) for near in grid.neighbours(a)) == grid.distance(a, b) - 1


@pytest.mark.rule("2.2/hex-grid", effect=True)
@given(NUMBERS, st.integers(0, 5))
def test_11_1_the_hexes_within_a_radius_are_those_at_that_distance_or_less(hex: str, radius: int) -> None:
    near = grid.within(hex, radius)
    assert near[0] == hex and len(set(near)) == len(near)
    assert all(grid.distance(hex, other) <= radius for other in near)
    everything = [grid.hex_id(row, place) for row in range(60) for place in range(40)]
    assert sum(grid.distance(hex, other) <= radius for other in everything) == sum(o in near for o in everything)
