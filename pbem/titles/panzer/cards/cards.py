"""1.6 Data cards: the capabilities of a vehicle in the basic game.

    1.6          Card, cards, read_cards
    3.5.2        Weapon.maximum_range
    4.1.1        Card.armed (a combat vehicle: it has a weapon)
    4.2.1 R-07   Card.fires_ap (it may be given Fire, Short Halt and Overwatch)
    4.4.3.1      Weapon.turret, field, turreted
    4.4.3.2.1    Weapon.range_factor
    4.4.3.2.5    Weapon.penetration_at, Card.front, Card.rear
    4.5.1.1.1    Card.cross_country, path, road, traction

`data/cards.toml` gives the source of every value; `Card.sources` and `Weapon.sources` repeat it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal

import msgspec

from pbem.titles.data_files import DataError, nearest
from pbem.titles.panzer.cards.basic_rows import RANGE_FACTORS, IntCell, RangeFactor, Row, Traction
from pbem.titles.panzer.cards.files import Mistake, convert, packaged, read_toml

Nation = Literal["german", "italian", "british", "soviet", "us"]
Field = Literal["all", "front", "rear"]
TURRET_RATINGS = (0, 1, 2, 3, 360)


class Weapon(msgspec.Struct, frozen=True):
    """A vehicle's weapon; `ranges` and `penetration` are empty without an AP row."""

    name: str
    turret: int
    """4.4.3.1 Tt rating: 0 fixed, 1 to 3 turret, 360 pivot mount."""
    field: Field
    ranges: tuple[int, ...]
    """4.4.3.2.1 The R row: the last hex of P, S, M, L, E."""
    penetration: tuple[int, ...]
    """4.4.3.2.5 The P row."""
    sources: dict[str, str] = {}

    @property
    def has_ap(self) -> bool:
        """4.4.3 Whether the card has an AP row for this weapon."""
        return bool(self.ranges)

    @property
    def turreted(self) -> bool:
        """4.4.3.1.1, 4.4.3.1.2 Whether the weapon fires all round: turret or pivot mount."""
        return self.turret != 0

    @property
    def maximum_range(self) -> int:
        """3.5.2 Column E of the R row; 0 without AP."""
        return self.ranges[-1] if self.ranges else 0

    def range_factor(self, distance: int) -> RangeFactor | None:
        """4.4.3.2.1 The column of the first range not below the distance; None beyond the maximum range."""
        return next(
            (factor for factor, limit in zip(RANGE_FACTORS, self.ranges, strict=False) if distance <= limit), None
        )

    def penetration_at(self, factor: RangeFactor) -> int:
        """4.4.3.2.5 The penetration in a column."""
        return self.penetration[RANGE_FACTORS.index(factor)]


class Card(msgspec.Struct, frozen=True):
    """1.6 A vehicle's data card."""

    id: str
    name: str
    reference: str
    """1.6 The number of the printed card, e.g. G-4A; empty if unknown."""
    nation: Nation
    cross_country: int
    path: int
    road: int
    traction: Traction
    size: int
    front: int
    rear: int
    open_topped: bool
    points: int
    weapons: tuple[Weapon, ...]
    sources: dict[str, str] = {}

    @property
    def armed(self) -> bool:
        """4.1.1 Whether this is a combat vehicle, which spots and can take objectives (3.6)."""
        return bool(self.weapons)

    @property
    def ap_weapons(self) -> tuple[Weapon, ...]:
        """4.4.3 The weapons with an AP row."""
        return tuple(weapon for weapon in self.weapons if weapon.has_ap)

    @property
    def fires_ap(self) -> bool:
        """R-07 Whether Fire, Short Halt and Overwatch may be given in the basic game."""
        return bool(self.ap_weapons)


# --- reading -------------------------------------------------------------------------------------------------


class TextCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A text and its source."""

    value: str
    source: str


class RowCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The numbers in P, S, M, L, E and their source."""

    value: tuple[int, int, int, int, int]
    source: str


class GunRow(Row, frozen=True):
    """A gun in its file format."""

    id: str
    ranges: RowCell | None = None
    penetration: RowCell | None = None


class WeaponRow(Row, frozen=True):
    """A card's weapon in its file format."""

    gun: str
    turret: IntCell
    field: Field


class CardRow(Row, frozen=True):
    """A card in its file format."""

    id: str
    name: str
    nation: Nation
    movement: TextCell
    size: IntCell
    front: IntCell
    rear: IntCell
    points: IntCell
    reference: str = ""
    open_topped: bool = False
    weapons: tuple[WeaponRow, ...] = ()


class CardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of cards.toml."""

    gun: tuple[GunRow, ...]
    card: tuple[CardRow, ...]


@cache
def cards() -> Mapping[str, Card]:
    """The packaged cards by id, in file order."""
    return read_cards(packaged("cards.toml"), "cards.toml")


def read_cards(data: bytes | str, file: str = "cards") -> dict[str, Card]:
    """1.6 Read the cards from a file, by id; DataError lists every mistake."""
    tables = convert(read_toml(data, file, "1.6"), CardFile, file, "1.6")
    guns = {gun.id: gun for gun in tables.gun}
    if mistakes := [*_gun_mistakes(tables.gun), *_card_mistakes(tables.card, guns)]:
        raise DataError(file, mistakes)
    return {row.id: _card(row, guns) for row in tables.card}


def _gun_mistakes(guns: Sequence[GunRow]) -> Iterator[Mistake]:
    """1.5 Check that ranges increase from column to column, and that penetration never does."""
    for gun in guns:
        where = f"gun {gun.id}"
        if (gun.ranges is None) != (gun.penetration is None):
            yield Mistake(where, "an AP row needs both ranges and penetration.", rule="1.5")
        if gun.ranges and (sorted(set(gun.ranges.value)) != list(gun.ranges.value) or gun.ranges.value[0] < 1):
            what = f"ranges must increase from P to E, but are {list(gun.ranges.value)}."
            yield Mistake(where, what, rule="1.5")
        if gun.penetration and sorted(gun.penetration.value, reverse=True) != list(gun.penetration.value):
            what = f"penetration must not increase from P to E, but is {list(gun.penetration.value)}."
            yield Mistake(where, what, rule="1.5")


def _card_mistakes(rows: Sequence[CardRow], guns: Mapping[str, GunRow]) -> Iterator[Mistake]:
    """1.5, 1.6 Check a card for mistakes that the file's schema cannot catch."""
    seen: dict[str, str] = {}
    for row in rows:
        where = f"card {row.id}"
        if row.id in seen:
            yield Mistake(where, f"this id already belongs to {seen[row.id]}.", rule="1.6")
        seen[row.id] = row.name
        if _movement(row.movement.value) is None:
            what = f"'{row.movement.value}' is not a movement factor such as 4T 6-9."
            yield Mistake(f"{where}, movement", what, rule="1.5")
        if not -2 <= row.size.value <= 2:
            yield Mistake(f"{where}, size", f"{row.size.value} is outside -2 to +2.", rule="1.5")
        for weapon in row.weapons:
            yield from _weapon_mistakes(f"{where}, weapons", weapon, guns)


def _weapon_mistakes(where: str, weapon: WeaponRow, guns: Mapping[str, GunRow]) -> Iterator[Mistake]:
    if weapon.gun not in guns:
        yield Mistake(where, f"there is no gun '{weapon.gun}'.", nearest(weapon.gun, guns), "1.6")
    if weapon.turret.value not in TURRET_RATINGS:
        yield Mistake(where, f"{weapon.turret.value} is not a turret rating (0, 1, 2, 3 or 360).", rule="1.5")
    if (weapon.turret.value == 0) != (weapon.field != "all"):
        what = "a fixed mount (turret 0) fires to the front or rear, every other mount all round."
        yield Mistake(where, what, rule="1.5")


def _movement(factor: str) -> tuple[int, Traction, int, int] | None:
    """4.5.1.1.1 Cross-country allowance, traction, path and road allowance from `4T 6-9`."""
    match = re.fullmatch(r"(\d+)([THW]) (\d+)-(\d+)", factor)
    if match is None:
        return None
    traction: dict[str, Traction] = {"T": "T", "H": "H", "W": "W"}
    return int(match[1]), traction[match[2]], int(match[3]), int(match[4])


def _card(row: CardRow, guns: Mapping[str, GunRow]) -> Card:
    movement = _movement(row.movement.value)
    assert movement is not None  # checked by _card_mistakes
    cross_country, traction, path, road = movement
    return Card(
        id=row.id,
        name=row.name,
        reference=row.reference,
        nation=row.nation,
        cross_country=cross_country,
        path=path,
        road=road,
        traction=traction,
        size=row.size.value,
        front=row.front.value,
        rear=row.rear.value,
        open_topped=row.open_topped,
        points=row.points.value,
        weapons=tuple(_weapon(weapon, guns[weapon.gun]) for weapon in row.weapons),
        sources=row.sources,
    )


def _weapon(row: WeaponRow, gun: GunRow) -> Weapon:
    return Weapon(
        name=gun.id,
        turret=row.turret.value,
        field=row.field,
        ranges=gun.ranges.value if gun.ranges else (),
        penetration=gun.penetration.value if gun.penetration else (),
        sources=gun.sources | row.sources,
    )
