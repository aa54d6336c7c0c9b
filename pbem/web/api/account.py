"""The API for your own account and, for operators, for the server.

A token can neither create tokens nor set a password: a stolen token cannot take over the account.
"""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, abort, g

from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import say
from pbem.matches import health
from pbem.matches.accounts import accounts, privacy, sessions
from pbem.matches.accounts import preferences as profiles
from pbem.matches.players import moderation
from pbem.web.api import acting_schemas
from pbem.web.api.operations import bp, operation
from pbem.web.http.viewer import not_found, the_server
from pbem.web.pages.account import set_preferences
from pbem.web.pages.operating import moderation as moderation_page

__all__ = ["bp"]


@operation("GET", "/account/preferences", scope="account", gives=acting_schemas.OwnAccountSchema)
def preferences() -> dict[str, Any]:
    """Your name, addresses and preferences."""
    return own_account()


def own_account() -> dict[str, Any]:
    me, kept = accounts.account(the_server(), g.account.id), profiles.profile(the_server(), g.account.id)
    preferred = {**msgspec.to_builtins(kept), "mails": "none" if me.muted else kept.mails}
    return {"id": me.id, "name": me.name, "addresses": list(me.addresses), **preferred}


@operation(
    "PATCH",
    "/account/preferences",
    scope="account",
    takes=acting_schemas.PreferencesSchema,
    gives=acting_schemas.OwnAccountSchema,
    limit="account",
)
def prefer(name: str = "", **said: str) -> dict[str, Any]:
    """Change your name or preferences; fields that are left out stay as they are."""
    stands = own_account()
    set_preferences(**{**{key: stands[key] for key in ("zone", "language", "mails")}, **said})
    if name:
        accounts.rename(the_server(), g.account.id, name)
    return own_account()


@operation(
    "POST", "/account/addresses", scope="account", takes=acting_schemas.AddressSchema, code=202, limit="addresses"
)
def add_address(address: str) -> None:
    """Ask the owner of an address to confirm that it is yours."""
    profiles.ask_address(the_server(), g.account.id, address)


@operation(
    "PUT",
    "/account/addresses/first",
    scope="account",
    takes=acting_schemas.AddressSchema,
    gives=acting_schemas.OwnAccountSchema,
    limit="account",
)
def put_first(address: str) -> dict[str, Any]:
    """Make one of your addresses the one to which email is sent."""
    profiles.put_first(the_server(), g.account.id, address)
    return own_account()


@operation(
    "DELETE",
    "/account/addresses/<address>",
    scope="account",
    gives=acting_schemas.OwnAccountSchema,
    limit="account",
)
def remove_address(address: str) -> dict[str, Any]:
    """Remove one of your addresses."""
    profiles.remove_address(the_server(), g.account.id, address)
    return own_account()


@operation("GET", "/account/sessions", scope="account", gives=acting_schemas.SessionsSchema)
def own_sessions() -> dict[str, Any]:
    """List the browsers in which you are signed in."""
    return sessions_left()


def sessions_left() -> dict[str, Any]:
    return {"sessions": sessions.of_account(the_server(), g.account.id)}


@operation("DELETE", "/account/sessions/<session>", scope="account", gives=acting_schemas.SessionsSchema)
def end_session(session: str) -> dict[str, Any]:
    """End a session."""
    if not sessions.end(the_server(), g.account.id, session):
        not_found(say("You have no such session."))
    return sessions_left()


@operation("DELETE", "/account/sessions", scope="account", gives=acting_schemas.SessionsSchema)
def end_sessions() -> dict[str, Any]:
    """End all sessions: every browser has to sign in again."""
    sessions.end_others(the_server(), g.account.id, "")
    return sessions_left()


@operation("GET", "/account/data", scope="account", name="own_data", limit="account")
def show_own_data() -> Response:
    """Everything that is stored about you."""
    kept = privacy.own_data(the_server(), g.account.id)
    return Response(msgspec.json.encode(kept), mimetype="application/json")


@operation("POST", "/account/deletion", scope="account", takes=acting_schemas.NamedSchema, limit="account")
def delete_account(name: str) -> None:
    """Erase your identity; what you played stays on record under your id."""
    if name.strip() != g.account.name:
        raise Illegal("name", [Objection("pbem/account", say("that is not the name of the account"))])
    privacy.delete(the_server(), g.account.id)


# The server --------------------------------------------------------------------------------------------------


@operation("POST", "/server/hold", scope="operator", takes=acting_schemas.WhySchema, name="server_hold")
def hold_server(why: str) -> None:
    """Stop closing exchanges in all matches."""
    health.hold(the_server(), by=operating(), why=why)


@operation("POST", "/server/release", scope="operator", name="server_release")
def release_server() -> None:
    """Resume closing exchanges; deadlines are extended by the length of the hold."""
    health.release(the_server(), by=operating())


@operation("GET", "/server/moderation", scope="operator", gives=acting_schemas.ModerationSchema, name="moderation")
def moderation_now() -> dict[str, Any]:
    """The open reports of letters, and the accounts that are banned from letters."""
    operating()
    server = the_server()
    return {"reports": moderation.reports(server), "banned": moderation.banned_accounts(server)}


@operation(
    "POST",
    "/server/moderation",
    scope="operator",
    takes=acting_schemas.DecisionOnLettersSchema,
    gives=acting_schemas.DoneSchema,
    name="moderate",
)
def moderate(act: str, who: str, report: int, why: str) -> dict[str, str]:
    """Ban an account from letters, lift a ban, or close a report."""
    return {"note": moderation_page.moderate(operating(), act, who, report, why)}


def operating() -> str:
    """Return the caller's id; refuse callers who are not operators of this server."""
    if g.account.id not in health.operators(the_server()):
        abort(403, say("Only an operator of this server may do that."))
    return str(g.account.id)
