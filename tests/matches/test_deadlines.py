"""§11 A deadline is a pure function of events and can say why."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.matches import deadlines
from pbem.matches.deadlines import HOUR, MINUTE, Deadline, due_at, in_words, moved, remind_at, span_in_words

NOON = 1_900_000_000_000


def test_a_cadence_counts_from_the_opening_and_says_so() -> None:
    deadline = due_at(4, NOON, 48)
    assert deadline is not None
    assert (deadline.exchange, deadline.at) == (4, NOON + 48 * HOUR)
    assert deadline.why == f"48 hours after {in_words(NOON)}"
    assert due_at(4, NOON, 0) is None, "no cadence, no deadline"


def test_a_moved_deadline_keeps_its_whole_story() -> None:
    deadline = moved(moved(Deadline(2, NOON, "48 hours after X"), 10 * MINUTE, "A"), 90 * MINUTE, "B")
    assert deadline.at == NOON + 100 * MINUTE
    assert deadline.why == "48 hours after X; A: 10 min later; B: 1 h 30 min later"


@given(cadence=st.integers(1, 24 * 30))
def test_a_reminder_comes_after_the_opening_and_before_the_deadline(cadence: int) -> None:
    deadline = due_at(2, NOON, cadence)
    assert deadline is not None
    assert NOON < remind_at(deadline, cadence) < deadline.at
    assert deadline.at - remind_at(deadline, cadence) <= 24 * HOUR


def test_spans_and_instants_read_well() -> None:
    assert [span_in_words(span) for span in (0, MINUTE, HOUR, 61 * MINUTE)] == ["0 min", "1 min", "1 h", "1 h 1 min"]
    assert in_words(0) == "Thu 1 Jan 1970, 00:00 UTC"
    assert deadlines.HOUR == 60 * deadlines.MINUTE
