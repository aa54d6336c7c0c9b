"""3.2.2/fp-modification The firepower of each component of an attack and of the whole.

3.2.2/fp-modification    factors_of, share_of, shares
3.5/assault-fire         the bonus for MMC with underlined FP
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import Final

import msgspec

from pbem.titles.aslsk.fire.components import Attack, Component, Manner, firing, manner_of, targets_in
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, Vehicle

HALF: Final = Fraction(1, 2)
FAR: Final = 16
"""4.1 Beyond this range MG attacks are halved and need a leader."""


class Factor(msgspec.Struct, frozen=True):
    """One multiplication of firepower, with its reason."""

    rule: str
    why: str
    by: Fraction


class Share(msgspec.Struct, frozen=True):
    """The contribution of one component to an attack."""

    component: str
    printed: int
    factors: tuple[Factor, ...]
    fp: Fraction


def range_of(situation: Situation, one: Component) -> int:
    """1.2.2 The normal range of a component."""
    if one.ife:
        return FAR
    if one.weapon is not None:
        return situation.weapon_card(one.weapon).range
    return situation.card(one.unit).range if isinstance(one.unit, Unit) else 0


def printed_fp(situation: Situation, one: Component) -> int:
    if one.ife and one.weapon is not None:
        return situation.ife_of(one.weapon)
    if one.weapon is not None:
        return situation.weapon_card(one.weapon).fp
    return situation.card(one.unit).fp if isinstance(one.unit, Unit) else 0


def kind_of(situation: Situation, one: Component) -> str:
    if one.ife:
        return "ife"
    return situation.weapon_card(one.weapon).kind if one.weapon is not None else "inherent"


def factors_of(situation: Situation, one: Component, attack: Attack, manner: Manner) -> Iterator[Factor]:
    """3.2.2/fp-modification Every factor that applies to a component, in the order of the table."""
    distance, kind = situation.ground.distance(one.hex, attack.at), kind_of(situation, one)
    if kind != "ft":
        if distance == 1:
            yield Factor("3.2.2/fp-modification", "point blank", Fraction(2))
        elif distance == 0:
            yield Factor("3.2.2.1", "same hex", Fraction(3))
    if distance > range_of(situation, one):
        yield Factor("3.2.2/fp-modification", "long range", HALF)
    if manner == "advancing" and kind != "ft":
        yield Factor("3.5", "Advancing Fire", HALF)
    if manner == "bounding":
        yield Factor("3.3.2.2", "Bounding First Fire", HALF)
    if isinstance(one.unit, Vehicle) and not one.unit.stopped:
        yield Factor("3.3.2.2" if manner == "bounding" else "def/motion-fire", "in motion", HALF)
    if one.unit.pinned:
        yield Factor("3.2.3/pin", "pinned", HALF)
    if manner == "subsequent":
        yield Factor("3.3.3/sff", "Subsequent First Fire", HALF)
    elif manner == "protective":
        yield Factor("3.3.3/fpf", "Final Protective Fire", HALF)
    elif manner == "marked":
        yield Factor("3.4", "marked First Fire", HALF)
    if one.weapon is not None and situation.is_machine_gun(one.weapon):
        yield from machine_gun_factors(situation, one, attack, distance)


def machine_gun_factors(situation: Situation, one: Component, attack: Attack, distance: int) -> Iterator[Factor]:
    """4.1 The factors for a lone leader at an MG, and for fire beyond 16 hexes."""
    if situation.is_leader(one.unit) and not second_man(situation, one, attack):
        yield Factor("4.1", "a lone leader at the MG", HALF)
    if distance > FAR and not all(unit.broken for unit in targets_in(situation, one.unit.seat, attack.at)):
        yield Factor("4.1", "beyond 16 hexes", HALF)


def second_man(situation: Situation, one: Component, attack: Attack) -> bool:
    """4.1 Whether another leader in the attack helps this leader to fire an MG."""
    state = situation.state
    return any(
        id in state.units
        and id != one.unit.id
        and situation.is_leader(state.units[id])
        and state.units[id].at == one.hex
        for id in attack.components
    )


def share_of(situation: Situation, one: Component, attack: Attack, manner: Manner) -> Share:
    """3.2.2 The modified FP of one component, with fractions kept."""
    factors = tuple(factors_of(situation, one, attack, manner))
    printed = printed_fp(situation, one)
    fp = Fraction(printed)
    for factor in factors:
        fp *= factor.by
    if assault_fire(situation, one, attack, manner):
        fp = Fraction(ceil(fp + 1))  # 3.5/assault-fire
        factors += (Factor("3.5/assault-fire", "Assault Fire +1, rounded up", Fraction(1)),)
    return Share(one.id, printed, factors, fp)


def assault_fire(situation: Situation, one: Component, attack: Attack, manner: Manner) -> bool:
    """3.5/assault-fire Whether an MMC uses Assault Fire: its FP is underlined, and it fires in the AFPh within
    normal range.
    """
    if not isinstance(one.unit, Unit):
        return False
    card = situation.card(one.unit)
    near = situation.ground.distance(one.hex, attack.at) <= card.range
    return manner == "advancing" and one.weapon is None and card.assault_fire and near


def shares(situation: Situation, attack: Attack, among: Sequence[Component] | None = None) -> list[Share]:
    """3.2.2 The FP of every component of an attack, or of those in `among`."""
    found = firing(situation, attack) if among is None else among
    return [share_of(situation, one, attack, manner_of(situation, one)) for one in found]


def total(found: Sequence[Share]) -> Fraction:
    return sum((share.fp for share in found), Fraction())
