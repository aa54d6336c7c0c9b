"""Events are written and read as typed objects; no code takes payloads apart or puts them together by hand."""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "pbem"
OWN = (
    "matches/events",
    "tools/bench/store.py",
    "tools/simulation/bugs.py",
    "matches/history/upcasters.py",
    "tournaments",
    "ratings",
    "campaigns",
    "titles",
)
"""Modules that may handle payloads: the catalogue and its upcasters, the benchmark of the store, planted bugs, and
packages whose streams have types of their own."""

BY_HAND = {
    "matches/audit/conduct/course.py",
    "matches/audit/conduct/ends.py",
    "matches/audit/conduct/shapes.py",
    "matches/audit/procedure.py",
    "matches/audit/verify.py",
    "matches/audit/witnesses.py",
    "matches/history/moves.py",
}
"""Modules that still read payloads or make events by hand; the list may only shrink. The verifiers stay on it: they
judge logs of strangers, which may fit no class, and `moves` is used by them."""


def found(pattern: str) -> set[str]:
    names = {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    return {name for name, text in names.items() if re.search(pattern, text) and not name.startswith(OWN)}


def test_no_payload_is_taken_apart_by_hand() -> None:
    assert found(r"\.payload(\[|\.get\()") - BY_HAND == set()


def test_no_event_is_put_together_by_hand() -> None:
    assert found(r"NewEvent\(") - BY_HAND == set()
