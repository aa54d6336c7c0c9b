"""4.1.4.2 Line of sight: heights, blind zones, corners, and properties over random land."""

import itertools
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule, every
from titles.panzer.builders import a_board
from titles.panzer.sighting.lines import a_column, both_editions, look, sees

from pbem.engine.geometry.hexes import (
    Hex,
    centre,
    corners,
    direction_to,
    distance,
    from_offset,
    hex_name,
    line,
    mirror,
    neighbour,
    neighbours,
    opposite,
    parse_hex,
    rotate,
    side_between,
    side_corners,
    to_offset,
    translate,
)
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.charts import Charts, charts
from pbem.titles.panzer.sighting.line_of_sight import LineOfSightTable, line_of_sight, sight_table, smoke_hexes

# --- 4.1.4.2 heights -----------------------------------------------------------------------------------------


@pytest.mark.rule("4.1.4.1.1", effect=True)
@both_editions
@pytest.mark.rule("4.1.4.2.2")
def test_4_1_4_2_2_an_obstacle_as_high_as_the_higher_unit_hides_all_behind_it(edition):
    """L676: a unit back from the edge of a plateau cannot look down past the edge."""
    board = a_column(".....", "11000")

    for to in ("A3", "A5"):
        finding = look(board, "A1", to, edition)
        assert_rule(finding, "4.1.4.2.2", inputs={"where": "A2", "height": 1}, result="blocked")
    assert look(board, "A2", "A5", edition).result == "open"


@both_editions
@pytest.mark.rule("4.1.4.2.3")
def test_4_1_4_2_3_an_obstacle_no_higher_than_either_does_not_block(edition):
    """L684: an obstacle that is no higher than either unit does not block."""
    finding = look(a_column("...", "212"), "A1", "A3", edition)
    assert_rule(finding, "4.1.4.2.3", inputs={"where": "A2", "height": 1}, result="open")
    assert look(a_column("...", "111"), "A1", "A3", edition).result == "open"


def hidden_ranges(edition: str, *, higher: int, obstacle: int, lower: int, at: int) -> list[int]:
    """Return the ranges at which a row of buildings `at` hexes from A1 hides a lower unit from one in A1."""
    sunken = lower < 0
    ground = max(lower, 0)
    beyond = at // 2 + 2  # no zone is longer than half the distance
    signs = "." * at + "B" + ("u" if sunken else ".") * beyond
    levels = str(higher) + str(ground) * (at + beyond)
    board = a_column(signs, levels, storeys={f"A{at + 1}": obstacle - ground})
    first = look(board, "A1", f"A{at + 2}", edition)
    assert_rule(first, "4.1.4.2.4", inputs={"distance": at}, result="blocked")
    start, *others = board.hexes
    return [away for away, hex in enumerate(others, start=1) if not sees(board, charts(edition), start, hex)]


@both_editions
@pytest.mark.rule("4.1.4.2.4")
@pytest.mark.parametrize(
    ("below", "at", "first", "last"),
    [(1, 14, 15, 21), (2, 16, 17, 20), (3, 18, 19, 20), (4, 19, 20, 20), (5, 19, 20, 20)],
)
def test_4_1_4_2_4_blind_zones_of_the_book(edition, below, at, first, last):
    """L699, L705, L711, L717, 2016:L871, 2016:L876: the obstacle is 1, 2, 3 or 4 levels lower (or more, A-11)."""
    hidden = hidden_ranges(edition, higher=1 + below, obstacle=1, lower=0, at=at)

    assert hidden == list(range(first, last + 1))


@pytest.mark.rule("4.1.4.2.4", "4.1.4.2.2", effect=True)
@both_editions
@pytest.mark.parametrize("below", [1, 2, 3, 4, 5])
def test_4_1_4_2_4_every_row_names_itself(edition, below):
    """The finding names the row of the blind zone that was used."""
    board = a_column(".B...", f"{1 + below}0000")
    rows = {
        "2024": ["1-lower", "2-lower", "3-lower", "4-lower"],
        "2016": ["1-level", "2-levels", "3-levels", "4-levels"],
    }
    row = rows[edition][min(below, 4) - 1]
    assert_rule(look(board, "A1", "A3", edition), f"4.1.4.2.4/{row}", inputs={"below": below}, result=1)


@pytest.mark.rule("4.1.4.2.4", effect=True)
@pytest.mark.rule(
    "4.1.4.2.4/1-lower", "4.1.4.2.4/2-lower", "4.1.4.2.4/3-lower", "4.1.4.2.4/4-lower", editions=("2024",)
)
def test_4_1_4_2_4_rows_2024():
    """L695 to L717: the rows are 14 / 2, 16 / 4, 18 / 8, and a single hex."""
    for below, at, zone in ((1, 14, 7), (2, 16, 4), (3, 18, 2), (4, 19, 1)):
        board = a_column("." * at + "B.", str(1 + below) + "0" * (at + 1))
        finding = look(board, "A1", f"A{at + 2}")
        assert_rule(finding, f"4.1.4.2.4/{below}-lower", inputs={"below": below, "distance": at}, result=zone)
        assert "4.1.4.2.4.1" not in [found.rule for found in every(finding)], "the lower unit is at height 0"


@pytest.mark.rule("4.1.4.2.4", "4.1.4.2.4/4-lower", effect=True)
@pytest.mark.rule(
    "4.1.4.2.4/1-level", "4.1.4.2.4/2-levels", "4.1.4.2.4/3-levels", "4.1.4.2.4/4-levels", editions=("2016",)
)
def test_4_1_4_2_4_rows_2016():
    """2016:L855 to L876: the rows of the blind zone are as printed."""
    rows = ("1-level", "2-levels", "3-levels", "4-levels")
    for row, (below, at, zone) in zip(rows, ((1, 14, 7), (2, 16, 4), (3, 18, 2), (4, 19, 1)), strict=True):
        board = a_column("." * at + "B.", str(1 + below) + "0" * (at + 1))
        finding = look(board, "A1", f"A{at + 2}", "2016")
        assert_rule(finding, f"4.1.4.2.4/{row}", inputs={"below": below, "distance": at}, result=zone)
        higher = a_column("." * at + "B.", str(2 + below) + "1" * (at + 1))
        found = look(higher, "A1", f"A{at + 2}", "2016")
        assert "4.1.4.2.4.1" not in [each.rule for each in every(found)], "this book corrects nothing"


@pytest.mark.rule("4.1.4.2.4.1", effect=True)
@pytest.mark.rule("4.1.4.2.4")
@pytest.mark.parametrize(("lower", "divisors"), [(0, (2, 4, 8)), (1, (3, 5, 9)), (2, (4, 6, 10)), (-1, (2, 3, 7))])
def test_4_1_4_2_4_1_the_lower_unit_changes_the_divisor_in_2024_only(lower, divisors):
    """L721: for a lower unit at 1 divide by 3, 5, 9; at -1 by 2, 3, 7. In 2016 the divisors are always 2, 4, 8."""
    obstacle = max(lower, 0) + 1
    for below, corrected, plain in zip((1, 2, 3), divisors, (2, 4, 8), strict=True):
        for at in (18, 24):
            numbers = {"higher": obstacle + below, "obstacle": obstacle, "lower": lower, "at": at}
            assert hidden_ranges("2024", **numbers) == list(range(at + 1, at + 1 + at // corrected))
            assert hidden_ranges("2016", **numbers) == list(range(at + 1, at + 1 + at // plain))


@pytest.mark.rule("4.1.4.2.3", effect=True)
@pytest.mark.rule("4.1.4.2.4.1", "4.1.4.2.4/1-lower", editions=("2024",))
def test_4_1_4_2_4_1_is_explained():
    """L721: the obstacle is one level lower and 12 hexes away, and the target is at height 1, so the
    blind zone is 12 / 3."""
    board = a_column("." * 12 + "B....", "3" + "1" * 16)

    finding = look(board, "A1", "A17")
    assert_rule(finding, "4.1.4.2.4.1", inputs={"lower_unit": 1, "distance": 12}, result=4)
    assert_rule(finding, "4.1.4.2.4/1-lower", inputs={"distance": 12}, result=6)  # before the correction
    assert finding.result == "blocked"
    level = look(a_column("." * 14 + "B.", "2" + "0" * 15), "A1", "A16")
    assert "4.1.4.2.4.1" not in {item.rule for item in every(level)}, "a unit at height 0 corrects nothing"


@both_editions
@pytest.mark.rule("4.1.4.2.4")
def test_4_1_4_2_4_the_zone_behind_a_hexside_begins_in_the_next_hex(edition):
    """A-12: a hedgerow between ranges 4 and 5 counts at 4."""
    far = a_column("." * 10, "2" + "0" * 9, hexsides={"hedgerow": ["A5:4"]})
    hidden = [row for row in range(2, 11) if look(far, "A1", f"A{row}", edition).result == "blocked"]
    assert hidden == [6, 7]
    assert_rule(look(far, "A1", "A6", edition), "4.1.4.2.4", inputs={"where": "A5/A6", "distance": 4, "zone": 2})


# --- 4.1.4.2.5 into and out of obstacles ---------------------------------------------------------------------


@pytest.mark.rule("4.1.4.2", effect=True)
@both_editions
@pytest.mark.rule("4.1.4.2.5")
def test_4_1_4_2_5_one_hex_into_a_grove(edition):
    """L725, 2016:L880: the outermost grove hex on the line is seen, but a deeper grove hex is not."""
    board = a_column("..mm")

    assert_rule(look(board, "A1", "A3", edition), "4.1.4.2.5", inputs={"hexes": ["A3"]}, result="open")
    assert look(board, "A1", "A3", edition).result == "open"
    assert look(board, "A1", "A4", edition).result == "blocked"


@both_editions
@pytest.mark.rule("4.1.4.2.5")
def test_4_1_4_2_5_neighbours_in_a_grove_see_each_other(edition):
    """L727, 2016:L882: units see each other at range 1 and no farther; a blocking hexside still separates them."""
    board = a_column("mmm", hexsides={"hedgerow": ["A2:4"]})

    finding = look(board, "A1", "A2", edition)
    assert_rule(finding, "4.1.4.2.5", inputs={"hexes": ["A1", "A2"], "adjacent": True}, result="open")
    assert finding.result == "open"
    assert look(board, "A2", "A3", edition).result == "blocked"
    assert look(a_column("mmm"), "A1", "A3", edition).result == "blocked"


# --- 4.1.4.2.6 corners and sides -----------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.1.4.2.6")
def test_4_1_4_2_6_crossing_a_part_of_a_grove_or_following_its_side_blocks(edition):
    """L739, 2016:L892: from C3 to E3 the line runs between D3 and D4; from A1 to D4 it cuts parts of hexes."""
    followed = look(a_board("......\n......\n...m..\n......"), "C3", "E3", edition)
    assert followed.result == "blocked"
    assert_rule(followed, "4.1.4.2.6", inputs={"where": "D3"}, result="followed")

    open_ground = a_board(columns=6, rows=6)
    met = line(parse_hex("A1"), parse_hex("D4")).hexes
    assert look(open_ground, "A1", "D4", edition).result == "open"
    for hex in met:
        column, row = to_offset(hex)
        rows = [["."] * 6 for _ in range(6)]
        rows[row - 1][column - 1] = "m"
        crossed = look(a_board("\n".join(map("".join, rows))), "A1", "D4", edition)
        assert_rule(crossed, "4.1.4.2.6", inputs={"where": hex_name(hex)}, result="crossed")
        assert crossed.result == "blocked"


@pytest.mark.rule("4.1.4.2.6", effect=True)
@both_editions
def test_4_1_4_2_6_a_corner_touched_is_not_crossed(edition):
    """A-13: groves in the hexes that the line meets in a single corner do not block."""
    hexes = [from_offset(column, row) for column in range(1, 7) for row in range(1, 7)]
    lines = [(a, b) for a, b in itertools.combinations(hexes, 2) if set(line(a, b).touched) & set(hexes)]
    assert lines
    for a, b in lines:
        rows = [["."] * 6 for _ in range(6)]
        for column, row in (to_offset(hex) for hex in line(a, b).touched if hex in hexes):
            rows[row - 1][column - 1] = "m"
        assert look(a_board("\n".join(map("".join, rows))), hex_name(a), hex_name(b), edition).result == "open"


@pytest.mark.rule("1.2", effect=True)
@both_editions
def test_1_2_what_lies_off_the_map_does_not_exist(edition):
    """A line along the edge of the map follows hexes that do not exist, so only the hexes of the map count."""
    assert look(a_board(".....\n....."), "B1", "D1", edition).result == "open"
    assert look(a_board("..m..\n....."), "B1", "D1", edition).result == "blocked"
    assert look(a_board(".uuu.\n....."), "B1", "D1", edition).result == "open"


def test_4_4_3_2_2_smoke_counts_in_both_hexes_and_all_between():
    """A-24: on the line from C3 to E3, smoke in D3 or D4 counts, and so does smoke at either end."""
    here, there = parse_hex("C3"), parse_hex("E3")

    assert {hex_name(hex) for hex in smoke_hexes(here, there)} == {"C3", "D3", "D4", "E3"}
    assert smoke_hexes(here, here) == (here,)
    assert smoke_hexes(here, parse_hex("C4")) == (here, parse_hex("C4"))


def test_the_table_is_shared_and_survives_many_maps():
    """A map with its charts has one table; dropping old tables never changes an answer."""
    board = a_column(".m.")
    first = sight_table(board, charts("2024"))

    assert sight_table(board, charts("2024")) is first
    assert sight_table(board, charts("2016")) is not first
    for rows in range(2, 60):
        sight_table(a_column("." * rows), charts("2024"))
    assert sight_table(board, charts("2024")) is not first
    assert not sees(board, charts("2024"), parse_hex("A1"), parse_hex("A3"))


# --- properties ----------------------------------------------------------------------------------------------


class Land(NamedTuple):
    """A map before it is drawn, stored by hex so that it can be moved, turned and mirrored."""

    signs: dict[Hex, str]
    levels: dict[Hex, int]
    sides: dict[tuple[Hex, Hex], str]
    links: list[tuple[Hex, Hex]]
    storeys: dict[Hex, int]

    def board(self) -> Board:
        places = {hex: to_offset(hex) for hex in self.signs}
        columns, rows = max(x for x, _ in places.values()), [row for _, row in places.values()]
        terrain, levels = ({row: ["_"] * columns for row in range(min(rows), max(rows) + 1)} for _ in range(2))
        for hex, (column, row) in places.items():
            terrain[row][column - 1] = self.signs[hex]
            levels[row][column - 1] = str(self.levels[hex])
        hexsides: dict[str, list[str]] = {}
        for (a, b), kind in self.sides.items():
            hexsides.setdefault(kind, []).append(f"{hex_name(a)}:{direction_to(a, b)}")
        return a_board(
            "\n".join(f"{row} {''.join(signs)}" for row, signs in terrain.items()),
            levels="\n".join(f"{row} {''.join(signs)}" for row, signs in levels.items()),
            legend={"H": ["gully", "bridge"], "t": ["gully", "light_grove"], "x": ["brick_building", "scrub"]},
            storeys={hex_name(hex): count for hex, count in self.storeys.items()},
            hexsides=hexsides,
            links={"road": [f"{hex_name(a)}-{hex_name(b)}" for a, b in self.links]},
        )

    def moved(self, move) -> "Land":
        return Land(
            {move(hex): sign for hex, sign in self.signs.items()},
            {move(hex): level for hex, level in self.levels.items()},
            {(move(a), move(b)): kind for (a, b), kind in self.sides.items()},
            [(move(a), move(b)) for a, b in self.links],
            {move(hex): count for hex, count in self.storeys.items()},
        )


def a_land(seed: int, columns: int = 7, rows: int = 5) -> Land:
    """A random map of hills, gullies, groves, houses, crests, hedgerows and roads."""
    random = Random(seed)
    hexes = [from_offset(column, row) for column in range(8, 8 + columns) for row in range(8, 8 + rows)]
    pairs = [(a, b) for a in hexes for b in neighbours(a) if a < b and b in hexes]
    signs = {hex: random.choice("......uuumBtx" if seed % 2 else ".....mB") for hex in hexes}
    top = random.choice(hexes)
    steepness = random.choice((1, 2))
    hill = {hex: max(0, random.randint(2, 5) - distance(hex, top) // steepness) for hex in hexes}
    smooth = {hex: max(0, 4 - distance(hex, top) // steepness) for hex in hexes}
    levels = random.choice((hill, smooth, smooth, dict.fromkeys(hexes, 0)))
    sides = {}
    for a, b in pairs:
        if levels[a] != levels[b] and random.random() < 0.9:
            sides[a, b] = "slope"
        elif random.random() < 0.05:
            sides[a, b] = random.choice(("crest", "hedgerow", "wall"))
    links = [pair for pair in pairs if random.random() < 0.3]
    for hex in hexes:
        if signs[hex] == "u" and sum(hex in link for link in links) >= 2 and random.random() < 0.7:
            signs[hex] = "H"
    houses = [hex for hex in hexes if signs[hex] in "Bx"]
    return Land(signs, levels, sides, links, {hex: random.randint(1, 4) for hex in houses})


seeds = st.integers(0, 2**32)
editions = st.sampled_from(EDITIONS)


def pairs_of(board: Board):
    return itertools.combinations(board.hexes, 2)


def literally(board: Board, chart: Charts, a: Hex, b: Hex) -> bool:
    """4.1.4 The printed procedure, followed step by step from the corners of every hex of the map."""
    reach = distance(a, b)
    (ua, va), (ub, vb) = centre(a), centre(b)

    def side(point):
        return (ub - ua) * (point.v - va) - (vb - va) * (point.u - ua)

    def is_met(hex):  # step 2
        if not (1 <= distance(a, hex) < reach and 1 <= distance(b, hex) < reach):
            return False
        signs = [side(corner) for corner in corners(hex)]
        return (min(signs) < 0 < max(signs)) or signs.count(0) == 2

    met = [hex for hex in board.hexes if is_met(hex)]
    members = [a, *met, b]
    heights = sorted((board.ground(a), board.ground(b)))
    low, high = heights
    higher = a if board.ground(a) == high else b
    limit = 0
    if reach >= 2 and (board.is_sunken(a) or board.is_sunken(b)):  # step 4
        if board.is_sunken(a) and board.is_sunken(b):
            if not all(board.along_gully(hex) for hex in met):
                return False
        else:
            gully, other = (a, b) if board.is_sunken(a) else (b, a)
            if board.ground(other) <= board.ground(gully) + 1:
                return False
            limit = board.ground(gully) + 1
    exempt = literal_slope(board, chart, met, higher) if low != high else []
    found = []
    for hex in met:  # step 5
        inherent = chart.inherent_height(board.terrain(hex), board.storeys(hex))
        ahead = direction_to(a, b)
        if ahead and board.link(hex, neighbour(hex, ahead)) and board.link(hex, neighbour(hex, opposite(ahead))):
            inherent = 0
        ground = board.ground(hex)
        if board.is_sunken(a) and board.is_sunken(b) and board.is_bridge(hex):
            ground -= 1
        if not (hex in exempt and not inherent) and ground + inherent > limit:
            found.append((ground + inherent, distance(higher, hex)))
    for one, other in itertools.combinations(members, 2):  # step 6
        if distance(one, other) == 1 and {"crest", "hedgerow"} & set(board.side(one, other)):
            ends = [side(corner) for corner in side_corners(side_between(one, other))]
            if ends[0] * ends[1] <= 0:
                top = max(board.level(one), board.level(other)) + 1
                found.append((top, min(distance(higher, one), distance(higher, other))))
    return not any(literally_hides(chart, found_at, reach, low, high) for found_at in found)  # step 7


def literally_hides(chart: Charts, obstacle: tuple[int, int], reach: int, low: int, high: int) -> bool:
    """4.1.4.2 Return whether an obstacle of this height and distance from the higher unit hides the lower unit."""
    height, away = obstacle
    if height > high or (height == high > low):
        return True
    if not low < height < high:
        return False
    divisor = {1: 2, 2: 4, 3: 8}.get(high - height, 0)
    if chart.edition == "2024":
        divisor = divisor and max(2, divisor + low)
    zone = max(1, away // divisor) if divisor else 1
    return reach <= away + zone


def literal_slope(board: Board, chart: Charts, met: list[Hex], higher: Hex) -> list[Hex]:
    """4.1.4.1.5.1 A-09 Return the hexes that go down step by step from the higher unit."""
    exempt, above = [], [higher]
    for reach in range(1, 100):
        ring = [hex for hex in met if distance(higher, hex) == reach]
        steps = [(upper, hex) for hex in ring for upper in above if distance(upper, hex) == 1]
        down = all(
            board.ground(upper) - board.ground(hex) >= 1 and "slope" in board.side(upper, hex) for upper, hex in steps
        )
        if chart.edition == "2016" or not ring or not steps or not down:
            return exempt
        exempt += ring
        above = ring
    return exempt


@given(seed=seeds, edition=editions)
def test_4_1_4_agrees_with_the_rule_taken_literally(seed, edition):
    board = a_land(seed).board()
    for a, b in pairs_of(board):
        assert sees(board, charts(edition), a, b) is literally(board, charts(edition), a, b), (a, b)


@given(seed=seeds, edition=editions)
@settings(max_examples=10)
def test_4_1_4_explanation_and_table_agree_in_both_directions(seed, edition):
    """One table is filled from a and the other from b; both must agree with the finding."""
    board = a_land(seed, columns=6, rows=5).board()
    there, back = LineOfSightTable(board, charts(edition)), LineOfSightTable(board, charts(edition))
    for a, b in pairs_of(board):
        finding = line_of_sight(board, charts(edition), a, b)
        assert there.sees(a, b) is there.sees(b, a) is back.sees(b, a) is (finding.result == "open")
        assert finding.result == line_of_sight(board, charts(edition), b, a).result


@given(seed=seeds, edition=editions)
def test_4_1_4_removing_an_obstacle_never_closes_a_line(seed, edition):
    """No line is closed when groves and houses are cleared, or crests and hedgerows removed, one at a time."""
    land = a_land(seed)
    random = Random(seed)
    cleared = random.choice(sorted(land.signs))
    bare = {"t": "u", "H": "H", "u": "u"}.get(land.signs[cleared], ".")
    sides = dict(land.sides)
    if standing := sorted(pair for pair, kind in sides.items() if kind in ("crest", "hedgerow")):
        del sides[random.choice(standing)]
    storeys = {hex: count for hex, count in land.storeys.items() if hex != cleared}
    less = land._replace(signs={**land.signs, cleared: bare}, sides=sides, storeys=storeys)
    before, after = land.board(), less.board()
    for a, b in pairs_of(before):
        if sees(before, charts(edition), a, b):
            assert sees(after, charts(edition), a, b), (a, b, cleared)


@given(seed=seeds, edition=editions, steps=st.integers(0, 5), mirrored=st.booleans(), dx=st.integers(0, 5))
def test_4_1_4_does_not_care_where_the_map_lies_nor_how_it_is_turned(seed, edition, steps, mirrored, dx):
    land = a_land(seed, columns=6, rows=5)

    def move(hex: Hex) -> Hex:
        turned = rotate(mirror(hex, Hex(10, 20)) if mirrored else hex, steps, Hex(10, 20))
        return translate(turned, 20 + dx, 40 + dx)

    board, other = land.board(), land.moved(move).board()
    for a, b in pairs_of(board):
        assert sees(board, charts(edition), a, b) is sees(other, charts(edition), move(a), move(b)), (a, b)


@given(seed=seeds)
def test_4_1_4_hexes_of_a_line_lie_on_the_way(seed):
    """The distances of a hex on the line from both ends add up to the length of the line."""
    random = Random(seed)
    a, b = (from_offset(random.randint(1, 40), random.randint(1, 40)) for _ in range(2))
    for hex in line(a, b).hexes:
        assert distance(a, hex) + distance(hex, b) == distance(a, b)
