"""The board: the positions of a state on the map, computed once and kept current by every change.

    3.2      Unit: a piece with its card
    8.0      zones of control, counted hex by hex, so that a move changes only thirteen counts
    30.1     free and conquered cities, and their controllers
    9.1.1    the stack in each hex

A board belongs to one state and is discarded with it (`board_of`). All changes of position and strength go through
its methods; facts that depend only on positions (lines of supply, airspace) are cached in `facts` until the
next change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from pbem.titles.nato.cards.units import Side, Strength, UnitType
from pbem.titles.nato.data_set import NatoData
from pbem.titles.nato.map.grid import HexId, neighbours
from pbem.titles.nato.map.ground import CityClass, alliance
from pbem.titles.nato.state import ENEMY, NatoState, Piece

F = TypeVar("F")
UNREADY = 2
"""35.7 The highest alert level at which NATO can be surprised; without War of Nerves the level is 0."""


class Unit:
    """3.2 A piece together with its card."""

    __slots__ = ("card", "piece", "side")

    def __init__(self, piece: Piece, card: UnitType) -> None:
        self.piece, self.card = piece, card
        self.side = card.side

    @property
    def id(self) -> str:
        return self.piece.id

    @property
    def at(self) -> HexId:
        return self.piece.at

    @property
    def maneuver(self) -> bool:
        return self.card.maneuver

    @property
    def steps(self) -> int:
        """3.2.10.4 Return the number of steps left."""
        return 1 if self.piece.reduced else self.card.steps  # 6.0/step

    @property
    def attack(self) -> int:
        """3.2.1 Return the attack strength printed on the side of the counter that is face up."""
        return self._strength.attack if self.card.maneuver else 0  # 3.3.1

    @property
    def defense(self) -> int:
        return self._strength.defense

    @property
    def allowance(self) -> int:
        """3.2.3 Return the movement allowance printed on the side of the counter that is face up."""
        return self._strength.move

    @property
    def _strength(self) -> Strength:
        return self.card.strength(self.steps)

    def __repr__(self) -> str:
        return f"<{self.id} {self.at}>"


class Board:
    """The stacks of a state, the control of its cities, and the zones of control of both sides."""

    def __init__(self, data: NatoData, state: NatoState) -> None:
        self.data, self.state, self.atlas = data, state, data.atlas
        self.units: dict[str, Unit] = {}
        self.stacks: dict[HexId, list[Unit]] = {}
        self.zones: dict[Side, dict[HexId, int]] = {Side.WP: {}, Side.NATO: {}}
        self._covered: dict[str, tuple[HexId, ...]] = {}
        """The hexes that each unit's zone of control was counted in."""
        self.facts: dict[Any, Any] = {}
        self.assaulting = frozenset(state.assaults)
        self.port_use: dict[str, int] = {}
        """14.2.3 Steps that have gone through each port in this segment."""
        self.passengers: set[str] = set()
        """11.7 Units that fly or sail in this segment; airspace ignores them until it ends."""
        for piece in state.pieces.values():
            self._enter(Unit(piece, data.units[piece.id]))

    # --- looking ---------------------------------------------------------------------------------------------

    def at(self, hex: HexId, side: Side | None = None) -> list[Unit]:
        """9.0 Return the ground units in a hex, or only those of one side."""
        found = self.stacks.get(hex, [])
        return list(found) if side is None else [unit for unit in found if unit.side is side]

    def holds(self, hex: HexId, side: Side) -> bool:
        """Return whether a side has a ground unit in a hex."""
        return any(unit.side is side for unit in self.stacks.get(hex, ()))

    def of(self, side: Side) -> Iterator[Unit]:
        """The units of a side, sorted by name."""
        return (unit for _, unit in sorted(self.units.items()) if unit.side is side)

    def on_map(self, side: Side) -> Iterator[Unit]:
        return (unit for unit in self.of(side) if unit.at in self.atlas.places)

    # --- cities ----------------------------------------------------------------------------------------------

    def is_city(self, hex: HexId) -> bool:
        return hex in self.atlas.city_hexes

    def city_class(self, hex: HexId) -> CityClass | None:
        return self.atlas.places[hex].city_class if hex in self.atlas.places else None

    def controller(self, hex: HexId) -> Side | None:
        """30.1 Return the side that controls a city hex, or None for a hex without a city."""
        if not self.is_city(hex):
            return None
        return self.state.conquered.get(hex) or self.owner(hex)  # 6.0/conquered-city

    def owner(self, hex: HexId) -> Side:
        """30.1 Return the alliance that a hex belongs to."""
        country = self.atlas.places[hex].country
        assert country is not None
        return alliance(country)

    def free_city(self, hex: HexId, side: Side) -> bool:
        """30.2 Return whether a hex is a free city of a side (30.2.4: without a Nuclear Strike marker)."""
        return hex not in self.state.nuclear and self.is_unconquered(hex, side)  # 8.5.1, 30.2.4

    def is_unconquered(self, hex: HexId, side: Side) -> bool:
        """10.1.3, 6.0/free-city, 30.1 Whether a side holds its own city, even if struck by nuclear weapons."""
        return self.is_city(hex) and hex not in self.state.conquered and self.owner(hex) is side

    def is_contaminated(self, hex: HexId) -> bool:
        """21.1.3, 22.3 Return whether a hex bears a Nuclear or Chemical Strike marker."""
        return hex in self.state.nuclear or hex in self.state.chemical

    def friendly_port(self, hex: HexId, side: Side) -> bool:
        """10.1.4 Return whether a side controls the port in a hex."""
        if self.is_city(hex):  # 10.1.4/port-control
            return self.controller(hex) is side
        return self.state.ports.get(hex, self.owner(hex)) is side

    # --- zones of control -------------------------------------------------------------------------------------

    def ezoc(self, hex: HexId, side: Side) -> bool:
        """8.0 Return whether a hex is in a zone of control of a side's enemy."""
        return hex in self.zones[ENEMY[side]] or self.free_city(hex, ENEMY[side])  # 30.2.2, 6.0/ezoc

    def is_negated(self, hex: HexId, side: Side) -> bool:
        """8.5 Return whether a ground unit or a free city of the side in the hex negates enemy zones of control
        there.
        """
        return self.holds(hex, side) or self.free_city(hex, side)  # 30.2.3

    def closed(self, hex: HexId, side: Side) -> bool:
        """8.5 Return whether enemy zones of control close a hex to a side's supply lines, flights and retreats."""
        return self.ezoc(hex, side) and not self.is_negated(hex, side)  # 8.2.6, 8.3

    def adjacent_enemy(self, hex: HexId, side: Side) -> bool:
        """Return whether an enemy ground unit is in a neighbouring hex."""
        return hex in self.atlas.places and any(self.holds(near, ENEMY[side]) for near in neighbours(hex))

    # --- changing --------------------------------------------------------------------------------------------

    def place(self, unit: Unit, hex: str) -> None:
        """Put a unit into another hex or box."""
        self._leave(unit)
        unit.piece.at = hex
        self._enter(unit)

    def arrive(self, piece: Piece) -> Unit:
        """Bring a new piece into play."""
        unit = Unit(piece, self.data.units[piece.id])
        self.state.pieces[piece.id] = piece
        self._enter(unit)
        return unit

    def remove(self, unit: Unit) -> None:
        """Take a unit out of play."""
        self._leave(unit)
        del self.units[unit.id], self.state.pieces[unit.id]
        self.state.lost[unit.id] = self.state.turn

    def lose_step(self, unit: Unit) -> bool:
        """3.2.10.4 Reduce a full-strength two-step unit, or remove any other; return whether it was removed."""
        if unit.steps > 1:
            self._leave(unit)
            unit.piece.reduced = True
            self._enter(unit)
            return False
        self.remove(unit)
        return True

    def conquer(self, hex: HexId, side: Side) -> None:
        """30.1, 30.3.2 Hand a city to a side: it becomes conquered, or free again."""
        if self.owner(hex) is side and self.atlas.places[hex].country not in self.state.surrendered:
            self.state.conquered.pop(hex, None)
        else:
            self.state.conquered[hex] = side  # 4.1.1
        self.forget_facts()

    def refresh(self, unit: Unit) -> None:
        """Update the board after a marker that affects a unit's zone of control has changed."""
        self._leave(unit)
        self._enter(unit)

    def recount(self) -> None:
        """35.5 Recompute all zones of control after the border rule has changed."""
        for unit in self.units.values():
            self.refresh(unit)

    def assault(self, units: frozenset[str]) -> None:
        """27.3.2 Take away the zones of control of units in an assault hex until their battle is over."""
        touched = [unit for id in sorted(units ^ self.assaulting) if (unit := self.units.get(id)) is not None]
        for unit in touched:
            self._leave(unit)
        self.assaulting = units
        for unit in touched:
            self._enter(unit)

    def forget_facts(self) -> None:
        """Discard all facts derived from the position."""
        self.facts.clear()

    def fact(self, key: Any, work_out: Callable[[], F]) -> F:
        """Return a fact derived from the position, computed only once."""
        if key not in self.facts:
            self.facts[key] = work_out()
        found: F = self.facts[key]
        return found

    def _enter(self, unit: Unit) -> None:
        self.units[unit.id] = unit
        self._covered[unit.id] = self.zone(unit)
        self._count(unit, 1)
        stack = self.stacks.setdefault(unit.at, [])
        stack.append(unit)
        stack.sort(key=lambda each: each.id)
        self.forget_facts()

    def _leave(self, unit: Unit) -> None:
        self._count(unit, -1)
        self.stacks[unit.at].remove(unit)
        if not self.stacks[unit.at]:
            del self.stacks[unit.at]
        self.forget_facts()

    def _count(self, unit: Unit, by: int) -> None:
        zones = self.zones[unit.side]
        for hex in self._covered[unit.id]:
            zones[hex] = zones.get(hex, 0) + by
            if not zones[hex]:
                del zones[hex]

    def zone(self, unit: Unit) -> tuple[HexId, ...]:
        """8.0 Return the hexes that are in a unit's zone of control."""
        if unit.piece.train or unit.id in self.assaulting or unit.at not in self.atlas.places:  # 13.4, 13.4.1, 27.3.2
            return ()
        if unit.maneuver and unit.attack == 0:  # 6.0/zoc
            return (unit.at,)
        around = neighbours(unit.at)
        if self.border_closed(unit.side):
            around = tuple(hex for hex in around if not self.atlas.hexside(unit.at, hex).iron_curtain)
        return (unit.at, *around)

    def surprise(self, turn: int | None = None) -> bool:
        """35.7 Return whether this is the surprise turn; War of Nerves has one only if NATO's alert level is low."""
        alert = self.state.alert
        return self.data.surprise(self.state.turn if turn is None else turn) and alert <= UNREADY

    def border_closed(self, side: Side) -> bool:
        """35.5 Return whether a side's zones of control currently stop at the Iron Curtain."""
        if not self.data.plays("border"):
            return False
        if self.state.turn == 0:
            return True
        return side is Side.NATO and self.state.turn == 1 and self.state.side is Side.WP


def board_of(data: NatoData, state: NatoState) -> Board:
    """Return the board of a state, which is built only once."""
    found: Board | None = state.__dict__.get("board")
    if found is None or found.data is not data:
        found = state.__dict__["board"] = Board(data, state)
    return found
