"""The account pages: name, addresses, preferences, password, sessions, all stored data, and deletion."""

from __future__ import annotations

import msgspec
from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from pbem.engine.rules.refusals import Refusal
from pbem.engine.text.messages import Message, say, say_n
from pbem.matches.accounts import accounts, api_tokens, preferences, privacy, sessions
from pbem.matches.accounts.preferences import LANGUAGES, MAILS, Profile
from pbem.matches.post import reply_tokens
from pbem.web.http import entry
from pbem.web.http.inputs import (
    AddressSchema,
    DeletionSchema,
    NameSchema,
    PasswordSchema,
    PreferencesSchema,
    SessionSchema,
    TokenSchema,
    read_form,
)
from pbem.web.http.speech import announce
from pbem.web.http.viewer import signed_in, the_server
from pbem.web.http.visitor_limits import limit_rate
from pbem.web.pages.match.page import as_file

bp = Blueprint("account", __name__)


@bp.get("/account")
@signed_in
def page() -> ResponseReturnValue:
    return show()


def show(refusal: Refusal | None = None, word: str = "") -> str:
    """The account page; `word` is a token that was just created, which is shown only this once."""
    server = the_server()
    return render_template(
        "web/account.html",
        me=accounts.account(server, g.account.id),
        profile=preferences.profile(server, g.account.id),
        zones=preferences.zones(),
        languages=LANGUAGES,
        mails=MAILS,
        password=preferences.has_password(server, g.account.id),
        sessions=sessions.of_account(server, g.account.id),
        current=g.session.id,
        tokens=api_tokens.of_account(server, g.account.id),
        scopes=api_tokens.SCOPES,
        word=word,
        refusal=refusal,
    )


def confirm_change(said: Message) -> ResponseReturnValue:
    announce(said)
    return redirect(url_for("account.page"), 303)


# Name and preferences ----------------------------------------------------------------------------------------


@bp.post("/account/name")
@signed_in
@limit_rate("account")
def rename() -> ResponseReturnValue:
    renamed = accounts.rename(the_server(), g.account.id, read_form(NameSchema())["name"])
    return confirm_change(say("Others see you as {name}.", name=renamed.name))


@bp.post("/account/preferences")
@signed_in
@limit_rate("account")
def prefer() -> ResponseReturnValue:
    """Set the time zone, the language, and the kinds of email."""
    try:
        set_preferences(**read_form(PreferencesSchema()))
    except Refusal as refusal:
        return show(refusal), 422
    return confirm_change(say("Your preferences have been saved."))


def set_preferences(*, zone: str, language: str, mails: str) -> None:
    server, wants_mails = the_server(), mails != "none"
    kept = preferences.profile(server, g.account.id)
    preferences.set_profile(server, g.account.id, Profile(zone, language, mails if wants_mails else kept.mails))
    if g.account.muted == wants_mails:
        accounts.mute(server, g.account.id, not wants_mails)


# The password ------------------------------------------------------------------------------------------------


@bp.post("/account/password")
@signed_in
@limit_rate("account")
def set_password() -> ResponseReturnValue:
    """Set a password; other browsers have to sign in again."""
    try:
        preferences.set_password(the_server(), g.account.id, read_form(PasswordSchema())["password"])
    except Refusal as refusal:
        return show(refusal), 422
    sessions.end_others(the_server(), g.account.id, g.session.id)
    return confirm_change(say("Your password has been set. All your other sessions have been ended."))


@bp.post("/account/password/remove")
@signed_in
@limit_rate("account")
def remove_password() -> ResponseReturnValue:
    preferences.remove_password(the_server(), g.account.id)
    return confirm_change(say("Your password has been removed. You now sign in by email."))


# Addresses ---------------------------------------------------------------------------------------------------


@bp.post("/account/addresses")
@signed_in
@limit_rate("addresses")
def add_address() -> ResponseReturnValue:
    """Ask the owner of an address to confirm it; the answer is the same for every address."""
    try:
        preferences.ask_address(the_server(), g.account.id, read_form(AddressSchema())["address"])
    except Refusal as refusal:
        return show(refusal), 422
    return confirm_change(
        say("We have sent an email to that address. Open the link in it to confirm that the address is yours.")
    )


@bp.post("/account/addresses/first")
@signed_in
@limit_rate("account")
def put_first() -> ResponseReturnValue:
    address = read_form(AddressSchema())["address"]
    preferences.put_first(the_server(), g.account.id, address)
    return confirm_change(say("Email now goes to {address}.", address=address))


@bp.post("/account/addresses/remove")
@signed_in
@limit_rate("account")
def remove_address() -> ResponseReturnValue:
    try:
        preferences.remove_address(the_server(), g.account.id, read_form(AddressSchema())["address"])
    except Refusal as refusal:
        return show(refusal), 422
    return confirm_change(say("That address has been removed from your account."))


@bp.get("/addresses/<token>")
def show_address(token: str) -> ResponseReturnValue:
    """Show a page with a button: the link alone must not confirm, because mail scanners follow links."""
    reply_tokens.expect(the_server(), token, "address")
    text = say("Orders from this address will be accepted for your account, and we can send email to it.")
    return render_template(
        "web/button.html", title=say("Confirm an address"), text=text, button=say("Yes, it is mine")
    )


@bp.post("/addresses/<token>")
def confirm_address(token: str) -> ResponseReturnValue:
    preferences.confirm_address(the_server(), token)
    text = say("The address has been added to your account.")
    return render_template("web/button.html", title=say("Confirm an address"), text=text, button="")


# Sessions ----------------------------------------------------------------------------------------------------


@bp.post("/account/sessions/end")
@signed_in
def end_session() -> ResponseReturnValue:
    """End one session, or all the others."""
    id, server = read_form(SessionSchema())["id"], the_server()
    if id:
        if not sessions.end(server, g.account.id, id):
            abort(404, say("You have no such session."))
        return confirm_change(say("That session has been ended."))
    count = sessions.end_others(server, g.account.id, g.session.id)
    return confirm_change(say_n("{n} other session has been ended.", "{n} other sessions have been ended.", n=count))


# Tokens for programs -----------------------------------------------------------------------------------------


@bp.post("/account/tokens")
@signed_in
@limit_rate("account")
def make_token() -> ResponseReturnValue:
    """Create a token with which a program acts for the account; it is shown only once."""
    said = read_form(TokenSchema())
    scopes = request.form.getlist("scopes")
    try:
        _, word = api_tokens.make(the_server(), g.account.id, said["name"], scopes, days=said["days"])
    except Refusal as refusal:
        return show(refusal), 422
    return show(word=word)


@bp.post("/account/tokens/revoke")
@signed_in
def revoke_token() -> ResponseReturnValue:
    try:
        api_tokens.revoke(the_server(), g.account.id, read_form(SessionSchema())["id"])
    except Refusal as refusal:
        return show(refusal), 422
    return confirm_change(say("That token has been revoked."))


# Export and erasure -------------------------------------------------------------------------------


@bp.get("/account/export.json")
@signed_in
@limit_rate("account")
def export() -> ResponseReturnValue:
    """Everything that is stored about the account, as a file."""
    content = msgspec.json.format(msgspec.json.encode(privacy.own_data(the_server(), g.account.id)), indent=1)
    return as_file(content, "application/json", f"account-{g.account.id}.json")


@bp.get("/account/delete")
@signed_in
def ask_to_delete() -> ResponseReturnValue:
    return render_template("web/account_delete.html", me=g.account, refusal=None)


@bp.post("/account/delete")
@signed_in
@limit_rate("account")
def delete() -> ResponseReturnValue:
    """Erase the account's identity. The account's name has to be typed, because this cannot be undone."""
    if read_form(DeletionSchema())["name"].strip() != g.account.name:
        abort(422, say("To delete the account, type its name: {name}.", name=g.account.name))
    server, id = the_server(), g.account.id
    entry.end_session()
    privacy.delete(server, id)
    announce(say("Your account has been deleted."))
    return redirect(url_for("lobby.lobby"), 303)
