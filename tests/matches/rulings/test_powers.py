"""The game master's powers: everything looked at or done is recorded, trials leave no trace, and alerts are sent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.playing import NOON
from support.toy import AmbushRules, AmbushTitle

from pbem.engine.rules.refusals import Illegal, Refusal, Unreadable
from pbem.engine.rules.state import to_bytes
from pbem.engine.text.messages import as_message
from pbem.matches import unit_of_work
from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.clock import deadlines, extensions, outages, tick
from pbem.matches.clock.deadlines import HOUR, MINUTE, missed_deadlines
from pbem.matches.exchange import creating, submitting
from pbem.matches.exchange.checks import LOOKED, NotOpen
from pbem.matches.exchange.seats import seats_of, take_seat
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import load, record_of, replay
from pbem.matches.installation import open_server
from pbem.matches.players import substitutes
from pbem.matches.post import inbox, outbox
from pbem.matches.rulings import corrections, disputes, powers, previews, rulings
from pbem.matches.rulings.alerts import attention, mastered_matches
from pbem.matches.rulings.dry_run import NotInDryRun, dry_run_of
from pbem.matches.rulings.powers import ACTED, DAY
from pbem.matches.rulings.previews import Ruling
from pbem.matches.server import Server


class Clock:
    now = NOON

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(tmp_path: Path, clock: Clock) -> Server:
    return open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=clock)


@pytest.fixture
def people(server: Server) -> dict[str, str]:
    return {name: accounts.open_account(server, f"{name}@example.org").id for name in ("ann", "bob", "gm")}


@pytest.fixture
def gm(people: dict[str, str]) -> str:
    return people["gm"]


@pytest.fixture
def match(server: Server, people: dict[str, str]) -> str:
    """Start a match with Ann in red, Bob in blue, a game master, and 48 hours per turn."""
    match = creating.new_match(server, "ambush", "small", cadence=48, master=people["gm"])
    take_seat(server, match, "red", people["ann"])
    take_seat(server, match, "blue", people["bob"])
    return match


def submit(server: Server, match: str, seat: str, text: str, *, final: bool = False) -> None:
    record = record_of(server, match)
    by = record.occupants[seat]["account"]
    submitting.submit(server, match, seat, record.open_exchange, text, by=by, final=final, source="web")


def a_turn(server: Server, match: str, red: str = "", blue: str = "") -> None:
    submit(server, match, "red", red, final=True)
    submit(server, match, "blue", blue, final=True)


def types(server: Server, match: str, since: int) -> list[str]:
    return [event.type for event in record_of(server, match).events if event.version > since]


def deadline_at(server: Server, match: str) -> int:
    found = deadlines.deadline_of(record_of(server, match))
    assert found is not None
    return found.at


# Permissions -------------------------------------------------------------------------------------------------

CORRECTION = Ruling(kind="correct", reason="a slip", changes=({"path": ["turn"], "value": 2},))
LOOKS: dict[str, Callable[..., Any]] = {
    "everything": powers.everything,
    "report": lambda server, match, by: powers.report(server, match, 1, by=by),
    "why halted": powers.why_halted,
    "export": powers.whole_export,
    "trial": lambda server, match, by: previews.trial(server, match, CORRECTION, by=by),
}
LOSSES: dict[str, Callable[..., Any]] = {
    "process": lambda server, match, by: powers.process(server, match, exchange=2, why="", by=by),
    "replace": lambda server, match, by: powers.replace(server, match, seat="red", why="", by=by),
    "move rules": lambda server, match, by: powers.move_rules(server, match, switches=[], why="", by=by),
    "hold": lambda server, match, by: powers.hold(server, match, why="", by=by),
    "release": lambda server, match, by: powers.release(server, match, by=by),
    "settings": lambda server, match, by: powers.settings(server, match, timing={"hours": 1}, why="", by=by),
    "open disputes": lambda server, match, by: powers.open_disputes(server, match, by=by),
    "settle": lambda server, match, by: powers.settle(server, match, number=1, answer="no", by=by),
    "rule": lambda server, match, by: previews.rule(server, match, CORRECTION, seen=10**6, by=by),
}
GIFTS: dict[str, Callable[..., Any]] = {
    "pause": lambda server, match, by: powers.pause(server, match, days=1, why="", by=by),
    "extend": lambda server, match, by: powers.extend(server, match, hours=1, why="", by=by),
}


@pytest.mark.parametrize("who", ["ann", "bob", "nobody"])
def test_only_the_game_master_may(who: str, server: Server, match: str, people: dict[str, str]) -> None:
    version = record_of(server, match).version
    for act in (LOOKS | LOSSES | GIFTS).values():
        with pytest.raises(Illegal, match="only the game master"):
            act(server, match, by=people.get(who, ""))
    assert record_of(server, match).version == version


def test_a_match_without_a_game_master_has_none(server: Server, people: dict[str, str]) -> None:
    match = creating.new_match(server, "ambush", "tiny")
    for by in ("", people["gm"]):
        with pytest.raises(Illegal, match="only the game master"):
            powers.everything(server, match, by=by)
    assert mastered_matches(server, "") == []


def test_a_game_master_who_plays_neither_looks_nor_rules(server: Server, people: dict[str, str]) -> None:
    match = creating.new_match(server, "ambush", "small", cadence=48, master=people["ann"])
    take_seat(server, match, "red", people["ann"])
    take_seat(server, match, "blue", people["bob"])
    for act in (LOOKS | LOSSES).values():
        with pytest.raises(Illegal, match="you have a seat in this match"):
            act(server, match, by=people["ann"])


def test_a_game_master_who_has_looked_cannot_sit_down_any_more(server: Server, people: dict[str, str]) -> None:
    """A game master who has seen secrets can neither take a free seat nor replace a player, even after volunteering
    earlier."""
    match = creating.new_match(server, "ambush", "small", cadence=48, master=people["ann"])
    substitutes.stand_by(server, match, people["ann"])
    powers.everything(server, match, by=people["ann"])
    for sit_down in (take_seat, lambda *place: substitutes.stand_by(place[0], place[1], place[3])):
        with pytest.raises(Illegal, match="has looked at this match"):
            sit_down(server, match, "red", people["ann"])
    assert substitutes.standing_by(record_of(server, match)) == []


def test_a_game_master_who_plays_may_give_more_time(server: Server, people: dict[str, str]) -> None:
    match = creating.new_match(server, "ambush", "small", cadence=48, master=people["ann"])
    take_seat(server, match, "red", people["ann"])
    take_seat(server, match, "blue", people["bob"])
    for gift in GIFTS.values():
        gift(server, match, by=people["ann"])
    assert deadline_at(server, match) == NOON + 49 * HOUR + DAY


# Looks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", [look for look in LOOKS if look != "why halted"])
def test_every_look_is_an_event_and_nothing_else(what: str, server: Server, match: str, gm: str) -> None:
    submit(server, match, "red", "r1 ambush")
    before = load(server, match)
    LOOKS[what](server, match, by=gm)
    assert types(server, match, before.record.version) == [LOOKED]
    assert record_of(server, match).events[-1].payload["by"] == gm
    assert to_bytes(load(server, match).run.state) == to_bytes(before.run.state)
    assert list(record_of(server, match).sealed) == ["red"]


def test_looks_are_open_to_everybody_and_the_log_still_verifies(server: Server, match: str, gm: str) -> None:
    powers.everything(server, match, by=gm)
    a_turn(server, match, "r1 ambush", "b1 go5")
    found = read_export(export(server, match, "public"))
    assert [event.payload["what"] for event in found.events if event.type == LOOKED] == ["everything"]
    assert verify_export(found, server.titles).ok
    replay(server, match)


def test_the_report_tells_what_was_hidden(server: Server, match: str, gm: str) -> None:
    a_turn(server, match, "r1 ambush", "b1 ambush")
    told = "\n".join(str(line.text) for line in powers.report(server, match, 2, by=gm).told)
    assert "r1" in told and "b1" in told and "ambush" in told


# Process now -------------------------------------------------------------------------------------------------


def test_processing_closes_with_what_is_sealed_and_owes_the_reports(server: Server, match: str, gm: str) -> None:
    submit(server, match, "red", "r1 go3")
    version = record_of(server, match).version
    powers.process(server, match, exchange=2, why="all agreed", by=gm)
    record = record_of(server, match)
    assert types(server, match, version)[:3] == [ACTED, "exchange.closed", "exchange.resolved"]
    assert record.closings[2].event.payload["why"] == "master"
    assert list(record.closings[2].event.payload["counts"]) == ["red"]
    assert {owed.seat for owed in outbox.waiting(server) if owed.exchange == 2} == {"red", "blue"}
    assert deadlines.deadline_of(record) is not None


def test_nothing_is_processed_twice_or_during_a_hold_or_while_mail_waits(server: Server, match: str, gm: str) -> None:
    outages.hold(server)
    with pytest.raises(Refusal, match="on hold"):
        powers.process(server, match, exchange=2, why="", by=gm)
    outages.release(server)
    mail = inbox.receive(server, b"From: ann@example.org\n\nr1 hold")
    with pytest.raises(Refusal, match="waiting to be read"):
        powers.process(server, match, exchange=2, why="", by=gm)
    with server.store.transaction() as transaction:
        inbox.mark(transaction, mail, inbox.DROPPED)
    powers.process(server, match, exchange=2, why="", by=gm)
    with pytest.raises(NotOpen):
        powers.process(server, match, exchange=2, why="", by=gm)


# The clock ---------------------------------------------------------------------------------------------------


def test_more_time_moves_the_deadline_and_says_why(server: Server, match: str, gm: str) -> None:
    powers.extend(server, match, hours=12, why="a storm", by=gm)
    found = deadlines.deadline_of(record_of(server, match))
    assert found is not None and found.at == NOON + 60 * HOUR
    assert "extended by the game master (a storm)" in str(found.why(as_message))
    assert tick.due(server, NOON + 59 * HOUR) == []


def test_a_pause_lets_no_deadline_fall(server: Server, match: str, gm: str, clock: Clock) -> None:
    powers.pause(server, match, days=10, why="holidays", by=gm)
    clock.now = NOON + 9 * DAY
    tick.tick(server, clock.now)
    assert record_of(server, match).open_exchange == 2
    assert powers.current_pause(record_of(server, match), clock.now) is not None
    with pytest.raises(Refusal, match="already stopped"):
        powers.pause(server, match, days=1, why="", by=gm)


def test_going_on_gives_back_the_time_of_the_pause_and_no_more(
    server: Server, match: str, gm: str, clock: Clock
) -> None:
    clock.now = NOON + HOUR
    powers.pause(server, match, days=10, why="holidays", by=gm)
    clock.now += 3 * DAY
    powers.go_on(server, match, by=gm)
    assert deadline_at(server, match) == NOON + 48 * HOUR + 3 * DAY
    assert powers.current_pause(record_of(server, match), clock.now) is None
    with pytest.raises(Refusal, match="the clock is running"):
        powers.go_on(server, match, by=gm)


def test_a_pause_ends_by_itself(server: Server, match: str, gm: str, clock: Clock) -> None:
    powers.pause(server, match, days=10, why="holidays", by=gm)
    clock.now = NOON + 10 * DAY
    assert powers.current_pause(record_of(server, match), clock.now) is None
    tick.tick(server, NOON + 12 * DAY)
    assert record_of(server, match).open_exchange == 3


def test_final_orders_of_all_end_a_pause(server: Server, match: str, gm: str) -> None:
    powers.pause(server, match, days=10, why="holidays", by=gm)
    a_turn(server, match)
    record = record_of(server, match)
    assert record.open_exchange == 3 and powers.current_pause(record, NOON) is None


def test_an_outage_during_a_pause_is_given_back_as_well(server: Server, match: str, gm: str, clock: Clock) -> None:
    powers.pause(server, match, days=10, why="holidays", by=gm)
    outages.record_outage(server, NOON, NOON + HOUR, "a power cut")
    outages.settle_all(server)
    clock.now = NOON + DAY
    powers.go_on(server, match, by=gm)
    assert deadline_at(server, match) == NOON + 48 * HOUR + DAY + HOUR


def test_without_a_deadline_there_is_nothing_to_pause(server: Server, gm: str) -> None:
    match = creating.new_match(server, "ambush", "tiny", master=gm)
    for gift in GIFTS.values():
        with pytest.raises(Refusal, match="no deadline"):
            gift(server, match, by=gm)


def test_on_hold_nothing_closes_and_orders_are_taken(server: Server, match: str, gm: str, clock: Clock) -> None:
    """On hold, orders are accepted, but neither final orders nor the deadline closes the exchange; the time is given
    back."""
    powers.hold(server, match, why="a dispute must be decided first", by=gm)
    clock.now = NOON + 72 * HOUR
    tick.tick(server, clock.now)
    a_turn(server, match)
    assert record_of(server, match).open_exchange == 2
    with pytest.raises(Refusal, match="on hold"):
        powers.process(server, match, exchange=2, why="", by=gm)
    with pytest.raises(Refusal, match="already on hold"):
        powers.hold(server, match, why="", by=gm)

    powers.release(server, match, by=gm)
    assert record_of(server, match).open_exchange == 3  # all were final
    assert record_of(server, match).closings[2].event.payload["why"] == "final"
    with pytest.raises(Refusal, match="not on hold"):
        powers.release(server, match, by=gm)


def test_a_release_moves_the_deadline_by_the_time_that_was_held(
    server: Server, match: str, gm: str, clock: Clock
) -> None:
    clock.now = NOON + HOUR
    powers.hold(server, match, why="a dispute must be decided first", by=gm)
    clock.now += 5 * HOUR
    powers.release(server, match, by=gm)
    assert deadline_at(server, match) == NOON + 53 * HOUR
    assert tick.due(server, NOON + 52 * HOUR) == []


def test_other_deadlines_hold_from_the_next_exchange_on(server: Server, match: str, gm: str) -> None:
    powers.settings(server, match, timing={"hours": 24, "missed": "wait"}, why="all agreed", by=gm)
    assert deadline_at(server, match) == NOON + 48 * HOUR  # an announced deadline stands
    a_turn(server, match)
    assert deadline_at(server, match) == NOON + 24 * HOUR
    assert deadlines.timing_of(record_of(server, match)).missed == "wait"
    with pytest.raises(Refusal, match="no time zone has that name"):
        powers.settings(server, match, timing={"zone": "Moon/Crater"}, why="", by=gm)


# Seats -------------------------------------------------------------------------------------------------------


def test_a_bot_takes_over_and_plays_on(server: Server, match: str, gm: str) -> None:
    submit(server, match, "red", "r1 go3", final=True)
    powers.replace(server, match, seat="blue", why="no word", by=gm)
    record = record_of(server, match)
    assert record.occupants["blue"]["account"].startswith("bot-")
    assert record.open_exchange == 3


def test_somebody_else_is_invited_and_sealed_orders_of_the_old_occupant_do_not_count(
    server: Server, match: str, gm: str
) -> None:
    submit(server, match, "blue", "b1 ambush")
    powers.replace(server, match, seat="blue", address="Eve <EVE@example.org>", why="no word", by=gm)
    record = record_of(server, match)
    assert "blue" not in record.occupants and "blue" not in record.sealed
    assert [owed.seat for owed in outbox.waiting(server) if owed.kind == "invitation"] == ["blue"]


def test_who_stands_by_takes_over_and_nobody_else(server: Server, match: str, gm: str) -> None:
    eve = accounts.open_account(server, "eve@example.org").id
    with pytest.raises(Unreadable, match="not on the list of substitutes"):
        powers.replace(server, match, seat="blue", substitute=eve, why="no word", by=gm)
    substitutes.stand_by(server, match, eve)
    powers.replace(server, match, seat="blue", substitute=eve, why="no word", by=gm)
    assert seats_of(server, match, eve) == ["blue"]
    with pytest.raises(Illegal, match="not both"):
        powers.replace(server, match, seat="red", substitute=eve, address="dan@example.org", why="", by=gm)


@pytest.mark.parametrize(("seat", "address"), [("green", ""), ("blue", "no address")])
def test_a_seat_is_not_emptied_by_a_slip(server: Server, match: str, gm: str, seat: str, address: str) -> None:
    version = record_of(server, match).version
    with pytest.raises(Unreadable):
        powers.replace(server, match, seat=seat, address=address, why="", by=gm)
    assert record_of(server, match).version == version


# Rulings -----------------------------------------------------------------------------------------------------


def test_a_dry_run_keeps_nothing(server: Server, match: str) -> None:
    a_turn(server, match, "r1 go3")
    before = record_of(server, match)
    trial_server = dry_run_of(server)
    rulings.reopen(trial_server, match, after=1, reason="", by="")
    assert record_of(trial_server, match).open_exchange > before.open_exchange
    assert record_of(trial_server, match).version == before.version + 1
    assert record_of(server, match).version == before.version
    with pytest.raises(NotInDryRun):
        trial_server.store.transaction()


def test_reopening_shows_what_comes_back_and_what_is_void(server: Server, match: str, gm: str) -> None:
    start = load(server, match).run.state.units["r1"].hex
    a_turn(server, match, "r1 go3")
    ruling = Ruling(kind="reopen", exchange=1, reason="a dispute")
    found = previews.trial(server, match, ruling, by=gm)
    moved = next(change for change in found.changes if change.path == "units/r1/hex")
    assert moved.becomes == list(start) != moved.was
    assert (found.stands, found.void) == ([1], [2])
    previews.rule(server, match, ruling, seen=found.seen, by=gm)
    assert load(server, match).run.state.units["r1"].hex == start
    assert [owed.kind for owed in outbox.waiting(server) if owed.kind == "ruling"] == ["ruling", "ruling"]


def test_recomputing_with_the_same_rules_changes_nothing(server: Server, match: str, gm: str) -> None:
    a_turn(server, match, "r1 go3", "b1 ambush")
    found = previews.trial(server, match, Ruling(kind="recompute", exchange=2, reason="to be sure"), by=gm)
    assert (found.changes, found.void) == ([], [])


def test_recomputing_shows_what_mended_rules_change(
    server: Server, match: str, gm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_turn(server, match, "r1 go3")
    real = AmbushRules.steps["turn_end"]

    def twice(table: Any) -> Any:
        yield from real(table)
        table.state.turn += 1

    monkeypatch.setitem(AmbushRules.steps, "turn_end", twice)
    ruling = Ruling(kind="recompute", exchange=2, reason="the erratum")
    found = previews.trial(server, match, ruling, by=gm)
    assert [(change.path, change.was, change.becomes) for change in found.changes] == [("turn", 2, 3)]
    previews.rule(server, match, ruling, seen=found.seen, by=gm)
    assert load(server, match).run.state.turn == 3


def test_a_correction_is_what_its_trial_has_shown(server: Server, match: str, gm: str) -> None:
    changes = corrections.read_changes(server, match, "r1 hex 1.3\n\nremove b2\n")
    ruling = Ruling(kind="correct", reason="a counter was knocked over", changes=changes)
    found = previews.trial(server, match, ruling, by=gm)
    assert [change.path for change in found.changes] == ["units/b2", "units/r1/hex"]
    assert load(server, match).run.state.units["r1"].hex != (1, 3)
    previews.rule(server, match, ruling, seen=found.seen, by=gm)
    after = load(server, match).run.state
    assert tuple(after.units["r1"].hex) == (1, 3) and "b2" not in after.units
    replay(server, match)


def test_a_ruling_is_refused_when_something_has_happened_since_its_trial(server: Server, match: str, gm: str) -> None:
    found = previews.trial(server, match, CORRECTION, by=gm)
    powers.everything(server, match, by=gm)  # looking changes nothing
    submit(server, match, "red", "r1 hold")
    with pytest.raises(Refusal, match="something has happened"):
        previews.rule(server, match, CORRECTION, seen=found.seen, by=gm)


def test_a_trial_is_refused_like_its_ruling(server: Server, match: str, gm: str) -> None:
    off_the_map = Ruling(kind="correct", reason="", changes=({"path": ["units", "r1", "hex"], "value": [99, 99]},))
    with pytest.raises(Illegal, match="off the map"):
        previews.trial(server, match, off_the_map, by=gm)
    with pytest.raises(Illegal, match="was overruled or has no result") as refused:
        previews.trial(server, match, Ruling(kind="reopen", exchange=9, reason=""), by=gm)
    assert refused.value.instead == ("1",)


@pytest.mark.parametrize(
    ("line", "instead"),
    [("unit/r1/hex = [1, 3]", "units"), ("units/r9/hex = [1, 3]", "r1"), ("turn = two", "turn = 2")],
)
def test_a_change_that_cannot_be_read_names_what_is_near(server: Server, match: str, line: str, instead: str) -> None:
    with pytest.raises(Unreadable) as refused:
        corrections.read_changes(server, match, line, raw=True)
    assert refused.value.line == line and instead in refused.value.instead


def test_differences_name_each_place() -> None:
    was = {"a": {"b": 1, "gone": [1]}, "same": None}
    becomes = {"a": {"b": 2}, "same": None, "new": {"x": 1}}
    found = [(change.path, change.was, change.becomes) for change in previews.differences(was, becomes)]
    assert found == [("a/b", 1, 2), ("a/gone", [1], None), ("new", None, {"x": 1})]


# Halts and corrections ---------------------------------------------------------------------------------------


@pytest.fixture
def halted(server: Server, match: str, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Halt the match by a bug in the rules, for as long as the returned patch is in force."""

    def broken(table: Any) -> Any:
        raise ZeroDivisionError("the chart has no such row")
        yield

    monkeypatch.setitem(AmbushRules.steps, "cards", broken)
    a_turn(server, match)
    return monkeypatch


def test_a_halt_is_explained_to_the_game_master_and_mended_rules_go_on(
    server: Server, match: str, gm: str, halted: pytest.MonkeyPatch
) -> None:
    assert "no such row" in powers.why_halted(server, match, by=gm)["where"]
    assert [trouble.kind for trouble in attention(server, match)] == ["halted"]
    halted.undo()
    powers.resume(server, match, by=gm)
    record = record_of(server, match)
    assert record.halted is None and record.open_exchange == 3
    assert attention(server, match) == []


def test_rules_that_are_not_mended_halt_again(
    server: Server, match: str, gm: str, halted: pytest.MonkeyPatch
) -> None:
    powers.resume(server, match, by=gm)
    assert record_of(server, match).halted is not None


def test_what_is_not_halted_is_not_resumed(server: Server, match: str, gm: str) -> None:
    with pytest.raises(Refusal, match="not halted"):
        powers.resume(server, match, by=gm)


def test_corrections_of_the_rules_are_moved_on_record(server: Server, match: str, gm: str) -> None:
    version = record_of(server, match).version
    with pytest.raises(Unreadable, match="no rules switch has that name"):
        powers.move_rules(server, match, switches=["ambush/nothing"], why="", by=gm)
    assert record_of(server, match).version == version
    powers.move_rules(server, match, switches=[], why="as printed", by=gm)
    assert types(server, match, version) == [ACTED, "rules.moved"]


# Disputes ----------------------------------------------------------------------------------------------------


def test_a_dispute_reaches_the_game_master_and_his_answer_everybody(server: Server, match: str, gm: str) -> None:
    a_turn(server, match, "r1 go3")
    record = record_of(server, match)
    with server.change(record, "dispute") as change:
        change.append(disputes.open_dispute(server, change.record, "red", "1", "r1 was not in range"))
    assert [(trouble.kind, trouble.seat) for trouble in attention(server, match)] == [("dispute", "red")]
    [waiting] = powers.open_disputes(server, match, by=gm)
    assert (waiting.seat, waiting.exchange, waiting.text) == ("red", 2, "r1 was not in range")
    powers.settle(server, match, number=1, answer="It was: 4.2.", by=gm)
    assert powers.open_disputes(server, match, by=gm) == [] == attention(server, match)
    [settled] = [event for event in read_export(export(server, match, "public")).events if "settled" in event.type]
    assert settled.payload == {"number": 1, "answer": "It was: 4.2.", "by": gm}


# Alerts ------------------------------------------------------------------------------------------------------


def test_missed_deadlines_count_from_the_last_word_of_the_present_occupant(
    server: Server, match: str, gm: str, clock: Clock
) -> None:
    for _ in range(2):
        submit(server, match, "red", "")
        clock.now = deadline_at(server, match)
        tick.tick(server, clock.now)
    record = record_of(server, match)
    assert (missed_deadlines(record, "red"), missed_deadlines(record, "blue")) == ([], [2, 3])
    assert [(trouble.kind, trouble.seat) for trouble in attention(server, match)] == [("missed", "blue")]
    powers.replace(server, match, seat="blue", address="eve@example.org", why="no word", by=gm)
    assert [(trouble.kind, trouble.seat) for trouble in attention(server, match)] == [("seat", "blue")]


def test_a_deadline_that_does_not_fall_wants_him(server: Server, match: str, clock: Clock) -> None:
    clock.now = deadline_at(server, match) + 10 * MINUTE
    assert [trouble.kind for trouble in attention(server, match)] == ["late"]


def test_a_player_who_asks_for_more_time_wants_him_until_he_gets_it(server: Server, match: str, gm: str) -> None:
    for _ in range(2):  # the first extension is granted on request
        record = record_of(server, match)
        unit_of_work.append(server, record, extensions.ask(record, "red", 5, NOON), "extension")
    assert [(trouble.kind, trouble.seat) for trouble in attention(server, match)] == [("more time", "red")]
    powers.extend(server, match, hours=5, why="red asked", by=gm)
    assert attention(server, match) == []


def test_mail_that_does_not_get_through_is_told_without_its_address(server: Server, match: str) -> None:
    owed = next(owed for owed in outbox.waiting(server) if owed.seat == "red")
    outbox.put_off(server, owed, NOON, "550 no such mailbox ann@example.org")
    [trouble] = attention(server, match)
    assert (trouble.kind, trouble.seat) == ("mail", "red")
    assert "@" not in msgspec.json.encode(trouble).decode()


def test_a_game_master_finds_his_matches(server: Server, match: str, gm: str, people: dict[str, str]) -> None:
    creating.new_match(server, "ambush", "tiny", master=people["ann"])
    assert mastered_matches(server, gm) == [match]
