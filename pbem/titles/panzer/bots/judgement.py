"""How one side judges an advanced battle: the best action for each unit. `allotting` turns that into commands.

    6.5          shots that pay; calls for indirect fire
    6.6          goals, places with cover, transports, close combat and overruns
    6.7, 6.8     flights, cover and digging

Preferences are a matter of taste, not rules; the weights are listed below. Everything is judged from a seat's view,
and every proposal is checked like a player's orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, hex_name, towards
from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Ask
from pbem.titles.panzer.air.air_attacks import Plot
from pbem.titles.panzer.artillery.calls import called_missions, sheaf_hexes
from pbem.titles.panzer.artillery.mission_answers import legal_calls
from pbem.titles.panzer.cards.units import can_observe
from pbem.titles.panzer.cards.weapons import is_armed, weapons_of
from pbem.titles.panzer.close_combat.close_combat import legal_attacks
from pbem.titles.panzer.command.command_control import (
    command_range,
    commandable,
)
from pbem.titles.panzer.command.commands import leader_of, legal_commands, may_fire_indirectly
from pbem.titles.panzer.end_of_turn.victory import score
from pbem.titles.panzer.fire.aiming import Entry, Occasion, best_first, legal_shots, worth
from pbem.titles.panzer.movement.movement_step import mode_objections
from pbem.titles.panzer.movement.steps.acts import Dismount, Leave, Mount, Overrun, To, Turn, acts_of
from pbem.titles.panzer.movement.steps.terrain_costs import crawls
from pbem.titles.panzer.movement.steps.unit_steps import MoveMode, UnitMover, mover_of, start
from pbem.titles.panzer.player.plan import (
    Adjustments,
    AssaultWish,
    Declaration,
    MarchWish,
)
from pbem.titles.panzer.player.prospects import as_ordered
from pbem.titles.panzer.player.support_prospects import best_flights, promise
from pbem.titles.panzer.routes.itineraries import itinerary, walks
from pbem.titles.panzer.routes.move_options import stay_choices
from pbem.titles.panzer.routes.route_search import reach_of
from pbem.titles.panzer.setup.scenario_file import Objective
from pbem.titles.panzer.sighting.sight import Sight, Station
from pbem.titles.panzer.sighting.terrain import cover_of, place_of
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState, Status, Unit

GOOD_SHOT: Final = 140
"""The value at which a shot is worth a command, in tenths of a percent (`aiming.worth`)."""
URGENT_SHOT: Final = 420
"""The value at which a shot makes even a unit in a hurry stop."""
STEP_FORWARD, URGENT_STEP = 60, 110
"""The value of each hex closer to the goal, normally and for a side that must attack."""
ON_OBJECTIVE: Final = 300
COVER: Final = {"none": 0, "light": 30, "medium": 60, "heavy": 90}
"""The value of cover; it counts twice for leg units and guns."""
EXPOSED, URGENT_EXPOSED = 35, 12
"""The cost of each enemy that could fire at a place; lower for units in a hurry."""
PACE: Final = {"leg": 2, "towed": 1, "vehicle": 4}
"""Roughly how many hexes a unit advances in a turn."""
IN_HAND: Final = 4
"""With this many turns to spare no unit is in a hurry: fire first, then move."""
SUPERIOR: Final = (3, 2)
"""How much stronger a side must be to attack before it has to."""
SUPPORT: Final = 3
"""One unit in this many stays behind to fire in support of the others."""
CROWDED: Final = 45
"""The cost of each unit beyond the second in a hex."""
CANDIDATES: Final = 12
"""How many places are examined closely."""
GET_OFF: Final = 5
"""Infantry dismounts within this distance of the goal or an enemy."""
GET_ON: Final = 8
"""Infantry mounts beyond this distance from the goal and enemies."""
WATCH_FROM: Final = 25
LEAST: Final = -(10**6)
MOVE_WORTH, WATCH_WORTH, CALL_WORTH = 90, 60, 200
"""The value of a command, in addition to that of a shot."""


class Want(NamedTuple):
    """A proposed command for a unit, its value, and its part of the plan."""

    unit: Unit
    command: Command
    worth: int
    targets: tuple[str, ...] = ()
    goal: tuple[Hex, ...] = ()
    assault: AssaultWish | None = None
    march: MarchWish | None = None


class Judgement:
    """One side's judgement of the battle."""

    def __init__(self, situation: Situation, side: str, choice: Choice) -> None:
        self.situation = situation
        data, view = situation.data, situation.state
        self.data, self.view, self.side, self.choice = data, view, side, choice
        self.enemies = [enemy for enemy in view.of(view.enemy(side)) if enemy.dismounted and enemy.hex is not None]
        self.foes = [place_of(enemy) for enemy in self.enemies]
        self.last_turns = view.turn >= data.scenario.turns - 1
        self.bound_for: dict[str, int] = {}
        """How many friendly formations are already heading for each objective."""
        self.goals: dict[str, tuple[Hex, ...]] = {}
        self.hurried: dict[str, bool] = {}
        self.taken: dict[Hex, int] = {}
        self._watchers: dict[Hex, int] = {}
        """How many friendly vehicles and guns are in each hex, and how many units are to end there."""
        for unit in view.of(side):
            if unit.kind != "leg" and not unit.aboard and unit.hex is not None:
                self.taken[unit.hex] = self.taken.get(unit.hex, 0) + 1

    @cached_property
    def occasion(self) -> Occasion:
        """4.4.1 The fire that would be possible if every unit had a Fire command."""
        every = {unit.id: Command.FIRE.value for unit in commandable(self.view, self.side)}
        return Occasion(Situation(self.data, as_ordered(self.view, self.side, every)), self.side)

    @cached_property
    def idle(self) -> PanzerState:
        """4.2.1 The view if no unit had a command."""
        return as_ordered(self.view, self.side, {})

    def view_with(self, unit: Unit, command: Command) -> PanzerState:
        """4.2.1 The view if only this unit were given a command."""
        moving = msgspec.structs.replace(self.idle.vehicles[unit.id], command=command)
        return msgspec.structs.replace(self.idle, vehicles={**self.idle.vehicles, unit.id: moving})

    @cached_property
    def dangers(self) -> list[tuple[Hex, int]]:
        """6.5 The hexes of armed enemies and their ranges."""
        found = []
        for enemy in self.enemies:
            reach = max((max_reach(arm) for arm in weapons_of(self.data, enemy)), default=0)
            found += [(place_of(enemy), min(reach, 25))] if reach and not enemy.bailed_out else []
        return found

    @cached_property
    def behind(self) -> bool:
        """3.6 Whether this side is not ahead on points and has both a goal and the strength to attack."""
        own, other = (score(self.situation, side).total for side in (self.side, self.view.enemy(self.side)))
        if own > other or not any(self.wanted(row) for row in self.data.scenario.objectives):
            return False
        ours, theirs = self.strength(self.side), self.strength(self.view.enemy(self.side))
        return ours * SUPERIOR[1] >= theirs * SUPERIOR[0]

    def strength(self, side: str) -> int:
        """1.6 The point value of the units that can still fight."""
        units = (unit for unit in self.view.of(side) if not unit.bailed_out and is_armed(self.data, unit))
        return sum(self.data.book.unit_points(unit.card) for unit in units)

    def must_go(self, unit: Unit) -> bool:
        """3.6 Whether a unit has to keep moving to reach its goal in time."""
        if unit.id not in self.hurried:
            self.hurried[unit.id] = self.behind and self.is_hurried(self.view.vehicles[unit.id])
        return self.hurried[unit.id]

    def is_hurried(self, unit: Unit) -> bool:
        """3.6 Whether the unit is short of time. Every third unit, and heavy weapons, stay to fire in support."""
        mates = [other.id for other in self.view.of(self.side) if other.formation == unit.formation]
        if unit.attached or unit.id in mates[SUPPORT - 1 :: SUPPORT] or not self.should_go(unit):
            return False
        way = way_to(self.place(unit), self.goal(unit))
        return self.data.scenario.turns - self.view.turn - way // PACE[unit.kind] < IN_HAND

    # --- the best action of each unit --------------------------------------------------------------------------

    def wants(self) -> Iterator[Want]:
        """4.2 The command each unit would get if there were enough for all."""
        assaults = self.assaults()
        for unit in commandable(self.view, self.side):
            want = self.want(unit, legal_commands(self.situation, unit), assaults.get(unit.id))
            if want is not None:
                yield want

    def want(self, unit: Unit, legal: Sequence[Command], assault: AssaultWish | None) -> Want | None:
        """4.2 The action the unit prefers: leave if it pays, else attack, call fire, shoot, move or wait."""
        shots = best_first(self.occasion, legal_shots(self.occasion, self.occasion.state.vehicles[unit.id]))
        value = self.value_of(shots[0]) if shots else 0
        may_move = Command.MOVE in legal
        if may_move and (edge := self.way_home(unit)):
            return Want(unit, Command.MOVE, 900, march=MarchWish(acts=[str(Leave(edge))]))
        if may_move and assault is not None:
            return Want(unit, Command.MOVE, 400, assault=assault)
        if may_move and (overrun := self.overrun(unit)):
            return Want(unit, Command.MOVE, 350, march=overrun)
        if Command.OVERWATCH in legal and can_observe(unit) and self.observes(unit):
            return Want(unit, Command.OVERWATCH, CALL_WORTH)
        if Command.FIRE in legal and value >= (URGENT_SHOT if may_move and self.must_go(unit) else GOOD_SHOT):
            targets = tuple(dict.fromkeys(shot.target for shot in shots))[:3]
            if self.goes_on(unit) and Command.SHORT_HALT in legal:
                return Want(unit, Command.SHORT_HALT, value, targets, self.goal(unit))
            return Want(unit, Command.FIRE, value, targets)
        if Command.FIRE in legal and not shots and may_fire_indirectly(self.situation, unit):
            return Want(unit, Command.FIRE, CALL_WORTH)
        if may_move and self.should_go(unit):
            goal = self.goal(unit)
            way = min((distance(self.place(unit), hex) for hex in goal), default=0)
            return Want(unit, Command.MOVE, MOVE_WORTH + (60 if way > 1 else 0), goal=goal)
        if Command.OVERWATCH in legal and self.in_reach(unit):
            return Want(unit, Command.OVERWATCH, WATCH_WORTH)
        return None

    def value_of(self, shot: Entry) -> int:
        """R-05 The expected value of a shot."""
        units = self.occasion.state.vehicles
        return worth(self.occasion, shot, distance(place_of(units[shot.unit]), place_of(units[shot.target])))

    def goes_on(self, unit: Unit) -> bool:
        """4.2 Whether a vehicle still on its way fires in a Short Halt.

        It does near the end, or if it must keep moving.
        """
        if unit.kind != "vehicle" or self.holds(unit) or not self.goal(unit):
            return False
        return self.last_turns or self.must_go(unit)

    def holds(self, unit: Unit) -> bool:
        """3.6 Whether the unit is on an objective that is worth points."""
        return any(unit.hex in row.hexes and row.vp.get(self.side, 0) > 0 for row in self.data.scenario.objectives)

    def should_go(self, unit: Unit) -> bool:
        """Whether a unit has somewhere to go and is fit to move: guns stay, and carriers wait for passengers."""
        if unit.kind == "towed" or unit.track_hit or unit.suppressed:
            return False
        if unit.status is Status.RESERVE:
            return True
        if self.holds(unit) or not self.goal(unit) or self.place(unit) in self.goal(unit):
            return False
        carrier = unit.kind == "vehicle" and not is_armed(self.data, unit)
        loaded = bool(self.view.passengers(unit))
        return loaded or not carrier

    def in_reach(self, unit: Unit) -> bool:
        """4.4.2 Whether an enemy could come into the unit's range; most armed units wait for that."""
        if not is_armed(self.data, unit) or unit.hex is None:
            return False
        reach = max((max_reach(arm) for arm in weapons_of(self.data, unit)), default=0)
        near = any(distance(unit.hex, foe) <= reach + 6 for foe in self.foes)
        return near and (self.holds(unit) or self.choice.below(4) > 0)

    def observes(self, unit: Unit) -> bool:
        """6.5.1.7 Whether the unit sees a target for indirect fire, or has a mission to continue."""
        if any(mission.observer == unit.id for mission in called_missions(self.view, self.side)):
            return True
        return any(call["observer"] == unit.id for call in self.calls)

    @cached_property
    def calls(self) -> list[dict[str, Any]]:
        """6.5.1.7 The calls possible if all observers were on Overwatch and all mortars had a Fire command."""
        if not self.data.plays("indirect_fire"):
            return []
        commands = {
            unit.id: (Command.OVERWATCH if can_observe(unit) else Command.FIRE).value
            for unit in commandable(self.view, self.side)
        }
        ordered = as_ordered(self.view, self.side, commands)
        return list(islice(legal_calls(Situation(self.data, ordered), self.side), 60))

    # --- destinations --------------------------------------------------------------------------------------------

    def place(self, unit: Unit) -> Hex:
        """The unit's hex, or its entry hex."""
        if unit.hex is not None:
            return unit.hex
        row = self.data.rows.get(unit.id)
        return row.entry[0] if row is not None and row.entry else self.data.board.hexes[0]

    def goal(self, unit: Unit) -> tuple[Hex, ...]:
        """3.6 The hexes the unit's formation is heading for; empty if it holds its goal already."""
        if unit.formation not in self.goals:
            self.goals[unit.formation] = self.chosen_goal(unit)
        return self.goals[unit.formation]

    def chosen_goal(self, unit: Unit) -> tuple[Hex, ...]:
        wanted = [row for row in self.data.scenario.objectives if self.wanted(row)]
        if not wanted:
            return ()
        here = self.place(unit)
        chosen = max(wanted, key=lambda row: (self.pull(row, here), row.id))
        self.bound_for[chosen.id] = self.bound_for.get(chosen.id, 0) + 1
        return chosen.hexes

    def wanted(self, row: Objective) -> bool:
        return row.vp.get(self.side, 0) > 0 and self.view.objectives[row.id].controller != self.side

    def pull(self, row: Objective, here: Hex) -> int:
        """How strongly an objective attracts a formation.

        Its points count for it; the distance and the formations already heading there count against it.
        """
        way = min(distance(here, hex) for hex in row.hexes)
        return 2 * row.vp[self.side] - 8 * way - 25 * self.bound_for.get(row.id, 0)

    def way_home(self, unit: Unit) -> str:
        """4.5.1.1.9 The map edge worth exiting by, if within reach; armed units leave only near the end."""
        points = {row.edge: row.vp for row in self.data.scenario.exits if row.side == self.side and row.vp > 0}
        if not points or not unit.alive or not (self.last_turns or not is_armed(self.data, unit)):
            return ""
        for edge in sorted(points, key=lambda edge: -points[edge]):
            if not self.missed(unit, MarchWish(acts=[str(Leave(edge))])):
                return edge
        return ""

    def missed(self, unit: Unit, wish: MarchWish, command: Command = Command.MOVE) -> bool:
        """6.6 Whether a move cannot be made as planned."""
        ordered = self.view_with(unit, command)
        return bool(itinerary(Situation(self.data, ordered), ordered.vehicles[unit.id], wish).missed)

    def march(
        self, unit: Unit, command: Command, goal: tuple[Hex, ...], near: Hex | None, alone: bool = True
    ) -> MarchWish:
        """6.6 A move to the most promising place within reach; empty if staying is best.

        `near` is the group's destination.
        """
        ordered = self.view_with(unit, command)
        moving = ordered.vehicles[unit.id]
        best, wish = LEAST, MarchWish()
        if unit.hex is not None and near is None:
            best = self.value(moving, unit.hex, goal)
        for mode in self.modes(ordered, moving, alone):
            mover = mover_of(Situation(self.data, ordered), moving, mode == "quick")
            for hex, facings in self.candidates(mover, mode, goal, near):
                value = self.value(moving, hex, goal) - (200 * self.apart(unit, hex, near) if near else 0)
                if value > best:
                    facing = self.facing_in(hex)
                    turning = [str(Turn(facing))] if facing in facings else []
                    best, wish = value, MarchWish(mode=mode, acts=[str(To(hex_name(hex))), *turning])
        if len(wish.acts) > 1 and self.missed(unit, wish, command):  # its path leaves no hexside to turn
            return MarchWish(mode=wish.mode, acts=wish.acts[:1])
        return wish

    def modes(self, view: PanzerState, unit: Unit, alone: bool) -> list[MoveMode]:
        """6.6.4 Cross-country; far from enemies also by road, or occasionally, when alone, at a quickmarch."""
        far = all(distance(self.place(unit), foe) > 10 for foe in self.foes)
        modes: list[MoveMode] = ["cross"]
        if unit.kind == "vehicle":
            modes += ["road"] if unit.hex is None or self.data.board.links(unit.hex) else []
        elif far and alone and self.choice.below(3) == 0:
            modes.append("quick")
        if crawls(unit):  # 6.6.4.3
            return ["crawl"]
        mover = mover_of(Situation(self.data, view), unit)
        return [mode for mode in modes if not any(mode_objections(mover, mode))]

    def candidates(
        self, mover: UnitMover, mode: MoveMode, goal: tuple[Hex, ...], near: Hex | None
    ) -> list[tuple[Hex, set[int]]]:
        """6.6 The reachable hexes nearest to the goal, or to the unit's group, with the possible facings."""
        begun = start(mover, mode)
        ends = (near,) if near is not None else goal

        def nearest_first(hexes: Iterable[Hex]) -> list[Hex]:
            return sorted(hexes, key=lambda hex: (way_to(hex, ends), hex))

        if mover.on_foot:
            return [(hex, set()) for hex in nearest_first({hex for hex, _ in walks(mover, begun)})[:CANDIDATES]]
        if mover.unit.track_hit or begun.over:
            return []
        hexes, facings_in = reach_of(mover, begun)
        places = ((hex, facings_in(hex)) for hex in nearest_first(hexes))
        return list(islice((place for place in places if place[1]), CANDIDATES))

    def apart(self, unit: Unit, hex: Hex, near: Hex) -> int:
        """6.2.1.1.4 How many hexes beyond command range of its group the unit would be."""
        return max(0, distance(hex, near) - command_range(self.data, unit.formation))

    def value(self, unit: Unit, hex: Hex, goal: tuple[Hex, ...]) -> int:
        """The value of a place: distance to the goal, cover, enemies that could fire at it, and crowding."""
        there = msgspec.structs.replace(unit, hex=hex, position="", hull_down=unit.hull_down, full_cover=False)
        step, exposed = (URGENT_STEP, URGENT_EXPOSED) if self.must_go(unit) else (STEP_FORWARD, EXPOSED)
        near = ON_OBJECTIVE if hex in goal else -step * way_to(hex, goal) if goal else 0
        cover = COVER[cover_of(self.situation, there, "gp" if unit.kind != "vehicle" else "ap").value]
        cover = cover if unit.kind == "vehicle" else 2 * cover
        others = self.taken.get(hex, 0) - (hex == unit.hex)
        crowd = max(0, others - 1) + 4 * (others + 1 >= self.data.charts.overstacked_from)  # 5.13
        return near + cover - exposed * min(4, self.count_watchers(hex)) - CROWDED * crowd + self.choice.below(25)

    def count_watchers(self, hex: Hex) -> int:
        """6.1.4 How many enemies could fire into a hex."""
        if hex not in self._watchers:
            self._watchers[hex] = self._watchers_of(hex)
        return self._watchers[hex]

    def _watchers_of(self, hex: Hex) -> int:
        lines, place = Sight(self.situation), Station(hex)
        near = [foe for foe, reach in self.dangers if foe != hex and distance(foe, hex) <= reach]
        return sum(1 for foe in near if lines.between(Station(foe), place))

    def facing_in(self, hex: Hex) -> int:
        """3.3 The facing towards the nearest enemy."""
        foes = [foe for foe in self.foes if foe != hex]
        return towards(hex, min(foes, key=lambda foe: (distance(hex, foe), foe)))[0] if foes else 0

    # --- 6.6.1, 6.6.10 close combat --------------------------------------------------------------------------------

    def assaults(self) -> dict[str, AssaultWish]:
        """6.6.1 Close-combat attacks: on weak or suppressed enemies, with more than one unit if possible."""
        moving = {unit.id: Command.MOVE.value for unit in commandable(self.view, self.side) if unit.kind == "leg"}
        near = [id for id in moving if self.is_close(self.view.vehicles[id])]
        if not near:
            return {}
        ordered = as_ordered(self.view, self.side, {id: moving[id] for id in near})
        by_target: dict[str, dict[str, AssaultWish]] = {}
        for unit, target, hex in legal_attacks(Situation(self.data, ordered), Ask(self.side, "assault", "6.6.1")):
            if not unit.suppressed and self.can_be_beaten(target):
                wish = AssaultWish(target.id, hex_name(hex) if hex is not None else "")
                by_target.setdefault(target.id, {}).setdefault(unit.id, wish)
        found: dict[str, AssaultWish] = {}
        for target_id, wishes in sorted(by_target.items(), key=lambda pair: -len(pair[1])):
            enough = 1 if self.view.vehicles[target_id].suppressed or self.soft(target_id) else 2
            free = {id: wish for id, wish in wishes.items() if id not in found}
            if len(free) >= enough:
                found |= dict(list(free.items())[:3])
        return found

    def is_close(self, unit: Unit) -> bool:
        """6.6.1.1 Whether an enemy is within reach of an advance and attack."""
        return unit.hex is not None and any(distance(unit.hex, foe) <= 2 for foe in self.foes)

    def can_be_beaten(self, target: Unit) -> bool:
        """6.6.1 Whether the target is a vehicle, a gun, or infantry that is suppressed or smaller than a squad."""
        if target.kind != "leg":
            return True
        return target.suppressed or self.data.leg(target).size != "squad" or self.choice.below(4) == 0

    def soft(self, id: str) -> bool:
        unit = self.view.vehicles[id]
        return unit.kind == "towed" or (unit.kind == "vehicle" and self.data.vehicle(unit).type == "S")

    def overrun(self, unit: Unit) -> MarchWish | None:
        """6.6.10 An armoured vehicle overruns nearby infantry or guns: suppressed ones, occasionally others."""
        if unit.kind != "vehicle" or not unit.alive or unit.track_hit or self.data.vehicle(unit).type != "A":
            return None
        for enemy in self.enemies:
            close = distance(place_of(unit), place_of(enemy)) <= 3
            if enemy.kind == "vehicle" or not close or not (enemy.suppressed or self.choice.below(6) == 0):
                continue
            wish = MarchWish(acts=[str(Overrun(enemy.id))])
            if is_armed(self.data, unit) and not self.missed(unit, wish):
                return wish
        return None

    # --- 6.6.7 transports ------------------------------------------------------------------------------------

    def boarding(self, busy: Iterable[str]) -> dict[str, MarchWish]:
        """6.6.7.1.1 Dismount near the enemy or the goal, and mount far from both, without moving."""
        found: dict[str, MarchWish] = {}
        for carrier in commandable(self.view, self.side):
            if carrier.id in busy or carrier.kind != "vehicle" or carrier.hex is None:
                continue
            steps = self.off(carrier) if self.view.passengers(carrier) else self.on(carrier)
            if steps:
                found[carrier.id] = MarchWish(mode="stay", acts=list(steps))
        return found

    def near_the_fight(self, unit: Unit, hexes: int) -> bool:
        """Whether the goal or an enemy is within this many hexes."""
        here = self.place(unit)
        ends = (*self.goal(unit), *self.foes)
        return any(distance(here, hex) <= hexes for hex in ends)

    def off(self, carrier: Unit) -> tuple[str, ...]:
        guns = any(unit.kind == "towed" for unit in self.view.passengers(carrier))
        if not self.near_the_fight(carrier, 2 * GET_OFF if guns else GET_OFF):
            return ()
        legal = [steps for steps in stay_choices(self.mover(carrier)) if any(acts_of(Dismount, steps[:1]))]
        return max(legal, key=len, default=())

    def on(self, carrier: Unit) -> tuple[str, ...]:
        if self.near_the_fight(carrier, GET_ON) or not self.goal(carrier):
            return ()
        legal = [steps for steps in stay_choices(self.mover(carrier)) if any(acts_of(Mount, steps[:1]))]
        own = [steps for steps in legal if self.view.vehicles[steps[0][6:]].transport == carrier.id]
        return own[0] if own else ()

    def mover(self, carrier: Unit) -> UnitMover:
        ordered = as_ordered(self.view, self.side, {carrier.id: Command.NO_COMMAND.value})
        return mover_of(Situation(self.data, ordered), ordered.vehicles[carrier.id])

    # --- 6.5.1, 6.7 support -----------------------------------------------------------------------------------

    def missions(self, commands: Mapping[str, str]) -> Iterator[Declaration]:
        """6.5.1 Call off missions that hit no enemy; then make each firer's best call, occasionally with smoke.

        Only units with a command call or fire.
        """
        enemies, friends = set(self.foes), {unit.hex for unit in self.view.of(self.side)}
        for mission in called_missions(self.view, self.side):
            covered = set(sheaf_hexes(self.data, mission.point, mission.sheaf, mission.direction))
            if mission.type == "gp" and (not covered & enemies or covered & friends):
                yield Declaration(do="check", mission=mission.id)
            else:
                yield Declaration(do="continue", mission=mission.id, type=mission.type)
        used: set[str] = set()
        shells = [call for call in self.calls if call["type"] == self.shell()]
        for call in sorted(shells, key=lambda call: -promise(self.situation, self.side, call)):
            names = {call["observer"], *call["firers"]}
            told = [leader_of(commands, name) or name for name in (call["observer"], *self.on_map(call["firers"]))]
            given = [commands.get(name) for name in told]
            ready = given == [Command.OVERWATCH.value, *[Command.FIRE.value] * (len(given) - 1)]
            if ready and promise(self.situation, self.side, call) > 0 and not names & used:
                used |= names
                yield Declaration(**call)

    def on_map(self, firers: Iterable[str]) -> list[str]:
        """6.5.1.3 The firers that need a command; off-map batteries do not."""
        return [firer for firer in firers if firer not in self.view.batteries]

    def shell(self) -> str:
        return "smoke" if self.choice.below(8) == 0 else "gp"

    def flights(self) -> Iterator[Plot]:
        """6.7 A flight for each aircraft that can attack anything."""
        for craft in self.view.aircraft.values():
            if craft.side == self.side and not craft.shot_down:
                ask = Ask(self.side, "flight", "6.7", about={"phase": 1, "aircraft": [craft.id]})
                for flight in best_flights(self.situation, ask):
                    yield msgspec.convert(flight, Plot)

    def adjustments(self, idle: Iterable[Unit]) -> Adjustments:
        """6.8 Let leg units and guns take cover if they stay and leave it if they are about to move; some dig in."""
        waiting = [unit for unit in idle if unit.kind != "vehicle" and unit.alive and unit.dismounted]
        return Adjustments(
            cover={
                unit.id: not self.should_go(unit)
                for unit in waiting
                if unit.full_cover == self.should_go(unit) and not unit.position
            },
            dig={unit.id: True for unit in waiting if not unit.position and self.choice.below(3) == 0},
        )


def max_reach(arm: Any) -> int:
    """3.5.2 The weapon's longest range in any kind of fire."""
    return max((arm.reach(how) for how in arm.hows), default=0)


def way_to(hex: Hex, goal: Sequence[Hex]) -> int:
    return min((distance(hex, end) for end in goal), default=0)
