"""Findings: explained results, as data, each with its audience."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from pbem.engine.rules.happenings import Happening

PUBLIC: Final = "public"
"""A viewer without a seat: spectators and the public."""

MASTER: Final = "master"
"""The game master, who may see everything; every look is recorded as an event."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One explained result. `to` names the seats that may see it; None means all viewers."""

    rule: str
    to: tuple[str, ...] | None = None
    inputs: dict[str, Any] = {}
    modifiers: tuple[dict[str, Any], ...] = ()
    cell: Any = None
    dice: tuple[int, ...] = ()
    result: Any = None
    children: tuple[Finding, ...] = ()
    shows: tuple[Happening, ...] = ()


class Placed(msgspec.Struct, frozen=True, array_like=True):
    """A finding that only some viewers may see, and its place among the findings that a wider circle may see.

    `at` leads down the tree: (2, 0) is before the first child of the third finding.
    """

    at: tuple[int, ...]
    finding: Finding


def happenings_in(findings: Iterable[Finding]) -> Iterator[Happening]:
    """Yield everything that findings and their children show, in order."""
    for finding in findings:
        yield from finding.shows
        yield from happenings_in(finding.children)


Sees: TypeAlias = Callable[[Finding], bool]


def may_see(finding: Finding, viewer: str) -> bool:
    return finding.to is None or viewer == MASTER or viewer in finding.to


def seen_by(findings: Iterable[Finding], viewer: str) -> list[Finding]:
    """The findings that the viewer may see, in order, with no trace of the others."""
    return _visible(findings, lambda finding: may_see(finding, viewer))


def _visible(findings: Iterable[Finding], sees: Sees) -> list[Finding]:
    return [
        msgspec.structs.replace(finding, to=None, children=tuple(_visible(finding.children, sees)))
        for finding in findings
        if sees(finding)
    ]


def only_seen_by(findings: Iterable[Finding], viewers: Sequence[str], known: Sequence[Sequence[str]]) -> list[Placed]:
    """The findings that these viewers may see and wider circles may not, each with its place among the latter's.

    `known` are the wider circles: groups of viewers who may all see certain findings, the smallest group last.
    """
    inner = [_all_of(circle) for circle in known]
    return list(_placed_among(findings, lambda finding: any(sees(finding) for sees in inner), _all_of(viewers)))


def _all_of(viewers: Sequence[str]) -> Sees:
    return lambda finding: all(may_see(finding, viewer) for viewer in viewers)


def _placed_among(
    findings: Iterable[Finding], inner: Sees, outer: Sees, at: tuple[int, ...] = ()
) -> Iterator[Placed]:
    count = 0
    for finding in findings:
        if inner(finding):
            yield from _placed_among(finding.children, inner, outer, (*at, count))
            count += 1
        elif outer(finding):
            yield Placed((*at, count), _visible([finding], outer)[0])


def put_together(known: Sequence[Finding], added: Iterable[Placed]) -> list[Finding]:
    """Merge a circle's findings with those that only some members may see, in order."""
    by_place: dict[tuple[int, ...], list[Finding]] = {}
    for placed in added:
        by_place.setdefault(placed.at, []).append(placed.finding)
    return _fill_in(known, by_place, ()) if by_place else list(known)


def _fill_in(
    known: Sequence[Finding], by_place: dict[tuple[int, ...], list[Finding]], at: tuple[int, ...]
) -> list[Finding]:
    found: list[Finding] = []
    for number, finding in enumerate(known):
        found += by_place.get((*at, number), [])
        children = tuple(_fill_in(finding.children, by_place, (*at, number)))
        found.append(finding if children == finding.children else msgspec.structs.replace(finding, children=children))
    return found + by_place.get((*at, len(known)), [])
