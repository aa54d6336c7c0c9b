"""4.5.1.1.1-2 A vehicle's allowance, and the itemised cost of every step.

    3.7          halve
    4.5.1.1.1    Allowances, allowances, allowance_finding
    4.5.1.1.2    Ground.entering: terrain, hexsides, change of level, brew-up smoke (R-14, R-15)
    4.5.1.1.4    Ground.turning
    4.5.1.1.5    Ground.entering along a path, road or track (A-29); the link overrides terrain (R-14)
    4.5.1.1.6    Ground.entering: bridges
    4.5.1.1.7    in_reverse
    4.5.1.1.9    Ground.leaving the map; 2.0 R-02 Ground.coming_in
    prices       Item, Price

A price is the cost of a step by the rules; whether the vehicle can pay it is decided in `driving`.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name, neighbour, neighbours, opposite
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.cards.basic_rows import PROHIBITED, WHOLE, Cost, LinkKind, Traction
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.charts import Charts, Terrain, dearest
from pbem.titles.panzer.numbering import ledger_row

Mode = Literal["cross", "road"]
"""4.5.1.1.5, R-17 The rate for a whole move: cross-country, or the path or road rate."""

TRACTION_WORDS: Final[dict[Traction, str]] = {"T": "tracked", "H": "half-tracked", "W": "wheeled"}

HEXSIDE_RULES: Final = {
    "slope": "4.5.1.1.2/slope-crest",
    "crest": "4.5.1.1.2/slope-crest",
    "cliff": "4.5.1.1.2/slope-crest",
    "wall": "4.5.1.1.2/wall",
    "defilade": "4.5.1.1.2/defilade",
    "hedgerow": "4.5.1.1.2/hedgerow",
}


# --- 4.5.1.1.1 allowances ------------------------------------------------------------------------------------


class Allowances(msgspec.Struct, frozen=True):
    """4.5.1.1.1 The points that may be spent in a turn, by rate."""

    cross: int
    path: int
    road: int


def halve(allowance: int, times: int) -> int:
    """3.7 Halve this many times, rounding down, never below 1."""
    return max(1, allowance >> times)


# --- prices --------------------------------------------------------------------------------------------------


class Item(NamedTuple):
    """One line of a price. For a prohibited item `what` is the reason, as a sentence."""

    rule: str
    what: str
    cost: Cost


class Price(NamedTuple):
    """All items of a step, and how often they are paid (twice in reverse)."""

    items: tuple[Item, ...]
    total: Cost
    times: int = 1

    def finding(self, rule: str, **inputs: Any) -> Finding:
        """The price as a finding."""
        children = [Finding(rule=item.rule, inputs={"what": item.what}, result=item.cost) for item in self.items]
        if self.times > 1:
            children.append(Finding(rule="4.5.1.1.7", inputs={"times": self.times}, result=self.total))
        return Finding(rule=rule, inputs=inputs, result=self.total, children=tuple(children))


def price(*items: Item) -> Price:
    """The sum of the items, unless one of them is prohibited or takes the whole allowance."""
    costs = [item.cost for item in items]
    if PROHIBITED in costs or WHOLE in costs:
        return Price(items, dearest(costs))
    return Price(items, sum(cost for cost in costs if isinstance(cost, int)))


def in_reverse(forward: Price) -> Price:
    """4.5.1.1.7 Twice the whole price of the hex, surcharges included (A-31)."""
    total = forward.total
    return Price(forward.items, 2 * total if isinstance(total, int) else total, times=2)


def saving(full: Cost, paid: Cost) -> Cost:
    """4.5.1.1.11 The saving from a track, to be paid if the vehicle leaves the track in that hex (A-34)."""
    if not isinstance(full, int) or not isinstance(paid, int):
        return PROHIBITED
    return max(0, full - paid)


class Way(NamedTuple):
    """One step forward out of a hex: its destination, its cost, and the saving from a track there (A-34)."""

    target: Hex
    link: LinkKind | None
    total: Cost
    saved: Cost = 0


class Ground:
    """4.5.1.1.2 The map with its smoke for one kind of traction. Prices are cached.

    Smoke and other things on the map change the prices of their own hexes and of the steps into them. All others are
    those of the `bare` ground, which is shared for as long as the map is unchanged.
    """

    def __init__(
        self,
        board: Board,
        charts: Charts,
        traction: Traction,
        smoke: Collection[Hex] = (),
        bare: Ground | None = None,
    ) -> None:
        self.board = board
        self.charts = charts
        self.traction = traction
        self.smoke = smoke
        self.bare = bare
        self.movers = f"{TRACTION_WORDS[traction]} vehicles"
        self._entering: dict[tuple[Hex, int, Mode], Price] = {}
        self._turning: dict[tuple[Hex, LinkKind | None], Price] = {}
        self._ways: dict[Hex, list[Way | None]] = {}
        self.remembered: tuple[dict[Any, Any], dict[Any, Any], dict[Any, Any]] = {}, {}, {}
        """The route search's cached results (`route_search`), without and with reverse."""

    def rule(self, number: str) -> str:
        return ledger_row(self.charts.edition, number)

    # --- shared prices

    def changed_hexes(self) -> Collection[Hex]:
        """4.5.1.1.2 The hexes in which this ground differs from the bare one."""
        return self.smoke

    @cached_property
    def _near_changes(self) -> frozenset[Hex]:
        """The hexes where prices, within the hex or of steps out of it, may differ from those on the bare ground."""
        return frozenset(near for hex in self.changed_hexes() for near in (hex, *neighbours(hex)))

    def around(self, hex: Hex) -> Ground:
        """4.5.1.1.2 The ground that caches the prices in a hex and of the steps out of it."""
        return self if self.bare is None or hex in self._near_changes else self.bare

    # --- table lookups for this kind of movement

    def rows(self, hex: Hex) -> list[Terrain]:
        """4.5.1.1.2 The rows of the Terrain Effects Table that apply to a hex."""
        return self.charts.rows(self.board.terrain(hex))

    def cost_of(self, row: Terrain) -> Cost:
        """4.5.1.1.2 The cost of a terrain type."""
        return row.entry[self.traction]

    def level_cost(self, levels: int) -> Cost:
        """4.5.1.1.2 The surcharge for this many levels."""
        return self.charts.level_change_cost(levels, self.traction)

    def crossing(self, kind: str) -> Cost:
        """4.5.1.1.2 The surcharge for a kind of hexside."""
        return self.charts.hexside(kind).crossing[self.traction]

    def turn_value(self, hex: Hex) -> Cost:
        """4.5.1.1.4 The Turn value of a hex."""
        return dearest(row.turn for row in self.rows(hex))

    # --- entering

    def entering(self, origin: Hex, direction: int, mode: Mode = "cross") -> Price:
        """4.5.1.1.2 The cost of the next hex in a direction."""
        kept = self.around(origin)
        key = (origin, direction, mode)
        if key not in kept._entering:
            kept._entering[key] = kept._enter(origin, neighbour(origin, direction), mode)
        return kept._entering[key]

    def _enter(self, origin: Hex, target: Hex, mode: Mode) -> Price:
        link = self.board.link(origin, target)
        if link:
            items = [self._along(target, link, mode), *self._gaps(origin, target, link)]
        else:
            items = [*self._across(origin, target), *self._sides(origin, target)]
        return price(*items, *self._smoke(target))

    def off_the_link(self, origin: Hex, direction: int) -> Price:
        """4.5.1.1.11 The cost of the same hex for a vehicle that does not benefit from its track."""
        target = neighbour(origin, direction)
        return price(self._terrain(target), *self._sides(origin, target), *self._smoke(target))

    def ways(self, hex: Hex) -> list[Way | None]:
        """4.5.1.1.2 The steps from a hex, indexed by direction from 1; None for a step that leads off the map."""
        kept = self.around(hex)
        if hex not in kept._ways:
            kept._ways[hex] = [None, *(kept._way(hex, direction) for direction in range(1, 7))]
        return kept._ways[hex]

    def _way(self, hex: Hex, direction: int) -> Way | None:
        target = neighbour(hex, direction)
        if not self.board.is_on_map(target):
            return None
        total = self.entering(hex, direction).total
        link = self.board.link(hex, target)
        if link != "track":
            return Way(target, link, total)
        return Way(target, link, total, saving(self.off_the_link(hex, direction).total, total))

    # --- cross-country

    def _across(self, origin: Hex, target: Hex) -> list[Item]:
        """R-14 The hex's most expensive terrain; 4.5.1.1.6 a bridge cannot be entered or left from the side."""
        if self.board.is_bridge(origin) or self.board.is_bridge(target):
            return [Item("4.5.1.1.6", "a bridge is entered and left along its road or path only", PROHIBITED)]
        return [self._terrain(target)]

    def _terrain(self, hex: Hex) -> Item:
        """4.5.1.1.2 The row of the Terrain Effects Table that decides the cost of a hex."""
        row = self._dearest_row(hex)
        cost = self.cost_of(row)
        if cost == PROHIBITED:
            why = f"{row.name} is closed to {self.movers}"
            return Item(self.rule("4.5.1.1.2/prohibited"), why, PROHIBITED)
        return Item("4.5.1.1.2", row.name, cost)

    def _dearest_row(self, hex: Hex) -> Terrain:
        rows = self.rows(hex)
        cost = dearest(map(self.cost_of, rows))
        return next(row for row in rows if self.cost_of(row) == cost)

    def _sides(self, origin: Hex, target: Hex) -> list[Item]:
        """4.5.1.1.2 Change of level and everything on the hexside."""
        levels = self._levels(origin, target)
        return [*self._climb(levels), *self._obstacles(origin, target, levels)]

    def _levels(self, origin: Hex, target: Hex) -> int:
        """R-15 Levels of the surrounding ground: the banks of a gully are included in its row."""
        return abs(self.board.level(origin) - self.board.level(target))

    def _climb(self, levels: int) -> list[Item]:
        """4.5.1.1.2 The change of level over slope or crest, up or down alike."""
        cost = self.level_cost(levels)
        if cost == PROHIBITED:
            return [self._too_steep(levels)]
        return [Item("4.5.1.1.2/slope-crest", _count(levels, "level"), cost)] if levels else []

    def _too_steep(self, levels: int) -> Item:
        why = f"{_count(levels, 'level')} at once is too steep for {self.movers}"
        return Item(self.rule("4.5.1.1.2/level-limit"), why, PROHIBITED)

    def _obstacles(self, origin: Hex, target: Hex, levels: int) -> list[Item]:
        """4.5.1.1.2 Walls, hedgerows, defilade, crests between equal levels (A-82), hill edges without slope."""
        items = []
        for kind in self.board.side(origin, target):
            row = self.charts.hexside(kind)
            cost = self.crossing(kind)
            if cost == 0 or (row.level_only and levels):
                continue
            closed = f"{self.movers} cannot cross this hexside: {row.name}"
            items.append(Item(self.rule(HEXSIDE_RULES[kind]), closed if cost == PROHIBITED else row.name, cost))
        return items

    def _smoke(self, hex: Hex) -> list[Item]:
        """4.5.1.1.2 Brew-up smoke in the hex entered; it takes effect at once, even when just made."""
        if hex not in self.smoke:
            return []
        return [Item("4.5.1.1.2/brew-up-smoke", "brew-up smoke", self.charts.smoke.enter)]

    # --- along a path, road or track

    def _along(self, hex: Hex, link: LinkKind, mode: Mode) -> Item:
        """4.5.1.1.5 A hex entered along a link costs the same on any terrain, at either rate (A-29)."""
        row = self.charts.links[link]
        terrain = self._dearest_row(hex)
        if link == "track":
            return Item("4.5.1.1.11", row.name, row.cost)
        if self.cost_of(terrain) == PROHIBITED:
            return Item(self.rule("4.5.1.1.5/prohibited-hex"), f"{row.name} through {terrain.name}", row.cost)
        rule = "4.5.1.1.5" if mode == "road" else self.rule("4.5.1.1.5/cross-country-on-road")
        return Item(rule, row.name, row.cost)

    def _gaps(self, origin: Hex, target: Hex, link: LinkKind) -> list[Item]:
        """4.5.1.1.5 Changes of level cost less along a link; links pass walls and hedgerows through gaps (R-14)."""
        levels = self._levels(origin, target)
        cost = self.level_cost(levels)
        if cost == PROHIBITED:  # the limit is the actual difference
            return [self._too_steep(levels)]
        what = _count(levels, "level")
        if not levels and "crest" in self.board.side(origin, target):
            cost, what = self.crossing("crest"), "Crest"
        if not isinstance(cost, int) or cost == 0:
            return []
        row = self.charts.links[link]
        rule = self.rule("4.5.1.1.5/height") if row.less else "4.5.1.1.2/slope-crest"
        return [Item(rule, f"{what} along the {row.name.lower()}", max(0, cost - row.less))]

    # --- turning, leaving, entering

    def turning(self, hex: Hex, link: LinkKind | None) -> Price:
        """4.5.1.1.4 The Turn value of the hex, or of the vehicle's link (R-16), and smoke (A-83)."""
        kept = self.around(hex)
        key = (hex, link)
        if key not in kept._turning:
            kept._turning[key] = kept._turn(hex, link)
        return kept._turning[key]

    def _turn(self, hex: Hex, link: LinkKind | None) -> Price:
        value = self.charts.links[link].turn if link else self.turn_value(hex)
        links = self.board.links(hex)
        if value == PROHIBITED and links:  # it can only be on the road here
            value = self.charts.links[links[0][1]].turn
        items = [Item("4.5.1.1.4", "turn of more than one hexside", value)]
        if value == PROHIBITED:
            items = [Item("4.5.1.1.4", f"there is no room to turn in {hex_name(hex)}", PROHIBITED)]
        if hex in self.smoke:
            items.append(Item("4.5.1.1.2/brew-up-smoke", "brew-up smoke", self.charts.smoke.turn))
        return price(*items)

    def leaving(self, hex: Hex, direction: int, mode: Mode = "cross") -> Price:
        """4.5.1.1.9 The cost of leaving the map: that of entering the last hex, along a link if any (A-32)."""
        link = self.board.link(hex, neighbour(hex, direction))
        if link:
            return price(self._along(hex, link, mode))
        if self.board.is_bridge(hex):
            return price(Item("4.5.1.1.6", "a bridge is entered and left along its road or path only", PROHIBITED))
        return price(self._terrain(hex))

    def coming_in(self, hex: Hex, facing: int, mode: Mode = "cross") -> Price:
        """2.0 The cost of entering the map, as if from an outside hex at the same level (R-02)."""
        return price(*self.leaving(hex, opposite(facing), mode).items, *self._smoke(hex))

    def coming_in_off_the_link(self, hex: Hex) -> Price:
        """4.5.1.1.11 The cost of entering the map for a vehicle that does not benefit from its track."""
        return price(self._terrain(hex), *self._smoke(hex))


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
