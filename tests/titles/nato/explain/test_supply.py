"""10 Explanations of supply: sources, links and obstacles."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.nato.builders import a_board, a_data, unit

from pbem.engine.rules.findings import Finding
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.explain.supply import (
    city_reason,
    combat_reason,
    hq_reason,
    link_reason,
    movement_reason,
    passing_reason,
    supply_reasons,
)
from pbem.titles.nato.map.grid import neighbours


def of(board: Board, id: str) -> list[Finding]:
    return list(supply_reasons(board, unit(board, id)))


def ring(hex: str, *ids: str) -> dict[str, str]:
    """Put enemies in every other hex around a hex, so that their zones cover all six."""
    return dict(zip(neighbours(hex)[::2], ids, strict=False))


@pytest.mark.rule("29.3", effect=True)
@pytest.mark.rule("10.1.1", "10.1.5", "10.1.6", "10.1.7", "10.1.8", "10.1.9", "10.3.1", "10.4.2", "10.8.4", "10.2.1")
def test_10_1_sources_by_country() -> None:
    home = a_board({"3223": "27LL"})
    assert_rule(of(home, "27LL"), "10.1.1", result=["home", "home"])
    assert_rule(of(home, "27LL"), "10.1.5", result="home")
    assert_rule(of(home, "27LL"), "10.1.6", inputs={"kind": "combat"}, result="home")
    abroad = a_board({"3223": "7/1A"})
    assert_rule(of(abroad, "7/1A"), "10.1.5", result="friendly")
    assert_rule(of(abroad, "7/1A"), "10.1.7", result="friendly")
    assert_rule(of(abroad, "7/1A"), "10.1.1", result=["friendly", ""])
    with_hq = a_board({"3223": "7/1A", "3220": "BR-I"})
    assert_rule(of(with_hq, "7/1A"), "10.1.9", inputs={"kind": "combat"}, result="BR-I")
    assert_rule(of(with_hq, "7/1A"), "10.4.2", result=3)
    assert_rule(of(with_hq, "7/1A"), "10.3.1", result="BR-I")
    enemy = a_board({"3118": "16GT"})
    assert_rule(of(enemy, "16GT"), "10.1.5", result="enemy")
    assert_rule(of(enemy, "16GT"), "10.1.8", inputs={"kind": "movement"}, result="")
    at_home = a_board({"3110": "16GT"})
    assert_rule(of(at_home, "16GT"), "10.8.4", result="home")
    cut = a_board({"3223": "7/1A", **ring("3223", "16GT", "21", "94G")})
    assert_rule(of(cut, "7/1A"), "10.2.1", result="")


@pytest.mark.rule("10.5.6", "33.1", "35.7")
def test_10_5_6_units_in_boxes_are_in_supply_and_a_surprised_nato_is_not() -> None:
    board = a_board({"sector1": "7/1A"})
    assert_rule([movement_reason(board, unit(board, "7/1A"))], "10.5.6", result="box")
    assert_rule([combat_reason(board, unit(board, "7/1A"))], "33.1", result="box")
    surprised = a_board({"3223": "27LL", "3007": "US-Berlin"}, a_data("surprise"), turn=1)
    assert_rule([combat_reason(surprised, unit(surprised, "27LL"))], "35.7", result="")
    assert combat_reason(surprised, unit(surprised, "US-Berlin")).result == "West Berlin"


@pytest.mark.rule("10.3.2", "10.3.2.1", "10.3.2.2", "10.2.2", "29.4", "10.9.1", "29.6.2", "10.4.3.1")
def test_10_3_2_sources_of_headquarters() -> None:
    """L1626: the British corps traces supply to Delfzijl; L1647: LANDZEALAND traces over the ferry to Odense."""
    board = a_board({"2822": "BR-I", "1512": "LZ", "3114": "NEGF", "1209": "BC"})
    assert_rule([hq_reason(board, unit(board, "BR-I"))], "10.3.2.1", result=True)
    assert_rule([hq_reason(board, unit(board, "LZ"))], "10.3.2.2", result=True)
    assert_rule([hq_reason(board, unit(board, "NEGF"))], "10.3.2", result=True)
    assert_rule([hq_reason(board, unit(board, "NEGF"))], "10.2.2", result=True)
    assert_rule([hq_reason(board, unit(board, "BC"))], "10.9.1", result=False)
    assert_rule([hq_reason(board, unit(board, "BC"))], "29.6.2", result=True)  # by sea
    unit(board, "NEGF").piece.train = "entrained"
    assert_rule([hq_reason(board, unit(board, "NEGF"))], "29.4", result=False)
    unit(board, "NEGF").piece.train = ""
    unit(board, "NEGF").piece.supplied, unit(board, "NEGF").piece.unpaid = False, True
    assert_rule([hq_reason(board, unit(board, "NEGF"))], "10.4.3.1", result=True)


@pytest.mark.rule("10.3.3", "10.3.3.1", "10.3.3.2", "10.3.3.4", "10.3.3.5", "10.3.3.6")
def test_10_3_3_supply_of_cities() -> None:
    """L1630, L1637: Hamburg's two hexes supply each other; a port can reach the open sea, but Bremen cannot."""
    free = a_board({})
    assert_rule([city_reason(free, "2417")], "10.3.3.1", result=True)
    assert_rule([city_reason(free, "3007")], "10.3.3.4", result=True)  # linked while no unit blocks the way
    assert_rule([city_reason(a_board(ring("3007", "16GT", "21", "94G")), "3007")], "10.3.3.4", result=False)
    surrounded = a_board(ring("2720", "16GT", "21", "94G"))
    assert_rule([city_reason(surrounded, "2720")], "10.3.3", result=False)
    alone = a_board(
        {}, conquered={hex: Side.WP for hex in free.atlas.cities if hex != "2420" and free.owner(hex) is Side.NATO}
    )
    assert_rule([city_reason(alone, "2420")], "10.3.3.2", result=True)
    taken = a_board({}, conquered={"2615": Side.WP, "1310": Side.WP})
    assert_rule([city_reason(taken, "2615")], "10.3.3.5", result=True)
    assert_rule([city_reason(taken, "1310")], "10.3.3.6", result=True)


@pytest.mark.rule("10.3.3.4", "10.3.3.6")
def test_10_3_3_4_west_berlin_and_copenhagen_supply_their_own() -> None:
    board = a_board({"3007": "US-Berlin", "1411": "16GT"}, conquered={"1310": Side.WP})
    assert_rule(of(board, "US-Berlin"), "10.3.3.4", inputs={"kind": "combat"}, result="West Berlin")
    assert_rule(of(board, "16GT"), "10.3.3.6", inputs={"kind": "movement"}, result="Copenhagen")


@pytest.mark.rule("10.2", "10.1.2", "10.2.3", "10.2.4", "10.2.5", "8.3")
def test_10_2_links_and_what_blocks_them() -> None:
    board = a_board({"3218": "22/1A", "3118": "16GT"}, chemical={"3224": {Side.WP: True}})
    assert_rule([link_reason(board, Side.NATO, "3223", "3220")], "10.2", result=3)
    assert_rule([link_reason(board, Side.NATO, "3223", "3220")], "10.1.2", inputs={"limit": 10}, result=3)
    assert_rule([link_reason(board, Side.NATO, "3223", "5313")], "10.2", result=0)
    assert_rule([passing_reason(board, "3118", Side.NATO)], "10.2.3", result="enemy unit")
    assert_rule([passing_reason(board, "3119", Side.NATO)], "10.2.3", result="enemy zone of control")
    assert_rule([passing_reason(board, "3212", Side.NATO)], "10.2.3", result="enemy city")
    assert_rule([passing_reason(board, "3218", Side.NATO)], "8.3", result="negated")
    assert_rule([passing_reason(board, "3224", Side.NATO)], "10.2.5", result="open")
    for fallen, side, so in (
        ([], Side.NATO, True),
        ([], Side.WP, False),
        (["DK"], Side.WP, True),
        (["DK"], Side.NATO, False),
    ):
        ferry = a_board({}, surrendered=fallen)
        assert_rule([link_reason(ferry, side, "1513", "1514")], "10.2.4", inputs={"side": side}, result=so)


def test_10_the_reasons_agree_with_the_rules() -> None:
    """The explanation and the decision name the same source for every unit of the theatre."""
    from pbem.titles.nato.cards.scenario_files import packaged_scenario
    from pbem.titles.nato.supply.units import combat_source, movement_source

    placed: dict[str, str] = {}
    for one in packaged_scenario("theatre").placements:
        if not one.reforger:
            placed[one.at] = f"{placed.get(one.at, '')} {one.unit}".strip()
    board = a_board(placed)
    for one in board.units.values():
        if not one.card.hq:
            assert movement_reason(board, one).result == movement_source(board, one)
            assert combat_reason(board, one).result == combat_source(board, one)
