"""6.10, 6.11 Acquired targets: each weapon's marker is on units, and moves with them, or on a hex.

6.10    level_of, acquire, follow, lose_by_machine_gun
6.11    area acquisition stays on its hex
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.titles.aslsk.fire.components import Attack, Component
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Vehicle, Weapon, piece_of
from pbem.titles.aslsk.tabletop import AslskTable

MOST: Final = 2
"""6.10 The maximum acquisition: -2."""


def quarry_of(situation: Situation, weapon: Weapon) -> list[Piece]:
    """6.10 The units under a weapon's acquisition marker that are still in play."""
    found = [piece_of(situation.state, id) for id in weapon.quarry]
    return [piece for piece in found if piece is not None and piece.at]


def level_of(situation: Situation, weapon: Weapon, attack: Attack) -> int:
    """6.10 The acquisition level for an attack, if the acquired target is in the hex or the hex itself is acquired.

    The marker counts against every Known enemy in its target's hex, except another vehicle, which is a new target.
    """
    if not weapon.acquisition:
        return 0
    quarry = quarry_of(situation, weapon)
    if weapon.zone or not quarry:
        return weapon.acquisition if weapon.acquired == attack.at else 0
    here = [piece for piece in quarry if piece.at == attack.at]
    vehicles = [piece.id for piece in here if isinstance(piece, Vehicle)]
    if not here or (attack.target and vehicles and attack.target not in vehicles):
        return 0
    return weapon.acquisition


def acquire(table: AslskTable, one: Component, attack: Attack, units: Sequence[Piece], *, area: bool) -> None:
    """6.10, 6.11 After a shot, add a level on the same target, or place the first level on a new one."""
    weapon = one.weapon
    assert weapon is not None
    level = level_of(table.situation, weapon, attack)
    weapon.acquired, weapon.zone = attack.at, area
    weapon.acquisition = min(MOST, level + 1)
    weapon.quarry = [] if area else [piece.id for piece in units if not piece.hidden]
    rule = "6.11" if area else "6.10"
    meaning = Finding("def/acquired-target", inputs={"weapon": one.id}, result=list(weapon.quarry) or attack.at)
    about = {"weapon": one.id, "at": attack.at}
    table.find(rule, inputs=about, result=-weapon.acquisition, children=[meaning])


def follow(table: AslskTable, moved: Sequence[Piece], start: str) -> None:
    """6.10 Let a marker follow its target while the weapon sees it; otherwise the last hex in sight stays acquired.

    If a stack splits, the units that stay keep the marker. The next enemy to enter an acquired hex becomes the
    target.
    """
    situation, ids = table.situation, {piece.id for piece in moved}
    if not moved or not moved[0].at:
        return
    seat, to = moved[0].seat, moved[0].at
    for weapon in table.state.weapons.values():
        holder = piece_of(table.state, weapon.holder) if weapon.acquisition and not weapon.zone else None
        if holder is None or holder.seat == seat or not holder.at:
            continue
        quarry = [piece.id for piece in quarry_of(situation, weapon)]
        if not quarry:
            if weapon.acquired == to and situation.sees(holder.at, to):
                shift(table, weapon, to, [piece.id for piece in moved if not piece.hidden])
        elif ids & set(quarry):
            stayed = [id for id in quarry if id not in ids]
            if stayed:
                weapon.quarry = stayed
            elif situation.sees(holder.at, to):
                shift(table, weapon, to, quarry)
            else:
                weapon.acquired, weapon.quarry = start or weapon.acquired, []


def shift(table: AslskTable, weapon: Weapon, to: str, quarry: list[str]) -> None:
    """6.10 Move a weapon's acquisition marker to a hex, onto these units."""
    weapon.acquired, weapon.quarry = to, quarry
    meaning = Finding("def/acquired-target", inputs={"weapon": weapon.id}, result=list(quarry))
    about = {"weapon": weapon.id, "at": to, "follows": quarry}
    table.find("6.10", inputs=about, result=-weapon.acquisition, children=[meaning])


def lose_by_machine_gun(situation: Situation, one: Component, at: str, *, turns: bool) -> None:
    """6.10 Remove a vehicle's acquired target if its CMG, an MG that is its main armament, or an MG that turns it
    fires at another hex.
    """
    if one.weapon is None:
        return
    for weapon in situation.weapons(one.unit):
        fires = weapon is one.weapon or one.weapon.card.endswith(":cmg") or turns
        if fires and situation.is_main(weapon) and not level_of(situation, weapon, Attack((weapon.id,), at)):
            weapon.lose_target()
