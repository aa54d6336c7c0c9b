"""The three properties of happenings that make a film safe, as checks on one exchange.

fold_flaws       the view before and the happenings give the view after: places, losses, markers
secrecy_flaws    a film names no unit that its viewer may not know
fate_flaws       every line of a sealed order ends in a happening or in a reason
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.rules.ask import Answer, Ask
from pbem.engine.rules.findings import PUBLIC, Finding, seen_by
from pbem.engine.rules.happenings import Appear, Change, Fail, Happening, Lose, Move, Shot, Vanish
from pbem.engine.rules.title import Rules

FATES = (Move, Shot, Lose, Appear, Vanish, Fail)
"""What an order can end in."""


def shown(findings: Iterable[Finding]) -> Iterator[Happening]:
    """Yield all happenings of findings, in their order."""
    for finding in findings:
        yield from finding.shows
        yield from shown(finding.children)


def fold(board: dict[str, Any], happening: Happening) -> None:
    """Change a board of places as a happening says."""
    if isinstance(happening, Move):
        board[happening.who] = happening.path[-1][0]
    elif isinstance(happening, Appear):
        board[happening.who] = happening.place
    elif isinstance(happening, Lose | Vanish):
        board.pop(happening.who, None)


def fold_flaws(rules: Rules, before: Any, after: Any, findings: Iterable[Finding]) -> Iterator[str]:
    """Yield each unit and marker where the happenings do not lead from one view to the other."""
    findings, board, wanted = list(findings), places(rules, before), places(rules, after)
    marks, known = dict(rules.markers(before)), rules.markers(after)
    kinds = {what for _, what in (*marks, *known)}
    for happening in shown(findings):
        fold(board, happening)
        if isinstance(happening, Change):
            kinds.add(happening.what)
            marks[happening.who, happening.what] = happening.now
        elif isinstance(happening, Lose | Vanish):
            marks = {key: now for key, now in marks.items() if key[0] != happening.who}
    for unit in sorted({*board, *wanted}):
        if board.get(unit) != wanted.get(unit):
            yield f"{unit} is in {wanted.get(unit)}, and the happenings say {board.get(unit)}"
    if not known and not rules.markers(before):
        return
    left = {key: now for key, now in marks.items() if now}
    for key in sorted({*left, *known}):
        if left.get(key) != known.get(key):
            yield f"{key[0]}: {key[1]} is {known.get(key)}, and the happenings say {left.get(key)}"


def places(rules: Rules, view: Any) -> dict[str, Any]:
    """Return the place of each unit that a view shows."""
    return {stand.id: stand.at for stand in rules.stands(view) if stand.at is not None}


def secrecy_flaws(
    rules: Rules, before: Any, after: Any, findings: Iterable[Finding], own: Iterable[str] = ()
) -> Iterator[str]:
    """Yield each unit that a film names though it is in neither view, does not appear and is not the viewer's own."""
    known = {stand.id for view in (before, after) for stand in rules.stands(view)} | {*own}
    for happening in shown(findings):
        if isinstance(happening, Appear):
            known.add(happening.who)
        for unit in (getattr(happening, "who", ""), getattr(happening, "at", "")):
            if isinstance(unit, str) and unit and unit not in known:
                yield f"{type(happening).__name__} names {unit}"


def exchange_flaws(
    rules: Rules, before: Mapping[str, Any], after: Mapping[str, Any], findings: Sequence[Finding]
) -> Iterator[str]:
    """Yield what the films of an exchange get wrong, for every viewer whose views are given."""
    if not rules.tells_happenings:
        return
    public = failed(seen_by(findings, PUBLIC))
    for viewer in before:
        seen = seen_by(findings, viewer)
        own = failed(seen) - public  # a seat may have ordered a unit that is off the map
        flaws = [
            *fold_flaws(rules, before[viewer], after[viewer], seen),
            *secrecy_flaws(rules, before[viewer], after[viewer], seen, own),
        ]
        yield from (f"film of {viewer}: {flaw}" for flaw in flaws)


def failed(findings: Iterable[Finding]) -> set[str]:
    """Return the units whose orders failed, as far as these findings tell."""
    return {happening.who for happening in shown(findings) if isinstance(happening, Fail)}


def fate_flaws(rules: Rules, ask: Ask, answer: Answer, findings: Iterable[Finding]) -> Iterator[str]:
    """Yield each unit whose order has come to nothing that is told."""
    left = rules.ordered(ask, answer) - fates(findings)
    yield from (f"the order of {unit} has no fate" for unit in sorted(left))


def fates(findings: Iterable[Finding]) -> set[str]:
    """Return the units of whose orders something is told."""
    return {happening.who for happening in shown(findings) if isinstance(happening, FATES)}
