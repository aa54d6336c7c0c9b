"""`pbem move` and backups between the two databases keep every head, and exports stay equal byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.hosts import postgres
from support.seated import TITLES, Table

from pbem.cli import main
from pbem.matches.history.export import export
from pbem.matches.installation import open_server
from pbem.matches.server import Server

pytestmark = pytest.mark.postgresql


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """Make a server that has a match in progress, orders in the open exchange, and queued emails."""
    folder = tmp_path / "var"
    folder.mkdir()
    table = Table(folder)
    table.begin()
    table.play(("red", "r1 ambush"))
    table.wait()
    table.say("red", "r1 go3")
    table.server.close()
    yield folder


def everything(server: Server) -> dict[str, object]:
    """Return everything on a server that a move must not change."""
    store = server.store
    streams = store.streams()
    [match] = [name.removeprefix("match/") for name in streams if name.startswith("match/")]
    rows = "SELECT id, kind, account, queued_at FROM outbox ORDER BY queued_at, rowid"
    return {
        "heads": {stream: store.head(stream) for stream in streams},
        "exports": {viewer: export(server, match, viewer) for viewer in ("public", "red", "blue", "master")},
        "places": {stream: [store.place(event) for event in store.read(stream)] for stream in streams},
        "outbox": [tuple(row) for row in server.database.execute(rows).fetchall()],
        "desk": [tuple(row) for row in server.database.execute("SELECT match, touched, deadline FROM desk")],
    }


def opened(folder: Path, database: str = "") -> dict[str, object]:
    server = open_server(folder / "pbem.db", TITLES, database=database, clock=lambda: 1_900_000_100_000)
    try:
        assert [server.store.verify(stream) for stream in server.store.streams()].count(None) > 3
        return everything(server)
    finally:
        server.close()


def test_there_and_back_again(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = opened(data)
    address = postgres.cluster().empty()
    there, back = tmp_path / "there", tmp_path / "back"

    assert main(["move", str(there), "--to", address, "--data", str(data)], TITLES) == 0
    assert opened(there, address) == before
    assert main(["move", str(back), "--data", str(there), "--database", address], TITLES) == 0
    assert opened(back) == before

    said = capsys.readouterr().out
    assert "settings.toml" in said
    assert main(["show", "--data", str(data)], TITLES) == 1
    assert "was moved to" in capsys.readouterr().err


def test_a_move_overwrites_nothing(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = postgres.cluster().empty()
    assert main(["move", str(tmp_path / "a"), "--to", address, "--trial", "--data", str(data)], TITLES) == 0
    assert main(["move", str(tmp_path / "b"), "--to", address, "--trial", "--data", str(data)], TITLES) == 1
    assert "already has events" in capsys.readouterr().err


def test_a_backup_of_a_database_server_is_a_file_that_restores_on_both_engines(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there, safe, address = tmp_path / "there", tmp_path / "safe", postgres.cluster().empty()
    assert main(["move", str(there), "--to", address, "--data", str(data)], TITLES) == 0
    (there / "settings.toml").write_text(f'database = "{address}"\n')
    before = opened(there, address)

    assert main(["backup", str(safe), "--with-storage-key", "--data", str(there)], TITLES) == 0
    assert main(["check", "--data", str(there)], TITLES) == 0
    assert main(["check", "--file", str(safe / "pbem.db")], TITLES) == 0
    again, other = tmp_path / "again", postgres.cluster().empty()
    assert main(["restore", str(safe), "--data", str(again), "--database", other], TITLES) == 0
    assert main(["restore", str(safe), "--data", str(tmp_path / "laptop")], TITLES) == 0

    assert not (again / "pbem.db").exists()
    for after in (opened(again, other), opened(tmp_path / "laptop")):
        owed = after["outbox"]
        assert owed[: len(before["outbox"])] == before["outbox"] and {row[1] for row in owed[-2:]} == {"ruling"}
    assert "new ladders in 1 match" in capsys.readouterr().out


@pytest.mark.parametrize("is_lost", [False, True])
def test_the_key_of_a_server_on_a_database_server_is_rotated(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], is_lost: bool
) -> None:
    there, address = tmp_path / "there", postgres.cluster().empty()
    assert main(["move", str(there), "--to", address, "--data", str(data)], TITLES) == 0
    where = ["--data", str(there), "--database", address]
    assert main(["key", *where], TITLES) == 0
    server = capsys.readouterr().out.split()[-1]
    if is_lost:
        (there / "pbem.key").unlink()
    assert main(["rotate-key", *where, *(["--lost"] if is_lost else [])], TITLES) == 0
    assert f"its id stays {server}." in capsys.readouterr().out
    assert main(["check", *where], TITLES) == 0
