"""The game master's page: what needs attention, the clock, seats, hidden information and rulings.

Every act is recorded.

Hidden information is shown by a button, not a link: looking at it is a public event, which no program may trigger
by following links.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from marshmallow import EXCLUDE, Schema

from eventstore import Event
from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Objection, Refusal, Unreadable
from pbem.engine.text.messages import Message, as_message, say
from pbem.matches import health, views
from pbem.matches.accounts import accounts
from pbem.matches.clock import deadlines
from pbem.matches.clock.causes import WEEKDAYS, length_in_words, moment
from pbem.matches.events import RulesMoved, each
from pbem.matches.exchange import checks
from pbem.matches.history.record import Record
from pbem.matches.history.replay import Position, record_of
from pbem.matches.players import moderation
from pbem.matches.players.substitutes import standing_by
from pbem.matches.rulings import auditors, corrections, disputes, panels, powers, previews, privilege
from pbem.matches.rulings.alerts import attention, mastered_matches
from pbem.matches.rulings.previews import Ruling
from pbem.matches.server import Server
from pbem.web.api import acting_schemas
from pbem.web.http.inputs import read_form, take_timing
from pbem.web.http.pictures import Drawing
from pbem.web.http.speech import announce
from pbem.web.http.viewer import check_closed, not_found, signed_in, the_server
from pbem.web.pages.match.page import as_file
from pbem.web.pages.match.stories import story
from pbem.web.pages.match.turns import exchanges

bp = Blueprint("master", __name__)

MOST_CHANGES = 300
"""The most changes shown of a difference between two positions."""


class Act(msgspec.Struct, frozen=True):
    """An act of a game master: its fields, its function, and the confirmation shown afterwards."""

    does: Callable[..., None]
    takes: type[Schema]
    says: Message
    done: Message


def change_settings(server: Server, match: str, *, by: str, why: str, **said: Any) -> None:
    powers.settings(server, match, timing=take_timing(said), why=why, by=by)


ACTS = {
    "pause": Act(
        powers.pause,
        acting_schemas.PauseSchema,
        say("Stop the clock of the open exchange."),
        say("The clock is stopped. Play still continues as soon as all orders are final."),
    ),
    "continue": Act(
        powers.go_on, acting_schemas.WhySchema, say("Start the clock again."), say("The clock is running again.")
    ),
    "extend": Act(
        powers.extend,
        acting_schemas.ExtendSchema,
        say("Give all players more time."),
        say("All players have more time."),
    ),
    "hold": Act(
        powers.hold,
        acting_schemas.ReasonSchema,
        say("Stop closing exchanges, even if all orders are final."),
        say("The match is on hold: no turn is played until you release it."),
    ),
    "release": Act(
        powers.release,
        acting_schemas.WhySchema,
        say("Release a match that is on hold."),
        say("The match continues; its deadline has been postponed by the length of the hold."),
    ),
    "settings": Act(
        change_settings,
        acting_schemas.SettingsSchema,
        say("Change the deadlines, starting with the next one."),
        say("The new deadlines apply from the next one onwards."),
    ),
    "process": Act(
        powers.process,
        acting_schemas.ProcessSchema,
        say("Close the open exchange now."),
        say("The exchange has been closed and played."),
    ),
    "replace": Act(
        powers.replace,
        acting_schemas.ReplaceSchema,
        say("Give a seat to another player, or to a bot."),
        say("The seat has been reassigned."),
    ),
    "silence": Act(
        moderation.silence,
        acting_schemas.SilenceSchema,
        say("Bar a seat from sending messages, or allow it again."),
        say("This has been recorded. The player will see the reason when they try to send a message."),
    ),
    "settle": Act(
        powers.settle,
        acting_schemas.AnswerSchema,
        say("Respond to a dispute."),
        say("Your answer has been recorded. If a result must be corrected, make a ruling."),
    ),
    "resume": Act(
        powers.resume, acting_schemas.WhySchema, say("Resume a halted match."), say("The match continues.")
    ),
    "rules": Act(
        powers.move_rules,
        acting_schemas.SwitchesSchema,
        say("Apply these corrections of the rules from the next step onwards."),
        say("The corrections apply from the next step onwards."),
    ),
}


# The desk ----------------------------------------------------------------------------------------------------


@bp.get("/master")
@signed_in
def overview() -> ResponseReturnValue:
    """All matches of this game master, and which of them need attention."""
    server = the_server()
    rows = [
        (views.status(server, match), attention(server, match)) for match in mastered_matches(server, g.account.id)
    ]
    rows.sort(key=lambda row: (not row[1], row[0].state == "over", row[0].name))
    return render_template("web/master.html", rows=rows)


def check_look(match: str) -> Record:
    """Return the record of a match for an account that may see everything: its game master, auditor or panel."""
    try:
        record = record_of(the_server(), match)
    except KeyError:
        not_found(say("No match has this name."))
    if g.account is None or not powers.may_look(record, g.account.id):
        return check_desk(match)
    return record


def check_desk(match: str) -> Record:
    """Return the record of a match for its game master; refuse anyone else."""
    try:
        record = record_of(the_server(), match)
    except KeyError:
        not_found(say("No match has this name."))
    if g.account is None or not powers.is_master(record, g.account.id):
        abort(403, say("Only the game master of this match may do that."))
    return record


@bp.get("/matches/<match>/master")
def page(match: str) -> ResponseReturnValue:
    check_desk(match)
    return show(match)


def show(match: str, refusal: Refusal | None = None, **more: Any) -> str:
    server, record = the_server(), record_of(the_server(), match)
    seated = powers.is_seated(record, g.account.id)
    return render_template(
        "web/master_desk.html",
        match=match,
        status=views.status(server, match),
        created=record.created,
        timing=deadlines.timing_of(record),
        weekdays=WEEKDAYS,
        on_hold=deadlines.on_hold(record),
        seated=seated,
        disputes=[] if seated else powers.open_disputes(server, match, by=g.account.id),
        ready=[accounts.account(server, id) for id in standing_by(record)],
        paused=powers.current_pause(record, deadlines.now(server)),
        held=deadlines.held_since(server),
        troubles=attention(server, match),
        exchanges=exchanges(record),
        switches=server.titles[record.created.title].switches,
        moved=moved_rules(record),
        silenced=[
            seat for seat, who in record.occupants.items() if who["account"] in moderation.silenced_accounts(record)
        ],
        deeds=deeds(server, record),
        refusal=refusal,
        wrote_of=wrote_of,
        raw=g.account.id in health.operators(server),
        **more,
    )


def moved_rules(record: Record) -> list[str]:
    """The corrections to the rules that are in force in the match."""
    moves = [moved.switches for _, moved in each(record.events, RulesMoved)]
    return [record.created.switches, *moves][-1]


@bp.post("/matches/<match>/master/acts/<act>")
def perform(match: str, act: str) -> ResponseReturnValue:
    """Carry out one of the acts on this page."""
    check_desk(match)
    known = ACTS.get(act) or not_found(say("There is no such action."))
    try:
        known.does(the_server(), match, by=g.account.id, **read_form(known.takes(unknown=EXCLUDE)))
    except Refusal as refusal:
        return show(match, refusal), 422
    announce(known.done)
    return redirect(url_for("master.page", match=match), 303)


def wrote_of(number: int) -> dict[str, str]:
    """What the game master wrote about a dispute in a form that was refused; the form is filled with it again."""
    return request.form.to_dict() if request.form.get("number") == str(number) else {}


# From the record -------------------------------------------------------------------------------------------


class Deed(msgspec.Struct, frozen=True):
    """What the game master looked at, did or ruled, in words."""

    at: int
    who: str
    what: Message
    why: str


@bp.get("/matches/<match>/master/record")
def record(match: str) -> ResponseReturnValue:
    """Show what the game master viewed and did; this is public to all."""
    try:
        found = record_of(the_server(), match)
    except KeyError:
        not_found(say("No match has this name."))
    account = g.account.id if g.account else None
    check_closed(found, [seat for seat, taken in found.occupants.items() if taken["account"] == account])
    done = deeds(the_server(), found)
    used = privilege.uses(the_server(), found)
    names = {one.by: accounts.account(the_server(), one.by).name for one in used if one.by.isalnum()}
    told = {"created": found.created, "deeds": done, "used": used, "names": names, **audit_of(found)}
    return render_template("web/master_record.html", match=match, **told)


def audit_of(record: Record) -> dict[str, Any]:
    """The auditors of a match and the seats' proposals, and what the viewer may do about them."""
    server, me = the_server(), g.account.id if g.account is not None else ""
    known = {*auditors.auditors(record), *auditors.proposals(record).values()}
    name = {id: accounts.account(server, id).name for id in known}
    return {
        "auditors": {id: name[id] for id in auditors.auditors(record)},
        "proposed": {seat: name[id] for seat, id in auditors.proposals(record).items()},
        "own_seats": [seat for seat, taken in record.occupants.items() if me and taken["account"] == me],
        "may_look": powers.may_look(record, me),
        "exchanges": exchanges(record),
    }


@bp.post("/matches/<match>/auditor")
@signed_in
def auditor(match: str) -> ResponseReturnValue:
    """Propose an auditor for your seat, or dismiss one."""
    server, said = the_server(), request.form
    if said.get("dismiss"):
        auditors.dismiss(server, match, said["dismiss"], by=g.account.id)
        announce(say("The auditor has been dismissed."))
    else:
        account = accounts.by_address(server, said.get("address", ""))
        if account is None:
            raise Unreadable("auditor", [Objection("pbem/auditor", say("no account has this email address"))])
        agreed = auditors.propose(server, match, said.get("seat", ""), account.id, by=g.account.id)
        announce(
            say("The auditor has been appointed.")
            if agreed
            else say("Your proposal has been recorded; the other side has to agree.")
        )
    return redirect(url_for("master.record", match=match), 303)


def deeds(server: Server, record: Record) -> list[Deed]:
    """What the game master of a match looked at, did and ruled, newest first."""
    done = [event for event in record.events if event.type.startswith(("master.", "ruling.", "dispute.settled"))]
    return [deed(server, event) for event in reversed(done)]


def deed(server: Server, event: Event) -> Deed:
    said = event.payload
    who = accounts.account(server, said["by"]).name
    if event.type == checks.LOOKED:
        return Deed(event.recorded_at, who, say("looked at {what}", what=said["what"]), "")
    if event.type == powers.ACTED:
        return Deed(event.recorded_at, who, in_words(said), said["why"])
    if event.type == "dispute.settled":
        return Deed(event.recorded_at, who, say("answered dispute {number}", number=said["number"]), said["answer"])
    what = event.type.partition(".")[2]
    return Deed(event.recorded_at, who, _ruling_in_words(what, said), said["reason"])


def _ruling_in_words(what: str, said: dict[str, Any]) -> Message:
    if "after" in said:
        return say("ruled: {what} everything after exchange {after}", what=what, after=said["after"])
    return say("ruled: {what} the position", what=what)


def in_words(said: dict[str, Any]) -> Message:
    """An act as part of a sentence, such as `closed exchange 3`."""
    match said["act"]:
        case "pause":
            return say(
                "paused exchange {exchange} until {when} at the latest",
                exchange=said["exchange"],
                when=moment(said["until"]),
            )
        case "go on":
            return say("restarted the clock of exchange {exchange}", exchange=said["exchange"])
        case "extend":
            return say("extended exchange {exchange} by {hours} h", exchange=said["exchange"], hours=said["hours"])
        case "hold":
            return say("put the match on hold")
        case "release":
            return say("let the match continue")
        case "settings":
            if not (hours := said["timing"]["hours"]):
                return say("removed the deadlines")
            return say("set new deadlines: {length} per turn", length=length_in_words(hours))
        case "process":
            return say("closed exchange {exchange}", exchange=said["exchange"])
        case "replace":
            return say("reassigned the seat {seat}", seat=said["seat"])
        case "silence":
            return say("barred {seat} from sending messages", seat=said["seat"])
        case "unsilence":
            return say("allowed {seat} to send messages again", seat=said["seat"])
        case "rules":
            if not said["switches"]:
                return say("removed all corrections of the rules")
            return say("set the corrections of the rules to: {switches}", switches=", ".join(said["switches"]))
        case other:
            return as_message(str(other))


# Looks -------------------------------------------------------------------------------------------------------


@bp.post("/matches/<match>/master/look")
def look(match: str) -> ResponseReturnValue:
    """Look at what players may not see; that is recorded first."""
    record = check_look(match)
    what = request.form.get("what", "")
    try:
        if what == "export":
            content = powers.whole_export(the_server(), match, by=g.account.id)
            return as_file(content, "application/x-ndjson", f"{match}-master.ndjson")
        shown = LOOKS[what](match) if what in LOOKS else not_found(say("There is no such view."))
    except Refusal as refusal:
        if not powers.is_master(record, g.account.id):
            raise
        return show(match, refusal), 422
    status = views.status(the_server(), match)
    return render_template("web/master_look.html", match=match, what=what, status=status, **shown)


def look_at_everything(match: str) -> dict[str, Any]:
    here = powers.everything(the_server(), match, by=g.account.id)
    server = the_server()
    raw = g.account.id in health.operators(server)
    if not powers.is_master(here.record, g.account.id):
        judged = disputes.disputes(here.record)
        mine = [one for one in judged if panels.may_rule(here.record, g.account.id, one.number)]
        things = msgspec.to_builtins(corrections.things(server, match)) if mine and here.mark else []
        return {"picture": draw_map(here), "things": things, "disputes": mine}
    return {
        "picture": draw_map(here),
        "state": pretty(here) if raw else "",
        "things": msgspec.to_builtins(corrections.things(server, match)) if here.mark else [],
        "disputes": powers.open_disputes(server, match, by=g.account.id),
    }


def look_at_report(match: str) -> dict[str, Any]:
    exchange = request.form.get("exchange", 0, int)
    report = powers.report(the_server(), match, exchange, by=g.account.id)
    return {"report": report, "story": story(report.told)}


def look_at_halt(match: str) -> dict[str, Any]:
    return {"halt": powers.why_halted(the_server(), match, by=g.account.id)}


LOOKS = {
    "everything": look_at_everything,
    "report": look_at_report,
    "halt": look_at_halt,
}


def draw_map(here: Position) -> Markup:
    """The map with everything on it.

    It is embedded in the page, so that it has no address of its own that others could request.
    """
    picture = here.rules.picture(here.run.view(MASTER), MASTER) if isinstance(here.rules, Drawing) else None
    return Markup(picture or "")


def pretty(here: Position) -> str:
    """The state at the start of the step in progress, which is the state that a correction changes."""
    return msgspec.json.format(here.mark.state).decode() if here.mark else ""


# Rulings -----------------------------------------------------------------------------------------------------


@bp.post("/matches/<match>/master/ruling")
def ruling(match: str) -> ResponseReturnValue:
    """Show what a ruling would change; make the ruling if the form repeats `seen` from that page."""
    number = request.form.get("dispute", 0, int)
    is_judge = check_judge(match, number)
    server, said = the_server(), request.form
    try:
        if "seen" in said:
            decided = read_form(acting_schemas.DecidedSchema(unknown=EXCLUDE))
            seen = decided.pop("seen")
            previews.rule(server, match, ruling_of(match, decided), seen=seen, by=g.account.id)
            announce(say("The ruling has been made, and all players have been notified."))
            if is_judge:
                return redirect(url_for("disputes.sheet", match=match, number=number), 303)
            return redirect(url_for("master.page", match=match), 303)
        wanted = ruling_of(match, read_form(acting_schemas.RulingSchema(unknown=EXCLUDE)))
        trial = previews.trial(server, match, wanted, by=g.account.id)
    except Refusal as refusal:
        if is_judge:
            raise
        return show(match, refusal, said=said), 422
    status = views.status(server, match)
    return render_template(
        "web/master_ruling.html", match=match, status=status, ruling=wanted, trial=trial, said=said, most=MOST_CHANGES
    )


def check_judge(match: str, dispute: int) -> bool:
    """Return whether a member of the panel rules here; refuse everybody else but the game master."""
    record = check_look(match)
    if panels.may_rule(record, g.account.id, dispute):
        return True
    check_desk(match)
    return False


def ruling_of(match: str, said: dict[str, Any]) -> Ruling:
    """Read a ruling from a form or a program; its changes are read against the state of the match."""
    server = the_server()
    raw = g.account.id in health.operators(server)
    changes = corrections.read_changes(server, match, said["changes"], raw=raw) if said["kind"] == "correct" else ()
    return Ruling(**{**said, "changes": changes})
