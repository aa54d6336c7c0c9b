"""1.3 Checking a scenario card and building its Scenario.

    1.3     ScenarioReader: sides, groups, goals
    areas   hexes, blocks K1..P10, buildings, boards and edges of the map
    pieces  german-467 x3 @K5, german-75l-at @K5/2

Each mistake says where it is, what is wrong and which rule it breaks. All mistakes of a card are found at once. A
strict check is for authors: it also rejects some things that older, stored matches may contain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.titles.aslsk.cards.deck import Deck
from pbem.titles.aslsk.cards.files import Mistake
from pbem.titles.aslsk.cards.notation import read_month
from pbem.titles.aslsk.cards.scenario import (
    MOST_TURNS,
    NOT_GIVEN,
    SPECIAL_RULES,
    Goal,
    GoalRow,
    Group,
    GroupRow,
    Layout,
    Link,
    Piece,
    Scenario,
    ScenarioFile,
    Side,
    Tier,
)
from pbem.titles.aslsk.cards.terrain import TerrainChart
from pbem.titles.aslsk.cards.units import Card
from pbem.titles.aslsk.cards.weapons import GunCard, WeaponCard
from pbem.titles.aslsk.ground.joining import Placed, join_boards
from pbem.titles.aslsk.ground.lattice import to_offset
from pbem.titles.aslsk.ground.terrain import EDGES, Ground
from pbem.titles.data_files import DataError, nearest

RULE: Final = "1.3"
JOINED: Final = "1.1/joined-boards"
KINDS: Final = ("units", "weapons", "guns", "vehicles")
ENTRY: Final = re.compile(
    r"(?P<card>\S+)(?:\s+x(?P<count>\d+))?(?:\s+@(?P<hex>[A-Za-z]+\d+)(?:/(?P<facing>[0-5]))?)?"
)
SHORT_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,15}")


class ScenarioReader:
    """Reads one scenario card and collects its mistakes."""

    def __init__(
        self,
        tables: ScenarioFile,
        file: str,
        deck: Deck,
        layout: Sequence[Placed],
        chart: TerrainChart,
        strict: bool = False,
    ) -> None:
        self.tables, self.file, self.deck, self.strict = tables, file, deck, strict
        self.mistakes: list[Mistake] = []
        self.date = self.month(tables.date)
        self.check_layout(layout)
        joined = join_boards(layout)
        whole = Ground(tables.name, joined, int(self.date[5:]), chart)
        self.ground = whole
        if tables.map:
            kept = self.hexes("map", tables.map)
            self.ground = Ground(tables.name, joined, int(self.date[5:]), chart, kept) if kept else whole
        self.sides = {row.id: Side(row.id, row.name, row.nation, row.edge, row.elr) for row in tables.side}

    def scenario(self) -> Scenario:
        """1.3 The scenario, or a DataError with every mistake."""
        tables = self.tables
        self.check_head()
        groups = tuple(self.group(row) for row in tables.group)
        self.check_groups(groups)
        goals = tuple(self.goal(index, row) for index, row in enumerate(tables.goal, start=1))
        if self.mistakes:
            raise DataError(self.file, self.mistakes)
        link = tables.link
        return Scenario(
            name=tables.name,
            text=tables.text.strip(),
            date=self.date,
            turns=tables.turns,
            half_turn=tables.half_turn,
            first=tables.first,
            setup_first=tables.setup_first,
            layout=tuple(Layout(row.board, row.across, row.down, row.turned) for row in tables.board),
            sides=tuple(self.sides.values()),
            groups=groups,
            victory=goals,
            rules=tuple(rule for rule in SPECIAL_RULES if rule in tables.rules),
            tier=tier_of(groups),
            link=Link(link.campaign, link.part, link.text) if link else None,
        )

    def wrong(self, where: str, what: str, instead: str = "", rule: str = RULE) -> None:
        self.mistakes.append(Mistake(where, what, instead, rule))

    # --- the head

    def month(self, text: str) -> str:
        try:
            if not re.fullmatch(r"\d{4}-\d\d", text):
                raise ValueError(f"'{text}' is not a month: write it like 1944-06.")
            return read_month(text)
        except ValueError as error:
            self.wrong("date", str(error))
            return "1944-07"

    def check_layout(self, layout: Sequence[Placed]) -> None:
        """1.1 Check that all boards are the same size and lie side by side, and that each is used once."""
        places = [(placed.across, placed.down) for placed in layout]
        if not layout:
            raise DataError(self.file, [Mistake("board", "a scenario needs a board.", rule="1.1")])
        for index, placed in enumerate(layout):
            id = placed.board.id
            if places[index] in places[:index]:
                self.wrong(f"board {id}", "another board already has this position: change across or down.")
            if any(id == other.board.id for other in layout[:index]):
                self.wrong(f"board {id}", "a board can be used only once.", rule="1.1")
            if (placed.board.columns, placed.board.rows) != (layout[0].board.columns, layout[0].board.rows):
                self.wrong(f"board {id}", "joined boards must have the same size.", rule=JOINED)
            if len(layout) > 1 and not any(abs(a - placed.across) + abs(d - placed.down) == 1 for a, d in places):
                self.wrong(f"board {id}", "this board does not touch any other board.", rule=JOINED)
        if len(layout) > 1 and layout[0].board.columns % 2 == 0:
            self.wrong("board", "only boards with an odd number of columns can be joined.", rule=JOINED)

    def check_head(self) -> None:
        tables = self.tables
        if len(tables.side) != 2 or len(self.sides) != 2:
            self.wrong("side", f"a scenario needs two sides with different ids, not {len(tables.side)}.")
        for key, id in (("first", tables.first), ("setup_first", tables.setup_first)):
            if id not in self.sides:
                self.wrong(key, f"there is no side '{id}'.", nearest(id, self.sides), "3.0")
        if not 1 <= tables.turns <= MOST_TURNS:
            self.wrong("turns", f"{tables.turns} turns: the length must be 1 to {MOST_TURNS}.", rule="3.9")
        for side in self.sides.values():
            self.check_id(f"side {side.id}", side.id)
            if side.nation not in self.deck.nations:
                near = nearest(side.nation, self.deck.nations)
                self.wrong(f"side {side.id}", f"there is no nationality '{side.nation}'.", near, "5.2")
            self.check_elr(f"side {side.id}", side.elr)
        for rule in tables.rules:
            if rule not in SPECIAL_RULES:
                self.wrong("rules", f"there is no special rule '{rule}'.", nearest(rule, SPECIAL_RULES))
        if not tables.goal:
            self.wrong("goal", "a scenario needs a goal.")

    def check_id(self, where: str, id: str) -> None:
        if not SHORT_ID.fullmatch(id):
            self.wrong(where, f"'{id}' is not an id: use up to 16 lower-case letters, digits and -, a letter first.")

    def check_elr(self, where: str, elr: int) -> None:
        if not 0 <= elr <= 5:
            self.wrong(where, f"ELR {elr}: it must be 0 to 5.", rule="5.1")

    # --- hexes

    def hexes(self, where: str, words: Iterable[str]) -> tuple[str, ...]:
        """The hexes that the words name, in map order."""
        found: set[str] = set()
        for word in words:
            found.update(self.named(where, word))
        return tuple(hex for hex in self.ground.hexes if hex in found)

    def named(self, where: str, word: str) -> Iterable[str]:
        """The hexes that a word names: a hex, a block of hexes, an edge of the map, a building or a board."""
        if (hex := self.ground.find(word)) is not None:
            return (hex,)
        if ".." in word:
            return self.block(where, word)
        for edge in EDGES:
            if word == edge:
                return self.ground.edge_hexes(edge)
        if word in self.ground.buildings:
            return self.ground.building_hexes(word)
        if word.startswith("board ") and (hexes := self.ground.board_hexes(word.removeprefix("board "))):
            return hexes
        known = [*self.ground.hexes, *self.ground.buildings, *EDGES]
        self.wrong(
            where, f"'{word}' is not a hex, a block such as K1..P10, a building or an edge.", nearest(word, known)
        )
        return ()

    def block(self, where: str, word: str) -> Iterator[str]:
        """All hexes between two corners, by their columns and rows."""
        corners = [self.corner(where, word, part) for part in word.split("..", 1)]
        if None in corners:
            return
        (column, row), (to_column, to_row) = (corner for corner in corners if corner is not None)
        for hex, place in self.ground.hexes.items():
            at_column, at_row = to_offset(place.hex)
            across = min(column, to_column) <= at_column <= max(column, to_column)
            if across and min(row, to_row) <= at_row <= max(row, to_row):
                yield hex

    def corner(self, where: str, block: str, word: str) -> tuple[int, int] | None:
        """The column and row of a corner; row 0 may be named in every column, although only every second column
        has it.
        """
        if (hex := self.ground.find(word)) is not None:
            return to_offset(self.ground[hex].hex)
        if word.endswith("0") and (below := self.ground.find(f"{word[:-1]}1")) is not None:
            column, row = to_offset(self.ground[below].hex)
            return column, row - 1
        self.wrong(where, f"hex {word} of '{block}' is not on the map.", nearest(word, self.ground.hexes))
        return None

    # --- groups

    def group(self, row: GroupRow) -> Group:
        where = f"group {row.id}"
        self.check_id(where, row.id)
        if self.strict and len(set(row.id)) == 1:
            self.wrong(
                where, f"the ids of its counters would look like hexes ({row.id}1): use two different letters."
            )
        side = self.sides.get(row.side)
        if side is None:
            self.wrong(where, f"there is no side '{row.side}'.", nearest(row.side, self.sides))
        elr = row.elr if row.elr >= 0 else side.elr if side else 0
        if row.elr != NOT_GIVEN:
            self.check_elr(where, row.elr)
        area, entry = self.hexes(f"{where}, area", row.area), self.hexes(f"{where}, entry", row.entry)
        self.check_beginning(where, row, entry)
        pieces = self.pieces(where, row, side.nation if side else "", area)
        return Group(
            id=row.id,
            side=row.side,
            name=row.name or row.id,
            elr=elr,
            area=area,
            turn=row.turn,
            entry=entry,
            units=pieces["units"],
            weapons=pieces["weapons"],
            guns=pieces["guns"],
            vehicles=pieces["vehicles"],
            slot=row.slot,
        )

    def check_beginning(self, where: str, row: GroupRow, entry: tuple[str, ...]) -> None:
        """1.3 Check that a group either sets up in an area or enters in a turn through hexes at the edge."""
        if bool(row.area) == bool(row.entry):
            self.wrong(where, "give either an area to set up in, or a turn and entry hexes.")
        if bool(row.entry) != (row.turn > 0):
            self.wrong(where, "give both a turn and entry hexes, or neither.", rule="3.1/a-reinforcements")
        if row.turn > self.tables.turns:
            self.wrong(where, f"turn {row.turn} comes after the last turn.", rule="3.1/a-reinforcements")
        for hex in entry:
            if not self.ground.edges(hex):
                self.wrong(where, f"{hex} is not at the edge of the map.", rule="3.1/a-reinforcements")

    def pieces(self, where: str, row: GroupRow, nation: str, area: tuple[str, ...]) -> dict[str, tuple[Piece, ...]]:
        """1.3 The counters of a group, numbered consecutively."""
        found: dict[str, tuple[Piece, ...]] = dict.fromkeys(KINDS, ())
        number = 0
        for kind in KINDS:
            for text in getattr(row, kind):
                for card, hex, facing in self.entry(f"{where}, {kind}", kind, text, nation):
                    number += 1
                    if hex and area and hex not in area:
                        self.wrong(f"{where}, {kind}", f"'{text}': {hex} is not in its area.")
                    found[kind] = (*found[kind], Piece(f"{row.id}{number}", card, hex, facing))
        if not number:
            self.wrong(where, "the group has no counters.")
        return found

    def entry(self, where: str, kind: str, text: str, nation: str) -> Iterator[tuple[str, str, int]]:
        """An entry of an order of battle: a card, the number of its counters, and where they begin."""
        match = ENTRY.fullmatch(text.strip())
        if match is None:
            self.wrong(
                where, f"'{text}' cannot be read: write a card, x and a number, @ and a hex: german-467 x3 @K5."
            )
            return
        cards: Mapping[str, Any] = getattr(self.deck, kind)
        card = cards.get(match["card"])
        if card is None:
            own = [id for id, known in cards.items() if known.nation == nation] or list(cards)
            self.wrong(
                where, f"there is no card '{match['card']}' among the {kind}.", nearest(match["card"], own), "1.2"
            )
            return
        if card.nation != nation:
            self.wrong(where, f"{card.id} is not of the nationality of its side.", rule="5.2")
        if isinstance(card, WeaponCard) and card.since > self.date:
            self.wrong(where, f"{card.id} was not available before {card.since}.", rule="4.4")
        hex = ""
        if match["hex"]:
            hex = self.ground.find(match["hex"]) or ""
            if not hex:
                near = nearest(match["hex"], self.ground.hexes)
                self.wrong(where, f"'{text}': {match['hex']} is not on the map.", near)
        for _ in range(int(match["count"] or 1)):
            yield card.id, hex, int(match["facing"] or -1)

    def check_groups(self, groups: Sequence[Group]) -> None:
        ids = [group.id for group in groups]
        for id in sorted({id for id in ids if ids.count(id) > 1}):
            self.wrong(f"group {id}", "this id is used twice.")
        for side in self.sides:
            if not any(group.side == side for group in groups):
                self.wrong(f"side {side}", "this side has no groups.")
        for group in groups:
            self.check_guns(group)
            self.check_stacks(group)

    def check_guns(self, group: Group) -> None:
        """1.2.6, 4.0 Check that each Gun has a unit, and that no Gun is in a building too small for it."""
        where = f"group {group.id}"
        mmc = [piece for piece in group.units if self.deck.units[piece.card].kind != "leader"]
        if len(group.guns) > len(mmc):
            self.wrong(where, "the group has more Guns than squads and crews to man them.", rule="4.0")
        if group.weapons and not group.units:
            self.wrong(where, "the group has weapons, but no unit to possess them.", rule="4.0")
        for piece in group.guns:
            gun: GunCard = self.deck.guns[piece.card]
            indoors = piece.at and self.ground[piece.at].terrain == "building"
            if indoors and not (gun.size > 0 or (gun.type in ("at", "inf") and gun.size >= 0)):
                self.wrong(where, f"{piece.card} is too large for the building in {piece.at}.", rule="1.2.6")

    def check_stacks(self, group: Group) -> None:
        """3.3.1 Check that the proposed set-up obeys the stacking limits."""
        for hex in dict.fromkeys(piece.at for piece in group.units if piece.at):
            cards: list[Card] = [self.deck.units[piece.card] for piece in group.units if piece.at == hex]
            halves = sum(2 if card.kind == "squad" else 1 for card in cards if card.kind != "leader")
            if halves > 6 or sum(card.kind == "leader" for card in cards) > 4:
                self.wrong(f"group {group.id}", f"too many units in {hex}: three squads and four leaders at most.",
                           rule="3.3.1")  # fmt: skip
        for hex in dict.fromkeys(piece.at for piece in group.vehicles if piece.at):
            if sum(piece.at == hex for piece in group.vehicles) > 1:
                self.wrong(f"group {group.id}", f"only one vehicle may set up in {hex}.", rule="3.3.2")

    # --- goals

    def goal(self, index: int, row: GoalRow) -> Goal:
        """1.3 Read one victory goal."""
        where = f"goal {index}"
        if row.side not in self.sides:
            self.wrong(where, f"there is no side '{row.side}'.", nearest(row.side, self.sides))
        hexes = self.hexes(f"{where}, hexes", row.hexes)
        for building in row.buildings:
            if building not in self.ground.buildings:
                near = nearest(building, self.ground.buildings)
                self.wrong(where, f"there is no building '{building}'.", near)
        places = len(hexes) + len(row.buildings)
        number = row.number or (places if row.kind == "control" else 0)
        if row.kind == "control" and not 0 < number <= places:
            self.wrong(where, f"places to control: {number}; it must be 1 to {places}.", rule="def/control")
        if row.kind == "exit" and (not row.edge or number <= 0):
            self.wrong(where, "an exit goal needs an edge and a number of points.")
        if row.kind == "casualties" and (number > 0) == (row.margin > 0):
            self.wrong(where, "a casualty goal needs either a number or a margin, not both.")
        return Goal(row.side, row.kind, number, hexes, row.buildings, row.edge, row.margin)


def tier_of(groups: Sequence[Group]) -> Tier:
    """1.3 Find which tier of the rules the orders of battle need."""
    if any(group.vehicles for group in groups):
        return "vehicles"
    if any(group.guns for group in groups):
        return "guns"
    return "support weapons" if any(group.weapons for group in groups) else "infantry"
