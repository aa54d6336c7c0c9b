"""3.2.2, 3.2.4 Fire a declared attack: ordnance rolls To Hit, everything else goes straight to the fire table."""

from __future__ import annotations

from pbem.titles.aslsk.fire.attack import fire as fire_small_arms
from pbem.titles.aslsk.fire.components import Attack, firing
from pbem.titles.aslsk.ordnance.shot import shoot
from pbem.titles.aslsk.ordnance.to_hit import is_ordnance
from pbem.titles.aslsk.tabletop import AslskTable


def fire(table: AslskTable, attack: Attack) -> list[str]:
    """Resolve a legal declaration; return the weapons that kept their rate of fire."""
    firers = firing(table.situation, attack)
    if len(firers) == 1 and is_ordnance(table.situation, firers[0]):
        return shoot(table, firers[0], attack)
    return fire_small_arms(table, attack)
