"""3.2.2, 4.0 Components of an attack: the inherent FP of a unit, or a weapon that it possesses.

3.2.2    Component, Attack: a declaration
11 B     Manner: the way in which a component fires in the present phase, by its marker
3.3.3    targets_in: the units that an attack on a hex affects
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Piece, Unit, Vehicle, Weapon, open_units_at, piece_of

Manner: TypeAlias = Literal["", "normal", "subsequent", "protective", "marked", "advancing", "bounding"]
"""11 B How a component fires: normally, as SFF, as FPF, marked in the DFPh, in the AFPh, or in its own MPh."""
IFE = "ife"
"""6.8 The suffix of the id under which a Gun or main armament fires on the fire table."""


class Attack(msgspec.Struct, frozen=True, omit_defaults=True):
    """3.2.2 A declared attack: components by id (a unit's id is its inherent FP), target hex, directing leaders.

    A leader among the components helps another leader to fire an MG (4.1).
    """

    components: tuple[str, ...]
    at: str
    leaders: tuple[str, ...] = ()
    how: str = ""  # ordnance: area, smoke, WP, AP, HE, H, A or D; also pf, motion, device, reaction
    intensive: bool = False  # 3.2.4/intensive-fire
    target: str = ""  # 3.2.4/vtt the vehicle that is fired at
    anyway: bool = False  # 6.4 also at a hex without a Known enemy
    blast: bool = False  # 4.4.3 backblast instead of the DRM
    unmarked: bool = False  # 6.10 no acquisition marker is placed
    once: bool = False  # 1.2.4.1 do not fire again with a rate of fire that was kept
    facing: int = -1  # 3.3.2.1 the hexspine that a vehicle faces if it gets into Motion


class Component(msgspec.Struct, frozen=True):
    """A single firer: a unit's inherent FP or one weapon."""

    id: str
    unit: Piece
    weapon: Weapon | None = None
    ife: bool = False  # 6.8 it fires directly on the fire table

    @property
    def hex(self) -> str:
        return self.unit.at

    @property
    def arm(self) -> str:
        """3.3.3/shot-limit The id of the firer: the weapon (whether it fires shells or by IFE), or the unit."""
        return self.weapon.id if self.weapon is not None else self.id

    @property
    def marker(self) -> str:
        return self.weapon.fired if self.weapon is not None else self.unit.fired


def component(situation: Situation, id: str) -> Component | None:
    """The component with this id, if it is in play and on the board."""
    state = situation.state
    unit = piece_of(state, id)
    if unit is not None:
        return Component(id, unit) if unit.at else None
    weapon = state.weapons.get(id) or direct_weapon(situation, id)
    holder = piece_of(state, weapon.holder) if weapon is not None else None
    if weapon is None or holder is None or not holder.at:
        return None
    return Component(id, holder, weapon, ife=id != weapon.id)


def direct_weapon(situation: Situation, id: str) -> Weapon | None:
    """6.8 The Gun or main armament that fires by IFE under this id."""
    if not id.endswith(IFE):
        return None
    weapons, stem = situation.state.weapons, id.removesuffix(IFE)
    weapon = weapons.get(stem) or weapons.get(f"{stem}ma")
    return weapon if weapon is not None and situation.ife_of(weapon) else None


def components(situation: Situation, ids: Iterable[str]) -> list[Component]:
    return [found for id in ids if (found := component(situation, id)) is not None]


def firing(situation: Situation, attack: Attack) -> list[Component]:
    """The components of an attack that have FP of their own, without leaders who only help with an MG."""
    return [one for one in components(situation, attack.components) if not is_second_man(situation, one)]


def is_second_man(situation: Situation, one: Component) -> bool:
    return one.weapon is None and (situation.is_leader(one.unit) or isinstance(one.unit, Vehicle))


def seconds(situation: Situation, attack: Attack) -> list[Unit]:
    """4.1, 4.4.1, 4.5 Leaders who help another leader to fire a weapon."""
    units = situation.state.units
    return [units[id] for id in attack.components if id in units and situation.is_leader(units[id])]


def vehicle_manner(situation: Situation, one: Component, vehicle: Vehicle) -> Manner:
    """7.8 The manner in which a vehicle weapon may fire. It may do so in only one phase of a player turn; for the
    DEFENDER, the MPh and DFPh count as one phase.
    """
    state, first = situation.state, vehicle.fired_in
    if situation.is_attacker(vehicle):
        if one.marker or one.weapon is None:
            return ""
        if state.phase == "prep":
            return "" if vehicle.motion or first not in ("", "prep") else "normal"
        if state.phase == "movement":
            mover = state.mover
            return "bounding" if mover is not None and vehicle.id in mover.stack and first != "prep" else ""
        if state.phase != "advancing" or first == "prep":
            return ""
        only_main = situation.is_main(one.weapon) and vehicle.used == [one.weapon.id]
        return "advancing" if first in ("", "advancing") or only_main else ""
    if one.weapon is None or state.phase not in ("movement", "defensive"):
        return ""
    if not one.marker:
        return "normal"
    second: dict[tuple[str, str], Manner] = {
        ("movement", "first"): "subsequent",
        ("movement", "final"): "protective",
        ("defensive", "first"): "marked",
    }
    return second.get((state.phase, one.marker), "") if one.ife else ""


def manner_of(situation: Situation, one: Component) -> Manner:
    """11 B The manner in which a component may fire in this phase, by its marker; "" if it may not."""
    if isinstance(one.unit, Vehicle):
        return vehicle_manner(situation, one, one.unit)
    phase, marker = situation.state.phase, one.marker
    own_turn = situation.is_attacker(one.unit)
    if phase == "prep":
        return "normal" if own_turn and not marker else ""
    if phase == "advancing":
        return "advancing" if own_turn and not marker else ""
    if own_turn:
        return ""
    if phase == "movement":
        if one.weapon is None and has_given_up(situation, one.unit):
            return "protective" if marker == "final" else "subsequent"  # 4.0/weapon-usage only as second fire
        found: dict[str, Manner] = {"": "normal", "first": "subsequent", "final": "protective"}
        return found.get(marker, "")
    if phase == "defensive":
        late: dict[str, Manner] = {"": "normal", "first": "marked"}
        return late.get(marker, "")
    return ""


def has_given_up(situation: Situation, unit: Unit) -> bool:
    """4.0/weapon-usage Whether a unit can no longer use its inherent FP normally in this player turn, because a squad
    has fired two weapons, or another MMC has fired one, and a weapon has lost its rate of fire.
    """
    weapons = situation.state.weapons
    spent = any(id not in weapons or weapons[id].fired for id in unit.used)
    return spent and (unit.gave_up or (situation.is_mmc(unit) and not situation.is_squad(unit)))


def targets_in(situation: Situation, seat: str, hex: str) -> list[Unit]:
    """3.2, 3.3.3 The units that an attack on a hex affects; in the MPh these are only the units that moved there
    together.

    Fire at a Melee hex hits both sides (3.8/melee).
    """
    state = situation.state
    enemies = situation.enemies_at(hex, seat)
    if state.phase == "movement" and seat != state.attacker:
        return [unit for unit in enemies if state.mover is not None and unit.id in state.mover.stack]
    return open_units_at(state, hex) if hex in state.melee else enemies
