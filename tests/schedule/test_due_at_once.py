"""§11 Matches that are due at once close and resolve in the order of their deadlines, while pages are served."""

from __future__ import annotations

from pathlib import Path

from programs.due_at_once import run


def test_matches_that_are_due_at_once_close_and_resolve_in_order_while_pages_answer(tmp_path: Path) -> None:
    """The program `due_at_once` finds every match closed and resolved in order; when it is run by hand,
    it uses 4,000 matches."""
    found = run(tmp_path, 130)
    assert found["closed"] == found["resolved"] == 130 and found["halted"] == 0
    assert found["closed_in_order"] and found["resolved_in_order"]
    assert found["rounds"] > 2, "a round has its budget"
    assert found["pages"] > 2 and found["pages_refused"] == 0
