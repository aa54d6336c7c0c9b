"""Small builders for TANKS tests, so that each test states only what it is about.

Lengths are tenths of a millimetre.

    table = a_table(a_tank("a1", 1000, 5000, 90), a_tank("b1", 5000, 5000, 270), dice=[4, 6, 1, 2, 5, 1])
    played = run_step(table, attack(table, table.state.tanks["a1"], table.state.tanks["b1"]))
    assert_rule(played.findings, "T7.4", dice=(4, 6, 1, 2))

Everything is deterministic: dice are a list, and an ask without an answer gets its default.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
import pytest

from pbem.engine.geometry.plane import Point
from pbem.engine.rules.ask import Ask, Step, Together
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.table import Table
from pbem.engine.rules.title import Plan, Reply, Submission
from pbem.titles.tanks.cards.criticals import new_deck
from pbem.titles.tanks.data_set import Scenario, TanksData, data_set, freeze
from pbem.titles.tanks.movement.phase import move_next, movement_phase
from pbem.titles.tanks.player.standing_orders import compile_orders
from pbem.titles.tanks.shooting.phase import attack
from pbem.titles.tanks.state import Held, Piece, Status, Tank, TanksState
from pbem.titles.tanks.title import Tanks, TanksRules

USUAL = {"a": "sherman-75", "b": "panzer-iv"}
SEAT = {"a": "alpha", "b": "bravo"}
MOVEMENT = Ask("alpha", "movement", "T1.1", default={}, grade="order")
SHOOTING = Ask("alpha", "shooting", "T1.2", default={}, grade="order")
COMMAND = Ask("bravo", "command", "T8.3", default={}, grade="order")
"""The forms of the three phases, as most tests ask for them."""


@cache
def packaged() -> TanksData:
    return data_set(freeze("crossroads", {}))


def a_data(**scenario: Any) -> TanksData:
    """Return the packaged cards and a bare scenario: an empty table, ten turns, 75 points."""
    bare: dict[str, Any] = {"piece": (), "objective": (), "attacker": "", "edge": ""}
    changed: Scenario = msgspec.structs.replace(packaged().scenario, **(bare | scenario))
    return dataclasses.replace(packaged(), scenario=changed)


def a_tank(
    id: str, x: int, y: int, heading: int = 0, model: str = "", *, cards: Sequence[str] = (), **more: Any
) -> Tank:
    """Build a live tank; ids with a are alpha's Sherman 75, and ids with b are bravo's Panzer IV.

    Measured from the centre, the Sherman is 290 by 130 and the Panzer IV 295 by 145.
    """
    held = [Held(card, packaged().cards[card].points) for card in cards]
    given: dict[str, Any] = {"status": Status.LIVE, "seat": SEAT[id[0]], "cards": held, **more}
    return Tank(id=id, model=model or USUAL[id[0]], at=Point(x, y), heading=heading, **given)


def opened(tank: Tank) -> Tank:
    """Return the same tank with its cards face up."""
    for held in tank.cards:
        held.up = True
    return tank


def a_piece(id: str, x: int, y: int, heading: int = 0) -> Piece:
    """Build a terrain piece whose kind is the beginning of its id.

    Measured from the centre, a building is 300 by 250 and a wood 500 by 400.
    """
    return Piece(id, id.split("-")[0], Point(x, y), heading)


def a_state(*tanks: Tank, pieces: Iterable[Piece] = (), **more: Any) -> TanksState:
    more.setdefault("switches", Tanks.switches)
    given: dict[str, Any] = {"attacker": "alpha", "edges": {"alpha": "south", "bravo": "north"}, **more}
    by_id = {tank.id: tank for tank in tanks}
    return TanksState(tanks=by_id, pieces=list(pieces), deck=new_deck(packaged()), **given)


class Scripted:
    """Dice that follow a script; `rolled` keeps the name of every roll.

    All dice have six sides; only a draw from the deck (T7.11) has as many as there are cards.
    """

    def __init__(self, dice: Iterable[int]) -> None:
        self.left = list(dice)
        self.rolled: list[tuple[str, tuple[str, ...]]] = []

    def roll(self, sides: int, rule: str, subjects: tuple[str, ...], *, secret: bool) -> int:
        assert self.left, f"{rule} {subjects} rolls, but the script has no die left"
        assert sides == 6 or rule in ("T7.11", "T2.4"), f"{rule} rolls a die of {sides}"
        assert 1 <= self.left[0] <= sides, f"{self.left[0]} is not on a die of {sides}"
        self.rolled.append((rule, subjects))
        return self.left.pop(0)


def a_table(
    *tanks: Tank,
    dice: Iterable[int] = (),
    data: TanksData | None = None,
    scenario: Mapping[str, Any] | None = None,
    **more: Any,
) -> Table[TanksState]:
    """Build a table with tanks and scripted dice; other arguments go to `a_state`."""
    return Table(a_state(*tanks, **more), Scripted(dice), data or a_data(**(scenario or {})))


@dataclass(frozen=True)
class Played:
    """The result of a step: its asks, its findings, and the value it returned."""

    asks: list[Ask]
    findings: list[Finding]
    result: Any = None

    def asked(self, kind: str) -> list[Ask]:
        return [ask for ask in self.asks if ask.kind == kind]


def run_step(table: Table[TanksState], step: Step, answers: Mapping[str, Any] | None = None) -> Played:
    """Run a step to its end.

    `answers` gives, for a kind of ask or for `kind seat`, a list of answers to be used in turn; they are checked like
    a player's answers.
    """
    left = {kind: list(given) for kind, given in (answers or {}).items()}
    asks: list[Ask] = []
    rules = TanksRules(table.data)

    def answer(ask: Ask) -> Any:
        asks.append(ask)
        for name in (f"{ask.kind} {ask.seat}", f"{ask.kind} {ask.subject}", ask.kind):
            if left.get(name):
                return rules.decode_answer(ask, check(table.data, table.state, ask, left[name].pop(0)))
        return rules.decode_answer(ask, ask.default)

    value: Any = None
    try:
        while True:
            pending = step.send(value)
            value = tuple(map(answer, pending.asks)) if isinstance(pending, Together) else answer(pending)
    except StopIteration as stop:
        return Played(asks, table.findings, stop.value)


def check(data: TanksData, view: TanksState, ask: Ask, answer: Any) -> Any:
    """Return the canonical form of an answer, or raise a refusal."""
    return TanksRules(data).check(view, ask, answer)


def options(data: TanksData, view: TanksState, ask: Ask) -> Iterator[Any]:
    return TanksRules(data).options(view, ask)


def read(data: TanksData, view: TanksState, ask: Ask, text: str) -> Submission:
    return TanksRules(data).read(view, ask, text)


def form(data: TanksData, view: TanksState, ask: Ask) -> str:
    return TanksRules(data).form(view, ask)


def restate(data: TanksData, ask: Ask, submission: Submission) -> str:
    return TanksRules(data).restate(ask, submission)


def from_plan(data: TanksData, view: TanksState, ask: Ask, plan: Mapping[str, Any] | None = None) -> Iterator[Reply]:
    return TanksRules(data).from_plan(view, ask, Plan(dict(plan or {})))


def from_standing_orders(data: TanksData, view: TanksState, ask: Ask, lines: Sequence[str] = ()) -> Iterator[Reply]:
    """Return the answers of standing orders, by default the packaged ones."""
    return TanksRules(data).from_standing_orders(view, ask, compile_orders(tuple(lines)))


def lines_refused(table: Table[TanksState], ask: Ask, text: str) -> str:
    """Return the refusal of these lines, in words."""
    with pytest.raises(Refusal) as refusal:
        read(table.data, table.state, ask, text)
    return str(refusal.value)


def shoot(table: Table[TanksState], shooter: str, target: str, answers: Mapping[str, Any] | None = None) -> Played:
    """Resolve one attack."""
    tanks = table.state.tanks
    return run_step(table, attack(table, tanks[shooter], tanks[target]), answers)


def run_phase(table: Table[TanksState], first: Any, steps: Mapping[str, Any], answers: Mapping[str, Any]) -> Played:
    """Run a step and those that follow it as long as they are in `steps`."""
    asks: list[Ask] = []
    played = run_step(table, first(table), answers)
    asks += played.asks
    while table.state.next is not None and table.state.next.name in steps:
        played = run_step(table, steps[table.state.next.name](table), answers)
        asks += played.asks
    return Played(asks, table.findings)


def run_movement(table: Table[TanksState], answers: Mapping[str, Any] | None = None) -> Played:
    """Run the whole Movement Phase."""
    return run_phase(table, movement_phase, {"move_next": move_next}, answers or {})
