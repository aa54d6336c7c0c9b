"""Tournaments for programs: lists, tables, entering, announcing and directing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from flask import g
from marshmallow import fields, validate

from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import say
from pbem.matches.server import Server
from pbem.ratings import published
from pbem.tournaments import director, entries, results, rounds, stream, tick
from pbem.tournaments.files import tables
from pbem.tournaments.post import rating_lists, webhooks
from pbem.tournaments.record import Record
from pbem.web.api.operations import bp, operation
from pbem.web.api.schemas import Schema
from pbem.web.http.viewer import not_found, the_server
from pbem.web.pages.tournaments.director import RESULTS, FurtherSchema, settings_of
from pbem.web.pages.tournaments.public import record_of, rows_of

__all__ = ["bp"]  # the operations below are declared on it

ACTS = (
    *("import", "pair", "start", "close", "extend", "remind", "result", "message", "forbid", "allow", "withdraw"),
    "end",
)


class ListedTournamentSchema(Schema):
    id = fields.String()
    name = fields.String()
    title = fields.String()
    season = fields.String()
    opened_at = fields.Integer()
    entrants = fields.Integer()
    round = fields.Integer()
    ended = fields.Boolean()


class TournamentsSchema(Schema):
    tournaments = fields.List(fields.Nested(ListedTournamentSchema))


class TournamentSchema(Schema):
    """A whole tournament."""

    id = fields.String()
    name = fields.String()
    title = fields.String()
    settings = fields.Dict()
    entrants = fields.List(fields.Dict())
    rounds = fields.List(fields.Dict())
    standings = fields.List(fields.Dict())
    ended = fields.Boolean()
    version = fields.Integer(metadata={"description": "send it as `seen` with a director's act"})


class TieBreakSchema(Schema):
    name = fields.String()
    value = fields.Integer(metadata={"description": "in hundredths"})
    explained = fields.String()


class StandingSchema(Schema):
    place = fields.Integer()
    entrant = fields.Integer()
    name = fields.String()
    points = fields.Integer(metadata={"description": "in tenths"})
    tie_breaks = fields.List(fields.Nested(TieBreakSchema))


class StandingsSchema(Schema):
    standings = fields.List(fields.Nested(StandingSchema))


class EntrySchema(Schema):
    number = fields.Integer()
    name = fields.String()
    state = fields.String()


class AnnouncedSchema(Schema):
    id = fields.String()


class DirectSchema(Schema):
    """An act of the director; each act says which fields it needs."""

    act = fields.String(required=True, validate=validate.OneOf(ACTS))
    seen = fields.Integer(load_default=None, allow_none=True, metadata={"description": "the version you looked at"})
    csv = fields.String(load_default="", metadata={"description": "import: an entry list"})
    why = fields.String(load_default="", validate=validate.Length(max=500))
    text = fields.String(load_default="", validate=validate.Length(max=2000))
    days = fields.Integer(load_default=7)
    round = fields.Integer(load_default=0)
    boards = fields.List(fields.Integer(), load_default=list)
    result = fields.String(load_default="", metadata={"description": ", ".join(RESULTS)})
    entrants = fields.List(fields.Integer(), load_default=list)
    anyway = fields.Boolean(load_default=False)


class DirectedSchema(Schema):
    version = fields.Integer()
    round = fields.Integer()


# Reading --------------------------------------------------------------------------------------------------------


@operation("GET", "/tournaments", gives=TournamentsSchema)
def tournaments() -> dict[str, Any]:
    """All tournaments, running ones first."""
    return {"tournaments": [msgspec.structs.asdict(one) for one in stream.all_tournaments(the_server())]}


@operation("GET", "/tournaments/<tournament>", gives=TournamentSchema)
def tournament(tournament: str) -> dict[str, Any]:
    """A tournament: settings, entrants, rounds and standings."""
    return tables.to_json(record_of(tournament))


@operation("GET", "/tournaments/<tournament>/standings", gives=StandingsSchema, name="tournament_standings")
def tournament_standings(tournament: str) -> dict[str, Any]:
    """The standings with every tie-break explained."""
    return {
        "standings": [
            {
                "place": row.place,
                "entrant": row.entrant,
                "name": row.name,
                "points": row.points,
                "tie_breaks": [
                    {"name": value.name, "value": value.value, "explained": value.explained()}
                    for value in row.tie_breaks
                ],
            }
            for row in rows_of(record_of(tournament))
        ]
    }


class RatingSchema(Schema):
    account = fields.String()
    rating = fields.Integer()
    deviation = fields.Integer()
    provisional = fields.Boolean()
    results = fields.Integer()


class BalanceSchema(Schema):
    scenario = fields.String()
    sides = fields.List(fields.String())
    handicap = fields.String()
    results = fields.Integer()
    share = fields.Integer(metadata={"description": "the first side's share of wins, in thousandths"})
    low = fields.Integer(metadata={"description": "the lower end of the 95% interval"})
    high = fields.Integer()


class RatingsSchema(Schema):
    month = fields.String()
    hash = fields.String(metadata={"description": "the hash of the results that the list was made from"})
    ratings = fields.List(fields.Nested(RatingSchema))
    balance = fields.List(fields.Nested(BalanceSchema))


@operation("GET", "/titles/<title>/ratings", gives=RatingsSchema)
def ratings(title: str) -> dict[str, Any]:
    """The newest rating list of a title, and the balance of its scenarios."""
    server = the_server()
    newest = published.latest(server, title)
    lines = sorted(newest.lines.values(), key=lambda line: -line.rating.rating) if newest else []
    return {
        "month": newest.month if newest else "",
        "hash": newest.results if newest else "",
        "ratings": [
            {
                "account": line.account,
                "rating": line.rating.rating,
                "deviation": line.rating.deviation,
                "provisional": line.rating.provisional,
                "results": line.results,
            }
            for line in lines
        ],
        "balance": [
            {
                **msgspec.structs.asdict(one.found),
                "scenario": one.scenario,
                "sides": list(one.sides),
                "handicap": one.handicap,
            }
            for one in rating_lists.balances(server, title)
        ],
    }


# Taking part ----------------------------------------------------------------------------------------------------


@operation("POST", "/tournaments/<tournament>/entry", scope="play", gives=EntrySchema, code=201, limit="words")
def enter_tournament(tournament: str) -> dict[str, Any]:
    """Enter a tournament."""
    record_of(tournament)
    return _entry(entries.enter(the_server(), tournament, g.account.id))


@operation("DELETE", "/tournaments/<tournament>/entry", scope="play", gives=EntrySchema, limit="words")
def leave_tournament(tournament: str) -> dict[str, Any]:
    """Withdraw from a tournament."""
    record_of(tournament)
    return _entry(entries.withdraw(the_server(), tournament, g.account.id))


def _entry(record: Record) -> dict[str, Any]:
    own = record.by_account(g.account.id)
    assert own is not None
    return {"number": own.number, "name": own.name, "state": own.state}


# Directing ------------------------------------------------------------------------------------------------------


class AnnounceSchema(FurtherSchema):
    """A new tournament, with the same fields as the form on the page."""


@operation(
    "POST", "/tournaments", scope="play", takes=AnnounceSchema, gives=AnnouncedSchema, code=201, limit="matches"
)
def announce_tournament(**told: Any) -> dict[str, Any]:
    """Announce a tournament; you are its first director."""
    return {"id": stream.open_tournament(the_server(), settings_of(told), g.account.id).id}


@operation(
    "POST", "/tournaments/<tournament>/acts", scope="play", takes=DirectSchema, gives=DirectedSchema, limit="words"
)
def direct_tournament(tournament: str, act: str, **told: Any) -> dict[str, Any]:
    """Direct a tournament: import, pair, start, close, extend, remind, results, messages."""
    record_of(tournament)
    server = the_server()
    DIRECT[act](server, tournament, g.account.id, told)
    if act in ("start", "close"):
        tick.advance(server, tournament, server.store.clock())
    record = stream.read(server, tournament)
    return {"version": record.version, "round": max(record.rounds, default=0)}


# Webhooks -------------------------------------------------------------------------------------------------------


class HookSchema(Schema):
    id = fields.Integer()
    stream = fields.String(metadata={"description": "match/<id> or tournament/<id>"})
    url = fields.String()
    secret = fields.String(metadata={"description": "X-Pbem-Signature is the HMAC-SHA-256 of the body under it"})


class HooksSchema(Schema):
    webhooks = fields.List(fields.Nested(HookSchema))


class NewHookSchema(Schema):
    stream = fields.String(required=True, validate=validate.Length(max=100))
    url = fields.String(required=True, validate=validate.Length(max=500))


@operation("GET", "/webhooks", scope="account", gives=HooksSchema, name="webhooks")
def own_webhooks() -> dict[str, Any]:
    """Your webhooks: addresses that are notified of public events."""
    return {"webhooks": [msgspec.structs.asdict(hook) for hook in webhooks.of_account(the_server(), g.account.id)]}


@operation("POST", "/webhooks", scope="account", takes=NewHookSchema, gives=HookSchema, code=201, limit="account")
def add_webhook(stream: str, url: str) -> dict[str, Any]:
    """Notify an https address of the public events of a match or a tournament."""
    return msgspec.structs.asdict(webhooks.add(the_server(), g.account.id, stream, url))


@operation("DELETE", "/webhooks/<int:hook>", scope="account", limit="account")
def remove_webhook(hook: int) -> dict[str, Any]:
    """Remove a webhook."""
    if not webhooks.remove(the_server(), g.account.id, hook):
        not_found(say("You have no webhook with this number."))
    return {}


Told = dict[str, Any]


def _import(server: Server, id: str, by: str, told: Told) -> None:
    found = entries.import_list(server, id, told["csv"].encode(), by=by, seen=told["seen"])
    if found.mistakes:
        raise Illegal("csv", [Objection("tournament/list", str(mistake)) for mistake in found.mistakes])


def _result(server: Server, id: str, by: str, told: Told) -> None:
    verdicts = RESULTS.get(told["result"])
    if verdicts is None or len(told["boards"]) != 1:
        raise Illegal("result", [Objection("tournament", say("name one board and its result"))], list(RESULTS))
    more = {"by": by, "seen": told["seen"]}
    results.by_hand(server, id, told["round"], told["boards"][0], verdicts, told["why"], **more)


def _forbid(lift: bool) -> Callable[[Server, str, str, Told], None]:
    def act(server: Server, id: str, by: str, told: Told) -> None:
        if len(told["entrants"]) != 2:
            raise Illegal("entrants", [Objection("tournament", say("name two entrants"))])
        one, other = told["entrants"]
        director.forbid(server, id, one, other, told["why"], by=by, lift=lift, seen=told["seen"])

    return act


def _extend(server: Server, id: str, by: str, told: Told) -> None:
    rounds.extend(server, id, told["days"], told["why"], by=by, pairings=told["boards"], seen=told["seen"])


def _pair(server: Server, id: str, by: str, told: Told) -> None:
    rounds.pair(server, id, by=by, seen=told["seen"])


def _start(server: Server, id: str, by: str, told: Told) -> None:
    rounds.start(server, id, by=by, seen=told["seen"])


def _close(server: Server, id: str, by: str, told: Told) -> None:
    rounds.close(server, id, by=by, seen=told["seen"], anyway=told["anyway"])


def _remind(server: Server, id: str, by: str, told: Told) -> None:
    director.remind(server, id, told["boards"], by=by, seen=told["seen"])


def _message(server: Server, id: str, by: str, told: Told) -> None:
    director.message(server, id, told["text"], by=by, seen=told["seen"])


def _withdraw(server: Server, id: str, by: str, told: Told) -> None:
    entries.withdraw_entrants(server, id, told["entrants"], told["why"], by=by, seen=told["seen"])


def _end(server: Server, id: str, by: str, told: Told) -> None:
    rounds.end(server, id, told["why"], by=by, seen=told["seen"])


DIRECT: dict[str, Callable[[Server, str, str, Told], None]] = {
    "import": _import,
    "pair": _pair,
    "start": _start,
    "close": _close,
    "extend": _extend,
    "remind": _remind,
    "result": _result,
    "message": _message,
    "forbid": _forbid(False),
    "allow": _forbid(True),
    "withdraw": _withdraw,
    "end": _end,
}
