"""How the API works: callers, inputs, outputs and errors of operations, and the document made from them.

An operation is a function with a declaration. The declaration checks the caller's token, reads the body by its
schema, and writes the answer by its schema; `openapi` turns all declarations into the OpenAPI document.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from functools import cache, wraps
from http import HTTPStatus
from importlib import metadata
from typing import Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Blueprint, Response, abort, g, request
from flask.typing import ResponseReturnValue
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import HTTPException

from eventstore import StoreTrouble
from pbem.engine.rules.refusals import Ambiguous, Objection, Refusal, Refusals, Unreadable, each
from pbem.engine.text.messages import Message, Several, in_words, say
from pbem.matches.accounts import accounts, api_tokens
from pbem.matches.accounts.api_tokens import SCOPES, ApiToken
from pbem.web.api.schemas import ProblemSchema
from pbem.web.http.field_errors import reasons_in
from pbem.web.http.speech import translator, words
from pbem.web.http.viewer import Look, look, the_server
from pbem.web.http.visitor_limits import spend, visitor

log = logging.getLogger("pbem.web")

Act = Callable[..., Any]

bp = Blueprint("api", __name__, url_prefix="/api/v1")

PUBLIC_SCOPE = "public"
"""No token is needed; with one, the answer includes what its account may see."""

ADVICE = {
    400: say("Send a JSON object as described in /api/v1/openapi.json."),
    401: say("Send `Authorization: Bearer` with a token from your account page."),
    403: say("Use a token that has the scope this operation needs, from an account that is allowed to do this."),
    404: say("Check the address; /api/v1/matches lists the matches."),
    405: say("Use one of the methods listed in the Allow header."),
    413: say("Send a smaller request."),
    422: say("Correct the fields listed under `refusals` and send the request again."),
    429: say("Wait, then send requests less often."),
    503: say("Try again later; the match will continue from its current state."),
    500: say(
        "No partial change was saved. Try again in a minute; if it fails again, "
        "send the operator the number of this request."
    ),
}
"""What to do next, for each kind of problem."""


DEEPEST = 30
BRACKETS = re.compile(rb"[][{}]")


class Operation(msgspec.Struct, frozen=True):
    """The documentation of an operation."""

    method: str
    path: str
    name: str
    summary: str
    scope: str
    code: int
    takes: type[Schema] | None
    asks: type[Schema] | None
    gives: type[Schema] | None
    media: str


OPERATIONS: list[Operation] = []


def operation(
    method: str,
    path: str,
    *,
    scope: str = PUBLIC_SCOPE,
    takes: type[Schema] | None = None,
    asks: type[Schema] | None = None,
    gives: type[Schema] | None = None,
    code: int = 200,
    media: str = "application/json",
    name: str = "",
    limit: str = "",
) -> Callable[[Act], Act]:
    """Declare an operation: `takes` is the schema of its body, `asks` of its query, `gives` of its answer.

    `limit` is how often an account may do this, counted together with the site's pages.
    """

    def declare(act: Act) -> Act:
        known = name or act.__name__
        summary = (act.__doc__ or known).strip().partition("\n")[0]
        OPERATIONS.append(Operation(method, path, known, summary, scope, code, takes, asks, gives, media))

        @wraps(act)
        def answered(**arguments: Any) -> ResponseReturnValue:
            check_scope(scope)
            if limit:
                spend(limit, g.account.id if g.account is not None else visitor())
            if takes is not None:
                arguments |= load(takes, body())
            if asks is not None:
                # Fields for other operations, such as `seat`, are ignored.
                arguments |= load(asks, {key: request.args[key] for key in asks().fields if key in request.args})
            result = act(**arguments)
            return result if isinstance(result, Response) else write(result, gives, code)

        bp.add_url_rule(path, known, answered, methods=[method])
        return act

    return declare


# Callers -----------------------------------------------------------------------------------------------------


@bp.before_request
def know_caller() -> None:
    """Identify the caller by token only: a browser's cookie is ignored here, so that no page can use it."""
    g.token = token_of_request()
    g.account = accounts.account(the_server(), g.token.account) if g.token is not None else None


def token_of_request() -> ApiToken | None:
    """Return the token of the Authorization header; an invalid one is refused, not treated as anonymous."""
    kind, _, word = request.headers.get("Authorization", "").partition(" ")
    if not kind:
        return None
    token = api_tokens.find(the_server(), word.strip()) if kind.lower() == "bearer" else None
    if token is None:
        raise Denied(401, "This token is not valid, or has expired.")
    return token


def check_scope(scope: str) -> None:
    """Check the scope: public operations need no token or one that may read, all others a token with their scope."""
    if g.token is None:
        if scope != PUBLIC_SCOPE:
            raise Denied(401, f"This needs a token with the scope {scope}.")
    elif not g.token.opens("read" if scope == PUBLIC_SCOPE else scope):
        raise Denied(403, f"This token does not have the scope {'read' if scope == PUBLIC_SCOPE else scope}.")


class Denied(HTTPException):
    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code

    def get_headers(self, *args: Any, **more: Any) -> list[tuple[str, str]]:
        return [*super().get_headers(*args, **more), ("WWW-Authenticate", "Bearer")]


def look_at_match(match: str, *, after: int | None = None, live: bool = False) -> Look:
    """Return the match as the caller may see it, from the seat they name."""
    found = look(match, after=after, live=live)
    wanted = request.args.get("seat", "")
    if wanted and wanted != found.seat:
        abort(403, f"You do not have the seat {wanted}.")
    return found


def look_as_player(match: str) -> Look:
    """Return the match as a player in it may see it."""
    found = look_at_match(match)
    if not found.seat:
        abort(403, "Only a player with a seat in this match can do that.")
    return found


# Requests and answers ----------------------------------------------------------------------------------


def body() -> Any:
    """The JSON object of the request; an empty body counts as an empty object."""
    if not request.get_data():
        return {}
    if depth_of(request.get_data()) > DEEPEST:
        abort(400, "The body is nested too deeply.")
    found = request.get_json(silent=True)
    if not isinstance(found, dict):
        raise Unreadable(
            "body", [Objection("pbem/api", say("the body must be a JSON object sent as application/json"))]
        )
    if not is_text(found):
        abort(400, "A string in the body contains half of a surrogate pair.")
    return found


def is_text(found: Any) -> bool:
    """Whether all texts can be written in UTF-8; half of a surrogate pair, which JSON can escape, cannot."""
    try:
        msgspec.json.encode(found)
    except UnicodeEncodeError:
        return False
    return True


def depth_of(content: bytes) -> int:
    """Return how deeply brackets are nested, including those in strings; no real body comes near the limit."""
    depth = deepest = 0
    for sign in BRACKETS.findall(content):
        depth += 1 if sign in (b"[", b"{") else -1
        deepest = max(deepest, depth)
    return deepest


def load(schema: type[Schema], said: Any) -> dict[str, Any]:
    """Return the request in its typed form; a refusal names every field that does not fit."""
    try:
        loaded: dict[str, Any] = schema().load(said)
    except ValidationError as error:
        found = error.messages if isinstance(error.messages, dict) else {"body": error.messages}
        fields = list(schema().fields)
        raise Refusals(
            [Unreadable(name, objections_of(why), [] if name in fields else fields) for name, why in found.items()]
        ) from error
    return loaded


def objections_of(why: Any) -> list[Objection]:
    return [Objection("pbem/api", reason) for reason in reasons_in(why)]


def write(result: Any, gives: type[Schema] | None, code: int = 200) -> Response:
    """Return the response in its schema. Its ETag depends on its content, which depends on the caller's view."""
    plain = {} if gives is None else gives().dump(in_words(result, translator()))
    response = Response(msgspec.json.encode(plain, order="sorted"), code, mimetype="application/json")
    if request.method == "GET":
        response.add_etag()
        response.make_conditional(request)
    return response


@bp.after_request
def vary(response: Response) -> Response:
    response.vary.add("Authorization")
    return response


# Errors ---------------------------------------------------------------------------------------------


def show_problem(problem: Exception) -> Response:
    """A problem as JSON: what happened, what to do next, and every refusal with its rules and legal alternatives."""
    code, refusals = 500, []
    detail: Message | Several | str = say("Something went wrong on the server.")
    if isinstance(problem, Refusal):
        code, detail, refusals = 422, problem.message, [as_data(one) for one in each(problem)]
    elif isinstance(problem, HTTPException):
        code, detail = problem.code or 500, problem.description or problem.name
    elif isinstance(problem, OverflowError):
        code, detail = 400, say("A number in this request is too large.")
    elif isinstance(problem, StoreTrouble):
        code, detail = 503, say("The server cannot read or write its data at the moment.")
        log.error("request %s: %s %s: %s", g.get("request_id", ""), request.method, request.path, problem)
    number = g.get("request_id", "")
    if code == 500:
        log.error("request %s: %s %s failed", number, request.method, request.path, exc_info=problem)
    shown = {
        "title": HTTPStatus(code).phrase,
        "status": code,
        "detail": words(detail),
        "advice": words(ADVICE.get(code, ADVICE[400])),
        "request": number,
        "refusals": refusals,
    }
    content = msgspec.json.encode(ProblemSchema().dump(shown), order="sorted")
    response = Response(content, code, mimetype="application/problem+json")
    if isinstance(problem, HTTPException):
        for name, value in problem.get_headers():
            if name in ("Allow", "Retry-After", "WWW-Authenticate"):
                response.headers[name] = value
    return response


KINDS = {Unreadable: "unreadable", Ambiguous: "ambiguous"}


def as_data(refusal: Refusal) -> dict[str, Any]:
    return {
        "kind": next((name for kind, name in KINDS.items() if isinstance(refusal, kind)), "illegal"),
        "line": refusal.line,
        "part": refusal.part,
        "objections": [{"rule": objection.rule, "why": words(objection.why)} for objection in refusal.objections],
        "instead": list(refusal.instead),
    }


for kind in (HTTPException, Refusal, Exception):
    bp.register_error_handler(kind, show_problem)


# The document ------------------------------------------------------------------------------------------------


@cache
def openapi() -> dict[str, Any]:
    """All operations as an OpenAPI document."""
    spec = APISpec(
        title="pbem",
        version=metadata.version("pbem"),
        openapi_version="3.1.0",
        plugins=[MarshmallowPlugin(schema_name_resolver=schema_name)],
        info={"description": "Play-by-email server for board wargames. Instants are milliseconds since 1970 in UTC."},
        servers=[{"url": "/api/v1"}],
        security=[{}, {"token": []}],
    )
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for one in OPERATIONS:
        spec.path(path=template_of(one.path), operations={one.method.lower(): describe(one)})
    document: dict[str, Any] = spec.to_dict()
    return document


def schema_name(schema: Any) -> str:
    known = schema if isinstance(schema, type) else type(schema)
    return known.__name__.removesuffix("Schema")


def template_of(path: str) -> str:
    """Turn `/matches/<int:k>` into `/matches/{k}`."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path)


def describe(one: Operation) -> dict[str, Any]:
    answer = {one.media: {"schema": one.gives} if one.gives else {}}
    problem = {"description": "a problem", "content": {"application/problem+json": {"schema": ProblemSchema}}}
    said: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.summary,
        "tags": [tag_of(one)],
        "parameters": list(parameters_of(one)),
        "responses": {str(one.code): {"description": "done", "content": answer}, "default": problem},
    }
    if one.scope != PUBLIC_SCOPE:
        said["security"] = [{"token": []}]
        said["description"] = f"Needs a token with the scope `{one.scope}`: {SCOPES[one.scope]}."
    if one.takes is not None:
        said["requestBody"] = {"required": True, "content": {"application/json": {"schema": one.takes}}}
    return said


def tag_of(one: Operation) -> str:
    if "/tournaments" in one.path:
        return "tournaments"
    by_scope = {"master": "game master", "account": "account", "operator": "server"}
    return by_scope.get(one.scope, "play" if "<match>" in one.path else "site")


def parameters_of(one: Operation) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {
            "in": "path",
            "name": name,
            "required": True,
            "schema": {"type": "integer" if kind == "int:" else "string"},
        }
        for kind, name in re.findall(r"<(\w+:)?(\w+)>", one.path)
    ]
    if "<match>" in one.path and one.scope != "master":
        seat = {"in": "query", "name": "seat", "schema": {"type": "string"}, "description": "which of your seats"}
        found.append(seat)
    if one.asks is not None:
        found.append({"in": "query", "schema": one.asks})
    return found
