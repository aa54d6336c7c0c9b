"""4.0 Possession of weapons: portage, dropping, recovery and transfer.

4.0/portage         capacity, excess_points
4.0/drop-recover    drop, drop_all, take
3.6/rout-portage    the weapons that a routing unit keeps
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final

from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Weapon
from pbem.titles.aslsk.tabletop import AslskTable

MMC_CAPACITY: Final = 3
SMC_CAPACITY: Final = 1
MOST_FOR_SMC: Final = 2


def capacity(situation: Situation, unit: Unit, *, cx: bool | None = None) -> int:
    """4.0/portage The IPC of a unit: 3 for an MMC, 1 for an SMC, 0 for a wounded SMC, and one less for a unit that is
    CX.
    """
    tired = unit.cx if cx is None else cx
    if situation.is_leader(unit):
        return 0 if unit.wounded else max(0, SMC_CAPACITY - tired)
    return MMC_CAPACITY - tired


def points(situation: Situation, weapons: Sequence[Weapon]) -> int:
    """4.0/portage The total portage points of some weapons."""
    return sum(situation.weapon_card(weapon).pp for weapon in weapons)


def excess_points(
    situation: Situation, unit: Unit, *, help: int = 0, cx: bool | None = None, without: Collection[str] = ()
) -> int:
    """4.0/portage The PP above the unit's IPC, each costing 1 MF; `help` is the IPC of an accompanying leader."""
    carried = points(situation, [one for one in situation.weapons(unit) if one.id not in without])
    return max(0, carried - capacity(situation, unit, cx=cx) - help)


def too_heavy(situation: Situation, unit: Unit, weapon: Weapon) -> bool:
    """4.0/portage Whether a weapon is too heavy for a unit: a leader carries at most 2 PP and cannot man a Gun."""
    carried = points(situation, [*situation.weapons(unit), weapon])
    heavy = carried > MOST_FOR_SMC or situation.gun_card(weapon) is not None  # 1.2.6 a Gun needs an MMC
    return situation.is_leader(unit) and heavy


def drop(table: AslskTable, weapon: Weapon, rule: str = "4.0/drop-recover") -> None:
    """4.0/drop-recover Leave a weapon unpossessed in its holder's hex."""
    holder = table.state.units[weapon.holder]
    weapon.at, weapon.holder = holder.at, ""
    weapon.lose_target()
    weapon.fired = weapon.fired or holder.fired
    table.find(rule, inputs={"weapon": weapon.id, "unit": holder.id, "at": weapon.at}, result="dropped")


def drop_all(table: AslskTable, unit: Unit) -> None:
    """4.0/drop-recover Leave an eliminated unit's weapons in its hex; off the board the weapons are lost with the
    unit.
    """
    for weapon in table.situation.weapons(unit):
        if unit.at:
            drop(table, weapon)
        else:
            del table.state.weapons[weapon.id]


def lying_in(situation: Situation, hex: str) -> list[Weapon]:
    return [weapon for weapon in situation.state.weapons.values() if not weapon.holder and weapon.at == hex]


def lose_acquisition(situation: Situation, unit: Piece) -> None:
    """6.10 Remove the acquired targets of all weapons of a unit or vehicle."""
    for weapon in situation.weapons(unit):
        weapon.lose_target()


def take(table: AslskTable, unit: Unit, weapon: Weapon) -> None:
    """4.0/drop-recover Give a unit possession of a weapon."""
    weapon.holder, weapon.at, weapon.frozen = unit.id, "", True


def keeps_when_routing(situation: Situation, unit: Unit) -> Iterator[Weapon]:
    """3.6/rout-portage The weapons a routing unit keeps: those with the largest sum of PP within its IPC; of equal
    sums, those with the most FP.
    """
    weapons = situation.weapons(unit)
    limit = capacity(situation, unit)
    weapons = [weapon for weapon in weapons if situation.gun_card(weapon) is None]
    light = [weapon for weapon in weapons if situation.weapon_card(weapon).pp == 0]
    heavy = [weapon for weapon in weapons if situation.weapon_card(weapon).pp]
    best: tuple[Weapon, ...] = ()
    for number in range(len(heavy) + 1):
        for some in combinations(heavy, number):
            if points(situation, some) <= limit and worth(situation, some) > worth(situation, best):
                best = some
    yield from (*light, *best)


def worth(situation: Situation, weapons: Sequence[Weapon]) -> tuple[int, int]:
    return points(situation, weapons), sum(situation.weapon_card(weapon).fp for weapon in weapons)
