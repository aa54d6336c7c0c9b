"""The proposals in a refusal: whole lines, each tested before it is offered.

    read_with_proposals    read a text; the proposals in a refusal are lines that would be accepted unchanged
    candidates             the lines a proposal may mean: itself, or the refused line with a word corrected

The rules that refuse an order name a legal alternative: a unit, a hex, a weapon, or a line. This module turns it into
a line that a player can send back. A proposal that would itself be refused is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from pbem.engine.rules.refusals import Refusal, Refusals, Unreadable, each
from pbem.engine.rules.title import Submission
from pbem.engine.text.grammar import lines

MOST_MENDED: Final = 8
"""The maximum number of refusals in a text that get proposals."""
MOST_LINES: Final = 400
"""The maximum number of lines read in search of proposals; beyond it a text gets no more of them."""
MOST_TRIED: Final = 24
"""The maximum number of proposals tried for one refusal."""
MOST_OFFERED: Final = 6
MOST_DEEPER: Final = 3
"""The maximum number of refused proposals whose own proposals are tried."""

Attempt = Callable[[str], Submission]
"""A function that reads and checks a text as if it had been sent."""


def read_with_proposals(attempt: Attempt, text: str) -> Submission:
    """Read a text; if it is refused, propose only lines that would be accepted."""
    try:
        return attempt(text)
    except Refusal as refusal:
        trying, singles = with_line_limit(attempt), each(refusal)
        found = [with_proposals(trying, text, single) for single in singles[:MOST_MENDED]]
        found += [type(left)(left.part, left.objections, [], left.line) for left in singles[MOST_MENDED:]]
        if isinstance(refusal, Refusals):
            raise Refusals(found) from refusal
        raise found[0] from refusal


def with_line_limit(attempt: Attempt) -> Attempt:
    """Limit the total number of lines read; any further lines are refused unread."""
    left = MOST_LINES

    def within(text: str) -> Submission:
        nonlocal left
        left -= text.count("\n") + 1
        if left < 0:
            raise Unreadable(text[:40], [], [])
        return attempt(text)

    return within


def with_proposals(attempt: Attempt, text: str, refusal: Refusal) -> Refusal:
    """A refusal with complete lines that could be sent instead."""
    said = refusal.line or only_line(text)
    tried = list(dict.fromkeys(line for word in refusal.instead for line in candidates(refusal.part, said, word)))
    offered: list[str] = []
    for line in tried[:MOST_TRIED]:
        if len(offered) < MOST_OFFERED and is_accepted(attempt, text, said, line):
            offered.append(line)
    if not offered:
        further = [*proposed_instead(attempt, tried[:MOST_DEEPER]), *fallback_lines(said)]
        offered = [line for line in further if is_accepted(attempt, text, said, line)][:1]
    return type(refusal)(refusal.part, refusal.objections, offered, refusal.line)


def proposed_instead(attempt: Attempt, tried: Iterable[str]) -> Iterator[str]:
    """The proposals in the refusals of lines that were tried and refused."""
    for line in tried:
        for refusal in refusals_of(attempt, line):
            for word in refusal.instead:
                yield from candidates(refusal.part, line, word)


def fallback_lines(said: str) -> list[str]:
    """The fallback if nothing similar is legal; nothing if no single line is at fault.

    Unit and verb may be in the wrong order, or the verb may be unknown. Otherwise the unit holds, or `done`.
    """
    if not said:
        return []
    first, *rest = said.split()
    meant = [
        [*rest[:1], first, *rest[1:]],
        [first, "move", *rest],
        [first, "fire", *rest],
        [first, "move", *rest[1:]],
    ]
    return [*(" ".join(words) for words in meant if rest and len(words) > 2), f"{first} hold", "done", "default"]


def only_line(text: str) -> str:
    """The line of a single-line text; empty if it has several."""
    said = lines(text)
    return said[0].written if len(said) == 1 else ""


def candidates(part: str, said: str, proposal: str) -> Iterator[str]:
    """The lines that a proposal may stand for: the refused line with a word replaced, then the proposal itself."""
    plain = re.sub(r"\s*\(.*?\)", "", proposal).strip()
    unit, _, rest = part.partition(" ")
    for wrong in (rest, part, unit):
        if wrong and said:
            yield from replacements(said, wrong, plain)
    yield plain


def replacements(said: str, wrong: str, right: str) -> Iterator[str]:
    """The line with the wrong word replaced, once for each occurrence."""
    for found in re.finditer(rf"(?<!\w){re.escape(wrong)}(?!\w)", said, re.IGNORECASE):
        if (line := said[: found.start()] + right + said[found.end() :]) != said:
            yield line


def is_accepted(attempt: Attempt, text: str, said: str, line: str) -> bool:
    """Whether a line is accepted both on its own and in place of the refused one."""
    if any(refusals_of(attempt, line)):
        return False
    written = [one.written for one in lines(text)]
    if said not in written or len(written) == 1:
        return True
    where = written.index(said)
    whole = "\n".join([*written[:where], line, *written[where + 1 :]])
    return all(refusal.line and refusal.line != line for refusal in refusals_of(attempt, whole))


def refusals_of(attempt: Attempt, text: str) -> tuple[Refusal, ...]:
    """The refusals of a text."""
    try:
        attempt(text)
    except Refusal as refusal:
        return each(refusal)
    return ()
