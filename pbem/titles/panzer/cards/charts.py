"""The charts of the game cards, read from `data/`, each value with its source.

    1.4         Charts, charts, read_charts
    3.8         Charts.overstacked_from
    4.1.3       Charts.spotting_range, spotting_modifiers, spotting_cover; Cover
    4.1.4.1     Terrain.height, Terrain.sunken, Hexside.height, Hexside.blocks, Charts.inherent_height
    4.1.4.2.4   Charts.blind_zone, BlindZone
    4.4.3.2.2   Charts.ap_hit_modifiers, ap_cover; Modifier
    4.4.3.2.3   Charts.hit_number; RangeFactor, RANGE_FACTORS
    4.4.3.2.6   Charts.damage; Damage
    4.5.1.1.2   Charts.terrain, entry_cost, hexside, level_change_cost, smoke; Cost, PROHIBITED, WHOLE
    4.5.1.1.4   Charts.turn_cost
    4.5.1.1.5   Charts.links; Link
    editions    Edition, EDITIONS, Charts.switch, with_switches

The rulebooks print hardly any of the charts. The data files record for each cell whether it is printed in a book,
follows from a worked example, comes from public material or is ours; `sources` keeps this information.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, TypeVar

import msgspec

from pbem.titles.panzer.cards.basic_rows import (
    COVER_ORDER,
    PROHIBITED,
    WHOLE,
    BlindZoneRow,
    Cost,
    Cover,
    Damage,
    DamageFile,
    DamageRow,
    Edition,
    EditionsFile,
    GeneralFile,
    HexsideRow,
    HitFile,
    LevelRow,
    LinkKind,
    LinkRow,
    Modifier,
    ModifierFile,
    RangeFactor,
    SpottingColumn,
    SpottingFile,
    Switch,
    TerrainFile,
    TerrainRow,
    Traction,
)
from pbem.titles.panzer.cards.files import convert, packaged, read_toml

CHART_FILES: Final = (
    "terrain.toml",
    "spotting.toml",
    "ap_hit.toml",
    "ap_hit_modifiers.toml",
    "ap_damage.toml",
    "general.toml",
    "editions.toml",
)


T = TypeVar("T")


# --- the charts used by the rules ----------------------------------------------------------------------------


class Terrain(msgspec.Struct, frozen=True):
    """4.5.1.1.2 One terrain type; a building's height applies per storey."""

    id: str
    name: str
    symbol: str
    height: int
    per_storey: bool
    spotting_cover: Cover
    ap_cover: Cover
    entry: dict[Traction, Cost]
    turn: Cost
    sources: dict[str, str]

    @property
    def sunken(self) -> bool:
        """4.1.4.1.6 Whether this is a gully, ditch, ford or stream, one level below the surrounding ground."""
        return self.height < 0

    @property
    def can_block(self) -> bool:
        """4.1.4.1.2 Whether the terrain is high enough to block a line of sight."""
        return self.height >= 1


class Hexside(msgspec.Struct, frozen=True):
    """4.1.4.1.5, 4.5.1.1.2 One kind of hexside; `level_only` means that the cost applies at equal levels only."""

    id: str
    name: str
    height: int
    blocks: bool
    crossing: dict[Traction, Cost]
    level_only: bool
    sources: dict[str, str]


class Link(msgspec.Struct, frozen=True):
    """4.5.1.1.5, 4.5.1.1.11 The cost of following a path, road or track; `less` lowers the cost of a level change."""

    id: LinkKind
    name: str
    cost: int
    turn: int
    less: int
    sources: dict[str, str]


class BlindZone(msgspec.Struct, frozen=True):
    """4.1.4.2.4 The numbers of the blind zone; `smallest_divisor` belongs to 4.1.4.2.4.1."""

    divisors: dict[int, int]
    minimum: int
    fixed_from: int
    fixed: int
    smallest_divisor: int


class Smoke(msgspec.Struct, frozen=True):
    """4.5.1.1.2 The cost that brew-up smoke adds to entering and to a paid turn; 4.1.4.1.9 its height."""

    enter: int
    turn: int
    height: int


class Charts(msgspec.Struct, frozen=True):
    """1.4 All charts of one edition."""

    edition: Edition
    terrains: dict[str, Terrain]
    hexsides: dict[str, Hexside]
    level_changes: dict[int, dict[Traction, Cost]]
    links: dict[LinkKind, Link]
    smoke: Smoke
    spotting_ranges: dict[int, dict[SpottingColumn, int]]
    spotting_modifiers: tuple[Modifier, ...]
    hit_numbers: dict[int, dict[RangeFactor, int]]
    ap_hit_modifiers: tuple[Modifier, ...]
    damage_rows: tuple[DamageRow, ...]
    overstacked_from: int
    blind_zone_numbers: BlindZone
    switches: dict[str, bool]

    def terrain(self, terrain_id: str) -> Terrain:
        """A terrain type's row, in this edition's terms."""
        return self.terrains[terrain_id]

    def hexside(self, hexside_id: str) -> Hexside:
        """A hexside type's row."""
        return self.hexsides[hexside_id]

    def switch(self, switch_id: str) -> bool:
        """Whether a rule that only some editions have is in force."""
        return self.switches.get(switch_id, False)  # charts of an older match have fewer

    def rows(self, terrain_ids: Iterable[str]) -> list[Terrain]:
        """The rows that apply to a hex. A bridge hides the water or sunken ground below it (4.1.4.1.6)."""
        rows = [self.terrains[terrain_id] for terrain_id in terrain_ids]
        if any(row.id == "bridge" for row in rows):
            rows = [row for row in rows if not row.sunken and row.id != "water"]
        return rows

    def spotting_cover(self, terrain_ids: Iterable[str]) -> Cover:
        """4.1.3 Cover against spotting, from the terrain type best for the target (A-06)."""
        return best_cover(row.spotting_cover for row in self.rows(terrain_ids))

    def ap_cover(self, terrain_ids: Iterable[str]) -> Cover:
        """4.4.3.2.2 Cover against AP fire, from the terrain type best for the target (A-06)."""
        return best_cover(row.ap_cover for row in self.rows(terrain_ids))

    def inherent_height(self, terrain_ids: Iterable[str], storeys: int = 1) -> int:
        """4.1.4.1 The height of the tallest terrain above the hex's ground; sunken ground adds nothing."""
        return max(
            (row.height * (storeys if row.per_storey else 1) for row in self.rows(terrain_ids) if row.can_block),
            default=0,
        )

    def entry_cost(self, terrain_ids: Iterable[str], traction: Traction) -> Cost:
        """4.5.1.1.2 The cost of entering cross-country: the most expensive type applies (R-14)."""
        return dearest(row.entry[traction] for row in self.rows(terrain_ids))

    def turn_cost(self, terrain_ids: Iterable[str]) -> Cost:
        """4.5.1.1.4 The cost of turning more than one hexside: the highest Turn value applies (R-16)."""
        return dearest(row.turn for row in self.rows(terrain_ids))

    def level_change_cost(self, levels: int, traction: Traction) -> Cost:
        """4.5.1.1.2 The surcharge for this many levels up or down; prohibited beyond the table."""
        if levels == 0:
            return 0
        row = self.level_changes.get(levels)
        return row[traction] if row else PROHIBITED

    def spotting_range(self, net: int, column: SpottingColumn = "V") -> int:
        """4.1.3 The range in hexes at which a target can be spotted; the net modifier is clamped to the table."""
        row = self.spotting_ranges.get(net)  # most are in the table
        return (row or self.spotting_ranges[clamp(net, self.spotting_ranges)])[column]

    def hit_number(self, factor: RangeFactor, net: int) -> int:
        """4.4.3.2.3 The highest roll that hits; 0 means no attack is possible."""
        return self.hit_numbers[clamp(net, self.hit_numbers)][factor]

    def damage(self, difference: int) -> Damage | None:
        """4.4.3.2.6 The effect of penetration minus armour; None if the shot does not penetrate."""
        for row in self.damage_rows:
            if row.first <= difference and (row.last is None or difference <= row.last):
                return row.result
        return None

    def blind_zone(self, below: int, distance: int, lower_height: int) -> int:
        """4.1.4.2.4 Hexes hidden behind an obstacle `below` levels lower than the higher unit, `distance` away."""
        numbers = self.blind_zone_numbers
        if below >= numbers.fixed_from:
            return numbers.fixed
        divisor = numbers.divisors[below]
        if self.switches["blind_zone_correction"]:  # 4.1.4.2.4.1
            divisor = max(numbers.smallest_divisor, divisor + lower_height)
        return max(numbers.minimum, distance // divisor)


def clamp(net: int, table: Mapping[int, object]) -> int:
    """The table row nearest to a net modifier."""
    return max(min(table), min(max(table), net))


def best_cover(covers: Iterable[Cover]) -> Cover:
    """4.1.3 The cover that is best for the target; types with cover Other use the rest of the hex (A-06)."""
    return max((cover for cover in covers if cover is not Cover.OTHER), key=COVER_ORDER.index, default=Cover.NONE)


def dearest(costs: Iterable[Cost]) -> Cost:
    """R-14 The most expensive cost; prohibited outranks the whole allowance, which outranks any number."""
    listed = list(costs)
    for absolute in (PROHIBITED, WHOLE):
        if absolute in listed:
            return absolute
    return max(cost for cost in listed if isinstance(cost, int))


# --- reading ---------------------------------------------------------------------------------------------------


@cache
def charts(edition: Edition) -> Charts:
    """An edition's packaged charts."""
    return read_charts({name: packaged(name) for name in CHART_FILES}, edition)


def read_charts(files: Mapping[str, bytes], edition: Edition) -> Charts:
    """Read an edition's charts from the bytes of all `CHART_FILES`."""
    terrain = _read("terrain.toml", files, TerrainFile)
    spotting = _read("spotting.toml", files, SpottingFile)
    general = _read("general.toml", files, GeneralFile)
    editions = _read("editions.toml", files, EditionsFile)
    return Charts(
        edition=edition,
        terrains=_terrains(terrain.terrain, edition),
        hexsides={row.id: _hexside(row) for row in terrain.hexside},
        level_changes={row.levels: _by_traction(row) for row in terrain.level_change},
        links={row.id: _link(row) for row in terrain.link},
        smoke=Smoke(
            enter=terrain.brew_up_smoke.enter.value,
            turn=terrain.brew_up_smoke.turn.value,
            height=terrain.brew_up_smoke.height.value,
        ),
        spotting_ranges={row.net: {"V": row.V.value, "L": row.L.value, "S": row.S.value} for row in spotting.row},
        spotting_modifiers=spotting.modifier,
        hit_numbers={
            row.net: {"P": row.P.value, "S": row.S.value, "M": row.M.value, "L": row.L.value, "E": row.E.value}
            for row in _read("ap_hit.toml", files, HitFile).row
        },
        ap_hit_modifiers=_read("ap_hit_modifiers.toml", files, ModifierFile).modifier,
        damage_rows=_read("ap_damage.toml", files, DamageFile).row,
        overstacked_from=general.stacking.overstacked_from.value,
        blind_zone_numbers=_blind_zone(general.blind_zone),
        switches={switch.id: edition in switch.editions for switch in editions.switch},
    )


def switches() -> tuple[Switch, ...]:
    """The packaged differences between the books that a scenario may set for itself."""
    file = "editions.toml"
    return _read(file, {file: packaged(file)}, EditionsFile).switch


def with_switches(charts: Charts, changes: Mapping[str, bool]) -> Charts:
    """The charts with some switches changed, as a scenario may do."""
    return msgspec.structs.replace(charts, switches=charts.switches | dict(changes))


def _read(name: str, files: Mapping[str, bytes], shape: type[T]) -> T:
    return convert(read_toml(files[name], name), shape, name)


def _terrains(rows: Sequence[TerrainRow], edition: Edition) -> dict[str, Terrain]:
    """Every terrain by id; terrain from another edition is read as its counterpart in this one, if any."""
    by_id = {row.id: row for row in rows}
    return {
        row.id: _terrain(row, by_id[row.counterpart] if row.counterpart and edition not in row.editions else row)
        for row in rows
    }


def _terrain(drawn: TerrainRow, row: TerrainRow) -> Terrain:
    """A terrain with the id and symbol of `drawn`, which maps use, and all other values of `row`."""
    return Terrain(
        id=drawn.id,
        name=row.name,
        symbol=drawn.symbol,
        height=row.height.value,
        per_storey=row.storeys,
        spotting_cover=row.spotting.value,
        ap_cover=row.ap.value,
        entry=_by_traction(row),
        turn=row.turn.value,
        sources=row.sources,
    )


def _hexside(row: HexsideRow) -> Hexside:
    return Hexside(
        id=row.id,
        name=row.name,
        height=row.height.value,
        blocks=row.blocks.value,
        crossing=_by_traction(row),
        level_only=row.level_only,
        sources=row.sources,
    )


def _link(row: LinkRow) -> Link:
    return Link(
        id=row.id, name=row.name, cost=row.cost.value, turn=row.turn.value, less=row.less.value, sources=row.sources
    )


def _by_traction(row: TerrainRow | HexsideRow | LevelRow) -> dict[Traction, Cost]:
    return {"T": row.T.value, "H": row.H.value, "W": row.W.value}


def _blind_zone(row: BlindZoneRow) -> BlindZone:
    return BlindZone(
        divisors={divisor.below: divisor.divisor.value for divisor in row.divisor},
        minimum=row.minimum.value,
        fixed_from=row.fixed_from.value,
        fixed=row.fixed.value,
        smallest_divisor=row.smallest_divisor.value,
    )
