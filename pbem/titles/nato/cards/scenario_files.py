"""35.9 Reading scenarios: the TOML files, and checks for every possible mistake in them.

    load_scenario          bytes to a Scenario, or a DataError that names every mistake
    packaged_scenarios     the ids of the packaged scenarios
    packaged_scenario      one of them
    check_scenario         a scenario in a few lines, or every mistake in it
    scenario_format        how to write one

`data/SCENARIOS.md` explains the format.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, Literal

import msgspec

from pbem.titles.data_files import DataError, nearest
from pbem.titles.nato.cards.charts import AIR_TABLES, AirPoints, AirTable, Charts, charts
from pbem.titles.nato.cards.files import Mistake, convert, packaged, packaged_names, read_toml
from pbem.titles.nato.cards.scenario import (
    BOXES,
    RULES,
    SRB,
    AirPlan,
    Arrival,
    Chemical,
    Level,
    Lift,
    Placement,
    Scenario,
    Seat,
    SupplyPlan,
    Victory,
    steps_at,
)
from pbem.titles.nato.cards.units import YEARS, Nation, UnitType, roster
from pbem.titles.nato.map import grid
from pbem.titles.nato.map.atlas import Atlas
from pbem.titles.nato.map.grid import HexId
from pbem.titles.nato.map.ground import Side, Zone
from pbem.titles.nato.map.reading import atlas as packaged_atlas
from pbem.titles.nato.map.reading import expand

STACK: Final = {"maneuver": 4, "artillery": 1, "HQ": 1}
"""9.1.1 The number of steps of each kind that a hex can hold."""


class AreaFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """2.2 The play area: rows, columns, and the zones and hexes that are left out."""

    rows: tuple[int, int] = (1, 57)
    columns: tuple[int, int] = (1, 34)
    without: tuple[Zone, ...] = ()
    closed: str = ""


class EdgeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """2.2.2 A column of the play area that is the edge of a sector."""

    sector: int
    column: int


class AirFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """23.1.1 Air points: a table, or fixed tactical and operational points for each side."""

    table: AirTable = "surprise"
    wp: tuple[int, int] | None = None
    nato: tuple[int, int] | None = None
    halved: bool = False
    die: int = 0
    bonus: int = 0


class VictoryFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """34.0 The rules of victory, as written in the file."""

    levels: tuple[Level, ...]
    excluded: str = ""
    isolated: bool = True
    division: int = 0
    automatic: bool = True


class CommandFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """35.8 A seat of a match with commands."""

    id: str
    name: str
    side: Side
    formations: tuple[str, ...] = ()
    territorials: tuple[Nation, ...] = ()
    units: str = ""
    theatre: bool = False
    table: Literal["commands", "nations"] = "commands"


class ScenarioFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """35.9 The contents of a scenario file."""

    name: str
    text: str
    turns: int
    victory: VictoryFile
    setup: dict[str, str]
    year: int = 1983
    turn_zero: bool = False
    rules: tuple[str, ...] = ()
    area: AreaFile | None = None
    edge: tuple[EdgeFile, ...] = ()
    reforger: dict[str, str] = {}
    arrivals: dict[str, tuple[str, ...]] = {}
    conquered: dict[str, Side] = {}
    air: AirFile = AirFile()
    interception: AirTable = "surprise"
    lift: dict[Side, Lift] = {}
    lift_arrivals: dict[str, dict[Side, Lift]] = {}
    attack_helicopters: tuple[str, ...] = ()
    chemical: dict[Side, Chemical] = {}
    supply: SupplyPlan = SupplyPlan()
    activation: dict[str, int] = {}
    offensive_support: tuple[str, ...] = ()
    independents: tuple[str, ...] = ()
    reforger_steps: dict[str, int] = {}
    fixed: tuple[str, ...] = ()
    withdrawals: dict[str, int] = {}
    command: tuple[CommandFile, ...] = ()


def load_scenario(
    data: bytes,
    id: str = "scenario",
    atlas: Atlas | None = None,
    units: Mapping[str, UnitType] | None = None,
    tables: Charts | None = None,
) -> Scenario:
    """35.9 Load the scenario in a file; map, units and charts default to the packaged ones."""
    file = read_file(data, id)
    if file.year not in YEARS:
        raise DataError(id, [Mistake("year", "a scenario is played in 1983 or 1988", rule="3.7")])
    scenario = assemble(file, id, atlas or packaged_atlas(), tables or charts())
    known = units or roster(file.year)
    mistakes = list(check(file, scenario, scenario.play_area(atlas or packaged_atlas()), known))
    if mistakes:
        raise DataError(id, mistakes)
    return scenario


def read_file(data: bytes, id: str) -> ScenarioFile:
    """35.9 Parse the file; an unknown key is reported with the nearest valid one."""
    tables = read_toml(data, id)
    legal = ScenarioFile.__struct_fields__
    unknown = [key for key in tables if key not in legal]
    if unknown:
        raise DataError(id, [Mistake(key, "this key has no meaning here.", nearest(key, legal)) for key in unknown])
    return convert(tables, ScenarioFile, id)


# --- putting it together -------------------------------------------------------------------------------------------


def assemble(file: ScenarioFile, id: str, atlas: Atlas, tables: Charts) -> Scenario:
    """35.9 Build the scenario that a file describes; `check` reports its mistakes."""
    area = hexes_of(file.area, atlas)
    return Scenario(
        id=id,
        name=file.name,
        text=file.text.strip(),
        year=file.year,
        turns=file.turns,
        turn_zero=file.turn_zero,
        area=area,
        sectors={
            hex: edge.sector
            for edge in file.edge
            for hex in area
            if grid.column(hex) == edge.column and atlas[hex].is_land
        },
        rules=frozenset(file.rules),
        placements=tuple(placements(file)),
        arrivals=tuple(arrivals(file)),
        conquered={hex: file.conquered[hex] for hex in sorted(file.conquered)},
        air=air_plan(file.air),
        interception=file.interception,
        lift={side: file.lift.get(side, Lift()) for side in Side},
        lift_arrivals={int(turn): sides for turn, sides in file.lift_arrivals.items() if turn.isdigit()},
        attack_helicopters=file.attack_helicopters,
        ahb_defense={
            Side.WP: tables.number("ahb_defense_wp"),
            Side.NATO: tables.number(f"ahb_defense_us_{file.year}"),
        },
        chemical={side: file.chemical.get(side, Chemical()) for side in Side},
        supply=file.supply,
        activation=file.activation,
        offensive_support=file.offensive_support,
        independents=file.independents,
        reforger_steps={int(turn): steps for turn, steps in file.reforger_steps.items() if turn.isdigit()},
        fixed=file.fixed,
        withdrawals=file.withdrawals,
        victory=victory(file.victory),
        commands=tuple(seat(command) for command in file.command),
    )


def hexes_of(area: AreaFile | None, atlas: Atlas) -> tuple[HexId, ...]:
    """2.2 The hexes of the play area; a file that lists none means the whole map."""
    if area is None:
        return ()
    closed = expand(area.closed)
    return tuple(
        hex
        for hex, place in atlas.places.items()
        if area.rows[0] <= grid.row(hex) <= area.rows[1]
        and area.columns[0] <= grid.column(hex) <= area.columns[1]
        and place.zone not in area.without
        and hex not in closed
    )


def placements(file: ScenarioFile) -> Iterator[Placement]:
    """35.9 The starting units, in file order."""
    for at, text in file.setup.items():
        yield from (Placement(unit, at) for unit in text.split())
    for at, text in file.reforger.items():
        yield from (Placement(unit, at, reforger=True) for unit in text.split())


def arrivals(file: ScenarioFile) -> Iterator[Arrival]:
    """33.0 The reinforcements: for each turn, lines with an entry code and the units that arrive under it."""
    for turn, lines in file.arrivals.items():
        for line in lines:
            code, *units = line.split()
            yield from (Arrival(int(turn) if turn.isdigit() else 0, unit, code) for unit in units)


def air_plan(file: AirFile) -> AirPlan:
    """23.1.1 How air points are determined: from a table, or fixed."""
    fixed = None if file.wp is None and file.nato is None else AirPoints(*(file.wp or (0, 0)), *(file.nato or (0, 0)))
    return AirPlan(file.table, fixed, file.halved, file.die, file.bonus)


def victory(file: VictoryFile) -> Victory:
    """34.0 The rules of victory that the file gives."""
    return Victory(file.levels, tuple(file.excluded.split()), file.isolated, file.division, file.automatic)


def seat(file: CommandFile) -> Seat:
    """35.8 A seat of a match with commands."""
    return Seat(
        file.id,
        file.name,
        file.side,
        file.formations,
        file.territorials,
        tuple(file.units.split()),
        file.theatre,
        file.table,
    )


# --- mistakes ------------------------------------------------------------------------------------------------------


def check(file: ScenarioFile, scenario: Scenario, area: Atlas, units: Mapping[str, UnitType]) -> Iterator[Mistake]:
    """35.9 Yield every mistake in a scenario."""
    yield from check_frame(file, scenario)
    yield from check_units(scenario, units)
    known = [place for place in scenario.placements if place.unit in units]
    yield from check_places(known, area, units)
    yield from check_stacking(known, area, units)
    yield from check_arrivals(scenario, area, units)
    yield from check_lists(scenario, area, units)
    yield from check_victory(scenario)
    yield from check_commands(scenario, units)


def check_frame(file: ScenarioFile, scenario: Scenario) -> Iterator[Mistake]:
    """35.1 Yield mistakes in the length, the rules in use and the turn numbers."""
    if not 1 <= scenario.turns <= 14:
        yield Mistake("turns", f"a game lasts 1 to 14 turns, not {scenario.turns}", rule="35.1")
    for rule in sorted(scenario.rules):
        if rule not in RULES:
            yield Mistake(f"rules {rule}", "there is no such part of the rules.", nearest(rule, RULES))
    for table in ("arrivals", "reforger_steps", "lift_arrivals"):
        for turn in getattr(file, table):
            if not turn.isdigit() or not 1 <= int(turn) <= scenario.turns:
                yield Mistake(f"{table}.{turn}", f"a turn is a number from 1 to {scenario.turns}", rule="33.0")
    if scenario.air.table not in AIR_TABLES:
        yield Mistake("air.table", "there is no such table", nearest(scenario.air.table, AIR_TABLES), "23.1.1")


def check_units(scenario: Scenario, units: Mapping[str, UnitType]) -> Iterator[Mistake]:
    """35.9, 3.7 Check that every unit exists in the scenario's year and comes into play only once."""
    names = [place.unit for place in scenario.placements] + [arrival.unit for arrival in scenario.arrivals]
    for unit, times in Counter(names).items():
        if unit not in units:
            yield unknown_unit(unit, scenario.year, units)
        elif times > 1:
            yield Mistake(unit, f"it comes into play {times} times", rule="35.9")


def unknown_unit(unit: str, year: int, units: Mapping[str, UnitType]) -> Mistake:
    """3.7 Report a unit that is not in the counter mix of the year."""
    printed = [each.id for each in units.values() if each.name == unit]
    near = " or ".join(printed) if printed else nearest(unit, units)
    return Mistake(unit, f"no unit of {year} has this id.", near, "3.7")


def check_places(placed: Iterable[Placement], area: Atlas, units: Mapping[str, UnitType]) -> Iterator[Mistake]:
    """35.9 Check that units begin on land inside the play area, or in a box of their side."""
    for place in placed:
        unit = units[place.unit]
        if place.at in BOXES:
            friendly = place.at == SRB or (int(place.at[-1]) < 3) == (unit.side is Side.NATO)
            if not friendly:
                yield Mistake(place.unit, f"{place.at} belongs to the enemy", rule="2.2.2")
        elif place.at not in area:
            what = f"{place.at} is not a hex of the play area, nor one of {', '.join(BOXES)}"
            yield Mistake(place.unit, what, rule="2.2")
        elif area[place.at].is_sea:
            yield Mistake(place.unit, f"{place.at} is an all-sea hex", rule="12.1.1")
        elif unit.home_bound and area[place.at].country is not unit.home:
            yield Mistake(place.unit, f"{place.at} is not in its home country, which it may not leave", rule="12.7")
        if place.reforger and (unit.nation is not Nation.US or place.at in BOXES):
            yield Mistake(place.unit, "only US units on the map begin as Reforger sites", rule="33.3")


def check_stacking(placed: Iterable[Placement], area: Atlas, units: Mapping[str, UnitType]) -> Iterator[Mistake]:
    """9.1.1 Check stacking: at most 4 maneuver steps, 1 artillery step and 1 HQ in a hex, all of one side."""
    steps: dict[HexId, Counter[str]] = {}
    sides: dict[HexId, set[Side]] = {}
    for place in placed:
        if place.at in area and not place.reforger:
            unit = units[place.unit]
            kind = "HQ" if unit.hq else "artillery" if unit.artillery else "maneuver"
            steps.setdefault(place.at, Counter())[kind] += unit.steps
            sides.setdefault(place.at, set()).add(unit.side)
    for hex, count in steps.items():
        if len(sides[hex]) > 1:
            yield Mistake(hex, "both sides begin in this hex", rule="12.1.2")
        for kind, limit in STACK.items():
            if count[kind] > limit:
                yield Mistake(hex, f"{count[kind]} {kind} steps begin here; the limit is {limit}", rule="9.1.1")


def check_arrivals(scenario: Scenario, area: Atlas, units: Mapping[str, UnitType]) -> Iterator[Mistake]:
    """33.0, 3.2.9 Check that each entry code fits its unit."""
    for arrival in scenario.arrivals:
        unit = units.get(arrival.unit)
        if unit is not None and (problem := wrong_code(arrival, unit, area)):
            yield Mistake(f"arrivals.{arrival.turn} {arrival.code} {arrival.unit}", problem, rule="3.2.9")


def wrong_code(arrival: Arrival, unit: UnitType, area: Atlas) -> str:
    """3.2.9 Return the reason why an entry code cannot be used, or an empty string."""
    if arrival.kind == "G":
        if arrival.sector not in range(1, 6) or not area.sectors[arrival.sector]:
            return f"sector {arrival.code[1:]} has no edge in the play area"
        if (arrival.sector < 3) != (unit.side is Side.NATO):
            return f"sector {arrival.sector} belongs to the enemy"
    elif arrival.kind == "RS":
        place = area.get(arrival.hex)
        if place is None or place.is_sea:
            return f"{arrival.hex} is not a land hex of the play area"
        if place.side is not unit.side:
            return f"{arrival.hex} lies in an enemy country"
    elif arrival.code == "A" and not unit.a_unit:
        return "only airborne and airmobile units arrive by air"
    elif arrival.code not in ("A", "S", "RR"):
        return "a code is A, S, RR, G with a sector or RS with a hex"
    return ""


def check_lists(scenario: Scenario, area: Atlas, units: Mapping[str, UnitType]) -> Iterator[Mistake]:
    """35.9 Check the HQs, cities and units that the scenario names elsewhere."""
    for name in ("attack_helicopters", "offensive_support"):
        for hq in getattr(scenario, name):
            if hq not in units or not units[hq].hq:
                hqs = [unit.id for unit in units.values() if unit.hq]
                yield Mistake(f"{name} {hq}", "this is not an HQ.", nearest(hq, hqs), "3.4")
    for hex in (*scenario.conquered, *scenario.victory.excluded):
        if hex not in area or not area[hex].is_city:
            yield Mistake(hex, "there is no city in this hex of the play area", rule="30.0")
    for unit in (*scenario.fixed, *scenario.withdrawals):
        if unit not in units:
            yield unknown_unit(unit, scenario.year, units)
    for key in (*scenario.activation, *scenario.independents):
        if key not in units and key not in (*Nation, "berlin"):
            yield Mistake(key, "this is neither a unit nor a nation.", nearest(key, units), "35.2")


def check_victory(scenario: Scenario) -> Iterator[Mistake]:
    """34.0 Check that the victory levels descend from the highest margin to the lowest."""
    margins = [level.margin for level in scenario.victory.levels]
    if not margins:
        yield Mistake("victory.levels", "at least one level is needed", rule="34.0")
    if margins != sorted(set(margins), reverse=True):
        yield Mistake("victory.levels", "margins must fall from level to level", rule="34.0")
    for level in scenario.victory.levels:
        if (level.winner is None) != (level.level == "draw"):
            yield Mistake("victory.levels", f"the level at {level.margin} needs a winner, or is a draw", rule="34.0")


def check_commands(scenario: Scenario, units: Mapping[str, UnitType]) -> Iterator[Mistake]:
    """35.8 Check that each side of a table has one theatre seat, and that no unit or formation has two commands."""
    for table in scenario.tables[1:]:
        seats = scenario.seats(table)
        for id, times in Counter(seat.id for seat in seats).items():
            if times > 1:
                yield Mistake(f"command {id}", f"{times} seats have this id", rule="35.8")
        for side in Side:
            yield from check_side(side, [seat for seat in seats if seat.side is side], units)


def check_side(side: Side, seats: list[Seat], units: Mapping[str, UnitType]) -> Iterator[Mistake]:
    """35.8 Check the commands of one side."""
    if sum(seat.theatre for seat in seats) != 1:
        yield Mistake(f"command {side}", "exactly one seat of a side is its theatre command", rule="35.8")
    named = Counter(name for seat in seats for name in (*seat.formations, *seat.units))
    for name, times in named.items():
        if name not in units and name not in ("ARNG", "CEN"):
            yield Mistake(f"command {name}", "no such formation or unit.", nearest(name, units), "35.8")
        elif times > 1:
            yield Mistake(f"command {name}", f"{times} seats command it", rule="35.8")


# --- our own -------------------------------------------------------------------------------------------------------


def packaged_scenarios() -> tuple[str, ...]:
    """The ids of the packaged scenarios."""
    return packaged_names("scenarios")


@cache
def packaged_scenario(id: str) -> Scenario:
    """A packaged scenario by its id."""
    return load_scenario(packaged(f"scenarios/{id}.toml"), id)


def describe(scenario: Scenario, units: Mapping[str, UnitType], area: Atlas) -> list[str]:
    """35.9 Describe a scenario in a few lines."""
    lines = [f"{scenario.name}, {scenario.year}: {scenario.turns} turns on {len(area)} hexes"]
    for side in Side:
        own = [place.unit for place in scenario.placements if units[place.unit].side is side]
        later = [arrival.unit for arrival in scenario.arrivals if units[arrival.unit].side is side]
        attack = sum(units[unit].full.attack for unit in own if units[unit].maneuver)
        start = f"{len(own)} units, {steps_at(scenario, units, side)} steps on the map, attack strength {attack}"
        lines.append(f"{side.upper()}: {start}; {len(later)} units arrive later")
    lines.append("Seats: two players")
    for table in scenario.tables[1:]:
        lines.append(f"Seats by {table}: {', '.join(seat.name for seat in scenario.seats(table))}")
    off = [rule for rule in RULES if rule not in scenario.rules]
    lines.append(f"Rules not in use: {', '.join(off)}" if off else "All rules are in use")
    return lines


def check_scenario(setup: bytes, edition: str = "") -> list[str]:
    """35.9 Describe a scenario in lines, or refuse it with every mistake; `edition` sets it in another year."""
    if edition and edition not in map(str, YEARS):
        raise DataError("scenario", [Mistake("edition", "a scenario is played in 1983 or 1988", rule="3.7")])
    if edition:
        file = read_file(setup, "scenario")
        setup = setup.replace(f"year = {file.year}".encode(), f"year = {edition}".encode(), 1)
    scenario = load_scenario(setup)
    return describe(scenario, roster(scenario.year), scenario.play_area(packaged_atlas()))


def scenario_format() -> str:
    """Instructions for writing a scenario."""
    return packaged("SCENARIOS.md").decode("utf-8").rstrip()
