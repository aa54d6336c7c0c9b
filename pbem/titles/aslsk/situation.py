"""2 A match as the rules see it: the state, or a seat's view of it, together with ground, cards and tables.

1.2      cards, morale, leadership, kinds of unit
3.2.1    lines of sight with Smoke; Known enemies
3.3.1    stacking
5.4      inexperience
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pbem.engine.rules import situation
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.cards.units import Card
from pbem.titles.aslsk.cards.vehicles import VehicleCard
from pbem.titles.aslsk.cards.weapons import GunCard, WeaponCard
from pbem.titles.aslsk.ground.explained_sight import Sight, sight
from pbem.titles.aslsk.ground.terrain import Ground
from pbem.titles.aslsk.state import (
    AslskState,
    Piece,
    Unit,
    Vehicle,
    Weapon,
    enemies_at,
    enemy_vehicles,
    good_order,
    in_melee,
    pieces,
    units_at,
    vehicles_at,
    weapons_of,
)

if TYPE_CHECKING:
    from pbem.titles.aslsk.data_set import AslskData

SMOKE_DRM: Final = {"grenade": 2, "full": 3, "dispersed": 2, "wp": 2, "wp_dispersed": 1}
"""1.2.5 The DRM of one smoke counter."""
MOST_SMOKE: Final = 3
MACHINE_GUNS: Final = ("lmg", "mmg", "hmg")
SQUADS_PER_HEX: Final = 3
LEADERS_PER_HEX: Final = 4


class Situation(situation.Situation["AslskData", AslskState]):
    """The queries about units, weapons and sight that several rules share."""

    def __init__(self, data: AslskData, state: AslskState) -> None:
        super().__init__(data, state)
        self.ground: Ground = data.ground

    # --- 1.2 counters --------------------------------------------------------------------------------------------

    def card(self, unit: Unit) -> Card:
        return self.data.deck.units[unit.card]

    def weapon_card(self, weapon: Weapon) -> WeaponCard:
        return self.data.arms[weapon.card]

    def gun_card(self, weapon: Weapon) -> GunCard | None:
        """1.2.6 The card of a Gun; None for a support weapon."""
        return self.data.deck.guns.get(weapon.card)

    def vehicle_card(self, vehicle: Vehicle) -> VehicleCard:
        return self.data.deck.vehicles[vehicle.card]

    def gun_of(self, unit: Piece) -> Weapon | None:
        """1.2.6 The Gun that a unit mans."""
        return next((weapon for weapon in self.weapons(unit) if weapon.card in self.data.deck.guns), None)

    def is_leader(self, unit: Piece) -> bool:
        return isinstance(unit, Unit) and self.card(unit).kind == "leader"

    def is_mmc(self, unit: Piece) -> bool:
        return isinstance(unit, Unit) and self.card(unit).kind != "leader"

    def is_squad(self, unit: Piece) -> bool:
        return isinstance(unit, Unit) and self.card(unit).kind == "squad"

    def morale(self, unit: Unit) -> int:
        """1.2.3 The morale on the counter's visible side; one less for a wounded leader (3.2.3/wounds)."""
        card = self.card(unit)
        return (card.broken if unit.broken else card.morale) - unit.wounded

    def leadership(self, unit: Unit) -> int:
        """1.2.1 A leader's DRM; one worse if wounded (3.2.3/wounds)."""
        return self.card(unit).leadership + unit.wounded

    def name(self, unit: Piece) -> str:
        return self.card(unit).name if isinstance(unit, Unit) else self.vehicle_card(unit).name

    def elr(self, unit: Unit) -> int:
        """5.1 The Experience Level Rating of the group that a unit belongs to."""
        return self.data.elr(unit.group, unit.seat)

    def other(self, seat: str) -> str:
        first, second = self.data.seats
        return second if seat == first else first

    def is_attacker(self, unit: Piece) -> bool:
        return unit.seat == self.state.attacker

    def is_attacker_seat(self, seat: str) -> bool:
        return seat == self.state.attacker

    # --- status --------------------------------------------------------------------------------------------------

    def good_order(self, unit: Piece) -> bool:
        return good_order(self.state, unit)

    def in_melee(self, unit: Piece) -> bool:
        return in_melee(self.state, unit)

    def leads(self, unit: Unit) -> bool:
        """1.2.1 Whether a leader may apply leadership, which requires Good Order and no Pin."""
        return self.is_leader(unit) and self.good_order(unit) and not unit.pinned and bool(unit.at)

    def leaders_with(self, unit: Unit) -> list[Unit]:
        """Other leaders of the same side in the unit's hex who may apply leadership."""
        return [one for one in units_at(self.state, unit.at, unit.seat) if one.id != unit.id and self.leads(one)]

    def is_inexperienced(self, unit: Piece) -> bool:
        """5.4 Whether a unit is inexperienced: a Conscript MMC, or a Green MMC without a Good Order leader in its
        hex.
        """
        if isinstance(unit, Vehicle):
            return False
        card = self.card(unit)
        if card.kind == "leader" or card.class_ not in ("green", "conscript"):
            return False
        if card.class_ == "conscript":
            return True
        stack = units_at(self.state, unit.at, unit.seat)
        return not any(self.is_leader(one) and self.good_order(one) for one in stack)

    def weapons(self, unit: Piece) -> list[Weapon]:
        return weapons_of(self.state, unit.id)

    def is_captured(self, weapon: Weapon) -> bool:
        """5.5 Whether a weapon is held by another nation."""
        holder = self.state.units.get(weapon.holder)
        return holder is not None and self.card(holder).nation != self.weapon_card(weapon).nation

    def is_machine_gun(self, weapon: Weapon) -> bool:
        return self.weapon_card(weapon).kind in MACHINE_GUNS

    def ife_of(self, weapon: Weapon) -> int:
        """6.8 The Infantry Firepower Equivalent of a Gun or main armament, or 0."""
        gun = self.data.deck.guns.get(weapon.card)
        if gun is not None:
            return gun.ife
        card, _, kind = weapon.card.partition(":")
        return self.data.deck.vehicles[card].ife if kind == "ma" else 0

    def is_main(self, weapon: Weapon | None) -> bool:
        """7.2 Whether a weapon is the main armament of a vehicle; a machine gun may be the main armament too."""
        card, _, kind = weapon.card.partition(":") if weapon is not None else ("", "", "")
        return bool(kind) and self.data.deck.vehicles[card].main == kind  # def/ma

    def vehicle_of(self, weapon: Weapon) -> Vehicle | None:
        """7.2 The vehicle that carries a weapon."""
        return self.state.vehicles.get(weapon.holder)

    # --- 3.2.1 sight ---------------------------------------------------------------------------------------------

    def smoke_in(self, hex: str) -> int:
        """1.2.5 The Smoke DRM of a hex, at most +3."""
        return min(MOST_SMOKE, sum(SMOKE_DRM[smoke.kind] for smoke in self.state.smoke.get(hex, ())))

    @cached_property
    def smoke(self) -> dict[str, int]:
        return {hex: drm for hex in self.state.smoke if (drm := self.smoke_in(hex))}

    def sight(self, start: str, end: str) -> Sight:
        """3.2.1 The line of sight between two hexes, including all Smoke, and AFVs and wrecks that give cover."""
        if not self.state.smoke and not self.state.vehicles and not self.state.wrecks:
            return self.ground.sight(start, end)
        smoke = {hex: self.smoke_in(hex) for hex in self.state.smoke}
        return sight(self.ground, start, end, smoke, self.standing())

    def standing(self) -> set[str]:
        """7.4, 7.4.1 The hexes with an AFV or wreck that gives cover because it has not moved in this player turn."""
        found = {one.at for one in self.state.vehicles.values() if one.at and not self.is_moving(one)}
        return found | {wreck.at for wreck in self.state.wrecks if not wreck.moved}

    def is_moving(self, vehicle: Vehicle) -> bool:
        """7.4 Whether an AFV is moving, has moved in this player turn, or is in Motion."""
        return vehicle.moving or vehicle.motion or not vehicle.stopped

    def vehicles_at(self, hex: str, seat: str = "") -> list[Vehicle]:
        return vehicles_at(self.state, hex, seat)

    def enemy_vehicles(self, hex: str, seat: str) -> list[Vehicle]:
        return enemy_vehicles(self.state, hex, seat)

    def sees(self, start: str, end: str) -> bool:
        """3.2.1 Whether there is a line of sight; units off the board see nothing."""
        return bool(start) and bool(end) and self.ground.sees(start, end)

    def known_enemies(self, unit: Unit, hex: str = "") -> Iterator[Unit]:
        """2 def/known-enemy-unit The Known enemies of a unit: those to which it has a line of sight."""
        place = hex or unit.at
        seen: dict[str, bool] = {}
        for enemy in self.state.units.values():
            if enemy.seat != unit.seat and enemy.at and not enemy.hidden:
                if enemy.at not in seen:
                    seen[enemy.at] = self.sees(place, enemy.at)
                if seen[enemy.at]:
                    yield enemy

    def known_pieces(self, unit: Piece) -> Iterator[Piece]:
        """2 def/known-enemy-unit The enemy units and vehicles to which a unit or vehicle has a line of sight."""
        for enemy in pieces(self.state):
            if enemy.seat != unit.seat and enemy.at and not enemy.hidden and self.sees(unit.at, enemy.at):
                yield enemy

    def enemies_at(self, hex: str, seat: str) -> list[Unit]:
        return enemies_at(self.state, hex, seat)

    def near_known_enemy(self, unit: Unit, *, unbroken: bool) -> bool:
        """3.1, 3.6 Whether a Known enemy is in the unit's hex or an adjacent one; hidden units do not count."""
        if any(
            self.ground.distance(unit.at, one.at) <= 1
            for one in self.state.vehicles.values()
            if one.seat != unit.seat and one.at
        ):
            return True
        return any(
            unit.at in (enemy.at, *self.ground.neighbours(enemy.at))
            for enemy in self.state.units.values()
            if enemy.seat != unit.seat and enemy.at and not enemy.hidden and not (unbroken and enemy.broken)
        )

    # --- 3.3.1 stacking ------------------------------------------------------------------------------------------

    def squad_equivalents(self, units: list[Unit]) -> Fraction:
        """2 def/squad-equivalent The number of squads that units count as: half-squads and crews are half a squad,
        or a whole one if they man a Gun.
        """
        return Fraction(sum(self.squad_halves(one) for one in units), 2)

    def squad_halves(self, unit: Unit) -> int:
        kind = self.card(unit).kind
        if kind in ("squad", "leader"):
            return 2 if kind == "squad" else 0
        return 2 if self.gun_of(unit) is not None else 1

    def has_room(self, hex: str, seat: str, coming: list[Unit]) -> bool:
        """3.3.1/stacking Whether units fit in a hex: three squad equivalents and four leaders per side."""
        ids = {one.id for one in coming}
        units = [one for one in units_at(self.state, hex, seat) if one.id not in ids] + coming
        leaders = sum(self.is_leader(one) for one in units)
        return self.squad_equivalents(units) <= SQUADS_PER_HEX and leaders <= LEADERS_PER_HEX

    def room_objections(self, hex: str, seat: str, coming: list[Unit]) -> Iterator[Objection]:
        """3.3.1/stacking The reasons why units do not fit in a hex, with the numbers."""
        if self.has_room(hex, seat, coming):
            return
        yield Objection("3.3.1/stacking", say("there is no room in {hex}", hex=hex))
        ids = {one.id for one in coming}
        units = [one for one in units_at(self.state, hex, seat) if one.id not in ids] + coming
        squads, leaders = self.squad_equivalents(units), sum(self.is_leader(one) for one in units)
        whole, half = divmod(squads.numerator * 2 // squads.denominator, 2)
        if squads > SQUADS_PER_HEX:
            rest = ".5" if half else ""
            yield Objection(
                "def/squad-equivalent",
                say("{hex} would hold {whole}{rest} squad equivalents", whole=whole, rest=rest, hex=hex),
            )
        yield Objection(
            "def/stacking-limits",
            say(
                "a hex holds at most {squads_per_hex} squads and {leaders_per_hex} leaders ({leaders} "
                "would be there)",
                squads_per_hex=SQUADS_PER_HEX,
                leaders_per_hex=LEADERS_PER_HEX,
                leaders=leaders,
            ),
        )
