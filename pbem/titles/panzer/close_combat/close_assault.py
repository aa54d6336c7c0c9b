"""6.6.1.1 Close assault: leg units against a vehicle, a special kind of GP fire.

    6.6.1           Fight: attackers, target and approach; size_of
    6.6.1.1.1        close_assault, assault_factor, assault_defence
    6.6.1.1.2        CLOSE_ASSAULT (the conditions of the chart), assault_modifiers
    6.6.1.1.2        support_needed, is_supported
    6.6.1.1.3        assault_result, automatic_result

Eligibility, and everything before and after the attack, is in `close_combat`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from pbem.engine.geometry.hexes import Hex
from pbem.engine.rules.ask import Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.card_rows import Size
from pbem.titles.panzer.cards.chart_rows import AdvancedModifier
from pbem.titles.panzer.cards.units import is_forward_observer
from pbem.titles.panzer.damage.attacks import come_under_attack
from pbem.titles.panzer.damage.bail_out import bail_out_checks, face_outward
from pbem.titles.panzer.damage.effects import brew_up, hit_track, suppress
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.gp_defence import gp_defence
from pbem.titles.panzer.fire.gp_fire import CAUSES, GpRoll, damage_by_gp, destroy_by_gp, last_digit, table_roll
from pbem.titles.panzer.fire.gp_modifiers import (
    counter_of,
    is_broken,
    is_hesitating,
    is_known_to_move,
    modifiers_finding,
)
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.sighting.terrain import board_now, features_in, hull_down_against, place_of
from pbem.titles.panzer.situation import Situated, Situation
from pbem.titles.panzer.state import HullDown, PanzerState, Unit


@dataclass(frozen=True)
class Fight(Situated):
    """6.6.1 The attackers from one hex and their target. Terrain has no effect except for its height."""

    situation: Situation
    primary: Unit
    others: tuple[Unit, ...]
    target: Unit
    advanced: bool = False
    """6.6.1.1 Whether any of the attackers spent movement to become adjacent (A25)."""
    dismounted: bool = False
    """6.6.1.1 Whether the attackers came straight from their vehicle."""

    @property
    def attackers(self) -> tuple[Unit, ...]:
        return (self.primary, *self.others)

    def more(self, size: Size) -> int:
        """6.6.1.1.2 The number of additional attackers of this size."""
        return sum(size_of(self.data, unit) == size for unit in self.others)

    @property
    def observer(self) -> bool:
        """7.39 Whether the primary attacker is a forward observer on foot; optional in the 2016 book."""
        return self.data.plays("dismounted_observers") and is_forward_observer(self.primary)

    @property
    def uphill(self) -> bool:
        """6.6.1.1.2 Whether the target is one level higher."""
        board = board_now(self.situation)
        return board.ground(place_of(self.target)) > board.ground(place_of(self.primary))


def size_of(data: PanzerData, unit: Unit) -> Size:
    """5.1.1, 5.1.2 The size of a leg unit: squad, half-squad or section."""
    return data.leg(unit).size


def has_flamethrower(data: PanzerData, unit: Unit) -> bool:
    """5.1.3.5 Whether the unit has a flamethrower attached."""
    return any(data.book.attached[name].kind == "flamethrower" for name in unit.attached)


# --- 6.6.1.1.1 resolution --------------------------------------------------------------------------------------


def close_assault(table: Table[PanzerState], fight: Fight) -> Step:
    """6.6.1.1 Resolve one close assault, from the modifiers to the bail-outs. Return the finding."""
    target, data = fight.target, table.data
    come_under_attack(table.state, target, "close-assault")
    if target.bailed_out:
        children = [automatic_result(table, fight)]
    else:
        roll = roll_assault(table, fight)
        children = [roll.finding, assault_result(table, fight, roll)]
    outcome = children[-1].result
    checks = bail_out_checks(table, target, CAUSES[outcome]) if outcome in CAUSES else []
    yield from face_outward(table, checks)
    if target.alive and counter_of(table.state, target).face_down:
        rule = ledger_row(data.edition, "6.6.1.1.3/hidden-command")
        children.append(Finding(rule, inputs={"unit": target.id}, result="kept"))
    inputs = {"primary": fight.primary.id, "others": [unit.id for unit in fight.others], "target": target.id}
    return Finding("6.6.1.1", inputs=inputs, result=outcome, children=(*children, *checks))


def roll_assault(table: Table[PanzerState], fight: Fight) -> GpRoll:
    """6.6.1.1.1 Roll a d100 on the GP Combat Results Table."""
    factor, defence = assault_factor(fight), assault_defence(fight)
    modifiers = assault_modifiers(fight)
    return table_roll(table, "6.6.1.1.1", factor, defence, modifiers, fight.target.id)


def assault_factor(fight: Fight) -> int:
    """6.6.1.1.1 The factor for the primary attacker's size; printed factors do not apply."""
    return fight.data.advanced.number(f"close_assault_{size_of(fight.data, fight.primary)}")


def assault_defence(fight: Fight) -> int:
    """6.6.1.1.1 The vehicle's GP defence, at most 5."""
    printed = int(gp_defence(fight.situation, fight.target).result)
    return min(printed, fight.data.advanced.number("close_assault_defence"))


# --- 6.6.1.1.2 modifiers ---------------------------------------------------------------------------------------


def _type(fight: Fight) -> str:
    return fight.data.vehicle(fight.target).type


CLOSE_ASSAULT: Final[Mapping[str, tuple[str, Callable[[Fight], int]]]] = {
    "advance": ("6.6.1.1.2/advance", lambda fight: fight.advanced),
    "uphill": ("6.6.1.1.2/uphill", lambda fight: fight.uphill),
    "dismount": ("6.6.1.1.2/dismount", lambda fight: fight.dismounted),
    "target_moving": ("6.6.1.1.2/moving-vehicle", lambda fight: is_known_to_move(fight.state, fight.target)),
    "target_suppressed": ("6.6.1.1.2/suppressed-vehicle", lambda fight: fight.target.suppressed),
    "target_c_indicator": (
        "6.6.1.1.2/c-modifier",
        lambda fight: fight.data.vehicle(fight.target).has("close_assault"),
    ),
    "target_unsupported": (
        "6.6.1.1.2/unsupported",
        lambda fight: not is_supported(fight.situation, fight.target).result,
    ),
    "more_sections": ("6.6.1.1.2/plus-attackers", lambda fight: fight.more("section")),
    "more_half_squads": ("6.6.1.1.2/plus-attackers", lambda fight: fight.more("half_squad")),
    "more_squads": ("6.6.1.1.2/plus-attackers", lambda fight: fight.more("squad")),
    "target_protected": ("6.6.1.1.2/p-type", lambda fight: _type(fight) == "P"),
    "target_soft": ("6.6.1.1.2/s-type", lambda fight: _type(fight) == "S"),
    "target_turret_open": (
        "6.6.1.1.2/open-a-type",
        lambda fight: _type(fight) == "A" and "turret-open" in fight.target.flags,
    ),
    "flamethrower": (
        "6.6.1.1.2/flamethrower",
        lambda fight: any(has_flamethrower(fight.data, unit) for unit in fight.attackers),
    ),
    "target_hesitating": ("6.6.1.1.2/hesitating", lambda fight: is_hesitating(fight.target)),
    "target_broken": ("6.6.1.1.2/broken", lambda fight: is_broken(fight.target)),
    "dismounted_observer": ("6.6.1.1.2/dismounted-fo", lambda fight: fight.observer),
    "unit_grade": (
        "6.6.1.1.2/unit-grade",
        lambda fight: fight.data.advanced.grades[fight.primary.grade].close_combat.value,
    ),
}
"""6.6.1.1.2 For each `when` of the chart, its paragraph and how often it applies."""


def assault_modifiers(fight: Fight) -> Finding:
    """6.6.1.1.2 Add up the close-assault modifiers; no other modifier of GP fire applies."""
    rows = fight.data.advanced.modifiers["close_assault"]
    applying = [(row, times) for row in rows if (times := _times(row, fight))]
    found = modifiers_finding("6.6.1.1.2", fight.data, applying, CLOSE_ASSAULT)
    support = is_supported(fight.situation, fight.target)
    return msgspec.structs.replace(found, children=(*found.children, support))


def _times(row: AdvancedModifier, fight: Fight) -> int:
    return int(CLOSE_ASSAULT[row.when][1](fight))


def support_needed(situation: Situation, hex: Hex) -> bool:
    """6.6.1.1.2 Whether a vehicle in this hex needs infantry support: in buildings, groves, woods and rubble."""
    data = situation.data
    terrain = board_now(situation).terrain(hex)
    counters = (feature.type for feature in features_in(situation.state, hex))
    ground = [data.advanced.terrains[name].support for name in terrain]
    rubble = [data.advanced.features[type].support for type in counters if type in data.advanced.features]
    return any(flag.value for flag in (*ground, *rubble))


def is_supported(situation: Situation, vehicle: Unit) -> Finding:
    """6.6.1.1.2 Unbroken squads and half-squads support their carrier or, if not aboard, any vehicle in the hex.

    Suppressed ones support too (A27). Support is given where it is needed, to the vehicle under attack.
    """
    data = situation.data
    hex = place_of(vehicle)
    rule = ledger_row(data.edition, "6.6.1.1.2/support")
    if not support_needed(situation, hex):
        return Finding(rule, inputs={"vehicle": vehicle.id, "needed": False}, result=True)
    friends = [unit for unit in situation.state.of(vehicle.side) if unit.hex == hex and supports(data, unit)]
    aboard = [unit.id for unit in friends if unit.aboard == vehicle.id]
    around = {unit.id: data.advanced.number(f"support_{size_of(data, unit)}") for unit in friends if not unit.aboard}
    inputs = {"vehicle": vehicle.id, "needed": True, "aboard": aboard, "around": around}
    ruling = ruling_finding(data, "suppressed_do_not_support")
    return Finding(rule, inputs=inputs, result=bool(aboard) or sum(around.values()) > 0, children=(ruling,))


def supports(data: PanzerData, unit: Unit) -> bool:
    """6.6.1.1.2 Whether a unit can support a vehicle: leg units other than sections, if not broken."""
    shaken = unit.suppressed and data.charts.switch("suppressed_do_not_support")  # house/A27
    return unit.kind == "leg" and size_of(data, unit) != "section" and not is_broken(unit) and not shaken


# --- 6.6.1.1.3 results -----------------------------------------------------------------------------------------


def assault_result(table: Table[PanzerState], fight: Fight, roll: GpRoll) -> Finding:
    """6.6.1.1.3 Apply the result: none, suppressed, or effective regardless of the vehicle's type."""
    target = fight.target
    if roll.result == "none":
        found = Finding("6.6.1.1.3", inputs={"unit": target.id}, result="none")
    elif roll.result == "suppressed":
        found = suppress(table.state, target, "6.6.1.1.3/suppressed")
    else:
        effect = effective_assault(table, fight, roll.total)
        found = Finding("6.6.1.1.3/effective", inputs=effect.inputs, result=effect.result, children=(effect,))
    inputs = {"unit": target.id, "total": roll.total}
    return Finding("6.6.1.1.3", inputs=inputs, result=found.result, children=(found,))


def effective_assault(table: Table[PanzerState], fight: Fight, total: int) -> Finding:
    """6.6.1.1.3 Apply the rule of 5s and 10s; hull down does not protect the track here (house/A28)."""
    digit = last_digit(table, fight.target, total)
    if digit.result == "damaged":
        effect = damage_by_gp(table, fight.target)
    elif digit.result == "track":
        effect = track_by_assault(table, fight)
    else:
        return destroy_by_assault(table, fight)
    return msgspec.structs.replace(digit, result=effect.result, children=(effect,))


def track_by_assault(table: Table[PanzerState], fight: Fight) -> Finding:
    """6.6.1.1.3 Hit the track on any terrain; under the alternative ruling, not if the vehicle is hull down."""
    ruling = ruling_finding(fight.data, "hull_down_in_close_assault")
    start = place_of(fight.primary)
    status, why = hull_down_against(fight.situation, fight.target, start)
    if status is not HullDown.NONE and ruling.result == "other-reading":
        inputs = {"unit": fight.target.id, "position": status.value}
        return Finding(ruling.rule, inputs=inputs, result="none", children=(why,))
    found = hit_track(table, fight.target)
    result = found.result if found.result == "track" else "track-again"
    told = (ruling,) if status is not HullDown.NONE else ()
    return msgspec.structs.replace(found, result=result, children=(*found.children, *told))


def destroy_by_assault(table: Table[PanzerState], fight: Fight) -> Finding:
    """6.6.1.1.3 A flamethrower brews up the vehicle; otherwise a d10 roll up to half the primary's factor does."""
    if any(has_flamethrower(fight.data, unit) for unit in fight.attackers):
        return brew_up(table, fight.target)
    return destroy_by_gp(table, fight.target, assault_factor(fight) // 2)


def automatic_result(table: Table[PanzerState], fight: Fight) -> Finding:
    """6.6.1.1.3 An abandoned vehicle is destroyed without a combat roll, so that only the d10 is rolled."""
    found = destroy_by_assault(table, fight)
    rule = ledger_row(table.data.edition, "6.6.1.1.3/bailed-out-vehicle")
    return Finding(rule, inputs={"unit": fight.target.id}, result=found.result, children=(found,))
