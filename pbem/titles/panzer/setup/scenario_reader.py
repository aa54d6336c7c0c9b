"""2.0 Reading scenarios of the advanced game from files: their schema, and every possible mistake.

    2.0          load_advanced, AdvancedSchema, AdvancedLoader
    5.8          formations, grades, labels
    5.1.3        attached weapons
    6.6.7.1      passengers
    6.1.4        full cover, hull down, buildings, positions
    5.3, 5.4     batteries, aircraft
    6.1.4.3      features
    5.8.2        `[[take]]`: a whole formation of `formations.toml` in a few lines (`taking`)

The file is that of the basic game (`scenario_file`) with a table `[advanced]`; `data/SCENARIOS.md` describes it for
players. A DataError lists every mistake with its place, reason, rule and the nearest legal value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, get_args

import msgspec
from marshmallow import ValidationError

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.titles.data_files import DataError, nearest
from pbem.titles.panzer.cards.advanced_cards import AdvancedCards, advanced_cards, with_mounts
from pbem.titles.panzer.cards.advanced_charts import AdvancedCharts, advanced_charts
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.cards.board import Board, read_board
from pbem.titles.panzer.cards.chart_rows import GRADES
from pbem.titles.panzer.cards.charts import Charts, charts
from pbem.titles.panzer.cards.files import Mistake, read_toml
from pbem.titles.panzer.rules_in_use import (
    READY,
    RULES,
    WITHOUT,
    ids_in,
    mistakes_in,
    optional_rules,
    rules_in_use,
)
from pbem.titles.panzer.setup import taking
from pbem.titles.panzer.setup.advanced_schemas import COMMAND_LEVELS, LINKS, AdvancedSchema
from pbem.titles.panzer.setup.file_schemas import (
    shape_mistakes,
)
from pbem.titles.panzer.setup.mine_laying import MINE_KINDS, MINES, is_contiguous, mine_objections
from pbem.titles.panzer.setup.scenario import (
    AdvancedScenario,
    AdvancedUnit,
    AircraftRow,
    BatteryRow,
    Conditions,
    FeatureRow,
    FormationRow,
    Sun,
)
from pbem.titles.panzer.setup.scenario_file import Unit
from pbem.titles.panzer.setup.unit_checks import BUILDINGS, MOUNTS, UnitChecks

NEVER_PLACED: Final = ("smoke", "barrage", "dust", "rooftop")
"""6.1.4.3 Features that only come into being during play."""
CLOSED_TO_FEATURES: Final = ("stream", "ford", "water", *BUILDINGS)
"""6.1.4.3 Terrain in which a scenario cannot place obstacles."""
FREE_OF_TERRAIN: Final = ("on_fire", "wood_rubble", "brick_rubble", "stone_rubble", "bridge", "bridge_rubble")
DITCH: Final = "ditch"
SUNKEN: Final = "gully"
"""7.30 The terrain that a sunken road counts as, one level lower."""
HEX_CONDITIONS: Final = ("ground_hexes", "narrow_hexes", "sunken_roads")
CONDITION_RULES: Final[Mapping[str, str]] = {
    "spotting": "weather",
    "caution": "weather",
    "ground": "weather",
    "bog": "bogging_down",
    "own_mines": "minefields",
    "narrow": "narrow_roads",
    "narrow_hexes": "narrow_roads",
    "sunken_roads": "narrow_roads",
    "bridges": "weight_limits",
    "bridge_limits": "weight_limits",
    "burning_woods": "fires",
}
"""7.29-7.36 The rule that must be in use for each condition to matter."""


# --- loading -------------------------------------------------------------------------------------------------


class Printed(NamedTuple):
    """1.4, 1.6 An edition's charts and cards, shared by all scenarios."""

    charts: Charts
    advanced: AdvancedCharts
    book: AdvancedCards


def packaged_printed(edition: Edition) -> Printed:
    """1.4, 1.6 The charts and cards that come with the title."""
    return Printed(charts(edition), advanced_charts(edition), advanced_cards(edition))


def load_advanced(
    data: bytes | str,
    boards: Mapping[str, Board | bytes],
    *,
    edition: Edition | None = None,
    printed: Callable[[Edition], Printed] = packaged_printed,
    options: Mapping[str, Any] | None = None,
    file: str = "scenario",
) -> AdvancedScenario:
    """2.0 Load a scenario from a file, with its board. `edition` and `options` are those of the match.

    `printed` gives the charts and cards of the match.
    """
    tables = read_toml(data, file, "2.0")
    try:
        loaded: dict[str, Any] = AdvancedSchema().load(tables)
    except ValidationError as error:
        raise DataError(file, list(shape_mistakes(tables, error.messages, AdvancedSchema()))) from error
    if loaded["map"] not in boards:
        what = f"there is no map '{loaded['map']}'."
        raise DataError(file, [Mistake("map", what, nearest(loaded["map"], boards), "2.0")])
    papers = with_switched_cards(printed, edition or loaded["edition"], loaded.get("special", {}).get("switches", {}))
    found = boards[loaded["map"]]
    board = found if isinstance(found, Board) else read_board(found, f"{loaded['map']}.toml", papers.charts)
    return AdvancedLoader(loaded, board, papers, options or {}, file).scenario()


def with_switched_cards(
    printed: Callable[[Edition], Printed], edition: Edition, switches: Mapping[str, bool]
) -> Printed:
    """5.1 An edition's charts and cards, with the scenario's choice of bicycles and cavalry."""
    papers = printed(edition)
    wanted = switches.get(MOUNTS, papers.charts.switch(MOUNTS))
    if wanted == papers.charts.switch(MOUNTS):
        return papers
    others = [printed(other).book for other in EDITIONS if other != edition]
    return papers._replace(book=with_mounts(papers.book, others if wanted else ()))


KINDS_IN_WORDS: Final[Mapping[str, str]] = {
    "int": "a whole number",
    "float": "a number with a fraction",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}


def shape_in_words(error: str, wanted: Any) -> str:
    """Say what is wrong with a value's type, and what type is expected."""
    if found := re.search(r"Expected `(\w+)`, got `(\w+)`", error):
        right, wrong = (KINDS_IN_WORDS.get(word, word) for word in found.groups())
        return f"this must be {right}, not {wrong}."
    choice = wanted if get_args(wanted)[1:2] != (...,) else get_args(wanted)[0]
    words = ", ".join(str(one) for one in get_args(choice) if one)
    found = re.search(r"value '(.*)'", error)
    return f"'{found[1] if found else ''}' is not possible here; use one of {words}."


class AdvancedLoader(UnitChecks):
    """Converts a well-formed file into a scenario; collects contradictions with the board, the cards or itself."""

    def __init__(
        self,
        tables: dict[str, Any],
        board: Board,
        papers: Printed,
        options: Mapping[str, Any],
        file: str,
    ) -> None:
        book = papers.book
        self.book = book
        self.advanced = papers.advanced
        self.table: dict[str, Any] = tables["advanced"]
        basic = {id: card.card for id, card in book.vehicles.items()}
        super().__init__(tables, board, papers.charts, {**basic, **book.towed, **book.legs}, file)
        self.rules = self.read_rules(options)
        self.take_formations()
        self.formations = self.read_formations()
        self.features = tuple(self.read_features())

    def adapt(self, board: Board) -> Board:
        """7.30 The board with sunken roads treated as gullies in their hexes."""
        board = super().adapt(board)
        wanted = self.tables.get("conditions", {}).get("sunken_roads", [])
        names = wanted if isinstance(wanted, list) and "narrow_roads" in self.table.get(RULES, []) else []
        sunken = [hex for name in names for hex in self.hexes_of("conditions, sunken_roads", [str(name)])]
        types = {hex: (*board.terrain(hex), SUNKEN) for hex in sunken if SUNKEN not in board.terrain(hex)}
        return board.with_terrain(types, self.charts) if types else board

    def scenario(self) -> AdvancedScenario:
        """2.0 Return the scenario, or raise a DataError with every mistake."""
        units = self.settle([self.advance(unit, row) for unit, row in self.read_rows()])
        self.check_units(units)
        self.check_ids(units)
        self.check_places(units)
        scenario = AdvancedScenario(
            **self.basic_part(units),
            formations=self.formations,
            batteries=tuple(self.read_batteries()),
            aircraft=tuple(self.read_aircraft()),
            features=self.features,
            force_grades=self.read_force_grades(),
            rules=self.rules,
            heat_haze=self.table.get("heat_haze", False),
            dust=self.read_dust(),
            sun=self.read_sun(),
            desert_buildings=self.read_desert_buildings(),
            air_superiority=self.read_superiority(),
            conditions=self.read_conditions(),
            date=self.table.get("date", ""),
        )
        if self.mistakes:
            raise DataError(self.file, self.mistakes)
        return scenario

    # --- [advanced]

    def read_rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """AG, 7.0 The rules in use, according to the file and the match options."""
        without, optional = self.table.get(WITHOUT, []), self.table.get(RULES, [])
        in_use = rules_in_use(without, optional, options)
        edition = self.charts.edition
        self.mistakes += mistakes_in("advanced", without, optional, edition, in_use)
        chosen = ids_in(options.get(WITHOUT, ())), ids_in(options.get(RULES, ()))
        self.mistakes += mistakes_in("options", *chosen, edition, in_use)
        for rule in self.table.get(READY, []):
            self.is_known(f"advanced, {READY}", "optional rule", rule, list(optional_rules()), "7.0")
        return in_use

    def read_force_grades(self) -> dict[str, Any]:
        """5.8.1 The force grade of each side, which is required."""
        grades: dict[str, Any] = self.table.get("force_grades", {})
        for side in grades:
            self.is_known("advanced, force_grades", "side", side, self.side_ids, "5.8.1")
        if missing := [side for side in self.side_ids if side not in grades]:
            self.mistake("advanced, force_grades", f"give a grade to {', '.join(missing)}.", rule="5.8.1")
        return {side: grades.get(side, "seasoned") for side in self.side_ids}

    def only_2024(self, what: str, switch: str, rule: str) -> bool:
        """Whether dust, sun or desert buildings apply; in the 2016 book only if the scenario switches them on."""
        wanted, switched = bool(self.table.get(what)), self.charts.switch(switch)
        if wanted and not switched and self.charts.edition == "2016" and self.tables["edition"] == "2016":
            why = f"the 2016 book has no such rule; [special] switches = {{{switch} = true}} adds it."
            self.mistake(f"advanced, {what}", why, rule=rule)
        return switched or (wanted and self.charts.edition == "2024")

    def read_dust(self) -> bool:
        """6.1.4.3.12 Whether there is dust, which only the 2024 book has."""
        return self.only_2024("dust", "dust", "6.1.4.3.12")

    def read_sun(self) -> Sun | None:
        """6.1.4.3.13 Sun blinding, which only the 2024 book has."""
        if not self.only_2024("sun", "sun_blinding", "6.1.4.3.13"):
            return None
        if "sun" not in self.table:
            self.mistake("advanced", "say where the sun is: sun = {edge, ap, gp}.", rule="6.1.4.3.13")
            return None
        return Sun(**self.table["sun"])

    def read_desert_buildings(self) -> bool:
        """4.1.4.1.3.1 Whether buildings have a usable roof, which only the 2024 book allows."""
        return self.only_2024("desert_buildings", "desert_buildings", "4.1.4.1.3.1")

    def read_superiority(self) -> str:
        """6.7 The side with air superiority; only it may have aircraft."""
        side: str = self.table.get("air_superiority", "")
        if side:
            self.is_known("advanced, air_superiority", "side", side, self.side_ids, "6.7")
        flying = list(dict.fromkeys(row["side"] for row in self.tables["aircraft"]))
        for other in flying:
            if side in self.side_ids and other != side:
                self.mistake("aircraft", f"{side} has air superiority, so {other} has no aircraft.", side, "6.7")
        if len(flying) > 1 and not side:
            self.mistake("aircraft", "only one side may have aircraft.", rule="6.7")
        return side or (flying[0] if flying else "")

    def read_conditions(self) -> Conditions:
        """7.0 The settings for optional rules."""
        given = self.tables.get("conditions", {})
        legal = [field.name for field in msgspec.structs.fields(Conditions)]
        if unknown := [key for key in given if key not in legal]:
            for key in unknown:
                self.mistake("conditions", f"the key '{key}' has no meaning here.", nearest(key, legal), "7.0")
            return Conditions()
        wrong = [key for key in given if not self.has_right_shape(key, given[key])]
        found = msgspec.convert({key: given[key] for key in given if key not in wrong}, Conditions)
        self.check_conditions(found)
        return msgspec.structs.replace(found, **{key: self.names_of(key, found) for key in HEX_CONDITIONS})

    def has_right_shape(self, key: str, value: Any) -> bool:
        """7.0 Whether a condition has the right type: a number, a word or a table. If not, record a mistake."""
        try:
            msgspec.convert({key: value}, Conditions)
        except msgspec.ValidationError as error:
            field = next(field for field in msgspec.structs.fields(Conditions) if field.name == key)
            self.mistake(f"conditions, {key}", shape_in_words(str(error), field.type), rule="7.0")
            return False
        return True

    def names_of(self, key: str, found: Conditions) -> tuple[str, ...]:
        """7.30, 7.36.3 The hexes listed in a condition, by name."""
        return tuple(hex_name(hex) for hex in self.hexes_of(f"conditions, {key}", list(getattr(found, key))))

    def check_conditions(self, found: Conditions) -> None:
        """7.29, 7.32, 7.35.4, 7.36 Check that terrain and bridges exist, and that the rules needed are in use."""
        for key, rule in CONDITION_RULES.items():
            if getattr(found, key) not in ((), {}, "", 0, "none", False):
                self.require_rule(f"conditions, {key}", rule, f"'{key}'")
        if found.ground == "mud":
            self.require_rule("conditions, ground", "bogging_down", "mud (7.36.3)")
        terrain = [*self.advanced.terrains, *LINKS]
        for key, rule in (
            ("ground_terrain", "7.36.3"), ("hull_down", "6.6.9"), ("bog", "7.29"), ("burning_woods", "7.35.4"),
        ):  # fmt: skip
            for name in getattr(found, key):
                self.is_known(f"conditions, {key}", "terrain", name, terrain, rule)
        for building in found.burning_woods.values():
            self.is_known("conditions, burning_woods", "building", building, list(BUILDINGS), "7.35.4")
        for hex in self.hexes_of("conditions, bridge_limits", list(found.bridge_limits)):
            if not self.board.is_bridge(hex):
                self.mistake("conditions, bridge_limits", f"there is no bridge in {hex_name(hex)}.", rule="7.32")
        for key in ("narrow_hexes", "sunken_roads"):
            for hex in self.hexes_of(f"conditions, {key}", list(getattr(found, key))):
                if not self.board.links(hex):
                    self.mistake(f"conditions, {key}", f"there is no road or path in {hex_name(hex)}.", rule="7.30")
        for key, rule in (("hidden_counters", "7.2.2"), ("counter_battery", "7.28"), ("command_span", "7.52")):
            for side in getattr(found, key):
                self.is_known(f"conditions, {key}", "side", side, self.side_ids, rule)
        for label in (label for spans in found.command_span.values() for label in spans):
            self.is_known("conditions, command_span", "headquarters", label, list(COMMAND_LEVELS), "7.52")
        if not -5 <= found.spotting <= 0:
            self.mistake("conditions, spotting", "give a shift of 1 to 5 rows, e.g. -3.", rule="7.36.1")

    # --- formations

    def take_formations(self) -> None:
        """5.8.2 Expand `[[take]]` into ordinary rows from the book of formations."""
        for row in self.tables["take"]:
            where = f"take {row['id']}"
            if not self.is_known(f"{where}, side", "side", row["side"], self.side_ids, "5.8.2"):
                continue
            if not self.is_known(f"{where}, formation", "formation", row["formation"], self.book.formations, "5.8.2"):
                continue
            self.check_take(where, row)
            taken = taking.expand_take(self.book, row, self.default_hexes(where, row))
            self.tables["formation"] += taken.formations
            self.tables["battery"] += taken.batteries
            side = next(side for side in self.tables["side"] if side["id"] == row["side"])
            side["units"] += taken.units
            for problem in taken.problems:
                self.mistake(where, problem, rule="5.8.2")

    def check_take(self, where: str, row: Mapping[str, Any]) -> None:
        """5.8.2 Check that a separate formation has a grade; units that join another formation use its grade."""
        if "into" not in row and "grade" not in row:
            self.mistake(f"{where}, grade", f"give it a grade: {', '.join(GRADES)}.", rule="5.8.2")
        for key in ("name", "parent", "cohesion", "level", "cohesion_modifier"):
            if "into" in row and key in row:
                self.mistake(
                    f"{where}, {key}", f"its units join {row['into']}, which has a grade of its own.", rule="5.8.2"
                )
        if "count" in row and "into" not in row:
            self.mistake(
                f"{where}, count",
                "several formations of a kind need several ids; or add the units to one with `into`.",
            )

    def default_hexes(self, where: str, row: Mapping[str, Any]) -> taking.Places:
        """R-02 The places for a formation's units: the listed hexes, or its area, as far as each card may enter."""
        hexes = self.hexes_of(f"{where}, hexes", row.get("hexes", []))
        area = self.areas.get(row.get("area", ""))
        hexes = hexes or (area.hexes if area else ())
        return taking.Places(
            {card: [hex for hex in hexes if self.can_stand(self.cards[card], hex)] for card in self.cards}
        )

    def read_formations(self) -> dict[str, FormationRow]:
        """5.8.2 The formations of both sides, each with a parent on its own side or none."""
        found: dict[str, FormationRow] = {}
        for row in self.tables["formation"]:
            where = f"formation {row['id']}"
            if row["id"] in found:
                self.mistake(where, "another formation has the same id.", rule="5.8.2")
            self.is_known(f"{where}, side", "side", row["side"], self.side_ids, "5.8.2")
            found[row["id"]] = FormationRow(**row)
        for formation in found.values():
            self.check_parent(formation, found)
        return found

    def check_parent(self, formation: FormationRow, all: Mapping[str, FormationRow]) -> None:
        """5.8.2 Check that a formation's chain of parents stays on its side and does not lead back to itself."""
        where = f"formation {formation.id}, parent"
        if not formation.parent or not self.is_known(where, "formation", formation.parent, all, "5.8.2"):
            return
        if all[formation.parent].side != formation.side:
            self.mistake(where, f"{formation.parent} belongs to the other side.", rule="5.8.2")
        above, seen = formation.parent, [formation.id]
        while above in all and above not in seen:
            seen.append(above)
            above = all[above].parent
        if above == formation.id:
            self.mistake(where, f"{formation.id} is above itself.", rule="5.8.2")

    def formation_of(self, where: str, side: str, row: Mapping[str, Any]) -> FormationRow | None:
        """5.8.2 The formation a unit names; this may be omitted if its side has only one."""
        own = [formation.id for formation in self.formations.values() if formation.side == side]
        if not own:
            self.mistake(where, f"{side} has no formation; add a [[formation]].", rule="5.8.2")
            return None
        if "formation" not in row and len(own) > 1:
            self.mistake(where, f"say which formation the unit belongs to: {', '.join(own)}.", rule="5.8.2")
            return None
        name = row.get("formation", own[0])
        known = self.is_known(f"{where}, formation", "formation of this side", name, own, "5.8.2")
        return self.formations[name] if known else None

    # --- units

    def read_rows(self) -> Iterator[tuple[Unit, dict[str, Any]]]:
        """R-02 Every unit as the basic game reads it, together with its row."""
        for side in self.tables["side"]:
            for row in side["units"]:
                yield self.read_unit(f"side {side['id']}, unit {row['id']}", side["id"], row), row

    def advance(self, unit: Unit, row: dict[str, Any]) -> AdvancedUnit:
        """5.0 The unit with its advanced game data."""
        where = f"side {unit.side}, unit {unit.id}"
        formation = self.formation_of(where, unit.side, row)
        return AdvancedUnit(
            **msgspec.structs.asdict(unit),
            formation=formation.id if formation else "",
            grade=row.get("grade", formation.grade if formation else "seasoned"),
            labels=tuple(row.get("labels", ())),
            weapons=tuple(row.get("weapons", ())),
            aboard=row.get("aboard", ""),
            transport=row.get("transport", ""),
            full_cover=row.get("full_cover", False),
            hull_down=row.get("hull_down", ""),
            inside=row.get("inside", ""),
            position=row.get("position", ""),
            suppressed=row.get("suppressed", False),
            hidden=row.get("hidden", False),
            camouflaged=row.get("camouflaged", False),
            platoon=row.get("platoon", ""),
        )

    def check_beginning(self, where: str, row: dict[str, Any]) -> None:
        """R-02, 6.6.7 Check that a passenger starts with its carrier, and all others as in the basic game."""
        if "aboard" not in row:
            super().check_beginning(where, row)
        elif given := [key for key in ("hex", "facing", "turn", "entry", "area") if key in row]:
            self.mistake(
                where, f"the unit starts aboard {row['aboard']}, so leave out {', '.join(given)}.", rule="6.6.7"
            )

    def worth(self, row: dict[str, Any]) -> int:
        """R-04 The points for eliminating a unit, including its weapons."""
        default = self.tables.get("victory", {}).get("eliminated", 0)
        if default == "points":
            weapons = [self.book.attached[name] for name in row.get("weapons", []) if name in self.book.attached]
            points = self.book.unit_points(row["card"]) if row["card"] in self.cards else 0
            default = points + sum(weapon.points.value for weapon in weapons)
        return int(row.get("vp", default))

    def settle(self, units: Sequence[AdvancedUnit]) -> tuple[AdvancedUnit, ...]:
        """6.6.7 Give passengers the hex, facing and time of entry of their carriers."""
        by_id = {unit.id: unit for unit in units}
        return tuple(self.with_carrier(unit, by_id) for unit in units)

    def with_carrier(self, unit: AdvancedUnit, by_id: Mapping[str, AdvancedUnit]) -> AdvancedUnit:
        where = f"side {unit.side}, unit {unit.id}, aboard"
        own = [id for id, other in by_id.items() if other.side == unit.side and other.card in self.book.vehicles]
        if not unit.aboard or not self.is_known(where, "vehicle of this side", unit.aboard, own, "6.6.7"):
            return unit
        carrier = by_id[unit.aboard]
        return msgspec.structs.replace(
            unit, hex=carrier.hex, facing=carrier.facing, turn=carrier.turn, entry=carrier.entry
        )

    # --- support

    def read_batteries(self) -> Iterator[BatteryRow]:
        """5.3, 6.5.1.3 The off-map batteries, with the formations they support."""
        for row in self.tables["battery"]:
            where = f"battery {row['id']}"
            self.require_rule(where, "indirect_fire", "a battery")
            self.is_known(f"{where}, side", "side", row["side"], self.side_ids, "5.3")
            self.is_known(f"{where}, card", "battery", row["card"], self.book.batteries, "5.3")
            own = [formation.id for formation in self.formations.values() if formation.side == row["side"]]
            self.is_known(f"{where}, formation", "formation of this side", row["formation"], own, "6.5.1.3")
            yield BatteryRow(**{"attachment": "attached", **row})

    def read_aircraft(self) -> Iterator[AircraftRow]:
        """5.4 The aircraft of the side that has them."""
        for row in self.tables["aircraft"]:
            where = f"aircraft {row['id']}"
            self.require_rule(where, "aircraft", "an aircraft")
            self.is_known(f"{where}, side", "side", row["side"], self.side_ids, "6.7")
            self.is_known(f"{where}, card", "aircraft", row["card"], self.book.aircraft, "5.4")
            if row.get("earliest", 1) > self.tables["turns"]:
                what = f"the scenario ends after turn {self.tables['turns']}."
                self.mistake(f"{where}, earliest", what, rule="6.7.2.1")
            yield AircraftRow(**row)

    def read_features(self) -> Iterator[FeatureRow]:
        """6.1.4.3 A counter for each hex in a row; if there are several, their ids are numbered."""
        placed = [id for id in (DITCH, *self.advanced.features) if id not in NEVER_PLACED]
        for row in self.tables["feature"]:
            where = f"feature {row['id']}"
            known = self.is_known(f"{where}, type", "terrain feature", row["type"], placed, "6.1.4.3")
            if "side" in row:
                self.is_known(f"{where}, side", "side", row["side"], self.side_ids, "6.1.4.3")
            if row["type"] in MINES:
                self.check_minefield(where, row)
            if row.get("hidden") and "side" not in row:
                self.mistake(f"{where}, hidden", "say which side keeps it hidden.", rule="6.1.4.3.8")
            self.check_feature_area(where, row)
            hexes = self.hexes_of(f"{where}, hexes", row["hexes"])
            for count, hex in enumerate(hexes, start=1):
                if known:
                    self.check_feature_place(where, row["type"], hex)
                more = {key: value for key, value in row.items() if key not in ("id", "hexes")}
                more |= {"field": row["id"]} if row["type"] in MINES else {}
                yield FeatureRow(id=row["id"] if len(hexes) == 1 else f"{row['id']}{count}", hex=hex, **more)

    def check_minefield(self, where: str, row: Mapping[str, Any]) -> None:
        """7.31.1 Check that a field is contiguous, of a known kind, and not in terrain closed to mines."""
        self.require_rule(where, "minefields", "a minefield")
        if row.get("of"):
            self.is_known(f"{where}, of", "kind of mines", row["of"], list(MINE_KINDS), "7.31")
        hexes = self.hexes_of(f"{where}, hexes", row["hexes"])
        if not row.get("scattered") and not is_contiguous(hexes):
            what = "its hexes are not connected; write scattered = true if that is intended."
            self.mistake(f"{where}, hexes", what, rule="7.31.1")
        others = [
            (other["type"], hex)
            for other in self.tables["feature"]
            for hex in self.hexes_of(f"feature {other['id']}, hexes", other["hexes"])
        ]
        for hex in hexes:
            for objection in mine_objections(self.board, others, hex):
                self.mistake(f"{where}, hexes", f"{objection.english}.", rule="7.31.1")

    def check_feature_area(self, where: str, row: Mapping[str, Any]) -> None:
        """R-02 Check that an area's owner places the features in it, and that they start there."""
        own = [name for name, area in self.areas.items() if area.side == row.get("side")]
        if "area" not in row or not self.is_known(f"{where}, area", "area of its side", row["area"], own):
            return
        for hex in self.hexes_of(f"{where}, hexes", row["hexes"]):
            if hex not in self.areas[row["area"]].hexes:
                self.mistake(f"{where}, hexes", f"{hex_name(hex)} is not in the area '{row['area']}'.")

    def check_feature_place(self, where: str, type: str, hex: Hex) -> None:
        """6.1.4.3 Check that obstacles are not in water or buildings, and rubble is where the terrain was."""
        terrain = self.board.terrain(hex)
        if type in ("bridge", "bridge_rubble"):
            if not self.board.is_bridge(hex):
                self.mistake(where, f"there is no bridge in {hex_name(hex)}.", rule="6.1.4.3.9")
        elif type not in (*FREE_OF_TERRAIN, *MINES) and any(one in CLOSED_TO_FEATURES for one in terrain):
            what = f"no {type.replace('_', ' ')} in {hex_name(hex)}: {self.terrain_names(hex)}."
            self.mistake(where, what, rule="6.1.4.3")
