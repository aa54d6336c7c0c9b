"""Conditions of orders: public facts, checked when a tank's turn comes.

A seat gives its orders for a whole phase at once; a condition takes the place of what the player would have seen on
the table by then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.tanks.cards.criticals import full
from pbem.titles.tanks.ground.geometry import near
from pbem.titles.tanks.ground.sighting import can_see
from pbem.titles.tanks.ground.terrain import hull
from pbem.titles.tanks.player.orders import Condition
from pbem.titles.tanks.player.words import write_condition
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import TanksState


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


# --- conditions that could be given ----------------------------------------------------------------------------


def condition_objections(view: TanksState, conditions: Sequence[Condition]) -> Iterator[Objection]:
    """T1.1 Object unless a condition names tanks on the table: one, or two for conditions on sight and distance."""
    for condition in conditions:
        wanted = 2 if condition.what in ("sees", "near") else 1
        if len(condition.units) != wanted or any(unit not in view.tanks for unit in condition.units):
            yield Objection(
                "T1.1",
                say(
                    "the condition '{what}' must name {wanted} of the tanks on the table",
                    what=condition.what,
                    wanted=wanted,
                ),
            )


def idle_condition_objections(situation: Situation, conditions: Sequence[Condition]) -> Iterator[Objection]:
    """T1.1 Object to conditions that decide nothing, because they are always true, never true or given twice.

    Only lines of text are refused for this; recorded answers stay as they are.
    """
    for number, condition in enumerate(conditions):
        said = write_condition(condition)
        opposite = msgspec.structs.replace(condition, no=not condition.no)
        if len(set(condition.units)) < len(condition.units):
            yield Objection("T1.1", say("“{condition}” names the same tank twice", condition=said))
        elif condition.what == "shot" and situation.state.phase == "movement":
            yield Objection("T1.1", say("no tank is shot at before the Shooting Phase"))
        elif condition.what == "near" and condition.within**2 >= 2 * situation.data.scenario.table**2:
            yield Objection("T1.1", say("“{condition}” is true anywhere on this table", condition=said))
        elif condition in conditions[:number]:
            yield Objection("T1.1", say("“{condition}” is given twice", condition=said))
        elif opposite in conditions[:number]:
            other = write_condition(opposite)
            yield Objection(
                "T1.1", say("“{other}” and “{condition}” are never both true", other=other, condition=said)
            )
