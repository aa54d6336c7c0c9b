"""How much a player may write at once, so that reading it takes bounded work, whichever way it arrives.

Orders are a few lines for each unit. Three times the form is always enough; a longer text is refused before any
line of it is read, and an answer to it is never larger than the form.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.history.replay import Position, load
from pbem.matches.players import work
from pbem.matches.server import Server

MOST_TEXT = 20_000
"""The number of characters that is always read; for a large form, three times its size."""

MOST_LINES = 400
LONGEST_LINE = 1_000
"""The most characters of one order; a message may be longer."""

LEAST_ANSWER = 4_000
"""The number of characters of a player's own lines that an answer can always repeat."""


def check_size(position: Position, seat: str, text: str) -> None:
    """Refuse a text that is too large to be orders."""
    lines = text.count("\n") + 1
    work.spend(characters=len(text))
    if len(text) <= MOST_TEXT and lines <= MOST_LINES:
        return
    form = form_of(position, seat)
    most, most_lines = max(MOST_TEXT, 3 * len(form)), max(MOST_LINES, 3 * form.count("\n"))
    if len(text) > most or lines > most_lines:
        why = say(
            "your text has {text_} characters in {lines} lines; the limit is {most} characters in {most_lines} lines",
            text_=len(text),
            lines=lines,
            most=most,
            most_lines=most_lines,
        )
        raise Unreadable("", [Objection("pbem/size", why)], ["only your orders, without quoted text"])


def check_lines(orders: str) -> None:
    """Refuse a line that is too long to be an order."""
    for number, line in enumerate(orders.split("\n"), start=1):
        if len(line) > LONGEST_LINE:
            why = say(
                "line {number} has {line} characters; an order can have at most {longest_line}",
                number=number,
                line=len(line),
                longest_line=LONGEST_LINE,
            )
            raise Unreadable(line[:40], [Objection("pbem/size", why)], ["one order per line"])


def form_of(position: Position, seat: str) -> str:
    """Return the form of the open exchange; empty if the seat has no decision to make."""
    ask = position.run.ask_of(seat) if seat in position.asked else None
    return "" if ask is None else position.form(ask)


def within(lines: Sequence[str], most: int) -> list[str]:
    """Return the first lines that fit into this many characters, and a line saying how many are left out."""
    kept: list[str] = []
    used = 0
    for number, line in enumerate(lines):
        used += len(line) + 1
        if used > most:
            return [*kept, f"… and {len(lines) - number} more"]
        kept.append(line)
    return kept


def repeated_lines(server: Server, match: str, seat: str, text: str) -> str:
    """Return as much of a player's lines as an answer repeats: at most as many characters as the form has."""
    if len(text) < LEAST_ANSWER:
        return text
    try:
        most = most_quoted(load(server, match), seat)
    except KeyError:
        most = LEAST_ANSWER
    return "\n".join(within(text.splitlines(), most))


def most_quoted(position: Position, seat: str) -> int:
    """How many characters of a player's lines an answer repeats."""
    return max(LEAST_ANSWER, len(form_of(position, seat)))
