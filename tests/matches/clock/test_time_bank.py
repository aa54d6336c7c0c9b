"""Time banks: late orders use up hours, of which each seat has a fixed number for the whole match."""

from __future__ import annotations

from support.seated import START, Table

from pbem.engine.text.messages import as_message
from pbem.matches.clock import time_bank
from pbem.matches.clock.deadlines import HOUR


def left(table: Table, seat: str) -> int:
    return time_bank.time_left(table.record, seat) // HOUR


def test_a_seat_without_orders_draws_a_day_at_a_time_and_pays_only_for_what_it_uses(table: Table) -> None:
    table.begin(48, bank=30)
    table.say("blue", "b1 hold")
    table.wait(48)
    assert table.deadline.at == START + 72 * HOUR
    assert "red drew on the time bank" in str(table.deadline.why(as_message))
    assert left(table, "red") == 6 and left(table, "blue") == 30
    table.wait(10)
    table.say("red", "r1 hold", final=True)
    table.say("blue", "b1 hold", final=True)
    assert left(table, "red") == 20
    assert table.deadline.exchange == 3
    table.say("blue", "b1 hold")
    table.wait(48)
    assert table.deadline.at == START + (58 + 48 + 20) * HOUR, "what was not used could be drawn again"
    assert table.verified().problems == []


def test_an_empty_bank_leaves_the_match_to_its_policy(table: Table) -> None:
    table.begin(48, bank=30)
    for _ in range(2):
        table.wait((table.deadline.at - table.now) / HOUR)
    assert table.deadline.exchange == 2, "the last six hours"
    assert table.deadline.at == START + 48 * HOUR + 30 * HOUR
    table.wait(6)
    assert table.deadline.exchange == 3
    assert left(table, "red") == left(table, "blue") == 0
    table.wait(48)
    assert table.record.ended, "nothing is left for the second exchange, which is the last"


def test_a_match_without_a_bank_closes_at_its_deadline(table: Table) -> None:
    table.begin(48)
    table.wait(48)
    assert table.deadline.exchange == 3
    assert table.events("extension.granted") == []


def test_both_players_are_told_and_the_page_says_what_was_agreed(table: Table) -> None:
    table.begin(48, bank=30)
    table.say("blue", "b1 hold")
    table.wait(48)
    assert sorted(owed.seat for owed in table.owed("extension")) == ["blue", "red"]
