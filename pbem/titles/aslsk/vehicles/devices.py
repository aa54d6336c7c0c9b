"""7.5 Smoke devices of vehicles: dischargers, mortars, pots, and the close defence weapon as a smoke device.

7.5    device_objections, use_device
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.rules.happenings import Area
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.chance import roll_two
from pbem.titles.aslsk.failing import report_attempt
from pbem.titles.aslsk.fire.drm import Modifier, rows, total
from pbem.titles.aslsk.ground.lattice import spines_turned
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Smoke, Vehicle
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.weapons.possession import lose_acquisition

MORTAR_RANGE = 3


def device_objections(situation: Situation, vehicle: Vehicle, hex: str) -> Iterator[Objection]:
    """7.5 Object if the vehicle has tried a device or fired, is BU with sP or CE with sN, or sM is out of range."""
    rule, card = "7.5", situation.vehicle_card(vehicle)
    if not card.smoke_device:
        yield Objection(rule, say("{vehicle} has no smoke device", vehicle=vehicle.id))
        return
    if vehicle.device_tried or vehicle.used:
        yield Objection(rule, say("{vehicle} has already tried its smoke device, or has fired", vehicle=vehicle.id))
    if not situation.good_order(vehicle) or not vehicle.at:
        yield Objection(rule, say("the crew of {vehicle} is out of action", vehicle=vehicle.id))
    if card.smoke_device == "sP" and not vehicle.ce:
        yield Objection(rule, say("the crew of {vehicle} must be exposed", vehicle=vehicle.id))
    if card.smoke_device == "sN" and vehicle.ce:
        yield Objection(rule, say("{vehicle} must be buttoned up", vehicle=vehicle.id))
    if card.smoke_device == "sM":
        yield from mortar_objections(situation, vehicle, hex)
    elif hex and hex != vehicle.at:
        yield Objection(rule, say("{vehicle} can make smoke only in its own hex", vehicle=vehicle.id))


def mortar_objections(situation: Situation, vehicle: Vehicle, hex: str) -> Iterator[Objection]:
    """7.5 Object to a smoke mortar that fires from a building or at a range other than 1 to 3 hexes; sight is
    ignored with `los = printed`.
    """
    distance = situation.ground.distance(vehicle.at, hex) if hex in situation.ground and vehicle.at else 0
    if not 1 <= distance <= MORTAR_RANGE:
        yield Objection("7.5", say("a smoke mortar has a range of 1 to 3 hexes"))
        return
    blocked = situation.data.options.los == "open" and not situation.sees(vehicle.at, hex)
    if situation.ground[vehicle.at].terrain == "building" or blocked:
        yield Objection("7.5", say("{vehicle} cannot place smoke in {hex}", vehicle=vehicle.id, hex=hex))


def device_modifiers(situation: Situation, vehicle: Vehicle, hex: str) -> list[Modifier]:
    """7.5 The DRM of a device: +1 if BU; for a smoke mortar also turning, moving and hindrances."""
    card, charts = situation.vehicle_card(vehicle), situation.data.charts
    found = [] if vehicle.ce else [Modifier("7.5", "BU", 1)]
    if card.smoke_device != "sM":
        return found
    spines = spines_turned(vehicle.tca, mortar_facing(situation, vehicle, hex))
    if spines:
        row = charts.modifier("arc T" if card.turret == "T" else "arc NT" if card.turret == "NT" else "arc ST")
        found.append(Modifier("7.5", "turns", row.first + row.further * (spines - 1)))
    if not vehicle.stopped:
        found.append(Modifier("7.5", "moving", 2))
    hindrance = situation.sight(vehicle.at, hex).hindrance
    return [*found, Modifier("7.5", "hindrance", hindrance)] if hindrance else found


def mortar_facing(situation: Situation, vehicle: Vehicle, hex: str) -> int:
    """7.5, 3.2.4/covered-arc The turret facing that covers a hex with the smallest turn; in a tie, the clockwise
    one.
    """
    facings, now = situation.ground.arcs_to(vehicle.at, hex), vehicle.tca
    return min(facings, key=lambda spine: (spines_turned(now, spine), (now - spine) % 6), default=now)


def turn_mortar(table: AslskTable, vehicle: Vehicle, hex: str) -> None:
    """7.5, 7.8 Turn a smoke mortar with its turret as if it fired, which costs acquired targets (6.10)."""
    facing = mortar_facing(table.situation, vehicle, hex)
    if facing == vehicle.tca:
        return
    vehicle.turret_turned = spines_turned(vehicle.tca, facing)
    vehicle.tca = facing
    lose_acquisition(table.situation, vehicle)
    table.find("3.3.2/vca", inputs={"vehicle": vehicle.id, "turret": facing}, result="turns its turret")


def use_device(table: AslskTable, vehicle: Vehicle, hex: str = "") -> bool:
    """7.5 Use a device: a Final DR up to the usage number places dispersed smoke; return whether it was placed."""
    situation = table.situation
    card, at = situation.vehicle_card(vehicle), hex or vehicle.at
    modifiers = device_modifiers(situation, vehicle, at)
    vehicle.device_tried = True
    if card.smoke_device == "sM":
        turn_mortar(table, vehicle, at)
    dice = roll_two(table, "7.5", vehicle.id)
    seen = at == vehicle.at or situation.sees(vehicle.at, at)
    placed = seen and dice.total + total(modifiers) <= card.smoke_number
    if placed:
        table.state.smoke.setdefault(at, []).append(Smoke("dispersed", vehicle.seat))
    table.find(
        "7.5",
        inputs={
            "vehicle": vehicle.id,
            "at": at,
            "device": card.smoke_device,
            "number": card.smoke_number,
            **({} if seen else {"no_sight": True}),
        },
        modifiers=rows(modifiers),
        dice=dice.pair,
        result="placed" if placed else "not placed",
        shows=[Area("smoke", (at,), vehicle.id)] if placed else [],
    )
    if not placed:
        blind = Objection("7.5", say("the vehicle has no line of sight to {at}", at=at))
        why = Objection("7.5", say("no smoke was placed (rolled {dice})", dice=dice.total)) if seen else blind
        report_attempt(table, vehicle, f"device {hex}".strip(), why)
    return placed
