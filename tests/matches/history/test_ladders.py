"""§5, §7 The secrets behind the dice are stored encrypted beside the log, and those of older releases stay
readable."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.hosts.engines import everything_in
from support.playing import a_match, a_server, play
from support.toy import AmbushTitle

from pbem.matches.history import ladders, storage_check
from pbem.matches.history.ladders import Damaged, Ladder
from pbem.matches.history.replay import record_of, replay
from pbem.matches.installation import open_server
from pbem.matches.server import Server


def secrets_of(server: Server, match: str) -> Ladder:
    return server.ladder(match, record_of(server, match).ladder)


def store_as_before(server: Server, ladder: Ladder) -> None:
    """Store a ladder in plain columns, as release 0.1 did."""
    server.database.execute(
        f"UPDATE {ladders.TABLE} SET sealed = NULL, open_top = ?, secret_top = ?, key = ?",
        (ladder.open_top, ladder.secret_top, ladder.key),
    )


def test_a_lost_database_tells_nothing_of_dice_to_come(tmp_path: Path) -> None:
    server = a_server(tmp_path)
    ladder = secrets_of(server, a_match(server))
    content = everything_in(server)
    for secret in (ladder.open_top, ladder.secret_top, ladder.key, ladder.rung(5)):
        assert secret not in content and secret.hex().encode() not in content


def test_ladders_of_an_older_release_are_read_and_encrypted_at_the_next_start(tmp_path: Path) -> None:
    server = a_server(tmp_path)
    match = a_match(server)
    ladder = secrets_of(server, match)
    store_as_before(server, ladder)
    assert secrets_of(server, match) == ladder
    assert ladder.secret_top in everything_in(server)
    server.close()
    server = a_server(tmp_path)
    assert secrets_of(server, match) == ladder
    play(server, match, 3)
    assert replay(server, match).record.ended
    server.database.wipe()
    assert ladder.secret_top not in everything_in(server)


def test_a_row_of_another_ladder_does_not_open(tmp_path: Path) -> None:
    server = open_server(tmp_path / "pbem.db", {"ambush": AmbushTitle()})
    one, two = a_match(server), a_match(server)
    database = server.database
    [[sealed]] = database.execute(f"SELECT sealed FROM {ladders.TABLE} WHERE match = ?", (two,)).fetchall()
    database.execute(f"UPDATE {ladders.TABLE} SET sealed = ? WHERE match = ?", (sealed, one))
    with pytest.raises(Damaged, match="damaged"):
        secrets_of(server, one)


def test_a_check_without_the_storage_key_sees_whether_ladders_are_there(tmp_path: Path) -> None:
    server = a_server(tmp_path)
    a_match(server)
    server.database.execute(f"UPDATE {ladders.TABLE} SET sealed = ?", (b"\x03\xff",))
    path = server.store.path
    assert "damaged" in "".join(storage_check.problems(server.database, storage_check.vault_of(path)))
    assert list(storage_check.problems(server.database)) == []
    server.database.execute(f"DELETE FROM {ladders.TABLE}")
    assert "missing" in "".join(storage_check.problems(server.database))
