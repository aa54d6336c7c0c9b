"""A seat can change hands during a match, and the records of both players stay right."""

from __future__ import annotations

import pytest
from support.seated import Table

from pbem.engine.rules.refusals import Refusal
from pbem.matches.accounts import accounts, reliability
from pbem.matches.accounts.reliability import Figures
from pbem.matches.players import substitutes
from pbem.matches.post import outbox, reply_tokens

# Substitutes -------------------------------------------------------------------------------------------------


def test_who_stands_by_takes_a_seat_that_is_handed_over(table: Table) -> None:
    table.begin()
    eve = table.account("eve")
    substitutes.stand_by(table.server, table.match, eve)
    assert substitutes.standing_by(table.record) == [eve]
    table.say("red", "r1 go2")
    old = table.record.occupants["red"]["occupancy"]
    substitutes.hand_over(table.server, table.match, "red", eve, by=table.who["red"])
    taken = table.record.occupants["red"]
    assert taken["account"] == eve and taken["occupancy"] != old, "old codes do not count any more"
    assert "red" not in table.record.sealed, "what was sealed falls"
    assert substitutes.standing_by(table.record) == []
    table.wait()
    assert [owed.account for owed in table.owed("joined")] == [eve]
    assert sorted(owed.seat for owed in table.owed("left")) == ["blue", "red"]


def test_only_the_occupant_hands_over_and_only_to_who_stands_by(table: Table) -> None:
    table.begin()
    eve = table.account("eve")
    with pytest.raises(Refusal, match="list of substitutes"):
        substitutes.hand_over(table.server, table.match, "red", eve, by=table.who["red"])
    substitutes.stand_by(table.server, table.match, eve)
    with pytest.raises(Refusal, match="that is not your seat"):
        substitutes.hand_over(table.server, table.match, "red", eve, by=table.who["blue"])


def test_players_do_not_stand_by_and_who_stands_by_may_stand_down(table: Table) -> None:
    table.begin()
    eve = table.account("eve")
    with pytest.raises(Refusal, match="already have a seat"):
        substitutes.stand_by(table.server, table.match, table.who["red"])
    substitutes.stand_by(table.server, table.match, eve)
    with pytest.raises(Refusal, match="list of substitutes"):
        substitutes.stand_by(table.server, table.match, eve)
    substitutes.stand_down(table.server, table.match, eve)
    with pytest.raises(Refusal, match="list of substitutes"):
        substitutes.stand_down(table.server, table.match, eve)


def test_first_come_first_and_nobody_twice(table: Table) -> None:
    table.begin(48, missed="substitute")
    eve, dan = table.account("eve"), table.account("dan")
    for account in (eve, dan):
        substitutes.stand_by(table.server, table.match, account)
    table.wait(48)
    assert {seat: taken["account"] for seat, taken in table.record.occupants.items()} == {"blue": eve, "red": dan}


def test_the_address_of_a_player_may_change_during_a_match(table: Table) -> None:
    """A player's address may change during a match: email goes to the first address, but orders from
    all of them are accepted."""
    table.begin()
    token = reply_tokens.make(table.server, use="orders", match=table.match, number=2, seat="red", occupancy=1)
    accounts.add_address(table.server, table.who["red"], "ann@new.example")
    assert reply_tokens.read(table.server, token).seat == "red"
    assert outbox.waiting(table.server)[0].account in table.who.values()


# Reliability -------------------------------------------------------------------------------------------------


def figures(table: Table, seat: str) -> Figures:
    return reliability.figures(table.server, table.who[seat])


def test_figures_come_from_events_alone(table: Table) -> None:
    table.begin(48)
    table.say("red", "r1 hold")
    table.wait(48)
    table.play()
    assert table.record.ended is not None
    assert figures(table, "red") == Figures(asked=2, answered=2, finished=1)
    assert figures(table, "blue") == Figures(asked=2, answered=1, missed=1, finished=1)
    assert figures(table, "blue").percent == 50
    assert str(figures(table, "blue")) == "answered 50% of 2 requests for orders, finished 1 match"
    table.server.database.execute("DELETE FROM reliability")
    table.server.database.execute("DELETE FROM sittings")
    table.server.store.drop_projection("reliability")
    assert figures(table, "blue").missed == 1, "they can be made again"


def test_resigning_forfeiting_and_being_replaced_show_and_conceding_does_not(table: Table) -> None:
    table.begin()
    table.say("red", "resign")
    table.begin()
    table.say("red", "concede")
    table.begin(48, missed="forfeit")
    table.say("blue", "b1 hold")
    table.wait(48)
    table.begin(48, missed="substitute")
    substitutes.stand_by(table.server, table.match, table.account("eve"))
    table.say("blue", "b1 hold")
    table.wait(48)
    found = figures(table, "red")
    assert (found.resigned, found.forfeited, found.replaced, found.finished) == (1, 1, 1, 3)


def test_nobody_is_judged_before_he_was_asked(table: Table) -> None:
    assert figures(table, "red") == Figures() and figures(table, "red").percent is None
    assert "not been asked" in str(figures(table, "red"))
