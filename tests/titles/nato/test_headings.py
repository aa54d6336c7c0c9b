"""7.2 Every phase and segment begins with a heading: its number in the sequence of play, its name and its side."""

from __future__ import annotations

import pytest
from support.rules import assert_rule

from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.phases import segment

NATO, WP = Side.NATO, Side.WP


@pytest.mark.parametrize(
    ("rule", "name", "title"),
    [
        pytest.param("7.2/I.A", "status", "Joint Status Phase", marks=pytest.mark.rule("7.2/I.A")),
        pytest.param("7.2/I.A.1", "turn", "the game turn advances", marks=pytest.mark.rule("7.2/I.A.1")),
        pytest.param("7.2/I.A.2", "mobilization", "mobilization clocks advance", marks=pytest.mark.rule("7.2/I.A.2")),
        pytest.param(
            "7.2/I.A.3", "ready", "helicopters and Lift Commands are ready", marks=pytest.mark.rule("7.2/I.A.3")
        ),
        pytest.param("7.2/I.A.4", "points", "points of NATO", marks=pytest.mark.rule("7.2/I.A.4")),
        pytest.param("7.2/I.A.5", "sites", "Reforger sites overrun", marks=pytest.mark.rule("7.2/I.A.5")),
        pytest.param("7.2/I.A.6", "forts", "fortified hexes taken", marks=pytest.mark.rule("7.2/I.A.6")),
        pytest.param(
            "7.2/I.A.7", "surrender", "forces of countries that have surrendered", marks=pytest.mark.rule("7.2/I.A.7")
        ),
        pytest.param("7.2/I.B", "reinforcement", "Joint Reinforcement Phase", marks=pytest.mark.rule("7.2/I.B")),
        pytest.param("7.2/I.B.1", "air", "air points", marks=pytest.mark.rule("7.2/I.B.1")),
        pytest.param("7.2/I.B.2", "supply", "chemical points and Supply Points", marks=pytest.mark.rule("7.2/I.B.2")),
        pytest.param("7.2/I.B.3", "arrivals", "reinforcements", marks=pytest.mark.rule("7.2/I.B.3")),
        pytest.param("7.2/end", "end", "end of the game turn", marks=pytest.mark.rule("7.2/end")),
        pytest.param("7.2/turn-0", "turn zero", "before the war", marks=pytest.mark.rule("7.2/turn-0")),
    ],
)
def test_7_2_a_heading_of_the_joint_player_turn_names_no_side(rule: str, name: str, title: str) -> None:
    assert_rule(segment(name), rule)
    assert segment(name).inputs == {"phase": title}


@pytest.mark.parametrize(
    ("rule", "name", "side", "title"),
    [
        pytest.param("7.2/II", "player turn", WP, "player turn", marks=pytest.mark.rule("7.2/II")),
        pytest.param("7.2/II.A", "hq supply", WP, "HQ Supply Phase", marks=pytest.mark.rule("7.2/II.A")),
        pytest.param("7.2/II.B", "movement", WP, "Movement Phase", marks=pytest.mark.rule("7.2/II.B")),
        pytest.param(
            "7.2/II.B.1", "movement supply", WP, "Movement Supply Segment", marks=pytest.mark.rule("7.2/II.B.1")
        ),
        pytest.param("7.2/II.B.2", "rail", WP, "Rail Movement Segment", marks=pytest.mark.rule("7.2/II.B.2")),
        pytest.param(
            "7.2/II.B.3", "air and sea", WP, "Air and Sea Movement Segment", marks=pytest.mark.rule("7.2/II.B.3")
        ),
        pytest.param("7.2/II.B.4", "ground", WP, "Ground Movement Segment", marks=pytest.mark.rule("7.2/II.B.4")),
        pytest.param(
            "7.2/II.B.5", "helicopters", WP, "Helicopter Movement Segment", marks=pytest.mark.rule("7.2/II.B.5")
        ),
        pytest.param("7.2/II.C", "recovery", WP, "Recovery Phase", marks=pytest.mark.rule("7.2/II.C")),
        pytest.param("7.2/II.D", "planning", WP, "Battle Planning Phase", marks=pytest.mark.rule("7.2/II.D")),
        pytest.param("7.2/II.E", "strikes", WP, "Offensive Strike Phase", marks=pytest.mark.rule("7.2/II.E")),
        pytest.param("7.2/II.E.1", "nuclear", WP, "Nuclear Strike Segment", marks=pytest.mark.rule("7.2/II.E.1")),
        pytest.param("7.2/II.E.2", "chemical", WP, "Chemical Strike Segment", marks=pytest.mark.rule("7.2/II.E.2")),
        pytest.param("7.2/II.E.3", "air strikes", WP, "Air Strike Segment", marks=pytest.mark.rule("7.2/II.E.3")),
        pytest.param("7.2/II.E.4", "artillery", WP, "Artillery Strike Segment", marks=pytest.mark.rule("7.2/II.E.4")),
        pytest.param("7.2/II.F", "combat", WP, "Combat Phase", marks=pytest.mark.rule("7.2/II.F")),
        pytest.param("7.2/II.F.1", "commit", WP, "Commit Segment", marks=pytest.mark.rule("7.2/II.F.1")),
        pytest.param("7.2/II.F.2", "response", WP, "Response Segment", marks=pytest.mark.rule("7.2/II.F.2")),
        pytest.param(
            "7.2/II.F.3",
            "defensive strike",
            WP,
            "NATO Defensive Strike Segment",
            marks=pytest.mark.rule("7.2/II.F.3"),
        ),
        pytest.param(
            "7.2/II.F.4", "attack helicopters", WP, "Attack Helicopter Segment", marks=pytest.mark.rule("7.2/II.F.4")
        ),
        pytest.param("7.2/II.F.5", "battle", WP, "Combat Segment", marks=pytest.mark.rule("7.2/II.F.5")),
        pytest.param(
            "7.2/II.F.6", "defender results", WP, "Defender Results Segment", marks=pytest.mark.rule("7.2/II.F.6")
        ),
        pytest.param(
            "7.2/II.F.7", "attacker results", WP, "Attacker Results Segment", marks=pytest.mark.rule("7.2/II.F.7")
        ),
        pytest.param(
            "7.2/II.F.8", "return", WP, "Attack Helicopter Return Segment", marks=pytest.mark.rule("7.2/II.F.8")
        ),
        pytest.param(
            "7.2/II.F.9", "combat supply", WP, "Joint Combat Supply Segment", marks=pytest.mark.rule("7.2/II.F.9")
        ),
        pytest.param("7.2/II.G", "reserve", WP, "Reserve Phase", marks=pytest.mark.rule("7.2/II.G")),
        pytest.param("7.2/II.H", "suppression", WP, "Suppression Removal Phase", marks=pytest.mark.rule("7.2/II.H")),
        pytest.param("7.2/III", "player turn", NATO, "player turn", marks=pytest.mark.rule("7.2/III")),
        pytest.param("7.2/III.A", "hq supply", NATO, "HQ Supply Phase", marks=pytest.mark.rule("7.2/III.A")),
        pytest.param("7.2/III.B", "movement", NATO, "Movement Phase", marks=pytest.mark.rule("7.2/III.B")),
        pytest.param(
            "7.2/III.B.1", "movement supply", NATO, "Movement Supply Segment", marks=pytest.mark.rule("7.2/III.B.1")
        ),
        pytest.param("7.2/III.B.2", "rail", NATO, "Rail Movement Segment", marks=pytest.mark.rule("7.2/III.B.2")),
        pytest.param(
            "7.2/III.B.3", "air and sea", NATO, "Air and Sea Movement Segment", marks=pytest.mark.rule("7.2/III.B.3")
        ),
        pytest.param("7.2/III.B.4", "ground", NATO, "Ground Movement Segment", marks=pytest.mark.rule("7.2/III.B.4")),
        pytest.param(
            "7.2/III.B.5", "helicopters", NATO, "Helicopter Movement Segment", marks=pytest.mark.rule("7.2/III.B.5")
        ),
        pytest.param("7.2/III.C", "recovery", NATO, "Recovery Phase", marks=pytest.mark.rule("7.2/III.C")),
        pytest.param("7.2/III.D", "strikes", NATO, "Offensive Strike Phase", marks=pytest.mark.rule("7.2/III.D")),
        pytest.param("7.2/III.D.1", "nuclear", NATO, "Nuclear Strike Segment", marks=pytest.mark.rule("7.2/III.D.1")),
        pytest.param(
            "7.2/III.D.2", "chemical", NATO, "Chemical Strike Segment", marks=pytest.mark.rule("7.2/III.D.2")
        ),
        pytest.param("7.2/III.D.3", "air strikes", NATO, "Air Strike Segment", marks=pytest.mark.rule("7.2/III.D.3")),
        pytest.param("7.2/III.E", "combat", NATO, "Combat Phase", marks=pytest.mark.rule("7.2/III.E")),
        pytest.param("7.2/III.E.1", "commit", NATO, "Commit Segment", marks=pytest.mark.rule("7.2/III.E.1")),
        pytest.param("7.2/III.E.2", "response", NATO, "Response Segment", marks=pytest.mark.rule("7.2/III.E.2")),
        pytest.param(
            "7.2/III.E.3",
            "attack helicopters",
            NATO,
            "Attack Helicopter Segment",
            marks=pytest.mark.rule("7.2/III.E.3"),
        ),
        pytest.param("7.2/III.E.4", "battle", NATO, "Combat Segment", marks=pytest.mark.rule("7.2/III.E.4")),
        pytest.param(
            "7.2/III.E.5", "defender results", NATO, "Defender Results Segment", marks=pytest.mark.rule("7.2/III.E.5")
        ),
        pytest.param(
            "7.2/III.E.6", "attacker results", NATO, "Attacker Results Segment", marks=pytest.mark.rule("7.2/III.E.6")
        ),
        pytest.param(
            "7.2/III.E.7", "return", NATO, "Attack Helicopter Return Segment", marks=pytest.mark.rule("7.2/III.E.7")
        ),
        pytest.param(
            "7.2/III.E.8", "combat supply", NATO, "Joint Combat Supply Segment", marks=pytest.mark.rule("7.2/III.E.8")
        ),
        pytest.param("7.2/III.F", "reserve", NATO, "Reserve Phase", marks=pytest.mark.rule("7.2/III.F")),
        pytest.param(
            "7.2/III.G", "suppression", NATO, "Suppression Removal Phase", marks=pytest.mark.rule("7.2/III.G")
        ),
    ],
)
def test_7_2_a_heading_of_a_player_turn_names_its_side(rule: str, name: str, side: Side, title: str) -> None:
    assert_rule(segment(name, side), rule)
    assert segment(name, side).inputs == {"phase": title, "side": side}
