"""The title fulfils the contract of every title."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from support.title_contract import TitleContract

from pbem.engine.play.bots import Bot, random_bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Rules, Wish
from pbem.titles.aslsk.orders import Clause, Orders
from pbem.titles.aslsk.state import pieces
from pbem.titles.aslsk.title import Aslsk


def is_free(rules: Rules, state: Any, hex: str) -> bool:
    """Return whether a Gun could hide in a hex, because it has cover and is empty."""
    covered = rules.data.ground[hex].terrain == "woods"
    return covered and all(unit.at != hex for unit in pieces(state))


class TestAslsk(TitleContract):
    """The contract tests with Infantry, hidden Guns and vehicles, at every tempo and with both
    line-of-sight options.
    """

    title = Aslsk()
    matches: ClassVar[tuple[tuple[str, Mapping[str, Any]], ...]] = (
        ("first-light", {}),
        ("wolf-trap", {"tempo": 1, "los": "open"}),
    )
    seeds = (1,)
    most_exchanges = 12

    def bot(self, rules: Rules, seed: object) -> Bot:
        return random_bot(seed, 8)

    def board(self, view: Any) -> dict[str, Any]:
        return {unit.id: unit.at for unit in pieces(view) if unit.at}

    def ordered_units(self, ask: Ask, answer: Any) -> set[str]:
        if ask.kind != "orders":
            return set()
        moves = [move for move in answer.get("moves", []) if any(leg["do"] == "enter" for leg in move["legs"])]
        return {id for move in moves for id in move["units"]}

    def other_worlds(self, rules: Rules, state: Any, viewer: str) -> Iterator[Any]:
        """Return worlds in which each other seat has another plan and other places for its hidden Guns (6.4)."""
        for unit in state.units.values():
            if unit.hidden and unit.seat != viewer:
                unit.at = next(hex for hex in rules.data.area(unit) if is_free(rules, state, hex))
                for weapon in state.weapons.values():
                    if weapon.holder == unit.id:
                        weapon.facing = (weapon.facing + 2) % 6
        for seat in rules.seats:
            if seat != viewer:
                state.sealed[seat] = Orders(plan=(Clause("hold", "hold all until 1", within=1),))
        yield state

    def wishes(self, rules: Rules, view: Any, ask: Ask) -> Iterator[Wish]:
        own = tuple(unit.id for unit in pieces(view) if unit.seat == ask.seat)
        enemy = next((unit for unit in view.units.values() if unit.seat != ask.seat and unit.at), None)
        goal = enemy.at if enemy is not None else next(iter(rules.data.ground.hexes))
        yield Wish(own, "move", goal=next(iter(rules.data.ground.hexes)))
        yield Wish(own, "fire", target=enemy.id if enemy is not None else goal)
        yield Wish(own[:3], "advance", goal=goal)
