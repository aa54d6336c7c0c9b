"""1.3 Scenario cards: boards, date, both orders of battle, where they begin, the length of the game and victory
conditions.

    1.3   Scenario, Side, Group, Piece, Goal, Layout, Link
    1.3   ScenarioFile: the file as it is written; `scenario_files` reads it, `scenario_checks` finds its mistakes

`data/SCENARIOS.md` explains the format to players.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

Edge = Literal["north", "east", "south", "west"]
GoalKind = Literal["control", "exit", "casualties"]
Tier = Literal["infantry", "support weapons", "guns", "vehicles"]
SpecialRule = Literal["panzerfaust", "no panzerfaust", "no hidden guns"]
SPECIAL_RULES: Final[tuple[SpecialRule, ...]] = get_args(SpecialRule)
EXPLAINED: Final[dict[SpecialRule, str]] = {
    "panzerfaust": "4.4.2: German infantry may use Panzerfausts although the enemy has no AFV",
    "no panzerfaust": "4.4.2: Panzerfausts cannot be used",
    "no hidden guns": "6.4: Guns set up in sight",
}
MOST_TURNS: Final = 20
NOT_GIVEN: Final = -1


class Piece(msgspec.Struct, frozen=True):
    """1.3 One counter of an order of battle."""

    id: str
    card: str
    at: str = ""
    """The proposed set-up hex, or an empty string; the owner may choose another."""
    facing: int = -1
    """3.2.4 The hexspine that a Gun or vehicle faces when set up; -1 if the scenario proposes none."""


class Group(msgspec.Struct, frozen=True):
    """1.3 Part of an order of battle that sets up in an area or enters from an edge of the map."""

    id: str
    side: str
    name: str
    elr: int
    area: tuple[str, ...] = ()
    turn: int = 0
    """The turn in which the group enters; 0 if it sets up on the map."""
    entry: tuple[str, ...] = ()
    units: tuple[Piece, ...] = ()
    weapons: tuple[Piece, ...] = ()
    guns: tuple[Piece, ...] = ()
    vehicles: tuple[Piece, ...] = ()
    slot: str = ""
    """The campaign roster that fills the group; empty if nothing carries over."""

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All counters of the group: units, weapons, Guns and vehicles."""
        return (*self.units, *self.weapons, *self.guns, *self.vehicles)


class Side(msgspec.Struct, frozen=True):
    """1.3 One of the two sides of a scenario."""

    id: str
    name: str
    nation: str
    edge: Edge
    """7.10/recall The friendly edge of the map."""
    elr: int


class Goal(msgspec.Struct, frozen=True):
    """1.3 A victory goal. A side wins if it meets all of its goals, or if the other side fails to meet its own."""

    side: str
    kind: GoalKind
    number: int
    """The number of hexes and buildings, exit points or casualty points needed."""
    hexes: tuple[str, ...] = ()
    buildings: tuple[str, ...] = ()
    edge: Edge | Literal[""] = ""
    margin: int = 0
    """Casualties: the lead in points that the side needs, instead of a number of points."""


class Layout(msgspec.Struct, frozen=True):
    """1.1 A board of the scenario, with its position and orientation."""

    board: str
    across: int = 0
    down: int = 0
    turned: bool = False


class Link(msgspec.Struct, frozen=True):
    """1.3 The campaign that a scenario belongs to, and its part in it."""

    campaign: str
    part: int
    text: str = ""


class Scenario(msgspec.Struct, frozen=True):
    """1.3 A scenario card, read and checked."""

    name: str
    text: str
    date: str
    turns: int
    half_turn: bool
    """3.9 Whether the last turn ends after the first side's player turn."""
    first: str
    """3.0 The side that moves first."""
    setup_first: str
    layout: tuple[Layout, ...]
    sides: tuple[Side, ...]
    groups: tuple[Group, ...]
    victory: tuple[Goal, ...]
    rules: tuple[SpecialRule, ...]
    tier: Tier
    """The rules that the scenario needs; each tier includes those before it."""
    link: Link | None = None

    @property
    def year(self) -> int:
        return int(self.date[:4])

    @property
    def month(self) -> int:
        return int(self.date[5:])

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids of the sides, in the order of the card."""
        return tuple(side.id for side in self.sides)

    def side(self, id: str) -> Side:
        """A side by its id."""
        return next(side for side in self.sides if side.id == id)


# --- the shape of the file -------------------------------------------------------------------------------------


class BoardRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A [[board]] table of a scenario file."""

    board: str
    across: int = 0
    down: int = 0
    turned: bool = False


class SideRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A [[side]] table of a scenario file."""

    id: str
    name: str
    nation: str
    edge: Edge
    elr: int


class GroupRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A [[group]] table of a scenario file."""

    id: str
    side: str
    name: str = ""
    elr: int = NOT_GIVEN
    area: tuple[str, ...] = ()
    turn: int = 0
    entry: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    guns: tuple[str, ...] = ()
    vehicles: tuple[str, ...] = ()
    slot: str = ""


class GoalRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A [[goal]] table of a scenario file."""

    side: str
    kind: GoalKind
    number: int = 0
    hexes: tuple[str, ...] = ()
    buildings: tuple[str, ...] = ()
    edge: Edge | Literal[""] = ""
    margin: int = 0


class LinkRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The [link] table of a scenario file."""

    campaign: str
    part: int
    text: str = ""


class ScenarioFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario as written in its file."""

    name: str
    date: str
    turns: int
    first: str
    setup_first: str
    board: tuple[BoardRow, ...]
    side: tuple[SideRow, ...]
    group: tuple[GroupRow, ...]
    goal: tuple[GoalRow, ...]
    text: str = ""
    half_turn: bool = False
    map: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    link: LinkRow | None = None
