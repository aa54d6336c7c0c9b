"""Small builders for tests of this title, so that each test states only what it is about.

    board = a_board({"3116": "16GT 21", "3218": "22/1A"})
    table = a_table({"3116": "16GT 21", "3218": "22/1A"}, dice=[1])
    played(table, battle_cycle(table, Commit("3218", ("16GT", "21"))), respond=None)

The map is the whole packaged one, the units are those of 1983, and the scenario is empty: no surprise, no border
rules. Dice are a list, and an ask that a test does not answer gets its default.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import msgspec

from pbem.engine.rules.ask import Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.nato.board import Board, Unit, board_of
from pbem.titles.nato.cards.charts import charts
from pbem.titles.nato.cards.scenario_files import packaged_scenario
from pbem.titles.nato.cards.units import Side, roster
from pbem.titles.nato.combat.prospects import battle_of
from pbem.titles.nato.data_set import NatoData, Options
from pbem.titles.nato.map.reading import atlas
from pbem.titles.nato.state import Battle, NatoState, Piece
from pbem.titles.nato.title import NatoRules


@cache
def a_data(*rules: str, year: int = 1983, **changes: Any) -> NatoData:
    """Return the whole map without any units, with these parts of the rules in use."""
    bare = {"placements": (), "arrivals": (), "conquered": {}, "turn_zero": False, "area": (), "sectors": {}}
    scenario = msgspec.structs.replace(packaged_scenario("theatre"), rules=frozenset(rules), **bare)
    if changes:
        scenario = msgspec.structs.replace(scenario, **changes)
    return NatoData(atlas(), roster(year), charts(), scenario, Options())


def a_state(units: Mapping[str, str], side: Side = Side.WP, **fields: Any) -> NatoState:
    """Build a state with these units by hex; `*` after a name means reduced, `!` disrupted."""
    pieces: dict[str, Piece] = {}
    for hex, names in units.items():
        for name in names.split():
            id = name.rstrip("*!")
            pieces[id] = Piece(id=id, at=hex, reduced="*" in name, disrupted="!" in name)
    given: dict[str, Any] = {"side": side, "turn": 2, **deepcopy(fields)}
    return NatoState(pieces=pieces, **given)


def a_board(units: Mapping[str, str], data: NatoData | None = None, **fields: Any) -> Board:
    return board_of(data or a_data(), a_state(units, **fields))


def a_battle(board: Board, objective: str, *attackers: str, side: Side = Side.WP, support: str = "") -> Battle:
    return battle_of(board, side, objective, attackers, support)


class Loaded:
    """Dice from a list, in the order in which they are rolled."""

    def __init__(self, dice: Iterable[int]) -> None:
        self.dice = list(dice)

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        assert self.dice, f"no die is left for {rule} {subjects}"
        return self.dice.pop(0)


def a_table(
    units: Mapping[str, str], dice: Sequence[int] = (), data: NatoData | None = None, **fields: Any
) -> Table[NatoState]:
    return Table(a_state(units, **fields), Loaded(dice), data or a_data())


def board_on(table: Table[NatoState]) -> Board:
    return board_of(table.data, table.state)


def played(table: Table[NatoState], step: Step, **answers: Any) -> list[Finding]:
    """Run a step to its end; `answers` are given by kind of ask, as a list if there are several of a kind."""
    rules, value = NatoRules(table.data), None
    while True:
        try:
            asked = step.send(value)
        except StopIteration:
            assert not table.chance.dice, f"dice are left: {table.chance.dice}"  # type: ignore[attr-defined]
            return table.findings
        if isinstance(asked, Together):
            value = tuple(answered(rules, table.state, ask, answers) for ask in asked.asks)
        else:
            value = answered(rules, table.state, asked, answers)


def done(step: Step) -> None:
    """Run a step that needs no decisions."""
    assert list(step) == []


def answered(rules: NatoRules, state: NatoState, ask: Ask, answers: dict[str, Any]) -> Any:
    """Return the test's answer, after checking it, or the default; a note needs no decision."""
    kind = ask.kind.replace(" ", "_")
    given = answers.get(kind, ...) if ask.grade != "note" else ...
    if isinstance(given, list):
        given = given.pop(0) if given else ...
    if given is ...:
        given = rules.default(lambda: state, ask)
    return rules.decode_answer(ask, rules.check(state, ask, msgspec.to_builtins(given)))


def an_ask(decision: Any, seat: str, **given: Any) -> Ask:
    ask: Ask = decision.make_ask(seat, **given)
    return ask


def unit(board: Board, id: str) -> Unit:
    return board.units[id]


def on(data: NatoData, **changes: Any) -> NatoData:
    """Return the same data with a changed scenario."""
    return dataclasses.replace(data, scenario=msgspec.structs.replace(data.scenario, **changes))
