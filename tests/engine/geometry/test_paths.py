"""Cheapest paths agree with an exhaustive relaxation of every edge."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.geometry.hexes import Hex, distance, neighbours
from pbem.engine.geometry.paths import cheapest, reachable, route

graphs = st.dictionaries(
    st.integers(0, 7),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 9)), max_size=5),
    max_size=8,
)


def edges_of(graph):
    return lambda node: graph.get(node, ())


def brute_costs(graph, start, limit):
    """Return the cost of every node, by relaxing all edges until nothing changes."""
    cost = {start: 0}
    for _ in range(len(graph) + 1):
        for node, steps in graph.items():
            for after, step in steps:
                total = cost.get(node, limit + 1) + step
                if total <= limit and total < cost.get(after, limit + 1):
                    cost[after] = total
    return cost


@given(graph=graphs, limit=st.integers(0, 30))
def test_costs_are_the_least_and_never_above_the_limit(graph, limit):
    found = reachable(0, edges_of(graph), limit)

    assert found.cost == brute_costs(graph, 0, limit)
    assert list(found.cost.values()) == sorted(found.cost.values())


@given(graph=graphs, goal=st.integers(0, 7), limit=st.integers(0, 30))
def test_a_route_runs_over_edges_and_costs_what_it_says(graph, goal, limit):
    found = cheapest(0, goal, edges_of(graph), limit)
    way = route(found, goal)
    least = brute_costs(graph, 0, limit)

    assert (way is not None) == (goal in least) == (goal in found)
    if way is not None:
        assert (way[0], way[-1]) == (0, goal)
        assert len(set(way)) == len(way)
        steps = [min(step for after, step in graph[node] if after == following) for node, following in pairwise(way)]
        assert sum(steps) == found.cost[goal] == least[goal]


@given(graph=graphs)
def test_every_node_reached_has_its_predecessor_among_those_reached(graph):
    found = cheapest(0, 3, edges_of(graph), 20)

    assert set(found.previous) == set(found.cost) - {0}
    assert set(found.previous.values()) <= set(found.cost)


def test_of_equal_ways_the_first_found_stays():
    graph = {0: [(1, 1), (2, 1)], 1: [(3, 1)], 2: [(3, 1)]}
    other = {0: [(2, 1), (1, 1)], 1: [(3, 1)], 2: [(3, 1)]}

    assert route(cheapest(0, 3, edges_of(graph), 9), 3) == (0, 1, 3)
    assert route(cheapest(0, 3, edges_of(other), 9), 3) == (0, 2, 3)


def test_nodes_need_no_order():
    """Ties are broken by order of discovery, so nodes are never compared."""
    graph = {"start": [(("hex", 1), 1), (None, 1)]}

    assert list(reachable("start", edges_of(graph), 1).cost) == ["start", ("hex", 1), None]


def test_the_search_ends_at_the_goal():
    """A hex grid has no border, so only the goal and the limit end the search."""
    asked = []

    def steps(here):
        asked.append(here)
        return [(after, 1) for after in neighbours(here)]

    found = cheapest(Hex(0, 0), Hex(3, 3), steps, 1000)

    assert found.cost[Hex(3, 3)] == 3
    assert max(distance(Hex(0, 0), here) for here in asked) <= 3


@settings(max_examples=10)
@given(limit=st.integers(0, 6))
def test_on_open_ground_the_cost_is_the_range(limit):
    found = reachable(Hex(0, 0), lambda here: [(after, 1) for after in neighbours(here)], limit)

    assert len(found.cost) == 1 + 3 * limit * (limit + 1)
    assert all(cost == distance(Hex(0, 0), here) for here, cost in found.cost.items())


def test_a_negative_limit_still_holds_the_start():
    assert reachable(0, edges_of({0: [(1, 0)]}), -1).cost == {0: 0}


def test_a_step_that_gives_points_back_is_refused():
    with pytest.raises(ValueError, match="costs -1"):
        reachable(0, edges_of({0: [(1, -1)]}), 5)
