"""The API at the table: letters, more time, absences, standing orders, disputes, agreed ends, substitutes.

The same requests can be made by email or with a button on the site.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import g

from pbem.engine.text.messages import say
from pbem.matches.exchange import advancing
from pbem.matches.players import substitutes
from pbem.matches.players.requests import Word
from pbem.web.api import acting_schemas
from pbem.web.api.operations import bp, look_as_player, look_at_match, operation
from pbem.web.http.viewer import look, the_server
from pbem.web.pages.match import talk
from pbem.web.pages.match.table import on_the_table

__all__ = ["bp"]


@operation("GET", "/matches/<match>/table", gives=acting_schemas.TableSchema)
def table(match: str) -> dict[str, Any]:
    """Offers, requests and absences of a match, as far as you may see them."""
    return on_the_table(look_at_match(match))


@operation(
    "POST",
    "/matches/<match>/letters",
    scope="play",
    takes=acting_schemas.NewLetterSchema,
    gives=acting_schemas.DoneSchema,
    code=201,
    limit="words",
)
def write_letter(match: str, to: list[str], text: str) -> dict[str, Any]:
    """Write to other seats, to the game master or to everybody."""
    return answer_request(match, Word("press", to=tuple(to), text=text.strip()))


@operation(
    "POST",
    "/matches/<match>/letters/reports",
    scope="play",
    takes=acting_schemas.ReportedLetterSchema,
    gives=acting_schemas.DoneSchema,
    limit="words",
)
def report_letter(match: str, letter: int, why: str) -> dict[str, Any]:
    """Report a letter to the game master and the operators."""
    return answer_request(match, Word("report", number=letter, text=why))


@operation(
    "POST",
    "/matches/<match>/letters/mutes",
    scope="play",
    takes=acting_schemas.MutedSeatSchema,
    gives=acting_schemas.DoneSchema,
    limit="words",
)
def mute_seat(match: str, seat: str, muted: bool) -> dict[str, Any]:
    """Mute or unmute the player of a seat in all of your matches."""
    return answer_request(match, Word("mute" if muted else "unmute", to=(seat,)))


@operation(
    "POST",
    "/matches/<match>/extensions",
    scope="play",
    takes=acting_schemas.MoreTimeSchema,
    gives=acting_schemas.DoneSchema,
    limit="words",
)
def ask_for_time(match: str, hours: int) -> dict[str, Any]:
    """Ask for more time: granted by right, or if the others agree."""
    return answer_request(match, Word("extend", number=hours))


@operation(
    "POST",
    "/matches/<match>/absences",
    scope="play",
    takes=acting_schemas.AbsenceSchema,
    gives=acting_schemas.DoneSchema,
    limit="words",
)
def be_absent(match: str, since: date, until: date) -> dict[str, Any]:
    """Announce an absence from one day to another, in all your matches."""
    return answer_request(match, Word("absent", since=since.isoformat(), until=until.isoformat()))


@operation("DELETE", "/matches/<match>/absences", scope="play", gives=acting_schemas.DoneSchema, limit="words")
def be_present(match: str) -> dict[str, Any]:
    """Cancel all upcoming absences."""
    return answer_request(match, Word("present"))


@operation(
    "PUT",
    "/matches/<match>/doctrine",
    scope="play",
    takes=acting_schemas.DoctrineSchema,
    gives=acting_schemas.DoneSchema,
    limit="words",
)
def set_doctrine(match: str, text: str) -> dict[str, Any]:
    """Set the standing orders of your seat, one clause per line."""
    return answer_request(match, Word("doctrine", text=text.strip()))


@operation(
    "POST",
    "/matches/<match>/disputes",
    scope="play",
    takes=acting_schemas.NewDisputeSchema,
    gives=acting_schemas.DoneSchema,
    code=201,
    limit="words",
)
def dispute(match: str, place: str, text: str, rule: str) -> dict[str, Any]:
    """Dispute a turn, a scene or a sentence of your report; the claim is for the game master alone."""
    return answer_request(match, Word("dispute", place=place.strip(), text=text.strip(), rule=rule.strip()))


def declare_end(name: str, says: str) -> None:
    def speak(match: str) -> dict[str, Any]:
        return answer_request(match, Word(name))

    speak.__doc__ = says
    path = f"/matches/<match>/{name}"
    operation("POST", path, scope="play", gives=acting_schemas.DoneSchema, name=name, limit="words")(speak)


@operation("POST", "/matches/<match>/keep-secrets", scope="play", gives=acting_schemas.DoneSchema, limit="words")
def keep_secrets(match: str) -> dict[str, Any]:
    """Agree that secrets stay sealed after the end. They do if all players agree."""
    return answer_request(match, Word("keep secrets"))


for name, says in {
    "draw": "Offer a draw, or agree to one.",
    "concede": "Say that the other side has won.",
    "resign": "Give up for good.",
}.items():
    declare_end(name, says)


def answer_request(match: str, word: Word) -> dict[str, Any]:
    return {"note": talk.carry_out_request(look_as_player(match), word)}


# Substitutes -------------------------------------------------------------------------------------------------


@operation("PUT", "/matches/<match>/stand-by", scope="play", gives=acting_schemas.DoneSchema, limit="words")
def stand_by(match: str) -> dict[str, Any]:
    """Become a substitute, ready to take a seat whose occupant drops out."""
    substitutes.stand_by(the_server(), look(match).match, g.account.id)
    return {"note": say("You are a substitute.")}


@operation("DELETE", "/matches/<match>/stand-by", scope="play", gives=acting_schemas.DoneSchema, limit="words")
def stand_down(match: str) -> dict[str, Any]:
    """Withdraw as a substitute."""
    substitutes.stand_down(the_server(), look(match).match, g.account.id)
    return {"note": say("You are no longer a substitute.")}


@operation(
    "POST",
    "/matches/<match>/hand-over",
    scope="play",
    takes=acting_schemas.HandOverSchema,
    gives=acting_schemas.DoneSchema,
    limit="words",
)
def hand_over(match: str, to: str) -> dict[str, Any]:
    """Hand your seat to a substitute."""
    found = look_as_player(match)
    substitutes.hand_over(the_server(), match, found.seat, to, by=g.account.id)
    advancing.go_on(the_server(), match)
    return {"note": say("Your seat has a new occupant.")}
