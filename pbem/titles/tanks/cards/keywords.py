"""T9 Keywords on tank cards.

T9.1    Assault Gun: sight from the hull's front, forward arc (T7.2, T7.3)
T9.2    Blitzkrieg: a move instead of a repair (in `command.phase`)
T9.3    Coordinated Fire: coordinating
T9.4    Fast: is_fast
T9.5    Gung Ho: counted_speed
T9.6    Semi-Indirect Fire: dice_kept
ours    Heavy: no side shot; Big Gun: one hit may become a critical
"""

from __future__ import annotations

from pbem.titles.tanks.cards.crew_and_upgrades import carries, held_cards
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.ground.geometry import near
from pbem.titles.tanks.ground.terrain import hull
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank

ASSAULT_GUN = "assault-gun"
BLITZKRIEG = "blitzkrieg"
COORDINATED_FIRE = "coordinated-fire"
FAST = "fast"
GUNG_HO = "gung-ho"
SEMI_INDIRECT_FIRE = "semi-indirect-fire"
HEAVY = "heavy"
BIG_GUN = "big-gun"


def has(data: TanksData, tank: Tank, keyword: str) -> bool:
    return keyword in data.models[tank.model].keywords


def is_fast(data: TanksData, tank: Tank, *, charged: bool) -> bool:
    """T9.4 Whether a tank is Fast because of its card or a Supercharger, and no other card prevents that."""
    return (has(data, tank, FAST) or charged) and carries(data, tank, "no_fast") is None


def coordinating(situation: Situation, shooter: Tank, target: Tank) -> Tank | None:
    """T9.3 A friend within one arrow that has shot at this target in this Shooting Phase."""
    data, view = situation.data, situation.state
    if not has(data, shooter, COORDINATED_FIRE):
        return None
    own = hull(data, shooter)
    for by, at in view.shots:
        friend = view.tanks[by]  # a tank that shot at an enemy
        if at == target.id and by != shooter.id and near(own, hull(data, friend), data.scenario.arrow):
            return friend
    return None


def counted_speed(data: TanksData, shooter: Tank) -> int:
    """T7.6, T9.5 The shooter's speed that counts in the target's favour; Gung Ho reduces it by one."""
    return max(0, shooter.speed - 1) if has(data, shooter, GUNG_HO) else shooter.speed


def dice_kept(data: TanksData, tank: Tank) -> int:
    """T9.6 The number of dice that the tank may keep when it rerolls; 0 if it lacks the keyword."""
    if not has(data, tank, SEMI_INDIRECT_FIRE):
        return 0
    return max([1, *(card.effect.keep_dice for _, card in held_cards(data, tank))])
