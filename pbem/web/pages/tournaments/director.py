"""The director's pages: announcing a tournament, the board, and every act. A page sends the version it showed."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from marshmallow import fields, validate

from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.text.messages import say, say_n
from pbem.matches.server import Server
from pbem.tournaments import announcing, director, entries, fair_play, results, rounds, stream, tick
from pbem.tournaments.files.pairings_list import read_pairings
from pbem.tournaments.model import Points, Settings, Unfinished, Verdict
from pbem.tournaments.pairing.formats import rounds_of
from pbem.tournaments.post import webhooks
from pbem.tournaments.record import Record
from pbem.web.http import speech
from pbem.web.http.inputs import FormSchema, read_form
from pbem.web.http.viewer import signed_in, the_server
from pbem.web.http.visitor_limits import limit_rate
from pbem.web.pages.tournaments.public import record_of

bp = Blueprint("director", __name__)

RESULTS: dict[str, tuple[Verdict, Verdict]] = {
    "first": ("won", "lost"),
    "draw": ("drawn", "drawn"),
    "second": ("lost", "won"),
    "both_lose": ("lost", "lost"),
}
POINTS = {"1": Points(), "3": Points(30, 10, 0, 30, 10)}
STEPS = {
    "patient": ("extend", "rule", "director"),
    "strict": ("fault", "rule", "director"),
    "director": ("director",),
}


class NewSchema(FormSchema):
    """A new tournament. `play` is the title and its scenario in one word."""

    name = fields.String(required=True, validate=validate.Length(1, 80))
    play = fields.String(required=True, validate=validate.Regexp(r"[^/]+/[^/]+$", error="choose a scenario"))
    scenarios = fields.List(fields.String(), load_default=[])
    format = fields.String(
        load_default="swiss",
        validate=validate.OneOf(["swiss", "round_robin", "double", "knock_out", "ladder", "pools", "own", "several"]),
    )
    rounds = fields.Integer(load_default=5, validate=validate.Range(1, 99))
    pools = fields.Integer(load_default=4, validate=validate.Range(2, 26))
    sides = fields.String(load_default="alternate", validate=validate.OneOf(["alternate", "mirror", "bid", "fixed"]))
    points = fields.String(load_default="1", validate=validate.OneOf(list(POINTS)))
    weeks = fields.Integer(load_default=6, validate=validate.Range(1, 104))
    hours = fields.Integer(load_default=72, validate=validate.Range(0, 24 * 60))
    unfinished = fields.String(load_default="patient", validate=validate.OneOf(list(STEPS)))
    cap = fields.Integer(load_default=0, validate=validate.Range(0, 5000))
    confirm_days = fields.Integer(load_default=0, validate=validate.Range(0, 90))
    season = fields.String(load_default="", validate=validate.Length(max=60))
    conditions = fields.String(load_default="", validate=validate.Length(max=2000))


KINDS = {"number": fields.Integer, "flag": fields.Boolean, "choice": fields.String, "text": fields.String}


def further_fields() -> dict[str, Any]:
    """Return the further settings as fields of a form or of a request."""
    found: dict[str, Any] = {}
    for field in announcing.FIELDS:
        what = {"description": f"{field.label}{f' ({field.note})' if field.note else ''}"}
        found[field.name] = KINDS[field.kind](load_default=field.default, metadata=what)
    return found


class FurtherSchema(NewSchema):
    """A new tournament with the further settings, which have a table of their own."""

    locals().update(further_fields())


@bp.get("/tournaments/new")
def choose() -> ResponseReturnValue:
    return form(request.args)


def form(said: Any, refusal: Refusal | None = None) -> str:
    """Render the form of an announcement, filled with earlier input."""
    return render_template(
        "web/tournament_new.html",
        titles=the_server().titles,
        said=said,
        refusal=refusal,
        groups={name: [one for one in announcing.FIELDS if one.group == name] for name in announcing.GROUPS},
    )


@bp.post("/tournaments/new")
@signed_in
@limit_rate("matches")
def announce() -> ResponseReturnValue:
    """Announce a tournament; the account that does so becomes its first director."""
    server = the_server()
    try:
        record = stream.open_tournament(server, settings_of(read_form(FurtherSchema())), g.account.id)
    except Refusal as refusal:
        return form(request.form, refusal), 422
    return redirect(url_for(".board", id=record.id), 303)


def settings_of(told: dict[str, Any]) -> Settings:
    """Return the settings that a form names."""
    title, scenario = told["play"].split("/", 1)
    kind = told["format"]
    return Settings(
        name=" ".join(told["name"].split()),
        title=title,
        scenarios=tuple(dict.fromkeys((scenario, *scenarios_of(title, told["scenarios"])))),
        format="round_robin" if kind == "double" else kind,
        double=kind == "double",
        rounds=told["rounds"],
        pools=told["pools"],
        sides=told["sides"],
        points=POINTS[told["points"]],
        round_days=7 * told["weeks"],
        cap=told["cap"],
        confirm_days=told["confirm_days"],
        season=told["season"].strip(),
        conditions=told["conditions"].strip(),
        **announcing.settings(told, {"hours": told["hours"]}, Unfinished(STEPS[told["unfinished"]])),
    )


def scenarios_of(title: str, named: list[str]) -> list[str]:
    """Return the further scenarios of the same title."""
    return [word.removeprefix(f"{title}/") for word in named if word.startswith(f"{title}/") or "/" not in word]


# The board ------------------------------------------------------------------------------------------------------


@bp.get("/tournaments/<id>/director")
@signed_in
def board(id: str) -> ResponseReturnValue:
    return show(record_of(id))


def show(record: Record, refusal: Refusal | None = None, **more: Any) -> ResponseReturnValue:
    """Render the board: first what needs the director's attention, then the state of the round, then every act."""
    server = the_server()
    if g.account.id not in record.directors:
        abort(403, say("Only directors of this tournament can see its board."))
    stream.catch_up(server)
    found = director.board(server, record)
    page = render_template(
        "web/tournament_director.html",
        record=record,
        board=found,
        signals=fair_play.signals(server, record),
        round=record.last_round,
        total=rounds_of(record),
        next=max(record.rounds, default=0) + 1,
        may_pair=not list(rounds.objections(record, max(record.rounds, default=0) + 1)),
        refusal=refusal,
        hooks=[hook for hook in webhooks.of_account(server, g.account.id) if hook.stream == record.stream],
        **{"plan": None, "mistakes": (), "effects": (), "said": request.form, **more},
    )
    return page, 422 if refusal or more.get("mistakes") else 200


def version_seen() -> int | None:
    """Return the version of the tournament that the page showed."""
    word = request.form.get("seen", "")
    return int(word) if word.isdecimal() else None


@bp.post("/tournaments/<id>/director/<act>")
@signed_in
@limit_rate("words")
def perform(id: str, act: str) -> ResponseReturnValue:
    """Carry out an act of the director; a refusal shows the board again with the reason."""
    record = record_of(id)
    if g.account.id not in record.directors:
        abort(403, say("Only directors of this tournament can do this."))
    if act not in ACTS:
        abort(404, say("There is no such action."))
    try:
        answer = ACTS[act](the_server(), id, g.account.id)
    except Refusal as refusal:
        return show(record_of(id), refusal)
    return answer if answer is not None else redirect(url_for(".board", id=id), 303)


def _text(name: str, most: int = 500) -> str:
    return request.form.get(name, "").strip()[:most]


def _number(name: str) -> int:
    word = request.form.get(name, "")
    if not word.lstrip("-").isdecimal():
        raise Unreadable(name, [Objection("pbem/form", say("this must be a whole number"))])
    return int(word)


def _boards() -> list[int]:
    return [int(word) for word in request.form.getlist("board") if word.isdecimal()]


def do_import(server: Server, id: str, by: str) -> ResponseReturnValue | None:
    """Enter everybody on a list, if the list has no mistakes."""
    upload = request.files.get("file")
    content = upload.read() if upload is not None and upload.filename else request.form.get("list", "").encode()
    name = upload.filename if upload is not None and upload.filename else ""
    found = entries.import_list(server, id, content, by=by, name=name or "", seen=version_seen())
    if found.mistakes:
        return show(record_of(id), mistakes=found.mistakes)
    strangers = sum(bool(entry.address) for entry in found.entries)
    speech.announce(say_n("{n} entry was made.", "{n} entries were made.", n=len(found.entries)))
    if strangers:
        speech.announce(
            say_n(
                "{n} of them is new here: they are invited by email and play once they confirm.",
                "{n} of them are new here: they are invited by email and play once they confirm.",
                n=strangers,
            )
        )
    return None


def do_plan(server: Server, id: str, by: str) -> ResponseReturnValue | None:
    """Preview the pairings of the next round."""
    record = record_of(id)
    return show(record, plan=rounds.plan(server, record, _listed_pairings(server, record)))


def do_pair(server: Server, id: str, by: str) -> None:
    rounds.pair(server, id, by=by, seen=version_seen(), listed=_listed_pairings(server, record_of(id)))
    speech.announce(say("The round is paired but not announced. Check the pairings, then start the round."))


def _listed_pairings(server: Server, record: Record) -> list[tuple[int, ...]]:
    if record.settings.format != "own":
        return []
    number = max(record.rounds, default=0) + 1
    content = request.form.get("list", "").encode()
    sides = stream.sides_of(server, record)
    found = read_pairings(content, entries.by_name(record), sides, record.settings.scenarios, number)
    if found.mistakes:
        raise Unreadable("pairings", [Objection("tournament/pairings", str(mistake)) for mistake in found.mistakes])
    return [pair.entrants for pair in found.pairs if pair.round == number]


def do_start(server: Server, id: str, by: str) -> None:
    rounds.start(server, id, by=by, seen=version_seen())
    tick.advance(server, id, server.store.clock())
    speech.announce(say("The round has started. All entrants get an email."))


def do_swap(server: Server, id: str, by: str) -> None:
    rounds.change(server, id, [(_number("one"), _number("other"))], _text("why"), by=by, seen=version_seen())


def do_close(server: Server, id: str, by: str) -> None:
    rounds.close(server, id, by=by, seen=version_seen(), anyway=request.form.get("anyway") == "yes")
    tick.advance(server, id, server.store.clock())
    speech.announce(say("The round is closed. All entrants get the standings."))


def do_bulk(server: Server, id: str, by: str) -> ResponseReturnValue | None:
    """Extend, remind or forfeit several boards; first show the effect, then do it."""
    act, boards = _text("bulk"), _boards()
    days = _number("days") if act == "extend" else 0
    if request.form.get("sure") != "yes":
        effects = director.effect_of(record_of(id), act, boards, days)
        return show(record_of(id), effects=effects)
    if act == "extend":
        rounds.extend(server, id, days, _text("why"), by=by, pairings=boards, seen=version_seen())
    elif act == "remind":
        director.remind(server, id, boards, by=by, seen=version_seen())
    elif act == "double_loss":
        number = max(record_of(id).rounds)
        for board in boards:
            results.by_hand(server, id, number, board, ("lost", "lost"), _text("why"), by=by)
    else:
        abort(400, say("Choose what to do."))
    speech.announce("Done.")
    return None


def do_result(server: Server, id: str, by: str) -> None:
    """Record or correct a result by hand."""
    verdicts = RESULTS.get(_text("result"))
    if verdicts is None:
        raise Unreadable("result", [Objection("pbem/form", say("choose a result"))], list(RESULTS))
    results.by_hand(
        server, id, _number("round"), _number("board"), verdicts, _text("why"), by=by, seen=version_seen()
    )


def do_message(server: Server, id: str, by: str) -> None:
    director.message(server, id, _text("text", 2000), by=by, seen=version_seen())
    speech.announce(say("The message has been sent."))


def do_forbid(server: Server, id: str, by: str) -> None:
    lift = request.form.get("lift") == "yes"
    director.forbid(server, id, _number("one"), _number("other"), _text("why"), by=by, lift=lift, seen=version_seen())


def do_withdraw(server: Server, id: str, by: str) -> None:
    entries.withdraw_entrants(server, id, [_number("entrant")], _text("why"), by=by, seen=version_seen())


def do_replace(server: Server, id: str, by: str) -> None:
    account = entries.account_names(server).get(_text("account").lower())
    if account is None:
        raise Unreadable(_text("account"), [Objection("tournament", say("no account has that name or address"))])
    entries.replace(server, id, _number("entrant"), account, _text("why"), by=by, seen=version_seen())


def do_appoint(server: Server, id: str, by: str) -> None:
    account = entries.account_names(server).get(_text("account").lower())
    if account is None:
        raise Unreadable(_text("account"), [Objection("tournament", say("no account has that name or address"))])
    director.appoint(server, id, account, by=by, dismiss=request.form.get("dismiss") == "yes")


def _accounts(server: Server, said: str) -> list[str]:
    """The accounts that a line names by id, address or name, separated by commas."""
    known = entries.account_names(server)
    names = [name.strip().lower() for name in said.split(",") if name.strip()]
    if unknown := [name for name in names if name not in known]:
        raise Unreadable(unknown[0], [Objection("tournament", say("no account has that name or address"))])
    return [known[name] for name in names]


def do_panel(server: Server, id: str, by: str) -> None:
    """Appoint the judge or the panel of a dispute."""
    members = _accounts(server, _text("accounts"))
    director.appoint_panel(server, id, _text("match"), _number("number"), members, by=by)
    speech.announce(say("The panel has been appointed; its members vote on the page of the dispute."))


def do_auditor(server: Server, id: str, by: str) -> None:
    """Appoint an auditor of a match."""
    for account in _accounts(server, _text("accounts")):
        director.appoint_auditor(server, id, _text("match"), account, by=by)
    speech.announce(say("The auditor has been appointed and may read the match."))


def do_hook(server: Server, id: str, by: str) -> None:
    """Add a webhook that is notified of public events, or remove one."""
    if request.form.get("remove", "").isdecimal():
        webhooks.remove(server, by, int(request.form["remove"]))
        return
    hook = webhooks.add(server, by, stream.stream_of(id), _text("url"))
    speech.announce(
        say("Events will be sent to that address. The secret for checking signatures is {secret}", secret=hook.secret)
    )


def do_end(server: Server, id: str, by: str) -> None:
    rounds.end(server, id, _text("why"), by=by, seen=version_seen())
    speech.announce(say("The tournament is over."))


ACTS: dict[str, Any] = {
    "import": do_import,
    "plan": do_plan,
    "pair": do_pair,
    "start": do_start,
    "swap": do_swap,
    "close": do_close,
    "bulk": do_bulk,
    "result": do_result,
    "message": do_message,
    "forbid": do_forbid,
    "withdraw": do_withdraw,
    "replace": do_replace,
    "appoint": do_appoint,
    "panel": do_panel,
    "auditor": do_auditor,
    "hook": do_hook,
    "end": do_end,
}
