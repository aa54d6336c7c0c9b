"""The state of the server: a heartbeat for everyone, details for operators."""

from __future__ import annotations

import msgspec
from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    current_app,
    g,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from pbem.engine.text.messages import say
from pbem.matches import health, metrics
from pbem.matches.clock.deadlines import now
from pbem.matches.players import moderation
from pbem.matches.workers import claims
from pbem.web.api.operations import token_of_request
from pbem.web.http.speech import announce
from pbem.web.http.viewer import the_server

bp = Blueprint("health", __name__)


def add_to(app: Flask) -> None:
    app.register_blueprint(bp)


@bp.get("/health")
def page() -> ResponseReturnValue:
    server = the_server()
    found = health.health(server) if is_operator() else None
    more = {"queues": metrics.queues(server), "workers": claims.workers(server), "now": now(server)} if found else {}
    if found:
        more["reports"] = len(moderation.reports(server))
        more["lag"] = {name: server.store.lag(name) for name in metrics.PROJECTIONS}
        more["machines"] = server.store.machines
    return render_template("web/health.html", pulse=health.pulse(server), health=found, **more)


@bp.get("/metrics")
def numbers() -> ResponseReturnValue:
    """Metrics for Prometheus, for requests with an operator's token or from the server's own computer."""
    if not is_operator() and request.access_route[:1] not in (["127.0.0.1"], ["::1"]):
        abort(403, say("Only an operator of this server may do that."))
    return Response(metrics.metrics(the_server()), mimetype="text/plain; version=0.0.4")


@bp.get("/health.json")
def as_json() -> ResponseReturnValue:
    """The server's health for monitors, with status 503 while the clock is not running."""
    pulse = health.pulse(the_server())
    shown = health.health(the_server()) if is_operator() else pulse
    return Response(msgspec.json.encode(shown), 200 if pulse.well else 503, mimetype="application/json")


def is_operator() -> bool:
    """Whether the visitor is an operator, signed in or with an operator token; in a demonstration, everybody is."""
    if current_app.extensions["pbem"]["demo"]:
        return True
    if "Authorization" in request.headers:
        token = token_of_request()
        account = token.account if token is not None and token.opens("operator") else ""
    else:
        account = g.account.id if g.account is not None else ""
    return account in health.operators(the_server())


@bp.post("/health/hold")
def hold() -> ResponseReturnValue:
    """Stop closing exchanges in all matches."""
    if not is_operator() or g.account is None:
        abort(403, say("Only an operator of this server may do that."))
    done = health.hold(the_server(), by=g.account.id, why=request.form.get("why", "")[:500])
    announce(
        say("No turn will be played until you release the server.")
        if done
        else say("The server was already on hold.")
    )
    return redirect(url_for("health.page"), 303)


@bp.post("/health/release")
def release() -> ResponseReturnValue:
    """Resume closing exchanges."""
    if not is_operator() or g.account is None:
        abort(403, say("Only an operator of this server may do that."))
    done = health.release(the_server(), by=g.account.id)
    announce(
        say("Turns are played again; deadlines have been postponed by the length of the hold.")
        if done
        else say("The server was not on hold.")
    )
    return redirect(url_for("health.page"), 303)
