"""Small builders for Panzer tests, so that each test states only what it is about.

    board = a_board("..m..")                                  one character per hex, one line per row, as in map files
    tank = a_vehicle("b1", "A1", "crusader1", facing=3, command=Command.SHORT_HALT)
    table = a_table(tank, a_vehicle("g1", "C3", "pz3j"), board=board, dice=[12, 35])
    played = run_step(table, direct_fire_step(table, side="british"), {"fire": [shoot("g1", "b1"), None]})
    assert_rule(played.findings, "4.4.3.2.3", result="hit")

Everything is deterministic: dice are a list, and an unanswered ask gets its default.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from support.title_contract import settled

from pbem.engine.geometry.hexes import Hex, parse_hex, to_offset
from pbem.engine.rules.ask import Answer, Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.board import Board, read_board
from pbem.titles.panzer.cards.cards import Card, Field, Weapon
from pbem.titles.panzer.cards.cards import cards as packaged_cards
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.cards.files import packaged
from pbem.titles.panzer.data_set import PanzerData, basic_data
from pbem.titles.panzer.decisions.movement import Moves
from pbem.titles.panzer.sequence import SEQUENCE
from pbem.titles.panzer.setup.scenario import as_advanced
from pbem.titles.panzer.setup.scenario_file import (
    REROLL,
    Scenario,
    Seat,
    Side,
    is_advanced,
    load_scenario,
    packaged_boards,
)
from pbem.titles.panzer.setup.scenario_reader import load_advanced
from pbem.titles.panzer.state import Damage, PanzerState, Status, Unit, Wreck

# --- data ----------------------------------------------------------------------------------------------------


def a_board(
    terrain: str = "", *, signs: Mapping[str, str] | None = None, columns: int = 20, rows: int = 20, **tables: Any
) -> Board:
    """Build a map from its drawing, by default open ground; rows count from 1 unless the drawing numbers them.

    On open ground `signs` puts terrain into single hexes by its map symbol, e.g. `{"C3": "m"}`. `tables` are the
    other keys of a map file: levels (a drawing too), legend, storeys, hexsides, links …
    """
    text = f"name = 'test'\nterrain = '''\n{_numbered(terrain or _open_ground(columns, rows, signs or {}))}\n'''\n"
    if "levels" in tables:
        text += f"levels = '''\n{_numbered(tables.pop('levels'))}\n'''\n"
    for key in sorted(tables, key=lambda key: isinstance(tables[key], dict)):  # plain keys come before tables
        text += _toml(key, tables[key])
    return _board(text)


@cache
def _board(text: str) -> Board:
    """Build a board once: boards never change, and tests use the same ones repeatedly."""
    return read_board(text)


def _open_ground(columns: int, rows: int, signs: Mapping[str, str]) -> str:
    placed = {to_offset(parse_hex(name)): sign for name, sign in signs.items()}
    return "\n".join(
        "".join(placed.get((column, row), ".") for column in range(1, columns + 1)) for row in range(1, rows + 1)
    )


def _numbered(drawing: str) -> str:
    lines = [line.strip() for line in drawing.splitlines() if line.strip()]
    if all(len(line.split()) == 2 for line in lines):
        return "\n".join(lines)
    return "\n".join(f"{number} {line}" for number, line in enumerate(lines, start=1))


def _toml(key: str, value: Any) -> str:
    if isinstance(value, dict):
        rows = "".join(f"{json.dumps(name)} = {json.dumps(inner)}\n" for name, inner in value.items())
        return f"[{key}]\n{rows}"
    return f"{key} = {json.dumps(value)}\n"


def a_scenario(
    board: Board, edition: Edition = "2024", sides: Sequence[str] = ("german", "soviet"), **more: Any
) -> Scenario:
    """Build a scenario, by default without units, objectives or special conditions."""
    given: dict[str, Any] = {
        "name": "test",
        "text": "",
        "edition": edition,
        "map": "test",
        "turns": 3,
        "board": board,
        "sides": tuple(Side(side, side) for side in sides),
        "seats": tuple(Seat(side, side, side) for side in sides),
        "areas": {},
        "units": (),
        "objectives": (),
        "exits": (),
        "levels": (),
        "initiative_tie": REROLL,
        "initiative_winner": "chooses",
        "early_end": "never",
        "switches": {},
    }
    return Scenario(**given | more)


def packaged_scenario(name: str, edition: Edition | None = None) -> Scenario:
    """A scenario that comes with the title, in its own edition or another."""
    setup = packaged(f"scenarios/{name}.toml")
    load = load_advanced if is_advanced(setup) else load_scenario
    return load(setup, packaged_boards(), edition=edition, file=f"{name}.toml")


def a_card(id: str, like: str = "pz4h", **changes: Any) -> Card:
    """Build a packaged card under another id, with some values changed."""
    return msgspec.structs.replace(packaged_cards()[like], id=id, name=id, **changes)


def a_weapon(
    name: str = "gun",
    *,
    turret: int = 1,
    field: Field = "all",
    ranges: tuple[int, ...] = (3, 6, 10, 14, 17),
    penetration: tuple[int, ...] = (19, 17, 15, 13, 12),
) -> Weapon:
    """Build a weapon in a turret, on a pivot (360) or fixed (0, with its field of fire)."""
    return Weapon(name, turret, field, ranges, penetration)


def a_data_set(
    board: Board | None = None,
    *,
    edition: Edition = "2024",
    cards: Iterable[Card] = (),
    **scenario: Any,
) -> PanzerData:
    """The frozen data of a match: an open board, the packaged charts and cards (and more), a bare scenario."""
    board = board or a_board()
    bare = a_scenario(board, edition, **scenario)
    return basic_data(as_advanced(bare), charts(edition), {**packaged_cards(), **{card.id: card for card in cards}})


# --- state ---------------------------------------------------------------------------------------------------


def a_hex(place: str | Hex) -> Hex:
    return parse_hex(place) if isinstance(place, str) else place


USUAL_CARDS = {"b": "crusader1", "g": "pz4h", "s": "t34_76", "i": "m13_40"}


def a_vehicle(id: str, hex: str | Hex | None, card: str = "", *, side: str = "", **more: Any) -> Unit:
    """Build a vehicle on the map, or in reserve if no hex is given; by default its card's nation is its side."""
    card = card or USUAL_CARDS[id[0]]
    status = Status.RESERVE if hex is None else Status.ON_MAP
    damage = Damage.WHOLE if more.pop("damaged", False) else Damage.NONE
    given: dict[str, Any] = {"status": status, "name": id, "damage": damage, **more}
    return Unit(
        id=id,
        side=side or packaged_cards()[card if card in packaged_cards() else USUAL_CARDS[id[0]]].nation,
        card=card,
        hex=None if hex is None else a_hex(hex),
        **given,
    )


def a_state(
    *vehicles: Unit,
    spotted: Mapping[str, Iterable[str]] | None = None,
    wrecks: Mapping[str, Wreck] | None = None,
    sides: Sequence[str] = (),
    **more: Any,
) -> PanzerState:
    """Build a state with these vehicles. All have spotted every enemy, and the first side named is First Player."""
    named = [*sides, *(vehicle.side for vehicle in vehicles), "german", "soviet"]
    both = tuple(dict.fromkeys(named))[:2]
    by_id = {vehicle.id: vehicle for vehicle in sorted(vehicles, key=lambda vehicle: vehicle.id)}
    given: dict[str, Any] = {"first": both[0], **more}
    return PanzerState(
        vehicles=by_id,
        spotted={id: list(seen) for id, seen in (everybody(by_id) if spotted is None else spotted).items()},
        wrecks=dict(wrecks or {}),
        sides=both,
        **given,
    )


def everybody(vehicles: Mapping[str, Unit]) -> dict[str, list[str]]:
    """Return the spotting matrix in which every unit has spotted every enemy."""
    return {
        id: [other.id for other in vehicles.values() if other.side != vehicle.side]
        for id, vehicle in vehicles.items()
    }


def brewed_up(*, fresh: bool = False) -> Wreck:
    return Wreck(brewed_up=True, fresh=fresh)


def knocked_out() -> Wreck:
    return Wreck(brewed_up=False, fresh=False)


# --- table ---------------------------------------------------------------------------------------------------


class Scripted:
    """Dice that follow a script; `rolled` keeps the name of every roll."""

    def __init__(self, dice: Iterable[int]) -> None:
        self.left = list(dice)
        self.rolled: list[tuple[str, tuple[str, ...]]] = []

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        assert self.left, f"{rule} {subjects} rolls, but the script has no die left"
        assert 1 <= self.left[0] <= sides, f"{self.left[0]} is not on a die of {sides}"
        self.rolled.append((rule, subjects))
        return self.left.pop(0)


class Always:
    """Dice that always show the same number."""

    def __init__(self, result: int) -> None:
        self.result = result

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        return min(self.result, sides)


def a_table(
    *vehicles: Unit,
    dice: Iterable[int] = (),
    state: PanzerState | None = None,
    data: PanzerData | None = None,
    board: Board | None = None,
    edition: Edition = "2024",
    cards: Iterable[Card] = (),
    scenario: Mapping[str, Any] | None = None,
    **more: Any,
) -> Table[PanzerState]:
    """Build a table with vehicles (or a state), scripted dice, and an edition's data; `more` goes to `a_state`."""
    state = state or a_state(*vehicles, **more)
    data = data or a_data_set(board, edition=edition, cards=cards, **{"sides": state.sides, **(scenario or {})})
    return Table(state, Scripted(dice), data)


@dataclass(frozen=True)
class Played:
    """The results of a step: the asks it made, the findings it logged, and the value it returned."""

    asks: list[Ask]
    findings: list[Finding]
    result: Any = None

    def asked(self, kind: str = "", seat: str = "") -> list[Ask]:
        return [ask for ask in self.asks if kind in ("", ask.kind) and seat in ("", ask.seat)]

    @property
    def sequence(self) -> list[tuple[str, str]]:
        """The asks in order, by seat and kind."""
        return [(ask.seat, ask.kind) for ask in self.asks]


Script = Sequence[Answer] | Mapping[Any, Any]
"""Answers in order, or by kind (or seat and kind): a value, a list to use up, or a function of the ask."""


def run_step(table: Table[PanzerState], step: Step, answers: Script = ()) -> Played:
    """Run a step to its end with these answers; any ask without an answer gets its default."""
    reply, asks, before = _replier(answers), list[Ask](), len(table.findings)
    table.state.stage = stage_of(table.state, step)
    value: Any = None
    while True:
        try:
            pending = step.send(value)
        except StopIteration as stop:
            return Played(asks, table.findings[before:], stop.value)
        open_asks = pending.asks if isinstance(pending, Together) else (pending,)
        asks += map(settled, open_asks)
        given = tuple(said(table, ask, reply(ask)) for ask in open_asks)
        value = given if isinstance(pending, Together) else given[0]


SILENT = object()
"""A replier's marker for no answer."""


def said(table: Table[PanzerState], ask: Ask, reply: Answer) -> Answer:
    """Return the answer given, or the rules' default; only a straggler's move has to be computed."""
    if reply is not SILENT:
        return reply
    return Moves(table.data, table.state, ask).default() if ask.kind == Moves.kind else ask.silence


def stage_of(state: PanzerState, step: Any) -> int:
    """4.0 Return the stage of the turn to which a step belongs, for tests that begin with that step."""
    name = {"no_move_step": "movement_step"}.get(step.gi_code.co_name, step.gi_code.co_name)
    side = step.gi_frame.f_locals.get("side", "")
    player = "first" if side == state.first else "second"
    fitting = [number for number, stage in enumerate(SEQUENCE) if stage.step == name]
    return next((number for number in fitting if SEQUENCE[number].player in ("", player)), (*fitting, state.stage)[0])


def run_steps(
    table: Table[PanzerState], steps: Mapping[str, Callable[..., Step]], answers: Script = (), most: int = 200
) -> Played:
    """Run steps in the order in which each names the next, until one names a step that is not in the list."""
    asks, before = list[Ask](), len(table.findings)
    shared = _Once(answers)
    for _ in range(most):
        following = table.state.next
        if following is None or following.name not in steps:
            return Played(asks, table.findings[before:])
        table.state.next = None
        asks += run_step(table, steps[following.name](table, **following.args), shared).asks
    raise AssertionError(f"still going on after {most} steps")


class _Once(dict[Any, Any]):
    """Answers that are kept from step to step, so that each answer in a list is used only once."""

    def __init__(self, answers: Script) -> None:
        super().__init__()
        self.reply = _replier(answers)


def _replier(answers: Script) -> Callable[[Ask], Answer]:
    if isinstance(answers, _Once):
        return answers.reply
    if isinstance(answers, Mapping):
        left = {key: list(value) if isinstance(value, list) else value for key, value in answers.items()}
        return lambda ask: _by_kind(left, ask)
    rest = list(answers)
    return lambda ask: rest.pop(0) if rest else SILENT


def _by_kind(answers: dict[Any, Any], ask: Ask) -> Answer:
    key = (ask.seat, ask.kind) if (ask.seat, ask.kind) in answers else ask.kind
    if key not in answers:
        return SILENT
    value = answers[key]
    if isinstance(value, list):
        return value.pop(0) if value else SILENT
    return value(ask) if callable(value) else value


def shoot(target: str, *firers: str | tuple[str, int]) -> dict[str, Any]:
    """Build a declaration: these vehicles fire at a target, by default with their first weapon."""
    return {
        "target": target,
        "firers": [[firer, 0, "ap"] if isinstance(firer, str) else [*firer, "ap"] for firer in firers],
    }
