"""Emails about tournaments: pairings of a round, standings after it, messages and reminders from the director."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pbem.mail.tournament_replies import token_for
from pbem.matches.accounts import accounts
from pbem.tournaments import announcing, stream
from pbem.tournaments.files import tables
from pbem.tournaments.model import Entrant, Pairing, Round
from pbem.tournaments.ranking.standings import standings
from pbem.tournaments.record import Record

if TYPE_CHECKING:
    from pbem.mail.outbound.drafts import Draft

MOST_PLACES = 10


def tournament_facts(draft: Draft) -> Record:
    """Add the tournament that the email is about and the reader's entry in it; return the tournament."""
    record = stream.read(draft.server, str(draft.owed.about["tournament"]))
    own = record.by_account(draft.owed.account)
    draft.token = token_for(draft.server, draft.owed.account, record.id)
    draft.facts |= {
        "cup": record.settings,
        "entry": own,
        "link": draft.settings.link(f"tournaments/{record.id}"),
        "text": draft.owed.about.get("text", ""),
        "directors": len(record.directors),
    }
    return record


def round_facts(draft: Draft) -> None:
    """Add the reader's pairing: opponents, side, scenario, matches and deadline; or the bye."""
    record = tournament_facts(draft)
    round = record.rounds[int(draft.owed.about["round"])]
    own: Entrant | None = draft.facts["entry"]
    pairing = round.pairing_of(own.number) if own else None
    bye = next((bye for bye in round.byes if own and bye.entrant == own.number), None)
    draft.facts |= {
        "round": round,
        "deadline": round.deadline,
        "legs": _legs(draft, record, round, pairing, own) if pairing and own else [],
        "opponents": [record.entrants[n].name for n in pairing.entrants if own and n != own.number]
        if pairing
        else [],
        "bye": tables.BYES[bye.kind] if bye else "",
        "steps": announcing.unfinished_in_words(record.settings.unfinished),
        "signed": draft.owed.about.get("head"),
    }


def _legs(draft: Draft, record: Record, round: Round, pairing: Pairing, own: Entrant) -> list[dict[str, Any]]:
    found = []
    for leg in pairing.legs:
        match = stream.match_id(draft.server, record, round.number, pairing.number, leg.number)
        there = bool(draft.server.store.version(f"match/{match}"))
        side = next((side for side, number in leg.sides.items() if number == own.number), "")
        link = draft.settings.link(f"matches/{match}") if there else ""
        found.append({"side": side, "scenario": leg.scenario, "link": link})
    return found


def standings_facts(draft: Draft) -> None:
    """Add the top of the standings and the reader's own place, with every number explained."""
    record = tournament_facts(draft)
    number = int(draft.owed.about["round"])
    rows = standings(record, number)
    own: Entrant | None = draft.facts["entry"]
    mine = next((row for row in rows if own and row.entrant == own.number), None)
    draft.facts |= {
        "round": record.rounds[number],
        "top": [(row.place, row.name, tables.points(row.points)) for row in rows[:MOST_PLACES]],
        "total": len(rows),
        "mine": mine,
        "signed": draft.owed.about.get("head"),
    }


def message_facts(draft: Draft) -> None:
    tournament_facts(draft)


def invitation_facts(draft: Draft) -> None:
    """Say who invites the reader, and to which tournament; the reader may never have heard of this server."""
    record = tournament_facts(draft)
    title = draft.server.titles.get(record.settings.title)
    people = [id for id in record.directors if id != stream.OPERATOR]
    draft.facts |= {
        "game": (title.full_name if title else "") or record.settings.title,
        "inviters": " and ".join(accounts.account(draft.server, id).name for id in people[:2]),
        "format": announcing.FORMATS[record.settings.format],
        "weeks": max(1, record.settings.round_days // 7),
    }


KINDS: dict[str, Callable[[Draft], None]] = {
    "tournament-round": round_facts,
    "tournament-standings": standings_facts,
    "tournament-message": message_facts,
    "tournament-invitation": invitation_facts,
    "tournament-answer": message_facts,
    "tournament-reminder": round_facts,
}
