"""2.0 A description of a scenario for its author: strength, points, tempo, and hints.

2.0     describe
1.9     strength: units, formations and points of a side
        tempo: how many emails a match takes
        hints: legal, but rarely intended; hexes_as_ids
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.engine.geometry.hexes import Hex, hex_name
from pbem.titles.data_files import DataError, nearest
from pbem.titles.panzer.cards.advanced_cards import AdvancedCards
from pbem.titles.panzer.cards.basic_rows import EDITIONS, Edition
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.cards import cards
from pbem.titles.panzer.cards.files import Mistake, read_toml
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES, words
from pbem.titles.panzer.setup.scenario import AdvancedScenario, AdvancedUnit, Conditions
from pbem.titles.panzer.setup.scenario_file import Scenario, is_advanced, load_scenario, packaged_boards
from pbem.titles.panzer.setup.scenario_reader import load_advanced, packaged_printed, with_switched_cards

OVERSTACKED: Final = 6
"""5.13 The number of vehicles and guns at which a hex is overstacked."""
MANY: Final = 45
"""This many units in one seat take an evening to command."""
UNEVEN: Final = 125
"""A side with this percentage of the other's points has a clear advantage."""


def check_scenario(setup: bytes, maps: Mapping[str, bytes], edition: str = "") -> list[str]:
    """2.0 Describe a file in lines; a DataError names every mistake. `maps` are the maps next to the file."""
    if edition and edition not in EDITIONS:
        raise DataError("edition", [Mistake(edition, "there is no such edition.", nearest(edition, EDITIONS), "2.0")])
    beside = {name: text for name, text in maps.items() if "terrain" in read_toml(text, name)}
    boards: dict[str, Board | bytes] = {**packaged_boards(), **beside}
    chosen: Edition | None = edition or None
    if is_advanced(setup):
        return list(describe(load_advanced(setup, boards, edition=chosen)))
    return list(describe_basic(load_scenario(setup, boards, edition=chosen)))


def describe_basic(scenario: Scenario) -> Iterator[str]:
    """2.0 Describe a scenario of the basic game."""
    yield headline(scenario)
    for side in scenario.sides:
        own = [unit for unit in scenario.units if unit.side == side.id]
        yield f"{side.name}: {len(own)} vehicles, {sum(cards()[unit.card].points for unit in own)} points"
    yield from tempo(scenario, sealed=False)
    yield from (f"worth a look: {hint}" for hint in hexes_as_ids(scenario))


def describe(scenario: AdvancedScenario) -> Iterator[str]:
    """2.0 Describe a scenario of the advanced game."""
    book = with_switched_cards(packaged_printed, scenario.edition, scenario.switches).book
    yield headline(scenario)
    for side in scenario.sides:
        yield strength(scenario, book, side.id, side.name)
    yield rules(scenario)
    yield from tempo(scenario, sealed=has_plots(scenario, book))
    yield from (f"worth a look: {hint}" for hint in hints(scenario, book))


def headline(scenario: Scenario) -> str:
    return f"{scenario.name}: {scenario.edition} edition, map {scenario.board.name}, {scenario.turns} turns"


def strength(scenario: AdvancedScenario, book: AdvancedCards, side: str, name: str) -> str:
    """1.9 A side's units by kind, its formations, its support and their total points."""
    own = [unit for unit in scenario.units if unit.side == side]
    kinds = Counter(kind_of(book, unit) for unit in own)
    kinds["batteries"] = sum(row.side == side for row in scenario.batteries)
    kinds["aircraft"] = sum(row.side == side for row in scenario.aircraft)
    parts = [f"{kind} {count}" for kind, count in kinds.items() if count]
    formations = [row for row in scenario.formations.values() if row.side == side]
    said = f"{len(own)} units ({', '.join(parts)}) in {len(formations)} formations"
    return f"{name}: {said}, {points(scenario, book, side)} points"


def kind_of(book: AdvancedCards, unit: AdvancedUnit) -> str:
    if unit.card in book.vehicles:
        return "vehicles"
    return "guns" if unit.card in book.towed else "leg units"


def points(scenario: AdvancedScenario, book: AdvancedCards, side: str) -> int:
    """5.8.2 A side's total points: units with their weapons, batteries, aircraft."""
    units = sum(
        book.unit_points(unit.card) + sum(book.attached[name].points.value for name in unit.weapons)
        for unit in scenario.units
        if unit.side == side
    )
    batteries = sum(book.batteries[row.card].row.points.value for row in scenario.batteries if row.side == side)
    aircraft = sum(book.aircraft[row.card].points.value for row in scenario.aircraft if row.side == side)
    return units + batteries + aircraft


def rules(scenario: AdvancedScenario) -> str:
    """AG, 7.0 The rules that the scenario adds to the advanced game, and those it leaves out."""
    added = [words(rule) for rule in scenario.rules if rule not in ADVANCED_RULES]
    left_out = [words(rule) for rule in ADVANCED_RULES if rule not in scenario.rules]
    said = f"optional rules: {', '.join(added) or 'none'}"
    return f"{said}; left out: {', '.join(left_out)}" if left_out else said


def has_plots(scenario: AdvancedScenario, book: AdvancedCards) -> bool:
    """6.5.1.4, 6.5.1.11, 6.7.1 Whether sides plot before units are placed."""
    choice = [row for row in scenario.aircraft if book.aircraft[row.card].bombs and book.aircraft[row.card].rockets]
    fire = [row for row in scenario.batteries if row.registered_points or row.planned_turns]
    return bool(choice or fire or any(row.area for row in scenario.features))


def tempo(scenario: Scenario, *, sealed: bool) -> Iterator[str]:
    """How often a match waits for its players: once for plots, once for each set-up, once a turn."""
    placing = {unit.side for unit in scenario.units if unit.area}
    exchanges = int(sealed) + len(placing) + scenario.turns
    yield f"tempo: {exchanges} exchanges by email with reactions by plan, one of them for each turn"
    seats = Counter(unit.seat for unit in scenario.units)
    yield f"units by seat: {', '.join(f'{seat} {count}' for seat, count in sorted(seats.items()))}"


def hints(scenario: AdvancedScenario, book: AdvancedCards) -> Iterator[str]:
    """Things that are legal, but rarely intended."""
    yield from hexes_as_ids(scenario)
    yield from balance_hints(scenario, book)
    yield from unled_formations(scenario)
    yield from unobserved_batteries(scenario)
    yield from crowded_hexes(scenario, book)
    for seat, count in sorted(Counter(unit.seat for unit in scenario.units).items()):
        if count > MANY:
            yield f"{seat} orders {count} units: an evening's work each turn"
    if "weather" in scenario.rules and scenario.conditions == Conditions():
        yield "weather is in use, but [conditions] does not set it (7.36)"
    if scenario.aircraft and "weather" in scenario.rules and scenario.conditions.spotting:
        yield "aircraft fly only by day and in clear weather, so none will fly here (6.7)"
    if not scenario.objectives and not any(unit.vp for unit in scenario.units):
        yield "nothing is worth points: the match will be a draw (3.6)"


def hexes_as_ids(scenario: Scenario) -> Iterator[str]:
    """1.2, 1.6 Ids of units, batteries, aircraft and features that can be mistaken for hexes."""
    rows: tuple[Any, ...] = scenario.units
    if isinstance(scenario, AdvancedScenario):
        rows += (*scenario.batteries, *scenario.aircraft, *scenario.features)
    hexes = {hex_name(hex).lower() for hex in scenario.board.hexes}
    if found := [row.id for row in rows if row.id in hexes]:
        yield f"ids that are also hexes of the map: {', '.join(found)} (1.2); an id such as ge1 cannot be a hex"


def balance_hints(scenario: AdvancedScenario, book: AdvancedCards) -> Iterator[str]:
    weak, strong = sorted((points(scenario, book, side.id), side.name) for side in scenario.sides)
    if strong[0] * 100 >= weak[0] * UNEVEN:
        yield f"{strong[1]} has {strong[0]} points against {weak[0]}: the objectives should make up for this"


def unled_formations(scenario: AdvancedScenario) -> Iterator[str]:
    """5.9.1 Formations with units but without a headquarters."""
    for row in scenario.formations.values():
        units = [unit for unit in scenario.units if unit.formation == row.id]
        if not units:
            yield f"formation {row.id} ({row.name}) has no units"
        elif not any(label in ("chq", "bhq", "rhq") for unit in units for label in unit.labels):
            yield f"formation {row.id} ({row.name}) has no headquarters (5.9.1)"


def unobserved_batteries(scenario: AdvancedScenario) -> Iterator[str]:
    """6.5.1.1 Batteries without an observer to call them."""
    for side in scenario.sides:
        observers = [unit for unit in scenario.units if unit.side == side.id and unit.labels]
        if any(row.side == side.id for row in scenario.batteries) and not observers:
            yield f"{side.name} has batteries, but no unit that can call them (6.5.1.1)"


def crowded_hexes(scenario: AdvancedScenario, book: AdvancedCards) -> Iterator[str]:
    """5.13 Hexes that start overstacked."""
    counts: Counter[Hex] = Counter(
        unit.hex
        for unit in scenario.units
        if unit.hex is not None and not unit.turn and not unit.aboard and unit.card not in book.legs
    )
    for hex, count in sorted(counts.items()):
        if count >= OVERSTACKED:
            yield f"{hex_name(hex)} starts overstacked, with {count} vehicles and guns (5.13)"
