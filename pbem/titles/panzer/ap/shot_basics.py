"""4.4.3 A shot: range, field of fire, hit number, aspect and penetration, in both the basic and the advanced game.

    4.4.3        Shot
    4.4.3.1      field_of_fire, in_field, in_front_field
    4.4.3.2.1    range_factor
    4.4.3.2.2    CONDITIONS: size and cover of the target; show_options, check_show: a Move that is shown
    4.4.3.2.3    roll_to_hit
    4.4.3.2.4    aspect_of, hit_angle
    4.4.3.2.5    armour_penetration

Everything up to the roll is a pure function of a state or of a seat's view: the command of a face-down enemy counter
is never read. Fire is resolved in `ap_fire`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

from pbem.engine.geometry.hexes import Hex, distance, dot, hex_name, opposite, within_30
from pbem.engine.rules.ask import Answer, Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.basic_rows import Cover, Modifier, RangeFactor
from pbem.titles.panzer.cards.cards import Card, Weapon
from pbem.titles.panzer.cards.charts import clamp
from pbem.titles.panzer.sighting.line_of_sight import smoke_hexes
from pbem.titles.panzer.situation import Situated, Situation
from pbem.titles.panzer.state import MOVING, Command, PanzerState, Unit, Wreck

Aspect = Literal["front", "rear"]

EFFECTS: Final = ("miss", "too-late", "no-effect", "damaged", "ko", "bu")
"""The possible effects of a shot, weakest first."""


# --- 4.4.3 a shot ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shot(Situated):
    """4.4.3 One vehicle's weapon fired at another vehicle, under current conditions and the firer's `command`."""

    situation: Situation
    firer: Unit
    weapon: Weapon
    target: Unit
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
        """3.5.1 The range, counting the target's hex but not the firer's."""
        return distance(self.start, self.end)

    @cached_property
    def factor(self) -> RangeFactor | None:
        """4.4.3.2.1 The column of the R row; None if the target is out of range."""
        return self.weapon.range_factor(self.range) if self.range else None

    @cached_property
    def cover(self) -> Cover:
        """4.4.3.2.2 The target's cover against AP fire."""
        raise NotImplementedError

    @property
    def smoke(self) -> list[str]:
        """4.4.3.2.2 The brew-up smoke in the firer's hex, on the line and in the target's hex (A-24)."""
        smoking = [name for name, wreck in self.state.wrecks.items() if smokes(wreck)]
        if not smoking:
            return []
        met = (hex for hex in smoke_hexes(self.start, self.end) if self.data.board.is_on_map(hex))
        return [name for name in map(hex_name, met) if name in smoking]

    @cached_property
    def modifiers(self) -> list[tuple[Modifier, int]]:
        """4.4.3.2.2 Every row of the charts that applies, in their order, and how often."""
        raise NotImplementedError

    @property
    def net(self) -> int:
        """4.4.3.2.2 The sum of all modifiers."""
        return sum(row.value * times for row, times in self.modifiers)

    @property
    def hit_number(self) -> int:
        """4.4.3.2.3 The highest roll that hits; 0 if there is no attack."""
        return self.data.charts.hit_number(self.factor, self.net) if self.factor else 0

    @property
    def hopeless(self) -> bool:
        """4.4.3.2.3 Whether no attack is possible, which happens only at extreme range."""
        table = self.data.charts
        return not (self.factor and table.hit_number(self.factor, min(table.hit_numbers))) and self.hit_number == 0

    @property
    def penetration(self) -> int:
        """4.4.3.2.5 The penetration factor: the P row in the column of the range factor."""
        return self.weapon.penetration_at(self.factor) if self.factor else 0

    def armour(self, aspect: Aspect) -> int:
        """4.4.3.2.5 The target's basic armour."""
        return self.target_card.front if aspect == "front" else self.target_card.rear


def smokes(wreck: Wreck) -> bool:
    """4.1.4.1.9 Whether a wreck smokes: it has brewed up, but not in this step (A-24)."""
    return wreck.brewed_up and not wreck.fresh


def shot_inputs(shot: Shot) -> dict[str, Any]:
    """The inputs of a finding about a shot: the firer, the weapon and the target."""
    return {"firer": shot.firer.id, "weapon": shot.weapon.name, "target": shot.target.id}


# --- 4.4.3.1 fields of fire ------------------------------------------------------------------------------------


def in_front_field(shot: Shot) -> bool:
    """4.4.3.1.4 Whether the target is in the 60-degree field ahead, or behind for a rear-mounted gun (A-25)."""
    facing = opposite(shot.firer.facing) if shot.weapon.field == "rear" else shot.firer.facing
    return within_30(shot.start, shot.end, facing)


def in_field(shot: Shot) -> bool:
    """4.4.3.1 Whether a target is in the field of fire.

    For turrets and pivots it always is; for fixed mounts it must be ahead.
    """
    return shot.weapon.turreted or in_front_field(shot)


def field_of_fire(shot: Shot) -> Finding:
    """4.4.3.1 Whether the weapon bears, according to its mount."""
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
    """4.4.3.2.1 The range factor: the first value of the R row that is not below the range."""
    inputs = {"range": shot.range, "ranges": list(shot.weapon.ranges)}
    return Finding("4.4.3.2.1", inputs=inputs, result=shot.factor)


# --- 4.4.3.2.2 modifiers ---------------------------------------------------------------------------------------


class Condition(NamedTuple):
    """How many times a row of the chart applies (perhaps never), and the paragraph that says so."""

    rule: str
    holds: Callable[[Shot], int]


CONDITIONS: dict[str, Condition] = {}


def condition(paragraph: str) -> Callable[[Callable[[Shot], int]], Callable[[Shot], int]]:
    """Register the condition of the chart row whose `when` is the function's name."""

    def register(holds: Callable[[Shot], int]) -> Callable[[Shot], int]:
        CONDITIONS[holds.__name__] = Condition(f"4.4.3.2.2/{paragraph}", holds)
        return holds

    return register


@condition("target-size")
def target_size(shot: Shot) -> int:
    return shot.target_card.size


@condition("target-cover")
def target_light_cover(shot: Shot) -> int:
    return shot.cover is Cover.LIGHT


@condition("target-cover")
def target_medium_cover(shot: Shot) -> int:
    return shot.cover is Cover.MEDIUM


@condition("target-cover")
def target_heavy_cover(shot: Shot) -> int:
    return shot.cover is Cover.HEAVY


def hit_number_if_moving(shot: Shot) -> int:
    """4.4.3.2.2 The hit number once the target's Move or Short Halt is shown."""
    row = next(row for row in shot.data.charts.ap_hit_modifiers if row.when == "target_moving")
    return shot.data.charts.hit_number(shot.factor, shot.net + row.value) if shot.factor else 0


def show_objections(target: Unit, claimed: bool) -> Iterator[Objection]:
    """4.4.3.2.2 Object to showing any command but Move and Short Halt, which alone give the modifier."""
    if claimed and target.command not in MOVING:
        yield Objection("4.4.3.2.2/target-moving", say("only a Move or Short Halt command can be revealed"))


def show_options(view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """4.4.3.2.2 The answers open to the owner."""
    target = view.vehicles[ask.subject]
    return (claimed for claimed in (True, False) if not any(show_objections(target, claimed)))


def check_show(view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """4.4.3.2.2 Accept yes or no; refuse a claim where there is nothing to show."""
    if not isinstance(answer, bool):
        why = Objection("4.4.3.2.2", say("answer true to reveal the command, or false to keep it hidden"))
        raise Unreadable("show", [why], ["yes", "no"])
    if objections := list(show_objections(view.vehicles[ask.subject], answer)):
        raise Illegal(ask.subject, objections, ["no"])
    return answer


# --- 4.4.3.2.3 hit number --------------------------------------------------------------------------------------


def hit_cell(shot: Shot) -> list[Any]:
    """4.4.3.2.3 The AP Hit Table cell: the range factor and the row nearest to the net modifier."""
    return [shot.factor, clamp(shot.net, shot.data.charts.hit_numbers)]


def roll_to_hit(table: Table[PanzerState], shot: Shot) -> Finding:
    """4.4.3.2.3 A roll up to the hit number hits; a declared shot no longer possible misses without a roll (A-22)."""
    hit_number = shot.hit_number
    inputs = {"factor": shot.factor, "net": shot.net, "hit_number": hit_number}
    dice = [table.roll(100, "4.4.3.2.3", shot.firer.id, shot.target.id)] if hit_number else []
    hit = bool(dice) and dice[0] <= hit_number
    return Finding("4.4.3.2.3", inputs=inputs, cell=hit_cell(shot), dice=tuple(dice), result="hit" if hit else "miss")


# --- 4.4.3.2.4 hit angle ---------------------------------------------------------------------------------------


def aspect_of(shot: Shot) -> Aspect | None:
    """4.4.3.2.4 The front at less than 90 degrees from the target's facing, the rear at more, and None at 90."""
    ahead = dot(shot.end, shot.start, shot.target.facing)
    return None if ahead == 0 else "front" if ahead > 0 else "rear"


def stronger_aspect(shot: Shot) -> Aspect:
    """R-05 The side with the stronger armour, or the front if both are equal."""
    return "rear" if shot.armour("rear") > shot.armour("front") else "front"


def hit_angle(shot: Shot, aspect: Aspect | Literal["either"], chosen_by: str = "") -> Finding:
    """4.4.3.2.4 The aspect, from the direction of the line of sight and the target's facing."""
    inputs = {"facing": shot.target.facing, "from": hex_name(shot.start), "to": hex_name(shot.end)}
    return Finding("4.4.3.2.4", inputs=inputs | ({"chosen_by": chosen_by} if chosen_by else {}), result=aspect)


# --- 4.4.3.2.5 penetration, 4.4.3.2.6 damage -------------------------------------------------------------------


def armour_penetration(shot: Shot, aspect: Aspect) -> Finding:
    """4.4.3.2.5 The shot penetrates if its penetration factor is at least the armour factor."""
    armour = shot.armour(aspect)
    inputs = {"penetration": shot.penetration, "armour": armour, "aspect": aspect}
    return Finding("4.4.3.2.5", inputs=inputs, result=shot.penetration >= armour)
