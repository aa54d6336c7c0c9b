"""TANKS keeps the contract of every title."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from support.title_contract import TitleContract

from pbem.engine.play.bots import Bot
from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.title import Rules
from pbem.titles.tanks.bots.players import reckless_bot
from pbem.titles.tanks.state import Held
from pbem.titles.tanks.title import Tanks


class TestTanks(TitleContract):
    title = Tanks()
    matches = (("open-battle", {}), ("crossroads", {"pace": "tank"}))
    seeds = (1,)
    most_exchanges = 14
    not_yet = frozenset(
        {
            "test_formations_and_proposals_for_many_units",
        }
    )

    def bot(self, rules: Rules, seed: object) -> Bot:
        return reckless_bot(seed)

    def other_worlds(self, rules: Rules, state: Any, viewer: str) -> Iterator[Any]:
        """Face-down cards of others could be any of the same points, in any order; their orders could be any."""
        if viewer == MASTER:
            return
        other = msgspec.convert(msgspec.to_builtins(state), type(state))
        other.orders = {seat: orders if seat == viewer else {} for seat, orders in other.orders.items()}
        for tank in other.tanks.values():
            if tank.seat != viewer:
                tank.cards = [self.another(rules, held) for held in reversed(tank.cards)]
        yield other

    @staticmethod
    def another(rules: Rules, held: Held) -> Held:
        """Another card with the same back."""
        if held.up:
            return held
        same = [card.id for card in rules.data.cards.values() if card.points == held.points]
        return msgspec.structs.replace(held, id=same[-1])
