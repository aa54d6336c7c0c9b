"""6.5.2.2-6.5.2.5 One hit: its angle and location, hull down, armour, penetration and damage.

6.5.2.2        angles_of, hit_angle (ask `angle`), hit_location
6.5.2.2.3      hull_down_of, is_covered
6.5.2.3        armour_of
6.5.2.5        damage_of, resolve_hit; the basic game: basic_hit, basic_damage
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from pbem.engine.geometry.hexes import angle_at_most, dot, hex_name
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.ap import shot_basics as basic
from pbem.titles.panzer.ap.ap_modifiers import ApShot, ap_shot_inputs, at
from pbem.titles.panzer.cards.chart_rows import Angle, Location, Place
from pbem.titles.panzer.damage.bail_out import TRACK_AGAIN
from pbem.titles.panzer.damage.damage_detail import (
    brews_up,
    burning_die,
    collateral_damage,
    hollow_charge_armour,
    lower_hull,
    rising_up,
    soft_die,
    track_stands,
    vary_penetration,
)
from pbem.titles.panzer.damage.effects import brew_up, damage_vehicle, hit_track, knock_out
from pbem.titles.panzer.fire.turrets import direction_of, has_turret, turret_location
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.sighting.terrain import (
    hull_down_against,
    place_of,
    up_of,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import HullDown, PanzerState, Unit

FRONT_TO_REAR: Final = (Angle.FRONT, Angle.FRONT_SIDE, Angle.REAR_SIDE, Angle.REAR)
TURRET_HEIGHT: Final = (Location.TF, Location.TS, Location.TR, Location.DK)
"""6.5.2.2.3 The locations that no hull-down position protects."""


class Struck(NamedTuple):
    """6.5.2 The effect of one hit: the row of the Bail Out Table that it calls for (if any), and why."""

    effect: str
    finding: Finding

    @property
    def cause(self) -> str:
        return self.effect if self.effect in CAUSES else ""


CAUSES: Final = ("no_damage", "damaged", "track", TRACK_AGAIN, "ko", "bu")


# --- 6.5.2.2 angle and location --------------------------------------------------------------------------------


def angles_of(shot: ApShot) -> tuple[Angle, ...]:
    """6.5.2.2 The angle from which the target is hit; on a dividing line, both angles, the more frontal first."""
    target, start, facing = shot.end, shot.start, shot.target.facing
    limits = zip((30, 90, 150), FRONT_TO_REAR, strict=False)
    for (degrees, angle), behind in zip(limits, FRONT_TO_REAR[1:], strict=True):
        if angle_at_most(target, start, facing, degrees):
            return (angle, behind) if _divides(shot, degrees) else (angle,)
    return (Angle.REAR,)


def _divides(shot: ApShot, degrees: int) -> bool:
    """6.5.2.2 Whether the line runs at exactly this many degrees from the target's facing."""
    along = dot(shot.end, shot.start, shot.target.facing)
    if degrees == 90:
        return along == 0
    length = 3 * (shot.start.x - shot.end.x) ** 2 + (shot.start.y - shot.end.y) ** 2
    return along * along == 3 * length


def angle_finding(shot: ApShot, angle: Angle, chosen_by: str = "") -> Finding:
    """6.5.2.2 Explain the hit angle by the line of sight and the target's facing."""
    inputs = {"facing": shot.target.facing, "from": hex_name(shot.start), "to": hex_name(shot.end)}
    divided = Finding(
        ledger_row(shot.data.edition, "6.5.2.2/dividing-line"), inputs={"chosen_by": chosen_by}, result=angle.value
    )
    return Finding("6.5.2.2", inputs=inputs, result=angle.value, children=(divided,) if chosen_by else ())


def hit_angle(shot: ApShot, roll: Finding) -> Step:
    """6.5.2.2 Find the hit angle and explain it; on the line between two angles, the target's owner chooses."""
    possible = angles_of(shot)
    if len(possible) == 1:
        return possible[0], angle_finding(shot, possible[0])
    about = ap_shot_inputs(shot) | {"roll": list(roll.dice), "angles": [angle.value for angle in possible]}
    owner = shot.target.side
    chosen = yield Ask(owner, "angle", "6.5.2.2", subject=shot.target.id, about=about, default=possible[0].value)
    return Angle(chosen), angle_finding(shot, Angle(chosen), chosen_by=owner)


def angle_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.5.2.2 The two angles on either side of the dividing line."""
    yield from ask.about["angles"]


def check_angle(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.5.2.2 Accept one of the two angles."""
    if answer not in ask.about["angles"]:
        located = situation.data.plays("hit_location")
        rule = ledger_row(situation.data.edition, "6.5.2.2/dividing-line") if located else "4.4.3.2.4"
        why = Objection(
            rule, say("the line of fire runs between {angles}; choose one", angles=" and ".join(ask.about["angles"]))
        )
        raise Illegal("angle", [why], ask.about["angles"])
    return answer


def digits(roll: int) -> tuple[int, int]:
    """6.5.2.2 The tens and units digits of a d100 roll, each from 1 to 10."""
    return roll // 10 % 10 or 10, roll % 10 or 10


def hit_location(table: Table[PanzerState], shot: ApShot, angle: Angle) -> tuple[Place, int, Finding]:
    """6.5.2.2 The tens digit gives the location of the hit; the units digit later gives the damage."""
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
    """7.8.2 Relocate a hit on a turret that is turned."""
    if not has_turret(shot.data, shot.target) or not shot.target.turret:
        return None
    faced = msgspec.structs.replace(shot.target, facing=direction_of(shot.target))
    turret_angle = angles_of(at(shot, faced))[0]
    there = shot.data.advanced.place(turret_angle, int(roll.cell[1]))
    return turret_location(place, angle, turret_angle, there)


def with_child(finding: Finding, child: Finding) -> Finding:
    return msgspec.structs.replace(finding, children=(*finding.children, child))


def hull_down_of(shot: ApShot) -> tuple[HullDown, Finding]:
    """6.1.4.1 Whether the target is hull down against this shot. It is not while it shows its lower hull (7.13.1)."""
    if shot.data.plays("lower_hull") and (shown := rising_up(shot)):
        return HullDown.NONE, shown
    up = up_of(shot.situation, shot.firer)
    return hull_down_against(shot.situation, shot.target, shot.start, up)


def is_covered(place: Place, status: HullDown) -> bool:
    """6.5.2.2.3 Whether a hull-down position covers a location.

    A full one covers the hull and the track, a partial one the track and the marked locations.
    """
    if status is HullDown.NONE or place.location in TURRET_HEIGHT:
        return False
    return status is HullDown.HD or place.location is Location.TK or place.marked


def resolve_hit(table: Table[PanzerState], shot: ApShot, roll: Finding) -> Step:
    """6.5.2.2 - 6.5.2.5 Resolve one hit: angle, location, armour, penetration, damage."""
    if not shot.data.plays("hit_location"):
        return (yield from basic_hit(table, shot, roll))
    variation = vary_penetration(table, shot)  # 7.12
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
        return _struck_by(shot, "no-effect", children)
    if place.location is Location.TK:  # 6.5.2.2.1
        stands = track_stands(shot.data, shot.target, shot.effectiveness, always=shot.arm.kind == "hand_held")
        children += [stands] if stands else []  # 7.21
        if stands and not stands.result:
            return _struck_by(shot, "no-effect", children)
        track = hit_track(table, shot.target)
        return _struck_by(shot, "track" if track.result == "track" else TRACK_AGAIN, [*children, track])
    armour = armour_of(shot, angle, place.location, status)  # 6.5.2.3
    factor = int(variation.result) if variation else shot.penetration
    pierced = penetration(factor, int(armour.result))  # 4.4.3.2.5
    children += [armour, pierced]
    if not pierced.result:
        return _struck_by(shot, "no-effect", children)
    damage = damage_of(table, shot, place.location, units)  # 6.5.2.5
    return _struck_by(shot, str(damage.result), [*children, damage])


def _struck_by(shot: ApShot, effect: str, children: Sequence[Finding]) -> Struck:
    return Struck(effect, Finding("6.5.2.2", inputs=ap_shot_inputs(shot), result=effect, children=tuple(children)))


# --- 6.5.2.3 armour --------------------------------------------------------------------------------------------


def _armour(shot: ApShot, angle: Angle, location: Location) -> int:
    """6.5.2.3 The armour factor on the target's card; a track has no armour."""
    if location is Location.TK:
        return 0
    return shot.data.vehicle(shot.target).armour_at(angle, shot.slope, location)


def armour_of(shot: ApShot, angle: Angle, location: Location, status: HullDown = HullDown.NONE) -> Finding:
    """6.5.2.3 The armour factor, by type, angle, location and slope.

    Kinetic and chemical ammunition meet the same armour (6.5.2.3.4).
    """
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
    """4.4.3.2.5 The shot penetrates if its penetration factor is at least the armour factor."""
    inputs = {"penetration": factor, "armour": armour}
    return Finding("4.4.3.2.5", inputs=inputs, result=factor >= armour)


# --- 6.5.2.5 damage --------------------------------------------------------------------------------------------


def damage_of(table: Table[PanzerState], shot: ApShot, location: Location, units: int) -> Finding:
    """6.5.2.5 Read the units digit on the damage line of the firer's card. The result takes effect at once."""
    charts, edition = shot.data.advanced, shot.data.edition
    hollow = soft_die(shot)  # 7.10.2
    soft = shot.data.vehicle(shot.target).type == "S"
    die = max(1, units + charts.number("soft_target_die")) if soft and not hollow else units
    result = charts.damage_line[die - 1]
    children = []
    if soft:
        children.append(hollow or Finding(ledger_row(edition, "6.5.2.5/s-type"), inputs={"die": units}, result=die))
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
    """AG Without hit locations, resolve a hit under 4.4.3.2.4 to 4.4.3.2.6."""
    angle: Finding = yield from basic_aspect(shot, roll)  # 4.4.3.2.4
    pierced = basic.armour_penetration(shot, angle.result)  # 4.4.3.2.5
    damage = basic_damage(table, shot, angle.result)  # 4.4.3.2.6
    return _struck_by(shot, str(damage.result), [angle, pierced, damage])


def basic_preview(shot: ApShot) -> list[Finding]:
    """4.4.3.2.4 - 4.4.3.2.6 Preview the side hit, whether it would be penetrated, and the damage."""
    aspect = basic.aspect_of(shot)
    hit = aspect or basic.stronger_aspect(shot)
    effect = Finding("4.4.3.2.6", result=basic_effect(shot, hit))
    return [basic.hit_angle(shot, aspect or "either"), basic.armour_penetration(shot, hit), effect]


def basic_damage(table: Table[PanzerState], shot: ApShot, aspect: basic.Aspect) -> Finding:
    """4.4.3.2.6 Look up penetration minus armour on the damage table and apply it; a second Damaged is a KO."""
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
        rule = ledger_row(shot.data.edition, "4.4.1/immediate")
        children.append(Finding(rule, inputs={"unit": target.id}, result=target.status.value))
    return Finding("4.4.3.2.6", inputs={"difference": difference}, result=effect, children=tuple(children))


def basic_effect(shot: ApShot, aspect: basic.Aspect) -> str:
    """4.4.3.2.6 The effect of a hit, from penetration minus armour; a second Damaged is a KO."""
    effect = shot.data.charts.damage(shot.penetration - shot.armour(aspect))
    if effect == "damaged" and shot.target.damage:
        return "ko"
    return effect or "no-effect"


def basic_wreck(table: Table[PanzerState], unit: Unit, *, brewed_up: bool) -> Finding:
    """4.4.3.2.6 Remove the vehicle and all its counters without showing its command (R-10), leaving a wreck."""
    name = hex_name(place_of(unit))
    gone = [brew_up(table, unit) if brewed_up else knock_out(table, unit)] if unit.alive else []
    wreck = table.state.wrecks.get(name)
    left = "no-wreck" if wreck is None else "bu-wreck" if wreck.brewed_up else "ko-wreck"
    rule = "4.4.3.2.6/bu" if brewed_up else "4.4.3.2.6/ko"
    why = () if table.data.basic else tuple(gone)
    return Finding(rule, inputs={"unit": unit.id, "hex": name}, result=left, children=why)


def basic_aspect(shot: ApShot, roll: Finding) -> Step:
    """4.4.3.2.4 Whether the front or rear is hit; exactly on the dividing line, the target's owner chooses."""
    aspect, owner = basic.aspect_of(shot), shot.target.side
    if aspect is not None:
        return basic.hit_angle(shot, aspect)
    about = ap_shot_inputs(shot) | {
        "roll": list(roll.dice),
        "angles": ["front", "rear"],
        "penetration": shot.penetration,
        "front": shot.armour("front"),
        "rear": shot.armour("rear"),
    }
    default = basic.stronger_aspect(shot)
    aspect = yield Ask(owner, "angle", "4.4.3.2.4", subject=shot.target.id, about=about, default=default)
    return basic.hit_angle(shot, aspect, chosen_by=owner)
