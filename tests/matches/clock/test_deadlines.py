"""§11 Once announced, a deadline is an event with a UTC instant, and only events change it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from support.seated import START, Table
from support.toy import AmbushRules, AmbushTitle

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.title import Reply
from pbem.engine.text.messages import as_message
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.clock import deadlines, outages
from pbem.matches.clock.deadline_rules import local
from pbem.matches.clock.deadlines import DAY, HOUR, MINUTE
from pbem.matches.exchange import creating
from pbem.matches.history.replay import all_matches, autos_of
from pbem.matches.players import substitutes
from pbem.matches.rulings import powers, rulings


def closings(table: Table) -> list[str]:
    return [event.payload["why"] for event in table.events("exchange.closed")]


# Announcing --------------------------------------------------------------------------------------------------


def test_a_deadline_is_announced_with_the_exchange_and_says_why(table: Table) -> None:
    table.begin(48)
    assert (table.deadline.exchange, table.deadline.at) == (2, START + 48 * HOUR)
    assert str(table.deadline.why(as_message)) == f"2 days after {deadlines.in_words(START)}"


def test_the_zone_and_the_hours_of_a_match_are_agreed_on_at_its_creation(table: Table) -> None:
    """Deadlines follow the agreed zone and hours: Monday 18:46 in Berlin is after 18:00, so it becomes Tuesday
    morning."""
    table.begin(24, zone="Europe/Berlin", between=[9, 18])
    assert local(table.deadline.at, ZoneInfo("Europe/Berlin")) == datetime(2030, 3, 19, 9, 0)


def test_the_kind_of_ask_decides_how_long_there_is(table: Table) -> None:
    table.begin(48, by_kind={"orders": 6})
    assert table.deadline.at == START + 6 * HOUR


def test_what_cannot_be_agreed_on_is_refused_before_anything_is_created(table: Table) -> None:
    with pytest.raises(Refusal, match="no time zone has that name"):
        creating.new_match(table.server, "ambush", "tiny", timing={"zone": "Mars/Olympus"})
    assert all_matches(table.server) == []


def test_when_all_are_final_the_exchange_closes_before_its_deadline(table: Table) -> None:
    table.begin(48)
    table.play()
    assert closings(table) == ["start", "final"] and table.deadline.exchange == 3


# Absences ----------------------------------------------------------------------------------------------------


def test_an_absence_puts_off_deadlines_to_come_and_never_one_that_is_announced(table: Table) -> None:
    table.begin(48)
    before = table.deadline
    [done] = table.say("red", "absent 17 March to 26 March")
    assert table.deadline == before
    assert "had already been announced and stands" in str(done.note)
    table.play()
    assert local(table.deadline.at, ZoneInfo("UTC")) == datetime(2030, 3, 29, 0, 0)
    stated = views.status(table.server, table.match).deadline
    assert stated is not None and "Red is away until Wed 27 Mar 2030, 00:00 UTC" in str(stated.why)


def test_an_absence_counts_in_all_matches_of_a_player(table: Table) -> None:
    table.begin(48)
    table.say("red", "absent 7 days")
    table.begin(48)
    assert table.deadline.at > START + 8 * DAY


def test_who_is_not_asked_may_be_away(table: Table) -> None:
    """Only the absences of seats with a decision to make postpone a deadline, and a bot is never away."""
    table.who["blue"] = accounts.open_bot(table.server, "random").id
    table.begin(48)
    assert table.deadline.at == START + 48 * HOUR


def test_several_absences_and_coming_back(table: Table) -> None:
    table.begin(48)
    for line in ("absent 20 March", "absent 1 April to 8 April"):
        table.say("red", line)
    table.say("red", "present")
    table.play()
    assert table.deadline.at == START + 48 * HOUR
    with pytest.raises(Refusal, match="no absence to cancel"):
        table.say("red", "present")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("absent 2031-01-01 to 2031-12-31", "at most 92 days"),
        ("absent 2030-05-08 to 2030-05-01", "ends before it begins"),
        ("absent 2020-05-01 to 2020-05-08", "already over"),
        ("absent 31 Feb", "that day does not exist"),
    ],
)
def test_an_absence_that_makes_no_sense_is_refused(table: Table, line: str, why: str) -> None:
    table.begin(48)
    with pytest.raises(Refusal, match=why):
        table.say("red", line)


# Extensions --------------------------------------------------------------------------------------------------


def test_each_seat_gets_an_extension_for_the_asking_and_the_others_are_told(table: Table) -> None:
    table.begin(48)
    [done] = table.say("red", "extend 12 hours")
    assert table.deadline.at == START + 60 * HOUR and table.deadline.cause == "extension"
    assert deadlines.in_words(table.deadline.at) in str(done.note)
    assert [owed.seat for owed in table.owed("extension")] == ["blue"], "red has been answered"


def test_more_is_granted_when_all_agree(table: Table) -> None:
    table.begin(48, extensions=0)
    [done] = table.say("red", "extend 2 days")
    assert "all other players agree" in str(done.note) and table.deadline.at == START + 48 * HOUR
    assert [(owed.seat, owed.about["what"]) for owed in table.owed("extension")] == [("blue", "asked")]
    with pytest.raises(Refusal, match="already asked for more time"):
        table.say("red", "extend")
    table.say("blue", "extend")
    assert table.deadline.at == START + 96 * HOUR
    assert "by agreement of all players" in str(table.deadline.why(as_message))


def test_the_game_master_grants_extensions_and_all_are_told(table: Table) -> None:
    table.begin(48, master=True, extensions=0)
    table.say("red", "extend")
    assert [owed.account for owed in table.owed("extension") if not owed.seat] == [table.master]
    powers.extend(table.server, table.match, hours=24, why="a storm", by=table.master)
    assert table.deadline.at == START + 72 * HOUR
    granted = [owed for owed in table.owed("extension") if owed.about["what"] == "granted"]
    assert sorted(owed.seat for owed in granted) == ["blue", "red"] and granted[0].about["reason"] == "a storm"


def test_no_extension_without_a_deadline_or_after_it_or_beyond_measure(table: Table) -> None:
    table.begin(0)
    with pytest.raises(Refusal, match="no deadline"):
        table.say("red", "extend")
    table.begin(48)
    with pytest.raises(Refusal, match="1 to 48 hours"):
        table.say("red", "extend 30 days")
    table.now = table.deadline.at + MINUTE
    with pytest.raises(Refusal, match="has passed"):
        table.say("red", "extend")


def test_a_late_extend_does_not_spill_into_the_next_exchange(table: Table) -> None:
    table.begin(48)
    table.play()
    with pytest.raises(Refusal, match="orders for exchange 2 are closed"):
        table.say("red", "extend", exchange=2)


# Pauses ------------------------------------------------------------------------------------------------------


def test_a_pause_of_months_is_announced_and_ends_with_the_story_so_far(table: Table) -> None:
    table.begin(48, master=True)
    table.play(("red", "r1 go2"))
    left = table.deadline.at - table.now
    powers.pause(table.server, table.match, days=120, why="summer", by=table.master)
    assert sorted(owed.seat for owed in table.owed("pause")) == ["blue", "red"]
    table.wait(100 * 24)
    assert table.owed("resumed") == [] and table.record.open_exchange == 3
    table.wait(20 * 24)
    assert sorted(owed.seat for owed in table.owed("resumed")) == ["blue", "red"]
    assert table.deadline.at - table.now == left
    table.wait(1)
    assert len(table.owed("resumed")) == 2, "once"
    [told] = views.story(table.server, table.match, "red")
    assert any("r1" in str(line.text) for line in told.told)


def test_a_pause_that_is_cut_short_tells_the_story_at_once(table: Table) -> None:
    table.begin(48, master=True)
    powers.pause(table.server, table.match, days=120, why="summer", by=table.master)
    table.wait(24)
    powers.go_on(table.server, table.match, by=table.master)
    assert len(table.owed("resumed")) == 2
    table.wait(130 * 24)
    assert len(table.owed("resumed")) == 2, "not again when the pause would have ended"


# Grace and missed deadlines ----------------------------------------------------------------------------------


def test_who_has_sealed_nothing_has_the_grace_and_is_told(table: Table) -> None:
    table.begin(48, grace=6)
    table.say("red", "r1 go2")
    table.wait(49)
    assert table.record.open_exchange == 2
    told = {owed.seat: owed.about for owed in table.owed("missed")}
    assert told == {"blue": {"open": True}, "red": {"open": True, "missing": ["blue"]}}
    table.wait(1)
    assert len(table.owed("missed")) == 2, "once"
    table.say("blue", "b1 hold")
    table.wait()
    assert closings(table) == ["start", "deadline"], "all have sealed, and the deadline has fallen"


def test_when_all_have_sealed_there_is_no_grace(table: Table) -> None:
    table.begin(48, grace=6)
    for seat in ("red", "blue"):
        table.say(seat, f"{seat[0]}1 hold")
    table.wait(48)
    assert table.record.open_exchange == 3 and table.owed("missed") == []


def test_after_the_grace_the_exchange_closes_and_the_report_says_what_was_missed(table: Table) -> None:
    table.begin(48, grace=6)
    table.say("red", "r1 go2")
    table.wait(49)
    table.wait(6)
    assert table.record.open_exchange == 3
    assert [owed.seat for owed in table.owed("report")] == ["red"]
    assert [(owed.seat, owed.exchange) for owed in table.owed("missed") if not owed.about] == [("blue", 2)]


class BoldRules(AmbushRules):
    """Rules whose standing order `ambush` also stands in for orders that were not sent."""

    def from_standing_orders(self, view: Any, ask: Ask, doctrine: list[Any]) -> Iterator[Reply]:
        if ask.kind == "orders" and "ambush" in doctrine:
            yield Reply({f"{ask.seat[0]}1": "ambush"}, "ambush")
        yield from super().from_standing_orders(view, ask, doctrine)


class BoldTitle(AmbushTitle):
    def rules(self, blobs: Mapping[str, bytes]) -> AmbushRules:
        return BoldRules(super().rules(blobs).data)


@pytest.mark.parametrize("policy", ["doctrine", "default"])
def test_who_sends_nothing_is_answered_for_by_doctrine_or_by_the_default(tmp_path: Path, policy: str) -> None:
    table = Table(tmp_path, {"ambush": BoldTitle()})
    table.begin(48, missed=policy)
    table.say("red", "doctrine: ambush")
    table.wait(48)
    entry = table.record.exchange(2)
    assert entry is not None
    replies = autos_of(table.server, entry)[0]
    assert replies["red"].source == policy and replies["blue"].source == "default"
    table.server.close()


def test_a_match_that_waits_closes_when_the_last_has_sealed_however_late(table: Table) -> None:
    table.begin(48, missed="wait")
    table.say("red", "r1 go2")
    table.wait(24 * 30)
    assert table.record.open_exchange == 2 and [owed.seat for owed in table.owed("missed")] == ["blue", "red"]
    table.say("blue", "b1 hold")
    table.wait()
    assert table.record.open_exchange == 3


def test_a_substitute_sits_down_and_has_the_full_time(table: Table) -> None:
    table.begin(48, missed="substitute")
    eve = table.account("eve")
    substitutes.stand_by(table.server, table.match, eve)
    table.say("red", "r1 go2")
    table.wait(48)
    assert table.record.open_exchange == 2
    assert table.record.occupants["blue"]["account"] == eve
    assert table.deadline.at == table.now + 48 * HOUR and table.deadline.cause == "substitute"
    assert [owed.account for owed in table.owed("joined")] == [eve]
    assert table.who["blue"] in [owed.account for owed in table.owed("left")]
    assert "red" in table.record.sealed, "the others' orders stand"
    table.wait(48)
    assert table.record.open_exchange == 3, "nobody else stands by: doctrine answers"


def test_patience_waits_for_so_many_missed_deadlines_in_a_row(table: Table) -> None:
    table.begin(48, missed="forfeit", patience=2, scenario="small")
    for _ in range(2):
        table.say("red", "r1 hold")
        table.wait(48)
    assert table.record.ended is not None
    assert table.record.ended.payload["outcome"]["rule"] == "pbem/forfeited"
    assert closings(table) == ["start", "deadline"], "the first time doctrine answered"


# Late orders -------------------------------------------------------------------------------------------------


def test_orders_after_the_deadline_are_late_even_before_the_clock_comes_round(table: Table) -> None:
    table.begin(48)
    table.now = table.deadline.at + 1
    with pytest.raises(Refusal, match="the deadline has passed"):
        table.say("red", "r1 go2")
    assert table.record.sealed == {}


def test_orders_count_by_the_time_their_door_took_them(table: Table) -> None:
    table.begin(48)
    deadline = table.deadline.at
    table.now = deadline + 10 * MINUTE
    table.say("red", "r1 go2", at=deadline)
    assert "red" in table.record.sealed
    with pytest.raises(Refusal, match="the deadline has passed"):
        table.say("red", "cancel", at=deadline + 1)


def test_nothing_is_late_while_the_server_is_on_hold(table: Table) -> None:
    table.begin(48)
    outages.hold(table.server)
    table.now = table.deadline.at + HOUR
    table.say("red", "r1 go2")
    assert "red" in table.record.sealed


# Rulings -----------------------------------------------------------------------------------------------------


def test_what_is_asked_anew_after_a_ruling_has_a_deadline_of_its_own(table: Table) -> None:
    """A correction voids the open exchange and its deadline; the exchange asked after it has a deadline of its
    own."""
    table.begin(48, master=True)
    table.now += 5 * HOUR
    rulings.correct(table.server, table.match, [{"path": ["turns"], "value": 3}], reason="as agreed", by=table.master)
    table.wait()
    assert (table.deadline.exchange, table.deadline.at) == (3, START + 53 * HOUR)


# Outages -----------------------------------------------------------------------------------------------------


def test_a_long_outage_is_told_once_to_each_player_and_a_short_one_to_nobody(table: Table) -> None:
    table.begin(48)
    table.begin(48)
    table.now += MINUTE
    outages.record_outage(table.server, table.now - MINUTE, table.now, "a hiccup")
    outages.settle_all(table.server)
    assert table.owed("outage") == []
    outages.record_outage(table.server, table.now - HOUR, table.now, "a storm")
    outages.settle_all(table.server)
    assert sorted(owed.account for owed in table.owed("outage")) == sorted(table.who.values())
