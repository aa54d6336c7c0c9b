"""Fine points of rules, each found by breaking the rule where the code cites it."""

from __future__ import annotations

import pytest
from support.rules import assert_rule
from titles.tanks.builders import (
    a_data,
    a_piece,
    a_state,
    a_table,
    a_tank,
    check,
    from_plan,
    from_standing_orders,
    opened,
    options,
    read,
    run_step,
    shoot,
)

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Refusal
from pbem.titles.tanks.cards.crew_and_upgrades import lose
from pbem.titles.tanks.data_set import Fielded, Objective, Platoon
from pbem.titles.tanks.ground.sighting import sight_objections
from pbem.titles.tanks.movement.moves import carry_out, woods_entered
from pbem.titles.tanks.player.orders import Move, MoveOrder, ShootOrder
from pbem.titles.tanks.setup.steps import lay_out, role_step, terrain_step
from pbem.titles.tanks.shooting.phase import sealed_shot, shooting_phase, why_not, wished_targets
from pbem.titles.tanks.situation import Situation
from pbem.titles.tanks.state import Status
from pbem.titles.tanks.telling.stands import markers
from pbem.titles.tanks.view import view_of

SHOOTING = Ask("alpha", "shooting", "T1.2")


@pytest.mark.rule("T1.2")
def test_T1_2_standing_orders_fill_the_form_of_the_phase_but_not_at_the_pace_of_tanks():
    tanks = a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180)
    for pace, orders in (("forms", {"a1": [{"targets": ["best"]}]}), ("tank", {})):
        found = list(from_standing_orders(a_data(pace=pace), a_state(*tanks), SHOOTING, ["shoot: best"]))
        assert [reply.answer.get("orders", {}) for reply in found] == [orders]
    table = a_table(*tanks)
    assert_rule(run_step(table, shooting_phase(table)).findings, "T1.2", result=["a1", "b1"])


@pytest.mark.rule("T2.2")
def test_T2_2_a_card_that_is_lost_is_gone_and_open():
    table = a_table(a_tank("a1", 4500, 8000, cards=["sandbags"]))
    tank = table.state.tanks["a1"]
    lose(table, tank, tank.cards[0])
    assert tank.cards[0].gone and tank.cards[0].up
    assert_rule(table.findings, "T2.2", inputs={"card": "sandbags"}, result="lost")


@pytest.mark.rule("T2.3", "T8.3", "T9.2")
def test_T8_3_a_repair_needs_no_blitzkrieg_and_a_track_keeps_a_tank_from_its_move():
    command = Ask("bravo", "command", "T8.3")
    tank = a_tank("b1", 4500, 4500, criticals=["busted-track"])
    assert check(a_data(), a_state(tank), command, {"b1": {"repair": "busted-track"}})
    for order, rules in (
        ({"move": {"way": 0}}, ["T2.3"]),
        ({"move": {"way": 0}, "repair": "busted-track"}, ["T2.3", "T9.2"]),
        ({"repair": "engine-fire"}, ["T8.3"]),
    ):
        with pytest.raises(Refusal) as refused:
            check(a_data(), a_state(tank), command, {"b1": order})
        assert [objection.rule for objection in refused.value.objections] == rules
        for rule in rules:
            assert_rule(refused.value, rule)


@pytest.mark.rule("T2.4")
def test_T2_4_a_card_to_be_kept_is_kept_and_without_a_word_nothing_is_planned():
    near = a_tank("a1", 1000, 5000, 90, cards=["bloodthirsty-gunner"]), a_tank("b1", 2000, 5000, 270)
    table = a_table(*near, dice=[1] * 9)
    played = shoot(table, "a1", "b1", {"aim": [["bloodthirsty-gunner"]]})
    assert_rule(played.findings, "T2.4", inputs={"card": "bloodthirsty-gunner"}, result="face-up")
    state, (ask,) = a_state(*near), [ask for ask in played.asks if ask.kind == "aim"]
    near[0].cards[0].up = False
    plans = ({}, {"keep": {"a1": ["bloodthirsty-gunner"]}}, {"use": {"a1": ["bloodthirsty-gunner"]}})
    found = [[reply.answer for reply in from_plan(a_data(), state, ask, plan)] for plan in plans]
    assert found == [[], [[]], [["bloodthirsty-gunner"]]]


@pytest.mark.rule("T2.4")
def test_T2_4_the_enemy_sees_open_cards_by_name_and_the_others_by_their_points():
    table = a_table()
    sherman = Fielded(tank="sherman-75", cards=("sandbags", "arrowhead"))
    lay_out(table, "alpha", Platoon(country="us", tanks=(sherman,)))
    backs = sorted(table.data.cards[card].points for card in ("sandbags", "arrowhead"))
    assert_rule(table.findings, "T2.4", inputs={"tank": "a1"}, result=backs)
    table.state.tanks["a1"].cards[0].up = True
    seen = [(held.id, held.points) for held in view_of(table.state, "bravo").tanks["a1"].cards]
    points = {card: table.data.cards[card].points for card in ("sandbags", "arrowhead")}
    assert seen == [("sandbags", points["sandbags"]), ("", points["arrowhead"])]


@pytest.mark.rule("T2.5", "T3.1")
def test_T3_1_players_take_turns_and_objectives_get_their_tokens():
    """Players take turns to place pieces; alpha rolls higher and places the first, third and fifth."""
    crossing = Objective(id="crossing", at=(450, 400))
    table = a_table(dice=[6, 1], scenario={"woods": 1, "buildings": 4, "objective": (crossing,)})
    played = run_step(table, terrain_step(table))
    laid = [finding.inputs["by"] for finding in played.findings if "piece" in finding.inputs]
    assert laid == ["alpha", "bravo", "alpha", "bravo", "alpha"]
    assert_rule(played.findings, "T3.1", inputs={"by": "bravo"})
    assert_rule(played.findings, "T2.5", inputs={"token": "objective", "at": [450, 400]}, result="crossing")


@pytest.mark.rule("T3.2")
def test_T3_2_role_and_edge_are_read_once_each():
    ask, table = Ask("alpha", "role", "T3.2"), a_table(dice=[5, 2])
    for text in ("defender north", "edge north\ndefender", "defender, edge north"):
        found = read(table.data, table.state, ask, text).answer
        assert found["role"] == "defender" and found.get("edge", "north") == "north"
    said = read(table.data, table.state, ask, "defender edge west").answer
    assert said == {"role": "defender", "edge": "west"}
    played = run_step(table, role_step(table), {"role alpha": [said]})
    assert_rule(played.findings, "T3.2", result={"attacker": "bravo"})
    assert table.state.edges["alpha"] == "west"
    for text in ("defender\nattacker", "north\nsouth"):
        with pytest.raises(Refusal, match="given twice"):
            read(table.data, table.state, ask, text)


@pytest.mark.rule("T5.2")
def test_T5_2_a_fast_tank_that_is_slowed_is_refused_by_its_critical_alone():
    """A Cromwell is Fast (T9.4), but a Damaged Engine leaves it one move."""
    fast = next(model.id for model in a_data().models.values() if "fast" in model.keywords)
    tank = a_tank("a1", 4500, 8000, model=fast, criticals=["damaged-engine"])
    ask = Ask("alpha", "move", "T1.1", subject="a1")
    with pytest.raises(Refusal) as refused:
        check(a_data(), a_state(tank), ask, {"moves": [{"way": 0}] * 3})
    assert_rule(refused.value, "T5.2", why="the order has 3 moves; the tank can make 1")
    assert [objection.rule for objection in refused.value.objections] == ["T5.2"]


@pytest.mark.rule("T5.4", "T6.4")
@pytest.mark.parametrize(
    "status, rule, x", [(Status.LIVE, "T5.4", 3065), (Status.WRECK, "T6.4", 3065), (Status.RESERVE, "", 3920)]
)
def test_T5_4_a_tank_that_is_not_on_the_table_yet_stops_nobody(status, rule, x):
    table = a_table(a_tank("a1", 2000, 2000), a_tank("b1", 3500, 2000, status=status))
    carry_out(table, table.state.tanks["a1"], MoveOrder([Move(90)]))
    assert table.state.tanks["a1"].at.x == x
    other = a_table(a_tank("a1", 2000, 2000), a_tank("b1", 3500, 2000, status=Status.WRECK), a_tank("b2", 3500, 6000))
    carry_out(other, other.state.tanks["a1"], MoveOrder([Move(90)]))
    assert_rule(other.findings, "T6.4", inputs={"by": "b1"})
    live = a_table(a_tank("a1", 2000, 2000), a_tank("b1", 3500, 2000))
    carry_out(live, live.state.tanks["a1"], MoveOrder([Move(90)]))
    assert_rule(live.findings, "T5.4", inputs={"by": "b1"})
    if rule:
        assert_rule(table.findings, rule, inputs={"by": "b1"})


@pytest.mark.rule("T5.4")
def test_T5_4_an_arrow_beside_the_middle_is_stopped_by_what_it_crosses_itself():
    """From the rear right corner the arrow runs along y 2290; the building at 3500/2550 begins at y 2250 and x 3250.

    The centre stops at 3250 - 290, and 290 farther south. An arrow from the middle crosses nothing.
    """
    ends = {}
    for leave in ("right", 0):
        table = a_table(a_tank("a1", 2000, 2000), pieces=[a_piece("building-1", 3500, 2550)])
        carry_out(table, table.state.tanks["a1"], MoveOrder([Move(90, leave=leave)]))
        ends[leave] = tuple(table.state.tanks["a1"].at)
    assert ends == {"right": (2960, 2290), 0: (3920, 2000)}
    rough = a_table(a_tank("a1", 2000, 2000), pieces=[a_piece("impassable-1", 4000, 2550)])
    carry_out(rough, rough.state.tanks["a1"], MoveOrder([Move(90, leave="right")]))
    assert_rule(rough.findings, "T5.4", inputs={"by": "impassable-1"}, result=[3410, 2290])


@pytest.mark.rule("T6.2")
def test_T6_2_only_woods_are_told_of():
    pieces = [a_piece("wood-1", 4500, 4500), a_piece("impassable-1", 4500, 4500), a_piece("wood-2", 8000, 8000)]
    table = a_table(a_tank("a1", 4500, 4500), pieces=pieces)
    found = list(woods_entered(table, table.state.tanks["a1"]))
    assert [finding.inputs["wood"] for finding in found] == ["wood-1"]
    assert_rule(found, "T6.2", result="free to move")


@pytest.mark.rule("T7.1")
def test_T7_1_why_a_target_is_not_shot_at():
    """A refusal says why a target cannot be shot at: b1 is already out of action, and b2 is behind a building."""
    full = a_tank("b1", 4500, 1000, 180, damage=9)
    tanks = a_tank("a1", 4500, 8000), full, a_tank("b2", 6000, 1000, 180)
    state = a_state(*tanks, pieces=[a_piece("building-1", 5900, 1600)])
    hidden = str(why_not(Situation(a_data(), state), tanks[0], "b2"))
    assert str(why_not(Situation(a_data(), state), tanks[0], "b1")) == "b1 was already out of play"
    assert hidden.startswith("b2: ") and "out already" not in hidden
    with pytest.raises(Refusal) as refused:
        check(a_data(), state, Ask("alpha", "shoot", "T7.1", subject="a1"), "a1")
    assert_rule(refused.value, "T7.1")


@pytest.mark.rule("T7.1")
@pytest.mark.parametrize("sealed, answers", [("best", ["b1"]), ("", [])])
def test_T7_1_a_sealed_preference_is_worked_out_and_a_named_target_is_not(sealed, answers):
    state = a_state(a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180))
    ask = Ask("alpha", "shoot", "T7.1", subject="a1", about={"sealed": sealed})
    assert [reply.answer for reply in from_plan(a_data(), state, ask)] == answers
    table = a_table(a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180), dice=[1] * 9)
    assert_rule(shoot(table, "a1", "b1").findings, "T7.1", inputs={"target": "b1"})


@pytest.mark.rule("T7.2", "T6.4")
@pytest.mark.parametrize("status, rule", [(Status.LIVE, "T7.2"), (Status.WRECK, "T6.4")])
def test_T7_2_what_blocks_sight_is_named_by_its_rule(status, rule):
    """Three tanks side by side hide the one behind them, and the refusal cites their rule."""
    wall = [a_tank(f"b{n}", 4240 + 260 * n, 4000, status=status) for n in (0, 1, 2)]
    state = a_state(a_tank("a1", 4500, 8000), a_tank("b9", 4500, 3200, 90), *wall)
    found = list(sight_objections(Situation(a_data(), state), state.tanks["a1"], state.tanks["b9"]))
    assert {objection.rule for objection in found} == {"T7.2", rule}
    wrecks = a_state(a_tank("a1", 4500, 8000), a_tank("b9", 4500, 3200, 90), *wall)
    for tank in wall:
        tank.status = Status.WRECK
    named = Illegal("b9", list(sight_objections(Situation(a_data(), wrecks), wrecks.tanks["a1"], wrecks.tanks["b9"])))
    assert_rule(named, "T7.2", why="no part of the target can be seen")
    assert_rule(named, "T6.4")


@pytest.mark.rule("T7.5", "T9.6")
def test_T7_5_all_dice_again_or_all_but_one_with_semi_indirect_fire():
    """The dice are 2 5 1; all may be rerolled, or with Semi-Indirect Fire the five may be kept, but never all."""
    model = next(model.id for model in a_data().models.values() if "semi-indirect-fire" in model.keywords)
    for kind, keeps in (("sherman-75", [0]), (model, [0, 1])):
        table = a_table(a_tank("a1", 4500, 8000, model=kind), a_tank("b1", 4500, 1000, 180), dice=[2, 5, 1] * 9)
        played = shoot(table, "a1", "b1", {})
        (ask,) = played.asked("reroll")[:1]
        found = [option for option in options(table.data, table.state, ask) if option]
        assert [option.get("keeps", 0) for option in found] == keeps
        dice = ask.about["dice"]
        assert found[0]["dice"] == list(range(len(dice)))
        if len(found) > 1:
            assert set(range(len(dice))) - set(found[1]["dice"]) == {dice.index(max(dice))}
    table = a_table(a_tank("a1", 4500, 8000, model=model), a_tank("b1", 4500, 1000, 180), dice=[2] * 40)
    again = shoot(table, "a1", "b1", {"reroll": [found[0]]})
    assert_rule(again.findings, "T7.5")
    table = a_table(a_tank("a1", 4500, 8000, model=model), a_tank("b1", 4500, 1000, 180), dice=[2] * 40)
    kept = shoot(table, "a1", "b1", {"reroll": [found[1]]})
    assert_rule(kept.findings, "T9.6")


@pytest.mark.rule("T7.6")
def test_T7_6_a_card_that_helps_at_close_range_helps_there_alone():
    card = next(card for card in a_data().cards.values() if card.effect.defence_close)
    dice = {}
    for x in (2200, 6000):
        shooter, target = a_tank("a1", 1000, 5000, 90), opened(a_tank("b1", x, 5000, 270, cards=[card.id]))
        bare = a_tank("b1", x, 5000, 270)
        for name, tank in (("card", target), ("bare", bare)):
            table = a_table(shooter, tank, dice=[6] * 4 + [1] * 20)
            played = shoot(table, "a1", "b1")
            found = [f for f in played.findings if f.rule == "T7.6" and not f.dice]
            dice[x, name] = found[0].result
            assert_rule(played.findings, "T7.6", result=found[0].result)
    assert dice[2200, "card"] == dice[2200, "bare"] + 1 and dice[6000, "card"] == dice[6000, "bare"]


@pytest.mark.rule("T7.10")
def test_T7_10_what_is_not_named_is_not_cancelled():
    """There is one success against a hit and a critical: the shooter gives up only the hit or critical
    that is named."""
    table = a_table(a_tank("a1", 1000, 5000, 90), a_tank("b1", 5000, 5000, 270), dice=[6, 5, 1, 1] + [4] * 20)
    played = shoot(table, "a1", "b1")
    (ask,) = played.asked("cancel")[:1]
    assert ask.about["cancel"] == 1
    for text, hits, criticals in (("cancel 1 hit", 1, 0), ("cancel 1 critical", 0, 1)):
        said = read(table.data, table.state, ask, text).answer
        assert (said.get("hits", 0), said.get("criticals", 0)) == (hits, criticals)
    assert_rule(played.findings, "T7.10")


@pytest.mark.rule("T7.11")
def test_T7_11_a_critical_without_a_card_left_is_one_damage():
    table = a_table(a_tank("a1", 1000, 5000, 90), a_tank("b1", 5000, 5000, 270), dice=[6, 1, 1, 1] + [1] * 20)
    table.state.deck, table.state.discards = [], []
    shoot(table, "a1", "b1")
    assert table.state.tanks["b1"].damage == 1
    full = a_table(a_tank("a1", 1000, 5000, 90), a_tank("b1", 5000, 5000, 270), dice=[5, 1, 1, 1] + [1] * 20)
    assert_rule(shoot(full, "a1", "b1").findings, "T7.11")


@pytest.mark.rule("T8.3", "T9.2")
def test_T8_3_T9_2_repair_and_move_by_their_lines_and_by_the_plan():
    """A tank makes one repair, and may move as well only with a card for it; a plan chooses the repair."""
    command = Ask("bravo", "command", "T8.3")
    card = next(card.id for card in a_data().cards.values() if card.effect.repairs_in_blitzkrieg)
    plain_one = a_tank("b1", 4500, 4500, criticals=["jammed-turret", "injured-crew"])
    helped = a_tank("b1", 4500, 4500, criticals=["jammed-turret"], cards=[card])
    both = {"b1": {"repair": "jammed-turret", "move": {"way": 0}}}
    assert check(a_data(), a_state(helped), command, both) == both
    with pytest.raises(Refusal) as refused:
        check(a_data(), a_state(plain_one), command, both)
    assert_rule(refused.value, "T9.2", why="a tank can move or repair, not both")
    with pytest.raises(Refusal, match="given twice"):
        read(a_data(), a_state(plain_one), command, "b1: repair jammed turret\nb1: repair injured crew")
    with pytest.raises(Refusal) as unknown:
        check(a_data(), a_state(plain_one), command, {"b1": {"repair": "engine-fire"}})
    assert_rule(unknown.value, "T8.3")
    plans = ({}, {"repair": {"b1": "injured-crew"}})
    found = [[reply.answer for reply in from_plan(a_data(), a_state(plain_one), command, plan)] for plan in plans]
    assert found == [[], [{"b1": {"repair": "injured-crew"}}]]


@pytest.mark.rule("T1.2")
def test_T1_2_a_new_phase_forgets_the_shots_of_the_last_and_tells_a_reason_for_each_line():
    tanks = a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180)
    table = a_table(*tanks, shots=[("a1", "b1")])
    assert_rule(run_step(table, shooting_phase(table)).findings, "T1.2", result=["a1", "b1"])
    assert table.state.shots == []
    when = [{"what": "out", "units": ["b1"]}]
    form = {"orders": {"a1": [{"targets": ["b1"], "when": when}, {"targets": ["best"], "when": when}]}}
    told = a_table(*tanks, orders={"alpha": form})
    assert sealed_shot(told, told.state.tanks["a1"]).targets == []
    assert [finding.result for finding in told.findings] == ["failed", "failed"]
    assert_rule(told.findings, "T1.2", inputs={"why": "the tank's condition was not met, so it held its fire"})


@pytest.mark.rule("T2.2")
def test_T2_2_a_critical_is_split_into_two_hits():
    tanks = a_tank("a1", 1000, 5000, 90, cards=["deadly-gunner"]), a_tank("b1", 5000, 5000, 270)
    table = a_table(*tanks, dice=[6, 1, 1, 1] + [1] * 20)
    played = shoot(table, "a1", "b1", {"convert": [["deadly-gunner"]]})
    assert_rule(played.findings, "T2.2", inputs={"card": "deadly-gunner"}, result={"hits": 2, "criticals": 0})


@pytest.mark.rule("T2.3")
def test_T2_3_a_busted_track_keeps_a_tank_from_its_early_move_as_well():
    for criticals, fine in (([], True), (["busted-track"], False)):
        tank = a_tank("a1", 4500, 8000, cards=["richards"], criticals=criticals)
        ask, early = Ask("alpha", "movement", "T1.1"), {"early": {"a1": {"way": 0}}}
        if fine:
            assert check(a_data(), a_state(tank), ask, early) == early
            continue
        with pytest.raises(Refusal) as refused:
            check(a_data(), a_state(tank), ask, early)
        assert_rule(refused.value, "T2.3", why="Busted Track prevents the tank from moving")


@pytest.mark.rule("T2.5")
def test_T2_5_tokens_and_cards_that_stay_are_markers():
    table = a_table(a_tank("a1", 4500, 4500, damage=2, criticals=["busted-track"]), a_tank("b1", 1000, 1000))
    assert markers(table.state) == {("a1", "damage"): 2, ("a1", "busted-track"): True}
    carry_out(table, table.state.tanks["b1"], MoveOrder([Move(90)]))
    assert markers(table.state)["b1", "speed"] == 1
    assert_rule(table.findings, "T2.5", inputs={"tank": "b1", "token": "speed"}, result=1)


@pytest.mark.rule("T6.4", "T7.2")
def test_T7_2_a_tank_that_is_not_on_the_table_yet_hides_nobody():
    """Three tanks side by side hide the one behind them if they are wrecks, but not while they are in reserve."""
    seen = {}
    for status in (Status.WRECK, Status.RESERVE):
        wall = [a_tank(f"b{n}", 4240 + 260 * n, 4000, status=status) for n in (0, 1, 2)]
        state = a_state(a_tank("a1", 4500, 8000), a_tank("b9", 4500, 3200, 90), *wall)
        seen[status] = list(sight_objections(Situation(a_data(), state), state.tanks["a1"], state.tanks["b9"]))
    assert seen[Status.RESERVE] == []
    assert_rule(Illegal("b9", seen[Status.WRECK]), "T7.2", why="no part of the target can be seen")
    assert_rule(Illegal("b9", seen[Status.WRECK]), "T6.4")


@pytest.mark.rule("T7.1")
def test_T7_1_a_list_of_targets_leaves_out_those_that_are_out_already():
    """b1 is full of damage, but b2 and `best` stay on the list. A tank that is asked alone shoots at one target."""
    tanks = a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180, damage=9), a_tank("b2", 6000, 1000, 180)
    state = a_state(*tanks)
    assert wished_targets(Situation(a_data(), state), ShootOrder(["b1", "b2", "best"])) == ["b2", "best"]
    ask = Ask("alpha", "shoot", "T7.1", subject="a1")
    assert read(a_data(), state, ask, "a1: shoot b2").answer == "b2"
    with pytest.raises(Refusal):
        read(a_data(), state, ask, "a1: shoot b2, b1")
    with pytest.raises(Refusal) as refused:
        check(a_data(), state, ask, "a1")
    assert_rule(refused.value, "T7.1")


@pytest.mark.rule("T7.5")
def test_T7_5_only_dice_that_lie_there_are_rolled_again_and_all_of_them():
    tanks = a_tank("a1", 4500, 8000), a_tank("b1", 4500, 1000, 180)
    table = a_table(*tanks, dice=[2] * 40)
    (ask,) = shoot(table, "a1", "b1").asked("reroll")[:1]
    everything = list(range(len(ask.about["dice"])))
    assert check(table.data, table.state, ask, {"dice": everything})
    for wrong in ([], [-1], everything[:-1], [*everything, len(everything)], [len(everything)]):
        with pytest.raises(Refusal):
            check(table.data, table.state, ask, {"dice": wrong})
    again = a_table(*tanks, dice=[2] * 40)
    assert_rule(shoot(again, "a1", "b1", {"reroll": [{"dice": everything}]}).findings, "T7.5")


@pytest.mark.rule("T8.3", "T9.2")
def test_T9_2_a_blitzkrieg_move_asks_all_that_a_move_asks():
    """The order must be readable, the arrow must touch the hull (T5.1), and the tank must stay on the table (T5.4).

    Each mistake is reported once.
    """
    command, state = Ask("bravo", "command", "T8.3"), a_state(a_tank("b1", 4500, 1000))
    for move, rule in (({"way": "nowhere"}, "T5.1"), ({"way": 90, "leave": 900}, "T5.1"), ({"way": 0}, "T5.4")):
        with pytest.raises(Refusal) as refused:
            check(a_data(), state, command, {"b1": {"move": move}})
        assert [objection.rule for objection in refused.value.objections] == [rule]
    assert check(a_data(), state, command, {"b1": {"move": {"way": 90}}})
    for text in ("b1: hold\nb1: blitz move 90", "b1: blitz move 90\nb1: blitz move 180"):
        with pytest.raises(Refusal, match="given twice"):
            read(a_data(), state, command, text)
    with pytest.raises(Refusal) as slow:
        check(
            a_data(), a_state(a_tank("a1", 4500, 4500)), Ask("alpha", "command", "T8.3"), {"a1": {"move": {"way": 0}}}
        )
    assert_rule(slow.value, "T9.2", why="only a tank with Blitzkrieg can move in the Command Phase")
    with pytest.raises(Refusal) as unknown:
        check(a_data(), state, command, {"b1": {"repair": "engine-fire"}})
    assert_rule(unknown.value, "T8.3")


@pytest.mark.rule("T2.2")
def test_T2_2_after_a_hit_the_second_attack_goes_at_another_target_close_to_the_first():
    """The second attack may go at b2, within an arrow of b1, but not at b3."""
    card = next(card for card in a_data().cards.values() if card.effect.second_attack == "hit")
    model = card.tanks[0] if card.tanks else ""
    foes = a_tank("b1", 4500, 1000, 180), a_tank("b2", 5300, 1000, 180), a_tank("b3", 8500, 1000, 180)
    table = a_table(a_tank("a1", 4500, 6000, model=model, cards=[card.id]), *foes, dice=[5] * 6 + [1] * 60)
    played = shoot(table, "a1", "b1")
    (ask,) = played.asked("again")
    assert ask.about["hit"] and [option for option in options(table.data, table.state, ask) if option] == ["b2"]
    used = a_table(a_tank("a1", 4500, 6000, model=model, cards=[card.id]), *foes, dice=[5] * 6 + [1] * 60)
    assert_rule(shoot(used, "a1", "b1", {"again": ["b2"]}).findings, "T2.2")
