"""1.6, 5.1-5.4 Cards in file form: guns, vehicles, leg units, aircraft, batteries, formations.

The cards that the rules use are in `advanced_cards`.
"""

from typing import Annotated, Final, Literal

import msgspec

from pbem.titles.panzer.cards.basic_rows import (
    EDITIONS,
    RANGE_FACTORS,
    Cover,
    Edition,
    FlagCell,
    IntCell,
    RangeFactor,
    Row,
)
from pbem.titles.panzer.cards.cards import Field, RowCell, TextCell
from pbem.titles.panzer.cards.chart_rows import Attachment, EditionRow, Location, RateOfFire, Speed

Force = Literal["german", "italian", "british", "us", "soviet"]
FORCES: Final[tuple[Force, ...]] = ("german", "italian", "british", "us", "soviet")

VehicleType = Literal["A", "P", "S"]
Letter = Literal["basic", "A", "H", "S", "I", "D"]
Size = Literal["squad", "half_squad", "section"]
Riding = Literal["foot", "motorcycle", "bicycle", "cavalry"]
SWITCHED_MOUNTS: Final[tuple[Riding, ...]] = ("bicycle", "cavalry")
"""5.1 The mounts that only one of the books has."""
Level = Literal["platoon", "company", "battalion", "regiment"]
LEVELS: Final[tuple[Level, ...]] = ("platoon", "company", "battalion", "regiment")
Label = Literal["chq", "bhq", "rhq", "fo", "recon", "engineer"]
SMALL_ARMS: Final = "SA"
ENDS: Final = (Location.TF, Location.TR, Location.HF, Location.HR)
SIDES: Final = (Location.TF, Location.TS, Location.TR, Location.HF, Location.HS, Location.HR)


# --- file rows, also used as cards for everything except vehicles and batteries ------------------------------------


class EffectCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """6.5.4.4.2 The highest effectiveness, or small arms, and its source."""

    value: int | Literal["SA"]
    source: str


class PairCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """6.6.7.1 Towed and leg capacity, and their source."""

    value: tuple[int, int]
    source: str


class SpeedsCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """6.7.2.2 An aircraft's speeds, and their source."""

    value: tuple[Speed, ...]
    source: str


class RateCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """6.5.2.1 A rate of fire and its source."""

    value: RateOfFire
    source: str


class TypeCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """6.5.2.3 A vehicle type and its source."""

    value: VehicleType
    source: str


class EndsCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """6.5.2.3.2 Armour of TF, TR, HF, HR and its source."""

    value: tuple[int, int, int, int]
    source: str


class SidesCell(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """6.5.2.3.3 Armour of TF, TS, TR, HF, HS, HR and its source."""

    value: tuple[int, int, int, int, int, int]
    source: str


NO_MINIMUM: Final = IntCell(1, "rulebook L1400-1404")
"""5.6 Without a printed value, a weapon can fire at any range from one hex."""


class FireRow(Row, frozen=True):
    """6.5.4.1 A GP row, direct or indirect; `minimum` is the weapon's minimum range (5.6).

    It is the same whichever row prints it.
    """

    ranges: RowCell
    factors: RowCell
    effectiveness: EffectCell = EffectCell(SMALL_ARMS, "rulebook L1406-1412")
    minimum: IntCell = NO_MINIMUM

    @property
    def small_arms(self) -> bool:
        """5.7 Whether this row counts as small arms against vehicles."""
        return self.effectiveness.value == SMALL_ARMS

    def factor_at(self, distance: int) -> tuple[RangeFactor, int] | None:
        """6.5.4.1 Range factor and GP factor at a distance; None if that is out of range."""
        if distance < self.minimum.value:
            return None
        rows = zip(RANGE_FACTORS, self.ranges.value, self.factors.value, strict=True)
        return next(((column, factor) for column, limit, factor in rows if distance <= limit), None)


class AirRow(Row, frozen=True):
    """6.7.4 An AA row; `high` means that it also reaches high altitude (6.7.4.1.2)."""

    ranges: RowCell
    factors: RowCell
    modifier: IntCell
    high: bool = True


class ApRow(Row, frozen=True):
    """6.5.2.3.4 An AP row of an attached weapon; a range of 0 marks a column it does not reach."""

    ranges: RowCell
    penetration: RowCell
    energy: Literal["KE", "CE"]


class Ammo(Row, frozen=True):
    """5.16.1 Special AP ammunition; `letter` names its ammo limit; an empty `available` means always."""

    type: Literal["APCR", "APDS", "HVAP", "HEAT"]
    energy: Literal["KE", "CE"]
    letter: Letter
    ranges: RowCell
    penetration: RowCell
    available: str = ""
    editions: tuple[Edition, ...] = EDITIONS


class Gun(Row, frozen=True):
    """1.6 The properties common to all mountings of a gun; it has an AP row only if it is not in cards.toml."""

    id: str
    ranges: RowCell | None = None
    penetration: RowCell | None = None
    gp: FireRow | None = None
    indirect: FireRow | None = None
    aa: AirRow | None = None
    ammo: tuple[Ammo, ...] = ()
    minimum: IntCell = NO_MINIMUM
    small_arms: bool = False
    smoke: bool = False
    mortar: bool = False


class GunsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of advanced_guns.toml."""

    gun: tuple[Gun, ...]


class MountRow(Row, frozen=True):
    """A vehicle's weapon in its file format."""

    gun: str
    rate: RateCell
    turret: IntCell | None = None
    field: Field | None = None
    limits: dict[Letter, IntCell] = msgspec.field(default_factory=dict)
    dual: bool = False
    limited: bool = False
    anti_aircraft: bool = True
    """6.7.4 Whether the gun can be raised to fire at aircraft, if it has a row for that."""


class HollowCharge(Row, frozen=True):
    """7.10.1 Against CE ammunition, the armour of these locations is multiplied by `times`."""

    times: IntCell
    locations: tuple[Location, ...]


class VehicleRow(Row, frozen=True, kw_only=True):
    """A vehicle, in its file format; the first group of fields is only for vehicles that are not in cards.toml."""

    id: str
    name: str = ""
    reference: str = ""
    nation: Force | None = None
    movement: TextCell | None = None
    size: IntCell | None = None
    front: IntCell | None = None
    rear: IntCell | None = None
    points: IntCell | None = None
    open_topped: bool = False

    type: TypeCell
    defence: IntCell
    ends_level: EndsCell | None = None
    ends_rising: EndsCell | None = None
    ends_falling: EndsCell | None = None
    sides_level: SidesCell | None = None
    sides_rising: SidesCell | None = None
    sides_falling: SidesCell | None = None
    deck: IntCell | None = None
    weapons: tuple[MountRow, ...] = ()
    transport: PairCell
    weight: IntCell
    stabiliser: IntCell = IntCell(0, "house")
    bog: IntCell = IntCell(0, "house")
    hollow_charge: HollowCharge | None = None
    notes: tuple[TextCell, ...] = ()


class VehiclesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of advanced_vehicles.toml."""

    vehicle: tuple[VehicleRow, ...]


class EditionCard(EditionRow, frozen=True, kw_only=True):
    """The common fields of the cards of guns, leg units, attached weapons and aircraft."""

    id: str
    name: str
    reference: str = ""
    nation: Force


class CoverDefence(Row, frozen=True):
    """6.5.4.2.2 The GP defence of a unit in each class of cover."""

    none: IntCell
    light: IntCell
    medium: IntCell
    heavy: IntCell

    def at(self, cover: Cover) -> int:
        """The GP defence in this cover, before full cover and movement."""
        cells = {Cover.NONE: self.none, Cover.LIGHT: self.light, Cover.MEDIUM: self.medium, Cover.HEAVY: self.heavy}
        return cells[cover].value


class TowedCard(EditionCard, frozen=True, kw_only=True):
    """5.2 A towed gun."""

    gun: str
    rate: RateCell
    limits: dict[Letter, IntCell] = msgspec.field(default_factory=dict)
    size: TextCell
    movement: TextCell
    defence: CoverDefence
    full_cover: IntCell
    passenger: PairCell
    points: IntCell
    notes: tuple[TextCell, ...] = ()


class TowedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of towed_guns.toml."""

    gun: tuple[TowedCard, ...]


class LegCard(EditionCard, frozen=True, kw_only=True):
    """5.1.1, 5.1.2 A squad, half-squad or section."""

    size: Size
    mount: Riding = "foot"
    reduced: str = ""
    movement: TextCell
    loaded: TextCell | None = None
    gp: FireRow
    defence: CoverDefence
    full_cover: IntCell
    passenger: PairCell | None = None
    points: IntCell
    engineer: bool = False


class AttachedWeapon(EditionCard, frozen=True, kw_only=True):
    """5.1.3 An attached crew-served weapon."""

    kind: Literal["mortar", "hmg", "atr", "hand_held", "flamethrower"]
    ap: ApRow | None = None
    gp: FireRow | None = None
    indirect: FireRow | None = None
    fixed_gp: IntCell | None = None
    minimum: IntCell = NO_MINIMUM
    limits: dict[Letter, IntCell] = msgspec.field(default_factory=dict)
    smoke: FlagCell = FlagCell(False, "house")
    small_arms: bool = False
    points: IntCell


class LegFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of leg_units.toml."""

    leg: tuple[LegCard, ...]
    weapon: tuple[AttachedWeapon, ...]


class AirAttack(Row, frozen=True):
    """6.7.3.2, 6.7.3.3 Strafing or bombs; for `attacks` see 5.16.2.6."""

    factor: IntCell
    effectiveness: EffectCell
    attacks: IntCell


class Rockets(Row, frozen=True):
    """6.7.3.4 The rockets of an aircraft, as its card lists them."""

    ranges: RowCell
    factors: RowCell
    effectiveness: EffectCell
    attacks: IntCell


class Aircraft(EditionCard, frozen=True, kw_only=True):
    """5.4 An aircraft."""

    speeds: SpeedsCell
    dive: FlagCell
    defence: IntCell
    strafing: AirAttack
    bombs: AirAttack | None = None
    rockets: Rockets | None = None
    points: IntCell


class AircraftFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of aircraft.toml."""

    aircraft: tuple[Aircraft, ...]


class ColumnRow(Row, frozen=True):
    """5.3 An edition's ranges, and the amount each adds to a battery's factor."""

    edition: Edition
    ranges: RowCell
    steps: RowCell


class BatteryRow(Row, frozen=True, kw_only=True, rename={"class_": "class"}):
    """A battery in its file format."""

    id: str
    name: str
    reference: str = ""
    nation: Force
    class_: Literal["light", "medium", "heavy", "super_heavy"]
    factor: IntCell
    effectiveness: EffectCell
    limits: dict[Letter, IntCell]
    located: IntCell
    turns: IntCell
    points: IntCell


class ArtilleryFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of artillery.toml."""

    column: tuple[ColumnRow, ...]
    battery: tuple[BatteryRow, ...]


Count = Annotated[int, msgspec.Meta(ge=1)]


class Element(Row, frozen=True):
    """5.8.2 Units of one card in a formation; `weapons` are attached to each of them."""

    card: str
    count: Count
    labels: tuple[Label, ...] = ()
    weapons: tuple[str, ...] = ()


class Subordinate(Row, frozen=True):
    """5.8.2 A kind of formation subordinate to another, and how many of it there are."""

    id: str
    count: Count


class Support(Row, frozen=True):
    """6.5.1.3 A formation's off-map batteries."""

    id: str
    count: Count
    attachment: Attachment


class Formation(Row, frozen=True, kw_only=True):
    """5.8.2 A formation."""

    id: str
    name: str
    nation: Force
    level: Level
    units: tuple[Element, ...] = ()
    formations: tuple[Subordinate, ...] = ()
    batteries: tuple[Support, ...] = ()


class FormationsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of formations.toml."""

    formation: tuple[Formation, ...]
