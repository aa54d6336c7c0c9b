"""Player turns with vehicles and Guns by written orders, each played with all three values of `reactions`."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import RUSSIAN, a_table, carried
from titles.aslsk.ground.building import a_ground
from titles.aslsk.whole_turns import REACTIONS, WholeTurn

from pbem.engine.rules.refusals import Refusal
from pbem.titles.aslsk.telling.sentences import TELLING

T34, PZ4, PZ2, BA64 = "russian-t34-85", "german-pz4h", "german-pz2f", "russian-ba-64b"
BLANK = [6, 5] * 12

by_all = pytest.mark.parametrize("how", REACTIONS)


def told(table, rule):
    return [found for found in every(table.findings) if found.rule == rule]


def rows(found):
    return {row["text"]: row["value"] for row in found.modifiers}


@by_all
@pytest.mark.rule("7.10/stun", "3.2.3/nmc", "7.7")
def test_7_10_a_crew_stunned_on_the_road_stops_where_it_is_and_fires_no_more_in_this_turn(how):
    """4 FP attacks a CE crew with +2; FFMO and FFNAM do not apply to vehicles.

    A failed check Stuns the crew: the tank is BU, stops without a stop MP, gets no more windows and does not fire in
    the AFPh; at the end of the turn the crew is shaken (+1).
    """
    table = a_table(
        {"g1": ("467", "E4")},
        attacker=RUSSIAN,
        vehicles={"r2": (T34, "E9", 1)},
        armour={"r2": {"ce": True}},
        dice={"3.2.2": [1, 3], "3.2.3/nmc": [6, 5]},
    )
    turn = WholeTurn(
        table,
        how,
        ["r2 move E8, E7, E6"],
        ["g1 watch E8 infantry", "g1 watch E8"],
        {"E8": ["g1 fire at E8"]},
        {"advancing_fire": ["r2cmg fire at E4"]},
    )
    done = turn.play()
    (shot,) = told(done, "3.2.2")
    assert shot.inputs["against"] == {"r2": 2} and rows(shot) == {"CE crew": 2}
    assert_rule(done.findings, "3.2.3/nmc", inputs={"unit": "r2", "morale": 8}, result="failed")
    assert_rule(done.findings, "7.10/stun", inputs={"vehicle": "r2"}, result="stun")
    assert_rule(done.findings, "7.7", inputs={"vehicle": "r2"}, result="buttoned up")
    tank = done.state.vehicles["r2"]
    assert (tank.at, tank.ce, tank.motion, tank.shaken, tank.stun) == ("E8", False, False, True, "")
    assert len(told(done, "3.2.2")) == 1, "the order to fire in the AFPh comes to nothing"


@pytest.mark.rule("3.0", "3.2.4/covered-arc", effect=True)
@by_all
@pytest.mark.rule("7.10/immobilized", "3.5/vehicles", "3.3.2", "3.2.4/known-th-drm")
def test_7_10_a_tank_immobilized_on_its_way_ends_its_mph_and_fires_as_bounding_fire_in_the_afph(how):
    """The tank has entered a new hex, so No. 14 (+4 for a turret) applies in the AFPh.

    It has stopped, so no die is doubled; the leg with its shot and the rest of the route are lost, and both are
    reported.
    """
    table = a_table(
        {"g1": ("228", "E4"), "g3": ("467", "D4")},
        attacker=RUSSIAN,
        weapons={"gg1": ("german-75l-at", "g1")},
        facings={"gg1": 4},
        vehicles={"r2": (T34, "E10", 1)},
        dice={"3.2.4": [1, 2, 6, 6], "7.9": [3, 3]},
    )
    turn = WholeTurn(
        table,
        how,
        ["r2 move E9, fire r2ma at D4, E8"],
        ["gg1 watch E9 vehicles"],
        {"E9": ["gg1 fire against r2"]},
        {"advancing_fire": ["r2ma fire at D4"]},
    )
    done = turn.play()
    hit = told(done, "3.2.4/vtt")[0]
    assert hit.result == "hit"
    assert_rule(done.findings, "7.10/immobilized", inputs={"vehicle": "r2"}, result="immobilized")
    tank = done.state.vehicles["r2"]
    assert tank.at == "E9" and not tank.motion
    assert_rule(done.findings, "3.3.2", inputs={"vehicle": "r2", "to": "E9"})
    late = told(done, "3.2.4")[-1]
    assert rows(late)["Bounding Fire"] == 4 and not late.inputs["moves"]
    assert_rule(carried(done.findings), "3.5/vehicles", result=4)
    assert_rule(done.findings, "3.2.4/known-th-drm")


@by_all
@pytest.mark.rule("7.4")
def test_7_4_a_tank_destroyed_on_the_move_hinders_and_covers_only_after_the_afph(how):
    """The wreck moved in this MPh, so a line through its hex is clear in the DFPh, but hindered by 1 in
    the next turn."""
    table = a_table(
        {"g1": ("228", "E3"), "g3": ("467", "E4"), "r1": ("447", "E9")},
        attacker=RUSSIAN,
        weapons={"gg1": ("german-75l-at", "g1")},
        facings={"gg1": 4},
        vehicles={"r2": (T34, "E8", 1)},
        dice={"3.2.4": [1, 2], "7.9": [1, 1], "3.2.2": BLANK},
    )
    turn = WholeTurn(
        table,
        how,
        ["r2 move E7, E6"],
        ["gg1 watch E7 vehicles"],
        {"E7": ["gg1 fire against r2"]},
        {"final_fire": ["g3 fire at E9"]},
    )
    done = turn.play()
    assert_rule(done.findings, "7.9", result="destroyed")
    (shot,) = told(done, "3.2.2")
    assert shot.inputs["against"] == {"r1": 0}
    situation = turn.run.table.data, done.state
    from pbem.titles.aslsk.situation import Situation

    found = Situation(*situation).sight("E4", "E9")
    assert found.hindrance == 1
    assert "E7" in Situation(*situation).standing()
    later = a_table({"g3": ("467", "E4"), "r1": ("447", "E9"), "r4": ("447", "E7")})
    later.state.wrecks = list(done.state.wrecks)
    from pbem.titles.aslsk.fire.components import Attack
    from pbem.titles.aslsk.fire.shooting import fire

    fire(later, Attack(("g3",), "E9"))
    assert_rule(carried(later.findings), "3.2.1", result=1)
    fire(later, Attack(("g3",), "E7"))
    assert_rule(carried(later.findings), "7.4", result=1)


@by_all
@pytest.mark.rule("3.3.4", "3.7/paatc", "3.2.2.1")
def test_3_3_4_infantry_in_the_hex_that_a_tank_enters_fires_at_its_crew_and_then_reacts(how):
    """At TPBF the 4 FP is tripled to 12 against the CE crew, with +2; then comes CC Reaction Fire.

    PAATC comes first, then a CCV of 5 - 1 for a unit that has fired, +2 for a moving vehicle and -1 for CE. The tank
    has spent 3 MP there, so the squad may attack more than once (3.3.3).
    """
    table = a_table(
        {"g1": ("467", "E6")},
        attacker=RUSSIAN,
        vehicles={"r2": (T34, "E8", 1)},
        armour={"r2": {"ce": True}},
        dice={"3.2.2": [6, 5], "3.7/paatc": [1, 1], "3.8/vs-vehicle": [5, 6] * 2},
    )
    turn = WholeTurn(
        table,
        how,
        ["r2 move E7, E6 for 2, E5, E4"],
        ["g1 watch E6", "reaction g1"],
        {"E6": ["g1 fire at E6", "g1 reacts"]},
    )
    done = turn.play()
    (shot,) = told(done, "3.2.2")
    assert shot.inputs["fp"] == "12" and shot.inputs["against"] == {"r2": 2}
    assert_rule(carried(done.findings), "3.2.2.1", inputs={"component": "g1"})
    assert_rule(done.findings, "3.7/paatc", inputs={"unit": "g1"}, result="passed")
    reaction = assert_rule(done.findings, "3.3.4", inputs={"units": ["g1"], "vehicle": "r2", "value": 4})
    assert rows(reaction) == {"vehicle in Motion": 2, "CE": -1}


@by_all
@pytest.mark.rule("3.3.2.1", "def/motion-fire")
def test_3_3_2_1_a_tank_that_got_into_motion_fires_with_no_14_and_a_doubled_die(how):
    """r1 comes out of the woods into sight, and a dr of 1 is within the 2 MF spent.

    First Fire is then Motion Fire: +4, and the lower die is doubled.
    """
    ground = a_ground({"woods": "E6 E7"})
    table = a_table(
        {"r1": ("447", "E8")},
        attacker=RUSSIAN,
        ground=ground,
        vehicles={"g2": (PZ4, "E4", 4)},
        dice={"3.3.2.1": [1], "3.2.4": [2, 6]},
    )
    turn = WholeTurn(
        table,
        how,
        ["r1 move E7, E6"],
        ["motion g2", "g2ma watch E6"],
        {"E6": ["g2 motion", "g2ma fire at E6"]},
    )
    done = turn.play()
    assert_rule(done.findings, "3.3.2.1", inputs={"vehicle": "g2"})
    assert done.state.vehicles["g2"].motion, [f.rule for f in every(done.findings)]
    shot = told(done, "3.2.4")[-1]
    assert rows(shot)["Motion fire"] == 4 and shot.inputs["moves"]
    assert_rule(carried(done.findings), "def/motion-fire", result=4)


@by_all
@pytest.mark.rule("7.5", "3.3.2.2")
def test_7_5_a_tank_that_makes_smoke_on_itself_fires_out_of_it_with_three_more(how):
    """The smoke discharger has +1 if BU and covers the tank's own hex; success costs 1 MP and opens a window.

    Fire out of dispersed smoke has +2 and +1 (1.2.5); a smoke device is not fire, so Bounding First Fire may
    follow.
    """
    table = a_table({"r1": ("447", "E8")}, vehicles={"g2": (PZ4, "E4", 4)}, dice={"7.5": [1, 2], "3.2.4": BLANK})
    turn = WholeTurn(table, how, ["g2 move E5, device, fire g2ma at E8, stop"])
    done = turn.play()
    assert_rule(done.findings, "7.5", inputs={"vehicle": "g2", "at": "E5"}, result="placed")
    shot = told(done, "3.2.4")[-1]
    assert rows(shot)["hindrance"] == 3 and rows(shot)["Bounding First Fire"] == 4
    assert_rule(carried(done.findings), "3.3.2.2")
    assert [one.kind for one in done.state.smoke["E5"]] == ["dispersed"]
    window = [one for one in turn.asked if one.startswith("window")]
    assert len(window) >= 4


@by_all
@pytest.mark.rule("6.4", "3.2.4/intensive-fire", "6.10")
def test_6_4_a_hidden_gun_opens_fire_acquires_the_tank_and_fires_intensively_at_its_next_hex(how):
    """The first shot reveals the Gun (6.4); the mover stays in sight and keeps the acquisition marker.

    The Intensive shot has -1 for it and +2 for Intensive Fire. The Gun is marked Intensive, its crew Final Fire
    (3.3.3/sff).
    """
    table = a_table(
        {"g1": ("228", "E4")},
        attacker=RUSSIAN,
        weapons={"gg1": ("german-50l-at", "g1")},
        facings={"gg1": 4},
        states={"g1": {"hidden": True}},
        ground=a_ground({"brush": "E4"}),
        vehicles={"r2": (T34, "E10", 1)},
        dice={"3.2.4": [5, 5, 5, 5]},
    )
    turn = WholeTurn(
        table,
        how,
        ["r2 move E9, E8, E7"],
        ["gg1 watch E9 or E8 vehicles intensive"],
        {"E9": ["gg1 fire against r2"], "E8": ["gg1 fire against r2 intensive"]},
    )
    done = turn.play()
    assert_rule(done.findings, "6.4", inputs={"unit": "g1", "why": "it fires"}, result="revealed")
    (moved,) = [n for n, one in enumerate(done.findings) if one.rule == "3.3.2" and one.inputs.get("to") == "E8"]
    (followed,) = [n for n, one in enumerate(done.findings) if one.inputs.get("follows") and one.inputs["at"] == "E8"]
    assert moved < followed, "the marker follows the tank"
    told_so = TELLING.tell(done.findings[followed])
    assert str(told_so) == "6.10 gg1 follows its acquired target to E8 (-1)."
    shots = told(done, "3.2.4/vtt")
    assert len(shots) == 2
    assert rows(shots[1])["Intensive Fire"] == 2 and rows(shots[1])["acquired target"] == -1
    assert_rule(carried(done.findings), "3.2.4/intensive-fire", result=2)
    assert_rule(carried(done.findings), "6.10", result=-1)


@by_all
@pytest.mark.rule("6.2/wp", "3.3.3", "1.2.5")
def test_6_2_wp_as_first_fire_strikes_only_the_movers_and_leaves_dispersed_wp_for_the_next(how):
    """WP is fired at E8: r1 takes an NMC, but r3, which was there before, takes none.

    Dispersed WP is +1: the next mover pays 1 MF more, and FFMO does not apply to it.
    """
    table = a_table(
        {
            "g1": ("227", "E4"),
            "r1": ("447", "E9"),
            "r3": ("447", "E8"),
            "r4": ("447", "E9"),
            "rl4": ("r 8-0", "E9"),
            "g3": ("467", "D4"),
        },
        attacker=RUSSIAN,
        weapons={"gg1": ("american-81s-mtr", "g1")},
        facings={"gg1": 4},
        date="1944-07",
        dice={"3.2.4": [1, 4], "6.2/wp": [1, 2], "3.2.2": BLANK},
    )
    turn = WholeTurn(
        table,
        how,
        ["r1 move E8", "r4 rl4 move E8"],
        ["gg1 watch E8 wp once", "g3 watch E8 leaders"],
        {"E8": ["gg1 fire at E8 wp", "pass", "g3 fire at E8"]},
    )
    done = turn.play()
    assert [one.inputs["unit"] for one in told(done, "6.2/wp")] == ["r1"]
    assert_rule(done.findings, "6.2/wp", inputs={"unit": "r1"}, result="passed")
    assert [one.inputs["mf"] for one in told(done, "3.3.1") if one.inputs.get("to") == "E8"] == ["1", "2"]
    (shot,) = told(done, "3.2.2")
    assert shot.inputs["against"] == {"r4": 0, "rl4": 0}
    assert_rule(carried(done.findings), "1.2.5", result=1)
    assert_rule(carried(done.findings), "3.3.3", result=-1)


@by_all
@pytest.mark.rule("3.3.1/declaration")
def test_3_3_3_after_a_tank_the_next_stack_of_the_list_moves_and_so_does_the_one_after_it(how):
    table = a_table({"r1": ("447", "G9"), "r3": ("447", "I9")}, attacker=RUSSIAN, vehicles={"r2": (T34, "E9", 1)})
    done = WholeTurn(table, how, ["r2 move E8", "r1 move G8", "r3 move I8"]).play()
    assert [one.inputs["units"] for one in told(done, "3.3.1/declaration") if one.result == "ends its move"] == [
        ["r2"], ["r1"], ["r3"],
    ]  # fmt: skip
    assert_rule(done.findings, "3.3.1/declaration", inputs={"units": ["r1"]}, result="starts to move")
    assert (done.state.vehicles["r2"].at, done.state.units["r1"].at, done.state.units["r3"].at) == ("E8", "G8", "I8")


@by_all
@pytest.mark.rule("7.11", "3.2.4/att")
def test_7_11_a_mortar_shells_a_buttoned_tank_that_drives_past(how):
    """ATT is mandatory for mortars and affects every vehicle in the hex (3.2.4/att), in the MPh every moving one.

    81 mm halved is column 8, and the T-34's factors are neither all 4 or less nor all 8 or more. A 3 is a K: Shock or
    immobilization by the location of the TH DR, here the hull.
    """
    table = a_table(
        {"g1": ("228", "E4")},
        attacker=RUSSIAN,
        weapons={"gg1": ("german-81s-mtr", "g1")},
        facings={"gg1": 4},
        vehicles={"r2": (T34, "E10", 1)},
        dice={"3.2.4": [1, 3], "3.2.4/effects": [1, 2]},
    )
    turn = WholeTurn(table, how, ["r2 move E9, E8, E7"], ["gg1 watch E8"], {"E8": ["gg1 fire at E8"]})
    done = turn.play()
    assert_rule(done.findings, "3.2.4/att", inputs={"weapon": "gg1"})
    assert_rule(done.findings, "7.11", inputs={"vehicle": "r2", "location": "hull"}, result="immobilized")
    assert done.state.vehicles["r2"].at == "E8" and done.state.vehicles["r2"].immobilized
    still = a_table(
        {"g1": ("228", "E4"), "r1": ("447", "E10")},
        attacker=RUSSIAN,
        vehicles={"r2": (T34, "E8", 1)},
        weapons={"gg1": ("german-81s-mtr", "g1")},
        facings={"gg1": 4},
    )
    with pytest.raises(Refusal) as refusal:
        WholeTurn(still, "ask", ["r1 move E9"], shots={"E9": ["gg1 fire at E8"]}).play()
    assert "no moving unit is in E8" in str(refusal.value)


@by_all
@pytest.mark.rule("4.2", "3.3.5")
def test_4_2_a_flamethrower_that_a_fire_plan_names_fires_at_a_squad_beside_it(how):
    """24 FP is not doubled at point blank; FFMO does not apply, FFNAM is -1, and column 24 leaves Residual FP 12."""
    table = a_table(
        {"g1": ("548", "E4"), "r1": ("447", "E6")},
        attacker=RUSSIAN,
        weapons={"gf1": ("german-ft", "g1")},
        dice={"3.2.2": [4, 5], "3.2.3/mc": [1, 1]},
    )
    turn = WholeTurn(table, how, ["r1 move E5"], ["gf1 watch E5"], {"E5": ["gf1 fire at E5"]})
    done = turn.play()
    shot = assert_rule(done.findings, "3.2.2", inputs={"firers": ["gf1"], "fp": "24"})
    assert shot.inputs["against"] == {"r1": -1}
    assert_rule(done.findings, "3.3.5", inputs={"at": "E5", "column": 24}, result=12)
    with pytest.raises(Refusal) as refusal:
        table = a_table(
            {"g1": ("548", "E4"), "r1": ("447", "E6")}, attacker=RUSSIAN, weapons={"gf1": ("german-ft", "g1")}
        )
        WholeTurn(table, "ask", ["r1 move E5"], shots={"E5": ["g1 gf1 fire at E5"]}).play()
    assert_rule(refusal.value, "4.2")
