"""7.26-7.28, 7.37 Optional rules of artillery and bombs.

    7.26         scatter: called fire that only just responds; bombs_scatter
    7.27         illuminate, is_lit
    7.28         counter battery: assets_of, counter_battery_fire, the ask `counter-battery`
    7.37         reconnaissance_objections: fire at a hex in which nothing has been spotted

Each is an optional rule; a match without the rule is unaffected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.geometry.hexes import Hex, distance, hex_name, neighbour
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.data_files import close_to
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.sighting.sight import sees
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    AircraftState,
    Battery,
    Cloud,
    Flight,
    Marker,
    Mission,
    PanzerState,
    Unit,
)

WORST: Final = ("none", "suppressed", "damaged", "shot-down")
"""7.26 Results of fire at an aircraft, mildest first."""


# --- 7.26 scatter --------------------------------------------------------------------------------------------


def scatter(
    table: Table[PanzerState], firer: str, known_as: str, point: Hex, margin: int
) -> tuple[Hex | None, Finding | None]:
    """7.26 Fire that barely makes its response roll lands one or two hexes off; beyond the map it is lost."""
    data: PanzerData = table.data
    if not data.plays("scatter") or margin != 0:
        return point, None
    die = table.roll(10, "7.26", known_as)
    hexes = next(row.hexes.value for row in data.advanced.scatter if row.first <= die <= row.last)
    landed, way = _shift(table, known_as, point, hexes)
    on_map = data.board.is_on_map(landed)
    inputs = {"firer": firer, "from": hex_name(point), "hexes": hexes, "direction": way}
    result = hex_name(landed) if on_map else "lost"
    return landed if on_map else None, Finding("7.26", inputs=inputs, dice=(die, way), result=result)


def _shift(table: Table[PanzerState], subject: str, point: Hex, hexes: int) -> tuple[Hex, int]:
    way = table.roll(6, "7.26", subject)
    for _ in range(hexes):
        point = neighbour(point, way)
    return point, way


def bombs_scatter(
    table: Table[PanzerState], aircraft: AircraftState, flight: Flight, hexes: tuple[Hex, ...]
) -> tuple[tuple[Hex, ...], Finding | None]:
    """7.26 Scatter bombs from medium or high altitude if guns fired at the aircraft near the release point."""
    data: PanzerData = table.data
    reach = data.advanced.number("bomb_scatter_hexes")
    near = [result for hex, result in flight.fired_on if distance(hex, flight.hex) <= reach]
    if not data.plays("scatter") or not near or flight.altitude == "low":
        return hexes, None
    worst = max(near, key=WORST.index)
    upto = next(row.upto.value for row in data.advanced.air.bomb_scatter if row.result == worst)
    die = table.roll(10, "7.26/bombs", aircraft.id)
    grade = data.advanced.grades[aircraft.grade].bomb_scatter.value
    total = die + grade
    inputs = {"aircraft": aircraft.id, "fire": worst, "grade": grade, "total": total, "upto": upto}
    if total > upto:
        return hexes, Finding("7.26/bombs", inputs=inputs, dice=(die,), result="on target")
    away = data.advanced.number(f"bomb_scatter_{flight.altitude}")
    moved, way = _shift(table, aircraft.id, hexes[0], away)
    shift = (moved.x - hexes[0].x, moved.y - hexes[0].y)
    shifted = tuple(Hex(hex.x + shift[0], hex.y + shift[1]) for hex in hexes)
    inputs |= {"from": hex_name(hexes[0]), "hexes": away, "direction": way}
    found = Finding("7.26/bombs", inputs=inputs, dice=(die, way), result=hex_name(moved))
    return tuple(hex for hex in shifted if data.board.is_on_map(hex)), found


# --- 7.27 illumination ---------------------------------------------------------------------------------------


def illuminate(state: PanzerState, mission: Mission, hexes: tuple[Hex, ...]) -> Finding:
    """7.27 Illuminate a closed sheaf; the light takes effect in the next step and fades like smoke."""
    same = (cloud for cloud in state.clouds.values() if cloud.mission == mission.id and cloud.type == "light")
    cloud = next(same, None)
    if cloud is None:
        cloud = Cloud(id=state.new_id("c"), type="light", hexes=hexes, owner=mission.side, mission=mission.id)
        state.clouds[cloud.id] = cloud
    cloud.marker, cloud.hexes = Marker.ON, hexes
    inputs = {"mission": mission.id, "hexes": [hex_name(hex) for hex in hexes]}
    return Finding("7.27", inputs=inputs, result="light")


def is_lit(state: PanzerState, hex: Hex) -> bool:
    """7.27 Whether a hex was illuminated before the current step."""
    return any(cloud.type == "light" and not cloud.fresh and hex in cloud.hexes for cloud in state.clouds.values())


# --- 7.28 counter battery ------------------------------------------------------------------------------------


def assets_of(state: PanzerState, side: str) -> list[Battery]:
    """7.28 A side's counter-battery assets that can still fire."""
    own = (battery for battery in state.batteries.values() if battery.side == side)
    return [battery for battery in own if battery.counter and not battery.knocked_out]


def located_by_fire(state: PanzerState, side: str) -> list[str]:
    """7.28.1 A side's batteries that have fired this turn, including (7.28.3) its counter-battery assets."""
    own = (battery for battery in state.batteries.values() if battery.side == side and not battery.knocked_out)
    return [battery.id for battery in own if battery.landed_in == state.turn]


def counter_battery_step(table: Table[PanzerState], side: str) -> Step:
    """7.28.1 After a side's fire, the opponent's assets try to find its batteries, each once a turn."""
    state: PanzerState = table.state
    opponent = state.enemy(side)
    if not table.data.plays("counter_battery"):
        return
    answers: list[str] = []
    for asset in assets_of(state, opponent):
        targets = located_by_fire(state, side)
        if not targets or asset.fired_in == state.turn:
            continue
        about = {"asset": asset.id, "targets": targets}
        chosen = yield Ask(opponent, "counter-battery", "7.28.1", subject=asset.id, about=about, default=targets[0])
        if chosen is not None:
            answers.append(asset.id)
            search_and_fire(table, asset, state.batteries[chosen])
    for id in answers:
        yield from answer_assets(table, side, state.batteries[id])


def answer_assets(table: Table[PanzerState], side: str, asset: Battery) -> Step:
    """7.28.3 An asset that has fired can be found by the other side's assets."""
    state: PanzerState = table.state
    for own in assets_of(state, side):
        if own.fired_in == state.turn or asset.knocked_out:
            continue
        about = {"asset": own.id, "targets": [asset.id]}
        chosen = yield Ask(side, "counter-battery", "7.28.3", subject=own.id, about=about, default=asset.id)
        if chosen is not None:
            search_and_fire(table, own, asset)


def search_and_fire(table: Table[PanzerState], asset: Battery, target: Battery) -> None:
    """7.28.2 Locate the battery with a d100 roll, then resolve the fire at it."""
    state, data = table.state, table.data
    asset.fired_in = asset.landed_in = state.turn
    limit = data.book.batteries[asset.card].row.located.value
    rows = [row for row in data.advanced.modifiers["counter_battery"] if _applies(data, asset, target, row.when)]
    die = table.roll(100, "7.28.2", asset.id, target.id)
    net = sum(row.value for row in rows)
    found = die + net <= limit
    told = [{"when": row.when, "text": row.text, "value": row.value, "rule": row.rule} for row in rows]
    inputs = {"asset": asset.id, "battery": target.id, "limit": limit, "net": net}
    result = "located" if found else "missed"
    located = Finding("7.28.2", inputs=inputs, modifiers=tuple(told), dice=(die,), result=result)
    children = [located, *([fire_at_battery(table, target)] if found else [])]
    rule = "7.28.3" if target.counter else "7.28.1"
    why = Finding(rule, inputs={"asset": asset.id, "battery": target.id}, result=str(children[-1].result))
    table.find("7.28", inputs={"side": asset.side}, result=why.result, children=[why, *children])


def _applies(data: PanzerData, asset: Battery, target: Battery, when: str) -> bool:
    """7.28.2 Whether a search modifier applies."""
    row = data.book.batteries[asset.card].row
    match when:
        case "same_mission":
            return target.same_mission >= row.turns.value
        case "self_propelled":
            return target.self_propelled
    year = data.scenario.date[:4]
    return row.nation == "soviet" and when == f"soviet_{year}"


def fire_at_battery(table: Table[PanzerState], target: Battery) -> Finding:
    """7.28.2 Suppress or damage the battery; a second damage knocks it out. 7.28.3 Assets ignore suppression."""
    die = table.roll(100, "7.28.2/results", target.id)
    result: str = next(row.result for row in table.data.advanced.optional.counter_battery if die <= row.upto)
    inputs = {"battery": target.id, "asset": target.counter, "damaged": target.damaged}
    if target.counter:
        result = "ignored" if result == "suppressed" else "ko"
    elif result == "damaged" and target.damaged:
        result = "ko"
    match result:
        case "suppressed":
            target.suppression = Marker.ON
        case "damaged":
            target.damaged = True
        case "ko":
            target.knocked_out = True
            drop_from_missions(table.state, target)
    return Finding("7.28.2/results", inputs=inputs, dice=(die,), result=result)


def drop_from_missions(state: PanzerState, battery: Battery) -> None:
    """7.28.2 Remove a knocked-out battery from the called missions; its planned missions end in the next turn."""
    for mission in (mission for mission in state.missions.values() if not mission.planned):
        mission.firers = tuple(id for id in mission.firers if id != battery.id)


def recover_batteries(table: Table[PanzerState]) -> None:
    """7.28.2 Suppressed batteries recover on a d100 roll once the marker shows its Off side."""
    limit = table.data.advanced.number("battery_recovery")
    for battery in table.state.batteries.values():
        if battery.suppression is Marker.OFF:
            die = table.roll(100, "7.28.2", battery.id)
            battery.suppression = Marker.NONE if die <= limit else Marker.OFF
            inputs = {"battery": battery.id, "upto": limit}
            result = "recovered" if die <= limit else "still-suppressed"
            table.find("7.28.2", inputs=inputs, dice=(die,), result=result)
        elif battery.suppression is Marker.ON:
            battery.suppression = Marker.OFF


def counter_battery_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """7.28.1 Offer every battery that has fired, or None."""
    yield from ask.about["targets"]
    yield None


def check_counter_battery(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """7.28.1 Accept one of the batteries that have fired, or None."""
    if answer is None:
        return None
    if not isinstance(answer, str):
        raise Unreadable("counter-battery", [Objection(ask.rule, say("name a battery"))], ask.about["targets"])
    if answer not in ask.about["targets"]:
        why = Objection(ask.rule, say("no battery with that name has fired this turn"))
        raise Illegal(answer, [why], close_to(answer, ask.about["targets"]))
    return answer


# --- 7.37 reconnaissance by fire -----------------------------------------------------------------------------


def reconnaissance_objections(
    situation: Situation,
    observer: Unit,
    point: Hex,
    firers: tuple[str, ...],
    sheaf: str,
    type: str,
) -> Iterator[Objection]:
    """7.37 Object unless an FO that sees the hex calls one off-map battery to fire GP in a closed sheaf."""
    if not situation.data.plays("reconnaissance_by_fire"):
        yield Objection("7.37", say("reconnaissance by fire is not in use in this match"))
        return
    if "fo" not in observer.labels:
        yield Objection("7.37", say("only an FO can call fire on a hex without a spotted enemy"))
    assert observer.hex is not None
    if not situation.data.board.is_on_map(point):
        yield Objection("7.37", say("{point} is not on the map", point=hex_name(point)))
    elif not sees(situation, observer, point):
        yield Objection(
            "7.37", say("{observer} has no line of sight to {point}", observer=observer.id, point=hex_name(point))
        )
    if len(firers) != 1 or firers[0] not in situation.state.batteries:
        yield Objection("7.37", say("call exactly one off-map battery"))
    if sheaf != "closed" or type != "gp":
        yield Objection("7.37", say("reconnaissance by fire must be GP fire in a closed sheaf"))
