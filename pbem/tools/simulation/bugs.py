"""Planted bugs. A simulation that misses one of them proves nothing when it finds no bugs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from pbem.mail.outbound import compose
from pbem.matches.clock import deadlines, tick
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.exchange import closing, resolving, sealing
from pbem.matches.history.receipts import Signer
from pbem.matches.post import inbox, outbox


def swap_function(place: Any, name: str, make: Callable[[Any], Any]) -> Callable[[], Any]:
    """Replace a function with another one made from it."""
    return lambda: mock.patch.object(place, name, make(getattr(place, name)))


def lost_mark() -> Any:
    """Plant a bug: sent emails are not marked as sent, three times out of four."""
    state = {"calls": 0}

    def make(real: Any) -> Any:
        def sent(*said: Any) -> None:
            state["calls"] += 1
            if state["calls"] % 4 == 0:
                real(*said)

        return sent

    return swap_function(outbox, "mark_sent", make)()


def early_close() -> Any:
    """Plant a bug: exchanges close six hours before their deadline."""

    def make(real: Any) -> Any:
        return lambda server, match, now, *more: real(server, match, now + 6 * HOUR, *more)

    def due(real: Any) -> Any:
        return lambda server, now, *more: real(server, now + 6 * HOUR, *more)

    stack = ExitStack()
    stack.enter_context(swap_function(closing, "close_due", make)())
    stack.enter_context(swap_function(tick, "due", due)())
    return stack


def doubled_send() -> Any:
    """Plant a bug: every due email is sent twice in a row."""

    def make(real: Any) -> Any:
        return lambda *args: [owed for owed in real(*args) for _ in range(2)]

    return swap_function(outbox, "due", make)()


def reused_rung() -> Any:
    """Plant a bug: every exchange is played with the dice of the first one."""

    def make(real: Any) -> Any:
        seen: dict[str, Any] = {}

        def resolved_event(server: Any, here: Any, entry: Any, number: int, resolution: Any, *more: Any) -> Any:
            event = real(server, here, entry, number, resolution, *more)
            rung = seen.setdefault(here.match, event.payload["rung"])
            event.payload["rung"] = rung
            return event

        return resolved_event

    return swap_function(resolving, "resolved_event", make)()


def leaked_seat() -> Any:
    """Plant a bug: sealed orders are visible to everyone."""
    return swap_function(sealing, "order_audience", lambda real: lambda record, seat: "public")()


def lost_mail() -> Any:
    """Plant a bug: every tenth email is acknowledged and thrown away."""
    state = {"calls": 0}

    def make(real: Any) -> Any:
        def receive(server: Any, raw: bytes, **more: Any) -> int:
            state["calls"] += 1
            return 10**9 + state["calls"] if state["calls"] % 10 == 0 else int(real(server, raw, **more))

        return receive

    return swap_function(inbox, "receive", make)()


def unsigned_receipt() -> Any:
    """Plant a bug: the signature on a receipt is for something else."""
    return swap_function(Signer, "sign", lambda real: lambda self, body: real(self, {"not": "this"}))()


def sooner_deadline() -> Any:
    """Plant a bug: moving a deadline moves it the wrong way."""

    def make(real: Any) -> Any:
        return lambda deadline, span, *more: real(deadline, -abs(span), *more)

    return swap_function(deadlines, "postpone", make)()


def silent_drop() -> Any:
    """Plant a bug: unreadable emails end in an unknown state."""

    def make(real: Any) -> Any:
        def mark(transaction: Any, id: int, state: str, *more: Any, **named: Any) -> Any:
            return real(transaction, id, "lost" if state in ("refused", "dropped") else state, *more, **named)

        return mark

    return swap_function(inbox, "mark", make)()


def forgotten_deadline() -> Any:
    """Plant a bug: nothing is ever due."""
    return swap_function(tick, "due", lambda real: lambda *args: [])()


def unwritten_mail() -> Any:
    """Plant a bug: no receipt can be written."""

    def make(real: Any) -> Any:
        def written(server: Any, settings: Any, owed: Any) -> Any:
            return real(server, settings, owed) if owed.kind != "receipt" else 1 // 0

        return written

    return swap_function(compose, "compose", make)()


BUGS: Mapping[str, Callable[[], Any]] = {
    "a lost mark": lost_mark,
    "an early close": early_close,
    "a doubled send": doubled_send,
    "a reused rung": reused_rung,
    "a leaked seat": leaked_seat,
    "a lost mail": lost_mail,
    "an unsigned receipt": unsigned_receipt,
    "a sooner deadline": sooner_deadline,
    "a silent drop": silent_drop,
    "a forgotten deadline": forgotten_deadline,
    "an unwritten mail": unwritten_mail,
}
"""The planted bugs by name."""


@contextmanager
def plant(name: str) -> Iterator[None]:
    """Plant this bug in the server for the duration of the block."""
    with BUGS[name]():
        yield
