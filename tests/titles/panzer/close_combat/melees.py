"""Helpers for tests of close combat."""

from __future__ import annotations

from typing import Any

from titles.panzer.advanced.builders import a_leg, an_advanced_table
from titles.panzer.builders import Played, a_board, run_step, run_steps

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.table import Table
from pbem.titles.panzer.cards.board import Board
from pbem.titles.panzer.close_combat.close_assault import (
    Fight,
)
from pbem.titles.panzer.close_combat.close_combat import (
    check_assault,
    close_combat_step,
)
from pbem.titles.panzer.close_combat.hand_to_hand import (
    hand_to_hand,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    Command,
    PanzerState,
    Unit,
)
from pbem.titles.panzer.view import view_of

SQUAD, HALF, SECTION = "german_rifle_squad", "german_rifle_half_squad", "german_section"
MOVE: dict[str, Any] = {"command": Command.MOVE}
STEPS = {"close_combat_step": close_combat_step}


def ground(**places: str) -> Board:
    """An open board with other terrain in some hexes."""
    signs = dict(zip(places, "123456789", strict=False))
    return a_board(signs=signs, legend={signs[place]: terrain.split() for place, terrain in places.items()})


def leg(id: str, hex: str, card: str = SQUAD, **more: Any) -> Unit:
    return a_leg(id, hex, card, **{**MOVE, **more})


def assault(target: str, *attackers: str | tuple[str, str]) -> dict[str, Any]:
    """Build a declaration: these units attack, each optionally with the hex it advances to."""
    named = [[unit, ""] if isinstance(unit, str) else list(unit) for unit in attackers]
    return {"target": target, "attackers": named}


def play(table: Table[PanzerState], *declarations: Any, side: str = "german", **answers: Any) -> Played:
    """Play one player's close combat step with these declarations, each checked against the player's view."""
    for_assault = list(declarations)

    def answer(ask: Ask) -> Any:
        said = for_assault.pop(0) if for_assault else None
        return check_assault(Situation(table.data, view_of(table.state, side)), ask, said)

    table.then("close_combat_step", side=side)
    return run_steps(table, STEPS, {"assault": answer, **answers})


def brawl(*dice: int, attackers: tuple[Unit, ...], target: Unit, answers: Any = ()) -> tuple[Played, PanzerState]:
    table = an_advanced_table(*attackers, target, dice=dice)
    fight = Fight(table, attackers[0], attackers[1:], target)
    return run_step(table, hand_to_hand(table, fight), answers), table.state
