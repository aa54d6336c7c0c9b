"""Terms of use and privacy: the server's expectations of its players, and the data it stores about them.

The default texts are in `pbem/guide` and describe the program. Operators can put their own into the data folder, as
`terms.md` and `privacy.md`.
"""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from markdown_it import MarkdownIt
from markupsafe import Markup

from pbem.engine.text.messages import Message, say
from pbem.web.http.viewer import the_server
from pbem.web.pages.guide import text_of

bp = Blueprint("legal", __name__)


@bp.get("/terms")
def terms() -> ResponseReturnValue:
    return show("terms", say("Terms of use"))


@bp.get("/privacy")
def privacy() -> ResponseReturnValue:
    return show("privacy", "Privacy")


def show(name: str, title: Message | str) -> str:
    """Show the operator's own text, or otherwise the program's default."""
    own = the_server().store.path.with_name(f"{name}.md")
    text = own.read_text("utf-8") if own.is_file() else text_of(name)
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return render_template("web/legal.html", title=title, body=Markup(html))
