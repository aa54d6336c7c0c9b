"""Suggestions after a refusal: the nearest legal lines, and how we read the other lines.

A refusal names the mistake and near alternatives. Here they become whole lines, and each has been read and checked on
the seat's view together with the correct lines: every proposal would be accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from pbem.engine.rules.refusals import Refusal, each
from pbem.engine.rules.title import Submission
from pbem.engine.text.grammar import lines
from pbem.matches.exchange import sealing
from pbem.matches.history.replay import Position
from pbem.matches.players import requests

MOST_PROPOSALS = 3
"""The most proposals made for one line."""

MOST_TRIED = 12
"""The most readings tried for one line, and the most lines examined: an email full of mistakes must not hold up
others."""
MOST_LINES = 12
MOST_READ = 40_000
"""The most characters read in all while alternatives are tried: orders for hundreds of units take long to read."""


class Advice(msgspec.Struct, frozen=True):
    """Suggestions: `understood` restates the correct lines; `instead` has acceptable lines for each wrong one."""

    understood: str = ""
    instead: dict[str, list[str]] = {}


def advise(
    position: Position, seat: str, exchange: int, text: str, refusals: Sequence[tuple[str, Refusal]]
) -> Advice:
    """Suggest corrections for refused lines; each line comes with its refusal."""
    if exchange != position.record.open_exchange or position.run.ask_of(seat) is None:
        return Advice()
    adviser = _Adviser(position, seat, exchange, text, {line for line, _ in refusals})
    instead = {line: adviser.nearest(line, refusal) for line, refusal in refusals[:MOST_LINES] if line}
    return Advice(adviser.restate_correct_lines(), instead)


class _Adviser:
    """Tries other lines in place of the refused ones."""

    def __init__(self, position: Position, seat: str, exchange: int, text: str, wrong: set[str]) -> None:
        self._position, self._seat, self._exchange = position, seat, exchange
        self._left = MOST_READ
        self._refused = [_words(line)[:1] for line in wrong]
        given = [line.written for line in lines(requests.parse(text).rest)]
        self._right = [line for line in given if line not in {bad.strip() for bad in wrong}]
        if isinstance(self._try(self._right), Refusal):
            self._right = []
        ask = position.run.ask_of(seat)
        assert ask is not None
        self._ask = ask
        self._form = [line.written for line in lines(position.rules.form(position.run.view(seat), ask))]

    def restate_correct_lines(self) -> str:
        """The canonical reading of the correct lines."""
        read = self._try(self._right) if self._right else None
        said = self._position.rules.restate(self._ask, read).strip() if isinstance(read, Submission) else ""
        # A line for all remaining units does not apply to those whose own line was refused.
        return "\n".join(line for line in said.splitlines() if _words(line)[:1] not in self._refused)

    def nearest(self, line: str, refusal: Refusal) -> list[str]:
        """Lines that would be accepted in place of this one, nearest first."""
        if requests.is_ours(line):
            return list(dict.fromkeys(_in_place(line, refusal)))[:MOST_PROPOSALS]
        found: list[str] = []
        waiting, tried = list(_in_place(line, refusal)), [line]
        while waiting and len(tried) <= MOST_TRIED and len(found) < MOST_PROPOSALS and self._left > 0:
            candidate = waiting.pop(0)
            if candidate in tried or self._has_an_order(candidate, line):
                continue
            tried.append(candidate)
            read = self._try([*self._right, candidate])
            if isinstance(read, Refusal):
                # Another refusal of this line may suggest a line that is accepted.
                waiting += [nearer for single in each(read) for nearer in _in_place(candidate, single)]
            else:
                found.append(candidate)
        return found or self._of_the_form(tried)

    def _has_an_order(self, candidate: str, line: str) -> bool:
        """Whether another, correct line already gives this unit an order."""
        first = _words(candidate)[:1]
        return first != _words(line)[:1] and first in [_words(right)[:1] for right in self._right]

    def _of_the_form(self, tried: Sequence[str]) -> list[str]:
        """Return the form's line for the same unit, or for the unit that is probably meant."""
        said = {tuple(_words(line)[:1]): line for line in reversed(self._form)}
        same = [said[first] for line in tried if said.get(first := tuple(_words(line)[:1]))]
        is_legal = self._left > 0 and same and not isinstance(self._try(same[:1]), Refusal)
        return same[:1] if is_legal else []

    def _try(self, given: Sequence[str]) -> Submission | Refusal:
        text = "\n".join(given)
        self._left -= len(text)
        try:
            return sealing.check_text(self._position, self._seat, self._exchange, text)
        except Refusal as refusal:
            return refusal


def _in_place(line: str, refusal: Refusal) -> Iterator[str]:
    """Yield the line corrected by each suggestion: a line replaces all of it, but a word only the refused part."""
    for near in refusal.instead:
        if tail := _tail_in_place(line, refusal.part, near):
            yield tail
        elif _words(near)[:1] == _words(line)[:1] and " " in near.strip():
            yield near
        elif refusal.part and (found := _place_of(refusal.part, line)):
            yield line[: found.start()] + near + line[found.end() :]
        elif not refusal.part or " " in near:
            yield near


def _tail_in_place(line: str, part: str, near: str) -> str:
    """If only the words after the unit were wrong, keep the rest of a longer line, such as a move after a halt."""
    (who, _, tail), (other, _, instead) = part.partition(" "), near.partition(" ")
    if who.lower() != other.lower() or _words(tail)[:1] != _words(instead)[:1]:
        return ""
    found = _place_of(tail, line) if tail else None
    return line[: found.start()] + instead + line[found.end() :] if found else ""


def _place_of(part: str, line: str) -> re.Match[str] | None:
    """Return where a part is in a line; the last occurrence counts, since the first may be the acting unit."""
    found = list(re.finditer(rf"(?<![\w-]){re.escape(part)}(?![\w-])", line, re.IGNORECASE))
    return found[-1] if found else None


def _words(line: str) -> list[str]:
    return re.findall(r"[\w'./-]+", line.lower())
