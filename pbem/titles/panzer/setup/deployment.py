"""2.0 Preparation for an advanced match: the state before the first turn, secret plots, and the placing of units.

    2.0 R-02     initial_state: units of all kinds, features, batteries, aircraft
    6.5.1.4      plot_step: registered points, before any unit is placed
    6.5.1.11.1   plot_step: planned fire
    6.7.1        plot_step: the load of each aircraft
    6.1.4.3.8    plot_step: features that their owner places, such as mines
    2.0 R-02     deployment_step: side after side, each seeing what was placed before; check_deploy, deploy_options
    6.6.7        passengers start with their carriers, unless their owner puts them on the ground

Both sides plot at the same time, sealed. Plots stay secret until they show in play (`view`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name, parse_hex
from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.state import NextStep
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.basic_rows import PROHIBITED
from pbem.titles.panzer.cards.chart_rows import Feature as FeatureCard
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.end_of_turn.victory import note_occupants
from pbem.titles.panzer.sequence import begin
from pbem.titles.panzer.setup.plotting import CHOICES, COMPLETE, FACINGS
from pbem.titles.panzer.setup.scenario import AdvancedUnit, AircraftRow, BatteryRow, FeatureRow
from pbem.titles.panzer.setup.unit_checks import (
    BUILDINGS,
    POSITIONS,
    space,
    stands,
)
from pbem.titles.panzer.sighting.camouflage import CAMOUFLAGED
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    AircraftState,
    Battery,
    Damage,
    Feature,
    HullDown,
    Inside,
    Kind,
    Marker,
    Objective,
    PanzerState,
    Status,
    Unit,
)

ABOARD: Final = "aboard"
HIDDEN: Final = "hidden"
"""7.2 The flag of a unit that the enemy cannot see."""


# --- 2.0 the state before the first turn ---------------------------------------------------------------------


def initial_state(data: PanzerData, switches: tuple[str, ...] = ()) -> PanzerState:
    """2.0 The state according to the scenario; units with a choice of place are not placed yet (R-02)."""
    scenario = data.scenario
    state = PanzerState(
        vehicles={id: unit_of(data, data.rows[id]) for id in sorted(data.rows)},
        objectives={row.id: Objective(controller=row.controller) for row in scenario.objectives},
        sides=tuple(side.id for side in scenario.sides),
        switches=switches,
        phase=DEPLOYMENT,
        features={row.id: feature_of(row, scenario.sides) for row in scenario.features},
        batteries={row.id: battery_of(row) for row in scenario.batteries},
        aircraft={row.id: aircraft_of(data, row) for row in scenario.aircraft},
        next=NextStep("plot_step"),
    )
    for unit in state.vehicles.values():
        settle(Situation(data, state), unit)
    return state


def unit_of(data: PanzerData, row: AdvancedUnit) -> Unit:
    """R-02 A unit on the map if its place is fixed, otherwise held back until it is placed or enters."""
    waits = row.hex is None or bool(area_of(data, row))
    return Unit(
        id=row.id,
        side=row.side,
        card=row.card,
        name=row.name,
        kind=kind_of(data, row.card),
        hex=None if waits else row.hex,
        facing=row.facing or 1,
        status=Status.RESERVE if waits else Status.ON_MAP,
        entry_turn=row.turn,
        damage=damage_of(data, row),
        grade=row.grade,
        formation=row.formation,
        labels=row.labels,
        weapons=row.weapons,
        transport=row.transport,
        aboard=row.aboard,
        suppression=Marker.ON if row.suppressed else Marker.NONE,
        flags=tuple(
            word for word, is_so in ((HIDDEN, begins_hidden(data, row)), (CAMOUFLAGED, row.camouflaged)) if is_so
        ),
    )


def begins_hidden(data: PanzerData, row: AdvancedUnit) -> bool:
    """7.2.1 Whether the unit starts hidden by the scenario, with the rule in use; passengers follow carriers."""
    if not data.plays("hidden_units"):
        return False
    return row.hidden or (bool(row.aboard) and data.rows[row.aboard].hidden)


def damage_of(data: PanzerData, row: AdvancedUnit) -> Damage:
    """6.5.2.2.4 Damage at the start: to the hull; the 2016 book has only one kind of damage."""
    if not row.damaged:
        return Damage.NONE
    split = data.charts.switch("split_damage") and data.plays("hit_location")
    return Damage.HULL if split else Damage.WHOLE


def kind_of(data: PanzerData, card: str) -> Kind:
    """5.1, 5.2 The kind of unit that a card describes."""
    if card in data.book.vehicles:
        return "vehicle"
    return "towed" if card in data.book.towed else "leg"


def feature_of(row: FeatureRow, sides: Sequence[Any]) -> Feature:
    """6.1.4.3 A terrain counter; only its owner knows of a hidden one."""
    everybody = tuple(side.id for side in sides)
    return Feature(
        id=row.id,
        type=row.type,
        hex=row.hex,
        side=row.side,
        capacity=row.capacity,
        stage=COMPLETE if row.type == "hasty_entrenchment" else 0,
        facing=row.facing,
        of=row.of,
        defence=row.defence,
        known=(row.side,) if row.hidden else everybody,
    )


def battery_of(row: BatteryRow) -> Battery:
    """5.3 An off-map battery with nothing registered yet."""
    return Battery(
        id=row.id,
        name=row.name,
        side=row.side,
        card=row.card,
        formation=row.formation,
        attachment=row.attachment,
        counter=row.counter,
        self_propelled=row.self_propelled,
    )


def aircraft_of(data: PanzerData, row: AircraftRow) -> AircraftState:
    """5.4 An aircraft that has not yet appeared."""
    load = usual_load(data, row.card)
    return AircraftState(id=row.id, name=row.name, side=row.side, card=row.card, grade=row.grade, load=load)


def usual_load(data: PanzerData, card: str) -> Any:
    """6.7.1 An aircraft's default load: bombs before rockets, or guns only."""
    aircraft = data.book.aircraft[card]
    return "bombs" if aircraft.bombs else "rockets" if aircraft.rockets else ""


def settle(situation: Situation, unit: Unit) -> None:
    """6.1.4 Set cover, position and place in a building for a unit just set up, as its hex allows."""
    data = situation.data
    if unit.hex is None:
        return
    row = data.rows[unit.id]
    on_the_ground = not unit.aboard
    at_home = on_the_ground and unit.hex == row.hex
    unit.full_cover = row.full_cover and on_the_ground and allows_full_cover(data, unit.hex)
    unit.hull_down = HullDown(row.hull_down) if at_home else HullDown.NONE
    building = any(type in BUILDINGS for type in data.board.terrain(unit.hex))
    unit.inside = Inside(row.inside) if at_home and building else Inside.NO
    if on_the_ground and unit.kind != "vehicle":
        unit.dump = unit.hex  # 5.16.2.4
    if on_the_ground:
        occupy(situation.state, unit, row.position)


def allows_full_cover(data: PanzerData, hex: Hex) -> bool:
    """6.1.4.2 Whether full cover is possible in a hex."""
    rows = [data.advanced.terrains[type] for type in data.board.terrain(hex) if type in data.advanced.terrains]
    return all(row.full_cover.value for row in rows)


def occupy(state: PanzerState, unit: Unit, wanted: str) -> None:
    """6.1.4.3.6, 6.1.4.3.7 A unit set up in a hex with positions occupies one: the requested one, or a free one."""
    here = [
        feature
        for feature in state.features.values()
        if feature.type in POSITIONS and feature.hex == unit.hex and feature.side in ("", unit.side)
    ]
    for feature in sorted(here, key=lambda feature: feature.id != wanted):
        inside = [other for other in state.vehicles.values() if other.position == feature.id and other is not unit]
        fits = unit.kind != "vehicle" or feature.type == "improved_position"
        if fits and len(inside) < feature.capacity:
            unit.position, feature.holder = feature.id, unit.id
            unit.open_angle = (unit.facing + 2) % 6 + 1  # 6.1.4.3.7: the rear, as it was placed
            return


# --- 2.0 placing units in areas ------------------------------------------------------------------------------


def deployment_step(table: Table[PanzerState], side: str) -> Step:
    """2.0 One side places its units; units without an order stay where the scenario puts them (R-02)."""
    units = to_place(table.data, side)
    if units:
        answer = yield Ask(side, "deploy", "2.0", default={}, grade="order")
        place_units(table, units, answer)
    order = list(table.state.sides)
    later = order[order.index(side) + 1 :]
    if later:
        table.then("deployment_step", side=later[0])
        return
    note_occupants(table)  # being set up there counts for turn 1
    table.state.stage = 0
    if table.data.plays("turrets"):
        table.then("turrets_step")  # 7.8
        return
    if table.data.plays("hidden_units"):
        table.then("hiding_step")  # 7.2.2
        return
    begin(table)


def to_place(data: PanzerData, side: str) -> list[AdvancedUnit]:
    """R-02 The units with a set-up area, their own or their carrier's, ordered by id."""
    own = (unit for unit in data.scenario.units if unit.side == side and area_of(data, unit))
    return sorted(own, key=lambda unit: unit.id)


def area_of(data: PanzerData, unit: AdvancedUnit) -> str:
    """R-02 The unit's set-up area; for a passenger, its carrier's."""
    return data.rows[unit.aboard].area if unit.aboard else unit.area


def place_units(table: Table[PanzerState], units: Sequence[AdvancedUnit], answer: Mapping[str, Any]) -> None:
    """R-02 Place units at chosen places first, so that no default gets in the way; passengers last."""
    riders = {id: place[1] for id, place in answer.items() if place[0] == ABOARD}
    riders |= {unit.id: unit.aboard for unit in units if unit.aboard and unit.id not in answer}
    grounded = [unit for unit in units if unit.id not in riders]
    held = held_by_enemies(table.state, units[0].side)
    for unit in sorted(grounded, key=lambda unit: unit.id not in answer):
        name, facing = answer.get(unit.id, (None, unit.facing))
        place(table, unit, None if name is None else parse_hex(name), facing, held)
    for unit in units:
        if unit.id in riders:
            embark(table, unit, riders[unit.id])


def place(table: Table[PanzerState], row: AdvancedUnit, hex: Hex | None, facing: int, held: frozenset[Hex]) -> None:
    """R-02 Place a unit on the ground; if a hidden enemy is in the hex, in the nearest free one."""
    state = table.state
    unit = state.vehicles[row.id]
    if hex is None or any(placing_objections(table, row, hex, held)):
        hex = default_place(table, row, hex, held)
    unit.hex, unit.facing, unit.status, unit.aboard = hex, facing, Status.ON_MAP, ""
    settle(table, unit)
    inputs = {"unit": row.id, "area": row.area, "facing": facing}
    table.find("2.0", to=unit.audience, inputs=inputs, result=hex_name(hex))


def embark(table: Table[PanzerState], row: AdvancedUnit, carrier_id: str) -> None:
    """6.6.7 Put a passenger aboard its carrier."""
    unit, carrier = table.state.vehicles[row.id], table.state.vehicles[carrier_id]
    unit.hex, unit.facing, unit.status, unit.aboard = carrier.hex, carrier.facing, carrier.status, carrier.id
    if carrier.hidden and not unit.hidden:
        unit.flags = (*unit.flags, HIDDEN)  # 7.2.1
    table.find("6.6.7", to=unit.audience, inputs={"unit": row.id}, result=carrier.id)


def default_place(
    situation: Situation, unit: AdvancedUnit, near: Hex | None = None, held: frozenset[Hex] | None = None
) -> Hex:
    """R-02 The unit's place in the scenario, or the nearest legal hex in its area."""
    assert unit.hex is not None
    home = near or unit.hex
    if not any(placing_objections(situation, unit, home, held)):
        return home  # most are: the area need not be sorted
    area = sorted(hexes_of(situation.data, unit), key=lambda hex: distance(home, hex))
    return next((hex for hex in area if not any(placing_objections(situation, unit, hex, held))), unit.hex)


def hexes_of(data: PanzerData, unit: AdvancedUnit) -> tuple[Hex, ...]:
    """R-02 The hexes of a unit's area."""
    return data.scenario.areas[area_of(data, unit)].hexes


def placing_objections(
    situation: Situation, unit: AdvancedUnit, hex: Hex, held: frozenset[Hex] | None = None
) -> Iterator[Objection]:
    """2.0 Every objection to placing a unit on the ground of a hex (R-02); `held` are hexes with known enemies."""
    if hex not in situation.data.area_hexes[area_of(situation.data, unit)]:
        yield Objection("2.0", say("{hex} is not in the unit's set-up area", hex=hex_name(hex)))
    elif not can_stand(situation, unit.card, hex):
        yield Objection("4.5.1.1.2", say("the unit cannot enter the terrain in {hex}", hex=hex_name(hex)))
    elif hex in (held_by_enemies(situation.state, unit.side) if held is None else held):
        yield Objection("4.5.1.1.10", say("there is an enemy in {hex}", hex=hex_name(hex)))


def held_by_enemies(view: PanzerState, side: str) -> frozenset[Hex]:
    """4.5.1.1.10 The hexes that contain enemies."""
    return frozenset(
        unit.hex for unit in view.vehicles.values() if unit.side != side and unit.alive and unit.hex is not None
    )


def legal_hexes(situation: Situation, units: Sequence[AdvancedUnit]) -> dict[str, list[Hex]]:
    """2.0 Where each unit of a side could be placed; computed once per card and area."""
    data = situation.data
    held = held_by_enemies(situation.state, units[0].side) if units else frozenset()
    found: dict[tuple[str, str], list[Hex]] = {}
    for unit in units:
        key = unit.card, area_of(data, unit)
        if key not in found:
            legal = (hex for hex in hexes_of(data, unit) if not any(placing_objections(situation, unit, hex, held)))
            found[key] = list(legal)
    return {unit.id: found[unit.card, area_of(data, unit)] for unit in units}


def can_stand(situation: Situation, card: str, hex: Hex) -> bool:
    """4.5.1.1.2, 6.1.4.3 Whether the hex's terrain and features are open to units of this card."""
    data = situation.data
    features = [feature for feature in situation.state.features.values() if feature.hex == hex]
    known = [data.advanced.features[feature.type] for feature in features if feature.type in data.advanced.features]
    if any(closed_by(data, feature, card) for feature in known):
        return False
    return stands(data.charts, data.advanced, data.board, card_of(data, card), hex)


def card_of(data: PanzerData, card: str) -> Any:
    """1.6 The card of a unit of any kind."""
    if card in data.book.vehicles:
        return data.book.vehicles[card].card
    return data.book.towed.get(card) or data.book.legs[card]


def closed_by(data: PanzerData, feature: FeatureCard, card: str) -> bool:
    """6.1.4.3 Whether a feature closes its hex to a unit."""
    kind = kind_of(data, card)
    if kind == "vehicle":
        cells = {"T": feature.T, "H": feature.H, "W": feature.W}
        return cells[data.book.vehicles[card].card.traction].value == PROHIBITED
    return (feature.towed if kind == "towed" else feature.L).value == PROHIBITED


# --- answers -------------------------------------------------------------------------------------------------


def check_deploy(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """2.0 Return the places by unit, or refuse every illegal one."""
    try:
        places = msgspec.convert(answer, dict[str, tuple[str, int | str]])
    except msgspec.ValidationError as error:
        why = Objection(
            "2.0", say("a set-up must give each unit a hex and a facing, or a carrier: {error}", error=error)
        )
        raise Unreadable("deploy", [why], ['{"g1": ["C4", 3], "g2": ["aboard", "g1"]}']) from error
    units = {unit.id: unit for unit in to_place(situation.data, ask.seat)}
    refusals = [refusal for id in sorted(places) for refusal in placing_refusals(situation, units, places, id)]
    refusals += load_too_much(situation.data, units, places) if not refusals else []
    if refusals:
        raise refusals[0] if len(refusals) == 1 else Refusals(refusals)
    return {id: canonical(places[id]) for id in sorted(places)}


def canonical(place: tuple[str, int | str]) -> list[Any]:
    where, how = place
    return [ABOARD, how] if where == ABOARD else [where.strip().upper(), how]


def placing_refusals(
    situation: Situation,
    units: Mapping[str, AdvancedUnit],
    places: Mapping[str, tuple[str, int | str]],
    id: str,
) -> Iterator[Refusal]:
    """2.0 Refuse an illegal placement, and say where the unit could be placed."""
    unit = units.get(id)
    if unit is None:
        yield Illegal(id, [Objection("2.0", say("you have no such unit to place"))], list(units))
        return
    name, how = places[id]
    if name == ABOARD:
        if objections := list(boarding_objections(situation.data, units, unit, str(how))):
            yield Illegal(f"{id} aboard {how}", objections, [hex_name(default_place(situation, unit))])
        return
    try:
        objections = list(placing_objections(situation, unit, parse_hex(name)))
    except ValueError as error:
        yield Unreadable(f"{id} {name}", [Objection("1.2", str(error))], [hex_name(default_place(situation, unit))])
        return
    if how not in FACINGS:
        objections.append(Objection("3.3", say("give a facing from 1 to 6, not {how}", how=how)))
    if objections:
        yield Illegal(f"{id} {name}", objections, [hex_name(default_place(situation, unit))])


def boarding_objections(
    data: PanzerData,
    units: Mapping[str, AdvancedUnit],
    unit: AdvancedUnit,
    carrier: str,
) -> Iterator[Objection]:
    """6.6.7.1 Object unless a passenger boards a vehicle of its own side that is placed in the same area."""
    other = units.get(carrier)
    if space(data.book, unit.card) is None:
        yield Objection("6.6.7.1", say("the unit cannot be carried"))
    elif other is None or other.card not in data.book.vehicles:
        yield Objection("6.6.7", say("you have no vehicle {carrier} to place", carrier=carrier))
    elif area_of(data, other) != area_of(data, unit):
        yield Objection("2.0", say("{carrier} is placed elsewhere", carrier=carrier))


def load_too_much(
    data: PanzerData, units: Mapping[str, AdvancedUnit], places: Mapping[str, tuple[str, int | str]]
) -> Iterator[Refusal]:
    """6.6.7.1 Refuse overloaded vehicles: each carries one gun, or leg units up to its capacity."""
    aboard: dict[str, list[AdvancedUnit]] = {}
    for unit in units.values():
        where, how = places.get(unit.id, (ABOARD if unit.aboard else "", unit.aboard))
        if where == ABOARD:
            aboard.setdefault(str(how), []).append(unit)
    for carrier, passengers in sorted(aboard.items()):
        needed = [room for unit in passengers if (room := space(data.book, unit.card)) is not None]
        has = data.book.vehicles[units[carrier].card].transport if carrier in units else (0, 0)
        towed = [unit for unit in passengers if unit.card in data.book.towed]
        total = sum(room[0] for room in needed), sum(room[1] for room in needed)
        if total[0] > has[0] or total[1] > has[1] or (towed and len(passengers) > 1):
            names = ", ".join(unit.id for unit in passengers)
            why = say(
                "the capacity needed for {names} is {total}-{total2}, but the carrier has {has}-{has2}",
                names=names,
                total=total[0],
                total2=total[1],
                has=has[0],
                has2=has[1],
            )
            yield Illegal(f"aboard {carrier}", [Objection("6.6.7.1", why)])


def deploy_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """2.0 The scenario's places, then a selection of others; passengers stay aboard."""
    yield {}
    legal = legal_hexes(situation, [unit for unit in to_place(situation.data, ask.seat) if not unit.aboard])
    for number in range(CHOICES if all(legal.values()) else 0):
        choice = Choice("deploy", ask.seat, number)
        yield {id: [hex_name(choice.one_of(hexes)), choice.one_of(FACINGS)] for id, hexes in legal.items()}


DEPLOYMENT: Final = "deployment"
"""The phase before the first turn."""
