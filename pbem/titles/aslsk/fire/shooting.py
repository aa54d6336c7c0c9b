"""3.2.2, 3.2.4 Fire a declared attack: ordnance rolls To Hit, everything else goes straight to the fire table."""

from __future__ import annotations

from pbem.titles.aslsk.fire.attack import fire as fire_small_arms
from pbem.titles.aslsk.fire.components import Attack, firing
from pbem.titles.aslsk.ordnance.hidden import reveal
from pbem.titles.aslsk.ordnance.panzerfaust import fire_panzerfaust
from pbem.titles.aslsk.ordnance.shot import shoot
from pbem.titles.aslsk.ordnance.to_hit import is_ordnance
from pbem.titles.aslsk.state import Unit
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.vehicles.target import shoot_vehicle

PANZERFAUST = "pf"


def fire(table: AslskTable, attack: Attack) -> list[str]:
    """Resolve a legal declaration; return the weapons that kept their rate of fire."""
    firers = firing(table.situation, attack)
    for one in firers:
        if isinstance(one.unit, Unit):
            reveal(table, one.unit, "it fires")  # 6.4
    if attack.how == PANZERFAUST:
        return fire_panzerfaust(table, attack)
    if attack.target and len(firers) == 1:
        return shoot_vehicle(table, firers[0], attack)
    if len(firers) == 1 and is_ordnance(table.situation, firers[0]):
        return shoot(table, firers[0], attack)
    return fire_small_arms(table, attack)
