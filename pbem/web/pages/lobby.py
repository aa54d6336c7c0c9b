"""The lobby: all matches and players and, in a demonstration, an instant game against a bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Blueprint, current_app, g, make_response, render_template, session, url_for
from flask.typing import ResponseReturnValue

from pbem.engine.rules.title import first_game
from pbem.engine.text.messages import Message, say
from pbem.matches import summaries
from pbem.matches.accounts import accounts, reliability
from pbem.matches.accounts.accounts import Account
from pbem.matches.accounts.reliability import Figures
from pbem.matches.history.replay import record_of
from pbem.matches.players import openings
from pbem.matches.server import Server
from pbem.matches.summaries import Summary
from pbem.web.http.inputs import LobbySchema, read_query
from pbem.web.http.stored import send, store
from pbem.web.http.viewer import look, not_found, the_server
from pbem.web.http.visitor_limits import limit_rate
from pbem.web.pages import creating
from pbem.web.pages.creating import About
from pbem.web.pages.match import page as match_page
from pbem.web.pages.newcomers.guests import sign_in_guest

bp = Blueprint("lobby", __name__)


SAMPLES = 3
"""The most scenarios of a title on the front page."""

CADENCES = {
    "fast": say("up to a day"),
    "usual": say("up to three days"),
    "slow": say("longer"),
    "none": say("no deadline"),
}
"""How much time an exchange has, in words."""

RELIABLE = {"80": say("players who answer 80% in time"), "95": say("players who answer 95% in time")}
"""Filters by the lowest reliability among a match's players; players who were never asked count as reliable."""


SHELVES = {summaries.OPEN: say("Open seats"), summaries.RUNNING: say("Running"), summaries.ENDED: say("Ended")}
"""The lists of matches, by what a visitor can do with them."""

MOST_LISTED = 25
"""The most matches of one kind on a page."""

MOST_MINE = 100


class Shelf(msgspec.Struct, frozen=True):
    """A part of a list; `more` names where the next part begins, if there is one."""

    name: str
    title: Message
    stands: list[Summary]
    more: str = ""


@bp.get("/")
def lobby() -> ResponseReturnValue:
    server = the_server()
    summaries.glance(server)
    reliability.glance(server)
    wanted = read_query(LobbySchema())
    mine = summaries.of_account(server, g.account.id, most=MOST_MINE) if g.account else []
    shelves = shelves_of(server, with_plays(server, wanted), {stand.status.match for stand in mine})
    return send(
        store(
            render_template(
                "web/lobby.html",
                mine=mine,
                waiting=[stand.status.match for stand in mine if waits_for(stand, g.account.id)],
                mastered=summaries.matches_mastered_by(server, g.account.id, most=MOST_MINE) if g.account else [],
                shelves=shelves,
                wanted=wanted,
                further={name: value for name, value in wanted.items() if value and name not in ("shelf", "before")},
                cadences=CADENCES,
                reliable=RELIABLE,
                choosing=creating.CHOOSING,
                labels=creating.LABELS,
                first_games=[title for _, title in sorted(server.titles.items()) if title.primer().lesson],
                figures=figures_of(server, [*mine, *(stand for shelf in shelves for stand in shelf.stands)]),
                titles=server.titles,
                scenarios=[] if mine else samples(server),
            ).encode()
        ),
        "text/html",
    )


def with_plays(server: Server, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the filter with the scenarios of the wanted size, length, difficulty and balance."""
    if not any(wanted[name] for name in creating.CHOOSING):
        return wanted
    kinds = {**wanted, "words": "", "title": ""}
    return {**wanted, "plays": [one.play for one in creating.every_scenario(server) if creating.fits(one, kinds)]}


def shelves_of(server: Server, wanted: Mapping[str, Any], mine: set[str]) -> list[Shelf]:
    """The newest matches of each kind, or the next ones of one kind, without those listed as the visitor's own."""
    chosen = [wanted["shelf"]] if wanted["shelf"] in SHELVES else list(SHELVES)
    before = wanted["before"] if wanted["shelf"] in SHELVES else ""
    found = []
    for name in chosen:
        stands = summaries.shelf(server, name, wanted, most=MOST_LISTED + 1, before=before)
        more = stands[MOST_LISTED - 1].cursor if len(stands) > MOST_LISTED else ""
        shown = [stand for stand in stands[:MOST_LISTED] if stand.status.match not in mine]
        found.append(Shelf(name, SHELVES[name], shown, more))
    return found


def waits_for(stand: Summary, account: str) -> bool:
    """Whether a match is waiting for this account's orders."""
    return any(stand.players.get(seat) == account for seat in stand.status.waiting_for)


def samples(server: Server) -> list[About]:
    """A few scenarios of each title; the recommended first game comes first in its title."""
    first = first_game(server.titles)
    chosen = [
        (title, scenario)
        for name, title in sorted(server.titles.items())
        for scenario in sorted(title.scenarios, key=lambda scenario: (name, scenario) != first)[:SAMPLES]
    ]
    return [creating.about(title, scenario) for title, scenario in chosen]


def figures_of(server: Server, stands: list[Summary]) -> dict[str, Figures]:
    """Return the reliability figures of the players of these matches."""
    return reliability.figures_of(server, sorted({one for stand in stands for one in stand.players.values()}))


@bp.get("/players/<account>")
def player(account: str) -> ResponseReturnValue:
    found, figures, stands = profile_of(account)
    return render_template("web/player.html", player=found, figures=figures, stands=stands)


def profile_of(account: str) -> tuple[Account, Figures, list[Summary]]:
    """The public profile of a player."""
    server = the_server()
    try:
        found = accounts.account(server, account)
    except KeyError:
        not_found(say("No player has this name."))
    summaries.glance(server)
    own = g.account is not None and g.account.id == account
    stands = summaries.of_account(server, account, most=MOST_MINE, for_all=not own)
    return found, reliability.figures(server, account), sorted(stands, key=lambda stand: -stand.created_at)


# A game at once ----------------------------------------------------------------------------------------------


@bp.post("/play")
@limit_rate("guests")
def play() -> ResponseReturnValue:
    """Seat a guest against bots and show the first form. Doing it again opens the same match."""
    if not current_app.extensions["pbem"]["demo"]:
        not_found(say("This is not a demonstration server."))
    server = the_server()
    guest = g.account or sign_in_guest(server)
    match = session.get("demo") or demo_match(server, guest)
    if record_of(server, match).ended:
        match = demo_match(server, guest)
    session["demo"] = match
    match_page.await_turn(match, 3)
    # Show the page itself instead of redirecting to it: one request fewer before the first order.
    response = make_response(match_page.show(look(match)))
    response.headers["Content-Location"] = url_for("match.page", match=match)
    return response


def demo_match(server: Server, guest: Account) -> str:
    """A match with the guest in the first seat and the title's bot in all others."""
    return openings.against_bots(server, guest.id, *first_game(server.titles))
