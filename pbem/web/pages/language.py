"""How orders are written: the same page that `help` sends by email, from the same template."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from pbem.engine.rules.primer import Primer
from pbem.engine.text.messages import Message, say
from pbem.web.http import speech
from pbem.web.http.viewer import look, the_server

bp = Blueprint("language", __name__)


@bp.get("/help")
def general() -> ResponseReturnValue:
    """The requests that work in every match."""
    return page(say("How to play by email"))


@bp.get("/matches/<match>/help")
def of_match(match: str) -> ResponseReturnValue:
    """The requests that work in every match, with the orders of this match's title."""
    found = look(match)
    said = {"language": "help", "standing_orders": "standing_orders"}
    words = {name: speech.words(getattr(found.position.rules, method, str)()) for name, method in said.items()}
    created = found.position.record.created
    title = the_server().titles.get(created.title)
    primer = title.primer().translate(speech.translator()) if title is not None else Primer()
    return page(say("Orders in {name}", name=created.name), match=match, primer=primer, **words)


def page(
    heading: Message, *, match: str = "", language: str = "", standing_orders: str = "", primer: Primer | None = None
) -> str:
    said = {"language": language, "standing_orders": standing_orders, "primer": primer or Primer()}
    text = render_template("mail/_language.txt", **said)
    return render_template("web/language.html", heading=heading, text=text, match=match)


@bp.app_template_filter("shown")
def indent_lines(lines: str) -> str:
    """Lines indented by four spaces, as in an email."""
    return "\n".join(f"    {line}" for line in lines.splitlines())
