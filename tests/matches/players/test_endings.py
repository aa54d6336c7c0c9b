"""Ends that the rules do not bring about are recorded, open everything, and can be verified."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from support.seated import START, Table

from eventstore import Event, NewEvent, event_hash
from pbem.engine.rules.refusals import Refusal
from pbem.matches import views
from pbem.matches.accounts import accounts
from pbem.matches.audit.verify import verify_export
from pbem.matches.exchange import advancing, creating, halting
from pbem.matches.exchange.seats import take_seat
from pbem.matches.history.export import export, read_export
from pbem.matches.history.receipts import Signer
from pbem.matches.players import endings
from pbem.matches.rulings import rulings


def outcome(table: Table) -> tuple[Any, ...]:
    ended = table.record.ended
    assert ended is not None
    said = ended.payload["outcome"]
    return said["rule"], said["winner"], said["why"]


# Two seats ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("word", "rule"), [("resign", "pbem/resigned"), ("concede", "pbem/conceded")])
def test_who_gives_up_has_lost_and_the_export_verifies(table: Table, word: str, rule: str) -> None:
    table.begin()
    table.play(("red", "r1 go2"))
    table.say("red", "r1 hold")
    table.say("red", word)
    assert outcome(table)[:2] == (rule, "blue")
    assert views.status(table.server, table.match).state == "over"
    assert views.status(table.server, table.match).asked == []
    for viewer in ("red", "blue", "public", "master"):
        report = table.verified(viewer)
        assert report.ok, report.problems
        assert "replayed from the first event with the same result" in report.facts
    assert sorted(owed.seat for owed in table.owed("ended")) == ["blue", "red"]
    assert table.owed("over") == []


def test_nothing_goes_on_after_the_end(table: Table) -> None:
    table.begin()
    table.say("red", "resign")
    for line in ("r1 hold", "resign", "draw", "press red: hello"):
        with pytest.raises(Refusal, match="the match is over"):
            table.say("blue", line)
    table.wait(100)
    assert table.record.events[-1].type == "match.ended"


def test_a_draw_needs_the_offer_of_all_in_the_same_exchange(table: Table) -> None:
    table.begin(scenario="small")
    table.say("red", "draw")
    assert [owed.seat for owed in table.owed("offer")] == ["blue"]
    with pytest.raises(Refusal, match="already offered a draw"):
        table.say("red", "draw")
    table.play()
    table.say("blue", "draw")
    assert table.record.ended is None, "red's offer ended with the exchange"
    table.say("red", "draw")
    assert outcome(table) == ("pbem/drawn", None, "all players have agreed on a draw")
    assert table.verified().ok


def test_a_bot_declines_a_draw_and_says_why(table: Table) -> None:
    table.who["blue"] = accounts.open_bot(table.server, "random").id
    table.begin()
    done = table.word("red", "draw")
    assert "The bot playing blue declines: it cannot judge who is ahead" in str(done.note) and '"concede"' in str(
        done.note
    )
    assert table.record.ended is None


def test_a_match_that_has_not_started_cannot_be_given_up(table: Table) -> None:
    table.match = creating.new_match(table.server, "ambush", "tiny")
    take_seat(table.server, table.match, "red", table.who["red"])
    with pytest.raises(Refusal, match="has not started"):
        table.say("red", "resign")


def test_a_ruling_that_reopens_the_match_takes_the_end_back(table: Table) -> None:
    table.begin(master=True)
    table.play()
    table.say("red", "resign")
    rulings.reopen(table.server, table.match, after=2, reason="he was not himself", by=table.master)
    advancing.advance(table.server, table.match)
    assert table.record.ended is None and endings.given_up(table.record) == {}
    assert table.verified().ok
    table.play()
    assert table.record.ended is not None and table.record.ended.payload["outcome"]["rule"] == "5"
    assert table.verified().ok


def test_a_halted_match_can_be_given_up_and_verifies(table: Table) -> None:
    table.begin()
    halting.halt(table.server, table.record, 1, RuntimeError("a bug"))
    table.say("red", "resign")
    assert outcome(table)[1] == "blue" and table.verified().ok


# Forfeits ----------------------------------------------------------------------------------------------------


def test_who_forfeits_has_lost_and_the_export_verifies(table: Table) -> None:
    table.begin(48, missed="forfeit")
    table.say("red", "r1 hold")
    table.wait(48)
    assert outcome(table) == ("pbem/forfeited", "red", "blue has forfeited")
    assert table.verified().ok


def test_when_all_forfeit_nobody_wins(table: Table) -> None:
    table.begin(48, missed="forfeit")
    table.wait(48)
    assert outcome(table) == ("pbem/forfeited", None, "blue has forfeited; red has forfeited")
    assert table.verified().ok


@pytest.mark.parametrize(
    ("timing", "hours", "sealed", "why"),
    [
        ({}, 48, "", "does not allow forfeits"),
        ({"missed": "forfeit"}, 47, "", "has not run out"),
        ({"missed": "forfeit"}, 48, "r1 hold", "has no orders to give"),
        ({"missed": "forfeit", "patience": 2}, 48, "", "has not missed 2 deadlines"),
    ],
)
def test_nobody_forfeits_before_his_time(
    table: Table, timing: dict[str, Any], hours: int, sealed: str, why: str
) -> None:
    table.begin(48, **timing)
    if sealed:
        table.say("red", sealed)
    at = START + hours * 3_600_000
    with pytest.raises(Refusal, match=why):
        endings.forfeit_seats(table.server, table.record, ["red"], at)


# More seats --------------------------------------------------------------------------------------------------


def test_when_one_of_a_side_gives_up_his_seat_is_free_and_the_match_goes_on(table: Table) -> None:
    """When one of several players on a side gives up, the seat becomes free and the match continues."""
    table.begin()
    sides = {"red": "axis", "blue": "allies", "green": "allies"}
    table.server.store.append(
        table.record.stream,
        [NewEvent("seat.resigned", {"seat": "blue", "account": "x", "occupancy": 2, "exchange": 2})],
        expected=table.record.version,
    )
    assert endings.outcome(table.record, sides) is None
    table.server.store.append(
        table.record.stream,
        [NewEvent("seat.resigned", {"seat": "green", "account": "y", "occupancy": 3, "exchange": 2})],
        expected=table.record.version,
    )
    found = endings.outcome(table.record, sides)
    assert found is not None and (found.rule, found.winner) == ("pbem/resigned", "axis")


def test_a_seat_that_is_taken_again_has_not_given_up(table: Table) -> None:
    table.begin()
    events = [
        NewEvent("seat.resigned", {"seat": "blue", "account": "x", "occupancy": 2, "exchange": 2}),
        NewEvent("seat.left", {"seat": "blue", "why": "resigned"}),
        NewEvent("seat.taken", {"seat": "blue", "account": "z"}),
    ]
    table.server.store.append(table.record.stream, events, expected=table.record.version)
    assert endings.given_up(table.record) == {}


# Forgeries ---------------------------------------------------------------------------------------------------


def forged(table: Table, change: Any) -> Any:
    """Return an export whose events the server has changed, chained and signed again."""
    export_ = read_export(export(table.server, table.match, "public"))
    events = [msgspec.to_builtins(event) for event in export_.events]
    change(events)
    previous = events[0]["previous"]
    export_.events = []
    for version, body in enumerate(events, 1):
        body |= {"version": version, "previous": previous}
        body["hash"] = previous = event_hash(msgspec.convert(body, Event))
        export_.events.append(msgspec.convert(body, Event))
    trailer = {name: value for name, value in export_.trailer.items() if name != "signature"}
    trailer |= {"count": len(events), "hashes": [event.hash for event in export_.events]}
    signer: Signer = table.server.signer
    export_.trailer = {**trailer, "signature": signer.sign(trailer)}
    return verify_export(export_, dict(table.titles))


def without(type: str) -> Any:
    def change(events: list[dict[str, Any]]) -> None:
        events[:] = [event for event in events if event["type"] != type]

    return change


def saying(type: str, **values: Any) -> Any:
    def change(events: list[dict[str, Any]]) -> None:
        for event in events:
            if event["type"] == type:
                event["payload"] = {**event["payload"], **copy.deepcopy(values)}

    return change


def test_a_resignation_that_nobody_made_does_not_verify(table: Table) -> None:
    table.begin()
    table.play()
    table.say("red", "resign")
    assert forged(table, lambda events: None).ok, "the forger's tools are sound"
    report = forged(table, without("seat.resigned"))
    assert [problem.code for problem in report.problems] == ["end"]


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ({"account": "somebody"}, "was not the occupant"),
        ({"occupancy": 7}, "was not the occupant"),
        ({"seat": "blue"}, "was not the occupant"),
    ],
)
def test_a_resignation_of_somebody_else_does_not_verify(table: Table, values: dict[str, Any], what: str) -> None:
    table.begin()
    table.say("red", "resign")
    report = forged(table, saying("seat.resigned", **values))
    assert any(what in problem.what for problem in report.problems)


def test_another_winner_than_the_events_give_does_not_verify(table: Table) -> None:
    table.begin()
    table.say("red", "resign")
    other = {"rule": "pbem/resigned", "winner": "red", "why": "red has resigned"}
    assert not forged(table, saying("match.ended", outcome=other)).ok


def test_a_draw_without_the_other_s_offer_does_not_verify(table: Table) -> None:
    table.begin()
    table.say("red", "draw")
    table.say("blue", "draw")
    report = forged(table, lambda events: events.remove(next(e for e in events if e["type"] == "draw.offered")))
    assert [problem.what for problem in report.problems] == ["the match ends, but no earlier event causes that"]


def test_a_forfeit_before_the_deadline_does_not_verify(table: Table) -> None:
    table.begin(48, missed="forfeit")
    table.say("red", "r1 hold")
    table.wait(48)
    later = saying("deadline.set", at=START + 1000 * 3_600_000)
    report = forged(table, later)
    assert any("has not forfeited" in problem.what for problem in report.problems)


def test_an_end_by_the_rules_cannot_pass_for_an_agreed_one(table: Table) -> None:
    table.begin()
    table.play()
    table.play()
    assert table.record.ended is not None and table.verified().ok
    agreed = {"rule": "pbem/drawn", "winner": None, "why": "all players have agreed on a draw"}
    assert not forged(table, saying("match.ended", outcome=agreed)).ok
