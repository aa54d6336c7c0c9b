"""6.5.1.4, 6.5.1.11.1, 6.7.1, 7.31.1 Secret plots before the first turn: points, planned fire, loads, mines.

2.0          plot_step (ask `plot`): check_plot, plot_options
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name, parse_hex
from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.artillery.calls import type_objections
from pbem.titles.panzer.artillery.observers import firer_of
from pbem.titles.panzer.artillery.planned_fire import plot_objections
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.setup.mine_laying import MINE_KINDS, MINES, is_contiguous, mine_objections
from pbem.titles.panzer.setup.scenario import FeatureRow
from pbem.titles.panzer.setup.scenario_reader import (
    CLOSED_TO_FEATURES,
    FREE_OF_TERRAIN,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    Leg,
    PanzerState,
    PlannedFire,
)

FACINGS: Final = range(1, 7)
CHOICES: Final = 50
"""The maximum number of plots, or of set-ups, listed as options for a side."""
COMPLETE: Final = 4
"""6.6.8 The stage at which an entrenchment is finished."""
LOADS: Final = ("bombs", "rockets")


# --- 6.5.1.4, 6.5.1.11, 6.7.1 plots ----------------------------------------------------------------------------


class Mission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """6.5.1.11.1 A planned mission in an answer; each leg is hex, type, sheaf and direction."""

    battery: str
    turn: int
    legs: tuple[tuple[str, str, str, int], ...]


class Plot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A side's answer to the ask `plot`."""

    registered: dict[str, tuple[str, ...]] = {}
    planned: tuple[Mission, ...] = ()
    loads: dict[str, str] = {}
    features: dict[str, tuple[str, int]] = {}
    mines: dict[str, str] = {}
    """7.31 The kind of mines in a field, where the scenario leaves it open."""


def plot_step(table: Table[PanzerState]) -> Step:
    """6.5.1.4, 6.5.1.11.1, 6.7.1 Before units are placed, sides with something to plot do so, sealed."""
    data, state = table.data, table.state
    asks = [
        Ask(side, "plot", "2.0", about=plots(data, side), default={}, grade="order")
        for side in state.sides
        if plots(data, side)
    ]
    answers = (yield Together(tuple(asks))) if asks else ()
    plotted = {ask.seat: msgspec.convert(answer, Plot) for ask, answer in zip(asks, answers, strict=True)}
    for side, plot in plotted.items():
        carry_out(table, side, plot)
    for side in state.sides:
        lay_mines(table, side, plotted.get(side, Plot()))  # 7.31.1
    table.then("deployment_step", side=state.sides[0])


def plots(data: PanzerData, side: str) -> dict[str, Any]:
    """Everything a side may plot under the scenario, which is public."""
    scenario = data.scenario
    batteries = [row for row in scenario.batteries if row.side == side]
    found = {
        "registered": {row.id: row.registered_points for row in batteries if row.registered_points},
        "planned": {row.id: row.planned_turns for row in batteries if row.planned_turns},
        "loads": [row.id for row in scenario.aircraft if row.side == side and has_choice(data, row.card)],
        "features": [row.id for row in scenario.features if row.side == side and row.area],
        "mines": sorted({row.field for row in scenario.features if row.side == side and row.field and not row.of}),
    }
    return {key: value for key, value in found.items() if value}


def has_choice(data: PanzerData, card: str) -> bool:
    """6.7.1 Whether an aircraft's load can be chosen: only if its card has both bombs and rockets."""
    aircraft = data.book.aircraft[card]
    return aircraft.bombs is not None and aircraft.rockets is not None


def carry_out(table: Table[PanzerState], side: str, plot: Plot) -> None:
    """6.5.1.4, 6.5.1.11.1, 6.7.1 Record the plots for their owner only."""
    state = table.state
    for id, hexes in sorted(plot.registered.items()):
        state.batteries[id].registered = hexes
        table.find("6.5.1.4", to=(side,), inputs={"battery": id}, result=list(hexes))
    for number, mission in enumerate(sorted(plot.planned, key=lambda mission: mission.turn), start=1):
        id = f"{mission.battery}p{number}"  # not a counter that the enemy sees
        legs = tuple(leg_of(leg) for leg in mission.legs)
        state.planned[id] = PlannedFire(id=id, side=side, battery=mission.battery, turn=mission.turn, legs=legs)
        inputs = {"battery": mission.battery, "turn": mission.turn, "legs": [list(leg) for leg in mission.legs]}
        table.find("6.5.1.11.1", to=(side,), inputs=inputs, result=id)
    for id, load in sorted(plot.loads.items()):
        state.aircraft[id].load = load  # type: ignore[assignment]  # checked
        table.find("6.7.1", to=(side,), inputs={"aircraft": id}, result=load)
    for id, (name, facing) in sorted(plot.features.items()):
        state.features[id].hex, state.features[id].facing = parse_hex(name), facing
        table.find("6.1.4.3", to=state.features[id].known, inputs={"feature": id}, result=name)


def lay_mines(table: Table[PanzerState], side: str, plot: Plot) -> None:
    """7.31.1 Record each field: where it is, how it was laid, and what it attacks. It never moves."""
    state = table.state
    for field, rows in fields_of(table.data, side).items():
        for row in rows:
            state.features[row.id].of = plot.mines.get(field, row.of or "both")
        laid = [state.features[row.id] for row in rows]
        inputs = {"field": field, "hexes": [hex_name(one.hex) for one in laid], "laid": laid[0].type}
        table.find("7.31.1", to=laid[0].known, inputs=inputs, result=laid[0].of)


def fields_of(data: PanzerData, side: str) -> dict[str, list[FeatureRow]]:
    """7.31.1 The hexes of each of a side's minefields."""
    found: dict[str, list[FeatureRow]] = {}
    for row in data.scenario.features:
        if row.side == side and row.field:
            found.setdefault(row.field, []).append(row)
    return found


def leg_of(leg: tuple[str, str, str, int]) -> Leg:
    point, type, sheaf, direction = leg
    return msgspec.convert(
        {"point": msgspec.to_builtins(parse_hex(point)), "type": type, "sheaf": sheaf, "direction": direction}, Leg
    )


def check_plot(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.5.1.4, 6.5.1.11.1, 6.7.1 Return the plot in canonical form, or refuse everything illegal."""
    data = situation.data
    try:
        plot = msgspec.convert(answer, Plot)
        for mission in plot.planned:
            for leg in mission.legs:
                leg_of(leg)
    except (msgspec.ValidationError, ValueError) as error:
        raise Unreadable(
            "plot", [Objection("2.0", say("this plot could not be read: {error}", error=error))], ["{}"]
        ) from error
    refusals = [
        *registered_refusals(data, ask.seat, plot),
        *planned_refusals(situation, ask.seat, plot),
        *load_refusals(data, ask.seat, plot),
        *feature_refusals(data, ask.seat, plot),
    ]
    refusals += mine_refusals(data, ask.seat, plot) if not refusals else []
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return msgspec.to_builtins(plot)


def registered_refusals(data: PanzerData, side: str, plot: Plot) -> Iterator[Refusal]:
    """6.5.1.4 Refuse more points than the scenario allows, and points off the map."""
    most: dict[str, int] = plots(data, side).get("registered", {})
    for id, names in sorted(plot.registered.items()):
        objections = []
        if id not in most:
            objections.append(Objection("6.5.1.4", say("the scenario gives this battery no registered points")))
        elif len(names) > most[id]:
            objections.append(
                Objection(
                    "6.5.1.4",
                    say(
                        "the battery can have {most} registered points, not {names}", most=most[id], names=len(names)
                    ),
                )
            )
        objections += [
            Objection("6.5.1.4", say("{name} is registered twice", name=name))
            for name in dict.fromkeys(names)
            if names.count(name) > 1
        ]
        objections += [
            Objection("1.2", say("{name} is not on the map", name=name)) for name in names if not is_hex(data, name)
        ]
        if objections:
            yield Illegal(f"registered {id}", objections, sorted(most))


def is_hex(data: PanzerData, name: str) -> bool:
    try:
        return data.board.is_on_map(parse_hex(name))
    except ValueError:
        return False


def planned_refusals(situation: Situation, side: str, plot: Plot) -> Iterator[Refusal]:
    """6.5.1.11.1 Refuse planned fire beyond the scenario's limits, or without a turn between a battery's missions."""
    data = situation.data
    most: dict[str, int] = plots(data, side).get("planned", {})
    free: dict[str, int] = {}
    used: dict[str, int] = {}
    for mission in sorted(plot.planned, key=lambda mission: (mission.battery, mission.turn)):
        id, legs = mission.battery, tuple(leg_of(leg) for leg in mission.legs)
        objections = [*plot_objections(data, id, mission.turn, legs)] if id in most else []
        if firer := firer_of(situation, id):
            types = dict.fromkeys(leg.type for leg in legs)
            objections += [one for type in types for one in type_objections(data, firer, type)]
        if id not in most:
            objections.append(Objection("6.5.1.11", say("the scenario gives this battery no planned fire")))
        used[id] = used.get(id, 0) + len(legs)
        if id in most and used[id] > most[id]:
            objections.append(
                Objection("6.5.1.11", say("the battery has only {most} turns of planned fire in all", most=most[id]))
            )
        if mission.turn < free.get(id, 0):
            why = say("the battery's previous mission keeps it busy until turn {free}", free=free[id])
            objections.append(Objection("6.5.1.11.1", why))
        free[id] = mission.turn + len(legs) + data.advanced.number("planned_rest")
        if objections:
            yield Illegal(f"planned {id} {mission.turn}", objections, sorted(most))


def load_refusals(data: PanzerData, side: str, plot: Plot) -> Iterator[Refusal]:
    """6.7.1 Refuse a load other than bombs or rockets, or for an aircraft that cannot carry either."""
    own: list[str] = plots(data, side).get("loads", [])
    for id, load in sorted(plot.loads.items()):
        if id not in own:
            yield Illegal(
                f"load {id}",
                [Objection("6.7.1", say("you have no aircraft of that name with a choice of load"))],
                own,
            )
        elif load not in LOADS:
            yield Illegal(
                f"load {id}",
                [Objection("6.7.1", say("the aircraft can carry bombs or rockets, not {load}", load=load))],
                LOADS,
            )


def feature_refusals(data: PanzerData, side: str, plot: Plot) -> Iterator[Refusal]:
    """6.1.4.3 Refuse a feature outside its area, or where the terrain forbids it."""
    own = {row.id: row for row in data.scenario.features if row.side == side and row.area}
    for id, (name, facing) in sorted(plot.features.items()):
        objections = []
        if id not in own:
            objections.append(Objection("6.1.4.3", say("you have no such feature to place")))
        elif not is_hex(data, name):
            objections.append(Objection("1.2", say("{name} is not on the map", name=name)))
        else:
            objections += feature_objections(data, own[id], parse_hex(name))
        if facing not in FACINGS:
            objections.append(Objection("3.3", say("{facing} is not a hexside", facing=facing)))
        if objections:
            yield Illegal(f"{id} {name}", objections, sorted(own))


def mine_refusals(data: PanzerData, side: str, plot: Plot) -> Iterator[Refusal]:
    """7.31.1 Refuse a field that must be contiguous and is not, and a kind that is missing or not left open."""
    open_fields: list[str] = plots(data, side).get("mines", [])
    for field, kind in sorted(plot.mines.items()):
        if field not in open_fields:
            yield Illegal(
                field,
                [Objection("7.31", say("you have no minefield of that name with a choice of kind"))],
                open_fields,
            )
        elif kind not in MINE_KINDS:
            why = Objection("7.31", say("say whether the mines are against personnel, vehicles or both"))
            yield Illegal(f"{field} {kind}", [why], MINE_KINDS)
    for field, rows in fields_of(data, side).items():
        hexes = [parse_hex(plot.features[row.id][0]) if row.id in plot.features else row.hex for row in rows]
        moved = any(row.id in plot.features for row in rows)
        if moved and not rows[0].scattered and not is_contiguous(hexes):
            yield Illegal(field, [Objection("7.31.1", say("the hexes of a minefield must be connected"))])
        if moved and len(set(hexes)) < len(hexes):
            yield Illegal(field, [Objection("7.31.1", say("the hexes of a minefield must all be different"))])


def feature_objections(data: PanzerData, row: FeatureRow, hex: Hex) -> Iterator[Objection]:
    """6.1.4.3 Every objection to a feature in a hex."""
    if hex not in data.scenario.areas[row.area].hexes:
        yield Objection(
            "2.0", say("{hex} is not in the area of this feature, {area}", hex=hex_name(hex), area=row.area)
        )
    if row.type in MINES:
        others = [(other.type, other.hex) for other in data.scenario.features if other.type not in MINES]
        yield from mine_objections(data.board, others, hex)  # 7.31.1
    if row.type not in FREE_OF_TERRAIN and any(type in CLOSED_TO_FEATURES for type in data.board.terrain(hex)):
        yield Objection("6.1.4.3", say("the unit cannot enter the terrain in {hex}", hex=hex_name(hex)))


def plot_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """Yield the empty answer first, then random selections of plots."""
    data = situation.data
    yield {}
    hexes = data.board.hexes
    for number in range(CHOICES):
        choice = Choice("plot", ask.seat, number)
        plot = {
            "registered": {
                id: list(dict.fromkeys(hex_name(choice.one_of(hexes)) for _ in range(most)))
                for id, most in ask.about.get("registered", {}).items()
            },
            "planned": [
                {
                    "battery": id,
                    "turn": 1 + choice.below(data.scenario.turns),
                    "legs": [[hex_name(choice.one_of(hexes)), "gp", choice.one_of(("open", "closed")), 0]],
                }
                for id in ask.about.get("planned", {})
            ],
            "loads": {id: choice.one_of(LOADS) for id in ask.about.get("loads", [])},
        }
        yield {key: value for key, value in plot.items() if value}
