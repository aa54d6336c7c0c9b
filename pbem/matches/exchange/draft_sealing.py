"""Seal drafts at the deadline if their owners asked for it."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.clock.deadlines import deadline_of
from pbem.matches.exchange import sealing
from pbem.matches.history.replay import load
from pbem.matches.players import drafts, requests
from pbem.matches.players.requests import Word
from pbem.matches.server import Server
from pbem.matches.unit_of_work import retrying

log = logging.getLogger("pbem.drafts")


def seal_drafts(server: Server, match: str, now: int) -> list[str]:
    """Seal the drafts that seats had marked for sealing at the deadline, and send their messages; return those seats.

    A draft that cannot be read as orders stays a draft; the policy for missed deadlines then applies.
    """
    position = load(server, match)
    record, deadline = position.record, deadline_of(position.record)
    if deadline is None or deadline.at > now:
        return []
    done = []
    for seat in [seat for seat in position.asked if seat not in record.sealed and seat in record.occupants]:
        account = record.occupants[seat]["account"]
        draft = drafts.draft_of(server, match, seat, account, record.open_exchange)
        if draft is None or not draft.at_deadline:
            continue
        try:
            said, orders = orders_in(draft.text)
            read = sealing.check_text(position, seat, record.open_exchange, orders)
        except Refusal:
            log.info("match %s: a draft could not be sealed at the deadline", match)
            continue
        sent = sealing.Sent(account, drafts.SOURCE)
        accepted = min(draft.saved_at, deadline.at)
        _seal(server, match, sealing.Orders(seat, record.open_exchange, read, orders, False, sent, accepted), said)
        done.append(seat)
    return done


def _seal(server: Server, match: str, orders: sealing.Orders, said: Sequence[Word]) -> None:
    """Seal the orders of a draft and send its messages. Other requests are not carried out; its owner is told."""
    messages = [word for word in said if word.name == "press"]
    fate = "requests" if any(word.name not in ("press", "final") for word in said) else ""
    try:
        _append(server, match, orders, messages)
    except Refusal:
        log.info("match %s: a message in a draft could not be sent", match)
        _append(server, match, orders, ())
        fate = "unsent"
    if fate and orders.sent:
        drafts.note_fate(server, match, orders.seat, orders.sent.account, orders.exchange, fate)


@retrying
def _append(server: Server, match: str, orders: sealing.Orders, messages: Sequence[Word]) -> None:
    """Seal orders and send messages in one change."""
    position = load(server, match)
    sealing.check(position, orders.seat, orders.exchange, orders.submission)
    with server.change(position, "seal") as change:
        sealing.append_sealed(change, orders)
        for word in messages:
            requests.apply(change, orders.seat, word, orders.sent.account if orders.sent else "")


def orders_in(text: str) -> tuple[tuple[Word, ...], str]:
    """Return the requests and the orders in a draft.

    As on the page, requests alone seal nothing, and neither do orders together with `cancel`.
    """
    said, orders = requests.split(text)
    names = {word.name for word in said}
    if "cancel" in names or (not orders and names - {"final"}):
        raise Unreadable(
            "orders", [Objection("pbem/words", say("these lines are requests to the server, not orders"))]
        )
    return said, orders
