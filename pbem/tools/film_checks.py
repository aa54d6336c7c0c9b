"""Checks that the happenings of an exchange give a correct replay, and reveal nothing to the wrong viewer.

Told.flaws       the view before and the happenings give the view after: places, losses, markers, holders
Films            the same over a whole match, in which an exchange may end in the middle of a fight
secrecy_flaws    a replay names no unit that its viewer may not see
path_flaws       a move begins where its viewer had seen the unit
fate_flaws       every unit with a sealed order has a fate: a happening or a reason
Lines            the summary of a turn reports the fate of every line of the sealed orders
unproved         an order that the map does not show has a finding of its rule, or a reason
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.rules.ask import Answer, Ask
from pbem.engine.rules.findings import PUBLIC, Finding, happenings_in, seen_by
from pbem.engine.rules.happenings import (
    Appear,
    Area,
    Battle,
    Change,
    Control,
    Fail,
    Happening,
    Lose,
    Move,
    Shot,
    Vanish,
)
from pbem.engine.rules.title import Rules, Stand, Submission
from pbem.matches.film.summary import Given, lines_without_fate, who
from pbem.matches.film.wording import Words

FATES = (Move, Shot, Battle, Lose, Appear, Vanish, Fail)
"""The possible outcomes of an order."""


def fold(board: dict[str, Any], happening: Happening) -> None:
    """Apply a happening to a board of places."""
    if isinstance(happening, Move):
        board[happening.who] = happening.path[-1][0]
    elif isinstance(happening, Appear):
        board[happening.who] = happening.place
    elif isinstance(happening, Lose | Vanish):
        board.pop(happening.who, None)


class Told:
    """Everything shown to a viewer so far: each unit's place and its markers, and who holds each place."""

    def __init__(self, rules: Rules, view: Any) -> None:
        self.rules = rules
        self.board, self.marks, self.held = places(rules, view), dict(rules.markers(view)), dict(rules.holders(view))

    def hear(self, findings: Iterable[Finding]) -> None:
        """Follow the happenings of the findings."""
        for happening in happenings_in(findings):
            fold(self.board, happening)
            if isinstance(happening, Change):
                self.marks[happening.who, happening.what] = happening.now
            elif isinstance(happening, Control):
                self.held[happening.what] = happening.side
            elif isinstance(happening, Lose | Vanish):
                self.marks = {key: now for key, now in self.marks.items() if key[0] != happening.who}

    def flaws(self, view: Any) -> Iterator[str]:
        """Yield each unit, marker and holder in the view that differs from what was shown."""
        for unit, shown, known in differing(self.board, places(self.rules, view)):
            yield f"{unit} is in {known}, and the happenings say {shown}"
        for (unit, what), shown, known in differing(self.marks, self.rules.markers(view)):
            yield f"{unit}: {what} is {known}, and the happenings say {shown}"
        for place, shown, known in differing(self.held, self.rules.holders(view)):
            yield f"{place} is held by {known}, and the happenings say {shown}"


def differing(shown: Mapping[Any, Any], known: Mapping[Any, Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Yield each key with different values, and both values; None stands for a value that is off or missing."""
    for key in sorted({*shown, *known}):
        if (shown.get(key) or None) != (known.get(key) or None):
            yield key, shown.get(key) or None, known.get(key)


class Films:
    """The replays of a match, one exchange after another.

    If an exchange ends in the middle of a fight, the fight may be shown once its last question is answered. Between
    turns everything must have been shown.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.unfinished: dict[str, Told] = {}
        self.lost: dict[str, set[str]] = {}
        """The units that each viewer has seen lost: a fight reported later may name them."""

    def flaws(
        self, before: Mapping[str, Any], after: Mapping[str, Any], findings: Sequence[Finding], *, between_turns: bool
    ) -> Iterator[str]:
        """Yield the mistakes in the replays of the next exchange, for every viewer with given views."""
        if not self.rules.tells_happenings:
            return
        public = failed_units(seen_by(findings, PUBLIC))
        on_the_map = {unit for view in before.values() for unit in places(self.rules, view)}
        for viewer in before:
            seen = seen_by(findings, viewer)
            told = self.unfinished.pop(viewer, None) or Told(self.rules, before[viewer])
            own = failed_units(seen) - public  # a seat may have ordered a unit that is off the map
            lost = self.lost.setdefault(viewer, set())
            known = {*own, *told.board, *lost}
            secrets = [
                *secrecy_flaws(self.rules, before[viewer], after[viewer], seen, known),
                *path_flaws(seen, told.board, on_the_map.difference(places(self.rules, before[viewer]))),
            ]
            lost.update(one.who for one in happenings_in(seen) if isinstance(one, Lose))
            told.hear(seen)
            behind = list(told.flaws(after[viewer]))
            if behind and not between_turns:
                self.unfinished[viewer], behind = told, []
            yield from (f"film of {viewer}: {flaw}" for flaw in (*behind, *secrets))


def places(rules: Rules, view: Any) -> dict[str, Any]:
    """Return the place of each unit that a view shows."""
    return {stand.id: stand.at for stand in rules.stands(view) if stand.at is not None}


def secrecy_flaws(
    rules: Rules, before: Any, after: Any, findings: Iterable[Finding], own: Iterable[str] = ()
) -> Iterator[str]:
    """Yield each unit a replay names though it is in neither view, does not appear and is not the viewer's own."""
    known = {stand.id for view in (before, after) for stand in rules.stands(view)} | {*own}
    for happening in happenings_in(findings):
        if isinstance(happening, Appear):
            known.add(happening.who)
        for unit in units_of(happening):
            if unit not in known:
                yield f"{type(happening).__name__} names {unit}"


def units_of(happening: Happening) -> Iterator[str]:
    """Yield the units that a happening names."""
    if isinstance(happening, Battle):
        yield from (*happening.units, *happening.against)
    for unit in (getattr(happening, "who", ""), getattr(happening, "at", "")):
        if isinstance(unit, str) and unit:
            yield unit


def path_flaws(findings: Iterable[Finding], shown: Mapping[str, Any], hidden: Collection[str]) -> Iterator[str]:
    """Yield each move that does not begin where its viewer had seen the unit, and dust raised by a unit that is still
    hidden.

    A unit that comes onto the map may move without having been seen, but a unit that was there, hidden, has to appear
    first.
    """
    board = dict(shown)
    for happening in happenings_in(findings):
        if isinstance(happening, Move):
            who, start = happening.who, happening.path[0][0]
            if who in board and board[who] != start:
                yield f"{who} moves from {start}, and was shown in {board[who]}"
            elif who not in board and who in hidden:
                yield f"{who} moves from {start}, where it was hidden"
        elif isinstance(happening, Area) and happening.by in hidden and happening.by not in board:
            yield f"Area names {happening.by}"
        fold(board, happening)


def exchange_flaws(
    rules: Rules, before: Mapping[str, Any], after: Mapping[str, Any], findings: Sequence[Finding]
) -> Iterator[str]:
    """Yield the mistakes in the replays of an exchange that shows everything, for every viewer with given views."""
    yield from Films(rules).flaws(before, after, findings, between_turns=True)


def failed_units(findings: Iterable[Finding]) -> set[str]:
    """Return the units with failed orders according to these findings."""
    return {happening.who for happening in happenings_in(findings) if isinstance(happening, Fail)}


def fate_flaws(rules: Rules, ask: Ask, answer: Answer, findings: Iterable[Finding]) -> Iterator[str]:
    """Yield each unit with an order whose outcome is not reported."""
    left = rules.ordered_units(ask, answer) - fates(findings)
    yield from (f"the order of {unit} has no fate" for unit in sorted(left))


def fates(findings: Iterable[Finding]) -> set[str]:
    """Return the units with orders whose outcome is reported."""
    return {unit for happening in happenings_in(findings) if isinstance(happening, FATES) for unit in who(happening)}


class Lines:
    """The orders of one seat in a turn, as lines, with everything that happened after them."""

    def __init__(self, rules: Rules, seat: str) -> None:
        self.rules, self.seat = rules, seat
        self.given: list[Given] = []
        self.findings: list[Finding] = []
        self.stands: dict[str, Stand] = {}
        self.carriers: dict[str, str] = {}
        self.later: dict[str, str] = {}

    def take(
        self, ask: Ask | None, said: Submission | None, views: Sequence[Any], findings: Iterable[Finding]
    ) -> None:
        """Record an exchange: the seat's orders, its views before and after, and the findings that it may see."""
        lines = self.rules.restate(ask, said).splitlines() if ask is not None and said is not None else []
        written = [line for text in lines if (line := text.split("#")[0].strip())]
        seen = seen_by(findings, self.seat)
        self.findings += seen
        self.given.append(Given(written, [(0, one) for one in happenings_in(seen)]))
        for view in views:
            self.stands |= {stand.id: stand for stand in self.rules.stands(view)}
            carriers = self.rules.carriers(view)
            self.carriers, self.later = {**carriers, **self.carriers}, {**self.later, **carriers}

    def flaws(self) -> Iterator[str]:
        """Yield each line whose outcome is missing from the turn's summary, and begin the next turn."""
        side = self.rules.sides[self.seat]
        words = Words(self.rules, self.stands, side, carriers=self.carriers, later_carriers=self.later)
        lines = [line for one in self.given for line in one.lines]
        left = [*lines_without_fate(self.given, words), *unproved(lines, self.findings, self.rules.evidence)]
        yield from (f"`{line}` has no fate" for line in dict.fromkeys(left))
        self.given, self.findings, self.stands, self.carriers, self.later = [], [], {}, {}, {}


def unproved(
    lines: Iterable[str], findings: Sequence[Finding], evidence: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    """Yield each order that needs evidence and has none: no finding of its rules names it, and no reason is given."""
    fails = [one for one in happenings_in(findings) if isinstance(one, Fail)]
    for line in lines:
        words = line.replace(",", " ").split()
        verb = next((word for word in words[:2] if word in evidence), None)
        if verb is None or any(fail.order == line for fail in fails):
            continue
        failed = {fail.who for fail in fails if verb in fail.order.split()}
        shown = names_under(findings, evidence[verb]) | failed
        if not shown or not shown.issuperset(subjects(words, verb)):
            yield line


def subjects(words: Sequence[str], verb: str) -> list[str]:
    """The unit or mission before the verb of an order; if there is none, the places and numbers after it."""
    before, after = words[: words.index(verb)], words[words.index(verb) + 1 :]
    return list(before) or [word for word in after if any(letter.isdigit() for letter in word)]


def names_under(findings: Iterable[Finding], rules: Collection[str]) -> set[str]:
    """Everything that findings of these rules name, the rule itself included."""
    found: set[str] = set()
    for finding in findings:
        if finding.rule in rules:
            found |= {finding.rule, *names_in(finding.inputs), *names_in(finding.result)}
        found |= names_under(finding.children, rules)
    return found


def names_in(value: Any) -> Iterator[str]:
    """Yield every plain value in the data of a finding as text."""
    if isinstance(value, Mapping):
        value = [*value.values()]
    if isinstance(value, list | tuple):
        for one in value:
            yield from names_in(one)
    else:
        yield str(value)
