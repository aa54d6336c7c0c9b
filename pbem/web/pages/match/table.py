"""Everything apart from the game itself: letters, absences, offers, disputes, standing orders."""

from __future__ import annotations

from typing import Any

from flask import g

from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.clock import absences, extensions
from pbem.matches.film.turns import turns
from pbem.matches.players import endings, moderation, press, standing_orders, substitutes
from pbem.matches.rulings import disputes
from pbem.web.http.viewer import Look, the_server


def letters(found: Look) -> list[press.Letter]:
    """The messages that the viewer may read and whose authors the viewer has not muted."""
    server, record = the_server(), found.position.record
    reader = g.account.id if found.seat and g.account is not None else ""
    return [
        letter
        for letter in press.letters(server, record, found.viewer)
        if not moderation.is_muted(server.database, record, letter.sender, reader)
    ]


def muted_seats(found: Look) -> list[str]:
    """Return the seats of players muted by the viewer."""
    record = found.position.record
    muted = (
        moderation.muted_by(the_server().database, g.account.id) if found.seat and g.account is not None else set()
    )
    return [seat for seat, taken in sorted(record.occupants.items()) if taken["account"] in muted]


def on_the_table(found: Look) -> dict[str, Any]:
    """Letters, offers, requests, absences and disputes, as far as the viewer may see them."""
    server, record = the_server(), found.position.record
    mine = found.seat if not found.over else ""
    return {
        "letters": letters(found),
        "readers": [seat for seat in record.seats if seat != mine] + (["master"] if record.created.master else []),
        "mates": views.mates(server, record, mine) if mine else [],
        "muted": muted_seats(found),
        "side": press.mates_of(record, mine) if mine else [],
        "away": absences.in_sentences(server, record),
        "offers": endings.offers(record) if not found.over else [],
        "keeping": [seat for seat in record.seats if seat in record.keeping],
        "opens": record.opens,
        "asking": [asked.seat for asked in extensions.standing(record)],
        "disputes": disputes.disputes(record),
        "doctrine": standing_orders.doctrine_text(server, found.match, mine) if mine else "",
        "standing_by": {id: accounts.account(server, id).name for id in substitutes.standing_by(record)},
        "played": [turn for turn, entries in turns(record).items() if entries[-1].exchange > 1],
    }
