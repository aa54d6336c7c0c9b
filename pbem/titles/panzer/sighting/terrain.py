"""6.1.4 Terrain of the advanced game: heights, cover, hull down, and hindrances on a line of fire.

    5.11          hindrances, Hindrance; settle
    6.1.4.1       hull_down_against
    6.1.4.2       may_take_full_cover, full_cover_objections
    6.1.4.3       board_now: the map with works dug and terrain destroyed; features_in
    6.1.4.3.1     interior_of, is_inside, up_of, height_of
    6.1.4.3.5     burns
    6.1.4.3.13    sun_blinds, explain_sun
    6.5.4.2.2     cover_of, explain_cover, overhead_cover

Only hidden features are secret here: the caller passes the state or view it may use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from pbem.engine.geometry.hexes import Hex, Side, centre, distance, dot, hex_name, hexside, line, opposite, towards
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.ap.shot_basics import smokes
from pbem.titles.panzer.cards.basic_rows import Cover, SpottingColumn
from pbem.titles.panzer.cards.board import Board, Edge
from pbem.titles.panzer.cards.chart_rows import Interior
from pbem.titles.panzer.cards.charts import Charts, best_cover
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sighting.line_of_sight import smoke_hexes
from pbem.titles.panzer.sighting.stacking import loses_cover, stacking
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Cloud, Feature, HullDown, Inside, PanzerState, Unit

Purpose = Literal["spotting", "ap", "gp"]
"""The use of cover: against spotting (4.1.3) or AP fire (4.4.3.2.2), or for GP defence and fire (6.5.4.2.2)."""

IMPROVED_POSITION: Final = "improved_position"
ENTRENCHMENT: Final = "hasty_entrenchment"
ON_FIRE: Final = "on_fire"
DITCH: Final = "ditch"
BLOCK: Final = "block"
ROOFTOP: Final = "rooftop"
BUILDING_RUBBLE: Final = ("wood_rubble", "brick_rubble", "stone_rubble")
BRIDGE_RUBBLE: Final = "bridge_rubble"
RUBBLE: Final = (*BUILDING_RUBBLE, BRIDGE_RUBBLE, "position_rubble")
CHANGES_GROUND: Final = (DITCH, *BUILDING_RUBBLE, BRIDGE_RUBBLE)
"""6.1.4.3 The features that change the height and terrain of their hex."""


def place_of(unit: Unit) -> Hex:
    """The hex of a unit on the map; a passenger is in its carrier's."""
    assert unit.hex is not None, f"{unit.id} is not on the map"
    return unit.hex


# --- 6.1.4.3 the current map -----------------------------------------------------------------------------------


def features_in(state: PanzerState, hex: Hex) -> list[Feature]:
    """6.1.4.3 The counters in a hex."""
    return [feature for feature in state.features.values() if feature.hex == hex]


def has_feature(state: PanzerState, hex: Hex, *types: str) -> bool:
    """6.1.4.3 Whether a counter of one of these types is in a hex."""
    return any(feature.hex == hex and feature.type in types for feature in state.features.values())


def board_now(situation: Situation) -> Board:
    """6.1.4.3.4, 6.1.4.3.9 The map as it is now: with ditches dug, without destroyed buildings and bridges."""
    data, features = situation.data, situation.state.features
    if not features:
        return data.board
    changes = [(feature.hex, feature.type) for feature in features.values() if feature.type in CHANGES_GROUND]
    if not changes:
        return data.board
    return _change_board(data.board, id(data.charts), _Charts(data.charts), tuple(sorted(changes)))


class _Charts:
    """Wraps charts so that they do not count in a cache key, which already contains their identity."""

    def __init__(self, charts: Charts) -> None:
        self.charts = charts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Charts)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=64)
def _change_board(board: Board, _identity: int, table: _Charts, changes: tuple[tuple[Hex, str], ...]) -> Board:
    terrain: dict[Hex, tuple[str, ...]] = {}
    for hex, type in changes:
        terrain[hex] = _after(table.charts, terrain.get(hex, board.terrain(hex)), type)
    return board.with_terrain(terrain, table.charts)


def _after(charts: Charts, types: tuple[str, ...], change: str) -> tuple[str, ...]:
    """6.1.4.3 The terrain of a hex after a ditch was dug, or a building or bridge destroyed."""
    if change == DITCH:
        return (*types, DITCH)
    if change == BRIDGE_RUBBLE:
        left = tuple(name for name in types if name != "bridge")
    else:
        left = tuple(name for name in types if not charts.terrain(name).per_storey)
    return left or ("clear",)


# --- 6.1.4.3.1 buildings ---------------------------------------------------------------------------------------


def interior_of(situation: Situation, hex: Hex) -> Interior | None:
    """6.1.4.3.1 The interior of a hex's buildings; None once they are destroyed."""
    data = situation.data
    terrain = board_now(situation).terrain(hex)
    return next((data.advanced.interiors[name] for name in terrain if name in data.advanced.interiors), None)


def is_inside(situation: Situation, unit: Unit) -> bool:
    """6.1.4.3.1 Whether a unit is inside a building: leg units always; others after entering, or by the scenario.

    Otherwise a unit is in the alley.
    """
    if unit.hex is None or unit.aboard or interior_of(situation, unit.hex) is None:
        return False
    return unit.kind == "leg" or unit.inside is not Inside.NO


def is_on_roof(situation: Situation, unit: Unit) -> bool:
    """6.1.4.3.1 Whether a leg unit is on the roof: it is if it is up in a desert building."""
    return unit.inside is Inside.UP and situation.data.scenario.desert_buildings and is_inside(situation, unit)


def is_under_a_roof(situation: Situation, unit: Unit) -> bool:
    """6.7.3.1.1, 6.7.4.1.1 Whether a unit is inside a building and not on its roof, where the sky is visible."""
    return is_inside(situation, unit) and not is_on_roof(situation, unit)


def highest_floor(situation: Situation, hex: Hex) -> int:
    """6.1.4.3.1 How many levels above the ground a leg unit may go: to the top floor, or in the desert the roof."""
    if interior_of(situation, hex) is None:
        return 0
    storeys = situation.data.board.storeys(hex)
    return storeys if situation.data.scenario.desert_buildings else storeys - 1


def up_of(situation: Situation, unit: Unit) -> int:
    """6.1.4.3.1 How many levels above the ground of its hex a unit is (A-85)."""
    if unit.inside is not Inside.UP or unit.hex is None or unit.aboard:
        return 0
    return highest_floor(situation, unit.hex)


def height_of(situation: Situation, unit: Unit) -> int:
    """4.1.4.2, 6.1.4.3.1 The height of a unit for spotting, line of sight and the angle of a shot."""
    return board_now(situation).ground(place_of(unit)) + up_of(situation, unit)


# --- 5.11 hindrances on a line of fire ---------------------------------------------------------------------------


class Hindrance(NamedTuple):
    """5.11 A source of smoke, fire, barrage or dust on a line. `kind` is the `when` of its modifier rows."""

    kind: str
    where: str
    """The first hex on the line where the hindrance applies."""
    source: str
    """The single cloud, burning hex or brewed-up wreck that causes the hindrance."""


HINDRANCE_RULES: Final[Mapping[str, str]] = {
    "on_fire": "6.1.4.3.5",
    "smoke_open": "6.1.4.3.10",
    "smoke_closed": "6.1.4.3.10",
    "barrage_open": "6.1.4.3.10",
    "barrage_closed": "6.1.4.3.10",
    "brew_up_smoke": "4.1.4.1.9",
    "dust": "6.1.4.3.12",
}


def hindrances(situation: Situation, start: Hex, end: Hex, *, fresh: bool = False) -> list[Hindrance]:
    """5.11, 6.5.2.4 The hindrances on the line from the firer's hex to the target's, both included.

    In each hex only the source with the largest modifier applies, and each source only once, however many of its
    hexes the line meets. Sources made in the current step are left out, except for observers (`fresh`, A-77).
    """
    data, state = situation.data, situation.state
    if not (state.wrecks or state.clouds or state.features):
        return []
    kept: dict[str, Hindrance] = {}

    def size(one: Hindrance) -> tuple[int, int]:
        return hindrance_size(data, one.kind)

    for hex in smoke_hexes(start, end):
        present = list(_hindering(situation, hex, fresh))
        if present:
            present.sort(key=lambda one: one.source)  # equal ones: the same from both ends
            largest = max(present, key=size)
            kept[largest.source] = max(kept.get(largest.source, largest), largest, key=size)
    return list(kept.values())


def _hindering(situation: Situation, hex: Hex, fresh: bool) -> Iterator[Hindrance]:
    state = situation.state
    if not situation.data.board.is_on_map(hex):
        return
    name = hex_name(hex)
    if burns(state, hex):
        yield Hindrance("on_fire", name, f"fire {name}")
    for cloud in state.clouds.values():
        if cloud.type != "light" and hex in cloud.hexes and (fresh or not cloud.fresh):
            source = f"dust {name}" if cloud.type == "dust" else _source(state, cloud)  # each dusty hex is one
            yield Hindrance(hindrance_kind(cloud), name, source)
    wreck = state.wrecks.get(name)
    if wreck is not None and smokes(wreck):
        yield Hindrance("brew_up_smoke", name, f"wreck {name}")


def _source(state: PanzerState, cloud: Cloud) -> str:
    """A-77 A mission's barrage, or its smoke, is one occurrence, even if its firers have different patterns."""
    of_mission = (one.id for one in state.clouds.values() if (one.mission, one.type) == (cloud.mission, cloud.type))
    return next(of_mission) if cloud.mission else cloud.id


def burns(state: PanzerState, hex: Hex) -> bool:
    """6.1.4.3.5 Whether a hex was on fire before the current step."""
    return any(
        feature.hex == hex and feature.type == ON_FIRE and not feature.fresh for feature in state.features.values()
    )


def hindrance_kind(cloud: Cloud) -> str:
    """6.5.2.4 A cloud's row in the modifier charts; all smoke from on-map units is closed."""
    return cloud.type if cloud.type == "dust" else f"{cloud.type}_{'open' if cloud.open else 'closed'}"


def hindrance_size(data: PanzerData, kind: str) -> tuple[int, int]:
    """5.11 The size of the modifiers for AP and for GP fire; both rank the kinds in the same order."""
    ap = (*data.advanced.modifiers["ap"], *data.charts.ap_hit_modifiers)
    charts = (ap, data.advanced.modifiers["gp"])
    first, second = (next((-row.value for row in rows if row.when == kind), 0) for rows in charts)
    return first, second


def explain_hindrance(data: PanzerData, hindrance: Hindrance) -> Finding:
    """6.1.4.3.5, 6.1.4.3.10, 6.1.4.3.12 A hindrance does not block, but its modifiers apply to fire through it."""
    ap, gp = hindrance_size(data, hindrance.kind)
    inputs = {"what": hindrance.kind, "where": hindrance.where, "source": hindrance.source}
    return Finding(HINDRANCE_RULES[hindrance.kind], inputs=inputs, result={"ap": -ap, "gp": -gp})


def explain_hindrances(situation: Situation, start: Hex, end: Hex) -> Finding:
    """5.11 All hindrances on a line, each with its modifiers."""
    data = situation.data
    found = hindrances(situation, start, end)
    inputs = {"from": hex_name(start), "to": hex_name(end)}
    children = [explain_hindrance(data, hindrance) for hindrance in found]
    if data.scenario.sun is not None:
        children.append(explain_sun(data, start, end))
    return Finding("5.11", inputs=inputs, result=[hindrance.kind for hindrance in found], children=tuple(children))


def settle(state: PanzerState) -> None:
    """6.1.4.3.10 At the end of a step, everything created in it takes effect."""
    for wreck in state.wrecks.values():
        wreck.fresh = False
    for cloud in state.clouds.values():
        cloud.fresh = False
    for feature in state.features.values():
        feature.fresh = False


# --- 6.5.4.2.2 cover -------------------------------------------------------------------------------------------


def position_of(state: PanzerState, unit: Unit) -> Feature | None:
    """6.1.4.3.6, 6.1.4.3.7 The finished entrenchment or improved position that a unit occupies."""
    position = state.features.get(unit.position) if unit.position else None
    return position if position is not None and position.hex == unit.hex else None


def in_improved_position(state: PanzerState, unit: Unit) -> bool:
    """6.1.4.3.7 Whether a unit occupies an improved position."""
    position = position_of(state, unit)
    return position is not None and position.type == IMPROVED_POSITION


def is_entrenched(situation: Situation, unit: Unit) -> bool:
    """6.1.4.3.6 Whether a unit occupies a finished hasty entrenchment."""
    position = position_of(situation.state, unit)
    finished = situation.data.advanced.number("entrench_turns")
    return position is not None and position.type == ENTRENCHMENT and position.stage >= finished


def cover_of(situation: Situation, unit: Unit, purpose: Purpose) -> Cover:
    """4.1.3, 4.4.3.2.2, 6.5.4.2.2 The cover a unit has where it is."""
    _, cover, lost = _rule_and_cover(situation, unit, purpose)
    return Cover.NONE if lost else cover


def explain_cover(situation: Situation, unit: Unit, purpose: Purpose) -> Finding:
    """4.1.3, 6.5.4.2.2 A unit's cover, under the rule that gives it."""
    data, state = situation.data, situation.state
    hex = place_of(unit)
    inputs: dict[str, Any] = {"unit": unit.id, "hex": hex_name(hex), "against": purpose}
    rule, cover, lost = _rule_and_cover(situation, unit, purpose)
    if lost:
        rule = data.cite("5.13")
        crowd = stacking(state, data.charts, hex, rule)
        return Finding(rule, inputs={**inputs, "cover": cover.value}, result=Cover.NONE, children=(crowd,))
    return Finding(rule, inputs=inputs, result=cover)


def _rule_and_cover(situation: Situation, unit: Unit, purpose: Purpose) -> tuple[str, Cover, bool]:
    """4.1.3, 6.5.4.2.2 A rule, the cover it gives the place of a unit, and whether overstacking removes it."""
    data, state = situation.data, situation.state
    if in_improved_position(state, unit):  # 6.1.4.3.7
        row = data.advanced.features[IMPROVED_POSITION]
        return "6.1.4.3.7", row.spotting.value if purpose == "spotting" else row.combat.value, False
    rule, cover = _cover_of_place(situation, unit, place_of(unit), purpose)
    return rule, cover, cover is not Cover.NONE and loses_cover(state, data.charts, unit)  # 3.8, 5.13


def _cover_of_place(situation: Situation, unit: Unit, hex: Hex, purpose: Purpose) -> tuple[str, Cover]:
    """6.1.4.3 The cover of the roof, the building's interior, or the hex with its counters."""
    if is_on_roof(situation, unit):
        roof = situation.data.advanced.features[ROOFTOP]
        return "6.1.4.3.1", roof.spotting.value if purpose == "spotting" else roof.combat.value
    interior = interior_of(situation, hex)
    if interior is not None and is_inside(situation, unit):
        return "6.1.4.3.1", interior.spotting.value if purpose == "spotting" else interior.combat.value
    ground = hex_cover(situation, hex, purpose)
    rule, added = _counter_cover(situation, unit, hex, purpose)
    best = best_cover((ground, added))
    if best is not ground:
        return rule, best
    return ("6.1.4.3.4" if DITCH in board_now(situation).terrain(hex) else _COVER_RULES[purpose]), best


_COVER_RULES: Final[Mapping[Purpose, str]] = {"spotting": "4.1.3", "ap": "4.4.3.2.2", "gp": "6.5.4.2.2"}
_FEATURE_RULES: Final[Mapping[str, str]] = {BLOCK: "6.1.4.3.3"} | dict.fromkeys(RUBBLE, "6.1.4.3.9")


def hex_cover(situation: Situation, hex: Hex, purpose: Purpose) -> Cover:
    """4.1.3, 6.5.4.2.2 The terrain's cover for a unit in the hex; for a building hex, that of its alleys."""
    data = situation.data
    terrain = board_now(situation).terrain(hex)
    if purpose == "spotting":
        return data.charts.spotting_cover(terrain)
    if purpose == "ap":
        return data.charts.ap_cover(terrain)
    return data.advanced.gp_cover(row.id for row in data.charts.rows(terrain))


def _counter_cover(situation: Situation, unit: Unit, hex: Hex, purpose: Purpose) -> tuple[str, Cover]:
    """6.1.4.3.3, 6.1.4.3.9 The cover of blocks and rubble; a block covers leg units only."""
    data = situation.data
    found = [("", Cover.NONE)]
    for feature in features_in(situation.state, hex) if situation.state.features else ():
        row = data.advanced.features.get(feature.type)
        if row is None or feature.type not in _FEATURE_RULES or (feature.type == BLOCK and unit.kind != "leg"):
            continue
        cover = row.spotting.value if purpose == "spotting" else row.combat.value
        if cover is not Cover.OTHER:
            found.append((_FEATURE_RULES[feature.type], cover))
    return max(found, key=lambda pair: _ORDER.index(pair[1])) if len(found) > 1 else found[0]


_ORDER: Final = (Cover.NONE, Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY)


def overhead_cover(situation: Situation, unit: Unit) -> Cover:
    """6.5.4.3 Cover from indirect fire and aircraft: only inside brick or stone, or in improved positions."""
    data, state = situation.data, situation.state
    if in_improved_position(state, unit):
        return data.advanced.features[IMPROVED_POSITION].combat.value
    interior = interior_of(situation, place_of(unit))
    if interior is None or not is_inside(situation, unit) or is_on_roof(situation, unit):
        return Cover.NONE
    return Cover.NONE if loses_cover(state, data.charts, unit) else interior.overhead.value


# --- 6.1.4.1 hull down -----------------------------------------------------------------------------------------


def hull_down_against(situation: Situation, target: Unit, start: Hex, up: int = 0) -> tuple[HullDown, Finding]:
    """6.1.4.1 Whether a vehicle is hull down, partially hull down or neither against AP fire from a hex.

    `up` is the firer's height above the ground of its hex. If there are several reasons, hull down takes precedence.
    """
    inputs = {"target": target.id, "from": hex_name(start)}
    if target.kind != "vehicle" or not situation.data.plays("hull_down"):
        return HullDown.NONE, Finding("6.1.4.1", inputs=inputs, result=HullDown.NONE.value)
    reasons = list(_hull_down_reasons(situation, target, start, up))
    status = max((status for status, _ in reasons), key=_HULL_DOWN_ORDER.index, default=HullDown.NONE)
    children = tuple(reason for _, reason in reasons)
    return status, Finding("6.1.4.1", inputs=inputs, result=status.value, children=children)


_HULL_DOWN_ORDER: Final = (HullDown.NONE, HullDown.PHD, HullDown.HD)


def _hull_down_reasons(situation: Situation, target: Unit, start: Hex, up: int) -> Iterator[tuple[HullDown, Finding]]:
    """6.1.4.1.1, 6.1.4.1.2, 6.1.4.1.3 Every reason that applies to this line of fire."""
    data = situation.data
    hex = place_of(target)
    if in_improved_position(situation.state, target):
        if faces_position(target, start):
            status = HullDown.PHD if target.hull_down is HullDown.PHD else HullDown.HD
            yield _reason("6.1.4.3.7", status, open=target.open_angle)
    elif target.hull_down is not HullDown.NONE and faces_search(target, start):
        rule = "6.1.4.1.1" if target.hull_down is HullDown.HD else "6.1.4.1.2"
        yield _reason(rule, target.hull_down, open=search_angle(target))
    interior = interior_of(situation, hex)
    if interior is not None and interior.hull_down.value and is_inside(situation, target):
        yield _reason("6.1.4.3.1", HullDown.HD, building=interior.id)
    for kind in sorted({kind for _, kind in protecting_sides(data, hex, start)}):
        yield _reason("6.1.4.3.2", HullDown.HD, hexside=kind)
    terrain = board_now(situation).terrain(hex)
    if any(data.advanced.terrains[name].partial.value for name in terrain):
        yield _reason("6.1.4.1.2/railroad-track", HullDown.PHD, terrain=list(terrain))
    above = height_of(situation, target) - board_now(situation).ground(start) - up
    if above > 0 and distance(start, hex) <= above:
        yield _reason("6.1.4.1.3", HullDown.PHD, above=above, range=distance(start, hex))


def _reason(rule: str, status: HullDown, **inputs: Any) -> tuple[HullDown, Finding]:
    return status, Finding(rule, inputs=inputs, result=status.value)


def faces_position(target: Unit, start: Hex) -> bool:
    """6.1.4.3.7 Whether fire comes from any angle but the open one; a line between two angles is not open."""
    return towards(place_of(target), start) != (target.open_angle,)


def search_angle(target: Unit) -> int:
    """6.6.9 The middle of the angles that a searched position leaves open: the rear, or the front if backed in."""
    return target.open_angle or opposite(target.facing)


def faces_search(target: Unit, start: Hex) -> bool:
    """6.6.9 Whether fire comes from an angle that the position protects.

    The rear and rear/side are open or, if the unit has backed in, the front and front/side.
    """
    return dot(place_of(target), start, search_angle(target)) <= 0


def protecting_sides(data: PanzerData, hex: Hex, start: Hex) -> list[tuple[Side, str]]:
    """6.1.4.3.2 The walls and defilades of a hex that fire from another hex crosses or follows (A-52)."""
    if start == hex:
        return []
    own = frozenset(hexside(hex, direction) for direction in range(1, 7))
    return [
        (side, kind)
        for side in line(start, hex).sides
        if side in own
        for kind in data.board.features(side)
        if data.advanced.hexsides[kind].hull_down.value and kind in data.charts.hexsides
    ]


# --- 6.1.4.2 full cover ----------------------------------------------------------------------------------------


def full_cover_objections(situation: Situation, unit: Unit) -> Iterator[Objection]:
    """6.1.4.2 Reasons why a unit cannot take full cover."""
    if not situation.data.plays("full_cover"):
        yield Objection("AG", say("full cover is not in use in this match"))
    if unit.kind == "vehicle":
        yield Objection("6.1.4.2", say("vehicles cannot take full cover"))
    elif not unit.alive:
        yield Objection("6.1.4.2", say("the unit is not on the map"))
    elif unit.aboard:
        yield Objection("6.1.4.2", say("the unit is being transported"))
    elif not allows_full_cover(situation, place_of(unit)):
        yield Objection("6.1.4.2", say("there is no full cover in {place_of}", place_of=hex_name(place_of(unit))))


def allows_full_cover(situation: Situation, hex: Hex) -> bool:
    """6.1.4.2 Whether full cover is possible in a hex; it is not on bridges, in fords or in streams."""
    data = situation.data
    return all(data.advanced.terrains[name].full_cover.value for name in board_now(situation).terrain(hex))


# --- 6.5.2.4 heat haze, 6.1.4.3.13 sun blinding ------------------------------------------------------------------


def heat_haze(data: PanzerData, target: Unit, hexes: int) -> bool:
    """6.5.2.4, 6.5.4.3 Whether heat haze affects this target at this range, if the scenario has it."""
    return data.scenario.heat_haze and hexes >= data.advanced.number(f"heat_haze_{size_letter(data, target)}")


def size_letter(data: PanzerData, unit: Unit) -> SpottingColumn:
    """6.1.3 The spotting column: V for vehicles and passengers, L or S by a gun's card, S for leg units."""
    if unit.kind == "vehicle" or unit.aboard:
        return "V"
    return "L" if unit.kind == "towed" and data.towed(unit).size.value == "L" else "S"


def sun_blinds(data: PanzerData, start: Hex, end: Hex) -> bool:
    """6.1.4.3.13 Whether the line, extended beyond the target, leaves the map where the sun is (A-86)."""
    sun = data.scenario.sun
    return sun is not None and start != end and sun.edge in edges_beyond(data.board, start, end)


def explain_sun(data: PanzerData, start: Hex, end: Hex) -> Finding:
    """6.1.4.3.13 Explain where the line leads, and whether the sun is there; the scenario sets the modifiers."""
    edges = edges_beyond(data.board, start, end) if start != end else ()
    inputs = {"from": hex_name(start), "to": hex_name(end), "edges": list(edges)}
    return Finding("6.1.4.3.13", inputs=inputs, result=sun_blinds(data, start, end))


def edges_beyond(board: Board, start: Hex, end: Hex) -> tuple[Edge, ...]:
    """6.1.4.3.13 The edge where an extended line leaves the map; both edges at a corner."""
    a, b = centre(start), centre(end)
    du, dv = b.u - a.u, b.v - a.v
    us = [centre(hex).u for hex in (board.hexes[0], board.hexes[-1])]
    vs = [hex.y for hex in board.hexes]
    to_side = abs((us[1] + 2 if du > 0 else us[0] - 2) - a.u)
    to_end = abs((max(vs) + 1 if dv > 0 else min(vs) - 1) - a.v)
    sideways: Edge = "east" if du > 0 else "west"
    endways: Edge = "south" if dv > 0 else "north"
    first, second = to_side * abs(dv), to_end * abs(du)  # compares to_side / du with to_end / dv
    if first == second:
        return (endways, sideways)
    return (sideways,) if first < second else (endways,)
