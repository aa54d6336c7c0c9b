"""Close combat and overruns by several units at once, and what becomes of orders that cannot be carried out."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_gun, a_leg, a_tank, advanced_data, an_advanced_state, an_advanced_table
from titles.panzer.advanced.marching import a_feature, a_field, ask_of, moves, tried
from titles.panzer.advanced.marching import refused as move_refused
from titles.panzer.asking import read_answer
from titles.panzer.builders import a_board, a_hex, run_step
from titles.panzer.close_combat.melees import assault, play
from titles.panzer.combinations.turns import Turn, a_turn
from titles.panzer.movement.test_second_roads import a_barrage

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.close_combat.close_combat import Declared, attack_target, check_advance
from pbem.titles.panzer.movement.movement_step import check_reroute
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.state import Command, HullDown, Marker, Spot, Unit

SQUAD, HALF, SOVIET = "german_rifle_squad", "german_rifle_half_squad", "soviet_rifle_squad"
MOVE: dict[str, Any] = {"command": Command.MOVE}
FREE = tuple(rule for rule in ADVANCED_RULES if rule != "command_control")
KNOCKED_OUT = {"4.4.3.2.3": 1, "6.5.2.2": 49}


def enemy(id: str, hex: str, card: str = SOVIET, **more: Any) -> Unit:
    return a_leg(id, hex, card, spot=Spot.FIRE, **more)


def ordered(*units: Unit, orders: str, rules: Any = FREE, soviet: str = "", **more: Any) -> Turn:
    """Play a turn with these German orders; there is always a distant truck."""
    grades = {"german": more.pop("grade", "seasoned")}
    dice, features = more.pop("dice", {}), more.pop("features", {})
    data = advanced_data(more.pop("board", None), rules=rules, grades=grades)
    state = an_advanced_state(*units, a_tank("s99", "T20", "zis5"), turn=1, features=features, **more)
    return a_turn(data, state, dice, german=orders, **({"soviet": soviet} if soviet else {}))


def told(turn: Turn) -> list[str]:
    """The orders reported as not carried out, by whatever part of the rules."""
    return orders_failed(turn.findings)


def orders_failed(findings: Any) -> list[str]:
    shown = (happening for one in every(findings) for happening in getattr(one, "shows", ()))
    return [f"{one.who} {one.order}" for one in shown if isinstance(one, Fail)]


# --- 6.6.11 one target for all under one Move ----------------------------------------------------------------------


@pytest.mark.rule("6.6.11", effect=True)
@pytest.mark.parametrize(
    ("orders", "refused"),
    [
        ("g1 move dismount g2 C6 assault s1 dismount g3 C6 assault s2", True),
        ("g1 move dismount g2 C6 assault s1 dismount g3 C6 assault s1", False),
    ],
)
def test_6_6_11_passengers_of_one_vehicle_attack_one_unit(orders: str, refused: bool):
    """L3821: the passengers act under their carrier's single Move command."""
    units = a_tank("g1", "C7", "spw251", facing=1), *(a_leg(id, "C7", HALF, aboard="g1") for id in ("g2", "g3"))
    everybody = *units, enemy("s1", "C5"), enemy("s2", "D6")
    if refused:
        with pytest.raises(Refusal) as refusal:
            ordered(*everybody, orders=orders)
        assert_rule(refusal.value, "6.6.11")
    else:
        assert ordered(*everybody, orders=orders).of("6.6.1.2")


@pytest.mark.rule("6.6.11", effect=True)
@pytest.mark.parametrize(
    "orders",
    [
        "g1 overrun s1\ng2 with g1 overrun s2",
        "g3 assault s1\ng4 with g3 assault s2",
        "g3 assault s1\ng1 with g3 overrun s2",
    ],
)
def test_6_6_11_orders_for_two_targets_under_one_move_are_refused_when_they_are_sent(orders: str):
    """Such orders used to be accepted, and the second attack failed when its turn came."""
    units = (
        *(a_tank(id, "C6", "pz4h", facing=1) for id in ("g1", "g2")),
        *(a_leg(id, "C6", SQUAD) for id in ("g3", "g4")),
    )
    with pytest.raises(Refusal) as refusal:
        ordered(*units, enemy("s1", "C5"), enemy("s2", "D6"), orders=orders, rules=ADVANCED_RULES)
    assert_rule(refusal.value, "6.6.11")


# --- 6.6.11 command range after an advance -------------------------------------------------------------------------


@pytest.mark.rule("6.6.11", effect=True)
@pytest.mark.parametrize(("gun", "refused"), [("flak36", True), ("pak38", False)])
def test_6_6_11_nobody_advances_away_from_a_gun_that_shares_its_move_and_cannot_follow(gun: str, refused: bool):
    """L3823: Regulars end in one hex. The 8.8cm gun cannot be manhandled (6.6.5), but the 5cm gun can follow."""
    units = a_leg("g2", "C7", SQUAD), a_gun("g3", "C7", gun), enemy("s1", "C5", "soviet_section")
    more: Any = {"orders": "g2 assault s1 from C6\ng3 with g2", "rules": ADVANCED_RULES, "grade": "regulars"}
    if refused:
        with pytest.raises(Refusal) as refusal:
            ordered(*units, **more)
        assert_rule(refusal.value, "6.2.1.1.4/movement")
    else:
        turn = ordered(*units, **more)
        assert turn.state.vehicles["g2"].hex == turn.state.vehicles["g3"].hex


@pytest.mark.rule("6.2.1.1.4", "6.6.5", effect=True)
def test_6_2_1_1_4_nobody_moves_away_from_a_gun_that_cannot_be_manhandled():
    units = a_leg("g1", "C7", SQUAD), a_gun("g2", "C7", "flak36", **MOVE, shares="g1")
    table = a_field(*units, scenario={"grades": {"german": "regulars"}})
    assert_rule(move_refused(table, "g1", "1"), "6.2.1.1.4/movement")


@pytest.mark.rule("6.6.11", effect=True)
@pytest.mark.parametrize(("chosen", "legal"), [([], True), (["g1"], False), (["g1", "g2"], True)])
def test_6_6_11_regulars_who_share_a_move_enter_the_empty_hex_together(chosen: list[str], legal: bool):
    first, second = a_leg("g1", "C6", SQUAD, **MOVE, moved=True), a_leg("g2", "C6", SQUAD, **MOVE, moved=True)
    second.shares = "g1"
    table = an_advanced_table(first, second, enemy("s1", "T9"), scenario={"grades": {"german": "regulars"}})
    ask = Ask("german", "advance", "6.6.1.1.3", subject="s1", about={"hex": "C5", "units": ["g1", "g2"]}, default=[])
    if legal:
        assert check_advance(table, ask, chosen) == chosen
    else:
        with pytest.raises(Refusal) as refusal:
            check_advance(table, ask, chosen)
        assert_rule(refusal.value, "6.2.1.1.4/movement")


# --- 6.6.10 several vehicles overrun one unit ----------------------------------------------------------------------


@pytest.mark.rule("6.6.10", effect=True)
@pytest.mark.parametrize(
    "orders", ["g1 overrun s1\ng2 overrun s1", "g1 overrun s1 with g2", "g1 overrun s1 with g2\ng2 overrun s1"]
)
def test_6_6_10_all_vehicles_that_are_ordered_to_overrun_a_unit_are_declared_together(orders: str):
    """L3742: two lines against one unit are one declaration; a vehicle that is only named has the same order."""
    tanks = (a_tank(id, "C7", "pz4h", facing=1) for id in ("g1", "g2"))
    turn = ordered(*tanks, enemy("s1", "C5"), orders=orders)
    assert [one.inputs["vehicle"] for one in turn.of("6.6.10") if "vehicle" in one.inputs] == ["g1", "g2"]
    assert told(turn) == []


@pytest.mark.parametrize(
    "orders",
    ["g1 overrun s1 with g2\ng2 move C8", "g1 overrun s1 with g2\ng2 hold", "g1 overrun s1 with g1"],
)
def test_6_6_10_a_vehicle_named_for_an_overrun_is_ordered_to_make_it(orders: str):
    tanks = (a_tank(id, "C7", "pz4h", facing=1) for id in ("g1", "g2"))
    with pytest.raises(Refusal) as refusal:
        ordered(*tanks, enemy("s1", "C5"), orders=orders)
    assert_rule(refusal.value, "6.6.10/declaration")


@pytest.mark.parametrize(
    ("line", "more"), [("g1 overrun s1 with g1", {}), ("g1 overrun s1 with g2", {"track_hit": True})]
)
def test_6_6_10_a_vehicle_named_in_answer_to_the_ask_can_overrun(line: str, more: dict[str, Any]):
    """The line is refused if a vehicle named in it cannot overrun; the name used to be dropped."""
    tanks = a_tank("g1", "C7", "pz4h", facing=1), a_tank("g2", "C7", "pz4h", facing=1, **more)
    table = a_field(*tanks, enemy("s1", "C5", command=Command.NO_COMMAND))
    with pytest.raises(Refusal):
        read_answer(table.data, table.state, ask_of(table), line)


@pytest.mark.rule("6.6.10", effect=True)
def test_6_6_10_a_vehicle_whose_target_was_eliminated_first_moves_normally():
    """L3742-3744: the vehicle may still move as ordered, but not overrun another unit."""
    tanks = (a_tank(id, "C7", "pz4h", facing=1) for id in ("g1", "g2"))
    orders = "g1 overrun s1\ng2 overrun s1 move C4"
    turn = ordered(*tanks, enemy("s1", "C5", "soviet_section"), orders=orders, dice={"6.6.10": 100})
    assert turn.state.vehicles["g2"].hex == a_hex("C4")
    assert turn.fails == ["g2 move overrun s1 move C4: s1 has left play"]


# --- 6.6.1.1 the dismount attack -----------------------------------------------------------------------------------


@pytest.mark.rule("6.6.1.1", effect=True)
@pytest.mark.parametrize(("hex", "legal"), [("C7", True), ("C9", False)])
def test_6_6_1_1_a_passenger_on_a_new_route_still_gets_off_next_to_its_target(hex: str, legal: bool):
    """R-17: after fire the rest of the move may be replaced; the attack could then be made from any distance."""
    truck, squad = a_tank("g1", "C8", "opel", facing=1, **MOVE), a_leg("g2", "C8", SQUAD, aboard="g1")
    table = a_field(truck, squad, enemy("s1", "C6", command=Command.NO_COMMAND))
    march = msgspec.structs.replace(tried(table, "g1"), declared=("g2:s1",))
    about = {"progress": msgspec.to_builtins(march), "rest": []}
    ask = Ask("german", "reroute", "4.5.1.1.5", subject="g1", about=about)
    answer = {"steps": [f"dismount:g2:{hex}:1:s1"]}
    if legal:
        assert check_reroute(table, ask, answer) == answer
    else:
        with pytest.raises(Refusal) as refusal:
            check_reroute(table, ask, answer)
        assert_rule(refusal.value, "6.6.1.2")


@pytest.mark.rule("6.6.7.1.1", effect=True)
def test_6_6_1_1_who_has_advanced_in_vain_has_no_movement_left_to_mount():
    """L3173, L3640: the unit may still move with what is left, but mounting takes the entire movement."""
    squad = a_leg("g2", "C7", SQUAD, spent=1)
    table = a_field(a_tank("g1", "C7", "opel", facing=1), squad)
    assert_rule(move_refused(table, "g1", "mount:g2"), "6.6.7.1.1/passengers-mounting")
    squad.spent = 0
    assert tried(table, "g1", "mount:g2").mounted == ("g2",)


# --- 6.6.8 positions ------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.1.4.3.6", effect=True)
@pytest.mark.parametrize(
    ("units", "orders", "place"),
    [
        ((a_leg("g2", "C6", SQUAD),), "g2 move C5", "C5"),
        ((a_tank("g1", "C6", "opel", facing=1), a_leg("g2", "C6", SQUAD, aboard="g1")), "g2 dismount C5", "C5"),
        ((a_tank("g1", "C5", "opel", facing=1), a_gun("g2", "C5", "pak38", aboard="g1")), "g2 dismount C5", "C5"),
        ((a_leg("g2", "C7", SQUAD), a_tank("s1", "C5", "t34_76")), "g2 assault s1 from C6", "C6"),
    ],
)
def test_6_6_8_whoever_ends_its_move_at_an_empty_entrenchment_occupies_it(units: Any, orders: str, place: str):
    """Ruling: a unit that ends its move at an empty entrenchment occupies it, however it got there."""
    trench = a_feature("hasty_entrenchment", place, stage=4)
    turn = ordered(*map(msgspec.structs.replace, units), orders=orders, features={trench.id: trench})
    assert turn.state.vehicles["g2"].position == trench.id


@pytest.mark.rule("6.1.4.3.6", effect=True)
def test_6_6_1_2_3_whoever_enters_the_vacated_hex_occupies_its_entrenchment():
    trench = a_feature("hasty_entrenchment", "C5", stage=4)
    squad, target = a_leg("g1", "C6", SQUAD, **MOVE), enemy("s1", "C5", "soviet_section", position=trench.id)
    trench.holder = "s1"
    table = an_advanced_table(squad, target, dice=[90, 10], features={trench.id: trench})
    play(table, assault("s1", "g1"), advance=[["g1"]])
    assert (squad.position, trench.holder) == (trench.id, "g1")


# --- 4.5.1.1 orders that are not carried out ------------------------------------------------------------------------


@pytest.mark.rule("6.6.7.1.1", effect=True)
def test_6_6_7_1_1_units_that_could_not_get_on_or_off_are_told():
    """Each line is answered: the truck was destroyed before it moved."""
    truck, rider = a_tank("g1", "C6", "opel", facing=1), a_leg("g2", "C6", HALF, aboard="g1")
    units = truck, rider, a_leg("g3", "C5", HALF), a_tank("s1", "C10", "t34_76", facing=1)
    orders = "g1 move C5\ng2 dismount C5\ng3 mount g1"
    turn = ordered(*units, orders=orders, soviet="s1 overwatch only g1", dice=KNOCKED_OUT)
    assert told(turn) == ["g1 move C5", "g3 mount g1", "g2 dismount C5"]


@pytest.mark.rule("6.6.7.1.1", effect=True)
def test_6_6_7_1_1_only_the_unit_that_was_left_behind_is_told():
    """The first to mount is aboard when the truck is destroyed; only the second has not got on."""
    units = a_tank("g1", "C6", "opel", facing=1), *(a_leg(id, "C6", HALF) for id in ("g2", "g3"))
    more: Any = {"soviet": "s1 overwatch only g1", "dice": KNOCKED_OUT}
    turn = ordered(*units, a_tank("s1", "C10", "t34_76", facing=1), orders="g2 mount g1\ng3 mount g1", **more)
    assert told(turn) == ["g3 mount g1"]


@pytest.mark.rule("6.6.6")
def test_6_6_10_an_overrun_that_a_barrage_prevents_is_told():
    """6.6.6: the barrage attacks first; a vehicle whose track it hits does not overrun."""
    tank, shells = a_tank("g1", "C6", "pz4h", facing=1, **MOVE), a_barrage("C5")
    [landed] = shells["m1"].landed
    shells["m1"].landed = (msgspec.structs.replace(landed, effectiveness=9),)
    table = a_field(tank, enemy("s1", "C5"), missions=shells, turn=1, dice=[100, 99, 99])
    played = moves(table, "g1", "overrun:s1")
    assert tank.track_hit
    assert_rule(played.findings, "6.6.6", inputs={"unit": "g1"})
    assert orders_failed(played.findings) == ["g1 overrun s1"]


@pytest.mark.rule("6.6.7.1.1", effect=True)
def test_6_6_1_1_a_passenger_whose_target_was_lost_is_told_that_it_stays_aboard():
    """The squad on foot eliminates the target first; the passenger of a stationary truck used to get no report."""
    units = a_tank("g1", "C7", "opel", facing=1), a_leg("g2", "C7", SQUAD, aboard="g1"), a_leg("g3", "C6", SQUAD)
    turn = ordered(*units, enemy("s1", "C5", "soviet_section"), orders="g2 dismount C6 assault s1\ng3 assault s1")
    assert turn.fails == ["g2 dismount C6: s1 is not an enemy on the map"]


@pytest.mark.rule("6.6.1.1", effect=True)
def test_6_6_1_1_an_attacker_whose_target_was_eliminated_first_is_told():
    """L3173: the attacker may still move; its owner used to get no report of the failed attack."""
    units = a_leg("g2", "C6", SQUAD), a_leg("g3", "D5", SQUAD), enemy("s1", "C5", "soviet_section")
    assert told(ordered(*units, orders="g2 assault s1\ng3 assault s1")) == ["g3 assault s1"]


# --- 6.6.10 windows, 6.6.1.1.2 questions, 6.6.4.2 roads ------------------------------------------------------------


@pytest.mark.rule("6.6.10", effect=True)
@pytest.mark.parametrize(("walls", "windows"), [((1, 1), 2), ((99, 50, 50, 50), 1)])
def test_6_6_10_a_vehicle_that_is_stopped_at_the_wall_is_fired_at_there(walls: tuple[int, ...], windows: int):
    """L3748, L3752: only an overrun keeps the window closed; here a track hit prevents it."""
    tank, watcher = a_tank("g1", "C6", "pz4h", facing=1, **MOVE), a_tank("s2", "C9", "t34_76", facing=1)
    watcher.command = Command.OVERWATCH
    table = a_field(tank, enemy("s1", "C5"), watcher, signs={"C5": "B"}, dice=walls)
    played = moves(table, "g1", "overrun:s1", answers={"reroute": [None] * 3})
    assert len(played.asked("overwatch", "soviet")) == windows


@pytest.mark.rule("6.6.1.1.2", effect=True)
@pytest.mark.parametrize("suppressed", [False, True])
def test_6_6_1_1_2_no_owner_is_asked_about_an_assault_that_nobody_can_make(suppressed: bool):
    """Showing the counter would give up a hull-down position (6.6.9) for nothing."""
    squad, tank = a_leg("g1", "C6", SQUAD, **MOVE), a_tank("s1", "C5", "t34_76", command=Command.MOVE)
    table = an_advanced_table(squad, tank, dice=[50] * 4)
    if suppressed:
        squad.suppression = Marker.ON
    played = run_step(table, attack_target(table, Declared("s1", (("g1", ""),))))
    assert bool(played.asked("show")) is not suppressed


@pytest.mark.rule("6.6.9", effect=True)
def test_6_6_9_a_tank_that_shares_the_move_of_an_assaulting_squad_has_revealed_it():
    """L3728: a hull-down position is lost as soon as the Move is revealed, whichever unit reveals it."""
    squad = a_leg("g1", "C6", SQUAD, **MOVE)
    tank = a_tank("g2", "C6", "pz4h", **MOVE, shares="g1", hull_down=HullDown.HD, open_angle=4)
    table = an_advanced_table(squad, tank, a_tank("s1", "C5", "t34_76"), dice=[50] * 4)
    play(table, assault("s1", "g1"))
    assert tank.revealed and tank.hull_down is HullDown.NONE


@pytest.mark.rule("6.6.4.2", effect=True)
@pytest.mark.parametrize(("type", "opens"), [("", True), ("block", False), ("wood_rubble", False)])
def test_6_6_4_2_a_road_under_rubble_or_a_block_is_no_road_for_a_quickmarch(type: str, opens: bool):
    """L3555, 6.1.4.3: every hex entered is clear, path or road, and these counters change the terrain of the hex."""
    features = [a_feature(type, "C6")] if type else []
    table = a_field(a_leg("g1", "C7", SQUAD), features=features, board={"links": {"road": ["C7-C6-C5"]}})
    if opens:
        assert tried(table, "g1", "1", "quick").hex == a_hex("C6")
    else:
        assert_rule(move_refused(table, "g1", "1", "quick"), "6.6.4.2")


@pytest.mark.parametrize(
    ("units", "orders", "rule"),
    [
        ((a_tank("g1", "C7", "pz4h"), enemy("s1", "C6")), "g1 move C6", "4.5.1.1.10/end"),
        ((a_gun("g1", "C7", "flak36"),), "g1 move C6", "6.6.5"),
        ((a_leg("g1", "C7", SQUAD, full_cover=True), enemy("s1", "C5")), "g1 move C6", "6.6.4.3"),
    ],
)
def test_4_5_1_1_a_refused_goal_is_refused_for_what_closes_it(units: Any, orders: str, rule: str):
    """The refusal used to say only that the hex could not be reached, under the rule for the movement allowance."""
    with pytest.raises(Refusal) as refusal:
        ordered(*map(msgspec.structs.replace, units), orders=orders)
    assert_rule(refusal.value, rule)


# --- 6.6.7.1 what a vehicle has aboard changes in the course of its move --------------------------------------------


@pytest.mark.rule("6.6.7.1", effect=True)
def test_6_6_7_1_a_prime_mover_reverses_once_its_gun_is_off():
    """4.5.1.1.7: 2 points to unlimber and 2 to back out of the wood; turning round there would cost 2 and 1 more."""
    units = a_tank("g1", "C7", "sdkfz10", facing=1), a_gun("g2", "C7", "pak38", aboard="g1")
    turn = ordered(*units, orders="g1 move dismount g2 C7 move C8", board=a_board(signs={"C7": "m"}))
    assert turn.state.vehicles["g1"].hex == a_hex("C8") and turn.fails == []


@pytest.mark.rule("6.2.1.1.4", effect=True)
def test_6_2_1_1_4_a_gun_that_mounts_keeps_up_with_the_vehicle_that_shares_its_move():
    """Regulars end in one hex; the gun is aboard a carrier, although alone it could be manhandled one hex at most."""
    units = a_tank("g1", "C7", "sdkfz10", facing=1), a_gun("g2", "C7", "pak38"), a_tank("g3", "A15", "pz4h")
    more: Any = {"rules": ADVANCED_RULES, "grade": "regulars"}
    turn = ordered(*units, orders="g1 move mount g2 move C5\ng2 with g1 mount g1", **more)
    assert turn.state.vehicles["g2"].hex == a_hex("C5") and turn.fails == []
