"""7.32, 7.33 Weight limits of bridges and ice, and vehicles with dual driving controls.

    7.32    weight_of, bridge_limit, bridge_objections, ice_bears
    7.33    has_dual_controls

Streams and water are in `waters`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.state import Unit

TENTHS: Final = 10
"""Tenths per ton: cards give tenths of a ton, scenarios tons."""
DUAL_CONTROLS: Final = "dual_controls"


def weight_of(data: PanzerData, unit: Unit) -> int:
    """7.32 The weight in tenths of a ton; gun cards give no weight, so only the vehicle's own is used."""
    return data.vehicle(unit).weight if unit.kind == "vehicle" else 0


def bridge_limit(data: PanzerData, hex: Hex) -> int:
    """7.32 The weight limit of the bridge in a hex, in tons; 0 for no limit."""
    conditions = data.scenario.conditions
    return conditions.bridge_limits.get(hex_name(hex), conditions.bridges) if data.plays("weight_limits") else 0


def bridge_objections(data: PanzerData, board: Board, unit: Unit, hex: Hex) -> Iterator[Objection]:
    """7.32 Object if a vehicle is too heavy for a bridge."""
    limit = bridge_limit(data, hex)
    if limit and board.is_bridge(hex) and weight_of(data, unit) > limit * TENTHS:
        tons = "{}.{}".format(*divmod(weight_of(data, unit), TENTHS))
        yield Objection(
            "7.32",
            say(
                "the bridge in {hex} can bear {limit} tons, but the unit weighs {tons}",
                hex=hex_name(hex),
                limit=limit,
                tons=tons,
            ),
        )


def ice_bears(data: PanzerData, unit: Unit) -> bool:
    """7.32 Whether the ice on a stream bears a unit; it always bears leg units."""
    limit = data.scenario.conditions.ice if data.plays("weight_limits") else 0
    return not limit or weight_of(data, unit) <= limit * TENTHS


def has_dual_controls(data: PanzerData, unit: Unit) -> bool:
    """7.33 Whether the card has an R after the mode of traction; if so, reverse costs the same as forward."""
    return data.plays("dual_controls") and unit.kind == "vehicle" and data.vehicle(unit).has(DUAL_CONTROLS)
