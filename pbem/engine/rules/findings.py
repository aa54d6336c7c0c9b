"""Findings: explained results, as data, each with its audience."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

PUBLIC: Final = "public"
"""A viewer without a seat: spectators and everybody else."""

MASTER: Final = "master"
"""The game master: sees everything, and every look is an event."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One explained result. `to` names the seats that may know it; None means everybody."""

    rule: str
    to: tuple[str, ...] | None = None
    inputs: dict[str, Any] = {}
    modifiers: tuple[dict[str, Any], ...] = ()
    cell: Any = None
    dice: tuple[int, ...] = ()
    result: Any = None
    children: tuple[Finding, ...] = ()


def may_see(finding: Finding, viewer: str) -> bool:
    return finding.to is None or viewer == MASTER or viewer in finding.to


def seen_by(findings: Iterable[Finding], viewer: str) -> list[Finding]:
    """What the viewer may know, in order, with no trace of what was left out."""
    return [
        msgspec.structs.replace(finding, to=None, children=tuple(seen_by(finding.children, viewer)))
        for finding in findings
        if may_see(finding, viewer)
    ]
