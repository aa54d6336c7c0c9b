"""4.5.1.1, 5.13 The positions of other units that matter to a moving unit.

A move needs this at every step, while no other unit moves. The last result is cached, and reused as long as
everything it was computed from is unchanged.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final, NamedTuple

from pbem.engine.geometry.hexes import Hex
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.obstacles.narrow_roads import PUSHED
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Kind, Status, Unit

ABANDONED: Final = "an abandoned vehicle"


class Standing(NamedTuple):
    """The fields that decide whether and how a unit obstructs another. All their values are immutable."""

    hex: Hex | None
    status: Status
    aboard: str
    flags: tuple[str, ...]
    side: str
    kind: Kind
    card: str
    bailed_out: bool


standing: Final = attrgetter(*Standing._fields)


class Occupation(NamedTuple):
    """4.5.1.1.10, 5.13 The hexes of all other units on the ground, as seen by one side."""

    others: dict[Hex, int]
    """5.13 Vehicles and guns in each hex."""
    hostile: frozenset[Hex]
    """Enemy leg units and guns."""
    vehicles: frozenset[Hex]
    """Enemy vehicles."""
    enemies: frozenset[Hex]
    in_the_way: dict[Hex, str]
    """4.5.1.1.5, 6.6.4.1 A description of the unit that denies the path and road rate in each hex."""


class _Last(NamedTuple):
    """The last occupation computed, and everything it was computed from."""

    data: PanzerData
    side: str
    rows: list[tuple[Any, ...]]
    found: Occupation


_last: list[_Last] = []


def occupation_around(situation: Situation, unit: Unit) -> Occupation:
    """4.5.1.1 The hexes occupied by all units except this one."""
    data, view = situation.data, situation.state
    rows = list(map(standing, view.vehicles.values()))
    if unit.id in view.vehicles:
        del rows[list(view.vehicles).index(unit.id)]
    known = _last[0] if _last else None
    if known is not None and known.data is data and known.side == unit.side and known.rows == rows:
        return known.found
    found = occupation(data, rows, unit.side)
    _last[:] = [_Last(data, unit.side, rows, found)]
    return found


def occupation(data: PanzerData, rows: list[tuple[Any, ...]], side: str) -> Occupation:
    """4.5.1.1, 5.13 Where these units obstruct a side; passengers and units pushed aside (7.30) do not."""
    others: dict[Hex, int] = {}
    in_the_way: dict[Hex, str] = {}
    hostile: list[Hex] = []
    vehicles: list[Hex] = []
    on_map = Status.ON_MAP
    for hex, status, aboard, flags, whose, kind, card, bailed_out in rows:
        if hex is None or status is not on_map or aboard or (flags and PUSHED in flags):
            continue
        if kind != "leg":
            others[hex] = others.get(hex, 0) + 1
        if whose != side:
            (vehicles if kind == "vehicle" else hostile).append(hex)
        if (kind != "vehicle" or bailed_out) and (what := hindrance(data, kind, card, bailed_out)):
            in_the_way[hex] = what
    enemies = frozenset((*hostile, *vehicles))
    return Occupation(others, frozenset(hostile), frozenset(vehicles), enemies, in_the_way)


def hindrance(data: PanzerData, kind: Kind, card: str, bailed_out: bool) -> str:
    """4.5.1.1.5, 6.6.4.1 Abandoned vehicles (2024), unlimbered guns, and units on motorcycles, bicycles or horses."""
    if kind == "towed":
        return "an unlimbered gun"
    if kind == "leg":
        mount = data.book.legs[card].mount
        return "" if mount == "foot" else f"a {mount} unit"
    return ABANDONED if bailed_out and data.charts.switch("abandoned_denies_road_rate") else ""
