"""4.5.1.1 The places a vehicle can reach: every route found is legal, and no legal route is missed."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule
from titles.panzer.builders import a_board, a_card, a_vehicle, brewed_up, knocked_out
from titles.panzer.moving import a_mover, a_strip, driven, start

from pbem.engine.geometry.hexes import hex_name, hexside, parse_hex
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.movement.steps.acts import Enter
from pbem.titles.panzer.movement.steps.driving import Progress, Stride
from pbem.titles.panzer.movement.steps.unit_steps import UnitMover
from pbem.titles.panzer.routes.route_search import Route, reachable, turning_steps, ways_out

SIGNS = "....,;^muo"


@st.composite
def movers(draw: Any) -> UnitMover:
    """Draw a vehicle on a small random map with a road, a path, a track, hills, wrecks, a friend and an enemy."""
    rows = [draw(st.text(alphabet=SIGNS, min_size=5, max_size=5)) for _ in range(5)]
    heights = [draw(st.text(alphabet="...12", min_size=5, max_size=5)) for _ in range(5)]
    board = a_board(
        "\n".join(rows),
        levels="\n".join(heights),
        hill_edges="slope",
        links={"road": ["off4-C5-C4-C3-C2"], "path": ["C3-D4-E3-off3", "C4-B4-B3-C2"]},
        hexsides={"wall": ["C3:2"], "hedgerow": ["B3:1"], "crest": ["D3:2"]},
    )
    if draw(st.booleans()):
        board = board.with_tracks([hexside(parse_hex("C4"), 5), hexside(parse_hex("B4"), 1)])
    waits = draw(st.booleans())
    return a_mover(
        None if waits else draw(st.sampled_from(["C4", "C5", "B3"])),
        "small",
        facing=draw(st.integers(1, 6)),
        board=board,
        edition=draw(st.sampled_from(EDITIONS)),
        entry=["C5", "E4"] if waits else [],
        others=[a_vehicle("g2", "C3"), a_vehicle("s1", draw(st.sampled_from(["C2", "B4"])))],
        wrecks=draw(st.sampled_from([{}, {"D4": knocked_out()}, {"C3": brewed_up()}])),
        cards=[a_card("small", cross_country=3, path=3, road=4, traction=draw(st.sampled_from(["T", "H", "W"])))],
    )


def route_to(mover: UnitMover, hex: Any, facing: int = 0, mode: Any = "cross") -> Route | None:
    """4.5.1.1 Return the cheapest route to a hex, with the requested facing, or with any if it is 0."""
    places = reachable(mover, start(mover, mode)).items()
    found = (route for (place, way), route in places if place == hex and facing in (0, way))
    return min(found, key=lambda route: route.cost, default=None)


def every_end(mover: UnitMover, progress: Progress) -> list[Progress]:
    """Find the ends of all possible moves by brute force: try each step from everywhere."""
    entries = [str(Enter(name, way)) for name in ("C5", "E4") for way in range(1, 7)]
    words = ["f", "b", "l", "r", "exit", "exit-b", *(entries if progress.hex is None else ())]
    seen: dict[Any, Progress] = {}
    waiting = [progress]
    while waiting:
        now = waiting.pop()
        key = (
            now.hex,
            now.facing,
            now.spent,
            min(now.turned, 3),
            now.arrival,
            now.link,
            now.owed,
            now.ended,
            now.exit,
            now.way,
            now.roads,
            now.paths,
            now.entered > 0,
        )
        if key in seen or now.turned > 3:
            continue
        seen[key] = now
        found = [mover.advance(now, word) for word in words]
        waiting += [stride.progress for stride in found if isinstance(stride, Stride)]
    return [end for end in seen.values() if not any(mover.finish_objections(end))]


@settings(max_examples=12)
@given(mover=movers())
def test_4_5_1_1_across_country_the_search_finds_exactly_what_is_legal_at_the_least_cost(mover):
    ends = every_end(mover, start(mover, "cross"))
    cheapest: dict[Any, int] = {}
    exits: dict[str, int] = {}
    for end in ends:
        where: Any = exits if end.exit else cheapest
        place = end.exit or (end.hex, end.facing)
        where[place] = min(end.spent, where.get(place, end.spent))

    found = {place: route.cost for place, route in reachable(mover, start(mover)).items()}
    out = {edge: route.cost for edge, route in ways_out(mover, start(mover)).items()}

    assert found == cheapest
    assert {edge: cost for edge, cost in exits.items() if cost <= 3} == {e: c for e, c in out.items() if c <= 3}


@settings(max_examples=12)
@given(mover=movers())
def test_4_5_1_1_5_along_the_road_the_search_finds_every_hex_at_the_least_cost(mover):
    """Facings that become legal only by wasting points before the last bend (R-17) are not compared."""
    ends = [end for end in every_end(mover, start(mover, "road")) if end.entered and not end.exit]
    cheapest: dict[Any, int] = {}
    for end in ends:
        place = (end.hex, end.facing)
        cheapest[place] = min(end.spent, cheapest.get(place, end.spent))

    found = {place: route.cost for place, route in reachable(mover, start(mover, "road")).items()}

    assert found.items() <= cheapest.items()
    assert {hex for hex, _ in found} == {hex for hex, _ in cheapest}


@given(mover=movers(), mode=st.sampled_from(["cross", "road"]))
def test_4_5_1_1_every_route_leads_where_it_says_for_what_it_says(mover, mode):
    for (hex, facing), route in reachable(mover, start(mover, mode)).items():
        went = driven(mover, " ".join(route.steps), mode)
        assert went.legal
        assert (went.progress.hex, went.progress.facing, went.progress.spent) == (hex, facing, route.cost)
    for edge, route in ways_out(mover, start(mover, mode)).items():
        went = driven(mover, " ".join(route.steps), mode)
        assert went.legal
        assert (went.progress.exit, went.progress.spent) == (edge, route.cost)


@given(mover=movers(), steps=st.lists(st.sampled_from(["f", "b", "l", "r"]), min_size=1, max_size=4))
def test_4_5_1_1_5_a_move_under_way_can_be_continued(mover, steps):
    """R-17: from any point, the rest of a move is legal together with the part already made."""
    begun = driven(mover, " ".join(steps)).progress

    for (hex, facing), route in reachable(mover, begun).items():
        went = driven(mover, " ".join(route.steps), begun=begun)
        assert went.legal
        assert (went.progress.hex, went.progress.facing) == (hex, facing)


def test_4_5_1_1_routes_come_in_the_order_of_their_cost():
    mover = a_mover("J10")
    costs = [route.cost for route in reachable(mover, start(mover)).values()]

    assert costs == sorted(costs)
    assert costs[0] == 0


def test_4_5_1_1_route_to_a_hex():
    """L1120-1130: the cheapest route to a hex is found, with any or the requested facing, within the allowance."""
    mover = a_mover("J10", "t34_76", facing=1)

    assert route_to(mover, parse_hex("J8")) == (("f", "f"), 2)
    assert route_to(mover, parse_hex("J8"), facing=3) == (("f", "f", "r", "r"), 3)
    assert route_to(mover, parse_hex("J2")) is None


def test_4_5_1_1_5_the_road_leads_further():
    """L1196: the vehicle gets nine hexes at the road rate, but four across country."""
    board = a_strip(links={"road": ["C12-C11-C10-C9-C8-C7-C6-C5-C4-C3-C2"]})
    mover = a_mover("C12", board=board)

    assert route_to(mover, parse_hex("C3"), mode="road") == (("f",) * 9, 9)
    assert route_to(mover, parse_hex("C3")) is None


@pytest.mark.rule("3.3", effect=True)
@pytest.mark.parametrize(("facing", "wanted", "steps"), [(1, 1, ""), (1, 3, "rr"), (1, 6, "l"), (2, 5, "rrr")])
def test_3_3_turning_the_short_way(facing, wanted, steps):
    assert "".join(turning_steps(facing, wanted)) == steps


@pytest.mark.rule("4.5.1.1.11", editions=("2024",))
def test_4_5_1_1_11_a_route_counts_what_a_paid_turn_on_a_track_owes():
    """A-34: a half-track reaches D8, between a wall and water, by a sharp turn where it leaves the track."""
    signs = {"C7": "m", **dict.fromkeys(("B7", "B8", "B9", "D7", "D9", "E8", "E9"), "o")}
    board = a_board(
        signs=signs, columns=6, rows=12, links={"path": ["C9-C8-C7-C6"]}, hexsides={"wall": ["C8:2"]}
    ).with_tracks(hexside(parse_hex(name), 1) for name in ("C9", "C8", "C7"))
    mover = a_mover(board=board, card="fast", cards=[a_card("fast", cross_country=9, traction="H")])
    route, way = route_to(mover, parse_hex("D8"), facing=3), driven(mover, "f f r r f")
    assert route is not None and route.cost == sum(way.costs) == 1 + 1 + 1 + 4
    assert_rule(way.findings, "4.5.1.1.11", inputs={"what": "leaving the track"})


@pytest.mark.rule("4.5.1.1.5", effect=True)
def test_4_5_1_1_5_searches_share_the_steps_along_a_road_but_not_what_is_in_the_way():
    """A first search on the free road must not lead a later one, for the same ground, past a wreck in C7."""
    free = a_mover("C9", board=a_board(links={"road": ["C9-C8-C7-C6-C5"]}))
    stopped = replace(free, wrecks=frozenset({parse_hex("C7")}))
    road = ("C9", "C8", "C7", "C6", "C5")
    for mover, ends in ((free, road), (stopped, road[:2]), (free, road)):
        found = {hex_name(hex) for hex, _ in reachable(mover, start(mover, "road"))}
        assert found == {*ends}  # back in C9 it has gone there and back
        assert [name for name in road if reachable(mover, start(mover, "road"), parse_hex(name))] == [*ends]
