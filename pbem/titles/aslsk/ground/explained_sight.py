"""3.2.1 A line of sight with its explanation, including Smoke and vehicles in addition to terrain.

    3.2.1/algorithm   sight: terrain, standing vehicles and wrecks, Smoke
    explanation       Sight, Obstacle, Hindered, Thread; words, finding, objections

Lines over terrain alone are in `line_of_sight`. The answer is the same in both directions, except that fire out of a
Smoke hex is hindered by 1 more (1.2.5).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.ground.lattice import Point

if TYPE_CHECKING:
    from pbem.titles.aslsk.ground.terrain import Ground

ObstacleKind = Literal["building", "woods", "hill", "orchard"]
HindranceKind = Literal["orchard", "grain", "brush", "vehicle", "smoke", "own smoke"]

OBSTACLE_RULES: Final[dict[ObstacleKind, str]] = {
    "building": "1.1.1.2",
    "woods": "1.1.1.4",
    "hill": "1.1.1.10",
    "orchard": "1.1.1.6",
}
HINDRANCE_RULES: Final[dict[HindranceKind, str]] = {
    "orchard": "1.1.1.6",
    "grain": "1.1.1.8",
    "brush": "1.1.1.9",
    "vehicle": "7.4.1",
    "smoke": "1.2.5",
    "own smoke": "1.2.5",
}
MOST_SMOKE: Final = 3
"""1.2.5 The maximum total DRM of several Smoke counters in one hex."""
NO_SMOKE: Final[dict[str, int]] = {}


class Obstacle(msgspec.Struct, frozen=True):
    """3.2.1 An obstacle that blocks a line of sight."""

    hexes: tuple[str, ...]
    kind: ObstacleKind
    rule: str
    why: str


class Hindered(msgspec.Struct, frozen=True):
    """3.2.1 A hindrance on a line of sight, with its DRM."""

    hexes: tuple[str, ...]
    kind: HindranceKind
    value: int
    rule: str


class Thread(msgspec.Struct, frozen=True):
    """3.2.1 The sighting thread from centre dot to centre dot, for drawing."""

    start: Point
    end: Point
    hexes: tuple[str, ...] = ()
    """The hexes in between that the thread crosses, follows or touches, in order."""
    stop: int = -1
    """Where the thread is first blocked, in thousandths of its length; -1 if it is clear."""


class Sight(msgspec.Struct, frozen=True):
    """3.2.1 The line of sight from one hex to another."""

    a: str
    b: str
    clear: bool
    terrain: int
    """The hindrance from terrain, vehicles and wrecks."""
    smoke: int
    """The hindrance from Smoke."""
    obstacles: tuple[Obstacle, ...]
    hindrances: tuple[Hindered, ...]
    thread: Thread
    on_road: tuple[str, ...] = ()
    """1.1.1.7 Orchards in between that the line passes on their road: they neither block nor hinder."""

    @property
    def hindrance(self) -> int:
        """3.2.1 The total DRM of all hindrances."""
        return self.terrain + self.smoke


def sight(
    ground: Ground,
    a: str,
    b: str,
    smoke: Mapping[str, int] = NO_SMOKE,
    vehicles: Collection[str] = (),
) -> Sight:
    """3.2.1/algorithm The line of sight from a to b, including Smoke and vehicles on the map.

    `smoke` gives the DRM of each Smoke hex; `vehicles` lists the hexes with a stationary AFV or wreck (7.4.1).
    """
    plain = ground.sight(a, b)
    if not plain.clear or not (smoke or vehicles):
        return plain
    hindrances = list(plain.hindrances)
    if vehicles and a != b:
        hindrances = list(_with_vehicles(ground, plain, vehicles))
    smoky = [*_smoke(ground, a, b, smoke)] if smoke else []
    return msgspec.structs.replace(
        plain,
        terrain=sum(part.value for part in hindrances),
        smoke=sum(part.value for part in smoky),
        hindrances=(*hindrances, *smoky),
    )


def _with_vehicles(ground: Ground, plain: Sight, vehicles: Collection[str]) -> Iterator[Hindered]:
    """3.2.1/algorithm Add vehicles to the terrain hindrance of each hex; a pair of hexes counts once, with the
    larger sum.
    """
    present = {hex for group in ground.vehicle_hexes(plain.a, plain.b) for hex in group if hex in vehicles}
    if not present:
        yield from plain.hindrances
        return
    terrain = {hex: part for group in ground.sights.values(plain.a, plain.b) for hex, part in group.items()}
    for group in ground.smoke_hexes(plain.a, plain.b):
        total = {hex: (terrain[hex][1] if hex in terrain else 0) + (hex in present) for hex in group}
        best = max(total, key=total.__getitem__)
        if best in terrain:
            yield hindrance_by((best,), *terrain[best])
        if best in present:
            yield hindrance_by((best,), "vehicle", 1)


def _smoke(ground: Ground, a: str, b: str, smoke: Mapping[str, int]) -> Iterator[Hindered]:
    """1.2.5 The hindrance of Smoke: in between, in the target's hex, and in the firer's hex (1 more for firing out
    of it).
    """
    if here := min(smoke.get(a, 0), MOST_SMOKE):
        yield hindrance_by((a,), "own smoke", here + (a != b))  # range 0: counted once, without the extra 1
    if a == b:
        return
    for group in ground.smoke_hexes(a, b):
        worst = max(group, key=lambda hex: smoke.get(hex, 0))
        if value := min(smoke.get(worst, 0), MOST_SMOKE):
            yield hindrance_by((worst,), "smoke", value)
    if there := min(smoke.get(b, 0), MOST_SMOKE):
        yield hindrance_by((b,), "smoke", there)


def hindrance_by(hexes: tuple[str, ...], kind: HindranceKind, value: int) -> Hindered:
    """3.2.1 A hindrance with the rule it comes from."""
    return Hindered(hexes, kind, value, HINDRANCE_RULES[kind])


def words(found: Sight) -> str:
    """3.2.1 The line of sight in one sentence."""
    if not found.clear:
        why = "; ".join(f"{obstacle.why} ({obstacle.rule})" for obstacle in found.obstacles)
        return f"{found.a} to {found.b}: blocked by {why}"
    if not found.hindrances:
        return f"{found.a} to {found.b}: clear"
    parts = ", ".join(f"{part.kind} in {'/'.join(part.hexes)} +{part.value}" for part in found.hindrances)
    return f"{found.a} to {found.b}: clear, hindrance +{found.hindrance} ({parts})"


INHERENT = ("orchard", "smoke")
"""def/inherent-terrain The kinds of terrain that fill their whole hex."""


def finding(found: Sight) -> Finding:
    """3.2.1/algorithm The line of sight as a finding: the hexes on it, the obstacles, the hindrances."""
    ends = Finding("def/center-hex-dot", inputs={"from": found.a, "to": found.b})
    parts = [Finding("3.2.1/trace", result=found.thread.hexes, children=(ends,))]
    blocking = {part: _part(part.rule, part.hexes, part.kind, "blocked") for part in found.obstacles}
    shown = tuple(item for part, item in blocking.items() if part.kind != "orchard")
    if shown:
        at = {"thousandths": found.thread.stop}
        parts.append(Finding("3.2.1/depiction-test", inputs=at, result="blocked", children=shown))
    if found.on_road:
        spared = (_part("1.1.1.7", found.on_road, "orchard", 0),)
        inputs = {"hexes": found.on_road}
        parts.append(Finding("3.2.1/road-cover", inputs=inputs, result="on the road", children=spared))
    parts += [item for part, item in blocking.items() if part.kind == "orchard"]
    parts += [_part(part.rule, part.hexes, part.kind, part.value) for part in found.hindrances]
    whole = [part.hexes for part in found.obstacles if part.kind in INHERENT]
    whole += [part.hexes for part in found.hindrances if part.kind in INHERENT]
    if whole:
        inherent = tuple(dict.fromkeys(hex for hexes in whole for hex in hexes))
        parts.append(Finding("def/inherent-terrain", inputs={"hexes": inherent}))
    if not found.clear:
        parts.append(Finding("def/blind-hex", inputs={"hex": found.b}))
    return Finding(
        "3.2.1/algorithm",
        inputs={"from": found.a, "to": found.b, "hindrance": found.hindrance},
        result="clear" if found.clear else "blocked",
        children=tuple(parts),
    )


def _part(rule: str, hexes: tuple[str, ...], kind: str, result: int | str) -> Finding:
    return Finding(rule, inputs={"hexes": hexes, "kind": kind}, result=result)


def objections(found: Sight) -> list[Objection]:
    """3.2.1 The reasons why there is no line of sight, one for each obstacle; none if the line is clear."""
    return [
        Objection(part.rule, say("{why} blocks the line of sight to {b}", why=part.why, b=found.b))
        for part in found.obstacles
    ]
