"""A dispute becomes a precedent: claim, statement, ruling, decision and appeal form one linked record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.seated import Table

from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Refusal
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.history.replay import load
from pbem.matches.rulings import corrections, disputes, powers, precedents, previews
from pbem.matches.rulings.previews import Ruling


@pytest.fixture
def table(folders: Callable[[], Path]) -> Table:
    return Table(folders())


def begun(table: Table) -> Table:
    table.begin(master=True)
    table.play()
    return table


def settle(table: Table, number: int = 1, **more: str) -> None:
    said = {"answer": "The shot was legal.", "verdict": "dismissed", "rule": "4.2", **more}
    powers.settle(table.server, table.match, number=number, by=table.master, **said)


def test_a_sentence_is_disputed_by_mail_with_its_number_and_rule(table: Table) -> None:
    begun(table)
    [done] = table.say("red", "dispute 1.0.3 (rule 4.2): b1 could not see r1.")
    assert str(done.note) == "You have disputed sentence 1.0.3. The game master is notified."
    [found] = disputes.disputes(table.record)
    assert (found.place, found.rule, found.seat) == ("1.0.3", "4.2", "red")
    assert disputes.text_of(table.server, table.record, 1, MASTER) == "b1 could not see r1."


def test_the_other_side_is_heard_once_and_only_the_game_master_reads_it(table: Table) -> None:
    begun(table).say("red", "dispute 1: wrong")
    table.say("blue", "statement 1: I was in clear terrain")
    [statement] = disputes.statements(table.server, table.record, 1, MASTER)
    assert (statement.seat, statement.text) == ("blue", "I was in clear terrain")
    assert [one.text for one in disputes.statements(table.server, table.record, 1, "red")] == [""]
    with pytest.raises(Refusal, match="made your statement"):
        table.say("blue", "statement 1: once more")
    with pytest.raises(Refusal, match="your own dispute"):
        table.say("red", "statement 1: and I")


def test_a_ruling_names_its_dispute_and_the_decision_names_the_ruling(table: Table) -> None:
    begun(table).say("red", "dispute 1 (rule 4.2): wrong")
    ruling = Ruling(kind="reopen", exchange=1, reason="an order was misread", dispute=1)
    trial = previews.trial(table.server, table.match, ruling, by=table.master)
    previews.rule(table.server, table.match, ruling, seen=trial.seen, by=table.master)
    settle(table, verdict="upheld")
    [found] = disputes.disputes(table.record)
    event = table.record.events[found.ruling - 1]
    assert (event.type, event.payload["dispute"]) == ("ruling.reopened", 1)
    assert found.verdict == "upheld"
    assert table.verified().ok


def test_a_decision_becomes_a_precedent_that_others_follow_or_depart_from(table: Table) -> None:
    begun(table).say("red", "dispute 1 (rule 4.2): wrong")
    settle(table)
    table.wait()
    [first] = precedents.search(table.server, title="ambush", rule="4.2")
    assert (first.rule, first.verdict, first.answer) == ("4.2", "dismissed", "The shot was legal.")
    assert precedents.search(table.server, rule="4") == [first], "a rule finds its sub-rules"
    assert precedents.search(table.server, rule="4.2.1") == [first], "a sub-rule finds the rule that it belongs to"
    assert precedents.search(table.server, rule="4.1") == []
    assert precedents.search(table.server, words="legal shot") == [first]
    assert precedents.search(table.server, title="panzer") == []
    begun(table).say("red", "dispute 1 (rule 4.2): wrong again")
    [waiting] = powers.open_disputes(table.server, table.match, by=table.master)
    assert waiting.precedents == (first,), "the open dispute shows what was decided before"
    with pytest.raises(Refusal, match="no precedent"):
        settle(table, follows="nowhere/1")
    with pytest.raises(Refusal, match="say why you depart"):
        settle(table, departs=first.id)
    settle(table, follows=first.id, grounds="the same position")
    assert disputes.disputes(table.record)[-1].grounds == "the same position"
    table.wait()
    assert {found.id: found.cited for found in precedents.search(table.server, rule="4.2")}[first.id] == 1


def test_an_appeal_opens_a_dispute_again_and_there_is_only_one(table: Table) -> None:
    begun(table).say("red", "dispute 1 (rule 4.2): wrong")
    with pytest.raises(Refusal, match="decided"):
        table.say("red", "appeal 1: not yet")
    settle(table)
    table.wait()
    table.say("blue", "appeal 1: look at the table again")
    table.wait()
    assert precedents.search(table.server) == [], "what is open is not a precedent"
    settle(table, answer="It was not legal after all.", verdict="upheld")
    table.wait()
    [found] = disputes.disputes(table.record)
    assert (found.appealed, found.first_answer, found.verdict) == ("blue", "The shot was legal.", "upheld")
    assert precedents.search(table.server)[0].answer == "It was not legal after all."
    with pytest.raises(Refusal, match="final"):
        table.say("red", "appeal 1: and again")


def test_a_match_that_agreed_to_wait_closes_nothing_while_a_dispute_is_open(table: Table) -> None:
    table.begin(master=True, disputes="wait")
    table.play()
    table.say("red", "dispute 1: wrong")
    before = table.deadline.at
    exchange = table.record.open_exchange
    table.wait(hours=100)
    assert table.record.open_exchange == exchange
    settle(table)
    assert table.deadline.at - before >= 99 * HOUR, "the time is given back"
    table.wait(hours=1)
    assert table.record.open_exchange == exchange
    assert table.verified().ok


def test_a_correction_of_a_place_that_does_not_exist_is_refused(table: Table) -> None:
    begun(table)
    for line in ("nonsense = 3", "units/r1/nonsense = 3"):
        with pytest.raises(Refusal, match="nonsense"):
            changes = corrections.read_changes(table.server, table.match, line, raw=True)
            previews.trial(
                table.server, table.match, Ruling(kind="correct", changes=changes, reason="x"), by=table.master
            )
    assert load(table.server, table.match).run.state.units


def test_the_effect_of_a_ruling_is_shown_for_each_viewer_in_words(table: Table) -> None:
    begun(table)
    changes = corrections.read_changes(table.server, table.match, "r1 hex 1.3")
    trial = previews.trial(
        table.server, table.match, Ruling(kind="correct", changes=changes, reason="misplaced"), by=table.master
    )
    assert set(trial.by_viewer) == {"red", "blue", "public"}
    assert any("unit r1: hex" in said and "becomes 1/3" in said for said in trial.by_viewer["red"])
