"""The benchmark compares the total cost of an order with the `diplomacy` library, if that is installed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.titles.registry import TITLES
from pbem.tools.bench import run as bench

PLACES = {"FRANCE": ["PAR", "MAR"], "ITALY": ["ROM"]}


class Game:
    """A game that counts its orders and phases."""

    def __init__(self) -> None:
        self.orders: list[tuple[str, list[str]]] = []
        self.phases = 0

    def get_all_possible_orders(self) -> dict[str, list[str]]:
        return {"PAR": ["A PAR H"], "MAR": [], "ROM": ["A ROM H", "A ROM - VEN"]}

    def get_orderable_locations(self) -> dict[str, list[str]]:
        return PLACES

    def set_orders(self, power: str, orders: list[str]) -> None:
        self.orders.append((power, orders))

    def process(self) -> None:
        self.phases += 1


def test_orders_are_set_for_every_power_in_every_phase() -> None:
    made: list[Game] = []

    def new_game() -> Any:
        made.append(Game())
        return made[-1]

    assert bench.diplomacy_order(new_game, 1) > 0
    [game] = made
    assert game.phases == bench.PHASES
    assert [power for power, _ in game.orders] == [*PLACES] * bench.PHASES
    assert {order for _, orders in game.orders for order in orders} == {"A PAR H", "A ROM H", "A ROM - VEN"}


def test_the_ratio_is_taken_in_each_round_and_left_out_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "our_order", lambda title, scenario, seed: 6.0)
    monkeypatch.setattr(bench, "diplomacy_order", lambda new_game, seed: 2.0 + seed)
    monkeypatch.setattr(bench, "library", lambda: SimpleNamespace(Game=Game))
    assert bench.order_ratios(TITLES["panzer"], "duel", 2) == [3.0, 2.0]
    monkeypatch.setattr(bench, "library", lambda: None)
    assert bench.order_ratios(TITLES["panzer"], "duel", 2) == []


def test_an_order_of_a_duel_costs_something() -> None:
    assert bench.our_order(TITLES["panzer"], "duel", 1) > 0
