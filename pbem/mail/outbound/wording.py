"""Email templates, and the same text as blocks for its HTML form."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import msgspec
from jinja2.utils import urlize
from markupsafe import Markup, escape

from pbem.engine.play.resolve import ANSWERED
from pbem.engine.text import messages
from pbem.engine.text.messages import ENGLISH, Message, Several, Translator
from pbem.matches.clock.causes import moment
from pbem.matches.names import scenario_name, seat_word, turn_heading, turn_name, turn_word
from pbem.matches.views import Status, Told


def templates() -> Path:
    """Return the folder of templates: next to the package in a checkout, inside it when installed."""
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
        finalize=finish,
        auto_reload=False,
    )
    made.globals.update(say=say, say_n=say_n, term=term, turns=turns)
    made.filters.update(for_reader=for_reader, sentence=sentence, shown=indent_lines, nested=nest_lists, side=side)
    made.filters.update(turn=turn, turn_heading=heading, linked=link_addresses, scenario=scenario)
    return made


# Messages, in the reader's language: `translator` is a fact of every email -----------------------------------


def translator_of(context: jinja2.runtime.Context) -> Translator:
    found: Translator = context.get("translator", ENGLISH)
    return found


@jinja2.pass_context
def finish(context: jinja2.runtime.Context, value: Any) -> Any:
    """Put a message into words where a template outputs it."""
    return translator_of(context)(value) if isinstance(value, Message | Several) else value


@jinja2.pass_context
def say(context: jinja2.runtime.Context, text: str, /, **args: Any) -> str:
    """A message in a template."""
    return translator_of(context)(messages.say(text, **args))


@jinja2.pass_context
def say_n(context: jinja2.runtime.Context, one: str, many: str, /, n: int, **args: Any) -> str:
    """A message in a template whose wording depends on a count."""
    return translator_of(context)(messages.say_n(one, many, n=n, **args))


@jinja2.pass_context
def term(context: jinja2.runtime.Context, kind: str, text: str, /) -> str:
    """A word in a template, with the kind of thing it names."""
    return translator_of(context)(messages.term(kind, text))


# Filters -------------------------------------------------------------------------------------------------------


@jinja2.pass_context
def for_reader(context: jinja2.runtime.Context, at: int) -> str:
    """An instant as the reader's clock shows it."""
    return translator_of(context)(moment(at, context.get("zone", "UTC")))


@jinja2.pass_context
def side(context: jinja2.runtime.Context, word: str) -> str:
    """The name that players read for a seat or side."""
    return translator_of(context)(seat_word(context["server"], word))


@jinja2.pass_context
def turn(context: jinja2.runtime.Context, number: int, match: Status | None = None) -> Message:
    """What players of a match call a turn; the default is the match that the email is about."""
    return turn_name(number, turns(context, match))


@jinja2.pass_context
def scenario(context: jinja2.runtime.Context, match: Status) -> str:
    """The printed name of the scenario of a match."""
    return scenario_name(context["server"], match.title, match.scenario)


@jinja2.pass_context
def heading(context: jinja2.runtime.Context, number: int) -> Message:
    """What players call a turn, worded for the beginning of a sentence."""
    return turn_heading(number, turns(context))


@jinja2.pass_context
def turns(context: jinja2.runtime.Context, match: Status | None = None) -> str:
    """The word for a turn in a match."""
    about = match or context.get("match")
    return turn_word(context["server"], about.title) if isinstance(about, Status) else "turn"


@jinja2.pass_context
def sentence(context: jinja2.runtime.Context, told: Told) -> str:
    """A finding's sentence as a line of a list."""
    return full_sentence(told, translator_of(context))


def full_sentence(told: Told, translator: Translator = ENGLISH) -> str:
    """A finding's sentence with its rule and dice, if the title's wording leaves them out."""
    text = translator(told.text)
    rule = "" if told.rule.partition("/")[0] in text or told.rule == ANSWERED else f" ({told.rule})"
    dice = "" if all(str(die) in text for die in told.dice) else translator(_dice(told))
    return f"{'  ' * told.depth}- {text}{rule}{dice}"


def _dice(told: Told) -> Message:
    return messages.say(" [dice {dice}]", dice=", ".join(map(str, told.dice)))


@jinja2.pass_context
def indent_lines(context: jinja2.runtime.Context, lines: str | list[str] | Message | Several) -> str:
    """Lines set off by four spaces."""
    lines = translator_of(context)(lines) if isinstance(lines, Message | Several) else lines
    return "\n".join(f"    {line}" for line in (lines.splitlines() if isinstance(lines, str) else lines))


def link_addresses(line: str) -> Markup:
    """Turn the addresses in a line into links; most lines have none."""
    return Markup(urlize(line, rel="noopener")) if ADDRESS.search(line) else escape(line)


ADDRESS = re.compile(r"@|://|www\.|[\w%-]\.\w")
"""A pattern that occurs in every address shown as a link."""


def nest_lists(lines: list[str]) -> Markup:
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
