"""`pbem tournament` during an organiser's first five minutes at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.toy import AmbushTitle

from pbem.cli import main

TITLES = {"ambush": AmbushTitle()}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PBEM_DATA", raising=False)
    return tmp_path


def pbem(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["tournament", *words], TITLES)
    said = capsys.readouterr()
    return code, said.out, said.err


def a_cup(capsys: pytest.CaptureFixture[str], *more: str, entrants: str = "Ann,1500\nBob,1400\nCem,1300\n") -> None:
    Path("entrants.csv").write_text(f"name,rating\n{entrants}")
    assert pbem(capsys, "new", "Autumn Cup", "ambush", *more)[:2] == (0, "autumn-cup\n")
    assert pbem(capsys, "import", "autumn", "entrants.csv")[:2] == (0, "3 entries made\n")


def test_from_the_announcement_to_the_standings(capsys: pytest.CaptureFixture[str]) -> None:
    a_cup(capsys, "--swiss", "3", "--points", "3,1,0")
    code, planned, _ = pbem(capsys, "pair", "autumn", "--dry-run")
    assert code == 0 and "nothing has been announced" in planned and "Cem has a pairing bye" in planned
    code, paired, _ = pbem(capsys, "pair", "autumn", "--start")
    assert code == 0 and "paired by dutch (py4swiss" in paired
    code, table, _ = pbem(capsys, "standings", "autumn")
    assert code == 0 and "   1.  Cem" in table
    assert "Points: 3 = 3" in pbem(capsys, "standings", "autumn", "--explain", "cem")[1]


def test_mistakes_of_a_list_are_named_and_nobody_is_entered(capsys: pytest.CaptureFixture[str]) -> None:
    pbem(capsys, "new", "Autumn Cup", "ambush")
    Path("bad.csv").write_text("name,rating\nAnn,strong\n,3\n")
    code, said, _ = pbem(capsys, "import", "autumn", "bad.csv")

    assert code == 1
    assert said == "line 2: 'strong' is not a whole number (rating)\nline 3: the name is empty\n"
    assert json.loads(pbem(capsys, "export", "autumn", "--format", "json")[1])["entrants"] == []


def test_own_pairings_and_only_these(capsys: pytest.CaptureFixture[str]) -> None:
    a_cup(capsys, "--own", "2")
    Path("pairs.csv").write_text("round,entrant,entrant,side,scenario\n1,Cem,Ann,,\n")
    code, said, _ = pbem(capsys, "pair", "autumn", "--list", "pairs.csv")
    assert (code, said.splitlines()[1:]) == (0, ["   1  Cem - Ann", "      Bob: not paired"])
    Path("pairs.csv").write_text("round,entrant,entrant,side,scenario\n1,Cem,Dee,,\n")
    assert "Dee has not entered" in pbem(capsys, "pair", "autumn", "--list", "pairs.csv")[2]


@pytest.mark.parametrize("format", ["standings", "crosstable", "pairings", "entrants", "json", "trf16", "trf26"])
def test_every_format_is_written(capsys: pytest.CaptureFixture[str], format: str) -> None:
    a_cup(capsys)
    pbem(capsys, "pair", "autumn", "--start")
    code, said, _ = pbem(capsys, "export", "autumn", "--format", format)

    assert code == 0 and "Ann" in said and "@" not in said


def test_a_bundle_verifies_and_a_changed_one_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    a_cup(capsys)
    pbem(capsys, "pair", "autumn", "--start")
    assert pbem(capsys, "export", "autumn", "--format", "bundle", "--output", "b.jsonl")[0] == 0
    code, said, _ = pbem(capsys, "verify", "b.jsonl")
    assert code == 0 and said.endswith("everything is in order\n")
    Path("b.jsonl").write_bytes(Path("b.jsonl").read_bytes().replace(b'"rating":1500', b'"rating":1501'))
    code, said, _ = pbem(capsys, "verify", "b.jsonl")
    assert code == 1 and "WRONG: event 2" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("new", "Cup", "chess"), "no title has that name"),
        (("new", "Cup", "ambush", "--points", "1,2"), "give the points for a win, a draw and a loss"),
        (("new", "Cup", "ambush", "--unfinished", "pray"), "there is no such way to handle unfinished matches"),
        (("new", "Cup", "ambush", "--scenario", "moon"), "no scenario has that name"),
        (("pair", "spring"), "no tournament has that name"),
    ],
)
def test_a_slip_is_told_in_words(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str) -> None:
    code, _, err = pbem(capsys, *words)

    assert code == 1 and said in err


def test_a_trial_run_reports_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    code, said, _ = pbem(capsys, "simulate", "--swiss", "4", "--entrants", "20", "--seeds", "2")

    assert code == 0
    assert said.splitlines()[-1].endswith("0 faults")


def test_bots_play_a_whole_event_on_trial(capsys: pytest.CaptureFixture[str]) -> None:
    code, said, _ = pbem(capsys, "simulate", "--play", "ambush/tiny", "--swiss", "2", "--entrants", "4")

    assert code == 0
    assert said.splitlines()[-1] == "everything is in order"
    assert len(said.splitlines()) == 5
