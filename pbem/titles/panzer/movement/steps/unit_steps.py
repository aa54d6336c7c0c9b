"""6.6 The progress of a unit's move and the effect of its next step: vehicles, riders and common code.

    4.5.1.1.1     unit_allowances, allowance_finding (6.6.2)
    4.5.1.1.5     UnitMover.obstructions: obstacles to the path and road rate (6.6.4.1)
    4.5.1.1.10    UnitMover.finish_objections: not with an enemy
    6.6           March, UnitMover, mover_of, start, MODES, a_step
    6.6.4.4       riders drive like wheeled vehicles
    6.6.7.1       no reverse with a gun in tow

The basic game's steps are used unchanged; this module adds the objections of the advanced game. Steps of other
chapters are registered by `a_step` and `a_plain_step`: `on_foot`, `buildings`, `transport`, `positions`,
`overrun_moves`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from pbem.engine.geometry.hexes import Hex, direction_to, hex_name, neighbour, parse_hex
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.command.command_control import is_broken
from pbem.titles.panzer.damage.damage_detail import DRIVE
from pbem.titles.panzer.movement.shared_moves import command_of, companions, group_objections
from pbem.titles.panzer.movement.steps.acts import HANDLING, Act, Bail, Enter, Exit, Wrong, read_act
from pbem.titles.panzer.movement.steps.costs import Allowances, Item, Mode, Price, halve, price
from pbem.titles.panzer.movement.steps.driving import (
    EXIT,
    EXIT_REVERSE,
    FORWARD,
    LEFT,
    REVERSE,
    RIGHT,
    Mover,
    Objections,
    Progress,
    Stride,
    advance,
    finish_objections,
    travel,
)
from pbem.titles.panzer.movement.steps.occupation import ABANDONED, occupation_around
from pbem.titles.panzer.movement.steps.terrain_costs import (
    WALKING,
    VehicleGround,
    gait_of,
    ground_of,
    movement_of,
    walks,
)
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.narrow_roads import (
    entry_objections,
    is_narrow,
    is_pushed,
    leaving_objections,
    stands_aside,
)
from pbem.titles.panzer.obstacles.waters import swimming_objections, swims
from pbem.titles.panzer.obstacles.weight_limits import bridge_objections, has_dual_controls
from pbem.titles.panzer.sighting.weather import caution_finding, cautious_halvings, has_road_rate
from pbem.titles.panzer.situation import Situated, Situation
from pbem.titles.panzer.state import Command, Inside, PanzerState, Unit

MoveMode = Literal["cross", "road", "path", "quick", "crawl", "stay"]
MODES: Final[tuple[MoveMode, ...]] = ("cross", "road", "quick", "crawl", "stay")
"""6.6 The modes of a whole move.

`path` is another word for `road` (4.5.1.1.5); `stay`: passengers mount or dismount a stationary vehicle (6.6.7.1.1).
"""

DRIVING: Final = (FORWARD, REVERSE, LEFT, RIGHT, EXIT, EXIT_REVERSE)
PUSHING: Final = "7.30/pushing"
BARRING: Final = ("narrow_roads", "weight_limits", "amphibious")
HALF_CONDITIONS: Final = ("Short Halt", "Suppressed", "Damaged", "Broken")


# --- 4.5.1.1.1 allowances ------------------------------------------------------------------------------------


def halvings(view: PanzerState, unit: Unit) -> list[str]:
    """6.6.2 The conditions that each halve a unit's movement."""
    halt = command_of(view, unit) is Command.SHORT_HALT
    present = (halt, unit.suppressed, unit.hull_damaged, is_broken(unit))  # 7.1.5.2
    return [word for word, applies in zip(HALF_CONDITIONS, present, strict=True) if applies]


def unit_allowances(situation: Situation, unit: Unit, quick: bool = False) -> Allowances:
    """6.6.2 The movement factor, halved for each condition but at least 1; zero for the largest guns."""
    data = situation.data
    factor = movement_of(data, unit)
    times = len(halvings(situation.state, unit)) + cautious_halvings(data, unit)  # 7.36.2
    cross = factor.quickmarch if quick else factor.cross_country

    damaged = data.advanced.number("drive_damage") if DRIVE in unit.flags else 0  # 7.23.3

    def usable(points: int) -> int:
        return halve(max(1, points + damaged), times) if points else 0

    if not has_road_rate(data):  # 7.36.2
        return Allowances(usable(cross), 0, 0)
    return Allowances(usable(cross), usable(factor.path), usable(factor.road))


def allowance_finding(situation: Situation, unit: Unit, quick: bool = False) -> Finding:
    """6.6.2, 6.6.4.1 The movement factor and the remaining allowance."""
    data = situation.data
    factor = movement_of(data, unit)
    usable = msgspec.structs.asdict(unit_allowances(situation, unit, quick))
    reasons = halvings(situation.state, unit)
    rule = {"leg": "6.6.4.1", "cavalry": "6.6.4.5", "towed": "6.6.5", "rider": "6.6.4.4"}
    gait = gait_of(data, unit)
    children = [Finding(rule="6.6.4", inputs={"unit": unit.id}, result=gait)] if gait in WALKING else []
    if reasons:
        halving = {"unit": unit.id, "halved_for": reasons}
        children.append(Finding(rule="3.7" if data.basic else "6.6.2", inputs=halving, result=usable))
    children += caution_finding(data, unit, usable)
    return Finding(
        rule=rule.get(gait, "4.5.1.1.1"),
        inputs={"unit": unit.id, **msgspec.structs.asdict(factor)},
        result=usable,
        children=tuple(children),
    )


# --- 6.6 a move so far -----------------------------------------------------------------------------------------


class March(Progress, frozen=True, omit_defaults=True):
    """6.6 A move so far, with the data the advanced game needs. It is plain data, so that an ask can carry it."""

    gait: Literal["", "quick", "crawl", "stay"] = ""
    inside: Inside = Inside.NO
    """6.1.4.3.1 The unit's position within its building hex."""
    levels: int = 0
    """6.6.4.2 Levels changed in this move."""
    aboard: tuple[str, ...] = ()
    """6.6.7 The unit's passengers."""
    mounted: tuple[str, ...] = ()
    """6.6.7.1.1 Units that mounted in this move."""
    handled: bool = False
    """6.6.7.1.1 Whether the unit has paid for passengers in this hex."""
    dusty: tuple[Hex, ...] = ()
    """6.1.4.3.12 The hexes in which the move has raised dust."""
    declared: tuple[str, ...] = ()
    """6.6.10, 6.6.1.1 The attacks declared before the move, in the notation of acts: `overrun:b1`, `g5:b1`."""
    overran: str = ""
    """6.6.10 The enemy unit that was overrun in this move."""
    over: str = ""
    """The rule that has used up the whole allowance."""
    slowed: tuple[str, ...] = ()
    """6.6.2 The conditions that have halved the allowance."""
    turret: int = 0
    swung: bool = False
    """7.8.1 The turret's offset, and whether it was turned in this hex."""
    firm: bool = False
    """7.29 Whether the unit has found firm ground in this hex."""


@dataclass(frozen=True)
class UnitMover(Situated, Mover):
    """6.6 A unit about to move, and everything its steps depend on."""

    unit: Unit
    situation: Situation
    land: VehicleGround
    hostile: Collection[Hex]
    """6.6.4.1 Hexes with enemy leg or towed units."""
    in_the_way: Mapping[Hex, str]
    """4.5.1.1.5, 6.6.4.1 Obstacles to the path and road rate in a hex, other than wrecks and vehicles."""
    enemy_vehicles: Collection[Hex]
    tows: bool
    """6.6.7.1 Whether the unit has a gun in tow from here on."""
    mounted: tuple[str, ...] = ()
    """6.6.7.1.1 The units that have mounted in this move so far."""

    def loaded(self, progress: March) -> UnitMover:
        """6.6.7.1.1 The same unit with what it has aboard at this point of its move."""
        tows = towing(self.state, progress)
        same = tows is self.tows and progress.mounted == self.mounted
        return self if same else replace(self, tows=tows, mounted=progress.mounted)

    @cached_property
    def reverse_times(self) -> int:  # read again and again by the route search
        """4.5.1.1.7 Reverse costs double.

        7.33 With dual controls it costs no more than forward; 6.6.7.1 the result is 0 when towing.
        """
        if self.tows:
            return 0
        return 1 if has_dual_controls(self.data, self.unit) else 2

    @cached_property
    def hindered(self) -> bool:
        """7.30, 7.32, 7.34 Whether rules other than terrain costs may currently close hexes to the unit."""
        data, board, conditions = self.data, self.land.board, self.data.scenario.conditions
        if data.plays("weight_limits") and (conditions.bridges or conditions.bridge_limits):
            return True
        if self.reverse_times == 0 and swims(data, self.unit):
            return True
        return data.plays("narrow_roads") and any(is_narrow(data, board, hex) for hex in (*self.others, *self.wrecks))

    @cached_property
    def can_be_barred(self) -> bool:
        """6.6.4.1, 7.30, 7.32, 7.34 Whether any rule in use could close a hex to the unit, whatever its cost."""
        return self.unit.kind == "leg" or any(map(self.data.plays, BARRING))

    def may_pass(self, hex: Hex, direction: int, way: int) -> bool:
        """7.30, 7.32, 7.34 Whether narrow roads, bridges and water let the unit pass from one hex to the next."""
        target = neighbour(hex, direction)
        return not self.land.board.is_on_map(target) or not any(
            closed_objections(self, hex, target, way, "", self.reverse_times == 0)
        )

    def backwards(self, forward: Price) -> Price:
        """7.33 The cost in reverse: with dual driving controls the same as forward."""
        if not has_dual_controls(self.data, self.unit):
            return super().backwards(forward)
        return forward._replace(items=(*forward.items, Item("7.33", "dual driving controls", 0)))

    def with_free_roads(self) -> UnitMover:
        """4.5.1.1.5, 6.6.4.1 The same unit without any obstacle to the path and road rate."""
        return replace(self, enemies=(), wrecks=(), others={}, enemy_vehicles=(), in_the_way={})

    @cached_property
    def on_foot(self) -> bool:
        """6.6.4.1, 6.6.4.3 Whether the unit moves in any direction without turning, on foot or by crawling."""
        return walks(self.data, self.unit)

    @cached_property
    def group(self) -> list[Unit]:
        """6.2.1.1.4 The units that share this unit's command and must keep together with it."""
        return [mate for mate in companions(self.state, self.unit) if mate.id not in self.mounted]

    def with_group(self, mode: Mode) -> Callable[[Hex], bool]:
        """6.2.1.1.4 A cached test of whether the unit's group allows the move to end in a hex."""

        @cache
        def allowed(hex: Hex) -> bool:
            return not any(group_objections(self.data, self.group, self.unit, hex, mode == "road"))

        return allowed

    @property
    def rides(self) -> bool:
        """6.6.4.4 Whether this is a leg unit that drives a motorcycle or bicycle."""
        return self.unit.kind == "leg" and not self.on_foot

    def rule(self, number: str) -> str:
        return ledger_row(self.data.edition, number)

    def advance(self, progress: Progress, step: str) -> Stride | Objections:
        """6.6 The move after one more step, or every objection to that step."""
        assert isinstance(progress, March)
        return take(self, progress, step)

    def obstructions(self, hex: Hex) -> Iterator[Objection]:
        """4.5.1.1.5, 6.6.4.1 Yield obstacles to the path and road rate; dismounted leg units are not obstacles."""
        rule = self.rule("4.5.1.1.5/obstructed")
        if hex in self.wrecks:
            yield Objection(
                rule, say("a wreck in {hex} rules out the path and road rate; move across country", hex=hex_name(hex))
            )
        if hex in self.enemy_vehicles:
            yield Objection(
                rule,
                say("an enemy in {hex} rules out the path and road rate; move across country", hex=hex_name(hex)),
            )
        if hex in self.in_the_way:
            what = self.in_the_way[hex]
            why = say(
                "{what} in {hex} rules out the path and road rate; move across country", what=what, hex=hex_name(hex)
            )
            yield Objection(rule if what == ABANDONED else self.rule("6.6.4.1/roads"), why)
        if self.others.get(hex, 0) + (self.unit.kind != "leg") >= self.ground.charts.overstacked_from:
            yield Objection(
                rule if self.data.basic else "5.13",
                say(
                    "{hex} would be overstacked, which rules out the path and road rate; move across country",
                    hex=hex_name(hex),
                ),
            )

    def finish_objections(self, progress: Progress) -> Iterator[Objection]:
        """6.6 Every reason why a move cannot end here."""
        assert isinstance(progress, March)
        yield from _finish(self, progress)


def mover_of(situation: Situation, unit: Unit, quick: bool = False) -> UnitMover:
    """6.6 A mover for a unit of this view on the current ground."""
    found = occupation_around(situation, unit)
    land = ground_of(situation, unit)
    row = situation.data.rows.get(unit.id)
    return UnitMover(
        vehicle=unit,
        allowances=unit_allowances(situation, unit, quick),
        ground=land,
        enemies=found.enemies,
        wrecks=wrecks_of(situation.state),
        others=found.others,
        entry=row.entry if row else (),
        unit=unit,
        situation=situation,
        land=land,
        hostile=found.hostile,
        in_the_way=found.in_the_way,
        enemy_vehicles=found.vehicles,
        tows=any(passenger.kind == "towed" for passenger in units_aboard(situation.state, unit)),
    )


def wrecks_of(view: PanzerState) -> frozenset[Hex]:
    """5.6, 7.30 The hexes with wrecks that have not been pushed aside."""
    return frozenset(hex for hex in map(parse_hex, view.wrecks) if not is_pushed(view, hex))


def start(mover: UnitMover, mode: MoveMode, declared: Sequence[str] = ()) -> March:
    """6.6 The move before its first step."""
    unit = mover.unit
    return March(
        mode="road" if mode in ("road", "path") else "cross",
        allowances=mover.allowances,
        hex=unit.hex,
        facing=unit.facing,
        arrival=unit.facing,
        gait=mode if mode in ("quick", "crawl", "stay") else "",
        inside=unit.inside,
        turret=unit.turret,
        aboard=tuple(passenger.id for passenger in units_aboard(mover.state, unit)),
        spent=unit.spent,  # an advance to attack (6.6.1.1)
        declared=tuple(declared),
        slowed=tuple(halvings(mover.state, unit)),
    )


def units_aboard(view: PanzerState, carrier: Unit) -> list[Unit]:
    """6.6.7 The units aboard, also before the vehicle has entered the map."""
    return [unit for unit in view.vehicles.values() if unit.aboard == carrier.id and unit.status is carrier.status]


# --- steps -----------------------------------------------------------------------------------------------------

AnyAct = TypeVar("AnyAct", bound=Act)
StepRule: TypeAlias = Callable[[UnitMover, March, AnyAct], Stride | Objections]
PlainRule: TypeAlias = Callable[[UnitMover, March], Stride | Objections]


class Kind(NamedTuple):
    """A kind of step: the rule it is reported under, its effect, and the objection if its arguments are wrong."""

    rule: str
    run: StepRule[Any]
    usage: Objection | None = None


STEPS: Final[dict[str, Kind]] = {}
"""6.6 The steps of the advanced game by their codes."""


def a_step(
    kind: type[AnyAct], rule: str, usage: Objection | None = None
) -> Callable[[StepRule[AnyAct]], StepRule[AnyAct]]:
    """6.6 Register a step of the advanced game that has arguments."""

    def register(run: StepRule[AnyAct]) -> StepRule[AnyAct]:
        STEPS[kind.CODE] = Kind(rule, run, usage)
        return run

    return register


def a_plain_step(word: str, rule: str) -> Callable[[PlainRule], PlainRule]:
    """6.6 Register a step of the advanced game that is a single word."""

    def register(run: PlainRule) -> PlainRule:
        STEPS[word] = Kind(rule, lambda mover, progress, act: run(mover, progress))
        return run

    return register


def take(mover: UnitMover, progress: March, step: str) -> Stride | Objections:
    """6.6 Take one step, of the advanced or the basic game."""
    act = read_act(step)
    if progress.exit:
        return [Objection("4.5.1.1.9", say("the unit has left the map for good"))]
    if progress.over and not isinstance(act, Bail) and not (progress.over == "7.29" and isinstance(act, HANDLING)):
        return [Objection(progress.over, say("the unit's movement is used up"))]
    if mover.data.basic and act.code not in (*DRIVING, Enter.CODE):
        return [
            Objection(
                "3.3",
                say(
                    "'{step}' is not a step: use f or b to drive, l or r to turn, exit or exit-b to leave the map",
                    step=step,
                ),
            )
        ]
    if progress.gait == "stay" and not isinstance(act, HANDLING):
        return [Objection("6.6.7.1.1", say("the unit does not move; passengers can only get on or off"))]
    if stands_aside(mover.unit) and not isinstance(act, (*HANDLING, Bail)):
        return [Objection(PUSHING, say("the unit was pushed off the road and cannot move any further"))]
    if (kind := STEPS.get(act.code)) is not None:
        return [kind.usage] if kind.usage and isinstance(act, Wrong) else kind.run(mover, progress, act)
    if mover.on_foot and act.code != Enter.CODE:
        return [Objection("6.6.4.1", say("'{step}' is not a step on foot: give a direction from 1 to 6", step=step))]
    return drive(mover, progress, step)


def drive(mover: UnitMover, progress: March, step: str) -> Stride | Objections:
    """4.5.1.1 Take a step of the basic game, with the objections and records of the advanced game."""
    if objections := list(driving_objections(mover, progress, step)):
        return objections
    stride = advance(mover, progress, step)
    if isinstance(stride, list):
        return stride
    after = stride.progress
    assert isinstance(after, March)
    if after.entered > progress.entered:
        after = in_new_hex(mover, progress, after)
    stride = stride._replace(progress=after)
    return _turn_inside(mover, progress, stride) if step in (LEFT, RIGHT) and progress.inside else stride


def _turn_inside(mover: UnitMover, before: March, stride: Stride) -> Stride | Objections:
    """4.5.1.1.4, 6.1.4.3.1 A paid turn inside a building costs the building's value, not the alley's."""
    interior = mover.land.interior(before.hex) if before.hex is not None else None
    if interior is None or not stride.price.total:
        return stride
    item = Item("4.5.1.1.4", "turn inside a building", interior.turn.value)
    due = price(item, *stride.price.items[1:])
    if not isinstance(due.total, int) or due.total > before.left:
        return [
            Objection(
                "4.5.1.1.4",
                say(
                    "turning a second hexside inside a building costs {total}, but only {left} movement points "
                    "are left",
                    total=due.total,
                    left=before.left,
                ),
            )
        ]
    after = msgspec.structs.replace(stride.progress, spent=before.spent + due.total)
    return Stride(stride.step, after, due)


def in_new_hex(mover: UnitMover, before: March, after: March) -> March:
    """6.6 Update the move for a new hex: floors, payment for passengers, levels, dust."""
    assert after.hex is not None
    climbed = 0 if before.hex is None else abs(mover.land.board.level(before.hex) - mover.land.board.level(after.hex))
    raised = before.hex is not None and raises_dust(mover, after.hex, after.link)
    return msgspec.structs.replace(
        after,
        inside=Inside.NO,
        handled=False,
        swung=False,
        firm=False,
        levels=before.levels + climbed,
        dusty=(*before.dusty, before.hex) if raised and before.hex else before.dusty,
    )


def raises_dust(mover: UnitMover, hex: Hex, link: str | None) -> bool:
    """6.1.4.3.12 Whether entering raises dust: clear ground, brush, scrub, paths and tracks do, roads do not."""
    if mover.unit.kind != "vehicle" or link == "road":
        return False
    if link is not None:
        return True
    return all(mover.data.advanced.terrains[name].dust.value for name in mover.land.board.terrain(hex))


def driving_objections(mover: UnitMover, progress: March, step: str) -> Iterator[Objection]:
    """6.5.2.2.1, 6.6.4.1, 6.6.7.1 Reasons why a vehicle or rider cannot take a step."""
    unit = mover.unit
    if unit.track_hit:
        yield Objection("6.5.2.2.1", say("the unit's track is hit, so it cannot move or turn"))
    if unit.bailed_out:
        yield Objection("5.15", say("the vehicle's crew has left it for good"))
    if progress.inside is Inside.UP:
        yield Objection(
            mover.rule("6.6.4.1/floors"), say("the unit is on an upper floor: give the step `down` first")
        )
    if step in (REVERSE, EXIT_REVERSE) and towing(mover.state, progress):
        yield Objection(mover.rule("6.6.7.1/no-reverse"), say("the unit cannot reverse with a gun in tow"))
    if not mover.can_be_barred:
        return
    if progress.hex is None or step not in (FORWARD, REVERSE):
        yield from edge_objections(mover, progress, step)  # 7.30
        return
    target = neighbour(progress.hex, travel(progress.facing, step))
    if not mover.land.board.is_on_map(target):
        return  # 4.5.1.1.9: the basic step explains how to leave
    tows = towing(mover.state, progress)
    yield from closed_objections(mover, progress.hex, target, progress.way, progress.overran, tows)
    if mover.unit.kind == "leg" and target in mover.hostile:
        yield hostile_objection(target)


def closed_objections(
    mover: UnitMover, hex: Hex, target: Hex, way: int, overran: str, in_tow: bool
) -> Iterator[Objection]:
    """7.30, 7.32, 7.34 Reasons why a vehicle cannot drive from one hex to the next, regardless of cost."""
    yield from narrow_objections(mover, hex, target, way, overran)
    yield from bridge_objections(mover.data, mover.land.board, mover.unit, target)
    yield from swimming_objections(mover.data, mover.land.board, mover.unit, target, in_tow)


def narrow_objections(mover: UnitMover, hex: Hex, target: Hex, way: int, overran: str) -> Iterator[Objection]:
    """7.30 Reasons why a unit cannot drive into or out of a narrow hex, across the hexside between two hexes."""
    if not mover.data.plays("narrow_roads"):
        return
    data, board, view = mover.data, mover.land.board, mover.state
    yield from leaving_objections(data, board, view, mover.unit, hex, direction_to(hex, target), way)
    yield from entry_objections(data, board, view, mover.unit, target, overran)


def edge_objections(mover: UnitMover, progress: March, step: str) -> Iterator[Objection]:
    """7.30 Reasons why a unit cannot leave the map from a narrow hex, or enter the map into one."""
    data, board, view = mover.data, mover.land.board, mover.state
    act = read_act(step)
    if progress.hex is not None and act.code in (EXIT, EXIT_REVERSE):
        way = (act.way if isinstance(act, Exit) else 0) or travel(progress.facing, step)
        yield from leaving_objections(data, board, view, mover.unit, progress.hex, way, progress.way)
    for hex in mover.entry if progress.hex is None else ():
        if isinstance(act, Enter) and hex_name(hex) == act.hex:
            yield from entry_objections(data, board, view, mover.unit, hex)


def hostile_objection(hex: Hex) -> Objection:
    """6.6.4.1 Leg and towed units cannot pass enemy leg or towed units."""
    return Objection("6.6.4.1", say("enemy leg or towed units in {hex} block the unit's way", hex=hex_name(hex)))


def towing(view: PanzerState, progress: March) -> bool:
    """6.6.7.1 Whether the vehicle is towing a gun at this point."""
    return any(view.vehicles[id].kind == "towed" for id in progress.aboard)


# --- where a move may end --------------------------------------------------------------------------------------


def _finish(mover: UnitMover, progress: March) -> Iterator[Objection]:
    """6.6 Objections to a move's end: with an enemy not just overrun, facing off the road, or far from its group."""
    if progress.gait == "stay":
        return
    if (progress.overran and progress.hex in mover.enemies) or progress.over == PUSHING:
        return  # 6.6.10.1: it is put back; 7.30
    on_foot = mover.unit.kind != "vehicle" and not progress.exit
    if on_foot and progress.hex is not None and progress.hex in mover.enemies:
        yield Objection(
            "6.6.4.1",
            say(
                "the unit cannot end its move in a hex with an enemy, and there is one in {hex}",
                hex=hex_name(progress.hex),
            ),
        )
    else:
        yield from finish_objections(mover, progress)
    if progress.hex is not None and not progress.exit:
        group = mover.loaded(progress).group if progress.mounted else mover.group  # who is aboard keeps up
        yield from group_objections(mover.data, group, mover.unit, progress.hex, progress.mode == "road")
