"""1.2 The deck: all counters, by id.

Deck        nationalities, personnel, support weapons, Guns and vehicles by id
read_deck   reads a deck from files, packaged or an owner's
deck        the packaged deck
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from pbem.titles.aslsk.cards.files import Mistake, packaged
from pbem.titles.aslsk.cards.units import Card, Nation, leader_id, read_nations, read_units
from pbem.titles.aslsk.cards.vehicles import VehicleCard, read_vehicles
from pbem.titles.aslsk.cards.weapons import GunCard, WeaponCard, read_guns, read_weapons
from pbem.titles.data_files import DataError

DECK_FILES: Final = ("nations.toml", "units.toml", "weapons.toml", "guns.toml", "vehicles.toml")


class Deck(msgspec.Struct, frozen=True):
    """1.2 All counters, by id."""

    nations: dict[str, Nation]
    units: dict[str, Card]
    weapons: dict[str, WeaponCard]
    guns: dict[str, GunCard]
    vehicles: dict[str, VehicleCard]

    def leader(self, nation: str, strength: str) -> str:
        """1.2.1, 5.3 The id of the leader of a nationality with a given strength, such as 8-0."""
        return leader_id(nation, strength)

    def find(self, id: str) -> Card | WeaponCard | GunCard | VehicleCard | None:
        """1.2 Any counter by its id."""
        return self.units.get(id) or self.weapons.get(id) or self.guns.get(id) or self.vehicles.get(id)


def read_deck(files: Mapping[str, bytes]) -> Deck:
    """1.2 Read the counters from files named as in `DECK_FILES`; DataError lists every mistake in all files."""
    return _read_deck(tuple(files[file] for file in DECK_FILES))


@lru_cache(maxsize=8)
def _read_deck(contents: tuple[bytes, ...]) -> Deck:
    """Read the counters; results for equal files are cached, since reading is slow and the result never changes."""
    files = dict(zip(DECK_FILES, contents, strict=True))
    nations = read_nations(files["nations.toml"])
    errors: list[DataError] = []
    deck = Deck(nations, {}, {}, {}, {})
    readers: tuple[tuple[str, dict[str, Any], Callable[..., Mapping[str, Any]]], ...] = (
        ("units.toml", deck.units, read_units),
        ("weapons.toml", deck.weapons, read_weapons),
        ("guns.toml", deck.guns, read_guns),
        ("vehicles.toml", deck.vehicles, read_vehicles),
    )
    for file, cards, read in readers:
        try:
            cards.update(read(files[file], nations))
        except DataError as error:
            errors.append(error)
    if errors:
        raise DataError("counters", [mistake for error in errors for mistake in _with_file_name(error)])
    return deck


def _with_file_name(error: DataError) -> list[Mistake]:
    """The mistakes in an error, each with the name of the file."""
    return [Mistake(f"{error.file}, {item.where}", item.what, item.instead, item.rule) for item in error.mistakes]


@cache
def deck() -> Deck:
    """1.2 The packaged counters."""
    return read_deck({file: packaged(file) for file in DECK_FILES})
