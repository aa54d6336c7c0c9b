"""12.1, 12.3 The cost of entering a hex, and the reasons why a unit cannot enter it.

12.1     cost_parts, step_cost: terrain, hexside, zones of control, interdiction
12.1.1   `ways`: the hexes next to a hex, or the entry hexes of a box
12.1.2   entry_objections: enemy units and cities, areas that a unit is bound to
12.3     zone_objections: from one enemy zone of control directly to another
12.4     march_objections
12.7     territorial units
29.5, 29.7  headquarters that are bound to an area
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.grid import HexId, neighbours
from pbem.titles.nato.map.ground import NOTHING, Country, Hexside, Place, Zone
from pbem.titles.nato.state import ENEMY
from pbem.titles.nato.supply.headquarters import BALTIC_CORPS, BALTIC_FRONT
from pbem.titles.nato.zones.airspace import airspace_objections

TACTICAL, MARCH, MINIMUM = "tactical", "march", "minimum"


def sector_of(box: str) -> int:
    """33.1 Return the sector of a reinforcement box; 0 for anything else."""
    return int(box[6:]) if box.startswith("sector") else 0


def ways(board: Board, start: str) -> Iterator[tuple[HexId, Hexside]]:
    """12.1.1, 33.2.2 Yield the hexes that ground movement can enter next, with the hexside crossed."""
    if start in board.atlas.places:
        yield from board.atlas.ground.get(start, ())
    else:
        for hex in board.atlas.sectors.get(sector_of(start), ()):
            yield hex, NOTHING


# --- 12.1 cost -----------------------------------------------------------------------------------------------


def cost_parts(
    board: Board, unit: Unit, start: str, end: HexId, hexside: Hexside, *, reserve: bool = False
) -> Iterator[tuple[str, int]]:
    """12.1 Yield every part of the cost of entering a hex."""
    place, charts = board.atlas.places[end], board.data.charts
    if hexside.pass_ and place.ground == "mountain":
        yield "mountain across a pass", charts.number("mountain_pass")
    else:
        yield place.ground.replace("_", " "), charts.terrain(place.ground).move
    if hexside.river == "major":
        yield "major river", charts.hexside("major_river").move
    if start in board.atlas.places and zone_counts(board, unit, start, reserve=reserve):
        yield "leaving an enemy zone of control", 1
    if zone_counts(board, unit, end, reserve=reserve):
        yield "entering an enemy zone of control", 1
    if is_interdicted(board, end, unit.side):
        yield "air interdiction", 1  # 23.8
    if end in board.state.nuclear:
        yield "nuclear strike hex", charts.number("nuclear_enter")  # 21.1.3
    if border_troops(board, unit, hexside, reserve=reserve):
        yield "border troops", 1  # 35.6


def step_cost(board: Board, unit: Unit, start: str, end: HexId, hexside: Hexside, *, reserve: bool = False) -> int:
    return sum(value for _, value in cost_parts(board, unit, start, end, hexside, reserve=reserve))


def zone_counts(board: Board, unit: Unit, hex: HexId, *, reserve: bool) -> bool:
    """8.1.6, 8.5, 25.9, 25.9.3 Return whether an enemy zone of control in a hex costs a unit extra movement
    points.
    """
    return board.ezoc(hex, unit.side) and not (reserve and unit.card.hard and in_breakthrough(board, hex))


def in_breakthrough(board: Board, hex: HexId) -> bool:
    """25.9 Return whether a hex is in a breakthrough zone."""
    return any(near in board.state.breakthrough for near in (hex, *neighbours(hex)))


def is_interdicted(board: Board, hex: HexId, side: Side) -> bool:
    """4.1.5, 6.0/air-interdiction-zone, 23.8 Return whether a hex is in an enemy air interdiction zone."""
    markers = board.state.interdiction.get(ENEMY[side], [])
    return bool(markers) and any(near in markers for near in (hex, *neighbours(hex)))


def border_troops(board: Board, unit: Unit, hexside: Hexside, *, reserve: bool) -> bool:
    """35.6 Return whether NATO border troops slow the unit, which happens to the Warsaw Pact on the first turn of
    the war.
    """
    first = board.data.plays("border") and board.state.turn == 1
    return first and not reserve and hexside.iron_curtain and unit.side is Side.WP


# --- 12.1.2 entering -----------------------------------------------------------------------------------------


def entry_objections(board: Board, unit: Unit, end: HexId, mode: str) -> Iterator[Objection]:
    """12.1.2, 12.7 Yield the reasons why a unit cannot enter a hex at any cost."""
    enemy = ENEMY[unit.side]
    if board.holds(end, enemy):
        yield Objection("12.1.2", say("an enemy unit is in {end}", end=end))
    if board.free_city(end, enemy):
        yield Objection(
            "12.1.2", say("{atlas} is an enemy free city: it must be attacked", atlas=board.atlas.name(end))
        )
    elif mode == MARCH and board.controller(end) is enemy:
        yield Objection(
            "12.1.2", say("{atlas} is in enemy hands, and units cannot march into it", atlas=board.atlas.name(end))
        )
    if end in board.state.nuclear and (not unit.card.hard or mode == MARCH):
        yield Objection(
            "21.1.3",
            say("{end} has a Nuclear Strike marker: only hard units can enter, by tactical movement", end=end),
        )
    yield from keep_out_objections(board, unit, end)


def turn_zero(board: Board) -> bool:
    """7.2/turn-0 Return whether this is the turn before the war, on which few ways of moving are open."""
    return board.data.scenario.turn_zero and board.state.turn == 0


def area_objections(board: Board, unit: Unit, place: Place) -> Iterator[Objection]:
    """12.7, 29.5.1, 29.7 Yield the objections to a unit leaving the country or area that it is bound to."""
    card = unit.card
    if board.state.turn == 0 and place.side is not card.side:
        yield Objection("35.3", say("{hex} lies beyond the border, and there is no war yet", hex=place.hex))
    if card.home_bound and place.country is not card.home:
        yield Objection("12.7", say("the unit may not leave its home country {home}", home=card.home))
    if card.multinational and not place.north_of_elbe:
        yield Objection("29.7", say("the {card} headquarters must stay north of the Elbe", card=card.id))
    if not card.hq or card.side is not Side.WP:
        return
    baltap = place.zone is Zone.BALTAP and place.country in (Country.WG, Country.DK)
    bound = card.id == BALTIC_FRONT and "DK" not in board.state.surrendered
    if bound and not baltap and place.country not in (Country.EG, Country.PL, Country.CS):
        yield Objection(
            "29.5.1", say("the Baltic Front headquarters may leave the Warsaw Pact only for the BALTAP zone")
        )
    if card.id not in (BALTIC_FRONT, BALTIC_CORPS) and baltap:
        yield Objection("29.5.1", say("only the Baltic Front headquarters may enter the BALTAP zone"))


def keep_out_objections(board: Board, unit: Unit, hex: HexId) -> Iterator[Objection]:
    """12.7, 25.7.8 Yield the reasons why a unit bound to an area cannot enter a hex, however it moves."""
    if not unit.piece.freed and hex in board.atlas.places:
        yield from area_objections(board, unit, board.atlas.places[hex])


def zone_objections(board: Board, unit: Unit, start: str, end: HexId, mode: str) -> Iterator[Objection]:
    """12.3.2, 12.5 Object to moving from zone to zone, except by hard units or by a minimum move to a friend."""
    if unit.card.hard or start not in board.atlas.places:  # 12.3.1
        return
    both = board.ezoc(start, unit.side) and board.ezoc(end, unit.side)
    if both and (mode != MINIMUM or not board.is_negated(end, unit.side)):  # 24.2.1
        yield Objection(
            "12.3.2",
            say(
                "the unit may not go directly from {start} to {end}, from one enemy zone of control to another",
                start=start,
                end=end,
            ),
        )


def march_objections(board: Board, unit: Unit, hex: str) -> Iterator[Objection]:
    """12.4 Yield the objections to a march through a hex, including the starting hex."""
    if hex not in board.atlas.places:
        return
    if board.ezoc(hex, unit.side):  # 8.1.1, 8.1.2
        yield Objection("12.4", say("{hex} is in an enemy zone of control", hex=hex))
    if is_interdicted(board, hex, unit.side):
        yield Objection("12.4", say("{hex} is in an enemy air interdiction zone", hex=hex))
    yield from airspace_objections(board, hex, unit.side, "12.4")  # 11.8, 11.8.1, 11.8.2
    refugees = board.data.plays("refugees") and 1 <= board.state.turn <= board.data.charts.number("refugee_turns")
    if refugees and unit.side is Side.NATO and board.atlas.places[hex].country is Country.WG:  # 35.4
        yield Objection("12.4.1", say("refugees crowd the roads of West Germany at {hex}", hex=hex))


def must_stop(board: Board, unit: Unit, hex: HexId, *, reserve: bool) -> bool:
    """12.3, 22.3.1 Whether a unit must stop in a hex: because of a chemical strike or, unless it is hard, an enemy
    zone.
    """
    return any(stop_objections(board, unit, hex))


def stop_objections(board: Board, unit: Unit, hex: HexId) -> Iterator[Objection]:
    """12.3, 22.3.1 Yield the reasons why a unit must stop in a hex it has entered."""
    if hex in board.state.chemical:
        yield Objection("22.3.1", say("the unit must stop in {hex}, which has a Chemical Strike marker", hex=hex))
    if not unit.card.hard and board.ezoc(hex, unit.side):
        yield Objection("12.3", say("the unit must stop in {hex}, in an enemy zone of control", hex=hex))
