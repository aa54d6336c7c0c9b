"""The guide: the pages of `pbem/guide` as they are shipped, for players, operators and developers."""

from __future__ import annotations

from functools import cache
from importlib import resources

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue
from markdown_it import MarkdownIt
from markupsafe import Markup

bp = Blueprint("guide", __name__, url_prefix="/guide")

ORDER = ("architecture", "glossary", "contributing", "events", "changelog")
"""The pages that come first in the list; others follow by name."""


@cache
def pages() -> dict[str, str]:
    """Return the title of each page by its name, in reading order."""
    folder = resources.files("pbem") / "guide"
    names = sorted(item.name.removesuffix(".md") for item in folder.iterdir() if item.name.endswith(".md"))
    ordered = [*(name for name in ORDER if name in names), *(name for name in names if name not in ORDER)]
    return {name: text_of(name).partition("\n")[0].lstrip("# ") for name in ordered}


def text_of(name: str) -> str:
    """Return the Markdown of a page."""
    return (resources.files("pbem") / "guide" / f"{name}.md").read_text("utf-8")


@cache
def render_markdown(name: str) -> Markup:
    """Return a page as HTML. The texts are our own, and raw HTML in them is not passed through."""
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text_of(name))
    for other in pages():
        html = html.replace(f'href="{other}.md"', f'href="/guide/{other}"')
    return Markup(
        html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    )


@bp.get("/")
def index() -> ResponseReturnValue:
    """Show the first page of the guide."""
    return page(next(iter(pages())))


@bp.get("/<name>")
def page(name: str) -> ResponseReturnValue:
    """Show one page of the guide, with the list of all its pages."""
    if name not in pages():
        abort(404)
    return render_template("web/guide.html", name=name, pages=pages(), body=render_markdown(name))
