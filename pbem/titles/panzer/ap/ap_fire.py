"""6.5.2 AP direct fire: whether a shot hits, how often, where, and whether it penetrates.

    6.5.2        resolve_ap, preview_ap, chance_to_damage
    6.5.2.1      number_of_hits, spread_hits (ask `spread`)
    6.5.2.6      bail_out
    4.4.3.2.2    claim_target_moving

A shot and its modifiers are in `ap_modifiers`, one hit in `ap_damage`; range factor, hit number, penetration and
fields of fire are those of 4.4.3, in `shot_basics`. The order of fire is decided in `direct_fire` and `overwatch`.
Everything up to the roll is a pure function of a state or a view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from pbem.engine.geometry.hexes import distance, hex_name
from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.ap import shot_basics as basic
from pbem.titles.panzer.ap.ap_damage import (
    Struck,
    _armour,
    angle_finding,
    angles_of,
    basic_preview,
    hull_down_of,
    is_covered,
    resolve_hit,
)
from pbem.titles.panzer.ap.ap_modifiers import ApShot, ap_shot_inputs, at, hit_modifiers
from pbem.titles.panzer.artillery.fires import note_rocket
from pbem.titles.panzer.cards.basic_rows import RANGE_FACTORS
from pbem.titles.panzer.cards.chart_rows import Location
from pbem.titles.panzer.command.command_control import bears, group_of
from pbem.titles.panzer.damage.attacks import come_under_attack
from pbem.titles.panzer.damage.bail_out import TRACK_AGAIN, bail_out_checks, face_outward
from pbem.titles.panzer.damage.effects import give_up_positions
from pbem.titles.panzer.fire.gp_fire import resolve_gp
from pbem.titles.panzer.fire.gp_modifiers import GpAttack, counter_of
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.sighting.terrain import (
    place_of,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import MOVING, Command, PanzerState, Unit

# --- 6.5.2 resolution ------------------------------------------------------------------------------------------

Legal = Callable[[Unit], bool]
"""6.5.2.1 Whether a unit would be a legal target of the same firer."""
EFFECTS: Final = ("miss", "too-late", "no-effect", TRACK_AGAIN, "no_damage", "track", "damaged", "ko", "bu")
"""6.5.2.5 The possible effects of a shot, weakest first."""


def resolve_ap(
    table: Table[PanzerState],
    shot: ApShot,
    legal: Legal,
    why: Sequence[Finding] = (),
    blast: GpAttack | None = None,
) -> Step:
    """6.5.2 Resolve the modifiers, the roll, the number and spread of hits, then each hit; bail-outs come last.

    `blast` is the additional effect of a hand-held weapon on the passengers of its target (5.1.3.4).
    """
    shot = replace(shot)  # with current modifiers
    come_under_attack(table.state, shot.target)
    children = [*why, *first_findings(shot)]
    roll = basic.roll_to_hit(table, shot)
    children.append(roll)
    if roll.result == "miss":
        note_rocket(table, shot.arm, shot.target)  # 7.35.3
        children += yield from passengers_hit(table, blast)
        return Finding(shot.data.cite("6.5.2"), inputs=ap_shot_inputs(shot), result="miss", children=tuple(children))
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
    return Finding(shot.data.cite("6.5.2"), inputs=ap_shot_inputs(shot), result=worst, children=tuple(children))


def passengers_hit(table: Table[PanzerState], blast: GpAttack | None) -> Step:
    """5.1.3.4 Apply a hand-held weapon's GP factor to the passengers of the vehicle it is fired at."""
    if blast is None:
        return []
    found: Finding = yield from resolve_gp(table, blast)
    return [Finding("5.1.3.4", inputs={"firer": blast.firer, "carrier": blast.target}, children=(found,))]


def bail_out(table: Table[PanzerState], target: Unit, results: Sequence[Struck]) -> Step:
    """6.5.2.6 Roll for bail-out once all hits from this fire on the vehicle are resolved."""
    come_under_attack(table.state, target)
    checks = bail_out_checks(table, target, [one.cause for one in results if one.cause])
    yield from face_outward(table, checks)
    if not checks:
        return []
    return [Finding("6.5.2.6", inputs={"carrier": target.id}, result=checks[0].result, children=tuple(checks))]


def first_findings(shot: ApShot) -> Iterator[Finding]:
    """4.4.3.2 Yield the findings that come before the roll."""
    ends = {"from": hex_name(shot.start), "to": hex_name(shot.end)}
    yield Finding("3.5", inputs=ends, result=shot.range)
    yield field_of_fire(shot)
    yield basic.range_factor(shot)
    yield hit_modifiers(shot)


def field_of_fire(shot: ApShot) -> Finding:
    """4.4.3.1 Whether the weapon bears under the rules in use: turrets, platforms, passengers."""
    found = basic.field_of_fire(shot)
    if shot.data.basic:
        return found
    watching = shot.command is Command.OVERWATCH
    result = bears(shot.situation, shot.firer, shot.arm, shot.end, turning=watching)
    return found if result == found.result else bearing(found, result)


def bearing(found: Finding, result: bool) -> Finding:
    """4.4.3.1 A field-of-fire finding and its children, with this result."""
    children = tuple(bearing(child, result) for child in found.children)
    return msgspec.structs.replace(found, result=result, children=children)


def preview_ap(shot: ApShot) -> Finding:
    """6.5.2 Preview a shot from the seat's knowledge. The result is the hit number, or 0 for no attack."""
    children = [*first_findings(shot)]
    if shot.factor is not None:
        children.append(Finding("4.4.3.2.3", cell=basic.hit_cell(shot), result=shot.hit_number))
        located = shot.data.plays("hit_location")
        children += [angle_finding(shot, angles_of(shot)[0])] if located else basic_preview(shot)
    inputs = {**ap_shot_inputs(shot), "penetration": shot.penetration, "damages_on": chance_to_damage(shot)}
    return Finding(shot.data.cite("6.5.2"), inputs=inputs, result=shot.hit_number, children=tuple(children))


def chance_to_damage(shot: ApShot) -> int:
    """On how many of the ten location rolls a hit would do damage, by penetration or to the track."""
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
    """6.5.2.1 The number of hits, from the roll that hit and the rate of fire."""
    hit_number, dice = int(roll.inputs["hit_number"]), roll.dice
    hits = shot.data.advanced.number_of_hits(hit_number, shot.rate, dice[0])
    inputs = {"rate": shot.rate, "hit_number": hit_number}
    rule = ledger_row(shot.data.edition, "6.5.2.1/n-rate" if shot.rate == "N" else "6.5.2.1/qrf-rates")
    rate = Finding(rule, cell=[hit_number, shot.rate], dice=dice, result=hits)
    return hits, Finding("6.5.2.1", inputs=inputs, result=hits, children=(rate,))


def spread_targets(shot: ApShot, legal: Legal) -> list[Unit]:
    """6.5.2.1 Vehicles near the target, within the command range of the firer's grade, that are no harder to hit."""
    reach = shot.data.advanced.grades[shot.firer.grade].command_range.value
    if not reach and shot.data.charts.switch("low_grades_never_spread"):  # house/A0
        return []
    return [
        other
        for other in shot.state.of(shot.target.side)
        if other.id != shot.target.id
        and other.kind == "vehicle"
        and distance(shot.end, place_of(other)) <= reach
        and legal(other)
        and is_no_harder(shot, other)
    ]


def is_no_harder(shot: ApShot, other: Unit) -> bool:
    """6.5.2.1 Whether another vehicle is no harder to hit, by hit number or, in the 2016 book, by range factor."""
    beside = at(shot, other)
    if beside.factor is None or shot.factor is None:
        return False
    if shot.data.charts.switch("spread_by_range_factor"):
        return RANGE_FACTORS.index(beside.factor) <= RANGE_FACTORS.index(shot.factor)
    return beside.hit_number >= shot.hit_number


def spread_hits(table: Table[PanzerState], shot: ApShot, hits: int, legal: Legal) -> Step:
    """6.5.2.1 Ask the firing player whether to put extra hits on other vehicles, before any damage is known.

    The result is the target of each hit (the first hit stays on the declared target) and the findings.
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
    children += (
        [ruling_finding(shot.data, "low_grades_never_spread")] if shot.firer.grade in ("regulars", "green") else []
    )
    return aims, [Finding("6.5.2.1/spread-hits", inputs=inputs, result=result, children=tuple(children))]


def claim_before_spread(table: Table[PanzerState], shot: ApShot) -> Step:
    """6.5.2.1 The owner of another target may show that it is moving, which may make it harder to hit."""
    if shot.data.charts.switch("spread_by_range_factor"):  # range factors do not change
        return []
    return (yield from claim_target_moving(table, shot.target, [shot], []))


def spread_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.5.2.1 Offer all hits on the declared target, or any number of the extra hits on one of the others."""
    yield []
    for target in ask.about["targets"]:
        for number in range(1, ask.about["extra"] + 1):
            yield [target] * number


def check_spread(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.5.2.1 Accept a list of other targets, one entry per hit moved there; the rest stay on the declared target."""
    targets, extra = ask.about["targets"], ask.about["extra"]
    try:
        chosen = msgspec.convert(answer, list[str])
    except msgspec.ValidationError as error:
        why = Objection("6.5.2.1/spread-hits", say("name the targets of the extra hits"))
        raise Unreadable("spread", [why], [str([target]) for target in targets]) from error
    if len(chosen) > extra:
        why = Objection(
            "6.5.2.1/spread-hits",
            say("only {extra} extra hits can be spread; the first hit stays on the original target", extra=extra),
        )
        raise Illegal("spread", [why], ["[]"])
    for target in chosen:
        if target not in targets:
            why = Objection(
                "6.5.2.1/spread-hits", say("that unit is too far from the original target, or is harder to hit")
            )
            raise Illegal(target, [why], targets)
    return chosen


# --- 4.4.3.2.2 a hidden Move -----------------------------------------------------------------------------------


def claim_target_moving(
    table: Table[PanzerState], target: Unit, shots: Sequence[ApShot], others: Sequence[str]
) -> Step:
    """4.4.3.2.2, 6.5.4.3 Ask the owner of a vehicle under a face-down counter whether to show that it is moving.

    The owner is asked once for the group, regardless of the actual command. `others` are the units that fire GP at
    the vehicle.
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
