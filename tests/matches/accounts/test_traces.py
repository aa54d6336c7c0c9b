"""Exporting or deleting an account reads only its own matches, and deletion leaves no trace of the account."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.hosts.engines import everything_in
from support.playing import NOON
from support.toy import AmbushTitle

from pbem.matches.accounts import accounts, privacy, traces
from pbem.matches.exchange import creating
from pbem.matches.exchange.seats import leave_seat, take_seat
from pbem.matches.history.replay import record_of
from pbem.matches.installation import open_server
from pbem.matches.players import invitations
from pbem.matches.server import Server


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()}, clock=lambda: NOON)


def new_match(server: Server, *addresses: str) -> str:
    match = creating.new_match(server, "ambush", "tiny")
    for seat, address in zip(("red", "blue"), addresses, strict=False):
        take_seat(server, match, seat, accounts.open_account(server, address).id)
    return match


def read_streams(server: Server, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Watch the store; return a set that collects the streams read from now on."""
    seen, read = set[str](), server.store.read

    def watched(stream: str, *args: object, **more: object) -> object:
        seen.add(stream)
        return read(stream, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(server.store, "read", watched)
    return seen


def test_only_the_matches_of_the_account_are_read(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = new_match(server, "ann@example.org", "bob@example.org")
    left = new_match(server, "ann@example.org")
    asked = new_match(server)
    leave_seat(server, left, "red", "it was left")
    invitations.invite(server, asked, "blue", "ann@example.org")
    for _ in range(5):
        new_match(server, "bob@example.org", "cem@example.org")
    ann = accounts.open_account(server, "ann@example.org").id
    seen = read_streams(server, monkeypatch)
    assert {seat["match"] for seat in privacy.own_data(server, ann)["seats"]} == {mine, left}
    privacy.delete(server, ann)
    matches = {stream.removeprefix("match/") for stream in seen if stream.startswith("match/")}
    assert matches == {mine, left, asked}
    assert "red" not in record_of(server, mine).occupants


def test_an_invitation_to_a_deleted_account_is_erased_everywhere(server: Server) -> None:
    match = new_match(server, "bob@example.org")
    invitations.invite(server, match, "blue", "ann@example.org")
    ann = accounts.open_account(server, "ann@example.org").id
    assert traces.invitations_of(server, "ann@example.org") == [match]
    privacy.delete(server, ann)
    assert traces.invitations_of(server, "ann@example.org") == []
    assert b"ann@example.org" not in everything_in(server)


def test_a_database_without_traces_learns_them_from_its_events(server: Server) -> None:
    match = new_match(server, "ann@example.org")
    ann = accounts.open_account(server, "ann@example.org").id
    assert traces.matches_of(server, ann) == [match]
    server.database.execute("DELETE FROM traces")
    server.store.drop_projection("traces")
    assert traces.matches_of(server, ann) == [match]
