"""Check who may act, and whether the exchange still accepts the act. Every refusal names its reason."""

from __future__ import annotations

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import Message, say
from pbem.matches.clock.deadlines import held_since, is_late, on_hold
from pbem.matches.events import MasterLooked, each
from pbem.matches.history.record import Record
from pbem.matches.history.replay import (
    Position,
)
from pbem.matches.rulings.disputes import waits
from pbem.matches.server import Server


class NotOpen(Illegal):
    """The exchange no longer accepts this, or does not accept it yet."""

    def __init__(self, why: Message | str) -> None:
        super().__init__("orders", [Objection("pbem/exchange", why)])


LOOKED = MasterLooked.word


def check_blind(record: Record, account: str) -> None:
    """Refuse a seat to an account that has looked at hidden states of the match."""
    if any(looked.by == account for _, looked in each(record.events, MasterLooked)):
        why = say("an account that has looked at this match as its game master cannot play in it")
        raise Illegal("seat", [Objection("pbem/seat", why)])


def check_occupant(record: Record, seat: str, by: str) -> None:
    """Refuse an account that does not occupy the seat, because only the occupant may act for it."""
    if record.occupants.get(seat, {}).get("account") != by:
        raise Illegal(seat, [Objection("pbem/seat", say("that is not your seat"))])


def wanted_seats(record: Record) -> list[str]:
    """The free seats that must be filled before the match can start."""
    return [seat for seat in free_seats(record) if seat not in record.vacant]


def free_seats(record: Record) -> list[str]:
    return [seat for seat in record.seats if seat not in record.occupants]


def check_open(position: Position, seat: str, exchange: int) -> Ask:
    """Return the ask that this seat may answer in this exchange; a late order never counts for the next one."""
    record = position.record
    if record.ended:
        raise NotOpen(say("the match is over"))
    if record.halted:
        raise NotOpen(say("the match is halted until its rules are fixed; your orders are safe"))
    if not record.started:
        raise NotOpen(
            say(
                "the match has not started; these seats are free: {wanted_seats}",
                wanted_seats=", ".join(wanted_seats(record)),
            )
        )
    if exchange != record.open_exchange or record.closing:
        raise NotOpen(say("orders for exchange {exchange} are closed", exchange=exchange))
    ask = position.run.ask_of(seat)
    if ask is None:
        raise NotOpen(say("{seat} has no orders to give now", seat=seat))
    return ask


def check_in_time(server: Server, record: Record, at: int) -> None:
    """Refuse orders that arrive after the deadline, even if the exchange has not been closed yet."""
    if is_late(record, at) and held_since(server) is None and not on_hold(record) and not waits(record):
        raise NotOpen(say("the deadline has passed"))
