"""5.1, 5.2, 6.5 A unit's weapons: vehicle mounts, towed guns, small arms and attached weapons.

    5.1.1        most_weapons: how many weapons a unit fires at once (also 5.1.2, 5.14)
    5.1.3        attached_weapons, upstairs_objections, transported_objections
    5.6          Armament.minimum
    5.7          Armament.small_arms
    5.16.1       Armament.hows: basic and special ammunition
    6.5          weapons_of, Armament, is_armed
    7.17         weapons_left, has_weapon

A weapon is named by its number in `weapons_of`: the mounts of a vehicle in the order of its card; 0 for a towed gun;
0 for the small arms of a leg unit and 1, 2 … for the weapons attached to it. A weapon that is lost (7.17) leaves its
number empty, so that a number means the same weapon all through the match.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.advanced_cards import AdvancedCards, Mount
from pbem.titles.panzer.cards.basic_rows import IntCell, RangeFactor
from pbem.titles.panzer.cards.card_rows import (
    AirRow,
    Ammo,
    AttachedWeapon,
    EffectCell,
    FireRow,
    Gun,
    LegCard,
    Letter,
    TowedCard,
)
from pbem.titles.panzer.cards.cards import RowCell, Weapon
from pbem.titles.panzer.cards.chart_rows import RateOfFire
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.state import Inside, Unit

TURRETS: Final = (1, 2, 3)
"""4.4.3.1.1 The ratings of turrets."""
ArmamentKind = Literal["gun", "small_arms", "mortar", "hmg", "atr", "hand_held", "flamethrower"]
How = str
"""A way of firing: `ap`, `ap:APCR` and similar, `gp` or `smoke`."""

SMALL_ARMS: Final = 0
"""5.1.1 The index of the small arms among a leg unit's weapons."""
FROM_VEHICLES: Final[tuple[ArmamentKind, ...]] = ("small_arms", "atr")
"""6.6.7.2 The weapons that passengers may fire."""
NOT_UPSTAIRS: Final[tuple[ArmamentKind, ...]] = ("mortar", "hand_held")
"""5.1.3.1, 5.1.3.4 The weapons that cannot fire from an upper floor."""
PARAGRAPHS: Final[dict[ArmamentKind, str]] = {
    "mortar": "5.1.3.1",
    "hmg": "5.1.3.2",
    "atr": "5.1.3.3",
    "hand_held": "5.1.3.4",
    "flamethrower": "5.1.3.5",
}
"""5.1.3 The paragraph of each kind of attached weapon."""


class Armament(msgspec.Struct, frozen=True, kw_only=True):
    """6.5 One weapon of a unit. `weapon` has the basic AP row (if any) and the field of fire.

    `dual`: 5.14 its fire is modified if the unit fires another weapon as well. `fixed`: 5.1.3.4 its GP factor is the
    same at all ranges and applies only to leg and towed units.
    """

    index: int
    name: str
    kind: ArmamentKind
    weapon: Weapon
    rate: RateOfFire = "N"
    energy: Literal["KE", "CE"] = "KE"
    gp: FireRow | None = None
    indirect: FireRow | None = None
    aa: AirRow | None = None
    ammo: tuple[Ammo, ...] = ()
    limits: dict[Letter, int] = {}
    minimum: int = 1
    """5.6 The minimum range for any kind of fire."""
    dual: bool = False
    small_arms: bool = False
    smoke: bool = False
    limited: bool = False
    fixed: bool = False
    attached: bool = False
    lost: bool = False
    """7.17 Whether the weapon is lost; the numbers of the others do not change."""

    @property
    def fires_ap(self) -> bool:
        """6.5.2 Whether the weapon has an AP row for any ammunition."""
        return self.weapon.has_ap or bool(self.ammo)

    @property
    def fires(self) -> bool:
        """6.5 Whether the weapon can fire directly; an attached flamethrower cannot (5.1.3.5)."""
        return self.fires_ap or self.gp is not None

    @property
    def hows(self) -> tuple[How, ...]:
        """6.5 The ways to fire the weapon directly: basic AP, special AP, GP, smoke."""
        basic = ("ap",) if self.weapon.has_ap else ()
        special = (f"ap:{ammo.type}" for ammo in self.ammo)
        gp = ("gp",) if self.gp else ()
        return (*basic, *special, *gp, *(("smoke",) if self.smoke and self.gp else ()))

    def ammo_of(self, how: How) -> Ammo | None:
        """5.16.1 The special ammunition for a way of firing; None for basic ammunition."""
        return next((ammo for ammo in self.ammo if how == f"ap:{ammo.type}"), None)

    def with_ammo(self, how: How) -> Weapon:
        """4.4.3.2.1 The weapon with the AP row of the ammunition used."""
        ammo = self.ammo_of(how)
        if ammo is None:
            return self.weapon
        return msgspec.structs.replace(self.weapon, ranges=ammo.ranges.value, penetration=ammo.penetration.value)

    def gp_at(self, distance: int) -> tuple[RangeFactor, int] | None:
        """6.5.4.1 Range factor and GP factor of direct fire at a distance; None if that is out of range."""
        return self.gp.factor_at(distance) if self.gp and distance else None

    def ap_ranges(self, how: How) -> tuple[int, ...]:
        """4.4.3.2.1 The R row of the ammunition used."""
        ammo = self.ammo_of(how)
        return ammo.ranges.value if ammo else self.weapon.ranges

    def reach(self, how: How) -> int:
        """3.5.2 The maximum range for a way of firing; 0 if it is not possible."""
        if how.startswith("ap"):
            return max(self.ap_ranges(how), default=0)
        return max(self.gp.ranges.value) if self.gp else 0


def weapons_of(data: PanzerData, unit: Unit) -> tuple[Armament, ...]:
    """6.5 A unit's weapons. Suppressed leg units (5.1.1) and locked turrets fire only to the front."""
    front = unit.suppressed if unit.kind == "leg" else "turret-locked" in unit.flags
    key = unit.card, unit.weapons, front
    known = _cached_arsenal(data.book).weapons
    if key not in known:
        known[key] = _armaments(data.book, unit, front)
    return known[key]


def weapons_left(data: PanzerData, unit: Unit) -> tuple[Armament, ...]:
    """7.17 The weapons that a unit still has, each with its number."""
    return tuple(arm for arm in weapons_of(data, unit) if not arm.lost)


def has_weapon(data: PanzerData, unit: Unit, number: int) -> bool:
    """3.5, 7.17 Whether the unit has a weapon with this number, and has not lost it."""
    return any(arm.index == number for arm in weapons_left(data, unit))


def is_armed(data: PanzerData, unit: Unit) -> bool:
    """4.1.1 Whether the unit has a weapon capable of any kind of fire (in the basic game, any weapon)."""
    if data.basic:
        return bool(weapons_of(data, unit))
    key = unit.card, unit.weapons
    known = _cached_arsenal(data.book).armed
    if key not in known:
        known[key] = any(arm.fires or arm.indirect or arm.aa for arm in weapons_of(data, unit))
    return known[key]


def most_weapons(data: PanzerData, unit: Unit) -> int:
    """5.1.1, 5.1.2, 5.14 How many weapons a unit may fire at once: one if suppressed or a section, otherwise all."""
    section = unit.kind == "leg" and data.leg(unit).size == "section"
    if section or unit.suppressed or not data.plays("dual_fire"):
        return 1
    return len(weapons_left(data, unit))


def transported_objections(arm: Armament) -> Iterator[Objection]:
    """5.1.3, 6.6.7.2 Object to weapons that passengers cannot fire."""
    if arm.kind not in FROM_VEHICLES:
        rule = PARAGRAPHS.get(arm.kind, "6.6.7.2")
        yield Objection(rule, say("the unit's {arm} cannot be fired by passengers of a vehicle", arm=arm.name))


def upstairs_objections(data: PanzerData, unit: Unit, arm: Armament) -> Iterator[Objection]:
    """5.1.3.1, 5.1.3.4 Object to mortars and hand-held weapons on upper floors, except on desert roofs."""
    if unit.inside is Inside.UP and arm.kind in NOT_UPSTAIRS and not data.scenario.desert_buildings:
        yield Objection(
            PARAGRAPHS[arm.kind], say("the unit's {arm} cannot be fired from an upper floor", arm=arm.name)
        )


def attached_weapons(data: PanzerData, unit: Unit) -> Finding:
    """5.1.3 A leg unit's crew-served weapons: how each fires, and whether it can from a vehicle or upper floor."""
    arms = [arm for arm in weapons_left(data, unit) if arm.attached]
    children = tuple(
        Finding(
            PARAGRAPHS[arm.kind],
            inputs={
                "weapon": arm.name,
                "in_vehicles": arm.kind in FROM_VEHICLES,
                "upstairs": arm.kind not in NOT_UPSTAIRS,
                "indirect": arm.indirect is not None,
                "small_arms": arm.small_arms,
            },
            result=list(arm.hows),
        )
        for arm in arms
    )
    return Finding("5.1.3", inputs={"unit": unit.id}, result=[arm.name for arm in arms], children=children)


# --- the weapons of each kind of unit ----------------------------------------------------------------------------


class Arsenal:
    """The cached weapons of a card book: units of one card with the same attachments share them.

    `weapons` are by card, attachments and whether they fire only to the front; `armed` says whether any can fire.
    """

    def __init__(self, book: AdvancedCards) -> None:
        self.book = book
        self.weapons: dict[tuple[str, tuple[str, ...], bool], tuple[Armament, ...]] = {}
        self.armed: dict[tuple[str, tuple[str, ...]], bool] = {}


_arsenals: dict[int, Arsenal] = {}


def _cached_arsenal(book: AdvancedCards) -> Arsenal:
    """The arsenal of this card book."""
    held = _arsenals.get(id(book))
    if held is None:
        if len(_arsenals) >= 32:
            _arsenals.pop(next(iter(_arsenals)), None)  # another thread may have been faster
        held = _arsenals.setdefault(id(book), Arsenal(book))
    return held


def _armaments(book: AdvancedCards, unit: Unit, front: bool) -> tuple[Armament, ...]:
    if unit.kind == "vehicle":
        mounts = book.vehicles[unit.card].mounts
        return tuple(_mounted_arm(index, mount, front) for index, mount in enumerate(mounts))
    if unit.kind == "towed":
        return (_towed_arm(book, book.towed[unit.card]),)
    rest = (
        _attached_arm(index, book.attached[name], front) if name else _lost_arm(index)
        for index, name in enumerate(unit.weapons, start=1)
    )
    return (_small_arms(book.legs[unit.card], front), *rest)


def _mounted_arm(index: int, mount: Mount, locked: bool) -> Armament:
    """6.5 A vehicle's weapon; with a locked turret it points ahead."""
    gun = mount.gun
    turreted = mount.weapon.turret in TURRETS
    weapon = msgspec.structs.replace(mount.weapon, turret=0, field="front") if locked and turreted else mount.weapon
    return Armament(
        index=index,
        name=mount.weapon.name,
        kind="mortar" if gun.mortar else "gun",
        weapon=weapon,
        rate=mount.rate,
        gp=gun.gp,
        indirect=gun.indirect,
        aa=gun.aa,
        ammo=gun.ammo,
        limits=mount.limits,
        minimum=gun.minimum.value,
        dual=mount.dual,
        small_arms=_is_small(gun),
        smoke=gun.smoke,
        limited=mount.limited,
    )


def _towed_arm(book: AdvancedCards, card: TowedCard) -> Armament:
    """5.2 A towed unit's gun, which fires to its front."""
    gun = book.guns[card.gun]
    return Armament(
        index=0,
        name=gun.id,
        kind="gun",
        weapon=_front_weapon(book, gun),
        rate=card.rate.value,
        gp=gun.gp,
        indirect=gun.indirect,
        aa=gun.aa,
        ammo=gun.ammo,
        limits={letter: cell.value for letter, cell in card.limits.items()},
        minimum=gun.minimum.value,
        small_arms=_is_small(gun),
        smoke=gun.smoke,
    )


def _front_weapon(book: AdvancedCards, gun: Gun) -> Weapon:
    """5.2 A gun's AP row, its own or a vehicle's, with a front field of fire."""
    if gun.ranges and gun.penetration:
        return Weapon(gun.id, 0, "front", gun.ranges.value, gun.penetration.value, gun.sources)
    mounts = (mount.weapon for card in book.vehicles.values() for mount in card.mounts)
    printed = next((weapon for weapon in mounts if weapon.name == gun.id), None)
    if printed is None:
        return Weapon(gun.id, 0, "front", (), (), gun.sources)
    return msgspec.structs.replace(printed, turret=0, field="front")


def _is_small(gun: Gun) -> bool:
    """5.7 Whether a gun counts as small arms, by the card's notes or the effectiveness of its GP row."""
    return gun.small_arms or bool(gun.gp and gun.gp.small_arms)


def _leg_weapon(name: str, front: bool, ranges: tuple[int, ...] = (), penetration: tuple[int, ...] = ()) -> Weapon:
    """5.1.1 A leg unit's weapon, firing all round or to the front."""
    return Weapon(name, 0 if front else 360, "front" if front else "all", ranges, penetration)


def _small_arms(card: LegCard, front: bool) -> Armament:
    """5.1.1 A leg unit's inherent GP weapon."""
    weapon = _leg_weapon("small arms", front)
    return Armament(index=0, name="small arms", kind="small_arms", weapon=weapon, gp=card.gp, small_arms=True)


def _attached_arm(index: int, row: AttachedWeapon, front: bool) -> Armament:
    """5.1.3 A crew-served weapon; the dual-fire modifier applies to it (5.14)."""
    ranges = row.ap.ranges.value if row.ap else ()
    penetration = row.ap.penetration.value if row.ap else ()
    return Armament(
        index=index,
        name=row.name,
        kind=row.kind,
        weapon=_leg_weapon(row.name, front, ranges, penetration),
        energy=row.ap.energy if row.ap else "KE",
        gp=_fixed_row(row, row.fixed_gp) if row.fixed_gp else row.gp,
        indirect=row.indirect,
        limits={letter: cell.value for letter, cell in row.limits.items()},
        minimum=row.minimum.value,
        dual=True,
        small_arms=row.small_arms,
        smoke=row.smoke.value,
        fixed=row.fixed_gp is not None,
        attached=True,
    )


def _lost_arm(index: int) -> Armament:
    """7.17 The place of a weapon that was lost: nothing can be fired with it."""
    return Armament(index=index, name="", kind="small_arms", weapon=_leg_weapon("", False), attached=True, lost=True)


def _fixed_row(row: AttachedWeapon, factor: IntCell) -> FireRow:
    """5.1.3.4 The same factor at all ranges of the AP row."""
    assert row.ap is not None  # hand-held weapons have an AP row
    value = factor.value
    factors = RowCell((value, value, value, value, value), factor.source)
    effect = EffectCell(0, "rulebook L1342-1352, never against vehicles")
    return FireRow(ranges=row.ap.ranges, factors=factors, effectiveness=effect)
