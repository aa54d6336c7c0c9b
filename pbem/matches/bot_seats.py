"""Bots in seats: they answer from the seat's view alone, with a random seed drawn for each answer and not kept."""

from __future__ import annotations

from pbem.engine.play.bots import Bot, own_bot, random_bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Submission
from pbem.matches.accounts.names import BOT
from pbem.matches.exchange import sealing
from pbem.matches.exchange.checks import NotOpen
from pbem.matches.history.record import Record
from pbem.matches.history.replay import Position
from pbem.matches.server import Server

RANDOM = f"{BOT}random"
"""The account of the bot that gives random legal answers."""


def bot_seats(position: Position) -> list[str]:
    """List the bots' seats that have a decision to make."""
    return [seat for seat in position.awaited_seats if is_bots(position.record, seat)]


def is_bots(record: Record, seat: str) -> bool:
    """Whether a bot has this seat."""
    return str(record.occupants.get(seat, {}).get("account", "")).startswith(BOT)


def bot_for(server: Server, position: Position, seat: str) -> Bot:
    """Return the title's own bot, if it has one and the seat's account does not ask for the random bot."""
    # A guessable seed would tell a player the answer.
    seed = server.entropy(f"{position.match}/{position.record.open_exchange}/{seat}/bot").hex()
    if position.record.occupants[seat]["account"] == RANDOM:
        return random_bot(seed)
    return own_bot(position.rules)(seed)


def answer(server: Server, position: Position, seat: str) -> None:
    """Seal the decision of this seat's bot, as final."""
    ask = position.run.ask_of(seat)
    assert ask is not None
    submission = bot_for(server, position, seat)(position.rules, position.run.view(seat), ask)
    exchange = position.record.open_exchange
    try:
        sealing.seal(server, position.match, seat, exchange, submission, final=True)
    except NotOpen:
        return  # it was closed in the meantime
    except Refusal:
        sealing.seal(server, position.match, seat, exchange, default(position, ask), final=True)


def default(position: Position, ask: Ask) -> Submission:
    """Return the rules' default answer; it is always legal."""
    return Submission(position.rules.default(lambda: position.run.view(ask.seat), ask))
