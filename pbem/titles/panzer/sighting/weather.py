"""7.36 Time of day and weather: the scenario's settings for visibility, caution and the ground.

    7.36.1    visibility: rows of the Spotting Range Table
    7.36.2    caution, cautious_halvings, caution_finding, caution_objections
    7.36.3    ground_here: hexes with snow or mud; snow_items; bog_factor

Streams are in `waters`. Without the rule it is day, the sky is clear and the ground is firm.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.basic_rows import LinkKind
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.movement.steps.costs import Item
from pbem.titles.panzer.setup.scenario import Conditions
from pbem.titles.panzer.state import Unit

WEATHER: Final = "weather"
FAIR: Final = Conditions()
"""7.36 Conditions of clear daylight, with nothing adverse on the ground."""
TIRELESS: Final = ("section",)
"""7.36.2 The sizes of leg units that may quickmarch despite cautious movement."""


def conditions_of(data: PanzerData) -> Conditions:
    """7.36 The scenario's conditions, if the rule is in use."""
    return data.scenario.conditions if data.plays(WEATHER) else FAIR


def weather_finding(data: PanzerData) -> Finding | None:
    """7.36 The weather of the match; None on a fine day."""
    found = conditions_of(data)
    if not data.plays(WEATHER):
        return None
    inputs = {"spotting": found.spotting, "caution": found.caution, "ground": found.ground, "streams": found.streams}
    fair = all(getattr(found, name) == getattr(FAIR, name) for name in inputs)
    return Finding("7.36", inputs=inputs, result="fair" if fair else "adverse")


# --- 7.36.1 sight ----------------------------------------------------------------------------------------------


def visibility(data: PanzerData) -> list[AdvancedModifier]:
    """7.36.1 The scenario's row shift for all spotters."""
    rows = conditions_of(data).spotting
    chart = data.advanced.modifiers["spotting"] if rows else ()
    return [msgspec.structs.replace(row, value=row.value * rows) for row in chart if row.when == "visibility"]


# --- 7.36.2 cautious movement ----------------------------------------------------------------------------------


def caution(data: PanzerData) -> Literal["none", "limited", "extreme"]:
    """7.36.2 How far visibility is limited."""
    return conditions_of(data).caution


def cautious_halvings(data: PanzerData, unit: Unit) -> int:
    """7.36.2 How often movement is halved: once for vehicles, never for units on foot, which are slow enough."""
    return int(unit.kind == "vehicle" and caution(data) != "none")


def has_road_rate(data: PanzerData) -> bool:
    """7.36.2 Whether the path and road rates are available: not in extremely limited visibility."""
    return caution(data) != "extreme"


def caution_finding(data: PanzerData, unit: Unit, usable: object) -> list[Finding]:
    """7.36.2 Explain the reduced speed."""
    if not cautious_halvings(data, unit):
        return []
    return [Finding("7.36.2", inputs={"unit": unit.id, "caution": caution(data)}, result=usable)]


def caution_objections(data: PanzerData, unit: Unit, mode: str) -> Iterator[Objection]:
    """7.36.2 Object to path and road rates in very poor visibility, and to quickmarches of squads and half-squads."""
    if mode in ("road", "path") and not has_road_rate(data):
        yield Objection(
            "7.36.2", say("it is too dark for the path and road rate; move across country along the road")
        )
    if mode == "quick" and caution(data) != "none" and unit.kind == "leg" and data.leg(unit).size not in TIRELESS:
        yield Objection("7.36.2", say("squads and half-squads move with caution, so they cannot quickmarch"))


# --- 7.36.3 the ground -----------------------------------------------------------------------------------------


def ground_here(data: PanzerData, board: Board, hex: Hex, link: LinkKind | None = None) -> Literal["", "snow", "mud"]:
    """7.36.3 Snow or mud in a hex, or on the road or path by which it is entered."""
    found = conditions_of(data)
    if not found.ground or (found.ground_hexes and hex_name(hex) not in found.ground_hexes):
        return ""
    if link is not None:
        return found.ground if link in found.ground_terrain else ""
    affected = found.ground_terrain or board.terrain(hex)
    return found.ground if any(name in affected for name in board.terrain(hex)) else ""


def snow_items(data: PanzerData, board: Board, hex: Hex, link: LinkKind | None) -> list[Item]:
    """7.36.3 Snow makes a hex one point more expensive."""
    if ground_here(data, board, hex, link) != "snow":
        return []
    return [Item("7.36.3/snow", "snow", data.advanced.number("snow_cost"))]


def bog_factor(data: PanzerData, board: Board, hex: Hex) -> int:
    """7.36.3 The factor for bog ranges, which mud doubles."""
    return data.advanced.number("mud_bog") if ground_here(data, board, hex) == "mud" else 1
