"""Numbers, limits and words that could otherwise be wrong by one without being noticed."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, GivenDice, a_table, driving, moving_in
from titles.aslsk.ground.building import a_ground, board_text

from pbem.titles.aslsk.cards.deck import DECK_FILES, read_deck
from pbem.titles.aslsk.cards.files import packaged
from pbem.titles.aslsk.cards.notation import read_pair
from pbem.titles.aslsk.cards.scenario import Goal
from pbem.titles.aslsk.chance import roll_one, roll_two
from pbem.titles.aslsk.fire.components import Attack, component
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.phases import destroy_own
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.ground.board import read_board
from pbem.titles.aslsk.ground.explained_sight import finding
from pbem.titles.aslsk.ground.joining import Placed, join_boards
from pbem.titles.aslsk.ground.lattice import to_offset
from pbem.titles.aslsk.ground.shapes import is_simple
from pbem.titles.aslsk.movement.expenditures import leg_objections
from pbem.titles.aslsk.movement.residual import residual_on_crew
from pbem.titles.aslsk.orders import Attempt, Leg, MoveOrder, Orders, RallyOrders, RoutOrder
from pbem.titles.aslsk.ordnance.to_hit import effect_column
from pbem.titles.aslsk.player.checks import move_objections, section_objections
from pbem.titles.aslsk.player.exchanges import TurnOrders
from pbem.titles.aslsk.player.help import goal_words
from pbem.titles.aslsk.rally.promotion import promotion_modifiers
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.vehicles.reactions import reaction_objections
from pbem.titles.aslsk.vehicles.status import possible_shock
from pbem.titles.aslsk.weapons.breakdown import number_now, removal_number

T34, PZ4 = "russian-t34-85", "german-pz4h"


def test_1_1_a_joined_map_goes_through_its_hexes_column_by_column():
    joined = join_boards([Placed(read_board(board_text({})))])
    places = [to_offset(hex) for hex in joined.cells]
    assert places == sorted(places) and places[1][0] == places[0][0]


@pytest.mark.rule("3.3")
def test_3_3_a_move_names_ones_own_units_only():
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E4")}, phase="movement")
    order = MoveOrder(("g1", "r1"), (Leg("enter", "E5"),))
    assert_rule(
        [*move_objections(table.situation, GERMAN, order, set())],
        "3.3",
        why="name only your own units that are in play",
    )


@pytest.mark.rule("1.1/hex-geometry", effect=True)
def test_1_1_which_hexes_of_a_board_are_halves():
    """The first and last column, and both ends of every second column, are half hexes."""
    board = read_board(board_text({}, columns=21, rows=12))
    halves = {to_offset(hex) for hex, found in board.hexes.items() if found.half}
    places = {to_offset(hex) for hex in board.hexes}
    rows = [row for _, row in places]
    assert halves == {
        (column, row)
        for column, row in places
        if column in (1, 21) or (column % 2 == 0 and row in (min(rows), max(rows)))
    }
    assert any(column % 2 for column, _ in halves) and (3, max(rows)) not in halves


@pytest.mark.rule("1.1/map-data", effect=True)
def test_1_1_an_outline_that_turns_back_on_itself_is_no_polygon():
    assert is_simple(((0, 0), (4, 0), (2, 4)))
    assert not is_simple(((0, 0), (4, 0), (2, 0), (2, 4)))
    assert not is_simple(((2, 4), (0, 0), (4, 0), (2, 0)))
    assert not is_simple(((0, 0), (4, 0)))


def test_1_2_4_a_pair_of_numbers_keeps_its_order():
    assert read_pair("5-12") == (5, 12)


@pytest.mark.rule("1.2.3", "1.2.2", effect=True)
def test_1_2_3_a_broken_morale_of_two_is_possible_and_of_one_is_not():
    files = {file: packaged(file) for file in DECK_FILES}
    units = files["units.toml"]
    assert read_deck({**files, "units.toml": units.replace(b"broken = 8", b"broken = 2", 1)})
    with pytest.raises(Exception, match="broken morale of 1"):
        read_deck({**files, "units.toml": units.replace(b"broken = 8", b"broken = 1", 1)})


@pytest.mark.rule("1.4", effect=True)
def test_1_4_every_die_has_six_sides():
    sides = []

    class Watching(GivenDice):
        def roll(self, sides_, rule, subjects, *, secret):
            sides.append(sides_)
            return super().roll(sides_, rule, subjects, secret=secret)

    table = a_table({})
    table.chance = Watching({})
    roll_one(table, "3.2.3/wounds", "g1")
    roll_two(table, "3.2.2", "g1")
    assert sides == [6, 6, 6]


@pytest.mark.rule("1.3", effect=True)
def test_1_3_a_goal_counts_its_places_only_if_some_may_be_missed():
    data = a_table({}).situation.data
    whole, part = (Goal(GERMAN, "control", number, hexes=("E4", "E5")) for number in (2, 1))
    assert "2 of" not in str(goal_words(data, whole)) and "1 of" in str(goal_words(data, part))
    more, many = Goal(GERMAN, "casualties", 0, margin=4), Goal(GERMAN, "casualties", 4)
    assert "more than it suffers" in str(goal_words(data, more)) and "more than" not in str(goal_words(data, many))


@pytest.mark.rule("def/center-hex-dot", effect=True)
@pytest.mark.rule("def/inherent-terrain")
def test_3_2_1_only_orchards_and_smoke_fill_their_hex():
    orchard = a_ground({"orchard": "E6"})
    assert_rule([finding(orchard.sight("E4", "E8"))], "def/inherent-terrain", inputs={"hexes": ("E6",)})
    brush = a_ground({"brush": "E6", "woods": "E7"})
    assert "def/inherent-terrain" not in [one.rule for one in every([finding(brush.sight("E4", "E9"))])]


def test_3_2_1_a_blocked_line_has_no_hindrance_and_each_pair_of_hexes_its_own_answer():
    ground = a_ground({"woods": "E6", "brush": "E5"})
    first = next(iter(ground.hexes))
    assert ground.sees("E4", first) and not ground.sees("E4", "E8") and ground.sees("E4", first)
    assert not ground.sees("E8", "E4") and ground.sees("E8", "E9")
    assert (ground.sight("E4", "E8").clear, ground.sight("E4", "E8").hindrance) == (False, 0)


@pytest.mark.rule("3.1", effect=True)
def test_3_1_self_rally_names_its_unit():
    table = a_table({"g1": ("467", "K5"), "r1": ("447", "K8")}, phase="rally", states={"g1": {"broken": True}})
    asked = TurnOrders(table.situation.data, table.state, TurnOrders.make_ask(GERMAN))
    read = asked.decode(asked.read_text("self rally g1\nno rally g1").answer)
    assert read.rally.extra == "g1" and read.rally.no_rally == ("g1",)


@pytest.mark.rule("def/interdiction", effect=True)
@pytest.mark.rule("3.6/interdiction")
def test_3_6_one_gun_gives_up_its_target_to_interdict_not_two():
    """6.10: ordnance that interdicts loses its acquisition; 3.6: there is at most one Interdiction per hex."""
    table = a_table({"r1": ("447", "E5"), "g1": ("228", "E10"), "g2": ("228", "D9")}, phase="rout",
                    weapons={"ga": ("german-75l-at", "g1"), "gb": ("german-75l-at", "g2")},
                    facings={"ga": 1, "gb": 1}, states={"r1": {"broken": True, "dm": True}},
                    dice={"3.6/interdiction": [1, 1]})  # fmt: skip
    for id in ("ga", "gb"):
        weapon = table.state.weapons[id]
        weapon.acquired, weapon.acquisition, weapon.zone = "K5", 1, True
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E4",)))
    assert_rule(table.findings, "3.6/interdiction", inputs={"unit": "r1", "by": ["g1"]}, result="NMC")
    assert sorted(table.state.weapons[id].acquisition for id in ("ga", "gb")) == [0, 1]


@pytest.mark.rule("def/air-burst", "1.1.1.4", effect=True)
@pytest.mark.rule("3.3.5")
def test_3_3_5_an_air_burst_leaves_one_step_more():
    """81 mm in woods: column 16 halved is 8, which leaves 4; one step up is 6 (def/air-burst)."""
    table = a_table({"r1": ("447", "E9"), "g1": ("228", "E4")}, weapons={"gg": ("german-81s-mtr", "g1")},
                    facings={"gg": 4}, ground=a_ground({"woods": "E9"}), phase="movement", attacker=RUSSIAN,
                    dice={"3.2.4": [1, 4], "3.2.4/effects": [6, 6]})  # fmt: skip
    moving_in(table, ["r1"])
    fire(table, Attack(("gg",), "E9"))
    assert_rule(table.findings, "3.3.5", inputs={"at": "E9", "column": 8}, result=6)


@pytest.mark.rule("3.2.4/vtt")
def test_7_7_only_a_buttoned_crew_adds_one_to_the_shot_of_its_main_armament():
    for exposed in (True, False):
        table = a_table({}, vehicles={"g2": (PZ4, "E4", 4), "r2": (T34, "E8", 4)}, armour={"g2": {"ce": exposed}},
                        dice={"3.2.4": [6, 5]})  # fmt: skip
        fire(table, Attack(("g2ma",), "E8", target="r2"))
        told = assert_rule(table.findings, "3.2.4/vtt", inputs={"weapon": "g2ma"})
        assert ("BU" in [row["text"] for row in told.modifiers]) is not exposed


@pytest.mark.rule("6.1")
def test_6_1_a_critical_hit_on_runners_keeps_ffmo_and_ffnam_on_the_effect():
    """75 mm HE in the open uses column 24; 6.1: FFMO and FFNAM still apply, with -2 on the Original DR."""
    table = a_table({"r1": ("447", "E8"), "g1": ("228", "E4")}, weapons={"gg": ("german-75l-at", "g1")},
                    facings={"gg": 4}, phase="movement", attacker=RUSSIAN,
                    dice={"3.2.4": [1, 1], "3.2.4/effects": [6, 6]})  # fmt: skip
    moving_in(table, ["r1"])
    fire(table, Attack(("gg",), "E8"))
    assert_rule(table.findings, "6.1", inputs={"units": ["r1"], "against": {"r1": -2}})


@pytest.mark.rule("3.3.5")
def test_3_3_5_an_exposed_crew_is_attacked_once_by_the_residual_fp_of_a_hex():
    table = a_table({}, vehicles={"r2": (T34, "E5", 1)}, armour={"r2": {"ce": True}}, phase="movement",
                    attacker=RUSSIAN, dice={"3.3.5": [6, 6, 6, 6]})  # fmt: skip
    driving(table, "r2", ("E6", 2), ("E5", 2))
    table.state.residual["E5"] = 4
    for _ in range(2):
        residual_on_crew(table, table.state.vehicles["r2"])
    assert_rule(table.findings, "3.3.5", inputs={"units": ["r2"], "attack": True})
    assert len([one for one in table.findings if one.rule == "3.3.5"]) == 1


def test_3_2_4_a_calibre_of_forty_is_small_and_of_forty_one_is_not():
    charts = a_table({}).situation.data.charts
    changes = {calibre: charts.gun_change(calibre, "", "HE", 20) for calibre in (37, 40, 41, 57, 58)}
    assert changes[37] == changes[40] < changes[41] == changes[57] < changes[58] == 0


@pytest.mark.rule("7.10/shock")
def test_7_10_a_shaken_crew_checks_for_possible_shock_with_one_more():
    """German crews have morale 8: an Original 8 passes, but fails with the +1 marker (7.10/stun)."""
    for shaken, result in ((False, "passed"), (True, "failed")):
        table = a_table({}, vehicles={"g2": (PZ4, "E4", 4)}, armour={"g2": {"shaken": shaken}},
                        dice={"7.10/shock": [4, 4]})  # fmt: skip
        possible_shock(table, table.state.vehicles["g2"])
        assert_rule(table.findings, "7.10/shock", inputs={"vehicle": "g2", "morale": 8}, result=result)


@pytest.mark.rule("3.2.4/own-hex", effect=True)
@pytest.mark.rule("3.2.4")
def test_3_2_4_a_panzerfaust_at_a_tank_in_its_own_hex_takes_two_more_but_not_at_one_beside_it():
    for at, extra in (("E4", ["own hex", "moving target"]), ("E5", ["moving target"])):
        table = a_table({"g1": ("548", "E4")}, vehicles={"r2": (T34, at, 1)}, phase="movement", attacker=RUSSIAN,
                        date="1944-07", dice={"4.4.2": [1], "3.2.4": [6, 5]})  # fmt: skip
        driving(table, "r2", ("E6", 2), (at, 2))
        table.state.pf_left = {GERMAN: 3}
        fire(table, Attack(("g1",), at, how="pf", target="r2"))
        told = assert_rule(table.findings, "3.2.4", inputs={"kind": "pf"}, result="miss")
        assert sorted(row["text"] for row in told.modifiers if row["value"] > 0) == sorted(extra)


@pytest.mark.rule("4.4.5")
def test_4_4_5_a_piat_fires_downhill_at_two_hexes_but_not_at_one():
    weapons = {"gw": ("british-piat", "g1"), "ra": ("russian-45l-at", "r1"), "rb": ("russian-45l-at", "r2")}
    table = a_table({"g1": ("467", "E4"), "r1": ("r228", "E5"), "r2": ("r228", "E6")}, weapons=weapons,
                    ground=a_ground({}, hills=["E4"]), facings={"ra": 1, "rb": 1})  # fmt: skip
    assert_rule([*attack_objections(table.situation, GERMAN, Attack(("gw",), "E5"))], "4.4.5")
    assert not [*attack_objections(table.situation, GERMAN, Attack(("gw",), "E6"))]


@pytest.mark.rule("6.2/apcr-apds", effect=True)
def test_6_2_apcr_hits_infantry_on_the_first_column():
    table = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E8")}, weapons={"gg": ("german-50l-at", "g1")}, facings={"gg": 4}
    )
    one = component(table.situation, "gg")
    columns = [effect_column(table.situation, one, Attack(("gg",), "E8", how=how)) for how in ("A", "AP", "")]
    assert columns == [1, 2, 6]


@pytest.mark.rule("6.2/smoke")
def test_6_2_smoke_is_no_first_fire_and_wp_is():
    table = a_table({"g1": ("227", "E4"), "r1": ("447", "E9")}, weapons={"gg": ("american-105-art", "g1")},
                    facings={"gg": 4}, phase="movement", attacker=RUSSIAN, date="1944-07")  # fmt: skip
    moving_in(table, ["r1"])
    assert_rule([*attack_objections(table.situation, GERMAN, Attack(("gg",), "E9", how="smoke"))], "6.2/smoke")
    assert not [*attack_objections(table.situation, GERMAN, Attack(("gg",), "E9", how="WP"))]


@pytest.mark.rule("1.1.1.7", effect=True)
def test_1_1_1_7_a_line_along_the_edge_of_the_map_passes_hexes_that_are_not_there():
    ground = a_ground({"orchard": "B1 C2"})
    assert ground.sight("R12", "T12").clear


@pytest.mark.rule("3.3.3/fpf")
def test_1_2_4_1_a_squad_that_fired_its_own_fp_in_the_dfph_still_fires_its_mg_far_away():
    """1.2.4.1: the marker of an ordinary shot in the DFPh does not restrict the MG; in the MPh,
    Final Fire means FPF.
    """
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E9")}, weapons={"gw": ("german-mmg", "g1")},
                    phase="defensive", attacker=RUSSIAN, states={"g1": {"fired": "final"}})  # fmt: skip
    assert not [*attack_objections(table.situation, GERMAN, Attack(("gw",), "E9"))]
    table.state.phase = "movement"
    moving_in(table, ["r1"])
    assert_rule([*attack_objections(table.situation, GERMAN, Attack(("gw",), "E9"))], "3.3.3/fpf")


@pytest.mark.rule("3.3.4")
def test_3_3_4_only_ones_own_men_react_to_a_tank():
    table = a_table({"g1": ("467", "E5"), "r1": ("447", "E5")}, vehicles={"r2": (T34, "E5", 1)}, phase="movement",
                    attacker=RUSSIAN)  # fmt: skip
    driving(table, "r2", ("E6", 2), ("E5", 2))
    for id, able in (("g1", True), ("r1", False)):
        found = [*reaction_objections(table.situation, GERMAN, Attack((id,), "E5", how="reaction", target="r2"))]
        assert bool(found) is not able
        if not able:
            assert_rule(found, "3.3.4", why="r1 is not in the hex of r2")


@pytest.mark.rule("3.1/f-rally")
def test_3_1_a_leader_of_the_enemy_rallies_nobody():
    table = a_table({"g1": ("467", "E5"), "rl": ("r 8-0", "E9"), "gl": ("g 8-0", "E5")}, phase="rally")
    for leader, able in (("gl", True), ("rl", False), ("", True)):
        orders = Orders(rally=RallyOrders(rally=(Attempt("g1", leader),)))
        found = [*section_objections(table.situation, GERMAN, "orders", orders)]
        assert bool(found) is not able
        if not able:
            assert_rule(found, "3.1/f-rally", why="rl is not one of your leaders")


def test_4_0_a_weapon_recovered_by_nobody_of_the_stack_is_no_question_of_weight():
    table = a_table({"g1": ("467", "E5")}, weapons={"gw": ("german-hmg", "g1")}, phase="movement")
    weapon = table.state.weapons["gw"]
    weapon.holder, weapon.at = "", "E5"
    moving_in(table, ["g1"], spent=0)
    units = [table.state.units["g1"]]
    assert not leg_objections(table.situation, units, Leg("recover", weapon="gw", by=("zz",)))


@pytest.mark.rule("4.0/weapon-usage")
def test_4_0_to_destroy_a_second_weapon_costs_a_squad_its_own_fp():
    """4.0/weapon-destruction: destroying a weapon counts as using it, so a squad that also fires
    another weapon has used two."""
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8"), "r2": ("447", "D7")},
                    weapons={"gw": ("german-lmg", "g1"), "gx": ("german-lmg", "g1")},
                    dice={"3.2.2": [3, 6]})  # fmt: skip
    fire(table, Attack(("gw",), "E8"))
    assert not [*attack_objections(table.situation, GERMAN, Attack(("g1",), "D7"))]
    destroy_own(table, GERMAN, "gx")
    assert "gx" not in table.state.weapons and table.state.units["g1"].gave_up
    assert_rule([*attack_objections(table.situation, GERMAN, Attack(("g1",), "D7"))], "4.0/weapon-usage")


@pytest.mark.rule("5.3", effect=True)
def test_5_3_the_drm_of_a_promotion():
    """Russians have +1 and Germans -1; a morale of 8 or more gives -1, and a morale of 6 or less gives
    +1; broken units have +1."""
    table = a_table({"r1": ("426", "E5"), "r2": ("628", "E5"), "g1": ("467", "E5")},
                    states={"r1": {"broken": True}})  # fmt: skip
    found = {
        id: sorted(row.value for row in promotion_modifiers(table.situation, unit))
        for id, unit in table.state.units.items()
    }
    assert found == {"r1": [1, 1, 1], "r2": [-1, 1], "g1": [-1]}


@pytest.mark.rule("6.12")
def test_6_12_a_20_mm_gun_of_untrained_men_is_lost_on_its_printed_number():
    """B11 less 2 for the squad is B9, so the Gun malfunctions on a 9 and is eliminated on an 11 (6.12).

    An MG that fires for the first time is never eliminated (4.1).
    """
    table = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, facings={"gg": 4},
                    weapons={"gg": ("german-20l-aa", "g1"), "gw": ("german-mmg", "g1")},
                    dice={"3.2.4": [6, 5]})  # fmt: skip
    direct, gun = component(table.situation, "ggife"), component(table.situation, "gw")
    assert (number_now(table.situation, direct, "normal"), removal_number(table.situation, direct, "normal")) == (
        9,
        11,
    )
    assert removal_number(table.situation, gun, "normal") == 13
    fire(table, Attack(("gg",), "E8"))
    assert_rule(table.findings, "6.12", inputs={"weapon": "gg", "number": 9, "removed_on": 11}, result="removed")
