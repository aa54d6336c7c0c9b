"""Email templates, and the same text as blocks for its HTML form."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import jinja2
import msgspec
from jinja2.utils import urlize
from markupsafe import Markup, escape

from pbem.engine.play.resolve import ANSWERED
from pbem.matches.clock.deadlines import in_words
from pbem.matches.names import seat_name, turn_name, turn_word
from pbem.matches.views import Status, Told


def templates() -> Path:
    """Next to the package in a checkout, inside it when installed."""
    package = Path(__file__).parents[2]
    inside = package / "templates"
    return (inside if inside.is_dir() else package.parent / "templates") / "mail"


@cache
def environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates()),
        autoescape=jinja2.select_autoescape(["html"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(for_reader=for_reader, sentence=sentence, shown=shown, nested=nested, side=side)
    made.filters.update(turn=turn, linked=linked)
    made.globals.update(turns=turns)
    return made


@jinja2.pass_context
def for_reader(context: jinja2.runtime.Context, at: int) -> str:
    """An instant as the reader's clock shows it."""
    return in_words(at, context.get("zone", "UTC"))


@jinja2.pass_context
def side(context: jinja2.runtime.Context, word: str) -> str:
    """The name that players read for a seat or side."""
    return seat_name(context["server"], word)


@jinja2.pass_context
def turn(context: jinja2.runtime.Context, number: int, match: Status | None = None) -> str:
    """How players of a match call a turn; without one, those of the match that the email is about."""
    return turn_name(number, turns(context, match))


@jinja2.pass_context
def turns(context: jinja2.runtime.Context, match: Status | None = None) -> str:
    """The word for a turn in a match."""
    about = match or context.get("match")
    return turn_word(context["server"], about.title) if isinstance(about, Status) else "turn"


def sentence(told: Told) -> str:
    """A told finding with its rule and its dice, if the title's sentence leaves them out."""
    rule = "" if told.rule.partition("/")[0] in told.text or told.rule == ANSWERED else f" ({told.rule})"
    dice = "" if all(str(die) in told.text for die in told.dice) else f" [dice {', '.join(map(str, told.dice))}]"
    return f"{'  ' * told.depth}- {told.text}{rule}{dice}"


def shown(lines: str | list[str]) -> str:
    """Lines set off by four spaces."""
    return "\n".join(f"    {line}" for line in (lines.splitlines() if isinstance(lines, str) else lines))


def linked(line: str) -> Markup:
    """Make links of the addresses in a line; most lines have none."""
    return Markup(urlize(line, rel="noopener")) if ADDRESS.search(line) else escape(line)


ADDRESS = re.compile(r"@|://|www\.|[\w%-]\.\w")
"""What every address contains that is shown as a link."""


def nested(lines: list[str]) -> Markup:
    """Turn lines that begin with a dash into nested lists, for screen readers."""
    made, depth = Markup(), -1
    for line in lines:
        wanted = min((len(line) - len(line.lstrip())) // 2, depth + 1)
        made += LIST if wanted > depth else Markup("</li>") + Markup("</ul></li>") * (depth - wanted)
        made += Markup("<li>{}").format(line.strip().removeprefix("- "))
        depth = wanted
    return made + Markup("</li></ul>") * (depth + 1)


LIST = Markup('<ul style="margin: .25em 0; padding-left: 1.2em">')


class Block(msgspec.Struct, frozen=True):
    """A paragraph of a text: `text`, `code` (set off by four spaces), `quote` or `list`."""

    kind: str
    lines: list[str]


def blocks(text: str) -> list[Block]:
    """The paragraphs of a text, for the HTML form."""
    found: list[Block] = []
    open_block = False
    for line in text.splitlines():
        kind = kind_of(line)
        if not line.strip() and not (kind == "code" and open_block):
            open_block = False
            continue
        if not (open_block and found[-1].kind == kind):
            found.append(Block(kind, []))
        found[-1].lines.append(line.removeprefix("    ") if kind == "code" else line)
        open_block = True
    return found


def kind_of(line: str) -> str:
    if line.lstrip().startswith("- "):
        return "list"
    if line.startswith("    "):
        return "code"
    return "quote" if line.startswith(">") else "text"
