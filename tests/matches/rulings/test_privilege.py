"""Every act of an operator or game master beyond playing is in a stream that the match's players can read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.seated import Table

from pbem.matches import health
from pbem.matches.audit import fairness
from pbem.matches.history.replay import load
from pbem.matches.rulings import privilege


@pytest.fixture
def table(folders: Callable[[], Path]) -> Table:
    return Table(folders())


def test_sign_ins_with_a_privilege_are_on_record_and_those_of_players_never(table: Table) -> None:
    table.begin(master=True)
    operator = table.account("olga")
    health.name_operator(table.server, operator)
    for account in (table.who["red"], table.master, operator):
        privilege.note_sign_in(table.server, account)
    found = privilege.uses(table.server, table.record)
    assert [(one.by, one.role, one.what) for one in found] == [
        (operator, "operator", "signed in"),
        (table.master, "game master", "signed in"),
        (operator, "operator", "became an operator"),
    ]


def test_a_hold_of_the_whole_server_is_on_record_in_every_match(table: Table) -> None:
    table.begin()
    operator = table.account("olga")
    health.name_operator(table.server, operator)
    health.hold(table.server, by=operator, why="a new disk")
    health.release(table.server, by=operator)
    assert [(one.by, one.what) for one in privilege.uses(table.server, table.record)] == [
        (operator, "released the server"),
        (operator, "held the server: a new disk"),
        (operator, "became an operator"),
    ]


def test_what_concerns_another_match_is_not_shown(table: Table) -> None:
    table.begin()
    privilege.note(table.server, "olga", privilege.OPERATOR, "exported the match as red", table.match)
    privilege.note(table.server, table.master, privilege.MASTER, "signed in")
    first = table.record
    table.begin()
    assert privilege.uses(table.server, table.record) == []
    assert [one.what for one in privilege.uses(table.server, first)] == ["exported the match as red"]


def test_luck_is_told_by_seat_with_its_interval(table: Table) -> None:
    table.begin(scenario="small")
    for _ in range(3):
        table.play()
    rolls = fairness.rolls_of_match(table.server, table.record)
    owners = fairness.owners_in(load(table.server, table.match).run.view("public"))
    assert owners["r1"] == "red"
    for one in fairness.luck(rolls, owners):
        assert one.owner in ("red", "blue")
        assert 0 <= one.height <= 1
        assert one.low < 0.5 < one.high
