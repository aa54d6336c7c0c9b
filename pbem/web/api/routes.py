"""The JSON API: everything that the pages do, for programs. It calls the same functions as the pages.

Requests at the table are in `table`, and those about an account or the server in `account`. Only people can create a
session or a token (by signing in, with passwords and tokens) and press the buttons behind links in emails.
"""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask, Response, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from marshmallow import Schema

from pbem.engine.rules.findings import MASTER, PUBLIC
from pbem.engine.text.messages import say
from pbem.matches import summaries, views
from pbem.matches.accounts import api_tokens, reliability
from pbem.matches.exchange import submitting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.export import export
from pbem.matches.history.receipts import Receipt
from pbem.matches.players import invitations
from pbem.matches.players.openings import offered_seats
from pbem.matches.rulings import powers, previews, privilege
from pbem.matches.rulings.alerts import attention, mastered_matches
from pbem.matches.rulings.previews import Trial
from pbem.web.api import account as api_account
from pbem.web.api import acting_schemas, audit, reading, schemas, table, tournaments
from pbem.web.api.operations import (
    OPERATIONS,
    bp,
    look_as_player,
    look_at_match,
    openapi,
    operation,
    show_problem,
    tag_of,
    template_of,
)
from pbem.web.http import app as site
from pbem.web.http.inputs import take_timing
from pbem.web.http.pictures import words_of
from pbem.web.http.speech import translator
from pbem.web.http.viewer import look, not_found, the_server
from pbem.web.pages import creating, lobby, master
from pbem.web.pages import titles as title_pages
from pbem.web.pages.match import page as match_page
from pbem.web.pages.match import planning, turns
from pbem.web.pages.match.derivation import derivation
from pbem.web.pages.match.turns import exchanges


def add_to(app: Flask) -> None:
    """Add the API to a site: tokens instead of cookies and form tokens, and JSON even for unknown addresses."""
    declared = (api_account.bp, audit.bp, reading.bp, table.bp, tournaments.bp)  # loading them declares operations
    assert all(one is bp for one in declared)
    app.register_blueprint(bp)
    app.extensions["csrf"].exempt(bp)
    app.add_url_rule("/api", "api_page", page)
    for code in (404, 405):
        app.register_error_handler(code, elsewhere)


def elsewhere(problem: Exception) -> ResponseReturnValue:
    """Answer an unknown address: as JSON to programs, as a page to people."""
    return show_problem(problem) if request.path.startswith(bp.url_prefix or "") else site.show_problem(problem)


def page() -> ResponseReturnValue:
    """The API's operations, as a page for people."""
    groups: dict[str, list[Any]] = {}
    for one in OPERATIONS:
        said = (one.takes or one.asks or Schema)().fields
        needs = [name for name, field in said.items() if field.required]
        takes = [name for name in said if name not in needs]
        groups.setdefault(tag_of(one), []).append((one, template_of(one.path), needs, takes))
    return render_template("web/api.html", groups=groups, scopes=api_tokens.SCOPES, prefix=bp.url_prefix)


@operation("GET", "/openapi.json", name="document")
def document() -> Response:
    """This API as an OpenAPI document."""
    response = Response(msgspec.json.encode(openapi()), mimetype="application/json")
    response.add_etag()
    response.make_conditional(request)
    return response


# The server ---------------------------------------------------------------------------------------------------


@operation("GET", "/account", scope="read", gives=schemas.AccountSchema)
def account() -> dict[str, Any]:
    """The token's account, its scopes, and the account's seats."""
    server, id = the_server(), g.account.id
    seats = summaries.seats_of(server, id)
    return {
        "id": id,
        "name": g.account.name,
        "scopes": g.token.scopes,
        "seats": [{"match": match, "seat": seat} for match, seat in seats],
        "mastered": mastered_matches(server, id),
    }


@operation("GET", "/titles", gives=schemas.TitlesSchema)
def titles() -> dict[str, Any]:
    """The titles of this server, their scenarios and options."""
    known = the_server().titles.values()
    return {
        "titles": [
            {
                "name": title.name,
                "scenarios": [creating.about(title, scenario) for scenario in title.scenarios],
                "options": creating.options_of(title),
            }
            for title in known
        ]
    }


@operation("GET", "/titles/<title>/scenarios/<scenario>", gives=schemas.ScenarioOptionsSchema, name="scenario")
def show_scenario(title: str, scenario: str) -> dict[str, Any]:
    """A scenario, and the options with which a match of it can be played."""
    game, scenario = creating.find_play(the_server(), f"{title}/{scenario}")
    about = msgspec.to_builtins(creating.about(game, scenario))
    return {**about, "options": msgspec.to_builtins(creating.options_of(game, scenario))}


@operation("GET", "/titles/<title>/scenarios/<scenario>/map.svg", media="image/svg+xml", name="scenario_map")
def show_scenario_map(title: str, scenario: str) -> ResponseReturnValue:
    """The map of a scenario before the first turn, as anyone may see it."""
    return creating.picture(title, scenario)


@operation("GET", "/titles/<title>/<page>", gives=schemas.TitlePageSchema)
def title_page(title: str, page: str) -> dict[str, Any]:
    """A title's own page as data; it takes the same query as the HTML page."""
    found = title_pages.page_of(the_server(), title, page)
    return {"title": title, "page": page, "label": found.label, "data": found.data(title_pages.query())}


@operation("GET", "/matches", asks=schemas.MatchesQuerySchema, gives=schemas.MatchesSchema)
def matches(after: str, limit: int, mine: bool, **wanted: Any) -> dict[str, Any]:
    """All matches in order of id, a page at a time; with the same filters as in the lobby."""
    server = the_server()
    summaries.glance(server)
    reliability.glance(server)
    if mine and g.account is None:
        return {"matches": [], "following": None}
    of = g.account.id if mine else ""
    found = [one.status for one in summaries.by_name(server, wanted, after=after, most=limit + 1, of=of)]
    return {"matches": found[:limit], "following": found[limit - 1].match if len(found) > limit else None}


@operation("GET", "/players/<account>", gives=schemas.PlayerSchema)
def player(account: str) -> dict[str, Any]:
    """The public profile of a player."""
    found, figures, stands = lobby.profile_of(account)
    return {
        "id": found.id,
        "name": found.name,
        "bot": found.is_bot,
        "figures": figures,
        "matches": [stand.status for stand in stands],
    }


@operation(
    "POST",
    "/matches",
    scope="play",
    takes=schemas.NewMatchSchema,
    gives=schemas.CreatedSchema,
    code=201,
    limit="matches",
)
def create(**said: Any) -> dict[str, str]:
    """Create a match; take a seat, seat bots and invite others as requested."""
    timing = take_timing(said)
    return {"match": creating.set_up(the_server(), by=g.account.id, timing=timing, **said)}


# A match -----------------------------------------------------------------------------------------------------


@operation("GET", "/matches/<match>", gives=schemas.MatchSchema)
def show(match: str) -> dict[str, Any]:
    """The status of a match, and the position as you may see it."""
    found = look_at_match(match)
    return {
        "status": views.status(the_server(), match, found.seat or PUBLIC),
        "viewer": found.viewer,
        "seats": found.seats,
        "mark": found.mark,
        "view": found.view,
        "words": words_of(found),
    }


@operation("GET", "/matches/<match>/map.svg", media="image/svg+xml", name="map")
def show_map(match: str) -> ResponseReturnValue:
    """The map as you may see it, or with ?after= as it was after an exchange."""
    look_at_match(match)
    return match_page.map(match)


@operation("GET", "/matches/<match>/export", media="application/x-ndjson", name="export", limit="files")
def show_export(match: str) -> Response:
    """The whole log, with the parts that you may see, for `pbem verify`."""
    found = look_at_match(match)
    return Response(export(the_server(), match, found.seat or PUBLIC), mimetype="application/x-ndjson")


@operation("POST", "/matches/<match>/seats/<seat>", scope="play", gives=schemas.StandSchema)
def take(match: str, seat: str) -> Any:
    """Take a free seat without a pending invitation."""
    found = look(match)
    if seat in offered_seats(found.position.record):
        abort(403, say("Another player has been invited to this seat."))
    take_seat(the_server(), match, seat, g.account.id)
    return views.status(the_server(), match, seat)


@operation(
    "POST",
    "/matches/<match>/invitations",
    scope="play",
    takes=schemas.InvitationSchema,
    code=202,
    limit="invitations",
)
def invite(match: str, seat: str, address: str) -> None:
    """Offer a free seat to an email address."""
    match_page.check_host(look(match))
    invitations.invite(the_server(), match, seat, address, by=g.account.id)


@operation("GET", "/matches/<match>/units/<path:unit>", gives=schemas.SheetSchema)
def unit(match: str, unit: str) -> Any:
    """One unit as you may see it, with the orders you can give it now."""
    return planning.sheet_of(look_at_match(match, live=True), unit)


@operation("GET", "/matches/<match>/sight/<start>", asks=schemas.SightQuerySchema, gives=schemas.SightSchema)
def sight(match: str, start: str, to: str) -> Any:
    """Show what can be seen from a place; with ?to=, explain why another place can or cannot be seen."""
    return planning.sight_from(look_at_match(match, live=True), start, to)


# Orders ------------------------------------------------------------------------------------------------------


@operation("GET", "/matches/<match>/form", scope="read", gives=schemas.FormSchema)
def form(match: str) -> dict[str, Any]:
    """The form of the open exchange, ready to edit."""
    found = look_as_player(match)
    language = found.position.rules.help()
    shown = views.open_form(the_server(), match, found.seat, translator=translator())
    return {**msgspec.to_builtins(shown), "language": language}


@operation(
    "POST",
    "/matches/<match>/check",
    scope="read",
    takes=schemas.OrdersSchema,
    gives=schemas.ReadingSchema,
    limit="orders",
)
def check(match: str, exchange: int, orders: str) -> dict[str, Any]:
    """Check whether these orders would be accepted, and how they are read. Nothing is sealed."""
    found = look_as_player(match)
    submission = match_page.check_orders(found, exchange, orders)
    restated = match_page.restate_orders(found, submission)
    return {"restated": restated, "answer": submission.answer, "plan": submission.plan}


@operation(
    "POST",
    "/matches/<match>/orders",
    scope="play",
    takes=schemas.SubmissionSchema,
    gives=schemas.ReceiptSchema,
    code=201,
    limit="orders",
)
def submit(match: str, exchange: int, orders: str, final: bool) -> Receipt:
    """Seal orders, in place of earlier ones; the receipt is signed."""
    found = look_as_player(match)
    return submitting.submit(
        the_server(), match, found.seat, exchange, orders, by=g.account.id, final=final, source="web"
    )


@operation("POST", "/matches/<match>/final", scope="play", takes=schemas.ExchangeSchema, gives=schemas.StandSchema)
def final(match: str, exchange: int) -> Any:
    """Mark your sealed orders as final."""
    found = look_as_player(match)
    submitting.finalise(the_server(), match, found.seat, exchange, by=g.account.id)
    return views.status(the_server(), match, found.seat)


@operation("POST", "/matches/<match>/withdraw", scope="play", takes=schemas.ExchangeSchema, gives=schemas.StandSchema)
def withdraw(match: str, exchange: int) -> Any:
    """Withdraw your sealed orders; they stay on record but are not used."""
    found = look_as_player(match)
    submitting.withdraw(the_server(), match, found.seat, exchange, by=g.account.id)
    return views.status(the_server(), match, found.seat)


@operation("GET", "/matches/<match>/receipts", scope="read", gives=schemas.ReceiptsSchema)
def receipts(match: str) -> dict[str, Any]:
    """All receipts for your seat, newest first."""
    return {"receipts": match_page.own_receipts(look_as_player(match))}


@operation("GET", "/matches/<match>/receipts/<commitment>", scope="read", gives=schemas.ReceiptSchema)
def receipt(match: str, commitment: str) -> Receipt:
    """One receipt for your seat."""
    kept = next((r for r in match_page.own_receipts(look_as_player(match)) if r.commitment == commitment), None)
    if kept is None:
        not_found(say("You have no such receipt."))
    return kept


# Past events -------------------------------------------------------------------------------------------------


@operation("GET", "/matches/<match>/reports", gives=schemas.ReportsSchema)
def reports(match: str) -> dict[str, Any]:
    """The resolved exchanges, without any that were overruled."""
    return {"exchanges": exchanges(look_at_match(match).position.record)}


@operation("GET", "/matches/<match>/reports/<int:exchange>", gives=schemas.ReportSchema)
def report(match: str, exchange: int) -> Any:
    """The report of an exchange as you may see it, with rules, dice and the signed head."""
    found = look_at_match(match)
    if exchange not in exchanges(found.position.record):
        not_found(say("This exchange has no report."))
    return views.numbered_report(the_server(), match, found.viewer, exchange)


@operation("GET", "/matches/<match>/reports/<int:exchange>/rolls", gives=schemas.DerivationSchema)
def rolls(match: str, exchange: int) -> Any:
    """How the dice of an exchange were derived: keys, context, and the hashed message of each roll."""
    found = look_at_match(match)
    if exchange not in exchanges(found.position.record):
        not_found(say("This exchange has no report."))
    return derivation(match, found.position.record, turns.entry_of(found, exchange))


@operation("GET", "/matches/<match>/replay/<int:exchange>", gives=schemas.ReplaySchema)
def replay(match: str, exchange: int) -> dict[str, Any]:
    """The position as you knew it after an exchange, and its report."""
    then = look_at_match(match, after=exchange)
    told = views.numbered_report(the_server(), match, then.viewer, exchange)
    return {"exchange": exchange, "viewer": then.viewer, "mark": then.mark, "view": then.view, "report": told}


@operation("GET", "/matches/<match>/dice", gives=schemas.DiceSchema)
def dice(match: str) -> dict[str, Any]:
    """The statistics of a match's dice, and the bounds for fair dice."""
    return turns.statistics(look_at_match(match))


@operation("GET", "/matches/<match>/deeds", gives=schemas.DeedsSchema)
def deeds(match: str) -> dict[str, Any]:
    """List what the game master viewed and did, and the acts of operators and directors; public to all."""
    record = look_at_match(match).position.record
    return {"deeds": master.deeds(the_server(), record), "privilege": privilege.uses(the_server(), record)}


# The game master ---------------------------------------------------------------------------------------------


def declare_act(name: str, act: master.Act) -> None:
    """Declare an operation for an act on the game master's page."""

    def perform(match: str, **said: Any) -> Any:
        mastering(match)
        act.does(the_server(), match, by=g.account.id, **said)
        return views.status(the_server(), match)

    perform.__doc__ = str(act.says)
    declared = operation(
        "POST",
        f"/matches/<match>/master/{name}",
        scope="master",
        takes=act.takes,
        gives=schemas.StatusSchema,
        name=f"master_{name}",
    )
    declared(perform)


for name, act in master.ACTS.items():
    declare_act(name, act)


def mastering(match: str) -> str:
    """Return the caller's id; refuse anyone but the game master of this match."""
    master.check_desk(match)
    return str(g.account.id)


def judging(match: str, dispute: int) -> str:
    """Return the caller's id; refuse anyone but the game master and the panel that decides this dispute."""
    master.check_judge(match, dispute)
    return str(g.account.id)


def looking(match: str) -> str:
    """Return the caller's id; only a game master, auditor or panel member, who may see everything, is allowed."""
    master.check_look(match)
    return str(g.account.id)


@operation("GET", "/matches/<match>/master/attention", scope="master", gives=acting_schemas.AttentionSchema)
def troubles(match: str) -> dict[str, Any]:
    """List what needs the game master's attention."""
    mastering(match)
    return {"troubles": attention(the_server(), match)}


@operation("GET", "/matches/<match>/master/disputes", scope="master", gives=acting_schemas.DisputesSchema)
def open_disputes(match: str) -> dict[str, Any]:
    """The open disputes that players have brought before the game master."""
    return {"disputes": powers.open_disputes(the_server(), match, by=mastering(match))}


@operation("POST", "/matches/<match>/master/everything", scope="master", gives=acting_schemas.EverythingSchema)
def everything(match: str) -> dict[str, Any]:
    """Look at everything; this is recorded."""
    here = powers.everything(the_server(), match, by=looking(match))
    return {"view": here.run.view(MASTER)}


@operation("POST", "/matches/<match>/master/reports/<int:exchange>", scope="master", gives=schemas.ReportSchema)
def whole_report(match: str, exchange: int) -> Any:
    """Look at a report including everything hidden; this is recorded."""
    return powers.report(the_server(), match, exchange, by=looking(match))


@operation("POST", "/matches/<match>/master/halt", scope="master", gives=acting_schemas.HaltSchema)
def halt(match: str) -> dict[str, str]:
    """Show where a halted match failed; the look is recorded."""
    return powers.why_halted(the_server(), match, by=mastering(match))


@operation(
    "POST",
    "/matches/<match>/master/export",
    scope="master",
    media="application/x-ndjson",
    name="master_export",
    limit="files",
)
def whole_export(match: str) -> Response:
    """The log with everything in it; downloading it is recorded."""
    content = powers.whole_export(the_server(), match, by=looking(match))
    return Response(content, mimetype="application/x-ndjson")


@operation(
    "POST",
    "/matches/<match>/master/trials",
    scope="master",
    takes=acting_schemas.RulingSchema,
    gives=acting_schemas.TrialSchema,
)
def try_ruling(match: str, **said: Any) -> Trial:
    """Preview what a ruling would change; only the preview is recorded."""
    by = judging(match, said["dispute"])
    return previews.trial(the_server(), match, master.ruling_of(match, said), by=by)


@operation(
    "POST",
    "/matches/<match>/master/rulings",
    scope="master",
    takes=acting_schemas.DecidedSchema,
    gives=schemas.StatusSchema,
)
def rule(match: str, seen: int, **said: Any) -> Any:
    """Make a ruling after you have previewed what it changes."""
    by = judging(match, said["dispute"])
    previews.rule(the_server(), match, master.ruling_of(match, said), seen=seen, by=by)
    return views.status(the_server(), match)
