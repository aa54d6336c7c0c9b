"""Seal drafts at the deadline if their owners asked for it."""

from __future__ import annotations

import logging

from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.clock.deadlines import deadline_of
from pbem.matches.exchange import sealing
from pbem.matches.history.replay import load
from pbem.matches.players import drafts, requests
from pbem.matches.server import Server

log = logging.getLogger("pbem.drafts")


def seal_drafts(server: Server, match: str, now: int) -> list[str]:
    """Seal the drafts that seats had marked for sealing at the deadline; return those seats.

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
            orders = orders_in(draft.text)
            read = sealing.check_text(position, seat, record.open_exchange, orders)
        except Refusal:
            log.info("match %s: a draft could not be sealed at the deadline", match)
            continue
        sealing.seal(
            server,
            match,
            seat,
            record.open_exchange,
            read,
            text=orders,
            sent=sealing.Sent(account, drafts.SOURCE),
            accepted=min(draft.saved_at, deadline.at),
        )
        done.append(seat)
    return done


def orders_in(text: str) -> str:
    """Return the orders in a draft, without `final` and other requests, which are not carried out at the deadline.

    As on the page, requests alone seal nothing, and neither do orders together with `cancel`.
    """
    said, orders = requests.split(text)
    names = {word.name for word in said}
    if "cancel" in names or (not orders and names - {"final"}):
        raise Unreadable(
            "orders", [Objection("pbem/words", say("these lines are requests to the server, not orders"))]
        )
    return orders
