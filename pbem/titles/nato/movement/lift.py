"""14, 16, 17 Ferries, lifts and their interception.

    14.1     air_ferry_objections         16.1     air_lift_objections, 16.1.3 drop_objections
    14.2     sea_ferry_objections         16.2     sea_lift_objections, 16.2.3 landing and withdrawal
    14.2.4   sea_open: which sea areas are open to a side
    16.2.1.1 inland ports
    17.1     section, intercept

A route is any chain of hexes that the mode may cross; it is enough that one exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say, say_n, term
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.commands.pools import purse
from pbem.titles.nato.commands.powers import commander_of
from pbem.titles.nato.map.grid import HexId, neighbours
from pbem.titles.nato.map.ground import Country
from pbem.titles.nato.movement.costs import keep_out_objections, turn_zero
from pbem.titles.nato.movement.routes import air_starts, connected_parts, flies, reaches
from pbem.titles.nato.nerves.markers import interception_table
from pbem.titles.nato.state import ENEMY, SRB, NatoState
from pbem.titles.nato.supply.cities import city_in_supply
from pbem.titles.nato.supply.headquarters import BALTIC_CORPS, hq_traces
from pbem.titles.nato.supply.units import movement_source
from pbem.titles.nato.zones.airspace import airspace, open_airspace

FERRY, LIFT, DROP, LAND, WITHDRAW = "ferry", "lift", "drop", "land", "withdraw"
COMMAND: Final = {LIFT: "air", DROP: "air", LAND: "sea", WITHDRAW: "sea"}

COMMAND_NAMES: Final = {
    "air": term("nato command", "Airlift Command"),
    "sea": term("nato command", "Sealift Command"),
    "helicopter": term("nato command", "Helicopter Command"),
}
"""15.0 The names of the Lift Commands by kind."""


Objecting: TypeAlias = Callable[[Board, Unit, HexId], Iterator[Objection]]


def command_kind(unit: Unit, mode: str) -> str:
    """15.1 The kind of Lift Command that a mode needs; ferries need none."""
    if mode == FERRY:
        return ""
    return "sea" if mode == LIFT and unit.card.marine else COMMAND[mode]


# --- common rules --------------------------------------------------------------------------------------------


def passenger_objections(board: Board, unit: Unit, rule: str) -> Iterator[Objection]:
    """14.1.1, 14.2.1, 16.1.1, 16.2.1 Yield the objections that apply to every passenger."""
    if unit.piece.train:
        yield Objection(rule, say("the unit is on a train"))
    if unit.piece.disrupted:
        yield Objection(rule, say("the unit is disrupted or suppressed"))
    if unit.piece.moved:
        yield Objection("7.2", say("the unit has already moved"))
    if not unit.piece.active:
        yield Objection("35.2", say("the unit is not activated"))


def supplied_objections(unit: Unit) -> Iterator[Objection]:
    """10.5.3 Object to flying or sailing by a unit without movement supply or by an unsupplied headquarters."""
    if unit.piece.ms_out or (unit.card.hq and not unit.piece.supplied):
        yield Objection("10.5.3", say("the unit is out of movement supply"))


def afloat_objections(board: Board, unit: Unit) -> Iterator[Objection]:
    """10.4, 16.2.4 Object to marines sailing without movement supply, except the Baltic Corps when it leaves a
    port.
    """
    if not corps_leaves_port(board, unit, unit.at):
        yield from supplied_objections(unit)


def corps_leaves_port(board: Board, unit: Unit, start: str) -> bool:
    """16.2.4 Return whether the Baltic Corps sails from a friendly port or the reserve box, which puts it in
    supply.
    """
    return unit.id == BALTIC_CORPS and is_port(board, start, unit.side)


def end_objections(board: Board, hex: HexId, side: Side, rule: str, *, zone: bool = False) -> Iterator[Objection]:
    """14.1.1, 16.1.1 Yield the reasons why a hex cannot be the start or the destination of a ferry or lift."""
    if hex not in board.atlas.places:
        return
    if not zone and board.ezoc(hex, side):
        yield Objection(rule, say("{hex} is in an enemy zone of control", hex=hex))
    if board.is_contaminated(hex):
        yield Objection(rule, say("{hex} has a strike marker", hex=hex))


def command_objections(board: Board, unit: Unit, mode: str) -> Iterator[Objection]:
    """15.1 Yield an objection unless there is a Lift Command for each step."""
    kind = command_kind(unit, mode)
    yield from share_objections(board, unit, kind) if kind else ()


def share_objections(board: Board, unit: Unit, kind: str) -> Iterator[Objection]:
    """15.1, 35.8.1 Yield an objection if no Lift Command is ready, or none is left in the commander's share."""
    if board.state.lift_ready.get(unit.side, {}).get(kind, 0) < unit.steps:
        yield Objection("15.1", say("no {command} is ready for the unit", command=COMMAND_NAMES[kind]))
    elif purse(board, seat := commander_of(board, unit.card), kind, last=True) < unit.steps:
        yield Objection(
            "35.8.1", say("{seat} has no {command} left in its share", seat=seat, command=COMMAND_NAMES[kind])
        )


def destination_objections(board: Board, unit: Unit, end: HexId, rule: str) -> Iterator[Objection]:
    """30.1.1, 12.1.2 Object to a destination that is not land, is an enemy-controlled city, or is out of bounds
    for the unit.
    """
    if end not in board.atlas.places or board.atlas.places[end].is_sea:
        yield Objection(rule, say("{end} is not a land hex on the map", end=end))
    elif board.controller(end) is ENEMY[unit.side]:
        yield Objection("30.1.1", say("{atlas} is in enemy hands", atlas=board.atlas.name(end)))
    yield from keep_out_objections(board, unit, end)


# --- 14.1, 16.1 by air ---------------------------------------------------------------------------------------


def from_city(board: Board, unit: Unit) -> bool:
    """14.1, 16.1 Return whether a unit is in a friendly city, a box or the Strategic Reserve Box."""
    return unit.at not in board.atlas.places or board.controller(unit.at) is unit.side


def air_ferry_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """14.1 Yield the objections to an air ferry, which flies from city to city inside friendly airspace."""
    side = unit.side
    if not unit.card.a_unit:
        yield Objection("14.1.1", say("only airborne and airmobile units can fly"))
    yield from passenger_objections(board, unit, "14.1.1")
    yield from supplied_objections(unit)
    if not from_city(board, unit) or board.controller(end) is not side:
        yield Objection("14.1", say("an air ferry must go from one friendly city to another"))
        return
    for hex in (unit.at, end):
        yield from end_objections(board, hex, side, "14.1.1")

    def allowed() -> frozenset[HexId]:
        return frozenset(
            hex for hex in open_airspace(board, side, contested=False) if not is_closed_to_ferries(board, hex, side)
        )

    def free(hex: HexId) -> bool:
        return airspace(board, hex, side) == "friendly" and not is_closed_to_ferries(board, hex, side)

    if not flies(board, "air ferry", unit, end, free, allowed):
        yield Objection("14.1.2", say("no route through friendly airspace leads to {end}", end=end))


def air_lift_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """16.1 Object to an air lift unless it goes from a city to a land hex where the unit is in supply, in friendly
    or contested airspace.
    """
    side = unit.side
    yield from flight_objections(board, unit, end)
    if end not in board.atlas.places:
        return
    yield from end_objections(board, end, side, "16.1.1")
    if board.atlas.places[end].ground == "mountain":
        yield Objection("16.1.1", say("{end} is a mountain hex", end=end))
    if board.holds(end, ENEMY[side]):
        yield Objection("12.1.2", say("an enemy unit is in {end}", end=end))
    if not traces_from(board, unit, end):
        yield Objection("16.1.1", say("the unit would be unable to trace movement supply from {end}", end=end))

    def free(hex: HexId) -> bool:
        return airspace(board, hex, side) != "enemy"

    def allowed() -> frozenset[HexId]:
        return open_airspace(board, side, contested=True)

    if not flies(board, "air lift", unit, end, free, allowed):
        yield Objection("16.1.2", say("the route to {end} leads through enemy airspace", end=end))


def flight_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """16.1.1 Yield the objections to the passenger, start and destination of an air lift or a drop."""
    if not unit.card.a_unit:
        yield Objection("16.1.1", say("only airborne and airmobile units can fly"))
    yield from passenger_objections(board, unit, "16.1.1")
    yield from supplied_objections(unit)
    if not traces(board, unit):
        yield Objection("16.1.1", say("the unit cannot trace movement supply from {at}", at=unit.at))
    yield from command_objections(board, unit, LIFT)
    yield from destination_objections(board, unit, end, "16.1")
    if not from_city(board, unit):
        yield Objection("16.1", say("an air lift must start in a friendly city"))
    yield from end_objections(board, unit.at, unit.side, "16.1.1")
    if unit.at in board.atlas.places and airspace(board, unit.at, unit.side) == "enemy":
        yield Objection("16.1.1", say("{at} is enemy airspace", at=unit.at))


def drop_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """16.1.3 Yield the objections to an airborne drop, which may be made on any clear or marsh hex."""
    yield from flight_objections(board, unit, end)
    if not unit.card.airborne:
        yield Objection("16.1.3", say("only airborne units can drop"))
    if end in board.atlas.places:
        if board.atlas.places[end].ground not in ("clear", "marsh"):
            yield Objection("16.1.3", say("{end} is not clear ground or marsh", end=end))
        yield from end_objections(board, end, unit.side, "16.1.3", zone=True)


def traces_from(board: Board, unit: Unit, hex: HexId) -> bool:
    """16.1.1 Return whether a unit could trace movement supply if it were in another hex."""
    before = unit.at
    board.place(unit, hex)
    found = traces(board, unit)
    board.place(unit, before)
    return found


def traces(board: Board, unit: Unit) -> bool:
    """16.1.1, 16.2.1 Return whether a unit can trace movement supply now or, for a headquarters, a line of supply."""
    boxed = unit.at not in board.atlas.places
    return boxed or (hq_traces(board, unit) if unit.card.hq else bool(movement_source(board, unit)))


# --- 14.2, 16.2 by sea ---------------------------------------------------------------------------------------


def sea_open(board: Board, side: Side, area: str, *, lift: bool) -> bool:
    """14.2.4, 16.2.5 Return whether a sea area is open to a side."""
    danish = [hex for hex in board.atlas.cities if board.atlas.places[hex].country is Country.DK]
    nato_holds = [hex for hex in danish if board.controller(hex) is Side.NATO]
    fallen = "DK" in board.state.surrendered
    if side is Side.WP:
        return area == "baltic" or (lift and fallen and not nato_holds)
    return area == "north_sea" or (not fallen if lift else len(nato_holds) == len(danish))


def sea_hexes(board: Board, side: Side, *, lift: bool) -> frozenset[HexId]:
    """14.2.2, 16.2.2 The coastal and all-sea hexes that a side's ships can use, with river routes to inland ports."""
    air = open_airspace(board, side, contested=lift)
    open_areas = {area: sea_open(board, side, area, lift=lift) for area in ("north_sea", "baltic")}
    places = board.atlas.places
    rivers = {hex for route in board.atlas.routes.values() for hex in route.hexes}
    found = [hex for hex in (*board.atlas.sea, *sorted(rivers)) if open_areas.get(places[hex].sea_area or "", True)]
    return frozenset(hex for hex in found if hex in air and (lift or not is_closed_to_ferries(board, hex, side)))


def is_closed_to_ferries(board: Board, hex: HexId, side: Side) -> bool:
    """14.1.2, 14.2.2 Return whether an enemy unit or zone of control closes a hex to ferries; units on trains have
    no zone.
    """
    return board.ezoc(hex, side) or board.holds(hex, ENEMY[side])


def sea_steps(board: Board) -> dict[HexId, tuple[HexId, ...]]:
    """14.2.2 Return the hexes that ships can go to from each hex, including rivers to inland ports."""
    return board.fact("sea steps", lambda: _sea_steps(board))


def _sea_steps(board: Board) -> dict[HexId, tuple[HexId, ...]]:
    steps = dict(board.atlas.sea)
    for route in board.atlas.routes.values():
        for one, other in zip(route.hexes, route.hexes[1:], strict=False):
            steps[one] = (*steps.get(one, ()), other)
            steps[other] = (*steps.get(other, ()), one)
    return steps


def sea_starts(board: Board, unit: Unit) -> list[HexId]:
    """14.2.2, 33.2.5 Return the starting hexes of a voyage: the unit's hex, or the friendly edge of the sea."""
    if unit.at in board.atlas.places:
        return [unit.at]
    return list(board.atlas.sea_edge.get("north_sea" if unit.side is Side.NATO else "baltic", ()))


def port_objections(board: Board, hex: str, side: Side, *, lift: bool) -> Iterator[Objection]:
    """14.2, 16.2.1.1 Yield the reasons why a side cannot use a hex as a port."""
    if hex == SRB:
        return
    if hex not in board.atlas.places or not board.atlas.places[hex].port or not board.friendly_port(hex, side):
        yield Objection("14.2", say("{hex} is not one of your ports", hex=hex))
        return
    if lift:
        yield from inland_objections(board, hex, side)


def inland_objections(board: Board, hex: str, side: Side) -> Iterator[Objection]:
    """16.2.1.1 Object to an inland port if the enemy is downstream or its city is out of supply."""
    place = board.atlas.places.get(hex)
    if place is None or not place.inland_port:
        return
    route = board.atlas.routes.get(hex)
    banks = {near for pair in (route.downstream if route else ()) for near in pair}
    watched = any(board.holds(near, ENEMY[side]) for bank in banks for near in (bank, *neighbours(bank)))
    if route is None or watched or (board.is_city(hex) and not city_in_supply(board, hex)):
        yield Objection("16.2.1.1", say("the river below {hex} is closed, or its city is out of supply", hex=hex))


def capacity_objections(board: Board, unit: Unit, end: str) -> Iterator[Objection]:
    """14.2.3 Yield an objection if more steps than a port's capacity would enter and leave it in one segment."""
    for hex in (unit.at, end):
        place = board.atlas.places.get(hex)
        if place is not None and place.port and board.port_use.get(hex, 0) + unit.steps > place.port:
            yield Objection(
                "14.2.3",
                say_n(
                    "the port of {atlas} can handle only {n} step a turn",
                    "the port of {atlas} can handle only {n} steps a turn",
                    n=place.port,
                    atlas=board.atlas.name(hex),
                ),
            )


def use_port(board: Board, unit: Unit, end: str, mode: str) -> None:
    """14.2.3 Count the steps that use a port's capacity, whether or not they are intercepted later."""
    by_air = mode == DROP or (mode == LIFT and not unit.card.marine)
    if by_air or (mode == FERRY and unit.card.a_unit and not any(air_ferry_objections(board, unit, end))):
        return
    for hex in (unit.at, end):
        board.port_use[hex] = board.port_use.get(hex, 0) + unit.steps


def sea_ferry_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """14.2 Yield the objections to a sea ferry, which sails from port to port inside friendly airspace."""
    side = unit.side
    yield from passenger_objections(board, unit, "14.2.1")
    yield from supplied_objections(unit)
    yield from keep_out_objections(board, unit, end)
    for hex in (unit.at, end):
        yield from port_objections(board, hex, side, lift=False)
        yield from end_objections(board, hex, side, "14.2.1")
    yield from capacity_objections(board, unit, end)
    parts = connected_parts(board, "sea ferry", side, lambda: sea_hexes(board, side, lift=False), sea_steps(board))
    if not reaches(parts, sea_starts(board, unit), end):
        yield Objection("14.2.2", say("no route over friendly waters leads to {end}", end=end))


def sea_lift_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """16.2 Object to a sea lift unless marines go between a port and the coast, in friendly or contested airspace."""
    side = unit.side
    yield from marine_objections(board, unit, end)
    yield from afloat_objections(board, unit)
    if not corps_leaves_port(board, unit, unit.at) and not traces(board, unit):
        yield Objection("16.2.1", say("the unit cannot trace movement supply from {at}", at=unit.at))
    if not any(is_port(board, hex, side) for hex in (unit.at, end)):
        yield Objection("16.2", say("one end of a sea lift must be one of your ports"))
    for hex in (unit.at, end):
        yield from end_objections(board, hex, side, "16.2.1")
        yield from inland_objections(board, hex, side)
    if end not in board.atlas.places:
        return
    if board.holds(end, ENEMY[side]):
        yield Objection("12.1.2", say("an enemy unit is in {end}", end=end))
    if not traces_from(board, unit, end):
        yield Objection("16.2.1", say("the unit would be unable to trace movement supply from {end}", end=end))
    parts = connected_parts(board, "sea lift", side, lambda: sea_hexes(board, side, lift=True), sea_steps(board))
    if not reaches(parts, sea_starts(board, unit), end):
        yield Objection("16.2.2", say("no open route over the sea leads to {end}", end=end))


def is_port(board: Board, hex: str, side: Side) -> bool:
    return not any(port_objections(board, hex, side, lift=True))


def marine_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """16.2.1 Yield the objections to the passenger and the hexes of any sea lift."""
    if not unit.card.marine:
        yield Objection("16.2.1", say("only marines can use sea lift"))
    yield from passenger_objections(board, unit, "16.2.1")
    yield from command_objections(board, unit, LAND)
    yield from destination_objections(board, unit, end, "16.2")
    yield from capacity_objections(board, unit, end)
    for hex in (unit.at, end):
        place = board.atlas.places.get(hex)
        if hex != SRB and (place is None or not (place.is_coastal or place.port)):
            yield Objection("16.2", say("{hex} is neither a port nor on the coast", hex=hex))


def sea_way(board: Board, unit: Unit, end: HexId) -> bool:
    """16.2.3, 16.3 Return whether open sea areas connect the unit to a hex, regardless of airspace."""
    side = unit.side

    def allowed() -> frozenset[HexId]:
        places = board.atlas.places
        rivers = {hex for route in board.atlas.routes.values() for hex in route.hexes}
        areas = {area: sea_open(board, side, area, lift=True) for area in ("north_sea", "baltic")}
        return frozenset(hex for hex in (*board.atlas.sea, *rivers) if areas.get(places[hex].sea_area or "", True))

    return reaches(connected_parts(board, "sea way", side, allowed, sea_steps(board)), sea_starts(board, unit), end)


def landing_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """16.2.3, 16.2.4 Object to a landing on the coast unless it starts from a port in friendly airspace or the
    reserve box.
    """
    side = unit.side
    yield from marine_objections(board, unit, end)
    yield from afloat_objections(board, unit)
    yield from port_objections(board, unit.at, side, lift=True)
    yield from end_objections(board, unit.at, side, "16.2.3")
    yield from end_objections(board, end, side, "16.2.3", zone=True)
    if unit.at in board.atlas.places and airspace(board, unit.at, side) != "friendly":
        yield Objection("16.2.3", say("{at} is not friendly airspace", at=unit.at))
    if end in board.atlas.places and not board.atlas.places[end].is_coastal:
        yield Objection("16.2.3", say("{end} is not a coastal hex", end=end))
    if unit.id == BALTIC_CORPS and not any(other.card.marine and other.maneuver for other in board.at(end, side)):
        yield Objection("16.2.4", say("no marine unit is in {end}", end=end))
    if not sea_way(board, unit, end):
        yield Objection("16.2.5", say("the sea on the way to {end} is closed to you", end=end))


def withdrawal_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """16.2.3 Yield the objections to a withdrawal from the coast, even without supply, to a port in friendly
    airspace.
    """
    side = unit.side
    yield from marine_objections(board, unit, end)
    if end == SRB or end not in board.atlas.places:
        yield Objection("16.2.3", say("a withdrawal must end in a port"))
        return
    if unit.at not in board.atlas.places or not board.atlas.places[unit.at].is_coastal:
        yield Objection("16.2.3", say("{at} is not a coastal hex", at=unit.at))
    yield from port_objections(board, end, side, lift=True)
    yield from end_objections(board, unit.at, side, "16.2.3", zone=True)
    yield from end_objections(board, end, side, "16.2.3")
    if airspace(board, end, side) != "friendly":
        yield Objection("16.2.3", say("{end} is not friendly airspace", end=end))
    if not sea_way(board, unit, end):
        yield Objection("16.2.5", say("the sea on the way to {end} is closed to you", end=end))


# --- 17 interception -----------------------------------------------------------------------------------------


def section(board: Board, unit: Unit, end: HexId, mode: str) -> str:
    """17.1.1 Return the section of the Interception Table that applies to this flight or voyage."""
    if mode == FERRY:
        return "friendly"
    if mode == LIFT:
        return "contested"
    side = unit.side
    if mode == DROP:
        parts = connected_parts(
            board, "air lift", side, lambda: open_airspace(board, side, contested=True), board.atlas.neighbours
        )
        open_way = reaches(parts, air_starts(board, unit), end)
    else:
        parts = connected_parts(board, "sea lift", side, lambda: sea_hexes(board, side, lift=True), sea_steps(board))
        open_way = reaches(parts, sea_starts(board, unit), end)
    return "contested" if open_way else "enemy"


def intercept(table: Table[NatoState], board: Board, unit: Unit, end: HexId, mode: str) -> int:
    """17.1.2 Roll for the interception of each step; return how many steps are lost with their Lift Commands."""
    found = section(board, unit, end, mode)
    charts, column, turn = board.data.charts, interception_table(board, unit.side), table.state.turn
    value = charts.interception(unit.side, found, column, turn) if turn else None  # type: ignore[arg-type]
    ends = [hex for hex in (unit.at, end) if hex in board.atlas.places]
    zone = int(any(board.ezoc(hex, unit.side) for hex in ends))
    lost = 0
    for step in range(unit.steps):
        if value is None:
            break
        dice = [table.roll(6, "17.1.2", unit.id, str(step + 1)) for _ in range(2)]
        hit = sum(dice) - zone <= value
        lost += hit
        inputs = {"unit": unit.id, "to": end, "section": found, "value": value, "zone": zone}
        why = interception_reasons(unit, found, value, zone, sum(dice))
        table.find("17.1.2", inputs=inputs, dice=dice, result="intercepted" if hit else "through", children=why)
    return lost


def interception_reasons(unit: Unit, found: str, value: int, zone: int, total: int) -> list[Finding]:
    """17.0, 17.1 Explain the interception value and the modifiers of the roll."""
    boxed = not unit.at.isdecimal()
    reasons = [
        Finding("17.0", inputs={"unit": unit.id}, result="one attempt for each step"),
        Finding("17.1", inputs={"side": unit.side}, result=value),
        Finding("17.1.1", inputs={"unit": unit.id}, result=found),
        Finding("6.0/interception-attempt", inputs={"unit": unit.id}, result=value),
        Finding("2.1/dice", result=total),
    ]
    if zone:
        reasons.append(Finding("8.1.4", inputs={"unit": unit.id}, result=-zone))
    if boxed:
        reasons.append(Finding("17.1.4", inputs={"unit": unit.id, "from": unit.at}, result=value))
    return reasons


def ferry_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """14.1, 14.2 Yield the objections to a ferry, which goes by air from city to city or by sea from port to port."""
    if not board.data.plays("ferry"):
        yield Objection("14.0", say("the scenario has no ferry movement"))
        return
    by_air = list(air_ferry_objections(board, unit, end)) if unit.card.a_unit else None
    if by_air == []:
        return
    if turn_zero(board):
        yield from by_air or [Objection("7.2/turn-0", say("no unit can go by sea before the war"))]
        return
    by_sea = list(sea_ferry_objections(board, unit, end))
    yield from by_sea if by_air is None or not by_sea else by_air


def lift_objections(board: Board, unit: Unit, end: HexId) -> Iterator[Objection]:
    """16.1, 16.2 Yield the objections to a lift, which goes by sea for marines and by air for all others."""
    yield from sea_lift_objections(board, unit, end) if unit.card.marine else air_lift_objections(board, unit, end)


OBJECTIONS: Final[Mapping[str, Objecting]] = {
    FERRY: ferry_objections,
    LIFT: lift_objections,
    DROP: drop_objections,
    LAND: landing_objections,
    WITHDRAW: withdrawal_objections,
}


def transport_objections(board: Board, unit: Unit, end: HexId, mode: str) -> Iterator[Objection]:
    """14, 16 Yield the objections to a ferry or a lift."""
    if mode != FERRY and not board.data.plays("lift"):
        yield Objection("15.0", say("the scenario has no Lift Commands"))
        return
    yield from OBJECTIONS[mode](board, unit, end)
