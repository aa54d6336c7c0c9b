"""Situations about Guns and vehicles; each case states its answer and the rules that give it."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, carried, driving, moving_in
from titles.aslsk.combinations.test_lawyer import played
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import advance_phase
from pbem.titles.aslsk.movement.phase import expenditure
from pbem.titles.aslsk.orders import Attempt, Hatch, Leg, MoveOrder, Orders, RallyOrders
from pbem.titles.aslsk.rally.phase import rally_phase
from pbem.titles.aslsk.vehicles.driving import start_vehicle, way_home

T34, PZ4, PZ2, KV1 = "russian-t34-85", "german-pz4h", "german-pz2f", "russian-kv-1-m41"
SHAKEN = {"broken": True, "dm": True}
HIDDEN = {"hidden": True}


def told(table, rule):
    return [found for found in every(table.findings) if found.rule == rule]


# --- hidden Guns under fire -----------------------------------------------------------------------------------------


def shelled(dice, **more):
    """Fire a German 81 mm mortar at a hidden Soviet anti-tank Gun in brush, four hexes away."""
    return a_table({"g1": ("228", "E4"), "r1": ("r228", "E8")}, ground=a_ground({"brush": "E8"}),
                   weapons={"gg": ("german-81s-mtr", "g1"), "rg": ("russian-45l-at", "r1")},
                   facings={"gg": 4, "rg": 1}, states={"r1": HIDDEN}, dice=dice, **more)  # fmt: skip


@pytest.mark.rule("6.7", "6.4")
def test_6_7_a_direct_hit_on_a_hidden_gun_destroys_it_with_its_crew():
    """81 mm area fire uses column 8; an Original 2 with +2 for emplacement is 4, which is a 2MC.

    Without emplacement the 2 is a 1KIA and destroys everything.
    """
    table = shelled({"3.2.4": [1, 2], "3.2.4/effects": [1, 1]}, emplaced=False)
    fire(table, Attack(("gg",), "E8", anyway=True))
    assert_rule(table.findings, "6.4", inputs={"unit": "r1"}, result="revealed")
    assert_rule(table.findings, "6.7", inputs={"weapon": "rg"}, result="removed")
    assert "r1" not in table.state.units and not told(table, "4.0/weapon-destruction")


@pytest.mark.rule("6.7", "6.4")
def test_6_1_a_critical_hit_destroys_a_hidden_gun():
    """An Original 2 hits, as the number is 7, with +2 for a hidden target and +1 for a small one.

    The only target hit suffers the CH (6.1, 6.7).
    """
    table = shelled({"3.2.4": [1, 1], "3.2.4/effects": [6, 6]})
    fire(table, Attack(("gg",), "E8", anyway=True))
    assert_rule(table.findings, "6.4", inputs={"unit": "r1"}, result="revealed")
    assert_rule(table.findings, "6.7", inputs={"unit": "r1", "weapon": "rg"}, result="destroyed by a critical hit")
    assert not {"r1", "rg"} & {*table.state.units, *table.state.weapons}


@pytest.mark.rule("6.6")
def test_6_6_the_shield_of_a_hidden_gun_protects_against_a_near_miss():
    """75 mm HE on column 12 with an Original 8 is a 1MC; the shield makes it 10, a PTC.

    The Gun is found, because a PTC is an effect (6.4).
    """
    table = a_table({"g1": ("228", "E4"), "r1": ("r228", "E8"), "r2": ("447", "E8")},
                    weapons={"gg": ("german-75l-at", "g1"), "rg": ("russian-45l-at", "r1")},
                    facings={"gg": 4, "rg": 1}, states={"r1": HIDDEN}, ground=a_ground({"brush": "E8"}),
                    dice={"3.2.4": [1, 2], "3.2.4/effects": [4, 4], "3.2.3/ptc": [1, 1]})  # fmt: skip
    fire(table, Attack(("gg",), "E8"))
    assert_rule(carried(table.findings), "6.6", result=2)
    assert told(table, "3.2.3/ptc")[0].inputs["unit"] == "r1"


# --- rally ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.1/f-rally")
def test_3_1_a_crew_that_is_to_be_rallied_by_a_leader_does_not_try_alone_before():
    """3.1/e says "may", not "must"; a self-rally would use up the crew's one attempt, with +1 instead of -2."""
    table = a_table({"g1": ("228", "E4"), "gl": ("g 9-2", "E4")}, phase="rally", states={"g1": {"broken": True}},
                    dice={"3.1/f-rally": [4, 6]})  # fmt: skip
    table.state.sealed = {GERMAN: Orders(rally=RallyOrders(rally=(Attempt("g1", "gl"),))), RUSSIAN: Orders()}
    played(rally_phase(table))
    assert_rule(table.findings, "3.1/f-rally", inputs={"unit": "g1", "leader": "gl"}, result="rallied")
    assert not told(table, "3.1/e-self-rally")


# --- vehicles -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.7")
def test_7_7_a_crew_does_not_open_and_close_in_one_advance_phase():
    """7.7: a CE counter cannot be placed and removed in the same phase."""
    table = a_table({}, vehicles={"g1": (PZ4, "E4", 1)}, phase="advance")
    table.state.sealed = {
        GERMAN: Orders(hatches=(Hatch("g1", open=True), Hatch("g1", open=False))),
        RUSSIAN: Orders(),
    }
    played(advance_phase(table))
    assert_rule(table.findings, "7.7", inputs={"vehicle": "g1"}, result="crew exposed")
    assert_rule(table.findings, "7.7", inputs={"order": "g1 close"}, result="not carried out")
    assert table.state.vehicles["g1"].ce


@pytest.mark.rule("3.3.2/motion", effect=True)
@pytest.mark.rule("3.3.2/mp-costs")
def test_3_3_2_a_tank_that_fires_in_its_movement_phase_without_moving_spends_its_mp_there():
    """3.3.2/motion: a vehicle that ends its MPh stopped spends its remaining MP as one Delay.

    The Delay opens a window in which the DEFENDER may fire.
    """
    table = a_table({"g1": ("467", "E4")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement", attacker=RUSSIAN)
    order = MoveOrder(("r1",), (Leg("fire", "E4", by=("r1cmg",)),))
    table.state.sealed = {RUSSIAN: Orders(moves=(order,))}
    assert start_vehicle(table, order, 0)
    asked = []
    while table.state.mover is not None:
        asked += [ask.kind for ask in played(expenditure(table))]
    assert asked == ["window", "go_on"]
    assert_rule(table.findings, "3.3.2/mp-costs", inputs={"vehicle": "r1", "mp": "16"}, result="waits")


@pytest.mark.parametrize(("facing", "first"), [(1, "F5"), (2, "D5")])
def test_7_10_a_recalled_tank_counts_its_turns_on_the_way_home(facing, first):
    """7.10/recall: the tank takes the path that costs the fewest MP, here the one without a turn."""
    table = a_table({}, vehicles={"r1": (T34, "E6", facing)}, ground=a_ground({"woods": "E5"}), phase="movement")
    assert way_home(table.situation, table.state.vehicles["r1"])[0] == first


@pytest.mark.rule("3.2.4/th-numbers")
def test_3_2_4_he_at_the_crew_of_a_passing_tank_has_no_point_blank_number():
    """3.2.4/th-numbers: 9 and 10 do not apply against a Non-Stopped vehicle, so the number is 8 at range 1."""
    table = a_table({"g1": ("228", "E4")}, vehicles={"r1": (T34, "E5", 1)}, armour={"r1": {"ce": True}},
                    weapons={"gg": ("german-75l-at", "g1")}, facings={"gg": 4}, phase="movement", attacker=RUSSIAN,
                    dice={"3.2.4": [6, 6]})  # fmt: skip
    driving(table, "r1", ("E6", 0), ("E5", 2))
    fire(table, Attack(("gg",), "E5"))
    assert_rule(table.findings, "3.2.4/th-numbers", inputs={"weapon": "gg"}, result=8)


@pytest.mark.rule("4.1")
def test_4_1_far_fire_is_halved_only_if_an_unbroken_target_is_there():
    """4.1: fire at unbroken Infantry is halved beyond 16 hexes; in the MPh, only the moving units are targets."""
    ground = a_ground()
    table = a_table({"g1": ("467", "A1"), "gl": ("g 8-0", "A1"), "r1": ("447", "R9"), "r2": ("447", "R9")},
                    weapons={"gm": ("german-hmg", "g1")}, phase="movement", attacker=RUSSIAN, ground=ground,
                    states={"r1": SHAKEN}, dice={"3.2.2": [3, 4]})  # fmt: skip
    assert table.situation.ground.distance("A1", "R9") > 16
    moving_in(table, ["r1"])
    fire(table, Attack(("gm",), "R9", ("gl",)))
    found = [row.inputs["text"] for row in carried(table.findings) if row.rule == "4.1"]
    assert "beyond 16 hexes" not in found
    assert_rule(table.findings, "3.2.2", inputs={"fp": "3.5"})
    table.state.units["r1"].broken = table.state.units["r1"].dm = False
    table.state.units["g1"].used, table.state.weapons["gm"].fired, table.state.units["gl"].fired = [], "", ""
    table.state.shots = {}
    fire(table, Attack(("gm",), "R9", ("gl",)))
    assert_rule(carried(table.findings), "4.1", inputs={"text": "beyond 16 hexes"})
