"""2 Definitions: every term that has an effect is cited by the finding or refusal that uses it."""

from __future__ import annotations

import pytest
from support.rules import assert_rule, every
from titles.aslsk.builders import a_table, driving, enter, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.titles.aslsk.fire.components import Attack
from pbem.titles.aslsk.fire.declaration import attack_objections
from pbem.titles.aslsk.fire.effects import place_dm_beside_enemies
from pbem.titles.aslsk.fire.phases import begin
from pbem.titles.aslsk.fire.shooting import fire
from pbem.titles.aslsk.ground.explained_sight import finding
from pbem.titles.aslsk.movement.advance import advance_objections, step_in
from pbem.titles.aslsk.movement.expenditures import expend
from pbem.titles.aslsk.movement.paatc import passes_task_check
from pbem.titles.aslsk.movement.phase import start_mover
from pbem.titles.aslsk.orders import AdvanceOrder, Leg, MoveOrder, RallyOrders, RoutOrder
from pbem.titles.aslsk.rally.promotion import promote
from pbem.titles.aslsk.rally.rally import rally_attempt, remove_dm
from pbem.titles.aslsk.rout.phase import place_forced_dm, rout
from pbem.titles.aslsk.state import Weapon
from pbem.titles.aslsk.telling.sentences import TELLING
from pbem.titles.aslsk.vehicles.kill import apply
from pbem.titles.aslsk.vehicles.reactions import try_motion
from pbem.titles.aslsk.vehicles.status import stun
from pbem.titles.aslsk.vehicles.steps import enter as drive_into
from pbem.titles.aslsk.vehicles.steps import free_itself
from pbem.titles.aslsk.victory import update_control

T34, PZ4, STUG = "russian-t34-85", "german-pz4h", "german-stug3g"
NOTHING = {"3.2.2": [6, 5], "3.2.4": [6, 5]}


def a_shot(attack, units=None, **more):
    """Return the findings of one attack that misses, unless other dice are given."""
    more.setdefault("dice", NOTHING)
    table = a_table(units or {"g1": ("467", "K5"), "r1": ("447", "K6")}, **more)
    fire(table, attack)
    return table


def terms(table):
    return {item.rule for item in every(table.findings) if item.rule.startswith("def/")}


@pytest.mark.rule("def/fp", "def/pbf", "def/fg", "def/mandatory-fg", "def/tem")
def test_2_terms_of_a_fire_group_at_point_blank():
    table = a_shot(
        Attack(("g1", "g2"), "K6"),
        {"g1": ("467", "K5"), "g2": ("467", "K5"), "r1": ("447", "K6")},
        ground=a_ground({"woods": "K6"}),
    )
    for term in ("def/fp", "def/pbf", "def/fg", "def/mandatory-fg", "def/tem"):
        assert_rule(table.findings, term, inputs={"at": "K6"})
    assert "def/area-fire" not in terms(table)


@pytest.mark.rule("def/area-fire", "def/hindrance", "def/assault-fire")
def test_2_terms_of_advancing_fire_through_a_hindrance():
    table = a_shot(
        Attack(("g1",), "K8"),
        {"g1": ("548", "K5"), "r1": ("447", "K8")},
        ground=a_ground({"brush": "K7"}),
        phase="advancing",
    )
    for term in ("def/area-fire", "def/hindrance"):
        assert_rule(table.findings, term)
    table.state.units["g1"].card = next(
        card.id for card in table.data.deck.units.values() if card.assault_fire and card.kind == "squad"
    )
    table.state.units["g1"].fired = ""
    fire(table, Attack(("g1",), "K8"))
    assert_rule(table.findings, "def/assault-fire")


@pytest.mark.rule("def/ffmo", "def/ffnam", "def/defensive-first-fire", "def/sff")
def test_2_terms_of_defensive_first_fire():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K6")}, phase="movement", attacker="russian", dice={"3.2.2": [6, 5]}
    )
    moving_in(table, ["r1"], spent=4)
    fire(table, Attack(("g1",), "K6"))
    for term in ("def/ffmo", "def/ffnam", "def/defensive-first-fire"):
        assert_rule(table.findings, term)
    assert "def/sff" not in terms(table)
    fire(table, Attack(("g1",), "K6"))
    assert_rule(table.findings, "def/sff")


@pytest.mark.rule("def/tpbf", "def/ce")
def test_2_terms_of_fire_in_its_own_hex_at_an_exposed_crew():
    table = a_table(
        {"g1": ("467", "K5")},
        vehicles={"r1": (T34, "K5", 1)},
        armour={"r1": {"ce": True}},
        phase="movement",
        attacker="russian",
        dice=NOTHING,
    )
    driving(table, "r1", ("K6", 2), ("K5", 2))
    fire(table, Attack(("g1",), "K5"))
    for term in ("def/tpbf", "def/ce"):
        assert_rule(table.findings, term)


@pytest.mark.rule("def/cowering", "def/inexperienced")
def test_2_terms_of_cowering():
    table = a_shot(Attack(("r2",), "K6"), {"r2": ("426", "K5"), "g1": ("467", "K6")}, attacker="russian",
                   dice={"3.2.2": [5, 5]})  # fmt: skip
    assert_rule(table.findings, "def/cowering")
    assert_rule(table.findings, "def/inexperienced", inputs={"units": ["r2"]})


@pytest.mark.rule("def/rof", "def/mg", "def/x-number")
def test_2_terms_of_machine_guns_and_of_weapons_that_are_gone_for_good():
    kept = a_shot(Attack(("gw",), "K8"), {"g1": ("467", "K5"), "r1": ("447", "K8")},
                  weapons={"gw": ("german-mmg", "g1")}, dice={"3.2.2": [6, 1]})  # fmt: skip
    assert_rule(kept.findings, "def/rof", inputs={"weapon": "gw"})
    broken = a_shot(Attack(("gw",), "K8"), {"g1": ("467", "K5"), "r1": ("447", "K8")},
                    weapons={"gw": ("german-mmg", "g1")}, dice={"3.2.2": [6, 6]})  # fmt: skip
    assert_rule(broken.findings, "def/mg", inputs={"weapon": "gw"})
    flame = a_shot(Attack(("gw",), "K6"), weapons={"gw": ("german-ft", "g1")}, dice={"3.2.2": [6, 6]})
    assert_rule(flame.findings, "def/x-number", inputs={"weapon": "gw"})


@pytest.mark.rule("def/bmg", "def/cmg", "def/aamg", "def/tca", "def/vca", "def/nt")
def test_2_terms_of_vehicular_weapons_and_their_arcs():
    table = a_table({"r1": ("447", "K6")}, vehicles={"g1": (PZ4, "K9", 4)}, dice={"3.2.2": [6, 5] * 4})
    fire(table, Attack(("g1cmg",), "K6"))
    assert_rule(table.findings, "def/cmg")
    assert_rule(table.findings, "def/tca", inputs={"weapon": "g1cmg"})
    fire(table, Attack(("g1bmg",), "K6"))
    assert_rule(table.findings, "def/bmg")
    for term in ("def/vca", "def/nt"):
        assert_rule(table.findings, term, inputs={"weapon": "g1bmg"})
    card = next(card.id for card in table.data.deck.vehicles.values() if card.aamg)
    roof = a_table({"r1": ("447", "K6")}, vehicles={"g1": (card, "K9", 4)}, armour={"g1": {"ce": True}}, dice=NOTHING)
    fire(roof, Attack(("g1aamg",), "K6"))
    assert_rule(roof.findings, "def/aamg")


@pytest.mark.rule("def/rmg")
def test_2_a_rear_mg_fires_through_the_rear_of_the_turret():
    cards = a_table({}).data.deck.vehicles.values()
    card = next((card.id for card in cards if card.rmg), None)
    assert card is not None
    table = a_table({"r1": ("447", "K6")}, vehicles={"g1": (card, "K9", 4)}, dice=NOTHING)
    fire(table, Attack(("g1rmg",), "K6"))
    assert_rule(table.findings, "def/rmg")
    assert not [item for item in every(table.findings) if item.rule == "3.2.4/covered-arc"], "no turn is needed"


@pytest.mark.rule("def/ordnance", "def/gun", "def/hit", "def/itt", "def/ca", "def/non-qualified-use")
def test_2_terms_of_a_gun_that_turns_in_untrained_hands():
    table = a_shot(
        Attack(("gw",), "K8"),
        {"g1": ("467", "K5"), "r1": ("447", "K8")},
        weapons={"gw": ("german-75l-at", "g1")},
        facings={"gw": 1},
        dice={"3.2.4": [1, 2], "3.2.4/effects": [6, 5]},
    )
    for term in ("def/ordnance", "def/gun", "def/non-qualified-use"):
        assert_rule(table.findings, term, inputs={"weapon": "gw"})
    assert_rule(table.findings, "def/itt", result="infantry")
    assert_rule(table.findings, "def/ca", inputs={"weapon": "gw"})
    near = a_shot(
        Attack(("gw",), "K8"),
        {"g1": ("228", "K5"), "r1": ("447", "K8")},
        weapons={"gw": ("german-75l-at", "g1")},
        facings={"gw": 4},
        dice={"3.2.4": [1, 2], "3.2.4/effects": [6, 5]},
    )
    assert_rule(near.findings, "def/hit")


@pytest.mark.rule("def/vtt", "def/ma", "def/ap", "def/bu", "def/moving-target", "def/target-size", "def/aspect")
def test_2_terms_of_a_tank_that_fires_at_a_moving_one():
    table = a_table(
        {},
        vehicles={"g1": (PZ4, "K9", 1), "r1": ("russian-kv-1-m41", "K6", 4)},
        armour={"r1": {"moving": True}},
        dice={"3.2.4": [1, 2], "7.9": [6, 5]},
    )
    fire(table, Attack(("g1ma",), "K6", target="r1"))
    for term in ("def/vtt", "def/ma", "def/ap", "def/bu", "def/moving-target", "def/target-size"):
        assert_rule(table.findings, term, inputs={"vehicle": "r1"})
    assert_rule(table.findings, "def/aspect", inputs={"vehicle": "r1"})


@pytest.mark.rule("def/he", "def/intensive-fire", "def/bounding-fire")
def test_2_terms_of_he_intensive_and_bounding_fire():
    table = a_table({}, vehicles={"g1": (PZ4, "K9", 1), "r1": (T34, "K6", 4)}, dice={"3.2.4": [6, 5, 6, 5]})
    fire(table, Attack(("g1ma",), "K6", target="r1", how="HE"))
    assert_rule(table.findings, "def/he")
    table.state.weapons["g1ma"].fired = "prep"
    fire(table, Attack(("g1ma",), "K6", target="r1", intensive=True))
    assert_rule(table.findings, "def/intensive-fire")
    table.state.phase = "advancing"
    table.state.weapons["g1ma"].fired = ""
    table.state.vehicles["g1"].new_hex = True
    fire(table, Attack(("g1ma",), "K6", target="r1"))
    assert_rule(table.findings, "def/bounding-fire")


@pytest.mark.rule("def/bounding-first-fire", "def/heat")
def test_2_terms_of_bounding_first_fire_with_heat():
    table = a_table(
        {},
        vehicles={"g1": ("german-pz3n", "K9", 1), "r1": (T34, "K6", 4)},
        phase="movement",
        dice={"3.2.4": [1, 2], "7.9": [6, 5]},
        date="1944-07",
    )
    driving(table, "g1", ("K10", 2), ("K9", 2))
    fire(table, Attack(("g1ma",), "K6", target="r1", how="H"))
    assert_rule(table.findings, "def/bounding-first-fire")
    assert_rule(table.findings, "def/heat")


@pytest.mark.rule("def/mortars", "def/air-burst", "def/latw", "def/depletion-numbers", "def/wp")
def test_2_terms_of_mortars_light_weapons_and_their_shells():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K8")},
        weapons={"gw": ("german-mortar", "g1")},
        ground=a_ground({"woods": "K8"}),
        dice={"3.2.4": [1, 2], "3.2.4/effects": [6, 5]},
    )
    fire(table, Attack(("gw",), "K8"))
    assert_rule(table.findings, "def/mortars", inputs={"weapon": "gw"})
    assert_rule(table.findings, "def/air-burst")
    tube = a_shot(Attack(("gw",), "K6"), weapons={"gw": ("german-psk", "g1")}, ground=a_ground({"stone": "K6"}))
    assert_rule(tube.findings, "def/latw", inputs={"weapon": "gw"})
    gas = a_table(
        {"g1": ("227", "K5"), "r1": ("447", "K8")},
        weapons={"gw": ("american-81s-mtr", "g1")},
        facings={"gw": 4},
        dice={"3.2.4": [1, 1, 6, 4], "6.2/wp": [1, 1]},
        date="1944-07",
    )
    fire(gas, Attack(("gw",), "K8", how="WP"))
    assert_rule(gas.findings, "def/wp", inputs={"at": "K8"})
    gas.state.weapons["gw"].fired = ""
    fire(gas, Attack(("gw",), "K8", how="WP"))
    assert_rule(gas.findings, "def/depletion-numbers", inputs={"weapon": "gw"})


@pytest.mark.rule("def/emplaced-gun", "def/gunshield", "def/near-miss", "def/direct-hit")
def test_2_terms_of_guns_as_targets():
    def against(dice, emplaced=True, **more):
        table = a_table(
            {"g1": ("228", "K5"), "r1": ("r228", "K8"), "g2": ("467", "K6")},
            weapons={"gw": ("german-75l-at", "g1"), "rw": ("russian-45l-at", "r1")},
            facings={"gw": 4, "rw": 1},
            dice=dice,
        )
        table.state.weapons["rw"].emplaced = emplaced
        fire(table, Attack(("gw",) if more.get("gun", True) else ("g2",), "K8"))
        return table

    assert_rule(against({"3.2.2": [6, 5]}, gun=False).findings, "def/emplaced-gun")
    assert_rule(against({"3.2.2": [6, 5]}, emplaced=False, gun=False).findings, "def/gunshield")
    assert_rule(against({"3.2.4": [1, 2], "3.2.4/effects": [6, 5]}).findings, "def/near-miss")
    assert_rule(against({"3.2.4": [2, 2], "3.2.4/effects": [1, 1]}).findings, "def/direct-hit")


@pytest.mark.rule("def/casualty-reduction", "def/nmc", "def/llmc", "def/lltc")
def test_2_terms_of_what_fire_does():
    table = a_shot(
        Attack(("g1", "g2", "g3"), "K6"),
        {"g1": ("467", "K5"), "g2": ("467", "K5"), "g3": ("467", "K5"), "r1": ("447", "K6"), "rl": ("r 9-1", "K6")},
        dice={"3.2.2": [2, 1], "3.2.3/kia": [2], "3.2.3/llmc": [6, 5]},
    )
    assert "rl" not in table.state.units or table.state.units["rl"].broken
    single = a_shot(Attack(("g1",), "K7"), {"g1": ("467", "K5"), "r1": ("447", "K7")},
                    dice={"3.2.2": [1, 5], "3.2.3/nmc": [6, 6]})  # fmt: skip
    assert_rule(single.findings, "def/nmc", inputs={"unit": "r1"})
    assert_rule(single.findings, "def/casualty-reduction", inputs={"unit": "r1"})
    from pbem.titles.aslsk.fire.morale import Aftermath, LostLeader, leader_losses

    for eliminated, term in ((True, "def/llmc"), (False, "def/lltc")):
        stack = a_table({"r1": ("447", "K6")}, dice={"3.2.3/llmc": [1, 1], "3.2.3/lltc": [1, 1]})
        leader_losses(stack, Aftermath(lost=[LostLeader("rl", "russian", "K6", 9, -1, eliminated)]))
        assert_rule(stack.findings, term, inputs={"unit": "r1"})


@pytest.mark.rule("def/double-time", "def/cot", "def/smoke-exponent", "def/smoke")
def test_2_terms_of_infantry_that_moves():
    table = a_table({"g1": ("548", "K5")}, phase="movement", dice={"3.3.1/smoke-grenades": [1]})
    assert start_mover(table, MoveOrder(("g1",), enter("K6"), double=True), 0)
    assert_rule(table.findings, "def/double-time", inputs={"units": ["g1"]})
    unit = table.state.units["g1"]
    expend(table, [unit], Leg("enter", "K6"))
    assert_rule(table.findings, "def/cot", inputs={"units": ["g1"]})
    unit.cx = False
    unit.card = next(card.id for card in table.data.deck.units.values() if card.smoke and card.kind == "squad")
    expend(table, [unit], Leg("smoke", "K6"))
    for term in ("def/smoke-exponent", "def/smoke"):
        assert_rule(table.findings, term, inputs={"unit": "g1"})


@pytest.mark.rule("def/squad-equivalent", "def/stacking-limits", "def/cx")
def test_2_terms_of_stacking_and_of_advances():
    table = a_table(
        {f"g{n}": ("467", "K5") for n in range(1, 4)} | {"g4": ("467", "K6"), "g5": ("467", "L9")},
        phase="advance",
        ground=a_ground({"woods": "L8"}),
        weapons={"gw": ("german-hmg", "g5")},
    )
    found = list(advance_objections(table.situation, "german", AdvanceOrder(("g4",), "K5")))
    assert_rule(found, "def/squad-equivalent", why="K5 would hold 4 squad equivalents")
    assert_rule(found, "def/stacking-limits")
    unit = table.state.units["g5"]
    table.state.weapons["gx"] = Weapon(id="gx", card="german-hmg", holder="g5")
    step_in(table, "german", [unit], "L8", occupied=False)
    assert_rule(table.findings, "def/cx", inputs={"units": ["g5"]})


@pytest.mark.rule("def/good-order", "def/self-rally", "def/dm", "def/mmc", "def/known-enemy-unit")
def test_2_terms_of_broken_units():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K6")},
        phase="rally",
        states={"g1": {"broken": True, "dm": True}},
        dice={"3.1/e-self-rally": [6, 5], "5.3": [1]},
    )
    unit = table.state.units["g1"]
    found = list(attack_objections(table.situation, "german", Attack(("g1",), "K6", how="pf")))
    assert_rule(found, "def/good-order")
    rally_attempt(table, unit, None)
    assert_rule(table.findings, "def/self-rally", inputs={"unit": "g1"})
    remove_dm(table, "german", RallyOrders())
    assert_rule(table.findings, "def/dm", inputs={"unit": "g1"})
    promote(table, [unit])
    assert_rule(table.findings, "def/mmc", inputs={"unit": "g1"})
    unit.dm = False
    place_forced_dm(table, unit)
    assert_rule(table.findings, "def/known-enemy-unit", inputs={"unit": "g1"})
    place_dm_beside_enemies(table)


@pytest.mark.rule("def/low-crawl", "def/pp", "def/weapon", "def/paatc")
def test_2_terms_of_routs_and_of_men_against_tanks():
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K9")},
        phase="rout",
        states={"g1": {"broken": True, "dm": True}},
        weapons={"gw": ("german-hmg", "g1")},
        dice={"3.7/paatc": [1, 1]},
    )
    rout(table, table.state.units["g1"], RoutOrder("g1", ("K4",), crawl=True))
    assert_rule(table.findings, "def/low-crawl", inputs={"unit": "g1"})
    for term in ("def/pp", "def/weapon"):
        assert_rule(table.findings, term, inputs={"weapon": "gw"})
    assert passes_task_check(table, table.state.units["r1"])
    assert_rule(table.findings, "def/paatc", inputs={"unit": "r1"})


@pytest.mark.rule("def/vehicle", "def/fully-tracked", "def/ac", "def/non-stopped", "def/mobile", "def/motion-status")
def test_2_terms_of_vehicles_that_move():
    from pbem.titles.aslsk.vehicles.driving import end_drive
    from pbem.titles.aslsk.vehicles.steps import start_engine

    cards = a_table({}).data.deck.vehicles.values()
    car = next(card.id for card in cards if not card.tracked)
    table = a_table({}, vehicles={"g1": (PZ4, "K9", 1), "g2": (car, "N9", 1)}, phase="movement")
    driving(table, "g1", ("K9", 0), stopped=True)
    start_engine(table, table.state.vehicles["g1"])
    for term in ("def/non-stopped", "def/mobile"):
        assert_rule(table.findings, term, inputs={"vehicle": "g1"})
    drive_into(table, table.state.vehicles["g1"], Leg("enter", "K8"))
    for term in ("def/vehicle", "def/fully-tracked"):
        assert_rule(table.findings, term, inputs={"vehicle": "g1"})
    list(end_drive(table, table.state.vehicles["g1"]))
    assert_rule(table.findings, "def/motion-status", inputs={"vehicle": "g1"})
    driving(table, "g2", ("N9", 0))
    drive_into(table, table.state.vehicles["g2"], Leg("enter", "N8"))
    assert_rule(table.findings, "def/ac", inputs={"vehicle": "g2"})


@pytest.mark.rule(
    "def/motion-status-attempt", "def/mired", "def/ground-pressure", "def/stun", "def/stun-caps", "def/immobilized",
    "def/wreck", "def/afv",
)  # fmt: skip
def test_2_terms_of_what_becomes_of_vehicles():
    table = a_table(
        {"r1": ("447", "K6")},
        vehicles={"g1": (PZ4, "K9", 1)},
        phase="movement",
        attacker="russian",
        ground=a_ground({"woods": "K9"}),
        dice={"3.3.2.1": [6], "7.6/unbog": [1, 5]},
    )
    moving_in(table, ["r1"])
    vehicle = table.state.vehicles["g1"]
    try_motion(table, vehicle)
    assert_rule(table.findings, "def/motion-status-attempt", inputs={"vehicle": "g1"})
    driving(table, "g1", ("K9", 0), stopped=True)
    vehicle.bogged = "bogged"
    free_itself(table, vehicle)
    assert_rule(table.findings, "def/mired", inputs={"vehicle": "g1"})
    from pbem.titles.aslsk.vehicles.steps import bog_check

    bog_check(table, vehicle, "K9", None)
    assert_rule(table.findings, "def/ground-pressure", inputs={"vehicle": "g1"})
    stun(table, vehicle)
    assert_rule(table.findings, "def/stun", inputs={"vehicle": "g1"})
    stun(table, vehicle, hard=True)
    assert_rule(table.findings, "def/stun-caps", inputs={"vehicle": "g1"})
    vehicle.immobilized = False
    apply(table, vehicle, "immobilized")
    assert_rule(table.findings, "def/immobilized", inputs={"vehicle": "g1"})
    apply(table, vehicle, "destroyed")
    for term in ("def/wreck", "def/afv"):
        assert_rule(table.findings, term, inputs={"vehicle": "g1"})


@pytest.mark.rule("def/qsu")
def test_2_only_a_quick_set_up_gun_is_pushed():
    table = a_table(
        {"g1": ("228", "D6")},
        weapons={"gw": ("german-75l-at", "g1")},
        facings={"gw": 1},
        phase="movement",
        dice={"6.5": [1, 1]},
    )
    moving_in(table, ["g1"], spent=0)
    expend(table, [table.state.units["g1"]], Leg("push", "D5", weapon="gw"))
    assert_rule(table.findings, "def/qsu", inputs={"weapon": "gw"})


@pytest.mark.rule("def/player-turn", "def/attacker", "def/defender", "def/control", "def/infantry")
def test_2_terms_of_the_turn_and_of_control():
    from pbem.titles.aslsk.cards.scenario import Goal
    from pbem.titles.aslsk.player.placing import Placement, place_units
    from pbem.titles.aslsk.sequence import turn_start

    table = a_table({"g1": ("467", "K5")}, goals=(Goal("german", "control", 1, hexes=("K5",)),))
    next(turn_start(table))
    assert_rule(table.findings, "def/player-turn")
    begin(table, "prep")
    for term in ("def/attacker", "def/defender"):
        assert_rule(table.findings, term)
    update_control(table)
    assert_rule(table.findings, "def/control", inputs={"place": "K5"}, result="german")
    place_units(table, "german", Placement({"g1": "K6"}))
    assert_rule(table.findings, "def/infantry")


@pytest.mark.rule("def/center-hex-dot", "def/inherent-terrain", "def/blind-hex")
def test_2_terms_of_the_line_of_sight():
    ground = a_ground({"orchard": "K6", "stone": "K8"})
    through = finding(ground.sight("K5", "K7"))
    assert_rule(through, "def/center-hex-dot", inputs={"from": "K5", "to": "K7"})
    assert_rule(through, "def/inherent-terrain", inputs={"hexes": ("K6",)})
    assert_rule(finding(ground.sight("K7", "K9")), "def/blind-hex", inputs={"hex": "K9"})


def test_2_a_term_is_told_in_words():
    table = a_shot(Attack(("g1",), "K6"))
    told = [line for found in table.findings for line in TELLING.tell_tree(found)]
    assert any(line.strip() == "2 This follows the definition of “PBF”." for line in told), told
