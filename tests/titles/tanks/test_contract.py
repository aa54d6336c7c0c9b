"""TANKS fulfils the contract of every title."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
from support.title_contract import TitleContract

from pbem.engine.play.bots import Bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.title import Rules, Wish
from pbem.titles.tanks.bots.players import reckless_bot
from pbem.titles.tanks.state import Held
from pbem.titles.tanks.title import Tanks


class TestTanks(TitleContract):
    title = Tanks()
    matches = (("open-battle", {}), ("crossroads", {"pace": "tank"}))
    seeds = (1,)
    most_exchanges = 14

    def bot(self, rules: Rules, seed: object) -> Bot:
        return reckless_bot(seed)

    def wishes(self, rules: Rules, view: Any, ask: Ask) -> Iterator[Wish]:
        """Return orders with every verb for the whole platoon, with goals and targets of every kind and with none."""
        units = tuple(tank.id for tank in view.of(ask.seat))
        enemies = [tank.id for tank in view.enemies(ask.seat)]
        places = ["", "north", "450 300", "10 10", "nonsense", *enemies[:1], *(piece.id for piece in view.pieces[:1])]
        for verb in rules.verbs(ask):
            for goal, shape in product(places, ("formation", "hex")):
                yield Wish((*units, "z9"), verb, goal=goal, shape=shape)
        if ask.kind == "shooting":
            yield from (Wish(units, "fire", target=target) for target in ("best", "", *enemies))

    def other_worlds(self, rules: Rules, state: Any, viewer: str) -> Iterator[Any]:
        """Return worlds in which other players have other face-down cards of the same points and other orders."""
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
        """Return another card with the same back."""
        if held.up:
            return held
        same = [card.id for card in rules.data.cards.values() if card.points == held.points]
        return msgspec.structs.replace(held, id=same[-1])
