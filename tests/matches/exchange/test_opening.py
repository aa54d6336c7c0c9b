"""Late opening, adjudication, pinned switches and derived ids, all of which tournaments need."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from support.playing import a_match, a_server, play
from support.seated import Table
from support.toy import AmbushTitle

from eventstore import Conflict
from pbem.engine.rules.refusals import Refusal, Unreadable
from pbem.matches import unit_of_work
from pbem.matches.audit.verify import Report, verify_export
from pbem.matches.exchange import creating
from pbem.matches.exchange.checks import NotOpen
from pbem.matches.exchange.ending import open_match
from pbem.matches.history.export import export, read_export
from pbem.matches.history.replay import load, record_of
from pbem.matches.players import endings, substitutes
from pbem.matches.server import Server

REPLAYED = "replayed from the first event with the same result"


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return a_server(tmp_path)


def verified(server: Server, match: str) -> Report:
    return verify_export(read_export(export(server, match, "public")), {"ambush": AmbushTitle()})


def secrets(server: Server, match: str) -> int:
    """Count the parts for seats or the server that the public's export contains."""
    found = read_export(export(server, match, "public"))
    audiences = {ref.commitment: ref.audience for event in found.events for ref in event.parts}
    return sum(audiences[commitment] != "public" for commitment in found.parts)


def test_the_end_tells_each_sides_score(server: Server) -> None:
    end = play(server, a_match(server), 1)
    assert end.record.ended is not None

    assert end.record.ended.payload["outcome"]["score"] == end.rules.score(end.run.state)
    assert REPLAYED in verified(server, end.match).facts


def test_a_match_that_opens_with_its_round_keeps_its_secrets_at_the_end(server: Server) -> None:
    match = a_match(server, more={"opens": "round"})
    record = play(server, match, 1).record
    assert record.ended is not None

    assert "opened" not in record.ended.payload
    assert secrets(server, match) == 0
    report = verified(server, match)
    assert report.ok
    assert any("the match opens with its round" in fact for fact in report.facts)


def test_it_opens_once_and_then_replays_like_any_other(server: Server) -> None:
    match = a_match(server, more={"opens": "round"})
    play(server, match, 1)

    assert open_match(server, match)
    assert not open_match(server, match)
    assert secrets(server, match) > 0
    report = verified(server, match)
    assert report.ok and REPLAYED in report.facts


def test_a_match_that_never_opens_stays_closed(server: Server) -> None:
    match = a_match(server, more={"opens": "never"})
    play(server, match, 1)

    assert not open_match(server, match)
    assert secrets(server, match) == 0
    assert any("stay sealed, as agreed" in fact for fact in verified(server, match).facts)


def test_secrets_stay_sealed_if_all_players_agree_and_only_then(table: Table) -> None:
    for seats in (("red",), ("red", "blue")):
        table.begin()
        table.play()
        for seat in seats:
            [done] = table.say(seat, "keep secrets")
        assert ("All players agree" in str(done.note)) == (len(seats) == 2)
        with pytest.raises(Refusal, match="already agreed"):
            table.say("red", "Keep our secrets.")
        table.say("blue", "resign")
        assert (table.record.opened is None) == (len(seats) == 2) and not open_match(table.server, table.match)
        assert table.verified().ok and table.verified("red").ok


def test_the_agreement_of_who_has_left_does_not_bind_a_successor(table: Table) -> None:
    table.begin()
    table.play()
    for seat in ("red", "blue"):
        table.say(seat, "keep secrets")
    assert table.record.opens == "never"
    sue = table.account("sue")
    substitutes.stand_by(table.server, table.match, sue)
    substitutes.hand_over(table.server, table.match, "red", sue, by=table.who["red"])
    assert table.record.opens == "match"


def test_a_match_that_goes_on_cannot_be_opened(server: Server) -> None:
    match = a_match(server, more={"opens": "round"})

    assert not open_match(server, match)


# Adjudication ------------------------------------------------------------------------------------------------------


TOURNAMENT = {"origin": {"stream": "tournament/t"}}


def adjudicate_by_score(server: Server, match: str, margin: int) -> None:
    position = load(server, match)
    scores = position.rules.score(position.run.state)
    events = endings.adjudicate_by_score(server, position.record, scores, margin, "the round is over")
    unit_of_work.append(server, position.record, events, "adjudicate")


def test_a_match_adjudicated_by_rule_verifies(server: Server) -> None:
    match = a_match(server, more=TOURNAMENT)
    adjudicate_by_score(server, match, 1)
    record = record_of(server, match)
    assert record.ended is not None

    assert record.ended.payload["outcome"]["rule"] == "pbem/adjudicated"
    assert record.ended.payload["outcome"]["winner"] is None, "both sides have the same number of units"
    report = verified(server, match)
    assert report.ok and REPLAYED in report.facts


def test_verify_recomputes_what_a_rule_decided(server: Server) -> None:
    match = a_match(server, more=TOURNAMENT)
    position = load(server, match)
    events = endings.adjudicate_by_score(server, position.record, {"red": 9, "blue": 0}, 1, "invented")
    unit_of_work.append(server, position.record, events, "adjudicate")

    problems = [problem.what for problem in verified(server, match).problems]
    assert problems == ["the rules give another score than the adjudication names"]


def test_a_person_may_decide_with_a_reason(server: Server) -> None:
    match = a_match(server, master="max")
    record = record_of(server, match)
    unit_of_work.append(
        server, record, endings.adjudicate(server, record, "red", "red holds the bridge", by="max"), "x"
    )
    ended = record_of(server, match).ended
    assert ended is not None

    assert (ended.payload["outcome"]["winner"], ended.payload["outcome"]["why"]) == ("red", "red holds the bridge")
    assert verified(server, match).ok
    with pytest.raises(NotOpen):
        endings.adjudicate(server, record_of(server, match), "blue", "second thoughts", by="max")


@pytest.mark.parametrize(
    ("scores", "margin", "winner"),
    [
        ({"a": 5, "b": 3}, 2, "a"),
        ({"a": 5, "b": 3}, 3, None),
        ({"a": 3, "b": 3}, 0, None),
        ({"a": 0, "b": 1}, 1, "b"),
    ],
)
def test_the_lead_must_reach_the_margin(scores: dict[str, int], margin: int, winner: str | None) -> None:
    assert endings.leader(scores, margin) == winner


# Creation ----------------------------------------------------------------------------------------------------------


def test_a_given_id_is_used_once(server: Server) -> None:
    assert creating.create(server, "ambush", "tiny", match="aaaaaaaa") == "aaaaaaaa"
    with pytest.raises(Conflict):
        creating.create(server, "ambush", "tiny", match="aaaaaaaa")


def test_switches_can_be_pinned_and_unknown_ones_are_refused(server: Server) -> None:
    match = creating.create(server, "ambush", "tiny", switches=[])

    assert record_of(server, match).created.switches == []
    with pytest.raises(Unreadable):
        creating.create(server, "ambush", "tiny", switches=["nonsense"])


def test_an_outcome_without_a_score_is_spelled_as_before() -> None:
    from pbem.engine.rules.state import Outcome

    assert msgspec.json.encode(Outcome("5", "red", "why")) == b'{"rule":"5","winner":"red","why":"why"}'
