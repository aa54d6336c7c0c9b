"""Play the toy title through a server, always in the same way for the same seed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from support.toy import ORDERS, AmbushTitle

from eventstore import NewEvent
from pbem.engine.play.bots import Choice
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.title import Submission
from pbem.matches.exchange import closing, creating, resolving, sealing
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.replay import Position, load, record_of
from pbem.matches.installation import open_server
from pbem.matches.server import Server

SEATS = {"red": "ann", "blue": "bob"}
MASTER = "gm"
NOON = 1_800_000_000_000


def entropy(seed: object) -> Callable[[str], bytes]:
    """Return a function that gives the same bytes for the same label, so that a test can repeat a server's draws."""
    return lambda label: hashlib.sha256(f"{seed}/{label}".encode()).digest()


def a_server(path: Path, seed: object = 0, **more: Any) -> Server:
    more.setdefault("titles", {"ambush": AmbushTitle()})
    return open_server(path / "pbem.db", entropy=entropy(seed), clock=lambda: NOON, **more)


def a_match(server: Server, *, scenario: str = "tiny", reactions: str = "plan", **more: Any) -> str:
    more.setdefault("master", MASTER)
    return creating.create(server, "ambush", scenario, reactions=reactions, seats=SEATS, **more)


def doctrine(seed: object, seat: str) -> list[str]:
    return [clause for clause in ("ambush", "card") if Choice(seed, seat, clause).below(2)]


def submission(seed: object, position: Position, ask: Ask) -> Submission:
    """Return a player's random legal answer, sometimes with a plan."""
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


def moves(server: Server, match: str, seed: object) -> Iterator[str]:
    """Play on from the current position; yield before each action, so that a test can interfere."""
    record = record_of(server, match)
    for seat, account in sorted(SEATS.items()):
        if seat not in record.occupants:
            yield f"seat {seat}"
            take_seat(server, match, seat, account)
    for seat in SEATS:
        if doctrine(seed, seat) and seat not in record_of(server, match).doctrine:
            yield f"doctrine {seat}"
            sealing.set_doctrine(server, match, seat, doctrine(seed, seat))
    resolving.resolve(server, match)
    while not (position := load(server, match)).record.ended:
        assert position.asked, "nobody is asked, and the match is not over"
        exchange = position.record.open_exchange
        for ask in position.run.asks:
            if ask.seat not in load(server, match).record.sealed:
                yield f"seal {ask.seat}"
                sealing.seal(server, match, ask.seat, exchange, submission(seed, position, ask))
            if ask.seat not in load(server, match).record.final:
                yield f"final {ask.seat}"
                sealing.finalise(server, match, ask.seat, exchange)
        yield "close"
        closing.close(server, match, exchange=exchange, why="final")
        yield "resolve"
        resolving.resolve(server, match)


def close_now(server: Server, match: str, exchange: int) -> bool:
    """Close an exchange at once, as the game master may."""
    acted = NewEvent("master.acted", {"by": MASTER, "act": "process", "why": "test", "exchange": exchange})
    server.store.append(f"match/{match}", [acted], expected=server.store.version(f"match/{match}"))
    return closing.close(server, match, exchange=exchange, why="master")


def play(server: Server, match: str, seed: object) -> Position:
    """Play a match to its end."""
    for _ in moves(server, match, seed):
        pass
    return load(server, match)


__all__ = ["NOON", "ORDERS", "a_match", "a_server", "close_now", "doctrine", "entropy", "moves", "play", "submission"]
