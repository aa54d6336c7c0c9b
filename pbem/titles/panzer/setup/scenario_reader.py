"""2.0 Reading scenarios of the advanced game from files: their shape, and everything that can be wrong in them.

    2.0          load_advanced, AdvancedSchema, AdvancedLoader
    5.8          formations, grades, labels
    5.1.3        attached weapons
    6.6.7.1      passengers
    6.1.4        full cover, hull down, buildings, positions
    5.3, 5.4     batteries, aircraft
    6.1.4.3      features
    5.8.2        `[[take]]`: a whole formation of `formations.toml` in a few lines (`taking`)

The file is that of the basic game (`scenario_file`) with a table `[advanced]`; `data/SCENARIOS.md` describes it for
players. A DataError lists every mistake with its place, its reason, its rule and what is nearest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, get_args

import msgspec
from marshmallow import ValidationError

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.titles.panzer.cards.advanced_cards import AdvancedCards, VehicleCard, advanced_cards, with_mounts
from pbem.titles.panzer.cards.advanced_charts import COUNTER_RULES, AdvancedCharts, advanced_charts
from pbem.titles.panzer.cards.basic_rows import EDITIONS, PROHIBITED, Edition
from pbem.titles.panzer.cards.board import Board, read_board
from pbem.titles.panzer.cards.card_rows import LegCard, TowedCard
from pbem.titles.panzer.cards.cards import Card
from pbem.titles.panzer.cards.chart_rows import GRADES
from pbem.titles.panzer.cards.charts import Charts, DataError, Mistake, charts, nearest, read_toml
from pbem.titles.panzer.numbering import numbered
from pbem.titles.panzer.rules_in_use import (
    ADVANCED_RULES,
    READY,
    RULES,
    WITHOUT,
    listed,
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
from pbem.titles.panzer.setup.scenario_file import Loader, Unit

BUILDINGS: Final = ("wood_building", "brick_building", "stone_building")
NEVER_PLACED: Final = ("smoke", "barrage", "dust", "rooftop")
"""6.1.4.3 Features that only play makes."""
CLOSED_TO_FEATURES: Final = ("stream", "ford", "water", *BUILDINGS)
"""6.1.4.3 Terrain in which the scenario puts no obstacle."""
FREE_OF_TERRAIN: Final = ("on_fire", "wood_rubble", "brick_rubble", "stone_rubble", "bridge", "bridge_rubble")
POSITIONS: Final = ("improved_position", "hasty_entrenchment")
DITCH: Final = "ditch"
ON_FIRE: Final = "on_fire"
MOUNTS: Final = "bicycles_and_cavalry"
SUNKEN: Final = "gully"
"""7.30 What a sunken road is like, one level lower."""
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
"""7.29-7.36 What a scenario says for a rule is of use only with it."""


# --- loading -------------------------------------------------------------------------------------------------


class Printed(NamedTuple):
    """1.4, 1.6 The charts and cards of an edition, which all scenarios share."""

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
    """2.0 The scenario in a file, with its board. `edition` and `options` are those of the match.

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
    """5.1 The charts and cards of an edition; bicycles and cavalry as the scenario has them."""
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
    """What is wrong with the shape of a value, and what would be right."""
    if found := re.search(r"Expected `(\w+)`, got `(\w+)`", error):
        right, wrong = (KINDS_IN_WORDS.get(word, word) for word in found.groups())
        return f"it wants {right}, not {wrong}."
    choice = wanted if get_args(wanted)[1:2] != (...,) else get_args(wanted)[0]
    words = ", ".join(str(one) for one in get_args(choice) if one)
    found = re.search(r"value '(.*)'", error)
    return f"'{found[1] if found else ''}' is not possible here. It is one of {words}."


class AdvancedLoader(Loader):
    """Turns a file of the right shape into a scenario and gathers what contradicts board, cards or itself."""

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
        """7.30 A sunken road lies in its hex like a gully."""
        board = super().adapt(board)
        wanted = self.tables.get("conditions", {}).get("sunken_roads", [])
        names = wanted if isinstance(wanted, list) and "narrow_roads" in self.table.get(RULES, []) else []
        sunken = [hex for name in names for hex in self.hexes_of("conditions, sunken_roads", [str(name)])]
        types = {hex: (*board.terrain(hex), SUNKEN) for hex in sunken if SUNKEN not in board.terrain(hex)}
        return board.with_terrain(types, self.charts) if types else board

    def scenario(self) -> AdvancedScenario:
        """2.0 The scenario, or a DataError with every mistake."""
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

    def plays(self, rule: str) -> bool:
        return rule in self.rules

    def known(
        self, where: str, what: str, name: str, legal: Mapping[str, object] | list[str], rule: str = "2.0"
    ) -> bool:
        """1.6 A card that only the other book has is known by name, and there is a switch that brings it in."""
        if what != "card" or name in legal or all(name not in advanced_cards(other).legs for other in EDITIONS):
            return super().known(where, what, name, legal, rule)
        way = f"[special] switches = {{{MOUNTS} = true}} brings it in."
        self.mistake(where, f"the {self.charts.edition} book has no '{name}'; {way}", rule="5.1")
        return False

    def needed(self, where: str, rule: str, what: str) -> None:
        """AG, 7.0 Something makes sense only with a rule that is not in use, nor one that a match may add."""
        if not self.plays(rule) and rule not in self.table.get(READY, []):
            number = numbered(self.charts.edition, "5/introduction") if rule in ADVANCED_RULES else "7.0"
            self.mistake(where, f"{what} needs the rule {rule}, which is not in use.", rule=number)

    # --- [advanced]

    def read_rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """AG, 7.0 The rules in use by the file and by the options of the match."""
        without, optional = self.table.get(WITHOUT, []), self.table.get(RULES, [])
        in_use = rules_in_use(without, optional, options)
        edition = self.charts.edition
        self.mistakes += mistakes_in("advanced", without, optional, edition, in_use)
        chosen = listed(options.get(WITHOUT, ())), listed(options.get(RULES, ()))
        self.mistakes += mistakes_in("options", *chosen, edition, in_use)
        for rule in self.table.get(READY, []):
            self.known(f"advanced, {READY}", "optional rule", rule, list(optional_rules()), "7.0")
        return in_use

    def read_force_grades(self) -> dict[str, Any]:
        """5.8.1 Each side has one."""
        grades: dict[str, Any] = self.table.get("force_grades", {})
        for side in grades:
            self.known("advanced, force_grades", "side", side, self.side_ids, "5.8.1")
        if missing := [side for side in self.side_ids if side not in grades]:
            self.mistake("advanced, force_grades", f"give a grade to {', '.join(missing)}.", rule="5.8.1")
        return {side: grades.get(side, "seasoned") for side in self.side_ids}

    def only_2024(self, what: str, switch: str, rule: str) -> bool:
        """The 2016 book has neither dust nor sun nor desert buildings, unless the scenario switches them on."""
        wanted, switched = bool(self.table.get(what)), self.charts.switch(switch)
        if wanted and not switched and self.charts.edition == "2016" and self.tables["edition"] == "2016":
            why = f"the 2016 book has no such rule; [special] switches = {{{switch} = true}} brings it in."
            self.mistake(f"advanced, {what}", why, rule=rule)
        return switched or (wanted and self.charts.edition == "2024")

    def read_dust(self) -> bool:
        """6.1.4.3.12 Dust, in the 2024 book only."""
        return self.only_2024("dust", "dust", "6.1.4.3.12")

    def read_sun(self) -> Sun | None:
        """6.1.4.3.13 Sun blinding, in the 2024 book only."""
        if not self.only_2024("sun", "sun_blinding", "6.1.4.3.13"):
            return None
        if "sun" not in self.table:
            self.mistake("advanced", "say where the sun stands: sun = {edge, ap, gp}.", rule="6.1.4.3.13")
            return None
        return Sun(**self.table["sun"])

    def read_desert_buildings(self) -> bool:
        """4.1.4.1.3.1 Buildings with a usable roof, in the 2024 book only."""
        return self.only_2024("desert_buildings", "desert_buildings", "4.1.4.1.3.1")

    def read_superiority(self) -> str:
        """6.7 Only one side has aircraft: the one with air superiority."""
        side: str = self.table.get("air_superiority", "")
        if side:
            self.known("advanced, air_superiority", "side", side, self.side_ids, "6.7")
        flying = list(dict.fromkeys(row["side"] for row in self.tables["aircraft"]))
        for other in flying:
            if side in self.side_ids and other != side:
                self.mistake("aircraft", f"{side} has air superiority, so {other} has no aircraft.", side, "6.7")
        if len(flying) > 1 and not side:
            self.mistake("aircraft", "only one side may have aircraft.", rule="6.7")
        return side or (flying[0] if flying else "")

    def read_conditions(self) -> Conditions:
        """7.0 What optional rules want to know."""
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
        """7.0 Whether a condition is a number, a word or a table as it should be; if not, that is a mistake."""
        try:
            msgspec.convert({key: value}, Conditions)
        except msgspec.ValidationError as error:
            field = next(field for field in msgspec.structs.fields(Conditions) if field.name == key)
            self.mistake(f"conditions, {key}", shape_in_words(str(error), field.type), rule="7.0")
            return False
        return True

    def names_of(self, key: str, found: Conditions) -> tuple[str, ...]:
        """7.30, 7.36.3 The hexes of a condition, each by its name."""
        return tuple(hex_name(hex) for hex in self.hexes_of(f"conditions, {key}", list(getattr(found, key))))

    def check_conditions(self, found: Conditions) -> None:
        """7.29, 7.32, 7.35.4, 7.36 Terrain that there is, bridges where they are, and rules that are in use."""
        for key, rule in CONDITION_RULES.items():
            if getattr(found, key) not in ((), {}, "", 0, "none", False):
                self.needed(f"conditions, {key}", rule, f"'{key}'")
        if found.ground == "mud":
            self.needed("conditions, ground", "bogging_down", "mud (7.36.3)")
        terrain = [*self.advanced.terrains, *LINKS]
        for key, rule in (
            ("ground_terrain", "7.36.3"), ("hull_down", "6.6.9"), ("bog", "7.29"), ("burning_woods", "7.35.4"),
        ):  # fmt: skip
            for name in getattr(found, key):
                self.known(f"conditions, {key}", "terrain", name, terrain, rule)
        for building in found.burning_woods.values():
            self.known("conditions, burning_woods", "building", building, list(BUILDINGS), "7.35.4")
        for hex in self.hexes_of("conditions, bridge_limits", list(found.bridge_limits)):
            if not self.board.is_bridge(hex):
                self.mistake("conditions, bridge_limits", f"there is no bridge in {hex_name(hex)}.", rule="7.32")
        for key in ("narrow_hexes", "sunken_roads"):
            for hex in self.hexes_of(f"conditions, {key}", list(getattr(found, key))):
                if not self.board.links(hex):
                    self.mistake(f"conditions, {key}", f"there is no road or path in {hex_name(hex)}.", rule="7.30")
        for key, rule in (("hidden_counters", "7.2.2"), ("counter_battery", "7.28"), ("command_span", "7.52")):
            for side in getattr(found, key):
                self.known(f"conditions, {key}", "side", side, self.side_ids, rule)
        for label in (label for spans in found.command_span.values() for label in spans):
            self.known("conditions, command_span", "headquarters", label, list(COMMAND_LEVELS), "7.52")
        if not -5 <= found.spotting <= 0:
            self.mistake("conditions, spotting", "it takes 1 to 5 rows, as -3.", rule="7.36.1")

    # --- formations

    def take_formations(self) -> None:
        """5.8.2 What `[[take]]` takes from the book of formations becomes rows like any other."""
        for row in self.tables["take"]:
            where = f"take {row['id']}"
            if not self.known(f"{where}, side", "side", row["side"], self.side_ids, "5.8.2"):
                continue
            if not self.known(f"{where}, formation", "formation", row["formation"], self.book.formations, "5.8.2"):
                continue
            self.check_take(where, row)
            taken = taking.taken(self.book, row, self.default_hexes(where, row))
            self.tables["formation"] += taken.formations
            self.tables["battery"] += taken.batteries
            side = next(side for side in self.tables["side"] if side["id"] == row["side"])
            side["units"] += taken.units
            for problem in taken.problems:
                self.mistake(where, problem, rule="5.8.2")

    def check_take(self, where: str, row: Mapping[str, Any]) -> None:
        """5.8.2 A formation of its own has a grade; units that join another have that one's."""
        if "into" not in row and "grade" not in row:
            self.mistake(f"{where}, grade", f"give it a grade: {', '.join(GRADES)}.", rule="5.8.2")
        for key in ("name", "parent", "cohesion", "level", "cohesion_modifier"):
            if "into" in row and key in row:
                self.mistake(f"{where}, {key}", f"its units join {row['into']}, which has its own.", rule="5.8.2")
        if "count" in row and "into" not in row:
            self.mistake(f"{where}, count", "several of a kind need several ids, or join a formation by `into`.")

    def default_hexes(self, where: str, row: Mapping[str, Any]) -> taking.Places:
        """R-02 Where units of a formation stand: the hexes named, else those of its area, as its cards can."""
        hexes = self.hexes_of(f"{where}, hexes", row.get("hexes", []))
        area = self.areas.get(row.get("area", ""))
        hexes = hexes or (area.hexes if area else ())
        return taking.Places(
            {card: [hex for hex in hexes if self.can_stand(self.cards[card], hex)] for card in self.cards}
        )

    def read_formations(self) -> dict[str, FormationRow]:
        """5.8.2 The formations of both sides, each below one of its own side or below none."""
        found: dict[str, FormationRow] = {}
        for row in self.tables["formation"]:
            where = f"formation {row['id']}"
            if row["id"] in found:
                self.mistake(where, "there is another formation of this id.", rule="5.8.2")
            self.known(f"{where}, side", "side", row["side"], self.side_ids, "5.8.2")
            found[row["id"]] = FormationRow(**row)
        for formation in found.values():
            self.check_parent(formation, found)
        return found

    def check_parent(self, formation: FormationRow, all: Mapping[str, FormationRow]) -> None:
        """5.8.2 The chain above a formation ends, and stays on its side."""
        where = f"formation {formation.id}, parent"
        if not formation.parent or not self.known(where, "formation", formation.parent, all, "5.8.2"):
            return
        if all[formation.parent].side != formation.side:
            self.mistake(where, f"{formation.parent} is of the other side.", rule="5.8.2")
        above, seen = formation.parent, [formation.id]
        while above in all and above not in seen:
            seen.append(above)
            above = all[above].parent
        if above == formation.id:
            self.mistake(where, f"{formation.id} is above itself.", rule="5.8.2")

    def formation_of(self, where: str, side: str, row: Mapping[str, Any]) -> FormationRow | None:
        """5.8.2 A unit names its formation, unless its side has only one."""
        own = [formation.id for formation in self.formations.values() if formation.side == side]
        if not own:
            self.mistake(where, f"{side} has no formation: write a [[formation]].", rule="5.8.2")
            return None
        if "formation" not in row and len(own) > 1:
            self.mistake(where, f"say to which formation it belongs: {', '.join(own)}.", rule="5.8.2")
            return None
        name = row.get("formation", own[0])
        known = self.known(f"{where}, formation", "formation of this side", name, own, "5.8.2")
        return self.formations[name] if known else None

    # --- units

    def read_rows(self) -> Iterator[tuple[Unit, dict[str, Any]]]:
        """R-02 Every unit as the basic game reads it, beside its row."""
        for side in self.tables["side"]:
            for row in side["units"]:
                yield self.read_unit(f"side {side['id']}, unit {row['id']}", side["id"], row), row

    def advance(self, unit: Unit, row: dict[str, Any]) -> AdvancedUnit:
        """5.0 The unit with what the advanced game adds."""
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
        """R-02, 6.6.7 A passenger begins where its carrier does; all others as in the basic game."""
        if "aboard" not in row:
            super().check_beginning(where, row)
        elif given := [key for key in ("hex", "facing", "turn", "entry", "area") if key in row]:
            self.mistake(where, f"it begins aboard {row['aboard']}, so leave out {', '.join(given)}.", rule="6.6.7")

    def worth(self, row: dict[str, Any]) -> int:
        """R-04 The points for eliminating a unit, with those of its weapons."""
        default = self.tables.get("victory", {}).get("eliminated", 0)
        if default == "points":
            weapons = [self.book.attached[name] for name in row.get("weapons", []) if name in self.book.attached]
            points = self.book.unit_points(row["card"]) if row["card"] in self.cards else 0
            default = points + sum(weapon.points.value for weapon in weapons)
        return int(row.get("vp", default))

    def settle(self, units: Sequence[AdvancedUnit]) -> tuple[AdvancedUnit, ...]:
        """6.6.7 Passengers take place, facing and time of entry from their carriers."""
        by_id = {unit.id: unit for unit in units}
        return tuple(self.with_carrier(unit, by_id) for unit in units)

    def with_carrier(self, unit: AdvancedUnit, by_id: Mapping[str, AdvancedUnit]) -> AdvancedUnit:
        where = f"side {unit.side}, unit {unit.id}, aboard"
        own = [id for id, other in by_id.items() if other.side == unit.side and other.card in self.book.vehicles]
        if not unit.aboard or not self.known(where, "vehicle of this side", unit.aboard, own, "6.6.7"):
            return unit
        carrier = by_id[unit.aboard]
        return msgspec.structs.replace(
            unit, hex=carrier.hex, facing=carrier.facing, turn=carrier.turn, entry=carrier.entry
        )

    def check_units(self, units: Sequence[AdvancedUnit]) -> None:
        """5.0 Whether each unit can be and do what the file says."""
        by_id = {unit.id: unit for unit in units}
        for unit in units:
            where = f"side {unit.side}, unit {unit.id}"
            self.check_kind(where, unit)
            self.check_labels(where, unit)
            self.check_weapons(where, unit)
            self.check_transport(where, unit, by_id)
            self.check_cover(where, unit)
            self.check_inside(where, unit)
            self.check_position(where, unit)
            if unit.hidden:
                self.needed(f"{where}, hidden", "hidden_units", "a hidden unit")
            if unit.camouflaged:
                self.needed(f"{where}, camouflaged", "camouflage", "a camouflaged unit")
        for unit in units:
            self.check_load(unit, [other for other in units if other.aboard == unit.id])
        self.check_holders(units)

    def check_kind(self, where: str, unit: AdvancedUnit) -> None:
        """5.1, 5.2 Units of a kind whose rule is left out cannot be in the scenario."""
        if unit.card in self.book.legs:
            self.needed(where, "leg_units", "a leg unit")
        if unit.card in self.book.towed:
            self.needed(where, "towed_units", "a towed unit")
        if unit.damaged and unit.card not in self.book.vehicles:
            rule = numbered(self.charts.edition, "6.5.2.5")
            self.mistake(f"{where}, damaged", "only vehicles are damaged.", rule=rule)

    def check_labels(self, where: str, unit: AdvancedUnit) -> None:
        """5.9 Guns carry no labels, and only leg units are engineers."""
        if unit.labels and unit.card in self.book.towed:
            self.mistake(f"{where}, labels", "a towed gun has no labels.", rule="5.9")
        if "engineer" in unit.labels and unit.card not in self.book.legs:
            self.mistake(f"{where}, labels", "only leg units are engineers.", rule="5.9.3")

    def check_weapons(self, where: str, unit: AdvancedUnit) -> None:
        """5.1.3 Crew-served weapons are attached to leg units."""
        for name in unit.weapons:
            self.known(f"{where}, weapons", "attached weapon", name, self.book.attached, "5.1.3")
        if unit.weapons and unit.card not in self.book.legs:
            self.mistake(f"{where}, weapons", "weapons are attached to leg units only.", rule="5.1.3")

    def check_transport(self, where: str, unit: AdvancedUnit, by_id: Mapping[str, AdvancedUnit]) -> None:
        """5.16.2.4 Its own transport is a vehicle of its side."""
        if not unit.transport:
            return
        own = [id for id, other in by_id.items() if other.side == unit.side and other.card in self.book.vehicles]
        self.known(f"{where}, transport", "vehicle of this side", unit.transport, own, "5.16.2.4")
        if unit.card in self.book.vehicles:
            self.mistake(f"{where}, transport", "a vehicle needs no transport.", rule="5.16.2.4")

    def check_load(self, carrier: AdvancedUnit, passengers: Sequence[AdvancedUnit]) -> None:
        """6.6.7.1 One towed unit, or leg units up to the capacity, never both."""
        card = self.book.vehicles.get(carrier.card)
        if not passengers or card is None:
            return
        where, names = f"side {carrier.side}, unit {carrier.id}", ", ".join(unit.id for unit in passengers)
        towed = [unit for unit in passengers if unit.card in self.book.towed]
        if any(unit.card in self.book.vehicles for unit in passengers):
            self.mistake(where, f"no vehicle rides aboard another: {names}.", rule="6.6.7.1")
        elif len(towed) > 1 or (towed and len(passengers) > 1):
            self.mistake(where, f"it carries one gun or leg units, not both: {names}.", rule="6.6.7.1")
        else:
            needed = [space(self.book, unit.card) for unit in passengers]
            if None in needed:
                self.mistake(where, f"nothing carries one of {names}.", rule="6.6.7.1")
            self.check_space(where, names, card, [room for room in needed if room is not None])

    def check_space(self, where: str, names: str, card: VehicleCard, needed: Sequence[tuple[int, int]]) -> None:
        """6.6.7.1 Capacity is compared part by part."""
        total = sum(room[0] for room in needed), sum(room[1] for room in needed)
        if any(want > has for want, has in zip(total, card.transport, strict=True)):
            what = f"{names} need {total[0]}-{total[1]}, but it has room for {card.transport[0]}-{card.transport[1]}."
            self.mistake(where, what, rule="6.6.7.1")

    def check_cover(self, where: str, unit: AdvancedUnit) -> None:
        """6.1.4.1, 6.1.4.2 Full cover for leg and towed units on the ground, hull down for vehicles."""
        vehicle = unit.card in self.book.vehicles
        if unit.full_cover:
            self.needed(f"{where}, full_cover", "full_cover", "full cover")
            if vehicle or unit.aboard:
                what = "only leg and towed units on the ground take full cover."
                self.mistake(f"{where}, full_cover", what, rule="6.1.4.2")
            elif unit.hex is not None and not self.allows_full_cover(unit.hex):
                what = f"there is no full cover in {hex_name(unit.hex)}: {self.terrain_names(unit.hex)}."
                self.mistake(f"{where}, full_cover", what, rule="6.1.4.2")
        if unit.hull_down:
            self.needed(f"{where}, hull_down", "hull_down", "a hull-down position")
            if not vehicle:
                self.mistake(f"{where}, hull_down", "only vehicles are hull down.", rule="6.1.4.1")

    def allows_full_cover(self, hex: Hex) -> bool:
        """6.1.4.2 Not on bridges, in fords or streams."""
        return all(
            row.full_cover.value
            for type in self.board.terrain(hex)
            if (row := self.advanced.terrains.get(type)) is not None
        )

    def check_inside(self, where: str, unit: AdvancedUnit) -> None:
        """6.1.4.3.1 Inside a building, or on its top floor or roof."""
        if not unit.inside or unit.hex is None:
            return
        where = f"{where}, inside"
        if not any(type in BUILDINGS for type in self.board.terrain(unit.hex)):
            self.mistake(where, f"there is no building in {hex_name(unit.hex)}.", rule="6.1.4.3.1")
        card = self.book.vehicles.get(unit.card)
        if card is not None and (card.card.traction != "T" or card.card.open_topped):
            self.mistake(where, "only tracked vehicles with a roof enter buildings.", rule="6.1.4.3.1")
        if unit.inside == "up" and unit.card not in self.book.legs:
            self.mistake(where, "only leg units go up.", "building", "6.1.4.3.1")
        elif unit.inside == "up" and self.board.storeys(unit.hex) < 2 and not self.table.get("desert_buildings"):
            self.mistake(where, f"the building in {hex_name(unit.hex)} has one storey.", rule="6.1.4.3.1")

    def check_position(self, where: str, unit: AdvancedUnit) -> None:
        """6.1.4.3.6, 6.1.4.3.7 A position is in its hex, and an entrenchment holds no vehicle."""
        if not unit.position:
            return
        where = f"{where}, position"
        positions = {row.id: row for row in self.features if row.type in POSITIONS}
        if not self.known(where, "position", unit.position, positions, "6.1.4.3.7"):
            return
        row = positions[unit.position]
        if unit.hex is not None and row.hex != unit.hex:
            self.mistake(where, f"{row.id} is in {hex_name(row.hex)}.", rule="6.1.4.3.7")
        if unit.card in self.book.vehicles and row.type == "hasty_entrenchment":
            self.mistake(where, "an entrenchment holds no vehicle.", rule="6.1.4.3.6")

    def check_holders(self, units: Sequence[AdvancedUnit]) -> None:
        """6.1.4.3.7 A position holds one unit unless the scenario says otherwise."""
        for row in self.features:
            inside = [unit.id for unit in units if unit.position == row.id]
            if len(inside) > row.capacity:
                what = f"it holds {row.capacity}, but {', '.join(inside)} are in it."
                self.mistake(f"feature {row.id}", what, rule="6.1.4.3.7")

    def check_places(self, units: Sequence[Unit]) -> None:
        """4.5.1.1.2, 4.5.1.1.10 Nobody begins in terrain closed to it or with an enemy; passengers are carried."""
        afoot = tuple(unit for unit in units if not (isinstance(unit, AdvancedUnit) and unit.aboard))
        super().check_places(afoot)
        for row in self.features:
            for unit in afoot:
                if unit.hex == row.hex and not row.area and self.closes(row.type, unit.card):
                    what = f"{unit.id} begins in {hex_name(row.hex)}, which it closes to such units."
                    self.mistake(f"feature {row.id}", what, rule=COUNTER_RULES[row.type])

    def closes(self, type: str, card: str) -> bool:
        """6.1.4.3 Whether a counter keeps units of this card out; a fire that breaks out around them does not."""
        row = self.advanced.features.get(type)
        if type == ON_FIRE or type not in COUNTER_RULES or card not in self.cards:
            return False
        if row is None:
            return card not in self.book.legs  # 6.1.4.3.4: a ditch
        if card in self.book.vehicles:
            columns = {"T": row.T, "H": row.H, "W": row.W}
            return columns[self.book.vehicles[card].card.traction].value == PROHIBITED
        return (row.L if card in self.book.legs else row.towed).value == PROHIBITED

    def can_stand(self, card: Any, hex: Hex) -> bool:
        """4.5.1.1.2 Open to it."""
        return stands(self.charts, self.advanced, self.board, card, hex)

    # --- support

    def read_batteries(self) -> Iterator[BatteryRow]:
        """5.3, 6.5.1.3 Off-map batteries with the formation that they support."""
        for row in self.tables["battery"]:
            where = f"battery {row['id']}"
            self.needed(where, "indirect_fire", "a battery")
            self.known(f"{where}, side", "side", row["side"], self.side_ids, "5.3")
            self.known(f"{where}, card", "battery", row["card"], self.book.batteries, "5.3")
            own = [formation.id for formation in self.formations.values() if formation.side == row["side"]]
            self.known(f"{where}, formation", "formation of this side", row["formation"], own, "6.5.1.3")
            yield BatteryRow(**{"attachment": "attached", **row})

    def read_aircraft(self) -> Iterator[AircraftRow]:
        """5.4 The aircraft of one side."""
        for row in self.tables["aircraft"]:
            where = f"aircraft {row['id']}"
            self.needed(where, "aircraft", "an aircraft")
            self.known(f"{where}, side", "side", row["side"], self.side_ids, "6.7")
            self.known(f"{where}, card", "aircraft", row["card"], self.book.aircraft, "5.4")
            if row.get("earliest", 1) > self.tables["turns"]:
                what = f"the scenario ends after turn {self.tables['turns']}."
                self.mistake(f"{where}, earliest", what, rule="6.7.2.1")
            yield AircraftRow(**row)

    def read_features(self) -> Iterator[FeatureRow]:
        """6.1.4.3 A counter in each hex of a row; the ids of several are numbered."""
        placed = [id for id in (DITCH, *self.advanced.features) if id not in NEVER_PLACED]
        for row in self.tables["feature"]:
            where = f"feature {row['id']}"
            known = self.known(f"{where}, type", "terrain feature", row["type"], placed, "6.1.4.3")
            if "side" in row:
                self.known(f"{where}, side", "side", row["side"], self.side_ids, "6.1.4.3")
            if row["type"] in MINES:
                self.check_minefield(where, row)
            if row.get("hidden") and "side" not in row:
                self.mistake(f"{where}, hidden", "say whose side keeps it hidden.", rule="6.1.4.3.8")
            self.check_feature_area(where, row)
            hexes = self.hexes_of(f"{where}, hexes", row["hexes"])
            for count, hex in enumerate(hexes, start=1):
                if known:
                    self.check_feature_place(where, row["type"], hex)
                more = {key: value for key, value in row.items() if key not in ("id", "hexes")}
                more |= {"field": row["id"]} if row["type"] in MINES else {}
                yield FeatureRow(id=row["id"] if len(hexes) == 1 else f"{row['id']}{count}", hex=hex, **more)

    def check_minefield(self, where: str, row: Mapping[str, Any]) -> None:
        """7.31.1 One field lies together, not in terrain or features closed to mines, and its kind is known."""
        self.needed(where, "minefields", "a minefield")
        if row.get("of"):
            self.known(f"{where}, of", "kind of mines", row["of"], list(MINE_KINDS), "7.31")
        hexes = self.hexes_of(f"{where}, hexes", row["hexes"])
        if not row.get("scattered") and not is_contiguous(hexes):
            what = "its hexes do not lie together: write scattered = true if they need not."
            self.mistake(f"{where}, hexes", what, rule="7.31.1")
        others = [
            (other["type"], hex)
            for other in self.tables["feature"]
            for hex in self.hexes_of(f"feature {other['id']}, hexes", other["hexes"])
        ]
        for hex in hexes:
            for objection in mine_objections(self.board, others, hex):
                self.mistake(f"{where}, hexes", f"{objection.why}.", rule="7.31.1")

    def check_feature_area(self, where: str, row: Mapping[str, Any]) -> None:
        """R-02 Only the owner of an area can place something in it; it begins there."""
        own = [name for name, area in self.areas.items() if area.side == row.get("side")]
        if "area" not in row or not self.known(f"{where}, area", "area of its side", row["area"], own):
            return
        for hex in self.hexes_of(f"{where}, hexes", row["hexes"]):
            if hex not in self.areas[row["area"]].hexes:
                self.mistake(f"{where}, hexes", f"{hex_name(hex)} is not in the area '{row['area']}'.")

    def check_feature_place(self, where: str, type: str, hex: Hex) -> None:
        """6.1.4.3 No obstacles in streams, fords, water and buildings; what was destroyed lies where it stood."""
        terrain = self.board.terrain(hex)
        if type in ("bridge", "bridge_rubble"):
            if not self.board.is_bridge(hex):
                self.mistake(where, f"there is no bridge in {hex_name(hex)}.", rule="6.1.4.3.9")
        elif type not in (*FREE_OF_TERRAIN, *MINES) and any(one in CLOSED_TO_FEATURES for one in terrain):
            what = f"no {type.replace('_', ' ')} in {hex_name(hex)}: {self.terrain_names(hex)}."
            self.mistake(where, what, rule="6.1.4.3")


def space(book: AdvancedCards, card: str) -> tuple[int, int] | None:
    """6.6.7.1 The capacity that a passenger needs; None if nothing carries it."""
    found: TowedCard | LegCard | None = book.towed.get(card) or book.legs.get(card)
    return found.passenger.value if found is not None and found.passenger is not None else None


def stands(charts: Charts, advanced: AdvancedCharts, board: Board, card: Any, hex: Hex) -> bool:
    """4.5.1.1.2, 6.6.4.1, 6.6.5 Open to its traction, to feet or to a gun, or on a road or path (R-14)."""
    terrain = board.terrain(hex)
    if isinstance(card, Card):
        return charts.entry_cost(terrain, card.traction) != PROHIBITED or bool(board.links(hex))
    rows = [advanced.terrains[type] for type in terrain if type in advanced.terrains]
    cells = [row.L if isinstance(card, LegCard) else row.towed for row in rows]
    return all(cell.value != PROHIBITED for cell in cells) or bool(board.links(hex))
