"""1.2 The map as a picture shows everything a player must see, and nothing secret."""

from __future__ import annotations

import gzip
import re
from xml.etree import ElementTree

import pytest
from titles.panzer.basic import basic_scenarios
from titles.panzer.builders import a_board, a_data_set, a_state, a_vehicle, brewed_up, knocked_out

from pbem.engine.geometry.hexes import Side, hex_name, parse_hex
from pbem.titles.panzer.cards.charts import charts
from pbem.titles.panzer.data_set import basic_data_set as data_set
from pbem.titles.panzer.freezing import freeze
from pbem.titles.panzer.picture import ground as ground_picture
from pbem.titles.panzer.picture import vehicles as picture
from pbem.titles.panzer.setup.deployment import initial_state
from pbem.titles.panzer.setup.scenario_file import Objective
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Spot
from pbem.titles.panzer.state import Objective as Control
from pbem.titles.panzer.view import view_of

TERRAIN = charts("2024").terrains
SVG = "{http://www.w3.org/2000/svg}"


def drawn(*vehicles, data=None, viewer="german", **state):
    """The elements of a state's picture, drawn from the viewer's view."""
    text = picture.svg(Situation(data or a_data_set(), view_of(a_state(*vehicles, **state), viewer)), viewer=viewer)
    return ElementTree.fromstring(text)


def counter(root, unit):
    return next(group for group in root.iter(f"{SVG}g") if group.get("data-unit") == unit)


def signs(root, unit):
    """Return the texts on a counter."""
    return [text.text for text in counter(root, unit).iter(f"{SVG}text")]


def symbols(root, unit):
    return [use.get("href") for use in counter(root, unit).iter(f"{SVG}use")]


# --- the ground ----------------------------------------------------------------------------------------------


def all_terrain_board():
    """A board with one hex of every terrain type, every kind of hexside, a road and a path."""
    row = "".join(terrain.symbol for kind, terrain in TERRAIN.items() if kind != "bridge")
    open_row = "." * len(row)
    kinds = ("wall", "defilade", "hedgerow", "crest")
    sides = {kind: [f"{column}2:1"] for kind, column in zip(kinds, "ACEG", strict=True)}
    return a_board(
        f"{row}\n{open_row}\n{open_row}",
        levels=f"{open_row}\n{open_row}\n2{open_row[:-2]}1",
        hill_edges="slope",
        hexsides=sides | {"cliff": ["A3:1"]},
        links={"road": ["C3-D3-E3"], "path": ["G3-H3"]},
    )


def test_1_2_every_terrain_type_has_a_symbol_of_its_own_besides_its_colour():
    text = ground_picture.ground(all_terrain_board(), "2024", ())
    bare = ground_picture.ground(a_board("..."), "2024", ())

    body, bare_body = text[text.index("</defs>") :], bare[bare.index("</defs>") :]
    for kind in TERRAIN.keys() - {"clear", "bridge"}:
        sign = ground_picture.CHANNEL_STROKES[kind][0][0] if kind in ground_picture.CHANNEL_STROKES else f"-{kind}"
        assert f"#p{sign}" in body or f"#t{sign}" in body or sign in body, kind
        assert sign not in bare_body, kind


def test_1_2_the_key_explains_all_that_lies_on_the_map():
    board = all_terrain_board()
    names = tuple((kind, terrain.name) for kind, terrain in TERRAIN.items())

    text = ground_picture.ground(board, "2024", names)

    for name in ("Brush", "Heavy woods", "Gully (wadi)", "Road", "Hedgerow", "Cliff", "Wreck"):
        assert f">{name}</text>" in text


def test_1_2_every_reference_leads_to_a_symbol():
    root = drawn(data=a_data_set(all_terrain_board()))
    known = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}

    used = {element.get("href") for element in root.iter(f"{SVG}use")}
    used |= {fill[4:-1] for element in root.iter() if (fill := element.get("fill", "")).startswith("url(")}
    assert used and used <= known


def test_1_2_every_hex_says_its_name_terrain_level_and_roads():
    board = all_terrain_board()
    root = drawn(data=a_data_set(board))

    told = {e.get("data-hex"): e.findtext(f"{SVG}title") for e in root.iter(f"{SVG}path") if e.get("data-hex")}
    assert set(told) == {hex_name(hex) for hex in board.hexes}
    assert told["A3"] == "A3: Clear, level 2"
    assert told["D3"] == "D3: Clear, road"


@pytest.mark.parametrize(("higher", "place", "turned"), [("A2", "A2", 3), ("A3", "A3", 0)])
def test_4_1_4_1_5_slopes_fall_away_from_the_higher_hex(higher, place, turned):
    drawing = "\n".join(f"{row} {'1' if higher == f'A{row}' else '.'}" for row in (1, 2, 3))
    board = a_board("1 .\n2 .\n3 .", levels=drawing, hill_edges="slope")

    assert ground_picture.downhill(board, Side(parse_hex("A3"), 1)) == (
        ground_picture.point(parse_hex(place)),
        turned,
    )


def test_1_2_the_ground_is_drawn_once_for_each_board():
    data = a_data_set(a_board("..m..\n....."))
    drawn(data=data)
    hits = ground_picture.ground.cache_info().hits

    drawn(a_vehicle("g1", "A1"), data=data)

    assert ground_picture.ground.cache_info().hits == hits + 1


# --- counters ------------------------------------------------------------------------------------------------


def test_1_7_every_vehicle_on_the_map_has_one_counter_where_it_stands():
    root = drawn(a_vehicle("g1", "C4"), a_vehicle("s1", "H7"), a_vehicle("g2", None), wrecks={"D4": brewed_up()})

    units = {g.get("data-unit"): g.get("data-at") for g in root.iter(f"{SVG}g") if g.get("data-unit")}
    assert units == {"g1": "C4", "s1": "H7"}
    assert counter(root, "g1").get("data-own") == "" and counter(root, "s1").get("data-own") is None


@pytest.mark.parametrize("facing", range(1, 7))
def test_3_3_the_wedge_points_to_the_facing(facing):
    wedge = counter(drawn(a_vehicle("g1", "C4", facing=facing)), "g1").find(f"{SVG}path")

    assert wedge.get("transform") == f"rotate({60 * (facing - 1)})"


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6, 9, 12])
def test_3_8_all_counters_of_a_stack_can_be_seen(count):
    root = drawn(*(a_vehicle(f"g{number}", "C4") for number in range(1, count + 1)))

    places = [g.get("transform") for g in root.iter(f"{SVG}g") if g.get("data-unit")]
    assert len(places) == count and len(set(places)) == min(count, 9)


@pytest.mark.parametrize(
    ("card", "shape"),
    [
        ("pz4h", "tank"),
        ("kv1s", "heavy"),
        ("stug3g", "gun"),
        ("pzjgr1", "open"),
        ("spw251", "half"),
        ("opel", "truck"),
        ("daimler", "car"),
    ],
)
def test_1_6_the_silhouette_shows_the_kind_of_vehicle(card, shape):
    assert f"#v-{shape}" in symbols(drawn(a_vehicle("g1", "C4", card)), "g1")


def test_4_1_3_and_4_4_3_2_6_markers_stand_on_the_counter():
    root = drawn(
        a_vehicle("g1", "C4", spot=Spot.FIRE, damaged=True),
        a_vehicle("s1", "H7", pending=Spot.MOVE),
        spotted={"s1": ["g1"]},
    )

    assert {"#m-fire", "#m-damaged", "#m-seen"} <= set(symbols(root, "g1"))
    assert "#m-move" in symbols(root, "s1") and "#m-seen" not in symbols(root, "s1")
    assert counter(root, "s1").get("data-spots") == "g1"


def test_4_2_1_the_owner_sees_his_command_and_the_enemy_a_question_mark():
    vehicle = a_vehicle("g1", "C4", command=Command.OVERWATCH)

    assert "O" in signs(drawn(vehicle, viewer="german"), "g1")
    for other in ("soviet", "public"):
        assert "?" in signs(drawn(vehicle, viewer=other), "g1")
        assert "O" not in signs(drawn(vehicle, viewer=other), "g1")


def test_4_2_1_a_revealed_command_is_seen_by_all():
    vehicle = a_vehicle("g1", "C4", command=Command.SHORT_HALT, revealed=True)

    assert "H" in signs(drawn(vehicle, viewer="soviet"), "g1")


@pytest.mark.parametrize("viewer", ["soviet", "public"])
def test_4_2_1_the_picture_is_the_same_whatever_is_hidden(viewer):
    """R-08: every face-down counter looks the same."""
    pictures = {
        picture.svg(
            Situation(a_data_set(), view_of(a_state(a_vehicle("g1", "C4", command=command)), viewer)), viewer=viewer
        )
        for command in Command
    }

    assert len(pictures) == 1


def test_4_1_4_1_8_wrecks_lie_on_the_map_and_brewed_up_ones_smoke():
    root = drawn(wrecks={"D4": brewed_up(), "E5": knocked_out()})

    told = [title.text for title in root.iter(f"{SVG}title")]
    assert "D4: a brewed-up wreck, smoking" in told and "E5: a wreck" in told


def test_3_6_objectives_show_their_points_and_who_holds_them():
    well = Objective("well", "The well", (parse_hex("C4"),), {"german": 4, "soviet": 4}, "end_of_turn", "")
    root = drawn(data=a_data_set(objectives=(well,)), objectives={"well": Control(controller="soviet")})

    assert "The well · 4 VP" in [text.text for text in root.iter(f"{SVG}text")]
    words = next(g for g in root.iter(f"{SVG}g") if g.get("data-objective") == "well").findtext(f"{SVG}title")
    assert words == "Objective The well (C4): held by soviet; 4 points for german, 4 points for soviet"


# --- the file ------------------------------------------------------------------------------------------------


def test_names_cannot_smuggle_in_markup():
    text = picture.svg(Situation(a_data_set(), a_state(a_vehicle("g1", "C4", name='<b a="1">'))), viewer="german")

    assert "<b" not in text and "&lt;b" in text


def test_the_picture_needs_neither_style_nor_script():
    text = picture.svg(Situation(a_data_set(), a_state(a_vehicle("g1", "C4"))), viewer="german")

    assert not re.search(r"<style|<script| style=| class=| on\w+=|javascript:|href=\"[^#]", text)


@pytest.mark.parametrize("scenario", basic_scenarios())
def test_the_map_of_every_scenario_is_light_enough_to_send(scenario):
    data = data_set(freeze(scenario, {}))

    text = picture.svg(Situation(data, view_of(initial_state(data), "public")), viewer="public")

    ElementTree.fromstring(text)
    assert len(gzip.compress(text.encode())) < 300_000 // 4


def test_the_picture_can_be_made_into_a_bitmap():
    resvg = pytest.importorskip("resvg_py")
    text = picture.svg(Situation(a_data_set(all_terrain_board()), a_state(a_vehicle("g1", "C3"))), viewer="german")

    assert bytes(resvg.svg_to_bytes(svg_string=text))[:4] == b"\x89PNG"


# --- words ---------------------------------------------------------------------------------------------------


def test_the_map_in_words_names_every_vehicle_wreck_and_objective():
    well = Objective("well", "The well", (parse_hex("C4"),), {"german": 4, "soviet": 2}, "end_of_turn", "")
    data = a_data_set(objectives=(well,))
    state = a_state(
        a_vehicle("g1", "C4", "pz4h", facing=3, command=Command.FIRE, damaged=True),
        a_vehicle("s1", "H7"),
        spotted={"s1": ["g1"]},
        wrecks={"D4": knocked_out()},
    )

    lines = list(map(str, picture.describe(Situation(data, view_of(state, "soviet")), viewer="soviet")))

    assert lines == [
        "test, turn 1 of 3.",
        "g1 g1 (german) in C4: Clear; facing 3 south-east; command face down; damaged; spotted by s1.",
        "s1 s1 (soviet) in H7: Clear; facing 1 north.",
        "D4: a wreck.",
        "Objective The well (C4): not held; 4 points for german, 2 points for soviet.",
    ]
    assert drawn_words(data, state, "soviet") == lines


def drawn_words(data, state, viewer):
    """Return the words in a picture."""
    root = ElementTree.fromstring(picture.svg(Situation(data, view_of(state, viewer)), viewer=viewer))
    return root.findtext(f"{SVG}desc").splitlines()


def test_2_0_vehicles_not_yet_on_the_map_are_told_with_their_way_in():
    data = data_set(freeze("crossroads", {}))

    lines = list(map(str, picture.describe(Situation(data, initial_state(data)), viewer="public")))

    assert any(line.startswith("ge1 ") and "to be set up in west" in line for line in lines)
    assert any(line.startswith("ge10 ") and "from turn 2 at A9" in line for line in lines)


def test_2_0_set_up_areas_are_drawn_until_they_are_filled():
    data = data_set(freeze("crossroads", {}))
    text = picture.svg(Situation(data, initial_state(data)), viewer="public")

    assert "Set-up area west of German company" in text


def test_1_6_the_card_of_a_vehicle_gives_its_numbers():
    words = counter(drawn(a_vehicle("g1", "C4", "pz3j_lang", command=Command.MOVE)), "g1").findtext(f"{SVG}title")

    assert words.splitlines()[:2] == ["g1 g1 · PzKpfw IIIJ Lang", "in C4, facing 1 (north)"]
    assert "movement 4T 6-9, size +0, armour 11 front 8 rear" in words
    assert "50mm L60: range " in words and "command Move (face down)" in words
