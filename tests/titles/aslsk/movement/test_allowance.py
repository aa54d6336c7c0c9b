"""3.3.1 Movement allowances, costs and the legs of a move: the worked examples of movement and advance."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, enter, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.movement.advance import advance_objections, exhausts
from pbem.titles.aslsk.movement.allowance import allowance_of, cost_of
from pbem.titles.aslsk.movement.expenditures import expend, leg_objections
from pbem.titles.aslsk.movement.phase import start_mover
from pbem.titles.aslsk.orders import AdvanceOrder, Leg, MoveOrder
from pbem.titles.aslsk.player.checks import move_objections


def mf(table, unit, *stack, double=False):
    units = [table.state.units[id] for id in (unit, *stack)]
    return allowance_of(table.situation, units[0], units, double=double) / 2


def test_3_3_1_a_squad_with_a_heavy_mmg_as_in_the_example():
    """dff-1: the squad has 2 MF with 5 PP, or 3 MF at Double Time; Assault Movement into a building is refused."""
    table = a_table(
        {"r1": ("447", "I4")}, weapons={"rw": ("russian-mmg", "r1")}, attacker="russian", phase="movement"
    )
    assert mf(table, "r1") == 2
    assert mf(table, "r1", double=True) == 3


def test_3_7_a_squad_with_a_heavy_mmg_advances_as_in_the_examples():
    """adv-1, adv-2: alone the squad becomes CX in a 2 MF hex; with a leader it has 5 MF."""
    table = a_table(
        {"r1": ("447", "I4"), "rl": ("r 8-0", "I4")},
        ground=a_ground({"woods": "I5"}),
        weapons={"rw": ("russian-mmg", "r1")},
        attacker="russian",
        phase="advance",
    )
    units = table.state.units
    assert exhausts(table.situation, units["r1"], [units["r1"]], "I5")
    assert not exhausts(table.situation, units["r1"], [units["r1"], units["rl"]], "I5")
    assert mf(table, "r1", "rl") == 5


@pytest.mark.rule("3.7", "3.2.3/pin")
def test_3_7_pinned_and_exhausted_units_do_not_advance():
    table = a_table(
        {"r1": ("447", "I4"), "r2": ("447", "I4")},
        ground=a_ground({"woods": "I5"}),
        weapons={"rw": ("russian-mmg", "r1")},
        attacker="russian",
        phase="advance",
        states={"r1": {"cx": True}, "r2": {"pinned": True}},
    )
    against = list(advance_objections(table.situation, "russian", AdvanceOrder(("r1", "r2"), "I5")))
    assert_rule(against, "3.7", why="r1 is CX, and entering I5 would cost all its MF")
    assert_rule(against, "3.2.3/pin", why="r2 is pinned")


def test_1_1_1_10_uphill_doubles_the_cost_as_in_the_example():
    """hill-2, hill-5, hill-6: a move costs 2 MF uphill in the open, 1 MF along the crest, 4 MF
    into a hill building.
    """
    table = a_table({"g1": ("536", "H7")}, ground=a_ground({"wooden": "G7"}, hills=["I7", "I6", "G7"]))
    assert cost_of(table.situation, "H7", "I7") == 4
    assert cost_of(table.situation, "I6", "I7") == 2
    assert cost_of(table.situation, "H7", "G7") == 8
    assert mf(table, "g1") == 3 and mf(table, "g1", double=True) == 5


@pytest.mark.rule("3.3.1/assault-movement")
def test_3_3_1_assault_movement_keeps_some_mf():
    table = a_table(
        {"r1": ("447", "I4")},
        ground=a_ground({"woods": "I5"}),
        weapons={"rw": ("russian-mmg", "r1")},
        attacker="russian",
        phase="movement",
    )
    order = MoveOrder(("r1",), enter("I5"), assault=True)
    assert start_mover(table, order, 0)
    assert_rule(leg_objections(table.situation, [table.state.units["r1"]], order.legs[0]), "3.3.1/assault-movement")


@pytest.mark.rule("3.3.1", "3.3", "1.1", "3.3.1/mf-bonus")
def test_3_3_1_a_path_is_connected_free_and_affordable():
    table = a_table({"r1": ("447", "I4"), "g1": ("467", "I6")}, attacker="russian", phase="rally")

    def against(*hexes):
        return list(move_objections(table.situation, "russian", MoveOrder(("r1",), enter(*hexes)), set()))

    assert_rule(against("I5", "I7"), "3.3.1", why="I7 is not adjacent to I5")
    assert_rule(against("I5", "I6"), "3.3", why="an enemy is in I6")
    assert_rule(against("I3", "I2", "H1", "G1", "F1"), "3.3.1/mf-bonus", why="r1 has 4 MF and needs 5")
    assert_rule(against("ZZ9"), "1.1")


@pytest.mark.rule("3.3.1/stacking")
def test_3_3_1_only_three_squads_fit_in_a_hex():
    table = a_table(
        {f"r{n}": ("447", "I5") for n in (1, 2, 3)} | {"r4": ("447", "I4")}, attacker="russian", phase="movement"
    )
    moving_in(table, ["r4"], spent=0)
    assert_rule(leg_objections(table.situation, [table.state.units["r4"]], Leg("enter", "I5")), "3.3.1/stacking")


@pytest.mark.rule("3.3.1/smoke-grenades")
def test_3_3_1_smoke_grenades_cost_mf_and_a_six_ends_the_move():
    table = a_table(
        {"g1": ("548", "I4"), "g2": ("548", "I4")}, phase="movement", dice={"3.3.1/smoke-grenades": [2, 6]}
    )
    moving_in(table, ["g1", "g2"], spent=0)
    units = [table.state.units["g1"], table.state.units["g2"]]
    expend(table, units, Leg("smoke", "I5"))
    assert_rule(table.findings, "3.3.1/smoke-grenades", inputs={"unit": "g1", "at": "I5"}, result="placed")
    assert table.situation.smoke_in("I5") == 2 and units[0].going.spent == units[1].going.spent == 4
    expend(table, units, Leg("smoke", "I4"))
    assert_rule(table.findings, "3.3.1/smoke-grenades", inputs={"unit": "g2"}, result="move ends")
    assert units[1].going.done and units[1].going.spent == 6
    assert_rule(leg_objections(table.situation, units, Leg("smoke", "I4")), "3.3.1/smoke-grenades")


@pytest.mark.rule("3.3.1/recovery", "4.0/drop-recover")
def test_3_3_1_a_weapon_is_dropped_for_nothing_and_recovered_for_one_mf():
    table = a_table(
        {"g1": ("467", "I4")},
        weapons={"gw": ("german-lmg", "g1")},
        phase="movement",
        dice={"3.3.1/recovery": [5]},
    )
    moving_in(table, ["g1"], spent=0)
    unit = table.state.units["g1"]
    assert not expend(table, [unit], Leg("drop", weapon="gw"))
    assert_rule(table.findings, "4.0/drop-recover", inputs={"weapon": "gw"}, result="dropped")
    assert expend(table, [unit], Leg("recover", weapon="gw"))
    assert_rule(table.findings, "3.3.1/recovery", result="recovered")
    assert table.state.weapons["gw"].holder == "g1" and unit.going.spent == 2


@pytest.mark.rule("3.3.1/mf-bonus", effect=True)
@pytest.mark.rule("3.3.1/double-time")
def test_3_3_1_a_wounded_leader_cannot_use_double_time():
    table = a_table({"rl": ("r 8-0", "I4")}, attacker="russian", phase="rally", states={"rl": {"wounded": True}})
    order = MoveOrder(("rl",), enter("I5"), double=True)
    assert_rule(list(move_objections(table.situation, "russian", order, set())), "3.3.1/double-time")
    assert mf(table, "rl") == 3


def test_3_2_3_a_wounded_leader_as_in_the_example():
    """inline-wound: an 8-0 becomes a 7+1 with 3 MF that cannot carry anything."""
    table = a_table({"rl": ("r 8-0", "I4")}, states={"rl": {"wounded": True}})
    leader = table.state.units["rl"]
    assert (table.situation.morale(leader), table.situation.leadership(leader)) == (7, 1)


def walk(table, ids, *hexes, **more):
    """Start a stack and let it enter these hexes as far as it can; return the MF spent by its first unit."""
    order = MoveOrder(tuple(ids), enter(*hexes), **more)
    assert start_mover(table, order, 0)
    units = [table.state.units[id] for id in ids]
    for leg in order.legs:
        if leg_objections(table.situation, units, leg):
            break
        expend(table, units, leg)
    return units[0].going.spent / 2


@pytest.mark.parametrize(
    ("units", "weapons", "path", "more", "spent"),
    [
        ({"r1": ("447", "I5")}, {}, ["J5"], {"assault": True}, 2),
        ({"r1": ("447", "H3")}, {"rw": ("russian-lmg", "r1")}, ["I3", "J2"], {}, 4),
        ({"r1": ("447", "F4"), "rl": ("r 9-1", "F4")}, {}, ["G4", "H4", "I4", "J4"], {}, 6),
        ({"r1": ("447", "E3"), "rl": ("r 8-1", "E3")}, {}, ["E4", "E5", "F5", "G5", "H5"], {"double": True}, 8),
    ],
)
def test_3_3_1_movement_as_in_the_examples(units, weapons, path, more, spent):
    """mph-1a, 1b, 1d, 1e: every hex of these moves costs 2 MF."""
    table = a_table(
        units, weapons=weapons, ground=a_ground({"woods": " ".join(path)}), attacker="russian", phase="movement"
    )
    assert walk(table, units, *path, **more) == spent
    assert table.state.units["r1"].cx is bool(more.get("double"))


@pytest.mark.rule("1.1.1.3", "1.1.1.10/crest-cost")
def test_1_1_1_3_a_road_gives_one_mf_more_and_a_crest_costs_double():
    """dff-5: with 4 MF the unit enters five hexes along a road; one step uphill in the open costs 2."""
    road = ["F6", "G6", "H5", "I5", "J4", "K4"]
    table = a_table(
        {"r1": ("447", "F6"), "r2": ("447", "M6")},
        ground=a_ground({"woods": "I5"}, hills=["M5"], roads=["-".join(road)]),
        attacker="russian",
        phase="movement",
    )
    assert walk(table, ["r1"], *road[1:]) == 5 and table.state.units["r1"].at == "K4"
    assert_rule(table.findings, "1.1.1.3", inputs={"to": "I5"}, result="road rate")
    assert walk(table, ["r2"], "M5") == 2
    assert_rule(table.findings, "1.1.1.10/crest-cost", inputs={"to": "M5"}, result="doubled")


@pytest.mark.rule("1.1.1.5")
def test_1_1_1_5_infantry_may_pay_for_the_woods_beside_the_road():
    table = a_table(
        {"r1": ("447", "H5")}, ground=a_ground({"woods": "I5"}, roads=["H5-I5"]), attacker="russian", phase="movement"
    )
    order = MoveOrder(("r1",), (Leg("enter", "I5", cover=True),))
    assert start_mover(table, order, 0)
    unit = table.state.units["r1"]
    expend(table, [unit], order.legs[0])
    assert unit.going.spent == 4 and not unit.going.road_rate
    assert_rule(table.findings, "1.1.1.5", inputs={"to": "I5"})
