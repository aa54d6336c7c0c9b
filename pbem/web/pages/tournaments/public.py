"""Tournaments as everybody sees them: list, standings, crosstable, pairings, entrants, acts; and entering one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, abort, current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from pbem.engine.rules.balance import Provision, steps_of
from pbem.engine.text.messages import say
from pbem.matches.accounts import accounts
from pbem.matches.clock import deadlines
from pbem.ratings import published
from pbem.ratings.lists import Listed, RatingList
from pbem.ratings.tables import name_of
from pbem.tournaments import announcing, choices, entries, stream, tick
from pbem.tournaments.choices import Sealed
from pbem.tournaments.files import tables
from pbem.tournaments.model import Entrant
from pbem.tournaments.pairing.dutch import EDITION
from pbem.tournaments.pairing.formats import rounds_of
from pbem.tournaments.pairing.ladder import objections
from pbem.tournaments.pairing.scenarios import Choice
from pbem.tournaments.pairing.sides import Bid
from pbem.tournaments.post import rating_lists
from pbem.tournaments.ranking.standings import Standing, standings
from pbem.tournaments.ranking.tie_breaks import hundredths_in_words
from pbem.tournaments.record import Record
from pbem.web.http import speech
from pbem.web.http.speech import announce
from pbem.web.http.viewer import not_found, signed_in, the_server
from pbem.web.http.visitor_limits import limit_rate

bp = Blueprint("tournaments", __name__)

TABS = {
    "standings": say("Standings"),
    "crosstable": say("Crosstable"),
    "pairings": say("Pairings"),
    "entrants": say("Entrants"),
    "acts": say("Directors' actions"),
    "terms": say("Event rules"),
}


def record_of(id: str) -> Record:
    """Return a tournament, or a not-found page."""
    server = the_server()
    if not server.store.version(stream.stream_of(id)):
        not_found(say("No tournament has this name."))
    return stream.read(server, id)


def rows_of(record: Record, upto: int | None = None) -> list[Standing]:
    """Return the standings; cached until an event is appended."""
    kept = current_app.extensions["pbem"]["pages"]
    key = ("standings", record.id, record.version, upto)
    found: list[Standing] | None = kept.get(key)
    return kept.put(key, standings(record, upto)) if found is None else found


def fragment(record: Record, what: str, make: Callable[[], str]) -> Markup:
    """Return a rendered part of a page; cached until an event is appended, so that a large table is rendered once."""
    kept = current_app.extensions["pbem"]["pages"]
    key = ("fragment", record.id, record.version, what, speech.translator().locale)
    found: Markup | None = kept.get(key)
    return kept.put(key, Markup(make())) if found is None else found


@bp.get("/tournaments")
def overview() -> ResponseReturnValue:
    """List all tournaments, running ones first."""
    listed = stream.all_tournaments(the_server())
    seasons = sorted({one.season for one in listed if one.season})
    return render_template("web/tournaments.html", listed=listed, seasons=seasons)


@bp.get("/tournaments/<id>")
def page(id: str) -> ResponseReturnValue:
    return show(id, "standings")


@bp.get("/tournaments/<id>/<any(crosstable, entrants, acts, terms):tab>")
def tab(id: str, tab: str) -> ResponseReturnValue:
    return show(id, tab)


@bp.get("/tournaments/<id>/pairings")
@bp.get("/tournaments/<id>/pairings/<int:number>")
def pairings(id: str, number: int | None = None) -> ResponseReturnValue:
    record = record_of(id)
    if number is not None and number not in record.rounds:
        not_found(say("No round has this number."))
    return show(id, "pairings", number or max(record.rounds, default=0))


def show(id: str, tab: str, number: int = 0) -> ResponseReturnValue:
    """Render one tab of a tournament."""
    record = record_of(id)
    facts = facts_of(record, tab, number)
    body = fragment(record, f"{tab}/{number}", lambda: render_template(f"web/tournament_{tab}.html", **facts))
    own = record.by_account(g.account.id) if g.account else None
    return render_template(
        "web/tournament.html",
        record=record,
        tab=tab,
        tabs=TABS,
        number=number,
        body=body,
        own=own,
        total=rounds_of(record),
        directs=g.account is not None and g.account.id in record.directors,
        match_links=links_of(record, own.number) if own else [],
        now=deadlines.now(the_server()),
        game=game_of(record),
        **decisions_of(record, own),
    )


def game_of(record: Record) -> str:
    """Return the full name of the game, even if this server no longer has it."""
    title = the_server().titles.get(record.settings.title)
    return (title.full_name if title else "") or record.settings.title.capitalize()


def decisions_of(record: Record, own: Entrant | None) -> dict[str, Any]:
    """Return an entrant's decisions: opponents to challenge, challenges to answer, choices to seal."""
    if own is None or own.state != "confirmed":
        return {"targets": [], "challenges": [], "choosing": ()}
    now, round = deadlines.now(the_server()), record.last_round
    targets = [
        record.entrants[target]
        for target in (record.places if record.settings.format == "ladder" else [])
        if not list(objections(record.places, choices.rungs(record), own.number, target, record.settings.reach, now))
    ]
    asked = [one for one in record.challenges.values() if one.state == "open" and own.number == one.target]
    pairing = round.pairing_of(own.number) if round and round.started_at is not None else None
    waits = round is not None and pairing is not None and choices.waits_for_choice(record, round, pairing)
    facts = {"targets": targets, "challenges": asked, "choosing": choices.required_choices(record) if waits else ()}
    return {**facts, "side_names": stream.sides_of(the_server(), record), "handicaps": handicaps(record)}


def handicaps(record: Record) -> list[tuple[int, str]]:
    """Return the handicaps that can be bid, each with what it means in every scenario."""
    most = max((choices.most_steps(record, one.side) for one in every_provision(record)), default=0)
    found = []
    for step in range(1, most + 1):
        words = [
            f"{one.side}: {one.words}"
            for steps in record.settings.provisions.values()
            for side in dict.fromkeys(one.side for one in steps)
            for one in steps_of(steps, side)[step - 1 : step]
        ]
        found.append((step, " / ".join(words)))
    return found


def every_provision(record: Record) -> list[Provision]:
    return [one for steps in record.settings.provisions.values() for one in steps]


def facts_of(record: Record, tab: str, number: int) -> dict[str, Any]:
    """Return the contents of a tab."""
    facts: dict[str, Any] = {
        "record": record,
        "settings": record.settings,
        "number": number,
        "show": tables.points,
        "shown": hundredths_in_words,
    }
    if tab == "standings":
        return {**facts, "rows": rows_of(record), "labels": tables.labels(record)}
    if tab == "crosstable":
        rows = tables.crosstable_rows(rows_of(record))
        return {**facts, "rows": rows, "rounds": sorted(record.rounds)}
    if tab == "pairings":
        round = record.rounds.get(number)
        rows = tables.pairing_rows(record, round) if round else []
        matches = matches_of(record, number)
        return {**facts, "round": round, "rows": rows, "matches": matches, "reasons": record.reasons.get(number, ())}
    if tab == "entrants":
        return {**facts, "rows": tables.entrant_rows(record)}
    if tab == "acts":
        return {**facts, "acts": list(reversed(record.noted)), "who": names_of(record)}
    return {
        **facts,
        "edition": EDITION,
        "format": announcing.FORMATS[record.settings.format],
        "tie_breaks": announcing.tie_breaks_in_words(record.settings.tie_breaks),
        "scenario_rule": announcing.scenario_rule_in_words(record.settings.scenario_rule),
        "steps": announcing.unfinished_in_words(record.settings.unfinished),
    }


def names_of(record: Record) -> dict[str, str]:
    """Return the names of directors by account."""
    known = {*record.directors, *(note.by for note in record.noted if note.by)}
    return {id: accounts.account(the_server(), id).name for id in known if id not in ("", stream.OPERATOR)}


def matches_of(record: Record, number: int) -> dict[int, list[str]]:
    """Return the matches of a round by board."""
    query = "SELECT pairing, match FROM tournament_matches WHERE tournament = ? AND round = ? ORDER BY pairing, leg"
    stream.catch_up(the_server())
    found: dict[int, list[str]] = {}
    for pairing, match in the_server().database.execute(query, (record.id, number)).fetchall():
        found.setdefault(pairing, []).append(match)
    return found


def links_of(record: Record, entrant: int) -> list[str]:
    """Return the reader's own matches of the last round."""
    round = record.last_round
    pairing = round.pairing_of(entrant) if round else None
    if round is None or pairing is None:
        return []
    return matches_of(record, round.number).get(pairing.number, [])


@bp.get("/tournaments/<id>/entrants/<int:number>")
def entrant(id: str, number: int) -> ResponseReturnValue:
    """Explain every number of one entrant as a sum."""
    record = record_of(id)
    row = next((row for row in rows_of(record) if row.entrant == number), None)
    if row is None:
        not_found(say("No entrant has this number."))
    names = {n: entrant.name for n, entrant in record.entrants.items()}
    return render_template(
        "web/tournament_entrant.html",
        record=record,
        row=row,
        names=names,
        show=tables.points,
        shown=hundredths_in_words,
    )


@bp.get("/seasons/<name>")
def season(name: str) -> ResponseReturnValue:
    """Combine the tournaments of a season: the best places give points, each explained."""
    server = the_server()
    cups = [one for one in stream.all_tournaments(server) if one.season == name]
    if not cups:
        not_found(say("No season has this name."))
    counted = season_rows([(one.name, rows_of(stream.read(server, one.id))) for one in cups])
    return render_template("web/tournament_season.html", name=name, cups=cups, rows=counted)


def season_rows(cups: list[tuple[str, list[Standing]]]) -> list[dict[str, Any]]:
    """Add up the points of a season: in each tournament, one point for every entrant placed lower."""
    totals: dict[str, list[tuple[str, int]]] = {}
    for cup, rows in cups:
        for row in rows:
            behind = sum(other.place > row.place for other in rows)
            totals.setdefault(row.name, []).append((cup, behind))
    found = [{"name": name, "points": sum(n for _, n in parts), "parts": parts} for name, parts in totals.items()]
    found.sort(key=lambda row: (-int(str(row["points"])), str(row["name"])))
    return found


@bp.get("/ratings/<title>")
def ratings(title: str) -> ResponseReturnValue:
    """Show the newest rating list of a title, and how balanced its scenarios are."""
    server = the_server()
    if title not in server.titles:
        not_found(say("No title has this name."))
    lists = {"two": published.latest(server, title), "several": published.latest(server, name_of(title))}
    lines = {kind: lines_of(newest) for kind, newest in lists.items()}
    accounts_shown = {line.account for own in lines.values() for line in own}
    names = {account: accounts.account(server, account).name for account in accounts_shown}
    facts = {"lists": lists, "lines": lines, "names": names, "balances": rating_lists.balances(server, title)}
    return render_template("web/tournament_ratings.html", title=title, **facts)


def lines_of(newest: RatingList | None) -> list[Listed]:
    """Return the lines of a list that are shown: players with a result or a settled rating, best first."""
    lines = sorted(newest.lines.values(), key=lambda line: -line.rating.rating) if newest else []
    return [line for line in lines if line.results or not line.rating.provisional][:500]


# Entering -----------------------------------------------------------------------------------------------------


@bp.post("/tournaments/<id>/<any(enter, confirm, withdraw, bye, challenge, answer, choose):act>")
@signed_in
@limit_rate("words")
def take_part(id: str, act: str) -> ResponseReturnValue:
    """Enter, confirm, leave, or ask for a bye."""
    record_of(id)
    server, account = the_server(), g.account.id
    if act == "enter":
        record = entries.enter(server, id, account)
        own = record.by_account(account)
        waits = own is not None and own.state == "waiting"
        announce(say("You are on the waiting list.") if waits else say("You have entered."))
    elif act == "confirm":
        entries.confirm(server, id, account)
        announce(say("Your entry is confirmed."))
    elif act == "challenge":
        choices.challenge(server, id, account, number_of("target"))
        announce(say("Your challenge has been sent."))
    elif act == "answer":
        choices.answer(server, id, account, number_of("number"), request.form.get("accept") == "yes")
        tick.advance(server, id, server.store.clock())
    elif act == "choose":
        choices.seal(server, id, account, choice_from_form())
        tick.advance(server, id, server.store.clock())
        announce(say("Your choice is sealed."))
    elif act == "withdraw":
        entries.withdraw(server, id, account, request.form.get("why", "")[:200])
        announce(say("You have withdrawn."))
    else:
        number = number_of("round")
        entries.ask_bye(server, id, account, number, cancel=request.form.get("cancel") == "yes")
        if request.form.get("cancel") == "yes":
            announce(say("Your bye in round {number} has been cancelled.", number=number))
        else:
            announce(say("Your request for a bye in round {number} has been recorded.", number=number))
    return redirect(url_for(".page", id=id), 303)


def number_of(name: str) -> int:
    word = request.form.get(name, "")
    if not word.isdecimal():
        abort(400, f"The field {name!r} must be a number.")
    return int(word)


def choice_from_form() -> Sealed:
    """Return the bid or choice that a form names."""
    ranked = tuple(word for word in request.form.getlist("ranked") if word)
    bid = Bid(number_of("side"), number_of("step")) if "side" in request.form else Bid(0)
    return Sealed(bid, Choice(tuple(dict.fromkeys(ranked)), request.form.get("strike", "")))
