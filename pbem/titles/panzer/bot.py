"""Bots: opponents that play from a seat's view, as a person would, and the same from the same seed.

    steady_bot     fires where it pays, makes for the objectives from cover to cover, watches where enemies may come
    reckless_bot   any legal orders: to try out the rules
    curious_bot    the same, but it goes where rules are seldom needed
    questions      what somebody who wants to know everything would look up

A bot answers the commands of a turn with orders and a plan; the asks within the turn, when they are put to it, from
how things stand, else by the stock standing orders. What it prefers is taste, no rule; the weights stand below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, dot, hex_name, towards
from pbem.engine.play.bots import Bot, Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Reply, Rules, Submission
from pbem.titles.panzer.ap_fire import MOVING, Shot, a_shot, aspect_of, effect_of, in_field, preview, stronger_aspect
from pbem.titles.panzer.commands import legal_commands
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.direct_fire import Possible
from pbem.titles.panzer.doctrine import STOCK, groups, instructed
from pbem.titles.panzer.line_of_sight import sees
from pbem.titles.panzer.movement import MODES, movable, progress_of
from pbem.titles.panzer.movement_progress import mover_of
from pbem.titles.panzer.movement_routes import Place, reachable, ways_out
from pbem.titles.panzer.plan import FireWish, MoveWish, Plan, Sequence, WatchWish, plain
from pbem.titles.panzer.prospects import GAIN, commanded, own_units, routes, shots_under, watch_prospects, worth
from pbem.titles.panzer.scenario import Objective
from pbem.titles.panzer.spotting import spots
from pbem.titles.panzer.state import Command, PanzerState, Status, Vehicle

GOOD_SHOT: Final = 150
"""A shot worth firing: hit number times gain, a fifth of a certain elimination."""
STEP_FORWARD: Final = 60
"""What a hex nearer to the goal is worth."""
ON_OBJECTIVE: Final = 250
"""What standing on the goal is worth."""
CANDIDATES: Final = 14
"""How many places are looked at closely."""
LEAST: Final = -(10**6)
"""Less than any place is worth."""
WATCH_FROM: Final = 25
"""The hit number from which it fires on overwatch."""
WATCH_FOR: Final = 75
"""What a shot must promise for it to fire on overwatch when it is asked."""


Taste: TypeAlias = Callable[[PanzerData, PanzerState, Vehicle, list[Place]], list[Place]]
"""Which of the places within reach a bot likes for a vehicle."""


class Prospect(NamedTuple):
    """What a unit would be told: its command and its part of the plan."""

    command: Command
    fire: FireWish | None = None
    move: MoveWish | None = None
    watch: WatchWish | None = None


def steady_bot(seed: object) -> Bot:
    """A bot that plays to win."""

    def answer(rules: Rules, view: PanzerState, ask: Ask) -> Submission:
        judgement = Judgement(rules.data, view, ask.seat, Choice(seed, ask.seat, view.turn))
        if ask.kind == "commands":
            return orders_of(judgement)
        return Submission(first_legal(rules, view, ask, decisions(judgement, ask)))

    return answer


def first_legal(rules: Rules, view: PanzerState, ask: Ask, replies: Iterator[Reply]) -> Any:
    """The first answer that the rules accept, or the default."""
    for reply in replies:
        try:
            return rules.check(view, ask, reply.answer)
        except Refusal:
            continue
    return ask.default


# --- asked within the turn -----------------------------------------------------------------------------------


def decisions(judgement: Judgement, ask: Ask) -> Iterator[Reply]:
    """What it decides when it is asked, best first: from how things stand, then by the stock standing orders."""
    match ask.kind:
        case "initiative":
            yield own_turn(judgement)
        case "overwatch":
            yield from own_watch(judgement, ask)
        case "move":
            yield from own_moves(judgement)
        case "reroute":
            yield from own_rest(judgement, ask)
    yield from instructed(judgement.data, judgement.view, ask, STOCK)


def own_turn(judgement: Judgement) -> Reply:
    """4.3.1 To fire first, if more of its vehicles fire than move."""
    commands = [vehicle.command for vehicle in judgement.view.of(judgement.side)]
    fires = sum(command in (Command.FIRE, Command.SHORT_HALT) for command in commands)
    return Reply("first" if fires >= sum(command in MOVING for command in commands) else "second", "initiative")


def own_watch(judgement: Judgement, ask: Ask) -> Iterator[Reply]:
    """4.4.2 Whoever has a shot that pays fires; the others wait for a better one."""
    prospects = watch_prospects(judgement.data, judgement.view, ask)
    shots = [shot for legal in prospects.values() for shot in legal]
    yield from groups([shot for shot in shots if judgement.worth(shot) >= WATCH_FOR], "overwatch")
    yield Reply(None, "overwatch")


def own_moves(judgement: Judgement) -> Iterator[Reply]:
    """4.5.1 The moves that are still to be made, each to where the vehicle is best off."""
    for vehicle in movable(judgement.view, judgement.side):
        wish = judgement.wish(vehicle)
        for route in routes(judgement.data, judgement.view, vehicle.id, wish):
            yield Reply(route, f"{vehicle.id} move")


def own_rest(judgement: Judgement, ask: Ask) -> Iterator[Reply]:
    """R-17 Fired at, it goes on to wherever it is best off now."""
    vehicle, begun = judgement.view.vehicles[ask.subject], progress_of(ask)
    goal = judgement.goal(vehicle)
    places = reachable(mover_of(judgement.data, judgement.view, vehicle), begun.mode, begun)
    for _, hex in sorted(judgement.rated(vehicle, places, goal), reverse=True):
        wanted = judgement.facing_in(hex)
        facing = wanted if (hex, wanted) in places else facings_in(places)[hex][0]
        yield Reply({"steps": list(places[hex, facing].steps)}, f"{vehicle.id} move")


# --- orders --------------------------------------------------------------------------------------------------


def orders_of(judgement: Judgement) -> Submission:
    """4.2.1 A command for every unit, with its plan."""
    told = {vehicle.id: judgement.told(vehicle) for vehicle in own_units(judgement.view, judgement.side)}
    commands = {unit: prospect.command.value for unit, prospect in told.items()}
    fire = {unit: prospect.fire for unit, prospect in told.items() if prospect.fire is not None}
    move = {unit: prospect.move for unit, prospect in told.items() if prospect.move is not None}
    plan = Plan(
        fire=fire,
        move=move,
        overwatch={unit: prospect.watch for unit, prospect in told.items() if prospect.watch is not None},
        initiative="first" if len(fire) >= len(move) else "second",
        order=Sequence(fire=list(fire), move=judgement.nearest_first(move)),
    )
    return Submission(commands, plain(plan))


class Judgement:
    """How one side sees the battle."""

    def __init__(self, data: PanzerData, view: PanzerState, side: str, choice: Choice) -> None:
        self.data, self.view, self.side, self.choice = data, view, side, choice
        self.enemies = list(view.of(view.enemy(side)))
        self.armed = [enemy for enemy in self.enemies if data.cards[enemy.card].fires_ap]
        self.bound_for: dict[str, int] = {}
        """How many own units make for each objective already."""
        self.last_turns = view.turn >= data.scenario.turns - 1

    def told(self, vehicle: Vehicle) -> Prospect:
        """4.2 The command that promises most."""
        legal = legal_commands(self.data, self.view, vehicle)
        if (edge := self.way_home(vehicle)) and not self.holds(vehicle):
            return Prospect(Command.MOVE, move=MoveWish(exit=edge))
        if Command.FIRE in legal and (target := self.good_target(vehicle, Command.FIRE)):
            return self.fire_or_halt(vehicle, target)
        if self.holds(vehicle) or (self.may_wait(vehicle) and self.in_sight(vehicle)):
            return on_watch(legal)
        wish = self.wish(vehicle)
        return Prospect(Command.MOVE, move=wish) if wish != MoveWish() else on_watch(legal)

    def fire_or_halt(self, vehicle: Vehicle, target: str) -> Prospect:
        """4.2 Near the end a unit that could still reach its goal fires in a Short Halt and drives on."""
        if self.last_turns and not self.holds(vehicle) and self.good_target(vehicle, Command.SHORT_HALT):
            wish = self.wish(commanded(vehicle, Command.SHORT_HALT))
            if wish != MoveWish():
                return Prospect(Command.SHORT_HALT, fire=FireWish(targets=[target]), move=wish)
        return Prospect(Command.FIRE, fire=FireWish(targets=[target]))

    def good_target(self, vehicle: Vehicle, command: Command) -> str:
        """4.4.3.2 The most promising target, if it promises enough."""
        shots = shots_under(self.data, self.view, vehicle, command)
        best = max(shots, key=lambda shot: (self.worth(shot), shot.hit_number), default=None)
        return best.target if best is not None and self.worth(best) >= GOOD_SHOT else ""

    def way_home(self, vehicle: Vehicle) -> str:
        """4.5.1.1.9 The edge that pays, if it can be reached now: for the unarmed always, for others near the end."""
        points = {row.edge: row.vp for row in self.data.scenario.exits if row.side == self.side and row.vp > 0}
        if not points or not vehicle.alive or not (self.last_turns or not self.data.cards[vehicle.card].armed):
            return ""
        within = ways_out(mover_of(self.data, self.view, commanded(vehicle, Command.MOVE)))
        return next((edge for edge in sorted(points, key=lambda edge: -points[edge]) if edge in within), "")

    # --- where to

    def holds(self, vehicle: Vehicle) -> bool:
        """3.6 Whether it stands on an objective that is worth something."""
        return any(vehicle.hex in row.hexes and row.vp.get(self.side, 0) > 0 for row in self.data.scenario.objectives)

    def may_wait(self, vehicle: Vehicle) -> bool:
        """Some cover while others go: every other unit, taking turns."""
        return not self.last_turns and self.choice.below(3) == 0

    def in_sight(self, vehicle: Vehicle) -> bool:
        """Whether an enemy in sight could come to harm."""
        return vehicle.hex is not None and any(self.reaches(vehicle, vehicle.hex, enemy) for enemy in self.enemies)

    def reaches(self, vehicle: Vehicle, hex: Hex, enemy: Vehicle) -> bool:
        assert enemy.hex is not None
        most = max((weapon.maximum_range for weapon in self.data.cards[vehicle.card].weapons), default=0)
        return distance(hex, enemy.hex) <= most and sees(self.data.board, self.data.charts, hex, enemy.hex)

    def goal(self, vehicle: Vehicle) -> tuple[Hex, ...]:
        """3.6 The hexes to make for: the objective with most points for the way, not all units to the same."""
        if not self.data.cards[vehicle.card].armed:
            return self.exit_hexes() or self.rally()
        wanted = [row for row in self.data.scenario.objectives if self.wants(row)]
        if not wanted:
            return self.rally()
        here = self.place(vehicle)
        chosen = max(wanted, key=lambda row: (self.pull(row, here), row.id))
        self.bound_for[chosen.id] = self.bound_for.get(chosen.id, 0) + 1
        return chosen.hexes

    def wants(self, row: Objective) -> bool:
        return row.vp.get(self.side, 0) > 0 and self.view.objectives[row.id].controller != self.side

    def pull(self, row: Objective, here: Hex) -> int:
        """How strongly an objective draws: its points, less for the way and for those bound for it already."""
        way = min(distance(here, hex) for hex in row.hexes)
        return 12 * row.vp[self.side] - 4 * way - 6 * self.bound_for.get(row.id, 0)

    def exit_hexes(self) -> tuple[Hex, ...]:
        edges = [row.edge for row in self.data.scenario.exits if row.side == self.side and row.vp > 0]
        return tuple(hex for edge in edges[:1] for hex in self.data.board.edge_hexes(edge))

    def rally(self) -> tuple[Hex, ...]:
        """Without an objective: what is held, else the enemies."""
        held = [hex for row in self.data.scenario.objectives for hex in row.hexes if row.vp.get(self.side, 0) > 0]
        return tuple(held) or tuple(enemy.hex for enemy in self.enemies if enemy.hex is not None)

    def place(self, vehicle: Vehicle) -> Hex:
        """Where it is, or where it comes in."""
        if vehicle.hex is not None:
            return vehicle.hex
        return next(unit.entry[0] for unit in self.data.scenario.units if unit.id == vehicle.id)

    def wish(self, vehicle: Vehicle) -> MoveWish:
        """4.5.1 The place within reach that promises most; nothing if staying does."""
        goal = self.goal(vehicle)
        if not goal:
            return MoveWish()
        moving = vehicle if vehicle.command in MOVING else commanded(vehicle, Command.MOVE)
        mover = mover_of(self.data, self.view, moving)
        best = self.value(vehicle, vehicle.hex, goal) if vehicle.hex is not None else LEAST
        wish = MoveWish()
        for mode in MODES:
            places = reachable(mover, mode)
            for value, hex in self.rated(vehicle, places, goal):
                if value > best:
                    facing = self.facing_in(hex)
                    best = value
                    wish = MoveWish(goal=hex_name(hex), facing=facing if (hex, facing) in places else 0, mode=mode)
        return wish

    def rated(
        self, vehicle: Vehicle, places: Iterable[tuple[Hex, int]], goal: tuple[Hex, ...]
    ) -> Iterator[tuple[int, Hex]]:
        """What the places nearest to the goal promise, with a little chance."""
        for hex in sorted(facings_in(places), key=lambda hex: (way_to(hex, goal), hex))[:CANDIDATES]:
            yield self.value(vehicle, hex, goal) + self.choice.below(STEP_FORWARD // 2), hex

    def worth(self, shot: Possible) -> int:
        """4.4.3.2 What a shot promises."""
        return worth(self.data, self.view, shot)

    def facing_in(self, hex: Hex) -> int:
        """3.3 Towards the nearest enemy that can fire."""
        foes = [enemy.hex for enemy in self.armed if enemy.hex is not None and enemy.hex != hex]
        if not foes:
            return 0
        return towards(hex, min(foes, key=lambda foe: (distance(hex, foe), foe)))[0]

    def value(self, vehicle: Vehicle, hex: Hex, goal: tuple[Hex, ...]) -> int:
        """What a place is worth: the way to the goal, shots from there, and shots at it."""
        there = msgspec.structs.replace(vehicle, hex=hex, facing=self.facing_in(hex) or vehicle.facing)
        near = ON_OBJECTIVE if hex in goal else -STEP_FORWARD * way_to(hex, goal)
        attacks = [self.promise(there, enemy) for enemy in self.enemies if self.reaches(there, hex, enemy)]
        dangers = [self.promise(enemy, there) for enemy in self.armed if self.reaches(enemy, enemy_hex(enemy), there)]
        return near + max(attacks, default=0) // 2 - sum(sorted(dangers)[-3:]) // 3

    def promise(self, firer: Vehicle, target: Vehicle) -> int:
        """4.4.3.2 The best that one vehicle could do to another where they stand."""
        weapons = self.data.cards[firer.card].weapons
        shots = [
            a_shot(self.data, self.view, firer, number, target, Command.FIRE)
            for number, weapon in enumerate(weapons)
            if weapon.has_ap
        ]
        return max((expected(shot) for shot in shots), default=0)

    def nearest_first(self, move: Mapping[str, MoveWish]) -> list[str]:
        """Those nearest to the enemy move first, so that the others find their way free."""
        foes = [enemy.hex for enemy in self.enemies if enemy.hex is not None]

        def way(unit: str) -> tuple[int, str]:
            here = self.place(self.view.vehicles[unit])
            return min((distance(here, foe) for foe in foes), default=0), unit

        return sorted(move, key=way)


def facings_in(places: Iterable[tuple[Hex, int]]) -> dict[Hex, list[int]]:
    """4.5.1.1.4 The facings that can be taken in each hex within reach."""
    found: dict[Hex, list[int]] = {}
    for hex, facing in places:
        found.setdefault(hex, []).append(facing)
    return found


def on_watch(legal: list[Command]) -> Prospect:
    """4.2 Overwatch for whoever can fire."""
    if Command.OVERWATCH in legal:
        return Prospect(Command.OVERWATCH, watch=WatchWish(hit=WATCH_FROM))
    return Prospect(Command.NO_COMMAND)


def enemy_hex(enemy: Vehicle) -> Hex:
    assert enemy.hex is not None
    return enemy.hex


def way_to(hex: Hex, goal: tuple[Hex, ...]) -> int:
    return min(distance(hex, end) for end in goal)


def expected(shot: Shot) -> int:
    """4.4.3.2 The hit number times what a hit would do."""
    if shot.factor is None or not in_field(shot):
        return 0
    return shot.hit_number * GAIN[effect_of(shot, aspect_of(shot) or stronger_aspect(shot))]


# --- reckless ------------------------------------------------------------------------------------------------


def reckless_bot(seed: object) -> Bot:
    """Any legal orders at all, moves and conditions included."""
    return wilful_bot(seed, anywhere)


def curious_bot(seed: object) -> Bot:
    """Legal orders that lead where rules are seldom needed: flanks, bridges, crowds, ground of several kinds."""
    return wilful_bot(seed, odd_places)


def wilful_bot(seed: object, chosen: Taste) -> Bot:
    """Legal orders by chance, with moves to places of its taste."""

    def answer(rules: Rules, view: PanzerState, ask: Ask) -> Submission:
        choice = Choice(seed, ask.seat, view.turn, ask.kind, ask.subject, sorted(ask.about))
        if ask.kind == "commands":
            return any_orders(rules.data, view, ask.seat, choice, chosen)
        options = [option for option, _ in zip(rules.options(view, ask), range(60), strict=False)]
        return Submission(choice.one_of(options) if options else ask.default)

    return answer


def anywhere(data: PanzerData, view: PanzerState, vehicle: Vehicle, places: list[Place]) -> list[Place]:
    """4.5.1 Every place is as good as any other."""
    return places


def odd_places(data: PanzerData, view: PanzerState, vehicle: Vehicle, places: list[Place]) -> list[Place]:
    """4.4.3.2.4 Across an enemy's line of fire, 3.8 beside friends, 4.1.3 on ground of more than one kind."""
    foes = [enemy.hex for enemy in view.of(view.enemy(vehicle.side)) if enemy.hex is not None]
    friends = [friend.hex for friend in view.of(vehicle.side) if friend.id != vehicle.id]

    def is_odd(place: Place) -> bool:
        hex, facing = place
        return (
            any(foe != hex and dot(hex, foe, facing) == 0 and sees(data.board, data.charts, foe, hex) for foe in foes)
            or hex in friends
            or len(data.board.terrain(hex)) > 1
        )

    return [place for place in places if is_odd(place)] or places


def any_orders(
    data: PanzerData, view: PanzerState, side: str, choice: Choice, chosen: Taste = anywhere
) -> Submission:
    """4.2.1 Legal commands by chance, with legal targets, goals and conditions by chance."""
    commands: dict[str, str] = {}
    fire: dict[str, FireWish] = {}
    move: dict[str, MoveWish] = {}
    watch: dict[str, WatchWish] = {}
    for vehicle in own_units(view, side):
        command = choice.one_of(legal_commands(data, view, vehicle))
        commands[vehicle.id] = command.value
        shots = shots_under(data, view, vehicle, command)
        if shots and choice.below(3):
            fire[vehicle.id] = FireWish(targets=[choice.one_of(shots).target])
        if command in MOVING:
            move[vehicle.id] = any_move(data, view, commanded(vehicle, command), choice, chosen)
        if command is Command.OVERWATCH:
            watch[vehicle.id] = WatchWish(hit=choice.below(40), range=choice.below(12))
    plan = Plan(
        fire=fire,
        move=move,
        overwatch=watch,
        initiative=choice.one_of(("first", "second")),
        show={"*": choice.one_of(("always", "never", "matters"))},
    )
    return Submission(commands, plain(plan))


def any_move(data: PanzerData, view: PanzerState, vehicle: Vehicle, choice: Choice, chosen: Taste) -> MoveWish:
    """4.5.1 Anywhere within reach, or off the map, or nowhere."""
    mover = mover_of(data, view, vehicle)
    mode = choice.one_of(MODES)
    places = list(reachable(mover, mode))
    if vehicle.status is Status.ON_MAP and choice.below(8) == 0 and ways_out(mover):
        return MoveWish(exit=choice.one_of(sorted(ways_out(mover))))
    if not places or choice.below(6) == 0:
        return MoveWish()
    hex, facing = choice.one_of(chosen(data, view, vehicle, places))
    return MoveWish(goal=hex_name(hex), facing=facing, mode=mode, stop=choice.below(4) == 0)


# --- looking things up ---------------------------------------------------------------------------------------


def questions(data: PanzerData, view: PanzerState, side: str, choice: Choice) -> Iterator[Finding]:
    """4.1, 4.4.3.2 Whether one vehicle spots another and why, and what a shot at it would be like."""
    own, enemies = list(view.of(side)), list(view.of(view.enemy(side)))
    if not own or not enemies:
        return
    one, other = choice.one_of(own), choice.one_of(enemies)
    yield spots(data, view, one, other)
    for number, weapon in enumerate(data.cards[one.card].weapons):
        if weapon.has_ap:
            yield preview(data, view, one, number, other, Command.FIRE)
