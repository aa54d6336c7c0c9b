"""4.5.1.1 Where a vehicle can go: the cheapest legal steps to every hex and facing.

    4.5.1.1      reachable
    4.5.1.1.9    ways_out

Cross-country, a search node is a hex and facing (and the link of arrival, for tracks and Turn values); a turn and the
hex after it are one edge. At the path or road rate it follows the links with `follow`. The costs are those of
`costs`, and every route found here is legal by `driving`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from pbem.engine.geometry.hexes import Hex, disc, distance, hex_name, neighbour, opposite, turn, turns_between
from pbem.engine.geometry.paths import Paths
from pbem.engine.geometry.paths import reachable as cheapest_ways
from pbem.titles.panzer.cards.basic_rows import WHOLE, Cost, LinkKind
from pbem.titles.panzer.movement.steps.acts import Enter
from pbem.titles.panzer.movement.steps.costs import Allowances, Ground, Way, saving
from pbem.titles.panzer.movement.steps.driving import (
    EXIT,
    EXIT_REVERSE,
    FORWARD,
    LEFT,
    REVERSE,
    RIGHT,
    Mover,
    Progress,
    Stride,
    entry_facings,
    is_first,
    travel,
)
from pbem.titles.panzer.movement.steps.route_following import follow

Place: TypeAlias = tuple[Hex, int]
"""A hex and a facing."""
TURNS: Final = (0, 1, -1, 2, -2, 3)
"""All turns in a hex, cheapest first."""
TURNED: Final = {
    (facing, turned): tuple(
        (turn(facing, by), not (turned == 2 or by == 0 or turned + abs(by) == 1))
        for by in TURNS
    )
    for facing in range(1, 7)
    for turned in range(7)
}
"""4.5.1.1.4 The facing after each turn and whether it must be paid for, by facing and turns already made."""
TURNING_STEPS: Final = ((), (RIGHT,), (RIGHT, RIGHT), (RIGHT, RIGHT, RIGHT), (LEFT, LEFT), (LEFT,))
"""The turning steps, by the number of hexsides to turn to the right."""


class Route(NamedTuple):
    """The steps to a place and their cost."""

    steps: tuple[str, ...]
    cost: int


def reachable(mover: Mover, begun: Progress, goal: Hex | None = None) -> dict[Place, Route]:
    """4.5.1.1 Each place where a move may end (optionally in one hex), with its cheapest steps, in order of cost.

    A move already begun is continued from its progress; the routes are then the rest of the move.
    """
    if begun.mode == "road":
        return _AlongLinks(mover, begun, goal).places()
    places = _AcrossCountry(mover, begun).places(goal)
    if not begun.steps:
        return places
    # Turns already made may restrict the facing along a road, so each route of a move under way is tried out.
    return {place: route for place, route in places.items() if _is_legal(mover, begun, route)}


def reach_of(mover: Mover, begun: Progress) -> tuple[Collection[Hex], Callable[[Hex], set[int]]]:
    """4.5.1.1 The hexes that a vehicle that has not moved yet can come to, and a function of such a hex.

    The function gives the facings with which the move may end there, perhaps none.
    """
    search = (_AlongLinks if begun.mode == "road" else _AcrossCountry)(mover, begun)
    return search.hexes(), search.facings_in


def ways_out(mover: Mover, begun: Progress) -> dict[str, Route]:
    """4.5.1.1.9 The cheapest route off the map by each edge within reach."""
    if is_far_from_the_edge(mover, begun):
        return {}
    routes = _AlongLinks(mover, begun).exits() if begun.mode == "road" else _AcrossCountry(mover, begun).exits()
    best: dict[str, Route] = {}
    for edge, route in routes:
        if (edge not in best or route.cost < best[edge].cost) and _is_legal(mover, begun, route):
            best[edge] = route
    return best


def is_far_from_the_edge(mover: Mover, begun: Progress) -> bool:
    """4.5.1.1.9 Whether no edge of the map can be within reach, since a hex costs at least one point."""
    return begun.hex is not None and all(map(mover.ground.board.is_on_map, disc(begun.hex, begun.left + 1)))


def _is_legal(mover: Mover, progress: Progress, route: Route) -> bool:
    strides, objections = follow(mover, progress, route.steps)
    end = strides[-1].progress if strides else progress
    return not objections and not any(mover.finish_objections(end))


def turning_steps(facing: int, wanted: int) -> tuple[str, ...]:
    """3.3 The turning steps from one facing to another, the shorter way round."""
    return TURNING_STEPS[(wanted - facing) % 6]


# --- cross-country -------------------------------------------------------------------------------------------


class Node(NamedTuple):
    """A vehicle that has just entered a hex; at the start of the search it may already have turned there."""

    hex: Hex | None
    facing: int
    link: LinkKind | None = None
    owed: Cost = 0
    turned: int = 0


class Searched(NamedTuple):
    """The cheapest routes from a node, with the steps of each as far as they were asked for."""

    paths: Paths[Node]
    steps: dict[Node, tuple[str, ...]]
    by_hex: dict[Hex | None, list[tuple[Node, int]]]
    """The nodes in each hex, with their costs, in the order of the search."""


SEARCHES_KEPT: Final = 256
_searches: dict[tuple[Ground, int, Node, int], Searched] = {}
"""4.5.1.1 A cache of the most recent searches.

A unit's reach is requested again and again while others move. It depends only on the ground, its position and facing,
its points, and how it reverses.
"""


class _AcrossCountry:
    """The cheapest cross-country routes from a given progress."""

    def __init__(self, mover: Mover, progress: Progress) -> None:
        self.mover = mover
        self.ground = mover.ground
        self.board = mover.ground.board
        self.progress = progress
        self.start = Node(
            progress.hex, progress.facing, progress.link, progress.owed, 2 if progress.turn_paid else progress.turned
        )
        self.limit = progress.left
        self.paths, self._steps, self.by_hex = (
            self.cached_search() if progress.hex and not progress.ended else self.search()
        )

    def cached_search(self) -> Searched:
        """4.5.1.1 The cached search, or a new one."""
        if self.mover.hindered:
            return self.search()
        key = self.ground, self.mover.reverse_times, self.start, self.limit
        found = _searches.get(key)
        if found is None:
            if len(_searches) >= SEARCHES_KEPT:
                _searches.pop(next(iter(_searches)), None)  # another thread may have been faster
            found = _searches.setdefault(key, self.search())
        return found

    def search(self) -> Searched:
        """4.5.1.1 The cheapest routes."""
        paths = cheapest_ways(self.start, self.edges, 0 if self.progress.ended else self.limit)
        by_hex: dict[Hex | None, list[tuple[Node, int]]] = {}
        for node, spent in paths.cost.items():
            by_hex.setdefault(node.hex, []).append((node, spent))
        return Searched(paths, {self.start: ()}, by_hex)

    def steps_to(self, node: Node) -> tuple[str, ...]:
        """4.5.1.1 The steps of the cheapest route to a node."""
        if node not in self._steps:
            before = self.paths.previous[node]
            self._steps[node] = self.steps_to(before) + self.between(before, node)
        return self._steps[node]

    def edges(self, node: Node) -> list[tuple[Node, int]]:
        """4.5.1.1 The next hexes, each after a turn, with the cost.

        They are the same for all units with the same ground and the same way of reversing.
        """
        if node.hex is None or self.progress.ended or self.mover.hindered:
            return self._edges(node)
        known: dict[Node, list[tuple[Node, int]]] = self.ground.around(node.hex).remembered[self.mover.reverse_times]
        if node not in known:
            known[node] = self._edges(node)
        return known[node]

    def _edges(self, node: Node) -> list[tuple[Node, int]]:
        return [(after, cost) for after, cost in self.arrivals(node) if isinstance(cost, int)]

    def arrivals(self, node: Node) -> Iterator[tuple[Node, Cost]]:
        """4.5.1.1.2, 4.5.1.1.4 All neighbours, with the cost of turn and hex, even if that is not a number."""
        if node.hex is None:
            yield from self.entries()
            return
        ways, backwards = self.ground.ways(node.hex), self.mover.reverse_times
        for facing, turning in self.turns(node, node.hex):
            for direction, times in ((facing, 1), (opposite(facing), backwards)):  # 4.5.1.1.7 twice in reverse
                way = ways[direction]
                if way is not None and times and self.may_pass(node, direction):
                    owed = times * way.saved if isinstance(way.saved, int) else way.saved
                    yield Node(way.target, facing, way.link, owed), self.cost(node, turning, way, times)

    def may_pass(self, node: Node, direction: int) -> bool:
        """Whether rules other than terrain costs allow the vehicle to leave a node in this direction."""
        if not self.mover.hindered or node.hex is None:
            return True
        came = self.progress.way if node == self.start else node.facing
        return self.mover.may_pass(node.hex, direction, came)

    def entries(self) -> Iterator[tuple[Node, Cost]]:
        """R-02 The entries to the map, each with its cost."""
        for hex in self.mover.entry:
            for facing in entry_facings(self.board, hex):
                entered = follow(self.mover, self.progress, [str(Enter(hex_name(hex), facing))]).strides
                if entered:
                    came = entered[0].progress
                    yield Node(hex, facing, came.link, came.owed), came.spent - self.progress.spent

    def cost(self, node: Node, turning: int, way: Way, times: int) -> Cost:
        """4.5.1.1.2 The cost of turn and hex; 4.5.1.1.11 including the debt for leaving a track."""
        if not isinstance(way.total, int):
            return way.total
        owed = self.track_saving(node, turning) if way.link is None and node.owed else 0
        return turning + owed + times * way.total if isinstance(owed, int) else owed

    def track_saving(self, node: Node, turning: int) -> Cost:
        """4.5.1.1.11 The saving from the track in this hex, also on a paid turn (A-34), due on leaving it."""
        if node.link != "track" or not turning or not isinstance(node.owed, int) or node.hex is None:
            return node.owed
        saved = saving(self.ground.turning(node.hex, None).total, turning)
        return node.owed + saved if isinstance(saved, int) else saved

    def turns(self, node: Node, hex: Hex) -> list[tuple[int, int]]:
        """4.5.1.1.4 The facings the vehicle can take in a hex, with the cost of the turn (R-16)."""
        value = self.ground.turning(hex, node.link).total
        turned = TURNED[node.facing, node.turned]
        if isinstance(value, int) and not self.progress.ended:
            return [(facing, value if paid else 0) for facing, paid in turned]
        return [(facing, 0) for facing, paid in turned if not paid]

    def between(self, before: Node, after: Node) -> tuple[str, ...]:
        """The steps from one node to the next."""
        assert after.hex is not None
        if before.hex is None:
            return (str(Enter(hex_name(after.hex), after.facing)),)
        step = FORWARD if neighbour(before.hex, after.facing) == after.hex else REVERSE
        return (*turning_steps(before.facing, after.facing), step)

    def places(self, goal: Hex | None = None) -> dict[Place, Route]:
        """4.5.1.1.10 Where the move may end: anywhere except with an enemy, optionally in one hex only."""
        found = {
            place: Route(self.steps_to(node) + turning_steps(node.facing, place[1]), cost)
            for place, (cost, node) in self.ends(goal).items()
        }
        for place, route in self.beyond(goal):
            found.setdefault(place, route)
        return dict(sorted(found.items(), key=lambda item: item[1].cost))

    def ends(self, goal: Hex | None = None) -> dict[Place, tuple[int, Node]]:
        """4.5.1.1.10 Where the move may end within its allowance, with the cost and the node it turns in last."""
        enemies, limit = self.mover.enemies, self.limit
        cheapest: dict[Place, tuple[int, Node]] = {}
        for node, spent in self.paths.cost.items() if goal is None else self.by_hex.get(goal, ()):
            hex = node.hex
            if hex is None or hex in enemies:
                continue
            for facing, turning in self.turns(node, hex):
                place, cost = (hex, facing), spent + turning
                if cost <= limit and (place not in cheapest or cost < cheapest[place][0]):
                    cheapest[place] = cost, node
        return cheapest

    def hexes(self) -> set[Hex]:
        """4.5.1.1 The hexes that the vehicle can come to."""
        return {hex for hex in self.by_hex if hex is not None} | {hex for (hex, _), _ in self.beyond()}

    def facings_in(self, hex: Hex) -> set[int]:
        """4.5.1.1.10 The facings with which the move may end in a hex."""
        return {facing for _, facing in (*self.ends(hex), *(place for place, _ in self.beyond(hex)))}

    def beyond(self, goal: Hex | None = None) -> Iterator[tuple[Place, Route]]:
        """4.5.1.1.3 The first hex may exceed the allowance, with free turns before and after (A-37)."""
        if not is_first(self.progress) or self.is_far(goal):
            return
        for node, cost in self.arrivals(self.start):
            if goal is not None and node.hex != goal:
                continue
            free = self.start.hex is None or self.start.turned + turns_between(self.start.facing, node.facing) <= 1
            exceeds = cost == WHOLE or (isinstance(cost, int) and cost > self.limit)
            if node.hex is not None and node.hex not in self.mover.enemies and free and exceeds:
                points = cost if isinstance(cost, int) else self.limit
                for by in (0, 1, -1):
                    facing = turn(node.facing, by)
                    steps = self.between(self.start, node) + turning_steps(node.facing, facing)
                    yield (node.hex, facing), Route(steps, points)

    def is_far(self, goal: Hex | None) -> bool:
        """4.5.1.1.3 Whether a goal is more than one hex away."""
        return goal is not None and self.start.hex is not None and distance(self.start.hex, goal) > 1

    def exits(self) -> Iterator[tuple[str, Route]]:
        """4.5.1.1.9 Routes off the map, forwards or in reverse (A-32)."""
        for node, spent in self.paths.cost.items():
            if node.hex is None or node.hex not in self.board.rim:
                continue
            for facing, turning in self.turns(node, node.hex):
                for step in (EXIT, EXIT_REVERSE):
                    edge = self.board.edge(node.hex, travel(facing, step))
                    if edge is None:
                        continue
                    steps = (*self.steps_to(node), *turning_steps(node.facing, facing), step)
                    cost = self.ground.leaving(node.hex, travel(facing, step)).total
                    if isinstance(cost, int):
                        times = self.mover.reverse_times if step == EXIT_REVERSE else 1
                        yield edge, Route(steps, spent + turning + cost * times)


# --- by path and road ----------------------------------------------------------------------------------------


class Reached(NamedTuple):
    """A vehicle that has entered a hex along a link, with everything in its past that affects its next steps."""

    hex: Hex | None
    facing: int
    way: int
    roads: int
    paths: int
    spent: int
    steps: tuple[str, ...]
    model: Progress
    """The progress there of a vehicle that came the same way; points, hex counts and route are those given above."""

    @property
    def place(self) -> tuple[Hex | None, int, int]:
        return self.hex, self.facing, self.way


class Onward(NamedTuple):
    """One way to continue: its steps, the points, road and path hexes that they add, and the progress after them."""

    steps: tuple[str, ...]
    cost: int
    roads: int
    paths: int
    after: Progress


class _AlongLinks:
    """All routes along the links from a given progress, at the path or road rate.

    Whether a step along a link is legal depends on the hex, the facing and the direction of arrival, on whether it
    can be paid, and on what is in the way. So the steps from each such place are tried once for each ground, by a
    vehicle with points to spare on a free road. A search adds up its own points and passes over hexes that are
    obstructed for its own vehicle. With a goal, routes that can no longer reach it are given up.
    """

    def __init__(self, mover: Mover, progress: Progress, goal: Hex | None = None) -> None:
        self.mover, self.goal = mover, goal
        self.board = mover.ground.board
        self.begun = progress
        self.start = Reached(
            progress.hex, progress.facing, progress.way, progress.roads, progress.paths, progress.spent, (), progress
        )
        self.shares = mover.vehicle.kind == "vehicle" and not mover.hindered
        self._onward: dict[object, list[Onward]] = {}
        self._obstructed: dict[Hex | None, bool] = {}
        self.reached: list[Reached] = []
        self.search()

    def search(self) -> None:
        """4.5.1.1.5 Search cheapest first; routes that differ in path and road hexes are kept apart (A-80)."""
        seen: set[tuple[object, ...]] = set()
        waiting: list[tuple[int, int, Reached]] = [(self.start.spent, 0, self.start)]
        found = 0
        while waiting:
            _, _, reached = heappop(waiting)
            key = reached[:5]
            if key in seen:
                continue
            seen.add(key)
            self.reached.append(reached)
            for after in filter(self.may_lead_on, self.further(reached)):
                found += 1
                heappush(waiting, (after.spent, found, after))

    def may_lead_on(self, reached: Reached) -> bool:
        """4.5.1.1.1 Whether the points left could take the vehicle to the goal: a hex costs at least one."""
        if self.goal is None or reached.hex is None:
            return True
        return distance(reached.hex, self.goal) <= self.begun.limit - reached.spent

    def is_obstructed(self, hex: Hex | None) -> bool:
        """4.5.1.1.5 Whether something in a hex rules out the path and road rate."""
        if hex not in self._obstructed:
            self._obstructed[hex] = hex is not None and any(self.mover.obstructions(hex))
        return self._obstructed[hex]

    def further(self, reached: Reached) -> Iterator[Reached]:
        """The next hexes along the links, forward and in reverse."""
        for steps, cost, roads, paths, after in self.affordable("links", reached, self.along_links):
            if self.is_obstructed(after.hex):
                continue
            yield Reached(
                after.hex,
                after.facing,
                after.way,
                reached.roads + roads,
                reached.paths + paths,
                reached.spent + cost,
                reached.steps + steps,
                after,
            )

    def affordable(
        self, what: str, reached: Reached, ways: Callable[[Progress], list[tuple[str, ...]]]
    ) -> Iterator[Onward]:
        """The continuations from a place that this vehicle's points allow."""
        left = self.begun.limit - reached.spent
        return (onward for onward in self.continuations(what, reached, ways) if onward.cost <= left)

    def continuations(
        self, what: str, reached: Reached, ways: Callable[[Progress], list[tuple[str, ...]]]
    ) -> list[Onward]:
        """The cached continuations from a place; those from the start also depend on the move so far."""
        at_start, shares = reached is self.start, self.shares and reached is not self.start
        known: dict[object, list[Onward]] = self._onward
        if shares and reached.hex is not None:
            known = self.mover.ground.around(reached.hex).remembered[self.mover.reverse_times]
        key = (what, reached.place, at_start)
        if key not in known:
            progress = reached.model if at_start else with_points_to_spare(reached.model)
            known[key] = self.driven(self.freely if shares else self.mover, progress, ways(progress))
        return known[key]

    @cached_property
    def freely(self) -> Mover:
        """The vehicle as if nothing were in its way."""
        return self.mover.with_free_roads()

    def driven(self, mover: Mover, progress: Progress, ways: list[tuple[str, ...]]) -> list[Onward]:
        """The continuations that can be driven; steps they have in common are driven only once."""
        known: dict[tuple[str, ...], Progress | None] = {(): progress}
        ends = [(steps, drive(mover, known, steps)) for steps in ways]
        return [
            Onward(steps, end.spent - progress.spent, end.roads - progress.roads, end.paths - progress.paths, end)
            for steps, end in ends
            if end is not None
        ]

    def along_links(self, progress: Progress) -> list[tuple[str, ...]]:
        """The steps onto the map, or along every link that leaves the hex."""
        if progress.hex is None:
            ways = [(hex, way) for hex in self.mover.entry for way in entry_facings(self.board, hex)]
            return [(str(Enter(hex_name(hex), way)),) for hex, way in ways]
        return [
            (*turning_steps(progress.facing, travel(way, step)), step)
            for way, _ in self.board.links(progress.hex)
            if self.board.is_on_map(neighbour(progress.hex, way))
            for step in (FORWARD, REVERSE)
        ]

    def facings(self, progress: Progress) -> list[tuple[str, ...]]:
        """The turns that keep the facing, or that face along a link."""
        assert progress.hex is not None
        onward = [way for way, _ in self.board.links(progress.hex)]
        facings = (progress.facing, *onward, *map(opposite, onward))
        return [turning_steps(progress.facing, facing) for facing in facings]

    def off_the_map(self, progress: Progress) -> list[tuple[str, ...]]:
        """The steps off the map along a link."""
        assert progress.hex is not None
        return [
            (*turning_steps(progress.facing, travel(way, step)), step)
            for way, _ in self.board.links(progress.hex)
            if not self.board.is_on_map(neighbour(progress.hex, way))
            for step in (EXIT, EXIT_REVERSE)
        ]

    def route(self, reached: Reached, onward: Onward) -> Route:
        return Route(reached.steps + onward.steps, reached.spent + onward.cost - self.begun.spent)

    def may_end(self, reached: Reached, onward: Onward) -> bool:
        """4.5.1.1.5 Whether the move may end there, given this vehicle's own points and hex counts."""
        there = onward.after
        end = msgspec.structs.replace(
            self.begun,
            hex=there.hex,
            facing=there.facing,
            turned=there.turned,
            turn_paid=there.turn_paid,
            link=there.link,
            arrival=there.arrival,
            way=there.way,
            entered=there.entered,
            spent=reached.spent + onward.cost,
            roads=reached.roads,
            paths=reached.paths,
        )
        return not any(self.mover.finish_objections(end))

    def places(self) -> dict[Place, Route]:
        """4.5.1.1.5 Where the move may end: on the road, facing along it (R-17)."""
        found = self.ends(self.reached if self.goal is None else self.by_hex.get(self.goal, ()))
        return dict(sorted(found.items(), key=lambda item: item[1].cost))

    @cached_property
    def by_hex(self) -> dict[Hex | None, list[Reached]]:
        """The vehicles that have reached each hex, in the order of the search."""
        found: dict[Hex | None, list[Reached]] = {}
        for reached in self.reached:
            found.setdefault(reached.hex, []).append(reached)
        return found

    def hexes(self) -> set[Hex]:
        """4.5.1.1.5 The hexes that the vehicle can come to."""
        return {hex for hex in self.by_hex if hex is not None}

    def facings_in(self, hex: Hex) -> set[int]:
        """4.5.1.1.5 The facings with which the move may end in a hex."""
        return {facing for _, facing in self.ends(self.by_hex.get(hex, ()))}

    def ends(self, some: Iterable[Reached]) -> dict[Place, Route]:
        """4.5.1.1.5, R-17 Where the move of some of these vehicles may end, with the cheapest route."""
        found: dict[Place, Route] = {}
        for reached in some:
            if reached.hex is None or not reached.model.entered:
                continue
            for end in self.affordable("facings", reached, self.facings):
                place, route = (reached.hex, end.after.facing), self.route(reached, end)
                cheaper = place not in found or route.cost < found[place].cost
                if cheaper and self.may_end(reached, end):
                    found[place] = route
        return found

    def exits(self) -> Iterator[tuple[str, Route]]:
        """4.5.1.1.9 Routes off the map along a link."""
        for reached in self.reached:
            if reached.hex is not None:
                for end in self.affordable("exits", reached, self.off_the_map):
                    yield end.after.exit, self.route(reached, end)


def drive(mover: Mover, known: dict[tuple[str, ...], Progress | None], steps: tuple[str, ...]) -> Progress | None:
    """The progress after these steps, computed from their longest known prefix; None if they cannot be driven."""
    if steps not in known:
        before = drive(mover, known, steps[:-1])
        stride = None if before is None else mover.advance(before, steps[-1])
        known[steps] = stride.progress if isinstance(stride, Stride) else None
    return known[steps]


PLENTY: Final = Allowances(cross=9999, path=9999, road=9999)
"""More points than any route along the links costs."""


def with_points_to_spare(progress: Progress) -> Progress:
    """The progress in a hex just entered, without the history of the move."""
    return msgspec.structs.replace(
        progress, allowances=PLENTY, spent=0, entered=1, roads=0, paths=0, trail=(), steps=()
    )


def routes(mover: Mover, progress: Progress, may_end: Callable[[Hex], bool] | None = None) -> Iterator[Route]:
    """4.5.1.1 Every hex with its cheapest facing, then the routes off the map, then all other facings.

    `may_end` filters out the hexes in which the move cannot end.
    """
    places = reachable(mover, progress)
    if may_end is not None:
        places = {place: route for place, route in places.items() if may_end(place[0])}
    first: dict[Any, Route] = {}
    for (hex, _), route in places.items():
        first.setdefault(hex, route)
    yield from first.values()
    yield from ways_out(mover, progress).values()
    chosen = {route.steps for route in first.values()}
    yield from (route for route in places.values() if route.steps not in chosen)
