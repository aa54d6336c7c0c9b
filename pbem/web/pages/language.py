"""How orders are written: the page that the word `help` mails, from the same template."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from pbem.web.http.viewer import look

bp = Blueprint("language", __name__)


@bp.get("/help")
def general() -> ResponseReturnValue:
    """What is understood in every match."""
    return page("How to play by mail")


@bp.get("/matches/<match>/help")
def of_match(match: str) -> ResponseReturnValue:
    """The same with the orders of the match's title."""
    found = look(match)
    said = {"language": "help", "standing_orders": "standing_orders"}
    words = {name: str(getattr(found.position.rules, method, str)()) for name, method in said.items()}
    return page(f"Orders in {found.position.record.created['name']}", match=match, **words)


def page(heading: str, *, match: str = "", language: str = "", standing_orders: str = "") -> str:
    text = render_template("mail/_language.txt", language=language, standing_orders=standing_orders)
    return render_template("web/language.html", heading=heading, text=text, match=match)


@bp.app_template_filter("shown")
def shown(lines: str) -> str:
    """Lines set off by four spaces, as in a mail."""
    return "\n".join(f"    {line}" for line in lines.splitlines())
