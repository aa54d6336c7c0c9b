"""Player turns of Infantry by written orders, each played with all three values of `reactions`."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import RUSSIAN, a_table, carried
from titles.aslsk.ground.building import a_ground
from titles.aslsk.whole_turns import REACTIONS, WholeTurn

from pbem.engine.rules.refusals import Refusal

SHAKEN = {"broken": True, "dm": True}
BLANK = [6, 5] * 12
"""Rolls of 11, which have no effect."""

by_all = pytest.mark.parametrize("how", REACTIONS)


def told(table, rule):
    return [found for found in every(table.findings) if found.rule == rule]


def attacks(table, rule="3.2.2"):
    return [found for found in told(table, rule) if "against" in found.inputs]


def sums(found):
    return found.inputs["against"]


@by_all
@pytest.mark.rule("3.3.3/sff", "3.3.3/fpf", "3.3.5")
def test_3_3_3_one_squad_fires_first_again_and_protectively_and_each_shot_leaves_its_residual_fp(how):
    """4 FP at E7 leaves 2; as SFF at E6, 2 FP leaves 1; as FPF at E5, 2 FP doubled is 4 and leaves 2.

    The second squad meets 2 and 1 on the way, both with FFMO and FFNAM, before any unit fires.
    """
    table = a_table(
        {"r1": ("447", "E8"), "r2": ("447", "E8"), "g1": ("467", "E4")},
        attacker=RUSSIAN,
        dice={
            "3.2.2": [6, 5],
            "3.3.3/sff": [6, 5],
            "3.3.3/fpf": [2, 4],
            "3.3.5": BLANK,
            "3.2.3/mc": [1, 1],
            "3.2.3/nmc": [1, 1],
        },
    )
    done = WholeTurn(
        table,
        how,
        ["r1 move E7, E6", "r2 move E7, E6, E5"],
        ["g1 watch", "sff g1", "fpf g1"],
        {"E7": ["g1 fire at E7"], "E6": ["g1 fire at E6"], "E5": ["g1 fire at E5"]},
    ).play("movement")
    left = [(one.inputs["at"], one.result) for one in told(done, "3.3.5") if "column" in one.inputs]
    assert left == [("E7", 2), ("E6", 1), ("E5", 2)]
    met = [(one.inputs["at"], one.inputs["against"]) for one in told(done, "3.3.5") if one.inputs.get("attack")]
    assert met == [("E7", {"r2": -2}), ("E6", {"r2": -2})]
    assert_rule(done.findings, "3.3.5", inputs={"at": "E7", "units": ["r2"]})
    assert_rule(done.findings, "3.3.3/sff", inputs={"fp": "2", "firers": ["g1"], "at": "E6"})
    assert_rule(done.findings, "3.3.3/fpf", inputs={"fp": "4", "at": "E5"})
    assert_rule(done.findings, "3.3.3/fpf", inputs={"unit": "g1", "morale": 7, "nmc": True}, result="passed")


@by_all
@pytest.mark.rule("1.2.5", "3.3.5", "3.3.1/smoke-grenades")
def test_1_2_5_smoke_thrown_ahead_covers_both_squads_costs_each_1_mf_and_lowers_no_residual_fp(how):
    """Smoke in the target hex is +2 and cancels FFMO; with FFNAM the sum is +1. Entering costs 2 MF.

    The MMG and squad fire on column 8 and leave 4, which smoke in the hex does not lower; the second squad meets it
    with +2 - 1.
    """
    table = a_table(
        {"g1": ("548", "E4"), "g2": ("548", "D3"), "r1": ("447", "E9")},
        weapons={"rw1": ("russian-mmg", "r1")},
        dice={"3.3.1/smoke-grenades": [1], "3.2.2": [4, 6], "3.3.5": BLANK},
    )
    done = WholeTurn(
        table, how, ["g1 move smoke E5, E5", "g2 move D4, E5"], ["r1 rw1 watch E5"], {"E5": ["r1 rw1 fire at E5"]}
    ).play()
    assert_rule(done.findings, "3.3.1/smoke-grenades", result="placed")
    (shot,) = attacks(done)
    assert sums(shot) == {"g1": 1} and shot.inputs["fp"] == "8"
    assert_rule(carried(done.findings), "1.2.5", result=2)
    assert_rule(done.findings, "3.3.5", inputs={"at": "E5", "column": 8}, result=4)
    assert_rule(done.findings, "3.3.5", inputs={"units": ["g2"], "against": {"g2": 1}})
    assert [one.inputs["mf"] for one in told(done, "3.3.1") if one.inputs.get("to") == "E5"] == ["2", "2"]


@by_all
@pytest.mark.rule("3.2.2/leader-direction", "3.2.2/cowering", "3.3.5")
def test_3_2_2_two_leaders_direct_two_hexes_with_the_worse_drm_which_lowers_the_residual_fp(how):
    """A 6+1 and an 8-1 direct the group, so +1 applies; doubles do not cower, as both hexes are directed.

    8 FP leaves 4, or 2 after one step down for the +1 from outside the hex.
    """
    table = a_table(
        {
            "g1": ("467", "E4"),
            "gl1": ("g 8-1", "E4"),
            "g2": ("467", "F3"),
            "gl2": ("g 6+1", "F3"),
            "r1": ("447", "F8"),
        },
        attacker=RUSSIAN,
        dice={"3.2.2": [4, 4]},
    )
    done = WholeTurn(
        table, how, ["r1 move F7"], ["g1 g2 watch F7 with gl1 gl2"], {"F7": ["g1 g2 fire at F7 with gl1 gl2"]}
    ).play()
    (shot,) = attacks(done)
    assert sums(shot) == {"r1": -1} and not told(done, "3.2.2/cowering")
    assert_rule(carried(done.findings), "3.2.2/leader-direction", result=1)
    assert_rule(done.findings, "3.3.5", inputs={"at": "F7", "column": 8}, result=2)
    table = a_table(
        {"g1": ("467", "E4"), "gl1": ("g 8-1", "E4"), "g2": ("467", "F3"), "r1": ("447", "F8")},
        attacker=RUSSIAN,
        dice={"3.2.2": [4, 4]},
    )
    done = WholeTurn(table, how, ["r1 move F7"], ["g1 g2 watch F7"], {"F7": ["g1 g2 fire at F7"]}).play()
    assert_rule(done.findings, "3.2.2/cowering", inputs={"firers": ["g1", "g2"]}, result=1)


@by_all
@pytest.mark.rule("3.3.5", "3.2.1")
def test_3_3_5_one_orchard_on_the_way_lowers_the_residual_fp_and_spares_a_runner_ffmo(how):
    """4 FP through one orchard has +1 and no FFMO, and with FFNAM the sum is 0 (3.3.5 example).

    Column 4 leaves 2, or 1 after one step down.
    """
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E8")},
        attacker=RUSSIAN,
        ground=a_ground({"orchard": "E6"}),
        dice={"3.2.2": [6, 5]},
    )
    done = WholeTurn(table, how, ["r1 move E7"], ["g1 watch E7"], {"E7": ["g1 fire at E7"]}).play()
    (shot,) = attacks(done)
    assert sums(shot) == {"r1": 0}
    assert_rule(carried(done.findings), "3.2.1", result=1)
    assert_rule(done.findings, "3.3.5", inputs={"at": "E7"}, result=1)


@by_all
@pytest.mark.rule("1.2.4.1", "3.4", "3.2.2")
def test_3_4_an_mg_that_lost_its_rate_reaches_only_its_neighbours_in_the_dfph_but_its_squad_fires_far(how):
    """The MG fires at E7 (ROF kept) and at E6 (ROF lost: First Fire); its squad never fired and is unmarked.

    In the DFPh the squad fires at three hexes with all its FP, but the MG may not (3.4).
    """
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E9")},
        attacker=RUSSIAN,
        weapons={"gw1": ("german-mmg", "g1")},
        dice={"3.2.2": [6, 1, 6, 5, 6, 4]},
    )
    done = WholeTurn(
        table,
        how,
        ["r1 move E8, E7"],
        ["gw1 watch E8 or E7"],
        {"E8": ["gw1 fire at E8"], "E7": ["gw1 fire at E7"]},
        {"final_fire": ["g1 fire at E7"]},
    ).play()
    assert [shot.inputs["firers"] for shot in attacks(done)] == [["gw1"], ["gw1"], ["g1"]]
    assert_rule(done.findings, "1.2.4.1", inputs={"weapon": "gw1"}, result="may fire again")
    last = attacks(done)[-1]
    assert last.inputs["fp"] == "4" and sums(last) == {"r1": 0}
    assert_rule(done.findings, "3.2.2", inputs={"firers": ["g1"], "at": "E7"})
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E9")},
        attacker=RUSSIAN,
        weapons={"gw1": ("german-mmg", "g1")},
        dice={"3.2.2": [6, 5] * 2},
    )
    done = WholeTurn(
        table,
        how,
        ["r1 move E8, E7"],
        ["gw1 watch E8"],
        {"E8": ["gw1 fire at E8"]},
        {"final_fire": ["g1 gw1 fire at E7"]},
    ).play()
    assert attacks(done)[-1].inputs["firers"] == ["g1"]
    assert_rule(done.findings, "3.4", inputs={"order": "g1 gw1 fire at E7"})


@pytest.mark.rule("3.3.1", effect=True)
@by_all
@pytest.mark.rule("3.3.1/cx", "3.5", "3.2.2/fp-modification")
def test_3_5_a_squad_that_ran_fires_beside_the_enemy_at_half_and_double_with_1_more(how):
    """After Double Time the squad is CX; in the AFPh 4 FP halved and doubled is 4, with +1 for CX.

    In the DFPh before it, the defender's squad, marked First Fire, fires with half of its doubled FP, without FFMO
    and FFNAM.
    """
    table = a_table(
        {
            "g1": ("447g", "E4"),
            "r1": ("447", "E10"),
        },
        dice={"3.2.2": BLANK},
    )
    done = WholeTurn(
        table,
        how,
        ["g1 move double E5, E6, E7, E8, E9"],
        ["r1 watch E7"],
        {"E7": ["r1 fire at E7"]},
        {"final_fire": ["r1 fire at E9"], "advancing_fire": ["g1 fire at E10"]},
    ).play()
    first, final, last = attacks(done)
    assert (first.inputs["fp"], sums(first)) == ("4", {"g1": -2})
    assert (final.inputs["fp"], sums(final)) == ("4", {"g1": 0})
    assert (last.inputs["fp"], sums(last)) == ("4", {"r1": 1})
    assert_rule(carried(done.findings), "3.3.1/cx", result=1)
    assert_rule(carried(done.findings), "3.5", inputs={"component": "g1"})
    assert_rule(carried(done.findings), "3.2.2/fp-modification", inputs={"component": "g1", "text": "point blank"})


@by_all
@pytest.mark.rule("3.3.1/recovery", "3.5")
def test_3_5_a_heavy_mg_that_is_recovered_but_not_carried_may_fire_in_the_afph(how):
    """3.5 bars MMG and HMG that moved; an MG that was recovered and left in its hex has not moved (4.0).

    The squad's 4 FP and the MMG's 5 make 9, halved to 4.5; without the MMG, 4 FP is halved to 2.
    """
    for legs, able in ((["recover gw1"], True), (["recover gw1", "E5"], False)):
        table = a_table(
            {"g1": ("467", "E4"), "r1": ("447", "E9")},
            weapons={"gw1": ("german-mmg", "")},
            dice={"3.3.1/recovery": [1], "3.2.2": BLANK},
        )
        table.state.weapons["gw1"].at = "E4"
        lines = ["g1 gw1 fire at E9"] if able else ["g1 fire at E9"]
        done = WholeTurn(table, how, [f"g1 move {', '.join(legs)}"], later={"advancing_fire": lines}).play()
        assert_rule(done.findings, "3.3.1/recovery", result="recovered")
        (shot,) = attacks(done)
        assert shot.inputs["fp"] == ("4.5" if able else "2")
        assert_rule(carried(done.findings), "3.5", inputs={"component": "g1"})
    assert done.state.weapons["gw1"].holder == "g1"


@by_all
@pytest.mark.rule("3.6/rout-movement")
def test_3_6_a_routing_unit_may_end_beside_a_hidden_gun_but_not_beside_a_squad(how):
    """A hidden unit is never Known (6.4), so the unit may end in woods beside it, but not beside a squad."""
    for hidden in (True, False):
        table = a_table(
            {"r1": ("447", "E6"), "g1": ("467", "E5"), "g2": ("228", "E10")},
            attacker=RUSSIAN,
            weapons={"gg1": ("german-75l-at", "g2")},
            facings={"gg1": 1},
            ground=a_ground({"woods": "E9 E10"}),
            states={"r1": SHAKEN, "g2": {"hidden": hidden}},
            dice={"3.6/interdiction": [1, 1] * 5, "3.1/e-self-rally": [6, 5]},
        )
        turn = WholeTurn(table, how, ["none"], later={"rout r1": ["r1 rout E7 E8 E9"]})
        if hidden:
            done = turn.play()
            assert_rule(done.findings, "3.6/rout-movement", inputs={"unit": "r1", "to": "E9"})
            assert done.state.units["r1"].at == "E9" and done.state.units["g2"].hidden
        else:
            with pytest.raises(Refusal) as refusal:
                turn.play()
            assert_rule(refusal.value, "3.6/rout-movement")


@by_all
@pytest.mark.rule("3.6/must-rout", "3.6/low-crawl")
def test_3_6_between_two_squads_a_unit_can_neither_crawl_nor_run_and_is_lost(how):
    """Every hex around E6 is adjacent to an unbroken enemy, where no step of a rout may end."""
    table = a_table(
        {"r1": ("447", "E6"), "g1": ("467", "E5"), "g2": ("467", "E7"), "g3": ("467", "C6"), "g4": ("467", "G6")},
        attacker=RUSSIAN,
        states={"r1": SHAKEN},
        dice={"3.1/e-self-rally": [6, 5]},
    )
    with pytest.raises(Refusal) as refusal:
        WholeTurn(table, how, ["none"], later={"rout r1": ["r1 crawl D5"]}).play()
    assert_rule(refusal.value, "3.6/low-crawl")
    table = a_table(
        {"r1": ("447", "E6"), "g1": ("467", "E5"), "g2": ("467", "E7"), "g3": ("467", "C6"), "g4": ("467", "G6")},
        attacker=RUSSIAN,
        states={"r1": SHAKEN},
        dice={"3.1/e-self-rally": [6, 5]},
    )
    done = WholeTurn(table, how, ["none"]).play()
    assert_rule(done.findings, "3.6/must-rout", inputs={"unit": "r1"}, result="eliminated")
    assert "r1" not in done.state.units


@by_all
@pytest.mark.rule("3.3.1/declaration")
def test_3_3_1_a_stack_that_left_a_broken_squad_behind_ends_its_move_without_it(how):
    """11/stack-losses: r1 breaks in E7 and stays; only r2 ends its move in E6, and the report says so."""
    table = a_table(
        {"r1": ("447", "E8"), "r2": ("447", "E8"), "g1": ("467", "E4")}, attacker=RUSSIAN,
        dice={"3.2.2": [3, 4], "3.2.3/mc": [6, 5, 1, 2]},
    )  # fmt: skip
    done = WholeTurn(table, how, ["r1 r2 move E7, E6"], ["g1 watch E7"], {"E7": ["g1 fire at E7"]}).play()
    assert done.state.units["r2"].at == "E6" and done.state.units["r1"].broken
    assert_rule(done.findings, "3.3.1/declaration", inputs={"units": ["r2"], "at": "E6"}, result="ends its move")


@pytest.mark.rule("11/standing-orders", effect=True)
@by_all
@pytest.mark.rule("3.2.2")
def test_11_a_line_that_holds_one_squad_back_does_not_hold_the_other(how):
    """11 G0: `hold g1 until 2` applies to g1 alone: g2 fires at three hexes, g1 only at two."""
    table = a_table(
        {"r1": ("447", "E9"), "g1": ("467", "E4"), "g2": ("467", "D4")}, attacker=RUSSIAN, dice={"3.2.2": BLANK}
    )
    done = WholeTurn(
        table, how, ["r1 move E8, E7, E6"], ["hold g1 until 2", "g1 watch", "g2 watch"],
        {"E8": ["g2 fire at E8"], "E6": ["g1 fire at E6"]},
    ).play()  # fmt: skip
    assert [(shot.inputs["firers"], shot.inputs["at"]) for shot in attacks(done)] == [(["g2"], "E8"), (["g1"], "E6")]
    assert_rule(done.findings, "3.2.2", inputs={"firers": ["g2"], "at": "E8"})
