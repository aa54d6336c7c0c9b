"""2.0 Scenarios: how they are read, what is refused, and the packaged ones."""

from collections import Counter

import pytest
from support.rules import assert_rule
from titles.panzer.basic import basic_scenarios
from titles.panzer.builders import packaged_scenario

from pbem.engine.geometry.hexes import distance, hex_name, neighbours, parse_hex
from pbem.titles.data_files import DataError
from pbem.titles.panzer.cards.basic_rows import EDITIONS, PROHIBITED
from pbem.titles.panzer.cards.board import read_board
from pbem.titles.panzer.cards.cards import cards
from pbem.titles.panzer.cards.charts import CHART_FILES, charts
from pbem.titles.panzer.cards.files import packaged
from pbem.titles.panzer.setup.scenario_file import Scenario, load_scenario

both_editions = pytest.mark.parametrize("edition", EDITIONS)

BOARD = read_board("""
name = "Test"
terrain = '''
 1  ......
 2  ..b.o.
 3  ......
'''
[places]
"The mill" = ["C2"]
[links]
path = ["off5-A2-B2-C2-D3-E3"]
""")

TEXT = """
name = "Test"
edition = "2024"
map = "test"
turns = 5
text = "Words."

[[side]]
id = "german"
name = "Germans"
units = [
  {id = "g1", name = "PzIIIJ-1", card = "pz3j", hex = "A1", facing = 3},
  {id = "g2", name = "PzIIIJ-2", card = "pz3j", hex = "A3", facing = 2, area = "left", damaged = true},
  {id = "g3", name = "Opel-1", card = "opel", turn = 2, entry = ["A2"], vp = 1},
]
[side.areas]
left = ["A1..B3"]

[[side]]
id = "british"
name = "British"
seats = [{id = "tanks", name = "Tanks"}, {id = "cars", name = "Cars"}]
units = [
  {id = "b1", name = "CrusI-1", card = "crusader1", hex = "F1", facing = 5},
  {id = "b2", name = "Daimler-1", card = "daimler", hex = "F2", facing = 5, seat = "cars"},
]

[[objective]]
id = "mill"
name = "The mill"
place = "The mill"
vp = {german = 3, british = 5}
controller = "british"

[[objective]]
id = "road"
name = "The road"
hexes = ["A2", "B2"]
vp = 2
taken = "end_of_turn"

[[exit]]
side = "german"
edge = "east"
vp = 2

[victory]
eliminated = "points"
levels = [{lead = 1, name = "narrow"}, {lead = 10, name = "clear"}]

[special]
initiative_tie = "british"
initiative_winner = "first"
early_end = "side_gone"
storeys = {C2 = 2}
tracks = ["A2-B2"]
switches = {continuous_slope = false}
"""


def load(text: str = TEXT, **options) -> Scenario:
    return load_scenario(text, {"test": BOARD}, file="test.toml", **options)


def refused(text: str, **options) -> DataError:
    with pytest.raises(DataError) as caught:
        load(text, **options)
    return caught.value


def mistakes(text: str) -> str:
    return str(refused(text))


# --- reading -------------------------------------------------------------------------------------------------


def test_2_0_units_with_fixed_place_area_or_entry():
    """R-02: a unit has a fixed hex, a set-up area or an entry."""
    g1, g2, g3, *_ = load().units
    assert (g1.hex, g1.facing, g1.area, g1.turn) == (parse_hex("A1"), 3, "", 0)
    assert (g2.area, g2.damaged) == ("left", True)
    assert (g3.hex, g3.turn, g3.entry) == (None, 2, (parse_hex("A2"),))
    assert len(load().areas["left"].hexes) == 6


def test_2_0_sides_set_up_in_the_order_of_the_file_and_seats_have_units():
    """R-02: a side without seats has one seat with its own name."""
    scenario = load()
    assert [side.id for side in scenario.sides] == ["german", "british"]
    assert [(seat.id, seat.side) for seat in scenario.seats] == [
        ("german", "german"),
        ("tanks", "british"),
        ("cars", "british"),
    ]
    assert [unit.seat for unit in scenario.units] == ["german", "german", "german", "tanks", "cars"]


@pytest.mark.rule("3.6/victory-points", effect=True)
def test_3_6_objectives_and_points():
    """R-03, R-04: points go to one side or both; lost units count by their cards unless the scenario differs."""
    scenario = load()
    mill, road = scenario.objectives
    assert (mill.vp, mill.controller, mill.taken) == ({"german": 3, "british": 5}, "british", "complete_turn")
    assert (road.vp, road.controller, road.taken) == ({"german": 2, "british": 2}, "", "end_of_turn")
    assert mill.hexes == (parse_hex("C2"),)
    assert [unit.vp for unit in scenario.units] == [49, 49, 1, 49, 44]
    assert [(way.side, way.edge, way.vp) for way in scenario.exits] == [("german", "east", 2)]
    assert [scenario.level(lead) for lead in (0, 1, 9, 10)] == ["", "narrow", "narrow", "clear"]


def test_special_conditions_shape_the_board():
    """Special conditions set storeys (4.1.4.1.3), tracks (4.5.1.1.11), ties (4.3.1) and an early end (R-18)."""
    scenario = load()
    a2, b2, c2 = (parse_hex(name) for name in ("A2", "B2", "C2"))
    assert scenario.board.storeys(c2) == 2 and BOARD.storeys(c2) == 1
    assert scenario.board.link(a2, b2) == "track" and scenario.board.link(b2, c2) == "path"
    assert load(edition="2016").board.link(a2, b2) == "path"
    assert (scenario.initiative_tie, scenario.initiative_winner) == ("british", "first")
    assert scenario.early_end == "side_gone"
    assert scenario.switches == {"continuous_slope": False}


@pytest.mark.rule("0/introduction", effect=True)
def test_0_a_switch_of_the_scenario_holds_for_its_own_map():
    """L179-207: before the map is read, a rule of the other book can be switched on, or one of this book off."""
    a2, b2 = parse_hex("A2"), parse_hex("B2")
    on, off = (TEXT.replace("{continuous_slope = false}", f"{{tracks = {said}}}") for said in ("true", "false"))
    assert load(on, edition="2016").board.link(a2, b2) == "track"
    assert load(off, edition="2024").board.link(a2, b2) == "path"


def test_silence_means_the_rulebook():
    """By default ties are rerolled (4.3.1), the winner chooses (A-18), and no match ends early (R-18)."""
    scenario = load(TEXT[: TEXT.index("[victory]")])
    assert (scenario.initiative_tie, scenario.initiative_winner, scenario.early_end) == ("reroll", "chooses", "never")
    assert [unit.vp for unit in scenario.units] == [0, 0, 1, 0, 0] and scenario.level(5) == ""


def test_the_edition_can_be_overridden():
    assert load().edition == "2024" and load(edition="2016").edition == "2016"


def test_boards_may_come_as_bytes():
    text = TEXT[: TEXT.index("[[objective]]")]
    plain = b"name = 'x'\nterrain = '''\n1 ......\n2 ......\n3 ......\n'''"
    assert load_scenario(text.encode(), {"test": plain}).board.name == "x"


# --- mistakes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'card = "pz3j", hex = "A1"',
            'card = "pz3jj", hex = "A1"',
            "side german, unit g1, card: there is no card 'pz3jj'. Did you mean pz3j?",
        ),
        ('hex = "A1"', 'hex = "A9"', "unit g1, hex: A9 is outside the map. The nearest hex is A3."),
        ('hex = "A1"', 'hex = "E2"', "unit g1, hex: PzKpfw IIIJ cannot be in E2: Water."),
        ('hex = "F1"', 'hex = "A1"', "unit b1, hex: the enemy's g1 starts in A1 too."),
        ('hex = "A3"', 'hex = "C3"', "unit g2, hex: C3 is not in the area 'left'."),
        ('area = "left"', 'area = "lefd"', "there is no area of this side 'lefd'. Did you mean left?"),
        ('seat = "cars"', 'seat = "car"', "there is no seat of this side 'car'. Did you mean cars?"),
        ('entry = ["A2"]', 'entry = ["B2"]', "unit g3, entry: B2 is not at the edge of the map."),
        ("turn = 2,", "turn = 6,", "unit g3, turn: the scenario ends after turn 5."),
        ("turn = 2,", "", "unit g3: give the unit either a hex and a facing, or a turn and entry hexes."),
        ('hex = "A1", ', "", "unit g1: give the unit either a hex and a facing, or a turn and entry hexes."),
        ('id = "g2"', 'id = "g1"', "'g1' is the name of more than one unit."),
        ('name = "PzIIIJ-2"', 'name = "G1"', "'g1' is the name of more than one unit."),
        ('id = "g1"', 'id = "Panzer One"', "'Panzer One' is not an id"),
        ("facing = 3", "facing = 7", "units g1, facing: Must be greater than or equal to 1 and"),
        ("facing = 3", "facng = 3", "units g1, facng: this key has no meaning here. Did you mean facing?"),
        ("turns = 5", "turns = 'five'", "turns: write a whole number without quotes, not five."),
        ("turns = 5", "turn = 5", "turn: this key has no meaning here. Did you mean turns?"),
        ('edition = "2024"', 'edition = "2025"', "edition: '2025' is not possible here. Did you mean 2024?"),
        ('map = "test"', 'map = "tets"', "map: there is no map 'tets'. Did you mean test?"),
        ('place = "The mill"', 'place = "The mil"', "there is no place 'The mil'. Did you mean The mill?"),
        ('controller = "british"', 'controller = "britsh"', "there is no side 'britsh'. Did you mean british?"),
        ("{german = 3,", "{germn = 3,", "objective mill, vp: there is no side 'germn'. Did you mean german?"),
        ("vp = 2\ntaken", "vp = 'two'\ntaken", "objective road, vp: Write a number of points"),
        ('"end_of_turn"', '"end_turn"', "'end_turn' is not possible here. Did you mean end_of_turn?"),
        ('edge = "east"', 'edge = "eas"', "'eas' is not possible here. Did you mean east?"),
        ('initiative_tie = "british"', 'initiative_tie = "rerol"', "no side 'rerol'. Did you mean reroll?"),
        ("continuous_slope", "continous_slope", "no switch 'continous_slope'. Did you mean continuous_slope?"),
        ("{C2 = 2}", "{A1 = 2}", "special, storeys: there is no building in A1."),
        ('tracks = ["A2-B2"]', 'tracks = ["A1-B1"]', "A1-B1: only a path or road of the map can be"),
        ('eliminated = "points"', 'eliminated = "many"', 'victory, eliminated: Write a number, or "points"'),
        ("[special]", "[specal]", "specal: this key has no meaning here. Did you mean special?"),
        ('name = "Test"', "name = Test", "Invalid value (at line 2"),
    ],
)
def test_a_typo_is_answered_with_place_and_nearest_legal_thing(old, new, message):
    assert old in TEXT
    told = mistakes(TEXT.replace(old, new, 1))
    assert told.startswith("test.toml: ") and message in told


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('card = "pz3j", hex = "A1"', 'card = "pz3jj", hex = "A1"', "1.6"),
        ('hex = "A1"', 'hex = "A9"', "1.2"),
        ('hex = "A1"', 'hex = "E2"', "4.5.1.1.2"),
        ('hex = "F1"', 'hex = "A1"', "4.5.1.1.10"),
        ("turn = 2,", "turn = 6,", "2.0"),
        ("turns = 5", "turns = 'five'", "2.0"),
        ('controller = "british"', 'controller = "britsh"', "3.6"),
        ('initiative_tie = "british"', 'initiative_tie = "rerol"', "4.3.1"),
    ],
)
def test_a_mistake_carries_its_rule(old, new, rule):
    assert_rule(refused(TEXT.replace(old, new, 1)), rule)


@both_editions
@pytest.mark.rule("1.7.1")
def test_1_7_1_every_unit_has_a_number_of_its_own(edition):
    """L267-271: a counter shows nation, card and ID number; two identical counters could not be told apart."""
    assert_rule(refused(TEXT.replace('id = "g2"', 'id = "g1"'), edition=edition), "1.7.1")


@pytest.mark.rule("2.0", editions=("2024",))
@pytest.mark.rule("0/introduction", editions=("2024",))
def test_0_a_scenario_switches_rules_on_and_off_one_by_one():
    """L179-207: advanced and optional rules may be chosen one by one; an unknown rule is refused."""
    assert load().switches == {"continuous_slope": False}
    assert_rule(refused(TEXT.replace("continuous_slope", "continous_slope")), "0/introduction")
    assert_rule(refused(TEXT.replace("continuous_slope", "continous_slope"), edition="2016"), "2.0")


def test_every_mistake_is_told_at_once():
    told = mistakes(TEXT.replace('"pz3j"', '"pz3"').replace('"opel"', '"opl"').replace('"F1"', '"H1"'))
    assert len(told.splitlines()) == 4


def test_there_are_two_sides():
    start, end = TEXT.index('[[side]]\nid = "british"'), TEXT.index("[[objective]]")
    assert "side: A scenario needs exactly two sides." in mistakes(TEXT[:start] + TEXT[end:])


# --- the scenarios that come with the title ------------------------------------------------------------------


@pytest.fixture(params=[(name, edition) for name in basic_scenarios() for edition in EDITIONS], ids="-".join)
def scenario(request: pytest.FixtureRequest) -> Scenario:
    return packaged_scenario(*request.param)


def test_the_title_brings_a_duel_a_tournament_game_and_a_campaign():
    sizes = {name: packaged_scenario(name) for name in basic_scenarios()}
    counts = {name: sorted(Counter(unit.side for unit in found.units).values()) for name, found in sizes.items()}
    assert counts == {"battalion": [40, 40], "crossroads": [12, 12], "duel": [4, 4]}
    assert {name: (found.turns, found.edition) for name, found in sizes.items()} == {
        "battalion": (12, "2024"),
        "crossroads": (8, "2016"),
        "duel": (4, "2024"),
    }


def test_units_begin_in_open_hexes_of_their_own_facing_something(scenario):
    """R-02, 3.8: no unit starts overstacked, in closed terrain or facing off the map."""
    chart = charts(scenario.edition)
    places = Counter(unit.hex for unit in scenario.units if unit.hex is not None)
    assert max(places.values()) < chart.overstacked_from
    for unit in scenario.units:
        for hex in (unit.hex,) if unit.hex is not None else unit.entry:
            cost = chart.entry_cost(scenario.board.terrain(hex), cards()[unit.card].traction)
            assert cost != PROHIBITED or scenario.board.links(hex), (unit.id, hex_name(hex))
        assert bool(unit.facing) == (unit.hex is not None)


def test_entry_hexes_lie_at_the_edge_and_in_good_time(scenario):
    for unit in scenario.units:
        assert bool(unit.turn) == bool(unit.entry)
        assert unit.turn < scenario.turns
        for hex in unit.entry:
            assert any(not scenario.board.is_on_map(other) for other in neighbours(hex))


def test_both_sides_are_worth_nearly_the_same(scenario):
    """The points of vehicles and objectives together are nearly equal, so bots win equally often on both sides."""
    points = Counter()
    for unit in scenario.units:
        points[unit.side] += cards()[unit.card].points
    weaker, stronger = sorted(points.values())
    assert weaker * 5 >= stronger * 4


def test_nobody_starts_at_point_blank_and_the_duel_starts_in_range(scenario):
    """In the duel, some unit is within range of a gun, so that fire can begin in the first turns."""
    placed = [unit for unit in scenario.units if unit.hex is not None]
    gaps = [distance(a.hex, b.hex) for a in placed for b in placed if a.side != b.side]
    assert min(gaps) >= 5
    if scenario.map == "duel":
        reach = max(weapon.maximum_range for unit in placed for weapon in cards()[unit.card].ap_weapons)
        assert min(gaps) <= reach


def test_objectives_are_apart_and_both_sides_can_want_them(scenario):
    taken = [hex for objective in scenario.objectives for hex in objective.hexes]
    assert len(taken) == len(set(taken))
    assert all(points > 0 for objective in scenario.objectives for points in objective.vp.values())


def test_ids_can_be_typed_on_a_phone(scenario):
    assert all(len(unit.id) <= 4 and unit.id.isalnum() and unit.id.islower() for unit in scenario.units)


def test_a_match_is_read_with_its_own_charts():
    """A match uses the data frozen with it, not those of the current package: here sand has another symbol."""
    files = {name: packaged(name) for name in CHART_FILES}
    files["terrain.toml"] = files["terrain.toml"].replace(b'symbol = "s"', b'symbol = "z"')
    plain = b"name = 'x'\nterrain = '''\n1 .z....\n2 ......\n3 ......\n'''"
    text = TEXT[: TEXT.index("[[objective]]")]
    assert load_scenario(text, {"test": plain}, chart_files=files).board.terrain(parse_hex("B1")) == ("sand",)
    with pytest.raises(DataError, match="the sign 'z' stands for nothing"):
        load_scenario(text, {"test": plain})
