"""Golden matches still verify, and replay to the last die."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from programs.golden import REACTIONS, name_of, packaged_matches
from support.toy import AmbushTitle

from pbem.matches.audit.verify import verify_export
from pbem.matches.history.export import read_export
from pbem.titles.registry import TITLES

FOLDER = Path(__file__).parent / "golden"
FILES = sorted(FOLDER.rglob("*.jsonl.xz"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_golden_match_verifies_and_replays(file: Path) -> None:
    report = verify_export(read_export(lzma.decompress(file.read_bytes())), {"ambush": AmbushTitle(), **TITLES})
    assert report.problems == []
    assert "replayed from the first event with the same result" in report.facts


def test_there_is_a_golden_match_for_each_way_to_end() -> None:
    names = {file.name.split(".")[0] for file in FILES if file.parent.name == "ambush"}
    for winner in ("red", "blue", "draw"):
        for how in ("elimination", "last-turn"):
            if (winner, how) != ("draw", "elimination"):
                assert any(name.startswith(f"{winner}-{how}") for name in names), (winner, how)


def test_there_is_a_golden_match_for_each_packaged_scenario_edition_and_value_of_reactions() -> None:
    """Each packaged scenario, edition and value of `reactions` has a golden match whose own record says so."""
    for title in TITLES:
        cases = list(packaged_matches(title))
        assert {(scenario, reactions) for scenario, _, reactions in cases} == {
            (scenario, reactions) for scenario in TITLES[title].scenarios for reactions in REACTIONS
        }
        for scenario, options, reactions in cases:
            file = FOLDER / title / f"{name_of(scenario, options, reactions)}.jsonl.xz"
            created = read_export(lzma.decompress(file.read_bytes())).events[0].payload
            played = created["title"], created["scenario"], created["options"], created["reactions"]
            assert played == (title, scenario, options, reactions), file.name
