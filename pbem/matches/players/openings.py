"""Find matches with a free seat, join one, and start one against bots; the site and mail use the same functions.

find          open matches whose name, title, scenario or id contains all of the words
join          take a seat in the open match with this name or id
against_bots  start a match with the account in one seat and the title's bot in all others
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.refusals import Ambiguous, Illegal, Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches import summaries
from pbem.matches.accounts import accounts
from pbem.matches.events import SeatDeclined, SeatInvited, each
from pbem.matches.exchange.checks import free_seats
from pbem.matches.exchange.creating import new_match
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.names import scenario_name
from pbem.matches.server import Server
from pbem.matches.summaries import Summary

RULE = "pbem/match"
MOST_LISTED = 200
EVERYTHING = dict.fromkeys(("play", "cadence", "seats", "reliable", "state"), "")


def offered_seats(record: Record) -> list[str]:
    """Return the free seats with a pending invitation."""
    declined = {said.number for _, said in each(record.events, SeatDeclined)}
    return [said.seat for _, said in each(record.events, SeatInvited) if said.number not in declined]


def seats_to_take(server: Server, match: str) -> list[str]:
    """Return the seats that anyone may take: free, and not offered to someone else."""
    record = record_of(server, match)
    taken = offered_seats(record)
    return [seat for seat in free_seats(record) if seat not in taken]


def find(server: Server, words: str = "", most: int = MOST_LISTED) -> list[Summary]:
    """Find open matches that have all of the words in their name, title, scenario or id, newest first."""
    summaries.catch_up(server)
    return summaries.shelf(server, summaries.OPEN, {**EVERYTHING, "words": words}, most=most)


def open_match(server: Server, wanted: str) -> str:
    """Return the only open match with this name or id; a refusal lists similar open matches."""
    listed = find(server)
    said = " ".join(wanted.lower().split())
    for fits in (
        [one for one in listed if one.status.match == said],
        [one for one in listed if " ".join(one.status.name.lower().split()) == said],
        [one for one in listed if said in one.status.name.lower() or one.status.match.startswith(said)],
    ):
        if len(fits) == 1:
            return fits[0].status.match
        if fits:
            why = Objection(RULE, say("several open matches have that name; use the id"))
            raise Ambiguous(wanted, [why], [one.status.match for one in fits[:10]])
    why = Objection(RULE, say("no match with a free seat has that name"))
    raise Unreadable(wanted, [why], [one.status.name for one in listed[:5]])


def join(server: Server, account: str, wanted: str, seat: str = "") -> tuple[str, str]:
    """Take a seat in an open match: the named seat, or the first free one if none is named."""
    match = open_match(server, wanted)
    free = seats_to_take(server, match)
    if not free:
        raise Illegal(
            wanted, [Objection("pbem/seat", say("the free seats of this match are kept for invited players"))]
        )
    if seat and seat not in free:
        raise Illegal(seat, [Objection("pbem/seat", say("that seat is not free"))], free)
    take_seat(server, match, seat or free[0], account)
    return match, seat or free[0]


def against_bots(server: Server, account: str, title: str, scenario: str, seat: str = "", name: str = "") -> str:
    """Start a match with the account in one seat (the first unless named) and the title's bot in all others."""
    check_scenario(server, title, scenario)
    game = server.titles[title]
    seats: Sequence[str] = game.rules(game.freeze(scenario, {})).seats
    if seat and seat not in seats:
        raise Unreadable(seat, [Objection("pbem/seat", say("no seat has that name"))], seats)
    player = accounts.account(server, account)
    name = name or f"{player.name} against the bot ({scenario_name(server, title, scenario)})"
    match = new_match(server, title, scenario, name=name)
    mine, bot = seat or seats[0], accounts.open_bot(server, title)
    for other in seats:
        if other != mine:
            take_seat(server, match, other, bot.id)
    take_seat(server, match, mine, account)
    return match


def check_scenario(server: Server, title: str, scenario: str) -> None:
    """Refuse a title or a scenario that this server does not have, and list those it has."""
    if title not in server.titles:
        raise Unreadable(
            title, [Objection(RULE, say("this server has no game with that name"))], sorted(server.titles)
        )
    if scenario not in server.titles[title].scenarios:
        known = [f"{title} {one}" for one in server.titles[title].scenarios]
        raise Unreadable(
            scenario, [Objection(RULE, say("{title} has no scenario with that name", title=title))], known
        )
