"""How a game works in ten minutes, and its guided first game: the title's texts, shown in the same way for all."""

from __future__ import annotations

from flask import Blueprint, current_app, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from pbem.engine.rules.title import Title
from pbem.engine.text.messages import say
from pbem.matches.players import openings
from pbem.matches.server import Server
from pbem.web.http.speech import translator
from pbem.web.http.viewer import not_found, the_server
from pbem.web.http.visitor_limits import limit_rate
from pbem.web.pages.match import page as match_page
from pbem.web.pages.newcomers.guests import sign_in_guest
from pbem.web.pages.newcomers.lessons import FIRST_GAME

bp = Blueprint("first_games", __name__, url_prefix="/titles/<title>")


def title_of(name: str) -> Title:
    """Return a title that has an introduction for newcomers; otherwise a not-found page."""
    title = the_server().titles.get(name)
    return title if title is not None and title.primer().section else not_found(say("This game has no introduction."))


@bp.get("/how")
def how(title: str) -> ResponseReturnValue:
    """A ten-minute introduction to this game."""
    game = title_of(title)
    return render_template(
        "web/how.html", title=game, primer=game.primer().translate(translator()), name=game.full_name or game.name
    )


@bp.post("/first-game")
@limit_rate("guests")
def start(title: str) -> ResponseReturnValue:
    """Begin the guided first game against a bot; in a demonstration, guests may do so too."""
    server, game = the_server(), title_of(title)
    if g.account is None and not current_app.extensions["pbem"]["demo"]:
        return redirect(url_for("door.sign_in"), 303)
    account = g.account or sign_in_guest(server)
    match = begin(server, game, account.id)
    match_page.await_turn(match, 3)
    return redirect(url_for("match.page", match=match), 303)


def begin(server: Server, game: Title, account: str) -> str:
    """Start the lesson of a title for an account."""
    lesson = game.primer().lesson or not_found(say("This game has no guided first game."))
    return openings.against_bots(server, account, game.name, lesson.scenario, lesson.seat, FIRST_GAME)
