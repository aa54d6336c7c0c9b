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
from pbem.matches.server import Server
from pbem.web.http.inputs import LONGEST_ORDERS
from pbem.web.http.viewer import not_found, the_server

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
    context: dict[str, Any] = {"address": address, **found.facts(query())}
    current_app.update_template_context(context)
    return template.render(context)


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


@lru_cache(maxsize=32)
def compile_template(environment: Environment, source: str) -> Template:
    return environment.from_string(source)
