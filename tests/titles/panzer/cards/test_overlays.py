"""1.3 Overlays change the terrain of their own hexes, for sight and movement, but not that of adjacent hexes."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.panzer.advanced.builders import a_leg, a_tank, advanced_data, an_advanced_state
from titles.panzer.builders import a_board, a_hex
from titles.panzer.setup.test_scenario import TEXT, load

from pbem.engine.geometry.hexes import hex_name
from pbem.titles.data_files import DataError
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.cards.overlays import Overlay, Placement, hex_at, lay, overlay_mistakes, read_placement
from pbem.titles.panzer.movement.steps.unit_steps import mover_of
from pbem.titles.panzer.sighting.sight import line_of_sight, sees
from pbem.titles.panzer.situation import Situation

CHARTS = charts("2024")
GROVE = Overlay(terrain={"id": ("medium_grove",), "1": ("medium_grove",), "12": ("medium_grove",)})
HILL = Overlay(terrain={"id": ("clear",)}, levels={"id": 2}, hexsides={"crest": ("id:4",)})


def placed(where: str, name: str = "X") -> Placement:
    return read_placement(f"{name} {where}")


@pytest.mark.rule("1.3", effect=True)
def test_1_3_the_notation_of_the_book():
    assert read_placement("LG2 O4(6)") == Placement("LG2", a_hex("O4"), 6)
    for wrong in ("LG2 O4", "O4(6)", "LG2 O4(7)", "LG2 (6)"):
        with pytest.raises(ValueError, match="LG2 O4"):
            read_placement(wrong)


@pytest.mark.rule("1.3", effect=True)
@pytest.mark.parametrize(
    ("arrow", "hexes"), [(1, ["E5", "E4", "F4"]), (4, ["E5", "E6", "D7"]), (2, ["E5", "F5", "G5"])]
)
def test_1_3_an_overlay_is_turned_with_its_arrow(arrow, hexes):
    """The result was worked out on paper: columns A, C and E are half a hex lower."""
    where = Placement("X", a_hex("E5"), arrow)
    assert [hex_name(hex_at(where, way)) for way in GROVE.terrain] == hexes


@pytest.mark.rule("1.3", effect=True)
@pytest.mark.rule("4.1.4.1.7")
def test_1_3_a_grove_on_the_map_blocks_the_line_and_costs_movement():
    plain = a_board(columns=9, rows=9)
    board = lay(plain, CHARTS, GROVE, placed("E5(1)"))
    before, after = advanced_data(plain), advanced_data(board)
    tank, target = a_tank("g1", "E6", facing=1), a_tank("s1", "E2", "t34_76")
    state = an_advanced_state(tank, target)
    assert sees(Situation(before, state), tank, target) and not sees(Situation(after, state), tank, target)
    assert_rule(line_of_sight(Situation(after, state), tank, target), "4.1.4.1.7")
    costs = [mover_of(Situation(data, state), tank).land.entering(a_hex("E6"), 1).total for data in (before, after)]
    assert costs[0] == 1 and costs[1] != 1
    assert board.terrain(a_hex("D5")) == plain.terrain(a_hex("D5"))  # features of its neighbours stay in force
    assert board.digest != plain.digest != ""


@pytest.mark.rule("4.1.4.1.4")
def test_4_1_4_1_4_a_hill_overlay_raises_its_hexes_and_has_edges():
    plain = a_board(columns=9, rows=9)
    board = lay(plain, CHARTS, HILL, placed("E5(1)"))
    assert (board.level(a_hex("E5")), board.level(a_hex("E4"))) == (2, 0)
    assert board.side(a_hex("E5"), a_hex("E6")) == ("crest",)
    assert board.side(a_hex("E5"), a_hex("E4")) == ("slope",)
    data, state = advanced_data(board), an_advanced_state(a_leg("g1", "E7", "german_rifle_squad"))
    found = line_of_sight(Situation(data, state), a_hex("E7"), a_hex("E2"))
    assert found.result == "blocked"
    assert_rule(found, "4.1.4.1.4", inputs={"ground": 2})


@pytest.mark.rule("1.3", effect=True)
def test_1_3_roads_end_at_an_overlay():
    board = a_board(columns=9, rows=9, links={"road": ["E7-E6-E5-E4"]})
    after = lay(board, CHARTS, GROVE, placed("E5(1)"))
    assert board.link(a_hex("E6"), a_hex("E5")) == "road"
    assert after.link(a_hex("E7"), a_hex("E6")) == "road" and after.link(a_hex("E6"), a_hex("E5")) is None


@pytest.mark.rule("1.3", effect=True)
def test_1_3_mistakes_are_told():
    board = a_board(columns=9, rows=9)
    odd = Overlay(terrain={"id": ("jungle",), "x": ("clear",)})
    assert [what for what, _ in overlay_mistakes(board, CHARTS, odd, placed("E5(1)"))] == [
        "'x' is not a path from the ID hex; write id, or directions such as 12."
    ]
    edge = list(overlay_mistakes(board, CHARTS, GROVE, placed("E1(1)")))
    assert edge and all("outside the map" in what for what, _ in edge)


OVERLAY = '\n[overlay.LG2]\nterrain = {id = ["light_grove"]}\n'


@pytest.mark.rule("1.3", editions=("2024",))
def test_1_3_a_scenario_lays_its_overlays_onto_the_map():
    text = TEXT.replace("[special]", '[special]\noverlays = ["LG2 A1(3)"]')
    scenario = load(text + OVERLAY)
    assert scenario.board.terrain(a_hex("A1")) == ("light_grove",)
    with pytest.raises(DataError, match="no overlay 'LG3'") as caught:
        load(text.replace("LG2 A1", "LG3 A1") + OVERLAY)
    assert_rule(caught.value, "1.3")
