"""§11 A deadline is a pure function of settings and record, in the match's time zone, and it explains itself."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.rules.refusals import Refusal
from pbem.engine.text.messages import as_message
from pbem.matches.clock import causes
from pbem.matches.clock.causes import Cause, span_in_words
from pbem.matches.clock.deadline_rules import (
    DAY,
    HOUR,
    MINUTE,
    MISSED_IN_WORDS,
    POLICIES,
    WEEKDAYS,
    Away,
    Deadline,
    Timing,
    agreed_in_words,
    due_at,
    in_words,
    instant,
    local,
    postpone,
    read_timing,
    remind_at,
)

BERLIN, NEW_YORK, LORD_HOWE, NAIROBI = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Nairobi"
ZONES = (BERLIN, NEW_YORK, LORD_HOWE, NAIROBI)
"""Zones whose clocks change by an hour in spring, by an hour in another week, by half an hour, and never."""


def at(zone: str, *moment: int) -> int:
    return instant(datetime(*moment), ZoneInfo(zone))  # type: ignore[arg-type]


def shown(deadline: Deadline | None, zone: str) -> str:
    assert deadline is not None
    return f"{local(deadline.at, ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def due(zone: str, opened: tuple[int, ...], away: Any = (), **timing: Any) -> Deadline:
    deadline = due_at(2, at(zone, *opened), Timing(zone=zone, **timing), away=away)
    assert deadline is not None
    return deadline


# The cadence -------------------------------------------------------------------------------------------------


def test_a_cadence_counts_from_the_opening_and_says_so() -> None:
    noon = at("UTC", 2030, 5, 6, 12, 0)
    deadline = due_at(4, noon, Timing(hours=48))
    assert deadline is not None and (deadline.at, deadline.cause) == (noon + 48 * HOUR, "opened")
    assert str(deadline.why(as_message)) == "2 days after Mon 6 May 2030, 12:00 UTC"
    assert due_at(4, noon, Timing()) is None, "no cadence, no deadline"


def test_kinds_of_ask_have_their_own_cadence_and_the_longest_counts() -> None:
    timing = Timing(hours=48, by_kind={"overwatch": 12, "setup": 96})
    spans = [due_at(2, 0, timing, kinds=kinds) for kinds in ((), ("overwatch",), ("overwatch", "orders"), ("setup",))]
    assert [deadline.at // HOUR for deadline in spans if deadline] == [48, 12, 48, 96]
    assert due_at(2, 0, Timing(hours=48, by_kind={"card": 0}), kinds=["card"]) is None


# Clocks that change ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "opened", "falls", "hours"),
    [
        (BERLIN, (2030, 3, 30, 20, 0), "2030-03-31 20:00", 23),
        (BERLIN, (2030, 10, 26, 20, 0), "2030-10-27 20:00", 25),
        (NEW_YORK, (2030, 3, 9, 20, 0), "2030-03-10 20:00", 23),
        (NEW_YORK, (2030, 11, 2, 20, 0), "2030-11-03 20:00", 25),
        (LORD_HOWE, (2030, 10, 5, 20, 0), "2030-10-06 20:00", 23.5),
        (LORD_HOWE, (2030, 4, 6, 20, 0), "2030-04-07 20:00", 24.5),
        (NAIROBI, (2030, 3, 30, 20, 0), "2030-03-31 20:00", 24),
    ],
)
def test_a_day_ends_at_the_same_time_of_day(zone: str, opened: tuple[int, ...], falls: str, hours: float) -> None:
    deadline = due(zone, opened, hours=24)
    assert shown(deadline, zone) == falls
    assert (deadline.at - at(zone, *opened)) / HOUR == hours


@pytest.mark.parametrize(
    ("zone", "opened", "falls"),
    [
        (BERLIN, (2030, 3, 30, 2, 30), "2030-03-31 03:30"),
        (NEW_YORK, (2030, 3, 9, 2, 30), "2030-03-10 03:30"),
        (LORD_HOWE, (2030, 10, 5, 2, 15), "2030-10-06 02:45"),
    ],
)
def test_a_time_that_the_clocks_skip_is_as_much_later(zone: str, opened: tuple[int, ...], falls: str) -> None:
    assert shown(due(zone, opened, hours=24), zone) == falls


@pytest.mark.parametrize(
    ("zone", "opened", "hours"),
    [
        (BERLIN, (2030, 10, 26, 2, 30), 25),
        (NEW_YORK, (2030, 11, 2, 1, 30), 25),
        (LORD_HOWE, (2030, 4, 6, 1, 45), 24.5),
    ],
)
def test_a_time_that_the_clocks_show_twice_is_the_later_one(zone: str, opened: tuple[int, ...], hours: float) -> None:
    deadline = due(zone, opened, hours=24)
    assert (deadline.at - at(zone, *opened)) / HOUR == hours
    assert shown(deadline, zone).endswith(f"{opened[3]:02}:{opened[4]:02}")


@pytest.mark.parametrize("zone", ZONES)
def test_hours_that_make_no_day_pass_as_they_pass(zone: str) -> None:
    for opened in ((2030, 3, 30, 23, 30), (2030, 10, 26, 23, 30), (2030, 10, 5, 23, 30), (2030, 11, 2, 23, 30)):
        assert due(zone, opened, hours=6).at - at(zone, *opened) == 6 * HOUR


@given(moment=st.datetimes(datetime(2029, 1, 1), datetime(2031, 12, 31)), zone=st.sampled_from(ZONES))
def test_an_instant_is_never_earlier_than_what_the_clock_shows(moment: datetime, zone: str) -> None:
    moment = moment.replace(microsecond=0)
    back = local(instant(moment, ZoneInfo(zone)), ZoneInfo(zone))
    assert moment <= back <= moment + timedelta(hours=1)


# Weekdays and hours ------------------------------------------------------------------------------------------


def test_a_deadline_falls_on_agreed_weekdays_and_between_agreed_hours() -> None:
    """Two days from Friday evening is Sunday, so the deadline is at the first agreed time on Monday morning."""
    deadline = due(BERLIN, (2030, 5, 3, 20, 0), hours=48, weekdays=WEEKDAYS[:5], between=(8, 22))
    assert shown(deadline, BERLIN) == "2030-05-06 08:00"
    assert "deadlines fall on Mon, Tue, Wed, Thu, Fri between 8:00 and 22:00" in str(deadline.why(as_message))


@pytest.mark.parametrize(("hour", "falls"), [(7, "08:00"), (8, "08:00"), (21, "21:00"), (22, "22:00"), (23, "08:00")])
def test_hours_include_their_ends(hour: int, falls: str) -> None:
    deadline = due(NAIROBI, (2030, 5, 6, hour, 0), hours=24, between=(8, 22))
    assert shown(deadline, NAIROBI).endswith(falls)


@given(
    opened=st.datetimes(datetime(2030, 1, 1), datetime(2030, 12, 31)),
    zone=st.sampled_from(ZONES),
    hours=st.integers(1, 24 * 20),
    weekdays=st.sets(st.sampled_from(WEEKDAYS)),
    between=st.tuples(st.integers(0, 23), st.integers(1, 24)).filter(lambda pair: pair[0] < pair[1]),
    absences=st.lists(st.tuples(st.integers(-5, 30), st.integers(1, 10)), max_size=3),
)
def test_every_deadline_is_late_enough_and_finds_everybody_at_home(
    opened: datetime, zone: str, hours: int, weekdays: set[str], between: tuple[int, int], absences: list[Any]
) -> None:
    start = at(zone, opened.year, opened.month, opened.day, opened.hour)
    away = [Away("red", start + since * DAY, start + (since + days) * DAY) for since, days in absences]
    timing = Timing(hours=hours, zone=zone, weekdays=tuple(sorted(weekdays)), between=between)
    deadline = due_at(2, start, timing, away=away)
    assert deadline is not None
    assert deadline.at >= start + hours * HOUR - HOUR, "a change of the clock takes an hour at most"
    assert not any(absence.since < deadline.at < absence.until for absence in away)
    falls = local(deadline.at, ZoneInfo(zone))
    assert not weekdays or WEEKDAYS[falls.weekday()] in weekdays
    # A clock that skips the end of the agreed hours shows a little more.
    assert between[0] * 60 <= falls.hour * 60 + falls.minute <= between[1] * 60 + 60


# Absences ----------------------------------------------------------------------------------------------------


def days(zone: str, first: tuple[int, ...], last: tuple[int, ...], seat: str = "red") -> Away:
    return Away(seat, at(zone, *first), at(zone, *last))


def test_time_in_which_somebody_asked_is_away_does_not_count() -> None:
    """Absence does not use up a player's time: one day before leaving and one day after returning count
    as two days."""
    away = days(BERLIN, (2030, 5, 2, 12, 0), (2030, 5, 9, 12, 0))
    deadline = due(BERLIN, (2030, 5, 1, 12, 0), [away], hours=48)
    assert shown(deadline, BERLIN) == "2030-05-10 12:00"
    assert "red is away until Thu 9 May 2030, 12:00 Europe/Berlin" in str(deadline.why(as_message))


def test_who_is_away_when_asked_has_the_full_time_after_his_return() -> None:
    away = days(BERLIN, (2030, 4, 20, 0, 0), (2030, 5, 5, 0, 0))
    assert shown(due(BERLIN, (2030, 5, 1, 12, 0), [away], hours=48), BERLIN) == "2030-05-07 00:00"


def test_several_absences_count_each_and_together_once() -> None:
    away = [
        days(BERLIN, (2030, 5, 2, 0, 0), (2030, 5, 6, 0, 0), "red"),
        days(BERLIN, (2030, 5, 4, 0, 0), (2030, 5, 8, 0, 0), "blue"),
        days(BERLIN, (2030, 5, 9, 0, 0), (2030, 5, 10, 0, 0), "red"),
    ]
    assert shown(due(BERLIN, (2030, 5, 1, 0, 0), away, hours=72), BERLIN) == "2030-05-11 00:00"


def test_an_absence_across_a_change_of_the_clock_keeps_the_time_of_day() -> None:
    away = days(BERLIN, (2030, 3, 29, 0, 0), (2030, 4, 3, 0, 0))
    assert shown(due(BERLIN, (2030, 3, 28, 20, 0), [away], hours=24), BERLIN) == "2030-04-03 20:00"


def test_an_absence_that_begins_after_the_deadline_does_not_matter() -> None:
    away = days(BERLIN, (2030, 5, 3, 0, 0), (2030, 5, 9, 0, 0))
    assert shown(due(BERLIN, (2030, 5, 1, 0, 0), [away], hours=48), BERLIN) == "2030-05-03 00:00"


# The rest ----------------------------------------------------------------------------------------------------


def test_grace_is_time_after_the_deadline_for_those_who_have_sealed_nothing() -> None:
    deadline = due(NAIROBI, (2030, 5, 1, 0, 0), hours=24, grace=6)
    assert deadline.closes_at - deadline.at == 6 * HOUR


def test_a_moved_deadline_keeps_its_whole_story() -> None:
    """A postponed deadline still gives all its reasons, even if an earlier release recorded the first one in
    English."""
    first = Deadline(2, 0, grace=HOUR, stored="2 days after X")
    deadline = postpone(postpone(first, 10 * MINUTE, Cause("agreed")), -90 * MINUTE, Cause("outage"), "outage")
    moved = [
        "extended by agreement of all players: postponed by 10 min",
        "the server was down: brought forward by 1 h 30 min",
    ]
    assert str(deadline.why(as_message)) == "; ".join(["2 days after X", *moved])
    assert (deadline.at, deadline.grace, deadline.cause) == (-80 * MINUTE, HOUR, "outage")


@given(hours=st.integers(1, 24 * 30))
def test_a_reminder_comes_after_the_opening_and_before_the_deadline(hours: int) -> None:
    deadline = due_at(2, 0, Timing(hours=hours))
    assert deadline is not None
    assert 0 < remind_at(deadline, 0) < deadline.at
    assert deadline.at - remind_at(deadline, 0) <= 24 * HOUR


def test_spans_and_instants_read_well() -> None:
    spans = [str(span_in_words(span)) for span in (0, MINUTE, HOUR, 61 * MINUTE, 90 * DAY)]
    assert spans == ["0 min", "1 min", "1 h", "1 h 1 min", "90 days"]
    assert in_words(0) == "Thu 1 Jan 1970, 00:00 UTC"


@pytest.mark.parametrize(
    "said",
    [
        {"zone": "Mars/Olympus"},
        {"zone": "../../etc/passwd"},
        {"hours": -1},
        {"hours": 10**6},
        {"weekdays": ["someday"]},
        {"between": [22, 8]},
        {"between": [8]},
        {"missed": "shrug"},
        {"patience": 0},
        {"cadense": 3},
    ],
)
def test_what_cannot_be_agreed_on_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        read_timing(said)


def test_every_mistake_is_named_at_once() -> None:
    with pytest.raises(Refusal) as caught:
        read_timing({"zone": "Mars/Olympus", "between": [22, 8]})
    assert "Mars/Olympus" in str(caught.value) and "between" in str(caught.value)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "There are no deadlines: a turn is played when all orders are final."),
        (
            {"hours": 48},
            "Time for orders: 2 days. If a player sends nothing, their standing orders answer; where they say "
            "nothing, the rules' defaults apply.",
        ),
        (
            {"hours": 36, "weekdays": ("mon", "fri"), "between": (8, 22), "zone": "Europe/Rome", "grace": 6,
             "missed": "forfeit", "patience": 2},
            "Time for orders: 36 hours; deadlines fall on Mon, Fri between 8:00 and 22:00 (Europe/Rome); a seat "
            "that has sent nothing gets 6 hours more. If a player sends nothing 2 times in a row, "
            "they forfeit the match.",
        ),
    ],
)  # fmt: skip
def test_what_was_agreed_is_said_in_words(said: dict[str, Any], words: str) -> None:
    assert str(agreed_in_words(Timing(**said))) == words


def test_every_policy_has_its_words() -> None:
    assert set(MISSED_IN_WORDS) == set(POLICIES)


def test_several_outages_in_a_row_are_told_as_one():
    minute = causes.MINUTE
    told = causes.in_words([causes.Cause("opened", hours=2), *[causes.Cause("outage", by=2 * minute)] * 3])
    assert str(told).endswith("the server was down: postponed by 6 min")
    mixed = [causes.Cause("outage", by=minute), causes.Cause("held", by=minute), causes.Cause("outage", by=minute)]
    assert str(causes.in_words(mixed)).count("1 min") == 3
