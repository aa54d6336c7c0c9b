"""Everything that the README promises works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from titles.panzer.playing import begin

from pbem.cli import main
from pbem.mail.settings import read_settings
from pbem.matches.players.requests import CARRYING

README = (Path(__file__).parents[1] / "README.md").read_text()


def test_the_terminal_session_plays_a_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PBEM_DATA", raising=False)
    [session] = [block for block in re.findall(r"```sh\n(.*?)```", README, re.S) if block.startswith("pbem new")]
    for line in session.splitlines():
        words, _, target = line.partition(" > ")
        assert main(shlex.split(words)[1:]) in (None, 0), line
        output = capsys.readouterr().out
        if target:
            Path(target).write_text(output)
    assert "The log is consistent" in output


def test_the_orders_shown_are_accepted() -> None:
    """The orders printed in the README are accepted at the opening of the duel; text after two spaces explains an
    order."""
    [orders] = [block for block in re.findall(r"```text\n(.*?)```", README, re.S) if "overwatch" in block]
    match = begin("duel", "2024", seed="1")
    ask = match.run.ask_of("german")
    assert ask is not None
    text = "\n".join(re.split(r"\s{2,}|(?<=face 3) ", line)[0] for line in orders.splitlines())
    submission = match.rules.read(match.run.view("german"), ask, text)
    assert set(submission.answer) == {"ge1", "ge2", "ge3", "ge4"}


def test_the_settings_shown_are_read(tmp_path: Path) -> None:
    [settings] = re.findall(r"```toml\n(.*?)```", README, re.S)
    (tmp_path / "settings.toml").write_text(settings)
    for name in ("imap", "smtp"):
        (tmp_path / f"{name}-password").write_text("hush")
    read = read_settings(tmp_path)
    assert read.lmtp is not None and read.imap is not None and read.smtp is not None and read.imap.password == "hush"


def test_every_word_for_the_server_is_explained() -> None:
    said = " ".join(re.findall(r"^\| (`.*?`) \|", README, re.MULTILINE))
    assert [word for word in CARRYING if f"`{word}" not in said] == []


def test_every_command_named_exists() -> None:
    for command in set(re.findall(r"`pbem ([a-z]+)", README)):
        with pytest.raises(SystemExit) as stop:
            main([command, "--help"])
        assert stop.value.code == 0


def test_every_file_linked_exists() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (Path(__file__).parents[1] / target).exists(), target


def test_the_guide_names_files_that_exist() -> None:
    """Every file that the guide names exists; only the changelog may name files that are gone."""
    top = Path(__file__).parents[1]
    pages = [page for page in (top / "pbem").rglob("*.md") if page.name != "changelog.md"]
    named = {
        (page.name, path) for page in pages for path in re.findall(r"\b\w+/[\w/]+\.py\b", page.read_text("utf-8"))
    }
    assert [
        (page, path) for page, path in sorted(named) if not ((top / path).exists() or (top / "pbem" / path).exists())
    ] == []
    assert len(named) > 3
