"""The Flask application: settings, who is signed in, headers, error pages."""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Iterable
from contextlib import nullcontext
from datetime import timedelta
from functools import cache, partial
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, g, make_response, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError, CSRFProtect  # type: ignore[import-untyped]
from jinja2 import FileSystemLoader
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from eventstore import StoreTrouble
from pbem.engine.rules.refusals import Refusal, each
from pbem.engine.text.messages import Message, say
from pbem.matches.names import scenario_name, seat_word, title_name, turn_heading, turn_name
from pbem.matches.post.reply_tokens import NotValid
from pbem.matches.rulings import precedents
from pbem.matches.server import Server
from pbem.titles.rule_texts import RuleText, rule_text
from pbem.web.http import entry, pictures, speech, stored
from pbem.web.http.viewer import KEPT_LOOKS, Kept, not_found, the_server
from pbem.web.pages import account, creating, lobby, mailbox, sign_in, verifying
from pbem.web.pages.match import drafts, film, formations, planning, talk, turns
from pbem.web.pages.match import page as match
from pbem.web.pages.newcomers import first_games

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

log = logging.getLogger("pbem.web")

LARGEST_REQUEST = 256 * 1024
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: the form tokens check where a form came from. Links in emails never leave the site.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
NEXT = {
    400: say("Go back, reload the page and try again."),
    403: say("Sign in with the address that was invited, or go back to the lobby."),
    404: say("Check the address for a typing mistake, or find the match in the lobby."),
    405: say("Go back to the page you came from and use its buttons."),
    413: say("Orders are a few lines of text. Shorten yours and send them again."),
    422: say("Correct the fields named above and send the form again."),
    429: say("Wait a moment and try again. Nothing has been lost."),
    503: say("Come back later: the match will continue from this position. All other matches continue meanwhile."),
    500: say(
        "No partial change was saved. Try again in a minute; if it fails again, send the operator the number below."
    ),
}
"""What to do next, for each kind of error."""
WHAT = {
    400: say("The request could not be read."),
    403: say("You may not do that."),
    404: say("There is nothing at this address."),
    405: say("This address cannot be used in that way."),
    413: say("The request is too long."),
}
"""What happened, for errors that nothing else explains."""
NEW_LINK = say("A link in an email works once, or for a limited time. Ask for a new one on the sign-in page.")


MODULES = (
    lobby,
    first_games,
    creating,
    match,
    talk,
    planning,
    turns,
    film,
    drafts,
    formations,
    sign_in,
    account,
    verifying,
)


def create_app(server: Server, *, demo: bool = False, secret: bytes | None = None, proxies: int = 0) -> Flask:
    """The site of a server. `demo` offers a game at once and shows all outgoing mail: not for public servers.

    `proxies` is the number of trusted reverse proxies in front; forwarded headers from others are ignored.
    """
    app = Flask("pbem.web", static_folder=None)
    app.add_url_rule("/static/<filename>", "static", static_file)
    app.jinja_loader = FileSystemLoader(templates())
    configure(app, secret or session_key(server), demo)
    speech.install(app)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(instant=entry.instant, singles=each, side=partial(side, server))
    app.jinja_env.filters.update(game=partial(title_name, server), turn=turn_name, turn_heading=turn_heading)
    app.jinja_env.filters.update(scenario=lambda match: scenario_name(server, match.title, match.scenario))
    app.jinja_env.globals.update(scenario_name=partial(scenario_name, server))
    app.extensions["pbem"] = {
        "server": server,
        "demo": demo,
        "mails": mailbox.folder_of(server),
        "positions": Kept(KEPT_LOOKS),
        "views": Kept(KEPT_LOOKS),
        "pictures": Kept(pictures.MOST),
        "pages": Kept(stored.MOST_PAGES),
        "scenarios": Kept(stored.MOST_SCENARIOS),
    }
    app.before_request(begin)  # before anything that may refuse the request: a refusal names its number
    csrf = CSRFProtect(app)
    for module in MODULES:
        app.register_blueprint(module.bp)
    if demo:
        app.register_blueprint(mailbox.bp)
    csrf.exempt(sign_in.stop)  # mail programs press this button themselves; the token in the address is the proof
    app.wsgi_app = in_one_look(app.wsgi_app, server)  # type: ignore[method-assign, assignment]
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies)  # type: ignore[method-assign]
    app.url_defaults(add_version)
    app.after_request(finish)
    app.context_processor(
        lambda: {
            "account": g.get("account"),
            "zone": entry.zone,
            "language": entry.language,
            "demo": demo,
            "server": the_server().id,
            "rule_text_of": rule_text_of,
            "precedents_on": precedents_on,
        }
    )
    for problem in (HTTPException, Refusal, Exception):
        app.register_error_handler(problem, show_problem)
    return app


def in_one_look(site: WSGIApplication, server: Server) -> WSGIApplication:
    """Cache what a page reads while it is being built; requests that change something do without this cache."""

    def looking(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        with server.one_look() if environ["REQUEST_METHOD"] in ("GET", "HEAD") else nullcontext():
            return site(environ, start_response)

    return looking


def configure(app: Flask, secret: bytes, demo: bool) -> None:
    """Set how large requests may be and how sessions are kept."""
    app.config.update(
        SECRET_KEY=secret,
        MAX_CONTENT_LENGTH=LARGEST_REQUEST,
        SESSION_COOKIE_NAME="pbem" if demo else "__Host-pbem",
        SESSION_COOKIE_SECURE=not demo,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=30),
        SESSION_REFRESH_EACH_REQUEST=False,  # once an hour is enough: see `entry.recognise`
        WTF_CSRF_TIME_LIMIT=None,  # a player may think about a form for days
    )


def rule_text_of(created: dict[str, Any], rule: str) -> RuleText | None:
    """The text of a rule in the edition that a match is played by."""
    return rule_text(created["title"], rule, str(created["options"].get("edition", "")))


def precedents_on(title: str, rule: str) -> list[precedents.Precedent]:
    """The precedents of a title on a rule, or on a rule that it belongs to; they are read once per page."""
    known: dict[str, Any] = g.setdefault("precedents", {})
    if title not in known:
        known[title] = precedents.by_rule(the_server(), title)
    return precedents.on_rule(known[title], rule)


def templates() -> Path:
    """Return the folder of templates: next to the package in a checkout, inside it when installed."""
    package = Path(__file__).parents[2]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def add_version(endpoint: str, values: dict[str, Any]) -> None:
    """Put a content hash into the address of a static file, so that browsers may cache it for good."""
    if endpoint == "static":
        values["v"] = static_version(values["filename"])


def static_version(name: str) -> str:
    return packed_files()[name].tag[:12]


@cache
def packed_files() -> dict[str, stored.Stored]:
    """The static files, compressed once."""
    folder = Path(__file__).parents[1] / "static"
    contents = {file.name: file.read_bytes() for file in sorted(folder.iterdir())}
    return {name: stored.store(content, hashlib.sha256(content).hexdigest()) for name, content in contents.items()}


def static_file(filename: str) -> ResponseReturnValue:
    if filename not in packed_files():
        not_found(say("No file has this name."))
    response = make_response(stored.send(packed_files()[filename], guess_type(filename)[0] or "text/plain"))
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"  # new content gets a new address
    return response


def session_key(server: Server) -> bytes:
    """Return a secret that every worker of this server shares, derived from its signing key."""
    return server.signer.derive({"use": "web session"})


# Every request -----------------------------------------------------------------------------------------------


def begin() -> None:
    """Give the request a number, and find out who is signed in."""
    g.request_id = secrets.token_hex(6)
    entry.recognise()


def finish(response: Response) -> Response:
    if request.method not in ("GET", "HEAD", "OPTIONS"):
        the_server().mail_queued()
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers["X-Request-ID"] = g.get("request_id", "")
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    if request.endpoint != "static":
        # A page is for one viewer: no shared cache may store it.
        response.headers.setdefault("Cache-Control", "private, no-cache")
        response.vary.add("Cookie")
    return response


def side(server: Server, word: str) -> str:
    """The name of a seat or side in the reader's language."""
    return speech.words(seat_word(server, word))


# Error pages -------------------------------------------------------------------------------------------------


def show_problem(problem: Exception) -> ResponseReturnValue:
    """A page that says what happened, what to do next, and the number under which it is logged."""
    code, refusal = 500, None
    what: Message | str = say("Something went wrong on the server.")
    if isinstance(problem, Refusal):
        code, what, refusal = 422, str(problem), problem
    elif isinstance(problem, CSRFError):
        code, what = 400, say("This form is out of date: your session has ended, or you have signed in again.")
    elif isinstance(problem, HTTPException):
        code, what = problem.code or 500, problem.description or problem.name
        if what == type(problem).description:  # the library's own English
            what = WHAT.get(code, WHAT[400])
    elif isinstance(problem, OverflowError):
        code, what = 400, say("A number in this request is too large.")
    elif isinstance(problem, StoreTrouble):
        code, what = 503, say("The server cannot read or write its data at the moment.")
        log.error("request %s: %s %s: %s", g.get("request_id", ""), request.method, request.path, problem)
    number = g.get("request_id", "")
    if code == 500:
        log.error("request %s: %s %s failed", number, request.method, request.path, exc_info=problem)
    else:
        log.info("request %s: %s %s: %s %s", number, request.method, request.path, code, what)
    advice = NEW_LINK if isinstance(problem, NotValid) else NEXT.get(code, NEXT[400])
    page = render_template("web/problem.html", code=code, what=what, refusal=refusal, advice=advice, number=number)
    wait = getattr(problem, "retry_after", None)
    return page, code, {"Retry-After": str(wait)} if wait else {}
