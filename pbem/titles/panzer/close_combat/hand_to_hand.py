"""6.6.1.2 Hand-to-hand combat: leg units against leg and towed units, fought to the end.

    6.6.1.2.1    hand_to_hand, fight_round
    6.6.1.2.2    HAND_TO_HAND (the conditions of the chart), side_modifiers
    6.6.1.2.3    attacker_higher, defender_higher
    6.6.1.2.3    name_primary (ask `primary`), primary_options, check_primary

Eligibility, and everything before and after the combat, is in `close_combat`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from pbem.engine.rules.ask import Answer, Ask, Step
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.close_combat.close_assault import Fight, has_flamethrower, size_of
from pbem.titles.panzer.damage.attacks import come_under_attack
from pbem.titles.panzer.damage.damage_detail import lose_step_and_weapons
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.fire.gp_modifiers import counter_of, is_broken, is_hesitating, modifiers_finding
from pbem.titles.panzer.rulings import ruling_finding
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import PanzerState, Unit

Party = Literal["attacker", "defender"]


class Side(NamedTuple):
    """6.6.1.2.2 One side of a fight, with its own modifiers and its own roll."""

    fight: Fight
    party: Party

    @property
    def unit(self) -> Unit:
        """The primary attacker, or the defender."""
        return self.fight.primary if self.party == "attacker" else self.fight.target

    @property
    def all(self) -> tuple[Unit, ...]:
        return self.fight.attackers if self.party == "attacker" else (self.fight.target,)

    def is_a(self, size: str) -> bool:
        return self.unit.kind == "leg" and size_of(self.fight.data, self.unit) == size


# --- 6.6.1.2.2 modifiers ---------------------------------------------------------------------------------------

HAND_TO_HAND: Final[Mapping[str, tuple[str, Callable[[Side], int]]]] = {
    "squad": ("6.6.1.2.2/squad", lambda side: side.is_a("squad")),
    "half_squad": ("6.6.1.2.2/half-squad", lambda side: side.is_a("half_squad")),
    "section": ("6.6.1.2.2/section", lambda side: side.is_a("section")),
    "towed": ("6.6.1.2.2/towed", lambda side: side.unit.kind == "towed"),
    "suppressed": ("6.6.1.2.2/defender-suppressed", lambda side: side.unit.suppressed),
    "advance": ("6.6.1.2.2/advance", lambda side: side.fight.advanced),
    "uphill": ("6.6.1.2.2/uphill", lambda side: side.fight.uphill),
    "dismount": ("6.6.1.2.2/dismount", lambda side: side.fight.dismounted),
    "more_sections": ("6.6.1.2.2/plus-attackers", lambda side: side.fight.more("section")),
    "more_half_squads": ("6.6.1.2.2/plus-attackers", lambda side: side.fight.more("half_squad")),
    "more_squads": ("6.6.1.2.2/plus-attackers", lambda side: side.fight.more("squad")),
    "flamethrower": (
        "6.6.1.2.2/flamethrower",
        lambda side: any(has_flamethrower(side.fight.data, unit) for unit in side.all),
    ),
    "dismounted_observer": ("6.6.1.2.2/dismounted-fo", lambda side: side.fight.observer),
    "hesitating": ("6.6.1.2.2/defender-hesitating", lambda side: is_hesitating(side.unit)),
    "broken": ("6.6.1.2.2/defender-broken", lambda side: is_broken(side.unit)),
    "unit_grade": (
        "6.6.1.2.2/unit-grade",
        lambda side: side.fight.data.advanced.grades[side.unit.grade].close_combat.value,
    ),
}
"""6.6.1.2.2 For each `when` of the chart, its paragraph and how often it applies."""


def side_modifiers(side: Side) -> Finding:
    """6.6.1.2.2 Add up one side's modifiers; those for the attackers' approach last until the fight ends (A31)."""
    data = side.fight.data
    rows = data.advanced.modifiers_for("hand_to_hand", side.party)
    counted = [(row, int(HAND_TO_HAND[row.when][1](side))) for row in rows]
    return modifiers_finding("6.6.1.2.2", data, [(row, times) for row, times in counted if times], HAND_TO_HAND)


# --- 6.6.1.2.1 resolution --------------------------------------------------------------------------------------


def hand_to_hand(table: Table[PanzerState], fight: Fight) -> Step:
    """6.6.1.2 Fight round after round until one side is gone. Return the finding."""
    target, state = fight.target, table.state
    come_under_attack(state, target, "hand-to-hand")
    named = {"primary": fight.primary.id, "others": [unit.id for unit in fight.others], "target": target.id}
    rounds: list[Finding] = []
    going: Fight | None = fight
    while going is not None and target.alive:
        fought = fight_round(table, going)
        rounds.append(fought)
        if fight.data.charts.switch("advance_counts_once"):  # house/A31
            going = replace(going, advanced=False, dismounted=False)
        if fought.result == "attacker":
            continue
        going = yield from next_primary(table, going)
    if target.alive and counter_of(state, target).face_down:
        rounds.append(Finding("6.6.1.2.3", inputs={"unit": target.id}, result="kept"))
    winner = "defender" if target.alive else "attacker"
    if fight.advanced or fight.dismounted:
        rounds.append(ruling_finding(fight.data, "advance_counts_once"))
    return Finding("6.6.1.2", inputs=named, result=winner, children=tuple(rounds))


def fight_round(table: Table[PanzerState], fight: Fight) -> Finding:
    """6.6.1.2.1 Both sides roll a d100 and add their own modifiers; the higher total wins, and ties are rerolled."""
    sides = {party: side_modifiers(Side(fight, party)) for party in ("attacker", "defender")}
    dice: list[int] = []
    totals = {"attacker": 0, "defender": 0}
    while totals["attacker"] == totals["defender"]:
        for party, unit in (("attacker", fight.primary), ("defender", fight.target)):
            roll = table.roll(100, "6.6.1.2.1", unit.id)
            dice.append(roll)
            totals[party] = roll + int(sides[party].result)
    winner = "attacker" if totals["attacker"] > totals["defender"] else "defender"
    loss = attacker_higher(table, fight) if winner == "attacker" else defender_higher(table, fight)
    return Finding(
        "6.6.1.2.1",
        inputs={"primary": fight.primary.id, "target": fight.target.id, **totals},
        dice=tuple(dice),
        result=winner,
        children=(*sides.values(), Finding("6.6.1.2.3", inputs=loss.inputs, result=loss.result, children=(loss,))),
    )


# --- 6.6.1.2.3 results -----------------------------------------------------------------------------------------


def attacker_higher(table: Table[PanzerState], fight: Fight) -> Finding:
    """6.6.1.2.3 A target squad becomes an unsuppressed half-squad and fights on; any other target is eliminated."""
    return lose_step_and_weapons(table, fight.target, "6.6.1.2.3/attacker-higher", suppressed=False)


def defender_higher(table: Table[PanzerState], fight: Fight) -> Finding:
    """6.6.1.2.3 The primary attacker loses in the same way; the others are unharmed, and the defender stays."""
    return lose_step_and_weapons(table, fight.primary, "6.6.1.2.3/defender-higher", suppressed=False)


def next_primary(table: Table[PanzerState], fight: Fight) -> Step:
    """6.6.1.2.3 Replace a lost primary, or a reduced one if the owner wishes; None if no attacker is left."""
    living = [unit for unit in fight.attackers if unit.alive]
    if not living:
        return None
    squads = [unit for unit in living if size_of(table.data, unit) == "squad"]
    candidates = [fight.primary, *squads] if fight.primary.alive else living
    primary = yield from name_primary(table, fight.target, candidates, rule="6.6.1.2.3")
    others = tuple(unit for unit in living if unit.id != primary.id)
    return replace(fight, primary=primary, others=others)


def name_primary(table: Table[PanzerState], target: Unit, candidates: Sequence[Unit], rule: str) -> Step:
    """6.6.1.1, 6.6.1.2.3 Ask the attacker to name a primary attacker; the default is the strongest unit."""
    if len(candidates) == 1:
        return candidates[0]
    best = max(candidates, key=lambda unit: strength(table.data, unit))
    about = {"target": target.id, "units": [unit.id for unit in candidates]}
    name = yield Ask(candidates[0].side, "primary", rule, subject=target.id, about=about, default=best.id)
    return table.state.vehicles[name]


def strength(data: PanzerData, unit: Unit) -> int:
    """R-05 A unit's value as primary attacker: its size and its grade."""
    size = size_of(data, unit)
    row = next(row for row in data.advanced.modifiers["hand_to_hand"] if row.when == size)
    return row.value + data.advanced.grades[unit.grade].close_combat.value


def primary_options(situation: Situation, ask: Ask) -> Iterator[Answer]:
    """6.6.1.2.3 The units that may be named."""
    yield from ask.about["units"]


def check_primary(situation: Situation, ask: Ask, answer: Answer) -> Answer:
    """6.6.1.2.3 Accept one of the units that may be named."""
    units = list(ask.about["units"])
    if not isinstance(answer, str):
        raise Unreadable("primary", [Objection(ask.rule, say("name one unit"))], units)
    if answer not in units:
        why = say("the unit cannot be the primary attacker now")
        raise Illegal(answer, [Objection(ask.rule, why)], units)
    return answer
