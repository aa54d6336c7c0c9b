"""4.4.3 AP fire: whether a shot can be made, whether it hits, and what it does.

    4.4.3        Shot, a_shot, aim_objections, reach_objections
    4.4.3.1      field_of_fire, in_field, in_front_field
    4.4.3.2      resolve_shot, preview
    4.4.3.2.1    range_factor
    4.4.3.2.2    hit_modifiers and the conditions of its chart; claim_target_moving, check_show, show_options
    4.4.3.2.3    roll_to_hit
    4.4.3.2.4    aspect_of, hit_aspect, check_aspect, aspect_options
    4.4.3.2.5    armour_penetration
    4.4.3.2.6    apply_damage, eliminate, settle_smoke

Who fires when is 4.4.1, in `direct_fire`, and 4.4.2, in `overwatch`. Everything up to the roll is a pure function
of a state or of a seat's view: the command of an enemy counter that lies face down is never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import Hex, distance, dot, hex_name, opposite, within_30
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards import Card, Weapon
from pbem.titles.panzer.charts import Cover, Modifier, RangeFactor, clamp
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.line_of_sight import smoke_hexes
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.stacking import is_overstacked, stacking
from pbem.titles.panzer.state import Command, PanzerState, Spot, Status, Vehicle, Wreck

Aspect = Literal["front", "rear"]

MOVING: Final = (Command.MOVE, Command.SHORT_HALT)
"""4.4.3.2.2 The commands that make a moving target."""
EFFECTS: Final = ("miss", "too-late", "no-effect", "damaged", "ko", "bu")
"""What a shot can do, weakest first."""


# --- 4.4.3 a shot ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shot:
    """4.4.3 One weapon of one vehicle fired at another, as things stand now. `command`: what it fires under."""

    data: PanzerData
    view: PanzerState
    firer: Vehicle
    weapon: Weapon
    target: Vehicle
    command: Command | None

    @property
    def start(self) -> Hex:
        assert self.firer.hex is not None
        return self.firer.hex

    @property
    def end(self) -> Hex:
        assert self.target.hex is not None
        return self.target.hex

    @property
    def target_card(self) -> Card:
        return self.data.cards[self.target.card]

    @cached_property
    def range(self) -> int:
        """3.5.1 Counting the target's hex and not the firer's."""
        return distance(self.start, self.end)

    @cached_property
    def factor(self) -> RangeFactor | None:
        """4.4.3.2.1 The column of the R row; None out of range."""
        return self.weapon.range_factor(self.range) if self.range else None

    @property
    def overstacked(self) -> bool:
        """3.8 Whether the target's hex holds too many vehicles."""
        return is_overstacked(self.view, self.data.charts, self.end)

    @cached_property
    def cover(self) -> Cover:
        """4.4.3.2.2 The cover of the target's hex against AP fire; none if it is overstacked."""
        cover = self.data.charts.ap_cover(self.data.board.terrain(self.end))
        return Cover.NONE if cover is not Cover.NONE and self.overstacked else cover

    @property
    def smoke(self) -> list[str]:
        """4.4.3.2.2 The brew-up smoke in the firer's hex, on the line and in the target's hex (A-24)."""
        smoking = [name for name, wreck in self.view.wrecks.items() if smokes(wreck)]
        if not smoking:
            return []
        met = (hex for hex in smoke_hexes(self.start, self.end) if self.data.board.is_on_map(hex))
        return [name for name in map(hex_name, met) if name in smoking]

    @cached_property
    def modifiers(self) -> list[tuple[Modifier, int]]:
        """4.4.3.2.2 Every row that applies, in the order of the chart, and how often."""
        found = ((row, int(CONDITIONS[row.when].holds(self))) for row in self.data.charts.ap_hit_modifiers)
        return [(row, times) for row, times in found if times]

    @property
    def net(self) -> int:
        """4.4.3.2.2 All modifiers together."""
        return sum(row.value * times for row, times in self.modifiers)

    @property
    def hit_number(self) -> int:
        """4.4.3.2.3 The highest roll that hits; 0 if there is no attack."""
        return self.data.charts.hit_number(self.factor, self.net) if self.factor else 0

    @property
    def hopeless(self) -> bool:
        """4.4.3.2.3 Whether there is no attack: only at extreme range, so elsewhere no modifier need be known."""
        table = self.data.charts
        return not (self.factor and table.hit_number(self.factor, min(table.hit_numbers))) and self.hit_number == 0

    @property
    def penetration(self) -> int:
        """4.4.3.2.5 The P row under the range factor."""
        return self.weapon.penetration_at(self.factor) if self.factor else 0

    def armour(self, aspect: Aspect) -> int:
        """4.4.3.2.5 The target's basic armour."""
        return self.target_card.front if aspect == "front" else self.target_card.rear


def a_shot(
    data: PanzerData, view: PanzerState, firer: Vehicle, weapon: int, target: Vehicle, command: Command | None = None
) -> Shot:
    """A shot with a weapon by its number on the card, under the firer's own command unless told otherwise."""
    return Shot(data, view, firer, data.cards[firer.card].weapons[weapon], target, command or firer.command)


def smokes(wreck: Wreck) -> bool:
    """4.1.4.1.9 A brewed-up wreck smokes, but not in the step that made it (A-24)."""
    return wreck.brewed_up and not wreck.fresh


def aim_objections(
    data: PanzerData, view: PanzerState, firer: Vehicle, weapon: int, target: Vehicle, command: Command | None = None
) -> Iterator[Objection]:
    """4.4.3 What keeps a weapon from firing at a target under any command: card, range, field of fire, no chance."""
    if not firer.alive:
        yield Objection("4.4.3", "it is not on the map")
    if not target.alive or target.side == firer.side:
        yield Objection("4.4.3", f"{target.id} is no enemy vehicle on the map")
    unfit = list(weapon_objections(data.cards[firer.card], weapon))
    yield from unfit
    if unfit or not (firer.alive and target.alive):
        return
    shot = a_shot(data, view, firer, weapon, target, command)
    out_of_reach = list(reach_objections(shot))
    yield from out_of_reach
    if not out_of_reach and shot.hopeless:
        yield Objection("4.4.3.2.3", f"at extreme range with a net modifier of {shot.net} there is no attack")


def weapon_objections(card: Card, weapon: int) -> Iterator[Objection]:
    """4.4.3 Only a weapon with an AP row may fire in the basic game (R-07)."""
    if not 0 <= weapon < len(card.weapons):
        yield Objection("4.4.3", f"{card.name} has no weapon number {weapon}")
    elif not card.weapons[weapon].has_ap:
        yield Objection("4.4.3", f"its {card.weapons[weapon].name} has no AP row")


def reach_objections(shot: Shot) -> Iterator[Objection]:
    """3.5, 4.4.3.1 The target must be in range and in the field of fire. Modifiers play no part."""
    if shot.range == 0:
        yield Objection("3.5.1", f"{shot.target.id} is in the same hex, and no gun fires at range 0")
    elif shot.factor is None:
        reach = f"its {shot.weapon.name} reaches {shot.weapon.maximum_range}"
        yield Objection("3.5.2", f"{shot.target.id} is {shot.range} hexes away, {reach}")
    elif not in_field(shot):
        rule = "4.4.3.1.5" if shot.weapon.field == "rear" else "4.4.3.1.4"
        yield Objection(rule, f"{shot.target.id} is outside the {shot.weapon.field} field of fire")


def preview(
    data: PanzerData, view: PanzerState, firer: Vehicle, weapon: int, target: Vehicle, command: Command | None = None
) -> Finding:
    """4.4.3.2 What a shot would be like from what the seat knows. The result is the hit number, 0 for no attack."""
    shot = a_shot(data, view, firer, weapon, target, command)
    children = [*first_findings(shot)]
    if shot.factor is not None:
        aspect = aspect_of(shot)
        children += [
            Finding("4.4.3.2.3", cell=hit_cell(shot), result=shot.hit_number),
            hit_angle(shot, aspect or "either"),
            armour_penetration(shot, aspect or stronger_aspect(shot)),
            Finding("4.4.3.2.6", result=effect_of(shot, aspect or stronger_aspect(shot))),
        ]
    return Finding("4.4.3.2", inputs=named(shot), result=shot.hit_number, children=tuple(children))


def resolve_shot(table: Table[PanzerState], shot: Shot) -> Step:
    """4.4.3.2 Range factor, modifiers, roll, aspect, penetration, damage."""
    shot = replace(shot)  # modifiers as they are now
    children = [*first_findings(shot)]
    roll = roll_to_hit(table, shot)  # 4.4.3.2.3
    children.append(roll)
    effect = "miss"
    if roll.result == "hit":
        angle: Finding = yield from hit_aspect(shot, roll)  # 4.4.3.2.4
        pierced = armour_penetration(shot, angle.result)  # 4.4.3.2.5
        damage = apply_damage(table.state, shot, angle.result)  # 4.4.3.2.6
        children += [angle, pierced, damage]
        effect = str(damage.result)
    return Finding("4.4.3.2", inputs=named(shot), result=effect, children=tuple(children))


def named(shot: Shot) -> dict[str, Any]:
    """Who fires what at whom."""
    return {"firer": shot.firer.id, "weapon": shot.weapon.name, "target": shot.target.id}


def first_findings(shot: Shot) -> Iterator[Finding]:
    """4.4.3.2 All that stands before the roll."""
    ends = {"from": hex_name(shot.start), "to": hex_name(shot.end)}
    yield Finding("3.5", inputs=ends, result=shot.range)
    yield field_of_fire(shot)
    yield range_factor(shot)
    yield hit_modifiers(shot)


# --- 4.4.3.1 fields of fire ------------------------------------------------------------------------------------


def in_front_field(shot: Shot) -> bool:
    """4.4.3.1.4 The target lies in the 60 degree field ahead; of a rear-mounted gun, behind (A-25)."""
    facing = opposite(shot.firer.facing) if shot.weapon.field == "rear" else shot.firer.facing
    return within_30(shot.start, shot.end, facing)


def in_field(shot: Shot) -> bool:
    """4.4.3.1 Turrets and pivots fire all round, fixed mounts only in their field."""
    return shot.weapon.turreted or in_front_field(shot)


def field_of_fire(shot: Shot) -> Finding:
    """4.4.3.1 Whether the weapon bears, by its mount."""
    bears = in_field(shot)
    match shot.weapon.turret:
        case 0:
            field = Finding("4.4.3.1.5" if shot.weapon.field == "rear" else "4.4.3.1.4", result=bears)
            mount = Finding("4.4.3.1.3", result=bears, children=(field,))
        case 360:
            mount = Finding("4.4.3.1.2", result=bears)
        case _:
            mount = Finding("4.4.3.1.1", result=bears)
    inputs = {"turret": shot.weapon.turret, "field": shot.weapon.field, "facing": shot.firer.facing}
    return Finding("4.4.3.1", inputs=inputs, result=bears, children=(mount,))


# --- 4.4.3.2.1 range factor ------------------------------------------------------------------------------------


def range_factor(shot: Shot) -> Finding:
    """4.4.3.2.1 The first value of the R row not below the range names the factor."""
    inputs = {"range": shot.range, "ranges": list(shot.weapon.ranges)}
    return Finding("4.4.3.2.1", inputs=inputs, result=shot.factor)


# --- 4.4.3.2.2 modifiers ---------------------------------------------------------------------------------------


class Condition(NamedTuple):
    """When a row of the chart applies: not, once, or so many times; and the paragraph that says so."""

    rule: str
    holds: Callable[[Shot], int]


CONDITIONS: dict[str, Condition] = {}


def condition(paragraph: str) -> Callable[[Callable[[Shot], int]], Callable[[Shot], int]]:
    """The condition of the chart row whose `when` is the function's name."""

    def register(holds: Callable[[Shot], int]) -> Callable[[Shot], int]:
        CONDITIONS[holds.__name__] = Condition(f"4.4.3.2.2/{paragraph}", holds)
        return holds

    return register


@condition("target-size")
def target_size(shot: Shot) -> int:
    return shot.target_card.size


@condition("target-moving")
def target_moving(shot: Shot) -> int:
    """A face-down counter counts only once it has been shown."""
    return (shot.target.revealed or shot.target.shown) and shot.target.command in MOVING


@condition("target-cover")
def target_light_cover(shot: Shot) -> int:
    return shot.cover is Cover.LIGHT


@condition("target-cover")
def target_medium_cover(shot: Shot) -> int:
    return shot.cover is Cover.MEDIUM


@condition("target-cover")
def target_heavy_cover(shot: Shot) -> int:
    return shot.cover is Cover.HEAVY


@condition("short-halt")
def short_halt(shot: Shot) -> int:
    return shot.command is Command.SHORT_HALT


@condition("shooter-damaged")
def firer_damaged(shot: Shot) -> int:
    return shot.firer.damaged


@condition("brew-up-smoke")
def brew_up_smoke(shot: Shot) -> int:
    return len(shot.smoke)


@condition("overwatch")
def overwatch(shot: Shot) -> int:
    return shot.command is Command.OVERWATCH and in_front_field(shot)


@condition("overwatch-adjust")
def overwatch_adjust(shot: Shot) -> int:
    """A-25 Instead of the row above, not in addition."""
    return shot.command is Command.OVERWATCH and not in_front_field(shot)


def hit_modifiers(shot: Shot) -> Finding:
    """4.4.3.2.2 Every row that applies, as the chart has it; the result is the net modifier."""
    rows = [msgspec.to_builtins(row) | {"times": times} for row, times in shot.modifiers]
    children = [
        Finding(CONDITIONS[row.when].rule, modifiers=(shown,), result=row.value * times)
        for (row, times), shown in zip(shot.modifiers, rows, strict=True)
    ]
    if shot.overstacked:
        children.append(stacking(shot.view, shot.data.charts, shot.end))
    inputs: dict[str, Any] = {"cover": shot.cover.value}
    if shot.smoke:
        inputs["smoke"] = shot.smoke
    return Finding("4.4.3.2.2", inputs=inputs, modifiers=tuple(rows), result=shot.net, children=tuple(children))


def claim_target_moving(table: Table[PanzerState], target: Vehicle, shots: list[Shot]) -> Step:
    """4.4.3.2.2 The owner of a face-down target may show a Move or Short Halt, once for the group, before its rolls.

    Always asked: asking only where there is something to show would tell what lies there.
    """
    if not target.face_down or target.shown:
        return []
    about = {
        "firers": [shot.firer.id for shot in shots],
        "hit_numbers": [[shot.hit_number, hit_number_if_moving(shot)] for shot in shots],
    }
    claimed = yield Ask(
        target.side, "show", "4.4.3.2.2", subject=target.id, about=about, default=worth_showing(target, shots)
    )
    target.shown = bool(claimed)
    assert target.command is not None
    answer = target.command.value if claimed else "no-effect"
    return [Finding("4.4.3.2.2/target-moving", inputs={"unit": target.id}, result=answer)]


def hit_number_if_moving(shot: Shot) -> int:
    """4.4.3.2.2 The hit number once the target's Move or Short Halt is shown."""
    row = next(row for row in shot.data.charts.ap_hit_modifiers if row.when == target_moving.__name__)
    return shot.data.charts.hit_number(shot.factor, shot.net + row.value) if shot.factor else 0


def worth_showing(target: Vehicle, shots: list[Shot]) -> bool:
    """R-05 Claimed whenever it lowers a hit number above 0."""
    return target.command in MOVING and any(hit_number_if_moving(shot) < shot.hit_number for shot in shots)


def show_objections(target: Vehicle, claimed: bool) -> Iterator[Objection]:
    """4.4.3.2.2 Only Move and Short Halt give the modifier; other commands stay unseen."""
    if claimed and target.command not in MOVING:
        yield Objection("4.4.3.2.2/target-moving", "only a Move or Short Halt command can be shown")


def show_options(view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """4.4.3.2.2 What the owner may say."""
    target = view.vehicles[ask.subject]
    return (claimed for claimed in (True, False) if not any(show_objections(target, claimed)))


def check_show(view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """4.4.3.2.2 Yes or no; refused where there is nothing to show."""
    if not isinstance(answer, bool):
        why = Objection("4.4.3.2.2", "say true to show the command, or false")
        raise Unreadable("show", [why], ["yes", "no"])
    if objections := list(show_objections(view.vehicles[ask.subject], answer)):
        raise Illegal(ask.subject, objections, ["no"])
    return answer


# --- 4.4.3.2.3 hit number --------------------------------------------------------------------------------------


def hit_cell(shot: Shot) -> list[Any]:
    """4.4.3.2.3 The cell of the AP Hit Table: range factor and the row nearest to the net modifier."""
    return [shot.factor, clamp(shot.net, shot.data.charts.hit_numbers)]


def roll_to_hit(table: Table[PanzerState], shot: Shot) -> Finding:
    """4.4.3.2.3 A roll up to the hit number hits. A declared shot that has no attack left misses unrolled (A-22)."""
    hit_number = shot.hit_number
    inputs = {"factor": shot.factor, "net": shot.net, "hit_number": hit_number}
    dice = [table.roll(100, "4.4.3.2.3", shot.firer.id, shot.target.id)] if hit_number else []
    hit = bool(dice) and dice[0] <= hit_number
    return Finding("4.4.3.2.3", inputs=inputs, cell=hit_cell(shot), dice=tuple(dice), result="hit" if hit else "miss")


# --- 4.4.3.2.4 hit angle ---------------------------------------------------------------------------------------


def aspect_of(shot: Shot) -> Aspect | None:
    """4.4.3.2.4 Front within less than 90 degrees of the target's facing, rear beyond; None exactly at 90."""
    ahead = dot(shot.end, shot.start, shot.target.facing)
    return None if ahead == 0 else "front" if ahead > 0 else "rear"


def stronger_aspect(shot: Shot) -> Aspect:
    """R-05 The side of the stronger armour, the front if both are equal."""
    return "rear" if shot.armour("rear") > shot.armour("front") else "front"


def hit_angle(shot: Shot, aspect: Aspect | Literal["either"], chosen_by: str = "") -> Finding:
    """4.4.3.2.4 The aspect, by the direction of the line of sight and the target's facing."""
    inputs = {"facing": shot.target.facing, "from": hex_name(shot.start), "to": hex_name(shot.end)}
    return Finding("4.4.3.2.4", inputs=inputs | ({"chosen_by": chosen_by} if chosen_by else {}), result=aspect)


def hit_aspect(shot: Shot, roll: Finding) -> Step:
    """4.4.3.2.4 Where the line runs along the dividing hexside the owner of the target chooses."""
    aspect, owner = aspect_of(shot), shot.target.side
    if aspect is not None:
        return hit_angle(shot, aspect)
    about = named(shot) | {
        "roll": list(roll.dice),
        "penetration": shot.penetration,
        "front": shot.armour("front"),
        "rear": shot.armour("rear"),
    }
    default = stronger_aspect(shot)
    aspect = yield Ask(owner, "aspect", "4.4.3.2.4", subject=shot.target.id, about=about, default=default)
    return hit_angle(shot, aspect, chosen_by=owner)


def aspect_options() -> Iterator[Answer]:
    """4.4.3.2.4 Front or rear."""
    yield from ("front", "rear")


def check_aspect(answer: Answer) -> Answer:
    """4.4.3.2.4 Front or rear."""
    if answer not in ("front", "rear"):
        raise Unreadable("aspect", [Objection("4.4.3.2.4", "choose front or rear")], ["front", "rear"])
    return answer


# --- 4.4.3.2.5 penetration, 4.4.3.2.6 damage -------------------------------------------------------------------


def armour_penetration(shot: Shot, aspect: Aspect) -> Finding:
    """4.4.3.2.5 Penetrated if the penetration factor is not below the armour factor."""
    armour = shot.armour(aspect)
    inputs = {"penetration": shot.penetration, "armour": armour, "aspect": aspect}
    return Finding("4.4.3.2.5", inputs=inputs, result=shot.penetration >= armour)


def effect_of(shot: Shot, aspect: Aspect) -> str:
    """4.4.3.2.6 What a hit does: penetration minus armour; a second Damaged is a KO."""
    effect = shot.data.charts.damage(shot.penetration - shot.armour(aspect))
    if effect == "damaged" and shot.target.damaged:
        return "ko"
    return effect or "no-effect"


def apply_damage(state: PanzerState, shot: Shot, aspect: Aspect) -> Finding:
    """4.4.3.2.6 The result takes effect at once (4.4.1)."""
    target, difference = shot.target, shot.penetration - shot.armour(aspect)
    printed, effect = shot.data.charts.damage(difference), effect_of(shot, aspect)
    children = []
    if printed == "damaged":
        before = {"unit": target.id, "damaged_before": target.damaged}
        children.append(Finding("4.4.3.2.6/damaged", inputs=before, result=effect))
        target.damaged = True
    if effect in ("ko", "bu"):
        children.append(eliminate(state, target, brewed_up=effect == "bu"))
    if printed:
        rule = numbered(shot.data.edition, "4.4.1/immediate")
        children.append(Finding(rule, inputs={"unit": target.id}, result=target.status.value))
    return Finding("4.4.3.2.6", inputs={"difference": difference}, result=effect, children=tuple(children))


def eliminate(state: PanzerState, vehicle: Vehicle, *, brewed_up: bool) -> Finding:
    """4.4.3.2.6 The vehicle and all its counters are removed; its command is not shown (R-10). A wreck is left."""
    assert vehicle.hex is not None
    name = hex_name(vehicle.hex)
    vehicle.status = Status.ELIMINATED
    vehicle.command, vehicle.revealed, vehicle.shown = None, False, False
    vehicle.spot = vehicle.pending = Spot.NONE
    wreck = state.wrecks.get(name)
    if wreck is None or (brewed_up and not wreck.brewed_up):  # BU replaces KO, never the reverse
        state.wrecks[name] = Wreck(brewed_up=brewed_up)
    left = "bu" if state.wrecks[name].brewed_up else "ko"
    rule = "4.4.3.2.6/bu" if brewed_up else "4.4.3.2.6/ko"
    return Finding(rule, inputs={"unit": vehicle.id, "hex": name}, result=f"{left}-wreck")


def settle_smoke(state: PanzerState) -> None:
    """4.4.3.2.2 The step ends: the smoke made in it counts from now on (A-24)."""
    for wreck in state.wrecks.values():
        wreck.fresh = False
