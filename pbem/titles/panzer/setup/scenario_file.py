"""2.0 Scenarios: sides, map, length and victory conditions.

    2.0          Scenario, load_scenario, packaged_scenarios
    2.0 R-02     Unit (fixed place, place in an area, or reinforcement), Area; sides set up in the file's order
    3.6 R-03     Objective, its points and how it is taken
    3.6 R-04     Unit.vp, Exit, Level: points at the end
    4.3.1        Scenario.initiative_tie, initiative_winner
    4.6.2 R-18   Scenario.early_end
    editions     Scenario.edition (every scenario can be played in both), switches

A scenario is a TOML file:

    name = "…"                     edition = "2024"            map = "duel"                 turns = 4
    [[side]]                       id, name, units; seats and areas if there are several
      units = [ {id = "ge1", name = "PzIIIJ-1", card = "pz3j", hex = "C4", facing = 3},      a fixed place
                {id = "ge2", …, hex = "C5", facing = 3, area = "ridge"},                     its owner may choose
                {id = "ge3", …, turn = 2, entry = ["A5"]} ]                                  a reinforcement
    [[objective]]                  id, name, vp, hexes or place; taken, controller
    [[exit]]                       side, edge, vp
    [victory]                      eliminated = 2 or "points"; levels = [{lead = 10, name = "a clear victory"}];
                                   start = {axis = 20}
    [special]                      initiative_tie, initiative_winner, early_end, overlays, storeys, tracks, switches
    [overlay.LG2]                  a piece of terrain that [special] overlays place on the map (1.3)

`load_scenario` takes bytes and boards and gives a frozen value, or a DataError with every mistake in the file.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, cast

import msgspec
from marshmallow import ValidationError

from pbem.engine.geometry.hexes import Hex, hex_name, neighbours
from pbem.titles.data_files import DataError, nearest
from pbem.titles.panzer.cards.basic_rows import PROHIBITED, Edition
from pbem.titles.panzer.cards.board import Board, Edge, expand_hexes, on_map, read_board, sides_of_chain
from pbem.titles.panzer.cards.cards import Card
from pbem.titles.panzer.cards.cards import cards as packaged_cards
from pbem.titles.panzer.cards.charts import Charts, charts, read_charts, with_switches
from pbem.titles.panzer.cards.files import Mistake, packaged, packaged_names, read_toml
from pbem.titles.panzer.cards.overlays import Overlay, lay, overlay_mistakes, read_placement
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.setup.file_schemas import (
    EarlyEnd,
    InitiativeWinner,
    ScenarioSchema,
    Taken,
    Takers,
    shape_mistakes,
)

REROLL: Final = "reroll"
BEGINNINGS: Final = (("hex", "facing"), ("turn", "entry"))
"""R-02 The two ways in which a unit comes into play, identified by the keys in its row."""


class Area(msgspec.Struct, frozen=True):
    """R-02 An area in which a side may set up units."""

    id: str
    side: str
    hexes: tuple[Hex, ...]


class Seat(msgspec.Struct, frozen=True):
    """A seat for a player."""

    id: str
    name: str
    side: str


class Side(msgspec.Struct, frozen=True):
    """One side of the scenario."""

    id: str
    name: str


class Unit(msgspec.Struct, frozen=True):
    """2.0 A vehicle of the scenario.

    It starts in `hex`, or enters by one of the `entry` hexes from `turn` onwards.
    """

    id: str
    name: str
    side: str
    seat: str
    card: str
    vp: int
    """R-04 The points the other side gets for eliminating the unit."""
    damaged: bool = False
    hex: Hex | None = None
    facing: int = 0
    """3.3 Direction 1 to 6; 0 for a unit that enters later and then faces into the map."""
    area: str = ""
    """R-02 The area in which the owner may place the unit instead, with any facing; empty if its place is fixed."""
    turn: int = 0
    """R-02 The first turn in which the unit may enter; 0 if it starts on the map."""
    entry: tuple[Hex, ...] = ()
    """R-02 The edge hexes through which the unit may enter."""


class Objective(msgspec.Struct, frozen=True):
    """3.6 A place worth points to the side that controls it at the end."""

    id: str
    name: str
    hexes: tuple[Hex, ...]
    vp: dict[str, int]
    taken: Taken
    controller: str
    """The side that controls the objective at the start; empty for neither."""
    by: Takers = "units"
    """A-03 Whether any armed unit can take the objective, or only vehicles."""


class Exit(msgspec.Struct, frozen=True):
    """R-04 Points for each vehicle of a side that leaves the map by an edge."""

    side: str
    edge: Edge
    vp: int


class Level(msgspec.Struct, frozen=True):
    """R-04 The name of a level of victory, and the minimum lead in points for it."""

    lead: int
    name: str


class Scenario(msgspec.Struct, frozen=True):
    """2.0 A set-up, checked and ready to play."""

    name: str
    text: str
    edition: Edition
    map: str
    turns: int
    board: Board
    sides: tuple[Side, ...]
    """R-02 The sides in the order in which they set up."""
    seats: tuple[Seat, ...]
    areas: dict[str, Area]
    units: tuple[Unit, ...]
    objectives: tuple[Objective, ...]
    exits: tuple[Exit, ...]
    levels: tuple[Level, ...]
    """Victory levels in descending order of lead; empty if only the winner matters."""
    initiative_tie: str
    """4.3.1 `reroll`, or the side that wins a tied initiative roll."""
    initiative_winner: InitiativeWinner
    early_end: EarlyEnd
    switches: dict[str, bool]
    """Switches that this scenario sets differently from its edition."""
    start: dict[str, int] = {}
    """R-04 The points of each side when the match begins."""

    def level(self, lead: int) -> str:
        """R-04 The victory level for a lead; empty if there is none."""
        return next((level.name for level in self.levels if lead >= level.lead), "")


# --- loading -------------------------------------------------------------------------------------------------


def packaged_scenarios() -> tuple[str, ...]:
    """The names of the scenarios that come with the title."""
    return packaged_names("scenarios")


def packaged_boards() -> dict[str, Board | bytes]:
    """The maps that come with the title, by name."""
    return {name: packaged(f"maps/{name}.toml") for name in packaged_names("maps")}


@lru_cache(maxsize=128)
def is_advanced(setup: bytes) -> bool:
    """5.0 Whether this is a scenario of the advanced game."""
    return "advanced" in read_toml(setup, "scenario", "2.0")


def load_scenario(
    data: bytes | str,
    boards: Mapping[str, Board | bytes],
    *,
    edition: Edition | None = None,
    cards: Mapping[str, Card] | None = None,
    chart_files: Mapping[str, bytes] | None = None,
    file: str = "scenario",
) -> Scenario:
    """2.0 Load a scenario from a file, with its board. `edition` overrides the one in the file.

    `cards` and `chart_files` are those of the match; without them the packaged ones are used.
    """
    tables = read_toml(data, file, "2.0")
    try:
        loaded: dict[str, Any] = ScenarioSchema().load(tables)
    except ValidationError as error:
        raise DataError(file, list(shape_mistakes(tables, error.messages))) from error
    if loaded["map"] not in boards:
        what = f"there is no map '{loaded['map']}'."
        raise DataError(file, [Mistake("map", what, nearest(loaded["map"], boards), "2.0")])
    chosen = edition or cast(Edition, loaded["edition"])
    table = charts(chosen) if chart_files is None else read_charts(chart_files, chosen)
    found = boards[loaded["map"]]
    board = found if isinstance(found, Board) else read_board(found, f"{loaded['map']}.toml", table)
    return Loader(loaded, board, table, packaged_cards() if cards is None else cards, file).scenario()


class Loader:
    """Converts a well-formed file into a scenario; collects contradictions with the board, the cards or itself."""

    def __init__(
        self, tables: dict[str, Any], board: Board, table: Charts, cards: Mapping[str, Any], file: str
    ) -> None:
        self.tables = tables
        self.cards = cards
        self.file = file
        self.special: dict[str, Any] = tables.get("special", {})
        self.mistakes: list[Mistake] = []
        self.side_ids = [side["id"] for side in tables["side"]]
        self.hexes = dict.fromkeys(board.hexes)
        self.charts = self.set_switches(table)
        self.board = self.adapt(board)
        self.areas = self.read_areas()
        self.seats = self.read_seats()

    def scenario(self) -> Scenario:
        units = tuple(self.read_units())
        self.check_ids(units)
        self.check_places(units)
        scenario = Scenario(**self.basic_part(units))
        if self.mistakes:
            raise DataError(self.file, self.mistakes)
        return scenario

    def basic_part(self, units: Sequence[Unit]) -> dict[str, Any]:
        """2.0 The fields common to scenarios of both games."""
        return {
            "name": self.tables["name"],
            "text": self.tables.get("text", "").strip(),
            "edition": self.charts.edition,
            "map": self.tables["map"],
            "turns": self.tables["turns"],
            "board": self.board,
            "sides": tuple(Side(side["id"], side["name"]) for side in self.tables["side"]),
            "seats": self.seats,
            "areas": self.areas,
            "units": units,
            "objectives": tuple(self.read_objectives()),
            "exits": tuple(self.read_exits()),
            "start": self.read_start(),
            "levels": self.read_levels(),
            "initiative_tie": self.read_tie(),
            "initiative_winner": self.special.get("initiative_winner", "chooses"),
            "early_end": self.special.get("early_end", "never"),
            "switches": self.special.get("switches", {}),
        }

    def mistake(self, where: str, what: str, instead: str = "", rule: str = "2.0") -> None:
        self.mistakes.append(Mistake(where, what, instead, rule))

    def is_known(
        self, where: str, what: str, name: str, legal: Mapping[str, object] | list[str], rule: str = "2.0"
    ) -> bool:
        """Whether a name is legal; if not, record a mistake that names the nearest legal one."""
        if name not in legal:
            self.mistake(where, f"there is no {what} '{name}'.", nearest(name, legal), rule)
        return name in legal

    def hex(self, where: str, name: str) -> Hex | None:
        try:
            return on_map(name, self.hexes)
        except ValueError as error:
            self.mistake(where, str(error), rule="1.2")
            return None

    def hexes_of(self, where: str, names: list[str]) -> tuple[Hex, ...]:
        """The hexes in a list of names, blocks and places."""
        found: dict[Hex, None] = {}
        for name in names:
            if name in self.board.places:
                found.update(dict.fromkeys(self.board.places[name]))
                continue
            try:
                found.update(dict.fromkeys(expand_hexes([name], self.hexes)))
            except ValueError as error:
                self.mistake(where, str(error), nearest(name, self.board.places), "1.2")
        return tuple(found)

    # --- special conditions

    def set_switches(self, base: Charts) -> Charts:
        """The edition's charts with the scenario's own switch settings."""
        wanted: dict[str, bool] = self.special.get("switches", {})
        rule = ledger_row(base.edition, "0/introduction")
        legal = [name for name in wanted if self.is_known("special, switches", "switch", name, base.switches, rule)]
        return with_switches(base, {name: wanted[name] for name in legal})

    def adapt(self, board: Board) -> Board:
        """1.3, 4.1.4.1.3, 4.5.1.1.11 The board with the scenario's overlays, storeys and tracks applied."""
        self.board = board = self.with_overlays(board)
        storeys = {
            hex: count
            for name, count in self.special.get("storeys", {}).items()
            for hex in self.hexes_of("special, storeys", [name])
        }
        for hex in storeys:
            if not any(self.charts.terrain(type).per_storey for type in board.terrain(hex)):
                self.mistake("special, storeys", f"there is no building in {hex_name(hex)}.", rule="4.1.4.1.3")
        if storeys:
            board = board.with_storeys(storeys)
        tracks = self.read_tracks(board)
        return board.with_tracks(tracks) if tracks and self.charts.switch("tracks") else board

    def with_overlays(self, board: Board) -> Board:
        """1.3 The board with the scenario's overlays, placed in file order."""
        overlays: dict[str, Overlay] = {}
        for name, table in self.tables.get("overlay", {}).items():
            try:
                overlays[name] = msgspec.convert(table, Overlay)
            except msgspec.ValidationError as error:
                self.mistake(f"overlay, {name}", f"{error}.", rule="1.3")
        for text in self.special.get("overlays", []):
            board = self.with_overlay(board, text, overlays)
        return board

    def with_overlay(self, board: Board, text: str, overlays: Mapping[str, Overlay]) -> Board:
        """1.3 Place one overlay as the scenario says."""
        where = f"special, overlays, {text}"
        try:
            placed = read_placement(text)
        except ValueError as error:
            self.mistake(where, str(error), rule="1.3")
            return board
        if not self.is_known(where, "overlay", placed.overlay, overlays, "1.3"):
            return board
        overlay = overlays[placed.overlay]
        wrong = list(overlay_mistakes(board, self.charts, overlay, placed))
        for what, instead in wrong:
            self.mistake(where, what, instead, "1.3")
        return board if wrong else lay(board, self.charts, overlay, placed)

    def read_tracks(self, board: Board) -> list[Any]:
        """4.5.1.1.11 The paths and roads declared as tracks."""
        tracks = []
        for chain in self.special.get("tracks", []):
            try:
                sides = sides_of_chain(chain, self.hexes)
            except ValueError as error:
                self.mistake("special, tracks", str(error))
                continue
            if not all(board.linked(side) for side in sides):
                self.mistake("special, tracks", f"{chain}: only a path or road of the map can be declared a track.")
            tracks += sides
        return tracks

    def read_tie(self) -> str:
        """4.3.1 How a tied initiative roll is resolved."""
        tie: str = self.special.get("initiative_tie", REROLL)
        self.is_known("special, initiative_tie", "side", tie, [REROLL, *self.side_ids], "4.3.1")
        return tie

    # --- sides and units

    def read_areas(self) -> dict[str, Area]:
        """R-02 The set-up areas of both sides."""
        areas: dict[str, Area] = {}
        for side in self.tables["side"]:
            for name, hexes in side.get("areas", {}).items():
                where = f"side {side['id']}, areas, {name}"
                if name in areas:
                    self.mistake(where, "the other side has an area of the same name.")
                areas[name] = Area(name, side["id"], self.hexes_of(where, hexes))
        return areas

    def read_seats(self) -> tuple[Seat, ...]:
        """The seats of both sides; a side without any has one with its own name."""
        found: list[Seat] = []
        for side in self.tables["side"]:
            for seat in side.get("seats") or [{"id": side["id"], "name": side["name"]}]:
                if any(other.id == seat["id"] for other in found):
                    self.mistake(f"side {side['id']}, seats {seat['id']}", "another seat has the same id.")
                found.append(Seat(seat["id"], seat["name"], side["id"]))
        return tuple(found)

    def read_units(self) -> Iterator[Unit]:
        for side in self.tables["side"]:
            for row in side["units"]:
                yield self.read_unit(f"side {side['id']}, unit {row['id']}", side["id"], row)

    def read_unit(self, where: str, side: str, row: dict[str, Any]) -> Unit:
        """R-02 Read one unit with its place."""
        self.is_known(f"{where}, card", "card", row["card"], self.cards, "1.6")
        seats = [seat.id for seat in self.seats if seat.side == side]
        seat = row.get("seat", seats[0])
        self.is_known(f"{where}, seat", "seat of this side", seat, seats)
        self.check_beginning(where, row)
        unit = Unit(
            id=row["id"],
            name=row["name"],
            side=side,
            seat=seat,
            card=row["card"],
            vp=self.worth(row),
            damaged=row.get("damaged", False),
            hex=self.hex(f"{where}, hex", row["hex"]) if "hex" in row else None,
            facing=row.get("facing", 0),
            area=row.get("area", ""),
            turn=row.get("turn", 0),
            entry=self.read_entry(f"{where}, entry", row.get("entry", [])),
        )
        self.check_area(where, side, unit)
        return unit

    def check_beginning(self, where: str, row: dict[str, Any]) -> None:
        """R-02 Check that a unit either starts on the map (hex and facing) or enters later (turn and entry hexes)."""
        on_the_map, enters = [all(key in row for key in way) for way in BEGINNINGS]
        touched = [any(key in row for key in way) for way in BEGINNINGS]
        if [on_the_map, enters] != touched or on_the_map == enters:
            self.mistake(where, "give the unit either a hex and a facing, or a turn and entry hexes.")
        if row.get("turn", 0) > self.tables["turns"]:
            self.mistake(f"{where}, turn", f"the scenario ends after turn {self.tables['turns']}.")

    def check_area(self, where: str, side: str, unit: Unit) -> None:
        """R-02 Check that a unit's area belongs to its own side and contains its default place."""
        own = [name for name, area in self.areas.items() if area.side == side]
        if not unit.area or not self.is_known(f"{where}, area", "area of this side", unit.area, own):
            return
        if unit.turn:
            self.mistake(f"{where}, area", "a unit that enters later has no set-up area.")
        elif unit.hex is not None and unit.hex not in self.areas[unit.area].hexes:
            self.mistake(f"{where}, hex", f"{hex_name(unit.hex)} is not in the area '{unit.area}'.")

    def read_entry(self, where: str, names: list[str]) -> tuple[Hex, ...]:
        """R-02 Read entry hexes, which must be at the edge of the map."""
        entry = self.hexes_of(where, names)
        for hex in entry:
            if all(self.board.is_on_map(other) for other in neighbours(hex)):
                self.mistake(where, f"{hex_name(hex)} is not at the edge of the map.")
        return entry

    def worth(self, row: dict[str, Any]) -> int:
        """R-04 The points for eliminating a unit."""
        default = self.tables.get("victory", {}).get("eliminated", 0)
        if default == "points":
            card = self.cards.get(row["card"])
            default = card.points if card else 0
        return int(row.get("vp", default))

    def check_ids(self, units: Sequence[Unit]) -> None:
        """1.7.1 Check that no id or name is used twice, so that orders can use either."""
        counted = Counter(name.casefold() for unit in units for name in dict.fromkeys((unit.id, unit.name)))
        for name in sorted(name for name, count in counted.items() if count > 1):
            self.mistake("side, units", f"'{name}' is the name of more than one unit.", rule="1.7.1")

    def check_places(self, units: Sequence[Unit]) -> None:
        """4.5.1.1.2, 4.5.1.1.10 Check that no unit starts in terrain closed to it or in a hex with an enemy."""
        holder: dict[Hex, Unit] = {}
        for unit in (unit for unit in units if unit.hex is not None):
            assert unit.hex is not None
            where = f"side {unit.side}, unit {unit.id}, hex"
            other = holder.setdefault(unit.hex, unit)
            if other.side != unit.side:
                what = f"the enemy's {other.id} starts in {hex_name(unit.hex)} too."
                self.mistake(where, what, rule="4.5.1.1.10")
            card = self.cards.get(unit.card)
            if card and not self.can_stand(card, unit.hex):
                what = f"{card.name} cannot be in {hex_name(unit.hex)}: {self.terrain_names(unit.hex)}."
                self.mistake(where, what, rule="4.5.1.1.2")

    def can_stand(self, card: Any, hex: Hex) -> bool:
        """4.5.1.1.2 Whether the hex is open to the card's traction, or has a road or path (R-14)."""
        cost = self.charts.entry_cost(self.board.terrain(hex), card.traction)
        return cost != PROHIBITED or bool(self.board.links(hex))

    def terrain_names(self, hex: Hex) -> str:
        return " and ".join(self.charts.terrain(type).name for type in self.board.terrain(hex))

    # --- victory

    def read_objectives(self) -> Iterator[Objective]:
        """3.6 Read the objectives; points are the same for both sides unless the file says otherwise."""
        for row in self.tables.get("objective", []):
            where = f"objective {row['id']}"
            if ("place" in row) == ("hexes" in row):
                self.mistake(where, "give the objective either hexes or a place.")
            nowhere = "place" in row and not self.is_known(
                f"{where}, place", "place", row["place"], self.board.places
            )
            points = row["vp"] if isinstance(row["vp"], dict) else dict.fromkeys(self.side_ids, row["vp"])
            for side in points:
                self.is_known(f"{where}, vp", "side", side, self.side_ids, "3.6")
            if "controller" in row:
                self.is_known(f"{where}, controller", "side", row["controller"], self.side_ids, "3.6")
            if nowhere:
                continue
            yield Objective(
                id=row["id"],
                name=row["name"],
                hexes=self.hexes_of(f"{where}, hexes", row.get("hexes") or [row.get("place", "")]),
                vp={side: points.get(side, 0) for side in self.side_ids},
                taken=row.get("taken", "complete_turn"),
                controller=row.get("controller", ""),
                by=row.get("by", "units"),
            )

    def read_exits(self) -> Iterator[Exit]:
        """R-04 The map edges that are worth points."""
        for row in self.tables.get("exit", []):
            self.is_known("exit, side", "side", row["side"], self.side_ids)
            yield Exit(row["side"], row["edge"], row["vp"])

    def read_start(self) -> dict[str, int]:
        """R-04 The points of each side when the match begins."""
        points: dict[str, int] = self.tables.get("victory", {}).get("start", {})
        for side in points:
            self.is_known("victory, start", "side", side, self.side_ids)
        return {side: points.get(side, 0) for side in self.side_ids}

    def read_levels(self) -> tuple[Level, ...]:
        """R-04 Read the levels of victory, highest first."""
        levels = self.tables.get("victory", {}).get("levels", [])
        return tuple(Level(row["lead"], row["name"]) for row in sorted(levels, key=lambda row: -int(row["lead"])))
