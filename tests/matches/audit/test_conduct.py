"""Verification finds forged conduct in a log whose chain and signatures fit: extra time, decisions and ends without a
reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.forgeries import sleights
from support.forgeries.conduct import EXPECTED, disputed
from support.forgeries.forging import Lines, read_forged
from support.forgeries.misconduct import DISPUTED, PLAYED, TOURNAMENT, as_tournament, deadline
from support.playing import a_match, a_server, play
from support.seated import Table

from pbem.matches.audit.verify import verify_export
from pbem.matches.history.export import export, read_export
from pbem.matches.server import Server


@pytest.fixture(scope="module")
def table(folders: Callable[[], Path]) -> Table:
    return disputed(folders())


def test_the_honest_log_holds(table: Table) -> None:
    assert verify_export(read_export(export(table.server, table.match, "red"))).problems == []


@pytest.mark.parametrize("forge", EXPECTED, ids=lambda forge: forge.__name__)
def test_a_forgery_of_conduct_is_named(table: Table, forge: Callable[[Lines], None]) -> None:
    found = {code for _, code in verify_export(read_forged(table.server, table.match, forge)).codes}
    assert EXPECTED[forge] in found, found


# Acts without the power, times and events that contradict each other -----------------------------------------


def codes(server: Server, match: str, *forgeries: Callable[[Lines], None]) -> set[str]:
    def change(lines: Lines) -> None:
        for forge in forgeries:
            forge(lines)

    return {code for _, code in verify_export(read_forged(server, match, change)).codes}


@pytest.mark.parametrize("name", DISPUTED)
def test_what_could_not_have_happened_is_named(table: Table, name: str) -> None:
    forge, code = DISPUTED[name]
    assert code in codes(table.server, table.match, forge)


def test_a_wrong_clock_that_moves_a_deadline_to_an_earlier_time_is_said(table: Table) -> None:
    """A deadline moved to an earlier time is not a forgery, but the report says that the clock had been wrong."""
    report = verify_export(read_forged(table.server, table.match, deadline(-6, cause="outage")))
    assert any("its clock had been wrong" in fact for fact in report.facts)


@pytest.mark.parametrize("name", TOURNAMENT)
def test_a_player_has_no_power_in_a_match_of_a_tournament(table: Table, name: str) -> None:
    forge, code = TOURNAMENT[name]
    assert codes(table.server, table.match, as_tournament) == set(), "that alone is no forgery"
    assert code in codes(table.server, table.match, as_tournament, forge)


@pytest.fixture(scope="module")
def played(folders: Callable[[], Path]) -> tuple[Server, str]:
    """Return a server and a match that was played to its end."""
    server = a_server(folders(), 3)
    match = a_match(server, scenario="small")
    play(server, match, 3)
    return server, match


@pytest.mark.parametrize("name", PLAYED)
def test_what_was_played_is_opened_and_stays(played: tuple[Server, str], name: str) -> None:
    forge, code = PLAYED[name]
    assert codes(*played, forge) == {code}


# Omissions, events without consequences, and invented time ----------------------------------------------------


@pytest.mark.parametrize("name", sleights.DISPUTED)
def test_a_sleight_of_hand_is_named(table: Table, name: str) -> None:
    forge, code = sleights.DISPUTED[name]
    assert code in codes(table.server, table.match, forge)


@pytest.mark.parametrize("name", sleights.PLAYED)
def test_nothing_is_kept_from_its_readers(played: tuple[Server, str], name: str) -> None:
    forge, code = sleights.PLAYED[name]
    assert code in codes(*played, forge)


@pytest.mark.parametrize("name", sleights.MISSED)
def test_agreed_consequences_follow(folders: Callable[[], Path], name: str) -> None:
    policy, code = sleights.MISSED[name]
    table = sleights.missed(folders(), policy)
    assert codes(table.server, table.match, sleights.spared("default")) == set(), "that is what was agreed on"
    assert codes(table.server, table.match, sleights.spared(policy)) == {code}


def test_what_only_the_players_know_is_said(table: Table) -> None:
    report = verify_export(read_forged(table.server, table.match, deadline(30, cause="outage")))
    assert any("it was down" in fact for fact in report.facts)
