"""Sign-in by an emailed link or a password, invitations, and the other links in emails.

A link only shows a page with a button: mail scanners follow links, and following a link must not act.
"""

from __future__ import annotations

from flask import Blueprint, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.messages import say
from pbem.matches import views
from pbem.matches.accounts import accounts, preferences
from pbem.matches.accounts.accounts import Account
from pbem.matches.clock.deadlines import MINUTE, now
from pbem.matches.exchange import submitting
from pbem.matches.history.replay import record_of
from pbem.matches.names import seat_word
from pbem.matches.players import invitations
from pbem.matches.post import outbox, reply_tokens
from pbem.matches.rulings import privilege
from pbem.matches.server import Server
from pbem.web.http import entry
from pbem.web.http.inputs import PasswordSignInSchema, SignInSchema, read_form
from pbem.web.http.speech import announce
from pbem.web.http.viewer import the_server
from pbem.web.http.visitor_limits import spend, visitor

bp = Blueprint("door", __name__)

ONE_LINK_PER = 5 * MINUTE
"""Asking again within this time does not send another email, unless a link has been used since."""


# Signing in --------------------------------------------------------------------------------------------------


@bp.get("/sign-in")
def sign_in() -> ResponseReturnValue:
    return render_template("web/sign_in.html", sent=False)


@bp.post("/sign-in")
def send_link() -> ResponseReturnValue:
    """Email a sign-in link; the answer and the work are the same for every address."""
    address = accounts.clean_address(read_form(SignInSchema())["address"])
    spend_here("links of a visitor", "links to an address", address)
    owe_link(the_server(), address)
    return render_template("web/sign_in.html", sent=True)


def spend_here(visitors: str, addresses: str, address: str) -> None:
    """Count an attempt to sign in, both for this visitor and for this visitor with this address.

    No visitor can use up another's attempts, and a signed-in browser is never locked out.
    """
    if g.account is None:
        spend(visitors, visitor())
        spend(addresses, f"{visitor()} {address}")


def owe_link(server: Server, address: str) -> None:
    """Queue a sign-in link; whether the address is known or not, it causes one event and one email."""
    account = preferences.ask_link(server, address)
    at = now(server)
    with server.store.transaction("sign-in") as transaction:
        outbox.queue(transaction, "sign-in", at=at, key=str(at // ONE_LINK_PER), account=account.id)


@bp.get("/sign-in/<token>")
def show_link(token: str) -> ResponseReturnValue:
    reply_tokens.expect(the_server(), token, "sign-in")
    return render_template("web/button.html", title=say("Sign in"), text=say("One step left."), button=say("Sign in"))


@bp.post("/sign-in/<token>")
def use_link(token: str) -> ResponseReturnValue:
    """Sign in; this uses up the link."""
    server = the_server()
    enter(accounts.account(server, reply_tokens.sign_in(server, token)))
    return redirect(url_for("lobby.lobby"), 303)


@bp.post("/sign-in/password")
def use_password() -> ResponseReturnValue:
    """Sign in with a password; an unknown address is refused like a wrong password."""
    said = read_form(PasswordSignInSchema())
    spend_here("passwords of a visitor", "passwords for an address", said["address"].strip().lower())
    account = preferences.by_password(the_server(), said["address"], said["password"])
    if account is None:
        why = Objection("pbem/sign-in", say("wrong address or password"))
        return render_template("web/sign_in.html", sent=False, refusal=Illegal("", [why])), 422
    enter(account)
    return redirect(url_for("lobby.lobby"), 303)


def enter(account: Account) -> None:
    entry.start_session(account)
    privilege.note_sign_in(the_server(), account.id)
    announce(say("You are signed in as {name}.", name=account.name))


@bp.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    entry.end_session()
    announce(say("You are signed out."))
    return redirect(url_for("lobby.lobby"), 303)


# Invitations -------------------------------------------------------------------------------------------------


@bp.get("/invitations/<token>")
def show_invitation(token: str) -> ResponseReturnValue:
    server = the_server()
    offered = invitations.read(server, token)
    sealed = record_of(server, offered.match).opens == "never"
    status = views.status(server, offered.match)
    return render_template("web/invitation.html", offered=offered, status=status, sealed=sealed)


@bp.post("/invitations/<token>")
def accept(token: str) -> ResponseReturnValue:
    """Take the seat; the link proves access to the invited mailbox, so the visitor is signed in."""
    match, seat, account = invitations.accept(the_server(), token)
    enter(account)
    announce(say("You have the seat {seat}.", seat=seat_word(the_server(), seat)))
    return redirect(url_for("match.page", match=match), 303)


@bp.post("/invitations/<token>/decline")
def decline(token: str) -> ResponseReturnValue:
    invitations.decline(the_server(), token)
    announce(say("You have declined. The seat stays free for others."))
    return redirect(url_for("lobby.lobby"), 303)


# Other links in emails ----------------------------------------------------------------------------------------


@bp.get("/confirm/<token>")
def show_confirm(token: str) -> ResponseReturnValue:
    reply_tokens.expect(the_server(), token, "confirm")
    text = say(
        "We received orders from an address that is not yours, or that could not be verified. Did you send them?"
    )
    return render_template(
        "web/button.html", title=say("Confirm orders"), text=text, button=say("Yes, seal these orders")
    )


@bp.post("/confirm/<token>")
def confirm(token: str) -> ResponseReturnValue:
    """Seal the orders of a held email."""
    receipt = submitting.confirm(the_server(), token)
    announce(say("Your orders are sealed."))
    return redirect(url_for("match.page", match=receipt.match), 303)


@bp.get("/stop/<token>")
def show_stop(token: str) -> ResponseReturnValue:
    reply_tokens.expect(the_server(), token, "stop")
    text = say("You will get no more email, except replies to your own. Your matches continue.")
    return render_template(
        "web/button.html", title=say("No more email"), text=text, button=say("Stop sending me email")
    )


@bp.post("/stop/<token>")
def stop(token: str) -> ResponseReturnValue:
    server = the_server()
    accounts.mute(server, reply_tokens.expect(server, token, "stop").account)
    return render_template(
        "web/button.html", title=say("No more email"), text=say("You will get no more email."), button=""
    )
