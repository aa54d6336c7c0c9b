"""Conditions of orders: public facts, checked when a tank's turn comes.

A seat gives its orders for a whole phase at once; a condition stands in for what the
player would have seen on the table by then.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.titles.tanks.cards.criticals import full
from pbem.titles.tanks.ground.geometry import near
from pbem.titles.tanks.ground.sighting import can_see
from pbem.titles.tanks.ground.terrain import hull
from pbem.titles.tanks.player.orders import Condition
from pbem.titles.tanks.situation import Situation


def hold(situation: Situation, conditions: Iterable[Condition]) -> bool:
    """Whether all conditions are true now."""
    return all(holds(situation, condition) is not condition.no for condition in conditions)


def holds(situation: Situation, condition: Condition) -> bool:
    """Whether the statement of a condition is true now, before any `not` is applied."""
    data, view = situation.data, situation.state
    tanks = [view.tanks[unit] for unit in condition.units]
    match condition.what:
        case "moved":
            return not tanks[0].stationary
        case "out":
            return not tanks[0].live or full(data, tanks[0])
        case "shot":
            return any(target == tanks[0].id for _, target in view.shots)
        case "hurt":
            return tanks[0].damage > 0
        case "sees":
            return tanks[0].live and can_see(situation, tanks[0], tanks[1])
        case "near":
            return near(hull(data, tanks[0]), hull(data, tanks[1]), condition.within)
