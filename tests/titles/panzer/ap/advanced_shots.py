"""Helpers for tests of AP fire in the advanced game."""

from __future__ import annotations

from typing import Any

from titles.panzer.advanced.builders import (
    a_gun,
    a_tank,
    advanced_data,
    an_advanced_state,
    an_advanced_table,
)
from titles.panzer.builders import a_hex, run_step

from pbem.engine.geometry.hexes import disc, hex_name
from pbem.titles.panzer.ap.ap_damage import angles_of
from pbem.titles.panzer.ap.ap_fire import (
    resolve_ap,
)
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState


def a_shot(data: PanzerData, state: PanzerState, how: str = "ap", *, weapon: int = 0, **more: Any) -> Any:
    """The shot of the first unit at the second."""
    firer, target = list(state.vehicles.values())[:2]
    return an_ap_shot(Situation(data, state), firer, weapons_of(data, firer)[weapon], how, target, **more)


def duel(*, edition: str = "2024", board: Any = None, firer: Any = None, target: Any = None, **scenario: Any) -> Any:
    """A Crusader I and a PzKpfw IIIJ, 3 hexes apart."""
    units = [a_tank("b1", "C3", "crusader1", **(firer or {})), a_tank("g1", "C6", "pz3j", **(target or {}))]
    state = an_advanced_state(*units)
    return advanced_data(board, edition=edition, sides=state.sides, **scenario), state


def fired(table: Any, shot: Any, legal: Any = lambda other: True, answers: Any = ()) -> Any:
    """Resolve a shot and return its result with all its findings."""
    return run_step(table, resolve_ap(table, shot, legal), answers)


def a_table_of(data: PanzerData, state: PanzerState, *dice: int) -> Any:
    return an_advanced_table(state=state, data=data, dice=dice)


# --- 6.5.2.1 spreading -----------------------------------------------------------------------------------------


def spreading(grade: str, edition: str = "2024", **others: dict[str, Any]) -> Any:
    """L2448-2450: fire at A3, with A1 and A2 within 1 hex of it and A4 2 hexes away, all at the same range."""
    places = {"b1": "K6", "b2": "J5", "b3": "K5", "b4": "M5"}
    gun = a_gun("g1", "K15", "flak36", facing=1, grade=grade)
    tanks = [a_tank(id, place, "crusader1", **others.get(id, {})) for id, place in places.items()]
    state = an_advanced_state(gun, *tanks, sides=("german", "british"))
    data = advanced_data(edition=edition, sides=state.sides)
    shot = an_ap_shot(Situation(data, state), gun, weapons_of(data, gun)[0], "ap", state.vehicles["b3"])
    return data, state, shot


# --- 6.5.2.2 angles and locations ------------------------------------------------------------------------------


def angles(start: str, facing: int) -> list[str]:
    """Return the possible angles of a shot from a hex at a vehicle in H8 that faces the given hexside."""
    state = an_advanced_state(a_tank("b1", start, "crusader1"), a_tank("g1", "H8", "pz3j", facing=facing))
    shot = a_shot(advanced_data(sides=state.sides), state)
    return [angle.value for angle in angles_of(shot)]


def on_a_line(divided: tuple[str, str]) -> str:
    """Return a hex from which the line of fire divides two angles of a vehicle in H8 facing 1."""
    for hex in disc(a_hex("H8"), 4):
        if hex != a_hex("H8") and tuple(angles(hex_name(hex), 1)) == divided:
            return hex_name(hex)
    raise AssertionError(f"nowhere {divided}")
