"""3.2.2, 3.2.4 Firing a declared attack: ordnance rolls To Hit, everything else goes straight to the fire table."""

from __future__ import annotations

import msgspec

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.failing import report_failure
from pbem.titles.aslsk.fire.attack import fire as fire_small_arms
from pbem.titles.aslsk.fire.components import Attack, components, firing
from pbem.titles.aslsk.ordnance.arcs import is_in_turret, spines_to
from pbem.titles.aslsk.ordnance.hidden import reveal
from pbem.titles.aslsk.ordnance.panzerfaust import fire_panzerfaust
from pbem.titles.aslsk.ordnance.shot import shoot
from pbem.titles.aslsk.ordnance.to_hit import is_ordnance
from pbem.titles.aslsk.state import Unit, Vehicle
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.vehicles.costs import is_rough
from pbem.titles.aslsk.vehicles.steps import bog_check
from pbem.titles.aslsk.vehicles.target import shoot_vehicle

PANZERFAUST = "pf"


def fire(table: AslskTable, attack: Attack) -> list[str]:
    """Resolve a legally declared attack; return the weapons that kept their rate of fire."""
    attack = without_bogged(table, attack)
    faust = attack.how == PANZERFAUST  # even a leader, who has no FP, may have a Panzerfaust
    firers = components(table.situation, attack.components) if faust else firing(table.situation, attack)
    if not firers:
        return []
    for one in firers:
        if isinstance(one.unit, Unit):
            reveal(table, one.unit, "it fires")  # 6.4
    if faust:
        return fire_panzerfaust(table, attack)
    if attack.target and len(firers) == 1:
        return shoot_vehicle(table, firers[0], attack)
    if len(firers) == 1 and is_ordnance(table.situation, firers[0]):
        return shoot(table, firers[0], attack)
    return fire_small_arms(table, attack)


def bogged_objection(vehicle: Vehicle) -> Objection:
    """7.6 Object that a vehicle bogged down when it turned for its weapon, which therefore did not fire."""
    return Objection("7.6", say("{vehicle} bogged down when it turned", vehicle=vehicle.id))


def without_bogged(table: AslskTable, attack: Attack) -> Attack:
    """7.6 Make bog checks for bow weapons that turn their vehicles in woods or a building; those that bog do not
    fire.
    """
    situation, stuck = table.situation, list[str]()
    for one in firing(situation, attack):
        vehicle, weapon = one.unit, one.weapon
        if not isinstance(vehicle, Vehicle) or weapon is None or is_in_turret(situation, weapon):
            continue
        turns = spines_to(situation, weapon, one.hex, attack.at) > 0
        if turns and is_rough(situation, vehicle.at) and not bog_check(table, vehicle, vehicle.at, None):
            stuck.append(one.id)
            report_failure(
                table, vehicle.seat, f"{one.id} fire at {attack.at}", [bogged_objection(vehicle)], units=[one.id]
            )
    left = tuple(id for id in attack.components if id not in stuck)
    return msgspec.structs.replace(attack, components=left) if stuck else attack
