"""30.1.1, 33.2.1.2 The effects of a ground unit entering a hex: cities, ports and reserve sites change hands."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Control, Move
from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board, Unit
from pbem.titles.nato.map.atlas import WEST_BERLIN
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.state import ENEMY, NatoState


def record_path(table: Table[NatoState], unit: str, start: str, path: Sequence[str], mode: str = "") -> Move:
    """Return a unit's path as a happening, and store it for the map of this player turn."""
    table.state.tracks.append((unit, mode, (start, *path)))
    return Move(unit, tuple((place, None) for place in (start, *path)))


def enter(table: Table[NatoState], board: Board, unit: Unit, hex: HexId) -> None:
    """30.1.1 Let a ground unit enter a hex by ground movement, advance or retreat."""
    side, place = unit.side, board.atlas.places[hex]
    if board.controller(hex) is ENEMY[side]:
        board.conquer(hex, side)
        liberated = board.is_unconquered(hex, side)
        lost = board.owner(hex) is side and not liberated  # 32.2.1: its country has surrendered
        table.find(
            "30.3.2" if liberated else "32.2.1" if lost else "30.2.1",
            inputs={"unit": unit.id, "city": place.city, "hex": hex, "side": side},
            result="free" if liberated else "conquered",
            shows=[Control(hex, str(side), str(ENEMY[side]))],
            children=[Finding("10.3.3.3", inputs={"hex": hex}, result=liberated)],
        )
    enter_site(table, board, unit, hex)


def enter_site(table: Table[NatoState], board: Board, unit: Unit, hex: HexId) -> None:
    """10.1.4, 33.2.1.2, 35.2.1 Apply the other effects of entering a hex: a port without a city changes hands, a
    reserve site is lost, a country is invaded.
    """
    side, place, state = unit.side, board.atlas.places[hex], table.state
    foreign = place.country is not None and board.owner(hex) is not side and hex != WEST_BERLIN
    if foreign and place.country not in state.invaded and board.data.plays("activation"):
        state.invaded.append(str(place.country))  # 35.2.1
    if place.port and not board.is_city(hex) and not board.friendly_port(hex, side):
        state.ports[hex] = side
        board.forget_facts()
        table.find("10.1.4", inputs={"unit": unit.id, "hex": hex}, result=side)
    if place.reserve_site and board.owner(hex) is not side and hex not in state.sites_lost:
        state.sites_lost.append(hex)
        table.find("33.2.1.2", inputs={"unit": unit.id, "hex": hex}, result="destroyed")
