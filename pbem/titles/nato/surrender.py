"""32 National surrender.

32.1    judge_surrender: a country surrenders when enough of it is conquered
32.2    apply_surrender: its forces leave the game, and its cities are conquered
32.3    judge_recovery: a country is freed when NATO has all its cities back
32.1.3  czech_surrender: Czechoslovakia surrenders when NATO holds Prague
"""

from __future__ import annotations

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Vanish
from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.map.atlas import PRAGUE
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Country
from pbem.titles.nato.phases import segment
from pbem.titles.nato.state import NatoState
from pbem.titles.nato.supply.headquarters import supplying_hq
from pbem.titles.nato.victory import city_value

NATIONS = (Country.DK, Country.NL)
"""32.1 Countries that may surrender."""


def judge_surrender(table: Table[NatoState], board: Board) -> None:
    """32.1 At the end of a turn, make a country surrender if cities of enough value in it have been conquered."""
    state = table.state
    for country in NATIONS if board.data.plays("surrender") else ():
        cities = board.atlas.cities_of(country)
        taken = sum(city_value(board, hex) for hex in cities if state.conquered.get(hex) is Side.WP)
        needed = board.data.charts.number(f"surrender_{country}")
        if taken >= needed and country not in (*state.surrendered, *state.surrendering):
            state.surrendering.append(str(country))
            note = Finding("32.1.1" if country is Country.DK else "32.1.2", inputs={"needed": needed}, result=taken)
            inputs = {"country": country, "points": taken, "needed": needed}
            table.find("32.1", inputs=inputs, result="surrenders", children=[note])


def apply_surrender(table: Table[NatoState], board: Board) -> None:
    """32.2.1 In the next Joint Status Phase, remove the nation's units and mark its cities as conquered."""
    state = table.state
    for country in state.surrendering:
        state.surrendered.append(country)
        state.surrendered_ever.append(country)
        gone = [unit for unit in board.of(Side.NATO) if str(unit.card.nation) == country]
        for unit in gone:
            board.remove(unit)
        due = [id for id in state.awaited if str(board.data.units[id].nation) == country]
        for id in due:
            state.awaited.remove(id)
            state.lost[id] = state.turn
        for id in [id for id in state.returning if str(board.data.units[id].nation) == country]:
            del state.returning[id]
        for hex in board.atlas.cities_of(Country(country)):
            state.conquered.setdefault(hex, Side.NATO if board.holds(hex, Side.NATO) else Side.WP)
        for hex in ports_of(board, country):
            state.ports[hex] = Side.NATO if board.holds(hex, Side.NATO) else Side.WP
        board.forget_facts()
        shown = [Vanish(unit.id) for unit in gone]
        found = [unit.id for unit in gone]
        notes = [
            segment("surrender"),
            Finding("32.2.2", inputs={"country": country}, result="enemy country for both"),
        ]
        table.find("32.2.1", inputs={"country": country}, result=found, shows=shown, children=notes)
    state.surrendering = []


def ports_of(board: Board, country: str) -> list[HexId]:
    """10.1.4 Return the ports of a country that have no city."""
    return [hex for hex in board.atlas.ports if board.atlas.places[hex].country == country and not board.is_city(hex)]


def judge_recovery(table: Table[NatoState], board: Board) -> None:
    """32.3 Free a surrendered country if NATO controls all its cities."""
    state = table.state
    for country in list(state.surrendered):
        cities = board.atlas.cities_of(Country(country))
        if cities and all(board.controller(hex) is Side.NATO for hex in cities):
            state.surrendered.remove(country)
            for hex in cities:
                state.conquered.pop(hex, None)
            for hex in ports_of(board, country):
                if not board.holds(hex, Side.WP):
                    state.ports.pop(hex, None)
            board.forget_facts()
            table.find("32.3", inputs={"country": country}, result="restored")


def czech_surrender(board: Board) -> bool:
    """32.1.3 Return whether NATO holds Prague with a maneuver unit, not an A-unit, that can trace to an HQ."""
    units = board.at(PRAGUE, Side.NATO) if PRAGUE in board.atlas.places else []
    return any(unit.maneuver and not unit.card.a_unit and supplying_hq(board, unit) for unit in units)
