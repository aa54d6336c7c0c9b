"""Moderation of press for operators: reported messages, and accounts that may not send any."""

from __future__ import annotations

from flask import Blueprint, abort, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from marshmallow import fields, validate

from pbem.engine.rules.refusals import Refusal
from pbem.engine.text.messages import Message, say, several
from pbem.matches.accounts import accounts
from pbem.matches.players import moderation
from pbem.matches.rulings import privilege
from pbem.web.http.inputs import FormSchema, read_form
from pbem.web.http.speech import announce, words
from pbem.web.http.viewer import the_server
from pbem.web.pages.operating.health import is_operator

bp = Blueprint("moderation", __name__)


class ModerationSchema(FormSchema):
    """An operator's decision about a report, or about an account named by id or address."""

    act = fields.String(required=True, validate=validate.OneOf(["ban", "allow", "close"]))
    who = fields.String(load_default="", validate=validate.Length(max=200))
    report = fields.Integer(load_default=0)
    why = fields.String(load_default="", validate=validate.Length(max=moderation.LONGEST))


@bp.get("/moderation")
def page() -> ResponseReturnValue:
    if not is_operator():
        abort(403, say("Only an operator of this server may do that."))
    return show()


def show(refusal: Refusal | None = None) -> str:
    server = the_server()
    reports, banned = moderation.reports(server), moderation.banned_accounts(server)
    ids = {id for found in reports for id in (found.by, found.sender)} | set(banned)
    names = {id: accounts.account(server, id).name if id else "nobody" for id in ids}
    return render_template("web/moderation.html", reports=reports, banned=banned, names=names, refusal=refusal)


@bp.post("/moderation")
def decide() -> ResponseReturnValue:
    """Ban an account from letters, lift a ban, or close a report. The decision is recorded with its author."""
    if not is_operator() or g.account is None:
        abort(403, say("Only an operator of this server may do that."))
    try:
        announce(moderate(g.account.id, **read_form(ModerationSchema())))
    except Refusal as refusal:
        return show(refusal), 422
    return redirect(url_for("moderation.page"), 303)


def moderate(by: str, act: str, who: str, report: int, why: str) -> str:
    """Carry out an operator's decision; return the result in words."""
    server, done, reason = the_server(), list[Message](), why.strip()
    if act != "close":
        account = account_named(who)
        if act == "ban":
            moderation.ban(server, account.id, by=by, why=reason or "your letters were reported")
        else:
            moderation.allow(server, account.id, by=by, why=reason)
        if act == "ban":
            done.append(say("{name} can no longer send messages.", name=account.name))
        else:
            done.append(say("{name} can send messages again.", name=account.name))
    if report or act == "close":
        moderation.close(server, report, by=by, why=reason)
        done.append(say("The report has been closed."))
    privilege.note(server, by, privilege.OPERATOR, f"moderated letters ({act})")
    return words(several(done, "sentences"))


def account_named(who: str) -> accounts.Account:
    """An account by its id or one of its addresses."""
    found = accounts.by_address(the_server(), who) if "@" in who else None
    try:
        return found or accounts.account(the_server(), who)
    except KeyError:
        abort(404, say("No account has this id or address."))
