"""What a shot or a place promises, judged from a seat's view: for standing orders, bots and remarks in forms.

    attack_strength, worth      a shot
    best_targets                by preference
    Taste, Stand, stand         a place: shots given, shots taken, way gained
    best_moves, steps           where a tank goes by a tactic

What a tactic prefers is taste, no rule; the weights stand below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from pbem.engine.plane import Point, root_down, squared_distance
from pbem.titles.tanks.criticals import capacity, full
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.geometry import corners, gap, on_table
from pbem.titles.tanks.movement import allowance, journey
from pbem.titles.tanks.plan import Move, Preference, Tactic
from pbem.titles.tanks.shooting import Shot, attack_changes, defence_dice, open_shot, shot_at
from pbem.titles.tanks.sighting import target_objections, targets
from pbem.titles.tanks.state import Tank, TanksState
from pbem.titles.tanks.terrain import hull


class Taste(NamedTuple):
    """What counts for a tactic: the best shot given, the shots taken, and each centimetre nearer to the goal."""

    given: int
    taken: int
    nearer: int


TASTES: Final[Mapping[Tactic, Taste]] = {
    "hunt": Taste(100, 50, 30),
    "hide": Taste(25, 200, 0),
    "rush": Taste(25, 10, 200),
}
WAYS: Final = 45
"""Degrees between the directions that are looked at."""
FINALISTS: Final = 2
"""How many moves are looked at for a further one."""
BOLD: Final = 80
"""What shots taken count, in hundredths, where one can shoot back."""


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


# --- places --------------------------------------------------------------------------------------------------


class Stand(NamedTuple):
    """A way to move, where it leads and what it is worth."""

    value: int
    moves: tuple[Move, ...]
    at: Point
    heading: int


def best_moves(
    data: TanksData, view: TanksState, tank: Tank, tactic: Tactic = "hunt", prey: str = ""
) -> tuple[Move, ...]:
    """T5 To stay, or the best moves; the fewer of equals. Only the most promising are looked at for one more."""
    here = stand(data, view, tank, (), tank.at, tank.heading, tactic, prey)
    stands, promising = [here], [here]
    for _ in range(allowance(data, tank)):
        further = [found for before in promising for found in steps(data, view, tank, before, tactic, prey)]
        further.sort(key=lambda found: -found.value)
        stands += further
        promising = further[:FINALISTS]
    return max(stands, key=lambda found: (found.value, -len(found.moves))).moves


def steps(
    data: TanksData, view: TanksState, tank: Tank, before: Stand, tactic: Tactic, prey: str, *, counted: bool = True
) -> Iterator[Stand]:
    """T5.1 One more move in each direction, facing the enemy as squarely as can be; `counted` for speed, or not."""
    foe = foe_of(view, tank, prey)
    placed = msgspec.structs.replace(tank, at=before.at, heading=before.heading)
    body = data.bodies[tank.model]
    for way in range(0, 360, WAYS):
        move = Move(way, f"toward {foe.id}" if foe is not None else 0)
        (arrival,) = journey(data, view, placed, [move])
        if on_table(corners(body, arrival.at, arrival.heading), data.scenario.table):
            moves, speed = (*before.moves, move), len(before.moves) + 1 if counted else 0
            yield stand(data, view, tank, moves, arrival.at, arrival.heading, tactic, prey, speed=speed)


def foe_of(view: TanksState, tank: Tank, prey: str) -> Tank | None:
    """The enemy it is after, or else the nearest."""
    foes = list(view.enemies(tank.seat))
    if not foes:
        return None
    return min(foes, key=lambda foe: (foe.id != prey, squared_distance(foe.at, tank.at), foe.id))


def stand(
    data: TanksData,
    view: TanksState,
    tank: Tank,
    moves: tuple[Move, ...],
    at: Point,
    heading: int,
    tactic: Tactic,
    prey: str,
    *,
    speed: int = 0,
) -> Stand:
    """What a tank would be worth at the end of these moves: shots given, shots taken, way gained."""
    placed = msgspec.structs.replace(tank, at=at, heading=heading, speed=speed)
    view.tanks[tank.id] = placed                                       # put back below
    foes = [foe for foe in view.enemies(tank.seat) if not full(data, foe)]
    wanted = [foe for foe in foes if foe.id == prey] or foes
    given = best_shot(data, view, placed, wanted)
    taken = [shot_worth(data, view, foe, placed) for foe in foes]
    view.tanks[tank.id] = tank
    taste, goal = TASTES[tactic], goal_of(data, view, tank, prey)
    danger = sum(taken) * (BOLD if given else 100) * taste.taken // 100
    way = root_down(squared_distance(at, goal)) // 100 if goal is not None else 0
    return Stand(taste.given * given - danger - taste.nearer * way, moves, at, heading)


def best_shot(data: TanksData, view: TanksState, shooter: Tank, foes: Sequence[Tank]) -> int:
    """T7 The best that a tank could do to any of these. The most promising come first; who promises less than was
    found needs no look at its cover."""
    hopes = ((worth(data, view, open_shot(data, shooter, foe)), foe.id) for foe in foes)
    best = 0
    for hope, id in sorted(hopes, reverse=True):
        if hope <= best:
            break
        best = max(best, shot_worth(data, view, shooter, view.tanks[id]))
    return best


def shot_worth(data: TanksData, view: TanksState, shooter: Tank, target: Tank) -> int:
    """T7 What one tank could do to another from where they stand; nothing if it cannot shoot at it."""
    if any(target_objections(data, view, shooter, target)):
        return 0
    return worth(data, view, shot_at(data, view, shooter, target))


def goal_of(data: TanksData, view: TanksState, tank: Tank, prey: str) -> Point | None:
    """T8.2 The enemy it is after, the objective, or else the nearest enemy."""
    for objective in () if prey else data.scenario.objective:
        return Point(10 * objective.at[0], 10 * objective.at[1])
    foe = foe_of(view, tank, prey)
    return foe.at if foe is not None else None
