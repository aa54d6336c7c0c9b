"""4.1/breakdown, 1.2.4.1 Breakdown and rate of fire: what the dice of an attack do to its weapons.

4.0/weapon-penalties    breakdown_number: captured -2, inexperienced user -1
4.1/breakdown           break_down
1.2.4.1                 keeps_rate
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from pbem.titles.aslsk.chance import Dice, draw
from pbem.titles.aslsk.fire.components import Component, Manner
from pbem.titles.aslsk.ordnance.arcs import is_qualified, rate_of, spines_to
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Weapon
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.vehicles.status import recall

NEVER: Final = 13
"""A number that two dice cannot reach."""
WORN: tuple[Manner, ...] = ("subsequent", "protective", "marked")


def breakdown_number(situation: Situation, weapon: Weapon, user: Piece, *, worn: bool = False) -> int:
    """4.0/weapon-penalties The B# or X# that applies; `worn` means that the weapon fires under a First Fire marker
    (4.1).
    """
    card = situation.weapon_card(weapon)
    number = card.breakdown - (2 if situation.is_captured(weapon) else 0)
    if (
        card.kind == "ft"
        and isinstance(user, Unit)
        and situation.is_mmc(user)
        and situation.card(user).class_ != "elite"
    ):
        number -= 2  # 4.2
    number -= 1 if situation.is_inexperienced(user) else 0
    return number - (2 if worn else 0)


def keeps_rate(
    situation: Situation, one: Component, manner: Manner, dice: Dice, *, cowered: bool, at: str = ""
) -> bool:
    """1.2.4.1 Whether the weapon keeps its rate of fire, by the coloured die; it never does in the AFPh, when pinned
    or cowering, or under a marker.
    """
    if one.weapon is None or manner not in ("normal", "bounding") or cowered or one.unit.pinned:
        return False
    return dice.coloured <= rate_now(situation, one, at)


def rate_now(situation: Situation, one: Component, at: str) -> int:
    """1.2.4.1, 3.2.4/rof-reduction The rate of fire for a shot at a hex."""
    assert one.weapon is not None
    turns = spines_to(situation, one.weapon, one.hex, at) > 0 if at else False
    return rate_of(situation, one.weapon, one.unit, turns=turns, direct=one.ife)


def is_untrained(situation: Situation, one: Component) -> bool:
    """3.2.4/non-qualified Whether a Gun fires on the fire table without a crew."""
    return one.ife and not is_qualified(situation, one.unit)


def number_now(situation: Situation, one: Component, manner: Manner) -> int:
    """4.1/breakdown, 6.12 The lowest roll on which a weapon breaks down in this attack."""
    assert one.weapon is not None
    number = breakdown_number(situation, one.weapon, one.unit, worn=manner in WORN)
    return number - (2 if is_untrained(situation, one) else 0)


def removal_number(situation: Situation, one: Component, manner: Manner) -> int:
    """4.1/breakdown, 3.2.4/non-qualified The lowest roll on which the weapon is removed instead; 13 means never."""
    assert one.weapon is not None
    if situation.weapon_card(one.weapon).number == "X":
        return number_now(situation, one, manner)
    printed = situation.weapon_card(one.weapon).breakdown
    if one.ife:  # 6.12 any reduction: it is lost on the printed number
        return printed if number_now(situation, one, manner) < printed else NEVER
    return printed if manner in WORN else NEVER


def break_down(table: AslskTable, firers: Sequence[tuple[Component, Manner]], dice: Dice) -> list[str]:
    """4.1/breakdown Make one MG (or ATR) of the attack malfunction if the Original DR reaches its number."""
    situation = table.situation
    failing = [
        (one, manner)
        for one, manner in firers
        if one.weapon is not None and dice.total >= number_now(situation, one, manner)
    ]
    chosen = draw(table, "4.1/breakdown", failing, 1, *(one.id for one, _ in failing))
    for one, manner in chosen:
        assert one.weapon is not None
        number, limit = number_now(situation, one, manner), removal_number(situation, one, manner)
        printed = situation.weapon_card(one.weapon).breakdown
        if number < printed:
            told = {"weapon": one.weapon.id, "unit": one.unit.id, "printed": printed}
            table.find("4.0/weapon-penalties", inputs=told, result=number)
        gone = dice.total >= limit
        wreck(table, one.weapon, "4.1/breakdown", removed=gone, dice=dice.pair, number=number, removed_on=limit)
    return [one.id for one, _ in chosen]


def wreck(
    table: AslskTable,
    weapon: Weapon,
    rule: str,
    *,
    removed: bool,
    dice: Sequence[int] = (),
    modifiers: Iterable[dict[str, Any]] = (),
    cell: Any = None,
    **numbers: int,
) -> None:
    """4.0 Make a weapon malfunction or leave play; `numbers` are those that the dice were compared with."""
    result = "removed" if removed else "malfunctions"
    about = {"weapon": weapon.id, "unit": weapon.holder, **numbers}
    table.find(rule, inputs=about, dice=dice, modifiers=modifiers, cell=cell, result=result)
    vehicle = table.situation.vehicle_of(weapon)
    if removed:
        del table.state.weapons[weapon.id]
        if vehicle is not None and table.situation.is_main(weapon):
            recall(table, vehicle)  # 7.2
    else:
        weapon.malfunctioned = True
        weapon.lose_target()
