"""T7.1 to T7.3 Legal targets, with every objection.

T7.1    target_objections, targets
T7.2    can_see, sight_objections
T7.3    arc_objections
T7.12   a tank with full damage still shoots
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.tanks.cards.criticals import cannot_shoot, front_only
from pbem.titles.tanks.cards.keywords import ASSAULT_GUN, has
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.ground.line_of_sight import blockers, blocking_names, eye, in_between, in_front, sees_any_part
from pbem.titles.tanks.ground.terrain import Screen, hull, screens, stance
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank


def eye_of(data: TanksData, tank: Tank) -> Point:
    """T7.2, T9.1 The point where a tank's sight starts."""
    body = data.bodies[tank.model]
    return eye(body, tank.at, tank.heading, from_front=has(data, tank, ASSAULT_GUN))


def can_see(situation: Situation, shooter: Tank, target: Tank) -> bool:
    """T7.2 Whether the shooter has a line of sight to some part of the target."""
    return sees_through(situation.data, shooter, target, screens(situation, shooter.id, target.id))


def sees_through(data: TanksData, shooter: Tank, target: Tank, between: Sequence[Screen]) -> bool:
    """T7.2 Whether the shooter has a line of sight to some part of the target past the given screens."""
    own, other, origin = hull(data, shooter), hull(data, target), eye_of(data, shooter)
    return sees_any_part(origin, other, blockers(in_between(origin, other, between), own, other))


def sight_objections(situation: Situation, shooter: Tank, target: Tank) -> Iterator[Objection]:
    """T7.2 Yield an objection for each obstacle that blocks the line of sight, with its name."""
    data = situation.data
    if can_see(situation, shooter, target):
        return
    yield Objection("T7.2", say("no part of the target can be seen"))
    own, other = hull(data, shooter), hull(data, target)
    blocking = blockers(screens(situation, shooter.id, target.id), own, other)
    for screen in blocking_names(eye_of(data, shooter), other, blocking):
        yield Objection(screen.rule, say("{screen} blocks the line of sight", screen=screen.name))


def arc_objections(data: TanksData, shooter: Tank, target: Tank) -> Iterator[Objection]:
    """T7.3 Object if an Assault Gun or a jammed turret shoots at a target that is not ahead of its hull."""
    if in_front(stance(data, shooter), stance(data, target)):
        return
    if has(data, shooter, ASSAULT_GUN):
        yield Objection("T7.3", say("no part of the target is ahead of the shooter's hull"))
        yield Objection("T9.1", say("an Assault Gun has no turret"))
    elif front_only(data, shooter):
        yield Objection("T7.3", say("the turret is jammed, and no part of the target is ahead of the hull"))


def target_objections(situation: Situation, shooter: Tank, target: Tank) -> Iterator[Objection]:
    """T7.1 Every objection to one tank shooting at another, in printed order. There is no maximum range."""
    if not shooter.live:
        yield Objection("T8.1", say("the shooter is destroyed"))
    if not target.live:
        yield Objection("T7.1", say("the target is not in play"))
        return
    if target.seat == shooter.seat:
        yield Objection("T7.1", say("the target is not an enemy"))
        return
    if (critical := cannot_shoot(situation.data, shooter)) is not None:
        yield Objection(
            "T7.12", say("{critical} prevents {shooter} from shooting", critical=critical.name, shooter=shooter.id)
        )
    yield from sight_objections(situation, shooter, target)
    yield from arc_objections(situation.data, shooter, target)


def can_shoot(data: TanksData, shooter: Tank, target: Tank, between: Sequence[Screen]) -> bool:
    """T7.1 Whether a tank may shoot at an enemy; the quickest tests are made first."""
    if cannot_shoot(data, shooter) is not None or any(arc_objections(data, shooter, target)):
        return False
    return sees_through(data, shooter, target, between)


def targets(situation: Situation, shooter: Tank) -> list[str]:
    """T7.1 Every enemy that a tank may shoot at now."""
    return [
        enemy.id
        for enemy in situation.state.enemies(shooter.seat)
        if not any(target_objections(situation, shooter, enemy))
    ]
