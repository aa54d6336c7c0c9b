"""6.7.3.1 Sight between aircraft and the ground.

6.7.3.1      in_field_and_sight, sight_finding
6.7.3.1.3    masked_by
"""

from __future__ import annotations

from pbem.engine.geometry.hexes import Hex, distance, hex_name, line, within_30
from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.cards.chart_rows import Altitude
from pbem.titles.panzer.sighting.terrain import board_now
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Flight, Unit


def in_field_and_sight(situation: Situation, flight: Flight, target: Unit) -> bool:
    """6.7.3.1 Whether the unit is in the 60-degree field ahead and not masked."""
    if not target.alive or target.hex is None or target.hex == flight.hex:
        return False
    if not within_30(flight.hex, target.hex, flight.facing):
        return False
    return masked_by(situation, flight.hex, flight.altitude, target.hex) is None


def masked_by(situation: Situation, above: Hex, altitude: Altitude, ground: Hex) -> Hex | None:
    """6.7.3.1.3 The obstacle that masks the line between an aircraft and a hex, or None."""
    data = situation.data
    if distance(above, ground) <= 1:
        return None
    board = board_now(situation)
    level = board.ground(ground)
    for hex in line(above, ground).hexes:
        if not board.is_on_map(hex):
            continue
        top = board.ground(hex) + data.charts.inherent_height(board.terrain(hex), board.storeys(hex))
        if distance(hex, ground) <= data.advanced.masked_hexes(altitude, top - level):
            return hex
    return None


def sight_finding(situation: Situation, flight: Flight, target: Unit) -> Finding:
    """6.7.3.1 Explain an aircraft's field of view and line of sight to a unit."""
    assert target.hex is not None
    obstacle = masked_by(situation, flight.hex, flight.altitude, target.hex)
    inputs = {"from": hex_name(flight.hex), "to": hex_name(target.hex), "altitude": flight.altitude}
    masked = Finding("6.7.3.1.3", inputs=inputs, result=hex_name(obstacle) if obstacle else "open")
    seen = in_field_and_sight(situation, flight, target)
    return Finding("6.7.3.1", inputs={"target": target.id, "facing": flight.facing}, result=seen, children=(masked,))
