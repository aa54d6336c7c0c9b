"""T2.5 The tanks on the table with their tokens, for films, summaries and emails.

stand_of       a tank on the table
markers        tokens and critical cards, as `Change` reports them
ordered_tanks  the tanks that a form tells to move or to shoot
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.happenings import Place
from pbem.engine.rules.title import Stand
from pbem.titles.tanks.cards.criticals import capacity
from pbem.titles.tanks.data_set import TanksData
from pbem.titles.tanks.player.words import write_place
from pbem.titles.tanks.state import Tank, TanksState
from pbem.titles.tanks.telling.happenings import place

POINTS: Final = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def stand_of(data: TanksData, tank: Tank) -> Stand:
    """T2.5 A tank on the table with its tokens in words."""
    marks = [f"damage {tank.damage} of {capacity(data, tank)}"] if tank.damage else []
    marks += [data.criticals[card].name for card in tank.criticals]
    name = data.models[tank.model].name
    return Stand(tank.id, name, tank.seat, place(tank.at), tank.heading, tuple(marks))


def markers(view: TanksState) -> dict[tuple[str, str], Any]:
    """T2.5 The tokens of each tank on the table, and its critical cards."""
    found: dict[tuple[str, str], Any] = {}
    for tank in view.live:
        found |= {(tank.id, what): now for what, now in (("damage", tank.damage), ("speed", tank.speed)) if now}
        found |= {(tank.id, card): True for card in tank.criticals}
    return found


def ordered_tanks(ask: Ask, answer: Any) -> frozenset[str]:
    """T1.1, T1.2, T9.2 The tanks that an answer orders to deploy, to move or to shoot."""
    match ask.kind:
        case "deploy":
            return frozenset(answer.get("places", {})) | frozenset(answer.get("early", {}))
        case "movement":
            told = {tank for tank, given in answer.get("orders", {}).items() if any(map(goes, given))}
            return frozenset(told) | frozenset(answer.get("early", {}))
        case "shooting":
            orders = answer.get("orders", {})
            return frozenset(tank for tank, given in orders.items() if any(order.get("targets") for order in given))
        case "move":
            return frozenset([ask.subject] if goes(answer) else [])
        case "shoot":
            return frozenset([ask.subject] if answer else [])
        case "command":
            return frozenset(tank for tank, order in answer.items() if "move" in order)
    return frozenset()


def goes(order: Mapping[str, Any]) -> bool:
    """T5.1 Whether an order moves a tank, by given moves or by a tactic."""
    return bool(order.get("moves") or order.get("tactic"))


def place_in_words(at: Place) -> str:
    """T3 A point in centimetres from the west edge and from the north edge."""
    return at if isinstance(at, str) else write_place(*at)


def compass(bearing: int) -> str:
    """T5.1 The compass point nearest to a bearing."""
    return POINTS[(bearing * 2 + 45) // 90 % 8]
