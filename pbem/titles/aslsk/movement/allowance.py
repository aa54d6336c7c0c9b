"""3.3.1 How far Infantry can go: MF allowances and the cost of hexes, in half MF.

3.3.1/mf-bonus    allowance_of
1.1.1.3           road bonus
1.1.1             cost_of
3.7               advance_allowance
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Going, Unit
from pbem.titles.aslsk.weapons.possession import capacity, excess_points

MF: Final = 2
"""The number of half MF in one MF."""
LEADER_MF, WOUNDED_MF, MMC_MF, INEXPERIENCED_MF = 6 * MF, 3 * MF, 4 * MF, 3 * MF
LEADER_BONUS = DOUBLE_TIME = 2 * MF
ROAD_BONUS = 1 * MF
SMOKE_COST = 1 * MF
ROUT_MF = 6 * MF


def printed_allowance(situation: Situation, unit: Unit) -> int:
    """3.3.1 The basic MF of a unit: 6 for an SMC (3 if wounded), 4 for an MMC (3 if inexperienced)."""
    if situation.is_leader(unit):
        return WOUNDED_MF if unit.wounded else LEADER_MF
    return INEXPERIENCED_MF if situation.is_inexperienced(unit) else MMC_MF


def may_double(unit: Unit) -> bool:
    """3.3.1/double-time Whether a unit may use Double Time, which wounded and CX units may not."""
    return not (unit.wounded or unit.cx or unit.no_double)


def runs(unit: Unit, *, double: bool) -> bool:
    """3.3.1/double-time Whether a unit uses Double Time, or would use it if its stack were ordered to."""
    return unit.going.double if unit.going is not None else double and may_double(unit)


def portage_help(situation: Situation, unit: Unit, stack: Sequence[Unit], *, double: bool = False) -> int:
    """4.0/portage The IPC that a leader in the stack lends to one MMC: the one that carries the most."""
    leaders = [one for one in stack if situation.is_leader(one) and not one.broken]
    loaded = sorted((one for one in stack if situation.is_mmc(one)), key=lambda one: -excess_points(situation, one))
    place = next((number for number, one in enumerate(loaded) if one.id == unit.id), len(leaders))
    if place >= len(leaders):
        return 0
    leader = leaders[place]
    return capacity(situation, leader, cx=leader.cx or runs(leader, double=double))


def allowance_of(
    situation: Situation,
    unit: Unit,
    stack: Sequence[Unit],
    *,
    double: bool = False,
    dropped: Collection[str] = (),
) -> int:
    """3.3.1/mf-bonus A unit's MF: basic MF, +2 with a leader in the stack, +2 for Double Time, minus excess PP.

    Weapons `dropped` before the first step are not counted (4.0/drop-recover).
    """
    started = unit.going.printed if unit.going is not None else 0
    allowance = started or printed_allowance(situation, unit)
    if unit.wounded:
        allowance = min(allowance, WOUNDED_MF)  # 3.2.3/wounds possibly during this move
    if situation.is_mmc(unit) and any(situation.is_leader(one) for one in stack):
        allowance += LEADER_BONUS
    running = runs(unit, double=double)
    if running:
        allowance += DOUBLE_TIME
    help = portage_help(situation, unit, stack, double=double)
    excess = excess_points(situation, unit, help=help, cx=unit.cx or running, without=dropped)
    return max(0, allowance - excess * MF)


def weigh_again(situation: Situation, units: Sequence[Unit]) -> None:
    """3.3.1/mf-bonus Compute the allowance again for a stack that has lost units, left some behind or changed its
    load.

    Once MF have been spent, the allowance can only fall, and not below the MF spent.
    """
    for unit in units:
        going = unit.going
        if going is None:
            continue
        now = allowance_of(situation, unit, units)
        going.allowance = max(going.spent, min(going.allowance, now)) if going.spent else now
        going.basic = allowance_of(situation, unit, [unit])


def left_of(going: Going, *, by_road: bool) -> int:
    """1.1.1.3 The MF left, with the road bonus only if every hexside crossed was a road hexside."""
    bonus = ROAD_BONUS if by_road and going.by_road and not going.assault else 0
    return going.allowance + bonus - going.spent


def cost_of(situation: Situation, start: str, end: str, *, cover: bool = False, smoke: bool = True) -> int:
    """1.1.1 The cost of entering a hex: terrain and crest, or the road rate across a road hexside, plus Smoke.

    `cover` chooses the woods or orchard cost in a road hex (1.1.1.5).
    """
    road = situation.ground.road_between(start, end) and not cover
    extra = SMOKE_COST if smoke and situation.state.smoke.get(end) else 0
    return situation.ground.infantry_cost(start, end, road) + extra


def keeps_to_road(situation: Situation, start: str, end: str, *, cover: bool) -> bool:
    """1.1.1.3 Whether this step keeps the road bonus: a road hexside at road rate, without a Smoke cost."""
    return situation.ground.road_between(start, end) and not cover and not situation.state.smoke.get(end)


def advance_allowance(situation: Situation, unit: Unit, stack: Sequence[Unit]) -> int:
    """3.7 The MF with which the cost of an advance is compared, without road bonus and Double Time."""
    return allowance_of(situation, unit, stack)
