"""The cheapest paths through any graph with integer costs: movement, supply, retreat.

A node is anything a rule needs to distinguish: a hex, a hex with a facing, or a hex with a mode of movement. Among
equally cheap paths the one found first is kept, and nodes are explored by cost and then in the order they were found;
`edges` that always lists its steps in the same order therefore gives the same route on every machine.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)

Edges = Callable[[Node], Iterable[tuple[Node, int]]]
"""The steps out of a node: the destination and cost of each, 0 or more."""


@dataclass(frozen=True, slots=True)
class Paths(Generic[Node]):
    """Every node reached, in order of cost, with its predecessor on the cheapest path."""

    start: Node
    cost: dict[Node, int]
    previous: dict[Node, Node]

    def __contains__(self, node: object) -> bool:
        return node in self.cost


def cheapest(start: Node, goal: Node | None, edges: Edges[Node], limit: int) -> Paths[Node]:
    """The cheapest paths from start of at most `limit` points, searched until the goal is reached."""
    cost: dict[Node, int] = {}
    previous: dict[Node, Node] = {}
    best = {start: 0}
    found = 0
    waiting: list[tuple[int, int, Node]] = [(0, found, start)]
    while waiting:
        spent, _, node = heappop(waiting)
        if node in cost:
            continue
        cost[node] = spent
        if node == goal:
            break
        for after, step in edges(node):
            if step < 0:
                raise ValueError(f"the step from {node} to {after} costs {step}: a step costs 0 or more")
            total = spent + step
            if total <= limit and (after not in best or total < best[after]):
                best[after] = total
                previous[after] = node
                found += 1
                heappush(waiting, (total, found, after))
    return Paths(start, cost, {node: before for node, before in previous.items() if node in cost})


def reachable(start: Node, edges: Edges[Node], limit: int) -> Paths[Node]:
    """Everything that can be reached from start for at most `limit` points."""
    return cheapest(start, None, edges, limit)


def route(paths: Paths[Node], goal: Node) -> tuple[Node, ...] | None:
    """The nodes on the cheapest path from start to goal, both included; None if it was not reached."""
    if goal not in paths:
        return None
    nodes = [goal]
    while nodes[-1] != paths.start:
        nodes.append(paths.previous[nodes[-1]])
    return tuple(reversed(nodes))
