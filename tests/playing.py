"""Playing the toy title through a house, the same way every time for the same seed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from toy import ORDERS, AmbushTitle

from pbem.engine.asks import Ask
from pbem.engine.bots import Choice
from pbem.engine.title import Submission
from pbem.matches import acts
from pbem.matches.house import House
from pbem.matches.position import Position, load

SEATS = {"red": "ann", "blue": "bob"}
NOON = 1_800_000_000_000


def entropy(seed: object) -> Callable[[str], bytes]:
    """The same bytes for the same label; what a server draws at random, a test must draw again."""
    return lambda label: hashlib.sha256(f"{seed}/{label}".encode()).digest()


def a_house(path: Path, seed: object = 0, **more: Any) -> House:
    more.setdefault("titles", {"ambush": AmbushTitle()})
    return House(path / "pbem.db", entropy=entropy(seed), clock=lambda: NOON, **more)


def a_match(house: House, *, scenario: str = "tiny", reactions: str = "plan", **more: Any) -> str:
    return acts.create(house, "ambush", scenario, reactions=reactions, seats=SEATS, **more)


def doctrine(seed: object, seat: str) -> list[str]:
    return [clause for clause in ("ambush", "card") if Choice(seed, seat, clause).below(2)]


def submission(seed: object, position: Position, ask: Ask) -> Submission:
    """A random legal answer of a player, with a plan now and then."""
    choice = Choice(seed, position.record.open_exchange, ask.seat)
    view = position.run.view(ask.seat)
    if ask.kind != "orders":
        return Submission(choice.one_of(list(position.rules.options(view, ask))))
    legal: dict[str, list[str]] = {}
    for option in position.rules.options(view, ask):
        for unit, order in option.items():
            legal.setdefault(unit, []).append(order)
    answer = {unit: choice.one_of([*orders, "ambush"]) for unit, orders in legal.items() if choice.below(5)}
    enemies = [name for name, unit in view["units"].items() if unit["seat"] != ask.seat]
    plan: dict[str, Any] = {"card": choice.below(4)} if choice.below(2) else {}
    if legal and enemies and choice.below(2):
        plan["ambush"] = {enemy: choice.one_of(list(legal)) for enemy in enemies}
    return Submission(answer, plan)


def moves(house: House, match: str, seed: object) -> Iterator[str]:
    """Play on from wherever the match stands; yields before each act, so that a test can interfere."""
    record = acts.read(house, match)
    for seat, account in sorted(SEATS.items()):
        if seat not in record.occupants:
            yield f"seat {seat}"
            acts.take_seat(house, match, seat, account)
    for seat in SEATS:
        if doctrine(seed, seat) and seat not in acts.read(house, match).doctrine:
            yield f"doctrine {seat}"
            acts.set_doctrine(house, match, seat, doctrine(seed, seat))
    acts.resolve(house, match)
    while not (position := load(house, match)).record.ended:
        assert position.asked, "nobody is asked, and the match is not over"
        exchange = position.record.open_exchange
        for ask in position.run.asks:
            if ask.seat not in load(house, match).record.sealed:
                yield f"seal {ask.seat}"
                acts.seal(house, match, ask.seat, exchange, submission(seed, position, ask))
            if ask.seat not in load(house, match).record.final:
                yield f"final {ask.seat}"
                acts.finalise(house, match, ask.seat, exchange)
        yield "close"
        acts.close(house, match, exchange=exchange, why="final")
        yield "resolve"
        acts.resolve(house, match)


def play(house: House, match: str, seed: object) -> Position:
    """Play a match to its end."""
    for _ in moves(house, match, seed):
        pass
    return load(house, match)


__all__ = ["NOON", "ORDERS", "a_house", "a_match", "doctrine", "entropy", "moves", "play", "submission"]
