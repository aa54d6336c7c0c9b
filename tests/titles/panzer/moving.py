"""Builders for moves: a vehicle on a piece of ground, and its steps in one line.

    mover = a_mover("C9", board=a_board(signs={"C8": "^"}))
    assert driven(mover, "f").progress.spent == 4

Vehicles drive up column C: facing 1 leads from C9 to C8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from titles.panzer.builders import a_board, a_data_set, a_state, a_vehicle

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.titles.panzer.cards.basic_rows import Edition
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.cards.cards import Card
from pbem.titles.panzer.movement.steps.costs import Mode
from pbem.titles.panzer.movement.steps.driving import Progress
from pbem.titles.panzer.movement.steps.route_following import follow
from pbem.titles.panzer.movement.steps.step_findings import stride_finding
from pbem.titles.panzer.movement.steps.unit_steps import March, UnitMover, mover_of
from pbem.titles.panzer.movement.steps.unit_steps import start as begin
from pbem.titles.panzer.setup.scenario_file import Unit as Row
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Unit, Wreck


def a_mover(
    hex: str | None = "C9",
    card: str = "pz3j",
    facing: int = 1,
    *,
    board: Board | None = None,
    edition: Edition = "2024",
    others: Iterable[Unit] = (),
    wrecks: Mapping[str, Wreck] | None = None,
    entry: Iterable[str] = (),
    cards: Iterable[Card] = (),
    **more: Any,
) -> UnitMover:
    """A German vehicle about to move."""
    given: dict[str, Any] = {"command": Command.MOVE, "facing": facing, "side": "german", **more}
    vehicle = a_vehicle("g1", hex, card, **given)
    unit = Row("g1", "g1", "german", "german", card, 0, entry=tuple(map(parse_hex, entry)))
    data = a_data_set(board, edition=edition, cards=cards, units=(unit,))
    return mover_of(Situation(data, a_state(vehicle, *others, wrecks=wrecks)), vehicle)


def levels(*rows: str, columns: int = 5) -> dict[str, Any]:
    """A board whose rows, from the top, have these levels; its hill edges are slopes."""
    return {
        "terrain": "\n".join("." * columns for _ in rows),
        "levels": "\n".join((row if row != "0" else ".") * columns for row in rows),
        "hill_edges": "slope",
    }


def start(mover: UnitMover, mode: Mode = "cross") -> March:
    """Return a move before its first step."""
    return begin(mover, mode)


class Driven:
    """A route that was tried out: its progress, its cost and the objections to it."""

    def __init__(self, mover: UnitMover, steps: str, mode: Mode = "cross", begun: Progress | None = None) -> None:
        self.start = begun or begin(mover, mode)
        self.strides, stopped = follow(mover, self.start, steps.split())
        self.progress = self.strides[-1].progress if self.strides else self.start
        self.objections: list[Objection] = stopped or list(mover.finish_objections(self.progress))

    @property
    def findings(self) -> list[Finding]:
        before = [self.start, *(stride.progress for stride in self.strides)]
        return [stride_finding(progress, stride) for progress, stride in zip(before, self.strides, strict=False)]

    @property
    def costs(self) -> list[int | str]:
        return [stride.price.total for stride in self.strides]

    @property
    def legal(self) -> bool:
        return not self.objections


def driven(mover: UnitMover, steps: str, mode: Mode = "cross", begun: Progress | None = None) -> Driven:
    """Follow the steps, e.g. `f f r`, and return where they lead."""
    return Driven(mover, steps, mode, begun)


def a_strip(*signs: str, **tables: Any) -> Board:
    """Open ground where the hexes C8, C7, C6 … up from C9 have these map symbols."""
    return a_board(signs={f"C{8 - number}": sign for number, sign in enumerate(signs)}, columns=6, rows=12, **tables)
