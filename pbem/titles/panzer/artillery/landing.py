"""6.5.1.13 Fire that lands: patterns become barrages, smoke or light, firers are marked, ammunition runs short.

6.5.1.13     land, cover; end_mission, clear_mission
5.16.2       ammo_limit, basic_limit
6.5.1        mark_firer, show_counter
7.28.2       note_mission
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pbem.engine.geometry.hexes import Hex
from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.artillery_options import (
    illuminate,
)
from pbem.titles.panzer.artillery.barrage import attack_pattern
from pbem.titles.panzer.artillery.calls import (
    Call,
    pattern,
)
from pbem.titles.panzer.artillery.observers import (
    Firer,
)
from pbem.titles.panzer.cards.ammunition import supply
from pbem.titles.panzer.cards.basic_rows import RangeFactor
from pbem.titles.panzer.command.command_control import reveal
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.actions import mark_fire, spend_fire
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting.spotting import lose_camouflage_by_firing
from pbem.titles.panzer.state import (
    Cloud,
    Command,
    Landed,
    Marker,
    Mission,
    PanzerState,
    Unit,
)


def show_counter(table: Table[PanzerState], vehicle: Unit) -> Finding:
    """4.2.1, 6.2.1.1.3 Turn the counter face up for all units sharing it; a Short Halt shows its Fire half (3.4)."""
    group = reveal(table.state, vehicle)
    assert vehicle.command is not None
    shared = {"shared": [member.id for member in group]} if len(group) > 1 else {}
    half = [Finding("3.4", inputs={"unit": vehicle.id}, result="fire-half")]
    return Finding(
        ledger_row(table.data.edition, "4.2.1/secrecy"),
        inputs={"unit": vehicle.id, "command": vehicle.command.value, **shared},
        result="revealed",
        children=tuple(half if vehicle.command is Command.SHORT_HALT else ()),
    )


def end_mission(state: PanzerState, mission: Mission) -> None:
    """6.5.1.9 Remove the mission's counter and barrage; its smoke stays until it fades (6.8.4)."""
    clear_mission(state, mission)
    del state.missions[mission.id]


def clear_mission(state: PanzerState, mission: Mission) -> None:
    """6.1.4.3.10 End the barrage of the mission's last fire."""
    for cloud in [
        cloud for cloud in state.clouds.values() if cloud.mission == mission.id and cloud.type == "barrage"
    ]:
        del state.clouds[cloud.id]


def leave_clouds(state: PanzerState, mission: Mission) -> None:
    """6.1.4.3.10, 7.27 Smoke and light at a mission's old point are no longer renewed and will fade."""
    for cloud in state.clouds.values():
        if cloud.mission == mission.id and cloud.type != "barrage":
            cloud.mission = ""


# --- 6.5.1.13 resolution ----------------------------------------------------------------


def land(
    table: Table[PanzerState],
    mission: Mission,
    firer: Firer,
    aimed: Call,
    column: tuple[RangeFactor, int] | None,
    hexes: int | None,
) -> Step:
    """6.5.1.13 Apply one firer's fire: GP on every unit in the pattern, or smoke.

    Results apply at once (4.4.1): a unit that stray shells have destroyed or driven out meanwhile does not fire.
    """
    state: PanzerState = table.state
    if firer.unit is not None and (not firer.unit.alive or firer.unit.bailed_out):
        mission.firers = tuple(id for id in mission.firers if id != firer.id)
        return [Finding("6.5.1.7/response", inputs={"firer": firer.id}, result="used-up")]
    covered = pattern(table.data, firer, aimed.point, aimed.sheaf, aimed.direction)
    findings = list(mark_firer(table, firer))
    note_mission(state, mission, firer)  # 7.28.2
    if aimed.type != "gp":
        limited = ammo_limit(table, firer, "S" if aimed.type == "smoke" else "I", planned=mission.planned)
        findings += [limited] if limited else []
        if limited is not None and limited.result == "limited":
            return findings
    if column is None:
        return findings
    landed = Landed(
        firer=firer.id, point=aimed.point, hexes=covered, factor=column[1], column=column[0],
        open=aimed.sheaf == "open" and firer.off_map, small_arms=firer.fire.small_arms,
        effectiveness=0 if firer.fire.small_arms else int(firer.fire.effectiveness.value),
    )  # fmt: skip
    findings += battery_finding(table.data, firer)
    inputs = {"firer": firer.id, "range": hexes, "column": column[0], "factor": column[1], "type": aimed.type}
    if aimed.type == "gp":
        limited = basic_limit(table, firer)
        findings += [limited] if limited else []
        if limited is not None and limited.result == "limited":
            landed.limited = True
        mission.landed = (*mission.landed, landed)
        cover(state, mission, "barrage", covered, landed.open)
        attacks: Finding = yield from attack_pattern(table, mission, landed)
        findings.append(Finding("6.5.1.13", inputs=inputs, result="landed", children=(attacks,)))
    else:
        mission.landed = (*mission.landed, landed)
        if aimed.type == "smoke":
            cover(state, mission, "smoke", covered, landed.open)
        else:
            findings.append(illuminate(state, mission, covered))  # 7.27
        findings.append(Finding("6.5.1.13", inputs=inputs, result=aimed.type))
    return findings


def fire_into_the_void(table: Table[PanzerState], mission: Mission, firer: Firer) -> list[Finding]:
    """7.26 Fire that scatters off the map is lost, but it marks the unit that fired, and a battery can be located."""
    note_mission(table.state, mission, firer)  # 7.28.1
    return list(mark_firer(table, firer))


def note_mission(state: PanzerState, mission: Mission, firer: Firer) -> None:
    """7.28.2 Count the turns in a row for which a battery has fired the same mission."""
    battery = firer.battery
    if battery is not None:
        same = mission.started < state.turn and battery.landed_in == state.turn - 1
        battery.same_mission = battery.same_mission + 1 if same else 1
        battery.landed_in = state.turn


def battery_finding(data: PanzerData, firer: Firer) -> Iterator[Finding]:
    """5.3 Off-map batteries mark their hexes with an impact counter; their fire is resolved like any other."""
    if firer.battery is not None:
        row = data.book.batteries[firer.battery.card].row
        yield Finding("5.3", inputs={"battery": firer.id, "card": row.name}, result=row.class_)


def cover(
    state: PanzerState, mission: Mission, type: Literal["smoke", "barrage"], hexes: tuple[Hex, ...], open: bool
) -> None:
    """6.1.4.3.10 Cover the pattern with smoke or a barrage, extending and renewing the mission's existing one.

    A battery's open sheaf and the single hex of a unit on the map that fires with it are two clouds.
    """
    own = (cloud for cloud in state.clouds.values() if cloud.mission == mission.id)
    if cloud := next((cloud for cloud in own if (cloud.type, cloud.open) == (type, open)), None):
        cloud.hexes = tuple(dict.fromkeys((*cloud.hexes, *hexes)))
        cloud.marker = Marker.ON
        return
    cloud = Cloud(id=state.new_id("c"), type=type, hexes=hexes, open=open, owner=mission.side, mission=mission.id)
    state.clouds[cloud.id] = cloud


def mark_firer(table: Table[PanzerState], firer: Firer) -> Iterator[Finding]:
    """6.5.1 A unit on the map reveals its Fire command and gets a Spot/Fire marker (SA for small arms) at once."""
    unit = firer.unit
    if unit is None:
        return
    spend_fire(table.state, unit)
    mark = mark_fire(table.state, unit, small_arms=firer.small_arms)
    yield show_counter(table, unit)
    yield Finding(ledger_row(table.data.edition, "4.4.1/spot-fire"), inputs={"unit": unit.id}, result=mark.result)
    if lost := lose_camouflage_by_firing(table, unit):  # 7.24
        yield lost


def ammo_limit(table: Table[PanzerState], firer: Firer, letter: str, *, planned: bool) -> Finding | None:
    """5.16.2.3, 5.16.2.5 Check the limit on smoke and illumination; on a higher roll nothing lands this turn."""
    limit = firer.limits.get(letter)
    if limit is None or not table.data.plays("ammo_limits"):
        return None
    die = table.roll(10, "5.16.2.3", firer.known_as)
    result = "limited" if die > limit else "available"
    rule = "5.16.2.5" if firer.off_map else "5.16.2.3"
    children = [Finding("6.5.1.11.4", result=result)] if planned else []
    inputs = {"firer": firer.id, "limit": limit, "ammo": letter}
    return Finding(rule, inputs=inputs, dice=(die,), result=result, children=tuple(children))


def basic_limit(table: Table[PanzerState], firer: Firer) -> Finding | None:
    """5.16.2.1, 5.16.2.4 Basic ammunition limit of a unit on the map; batteries have no limit (5.16.2.5)."""
    if firer.unit is None or "basic" not in firer.limits or not table.data.plays("ammo_limits"):
        return None
    supplied = supply(table, firer.unit)
    if supplied.result:
        return supplied
    die = table.roll(10, "5.16.2.1", firer.known_as)
    result = "limited" if die > firer.limits["basic"] else "available"
    return Finding("5.16.2.1", inputs={"firer": firer.id, "limit": firer.limits["basic"]}, dice=(die,), result=result)
