"""1, 2.2.5, 4.3, 5, 7.1, 34, 35.8 Explanations of the match as a whole."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, on

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.cards.scenario_files import packaged_scenario, packaged_scenarios
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.data_set import NatoData, Options
from pbem.titles.nato.explain.tracks import match_reasons
from pbem.titles.nato.title import NatoRules

UNITS = {"3116": "16GT 21", "3218": "22/1A", "srb": "97 5Para", "sector4": "P5T"}


def said(data: Any = None, **fields: Any) -> list[Finding]:
    return list(match_reasons(a_board(UNITS, data, **fields)))


@pytest.mark.rule("1.0/players", "5.1", "5.3", "5.4", "35.1", "2.5", "3.7.1")
def test_5_1_the_frame_of_a_match() -> None:
    found = said()
    assert_rule(found, "1.0/players", result={"wp": ["wp"], "nato": ["nato"]})
    assert_rule(found, "5.1", result={"scenario": "theatre", "year": 1983})
    assert_rule(found, "5.3", result=14)
    assert_rule(found, "35.1", result=14)
    assert_rule(found, "5.4", result=["joint", "wp", "nato"])
    assert_rule(found, "2.5", result=0)
    assert_rule(found, "3.7.1", result=["1983", "common"])
    assert packaged_scenario("baltap").turns == 7
    assert {packaged_scenario(id).year for id in packaged_scenarios()} == {1983, 1988}


@pytest.mark.rule(
    "4.4.1", "4.4.2", "4.4.3", "7.1.2", "6.0/phasing-player", "6.0/non-phasing-player", "6.0/player-turn", "22.2.4"
)
def test_7_1_2_turn_phase_and_player() -> None:
    found = said(turn=4, side=Side.NATO, phase="combat", first_use=3)
    assert_rule(found, "4.4.1", result=4)
    assert_rule(found, "4.4.2", result="combat")
    assert_rule(found, "4.4.3", result=3)
    assert_rule(found, "22.2.4", result=2)
    assert_rule(found, "7.1.2", result="nato")
    assert_rule(found, "6.0/phasing-player", result="nato")
    assert_rule(found, "6.0/non-phasing-player", result="wp")
    assert_rule(found, "6.0/player-turn", result="nato")


@pytest.mark.rule("4.3.1", "4.3.2", "4.3.3", "4.3.4", "23.1", "13.3")
def test_4_3_tracks() -> None:
    found = said(
        tactical={Side.WP: 5, Side.NATO: 8},
        operational={Side.WP: 1, Side.NATO: 2},
        chemical_points={Side.WP: 8},
        supply_points=6,
        points={Side.NATO: 3},
    )
    assert_rule(found, "4.3.1", inputs={"side": Side.NATO}, result={"tactical": 8, "operational": 2})
    assert_rule(found, "23.1", inputs={"side": Side.WP}, result={"tactical": 5, "operational": 1})
    assert_rule(found, "4.3.2", inputs={"side": Side.WP}, result=8)
    assert_rule(found, "4.3.3", result=6)
    assert_rule(found, "4.3.4", inputs={"side": Side.NATO}, result=3)
    assert_rule(found, "13.3", inputs={"side": Side.WP}, result=[0, 8])
    assert_rule(found, "13.3", inputs={"side": Side.NATO}, result=[0, 10])


@pytest.mark.rule("2.2.5", "2.2.6", "33.1", "33.2", "3.8.1", "3.8.2")
def test_2_2_5_boxes_and_displays() -> None:
    ready = {Side.WP: {"air": 3, "helicopter": 2}, Side.NATO: {"sea": 1}}
    found = said(lift_ready=ready, lift_used={Side.WP: {"sea": 1}}, awaited=["E1"])
    assert_rule(found, "2.2.5", inputs={"side": Side.WP}, result=["97"])
    assert_rule(found, "2.2.5", inputs={"side": Side.NATO}, result=["5Para"])
    assert_rule(found, "33.1", inputs={"side": Side.WP}, result={"sector4": ["P5T"]})
    assert_rule(found, "2.2.6", inputs={"side": Side.WP}, result={"ready": ready[Side.WP], "recovery": {"sea": 1}})
    assert_rule(found, "3.8.1", result=6)
    assert_rule(found, "3.8.2", result=1)
    assert_rule(found, "33.2", result=["E1"])


@pytest.mark.rule("34.2", "34.3", "34.3.2", "5.5", "31.1.5")
def test_34_points_if_the_match_ended_now() -> None:
    """Hannover is worth 2 points and Minden 1; West Berlin gives NATO 2 while it holds out."""
    found = said(conquered={"3117": Side.WP, "3120": Side.WP}, points={Side.NATO: 1})
    assert_rule(found, "34.2", result=3)
    assert_rule(found, "34.3.2", result=2)
    assert_rule(found, "34.3", result=3)
    assert_rule(found, "5.5", result=0)
    assert_rule(found, "31.1.5", result=False)
    berlin = said(conquered={"3007": Side.WP})
    assert_rule(berlin, "34.3.2", result=0)
    assert_rule(berlin, "31.1.5", result=True)
    assert_rule(berlin, "34.2", result=2)


@pytest.mark.rule("35.8.1", "35.8.2", "35.8/seats")
def test_35_8_the_units_of_each_seat() -> None:
    bare = a_data()
    data = NatoData(bare.atlas, bare.units, bare.charts, bare.scenario, Options(table="commands"))
    board = a_board({"3116": "16GT C1T", "2216": "16/6", "3218": "22/1A", "4220": "US-V", "2308": "97"}, data)
    found = list(match_reasons(board))
    assert_rule(found, "35.8.1", result={"north": ["16GT"], "south": ["C1T"], "theatre": ["97"]})
    north = assert_rule(found, "35.8.2")
    assert isinstance(north, Finding)
    assert {seat: ids for seat, ids in north.result.items() if ids}.keys() >= {"baltap", "northag", "centag"}
    assert_rule(found, "35.8/seats", inputs={"side": Side.WP}, result=3)


@pytest.mark.rule("35.8.2.1", "35.8.2.2", "35.8.2.3")
def test_35_8_2_who_commands_what_in_nato() -> None:
    from pbem.titles.nato.explain.tracks import command_reason

    bare = a_data()
    data = NatoData(bare.atlas, bare.units, bare.charts, packaged_scenario("theatre"), Options(table="commands"))
    for id, rule, seat in (
        ("16/6", "35.8.2.1", "baltap"),
        ("LZ", "35.8.2.1", "baltap"),
        ("7/1A", "35.8.2.2", "northag"),
        ("1/1PZ", "35.8.2.2", "northag"),
        ("11ACR", "35.8.2.3", "centag"),
        ("1DB", "35.8.2.3", "centag"),
    ):
        assert_rule([command_reason(data, data.units[id])], rule, result=seat)


@pytest.mark.parametrize("scenario", packaged_scenarios())
def test_5_1_every_scenario_describes_itself(scenario: str) -> None:
    board = a_board(
        {}, on(a_data(), **msgspec.structs.asdict(packaged_scenario(scenario)) | {"area": (), "sectors": {}})
    )
    assert len(list(match_reasons(board))) > 20


def test_the_page_of_a_match_shows_the_tracks() -> None:
    rules = NatoRules(a_data())
    found = rules.sight(a_board(UNITS).state, "match")
    assert found is not None and any("34.2" in str(line) for line in found.why)
