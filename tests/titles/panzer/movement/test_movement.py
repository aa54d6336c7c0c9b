"""4.5 The Movement Phase: order of movement, fire windows, damage on the way, new routes, edges, reinforcements."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import assert_rule, every
from titles.panzer.builders import (
    a_board,
    a_card,
    a_data_set,
    a_state,
    a_table,
    a_vehicle,
    brewed_up,
    run_step,
    run_steps,
    shoot,
)

from pbem.engine.geometry.hexes import hex_name, parse_hex
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Unreadable
from pbem.titles.panzer.cards.basic_rows import EDITIONS
from pbem.titles.panzer.movement.movement_step import (
    check_move,
    check_reroute,
    move_options,
    movement_step,
    no_move_step,
    reroute_options,
)
from pbem.titles.panzer.movement.movement_step import march_of as progress_of
from pbem.titles.panzer.setup.scenario_file import Unit as Row
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, Spot, Status, Unit
from pbem.titles.panzer.view import view_of

both_editions = pytest.mark.parametrize("edition", EDITIONS)
STEPS = {"movement_step": movement_step, "no_move_step": no_move_step}
TOUGH = a_card("tough", like="t34_76", front=20, rear=20)
"""A vehicle that the 75mm L48 (penetration 21 at nine hexes) can only damage."""


def moves(unit: str, steps: str = "", mode: str = "cross") -> dict[str, Any]:
    return {"unit": unit, "mode": mode, "steps": steps.split()}


def a_mover(hex: str = "J12", card: str = "t34_76", id: str = "s1", **more: Any) -> Unit:
    given: dict[str, Any] = {"command": Command.MOVE, "facing": 1, "side": "soviet", **more}
    return a_vehicle(id, hex, card, **given)


def a_watcher(hex: str = "J3", id: str = "g1", **more: Any) -> Unit:
    """A German vehicle with its counter face down, by default on Overwatch."""
    given: dict[str, Any] = {"command": Command.OVERWATCH, "facing": 4, **more}
    return a_vehicle(id, hex, "pz4h", **given)


def moving(*vehicles: Unit, side: str = "soviet", **more: Any) -> Any:
    """A table about to begin a Movement Step; the Germans are First Player."""
    given: dict[str, Any] = {"sides": ("german", "soviet"), **more}
    edition = given.pop("edition", "2024")
    board, scenario = given.pop("board", None), given.pop("scenario", {})
    data = a_data_set(board, edition=edition, cards=[TOUGH], sides=given["sides"], **scenario)
    table = a_table(*vehicles, data=data, **given)
    table.then("movement_step", side=side)
    return table


# --- 4.5 order -----------------------------------------------------------------------------------------------


@pytest.mark.rule("4.5", "4.5/second-player-first", editions=("2024",))
def test_4_5_the_second_player_moves_before_the_first():
    """L1100-1112: all vehicles of the Second Player move, then those of the First; the Adjustment Phase follows."""
    table = moving(a_mover(), a_vehicle("g1", "C3", command=Command.MOVE))

    played = run_steps(table, STEPS, {"move": [moves("s1", "f"), None, moves("g1", "f"), None]})

    assert [ask.seat for ask in played.asked("move")] == ["soviet", "soviet", "german", "german"]
    assert_rule(played.findings, "4.5", inputs={"side": "soviet", "player": "second"})
    assert_rule(played.findings, "4.5/second-player-first", inputs={"order": ["soviet", "german"]})
    assert table.state.next.name == "adjustment_phase"
    assert table.state.phase == "movement"


@pytest.mark.rule("4.5", "3.1", editions=("2016",))
def test_4_5_order_of_movement_in_2016():
    """2016:L1258: the Second Player moves first; each player is active for their own units (3.1)."""
    played = run_steps(moving(a_mover(), edition="2016"), STEPS)

    assert_rule(played.findings, "4.5", inputs={"order": ["soviet", "german"]})
    assert_rule(played.findings, "3.1", inputs={"side": "soviet"}, result="active")


@pytest.mark.rule("4.5", effect=True)
def test_4_5_a_side_with_nothing_to_move_is_asked_like_any_other():
    """A missing ask must not give a command away, so each side is asked once, even without vehicles."""
    played = run_steps(moving(a_vehicle("g1", "C3", command=Command.NO_COMMAND)), STEPS)

    assert played.sequence == [("soviet", "move"), ("german", "move")]


@both_editions
@pytest.mark.rule("4.5.1.1")
def test_4_5_1_1_one_vehicle_at_a_time_and_each_once(edition):
    """L1120: a move is completed before the next starts; a unit that has moved does not move again."""
    table = moving(a_mover(), a_mover("L12", id="s2"), edition=edition)

    played = run_steps(table, STEPS, {"move": [moves("s2", "f f"), moves("s1", "f r")]})

    begun = [f.inputs["unit"] for f in played.findings if f.rule == "4.5.1.1" and f.result == "begins"]
    ended = [f.inputs["unit"] for f in played.findings if f.rule == "4.5.1.1" and f.result == "ends"]
    assert begun == ended == ["s2", "s1"]
    assert_rule(played.findings, "4.5.1.1", inputs={"unit": "s1", "hex": "J11", "facing": 2}, result="ends")
    with pytest.raises(Illegal) as refusal:
        check_move(Situation(table.data, view_of(table.state, "soviet")), MOVE, moves("s1", "f"))
    assert_rule(refusal.value, "4.5.1.1")


# --- 4.5.1 revealing and markers -----------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.5.1", "3.4", "4.5.1.1.1", "3.7")
def test_4_5_1_spot_move_replaces_the_spot_fire_of_a_short_halt(edition):
    """L1114-1118: the Spot/Fire is removed as the move begins (R-11), and the counter shows its Move half (3.4)."""
    halted = a_mover(command=Command.SHORT_HALT, fired=True, revealed=True, pending=Spot.FIRE)
    table = moving(halted, edition=edition)

    played = run_steps(table, STEPS, {"move": [moves("s1", "f f")]})

    assert halted.pending is Spot.MOVE
    assert_rule(played.findings, "4.5.1", inputs={"unit": "s1", "replaces": "fire"}, result="move")
    assert_rule(played.findings, "3.4", inputs={"unit": "s1"}, result="move-half")
    assert_rule(played.findings, "4.5.1.1.1", result={"cross": 2})
    assert_rule(played.findings, "3.7", inputs={"halved_for": ["Short Halt"]})


@both_editions
@pytest.mark.rule("4.5.1.1.8")
@pytest.mark.parametrize("steps", [None, "", "r r"])
def test_4_5_1_1_8_a_vehicle_that_stays_has_moved_all_the_same(edition, steps):
    """L1228-1230: a vehicle that stays or only turns is revealed, gets Spot/Move, and opens an overwatch window."""
    mover = a_mover()
    table = moving(mover, a_watcher(), edition=edition)

    played = run_steps(table, STEPS, {"move": [] if steps is None else [moves("s1", steps)]})

    assert mover.revealed
    assert mover.moved
    assert mover.pending is Spot.MOVE
    assert_rule(played.findings, "4.5.1.1.8", inputs={"unit": "s1", "hex": "J12"}, result="no-move")
    assert len(played.asked("overwatch")) == 1 + len((steps or "").split())


def test_4_5_1_vehicles_with_other_commands_stay_hidden():
    """L1114: a vehicle without a Move or Short Halt does not move, is not revealed and gets no marker."""
    commands = (Command.OVERWATCH, Command.NO_COMMAND, Command.FIRE)
    others = [a_mover(id=f"s{number}", command=command) for number, command in enumerate(commands)]

    run_steps(moving(*others), STEPS)

    assert not any(vehicle.revealed or vehicle.moved or vehicle.pending for vehicle in others)


# --- 4.5.1.1 windows -----------------------------------------------------------------------------------------


@pytest.mark.rule("4.5.1.1", effect=True)
def test_4_5_1_1_every_expenditure_opens_a_window():
    """L1120-1130: a window opens after revealing, after each hex, and after each turn in place, free or paid."""
    table = moving(a_mover(), a_watcher())

    played = run_steps(table, STEPS, {"move": [moves("s1", "r l f f r")]})

    assert [ask.subject for ask in played.asked("overwatch", "german")] == ["s1"] * 6


@pytest.mark.rule("4.5.1.1", effect=True)
def test_4_5_1_1_the_mover_is_fired_at_where_it_is_then():
    """R-12, A-26: in the window after its second hex the mover is in J10, and its wreck stays there."""
    mover = a_mover()
    table = moving(mover, a_watcher(), dice=[1])

    played = run_steps(table, STEPS, {"move": [moves("s1", "f f f f")], "overwatch": [None, None, shoot("s1", "g1")]})

    assert mover.status is Status.ELIMINATED
    assert list(table.state.wrecks) == ["J10"]
    assert not played.asked("reroute")
    assert len(played.asked("overwatch", "german")) == 3


@pytest.mark.rule("4.5.1.1", effect=True)
def test_4_5_1_1_smoke_made_in_a_movement_step_counts_from_the_next():
    """A-24: the two Movement Steps are separate steps, so smoke made in the first counts in the second."""
    table = moving(a_mover(), wrecks={"A1": brewed_up(fresh=True)})

    run_steps(table, STEPS)

    assert not table.state.wrecks["A1"].fresh


# --- damage on the way ---------------------------------------------------------------------------------------


def hit_on_the_way(steps: str, window: int, rest: Any = None, **more: Any) -> tuple[Any, Any, Unit]:
    """Move a hard-to-kill vehicle that is damaged in the window after this many steps."""
    mover = a_mover(card="tough")
    table = moving(mover, a_watcher(), *more.pop("others", ()), dice=[1], **more)
    shots = [None] * window + [shoot("s1", "g1")]
    played = run_steps(table, STEPS, {"move": [moves("s1", steps)], "overwatch": shots, "reroute": [rest]})
    return table, played, mover


@both_editions
@pytest.mark.rule("4.5.1.1.1", "3.7")
def test_4_5_1_1_1_damage_during_the_move_halves_what_is_left(edition):
    """A-36, L1132: a vehicle hit after one of five points has 4 // 2 = 2 left and stops two hexes short."""
    _, played, mover = hit_on_the_way("f f f f f", 1, edition=edition)

    assert mover.damaged
    assert_rule(played.findings, "4.5.1.1.1", inputs={"unit": "s1", "spent": 1, "left": 4}, result=2)
    assert_rule(played.findings, "3.7", inputs={"halved_for": ["Damaged"]}, result=2)
    assert hex_name(mover.hex) == "J9"


@pytest.mark.rule("4.5.1.1.1", effect=True)
def test_4_5_1_1_1_damage_before_the_first_step_halves_the_allowance():
    """A-36: a vehicle with 5 points that is hit as its Move is revealed has 2 points left."""
    _, _, mover = hit_on_the_way("f f f f f", 0)

    assert hex_name(mover.hex) == "J10"


@pytest.mark.rule("4.5.1.1", effect=True)
def test_4_5_1_1_what_was_dropped_is_told_to_its_owner_alone():
    """R-17: only the owner may see the rest of a route."""
    _, played, _ = hit_on_the_way("f f f f f", 1)

    dropped = [finding for finding in played.findings if finding.rule == "4.5.1.1" and "rest" in finding.inputs]
    assert [(finding.to, finding.result) for finding in dropped] == [(("soviet",), ["f", "f"])]
    assert [child.rule for child in dropped[0].children] == ["4.5.1.1.3"]


@pytest.mark.rule("4.5.1.1.5", effect=True)
def test_4_5_1_1_5_after_fire_the_rest_may_be_replaced():
    """R-17: after the hit the vehicle turns away; the owner is asked once about that move."""
    _, played, mover = hit_on_the_way("f f f", 1, {"steps": ["r", "f"]})

    (ask,) = played.asked("reroute")
    assert (ask.seat, ask.subject, ask.about["rest"]) == ("soviet", "s1", ["f", "f"])
    assert progress_of(ask).left == 2
    assert (hex_name(mover.hex), mover.facing) == ("K10", 2)


@pytest.mark.rule("4.5.1.1.5", effect=True)
def test_4_5_1_1_5_or_it_stops():
    _, _, mover = hit_on_the_way("f f f", 1, {"steps": []})

    assert hex_name(mover.hex) == "J11"


@pytest.mark.rule("4.5.1.1.5", effect=True)
def test_4_5_1_1_5_a_miss_is_reason_enough_to_ask():
    """R-17: after any fire at the mover, even a miss, its owner may change the route."""
    table = moving(a_mover(), a_watcher(), dice=[100])

    played = run_steps(table, STEPS, {"move": [moves("s1", "f f")], "overwatch": [shoot("s1", "g1")]})

    assert len(played.asked("reroute")) == 1
    assert hex_name(table.state.vehicles["s1"].hex) == "J10"


@pytest.mark.rule("4.5.1.1.5", effect=True)
def test_4_5_1_1_5_at_the_road_rate_half_of_the_rest_is_left():
    """R-17: with 2 of 12 points spent, 10 are left, halved to 5: the vehicle moves seven hexes in all."""
    board = a_board(links={"road": [f"{'-'.join(f'J{row}' for row in range(16, 2, -1))}"]})
    mover = a_mover("J16", "tough")
    table = moving(mover, a_watcher("J5"), board=board, dice=[1])

    run_steps(
        table,
        STEPS,
        {"move": [moves("s1", "f f f f f f f f f f", "road")], "overwatch": [None, None, shoot("s1", "g1")]},
    )

    assert mover.damaged
    assert hex_name(mover.hex) == "J9"


@both_editions
@pytest.mark.rule("4.5.1.1.10")
def test_4_5_1_1_10_stopped_with_an_enemy_it_goes_back(edition):
    """A-33: a vehicle damaged in an enemy's hex with 1 point left and scrub ahead returns to the previous hex."""
    blocker = a_vehicle("g2", "J9", command=Command.NO_COMMAND, fired=True)
    scrub = a_board(signs={"J8": ";"})

    _, played, mover = hit_on_the_way("f f f f", 3, edition=edition, others=[blocker], board=scrub)

    assert_rule(played.findings, "4.5.1.1.10", inputs={"unit": "s1", "hex": "J9"}, result="J10")
    assert (hex_name(mover.hex), mover.facing) == ("J10", 1)
    assert len(played.asked("overwatch", "german")) == 4


def test_4_5_1_1_10_who_can_still_drive_on_does():
    """A-33 is only for units that cannot go on: over clear ground the vehicle gets past the enemy."""
    _, _, mover = hit_on_the_way("f f f f", 3, others=[a_vehicle("g2", "J9", command=Command.NO_COMMAND, fired=True)])

    assert hex_name(mover.hex) == "J8"


# --- 4.5.1.1.9 leaving, 2.0 entering -------------------------------------------------------------------------


@both_editions
@pytest.mark.rule("4.5.1.1.9")
def test_4_5_1_1_9_whoever_leaves_is_gone_but_not_eliminated(edition):
    """L1232-1238: the exit edge is recorded for the victory conditions; no window opens off the map."""
    mover = a_mover("J2", spot=Spot.FIRE)
    table = moving(mover, a_watcher("J6"), edition=edition)

    played = run_steps(table, STEPS, {"move": [moves("s1", "f exit")]})

    assert (mover.status, mover.exit_edge, mover.hex, mover.marker) == (Status.EXITED, "north", None, Spot.NONE)
    assert_rule(played.findings, "4.5.1.1.9", inputs={"unit": "s1", "edge": "north"}, result=1)
    assert len(played.asked("overwatch")) == 2


def a_reinforcement(**more: Any) -> tuple[Unit, dict[str, Any]]:
    unit = Row("s1", "s1", "soviet", "soviet", "t34_76", 0, turn=2, entry=(parse_hex("J20"),))
    return a_mover(None, entry_turn=2, **more), {"scenario": {"units": (unit,)}, "turn": 2}


@both_editions
@pytest.mark.rule("2.0")
def test_2_0_a_reinforcement_enters_under_its_move_command(edition):
    """R-02: the reinforcement appears with its first step, can be fired at from then on, and drives on."""
    mover, setting = a_reinforcement()
    table = moving(mover, a_watcher("J12"), edition=edition, **setting)
    ask = Ask("soviet", "move", "4.5.1.1")
    answer = check_move(Situation(table.data, view_of(table.state, "soviet")), ask, moves("s1", "enter:J20 f f"))

    played = run_steps(table, STEPS, {"move": [answer]})

    assert (mover.status, hex_name(mover.hex)) == (Status.ON_MAP, "J18")
    assert_rule(played.findings, "2.0", inputs={"unit": "s1", "step": "enter:J20:1"}, result=1)
    assert len(played.asked("overwatch")) == 3


@pytest.mark.rule("2.0", effect=True)
def test_2_0_a_reinforcement_may_wait():
    """R-02: without orders a reinforcement stays in reserve: its command is not revealed, and no window opens."""
    mover, setting = a_reinforcement()

    played = run_steps(moving(mover, a_watcher("J12"), **setting), STEPS)

    assert (mover.status, mover.moved, mover.revealed) == (Status.RESERVE, False, False)
    assert not played.asked("overwatch")


@pytest.mark.rule("2.0")
def test_2_0_a_reinforcement_does_not_come_early():
    mover, setting = a_reinforcement()
    table = moving(mover, **setting | {"turn": 1})

    with pytest.raises(Illegal) as refusal:
        check_move(table, Ask("soviet", "move", "4.5.1.1"), moves("s1", "enter:J20"))
    assert_rule(refusal.value, "2.0")


@pytest.mark.rule("2.0", effect=True)
@pytest.mark.rule("4.5.1.1.10")
def test_2_0_a_reinforcement_stopped_with_an_enemy_in_its_entry_hex_waits_again():
    """A-33: stopped with an enemy in its entry hex, a reinforcement has no previous hex and waits again."""
    mover, setting = a_reinforcement(card="tough")
    board = a_board(signs={"J19": "^"})
    table = moving(mover, a_watcher("J11"), a_vehicle("g2", "J20", fired=True), board=board, dice=[1], **setting)

    answers = {"move": [moves("s1", "enter:J20:1 f")], "overwatch": [shoot("s1", "g1")]}
    played = run_steps(table, STEPS, answers)

    assert mover.damaged
    assert (mover.status, mover.hex, mover.marker) == (Status.RESERVE, None, Spot.NONE)
    assert_rule(played.findings, "4.5.1.1.10", inputs={"unit": "s1", "hex": "J20"}, result="")
    assert not [finding for finding in played.findings if finding.result in ("ends", "no-move")]


# --- answers -------------------------------------------------------------------------------------------------

MOVE = Ask("soviet", "move", "4.5.1.1")


@both_editions
@pytest.mark.rule("3.1", "4.5.1")
def test_4_5_1_only_own_vehicles_with_a_move_command_move(edition):
    """L1114-1118, 3.1: the refusal names the vehicles that can move."""
    table = moving(a_mover(), a_mover("L12", id="s2", command=Command.OVERWATCH), a_watcher(), edition=edition)
    view = view_of(table.state, "soviet")

    with pytest.raises(Illegal) as foreign:
        check_move(Situation(table.data, view), MOVE, moves("g1", "f"))
    with pytest.raises(Illegal) as idle:
        check_move(Situation(table.data, view), MOVE, moves("s2", "f"))

    assert_rule(foreign.value, "3.1")
    assert_rule(idle.value, "4.5.1")
    assert foreign.value.instead == idle.value.instead == ("s1",)


@pytest.mark.rule("4.5.1")
@pytest.mark.parametrize("status", [Status.EXITED, Status.ELIMINATED])
def test_4_5_1_whoever_has_left_the_map_does_not_move(status):
    table = moving(a_mover(status=status))

    with pytest.raises(Illegal) as refusal:
        check_move(table, MOVE, moves("s1"))
    assert_rule(refusal.value, "4.5.1")


@pytest.mark.rule("4.5.1.1", effect=True)
def test_4_5_1_1_a_refusal_names_the_step_and_the_legal_part():
    """The refusal names the third step as too expensive and the first two as legal."""
    table = moving(a_mover(command=Command.SHORT_HALT))

    with pytest.raises(Illegal) as refusal:
        check_move(table, MOVE, moves("s1", "f f f"))

    assert refusal.value.part == "s1, step 3 (f)"
    assert refusal.value.instead == ("f f",)
    assert "4.5.1.1.3" in str(refusal.value)


def test_4_5_1_1_a_move_that_may_not_end_there_is_refused_as_a_whole():
    table = moving(a_mover(), a_watcher("J10"))

    with pytest.raises(Illegal) as refusal:
        check_move(table, MOVE, moves("s1", "f f"))

    assert refusal.value.part == "s1"
    assert refusal.value.instead == ("f",)


@pytest.mark.parametrize("answer", [[], {"steps": []}, {"unit": "s1", "mode": "fly"}, moves("s1", "r " * 99)])
def test_4_5_1_1_answers_of_the_wrong_shape_are_unreadable(answer):
    table = moving(a_mover())

    with pytest.raises(Unreadable):
        check_move(table, MOVE, answer)
    with pytest.raises(Unreadable):
        check_reroute(table, Ask("soviet", "reroute", "4.5.1.1.5", subject="s1"), {"way": 1})


@settings(max_examples=8)
@given(hex=st.sampled_from(["J12", "C9", "B2"]), facing=st.integers(1, 6), edition=st.sampled_from(EDITIONS))
def test_4_5_1_1_every_option_is_legal(hex, facing, edition):
    """The options for every vehicle are to stay, each hex within reach, and ways off the map; `done` comes last."""
    board = a_board(signs={"C8": "m", "B3": "^"}, links={"road": ["off1-C1-C2-C3-C4-C5-C6-C7-C8-C9"]})
    table = moving(a_mover(hex, facing=facing), a_mover("L12", id="s2"), a_watcher(), board=board, edition=edition)
    view = view_of(table.state, "soviet")

    options = list(move_options(Situation(table.data, view), MOVE))

    assert options[-1] is None
    assert {option["unit"] for option in options if option} == {"s1", "s2"}
    for option in options:
        assert check_move(Situation(table.data, view), MOVE, option) == option


def test_4_5_1_1_5_every_new_rest_is_legal():
    """R-17: the unit may continue, stop, or take any other route from its present hex."""
    table = moving(a_mover(card="tough"), a_watcher(), dice=[1])
    seen: list[Any] = []

    def reroute(ask: Ask) -> Any:
        view = view_of(table.state, "soviet")
        for option in reroute_options(Situation(table.data, view), ask):
            assert check_reroute(Situation(table.data, view), ask, option) == option
            seen.append(option)
        with pytest.raises(Illegal):
            check_reroute(Situation(table.data, view), ask, {"steps": ["f", "f", "f"]})

    shots = [None, shoot("s1", "g1")]
    run_steps(table, STEPS, {"move": [moves("s1", "f f")], "overwatch": shots, "reroute": reroute})

    assert seen[0] is None
    assert {"steps": []} in seen


# --- nothing leaks -------------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(
    steps=st.lists(st.sampled_from(["f", "l", "r", "b"]), max_size=4),
    hidden=st.lists(st.sampled_from(list(Command)), min_size=2, max_size=2),
)
def test_4_5_1_1_no_ask_depends_on_a_hidden_command(steps, hidden):
    """The same asks come in the same order, with the same public findings, whatever the enemy's counters are."""
    wish = moves("s1", " ".join(steps))

    def play(commands: list[Command]) -> Any:
        watchers = [a_watcher("J3", command=commands[0]), a_watcher("K8", id="g2", command=commands[1])]
        table = moving(a_mover(), *watchers)
        played = run_step(table, movement_step(table, "soviet"), {"move": [wish]})
        return [(ask.seat, ask.kind, ask.subject, ask.about) for ask in played.asks], played.findings

    try:
        check_move(Situation(a_data_set(), a_state(a_mover())), MOVE, wish)
    except Illegal:
        return
    assert play(hidden) == play([Command.NO_COMMAND, Command.NO_COMMAND])


def test_4_5_1_1_findings_of_a_move_are_public():
    """L1120: every point spent is announced, but nothing public reveals the rest of the route."""
    played = run_steps(moving(a_mover(), a_watcher()), STEPS, {"move": [moves("s1", "f r f")]})

    assert not any(finding.to for finding in played.findings)
    assert not any("rest" in finding.inputs or "steps" in finding.inputs for finding in every(played.findings))
