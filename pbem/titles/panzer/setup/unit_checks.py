"""5.0 Checks on the units of an advanced scenario.

5.0          UnitChecks.check_units: kind, labels, weapons, transport, cover, buildings, positions
4.5.1.1.2    check_places, stands: terrain that is closed to a unit
6.6.7.1      check_load, space: passengers and their carriers
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.titles.panzer.cards.advanced_cards import AdvancedCards, VehicleCard, advanced_cards
from pbem.titles.panzer.cards.advanced_charts import COUNTER_RULES, AdvancedCharts
from pbem.titles.panzer.cards.basic_rows import EDITIONS, PROHIBITED
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.card_rows import LegCard, TowedCard
from pbem.titles.panzer.cards.cards import Card
from pbem.titles.panzer.cards.charts import Charts
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES, READY
from pbem.titles.panzer.setup.scenario import AdvancedUnit, FeatureRow
from pbem.titles.panzer.setup.scenario_file import Loader, Unit

BUILDINGS: Final = ("wood_building", "brick_building", "stone_building")
POSITIONS: Final = ("improved_position", "hasty_entrenchment")
ON_FIRE: Final = "on_fire"
MOUNTS: Final = "bicycles_and_cavalry"


class UnitChecks(Loader):
    """5.0 Checks that collect contradictions between a file's units and the cards, the map or the rules in use."""

    book: AdvancedCards
    advanced: AdvancedCharts
    table: dict[str, Any]
    rules: tuple[str, ...]
    features: tuple[FeatureRow, ...]

    def plays(self, rule: str) -> bool:
        return rule in self.rules

    def is_known(
        self, where: str, what: str, name: str, legal: Mapping[str, object] | list[str], rule: str = "2.0"
    ) -> bool:
        """1.6 Whether a name is legal; for a card of the other book the mistake names the switch to enable it."""
        if what != "card" or name in legal or all(name not in advanced_cards(other).legs for other in EDITIONS):
            return super().is_known(where, what, name, legal, rule)
        way = f"[special] switches = {{{MOUNTS} = true}} adds it."
        self.mistake(where, f"the {self.charts.edition} book has no '{name}'; {way}", rule="5.1")
        return False

    def require_rule(self, where: str, rule: str, what: str) -> None:
        """AG, 7.0 Record a mistake if something needs a rule that is not in use and that no match may add."""
        if not self.plays(rule) and rule not in self.table.get(READY, []):
            number = ledger_row(self.charts.edition, "5/introduction") if rule in ADVANCED_RULES else "7.0"
            self.mistake(where, f"{what} needs the rule {rule}, which is not in use.", rule=number)

    def check_units(self, units: Sequence[AdvancedUnit]) -> None:
        """5.0 Check that each unit is possible as the file describes it."""
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
                self.require_rule(f"{where}, hidden", "hidden_units", "a hidden unit")
            if unit.camouflaged:
                self.require_rule(f"{where}, camouflaged", "camouflage", "a camouflaged unit")
        for unit in units:
            self.check_load(unit, [other for other in units if other.aboard == unit.id])
        self.check_holders(units)

    def check_kind(self, where: str, unit: AdvancedUnit) -> None:
        """5.1, 5.2 Check that the rule of each kind of unit is in use."""
        if unit.card in self.book.legs:
            self.require_rule(where, "leg_units", "a leg unit")
        if unit.card in self.book.towed:
            self.require_rule(where, "towed_units", "a towed unit")
        if unit.damaged and unit.card not in self.book.vehicles:
            rule = ledger_row(self.charts.edition, "6.5.2.5")
            self.mistake(f"{where}, damaged", "only vehicles can be damaged.", rule=rule)

    def check_labels(self, where: str, unit: AdvancedUnit) -> None:
        """5.9 Check that guns have no labels, and that only leg units are engineers."""
        if unit.labels and unit.card in self.book.towed:
            self.mistake(f"{where}, labels", "a towed gun cannot have labels.", rule="5.9")
        if "engineer" in unit.labels and unit.card not in self.book.legs:
            self.mistake(f"{where}, labels", "only leg units can be engineers.", rule="5.9.3")

    def check_weapons(self, where: str, unit: AdvancedUnit) -> None:
        """5.1.3 Check that crew-served weapons are attached only to leg units."""
        for name in unit.weapons:
            self.is_known(f"{where}, weapons", "attached weapon", name, self.book.attached, "5.1.3")
        if unit.weapons and unit.card not in self.book.legs:
            self.mistake(f"{where}, weapons", "weapons can be attached only to leg units.", rule="5.1.3")

    def check_transport(self, where: str, unit: AdvancedUnit, by_id: Mapping[str, AdvancedUnit]) -> None:
        """5.16.2.4 Check that a unit's own transport is a vehicle on its side."""
        if not unit.transport:
            return
        own = [id for id, other in by_id.items() if other.side == unit.side and other.card in self.book.vehicles]
        self.is_known(f"{where}, transport", "vehicle of this side", unit.transport, own, "5.16.2.4")
        if unit.card in self.book.vehicles:
            self.mistake(f"{where}, transport", "a vehicle needs no transport.", rule="5.16.2.4")

    def check_load(self, carrier: AdvancedUnit, passengers: Sequence[AdvancedUnit]) -> None:
        """6.6.7.1 Check that a vehicle carries one towed unit, or leg units up to its capacity, never both."""
        card = self.book.vehicles.get(carrier.card)
        if not passengers or card is None:
            return
        where, names = f"side {carrier.side}, unit {carrier.id}", ", ".join(unit.id for unit in passengers)
        towed = [unit for unit in passengers if unit.card in self.book.towed]
        if any(unit.card in self.book.vehicles for unit in passengers):
            self.mistake(where, f"a vehicle cannot be aboard another: {names}.", rule="6.6.7.1")
        elif len(towed) > 1 or (towed and len(passengers) > 1):
            self.mistake(where, f"the vehicle can carry one gun or leg units, not both: {names}.", rule="6.6.7.1")
        else:
            needed = [space(self.book, unit.card) for unit in passengers]
            if None in needed:
                self.mistake(where, f"one of these cannot be carried: {names}.", rule="6.6.7.1")
            self.check_space(where, names, card, [room for room in needed if room is not None])

    def check_space(self, where: str, names: str, card: VehicleCard, needed: Sequence[tuple[int, int]]) -> None:
        """6.6.7.1 Check the capacity for towed and for leg units separately."""
        total = sum(room[0] for room in needed), sum(room[1] for room in needed)
        if any(want > has for want, has in zip(total, card.transport, strict=True)):
            room = f"{card.transport[0]}-{card.transport[1]}"
            what = f"the capacity needed for {names} is {total[0]}-{total[1]}, but the vehicle has {room}."
            self.mistake(where, what, rule="6.6.7.1")

    def check_cover(self, where: str, unit: AdvancedUnit) -> None:
        """6.1.4.1, 6.1.4.2 Check that only leg and towed units have full cover, and only vehicles are hull down."""
        vehicle = unit.card in self.book.vehicles
        if unit.full_cover:
            self.require_rule(f"{where}, full_cover", "full_cover", "full cover")
            if vehicle or unit.aboard:
                what = "only leg and towed units on the ground can be in full cover."
                self.mistake(f"{where}, full_cover", what, rule="6.1.4.2")
            elif unit.hex is not None and not self.allows_full_cover(unit.hex):
                what = f"there is no full cover in {hex_name(unit.hex)}: {self.terrain_names(unit.hex)}."
                self.mistake(f"{where}, full_cover", what, rule="6.1.4.2")
        if unit.hull_down:
            self.require_rule(f"{where}, hull_down", "hull_down", "a hull-down position")
            if not vehicle:
                self.mistake(f"{where}, hull_down", "only vehicles can be hull down.", rule="6.1.4.1")

    def allows_full_cover(self, hex: Hex) -> bool:
        """6.1.4.2 Whether full cover is possible in a hex; it is not on bridges, in fords or in streams."""
        return all(
            row.full_cover.value
            for type in self.board.terrain(hex)
            if (row := self.advanced.terrains.get(type)) is not None
        )

    def check_inside(self, where: str, unit: AdvancedUnit) -> None:
        """6.1.4.3.1 Check that a unit can be inside a building, or on its top floor or roof."""
        if not unit.inside or unit.hex is None:
            return
        where = f"{where}, inside"
        if not any(type in BUILDINGS for type in self.board.terrain(unit.hex)):
            self.mistake(where, f"there is no building in {hex_name(unit.hex)}.", rule="6.1.4.3.1")
        card = self.book.vehicles.get(unit.card)
        if card is not None and (card.card.traction != "T" or card.card.open_topped):
            self.mistake(where, "only tracked vehicles with a roof can be in buildings.", rule="6.1.4.3.1")
        if unit.inside == "up" and unit.card not in self.book.legs:
            self.mistake(where, "only leg units can be on upper floors.", "building", "6.1.4.3.1")
        elif unit.inside == "up" and self.board.storeys(unit.hex) < 2 and not self.table.get("desert_buildings"):
            self.mistake(where, f"the building in {hex_name(unit.hex)} has only one storey.", rule="6.1.4.3.1")

    def check_position(self, where: str, unit: AdvancedUnit) -> None:
        """6.1.4.3.6, 6.1.4.3.7 Check that a position is in the unit's hex, and no entrenchment holds a vehicle."""
        if not unit.position:
            return
        where = f"{where}, position"
        positions = {row.id: row for row in self.features if row.type in POSITIONS}
        if not self.is_known(where, "position", unit.position, positions, "6.1.4.3.7"):
            return
        row = positions[unit.position]
        if unit.hex is not None and row.hex != unit.hex:
            self.mistake(where, f"{row.id} is in {hex_name(row.hex)}.", rule="6.1.4.3.7")
        if unit.card in self.book.vehicles and row.type == "hasty_entrenchment":
            self.mistake(where, "an entrenchment cannot hold a vehicle.", rule="6.1.4.3.6")

    def check_holders(self, units: Sequence[AdvancedUnit]) -> None:
        """6.1.4.3.7 Check that a position holds one unit unless the scenario says otherwise."""
        for row in self.features:
            inside = [unit.id for unit in units if unit.position == row.id]
            if len(inside) > row.capacity:
                what = f"the position holds {row.capacity}, but {', '.join(inside)} are in it."
                self.mistake(f"feature {row.id}", what, rule="6.1.4.3.7")

    def check_places(self, units: Sequence[Unit]) -> None:
        """4.5.1.1.2, 4.5.1.1.10 Check that no unit but a passenger starts in closed terrain or with an enemy."""
        afoot = tuple(unit for unit in units if not (isinstance(unit, AdvancedUnit) and unit.aboard))
        super().check_places(afoot)
        for row in self.features:
            for unit in afoot:
                if unit.hex == row.hex and not row.area and self.closes(row.type, unit.card):
                    what = f"{unit.id} starts in {hex_name(row.hex)}, which this counter closes to such units."
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
        """4.5.1.1.2 Whether the hex is open to units of this card."""
        return stands(self.charts, self.advanced, self.board, card, hex)


def space(book: AdvancedCards, card: str) -> tuple[int, int] | None:
    """6.6.7.1 The capacity a passenger needs; None if it cannot be carried."""
    found: TowedCard | LegCard | None = book.towed.get(card) or book.legs.get(card)
    return found.passenger.value if found is not None and found.passenger is not None else None


def stands(charts: Charts, advanced: AdvancedCharts, board: Board, card: Any, hex: Hex) -> bool:
    """4.5.1.1.2, 6.6.4.1, 6.6.5 Whether a hex is open to units of this card, or has a road or path (R-14)."""
    terrain = board.terrain(hex)
    if isinstance(card, Card):
        return charts.entry_cost(terrain, card.traction) != PROHIBITED or bool(board.links(hex))
    rows = [advanced.terrains[type] for type in terrain if type in advanced.terrains]
    cells = [row.L if isinstance(card, LegCard) else row.towed for row in rows]
    return all(cell.value != PROHIBITED for cell in cells) or bool(board.links(hex))
