"""3.2.4, 7.9 The chances before a shot: to hit a vehicle or Infantry, and to destroy the vehicle.

hit_chance     the chance to hit, in percent, rounded down
kill_chance    the chance to hit and destroy, in percent
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

import msgspec

from pbem.titles.aslsk.chance import Dice
from pbem.titles.aslsk.fire.components import Attack, Component
from pbem.titles.aslsk.fire.drm import Modifier, total
from pbem.titles.aslsk.ordnance.to_hit import hit_modifiers, hit_number
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Vehicle
from pbem.titles.aslsk.vehicles.hitting import IN_SIGHT, rolled_on_the_move
from pbem.titles.aslsk.vehicles.kill import aspect_of, kill_number
from pbem.titles.aslsk.vehicles.target import usual_shell, vehicle_hit_modifiers

ALL_DICE: Final = tuple(Dice(white, coloured) for white, coloured in product(range(1, 7), repeat=2))
UNKNOWN: Final = ("3.2.1", "1.2.5")
"""3.2.1/declaration The rules of DRM that players do not know before a shot with `los = printed`."""


def odds(hits: int) -> int:
    """A number of rolls as a percentage of all 36."""
    return hits * 100 // 36


def drm_against(situation: Situation, one: Component, attack: Attack, vehicle: Vehicle) -> int:
    """3.2.4/known-th-drm The To Hit DRM, as far as it can be known before the shot."""
    found = vehicle_hit_modifiers(situation, one, attack, vehicle)
    return total(found if situation.data.options.los == "open" else knowable(situation, found))


def knowable(situation: Situation, found: Sequence[Modifier]) -> list[Modifier]:
    """3.2.1/declaration The DRM that do not depend on a line of sight, that is, all except hindrances and MP spent in
    sight.
    """
    usual = situation.data.charts.modifier("moving vehicle").first
    known = [row for row in found if row.rule not in UNKNOWN and not row.text.endswith(IN_SIGHT)]
    return [msgspec.structs.replace(row, value=usual) if row.rule == "3.2.4/continuous-los" else row for row in known]


def hitting_rolls(situation: Situation, one: Component, attack: Attack, vehicle: Vehicle) -> list[Dice]:
    """3.2.4 The dice rolls that hit."""
    number, drm = hit_number(situation, one, attack), drm_against(situation, one, attack, vehicle)
    return [dice for dice in ALL_DICE if rolled_on_the_move(one, dice) + drm <= number]


def with_shell(situation: Situation, one: Component, attack: Attack) -> Attack:
    return msgspec.structs.replace(attack, how=attack.how or usual_shell(situation, one))


def hit_chance(situation: Situation, one: Component, attack: Attack) -> int:
    """3.2.4 The chance to hit a vehicle, or the unit in the hex that is easiest to hit, in percent."""
    vehicle = situation.state.vehicles.get(attack.target)
    if vehicle is not None:
        return odds(len(hitting_rolls(situation, one, with_shell(situation, one, attack), vehicle)))
    targets = situation.enemies_at(attack.at, one.unit.seat)
    number = hit_number(situation, one, attack)
    rows = [hit_modifiers(situation, one, attack, unit) for unit in targets] or [
        hit_modifiers(situation, one, attack, None)
    ]
    if situation.data.options.los != "open":
        rows = [knowable(situation, found) for found in rows]
    drm = min(total(found) for found in rows)
    return odds(sum(rolled_on_the_move(one, dice) + drm <= number for dice in ALL_DICE))


def kill_chance(situation: Situation, one: Component, attack: Attack) -> int:
    """7.9 The chance to hit and destroy a vehicle, in percent."""
    vehicle = situation.state.vehicles[attack.target]
    attack = with_shell(situation, one, attack)
    kills = 0
    for dice in hitting_rolls(situation, one, attack, vehicle):
        aspect = aspect_of(situation, one.hex, vehicle, dice)
        found = kill_number(situation, one, attack.how, vehicle, aspect, critical=dice.total == 2)
        final = found.final if found is not None else 0
        kills += sum(roll.total < final and roll.total != 12 for roll in ALL_DICE)
    return kills * 100 // 36**2
