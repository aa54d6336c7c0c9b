"""6.4, 6.7, 6.8, 4.4.2 Hidden Guns, unmanned Guns, direct fire of Guns, and Panzerfausts."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import a_table, carried, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.engine.rules.findings import PUBLIC
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.advance import advance
from pbem.titles.aslsk.movement.expenditures import expend
from pbem.titles.aslsk.orders import AdvanceOrder, Leg, RoutOrder
from pbem.titles.aslsk.ordnance.hidden import hiding_objections, reveal_seen
from pbem.titles.aslsk.ordnance.panzerfaust import reach
from pbem.titles.aslsk.rout.interdiction import interdictors
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.state import Weapon
from pbem.titles.aslsk.view import view_of


def a_hidden_gun(at="E8", ground=None, units=None, **more):
    """Build a Soviet crew with a Gun that the Germans do not know of."""
    table = a_table(
        {"r1": ("r228", at), **(units or {})},
        weapons={"rw": ("russian-45l-at", "r1"), **more.pop("arms", {})},
        facings={"rw": 1},
        ground=a_ground(ground or {}),
        **more,
    )
    table.state.units["r1"].hidden = True
    return table


def objections(table, seat, attack):
    return list(attack_objections(table.situation, seat, attack))


@pytest.mark.rule("6.4")
def test_6_4_nobody_but_the_owner_sees_a_hidden_gun():
    table = a_hidden_gun(units={"g1": ("467", "E4")}, ground={"woods": "E8"})
    for viewer in ("german", PUBLIC):
        view = view_of(table.state, viewer)
        assert "r1" not in view.units and "rw" not in view.weapons
    assert "r1" in view_of(table.state, "russian").units
    assert not list(table.situation.known_enemies(table.state.units["g1"]))
    reveal_seen(table)
    assert table.state.units["r1"].hidden, "woods hide it"
    assert not list(every(table.findings))
    crew = table.state.units["r1"]
    assert not list(hiding_objections(table.situation, crew, "E8"))
    assert_rule(list(hiding_objections(table.situation, table.state.units["g1"], "E4")), "6.4")
    fire(table, Attack(("rw",), "E4"))
    assert_rule(table.findings, "6.4", inputs={"unit": "r1", "why": "it fires"}, result="revealed")


@pytest.mark.rule("6.4/loss", "6.4")
def test_6_4_ways_to_find_a_hidden_gun():
    """A Gun in the open is seen within 16 hexes. Infantry that moves or routs into its hex goes back; infantry that
    advances into it stays.
    """
    seen = a_hidden_gun(units={"g1": ("467", "E4")})
    reveal_seen(seen)
    assert_rule(seen.findings, "6.4", inputs={"why": "in sight in the open"}, result="revealed")
    walk = a_hidden_gun(units={"g1": ("467", "E7")}, ground={"woods": "E8"}, phase="movement")
    moving_in(walk, ["g1"], spent=2)
    expend(walk, [walk.state.units["g1"]], Leg("enter", "E8"))
    assert_rule(walk.findings, "6.4", inputs={"at": "E8"}, result="goes back")
    unit = walk.state.units["g1"]
    assert unit.at == "E7" and unit.going.done and unit.going.here == 6
    step = a_hidden_gun(units={"g1": ("467", "E7")}, ground={"woods": "E8"}, phase="advance")
    advance(step, "german", AdvanceOrder(("g1",), "E8"))
    assert step.state.units["g1"].at == "E8" and step.state.units["g1"].in_cc and not step.state.units["r1"].hidden
    flight = a_hidden_gun(units={"g1": ("467", "E7")}, ground={"woods": "E8"}, phase="rout",
                          states={"g1": {"broken": True, "dm": True}})  # fmt: skip
    rout(flight, flight.state.units["g1"], RoutOrder("g1", ("E8",)))
    assert flight.state.units["g1"].at == "E7" and not flight.state.units["g1"].routed
    assert_rule(flight.findings, "6.4", inputs={"at": "E8"}, result="goes back")
    assert_rule(flight.findings, "6.4/loss", inputs={"unit": "r1"}, result="enemy infantry entered its hex")


@pytest.mark.rule("6.4", "6.4/attack-on-hidden")
def test_6_4_fire_at_a_hidden_gun_is_halved_and_tells_nothing_without_effect():
    """8 FP is halved to column 4: a 9 with +1 has no effect and reveals nothing; a 2 finds the Gun."""
    for dice, found in (([4, 6], False), ([1, 2], True)):
        table = a_hidden_gun(units={"g1": ("467", "E6"), "g2": ("467", "E6")}, ground={"woods": "E8"},
                             dice={"3.2.2": dice})  # fmt: skip
        attack = Attack(("g1", "g2"), "E8", anyway=True)
        assert_rule(objections(table, "german", Attack(("g1", "g2"), "E8")), "3.2")
        assert not objections(table, "german", attack)
        fire(table, attack)
        told = next(one for one in every(table.findings) if one.rule == "3.2.2")
        assert told.cell["column"] == 8 and told.result == {}
        assert found == any(one.rule == "6.4" for one in every(table.findings))
        assert table.state.units.get("r1") is None or table.state.units["r1"].hidden != found
    assert_rule(table.findings, "6.4", inputs={"why": "it is hit"}, result="revealed")
    shell = a_hidden_gun(units={"g1": ("228", "E4")}, ground={"woods": "E8"}, arms={"gw": ("german-75l-at", "g1")},
                         dice={"3.2.4": [2, 3], "3.2.4/effects": [6, 6]})  # fmt: skip
    shell.state.weapons["gw"].facing = 4
    fire(shell, Attack(("gw",), "E8", anyway=True))
    assert shell.state.units["r1"].hidden and not [one for one in every(shell.findings) if one.rule == "6.4"]
    assert_rule(table.findings, "6.4/attack-on-hidden", inputs={"unit": "r1"}, result="it is hit")


def test_6_4_a_hidden_gun_interdicts_nobody():
    table = a_hidden_gun(units={"g1": ("467", "E6")}, states={"g1": {"broken": True}})
    assert not list(interdictors(table.situation, table.state.units["g1"], "E6"))
    table.state.units["r1"].hidden = False
    assert list(interdictors(table.situation, table.state.units["g1"], "E6"))


@pytest.mark.rule("6.7")
def test_6_7_an_unmanned_gun_is_destroyed_by_kia():
    table = a_table({"g1": ("228", "E4")}, weapons={"gw": ("german-75l-at", "g1")}, facings={"gw": 4},
                    dice={"3.2.4": [2, 3], "3.2.4/effects": [1, 1]})  # fmt: skip
    table.state.weapons["rw"] = Weapon(id="rw", card="russian-45l-at", at="E8", facing=1)
    fire(table, Attack(("gw",), "E8", anyway=True))
    assert_rule(table.findings, "6.7", inputs={"weapon": "rw"}, result="removed")
    assert "rw" not in table.state.weapons


@pytest.mark.rule("6.8")
def test_6_8_an_automatic_gun_fires_on_the_fire_table():
    """IFE has 4 FP and a normal range of 16 hexes; turning is a DRM and the rate drops by one.

    The Gun fires alone and without acquisition.
    """
    table = a_table({"g1": ("228", "E8"), "r1": ("447", "E5"), "r2": ("447", "E11")},
                    weapons={"gw": ("german-20l-aa", "g1")}, facings={"gw": 1},
                    dice={"3.2.2": [4, 2, 4, 3]})  # fmt: skip
    table.state.weapons["gw"].acquired, table.state.weapons["gw"].acquisition = "E5", 2
    attack = Attack(("gwife",), "E5")
    assert not objections(table, "german", attack)
    assert fire(table, attack) == ["gwife"]
    told = assert_rule(table.findings, "3.2.2", inputs={"fp": "4", "firers": ["gwife"]})
    assert not told.cell["cowered"] and not table.state.weapons["gw"].acquisition
    assert fire(table, Attack(("gwife",), "E11")) == []
    assert_rule(carried(table.findings), "3.2.4/covered-arc", inputs={"text": "changes CA"})
    table.state.weapons["gw"].fired = ""
    assert_rule(objections(table, "german", Attack(("gwife", "g1"), "E11")), "6.8")


@pytest.mark.rule("3.2.4", effect=True)
@pytest.mark.rule("4.4.2", "4.4.3", "7.9")
def test_4_4_2_a_panzerfaust_against_a_tank():
    """A dr of 3 finds a Panzerfaust; To Hit is 10 less 2 for the hex, and To Kill is 31 less armour.

    From a building the firer chooses +2 or backblast.
    """
    table = a_table({"g1": ("467", "E8")}, vehicles={"r1": ("russian-t34-85", "E7", 4)},
                    ground=a_ground({"stone": "E8"}), date="1944-07",
                    dice={"4.4.2": [3], "3.2.4": [2, 2], "7.9": [3, 4]})  # fmt: skip
    table.state.pf_left = {"german": 3}
    attack = Attack(("g1",), "E7", how="pf", target="r1", blast=True)
    assert reach(table.data) == 2 and not objections(table, "german", attack)
    fire(table, attack)
    assert_rule(table.findings, "4.4.2", inputs={"unit": "g1", "vehicle": "r1"}, result="has one")
    assert_rule(table.findings, "7.9", inputs={"basic": 31}, result="destroyed")
    assert_rule(table.findings, "4.4.3", inputs={"at": "E8"}, dice=(2,))
    assert table.state.pf_left["german"] == 2
    none = a_table({"g1": ("247", "E8")}, vehicles={"r1": ("russian-t34-85", "E7", 4)}, date="1944-07",
                   dice={"4.4.2": [3, 6]})  # fmt: skip
    none.state.pf_left = {"german": 1}
    fire(none, Attack(("g1",), "E7", how="pf", target="r1"))
    assert_rule(none.findings, "4.4.2", result="none")
    assert none.state.units["g1"].fired == "prep"
    assert_rule(objections(none, "german", Attack(("g1",), "E7", how="pf", target="r1")), "4.4.2")
    fright = a_table({"g1": ("467", "E8")}, vehicles={"r1": ("russian-t34-85", "E7", 4)}, date="1944-07",
                     dice={"4.4.2": [6]})  # fmt: skip
    fright.state.pf_left = {"german": 1}
    fire(fright, Attack(("g1",), "E7", how="pf", target="r1"))
    assert fright.state.units["g1"].pinned and fright.state.pf_left["german"] == 1
    assert_rule(objections(fright, "german", Attack(("g1",), "E2", how="pf")), "4.4.2")
