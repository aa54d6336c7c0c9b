"""At the table: buttons for letters, more time, absences, standing orders, disputes, draws and giving up."""

from __future__ import annotations

from flask import Blueprint, g
from flask.typing import ResponseReturnValue

from pbem.engine.rules.refusals import Refusal
from pbem.engine.text import messages
from pbem.matches.exchange import advancing
from pbem.matches.players import requests, substitutes
from pbem.matches.players.requests import Note, Word
from pbem.web.http.inputs import HandOverSchema, WordSchema, read_form
from pbem.web.http.speech import announce
from pbem.web.http.viewer import Look, look, seat_required, signed_in, the_server
from pbem.web.http.visitor_limits import limit_rate
from pbem.web.pages.match import page as match_page

bp = Blueprint("talk", __name__, url_prefix="/matches/<match>")


@bp.post("/words")
@limit_rate("words")
@seat_required
def say(found: Look) -> ResponseReturnValue:
    """Carry out one request to the server or send a message to others, as an email could."""
    said = read_form(WordSchema())
    word = Word(
        said["word"],
        number=said["number"],
        to=tuple(said["to"].split()),
        text=said["text"].strip(),
        since=said["since"],
        until=said["until"] or said["since"],
        place=said["place"].strip(),
        rule=said["rule"].strip(),
    )
    try:
        announce(carry_out_request(found, word))
    except Refusal as refusal:
        return match_page.show(found, talk_refusal=refusal), 422
    return match_page.to_match(found)


def carry_out_request(found: Look, word: Word) -> Note:
    """Carry out a request for the viewer's seat; return its result as a sentence."""
    done = requests.carry_out(the_server(), found.match, found.seat, word, g.account.id)
    advancing.go_on(the_server(), found.match)
    return done.note


# Substitutes -------------------------------------------------------------------------------------------------


@bp.post("/stand-by")
@signed_in
@limit_rate("words")
def stand_by(match: str) -> ResponseReturnValue:
    """Become a substitute, ready to take a seat whose occupant drops out, or withdraw as one."""
    server, found = the_server(), look(match)
    if g.account.id in substitutes.standing_by(found.position.record):
        substitutes.stand_down(server, match, g.account.id)
        announce(messages.say("You are no longer a substitute."))
    else:
        substitutes.stand_by(server, match, g.account.id)
        announce(messages.say("You are a substitute: if a player drops out, you may get the seat."))
    return match_page.to_match(found)


@bp.post("/hand-over")
@limit_rate("words")
@seat_required
def hand_over(found: Look) -> ResponseReturnValue:
    """Hand your seat to a substitute."""
    to = read_form(HandOverSchema())["to"]
    try:
        substitutes.hand_over(the_server(), found.match, found.seat, to, by=g.account.id)
    except Refusal as refusal:
        return match_page.show(found, talk_refusal=refusal), 422
    advancing.go_on(the_server(), found.match)
    announce(messages.say("Your seat has a new occupant."))
    return match_page.to_match(found)
