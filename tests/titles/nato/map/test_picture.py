"""2.2, 3.2 The picture of the map is complete, well formed, readable without colour, and matches its description."""

import re
import xml.etree.ElementTree as ET
from html import unescape

import pytest

from pbem.titles.nato.cards.scenario import Scenario
from pbem.titles.nato.cards.scenario_files import packaged_scenario, packaged_scenarios
from pbem.titles.nato.cards.units import Symbol, roster
from pbem.titles.nato.map.atlas import Atlas
from pbem.titles.nato.map.ground import Side, Terrain
from pbem.titles.nato.map.reading import atlas
from pbem.titles.nato.player.drawing.canvas import Point, centre, chains, ends, smooth
from pbem.titles.nato.player.drawing.counters import SYMBOL_NAMES, SYMBOLS, card, factors
from pbem.titles.nato.player.drawing.ground import PATTERNS, words_of
from pbem.titles.nato.player.drawing.overlays import control
from pbem.titles.nato.player.map import Clash, Shown, Situation, SupplyLine, Track, describe, letters, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def opening(scenario: Scenario, **more: object) -> Situation:
    """Return the set-up of a scenario."""
    pieces = tuple(Shown(place.unit, place.at, reforger=place.reforger) for place in scenario.placements)
    return Situation(title=scenario.name, turn=1, pieces=pieces, conquered=scenario.conquered, **more)  # type: ignore[arg-type]


def of(id: str) -> tuple[Scenario, Atlas]:
    """Return a scenario and its map."""
    scenario = packaged_scenario(id)
    return scenario, scenario.play_area(atlas())


@pytest.mark.parametrize("id", packaged_scenarios())
def test_the_picture_shows_every_hex_and_every_unit_on_the_map(id: str) -> None:
    scenario, area = of(id)
    root = ET.fromstring(svg(area, roster(scenario.year), opening(scenario)))
    assert {path.get("data-hex") for path in root.iter() if path.get("data-hex")} == set(area)
    units = {group.get("data-unit"): group for group in root.iter() if group.get("data-unit")}
    assert set(units) == {place.unit for place in scenario.placements}
    for group in units.values():
        assert group.find(f"{NAMESPACE}title") is not None and group.find(f"{NAMESPACE}rect") is not None
        assert re.match(r"translate\(\d+ \d+\)scale\(", group.get("transform") or "")


@pytest.mark.parametrize("id", packaged_scenarios())
def test_the_picture_says_the_same_in_words(id: str) -> None:
    scenario, area = of(id)
    drawn = svg(area, roster(scenario.year), opening(scenario))
    found = re.search("<desc>(.*?)</desc>", drawn, re.DOTALL)
    assert found is not None
    words = unescape(found[1])
    assert words.splitlines() == list(map(str, describe(area, roster(scenario.year), opening(scenario))))
    for place in scenario.placements:
        assert re.search(rf"(^|[ ;]){re.escape(place.unit)} [(\d]", words, re.MULTILINE), place.unit


def test_the_picture_uses_attributes_and_no_style_sheets() -> None:
    scenario, area = of("leine")
    drawn = svg(area, roster(1983), opening(scenario))
    assert " style=" not in drawn and "<style" not in drawn and "http" not in drawn.split(">", 1)[1]


def test_2_2_1_every_terrain_has_a_pattern_of_its_own_and_clear_ground_none() -> None:
    assert set(PATTERNS) == set(Terrain) - {Terrain.CLEAR}
    assert len({drawn for _, _, drawn in PATTERNS.values()}) == len(PATTERNS)


def test_3_2_8_every_symbol_differs() -> None:
    assert set(SYMBOLS) == set(SYMBOL_NAMES) == set(Symbol)
    assert len(set(SYMBOLS.values())) == len(SYMBOLS)


def test_3_9_2_the_sides_differ_in_shape() -> None:
    scenario, area = of("leine")
    root = ET.fromstring(svg(area, roster(1983), opening(scenario)))
    corners: dict[str | None, set[Side]] = {}
    for group in root.iter():
        if unit := group.get("data-unit"):
            rect = group.find(f"{NAMESPACE}rect")
            assert rect is not None
            corners.setdefault(rect.get("rx"), set()).add(roster(1983)[unit].side)
    assert corners == {"0": {Side.WP}, "9": {Side.NATO}}


def test_3_2_factors_are_written_as_on_the_counter() -> None:
    units = roster(1983)
    assert factors(units["16GT"], Shown("16GT", "3116")) == "10-[6]-6"
    assert factors(units["16GT"], Shown("16GT", "3116", reduced=True)) == "5-[4]-6"
    assert factors(units["27LL"], Shown("27LL", "3223")) == "1-1-6A"
    assert factors(units["34N"], Shown("34N", "3216")) == "1-(1)-5"
    assert factors(units["BR-I"], Shown("BR-I", "3220")) == "(3)(1)-4"


def test_4_2_a_card_names_every_marker() -> None:
    units = roster(1983)
    piece = Shown("21", "3116", reduced=True, disrupted=True, ms_out=True, cs_out=True, train=True, engaged=True)
    words = card(units["21"], piece)
    for word in ("1 step of 2", "disrupted", "movement supply", "combat supply", "train", "engaged", "NEGF"):
        assert word in words
    hq = card(units["NEGF"], Shown("NEGF", "3114", disrupted=True, supplied=False))
    assert "suppressed" in hq and "unsupplied" in hq and "disrupted" not in hq


def test_2_2_a_hex_in_words() -> None:
    area = atlas()
    assert words_of(area, "3117").startswith("Hannover 3117: major city, clear, West Germany")
    assert "Weser (major river) to" in words_of(area, "2819")
    assert "Danish ferry to 1514" in words_of(area, "1513")
    assert "Iron Curtain to" in words_of(area, "3115") or "Iron Curtain to" in words_of(area, "3114")
    assert "port of 4 steps" in words_of(area, "2420") and "blocked hexside to 2421" in words_of(area, "2420")


def test_what_happened_is_drawn_and_told() -> None:
    scenario, area = of("leine")
    units = roster(1983)
    situation = opening(
        scenario,
        tracks=(Track("16GT", Side.WP, ("3116", "3117", "3118"), "march"),),
        clashes=(Clash("3218", Side.WP, ("3118", "3117"), "A1/D1R1"),),
        battles=("3318",),
        nuclear=("3320",),
        chemical=("3319",),
        breakthrough=("3217",),
        interdiction={Side.NATO: ("3115",)},
        zones={Side.WP: ("3117", "3118"), Side.NATO: ("3218",)},
        supply=(SupplyLine(Side.WP, ("3114", "3113", "3212")),),
    )
    ET.fromstring(svg(area, units, situation))
    words = "\n".join(map(str, describe(area, units, situation)))
    assert "16GT moved from 3116 to 3118 (march)" in words
    assert "Warsaw Pact attacked 3218 from 3118 and 3117: A1/D1R1" in words
    for word in (
        "Battles to be fought: 3318",
        "Nuclear strikes: 3320",
        "Chemical strikes: 3319",
        "Breakthroughs: 3217",
    ):
        assert word in words
    assert "Air interdiction by NATO: Braunschweig 3115" in words
    assert "The supply of the Warsaw Pact runs from 3114 to Magdeburg 3212" in words
    assert "A1/D1R1" in svg(area, units, situation)


# --- the front line ----------------------------------------------------------------------------------------------


def test_before_the_war_everybody_holds_his_own_country() -> None:
    scenario, area = of("theatre")
    held = control(area, roster(1983), opening(scenario))
    assert all(area[hex].side is side for hex, side in held.items())


def test_a_unit_holds_the_ground_around_it_until_an_enemy_is_nearer() -> None:
    _, area = of("theatre")
    units = roster(1983)
    pieces = (Shown("16GT", "2916"), Shown("3/1PZ", "2919"))
    held = control(area, units, Situation(title="", turn=1, pieces=pieces))
    assert held["2916"] is Side.WP and held["2917"] is Side.WP
    assert held["2918"] is Side.NATO and held["2919"] is Side.NATO
    assert held["3117"] is Side.NATO, "a free city holds its own hex"
    conquered = Situation(title="", turn=1, pieces=pieces, conquered={"3117": Side.WP})
    assert control(area, units, conquered)["3117"] is Side.WP


# --- lines -------------------------------------------------------------------------------------------------------


def test_hexsides_are_joined_to_lines_without_losing_one() -> None:
    area = atlas()
    sides = [ends(a, b) for a, b in area.rivers["Elbe"]]
    lines = list(chains(sides))
    assert len(lines) == 1 and len(lines[0]) == len(sides) + 1
    ring = [ends("3007", near) for near in area.neighbours["3007"]]
    loop = list(chains(ring))
    assert len(loop) == 1 and loop[0][0] == loop[0][-1] and len(loop[0]) == 7
    assert smooth(loop[0]).startswith("M") and smooth([Point(0, 0), Point(3, 3)]) == "M0 0L3 3"


def test_neighbours_share_the_ends_of_their_hexside() -> None:
    for near in atlas().neighbours["3218"]:
        assert set(ends("3218", near)) == set(ends(near, "3218"))
        here, there = centre("3218"), centre(near)
        assert 90 <= ((here.x - there.x) ** 2 + (here.y - there.y) ** 2) ** 0.5 <= 100


# --- plain text --------------------------------------------------------------------------------------------------


def test_the_map_in_letters() -> None:
    scenario, area = of("leine")
    lines = letters(area, roster(1983), opening(scenario))
    assert len(lines) == 1 + 7 + 1 and lines[0].split() == [str(column) for column in range(25, 10, -1)]
    assert lines[3].startswith("31")
    row = lines[3][6:]
    cells = {25 - index: row[4 * index : 4 * index + 4] for index in range(15)}
    assert cells[20].strip() == "oN1" and cells[16].strip() == ".P4" and cells[15].strip() == "*"
    assert cells[14].strip() == "&P0+" and cells[17].strip() == "O"
    assert lines[4].startswith("32  .") and lines[3][4:6] == "  ", "odd rows are indented by half a cell"
    assert letters(area, roster(1983), opening(scenario), rows=(31, 32))[1].startswith("31")


def test_a_view_becomes_a_situation() -> None:
    from types import SimpleNamespace

    from pbem.titles.nato.player.map import situation_of

    plain = {"reduced": False, "disrupted": False, "ms_out": False, "cs_out": False, "supplied": True}
    plain |= {"engaged": False, "reserve": False, "train": "", "active": True}
    pieces = {
        "7/1A": SimpleNamespace(id="7/1A", at="3318", **plain | {"disrupted": True}),
        "16GT": SimpleNamespace(id="16GT", at="3116", **plain | {"train": "entrained"}),
    }
    view = SimpleNamespace(
        turn=3,
        pieces=pieces,
        conquered={"3117": Side.WP},
        battles=["3218"],
        breakthrough=[],
        nuclear=[],
        chemical={"3320": Side.WP},
        interdiction={Side.NATO: ["3115"]},
    )
    shown = situation_of(view, "The Leine", own={"7/1A"}, verbs="hold")
    assert [(piece.unit, piece.own, piece.train) for piece in shown.pieces] == [
        ("16GT", False, True),
        ("7/1A", True, False),
    ]
    assert (shown.turn, shown.chemical, shown.interdiction) == (3, ("3320",), {Side.NATO: ("3115",)})
    drawn = svg(of("leine")[1], roster(1983), shown)
    assert 'data-unit="7/1A" data-own=""' in drawn and 'data-verbs="hold"' in drawn
