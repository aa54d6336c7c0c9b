"""7.8, 7.20 Turrets and long guns."""

from __future__ import annotations

from typing import Any

import pytest
from support.rules import assert_rule, every
from titles.panzer.advanced.builders import a_tank, an_advanced_table
from titles.panzer.asking import answer_form, restate
from titles.panzer.builders import a_board, run_step

from pbem.engine.geometry.hexes import parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Refusal
from pbem.titles.panzer.ap.ap_damage import resolve_hit
from pbem.titles.panzer.ap.ap_modifiers import an_ap_shot
from pbem.titles.panzer.cards.weapons import TURRETS, weapons_of
from pbem.titles.panzer.decisions.all_kinds import from_standing_orders
from pbem.titles.panzer.end_of_turn.adjustment import adjust_options, adjustment_phase, check_adjust
from pbem.titles.panzer.fire.aiming import Occasion, legal_shots
from pbem.titles.panzer.fire.declarations import check_fire
from pbem.titles.panzer.fire.gp_fire import attack_unit
from pbem.titles.panzer.fire.gp_modifiers import Case, GpAttack
from pbem.titles.panzer.fire.overwatch import check_overwatch, overwatch_window
from pbem.titles.panzer.fire.turrets import (
    OPEN,
    SHUT,
    prepare_hatches,
    rating,
    rating_finding,
    straighten,
    turrets_step,
)
from pbem.titles.panzer.movement.move_execution import move_unit
from pbem.titles.panzer.movement.steps.driving import Stride
from pbem.titles.panzer.movement.steps.unit_steps import mover_of, start, take
from pbem.titles.panzer.player.plan import read_plan
from pbem.titles.panzer.reading.reader import read_orders
from pbem.titles.panzer.rules_in_use import ADVANCED_RULES
from pbem.titles.panzer.setup.deployment import deployment_step
from pbem.titles.panzer.sighting.spotting import spots_now
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Damage, Unit


def a_table(*units: Unit, rules: tuple[str, ...] = ("turrets",), dice: Any = (), **more: Any) -> Any:
    scenario = {"rules": (*ADVANCED_RULES, *rules)}
    return an_advanced_table(*units, dice=dice, edition="2016", scenario=scenario, **{"turn": 1, **more})


def targets(table: Any, unit: Unit) -> set[str]:
    """Return the targets of the gun in the turret."""
    shots = legal_shots(Occasion(table, unit.side), unit)
    return {shot.target for shot in shots if shot.weapon == 0}


@pytest.mark.rule("7.8", editions=("2016",))
def test_7_8_a_turret_fires_where_it_is_turned() -> None:
    tank = a_tank("g1", "K10", "pz3m", facing=1, command=Command.FIRE)
    ahead, behind = a_tank("s1", "K6", "t34_76"), a_tank("s2", "K14", "t34_76")
    table = a_table(tank, ahead, behind)
    assert targets(table, tank) == {"s1"}
    ask = Ask("german", "fire", "4.4.1", about={"engaged": [], "aimed": {}})
    with pytest.raises(Refusal) as caught:
        check_fire(table, ask, {"target": "s2", "firers": [["g1", 0, "ap"]]})
    assert_rule(caught.value, "7.8")
    tank.turret = 3
    assert targets(table, tank) == {"s2"}
    tank.facing = 4  # the turret turns with the hull
    assert targets(table, tank) == {"s1"}
    assert targets(a_table(tank, ahead, behind, rules=()), tank) == {"s1", "s2"}


@pytest.mark.rule("7.8", editions=("2016",))
@pytest.mark.rule("7.8.1", "7.8.1/damage", editions=("2016",))
def test_7_8_1_a_turret_turns_by_its_rating() -> None:
    """2016:L4532-4544: the turret of a PzKpfw IIIM has a rating of 2, or 1 when damaged."""
    tank = a_tank("g1", "K10", "pz3m", facing=1)
    table = a_table(tank)
    ask = Ask("german", "adjust", "6.8")

    def refused(offset: int) -> Refusal:
        with pytest.raises(Refusal) as caught:
            check_adjust(table, ask, {"turret": {"g1": offset}})
        return caught.value

    assert rating(table.data, tank) == 2
    for offset in (1, 2, 4, 5):
        assert check_adjust(table, ask, {"turret": {"g1": offset}})
    assert_rule(refused(3), "7.8.1")
    tank.damage = Damage.WHOLE
    assert_rule(refused(2), "7.8.1/damage")
    assert_rule(rating_finding(table.data, tank), "7.8.1/damage", result=1)
    tank.flags, tank.damage = ("turret-locked",), Damage.NONE
    assert_rule(refused(1), "7.8.1")
    gun = a_table(a_tank("g1", "K10", "stug3g"))
    with pytest.raises(Refusal) as caught:
        check_adjust(Situation(gun.data, gun.state), ask, {"turret": {"g1": 1}})
    assert_rule(caught.value, "7.8")


@pytest.mark.rule("7.8.1", "7.8.3", editions=("2016",))
def test_7_8_1_turrets_and_hatches_are_adjusted_at_the_end_of_a_turn() -> None:
    tank = a_tank("g1", "K10", "pz3m", facing=1)
    table = a_table(tank, a_tank("s1", "C3", "t34_76"), stage=14)
    prepare_hatches(table)
    assert OPEN in tank.flags
    answer = {"turret": {"g1": 2}, "hatch": {"g1": True}}
    run_step(table, adjustment_phase(table), {("german", "adjust"): answer})
    assert_rule(table.findings, "7.8.1", inputs={"unit": "g1", "facing": 3}, result=2)
    assert_rule(table.findings, "7.8.3", result=SHUT)
    assert (tank.turret, SHUT in tank.flags, OPEN in tank.flags) == (2, True, False)


@pytest.mark.rule("7.8.1/moving", editions=("2016",))
def test_7_8_1_a_turret_may_turn_in_every_hex_that_is_entered() -> None:
    tank = a_tank("g1", "K10", "pz3m", facing=1, command=Command.MOVE)
    table = a_table(tank, a_tank("s1", "C3", "t34_76"))
    mover = mover_of(table, tank)
    march = start(mover, "cross")
    assert_rule(take(mover, march, "turret:1"), "7.8.1/moving")  # not before it has entered a hex
    stride = take(mover, march, "f")
    assert isinstance(stride, Stride)
    turned = take(mover, stride.progress, "turret:2")  # type: ignore[arg-type]
    assert isinstance(turned, Stride)
    assert_rule(take(mover, turned.progress, "turret:3"), "7.8.1/moving")  # type: ignore[arg-type]
    played = run_step(table, move_unit(table, "g1", "cross", ["f", "turret:2"]))
    assert tank.turret == 2
    assert_rule(played.findings, "7.8.1/moving")


@pytest.mark.rule("6.5.2.3", editions=("2016",))
@pytest.mark.rule("7.8.2", editions=("2016",))
def test_7_8_2_a_hit_on_the_turret_goes_by_its_own_angle() -> None:
    """2016:L4546-4552: a shot from behind hits the front of a turret that faces back, and meets its armour."""
    target = a_tank("s1", "K6", "t34_85", facing=1, turret=3)
    table = a_table(a_tank("g1", "K10", "pz4h", facing=1), target, dice=[31])
    firer = table.state.vehicles["g1"]
    shot = an_ap_shot(table, firer, weapons_of(table.data, firer)[0], "ap", target)
    struck = run_step(table, resolve_hit(table, shot, Finding("4.4.3.2.3", dice=(1,), result="hit"))).result
    assert_rule(struck.finding, "7.8.2", inputs={"hull": "rear", "turret": "front", "printed": "TR"}, result="TF")
    assert_rule(struck.finding, "6.5.2.3", inputs={"location": "TF"}, result=21)
    plain = a_table(firer, a_tank("s1", "K6", "t34_85", facing=1), dice=[31])
    other = plain.state.vehicles["s1"]
    shot = an_ap_shot(Situation(plain.data, plain.state), firer, weapons_of(plain.data, firer)[0], "ap", other)
    struck = run_step(plain, resolve_hit(plain, shot, Finding("4.4.3.2.3", dice=(1,), result="hit"))).result
    assert_rule(struck.finding, "6.5.2.3", inputs={"location": "TR"}, result=14)


@pytest.mark.rule("7.8.3", "7.8.3/gp-effects", editions=("2016",))
def test_7_8_3_open_hatches_are_dangerous() -> None:
    for flags, damaged in (((OPEN,), True), ((SHUT,), False)):
        tank = a_tank("s1", "K6", "kv1s", flags=flags)
        table = a_table(a_tank("g1", "K9", "pz3m"), tank, dice=[99] * 3)
        attack = GpAttack(kind="df", factor=15, column="S", effectiveness=1, firer="g1", target="s1")
        assert Case(table, attack, parse_hex("K6"), tank).type == ("open" if damaged else "A")
        hit = attack_unit(table, attack, tank)
        assert (tank.damage is not Damage.NONE) == damaged
        if damaged:
            assert_rule(hit.finding, "7.8.3/gp-effects", result="damaged")
            assert_rule(hit.finding, "7.8.3", inputs={"unit": "s1"}, result=OPEN)


def test_7_8_3_a_buttoned_up_vehicle_sees_only_where_its_turret_points() -> None:
    enemy = a_tank("s1", "K14", "t34_76")
    tank = a_tank("g1", "K10", "pz3m", facing=1)
    table = a_table(tank, enemy)
    assert spots_now(table, tank, enemy)
    tank.flags = (SHUT,)
    assert not spots_now(table, tank, enemy)
    tank.turret = 3
    assert spots_now(table, tank, enemy)


@pytest.mark.rule("7.8", editions=("2016",))
@pytest.mark.rule("7.8.4", editions=("2016",))
def test_7_8_4_overwatch_turns_the_turret_as_far_as_it_turns() -> None:
    mover = a_tank("s1", "K14", "t34_76", command=Command.MOVE, revealed=True)
    tank = a_tank("g1", "K10", "pz3m", facing=1, turret=1, command=Command.OVERWATCH)
    table = a_table(tank, mover, dice=[100])
    shot = {"target": "s1", "firers": [["g1", 0, "ap"]]}
    played = run_step(table, overwatch_window(table, mover), {"overwatch": [shot]})
    assert_rule(played.findings, "7.8.4", inputs={"unit": "g1", "from": 1}, result=3)
    assert tank.turret == 3
    rows = [row["when"] for finding in every(played.findings) for row in getattr(finding, "modifiers", ())]
    assert "overwatch_adjust" in rows
    slow = a_tank("g1", "K10", "pz3m", facing=1, turret=0, command=Command.OVERWATCH)
    table = a_table(slow, mover)
    ask = Ask("german", "overwatch", "4.4.2", subject="s1", about={"phase": "movement", "targets": ["s1"]})
    with pytest.raises(Refusal) as caught:
        check_overwatch(table, ask, shot)
    assert_rule(caught.value, "7.8")


@pytest.mark.rule("7.20", editions=("2016",))
def test_7_20_long_guns_point_ahead_or_astern_among_trees() -> None:
    long_gun = a_tank("g1", "K9", card_with("long_gun"), facing=1, turret=2)
    table = a_table(long_gun, rules=("turrets", "long_guns"), board=a_board(signs={"K9": "W"}))
    found = straighten(table, long_gun, by_road=False)
    assert_rule(found, "7.20", inputs={"from": 2}, result=3)
    assert long_gun.turret == 3
    long_gun.turret = 1
    assert straighten(table, long_gun, by_road=True) is None
    assert straighten(table, long_gun, by_road=False) is not None
    assert long_gun.turret == 0


def card_with(note: str) -> str:
    book = a_table(a_tank("g1", "C3")).data.book
    noted = (card for card in book.vehicles.values() if card.has(note))
    return next(card.card.id for card in noted if any(mount.weapon.turret in TURRETS for mount in card.mounts))


# --- 7.8 before the first turn, and by standing orders ---------------------------------------------------------


@pytest.mark.rule("4.6", effect=True)
@pytest.mark.rule("7.8", editions=("2016",))
def test_7_8_turrets_and_hatches_are_set_up_by_their_owners() -> None:
    """Ruling on L4524: owners set turrets and hatches at set-up, both sides at once, whatever the turret's rating."""
    tank, enemy = a_tank("g1", "K10", "pz4h", facing=1), a_tank("s1", "K14", "t34_76")
    table = a_table(tank, enemy)
    given = {"turret": {"g1": 3}, "hatch": {"g1": True}}
    answers = {("german", "adjust"): given, ("soviet", "adjust"): {}}
    played = run_step(table, turrets_step(table), answers)
    assert {ask.seat for ask in played.asks} == {"german", "soviet"} and all(
        ask.grade == "order" for ask in played.asks
    )
    assert_rule(table.findings, "7.8", inputs={"unit": "g1", "facing": 4}, result=3)
    assert tank.turret == 3 and SHUT in tank.flags and OPEN in enemy.flags
    ask = next(ask for ask in played.asks if ask.seat == "german")
    assert check_adjust(table, ask, given) == given
    for option in adjust_options(table, ask):
        assert check_adjust(table, ask, option) == option
        assert set(option) <= {"turret", "hatch"}
    with pytest.raises(Refusal) as refused:
        check_adjust(table, ask, {"pivot": {"g1": 2}})
    assert_rule(refused.value, "7.8")
    assert "# g1 turret 3" in answer_form(table.data, table.state, ask)


def test_7_8_the_set_up_asks_for_them_only_with_the_rule() -> None:
    for rules, step in ((("turrets",), "turrets_step"), ((), "spotting_phase")):
        table = a_table(a_tank("g1", "K10", "pz4h"), a_tank("s1", "K14", "t34_76"), rules=rules)
        for side in table.state.sides:
            run_step(table, deployment_step(table, side))
        assert table.state.next is not None and table.state.next.name == step


@pytest.mark.rule("7.8.1", editions=("2016",))
def test_7_8_1_without_a_word_turrets_turn_to_the_nearest_enemy_as_far_as_they_can() -> None:
    """The default standing orders turn guns and turrets alike; with a rating of 2 facing back takes two turns."""
    tank = a_tank("g1", "K10", "pz3m", facing=1)
    table = a_table(tank, a_tank("s1", "K14", "t34_76"), spotted={"g1": ["s1"]})
    ask = Ask("german", "adjust", "6.8")
    reply = next(from_standing_orders(table, ask, ()))
    assert reply.answer["turret"]["g1"] in (2, 4)
    answer = check_adjust(table, ask, reply.answer)
    both = {("german", "adjust"): answer, ("soviet", "adjust"): {}}
    assert_rule(run_step(table, adjustment_phase(table), both).findings, "7.8.1", inputs={"unit": "g1"})
    again = next(from_standing_orders(table, ask, ()))
    assert again.answer["turret"] == {"g1": 3}
    tank.turret = 3
    assert list(from_standing_orders(table, ask, ())) == []
    assert list(from_standing_orders(table, ask, ("pivot never",))) == []


@pytest.mark.rule("7.8.1/moving", editions=("2016",))
def test_7_8_1_a_turret_is_turned_in_the_course_of_a_move_in_words() -> None:
    """`swing` turns the turret after the vehicle enters a hex, up to its rating, and is restated in words."""
    tank = a_tank("g1", "K10", "pz3m", facing=1, command=None)
    table = a_table(tank, a_tank("s1", "A1", "t34_76"), available={"german": 6, "soviet": 6})
    ask = Ask("german", "commands", "4.2.1", default={}, grade="order")
    read = read_orders(table, ask, "g1 move f swing 2 f")
    assert read_plan(read.plan).move["g1"].acts == ["f", "turret:2", "f"]
    again = read_orders(table, ask, restate("commands", read))
    assert read_plan(again.plan) == read_plan(read.plan)
    with pytest.raises(Refusal) as refused:
        read_orders(table, ask, "g1 move swing 2 f")
    assert_rule(refused.value, "7.8.1/moving")
    tank.command = Command.MOVE
    run_step(table, move_unit(table, "g1", "cross", ["f", "turret:2", "f"]))
    assert tank.turret == 2
