"""Tests of the command `pbem campaign`."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from support.clash import ClashTitle, map_file
from support.front import Front

from pbem.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = main([str(word) for word in words])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_packaged_file_can_be_changed_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, content, _ = run(capsys, "campaign", "file", "battlegroup")
    file = tmp_path / "mine.toml"
    file.write_text(content)
    status, out, _ = run(capsys, "campaign", "check", file)
    assert status == 0 and "No mistakes found." in out
    file.write_text(content.replace('first = "meeting"', 'first = "meting"').replace('"g"', '"s"'))
    status, _, err = run(capsys, "campaign", "check", file)
    assert status == 1 and "Did you mean meeting?" in err and "different letters" in err


def test_new_show_and_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "campaign", "new", "battlegroup", "--name", "Autumn", "--data", tmp_path)
    assert status == 0
    id = out.strip()
    _, out, _ = run(capsys, "campaign", "list", "--data", tmp_path)
    assert f"{id}  Autumn: stage 1" in out
    _, out, _ = run(capsys, "campaign", "show", "autumn", "--data", tmp_path)
    assert "Autumn, stage 1. Points: german 0, soviet 0." in out
    file = tmp_path / "autumn.jsonl"
    assert run(capsys, "campaign", "export", id, "--output", file, "--data", tmp_path)[0] == 0
    status, out, _ = run(capsys, "campaign", "verify", file)
    assert status == 0 and "The log is consistent" in out


def test_simulate_states_the_balance_with_an_interval(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "campaign", "simulate", "front", "--campaigns", "4")
    assert status == 0 and "4 campaigns" in out and "% of those decided" in out


def test_a_simulation_continues_from_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("campaign", "simulate", "river", "--seed", "7", "--keep", tmp_path / "kept.jsonl", "--campaigns")
    run(capsys, *words, "2")
    once = run(capsys, *words, "3")[1]
    monkeypatch.setattr("pbem.cli.campaigns.ending", lambda *args: pytest.fail("it was played again"))
    assert run(capsys, *words, "3")[1] == once and "battles at Across the fields: british" in once
    (tmp_path / "kept.jsonl").write_text("something else\n")
    status, _, err = run(capsys, *words, "3")
    assert status == 1 and "does not contain simulated campaigns" in err


def test_a_campaign_is_moved_and_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "autumn.transfer"
    id = run(capsys, "campaign", "new", "battlegroup", "--name", "Autumn", "--bots", "--data", old)[1].strip()
    run(capsys, "campaign", "list", "--data", old)
    key = run(capsys, "campaign", "id", "--data", new)[1].strip()
    words = ("--to", key, "--address", "https://new.example.org", "--output", file, "--data", old)
    status, out, _ = run(capsys, "campaign", "move", "autumn", *words)
    assert status == 0 and f"{id} continues at https://new.example.org." in out
    assert file.stat().st_mode & 0o077 == 0
    status, out, _ = run(capsys, "campaign", "take", file, "--data", new)
    assert status == 0 and out.strip() == f"{id} is here."
    assert f"{id}  Autumn: stage 1" in run(capsys, "campaign", "list", "--data", new)[1]
    assert run(capsys, "campaign", "take", file, "--data", old)[0] == 1


def test_one_stage_is_exported_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    front = Front(tmp_path, {"clash": ClashTitle()})
    front.open("battlegroup", options={"file": map_file(6, homes="false")})
    front.grow(3)
    monkeypatch.setattr("pbem.cli.campaigns.the_server", lambda args: contextlib.nullcontext(front.server))
    status, out, _ = run(capsys, "campaign", "verify", front.id, "--stage", "2")
    assert status == 0 and "replayed from the position at the beginning of the stage" in out
    file = tmp_path / "stage.jsonl"
    assert run(capsys, "campaign", "export", front.id, "--stage", "2", "--output", file)[0] == 0
    status, out, _ = run(capsys, "campaign", "verify", file, "--server", front.server.id)
    assert status == 0 and "compare it with the head in your email" in out and "Everything that can be checked" in out
    status, _, err = run(capsys, "campaign", "export", front.id, "--stage", "9")
    assert status == 1 and "that stage has no result yet" in err
    file.write_bytes(file.read_bytes().replace(b'"turn":3', b'"turn":4'))
    status, out, _ = run(capsys, "campaign", "verify", file)
    assert status == 1 and "This stage failed the verification." in out
