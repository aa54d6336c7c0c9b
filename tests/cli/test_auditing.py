"""`pbem verify`, `pbem check` and `pbem backup` as an operator and a doubting player use them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.playing import a_match, a_server, play
from support.toy import AmbushTitle

from pbem.cli import main
from pbem.matches.history.export import export

TITLES = {"ambush": AmbushTitle()}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with one match that was played to its end."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_DATA", str(tmp_path / "var"))
    (tmp_path / "var").mkdir()
    server = a_server(tmp_path / "var", 3)
    match = a_match(server)
    play(server, match, 3)
    (tmp_path / "match.jsonl").write_bytes(export(server, match, "red"))
    (tmp_path / "server.txt").write_text(server.id)
    server.close()
    return tmp_path


def run(*words: str) -> int:
    return main(words, TITLES)


def test_an_unknown_key_is_said_first_and_the_log_never_simply_holds(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("verify", "match.jsonl") == 0
    out = capsys.readouterr().out
    assert out.startswith("UNKNOWN SERVER")
    assert "Everything" not in out


def test_a_pinned_key_is_compared_before_anything_else(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = (data / "server.txt").read_text()
    assert run("verify", "match.jsonl", "--server", key) == 0
    assert "Everything that can be checked holds." in capsys.readouterr().out
    assert run("verify", "match.jsonl", "--server", "00" * 32) == 1
    out = capsys.readouterr().out
    assert "WRONG  another server signed this export" in out
    assert run("key") == 0
    assert capsys.readouterr().out.strip() == key


def drop_triggers(database: sqlite3.Connection) -> None:
    for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {name}")


def damaged_ladder(database: sqlite3.Connection) -> None:
    database.execute("UPDATE ladders SET sealed = ?", (bytes(32),))


def damaged_blob(database: sqlite3.Connection) -> None:
    database.execute("UPDATE blobs SET content = x'00'")


def damaged_part(database: sqlite3.Connection) -> None:
    drop_triggers(database)
    [least] = database.execute("SELECT min(commitment) FROM parts").fetchone()
    database.execute("UPDATE parts SET content = cast(content || x'00' AS BLOB) WHERE commitment = ?", (least,))


def damaged_event(database: sqlite3.Connection) -> None:
    drop_triggers(database)
    database.execute("UPDATE events SET body = cast(replace(body, 'final', 'fatal') AS BLOB)")


@pytest.mark.parametrize("damage", [damaged_ladder, damaged_blob, damaged_part, damaged_event])
def test_damage_is_named_and_a_damaged_store_never_replaces_the_last_good_backup(
    data: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[sqlite3.Connection], None]
) -> None:
    assert run("check") == 0
    assert run("backup", "safe") == 0
    good = (data / "safe" / "pbem.db").read_bytes()
    with closing(sqlite3.connect(data / "var" / "pbem.db")) as database, database:
        damage(database)
    capsys.readouterr()
    assert run("check") == 1
    assert "WRONG" in capsys.readouterr().out
    assert run("backup", "safe") == 1
    assert (data / "safe" / "pbem.db").read_bytes() == good
    assert run("check", "--file", "safe/pbem.db") == 0
