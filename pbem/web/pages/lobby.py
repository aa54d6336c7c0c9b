"""The lobby: all matches, players, and in a demonstration a game at once against a bot."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

import msgspec
from flask import Blueprint, current_app, g, make_response, render_template, session, url_for
from flask.typing import ResponseReturnValue

from pbem.matches.accounts import accounts, reliability
from pbem.matches.accounts.accounts import Account
from pbem.matches.accounts.reliability import Figures
from pbem.matches.clock import deadlines
from pbem.matches.exchange import acts, desk
from pbem.matches.exchange.desk import Status
from pbem.matches.history.replay import stream_of
from pbem.matches.server import Server
from pbem.web.http import entry
from pbem.web.http.inputs import LobbySchema, read_query
from pbem.web.http.rate_limits import limited
from pbem.web.http.stored import Made, made
from pbem.web.http.viewer import look, not_found, the_server
from pbem.web.pages import creating
from pbem.web.pages.creating import About
from pbem.web.pages.match import page as match_page

bp = Blueprint("lobby", __name__)

FIRST_GAME = ("panzer", "duel")
"""The game that a visitor of a demonstration meets, if this server has it."""


SAMPLES = 3
"""Scenarios of a title on the front page."""

MOST_ENDED = 20
"""Ended matches that are listed unless somebody asks for them."""


class Stand(msgspec.Struct, frozen=True):
    """A match as the lobby lists it. `players` are the accounts by seat."""

    status: Status
    players: dict[str, str]
    master: str
    cadence: int
    created_at: int

    @property
    def open_seats(self) -> list[str]:
        return [seat for seat in self.status.seats if seat not in self.players]


CADENCES: dict[str, tuple[str, Callable[[int], bool]]] = {
    "fast": ("up to a day", lambda hours: 0 < hours <= 24),
    "usual": ("up to three days", lambda hours: 24 < hours <= 72),
    "slow": ("longer", lambda hours: hours > 72),
    "none": ("no deadline", lambda hours: hours == 0),
}
"""How much time an exchange has, in words."""

RELIABLE = {"80": "answer 80 of 100 in time", "95": "answer 95 of 100 in time"}
"""How reliable everybody in a match is at least; who was never asked is given credit."""


@bp.get("/")
def lobby() -> ResponseReturnValue:
    server = the_server()
    stands = sorted((stand_of(match) for match in acts.matches(server)), key=lambda stand: -stand.created_at)
    wanted = read_query(LobbySchema())
    mine = [stand for stand in stands if g.account and g.account.id in stand.players.values()]
    mine.sort(key=lambda stand: (stand.status.state == "over", not waits_for(stand, g.account.id)))
    others = [stand for stand in stands if stand not in mine and fits(stand, wanted)]
    mastered = [stand for stand in stands if g.account and g.account.id == stand.master]
    return render_template(
        "web/lobby.html",
        mine=mine,
        waiting=[stand.status.match for stand in mine if waits_for(stand, g.account.id)],
        mastered=mastered,
        groups=grouped(others, all_ended=wanted["state"] == "over"),
        wanted=wanted,
        cadences={name: words for name, (words, _) in CADENCES.items()},
        reliable=RELIABLE,
        figures=figures_of(server, [*mine, *others]),
        titles=server.titles,
        scenarios=[] if mine else samples(server),
    )


def waits_for(stand: Stand, account: str) -> bool:
    """Whether it is the orders of this account that a match waits for."""
    return any(stand.players.get(seat) == account for seat in stand.status.waiting_for)


def samples(server: Server) -> list[About]:
    """A few scenarios of each title, the first game of all before the others."""
    chosen = [
        (title, scenario)
        for name, title in sorted(server.titles.items())
        for scenario in sorted(title.scenarios, key=lambda scenario: (name, scenario) != FIRST_GAME)[:SAMPLES]
    ]
    return [creating.about(title, scenario) for title, scenario in chosen]


def stand_of(match: str) -> Stand:
    """How a match stands; kept as long as neither it nor anybody in it changes."""
    kept = current_app.extensions["pbem"]["stands"]
    found: Made[Stand] | None = kept.get(match)
    if found is None or not found.holds():
        record = acts.read(the_server(), match)
        streams = [stream_of(match), *(accounts.stream_of(taken["account"]) for taken in record.occupants.values())]
        found = kept.put(match, made(streams, lambda: read_stand(match)))
    return found.value


def read_stand(match: str) -> Stand:
    record = acts.read(the_server(), match)
    players = {seat: taken["account"] for seat, taken in record.occupants.items()}
    cadence = deadlines.timing_of(record).hours
    master = record.created["master"]
    return Stand(desk.status(the_server(), match), players, master, cadence, record.events[0].recorded_at)


def fits(stand: Stand, wanted: Mapping[str, str]) -> bool:
    """Whether a match is one that the visitor wants to see."""
    play = wanted["play"]
    return (
        play in ("", stand.status.title, f"{stand.status.title}/{stand.status.scenario}")
        and (wanted["cadence"] not in CADENCES or CADENCES[wanted["cadence"]][1](stand.cadence))
        and (wanted["seats"] != "open" or bool(stand.open_seats))
        and (wanted["reliable"] not in RELIABLE or least_reliable(stand) >= int(wanted["reliable"]))
        and (wanted["state"] != "over" or stand.status.state == "over")
    )


def least_reliable(stand: Stand) -> int:
    """Of a hundred asks so many were answered by the least reliable player of a match."""
    percents = (figures.percent for figures in figures_of(the_server(), [stand]).values())
    return min((percent for percent in percents if percent is not None), default=100)


def grouped(stands: list[Stand], *, all_ended: bool) -> list[tuple[str, list[Stand]]]:
    """Matches by what a visitor can do with them, the newest first."""
    ended = [stand for stand in stands if stand.status.state == "over"]
    return [
        ("Open seats", [stand for stand in stands if stand.open_seats and stand.status.state != "over"]),
        ("Running", [stand for stand in stands if not stand.open_seats and stand.status.state != "over"]),
        ("Ended", ended if all_ended else ended[:MOST_ENDED]),
    ]


def figures_of(server: Server, stands: list[Stand]) -> dict[str, Figures]:
    """How reliable everybody is who sits in one of these matches."""
    everybody = sorted({account for stand in stands for account in stand.players.values()})
    return {account: reliability.figures(server, account) for account in everybody}


@bp.get("/players/<account>")
def player(account: str) -> ResponseReturnValue:
    found, figures, stands = known_of(account)
    return render_template("web/player.html", player=found, figures=figures, stands=stands)


def known_of(account: str) -> tuple[Account, Figures, list[Stand]]:
    """Somebody who plays here: what everybody may know of him."""
    server = the_server()
    try:
        found = accounts.account(server, account)
    except KeyError:
        not_found("player of this name")
    stands = [stand for match in acts.matches(server) if account in (stand := stand_of(match)).players.values()]
    return found, reliability.figures(server, account), sorted(stands, key=lambda stand: -stand.created_at)


# A game at once ----------------------------------------------------------------------------------------------


@bp.post("/play")
@limited("guests")
def play() -> ResponseReturnValue:
    """Sit a guest down against bots and show him the first form. Doing it again opens the same match."""
    if not current_app.extensions["pbem"]["demo"]:
        not_found("demonstration")
    server = the_server()
    guest = g.account or sign_in_guest(server)
    match = session.get("demo") or demo_match(server, guest)
    if acts.read(server, match).ended:
        match = demo_match(server, guest)
    session["demo"] = match
    # The page itself rather than a redirection to it: one request less until the first order.
    response = make_response(match_page.show(look(match)))
    response.headers["Content-Location"] = url_for("match.page", match=match)
    return response


def sign_in_guest(server: Server) -> Account:
    """An account whose mails stay here: nothing is ever delivered to `.invalid`."""
    guest = accounts.open_account(server, f"guest-{secrets.token_hex(4)}@guests.invalid", "Guest")
    entry.start_session(guest)
    return guest


def demo_match(server: Server, guest: Account) -> str:
    """A match of the guest in the first seat against the title's bot in all others."""
    title, scenario = FIRST_GAME
    if title not in server.titles:
        title, game = next(iter(sorted(server.titles.items())))
        scenario = game.scenarios[0]
    match = desk.new_match(server, title, scenario, name=f"{guest.name} against the bot")
    bot = accounts.open_bot(server, title)
    first, *others = acts.read(server, match).seats
    for seat in others:
        desk.take_seat(server, match, seat, bot.id)
    desk.take_seat(server, match, first, guest.id)
    return match
