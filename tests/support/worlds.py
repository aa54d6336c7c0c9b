"""Two worlds that differ only in blue's secrets, and everything that the server sends to red.

Dice are held fixed: a die depends on its name alone, so that equal play gives equal dice. Values declared opaque
(hashes, salts, ids) are masked. A third world with other entropy shows which of them are really salted: an opaque
value that changes with the secret but not with the entropy gives the secret away.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.playing import a_match, a_server, close_now

import pbem.engine.play.dice
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Submission
from pbem.matches.exchange import resolving, sealing
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import load, record_of
from pbem.matches.server import Server

OPAQUE = re.compile(r"[0-9a-f]{32,}")


class Secret(msgspec.Struct, frozen=True):
    """Blue's secrets: orders that never act, plans and standing orders that never apply, and cards never played."""

    orders: tuple[dict[str, str], ...]
    plans: tuple[dict[str, Any], ...]
    doctrine: list[str]
    cards: int


def fixed_chance(monkeypatch: pytest.MonkeyPatch, secret: Secret) -> None:
    """Make dice depend on their name alone, except that blue's hidden draws follow the secret."""

    def die(rung: bytes, context: str, rule: str, subjects: Sequence[str], ordinal: int, sides: int) -> int:
        own = secret.cards if (rule, tuple(subjects)) == ("2", ("blue",)) else 0
        name = f"{rule}|{subjects}|{ordinal}|{own}".encode()
        return int.from_bytes(hashlib.sha256(name).digest()[:4], "big") % sides + 1

    monkeypatch.setattr(pbem.engine.play.dice, "die", die)


def world(
    folder: Path, secret: Secret, red: Sequence[dict[str, str]], reactions: str, entropy: object = 0
) -> list[Any]:
    """Play three turns; return everything that red could obtain after each event."""
    server = a_server(folder, entropy)
    match = a_match(server, scenario="small", reactions=reactions)
    seen = [outlets(server, match)]
    sealing.set_doctrine(server, match, "blue", secret.doctrine)
    seen.append(outlets(server, match))
    for turn, orders in enumerate(red):
        _answer_turn(server, match, secret, turn, orders, seen)
    assert record_of(server, match).halted is None
    return seen


def _answer_turn(
    server: Server, match: str, secret: Secret, turn: int, orders: dict[str, str], seen: list[Any]
) -> None:
    """Seal the orders of a turn, then pass at every other ask until the next turn's orders are due."""
    while True:
        position = load(server, match)
        if not position.asked:
            return
        exchange, kinds = position.record.open_exchange, {ask.kind for ask in position.run.asks}
        for ask in position.run.asks:
            given = Submission(None)
            if ask.kind == "orders" and ask.seat == "red":
                given = Submission(_alive(position, orders))
            elif ask.kind == "orders":
                given = Submission(_alive(position, secret.orders[turn]), secret.plans[turn])
            receipt = sealing.seal(server, match, ask.seat, exchange, given)
            if ask.seat == "red":
                seen.append(msgspec.to_builtins(receipt))
            seen.append(outlets(server, match))
        close_now(server, match, exchange)
        seen.append(outlets(server, match))
        resolving.resolve(server, match)
        seen.append(outlets(server, match))
        after = load(server, match)
        if "orders" in {ask.kind for ask in after.run.asks} and (
            kinds != {"orders"} or after.run.state.turn > turn + 1
        ):
            return


def _alive(position: Any, orders: dict[str, str]) -> dict[str, str]:
    return {unit: order for unit, order in orders.items() if unit in position.run.state.units}


def outlets(server: Server, match: str) -> Any:
    """Return everything that red or the public can now read, or cause the server to send."""
    position = load(server, match)
    run, rules = position.run, position.rules
    view = run.view("red")
    ask = run.ask_of("red")
    content = export(server, match, "red")
    parts = read_export(content).parts.values()
    return {
        "view": view,
        "public": run.view("public"),
        "options": list(rules.options(view, ask)) if ask else None,
        "refusals": [_refusal(position, answer) for answer in PROBES] if ask else None,
        "waited for": position.awaited_seats,
        "asked": position.asked,
        "form": rules.form(view, ask) if ask else None,
        "exports": [content.decode(), export(server, match, "public").decode()],
        "parts": sorted([part.content.decode() for part in parts]),
        "sizes": sorted(len(part.content) for part in parts),
    }


PROBES: list[Any] = [{"r1": "fly"}, {"b1": "go1"}, {f"r{n}": f"go{d}" for n in (1, 2, 3) for d in (4, 5, 6)}, "b2", 7]
PROBES += [{"r1": f"go{d}"} for d in range(1, 7)]


def _refusal(position: Any, answer: Any) -> str:
    ask = position.run.ask_of("red")
    try:
        position.rules.check(position.run.view("red"), ask, answer)
    except Refusal as refusal:
        return str(refusal)
    return "accepted"


def masked(seen: list[Any]) -> list[str]:
    """Return the outlets without their opaque values, and with the lines of exports in a fixed order."""
    return [OPAQUE.sub("#", _text(item)) for item in seen]


def opaque(seen: list[Any]) -> list[list[str]]:
    return [OPAQUE.findall(_text(item)) for item in seen]


def _text(item: Any) -> str:
    if isinstance(item, dict) and "exports" in item:
        # Parts are listed by their commitments: sort their lines as they look when masked.
        item = {**item, "exports": [_export_text(text) for text in item["exports"]]}
    return msgspec.json.encode(item, order="deterministic").decode()


def _export_text(text: str) -> str:
    lines = text.splitlines()
    events = [line for line in lines if not line.startswith('{"part"')]
    contents = sorted(msgspec.json.decode(line)["part"]["content"] for line in lines if line.startswith('{"part"'))
    return "\n".join([*events, *contents])


def leaks(
    folders: Callable[[], Path],
    monkeypatch: pytest.MonkeyPatch,
    one: Secret,
    two: Secret,
    red: Sequence[dict[str, str]],
    reactions: str,
) -> str | None:
    """Return the first place where red can tell the two worlds apart, or None."""
    fixed_chance(monkeypatch, one)
    first = world(folders(), one, red, reactions)
    salted_anew = world(folders(), one, red, reactions, entropy=1)
    fixed_chance(monkeypatch, two)
    second = world(folders(), two, red, reactions)
    return told_apart(first, second, salted_anew)


def told_apart(first: list[Any], second: list[Any], salted_anew: list[Any]) -> str | None:
    """Return the first visible difference between two worlds, or None; an opaque value counts only if it is not
    salted."""
    for index, (a, b) in enumerate(zip(masked(first), masked(second), strict=False)):
        if a != b:
            return f"outlet {index}: {_difference(a, b)}"
    if len(first) != len(second):
        return f"{len(first)} and {len(second)} outlets"
    for index, (a, b, c) in enumerate(zip(*map(opaque, (first, second, salted_anew)), strict=True)):
        for here, there, anew in zip(a, b, c, strict=False):
            if here == anew and here != there:
                return f"outlet {index}: {here} is not salted"
    return None


def _difference(a: str, b: str) -> str:
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"…{a[max(0, at - 60) : at + 60]}… against …{b[max(0, at - 60) : at + 60]}…"
