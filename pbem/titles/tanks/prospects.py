"""What a shot or a place promises, judged from a seat's view: for standing orders, bots and remarks in forms.

    attack_strength, defence_strength, worth    a shot
    best_targets                                 by preference
    suits_reroll, suits_save                     whether dice should be rolled again
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pbem.titles.tanks.criticals import capacity, full
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.geometry import gap
from pbem.titles.tanks.shooting import Shot, attack_changes, defence_dice, shot_at
from pbem.titles.tanks.sighting import targets
from pbem.titles.tanks.state import Tank, TanksState
from pbem.titles.tanks.terrain import hull

Preference = Literal["best", "nearest", "weakest"]


def attack_strength(data: TanksData, view: TanksState, shot: Shot) -> int:
    """T7.4 The attack dice as far as they are known."""
    changes: int = sum(row["value"] for row in attack_changes(data, view, shot))
    return max(0, data.models[shot.shooter.model].attack + changes)


def worth(data: TanksData, view: TanksState, shot: Shot) -> int:
    """Expected damage in twentieths, more if it may finish the target. A stationary shooter rolls again."""
    dice, saves = attack_strength(data, view, shot), defence_dice(data, shot)
    expected = dice * (13 if shot.shooter.stationary else 10) - saves * 9
    left = capacity(data, shot.target) - shot.target.damage
    finishing = 15 if 0 < left * 20 <= max(expected, 20) else 0
    return max(2, expected) + finishing


def living_targets(data: TanksData, view: TanksState, shooter: Tank) -> list[str]:
    """T7.1, T7.12 Targets that are not out already."""
    return [target for target in targets(data, view, shooter) if not full(data, view.tanks[target])]


def best_targets(data: TanksData, view: TanksState, shooter: Tank, preference: Preference) -> list[str]:
    """T7.1 Whom to shoot at, the dearest first."""

    def rank(target_id: str) -> tuple[int, str]:
        target = view.tanks[target_id]
        if preference == "nearest":
            return int(gap(hull(data, shooter), hull(data, target))), target_id
        if preference == "weakest":
            return capacity(data, target) - target.damage, target_id
        return -worth(data, view, shot_at(data, view, shooter, target)), target_id

    return sorted(living_targets(data, view, shooter), key=rank)


def successes(dice: Sequence[int], least: int) -> int:
    return sum(die >= least for die in dice)
