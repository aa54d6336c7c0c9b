"""Tests of `pbem verify`, `pbem check` and `pbem backup`, as used by an operator and by a player who doubts a
result."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.forgeries.beacon import two_exchanges
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
    assert "Everything that can be checked is in order." in capsys.readouterr().out
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


def test_an_operator_adds_tries_lists_and_removes_a_beacon(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "values").write_text("")
    assert run("beacon", "add", "night", "--genesis", "1700000000", "--file", str(data / "values")) == 0
    assert run("beacon") == 0
    assert "night: a round every 30 s since 1700000000, 300 s after closing" in capsys.readouterr().out
    assert run("beacon", "try", "night") == 1
    assert "is not published yet" in capsys.readouterr().out
    assert run("new", "ambush", "tiny", "--beacon", "night", "--seat", "red=bot", "--seat", "blue=bot") == 0
    assert run("beacon", "remove", "night") == 0
    assert run("beacon", "try", "night") != 0
    assert run("new", "ambush", "tiny", "--beacon", "night") != 0


def test_verify_compares_a_beacon_with_its_publishers_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    server, match, _ = two_exchanges(tmp_path)
    Path("match.jsonl").write_bytes(export(server, match, "red"))
    assert run("verify", "match.jsonl", "--server", server.id, "--beacon", "values.jsonl") == 0
    assert "2 of 2 values of the beacon night were compared" in capsys.readouterr().out
    Path("other").write_text(Path("values.jsonl").read_text().replace("a", "b"))
    assert run("verify", "match.jsonl", "--server", server.id, "--beacon", "other") == 1
