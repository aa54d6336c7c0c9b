"""1.6, 5.1-5.4 Cards of the advanced game: vehicles, towed guns, leg units, aircraft, batteries, formations.

    1.6          AdvancedCards, advanced_cards, read_advanced_cards
    5.1          LegCard, AttachedWeapon
    5.2          TowedCard
    5.3          Battery
    5.4          Aircraft
    5.8.2        Formation, AdvancedCards.strength, AdvancedCards.points
    5.16         Mount.limits, Ammo
    6.5.2.1      Mount.rate
    6.5.2.3      VehicleCard.armour_at, Armour, VehicleCard.type
    6.5.4.1      FireRow.factor_at
    6.5.4.2      VehicleCard.defence, TowedCard.defence, LegCard.defence
    6.6.4.1      Movement
    6.6.7.1      VehicleCard.transport, TowedCard.passenger, LegCard.passenger
    6.7.4        AirRow

A vehicle of the basic game keeps its basic card: `advanced_vehicles.toml` only adds to it. `facts.toml` and
NOTES-DATA.md document how the house values were fitted; the code does not read them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, Literal, TypeVar, cast

import msgspec

from pbem.titles.data_files import DataError, nearest
from pbem.titles.panzer.cards.basic_rows import (
    EDITIONS,
    Edition,
    Traction,
)
from pbem.titles.panzer.cards.card_rows import (
    ENDS,
    LEVELS,
    SIDES,
    SWITCHED_MOUNTS,
    Aircraft,
    AircraftFile,
    Ammo,
    ArtilleryFile,
    AttachedWeapon,
    BatteryRow,
    ColumnRow,
    EditionCard,
    EndsCell,
    FireRow,
    Force,
    Formation,
    FormationsFile,
    Gun,
    GunsFile,
    HollowCharge,
    LegCard,
    LegFile,
    Letter,
    MountRow,
    SidesCell,
    TowedCard,
    TowedFile,
    VehicleRow,
    VehiclesFile,
    VehicleType,
)
from pbem.titles.panzer.cards.cards import Card, Nation, RowCell, Weapon, cards
from pbem.titles.panzer.cards.chart_rows import Angle, Location, RateOfFire, Shot
from pbem.titles.panzer.cards.files import Mistake, convert, packaged, read_toml

CARD_FILES: Final = (
    "advanced_guns.toml",
    "advanced_vehicles.toml",
    "towed_guns.toml",
    "leg_units.toml",
    "aircraft.toml",
    "artillery.toml",
    "formations.toml",
)


# --- the cards used by the rules -----------------------------------------------------------------------------------


class Movement(msgspec.Struct, frozen=True):
    """4.5.1.1.1, 6.6.4.1 Cross-country allowance and mode; path and road allowances, or quickmarch for mode L."""

    cross_country: int
    mode: Traction | Literal["L"]
    path: int = 0
    road: int = 0
    quickmarch: int = 0


def movement(factor: str) -> Movement | None:
    """4.5.1.1.1, 6.6.4.1 Read `4T 6-9` or `2L 3`; None for anything else."""
    if match := re.fullmatch(r"(\d+)([THW]) (\d+)-(\d+)", factor):
        return Movement(int(match[1]), cast(Traction, match[2]), path=int(match[3]), road=int(match[4]))
    if match := re.fullmatch(r"(\d+)L (\d+)", factor):
        return Movement(int(match[1]), "L", quickmarch=int(match[2]))
    return None


class Armour(msgspec.Struct, frozen=True):
    """6.5.2.3 Armour factors from the front or rear angle, from the side angles, and for the deck."""

    ends: dict[Shot, dict[Location, int]]
    sides: dict[Shot, dict[Location, int]]
    deck: int


class Mount(msgspec.Struct, frozen=True):
    """6.5 A vehicle's weapon: the basic weapon, its gun, and the properties of this mounting."""

    weapon: Weapon
    gun: Gun
    rate: RateOfFire
    limits: dict[Letter, int]
    dual: bool
    limited: bool

    def with_ammo(self, ammo: Ammo) -> Weapon:
        """5.16.1 The weapon with the AP row of special ammunition."""
        return msgspec.structs.replace(self.weapon, ranges=ammo.ranges.value, penetration=ammo.penetration.value)


class VehicleCard(msgspec.Struct, frozen=True):
    """1.6 A vehicle's advanced card, in addition to its basic one."""

    card: Card
    nation: Force
    type: VehicleType
    defence: int
    armour: Armour | None
    mounts: tuple[Mount, ...]
    transport: tuple[int, int]
    weight: int
    stabiliser: int
    bog: int
    hollow_charge: HollowCharge | None
    notes: dict[str, str]
    """Every note on the card with its source."""
    sources: dict[str, str]

    def has(self, note: str) -> bool:
        """Whether the card has a note, such as `coax` or `close_assault`."""
        return note in self.notes

    def armour_at(self, angle: Angle, shot: Shot, location: Location) -> int:
        """6.5.2.3 The armour factor; a soft vehicle has no armour at all."""
        if self.armour is None:
            return 0
        if location is Location.DK:
            return self.armour.deck
        block = self.armour.ends if angle in (Angle.FRONT, Angle.REAR) else self.armour.sides
        return block[shot][location]


def basic_vehicle(card: Card) -> VehicleCard:
    """1.6 A vehicle of the basic game: its weapons have AP rows, and nothing else applies."""
    mounts = tuple(Mount(weapon, Gun(id=weapon.name), "N", {}, False, False) for weapon in card.weapons)
    return VehicleCard(
        card=card,
        nation=card.nation,
        type="A",
        defence=0,
        armour=None,
        mounts=mounts,
        transport=(0, 0),
        weight=0,
        stabiliser=0,
        bog=0,
        hollow_charge=None,
        notes={},
        sources={},
    )


class Battery(msgspec.Struct, frozen=True):
    """5.3 An off-map battery in one edition."""

    row: BatteryRow
    fire: FireRow


class AdvancedCards(msgspec.Struct, frozen=True):
    """1.6 All cards of the advanced game in one edition, by id."""

    edition: Edition
    guns: dict[str, Gun]
    vehicles: dict[str, VehicleCard]
    towed: dict[str, TowedCard]
    legs: dict[str, LegCard]
    attached: dict[str, AttachedWeapon]
    aircraft: dict[str, Aircraft]
    batteries: dict[str, Battery]
    formations: dict[str, Formation]

    def unit_points(self, card_id: str) -> int:
        """The point value of a vehicle, gun or leg unit."""
        if card_id in self.vehicles:
            return self.vehicles[card_id].card.points
        return (self.towed[card_id] if card_id in self.towed else self.legs[card_id]).points.value

    def strength(self, formation_id: str) -> dict[str, int]:
        """5.8.2 How many units of each card a formation has, including subordinates."""
        formation = self.formations[formation_id]
        total: dict[str, int] = {}
        for element in formation.units:
            total[element.card] = total.get(element.card, 0) + element.count
        for below in formation.formations:
            for card, count in self.strength(below.id).items():
                total[card] = total.get(card, 0) + count * below.count
        return total

    def points(self, formation_id: str) -> int:
        """5.8.2 The point value of a formation: units, attached weapons, batteries, subordinates."""
        formation = self.formations[formation_id]
        units = sum(
            element.count
            * (self.unit_points(element.card) + sum(self.attached[name].points.value for name in element.weapons))
            for element in formation.units
        )
        batteries = sum(row.count * self.batteries[row.id].row.points.value for row in formation.batteries)
        return units + batteries + sum(row.count * self.points(row.id) for row in formation.formations)


# --- reading -------------------------------------------------------------------------------------------------------

T = TypeVar("T")
E = TypeVar("E", bound=EditionCard)


def basic_cards(edition: Edition, cards: Iterable[Card]) -> AdvancedCards:
    """1.6 The cards for a match of the basic game: vehicles only."""
    vehicles = {card.id: basic_vehicle(card) for card in cards}
    return AdvancedCards(edition, {}, vehicles, {}, {}, {}, {}, {}, {})


@cache
def advanced_cards(edition: Edition = EDITIONS[0]) -> AdvancedCards:
    """An edition's packaged advanced cards."""
    return read_advanced_cards({name: packaged(name) for name in CARD_FILES}, cards(), edition)


def read_advanced_cards(
    files: Mapping[str, bytes], basic: Mapping[str, Card], edition: Edition = EDITIONS[0]
) -> AdvancedCards:
    """1.6 Read the cards from the bytes of all `CARD_FILES` and the basic cards; DataError lists the mistakes."""
    guns = {row.id: row for row in _read("advanced_guns.toml", files, GunsFile).gun}
    known = {weapon.name: weapon for card in basic.values() for weapon in card.weapons}
    vehicles = _read("advanced_vehicles.toml", files, VehiclesFile).vehicle
    towed = _read("towed_guns.toml", files, TowedFile).gun
    leg = _read("leg_units.toml", files, LegFile)
    artillery = _read("artillery.toml", files, ArtilleryFile)
    column = next(row for row in artillery.column if row.edition == edition)
    _raise("advanced_guns.toml", _gun_mistakes(guns.values(), known))
    _raise("advanced_vehicles.toml", _vehicle_mistakes(vehicles, basic, guns))
    _raise("towed_guns.toml", _towed_mistakes(towed, guns))
    _raise("leg_units.toml", _leg_mistakes(leg.leg))
    guns = {id: with_minimum(_with_edition_ammo(gun, edition)) for id, gun in guns.items()}
    result = AdvancedCards(
        edition=edition,
        guns=guns,
        vehicles={row.id: _vehicle(row, basic.get(row.id), guns, known) for row in vehicles},
        towed=_by_id(towed, edition),
        legs=_by_id(leg.leg, edition),
        attached={id: with_minimum(weapon) for id, weapon in _by_id(leg.weapon, edition).items()},
        aircraft=_by_id(_read("aircraft.toml", files, AircraftFile).aircraft, edition),
        batteries={row.id: Battery(row, _battery_fire(row, column)) for row in artillery.battery},
        formations={row.id: row for row in _read("formations.toml", files, FormationsFile).formation},
    )
    _raise("formations.toml", _formation_mistakes(result))
    return result


def _with_edition_ammo(gun: Gun, edition: Edition) -> Gun:
    """5.16.1 A gun with the special ammunition available in an edition."""
    return msgspec.structs.replace(gun, ammo=tuple(ammo for ammo in gun.ammo if edition in ammo.editions))


W = TypeVar("W", Gun, AttachedWeapon)


def with_minimum(weapon: W) -> W:
    """5.6 The minimum range belongs to the weapon, so it applies to all its rows even if only one prints it."""
    rows: dict[str, FireRow] = {
        name: row for name, row in (("gp", weapon.gp), ("indirect", weapon.indirect)) if row is not None
    }
    least = max((weapon.minimum, *(row.minimum for row in rows.values())), key=lambda cell: cell.value)
    same = {name: msgspec.structs.replace(row, minimum=least) for name, row in rows.items()}
    return msgspec.structs.replace(weapon, minimum=least, **same)


def with_mounts(book: AdvancedCards, others: Iterable[AdvancedCards]) -> AdvancedCards:
    """5.1 Replace the bicycles and horses with those of other editions, if the scenario says so."""
    foot = {id: card for id, card in book.legs.items() if card.mount not in SWITCHED_MOUNTS}
    mounted = {id: card for other in others for id, card in other.legs.items() if card.mount in SWITCHED_MOUNTS}
    return msgspec.structs.replace(book, legs=foot | mounted)


def _read(name: str, files: Mapping[str, bytes], shape: type[T]) -> T:
    return convert(read_toml(files[name], name), shape, name)


def _by_id(rows: Sequence[E], edition: Edition) -> dict[str, E]:
    """The cards of one edition."""
    return {row.id: row for row in rows if edition in row.editions}


def _raise(file: str, mistakes: Iterator[Mistake]) -> None:
    if found := list(mistakes):
        raise DataError(file, found)


def _grows(values: Sequence[int]) -> bool:
    return sorted(set(values)) == list(values)


def _gun_mistakes(guns: Iterable[Gun], known: Mapping[str, Weapon]) -> Iterator[Mistake]:
    """Check that ranges increase, factors and penetration never do, and an AP row is in one file only."""
    for gun in guns:
        where = f"gun {gun.id}"
        if gun.ranges and gun.id in known:
            yield Mistake(where, "its AP row is already in cards.toml.")
        if (gun.ranges is None) != (gun.penetration is None):
            yield Mistake(where, "an AP row needs both ranges and penetration.")
        rows = [(gun.ranges, gun.penetration), *((ammo.ranges, ammo.penetration) for ammo in gun.ammo)]
        rows += [(row.ranges, row.factors) for row in (gun.gp, gun.indirect, gun.aa) if row]
        for ranges, values in rows:
            if ranges and not _grows(ranges.value):
                yield Mistake(where, f"ranges must increase from P to E, but are {list(ranges.value)}.")
            if values and sorted(values.value, reverse=True) != list(values.value):
                yield Mistake(where, f"numbers must not increase from P to E, but are {list(values.value)}.")


def _vehicle_mistakes(
    rows: Sequence[VehicleRow], basic: Mapping[str, Card], guns: Mapping[str, Gun]
) -> Iterator[Mistake]:
    """Check that basic data is in one file only, that soft vehicles have no armour, and others all of it."""
    for row in rows:
        where = f"vehicle {row.id}"
        new = (row.nation, row.movement, row.size, row.front, row.rear, row.points)
        card = basic.get(row.id)
        if card is None and (not row.name or None in new):
            yield Mistake(
                where, "cards.toml has no such card, so all basic data must be here.", nearest(row.id, basic)
            )
        if card is not None and any(value is not None for value in new):
            yield Mistake(where, "its basic data is already in cards.toml.")
        if row.movement and movement(row.movement.value) is None:
            yield Mistake(f"{where}, movement", f"'{row.movement.value}' is not a movement factor such as 4T 6-9.")
        absent = [cell is None for cell in (*_ends(row), *_sides(row), row.deck)]
        if absent != [row.type.value == "S"] * len(absent):
            yield Mistake(where, "soft vehicles have no armour; all others need all seven rows of it.")
        yield from _mount_mistakes(f"{where}, weapons", row, card, guns)


def _mount_mistakes(where: str, row: VehicleRow, card: Card | None, guns: Mapping[str, Gun]) -> Iterator[Mistake]:
    """Check that the weapons start with those of the basic card, and only additional ones state their mounting."""
    printed = [weapon.name for weapon in card.weapons] if card else []
    if [weapon.gun for weapon in row.weapons[: len(printed)]] != printed:
        yield Mistake(where, f"the weapons must begin with {', '.join(printed)}.")
    for number, weapon in enumerate(row.weapons):
        further = number >= len(printed)
        if weapon.gun not in guns:
            yield Mistake(where, f"there is no gun '{weapon.gun}'.", nearest(weapon.gun, guns))
        if further == (weapon.turret is None) or further == (weapon.field is None):
            yield Mistake(where, "turret and field are only for weapons that are not on the basic card.")


def _towed_mistakes(rows: Sequence[TowedCard], guns: Mapping[str, Gun]) -> Iterator[Mistake]:
    for row in rows:
        if row.gun not in guns:
            yield Mistake(f"gun {row.id}", f"there is no gun '{row.gun}'.", nearest(row.gun, guns))
        if row.movement.value and movement(row.movement.value) is None:
            yield Mistake(f"gun {row.id}, movement", f"'{row.movement.value}' is not a movement factor such as 1L 0.")


def _leg_mistakes(rows: Sequence[LegCard]) -> Iterator[Mistake]:
    ids = {row.id for row in rows}
    for row in rows:
        if (row.size == "squad") != bool(row.reduced) or (row.reduced and row.reduced not in ids):
            yield Mistake(f"leg {row.id}", "every squad, and nothing else, is reduced to another leg unit.")
        for factor in (row.movement, row.loaded):
            if factor and movement(factor.value) is None:
                yield Mistake(f"leg {row.id}, movement", f"'{factor.value}' is not a movement factor such as 2L 3.")


def _formation_mistakes(book: AdvancedCards) -> Iterator[Mistake]:
    """Check that everything in a formation exists and that its subordinates are of a lower level."""
    units = (*book.vehicles, *book.towed, *book.legs)
    for formation in book.formations.values():
        where = f"formation {formation.id}"
        for element in formation.units:
            if element.card not in units:
                yield Mistake(where, f"there is no card '{element.card}'.", nearest(element.card, units))
            for weapon in element.weapons:
                if weapon not in book.attached:
                    yield Mistake(where, f"there is no weapon '{weapon}'.", nearest(weapon, book.attached))
        for support in formation.batteries:
            if support.id not in book.batteries:
                yield Mistake(where, f"there is no battery '{support.id}'.", nearest(support.id, book.batteries))
        for below in formation.formations:
            lower = book.formations.get(below.id)
            if lower is None:
                yield Mistake(where, f"there is no formation '{below.id}'.", nearest(below.id, book.formations))
            elif LEVELS.index(lower.level) >= LEVELS.index(formation.level):
                yield Mistake(where, f"{below.id} is not a formation of a lower level.")


def _vehicle(
    row: VehicleRow, basic: Card | None, guns: Mapping[str, Gun], known: Mapping[str, Weapon]
) -> VehicleCard:
    weapons = tuple(_weapon(weapon, guns[weapon.gun], known) for weapon in row.weapons)
    card = basic or _new_card(row, weapons)
    mounts = zip((*card.weapons, *weapons[len(card.weapons) :]), row.weapons, strict=True)
    return VehicleCard(
        card=card,
        nation=row.nation or card.nation,
        type=row.type.value,
        defence=row.defence.value,
        armour=_armour(row),
        mounts=tuple(_mount(weapon, mount, guns[mount.gun]) for weapon, mount in mounts),
        transport=row.transport.value,
        weight=row.weight.value,
        stabiliser=row.stabiliser.value,
        bog=row.bog.value,
        hollow_charge=row.hollow_charge,
        notes={note.value: note.source for note in row.notes},
        sources=row.sources,
    )


def _weapon(row: MountRow, gun: Gun, known: Mapping[str, Weapon]) -> Weapon:
    """4.4.3 The weapon as in the basic game, from this file or from a gun in cards.toml."""
    printed = known.get(row.gun)
    ranges = gun.ranges.value if gun.ranges else printed.ranges if printed else ()
    penetration = gun.penetration.value if gun.penetration else printed.penetration if printed else ()
    turret = row.turret.value if row.turret else 0
    return Weapon(row.gun, turret, row.field or "front", ranges, penetration, gun.sources | row.sources)


def _mount(weapon: Weapon, row: MountRow, gun: Gun) -> Mount:
    limits = {letter: cell.value for letter, cell in row.limits.items()}
    raised = gun if row.anti_aircraft else msgspec.structs.replace(gun, aa=None)
    return Mount(weapon, raised, row.rate.value, limits, row.dual, row.limited)


def _armour(row: VehicleRow) -> Armour | None:
    """6.5.2.3 The blocks of the defence section; None for soft vehicles."""
    if row.deck is None:
        return None
    ends, sides = zip(Shot, _ends(row), strict=True), zip(Shot, _sides(row), strict=True)
    return Armour(
        ends={shot: dict(zip(ENDS, cell.value, strict=True)) for shot, cell in ends if cell},
        sides={shot: dict(zip(SIDES, cell.value, strict=True)) for shot, cell in sides if cell},
        deck=row.deck.value,
    )


def _ends(row: VehicleRow) -> tuple[EndsCell | None, ...]:
    """6.5.2.3.2 The armour cells for the front and rear angles, in the order of `Shot`."""
    return row.ends_level, row.ends_rising, row.ends_falling


def _sides(row: VehicleRow) -> tuple[SidesCell | None, ...]:
    """6.5.2.3.3 The armour cells for the side angles, in the order of `Shot`."""
    return row.sides_level, row.sides_rising, row.sides_falling


def _new_card(row: VehicleRow, weapons: tuple[Weapon, ...]) -> Card:
    """1.6 The basic card of a vehicle that is not in cards.toml; it includes all its weapons."""
    assert row.movement and row.size and row.front and row.rear and row.points  # checked by _vehicle_mistakes
    moves = movement(row.movement.value)
    assert moves is not None
    return Card(
        id=row.id,
        name=row.name,
        reference=row.reference,
        nation=cast(Nation, row.nation),
        cross_country=moves.cross_country,
        path=moves.path,
        road=moves.road,
        traction=cast(Traction, moves.mode),
        size=row.size.value,
        front=row.front.value,
        rear=row.rear.value,
        open_topped=row.open_topped,
        points=row.points.value,
        weapons=weapons,
        sources=row.sources,
    )


def _battery_fire(row: BatteryRow, column: ColumnRow) -> FireRow:
    """5.3 A battery's GP row: its factor plus the step of each column, kept within the table."""
    factors = [max(1, min(15, row.factor.value + step)) for step in column.steps.value]
    source = f"{row.factor.source}; steps {column.steps.source}"
    return FireRow(
        ranges=column.ranges,
        factors=RowCell(cast(tuple[int, int, int, int, int], tuple(factors)), source),
        effectiveness=row.effectiveness,
    )
