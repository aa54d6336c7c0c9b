"""The orders that a player can give by picking a unit and a hex."""

from __future__ import annotations

from titles.aslsk.builders import a_table
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.player.exchanges import AdvancingFire, Close, Defence, TurnOrders
from pbem.titles.aslsk.player.placing import SetUp
from pbem.titles.aslsk.sheets.unit_sheets import roll_call, unit_sheet


def choices(table, unit, kind):
    sheet = unit_sheet(table.situation, "german", kind.make_ask("german", subject=""), unit)
    assert sheet is not None
    return {str(choice.name): choice for choice in sheet.choices}


def test_3_3_1_a_move_is_offered_with_the_whole_path_that_costs_least():
    """The path offered for 4 MF is four hexes of open ground, or three with woods (2 MF) among them."""
    table = a_table({"g1": ("467", "E4")}, ground=a_ground({"woods": "E5"}), phase="rally")
    move = choices(table, "g1", TurnOrders)["move"]
    assert "E7" in move.hexes and "E8" not in move.hexes
    (line,) = [line for line in move.lines("g1") if line.endswith(" G7")]
    assert line.startswith("g1 move ") and len(line.split()) == 6 and "E5" not in line


def test_3_2_fire_is_offered_with_machine_guns_and_within_range_only():
    """A 4-6-7 reaches 12 hexes, at half strength from 7 on; a 4-3-6 reaches 6."""
    table = a_table(
        {"g1": ("467", "E1"), "g2": ("436", "E1"), "r1": ("447", "E9")}, weapons={"gw": ("german-lmg", "g1")},
        phase="rally",
    )  # fmt: skip
    found = choices(table, "g1", TurnOrders)
    assert list(found["fire"].lines("g1")) == ["g1 fire E9"]
    assert list(found["fire with LMG"].lines("g1")) == ["g1 gw fire E9"]
    assert "fire" not in choices(table, "g2", TurnOrders)
    assert not choices(table, "g1", Close).keys() & {"fire", "move"}


def test_3_2_4_a_gun_has_its_own_line():
    table = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E8")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 4},
        phase="advancing_fire",
    )  # fmt: skip
    lines = [line for choice in choices(table, "g1", AdvancingFire).values() for line in choice.lines("g1")]
    assert "gw fire E8" in lines


def test_3_2_4_a_gun_is_offered_vehicles_by_name_and_a_squad_only_crews_that_it_can_hurt():
    table = a_table(
        {"g1": ("228", "E4"), "g2": ("467", "E5"), "g3": ("467", "E7")},
        weapons={"gw": ("german-75l-at", "g1"), "gm": ("german-mortar", "g2"), "gf": ("german-ft", "g3")},
        facings={"gw": 4}, vehicles={"r1": ("russian-t34-85", "E8", 1), "r2": ("russian-t34-85", "E9", 1)},
        armour={"r2": {"ce": True}}, phase="rally",
    )  # fmt: skip

    def lines(unit):
        return {line for choice in choices(table, unit, TurnOrders).values() for line in choice.lines(unit)}

    assert {"gw fire against r1", "gw fire against r2", "gw fire E9"} <= lines("g1") and "gw fire E8" not in lines(
        "g1"
    )
    assert {"g2 fire E9", "gm fire E8"} <= lines("g2") and "g2 fire E8" not in lines("g2")
    assert {"gf fire against r1", "gf fire against r2", "gf fire E9"} <= lines("g3")


def test_3_3_3_the_lines_of_a_fire_plan_are_offered_to_whoever_can_fire():
    """A 4-3-6 fires at movers up to 6 hexes away; a broken squad and a leader without a weapon cannot fire."""
    table = a_table(
        {"g1": ("436", "E1"), "g2": ("467", "E2"), "g3": ("g 8-1", "E1"), "r1": ("447", "E5")}, phase="rally",
    )  # fmt: skip
    table.state.units["g2"].broken = True
    found = choices(table, "g1", Defence)
    watched = found["fire at movers in a hex"]
    assert {"E4", "E7"} <= watched.hexes.keys() and "E8" not in watched.hexes
    assert "g1 watch E5" in watched.lines("g1")
    assert list(found["fire at movers within 2 hexes"].lines("g1")) == ["g1 watch within 2"]
    assert list(found["all units fire at good odds"].lines("g1")) == ["all watch if clear chance 25"]
    assert list(found["Final Fire: fire"].lines("g1")) == ["g1 fire E5"]
    assert choices(table, "g2", Defence) == {} and choices(table, "g3", Defence) == {}
    assert "fire at good odds" not in choices(table, "g1", TurnOrders)


def test_1_3_only_units_that_are_set_up_now_are_called_in_the_set_up():
    table = a_table({"g1": ("467", ""), "r1": ("447", "E8")}, phase="setup")
    called = roll_call(table.situation, SetUp.make_ask("german"))
    assert set(called) == {unit for unit in called if table.data.area(table.state.units[unit])}
    assert "r1" not in called
