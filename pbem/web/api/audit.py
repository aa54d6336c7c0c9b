"""The API for audits: disputes with their sheets, precedents, search, and the test of all dice."""

from __future__ import annotations

from typing import Any

from flask import abort, g

from pbem.engine.text.messages import say
from pbem.matches import dice_totals
from pbem.matches.audit import hypothetical, lines_of_play, questions
from pbem.matches.audit.search import Wanted, search, search_server
from pbem.matches.events import read
from pbem.matches.players.requests import Word
from pbem.matches.post.notifications import catch_up
from pbem.matches.rulings import auditors, disputes, panels, precedents
from pbem.web.api import acting_schemas
from pbem.web.api import audit_schemas as shapes
from pbem.web.api.operations import bp, look_as_player, look_at_match, operation
from pbem.web.api.operations import look_at_match as viewed
from pbem.web.api.table import answer_request
from pbem.web.http.viewer import the_server
from pbem.web.pages import disputes as pages
from pbem.web.pages.match import lines

__all__ = ["bp"]


@operation("GET", "/matches/<match>/disputes", gives=shapes.DisputeListSchema, name="disputes")
def all_disputes(match: str) -> dict[str, Any]:
    """List the disputes of a match, with their decisions."""
    return {"disputes": disputes.disputes(look_at_match(match).position.record)}


@operation("GET", "/matches/<match>/disputes/<int:number>", gives=shapes.DisputeSheetSchema, name="dispute_sheet")
def sheet(match: str, number: int) -> dict[str, Any]:
    """Show one dispute with claim, statements, ruling and precedents, as far as you may read them."""
    found = look_at_match(match)
    record = found.position.record
    one = next((one for one in disputes.disputes(record) if one.number == number), None)
    if one is None:
        abort(404, say("This match has no such dispute."))
    facts = pages.facts(found, record, one)
    return {
        "dispute": one,
        "claim": facts["claim"],
        "statements": facts["statements"],
        "sentences": facts["disputed"],
        "reason": getattr(read(facts["ruling"]), "reason", "") if facts["ruling"] else "",
        "precedents": facts["precedents"],
    }


@operation(
    "POST",
    "/matches/<match>/disputes/<int:number>/statements",
    scope="play",
    takes=shapes.TextSchema,
    gives=acting_schemas.DoneSchema,
    code=201,
    limit="words",
    name="statement",
)
def make_statement(match: str, number: int, text: str) -> dict[str, Any]:
    """Make your statement on the dispute of another seat, for the game master."""
    return answer_request(match, Word("statement", number=number, text=text.strip()))


@operation(
    "POST",
    "/matches/<match>/disputes/<int:number>/appeal",
    scope="play",
    takes=shapes.TextSchema,
    gives=acting_schemas.DoneSchema,
    code=201,
    limit="words",
)
def appeal(match: str, number: int, text: str) -> dict[str, Any]:
    """Appeal against a decision; each dispute can be decided again only once."""
    return answer_request(match, Word("appeal", number=number, text=text.strip()))


@operation(
    "POST",
    "/matches/<match>/disputes/<int:number>/panel",
    scope="master",
    takes=shapes.PanelSchema,
    gives=acting_schemas.DoneSchema,
)
def name_panel(match: str, number: int, accounts: list[str]) -> dict[str, Any]:
    """As game master, name the panel that decides a dispute: an odd number of accounts."""
    panels.name(the_server(), look_at_match(match).match, number, accounts, by=g.account.id)
    return {"note": say("The panel has been named.")}


@operation(
    "POST",
    "/matches/<match>/disputes/<int:number>/votes",
    scope="play",
    takes=shapes.VoteSchema,
    gives=acting_schemas.DoneSchema,
    code=201,
    limit="words",
)
def vote(match: str, number: int, verdict: str, answer: str, rule: str) -> dict[str, Any]:
    """Vote on a dispute as a member of its panel."""
    decided = panels.vote(
        the_server(), look_at_match(match).match, number, verdict, answer, by=g.account.id, rule=rule
    )
    catch_up(the_server())
    return {"note": say("Your vote decided the dispute.") if decided else say("Your vote is on record.")}


@operation(
    "POST",
    "/matches/<match>/auditors",
    scope="play",
    takes=shapes.AuditorSchema,
    gives=acting_schemas.DoneSchema,
    code=201,
    limit="words",
)
def propose_auditor(match: str, account: str) -> dict[str, Any]:
    """Propose an auditor for your seat; an account proposed by every side is appointed."""
    found = look_as_player(match)
    agreed = auditors.propose(the_server(), found.match, found.seat, account, by=g.account.id)
    return {"note": say("The auditor has been appointed.") if agreed else say("Your proposal has been recorded.")}


@operation(
    "DELETE", "/matches/<match>/auditors/<account>", scope="play", gives=acting_schemas.DoneSchema, limit="words"
)
def dismiss_auditor(match: str, account: str) -> dict[str, Any]:
    """End the role of an auditor, as a player or as the auditor."""
    auditors.dismiss(the_server(), look_at_match(match).match, account, by=g.account.id)
    return {"note": "The auditor is dismissed."}


@operation("GET", "/matches/<match>/lines", gives=shapes.LinesSchema, name="lines")
def overruled_lines(match: str) -> dict[str, Any]:
    """List the exchanges that rulings have overruled."""
    return {"lines": lines_of_play.overruled_results(look_at_match(match).position.record)}


@operation("GET", "/matches/<match>/lines/<int:version>", gives=shapes.LineSchema, name="line")
def overruled_line(match: str, version: int) -> dict[str, Any]:
    """Show the results of an overruled exchange, as far as you may see them."""
    found = look_at_match(match)
    one = lines.overruled_at(found, version)
    return {"line": one, "told": lines_of_play.story(the_server(), match, found.viewer, version)}


@operation(
    "POST",
    "/matches/<match>/what-if/<int:exchange>",
    scope="master",
    takes=shapes.ChangesSchema,
    gives=shapes.HypothesisSchema,
    name="what_if",
)
def try_what_if(match: str, exchange: int, changes: str) -> Any:
    """Play an exchange again on a copy, from a changed position; for those who may see everything."""
    found = look_at_match(match)
    lines.check_whole(found)
    return lines.try_hypothesis(found, exchange, changes)


@operation(
    "GET",
    "/matches/<match>/why/<int:exchange>",
    asks=shapes.UnseenQuerySchema,
    gives=shapes.UnseenSchema,
    limit="questions",
    name="why_unseen",
)
def why_unseen(match: str, exchange: int, seeing: str, seen: str) -> Any:
    """Explain why a unit did or did not see another unit or a hex, as far as you could know it at that time."""
    found = viewed(match)
    return questions.why_unseen(the_server(), match, found.viewer, exchange, seeing, seen)


@operation(
    "POST",
    "/matches/<match>/why/<int:exchange>/orders",
    scope="play",
    takes=shapes.OrdersQuestionSchema,
    gives=shapes.JudgedSchema,
    limit="questions",
    name="why_refused",
)
def why_refused(match: str, exchange: int, orders: str) -> Any:
    """List the rules' objections to orders for an exchange, past or open. Nothing is sealed."""
    return questions.why_refused(the_server(), match, viewed(match).seat, exchange, orders)


@operation(
    "GET",
    "/matches/<match>/why/<int:exchange>/modifier",
    asks=shapes.ModifierQuerySchema,
    gives=shapes.ReworkedSchema,
    limit="questions",
    name="what_if_modifier",
)
def what_if_modifier(match: str, exchange: int, sentence: int, modifier: str, value: int) -> Any:
    """Recalculate a sentence of a report with another modifier value and the same dice. It has no effect on play."""
    viewer = viewed(match).viewer
    return hypothetical.what_if_modifier(the_server(), match, viewer, exchange, sentence, modifier, value)


@operation("GET", "/precedents", asks=shapes.PrecedentQuerySchema, gives=shapes.PrecedentsSchema, name="precedents")
def all_precedents(title: str, rule: str, words: str) -> dict[str, Any]:
    """Search the decisions of all matches, by title, rule and words."""
    return {"precedents": precedents.search(the_server(), title=title, rule=rule, words=words)}


@operation("GET", "/matches/<match>/search", asks=shapes.SearchSchema, gives=shapes.HitsSchema, name="search_match")
def search_match(match: str, **wanted: Any) -> dict[str, Any]:
    """Search the reports, disputes and rulings of a match, as far as you may read them."""
    found = look_at_match(match)
    return {"matches": 1, "found": search(the_server(), match, found.viewer, Wanted(**wanted))}


@operation("GET", "/search", asks=shapes.ServerSearchSchema, gives=shapes.HitsSchema, name="search_server")
def search_all(title: str, **wanted: Any) -> dict[str, Any]:
    """Search all matches of the server, as far as you may read each of them."""
    account = g.account.id if g.account is not None else ""
    asked = Wanted(**wanted)
    count, found = search_server(the_server(), account, asked, title=title) if asked.anything else (0, [])
    return {"matches": count, "found": found}


@operation("GET", "/dice", gives=shapes.ServerDiceSchema, name="server_dice")
def server_dice() -> dict[str, Any]:
    """Test all dice of the server: the rolls of all matches that have ended and been opened."""
    return dice_totals.figures(the_server())
