"""4.1/breakdown, 1.2.4.1 What the dice of an attack do to the weapons that took part.

4.0/weapon-penalties    breakdown_number: captured -2, inexperienced user -1
4.1/breakdown           broken_down
1.2.4.1                 keeps_rate
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.titles.aslsk.chance import Dice, draw
from pbem.titles.aslsk.fire.components import Component, Manner
from pbem.titles.aslsk.ordnance.arcs import is_qualified, rate_of, spines_to
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Weapon
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.vehicles.status import recall

WORN: tuple[Manner, ...] = ("subsequent", "protective", "marked")


def breakdown_number(situation: Situation, weapon: Weapon, user: Piece, *, worn: bool = False) -> int:
    """4.0/weapon-penalties The B# or X# in use; `worn` is fire under a First Fire marker (4.1)."""
    card = situation.weapon_card(weapon)
    number = card.breakdown - (2 if situation.captured(weapon) else 0)
    if (
        card.kind == "ft"
        and isinstance(user, Unit)
        and situation.is_mmc(user)
        and situation.card(user).class_ != "elite"
    ):
        number -= 2  # 4.2
    number -= 1 if situation.inexperienced(user) else 0
    return number - (2 if worn else 0)


def keeps_rate(
    situation: Situation, one: Component, manner: Manner, dice: Dice, *, cowered: bool, at: str = ""
) -> bool:
    """1.2.4.1 The coloured die decides, except in the AFPh, when pinned, cowering or firing again under a marker."""
    if one.weapon is None or manner not in ("normal", "bounding") or cowered or one.unit.pinned:
        return False
    turns = spines_to(situation, one.weapon, one.hex, at) > 0 if at else False
    return dice.coloured <= rate_of(situation, one.weapon, one.unit, turns=turns, direct=one.ife)


def break_down(table: AslskTable, firers: Sequence[tuple[Component, Manner]], dice: Dice) -> list[str]:
    """4.1/breakdown One MG (or ATR) of the attack malfunctions if the Original DR reaches its number."""
    situation = table.situation
    failing = [
        (one, manner)
        for one, manner in firers
        if one.weapon is not None
        and dice.total >= breakdown_number(situation, one.weapon, one.unit, worn=manner in WORN)
    ]
    chosen = draw(table, "4.1/breakdown", failing, 1, *(one.id for one, _ in failing))
    for one, manner in chosen:
        assert one.weapon is not None
        worn_out = manner in WORN and dice.total >= breakdown_number(situation, one.weapon, one.unit)
        untrained = one.ife and not is_qualified(situation, one.unit)
        worn_out = worn_out or (untrained and dice.total == 12)
        number = breakdown_number(situation, one.weapon, one.unit, worn=manner in WORN)
        printed = situation.weapon_card(one.weapon).breakdown
        if number < printed:
            told = {"weapon": one.weapon.id, "unit": one.unit.id, "printed": printed}
            table.find("4.0/weapon-penalties", inputs=told, result=number)
        gone = worn_out or situation.weapon_card(one.weapon).number == "X"
        wreck(table, one.weapon, "4.1/breakdown", removed=gone, dice=dice.pair)
    return [one.id for one, _ in chosen]


def wreck(table: AslskTable, weapon: Weapon, rule: str, *, removed: bool, dice: Sequence[int] = ()) -> None:
    """4.0 A weapon malfunctions, or leaves play."""
    result = "removed" if removed else "malfunctions"
    table.find(rule, inputs={"weapon": weapon.id, "unit": weapon.holder}, dice=dice, result=result)
    vehicle = table.situation.vehicle_of(weapon)
    if removed:
        del table.state.weapons[weapon.id]
        if vehicle is not None and weapon.card.endswith(":ma"):
            recall(table, vehicle)  # 7.2
    else:
        weapon.malfunctioned = True
        weapon.lose_target()
