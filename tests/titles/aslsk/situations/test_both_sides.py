"""Both sides of each condition of the rules: a case in which it holds, and one in which it does not."""

from __future__ import annotations

import re

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, moving_in, tank_of
from titles.aslsk.cards.test_scenarios import CARD
from titles.aslsk.ground.building import a_ground, board_text

from pbem.titles.aslsk.cards.deck import DECK_FILES, read_deck
from pbem.titles.aslsk.cards.files import packaged
from pbem.titles.aslsk.cards.scenario_files import check_scenario
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.phases import carry_out
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.ground.board import read_board
from pbem.titles.aslsk.ground.joining import Placed, join_boards
from pbem.titles.aslsk.ground.spans import crossing
from pbem.titles.aslsk.movement.advance import advance_objections
from pbem.titles.aslsk.movement.expenditures import expend
from pbem.titles.aslsk.orders import (
    AdvanceOrder,
    FireOrder,
    Leg,
)
from pbem.titles.aslsk.ordnance.bystanders import crew_effect
from pbem.titles.aslsk.ordnance.to_hit import effect_column, is_ordnance
from pbem.titles.aslsk.player.proposals import firing_ids
from pbem.titles.aslsk.sheets.unit_sheets import weapon_sheet
from pbem.titles.aslsk.state import Smoke
from pbem.titles.data_files import DataError

T34, PZ4 = "russian-t34-85", "german-pz4h"
SHAKEN = {"broken": True, "dm": True}


def told(table, rule):
    return [found for found in every(table.findings) if found.rule == rule]


# --- 1 components ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("1.1")
def test_1_1_an_advance_names_ones_own_units_and_a_hex_on_the_map():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E9")}, phase="advance")
    found = list(advance_objections(table.situation, GERMAN, AdvanceOrder(("g1",), "ZZ99")))
    assert_rule(found, "1.1", why="ZZ99 is not on the map")
    mixed = advance_objections(table.situation, GERMAN, AdvanceOrder(("g1", "r1"), "E5"))
    assert "name only your own units that are in play" in [str(one.why) for one in mixed]
    assert not list(advance_objections(table.situation, GERMAN, AdvanceOrder(("g1",), "E5")))


@pytest.mark.rule("1.1.1.3", effect=True)
def test_1_1_1_3_a_road_that_ends_at_a_hexside_does_not_cross_it():
    """On joined boards one hex may have a road to a hexside where its neighbour has none."""
    ground = a_ground(roads=["E4-E5"])
    assert ground.road_between("E4", "E5")
    ground.hexes["E5"] = msgspec.structs.replace(ground.hexes["E5"], roads=("",) * 6)
    assert not ground._road_kind("E4", "E5")


@pytest.mark.rule("1.1.1.5")
def test_1_1_1_5_a_squad_that_runs_along_a_road_through_woods_has_neither_their_tem_nor_a_dug_in_gun():
    """Fire along the road has FFMO and FFNAM but no TEM, and a Gun's crew that runs there is not emplaced either."""
    ground = a_ground({"woods": "E6"}, roads=["E4-E5-E6-E7-E8"])
    table = a_table({"r1": ("447", "E6"), "g1": ("467", "E4")}, ground=ground, phase="movement", attacker=RUSSIAN)
    moving_in(table, ["r1"], road_rate=True, came_from="E7")
    fire(table, Attack(("g1",), "E6"))
    (shot,) = told(table, "3.2.2")
    assert {row["text"]: row["value"] for row in shot.modifiers} == {"FFMO": -1, "FFNAM": -1}
    paid = a_table({"r1": ("447", "E6"), "g1": ("467", "E4")}, ground=ground, phase="movement", attacker=RUSSIAN)
    moving_in(paid, ["r1"], came_from="E7")
    fire(paid, Attack(("g1",), "E6"))
    assert {row["text"]: row["value"] for row in told(paid, "3.2.2")[0].modifiers} == {"woods": 1, "FFNAM": -1}
    assert_rule(findings_of_cover(ground), "1.1.1.5", result="terrain cost elected")


def findings_of_cover(ground):
    """Return the findings of a squad that chooses to pay for the woods on a road."""

    table = a_table({"r1": ("447", "E7")}, ground=ground, phase="movement", attacker=RUSSIAN)
    moving_in(table, ["r1"], spent=0)
    expend(table, [table.state.units["r1"]], Leg("enter", "E6", cover=True))
    return every(table.findings)


@pytest.mark.rule("1.1.1.3")
def test_1_1_1_3_units_that_enter_the_map_have_no_road_behind_them_and_those_on_it_do():
    ground = a_ground(roads=["E4-E5"])
    table = a_table({"g1": ("467", ""), "g2": ("467", "E4")}, ground=ground, phase="movement")
    moving_in(table, ["g2"], spent=0)
    expend(table, [table.state.units["g2"]], Leg("enter", "E5"))
    assert_rule(table.findings, "1.1.1.3", inputs={"to": "E5"}, result="road rate")
    moving_in(table, ["g1"], spent=0)
    expend(table, [table.state.units["g1"]], Leg("enter", "E4"))
    assert len(told(table, "1.1.1.3")) == 1 and table.state.units["g1"].at == "E4"


@pytest.mark.rule("1.1.1.9", effect=True)
def test_1_1_1_9_white_phosphorus_beside_a_hexside_hinders_from_either_side():
    """Dispersed WP is +1 (1.2.5), whichever of the two hexes along the hexside it is in."""
    for hex in ("F3", "F4"):
        table = a_table({})
        table.state.smoke = {hex: [Smoke("wp_dispersed", GERMAN)]}
        assert table.situation.sight("E4", "G4").hindrance == 1


@pytest.mark.rule("1.1")
def test_1_1_hexes_of_two_boards_are_named_with_their_board():
    board = read_board(board_text({}))
    other = msgspec.structs.replace(board, id="u")
    one, two = join_boards([Placed(board)]), join_boards([Placed(board), Placed(other, across=1)])
    assert {cell.names[0][0].islower() for cell in one.cells.values()} == {False}
    assert {cell.names[0][0] for cell in two.cells.values()} == {"t", "u"}
    table = a_table({"g1": ("467", "E4")}, phase="advance")
    assert_rule(list(advance_objections(table.situation, GERMAN, AdvanceOrder(("g1",), "tE5"))), "1.1")


@pytest.mark.rule("1.2.7", effect=True)
def test_1_2_7_a_vehicle_armed_with_an_mg_needs_one_of_any_kind():
    files = {file: packaged(file) for file in DECK_FILES}
    vehicles = files["vehicles.toml"].decode()
    start = vehicles.index('gun = "MG"')
    armed = re.compile(r'mg = "[^"]*"')
    for mg, accepted in (("-/-/4", True), ("-/4", True), ("-/-", False)):
        text = vehicles[:start] + armed.sub(f'mg = "{mg}"', vehicles[start:], count=1)
        try:
            read_deck({**files, "vehicles.toml": text.encode()})
        except Exception as error:
            assert not accepted and "has no machine gun" in str(error), error
        else:
            assert accepted


@pytest.mark.rule("1.1.1.9", effect=True)
def test_1_1_1_9_beside_a_hexside_the_terrain_counts_although_a_vehicle_stands_farther_on():
    """An orchard on one side of the hexside hinders by 1, and a wreck beyond it by 1 more."""
    for orchard in ("F3", "F4"):
        table = a_table({}, ground=a_ground({"orchard": orchard}), vehicles={"r2": (T34, "G4", 1)})
        assert {"F3", "F4"} in [set(group) for group in table.situation.ground.smoke_hexes("E4", "I4")]
        assert table.situation.ground.sight("E4", "I4").hindrance == 1
        assert table.situation.sight("E4", "I4").hindrance == 2


@pytest.mark.rule("1.2.4", effect=True)
def test_1_2_4_the_sheet_of_a_weapon_names_its_holder_or_nobody():
    table = a_table({"g1": ("467", "E4")}, weapons={"gw": ("german-lmg", "g1"), "gx": ("german-lmg", "")})
    table.state.weapons["gx"].at = "E5"
    assert weapon_sheet(table.situation, GERMAN, "nothing") is None
    held, free = (weapon_sheet(table.situation, GERMAN, id) for id in ("gw", "gx"))
    assert "possessed by g1" in held.facts and (held.side, held.at, held.own) == (GERMAN, "E4", True)
    assert "unpossessed" in free.facts and (free.side, free.at, free.own) == ("", "E5", False)


WEAPONS = 'weapons = ["italian-hmg @P4"'


@pytest.mark.parametrize(
    ("before", "after", "mistake"),
    [
        ('kind = "control"', 'kind = "exit"\nedge = "west"', "an exit goal needs an edge and a number"),
        ("number = 3", "number = -1", "places to control: -1; it must be 1 to 4"),
        ("number = 3", "number = 1", ""),
        ("italian-447 @P4", "italian-447 x3 @P4", ""),
        ("italian-447 @P4", "italian-447 x4 @P4", "three squads"),
        (WEAPONS, f'vehicles = ["italian-m13 @N5/3"]\n{WEAPONS}', ""),
        (
            WEAPONS,
            f'vehicles = ["italian-m13 @N5/3", "italian-m13 @N5/3"]\n{WEAPONS}',
            "only one vehicle may set up in N5",
        ),
    ],
)
def test_1_3_goals_and_stacks_on_a_card_within_and_beyond_their_limits(before, after, mistake):
    """1.3, 3.3.1, 3.3.2: a card beyond the limits is refused with an explanation; a card within them is accepted."""
    assert before in CARD
    card = CARD.replace("number = 3\n", "") if "exit" in after else CARD
    assert mistakes_of(card.replace(before, after, 1), mistake)


@pytest.mark.rule("3.3.1", effect=True)
def test_3_3_1_a_card_with_four_squads_or_two_vehicles_in_a_hex_is_refused():
    assert mistakes_of(CARD.replace("italian-447 @P4", "italian-447 x4 @P4", 1), "three squads")
    two = f'vehicles = ["italian-m13 @N5/3", "italian-m13 @N5/3"]\n{WEAPONS}'
    assert mistakes_of(CARD.replace(WEAPONS, two, 1), "only one vehicle may set up in N5")
    assert mistakes_of(CARD, "")


@pytest.mark.rule("1.1/joined-boards")
def test_1_1_a_card_with_one_board_or_two_that_touch_is_accepted():
    assert mistakes_of(CARD, "")
    assert mistakes_of(packaged("scenarios/two-roads.toml").decode(), "")
    with pytest.raises(DataError) as caught:
        check_scenario(CARD.replace('board = "a"', 'board = "a"\n\n[[board]]\nboard = "b"\ndown = 3').encode(), {})
    assert_rule(caught.value, "1.1/joined-boards")


@pytest.mark.rule("1.3")
def test_1_3_a_goal_of_one_place_is_possible_and_one_in_no_building_is_not():
    assert mistakes_of(CARD.replace("number = 3", "number = 1"), "")
    leaving = CARD.replace("number = 3\n", "").replace('kind = "control"', 'kind = "exit"\nedge = "west"')
    assert mistakes_of(leaving, "an exit goal needs an edge and a number")
    with pytest.raises(DataError) as caught:
        check_scenario(CARD.replace('"mairie"', '"marie"').encode(), {})
    assert_rule(caught.value, "1.3")


def mistakes_of(card, said):
    """Return whether a card is refused with these words, or accepted if none are given."""
    try:
        check_scenario(card.encode(), {})
    except Exception as error:
        return bool(said) and said in str(error)
    return not said


@pytest.mark.rule("3.2.1/depiction-test", effect=True)
def test_3_2_1_a_corner_one_unit_beside_the_line_counts_like_one_farther_away():
    """3.2.1/depiction-test: what matters is on which side of the line a corner is, not how far from the line."""
    for near, far in (((-5, -1), (-5, -9)), ((5, 1), (5, 9))):
        thin, thick = [[(-5, -1), (5, -1), (5, 1), (-5, 1)] for _ in range(2)]
        thick = [(p, 9 * r) for p, r in thick]
        assert crossing(tuple(thin), 0, 0, 1, 0) == crossing(tuple(thick), 0, 0, 1, 0), (near, far)


# --- 3.2 fire -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("def/mortars", effect=True)
@pytest.mark.rule("3.2.4/red-black", "3.2.4/th-numbers", "def/itt", "def/att", "3.2.4/procedure")
def test_3_2_4_red_numbers_for_soviet_guns_and_for_areas_black_for_german_guns_and_machine_guns():
    """3.2.4/red-black: ATT numbers are always red; ITT numbers are red for Soviet Guns, black for German ones.

    An MG that fires at an AFV uses black numbers.
    """

    def colour(card, crew, seat, how="", at="E9"):
        other = GERMAN if seat == RUSSIAN else RUSSIAN
        units = {("r1" if seat == RUSSIAN else "g1"): (crew, "E2")}
        units["g9" if other == GERMAN else "r9"] = ("467" if other == GERMAN else "447", at)
        table = a_table(
            units, weapons={"w1": (card, next(iter(units)))}, facings={"w1": 4}, attacker=seat, dice={"3.2.4": [6, 5]}
        )
        fire(table, Attack(("w1",), at, how=how))
        kind = "def/att" if how == "area" else "def/itt"
        assert_rule(table.findings, kind, result="area" if how == "area" else "infantry")
        rule = "3.2.4/att" if how == "area" else "3.2.4/itt"
        assert told(table, rule) and not told(table, "3.2.4/itt" if how == "area" else "3.2.4/att")
        assert_rule(table.findings, "3.2.4/th-numbers")
        return assert_rule(table.findings, "3.2.4/red-black").result

    assert colour("russian-76l-art", "r228", RUSSIAN) == "red"
    assert colour("german-75l-at", "228", GERMAN) == "black"
    assert colour("german-75l-at", "228", GERMAN, how="area") == "red"
    table = a_table(
        {"g1": ("467", "E4")},
        weapons={"gw": ("german-mmg", "g1")},
        vehicles={"r2": (T34, "E8", 1)},
        dice={"3.2.4": [6, 5]},
    )
    fire(table, Attack(("gw",), "E8", target="r2"))
    assert_rule(table.findings, "3.2.4/red-black", result="black")
    far = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E5")}, weapons={"gg": ("german-81s-mtr", "g1")}, facings={"gg": 4}
    )

    near = list(attack_objections(far.situation, GERMAN, Attack(("gg",), "E5")))
    assert_rule(near, "6.9") if near else None
    long = a_table(
        {"g1": ("228", "E2"), "r1": ("447", "E9")}, weapons={"gg": ("german-75l-at", "g1")}, facings={"gg": 4}
    )
    card = long.situation.data.deck.guns["german-75l-at"]
    short = msgspec.structs.replace(card, range=3, min_range=1)
    long.situation.data.deck = msgspec.structs.replace(
        long.situation.data.deck, guns={**long.situation.data.deck.guns, "german-75l-at": short}
    )
    long.situation.data.__dict__.pop("arms", None)
    assert_rule(list(attack_objections(long.situation, GERMAN, Attack(("gg",), "E9"))), "3.2.4/procedure")


@pytest.mark.rule("3.2.4/th-numbers")
def test_3_2_4_the_critical_number_is_below_half_of_the_number_to_hit():
    """3.2.4/th-numbers: with a To Hit number of 8, a Final 3 is critical, but a Final 4 is an ordinary hit."""
    for dice, critical in (([1, 3], False), ([1, 2], True)):
        table = a_table(
            {"g1": ("228", "E4"), "r1": ("447", "E8")},
            weapons={"gg": ("german-75l-at", "g1")},
            facings={"gg": 4},
            dice={"3.2.4": dice, "3.2.4/effects": [6, 6]},
        )
        fire(table, Attack(("gg",), "E8"))
        assert_rule(table.findings, "3.2.4/th-numbers", result=8)
        assert bool(told(table, "6.1")) is critical


@pytest.mark.rule("3.2.4/effects")
def test_3_2_4_one_hit_strikes_a_squad_a_hidden_gun_and_an_unmanned_one_each_in_its_own_way():
    """HE attacks all units in the hex: the squad is attacked, the hidden crew is found, and an unmanned
    Gun breaks on a K."""
    table = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E8"), "r2": ("r228", "E8")},
        weapons={"gg": ("german-75l-at", "g1"), "rg": ("russian-45l-at", "r2"), "rx": ("russian-45l-at", "")},
        facings={"gg": 4, "rg": 1, "rx": 1},
        states={"r2": {"hidden": True}},
        ground=a_ground({"brush": "E8"}),
        emplaced=False,
        dice={"3.2.4": [1, 1], "3.2.4/effects": [1, 2], "6.1": [1]},
    )
    table.state.weapons["rx"].at = "E8"
    fire(table, Attack(("gg",), "E8"))
    assert_rule(table.findings, "6.4", inputs={"unit": "r2"}, result="revealed")
    assert told(table, "6.7")
    assert_rule(table.findings, "3.2.4/effects")
    assert table.state.weapons["rx"].malfunctioned or "rx" not in table.state.weapons


@pytest.mark.rule("3.2.4/effects")
def test_3_2_4_a_mortar_bursts_over_an_exposed_crew_in_woods_and_not_in_the_open():
    """With the area target type, CE is +2 in both places; the air burst of -1 applies only in woods (1.1.1.4)."""
    for terrain, sum_ in (({"woods": "E8"}, 1), ({}, 2)):
        table = a_table(
            {"g1": ("228", "E4"), "r1": ("447", "E8")},
            weapons={"gg": ("german-81s-mtr", "g1")},
            facings={"gg": 4},
            vehicles={"r2": (T34, "E8", 1)},
            armour={"r2": {"ce": True}},
            ground=a_ground(terrain),
            dice={"3.2.4": [1, 2], "3.2.4/effects": [3, 3]},
        )
        fire(table, Attack(("gg",), "E8"))
        assert_rule(table.findings, "3.2.4/effects")

        tank = tank_again(table)
        found = crew_effect(table.situation, component(table.situation, "gg"), Attack(("gg",), "E8"), tank)
        assert sum(one.value for one in found) == sum_


def tank_again(table):
    """Return the tank of the previous test, with its crew exposed."""

    return tank_of("r2", T34, "E8", 1, ce=True)


@pytest.mark.rule("3.2", "3.2.3", effect=True)
@pytest.mark.rule("3.2.2")
def test_3_2_2_an_order_fires_at_an_empty_hex_only_as_area_fire_or_anyway():
    """A mortar fires at an empty hex if its line says `anyway` or names area fire; otherwise the line fails."""
    for order, shots in ((FireOrder(("gg",), ("E8",), anyway=True), 1), (FireOrder(("gg",), ("E8",)), 0)):
        table = a_table(
            {"g1": ("228", "E4"), "r1": ("447", "A1")},
            weapons={"gg": ("german-81s-mtr", "g1")},
            facings={"gg": 4},
            dice={"3.2.4": [6, 5]},
        )
        carry_out(table, GERMAN, order, "gg fire at E8")
        assert len(told(table, "3.2.4")) == shots
    rifles = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, dice={"3.2.2": [6, 5]})
    carry_out(rifles, GERMAN, FireOrder(("g1",), ("E8",)), "g1 fire at E8")
    assert_rule(rifles.findings, "3.2.2", inputs={"firers": ["g1"]})


@pytest.mark.rule("3.2.2", effect=True)
def test_3_2_2_a_half_squad_is_proposed_with_its_machine_gun_and_a_leader_with_nothing():
    table = a_table(
        {"g1": ("467", "E4"), "g2": ("247", "E4"), "g3": ("247", "E4"), "gl": ("g 8-1", "E4")},
        weapons={"gw": ("german-lmg", "g2")},
    )
    assert firing_ids(table.situation, list(table.state.units.values())) == ("g1", "gw", "g3")


@pytest.mark.rule("def/heat", "def/ap", "def/latw", "def/ordnance", effect=True)
def test_def_shells_against_men_and_what_counts_as_ordnance():
    """AP uses column 1 below 37 mm and column 2 from 37 mm; HEAT is one column below HE.

    A flamethrower never rolls To Hit (4.2).
    """

    def column(card, how):
        table = a_table({"g1": ("228", "E4"), "r1": ("447", "E8")}, weapons={"gg": (card, "g1")}, facings={"gg": 4})
        return effect_column(table.situation, component(table.situation, "gg"), Attack(("gg",), "E8", how=how))

    assert [column(card, "AP") for card in ("german-20l-aa", "german-37l-at", "german-75l-at")] == [1, 2, 2]
    assert (column("german-75l-at", "HE"), column("german-75l-at", "H")) == (12, 8)
    assert [column("german-75l-at", how) for how in ("A", "D")] == [1, 1]
    table = a_table({"g1": ("548", "E4"), "r1": ("447", "E8")}, vehicles={"r2": (T34, "E5", 1)},
                    weapons={"gf": ("german-ft", "g1"), "gm": ("german-lmg", "g1"), "gb": ("american-baz-43", "g1")},
                    date="1944-07", dice={"7.9": [6, 5]})  # fmt: skip
    flame, gun = (component(table.situation, id) for id in ("gf", "gm"))
    assert not is_ordnance(table.situation, flame, "r2") and is_ordnance(table.situation, gun, "r2")
    assert not is_ordnance(table.situation, gun)
    far = list(attack_objections(table.situation, GERMAN, Attack(("gb",), "E10", target="")))
    reach = len(table.situation.weapon_card(table.state.weapons["gb"]).to_hit) - 1
    assert any(f"gb has a range of {reach} hexes" in str(against.why) for against in far)
