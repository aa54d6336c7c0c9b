"""Odds shown before the shot are compared with dice counted by hand."""

from __future__ import annotations

import msgspec
import pytest
from titles.aslsk.builders import a_table
from titles.aslsk.ground.building import a_ground

from pbem.engine.rules.ask import Ask
from pbem.titles.aslsk.player.exchanges import TurnOrders
from pbem.titles.aslsk.sheets.odds import distribution, percentages
from pbem.titles.aslsk.sheets.unit_sheets import explain_sight, roll_call, sight, unit_sheet
from pbem.titles.aslsk.title import AslskRules


def facts(table, unit, viewer="german", kind=TurnOrders):
    sheet = unit_sheet(table.situation, viewer, kind.make_ask("german", subject=""), unit)
    return sheet.facts


def test_3_2_3_the_shares_of_a_fire_attack():
    """On column 4 with DRM 0, a 2 gives a K (1 roll), 3 to 6 a check (14 rolls), 7 a pin check (6).

    The other 15 rolls have no effect.
    """
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")})
    found = distribution(table.data.fire_table, 4, 0, 0)
    assert found == {"k": 1, "mc": 14, "ptc": 6, "none": 15}
    cowed = distribution(table.data.fire_table, 4, 0, 1)
    assert cowed["k"] == 1 and sum(cowed.values()) == 36  # 1 and 1 on column 2 is K/1


@pytest.mark.rule("3.2.3", effect=True)
def test_3_2_3_a_sheet_shows_what_the_stack_could_do_with_its_leader():
    table = a_table(
        {"g1": ("467", "E4"), "g2": ("467", "E4"), "gl": ("g 9-1", "E4"), "r1": ("447", "E8")},
        weapons={"gw": ("german-lmg", "g1")}, ground=a_ground({"woods": "E8"}),
    )  # fmt: skip
    (line,) = [fact for fact in facts(table, "g1") if " FP" in fact]
    assert line == (
        "g1 gw g2 with gl at E8: 11 FP, column 8, DRM +0 (leadership -1, woods +1), hindrances not included: "
        "KIA 3%, K 5%, morale check 64%, pin check 11%, no effect 17%"
    )
    assert not [fact for fact in facts(table, "g1", viewer="russian") if " FP" in fact]


def test_7_7_a_sheet_shows_what_small_arms_could_do_to_an_exposed_crew():
    """4 FP at a CE crew has +2; a BU crew is no target."""
    table = a_table({"g1": ("467", "E4")}, vehicles={"r1": ("russian-t34-85", "E8", 1)}, armour={"r1": {"ce": True}})
    (line,) = [fact for fact in facts(table, "g1") if " FP" in fact]
    assert "g1 at E8: 4 FP, column 4, DRM +2 (CE crew +2), " in line
    table.state.vehicles["r1"].ce = False
    assert not [fact for fact in facts(table, "g1") if " FP" in fact]


@pytest.mark.parametrize(
    "rolls", [{"kia": 6, "k": 4, "mc": 23, "ptc": 2, "none": 1}, {"k": 1, "none": 35}, {"mc": 36}]
)
def test_3_2_3_the_percentages_of_a_sheet_add_up_to_100(rolls):
    found = percentages(rolls)
    assert sum(found.values()) == 100 and all(abs(found[kind] - rolls[kind] / 0.36) < 1 for kind in rolls)


def test_3_2_4_a_sheet_shows_the_chance_that_a_gun_hits_infantry():
    """At range 4 an 8 or less hits, which is 26 of 36 rolls."""
    table = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E8")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 4}
    )
    assert "gw at E8: hit 72%, then column 12" in facts(table, "g1")


def test_7_8_a_sheet_shows_what_the_weapons_of_a_tank_do_to_infantry():
    """CMG 5 and BMG 3 at range 4 use column 8; the black number is 8, and BU adds 1, so 21 of 36 rolls hit."""
    table = a_table({"r1": ("447", "E8")}, vehicles={"g2": ("german-pz4h", "E4", 4)})
    told = facts(table, "g2")
    assert [line for line in told if line.startswith("g2bmg g2cmg at E8: 8 FP, column 8, DRM +0, ")]
    assert "g2ma at E8: hit 58%, then column 12" in told
    table.state.vehicles["g2"].motion = True
    assert not [line for line in facts(table, "g2") if " at E8" in line]


def test_3_2_1_a_hex_may_be_named_in_any_case_where_sight_is_open_and_nobody_is_told_where_it_is_not():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, los="open")
    found = sight(table.situation, "e4", "e8")
    assert found is not None and (found.start, found.end, found.clear) == ("E4", "E8", True)
    assert explain_sight(table.situation, "g1", "e8")
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")})
    assert sight(table.situation, "E4", "E8") is None
    assert not explain_sight(table.situation, "g1", "r1")


def test_3_2_1_a_page_offers_lines_of_sight_only_where_they_are_open():
    for los, shown in (("open", True), ("printed", False)):
        assert AslskRules(a_table({}, los=los).data).shows_sights() is shown


def test_1_3_a_building_is_named_without_the_letter_of_its_board():
    rules = AslskRules(a_table({}, ground=a_ground({"stone": "E4 E5"}, buildings={"church": ["E4-E5"]})).data)
    assert str(rules.place_in_words("church")) == "the church (E4 E5)" and rules.place_in_words("K5") == "K5"


def test_3_3_units_off_the_map_are_listed_while_they_can_still_advance_onto_it():
    """3.3/entry-exit: units off the map enter in the Movement or Advance Phase; other phases do not list them."""
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "")})
    scenario = table.data.scenario
    groups = tuple(msgspec.structs.replace(one, area=(), entry=("E1", "F0")) for one in scenario.groups)
    table.data.scenario = msgspec.structs.replace(scenario, groups=groups)
    kinds = ("orders", "close", "final_fire")
    listed = {kind: list(roll_call(table.situation, Ask("german", kind, "3.7"))) for kind in kinds}
    assert listed == {"orders": ["g1", "g2"], "close": ["g1", "g2"], "final_fire": ["g1"]}
    (choice,) = unit_sheet(table.situation, "german", Ask("german", "close", "3.7"), "g2").choices
    assert choice.line == "advance {hex}" and set(choice.hexes) == {"E1", "F0"}
