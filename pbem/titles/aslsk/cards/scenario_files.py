"""1.3 Reading scenario cards: turning files into a Scenario and its Ground, or reporting every mistake at once.

    1.3         read_scenario, Loaded
    packaged    packaged_scenarios, packaged_boards, scenario_files
    own files   an owner's boards, counters and scenarios in place of the packaged ones
    checking    check_scenario, scenario_format

Only `packaged_file` reads packaged files. An owner's files replace the packaged ones of the same names:
`boards/a.toml`, `scenarios/mine.toml`, `units.toml` and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec

from pbem.titles.aslsk.cards.charts import CHART_FILES, Charts, read_charts
from pbem.titles.aslsk.cards.deck import DECK_FILES, Deck, read_deck
from pbem.titles.aslsk.cards.files import Mistake, convert, packaged, packaged_names, read_toml
from pbem.titles.aslsk.cards.scenario import EXPLAINED, Scenario, ScenarioFile
from pbem.titles.aslsk.cards.scenario_checks import ScenarioReader
from pbem.titles.aslsk.cards.terrain import read_terrain
from pbem.titles.aslsk.ground.board import Board, read_board
from pbem.titles.aslsk.ground.joining import Placed, misfits
from pbem.titles.aslsk.ground.terrain import Ground
from pbem.titles.data_files import DataError, nearest

RULE: Final = "1.3"
TERRAIN: Final = "terrain.toml"
SCENARIO: Final = "scenario"
BOARDS: Final = "boards/"
NO_FILES: Final[dict[str, bytes]] = {}


class Loaded(msgspec.Struct, frozen=True):
    """1.3 Everything that a match needs from its files."""

    scenario: Scenario
    ground: Ground
    deck: Deck
    charts: Charts
    misfits: tuple[str, ...] = ()
    """1.1 Where the boards do not match; the board listed first lies on top."""


def packaged_scenarios() -> tuple[str, ...]:
    """1.3 The names of the packaged scenarios."""
    return packaged_names("scenarios")


def packaged_boards() -> tuple[str, ...]:
    """1.1 The ids of the packaged boards."""
    return packaged_names("boards")


def file_named(name: str, own: Mapping[str, bytes]) -> bytes:
    """Return the owner's file of this name, or the packaged one."""
    return own[name] if name in own else packaged(name)


def scenario_files(name: str, own: Mapping[str, bytes] = NO_FILES) -> dict[str, bytes]:
    """1.3 The files of a scenario as a match stores them: the card, its boards, counters and charts."""
    path = f"scenarios/{name}.toml"
    if path not in own and name not in packaged_scenarios():
        known = [*packaged_scenarios(), *own_scenarios(own)]
        raise DataError(name, [Mistake(name, "there is no such scenario.", nearest(name, known), RULE)])
    return files_of(file_named(path, own), name, own)


def own_scenarios(own: Mapping[str, bytes]) -> list[str]:
    """1.3 The names of an owner's scenarios."""
    return sorted(
        path.removeprefix("scenarios/").removesuffix(".toml") for path in own if path.startswith("scenarios/")
    )


def files_of(card: bytes, name: str, own: Mapping[str, bytes] = NO_FILES) -> dict[str, bytes]:
    """1.3 The files that a scenario card needs, including the card itself."""
    tables = convert(read_toml(card, name, RULE), ScenarioFile, name, RULE)
    files = {SCENARIO: card, TERRAIN: file_named(TERRAIN, own)}
    files |= {file: file_named(file, own) for file in (*DECK_FILES, *CHART_FILES)}
    known = {*packaged_boards(), *(path.removeprefix(BOARDS).removesuffix(".toml") for path in own)}
    unknown = [row.board for row in tables.board if row.board not in known]
    if unknown:
        mistakes = [Mistake("board", f"there is no board '{id}'.", nearest(id, known), "1.1") for id in unknown]
        raise DataError(name, mistakes)
    for row in tables.board:
        files[f"{BOARDS}{row.board}.toml"] = file_named(f"{BOARDS}{row.board}.toml", own)
    return files


def read_scenario(files: Mapping[str, bytes], name: str = "scenario", strict: bool = False) -> Loaded:
    """1.3 Read the scenario from its files; DataError lists every mistake in its card.

    Matches with the same files share one result, and with it the lines of sight that its map remembers.
    """
    needed = (SCENARIO, TERRAIN, *DECK_FILES, *CHART_FILES)
    boards = [file for file in files if file.startswith(BOARDS)]
    return _read_scenario(tuple((file, files[file]) for file in sorted((*needed, *boards))), name, strict)


@lru_cache(maxsize=32)
def _read_scenario(contents: tuple[tuple[str, bytes], ...], name: str, strict: bool) -> Loaded:
    files = dict(contents)
    deck = read_deck(files)
    tables = convert(read_toml(files[SCENARIO], name, RULE), ScenarioFile, name, RULE)
    boards = {row.board: _board(row.board, files) for row in tables.board}
    layout = [Placed(boards[row.board], row.across, row.down, row.turned) for row in tables.board]
    reader = ScenarioReader(tables, name, deck, layout, read_terrain(files[TERRAIN]), strict)
    scenario = reader.scenario()
    return Loaded(scenario, reader.ground, deck, read_charts(files), tuple(misfits(layout)))


def _board(id: str, files: Mapping[str, bytes]) -> Board:
    board = read_board(files[f"{BOARDS}{id}.toml"], f"board {id}")
    if board.id != id:
        raise DataError(f"board {id}", [Mistake("id", f"the file gives the board's id as '{board.id}'.", id, "1.1")])
    return board


# --- for authors -----------------------------------------------------------------------------------------------


def scenario_format() -> str:
    """1.3 Describe the scenario file format, with the ids that can be used in it."""
    from pbem.titles.aslsk.cards.deck import deck as packaged_deck

    cards = packaged_deck()
    text = packaged("SCENARIOS.md").decode("utf-8").rstrip()
    lists = [("Boards", packaged_boards())]
    for nation in cards.nations:
        kinds = (cards.units, cards.weapons, cards.guns, cards.vehicles)
        ids = [id for kind in kinds for id, card in kind.items() if card.nation == nation]
        lists.append((cards.nations[nation].name, tuple(ids)))
    lists.append(("Special rules", tuple(f"{rule} ({why})" for rule, why in EXPLAINED.items())))
    return "\n\n".join([text, "## Ids", *(f"{title}: {', '.join(ids)}" for title, ids in lists)]) + "\n"


def check_scenario(card: bytes, beside: Mapping[str, bytes], edition: str = "") -> list[str]:
    """1.3 Describe a scenario in a few lines; DataError lists every mistake in it.

    `beside` holds the TOML files in the same folder, by name: the author's boards and counters.
    """
    del edition  # there is one rulebook
    own: dict[str, bytes] = {}
    for name, data in beside.items():
        file = f"{name}.toml"
        own[file if file in (*DECK_FILES, *CHART_FILES, TERRAIN) else f"{BOARDS}{file}"] = data
    loaded = read_scenario(files_of(card, "scenario", own), strict=True)
    return [
        *_describe(loaded),
        *(f"Note: {misfit}; the board listed first takes precedence." for misfit in loaded.misfits),
    ]


def _describe(loaded: Loaded) -> list[str]:
    scenario = loaded.scenario
    half = " and a half" if scenario.half_turn else ""
    turns = f"{scenario.turns - bool(half)}{half}"
    lines = [
        f"{scenario.name}, {scenario.date}, {turns} turns, {len(loaded.ground)} hexes, needs: {scenario.tier}.",
        f"{scenario.side(scenario.setup_first).name} sets up first. "
        f"{scenario.side(scenario.first).name} moves first.",
    ]
    for side in scenario.sides:
        groups = [group for group in scenario.groups if group.side == side.id]
        units = [loaded.deck.units[piece.card] for group in groups for piece in group.units]
        halves = sum(2 if card.kind == "squad" else 1 for card in units if card.kind != "leader")
        numbers = {
            "squad": f"{halves // 2}{'½' if halves % 2 else ''}",
            "leader": str(sum(card.kind == "leader" for card in units)),
            "support weapon": str(sum(len(group.weapons) for group in groups)),
            "Gun": str(sum(len(group.guns) for group in groups)),
            "vehicle": str(sum(len(group.vehicles) for group in groups)),
        }
        counted = ", ".join(f"{n} {kind}{'' if n == '1' else 's'}" for kind, n in numbers.items() if n != "0")
        lines.append(f"{side.name}: {counted}; ELR {side.elr}.")
    return lines
