"""6.5.2 AP direct fire: does the shot hit, how often, where, and does it go through.

    6.5.2        ApShot, an_ap_shot, resolve_ap, preview_ap
    6.5.2.1      number_of_hits, spread_hits (ask `spread`)
    6.5.2.2      angles_of, hit_angle (ask `angle`), hit_location with track, deck and hull down
    6.5.2.3      armour_of, ApShot.slope: level, rising, falling
    6.5.2.4      hit_modifiers and the conditions of its chart
    6.5.2.5      damage_of
    6.5.2.6      bail out, in `bail_out`

Range factor, hit number and penetration are those of 4.4.3, in the basic `ap_fire`, and so are the fields of fire.
Who fires when is `direct_fire` and `overwatch`. Up to the roll everything is a pure function of a state or a view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import angle_at_most, distance, dot, hex_name
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.titles.panzer.artillery.fires import note_rocket
from pbem.titles.panzer.cards.advanced_charts import Angle, Location, Place, RateOfFire
from pbem.titles.panzer.cards.advanced_charts import Shot as Slope
from pbem.titles.panzer.cards.ammunition import Loaded
from pbem.titles.panzer.cards.charts import RANGE_FACTORS, Cover, Modifier
from pbem.titles.panzer.cards.weapons import Armament, How
from pbem.titles.panzer.command.command_control import group_of
from pbem.titles.panzer.command.dischargers import smoked
from pbem.titles.panzer.damage.attacks import come_under_attack
from pbem.titles.panzer.damage.bail_out import TRACK_AGAIN, bail_out_checks, face_outward
from pbem.titles.panzer.damage.damage_detail import (
    brews_up,
    burning_die,
    collateral_damage,
    hollow_charge_armour,
    lower_hull,
    rising_up,
    soft_die,
    track_stands,
    varied,
)
from pbem.titles.panzer.damage.effects import brew_up, damage_vehicle, give_up_positions, hit_track, knock_out
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire import shots as basic
from pbem.titles.panzer.fire.gp_fire import resolve_gp
from pbem.titles.panzer.fire.gp_modifiers import GpAttack, counter_of, is_known_to_move
from pbem.titles.panzer.fire.turrets import direction_of, has_turret, points_at, turret_location
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.rulings import ruled
from pbem.titles.panzer.sighting.terrain import (
    cover_of,
    explain_cover,
    explain_hindrances,
    height_of,
    hindrances,
    hull_down_against,
    place_of,
    sun_blinds,
    up_of,
)
from pbem.titles.panzer.sighting.terrain import heat_haze as is_blurred
from pbem.titles.panzer.state import MOVING, Command, HullDown, PanzerState, Unit

Beside = Literal["", "same", "other"]
"""5.14 Fired beside another weapon of the unit: not, at the same target, at another."""

FRONT_TO_REAR: Final = (Angle.FRONT, Angle.FRONT_SIDE, Angle.REAR_SIDE, Angle.REAR)
TURRET_HEIGHT: Final = (Location.TF, Location.TS, Location.TR, Location.DK)
"""6.5.2.2.3 The locations that no hull-down position protects."""


# --- 6.5.2 a shot ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ApShot(basic.Shot):
    """6.5.2 One weapon of one unit fired at a vehicle. `weapon` has the AP row of the ammunition used.

    `short`: 5.16.2 how many ammo limits have taken effect. `beside`: 5.14 the dual-fire modifier it takes.
    """

    data: PanzerData
    view: PanzerState
    firer: Unit
    target: Unit
    arm: Armament
    how: How
    rate: RateOfFire = "N"
    short: int = 0
    beside: Beside = ""

    @cached_property
    def cover(self) -> Cover:
        """4.4.3.2.2 The cover of the target against AP fire."""
        return cover_of(self.data, self.view, self.target, "ap")

    @cached_property
    def on_the_line(self) -> dict[str, int]:
        """5.11, 6.5.2.4 What lies on the line of fire, by kind, and how often it counts."""
        found: dict[str, int] = {}
        for hindrance in hindrances(self.data, self.view, self.start, self.end):
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
        """6.5.2.3.4 Kinetic or chemical."""
        ammo = self.arm.ammo_of(self.how)
        return ammo.energy if ammo else self.arm.energy

    @property
    def effectiveness(self) -> int:
        """7.21 The highest GP effectiveness of the weapon; 0 for small arms and weapons without one."""
        row = self.arm.gp
        return 0 if row is None or row.small_arms else int(row.effectiveness.value)

    @cached_property
    def slope(self) -> Slope:
        """6.5.2.3.1 Level, rising or falling, by the heights of firer and target."""
        above = height_of(self.data, self.view, self.firer) - height_of(self.data, self.view, self.target)
        return Slope.LEVEL if above == 0 else Slope.FALLING if above > 0 else Slope.RISING


def an_ap_shot(
    data: PanzerData,
    view: PanzerState,
    firer: Unit,
    arm: Armament,
    how: How,
    target: Unit,
    *,
    command: Command | None = None,
    beside: Beside = "",
) -> ApShot:
    """A shot as declared, under the counter of the firer (or of its carrier) unless told otherwise."""
    return ApShot(
        data=data,
        view=view,
        firer=firer,
        weapon=arm.with_ammo(how),
        target=target,
        command=command or counter_of(view, firer).command,
        arm=arm,
        how=how,
        rate=arm.rate,
        beside=beside,
    )


def loaded(shot: ApShot, ammunition: Loaded) -> ApShot:
    """5.16.2 The shot with the ammunition that there is."""
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
    """When a row of the charts applies: not, once, or so many times; and the paragraph that says so."""

    rule: str
    holds: Callable[[ApShot], int]


CONDITIONS: dict[str, Condition] = {}


def condition(paragraph: str) -> Callable[[Callable[[ApShot], int]], Callable[[ApShot], int]]:
    """The condition of the row whose `when` is the function's name."""

    def register(holds: Callable[[ApShot], int]) -> Callable[[ApShot], int]:
        CONDITIONS[holds.__name__] = Condition(paragraph, holds)
        return holds

    return register


def _as_before(when: str) -> None:
    """4.4.3.2.2 A row whose condition is that of the basic game."""
    row = basic.CONDITIONS[when]
    CONDITIONS[when] = Condition(row.rule, row.holds)


for _when in ("target_size", "target_light_cover", "target_medium_cover", "target_heavy_cover"):
    _as_before(_when)


@condition("4.4.3.2.2/target-moving")
def target_moving(shot: ApShot) -> int:
    """Its counter lies open or was shown; a track hit in this turn changes nothing (6.5.2.2.1)."""
    return is_known_to_move(shot.view, shot.target)


@condition("4.4.3.2.2/short-halt")
def short_halt(shot: ApShot) -> int:
    """6.6.7.2 Not for passengers."""
    return shot.command is Command.SHORT_HALT and not shot.firer.aboard


@condition("4.4.3.2.2/shooter-damaged")
def firer_damaged(shot: ApShot) -> int:
    """6.5.2.2.4 Turret damage, or any of an edition that does not tell it apart."""
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
    """4.4.3.2.2 Outside the front field of a vehicle; leg and towed units never adjust."""
    assert isinstance(shot, ApShot)
    if has_turret(shot.data, shot.firer):  # 7.8.4
        return not points_at(shot.firer, shot.end)
    return shot.firer.kind == "vehicle" and not basic.in_front_field(shot)


@condition("6.5.2.4/shooter-suppressed")
def firer_suppressed(shot: ApShot) -> int:
    return shot.firer.suppressed


def _hindrance(when: str, paragraph: str) -> None:
    """5.11 A row that counts once for each source on the line."""
    CONDITIONS[when] = Condition(f"6.5.2.4/{paragraph}", lambda shot: shot.on_the_line.get(when, 0))


for _when, _paragraph in (
    ("smoke_open", "smoke"),
    ("smoke_closed", "smoke"),
    ("barrage_open", "barrage"),
    ("barrage_closed", "barrage"),
    ("dust", "dust"),
    ("on_fire", "on-fire"),
):
    _hindrance(_when, _paragraph)


@condition("6.5.2.4/ammo-limit")
def ammo_limit(shot: ApShot) -> int:
    """5.16.2.2 Twice if special and basic ammunition are short."""
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
    return is_flagged(shot.firer, "turret-turned") and shot.command is Command.OVERWATCH


@condition("7.9")
def dischargers(shot: ApShot) -> int:
    return smoked(shot.view, shot.firer, shot.target)


@condition("7.23.1")
def optics_damaged(shot: ApShot) -> int:
    return is_flagged(shot.firer, "optics-damaged")


def is_flagged(unit: Unit, word: str) -> bool:
    """7.0 Whether an optional rule has marked a unit, on either side of the marker."""
    return any(flag == word or flag.startswith(f"{word}-") for flag in unit.flags)


def hit_modifiers(shot: ApShot) -> Finding:
    """6.5.2.4 Every row that applies, as the charts have it; the result is the net modifier."""
    rows = [msgspec.to_builtins(row) | {"times": times} for row, times in shot.modifiers]
    children = [
        Finding(numbered(shot.data.edition, CONDITIONS[row.when].rule), modifiers=(shown,), result=row.value * times)
        for (row, times), shown in zip(shot.modifiers, rows, strict=True)
    ]
    cover = explain_cover(shot.data, shot.view, shot.target, "ap")
    children.append(msgspec.structs.replace(cover, result=Cover(cover.result).value))
    if shot.on_the_line and not shot.data.basic:
        children.append(explain_hindrances(shot.data, shot.view, shot.start, shot.end))
    children += still_moving(shot)
    inputs: dict[str, Any] = {"cover": shot.cover.value}
    if shot.data.basic and shot.smoke:
        inputs["smoke"] = shot.smoke
    return Finding(
        shot.data.cite("6.5.2.4"), inputs=inputs, modifiers=tuple(rows), result=shot.net, children=tuple(children)
    )


def still_moving(shot: ApShot) -> Iterator[Finding]:
    """6.5.2.2.1 With a track hit it still counts as moving in this turn, as target and as firer on Short Halt."""
    rule = numbered(shot.data.edition, "6.5.2.2.1/still-moving")
    if shot.target.track_hit and target_moving(shot):
        yield Finding(rule, inputs={"unit": shot.target.id}, result="moving-target")
    if shot.firer.track_hit and short_halt(shot):
        yield Finding(rule, inputs={"unit": shot.firer.id}, result="short-halt")


# --- 6.5.2 resolution ------------------------------------------------------------------------------------------

Legal = Callable[[Unit], bool]
"""6.5.2.1 Whether a unit would be a legal target of the same firer."""


class Struck(NamedTuple):
    """6.5.2 What one hit did: the row of the Bail Out Table that it calls for (perhaps none), and why."""

    effect: str
    finding: Finding

    @property
    def cause(self) -> str:
        return self.effect if self.effect in CAUSES else ""


CAUSES: Final = ("no_damage", "damaged", "track", TRACK_AGAIN, "ko", "bu")
EFFECTS: Final = ("miss", "too-late", "no-effect", TRACK_AGAIN, "no_damage", "track", "damaged", "ko", "bu")
"""6.5.2.5 What a shot can do, weakest first."""


def resolve_ap(
    table: Table[PanzerState],
    shot: ApShot,
    legal: Legal,
    why: Sequence[Finding] = (),
    blast: GpAttack | None = None,
) -> Step:
    """6.5.2 Modifiers, roll, number of hits, spreading, then hit by hit; bail-outs when all is done.

    `blast` is what a hand-held weapon does to the passengers of its target besides (5.1.3.4).
    """
    shot = replace(shot)  # modifiers as they are now
    come_under_attack(table.state, shot.target)
    children = [*why, *first_findings(shot)]
    roll = basic.roll_to_hit(table, shot)
    children.append(roll)
    if roll.result == "miss":
        note_rocket(table, shot.arm, shot.target)  # 7.35.3
        children += yield from passengers_hit(table, blast)
        return Finding(shot.data.cite("6.5.2"), inputs=named(shot), result="miss", children=tuple(children))
    hits = 1
    if shot.data.plays("rate_of_fire"):
        hits, number = number_of_hits(shot, roll)  # 6.5.2.1
        children.append(number)
    aims, spread = yield from spread_hits(table, shot, hits, legal)
    children += spread
    struck: dict[str, list[Struck]] = {}
    for target in aims:
        if target.alive:
            one: Struck = yield from resolve_hit(table, at(shot, target), roll)  # 6.5.2.2 - 6.5.2.5
            struck.setdefault(target.id, []).append(one)
            children += [one.finding] if shot.data.plays("hit_location") else one.finding.children
    children += yield from passengers_hit(table, blast)
    for id, results in struck.items():  # 6.5.2.6
        children += yield from bail_out(table, table.state.vehicles[id], results)
    worst = max((one.effect for results in struck.values() for one in results), key=EFFECTS.index)
    return Finding(shot.data.cite("6.5.2"), inputs=named(shot), result=worst, children=tuple(children))


def passengers_hit(table: Table[PanzerState], blast: GpAttack | None) -> Step:
    """5.1.3.4 The GP factor of a hand-held weapon against the passengers of the vehicle at which it is fired."""
    if blast is None:
        return []
    found: Finding = yield from resolve_gp(table, blast)
    return [Finding("5.1.3.4", inputs={"firer": blast.firer, "carrier": blast.target}, children=(found,))]


def bail_out(table: Table[PanzerState], target: Unit, results: Sequence[Struck]) -> Step:
    """6.5.2.6 After all hits of this fire on the vehicle."""
    come_under_attack(table.state, target)
    checks = bail_out_checks(table, target, [one.cause for one in results if one.cause])
    yield from face_outward(table, checks)
    if not checks:
        return []
    return [Finding("6.5.2.6", inputs={"carrier": target.id}, result=checks[0].result, children=tuple(checks))]


def named(shot: ApShot) -> dict[str, Any]:
    """Who fires what at whom."""
    return {**basic.named(shot), "how": shot.how}


def first_findings(shot: ApShot) -> Iterator[Finding]:
    """4.4.3.2 All that stands before the roll."""
    ends = {"from": hex_name(shot.start), "to": hex_name(shot.end)}
    yield Finding("3.5", inputs=ends, result=shot.range)
    yield basic.field_of_fire(shot)
    yield basic.range_factor(shot)
    yield hit_modifiers(shot)


def preview_ap(shot: ApShot) -> Finding:
    """6.5.2 What a shot would be like from what the seat knows. The result is the hit number, 0 for no attack."""
    children = [*first_findings(shot)]
    if shot.factor is not None:
        children.append(Finding("4.4.3.2.3", cell=basic.hit_cell(shot), result=shot.hit_number))
        located = shot.data.plays("hit_location")
        children += [angle_finding(shot, angles_of(shot)[0])] if located else basic_preview(shot)
    inputs = {**named(shot), "penetration": shot.penetration, "damages_on": chance_to_damage(shot)}
    return Finding(shot.data.cite("6.5.2"), inputs=inputs, result=shot.hit_number, children=tuple(children))


def chance_to_damage(shot: ApShot) -> int:
    """How many of ten locations a hit would go through, for those who choose between shots; tracks count."""
    if shot.factor is None:
        return 0
    angle = angles_of(shot)[0]
    places = [shot.data.advanced.place(angle, tens, shot.slope) for tens in range(1, 11)]
    status, _ = hull_down_of(shot)
    return sum(
        place.location is Location.TK or shot.penetration >= _armour(shot, angle, place.location)
        for place in places
        if not is_covered(place, status)
    )


# --- 6.5.2.1 number of hits ------------------------------------------------------------------------------------


def number_of_hits(shot: ApShot, roll: Finding) -> tuple[int, Finding]:
    """6.5.2.1 From the roll that hit, by the rate of fire."""
    hit_number, dice = int(roll.inputs["hit_number"]), roll.dice
    hits = shot.data.advanced.number_of_hits(hit_number, shot.rate, dice[0])
    inputs = {"rate": shot.rate, "hit_number": hit_number}
    rule = numbered(shot.data.edition, "6.5.2.1/n-rate" if shot.rate == "N" else "6.5.2.1/qrf-rates")
    rate = Finding(rule, cell=[hit_number, shot.rate], dice=dice, result=hits)
    return hits, Finding("6.5.2.1", inputs=inputs, result=hits, children=(rate,))


def spread_targets(shot: ApShot, legal: Legal) -> list[Unit]:
    """6.5.2.1 Vehicles near the original target, by the firer's own grade, that it could hit no worse."""
    reach = shot.data.advanced.grades[shot.firer.grade].command_range.value
    if not reach and shot.data.charts.switch("low_grades_never_spread"):  # house/A0
        return []
    return [
        other
        for other in shot.view.of(shot.target.side)
        if other.id != shot.target.id
        and other.kind == "vehicle"
        and distance(shot.end, place_of(other)) <= reach
        and legal(other)
        and is_no_harder(shot, other)
    ]


def is_no_harder(shot: ApShot, other: Unit) -> bool:
    """6.5.2.1 The same hit number or a better one; in the 2016 book the same range factor or a nearer one."""
    beside = at(shot, other)
    if beside.factor is None or shot.factor is None:
        return False
    if shot.data.charts.switch("spread_by_range_factor"):
        return RANGE_FACTORS.index(beside.factor) <= RANGE_FACTORS.index(shot.factor)
    return beside.hit_number >= shot.hit_number


def spread_hits(table: Table[PanzerState], shot: ApShot, hits: int, legal: Legal) -> Step:
    """6.5.2.1 The firing player may put extra hits on other vehicles, before any damage is known.

    The result is the target of each hit, the first of which stays where it is, and the findings.
    """
    aims = [shot.target] * hits
    others = spread_targets(shot, legal) if hits > 1 else []
    if not others:
        return aims, []
    about = {
        "firer": shot.firer.id,
        "target": shot.target.id,
        "extra": hits - 1,
        "targets": [other.id for other in others],
    }
    chosen = yield Ask(shot.firer.side, "spread", "6.5.2.1", subject=shot.firer.id, about=about, default=[])
    children: list[Finding] = []
    extra = []
    for other in (table.state.vehicles[id] for id in dict.fromkeys(chosen)):
        children += yield from claim_before_spread(table, at(shot, other))
        if not is_no_harder(shot, other):
            children.append(Finding("6.5.2.1/spread-hits", inputs={"target": other.id}, result="harder-to-hit"))
            continue
        extra += [other] * chosen.count(other.id)
    aims = [*aims[: hits - len(extra)], *extra]
    inputs = about | {"grade": shot.firer.grade}
    result = [target.id for target in aims]
    children += [ruled(shot.data, "low_grades_never_spread")] if shot.firer.grade in ("regulars", "green") else []
    return aims, [Finding("6.5.2.1/spread-hits", inputs=inputs, result=result, children=tuple(children))]


def claim_before_spread(table: Table[PanzerState], shot: ApShot) -> Step:
    """6.5.2.1 The owner of a further target may show that it moves, which may make it harder to hit."""
    if shot.data.charts.switch("spread_by_range_factor"):  # range factors do not change
        return []
    return (yield from claim_target_moving(table, shot.target, [shot], []))


def spread_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """6.5.2.1 All hits on the declared target, or extra ones on each of the others."""
    yield []
    for target in ask.about["targets"]:
        for number in range(1, ask.about["extra"] + 1):
            yield [target] * number


def check_spread(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """6.5.2.1 A list of further targets, one entry for each hit that goes there; the rest stay."""
    targets, extra = ask.about["targets"], ask.about["extra"]
    try:
        chosen = msgspec.convert(answer, list[str])
    except msgspec.ValidationError as error:
        why = Objection("6.5.2.1/spread-hits", "name the targets of the extra hits")
        raise Unreadable("spread", [why], [str([target]) for target in targets]) from error
    if len(chosen) > extra:
        why = Objection("6.5.2.1/spread-hits", f"only {extra} extra hits can be spread, the first stays")
        raise Illegal("spread", [why], ["[]"])
    for target in chosen:
        if target not in targets:
            why = Objection("6.5.2.1/spread-hits", "it is too far from the target, or harder to hit")
            raise Illegal(target, [why], targets)
    return chosen


# --- 4.4.3.2.2 a hidden Move -----------------------------------------------------------------------------------


def claim_target_moving(
    table: Table[PanzerState], target: Unit, shots: Sequence[ApShot], others: Sequence[str]
) -> Step:
    """4.4.3.2.2, 6.5.4.3 The owner of a vehicle under a face-down counter may show that it moves, once for the group.

    Asked whatever lies there. `others` are the firers of GP fire at it.
    """
    counter = counter_of(table.state, target)
    if target.kind != "vehicle" or not counter.face_down or counter.shown:
        return []
    about = {
        "firers": [*(shot.firer.id for shot in shots), *others],
        "hit_numbers": [[shot.hit_number, basic.hit_number_if_moving(shot)] for shot in shots],
        "target": target.id,
    }
    lowers = bool(others) or any(basic.hit_number_if_moving(shot) < shot.hit_number for shot in shots)
    default = counter.command in MOVING and lowers
    claimed = yield Ask(target.side, "show", "4.4.3.2.2", subject=counter.id, about=about, default=default)
    group = group_of(table.state, counter)
    for unit in group:  # 6.2.1.1.3
        unit.shown = bool(claimed)
    assert counter.command is not None
    answer = counter.command.value if claimed else "no-effect"
    lost = give_up_positions(table.data, group) if claimed else []
    inputs = {"unit": target.id}
    return [Finding("4.4.3.2.2/target-moving", inputs=inputs, result=answer, children=tuple(lost))]


# --- 6.5.2.2 angle and location --------------------------------------------------------------------------------


def angles_of(shot: ApShot) -> tuple[Angle, ...]:
    """6.5.2.2 The angle from which the target is hit; on a dividing line both, the more frontal first."""
    target, start, facing = shot.end, shot.start, shot.target.facing
    limits = zip((30, 90, 150), FRONT_TO_REAR, strict=False)
    for (degrees, angle), behind in zip(limits, FRONT_TO_REAR[1:], strict=True):
        if angle_at_most(target, start, facing, degrees):
            return (angle, behind) if _divides(shot, degrees) else (angle,)
    return (Angle.REAR,)


def _divides(shot: ApShot, degrees: int) -> bool:
    """6.5.2.2 Whether the line runs exactly at so many degrees from the target's facing."""
    along = dot(shot.end, shot.start, shot.target.facing)
    if degrees == 90:
        return along == 0
    length = 3 * (shot.start.x - shot.end.x) ** 2 + (shot.start.y - shot.end.y) ** 2
    return along * along == 3 * length


def angle_finding(shot: ApShot, angle: Angle, chosen_by: str = "") -> Finding:
    """6.5.2.2 By the line of sight and the target's facing."""
    inputs = {"facing": shot.target.facing, "from": hex_name(shot.start), "to": hex_name(shot.end)}
    divided = Finding(
        numbered(shot.data.edition, "6.5.2.2/dividing-line"), inputs={"chosen_by": chosen_by}, result=angle.value
    )
    return Finding("6.5.2.2", inputs=inputs, result=angle.value, children=(divided,) if chosen_by else ())


def hit_angle(shot: ApShot, roll: Finding) -> Step:
    """6.5.2.2 Where the line divides two angles the owner of the target chooses; the result is angle and finding."""
    possible = angles_of(shot)
    if len(possible) == 1:
        return possible[0], angle_finding(shot, possible[0])
    about = named(shot) | {"roll": list(roll.dice), "angles": [angle.value for angle in possible]}
    owner = shot.target.side
    chosen = yield Ask(owner, "angle", "6.5.2.2", subject=shot.target.id, about=about, default=possible[0].value)
    return Angle(chosen), angle_finding(shot, Angle(chosen), chosen_by=owner)


def angle_options(data: PanzerData, view: PanzerState, ask: Ask) -> Iterator[Answer]:
    """6.5.2.2 The two angles that the line divides."""
    yield from ask.about["angles"]


def check_angle(data: PanzerData, view: PanzerState, ask: Ask, answer: Answer) -> Answer:
    """6.5.2.2 One of the two angles."""
    if answer not in ask.about["angles"]:
        located = data.plays("hit_location")
        rule = numbered(data.edition, "6.5.2.2/dividing-line") if located else "4.4.3.2.4"
        why = Objection(rule, f"the line of fire divides {' and '.join(ask.about['angles'])}")
        raise Illegal("angle", [why], ask.about["angles"])
    return answer


def digits(roll: int) -> tuple[int, int]:
    """6.5.2.2 The tens and the units of a roll of 100, each from 1 to 10."""
    return roll // 10 % 10 or 10, roll % 10 or 10


def hit_location(table: Table[PanzerState], shot: ApShot, angle: Angle) -> tuple[Place, int, Finding]:
    """6.5.2.2 The tens digit says where it hits, the units digit is kept for the damage."""
    roll = table.roll(100, "6.5.2.2", shot.firer.id, shot.target.id)
    tens, units = digits(roll)
    place = shot.data.advanced.place(angle, tens, shot.slope)
    deck = place.location is Location.DK  # 6.5.2.2.2
    inputs = {"angle": angle.value, "slope": shot.slope.value, "damage_die": units}
    return (
        place,
        units,
        Finding(
            "6.5.2.2.2" if deck else "6.5.2.2",
            inputs=inputs,
            cell=[angle.value, tens],
            dice=(roll,),
            result=place.location.value,
        ),
    )


def hit_on_turret(shot: ApShot, angle: Angle, place: Place, roll: Finding) -> tuple[Place, Angle, Finding] | None:
    """7.8.2 Where a hit on a turret that is turned goes."""
    if not has_turret(shot.data, shot.target) or not shot.target.turret:
        return None
    faced = msgspec.structs.replace(shot.target, facing=direction_of(shot.target))
    turret_angle = angles_of(at(shot, faced))[0]
    there = shot.data.advanced.place(turret_angle, int(roll.cell[1]))
    return turret_location(place, angle, turret_angle, there)


def with_child(finding: Finding, child: Finding) -> Finding:
    return msgspec.structs.replace(finding, children=(*finding.children, child))


def hull_down_of(shot: ApShot) -> tuple[HullDown, Finding]:
    """6.1.4.1 Whether the target is hull down against this very shot; not while it shows its lower hull (7.13.1)."""
    if shot.data.plays("lower_hull") and (shown := rising_up(shot)):
        return HullDown.NONE, shown
    up = up_of(shot.data, shot.view, shot.firer)
    return hull_down_against(shot.data, shot.view, shot.target, shot.start, up)


def is_covered(place: Place, status: HullDown) -> bool:
    """6.5.2.2.3 Hull down: all of the hull and the track; partial: the track and what the table marks."""
    if status is HullDown.NONE or place.location in TURRET_HEIGHT:
        return False
    return status is HullDown.HD or place.location is Location.TK or place.marked


def resolve_hit(table: Table[PanzerState], shot: ApShot, roll: Finding) -> Step:
    """6.5.2.2 - 6.5.2.5 One hit: angle, location, armour, penetration, damage."""
    if not shot.data.plays("hit_location"):
        return (yield from basic_hit(table, shot, roll))
    variation = varied(table, shot)  # 7.12
    angle, found = yield from hit_angle(shot, roll)
    place, units, location = hit_location(table, shot, angle)
    turned = hit_on_turret(shot, angle, place, location)  # 7.8.2
    if turned is not None:
        place, angle, location = turned[0], turned[1], with_child(location, turned[2])
    children = [*([variation] if variation else []), found, location]
    status, why = hull_down_of(shot)
    if is_covered(place, status):  # 6.5.2.2.3
        inputs = {"status": status.value, "location": place.location.value}
        children.append(Finding("6.5.2.2.3", inputs=inputs, result="miss", children=(why,)))
        return _struck(shot, "no-effect", children)
    if place.location is Location.TK:  # 6.5.2.2.1
        stands = track_stands(shot.data, shot.target, shot.effectiveness, always=shot.arm.kind == "hand_held")
        children += [stands] if stands else []  # 7.21
        if stands and not stands.result:
            return _struck(shot, "no-effect", children)
        track = hit_track(table, shot.target)
        return _struck(shot, "track" if track.result == "track" else TRACK_AGAIN, [*children, track])
    armour = armour_of(shot, angle, place.location, status)  # 6.5.2.3
    factor = int(variation.result) if variation else shot.penetration
    pierced = penetration(factor, int(armour.result))  # 4.4.3.2.5
    children += [armour, pierced]
    if not pierced.result:
        return _struck(shot, "no-effect", children)
    damage = damage_of(table, shot, place.location, units)  # 6.5.2.5
    return _struck(shot, str(damage.result), [*children, damage])


def _struck(shot: ApShot, effect: str, children: Sequence[Finding]) -> Struck:
    return Struck(effect, Finding("6.5.2.2", inputs=named(shot), result=effect, children=tuple(children)))


# --- 6.5.2.3 armour --------------------------------------------------------------------------------------------


def _armour(shot: ApShot, angle: Angle, location: Location) -> int:
    """6.5.2.3 The armour factor on the card of the target; a track has none."""
    if location is Location.TK:
        return 0
    return shot.data.vehicle(shot.target).armour_at(angle, shot.slope, location)


def armour_of(shot: ApShot, angle: Angle, location: Location, status: HullDown = HullDown.NONE) -> Finding:
    """6.5.2.3 By type, angle, location, slope; kinetic and chemical ammunition meet the same armour (6.5.2.3.4)."""
    printed = _armour(shot, angle, location)
    lower = lower_hull(shot, angle, location, status)  # 7.13
    armour = int(lower.result) if lower else printed
    skirts = hollow_charge_armour(shot, location, armour)  # 7.10.1
    armour = int(skirts.result) if skirts else armour
    ends = angle in (Angle.FRONT, Angle.REAR)
    where = {"angle": angle.value, "location": location.value}
    return Finding(
        "6.5.2.3",
        inputs={**where, "type": shot.data.vehicle(shot.target).type},
        result=armour,
        children=(
            Finding("6.5.2.3.1", inputs=where, result=shot.slope.value),
            Finding("6.5.2.3.2" if ends else "6.5.2.3.3", inputs=where, result=printed),
            Finding("6.5.2.3.4", inputs={"how": shot.how}, result=shot.energy),
            *(found for found in (lower, skirts) if found),
        ),
    )


def penetration(factor: int, armour: int) -> Finding:
    """4.4.3.2.5 Penetrated if the penetration factor is not below the armour factor."""
    inputs = {"penetration": factor, "armour": armour}
    return Finding("4.4.3.2.5", inputs=inputs, result=factor >= armour)


# --- 6.5.2.5 damage --------------------------------------------------------------------------------------------


def damage_of(table: Table[PanzerState], shot: ApShot, location: Location, units: int) -> Finding:
    """6.5.2.5 The units digit on the damage line of the firer's card; the result takes effect at once."""
    charts, edition = shot.data.advanced, shot.data.edition
    hollow = soft_die(shot)  # 7.10.2
    soft = shot.data.vehicle(shot.target).type == "S"
    die = max(1, units + charts.number("soft_target_die")) if soft and not hollow else units
    result = charts.damage_line[die - 1]
    children = []
    if soft:
        children.append(hollow or Finding(numbered(edition, "6.5.2.5/s-type"), inputs={"die": units}, result=die))
    if result == "ko" and brews_up(shot.data, shot.target):  # 7.11
        result = charts.damage_line[burning_die(shot.data, shot.target, die) - 1]
        children.append(Finding("7.11", inputs={"unit": shot.target.id, "die": die}, result=result))
    effect = "no_damage"
    match result:
        case "none":
            children.append(Finding("6.5.2.5/nd", inputs={"unit": shot.target.id}, result="no-damage"))
            collateral = collateral_damage(table, shot.target, location)  # 7.23
            children += [collateral] if collateral else []
        case "damaged":
            damage = damage_vehicle(table, shot.target, charts.parts[location])
            effect = str(damage.result)
            inputs = {"unit": shot.target.id, "location": location.value}
            children.append(Finding("6.5.2.5/dm", inputs=inputs, result=effect, children=(damage,)))
        case "ko":
            children.append(knock_out(table, shot.target))
            effect = "ko"
        case "bu":
            children.append(brew_up(table, shot.target))
            effect = "bu"
    return Finding("6.5.2.5", inputs={"die": die}, cell=die, result=effect, children=tuple(children))


# --- without 6.5.2.2 -------------------------------------------------------------------------------------------


def basic_hit(table: Table[PanzerState], shot: ApShot, roll: Finding) -> Step:
    """AG Without hit locations a hit is that of 4.4.3.2.4 to 4.4.3.2.6."""
    angle: Finding = yield from basic_aspect(shot, roll)  # 4.4.3.2.4
    pierced = basic.armour_penetration(shot, angle.result)  # 4.4.3.2.5
    damage = basic_damage(table, shot, angle.result)  # 4.4.3.2.6
    return _struck(shot, str(damage.result), [angle, pierced, damage])


def basic_preview(shot: ApShot) -> list[Finding]:
    """4.4.3.2.4 - 4.4.3.2.6 Which side would be hit, whether it would be pierced, and what that would do."""
    aspect = basic.aspect_of(shot)
    hit = aspect or basic.stronger_aspect(shot)
    effect = Finding("4.4.3.2.6", result=basic_effect(shot, hit))
    return [basic.hit_angle(shot, aspect or "either"), basic.armour_penetration(shot, hit), effect]


def basic_damage(table: Table[PanzerState], shot: ApShot, aspect: basic.Aspect) -> Finding:
    """4.4.3.2.6 Penetration minus armour on the damage table; a second Damaged is a KO. It takes effect at once."""
    target, difference = shot.target, shot.penetration - shot.armour(aspect)
    printed, effect = shot.data.charts.damage(difference), basic_effect(shot, aspect)
    children: list[Finding] = []
    if printed == "damaged":
        before = {"unit": target.id, "damaged_before": bool(target.damage)}
        children.append(Finding("4.4.3.2.6/damaged", inputs=before, result=effect))
        damage_vehicle(table, target)
    if effect in ("ko", "bu"):
        children.append(basic_wreck(table, target, brewed_up=effect == "bu"))
    if printed:
        rule = numbered(shot.data.edition, "4.4.1/immediate")
        children.append(Finding(rule, inputs={"unit": target.id}, result=target.status.value))
    return Finding("4.4.3.2.6", inputs={"difference": difference}, result=effect, children=tuple(children))


def basic_effect(shot: ApShot, aspect: basic.Aspect) -> str:
    """4.4.3.2.6 What a hit does: penetration minus armour; a second Damaged is a KO."""
    effect = shot.data.charts.damage(shot.penetration - shot.armour(aspect))
    if effect == "damaged" and shot.target.damage:
        return "ko"
    return effect or "no-effect"


def basic_wreck(table: Table[PanzerState], unit: Unit, *, brewed_up: bool) -> Finding:
    """4.4.3.2.6 The vehicle and all its counters are removed; its command is not shown (R-10). A wreck is left."""
    name = hex_name(place_of(unit))
    gone = [brew_up(table, unit) if brewed_up else knock_out(table, unit)] if unit.alive else []
    wreck = table.state.wrecks.get(name)
    left = "no-wreck" if wreck is None else "bu-wreck" if wreck.brewed_up else "ko-wreck"
    rule = "4.4.3.2.6/bu" if brewed_up else "4.4.3.2.6/ko"
    why = () if table.data.basic else tuple(gone)
    return Finding(rule, inputs={"unit": unit.id, "hex": name}, result=left, children=why)


def basic_aspect(shot: ApShot, roll: Finding) -> Step:
    """4.4.3.2.4 Front or rear; where the line divides them the owner of the target chooses."""
    aspect, owner = basic.aspect_of(shot), shot.target.side
    if aspect is not None:
        return basic.hit_angle(shot, aspect)
    about = named(shot) | {
        "roll": list(roll.dice),
        "angles": ["front", "rear"],
        "penetration": shot.penetration,
        "front": shot.armour("front"),
        "rear": shot.armour("rear"),
    }
    default = basic.stronger_aspect(shot)
    aspect = yield Ask(owner, "angle", "4.4.3.2.4", subject=shot.target.id, about=about, default=default)
    return basic.hit_angle(shot, aspect, chosen_by=owner)
