"""Pages provided by titles, such as a list builder: served for any title in the same way."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from flask import Blueprint, current_app, request, url_for
from flask.typing import ResponseReturnValue
from jinja2 import Environment, Template

from pbem.engine.rules.title import Page
from pbem.engine.text.messages import say
from pbem.matches.history.final_views import KeptRules
from pbem.matches.server import Server
from pbem.web.http.inputs import LONGEST_ORDERS
from pbem.web.http.viewer import Look, look, not_found, the_server

bp = Blueprint("titles", __name__, url_prefix="/titles")


class Link(msgspec.Struct, frozen=True):
    """A link to a page of a title."""

    title: str
    label: str
    about: str
    address: str


@bp.get("/<title>/<name>")
def page(title: str, name: str) -> ResponseReturnValue:
    """A page of a title, from its own template."""
    found = page_of(the_server(), title, name)
    address = url_for("titles.page", title=title, name=name)
    template = compile_template(current_app.jinja_env, found.template())
    asking = asking_match(found)
    said = query() | (settled_by(asking, name, found) if asking else {})
    context: dict[str, Any] = {"address": address, **found.facts(said), "asking": asking}
    current_app.update_template_context(context)
    return template.render(context)


def asking_match(page: Page) -> Look | None:
    """Return the match named in the query, if it now asks the reader for a list from this page."""
    if not page.answers or "match" not in request.args:
        return None
    found = look(request.args["match"])
    return found if found.ask is not None and found.ask.kind in page.answers else None


def settled_by(found: Look, name: str, page: Page) -> dict[str, str]:
    """The parts of a page's query that a match decides, whatever the address says."""
    asked = found.position.rules.page_query(name, found.seat)
    return {part: value for part, value in asked.items() if part in page.settled}


def page_of(server: Server, title: str, name: str) -> Page:
    """Return the page with this name, or a not-found answer."""
    pages = server.titles[title].pages if title in server.titles else {}
    return pages[name] if name in pages else not_found(say("No page has this name."))


def query() -> dict[str, str]:
    """Return the query, with each value cut to the maximum length of orders."""
    return {name: said[:LONGEST_ORDERS] for name, said in request.args.items()}


def links(server: Server, title: str = "") -> list[Link]:
    """The pages of a title, or of all titles."""
    return [
        Link(of, one.label, one.about, url_for("titles.page", title=of, name=name))
        for of, game in sorted(server.titles.items())
        for name, one in sorted(game.pages.items())
        if title in ("", of)
    ]


def links_of_match(found: Look) -> list[Link]:
    """The pages of a match's title, opened with what the match says about them."""
    rules = found.position.rules
    known = {} if isinstance(rules, KeptRules) else the_server().titles[found.position.record.created.title].pages
    return [link_of_match(found, name, one) for name, one in sorted(known.items())]


def link_of_match(found: Look, name: str, page: Page) -> Link:
    of = found.position.record.created.title
    said: dict[str, Any] = dict(found.position.rules.page_query(name, found.seat))
    if found.ask is not None and found.ask.kind in page.answers:
        said |= {"match": found.match, "seat": found.seat}
    return Link(of, page.label, page.about, url_for("titles.page", title=of, name=name, **said))


@lru_cache(maxsize=32)
def compile_template(environment: Environment, source: str) -> Template:
    return environment.from_string(source)
