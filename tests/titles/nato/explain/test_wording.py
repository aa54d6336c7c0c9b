"""Every explanation on a page has a sentence of its own."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from titles.nato.builders import a_battle, a_board, a_data, unit

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board, board_of
from pbem.titles.nato.cards.charts import charts
from pbem.titles.nato.cards.scenario_files import packaged_scenario, packaged_scenarios
from pbem.titles.nato.cards.units import Side, roster
from pbem.titles.nato.data_set import NatoData, Options
from pbem.titles.nato.explain.moves import mode_reasons, way_reasons
from pbem.titles.nato.explain.tracks import match_reasons
from pbem.titles.nato.explain.wording import PHRASES, sentences
from pbem.titles.nato.map.reading import atlas
from pbem.titles.nato.player.formations import aftermath_reasons
from pbem.titles.nato.player.sheets import hex_findings, pair_reasons, unit_findings
from pbem.titles.nato.title import NatoRules


def wordless(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that a page would show as bare data."""
    return [found for found in findings if list(sentences([found])) and PHRASES(found) is None]


def beginning(id: str) -> Board:
    scenario = packaged_scenario(id)
    data = NatoData(scenario.play_area(atlas()), roster(scenario.year), charts(), scenario, Options())
    return board_of(data, NatoRules(data).setup(()))


@pytest.mark.parametrize("id", packaged_scenarios())
def test_every_unit_and_hex_of_a_scenario_is_explained_in_words(id: str) -> None:
    board = beginning(id)
    assert [wordless(unit_findings(board, each)) for each in board.units.values()].count([]) == len(board.units)
    assert [found for hex in list(board.atlas.places)[::7] for found in wordless(hex_findings(board, hex))] == []
    assert wordless(match_reasons(board)) == []


def test_a_unit_in_trouble_a_battle_a_way_and_two_hexes_are_explained_in_words() -> None:
    states = {
        "16GT": {"ms_out": True, "cs_out": True},
        "34N": {"cs_out": True},
        "21": {"train": "rail", "engaged": True},
    }
    board = a_board({"3114": "NEGF!", "3118": "16GT!* 21", "3218": "1/1PZ 3/1PZ", "3319": "2/1PZ", "3116": "34N!"})
    for id, changes in states.items():
        for name, value in changes.items():
            setattr(board.units[id].piece, name, value)
    assert [found for each in board.units.values() for found in wordless(unit_findings(board, each))] == []
    assert wordless(aftermath_reasons(board, a_battle(board, "3218", "16GT", "21", support="NEGF"))) == []
    assert wordless(aftermath_reasons(board, a_battle(board, "3118", "1/1PZ", "2/1PZ", side=Side.NATO))) == []
    for id, path in (("16GT", ["3119", "3219"]), ("2/1PZ", ["3219", "3119"])):
        for mode in ("tactical", "march"):
            assert (
                wordless([*mode_reasons(board, unit(board, id)), *way_reasons(board, unit(board, id), path, mode)])
                == []
            )
    for other in ("3119", "3223", "1513"):
        assert wordless(pair_reasons(board, "3118", other)) == []


def test_a_card_reads_like_a_card() -> None:
    board = a_board({"3114": "NEGF", "3118": "16GT"}, a_data())
    said = [str(message) for message in sentences(unit_findings(board, unit(board, "16GT")))]

    assert "3.2.1 Attack strength: 10." in said
    assert "10.1.1 Source of movement supply: NEGF; of combat supply: NEGF." in said
    assert "35.8.1 This unit is ordered by the Warsaw Pact." in said
