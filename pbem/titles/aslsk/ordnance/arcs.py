"""3.2.4/covered-arc The covered arc of a Gun: which facings cover a hex, and what turning costs.

3.2.4/covered-arc      best_facing, spines_to
3.2.4/known-th-drm     turn_modifier (No. 8)
3.2.4/rof-reduction    turning lowers the rate of fire of a Gun without a rotating mount
"""

from __future__ import annotations

from pbem.titles.aslsk.fire.modifiers import Modifier
from pbem.titles.aslsk.ground.lattice import spines_turned
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, Weapon


def best_facing(situation: Situation, weapon: Weapon, at: str, target: str) -> int:
    """3.2.4/covered-arc The facing that covers a hex with the smallest turn, clockwise on a tie."""
    if weapon.facing < 0 or at == target or situation.ground.in_arc(at, weapon.facing, target):
        return weapon.facing
    fitting = situation.ground.arcs_to(at, target)
    return min(fitting, key=lambda facing: (spines_turned(weapon.facing, facing), (weapon.facing - facing) % 6))


def spines_to(situation: Situation, weapon: Weapon, at: str, target: str) -> int:
    """3.2.4/covered-arc How many hexspines a Gun must turn to fire at a hex."""
    return spines_turned(weapon.facing, best_facing(situation, weapon, at, target)) if weapon.facing >= 0 else 0


def turn_modifier(situation: Situation, weapon: Weapon, at: str, target: str) -> Modifier | None:
    """3.2.4/known-th-drm No. 8: the first hexspine and each further one, by the mount."""
    spines, gun = spines_to(situation, weapon, at, target), situation.gun_card(weapon)
    if not spines or gun is None:
        return None
    row = situation.data.charts.modifier("arc 360" if gun.turning else "arc NT")
    return Modifier("3.2.4/covered-arc", "changes CA", row.first + row.further * (spines - 1), True)


def rate_of(situation: Situation, weapon: Weapon, user: Unit, *, turns: bool) -> int:
    """3.2.4/rof-reduction The rate of fire of a Gun: captured, non-qualified use and turning lower it."""
    gun = situation.gun_card(weapon)
    rate = situation.weapon_card(weapon).rof - (1 if situation.captured(weapon) else 0)
    if gun is None:
        return rate
    rate -= 0 if is_qualified(situation, user) else 1
    return rate - (1 if (turns or weapon.turned) and not gun.turning and not gun.mortar else 0)


def is_qualified(situation: Situation, user: Unit) -> bool:
    """3.2.4/non-qualified A Gun needs a crew."""
    return situation.card(user).kind == "crew"
