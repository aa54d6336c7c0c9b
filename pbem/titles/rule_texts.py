"""The text of each rule in our own words, as shipped with a title: `rules.csv` in the title's package.

A finding names its rule by number. The number leads to the text of that rule; a sub-rule without a text of its own
has its heading and the text of the rule that it belongs to.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Final

import msgspec

from pbem.engine.text.messages import Message, named, term

OWN: Final[Mapping[str, tuple[Message, Message]]] = {
    "pbem/answered": (
        term("rule", "Answers on your behalf"),
        term(
            "rule",
            "A question that you did not answer yourself was answered by the first of these that covers it: "
            "your orders for later questions, your standing orders, or the usual answer of the rules.",
        ),
    ),
    "pbem/failed": (
        term("rule", "Orders that were not carried out"),
        term("rule", "One of your orders could not be carried out when it was due, for the reason given here."),
    ),
    "pbem/seats": (
        term("rule", "Several players on a side"),
        term(
            "rule",
            "Each player orders the units of their own command; the chief orders units without another commander.",
        ),
    ),
}
"""Rules of the server that hold in every title."""


class RuleText(msgspec.Struct, frozen=True):
    """A rule: its number, its heading and its text. `of` is the rule that the text belongs to."""

    id: str
    heading: Message
    text: Message
    of: str


@cache
def _rows(title: str) -> dict[tuple[str, str], tuple[str, str]]:
    """The heading and text by edition and number; empty if the title ships none."""
    file = resources.files("pbem.titles").joinpath(title).joinpath("rules.csv")
    if not file.is_file():
        return {}
    rows = csv.DictReader(file.read_text("utf-8").splitlines())
    return {(row["edition"], row["id"]): (row["title"], row["text"]) for row in rows}


@cache
def rule_text(title: str, rule: str, edition: str = "") -> RuleText | None:
    """Return the text of a rule, or None if the title has none for it."""
    if rule in OWN:
        return RuleText(rule, *OWN[rule], rule)
    rows = _rows(title)
    editions = [edition, *sorted({ed for ed, _ in rows} - {edition}, reverse=True)]
    heading = ""

    def told(text: str, of: str) -> RuleText:
        return RuleText(rule, named("rule", heading or of), named("rule", text), of)

    for number in _upwards(rule):
        for ed in editions:
            found = rows.get((ed, number))
            if found is None:
                continue
            heading = heading or found[0]
            if found[1]:
                return told(found[1], number)
    return told(heading, rule) if heading else None


def _upwards(rule: str) -> Iterator[str]:
    """A number, then those that it belongs to: 6.5.2/n-rate, 6.5.2, 6.5, 6, each also as 6.0."""
    number = rule.strip()
    while number:
        yield number
        if "/" not in number and not number.endswith(".0"):
            yield f"{number}.0"
        cut = max(number.rfind("/"), number.rfind("."))
        number = number[:cut] if cut > 0 else ""
