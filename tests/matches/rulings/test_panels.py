"""Panels decide by an odd number of votes, auditors only read, and both verifiers know these powers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.forgeries.forging import UNENTITLED, append_unentitled
from support.seated import Table

from pbem.engine.rules.refusals import Refusal
from pbem.matches.players import substitutes
from pbem.matches.rulings import auditors, corrections, disputes, panels, powers, previews
from pbem.matches.rulings.previews import Ruling


@pytest.fixture
def table(folders: Callable[[], Path]) -> Table:
    found = Table(folders())
    found.begin(master=True)
    found.play()
    found.say("red", "dispute 1 (rule 4.2): wrong")
    return found


@pytest.fixture
def three(table: Table) -> list[str]:
    return [table.account(name) for name in ("pat", "per", "pia")]


def codes(table: Table) -> set[str]:
    return {code for _, code in table.verified().codes}


def codes_of(table: Table, forgery: str) -> set[str]:
    append_unentitled(table.server, table.match, forgery, {"GM": table.master, "RED": table.who["red"]})
    return codes(table)


def test_the_majority_of_an_odd_panel_decides(table: Table, three: list[str]) -> None:
    panels.name(table.server, table.match, 1, three, by=table.master)
    with pytest.raises(Refusal, match="decided by its panel"):
        powers.settle(table.server, table.match, number=1, answer="No.", by=table.master)
    assert not panels.vote(table.server, table.match, 1, "upheld", "The shot was blocked.", by=three[0])
    with pytest.raises(Refusal, match="already voted"):
        panels.vote(table.server, table.match, 1, "dismissed", "I changed my mind.", by=three[0])
    assert not panels.vote(table.server, table.match, 1, "dismissed", "It was not.", by=three[1])
    assert panels.vote(table.server, table.match, 1, "upheld", "A wall is in the way.", by=three[2], rule="4.2.1")
    [found] = disputes.disputes(table.record)
    assert found.answer == "Upheld by 2 of 3 votes (1 against). A wall is in the way."
    assert (found.verdict, found.rule) == ("upheld", "4.2.1")
    assert table.verified().ok


@pytest.mark.parametrize("who", [[], ["pat", "per"], ["ann"], ["pat", "per", "ann"]])
def test_a_panel_is_odd_and_does_not_play(table: Table, who: list[str]) -> None:
    with pytest.raises(Refusal, match=r"odd number|plays in this match"):
        panels.name(table.server, table.match, 1, [table.account(name) for name in who], by=table.master)


def test_only_the_game_master_names_a_panel_and_only_its_members_vote(table: Table, three: list[str]) -> None:
    with pytest.raises(Refusal, match="game master who does not play"):
        panels.name(table.server, table.match, 1, three, by=table.who["red"])
    panels.name(table.server, table.match, 1, three, by=table.master)
    with pytest.raises(Refusal, match="only members"):
        panels.vote(table.server, table.match, 1, "upheld", "Yes.", by=table.master)
    panels.vote(table.server, table.match, 1, "upheld", "Yes.", by=three[0])
    with pytest.raises(Refusal, match="begun to vote"):
        panels.name(table.server, table.match, 1, three[:1], by=table.master)


def test_a_member_rules_once_the_panel_has_upheld_the_claim(table: Table, three: list[str]) -> None:
    panels.name(table.server, table.match, 1, three, by=table.master)
    changes = corrections.read_changes(table.server, table.match, "r1 hex 1.3")
    ruling = Ruling(kind="correct", changes=changes, reason="put back", dispute=1)
    with pytest.raises(Refusal, match="only the game master"):
        previews.trial(table.server, table.match, ruling, by=three[0])
    for member in three[:2]:
        panels.vote(table.server, table.match, 1, "upheld", "Yes.", by=member)
    trial = previews.trial(table.server, table.match, ruling, by=three[0])
    previews.rule(table.server, table.match, ruling, seen=trial.seen, by=three[0])
    [found] = disputes.disputes(table.record)
    assert table.record.events[found.ruling - 1].type == "ruling.corrected"
    assert table.verified().ok


def test_an_appeal_makes_the_votes_void(table: Table, three: list[str]) -> None:
    panels.name(table.server, table.match, 1, three[:1], by=table.master)
    assert panels.vote(table.server, table.match, 1, "dismissed", "No.", by=three[0]), "one member is a judge"
    table.say("red", "appeal 1: look again")
    panels.name(table.server, table.match, 1, three, by=table.master)
    for member in three[:2]:
        panels.vote(table.server, table.match, 1, "upheld", "Yes.", by=member)
    [found] = disputes.disputes(table.record)
    assert (found.verdict, found.first_answer.split(".")[0]) == ("upheld", "Dismissed by 1 of 1 votes (0 against)")
    assert table.verified().ok


@pytest.mark.parametrize("forgery", UNENTITLED)
def test_what_nobody_was_entitled_to_is_found(table: Table, forgery: str) -> None:
    assert codes(table) == set()
    assert codes_of(table, forgery) == {UNENTITLED[forgery][1]}


def test_an_auditor_is_appointed_when_all_sides_propose_the_same_account(table: Table) -> None:
    eve, match = table.account("eve"), table.match
    with pytest.raises(Refusal, match="only the game master"):
        powers.everything(table.server, match, by=eve)
    assert not auditors.propose(table.server, match, "red", eve, by=table.who["red"])
    assert not auditors.propose(table.server, match, "blue", table.account("other"), by=table.who["blue"])
    assert auditors.propose(table.server, match, "blue", eve, by=table.who["blue"])
    assert auditors.auditors(table.record) == [eve] and auditors.proposals(table.record) == {}
    powers.everything(table.server, match, by=eve)
    assert table.record.events[-1].type == "master.looked", "every look is on record"
    for act in (
        lambda: powers.settle(table.server, match, number=1, answer="No.", by=eve),
        lambda: powers.pause(table.server, match, days=1, why="x", by=eve),
        lambda: previews.trial(table.server, match, Ruling(kind="reopen", exchange=1, reason="x"), by=eve),
    ):
        with pytest.raises(Refusal, match="game master"):
            act()
    assert table.verified().ok
    auditors.dismiss(table.server, match, eve, by=table.who["blue"])
    with pytest.raises(Refusal, match="only the game master"):
        powers.everything(table.server, match, by=eve)
    assert table.verified().ok


def test_who_plays_cannot_audit_and_only_an_occupant_proposes(table: Table) -> None:
    with pytest.raises(Refusal, match="a player of this match"):
        auditors.propose(table.server, table.match, "red", table.who["blue"], by=table.who["red"])
    with pytest.raises(Refusal, match="occupant can propose"):
        auditors.propose(table.server, table.match, "red", table.master, by=table.master)


def handed_to(table: Table, account: str) -> None:
    """Hand red's seat over to an account."""
    substitutes.stand_by(table.server, table.match, account)
    substitutes.hand_over(table.server, table.match, "red", account, by=table.who["red"])


def test_who_takes_a_seat_votes_no_more(table: Table, three: list[str]) -> None:
    panels.name(table.server, table.match, 1, three, by=table.master)
    handed_to(table, three[0])
    with pytest.raises(Refusal, match="you now play in this match"):
        panels.vote(table.server, table.match, 1, "upheld", "Yes.", by=three[0])


def test_who_leaves_takes_the_proposal_of_an_auditor_along(table: Table, three: list[str]) -> None:
    auditors.propose(table.server, table.match, "red", three[0], by=table.who["red"])
    handed_to(table, three[1])
    assert not auditors.propose(table.server, table.match, "blue", three[0], by=table.who["blue"])
    assert auditors.auditors(table.record) == []
    assert auditors.propose(table.server, table.match, "red", three[0], by=three[1])
    assert table.verified().ok
