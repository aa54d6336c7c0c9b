"""§15 A failing disk or database is reported in one line, with an exit status."""

from __future__ import annotations

import errno
import os
import runpy
import sqlite3
from pathlib import Path

import pytest
from support.toy import AmbushTitle

from eventstore.tables import trouble
from pbem.cli import TROUBLE, main, parser
from pbem.cli.serving import Station, is_loopback
from pbem.matches.server import storage_trouble

TITLES = {"ambush": AmbushTitle()}


def run(capsys, *words: str) -> tuple[int, str]:
    status = main(list(words), TITLES)
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return status, said


def test_a_damaged_page(tmp_path: Path, capsys):
    run(capsys, "show", "--data", str(tmp_path))
    database = tmp_path / "pbem.db"
    for journal in tmp_path.glob("pbem.db-*"):
        journal.unlink()
    content = bytearray(database.read_bytes())
    content[100:4096] = os.urandom(3996)
    database.write_bytes(bytes(content))
    status, said = run(capsys, "show", "--data", str(tmp_path))
    assert status == TROUBLE and said.count("\n") == 1
    assert "pbem restore" in said


def test_a_file_that_is_no_database(tmp_path: Path, capsys):
    (tmp_path / "pbem.db").write_text("a letter to my aunt, and more than a hundred letters of it" * 20)
    status, said = run(capsys, "show", "--data", str(tmp_path))
    assert status == TROUBLE and "not a database" in said and said.count("\n") == 1


def test_a_data_folder_that_is_a_file(tmp_path: Path, capsys):
    (tmp_path / "var").write_text("")
    status, said = run(capsys, "show", "--data", str(tmp_path / "var"))
    assert status == 1 and said.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SQLITE_READONLY_DIRECTORY", "permissions"),
        ("SQLITE_FULL", "disk is full"),
        ("SQLITE_CORRUPT_INDEX", "damaged"),
        ("SQLITE_IOERR_WRITE", "cannot be read or written"),
        ("SQLITE_BUSY", "busy"),
        ("SQLITE_OTHER", "the database fails: oh"),
    ],
)
def test_what_is_wrong_is_said_in_words(name, words):
    problem = sqlite3.OperationalError("oh")
    problem.sqlite_errorname = name
    assert words in storage_trouble(trouble(problem))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "example.org"])
def test_a_demonstration_is_not_shown_to_the_network(tmp_path: Path, capsys, host):
    status, said = run(capsys, "serve", "--demo", "--host", host, "--data", str(tmp_path))
    assert status == 1 and "shows every email" in said and "127.0.0.1" in said


def test_this_machine_alone():
    assert is_loopback("127.0.0.1") and is_loopback("::1") and not is_loopback("0.0.0.0")


def test_the_module_ends_with_the_exit_code_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.cli.main", lambda: 3)

    with pytest.raises(SystemExit) as ended:
        runpy.run_module("pbem", run_name="__main__")

    assert ended.value.code == 3


def test_a_disk_that_fails_while_stopping_leaves_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """On a full disk the lease cannot be released, but the site and the database are still closed."""
    args = parser(["serve"]).parse_args(["serve", "--data", str(tmp_path), "--port", "0", "--smtp-port", "0"])
    station = Station(args, TITLES)
    closed: list[str] = []

    def fail() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(station.supervisor, "stop", fail)
    monkeypatch.setattr(station.listeners, "close", lambda: closed.append("listeners"))
    site, database = station.waitress.close, station.server.close
    monkeypatch.setattr(station.waitress, "close", lambda: (closed.append("site"), site()))
    monkeypatch.setattr(station.server, "close", lambda: (closed.append("server"), database()))
    station.waitress.task_dispatcher.shutdown()

    with pytest.raises(OSError, match="No space left"):
        station.stop()
    assert closed == ["listeners", "site", "server"]
