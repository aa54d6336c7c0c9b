"""6.5.2, 6.5.2.4 A shot of AP fire, and everything that modifies its chance to hit.

6.5.2          ApShot, an_ap_shot, loaded, at
6.5.2.4        CONDITIONS, hit_modifiers
5.14           Beside
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.titles.panzer.ap import shot_basics as basic
from pbem.titles.panzer.cards.ammunition import Loaded
from pbem.titles.panzer.cards.basic_rows import Cover, Modifier
from pbem.titles.panzer.cards.chart_rows import RateOfFire
from pbem.titles.panzer.cards.chart_rows import Shot as Slope
from pbem.titles.panzer.cards.weapons import TURRETS, Armament, How
from pbem.titles.panzer.command.dischargers import count_in_own_smoke
from pbem.titles.panzer.fire.gp_modifiers import counter_of, is_known_to_move
from pbem.titles.panzer.fire.turrets import has_turret, points_at
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting.terrain import (
    cover_of,
    explain_cover,
    explain_hindrances,
    height_of,
    hindrances,
    sun_blinds,
)
from pbem.titles.panzer.sighting.terrain import heat_haze as is_blurred
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Unit

Beside = Literal["", "same", "other"]
"""5.14 Whether another weapon of the unit fires too: no, at the same target, or at another."""


# --- 6.5.2 a shot ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ApShot(basic.Shot):
    """6.5.2 One weapon of one unit fired at a vehicle. `weapon` has the AP row of the ammunition used.

    `short`: 5.16.2 the number of ammo limits in effect. `beside`: 5.14 the dual-fire modifier that applies.
    """

    situation: Situation
    firer: Unit
    target: Unit
    arm: Armament
    how: How
    rate: RateOfFire = "N"
    short: int = 0
    beside: Beside = ""

    @cached_property
    def cover(self) -> Cover:
        """4.4.3.2.2 The target's cover against AP fire."""
        return cover_of(self.situation, self.target, "ap")

    @cached_property
    def on_the_line(self) -> dict[str, int]:
        """5.11, 6.5.2.4 The hindrances on the line of fire: how often each kind applies."""
        found: dict[str, int] = {}
        for hindrance in hindrances(self.situation, self.start, self.end):
            found[hindrance.kind] = found.get(hindrance.kind, 0) + 1
        return found

    @cached_property
    def modifiers(self) -> list[tuple[Modifier, int]]:
        """4.4.3.2.2, 6.5.2.4 Every row of both charts that applies, in their order, and how often."""
        rows = (*self.data.charts.ap_hit_modifiers, *self.data.advanced.modifiers["ap"])
        found = ((row, int(CONDITIONS[row.when].holds(self))) for row in rows)
        return [(row, times) for row, times in found if times]

    @property
    def energy(self) -> Literal["KE", "CE"]:
        """6.5.2.3.4 The kind of energy with which the shot penetrates: kinetic or chemical."""
        ammo = self.arm.ammo_of(self.how)
        return ammo.energy if ammo else self.arm.energy

    @property
    def effectiveness(self) -> int:
        """7.21 The weapon's highest GP effectiveness; 0 for small arms and weapons without any."""
        row = self.arm.gp
        return 0 if row is None or row.small_arms else int(row.effectiveness.value)

    @cached_property
    def slope(self) -> Slope:
        """6.5.2.3.1 Whether the shot is level, rising or falling, from the heights of firer and target."""
        above = height_of(self.situation, self.firer) - height_of(self.situation, self.target)
        return Slope.LEVEL if above == 0 else Slope.FALLING if above > 0 else Slope.RISING


def an_ap_shot(
    situation: Situation,
    firer: Unit,
    arm: Armament,
    how: How,
    target: Unit,
    *,
    command: Command | None = None,
    beside: Beside = "",
) -> ApShot:
    """A shot as declared, with the command of the firer (or its carrier) unless `command` is given."""
    return ApShot(
        situation=situation,
        firer=firer,
        weapon=arm.with_ammo(how),
        target=target,
        command=command or counter_of(situation.state, firer).command,
        arm=arm,
        how=how,
        rate=arm.rate,
        beside=beside,
    )


def with_ammunition(shot: ApShot, ammunition: Loaded) -> ApShot:
    """5.16.2 The same shot with the ammunition available."""
    return replace(
        shot,
        weapon=shot.arm.with_ammo(ammunition.how),
        how=ammunition.how,
        rate=ammunition.rate,
        short=ammunition.short,
    )


def at(shot: ApShot, target: Unit) -> ApShot:
    """6.5.2.1 The same shot at another vehicle."""
    return replace(shot, target=target)


# --- 6.5.2.4 modifiers -----------------------------------------------------------------------------------------


class Condition(NamedTuple):
    """How many times a row of the charts applies (perhaps never), and the paragraph that says so."""

    rule: str
    holds: Callable[[ApShot], int]


CONDITIONS: dict[str, Condition] = {}


def condition(paragraph: str) -> Callable[[Callable[[ApShot], int]], Callable[[ApShot], int]]:
    """Register the condition of the row whose `when` is the function's name."""

    def register(holds: Callable[[ApShot], int]) -> Callable[[ApShot], int]:
        CONDITIONS[holds.__name__] = Condition(paragraph, holds)
        return holds

    return register


def _as_before(when: str) -> None:
    """4.4.3.2.2 Reuse a condition of the basic game."""
    row = basic.CONDITIONS[when]
    CONDITIONS[when] = Condition(row.rule, row.holds)


for _when in ("target_size", "target_light_cover", "target_medium_cover", "target_heavy_cover"):
    _as_before(_when)


@condition("4.4.3.2.2/target-moving")
def target_moving(shot: ApShot) -> int:
    """The target's counter is face up or was shown; a track hit this turn makes no difference (6.5.2.2.1)."""
    return is_known_to_move(shot.state, shot.target)


@condition("4.4.3.2.2/short-halt")
def short_halt(shot: ApShot) -> int:
    """6.6.7.2 The Short Halt modifier does not apply to passengers."""
    return shot.command is Command.SHORT_HALT and not shot.firer.aboard


@condition("4.4.3.2.2/shooter-damaged")
def firer_damaged(shot: ApShot) -> int:
    """6.5.2.2.4 Turret damage, or any damage in an edition that does not distinguish turret from hull."""
    return shot.firer.turret_damaged


@condition("4.4.3.2.2/brew-up-smoke")
def brew_up_smoke(shot: ApShot) -> int:
    return shot.on_the_line.get("brew_up_smoke", 0)


@condition("4.4.3.2.2/overwatch")
def overwatch(shot: ApShot) -> int:
    return shot.command is Command.OVERWATCH and not is_adjusted(shot)


@condition("4.4.3.2.2/overwatch-adjust")
def overwatch_adjust(shot: ApShot) -> int:
    return shot.command is Command.OVERWATCH and is_adjusted(shot)


def is_adjusted(shot: basic.Shot) -> bool:
    """4.4.3.2.2 Whether a vehicle must adjust to a target outside its front field; leg and towed units never do.

    With 7.8 the field is the turret's for the weapons in it; weapons in the hull or on a pivot keep the hull's.
    """
    assert isinstance(shot, ApShot)
    if shot.arm.weapon.turret in TURRETS and has_turret(shot.data, shot.firer):  # 7.8.4
        return not points_at(shot.firer, shot.end)
    return shot.firer.kind == "vehicle" and not basic.in_front_field(shot)


@condition("6.5.2.4/shooter-suppressed")
def firer_suppressed(shot: ApShot) -> int:
    return shot.firer.suppressed


@condition("6.5.2.4/smoke")
def smoke_open(shot: ApShot) -> int:
    """5.11 The row applies once for each source on the line, like all hindrances."""
    return shot.on_the_line.get("smoke_open", 0)


@condition("6.5.2.4/smoke")
def smoke_closed(shot: ApShot) -> int:
    return shot.on_the_line.get("smoke_closed", 0)


@condition("6.5.2.4/barrage")
def barrage_open(shot: ApShot) -> int:
    return shot.on_the_line.get("barrage_open", 0)


@condition("6.5.2.4/barrage")
def barrage_closed(shot: ApShot) -> int:
    return shot.on_the_line.get("barrage_closed", 0)


@condition("6.5.2.4/dust")
def dust(shot: ApShot) -> int:
    return shot.on_the_line.get("dust", 0)


@condition("6.5.2.4/on-fire")
def on_fire(shot: ApShot) -> int:
    return shot.on_the_line.get("on_fire", 0)


@condition("6.5.2.4/ammo-limit")
def ammo_limit(shot: ApShot) -> int:
    """5.16.2.2 The row applies twice if both special and basic ammunition are short."""
    return shot.short


@condition("6.5.2.4/transported-fire")
def transported_fire(shot: ApShot) -> int:
    return bool(shot.firer.aboard)


@condition("6.5.2.4/heat-haze")
def heat_haze(shot: ApShot) -> int:
    return is_blurred(shot.data, shot.target, shot.range)


@condition("6.5.2.4/sun-blinding")
def sun_blinding(shot: ApShot) -> int:
    sun = shot.data.scenario.sun
    return sun.ap if sun is not None and sun_blinds(shot.data, shot.start, shot.end) else 0


@condition("6.5.2.4/dual-fire")
def dual_fire_same_target(shot: ApShot) -> int:
    return shot.beside == "same"


@condition("6.5.2.4/dual-fire")
def dual_fire_other_target(shot: ApShot) -> int:
    return shot.beside == "other"


@condition("6.5.2.4/shooter-hesitating")
def firer_hesitating(shot: ApShot) -> int:
    return is_flagged(shot.firer, "hesitating")


@condition("6.5.2.4/shooter-broken")
def firer_broken(shot: ApShot) -> int:
    return is_flagged(shot.firer, "broken")


@condition("6.5.2.4/unit-grade")
def unit_grade(shot: ApShot) -> int:
    """5.8.3 The firer's own grade in the column of the range factor."""
    if not shot.data.plays("unit_grades"):
        return 0
    return shot.data.advanced.grades[shot.firer.grade].ap.at(shot.factor) if shot.factor else 0


@condition("7.8.4")
def turret_turned(shot: ApShot) -> int:
    """The row never applies, because the row for Overwatch Adjust counts instead.

    Charts of earlier matches still have it.
    """
    return 0


@condition("7.9")
def dischargers(shot: ApShot) -> int:
    return count_in_own_smoke(shot.state, shot.firer, shot.target)


@condition("7.23.1")
def optics_damaged(shot: ApShot) -> int:
    return is_flagged(shot.firer, "optics-damaged")


def is_flagged(unit: Unit, word: str) -> bool:
    """7.0 Whether an optional rule has put this marker on a unit, whichever side of the marker is up."""
    return any(flag == word or flag.startswith(f"{word}-") for flag in unit.flags)


def hit_modifiers(shot: ApShot) -> Finding:
    """6.5.2.4 Every row that applies, in chart order; the result is the net modifier."""
    rows = [msgspec.to_builtins(row) | {"times": times} for row, times in shot.modifiers]
    children = [
        Finding(
            ledger_row(shot.data.edition, CONDITIONS[row.when].rule), modifiers=(shown,), result=row.value * times
        )
        for (row, times), shown in zip(shot.modifiers, rows, strict=True)
    ]
    cover = explain_cover(shot.situation, shot.target, "ap")
    children.append(msgspec.structs.replace(cover, result=Cover(cover.result).value))
    if shot.on_the_line and not shot.data.basic:
        children.append(explain_hindrances(shot.situation, shot.start, shot.end))
    children += still_moving(shot)
    inputs: dict[str, Any] = {"cover": shot.cover.value}
    if shot.data.basic and shot.smoke:
        inputs["smoke"] = shot.smoke
    return Finding(
        shot.data.cite("6.5.2.4"), inputs=inputs, modifiers=tuple(rows), result=shot.net, children=tuple(children)
    )


def still_moving(shot: ApShot) -> Iterator[Finding]:
    """6.5.2.2.1 A vehicle with a track hit still counts as moving this turn, both as a target and on Short Halt."""
    rule = ledger_row(shot.data.edition, "6.5.2.2.1/still-moving")
    if shot.target.track_hit and target_moving(shot):
        yield Finding(rule, inputs={"unit": shot.target.id}, result="moving-target")
    if shot.firer.track_hit and short_halt(shot):
        yield Finding(rule, inputs={"unit": shot.firer.id}, result="short-halt")


def ap_shot_inputs(shot: ApShot) -> dict[str, Any]:
    """The inputs of a finding about AP fire: the firer, the weapon, the target and the kind of fire."""
    return {**basic.shot_inputs(shot), "how": shot.how}
