"""How the dice of an exchange were derived: the hashed messages, the keys, and the resulting numbers.

`pbem verify` checks this; here it is written out, so that anyone can repeat it by hand.
"""

from __future__ import annotations

import hmac

import msgspec

from pbem.engine.play.dice import Roll
from pbem.matches.history.record import Entry, Record
from pbem.matches.history.replay import context_of, rolls_of
from pbem.web.http.viewer import the_server

DIGITS = 16
"""The hexadecimal digits of a hash that determine a die: its first eight bytes."""


class Derived(msgspec.Struct, frozen=True):
    """A roll, the message that identifies it, and the first digits of that message's hash."""

    roll: Roll
    message: str
    digits: str
    secret: bool = False


class Derivation(msgspec.Struct, frozen=True):
    """The keys and the context of an exchange, and each of its rolls. The second key is for dice that were secret."""

    rung: str
    foot: str
    steps: int
    context: str
    rolls: list[Derived]
    secret_rung: str = ""


def derivation(match: str, record: Record, entry: Entry) -> Derivation:
    """Every public roll and, once the match is over, every secret roll too."""
    assert entry.resolved is not None
    server, context = the_server(), context_of(match, entry)
    rung = bytes.fromhex(entry.result.rung)
    rolls = [derive(rung, context, roll) for roll in rolls_of(server, entry)]
    secret_rung = b""
    if record.opened is not None and (hidden := rolls_of(server, entry, secret=True)):
        secret_rung = server.ladder(match, entry.ladder).secret_rung(entry.exchange)
        rolls += [derive(secret_rung, context, roll, secret=True) for roll in hidden]
    steps = entry.exchange - entry.ladder["base"]
    return Derivation(rung.hex(), entry.ladder["open"], steps, context, rolls, secret_rung.hex())


def derive(rung: bytes, context: str, roll: Roll, *, secret: bool = False) -> Derived:
    """Return the message whose hash gives this roll. A number too large for an unbiased roll is drawn again."""
    attempt, last = 0, 16**DIGITS - 16**DIGITS % roll.sides
    while True:
        message = msgspec.json.encode([context, roll.rule, list(roll.subjects), roll.ordinal, attempt])
        digits = hmac.digest(rung, message, "sha256").hex()[:DIGITS]
        if int(digits, 16) < last:
            return Derived(roll, message.decode(), digits, secret)
        attempt += 1
