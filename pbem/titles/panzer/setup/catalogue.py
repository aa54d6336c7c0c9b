"""2.0 The building blocks for scenario authors: everything with an id, straight from the data.

    1.2          maps and their places
    1.6, 5.1-5.4 cards by nation, with their points
    5.8.2        formations, with their contents
    7.0          optional rules; switches between the books

`data/SCENARIOS.md` explains how to write a scenario; this catalogue follows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from pbem.engine.geometry.hexes import hex_name
from pbem.titles.panzer.cards.advanced_cards import AdvancedCards, advanced_cards
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.cards.board import Board, read_board
from pbem.titles.panzer.cards.card_rows import FORCES
from pbem.titles.panzer.cards.charts import charts, switches
from pbem.titles.panzer.cards.files import packaged
from pbem.titles.panzer.rules_in_use import optional_rules
from pbem.titles.panzer.setup.scenario_file import packaged_boards


def catalogue() -> str:
    """2.0 All ids, as chapters of the scenario format description."""
    parts = [("Our maps", maps()), ("Cards", cards_in_lines()), ("Formations", formations())]
    parts += [("Terrain of a map", terrain()), ("Optional rules", rules()), ("Switches", switch_lines())]
    return "\n".join(f"## {title}\n\n" + "\n".join(lines) + "\n" for title, lines in parts)


def both_books() -> list[AdvancedCards]:
    return [advanced_cards(edition) for edition in EDITIONS]


def only_in(id: str, by_edition: Iterable[Mapping[str, object]]) -> str:
    """A note naming the only book that has this id; empty if both have it."""
    having = [edition for edition, rows in zip(EDITIONS, by_edition, strict=True) if id in rows]
    return "" if len(having) == len(EDITIONS) else f", {having[0]} only"


# --- 1.2 maps ----------------------------------------------------------------------------------------------------


def maps() -> Iterator[str]:
    """1.2 Each map with its size and its places."""
    for name, text in packaged_boards().items():
        board = text if isinstance(text, Board) else read_board(text, name)
        places = ", ".join(f'"{place}"' for place in board.places)
        yield f"- `{name}`: {board.name}, {hex_name(board.hexes[0])} to {hex_name(board.hexes[-1])}; places: {places}"


def terrain() -> Iterator[str]:
    """4.5.1.1.2 The symbols used to draw terrain, and the hexside features."""
    table = charts(EDITIONS[0])
    yield ", ".join(f"`{row.symbol}` {row.id}" for row in table.terrains.values())
    yield ""
    yield f"On hexsides: {', '.join(table.hexsides)}."


# --- 1.6 cards ---------------------------------------------------------------------------------------------------


def cards_in_lines() -> Iterator[str]:
    """1.6, 5.1-5.4 Every card by nation and kind: id, name, points."""
    books = both_books()
    yield "Each with its points."
    yield ""
    for nation in FORCES:
        yield f"**{nation}**"
        yield ""
        for title, kind in KINDS.items():
            rows = {id: row for book in books for id, row in kind(book).items() if row[2] == nation}
            told = [f"`{id}` {name} {cost}{only_in(id, map(kind, books))}" for id, (name, cost, _) in rows.items()]
            if told:
                yield f"- {title}: {'; '.join(told)}"
        yield ""


Listed = Mapping[str, tuple[str, int, str]]
"""Name, points and nation by id."""


def vehicles(book: AdvancedCards) -> Listed:
    return {id: (row.card.name, row.card.points, row.nation) for id, row in book.vehicles.items()}


def guns(book: AdvancedCards) -> Listed:
    return {id: (row.name, row.points.value, row.nation) for id, row in book.towed.items()}


def leg_units(book: AdvancedCards) -> Listed:
    return {id: (row.name, row.points.value, row.nation) for id, row in book.legs.items()}


def weapons(book: AdvancedCards) -> Listed:
    return {id: (row.name, row.points.value, row.nation) for id, row in book.attached.items()}


def batteries(book: AdvancedCards) -> Listed:
    return {id: (row.row.name, row.row.points.value, row.row.nation) for id, row in book.batteries.items()}


def aircraft(book: AdvancedCards) -> Listed:
    return {id: (row.name, row.points.value, row.nation) for id, row in book.aircraft.items()}


KINDS: Final = {
    "vehicles": vehicles,
    "towed guns": guns,
    "leg units": leg_units,
    "attached weapons": weapons,
    "batteries": batteries,
    "aircraft": aircraft,
}


# --- 5.8.2 formations --------------------------------------------------------------------------------------------


def formations() -> Iterator[str]:
    """5.8.2 Every formation: its points and its contents."""
    book = advanced_cards(EDITIONS[0])
    for id, row in book.formations.items():
        inside = [f"{count} {card}" for card, count in book.strength(id).items()]
        support = [f"{one.count} {one.id}" for one in row.batteries]
        yield f"- `{id}` ({row.level}, {book.points(id)} points): {', '.join([*inside, *support])}"


# --- 7.0 rules and switches --------------------------------------------------------------------------------------


def rules() -> Iterator[str]:
    """7.0 The ids of `rules`."""
    for id, row in optional_rules().items():
        alone = "" if set(row.editions) >= set(EDITIONS) else f" ({row.editions[0]} only)"
        needs = f" (together with `{row.needs}`)" if row.needs else ""
        yield f"- `{id}`: {row.rule} {row.text}{alone}{needs}"


def switch_lines() -> Iterator[str]:
    """The ids of `switches`, and the editions in which they are on."""
    for row in switches():
        on = " and ".join(row.editions) or "neither book"
        yield f"- `{row.id}`: {row.text} ({row.rule}); on in {on}"


@cache
def scenario_format() -> str:
    """2.0 The whole format description, for `pbem scenario format`."""
    return packaged("SCENARIOS.md").decode("utf-8") + "\n" + catalogue()
