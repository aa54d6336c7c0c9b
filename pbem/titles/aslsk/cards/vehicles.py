"""7.x Vehicle counters.

7.1        VehicleCard.armour: front and side, hull and turret
7.2, 7.8   main armament, turret type, machine guns
7.3, 7.5   size, smoke devices
7.6        ground pressure
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from pbem.titles.aslsk.cards.files import Unfit, convert, read_toml
from pbem.titles.aslsk.cards.notation import (
    Calibre,
    Length,
    Supply,
    depletion,
    is_limited,
    read_calibre,
    read_supplies,
)
from pbem.titles.aslsk.cards.units import Nation
from pbem.titles.aslsk.cards.weapons import NEVER_BREAKS, SIZES, Size, read_rows

Turret = Literal["T", "ST", "RST", "1MT", "NT"]
Pressure = Literal["low", "normal", "high"]
Device = Literal["", "sD", "sM", "sP", "sN"]
LADDER: Final = (0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 26)
"""7.1 The armour factors; circled and boxed turret factors are one step lower and higher (rulebook L1582)."""


class VehicleCard(msgspec.Struct, frozen=True):
    """7.0 A vehicle with its printed values."""

    id: str
    nation: str
    name: str
    mp: int
    tracked: bool
    unreliable: bool
    front: int
    side: int
    turret_front: int
    turret_side: int
    size: int
    """7.3 The To Hit DRM against the vehicle."""
    calibre: int
    """The calibre of the main armament in mm; 0 if it is a machine gun."""
    length: Length
    ife: int
    rof: int
    breakdown: int
    low_ammo: bool
    """7.2.1 Whether the B# is circled."""
    intensive: bool
    he: bool
    ap: bool
    turret: Turret
    bmg: int
    cmg: int
    aamg: int
    rmg: int
    fixed_bow: bool
    """7.8 Whether the bow MG is in a fixed mount."""
    open_topped: bool
    crew_exposed: int
    """7.7 The DRM of an exposed crew."""
    ground_pressure: Pressure
    failure: int
    """3.3.2 Unreliable vehicles: the Original DR at or above which they have a mechanical failure."""
    supplies: tuple[Supply, ...]
    smoke_device: Device
    smoke_number: int
    source: str
    sources: dict[str, str] = {}

    @property
    def mg_armed(self) -> bool:
        """7.2 Whether the vehicle's main armament is a machine gun."""
        return self.calibre == 0

    @property
    def main(self) -> str:
        """7.2 The kind of weapon that is the main armament: `ma`, or the first of CMG, AAMG and BMG that the
        vehicle has.
        """
        strengths = (("cmg", self.cmg), ("aamg", self.aamg), ("bmg", self.bmg))
        return next((kind for kind, fp in strengths if fp), "") if self.mg_armed else "ma"

    @property
    def lowest(self) -> int:
        """4.3/vs-afv The lowest of all armour factors."""
        return min(self.front, self.side, self.turret_front, self.turret_side)

    def armour(self, location: str, facing: str) -> int:
        """7.1 The armour factor of the hull or turret, for the front or any other facing."""
        if location == "turret":
            return self.turret_front if facing == "front" else self.turret_side
        return self.front if facing == "front" else self.side

    def depletion(self, kind: str, date: str) -> int | None:
        """6.2 Return the depletion number of an ammunition type in a month, or None if it is unavailable."""
        return depletion(self.supplies, kind, date)


class VehicleRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vehicle as written in the file."""

    id: str
    name: str
    nation: str
    mp: int
    armour: str
    gun: str
    turret: Turret
    source: str
    unreliable: bool = False
    tracked: bool = True
    size: Size = "normal"
    ife: int = 0
    he: bool = True
    ap: bool = True
    rof: int = 0
    breakdown: int = NEVER_BREAKS
    low_ammo: bool = False
    intensive: bool = True
    mg: str = ""
    fixed_bow: bool = False
    open_topped: bool = False
    crew_exposed: int = 2
    ground_pressure: Pressure = "normal"
    failure: int = 12
    ammunition: str = ""
    smoke_device: str = ""
    sources: dict[str, str] = {}


class VehicleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `vehicles.toml`."""

    vehicle: tuple[VehicleRow, ...]


def read_vehicles(data: bytes, nations: Mapping[str, Nation], file: str = "vehicles.toml") -> dict[str, VehicleCard]:
    """7.0 Read the vehicles from a file, by id; DataError lists every mistake."""
    return read_rows(convert(read_toml(data, file), VehicleFile, file).vehicle, nations, _vehicle, file, "1.2.7")


def step_on_ladder(armour: int, steps: int) -> int:
    """7.1 The armour factor this many steps up or down the series of factors, but not beyond its ends."""
    return LADDER[max(0, min(len(LADDER) - 1, LADDER.index(armour) + steps))]


def _armour(text: str) -> tuple[int, int]:
    """7.1 Read hull and turret armour from 6, 6c (circled) or 6b (boxed)."""
    match = re.fullmatch(r"(\d+)([cb]?)", text)
    if match is None or int(match[1]) not in LADDER:
        ladder = ", ".join(map(str, LADDER))
        raise Unfit("7.1", f"'{text}' is not an armour factor: it is one of {ladder}, with c or b.")
    hull = int(match[1])
    return hull, step_on_ladder(hull, {"": 0, "c": -1, "b": 1}[match[2]])


def _machine_guns(text: str) -> tuple[int, int, int, int]:
    """7.8 Read bow, coaxial, anti-aircraft and rear machine guns from 3/5, 2/4/4 or 2/4/R2."""
    match = re.fullmatch(r"(-|\d+)/(-|\d+)(?:/(?:(-|\d+)|R(\d+)))?", text)
    if match is None:
        raise ValueError(
            f"'{text}' does not give machine guns: write bow/coaxial/anti-aircraft, such as 2/4/4 or -/5."
        )
    bow, coaxial, aa, rear = (0 if part in (None, "-") else int(part) for part in match.groups())
    return bow, coaxial, aa, rear


def _device(text: str) -> tuple[Device, int]:
    """7.5 Read a smoke device and its usage number."""
    match = re.fullmatch(r"(s[DMPN])(\d+)", text)
    if match is None:
        raise ValueError(f"'{text}' is not a smoke device: write sD7, sM8, sP5 or sN9.")
    devices: dict[str, Device] = {"sD": "sD", "sM": "sM", "sP": "sP", "sN": "sN"}
    return devices[match[1]], int(match[2])


def _vehicle(row: VehicleRow) -> VehicleCard:
    ahead, _, aside = row.armour.partition("/")
    (front, turret_front), (side, turret_side) = _armour(ahead), _armour(aside)
    calibre = Calibre(0) if row.gun == "MG" else read_calibre(row.gun)
    bmg, cmg, aamg, rmg = _machine_guns(row.mg) if row.mg else (0, 0, 0, 0)
    device, number = _device(row.smoke_device) if row.smoke_device else ("", 0)
    supplies = read_supplies(row.ammunition)
    if calibre.mm == 0 and not (bmg or cmg or aamg):  # 1.2.7
        raise ValueError("its main armament is an MG, but it has no machine gun.")
    return VehicleCard(
        id=row.id,
        nation=row.nation,
        name=row.name,
        mp=row.mp,
        tracked=row.tracked,
        unreliable=row.unreliable,
        front=front,
        side=side,
        turret_front=turret_front,
        turret_side=turret_side,
        size=SIZES[row.size],
        calibre=calibre.mm,
        length=calibre.length,
        ife=row.ife,
        rof=row.rof,
        breakdown=row.breakdown,
        low_ammo=row.low_ammo,
        intensive=row.intensive,
        he=row.he and not is_limited(supplies, "HE"),
        ap=row.ap and not is_limited(supplies, "AP"),
        turret=row.turret,
        bmg=bmg,
        cmg=cmg,
        aamg=aamg,
        rmg=rmg,
        fixed_bow=row.fixed_bow,
        open_topped=row.open_topped,
        crew_exposed=row.crew_exposed,
        ground_pressure=row.ground_pressure,
        failure=row.failure,
        supplies=supplies,
        smoke_device=device,
        smoke_number=number,
        source=row.source,
        sources=row.sources,
    )
