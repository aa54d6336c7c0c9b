"""3.2.2, 4.0 Components of an attack: the inherent FP of a unit, or a weapon that it possesses.

3.2.2    Component, Attack: a declaration
11 B     Manner: the way in which a component fires in the present phase, by its marker
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Unit, Weapon

Manner: TypeAlias = Literal["", "normal", "subsequent", "protective", "marked", "advancing"]
"""11 B How a component fires: normally, as SFF, as FPF, in the DFPh under a marker, in the AFPh; or not."""


class Attack(msgspec.Struct, frozen=True, omit_defaults=True):
    """3.2.2 A declared attack: components by id (a unit is its inherent FP), the target hex, the directing leaders.

    A leader among the components is the second man at the MG of another leader (4.1).
    """

    components: tuple[str, ...]
    at: str
    leaders: tuple[str, ...] = ()
    how: str = ""  # ordnance: area, smoke, WP, AP or H instead of the usual target type and ammunition
    intensive: bool = False  # 3.2.4/intensive-fire


class Component(msgspec.Struct, frozen=True):
    """One thing that fires."""

    id: str
    unit: Unit
    weapon: Weapon | None = None

    @property
    def hex(self) -> str:
        return self.unit.at

    @property
    def marker(self) -> str:
        return self.weapon.fired if self.weapon is not None else self.unit.fired


def component(situation: Situation, id: str) -> Component | None:
    """The component of an id, if it is in play and on the board."""
    state = situation.state
    if id in state.units:
        unit = state.units[id]
        return Component(id, unit) if unit.at else None
    weapon = state.weapons.get(id)
    holder = state.units.get(weapon.holder) if weapon is not None else None
    return Component(id, holder, weapon) if weapon is not None and holder is not None and holder.at else None


def components(situation: Situation, ids: Iterable[str]) -> list[Component]:
    return [found for id in ids if (found := component(situation, id)) is not None]


def firing(situation: Situation, attack: Attack) -> list[Component]:
    """The components of an attack that have FP of their own: not the second man at a leader's MG."""
    return [one for one in components(situation, attack.components) if not is_second_man(situation, one)]


def is_second_man(situation: Situation, one: Component) -> bool:
    return one.weapon is None and situation.is_leader(one.unit)


def manner_of(situation: Situation, one: Component) -> Manner:
    """11 B The manner in which a component may fire in this phase, by its marker; "" if it may not."""
    phase, marker = situation.state.phase, one.marker
    own_turn = situation.is_attacker(one.unit)
    if phase == "prep":
        return "normal" if own_turn and not marker else ""
    if phase == "advancing":
        return "advancing" if own_turn and not marker else ""
    if own_turn:
        return ""
    if phase == "movement":
        found: dict[str, Manner] = {"": "normal", "first": "subsequent", "final": "protective"}
        return found.get(marker, "")
    if phase == "defensive":
        late: dict[str, Manner] = {"": "normal", "first": "marked"}
        return late.get(marker, "")
    return ""


def is_protective(situation: Situation, one: Component) -> bool:
    """3.3.3/fpf A unit marked Final Fire fires as FPF with everything it has."""
    return situation.state.phase == "movement" and one.unit.fired == "final"
