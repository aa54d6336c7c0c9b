"""Situations in which two or three rules meet, each with the answer that the rulebook gives."""

from __future__ import annotations

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import GERMAN, RUSSIAN, a_table, carried, driving, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.engine.rules.findings import Finding
from pbem.titles.aslsk.close_combat.attacks import ambush_modifiers
from pbem.titles.aslsk.close_combat.phase import Fight, fight, fight_with_vehicles
from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.effects import Aimed, strike
from pbem.titles.aslsk.fire.phases import turn_guns
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.movement.phase import start_mover
from pbem.titles.aslsk.orders import Assault, CombatOrder, FireOrder, Leg, MoveOrder, RallyOrders, RoutOrder
from pbem.titles.aslsk.ordnance.manhandling import push
from pbem.titles.aslsk.rally.rally import rally_by_leaders
from pbem.titles.aslsk.rout.interdiction import is_interdicted
from pbem.titles.aslsk.rout.paths import Search, path_objections
from pbem.titles.aslsk.rout.phase import rout
from pbem.titles.aslsk.state import Smoke
from pbem.titles.aslsk.vehicles.driving import vehicle_objections
from pbem.titles.aslsk.vehicles.reactions import react
from pbem.titles.aslsk.weapons.charges import detonate_all, place

T34, PZ4, PZ2 = "russian-t34-85", "german-pz4h", "german-pz2f"


def objections(table, attack, seat=GERMAN):
    return list(attack_objections(table.situation, seat, attack))


def defending(units, at="E5", spent=2, **more):
    """Set up a German defence, with a Russian squad that has just entered a hex."""
    table = a_table({"r1": ("447", at), **units}, phase="movement", attacker=RUSSIAN, **more)
    moving_in(table, ["r1"], spent=spent)
    return table


SHAKEN = {"broken": True, "dm": True}


def row_as_finding(row):
    return Finding(row.rule, inputs={"text": row.text}, result=row.value)


def rules_of(findings):
    return [one.rule for one in every(findings)]


# --- markers --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("def/gun", effect=True)
@pytest.mark.rule("3.3.3/sff")
def test_3_2_4_a_gun_without_rate_that_turned_is_finished_but_its_crew_has_only_first_fire():
    """The Gun is marked Intensive Fire (3.2.4), yet it has not used Intensive Fire.

    Only Intensive Fire itself flips the crew to Final Fire (3.3.3/sff, 11 B), so the crew may use its own FP as SFF,
    halved and doubled, which is 2.
    """
    table = defending({"g1": ("228", "E4")}, weapons={"gg": ("german-150s-inf", "g1")}, facings={"gg": 1},
                      dice={"3.2.4": [6, 5], "3.3.3/sff": [5, 6]})  # fmt: skip
    fire(table, Attack(("gg",), "E5"))
    crew, gun = table.state.units["g1"], table.state.weapons["gg"]
    assert (gun.fired, crew.fired) == ("intensive", "")
    assert objections(table, Attack(("gg",), "E5", intensive=True))
    assert not objections(table, Attack(("g1",), "E5"))
    fire(table, Attack(("g1",), "E5"))
    assert_rule(table.findings, "3.3.3/sff", inputs={"firers": ["g1"], "fp": "2"})
    assert crew.fired == "final"


@pytest.mark.rule("3.3.3/sff", "4.0/weapon-usage")
def test_4_0_a_half_squad_that_fired_its_mg_adds_its_own_fp_to_subsequent_first_fire_only_halved():
    """A half-squad fires its own FP or one weapon (4.0); in SFF it may fire both, each halved.

    2 + 3 FP, doubled at point blank, make 5 (3.3.3/sff).
    """
    table = defending({"g1": ("247", "E4")}, weapons={"gw": ("german-lmg", "g1")}, spent=4,
                      dice={"3.2.2": [2, 6], "3.3.3/sff": [5, 4]})  # fmt: skip
    fire(table, Attack(("gw",), "E5"))
    fire(table, Attack(("g1", "gw"), "E5"))
    assert_rule(table.findings, "3.3.3/sff", inputs={"firers": ["g1", "gw"], "fp": "5"})
    late = a_table({"g1": ("247", "E4"), "r1": ("447", "E5")}, weapons={"gw": ("german-lmg", "g1")},
                   phase="defensive", attacker=RUSSIAN, states={"g1": {"used": ["gw"]}})  # fmt: skip
    late.state.weapons["gw"].fired = "first"
    assert_rule(objections(late, Attack(("g1",), "E5")), "4.0/weapon-usage")


@pytest.mark.rule("3.2.3/nmc", "7.10/stun")
def test_7_8_an_exposed_crew_that_uses_final_protective_fire_takes_the_nmc():
    """3.3.3/fpf: every unit that uses FPF checks; a CE crew that fails is Stunned (7.10), but a BU crew
    does not check."""
    for exposed in (True, False):
        table = defending({}, vehicles={"g2": (PZ2, "E4", 4)}, armour={"g2": {"ce": exposed}},
                          dice={"3.3.3/fpf": [6, 4]})  # fmt: skip
        table.state.weapons["g2ma"].fired = "final"
        if exposed:
            table.state.vehicles["g2"].tca = 4
        fire(table, Attack(("g2ife",), "E5"))
        if exposed:
            assert_rule(table.findings, "3.2.3/nmc", inputs={"unit": "g2", "morale": 8}, result="failed")
            assert_rule(table.findings, "7.10/stun", inputs={"vehicle": "g2"}, result="stun")
        else:
            assert "3.2.3/nmc" not in [one.rule for one in every(table.findings) if one.inputs.get("unit") == "g2"]


@pytest.mark.rule("3.3.3/shot-limit")
def test_3_3_3_direct_fire_and_shells_of_one_gun_count_as_shots_of_one_weapon():
    """6.8, 3.3.3/shot-limit: IFE and shells are the same weapon, so a Gun makes one attack per MF spent there."""
    table = defending({"g1": ("228", "E4")}, at="E7", weapons={"gg": ("german-20l-aa", "g1")}, facings={"gg": 4},
                      dice={"3.2.2": [4, 1]})  # fmt: skip
    assert fire(table, Attack(("ggife",), "E7")) == ["ggife"]
    assert_rule(objections(table, Attack(("gg",), "E7")), "3.3.3/shot-limit")
    assert_rule(objections(table, Attack(("ggife",), "E7")), "3.3.3/shot-limit")


@pytest.mark.rule("def/intensive-fire", effect=True)
@pytest.mark.rule("3.2.4/intensive-fire")
def test_3_2_4_a_gun_that_fired_directly_in_the_defensive_fire_phase_may_use_intensive_fire():
    """The Gun fired and lost its ROF in this phase (6.8); Intensive Fire at an adjacent hex follows (3.2.4)."""
    table = a_table({"g1": ("228", "E4"), "r1": ("447", "E5")}, weapons={"gg": ("german-20l-aa", "g1")},
                    facings={"gg": 4}, phase="defensive", attacker=RUSSIAN,
                    dice={"3.2.2": [4, 6], "3.2.4": [5, 4]})  # fmt: skip
    fire(table, Attack(("ggife",), "E5"))
    assert table.state.weapons["gg"].fired == "final"
    again = Attack(("gg",), "E5", intensive=True)
    assert not objections(table, again)
    fire(table, again)
    assert_rule(carried(table.findings), "3.2.4/intensive-fire", result=2)


# --- two leaders at one weapon --------------------------------------------------------------------------------------


@pytest.mark.rule("4.0/weapon-usage")
@pytest.mark.parametrize(
    ("weapon", "at", "target"),
    [("american-baz-43", "E5", ""), ("german-mortar", "E7", ""), ("german-mmg", "E6", "r2")],
)
def test_4_1_the_second_leader_at_a_weapon_has_fired_too(weapon, at, target):
    """Two SMC fire one SW at full FP (4.1, 4.4.1, 4.5), so both have used their action and neither
    may direct fire.
    """
    table = a_table({"ga": ("g 9-1", "E4"), "gb": ("g 8-1", "E4"), "g1": ("467", "E4"), "r1": ("447", at)},
                    weapons={"gw": (weapon, "ga")}, vehicles={"r2": ("russian-ba-64b", "E6", 1)},
                    ground=a_ground({"stone": "E5"}), dice={"3.2.4": [5, 5]})  # fmt: skip
    attack = Attack(("gw", "gb"), at, target=target)
    assert not objections(table, attack)
    fire(table, attack)
    assert table.state.units["gb"].fired == "prep"
    assert_rule(objections(table, Attack(("g1",), "E7", ("gb",))), "4.0/weapon-usage")


# --- ammunition and turning -----------------------------------------------------------------------------------------


@pytest.mark.rule("6.2")
def test_6_2_a_tank_without_the_special_shell_is_not_charged_its_turn_twice():
    """A roll above the depletion number gives no shot, but the turret stays turned, and No. 8 is
    not charged again.
    """
    table = a_table({}, vehicles={"g2": (PZ4, "E4", 1), "r2": (T34, "E8", 4)}, dice={"3.2.4": [5, 4, 5, 5]})
    shell = next(
        one.kind for one in table.situation.vehicle_card(table.state.vehicles["g2"]).supplies if one.kind != "s"
    )
    fire(table, Attack(("g2ma",), "E8", target="r2", how=shell))
    assert_rule(table.findings, "6.2", inputs={"weapon": "g2ma"}, result="none")
    assert table.state.weapons["g2ma"].fired == ""
    fire(table, Attack(("g2ma",), "E8", target="r2"))
    last = assert_rule(table.findings, "3.2.4/vtt", inputs={"weapon": "g2ma"})
    assert "changes CA" not in [row["text"] for row in last.modifiers]


@pytest.mark.rule("7.2.1", "6.2")
def test_6_2_low_ammo_on_a_roll_for_special_ammunition_is_a_shot_all_the_same():
    """6.2: if the DR is a malfunction or Low Ammo (7.2.1), the weapon did fire, and has no such shell left."""
    table = a_table({}, vehicles={"g2": (PZ4, "E4", 4), "r2": (T34, "E8", 4)}, dice={"3.2.4": [5, 5]})
    vehicles = table.situation.data.deck.vehicles
    card = msgspec.structs.replace(vehicles[PZ4], low_ammo=True, breakdown=10)
    table.situation.data.deck = msgspec.structs.replace(table.situation.data.deck, vehicles={**vehicles, PZ4: card})
    table.situation.data.__dict__.pop("arms", None)
    shell = next(one.kind for one in card.supplies if one.kind != "s")
    fire(table, Attack(("g2ma",), "E8", target="r2", how=shell))
    assert_rule(table.findings, "7.2.1", inputs={"vehicle": "g2"}, result="low")
    assert_rule(table.findings, "6.2", inputs={"weapon": "g2ma"}, result="none")
    assert table.state.weapons["g2ma"].fired == "prep"


# --- flame ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.3.5")
@pytest.mark.parametrize(("at", "residual"), [("E5", 12), ("E6", 6)])
def test_4_2_flame_at_a_moving_tank_leaves_residual_fp(at, residual):
    """3.3.5, 4.2: a TK attempt leaves half of the weapon's IFT column: column 24 leaves 12, and at long
    range column 12 leaves 6."""
    table = a_table({"g1": ("548", "E4")}, weapons={"gf": ("german-ft", "g1")}, vehicles={"r2": (T34, at, 1)},
                    phase="movement", attacker=RUSSIAN, dice={"7.9": [5, 4]})  # fmt: skip
    driving(table, "r2", ("E8", 2), (at, 2))
    fire(table, Attack(("gf",), at, target="r2"))
    assert_rule(table.findings, "3.3.5", inputs={"at": at}, result=residual)


@pytest.mark.rule("3.3.5", "3.2.4")
def test_3_3_5_a_gun_that_keeps_its_rate_of_fire_leaves_no_residual_fp():
    """3.3.5: weapons that keep ROF leave nothing; 75 mm HE (column 12) leaves 6 when its ROF of 2 is lost."""
    for dice, left in (([4, 4], 6), ([6, 2], 0)):
        table = defending({"g1": ("228", "E4")}, at="E8", weapons={"gg": ("german-75l-at", "g1")}, facings={"gg": 4},
                          dice={"3.2.4": dice, "3.2.4/effects": [6, 6]})  # fmt: skip
        fire(table, Attack(("gg",), "E8"))
        assert_rule(table.findings, "3.2.4", inputs={"weapon": "gg"}, result="hit")
        assert table.state.residual.get("E8", 0) == left
        if left:
            assert_rule(table.findings, "3.3.5", inputs={"at": "E8", "column": 12}, result=left)


# --- rout -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.6/rout-movement")
def test_3_6_cover_beside_a_broken_enemy_is_no_place_to_stop():
    """3.6: a unit that arrives next to an enemy, even a broken one, may go on to any hex in which it may end."""
    table = a_table({"r1": ("447", "E5"), "g2": ("467", "E5")}, ground=a_ground({"woods": "E6"}), phase="rout",
                    states={"r1": SHAKEN, "g2": SHAKEN})  # fmt: skip
    search = Search(table.situation, table.state.units["r1"])
    assert search.limit == 4  # the woods beside the broken enemy, whose hex it leaves
    assert {"E7", "E8", "E9"} <= set(search.ways)
    assert not [*path_objections(search, ("E6", "E7", "E8"), crawl=False)]
    assert_rule([*path_objections(search, ("D5", "D6"), crawl=False)], "3.6/rout-movement")


@pytest.mark.rule("3.6/interdiction")
def test_4_5_a_lone_leader_at_a_light_mortar_interdicts_but_not_at_an_mg():
    """A lone SMC loses only the ROF of a mortar (4.5); an MG that it fires is halved (4.1), and
    therefore cannot interdict (3.6)."""
    for weapon, able in (("german-mortar", True), ("german-lmg", False)):
        table = a_table({"r1": ("447", "E5"), "gl": ("g 8-0", "E9"), "r2": ("447", "A1")}, phase="rout",
                        weapons={"gw": (weapon, "gl")}, states={"r1": SHAKEN},
                        dice={"3.6/interdiction": [1, 1]})  # fmt: skip
        assert is_interdicted(table.situation, table.state.units["r1"], "E5") is able
        rout(table, table.state.units["r1"], RoutOrder("r1", ("D4",)))
        assert ("3.6/interdiction" in rules_of(table.findings)) is able
        if able:
            assert_rule(table.findings, "3.6/interdiction", inputs={"unit": "r1", "by": ["gl"]}, result="NMC")


# --- close combat ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.8/attacks", "5.3")
def test_5_3_a_leader_made_in_close_combat_has_taken_part_in_that_attack():
    """3.8: the leader joins the attack at once, so he does not attack again when the sides
    alternate around a vehicle.
    """
    table = a_table({"g1": ("467", "E8"), "r1": ("447", "E8")}, vehicles={"r2": (T34, "E8", 1)}, phase="close_combat",
                    dice={"3.8/attacks": [1, 1, 6, 5], "5.3": [1]})  # fmt: skip
    asked = []
    steps = fight_with_vehicles(table, "E8", "")
    answer = None
    while True:
        try:
            ask = steps.send(answer)
        except StopIteration:
            break
        asked.append((ask.seat, list(ask.about["used"])))
        first = ask.seat == GERMAN and not ask.about["used"]
        answer = CombatOrder("E8", (Assault(("g1",), ("r1",)),)) if first else CombatOrder("E8")
    assert_rule(table.findings, "5.3", inputs={"unit": "gx1"})
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["g1", "gx1"]})
    assert [used for seat, used in asked if seat == GERMAN] == [[]]  # nobody is left to attack


@pytest.mark.rule("3.8/ambush")
def test_3_8_a_leader_beside_a_vehicle_is_not_alone_for_ambush():
    table = a_table({"gl": ("g 9-1", "E8"), "r1": ("447", "E8")}, vehicles={"g2": (PZ4, "E8", 1)},
                    armour={"g2": {"ce": True}}, phase="close_combat")  # fmt: skip
    found = ambush_modifiers(table.situation, "E8", GERMAN)
    assert_rule([row_as_finding(row) for row in found], "3.8/ambush", inputs={"text": "leadership"}, result=-1)
    assert sum(row.value for row in found) == 1
    table.state.vehicles.clear()
    assert not ambush_modifiers(table.situation, "E8", GERMAN)


@pytest.mark.rule("3.3.4")
def test_3_3_4_reaction_fire_as_second_fire_marks_every_weapon_of_the_unit_final():
    """Reaction fire turns First Fire into Final Fire, as SFF does, which flips all weapons, fired
    or not (3.3.3/sff).
    """
    for before, after in (("", "first"), ("first", "final")):
        table = a_table({"g1": ("467", "E5")}, weapons={"gw": ("german-lmg", "g1")}, vehicles={"r2": (T34, "E5", 1)},
                        phase="movement", attacker=RUSSIAN, states={"g1": {"fired": before}},
                        dice={"3.7/paatc": [1, 1], "3.8/vs-vehicle": [6, 5]})  # fmt: skip
        driving(table, "r2", ("E6", 2), ("E5", 2))
        react(table, Attack(("g1",), "E5", how="reaction", target="r2"))
        assert_rule(table.findings, "3.3.4", inputs={"units": ["g1"]}, result="no effect")
        assert (table.state.units["g1"].fired, table.state.weapons["gw"].fired) == (after, after)


# --- turning, pushing, Panzerfausts ---------------------------------------------------------------------------------


@pytest.mark.rule("3.2.4/ca-change-without-fire")
def test_3_3_2_a_tank_that_turned_at_the_end_of_the_prep_fire_phase_may_still_move():
    """3.3.2/vca: the ban on moving applies to a Gun and its Infantry (3.2.4/covered-arc), not to tanks."""
    table = a_table({"g1": ("228", "C4")}, weapons={"gg": ("german-37l-at", "g1")}, facings={"gg": 4},
                    vehicles={"g2": (PZ4, "E4", 4)})  # fmt: skip
    turn_guns(table, GERMAN, [FireOrder(("g2ma",), (), face="E2"), FireOrder(("gg",), (), face="C2")])
    assert_rule(table.findings, "3.2.4/ca-change-without-fire", inputs={"weapon": "g2ma"}, result=2)
    assert not [*vehicle_objections(table.situation, table.state.vehicles["g2"], ())]
    assert table.state.units["g1"].moved


@pytest.mark.rule("6.5", "6.4")
def test_6_5_a_push_that_fails_does_not_find_the_hidden_gun_ahead():
    """11 A3: the manhandling DR comes before the discovery; a unit that fails does not try to enter the hex (6.4)."""
    for dice, found in (([6, 6], False), ([1, 1], True)):
        table = a_table({"g1": ("228", "E4"), "r1": ("r228", "E5")}, phase="movement", dice={"6.5": dice},
                        weapons={"gg": ("german-37l-at", "g1"), "rg": ("russian-45l-at", "r1")},
                        ground=a_ground({"brush": "E5"}), facings={"gg": 4, "rg": 1},
                        states={"r1": {"hidden": True}})  # fmt: skip
        assert start_mover(table, MoveOrder(("g1",), (Leg("push", "E5", weapon="gg"),)), 0)
        push(table, [table.state.units["g1"]], Leg("push", "E5", weapon="gg"))
        assert table.state.units["r1"].hidden is not found
        assert table.state.units["g1"].at == "E4" and table.state.units["g1"].going.done
        assert_rule(table.findings, "6.5", inputs={"weapon": "gg"})
        if found:
            assert_rule(table.findings, "6.4", inputs={"units": ["g1"], "at": "E5"}, result="goes back")


@pytest.mark.rule("3.2.4", effect=True)
@pytest.mark.rule("6.7", "6.6", "3.2.4/effects")
def test_4_4_2_a_panzerfaust_meets_the_size_of_a_gun_its_cover_and_its_shield():
    """To Hit includes emplacement +2 and the Gun's size (6.7); on a near miss the gunshield counts
    on the IFT (6.6).
    """
    table = a_table({"g1": ("548", "E4"), "r1": ("r228", "E5")}, weapons={"rg": ("russian-45l-at", "r1")},
                    facings={"rg": 1}, date="1944-07",
                    dice={"4.4.2": [1], "3.2.4": [1, 2], "3.2.4/effects": [4, 4]})  # fmt: skip
    table.state.pf_left = {GERMAN: 3}
    assert table.situation.gun_card(table.state.weapons["rg"]).size == 1
    fire(table, Attack(("g1",), "E5", how="pf"))
    assert_rule(carried(table.findings), "6.7", inputs={"text": "size of the Gun"}, result=1)
    assert_rule(carried(table.findings), "6.6", result=2)
    shot = assert_rule(table.findings, "3.2.4", inputs={"kind": "pf"}, result="hit")
    assert {row["text"]: row["value"] for row in shot.modifiers} == {"emplaced Gun": 2, "size of the Gun": 1}
    assert_rule(table.findings, "3.2.4/effects", inputs={"against": {"r1": 2}})


# --- bystanders, loads and seconds ----------------------------------------------------------------------------------


@pytest.mark.rule("3.2.3/dm-placement", "4.4.3")
def test_4_4_3_a_backblast_puts_a_broken_friend_under_dm():
    """3.2.3: an attack that could cause an NMC gives DM, even if the coloured die, here a 6, had no effect."""
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E4"), "r1": ("447", "E5")},
                    ground=a_ground({"stone": "E4 E5"}), weapons={"gw": ("american-baz-43", "g1")},
                    states={"g2": {"broken": True}},
                    dice={"3.2.4": [5, 6]})  # fmt: skip
    fire(table, Attack(("gw",), "E5", blast=True))
    assert_rule(table.findings, "4.4.3", inputs={"unit": "g1"}, result={"g1": "no effect", "g2": "no effect"})
    assert_rule(table.findings, "3.2.3/dm-placement", inputs={"unit": "g2"}, result="DM")
    assert table.state.units["g2"].dm and not table.state.units["g1"].dm


@pytest.mark.rule("6.10", "3.2.4/covered-arc")
def test_6_10_a_bow_mg_that_turns_the_tank_costs_the_main_armament_its_target():
    """7.8: the turret turns with the hull, so the main armament changes its CA without firing (6.10).

    Fire inside the VCA does not turn it.
    """
    for at, left in (("C4", 0), ("E9", 1)):
        table = a_table({"r1": ("447", at)}, vehicles={"g2": (PZ4, "E4", 4), "r2": (T34, "E8", 4)},
                        dice={"3.2.4": [6, 5], "3.2.2": [6, 5]})  # fmt: skip
        fire(table, Attack(("g2ma",), "E8", target="r2"))
        assert_rule(table.findings, "6.10", inputs={"weapon": "g2ma"}, result=-1)
        fire(table, Attack(("g2bmg",), at))
        assert table.state.weapons["g2ma"].acquisition == left
        if not left:
            assert_rule(table.findings, "3.2.4/covered-arc", inputs={"weapon": "g2bmg"})


@pytest.mark.rule("3.1/f-rally")
def test_3_1_a_wounded_leader_makes_rally_harder_and_dm_harder_still():
    """A wounded 8-0 is a 7+1 (3.2.3/wounds): with DM +4, leader +1 and woods -1, broken morale 7
    rallies on 3 or less.
    """
    for dice, result in (([1, 2], "rallied"), ([2, 2], "still broken")):
        table = a_table({"g1": ("467", "E5"), "gl": ("g 8-0", "E5")}, ground=a_ground({"woods": "E5"}), phase="rally",
                        states={"g1": SHAKEN, "gl": {"wounded": True}}, dice={"3.1/f-rally": dice})  # fmt: skip
        rally_by_leaders(table, GERMAN, RallyOrders())
        told = assert_rule(table.findings, "3.1/f-rally", inputs={"unit": "g1", "leader": "gl"}, result=result)
        assert sorted(row["value"] for row in told.modifiers) == [-1, 1, 4]


@pytest.mark.rule("4.1/breakdown")
@pytest.mark.parametrize(("dice", "result"), [([3, 4], "malfunctions"), ([6, 6], "removed")])
def test_5_5_a_captured_mg_of_conscripts_fires_a_second_time(dice, result):
    """B12, less 2 for capture, 1 for inexperience and 2 for SFF, is B7 (4.0/weapon-penalties).

    The MG is lost only on the printed 12 (4.1).
    """
    table = a_table({"r1": ("426", "E4"), "g1": ("467", "E5")}, weapons={"gw": ("german-mmg", "r1")},
                    phase="movement", attacker=GERMAN, states={"r1": {"fired": "first"}},
                    dice={"3.3.3/sff": dice})  # fmt: skip
    table.state.weapons["gw"].fired = "first"
    moving_in(table, ["g1"])
    fire(table, Attack(("r1", "gw"), "E5"))
    assert_rule(table.findings, "4.1/breakdown", inputs={"number": 7}, result=result)


@pytest.mark.rule("4.1/breakdown", "3.2.2")
def test_4_2_flame_through_smoke_at_men_and_an_exposed_crew_in_a_building():
    """24 FP ignores the TEM of Infantry (4.2), but Smoke in the hex is +2; the crew has CE +2, not
    the stone +3 (7.7).
    """
    table = a_table({"g1": ("548", "E4"), "r1": ("447", "E5")}, weapons={"gf": ("german-ft", "g1")},
                    vehicles={"r2": (T34, "E5", 1)}, armour={"r2": {"ce": True}}, ground=a_ground({"stone": "E5"}),
                    dice={"3.2.2": [4, 6]})  # fmt: skip
    table.state.smoke["E5"] = [Smoke("dispersed", RUSSIAN)]
    fire(table, Attack(("gf",), "E5"))
    assert_rule(table.findings, "3.2.2", inputs={"firers": ["gf"], "against": {"r1": 2, "r2": 4}})
    assert_rule(table.findings, "4.1/breakdown", inputs={"weapon": "gf"}, result="removed")  # X10
    assert table.findings[-1].cell["column"] == 24
    assert not [one for one in carried(table.findings) if one.rule == "1.1.1.2"]


@pytest.mark.rule("4.3/detonation")
def test_4_3_a_charge_of_tired_conscripts_is_a_dud_on_nine():
    """X12, less 2 for a non-elite and 1 for an inexperienced squad, is X9 (4.3/detonation).

    CX +1 applies as of the placement, even if the squad has rested since.
    """
    for dice, dud in (([4, 5], True), ([4, 4], False)):
        table = a_table({"r1": ("426", "E4"), "g1": ("467", "E5")}, weapons={"rd": ("russian-dc", "r1")},
                        phase="movement", attacker=RUSSIAN, states={"r1": {"cx": True}},
                        dice={"4.3/detonation": dice})  # fmt: skip
        place(table, table.state.units["r1"], table.state.weapons["rd"], "E5")
        table.state.units["r1"].cx = False
        table.state.phase = "advancing"
        detonate_all(table, ["rd"])
        assert_rule(table.findings, "4.3/detonation", inputs={"limit": 9, "dud": dud, "against": {"g1": 1}})


@pytest.mark.rule("3.2.3/kia")
def test_5_1_men_broken_by_a_kia_are_not_replaced_by_elr():
    """3.2.3/kia, 5.1: a KIA breaks without an MC, so there is no margin by which the unit fails."""
    table = a_table({"g1": ("467", "E4"), "g2": ("467", "E4")}, elr=0, dice={"3.2.3/kia": [1, 1]})
    aimed = [Aimed(table.state.units[id], ()) for id in ("g1", "g2")]
    fire_table = table.situation.data.fire_table
    once = next(roll for roll in range(2, 13) if str(fire_table.cell(36, roll)) == "1KIA")
    strike(table, 36, once, aimed)
    left = list(table.state.units.values())
    assert len(left) == 1 and left[0].broken and left[0].card == "german-467"
    assert_rule(table.findings, "3.2.3/kia", result="broken")
    assert "5.1" not in rules_of(table.findings)


@pytest.mark.rule("3.5", "def/motion-fire")
def test_3_5_a_tank_in_motion_fires_its_mg_at_a_quarter_in_the_afph():
    """5 FP, doubled at point blank to 10 and halved for the AFPh and for Motion, is 2.5: column 2."""
    table = a_table({"r1": ("447", "E5")}, vehicles={"g2": (PZ4, "E4", 4)}, armour={"g2": {"motion": True}},
                    phase="advancing", dice={"3.2.2": [6, 5]})  # fmt: skip
    fire(table, Attack(("g2cmg",), "E5"))
    fp = table.situation.weapon_card(table.state.weapons["g2cmg"]).fp
    assert_rule(table.findings, "3.2.2", inputs={"fp": f"{fp / 2:g}"})
    assert_rule(carried(table.findings), "3.5", inputs={"component": "g2cmg"})
    assert_rule(carried(table.findings), "def/motion-fire", inputs={"component": "g2cmg"})


@pytest.mark.rule("3.6/interdiction")
def test_3_6_a_shaken_crew_interdicts_nobody_and_smoke_stops_the_others():
    """The +1 of a Stun is a positive DRM (3.6); Smoke in the hex is a hindrance, so FFMO does not apply (3.3.3)."""
    for shaken, smoke, able in ((False, False, True), (True, False, False), (False, True, False)):
        table = a_table({"r1": ("447", "E5")}, vehicles={"g2": (PZ4, "E9", 1)}, armour={"g2": {"shaken": shaken}},
                        phase="rout", states={"r1": SHAKEN}, dice={"3.6/interdiction": [1, 1]})  # fmt: skip
        if smoke:
            table.state.smoke["E4"] = [Smoke("dispersed", GERMAN)]
        rout(table, table.state.units["r1"], RoutOrder("r1", ("E4",)))
        assert ("3.6/interdiction" in rules_of(table.findings)) is able
        if able:
            assert_rule(table.findings, "3.6/interdiction", inputs={"unit": "r1", "by": ["g2"]}, result="NMC")


@pytest.mark.rule("3.8/attacks", "3.8/drm")
def test_3_8_pinned_and_tired_men_attack_at_half_but_defend_whole():
    """A pinned squad of 4 FP attacks with 2 against 4 (1:2, kill number 4) at +1 for CX.

    It is attacked with 4 against 4 (1:1) at -1 (3.8/drm).
    """
    table = a_table({"g1": ("467", "E8"), "r1": ("447", "E8")}, phase="close_combat",
                    states={"g1": {"pinned": True, "cx": True}}, dice={"3.8/attacks": [6, 5, 6, 5]})  # fmt: skip
    units = table.state.units
    fight(table, "E8", [Fight([units["g1"]], [units["r1"]]), Fight([units["r1"]], [units["g1"]])], "")
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["g1"], "odds": "1:2"}, cell=4)
    assert_rule(table.findings, "3.8/attacks", inputs={"units": ["r1"], "odds": "1:1"}, cell=5)
    assert_rule(table.findings, "3.8/drm", result=1)
    assert_rule(table.findings, "3.8/drm", result=-1)
