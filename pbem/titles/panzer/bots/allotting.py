"""4.2.1, 6.2 Commands for all of a bot's units: which get one, which share one, and the plan for the turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.engine.geometry.hexes import Hex, distance, parse_hex
from pbem.engine.rules.title import Submission
from pbem.titles.panzer.bots.judgement import WATCH_FROM, Judgement, Want
from pbem.titles.panzer.cards.units import is_recon
from pbem.titles.panzer.command.command_control import (
    UNIQUE,
    Group,
    commandable,
    group_objections,
    in_command_range,
    range_among,
)
from pbem.titles.panzer.command.commands import legal_commands
from pbem.titles.panzer.movement.steps.acts import To, acts_of
from pbem.titles.panzer.player.plan import (
    AdvancedPlan,
    Aim,
    FireWish,
    MarchWish,
    WatchWish,
    plain,
)
from pbem.titles.panzer.player.plan import Sequence as Order
from pbem.titles.panzer.sighting.terrain import place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command


def orders_of(judgement: Judgement) -> Submission:
    """4.2.1, 6.2 Commands for all units and a plan for the turn."""
    groups = allot(judgement, sorted(judgement.wants(), key=lambda want: (-want.worth, want.unit.id)))
    commands: dict[str, str] = {}
    for group in groups:
        leader = group[0].unit.id
        commands[leader] = group[0].command.value
        commands |= {want.unit.id: f"with {leader}" for want in group[1:]}
    move = {want.unit.id: march for group in groups for want, march in marches_of(judgement, group)}
    told = [overwatch_instead(judgement, want, group, move) for group in groups for want in group]
    commands |= {want.unit.id: want.command.value for want in told if want.command is not first_command(groups, want)}
    fire = {want.unit.id: FireWish([Aim(targets=list(want.targets))]) for want in told if want.targets}
    idle = [unit for unit in commandable(judgement.view, judgement.side) if unit.id not in move]
    plan = AdvancedPlan(
        fire=fire,
        move=move | judgement.boarding(move),
        overwatch={want.unit.id: WatchWish(hit=WATCH_FROM) for want in told if want.command is Command.OVERWATCH},
        assault={want.unit.id: want.assault for want in told if want.assault is not None},
        missions=list(judgement.missions(commands)),
        flights=list(judgement.flights()),
        adjust=judgement.adjustments(idle),
        initiative="first" if len(fire) >= len(move) else "second",
        order=Order(fire=list(fire), move=nearest_first(judgement, move)),
    )
    return Submission(dict(sorted(commands.items())), plain(plan))


def allot(judgement: Judgement, wants: Sequence[Want]) -> list[list[Want]]:
    """6.2.1.1.3 Give counters to the most urgent wants; units in a formation short of counters share them."""
    data, view = judgement.data, judgement.view
    left = dict(view.available)
    asking: dict[str, int] = {}
    for want in wants:
        asking[want.unit.formation] = asking.get(want.unit.formation, 0) + 1
    groups: list[list[Want]] = []
    for want in wants:
        free = is_recon(want.unit) or not data.plays("command_control")
        short = not free and asking[want.unit.formation] > view.available.get(want.unit.formation, 0)
        group = next((group for group in groups if short and can_join_group(judgement.situation, group, want)), None)
        if group is not None:
            group.append(want)
        elif free or left.get(want.unit.formation, 0) > 0:
            groups.append([want])
            if not free and want.command in UNIQUE:
                left[want.unit.formation] -= 1
    return groups


def can_join_group(situation: Situation, group: Sequence[Want], want: Want) -> bool:
    """6.2.1.1.3, 6.2.1.1.4 Whether a unit can share a counter.

    Both need the same command, must be near enough, and their targets must be near each other.
    """
    view = situation.state
    first = group[0]
    if first.command is not want.command or first.unit.formation != want.unit.formation or is_recon(first.unit):
        return False
    if (first.unit.hex is None) != (want.unit.hex is None) or not in_command_range(situation, first.unit, want.unit):
        return False
    if want.command is Command.MOVE and not can_move_together(first, want):
        return False
    targets = [view.vehicles[other.targets[0]] for other in (*group, want) if other.targets]
    reach = range_among(situation.data, (*(other.unit for other in group), want.unit))
    if any(distance(place_of(a), place_of(b)) > reach for a in targets for b in targets):
        return False
    members = (*(other.unit for other in group), want.unit)
    return not any(group_objections(situation, Group(want.command, members)))


def can_move_together(first: Want, want: Want) -> bool:
    """6.6.11 Whether two moves can be made together: to the same goal, or to attack the same unit."""
    if first.assault is not None or want.assault is not None:
        return first.assault is not None and want.assault is not None and first.assault.target == want.assault.target
    return first.march is None and want.march is None and first.unit.kind == want.unit.kind


def marches_of(judgement: Judgement, group: Sequence[Want]) -> Iterator[tuple[Want, MarchWish]]:
    """6.6, 6.2.1.1.4 The destination of each unit in a group.

    The first unit goes where it prefers, and the others follow.
    """
    near: Hex | None = None
    for want in group:
        if want.command not in (Command.MOVE, Command.SHORT_HALT) or want.assault is not None:
            continue
        wish = want.march or judgement.march(want.unit, want.command, want.goal, near, len(group) == 1)
        goal = next(acts_of(To, wish.acts), None)
        place = parse_hex(goal.hex) if goal else want.unit.hex
        if place is not None:
            judgement.taken[place] = judgement.taken.get(place, 0) + 1
            near = near or (place if len(group) > 1 else None)
        if want.unit.alive or wish.acts:
            yield want, wish


def first_command(groups: Sequence[Sequence[Want]], want: Want) -> Command:
    """4.2 The command originally chosen for a unit."""
    return next(other.command for group in groups for other in group if other.unit.id == want.unit.id)


def overwatch_instead(judgement: Judgement, want: Want, group: Sequence[Want], move: dict[str, MarchWish]) -> Want:
    """4.2 A unit that is best off where it is goes on Overwatch if it can, instead of staying put under a Move."""
    wish = move.get(want.unit.id)
    stays = wish is not None and not wish.acts and len(group) == 1 and want.command is Command.MOVE
    if not stays or want.assault is not None or not want.unit.alive:
        return want
    del move[want.unit.id]
    legal = legal_commands(judgement.situation, want.unit)
    command = Command.OVERWATCH if Command.OVERWATCH in legal else Command.NO_COMMAND
    return want._replace(command=command, goal=())


def nearest_first(judgement: Judgement, move: Mapping[str, MarchWish]) -> list[str]:
    """Units nearest to the enemy move first, to clear the way for the others."""

    def way(unit: str) -> tuple[int, str]:
        here = judgement.place(judgement.view.vehicles[unit])
        return min((distance(here, foe) for foe in judgement.foes), default=0), unit

    return sorted(move, key=way)
