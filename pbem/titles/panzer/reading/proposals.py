"""4.2.1 What a refusal proposes: whole lines, each tried before it is offered.

    proposing     read a text; the proposals of a refusal are lines that would be accepted as they stand
    candidates    the lines that a proposal may mean: itself, or the refused line with a word put right

The rules that refuse an order name what would be legal: a unit, a hex, a weapon, or a line. Here it becomes a line
that a player can send back. A proposal that would be refused in turn is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from pbem.engine.rules.refusals import Refusal, Refusals, Unreadable, each
from pbem.engine.rules.title import Submission
from pbem.engine.text.grammar import lines

MOST_MENDED: Final = 8
"""For how many refusals of a text lines are sought that could be sent instead."""
MOST_LINES: Final = 400
"""How many lines are read in this search; a text with many faults is told what is wrong, and no more."""
MOST_TRIED: Final = 24
"""How many proposals of one refusal are tried."""
MOST_OFFERED: Final = 6
MOST_DEEPER: Final = 3
"""How many refused proposals are asked in turn what could be sent instead."""

Attempt = Callable[[str], Submission]
"""Read and check a text as if it had been sent."""


def proposing(attempt: Attempt, text: str) -> Submission:
    """Read a text; what a refusal of it proposes would be accepted."""
    try:
        return attempt(text)
    except Refusal as refusal:
        trying, singles = limited(attempt), each(refusal)
        found = [with_proposals(trying, text, single) for single in singles[:MOST_MENDED]]
        found += [type(left)(left.part, left.objections, [], left.line) for left in singles[MOST_MENDED:]]
        if isinstance(refusal, Refusals):
            raise Refusals(found) from refusal
        raise found[0] from refusal


def limited(attempt: Attempt) -> Attempt:
    """Read only so many lines in all; what comes after them is refused unread."""
    left = MOST_LINES

    def within(text: str) -> Submission:
        nonlocal left
        left -= text.count("\n") + 1
        if left < 0:
            raise Unreadable(text[:40], [], [])
        return attempt(text)

    return within


def with_proposals(attempt: Attempt, text: str, refusal: Refusal) -> Refusal:
    """One refusal with the whole lines that could be sent instead."""
    said = refusal.line or only_line(text)
    tried = list(dict.fromkeys(line for word in refusal.instead for line in candidates(refusal.part, said, word)))
    offered: list[str] = []
    for line in tried[:MOST_TRIED]:
        if len(offered) < MOST_OFFERED and is_accepted(attempt, text, said, line):
            offered.append(line)
    if not offered:
        further = [*proposed_instead(attempt, tried[:MOST_DEEPER]), *least(said)]
        offered = [line for line in further if is_accepted(attempt, text, said, line)][:1]
    return type(refusal)(refusal.part, refusal.objections, offered, refusal.line)


def proposed_instead(attempt: Attempt, tried: Iterable[str]) -> Iterator[str]:
    """What is proposed in the refusals of lines that were tried in vain."""
    for line in tried:
        for refusal in attempted(attempt, line):
            for word in refusal.instead:
                yield from candidates(refusal.part, line, word)


def least(said: str) -> list[str]:
    """What can be said if nothing comes near to a line: that its unit holds, or nothing more."""
    return [*(f"{word} hold" for word in said.split()[:1]), "done", "default"]


def only_line(text: str) -> str:
    """The line of a text that has no other."""
    said = lines(text)
    return said[0].written if len(said) == 1 else ""


def candidates(part: str, said: str, proposal: str) -> Iterator[str]:
    """The lines that a proposal may mean: the refused line with a word put right, then the proposal itself."""
    plain = re.sub(r"\s*\(.*?\)", "", proposal).strip()
    unit, _, rest = part.partition(" ")
    for wrong in (rest, part, unit):
        if wrong and said:
            yield from replaced(said, wrong, plain)
    yield plain


def replaced(said: str, wrong: str, right: str) -> Iterator[str]:
    """A line with one place put right where it says something wrong."""
    for found in re.finditer(rf"(?<!\w){re.escape(wrong)}(?!\w)", said, re.IGNORECASE):
        if (line := said[: found.start()] + right + said[found.end() :]) != said:
            yield line


def is_accepted(attempt: Attempt, text: str, said: str, line: str) -> bool:
    """Whether a line is accepted by itself, and in the place of the one that was refused."""
    if any(attempted(attempt, line)):
        return False
    written = [one.written for one in lines(text)]
    if said not in written or len(written) == 1:
        return True
    where = written.index(said)
    whole = "\n".join([*written[:where], line, *written[where + 1 :]])
    return all(refusal.line and refusal.line != line for refusal in attempted(attempt, whole))


def attempted(attempt: Attempt, text: str) -> tuple[Refusal, ...]:
    """The refusals of a text."""
    try:
        attempt(text)
    except Refusal as refusal:
        return each(refusal)
    return ()
