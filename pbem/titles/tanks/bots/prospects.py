"""The value of a shot or a place, judged from a seat's view: for standing orders, bots and remarks in forms.

    attack_strength, worth      a shot
    best_targets                targets in order of preference
    Taste, Scene, Stand         a place: the tank's shots, enemy shots at it, distance gained
    best_moves, best_step       a tank's moves under a tactic

The preferences of a tactic are a matter of judgement, not rules; the weights are below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from pbem.engine.geometry.plane import Point, root_down, squared_distance
from pbem.titles.tanks.cards.criticals import capacity, full
from pbem.titles.tanks.ground.arrow import advance
from pbem.titles.tanks.ground.geometry import corners, gap, on_table
from pbem.titles.tanks.ground.sighting import can_shoot, targets
from pbem.titles.tanks.ground.terrain import hull, obstacles, screens
from pbem.titles.tanks.movement.moves import allowance, resolve_turn
from pbem.titles.tanks.player.orders import Move, Preference, Tactic
from pbem.titles.tanks.shooting.shots import Shot, attack_changes, defence_dice, open_shot, shot_at, shot_through
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Tank, TanksState


class Taste(NamedTuple):
    """The weights of a tactic: for the tank's best shot, for enemy shots at it, and for each centimetre gained."""

    given: int
    taken: int
    nearer: int


TASTES: Final[Mapping[Tactic, Taste]] = {
    "hunt": Taste(100, 50, 30),
    "hide": Taste(25, 200, 0),
    "rush": Taste(25, 10, 200),
}
WAYS: Final = 45
"""The angle, in degrees, between the directions that are considered."""
FINALISTS: Final = 2
"""How many of the best moves are extended by one more move."""
BOLD: Final = 80
"""The weight, in hundredths, of enemy shots at a tank that can shoot back."""


def attack_strength(situation: Situation, shot: Shot) -> int:
    """T7.4 The number of attack dice, as far as it can be known."""
    changes: int = sum(row["value"] for row in attack_changes(situation, shot))
    return max(0, situation.data.models[shot.shooter.model].attack + changes)


def worth(situation: Situation, shot: Shot) -> int:
    """The expected damage in twentieths, including a reroll, plus a bonus if the shot may finish the target."""
    dice, saves = attack_strength(situation, shot), defence_dice(situation.data, shot)
    expected = dice * (13 if shot.shooter.stationary else 10) - saves * 9
    left = capacity(situation.data, shot.target) - shot.target.damage
    finishing = 15 if 0 < left * 20 <= max(expected, 20) else 0
    return max(2, expected) + finishing


def living_targets(situation: Situation, shooter: Tank) -> list[str]:
    """T7.1, T7.12 Targets that still have damage capacity left."""
    data, view = situation.data, situation.state
    return [target for target in targets(situation, shooter) if not full(data, view.tanks[target])]


def best_targets(situation: Situation, shooter: Tank, preference: Preference) -> list[str]:
    """T7.1 The shooter's targets, best first by the given preference."""
    data, view = situation.data, situation.state

    def rank(target_id: str) -> tuple[int, str]:
        target = view.tanks[target_id]
        if preference == "nearest":
            return int(gap(hull(data, shooter), hull(data, target))), target_id
        if preference == "weakest":
            return capacity(data, target) - target.damage, target_id
        return -worth(situation, shot_at(situation, shooter, target)), target_id

    return sorted(living_targets(situation, shooter), key=rank)


def successes(dice: Sequence[int], least: int) -> int:
    return sum(die >= least for die in dice)


# --- places --------------------------------------------------------------------------------------------------


class Stand(NamedTuple):
    """A sequence of moves, where it ends, and its value."""

    moves: tuple[Move, ...]
    at: Point
    heading: int
    speed: int
    value: int = 0


class Scene:
    """The situation in which a tank chooses its moves. All other tanks are assumed to stay where they are.

    `counted` says whether the tank's moves count for speed.
    """

    def __init__(
        self, situation: Situation, tank: Tank, tactic: Tactic, prey: str = "", *, counted: bool = True
    ) -> None:
        self.situation = situation
        data, view = situation.data, situation.state
        self.data, self.view, self.tank, self.taste, self.counted = data, view, tank, TASTES[tactic], counted
        self.foes = [foe for foe in view.enemies(tank.seat) if not full(data, foe)]
        self.wanted = [foe for foe in self.foes if foe.id == prey] or self.foes
        self.facing = foe_of(view, tank, prey)
        self.goal = goal_of(situation, tank, prey)
        self.between = {foe.id: screens(situation, tank.id, foe.id) for foe in self.foes}
        self.in_the_way = obstacles(situation, tank.id)

    def here(self) -> Stand:
        """The tank's present position, with its value."""
        return self.judge(Stand((), self.tank.at, self.tank.heading, 0))

    def steps(self, before: Stand) -> Iterator[Stand]:
        """T5.1 Yield the stand after one more move in each direction, facing the enemy, still without a value."""
        body, face = self.data.bodies[self.tank.model], f"toward {self.facing.id}" if self.facing is not None else 0
        for way in range(0, 360, WAYS):
            turn = resolve_turn(self.view, before.at, way, face)
            arrow = self.data.scenario.arrow
            at, heading, _ = advance(body, before.at, before.heading, way, turn, arrow, self.in_the_way)
            if on_table(corners(body, at, heading), self.data.scenario.table):
                speed = before.speed + int(at != before.at)
                yield Stand((*before.moves, Move(way, face)), at, heading, speed if self.counted else 0)

    def best(self, stands: Sequence[Stand], wanted: int) -> list[Stand]:
        """Return the wanted number of best stands with their values; among equals, the earlier ones.

        A stand whose highest possible value is below those already found is skipped.
        """
        hopes = [self.hope(stand) for stand in stands]
        found: list[tuple[int, int]] = []
        for index in sorted(range(len(stands)), key=lambda index: -hopes[index]):
            if len(found) == wanted and hopes[index] < -found[-1][0]:
                break
            found = sorted([*found, (-self.value(stands[index]), index)])[:wanted]
        return [stands[index]._replace(value=-less) for less, index in found]

    def judge(self, stand: Stand) -> Stand:
        return stand._replace(value=self.value(stand))

    def place(self, stand: Stand) -> Tank:
        return msgspec.structs.replace(self.tank, at=stand.at, heading=stand.heading, speed=stand.speed)

    def value(self, stand: Stand) -> int:
        """The value of a position: the tank's own shots, enemy shots at it, and the distance from the goal."""
        placed = self.place(stand)
        given = self.best_shot(placed)
        taken = sum(self.shot_worth(foe, placed, foe) for foe in self.foes)
        danger = taken * (BOLD if given else 100) * self.taste.taken // 100
        return self.taste.given * given - danger - self.taste.nearer * self.way(stand)

    def hope(self, stand: Stand) -> int:
        """The highest value that a position could have: no enemy can shoot at the tank or has cover from it."""
        given = max((hope for hope, _ in self.hopes(self.place(stand))), default=0)
        return self.taste.given * given - self.taste.nearer * self.way(stand)

    def way(self, stand: Stand) -> int:
        """The distance to the goal in centimetres."""
        return root_down(squared_distance(stand.at, self.goal)) // 100 if self.goal is not None else 0

    def hopes(self, placed: Tank) -> list[tuple[int, str]]:
        """T7 The value of a shot at each enemy if nothing were between the tanks."""
        shots = ((open_shot(self.data, placed, foe), foe.id) for foe in self.wanted)
        return [(worth(self.situation, shot), id) for shot, id in shots]

    def best_shot(self, placed: Tank) -> int:
        """T7 The value of the best shot; enemies are skipped if even an unobstructed shot would not be better."""
        best = 0
        for hope, id in sorted(self.hopes(placed), reverse=True):
            if hope <= best:
                break
            foe = self.view.tanks[id]
            best = max(best, self.shot_worth(placed, foe, foe))
        return best

    def shot_worth(self, shooter: Tank, target: Tank, foe: Tank) -> int:
        """T7 The value of a shot by one tank at another; 0 for an illegal shot."""
        between = self.between[foe.id]
        if not can_shoot(self.data, shooter, target, between):
            return 0
        return worth(self.situation, shot_through(self.data, shooter, target, between))


def best_moves(situation: Situation, tank: Tank, tactic: Tactic = "hunt", prey: str = "") -> tuple[Move, ...]:
    """T5 The best moves, or none; of equally good sequences, the shorter one counts.

    Only the most promising are extended.
    """
    scene = Scene(situation, tank, tactic, prey)
    promising = stands = [scene.here()]
    for _ in range(allowance(situation.data, tank)):
        promising = scene.best([step for before in promising for step in scene.steps(before)], FINALISTS)
        stands = stands + promising
    return max(stands, key=lambda found: (found.value, -len(found.moves))).moves


def best_step(situation: Situation, tank: Tank, tactic: Tactic) -> Move | None:
    """The best single move that does not count for speed; None if the tank is better off where it is."""
    scene = Scene(situation, tank, tactic, counted=False)
    here, found = scene.here(), scene.best(list(scene.steps(scene.here())), 1)
    return found[0].moves[0] if found and found[0].value > here.value else None


def foe_of(view: TanksState, tank: Tank, prey: str) -> Tank | None:
    """The enemy that the tank is hunting (`prey`), otherwise the nearest enemy."""
    foes = list(view.enemies(tank.seat))
    if not foes:
        return None
    return min(foes, key=lambda foe: (foe.id != prey, squared_distance(foe.at, tank.at), foe.id))


def goal_of(situation: Situation, tank: Tank, prey: str) -> Point | None:
    """T8.2 The enemy that the tank is hunting, otherwise the objective, otherwise the nearest enemy."""
    for objective in () if prey else situation.data.scenario.objective:
        return Point(10 * objective.at[0], 10 * objective.at[1])
    foe = foe_of(situation.state, tank, prey)
    return foe.at if foe is not None else None
