"""4.5.1.1, 5.13 The positions of other units that matter to a moving unit."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.engine.geometry.hexes import Hex
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.obstacles.narrow_roads import PUSHED
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Kind, Status, Unit

ABANDONED: Final = "an abandoned vehicle"


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


def occupation_around(situation: Situation, unit: Unit) -> Occupation:
    """4.5.1.1, 5.13 Where other units obstruct this one; passengers and units pushed aside (7.30) do not."""
    data, own, side = situation.data, unit.id, unit.side
    others: dict[Hex, int] = {}
    in_the_way: dict[Hex, str] = {}
    hostile: list[Hex] = []
    vehicles: list[Hex] = []
    on_map = Status.ON_MAP  # every move looks at all units
    for other in situation.state.vehicles.values():
        hex = other.hex
        if hex is None or other.status is not on_map or other.aboard or other.id == own:
            continue
        if (flags := other.flags) and PUSHED in flags:
            continue
        kind = other.kind
        if kind != "leg":
            others[hex] = others.get(hex, 0) + 1
        if other.side != side:
            (vehicles if kind == "vehicle" else hostile).append(hex)
        if (kind != "vehicle" or other.bailed_out) and (what := hindrance(data, kind, other.card, other.bailed_out)):
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
