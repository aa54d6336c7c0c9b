"""Bundles of earlier releases are read, verified and scored as before."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.toy import AmbushTitle

from pbem.tournaments.files import bundle
from pbem.tournaments.ranking.standings import standings
from pbem.tournaments.record import fold

FILES = sorted((Path(__file__).parents[1] / "golden" / "tournament").glob("*.bundle"))
STANDINGS = {"0.2": ["P4", "P2", "P1", "P3"]}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_bundle_verifies_and_its_standings_stay(file: Path) -> None:
    found = bundle.load(file.read_bytes())
    report = bundle.verify_bundle(found, {"ambush": AmbushTitle()})
    assert report.problems == []
    assert any(fact.endswith("rounds paired again with the same pairings") for fact in report.facts)
    record = fold(found.events, found.content)
    assert [row.name for row in standings(record)] == STANDINGS[file.stem]


def test_there_is_a_golden_bundle() -> None:
    assert FILES
