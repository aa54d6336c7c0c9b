"""What lies on the table beside the game: letters, absences, offers, disputes, standing orders."""

from __future__ import annotations

from typing import Any

from pbem.matches import absences, accounts, disputes, doctrine, endings, extensions, press, substitutes
from pbem.web.looking import Look, the_house


def on_the_table(found: Look) -> dict[str, Any]:
    """As far as the viewer may see it."""
    house, record = the_house(), found.position.record
    mine = found.seat if not found.over else ""
    return {
        "letters": press.letters(house, record, found.viewer),
        "readers": [seat for seat in record.seats if seat != mine] + (["master"] if record.created["master"] else []),
        "away": absences.in_sentences(house, record),
        "offers": endings.offers(record) if not found.over else [],
        "asking": [event.payload["seat"] for event in extensions.standing(record)],
        "disputes": disputes.disputes(record),
        "doctrine": doctrine.doctrine_text(house, found.match, mine) if mine else "",
        "standing_by": {id: accounts.account(house, id).name for id in substitutes.standing_by(record)},
        "closed": [number for number in record.closings if number > 1],
    }
