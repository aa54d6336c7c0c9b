"""The lobby: all matches, a new match, and in a demonstration a game at once against a bot."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TypeAlias

from flask import Blueprint, current_app, g, make_response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from pbem.engine.refusals import Refusal
from pbem.matches import accounts, acts, desk, invitations
from pbem.matches.accounts import Account
from pbem.matches.desk import Status
from pbem.matches.house import House
from pbem.web import entry
from pbem.web import match as match_page
from pbem.web.inputs import MatchSchema, read_form
from pbem.web.limits import limited
from pbem.web.looking import look, not_found, signed_in, the_house

bp = Blueprint("lobby", __name__)

Choices: TypeAlias = Mapping[str, Mapping[str, str]]

FIRST_GAME = ("panzer", "duel")
"""The game that a visitor of a demonstration meets, if this house has it."""


@bp.get("/")
def lobby() -> ResponseReturnValue:
    return show()


def show(refusal: Refusal | None = None) -> str:
    house = the_house()
    stands = [desk.status(house, match) for match in acts.matches(house)]
    mine = {match for match in (stand.match for stand in stands) if g.account and sits_in(house, match, g.account)}
    return render_template(
        "web/lobby.html",
        mine=[stand for stand in stands if stand.match in mine],
        groups=grouped([stand for stand in stands if stand.match not in mine]),
        titles=house.titles,
        choices=choices(house),
        refusal=refusal,
    )


def sits_in(house: House, match: str, account: Account) -> bool:
    return bool(desk.seats_of(house, match, account.id))


def grouped(stands: list[Status]) -> list[tuple[str, list[Status]]]:
    """Matches by what a visitor can do with them, the newest first."""
    newest = list(reversed(stands))
    return [
        ("Open seats", [stand for stand in newest if stand.state == "seats"]),
        ("Running", [stand for stand in newest if stand.state in ("open", "closing", "halted")]),
        ("Ended", [stand for stand in newest if stand.state == "over"]),
    ]


def choices(house: House) -> dict[str, Choices]:
    """What a title lets the maker of a match choose: for each option its values, each with an explanation."""
    return {name: getattr(title, "choices", {}) for name, title in house.titles.items()}


# A new match -------------------------------------------------------------------------------------------------


@bp.post("/matches")
@signed_in
@limited("matches")
def create() -> ResponseReturnValue:
    """Create a match, sit down if wished, and invite others to the seats that are left."""
    house = the_house()
    try:
        said = read_form(MatchSchema())
        addresses = [accounts.clean_address(line) for line in said["invite"].splitlines() if line.strip()]
        title, _, scenario = said["play"].partition("/")
        match = desk.new_match(
            house,
            title,
            scenario,
            name=said["name"].strip(),
            cadence=said["cadence"],
            options=chosen(house, title),
            reactions=said["reactions"],
        )
    except Refusal as refusal:
        return show(refusal), 422
    if said["sit"]:
        desk.take_seat(house, match, acts.free_seats(acts.read(house, match))[0], g.account.id)
    for seat, address in zip(acts.free_seats(acts.read(house, match)), addresses, strict=False):
        invitations.invite(house, match, seat, address)
    return redirect(url_for("match.page", match=match), 303)


def chosen(house: House, title: str) -> dict[str, str]:
    """The options of the title for which the form says something; the title refuses what it does not know."""
    said = {name: request.form.get(f"{title}/{name}", "") for name in choices(house).get(title, {})}
    return {name: value for name, value in said.items() if value}


# A game at once ----------------------------------------------------------------------------------------------


@bp.post("/play")
@limited("guests")
def play() -> ResponseReturnValue:
    """Sit a guest down against bots and show him the first form. Doing it again opens the same match."""
    if not current_app.extensions["pbem"]["demo"]:
        not_found("demonstration")
    house = the_house()
    guest = g.account or sign_in_guest(house)
    match = session.get("demo") or demo_match(house, guest)
    if acts.read(house, match).ended:
        match = demo_match(house, guest)
    session["demo"] = match
    # The page itself rather than a redirection to it: one request less until the first order.
    response = make_response(match_page.show(look(match)))
    response.headers["Content-Location"] = url_for("match.page", match=match)
    return response


def sign_in_guest(house: House) -> Account:
    """An account whose mails stay here: nothing is ever delivered to `.invalid`."""
    guest = accounts.open_account(house, f"guest-{secrets.token_hex(4)}@guests.invalid", "Guest")
    entry.start_session(guest)
    return guest


def demo_match(house: House, guest: Account) -> str:
    """A match of the guest in the first seat against the title's bot in all others."""
    title, scenario = FIRST_GAME
    if title not in house.titles:
        title, game = next(iter(sorted(house.titles.items())))
        scenario = game.scenarios[0]
    match = desk.new_match(house, title, scenario, name=f"{guest.name} against the bot")
    bot = accounts.open_bot(house, title)
    first, *others = acts.read(house, match).seats
    for seat in others:
        desk.take_seat(house, match, seat, bot.id)
    desk.take_seat(house, match, first, guest.id)
    return match
