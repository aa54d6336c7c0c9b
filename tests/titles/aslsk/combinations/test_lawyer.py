"""Awkward combinations of rules; each case states its answer, with the numbers of the rules that give it."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, carried, driving, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.engine.rules.ask import Together
from pbem.titles.aslsk.cards.scenario import Goal
from pbem.titles.aslsk.close_combat.phase import fight_with_vehicles
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.effects import Aimed, strike
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.phase import expenditure, start_mover
from pbem.titles.aslsk.movement.residual import residual_attack
from pbem.titles.aslsk.orders import Assault, CombatOrder, Leg, MoveOrder, Orders, RallyOrders, RoutOrder
from pbem.titles.aslsk.rally.rally import rally_by_leaders
from pbem.titles.aslsk.rout.phase import rout, rout_next
from pbem.titles.aslsk.state import Smoke
from pbem.titles.aslsk.vehicles.costs import entry_cost
from pbem.titles.aslsk.vehicles.driving import start_vehicle
from pbem.titles.aslsk.vehicles.steps import enter
from pbem.titles.aslsk.victory import update_control

T34, PZ4, BA64 = "russian-t34-85", "german-pz4h", "russian-ba-64b"
SHAKEN = {"broken": True, "dm": True}


def objections(table, attack, seat=GERMAN):
    return list(attack_objections(table.situation, seat, attack))


def defending(units, at="E5", spent=2, **more):
    """Set up a German defence, with a Russian squad that has just entered a hex."""
    table = a_table({"r1": ("447", at), **units}, phase="movement", attacker=RUSSIAN, **more)
    moving_in(table, ["r1"], spent=spent)
    return table


def played(step, answers=None):
    """Play a step to its end and return the asks; `answers` gives the answers to asks, and the seat
    passes if there is none."""
    asked, answer = [], None
    while True:
        try:
            ask = step.send(answer)
        except StopIteration:
            return asked
        asks = ask.asks if isinstance(ask, Together) else (ask,)
        asked += asks
        found = tuple(answers(one) if answers else None for one in asks)
        answer = found if isinstance(ask, Together) else found[0]


# --- fire groups ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.2.2/mandatory-fg")
def test_7_8_machine_guns_of_one_tank_fire_at_one_hex_together_or_not_at_all():
    """def/mandatory-fg, 7.8: once the bow MG has fired at a target, the CMG cannot fire at it separately; ordnance
    may still fire separately."""
    table = a_table(
        {"r1": ("447", "E8"), "r2": ("447", "D7"), "g1": ("467", "E4")}, vehicles={"g2": (PZ4, "E4", 4)},
        dice={"3.2.2": [3, 4]},
    )  # fmt: skip
    fire(table, Attack(("g2bmg",), "E8"))
    assert_rule(objections(table, Attack(("g2cmg",), "E8")), "3.2.2/mandatory-fg")
    assert not objections(table, Attack(("g2cmg",), "D7"))
    assert not objections(table, Attack(("g2ma",), "E8"))
    assert not objections(table, Attack(("g1",), "E8"))  # a squad in the hex never joins a tank


@pytest.mark.rule("3.2.2/mandatory-fg")
def test_7_8_a_squad_that_has_fired_does_not_bind_the_tank_beside_it():
    table = a_table(
        {"r1": ("447", "E8"), "g1": ("467", "E4"), "g3": ("467", "E4")}, vehicles={"g2": (PZ4, "E4", 4)},
        dice={"3.2.2": [3, 4]},
    )  # fmt: skip
    fire(table, Attack(("g1",), "E8"))
    assert_rule(objections(table, Attack(("g3",), "E8")), "3.2.2/mandatory-fg")
    assert not objections(table, Attack(("g2bmg", "g2cmg"), "E8"))


@pytest.mark.rule("3.3.5", "3.2.1")
def test_3_2_2_one_hindered_member_costs_the_whole_group_ffmo_and_its_residual_fp_a_column():
    """8 FP leaves 4 Residual FP; an orchard in front of one of two firers adds +1, cancels FFMO and reduces the
    Residual FP to 2.

    (3.2.2/fire-groups, 3.3.3, 3.3.5)
    """
    table = defending({"g1": ("467", "E5"), "g2": ("467", "E4")}, at="E8", ground=a_ground({"orchard": "F5"}),
                      dice={"3.2.2": [6, 5]})  # fmt: skip
    assert table.situation.sight("E5", "E8").hindrance == 0
    table.state.units["g1"].at = "F4"
    assert table.situation.ground.adjacent("F4", "E4") and table.situation.sight("F4", "E8").hindrance == 1
    fire(table, Attack(("g1", "g2"), "E8"))
    told = [row.inputs["text"] for row in carried(table.findings)]
    assert "FFNAM" in told and "FFMO" not in told
    assert_rule(carried(table.findings), "3.2.1", inputs={"text": "hindrance"}, result=1)
    assert_rule(table.findings, "3.3.5", inputs={"at": "E8", "column": 8}, result=2)


@pytest.mark.rule("3.3.1/cx", "3.2.2/leader-direction")
def test_3_3_1_a_tired_leader_lends_his_skill_and_his_weariness_once():
    """A CX 9-1 gives -1 and +1; with a CX squad beside the leader it is still only +1 (3.3.1/cx)."""
    for tired in (False, True):
        table = a_table({"g1": ("467", "E4"), "gl": ("g 9-1", "E4"), "r1": ("447", "E8")},
                        states={"gl": {"cx": True}, "g1": {"cx": tired}}, dice={"3.2.2": [4, 4]})  # fmt: skip
        fire(table, Attack(("g1",), "E8", ("gl",)))
        assert_rule(carried(table.findings), "3.3.1/cx", result=1)
        assert_rule(carried(table.findings), "3.2.2/leader-direction", result=-1)
        assert table.findings[-1].inputs["against"] == {"r1": 0}


@pytest.mark.rule("3.2.2/cowering", "3.2.2/leader-direction")
def test_3_2_2_a_wounded_leader_who_lends_nothing_still_prevents_cowering():
    """A wounded 8-0 is a 7+1: it adds 1 to the DR, but prevents cowering (3.2.3/wounds, 3.2.2/leader-direction)."""
    led = a_table({"g1": ("467", "E4"), "gl": ("g 8-0", "E4"), "r1": ("447", "E8")}, states={"gl": {"wounded": True}},
                  dice={"3.2.2": [3, 3]})  # fmt: skip
    fire(led, Attack(("g1",), "E8", ("gl",)))
    assert_rule(carried(led.findings), "3.2.2/leader-direction", result=1)
    assert led.findings[-1].cell == {"column": 4, "used": 4, "cowered": False}
    alone = a_table({"g1": ("467", "E4"), "r1": ("447", "E8")}, dice={"3.2.2": [3, 3]})
    fire(alone, Attack(("g1",), "E8"))
    assert_rule(alone.findings, "3.2.2/cowering", inputs={"firers": ["g1"]}, result=1)


@pytest.mark.rule("3.5/assault-fire", "3.2.3/pin")
def test_3_5_assault_fire_of_pinned_men_adds_one_after_both_halvings():
    """5 FP halved twice is 1.25, and 1.25 + 1, rounded up, is 3: column 2 (3.5/assault-fire).

    Beyond normal range 0.625 FP is not enough for a shot.
    """
    table = a_table({"g1": ("548", "E4"), "r1": ("447", "E6"), "r2": ("447", "E10")}, phase="advancing",
                    states={"g1": {"pinned": True}}, dice={"3.2.2": [3, 4]})  # fmt: skip
    assert_rule(objections(table, Attack(("g1",), "E10")), "3.2.3")
    fire(table, Attack(("g1",), "E6"))
    assert_rule(carried(table.findings), "3.5/assault-fire", inputs={"component": "g1"}, result="3")
    assert_rule(carried(table.findings), "3.2.3/pin", inputs={"component": "g1"})
    assert table.findings[-1].cell["column"] == 2


# --- second fire ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.3/fpf", "3.2.2/cowering", "3.3.5")
def test_3_3_3_fpf_that_cowers_still_fires_leaves_residual_fp_and_breaks_its_firer():
    """4 FP halved and doubled is 4, and cowers to column 2 (8 - 2 is a PTC), which leaves 1 Residual FP. The 8 is
    also the firer's NMC (3.3.3/fpf), which fails against morale 7.
    """
    table = defending({"g1": ("467", "E4")}, states={"g1": {"fired": "final"}},
                      dice={"3.3.3/fpf": [4, 4], "3.2.3/ptc": [1, 1]})  # fmt: skip
    fire(table, Attack(("g1",), "E5"))
    assert_rule(table.findings, "3.2.2/cowering", result=1)
    assert_rule(table.findings, "3.3.3/fpf", inputs={"firers": ["g1"]}, result={"r1": "PTC"})
    assert_rule(table.findings, "3.3.5", inputs={"column": 2}, result=1)
    assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "g1", "nmc": True}, result="failed")
    assert table.state.units["g1"].broken and table.state.residual == {"E5": 1}


@pytest.mark.rule("3.3.3/fpf")
@pytest.mark.parametrize(
    ("dice", "leader", "squad", "drm"), [([4, 5], "pinned", "failed", 0), ([3, 5], "passed", "pinned", -1)]
)
def test_3_3_3_a_leader_helps_in_fpf_only_if_he_passes_unharmed(dice, leader, squad, drm):
    """On a 9 the 9-1 is pinned and does not help, and a 9 fails morale 7; on an 8 the leader passes.

    8 - 1 is then an exact pass for the squad (3.3.3/fpf).
    """
    table = defending({"g1": ("467", "E4"), "gl": ("g 9-1", "E4")}, dice={"3.3.3/fpf": dice},
                      states={"g1": {"fired": "final"}, "gl": {"fired": "final", "directed": ["g1"]}})  # fmt: skip
    fire(table, Attack(("g1",), "E5", ("gl",)))
    assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "gl", "nmc": True}, result=leader)
    told = assert_rule(table.findings, "3.3.3/fpf", inputs={"unit": "g1", "nmc": True}, result=squad)
    assert sum(row["value"] for row in told.modifiers) == drm


@pytest.mark.rule("3.3.3/sff")
def test_3_3_3_a_tank_that_is_nearer_forbids_subsequent_first_fire_unless_it_is_out_of_sight():
    """3.3.3/sff: the nearest Known enemy may be a vehicle; a tank behind a house and a hidden crew are not Known."""
    for houses, seen in (({}, True), ({"stone": "G5"}, False)):
        table = defending({"g1": ("467", "E4"), "r9": ("r228", "D4")}, at="E8", ground=a_ground(houses),
                          vehicles={"r2": (T34, "H5", 1)},
                          states={"g1": {"fired": "first"}, "r9": {"hidden": True}})  # fmt: skip
        assert table.situation.sees("E4", "H5") is seen and table.situation.ground.distance("E4", "H5") == 3
        found = objections(table, Attack(("g1",), "E8"))
        assert bool(found) is seen
        if seen:
            assert_rule(found, "3.3.3/sff", why="g1 cannot fire at E8: it sees a nearer enemy")


# --- smoke and residual fire ----------------------------------------------------------------------------------------


@pytest.mark.rule("1.2.5")
@pytest.mark.parametrize(
    ("left", "right", "hindrance"),
    [("dispersed", "", 2), ("dispersed", "wp_dispersed", 2), ("full", "full", 3), ("wp_dispersed", "", 1)],
)
def test_1_2_5_smoke_on_both_sides_of_a_hexside_counts_once_with_the_larger_value(left, right, hindrance):
    """3.2.1: on a line along a hexside the Smoke of both hexes counts once (E5-G5 runs between F4 and F5)."""
    table = a_table({"g1": ("467", "E5"), "r1": ("447", "G5")}, dice={"3.2.2": [3, 4]})
    for hex, kind in (("F4", left), ("F5", right)):
        if kind:
            table.state.smoke[hex] = [Smoke(kind, RUSSIAN)]
    fire(table, Attack(("g1",), "G5"))
    assert_rule(carried(table.findings), "3.2.1", inputs={"text": "hindrance"}, result=hindrance)
    table.state.smoke = {"E5": [Smoke("grenade", GERMAN), Smoke("dispersed", GERMAN)]}
    assert table.situation.sight("E5", "G5").hindrance == 4  # 2 and 2 are at most 3, and 1 for firing out of it
    table.state.smoke = {"G5": [Smoke("grenade", GERMAN)]}
    table.state.units["g1"].fired = ""
    fire(table, Attack(("g1",), "G5"))
    assert_rule(carried(table.findings), "1.2.5", inputs={"text": "Smoke in the target hex"}, result=2)


@pytest.mark.rule("3.3.5")
def test_3_3_5_smoke_thrown_in_a_hex_with_residual_fp_brings_no_second_attack():
    """FFMO and FFNAM give -2; with Smoke, +2 without FFMO gives +1, which is no worse for the unit (3.3.5)."""
    table = defending({"g1": ("467", "A1")}, dice={"3.3.5": [6, 6]})
    table.state.residual["E5"] = 4
    mover = [table.state.units["r1"]]
    residual_attack(table, mover)
    assert_rule(table.findings, "3.3.5", inputs={"attack": True, "against": {"r1": -2}})
    table.state.smoke["E5"] = [Smoke("grenade", RUSSIAN)]
    residual_attack(table, mover)
    assert sum(found.rule == "3.3.5" for found in table.findings) == 1


@pytest.mark.rule("7.7", "3.3.5")
def test_7_7_residual_fp_does_not_attack_a_crew_that_opens_its_hatches_where_it_stands():
    """3.3.5: only units that enter or spend MP are attacked; opening hatches spends no MP, but opens a
    window (7.7)."""
    table = a_table({"g1": ("467", "E4")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement", attacker=RUSSIAN,
                    dice={"3.3.5": [1, 1]})  # fmt: skip
    driving(table, "r1", ("E9", 0), ("E8", 2))
    table.state.residual["E8"] = 4
    table.state.sealed = {RUSSIAN: Orders(moves=(MoveOrder(("r1",), (Leg("open"), Leg("delay", number=1))),))}
    asked = played(expenditure(table))
    assert_rule(table.findings, "7.7", inputs={"vehicle": "r1"}, result="crew exposed")
    assert [ask.kind for ask in asked] == ["window", "go_on"]
    assert not any(found.rule == "3.3.5" for found in every(table.findings))
    played(expenditure(table))  # it stops for the delay: MP spent in the hex
    assert_rule(table.findings, "3.3.5", inputs={"attack": True, "units": ["r1"]})


# --- leaders lost ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.6/leader-rout", "3.2.3/llmc")
def test_3_6_the_death_of_a_leader_on_the_rout_shakes_the_squad_that_holds_the_hex():
    """The routing squad fails with 11 - 1, so the leader who routs with it dies, and the Good Order squad in the hex
    checks with +1 (3.6, 3.2.3/llmc).
    """
    table = a_table(
        {"g1": ("467", "E4"), "r1": ("447", "E6"), "rl": ("r 8-1", "E6"), "r2": ("447", "E7")}, phase="rout",
        states={"r1": SHAKEN}, dice={"3.6/interdiction": [6, 5], "3.2.3/llmc": [3, 3]},
    )  # fmt: skip
    rout(table, table.state.units["r1"], RoutOrder("r1", ("E7",), leader="rl"))
    assert_rule(table.findings, "3.6/leader-rout", inputs={"unit": "rl"}, result="eliminated")
    told = assert_rule(table.findings, "3.2.3/llmc", inputs={"unit": "r2", "morale": 7}, result="pinned")
    assert [row["value"] for row in told.modifiers] == [1]


@pytest.mark.rule("3.1/f-rally", "3.2.3/llmc")
def test_3_1_a_leader_who_dies_of_an_original_12_in_rally_shakes_his_stack():
    """A 12 in rally is Casualty Reduction, and a wound dr of 5 kills the leader, so the squad
    takes an NMC with +1.
    """
    table = a_table(
        {"g1": ("467", "E4"), "g2": ("467", "E4"), "gl": ("g 8-1", "E4"), "gx": ("g 9-1", "E4")}, phase="rally",
        states={"gl": SHAKEN, "g2": SHAKEN},
        dice={"3.1/f-rally": [6, 6, 6, 5], "3.2.3/wounds": [5], "3.2.3/llmc": [2, 2]},
    )  # fmt: skip
    rally_by_leaders(table, GERMAN, RallyOrders())
    assert_rule(table.findings, "3.1/f-rally", inputs={"unit": "gl"}, result="casualties")
    told = assert_rule(table.findings, "3.2.3/llmc", inputs={"unit": "g1"}, result="passed")
    assert sum(row["value"] for row in told.modifiers) == 0  # +1, and -1 of the leader who is left
    assert not any(found.rule == "3.2.3/llmc" and found.inputs["unit"] != "g1" for found in every(table.findings))


@pytest.mark.rule("3.6/must-rout", "3.2.3/llmc")
def test_3_6_a_leader_eliminated_for_failure_to_rout_is_missed_by_his_stack():
    ring = "E5 F4 F5 E7 D4 D5"
    hexes = {f"g{number}": ("467", hex) for number, hex in enumerate(ring.split(), start=1)}
    table = a_table({**hexes, "rl": ("r 8-1", "E6"), "r2": ("447", "E6")}, phase="rout", attacker=RUSSIAN,
                    states={"rl": SHAKEN}, dice={"3.2.3/llmc": [6, 5]})  # fmt: skip
    for number, hex in enumerate(table.situation.ground.neighbours("E6"), start=1):
        table.state.units[f"g{number}"].at = hex
    played(rout_next(table, RUSSIAN))
    assert_rule(table.findings, "3.6/must-rout", inputs={"unit": "rl"}, result="eliminated")
    assert_rule(table.findings, "3.2.3/llmc", inputs={"unit": "r2"}, result="failed")


@pytest.mark.rule("3.2.3/k", "3.2.3/mc", "3.2.3/wounds")
def test_3_2_3_a_leader_wounded_by_k_checks_with_less_morale_and_leads_nobody():
    """A K/2 wounds the 9-1; then 6 + 2 against 8 is an exact pass that pins the leader (3.2.3, A19).

    The squad does not get his -1.
    """
    table = a_table({"rl": ("r 9-1", "E8"), "r1": ("447", "E8")},
                    dice={"3.2.3/k": [1], "3.2.3/wounds": [3], "3.2.3/mc": [3, 3, 2, 3]})  # fmt: skip
    units = table.state.units
    strike(table, 4, 2, [Aimed(units["rl"], ()), Aimed(units["r1"], ())])
    assert_rule(table.findings, "3.2.3/k", inputs={"unit": "rl"}, result="K/2")
    assert_rule(table.findings, "3.2.3/wounds", inputs={"unit": "rl"}, result="wounded")
    assert_rule(table.findings, "3.2.3/mc", inputs={"unit": "rl", "morale": 8}, result="pinned")
    told = assert_rule(table.findings, "3.2.3/mc", inputs={"unit": "r1", "morale": 7}, result="pinned")
    assert [row["value"] for row in told.modifiers] == [2]


@pytest.mark.rule("3.2.2", "3.2.3/kia")
def test_3_8_fire_at_a_melee_hits_both_sides_and_nobody_in_it_misses_the_leader():
    """3.8/melee, 3.2.3/llmc: units of both sides are targets; units in Melee are not in Good Order
    and take no LLMC.
    """
    table = a_table({"g1": ("467", "E6"), "g2": ("467", "E8"), "gl": ("g 9-1", "E8"), "r1": ("447", "E8")},
                    dice={"3.2.2": [1, 1], "3.2.3/kia": [2]})  # fmt: skip
    table.state.melee = ["E8"]
    fire(table, Attack(("g1",), "E8", ()))
    assert set(assert_rule(table.findings, "3.2.2").result) == {"g2", "gl", "r1"}
    table = a_table({"g1": ("467", "E6"), "g2": ("467", "E8"), "gl": ("g 9-1", "E8"), "r1": ("447", "E8")},
                    dice={"3.2.3/kia": [2]})  # fmt: skip
    table.state.melee = ["E8"]
    strike(table, 4, 1, [Aimed(table.state.units[id], ()) for id in ("g2", "gl", "r1")])
    assert_rule(table.findings, "3.2.3/kia", inputs={"unit": "gl"}, result="eliminated")
    assert not any(found.rule == "3.2.3/llmc" for found in every(table.findings))


# --- rout and close combat ------------------------------------------------------------------------------------------


@pytest.mark.rule("3.2.3/pin", effect=True)
@pytest.mark.rule("3.6/interdiction", "3.6/rout-movement")
def test_3_6_an_exact_pass_stops_only_a_rout_of_men_not_pinned_before():
    """3.2.3/pin: a unit is pinned only once per player turn; a unit that was pinned before it broke
    passes on 7 and continues."""
    for before, end in ((False, "E7"), (True, "E8")):
        table = a_table({"g1": ("467", "E4"), "r1": ("447", "E6")}, phase="rout", ground=a_ground({"woods": "E8"}),
                        states={"r1": {**SHAKEN, "was_pinned": before}},
                        dice={"3.6/interdiction": [3, 4]})  # fmt: skip
        rout(table, table.state.units["r1"], RoutOrder("r1", ("E7", "E8")))
        assert_rule(table.findings, "3.6/interdiction", inputs={"unit": "r1"}, result="pinned")
        assert_rule(table.findings, "3.6/rout-movement", inputs={"unit": "r1"}, result=end)
        assert table.state.units["r1"].at == end


@pytest.mark.rule("3.8/sequence-vehicle", effect=True)
@pytest.mark.rule("3.8/vs-vehicle", "3.8/vehicle-attack", "3.8/ambush")
def test_3_8_an_ambusher_makes_all_attacks_on_a_tank_before_it_answers_and_both_sides_feel_the_ambush():
    """3.8/ambush, 3.8/sequence-vehicle: g1 and g2 attack first, each at -1; then the CMG attacks at +1."""
    table = a_table({"g1": ("467", "E8"), "g2": ("467", "E8")}, vehicles={"r1": (T34, "E8", 1)},
                    dice={"3.8/vs-vehicle": [4, 4, 4, 5], "3.8/vehicle-attack": [3, 3]})  # fmt: skip
    attacks = {
        GERMAN: iter([Assault(("g1",), ("r1",)), Assault(("g2",), ("r1",))]),
        RUSSIAN: iter([Assault(("r1",), ("g2",))]),
    }
    asked = played(
        fight_with_vehicles(table, "E8", GERMAN),
        lambda ask: CombatOrder("E8", tuple([one] if (one := next(attacks[ask.seat], None)) else [])),
    )
    assert [ask.seat for ask in asked] == [GERMAN, GERMAN, RUSSIAN]
    told = assert_rule(table.findings, "3.8/vs-vehicle", inputs={"units": ["g2"]})
    assert {row["text"]: row["value"] for row in told.modifiers} == {"ambusher": -1}
    told = assert_rule(table.findings, "3.8/vehicle-attack", inputs={"odds": "1:2"})
    assert {row["text"]: row["value"] for row in told.modifiers} == {"ambushed": 1}
    assert_rule(carried(table.findings), "3.8/ambush", inputs={"text": "ambushed"}, result=1)


# --- vehicles -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.2/mp-costs")
def test_3_3_2_2_delay_is_announced_point_by_point_and_each_opens_a_window():
    """3.3.2.2: delay MP are spent one by one, and each opens a DFF window: `wait 3` is three expenditures of 1 MP."""
    table = a_table({"g1": ("467", "E4")}, vehicles={"r1": (T34, "E8", 1)}, phase="movement", attacker=RUSSIAN)
    order = MoveOrder(("r1",), (Leg("delay", number=3), Leg("motion")))
    table.state.sealed = {RUSSIAN: Orders(moves=(order,))}
    assert start_vehicle(table, order, 0)
    windows = []
    for spent in (1, 2, 3):
        windows += [ask.kind for ask in played(expenditure(table))]
        assert table.state.vehicles["r1"].going.spent == 2 * spent
    assert windows == ["window", "go_on"] * 3
    told = [found for found in table.findings if found.rule == "3.3.2/mp-costs"]
    assert [found.inputs["mp"] for found in told] == ["1", "1", "1"]
    assert_rule(told, "3.3.2/mp-costs", result="waits")


@pytest.mark.rule("3.3.2/minimum-move", "7.6")
def test_1_1_1_a_car_enters_smoking_woods_only_by_a_minimum_move_and_stays_in_motion():
    """1.1.1: spending all MP leaves none for the Smoke, so the car can enter only by
    3.3.2/minimum-move, in Motion.
    """
    table = a_table({}, vehicles={"r1": (BA64, "E8", 1)}, ground=a_ground({"woods": "E7"}), phase="movement",
                    attacker=RUSSIAN, dice={"7.6": [1, 1]})  # fmt: skip
    car = table.state.vehicles["r1"]
    driving(table, "r1", ("E8", 0))
    allowance = car.going.allowance
    assert entry_cost(table.situation, car, "E7").halves == allowance
    table.state.smoke["E7"] = [Smoke("dispersed", GERMAN)]
    assert entry_cost(table.situation, car, "E7").halves == allowance + 2
    enter(table, car, Leg("enter", "E7"))
    assert_rule(table.findings, "3.3.2/minimum-move", inputs={"vehicle": "r1", "to": "E7"})
    assert_rule(table.findings, "7.6", inputs={"vehicle": "r1"}, result="goes on")
    assert car.going.over and car.going.allowance == allowance and not car.going.stopped


# --- hidden Guns ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("def/control")
def test_6_4_a_hidden_gun_in_a_building_does_not_betray_itself_by_denying_control():
    """2 def/control, 6.4: nothing that all players see may depend on a hidden unit."""
    ground = a_ground({"stone": "K5 K6"}, buildings={"church": ["K5-K6"]})
    table = a_table({"g1": ("467", "K5"), "r1": ("r228", "K6")}, ground=ground, states={"r1": {"hidden": True}},
                    goals=(Goal(GERMAN, "control", 1, buildings=("church",)),))  # fmt: skip
    update_control(table)
    assert_rule(table.findings, "def/control", inputs={"place": "church"}, result=GERMAN)
    table.findings.clear()
    table.state.control.clear()
    table.state.units["r1"].hidden = False
    update_control(table)
    assert not table.findings


@pytest.mark.rule("3.3", "3.2.2/target-choice")
def test_3_2_2_men_beside_a_tank_fire_neither_at_a_mover_elsewhere_nor_walk_out_of_its_sight_freely():
    """3.2.2.1: units cannot fire out of a hex with an enemy in it, even in Defensive First Fire; broken units stay
    (3.3).
    """
    table = defending({"g1": ("467", "E4")}, vehicles={"r2": (T34, "E4", 1)})
    assert_rule(objections(table, Attack(("g1",), "E5")), "3.2.2/target-choice")
    table.state.attacker, table.state.mover = GERMAN, None
    table.state.units["g1"].broken = True
    table.state.sealed = {GERMAN: Orders()}
    assert not start_mover(table, MoveOrder(("g1",), (Leg("enter", "E3"),)), 0)
    assert_rule(table.findings, "3.3", inputs={"why": ["g1 is broken"]})
