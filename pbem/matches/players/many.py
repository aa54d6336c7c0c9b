"""Orders for many units by text: `company a overwatch` becomes the lines that the title proposes for that formation.

expand      the text with every such line replaced by whole lines
formation   the formation that a player names, by its id, its name, or words that fit only one name
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import Any

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Ambiguous, Illegal, Objection, Refusal, Refusals, Unreadable
from pbem.engine.rules.title import Formation, Rules, Wish
from pbem.engine.text.messages import say

RULE = "pbem/many"
COLLECTIVE = re.compile(r"^\s*(?:company|formation)\s+(.+)$", re.IGNORECASE)
"""Matches a line for a whole formation. No title has an order that begins with these words."""

LINES_EACH = 3
"""The most lines read for each formation of a seat."""


def expand(rules: Rules, view: Any, ask: Ask, text: str) -> str:
    """Replace each line for a formation with lines for its units; a unit's own line takes precedence."""
    lines = text.splitlines()
    if not any(COLLECTIVE.match(line) for line in lines):
        return text
    known = rules.formations(view, ask.seat)
    check_count(sum(1 for line in lines if COLLECTIVE.match(line)), len(known))
    kept = tuple(line for line in lines if line.strip() and not COLLECTIVE.match(line))
    wrong: list[Refusal] = []
    found: list[str] = []
    for line in lines:
        try:
            found += expand_formation_line(rules, view, ask, line, known, kept) if COLLECTIVE.match(line) else [line]
        except Refusal as refusal:
            wrong.append(refusal)
    if wrong:
        raise wrong[0] if len(wrong) == 1 else Refusals(wrong)
    return "\n".join(found)


def check_count(lines: int, formations: int) -> None:
    """Refuse too many lines for formations, because each of them may need a map search for all its units."""
    most = LINES_EACH * max(1, formations)
    if lines > most:
        why = say("your text has {lines} orders for formations; the limit is {most}", lines=lines, most=most)
        raise Unreadable("", [Objection("pbem/size", why)], ["one order for each formation"])


def expand_formation_line(
    rules: Rules, view: Any, ask: Ask, line: str, known: Sequence[Formation], kept: tuple[str, ...]
) -> Iterator[str]:
    """Return the lines for single units that a formation's line replaces; `kept` are the lines of single units."""
    own = {unit.lower() for one in known for unit in one.units}
    named = {unit for one in kept for unit in units_ordered(one, own)}
    said = COLLECTIVE.match(line.split("#")[0])
    words = said[1].split() if said else []
    verbs = rules.verbs(ask)
    place = next((index for index, word in enumerate(words) if index and word.lower() in verbs), 0)
    if not place:
        instead = [f"company {known[0].id} {verb}" for verb in verbs] if known else []
        raise Unreadable(line.strip(), [Objection(RULE, say("say what the formation should do"))], instead, line)
    chosen, verb = formation(known, " ".join(words[:place]), line), words[place].lower()
    where = " ".join(words[place + 1 :])
    units = tuple(unit for unit in chosen.units if unit.lower() not in named)
    at = {"target": where} if verb in ("fire", "attack", "short-halt") else {"goal": where.upper()}
    proposal = rules.propose(view, ask, Wish(units, verb, kept=kept, **at))
    if not proposal.lines:
        against = list(proposal.objections) or [
            Objection(RULE, say("{chosen} has no unit that can do that now", chosen=chosen.name))
        ]
        raise Illegal(chosen.name, against, [], line)
    yield from proposal.lines


def units_ordered(line: str, own: Set[str]) -> set[str]:
    """Return the units that a line is for: the one that it begins with, otherwise all that it names."""
    words = [word.lower() for word in re.findall(r"[^\s,:+]+", line.split("#")[0])]
    return set(words[:1]) if words and words[0] in own else set(own) & set(words)


def formation(known: Sequence[Formation], name: str, line: str = "") -> Formation:
    """Return the formation with this id or name, or the only one whose name contains these words."""
    wanted = name.lower()
    for fits in (
        [one for one in known if one.id.lower() == wanted],
        [one for one in known if one.name.lower() == wanted],
        [one for one in known if all(word in one.name.lower() for word in wanted.split())],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise Ambiguous(
                name, [Objection(RULE, say("several formations match that name"))], [one.id for one in fits], line
            )
    why = Objection(RULE, say("you have no formation with that name"))
    raise Unreadable(name, [why], [f"{one.id} ({one.name})" for one in known], line)
